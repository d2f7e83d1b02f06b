/*
 * Makes the document and the exported Markdown of a page version. Both depend only on the body and
 * the link map. A spelling that had no target when the page was written is resolved again, so that
 * the link works once its target exists.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "layout/write.h"
#include "store/include.h"
#include "store/content.h"
#include "base/log.h"
#include "base/secret.h"
#include "base/sort.h"

/* Increment it whenever the same inputs give another document: it is part of the cache key. */
enum { VERSION = 14 };
enum { MAX_DOCUMENT = 256 << 20 };

/* The page is not part of the key: equal bodies with equal link maps have the same document. */
SQL(q_derived,
    "SELECT document FROM derived WHERE body = :body AND refs = :refs AND version = :version");
SQL(q_keep_derived,
    "INSERT INTO derived (body, refs, version, document) VALUES (:body, :refs, :version, :document) "
    "ON CONFLICT (body, refs, version) DO NOTHING");

/* Returns the target that the link had when the version was written; the target may have moved since. */
static bool
find_in_map(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out)
{
	(void)a;
	(void)use;
	return link_map_find(ctx, spelling, out);
}

/*
 * Resolves entries without a target again. Returns the new map as JSON if one was resolved,
 * otherwise the stored text.
 */
static struct str
fill_holes(struct db *db, struct arena *a, const struct point *p, const struct node *n, struct link_map *m,
    struct str stored)
{
	struct resolver r;
	bool filled = false;
	size_t i;

	if (!m->holes)
		return stored;
	resolver_at(&r, a, db, p, n);
	for (i = 0; i < m->n; i++)
		if (m->list[i].ref.kind == REF_NONE)
			filled |= resolve_use(&r, a, m->list[i].spelling, USE_LINK, &m->list[i].ref);
	if (!filled)
		return stored;
	return link_map_json(a, m);
}

struct link_map
node_links(struct db *db, struct arena *a, const struct point *p, const struct node *n)
{
	struct str stored = { NULL, 0 };
	struct link_map m;

	if (n->refs.n == 0 || !blob_get(db, a, n->refs, &stored))
		return (struct link_map){ 0 };
	m = link_map_read(a, stored);
	fill_holes(db, a, p, n, &m, stored);
	return m;
}

/* Reads the document of this body with the map whose hash is in d. */
static bool
get_cached(struct db *db, struct arena *a, struct rendered *d)
{
	struct stmt *q = db_use(db, &q_derived);
	struct str s;

	bind_blob(q, ":body", d->body_hash);
	bind_blob(q, ":refs", d->refs_hash);
	bind_int(q, ":version", VERSION);
	if (!stmt_step(q))
		return false;
	s = col_bytes(q, 0);
	d->json = (struct str){ arena_strndup(a, s.p, s.n), s.n };
	d->cached = true;
	return true;
}

/*
 * Shown in place of a text whose blob cannot be read. That means damage, since blobs are deleted
 * only when no row names them (blob_release()).
 */
static const char lost_text[] = "{% hint style=\"danger\" %}\nThe text of this page is damaged and cannot be shown. "
    "The administrator of this installation can restore it from a backup.\n{% endhint %}\n";
static unsigned lost;

unsigned
documents_lost(void)
{
	return lost;
}

bool
text_readable(struct db *db, struct arena *a, const struct node *n)
{
	struct str s;

	return blob_get_known(db, a, n->body, &s) && blob_get_known(db, a, n->refs, &s);
}

void
fail_lost_text(struct db *db, struct arena *a, const struct node *n)
{
	log_line("%s %s: its text is damaged in the database (blob %s); octavo check --deep", node_kind_name(n->kind), n->id, hex(a, n->body));
	db_lost(db, arena_printf(a, "the text of \"%s\" (%s) is damaged in the database and cannot be read; the "
	    "administrator finds out what to do by octavo check --deep", n->title != NULL ? n->title : "", n->id));
}

