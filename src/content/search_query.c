/* Queries: from what a reader typed to FTS5's expressions (search_parts.h). */
#include "search_parts.h"

void
search_scope(struct buf *b, int64_t space, char how)
{
	buf_char(b, 2);
	buf_int(b, space);
	buf_char(b, how);
}

static struct query_part *
add_part(struct query *q, const struct word *w)
{
	struct query_group *g = q->count == 0 ? NULL : &q->groups[q->count - 1];

	if (g == NULL || !w->glued || g->count == PARTS || g->pair != w->pair) {
		if (q->count == GROUPS)
			return NULL;
		g = &q->groups[q->count++];
		*g = (struct query_group){ .pair = w->pair };
	}
	/* The end of a dense run says nothing that its last pair does not. */
	if (w->tail && g->count > 0)
		return NULL;
	g->joined |= w->joined || w->camel;
	g->prefix |= w->tail;
	return &g->parts[g->count++];
}

static void
keep(char *to, size_t *n, const struct word *w)
{
	memcpy(to, w->text, w->n);
	*n = w->n;
}

struct reading {
	struct query      *q;
	struct query_part *part;
};

static bool
read_word(void *ctx, const struct word *w)
{
	struct reading *r = ctx;

	if (w->kind == WORD_MAIN) {
		r->part = add_part(r->q, w);
		if (r->part != NULL)
			keep(r->part->word, &r->part->n, w);
	} else if (w->kind == WORD_STEM && r->part != NULL && !r->q->groups[r->q->count - 1].joined) {
		keep(r->part->stem, &r->part->stem_n, w);
	} else if (w->kind == WORD_SIGN && r->part != NULL) {
		keep(r->part->sign, &r->part->sign_n, w);
	}
	return true;
}

static bool
is_stop(const struct query_group *g)
{
	return g->count == 1 && g->parts[0].sign_n == 0 &&
	    word_is_stop(g->parts[0].word, g->parts[0].n);
}

static bool
same_group(const struct query_group *a, const struct query_group *b)
{
	size_t i;

	for (i = 0; i < a->count && i < b->count; i++)
		if (a->parts[i].n != b->parts[i].n ||
		    memcmp(a->parts[i].word, b->parts[i].word, a->parts[i].n) != 0)
			return false;
	return a->count == b->count;
}

/* A word that is asked for twice counts once. */
static void
drop_repeats(struct query *q)
{
	size_t i, k, n = 0;

	for (i = 0; i < q->count; i++) {
		for (k = 0; k < n && !same_group(&q->groups[k], &q->groups[i]); k++)
			;
		if (k == n)
			q->groups[n++] = q->groups[i];
		else
			q->groups[k].prefix |= q->groups[i].prefix;
	}
	q->count = n;
}

/*
 * Is the word still being typed, perhaps? One letter alone would be half the
 * index; and what has an ending already, or is long, is a whole word: it is a
 * beginning only where it is not found otherwise (query_open).
 */
static bool
may_go_on(const struct query_part *p)
{
	return p->n > 1 && p->n < 10 && (p->stem_n == 0 || p->stem_n + 2 > p->n);
}

bool
query_open(struct query *q)
{
	struct query_group *g = q->count == 0 ? NULL : &q->groups[q->count - 1];

	if (g == NULL || g->prefix || g->parts[g->count - 1].n < 2)
		return false;
	return g->prefix = true;
}

void
query_read(struct query *q, struct str text)
{
	struct reading r = { q, NULL };
	struct query_group *last;
	size_t i;

	memset(q, 0, sizeof(*q));
	words_each(text, read_word, &r);
	if (q->count == 0)
		return;
	last = &q->groups[q->count - 1];
	last->prefix |= may_go_on(&last->parts[last->count - 1]);
	for (i = 0; i < q->count; i++) {
		q->groups[i].at = (int)i;
		q->groups[i].stop = is_stop(&q->groups[i]);
	}
	drop_repeats(q);
}

void
query_trim(struct query *q, size_t most)
{
	size_t i, n = 0, stops = 0;

	for (i = 0; i < q->count; i++)
		stops += q->groups[i].stop;
	for (i = 0; i < q->count; i++)
		if ((!q->groups[i].stop || stops == q->count) && n < most)
			q->groups[n++] = q->groups[i];
	q->count = n;
}

void
query_loosen(struct query *q)
{
	struct query old = *q;
	size_t i, k;

	q->count = 0;
	for (i = 0; i < old.count; i++)
		for (k = 0; k < old.groups[i].count && q->count < GROUPS; k++) {
			struct query_group *g = &q->groups[q->count++];
			*g = old.groups[i];
			g->parts[0] = old.groups[i].parts[k];
			if (old.groups[i].count > 1) {
				g->parts[0].sign_n = 0;
				g->others = 0;
				g->prefix = g->prefix && k + 1 == old.groups[i].count;
			}
			g->count = 1;
			g->stop = is_stop(g);
			g->at = (int)q->count;
		}
	drop_repeats(q);
}

static void
put_word(struct buf *b, int64_t space, const char *word, size_t n)
{
	buf_char(b, '"');
	search_scope(b, space, SCOPE_WORD);
	buf_add(b, word, n);
	buf_char(b, '"');
}

