/* Syntax of sources as blocks of ours: what the files blocks_*.c share. Each conversion keeps the numbers of lines. */
#ifndef OCTAVO_ARRIVE_BLOCKS_H
#define OCTAVO_ARRIVE_BLOCKS_H

#include "arrival.h"

/* ---- blocks.c ---- */

/* The style of a hint by the name of an admonition: info, success, warning, danger. */
const char *hint_style(struct str name);
/* The title that an admonition has where it gives none. */
char *hint_title(struct arena *a, struct str name);
/*
 * Begins and ends a hint. title: NULL: none. pad: white space before each line. A blank line stands before it,
 * since a source may begin one right after a paragraph.
 */
void hint_open(struct text *out, struct str pad, const char *style, struct str title, size_t at);
void hint_close(struct text *out, struct str pad, size_t at);
void details_open(struct text *out, struct str pad, struct str title, bool open, size_t at);
void details_close(struct text *out, struct str pad, size_t at);
void tab_open(struct text *out, struct str pad, struct str title, size_t at);
/* A blank line, unless one is there. */
void text_gap(struct text *out, size_t at);
/* A value for an attribute of a tag, without its quotes. */
char *tag_value(struct arena *a, struct str s);
/* Text as HTML; `code` in backquotes becomes <code>. */
char *html_of_text(struct arena *a, struct str s);

/*
 * Calls `change` for each run of text in a line, that is, outside of fenced code and backquotes. It
 * appends the replacement of the run to out.
 */
void text_change(struct text *text, void (*change)(void *ctx, struct str run, size_t at, struct buf *out), void *ctx);

/* The value of key=value, key="value", key='value' in a list of attributes; p NULL: there is none. */
struct str attribute(struct str list, const char *key);

/* ---- the conversions ---- */

void convert_admonitions(struct arrival *t, struct arrival_page *p, struct text *text);
void convert_containers(struct arrival *t, struct arrival_page *p, struct text *text);
void convert_mdx(struct arrival *t, struct arrival_page *p, struct text *text);
void convert_attributes(struct arrival *t, struct arrival_page *p, struct text *text);
/* Texts of other files: --8<-- "x" and {{#include x}}. Before all others. */
void convert_includes(struct arrival *t, struct arrival_page *p, struct text *text);
/* Titles, line numbers and attributes of fenced code. After all others. */
void convert_fences(struct arrival *t, struct arrival_page *p, struct text *text);

/*
 * Adds the lines of another file, all with the number `at`. which: "" all, "2:10", ":5", "3:" lines, or the name
 * of a section of the file. False, after a warning: it cannot be included.
 */
bool include_file(struct arrival *t, struct arrival_page *p, struct arrival_file *f, struct str which, struct str pad,
    size_t at, struct text *out);

#endif
