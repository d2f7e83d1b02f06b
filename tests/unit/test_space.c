/* Spaces and collections share one order among the siblings of a parent; their keys stay short. */
#include "db_fixture.h"

#include "store/content.h"
#include "store/order.h"
#include "seed_fixture.h"

SQL(q_told_of, "SELECT title, language FROM space WHERE id = :id");

SQL(q_collection,
    "INSERT INTO collection (id, org, parent, title, ord, created_at, updated_at) "
    "VALUES (:id, :org, :parent, 'C', :ord, 1, 1)");
SQL(q_delete_space, "UPDATE space SET deleted_at = 1 WHERE id = :id");
SQL(q_delete_collection, "UPDATE collection SET deleted_at = 1 WHERE id = :id");
SQL(q_all,
    "SELECT id, ord FROM (SELECT id, ord, parent FROM space WHERE org = :org UNION ALL "
    "SELECT id, ord, parent FROM collection WHERE org = :org) AS c WHERE parent IS NOT DISTINCT FROM :parent ORDER BY ord, id /*scan*/");
SQL(q_living,
    "SELECT id, ord FROM (SELECT id, ord, parent FROM space WHERE org = :org AND deleted_at IS NULL UNION ALL "
    "SELECT id, ord, parent FROM collection WHERE org = :org AND deleted_at IS NULL) AS c WHERE parent IS NULL "
    "ORDER BY ord, id /*scan*/");
SQL(q_gone,
    "SELECT group_concat(ord, ' ') FROM (SELECT ord FROM space WHERE org = :org AND deleted_at IS NOT NULL UNION ALL "
    "SELECT ord FROM collection WHERE org = :org AND deleted_at IS NOT NULL) AS c /*scan*/");
SQL(q_row,
    "SELECT coalesce(parent, '-') || ' ' || title || ' ' || emoji || ' ' || coalesce(icon, '-') || ' ' || "
    "coalesce(language, '-') || ' ' || edit_mode FROM space WHERE id = :id");

enum { MANY = 3000 };

struct shelf {
	char  *id[MANY + 2], *ord[MANY + 2];
	size_t n;
};

static void
look(void *ctx, struct stmt *q)
{
	struct shelf *s = ctx;

	assert_true(s->n < MANY + 2);
	assert_true(strlen(col_text(q, 1)) <= ORDER_KEY_LONG);
	snprintf(s->id[s->n], 32, "%s", col_text(q, 0));
	snprintf(s->ord[s->n++], ORDER_KEY_LONG + 1, "%s", col_text(q, 1));
}

static void
read_shelf(struct fixture *f, struct shelf *s)
{
	const char *error = NULL;

	s->n = 0;
	db_each(f->db, f->arena, "SELECT id, ord FROM space WHERE deleted_at IS NULL ORDER BY ord, id", look,
	    s, &error);
	assert_null(error);
}

/* A duplicate is placed directly after its source, any number of times. */
static void
a_duplicate_stands_behind_its_source(void **state)
{
	struct fixture *f = *state;
	struct shelf *now = arena_alloc(f->arena, sizeof(*now));
	struct rnd dice = { 1 };
	const char *last, *before;
	int64_t branch;
	size_t i, at;

	for (i = 0; i < MANY + 2; i++) {
		now->id[i] = arena_alloc(f->arena, 32);
		now->ord[i] = arena_alloc(f->arena, ORDER_KEY_LONG + 1);
	}
	db_begin(f->db, true);
	last = f->space;
	for (i = 0; i < MANY; i++) {
		read_shelf(f, now);
		for (at = 0; strcmp(now->id[at], last) != 0; at++)
			;
		/* After the newest space, or before it. */
		at = rnd(&dice, 2) == 0 || at == 0 ? at : at - 1;
		before = arena_strdup(f->arena, now->id[at]);
		last = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "S",
		    .after = arena_strdup(f->arena, now->ord[at]) }, &branch);
		if (i % 100 != 0 && i < MANY - 1)
			continue;
		read_shelf(f, now);
		assert_int_equal(now->n, i + 2);
		for (at = 0; strcmp(now->id[at], last) != 0; at++)
			;
		assert_string_equal(now->id[at - 1], before);
	}
	/* At either end. */
	last = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "S" }, &branch);
	read_shelf(f, now);
	assert_string_equal(now->id[now->n - 1], last);
	db_rollback(f->db);
}

static void
run_id(struct fixture *f, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(f->db, sql);

	bind_text(q, ":id", id);
	assert_int_equal(stmt_run(q), 1);
}

