/*
 * The frames of open tags in one container, and what is added to the innermost one: blocks, and
 * source that has no node. Contract: doc_parse.h.
 */
#include <stdarg.h>

#include "../doc_parse.h"

void
conv_warn(struct conv *c, size_t line, const char *fmt, ...)
{
	va_list ap;

	if (c->warn == NULL)
		return;
	va_start(ap, fmt);
	c->warn(c->warn_ctx, line, arena_vprintf(c->a, fmt, ap));
	va_end(ap);
}

void
stream_add(struct stream *st, struct doc_node *n)
{
	n->line = st->c->line;
	apply_box(st, n);
	doc_append(st->top->node, n);
}

/*
 * The last result is kept, since the same source is often checked twice in a row. During a check
 * (c->checking) the result is true, which ends the recursion.
 */
bool
raw_round_trips(struct conv *c, struct str raw)
{
	if (c->checking)
		return true;
	if (c->last_raw.p != NULL && str_eq(c->last_raw, raw))
		return c->last_round_trips;
	c->last_raw = (struct str){ arena_strndup(c->a, raw.p, raw.n), raw.n };
	c->last_round_trips = c->steps->round_trips(raw);
	return c->last_round_trips;
}

/*
 * Adds source that has no node of its own, as a paragraph with a raw leaf, which is written
 * unchanged. If it would be read differently when it is alone, because it is a piece of something
 * larger, it becomes plain text.
 */
void
stream_raw_seen(struct stream *st, struct str raw, struct str seen)
{
	struct doc_node *p = doc_node(st->c->a, DOC_PARAGRAPH);

	raw = str_trim(raw);
	if (raw.n == 0)
		return;
	if (raw_round_trips(st->c, raw))
		doc_raw(st->c->a, p, raw, seen);
	else
		doc_text(st->c->a, p, raw, 0);
	stream_add(st, p);
}

void
stream_raw(struct stream *st, struct str raw)
{
	raw = str_trim(raw);
	/* During a check (c->checking) the visible text is not used, so it is not computed. */
	stream_raw_seen(st, raw, st->c->checking ? raw : html_visible(st->c->a, raw));
}

struct frame *
frame_push(struct stream *st, struct doc_node *node, const char *tag, size_t line)
{
	struct frame *f = arena_alloc(st->c->a, sizeof(*f));

	f->up = st->top;
	f->node = node;
	f->tag = tag;
	f->line = line;
	f->level = st->top->level + 1;
	st->top = f;
	return f;
}

/* Innermost open frame of that tag, in this container or around it. */
struct frame *
frame_find(struct stream *st, const char *tag)
{
	struct frame *f = st->top;

	while (f != NULL && (f->tag == NULL || f->closing || strcmp(f->tag, tag) != 0))
		f = f->up;
	return f;
}

/* Closes f and all frames in it. A frame of an outer container is only marked as closing. */
void
frame_close(struct stream *st, struct frame *f)
{
	struct frame *x;

	for (x = st->top; x != f && x != st->base; x = x->up)
		continue;
	if (x != f || f == st->base) {
		f->closing = true;
		return;
	}
	do {
		x = st->top;
		st->top = x->up;
		if (x != f)
			conv_warn(st->c, x->line, "{%% %s %%} is closed by an outer end", x->tag);
		frame_complete(st, x);
	} while (x != f);
}

/* The innermost box around new content; boxes of closed frames no longer count. */
struct box *
current_box(struct stream *st)
{
	struct frame *f;

	while (st->box != NULL) {
		for (f = st->top; f != st->base && f != st->box->frame; )
			f = f->up;
		if (f == st->box->frame)
			break;
		st->box = st->box->up;
	}
	return st->box;
}

/*
 * True if there are only text, links, emoji and pictures. An alignment makes the writer use an HTML
 * paragraph, from which other inlines may not be read back.
 */
static bool
is_simple(const struct doc_node *n)
{
	bool simple = true;

	for (n = n->child; simple && n != NULL; n = n->next)
		if (n->type == DOC_LINK)
			simple = is_simple(n);
		else if (n->type == DOC_LEAF)
			simple = n->raw.p == NULL;
		else
			simple = n->type == DOC_EMOJI || n->type == DOC_INLINE_IMAGE;
	return simple;
}

/* Make all text of a paragraph bold; join leaves that are then alike. */
static void
make_bold(struct arena *a, struct doc_node *n)
{
	struct doc_node *l = n->child, *next;

	n->child = n->last = NULL;
	for (; l != NULL; l = next) {
		next = l->next;
		l->next = NULL;
		if (l->type == DOC_LEAF && l->raw.p == NULL) {
			doc_text(a, n, l->text, l->marks | MARK_BOLD);
			continue;
		}
		if (l->type == DOC_LINK)
			make_bold(a, l);
		doc_append(n, l);
	}
}

/*
 * A paragraph, heading or picture without an alignment of its own gets that of the box. The term of
 * a definition list becomes bold.
 */
void
apply_box(struct stream *st, struct doc_node *n)
{
	const struct box *b = current_box(st);

	if (b != NULL && n->type == DOC_PARAGRAPH && str_is_nocase(b->name, "dt"))
		make_bold(st->c->a, n);
	if (b == NULL || b->align == NULL || doc_attr(n, "align") != NULL)
		return;
	if (n->type == DOC_IMAGES)
		doc_set_str(st->c->a, n, "align", strcmp(b->align, "start") == 0 ? "left"
		    : strcmp(b->align, "end") == 0 ? "right" : b->align);
	else if (n->type <= DOC_HEADING_3 && n->child != NULL && is_simple(n))
		doc_set_str(st->c->a, n, "align", b->align);
}
