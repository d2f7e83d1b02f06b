/* Terms of full-text search. Contract: db_terms.h. */
#include <string.h>

#include "db_terms.h"
#include "text/words.h"

/* The digits of a number, with room to spare. */
enum { SCOPE_MAX = 24 };

struct token_sink {
	int       (*fn)(void *, int, const char *, int, int, int);   /* db_terms.h */
	void       *ctx;
	struct str  scopes;                       /* empty: words without a scope */
	size_t      skipped;                      /* bytes of the text before the words */
	int         rc;
};

/*
 * Emit one token: scope, blank, word. A word has at most 250 bytes, a scope at most SCOPE_MAX
 * (take_scope()).
 */
static void
emit_scoped(struct token_sink *f, struct str scope, const struct word *w, int flags)
{
	char token[SCOPE_MAX + 1 + 255];
	size_t n = scope.n;

	memcpy(token, scope.p, n);
	if (n > 0)
		token[n++] = ' ';
	memcpy(token + n, w->text, w->n);
	f->rc = f->fn(f->ctx, flags, token, (int)(n + w->n), (int)(w->from + f->skipped),
	    (int)(w->to + f->skipped));
}

/*
 * Emits a word in each scope. All its terms but the first, and its stem, get the position of the
 * word (TERM_COLOCATED), so that positions in phrases count words.
 */
static bool
emit_word(void *ctx, const struct word *w)
{
	struct token_sink *f = ctx;
	int flags = w->kind == WORD_MAIN ? 0 : TERM_COLOCATED;
	struct str left = f->scopes;
	size_t n;

	do {
		for (n = 0; n < left.n && left.p[n] != ','; n++)
			;
		emit_scoped(f, str_slice(left, 0, n), w, flags);
		left = str_slice(left, n + (n < left.n), left.n);
		flags = TERM_COLOCATED;
	} while (left.n > 0 && f->rc == 0);
	return f->rc == 0;
}

static void
emit_packed(struct token_sink *f, struct str s)
{
	struct word w = { 0 };
	size_t i;

	for (i = 0; i < s.n && f->rc == 0; i += w.n + 1) {
		w.kind = (s.p[i] & 64) != 0 ? WORD_STEM : WORD_MAIN;
		w.n = (unsigned char)s.p[i] & 63;
		w.text = s.p + i + 1;
		/* Damaged input: never read beyond its end. */
		if (i + 1 + w.n > s.n)
			break;
		emit_word(f, &w);
	}
}

/* Remove the scope from the text; returns the kind of the remaining text. */
static char
take_scope(struct token_sink *f, struct str *text)
{
	size_t i, one = 0;

	if (text->n < 2 || text->p[0] != 2)
		return 3;
	for (i = 1; i < text->n && one <= SCOPE_MAX && (unsigned char)text->p[i] > 5; i++)
		one = text->p[i] == ',' ? 0 : one + 1;
	if (i == text->n || one > SCOPE_MAX)
		return 3;
	f->scopes = str_slice(*text, 1, i);
	f->skipped = i + 1;
	*text = str_slice(*text, i + 1, text->n);
	/* The control byte after the scope is the kind. */
	return text->p[-1];
}

int
terms_each(struct str text, int (*fn)(void *ctx, int flags, const char *term, int n, int from, int to), void *ctx)
{
	struct token_sink f = { .fn = fn, .ctx = ctx, .scopes = { "", 0 } };
	struct word word = { 0 };

	switch (take_scope(&f, &text)) {
	case 4:
		word.text = text.p;
		word.n = text.n > 250 ? 250 : text.n;
		if (word.n > 0)
			emit_word(&f, &word);
		break;
	case 5:
		emit_packed(&f, text);
		break;
	default:
		/* Plain text, with or without a scope. */
		words_each(text, emit_word, &f);
	}
	return f.rc;
}
