/*
 * The end of the line: a bug, a corrupt database, no memory left.
 *
 * panic() writes one line to standard error, gives the program's hook the
 * chance to answer the client that waits (cgi/api.c sends a 500), and exits
 * with status 70 (EX_SOFTWARE, sysexits.h). SQLite's WAL rolls back what was
 * open and the supervisor starts a new process. Never call it on bad input.
 */
#ifndef OCTAVO_PANIC_H
#define OCTAVO_PANIC_H

void panic(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Installs the hook; message is the text of panic(). NULL removes it. */
void panic_hook(void (*fn)(const char *message));

#endif