static void
put_part(struct buf *b, int64_t space, const struct query_group *g, const struct query_part *p,
    bool whole)
{
	if (p->sign_n > 0)
		put_word(b, space, p->sign, p->sign_n);
	else if (p->stem_n > 0 && !g->joined && !whole)
		put_word(b, space, p->stem, p->stem_n);
	else
		put_word(b, space, p->word, p->n);
}

/* Counts the phrases that it writes. */
static int
put_group(struct buf *b, int64_t space, const struct query_group *g)
{
	bool open = g->prefix && !(g->pair && g->parts[0].n > 4);
	size_t i, last = g->count - 1;
	int phrases = 0;

	buf_char(b, '(');
	/* A word alone and its beginning are two phrases, so that the word itself weighs more. */
	if (!open || last > 0 || !g->pair) {
		for (i = 0; i <= last; i++) {
			if (i > 0)
				buf_str(b, " + ");
			put_part(b, space, g, &g->parts[i], false);
		}
		phrases++;
	}
	if (open && g->parts[last].sign_n == 0) {
		if (phrases > 0)
			buf_str(b, " OR ");
		for (i = 0; i <= last; i++) {
			if (i > 0)
				buf_str(b, " + ");
			put_part(b, space, g, &g->parts[i], i == last);
		}
		buf_str(b, " *");
		phrases++;
	}
	for (i = 0; i < g->others; i++, phrases++) {
		buf_str(b, " OR ");
		put_word(b, space, g->other[i], g->other_n[i]);
	}
	buf_char(b, ')');
	return phrases;
}

char *
query_group_expression(const struct query_group *g, struct arena *a, int64_t space)
{
	struct buf b;

	buf_init(&b, a, 64 << 10);
	put_group(&b, space, g);
	return b.p;
}

char *
query_expression(struct query *q, struct arena *a, int64_t space, const char *between)
{
	struct buf b;
	size_t i;
	int n, k;

	buf_init(&b, a, 1 << 20);
	q->phrases = 0;
	for (i = 0; i < q->count; i++) {
		if (i > 0)
			buf_str(&b, between);
		n = put_group(&b, space, &q->groups[i]);
		for (k = 0; k < n && q->phrases < DB_PHRASES; k++) {
			q->phrase_group[q->phrases] = (int)i;
			q->phrase_weight[q->phrases++] = k == 0 ? 1.0 : 0.4;
		}
	}
	return b.p;
}

/* ---- words that are nearly right ---- */

SQL(q_terms, "SELECT term, doc FROM search_term WHERE term >= :from AND term < :to");

/* One letter added, left out, replaced, or two neighbours exchanged. */
static bool
is_near(struct str a, struct str b)
{
	size_t i = 0, tail = 0;

	if (a.n > b.n + 1 || b.n > a.n + 1)
		return false;
	while (i < a.n && i < b.n && a.p[i] == b.p[i])
		i++;
	while (tail < a.n - i && tail < b.n - i && a.p[a.n - 1 - tail] == b.p[b.n - 1 - tail])
		tail++;
	a = str_slice(a, i, a.n - tail);
	b = str_slice(b, i, b.n - tail);
	if (a.n <= 1 && b.n <= 1)
		return true;
	return a.n == 2 && b.n == 2 && a.p[0] == b.p[1] && a.p[1] == b.p[0];
}

/* Keeps the ones that most pages hold. */
static void
take_near(struct query_group *g, int64_t *rows, struct str term, int64_t n)
{
	size_t i, k;

	if (term.n > WORD_MAX)
		return;
	for (i = 0; i < g->others && rows[i] >= n; i++)
		;
	if (i == OTHERS)
		return;
	if (g->others < OTHERS)
		g->others++;
	for (k = g->others - 1; k > i; k--) {
		memcpy(g->other[k], g->other[k - 1], WORD_MAX);
		g->other_n[k] = g->other_n[k - 1];
		rows[k] = rows[k - 1];
	}
	memcpy(g->other[i], term.p, term.n);
	g->other_n[i] = term.n;
	rows[i] = n;
}

static void
scan_terms(struct db *db, struct query_group *g, const char *from, const char *to, size_t scope)
{
	struct stmt *q = db_use(db, &q_terms);
	struct str word = { g->parts[0].word, g->parts[0].n };
	int64_t rows[OTHERS] = { 0 };

	bind_text(q, ":from", from);
	bind_text(q, ":to", to);
	while (stmt_step(q)) {
		struct str term = col_bytes(q, 0);
		if (term.n > scope && is_near(word, str_slice(term, scope, term.n)))
			take_near(g, rows, str_slice(term, scope, term.n), col_int(q, 1));
	}
}

bool
query_mend(struct db *db, struct arena *a, struct query_group *g, int64_t space)
{
	const struct query_part *p = &g->parts[0];
	char *from = arena_printf(a, "%lld ", (long long)space), *near, *to;
	size_t scope = strlen(from);

	if (g->count != 1 || g->pair || p->n < 4 || (unsigned char)p->word[0] >= 0x80)
		return false;
	/* The first letter is rarely the wrong one, and most terms begin with another. */
	near = arena_printf(a, "%s%c", from, p->word[0]);
	to = arena_printf(a, "%s%c", from, p->word[0] + 1);
	scan_terms(db, g, near, to, scope);
	to = arena_printf(a, "%lld!", (long long)space);
	if (g->others == 0)
		scan_terms(db, g, from, to, scope);
	return g->others > 0;
}
