/* Pages for tests of data derived from content: written as a revision of a main branch. */
#ifndef PAGE_FIXTURE_H
#define PAGE_FIXTURE_H

#include "db_fixture.h"

#include "store/content.h"
#include "base/json.h"

/* A revision that is being written on a branch. */
struct writing {
	struct fixture *f;
	const char     *space;
	int64_t         branch, seq;
};

static inline struct writing
write_begin(struct fixture *f, const char *space, int64_t branch)
{
	struct writing w = { f, space, branch, 0 };
	struct point p;

	db_begin(f->db, true);
	assert_true(point_head(f->db, f->arena, branch, &p));
	w.seq = p.seq + 1;
	return w;
}

static inline void
write_end(struct writing *w)
{
	struct revision_info info = { .kind = "edits" };
	char *id;

	assert_int_equal(revision_add(w->f->db, w->f->arena, w->branch, &info, &id), w->seq);
	propagate_revision(w->f->db, w->f->arena, w->space, w->branch, w->seq);
	db_commit(w->f->db);
}

/* Writes a document "ID" at ID.md with this title and body; its links are resolved against the existing pages. */
static inline void
write_page(struct writing *w, const char *id, const char *title, const char *props, const char *body)
{
	struct arena *a = w->f->arena;
	struct node n = { .id = id, .kind = NODE_DOCUMENT, .parent = "", .ord = id, .slug = id,
		.path = id, .title = title, .props = props, .origin = -1, .at = 1, .made = 1 };
	struct point p = { .space = w->space, .branch = w->branch, .seq = w->seq };
	struct resolver r;
	struct str refs;

	n.git_path = arena_printf(a, "%s.md", id);
	n.front = (struct str){ "# T\n\n", 5 };
	n.body = blob_put(w->f->db, a, str_of(body));
	node_put(w->f->db, w->branch, w->seq, &n);
	resolver_at(&r, a, w->f->db, &p, &n);
	refs = link_map_make(a, str_of(body), &r, NULL, NULL);
	n.refs = refs.n == 0 ? (struct str){ NULL, 0 } : blob_put(w->f->db, a, refs);
	node_put(w->f->db, w->branch, w->seq, &n);
}

static inline void
write_file(struct writing *w, const char *id, const char *path)
{
	struct node n = { .id = id, .kind = NODE_FILE, .parent = "", .ord = "", .slug = "", .title = path,
		.props = "{\"size\":1}", .git_path = path, .origin = -1, .at = 1, .made = 1 };

	n.body = blob_put(w->f->db, w->f->arena, str_of(path));
	node_put(w->f->db, w->branch, w->seq, &n);
}

static inline void
write_gone(struct writing *w, const char *id)
{
	node_end(w->f->db, w->branch, id, w->seq);
}

#endif
