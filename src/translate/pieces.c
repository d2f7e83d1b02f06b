/*
 * Splits texts into pieces that are translated and pieces that are not. The contract is in
 * translate/pieces.h.
 */
#include <ctype.h>
#include <string.h>
#include <utf8proc.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/utf8.h"
#include "translate/pieces.h"

/*
 * The state of a split: pieces are appended to the list; the text from `from` on is in no piece
 * yet.
 */
struct piece_cutter {
	struct arena          *a;
	const struct glossary *glossary;
	struct str             text;
	size_t                 from;       /* start of the current piece */
	struct piece          *first, **last;
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
is_letter(uint32_t cp)
{
	utf8proc_category_t k = utf8proc_category((utf8proc_int32_t)cp);

	return k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO;
}

/* Stops at an invalid byte: texts of a document are valid UTF-8. */
bool
has_letters(struct str s)
{
	uint32_t cp;
	size_t n;

	for (; s.n > 0 && (n = utf8_next(s, &cp)) > 0; s = str_slice(s, n, s.n))
		if (is_letter(cp))
			return true;
	return false;
}

/* ---- the glossary ---- */

struct term {
	struct str from, to;         /* as spelled in the glossary */
};

/*
 * A length of terms that begin with one word; a term of each of these lengths is searched at that
 * word.
 */
struct term_length {
	struct term_length *next;    /* the next shorter one */
	size_t              n;       /* bytes */
};

struct glossary {
	struct map *terms;           /* in lower case -> struct term */
	struct map *words;           /* first word of a term in lower case -> struct term_length */
};

/* The word at the beginning of s, in lower case; if s does not begin with a letter or digit, its first character. */
static struct str
first_word(struct arena *a, struct str s)
{
	uint32_t cp;
	size_t n, to = 0;

	while ((n = utf8_next(str_slice(s, to, s.n), &cp)) > 0 && (is_letter(cp) || (cp >= '0' && cp <= '9')))
		to += n;
	return str_of(utf8_lower(a, str_slice(s, 0, to > 0 ? to : n)));
}

bool
glossary_add(struct arena *a, struct glossary **g, struct str from, struct str to)
{
	struct term *t = arena_alloc(a, sizeof(*t));
	struct term_length **at, *one;

	if (*g == NULL) {
		*g = arena_alloc(a, sizeof(**g));
		**g = (struct glossary){ map_new(a), map_new(a) };
	}
	*t = (struct term){ from, to };
	if (from.n == 0 || !map_add((*g)->terms, str_of(utf8_lower(a, from)), t))
		return false;
	at = (struct term_length **)map_at((*g)->words, first_word(a, from));
	/* The terms are sorted, the longest first, so that the longest term at a place is used. */
	while (*at != NULL && (*at)->n > from.n)
		at = &(*at)->next;
	if (*at == NULL || (*at)->n != from.n) {
		one = arena_alloc(a, sizeof(*one));
		*one = (struct term_length){ *at, from.n };
		*at = one;
	}
	return true;
}

/* ---- pieces ---- */

/* Appends a piece, unless it is empty. send: it is to be translated. */
static void
put_piece(struct piece_cutter *c, struct str text, bool send)
{
	struct piece *p;

	if (text.n == 0)
		return;
	p = arena_alloc(c->a, sizeof(*p));
	*p = (struct piece){ NULL, text, send };
	*c->last = p;
	c->last = &p->next;
}

/* Runs of blanks become one: an engine gets one line. */
static struct str
one_line(struct arena *a, struct str s)
{
	struct buf b;
	size_t i;

	buf_init(&b, a, s.n + 1);
	for (i = 0; i < s.n; i++)
		if (!is_blank(s.p[i]))
			buf_char(&b, s.p[i]);
		else if (!is_blank(s.p[i + 1 < s.n ? i + 1 : i]))
			buf_char(&b, ' ');
	return buf_view(&b);
}

/* Appends the current piece, which ends here. */
static void
flush_to(struct piece_cutter *c, size_t to)
{
	struct str s = str_slice(c->text, c->from, to);
	size_t head = 0, tail = s.n;

	c->from = to;
	/*
	 * Numbers and signs without letters are not sent: engines damage them, and they cost a
	 * call.
	 */
	if (!has_letters(s)) {
		put_piece(c, s, false);
		return;
	}
	/*
	 * The loop ends, because the text has a letter. Blanks at the ends are not sent: engines
	 * drop them, and words would run together.
	 */
	while (is_blank(s.p[head]))
		head++;
	while (is_blank(s.p[tail - 1]))
		tail--;
	put_piece(c, str_slice(s, 0, head), false);
	put_piece(c, one_line(c->a, str_slice(s, head, tail)), true);
	put_piece(c, str_slice(s, tail, s.n), false);
}

/* Ends the current piece, and appends [from, to) as a piece that is not translated. */
static void
put_untranslated(struct piece_cutter *c, size_t from, size_t to, struct str instead)
{
	flush_to(c, from);
	put_piece(c, instead, false);
	c->from = to;
}

/* ---- placeholders ---- */

/* The end of the word that begins at i: before a blank, without the signs that end a sentence. */
static size_t
word_end(struct str s, size_t i)
{
	size_t to = i;

	while (to < s.n && !is_blank(s.p[to]))
		to++;
	while (to > i + 1 && strchr(".,;:!?)]\"'", s.p[to - 1]) != NULL)
		/* In "(see --flag)." the word is --flag; the signs after it are not part of it. */
		to--;
	return to;
}

static bool
has_text(struct str s, const char *what)
{
	return memmem(s.p, s.n, what, strlen(what)) != NULL;
}

/* The length from a brace to the one that closes it; 0: none closes it. */
static size_t
braces_length(struct str s, size_t i)
{
	size_t depth = 0, k;

	/*
	 * A brace that is not closed within 200 bytes counts as an ordinary sign, so that a text of
	 * many braces needs no quadratic time.
	 */
	for (k = i; k < s.n && k < i + 200; k++) {
		depth += s.p[k] == '{';
		if (s.p[k] == '}' && --depth == 0)
			return k + 1;
	}
	return 0;
}

/* True for names with a sign inside: snake_case, a path with backslashes, key=value. */
static bool
has_inner_sign(struct str w)
{
	size_t i;

	for (i = 1; i + 1 < w.n; i++)
		if (w.p[i] == '_' || w.p[i] == '\\' || (w.p[i] == '=' && isalnum((unsigned char)w.p[i + 1])))
			return true;
	return false;
}

/* The end of a placeholder that begins at i; 0: there is none. */
static size_t
placeholder_end(struct str s, size_t i)
{
	size_t to = word_end(s, i), end;
	struct str w = str_slice(s, i, to);
	bool starts = i == 0 || is_blank(s.p[i - 1]) || strchr("(\"'[", s.p[i - 1]) != NULL;

	if (s.p[i] == '{' || (s.p[i] == '$' && i + 1 < s.n && s.p[i + 1] == '{'))
		return (end = braces_length(s, i)) > i + 2 ? end : 0;
	/* Formats of printf: "%s", "%d"; but not "5%since", where a letter follows. */
	if (s.p[i] == '%' && w.n > 1 && strchr("sdifux", w.p[1]) != NULL && (w.n == 2 || !isalnum((unsigned char)w.p[2])))
		return i + 2;
	if (!starts || w.n < 2)
		return 0;
	/* Addresses, $NAME, --option. */
	if (has_text(w, "://") || (w.p[0] == '$' && isalpha((unsigned char)w.p[1])) || (w.n > 3 && w.p[0] == '-' && w.p[1] == '-'))
		return to;
	/* An address: text before the @, and a dot. */
	if (has_text(w, "@") && w.p[0] != '@' && has_text(w, "."))
		return to;
	return has_inner_sign(w) ? to : 0;
}

/* ---- terms ---- */

static bool
is_letter_at(struct str s, size_t i)
{
	uint32_t cp;

	return i < s.n && utf8_next(str_slice(s, i, s.n), &cp) > 0 && (is_letter(cp) || (cp >= '0' && cp <= '9'));
}

/* The longest term at i that consists of whole words; NULL: none. */
static const struct term *
term_at(struct piece_cutter *c, size_t i)
{
	const struct term_length *l;
	const struct term *t;
	size_t end;

	l = c->glossary == NULL ? NULL : map_get(c->glossary->words, first_word(c->a, str_slice(c->text, i, c->text.n)));
	for (; l != NULL; l = l->next) {
		end = i + l->n;
		/*
		 * A term ends at the end of a word, and never inside a character: "API" is not
		 * found in "APIs".
		 */
		if (end > c->text.n || is_letter_at(c->text, end) || (end < c->text.n && (c->text.p[end] & 0xC0) == 0x80))
			continue;
		t = map_get(c->glossary->terms, str_of(utf8_lower(c->a, str_slice(c->text, i, end))));
		if (t != NULL)
			return t;
	}
	return NULL;
}

/* Gives a term a capital if the text has one there. */
static struct str
match_capital(struct arena *a, struct str term, struct str text, struct str from)
{
	uint32_t t, f, cp;
	struct buf b;
	size_t n;

	if (utf8_next(text, &t) == 0 || utf8_next(from, &f) == 0 || t == f ||
	    utf8proc_category((utf8proc_int32_t)t) != UTF8PROC_CATEGORY_LU || (n = utf8_next(term, &cp)) == 0)
		return term;
	buf_init(&b, a, term.n + 8);
	buf_utf8(&b, (uint32_t)utf8proc_toupper((utf8proc_int32_t)cp));
	buf_put(&b, str_slice(term, n, term.n));
	return buf_view(&b);
}

/*
 * The pieces are in order and together the whole text: joined again, with the sent ones translated,
 * they are the result. Placeholders are searched before terms, because a term may be inside a
 * placeholder.
 */
struct piece *
pieces_cut(struct arena *a, const struct glossary *g, struct str text)
{
	struct piece_cutter c = { .a = a, .glossary = g, .text = text };
	const struct term *term;
	bool word = false;
	size_t i = 0, end;
	uint32_t cp;

	c.last = &c.first;
	while (i < text.n) {
		if ((end = placeholder_end(text, i)) > 0) {
			put_untranslated(&c, i, end, str_slice(text, i, end));
			i = end;
			/* A term may begin right after a placeholder. */
			word = false;
			continue;
		}
		/* A term is found only at the beginning of a word: `word` means that a letter or digit precedes. */
		if (!word && (term = term_at(&c, i)) != NULL) {
			end = i + term->from.n;
			put_untranslated(&c, i, end, match_capital(a, term->to, str_slice(text, i, end), term->from));
			i = end;
			continue;
		}
		end = utf8_next(str_slice(text, i, text.n), &cp);
		word = end > 0 && (is_letter(cp) || (cp >= '0' && cp <= '9'));
		i += end > 0 ? end : 1;
	}
	flush_to(&c, text.n);
	return c.first;
}
