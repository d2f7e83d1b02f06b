/*
 * Merges two versions of a document into one that marks their differences. Contract:
 * render/compare.h.
 */
#include "compare_parts.h"

/*
 * WINDOW: maximum number of removed blocks among which the earlier version of a block is searched.
 * DEPTH: maximum nesting, which is above that of valid documents.
 */
enum { WINDOW = 24, DEPTH = 200 };

/* ---- marks ---- */

static void
mark_leaf(cJSON *leaf, const char *status)
{
	cJSON *marks = cJSON_GetObjectItemCaseSensitive(leaf, "marks"), *mark = cJSON_CreateObject();

	if (marks == NULL)
		marks = cJSON_AddArrayToObject(leaf, "marks");
	cJSON_AddStringToObject(mark, "object", "mark");
	cJSON_AddStringToObject(mark, "type", status);
	cJSON_AddItemToArray(marks, mark);
}

static bool
has_text_below(const cJSON *node)
{
	return json_member(node, "nodes") != NULL || json_member(node, "fragments") != NULL;
}

/* True for blocks whose children are text and inlines, not blocks. */
static bool
is_line(const cJSON *node)
{
	const char *type = json_text_or_empty(node, "type");

	return strcmp(type, "paragraph") == 0 || strcmp(type, "code-line") == 0 || strncmp(type, "heading-", 8) == 0;
}

/*
 * True for a part of a block, such as a list item. The renderer writes it together with its block,
 * so no <ins> or <del> can be around it.
 */
static bool
is_part(const cJSON *node)
{
	static const char *const types[] = { "list-item", "tabs-item", "stepper-step", "column", "update" };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(json_text_or_empty(node, "type"), types[i]) == 0)
			return true;
	return strcmp(json_text_or_empty(node, "object"), "fragment") == 0;
}

/*
 * Removes anchors and keys (by which comments find their block) from a removed block, since the
 * later version may have the same ones.
 */
static void
drop_anchors(cJSON *node)
{
	cJSON *one;

	cJSON_DeleteItemFromObjectCaseSensitive(node, "meta");
	cJSON_DeleteItemFromObjectCaseSensitive(node, "key");
	cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(node, "nodes"))
		drop_anchors(one);
	cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(node, "fragments"))
		drop_anchors(one);
}

static void
mark_text(cJSON *node, const char *status)
{
	bool inlines = strcmp(json_text_or_empty(node, "object"), "inline") == 0;
	cJSON *one;

	cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(node, "leaves"))
		mark_leaf(one, status);
	if (json_member(node, "leaves") != NULL)
		return;
	if (!is_line(node) && !is_part(node) && !(inlines && json_member(node, "nodes") != NULL)) {
		cJSON_AddStringToObject(node, "compared", status);
		return;
	}
	cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(node, "nodes"))
		mark_text(one, status);
}

void
compare_mark(cJSON *node, const char *status)
{
	if (strcmp(status, COMPARE_REMOVED) == 0)
		drop_anchors(node);
	mark_text(node, status);
}

/* A copy of the node, marked. */
static cJSON *
marked_copy(const cJSON *node, const char *status)
{
	cJSON *copy = cJSON_Duplicate(node, true);

	compare_mark(copy, status);
	return copy;
}

/* ---- blocks of a list ---- */

/* Words of a block: their number, and how many of them are in the set. */
struct words {
	struct map *set;      /* NULL: not counted yet */
	bool        add;      /* new ones to the set */
	size_t      count, shared;
};

static void
count_text(struct words *w, const char *text)
{
	for (size_t n; *text != '\0'; text += n) {
		text += strspn(text, " \t\n");
		n = strcspn(text, " \t\n");
		if (n == 0)
			continue;
		w->count++;
		if (map_get(w->set, (struct str){ text, n }) != NULL)
			w->shared++;
		else if (w->add)
			map_add(w->set, (struct str){ text, n }, w);
	}
}

/* Counts the words of all text below a node. */
static void
count_words(struct words *w, const cJSON *node)
{
	static const char *const lists[] = { "leaves", "nodes", "fragments" };
	const cJSON *one;

	count_text(w, json_text_or_empty(node, "text"));
	for (size_t i = 0; i < 3; i++)
		cJSON_ArrayForEach(one, json_member(node, lists[i]))
			count_words(w, one);
}

/* One of the two lists of blocks. Blocks with equal content have equal ids. */
struct side {
	const cJSON **nodes;
	uint32_t     *ids;
	struct words *words;   /* of each block; counted when they are needed */
	size_t        n;
};

static struct side
read_side(struct compare *c, const cJSON *list)
{
	struct side s = { .n = 0 };
	const cJSON *one;
	size_t n = (size_t)cJSON_GetArraySize(list);

	s.nodes = arena_array(c->arena, n + 1, sizeof(*s.nodes));
	s.ids = arena_array(c->arena, n + 1, sizeof(*s.ids));
	s.words = arena_array(c->arena, n + 1, sizeof(*s.words));
	cJSON_ArrayForEach(one, list) {
		s.nodes[s.n] = one;
		s.ids[s.n++] = diff_table_id(c->table, str_of(cJSON_PrintUnformatted(one)));
	}
	return s;
}

/*
 * True if y is probably an edited version of block i: both have the same type, and share at least a
 * third of the words of the longer one.
 */
