/* Conversations in the database: what is derived is always what it would be if it were made anew. */
#include "db_fixture.h"

#include <cjson/cJSON.h>
#include <fcntl.h>

#include "base/json.h"
#include "merge/request_record.h"
#include "support/support.h"
#include "../../src/support/store.h"

static void
put(struct fixture *f, const char *id, const char *source, const char *text, int64_t at, const char *email)
{
	cJSON *parts, *part, *attributes;
	struct conversation_in c = { .id = id, .source = source, .created_at = at };

	json_arena(f->arena);
	parts = cJSON_CreateArray();
	part = cJSON_CreateObject();
	attributes = cJSON_CreateObject();
	cJSON_AddStringToObject(part, "type", "message");
	cJSON_AddStringToObject(part, "role", "user");
	cJSON_AddStringToObject(part, "body", text);
	cJSON_AddItemToArray(parts, part);
	cJSON_AddStringToObject(attributes, "email", email);
	c.parts = parts;
	c.attributes = attributes;
	db_begin(f->db, true);
	assert_true(conversation_put(f->db, f->arena, f->org, &c));
	db_commit(f->db);
	json_arena(NULL);
}

static void
analyse(struct fixture *f, const char *command)
{
	struct settings set = db_settings(f);
	struct arena *a = arena_new((size_t)4 << 30);

	set.analyse = command;
	conversations_run(f->db, a, &set, &(struct job){ .id = "j", .kind = "conversations", .org = f->org, .attempts = 1 });
	arena_free(a);
}

static int64_t bad;

static void
note_bad(void *ctx, struct stmt *q)
{
	bad++;
	print_error("%s: row %lld\n", (const char *)ctx, (long long)col_int(q, 0));
}

/* Every count and sum against the issues themselves. */
static void
check(struct fixture *f)
{
	static const char *const wrong[] = {
		"SELECT c.n FROM issues_cluster c WHERE c.issues <> (SELECT count(*) FROM conversation_issue WHERE cluster = c.n) OR c.issues = 0",
		"SELECT c.n FROM issues_cluster c WHERE c.conversations <> "
		"(SELECT count(DISTINCT conversation) FROM conversation_issue WHERE cluster = c.n)",
		"SELECT c.n FROM issues_cluster c WHERE c.issues <> (SELECT sum(issues) FROM cluster_week WHERE cluster = c.n)",
		"SELECT c.n FROM issues_cluster c WHERE c.issues <> (SELECT sum(issues) FROM cluster_source WHERE cluster = c.n)",
		"SELECT w.cluster FROM cluster_week w WHERE w.issues <> (SELECT count(*) FROM conversation_issue i WHERE i.cluster = w.cluster "
		"AND (i.created_at + 259200000) / 604800000 = w.week)",
		"SELECT c.n FROM issues_cluster c WHERE NOT EXISTS (SELECT 1 FROM conversation_issue i WHERE i.cluster = c.n "
		"AND i.n = c.face AND i.title = c.label)",
		"SELECT c.n FROM issues_cluster c WHERE NOT EXISTS (SELECT 1 FROM cluster_term t WHERE t.cluster = c.n)",
		"SELECT t.cluster FROM cluster_term t WHERE NOT EXISTS (SELECT 1 FROM issues_cluster c WHERE c.n = t.cluster)",
		"SELECT 1 FROM conversation_state s WHERE s.issues <> (SELECT count(*) FROM conversation_issue) "
		"OR s.clusters <> (SELECT count(*) FROM issues_cluster) OR s.conversations <> (SELECT count(*) FROM conversation)",
		"SELECT sum(issues) FROM issue_term HAVING sum(issues) <> (SELECT sum(length(terms)) / 10 FROM conversation_issue)",
		"SELECT n FROM conversation WHERE processed_at IS NULL",
	};
	const char *error = NULL;
	size_t i;

	bad = 0;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_true(db_each(f->db, f->arena, wrong[i], note_bad, (void *)(uintptr_t)wrong[i], &error));
	assert_int_equal(bad, 0);
}

static int64_t answer;

static void
take(void *ctx, struct stmt *q)
{
	(void)ctx;
	answer = col_int(q, 0);
}

static int64_t
number(struct fixture *f, const char *query)
{
	const char *error = NULL;

	answer = -1;
	assert_true(db_each(f->db, f->arena, query, take, NULL, &error));
	return answer;
}

