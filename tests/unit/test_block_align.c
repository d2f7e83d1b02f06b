/*
 * Aligning the blocks of two versions, and keeping the spelling of unchanged blocks when a body
 * comes back rewritten.
 */
#include "arena_fixture.h"
#include "merge_fixture.h"
#include "edit/body_keep.h"
#include "markdown/blocks.h"
#include "text/merge_text.h"

/* The alignment as text: "0 1 - 2". */
static const char *
align(const char *old, const char *now)
{
	size_t n, m;
	struct doc_block *x = doc_blocks(arena, str_of(old), &n), *y = doc_blocks(arena, str_of(now), &m);
	ptrdiff_t *r = block_align(arena, x, n, y, m);
	struct buf b;

	buf_init(&b, arena, 1 << 20);
	for (size_t i = 0; i < m; i++) {
		buf_str(&b, i == 0 ? "" : " ");
		if (r[i] < 0)
			buf_char(&b, '-');
		else
			buf_int(&b, r[i]);
	}
	return b.p;
}

#define FOX "The quick brown fox jumps over the lazy dog near the river bank.\n\n"
#define WOLF "The quick brown wolf jumps over the lazy dog near the river bank.\n\n"
#define SHIP "Ships sail slowly across northern seas when autumn storms begin.\n\n"
#define TREE "Trees grow best where rain falls often and soil stays moist.\n\n"

static void
edited_blocks_are_aligned(void **state)
{
	(void)state;
	assert_string_equal(align("", ""), "");
	assert_string_equal(align("", FOX), "-");
	assert_string_equal(align(FOX, ""), "");
	assert_string_equal(align(FOX SHIP TREE, FOX SHIP TREE), "0 1 2");
	assert_string_equal(align(FOX SHIP, FOX TREE SHIP), "0 - 1");
	assert_string_equal(align(FOX TREE SHIP, FOX SHIP), "0 2");
	/* Edited, next to an insertion and a deletion. */
	assert_string_equal(align(FOX SHIP, TREE WOLF SHIP), "- 0 1");
	assert_string_equal(align(TREE FOX SHIP, WOLF SHIP), "1 2");
	assert_string_equal(align(TREE FOX, WOLF SHIP), "1 -");
	/* No common words, but the only block at its place, and of the same type. */
	assert_string_equal(align("# Intro\n\n" FOX, "# Introduction\n\n" FOX), "0 1");
	assert_string_equal(align("# Intro\n\n" FOX, "Introduction\n\n" FOX), "- 1");
	/* A paragraph changed into a heading. */
	assert_string_equal(align(SHIP "Getting started with tools\n\n" FOX, SHIP "## Getting started with tools\n\n" FOX),
	    "0 1 2");
	/* Equal blocks: an inserted equal block does not take the place of existing ones. */
	assert_string_equal(align(FOX SHIP FOX TREE, FOX FOX SHIP FOX TREE), "0 - 1 2 3");
	/* White space around a block does not belong to it. */
	assert_string_equal(align(FOX SHIP, "\n\n" FOX "\n\n" SHIP), "0 1");
	/* Scripts that do not separate words. */
	assert_string_equal(align("快速的棕色狐狸跳过懒狗\n\n树木生长\n",
	    "新的段落在这里写着\n\n快速的棕色狼跳过了懒狗\n\n树木\n"), "- 0 1");
}