static bool
is_edited(struct compare *c, const struct side *x, size_t i, const cJSON *y)
{
	struct words *w = &x->words[i], shared;

	/* An edit inside pictures cannot be marked: show the block before and after it. */
	if (strcmp(json_text_or_empty(x->nodes[i], "type"), json_text_or_empty(y, "type")) != 0 || !has_text_below(x->nodes[i]) ||
	    !has_text_below(y) || strcmp(json_text_or_empty(y, "type"), "images") == 0)
		return false;
	if (w->set == NULL) {
		*w = (struct words){ .set = map_new(c->arena), .add = true };
		count_words(w, x->nodes[i]);
	}
	shared = (struct words){ .set = w->set };
	count_words(&shared, y);
	return shared.shared > 0 && shared.shared * 3 >= (shared.count > w->count ? shared.count : w->count);
}

/* The fragment of the node with the same name, or the same type if it has no name. */
static const cJSON *
same_fragment(const cJSON *node, const cJSON *fragment)
{
	const char *key = json_text_of(fragment, "fragment") != NULL ? "fragment" : "type";
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(node, "fragments"))
		if (strcmp(json_text_or_empty(one, key), json_text_or_empty(fragment, key)) == 0)
			return one;
	return NULL;
}

/* Replaces `nodes` of the copy by the comparison of the lists of x and y. */
void
compare_nodes(struct compare *c, const cJSON *x, const cJSON *y, cJSON *copy)
{
	cJSON *out = cJSON_CreateArray();

	compare_lists(c, json_member(x, "nodes"), json_member(y, "nodes"), out);
	cJSON_ReplaceItemInObjectCaseSensitive(copy, "nodes", out);
}

static void
compare_fragments(struct compare *c, const cJSON *x, const cJSON *y, cJSON *copy)
{
	cJSON *one = cJSON_GetObjectItemCaseSensitive(copy, "fragments");
	const cJSON *fragment = json_member(y, "fragments");

	fragment = fragment != NULL ? fragment->child : NULL;
	for (one = one != NULL ? one->child : NULL; one != NULL && fragment != NULL; one = one->next, fragment = fragment->next)
		compare_nodes(c, same_fragment(x, fragment), fragment, one);
}

/*
 * Appends block y with its differences from x. False: they can only be shown as removed and added.
 */
static bool
compare_pair(struct compare *c, const cJSON *x, const cJSON *y, cJSON *out)
{
	cJSON *copy;

	if (c->depth >= DEPTH)
		return false;
	copy = cJSON_Duplicate(y, true);
	c->depth++;
	if (is_line(y))
		compare_inlines(c, x, y, copy);
	else if (strcmp(json_text_or_empty(y, "type"), "table") == 0) {
		if (!compare_tables(c, x, y, copy))
			copy = NULL;
	} else {
		if (json_member(y, "nodes") != NULL)
			compare_nodes(c, x, y, copy);
		compare_fragments(c, x, y, copy);
	}
	c->depth--;
	if (copy != NULL)
		cJSON_AddItemToArray(out, copy);
	return copy != NULL;
}

/*
 * Searches for the earlier version of block y among the removed blocks from `at` on, at most WINDOW
 * blocks and before `end`. Returns `end` if there is none.
 */
static size_t
earlier_version(struct compare *c, const struct side *x, size_t at, size_t end, const cJSON *y)
{
	for (size_t i = at; i < end && i < at + WINDOW; i++)
		if (is_edited(c, x, i, y))
			return i;
	return end;
}

static void
add_marked(const struct side *s, size_t from, size_t to, const char *status, cJSON *out)
{
	for (; from < to; from++)
		cJSON_AddItemToArray(out, marked_copy(s->nodes[from], status));
}

/*
 * Compares a run of changed blocks between two unchanged ones. Removed blocks come before added
 * ones, as far as no edited block separates them.
 */
static void
compare_run(struct compare *c, const struct side *x, const struct side *y, const struct diff_change *run, cJSON *out)
{
	size_t i, j, x_end = run->x + run->xn, y_end = run->y + run->yn, x_at = run->x, y_at = run->y;

	c->changes++;
	for (j = run->y; j < y_end; j++) {
		if ((i = earlier_version(c, x, x_at, x_end, y->nodes[j])) == x_end)
			continue;
		add_marked(x, x_at, i, COMPARE_REMOVED, out);
		add_marked(y, y_at, j, COMPARE_ADDED, out);
		if (!compare_pair(c, x->nodes[i], y->nodes[j], out)) {
			add_marked(x, i, i + 1, COMPARE_REMOVED, out);
			add_marked(y, j, j + 1, COMPARE_ADDED, out);
		}
		x_at = i + 1;
		y_at = j + 1;
	}
	add_marked(x, x_at, x_end, COMPARE_REMOVED, out);
	add_marked(y, y_at, y_end, COMPARE_ADDED, out);
}

void
compare_lists(struct compare *c, const cJSON *before, const cJSON *after, cJSON *out)
{
	struct side x = read_side(c, before), y = read_side(c, after);
	size_t count, i, at = 0;
	const struct diff_change *list = diff_ids(c->arena, x.ids, x.n, y.ids, y.n, diff_table_count(c->table), &count);

	for (i = 0; i < count; i++) {
		for (; at < list[i].y; at++)
			cJSON_AddItemToArray(out, cJSON_Duplicate(y.nodes[at], true));
		compare_run(c, &x, &y, &list[i], out);
		at = list[i].y + list[i].yn;
	}
	for (; at < y.n; at++)
		cJSON_AddItemToArray(out, cJSON_Duplicate(y.nodes[at], true));
}

cJSON *
compare_documents(struct arena *a, const cJSON *before, const cJSON *after, size_t *changes)
{
	struct compare c = { .arena = a, .table = diff_table_new(a) };
	cJSON *out = cJSON_CreateObject(), *nodes = cJSON_AddArrayToObject(out, "nodes");

	compare_lists(&c, json_member(before, "nodes"), json_member(after, "nodes"), nodes);
	*changes = c.changes;
	return out;
}
