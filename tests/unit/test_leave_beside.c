/*
 * Imports of an export beside other data (command/leave.h): of random histories the same objects and repositories
 * come out again, with other ids, and the data that was there is as before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "../../command/leave/leave_parts.h"
#include "base/file.h"
#include "check_fixture.h"
#include "command/leave.h"
#include "seed_fixture.h"
#include "leave_fixture.h"

enum { SEEDS = 3, STEPS = 30 };

static void
import_beside(struct world *w, const char *dir, const char *from, const char *list, const char *flag)
{
	char *argv[] = { (char *)from, NULL };
	struct cli c = { .arena = w->arena, .dir = dir, .command = &commands_content[0], .argc = 1, .argv = argv,
		.values = { { "beside", "" }, { "ids", list }, { flag, "" } }, .value_count = flag != NULL ? 3 : 2 };

	assert_int_equal(c.command->run(&c), CLI_OK);
}

static void
export_org(struct world *w, const char *dir, const char *to, const char *org)
{
	char *argv[] = { (char *)to, NULL };
	struct cli c = { .arena = w->arena, .dir = dir, .command = &commands_leave[0], .argc = 1, .argv = argv,
		.values = { { "org", org } }, .value_count = 1 };

	assert_int_equal(c.command->run(&c), CLI_OK);
}

/* The new id of the only organization in a list of ids. */
static const char *
new_org(struct world *w, const char *list)
{
	const char *line = shell(w, arena_printf(w->arena, "awk '$1 == \"org\" { printf \"%%s\", $3 }' %s", list));

	assert_int_equal(strlen(line), ID_CHARS);
	return line;
}

/*
 * Objects, and the files, authors and times of each commit. Differs: the hostname of the organization and its
 * record of the import.
 */
static void
are_the_same_but_for_ids(struct world *w, const char *list, const char *name)
{
	static const char objects[] = "gojq -c 'select(.object.action? != \"organization.created\")' $f | "
	    "if [ $x = one ]; then sed -f map.sed; else cat; fi | "
	    "gojq -c 'del(.object.hostname?) | walk(if type == \"array\" then sort else . end)' | sed 's|acme/||g' | sort";
	static const char refs[] = "git -C $r for-each-ref --format='%(refname) %(tree)'; git -C $r log --all --format='%T %an %at %ct %s'";

	assert_string_equal(shell(w, arena_printf(w->arena, "cd %s && tail -n +2 %s | awk '{ print \"s/\" $2 \"/\" $3 \"/g\" }' >map.sed && "
	    "for x in one %s; do for f in $x/objects/*.jsonl; do %s; done >$x.objects; for r in $x/spaces/*.git; do %s; done | sort >$x.refs; done; "
	    "diff one.objects %s.objects; diff one.refs %s.refs; [ $(wc -l <one.refs) -gt 5 ] || wc -l one.refs; true",
	    w->dir, list, name, objects, refs, name, name)), "");
}

static const char *
id_in(struct world *w, const char *export)
{
	return shell(w, arena_printf(w->arena, "gojq -j .id %s/records/org.jsonl", export));
}

static void
random_histories_come_in_beside_others(void **state)
{
	uint64_t seed, first, end = seeds(SEEDS, &first);
	struct world w;

	(void)state;
	for (seed = first; seed < end; seed++) {
		const char *one;

		world_open(&w, (unsigned)seed);
		for (int k = 0; k < STEPS; k++)
			step(&w);
		db_commit(w.db);
		one = arena_printf(w.arena, "%s/one", w.dir);
		run_command(&w, &commands_leave[0], w.dir, one);
		/* Twice beside itself; the second time the user is the same. */
		for (int k = 0; k < 2; k++) {
			const char *name = k == 0 ? "again" : "third", *list = arena_printf(w.arena, "%s/%s.tsv", w.dir, name);

			import_beside(&w, w.dir, one, list, k == 0 ? NULL : "match-users");
			assert_int_equal(check_dir(w.arena, w.dir, true), CLI_OK);
			export_org(&w, w.dir, arena_printf(w.arena, "%s/%s", w.dir, name), new_org(&w, list));
			are_the_same_but_for_ids(&w, list, name);
		}
		/* What was there is as before. */
		export_org(&w, w.dir, arena_printf(w.arena, "%s/first", w.dir), id_in(&w, one));
		are_the_same_but_for_ids(&w, "/dev/null", "first");
		db_close(w.db);
		shell(&w, arena_printf(w.arena, "rm -rf %s", w.dir));
		arena_free(w.arena);
	}
}

/* In an installation that never had these ids they stay, unless new ones are wanted. */
static void
ids_that_were_never_used_stay(void **state)
{
	struct world w, other;
	const char *one, *list;

	(void)state;
	world_open(&w, 1);
	db_commit(w.db);
	one = arena_printf(w.arena, "%s/one", w.dir);
	list = arena_printf(w.arena, "%s/list", w.dir);
	run_command(&w, &commands_leave[0], w.dir, one);
	world_open(&other, 2);
	db_commit(other.db);
	import_beside(&other, other.dir, one, list, NULL);
	assert_int_equal(check_dir(other.arena, other.dir, true), CLI_OK);
	assert_int_not_equal(access(list, F_OK), 0);
	export_org(&w, other.dir, arena_printf(w.arena, "%s/copy", w.dir), id_in(&w, one));
	are_the_same_but_for_ids(&w, "/dev/null", "copy");
	/* Once more, with new ones. */
	import_beside(&other, other.dir, one, list, "new-ids");
	assert_int_equal(access(list, F_OK), 0);
	assert_int_equal(check_dir(other.arena, other.dir, true), CLI_OK);
	assert_int_not_equal(access(arena_printf(w.arena, "%s/octavo.import", other.dir), F_OK), 0);
	db_close(w.db);
	db_close(other.db);
	assert_true(folder_remove(w.dir) && folder_remove(other.dir));
	arena_free(w.arena);
	arena_free(other.arena);
}

static void
ids_are_found_in_texts(void **state)
{
	static const char old[] = "AbCdEfGhIjKlMnOpQrStUv", new[] = "0000000000000000000000";
	static const char *const found[] = { "%s", "/s/%s/p", "{\"a\":\"x\\n%s\"}", "\\u00e9%s", "a%%2F%s%%2Fb", "%s %s", "export:%s" };
	static const char *const kept[] = { "", "x%s", "%sx", "-%.21s-" };
	struct world w;
	struct leave_ids *ids;
	struct str text;

	(void)state;
	world_open(&w, 1);
	assert_true(db_script(w.db, w.arena, arena_printf(w.arena, "INSERT INTO org (id, title, created_at) VALUES ('%s', 'T', 0)", old), &(const char *){ NULL }));
	ids = leave_ids_read(w.arena, w.db);
	leave_ids_set(ids, old, new);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	for (size_t i = 0; i < sizeof(found) / sizeof(*found); i++) {
		text = leave_ids_text(ids, w.arena, str_of(arena_printf(w.arena, found[i], old, old)));
		assert_true(str_eq(text, str_of(arena_printf(w.arena, found[i], new, new))));
	}
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
		text = str_of(arena_printf(w.arena, kept[i], old));
		assert_true(str_eq(leave_ids_text(ids, w.arena, text), text));
	}
#pragma GCC diagnostic pop
	db_close(w.db);
	assert_true(folder_remove(w.dir));
	arena_free(w.arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_histories_come_in_beside_others),
		cmocka_unit_test(ids_that_were_never_used_stay),
		cmocka_unit_test(ids_are_found_in_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
