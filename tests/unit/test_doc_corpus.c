/*
 * For every page of the corpus: Markdown -> tree -> Markdown is a fixpoint, JSON reads back, blocks
 * cover the body, and every link is found at its place.
 */
#include "doc_fixture.h"
#include "corpus_fixture.h"
#include "edit/body_keep.h"

static size_t pages, failures;

static void
check_blocks(struct arena *a, const char *path, struct str body)
{
	size_t n, at = 0;
	struct doc_block *b = doc_blocks(a, body, &n);

	for (size_t i = 0; i < n; i++) {
		if (b[i].source.p != body.p + at)
			corpus_failure(&failures, path, "blocks leave a gap", NULL, NULL);
		at += b[i].source.n;
	}
	if (at != body.n)
		corpus_failure(&failures, path, "blocks do not cover the body", NULL, NULL);
}

/* A client that reads a page as a document and sends it back unchanged changes no byte. */
static void
check_written_back(struct arena *a, const char *path, struct str body)
{
	struct doc *d = read_back(a, doc_text(a, doc_parse(a, body, NULL, NULL, NULL), true));
	struct str now;

	if (d == NULL)
		return;
	now = body_keep(a, body, NULL, str_of(markdown_of(a, d)), NULL);
	if (!str_eq(now, body))
		corpus_failure(&failures, path, "the document as read, written back, changes the page",
		    arena_strndup(a, body.p, body.n), arena_strndup(a, now.p, now.n));
}

static bool
keep_spelling(void *ctx, const struct doc_link *l, struct buf *out)
{
	(void)ctx;
	buf_put(out, l->spelling);
	return true;
}

/* Replacing every target by its own spelling must give a body that parses to the same document. */
static void
check_links(struct arena *a, const char *path, struct str body)
{
	struct doc_link *l, *m;
	struct buf out;

	buf_init(&out, a, (size_t)1 << 30);
	doc_respell(&out, a, body, keep_spelling, NULL);
	for (l = doc_links(a, body), m = doc_links(a, buf_view(&out)); l != NULL && m != NULL; l = l->next, m = m->next)
		if (!str_eq(l->spelling, m->spelling) || l->use != m->use || l->line != m->line)
			corpus_failure(&failures, path, "respelled links differ", arena_strndup(a, l->spelling.p, l->spelling.n),
			    arena_strndup(a, m->spelling.p, m->spelling.n));
	if (l != NULL || m != NULL)
		corpus_failure(&failures, path, "respelled links differ in number", NULL, NULL);
}

static int
check_page(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	struct arena *a;
	struct str body;
	struct doc *d, *e;
	const char *one, *two, *json;

	(void)st, (void)ftw;
	if (!corpus_is_page(path, type))
		return 0;
	pages++;
	a = arena_new((size_t)2 << 30);
	body = corpus_body(corpus_read(a, path));
	d = doc_parse(a, body, NULL, NULL, NULL);
	json = doc_text(a, d, true);
	one = markdown_of(a, d);
	e = parse(a, one);
	if (strcmp(doc_text(a, d, false), doc_text(a, e, false)) != 0)
		corpus_failure(&failures, path, "not the same tree again", doc_text(a, d, false), doc_text(a, e, false));
	two = markdown_of(a, e);
	if (strcmp(one, two) != 0)
		corpus_failure(&failures, path, "not the same Markdown again", one, two);
	e = read_back(a, json);
	if (e == NULL || strcmp(json, doc_text(a, e, true)) != 0)
		corpus_failure(&failures, path, "JSON does not read back", e == NULL ? NULL : json, e == NULL ? NULL : doc_text(a, e, true));
	check_blocks(a, path, body);
	check_written_back(a, path, body);
	check_links(a, path, body);
	arena_free(a);
	return 0;
}

static void
pages_of_the_corpus_round_trip(void **state)
{
	(void)state;
	corpus_pages(check_page);
	print_message("%zu pages, %zu failures\n", pages, failures);
	assert_true(pages > 1000);
	assert_int_equal(failures, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_of_the_corpus_round_trip),
	};

	return cmocka_run_group_tests(tests, corpus_start, corpus_end);
}
