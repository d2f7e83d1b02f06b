/* Analysis of conversations: plain text, sentences, issues, clusters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "../conversations/memory_store.h"
#include "base/buf.h"
#include "base/utf8.h"

static struct arena *arena;
static struct analyst *analyst;
static struct issue found[ISSUES_MAX];

static int
set_up(void **state)
{
	(void)state;
	arena = arena_new((size_t)1 << 30);
	analyst = analyst_new(arena);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static size_t
ask(const char *subject, const char *body)
{
	struct part p = { PART_USER, str_of(body) };

	return analyst_read(analyst, arena, str_of(subject), &p, 1, found);
}

/* The conversation must have exactly this issue. */
static void
expect_issue(const char *body, const char *title)
{
	assert_int_equal(ask("", body), 1);
	assert_string_equal(found[0].title.p, title);
}

static void
titles_are_sentences_of_the_text(void **state)
{
	(void)state;
	expect_issue("Hi there,\nI cannot log in. The password is right.\nThanks,\nMaria Keller\nHead of Docs\n+49 30 555",
	    "I cannot log in.");
	expect_issue("Hello! How do I export a space as PDF? I found no button.", "How do I export a space as PDF?");
	expect_issue("hello, how do i change my password? can't find it in the profile", "how do i change my password?");
	expect_issue("Guten Tag,\nwie kann ich die Rechnung herunterladen?\nMit freundlichen Grüßen\nJens",
	    "wie kann ich die Rechnung herunterladen?");
	expect_issue("Bonjour, comment supprimer mon compte ?\nCordialement", "comment supprimer mon compte ?");
	/* A greeting is removed also where it ends with a dash, or contains an accented letter. */
	expect_issue("Hi Ann \xE2\x80\x93 how do I export a space as PDF?", "how do I export a space as PDF?");
	expect_issue("Ol\xC3\xA1 como posso exportar a p\xC3\xA1gina?", "como posso exportar a p\xC3\xA1gina?");
	expect_issue("Our editor's search, e.g. for a hyphen, finds nothing. Dr. Wu saw it, too.",
	    "Our editor's search, e.g. for a hyphen, finds nothing.");
	/* A full stop after a number ends the sentence, unless the number is the day in a date. */
	expect_issue("Die Rechnung vom 4. Juni fehlt in der Liste. Danke", "Die Rechnung vom 4. Juni fehlt in der Liste.");
	expect_issue("The invoice of 31. March is missing. It was paid.", "The invoice of 31. March is missing.");
	expect_issue("The export fails since version 4. The old one worked.", "The export fails since version 4.");
	expect_issue("Please tell me, since my program wraps its lines, how the\nsynchronisation with GitHub is set up.",
	    "Please tell me, since my program wraps its lines, how the synchronisation with GitHub is set up.");
}

/* The title is the sentence with the most specific words, whatever its form. */
static void
the_title_names_the_subject(void **state)
{
	(void)state;
	expect_issue("Hi all,\nI hope you are well. We are quite a small team here. The export of our handbook to PDF stops at "
	    "page 12. Please advise.\nHow do I go about this?\nBest regards\nJo",
	    "The export of our handbook to PDF stops at page 12.");
	expect_issue("What should I do? Can you tell me? My invoice lacks the VAT number.", "My invoice lacks the VAT number.");
	expect_issue("pelase hlep\nthe certificate of our custom domain has expired", "the certificate of our custom domain has expired");
	expect_issue("On Monday, Ann wrote:\n\nThe sync with GitHub fails.", "The sync with GitHub fails.");
}

/* A conversation of common words has an issue too, and its terms. */
static void
any_request_is_an_issue(void **state)
{
	static const char *const texts[] = { "who are you", "what can i ask you about?", "screen scratched", "refund", "tell me a joke" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		expect_issue(texts[i], texts[i]);
		assert_true(found[0].terms.n > 0);
	}
}

/* A corpus of 100 issues: 30 contain the word "invoice", and none contains any other word. */
static int64_t
corpus_size(void *ctx)
{
	(void)ctx;
	return 100;
}

static int64_t
issues_with_term(void *ctx, uint64_t term)
{
	(void)ctx;
	return term == text_id(STR("invoic")) || term == text_id(STR("en:invoice")) ? 30 : 0;
}

static void
a_sentence_unlike_the_corpus_is_no_title(void **state)
{
	static const struct corpus corpus = { NULL, corpus_size, issues_with_term };

	(void)state;
	expect_issue("Our flamingo quartet rehearses in Zanzibar. The invoice is late.", "Our flamingo quartet rehearses in Zanzibar.");
	analyst_compare(analyst, &corpus);
	expect_issue("Our flamingo quartet rehearses in Zanzibar. The invoice is late.", "The invoice is late.");
	analyst_compare(analyst, NULL);
}

