/*
 * Footnotes. cmark moves definitions to the end of the tree, in the order of their first reference,
 * and drops those without a reference.
 */
#include <ctype.h>
#include <stdlib.h>

#include "../doc_parse.h"
#include "base/map.h"
#include "base/sort.h"

/* True for bytes of which the markers of quotes and list items, and their indentation, consist. */
static bool
is_prefix_byte(char c)
{
	return c == ' ' || c == '\t' || c == '>';
}

/* Number of bytes before the content of a line: the markers and indentation of quotes and list items. */
static size_t
prefix_length(struct str line)
{
	size_t i = 0, k;

	for (;;) {
		while (i < line.n && is_prefix_byte(line.p[i]))
			i++;
		for (k = i; k < line.n && isdigit((unsigned char)line.p[k]); )
			k++;
		/* A marker is digits with "." or ")", or one sign, and a blank after it. */
		if (k + 1 >= line.n || strchr(k > i ? ".)" : "-*+", line.p[k]) == NULL ||
		    (line.p[k + 1] != ' ' && line.p[k + 1] != '\t'))
			return i;
		i = k + 2;
	}
}

/* Label of a definition within quotes and items. */
static struct str
label_after_prefix(struct str line)
{
	return note_label(str_slice(line, prefix_length(line), line.n));
}

/* Number of definitions that cmark kept, which are the last children. */
static size_t
count_definitions(cmark_node *root)
{
	cmark_node *n = cmark_node_last_child(root);
	size_t count = 0;

	for (; n != NULL && cmark_node_get_type(n) == CMARK_NODE_FOOTNOTE_DEFINITION; n = cmark_node_previous(n))
		count++;
	return count;
}

/* A line with its end; n 0 if there is no such line. */
static struct str
line_at(const struct source *src, size_t line)
{
	return line < 1 || line > src->lines ? STR("")
	    : str_slice(src->text, src->starts[line - 1], src->starts[line]);
}

/* The label of a definition; n 0 if its line begins with something else, such as the label of another one. */
static struct str
definition_label(const struct source *src, cmark_node *def)
{
	return label_after_prefix(line_at(src, (size_t)cmark_node_get_start_line(def)));
}

/* Number of definitions that notes_read() finds by their lines. */
static size_t
count_labelled(const struct source *src, cmark_node *root)
{
	cmark_node *n = cmark_node_last_child(root);
	size_t count = 0;

	for (; n != NULL && cmark_node_get_type(n) == CMARK_NODE_FOOTNOTE_DEFINITION; n = cmark_node_previous(n))
		count += definition_label(src, n).n > 0;
	return count;
}

/*
 * cmark drops footnotes that no [^1] refers to. But HTML may refer to them (in table cells), and
 * text must not be lost. So if definitions were dropped, the text is parsed again with an
 * additional paragraph that refers to all of them. If a label has several definitions, only the
 * first counts, so the others need no second parse. If something unclosed (a fence, a comment)
 * contains the additional paragraph, the first result is kept.
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
		label = label_after_prefix(line_at(src, i));
		if (label.n == 0 || !map_add(labels, label, c))
			continue;
		distinct++;
		buf_str(&b, "[^");
		buf_put(&b, label);
		buf_str(&b, "] ");
	}
	/* Usually nothing was dropped, and one parse is enough. */
	if (distinct <= count_labelled(src, root))
		return root;
	other = arena_alloc(c->a, sizeof(*other));
	/* The first tree stays in memory; limit_memory() limits both together. */
	again = md_read(c, other, buf_view(&b), 0);
	for (n = cmark_node_last_child(again); n != NULL && cmark_node_get_type(n) == CMARK_NODE_FOOTNOTE_DEFINITION; )
		n = cmark_node_previous(n);
	if (n == NULL || cmark_node_get_type(n) != CMARK_NODE_PARAGRAPH ||
	    /*
	     * The last paragraph must be the added one, on its own line, and must have restored
	     * something.
	     */
	    cmark_node_get_start_line(n) != (int)other->lines || count_definitions(again) <= count_definitions(root))
		return root;
	cmark_node_unlink(n);
	/* The added lines are not the body's; its own lines have the same numbers in both. */
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

