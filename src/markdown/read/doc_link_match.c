/*
 * Finds out which places of a body are link targets, by comparing them with the lookups of a parse.
 *
 * The parse looks up each target once, by its spelling: those of links, images, elements and tags.
 * Places and lookups are grouped by spelling and by kind of syntax (enum lookup_by). If a group has
 * as many lookups as places, all its places are targets. If it has no lookups, none is: the
 * spelling is in code or in a comment. In all other cases the result is uncertain, and
 * match_lookups() fails.
 *
 * A definition is looked up by its number. If there are as many definitions as places of
 * definitions, with the same spellings, the number is the index of the place.
 */
#include "doc_links.h"
#include "base/map.h"

/* One spelling: the number of its places in the body, and of its lookups, for each kind of syntax. */
struct spelling_group {
	struct spelling_group *next;       /* list of all, in any order */
	size_t                 places[LOOKUP_KINDS], lookups[LOOKUP_KINDS];
	enum doc_use           use[LOOKUP_KINDS];    /* doc_use of the first lookup */
	bool                   mixed[LOOKUP_KINDS];  /* a later lookup had another doc_use */
};

struct match_ctx {
	struct finder          *f;
	const struct doc       *d;
	struct map             *by_spelling;
	struct spelling_group  *groups;
	struct spelling_group **group_of_place, **group_of_lookup;   /* by number; NULL: the lookup has no place */
	bool                    unplaced[LOOKUP_KINDS];      /* a lookup of that kind has no place */
};

/*
 * The group of a spelling, which is created if `new`. last and g: spelling and group of the
 * previous call, which are often the same.
 */
static struct spelling_group *
find_group(struct match_ctx *m, struct str s, bool new, struct str *last, struct spelling_group *g)
{
	void **at;

	/* The last answer may also be NULL. */
	if (last->p != NULL && str_eq(*last, s))
		return g;
	*last = s;
	if (!new)
		return map_get(m->by_spelling, s);
	at = map_at(m->by_spelling, s);
	if (*at == NULL) {
		g = arena_alloc(m->f->a, sizeof(*g));
		g->next = m->groups;
		*at = m->groups = g;
	}
	return *at;
}

static void
group_places(struct match_ctx *m)
{
	struct str last = { NULL, 0 };
	struct spelling_group *g = NULL;
	struct place *p;

	for (size_t i = 0; i < m->f->count; i++) {
		p = &m->f->places[i];
		p->spelling = place_spelling(m->f, p);
		g = find_group(m, p->spelling, true, &last, g);
		g->places[p->by]++;
		m->group_of_place[i] = g;
	}
}

/*
 * True if the look-up is recorded but never resolved: an empty spelling, or a fragment alone, which
 * names an anchor of the document itself.
 */
static bool
is_never_resolved(const struct doc_lookup *q)
{
	return q->spelling.n == 0 || (q->spelling.p[0] == '#' && q->use == USE_LINK);
}

static void
group_lookups(struct match_ctx *m)
{
	struct str last = { NULL, 0 };
	const struct doc_lookup *q;
	struct spelling_group *g = NULL;

	for (size_t i = 0; i < m->d->lookup_count; i++) {
		q = &m->d->lookups[i];
		g = find_group(m, spelling_decode(m->f->a, q->spelling), false, &last, g);
		m->group_of_lookup[i] = g;
		if (g == NULL || (g->places[q->by] == 0 && q->by != BY_ADDRESS))
			m->unplaced[q->by] = m->unplaced[q->by] || !is_never_resolved(q);
		if (g == NULL)
			continue;
		if (g->lookups[q->by]++ == 0)
			g->use[q->by] = q->use;
		g->mixed[q->by] = g->mixed[q->by] || g->use[q->by] != q->use;
	}
}

/* True if either all places of this kind and spelling are targets, or none is. */
static bool
all_or_none(const struct spelling_group *g, enum lookup_by by)
{
	size_t n = g->places[by], lookups = g->lookups[by];

	return n == 0 || lookups == 0 || (lookups == n && !g->mixed[by]);
}

static bool
has_certain_targets(const struct match_ctx *m)
{
	const struct spelling_group *g;

	for (g = m->groups; g != NULL; g = g->next)
		/* An address may also be the text of a link. */
		if (g->lookups[BY_ADDRESS] > 0 || g->lookups[BY_UNSURE] > 0 || !all_or_none(g, BY_LINK) || !all_or_none(g, BY_OTHER))
			return false;
	return true;
}

