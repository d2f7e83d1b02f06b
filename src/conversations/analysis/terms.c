/*
 * The terms of an issue, by which issues are compared: stems of words, and concepts of a small
 * lexicon, which are the same for words of the same meaning.
 */
#include <string.h>

#include "analyst.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "text/words.h"

/*
 * TOKENS: words of a sentence that are read. PHRASE: words of the longest entry of the lexicon.
 * SHORT_WORD, LONG_WORD: in bytes; shorter words are symbols, longer ones identifiers, and both are ignored. KEY: bytes of a
 * key of the lexicon. BESIDE: per cent of its weight that a word gets beside its concept.
 */
enum { TOKENS = 400, PHRASE = 5, SHORT_WORD = 2, LONG_WORD = 30, KEY = 160, BESIDE = 60 };

struct concept {
	uint64_t id;
	int      weight;
};

struct row {
	int         weight;
	const char *words;
};

/* The lexicon is compiled in, because ids of its concepts are stored in databases. */
#define CONCEPT(weight, words) { weight, words },
static const struct row rows[] = {
#include "lexicon.def"
};
#undef CONCEPT

/* The forms of a word that are looked up. */
struct token {
	struct str stem;      /* by the algorithm of the text's language */
	struct str english;   /* by the English algorithm, for borrowed words */
	struct str folded;
	bool       stop, number;
};

struct tokens {
	struct analyst *w;
	enum language   lang;
	struct str      text;
	struct token    at[TOKENS];
	size_t          n;
};

/*
 * True for digits alone and for longer words with a digit: order numbers and ids are not specific
 * for a subject.
 */
static bool
is_number(struct str s)
{
	size_t i, digits = 0;

	for (i = 0; i < s.n; i++)
		digits += s.p[i] >= '0' && s.p[i] <= '9';
	return digits > 0 && (digits == s.n || s.n > 6);
}

/* Removes an elided article or pronoun of French and Italian: "l'api", "dell'account". */
static struct str
cut_elision(enum language lang, struct str s)
{
	size_t most = lang == LANG_FR ? 7 : lang == LANG_IT ? 5 : 0, i;

	for (i = 1; i < most && i + 1 < s.n; i++) {
		if (s.p[i] == '\'')
			return str_slice(s, i + 1, s.n);
		if (i + 3 < s.n && memcmp(s.p + i, "\u2019", 3) == 0)
			return str_slice(s, i + 3, s.n);
	}
	return s;
}

static bool
take_token(void *ctx, const struct word *w)
{
	struct tokens *t = ctx;
	struct arena *a = t->w->scratch;
	struct token *k;
	struct str lower;

	if (w->kind != WORD_MAIN)
		return true;
	k = &t->at[t->n];
	lower = cut_elision(t->lang, str_slice(t->text, w->from, w->to));
	/* words_each() has folded the word. Without its article it is folded again. */
	if (lower.n == w->to - w->from)
		k->folded = (struct str){ arena_strndup(a, w->text, w->n), w->n };
	else
		k->folded = str_of(utf8_fold(a, lower));
	k->number = is_number(k->folded);
	k->stop = language_stop(t->w->stemmer, t->lang, k->folded);
	/*
	 * Stemmers need the letters with their marks, which folding removes. Pairs of characters of
	 * scripts without blanks between words (Chinese, Japanese) have no stem.
	 */
	lower = w->pair ? k->folded : str_of(utf8_lower(a, lower));
	k->stem = w->pair ? lower : stem_word(t->w->stemmer, a, t->lang, lower);
	k->english = t->lang == LANG_EN || w->pair ? k->stem : stem_word(t->w->stemmer, a, LANG_EN, lower);
	return ++t->n < TOKENS;
}

/* The words of a text, in the scratch arena. A text of an unknown language is read as English. */
static struct tokens *
read_tokens(struct analyst *w, enum language lang, struct str text)
{
	struct tokens *t = arena_alloc(w->scratch, sizeof(*t));

	t->w = w;
	t->lang = lang == LANG_NONE ? LANG_EN : lang;
	t->text = text;
	words_each(text, take_token, t);
	return t;
}

/* The key of n tokens in the lexicon, "en:log in"; of length 0 if it is too long. */
static struct str
lexicon_key(char *key, enum language lang, const struct token *k, size_t n, bool english)
{
	const char *code = language_code(english ? LANG_EN : lang);
	size_t len = strlen(code), i;

	memcpy(key, code, len);
	for (i = 0; i < n; i++) {
		struct str s = english ? k[i].english : k[i].stem;
		if (len + s.n + 1 > KEY)
			return (struct str){ key, 0 };
		key[len++] = i == 0 ? ':' : ' ';
		memcpy(key + len, s.p, s.n);
		len += s.n;
	}
	return (struct str){ key, len };
}

