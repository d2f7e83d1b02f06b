/*
 * Measures search on a database, in this process.
 *
 *   judge DB judged.tsv          nDCG@10 of every query, and the means last: of
 *                                search, and of plain BM25 (peer.h)
 *   judge DB judged.tsv --found  with the pages found, their grades and scores, and what is shown of them
 *   judge DB --bench SPACE WORDS the time of a search with excerpts, compared with
 *                                the bare ranking statement of FTS5
 *
 * DB: a file; or, if OCTAVO_DB is set, the server that it names. ndcg.h describes files of judgements.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ndcg.h"
#include "peer.h"
#include "search/search.h"

SQL(q_space_titled, "SELECT id, branch FROM space WHERE title = :title /*scan*/");
SQL(q_bare,
    "SELECT rowid FROM search_index WHERE search_index MATCH :query ORDER BY rank LIMIT 20 /*scan*/");

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool
place(struct db *db, struct arena *a, const char *title, struct search_in *in, struct point *p)
{
	struct stmt *q = db_use(db, &q_space_titled);

	bind_text(q, ":title", title);
	if (!stmt_step(q))
		return false;
	return point_head(db, a, col_int(q, 1), p) && search_find(db, a, p->space, in);
}

/* A judgement of a missing page would lower the result without a message. */
static void
look_for_pages(struct db *db, struct arena *a, const struct point *p, const struct line *l, size_t n)
{
	struct node node;
	size_t i;

	for (i = 0; i < n; i++)
		if (!page_by_path(db, a, p, l[i].path, &node) ||
		    strcmp(page_path(db, a, p, &node), l[i].path) != 0)
			fprintf(stderr, "%s: no page %s\n", l[i].space, l[i].path);
}

/* The paths of the pages found, best first, at most TOP; returns their number. */
static size_t
paths_of(struct db *db, struct arena *a, const struct point *p, const char *const *pages, size_t n, const char **paths)
{
	struct node node;
	size_t i, k = 0;

	for (i = 0; i < n && k < TOP; i++)
		if (node_get(db, a, p, pages[i], &node))
			paths[k++] = page_path(db, a, p, &node);
	return k;
}

static void
print_sections(const struct search_hit *h)
{
	const struct search_section *s;

	for (s = h->sections; s < h->sections + h->section_count; s++)
		printf("        %s: %s\n", s->heading, s->excerpt);
}

/* The nDCG of search for a query, whose judgements are lines l[0..n). */
static double
judge(struct db *db, struct arena *a, const struct search_in *in, const struct point *p, const struct line *l, size_t n,
    bool found)
{
	struct search_found f = { .count = 0 };
	const char *pages[TOP] = { NULL }, *paths[TOP] = { NULL };
	size_t i, k;
	double score;
	int first;

	search(db, a, str_of(l->query), in, 1, TOP, NULL, &f);
	search_shown(db, a, &f, 0, f.hit_count);
	for (i = 0; i < f.hit_count; i++)
		pages[i] = f.hits[i].page;
	k = paths_of(db, a, p, pages, f.hit_count, paths);
	score = ndcg(l, n, paths, k, &first);
	printf("%.3f  best page at %-2d  %s: %s\n", score, first, l->space, l->query);
	for (i = 0; found && i < k; i++) {
		printf("    %d %7.2f  %s\n", grade_of(l, n, paths[i]), f.hits[i].score, paths[i]);
		print_sections(&f.hits[i]);
	}
	return score;
}

/* The same for the peer. */
static double
judge_peer(struct peer *peer, struct db *db, struct arena *a, const struct search_in *in, const struct point *p,
    const struct line *l, size_t n)
{
	const char *pages[TOP] = { NULL }, *paths[TOP] = { NULL };
	size_t k = peer_search(peer, db, in, str_of(l->query), pages);
	int first;

	k = paths_of(db, a, p, pages, k, paths);
	return ndcg(l, n, paths, k, &first);
}

static int
judge_all(struct db *db, const char *file, bool found)
{
	static struct line list[MAX_LINES];
	struct arena *keep = arena_new((size_t)1 << 32), *a = arena_new((size_t)1 << 30);
	struct peer peer = { .a = keep };
	size_t n = read_lines(keep, file, list), i, k, queries = 0;
	double ours = 0, plain = 0;
	struct search_in in;
	struct point p;

	for (i = 0; i < n; i = k, queries++) {
		k = i + query_lines(&list[i], n - i);
		if (!place(db, a, list[i].space, &in, &p)) {
			fprintf(stderr, "no space \"%s\"\n", list[i].space);
			exit(2);
		}
		look_for_pages(db, a, &p, &list[i], k - i);
		ours += judge(db, a, &in, &p, &list[i], k - i, found);
		plain += judge_peer(&peer, db, a, &in, &p, &list[i], k - i);
		arena_reset(a);
	}
	if (queries == 0)
		return 2;
	printf("nDCG@10 %.3f over %zu queries; plain BM25 %.3f\n", ours / (double)queries, queries, plain / (double)queries);
	arena_free(a);
	arena_free(keep);
	return 0;
}

static int
bench(struct db *db, const char *title, const char *words)
{
	struct arena *keep = arena_new(1 << 24), *a = arena_new((size_t)1 << 30);
	struct query *q = arena_alloc(keep, sizeof(*q));
	struct search_found f;
	struct search_in in;
	struct point p;
	struct stmt *s;
	double t, bare, ours;
	char *expr;
	int i, runs = 300;
	size_t used = 0;

	if (!place(db, keep, title, &in, &p))
		return 2;
	query_read(q, keep, str_of(words), LANG_NONE, &(struct query_sets){ NULL });
	query_trim(q, GROUPS);
	q->groups[q->count - 1].prefix = false;
	for (size_t k = 0; k < q->count; k++)
		q->groups[k].alt_count = 0;
	expr = query_expression(q, keep, place_scopes(db, keep, in.no), " AND ");
	t = seconds();
	for (i = 0; i < runs; i++) {
		s = db_use(db, &q_bare);
		bind_text(s, ":query", expr);
		while (stmt_step(s))
			;
	}
	bare = (seconds() - t) / runs;
	t = seconds();
	for (i = 0; i < runs; i++) {
		search(db, a, str_of(words), &in, 1, 20, NULL, &f);
		search_shown(db, a, &f, 0, f.hit_count);
		used = arena_used(a);
		arena_reset(a);
	}
	ours = (seconds() - t) / runs;
	printf("%s: \"%s\": %lld pages; bare %.3f ms, search with excerpts %.3f ms, ratio %.2f; %zu kB\n",
	    title, words, (long long)f.count, bare * 1e3, ours * 1e3, bare / ours, used >> 10);
	arena_free(a);
	arena_free(keep);
	return 0;
}

int
main(int argc, char **argv)
{
	struct arena *a = arena_new(1 << 20);
	const char *error, *server = getenv("OCTAVO_DB");
	struct db *db;
	int rc;

	if (argc < 3 || argc > 5) {
		fprintf(stderr, "usage: judge DB judged.tsv [--found] | judge DB --bench SPACE WORDS\n");
		return 2;
	}
	if ((db = db_open(a, server != NULL ? server : argv[1], DB_READ_WRITE, NULL, &error)) == NULL) {
		fprintf(stderr, "judge: %s\n", error);
		return 2;
	}
	db_begin(db, false);
	rc = argc < 5 ? judge_all(db, argv[2], argc == 4) : bench(db, argv[3], argv[4]);
	db_rollback(db);
	db_close(db);
	arena_free(a);
	return rc;
}
