/*
 * Three-way merges of random texts whose blocks are moved: paragraphs, items, rows and sections
 * that both sides move, edit, delete and add. Each word is unique and ends in ";". Invariants:
 *
 *  - a word that a side wrote is in the merged text, or in a conflict
 *  - so is a word of the base that both sides kept, wherever they moved it
 *  - a word that both sides deleted is gone
 *  - both directions give the same text, or both conflict
 *  - if both sides only moved a block, it occurs no more often than on one side
 *  - texts that git can merge are merged
 */
#include "../temp_dir.h"
#include "arena_fixture.h"
#include "merge_fixture.h"
#include "text/merge_text.h"

enum { BLOCKS = 40, EDITS = 5 };

enum form { PARAGRAPHS, ITEMS, ROWS, SECTIONS, FORMS };

struct page {
	enum form   form;
	const char *block[BLOCKS * 2];
	size_t      n;
};

struct words {
	unsigned next;     /* number of the next word */
};

static const char *
new_block(enum form form, struct words *w)
{
	unsigned k = w->next;

	w->next += form == SECTIONS ? 2 : 1;
	switch (form) {
	case ITEMS: return arena_printf(arena, "- item w%u;\n", k);
	case ROWS:  return arena_printf(arena, "| row w%u; | x |\n", k);
	case SECTIONS:
		return arena_printf(arena, "## Section w%u;\n\n```\nx\n\ncode\n```\n\nText of it: w%u;\n\n", k, k + 1);
	default:    return arena_printf(arena, "A paragraph of w%u;\n\n", k);
	}
}

/* The block with a new word before its first one. */
static const char *
edited_block(const char *block, struct words *w)
{
	const char *at = strchr(block, 'w');

	return arena_printf(arena, "%.*sw%u; %s", (int)(at - block), block, w->next++, at);
}

static void
put_block(struct page *p, size_t at, const char *block)
{
	memmove(p->block + at + 1, p->block + at, (p->n - at) * sizeof(p->block[0]));
	p->block[at] = block;
	p->n++;
}

static const char *
take_block(struct page *p, size_t at)
{
	const char *block = p->block[at];

	p->n--;
	memmove(p->block + at, p->block + at + 1, (p->n - at) * sizeof(p->block[0]));
	return block;
}

/* One edit. only_moves: moves one of the first few blocks, so that both sides sometimes move the same block. */
static void
edit(struct page *p, struct words *w, struct rnd *r, bool only_moves)
{
	size_t at = p->n == 0 ? 0 : rnd(r, (uint32_t)(only_moves && p->n > 3 ? 3 : p->n));
	uint32_t what = only_moves ? 0 : rnd(r, 6);

	if (p->n == 0 || (what == 1 && p->n < BLOCKS * 2))
		put_block(p, at, new_block(p->form, w));
	else if (what == 2)
		take_block(p, at);
	else if (what == 3)
		p->block[at] = edited_block(p->block[at], w);
	else {
		const char *block = take_block(p, at);
		put_block(p, rnd(r, (uint32_t)p->n + 1), block);
	}
}

static struct str
text_of(const struct page *p)
{
	struct buf b;

	buf_init(&b, arena, 1 << 20);
	buf_str(&b, p->form == ROWS ? "| a | b |\n| - | - |\n" : "First.\n\n");
	for (size_t i = 0; i < p->n; i++)
		buf_str(&b, p->block[i]);
	return buf_view(&b);
}

static void
new_page(struct page *p, struct words *w, struct rnd *r)
{
	size_t n = 2 + rnd(r, BLOCKS - 2);

	*p = (struct page){ .form = rnd(r, FORMS) };
	while (p->n < n)
		p->block[p->n++] = new_block(p->form, w);
}

static struct str
edited_page(const struct page *base, struct words *w, struct rnd *r, bool only_moves)
{
	struct page p = *base;

	for (uint32_t k = 1 + rnd(r, only_moves ? 1 : EDITS); k > 0; k--)
		edit(&p, w, r, only_moves);
	return text_of(&p);
}

/* ---- the invariants ---- */

struct merged {
	struct str base, ours, theirs, out;
	struct text_conflict *conflicts;
	unsigned words;     /* number of words written */
	bool     only_moves;
};

static unsigned
times(struct str s, unsigned word)
{
	const char *w = arena_printf(arena, "w%u;", word), *at;
	unsigned n = 0;

	for (; (at = memmem(s.p, s.n, w, strlen(w))) != NULL; n++)
		s = str_slice(s, (size_t)(at - s.p) + 1, s.n);
	return n;
}

static bool
in_conflict(const struct text_conflict *c, unsigned word)
{
	for (; c != NULL; c = c->next)
		if (times(c->theirs, word) > 0)
			return true;
	return false;
}

