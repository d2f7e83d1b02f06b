/*
 * Runs full-text queries over the posting lists of PostgreSQL, row by row, with the results of FTS5
 * and octavo_match(): the same rows, hits and counts (tests/unit/test_fulltext.c compares them).
 *
 * A node moves to the first row that it matches and that is not below a given one. A phrase moves its
 * words' lists until they agree, AND its parts, OR takes the lowest row of its parts. The hits of a
 * row are those of the phrases that lead to it.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "../db_terms.h"
#include "db_pg_match.h"

/* Never run: pg_match() needs a statement that it can return, whose steps are then those of the match. */
SQL_TWO(q_match, NULL, "SELECT 1");
SQL_TWO(q_having, NULL, "SELECT 1");
/* The number of rows that have each term. */
SQL_TWO(q_count, NULL,
    "SELECT t.n, (SELECT count(*) FROM search_posting p WHERE p.term = t.term) FROM unnest(CAST(:terms AS BYTEA[])) "
    "WITH ORDINALITY AS t(term, n) ORDER BY t.n");

struct pg_match {
	struct pg_db        *p;
	struct arena        *arena;
	struct pg_expression expression;
	struct pg_lists      lists;
	struct pg_lists      counting;    /* lists of phrases that are counted */
	struct db_match     *m;           /* NULL: hits are not wanted */
	int64_t              row;         /* the last one; 0: none yet */
};

/* ---- lists of a phrase ---- */

/* The terms of one word, one for each scope. */
struct token_terms {
	struct arena *arena;
	struct str   *list;
	size_t        count, room;
};

static int
collect_term(void *ctx, int flags, const char *term, int n, int from, int to)
{
	struct token_terms *t = ctx;

	(void)flags;
	(void)from;
	(void)to;
	t->list = arena_grow(t->arena, t->list, t->count, &t->room, sizeof(*t->list));
	t->list[t->count++] = (struct str){ arena_strndup(t->arena, term, (size_t)n), (size_t)n };
	return 0;
}

static void
put_literal(struct buf *b, struct str bytes, size_t n)
{
	size_t i;

	buf_str(b, "'\\x");
	for (i = 0; i < n; i++)
		buf_printf(b, "%02x", (unsigned char)bytes.p[i]);
	buf_str(b, "'::bytea");
}

/*
 * The SQL condition for terms that begin with one of these. Bytes of UTF-8 are below 255, so the upper end
 * of a range has a last byte that is one higher.
 */
static const char *
ranges_of(struct arena *a, const struct token_terms *t)
{
	struct buf b;
	struct str above;
	size_t i;

	buf_init(&b, a, 1 << 20);
	for (i = 0; i < t->count; i++) {
		above = (struct str){ arena_strndup(a, t->list[i].p, t->list[i].n), t->list[i].n };
		((char *)above.p)[above.n - 1]++;
		buf_str(&b, i == 0 ? "(term >= " : " OR (term >= ");
		put_literal(&b, t->list[i], t->list[i].n);
		buf_str(&b, " AND term < ");
		put_literal(&b, above, above.n);
		buf_char(&b, ')');
	}
	return b.p;
}

/* Adds the lists of a word: one for its term in each scope; or, if it may be a beginning (open), one for all. */
static void
add_lists(struct pg_lists *l, struct pg_token *token, struct str word, bool open)
{
	struct token_terms terms = { .arena = l->arena };
	size_t i;

	terms_each(word, collect_term, &terms);
	token->count = open && terms.count > 0 ? 1 : terms.count;
	token->lists = arena_array(l->arena, token->count + 1, sizeof(struct pg_list *));
	if (open && terms.count > 0)
		token->lists[0] = pg_list_add(l, terms.list[0], ranges_of(l->arena, &terms));
	for (i = 0; !open && i < terms.count; i++)
		token->lists[i] = pg_list_add(l, terms.list[i], NULL);
}

static void
add_phrase(struct pg_lists *l, struct pg_node *n)
{
	size_t i;

	n->tokens = arena_array(l->arena, n->count, sizeof(*n->tokens));
	for (i = 0; i < n->count; i++)
		add_lists(l, &n->tokens[i], n->words[i], n->open && i + 1 == n->count);
}

/* ---- moving ---- */

/*
 * The functions seek_…() move to the first row, not below `from`, that the token or node matches, and set
 * its row; INT64_MAX: there is none.
 */
static void
seek_token(struct pg_lists *l, struct pg_token *t, int64_t from)
{
	size_t i;

	t->row = INT64_MAX;
	for (i = 0; i < t->count; i++) {
		pg_list_seek(l, t->lists[i], from);
		if (t->lists[i]->row < t->row)
			t->row = t->lists[i]->row;
	}
}

/* Sets *out to the hits of the word in its current row, in these columns. sizes: as in pg_list_hits(). */
static void
read_token(struct pg_lists *l, struct pg_token *t, unsigned columns, struct pg_hits *out, int *sizes)
{
	size_t i;

	out->count = 0;
	for (i = 0; i < t->count; i++)
		if (t->lists[i]->row == t->row)
			pg_list_hits(l, t->lists[i], columns, out, sizes);
}

