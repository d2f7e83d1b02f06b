/*
 * Reads a query: the typed text as groups of words (search_parts.h).
 *
 * Each spelling of a compound finds the others: "star-tree", "star_tree", "starTree" and "star
 * tree" have the alternative "startree", "starTree" also has "star tree"; the index has "startree"
 * beside "star-tree".
 */
#include "base/utf8.h"
#include "search_parts.h"

/*
 * LEAST_COMPOUND: bytes of two words written as one; a shorter one is too often another word.
 * COMPOUND_GROUPS: groups up to which neighbours are joined; a longer query is a sentence, whose
 * alternatives would exceed DB_PHRASES. LONG_WORD: letters of a word that is hardly still being
 * typed.
 */
enum { LEAST_COMPOUND = 6, COMPOUND_GROUPS = 4, LONG_WORD = 10 };

/* Weights of hits; the words as typed have 1. */
static const double OTHER_FORM = 0.95, WITHOUT_SIGN = 0.5;

/* ---- reading ---- */

/*
 * State while words arrive from words_of_query(), each main word followed by its variants. part is
 * NULL after a main word that was dropped.
 */
struct query_reader {
	struct query      *q;
	struct query_part *part;
	struct query_alt   camel;        /* parts of the current word */
	enum language      lang;         /* language of the query */
	bool               quoted;       /* within quotes, ... */
	bool               begun;        /* ... and the phrase has begun */
};

/* NULL if the query has no group yet. */
static struct query_group *
last_group(struct query *q)
{
	return q->count == 0 ? NULL : &q->groups[q->count - 1];
}

/* Copy: the word's bytes are valid only during the call. A word has at most WORD_MAX bytes. */
static void
copy_word(struct query_word *to, const struct word *w)
{
	memcpy(to->text, w->text, w->n);
	to->n = w->n;
}

