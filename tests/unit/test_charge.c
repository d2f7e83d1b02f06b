/* Charging requests to their user (src/http/charge.h): which requests are refused, and which never are. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../memory_io.h"
#include "base/watch.h"

#include "db_fixture.h"

#include "../../src/http/charge.h"

static struct settings set;
static const struct route read_route = { .method = M_GET, .path = "/read", .operation = "read", .mode = RO };
static const struct route merge_route = { .method = M_POST, .path = "/merge", .operation = "merge", .mode = RW };
static const struct route write_route = { .method = M_POST, .path = "/write", .operation = "write", .mode = RW };

/* A request as dispatch has it once the caller is known. length: Content-Length; NULL: no body. */
static struct req *
request(struct fixture *f, const struct route *route, const char *user, const char *path, const char *length)
{
	struct memory_io *m = arena_alloc(f->arena, sizeof(*m));
	struct req *r = arena_alloc(f->arena, sizeof(*r));

	memory_request(m, f->arena, route->method == M_GET ? "GET" : "POST", path, f->token, (struct str){ NULL, 0 });
	if (length != NULL)
		memory_set(m, "CONTENT_LENGTH", length);
	r->io = &m->io;
	r->arena = f->arena;
	r->db = f->db;
	r->set = &set;
	r->route = route;
	r->path = path;
	r->who.kind = BY_USERS;
	r->who.user = user;
	buf_init(&r->out, f->arena, 1 << 20);
	return r;
}

static void
use_processor(void)
{
	clock_t end = clock() + (clock_t)CHARGE_HEAVY_US * CLOCKS_PER_SEC / 1000000 * 2;

	while (clock() < end)
		;
}

/* Serves one request; `heavy`: it takes as long as a heavy one. False: it was refused. */
static bool
serve(struct req *r, bool heavy)
{
	int rc = charge_begin(r);

	if (rc == 0 && heavy)
		use_processor();
	charge_end(r);
	return rc == 0;
}

/*
 * Starts another worker, which is serving this request until it is killed. heavy: it uses the
 * processor all the time.
 */
