/* Writes log lines: time, id, program, message, in one write. Contract: base/log.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/json.h"
#include "base/log.h"

/*
 * A line is written by one write() of at most PIPE_BUF bytes, so that lines of several processes do
 * not mix in a pipe.
 */
enum { LINE = 4096, HEAD = 96 };

static const char *program = "octavo", *id;

void
log_program(const char *name)
{
	program = name;
	/*
	 * If a dynamic loader started the program by its path, the system shows the loader's name:
	 * set the program's own.
	 */
	prctl(PR_SET_NAME, name);
}

void
log_id(const char *name)
{
	id = name;
}

void
log_line(const char *fmt, ...)
{
	char line[LINE + 1], when[25], *p;
	va_list ap;
	size_t n;

	time_format(time_now(), when);
	n = (size_t)snprintf(line, HEAD + 64, "%s %.64s %.20s: ", when, id != NULL ? id : "-", program);
	va_start(ap, fmt);
	vsnprintf(line + n, LINE - n, fmt, ap);
	va_end(ap);
	for (p = line; *p != '\0'; p++)
		/* A line feed that comes from a client would forge a log line. */
		if ((unsigned char)*p < 0x20)
			*p = ' ';
	n = strlen(line);
	line[n++] = '\n';
	/* A failure here cannot be reported. */
	if (write(STDERR_FILENO, line, n) < 0)
		return;
}
