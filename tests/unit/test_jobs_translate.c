/*
 * Corrections by people and new translations of one page: which text the translated space gets, and
 * which warnings are given.
 */
#include "db_fixture.h"

#include "../../src/jobs/translate_job.h"
#include "store/blob.h"
#include "store/content.h"

/*
 * The page as the last run left it (before), as it is in the translated space now, and as this run
 * would write it (wanted).
 */
struct sides {
	struct translate_job job;
	struct item          item;
	struct node          before, now;
	struct wanted        wanted;
};

static struct str
body(struct fixture *f, const char *text)
{
	return blob_put(f->db, f->arena, str_of(text));
}

static void
sides(struct sides *s, struct fixture *f)
{
	*s = (struct sides){ .before = { .id = "a", .kind = NODE_DOCUMENT, .parent = "", .ord = "V", .slug = "a", .title = "Uno",
		.props = "{\"description\":\"Algo\",\"icon\":\"book\"}" } };
	db_begin(f->db, true);
	s->before.body = body(f, "uno\n\ndos\n\ntres\n");
	s->now = s->before;
	s->wanted.node = s->before;
	s->item = (struct item){ .node = { .id = "a", .kind = NODE_DOCUMENT } };
	s->item.last_warning = &s->item.warnings;
	s->job = (struct translate_job){ .db = f->db, .arena = f->arena, .started = 7, .by_id = map_new(f->arena) };
	map_add(s->job.by_id, STR("a"), &s->item);
}

static struct wanted *
both(struct sides *s)
{
	return translate_both(&s->job, &s->before, &s->now, &s->wanted);
}

static size_t
warnings(const struct sides *s)
{
	const struct warning *w;
	size_t n = 0;

	for (w = s->item.warnings; w != NULL; w = w->next)
		n++;
	return n;
}

static void
corrections_stay(void **state)
{
	struct fixture *f = *state;
	struct wanted *w;
	struct sides s;

	sides(&s, f);
	s.now.title = "Primero";
	s.now.props = "{\"description\":\"Algo mejor\",\"icon\":\"book\"}";
	s.now.body = body(f, "uno\n\ndos\n\ntercero\n");
	s.wanted.node.props = "{\"description\":\"Algo\",\"icon\":\"star\"}";
	s.wanted.body = STR("primero\n\ndos\n\ntres\n");
	w = both(&s);
	assert_string_equal(w->node.title, "Primero");
	assert_non_null(strstr(w->node.props, "Algo mejor"));
	assert_non_null(strstr(w->node.props, "star"));
	assert_true(str_is(w->body, "primero\n\ndos\n\ntercero\n"));
	assert_int_equal(w->node.at, 7);
	assert_int_equal(warnings(&s), 0);
	/* The branch of the translations keeps the new translation without the correction. */
	assert_string_equal(s.wanted.node.title, "Uno");
	db_rollback(f->db);
}

/*
 * If the source of a corrected text has changed, the correction is kept, with a warning for each; a
 * second plan gives the same warnings.
 */
static void
a_correction_wins_with_a_warning(void **state)
{
	struct fixture *f = *state;
	struct wanted *w;
	struct sides s;
	int plan;

	sides(&s, f);
	s.now.title = "Primero";
	s.now.props = "{\"description\":\"Algo mejor\",\"icon\":\"book\"}";
	s.now.body = body(f, "uno\n\nsegundo\n\ntres\n");
	s.wanted.node.title = "Nuevo";
	s.wanted.node.props = "{\"description\":\"Otra cosa\",\"icon\":\"book\"}";
	s.wanted.body = STR("uno\n\nnuevo\n\ntres mil\n");
	for (plan = 0; plan < 2; plan++) {
		w = both(&s);
		assert_string_equal(w->node.title, "Primero");
		assert_non_null(strstr(w->node.props, "Algo mejor"));
		assert_true(str_is(w->body, "uno\n\nsegundo\n\ntres mil\n"));
		assert_int_equal(warnings(&s), 3);
	}
	assert_string_equal(s.item.warnings->message, "the correction of the title is kept; its source has changed");
	assert_non_null(strstr(s.item.warnings->next->message, "\"description\""));
	assert_non_null(strstr(s.item.warnings->next->next->message, "(line 3): segundo"));
	db_rollback(f->db);
}

