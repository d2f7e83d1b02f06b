/*
 * All writers of primary content must check the merge rules: this test fails when one is added
 * without that. Every revision of any branch is made by revision_add(). The functions that make a
 * revision of main are called only by code that checks the rules, or that is no writer of content,
 * for the given reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct writer {
	const char *calls, *file;
	unsigned    times;
	const char *asks;      /* text of the check in the file; NULL: no check is needed */
	const char *why;       /* why no check is needed */
} writers[] = {
	/* All callers that make a revision. */
	{ "revision_add(", "src/api/requests/request_content.c", 1, NULL, "of a change request" },
	{ "revision_add(", "src/propagate/copy_space.c", 1, NULL, "of a space that is being made" },
	{ "revision_add(", "src/sync/git_source.c", 1, NULL, "of an upstream branch" },
	{ "revision_add(", "src/merge/upstream_request.c", 1, NULL, "of a change request" },
	{ "revision_add(", "src/jobs/upload_job.c", 1, NULL, "of a change request" },
	{ "revision_add(", "src/store/space.c", 1, NULL, "of a space that is being made" },
	{ "revision_add(", "src/merge/request.c", 1, NULL, "request_merge(), below" },
	{ "revision_add(", "src/merge/request_ahead.c", 1, NULL, "request_publish(), below; of a change request" },
	{ "revision_add(", "src/merge/request_record.c", 1, NULL, "of a change request that is being made" },
	{ "revision_add(", "src/merge/request_update.c", 1, NULL, "of a change request" },
	{ "revision_add(", "src/merge/upstream.c", 3, NULL, "upstream_take(), below; of an upstream branch; of one beside main" },
	{ "revision_add(", "src/propagate/spec_versions.c", 1, NULL, "without rows: what a page shows of a specification has changed" },
	/* All callers that make a revision of main. */
	{ "request_merge(", "src/api/requests/request_content.c", 1, "merge_rule_unmet(", NULL },
	{ "request_publish(", "src/api/requests/request_content.c", 1, "merge_rule_unmet(", NULL },
	{ "upstream_take(", "src/sync/import_take.c", 1, ".as_request = m->as_request", NULL },
	{ "upstream_take(", "src/jobs/translate_job.c", 1, ".as_request = j->as_request", NULL },
	{ "primary_is_open(", "src/jobs/translate_job.c", 2, "j->as_request = !primary_is_open(", NULL },
	/* All callers that import a commit by these functions. */
	{ "import_take(", "src/sync/import.c", 2, "m->as_request = import_is_restricted(", NULL },
	{ "import_take(", "src/sync/sync.c", 2, "m->as_request = s->as_request", NULL },
	{ "sync_run(", "src/sync/sync_jobs.c", 2, "s.as_request = import_is_restricted(", NULL },
	{ "blocking_reason(", "src/sync/sync_jobs.c", 2, "s->as_request = !primary_is_open(", NULL },
	/* The one function that all checks use. */
	{ "primary_is_open(", "src/api/requests/merge_rules_unmet.c", 2, "merge_rule_unmet(", NULL },
	{ "primary_is_open(", "src/sync/import.c", 1, "import_is_restricted(", NULL },
	{ "primary_is_open(", "src/sync/sync_jobs.c", 1, "s->as_request", NULL },
};
enum { WRITERS = sizeof(writers) / sizeof(writers[0]) };

/* Number of lines of a file, without comments, that contain a text. */
static unsigned
lines_with(const char *text, const char *file)
{
	char command[512], line[16] = "";
	FILE *p;

	snprintf(command, sizeof(command), "grep -vE '^[[:space:]]*/?[*]' %s | grep -cF '%s'", file, text);
	p = popen(command, "r");
	assert_non_null(p);
	assert_non_null(fgets(line, sizeof(line), p));
	pclose(p);
	return (unsigned)strtoul(line, NULL, 10);
}

static void
each_writer_asks(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < WRITERS; i++) {
		const struct writer *w = &writers[i];
		if (lines_with(w->calls, w->file) != w->times)
			fail_msg("%s: %s stands there %u times, and the table says %u", w->file, w->calls, lines_with(w->calls, w->file), w->times);
		if (w->asks != NULL && lines_with(w->asks, w->file) == 0)
			fail_msg("%s calls %s and does not ask: %s", w->file, w->calls, w->asks);
		assert_true((w->asks == NULL) != (w->why == NULL));
	}
}

static bool
is_listed(const char *calls, const char *file)
{
	size_t i;

	for (i = 0; i < WRITERS; i++)
		if (strcmp(writers[i].calls, calls) == 0 && strcmp(writers[i].file, file) == 0)
			return true;
	return false;
}

/* Only files listed above, and the file that defines it, contain a call of the function. */
static void
no_writer_is_missing(void **state)
{
	static const struct {
		const char *calls, *home;
	} all[] = { { "revision_add(", "src/store/write.c" }, { "request_merge(", "src/merge/request.c" },
		{ "request_publish(", "src/merge/request_ahead.c" },
		{ "upstream_take(", "src/merge/upstream.c" }, { "import_take(", "src/sync/import_take.c" },
		{ "sync_run(", "src/sync/sync.c" }, { "primary_is_open(", "src/app/merge_rules.c" } };
	char command[512], file[512];
	size_t i;
	FILE *p;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		snprintf(command, sizeof(command), "grep -rlF --include='*.c' '%s' src cgi command", all[i].calls);
		p = popen(command, "r");
		assert_non_null(p);
		while (fgets(file, sizeof(file), p) != NULL) {
			file[strcspn(file, "\n")] = '\0';
			if (strcmp(file, all[i].home) != 0 && !is_listed(all[i].calls, file))
				fail_msg("%s calls %s and is not in the table: does it ask whether the rules are met?", file, all[i].calls);
		}
		pclose(p);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_writer_asks),
		cmocka_unit_test(no_writer_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
