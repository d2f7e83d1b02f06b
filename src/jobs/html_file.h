/*
 * Writes the content of a space or page as one HTML file that needs nothing else: pictures are in it, and
 * links between its pages lead within it. It takes what pdf_write() takes (pdf/pdf.h); the paper and its font
 * do not count. Links to content that is not in the file are text, and so are names of files that are no
 * pictures. Memory: one page's document and HTML at a time, and one picture.
 */
#ifndef OCTAVO_JOBS_HTML_FILE_H
#define OCTAVO_JOBS_HTML_FILE_H

#include "pdf/pdf.h"

/* Writes to path; an existing file is overwritten. `sheets` of the result is the number of pages. */
struct pdf_result html_file_write(struct arena *a, const struct pdf_source *s, const char *path);

/*
 * The same for a program that makes a book of it (pandoc_file.h): without a style sheet and contents of its
 * own, and with no address of a picture or frame, so that the program has nothing to fetch or read.
 */
struct pdf_result html_book_write(struct arena *a, const struct pdf_source *s, const char *path);

#endif
