/* Headings of Markdown: levels, explicit ids, and headings without text. */
#include "../doc_parse.h"

/* Reads "Title {#id}", the form of Honkit and of the published service's first years; the id is not shown. */
static void
read_heading_id(struct conv *c, struct doc_node *h)
{
	struct doc_node *l = h->last;
	struct str s;
	size_t i;

	if (l == NULL || l->type != DOC_LEAF || l->raw.p != NULL || l->marks != 0 || h->anchor != NULL)
		return;
	s = l->text;
	/* The text ends with no id, or is nothing but an id. */
	if ((i = heading_id(s)) == s.n || (i == 0 && l == h->child))
		return;
	h->anchor = arena_strndup(c->a, s.p + i + 2, s.n - i - 3);
	l->text.n = i;
	l->room = 0;
	inline_trim(h);
}

/*
 * Removes bold marks from a heading of level 5 or 6, since clients get it as a bold paragraph
 * (document.h).
 */
static void
remove_bold(struct arena *a, struct doc_node *h)
{
	struct doc_node *l = h->child, *next;

	h->child = h->last = NULL;
	for (; l != NULL; l = next) {
		next = l->next;
		l->next = NULL;
		if (l->type == DOC_LEAF && l->raw.p == NULL)
			doc_text(a, h, l->text, l->marks & ~(uint32_t)MARK_BOLD);
		else
			doc_append(h, l);
	}
}

static struct doc_node *
read_heading(struct stream *st, cmark_node *n)
{
	int level = cmark_node_get_heading_level(n);
	struct doc_node *h = doc_node(st->c->a, level <= 2 ? DOC_HEADING_1
	    : level == 3 ? DOC_HEADING_2 : DOC_HEADING_3);

	if (level > 4)
		doc_set_num(st->c->a, h, "level", level);
	inline_nodes(st->c, cmark_node_first_child(n), NULL, h);
	inline_trim(h);
	read_heading_id(st->c, h);
	if (level > 4)
		remove_bold(st->c->a, h);
	return h;
}

/* Source of a heading without visible text: the number signs, the id, comments and tags. */
static struct str
empty_heading_source(struct conv *c, const struct doc_node *h, int level)
{
	const struct doc_node *l;
	struct buf raw;

	buf_init(&raw, c->a, (size_t)1 << 28);
	buf_printf(&raw, "%.*s", level, "######");
	if (h->anchor != NULL && strpbrk(h->anchor, "\"<>&{\n") == NULL)
		buf_printf(&raw, " <a href=\"#%s\" id=\"%s\"></a>", h->anchor, h->anchor);
	for (l = h->child; l != NULL; l = l->next)
		if (l->type == DOC_LEAF && l->raw.p != NULL) {
			buf_char(&raw, ' ');
			buf_put(&raw, l->raw);
		}
	return buf_view(&raw);
}

/*
 * A heading without text is kept as source, in a block that shows nothing, so that neither the page
 * nor its outline contains it.
 */
void
stream_heading(struct stream *st, cmark_node *n)
{
	struct doc_node *h = read_heading(st, n);
	struct str raw;

	if (!doc_shows(h)) {
		raw = empty_heading_source(st->c, h, cmark_node_get_heading_level(n));
		h = doc_node(st->c->a, DOC_PARAGRAPH);
		doc_raw(st->c->a, h, raw, html_visible(st->c->a, raw));
	}
	stream_add(st, h);
}
