/*
 * What programs say in their logs (standard error): one line a message,
 *
 *   2026-11-22T05:00:00.000Z ID octavo-api: message
 *
 * with the time in UTC and the id of the request or the job that it belongs to, by which
 * answers, access logs and `octavo jobs` name it; "-" where there is none. A line is
 * written at once, so that lines of several processes do not mix.
 */
#ifndef OCTAVO_LOG_H
#define OCTAVO_LOG_H

/* The program's name; a literal. Without it: "octavo". */
void log_program(const char *name);

/* Sets the id that following log lines contain; NULL: none. The text must stay valid. */
void log_id(const char *id);

/* Line feeds and other control characters become blanks; text beyond 4000 bytes is cut. */
void log_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
