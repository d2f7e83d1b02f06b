/* Reads the PDF of a test back with poppler and qpdf. Include after cmocka.h. */
#ifndef OCTAVO_PDF_FILE_H
#define OCTAVO_PDF_FILE_H

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "../temp_dir.h"

static struct arena *arena;
static char tmp[TEMP_MAX], path[TEMP_MAX + 20];

/* The output of a command, whose exit status must be 0. */
static inline char *
run(const char *fmt, ...)
{
	char command[1000];
	struct buf out;
	char piece[4096];
	va_list ap;
	size_t n;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	buf_init(&out, arena, 64 << 20);
	f = popen(command, "r");
	assert_non_null(f);
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(&out, piece, n);
	if (pclose(f) != 0)
		fail_msg("%s: %s", command, out.n > 0 ? out.p : "");
	return out.n > 0 ? out.p : arena_strdup(arena, "");
}

static inline char *
words(void)
{
	return run("pdftotext %s - | tr -s '\\n\\f ' ' '", path);
}

static inline int
times(const char *all, const char *word)
{
	int n = 0;

	for (; (all = strstr(all, word)) != NULL; all++)
		n++;
	return n;
}

#endif
