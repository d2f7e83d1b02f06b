/* Reads large bodies before the write transaction. Contract: propagate/large_bodies.h. */
#include "propagate/large_bodies.h"
#include "links/links.h"
#include "store/blob.h"
#include "store/changes.h"

/* The arena must outlive both runs of the transaction, because it holds the notes. */
struct large *
large_new(struct arena *a, const char *space)
{
	struct large *l = arena_alloc(a, sizeof(*l));

	*l = (struct large){ .arena = a, .space = space };
	return l;
}

bool
large_waits(const struct large *l)
{
	return l != NULL && !l->read && (l->page_count > 0 || l->pairs != NULL);
}

/* True in the first run, which notes bodies. */
static bool
is_first_run(const struct large *l)
{
	return l != NULL && !l->read;
}

/* ---- noting ---- */

/* The size of a body that has to be read, once for each distinct body; otherwise 0. */
static size_t
unread_bytes(struct db *db, struct large *l, const struct node *n)
{
	/* A body that is in the index and has stored facts costs nothing, however large it is. */
	if (n == NULL || n->kind != NODE_DOCUMENT || n->body.n == 0 ||
	    (search_has_version(db, l->arena, l->space, n) && body_facts_known(db, n->body)))
		return 0;
	return blob_size(db, n->body);
}

bool
large_note_pages(struct db *db, struct large *l, const struct point *now)
{
	struct search_source *list;
	struct change *changes;
	struct point before;
	size_t n, i, size, bytes = 0, count = 0;

	if (!is_first_run(l))
		return false;
	/* Allocates from l's arena, not from the caller's, because the nodes are used after the rollback. */
	changes = changes_of_revision(db, l->arena, now, &before, &n);
	list = arena_array(l->arena, n, sizeof(*list));
	for (i = 0; i < n; i++) {
		if ((size = unread_bytes(db, l, changes[i].after)) == 0)
			continue;
		bytes += size;
		list[count++].node = changes[i].after;
	}
	/* So few bytes are read faster inside the transaction than by running it twice. */
	if (bytes < LARGE_MIN && count <= SEARCH_INLINE)
		return false;
	/* Keep the bodies in memory: the rollback removes those that the transaction stored. */
	for (i = 0; i < count; i++)
		blob_get(db, l->arena, list[i].node->body, &list[i].body);
	l->pages = list;
	l->page_count = count;
	return true;
}

/*
 * Finds a pair by the hashes of both bodies. The page's id would not be enough, because in the
 * second run the page may have another version.
 */
static struct large_pair *
find_pair(const struct large *l, const struct node *was, const struct node *is)
{
	struct large_pair *p = l->pairs;

	while (p != NULL && !(str_eq(p->before, was->body) && str_eq(p->after, is->body)))
		p = p->next;
	return p;
}

bool
large_moves(struct db *db, struct large *l, const struct node *was, const struct node *is,
    const struct block_move **moves, size_t *n)
{
	struct large_pair *p = l == NULL ? NULL : find_pair(l, was, is);

	if (p == NULL && is_first_run(l) && blob_size(db, was->body) + blob_size(db, is->body) >= LARGE_MIN) {
		/* Keep the bytes: after the rollback no table has the new body. */
		p = arena_alloc(l->arena, sizeof(*p));
		*p = (struct large_pair){ .next = l->pairs, .before = was->body, .after = is->body };
		blob_get(db, l->arena, was->body, &p->before_bytes);
		blob_get(db, l->arena, is->body, &p->after_bytes);
		l->pairs = p;
	}
	if (p == NULL)
		return false;
	*moves = p->moves;
	*n = p->n;
	return true;
}

/* ---- reading ---- */

/* Pages that are not indexed (noIndex) have links, too. */
static void
keep_facts(struct db *db, struct large *l, const struct search_source *s)
{
	struct body_facts f;

	db_begin(db, false);
	f.kept = body_facts_known(db, s->node->body);
	db_rollback(db);
	/*
	 * The check and the write are in two transactions, since computing facts takes long;
	 * writing them twice does no harm.
	 */
	if (f.kept)
		return;
	body_facts_make(l->arena, s->body, NULL, NULL, &f);
	db_begin(db, true);
	body_facts_keep(db, l->arena, s->node->body, &f);
	db_commit(db);
}

/* l->read is set last: after an error, the caller is still in its first run. */
void
large_read(struct db *db, struct large *l)
{
	struct large_pair *p;
	size_t i;

	if (l->page_count > 0)
		search_ahead(db, l->arena, l->space, l->pages, l->page_count, NULL, NULL);
	for (i = 0; i < l->page_count; i++)
		keep_facts(db, l, &l->pages[i]);
	/* This needs no database, because the bytes are in memory. */
	for (p = l->pairs; p != NULL; p = p->next)
		p->moves = block_moves(l->arena, p->before_bytes, p->after_bytes, &p->n);
	l->read = true;
}
