/*
 * Which nodes use the files and reusable contents of a point for which there is no table: older
 * revisions, change requests. The result is cached in the process: a revision never changes, and a
 * client that reads one requests all of its files. The contract is in links/links.h.
 */
#include "base/map.h"
#include "base/sort.h"
#include "link_parts.h"

/*
 * The cache holds KEPT revisions of KEPT_BYTES together; the last one stays whatever its size,
 * since it is used for each of its files. BUILD_BYTES bounds one entry.
 */
enum { KEPT = 4, KEPT_BYTES = 8 << 20, BUILD_BYTES = 1 << 30 };

struct users {
	const char **ids;
	size_t       n, room;
};

struct kept_users {
	struct arena *arena;      /* NULL: the entry is free */
	const char   *revision;   /* NULL: reading it was interrupted */
	struct map   *of;         /* id of a file or reusable content -> struct users, sorted */
	uint64_t      used;       /* value of clock_of_use at the last use */
};

struct users_cache {
	struct kept_users list[KEPT];
	uint64_t          clock_of_use;   /* the smallest `used` is the least recently used one */
};

static void
add_use(struct kept_users *k, const struct point *p, const char *source, const struct doc_ref *ref)
{
	struct users *u;

	if ((ref->kind != REF_FILE && ref->kind != REF_REUSABLE) || ref->id == NULL ||
	    (ref->space != NULL && strcmp(ref->space, p->space) != 0))
		return;
	u = map_get(k->of, str_of(ref->id));
	if (u == NULL) {
		u = arena_alloc(k->arena, sizeof(*u));
		map_add(k->of, str_of(arena_strdup(k->arena, ref->id)), u);
	}
	/* Links of one source follow each other. */
	if (u->n > 0 && strcmp(u->ids[u->n - 1], source) == 0)
		return;
	u->ids = arena_grow(k->arena, u->ids, u->n, &u->room, sizeof(*u->ids));
	u->ids[u->n++] = source;
}

struct source {
	struct kept_users  *k;
	const struct point *p;
	const char         *id;
};

static void
add_property(void *ctx, const char *name, const struct doc_ref *ref)
{
	const struct source *s = ctx;

	(void)name;
	add_use(s->k, s->p, s->id, ref);
}

static int
by_id(const void *x, const void *y)
{
	return strcmp(((const struct node *)x)->id, ((const struct node *)y)->id);
}

/* In the order of their ids, so that each list of users is sorted. */
static void
read_users(struct db *db, struct arena *a, const struct point *p, struct kept_users *k)
{
	struct link_map m;
	const char *source;
	struct node *list;
	size_t i, j, n;

	k->arena = arena_new(BUILD_BYTES);
	k->of = map_new(k->arena);
	list = node_list(db, a, p, NODE_DOCUMENT | NODE_LINK | NODE_REUSABLE, &n);
	sort_list(list, n, sizeof(*list), by_id);
	for (i = 0; i < n; i++) {
		source = arena_strdup(k->arena, list[i].id);
		m = node_links(db, a, p, &list[i]);
		for (j = 0; j < m.n; j++)
			add_use(k, p, source, &m.list[j].ref);
		node_prop_refs(&list[i], add_property, &(struct source){ k, p, source });
	}
	/* The revision is set last, because an entry with a revision counts as completely read. */
	k->revision = arena_strdup(k->arena, p->revision);
}

static void
drop_kept(struct kept_users *k)
{
	arena_free(k->arena);
	*k = (struct kept_users){ 0 };
}

static void
drop_all(void *p)
{
	struct users_cache *kept = p;

	for (size_t i = 0; i < KEPT; i++)
		drop_kept(&kept->list[i]);
}

static const struct db_keeper keeper = { sizeof(struct users_cache), drop_all };

/* A free entry, after evicting others until the rest is small enough. */
static struct kept_users *
free_entry(struct users_cache *kept)
{
	struct kept_users *k, *oldest, *place;
	size_t bytes;

	for (;;) {
		bytes = 0;
		oldest = place = NULL;
		for (k = kept->list; k < kept->list + KEPT; k++) {
			if (k->arena != NULL && k->revision == NULL)
				drop_kept(k);
			if (k->arena == NULL) {
				place = k;
				continue;
			}
			bytes += arena_used(k->arena);
			if (oldest == NULL || k->used < oldest->used)
				oldest = k;
		}
		if (place != NULL && bytes <= KEPT_BYTES)
			return place;
		drop_kept(oldest);
	}
}

/* The users of all files of the point, from the cache or read now. */
static struct kept_users *
get_users(struct db *db, struct arena *a, const struct point *p)
{
	struct users_cache *kept = db_remember(db, &keeper);
	struct kept_users *k;

	for (k = kept->list; k < kept->list + KEPT && (k->revision == NULL || strcmp(k->revision, p->revision) != 0);)
		k++;
	if (k == kept->list + KEPT)
		read_users(db, a, p, k = free_entry(kept));
	k->used = ++kept->clock_of_use;
	return k;
}

char *
links_next_user(struct db *db, struct arena *a, const struct point *p, const char *id, const char *after)
{
	const struct users *u = map_get(get_users(db, a, p)->of, str_of(id));
	size_t low = 0, high = u == NULL ? 0 : u->n, mid;

	/* Returns a copy: the entry may be evicted by the next call. */
	while (low < high) {
		mid = (low + high) / 2;
		if (strcmp(u->ids[mid], after) > 0)
			high = mid;
		else
			low = mid + 1;
	}
	while (u != NULL && low < u->n && strcmp(u->ids[low], id) == 0)
		low++;
	return u == NULL || low == u->n ? NULL : arena_strdup(a, u->ids[low]);
}
