/*
 * Duplicated spaces share entries of the search index. Through random edits, deletions,
 * duplications, sweeps, index jobs and deleted spaces, each space must find what it contains, by a
 * model of which page contains which word.
 */
#include "page_fixture.h"

#include "invariant_fixture.h"
#include "propagate/copy_space.h"
#include "search/search.h"
#include "seed_fixture.h"

SQL(q_entries, "SELECT count(*) FROM search_page /*scan*/");
SQL(q_deleted, "UPDATE space SET deleted_at = 1 WHERE id = :space");

/* LONG, LONG_WORDS: one of so many bodies has so many more words, and so several parts in the index. */
enum { LONG = 32, LONG_WORDS = 5000, SPACES = 12, PAGES = 14, ROUNDS = 80, SEEDS = 5, WORDS = 6 };

/* No word is an inflection of another, or one letter away from it. */
static const char *const words[WORDS] = { "heron", "dunnock", "kingfisher", "plover", "swan", "bittern" };

struct indexed_space {
	char        space[32];
	int64_t     branch;
	/* Bit set of words; 0: the page does not exist, or is noIndex. */
	unsigned    says[PAGES];
};

struct model {
	struct fixture *f;
	struct rnd      dice;
	struct indexed_space     list[SPACES];
	size_t          n;
};

static const char *
page_id(struct fixture *f, int page)
{
	return arena_printf(f->arena, "p%c", 'a' + page);
}

/* One word occurs more often than the others, so that scores differ. */
static const char *
body_of(struct fixture *f, unsigned says)
{
	struct buf b;
	int i;

	buf_init(&b, f->arena, 1 << 18);
	buf_str(&b, "Birds.");
	for (i = 0; says % LONG == 5 && i < LONG_WORDS; i++)
		buf_printf(&b, " w%dlongword%u", i, says);
	for (i = 0; i < WORDS; i++)
		if (says >> i & 1)
			buf_printf(&b, " %s%s.", words[i], says % WORDS == (unsigned)i ? " and again " : "");
	return b.p;
}

static int64_t
entries(struct model *m)
{
	int64_t n;

	db_begin(m->f->db, false);
	n = stmt_int(db_use(m->f->db, &q_entries), -1);
	db_rollback(m->f->db);
	return n;
}

static void
edit(struct model *m, struct indexed_space *h)
{
	struct writing w = write_begin(m->f, h->space, h->branch);
	int i, page, n = 1 + (int)rnd(&m->dice, 5);
	unsigned says;

	for (i = 0; i < n; i++) {
		page = (int)rnd(&m->dice, PAGES);
		says = rnd(&m->dice, 1 << WORDS);
		if (rnd(&m->dice, 5) == 0) {
			if (h->says[page] != 0)
				write_gone(&w, page_id(m->f, page));
			h->says[page] = 0;
			continue;
		}
		/* A page without words exists, but is not indexed. */
		write_page(&w, page_id(m->f, page), "Birds", says == 0 ? "{\"noIndex\":true}" : "{}", body_of(m->f, says));
		h->says[page] = says;
	}
	write_end(&w);
}

static struct indexed_space *
space_new(struct model *m)
{
	struct indexed_space *h = &m->list[m->n++];

	*h = (struct indexed_space){ "", 0, { 0 } };
	snprintf(h->space, sizeof(h->space), "%s", space_make(m->f->db, m->f->arena, &(struct space_new){ .org = m->f->org,
	    .title = "S", .author = m->f->user }, &h->branch));
	return h;
}

/*
 * As duplicateSpace does it: a small space in one transaction, a large one ahead, with possible
 * edits of the source in between. A job indexes what the copy does not share.
 */
static void
duplicate(struct model *m, struct indexed_space *from)
{
	struct space_new n = { .org = m->f->org, .title = "S", .author = m->f->user };
	struct indexed_space *h = &m->list[m->n++];
	struct copy c = { .space = NULL };
	struct job claimed;
	int64_t before, after;

	memcpy(h->says, from->says, sizeof(h->says));
	before = entries(m);
	if (rnd(&m->dice, 2) == 0) {
		copy_ahead(m->f->db, m->f->arena, &c, from->branch, &n);
		after = entries(m);
		if (rnd(&m->dice, 3) == 0)
			edit(m, from);
	}
	db_begin(m->f->db, true);
	assert_true(copy_show(m->f->db, m->f->arena, &c, from->branch, &n));
	db_commit(m->f->db);
	if (c.edition == 0)
		after = entries(m);
	h->branch = c.branch;
	snprintf(h->space, sizeof(h->space), "%s", c.space);
	/* The first copies share all entries; a space whose index has too many unused ones does not. */
	if (m->n <= 3)
		assert_int_equal(after, before);
	if (!search_is_behind(m->f->db, h->space))
		return;
	assert_true(claim_job(m->f->db, m->f->arena, &claimed));
	search_job(m->f->db, m->f->arena, &claimed);
}