/*
 * False if there are both a lookup without a place and a place without a lookup: they may be the
 * same target, whose spelling was decoded differently.
 */
static bool
all_are_placed(const struct match_ctx *m)
{
	const struct place *p = m->f->places;

	for (size_t i = 0; i < m->f->count; i++)
		if (m->unplaced[p[i].by] && m->group_of_place[i]->lookups[p[i].by] == 0)
			return false;
	return !m->unplaced[BY_REFERENCE];
}

/* Match definitions to their places in order; cmark lists the last one first. */
static bool
match_definitions(const struct match_ctx *m)
{
	size_t left = m->d->reference_count;
	const struct place *p;
	struct str url;

	for (size_t i = 0; i < m->f->count; i++) {
		p = &m->f->places[i];
		if (p->by != BY_REFERENCE)
			continue;
		if (left-- == 0)
			return false;
		url = m->d->references[left]->url;
		if (!str_eq(p->spelling, spelling_decode(m->f->a, url)))
			return false;
	}
	return left == 0;
}

/* used[n]: 1 + the use in the first lookup of definition n; 0: it was not looked up. */
static void
mark_definitions(struct match_ctx *m, const unsigned char *used)
{
	size_t left = m->d->reference_count;
	struct place *p;

	for (size_t i = 0; i < m->f->count; i++) {
		p = &m->f->places[i];
		if (p->by != BY_REFERENCE)
			continue;
		left--;
		p->looked_up = used[left] > 0;
		p->use = p->looked_up ? (enum doc_use)(used[left] - 1) : USE_LINK;
	}
}

static bool
take_definitions(struct match_ctx *m)
{
	unsigned char *used = NULL;
	const struct doc_lookup *q;

	for (q = m->d->lookups; q < m->d->lookups + m->d->lookup_count; q++) {
		if (q->by != BY_REFERENCE)
			continue;
		if (used == NULL && !match_definitions(m))
			return false;
		if (used == NULL)
			used = arena_alloc(m->f->a, m->d->reference_count);
		if (used[q->reference] == 0)
			used[q->reference] = (unsigned char)(q->use + 1);
	}
	if (used != NULL)
		mark_definitions(m, used);
	return true;
}

static void
mark_places(struct match_ctx *m)
{
	const struct spelling_group *g;
	struct place *p;

	for (size_t i = 0; i < m->f->count; i++) {
		p = &m->f->places[i];
		g = m->group_of_place[i];
		if (p->by == BY_REFERENCE || g->lookups[p->by] == 0)
			continue;
		p->looked_up = true;
		p->use = g->use[p->by];
	}
}

/*
 * Lists the look-ups for which the body has no place. Of addresses outside of the space it lists only
 * those of links, as conv_target() does.
 */
static void
list_unplaced(struct match_ctx *m)
{
	const struct doc_lookup *q;

	for (size_t i = 0; i < m->d->lookup_count; i++) {
		q = &m->d->lookups[i];
		/* Definitions are listed by their own places; a group with places of this syntax has one for the look-up. */
		if (is_never_resolved(q) || q->by == BY_REFERENCE || (m->group_of_lookup[i] != NULL && m->group_of_lookup[i]->places[q->by] > 0))
			continue;
		if (!spelling_elsewhere(q->spelling))
			finder_add_unplaced(m->f, spelling_decode(m->f->a, q->spelling), q->use);
		else if (q->use == USE_LINK)
			finder_add_unplaced(m->f, q->spelling, q->use);
	}
}

bool
match_lookups(struct finder *f, const struct doc *d)
{
	struct match_ctx m = { .f = f, .d = d };

	m.by_spelling = map_new(f->a);
	m.group_of_place = arena_array(f->a, f->count, sizeof(struct spelling_group *));
	m.group_of_lookup = arena_array(f->a, d->lookup_count, sizeof(struct spelling_group *));
	group_places(&m);
	group_lookups(&m);
	if (!has_certain_targets(&m) || !all_are_placed(&m) || !take_definitions(&m))
		return false;
	mark_places(&m);
	list_unplaced(&m);
	return true;
}