/* A document that says that the text is damaged. It is not cached. */
static struct rendered
document_lost(struct arena *a, const struct node *n, struct rendered d)
{
	struct json j;
	struct buf b;

	log_line("%s %s: its text is damaged in the database (blob %s); octavo check --deep", node_kind_name(n->kind), n->id, hex(a, n->body));
	lost++;
	buf_init(&b, a, MAX_DOCUMENT);
	json_init(&j, &b);
	doc_json(&j, doc_parse(a, STR(lost_text), NULL, NULL, NULL));
	d.json = buf_view(&b);
	d.lost = true;
	return d;
}

/* The columns of the cache key are never NULL: NULLs never compare as equal, so no row would be found. */
static struct str
hash_or_empty(struct str hash)
{
	return hash.n == 0 ? STR("") : hash;
}

struct rendered
document_of(struct db *db, struct arena *a, const struct point *p, const struct node *n)
{
	struct rendered d = { .body_hash = hash_or_empty(n->body), .refs_hash = hash_or_empty(n->refs) };
	struct str body, stored, used;
	struct link_map m;
	struct doc_refs refs = { .lookup = find_in_map, .ctx = &m, .self = n->id };
	struct json j;
	struct buf b;

	if (!blob_get_known(db, a, n->refs, &stored))
		return document_lost(a, n, d);
	/* If every entry has a target, the hash of the stored map is the key. */
	if (memmem(stored.p, stored.n, ":null", 5) == NULL && get_cached(db, a, &d))
		return d;
	m = link_map_read(a, stored);
	used = fill_holes(db, a, p, n, &m, stored);
	/* fill_holes() returns the stored text itself if no entry got a target. */
	if (used.p != stored.p)
		d.refs_hash = hash_of(a, used);
	if (get_cached(db, a, &d))
		return d;
	if (!blob_get_known(db, a, n->body, &body))
		return document_lost(a, n, d);
	buf_init(&b, a, MAX_DOCUMENT);
	json_init(&j, &b);
	doc_json(&j, doc_parse(a, body, &refs, NULL, NULL));
	d.json = buf_view(&b);
	return d;
}

/*
 * Separate from document_of(), which only reads: the caller stores the document in a write
 * transaction of its own, after the reply.
 */
void
document_keep(struct db *db, const struct rendered *d)
{
	struct stmt *q;

	if (d->lost)
		return;
	q = db_use(db, &q_keep_derived);
	bind_blob(q, ":body", d->body_hash);
	bind_blob(q, ":refs", d->refs_hash);
	bind_int(q, ":version", VERSION);
	bind_str(q, ":document", d->json);
	stmt_run(q);
}

/* ---- Markdown ---- */

struct respell_state {
	struct db          *db;
	struct arena       *arena;
	const struct point *point;
	const struct node  *from;
	struct link_map     *map;
	struct resolver     resolver;
	bool                stable;
};

/*
 * Spells a target by its id, so that the link stays valid when the target moves; resolve_use()
 * reads such spellings (by_id() in link_map.c).
 */
static bool
spell_stable(struct respell_state *l, const struct doc_ref *ref, struct buf *out)
{
	switch (ref->kind) {
	case REF_PAGE:   buf_printf(out, "/pages/%s", ref->id); return true;
	case REF_ANCHOR: buf_printf(out, "/pages/%s#%s", ref->id ? ref->id : l->from->id, ref->anchor);
	                 return true;
	case REF_FILE:   buf_printf(out, "/files/%s", ref->id); return true;
	case REF_SPACE:  buf_printf(out, "/spaces/%s", ref->id); return true;
	case REF_USER:   buf_printf(out, "/users/%s", ref->id); return true;
	case REF_COLLECTION: buf_printf(out, "/collections/%s", ref->id); return true;
	default:         return false;
	}
}

/* The target's current path in git, or the path that an export would give it. */
static const char *
target_path(struct respell_state *l, const char *id)
{
	struct node n;
	const char *path;

	if (!node_get(l->db, l->arena, l->point, id, &n))
		return NULL;
	if (n.git_path != NULL)
		return n.git_path;
	path = page_path(l->db, l->arena, l->point, &n);
	return arena_printf(l->arena, "%s%s%s.md", l->resolver.root, *l->resolver.root ? "/" : "", path);
}

