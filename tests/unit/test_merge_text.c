/* Three-way merge of texts: invariants on random edits, and comparison with git merge-file. */
#include "../temp_dir.h"
#include "arena_fixture.h"
#include "merge_fixture.h"
#include "text/merge_text.h"

/* One random case. */
struct triple {
	struct draft *draft;
	struct str    base, ours, theirs;
};

static struct triple
triple(uint64_t seed)
{
	struct rnd r = { seed };
	struct triple t = { arena_alloc(arena, sizeof(*t.draft)), { NULL, 0 }, { NULL, 0 }, { NULL, 0 } };

	draft_new(t.draft, arena, &r);
	t.base = draft_text(t.draft);
	t.ours = draft_edited(t.draft, "ours", &r);
	t.theirs = draft_edited(t.draft, "theirs", &r);
	return t;
}

static bool
merge(const struct triple *t, struct str *out, struct text_conflict **c)
{
	return merge_text(arena, t->base, t->ours, t->theirs, out, c);
}

static struct str
text(const char *s)
{
	return str_of(s);
}

static void
expect(const char *base, const char *ours, const char *theirs, const char *merged)
{
	struct text_conflict *c;
	struct str out;

	assert_true(merge_text(arena, text(base), text(ours), text(theirs), &out, &c));
	assert_null(c);
	assert_string_equal(arena_strndup(arena, out.p, out.n), merged);
}

static void
both_ways(const char *base, const char *one, const char *other, const char *merged)
{
	expect(base, one, other, merged);
	expect(base, other, one, merged);
}

static struct text_conflict *
expect_conflict(const char *base, const char *ours, const char *theirs, const char *merged)
{
	struct text_conflict *c;
	struct str out;

	assert_false(merge_text(arena, text(base), text(ours), text(theirs), &out, &c));
	assert_non_null(c);
	assert_string_equal(arena_strndup(arena, out.p, out.n), merged);
	for (const struct text_conflict *one = c; one != NULL; one = one->next)
		assert_true(str_starts(str_slice(out, one->at, out.n), arena_strndup(arena, one->ours.p, one->ours.n)));
	return c;
}

static void
both_versions_of_a_place_follow_each_other(void **state)
{
	(void)state;
	assert_string_equal(merge_both(arena, text("One.\n"), text("Two.\n")).p, "One.\n\nTwo.\n");
	assert_string_equal(merge_both(arena, text("One."), text("Two.")).p, "One.\n\nTwo.");
	assert_string_equal(merge_both(arena, text("* a\n"), text("* b\n")).p, "* a\n* b\n");
	assert_string_equal(merge_both(arena, text("| a |\n"), text("| b |\n")).p, "| a |\n| b |\n");
	assert_string_equal(merge_both(arena, text(""), text("b\n")).p, "b\n");
}

static void
edits_apart_merge_clean(void **state)
{
	(void)state;
	expect("", "", "", "");
	expect("", "a\n", "", "a\n");
	expect("", "a\n", "a\n", "a\n");
	expect("a\n", "", "", "");
	expect("a\n", "", "a\n", "");
	expect("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n");
	expect("a\nb\nc\n", "A\nb\nC\n", "A\nb\nc\n", "A\nb\nC\n");
	expect("a\nb\nc\nd\n", "b\nc\nd\n", "a\nb\nc\nd\ne\n", "b\nc\nd\ne\n");
	expect("a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC");
	expect("a\nb\nc", "A\nb\nc", "a\nb\nc\n", "A\nb\nc\n");
	expect("a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n", "A\r\nb\r\nC\r\n");
	expect("a\nb\nc\n", "a\r\nb\nc\n", "a\nb\nc\r\n", "a\r\nb\nc\r\n");
}

