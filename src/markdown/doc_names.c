/*
 * What a fragment may call a place of a document: every anchor, and what the
 * three rules of import.md 2.4 make of each heading, with -1, -2 on repeats.
 * Generous on purpose: links that work elsewhere shall not be told broken.
 *
 * A client knows the anchors alone, so a link within the document that calls its
 * place by another name is given the anchor's.
 */
#include <ctype.h>

#include <utf8proc.h>

#include "doc_parse.h"
#include "base/slug.h"
#include "base/map.h"
#include "base/utf8.h"

struct names {
	struct arena      *a;
	const char       **list;
	size_t             count, room;
	struct anchor_set *rules[3];
	struct map *places;     /* name in lower case -> anchor; NULL: not wanted */
	const char        *place;      /* anchor of what is visited */
};

static void
add(struct names *s, const char *name)
{
	if (s->places != NULL) {
		map_add(s->places, str_of(utf8_lower(s->a, str_of(name))), (void *)s->place);
		return;
	}
	s->list = arena_grow(s->a, s->list, s->count, &s->room, sizeof(*s->list));
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

	s->place = n->anchor;
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

static void
visit_all(struct names *s, const struct doc_node *root)
{
	int i;

	for (i = 0; i < 3; i++)
		s->rules[i] = anchor_set_new(s->a);
	visit(s, root);
}

const char **
doc_names(struct arena *a, const struct doc *d, size_t *count)
{
	struct names s = { .a = a };

	visit_all(&s, d->root);
	*count = s.count;
	return s.list;
}

/* ---- descriptions of APIs ---- */

struct specs {
	struct arena *a;
	struct map   *seen;
	const char  **list;
	size_t        count, room;
};

static void
spec_of(struct specs *s, const struct doc_node *n)
{
	const struct doc_attr *x = doc_attr(n, "ref");
	const struct doc_record *r;
	const struct doc_node *c;
	const char *spec;
	size_t i;

	if (x != NULL && x->kind == ATTR_REF && x->v.target->ref.kind == REF_OPENAPI &&
	    *(spec = x->v.target->ref.id) != '\0' && map_add(s->seen, str_of(spec), NULL)) {
		s->list = arena_grow(s->a, s->list, s->count, &s->room, sizeof(*s->list));
		s->list[s->count++] = spec;
	}
	for (r = n->table == NULL ? NULL : n->table->records; r != NULL; r = r->next)
		for (i = 0; i < n->table->width; i++)
			if (r->cells[i].blocks != NULL)
				spec_of(s, r->cells[i].blocks);
	for (c = n->child; c != NULL; c = c->next)
		spec_of(s, c);
}

const char **
doc_specs(struct arena *a, const struct doc *d, size_t *count)
{
	struct specs s = { .a = a, .seen = map_new(a) };

	spec_of(&s, d->root);
	*count = s.count;
	return s.list;
}

/* ---- links within the document ---- */

static void
anchors_of(struct map *m, const struct doc_node *n)
{
	const struct doc_node *c;

	if (n->anchor != NULL)
		map_add(m, str_of(n->anchor), (void *)n->anchor);
	for (c = n->frags; c != NULL; c = c->next)
		anchors_of(m, c);
	for (c = n->child; c != NULL; c = c->next)
		anchors_of(m, c);
}

struct settling {
	struct arena          *a;
	const char            *self;             /* id of this page, or NULL */
	const struct doc_node *root;
	struct map     *exact, *places;   /* made when the first link asks */
};

static void
settle_link(struct settling *s, struct doc_target *t)
{
	struct str name = spelling_decode(s->a, str_of(t->ref.anchor));
	const char *place;

	if (s->exact == NULL) {
		struct names all = { .a = s->a, .places = map_new(s->a) };
		s->exact = map_new(s->a);
		anchors_of(s->exact, s->root);
		visit_all(&all, s->root);
		s->places = all.places;
	}
	place = map_get(s->exact, name);
	if (place == NULL)
		place = map_get(s->places, str_of(utf8_lower(s->a, name)));
	if (place != NULL)
		t->ref.anchor = place;
}

static bool
within(const struct settling *s, const struct doc_ref *r)
{
	return r->kind == REF_ANCHOR && r->space == NULL && r->anchor != NULL &&
	    (r->id == NULL || (s->self != NULL && strcmp(r->id, s->self) == 0));
}

static void
settle(struct settling *s, const struct doc_node *n)
{
	const struct doc_record *r;
	const struct doc_node *c;
	struct doc_attr *x = doc_attr(n, "ref");
	size_t i;

	if (x != NULL && x->kind == ATTR_REF && within(s, &x->v.target->ref))
		settle_link(s, x->v.target);
	for (r = n->table == NULL ? NULL : n->table->records; r != NULL; r = r->next)
		for (i = 0; i < n->table->width; i++)
			if (r->cells[i].blocks != NULL)
				settle(s, r->cells[i].blocks);
	for (c = n->frags; c != NULL; c = c->next)
		settle(s, c);
	for (c = n->child; c != NULL; c = c->next)
		settle(s, c);
}

void
doc_settle_links(struct arena *a, struct doc_node *root, const char *self)
{
	struct settling s = { .a = a, .self = self, .root = root };

	settle(&s, root);
}
