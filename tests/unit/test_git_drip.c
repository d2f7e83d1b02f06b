/*
 * git_fetch() from servers that send very slowly: the minimum rate ends a slow transfer, at
 * whatever point it becomes slow. Against git daemon on loopback, behind a proxy that delays the
 * bytes.
 */
#include <poll.h>

#include "git_fixture.h"

static int   daemon_port;
static pid_t git_server;

static int
group_start(void **state)
{
	char exec_path[300], program[320], base[200], port[40];
	char *argv[] = { program, "--export-all", base, "--listen=127.0.0.1", port, "--reuseaddr", NULL };

	(void)state;
	if (fixture_start() != 0)
		return -1;
	if (!have("git"))
		return 0;
	if (!make_repository())
		return -1;
	snprintf(exec_path, sizeof(exec_path), "%s", output("git --exec-path"));
	snprintf(program, sizeof(program), "%s/git-daemon", exec_path);
	if (access(program, X_OK) != 0)
		return 0;
	daemon_port = free_port();
	snprintf(base, sizeof(base), "--base-path=%s", tmp);
	snprintf(port, sizeof(port), "--port=%d", daemon_port);
	git_server = start(argv);
	return wait_port(daemon_port) ? 0 : -1;
}

static int
group_stop(void **state)
{
	(void)state;
	stop(git_server);
	return fixture_stop();
}

/*
 * Forwards a server's answer: the first bytes at once, then one every twentieth of a second;
 * everything sent to the server is forwarded.
 */
static void __attribute__((noreturn))
drip(int client, int port, size_t quick)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port) };
	struct pollfd p[2] = { { .fd = client, .events = POLLIN } };
	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char buf[4096];
	ssize_t n;

	if (connect(server, (struct sockaddr *)&a, sizeof(a)) != 0)
		_exit(1);
	p[1] = (struct pollfd){ .fd = server, .events = POLLIN };
	while (poll(p, 2, -1) > 0) {
		if (p[0].revents != 0 && ((n = read(client, buf, sizeof(buf))) <= 0 || write(server, buf, (size_t)n) != n))
			_exit(0);
		if (p[1].revents == 0)
			continue;
		if (quick == 0)
			usleep(50000);
		n = read(server, buf, quick == 0 ? 1 : quick < sizeof(buf) ? quick : sizeof(buf));
		if (n <= 0 || write(client, buf, (size_t)n) != n)
			_exit(0);
		quick -= quick == 0 ? 0 : (size_t)n;
	}
	_exit(0);
}

static pid_t
drip_start(int fd, int port, size_t quick)
{
	pid_t pid = fork();
	int c;

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_IGN);
	while ((c = accept(fd, NULL, NULL)) >= 0) {
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			drip(c, port, quick);
		}
		close(c);
	}
	_exit(0);
}

/* Slow from the first byte, within the list of refs, or within the pack: the transfer is ended. */
static void
a_dripping_transfer_ends(void **state)
{
	static const struct {
		size_t quick;
		int    status;
	} forms[] = { { 0, GIT_TIMEOUT }, { 200, GIT_TIMEOUT }, { 2000, GIT_TIMEOUT }, { 1 << 30, GIT_DONE } };
	size_t i;

	(void)state;
	need("git");
	if (git_server == 0)
		skip();
	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		int port = 0, fd = listen_anywhere(&port);
		pid_t pid = drip_start(fd, daemon_port, forms[i].quick);
		double t = seconds_now();
		struct git_request q;
		struct git_result r;
		char url[200];

		snprintf(url, sizeof(url), "git://127.0.0.1:%d/docs.git", port);
		assert_true(sh("rm -rf c-drip"));
		q = request(url, "c-drip");
		q.ref = "refs/heads/main";
		q.limits.rate = 1000;
		q.limits.patience = 1;
		r = git_fetch(&q);
		stop(pid);
		close(fd);
		if ((int)r.status != forms[i].status || seconds_now() - t > 20)
			fail_msg("form %zu: status %d, %s, %.1f s", i, r.status, r.message, seconds_now() - t);
		if (r.status == GIT_TIMEOUT)
			assert_non_null(strstr(r.message, "less than 1000 bytes a second"));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_dripping_transfer_ends) };

	return cmocka_run_group_tests_name("git_drip", tests, group_start, group_stop);
}
