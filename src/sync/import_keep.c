/*
 * Stores the texts of an import while its plan reads them, so that memory does not grow with them:
 * bodies and link maps as blobs that no row names yet, and the words of pages in the search index. A
 * sweep spares such blobs while a job of a space is running (store/blob.h).
 */
#include "base/mapped.h"
#include "base/secret.h"
#include "import_parts.h"
#include "store/blob.h"

/* A text of the batch. */
struct import_text {
	struct item  *item;
	struct packed body, refs;
	const struct search_body *read;
};

/* Compresses before the write lock is taken; bytes that the node had before are stored already. */
static struct packed
pack_new(struct import *m, struct str bytes, struct str before)
{
	struct str hash = hash_of(m->plan.batch, bytes);

	return str_eq(hash, before) ? (struct packed){ .hash = hash, .bytes = bytes } : blob_pack(m->plan.batch, bytes);
}

static struct str
copy_hash(struct import *m, struct str hash)
{
	return (struct str){ arena_strndup(m->arena, hash.p, hash.n), hash.n };
}

void
import_keep(void *ctx, struct item *i, struct str body, struct str refs, const struct search_body *read)
{
	struct import *m = ctx;
	struct node *n = &i->wanted->node;
	struct import_text *t;

	m->texts = arena_grow(m->plan.batch, m->texts, m->text_count, &m->text_room, sizeof(*m->texts));
	t = &m->texts[m->text_count++];
	*t = (struct import_text){ .item = i, .body = pack_new(m, body, i->old != NULL ? i->old->body : STR("")) };
	n->body = copy_hash(m, t->body.hash);
	n->refs = (struct str){ NULL, 0 };
	if (refs.n > 0) {
		t->refs = pack_new(m, refs, i->old != NULL ? i->old->refs : STR(""));
		n->refs = copy_hash(m, t->refs.hash);
	}
	i->wanted->body = i->wanted->refs = (struct str){ NULL, 0 };
	if (read != NULL) {
		t->read = arena_alloc(m->plan.batch, sizeof(*read));
		*(struct search_body *)t->read = *read;
	}
}

static void
store_texts(struct import *m)
{
	size_t k;

	db_begin(m->db, true);
	for (k = 0; k < m->text_count; k++, db_breathe(m->db)) {
		blob_put_packed(m->db, m->plan.batch, &m->texts[k].body);
		if (m->texts[k].refs.hash.n > 0)
			blob_put_packed(m->db, m->plan.batch, &m->texts[k].refs);
	}
	db_commit(m->db);
}

/*
 * Indexes the words of the batch's pages, before the revision takes the write lock. The hash of a body
 * is the key under which search keeps its words; the merge finds them by it later.
 */
static void
index_texts(struct import *m)
{
	struct search_source *list = arena_array(m->plan.batch, m->text_count, sizeof(*list));
	size_t k, n = 0;

	for (k = 0; k < m->text_count; k++)
		if (m->texts[k].item->wanted->node.kind == NODE_DOCUMENT && !m->texts[k].item->inserts)
			list[n++] = (struct search_source){ .node = &m->texts[k].item->wanted->node,
				.body = m->texts[k].body.bytes, .read = m->texts[k].read };
	search_ahead(m->db, m->plan.batch, m->job->space, list, n, NULL, NULL);
}

bool
import_flush(void *ctx)
{
	struct import *m = ctx;

	if (m->text_count > 0) {
		store_texts(m);
		/* A standalone revision is not shown with the space, so search must not find it. */
		if (!m->standalone)
			index_texts(m);
		m->texts_done += m->text_count;
	}
	m->texts = NULL;
	m->text_count = m->text_room = 0;
	return import_report(m, "reading", (int64_t)m->texts_done);
}

void
import_index_includes(struct import *m)
{
	struct arena *a = m->plan.batch;
	struct search_source *list = NULL;
	size_t k, n = 0, room = 0;

	for (k = 0; k < m->plan.count && !m->standalone; k++, mapped_trim()) {
		struct item *i = &m->plan.items[k];
		if (!i->used || i->kept || !i->inserts || i->wanted->node.kind != NODE_DOCUMENT)
			continue;
		list = arena_grow(a, list, n, &room, sizeof(*list));
		db_begin(m->db, false);
		includes_insert(&m->plan, a, i, &list[n++]);
		db_rollback(m->db);
		if (arena_used(a) > PLAN_BATCH) {
			search_ahead(m->db, a, m->job->space, list, n, NULL, NULL);
			list = NULL;
			n = room = 0;
			arena_reset(a);
		}
	}
	search_ahead(m->db, a, m->job->space, list, n, NULL, NULL);
	arena_reset(a);
}
