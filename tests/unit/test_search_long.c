/* Search of long pages, whose words are in several rows of the index: found, written, removed and interrupted. */
#include <setjmp.h>

#include "search_fixture.h"

#include "invariant_fixture.h"

SQL(q_parts, "SELECT COALESCE(max(parts), 0) FROM search_page /*scan*/");
SQL(q_rows, "SELECT count(*) FROM search_page /*scan*/");
SQL(q_terms, "SELECT count(*) FROM search_term WHERE term LIKE '% %' /*scan*/");
SQL(q_lost, "UPDATE search_page SET parts = parts - 1 WHERE parts > 1");

enum { SECTIONS = 12, DIFFERENT = 2000 };

static int64_t
number(struct fixture *f, const struct sql *sql)
{
	int64_t n;

	db_begin(f->db, false);
	n = stmt_int(db_use(f->db, sql), -1);
	db_rollback(f->db);
	return n;
}

/*
 * Sections of different words; each with the word "every", and one with a word of its own: "heron" in
 * the first, "dunnock" in the middle, "plover" in the last. seed: other words.
 */
static const char *
long_body(struct fixture *f, const char *before, const char *after, unsigned seed)
{
	struct buf b;
	int i, k;

	buf_init(&b, f->arena, 1 << 20);
	for (i = 0; i < SECTIONS; i++) {
		buf_printf(&b, "\n\n## Chapter%d\n\n%s", i, before);
		for (k = 0; k < DIFFERENT; k++)
			buf_printf(&b, "%x ", ((unsigned)(i * DIFFERENT + k) + seed * 1000000) * 2654435761u);
		buf_printf(&b, "every %s.%s", i == 0 ? "heron" : i == SECTIONS / 2 ? "dunnock" : i == SECTIONS - 1 ? "plover" : "other", after);
	}
	return b.p;
}

static void
a_long_page_is_found_by_the_words_of_each_part(void **state)
{
	struct fixture *f = *state;
	int64_t count;

	page(f, "a", "Almanac", long_body(f, "", "", 0));
	page(f, "b", "Other", "A dunnock, and every bird.");
	assert_true(number(f, &q_parts) > 3);
	finds(f, "heron", "a");
	finds(f, "plover", "a");
	assert_string_equal(found_in(f, f->space, "almanac plover", &count), "a");
	assert_int_equal(count, 1);
	assert_string_equal(found_in(f, f->space, "every", &count), "b a");
	assert_int_equal(count, 2);
	assert_string_equal(found_in(f, f->space, "\"every dunnock\"", &count), "a");
	assert_string_equal(invariants_text(f->db, f->arena), "");
}

/* Reads the hits one by one, as a client that asks for pages of one hit. */
static const char *
found_one_by_one(struct fixture *f, const char *query)
{
	struct search_after after;
	struct search_found out = { .count = 0 };
	struct search_in in;
	bool more = false;
	struct buf b;

	buf_init(&b, f->arena, 1 << 12);
	do {
		db_begin(f->db, false);
		assert_true(search_find(f->db, f->arena, f->space, &in));
		search(f->db, f->arena, str_of(query), &in, 1, 1, more ? &after : NULL, &out);
		search_shown(f->db, f->arena, &out, 0, out.hit_count);
		db_rollback(f->db);
		if ((more = out.hit_count > 0)) {
			buf_printf(&b, "%s ", out.hits[0].page);
			after = (struct search_after){ out.hits[0].score, out.hits[0].no };
		}
	} while (more);
	return b.n == 0 ? "" : b.p;
}

static void
a_long_page_is_one_hit(void **state)
{
	struct fixture *f = *state;
	int64_t count;
	const char *all;

	page(f, "a", "Almanac", long_body(f, "", "", 0));
	page(f, "b", "Almanac too", long_body(f, "", "", 1));
	page(f, "c", "Other", "Every bird, every day.");
	all = found_in(f, f->space, "every", &count);
	assert_int_equal(count, 3);
	assert_string_equal(found_one_by_one(f, "every"), arena_printf(f->arena, "%s ", all));
	/* Some of the words: a loose query. */
	all = found_in(f, f->space, "dunnock plover quokka every", &count);
	assert_int_equal(count, 2);
	assert_string_equal(found_one_by_one(f, "dunnock plover quokka every"), arena_printf(f->arena, "%s ", all));
}

/* The section and the text of the first hit. */
static const char *
shown(struct fixture *f, const char *query)
{
	struct search_found out = { .count = 0 };
	struct search_in in;

	db_begin(f->db, false);
	assert_true(search_find(f->db, f->arena, f->space, &in));
	search(f->db, f->arena, str_of(query), &in, 1, 1, NULL, &out);
	search_shown(f->db, f->arena, &out, 0, out.hit_count);
	db_rollback(f->db);
	assert_int_equal(out.hit_count, 1);
	return arena_printf(f->arena, "%s: %s", out.hits[0].sections[0].heading, out.hits[0].sections[0].excerpt);
}

