/*
 * A helper of the HTTP tests: runs a command while a program is stopped that is about to release
 * its lock, or to exit with it.
 *
 *   stop_leaving COMMAND PROGRAM [ARG...]
 *
 * The program is traced (ptrace(2)) up to the first call of flock(LOCK_UN) or of exit_group(),
 * whichever comes first; then it continues by itself. Exits with its status; 77 if tracing is not
 * permitted here.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_HERE = 77, CALL = SIGTRAP | 0x80 };

static _Noreturn void
become(char **program)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		_exit(NOT_HERE);
	raise(SIGSTOP);
	execv(program[0], program);
	perror(program[0]);
	_exit(127);
}

static bool
is_leaving(pid_t pid)
{
	struct __ptrace_syscall_info i;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(i), &i) <= 0 || i.op != PTRACE_SYSCALL_INFO_ENTRY)
		return false;
	return i.entry.nr == SYS_exit_group || (i.entry.nr == SYS_flock && i.entry.args[1] == LOCK_UN);
}

/* True: it is stopped there. False: it has exited, or cannot be traced. */
static bool
until_leaving(pid_t pid, int *status)
{
	int sig = 0;

	while (ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(long)sig) == 0 && waitpid(pid, status, 0) == pid) {
		if (!WIFSTOPPED(*status))
			return false;
		if (WSTOPSIG(*status) == CALL && is_leaving(pid))
			return true;
		/* Signals are passed on, except those caused by tracing. */
		sig = WSTOPSIG(*status) == CALL || WSTOPSIG(*status) == SIGTRAP ? 0 : WSTOPSIG(*status);
	}
	return false;
}

int
main(int argc, char **argv)
{
	int status = 0;
	pid_t pid;

	if (argc < 3)
		return 2;
	if ((pid = fork()) == 0)
		become(argv + 2);
	waitpid(pid, &status, 0);
	if (!WIFSTOPPED(status))
		return NOT_HERE;
	ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)(long)PTRACE_O_TRACESYSGOOD);
	if (!until_leaving(pid, &status))
		return WIFEXITED(status) ? 3 : NOT_HERE;
	if (system(argv[1]) != 0)
		fprintf(stderr, "stop_leaving: the command failed\n");
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
