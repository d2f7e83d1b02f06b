/* Order keys of pages in the database. store/order.h has the reasons and the contract. */
#include <assert.h>
#include <cjson/cJSON.h>

#include "base/json.h"
#include "store/order.h"
#include "store/overlay.h"

SQL(q_versions,
    "SELECT since, parent, ord FROM node WHERE branch = :b AND id = :id AND since > :from "
    "AND since <= :to AND kind <> 'gone' ORDER BY since");

/* ---- marks ---- */

/* Ids of pages contain no colon, so no page has the id of a mark. */
#define MARK "order:"

bool
order_is_mark(const char *id)
{
	return strncmp(id, MARK, strlen(MARK)) == 0;
}

static const char *
mark_id(struct arena *a, const char *parent)
{
	return arena_printf(a, MARK "%s", parent);
}

/*
 * -1: the keys below this parent were never renumbered. The keys of an overlay belong to the era at
 * its base point, whatever marks the overlay has itself.
 */
int64_t
order_era(struct db *db, struct arena *a, const struct point *p, const char *parent)
{
	struct point main = p->base != 0 ? overlay_base(p) : *p;
	struct node mark;

	return node_get(db, a, &main, mark_id(a, parent), &mark) ? mark.since : -1;
}

/* Reads the mark that the branch itself wrote in this revision. */
static bool
read_mark(struct db *db, struct arena *a, const struct point *p, const char *parent,
    struct node *mark)
{
	return node_at(db, a, p, mark_id(a, parent), mark) && mark->since == p->seq;
}

/* True if the mark lists the page: the revision of the mark has placed it. */
static bool
mark_names(const struct node *mark, const char *id)
{
	cJSON *props = cJSON_Parse(mark->props);
	const cJSON *v;
	bool found = false;

	cJSON_ArrayForEach(v, cJSON_GetObjectItemCaseSensitive(props, "placed"))
		found |= cJSON_IsString(v) && strcmp(v->valuestring, id) == 0;
	cJSON_Delete(props);
	return found;
}

/* Any new version of the mark begins an era, whatever its content. */
static void
put_mark(struct db *db, struct arena *a, const struct point *now, const char *parent,
    const char *const *placed, size_t n)
{
	struct node mark = { .id = mark_id(a, parent), .kind = NODE_SETTING, .origin = -1, .parent = "",
		.ord = "", .slug = "", .title = "", .at = time_now(), .made = time_now() };
	struct json j;
	struct buf b;
	size_t k;

	buf_init(&b, a, 64 << 20);
	json_init(&j, &b);
	json_obj(&j);
	json_karr(&j, "placed");
	for (k = 0; k < n; k++)
		json_str(&j, placed[k]);
	json_end(&j);
	json_end(&j);
	mark.props = b.p;
	node_put(db, now->branch, now->seq, &mark);
}

/* True if parent and key are equal. Keys are comparable only if both rows are of the same era. */
static bool
same_place_and_key(const struct node *x, const struct node *y)
{
	return strcmp(x->parent, y->parent) == 0 && strcmp(x->ord, y->ord) == 0;
}

/*
 * True if the request placed the page: its place differs from main's place at the base point, and
 * from the place in the version that the row was made from. (A page in a conflict may have either
 * place.) *avoid: the key in that version, or NULL.
 */
static bool
is_placed_by(struct db *db, struct arena *a, const struct point *request, const struct node *n,
    const char **avoid)
{
	struct point base = overlay_base(request);
	struct node then;

	*avoid = NULL;
	/* The row is one of main, or a tombstone, so the request has not placed the page. */
	if (n->branch != request->branch || (n->kind & NODE_PAGES) == 0)
		return false;
	if (node_get(db, a, &base, n->id, &then) && same_place_and_key(&then, n))
		return false;
	if (!overlay_origin(db, a, request, n, &then))
		return true;
	/* If the page got this very key again, it would seem that the request has not placed it. */
	*avoid = then.ord;
	return !same_place_and_key(&then, n);
}

/* The texts are shared with the list, not copied. */
static struct order_item *
make_items(struct arena *a, const struct node *list, size_t n)
{
	struct order_item *items = arena_array(a, n, sizeof(*items));
	size_t k;

	for (k = 0; k < n; k++)
		items[k] = (struct order_item){ .id = list[k].id, .ord = list[k].ord };
	return items;
}

