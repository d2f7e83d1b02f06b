/*
 * Every page of the corpus: Markdown -> tree -> Markdown is a fixpoint, JSON
 * reads back, blocks cover the body, and every link is found where it stands.
 */
#include <ftw.h>
#include <limits.h>
#include <unistd.h>

#include "../temp_dir.h"
#include "doc_fixture.h"
#include "edit/body_keep.h"

static char   temp[TEMP_MAX];
static size_t pages, failures;

static void
failure(const char *path, const char *what, const char *a, const char *b)
{
	size_t i = 0;

	if (++failures > 20)
		return;
	while (a != NULL && a[i] != '\0' && a[i] == b[i])
		i++;
	i = i > 120 ? i - 120 : 0;
	print_error("%s: %s\n", path, what);
	if (a != NULL)
		print_error("  < %.300s\n  > %.300s\n", a + i, b + i);
}

static struct str
slurp(struct arena *a, const char *path)
{
	FILE *f = fopen(path, "rb");
	struct buf b;
	char chunk[65536];
	size_t n;

	buf_init(&b, a, (size_t)1 << 30);
	while (f != NULL && (n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_add(&b, chunk, n);
	if (f != NULL)
		fclose(f);
	return buf_view(&b);
}

/* The page without its frontmatter. */
static struct str
body_of(struct str s)
{
	const char *end;

	if (s.n < 8 || memcmp(s.p, "---\n", 4) != 0)
		return s;
	end = strstr(s.p + 3, "\n---\n");
	return end == NULL ? s : str_slice(s, (size_t)(end + 5 - s.p), s.n);
}

static void
check_blocks(struct arena *a, const char *path, struct str body)
{
	size_t n, at = 0;
	struct doc_block *b = doc_blocks(a, body, &n);

	for (size_t i = 0; i < n; i++) {
		if (b[i].source.p != body.p + at)
			failure(path, "blocks leave a gap", NULL, NULL);
		at += b[i].source.n;
	}
	if (at != body.n)
		failure(path, "blocks do not cover the body", NULL, NULL);
}

/* A client that reads a page as a document and sends it back as it is changes no byte. */
static void
check_written_back(struct arena *a, const char *path, struct str body)
{
	struct doc *d = read_back(a, doc_text(a, doc_parse(a, body, NULL, NULL, NULL), true));
	struct str now;

	if (d == NULL)
		return;
	now = body_keep(a, body, NULL, str_of(markdown_of(a, d)), NULL);
	if (!str_eq(now, body))
		failure(path, "the document as read, written back, changes the page",
		    arena_strndup(a, body.p, body.n), arena_strndup(a, now.p, now.n));
}

static bool
keep_spelling(void *ctx, const struct doc_link *l, struct buf *out)
{
	(void)ctx;
	buf_put(out, l->spelling);
	return true;
}

/* Replacing every spelling by itself must give a body that reads the same. */
static void
check_links(struct arena *a, const char *path, struct str body)
{
	struct doc_link *l, *m;
	struct buf out;

	buf_init(&out, a, (size_t)1 << 30);
	doc_respell(&out, a, body, keep_spelling, NULL);
	for (l = doc_links(a, body), m = doc_links(a, buf_view(&out)); l != NULL && m != NULL; l = l->next, m = m->next)
		if (!str_eq(l->spelling, m->spelling) || l->use != m->use || l->line != m->line)
			failure(path, "respelled links differ", arena_strndup(a, l->spelling.p, l->spelling.n),
			    arena_strndup(a, m->spelling.p, m->spelling.n));
	if (l != NULL || m != NULL)
		failure(path, "respelled links differ in number", NULL, NULL);
}

static int
check_page(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	struct arena *a;
	struct str body;
	struct doc *d, *e;
	const char *one, *two, *json;

	(void)st, (void)ftw;
	if (type != FTW_F || strlen(path) < 4 || strcmp(path + strlen(path) - 3, ".md") != 0 ||
	    strstr(path, "SUMMARY.md") != NULL)
		return 0;
	pages++;
	a = arena_new((size_t)2 << 30);
	body = body_of(slurp(a, path));
	d = doc_parse(a, body, NULL, NULL, NULL);
	json = doc_text(a, d, true);
	one = markdown_of(a, d);
	e = parse(a, one);
	if (strcmp(doc_text(a, d, false), doc_text(a, e, false)) != 0)
		failure(path, "not the same tree again", doc_text(a, d, false), doc_text(a, e, false));
	two = markdown_of(a, e);
	if (strcmp(one, two) != 0)
		failure(path, "not the same Markdown again", one, two);
	e = read_back(a, json);
	if (e == NULL || strcmp(json, doc_text(a, e, true)) != 0)
		failure(path, "JSON does not read back", e == NULL ? NULL : json, e == NULL ? NULL : doc_text(a, e, true));
	check_blocks(a, path, body);
	check_written_back(a, path, body);
	check_links(a, path, body);
	arena_free(a);
	return 0;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static void
test_corpus(void **state)
{
	static const char *const names[] = { "fluentd", "gl-sdk", "predicthq", "public-docs", "sunrise" };
	const char *dir = getenv("OCTAVO_CORPUS");
	char command[PATH_MAX * 3];

	(void)state;
	if (dir == NULL)
		dir = "../shared/corpus";
	if (access(dir, R_OK) != 0)
		skip();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(command, sizeof(command), "git clone -q '%s/%s.bundle' '%s/%s'", dir, names[i], temp, names[i]);
		assert_int_equal(system(command), 0);
	}
	nftw(temp, check_page, 16, FTW_PHYS);
	print_message("%zu pages, %zu failures\n", pages, failures);
	assert_true(pages > 1000);
	assert_int_equal(failures, 0);
}

static int
setup(void **state)
{
	(void)state;
	temp_dir(temp);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	return nftw(temp, remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_corpus),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