/* Items or rows that both sides add to one list or table at one place are both kept, main's first. */
static void
items_and_rows_added_by_both_sides_are_kept(void **state)
{
	struct text_conflict *c;
	const char *table = "| a |\n| - |\n| 1 |\n";

	(void)state;
	expect("- a\n\nend\n", "- a\n- b\n\nend\n", "- a\n- c\n\nend\n", "- a\n- c\n- b\n\nend\n");
	expect("- a\n- z\n", "- a\n- b\n- z\n", "- a\n- c\n- z\n", "- a\n- c\n- b\n- z\n");
	expect("1. a\n", "1. a\n2. b\n   more\n", "1. a\n2. c\n", "1. a\n2. c\n2. b\n   more\n");
	expect("* a\n\n* z\n", "* a\n\n* z\n\n* b\n", "* a\n\n* z\n\n* c\n", "* a\n\n* z\n\n* c\n\n* b\n");
	expect(table, "| a |\n| - |\n| 1 |\n| 2 |\n", "| a |\n| - |\n| 1 |\n| 3 |\n",
	    "| a |\n| - |\n| 1 |\n| 3 |\n| 2 |\n");
	expect(table, "| a |\n| - |\n| 2 |\n| 1 |\n", "| a |\n| - |\n| 3 |\n| 1 |\n",
	    "| a |\n| - |\n| 3 |\n| 2 |\n| 1 |\n");
	/* New lists, new tables, code, items of different lists, and the same item are conflicts. */
	c = expect_conflict("a\n", "a\n- b\n", "a\n- c\n", "a\n- b\n");
	assert_int_equal(c->base.n, 0);
	expect_conflict("a\n\n", "a\n\n| b |\n| - |\n", "a\n\n| c |\n| - |\n", "a\n\n| b |\n| - |\n");
	expect_conflict("```\n- a\n```\n", "```\n- a\n- b\n```\n", "```\n- a\n- c\n```\n", "```\n- a\n- b\n```\n");
	/* A fence is closed only by the same kind, at least as long, with nothing after it. */
	expect_conflict("````\n```\n- a\n````\n", "````\n```\n- a\n- b\n````\n", "````\n```\n- a\n- c\n````\n",
	    "````\n```\n- a\n- b\n````\n");
	expect_conflict("~~~\n```\n- a\n~~~\n", "~~~\n```\n- a\n- b\n~~~\n", "~~~\n```\n- a\n- c\n~~~\n",
	    "~~~\n```\n- a\n- b\n~~~\n");
	expect_conflict("```\n```sh\n- a\n```\n", "```\n```sh\n- a\n- b\n```\n", "```\n```sh\n- a\n- c\n```\n",
	    "```\n```sh\n- a\n- b\n```\n");
	expect("```a``` b\n\n- a\n", "```a``` b\n\n- a\n- b\n", "```a``` b\n\n- a\n- c\n",
	    "```a``` b\n\n- a\n- c\n- b\n");
	expect_conflict("- a\n", "- a\n- b\n", "- a\n* c\n", "- a\n- b\n");
	expect_conflict("- a\n", "- a\n- b\n- c\n", "- a\n- d\n- b\n", "- a\n- b\n- c\n");
	expect_conflict("- a\n", "- a\n- b\n", "- a\n\ntext\n", "- a\n- b\n");
	expect_conflict("- a\n", "- b\n", "- c\n", "- b\n");
}