/* The children of parent as the request shows them. Those that the request has not placed are fixed. */
static struct order_item *
make_request_items(struct db *db, struct arena *a, const struct point *request,
    const struct node *list, size_t n)
{
	struct order_item *items = make_items(a, list, n);
	size_t k;

	for (k = 0; k < n; k++)
		items[k].fixed = !is_placed_by(db, a, request, &list[k], &items[k].avoid);
	return items;
}

/*
 * Writes the rows of items that got a new key; nothing else in them changes. before: the previous
 * revision, which shows which pages this revision has placed.
 */
static void
put_renumbered(struct db *db, struct arena *a, const struct point *before, const struct point *now,
    const char *parent, const struct node *list, const struct order_item *items, size_t n)
{
	const char **placed = arena_array(a, n, sizeof(*placed));
	/*
	 * If this revision has a mark already, add_to_mark() maintains it. Compared now, pages with
	 * new keys would look placed.
	 */
	bool marked = read_mark(db, a, now, parent, &(struct node){ NULL });
	struct node row;
	size_t k, count = 0;

	for (k = 0; k < n && !marked; k++)
		if (list[k].since == now->seq &&
		    !(node_get(db, a, before, list[k].id, &row) && same_place_and_key(&row, &list[k])))
			placed[count++] = list[k].id;
	for (k = 0; k < n; k++) {
		if (!items[k].renumbered)
			continue;
		row = list[k];
		row.ord = items[k].ord;
		/*
		 * Rows of a list are read without their front matter; without this line the new
		 * version would lose it.
		 */
		row.front = node_front(db, a, &list[k]);
		node_put(db, now->branch, now->seq, &row);
	}
	if (!marked)
		put_mark(db, a, now, parent, placed, count);
}

/* ---- in a request ---- */

/*
 * The position in the list for index `at`: after `at` pages, and after all further ones with the
 * same key as the last of them.
 */
static size_t
find_position(const struct node *list, size_t n, int at)
{
	size_t k = at < 0 || (size_t)at > n ? n : (size_t)at;

	while (k > 0 && k < n && strcmp(list[k].ord, list[k - 1].ord) == 0)
		k++;
	return k;
}

/* Renumbers siblings, if possible, and returns the shorter key; else returns the long one. */
static const char *
renumber_around(struct db *db, struct arena *a, const struct point *request, const struct point *now,
    const char *parent, struct node *list, size_t n, size_t k, const char *key)
{
	struct order_item *items;

	/* One more entry, for the page that is being placed. */
	memmove(list + k + 1, list + k, (n - k) * sizeof(*list));
	list[k] = (struct node){ .id = "", .ord = key, .branch = now->branch, .origin = -1,
		.kind = NODE_DOCUMENT };
	items = make_request_items(db, a, request, list, n + 1);
	if (!order_key_renumber(a, items, n + 1, k))
		return key;
	/* The caller writes the row of the page itself, with the returned key. */
	items[k].renumbered = false;
	put_renumbered(db, a, request, now, parent, list, items, n + 1);
	/* Its neighbours were renumbered with it, so the key belongs between their new keys. */
	return items[k].ord;
}

/* If this revision has renumbered keys, its mark must also list the page that it moves. */
static void
add_to_mark(struct db *db, struct arena *a, const struct point *now, const char *parent,
    const char *id)
{
	struct node mark;
	cJSON *props;

	if (!read_mark(db, a, now, parent, &mark) || mark_names(&mark, id))
		return;
	props = cJSON_Parse(mark.props);
	cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(props, "placed"), cJSON_CreateString(id));
	mark.props = cJSON_PrintUnformatted(props);
	node_put(db, now->branch, now->seq, &mark);
	cJSON_Delete(props);
}

/* A key after all siblings, where most pages go; NULL: the key would be too long. */
static const char *
key_at_end(struct db *db, struct arena *a, const struct point *now, const char *parent, const char *self)
{
	struct node last;
	bool any = node_end_child(db, a, now, parent, true, self, &last);
	const char *key = order_key_between(a, any ? last.ord : "", "");

	return strlen(key) > ORDER_KEY_LONG ? NULL : key;
}

/*
 * Makes a key for index `at` (as in find_position()). It reads only keys, because a batch may
 * insert among thousands of pages. NULL: the key would be too long.
 */
static const char *
make_key_at(struct db *db, struct arena *a, const struct point *now, const char *parent, int at, const char *self)
{
	const char *before, *behind, *key;

	if (at < 0 || !node_keys_at(db, a, now, parent, (size_t)at, self, &before, &behind))
		return key_at_end(db, a, now, parent, self);
	key = order_key_between(a, before, behind);
	return strlen(key) > ORDER_KEY_LONG ? NULL : key;
}