/* Deletes the space as purge does. */
static void
drop(struct model *m, size_t i)
{
	struct stmt *q;

	db_begin(m->f->db, true);
	q = db_use(m->f->db, &q_deleted);
	bind_text(q, ":space", m->list[i].space);
	stmt_run(q);
	db_commit(m->f->db);
	search_drop(m->f->db, m->f->arena, m->list[i].space);
	m->list[i] = m->list[--m->n];
}

static void
index_job(struct model *m, const struct indexed_space *h)
{
	struct job job = { .kind = "index", .space = h->space, .queue = h->space, .args = "{}" }, claimed;

	db_begin(m->f->db, true);
	job.id = job_add(m->f->db, m->f->arena, &job, 0);
	db_commit(m->f->db);
	assert_true(claim_job(m->f->db, m->f->arena, &claimed));
	search_job(m->f->db, m->f->arena, &claimed);
}

static void
act(struct model *m)
{
	size_t i = rnd(&m->dice, (uint32_t)m->n);

	switch (rnd(&m->dice, 10)) {
	case 0:
	case 1:
		if (m->n < SPACES)
			duplicate(m, &m->list[i]);
		break;
	case 2:
		if (m->n > 3)
			drop(m, i);
		break;
	case 3:
		search_sweep(m->f->db, m->f->arena, m->list[i].space);
		break;
	case 4:
		index_job(m, &m->list[i]);
		break;
	default:
		edit(m, &m->list[i]);
	}
}

/* The hits are pages of the space with the word, the best first; if there are few, all of them. */
static void
hits_are_right(const struct indexed_space *h, const struct search_found *found, int word, size_t want)
{
	size_t i, k, all = 0, seen = 0;

	for (i = 0; i < PAGES; i++)
		all += h->says[i] >> word & 1;
	assert_int_equal(found->hit_count, all < want ? all : want);
	for (i = 0; i < found->hit_count; i++) {
		k = (size_t)(found->hits[i].page[1] - 'a');
		assert_true(h->says[k] >> word & 1);
		assert_int_equal(seen >> k & 1, 0);
		seen |= (size_t)1 << k;
		assert_true(i == 0 || found->hits[i].score <= found->hits[i - 1].score);
	}
}

static void
ask(struct model *m, const struct search_in *in, size_t n, int word, size_t want, struct search_found *found)
{
	double best;
	bool some;
	size_t i;

	search(m->f->db, m->f->arena, str_of(words[word]), in, n, want, NULL, found);
	for (i = 0; i < n; i++) {
		best = found[i].best;
		some = found[i].hit_count > 0;
		search_hits(&found[i]);
		/* The summary by which spaces are ordered must agree with the hits. */
		assert_true(found[i].best == best && (found[i].hit_count > 0) == some);
		assert_true(!some || found[i].hits[0].score == best);
		search_shown(m->f->db, m->f->arena, &found[i], 0, found[i].hit_count);
	}
}

/* Searches each space alone, then all at once: the few results of each are the first of its many. */
static void
search_is_right(struct model *m)
{
	struct search_found one, few[SPACES], many[SPACES];
	const struct indexed_space *at[SPACES];
	struct search_in in[SPACES];
	size_t i, k, n = 0;
	int word;

	db_begin(m->f->db, false);
	for (i = 0; i < m->n; i++)
		if (search_find(m->f->db, m->f->arena, m->list[i].space, &in[n]))
			at[n++] = &m->list[i];
	for (word = 0; word < WORDS; word++) {
		for (i = 0; i < n; i++) {
			ask(m, &in[i], 1, word, 100, &one);
			hits_are_right(at[i], &one, word, 100);
			assert_int_equal(one.count, one.hit_count);
		}
		ask(m, in, n, word, 2, few);
		ask(m, in, n, word, 100, many);
		for (i = 0; i < n; i++) {
			hits_are_right(at[i], &few[i], word, 2);
			hits_are_right(at[i], &many[i], word, 100);
			for (k = 0; k < few[i].hit_count; k++)
				assert_int_equal(few[i].hits[k].no, many[i].hits[k].no);
		}
	}
	db_rollback(m->f->db);
}