/* Parts of one block changed by different sides are merged, even in adjacent lines. */
static void
pieces_of_a_block_merge(void **state)
{
	static const char tabs[] = "{% tabs %}\n{% tab title=\"A\" %}\na\n{% endtab %}\n{% endtabs %}\n";
	static const char cards[] = "<table data-view=\"cards\"><tbody><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></tbody></table>\n";

	(void)state;
	expect("- a\n- b\n- c\n", "- A\n- b\n- c\n", "- a\n- B\n- c\n", "- A\n- B\n- c\n");
	expect("- a\n- b\n", "- a\n- x\n- b\n", "- a\n- B\n", "- a\n- x\n- B\n");
	expect("- a\n- b\n- c\n", "- a\n- c\n", "- a\n- b\n- C\n", "- a\n- C\n");
	expect("| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |\n", "| a | b |\n| - | - |\n| 1 | 2! |\n| 3 | 4 |\n",
	    "| a | b |\n| - | - |\n| 1! | 2 |\n| 3! | 4 |\n", "| a | b |\n| - | - |\n| 1! | 2! |\n| 3! | 4 |\n");
	/* A new column and an edited cell. */
	expect("| a |\n| - |\n| 1 |\n", "| a | b |\n| - | - |\n| 1 | 2 |\n", "| a |\n| - |\n| 1! |\n",
	    "| a | b |\n| - | - |\n| 1! | 2 |\n");
	expect(tabs, "{% tabs %}\n{% tab title=\"A\" %}\na\n{% endtab %}\n\n{% tab title=\"B\" %}\nb\n{% endtab %}\n{% endtabs %}\n",
	    "{% tabs %}\n{% tab title=\"A\" %}\na\n{% endtab %}\n\n{% tab title=\"C\" %}\nc\n{% endtab %}\n{% endtabs %}\n",
	    "{% tabs %}\n{% tab title=\"A\" %}\na\n{% endtab %}\n\n{% tab title=\"C\" %}\nc\n{% endtab %}\n\n{% tab title=\"B\" %}\nb\n{% endtab %}\n{% endtabs %}\n");
	expect(cards, "<table data-view=\"cards\"><tbody><tr><td>a</td><td>b!</td></tr><tr><td>c</td><td>d</td></tr><tr><td>e</td></tr></tbody></table>\n",
	    "<table data-view=\"cards\"><tbody><tr><td>a!</td><td>b</td></tr><tr><td>c!</td><td>d</td></tr><tr><td>f</td></tr></tbody></table>\n",
	    "<table data-view=\"cards\"><tbody><tr><td>a!</td><td>b!</td></tr><tr><td>c!</td><td>d</td></tr><tr><td>f</td></tr><tr><td>e</td></tr></tbody></table>\n");
	/*
	 * Conflicts: edits of one cell or one item, an edit of something deleted, a new column and
	 * a new row, two new columns.
	 */
	expect_conflict("| 1 |\n| 2 |\n", "| 1! |\n| 2 |\n", "| 1? |\n| 2 |\n", "| 1! |\n| 2 |\n");
	expect_conflict("- a\n- b\n", "- A\n- b\n", "- x\n- B\n", "- A\n- b\n");
	expect_conflict("- a\n- b\n", "- b\n", "- A\n- b\n", "- b\n");
	expect_conflict("| a |\n| - |\n| 1 |\n", "| a | b |\n| - | - |\n| 1 | 2 |\n", "| a |\n| - |\n| 1 |\n| 9 |\n",
	    "| a | b |\n| - | - |\n| 1 | 2 |\n");
	expect_conflict("| a |\n| - |\n", "| a | b |\n| - | - |\n", "| a | c |\n| - | - |\n", "| a | b |\n| - | - |\n");
	expect_conflict("```\n| 1 | 2 |\n```\n", "```\n| 1! | 2 |\n```\n", "```\n| 1 | 2! |\n```\n", "```\n| 1! | 2 |\n```\n");
	expect_conflict(tabs, "{% tabs %}\n{% tab title=\"A\" %}\na\n{% endtab %}\n{% tab title=\"B\" %}\n{% endtabs %}\n",
	    "{% tabs %}\n{% tab title=\"A\" %}\na\n{% endtab %}\n\n{% tab title=\"C\" %}\nc\n{% endtab %}\n{% endtabs %}\n",
	    "{% tabs %}\n{% tab title=\"A\" %}\na\n{% endtab %}\n{% tab title=\"B\" %}\n{% endtabs %}\n");
}

/* One side moved a paragraph that the other edited: it is edited at its new place. */
static void
an_edit_follows_a_moved_paragraph(void **state)
{
	(void)state;
	expect("The first paragraph.\n\nThe second one here.\n\nThe third is long.\n\nThe last of them.\n",
	    "The second one here.\n\nThe third is long.\n\nThe last of them.\n\nThe first paragraph.\n",
	    "The first paragraph, edited.\n\nThe second one here.\n\nThe third is long.\n\nThe last of them.\n",
	    "The second one here.\n\nThe third is long.\n\nThe last of them.\n\nThe first paragraph, edited.\n");
	expect("The first paragraph.\n\nThe second one here.\n\nThe third is long.\n\nThe last of them.\n",
	    "The first paragraph.\n\nThe second one here, twice.\nAnd more.\n\nThe third is long.\n\nThe last of them.\n",
	    "The second one here.\n\nThe first paragraph.\n\nThe third is long.\n\nThe last of them!\n",
	    "The second one here, twice.\nAnd more.\n\nThe first paragraph.\n\nThe third is long.\n\nThe last of them!\n");
	/* Items and rows, even if the other side also edited their neighbours. */
	expect("- alpha\n- beta\n- gamma\n- delta\n", "- beta\n- gamma\n- delta\n- alpha\n",
	    "- alpha!\n- beta\n- gamma\n- delta\n", "- beta\n- gamma\n- delta\n- alpha!\n");
	expect("- alpha\n- beta\n- gamma\n- delta\n", "- beta\n- gamma\n- delta\n- alpha\n",
	    "- alpha!\n- beta!\n- gamma\n- delta\n", "- beta!\n- gamma\n- delta\n- alpha!\n");
	expect("| a | b |\n| - | - |\n| one | 1 |\n| two | 2 |\n| three | 3 |\n",
	    "| a | b |\n| - | - |\n| two | 2 |\n| three | 3 |\n| one | 1 |\n",
	    "| a | b |\n| - | - |\n| one | 1! |\n| two | 2 |\n| three | 3 |\n",
	    "| a | b |\n| - | - |\n| two | 2 |\n| three | 3 |\n| one | 1! |\n");
	/* A change of indentation is an edit. */
	expect_conflict("- alpha\n- beta item\n- gamma\n", "- alpha\n  - beta item\n- gamma\n", "- alpha\n- beta item!\n- gamma\n",
	    "- alpha\n  - beta item\n- gamma\n");
	/* A section with its heading. */
	expect("# T\n\n## First part\n\nText of the first.\n\n## Second part\n\nText of the second.\n\nThe end of it.\n",
	    "# T\n\n## Second part\n\nText of the second.\n\nThe end of it.\n\n## First part\n\nText of the first.\n",
	    "# T\n\n## The first part\n\nText of the first!\n\n## Second part\n\nText of the second.\n\nThe end of it.\n",
	    "# T\n\n## Second part\n\nText of the second.\n\nThe end of it.\n\n## The first part\n\nText of the first!\n");
	/* Both sides edited it. */
	expect_conflict("The first paragraph.\n\nThe second one here.\n\nThe third is long.\n",
	    "The second one here.\n\nThe third is long.\n\nThe first paragraph, moved.\n",
	    "The first paragraph, edited.\n\nThe second one here.\n\nThe third is long.\n",
	    "The second one here.\n\nThe third is long.\n\nThe first paragraph, moved.\n");
}