static pid_t
other_worker_at(struct fixture *f, struct req *r, bool heavy, bool answered)
{
	int ends[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	if ((pid = fork()) == 0) {
		/* Ends the process even if the test fails. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* A forked worker must not use its parent's slot. */
		watch_forked();
		watch_open(f->dir);
		watch_join();
		c = charge_begin(r) == 0 ? 'y' : 'n';
		if (answered)
			charge_answered(r);
		if (write(ends[1], &c, 1) != 1)
			_exit(1);
		while (heavy)
			;
		usleep(3000);
		charge_end(r);
		for (;;)
			pause();
	}
	assert_int_equal(read(ends[0], &c, 1), 1);
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(c, 'y');
	/* Make the start times differ: requests are ordered by their start in milliseconds, then by slot. */
	usleep(2000);
	return pid;
}

static pid_t
other_worker(struct fixture *f, struct req *r, bool heavy)
{
	return other_worker_at(f, r, heavy, false);
}

static void
end_worker(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static int
setup(void **state)
{
	struct fixture *f;

	db_setup(state);
	f = *state;
	set = db_settings(f);
	set.work = 50;
	mkdir(arena_printf(f->arena, "%s/run", f->dir), 0700);
	return 0;
}

/* Runs each test in its own process, because the shared file is mapped once per process. */
static void
in_child(void **state, void (*test)(struct fixture *f))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		test(*state);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* cmocka's assertions would jump out of the test: end the process instead. */
static void
must(bool so, int line)
{
	if (so)
		return;
	fprintf(stderr, "test_charge.c:%d\n", line);
	_exit(1);
}

static void
join(struct fixture *f)
{
	watch_open(f->dir);
	watch_join();
}

static void
large_bodies(struct fixture *f)
{
	struct req *mine = request(f, &write_route, "ada", "/write/a", "9000000");
	pid_t other = other_worker(f, request(f, &write_route, "ada", "/write/b", "9000000"), true);

	join(f);
	must(!serve(mine, false), __LINE__);
	must(mine->error == E_TOO_MANY && mine->retry_after >= 1, __LINE__);
	/* Requests of other users, small requests, and requests without a slot do not count. */
	must(serve(request(f, &write_route, "bob", "/write/a", "9000000"), false), __LINE__);
	must(serve(request(f, &write_route, "ada", "/write/c", "100"), false), __LINE__);
	must(serve(request(f, &read_route, "ada", "/read/a", NULL), false), __LINE__);
	set.work = 0;
	must(serve(request(f, &write_route, "ada", "/write/a", "9000000"), false), __LINE__);
	set.work = 50;
	/* A killed worker no longer serves a request. */
	end_worker(other);
	must(serve(request(f, &write_route, "ada", "/write/a", "9000000"), false), __LINE__);
}

/* The cost of the last request predicts the next one. Sent one after another, all are served. */
static void
known_costs(struct fixture *f)
{
	pid_t other;

	join(f);
	for (int i = 0; i < 5; i++)
		must(serve(request(f, &read_route, "ada", "/read/long", NULL), true), __LINE__);
	must(serve(request(f, &write_route, "ada", "/write/long", NULL), true), __LINE__);
	/* A request known to be long: a second one is refused at once, one of unknown cost is served. */
	other = other_worker(f, request(f, &read_route, "ada", "/read/long", NULL), true);
	must(!serve(request(f, &read_route, "ada", "/read/long", NULL), false), __LINE__);
	must(!serve(request(f, &write_route, "ada", "/write/other", NULL), false), __LINE__);
	must(serve(request(f, &read_route, "ada", "/read/short", NULL), false), __LINE__);
	must(serve(request(f, &read_route, "bob", "/read/long", NULL), false), __LINE__);
	end_worker(other);
	must(serve(request(f, &read_route, "ada", "/read/long", NULL), false), __LINE__);
}

/*
 * A client that has its response may send the next request while the worker still finishes the
 * first one, whose whole cost is charged.
 */
static void
one_after_another(struct fixture *f)
{
	struct req *r = request(f, &read_route, "ada", "/read/behind", NULL);
	pid_t other;

	join(f);
	must(serve(request(f, &read_route, "ada", "/read/long", NULL), true), __LINE__);
	other = other_worker_at(f, request(f, &read_route, "ada", "/read/long", NULL), true, true);
	must(serve(request(f, &read_route, "ada", "/read/long", NULL), true), __LINE__);
	end_worker(other);
	must(charge_begin(r) == 0, __LINE__);
	charge_answered(r);
	use_processor();
	charge_end(r);
	other = other_worker(f, request(f, &read_route, "ada", "/read/long", NULL), true);
	must(!serve(request(f, &read_route, "ada", "/read/behind", NULL), false), __LINE__);
	end_worker(other);
}

/* Two writes of unknown cost to one path: the second one waits, and is refused if the first one is long. */
static void
unknown_write(struct fixture *f)
{
	pid_t other = other_worker(f, request(f, &write_route, "ada", "/write/same", NULL), true);

	join(f);
	must(!serve(request(f, &write_route, "ada", "/write/same", NULL), false), __LINE__);
	must(serve(request(f, &write_route, "ada", "/write/another", NULL), false), __LINE__);
	must(serve(request(f, &write_route, "bob", "/write/same", NULL), false), __LINE__);
	end_worker(other);
	other = other_worker(f, request(f, &write_route, "ada", "/write/short", NULL), false);
	must(serve(request(f, &write_route, "ada", "/write/short", NULL), false), __LINE__);
	end_worker(other);
}

/* The allowance over a longer time: written bytes count, and Retry-After tells when enough is available again. */
static void
allowance(struct fixture *f)
{
	struct req *r = request(f, &read_route, "ada", "/read/a", NULL);

	join(f);
	must(charge_begin(r) == 0, __LINE__);
	r->raw_body.n = (size_t)100 * (CHARGE_BURST_US + 20000000);
	charge_end(r);
	r = request(f, &read_route, "ada", "/read/b", NULL);
	must(charge_begin(r) != 0 && r->error == E_TOO_MANY, __LINE__);
	must(r->retry_after >= 1 && r->retry_after <= 21, __LINE__);
	charge_end(r);
	must(serve(request(f, &read_route, "bob", "/read/b", NULL), false), __LINE__);
}

/* Costs of another user's requests are not used as a prediction. */
static void
others_costs(struct fixture *f)
{
	pid_t other;

	join(f);
	must(serve(request(f, &read_route, "bob", "/read/bobs", NULL), true), __LINE__);
	must(serve(request(f, &write_route, "bob", "/write/bobs", NULL), true), __LINE__);
	other = other_worker(f, request(f, &write_route, "ada", "/write/a", "9000000"), true);
	must(serve(request(f, &read_route, "ada", "/read/bobs", NULL), false), __LINE__);
	must(serve(request(f, &write_route, "ada", "/write/bobs", NULL), false), __LINE__);
	end_worker(other);
}

/* Written rows count in addition to processor time: they cost disk access, and others wait for the lock. */
static void
rows_count(struct fixture *f)
{
	struct req *r = request(f, &write_route, "ada", "/write/rows", NULL);
	const char *error = NULL;
	pid_t other;

	join(f);
	must(db_script(f->db, f->arena, "CREATE TABLE many (n INTEGER)", &error), __LINE__);
	must(charge_begin(r) == 0, __LINE__);
	must(db_script(f->db, f->arena, "WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 2000) "
	    "INSERT INTO many SELECT n FROM k", &error), __LINE__);
	charge_end(r);
	other = other_worker(f, request(f, &write_route, "ada", "/write/a", "9000000"), true);
	must(!serve(request(f, &write_route, "ada", "/write/rows", NULL), false), __LINE__);
	end_worker(other);
}

/* A merge after a large body is heavy, whatever merges cost before. */
static void
what_was_written_to(struct fixture *f)
{
	struct req *content = request(f, &write_route, "ada", "/requests/1/content", "9000000");
	pid_t other;

	join(f);
	must(charge_begin(content) == 0, __LINE__);
	content->raw_body.n = 9000000;
	/* From the answer on: the client may send the merge before this worker has finished. */
	charge_answered(content);
	must(serve(request(f, &merge_route, "ada", "/requests/2/merge", NULL), false), __LINE__);
	other = other_worker(f, request(f, &write_route, "ada", "/write/a", "9000000"), true);
	must(!serve(request(f, &merge_route, "ada", "/requests/1/merge", NULL), false), __LINE__);
	must(serve(request(f, &merge_route, "ada", "/requests/2/merge", NULL), false), __LINE__);
	end_worker(other);
	must(serve(request(f, &merge_route, "ada", "/requests/1/merge", NULL), false), __LINE__);
}

/* A heavy request is refused beside one that may be heavy too, and waits for one that soon ends. */
static void
unknown_rival(struct fixture *f)
{
	pid_t other;

	join(f);
	other = other_worker(f, request(f, &merge_route, "ada", "/requests/1/merge", NULL), true);
	must(!serve(request(f, &write_route, "ada", "/write/a", "9000000"), false), __LINE__);
	must(serve(request(f, &write_route, "bob", "/write/a", "9000000"), false), __LINE__);
	end_worker(other);
	other = other_worker(f, request(f, &read_route, "ada", "/read/new", NULL), false);
	must(serve(request(f, &write_route, "ada", "/write/a", "9000000"), false), __LINE__);
	end_worker(other);
}

/* Beside a heavy request, the person's writes wait for the lock only briefly. */
static void
brief_wait(struct fixture *f)
{
	struct req *mine = request(f, &write_route, "ada", "/write/b", "100");
	pid_t other;

	join(f);
	other = other_worker(f, request(f, &write_route, "ada", "/write/a", "9000000"), true);
	must(charge_begin(mine) == 0 && charge_patience() == CHARGE_PATIENCE_MS, __LINE__);
	must(charge_busy(mine) != 0 && mine->error == E_TOO_MANY && mine->retry_after >= 1, __LINE__);
	charge_end(mine);
	must(charge_begin(request(f, &write_route, "bob", "/write/b", "100")) == 0 && charge_patience() == 0, __LINE__);
	charge_end(mine);
	end_worker(other);
	must(charge_begin(request(f, &write_route, "ada", "/write/b", "100")) == 0 && charge_patience() == 0, __LINE__);
	charge_end(mine);
	must(charge_begin(request(f, &write_route, "ada", "/write/b", "9000000")) == 0 && charge_patience() == 0, __LINE__);
	charge_end(mine);
	must(charge_patience() == 0, __LINE__);
}

static int
nice_now(void)
{
	return getpriority(PRIO_PROCESS, 0);
}

/* Where the process may raise its priority again: as root. */
static void
low_priority(struct fixture *f)
{
	struct req *heavy = request(f, &write_route, "ada", "/write/a", "9000000");
	int usual = nice_now();

	join(f);
	must(charge_begin(heavy) == 0, __LINE__);
	must(geteuid() != 0 || nice_now() > usual, __LINE__);
	db_begin(f->db, true);
	must(nice_now() == usual, __LINE__);
	db_rollback(f->db);
	must(geteuid() != 0 || nice_now() > usual, __LINE__);
	charge_end(heavy);
	must(nice_now() == usual, __LINE__);
	must(charge_begin(request(f, &read_route, "ada", "/read/a", NULL)) == 0, __LINE__);
	must(nice_now() == usual, __LINE__);
}

static void costs_of_others_do_not_count(void **state) { in_child(state, others_costs); }
static void a_large_body_predicts_what_follows_it(void **state) { in_child(state, what_was_written_to); }
static void rivals_of_unknown_cost_count(void **state) { in_child(state, unknown_rival); }
static void heavy_requests_have_a_lower_priority(void **state) { in_child(state, low_priority); }
static void writes_beside_a_heavy_request_wait_briefly(void **state) { in_child(state, brief_wait); }
static void written_rows_count(void **state) { in_child(state, rows_count); }
static void large_bodies_count(void **state) { in_child(state, large_bodies); }
static void known_costs_predict_the_next_request(void **state) { in_child(state, known_costs); }
static void consecutive_requests_are_served(void **state) { in_child(state, one_after_another); }
static void a_write_of_unknown_cost_waits(void **state) { in_child(state, unknown_write); }
static void a_used_allowance_refuses_requests(void **state) { in_child(state, allowance); }

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(large_bodies_count, setup, db_teardown),
		cmocka_unit_test_setup_teardown(known_costs_predict_the_next_request, setup, db_teardown),
		cmocka_unit_test_setup_teardown(consecutive_requests_are_served, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_write_of_unknown_cost_waits, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_used_allowance_refuses_requests, setup, db_teardown),
		cmocka_unit_test_setup_teardown(costs_of_others_do_not_count, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_large_body_predicts_what_follows_it, setup, db_teardown),
		cmocka_unit_test_setup_teardown(rivals_of_unknown_cost_count, setup, db_teardown),
		cmocka_unit_test_setup_teardown(heavy_requests_have_a_lower_priority, setup, db_teardown),
		cmocka_unit_test_setup_teardown(writes_beside_a_heavy_request_wait_briefly, setup, db_teardown),
		cmocka_unit_test_setup_teardown(written_rows_count, setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