static bool
same_word(const struct query_word *a, const struct query_word *b)
{
	return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

/*
 * Slot for a main word: in the current group if it is glued to it or in the same quotes, else in a
 * new one. NULL if the word does not count or there is no room.
 */
static struct query_part *
add_part(struct query_reader *r, const struct word *w)
{
	struct query *q = r->q;
	struct query_group *g = last_group(q);
	bool glued = r->quoted ? r->begun : w->glued && (g == NULL || !g->quoted);

	r->begun = true;
	/* A group is full with PARTS words. Except in quotes, words of scripts with and without blanks are not mixed. */
	if (g == NULL || !glued || g->count == PARTS || (g->pair != w->pair && !r->quoted)) {
		if (q->count == GROUPS)
			return NULL;
		g = &q->groups[q->count++];
		*g = (struct query_group){ .pair = w->pair, .quoted = r->quoted };
	}
	/* The last character of a dense run adds nothing to its last pair. */
	if (w->tail && g->count > 0)
		return NULL;
	g->joined |= w->joined || w->camel;
	g->prefix |= w->tail;
	return &g->parts[g->count++];
}

/* Without room the alternative is dropped: the word itself is still found. */
static void
add_alt(struct query_group *g, const struct query_alt *alt)
{
	if (g->alt_count < ALTS && alt->count > 0)
		g->alts[g->alt_count++] = *alt;
}

/* A stem replaces its word. */
static void
add_hint(struct query_group *g, const struct word *w)
{
	struct query_word hint;
	size_t i;

	copy_word(&hint, w);
	if (w->kind == WORD_STEM && g->hint_count > 0)
		g->hint_count--;
	for (i = 0; i < g->hint_count; i++)
		if (same_word(&g->hints[i], &hint))
			return;
	if (g->hint_count < HINTS && w->n > 1 && !w->tail && !word_is_stop(w->text, w->n))
		g->hints[g->hint_count++] = hint;
}

/*
 * Adds the parts of a camel-case word as one alternative. Called at the next word, when the parts
 * are complete. A group of several parts gets none, since the alternative would match only one of
 * them.
 */
static void
end_word(struct query_reader *r)
{
	struct query_group *g = last_group(r->q);

	if (r->part != NULL && g->count == 1 && r->camel.count > 1)
		add_alt(g, &r->camel);
	r->camel = (struct query_alt){ .weight = OTHER_FORM };
}

/*
 * Parts, stems and signs belong to the main word before them. Always true, to read the whole query:
 * add_part() drops what does not fit.
 */
static bool
read_word(void *ctx, const struct word *w)
{
	struct query_reader *r = ctx;
	struct query_group *g;

	if (w->kind == WORD_MAIN) {
		end_word(r);
		r->part = add_part(r, w);
	}
	if (r->part == NULL)
		return true;
	g = last_group(r->q);
	if (w->kind == WORD_MAIN)
		copy_word(&r->part->word, w);
	else if (w->kind == WORD_STEM && !g->joined)
		copy_word(&r->part->stem, w);
	else if (w->kind == WORD_SIGN)
		copy_word(&r->part->sign, w);
	else if (w->kind == WORD_LINK)
		copy_word(&r->part->link, w);
	else if (w->kind == WORD_PART && r->camel.count < ALT_WORDS)
		copy_word(&r->camel.words[r->camel.count++], w);
	/* Of a camel-case word the parts are hints, not the whole. */
	if (w->kind == WORD_PART || w->kind == WORD_STEM || (w->kind == WORD_MAIN && !w->camel))
		add_hint(g, w);
	return true;
}

/* ---- other forms ---- */

/* True if the word has only ASCII letters and no sign. */
static bool
is_plain(const struct query_part *p)
{
	size_t i;

	for (i = 0; i < p->word.n; i++)
		if (p->word.text[i] < 'a' || p->word.text[i] > 'z')
			return false;
	return p->sign.n == 0 && p->word.n > 1;
}

/* Join the words of list[0..n) to one. */
static bool
join_parts(struct query_alt *out, const struct query_part *list, size_t n)
{
	struct query_word *w = &out->words[0];
	size_t i;

	*out = (struct query_alt){ .count = 1, .weight = OTHER_FORM };
	for (i = 0; i < n; i++) {
		if (!is_plain(&list[i]) || w->n + list[i].word.n > WORD_MAX)
			return false;
		memcpy(w->text + w->n, list[i].word.text, list[i].word.n);
		w->n += list[i].word.n;
	}
	return w->n >= LEAST_COMPOUND;
}

/* --flag and @include also match without their signs; C++ does not. */
static void
add_without_sign(struct query_group *g)
{
	struct query_alt alt = { .weight = WITHOUT_SIGN };
	char c = g->parts[0].sign.n > 0 ? g->parts[0].sign.text[0] : '\0';
	size_t i;

	if ((c != '-' && c != '@') || g->count > ALT_WORDS)
		return;
	for (i = 0; i < g->count; i++)
		alt.words[i] = g->parts[i].word;
	alt.count = g->count;
	add_alt(g, &alt);
}

/*
 * Add other spellings of compounds: a name of two or three parts as one word, and two neighbouring
 * groups as one word, which then satisfies both.
 */
static void
add_other_spellings(struct query *q)
{
	struct query_group *g, *next;
	struct query_part pair[2];
	struct query_alt alt;
	size_t i;

	for (i = 0; i < q->count; i++) {
		g = &q->groups[i];
		next = i + 1 < q->count && q->count <= COMPOUND_GROUPS ? g + 1 : NULL;
		if (g->pair || g->quoted)
			continue;
		add_without_sign(g);
		if (g->count > 1 && g->count <= 3 && join_parts(&alt, g->parts, g->count))
			add_alt(g, &alt);
		if (g->count > 1 || g->stop || next == NULL || next->count > 1 || next->stop || next->pair)
			continue;
		pair[0] = g->parts[0];
		pair[1] = next->parts[0];
		if (!join_parts(&alt, pair, 2))
			continue;
		add_alt(g, &alt);
		add_alt(next, &alt);
	}
}

/* Add the word without stemming: pages in another language have other stems, or none. */
static void
add_unstemmed(struct query *q)
{
	struct query_alt alt = { .count = 1, .weight = 1 };
	struct query_group *g;

	for (g = q->groups; g < q->groups + q->count; g++) {
		if (g->count != 1 || g->pair || g->quoted || g->joined || g->parts[0].stem.n == 0)
			continue;
		/* With the weight of the word itself. */
		alt.words[0] = g->parts[0].word;
		add_alt(g, &alt);
	}
}

/* ---- groups ---- */

static bool
is_stop(const struct query_group *g)
{
	return g->count == 1 && g->parts[0].sign.n == 0 &&
	    word_is_stop(g->parts[0].word.text, g->parts[0].word.n);
}

static bool
is_light(const struct query_group *g)
{
	return g->count == 1 && !g->quoted && g->parts[0].sign.n == 0 &&
	    word_is_light(g->parts[0].word.text, g->parts[0].word.n);
}

/* Compare words part by part; stems and alternatives follow from them. */
static bool
same_group(const struct query_group *a, const struct query_group *b)
{
	size_t i;

	for (i = 0; i < a->count && i < b->count; i++)
		if (!same_word(&a->parts[i].word, &b->parts[i].word))
			return false;
	return a->count == b->count;
}

/* The exact word with its sign: C++, --flag. */
static const struct query_word *
exact_word(const struct query_part *p)
{
	return p->sign.n > 0 ? &p->sign : &p->link;
}

/*
 * Mark a group that is a name: several parts joined by signs (max_connections, docker-compose.yml),
 * a sign before it (.env, --flag), or several parts in one word (useEffect). Parts joined only by
 * hyphens are mostly prose: their spelling counts, but they are no identifier.
 */
static void
find_name(struct query_group *g)
{
	size_t i;

	g->literal_count = 0;
	g->identifier = g->joined || exact_word(g->parts)->n > 0;
	g->name = g->joined && g->count == 1 && exact_word(g->parts)->n == 0;
	if (g->pair || g->name)
		return;
	for (i = 0; i < g->count; i++) {
		g->literal[i] = g->parts[i];
		/* Words in quotes may be separated by blanks. */
		if (exact_word(&g->parts[i])->n == 0 && i > 0)
			return;
	}
	if (g->count > 1 || exact_word(g->parts)->n > 0)
		g->literal_count = g->count;
}

/* A repeated word counts once. */
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

/* Count characters: a Cyrillic letter has two bytes. */
static size_t
count_letters(const struct query_word *w)
{
	return utf8_count((struct str){ w->text, w->n });
}

/*
 * True if the word may still be typed. A single letter would match half the index. A word with an
 * ending, or a long one, is complete: it counts as a beginning only if nothing else is found
 * (query_open).
 */
static bool
may_be_beginning(const struct query_group *g)
{
	const struct query_part *p = &g->parts[g->count - 1];
	size_t n = count_letters(&p->word);

	/* A character of dense script counts as several letters. */
	return (n > 1 || g->pair) && n < LONG_WORD && (p->stem.n == 0 || count_letters(&p->stem) + 2 > n);
}

/* Marks the last word of the query as a beginning, which also finds longer words. The words before it are complete. */
bool
query_open(struct query *q)
{
	struct query_group *g = last_group(q);

	/* Not a phrase in quotes, and not a single letter, with which too many words begin. */
	if (g == NULL || g->prefix || g->quoted || (count_letters(&g->parts[g->count - 1].word) < 2 && !g->pair))
		return false;
	return g->prefix = true;
}

/* Replace question words by blanks in scripts that do not separate words. */
static struct str
without_questions(struct arena *a, struct str text)
{
	char *copy = arena_strndup(a, text.p, text.n);
	size_t i, n;

	/*
	 * Inside a character words_question() finds nothing, since each question word begins with a
	 * whole one.
	 */
	for (i = 0; i < text.n; i += n > 0 ? n : 1)
		if ((n = words_question(str_slice(text, i, text.n))) > 0)
			memset(copy + i, ' ', n);
	return (struct str){ copy, text.n };
}

/* Next opening quote, and its closing form; p NULL: none. */
static struct str
next_quote(struct str text, const char **end)
{
	static const char *const quotes[][2] = { { "\"", "\"" }, { "“", "”" }, { "„", "“" }, { "«", "»" } };
	struct str best = { NULL, 0 };
	const char *p, *q;
	size_t i, n;

	/*
	 * The kind that opens first counts. An unclosed or empty quote is text: people type inches.
	 */
	for (i = 0; i < sizeof(quotes) / sizeof(*quotes); i++) {
		n = strlen(quotes[i][0]);
		p = memmem(text.p, text.n, quotes[i][0], n);
		q = p == NULL ? NULL : memmem(p + n, text.n - (size_t)(p + n - text.p), quotes[i][1], strlen(quotes[i][1]));
		if (q == NULL || q == p + n || (best.p != NULL && p >= best.p))
			continue;
		best = (struct str){ p + n, (size_t)(q - p) - n };
		*end = q + strlen(quotes[i][1]);
	}
	return best;
}

/* Reads a piece inside or outside of quotes; words do not continue across pieces. */
static void
read_piece(struct query_reader *r, struct str text, bool quoted)
{
	r->quoted = quoted;
	r->begun = false;
	words_of_query(text, r->lang, read_word, r);
	end_word(r);
	r->part = NULL;
}

/* Text in quotes is a phrase. */
static void
read_groups(struct query *q, struct str text, enum language lang)
{
	struct query_reader r = { .q = q, .lang = lang };
	const char *end = NULL;
	struct str quote;

	q->count = 0;
	while (text.n > 0 && (quote = next_quote(text, &end)).p != NULL) {
		read_piece(&r, str_slice(text, 0, (size_t)(quote.p - text.p)), false);
		read_piece(&r, quote, true);
		text = str_slice(text, (size_t)(end - text.p), text.n);
	}
	read_piece(&r, text, false);
}

struct typed_query {
	struct query *q;
	bool          tail;       /* the last word ends a dense run, which may continue in a title */
};

static bool
read_typed(void *ctx, const struct word *w)
{
	struct typed_query *t = ctx;

	if (w->kind != WORD_MAIN)
		return true;
	t->tail = w->tail;
	if (t->q->typed_count < TYPED)
		copy_word(&t->q->typed[t->q->typed_count], w);
	return ++t->q->typed_count <= TYPED;
}

/* Keep the whole text: it may be a heading word for word. */
static void
keep_typed(struct query *q, struct str text)
{
	struct typed_query t = { .q = q };

	q->typed_count = 0;
	words_of_query(text, LANG_NONE, read_typed, &t);
	/* The overlapping pairs of a dense run contain its last character. */
	q->typed_count -= t.tail;
	/* A single word is found anyway; a longer text is no heading. */
	if (q->typed_count < 2 || q->typed_count > TYPED)
		q->typed_count = 0;
}

static bool
has_stops(const struct query *q)
{
	size_t i;

	for (i = 0; i < q->count && !q->groups[i].stop; i++)
		;
	return i < q->count;
}

void
query_read(struct query *q, struct arena *a, struct str text, enum language lang,
    const struct query_sets *own)
{
	struct str asked = without_questions(a, text);
	struct query_group *last;
	size_t i;

	memset(q, 0, sizeof(*q));
	q->compounds = language_compounds(lang);
	read_groups(q, asked, lang);
	/* The text was only a question word ("如何"): search for it. */
	if (q->count == 0)
		read_groups(q, text, lang);
	if (q->count == 0)
		return;
	last = last_group(q);
	last->prefix |= !last->quoted && may_be_beginning(last);
	for (i = 0; i < q->count; i++) {
		q->groups[i].at = (int)i;
		q->groups[i].stop = !q->groups[i].quoted && is_stop(&q->groups[i]);
		q->groups[i].light = is_light(&q->groups[i]);
		find_name(&q->groups[i]);
	}
	/* The whole text is only needed if some of its words are not among the groups. */
	if (has_stops(q) || memcmp(asked.p, text.p, text.n) != 0)
		keep_typed(q, text);
	add_other_spellings(q);
	if (lang != LANG_EN)
		add_unstemmed(q);
	query_add_numbers(q);
	query_add_synonyms(q, own);
	/* Repeats are dropped last, since the steps before use neighbours by position. */
	drop_repeats(q);
}

/* Keeps the first `most` groups without stop words, in order. */
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

/*
 * True for a pair of dense script that only joins words: of hiragana, or with a Chinese particle.
 */
static bool
is_particle(const struct query_word *w)
{
	static const char *const particles[] = { "的", "了", "吗", "呢", "么", "把", "被", "与", "及", "是" };
	size_t i;

	if (w->n == 6 && memcmp(w->text, "\xE3\x81", 2) == 0 && memcmp(w->text + 3, "\xE3\x81", 2) == 0)
		return true;
	for (i = 0; i < sizeof(particles) / sizeof(*particles); i++)
		if (memmem(w->text, w->n, particles[i], strlen(particles[i])) != NULL)
			return true;
	return false;
}

/*
 * Make each part a group, with a copy of the whole group's data. Alternatives and signs belong to
 * the whole name, so a part of several loses them.
 */
static void
loosen_group(struct query *q, const struct query_group *old)
{
	struct query_group *g;
	size_t k;

	for (k = 0; k < old->count && q->count < GROUPS; k++) {
		g = &q->groups[q->count++];
		*g = *old;
		g->parts[0] = old->parts[k];
		if (old->count > 1) {
			g->parts[0].sign.n = 0;
			g->alt_count = 0;
			g->prefix = g->prefix && k + 1 == old->count;
			/* One of the parts keeps the exact spelling. */
			g->literal_count = k == 0 ? old->literal_count : 0;
		}
		g->count = 1;
		g->light = is_light(g) && (old->count > 1 || old->light);
		g->stop = is_stop(g) || (g->pair && is_particle(&g->parts[0].word));
		g->at = (int)q->count;
	}
}

/* Copies the old query, since the new groups overwrite it. Quoted phrases stay whole. */
void
query_loosen(struct query *q, struct arena *a, bool dense)
{
	struct query *old = arena_alloc(a, sizeof(*old));
	size_t i;

	*old = *q;
	q->count = 0;
	for (i = 0; i < old->count; i++)
		if (old->groups[i].quoted || (dense && !old->groups[i].pair)) {
			if (q->count == GROUPS)
				break;
			q->groups[q->count] = old->groups[i];
			q->groups[q->count].at = (int)q->count + 1;
			q->count++;
		} else
			loosen_group(q, &old->groups[i]);
	drop_repeats(q);
}