static const char *const texts[] = {
	"How do I reset my password?", "The password reset mail does not arrive.", "I forgot my password, can you reset it?",
	"Where can I download the invoice? Also, how do I cancel my subscription?", "The VAT number is missing on our invoice.",
	"Please send the invoice to accounting.", "How do I export a space as PDF?", "The PDF export is empty.",
	"Exporting to PDF fails. By the way, the search finds nothing.", "Why does the search find no pages?",
	"Wie kann ich mein Passwort zurücksetzen?", "How can I cancel the subscription? Another question: how do I reset the password?",
	"Is there a desktop app for linux?", "Thanks, that was great!",
};
enum { TEXTS = sizeof(texts) / sizeof(texts[0]) };

/* In, in again with other texts, out: by far more steps than there are clusters. */
static void
counts_are_true(void **state)
{
	struct fixture *f = *state;
	uint64_t seed = 11;
	int i, step;

	for (step = 0; step < 150; step++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		i = (int)(seed >> 40) % 40;
		if (step % 7 == 6) {
			struct arena *a = arena_new((size_t)1 << 30);
			db_begin(f->db, true);
			conversation_forget(f->db, a, f->org, arena_printf(f->arena, "c%d", i));
			db_commit(f->db);
			arena_free(a);
		} else {
			put(f, arena_printf(f->arena, "c%d", i), "email", texts[(seed >> 20) % TEXTS],
			    time_now() - (int64_t)(seed >> 50) * 3600000, i % 2 == 0 ? "even@example.org" : "odd@example.org");
		}
		if (step % 5 == 4)
			analyse(f, "");
	}
	analyse(f, "");
	check(f);
	assert_true(number(f, "SELECT count(*) FROM conversation_issue") > 20);
}

/* Twice the same, from nothing, gives the same clusters. */
static void
same_every_time(void **state)
{
	struct fixture *f = *state;
	int64_t sums[2];
	int round, i;

	for (round = 0; round < 2; round++) {
		for (i = 0; i < 60; i++)
			put(f, arena_printf(f->arena, "s%d", i), "email", texts[i * 5 % TEXTS], 1000 + i, "all@example.org");
		analyse(f, "");
		check(f);
		sums[round] = number(f, "SELECT sum((i.mix % 1000003) * (SELECT min(o.mix % 999983) FROM conversation_issue o "
		    "WHERE o.cluster = i.cluster)) FROM conversation_issue i");
		db_begin(f->db, true);
		while (conversations_forget(f->db, f->arena, f->org, "email", "all@example.org", 7) > 0)
			;
		db_commit(f->db);
		assert_int_equal(number(f, "SELECT count(*) FROM issues_cluster"), 0);
		assert_int_equal(number(f, "SELECT count(*) FROM cluster_term"), 0);
		assert_int_equal(number(f, "SELECT COALESCE(sum(issues), 0) FROM issue_term"), 0);
	}
	assert_int_equal(sums[0], sums[1]);
}

static void
another_source_is_refused(void **state)
{
	struct fixture *f = *state;
	struct conversation_in c = { .id = "x", .source = "integration:api:b", .parts = cJSON_CreateArray() };

	put(f, "x", "integration:api:a", texts[0], 5, "x@example.org");
	db_begin(f->db, true);
	assert_false(conversation_put(f->db, f->arena, f->org, &c));
	db_commit(f->db);
	cJSON_Delete((cJSON *)(uintptr_t)c.parts);
	assert_int_equal(number(f, "SELECT version FROM conversation WHERE id = 'x'"), 1);
	/* Without a time of its own it keeps the one that it had. */
	put(f, "x", "integration:api:a", texts[1], 0, "x@example.org");
	assert_int_equal(number(f, "SELECT created_at FROM conversation WHERE id = 'x'"), 5);
}