#define SECTION_A "## A\n\n```\na\n\nvery much code of a\n```\n\n"
#define SECTION_B "## B\n\nOne\n\ntwo\n\nthree\n\nfour of b.\n\n"
#define SECTION_C "## C\n\nSome\n\nmore\n\ntext\n\nof c.\n\n"

/*
 * A block that both sides moved occurs once: at the first of the two places, or at the one where
 * text was added next to it. A block that one side moved and the other deleted stays.
 */
static void
a_paragraph_moved_by_both_sides_occurs_once(void **state)
{
	const char *base = "Paragraph one here.\n\nParagraph two here.\n\nParagraph three here.\n\n"
	    "Paragraph four here.\n\nParagraph five here.\n";
	const char *second = "Paragraph two here.\n\nParagraph one here.\n\nParagraph three here.\n\n"
	    "Paragraph four here.\n\nParagraph five here.\n";
	const char *fourth = "Paragraph two here.\n\nParagraph three here.\n\nParagraph four here.\n\n"
	    "Paragraph one here.\n\nParagraph five here.\n";

	(void)state;
	both_ways(base, second, fourth, second);
	both_ways("- item 1\n- item 2\n- item 3\n- item 4\n- item 5\n",
	    "- item 2\n- item 3\n- item 1\n- item 4\n- item 5\n",
	    "- item 2\n- item 3\n- item 4\n- item 5\n- item 1\n",
	    "- item 2\n- item 3\n- item 1\n- item 4\n- item 5\n");
	both_ways("| a | b |\n| - | - |\n| one | 1 |\n| two | 2 |\n| three | 3 |\n",
	    "| a | b |\n| - | - |\n| two | 2 |\n| one | 1 |\n| three | 3 |\n",
	    "| a | b |\n| - | - |\n| two | 2 |\n| three | 3 |\n| one | 1 |\n",
	    "| a | b |\n| - | - |\n| two | 2 |\n| one | 1 |\n| three | 3 |\n");
	/* A section moves with its short and blank lines. */
	both_ways("# T\n\n" SECTION_A SECTION_B SECTION_C "## D\n", "# T\n\n" SECTION_B SECTION_A SECTION_C "## D\n",
	    "# T\n\n" SECTION_B SECTION_C SECTION_A "## D\n", "# T\n\n" SECTION_B SECTION_A SECTION_C "## D\n");
	/* Only one side changed the text next to it: that side's place is used. */
	both_ways(base, second, "Paragraph two here.\n\nParagraph three here.\n\nParagraph four here.\n\n"
	    "Paragraph five here!\n\nParagraph one here.\n",
	    "Paragraph two here.\n\nParagraph three here.\n\nParagraph four here.\n\n"
	    "Paragraph five here!\n\nParagraph one here.\n");
	/* Both sides added text next to it: both places are kept. */
	both_ways(base, "Paragraph two here.\n\nParagraph three here.\n\nParagraph one here.\n\nMine.\n\n"
	    "Paragraph four here.\n\nParagraph five here.\n",
	    "Paragraph two here.\n\nParagraph three here.\n\nParagraph four here.\n\nTheirs.\n\n"
	    "Paragraph one here.\n\nParagraph five here.\n",
	    "Paragraph two here.\n\nParagraph three here.\n\nParagraph one here.\n\nMine.\n\n"
	    "Paragraph four here.\n\nTheirs.\n\nParagraph one here.\n\nParagraph five here.\n");
	/* Copied by both sides, or copied by one and moved by the other: both places are kept. */
	both_ways("Paragraph one here.\n\nA.\n\nB.\n\nC.\n", "Paragraph one here.\n\nA.\n\nParagraph one here.\n\nB.\n\nC.\n",
	    "A.\n\nB.\n\nParagraph one here.\n\nC.\n",
	    "A.\n\nParagraph one here.\n\nB.\n\nParagraph one here.\n\nC.\n");
	both_ways("A.\n\nB.\n\nC.\n", "A.\n\nParagraph one here.\n\nB.\n\nC.\n", "A.\n\nB.\n\nParagraph one here.\n\nC.\n",
	    "A.\n\nParagraph one here.\n\nB.\n\nParagraph one here.\n\nC.\n");
	/* The base has the same words twice, so it is unknown which one was moved. */
	both_ways("Words like these.\n\nA.\n\nWords like these.\n\nB.\n\nC.\n\nD.\n\nE.\n",
	    "Words like these.\n\nA.\n\nB.\n\nC.\n\nWords like these.\n\nD.\n\nE.\n",
	    "Words like these.\n\nA.\n\nB.\n\nC.\n\nD.\n\nWords like these.\n\nE.\n",
	    "Words like these.\n\nA.\n\nB.\n\nC.\n\nWords like these.\n\nD.\n\nWords like these.\n\nE.\n");
	/* Moved by one side, deleted by the other. */
	both_ways(base, "Paragraph two here.\n\nParagraph three here.\n\nParagraph four here.\n\nParagraph five here.\n",
	    fourth, fourth);
	both_ways("- item 1\n- item 2\n- item 3\n", "- item 2\n- item 3\n", "- item 2\n- item 3\n- item 1\n",
	    "- item 2\n- item 3\n- item 1\n");
}

