/* Conversations in the database: derived data always equals what would be derived from the start. */
#include "db_fixture.h"

#include <cjson/cJSON.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/json.h"
#include "merge/request_record.h"
#include "conversations/storage.h"
#include "../../src/conversations/storage/cluster_rows.h"

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
run_job(struct fixture *f, const char *command, const char *args)
{
	struct settings set = db_settings(f);
	struct arena *a = arena_new((size_t)4 << 30);

	set.analyse = command;
	conversations_run(f->db, a, &set, &(struct job){ .id = "j", .kind = "conversations", .org = f->org, .args = args,
	    .attempts = 1 });
	arena_free(a);
}

static void
analyse(struct fixture *f, const char *command)
{
	run_job(f, command, "{}");
}

static int64_t bad;

static void
print_row(void *ctx, struct stmt *q)
{
	bad++;
	print_error("%s: row %lld\n", (const char *)ctx, (long long)col_int(q, 0));
}

/* Checks every count and sum against the issues. */
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
		"AND (i.created_at + 259200000) / 604800000 - CASE WHEN (i.created_at + 259200000) % 604800000 < 0 THEN 1 ELSE 0 END = w.week)",
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
		assert_true(db_each(f->db, f->arena, wrong[i], print_row, (void *)(uintptr_t)wrong[i], &error));
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

