/*
 * Converts syntax of sources to blocks of our dialect: what the files blocks_*.c share. Each
 * conversion keeps the line numbers.
 */
#ifndef OCTAVO_ARRIVE_BLOCKS_H
#define OCTAVO_ARRIVE_BLOCKS_H

#include "arrival.h"

/* ---- blocks.c ---- */

/* The style of a hint for the name of an admonition: info, success, warning or danger. */
const char *hint_style(struct str name);
/* The title of an admonition that does not give one. */
char *hint_title(struct arena *a, struct str name);
/*
 * Write the beginning and the end of a hint. title.n 0: it has no title. pad: white space before
 * each line; at: their line number in the source. A blank line is written first, because in a source
 * a hint may follow a paragraph directly.
 */
void hint_open(struct text *out, struct str pad, const char *style, struct str title, size_t at);
void hint_close(struct text *out, struct str pad, size_t at);
/* The same for a block that a reader unfolds; open: it is unfolded at first. */
void details_open(struct text *out, struct str pad, struct str title, bool open, size_t at);
void details_close(struct text *out, struct str pad, size_t at);
/* The beginning of a tab. */
void tab_open(struct text *out, struct str pad, struct str title, size_t at);
/* Adds a blank line, unless the last line is blank. */
void text_gap(struct text *out, size_t at);
/* Writes a value for an attribute of a tag, without quotes. */
char *tag_value(struct arena *a, struct str s);
/* Writes text as HTML; `code` in backquotes becomes <code>. */
char *html_of_text(struct arena *a, struct str s);

/*
 * Calls `change` for each run of text in a line, that is, outside of fenced code and backquotes. It
 * appends the replacement of the run to out. Very long lines are not changed, with a warning: the
 * time of a change may grow with the square of their length.
 */
void text_change(struct arrival *t, struct arrival_page *p, struct text *text,
    void (*change)(void *ctx, struct str run, size_t at, struct buf *out), void *ctx);

/* Cuts lines where a change put line feeds; each part gets the white space before the first. */
void text_split(struct text *text);

/* The value of key=value, key="value" or key='value' in a list of attributes; p NULL: there is none. */
struct str attribute(struct str list, const char *key);

/* ---- the conversions ---- */

/* Each is for the syntax of some sources: text_convert() calls those that the reader asks for. */

/* Indented blocks of Python-Markdown: !!! note, ??? note, === "Tab". */
void convert_admonitions(struct arrival *t, struct arrival_page *p, struct text *text);
/* Containers between lines of colons: :::note. */
void convert_containers(struct arrival *t, struct arrival_page *p, struct text *text);
/* Components, imports and exports of MDX. */
void convert_mdx(struct arrival *t, struct arrival_page *p, struct text *text);
/* Shortcodes of Hugo: {{< name >}} and {{% name %}}. */
void convert_shortcodes(struct arrival *t, struct arrival_page *p, struct text *text);
/* Syntax of Obsidian: [[Note]], ![[Note]], callouts, ==marks==. */
void convert_wiki(struct arrival *t, struct arrival_page *p, struct text *text);
/* Attribute lists of Python-Markdown, and its inline syntax: keys, marked text, icons, abbreviations. */
void convert_attributes(struct arrival *t, struct arrival_page *p, struct text *text);
/* Inserts texts of other files: --8<-- "x" and {{#include x}}. The first conversion. */
void convert_includes(struct arrival *t, struct arrival_page *p, struct text *text);
/* Converts titles, line numbers and attributes of fenced code. The last conversion. */
void convert_fences(struct arrival *t, struct arrival_page *p, struct text *text);

/*
 * Adds the lines of another file, all with the line number `at`. which: "" for all; "2:10", ":5" or
 * "3:" for a range of lines; or the name of a section of the file. False, after a warning, if the
 * file cannot be included.
 */
bool include_file(struct arrival *t, struct arrival_page *p, struct arrival_file *f, struct str which, struct str pad,
    size_t at, struct text *out);

#endif