/* The result is ascending, in range, and correct for unchanged blocks. */
static void
random_blocks_rise_and_match(void **state)
{
	static const char *const words[] = { "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta" };
	uint64_t seed, end = seeds(300, &seed);
	struct doc_block *x, *y;
	ptrdiff_t *r, last;
	size_t n, m, i, kept;
	struct rnd g;
	struct buf old, now, *one;

	(void)state;
	for (; seed < end; seed++) {
		g = (struct rnd){ seed };
		buf_init(&old, arena, 1 << 20);
		buf_init(&now, arena, 1 << 20);
		kept = rnd(&g, 20);
		for (i = 0; i < kept; i++) {
			buf_printf(&old, "Only once %zu %zu\n\n", i, i * 7);
			buf_printf(&now, "Only once %zu %zu\n\n", i, i * 7);
			for (uint32_t k = rnd(&g, 6); k > 0; k--) {
				one = rnd(&g, 2) == 0 ? &old : &now;
				for (uint32_t w = 1 + rnd(&g, 8); w > 0; w--)
					buf_printf(one, "%s ", words[rnd(&g, 8)]);
				buf_str(one, one == &old ? "before\n\n" : "after\n\n");
			}
		}
		x = doc_blocks(arena, buf_view(&old), &n);
		y = doc_blocks(arena, buf_view(&now), &m);
		r = block_align(arena, x, n, y, m);
		for (i = 0, last = -1; i < m; i++) {
			if (r[i] >= 0 && (r[i] <= last || (size_t)r[i] >= n))
				fail_msg("OCTAVO_SEED=%llu: block %zu is out of order", (unsigned long long)seed, i);
			last = r[i] >= 0 ? r[i] : last;
			if (str_starts(y[i].source, "Only once") && (r[i] < 0 || !str_eq(x[r[i]].source, y[i].source)))
				fail_msg("OCTAVO_SEED=%llu: block %zu lost its own", (unsigned long long)seed, i);
		}
		arena_reset(arena);
	}
}

static struct doc_block *
many_blocks(size_t n, uint64_t seed)
{
	struct doc_block *b = arena_array(arena, n, sizeof(*b));
	struct rnd g = { seed };

	for (size_t i = 0; i < n; i++) {
		b[i].source = str_of(arena_printf(arena, "word %u of %u in %u\n", rnd(&g, 50), rnd(&g, 1000), rnd(&g, 1000)));
		b[i].key = arena_printf(arena, "%zu", i);
		b[i].type = "paragraph";
	}
	return b;
}

static void
fifty_thousand_blocks_align_soon(void **state)
{
	enum { N = 50000 };
	double start = seconds();
	ptrdiff_t *r = block_align(arena, many_blocks(N, 1), N, many_blocks(N, 2), N), last = -1;
	struct doc_block one = { { NULL, 0 }, "k", "paragraph" };
	char *big = arena_alloc(arena, 4 << 20);

	(void)state;
	for (size_t i = 0; i < N; i++) {
		assert_true(r[i] == -1 || r[i] > last);
		last = r[i] == -1 ? last : r[i];
	}
	block_align(arena, many_blocks(N, 1), N, many_blocks(3, 2), 3);
	block_align(arena, many_blocks(3, 1), 3, many_blocks(N, 2), N);
	for (size_t i = 0; i < 4 << 20; i++)
		big[i] = i % 2 == 0 ? 'a' : ' ';
	one.source = (struct str){ big, 4 << 20 };
	assert_int_equal(block_align(arena, &one, 1, &one, 1)[0], 0);
	if (getenv("OCTAVO_TIMES") != NULL)
		print_message("many blocks: %.3f s\n", seconds() - start);
	assert_true(seconds() - start < 30);
}

static void
keeps(const char *old, const char *sent, const char *want)
{
	struct str s = body_keep(arena, str_of(old), NULL, str_of(sent), NULL);

	assert_string_equal(arena_strndup(arena, s.p, s.n), want);
}