static const char *
broken_law(const struct merged *m)
{
	unsigned word, o, t, n;

	for (word = 0; word < m->words; word++) {
		o = times(m->ours, word);
		t = times(m->theirs, word);
		n = times(m->out, word);
		if ((o > 0 && t > 0) || (o + t > 0 && times(m->base, word) == 0))
			if (n == 0 && !in_conflict(m->conflicts, word))
				return arena_printf(arena, "w%u; is lost", word);
		if (o + t == 0 && n > 0)
			return arena_printf(arena, "w%u; is there, though both took it out", word);
		if (n > (m->only_moves && m->conflicts == NULL ? 1 : o + t))
			return arena_printf(arena, "w%u; stands %u times", word, n);
	}
	return NULL;
}

static struct merged
merge_random(uint64_t seed)
{
	struct rnd r = { seed };
	struct words w = { 0 };
	struct merged m = { .only_moves = rnd(&r, 2) == 0 };
	struct page page;

	new_page(&page, &w, &r);
	m.base = text_of(&page);
	m.ours = edited_page(&page, &w, &r, m.only_moves);
	m.theirs = edited_page(&page, &w, &r, m.only_moves);
	m.words = w.next;
	merge_text(arena, m.base, m.ours, m.theirs, &m.out, &m.conflicts);
	return m;
}

static const char *
one_way(const struct merged *m)
{
	struct text_conflict *c;
	struct str out;

	merge_text(arena, m->base, m->theirs, m->ours, &out, &c);
	return (m->conflicts == NULL) != (c == NULL) ? "one direction is in conflict" : NULL;
}

static void
merges_of_blocks_obey_the_laws(void **state)
{
	uint64_t seed, first, end = seeds(4000, &first);
	unsigned clean = 0;
	const char *law;
	struct merged m;

	(void)state;
	for (seed = first; seed < end; seed++) {
		m = merge_random(seed);
		if ((law = broken_law(&m)) == NULL)
			law = one_way(&m);
		if (law != NULL)
			fail_msg("OCTAVO_SEED=%llu: %s\n%.*s\n---- ours\n%.*s\n---- theirs\n%.*s\n---- merged\n%.*s",
			    (unsigned long long)seed, law, (int)m.base.n, m.base.p, (int)m.ours.n, m.ours.p,
			    (int)m.theirs.n, m.theirs.p, (int)m.out.n, m.out.p);
		clean += m.conflicts == NULL;
		arena_reset(arena);
	}
	/* The random edits must be neither too easy nor too hard to merge. */
	assert_true(end - first < 100 || (clean > (end - first) / 2 && clean < (end - first) * 9 / 10));
}

static void
blocks_merge_as_often_as_git_does(void **state)
{
	uint64_t seed, end = seeds(200, &seed);
	char dir[TEMP_MAX];
	struct merged m;
	int status;

	(void)state;
	if (!have_program(arena, "git"))
		skip();
	temp_dir(dir);
	for (; seed < end; seed++) {
		m = merge_random(seed);
		file_write(arena, dir, "base", m.base);
		file_write(arena, dir, "ours", m.ours);
		file_write(arena, dir, "theirs", m.theirs);
		command(arena, arena_printf(arena, "cd %s && git merge-file -p -q ours base theirs", dir), &status);
		if (status == 0 && m.conflicts != NULL)
			fail_msg("OCTAVO_SEED=%llu: git merges it", (unsigned long long)seed);
		arena_reset(arena);
	}
	remove_dir(arena, dir);
}

/*
 * Hostile input: 4 MB of paragraphs, every other one edited by one side, the first ones moved to
 * the end by the other.
 */
static void
hostile_blocks_merge_in_time(void **state)
{
#if defined(__SANITIZE_ADDRESS__)
	enum { N = 30000 };
#else
	enum { N = 120000 };
#endif
	struct str base, ours, theirs, out;
	struct text_conflict *c;
	struct buf b[3];
	double start;
	int i;

	(void)state;
	for (i = 0; i < 3; i++)
		buf_init(&b[i], arena, 1 << 26);
	for (i = 0; i < N; i++) {
		buf_printf(&b[0], "Paragraph number %d is here.\n\n", i);
		buf_printf(&b[1], "Paragraph number %d is %s.\n\n", i, i % 2 == 0 ? "here" : "there");
		buf_printf(&b[2], "Paragraph number %d is here.\n\n", (i + 1000) % N);
	}
	base = buf_view(&b[0]);
	ours = buf_view(&b[1]);
	theirs = buf_view(&b[2]);
	start = seconds();
	assert_true(merge_text(arena, base, ours, theirs, &out, &c));
	assert_true(seconds() - start < 4);
	/* Edited at its new place. */
	assert_non_null(memmem(out.p + out.n - 200, 200, "number 999 is there", 19));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(merges_of_blocks_obey_the_laws, set_up, tear_down),
		cmocka_unit_test_setup_teardown(blocks_merge_as_often_as_git_does, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_blocks_merge_in_time, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
