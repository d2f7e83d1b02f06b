/*
 * A baseline for search: plain BM25 over the pages of a space, title and text as one, by the stems
 * of their words; without fields, synonyms and neighbours. Its result shows how hard a list of
 * judgements is.
 */
#ifndef OCTAVO_SEARCH_PEER_H
#define OCTAVO_SEARCH_PEER_H

#include "base/sort.h"
#include "ndcg.h"
#include "../../src/search/search_parts.h"

SQL(q_peer,
    "SELECT p.no, t.page, t.title FROM search_place p JOIN search_page t ON t.no = p.no "
    "WHERE p.space = :space AND " SEARCH_FOUND " ORDER BY p.no");

enum { PEER_SPACES = 64, PEER_TERMS = 64 };

/* Words as hashes: in the order of the text while they are read, then sorted, so that equal ones are adjacent. */
struct peer_text {
	struct arena *a;
	uint64_t     *list;
	size_t        count, room;
	size_t        from;         /* byte offset of the last word: its stem comes after it, and replaces it */
};

struct peer_page {
	const char      *page;
	struct peer_text words;
	double           score;
};

struct peer_space {
	int64_t           no;
	struct peer_page *pages;
	size_t            count, room;
	double            usual;    /* average number of words of a page */
};

struct peer {
	struct arena     *a;
	struct peer_space spaces[PEER_SPACES];
	size_t            count;
};

/* FNV-1a. Two words with one hash are improbable, and would do no harm. */
static inline uint64_t
peer_hash(const char *text, size_t n)
{
	uint64_t h = 0xcbf29ce484222325;

	while (n-- > 0)
		h = (h ^ (unsigned char)*text++) * 0x100000001b3;
	return h;
}

static inline bool
peer_word(void *ctx, const struct word *w)
{
	struct peer_text *t = ctx;

	if (w->kind == WORD_MAIN) {
		t->list = arena_grow(t->a, t->list, t->count, &t->room, sizeof(*t->list));
		t->list[t->count++] = peer_hash(w->text, w->n);
		/* The stem of a name with several parts would be that of a part. */
		t->from = w->camel ? SIZE_MAX : w->from;
	} else if (w->kind == WORD_STEM && t->count > 0 && w->from == t->from)
		t->list[t->count - 1] = peer_hash(w->text, w->n);
	return true;
}

static inline int
peer_by_hash(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

/* Number of occurrences of the word on the page. */
static inline size_t
peer_hits(const struct peer_text *t, uint64_t word)
{
	const uint64_t *p = find_sorted(&word, t->list, t->count, sizeof(word), peer_by_hash), *from = p, *to = p;

	if (p == NULL)
		return 0;
	while (from > t->list && from[-1] == word)
		from--;
	while (to < t->list + t->count && *to == word)
		to++;
	return (size_t)(to - from);
}

static inline void
peer_read_page(struct db *db, struct arena *a, int64_t no, enum language lang, struct peer_page *page)
{
	struct doc_section *s;
	size_t count, i;

	s = entry_sections(db, a, no, SIZE_MAX, SIZE_MAX, &count);
	for (i = 0; i < count; i++) {
		/* A part repeats the heading of the section before it. */
		if (s[i].heading != NULL && !s[i].part)
			words_of_query(str_of(s[i].heading), lang, peer_word, &page->words);
		words_of_query(str_of(s[i].text), lang, peer_word, &page->words);
	}
	sort_list(page->words.list, page->words.count, sizeof(*page->words.list), peer_by_hash);
}

static inline void
peer_read(struct db *db, struct arena *a, const struct search_in *in, enum language lang, struct peer_space *s)
{
	struct stmt *q = db_use(db, &q_peer);
	struct peer_page *page;
	size_t words = 0;

	*s = (struct peer_space){ .no = in->no };
	bind_int(q, ":space", in->no);
	bind_int(q, ":head", in->head);
	while (stmt_step(q)) {
		s->pages = arena_grow(a, s->pages, s->count, &s->room, sizeof(*s->pages));
		page = &s->pages[s->count++];
		*page = (struct peer_page){ col_dup(q, 1, a), { .a = a } };
		words_of_query(str_of(col_dup(q, 2, a)), lang, peer_word, &page->words);
		peer_read_page(db, a, col_int(q, 0), lang, page);
		words += page->words.count;
	}
	s->usual = s->count == 0 ? 1 : (double)words / (double)s->count;
}

/* Read once, because a list queries a space many times. If there is no room, the last space is dropped. */
static inline struct peer_space *
peer_space(struct peer *peer, struct db *db, const struct search_in *in, enum language lang)
{
	struct peer_space *s = peer->spaces;

	for (; s < peer->spaces + peer->count; s++)
		if (s->no == in->no)
			return s;
	if (peer->count == PEER_SPACES)
		s--;
	else
		peer->count++;
	peer_read(db, peer->a, in, lang, s);
	return s;
}

/* Adds a word's share to the scores of the pages. */
static inline void
peer_add(struct peer_space *s, uint64_t word)
{
	const double k1 = 1.2, b = 0.75;
	double idf, tf, with = 0, n = (double)s->count;
	size_t i;

	for (i = 0; i < s->count; i++)
		with += peer_hits(&s->pages[i].words, word) > 0;
	idf = log(1 + (n - with + 0.5) / (with + 0.5));
	for (i = 0; with > 0 && i < s->count; i++) {
		tf = (double)peer_hits(&s->pages[i].words, word);
		s->pages[i].score += idf * tf * (k1 + 1) /
		    (tf + k1 * (1 - b + b * (double)s->pages[i].words.count / s->usual));
	}
}

static inline int
peer_by_score(const void *x, const void *y)
{
	const struct peer_page *a = x, *b = y;

	return (a->score < b->score) - (a->score > b->score);
}

/* The pages found for a query, best first, at most TOP; returns their number. */
static inline size_t
peer_search(struct peer *peer, struct db *db, const struct search_in *in, struct str query, const char *found[TOP])
{
	enum language lang = search_language(db, peer->a, query, in, 1);
	struct peer_space *s = peer_space(peer, db, in, lang);
	struct peer_text words = { .a = peer->a };
	size_t i;

	for (i = 0; i < s->count; i++)
		s->pages[i].score = 0;
	words_of_query(query, lang, peer_word, &words);
	sort_list(words.list, words.count, sizeof(*words.list), peer_by_hash);
	for (i = 0; i < words.count; i++)
		if (i == 0 || words.list[i] != words.list[i - 1])
			peer_add(s, words.list[i]);
	sort_list(s->pages, s->count, sizeof(*s->pages), peer_by_score);
	for (i = 0; i < TOP && i < s->count && s->pages[i].score > 0; i++)
		found[i] = s->pages[i].page;
	return i;
}

#endif
