/* Compares two lines of text by words. Contract: compare_parts.h. */
#include <ctype.h>

#include "compare_parts.h"

/* A word, a blank, or an inline, which is compared as a whole. */
struct token {
	struct str   text;     /* p NULL: an inline */
	const cJSON *node;     /* the inline, or the leaf that the text belongs to */
};

struct tokens {
	struct token *list;
	uint32_t     *ids;
	size_t        n, room, id_room;
};

/*
 * Length of the next token: a word, blanks, one punctuation mark, or one character of a script
 * without blanks.
 */
static size_t
token_length(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t n = 1;

	if (isspace(p[0])) {
		while (isspace(p[n]))
			n++;
		return n;
	}
	/* From the lead byte 0xe3 (U+3000) on: Chinese, Japanese, Korean, emoji. */
	if (p[0] >= 0xe3) {
		while ((p[n] & 0xc0) == 0x80)
			n++;
		return n;
	}
	if (!isalnum(p[0]) && p[0] < 0x80)
		return 1;
	while (isalnum(p[n]) || p[n] == '_' || (p[n] >= 0x80 && p[n] < 0xe3))
		n++;
	return n;
}

static void
add_token(struct compare *c, struct tokens *t, struct token token, struct str key)
{
	t->list = arena_grow(c->arena, t->list, t->n, &t->room, sizeof(*t->list));
	t->ids = arena_grow(c->arena, t->ids, t->n, &t->id_room, sizeof(*t->ids));
	t->list[t->n] = token;
	t->ids[t->n++] = diff_table_id(c->table, key);
}

/* The same word with other marks (such as bold) counts as another word. */
static void
add_leaf(struct compare *c, struct tokens *t, const cJSON *leaf)
{
	const cJSON *marks = json_member(leaf, "marks");
	const char *set = marks != NULL && marks->child != NULL ? cJSON_PrintUnformatted(marks) : "", *p = json_text_or_empty(leaf, "text");
	size_t n;

	for (; *p != '\0'; p += n) {
		n = token_length(p);
		add_token(c, t, (struct token){ { p, n }, leaf }, str_of(arena_printf(c->arena, "%.*s\n%s", (int)n, p, set)));
	}
}

static struct tokens
read_tokens(struct compare *c, const cJSON *line)
{
	struct tokens t = { .n = 0 };
	const cJSON *one, *leaf;

	cJSON_ArrayForEach(one, json_member(line, "nodes")) {
		if (json_member(one, "leaves") == NULL)
			add_token(c, &t, (struct token){ { NULL, 0 }, one }, str_of(cJSON_PrintUnformatted(one)));
		cJSON_ArrayForEach(leaf, json_member(one, "leaves"))
			add_leaf(c, &t, leaf);
	}
	return t;
}

/* Makes one text node from tokens of one leaf. */
static cJSON *
text_node(struct compare *c, const struct token *t, size_t n)
{
	cJSON *node = cJSON_CreateObject(), *leaves, *leaf = cJSON_Duplicate(t->node, true);
	struct buf b;
	size_t i, bytes = 1;

	for (i = 0; i < n; i++)
		bytes += t[i].text.n;
	buf_init(&b, c->arena, bytes);
	for (i = 0; i < n; i++)
		buf_add(&b, t[i].text.p, t[i].text.n);
	buf_char(&b, '\0');
	/* Positions of anchors refer to the whole leaf, so a part of it has none. */
	cJSON_DeleteItemFromObjectCaseSensitive(leaf, "raw");
	cJSON_ReplaceItemInObjectCaseSensitive(leaf, "text", cJSON_CreateString(b.p));
	cJSON_AddStringToObject(node, "object", "text");
	leaves = cJSON_AddArrayToObject(node, "leaves");
	cJSON_AddItemToArray(leaves, leaf);
	return node;
}

/* Appends tokens from..to; status NULL: they are in both versions. */
static void
add_tokens(struct compare *c, cJSON *out, const struct tokens *t, size_t from, size_t to, const char *status)
{
	size_t n;

	for (; from < to; from += n) {
		cJSON *node;

		n = 1;
		if (t->list[from].text.p == NULL) {
			node = cJSON_Duplicate(t->list[from].node, true);
		} else {
			while (from + n < to && t->list[from + n].text.p != NULL && t->list[from + n].node == t->list[from].node)
				n++;
			node = text_node(c, &t->list[from], n);
		}
		if (status != NULL)
			compare_mark(node, status);
		cJSON_AddItemToArray(out, node);
	}
}

/* A blank between two changed words is part of one change: "new words" and not "new" " " "words". */
static bool
is_blank_between(const struct tokens *y, size_t from, size_t to)
{
	return to == from + 1 && y->list[from].text.p != NULL && isspace((unsigned char)*y->list[from].text.p);
}

void
compare_inlines(struct compare *c, const cJSON *x, const cJSON *y, cJSON *copy)
{
	struct tokens tx = read_tokens(c, x), ty = read_tokens(c, y);
	cJSON *out = cJSON_CreateArray();
	size_t count, i, last, x_from, y_from, at = 0;
	const struct diff_change *list = diff_ids(c->arena, tx.ids, tx.n, ty.ids, ty.n, diff_table_count(c->table), &count);

	for (i = 0; i < count; i = last + 1) {
		add_tokens(c, out, &ty, at, list[i].y, NULL);
		x_from = list[i].x;
		y_from = list[i].y;
		for (last = i; last + 1 < count && is_blank_between(&ty, list[last].y + list[last].yn, list[last + 1].y); last++)
			;
		add_tokens(c, out, &tx, x_from, list[last].x + list[last].xn, COMPARE_REMOVED);
		at = list[last].y + list[last].yn;
		add_tokens(c, out, &ty, y_from, at, COMPARE_ADDED);
	}
	add_tokens(c, out, &ty, at, ty.n, NULL);
	cJSON_ReplaceItemInObjectCaseSensitive(copy, "nodes", out);
}
