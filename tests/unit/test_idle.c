/* How a FastCGI worker sleeps and how it is ended (cgi/idle.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../cgi/idle.h"

enum { LOST_MS = 20000 };

static struct sockaddr_un place = { .sun_family = AF_UNIX };

/*
 * An abstract socket (unix(7)), with another name each time: a child of the test before may still
 * hold the old one.
 */
static int
listening(void)
{
	static int count;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(place.sun_path + 1, sizeof(place.sun_path) - 1, "octavo-idle-%ld-%d", (long)getpid(),
	    ++count);
	assert_int_equal(bind(fd, (struct sockaddr *)&place, sizeof(place)), 0);
	assert_int_equal(listen(fd, 8), 0);
	return fd;
}

static int
caller(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(connect(fd, (struct sockaddr *)&place, sizeof(place)), 0);
	return fd;
}

/* Runs a worker in a child; returns its exit status, or -1 if it never woke up. */
static int
live(void (*life)(int fd))
{
	int fd = listening(), status, waited;
	pid_t pid = fork();

	if (pid == 0) {
		if (!idle_init(fd))
			_exit(99);
		life(fd);
		_exit(98);
	}
	for (waited = 0; waitpid(pid, &status, WNOHANG) == 0; waited += 10) {
		if (waited > LOST_MS) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			close(fd);
			return -1;
		}
		poll(NULL, 0, 10);
	}
	close(fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
}

static void
term_before_sleep(int fd)
{
	(void)fd;
	raise(SIGTERM);
	_exit(idle_wait() ? 1 : 0);
}

static void
int_before_sleep(int fd)
{
	(void)fd;
	raise(SIGINT);
	_exit(idle_wait() ? 1 : 0);
}

/* The signal that multiwatch sends. */
static void
quit_before_sleep(int fd)
{
	(void)fd;
	raise(SIGQUIT);
	_exit(idle_wait() ? 1 : 0);
}

static void
term_in_sleep(int fd)
{
	pid_t self = getpid(), other = fork();

	(void)fd;
	if (other == 0) {
		poll(NULL, 0, 100);
		kill(self, SIGTERM);
		_exit(0);
	}
	_exit(idle_wait() ? 1 : 0);
}

/* SIGTERM does not interrupt the current request; the next one is not begun. */
static void
term_in_request(int fd)
{
	int ends[2];
	char c;

	caller();
	if (!idle_wait() || accept(fd, NULL, NULL) < 0 || pipe2(ends, O_CLOEXEC) != 0)
		_exit(1);
	raise(SIGTERM);
	if (fork() == 0) {
		poll(NULL, 0, 100);
		_exit(write(ends[1], "x", 1) != 1);
	}
	if (read(ends[0], &c, 1) != 1)
		_exit(2);
	_exit(idle_wait() ? 3 : 0);
}

static void
ignored_signal(int fd)
{
	pid_t self = getpid();

	(void)fd;
	signal(SIGUSR1, SIG_IGN);
	if (fork() == 0) {
		kill(self, SIGUSR1);
		poll(NULL, 0, 100);
		caller();
		_exit(0);
	}
	_exit(idle_wait() ? 0 : 1);
}

/* Two callers with one request each; after them accept() must not block. */
static void
requests(int fd)
{
	caller();
	caller();
	if (!idle_wait() || accept(fd, NULL, NULL) < 0)
		_exit(1);
	if (!idle_wait() || accept(fd, NULL, NULL) < 0)
		_exit(2);
	_exit(accept(fd, NULL, NULL) < 0 && errno == EAGAIN ? 0 : 3);
}

static void
a_signal_ends_a_worker(void **state)
{
	(void)state;
	assert_int_equal(live(term_before_sleep), 0);
	assert_int_equal(live(int_before_sleep), 0);
	assert_int_equal(live(quit_before_sleep), 0);
	assert_int_equal(live(term_in_sleep), 0);
	assert_int_equal(live(term_in_request), 0);
}

static void
a_worker_goes_on_without_a_signal(void **state)
{
	(void)state;
	assert_int_equal(live(requests), 0);
	assert_int_equal(live(ignored_signal), 0);
}

static void
a_worker_without_a_socket_fails(void **state)
{
	(void)state;
	assert_false(idle_init(-1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_ends_a_worker),
		cmocka_unit_test(a_worker_goes_on_without_a_signal),
		cmocka_unit_test(a_worker_without_a_socket_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
