/*
 * Full-text search of PostgreSQL: the parts of db/fulltext.h.
 *
 * A row of search_posting is a term, a row number of the index (`no`), and the hits of the term in that
 * row as bytes. These are numbers of variable length (7 bits in each byte, the lowest first; the
 * highest bit is set in all bytes but the last):
 *
 *   four numbers        the number of words in each column of the row: the score needs them
 *   for each hit        the distance of its position from that of the hit before in the same column,
 *                       plus 1; the first hit of a column counts from 0
 *   0, then a column    the following hits are in this column; before that, they are in column 0
 *
 * So a list is read in the order of its rows without another table.
 */
#ifndef OCTAVO_DB_PG_MATCH_H
#define OCTAVO_DB_PG_MATCH_H

#include "db/fulltext.h"
#include "db_pg.h"

/* db_pg_words.c: an array of bytea as the value of a parameter: begins an empty one, and adds an element. */
void pg_array_begin(struct buf *b, struct arena *a);
void pg_array_add(struct buf *b, struct str s);

/* Hits of a term or phrase in a row, each as one number: column << PG_COLUMN | position. */
enum { PG_COLUMN = 24 };
struct pg_hits {
	uint32_t *list;
	size_t    count, room;
};

/*
 * db_pg_lists.c: a posting list that is read forward: of one term (an exact list), or of all terms that
 * begin with one of some texts (an open list).
 */
struct pg_list {
	struct str   term;        /* of an exact list */
	const char  *ranges;      /* of an open list: an SQL condition for its terms; NULL: the list is exact */
	char         cursor[16];  /* of an open list: the name of its cursor; "": not declared yet */
	PGresult    *result;      /* the rows that were fetched; NULL: none */
	bool         shared;      /* the result is pg_lists.first, which has rows of other lists as well */
	bool         complete;    /* the result has the last row of the list */
	int          at, to;      /* the rows of the result that are left: from `at` to before `to` */
	int          no, hits;    /* the columns of the result with the row number and the hits */
	int64_t      row;         /* the row number that the list is at; 0: before the first; INT64_MAX: after the last */
};
struct pg_lists {
	struct pg_db   *p;
	struct arena   *arena;
	struct pg_list **list;
	size_t          count, room;
	PGresult       *first;    /* of pg_lists_begin() */
	struct pg_hits  merged;   /* memory for merging the hits of several terms */
};
/* Adds a list; ranges: as in struct pg_list. */
struct pg_list *pg_list_add(struct pg_lists *l, struct str term, const char *ranges);
/* Fetches the first rows of all exact lists, in one round trip. */
void pg_lists_begin(struct pg_lists *l);
/* Frees results and cursors. */
void pg_lists_end(struct pg_lists *l);
/* Moves to the first row that is not below `from`. */
void pg_list_seek(struct pg_lists *l, struct pg_list *list, int64_t from);
/*
 * Adds the hits of the list's current row that are in these columns (bits). sizes: is set to the number of
 * words in each column of the row; may be NULL.
 */
void pg_list_hits(struct pg_lists *l, const struct pg_list *list, unsigned columns, struct pg_hits *out, int *sizes);
void pg_hits_add(struct arena *a, struct pg_hits *out, uint32_t hit);

/* db_pg_match.c: moves to the next row that the query matches; false: there is none. */
struct pg_match;
bool pg_match_step(struct pg_match *m);
void pg_match_free(struct pg_match *m);

/* db_pg_expression.c: a query as a tree of nodes. In token and node, `row` is the row number that it is at, as in struct pg_list. */
enum pg_node_kind { PG_PHRASE, PG_AND, PG_OR };
/* A word of a phrase. */
struct pg_token {
	struct pg_list **lists;   /* one for each scope; or one open list for all */
	size_t           count;
	struct pg_hits   hits;    /* in the row */
	int64_t          row;
};
struct pg_node {
	enum pg_node_kind kind;
	struct pg_node  **child;      /* of AND and OR */
	size_t            count, room;/* of child; of a phrase: of its words */
	int64_t           row;
	/* The rest is for a phrase. */
	int               number;     /* index in pg_expression.phrases */
	unsigned          columns;    /* bits: where it may match */
	struct str       *words;      /* as in the query: scopes and word */
	struct pg_token  *tokens;     /* one for each word */
	bool              open;       /* the last word may be a beginning */
	struct pg_hits    hits;       /* in the row; in the order of positions */
	size_t           *at;         /* memory for find_phrase(): an index in the hits of each word */
};
struct pg_expression {
	struct arena    *arena;
	struct pg_node  *root, **phrases;
	size_t           count, room;   /* phrases */
};
/* Reads a query. A text that is none is a panic, because src/search writes all queries. */
void pg_expression_read(struct pg_expression *e, struct arena *a, const char *text);

#endif