/* Sets n->hits to the positions at which the words follow each other; each hit of a word is used once, as FTS5 does (fts5ExprPhraseIsMatch()). */
static void
find_phrase(struct arena *a, struct pg_node *n, size_t *at)
{
	uint32_t position;
	size_t i;
	bool same;

	memset(at, 0, n->count * sizeof(*at));
	for (;;) {
		position = n->tokens[0].hits.list[at[0]];
		do {
			for (i = 0, same = true; i < n->count; i++) {
				const struct pg_hits *h = &n->tokens[i].hits;

				while (h->list[at[i]] < position + i)
					if (++at[i] == h->count)
						return;
				if (h->list[at[i]] > position + i) {
					position = h->list[at[i]] - (uint32_t)i;
					same = false;
				}
			}
		} while (!same);
		pg_hits_add(a, &n->hits, position);
		for (i = 0; i < n->count; i++)
			if (++at[i] == n->tokens[i].hits.count)
				return;
	}
}

/* The hits of a phrase whose words are all in the row; false if it has none in its columns. */
static bool
read_phrase(struct pg_lists *l, struct pg_node *n)
{
	size_t i, *at;

	if (n->count == 1) {
		read_token(l, n->tokens, n->columns, &n->hits, NULL);
		return n->hits.count > 0;
	}
	n->hits.count = 0;
	for (i = 0; i < n->count; i++) {
		read_token(l, &n->tokens[i], n->columns, &n->tokens[i].hits, NULL);
		if (n->tokens[i].hits.count == 0)
			return false;
	}
	at = n->at != NULL ? n->at : (n->at = arena_array(l->arena, n->count, sizeof(*at)));
	find_phrase(l->arena, n, at);
	return n->hits.count > 0;
}

/*
 * Moves the words in turn to the row of the one before, until all agree on one row (agreed: how many in
 * sequence do). Then reads the hits; if the words do not follow each other there, goes on with the next row.
 */
static void
seek_phrase(struct pg_lists *l, struct pg_node *n, int64_t from)
{
	size_t i, agreed;

	while (from < INT64_MAX) {
		for (i = agreed = 0; agreed < n->count && from < INT64_MAX; i = (i + 1) % n->count) {
			seek_token(l, &n->tokens[i], from);
			agreed = n->tokens[i].row == from || agreed == 0 ? agreed + 1 : 1;
			from = n->tokens[i].row;
		}
		if (from == INT64_MAX || read_phrase(l, n))
			break;
		from++;
	}
	n->row = from;
}

static void seek_node(struct pg_lists *l, struct pg_node *n, int64_t from);

/* As seek_phrase() does with words. */
static void
seek_and(struct pg_lists *l, struct pg_node *n, int64_t from)
{
	size_t i = 0, agreed = 0;

	while (agreed < n->count && from < INT64_MAX) {
		seek_node(l, n->child[i], from);
		agreed = n->child[i]->row == from || agreed == 0 ? agreed + 1 : 1;
		from = n->child[i]->row;
		i = (i + 1) % n->count;
	}
	n->row = from;
}

static void
seek_or(struct pg_lists *l, struct pg_node *n, int64_t from)
{
	size_t i;

	n->row = INT64_MAX;
	for (i = 0; i < n->count; i++) {
		seek_node(l, n->child[i], from);
		if (n->child[i]->row < n->row)
			n->row = n->child[i]->row;
	}
}

/* Does nothing if the node is there or beyond already. */
static void
seek_node(struct pg_lists *l, struct pg_node *n, int64_t from)
{
	if (n->row >= from)
		return;
	if (n->kind == PG_PHRASE)
		seek_phrase(l, n, from);
	else if (n->kind == PG_AND)
		seek_and(l, n, from);
	else
		seek_or(l, n, from);
}

/* ---- counts ---- */

/* Rows of a phrase, read with lists of its own. */
static int64_t
count_rows(struct pg_match *x, const struct pg_node *phrase)
{
	struct pg_node n = { .kind = PG_PHRASE, .columns = phrase->columns, .words = phrase->words, .count = phrase->count,
		.open = phrase->open };
	int64_t rows = 0;

	add_phrase(&x->counting, &n);
	pg_lists_begin(&x->counting);
	for (seek_node(&x->counting, &n, 1); n.row < INT64_MAX; seek_node(&x->counting, &n, n.row + 1))
		rows++;
	pg_lists_end(&x->counting);
	return rows;
}

/* True for a word in any column, whose rows the server counts. */
static bool
is_simple(const struct pg_node *n)
{
	return n->count == 1 && !n->open && n->columns == (1u << DB_COLUMNS) - 1;
}

