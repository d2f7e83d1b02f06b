/*
 * Scores of hits by their position and their neighbours: the weights of search_score.c, each as a
 * ratio that must hold within one percent. Change a ratio here as well if it changes on purpose,
 * with tests/search/run before and after.
 */
#include "arena_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "../../src/search/search_parts.h"

static struct query query;
static struct score_context scoring;
static struct db_match match;

/* A query of this many words, each a separate group, on a page of usual lengths without hits. */
static void
begin(size_t groups)
{
	size_t i;

	memset(&query, 0, sizeof(query));
	memset(&scoring, 0, sizeof(scoring));
	memset(&match, 0, sizeof(match));
	query.count = groups;
	for (i = 0; i < groups; i++) {
		query.groups[i].at = (int)i;
		query.phrases[i] = (struct query_phrase){ .group = (int)i, .weight = 1, .width = 1 };
		scoring.idf[i] = 1;
	}
	query.phrase_count = (int)groups;
	scoring.query = &query;
	scoring.idf_all = (double)groups;
	match.phrases = (int)groups;
	match.sizes[IN_TITLE] = 4;
	match.sizes[IN_HEADING] = 60;
	match.sizes[IN_BODY] = 350;
}

static void
hit(int phrase, int column, int position)
{
	match.hits[match.count++] = (struct db_hit){ .phrase = phrase, .column = column, .position = position };
}

static double
score(void)
{
	struct verdict v;

	score_row(&scoring, &match, &v);
	return v.score;
}

/* The score of a single word at one position. */
static double
alone(int column, int position)
{
	begin(1);
	hit(0, column, position);
	return score();
}

static void
ratio(const char *what, double got, double wanted)
{
	if (fabs(got / wanted - 1) > 0.01)
		fail_msg("%s: %.3f instead of %.3f", what, got, wanted);
}

/* BM25 saturates: x hits are worth x * 2.7 / (x + 1.7). */
static double
saturated(double x)
{
	return x * 2.7 / (x + 1.7);
}

static void
a_hit_weighs_by_its_place(void **state)
{
	double body = alone(IN_BODY, 300);

	(void)state;
	ratio("a hit in the body", body, 1);
	ratio("among the first fifty words", alone(IN_BODY, 10), saturated(2.5));
	ratio("the last of these", alone(IN_BODY, 49), saturated(2.5));
	ratio("after them", alone(IN_BODY, 50), 1);
	ratio("in a heading", alone(IN_HEADING, 30), saturated(3.5));
	/* Title: a weight by its length, and a bonus for the part of it that the query covers. */
	ratio("in a title", alone(IN_TITLE, 0), 4.5 + 2.0 / 4);
	begin(1);
	hit(0, IN_BODY, 300);
	hit(0, IN_TRAIL, 1);
	ratio("the address beside the body", score(), 1 + 1.5);
}

static void
a_hit_weighs_by_the_length(void **state)
{
	(void)state;
	begin(1);
	hit(0, IN_BODY, 300);
	match.sizes[IN_BODY] = 3500;
	ratio("a body ten times as long", score(), saturated(1 / 5.5));
	begin(1);
	hit(0, IN_HEADING, 3);
	match.sizes[IN_HEADING] = 600;
	ratio("headings ten times as long", score(), saturated(3.5 / 3.7));
	begin(1);
	hit(0, IN_TITLE, 0);
	match.sizes[IN_TITLE] = 10;
	ratio("a long title", score(), 4.5 / 1.6 + 2.0 / 10);
	begin(1);
	hit(0, IN_TITLE, 0);
	match.sizes[IN_TITLE] = 1;
	ratio("a title that is the word", score(), 4.5 / 0.7 + 2.0);
	begin(1);
	hit(0, IN_TITLE, 0);
	query.phrases[0].whole = true;
	match.sizes[IN_TITLE] = 1;
	ratio("what was typed is the title", score(), 4.5 / 0.7 + 2.0 + 2.0 * 2);
	begin(2);
	hit(0, IN_TITLE, 0);
	query.phrases[0].weight = 0.5;
	hit(1, IN_TITLE, 1);
	query.phrases[1].weight = 0.5;
	match.sizes[IN_TITLE] = 2;
	/*
	 * Inflected forms do not count towards covering a title, and have a share of the weight,
	 * also as neighbours.
	 */
	ratio("other forms in a title", score() / (1 - 0.3), 2 * 4.5 * 0.5 / 0.8 + 3.0 * 0.5);
	begin(1);
	hit(0, IN_TITLE, 0);
	query.phrases[0].weight = 0.6;
	query.phrases[0].synonym = true;
	ratio("another word in a title", score(), 4.5 * 0.6 + 2.0 * 0.6 * 0.6 / 4);
}