/* Replies to questions of the team are not titles, and make no issue of their own. */
static void
replies_are_no_titles(void **state)
{
	struct part parts[] = { { PART_USER, STR("hai") }, { PART_TEAM, STR("How can I help you?") },
		{ PART_USER, STR("the export of our handbook fails") }, { PART_TEAM, STR("Your name and number?") },
		{ PART_USER, STR("maria keller customer number 4711 harbour road hamburg") } };

	(void)state;
	assert_int_equal(analyst_read(analyst, arena, STR(""), parts, 5, found), 1);
	assert_string_equal(found[0].title.p, "the export of our handbook fails");
}

static void
markup_logs_and_quotes_are_left_out(void **state)
{
	(void)state;
	expect_issue("<p>Hello,</p><p>the <b>reset password</b> button does nothing.</p><script>why()</script>",
	    "the reset password button does nothing.");
	expect_issue("Our webhook is not called any more.\n```\nwhy is this code?\n```\n> What did you ask?\n"
	    "2026-03-02 08:11:20 ERROR saml: signature validation failed\n    at Saml.verify (saml.js:212)\n",
	    "Our webhook is not called any more.");
	assert_string_equal(found[0].summary.p, "Our webhook is not called any more.");
	expect_issue("**Why** is [the search](https://example.org/x) so slow?\nOn Monday Ann wrote:\nHow are issues_with_term paid?",
	    "Why is the search so slow?");
	expect_issue("The sync failed.\n-- \nWhere is the invoice?", "The sync failed.");
	expect_issue("**How** do I [link](http://x) a page?", "How do I link a page?");
	/* Text below a quotation is the answer and is read; without an answer, what follows is the quoted message. */
	expect_issue("On Monday, Ann wrote:\n\n> Have you tried the search?\n> It is at the top.\n\nWhy does the search find no pages?\n",
	    "Why does the search find no pages?");
	expect_issue("<div>On Monday, Ann wrote:<br></div><blockquote>Have you tried the search?</blockquote><p>Why does the search find no pages?</p>",
	    "Why does the search find no pages?");
	assert_string_equal(found[0].summary.p, "Why does the search find no pages?");
	expect_issue("<p>The sync failed.</p><p>Ann wrote:</p><p>Where is the invoice?</p>", "The sync failed.");
}

static void
two_questions_are_two_issues(void **state)
{
	struct part later[] = { { PART_USER, STR("How do I import our Confluence pages?") },
		{ PART_TEAM, STR("Where are they? Please see the invoice.") }, { PART_USER, STR("Enterprise") },
		{ PART_USER, STR("Why was my credit card charged twice this month?") } };

	(void)state;
	assert_int_equal(ask("Two things", "My password mail does not arrive. Also, how do I set up SAML with Okta?"), 2);
	assert_string_equal(found[1].title.p, "Also, how do I set up SAML with Okta?");
	assert_string_equal(found[0].summary.p, "My password mail does not arrive.");
	assert_int_equal(ask("", "1. How do I connect a custom domain?\n2. Where can I change the logo?"), 2);
	assert_int_equal(analyst_read(analyst, arena, STR(""), later, 4, found), 2);
	assert_string_equal(found[0].summary.p, "How do I import our Confluence pages?");
	assert_int_equal(ask("", "Hello,\n- How do I connect a custom domain?\n- How do I pay by invoice?\n"), 2);
	assert_string_equal(found[1].title.p, "How do I pay by invoice?");
	/* Bullets without a question belong to one issue. */
	assert_int_equal(ask("", "The PDF export fails.\n- The browser is Firefox\n- The error says timeout\n- The space is large\n"), 1);
	/* A sentence that explains the first issue is not a second one. */
	assert_int_equal(ask("", "How do I export a space as PDF? Is there a button for that?"), 1);
}

static void
messages_without_a_request_have_no_issue(void **state)
{
	struct part answer = { PART_ASSISTANT, STR("How do I reset my password?") };

	(void)state;
	assert_int_equal(ask("", ""), 0);
	assert_int_equal(ask("Hello", "Thanks, that was great!"), 0);
	assert_int_equal(ask("", "ok"), 0);
	assert_int_equal(analyst_read(analyst, arena, STR(""), &answer, 1, found), 0);
}

