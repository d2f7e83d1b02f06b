/*
 * Shared by the files of the search room. Words that have one meaning here:
 *
 *   entry    one version of a page in the index: a row of search_page, with its words in
 *            search_index. A long page has several rows there, its parts
 *   scope    prefix of all words of an entry: the number of the space that wrote it
 *   place    a row of search_place: this space shows this entry
 *   turn     the revision number at which a place begins or stops to count (search.h, "Visibility")
 *   word group   a word, name or phrase of a query with its alternatives (struct query_group)
 *   space group  searched spaces that share entries, such as a space and its duplicates
 */
#ifndef OCTAVO_SEARCH_PARTS_H
#define OCTAVO_SEARCH_PARTS_H

#include "links/links.h"
#include "db/fulltext.h"
#include "search/own_words.h"
#include "search/search.h"
#include "text/words.h"

/* True if row p of search_place counts at :head. */
#define SEARCH_FOUND "CASE WHEN p.turn <= :head THEN 1 - p.live ELSE p.live END = 1"

/*
 * Number of a space in the index, created if missing and `make` is set (which needs a write
 * transaction); 0: none.
 */
int64_t search_space_no(struct db *db, const char *space, bool make);

/* True for nodes that are indexed: documents without `noIndex`. */
bool search_is_indexed(const struct node *n);

/* Columns of search_index. */
enum { IN_TITLE, IN_HEADING, IN_BODY, IN_TRAIL };

/* Kinds of text after a scope (src/db/db_terms.h). */
enum { SCOPE_TEXT = 3, SCOPE_WORD = 4, SCOPE_PACKED = 5 };

/* Writes the beginning of a text in a scope; in a query scopes are separated by commas. */
void search_scope(struct buf *b, const char *scopes, char how);

/*
 * A page version as the index stores it (search_entry.c). entry_head() sets the inputs of its key
 * (included: include_key() of store/include.h), entry_body() or entry_read() the sections and
 * facts, entry_terms() the words in a scope. entry_find(): its row in what the space reads, 0 if
 * none, and its state in the space at the head of its main branch; an entry with a place in the
 * space is preferred.
 *
 * The words of a long page are in several rows of search_index, its parts (search_division.c): part
 * k in row part_row(no, k).
 */
enum entry_state { ENTRY_NONE, ENTRY_ELSEWHERE, ENTRY_IDLE, ENTRY_LIVE };   /* in this order: entry_find() takes the last */
struct entry_part {
	struct buf          terms[4];     /* packed words, one buffer per column of the index */
	size_t              first;        /* section that it begins with */
};
struct entry {
	struct str          key;          /* hash of all that the entry is made from: equal keys share a row */
	const char         *page;         /* id of the page */
	const char         *title, *about;/* about: the description */
	const char         *trail;        /* path of the page without ".md" and README: its words are found, too */
	struct doc_section *sections;     /* `count` of them */
	size_t              count;
	struct entry_part  *parts;        /* `part_count` of them: one row of search_index each */
	size_t              part_count;
	struct buf          division;     /* of the parts but the first: the section that each begins with, PART_BYTES each */
	struct str          body;         /* hash */
	struct body_facts        facts;
	struct buf          starts;       /* position of each section's first word in body and headings, 4 bytes each */
	bool                has_includes; /* the text contains included content */
	bool                made;         /* entry_body() and entry_terms() are done */
	struct str          text;         /* text for excerpts, packed, and its size before: entry_pack() */
	size_t              text_size;
};
/* A row to be removed. */
struct removed_entry {
	int64_t      no, scope, parts;    /* parts: that are in the index */
	struct entry entry;
};
void entry_head(struct arena *a, const struct node *n, struct str included, struct entry *e);
void entry_body(struct arena *a, struct str body, struct entry *e);
void entry_read(struct arena *a, const struct search_body *read, struct entry *e);
void entry_terms(struct arena *a, int64_t scope, struct entry *e);
/* The same for a row that exists, with its parts. */
void entry_terms_again(struct arena *a, int64_t scope, struct str division, struct entry *e);
/* Divides long sections into pieces: entry_read() and entry_body() call it. */
void entry_cut(struct arena *a, struct entry *e);

/* Rows of search_index: numbers of entries are below 1 << PART_SHIFT. */
enum { PART_SHIFT = 40, PART_BYTES = 4 };
static inline int64_t part_row(int64_t no, int64_t part) { return no | part << PART_SHIFT; }
static inline int64_t row_entry(int64_t row) { return row & ((INT64_C(1) << PART_SHIFT) - 1); }
static inline int64_t row_part(int64_t row) { return row >> PART_SHIFT; }
/* Number of parts of a division, and the section that one begins with. */
static inline size_t part_count(struct str division) { return 1 + division.n / PART_BYTES; }
size_t part_first(struct str division, size_t part);

