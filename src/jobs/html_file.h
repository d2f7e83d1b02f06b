/*
 * Writes the content of a space or page as one self-contained HTML file: pictures are embedded, and
 * links between its pages are links within the file. It takes the same input as pdf_write()
 * (pdf/pdf.h) and ignores paper and font. Links to other content, and files that are not pictures,
 * become text. Memory: one page's document and HTML at a time, and one picture.
 */
#ifndef OCTAVO_JOBS_HTML_FILE_H
#define OCTAVO_JOBS_HTML_FILE_H

#include "pdf/pdf.h"

/* Writes to path; an existing file is overwritten. `sheets` of the result is the number of pages. */
struct pdf_result html_file_write(struct arena *a, const struct pdf_source *s, const char *path);

/*
 * The same as html_file_write(), but as input for a program that makes a book (pandoc_file.h):
 * without style sheet and contents, and without addresses of pictures or frames that the program
 * could fetch or read.
 */
struct pdf_result html_book_write(struct arena *a, const struct pdf_source *s, const char *path);

#endif
