/* Ends a program that found a bug in itself. Contract: base/panic.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#include "base/log.h"
#include "base/panic.h"

static void (*hook)(const char *);

void
panic_hook(void (*fn)(const char *))
{
	hook = fn;
}

void
panic(const char *fmt, ...)
{
	static int depth;
	char message[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	log_line("panic: %s", message);
	/* A panic inside the hook must not call the hook again. */
	if (depth++ == 0 && hook != NULL)
		hook(message);
	exit(EX_SOFTWARE);
}