/*
 * Included content is found with the page (search_included.c). included_key(): for entry_head().
 * included_text(): the body with it. included_by(): the ids, plus those of all pages that include
 * any of them, by the links of the head.
 */
struct str included_key(struct db *db, struct arena *a, const struct point *p, const struct node *n);
struct str included_text(struct db *db, struct arena *a, const struct point *p, const struct node *n, struct str body);
const char *const *included_by(struct db *db, struct arena *a, int64_t branch, const char *const *ids, size_t *n);
int64_t entry_find(struct db *db, int64_t space, const struct entry *e, int64_t head, enum entry_state *state);
/*
 * entry_write() adds an entry in the space's own scope, with a place that counts or not.
 * entry_write_slowly() writes the parts of a long one with db_breathe() in between, for a place
 * that does not count; the entry is not found until the last part is written. False: it was removed
 * meanwhile.
 */
void entry_write(struct db *db, struct arena *a, int64_t space, const struct entry *e, bool live);
bool entry_write_slowly(struct db *db, struct arena *a, int64_t space, const struct entry *e);
/*
 * Sections of a row, in the arena: up to `most` bytes of text, and few more than `first` sections.
 * The heading of a part is that of its section. None if the row does not exist.
 */
struct doc_section *entry_sections(struct db *db, struct arena *a, int64_t no, size_t most, size_t first,
    size_t *count);
/* db_ahead() of the texts that entry_sections() reads; bind sets :no. */
void entry_texts_ahead(struct db *db, size_t n, void (*bind)(struct stmt *q, size_t i, void *ctx), void *ctx);
/*
 * Removes a row without places from the index; resets the arena. known: what entry_read_row() read of the row
 * before the transaction; NULL: read it now.
 */
void entry_remove(struct db *db, struct arena *scratch, int64_t no, const struct removed_entry *known);
void entry_read_row(struct db *db, struct arena *a, int64_t no, struct removed_entry *l);
/*
 * Removes the last part of a row that has no place but that of the space, which does not count. False: the
 * row is another one, or has one part.
 */
bool entry_shorten(struct db *db, struct arena *a, int64_t space, struct removed_entry *l);
/* Packs the text before the transaction; entry_write() does so otherwise. */
void entry_pack(struct arena *a, struct entry *e);

/*
 * Places (search_place.c); all but place_scopes() need a write transaction. place_scopes(): scopes
 * that a space reads, in the form of search_scope(); "" if none. place_write(): from now on it
 * reads its own scope. place_set(): the entry counts in the space, or waits. place_wait(): it is not
 * finished, and no sweep removes it. place_retire(): stop
 * counting the page's entries, except number `but` (0: all); returns how many. place_drop(): remove
 * the entry from the space, and from the index with its last place.
 */
const char *place_scopes(struct db *db, struct arena *a, int64_t space);
void place_write(struct db *db, int64_t space);
void place_set(struct db *db, int64_t space, int64_t no, bool live);
void place_wait(struct db *db, int64_t space, int64_t no);
int64_t place_retire(struct db *db, int64_t space, const char *page, int64_t but, int64_t head);
void place_drop(struct db *db, struct arena *scratch, int64_t space, int64_t no, const struct removed_entry *known);

/*
 * Spaces that share entries and are searched together (search_group.c). group_spaces(): groups of all
 * spaces that have entries. group_of_one(): one space of a group. space_shows_entry(): true if the space
 * shows the entry at its head.
 */
struct space_group {
	const struct search_in *in;
	const size_t           *at;       /* their indexes in the list of the search */
	size_t                  count;
	const char             *scopes;   /* scopes that they read, in the form of search_scope() */
	int64_t                 pages;    /* of the largest space */
};
struct space_group *group_spaces(struct db *db, struct arena *a, const struct search_in *in, size_t n, size_t *count);
struct space_group group_of_one(const struct space_group *g, size_t i);
bool space_shows_entry(struct db *db, const struct search_in *in, int64_t no);

/*
 * is_shown() checks whether any space of the group shows an entry. It is fast if the entries come in
 * the order of their numbers. Only one iterator at a time, since they share a statement.
 */