static void
collection(struct fixture *f, const char *id, const char *org, const char *parent, const char *ord)
{
	struct stmt *q = db_use(f->db, &q_collection);

	bind_text(q, ":id", id);
	bind_text(q, ":org", org);
	bind_text(q, ":parent", parent);
	bind_text(q, ":ord", ord);
	stmt_run(q);
}

static char *
space_in(struct fixture *f, const char *org, const char *parent, const char *after)
{
	int64_t branch;

	return space_make(f->db, f->arena, &(struct space_new){ .org = org, .parent = parent, .title = "S", .after = after }, &branch);
}

/* Ids (keys false) or keys of the siblings below a parent, in order. */
static const char *
siblings(struct fixture *f, const char *org, const char *parent, bool keys)
{
	struct stmt *q = db_use(f->db, &q_all);
	struct buf b;

	buf_init(&b, f->arena, 1 << 16);
	bind_text(q, ":org", org);
	bind_text(q, ":parent", parent);
	while (stmt_step(q))
		buf_printf(&b, "%s%s", b.n == 0 ? "" : " ", col_text(q, keys ? 1 : 0));
	return b.p == NULL ? "" : b.p;
}

/* Ids (keys false) or keys of the spaces and collections at the top that are not deleted. */
static const char *
living_of(struct fixture *f, const char *org, bool keys)
{
	struct stmt *q = db_use(f->db, &q_living);
	struct buf b;

	buf_init(&b, f->arena, 1 << 16);
	bind_text(q, ":org", org);
	while (stmt_step(q))
		buf_printf(&b, "%s%s", b.n == 0 ? "" : " ", col_text(q, keys ? 1 : 0));
	return b.p == NULL ? "" : b.p;
}

static const char *
living(struct fixture *f, const char *org)
{
	return living_of(f, org, false);
}

static const char *
living_keys(struct fixture *f, const char *org)
{
	return living_of(f, org, true);
}

static char *
organization(struct fixture *f)
{
	return org_make(f->db, f->arena, &(struct org_new){ .title = "Other" });
}

/* After a sibling, after all, before all: among the living spaces and collections of the parent. */
static void
places_are_among_spaces_and_collections(void **state)
{
	struct fixture *f = *state;
	const char *org, *other, *one, *two, *three, *in;

	db_begin(f->db, true);
	org = organization(f);
	other = organization(f);
	collection(f, "theirs", other, NULL, "x");
	collection(f, "k", org, NULL, "K");
	collection(f, "m", org, NULL, "M");
	collection(f, "in-k", org, "k", "z");
	one = space_in(f, org, NULL, NULL);
	assert_string_equal(siblings(f, org, NULL, false), arena_printf(f->arena, "k m %s", one));
	two = space_in(f, org, NULL, "K");
	assert_string_equal(siblings(f, org, NULL, false), arena_printf(f->arena, "k %s m %s", two, one));
	three = space_in(f, org, NULL, "");
	assert_string_equal(siblings(f, org, NULL, false), arena_printf(f->arena, "%s k %s m %s", three, two, one));
	/* Below a collection and in an empty organization the key is the same first one. */
	in = space_in(f, org, "m", NULL);
	assert_string_equal(siblings(f, org, "m", false), in);
	assert_string_equal(siblings(f, org, "m", true), space_place(f->db, f->arena, organization(f), NULL, NULL));
	/* Deleted spaces and collections do not count as siblings. */
	run_id(f, &q_delete_space, two);
	run_id(f, &q_delete_collection, "m");
	assert_string_equal(space_place(f->db, f->arena, org, NULL, "K"),
	    order_key_between(f->arena, "K", strrchr(siblings(f, org, NULL, true), ' ') + 1));
	run_id(f, &q_delete_space, one);
	assert_string_equal(space_place(f->db, f->arena, org, NULL, NULL), order_key_between(f->arena, "K", ""));
	assert_string_equal(space_place(f->db, f->arena, org, NULL, "K"), order_key_between(f->arena, "K", ""));
	db_rollback(f->db);
}

/* The keys that n siblings get when keys are assigned again. */
static const char *
filled(struct fixture *f, size_t n)
{
	char **keys = order_key_fill(f->arena, "", "", n);
	const char *text = keys[0];

	for (size_t i = 1; i < n; i++)
		text = arena_printf(f->arena, "%s %s", text, keys[i]);
	return text;
}

/* Spaces and collections that are no siblings: below another collection, of another organization, deleted. */
struct decoys {
	const char *org, *other, *below;
};