/* Two words of the body: adjacent, exchanged, a few words apart, far apart, and one of them missing. */
static void
words_side_by_side_weigh_more(void **state)
{
	static const struct { int first, second; double near; } cases[] = {
		{ 300, 301, 1 }, { 300, 302, 0.8 / 2 }, { 300, 304, 0.8 / 3 }, { 300, 311, 0.8 / 6.5 }, { 300, 312, 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin(2);
		hit(0, IN_BODY, cases[i].first);
		hit(1, IN_BODY, cases[i].second);
		ratio("two words of the body", score(), 2 + 1.33 * cases[i].near);
	}
	begin(2);
	hit(1, IN_BODY, 300);
	hit(0, IN_BODY, 301);
	ratio("in turn", score(), 2 + 1.33 * 0.4 / 1.5);
	begin(2);
	hit(0, IN_TITLE, 0);
	hit(1, IN_TITLE, 1);
	match.sizes[IN_TITLE] = 2;
	ratio("neighbours in a title", score(), 2 * 4.5 / 0.8 + 3.0 + 2.0 * 2);
	begin(2);
	hit(0, IN_TITLE, 0);
	hit(1, IN_TITLE, 3);
	ratio("apart in a title", score(), 2 * 4.5 + 3.0 * 0.8 / 2.5 + 2.0 * 2 * 2 / 4);
	begin(2);
	hit(0, IN_BODY, 100);
	hit(1, IN_BODY, 159);
	ratio("in one place still", score(), 2);
	begin(2);
	hit(0, IN_BODY, 100);
	hit(1, IN_BODY, 160);
	/* Half of the query at one place: the other half loses 0.3. */
	ratio("in two places", score(), 2 * (1 - 0.3 * 0.5));
	begin(2);
	hit(0, IN_HEADING, 1);
	hit(1, IN_HEADING, 13);
	ratio("in two headings", score(), 2 * saturated(3.5) * (1 - 0.3 * 0.5));
	begin(2);
	hit(0, IN_BODY, 300);
	ratio("half of the words", score(), pow(0.5, 0.3) * (1 - 0.3 * 0.5));
}

static void
rare_words_weigh_more(void **state)
{
	(void)state;
	begin(2);
	match.rows[0] = 10;
	match.rows[1] = 1000;
	score_weigh(&scoring, &match, 1000);
	ratio("a rare word", scoring.idf[0], log(1 + 990.5 / 10.5));
	ratio("a word that all pages have", scoring.idf[1], log(1 + 0.5 / 1000.5));
	ratio("both", scoring.idf_all, scoring.idf[0] + scoring.idf[1]);
	query.groups[0].light = true;
	score_weigh(&scoring, &match, 1000);
	ratio("a word that says little", scoring.idf[0], 0.3 * log(1 + 990.5 / 10.5));
	query.groups[0].stop = true;
	score_weigh(&scoring, &match, 1000);
	ratio("a word that only makes a question", scoring.idf[0], 0.2 * log(1 + 990.5 / 10.5));
	match.rows[0] = 0;
	scoring.loose = true;
	score_weigh(&scoring, &match, 1000);
	assert_true(scoring.idf[0] <= 0);
	/*
	 * Synonyms are not counted in the index: if the word itself does not occur, they are
	 * assumed on one sixteenth of the pages.
	 */
	begin(2);
	match.rows[1] = 10;
	query.phrases[0].synonym = true;
	query.phrases[1].synonym = false;
	scoring.loose = true;
	score_weigh(&scoring, &match, 1600);
	ratio("said in other words", scoring.idf[0], log(1 + (1600 - 101 + 0.5) / 101.5));
	ratio("the word itself", scoring.idf[1], log(1 + 1590.5 / 10.5));
	match.rows[0] = 7;
	query.phrases[0].group = 1;
	score_weigh(&scoring, &match, 1600);
	ratio("other words beside it", scoring.idf[1], log(1 + 1590.5 / 10.5));
}

/* Character pairs of a run without spaces: a pair that is rarer than both neighbours crosses a word boundary. */
static void
rare_pairs_cross_the_end_of_a_word(void **state)
{
	static const char *const pairs[] = { "进入", "入容", "容器", "服务" };
	static const int rows[] = { 100, 3, 200, 3 };
	size_t i;

	(void)state;
	begin(4);
	for (i = 0; i < 4; i++) {
		struct query_group *g = &query.groups[i];
		g->pair = true;
		g->count = 1;
		memcpy(g->parts[0].word.text, pairs[i], g->parts[0].word.n = strlen(pairs[i]));
		match.rows[i] = rows[i];
	}
	score_weigh(&scoring, &match, 1000);
	ratio("over the end of a word", scoring.idf[1], 0.2 * log(1 + 997.5 / 3.5));
	ratio("a rare word of another run", scoring.idf[3], log(1 + 997.5 / 3.5));
	ratio("a word", scoring.idf[0], log(1 + 900.5 / 100.5));
	match.rows[1] = 100;
	score_weigh(&scoring, &match, 1000);
	ratio("as frequent as a neighbour", scoring.idf[1], log(1 + 900.5 / 100.5));
}

/*
 * A section's page is weighted by the share of the query that its title contains, and the share of
 * the title that the query contains.
 */
static void
titles_of_sections_weigh_by_their_share(void **state)
{
	struct verdict v;

	(void)state;
	begin(2);
	hit(0, IN_TITLE, 0);
	score_row(&scoring, &match, &v);
	ratio("half of the query, a quarter of the title", score_section(&scoring, &v), 2 * 0.5 * 0.25);
	begin(1);
	hit(0, IN_BODY, 0);
	score_row(&scoring, &match, &v);
	assert_true(score_section(&scoring, &v) <= 0);
}

/* Words of the synonym dictionary are normalized like queries; no set has a single word, or one word twice. */
static void
the_dictionary_is_well_formed(void **state)
{
	struct arena *a = arena_new(1 << 24);
	const char *const *set, *word;
	size_t i, k, m;

	(void)state;
	for (i = 0; i < search_dictionary_size; i++) {
		set = search_dictionary[i];
		for (k = 0; k < OWN_MEMBERS && set[k] != NULL; k++) {
			word = own_word(a, set[k]);
			if (word == NULL || strcmp(word, set[k]) != 0)
				fail_msg("\"%s\" reads as \"%s\"", set[k], word == NULL ? "nothing" : word);
			for (m = 0; m < k; m++)
				assert_string_not_equal(set[m], set[k]);
		}
		assert_true(k >= 2);
	}
	arena_free(a);
}

/* A page that has the word only in its path is no hit. */
static void
a_hit_in_the_address_alone_is_none(void **state)
{
	struct verdict v;

	(void)state;
	begin(1);
	hit(0, IN_TRAIL, 0);
	assert_false(score_row(&scoring, &match, &v));
	hit(0, IN_BODY, 0);
	assert_true(score_row(&scoring, &match, &v));
}

/* For a query that is an identifier, the exact spelling ranks first, and names that begin with it next. */
static void
a_name_as_spelled_comes_first(void **state)
{
	double words, begun, spelled;

	(void)state;
	begin(1);
	query.groups[0].identifier = true;
	hit(0, IN_TITLE, 0);
	hit(0, IN_HEADING, 0);
	match.sizes[IN_TITLE] = 1;
	words = score();
	begin(1);
	query.groups[0].identifier = true;
	query.phrases[0].literal = query.phrases[0].open = true;
	hit(0, IN_BODY, 300);
	begun = score();
	query.phrases[0].open = false;
	spelled = score();
	assert_true(begun > 10 * words && spelled > 1.5 * begun);
	/* In a path it is a coincidence. */
	match.hits[0].column = IN_TRAIL;
	hit(0, IN_BODY, 0);
	query.phrases[0].open = true;
	assert_true(score() < spelled);
	/* A name with hyphens only is no identifier: among other words its weight counts one more time. */
	begin(1);
	hit(0, IN_BODY, 300);
	query.phrases[0].literal = true;
	ratio("a name with hyphens", score(), 2);
}

/* Parts of a name in a title are hints, but are neither the name nor a synonym of it. */
static void
parts_of_a_name_are_hints(void **state)
{
	struct arena *a = arena_new(1 << 22);
	int k, hints = 0;

	(void)state;
	query_read(&query, a, str_of("pump.max_flow"), LANG_EN, &(struct query_sets){ NULL });
	query_expression(&query, a, "1", " AND ");
	for (k = 0; k < query.phrase_count; k++) {
		hints += query.phrases[k].hint && !query.phrases[k].literal;
		assert_false(query.phrases[k].hint && query.phrases[k].synonym);
	}
	/* The name itself where a title must contain it, and its three parts. */
	assert_int_equal(hints, 4);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hit_weighs_by_its_place), cmocka_unit_test(a_hit_weighs_by_the_length),
		cmocka_unit_test(words_side_by_side_weigh_more),
		cmocka_unit_test(rare_words_weigh_more), cmocka_unit_test(a_hit_in_the_address_alone_is_none),
		cmocka_unit_test(a_name_as_spelled_comes_first),
		cmocka_unit_test(rare_pairs_cross_the_end_of_a_word), cmocka_unit_test(titles_of_sections_weigh_by_their_share),
		cmocka_unit_test(the_dictionary_is_well_formed),
		cmocka_unit_test(parts_of_a_name_are_hints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
