/*
 * Random edits of a space's nodes, from a seed: pages of all kinds, files, reusable contents and
 * settings, of which any field may change.
 */
#ifndef THINGS_FIXTURE_H
#define THINGS_FIXTURE_H

#include "base/buf.h"
#include "seed_fixture.h"
#include "store/content.h"
#include "store/order.h"
#include "upstream_fixture.h"

enum { LINES = 5 };

/* State of the edits; text: number of the next line, so that each line is unique. */
struct writer {
	struct arena *arena;
	struct rnd    dice;
	unsigned      text;
};

static inline uint32_t
roll(struct writer *w, uint32_t n)
{
	return rnd(&w->dice, n);
}

static inline const char *
some_key(struct writer *w)
{
	static const char *const keys[] = { "C", "F", "V", "V5", "k", "x" };

	/* Long keys cause new keys to be assigned to all siblings. */
	if (roll(w, 12) == 0)
		return arena_printf(w->arena, "V%0*d1", ORDER_KEY_LONG, 0);
	return keys[roll(w, 6)];
}

/* Changes one line of the text, which the other side may change as well. */
static inline struct str
other_line(struct writer *w, struct str body)
{
	unsigned at = roll(w, LINES), line = 0;
	struct buf b;
	size_t i;

	buf_init(&b, w->arena, 1 << 16);
	for (i = 0; i < body.n; i++) {
		if (line != at)
			buf_char(&b, body.p[i]);
		else if (body.p[i] == '\n')
			buf_printf(&b, "t%u\n", ++w->text);
		line += body.p[i] == '\n';
	}
	return buf_view(&b);
}

static inline struct str
some_links(struct writer *w)
{
	unsigned k = roll(w, 4);

	return str_of(k == 0 ? "" : k == 1 ? "{\"a.md\":{\"kind\":\"page\",\"page\":\"p1\"}}" :
	    k == 2 ? "{\"b.md\":{\"kind\":\"page\",\"page\":\"p2\"}}" :
	    "{\"a.md\":{\"kind\":\"page\",\"page\":\"p3\"},\"c.md\":{\"kind\":\"page\",\"page\":\"p0\"}}");
}

/* Changes one field. */
static inline void
write_field(struct writer *w, struct wanted *x)
{
	struct arena *a = w->arena;
	struct node *n = &x->node;
	bool page = (n->kind & NODE_PAGES) != 0;

	switch (roll(w, 11)) {
	case 0:
		n->title = arena_printf(a, "T%u", roll(w, 4));
		break;
	case 1:
	case 9:
		n->slug = page ? arena_printf(a, "%s-%u", n->id, roll(w, 2)) : n->slug;
		break;
	case 2:
		n->path = page && roll(w, 2) == 0 ? arena_printf(a, "deep/%s", n->id) : NULL;
		break;
	case 3:
		n->ord = page ? some_key(w) : n->ord;
		break;
	case 4:
		n->props = arena_printf(a, "{\"description\":\"d%u\",\"summary\":{\"line\":%u}}", roll(w, 3), roll(w, 3));
		break;
	case 5:
		n->front = roll(w, 3) == 0 ? (struct str){ NULL, 0 } : str_of(arena_printf(a, "---\nf: %u\n---\n", roll(w, 3)));
		break;
	case 6:
		x->refs = n->kind == NODE_DOCUMENT ? some_links(w) : x->refs;
		break;
	case 7:
		n->git_oid = arena_printf(a, "%u", roll(w, 9));
		break;
	default:
		x->body = x->body.n > 0 ? other_line(w, x->body) : x->body;
	}
}

/* A new node. */
static inline struct wanted
new_thing(struct writer *w, const char *id, enum node_kind kind)
{
	struct wanted x = page(w->arena, id, "", arena_printf(w->arena, "T-%s", id), "");

	x.node.kind = kind;
	x.body = (struct str){ NULL, 0 };
	if (kind & (NODE_DOCUMENT | NODE_FILE | NODE_REUSABLE))
		x.body = str_of(arena_printf(w->arena, "one %s\ntwo\nthree\nfour\nfive\n", id));
	if (kind & NODE_PAGES)
		x.node.ord = some_key(w);
	else
		x.node.ord = x.node.slug = "";
	if (kind & NODE_SETTING)
		x.node.git_path = NULL;
	return x;
}

/* Reads a node with all its bytes, to write it again. */
static inline struct wanted
thing_read(struct db *db, struct arena *a, const struct node *n)
{
	struct wanted x = { .node = *n };
	bool there = true;

	x.node.front = node_front(db, a, n);
	if (n->body.n > 0)
		there = blob_get(db, a, n->body, &x.body);
	if (n->refs.n > 0)
		there = there && blob_get(db, a, n->refs, &x.refs);
	assert_true(there);
	return x;
}

#endif