static void
edits_of_one_line_conflict(void **state)
{
	struct text_conflict *c;

	(void)state;
	c = expect_conflict("a\nb\nc\n", "a\nB\nc\n", "a\nbb\nc\n", "a\nB\nc\n");
	assert_true(str_is(c->base, "b\n") && str_is(c->ours, "B\n") && str_is(c->theirs, "bb\n"));
	assert_int_equal(c->line, 2);
	assert_null(c->next);
	/* Adjacent changes. */
	c = expect_conflict("a\nb\nc\n", "A\nb\nc\n", "a\nB\nc\n", "A\nb\nc\n");
	assert_true(str_is(c->base, "a\nb\n") && str_is(c->ours, "A\nb\n") && str_is(c->theirs, "a\nB\n"));
	/* Deleted by one side and edited by the other, next to a change that can be merged. */
	c = expect_conflict("a\nb\nc\nd\n", "a\nc\nd\n", "a\nB\nc\nD\n", "a\nc\nD\n");
	assert_true(str_is(c->base, "b\n") && str_is(c->ours, "") && str_is(c->theirs, "B\n"));
	/* Both sides append. */
	c = expect_conflict("a\n", "a\nb\n", "a\nc\n", "a\nb\n");
	assert_true(str_is(c->base, "") && str_is(c->ours, "b\n") && str_is(c->theirs, "c\n"));
	assert_int_equal(c->line, 2);
	/* The final newline. */
	c = expect_conflict("a\nb", "a\nb\n", "a\nb\nc\n", "a\nb\n");
	assert_true(str_is(c->base, "b") && str_is(c->ours, "b\n") && str_is(c->theirs, "b\nc\n"));
	/* One side changes all line endings, the other one line. */
	c = expect_conflict("a\nb\n", "a\r\nb\r\n", "a\nB\n", "a\r\nb\r\n");
	/* Two conflicts, in order. */
	c = expect_conflict("a\nb\nc\n", "A\nb\nC\n", "1\nb\n3\n", "A\nb\nC\n");
	assert_true(str_is(c->ours, "A\n") && c->line == 1);
	assert_true(str_is(c->next->ours, "C\n") && c->next->line == 3);
}

/*
 * A side merged with the unchanged base gives that side. To avoid the short cut for equal texts, a
 * passage at the end is changed by the other side.
 */
