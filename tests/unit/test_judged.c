/*
 * Judged queries on a manual written for this test (tests/fixtures/search): the query of a reader,
 * and the page that answers it. The mean nDCG@10 may not fall below a floor, nor may any query lose
 * its page from the first results. tests/search/run does the same with real documentation.
 */
#include "page_fixture.h"

#include "../search/ndcg.h"
#include "search/search.h"

/* Today's value, less the tolerance for an equally good change. */
static const double FLOOR = 0.97;
enum { PAGES = 33, QUERIES = 64, WORST_PLACE = 3 };

static char *
file_read(struct arena *a, const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = arena_alloc(a, 1 << 20);
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, (1 << 20) - 1, f);
	fclose(f);
	text[n] = '\0';
	return text;
}

/* Writes the pages: "@ path", then a title of the first level, then the body. */
static int
pages_write(struct fixture *f)
{
	struct writing w = write_begin(f, f->space, f->branch);
	char *p = file_read(f->arena, "tests/fixtures/search/pages.md"), *next, *title, *body;
	int n;

	for (n = 0; p != NULL && *p != '\0'; p = next, n++) {
		assert_memory_equal(p, "@ ", 2);
		if ((next = strstr(p, "\n@ ")) != NULL)
			*next++ = '\0';
		title = strchr(p, '\n');
		*title = '\0';
		title += strlen("\n# ");
		body = strchr(title, '\n');
		*body++ = '\0';
		write_page(&w, p + 2, title, "{}", body);
	}
	write_end(&w);
	return n;
}

static double
query_judge(struct fixture *f, const struct line *l, size_t n)
{
	struct search_found out = { .count = 0 };
	const char *paths[TOP];
	struct search_in in;
	double score;
	size_t i;
	int first;

	db_begin(f->db, false);
	assert_true(search_find(f->db, f->arena, f->space, &in));
	search(f->db, f->arena, str_of(l->query), &in, 1, TOP, NULL, &out);
	search_shown(f->db, f->arena, &out, 0, out.hit_count);
	for (i = 0; i < out.hit_count && i < TOP; i++)
		paths[i] = out.hits[i].page;
	score = ndcg(l, n, paths, i, &first);
	db_rollback(f->db);
	if (score < 1)
		print_message("%.3f, best page at %d: %s (first is %s)\n", score, first, l->query, i > 0 ? paths[0] : "-");
	if (first == 0 || first > WORST_PLACE)
		fail_msg("%s: the page that answers it is at %d", l->query, first);
	return score;
}

static void
rankings_reach_the_judged_measure(void **state)
{
	static struct line list[MAX_LINES];
	struct fixture *f = *state;
	size_t n = read_lines(f->arena, "tests/fixtures/search/judged.tsv", list), i, k;
	double sum = 0;
	int queries = 0;

	assert_int_equal(pages_write(f), PAGES);
	for (i = 0; i < n; i += k, queries++) {
		k = query_lines(&list[i], n - i);
		sum += query_judge(f, &list[i], k);
	}
	assert_true(queries >= QUERIES);
	print_message("nDCG@10 %.3f over %d queries\n", sum / queries, queries);
	if (sum / queries < FLOOR)
		fail_msg("nDCG@10 %.3f is below %.3f", sum / queries, FLOOR);
}

/* Checks the measure itself: a perfect ranking is 1, and a page ranked too low costs what the formula says. */
static void
the_measure_follows_its_formula(void **state)
{
	static struct line l[] = { { "s", "q", "a", 3 }, { "s", "q", "b", 1 }, { "s", "r", "c", 3 } };
	int first;

	(void)state;
	assert_int_equal(query_lines(l, 3), 2);
	assert_true(fabs(ndcg(l, 2, (const char *[]){ "a", "b" }, 2, &first) - 1) < 1e-9);
	assert_int_equal(first, 1);
	assert_true(fabs(ndcg(l, 2, (const char *[]){ "x", "a" }, 2, &first) -
	    7 / log2(3) / (7 + 1 / log2(3))) < 1e-9);
	assert_int_equal(first, 2);
	assert_true(ndcg(l, 2, (const char *[]){ "x" }, 1, &first) < 1e-9);
	assert_int_equal(first, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_measure_follows_its_formula),
		cmocka_unit_test_setup_teardown(rankings_reach_the_judged_measure, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
