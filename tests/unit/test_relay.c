/*
 * Responses of a worker, as octavo-launch passes them on: FastCGI records of every size that a
 * header can announce.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../cgi/launch.h"

enum { HEAD = 8, STDOUT = 6, END = 3, CONTENT_MAX = 65535, PADDING_MAX = 255 };

/*
 * Plays the worker: sends a record of n bytes and padding (0 and 0: none), and then, unless `dies`,
 * the end record.
 */
static void
answer(int fd, size_t n, size_t padding, bool dies)
{
	static char record[HEAD + CONTENT_MAX + PADDING_MAX];
	const char end[HEAD + 8] = { 1, END, 0, 1, 0, 8 };
	size_t all = n + padding == 0 ? 0 : HEAD + n + padding, done = 0;
	ssize_t w;

	memset(record, 'x', sizeof(record));
	memcpy(record, (char[HEAD]){ 1, STDOUT, 0, 1, (char)(n >> 8), (char)n, (char)padding }, HEAD);
	for (; done < all; done += (size_t)w)
		if ((w = write(fd, record + done, all - done)) <= 0)
			_exit(1);
	if (dies)
		shutdown(fd, SHUT_WR);
	else if (write(fd, end, sizeof(end)) != sizeof(end))
		_exit(1);
	/* Read the whole request first, otherwise the relay would write into a closed socket. */
	while (read(fd, record, sizeof(record)) > 0)
		;
	_exit(0);
}

/* Runs relay_send() in a child that writes to a file; returns the number of bytes in it. */
static long
passed_bytes(size_t n, size_t padding, bool dies)
{
	int pair[2], status;
	FILE *out = tmpfile();
	pid_t worker, relay;
	long came;

	assert_non_null(out);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	if ((worker = fork()) == 0) {
		close(pair[0]);
		answer(pair[1], n, padding, dies);
	}
	close(pair[1]);
	if ((relay = fork()) == 0) {
		unsetenv("CONTENT_LENGTH");
		if (dup2(fileno(out), STDOUT_FILENO) < 0)
			_exit(2);
		_exit(relay_send(pair[0]) ? 0 : 1);
	}
	close(pair[0]);
	assert_int_equal(waitpid(relay, &status, 0), relay);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == dies);
	assert_int_equal(waitpid(worker, &status, 0), worker);
	fseek(out, 0, SEEK_END);
	came = ftell(out);
	fclose(out);
	return came;
}

static void
records_of_fastcgi_are_passed_on(void **state)
{
	(void)state;
	assert_int_equal(passed_bytes(1, 7, false), 1);
	assert_int_equal(passed_bytes(65528, 0, false), 65528);
	/* The largest sizes that a header can announce: AddressSanitizer would detect a buffer that is too small. */
	assert_int_equal(passed_bytes(CONTENT_MAX, PADDING_MAX, false), CONTENT_MAX);
}

/* A worker that dies before its response gives a 502; one that dies within it gives nothing more. */
static void
a_broken_answer_is_not_continued(void **state)
{
	(void)state;
	assert_int_equal(passed_bytes(1000, 0, true), 1000);
	assert_in_range(passed_bytes(0, 0, true), 100, 300);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_of_fastcgi_are_passed_on),
		cmocka_unit_test(a_broken_answer_is_not_continued),
	};

	return cmocka_run_group_tests_name("relay", tests, NULL, NULL);
}
