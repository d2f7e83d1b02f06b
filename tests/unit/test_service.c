/* Finding the systemd unit of a process in the text of /proc/PID/cgroup. */
#include "arena_fixture.h"

#include "command/service.h"

static void
the_unit_of_a_process_is_found(void **state)
{
	struct arena *a = arena;

	(void)state;
	assert_string_equal(service_unit_of(a, "0::/system.slice/octavo-api.service\n"), "octavo-api.service");
	assert_string_equal(service_unit_of(a, "0::/system.slice/system-octavo\\x2dapi.slice/octavo-api@docs.service\n"),
	    "octavo-api@docs.service");
	assert_string_equal(service_unit_of(a, "12:pids:/user.slice\n1:name=systemd:/system.slice/octavo-jobs.service\n0::/x"),
	    "octavo-jobs.service");
	/* A shell, cron and other services are no unit that runs Octavo. */
	assert_null(service_unit_of(a, "0::/user.slice/user-1000.slice/session-3.scope\n"));
	assert_null(service_unit_of(a, "0::/system.slice/cron.service\n"));
	assert_null(service_unit_of(a, "0::/octavo/x.service\n"));
	assert_null(service_unit_of(a, "0::/\n"));
	assert_null(service_unit_of(a, ".service\n"));
	assert_null(service_unit_of(a, ""));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_unit_of_a_process_is_found, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("service", tests, NULL, NULL);
}