/*
 * Adds a word or phrase of the lexicon by the stems that texts give. If two lines have it, the
 * first one counts.
 */
static void
add_word(struct analyst *w, struct arena *a, enum language lang, struct str word, struct concept *c)
{
	char *text = arena_strndup(a, word.p, word.n), key[KEY], *at;
	struct tokens *t;
	struct str k;

	for (at = text; (at = strchr(at, '_')) != NULL; )
		*at = ' ';
	t = read_tokens(w, lang, str_of(text));
	k = lexicon_key(key, lang, t->at, t->n, false);
	if (t->n > 0 && t->n <= PHRASE && k.n > 0 && !map_has(w->lexicon, k)) {
		/* The key is copied, because it is on the stack. */
		k.p = arena_strndup(a, k.p, k.n);
		map_add(w->lexicon, k, c);
	}
	/* Free the memory of this word: thousands of words are read. */
	arena_reset(w->scratch);
}

/*
 * Adds the words of one language, "de:passwort kennwort". Returns the start of the next language.
 */
static const char *
add_language(struct analyst *w, struct arena *a, const char *p, struct concept *c)
{
	enum language lang = language_named((struct str){ p, 2 });
	size_t n;

	for (p += 3; *p != '\0' && *p != '|'; p += n + (p[n] == ' ')) {
		n = strcspn(p, " |");
		add_word(w, a, lang, (struct str){ p, n }, c);
	}
	return p + (*p == '|');
}

void
lexicon_read(struct analyst *w, struct arena *a)
{
	const char *p;
	size_t i;

	w->lexicon = map_new(a);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct concept *c = arena_alloc(a, sizeof(*c));
		c->weight = rows[i].weight;
		/*
		 * The id depends on the first word only: lines may be moved and words added without
		 * changing it.
		 */
		c->id = text_id(str_slice(str_of(rows[i].words), 0, strcspn(rows[i].words, " |")));
		for (p = rows[i].words; *p != '\0'; )
			p = add_language(w, a, p, c);
	}
}

/*
 * The concept of the n tokens at k: by words of their language first, then by English words; NULL:
 * none.
 */
static const struct concept *
find_concept(const struct tokens *t, const struct token *k, size_t n)
{
	char key[KEY];
	const struct concept *c = map_get(t->w->lexicon, lexicon_key(key, t->lang, k, n, false));

	return c != NULL || t->lang == LANG_EN ? c : map_get(t->w->lexicon, lexicon_key(key, t->lang, k, n, true));
}

/*
 * True for languages in which parts of compounds are looked up in the lexicon: those of
 * language_compounds(), and Hungarian.
 */
static bool
joins_words(enum language lang)
{
	return lang == LANG_DE || lang == LANG_NL || lang == LANG_SV || lang == LANG_DA || lang == LANG_NO ||
	    lang == LANG_FI || lang == LANG_HU;
}

/*
 * The concept of a part of a compound ("Suchseite"): of the longest beginning that the lexicon has,
 * otherwise of the longest end.
 */
static const struct concept *
find_compound_concept(const struct tokens *t, const struct token *k)
{
	const struct concept *c;
	struct token part = *k;
	size_t n = k->folded.n, i, side;

	if (!joins_words(t->lang) || n < 9)
		return NULL;
	for (side = 0; side < 2; side++)
		/*
		 * Parts of at least five bytes that leave at least three: shorter ones match by
		 * chance.
		 */
		for (i = n - 3; i >= 5; i--) {
			struct str s = side == 0 ? str_slice(k->folded, 0, i) : str_slice(k->folded, n - i, n);
			part.stem = part.english = stem_word(t->w->stemmer, t->w->scratch, t->lang, s);
			if ((c = find_concept(t, &part, 1)) != NULL && c->weight > LOW)
				return c;
		}
	return NULL;
}

/* The list is short, so it is searched from its start. */
int32_t
term_list_add(struct term_list *list, uint64_t id, int weight)
{
	size_t i;
	int32_t before;

	if (weight <= 0)
		return 0;
	for (i = 0; i < list->n; i++)
		if (list->at[i].id == id) {
			before = list->at[i].weight;
			if (weight > before)
				list->at[i].weight = weight;
			return 0;
		}
	if (list->n == sizeof(list->at) / sizeof(list->at[0]))
		return 0;
	list->at[list->n++] = (struct term){ id, weight };
	return weight;
}

