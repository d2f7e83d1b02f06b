/* Reads full-text queries (db/fulltext.h) into nodes, as FTS5 does. */
#include <ctype.h>
#include <string.h>

#include "base/panic.h"
#include "db_pg_match.h"

struct reader {
	struct pg_expression *e;
	const char           *at;         /* the rest of the text */
	unsigned              columns;    /* bits: the columns of the part that is being read */
};

static struct pg_node *read_or(struct reader *r);

/* If the text goes on with this word, skips it and returns true. White space before it is skipped in any case. */
static bool
take_word(struct reader *r, const char *word)
{
	while (isspace((unsigned char)*r->at))
		r->at++;
	if (!str_starts(str_of(r->at), word))
		return false;
	r->at += strlen(word);
	return true;
}

static struct pg_node *
node_new(struct reader *r, enum pg_node_kind kind)
{
	struct pg_node *n = arena_alloc(r->e->arena, sizeof(*n));

	n->kind = kind;
	n->columns = r->columns;
	return n;
}

static void
add_child(struct reader *r, struct pg_node *n, struct pg_node *child)
{
	n->child = arena_grow(r->e->arena, n->child, n->count, &n->room, sizeof(*n->child));
	n->child[n->count++] = child;
}

/* "a" + "b" *: a quote in a string is written twice, but no query has one. */
static struct pg_node *
read_phrase(struct reader *r)
{
	struct pg_node *n = node_new(r, PG_PHRASE);
	const char *end;

	do {
		if (!take_word(r, "\"") || (end = strchr(r->at, '"')) == NULL)
			panic("full-text query: no string at %s", r->at);
		n->words = arena_grow(r->e->arena, n->words, n->count, &n->room, sizeof(*n->words));
		n->words[n->count++] = (struct str){ r->at, (size_t)(end - r->at) };
		r->at = end + 1;
	} while (take_word(r, "+"));
	n->open = take_word(r, "*");
	n->number = (int)r->e->count;
	r->e->phrases = arena_grow(r->e->arena, r->e->phrases, r->e->count, &r->e->room, sizeof(*r->e->phrases));
	r->e->phrases[r->e->count++] = n;
	return n;
}

/* Reads "title body} :", after the opening brace. Returns the columns as bits. */
static unsigned
read_columns(struct reader *r)
{
	static const char *const names[DB_COLUMNS] = { "title", "heading", "body", "trail" };
	unsigned columns = 0;
	int i;

	while (!take_word(r, "}")) {
		for (i = 0; i < DB_COLUMNS && !take_word(r, names[i]); i++)
			;
		if (i == DB_COLUMNS)
			panic("full-text query: no column at %s", r->at);
		columns |= 1u << i;
	}
	if (!take_word(r, ":"))
		panic("full-text query: no colon at %s", r->at);
	return columns;
}

/* Reads a phrase, or an expression in parentheses; columns in braces may come before it. */
static struct pg_node *
read_part(struct reader *r)
{
	unsigned outer = r->columns;
	struct pg_node *n;

	if (take_word(r, "{"))
		r->columns &= read_columns(r);
	if (take_word(r, "(")) {
		n = read_or(r);
		if (!take_word(r, ")"))
			panic("full-text query: no parenthesis at %s", r->at);
	} else {
		n = read_phrase(r);
	}
	r->columns = outer;
	return n;
}

/* Reads parts with the word between them. One part alone is no list. */
static struct pg_node *
read_list(struct reader *r, const char *word, enum pg_node_kind kind, struct pg_node *(*read)(struct reader *))
{
	struct pg_node *first = read(r), *n;

	if (!take_word(r, word))
		return first;
	n = node_new(r, kind);
	add_child(r, n, first);
	do
		add_child(r, n, read(r));
	while (take_word(r, word));
	return n;
}

static struct pg_node *
read_and(struct reader *r)
{
	return read_list(r, "AND", PG_AND, read_part);
}

static struct pg_node *
read_or(struct reader *r)
{
	return read_list(r, "OR", PG_OR, read_and);
}

void
pg_expression_read(struct pg_expression *e, struct arena *a, const char *text)
{
	struct reader r = { .e = e, .at = text, .columns = (1u << DB_COLUMNS) - 1 };

	*e = (struct pg_expression){ .arena = a };
	e->root = read_or(&r);
	/* Skips white space at the end. */
	if (!take_word(&r, "") || *r.at != '\0')
		panic("full-text query: what is %s", r.at);
}