static void
unchanged_blocks_keep_their_bytes(void **state)
{
	(void)state;
	keeps("", "a\n", "a\n");
	keeps("a\n", "", "");
	keeps("a\n", "a\n", "a\n");
	/* Only the style differs: the old bytes are kept, with blank lines and the end. */
	keeps("Title\n=====\n\n\n- a\n- b\n\n\nSome *text*", "# Title\n\n* a\n* b\n\nSome _text_\n",
	    "Title\n=====\n\n\n- a\n- b\n\n\nSome *text*");
	/* One paragraph edited: the other blocks keep their style, and blank lines stay with their block. */
	keeps("- a\n- b\n\n\n\nSome *text*\n\n\n- c\n- d\n", "* a\n* b\n\nSome _other_ text\n\n* c\n* d\n",
	    "- a\n- b\n\nSome _other_ text\n\n- c\n- d\n");
	/* One block with two nodes, which the client sends as two blocks. */
	keeps("x\n\nAbove:\n|a|b|\n|-|-|\n|1|2|\n\n- y\n", "x\n\nAbove:\n\n| a   | b   |\n| --- | --- |\n| 1   | 2   |\n\n* y and z\n",
	    "x\n\nAbove:\n|a|b|\n|-|-|\n|1|2|\n\n* y and z\n");
	keeps("Above:\n|a|b|\n|-|-|\n\nx\n", "Above all:\n\n| a   | b   |\n| --- | --- |\n\nx\n", "Above all:\n\n| a   | b   |\n| --- | --- |\n\nx\n");
	keeps("<img src=\"i.png\">\n9. a\n\nx\n", "<figure><img src=\"i.png\" alt=\"\"><figcaption></figcaption></figure>\n\n9\\. a\n\ny\n",
	    "<img src=\"i.png\">\n9. a\n\ny\n");
	/* The same with very many nodes. */
	keeps("x\n\n<div><p>a</p><p>b</p><p>c</p><p>d</p>\n<p>e</p><p>f</p><p>g</p><p>h</p></div>\n\nend\n",
	    "y\n\n<div>\n\na\n\nb\n\nc\n\nd\n\ne\n\nf\n\ng\n\nh\n\n</div>\n\nend\n",
	    "y\n\n<div><p>a</p><p>b</p><p>c</p><p>d</p>\n<p>e</p><p>f</p><p>g</p><p>h</p></div>\n\nend\n");
	/* A body without visible nodes: the client cannot send any of it. */
	keeps("[//]: # (a comment)\n", "", "[//]: # (a comment)\n");
	keeps("[//]: # (a comment)\n", "x\n", "x\n");
	/* Inserted at the front, deleted at the end. */
	keeps("a *b*\n\n\n\n- c\n\n\nlast\n\n\n", "New\n\na _b_\n\n* c\n", "New\n\na *b*\n\n\n\n- c\n");
	/* Line endings. */
	keeps("- a\r\n- b\r\n\r\ntext\r\n", "* a\n* b\n\nchanged\n", "- a\r\n- b\n\nchanged\n");
}

/* Keeping old bytes must not change the meaning of the new body. */
static void
kept_bytes_keep_the_meaning(void **state)
{
	(void)state;
	/* The client deleted a definition that a kept block needs. */
	keeps("See [x][r] *now*\n\nother\n\n[r]: https://a.example/\n", "See [x](https://a.example/) _now_\n\nchanged\n",
	    "See [x](https://a.example/) _now_\n\nchanged\n");
	/* The definition stays as long as the block before it stays. */
	keeps("See [x][r] *now*\n\nother\n\n[r]: https://a.example/\n", "See [x](https://a.example/) _now_\n\nother\n",
	    "See [x][r] *now*\n\nother\n\n[r]: https://a.example/\n");
	/* The same name with another target. */
	keeps("- a\n\nSee [x][r]\n\nother\n\n[r]: https://a.example/\n", "* a\n\nSee [x][r]\n\nother\n\n[r]: https://b.example/\n",
	    "- a\n\nSee [x][r]\n\nother\n\n[r]: https://b.example/\n");
	/* A paragraph directly above a table belongs to the table's block. */
	keeps("text\n\n| a |\n|---|\n| 1 |\n\nEnd\n===\n", "text\n| a |\n|---|\n| 1 |\n\n# End\n",
	    "text\n| a |\n|---|\n| 1 |\n\nEnd\n===\n");
	/* An underlined heading would absorb the line before it. */
	keeps("old\n\nTitle\n=====\n", "new\n# Title\n", "new\n# Title\n");
}

/* For very many blocks, the time is about that of parsing them. */
static void
many_blocks_are_kept_in_linear_time(void **state)
{
	double start = seconds();
	struct buf old, sent;

	(void)state;
	for (size_t n = 1000; n <= 100000; n *= 10) {
		buf_init(&old, arena, 1 << 22);
		buf_init(&sent, arena, 1 << 22);
		for (size_t i = 0; i < n; i++) {
			buf_str(&old, "- *a*\n\nb\n\n");
			buf_str(&sent, "* _a_\n\nb\n\n");
		}
		start = seconds();
		assert_true(str_eq(body_keep(arena, buf_view(&old), NULL, buf_view(&sent), NULL), buf_view(n < 10000 ? &old : &sent)));
		if (getenv("OCTAVO_TIMES") != NULL)
			print_message("%zu blocks: %.3f s\n", n * 2, seconds() - start);
		assert_true(seconds() - start < 30);
	}
}

