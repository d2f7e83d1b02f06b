/*
 * Footnotes. cmark moves definitions to the end, in the order in which they are
 * first referred to, and drops those that nothing refers to.
 */
#include <stdlib.h>

#include "doc_parse.h"
#include "base/map.h"
#include "base/sort.h"

/* The label of a footnote definition that begins the line; n 0 if it is none. */
static struct str
note_label(struct str line)
{
	size_t i = 0, from;

	while (i < line.n && i < 3 && line.p[i] == ' ')
		i++;
	if (i + 4 > line.n || line.p[i] != '[' || line.p[i + 1] != '^')
		return STR("");
	for (from = i += 2; i < line.n && line.p[i] != ']' && line.p[i] > ' ' && line.p[i] != '['; )
		i++;
	return i + 1 < line.n && line.p[i] == ']' && line.p[i + 1] == ':' ? str_slice(line, from, i) : STR("");
}

/* Those that cmark kept: it puts them last. */
static size_t
note_count(cmark_node *root)
{
	cmark_node *n = cmark_node_last_child(root);
	size_t count = 0;

	for (; n != NULL && cmark_node_get_type(n) == CMARK_NODE_FOOTNOTE_DEFINITION; n = cmark_node_previous(n))
		count++;
	return count;
}

/*
 * cmark drops footnotes that no [^1] refers to, but HTML may (in table cells),
 * and text is never lost. So where definitions were dropped the body is read
 * again with a last paragraph that refers to all of them. Of several definitions of
 * one label the first counts: the others are no reason to read again.
 * If something unclosed swallows that paragraph, the first reading holds.
 */
cmark_node *
notes_read(struct conv *c, struct source *src)
{
	cmark_node *root = md_read(c, src, c->body, 0), *again, *n;
	struct map *labels = map_new(c->a);
	size_t distinct = 0, i;
	struct source *other;
	struct str label;
	struct buf b;

	if (str_find(c->body, "[^").p == NULL)
		return root;
	buf_init(&b, c->a, c->body.n * 2 + 64);
	buf_put(&b, c->body);
	buf_str(&b, "\n\n");
	for (i = 1; i <= src->lines; i++) {
		label = note_label(str_slice(c->body, src->starts[i - 1], src->starts[i]));
		if (label.n == 0 || !map_add(labels, label, c))
			continue;
		distinct++;
		buf_str(&b, "[^");
		buf_put(&b, label);
		buf_str(&b, "] ");
	}
	/* Nothing was dropped: the usual case ends here, with one reading. */
	if (distinct <= note_count(root))
		return root;
	other = arena_alloc(c->a, sizeof(*other));
	/*
	 * The first tree stays in memory to the end of the parse; both are bounded together by
	 * limit_memory().
	 */
	again = md_read(c, other, buf_view(&b), 0);
	for (n = cmark_node_last_child(again); n != NULL && cmark_node_get_type(n) == CMARK_NODE_FOOTNOTE_DEFINITION; )
		n = cmark_node_previous(n);
	if (n == NULL || cmark_node_get_type(n) != CMARK_NODE_PARAGRAPH ||
	    /*
	     * The last paragraph must be the one that was added, on
	     * a line of its own, and have brought something back.
	     */
	    cmark_node_get_start_line(n) != (int)other->lines || note_count(again) <= note_count(root))
		return root;
	cmark_node_unlink(n);
	/* The added lines are none of the body's; its own have the same numbers in both. */
	other->lines = src->lines;
	*src = *other;

	return again;
}

static int
by_label(const void *a, const void *b)
{
	const struct footnote *x = a, *y = b;

	return strcmp(x->label, y->label);
}

/* Lists the definitions of the body. */
void
notes_collect(struct conv *c, cmark_node *root)
{
	size_t count = note_count(root), i, line;
	cmark_node *n = cmark_node_last_child(root);
	struct source *s = c->notes_src;
	/* One flag for each definition, which both orders point to. */
	bool *used = arena_array(c->a, count, sizeof(*used));
	struct str label;

	c->note_count = count;
	c->notes = arena_array(c->a, count, sizeof(*c->notes));
	c->by_label = arena_array(c->a, count, sizeof(*c->by_label));
	/*
	 * Backwards from the end, since definitions are the last children. cmark numbers them in
	 * this order from 1.
	 */
	for (i = count; i-- > 0; n = cmark_node_previous(n)) {
		line = (size_t)cmark_node_get_start_line(n);
		label = line < 1 || line > s->lines ? STR("")
		    : note_label(str_slice(s->text, s->starts[line - 1], s->starts[line]));
		c->notes[i].label = arena_strndup(c->a, label.p, label.n);
		c->notes[i].def = n;
		c->notes[i].used = &used[i];
	}
	if (count > 0)
		memcpy(c->by_label, c->notes, count * sizeof(*c->notes));
	sort_list(c->by_label, count, sizeof(*c->by_label), by_label);
}

/* The definition of a reference in Markdown, which cmark has numbered. */
const struct footnote *
note_numbered(const struct conv *c, const char *number)
{
	unsigned long n = strtoul(number, NULL, 10);

	return n >= 1 && n <= c->note_count ? &c->notes[n - 1] : NULL;
}

/* The definition of a reference in HTML, which names its label. */
const struct footnote *
note_labelled(const struct conv *c, const char *label)
{
	struct footnote key = { label, NULL, NULL };

	return c->note_count == 0 ? NULL
	    : find_sorted(&key, c->by_label, c->note_count, sizeof(*c->by_label), by_label);
}

/* Definitions that nothing referred to are kept as they are, at the end. */
void
notes_unused(struct conv *c, struct doc_node *root)
{
	struct frame base = { .node = root };
	struct stream st = { .c = c, .src = c->notes_src, .top = &base, .base = &base };
	size_t i, from, to;
	struct str s;

	for (i = 0; i < c->note_count; i++) {
		if (*c->notes[i].used)
			continue;
		from = (size_t)cmark_node_get_start_line(c->notes[i].def);
		to = (size_t)cmark_node_get_end_line(c->notes[i].def);
		if (from < 1 || to < from || to > c->notes_src->lines)
			continue;
		c->line = from;
		s = str_trim(str_slice(c->body, c->notes_src->starts[from - 1], c->notes_src->starts[to]));
		/*
		 * A definition within a quote or a list begins with the container's marker: it
		 * is not written back from here.
		 */
		if (str_starts(s, "[^"))
			stream_raw(&st, s);
	}
}
