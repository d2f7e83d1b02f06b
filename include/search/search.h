/*
 * Full-text search over the spaces' primary content as it is now.
 *
 * Index. It has one entry for each version of a page: title, headings (with the description), body,
 * and the words of the path. Each term has a scope as its prefix: the number of the space that wrote
 * the entry (src/db/db_terms.h). So the cost of a query depends on its hits in the space, and not
 * on other spaces. The sections of a page are stored as text beside the entry, each with the number
 * of its first word: the position of a hit gives its section, and excerpts are cut from that section.
 *
 * The words of a long page are several rows of the index, each of which is written in a few tens of
 * milliseconds (src/search/search_division.c).
 *
 * Places. A row of search_place says that a space shows an entry. A duplicate of a space begins with
 * places for the entries of its source (search_copy()). It reads the scopes of its source besides its
 * own (table search_reads), and writes its own edits into its own scope. So a search of many spaces
 * finds a shared entry once.
 *
 * Visibility. A revision is searchable exactly when it is visible: the transaction that writes a
 * revision of a main branch also calls search_changed(). Large changes are prepared in transactions
 * of their own: search_ahead() parses, finds the words and fills the index, with rows that are not
 * live; search_changed() only makes them live. If a staged revision (store/stage.h) changes thousands
 * of pages, even that would take too long. Then search_stage() stores in each row the number of the
 * revision at which the row becomes live or stops being live: its turn. SEARCH_FOUND compares the
 * turn with the head, so all rows change when the head moves. Afterwards search_apply_turns() writes
 * the result into the rows. Old rows are deleted at once if they are few, otherwise by
 * search_sweep().
 *
 * A page with the property `noIndex` has no entry. The property does not apply to pages below it.
 *
 * Invariants: each document of a main branch's head without `noIndex` has exactly one live place; its
 * entry has the key of the page's present version and a scope that the space reads. No other page has
 * a live place. search_space.pages is the number of live places of the space. Each entry has a place,
 * and its terms are in search_index: those of all of its parts, if the place is live.
 */
#ifndef OCTAVO_SEARCH_H
#define OCTAVO_SEARCH_H

#include "links/links.h"
#include "app/queue.h"

/* ---- writing ---- */

/*
 * The sections and facts of a body, for a caller that parses the body anyway. The result is in the
 * arena, and does not refer to document and body. links: as for body_facts_make().
 */
struct search_body {
	struct doc_section *sections;
	size_t              count;
	struct body_facts   facts;
};
void search_body(struct arena *a, struct str body, const struct doc *d, const struct doc_link *links,
    struct search_body *out);

struct search_source {
	const struct node        *node;   /* a document; left out where it is noIndex */
	struct str                body;   /* its bytes with includes inserted (store/include.h); p NULL: read node->body */
	const struct search_body *read;   /* result of search_body(), if the body was parsed already; NULL: none */
	struct str                included; /* with body: include_key(); n 0: it includes nothing */
	const struct point       *at;     /* without body; NULL: the head of the space's main branch */
};

/*
 * Writes ahead what the index lacks; outside any transaction. alive() is called now
 * and then and may be NULL. Scratch memory of these functions ends with the arena.
 */
void search_ahead(struct db *db, struct arena *a, const char *space, const struct search_source *list,
    size_t n, void (*alive)(void *ctx, size_t done, size_t total), void *ctx);

/*
 * Updates the index to revision seq of a main branch, from the changes in that revision; inside the
 * transaction that wrote its rows. The cost depends on the changes that were not written ahead. If
 * more than SEARCH_INLINE pages or SEARCH_INLINE_BYTES of bodies are not prepared, it queues a job
 * "index" instead, which also updates the links, and returns false.
 */
enum { SEARCH_INLINE = 1000, SEARCH_INLINE_BYTES = 1 << 20 };
bool search_changed(struct db *db, struct arena *a, const char *space, int64_t branch, int64_t seq);

/* Queues that job, which updates index and links of the space to its head. In a write transaction. */
void search_queue(struct db *db, struct arena *a, const char *space);
/* True if such a job is waiting or running: the index is behind the head. */
bool search_is_behind(struct db *db, const char *space);

/*
 * For a space that is a copy of another space's head: shows the entries of the other space's index,
 * except what that space's own job has not indexed yet. False: nothing is shared, because the
 * source's index contains too many entries that it does not show. steps: nobody can read the new
 * space yet, so the write transaction may be split anywhere.
 */
bool search_copy(struct db *db, struct arena *a, const char *from, const char *to, bool steps);

/*
 * True if the index has this version of a page already (or does not index it). Showing it then
 * reads no body. Only reads.
 */
bool search_has_version(struct db *db, struct arena *a, const char *space, const struct node *n);

/*
 * For a staged point of a main branch: prepares the entries of these nodes, which differ from the
 * head, so that publishing the revision shows them. Outside any transaction, in short ones of its
 * own.
 */
void search_stage(struct db *db, struct arena *a, const struct point *p, const char *const *ids,
    size_t n);

/*
 * Indexes the pages that computed pages of a main branch's head expand to, and removes those that
 * they do not expand to any more. In a write transaction, after the rows of the head and
 * search_changed() or search_show(). An unchanged page needs one look-up. If it would take more
 * than some tens of milliseconds, a job does it (search_computed_slowly()).
 */