/* Adds a word by its stem. */
static int32_t
add_stem(const struct tokens *t, const struct token *k, int scale, struct term_list *list)
{
	if (k->stop || k->number)
		return 0;
	return term_list_add(list, text_id(k->stem), prior_weight(t->w, t->lang, k->stem) * scale / 100);
}

/*
 * Adds n words that are one entry of the lexicon. In English the concept and the words are both
 * terms: the concept has the weight of its rarest word, and the words distinguish topics of one
 * subject. For a concept with the weight LOW, which occurs in questions about any subject, only the
 * words are terms: the concept would make such questions similar.
 */
static int32_t
add_entry(const struct tokens *t, const struct token *k, size_t n, const struct concept *c, int scale,
    struct term_list *list)
{
	int32_t added = 0;
	int most = 0, weight;
	size_t i;

	/* A single stop word has no weight, even if it is a word of a concept. */
	if (c->weight == NONE || (n == 1 && k->stop))
		return 0;
	if (t->lang != LANG_EN)
		return term_list_add(list, c->id, c->weight * scale / 100);
	for (i = 0; i < n; i++)
		if (!k[i].stop && (weight = prior_weight(t->w, t->lang, k[i].stem)) > most)
			most = weight;
	if (c->weight != LOW)
		added = term_list_add(list, c->id, most * scale / 100);
	for (i = 0; i < n; i++)
		added += add_stem(t, k + i, c->weight == LOW ? scale : scale * BESIDE / 100, list);
	return added;
}

/* Adds a word that the lexicon does not have. */
static int32_t
add_unlisted_word(const struct tokens *t, const struct token *k, int scale, struct term_list *list)
{
	const struct concept *c;

	if (k->stop || k->number || k->folded.n < SHORT_WORD || k->folded.n > LONG_WORD)
		return 0;
	if ((c = find_compound_concept(t, k)) != NULL)
		return term_list_add(list, c->id, c->weight * scale / 100);
	return add_stem(t, k, scale, list);
}

/* Each word counts once, in the longest entry that contains it. Other words count by their stem. */
int32_t
terms_add(struct analyst *w, enum language lang, struct str text, int scale, struct term_list *list)
{
	struct tokens *t = read_tokens(w, lang, text);
	const struct concept *c = NULL;
	int32_t added = 0;
	size_t i, n;

	for (i = 0; i < t->n; i += n) {
		n = t->n - i < PHRASE ? t->n - i : PHRASE;
		/* The longest entry first: "log in" is an entry of its own. */
		for (; n > 0; n--)
			if ((c = find_concept(t, t->at + i, n)) != NULL)
				break;
		added += n == 0 ? add_unlisted_word(t, t->at + i, scale, list) : add_entry(t, t->at + i, n, c, scale, list);
		n += n == 0;
	}
	return added;
}

void
terms_add_common(struct analyst *w, enum language lang, struct str text, struct term_list *list)
{
	struct tokens *t = read_tokens(w, lang, text);
	size_t i;

	for (i = 0; i < t->n; i++)
		if (!t->at[i].number)
			term_list_add(list, text_id(t->at[i].stem), COMMON);
}

static int
compare_weights(const void *x, const void *y)
{
	const struct term *a = x, *b = y;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static int
by_id(const void *x, const void *y)
{
	const struct term *a = x, *b = y;

	return a->id < b->id ? -1 : a->id > b->id;
}

/* This sorts the list, so its order is lost. */
struct terms
terms_heaviest(struct arena *a, struct term_list *list)
{
	struct terms out;

	sort_list(list->at, list->n, sizeof(list->at[0]), compare_weights);
	out.n = list->n < TERMS_MAX ? list->n : TERMS_MAX;
	out.at = arena_array(a, out.n, sizeof(*out.at));
	if (out.n > 0)
		memcpy(out.at, list->at, out.n * sizeof(*out.at));
	sort_list(out.at, out.n, sizeof(*out.at), by_id);
	return out;
}

int
terms_shared(const struct term_list *a, const struct term_list *b)
{
	int64_t all = 0, both = 0;
	size_t i, k;

	for (i = 0; i < a->n; i++) {
		all += a->at[i].weight;
		for (k = 0; k < b->n; k++)
			both += a->at[i].id == b->at[k].id ? a->at[i].weight : 0;
	}
	return all == 0 ? 0 : (int)(both * 100 / all);
}