/* Of merged clusters the older id stays, with the rows of the larger; requests follow. */
static void
merged_clusters(void **state)
{
	struct fixture *f = *state;
	struct store s;
	struct cluster_store view;
	const char *request, *error = NULL;
	int64_t old, large;

	put(f, "old", "email", "Where is my invoice?", 1, "a@example.org");
	analyse(f, "");
	put(f, "p1", "email", "How do I reset my password?", 2, "a@example.org");
	put(f, "p2", "integration:api:x", "The password reset fails.", 3, "a@example.org");
	analyse(f, "");
	old = number(f, "SELECT cluster FROM conversation_issue WHERE title LIKE '%invoice%'");
	large = number(f, "SELECT max(cluster) FROM conversation_issue WHERE title LIKE '%password%'");
	assert_int_not_equal(old, large);
	db_begin(f->db, true);
	request = request_make(f->db, f->arena, f->space, f->branch, f->user, "From the large one");
	assert_true(db_script(f->db, f->arena, arena_printf(f->arena, "UPDATE issues_cluster SET created_at = 1 WHERE n = %lld;"
	    "CREATE TEMP TABLE was AS SELECT n, id FROM issues_cluster;"
	    "UPDATE change_request SET cluster = (SELECT id FROM issues_cluster WHERE n = %lld) WHERE id = '%s'",
	    (long long)old, (long long)large, request), &error));
	store_open(&s, f->db, f->arena, f->org, NULL);
	view = store_view(&s);
	assert_int_equal(view.merge(view.ctx, old, large), large);
	store_faces(&s);
	store_flush(&s);
	db_commit(f->db);
	check(f);
	assert_int_equal(number(f, "SELECT count(*) FROM issues_cluster WHERE issues = 3 AND conversations = 3"), 1);
	assert_int_equal(number(f, "SELECT w.n FROM issues_cluster c JOIN was w ON w.id = c.id"), old);
	assert_int_equal(number(f, "SELECT w.n FROM change_request r JOIN was w ON w.id = r.cluster"), old);
}

static const char *
script(struct fixture *f, const char *text)
{
	char *path = arena_printf(f->arena, "%s/analyse", f->dir);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0700);

	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	return path;
}

/* A command's issues stand for ours; where it fails, or answers what it may not, ours do. */
static void
a_command_may_analyse(void **state)
{
	struct fixture *f = *state;

	put(f, "a", "email", "The PDF export is empty.", 1, "a@example.org");
	analyse(f, script(f, "#!/bin/sh\ngrep -q '\"id\":\"a\".*PDF export' || exit 1\n"
	    "echo '{\"issues\":[{\"title\":\"Invoices are\\n lost\",\"summary\":\"<b>All</b> of them\"},{\"title\":\"Search \\u0007fails\"}]}'\n"));
	assert_int_equal(number(f, "SELECT count(*) FROM conversation_issue WHERE title IN ('Invoices are lost', 'Search fails')"), 2);
	assert_int_equal(number(f, "SELECT count(*) FROM conversation_issue WHERE summary = 'All of them'"), 1);
	check(f);
	static const char *const failing[] = { "#!/bin/sh\nexit 3\n", "#!/bin/sh\necho '{}'\n", "#!/bin/sh\necho '{\"issues\":[],\"x\":1}'\n",
		"#!/bin/sh\necho 'no JSON'\n", "#!/bin/sh\nkill -9 $$\n", "#!/nowhere/sh\n",
		"#!/bin/sh\necho '{\"issues\":[{\"title\":\"\"}]}'\n", "#!/bin/sh\nhead -c 400000 /dev/zero\n" };
	for (size_t i = 0; i < sizeof(failing) / sizeof(failing[0]); i++) {
		put(f, "a", "email", "The PDF export is empty.", 1, "a@example.org");
		analyse(f, script(f, failing[i]));
		assert_int_equal(number(f, "SELECT count(*) FROM conversation_issue WHERE title = 'The PDF export is empty.'"), 1);
	}
	check(f);
}

static void
weeks_begin_on_mondays(void **state)
{
	int64_t day = 86400000, monday = (int64_t)20413 * day;   /* 2025-11-21 is day 20413, a Friday */

	(void)state;
	assert_int_equal(week_of(0), 0);
	assert_int_equal(week_of(3 * day + day - 1), 0);     /* Sunday, 4 January 1970 */
	assert_int_equal(week_of(4 * day), 1);               /* Monday */
	assert_int_equal(week_of(-3 * day), 0);              /* Monday, 29 December 1969 */
	assert_int_equal(week_of(-3 * day - 1), -1);
	assert_int_equal(week_of(monday + 3 * day), week_of(monday) + 1);
	assert_int_equal(week_of(monday + 2 * day), week_of(monday));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(counts_are_true, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(same_every_time, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(another_source_is_refused, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(merged_clusters, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_command_may_analyse, db_setup, db_teardown),
		cmocka_unit_test(weeks_begin_on_mondays),
	};

	return cmocka_run_group_tests_name("support", tests, NULL, NULL);
}
