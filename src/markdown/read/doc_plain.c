/*
 * A fast path for blocks of plain text. For each paragraph, heading and cell cmark sets up an
 * inline parser, which takes longer than reading a few words. If a line contains no character that
 * may begin an inline, it gets its text here, before cmark reads inlines. cmark then skips the
 * block, since its extension says that it has no inlines.
 */
#include <cmark-gfm/chunk.h>
#include <cmark-gfm/node.h>
#include <cmark-gfm/syntax_extension.h>

#include "../doc_parse.h"

/*
 * A block whose text was set, and the extension that it had before (cells belong to the extension
 * of tables).
 */
struct plain_block {
	struct plain_block     *next;
	cmark_node             *node;
	cmark_syntax_extension *was;
};

static int
contains_no_inlines(cmark_syntax_extension *ext, cmark_node *n)
{
	(void)ext, (void)n;
	return 0;
}

/* One per process, as in doc_cmark.c. */
static cmark_syntax_extension *
get_extension(void)
{
	static cmark_syntax_extension *ext;

	if (ext == NULL) {
		ext = cmark_syntax_extension_new("octavo-plain");
		cmark_syntax_extension_set_contains_inlines_func(ext, contains_no_inlines);
	}
	return ext;
}

/* True if s contains a byte that begins an inline of cmark or of our extension, or ends a line. */
static bool
holds_signs(struct str s)
{
	static const bool signs[256] = { ['\\'] = true, ['`'] = true, ['&'] = true, ['_'] = true, ['*'] = true,
		['['] = true, [']'] = true, ['<'] = true, ['!'] = true, ['~'] = true, ['^'] = true, ['{'] = true,
		['$'] = true, [':'] = true, [0x7F] = true };
	unsigned char c;

	for (size_t i = 0; i < s.n; i++) {
		c = (unsigned char)s.p[i];
		if (c < ' ' || signs[c])
			return true;
	}
	return false;
}

/*
 * True if cmark will read inlines in it and its text is complete. An open paragraph may still begin
 * with definitions; a table cell is always complete.
 */
static bool
is_whole(cmark_node *n)
{
	cmark_syntax_extension *e = n->extension;

	if (e != NULL && e->contains_inlines_func != NULL)
		return e->contains_inlines_func(e, n) != 0;
	return (n->type == CMARK_NODE_PARAGRAPH || n->type == CMARK_NODE_HEADING) && (n->flags & CMARK_NODE__OPEN) == 0;
}

/* Makes the text the only inline of n. Like cmark, creates no node for an empty text. */
static void
set_only_text(cmark_node *n, struct str s)
{
	cmark_node *text;

	if (s.n == 0)
		return;
	text = cmark_node_new_with_mem(CMARK_NODE_TEXT, limit_cmark());
	text->as.literal = (cmark_chunk){ .data = n->content.ptr, .len = (bufsize_t)s.n };
	text->parent = n;
	n->first_child = n->last_child = text;
}

static struct str
block_text(const cmark_node *n)
{
	struct str s = { (const char *)n->content.ptr, (size_t)n->content.size };

	while (s.n > 0 && strchr(" \t\r\n", s.p[s.n - 1]) != NULL)
		s.n--;
	return s;
}

cmark_node *
md_next_block(cmark_node *n)
{
	if (n->first_child != NULL)
		return n->first_child;
	while (n != NULL && n->next == NULL)
		n = n->parent;
	return n == NULL ? NULL : n->next;
}

struct plain_block *
plain_prepare(struct arena *a, cmark_node *root)
{
	struct plain_block *list = NULL, *b;
	cmark_node *n, *next;
	struct str s;

	for (n = root; n != NULL; n = next) {
		next = md_next_block(n);
		if (n->first_child != NULL || !is_whole(n))
			continue;
		s = block_text(n);
		if (holds_signs(s))
			continue;
		set_only_text(n, s);
		b = arena_bytes(a, sizeof(*b));
		*b = (struct plain_block){ list, n, n->extension };
		n->extension = get_extension();
		list = b;
	}
	return list;
}

void
plain_restore(struct plain_block *list)
{
	for (; list != NULL; list = list->next)
		list->node->extension = list->was;
}