static int
by_line(const void *a, const void *b)
{
	const struct note_place *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

/* List the body's definitions. */
void
notes_collect(struct conv *c, cmark_node *root)
{
	size_t count = count_definitions(root), i;
	cmark_node *n = cmark_node_last_child(root);
	struct str label;

	c->note_count = count;
	c->notes = arena_array(c->a, count, sizeof(*c->notes));
	c->by_label = arena_array(c->a, count, sizeof(*c->by_label));
	c->places = arena_array(c->a, count, sizeof(*c->places));
	/* Goes backwards: the definitions are the last children, numbered from 1 in this order. */
	for (i = count; i-- > 0; n = cmark_node_previous(n)) {
		label = definition_label(c->notes_src, n);
		c->notes[i].label = arena_strndup(c->a, label.p, label.n);
		c->notes[i].def = n;
		c->places[i] = (struct note_place){ .line = (size_t)cmark_node_get_start_line(n), .note = i };
	}
	if (count > 0)
		memcpy(c->by_label, c->notes, count * sizeof(*c->notes));
	sort_list(c->by_label, count, sizeof(*c->by_label), by_label);
	sort_list(c->places, count, sizeof(*c->places), by_line);
}

/* Definition of a Markdown reference, which cmark has numbered. */
const struct footnote *
note_by_number(const struct conv *c, const char *number)
{
	unsigned long n = strtoul(number, NULL, 10);

	return n >= 1 && n <= c->note_count ? &c->notes[n - 1] : NULL;
}

/* Definition of an HTML reference, which names its label. */
const struct footnote *
note_by_label(const struct conv *c, const char *label)
{
	struct footnote key = { label, NULL };

	return c->note_count == 0 ? NULL
	    : find_sorted(&key, c->by_label, c->note_count, sizeof(*c->by_label), by_label);
}

/* Place the definition in the innermost frame. */
static void
place_note(struct stream *st, struct note_place *p)
{
	struct frame *f = st->top;

	if (f->noted == NULL) {
		f->noted = arena_alloc(st->c->a, sizeof(struct doc_node *));
		*f->noted = NULL;
	}
	p->into = f->node;
	p->noted = f->noted;
}

void
notes_place_until(struct stream *st, cmark_node *before, size_t line)
{
	struct conv *c = st->c;
	struct note_place *p, *last = NULL;
	struct str text;
	bool here = doc_kinds[st->top->node->type].content == HAS_BLOCKS;
	size_t end = before == NULL ? 0 : (size_t)cmark_node_get_end_line(before);

	/*
	 * Recorded only while the body itself is read, because a part that is parsed from a copy
	 * has other line numbers.
	 */
	if (c->in_note || st->src != c->notes_src)
		return;
	c->covered = end > c->covered ? end : c->covered;
	for (; c->note_at < c->note_count && (p = &c->places[c->note_at])->line < line; c->note_at++) {
		/*
		 * Skip a definition inside an element that cannot contain it, or inside another
		 * definition: its line does not begin with a label.
		 */
		p->inner = st->base->node != c->doc->root;
		text = line_at(st->src, p->line);
		if (here && p->line > c->covered && (p->inner ? label_after_prefix(text) : note_label(text)).n > 0) {
			if (last != NULL)
				last->until = p->line;
			last = p;
			place_note(st, p);
		}
		end = (size_t)cmark_node_get_end_line(c->notes[p->note].def);
		c->covered = end > c->covered ? end : c->covered;
	}
	if (last != NULL)
		last->until = line;
}

/*
 * Inserts a node among the blocks of `into` by its line, after the block `after` (NULL: at the
 * beginning). Returns the last block before it.
 */
static struct doc_node *
insert_by_line(struct doc_node *into, struct doc_node *after, struct doc_node *n)
{
	struct doc_node *at = after != NULL ? after->next : into->child;

	for (; at != NULL && at->line < n->line; at = at->next)
		/* A block without a line number belongs to the next block. */
		if (at->line != 0)
			after = at;
	n->next = after != NULL ? after->next : into->child;
	if (after != NULL)
		after->next = n;
	else
		into->child = n;
	if (n->next == NULL)
		into->last = n;
	return n;
}

/*
 * Lines of a definition up to the next block: cmark's own end may be a line short. A line with a
 * label ends it too, even if cmark dropped that repeated definition.
 */
static struct str
definition_lines(const struct source *src, const struct note_place *p)
{
	size_t end = p->line, last = p->until - 1 < src->lines ? p->until - 1 : src->lines, at = 0;
	struct str line;

	if (p->inner)
		at = prefix_length(line_at(src, p->line));
	for (; end < last; end++) {
		line = line_at(src, end + 1);
		if (note_label(line).n > 0 || (p->inner && prefix_length(line) <= at && label_after_prefix(line).n > 0))
			break;
	}
	return str_slice(src->text, src->starts[p->line - 1], src->starts[end]);
}

/* Remove the prefix of quotes and items from each line: `at` bytes of the first. */
static struct str
remove_prefixes(struct arena *a, struct str lines, size_t at)
{
	size_t i = at, from;
	struct buf out;

	buf_init(&out, a, lines.n + 1);
	while (i < lines.n) {
		buf_char(&out, lines.p[i]);
		if (lines.p[i++] != '\n')
			continue;
		for (from = i; i < from + at && i < lines.n && is_prefix_byte(lines.p[i]); )
			i++;
	}
	return str_trim(buf_view(&out));
}

/*
 * The source of one definition; n 0 if that source, parsed alone, would be read differently. In an
 * item or quote, up to three of the spaces before the label may belong to the definition, and its
 * other lines then have as much more indentation: each number is tried.
 */
static struct str
definition_source(struct conv *c, const struct note_place *p)
{
	struct str lines = definition_lines(c->notes_src, p), s;
	size_t at, own = 0;

	if (!p->inner)
		return raw_round_trips(c, s = str_trim(lines)) ? s : STR("");
	for (at = prefix_length(lines); own <= 3 && own <= at && (own == 0 || lines.p[at - own] == ' '); own++)
		if (raw_round_trips(c, s = remove_prefixes(c->a, lines, at - own)))
			return s;
	return STR("");
}

static void
mark_note_used(struct conv *c, size_t line)
{
	struct note_place key = { .line = line }, *p = find_sorted(&key, c->places, c->note_count, sizeof(key), by_line);

	if (p != NULL)
		p->used = true;
}

/*
 * Marks the notes that the document uses. Some parts of blocks are dropped (the labels of buttons
 * are plain text): a note that is used only there counts as unused, since it would be lost when the
 * document is written.
 */
static void
mark_used_notes(struct conv *c, const struct doc_node *n)
{
	const struct doc_column *k;
	const struct doc_record *r;
	const struct doc_node *m;
	size_t i;

	if (n->type == DOC_ANNOTATION && n->frags != NULL)
		mark_note_used(c, n->frags->line);
	for (k = n->table == NULL ? NULL : n->table->columns; k != NULL; k = k->next)
		if (k->marked != NULL)
			mark_used_notes(c, k->marked);
	for (m = n->child; m != NULL; m = m->next)
		mark_used_notes(c, m);
	for (m = n->frags; m != NULL; m = m->next)
		mark_used_notes(c, m);
	for (r = n->table == NULL ? NULL : n->table->records; r != NULL; r = r->next)
		for (i = 0; i < n->table->width; i++)
			if (r->cells[i].blocks != NULL)
				mark_used_notes(c, r->cells[i].blocks);
}

/* Keeps unused definitions in their places, as source that shows nothing (doc_is_invisible()). */
void
notes_keep_unused(struct conv *c)
{
	const struct note_place *p;
	struct doc_node *n;
	struct str s;
	size_t i;

	if (c->note_count > 0)
		mark_used_notes(c, c->doc->root);
	for (i = 0; i < c->note_count; i++) {
		p = &c->places[i];
		if (p->until == 0 || p->used || (s = definition_source(c, p)).n == 0)
			continue;
		n = doc_node(c->a, DOC_PARAGRAPH);
		n->line = p->line;
		doc_raw(c->a, n, s, STR(""));
		*p->noted = insert_by_line(p->into, *p->noted, n);
	}
}
