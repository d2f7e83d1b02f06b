/*
 * The repositories of the corpus, imported as a job does: counts of unresolved links. The links to
 * headings were checked by hand in the repositories: none of these headings exists, except for one
 * that only ends in the name. Skipped if the corpus is missing.
 */
#include "db_fixture.h"
#include "corpus_fixture.h"

#include "store/content.h"
#include "sync/import.h"
#include "links/links.h"

struct row {
	const char *repo, *dir;
	int64_t     missing;     /* links to missing pages and files */
	int64_t     dead;        /* of these, links that the published service wrote for removed pages */
	int64_t     places;      /* links to missing headings */
};

/* Files that are not listed in SUMMARY.md are no pages, so their links do not count. */
static const struct row rows[] = {
	{ "fluentd", "", 2, 0, 4 },
	{ "gl-sdk", "gitbook", 62, 52, 30 },              /* 53 dead in all files: one is in an unlisted file */
	{ "public-docs", "documentation", 14, 12, 19 },
	{ "public-docs", "guides", 17, 17, 0 },
	{ "public-docs", "changelog", 24, 24, 1 },        /* 54 in the source: one is an address, one is prose */
	{ "public-docs", "developers", 7, 0, 5 },         /* missing assets; #text-input is the heading "textinput" */
	{ "predicthq", "docs/tech-docs", 7, 0, 8 },       /* 3 pages, 4 assets */
	{ "sunrise", "ja", 0, 0, 2 },
};

/* Imports the repository into the fixture's space. */
static void
import(struct fixture *f, const struct row *r)
{
	struct job job = { .kind = "import", .space = f->space }, claimed;
	const char *error = NULL;
	struct settings *set;

	assert_true(corpus_clone(r->repo, arena_printf(f->arena, "%s/repo", f->dir)));
	setenv("OCTAVO_DIR", f->dir, 1);
	set = settings_env(f->arena, &error);
	assert_non_null(set);
	job.args = arena_printf(f->arena, "{\"url\":\"%s/repo\",\"ref\":\"refs/heads/main\","
	    "\"repoProjectDirectory\":\"%s\",\"local\":true}", f->dir, r->dir);
	db_begin(f->db, true);
	job_add(f->db, f->arena, &job, 0);
	db_commit(f->db);
	assert_true(claim_job(f->db, f->arena, &claimed));
	import_run(f->db, f->arena, set, &claimed);
}

/* Total bytes of all bodies. */
static size_t
bodies(struct fixture *f)
{
	struct point p;
	struct node *list;
	size_t n, sum = 0;

	assert_true(point_head(f->db, f->arena, f->branch, &p));
	list = node_list(f->db, f->arena, &p, NODE_DOCUMENT | NODE_REUSABLE, &n);
	while (n-- > 0)
		sum += blob_size(f->db, list[n].body);
	return sum;
}

static void
count(struct fixture *f, struct row *out)
{
	struct link_query q = { .status = LINK_BROKEN, .want = 10000, .places = 100000 };
	struct link_list list;
	struct point p;
	size_t i;

	assert_true(point_head(f->db, f->arena, f->branch, &p));
	q.point = &p;
	links_list(f->db, f->arena, &q, &list);
	for (i = 0; i < list.count; i++) {
		const struct link_target *t = &list.items[i].target;
		/* API descriptions belong to the organization: the test has none. */
		if (strncmp(t->key, LINK_SPEC, strlen(LINK_SPEC)) == 0)
			continue;
		if (strcmp(t->kind, "missing") != 0)
			out->places += (int64_t)list.items[i].count;
		else
			out->missing += (int64_t)list.items[i].count;
		if (strstr(t->key, "broken-reference") != NULL || strncmp(t->key, "missing:/broken/", 16) == 0)
			out->dead += (int64_t)list.items[i].count;
	}
}

static void
links_of_the_corpus_are_resolved(void **state)
{
	struct fixture *f;
	struct row have;
	char *bundle = corpus_bundle(rows[0].repo);
	size_t i, parsed;
	bool wrong = false;

	(void)state;
	if (bundle == NULL)
		skip();
	free(bundle);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		db_setup((void **)&f);
		parsed = doc_bytes_parsed();
		import(f, &rows[i]);
		/*
		 * A body is parsed once for its document and once for the positions of its links:
		 * then each target is a short token, or a token in place of a target that is
		 * shorter.
		 */
		parsed = doc_bytes_parsed() - parsed;
		if (parsed > bodies(f) * 9 / 4)
			print_error("%s %s: %zu bytes parsed of %zu\n", rows[i].repo, rows[i].dir, parsed, bodies(f));
		wrong |= parsed > bodies(f) * 9 / 4;
		have = (struct row){ .repo = rows[i].repo };
		count(f, &have);
		if (have.missing != rows[i].missing || have.dead != rows[i].dead ||
		    have.places != rows[i].places) {
			print_error("%s %s: %lld missing (%lld dead), %lld places\n", rows[i].repo, rows[i].dir,
			    (long long)have.missing, (long long)have.dead, (long long)have.places);
			wrong = true;
		}
		db_teardown((void **)&f);
	}
	assert_false(wrong);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(links_of_the_corpus_are_resolved) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
