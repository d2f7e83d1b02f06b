/*
 * What the files that turn the tree into Markdown share.
 *
 *   doc_write.c         blocks
 *   doc_write_code.c    code blocks
 *   doc_write_inline.c  inlines, as Markdown or as HTML; escaping
 *   doc_write_note.c    footnotes, from annotations
 *   doc_write_table.c   tables, and blocks as HTML for their cells
 *
 * Every block writes its lines without the last newline; what goes between
 * blocks is the caller's. Containers push a prefix that begins each line.
 * The rule that decides every detail: what is written must read back as the
 * same tree.
 */
#ifndef OCTAVO_DOC_WRITE_H
#define OCTAVO_DOC_WRITE_H

#include "markdown/document_tree.h"

/* An annotation whose definition is still to be written. */
struct note {
	struct note           *next;
	const struct doc_node *annotation;
	size_t                 number;
};

struct writer {
	struct arena          *a;
	struct buf            *out;
	const struct doc_refs *refs;
	struct buf             prefix;      /* begins each line */
	size_t                 start;       /* where the document begins in out */
	bool                   bol;         /* the next byte begins a line */
	struct anchor_set     *anchors;
	struct note           *notes, **notes_end;
	size_t                 note_count;  /* the last number */
	struct map            *labels;      /* of definitions that are kept as source; NULL: there are none */
	bool                   html;        /* inlines as HTML */
	bool                   one_line;    /* no line breaks: headings, cells */
	bool                   in_link;
	char                   marker;      /* of the last list */
};

void w_put(struct writer *w, struct str s);
void w_str(struct writer *w, const char *s);
void w_printf(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The text to write for a target. */
const char *w_target(struct writer *w, const struct doc_target *t, enum doc_use use);
const char *w_target_of(struct writer *w, const struct doc_node *n, const char *name, enum doc_use use);
/* The last component of a path, as link text. */
const char *w_label(struct writer *w, const char *target);

/* Escapes for an HTML attribute, for HTML text, for a tag's value. */
void w_attr(struct writer *w, const char *name, const char *value);
void w_html_text(struct writer *w, struct str s);
void w_tag_attr(struct writer *w, const char *name, const char *value);
/* The node's attributes of those names (comma-separated), in its table's order. */
void w_tag_attrs(struct writer *w, const struct doc_node *n, const char *names);

/* Plain text as Markdown or HTML, whichever the writer is at. */
void w_text(struct writer *w, const char *s);

/* The inlines of a node. */
void w_inlines(struct writer *w, const struct doc_node *n);
/* The same, as HTML. */
void w_inlines_html(struct writer *w, const struct doc_node *n);

/* A prefix of the lines to come; returns what w_pop() wants. Containers nest: the newest is taken off first. */
size_t w_push(struct writer *w, const char *prefix);
void w_pop(struct writer *w, size_t n);

/* Notes the labels that definitions in the document's source have, before numbers are given to others. */
void w_labels(struct writer *w, const struct doc_node *root);
/* The number of an annotation. Its definition is written by w_notes(), at the end of the document. */
size_t w_note(struct writer *w, const struct doc_node *annotation);
void w_notes(struct writer *w);

void w_blocks(struct writer *w, const struct doc_node *first);
void w_table(struct writer *w, const struct doc_node *n);
/* Of a heading, as Markdown and HTML count: 2 to 6. */
int w_level(const struct doc_node *n);
void w_images(struct writer *w, const struct doc_node *n);
void w_code(struct writer *w, const struct doc_node *n);
void w_pre(struct writer *w, const struct doc_node *code, bool newlines);
const char *w_number(struct writer *w, double v);
/* A length of JSON ("375", {"value":50,"unit":"%"}) as an attribute's text; NULL if none. */
const char *w_length(struct writer *w, const struct doc_node *n, const char *name);

#endif
