/*
 * Converts one HTML file (html_file.h, as a book) to EPUB or DOCX by the program pandoc, in a child
 * with limits of time, memory and file size and without a network. pandoc's own --sandbox is not
 * used: version 2.17, Debian 12's, then finds none of its own data files and writes neither format.
 * Instead, the HTML contains nothing that makes pandoc read files: pictures are embedded, and all
 * other addresses of pictures are removed.
 */
#ifndef OCTAVO_JOBS_PANDOC_FILE_H
#define OCTAVO_JOBS_PANDOC_FILE_H

#include "base/arena.h"
#include "base/settings.h"

struct pandoc_run {
	struct arena *arena;
	const char   *program;    /* settings.pandoc */
	const char   *from, *to;  /* paths of the two files */
	const char   *format;     /* "epub3" or "docx" */
	bool        (*alive)(void *ctx);   /* false: stop */
	void         *ctx;
};

/* Returns NULL, or why there is no file; PDF_STOPPED (pdf/pdf.h) if alive() returned false. */
const char *pandoc_convert(const struct pandoc_run *r);

#endif
