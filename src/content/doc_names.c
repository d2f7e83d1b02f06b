/*
 * What a fragment may call a place of a document: every anchor, and what the
 * three rules of import.md 2.4 make of each heading, with -1, -2 on repeats.
 * Generous on purpose: links that work elsewhere shall not be told broken.
 */
#include <ctype.h>

#include <utf8proc.h>

#include "document_tree.h"
#include "layout.h"
#include "utf8.h"

struct names {
	struct arena      *a;
	const char       **list;
	size_t             count, room;
	struct anchor_set *rules[3];
};

static void
add(struct names *s, const char *name)
{
	if (s->count == s->room) {
		const char **more = arena_array(s->a, s->room * 2 + 32, sizeof(*more));
		if (s->count > 0)
			memcpy(more, s->list, s->count * sizeof(*more));
		s->list = more;
		s->room = s->room * 2 + 32;
	}
	s->list[s->count++] = name;
}

/* As GitHub does it: signs vanish, each blank is a dash. */
static char *
github_slug(struct arena *a, struct str s)
{
	utf8proc_category_t k;
	struct buf b;
	uint32_t cp;
	size_t n;

	buf_init(&b, a, s.n * 3 + 16);
	for (; s.n > 0 && (n = utf8_next(s, &cp)) > 0; s = str_slice(s, n, s.n)) {
		k = utf8proc_category((utf8proc_int32_t)cp);
		if (cp == ' ')
			buf_char(&b, '-');
		else if (cp == '-' || cp == '_' || (k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_NO))
			buf_utf8(&b, (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp));
	}
	return buf_view(&b).n == 0 ? "" : b.p;
}

static void
add_rule(struct names *s, int rule, const char *slug)
{
	size_t before = anchor_next(s->rules[rule], slug);

	if (before > 0)
		slug = arena_printf(s->a, "%s-%zu", slug, before);
	add(s, slug);
	/* The service does not let an id begin with a digit. */
	if (slug[0] >= '0' && slug[0] <= '9')
		add(s, arena_printf(s->a, "id-%s", slug));
}

static void
visit(struct names *s, const struct doc_node *n)
{
	const struct doc_node *c;
	struct str text;

	if (n->anchor != NULL)
		add(s, n->anchor);
	if (n->type >= DOC_HEADING_1 && n->type <= DOC_HEADING_3) {
		text = str_of(doc_plain_of(s->a, n));
		add_rule(s, 0, slug_from_heading(s->a, text));
		add_rule(s, 1, slug_from_title(s->a, text));
		add_rule(s, 2, github_slug(s->a, text));
	}
	for (c = n->frags; c != NULL; c = c->next)
		visit(s, c);
	for (c = n->child; c != NULL; c = c->next)
		visit(s, c);
}

const char **
doc_names(struct arena *a, const struct doc *d, size_t *count)
{
	struct names s = { .a = a };
	int i;

	for (i = 0; i < 3; i++)
		s.rules[i] = anchor_set_new(a);
	visit(&s, d->root);
	*count = s.count;
	return s.list;
}
