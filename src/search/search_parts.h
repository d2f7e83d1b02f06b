/* What the files of the search module share. */
#ifndef OCTAVO_SEARCH_PARTS_H
#define OCTAVO_SEARCH_PARTS_H

#include "links/links.h"
#include "db/fulltext.h"
#include "search/own_words.h"
#include "search/search.h"
#include "text/words.h"

/* Does the row p of search_place count at :head? */
#define SEARCH_FOUND "CASE WHEN p.turn <= :head THEN 1 - p.live ELSE p.live END = 1"

/* The number of a space in the index, made if need be and wanted; 0: none. In a write transaction to make it. */
int64_t search_space_no(struct db *db, const char *space, bool make);

/* Is the node one that the index holds: a document that is not set `noIndex`? */
bool search_takes(const struct node *n);

/* Columns of search_index. */
enum { IN_TITLE, IN_HEADING, IN_BODY, IN_TRAIL };

/* How a text after its scope reads (src/db/db_tokenizer.c). */
enum { SCOPE_TEXT = 3, SCOPE_WORD = 4, SCOPE_PACKED = 5 };

/* The beginning of a text in a scope; of a query in several, a comma between them. */
void search_scope(struct buf *b, const char *scopes, char how);

/*
 * A page version as the index holds it (search_entry.c). entry_head fills in
 * what its key is made of (included: include_key() of store/include.h), entry_body or entry_read the sections and facts, entry_terms the
 * words in a scope. entry_find: its row in what the space reads, 0 if there is
 * none, and how it stands to the space, at the head of its main branch: an
 * entry with a place in the space comes before one that others have alone.
 * entry_write adds it in the space's own scope, with a place that counts or not.
 */
enum entry_state { ENTRY_NONE, ENTRY_ELSEWHERE, ENTRY_IDLE, ENTRY_LIVE };   /* in order: entry_find() takes the last */
struct entry {
	struct str          key;
	const char         *page, *title, *about, *trail;
	struct doc_section *sections;
	size_t              count;
	struct buf          terms[4];     /* packed, in the order of the index's columns */
	struct str          body;         /* hash */
	struct body_facts        facts;
	struct buf          starts;       /* section's first word in body and headings, 4 bytes each */
	bool                puts_in;      /* its text is more than the body */
	bool                made;         /* entry_body() and entry_terms() have filled it in */
};
void entry_head(struct arena *a, const struct node *n, struct str included, struct entry *e);
void entry_body(struct arena *a, struct str body, struct entry *e);
void entry_read(struct arena *a, const struct search_body *read, struct entry *e);
void entry_terms(struct arena *a, int64_t scope, struct entry *e);
/*
 * What a page includes is found with the page (search_included.c). included_key: for entry_head();
 * included_text: the body with it. included_by: the ids, and those of the pages that include any of
 * them as the links of the head tell.
 */
struct str included_key(struct db *db, struct arena *a, const struct point *p, const struct node *n);
struct str included_text(struct db *db, struct arena *a, const struct point *p, const struct node *n, struct str body);
const char *const *included_by(struct db *db, struct arena *a, int64_t branch, const char *const *ids, size_t *n);
int64_t entry_find(struct db *db, int64_t space, const struct entry *e, int64_t head, enum entry_state *state);
void entry_write(struct db *db, struct arena *a, int64_t space, const struct entry *e, bool live);
/*
 * The sections of a row, in the arena: as far as the first `most` bytes of their text go, and
 * not many more than the `first` ones; of a part the heading is the one that it stands under.
 * Of a row that is not there: none.
 */
struct doc_section *entry_sections(struct db *db, struct arena *a, int64_t no, size_t most, size_t first,
    size_t *count);
/* Takes a row out of the index that has no place any more; the arena is reset. */
void entry_remove(struct db *db, struct arena *scratch, int64_t no);

/*
 * Places (search_place.c). place_scopes: those that a space reads, as search_scope() wants them;
 * "" where there is nothing. The others in a write transaction. place_write: from now on it reads
 * its own. place_set: the entry counts in the space, or waits there. place_retire: takes the page's
 * entries out of the count, but the one with the number `but` (0: all of them); how many.
 * place_drop: out of the space, and out of the index with the last place.
 */
