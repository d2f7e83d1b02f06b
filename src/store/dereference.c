/*
 * Replaces references to reusable contents by their blocks. A block may also refer to a page, whose
 * blocks are then inserted. A content that contains itself, directly or through others, keeps the
 * inner reference. So does a content that would make the answer too large, since contents can
 * contain each other several times.
 *
 * A content may be inserted twice, and its keys may be used in the page already. So the keys of
 * inserted blocks begin with the key of the block that they replace, and an anchor that is used
 * already gets a number. Keys and anchors of the page's own blocks stay unchanged.
 */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "store/content.h"
#include "base/map.h"

/*
 * If two contents contain each other twice, the output doubles at each level. MAX_NESTING limits
 * the levels, MAX_BYTES the whole output. Each use counts at least REFERENCE_BYTES, so that a
 * million empty contents reach the limit, too.
 */
enum { MAX_NESTING = 8, MAX_BYTES = 8 << 20, REFERENCE_BYTES = 100 };

struct dereference_state {
	struct db          *db;
	struct arena       *arena;
	const struct point *point;
	const char         *open[MAX_NESTING];   /* contents that are being inserted */
	int                 depth;
	size_t              bytes;               /* of JSON inserted so far */
	struct map  *anchors;             /* of the page: anchor -> next free number */
};

static void walk_node(struct dereference_state *d, cJSON *node);

/*
 * The id of the content to which a block refers; NULL: the block is no reference. The text belongs
 * to the tree.
 */
static const char *
reusable_id(const cJSON *node)
{
	const cJSON *data = cJSON_GetObjectItemCaseSensitive(node, "data");
	const char *type = json_text_of(node, "type");

	if (type == NULL || strcmp(type, "reusable-content") != 0)
		return NULL;
	return json_text_of(cJSON_GetObjectItemCaseSensitive(data, "ref"), "reusableContent");
}

/* ---- keys and anchors ---- */

/* Reserves an anchor: the name itself, or the name with the next free number. */
static char *
reserve_anchor(struct dereference_state *d, const char *name)
{
	char *free_name = arena_strdup(d->arena, name);
	int *number = map_get(d->anchors, str_of(name));

	while (map_has(d->anchors, str_of(free_name)))
		free_name = arena_printf(d->arena, "%s-%d", name, ++*number);
	map_add(d->anchors, str_of(free_name), arena_alloc(d->arena, sizeof(*number)));
	return free_name;
}

/* Returns the JSON member, so that its text can be replaced; NULL: the block has no anchor. */
static cJSON *
find_anchor(const cJSON *block)
{
	cJSON *id = cJSON_GetObjectItemCaseSensitive(
	    cJSON_GetObjectItemCaseSensitive(block, "meta"), "id");

	return cJSON_IsString(id) ? id : NULL;
}

/* Notes the page's own anchors, which stay unchanged. */
static void
reserve_own_anchors(struct dereference_state *d, const cJSON *list)
{
	const cJSON *item, *id;

	cJSON_ArrayForEach(item, list) {
		if ((id = find_anchor(item)) != NULL)
			reserve_anchor(d, id->valuestring);
		reserve_own_anchors(d, cJSON_GetObjectItemCaseSensitive(item, "nodes"));
		reserve_own_anchors(d, cJSON_GetObjectItemCaseSensitive(item, "fragments"));
	}
}

/*
 * Prefixes the keys of blocks with that of the block that they replace. Anchors are renamed
 * only when a content is inserted into the page itself, not when it is inserted into another
 * content before.
 */
static void
rename_blocks(struct dereference_state *d, cJSON *list, const char *key_prefix)
{
	cJSON *item, *v;

	cJSON_ArrayForEach(item, list) {
		if (d->depth == 1 && (v = find_anchor(item)) != NULL)
			v->valuestring = reserve_anchor(d, v->valuestring);
		v = cJSON_GetObjectItemCaseSensitive(item, "key");
		if (cJSON_IsString(v))
			v->valuestring = arena_printf(d->arena, "%s-%s", key_prefix, v->valuestring);
		rename_blocks(d, cJSON_GetObjectItemCaseSensitive(item, "nodes"), key_prefix);
		rename_blocks(d, cJSON_GetObjectItemCaseSensitive(item, "fragments"), key_prefix);
	}
}

