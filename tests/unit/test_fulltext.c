/*
 * Full-text queries give the same rows, hits, sizes and counts in every engine: random texts and
 * queries, compared with SQLite in memory. Over SQLite this compares a file with it.
 */
#include "db_fixture.h"

#include "base/buf.h"
#include "db/fulltext.h"

enum { ROWS = 2600, QUERIES = 400, WORDS = 14, DEPTH = 2 };

/* The first ones are common. Some begin alike, and some have variants at their position. */
static const char *const words[WORDS] = { "the", "heron", "herons", "hero", "star-tree", "useEffect", "settings", "set", "tree",
	"star", "pg_hba.conf", "rarely", "heronry", "\u6771\u4eac" };
static const char *const forms[WORDS] = { "the", "heron", "set", "hero", "tree", "startree", "use", "useeffect", "rarely", "sta",
	"s", "h", "hba", "absent" };

struct compared {
	struct fixture *f;
	struct db      *memory;
	uint32_t        state;
	bool            nested;   /* queries may have AND within parentheses */
};

/* xorshift: the same numbers everywhere. */
static unsigned
below(struct compared *c, unsigned n)
{
	c->state ^= c->state << 13;
	c->state ^= c->state >> 17;
	c->state ^= c->state << 5;
	return c->state % n;
}

/* ---- texts ---- */

static struct str
some_text(struct compared *c, unsigned most, unsigned scope)
{
	unsigned n = below(c, most + 1), i, which;
	struct buf b;

	buf_init(&b, c->f->arena, 1 << 16);
	buf_printf(&b, "\2%u\3", scope);
	for (i = 0; i < n; i++) {
		which = below(c, WORDS);
		buf_printf(&b, "%s ", words[below(c, which + 1)]);
	}
	return buf_view(&b);
}

static void
fill(struct compared *c)
{
	struct str columns[DB_COLUMNS];
	int64_t i;
	int k;

	db_begin(c->f->db, true);
	db_begin(c->memory, true);
	for (i = 1; i <= ROWS; i++) {
		for (k = 0; k < DB_COLUMNS; k++)
			columns[k] = some_text(c, k == 2 ? 12 : 3, i % 5 == 0 ? 22 : 2);
		fulltext_add(c->f->db, i * 3, columns);
		fulltext_add(c->memory, i * 3, columns);
		if (i % 7 == 0) {
			fulltext_drop(c->f->db, i * 3, columns);
			fulltext_drop(c->memory, i * 3, columns);
		}
	}
	db_commit(c->memory);
	db_commit(c->f->db);
}

/* ---- queries ---- */

static void
put_phrase(struct compared *c, struct buf *b)
{
	static const char *const scopes[] = { "2", "22", "2,22", "3,2" };
	const char *scope = scopes[below(c, 4)];
	unsigned n = below(c, 4) == 0 ? 2 : 1, i;

	for (i = 0; i < n; i++)
		buf_printf(b, "%s\"\2%s\4%s\"", i == 0 ? "" : " + ", scope, forms[below(c, WORDS)]);
	if (below(c, 4) == 0)
		buf_str(b, " *");
}

static void
put_expression(struct compared *c, struct buf *b, unsigned depth)
{
	static const char *const columns[] = { "", "", "", "{title heading} : ", "{body} : ", "{title heading trail} : " };
	unsigned n = 1 + below(c, 3), i;
	bool all = below(c, 2) == 0 && (depth == DEPTH || c->nested);

	for (i = 0; i < n; i++) {
		buf_str(b, i == 0 ? "" : all ? " AND " : " OR ");
		buf_str(b, columns[below(c, 6)]);
		if (depth > 0 && below(c, 2) == 0) {
			buf_char(b, '(');
			put_expression(c, b, depth - 1);
			buf_char(b, ')');
		} else {
			put_phrase(c, b);
		}
	}
}

/* ---- results as text ---- */

static void
put_row(struct buf *b, const struct db_match *m, bool hits)
{
	int i;

	buf_printf(b, "row %d", (int)m->row);
	for (i = 0; i < DB_COLUMNS && !m->sizeless; i++)
		buf_printf(b, " %d", m->sizes[i]);
	for (i = 0; hits && i < m->count; i++)
		buf_printf(b, " %d:%d:%d", m->hits[i].phrase, m->hits[i].column, m->hits[i].position);
	buf_char(b, '\n');
}

static const char *
result_of(struct db *db, struct arena *a, const char *query, uint64_t uncounted, bool sizeless, bool hits)
{
	struct db_match *m = arena_alloc(a, sizeof(*m));
	struct stmt *q;
	struct buf b;
	int i, without = 0, with = 0;

	buf_init(&b, a, 64 << 20);
	m->uncounted = uncounted;
	m->sizeless = sizeless;
	db_begin(db, false);
	for (q = fulltext_match(db, query, m); stmt_step(q); with++)
		put_row(&b, m, hits);
	for (i = 0; m->counted && i < m->phrases; i++)
		buf_printf(&b, "phrase %d: %d\n", i, (int)m->rows[i]);
	for (q = fulltext_match(db, query, NULL); stmt_step(q);)
		without++;
	db_commit(db);
	assert_int_equal(without, with);
	return b.n == 0 ? "" : b.p;
}

/* Names the first line that differs. */
static void
differ(const char *query, const char *mine, const char *theirs)
{
	const char *line = mine, *other = theirs;

	for (; *mine == *theirs; mine++, theirs++)
		if (*mine == '\n') {
			line = mine + 1;
			other = theirs + 1;
		}
	fail_msg("%s\n%.*s\nin SQLite:\n%.*s", query, (int)strcspn(line, "\n"), line, (int)strcspn(other, "\n"), other);
}

static void
compare_some(struct compared *c, int queries)
{
	struct arena *a = arena_new(1 << 30);
	const char *mine, *theirs;
	uint64_t uncounted;
	struct buf query;
	int i;

	for (i = 0; i < queries; i++) {
		buf_init(&query, a, 1 << 16);
		put_expression(c, &query, DEPTH);
		uncounted = below(c, 2) == 0 ? 0 : below(c, 1 << 16);
		mine = result_of(c->f->db, a, query.p, uncounted, i % 3 == 0, !c->nested);
		theirs = result_of(c->memory, a, query.p, uncounted, i % 3 == 0, !c->nested);
		if (strcmp(mine, theirs) != 0)
			differ(query.p, mine, theirs);
		arena_reset(a);
	}
	arena_free(a);
}

/*
 * FTS5 loses hits in a query with AND within parentheses: where that does not match a row, it empties the lists
 * of all its phrases, also of those that are at a later row already (fts5ExprNodeZeroPoslist()). Then
 * only rows and counts are compared.
 */
static void
engines_find_the_same(void **state)
{
	struct compared c = { .f = *state, .state = 2463534242u };
	const char *error;

	c.memory = db_open(c.f->arena, ":memory:", DB_CREATE, NULL, &error);
	assert_non_null(c.memory);
	fill(&c);
	compare_some(&c, QUERIES);
	c.nested = true;
	compare_some(&c, QUERIES / 2);
	db_close(c.memory);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(engines_find_the_same, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