static void
decoys_make(struct fixture *f, struct decoys *d, const char *org, const char *ord)
{
	const char *other = organization(f), *gone;

	*d = (struct decoys){ org, other, arena_printf(f->arena, "a-%s", org) };
	collection(f, d->below, org, NULL, "B");
	collection(f, arena_printf(f->arena, "in-%s", org), org, d->below, ord);
	space_in(f, org, d->below, ord);
	collection(f, arena_printf(f->arena, "other-%s", org), other, NULL, ord);
	space_in(f, other, NULL, ord);
	gone = arena_printf(f->arena, "gone-%s", org);
	collection(f, gone, org, NULL, ord);
	run_id(f, &q_delete_collection, gone);
	run_id(f, &q_delete_space, space_in(f, org, NULL, "A"));
}

/* Their keys, including those of deleted siblings. */
static const char *
decoys_text(struct fixture *f, const struct decoys *d)
{
	struct stmt *q = db_use(f->db, &q_gone);

	bind_text(q, ":org", d->org);
	return arena_printf(f->arena, "%s; %s; %s", siblings(f, d->org, d->below, true), siblings(f, d->other, NULL, true),
	    stmt_dup(q, f->arena));
}

/* If a key would be too long, all siblings of both kinds get new keys and keep their order; others keep theirs. */
static void
long_keys_of_siblings_are_dealt_anew(void **state)
{
	char low[ORDER_KEY_LONG + 1] = "", high[ORDER_KEY_LONG + 1] = "";
	struct fixture *f = *state;
	const char *org, *space, *key, *others, *first, *order;
	struct decoys d;

	db_begin(f->db, true);
	org = organization(f);
	memset(low, 'V', ORDER_KEY_LONG);
	memcpy(high, low, sizeof(low));
	high[ORDER_KEY_LONG - 1]++;
	decoys_make(f, &d, org, low);
	first = space_in(f, org, NULL, "B");
	collection(f, "l", org, NULL, low);
	collection(f, "h", org, NULL, high);
	space = space_in(f, org, NULL, high);
	others = decoys_text(f, &d);
	order = arena_printf(f->arena, "%s %s l h %s", d.below, first, space);
	assert_string_equal(living(f, org), order);
	key = space_place(f->db, f->arena, org, NULL, low);
	assert_true(strlen(key) <= ORDER_KEY_LONG);
	assert_string_equal(living(f, org), order);
	assert_null(strstr(siblings(f, org, NULL, true), high));
	assert_string_equal(decoys_text(f, &d), others);
	collection(f, "new", org, NULL, key);
	assert_string_equal(living(f, org), arena_printf(f->arena, "%s %s l new h %s", d.below, first, space));
	/* One key for each of them: deleted ones get none. */
	assert_string_equal(living_keys(f, org), filled(f, 6));
	db_rollback(f->db);
}

/* The same below a collection, and only if the key exceeds the limit. */
static void
long_keys_below_a_collection_are_dealt_anew(void **state)
{
	char low[ORDER_KEY_LONG + 1] = "", high[ORDER_KEY_LONG + 1] = "", *key;
	struct fixture *f = *state;
	const char *org, *top;

	db_begin(f->db, true);
	org = organization(f);
	memset(low, 'V', ORDER_KEY_LONG - 1);
	memcpy(high, low, sizeof(low));
	high[ORDER_KEY_LONG - 2]++;
	collection(f, "top", org, NULL, low);
	collection(f, "top-too", org, NULL, high);
	collection(f, "low", org, "top", low);
	collection(f, "high", org, "top", high);
	top = siblings(f, org, NULL, true);
	key = space_place(f->db, f->arena, org, "top", low);
	assert_int_equal(strlen(key), ORDER_KEY_LONG);
	assert_string_equal(siblings(f, org, "top", true), arena_printf(f->arena, "%s %s", low, high));
	collection(f, "middle", org, "top", arena_printf(f->arena, "%s1", low));
	key = space_place(f->db, f->arena, org, "top", low);
	assert_true(strlen(key) < ORDER_KEY_LONG);
	collection(f, "dealt", org, "top", key);
	assert_string_equal(siblings(f, org, "top", false), "low dealt middle high");
	assert_string_equal(siblings(f, org, "top", true), filled(f, 4));
	assert_string_equal(siblings(f, org, NULL, true), top);
	db_rollback(f->db);
}

static const char *
row_of(struct fixture *f, const char *id)
{
	struct stmt *q = db_use(f->db, &q_row);

	bind_text(q, ":id", id);
	return stmt_dup(q, f->arena);
}