static void
assert_shows(struct fixture *f, const char *query, const char *heading)
{
	const char *text = shown(f, query);

	if (strncmp(text, heading, strlen(heading)) != 0 || strstr(text, query) == NULL)
		fail_msg("%s is shown by: %s", query, text);
}

static void
a_hit_of_a_part_is_shown_in_its_section(void **state)
{
	struct fixture *f = *state;

	page(f, "a", "Almanac", long_body(f, "", "", 0));
	assert_shows(f, "heron", "Chapter0: ");
	assert_shows(f, "dunnock", "Chapter6: ");
	assert_shows(f, "plover", "Chapter11: ");
}

/* One section without a line end is divided as well, between words. */
static void
a_long_section_is_divided(void **state)
{
	struct fixture *f = *state;
	struct buf b;
	int i;

	buf_init(&b, f->arena, 1 << 20);
	buf_str(&b, "## Only\n\n");
	for (i = 0; i < 30000; i++)
		buf_printf(&b, "w%dx ", i);
	buf_str(&b, "plover.");
	page(f, "a", "Almanac", b.p);
	assert_true(number(f, &q_parts) > 2);
	for (i = 0; i < 30000; i += 997)
		finds(f, arena_printf(f->arena, "w%dx", i), "a");
	assert_shows(f, "plover", "Only: ");
	page(f, "a", "Almanac", "");
	search_sweep(f->db, f->arena, f->space);
	assert_int_equal(number(f, &q_parts), 1);
	finds(f, "plover", "");
	assert_string_equal(invariants_text(f->db, f->arena), "");
}

/* Text without blanks, and bytes of characters that a piece must not separate. */
static void
text_without_blanks_is_divided(void **state)
{
	struct fixture *f = *state;
	struct buf b;
	int i;

	buf_init(&b, f->arena, 1 << 20);
	for (i = 0; i < 60000; i++)
		buf_printf(&b, "%c%c%c", 0xE4 + i % 5, 0x80 + i / 7 % 64, 0x80 + i / 450 % 64);
	buf_str(&b, " plover.");
	page(f, "a", "Almanac", b.p);
	assert_true(number(f, &q_parts) > 1);
	finds(f, "plover", "a");
	assert_string_equal(invariants_text(f->db, f->arena), "");
}

static bool
holds_for(void *ctx, const char *page, const char *condition)
{
	(void)page;
	return condition == NULL || strcmp(ctx, condition) == 0;
}

/* Ids that a reader finds who satisfies this condition. */
static const char *
found_by(struct fixture *f, const char *condition, const char *query)
{
	struct search_viewer viewer = { holds_for, (void *)(uintptr_t)condition };
	struct search_found out = { .count = 0 };
	struct search_in in;

	db_begin(f->db, false);
	assert_true(search_find(f->db, f->arena, f->space, &in));
	in.viewer = &viewer;
	search(f->db, f->arena, str_of(query), &in, 1, 10, NULL, &out);
	search_shown(f->db, f->arena, &out, 0, out.hit_count);
	assert_int_equal(out.count, out.hit_count);
	db_rollback(f->db);
	return out.hit_count == 0 ? "" : out.hits[0].page;
}

static void
hidden_words_of_a_part_find_nothing(void **state)
{
	struct fixture *f = *state;
	const char *body = long_body(f, "", "\n\n{% if pro %}\n\nA quokka.\n\n{% endif %}\n", 0);

	page(f, "a", "Almanac", body);
	assert_true(number(f, &q_parts) > 3);
	assert_string_equal(found_by(f, "pro", "quokka"), "a");
	assert_string_equal(found_by(f, "free", "quokka"), "");
	assert_string_equal(found_by(f, "free", "plover"), "a");
	assert_string_equal(found_by(f, "free", "every"), "a");
}

static void
a_long_page_leaves_nothing(void **state)
{
	struct fixture *f = *state;

	page(f, "a", "Almanac", long_body(f, "", "", 0));
	page(f, "a", "Almanac", long_body(f, "", "", 1));
	page(f, "b", "Other", long_body(f, "", "", 2));
	search_sweep(f->db, f->arena, f->space);
	assert_int_equal(number(f, &q_rows), 2);
	search_drop(f->db, f->arena, f->space);
	assert_int_equal(number(f, &q_rows), 0);
	assert_int_equal(number(f, &q_terms), 0);
}

/* ---- interrupted ---- */

struct death {
	jmp_buf at;
	int     left, count;   /* write transactions left until the process "dies"; so far */
};

static void
count_down(void *ctx)
{
	struct death *d = ctx;

	d->count++;
	if (d->left > 0 && --d->left == 0)
		longjmp(d->at, 1);
}

/* Does it until the process "dies" after `left` transactions (0: never); false: it died. */
static bool
do_until(struct fixture *f, int left, void (*what)(struct fixture *f, void *ctx), void *ctx)
{
	struct death d = { .left = left };
	bool whole = setjmp(d.at) == 0;

	if (whole) {
		db_watch(f->db, 0, count_down, &d);
		what(f, ctx);
	}
	db_watch(f->db, DB_STEP_MS * 1000, NULL, NULL);
	return whole;
}

