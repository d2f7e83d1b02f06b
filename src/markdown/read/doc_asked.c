/*
 * From what a parse asked about to the places of the body that it asked about.
 *
 * The parse asks once for each link, image, element and tag that has a target, by its
 * spelling. Of all places that are spelled so and could be asked about in that way, either
 * all are targets, or none is (in code, in a comment): where the numbers say so it is
 * certain, and else it is not told. A definition is asked about by its number, which
 * is its place's where there are as many definitions as places, spelled alike.
 */
#include "doc_links.h"
#include "base/map.h"

/* One spelling: its places in the body, and the questions about it by kind. */
struct spelled {
	struct spelled *next;      /* list of all, in any order */
	size_t          places[ASK_KINDS], asks[ASK_KINDS];
	enum doc_use    use[ASK_KINDS];    /* use in the first question */
	bool            mixed[ASK_KINDS];  /* later questions had another use */
};

struct matching {
	struct finder    *f;
	const struct doc *d;
	struct map       *by_spelling;
	struct spelled   *all;
	struct spelled  **of_place, **of_ask;   /* by number; of_ask NULL: the spelling has no place */
	bool              lost[ASK_KINDS];      /* a question of that kind has no place */
};

/*
 * Group of a spelling, created if `new`. last and g are the group found before, which is often the
 * same.
 */
static struct spelled *
find_group(struct matching *m, struct str s, bool new, struct str *last, struct spelled *g)
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
		g->next = m->all;
		*at = m->all = g;
	}
	return *at;
}

static void
group_places(struct matching *m)
{
	struct str last = { NULL, 0 };
	struct spelled *g = NULL;
	struct place *p;

	for (size_t i = 0; i < m->f->count; i++) {
		p = &m->f->places[i];
		p->spelling = place_spelling(m->f, p);
		g = find_group(m, p->spelling, true, &last, g);
		g->places[p->by]++;
		m->of_place[i] = g;
	}
}

/* True for a lone fragment, an anchor in the document itself, which is never asked about. */
static bool
lone_fragment(const struct doc_ask *q)
{
	return q->spelling.n == 0 || (q->spelling.p[0] == '#' && q->use == USE_LINK);
}

static void
group_asks(struct matching *m)
{
	struct str last = { NULL, 0 };
	const struct doc_ask *q;
	struct spelled *g = NULL;

	for (size_t i = 0; i < m->d->ask_count; i++) {
		q = &m->d->asks[i];
		g = find_group(m, spelling_decode(m->f->a, q->spelling), false, &last, g);
		m->of_ask[i] = g;
		if (g == NULL || (g->places[q->by] == 0 && q->by != BY_ADDRESS))
			m->lost[q->by] = m->lost[q->by] || !lone_fragment(q);
		if (g == NULL)
			continue;
		if (g->asks[q->by]++ == 0)
			g->use[q->by] = q->use;
		g->mixed[q->by] = g->mixed[q->by] || g->use[q->by] != q->use;
	}
}

/* True if either all places of this kind and spelling are targets, or none is. */
static bool
all_or_none(const struct spelled *g, enum ask_by by)
{
	size_t n = g->places[by], asked = g->asks[by];

	return n == 0 || asked == 0 || (asked == n && !g->mixed[by]);
}

static bool
groups_told(const struct matching *m)
{
	const struct spelled *g;

	for (g = m->all; g != NULL; g = g->next)
		/* An address may also be the text of a link. */
		if (g->asks[BY_ADDRESS] > 0 || g->asks[BY_UNSURE] > 0 || !all_or_none(g, BY_LINK) || !all_or_none(g, BY_OTHER))
			return false;
	return true;
}

/*
 * True unless there are a question without a place and a place without a question: these may be one
 * target, whose spelling is decoded differently.
 */
static bool
none_lost(const struct matching *m)
{
	const struct place *p = m->f->places;

	for (size_t i = 0; i < m->f->count; i++)
		if (m->lost[p[i].by] && m->of_place[i]->asks[p[i].by] == 0)
			return false;
	return !m->lost[BY_REFERENCE];
}

/* Match definitions to their places in order; cmark lists the last one first. */
static bool
definitions_told(const struct matching *m)
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

/* used[n]: 1 + the use in the first question about definition n; 0: none. */
static void
mark_definitions(struct matching *m, const unsigned char *used)
{
	size_t left = m->d->reference_count;
	struct place *p;

	for (size_t i = 0; i < m->f->count; i++) {
		p = &m->f->places[i];
		if (p->by != BY_REFERENCE)
			continue;
		left--;
		p->asked = used[left] > 0;
		p->use = p->asked ? (enum doc_use)(used[left] - 1) : USE_LINK;
	}
}

static bool
take_definitions(struct matching *m)
{
	unsigned char *used = NULL;
	const struct doc_ask *q;

	for (q = m->d->asks; q < m->d->asks + m->d->ask_count; q++) {
		if (q->by != BY_REFERENCE)
			continue;
		if (used == NULL && !definitions_told(m))
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
mark_places(struct matching *m)
{
	const struct spelled *g;
	struct place *p;

	for (size_t i = 0; i < m->f->count; i++) {
		p = &m->f->places[i];
		g = m->of_place[i];
		if (p->by == BY_REFERENCE || g->asks[p->by] == 0)
			continue;
		p->asked = true;
		p->use = g->use[p->by];
	}
}

/* As in conv_target(): of addresses elsewhere only links are reported. */
static void
list_loose(struct matching *m)
{
	const struct doc_ask *q;

	for (size_t i = 0; i < m->d->ask_count; i++) {
		q = &m->d->asks[i];
		if (lone_fragment(q) || q->by == BY_REFERENCE || (m->of_ask[i] != NULL && m->of_ask[i]->places[q->by] > 0))
			continue;
		if (!spelling_elsewhere(q->spelling))
			finder_loose(m->f, spelling_decode(m->f->a, q->spelling), q->use);
		else if (q->use == USE_LINK)
			finder_loose(m->f, q->spelling, q->use);
	}
}

bool
links_told(struct finder *f, const struct doc *d)
{
	struct matching m = { .f = f, .d = d };

	m.by_spelling = map_new(f->a);
	m.of_place = arena_array(f->a, f->count, sizeof(struct spelled *));
	m.of_ask = arena_array(f->a, d->ask_count, sizeof(struct spelled *));
	group_places(&m);
	group_asks(&m);
	if (!groups_told(&m) || !none_lost(&m) || !take_definitions(&m))
		return false;
	mark_places(&m);
	list_loose(&m);
	return true;
}
