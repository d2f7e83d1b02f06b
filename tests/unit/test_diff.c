/* Unified diffs: their form, round trips through patch and git, and bounded time for hostile texts. */
#include "../temp_dir.h"
#include "arena_fixture.h"
#include "merge_fixture.h"
#include "text/merge_text.h"

static struct str
diff(struct str from, struct str to, unsigned context)
{
	struct buf b;

	buf_init(&b, arena, (size_t)1 << 28);
	diff_unified(&b, arena, "a/page", "b/page", from, to, context);
	return buf_view(&b);
}

static void
expect(const char *from, const char *to, const char *want)
{
	struct str s = diff(str_of(from), str_of(to), 1);

	assert_string_equal(arena_strndup(arena, s.p, s.n), want);
}

static void
a_diff_has_the_unified_form(void **state)
{
	(void)state;
	expect("", "", "");
	expect("a\n", "a\n", "");
	expect("", "a\n", "--- a/page\n+++ b/page\n@@ -0,0 +1 @@\n+a\n");
	expect("a\nb\n", "", "--- a/page\n+++ b/page\n@@ -1,2 +0,0 @@\n-a\n-b\n");
	expect("a\nb\nc\nd\n", "a\nB\nc\nd\n", "--- a/page\n+++ b/page\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
	expect("a", "a\n", "--- a/page\n+++ b/page\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
	expect("a\nb", "A\nb", "--- a/page\n+++ b/page\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n");
	expect("a\r\n", "a\n", "--- a/page\n+++ b/page\n@@ -1 +1 @@\n-a\r\n+a\n");
	/* Changes two lines apart share a hunk; three lines apart they do not. */
	expect("a\nb\nc\nd\n", "A\nb\nc\nD\n", "--- a/page\n+++ b/page\n@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n-d\n+D\n");
	expect("a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n", "--- a/page\n+++ b/page\n"
	    "@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -4,2 +4,2 @@\n d\n-e\n+E\n");
	/* Where an added line equals its neighbour, the last one counts as added. */
	expect("a\n\nb\n\nc\n", "a\n\nb\n\nb\n\nc\n", "--- a/page\n+++ b/page\n@@ -4,2 +4,4 @@\n \n+b\n+\n c\n");
}

/* Two versions of a random text. */
static void
versions(uint64_t seed, struct str *from, struct str *to, unsigned *context)
{
	struct draft *d = arena_alloc(arena, sizeof(*d));
	struct rnd r = { seed };

	draft_new(d, arena, &r);
	*from = draft_text(d);
	*to = draft_edited(d, "new", &r);
	*context = rnd(&r, 5);
}

/* True if git's own diff is equal, without its first lines. */
static bool
git_agrees(const char *dir, struct str mine, unsigned context)
{
	struct str s = command(arena, arena_printf(arena, "cd %s && git diff --no-index --no-color --no-indent-heuristic "
	    "-U%u from to | sed 's/^\\(@@ [^@]*@@\\).*/\\1/' | tail -n +5", dir, context), NULL);
	const char *hunks = memmem(mine.p, mine.n, "@@", 2);

	return str_eq(s, (struct str){ hunks, mine.n - (size_t)(hunks - mine.p) });
}

static bool
applies(const char *dir, const char *how, struct str to)
{
	struct str s;
	int status;

	s = command(arena, arena_printf(arena, "cd %s && cp from page && %s <diff >/dev/null 2>&1 && cat page", dir, how),
	    &status);
	return status == 0 && str_eq(s, to);
}

static void
git_and_patch_apply_our_diffs(void **state)
{
	uint64_t seed, end = seeds(80, &seed);
	char dir[TEMP_MAX];
	bool git = have_program(arena, "git"), patch = have_program(arena, "patch"), ok = true;
	struct str from, to, d;
	unsigned context;

	(void)state;
	if (!git && !patch)
		skip();
	temp_dir(dir);
	for (; ok && seed < end; seed++) {
		versions(seed, &from, &to, &context);
		d = diff(from, to, context);
		if (d.n == 0 || from.n == 0 || to.n == 0)
			continue;  /* patch cannot apply a diff of an empty file */
		file_write(arena, dir, "from", from);
		file_write(arena, dir, "to", to);
		file_write(arena, dir, "diff", d);
		ok = (!patch || applies(dir, "patch --binary page", to)) &&
		    (!git || (applies(dir, "git apply --unidiff-zero --whitespace=nowarn", to) && git_agrees(dir, d, context)));
		if (!ok)
			print_error("OCTAVO_SEED=%llu: diff does not lead to the new text, or is not git's\n",
			    (unsigned long long)seed);
		arena_reset(arena);
	}
	remove_dir(arena, dir);
	assert_true(ok);
}

/* Repeated letters from an alphabet of this size, with random changes. */
static struct str
pattern(size_t bytes, uint32_t letters, uint64_t seed)
{
	struct rnd r = { seed };
	struct buf b;

	buf_init(&b, arena, (size_t)1 << 26);
	while (b.n < bytes)
		buf_printf(&b, letters < 27 ? "%c\n" : "%u\n", letters < 27 ? 'a' + (int)rnd(&r, letters)
		    : (int)rnd(&r, letters));
	return buf_view(&b);
}

/* Compares in both directions and merges; fails if that takes long. */
static void
expect_in_time(const char *what, struct str base, struct str ours, struct str theirs)
{
	double start = seconds(), merged;
	struct text_conflict *c;
	struct str out;

	merge_text(arena, base, ours, theirs, &out, &c);
	merged = seconds() - start;
	assert_true(diff(ours, theirs, 3).n > 0);
	if (getenv("OCTAVO_TIMES") != NULL)
		print_message("%s: merge %.3f s, diff %.3f s\n", what, merged, seconds() - start - merged);
	/* Well under a second each on an idle machine; sanitizers and busy machines need more. */
	assert_true(seconds() - start < 20);
	arena_reset(arena);
}

static struct str
repeat(const char *s, size_t n)
{
	struct buf b;

	buf_init(&b, arena, (size_t)1 << 26);
	while (n-- > 0)
		buf_str(&b, s);
	return buf_view(&b);
}

static void
hostile_texts_are_compared_in_time(void **state)
{
	/* Sanitizers take twice as long, and smaller texts suffice for them. */
#if defined(__SANITIZE_ADDRESS__)
	enum { SIZE = 1 << 20 };
#else
	enum { SIZE = 4 << 20 };
#endif

	(void)state;
	expect_in_time("equal lines", repeat("a\n", 100000), repeat("a\n", 100001), repeat("a\n", 99000));
	expect_in_time("empty lines", repeat("\n", SIZE), repeat("\n", SIZE - 5), repeat("\n", SIZE + 7));
	expect_in_time("few letters", pattern(SIZE, 3, 1), pattern(SIZE, 3, 2), pattern(SIZE, 3, 3));
	expect_in_time("numbers", pattern(SIZE, 1000, 1), pattern(SIZE, 1000, 2), pattern(SIZE, 1000, 3));
	expect_in_time("many numbers", pattern(SIZE, 500000, 1), pattern(SIZE, 500000, 2), pattern(SIZE, 500000, 3));
	expect_in_time("periods", repeat("a\nb\n", SIZE / 4), repeat("a\nb\na\n", SIZE / 6), repeat("b\na\n\n", SIZE / 5));
	expect_in_time("deletions", repeat("a\na\nb\n", SIZE / 6), repeat("a\n", SIZE / 2), repeat("a\nb\n", SIZE / 4));
	expect_in_time("one line", repeat("abcdefgh", SIZE / 8), repeat("abcdefghi", SIZE / 8), repeat("x", SIZE));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_diff_has_the_unified_form, set_up, tear_down),
		cmocka_unit_test_setup_teardown(git_and_patch_apply_our_diffs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_texts_are_compared_in_time, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
