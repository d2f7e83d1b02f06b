/*
 * Ends the process after a bug, a corrupt database, or when there is no memory.
 *
 * panic() writes one line to standard error, calls the program's hook, which may answer the waiting
 * client (cgi/api.c sends a 500), and exits with status 70 (EX_SOFTWARE, sysexits.h). SQLite rolls
 * back the open transaction, and the supervisor starts a new process. Never call it because of bad
 * input.
 */
#ifndef OCTAVO_PANIC_H
#define OCTAVO_PANIC_H

void panic(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Installs the hook; message is the text of panic(). NULL removes it. */
void panic_hook(void (*fn)(const char *message));

#endif
