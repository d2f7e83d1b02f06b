/*
 * Repositories of real documentation, for tests that read pages written by people. They are bundles
 * beside the checkout (../shared/corpus, or OCTAVO_CORPUS); where they are missing, corpus_bundle()
 * prints that and the test skips itself.
 *
 * A test of all pages calls corpus_start() in its setup, corpus_pages() for the walk and
 * corpus_end() in its teardown. It reports failures with corpus_failure(), which prints the first
 * twenty, each from the place where the two texts begin to differ.
 */
#ifndef OCTAVO_TEST_CORPUS_FIXTURE_H
#define OCTAVO_TEST_CORPUS_FIXTURE_H

#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../temp_dir.h"
#include "base/buf.h"

static const char *const corpus_names[] = { "fluentd", "gl-sdk", "predicthq", "public-docs", "sunrise" };

static char corpus_temp[TEMP_MAX];

/* The bundle's real path, which the caller frees; NULL: the bundle is missing. */
static inline char *
corpus_bundle(const char *name)
{
	const char *dir = getenv("OCTAVO_CORPUS");
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s.bundle", dir != NULL ? dir : "../shared/corpus", name);
	return realpath(path, NULL);
}

/* Clones the bundle into the directory `to`, which must not exist; false: the bundle is missing. */
static inline bool
corpus_clone(const char *name, const char *to)
{
	char *bundle = corpus_bundle(name), command[PATH_MAX * 3];

	if (bundle == NULL)
		return false;
	snprintf(command, sizeof(command), "git clone -q '%s' '%s'", bundle, to);
	free(bundle);
	assert_int_equal(system(command), 0);
	return true;
}

/* The bytes of a file, followed by a NUL; "" if it cannot be read. */
static inline struct str
corpus_read(struct arena *a, const char *path)
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
	buf_str(&b, "");
	return buf_view(&b);
}

/* The page without its frontmatter. */
static inline struct str
corpus_body(struct str s)
{
	const char *end;

	if (!str_starts(s, "---\n") || (end = strstr(s.p + 3, "\n---\n")) == NULL)
		return s;
	return str_slice(s, (size_t)(end + 5 - s.p), s.n);
}

/* True for a page; false for a folder, an asset or a table of contents. */
static inline bool
corpus_is_page(const char *path, int type)
{
	size_t n = strlen(path);

	return type == FTW_F && n > 3 && strcmp(path + n - 3, ".md") == 0 && strstr(path, "SUMMARY.md") == NULL;
}

/* Clones all bundles and calls one() for each file; skips the test if there is no corpus. */
static inline void
corpus_pages(__nftw_func_t one)
{
	char to[PATH_MAX];
	size_t i;

	for (i = 0; i < sizeof(corpus_names) / sizeof(*corpus_names); i++) {
		snprintf(to, sizeof(to), "%s/%s", corpus_temp, corpus_names[i]);
		if (!corpus_clone(corpus_names[i], to))
			skip();
	}
	assert_int_equal(nftw(corpus_temp, one, 16, FTW_PHYS), 0);
}

static inline int
corpus_start(void **state)
{
	(void)state;
	temp_dir(corpus_temp);
	return 0;
}

static inline int
corpus_remove(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static inline int
corpus_end(void **state)
{
	(void)state;
	return nftw(corpus_temp, corpus_remove, 16, FTW_PHYS | FTW_DEPTH);
}

/* Prints what failed for the file, and both texts (NULL: none) from shortly before their first difference. */
static inline void
corpus_failure(size_t *failures, const char *path, const char *what, const char *a, const char *b)
{
	size_t i = 0;

	if (++*failures > 20)
		return;
	while (a != NULL && b != NULL && a[i] != '\0' && a[i] == b[i])
		i++;
	i = i > 120 ? i - 120 : 0;
	print_error("%s: %s\n", path, what);
	if (a != NULL && b != NULL)
		print_error("  < %.300s\n  > %.300s\n", a + i, b + i);
}

#endif