void search_computed(struct db *db, struct arena *a, const char *space, int64_t branch);
/* The same, all of it, in as many transactions as it takes: a write transaction is open before and after. */
void search_computed_slowly(struct db *db, struct arena *a, const char *space, int64_t branch);

/* In the write transaction that publishes revision seq: the count follows. */
void search_show(struct db *db, const char *space, int64_t seq);

/*
 * Cleans up after a publication, in short transactions of its own: writes the turns that are in
 * effect at the head into the rows, and deletes prepared entries that no staged revision will show.
 * While a revision is staged, its turns stay.
 */
void search_apply_turns(struct db *db, const char *space);

/* Removes rows that are not valid (any more), in short transactions of its own. */
void search_unused(struct db *db, struct arena *a, const char *space);

/*
 * The same, and optimises the index: occasionally a changed page makes FTS5 rewrite all of it. For
 * the end of a job, after its result is reported.
 */
void search_sweep(struct db *db, struct arena *a, const char *space);

/* Removes a space from the index completely, in short transactions of its own. */
void search_drop(struct db *db, struct arena *a, const char *space);

/* The job "index": rebuilds the parts of a space's index that are wrong. */
void search_job(struct db *db, struct arena *a, const struct job *job);

/* ---- searching ---- */

/*
 * A viewer who does not see everything. sees() says whether the conditions of a part of a page hold
 * for the viewer (several conditions are joined by DOC_AND); with condition NULL, whether the
 * viewer sees the page at all. Words in hidden parts neither find the page nor count in its score.
 * Hidden pages are among the hits, and the caller leaves them out.
 */
struct search_viewer {
	bool (*sees)(void *ctx, const char *page, const char *condition);
	void  *ctx;
};

/* A space to search in: a row of search_space. */
struct search_in {
	const char *space;
	int64_t     no;
	int64_t     pages;
	int64_t     head;       /* of the space's main branch */
	const char *language;   /* the language that the space declares: a code, or NULL */
	const struct search_viewer *viewer;   /* NULL (as search_find() sets it): everything is visible */
};
/* False: the space is not in the index. */
bool search_find(struct db *db, struct arena *a, const char *space, struct search_in *out);

enum { SEARCH_SECTIONS = 3 };
/* Number of hits whose rows are read in one round trip. */
enum { SEARCH_AHEAD = 64 };

struct search_kept;         /* state for search_shown(): positions of the hits (search_parts.h) */
struct search_rest;         /* state for search_hits(): a space whose further hits were not looked up yet (search.c) */

struct search_section {
	size_t      n;          /* number in the page */
	const char *anchor;     /* "" before the first heading */
	const char *heading;    /* "" before the first heading */
	const char *excerpt;    /* plain text around the hits, with … where it was cut */
};

struct search_hit {
	int64_t     no;
	double      score;      /* higher is better */
	const char *page;       /* node; from here on: after search_shown() */
	const char *title, *about;   /* about: description */
	struct search_section sections[SEARCH_SECTIONS];
	size_t      section_count;
};

struct search_found {
	struct search_in   in;
	int64_t            count;      /* pages that match, after search_hits(); a lower bound if several searched spaces share entries */
	double             best;       /* score of the first hit */
	struct search_hit *hits;       /* in order, at most `want`; after search_hits() */
	size_t             hit_count;  /* before search_hits(): 0 if no page matches, otherwise 1 */
	struct search_kept *kept;
	const struct search_rest *rest;
};

/*
 * Finds the matching pages of each space, best first.
 *
 * Steps. First come pages with all words of the query. If these are fewer than 25 (for more than two
 * words: fewer than 25 with all words close together), pages with some of the words follow; the more
 * words a page lacks, the later it comes. If a word has no page at all, similar words are tried: one
 * letter different, two words without their blank, another ending.
 *
 * Words. Synonyms also match, with a lower score: those of documentation in general (search_synonyms.c)
 * and those of the spaces' organization (own_words.h). Words are stemmed in the language of the
 * spaces; if that is not set, in the language of their pages, or else of the query. The
 * last word may be the beginning of a word. Text in quotes is a phrase that every page must
 * contain. A name of several parts ("pg_hba.conf") is a phrase. For a query that is such a name, or
 * a camel-case name, pages with the same spelling come before all others, followed by pages with a
 * name that begins so. A query of one stop word is searched in titles and headings if 25 pages have
 * it there; other stop words of questions count only in a title or heading that is the same
 * question.
 *
 * Equal scores are ordered by path, then by the id of the page, so that an export and an import keep
 * the order. after: return the hits after this score and number (NULL: from the start). The count of a single space is exact in any case, except
 * that it includes pages that a viewer does not see. Only reads.
 */
struct search_after {
	double  score;
	int64_t no;
};
void search(struct db *db, struct arena *a, struct str query, const struct search_in *in, size_t n,
    size_t want, const struct search_after *after, struct search_found *out);

/*
 * Call it before the hits of a space are read when several spaces were searched: search() looks up
 * only the best hit of each, and this function the others, for the spaces that will be shown. In the
 * read transaction and with the arena of search(). Does nothing if one space was searched.
 */
void search_hits(struct search_found *f);

/* Id of a hit's page, without the rest of search_shown(); NULL: the entry was deleted meanwhile. */
const char *search_page(struct db *db, struct arena *a, const struct search_hit *h);

/* Fills in what hits [from, to) show: page, title, sections. */
void search_shown(struct db *db, struct arena *a, struct search_found *f, size_t from, size_t to);

#endif