static bool
side_survives(const struct triple *t, struct str side)
{
	static const char mark[] = "\nfirst mark\nsecond mark\nthird mark\n";
	struct text_conflict *c;
	struct triple far = *t;
	struct str out;
	const char *want;

	far.base = text(arena_printf(arena, "%.*s%slast\n", (int)t->base.n, t->base.p, mark));
	far.ours = text(arena_printf(arena, "%.*s%slast\n", (int)side.n, side.p, mark));
	far.theirs = text(arena_printf(arena, "%.*s%slast but one\nlast\n", (int)t->base.n, t->base.p, mark));
	want = arena_printf(arena, "%.*s%slast but one\nlast\n", (int)side.n, side.p, mark);
	return merge(&far, &out, &c) && str_is(out, want) &&
	    merge_text(arena, far.base, far.theirs, far.ours, &out, &c) && str_is(out, want) &&
	    merge_text(arena, t->base, side, t->base, &out, &c) && str_eq(out, side) &&
	    merge_text(arena, t->base, t->base, side, &out, &c) && str_eq(out, side) &&
	    merge_text(arena, t->base, side, side, &out, &c) && str_eq(out, side);
}

static int
by_bytes(const void *x, const void *y)
{
	const struct str *a = x, *b = y;
	size_t n = a->n < b->n ? a->n : b->n;
	int c = n == 0 ? 0 : memcmp(a->p, b->p, n);

	return c != 0 ? c : (a->n > b->n) - (a->n < b->n);
}

/* Lines, sorted. */
struct bag {
	struct str line[LINES_MAX * 8];
	size_t     n;
};

static void
bag_add(struct bag *b, struct str s)
{
	const char *nl;
	size_t n;

	for (; s.n > 0; s = str_slice(s, n, s.n)) {
		nl = memchr(s.p, '\n', s.n);
		n = nl == NULL ? s.n : (size_t)(nl - s.p) + 1;
		assert_true(b->n < LINES_MAX * 8);
		b->line[b->n++] = str_slice(s, 0, n);
	}
}

static bool
bag_has(const struct bag *b, struct str line)
{
	return bsearch(&line, b->line, b->n, sizeof(line), by_bytes) != NULL;
}

/* All lines of a merge: those of the text, and those of the other side in conflicts. */
static struct bag *
bag_of(struct str out, const struct text_conflict *c)
{
	struct bag *b = arena_alloc(arena, sizeof(*b));

	bag_add(b, out);
	for (; c != NULL; c = c->next)
		bag_add(b, c->theirs);
	qsort(b->line, b->n, sizeof(b->line[0]), by_bytes);
	return b;
}

static bool
bag_equal(const struct bag *a, const struct bag *b)
{
	size_t i = 0;

	while (i < a->n && i < b->n && str_eq(a->line[i], b->line[i]))
		i++;
	return i == a->n && i == b->n;
}

/* True if the bag has every line that this side added. */
static bool
nothing_lost(const struct bag *b, struct str side, const char *name)
{
	struct bag *mine = arena_alloc(arena, sizeof(*mine));

	bag_add(mine, side);
	for (size_t i = 0; i < mine->n; i++)
		if (str_starts(mine->line[i], name) && !bag_has(b, mine->line[i]))
			return false;
	return true;
}

/* True if the conflicts of the two directions are each other's mirror image. */
static bool
mirrored(const struct text_conflict *c, const struct text_conflict *d)
{
	for (; c != NULL && d != NULL; c = c->next, d = d->next)
		if (!str_eq(c->base, d->base) || !str_eq(c->ours, d->theirs) || !str_eq(c->theirs, d->ours))
			return false;
	return c == NULL && d == NULL;
}

/* True if each conflict's lines are at the line number that it names. */
static bool
placed(const struct text_conflict *c, struct str ours)
{
	size_t at = 0;
	const char *nl;

	for (size_t line = 1; line < c->line; line++) {
		nl = at < ours.n ? memchr(ours.p + at, '\n', ours.n - at) : NULL;
		if (nl == NULL)
			return line + 1 == c->line && c->ours.n == 0;
		at = (size_t)(nl - ours.p) + 1;
	}
	return at + c->ours.n <= ours.n && str_eq(str_slice(ours, at, at + c->ours.n), c->ours);
}

static const char *
broken_law(const struct triple *t)
{
	struct text_conflict *c, *d, *each;
	struct bag *there, *back;
	struct str out, again;
	bool ok = merge(t, &out, &c), ko = merge_text(arena, t->base, t->theirs, t->ours, &again, &d);

	if (!side_survives(t, t->ours) || !side_survives(t, t->theirs))
		return "a side merged with the base is that side";
	if (ok != (c == NULL) || ok != ko || (ok && !str_eq(out, again)))
		return "both directions give the same text";
	if (!mirrored(c, d))
		return "both directions have the same conflicts";
	there = bag_of(out, c);
	back = bag_of(again, d);
	if (!bag_equal(there, back))
		return "both directions hold the same lines";
	if (!nothing_lost(there, t->ours, "ours ") || !nothing_lost(there, t->theirs, "theirs "))
		return "no line is lost";
	for (each = c; each != NULL; each = each->next)
		if (!placed(each, t->ours))
			return "a conflict names its place";
	return NULL;
}

