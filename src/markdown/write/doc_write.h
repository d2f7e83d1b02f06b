/*
 * Shared declarations of the files that write the tree as Markdown.
 *
 *   doc_write.c         blocks
 *   doc_write_code.c    code blocks
 *   doc_write_inline.c  inlines, as Markdown or as HTML; escaping
 *   doc_write_note.c    footnotes, from annotations
 *   doc_write_table.c   tables, and blocks as HTML for their cells
 *
 * Every block writes its lines without the last newline; the caller separates
 * blocks. Containers push a prefix that begins each line. The rule behind every
 * detail: the parser must read the output as the same tree.
 */
#ifndef OCTAVO_DOC_WRITE_H
#define OCTAVO_DOC_WRITE_H

#include "markdown/document_tree.h"

/* A footnote whose definition is not written yet. */
struct note {
	struct note           *next;
	const struct doc_node *annotation;
	size_t                 number;
};

struct writer {
	struct arena          *a;
	struct buf            *out;
	const struct doc_refs *refs;        /* spells targets */
	struct buf             prefix;      /* begins each line */
	size_t                 start;       /* offset in out where the document begins */
	bool                   bol;         /* the next byte begins a line */
	struct anchor_set     *anchors;     /* the anchors that headings get without an id, to write only other ids */
	struct note           *notes, **notes_end;
	size_t                 note_count;  /* the last footnote number in use */
	struct map            *labels;      /* labels of definitions kept as source; NULL: none */
	bool                   html;        /* write inlines as HTML */
	bool                   one_line;    /* no line breaks: in headings and cells */
	bool                   in_link;     /* inside a link, which must contain no other link */
	char                   marker;      /* marker of the last list: the next one gets another, or both would be one list */
};

void w_put(struct writer *w, struct str s);
void w_str(struct writer *w, const char *s);
void w_printf(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Returns the text to write for a target. */
const char *w_target(struct writer *w, const struct doc_target *t, enum doc_use use);
const char *w_target_of(struct writer *w, const struct doc_node *n, const char *name, enum doc_use use);
/* Returns the last component of a path, for use as link text. */
const char *w_label(struct writer *w, const char *target);

/* These escape values for an HTML attribute, for HTML text, and for an attribute of a tag. */
void w_attr(struct writer *w, const char *name, const char *value);
void w_html_text(struct writer *w, struct str s);
void w_tag_attr(struct writer *w, const char *name, const char *value);
/*
 * Writes the node's attributes that names lists (comma-separated), in the order of its field table.
 */
void w_tag_attrs(struct writer *w, const struct doc_node *n, const char *names);

/* Writes plain text, as HTML where w->html is set, else as Markdown. */
void w_text(struct writer *w, const char *s);

/* Writes the inlines of a node, as HTML where w->html is set. */
void w_inlines(struct writer *w, const struct doc_node *n);
/* Writes the inlines of a node as HTML. */
void w_inlines_html(struct writer *w, const struct doc_node *n);

/*
 * Adds a prefix for the following lines; returns the value to pass to w_pop(). Containers nest:
 * remove the newest prefix first.
 */
size_t w_push(struct writer *w, const char *prefix);
void w_pop(struct writer *w, size_t n);

/*
 * Collects the labels of the footnote definitions in the document's source, so that w_note() does
 * not use their numbers.
 */
void w_labels(struct writer *w, const struct doc_node *root);
/* Returns the number of a footnote. w_notes() writes its definition, at the end of the document. */
size_t w_note(struct writer *w, const struct doc_node *annotation);
void w_notes(struct writer *w);

void w_blocks(struct writer *w, const struct doc_node *first);
void w_table(struct writer *w, const struct doc_node *n);
/* Returns the level of a heading as Markdown and HTML count: 2 to 6. */
int w_level(const struct doc_node *n);
void w_images(struct writer *w, const struct doc_node *n);
void w_code(struct writer *w, const struct doc_node *n);
/* Writes a code block as HTML. newlines: lines end with a newline, not with an entity for it. */
void w_pre(struct writer *w, const struct doc_node *code, bool newlines);
/* A number as attribute text, in the arena. */
const char *w_number(struct writer *w, double v);
/*
 * Returns a length from JSON ("375", {"value":50,"unit":"%"}) as attribute text; NULL if there is
 * none.
 */
const char *w_length(struct writer *w, const struct doc_node *n, const char *name);

#endif