struct shown_iterator {
	struct db                *db;
	const struct space_group *group;
	struct stmt              *q;
	int64_t                   at;     /* row number that the statement is at; INT64_MAX: at its end */
	int64_t                   last_row; /* last row number that is_shown() got */
	int64_t                   most, left; /* rows that the statement has at most, and that it still has */
};
void shown_begin(struct shown_iterator *s, struct db *db, const struct space_group *g);
bool is_shown(struct shown_iterator *s, int64_t no);

/*
 * A query: groups, each of which must be found, made of glued parts, each a word. For FTS5 every
 * alternative of a group is a phrase.
 */
enum { GROUPS = 24, PARTS = 8, ALTS = 8, ALT_WORDS = 4, HINTS = 8, TYPED = 12 };

struct query_word {
	char   text[WORD_MAX];
	size_t n;                         /* 0: there is none */
};

struct query_part {
	struct query_word word, stem, sign;
	struct query_word link;           /* the word after its connecting signs: "_connections" */
};

/* An alternative to the group's words, a phrase. */
struct query_alt {
	struct query_word words[ALT_WORDS];
	size_t            count;          /* of words */
	double            weight;         /* weight of a hit; the group itself has 1 */
	bool              open;           /* the last word may be a beginning */
	bool              synonym;        /* a synonym: not weighted where the word itself occurs */
	bool              named;          /* counts only in titles, headings and paths */
};

struct query_group {
	struct query_part parts[PARTS];   /* words that are glued together, as in star-tree: one part each */
	size_t            count;          /* of parts */
	int               at;             /* position in the query, counting stop words */
	bool              joined;         /* has signs of code: inflections do not count */
	bool              pair;           /* dense script */
	bool              quoted;         /* an exact phrase that every page must have */
	bool              stop;           /* stop word of questions */
	bool              light;          /* word with little meaning */
	bool              prefix;         /* the word may be a beginning */
	bool              identifier;     /* an identifier: max_connections, .env, useEffect */
	bool              name;           /* an identifier in one word: useEffect */
	struct query_part literal[PARTS]; /* exact spelling of a name of several words: max_connections, star-tree */
	size_t            literal_count;  /* 0: the group is not such a name */
	struct query_alt  alts[ALTS];
	size_t            alt_count;
	struct query_word hints[HINTS];   /* parts of a name, or their stems */
	size_t            hint_count;
};

/* A phrase of the expression for FTS5; its number in query.phrases is that of its hits. */
struct query_phrase {
	int    group;                     /* index of the group that it is an alternative of */
	double weight;                    /* 1: the words as typed */
	int    width;                     /* words of a text that it covers */
	bool   synonym;                   /* a synonym */
	bool   hint;                      /* a part of a name, only in titles and paths */
	bool   whole;                     /* the whole query as typed, in titles and headings */
	bool   literal;                   /* exact spelling of a name */
	bool   open;                      /* its last word may be a beginning */
};

struct query {
	struct query_group  groups[GROUPS];
	size_t              count;
	struct query_word   typed[TYPED]; /* all words in order, if the groups omit some */
	size_t              typed_count;
	struct query_phrase phrases[DB_PHRASES]; /* set by query_expression() */
	int                 phrase_count;
	size_t              most;         /* alternatives up to which the dictionary fills a group */
	bool                titles;       /* searches only titles and headings */
	bool                compounds;    /* the language writes compounds as one word */
	bool                anywhere;     /* `named` alternatives count in the body too */
	uint64_t            uncounted;    /* bits of phrases that are not counted for weights */
};

/*
 * Synonyms for reading a query: the organization's sets, and the number of alternatives up to which
 * the dictionary fills a group.
 */
struct query_sets {
	const struct own_set *list;
	size_t                n, most;
};
void query_read(struct query *q, struct arena *a, struct str text, enum language lang,
    const struct query_sets *own);

/*
 * Add synonyms of the dictionary and the organization, and other forms of version numbers
 * (search_synonyms.c).
 */
void query_add_synonyms(struct query *q, const struct query_sets *own);
void query_add_numbers(struct query *q);
/* The dictionary of all searches (search_dictionary.c). */
extern const char *const search_dictionary[][OWN_MEMBERS + 1];
extern const size_t search_dictionary_size;

/* Treats the last word as a beginning; false if it was one already. */
bool query_open(struct query *q);

/*
 * Makes each part a group of its own, to search for some of the words. dense: only in runs of dense
 * script.
 */
void query_loosen(struct query *q, struct arena *a, bool dense);

/* Drops stop words, unless there is nothing else, and all but `most` groups. */
void query_trim(struct query *q, size_t most);