const char *place_scopes(struct db *db, struct arena *a, int64_t space);
void place_write(struct db *db, int64_t space);
void place_set(struct db *db, int64_t space, int64_t no, bool live);
int64_t place_retire(struct db *db, int64_t space, const char *page, int64_t but, int64_t head);
void place_drop(struct db *db, struct arena *scratch, int64_t space, int64_t no);

/*
 * Places of a search that are asked as one, since they share entries (search_group.c).
 * groups_of: all places that have anything. group_alone: one place of a group. group_shows:
 * does the place show the entry at its head?
 */
struct group {
	const struct search_in *in;
	const size_t           *at;       /* their numbers in the list of the search */
	size_t                  count;
	const char             *scopes;   /* that they read, as search_scope() wants them */
	int64_t                 pages;    /* of the largest */
};
struct group *groups_of(struct db *db, struct arena *a, const struct search_in *in, size_t n, size_t *count);
struct group group_alone(const struct group *g, size_t i);
bool group_shows(struct db *db, const struct search_in *in, int64_t no);

/*
 * Does any place of the group show these entries, asked for in the order of their numbers? One
 * at a time: it holds a statement.
 */
struct showing {
	struct db          *db;
	const struct group *group;
	struct stmt        *q;
	int64_t             at;           /* number that the statement is at; INT64_MAX: behind the last one */
};
void showing_begin(struct showing *s, struct db *db, const struct group *g);
bool is_shown(struct showing *s, int64_t no);

/*
 * A query: groups that each are to be found, of glued parts that each are a
 * word. In the index's own language every alternative of a group is a phrase.
 */
enum { GROUPS = 24, PARTS = 8, ALTS = 8, ALT_WORDS = 4, HINTS = 8, TYPED = 12 };

struct query_word {
	char   text[WORD_MAX];
	size_t n;                         /* 0: there is none */
};

struct query_part {
	struct query_word word, stem, sign;
	struct query_word link;           /* the word behind the signs that connect it: "_connections" */
};

/* Something else that does as well, a phrase. */
struct query_alt {
	struct query_word words[ALT_WORDS];
	size_t            count;
	double            weight;         /* of a hit; the group itself: 1 */
	bool              open;           /* the last word may go on */
	bool              same;           /* another word for it: it makes no weight where the word itself is found */
	bool              named;          /* counts where it names something: in titles, headings and paths */
};

struct query_group {
	struct query_part parts[PARTS];
	size_t            count;
	int               at;             /* place in the query, stop words counted */
	bool              joined;         /* with signs of code: inflections do not count */
	bool              pair;           /* dense script */
	bool              quoted;         /* a phrase, word by word, that every page must have */
	bool              stop;           /* a word that only makes a question */
	bool              light;          /* a word that says little */
	bool              prefix;         /* the word may go on */
	bool              identifier;     /* a name of code: max_connections, .env, useEffect */
	bool              name;           /* a name in one word: useEffect */
	struct query_part literal[PARTS]; /* a name of several, as it is spelled: max_connections, star-tree */
	size_t            literal_count;  /* 0: it is none */
	struct query_alt  alts[ALTS];
	size_t            alt_count;
	struct query_word hints[HINTS];   /* what a name is made of: parts, or their stems */
	size_t            hint_count;
};

struct query_phrase {
	int    group;
	double weight;                    /* 1: the words as they are asked for */
	int    width;                     /* words of a text that it covers */
	bool   same;                      /* another word for it */
	bool   hint;                      /* a part of a name, looked for in titles and paths alone */
	bool   whole;                     /* the query as it was typed, in titles and headings */
	bool   literal;                   /* a name as it is spelled */
	bool   open;                      /* its last word may go on */
};

struct query {
	struct query_group  groups[GROUPS];
	size_t              count;
	struct query_word   typed[TYPED]; /* all its words in order, where some are left out of the groups */
	size_t              typed_count;
	struct query_phrase phrases[DB_PHRASES];
	int                 phrase_count;
	size_t              most;         /* alternatives of a group with those of the dictionary */
	bool                titles;       /* looked for in titles and headings alone */
	bool                compounds;    /* its language writes compounds as one word */
	bool                anywhere;     /* alternatives that are `named` count in the body, too */
	uint64_t            uncounted;    /* bits of phrases whose rows do not make a group's weight */
};

