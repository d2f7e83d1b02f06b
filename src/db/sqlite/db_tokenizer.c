/*
 * The FTS5 tokenizer "octavo": it finds words as text/words.h defines them, and puts a scope before
 * each. A text may begin with a scope: byte 2, the scope, and a control byte that determines the
 * form of the rest:
 *
 *   \2SCOPE\3text       ordinary text
 *   \2SCOPE\4word       a single word, used unchanged: this is the form of queries
 *   \2SCOPE\5packed     the form of words_pack(), so that words can be found before the write lock is taken
 *
 * The index then contains terms of the form "SCOPE word". Each list of rows in it belongs to one
 * scope, so the cost of a query, of a prefix search and of the counts for bm25() depends on the
 * size of one space and not of the whole index. Text that does not begin with byte 2 is ordinary
 * text without a scope.
 *
 * In a query, SCOPE may be a list of scopes separated by commas. Each word is then searched in all
 * of them, as FTS5 does with synonyms, and still counts as one phrase.
 */
#include "db_sqlite.h"
#include "text/words.h"

/* The digits of a number, with room to spare. */
enum { SCOPE_MAX = 24 };

struct token_sink {
	/* FTS5's: context, flags, token and length, position in the text */
	int       (*fn)(void *, int, const char *, int, int, int);
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
give_in(struct token_sink *f, struct str scope, const struct word *w, int flags)
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
 * Emit a stem, or the word in a further scope, at its word's position (FTS5_TOKEN_COLOCATED), so
 * that phrases count only words.
 */
static bool
emit_word(void *ctx, const struct word *w)
{
	struct token_sink *f = ctx;
	int flags = w->kind == WORD_MAIN ? 0 : FTS5_TOKEN_COLOCATED;
	struct str left = f->scopes;
	size_t n;

	do {
		for (n = 0; n < left.n && left.p[n] != ','; n++)
			;
		give_in(f, str_slice(left, 0, n), w, flags);
		left = str_slice(left, n + (n < left.n), left.n);
		flags = FTS5_TOKEN_COLOCATED;
	} while (left.n > 0 && f->rc == SQLITE_OK);
	return f->rc == SQLITE_OK;
}

static void
give_packed(struct token_sink *f, struct str s)
{
	struct word w = { 0 };
	size_t i;

	for (i = 0; i < s.n && f->rc == SQLITE_OK; i += w.n + 1) {
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

static int
fts_tokenize(Fts5Tokenizer *t, void *ctx, int why, const char *p, int n, int (*fn)(void *, int, const char *, int, int, int))
{
	struct token_sink f = { .fn = fn, .ctx = ctx, .scopes = { "", 0 } };
	struct str text = { p, p == NULL || n < 0 ? 0 : (size_t)n };
	struct word word = { 0 };

	(void)t;
	(void)why;
	switch (take_scope(&f, &text)) {
	case 4:
		word.text = text.p;
		word.n = text.n > 250 ? 250 : text.n;
		if (word.n > 0)
			emit_word(&f, &word);
		break;
	case 5:
		give_packed(&f, text);
		break;
	default:
		/* Plain text, with or without a scope. */
		words_each(text, emit_word, &f);
	}
	return f.rc;
}

static int
fts_create(void *ctx, const char **argv, int argc, Fts5Tokenizer **out)
{
	static char nothing;

	(void)ctx;
	(void)argv;
	*out = (Fts5Tokenizer *)&nothing;   /* there is no state, but FTS5 requires a pointer */
	return argc == 0 ? SQLITE_OK : SQLITE_ERROR;
}

static void
fts_destroy(Fts5Tokenizer *t)
{
	(void)t;
}

bool
db_fulltext(sqlite3 *h)
{
	fts5_tokenizer octavo = { fts_create, fts_destroy, fts_tokenize };
	fts5_api *api = NULL;
	sqlite3_stmt *s = NULL;
	bool ok;

	if (sqlite3_prepare_v2(h, "SELECT fts5(?1)", -1, &s, NULL) != SQLITE_OK)
		return false;
	sqlite3_bind_pointer(s, 1, (void *)&api, "fts5_api_ptr", NULL);
	sqlite3_step(s);
	ok = sqlite3_finalize(s) == SQLITE_OK && api != NULL;
	return ok && api->xCreateTokenizer(api, "octavo", NULL, &octavo, NULL) == SQLITE_OK &&
	    db_match_register(api) == SQLITE_OK;
}