/* MATCH expression for some scopes, with " AND " or " OR " between groups. */
char *query_expression(struct query *q, struct arena *a, const char *scopes, const char *between);

/* Expression for one group alone, in columns where it makes a page a hit. */
char *query_group_expression(const struct query_group *g, struct arena *a, const char *scopes);

/* True for a single stop word, which nearly all pages contain. */
bool query_stops(const struct query *q);

/*
 * Adds corrections of a group's word that no page has, or its parts in a language with compounds
 * (search_near.c); true if there are any.
 */
bool query_correct(struct db *db, struct arena *a, struct query_group *g, bool compounds, const char *scopes);

/*
 * Searching for a viewer who does not see everything (search_viewer.c). viewer_search_new(): NULL if
 * the viewer sees everything. cut_hidden_hits(): removes hits in hidden sections from a match (query:
 * whose phrases these are; may be NULL); true if the row has such a section. viewer_sees_page(): true
 * if the viewer sees the page of a row at all.
 */
struct viewer_search *viewer_search_new(struct db *db, struct arena *a, const struct search_in *in);
bool cut_hidden_hits(const struct viewer_search *s, const struct query *query, struct db_match *m, int64_t part);
bool viewer_sees_page(const struct viewer_search *s, int64_t no);

/*
 * These read search_page.sections: where a section begins, in words of the body (0) or the headings
 * (1), and the section at a word.
 */
uint32_t entry_section_start(struct str starts, size_t i, int heading);
size_t entry_section_at(struct str starts, int position, int heading);

/* A candidate for the results, with its first hits. */
enum { KEPT_HITS = 200 };
struct candidate {
	int64_t       no;                 /* of the entry */
	double        score, coverage;    /* as in struct verdict */
	struct db_hit *hits;              /* `count` of them; memory for `room` */
	int           count, room;
	const char    *name;              /* orders equal scores (read_name()); NULL: not read yet */
	const struct search_hit *shown;   /* the hit already made for another place that shares it; NULL: none */
};

/*
 * Language in which to read a query (search_language.c): that of all spaces; if these differ, that
 * of the query's words, or LANG_NONE.
 */
enum language search_language(struct db *db, struct arena *a, struct str text, const struct search_in *in, size_t n);

/* Inputs of scores in one place (search_score.c). */
struct score_context {
	const struct query *query;
	bool                loose;        /* some of the words suffice */
	double              idf[GROUPS];  /* weight of each group: the rarer, the more (inverse document frequency) */
	double              idf_all;      /* their sum */
};

/* Sets the weights of groups from the pages that have them; m must be at the first row. */
void score_weigh(struct score_context *s, const struct db_match *m, int64_t pages);

/* Score of a row; score_row() returns false if it is no hit. */
struct verdict {
	double score;
	double coverage;     /* 0 to 1: share of the query that the page has */
	double together;     /* 0 to 1: share of the query's words that are close together in the page */
	double titled;       /* 0 to 1: similarity of query and title */
};
bool score_row(const struct score_context *s, const struct db_match *m, struct verdict *out);

/*
 * Matches of long pages (search_long.c). match_entry(): after each row that matched; m->row becomes
 * the number of its entry, and the positions of its hits those in the whole entry. Returns the part.
 * long_pages_of(): the entries of the group that have several parts; NULL: none. long_keep(): false
 * for a match of another page; else the best match of the page is kept until long_next() puts it
 * into m again, after all rows; NULL: that was the last.
 */
struct long_match {
	int64_t        no;
	struct verdict verdict;
	struct db_hit *hits;        /* NULL: the page is not found */
	int            count;
};
int64_t match_entry(struct db *db, struct db_match *m);
struct long_pages *long_pages_of(struct db *db, struct arena *a, const struct space_group *g);
bool long_keep(struct arena *a, struct long_pages *l, const struct db_match *m, const struct verdict *v);
const struct long_match *long_next(const struct long_pages *l, size_t *at, struct db_match *m);

/*
 * Bonus of a section's page: a query for the title means the whole section. Not part of
 * score_row(), as the caller must look that up.
 */
double score_section(const struct score_context *s, const struct verdict *v);

/* State of a search that its excerpts need. */
struct search_kept {
	const struct query *query;   /* the same for all spaces */
	double             idf[GROUPS];
	struct candidate **list;
};

/* Writes the hit sections with excerpts into h. starts: search_page.sections. */
void search_excerpts(struct db *db, struct arena *a, const struct search_kept *kept, struct str starts,
    const struct candidate *c, struct search_hit *h);

#endif