/* A key for index `at` from whole rows; if it is too long, siblings are renumbered to shorten it. */
static const char *
key_among(struct db *db, struct arena *a, const struct point *request, const struct point *now,
    const char *parent, int at, const char *self)
{
	size_t count, n = 0, k;
	struct node *all = node_children(db, a, now, parent, &count);
	struct node *list = arena_array(a, count + 1, sizeof(*list));
	const char *key;

	for (k = 0; k < count; k++)
		if (self == NULL || strcmp(all[k].id, self) != 0)
			list[n++] = all[k];
	k = find_position(list, n, at);
	key = order_key_between(a, k == 0 ? "" : list[k - 1].ord, k == n ? "" : list[k].ord);
	assert(strlen(key) > ORDER_KEY_LONG);
	return renumber_around(db, a, request, now, parent, list, n, k, key);
}

const char *
order_key(struct db *db, struct arena *a, const struct point *request, const struct point *now,
    const char *parent, int at, const char *self)
{
	const char *key = make_key_at(db, a, now, parent, at, self);

	if (key == NULL)
		key = key_among(db, a, request, now, parent, at, self);
	if (self != NULL)
		add_to_mark(db, a, now, parent, self);
	return key;
}

/*
 * For a row that is written again as it was at an earlier point: if the keys have another era now,
 * it gets a new key.
 */
void
order_restore_place(struct db *db, struct arena *a, const struct point *from, const struct point *now,
    struct node *n)
{
	struct order_item *list, *to;
	size_t count, m, k;
	struct node *then, *here;

	if (order_era(db, a, from, n->parent) == order_era(db, a, now, n->parent))
		return;
	then = node_children(db, a, from, n->parent, &count);
	here = node_children(db, a, now, n->parent, &m);
	list = make_items(a, then, count);
	to = make_items(a, here, m);
	for (k = 0; k < count; k++)
		list[k].fixed = strcmp(list[k].id, n->id) != 0;
	order_key_carry(a, list, count, to, m);
	for (k = 0; k < count; k++)
		if (!list[k].fixed)
			n->ord = list[k].ord;
}

/*
 * The conditions mean that the row has the place of its origin. Then the request has not placed the
 * page, and it gets its new place in main.
 */
void
order_follow_main(struct db *db, struct arena *a, const struct point *request, int64_t seq,
    const struct node *base, struct node *n)
{
	struct point own = { .branch = request->branch, .seq = seq }, then = overlay_base(request);
	struct node before, origin;

	if (strcmp(base->parent, n->parent) != 0 || strcmp(base->ord, n->ord) == 0 ||
	    !node_at(db, a, &own, n->id, &before) || !same_place_and_key(&before, n) ||
	    !overlay_origin(db, a, request, &before, &origin) || !same_place_and_key(&origin, n))
		return;
	then.seq = origin.since;
	if (order_era(db, a, &then, n->parent) != order_era(db, a, request, n->parent))
		n->ord = base->ord;
}

/* ---- in main ---- */

void
order_renumber(struct db *db, struct arena *a, const struct point *main, const char *parent)
{
	size_t n, k;
	struct node *list = node_children(db, a, main, parent, &n);
	struct order_item *items = make_items(a, list, n);
	struct point before = *main;
	bool renumbered = false;

	for (k = 0; k < n; k++)
		if (strlen(items[k].ord) > ORDER_KEY_LONG)
			renumbered |= order_key_renumber(a, items, n, k);
	/*
	 * The rows of the revision that is being made exist already; the revision before it shows
	 * which of them it placed.
	 */
	before.seq--;
	if (renumbered)
		put_renumbered(db, a, &before, main, parent, list, items, n);
}

/* ---- moves ---- */

/* Where a row of a page places it. */
struct place_version {
	struct place_version *next;
	int64_t      since;       /* the revision that wrote the row */
	const char  *parent, *ord;
};

/* A new key that the revision of the step assigned by renumbering is no move. */
static bool
is_move(struct db *db, struct arena *a, int64_t branch, const char *id, const struct place_version *was,
    const struct place_version *now)
{
	struct point p = { .branch = branch, .seq = now->since };
	struct node mark;

	/* Another parent is a move, whatever the keys are. */
	if (strcmp(was->parent, now->parent) != 0)
		return true;
	return strcmp(was->ord, now->ord) != 0 &&
	    (!read_mark(db, a, &p, now->parent, &mark) || mark_names(&mark, id));
}