/* The body as the serialiser writes it. */
static const char *
meaning(struct str body)
{
	struct buf b;

	buf_init(&b, arena, 1 << 24);
	doc_markdown(&b, doc_parse(arena, body, NULL, NULL, NULL), NULL);
	return b.p;
}

/* A block in one of many forms; N in the form becomes a small number. */
static const char *
random_block(struct rnd *g)
{
	static const char *const forms[] = { "- aN\n- *b*\n", "* aN\n* _b_\n", "1) oneN\n2) two\n", "Title N\n=====\n",
		"# Title N\n", "text [x][rN]\n", "text [y](https://a.example/N)\n", "[rN]: https://b.example/\n",
		"```\ncodeN\n", "~~~\ncodeN\n~~~\n", "    indentedN\n", "> quote N\nlazy\n", "***\nrule N\n",
		"{% hint style=\"info\" %}\nhint N\n{% endhint %}\n", "note [^N]\n", "[^N]: the note\n",
		"| a | bN |\n|---|---|\n| 1 | 2 |\n", "<details>\n\n<summary>sN</summary>\n\nbody\n\n</details>\n",
		"{% endhint %} N\n", "Title N\n-----\n" };
	char *text = arena_strdup(arena, forms[rnd(g, sizeof(forms) / sizeof(*forms))]);

	*strchr(text, 'N') = (char)('0' + rnd(g, 3));
	return text;
}

static struct str
random_body(struct rnd *g, const char **blocks, size_t n)
{
	struct buf b;

	buf_init(&b, arena, 1 << 20);
	for (size_t i = 0; i < n; i++) {
		buf_str(&b, blocks[i]);
		for (uint32_t k = rnd(g, 8) == 0 ? 0 : 1 + rnd(g, 2); k > 0; k--)
			buf_char(&b, '\n');
	}
	return buf_view(&b);
}

/* Random mixtures of blocks, as typed or as serialised: the result has the meaning of the new body. */
static void
random_bodies_keep_their_meaning(void **state)
{
	uint64_t seed, end = seeds(1000, &seed);
	const char *blocks[12];
	struct str old, sent, now;
	struct rnd g;
	size_t n, i;

	(void)state;
	for (; seed < end; seed++) {
		g = (struct rnd){ seed };
		n = 1 + rnd(&g, 12);
		for (i = 0; i < n; i++)
			blocks[i] = random_block(&g);
		old = random_body(&g, blocks, n);
		for (uint32_t k = rnd(&g, 4); k > 0; k--)
			blocks[rnd(&g, (uint32_t)n)] = random_block(&g);
		sent = rnd(&g, 2) == 0 ? str_of(meaning(random_body(&g, blocks, n))) : random_body(&g, blocks, n);
		now = body_keep(arena, old, NULL, sent, NULL);
		if (strcmp(meaning(now), meaning(sent)) != 0)
			fail_msg("OCTAVO_SEED=%llu: another meaning\n--- old\n%.*s--- sent\n%.*s--- kept\n%.*s---",
			    (unsigned long long)seed, (int)old.n, old.p, (int)sent.n, sent.p, (int)now.n, now.p);
		arena_reset(arena);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(edited_blocks_are_aligned, set_up, tear_down),
		cmocka_unit_test_setup_teardown(random_blocks_rise_and_match, set_up, tear_down),
		cmocka_unit_test_setup_teardown(fifty_thousand_blocks_align_soon, set_up, tear_down),
		cmocka_unit_test_setup_teardown(unchanged_blocks_keep_their_bytes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(kept_bytes_keep_the_meaning, set_up, tear_down),
		cmocka_unit_test_setup_teardown(many_blocks_are_kept_in_linear_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(random_bodies_keep_their_meaning, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
