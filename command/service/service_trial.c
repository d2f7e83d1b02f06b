/*
 * Runs a program on trial: it answers one request as a plain CGI program, before workers are
 * started from it or replaced by it. So a problem (no key, a database of another version, a missing
 * library) is reported to the admin at once with the program's own message, and no pool of dying
 * workers is started. Contract: include/command/service.h.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "command/service.h"

/* Wall-clock limit: a trial that waits for a lock must not block the start forever. */
#define TRIAL_SECONDS 20
#define REPLY_MAX     4096     /* only the head of the reply is needed */

/* Runs in the child; does not return. */
static void
become_trial(const struct service *s, const char *program, int out, int err)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	service_set_environment(s);
	setenv("OCTAVO_TRIAL", "1", 1);
	setenv("GATEWAY_INTERFACE", "CGI/1.1", 1);
	setenv("SERVER_PROTOCOL", "HTTP/1.1", 1);
	setenv("REQUEST_METHOD", "GET", 1);
	setenv("REQUEST_URI", "/v1/", 1);
	setenv("SCRIPT_NAME", "", 1);
	setenv("PATH_INFO", "/v1/", 1);
	setenv("QUERY_STRING", "", 1);
	setenv("REMOTE_ADDR", "127.0.0.1", 1);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(err, STDERR_FILENO) < 0)
		_exit(127);
	alarm(TRIAL_SECONDS);   /* the alarm survives exec() and kills the program */
	execl(program, program, (char *)NULL);
	_exit(127);
}

/* True if the program exited with 0 and its answer is no server error. */
static bool
answered_well(int reply, int status)
{
	char head[REPLY_MAX + 1] = "";

	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return false;
	return pread(reply, head, REPLY_MAX, 0) > 0 && strstr(head, "Status: 5") == NULL;
}

/* Returns the message of a program's log line, without time, request and name (base/log.h). */
static struct str
message_of(const char *line)
{
	static const char head[] = ": not ready: ";
	size_t n = strcspn(line, "\n");
	const char *at = strstr(line, head);

	if (at == NULL || at >= line + n)
		return (struct str){ line, n };
	at += sizeof(head) - 1;
	return (struct str){ at, n - (size_t)(at - line) };
}

/* Returns NULL, or an error with the first line of the program's standard error. */
static const char *
try_program(const struct service *s, const char *program)
{
	/*
	 * The reply goes to a memory file: with a second pipe, both would have to be read
	 * alternately.
	 */
	int err[2], status = -1, reply = memfd_create("reply", MFD_CLOEXEC);
	const char *said = "", *problem = NULL;
	struct str message;
	pid_t pid;

	if (reply < 0 || pipe2(err, O_CLOEXEC) != 0) {
		if (reply >= 0)
			close(reply);
		return "cannot make a pipe";
	}
	pid = fork();
	if (pid == 0)
		become_trial(s, program, reply, err[1]);
	close(err[1]);
	if (pid > 0) {
		said = service_read_all(s->arena, err[0]);
		waitpid(pid, &status, 0);
	}
	close(err[0]);
	message = message_of(said);
	if (pid < 0 || !answered_well(reply, status))
		problem = arena_printf(s->arena, "%s does not work%s%.*s", program,
		    message.n == 0 ? "" : "; it says: ", (int)message.n, message.p);
	close(reply);
	return problem;
}

const char *
service_try_programs(const struct service *s)
{
	const char *problem = try_program(s, s->api);

	return problem != NULL || s->site == NULL ? problem : try_program(s, s->site);
}