/* In a separate arena. */
static void
play(struct model *m, int round)
{
	struct fixture *f = m->f, mine = *f;
	const char *broken;

	m->f = &mine;
	mine.arena = arena_new((size_t)1 << 29);
	act(m);
	search_is_right(m);
	if (round % 10 == 0 && *(broken = invariants_text(mine.db, mine.arena)) != '\0')
		fail_msg("round %d: %s", round, broken);
	arena_free(mine.arena);
	m->f = f;
}

static void
random_spaces_are_searched_apart(void **state)
{
	struct model m = { .f = *state };
	uint64_t seed, last = seeds(SEEDS, &seed);
	int i;

	for (; seed < last; seed++) {
		print_message("seed %d\n", (int)seed);
		m.dice = (struct rnd){ seed };
		db_begin(m.f->db, true);
		space_new(&m);
		db_commit(m.f->db);
		for (i = 0; i < ROUNDS; i++)
			play(&m, i);
		while (m.n > 0)
			drop(&m, 0);
		/* No entry remains after the last space that used it. */
		assert_int_equal(stmt_int(db_use(m.f->db, &q_entries), -1), 0);
	}
}

/* Words of a page edited in one space are not found in the other, nor used to correct its queries. */
static void
edits_stay_apart(void **state)
{
	struct model m = { .f = *state };
	struct search_found found[2];
	struct search_in in[2];
	struct writing w;

	db_begin(m.f->db, true);
	space_new(&m);
	db_commit(m.f->db);
	w = write_begin(m.f, m.list[0].space, m.list[0].branch);
	write_page(&w, "pa", "Birds", "{}", "Herons stand.");
	write_page(&w, "pb", "Birds", "{}", "Swans swim.");
	write_end(&w);
	duplicate(&m, &m.list[0]);
	w = write_begin(m.f, m.list[0].space, m.list[0].branch);
	write_page(&w, "pa", "Birds", "{}", "A cormorant dives.");
	write_end(&w);
	db_begin(m.f->db, false);
	assert_true(search_find(m.f->db, m.f->arena, m.list[0].space, &in[0]));
	assert_true(search_find(m.f->db, m.f->arena, m.list[1].space, &in[1]));
	search(m.f->db, m.f->arena, STR("cormorant"), in, 2, 5, NULL, found);
	search_hits(&found[0]);
	assert_int_equal(found[0].hit_count, 1);
	assert_int_equal(found[1].hit_count, 0);
	search(m.f->db, m.f->arena, STR("cormorant"), &in[1], 1, 5, NULL, found);
	assert_int_equal(found[0].count, 0);
	search(m.f->db, m.f->arena, STR("heron"), in, 2, 5, NULL, found);
	search_hits(&found[1]);
	assert_int_equal(found[0].hit_count, 0);
	assert_int_equal(found[1].hit_count, 1);
	db_rollback(m.f->db);
}

/* A copy with more pages than one step copies is complete without a job. */
static void
a_large_copy_is_whole_without_a_job(void **state)
{
	struct model m = { .f = *state };
	struct search_found found;
	struct search_in in;
	struct writing w;
	struct job job;
	int i, n = 0;

	db_begin(m.f->db, true);
	space_new(&m);
	db_commit(m.f->db);
	while (n <= SEARCH_INLINE) {
		w = write_begin(m.f, m.list[0].space, m.list[0].branch);
		for (i = 0; i < SEARCH_INLINE; i++, n++)
			write_page(&w, arena_printf(m.f->arena, "p%d", n), "Birds", "{}", n % 2 == 0 ? "Herons." : "Swans.");
		write_end(&w);
	}
	duplicate(&m, &m.list[0]);
	db_begin(m.f->db, false);
	assert_true(search_find(m.f->db, m.f->arena, m.list[1].space, &in));
	assert_int_equal(in.pages, n);
	search(m.f->db, m.f->arena, STR("heron"), &in, 1, 5, NULL, &found);
	assert_int_equal(found.count, n / 2);
	db_rollback(m.f->db);
	assert_false(claim_job(m.f->db, m.f->arena, &job));
	assert_string_equal(invariants_text(m.f->db, m.f->arena), "");
	assert_int_equal(stmt_int(db_use(m.f->db, &q_entries), -1), n);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(edits_stay_apart, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_large_copy_is_whole_without_a_job, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(random_spaces_are_searched_apart, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