/* The places of a page in its versions after one and up to another. */
static struct place_version *
read_steps(struct db *db, struct arena *a, const struct node *from, const struct node *to)
{
	struct stmt *q = db_use(db, &q_versions);
	struct place_version *first = NULL, **last = &first;

	bind_int(q, ":b", to->branch);
	bind_text(q, ":id", to->id);
	bind_int(q, ":from", from->since);
	bind_int(q, ":to", to->since);
	for (; stmt_step(q); last = &(*last)->next) {
		/*
		 * Collected first, because is_move() would use other rows of the same statements.
		 */
		*last = arena_alloc(a, sizeof(**last));
		**last = (struct place_version){ .since = col_int(q, 0), .parent = col_dup(q, 1, a),
			.ord = col_dup(q, 2, a) };
	}
	return first;
}

/*
 * Compares each step and not only the first version with the last: a page that was moved and moved
 * back was moved, and each step has its own mark.
 */
bool
order_moved(struct db *db, struct arena *a, const struct node *from, const struct node *to)
{
	struct place_version was = { .parent = from->parent, .ord = from->ord }, *s;

	for (s = read_steps(db, a, from, to); s != NULL; was = *s, s = s->next)
		if (is_move(db, a, to->branch, to->id, &was, s))
			return true;
	return false;
}

/*
 * The version that gave the page its place: main's version, if the row of an overlay has the same
 * place.
 */
static struct node
placing_version(struct db *db, struct arena *a, const struct point *p, const struct node *n)
{
	struct node origin;

	return p->base != 0 && n->branch == p->branch && overlay_origin(db, a, p, n, &origin) &&
	    same_place_and_key(&origin, n) ? origin : *n;
}

bool
order_differs(struct db *db, struct arena *a, const struct point *from, const struct node *before,
    const struct point *to, const struct node *after)
{
	struct node x, y;

	if (same_place_and_key(before, after))
		return false;
	x = placing_version(db, a, from, before);
	y = placing_version(db, a, to, after);
	/*
	 * Between rows of two branches there are no steps: if their keys differ, one of the
	 * branches placed the page.
	 */
	return x.branch != y.branch || x.since > y.since || order_moved(db, a, &x, &y);
}

/* ---- carrying keys over to another era ---- */

/* Records the keys in main's era for those children of parent that the request placed. */
static void
carry_below(struct db *db, struct arena *a, const struct point *request, const struct point *main,
    const char *parent, struct map *keys)
{
	size_t n, m, k;
	struct node *mine = node_children(db, a, request, parent, &n);
	struct node *theirs = node_children(db, a, main, parent, &m);
	struct order_item *list = make_request_items(db, a, request, mine, n);

	order_key_carry(a, list, n, make_items(a, theirs, m), m);
	for (k = 0; k < n; k++)
		if (!list[k].fixed)
			map_add(keys, str_of(list[k].id), arena_strdup(a, list[k].ord));
}

struct map *
order_carry(struct db *db, struct arena *a, const struct point *request, const struct point *main,
    struct node *own, size_t n, struct order_parents *below)
{
	struct map *done = map_new(a), *keys = map_new(a);
	const char *avoid, *key;
	size_t k, room = 0;

	*below = (struct order_parents){ NULL, 0 };

	for (k = 0; k < n; k++) {
		if (!is_placed_by(db, a, request, &own[k], &avoid))
			continue;
		/* Once for each parent: `done` is used as a set. */
		if (map_add(done, str_of(own[k].parent), done) &&
		    order_era(db, a, request, own[k].parent) != order_era(db, a, main, own[k].parent)) {
			carry_below(db, a, request, main, own[k].parent, keys);
			below->ids = arena_grow(a, below->ids, below->n, &room, sizeof(*below->ids));
			below->ids[below->n++] = own[k].parent;
		}
		if ((key = map_get(keys, str_of(own[k].id))) != NULL)
			own[k].ord = key;
	}
	return keys;
}

/* A mark without ids records that the new keys are no moves. */
void
order_write_marks(struct db *db, struct arena *a, const struct point *now, const struct order_parents *below)
{
	size_t k;

	for (k = 0; k < below->n; k++)
		put_mark(db, a, now, below->ids[k], NULL, 0);
}
