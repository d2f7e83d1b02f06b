/*
 * Decides whether a document shows anything: a visible character, or visible content other than
 * text. Contract: doc_body_shows() in markdown/document.h.
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
		/* An invalid UTF-8 byte is read as U+FFFD, which is visible. */
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

/*
 * True if the table shows a title of a column, or a cell. Any value of a column that is not a text
 * column counts.
 */
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

/* Returns the attribute that is shown as the only text of the node itself; NULL: none. */
static const char *
visible_attr(enum doc_type t)
{
	switch (t) {
	case DOC_MATH: case DOC_INLINE_MATH: return "formula";
	case DOC_TABS_ITEM: case DOC_CODE:   return "title";
	case DOC_PROMPT:                     return "description";
	case DOC_UPDATE:                     return "date";
	default:                             return NULL;
	}
}

/* True if the node shows something by itself, without its children. */
static bool
node_shows(const struct doc_node *n)
{
	const char *attr = visible_attr(n->type);

	if (attr != NULL)
		return attr_shows(n, attr);
	switch (n->type) {
	case DOC_LEAF:       return text_shows(n->text);
	case DOC_TABLE:      return table_shows(n->table);
	case DOC_EXPANDABLE: return false;   /* title and body are fragments */
	/*
	 * Dividers, pictures, mentions and emoji show something without text. A container of
	 * other blocks that is empty shows nothing.
	 */
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
	/* Fragments: titles, captions, notes. */
	for (c = n->frags; c != NULL; c = c->next)
		if (doc_shows(c))
			return true;
	return false;
}