/* A job that gives way to another one keeps what it has analysed, and continues with the rest later. */
static void
an_interrupted_analysis_continues(void **state)
{
	struct fixture *f = *state;
	struct settings set = db_settings(f);
	struct arena *a = arena_new((size_t)4 << 30);
	struct job job, other;
	char *id;
	int i;

	for (i = 0; i < 100; i++)
		put(f, arena_printf(f->arena, "c%d", i), "mail", "How do I reset my password?", 1 + i, "a@x.example");
	db_begin(f->db, true);
	id = job_add(f->db, f->arena, &(struct job){ .kind = "conversations", .org = f->org, .queue = "q", .args = "{}" }, 1);
	job_add(f->db, f->arena, &(struct job){ .kind = "translate", .args = "{}" }, 2);
	db_commit(f->db);
	assert_true(job_claim(f->db, f->arena, "runner", JOB_LONG, 1, &job));
	assert_string_equal(job.id, id);
	job.began = time_steady() - JOB_TURN_MS;
	set.analyse = "";
	conversations_run(f->db, a, &set, &job);
	assert_int_equal(number(f, "SELECT count(*) FROM job WHERE kind = 'conversations' AND state = 'queued'"), 1);
	assert_in_range(number(f, "SELECT count(*) FROM conversation WHERE processed_at IS NOT NULL"), 1, 99);
	assert_true(job_claim(f->db, f->arena, "runner", JOB_LONG, 1, &other));
	assert_string_equal(other.kind, "translate");
	db_begin(f->db, true);
	job_end(f->db, other.id, "done", NULL, "{}");
	db_commit(f->db);
	assert_true(job_claim(f->db, f->arena, "runner", JOB_LONG, 1, &job));
	conversations_run(f->db, a, &set, &job);
	assert_int_equal(number(f, "SELECT count(*) FROM conversation WHERE processed_at IS NOT NULL"), 100);
	assert_int_equal(number(f, "SELECT count(*) FROM job WHERE kind = 'conversations' AND state = 'queued'"), 0);
	arena_free(a);
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

/* Conversations are added, replaced and deleted, in far more steps than there are clusters. */
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

/* The same input, twice from the start, gives the same clusters. */
static void
equal_input_gives_equal_clusters(void **state)
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

/* A new cluster may get the number of a deleted one; it has no counts of the old one. */
static void
a_reused_number_has_no_old_counts(void **state)
{
	static const char *const apart[] = { "How do I reset my password?", "Where is my invoice?", "Is there a desktop app for linux?" };
	struct fixture *f = *state;
	struct cluster_store view;
	struct store s;
	int64_t first, last, again, issue;
	int i;

	for (i = 0; i < 3; i++)
		put(f, arena_printf(f->arena, "n%d", i), "email", apart[i], 1, "a@example.org");
	analyse(f, "");
	assert_int_equal(number(f, "SELECT count(*) FROM issues_cluster"), 3);
	first = number(f, "SELECT min(n) FROM issues_cluster");
	last = number(f, "SELECT max(n) FROM issues_cluster");
	issue = number(f, "SELECT i.n FROM conversation_issue i JOIN issues_cluster c ON c.n = i.cluster ORDER BY c.n DESC LIMIT 1");
	db_begin(f->db, true);
	store_open(&s, f->db, f->arena, f->org, NULL);
	view = store_view(&s);
	assert_int_equal(view.move(view.ctx, issue, first), first);
	again = view.move(view.ctx, issue, 0);
	assert_int_equal(again, last);
	assert_int_equal(view.cluster(view.ctx, again)->n, 1);
	/* Again, now with cached rows. */
	assert_int_equal(view.move(view.ctx, issue, first), first);
	assert_int_equal(view.move(view.ctx, issue, 0), last);
	store_choose_representatives(&s);
	store_flush(&s);
	db_commit(f->db);
	check(f);
}

/* Batches of near-duplicates: clusters merge and split within one transaction. */
static void
near_duplicates_merge_and_split(void **state)
{
	static const char *const heads[] = { "", "Hello, ", "Hi team, ", "Urgent: " };
	static const char *const tails[] = { "", " Thanks!", " Any idea?", " I tried twice." };
	struct fixture *f = *state;
	uint64_t seed = 3;
	int batch, i;

	for (batch = 0; batch < 3; batch++) {
		for (i = 0; i < 150; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			put(f, arena_printf(f->arena, "m%d-%d", batch, i), i % 3 == 0 ? "email" : "integration:api:x",
			    arena_printf(f->arena, "%s%s%s", heads[seed >> 60 & 3], texts[(seed >> 33) % TEXTS], tails[seed >> 58 & 3]),
			    time_now() - (int64_t)i * 3600000, i % 2 == 0 ? "even@example.org" : "odd@example.org");
		}
		analyse(f, "");
		check(f);
	}
	db_begin(f->db, true);
	while (conversations_forget(f->db, f->arena, f->org, "email", "even@example.org", 50) > 0)
		;
	db_commit(f->db);
	check(f);
}

/* Wrong counts, as an older release left them, are computed again from the issues; ids stay. */
static void
wrong_counts_are_recomputed(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	int64_t ids;
	int i;

	for (i = 0; i < 40; i++)
		put(f, arena_printf(f->arena, "w%d", i), i % 2 == 0 ? "email" : "integration:api:x", texts[i % TEXTS],
		    i % 5 == 0 ? -(int64_t)i * 86400000 : time_now(), "a@example.org");
	analyse(f, "");
	assert_true(db_script(f->db, f->arena, "CREATE TEMP TABLE was AS SELECT n, id FROM issues_cluster;"
	    "UPDATE issues_cluster SET issues = issues - 1, conversations = conversations + 2, face = 0, centroid = x'';"
	    "DELETE FROM cluster_week WHERE cluster % 2 = 0; UPDATE cluster_source SET issues = 9;"
	    "UPDATE issue_term SET issues = issues + 1; UPDATE conversation_state SET issues = 0, clusters = 99, conversations = 1;"
	    "DELETE FROM cluster_term; INSERT INTO issues_cluster (id, org, created_at, updated_at, issues) "
	    "SELECT 'empty', org, 1, 1, 3 FROM conversation_state", &error));
	ids = number(f, "SELECT count(*) FROM was");
	db_begin(f->db, true);
	assert_true(conversations_recount(f->db, f->arena, f->org, NULL));
	assert_false(conversations_recount(f->db, f->arena, f->org, NULL));
	db_commit(f->db);
	run_job(f, "", "{\"recount\":true}");
	check(f);
	assert_int_equal(number(f, "SELECT count(*) FROM job WHERE kind = 'conversations' AND args = '{\"recount\":true}'"), 1);
	assert_int_equal(number(f, "SELECT count(*) FROM issues_cluster c JOIN was w ON w.n = c.n AND w.id = c.id"), ids);
	assert_int_equal(number(f, "SELECT count(*) FROM issues_cluster"), ids);
	/* Afterwards everything works as before. */
	for (i = 0; i < 60; i++)
		put(f, arena_printf(f->arena, "v%d", i), "email", texts[i * 3 % TEXTS], time_now(), "a@example.org");
	analyse(f, "");
	check(f);
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
	/* A conversation sent again without a time keeps its old time. */
	put(f, "x", "integration:api:a", texts[1], 0, "x@example.org");
	assert_int_equal(number(f, "SELECT created_at FROM conversation WHERE id = 'x'"), 5);
}

/* Merged clusters keep the older id, with the rows of the larger one; requests for either find it. */
static void
a_merged_cluster_keeps_the_older_id(void **state)
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
	store_choose_representatives(&s);
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

/*
 * The issues of a command replace the built-in ones; if it fails or its answer is invalid, the
 * built-in ones are used.
 */
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

/* A command that runs this program again, to change the database while the command is running. */
static int
swap(const char *path, const char *statements)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *error = NULL;
	struct db *db = db_open(a, path, DB_READ_WRITE, &(struct db_options){ .relaxed = true }, &error);
	bool ok = db != NULL && db_script(db, a, statements, &error);

	if (db != NULL)
		db_close(db);
	arena_free(a);
	return ok ? 0 : 1;
}

