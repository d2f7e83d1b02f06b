/* Writes queries as FTS5 expressions (search_parts.h). */
#include "search_parts.h"

/*
 * HINTED: groups of a query up to which names get hints; more would exceed DB_PHRASES. LEAST_TAIL:
 * bytes of a word that may end a compound.
 */
enum { HINTED = 3, LEAST_TAIL = 5 };

/* Weights of hits; the word as typed has 1. */
static const double BEGINNING = 0.4, HINT = 0.5, TAIL = 0.6;

void
search_scope(struct buf *b, const char *scopes, char how)
{
	buf_char(b, 2);
	buf_str(b, scopes);
	buf_char(b, how);
}

/* An expression being written, with a description of each phrase. */
struct query_writer {
	struct buf    b;
	struct query *q;          /* NULL: phrases are not recorded */
	const char   *scopes;
	int           group;
};

/*
 * Call once per phrase, in the order in which they are written: FTS5 numbers phrases by position,
 * and hits carry that number. counted: its rows determine the group's weight.
 */
static void
note_phrase(struct query_writer *w, double weight, size_t width, bool hint, bool counted)
{
	struct query *q = w->q;

	if (q == NULL || q->phrase_count == DB_PHRASES)
		return;
	if (!counted)
		q->uncounted |= (uint64_t)1 << q->phrase_count;
	q->phrases[q->phrase_count++] = (struct query_phrase){ .group = w->group, .weight = weight, .width = (int)width,
		.hint = hint };
}

/* Quoting is safe: a word contains letters, digits and the signs of words.h, never a quote. */
static void
put_word(struct query_writer *w, const struct query_word *word)
{
	buf_char(&w->b, '"');
	search_scope(&w->b, w->scopes, SCOPE_WORD);
	buf_add(&w->b, word->text, word->n);
	buf_char(&w->b, '"');
}

/* Form of a part to search for; a beginning uses the word itself, not its stem. */
static const struct query_word *
searched_form(const struct query_group *g, const struct query_part *p, bool open)
{
	if (p->sign.n > 0)
		return &p->sign;
	return p->stem.n > 0 && !g->joined && !g->quoted && !open ? &p->stem : &p->word;
}

/* "+" joins strings to one phrase: each word carries the scope, so one string is impossible. */
static void
put_phrase(struct query_writer *w, const struct query_group *g, bool open)
{
	size_t i, last = g->count - 1;

	for (i = 0; i <= last; i++) {
		if (i > 0)
			buf_str(&w->b, " + ");
		put_word(w, searched_form(g, &g->parts[i], open && i == last));
	}
	if (open)
		buf_str(&w->b, " *");
}

static void
put_alt(struct query_writer *w, const struct query_alt *alt)
{
	bool named = alt->named && w->q != NULL && !w->q->anywhere;
	size_t i;

	/* Leave room for the phrases of the following groups. */
	if (w->q != NULL && w->q->phrase_count + 3 * ((int)w->q->count - w->group) >= DB_PHRASES)
		return;
	buf_str(&w->b, named ? " OR {title heading trail} : (" : " OR ");
	for (i = 0; i < alt->count; i++) {
		buf_str(&w->b, i == 0 ? "" : " + ");
		put_word(w, &alt->words[i]);
	}
	if (alt->open)
		buf_str(&w->b, " *");
	if (named)
		buf_char(&w->b, ')');
	/*
	 * Synonyms are many and common: counting all of them would double the cost of the search.
	 */
	note_phrase(w, alt->weight, alt->count, false, !alt->synonym);
	if (w->q != NULL && alt->synonym)
		w->q->phrases[w->q->phrase_count - 1].synonym = true;
}

/*
 * Exact spelling of a name, which adds no hits but scores more. If it may be a beginning, that is a
 * phrase of its own, because the whole scores more.
 */
static void
put_literal(struct query_writer *w, const struct query_group *g, bool open)
{
	const struct query_part *p;
	size_t i;

	if (w->q == NULL || w->q->phrase_count == DB_PHRASES)
		return;
	buf_str(&w->b, " OR ");
	for (i = 0; i < g->literal_count; i++) {
		p = &g->literal[i];
		buf_str(&w->b, i > 0 ? " + " : "");
		put_word(w, p->sign.n > 0 ? &p->sign : p->link.n > 0 ? &p->link : &p->word);
	}
	buf_str(&w->b, open ? " *" : "");
	note_phrase(w, 0, 0, true, false);
	w->q->phrases[w->q->phrase_count - 1].literal = true;
	w->q->phrases[w->q->phrase_count - 1].open = open;
}

/* Compounds that end in the word, if the index has the ends of long words. */
static void
put_tail(struct query_writer *w, const struct query_group *g)
{
	/* synonym: ends of words do not determine the word's weight, as many more pages have them. */
	struct query_alt alt = { .count = 1, .weight = TAIL, .synonym = true };
	const struct query_word *word = &g->parts[0].word;

	if (g->count != 1 || g->pair || g->quoted || g->parts[0].sign.n > 0 || word->n < LEAST_TAIL ||
	    word->n + 1 > WORD_MAX)
		return;
	alt.words[0].text[0] = WORD_TAIL_SIGN;
	memcpy(alt.words[0].text + 1, word->text, word->n);
	alt.words[0].n = word->n + 1;
	put_alt(w, &alt);
}