/* A correction that equals the new translation gives no warning. */
static void
an_equal_correction_gives_no_warning(void **state)
{
	struct fixture *f = *state;
	struct wanted *w;
	struct sides s;

	sides(&s, f);
	s.now.title = s.wanted.node.title = "Primero";
	s.now.body = body(f, "uno\n\nsegundo\n\ntres\n");
	s.wanted.node.body = s.now.body;
	w = both(&s);
	assert_string_equal(w->node.title, "Primero");
	assert_true(str_is(w->body, "uno\n\nsegundo\n\ntres\n"));
	assert_int_equal(warnings(&s), 0);
	db_rollback(f->db);
}

static void
a_moved_page_keeps_its_position(void **state)
{
	struct fixture *f = *state;
	struct wanted *w;
	struct sides s;

	sides(&s, f);
	s.now.parent = "b";
	s.now.ord = "W";
	s.now.slug = "primero";
	s.wanted.node.ord = "X";
	s.wanted.node.title = "Nuevo";
	w = both(&s);
	assert_string_equal(w->node.parent, "b");
	assert_string_equal(w->node.ord, "W");
	assert_string_equal(w->node.slug, "primero");
	assert_string_equal(w->node.title, "Nuevo");
	/* A page that was not moved in the translated space follows the source. */
	s.now.parent = "";
	s.now.ord = "V";
	assert_string_equal(both(&s)->node.ord, "X");
	db_rollback(f->db);
}

/* Links inside a correction keep their targets. */
static void
links_of_corrections_keep_their_targets(void **state)
{
	struct fixture *f = *state;
	struct wanted *w;
	struct sides s;

	sides(&s, f);
	s.now.refs = body(f, "{\"b.md\":\"b\"}");
	s.now.body = body(f, "uno [b](b.md)\n\ndos\n\ntres\n");
	s.wanted.refs = STR("{\"c.md\":\"c\"}");
	s.wanted.body = STR("uno\n\ndos\n\ntres [c](c.md)\n");
	w = both(&s);
	assert_true(str_is(w->body, "uno [b](b.md)\n\ndos\n\ntres [c](c.md)\n"));
	assert_non_null(memmem(w->refs.p, w->refs.n, "\"b.md\"", 6));
	assert_non_null(memmem(w->refs.p, w->refs.n, "\"c.md\"", 6));
	db_rollback(f->db);
}

static void
pages_deleted_or_added_here_give_warnings(void **state)
{
	struct fixture *f = *state;
	struct sides s;

	sides(&s, f);
	assert_null(translate_both(&s.job, &s.before, NULL, &s.wanted));
	assert_non_null(strstr(s.item.warnings->message, "it was deleted here"));
	assert_null(translate_both(&s.job, NULL, &s.now, &s.wanted));
	assert_non_null(strstr(s.item.warnings->next->message, "it was made here"));
	db_rollback(f->db);
}

/* Files have no texts: a file that was replaced in the translated space stays. */
static void
a_replaced_file_stays(void **state)
{
	struct fixture *f = *state;
	struct sides s;

	sides(&s, f);
	s.before.kind = s.now.kind = s.wanted.node.kind = NODE_FILE;
	s.now.body = body(f, "another picture");
	s.wanted.node.body = body(f, "a newer one");
	assert_true(str_eq(both(&s)->node.body, s.now.body));
	s.now.body = s.before.body;
	s.now.title = "a.png";
	assert_true(str_eq(both(&s)->node.body, s.wanted.node.body));
	db_rollback(f->db);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, db_setup, db_teardown)
	const struct CMUnitTest tests[] = {
		TEST(corrections_stay), TEST(a_correction_wins_with_a_warning),
		TEST(an_equal_correction_gives_no_warning), TEST(a_moved_page_keeps_its_position),
		TEST(links_of_corrections_keep_their_targets), TEST(pages_deleted_or_added_here_give_warnings),
		TEST(a_replaced_file_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