/* A conversation deleted while it is analysed leaves nothing, even if another one has its number by then. */
static void
a_conversation_deleted_while_read_leaves_nothing(void **state)
{
	struct fixture *f = *state;
	char self[4096] = "";

	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	put(f, "gone", "email", "How do I keep a secret?", 1, "a@example.org");
	analyse(f, script(f, arena_printf(f->arena, "#!/bin/sh\n[ -e '%s/once' ] && { echo '{\"issues\":[]}'; exit; }\ntouch '%s/once'\n"
	    "'%s' swap '%s/octavo.db' \"DELETE FROM conversation_attribute; DELETE FROM conversation; INSERT INTO conversation (n, org, "
	    "id, source, created_at, ingested_at, parts) VALUES (%lld, '%s', 'new', 'email', 1, 1, '[]')\" && touch '%s/twice'\n"
	    "echo '{\"issues\":[{\"title\":\"How do I keep a secret?\"}]}'\n", f->dir, f->dir, self, f->dir,
	    (long long)number(f, "SELECT n FROM conversation"), f->org, f->dir)));
	assert_int_equal(access(arena_printf(f->arena, "%s/twice", f->dir), F_OK), 0);
	assert_int_equal(number(f, "SELECT count(*) FROM conversation WHERE id = 'new' AND processed_at IS NOT NULL"), 1);
	assert_int_equal(number(f, "SELECT count(*) FROM conversation_issue"), 0);
}

/* The log after a command analysed a conversation; it must be printable. */
static const char *
logged(struct fixture *f, const char *id, const char *command)
{
	char *path = arena_printf(f->arena, "%s/log", f->dir), text[8192] = "";
	int fd, was, i;
	ssize_t n;

	put(f, id, "email", "The PDF export is empty.", 1, "a@example.org");
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	was = dup(STDERR_FILENO);
	dup2(fd, STDERR_FILENO);
	analyse(f, command);
	dup2(was, STDERR_FILENO);
	close(was);
	n = pread(fd, text, sizeof(text) - 1, 0);
	close(fd);
	assert_true(n < 4096 + 300);
	for (i = 0; i < n; i++)
		assert_true(text[i] == '\n' || (text[i] >= ' ' && text[i] < 0x7F));
	return arena_strdup(f->arena, text);
}

/* The log contains what a command says about a text, without control characters and line breaks. */
static void
logs_are_printable(void **state)
{
	struct fixture *f = *state;
	const char *log;

	log = logged(f, "a", script(f,
	    "#!/bin/sh\nprintf 'no model: \\033[2J\\302\\205\\r forged\\n' >&2\nhead -c 20000 /dev/zero >&2\nexit 3\n"));
	assert_non_null(strstr(log, "no model: ?[2J??? forged\n"));
	assert_non_null(strstr(log, "ended with status 3; the built-in analysis is used\n"));
	log = logged(f, "b", script(f, "#!/bin/sh\necho '{\"issues\":[],\"\\u001b[2J\\nforged\\u0085\":1}'\n"));
	assert_non_null(strstr(log, "is not known here; the built-in analysis is used\n"));
	assert_non_null(strstr(log, "the answer: /?[2J forged?? is not known here"));
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
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_interrupted_analysis_continues, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(counts_are_true, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(equal_input_gives_equal_clusters, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_reused_number_has_no_old_counts, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(near_duplicates_merge_and_split, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(wrong_counts_are_recomputed, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(another_source_is_refused, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_merged_cluster_keeps_the_older_id, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_command_may_analyse, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_conversation_deleted_while_read_leaves_nothing, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(logs_are_printable, db_setup, db_teardown),
		cmocka_unit_test(weeks_begin_on_mondays),
	};

	if (argc == 4 && strcmp(argv[1], "swap") == 0)
		return swap(argv[2], argv[3]);
	return cmocka_run_group_tests_name("support", tests, NULL, NULL);
}