/* ---- inserting ---- */

bool
content_to_include(struct db *db, struct arena *a, const struct point *p, const char *id, struct node *out)
{
	struct node up;

	if (!node_get(db, a, p, id, out) || !(out->kind & (NODE_REUSABLE | NODE_DOCUMENT)))
		return false;
	/* Climbs to the root: the tree of pages has no cycles. */
	for (up = *out; (up.kind & NODE_PAGES) && strstr(up.props, "\"condition\"") == NULL;)
		if (*up.parent == '\0' || !node_get(db, a, p, up.parent, &up))
			return true;
	return out->kind == NODE_REUSABLE;
}

/* Searches at most MAX_NESTING entries. */
static bool
is_open(const struct dereference_state *d, const char *id)
{
	int i;

	for (i = 0; i < d->depth; i++)
		if (strcmp(d->open[i], id) == 0)
			return true;
	return false;
}

/* The blocks of a content, with references in them replaced; NULL: the content cannot be inserted. */
static cJSON *
read_blocks(struct dereference_state *d, const char *id)
{
	struct node n;
	cJSON *document;
	struct str json;

	if (d->depth == MAX_NESTING || d->bytes > MAX_BYTES || is_open(d, id) ||
	    !content_to_include(d->db, d->arena, d->point, id, &n))
		return NULL;
	json = document_of(d->db, d->arena, d->point, &n).json;
	d->bytes += json.n + REFERENCE_BYTES;
	if (d->bytes > MAX_BYTES || (document = cJSON_ParseWithLength(json.p, json.n)) == NULL)
		return NULL;
	d->open[d->depth++] = id;
	walk_node(d, document);
	d->depth--;
	return cJSON_DetachItemFromObjectCaseSensitive(document, "nodes");
}

/*
 * Appends a whole list to another. cJSON_InsertItemInArray() cannot do it: release 1.7.17 and
 * Debian's 1.7.15 refuse a detached item at the end.
 */
static void
append_items(cJSON *list, cJSON *item)
{
	cJSON *next;

	for (; item != NULL; item = next) {
		next = item->next;
		item->next = item->prev = NULL;
		cJSON_AddItemToArray(list, item);
	}
}

/*
 * Detaches all items and appends them again, since cJSON's own insertion counts from the first item
 * each time.
 */
static void
walk_list(struct dereference_state *d, cJSON *list)
{
	cJSON *item, *next, *blocks;
	const char *id, *key;

	if (list == NULL)
		return;
	item = list->child;
	for (list->child = NULL; item != NULL; item = next) {
		next = item->next;
		item->next = item->prev = NULL;
		blocks = (id = reusable_id(item)) != NULL ? read_blocks(d, id) : NULL;
		if (blocks == NULL) {
			walk_node(d, item);
			cJSON_AddItemToArray(list, item);
			continue;
		}
		key = json_text_of(item, "key");
		rename_blocks(d, blocks, key != NULL ? key : id);
		append_items(list, blocks->child);
	}
}

static void
walk_node(struct dereference_state *d, cJSON *node)
{
	walk_list(d, cJSON_GetObjectItemCaseSensitive(node, "nodes"));
	walk_list(d, cJSON_GetObjectItemCaseSensitive(node, "fragments"));
}

struct str
document_dereferenced(struct db *db, struct arena *a, const struct point *p, const char *self,
    struct str json)
{
	struct dereference_state d = { .db = db, .arena = a, .point = p };
	cJSON *document;

	/* Nearly all documents contain no reference and are not parsed. */
	if (memmem(json.p, json.n, "\"reusable-content\"", 18) == NULL)
		return json;
	if ((document = cJSON_ParseWithLength(json.p, json.n)) == NULL)
		return json;
	d.anchors = map_new(a);
	reserve_own_anchors(&d, cJSON_GetObjectItemCaseSensitive(document, "nodes"));
	/* A reusable content that is read by itself may contain itself too. */
	d.open[d.depth++] = self;
	walk_node(&d, document);
	return str_of(cJSON_PrintUnformatted(document));
}
