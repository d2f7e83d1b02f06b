/*
 * Full-text search of PostgreSQL: the parts of db/fulltext.h.
 *
 * A row of search_posting is a term, a row number of the index, and bytes: the sizes of the row's
 * four columns, then its hits of the term. All are numbers of 7 bits for each byte, the lowest
 * first, with the highest bit set in all bytes but the last. A hit is its distance from the one
 * before in the same column, plus 1; 0 and a column: the following ones are in this column, and the
 * first of them counts from 0. So a list is read in the order of its rows without another table.
 */
#ifndef OCTAVO_DB_PG_MATCH_H
#define OCTAVO_DB_PG_MATCH_H

#include "db/fulltext.h"
#include "db_pg.h"

/* An array of bytea as a parameter. */
void pg_array_begin(struct buf *b, struct arena *a);
void pg_array_add(struct buf *b, struct str s);

/* Positions of a term or phrase in a row: the column, shifted by PG_COLUMN, and the position. */
enum { PG_COLUMN = 24 };
struct pg_hits {
	uint32_t *list;
	size_t    count, room;
};

/*
 * db_pg_lists.c: a posting list that is read forward. `row` is the row that it is at: INT64_MAX after
 * the last one, 0 before it is read. A list has the rows of one term, or of all terms that begin so, in
 * any of some scopes.
 */
struct pg_list {
	struct str   term;        /* of an exact one */
	const char  *ranges;      /* of a beginning: the condition of its terms; NULL: exact */
	char         cursor[16];  /* for a beginning, after it was opened */
	PGresult    *result;      /* the rows that were fetched; NULL: none */
	bool         shared;      /* the result is pg_lists.first */
	bool         complete;    /* the result has all rows up to the last one */
	int          at, to;      /* of the result's rows */
	int          no, hits;    /* its columns */
	int64_t      row;
};
struct pg_lists {
	struct pg_db   *p;
	struct arena   *arena;
	struct pg_list **list;
	size_t          count, room;
	PGresult       *first;
	struct pg_hits  merged;   /* of several terms */
};
struct pg_list *pg_list_add(struct pg_lists *l, struct str term, const char *ranges);
/* Fetches the first rows of all exact lists. */
void pg_lists_begin(struct pg_lists *l);
void pg_lists_end(struct pg_lists *l);
/* Moves to the first row that is not below `from`. */
void pg_list_seek(struct pg_lists *l, struct pg_list *list, int64_t from);
/* Adds the hits of the list's row, at which it must be, in the columns (bits); sizes: those of the row, or NULL. */
void pg_list_hits(struct pg_lists *l, const struct pg_list *list, unsigned columns, struct pg_hits *out, int *sizes);

/* db_pg_match.c */
struct pg_match;
bool pg_match_step(struct pg_match *m);
void pg_match_free(struct pg_match *m);

/* db_pg_expression.c: the parts of a query. */
enum pg_node_kind { PG_PHRASE, PG_AND, PG_OR };
struct pg_token {
	struct pg_list **lists;   /* one for each scope, or one for a beginning */
	size_t           count;
	struct pg_hits   hits;
	int64_t          row;
};
struct pg_node {
	enum pg_node_kind kind;
	struct pg_node  **child;
	size_t            count, room;
	int64_t           row;        /* that it matches now */
	/* of a phrase */
	int               number;
	unsigned          columns;    /* bits: where it may match */
	struct str       *words;      /* as in the query: scopes and word */
	struct pg_token  *tokens;     /* one for each word */
	bool              open;       /* the last word may be a beginning */
	struct pg_hits    hits;       /* in the row; in the order of positions */
	size_t           *at;         /* find_phrase(): of each word, a hit */
};
struct pg_expression {
	struct arena    *arena;
	struct pg_node  *root, **phrases;
	size_t           count, room;   /* phrases */
};
/* A panic if the text is none: queries are written by src/search. */
void pg_expression_read(struct pg_expression *e, struct arena *a, const char *text);

#endif
