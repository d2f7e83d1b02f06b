/*
 * Whether a document says anything to who looks at it: a character that leaves a mark, or
 * something beside text that is seen. Contract: doc_body_shows() in markdown/document.h.
 */
#include "base/utf8.h"
#include "markdown/document.h"
#include "markdown/document_tree.h"

static bool
text_shows(struct str s)
{
	uint32_t cp = 0;
	size_t n;

	for (; s.n > 0; s = str_slice(s, n, s.n)) {
		/* A byte that is no UTF-8 is read as U+FFFD, which is seen. */
		if ((n = utf8_next(s, &cp)) == 0 || utf8_visible(cp))
			return true;
	}
	return false;
}

static bool
attr_shows(const struct doc_node *n, const char *name)
{
	const char *s = doc_attr_str(n, name);

	return s != NULL && text_shows(str_of(s));
}

/* A title says something even where nothing stands below it. A value of another kind than text needs no text. */
static bool
table_shows(const struct doc_table *t)
{
	const struct doc_column *c;
	const struct doc_record *r;
	size_t i;

	for (c = t->columns; c != NULL && !t->hide_header; c = c->next)
		if (text_shows(str_of(c->title)) || (c->marked != NULL && doc_shows(c->marked)))
			return true;
	for (r = t->records; r != NULL; r = r->next)
		for (i = 0; i < t->width; i++)
			if (r->cells[i].set || (r->cells[i].blocks != NULL && doc_shows(r->cells[i].blocks)))
				return true;
	return false;
}

/* The attribute of which a reader sees the words, where the node has no other text of its own; NULL: none. */
static const char *
shown_attr(enum doc_type t)
{
	switch (t) {
	case DOC_MATH: case DOC_INLINE_MATH: return "formula";
	case DOC_TABS_ITEM: case DOC_CODE:   return "title";
	case DOC_PROMPT:                     return "description";
	case DOC_UPDATE:                     return "date";
	default:                             return NULL;
	}
}

/* What the node shows by itself, without what is in it. */
static bool
node_shows(const struct doc_node *n)
{
	const char *attr = shown_attr(n->type);

	if (attr != NULL)
		return attr_shows(n, attr);
	switch (n->type) {
	case DOC_LEAF:       return text_shows(n->text);
	case DOC_TABLE:      return table_shows(n->table);
	case DOC_EXPANDABLE: return false;   /* title and body are fragments */
	/* A rule, a picture, a mention, an emoji: what has no text by its nature. A frame alone says nothing. */
	default:             return doc_kinds[n->type].content == HAS_NOTHING;
	}
}

bool
doc_shows(const struct doc_node *n)
{
	const struct doc_node *c;

	if (node_shows(n))
		return true;
	for (c = n->child; c != NULL; c = c->next)
		if (doc_shows(c))
			return true;
	/* Titles, captions, notes. */
	for (c = n->frags; c != NULL; c = c->next)
		if (doc_shows(c))
			return true;
	return false;
}