/*
 * What one reads a query with: the sets of words of the organization that asks, and with how many
 * alternatives a group is filled up from the dictionary.
 */
struct query_sets {
	const struct own_set *list;
	size_t                n, most;
};
void query_read(struct query *q, struct arena *a, struct str text, enum language lang,
    const struct query_sets *own);

/*
 * Other words that documentation and the organization have for the query's, and other forms of
 * its versions (search_same.c).
 */
void query_same(struct query *q, const struct query_sets *own);
void query_numbers(struct query *q);
/* The dictionary that every search has (search_dictionary.c). */
extern const char *const search_dictionary[][OWN_MEMBERS + 1];
extern const size_t search_dictionary_size;

/* Takes the last word for a beginning; false if it was taken for one already. */
bool query_open(struct query *q);

/* Every part a group of its own: for looking for some of the words. dense: runs of dense script alone. */
void query_loosen(struct query *q, struct arena *a, bool dense);

/* Leaves stop words out unless there is nothing else; and all but `most` groups. */
void query_trim(struct query *q, size_t most);

/* The MATCH expression for some scopes, groups between " AND " or " OR ". */
char *query_expression(struct query *q, struct arena *a, const char *scopes, const char *between);

/* One group alone, where it makes a page a hit. */
char *query_group_expression(const struct query_group *g, struct arena *a, const char *scopes);

/* Is it one word that only makes a question? Nearly all pages have it somewhere. */
bool query_stops(const struct query *q);

/*
 * Fills in what is nearly a group's word, which is in no page, or what it is made of where its language writes
 * compounds as one word (search_near.c); true if there is something.
 */
bool query_mend(struct db *db, struct arena *a, struct query_group *g, bool compounds, const char *scopes);

/*
 * What the viewer of a place sees of it (search_seen.c); NULL: all. seeing_cut: takes the
 * hits out of a match that they do not see (query: whose phrases they are; NULL: not known);
 * true if the row has a part that they do not see. seeing_page: do they see the page of a row at all?
 */
struct seeing *seeing_of(struct db *db, struct arena *a, const struct search_in *in);
bool seeing_cut(const struct seeing *s, const struct query *query, struct db_match *m);
bool seeing_page(const struct seeing *s, int64_t no);

/* Of search_page.sections: where a section begins, in words of the body (0) or the headings (1), and the section at a word. */
uint32_t entry_section_start(struct str starts, size_t i, int heading);
size_t entry_section_at(struct str starts, int position, int heading);

/* A page that may be shown, with its first hits. */
enum { KEPT_HITS = 200 };
struct candidate {
	int64_t       no;
	double        score, coverage;
	struct db_hit *hits;
	int           count, room;
	const struct search_hit *shown;   /* by one of the places that share it; NULL: by none yet */
};

/*
 * The language to read a query in (search_language.c): what the places have in common; where
 * they differ, that of the query's own words, or LANG_NONE.
 */
enum language search_language(struct db *db, struct arena *a, struct str text, const struct search_in *in, size_t n);

/* What makes scores in one place (search_score.c). */
struct scoring {
	const struct query *query;
	bool                loose;        /* some of the words are enough */
	double              idf[GROUPS];  /* weights of groups */
	double              idf_all;
};

/* Weighs the groups by the pages that have them; m is at the first row. */
void score_weigh(struct scoring *s, const struct db_match *m, int64_t pages);

/* False: the row is no hit. */
struct verdict {
	double score;
	double coverage;     /* 0 to 1: how much of the query the page has */
	double together;     /* 0 to 1: how much of it in one place */
	double titled;       /* 0 to 1: how far query and title are the same */
};
bool score_row(const struct scoring *s, const struct db_match *m, struct verdict *out);

/*
 * What a row is worth beside its score if it is the page of a section: who asks for what the title
 * says is asking for all of it. It is not in score_row(), as the caller has to look that up.
 */
double score_section(const struct scoring *s, const struct verdict *v);

/* What is kept of a search for its excerpts. */
struct search_kept {
	const struct query *query;      /* the same for all places */
	double             idf[GROUPS];
	struct candidate **list;
};

/* The sections that the hits are in, with excerpts, into h. starts: search_page.sections. */
void search_excerpts(struct db *db, struct arena *a, const struct search_kept *kept, struct str starts,
    const struct candidate *c, struct search_hit *h);

#endif