/* A new space has the given values, and the documented defaults for the others; it can be read at once. */
static void
a_new_space_is_readable_at_once(void **state)
{
	struct fixture *f = *state;
	struct point p;
	int64_t branch;
	char *id;

	db_begin(f->db, true);
	collection(f, "c", f->org, NULL, "x");
	id = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "Plain" }, &branch);
	assert_string_equal(row_of(f, id), "- Plain  - - live");
	assert_true(point_head(f->db, f->arena, branch, &p));
	assert_string_equal(p.space, id);
	assert_int_equal(p.seq, 0);
	id = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "Full", .parent = "c", .emoji = "1f600",
	    .icon = "https://x.example/i.svg", .language = "de", .edit_mode = "locked" }, &branch);
	assert_string_equal(row_of(f, id), "c Full 1f600 https://x.example/i.svg de locked");
	db_rollback(f->db);
}

/* Links resolve to another space of the same organization while that exists, and to the organization's members. */
static void
spaces_of_one_organization_know_each_other(void **state)
{
	struct fixture *f = *state;
	const char *ours, *theirs, *other;

	db_begin(f->db, true);
	other = organization(f);
	ours = space_in(f, f->org, NULL, NULL);
	theirs = space_in(f, other, NULL, NULL);
	collection(f, "ours", f->org, NULL, "x");
	collection(f, "theirs", other, NULL, "x");
	assert_true(space_knows(f->db, f->space, REF_SPACE, ours));
	assert_false(space_knows(f->db, f->space, REF_SPACE, theirs));
	assert_false(space_knows(f->db, theirs, REF_SPACE, ours));
	assert_false(space_knows(f->db, f->space, REF_SPACE, "none"));
	assert_false(space_knows(f->db, f->space, REF_COLLECTION, ours));
	assert_true(space_knows(f->db, f->space, REF_COLLECTION, "ours"));
	assert_false(space_knows(f->db, f->space, REF_COLLECTION, "theirs"));
	assert_false(space_knows(f->db, theirs, REF_COLLECTION, "ours"));
	assert_false(space_knows(f->db, f->space, REF_PAGE, ours));
	assert_false(space_knows(f->db, f->space, REF_PAGE, "ours"));
	assert_true(space_knows(f->db, f->space, REF_USER, f->user));
	assert_false(space_knows(f->db, theirs, REF_USER, f->user));
	run_id(f, &q_delete_space, ours);
	assert_false(space_knows(f->db, f->space, REF_SPACE, ours));
	run_id(f, &q_delete_collection, "ours");
	assert_false(space_knows(f->db, f->space, REF_COLLECTION, "ours"));
	db_rollback(f->db);
}

/* "TITLE LANGUAGE" of a new space after an import that named these; "-" for no language. */
static const char *
told(struct fixture *f, const char *was, const char *title, const char *language)
{
	int64_t branch;
	char *id = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = was }, &branch);
	struct stmt *q;

	space_set_declared(f->db, id, title, language);
	q = db_use(f->db, &q_told_of);
	bind_text(q, ":id", id);
	assert_true(stmt_step(q));
	return arena_printf(f->arena, "%s %s", col_text(q, 0), col_null(q, 1) ? "-" : col_text(q, 1));
}

/* The title and language of a repository apply only if nobody has set them. */
static void
a_repository_names_an_unnamed_space(void **state)
{
	struct fixture *f = *state;
	char title[SPACE_TITLE_MAX + 2] = "";

	db_begin(f->db, true);
	assert_string_equal(told(f, "", "Book", "de"), "Book de");
	assert_string_equal(told(f, "Untitled", "Book", "pt-BR"), "Book pt-br");
	assert_string_equal(told(f, "Mine", "Book", "en_GB"), "Mine en");
	assert_string_equal(told(f, "", "Book", "fr-CA-x"), "Book fr");
	assert_string_equal(told(f, "", NULL, "xx"), " -");
	assert_string_equal(told(f, "", NULL, "xx-YY"), " -");
	assert_string_equal(told(f, "", NULL, "e"), " -");
	assert_string_equal(told(f, "", NULL, ""), " -");
	memset(title, 'x', SPACE_TITLE_MAX);
	assert_string_equal(told(f, "", title, NULL), arena_printf(f->arena, "%s -", title));
	title[SPACE_TITLE_MAX] = 'x';
	assert_string_equal(told(f, "", title, NULL), " -");
	db_rollback(f->db);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_duplicate_stands_behind_its_source),
	cmocka_unit_test(a_repository_names_an_unnamed_space),
		cmocka_unit_test(places_are_among_spaces_and_collections), cmocka_unit_test(long_keys_of_siblings_are_dealt_anew),
		cmocka_unit_test(long_keys_below_a_collection_are_dealt_anew), cmocka_unit_test(a_new_space_is_readable_at_once),
		cmocka_unit_test(spaces_of_one_organization_know_each_other) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