/* Replaces a spelling only if it is no longer resolved to the target in the page's map. */
static bool
replace_spelling(struct respell_state *l, struct str spelling, struct buf *out)
{
	struct doc_ref want, now;
	const char *to, *from;

	if (!find_in_map(l->map, l->arena, spelling, USE_LINK, &want))
		return false;
	if (l->stable)
		return spell_stable(l, &want, out);
	/* Addresses, and links to targets outside of spaces, do not change when pages move. */
	if (want.id == NULL || want.kind == REF_SPACE || want.kind == REF_USER || want.kind == REF_COLLECTION ||
	    want.space != NULL)
		return false;
	if (resolve_use(&l->resolver, l->arena, spelling, USE_LINK, &now) && now.id != NULL &&
	    strcmp(now.id, want.id) == 0)
		return false;
	if ((to = target_path(l, want.id)) == NULL) {
		buf_printf(out, "/broken/pages/%s", want.id);
		return true;
	}
	from = l->from->git_path != NULL ? l->from->git_path : target_path(l, l->from->id);
	buf_str(out, path_between(l->arena, from == NULL ? "" : from, to));
	/* The anchor is in the page itself, so it stays. */
	if (want.kind == REF_ANCHOR)
		buf_printf(out, "#%s", want.anchor);
	return true;
}

static bool
respell_link(void *ctx, const struct doc_link *link, struct buf *out)
{
	return replace_spelling(ctx, link->spelling, out);
}

/*
 * True if all links are still resolved to their targets, as nearly always: the body then need not
 * be searched for links.
 */
static bool
all_links_valid(struct respell_state *l)
{
	struct buf unused;
	size_t i;

	buf_init(&unused, l->arena, 1 << 20);
	/* Checks each spelling once, however often it occurs in the body. */
	for (i = 0; i < l->map->n; i++)
		if (replace_spelling(l, l->map->list[i].spelling, &unused))
			return false;
	return true;
}

/* Reads the body and the map of a text to export; fails if the text is damaged. */
static struct str
read_export_text(struct db *db, struct arena *a, const struct node *n, struct link_map *m)
{
	struct str body, stored;

	if (!blob_get_known(db, a, n->body, &body) || !blob_get_known(db, a, n->refs, &stored))
		fail_lost_text(db, a, n);
	*m = link_map_read(a, stored);
	return body;
}

struct str
markdown_shown(struct db *db, struct arena *a, const struct point *p, const struct node *n,
    bool (*spell)(void *, const struct doc_ref *, enum doc_use, struct buf *), void *ctx)
{
	struct include_rows rows = { db, a, p };
	struct include_source s = include_from_rows(&rows);
	struct link_map m;
	struct str body = read_export_text(db, a, n, &m);
	struct buf out;

	s.spell = spell;
	s.spell_ctx = ctx;
	if (m.n > 0) {
		fill_holes(db, a, p, n, &m, (struct str){ NULL, 0 });
		body = include_body(a, &s, n->id, body, &m);
	}
	buf_init(&out, a, MAX_DOCUMENT);
	buf_reserve(&out, body.n + 300);
	heading_write(&out, n->title);
	buf_str(&out, "\n\n");
	buf_put(&out, body);
	return buf_view(&out);
}

struct str
markdown_of(struct db *db, struct arena *a, const struct point *p, const struct node *n, bool stable)
{
	struct link_map m;
	struct str body = read_export_text(db, a, n, &m);
	struct respell_state l = { .db = db, .arena = a, .point = p, .from = n, .map = &m, .stable = stable };
	struct buf out;

	buf_init(&out, a, MAX_DOCUMENT);
	buf_reserve(&out, body.n + 300);
	heading_write(&out, n->title);
	buf_str(&out, "\n\n");
	if (m.n > 0) {
		fill_holes(db, a, p, n, &m, (struct str){ NULL, 0 });
		resolver_at(&l.resolver, a, db, p, n);
	}
	if (all_links_valid(&l))
		buf_put(&out, body);
	else
		doc_respell(&out, a, body, respell_link, &l);
	return buf_view(&out);
}
