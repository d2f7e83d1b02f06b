/*
 * Log messages on standard error, one line for each message:
 *
 *   2026-11-22T05:00:00.000Z ID octavo-api: message
 *
 * with the time in UTC and the id of the current request or job, or "-". Answers, access logs and
 * `octavo jobs` show the same id. A line is written with one system call, so that lines of several
 * processes do not mix.
 */
#ifndef OCTAVO_LOG_H
#define OCTAVO_LOG_H

/* Sets the name of the program in log lines; a literal. Without a call it is "octavo". */
void log_program(const char *name);

/* Sets the id that following log lines contain; NULL: none. The text must stay valid. */
void log_id(const char *id);

/* Line feeds and other control characters become blanks; text beyond 4000 bytes is cut. */
void log_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