/* If the messages contain no issue, the subject may. */
static void
a_subject_is_an_issue_where_messages_ask_nothing(void **state)
{
	(void)state;
	assert_int_equal(ask("How do I reset my password?", ""), 1);
	assert_string_equal(found[0].title.p, "How do I reset my password?");
	assert_string_equal(found[0].summary.p, "How do I reset my password?");
	assert_true(found[0].terms.n > 0);
	assert_int_equal(ask("Password reset mail does not arrive", "Hi,\nThanks,\nAnn"), 1);
	assert_int_equal(ask("Greetings from Berlin", "Thanks, that was great!"), 0);
}

/*
 * Any bytes give at most the maximum number of issues, in valid UTF-8 without control characters,
 * and in short time.
 */
static void
hostile_texts_give_clean_titles_soon(void **state)
{
	static const char *const bits[] = { "<div>", "how do I reset the password? ", "\x01\x1b[31m", "\xff\xfe", "a", "\n", "> ",
		"\xE2\x80\xAE", "</b>", "&amp;", "```\n", "?", "!", ". ", "[x](", "1. ", "Also, why is the search slow? ", "(((((" };
	struct str body;
	struct buf b;
	uint64_t seed = 7;
	size_t i, k, n;
	uint32_t cp;
	int round;

	(void)state;
	for (round = 0; round < 24; round++) {
		buf_init(&b, arena, 1 << 20);
		while (b.n < 100000)
			buf_str(&b, bits[((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 40) % (size_t)(4 + round % 15)]);
		body = buf_view(&b);
		struct part p = { PART_USER, body };
		n = analyst_read(analyst, arena, STR("\x02subject"), &p, 1, found);
		assert_true(n <= ISSUES_MAX);
		for (i = 0; i < n; i++) {
			assert_true(found[i].title.n > 0 && found[i].title.n <= TITLE_BYTES);
			assert_true(found[i].summary.n <= SUMMARY_BYTES && utf8_valid(found[i].summary));
			for (k = 0; k < found[i].title.n; k += utf8_next(str_slice(found[i].title, k, found[i].title.n), &cp))
				assert_true(utf8_next(str_slice(found[i].title, k, found[i].title.n), &cp) > 0 && cp >= 0x20 && cp != 0x202E);
		}
	}
}

static void
sixty_thousand_parts_are_read(void **state)
{
	size_t i, n = 60000;
	struct part *parts = arena_array(arena, n, sizeof(*parts));

	(void)state;
	for (i = 0; i < n; i++)
		parts[i] = (struct part){ i % 3 == 0 ? PART_TEAM : PART_USER, STR("Why is the search slow?\n") };
	assert_int_equal(analyst_read(analyst, arena, STR(""), parts, n, found), 1);
	/* Ten megabytes that contain only a log, and HTML of the same size. */
	struct buf b;
	buf_init(&b, arena, 1 << 20);
	while (b.n < 100000)
		buf_str(&b, "2026-03-02 08:11:20 ERROR saml: signature <b>validation</b> failed\n");
	for (i = 0; i < 100; i++)
		parts[i] = (struct part){ PART_USER, buf_view(&b) };
	assert_int_equal(analyst_read(analyst, arena, STR(""), parts, 100, found), 0);
}

/*
 * Cosine similarity of the issues of two texts: high for the same issue in other words and
 * languages, low for another issue.
 */
static double
alike(const char *a, const char *b)
{
	struct terms x, y;
	double product = 0;
	size_t i, k;

	assert_true(ask("", a) > 0);
	x = found[0].terms;
	assert_true(ask("", b) > 0);
	y = found[0].terms;
	terms_normalise(&x);
	terms_normalise(&y);
	for (i = 0; i < x.n; i++)
		for (k = 0; k < y.n; k++)
			product += x.at[i].id == y.at[k].id ? (double)x.at[i].weight * y.at[k].weight / 65536 : 0;
	return product;
}

static void
terms_of_one_meaning_are_alike(void **state)
{
	(void)state;
	assert_true(alike("How do I delete my account?", "removing the accounts of former users does not work") > 0.5);
	assert_true(alike("How do I delete my account?", "Wie kann ich mein Konto löschen?") > 0.8);
	assert_true(alike("How do I delete my account?", "comment supprimer mon compte ?") > 0.8);
	assert_true(alike("Ne trouve pas l'API", "I cannot find the API.") > 0.5);
	assert_true(alike("How do I delete my account?", "How do I export a PDF?") < 0.1);
	assert_true(alike("¿Cómo restablezco mi contraseña?", "I forgot my password, what now?") > 0.4);
}

/* Twelve questions about three subjects: every order of them gives the same three clusters. */
static void
the_order_of_issues_does_not_change_clusters(void **state)
{
	static const char *const texts[] = {
		"How do I reset my password?", "The password reset mail does not arrive.", "I forgot my password, can you reset it?",
		"password reset link expired", "Where can I download the invoice?", "The VAT number is missing on our invoice.",
		"Please send the invoice to accounting.", "Why is there no address on the invoice?", "How do I export a space as PDF?",
		"The PDF export is empty.", "Exporting to PDF fails.", "Can readers export pages as PDF?",
	};
	enum { N = 12 };
	int round, i, k;

	(void)state;
	for (round = 0; round < 6; round++) {
		struct arena *a = arena_new((size_t)1 << 30);
		struct memory *m = mem_new(a);
		struct cluster_store s = mem_store(m);
		for (i = 0; i < N; i++) {
			assert_int_equal(ask("", texts[(i * 5 + round * 7) % N]), 1);
			cluster_place(&s, &cluster_rules, a, mem_add(m, &found[0].terms));
		}
		for (i = 0; i < N; i++)
			for (k = 0; k < N; k++)
				assert_int_equal(m->cluster[i + 1] == m->cluster[k + 1],
				    (i * 5 + round * 7) % N / 4 == (k * 5 + round * 7) % N / 4);
		arena_free(a);
	}
}

/* An issue joins a cluster if it is a little similar to each of many members, but very similar to none. */
static void
an_issue_near_a_cluster_joins_it(void **state)
{
	enum { MANY = 8, SHARED = 1, OWN = 100 };
	struct arena *a = arena_new((size_t)1 << 30);
	struct memory *m = mem_new(a);
	struct cluster_store s = mem_store(m);
	struct term far[] = { { SHARED, 32 }, { OWN + MANY, 60 }, { OWN + MANY + 1, 40 } };
	int i;

	(void)state;
	/* Issues of other subjects, so that not all have the shared term. */
	for (i = 0; i < 3 * MANY; i++)
		cluster_place(&s, &cluster_rules, a, mem_add(m, &(struct terms){ (struct term[]){ { 1000 + (uint64_t)i, 64 } }, 1 }));
	for (i = 0; i < MANY; i++) {
		struct term pair[] = { { SHARED, 60 }, { OWN + (uint64_t)i, 50 }, { OWN + (uint64_t)(i + 1) % MANY, 50 } };
		cluster_place(&s, &cluster_rules, a, mem_add(m, &(struct terms){ pair, 3 }));
	}
	cluster_place(&s, &cluster_rules, a, mem_add(m, &(struct terms){ far, 3 }));
	assert_int_equal(m->cluster[m->issues], m->cluster[m->issues - 1]);
	assert_int_equal(m->cluster[m->issues], m->cluster[3 * MANY + 1]);
	arena_free(a);
}

/* Removing an issue restores the centroid to its value before the issue was added. */
static void
centroids_are_exact(void **state)
{
	static struct cluster c, before;
	struct term one_term[] = { { 3, 200 }, { 9, 100 } }, two_terms[] = { { 1, 50 }, { 9, 240 } };
	struct terms x = { one_term, 2 }, y = { two_terms, 2 };

	(void)state;
	centroid_add(&c, &x, 1);
	before = c;
	centroid_add(&c, &y, 1);
	assert_int_equal(c.n, 2);
	assert_int_equal(c.terms, 3);
	assert_int_equal(c.at[2].sum, 340);
	centroid_add(&c, &y, -1);
	assert_int_equal(c.terms, before.terms);
	assert_memory_equal(c.at, before.at, before.terms * sizeof(c.at[0]));
	centroid_add(&c, &x, -1);
	assert_int_equal(c.n, 0);
	assert_int_equal(c.terms, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(titles_are_sentences_of_the_text),
		cmocka_unit_test(the_title_names_the_subject),
		cmocka_unit_test(any_request_is_an_issue),
		cmocka_unit_test(a_sentence_unlike_the_corpus_is_no_title),
		cmocka_unit_test(replies_are_no_titles),
		cmocka_unit_test(markup_logs_and_quotes_are_left_out),
		cmocka_unit_test(two_questions_are_two_issues),
		cmocka_unit_test(messages_without_a_request_have_no_issue),
		cmocka_unit_test(a_subject_is_an_issue_where_messages_ask_nothing),
		cmocka_unit_test(hostile_texts_give_clean_titles_soon),
		cmocka_unit_test(sixty_thousand_parts_are_read),
		cmocka_unit_test(terms_of_one_meaning_are_alike),
		cmocka_unit_test(the_order_of_issues_does_not_change_clusters),
		cmocka_unit_test(an_issue_near_a_cluster_joins_it),
		cmocka_unit_test(centroids_are_exact),
	};

	return cmocka_run_group_tests_name("conversations", tests, set_up, tear_down);
}
