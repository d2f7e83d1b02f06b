/*
 * Runs one function in a process of its own, for work that may hang, run out
 * of memory or crash on hostile input: a fetch, a conversion.
 *
 * The child
 *   - has its own process group, which is killed as a whole when the time is
 *     over, the caller cancels or the function has returned, so that nothing
 *     it started survives it;
 *   - dies with its parent, even if that is killed with SIGKILL;
 *   - inherits the standard error and one pipe, nothing else: no database
 *     handle, no listening socket, no lock (standard input and output are
 *     /dev/null);
 *   - has the default action for every signal and no core dumps, since a core
 *     could hold a password;
 *   - leaves through _exit(): no atexit handler and no stdio buffer of the
 *     parent runs twice. It must not touch the parent's database.
 *
 * It reports over the pipe, in lines. The caller must be single-threaded and
 * must not ignore SIGCHLD; child_run() reaps the child on every path.
 */
#ifndef OCTAVO_CHILD_H
#define OCTAVO_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_LINE = 4000 };  /* longest line; a pipe takes it in one piece (PIPE_BUF) */

struct child_job {
	/*
	 * In the child: does the work and returns the exit status, 0 to 255. child_say(out, ...)
	 * sends a line to the parent.
	 */
	int  (*run)(void *ctx, int out);
	/* In the parent: called for each line that the child sent, without its line feed. May be NULL. */
	void (*line)(void *ctx, char *line);
	/* In the parent: called about twice a second and when a signal arrives; false cancels. May be NULL. */
	bool (*tick)(void *ctx);
	void   *ctx;
	int     seconds;     /* wall clock, and as much of processor time; 0: no limit */
	int64_t memory;      /* bytes of address space above what the parent already has; 0: no limit */
	int64_t file_bytes;  /* largest file that it may write; 0: no limit */
};

enum child_end {
	CHILD_EXITED,     /* code: what run() returned */
	CHILD_SIGNALLED,  /* code: the signal; SIGXFSZ: wrote more than file_bytes */
	CHILD_TIMEOUT,
	CHILD_CANCELLED,
	CHILD_NOT_STARTED /* code: errno */
};

struct child_result {
	enum child_end end;
	int            code;
};

/*
 * Prepares a new process before exec or work: its own process group, death with the parent, default
 * signals, no core dumps; of the descriptors only standard error stays, input and output are
 * /dev/null. False: the parent has ended already, or a system call failed.
 */
bool child_set_up(pid_t parent);

/*
 * Starts a detached process: it outlives the caller, which need not wait for it. Returns true in the new
 * process and false in the caller. The new process has its own session, no blocked signals, and one open
 * descriptor: standard error is the file `log` (messages are lost if it cannot be written). The others are
 * closed, because a web server waits for a CGI program until all copies of its descriptors are closed. The
 * new process must end by exec or _exit(), and must not use the caller's database.
 */
bool child_detach(const char *log);

/* Limits: address space above what is mapped now, and seconds of processor time; 0: no limit. */
void child_limits(int64_t memory, int64_t seconds);

/*
 * Forbids new sockets to this process and to programs that it executes, permanently, by a filter of
 * system calls (seccomp). False: the kernel refused the filter.
 */
bool child_no_network(void);

/*
 * Finds the executable file octavo-NAME: in the folder of this program (or, if a dynamic loader of
 * its own started it, in the folder of its launcher: OCTAVO_LAUNCHER, cgi/launch.c); otherwise in
 * the folder lib beside that one, which has programs that users do not start themselves. False:
 * there is none.
 */
bool child_beside(const char *name, char path[PATH_MAX]);

/* Runs the job and waits for its end. */
struct child_result child_run(const struct child_job *job);

/* In the child: sends one line, cut to CHILD_LINE, to the parent. Line feeds in it become blanks. */
void child_say(int out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
