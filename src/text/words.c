/* Words of a text with their positions and variants. Contract: text/words.h. */
#include <utf8proc.h>

#include "base/utf8.h"
#include "text/stem.h"
#include "text/words.h"

/*
 * Bounds on what one word adds to the index: CAMEL_MAX: parts of a camel-case name; JOINED_MAX: parts
 * that hyphens join; SIGNS_MAX: signs before a word. Tails are emitted for words of at least TAIL_OF
 * bytes; a tail has at least TAIL_LEAST bytes, and at least TAIL_HEAD bytes precede it in the word.
 */
enum { CAMEL_MAX = 8, JOINED_MAX = 3, SIGNS_MAX = 3, TAIL_OF = 10, TAIL_LEAST = 5, TAIL_HEAD = 3 };

/* Size of the copy of a word that keeps its diacritics, for a Snowball stemmer (scan.unfolded). */
enum { UNFOLDED_MAX = WORD_MAX * 2 };

struct scan {
	bool      (*fn)(void *, const struct word *);
	void       *ctx;
	bool        stopped;                 /* fn has returned false */
	bool        main_only;               /* emit main words only */
	bool        query;                   /* text is a query: a name must match whole, not by its parts */
	struct str  text;
	char        word[WORD_MAX + 8];      /* folded bytes of the current part */
	size_t      n;
	bool        too_long;                /* the part exceeds the maximum of a word */
	size_t      from, to;                /* its range in the source */
	size_t      camel[CAMEL_MAX];        /* starts of camel-case parts in word[] */
	size_t      camels;
	char        joined[WORD_MAX];        /* the parts before, joined over hyphens */
	size_t      joined_n, joined_parts;
	bool        letters;                 /* only a to z, once folded */
	bool        tails;                   /* emit the ends of long words */
	enum language lang;                  /* language of the stems of words in Latin letters; LANG_NONE: English */
	size_t      apostrophe;              /* bytes of word[] before the first apostrophe; 0: there is none */
	char        unfolded[UNFOLDED_MAX];  /* the part in lower case with its diacritics */
	size_t      unfolded_n;              /* 0 unless all its letters are of unfolded_script */
	uint32_t    unfolded_script;         /* l Latin, c Cyrillic, a Arabic: scripts with a stemmer; 0: another */
	bool        was_lower, was_upper;    /* case of the last character, for camel case */
	size_t      end;                     /* end of the last part in the source */
	bool        has_previous;            /* a part came before */
	uint32_t    dense;                   /* character of a dense run that waits for the next one */
	size_t      dense_from, dense_to;    /* its range in the source */
	bool        dense_glued;             /* `glued` of the next pair */
};

/*
 * True for scripts without spaces: Han, kana, bopomofo, Hangul, Thai, Lao, Burmese, Khmer. These
 * are ranges of Unicode blocks, since no category of Unicode says whether a script has blanks
 * between words.
 */
bool
char_is_dense(uint32_t c)
{
	return (c >= 0x3400 && c <= 0x9FFF) || (c >= 0x3041 && c <= 0x30FF) || c == 0x3005 ||
	    (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0x20000 && c <= 0x3FFFF) ||
	    (c >= 0x31F0 && c <= 0x31FF) || (c >= 0x3100 && c <= 0x312F) ||
	    (c >= 0x0E01 && c <= 0x0EFF) || (c >= 0x1000 && c <= 0x109F) ||
	    (c >= 0x1780 && c <= 0x17FF) || (c >= 0xF900 && c <= 0xFAFF);
}

static bool
is_word(uint32_t c)
{
	utf8proc_category_t k;

	if (c < 0x80)
		/* A fast path for ASCII, which is nearly all text. */
		return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
	k = utf8proc_category((utf8proc_int32_t)c);
	/* Letters, marks and numbers are one range of utf8proc's enumeration. */
	return k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_NO;
}

static bool
is_connector(char c)
{
	return c != '\0' && strchr("_-./:@\\=#$%&+~", c) != NULL;
}