/* Adds the rows of the terms to their phrases' counts, in one round trip. */
static void
count_simple(struct pg_match *x, int phrases)
{
	struct stmt *q;
	struct buf terms;
	int owner[DB_PHRASES * 4];   /* the phrase of each term that was added */
	int n = 0, i;
	size_t k;

	pg_array_begin(&terms, x->arena);
	for (i = 0; i < phrases; i++) {
		const struct pg_node *f = x->expression.phrases[i];

		for (k = 0; is_simple(f) && !(x->m->uncounted >> i & 1) && k < f->tokens->count; k++) {
			if (n == DB_PHRASES * 4) {
				x->m->rows[i] = count_rows(x, f);
				break;
			}
			owner[n++] = i;
			pg_array_add(&terms, f->tokens->lists[k]->term);
		}
	}
	if (n == 0)
		return;
	q = db_use(&x->p->db, &q_count);
	bind_blob(q, ":terms", buf_view(&terms));
	while (stmt_step(q))
		x->m->rows[owner[col_int(q, 0) - 1]] += col_int(q, 1);
}

static void
count_phrases(struct pg_match *x)
{
	struct db_match *m = x->m;
	int i;

	m->phrases = x->expression.count < DB_PHRASES ? (int)x->expression.count : DB_PHRASES;
	memset(m->rows, 0, sizeof(m->rows));
	for (i = 0; i < m->phrases; i++)
		if (!(m->uncounted >> i & 1) && !is_simple(x->expression.phrases[i]))
			m->rows[i] = count_rows(x, x->expression.phrases[i]);
	count_simple(x, m->phrases);
	m->counted = true;
}

/* ---- a row ---- */

/* Phrases that lead to the row; the others are at a row beyond, or are parts of one that does not match. */
static void
collect_phrases(struct pg_node *n, int64_t row, struct pg_node **list, int *count)
{
	size_t i;

	if (n->row != row)
		return;
	if (n->kind == PG_PHRASE && n->number < DB_PHRASES)
		list[(*count)++] = n;
	for (i = 0; n->kind != PG_PHRASE && i < n->count; i++)
		collect_phrases(n->child[i], row, list, count);
}

/* Sets the hits of the row, at most DB_HITS, in the order of their positions: merges those of its phrases. */
static void
take_hits(struct pg_match *x)
{
	struct pg_node *list[DB_PHRASES], *best;
	size_t at[DB_PHRASES] = { 0 };
	struct db_match *m = x->m;
	int count = 0, i, which = 0;
	uint32_t hit;

	collect_phrases(x->expression.root, x->row, list, &count);
	for (m->count = 0; m->count < DB_HITS; m->count++) {
		/* The lowest position; of equal ones, the first phrase. */
		for (best = NULL, i = 0; i < count; i++)
			if (at[i] < list[i]->hits.count && (best == NULL || list[i]->hits.list[at[i]] < best->hits.list[at[which]])) {
				best = list[i];
				which = i;
			}
		if (best == NULL)
			break;
		hit = best->hits.list[at[which]++];
		m->hits[m->count] = (struct db_hit){ best->number, (int)(hit >> PG_COLUMN), (int)(hit & ((1u << PG_COLUMN) - 1)) };
	}
}

/* Reads the sizes of the row from the first list that is at the row: all lists have the same. */
static void
take_sizes(struct pg_match *x, const struct pg_node *n)
{
	struct pg_hits ignored = { 0 };
	size_t i;

	for (i = 0; n->kind != PG_PHRASE && i < n->count; i++)
		if (n->child[i]->row == x->row) {
			take_sizes(x, n->child[i]);
			return;
		}
	if (n->kind == PG_PHRASE)
		read_token(&x->lists, n->tokens, 0, &ignored, x->m->sizes);
}

bool
pg_match_step(struct pg_match *x)
{
	if (x->row == 0)
		pg_lists_begin(&x->lists);
	seek_node(&x->lists, x->expression.root, x->row + 1);
	x->row = x->expression.root->row;
	if (x->row == INT64_MAX)
		return false;
	if (x->m == NULL)
		return true;
	if (!x->m->counted)
		count_phrases(x);
	x->m->row = x->row;
	take_hits(x);
	if (!x->m->sizeless)
		take_sizes(x, x->expression.root);
	return true;
}

/* ---- its beginning and end ---- */

void
pg_match_free(struct pg_match *x)
{
	pg_lists_end(&x->counting);
	pg_lists_end(&x->lists);
	arena_free(x->arena);
}

struct stmt *
pg_match(struct db *db, const char *query, struct db_match *m)
{
	struct stmt *q = db_use(db, m == NULL ? &q_having : &q_match);
	struct arena *a = arena_new((size_t)1 << 30);
	struct pg_match *x = arena_alloc(a, sizeof(*x));
	size_t i;

	*x = (struct pg_match){ .p = pg_of(db), .arena = a, .m = m };
	x->lists = x->counting = (struct pg_lists){ .p = x->p, .arena = a };
	pg_stmt_of(q)->match = x;
	pg_expression_read(&x->expression, a, query);
	for (i = 0; i < x->expression.count; i++)
		add_phrase(&x->lists, x->expression.phrases[i]);
	if (m != NULL) {
		m->counted = false;
		m->count = 0;
	}
	return q;
}