/* Words that a group's phrase covers; a pair of dense script covers two. */
static size_t
group_width(const struct query_group *g)
{
	return g->count + (g->pair && g->parts[0].word.n > 4);
}

/* Mark the last phrase as the exact spelling of an identifier in one word. */
static void
mark_name(struct query_writer *w, const struct query_group *g, bool open)
{
	struct query_phrase *p = w->q == NULL ? NULL : &w->q->phrases[w->q->phrase_count - 1];

	if (p == NULL || !g->name)
		return;
	p->literal = true;
	p->open = open;
}

/*
 * Write the group as alternatives in parentheses: words, beginning, other forms, ends of compounds.
 */
static void
put_group(struct query_writer *w, const struct query_group *g)
{
	bool open = g->prefix && !g->quoted && !(w->q != NULL && w->q->titles) && !(g->pair && g->parts[0].word.n > 4), whole = !open || g->count > 1 || !g->pair;
	size_t i;

	buf_char(&w->b, '(');
	/* The word and its beginning are two phrases, so that the word itself scores more. */
	if (whole) {
		put_phrase(w, g, false);
		note_phrase(w, 1, group_width(g), false, true);
		mark_name(w, g, false);
	}
	if (open && g->parts[g->count - 1].sign.n == 0) {
		buf_str(&w->b, whole ? " OR " : "");
		put_phrase(w, g, true);
		/* Counting the rows of a beginning would double the cost of the search. */
		note_phrase(w, whole ? BEGINNING : 1, group_width(g), false, !whole);
		mark_name(w, g, true);
	}
	if (g->literal_count > 0)
		put_literal(w, g, false);
	if (g->literal_count > 0 && open)
		put_literal(w, g, true);
	for (i = 0; i < g->alt_count; i++)
		put_alt(w, &g->alts[i]);
	put_tail(w, g);
	buf_char(&w->b, ')');
}

/*
 * Adds phrases for titles that contain parts of a name. They add no hits, but raise the page that
 * is about the name.
 */
static void
put_hints(struct query_writer *w, const struct query_group *g)
{
	size_t i;

	buf_str(&w->b, " OR (");
	put_phrase(w, g, false);
	note_phrase(w, 0, 0, true, false);
	buf_str(&w->b, " AND {title trail} : (");
	for (i = 0; i < g->hint_count; i++) {
		if (i > 0)
			buf_str(&w->b, " OR ");
		put_word(w, &g->hints[i]);
		note_phrase(w, HINT, g->pair ? 2 : 1, true, false);
	}
	buf_str(&w->b, "))");
}

/* The whole query as typed: it adds no hits, since pages with it have all its words. */
static void
put_typed(struct query_writer *w)
{
	size_t i;

	buf_str(&w->b, " OR {title heading} : (");
	for (i = 0; i < w->q->typed_count; i++) {
		if (i > 0)
			buf_str(&w->b, " + ");
		put_word(w, &w->q->typed[i]);
	}
	buf_char(&w->b, ')');
	w->group = 0;
	note_phrase(w, 0, 0, true, false);
	w->q->phrases[w->q->phrase_count - 1].whole = true;
}

/* True for a name of several parts, or a run of a script without blanks: pages may have only its parts (hints). */
static bool
is_name(const struct query_group *g)
{
	return g->hint_count > 1 && (g->joined || (g->pair && g->count > 1));
}

/*
 * Excludes the path, which alone makes no hit (score_row()). Without a query, no phrase is
 * recorded.
 */
char *
query_group_expression(const struct query_group *g, struct arena *a, const char *scopes)
{
	struct query_writer w = { .scopes = scopes };

	buf_init(&w.b, a, 64 << 10);
	buf_str(&w.b, "{title heading body} : ");
	put_group(&w, g);
	return w.b.p;
}

bool
query_stops(const struct query *q)
{
	return q->count == 1 && q->groups[0].stop && !q->groups[0].quoted;
}

/* Records the phrases again for each expression: their numbers belong to it. */
char *
query_expression(struct query *q, struct arena *a, const char *scopes, const char *between)
{
	struct query_writer w = { .q = q, .scopes = scopes };
	const struct query_group *g;

	buf_init(&w.b, a, 1 << 20);
	q->phrase_count = 0;
	q->uncounted = 0;
	if (q->titles)
		buf_str(&w.b, "{title heading} : (");
	for (; w.group < (int)q->count; w.group++) {
		g = &q->groups[w.group];
		buf_str(&w.b, w.group > 0 ? between : "");
		buf_char(&w.b, '(');
		put_group(&w, g);
		if (q->count <= HINTED && is_name(g))
			put_hints(&w, g);
		buf_char(&w.b, ')');
	}
	if (q->titles)
		buf_char(&w.b, ')');
	/* AND binds tighter than OR in FTS5, so this is an alternative to all groups together. */
	else if (q->typed_count > 0 && q->phrase_count < DB_PHRASES)
		put_typed(&w);
	return w.b.p;
}