static void
merges_of_texts_obey_the_laws(void **state)
{
	uint64_t seed, end = seeds(3000, &seed);
	const char *law;
	struct triple t;

	(void)state;
	for (; seed < end; seed++) {
		t = triple(seed);
		law = broken_law(&t);
		if (law != NULL)
			fail_msg("OCTAVO_SEED=%llu: not true that %s", (unsigned long long)seed, law);
		arena_reset(arena);
	}
}

/* True if git merges the case without conflict; *out is then its text. */
static bool
git_merge(const char *dir, const struct triple *t, struct str *out)
{
	int status;

	file_write(arena, dir, "base", t->base);
	file_write(arena, dir, "ours", t->ours);
	file_write(arena, dir, "theirs", t->theirs);
	*out = command(arena, arena_printf(arena, "cd %s && git merge-file -p -q ours base theirs", dir), &status);
	return status == 0;
}

static void
clean_merges_agree_with_git(void **state)
{
	uint64_t seed, end = seeds(400, &seed);
	char dir[TEMP_MAX];
	struct text_conflict *c;
	struct str mine, gits;
	unsigned clean = 0, all = 0, wrong = 0;
	struct triple t;
	bool ok;

	(void)state;
	if (!have_program(arena, "git"))
		skip();
	temp_dir(dir);
	for (; seed < end; seed++, all++) {
		t = triple(seed);
		ok = merge(&t, &mine, &c);
		/* Where git finds a conflict, a moved paragraph may still be merged here. */
		if (git_merge(dir, &t, &gits) && (!ok || !str_eq(mine, gits))) {
			print_error("OCTAVO_SEED=%llu: git does not agree (ours %s)\n", (unsigned long long)seed,
			    ok ? "merges" : "conflicts");
			wrong++;
		}
		clean += ok;
		arena_reset(arena);
	}
	remove_dir(arena, dir);
	assert_int_equal(wrong, 0);
	/* The random cases must be neither too easy nor too hard to merge. */
	assert_true(all < 100 || (clean > all / 10 && clean < all - all / 10));
}

static void
expect_json(const char *base, const char *ours, const char *theirs, const char *merged, const char *clash)
{
	const char *out, *field;

	assert_int_equal(merge_json(arena, base, ours, theirs, &out, &field), clash == NULL);
	assert_string_equal(out, merged);
	assert_true((clash == NULL) == (field == NULL));
	if (clash != NULL)
		assert_string_equal(field, clash);
}

static void
members_of_json_merge(void **state)
{
	(void)state;
	expect_json("{}", "{}", "{}", "{}", NULL);
	expect_json("{\"a\":1}", "{\"a\":2}", "{\"a\":1,\"b\":3}", "{\"a\":2,\"b\":3}", NULL);
	expect_json("{\"a\":1}", "{\"a\":1}", "{\"a\":4}", "{\"a\":4}", NULL);
	/* A missing member counts as a value. */
	expect_json("{\"a\":1,\"b\":2}", "{\"b\":2}", "{\"a\":1,\"b\":2}", "{\"b\":2}", NULL);
	expect_json("{\"a\":1,\"b\":2}", "{\"b\":2}", "{\"a\":1}", "{}", NULL);
	expect_json("{\"a\":1}", "{}", "{\"a\":2}", "{}", "a");
	expect_json("{\"a\":1}", "{\"a\":2}", "{}", "{\"a\":2}", "a");
	expect_json("{}", "{\"x\":1,\"y\":2}", "{\"x\":1,\"y\":3}", "{\"x\":1,\"y\":2}", "y");
	/* Not an object. */
	expect_json(NULL, "{\"a\":1}", NULL, "{\"a\":1}", NULL);
	expect_json("[1", "{\"a\":1}", "17", "{\"a\":1}", NULL);
	/* Values are compared, not spellings; unchanged values keep their spelling. */
	expect_json("{\"a\":{\"x\":1,\"y\":[1,2]}}", " { \"a\" : {\"y\":[1.0,2],\"x\":1e0} , \"n\" : 9007199254740993 } ",
	    "{\"a\":null}", "{\"a\":null,\"n\":9007199254740993}", NULL);
	expect_json("{\"n\":9007199254740992}", "{\"n\":9007199254740993}", "{\"n\":1}", "{\"n\":9007199254740993}", "n");
	expect_json("{\"s\":\"x\"}", "{\"s\":\"x\\u0000y\"}", "{\"s\":\"x\"}", "{\"s\":\"x\\u0000y\"}", NULL);
	expect_json("{\"a\":[1]}", "{\"a\":[1,2]}", "{\"a\":[1,3]}", "{\"a\":[1,2]}", "a");
	/* Names with any characters that JSON allows; names are case-sensitive; the first of equal names counts. */
	expect_json("{\"\":1,\"q\\\"},:\":2}", "{\"\":1,\"q\\\"},:\":3}", "{\"\":5,\"q\\\"},:\":2}",
	    "{\"\":5,\"q\\\"},:\":3}", NULL);
	expect_json("{\"a\":1,\"A\":1}", "{\"a\":2,\"A\":1}", "{\"a\":1,\"A\":3}", "{\"a\":2,\"A\":3}", NULL);
	expect_json("{\"a\":1}", "{\"a\":1,\"a\":2}", "{\"a\":3}", "{\"a\":3}", NULL);
}