/* True if only connecting signs separate this place from the last part. */
static bool
is_glued(const struct scan *s, size_t at, bool *joined)
{
	size_t i;

	*joined = false;
	/* More signs ("=====") separate words. */
	if (!s->has_previous || at - s->end > SIGNS_MAX || at == s->end)
		return false;
	for (i = s->end; i < at; i++) {
		if (!is_connector(s->text.p[i]))
			return false;
		*joined |= s->text.p[i] != '-';
	}
	return true;
}

static void
emit_word(struct scan *s, const struct word *w)
{
	/* Once the callback has returned false, emit nothing more while the scan unwinds. */
	if (!s->stopped && w->n > 0)
		s->stopped = !s->fn(s->ctx, w);
}

/* Emit a variant at the position of the main word, with its range in the source. */
static void
emit_variant(struct scan *s, const struct word *main, const char *text, size_t n, enum word_kind kind)
{
	struct word w = { .text = text, .n = n, .from = main->from, .to = main->to, .kind = kind };

	emit_word(s, &w);
}

static void
emit_stem(struct scan *s, const struct word *main, const char *text, size_t n)
{
	char stem[WORD_MAX];
	size_t k = word_stem(text, n, stem);

	if (k > 0)
		emit_variant(s, main, stem, k, WORD_STEM);
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Length of a name without its trailing number (MyHttpServer2): readers search for its parts
 * without it.
 */
static size_t
length_without_number(const char *word, size_t n)
{
	size_t k = n;

	while (k > 0 && is_digit(word[k - 1]))
		k--;
	/* A part of digits, or of one letter and digits ("v2"), stays whole. */
	return k < 2 ? n : k;
}

/* Emit parts i to k, inclusive, as one word. */
static void
emit_parts(struct scan *s, const struct word *main, size_t i, size_t k)
{
	size_t from = i == 0 ? 0 : s->camel[i - 1], to = k == s->camels ? s->n : s->camel[k], n = to - from, m;

	if (n < 2)
		return;
	/* A number within a name belongs to it: Word2Vec. */
	m = k < s->camels ? n : length_without_number(s->word + from, n);
	/* The whole word was emitted as the main one. */
	if (n < main->n)
		emit_variant(s, main, s->word + from, n, WORD_PART);
	if (m < n)
		emit_variant(s, main, s->word + from, m, WORD_PART);
	/* Only single parts are natural words; a run of parts has no stem. */
	if (i == k)
		emit_stem(s, main, s->word + from, m);
}

/* Emit the parts of a name and runs of neighbours: "MyHttpServer2" contains "HttpServer". */
static void
emit_camel(struct scan *s, const struct word *main)
{
	size_t i, k;

	for (i = 0; i <= s->camels; i++)
		emit_parts(s, main, i, i);
	/*
	 * This is not done in a query: there, a name must match as a whole, and the index contains
	 * the runs of its parts.
	 */
	for (k = 1; k <= s->camels && !s->query; k++)
		for (i = 0; i + k <= s->camels; i++)
			emit_parts(s, main, i, i + k);
}

/* True if the apostrophe's suffix is one of English: "don't", "user's". */
static bool
is_contraction(const char *p, size_t n)
{
	static const char *const list[] = { "s", "t", "d", "m", "ll", "re", "ve" };

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (strlen(list[i]) == n && memcmp(p, list[i], n) == 0)
			return true;
	return false;
}

/* Emit a word without the suffix that Turkish adds to names: "Ankara'da". */
static bool
emit_before_apostrophe(struct scan *s, const struct word *main)
{
	if (s->apostrophe < 3 || is_contraction(s->word + s->apostrophe, s->n - s->apostrophe))
		return false;
	emit_variant(s, main, s->word, s->apostrophe, WORD_STEM);
	return true;
}

/*
 * Emit the stem by the algorithm of the text's language or, in Cyrillic and Arabic, of the script.
 * It reads unfolded[], since libstemmer needs letters with their diacritics.
 */
static void
emit_snowball_stem(struct scan *s, const struct word *main)
{
	char stem[WORD_MAX];
	size_t n = stem_in(s->unfolded_script == 'l' ? s->lang : LANG_NONE, s->unfolded, s->unfolded_n, stem);

	if (n > 0 && (n != main->n || memcmp(stem, main->text, n) != 0))
		emit_variant(s, main, stem, n, WORD_STEM);
}

/* Emit the ends of a long word, which may be a compound; a sign marks them as tails. */
static void
emit_tails(struct scan *s, const struct word *main)
{
	char tail[WORD_MAX + 1];
	size_t n;

	/* Short words are rarely compounds, and each tail is a row of the index. */
	if (main->n < TAIL_OF)
		return;
	for (n = TAIL_LEAST; n + TAIL_HEAD <= main->n && n < WORD_MAX; n++) {
		tail[0] = WORD_TAIL_SIGN;
		memcpy(tail + 1, main->text + main->n - n, n);
		emit_variant(s, main, tail, n + 1, WORD_TAIL);
	}
}

/* Bytes before a word that make it a flag or directive: --flag, @include. */
static size_t
signs_before(struct str t, size_t at)
{
	size_t n = at >= 2 && t.p[at - 1] == '-' && t.p[at - 2] == '-' ? 2 : at >= 1 && t.p[at - 1] == '@' ? 1 : 0;
	unsigned char c = n > 0 && at > n ? (unsigned char)t.p[at - n - 1] : ' ';

	return is_word(c) || c == (unsigned char)t.p[at - n] || c >= 0x80 ? 0 : n;
}

/*
 * Emit the word with the connecting signs before it: "_connections" of max_connections, ".env". A
 * phrase of these finds a name as it is spelled, also within a longer one.
 */
static void
emit_link(struct scan *s, const struct word *main, size_t flag)
{
	char link[WORD_MAX];
	size_t n = 0;

	while (n < main->from && n <= SIGNS_MAX && is_connector(s->text.p[main->from - n - 1]))
		n++;
	/* More signs draw a line ("=====") or a box. */
	if (n > SIGNS_MAX || n + main->n > WORD_MAX)
		return;
	/*
	 * "docs/.env" also contains ".env"; a query requires all of its signs. Those of a flag are
	 * emitted with it.
	 */
	for (; n > 0; n = s->query ? 0 : n - 1) {
		memcpy(link, s->text.p + main->from - n, n);
		memcpy(link + n, main->text, main->n);
		if (n != flag)
			emit_variant(s, main, link, n + main->n, WORD_LINK);
	}
}

/* Emit --flag, @include, C++, C#: the word with the signs around it. */
static void
emit_signs(struct scan *s, const struct word *main)
{
	struct str t = s->text;
	char sign[WORD_MAX];
	size_t before = signs_before(t, main->from), after = 0, next;

	emit_link(s, main, before);
	if (main->n > WORD_MAX - 2)
		return;
	if (before > 0) {
		memcpy(sign, t.p + main->from - before, before);
		memcpy(sign + before, main->text, main->n);
		emit_variant(s, main, sign, main->n + before, WORD_SIGN);
	}
	next = main->to;
	if (next + 1 < t.n && t.p[next] == '+' && t.p[next + 1] == '+')
		after = 2;
	/* C# and F#, but not a word before an anchor ("page#part"). */
	else if (next < t.n && t.p[next] == '#' && main->n <= 2)
		after = 1;
	if (after == 0 || (next + after < t.n && is_word((unsigned char)t.p[next + after])))
		return;
	memcpy(sign, main->text, main->n);
	memcpy(sign + main->n, t.p + next, after);
	emit_variant(s, main, sign, main->n + after, WORD_SIGN);
}

/*
 * One kind of stem per word: parts of a name have their own, a Turkish name is cut at its
 * apostrophe.
 */
static void
emit_variants(struct scan *s, const struct word *main)
{
	if (s->camels > 0)
		emit_camel(s, main);
	else if (emit_before_apostrophe(s, main))
		;
	else if (s->unfolded_n > 0)
		emit_snowball_stem(s, main);
	else if (s->letters)
		emit_stem(s, main, s->word, s->n);
	if (s->tails && s->letters && s->camels == 0)
		emit_tails(s, main);
	emit_signs(s, main);
}

/* Emit "startree" for star-tree. */
static void
emit_joined(struct scan *s, const struct word *main)
{
	bool fits = s->letters && main->n > 1;
	/* Continue only over exactly one hyphen between letters; else begin a new chain. */
	bool continues_chain = fits && main->glued && !main->joined && s->from == s->end + 1 &&
	    s->joined_parts > 0 && s->joined_parts < JOINED_MAX && s->joined_n + main->n <= WORD_MAX;

	if (!continues_chain)
		s->joined_n = s->joined_parts = 0;
	if (!fits)
		return;
	memcpy(s->joined + s->joined_n, main->text, main->n);
	s->joined_n += main->n;
	if (++s->joined_parts > 1)
		emit_variant(s, main, s->joined, s->joined_n, WORD_JOINED);
}

/* End the current part. */
static void
flush_part(struct scan *s)
{
	struct word w = { .text = s->word, .n = s->n, .from = s->from, .to = s->to };

	if (s->n == 0)
		return;
	/* These are computed before s->end changes, since it is still the end of the previous part here. */
	w.glued = is_glued(s, s->from, &w.joined);
	w.camel = s->camels > 0;
	emit_word(s, &w);
	if (!s->main_only) {
		emit_variants(s, &w);
		emit_joined(s, &w);
	}
	s->end = s->to;
	s->has_previous = true;
	s->n = s->camels = 0;
	s->too_long = false;
}

static void
begin_part(struct scan *s, size_t from)
{
	s->from = from;
	s->letters = true;
	s->apostrophe = 0;
	s->was_lower = s->was_upper = false;
}

static void
add_bytes(struct scan *s, const char *p, size_t n)
{
	/* A word that is too long is cut at a whole character, in the index and in queries alike. */
	s->too_long |= s->n + n > WORD_MAX;
	if (s->too_long)
		return;
	memcpy(s->word + s->n, p, n);
	s->n += n;
}

/* In fooBar and HTTPServer, the capital before a small letter begins a part. */
static void
note_case(struct scan *s, bool upper, bool lower)
{
	if (upper && s->was_lower && s->camels < CAMEL_MAX && !s->too_long)
		s->camel[s->camels++] = s->n;
	s->was_lower = lower;
	s->was_upper = upper;
}

static size_t
put_utf8(char *p, uint32_t cp)
{
	return (size_t)utf8proc_encode_char((utf8proc_int32_t)cp, (utf8proc_uint8_t *)p);
}

/* Append the character to unfolded[], while the word is in one script that has a stemmer. */
static void
add_unfolded(struct scan *s, uint32_t cp)
{
	uint32_t script = cp >= 0x400 && cp < 0x530 ? 'c' : cp >= 0x600 && cp < 0x700 ? 'a' :
	    s->lang != LANG_NONE && (cp >= 0xC0 ? cp < 0x250 : cp >= 'A') ? 'l' : 0;

	if (!is_word(cp))
		return;
	if (s->n == 0) {
		s->unfolded_n = 0;
		s->unfolded_script = script;
	} else if (s->unfolded_n == 0) {
		return;
	}
	/* No stemmer is used for a word of mixed scripts, or for one that is too long. */
	if (script == 0 || script != s->unfolded_script || s->unfolded_n + 4 > UNFOLDED_MAX) {
		s->unfolded_n = 0;
		s->unfolded_script = 0;
		return;
	}
	s->unfolded_n += put_utf8(s->unfolded + s->unfolded_n, (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp));
}

static void
add_ascii(struct scan *s, char c, size_t at)
{
	bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z';

	if (s->n == 0)
		begin_part(s, at);
	/*
	 * HTTPServer, Material3Bar: at the small letter, the part began one letter earlier. Look at
	 * the source, since word[] is folded.
	 */
	if (lower && s->was_upper && s->n > 2 && s->camels < CAMEL_MAX && !s->too_long &&
	    ((s->text.p[at - 2] >= 'A' && s->text.p[at - 2] <= 'Z') || is_digit(s->text.p[at - 2])) &&
	    (s->camels == 0 || s->camel[s->camels - 1] < s->n - 1))
		s->camel[s->camels++] = s->n - 1;
	note_case(s, upper, lower);
	s->letters &= upper || lower;
	add_unfolded(s, (uint32_t)(unsigned char)c);
	if (upper)
		/* Setting this bit makes an ASCII letter lower case. */
		c = (char)(c | 32);
	add_bytes(s, &c, 1);
	s->to = at + 1;
}

static void
add_letter(struct scan *s, uint32_t cp, size_t from, size_t to)
{
	char bytes[4];

	if (s->n == 0)
		begin_part(s, from);
	s->letters &= cp >= 'a' && cp <= 'z';
	/* A letter beyond ASCII counts as small: it begins no part, and a capital after it does. */
	note_case(s, false, true);
	add_bytes(s, bytes, put_utf8(bytes, cp));
	s->to = to;
}

/* End a dense run: emit its last character alone. */
static void
end_dense(struct scan *s)
{
	struct word w = { .from = s->dense_from, .to = s->dense_to, .glued = s->dense_glued,
		.pair = true, .tail = true };
	char bytes[4];

	if (s->dense == 0)
		return;
	w.text = bytes;
	w.n = put_utf8(bytes, s->dense);
	s->dense = 0;
	emit_word(s, &w);
	/* The run is over: the next word is not glued to it. */
	s->has_previous = false;
}

/* Map a traditional Chinese character to the simplified one. */
static uint32_t
simplify_char(uint32_t cp)
{
	static const uint16_t pairs[][2] = {
#include "words_variants.inc"
	};
	size_t from = 0, to = sizeof(pairs) / sizeof(*pairs), at;

	/* The table is sorted and holds 16-bit characters. */
	if (cp < pairs[0][0] || cp > 0xFAFF)
		return cp;
	while (from < to) {
		at = (from + to) / 2;
		if (pairs[at][0] == cp)
			return pairs[at][1];
		if (pairs[at][0] < cp)
			from = at + 1;
		else
			to = at;
	}
	return cp;
}

static void
add_dense(struct scan *s, uint32_t cp, size_t from, size_t to)
{
	struct word w = { .from = s->dense_from, .to = to, .glued = s->dense_glued, .pair = true };
	char bytes[8];

	flush_part(s);
	/*
	 * Simplify here, before the pair is built: both characters of a pair must be equal in index
	 * and query.
	 */
	cp = simplify_char(cp);
	if (s->dense != 0) {
		w.n = put_utf8(bytes, s->dense);
		w.n += put_utf8(bytes + w.n, cp);
		w.text = bytes;
		emit_word(s, &w);
	}
	/* The first pair of a run is not glued; each later pair overlaps the one before. */
	s->dense_glued = s->dense != 0;
	s->dense = cp;
	s->dense_from = from;
	s->dense_to = to;
}

/* Add one folded character. */
static void
add_char(struct scan *s, uint32_t cp, size_t from, size_t to)
{
	if (char_is_dense(cp)) {
		add_dense(s, cp, from, to);
		return;
	}
	end_dense(s);
	if (!is_word(cp))
		flush_part(s);
	else
		add_letter(s, cp, from, to);
}

/* Join a voicing mark or jamo to the character before, as readers type it. */
static uint32_t
compose_chars(uint32_t c, uint32_t next)
{
	/* Half-width katakana have voicing marks of their own: compose with the full-width form. */
	if (c >= 0xFF66 && c <= 0xFF9D) {
		utf8proc_int32_t full[4];
		if (utf8proc_decompose_char((utf8proc_int32_t)c, full, 4,
		    UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, NULL) == 1)
			c = (uint32_t)full[0];
	}
	if (c >= 0x3041 && c <= 0x30FE && (next == 0x3099 || next == 0xFF9E))
		/* In the kana blocks the voiced form follows the plain one; U is the exception. */
		return c == 0x30A6 ? 0x30F4 : c + 1;
	if (c >= 0x3041 && c <= 0x30FE && (next == 0x309A || next == 0xFF9F))
		return c + 2;
	if (c >= 0x1100 && c <= 0x1112 && next >= 0x1161 && next <= 0x1175)
		/* The Unicode Standard, 3.12: composition of Hangul syllables. */
		return 0xAC00 + ((c - 0x1100) * 21 + (next - 0x1161)) * 28;
	if (c >= 0xAC00 && c <= 0xD7A3 && (c - 0xAC00) % 28 == 0 && next >= 0x11A8 && next <= 0x11C2)
		return c + (next - 0x11A7);
	return 0;
}

/* Add the n-byte character at `at`, with marks that join it; returns where the scan continues. */
static size_t
add_wide(struct scan *s, size_t at, size_t n, uint32_t cp)
{
	uint32_t folded[UTF8_FOLDED], next, whole;
	size_t from = at, step, k, i;

	for (at += n; (step = utf8_next(str_slice(s->text, at, s->text.n), &next)) > 0; at += step) {
		if ((whole = compose_chars(cp, next)) == 0)
			break;
		cp = whole;
	}
	/* Folding would decompose these and drop the voicing marks, which distinguish words. */
	if ((cp >= 0x3041 && cp <= 0x30FF) || (cp >= 0xAC00 && cp <= 0xD7A3)) {
		add_char(s, cp, from, at);
		return at;
	}
	/* Between letters it is dropped: "user’s". */
	if (cp == 0x2019 && s->n > 0) {
		s->apostrophe = s->apostrophe == 0 ? s->n : s->apostrophe;
		return at;
	}
	add_unfolded(s, cp);
	k = utf8_fold_char(cp, folded);
	for (i = 0; i < k; i++)
		add_char(s, folded[i], from, at);
	return at;
}

static void
scan_words(struct str text, struct scan options, bool (*fn)(void *, const struct word *), void *ctx)
{
	struct scan s = { .fn = fn, .ctx = ctx, .text = text, .main_only = options.main_only, .query = options.query, .tails = options.tails,
		.lang = options.lang };
	size_t i = 0, n;
	uint32_t cp;

	while (i < text.n && !s.stopped) {
		/* Fast path without decoding for ASCII, which is nearly all of the text. */
		unsigned char c = (unsigned char)text.p[i];
		if (c < 0x80) {
			if (s.dense != 0)
				end_dense(&s);
			if (is_word(c))
				add_ascii(&s, (char)c, i);
			else if (s.n > 0 && c == '\'' && i + 1 < text.n && is_word((unsigned char)text.p[i + 1]))
				s.apostrophe = s.apostrophe == 0 ? s.n : s.apostrophe;
			else if (s.n > 0)
				flush_part(&s);
			i++;
		} else if ((n = utf8_next(str_slice(text, i, text.n), &cp)) > 0) {
			i = add_wide(&s, i, n, cp);
		} else {
			end_dense(&s);
			flush_part(&s);
			i++;
		}
	}
	end_dense(&s);
	flush_part(&s);
}

void
words_each(struct str text, bool (*fn)(void *, const struct word *), void *ctx)
{
	scan_words(text, (struct scan){ .main_only = false }, fn, ctx);
}

void
words_main(struct str text, bool (*fn)(void *, const struct word *), void *ctx)
{
	scan_words(text, (struct scan){ .main_only = true }, fn, ctx);
}

/* English words have the stems of words_stem.c; so have words of unknown languages. */
static enum language
snowball_language(enum language lang)
{
	return lang == LANG_EN ? LANG_NONE : lang;
}

void
words_of_query(struct str text, enum language lang, bool (*fn)(void *, const struct word *), void *ctx)
{
	scan_words(text, (struct scan){ .query = true, .lang = snowball_language(lang) }, fn, ctx);
}

struct word_packer {
	struct buf *out;
	size_t      positions;
};

static bool
pack_word(void *ctx, const struct word *w)
{
	struct word_packer *p = ctx;

	p->positions += w->kind == WORD_MAIN;
	/* WORD_MAX is below 64, so this bit is free. */
	buf_char(p->out, (char)(w->n | (w->kind == WORD_MAIN ? 0 : 64)));
	buf_add(p->out, w->text, w->n);
	return true;
}

size_t
words_pack(struct buf *out, struct str text, enum language lang)
{
	struct word_packer p = { out, 0 };

	scan_words(text, (struct scan){ .tails = language_compounds(lang), .lang = snowball_language(lang) }, pack_word, &p);
	return p.positions;
}

struct word_locator {
	size_t left, at;
};

static bool
locate_word(void *ctx, const struct word *w)
{
	struct word_locator *l = ctx;

	if (l->left-- == 0) {
		/* The scan emits main words only (main_only): words_pack() counts positions in these. */
		l->at = w->from;
		return false;
	}
	return true;
}

size_t
words_locate(struct str text, size_t position)
{
	struct word_locator l = { position, text.n };

	scan_words(text, (struct scan){ .main_only = true }, locate_word, &l);
	return l.at;
}