static struct node
node_of(struct fixture *f, const char *body)
{
	return (struct node){ .id = "a", .kind = NODE_DOCUMENT, .title = "Almanac", .props = "{}", .git_path = "a.md",
		.path = "a", .body = hash_of(f->arena, str_of(body)) };
}

static void
write_ahead(struct fixture *f, void *body)
{
	struct node n = node_of(f, body);
	struct search_source s = { &n, str_of(body), NULL };

	search_ahead(f->db, f->arena, f->space, &s, 1, NULL, NULL);
}

static bool
is_known(struct fixture *f, const char *body)
{
	struct node n = node_of(f, body);
	bool known;

	db_begin(f->db, false);
	known = search_has_version(f->db, f->arena, f->space, &n);
	db_rollback(f->db);
	return known;
}

static void
writing_may_end_after_each_part(void **state)
{
	struct fixture *f = *state;
	char *body = (char *)(uintptr_t)long_body(f, "", "", 1);
	int left;

	page(f, "a", "Almanac", "A stork.");
	/* Nobody finds what is not whole, nor takes it for the page's words. */
	for (left = 1; !do_until(f, left, write_ahead, body) && !is_known(f, body); left++) {
		finds(f, "plover", "");
		finds(f, "stork", "a");
		assert_string_equal(invariants_text(f->db, f->arena), "");
		/* What a job or a long merge does before and after its own work. */
		search_apply_turns(f->db, f->space);
		search_unused(f->db, f->arena, f->space);
		assert_int_equal(number(f, &q_rows), 1);
	}
	assert_true(left > 4);
	assert_true(is_known(f, body));
	page(f, "a", "Almanac", body);
	finds(f, "plover", "a");
	finds(f, "stork", "");
	assert_string_equal(invariants_text(f->db, f->arena), "");
}

static void
sweep(struct fixture *f, void *ctx)
{
	(void)ctx;
	search_unused(f->db, f->arena, f->space);
}

static void
removing_may_end_after_each_part(void **state)
{
	struct fixture *f = *state;
	const char *body = long_body(f, "", "", 1);
	int left, rounds = 0;

	for (left = 1; left < 20; left++) {
		page(f, "a", "Almanac", body);
		finds(f, "plover", "a");
		page(f, "a", "Almanac", "A stork.");
		if (do_until(f, left, sweep, NULL))
			break;
		assert_string_equal(invariants_text(f->db, f->arena), "");
		/* A version that has lost words is not shown again. */
		page(f, "a", "Almanac", body);
		finds(f, "heron", "a");
		finds(f, "plover", "a");
		assert_string_equal(invariants_text(f->db, f->arena), "");
		search_unused(f->db, f->arena, f->space);
		assert_int_equal(number(f, &q_rows), 1);
		rounds++;
	}
	assert_true(rounds > 3);
}

/* Another connection, which sweeps the space after each transaction. */
struct sweeper {
	struct fixture *f;
	struct db      *db;
	unsigned        times;
};

static void
sweep_beside(void *ctx)
{
	struct sweeper *s = ctx;

	search_unused(s->db, s->f->arena, s->f->space);
	s->times++;
}

static void
what_is_being_written_is_not_swept(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	struct sweeper s = { .f = f };
	char *body = (char *)(uintptr_t)long_body(f, "", "", 1);

	page(f, "a", "Almanac", "A stork.");
	s.db = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE,
	    &(struct db_options){ .relaxed = true }, &error);
	assert_non_null(s.db);
	db_watch(f->db, 0, sweep_beside, &s);
	write_ahead(f, body);
	db_watch(f->db, DB_STEP_MS * 1000, NULL, NULL);
	db_close(s.db);
	assert_true(s.times > 3);
	assert_string_equal(invariants_text(f->db, f->arena), "");
	/* Whole, or swept after its last part, as entries of one part are. */
	page(f, "a", "Almanac", body);
	finds(f, "plover", "a");
	assert_string_equal(invariants_text(f->db, f->arena), "");
}

/* The check names an entry that lacks a part. */
static void
a_missing_part_is_a_breach(void **state)
{
	struct fixture *f = *state;

	page(f, "a", "Almanac", long_body(f, "", "", 0));
	assert_string_equal(invariants_text(f->db, f->arena), "");
	db_begin(f->db, true);
	stmt_run(db_use(f->db, &q_lost));
	db_commit(f->db);
	assert_non_null(strstr(invariants_text(f->db, f->arena), "documents are in the search index"));
	assert_non_null(strstr(invariants_text(f->db, f->arena), "sections and terms"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_long_page_is_found_by_the_words_of_each_part, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_long_page_is_one_hit, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_hit_of_a_part_is_shown_in_its_section, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_long_section_is_divided, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(text_without_blanks_is_divided, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(hidden_words_of_a_part_find_nothing, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_long_page_leaves_nothing, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(writing_may_end_after_each_part, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(removing_may_end_after_each_part, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(what_is_being_written_is_not_swept, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_missing_part_is_a_breach, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