/* Time for hostile input. */
static void
hostile_json_merges_in_time(void **state)
{
	double start = seconds();
	const char *out, *field;
	struct buf b;

	(void)state;
	buf_init(&b, arena, 1 << 26);
	buf_str(&b, "{\"x\":{");
	for (int i = 100000; i > 0; i--)
		buf_printf(&b, "\"%d\":%d,", i, i);
	buf_str(&b, "\"z\":1}}");
	out = arena_strdup(arena, b.p);
	b.p[b.n - 3] = '2';
	assert_false(merge_json(arena, NULL, out, b.p, &out, &field));
	assert_string_equal(field, "x");
	buf_cut(&b, b.n);
	for (int i = 0; i < 500; i++)
		buf_str(&b, "{\"a\":[");
	assert_true(merge_json(arena, b.p, b.p, b.p, &out, &field));
	assert_true(seconds() - start < 5);
}

#define TABS(a, b) "{% tabs %}\n{% tab title=\"" a "\" %}\nText " a " in its tab\n{% endtab %}\n{% tab title=\"" b "\" %}\n" \
	"Text " b " in its tab\n{% endtab %}\n{% endtabs %}\n\n"
#define CODE(a, b) "```\ncode line " a "\n\n- no item " b "\n```\n\n"
#define WORDS "Some sentence of some length.\nAnd one more of some length.\n\n"

/* Blocks that begin and end with equal lines: a merge must not cut a block apart at such lines. */
static void
equal_lines_do_not_divide_blocks(void **state)
{
	struct text_conflict *c;
	struct str out;

	(void)state;
	expect(TABS("1", "2") TABS("3", "4") WORDS CODE("5", "6") TABS("7", "8"),
	    TABS("1", "2") TABS("7", "8") TABS("3", "4") WORDS CODE("5", "6"),
	    TABS("7", "8") TABS("3", "4") WORDS TABS("1", "2") "Another one of some length.\nIts last line of this length.\n\n" CODE("5", "6"),
	    /* Both sides moved 7, and one of them moved 1 before it: 7 occurs twice, but whole. */
	    TABS("7", "8") TABS("7", "8") TABS("3", "4") WORDS TABS("1", "2")
	    "Another one of some length.\nIts last line of this length.\n\n" CODE("5", "6"));
	/* A line of code that looks like an item is not one, and a line that a side did not change is no edit. */
	assert_false(merge_text(arena, STR(CODE("1", "2") "# A heading\n\n" CODE("3", "4") CODE("5", "6")),
	    STR(CODE("3", "4") CODE("7", "8") CODE("1", "2") CODE("5", "6") "# A heading\n\n"),
	    STR("# A heading\n\n" CODE("3", "4") CODE("1", "2") CODE("5", "6")), &out, &c));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(edits_apart_merge_clean, set_up, tear_down),
		cmocka_unit_test_setup_teardown(both_versions_of_a_place_follow_each_other, set_up, tear_down),
		cmocka_unit_test_setup_teardown(items_and_rows_added_by_both_sides_are_kept, set_up, tear_down),
		cmocka_unit_test_setup_teardown(pieces_of_a_block_merge, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_edit_follows_a_moved_paragraph, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_paragraph_moved_by_both_sides_occurs_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(equal_lines_do_not_divide_blocks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(edits_of_one_line_conflict, set_up, tear_down),
		cmocka_unit_test_setup_teardown(members_of_json_merge, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_json_merges_in_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(merges_of_texts_obey_the_laws, set_up, tear_down),
		cmocka_unit_test_setup_teardown(clean_merges_agree_with_git, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
