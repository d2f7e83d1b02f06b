/*
 * Reads nodes at a point: first the rows of the branch itself, then those of its base. The model is
 * described in content.h.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "store/content.h"
#include "base/panic.h"
#include "store/redirect.h"
#include "base/sort.h"
#include "base/url.h"
#include "base/utf8.h"

#define COLS "n.branch, n.id, n.since, n.origin, n.kind, n.parent, n.ord, n.slug, n.path, n.title, " \
	"n.props, n.git_path, n.git_oid, n.body, n.refs, n.at, n.made"

/*
 * Rows of the base that no row of the branch covers. :base is 0 for main, and no branch has that
 * number. s, u: "+" or "" before the columns since and until. "+" forbids SQLite to choose an index
 * by that column: the indexes of since and of until contain all rows of a revision, which only a list
 * of all nodes needs. BASE_INDEXED leaves `until` free, because the indexes of children, paths and
 * files end with it: at the head, a look-up in them does not read versions that have ended.
 */
#define BASE_ROWS(s, u) " FROM node n WHERE n.branch = :base AND " s "n.since <= :bq " \
	"AND " u "n.until > :bq AND NOT EXISTS (SELECT 1 FROM node o WHERE o.branch = :b " \
	"AND o.id = n.id AND o.since <= :q AND +o.until > :q)"
#define BASE_INDEXED BASE_ROWS("+", "")
#define BASE_ALL BASE_ROWS("", "")
#define BASE_CHILDREN BASE_ROWS("+", "+")

/* Joins the row of the head, so a branch without revisions has no point. */
SQL(q_head,
    "SELECT r.id, b.space, b.id, r.seq, b.base, r.base_seq FROM branch b "
    "JOIN revision r ON r.branch = b.id AND r.seq = b.head WHERE b.id = :branch");
/* Compares the space as well: a revision of another space must not be readable here. */
SQL(q_revision,
    "SELECT r.id, b.space, b.id, r.seq, b.base, r.base_seq FROM revision r "
    "JOIN branch b ON b.id = r.branch WHERE r.id = :id AND b.space = :space");
/* The newest version first, so that older ones are not read. */
SQL(q_node,
    "SELECT " COLS " FROM node n WHERE n.branch = :b AND n.id = :id AND n.since <= :q "
    "AND +n.until > :q ORDER BY n.since DESC");
/*
 * Near the head few rows have ended, and near the first revision few have begun: there is an index
 * for each case.
 */
SQL(q_list_late,
    "SELECT " COLS " FROM node n WHERE n.branch = :b AND +n.since <= :q AND n.until > :q "
    "UNION ALL SELECT " COLS BASE_ALL);
SQL(q_list_early,
    "SELECT " COLS " FROM node n WHERE n.branch = :b AND n.since <= :q AND +n.until > :q "
    "UNION ALL SELECT " COLS BASE_ALL);
/*
 * Nodes that are no pages are few rows among many. They have an index of their own (node_beside),
 * so it does not matter how old the revision is.
 */
#define OTHERS "n.kind IN ('file', 'reusable', 'setting')"
SQL(q_list_others,
    "SELECT " COLS " FROM node n WHERE n.branch = :b AND +n.since <= :q AND n.until > :q AND " OTHERS
    " UNION ALL SELECT " COLS BASE_ROWS("+", "") " AND " OTHERS);
/* Every slug is >= '', so the condition only makes SQLite choose the index of children. */
SQL(q_children,
    "SELECT " COLS " FROM node n WHERE n.branch = :b AND n.parent = :parent AND n.slug >= '' "
    "AND +n.since <= :q AND +n.until > :q AND n.kind IN ('document','group','link','computed') "
    "UNION ALL SELECT " COLS BASE_CHILDREN " AND n.parent = :parent AND n.slug >= '' "
    "AND n.kind IN ('document','group','link','computed')");
/* The first or last child, among the rows of the branch or of the base. Ended rows are skipped. */
#define END_OF(rows, dir) "SELECT " COLS rows " AND n.parent = :parent AND n.id <> :but " \
	"AND n.kind IN ('document', 'group', 'link', 'computed') ORDER BY n.ord " dir ", n.id " dir " LIMIT 1"
#define OWN_CHILDREN " FROM node n WHERE n.branch = :b AND +n.since <= :q AND +n.until > :q"
SQL(q_first_own, END_OF(OWN_CHILDREN, "ASC"));
SQL(q_first_base, END_OF(BASE_CHILDREN, "ASC"));
SQL(q_last_own, END_OF(OWN_CHILDREN, "DESC"));
SQL(q_last_base, END_OF(BASE_CHILDREN, "DESC"));
/* Reads keys only, in order. A UNION of both would have to be sorted, so C merges them. */
#define KEYS_OF(rows) "SELECT n.ord" rows " AND n.parent = :parent AND n.id <> :but " \
	"AND n.kind IN ('document', 'group', 'link', 'computed') ORDER BY n.ord"
SQL(q_keys_own, KEYS_OF(OWN_CHILDREN));
SQL(q_keys_base, KEYS_OF(BASE_CHILDREN));
SQL(q_by_git,
    "SELECT " COLS " FROM node n WHERE n.branch = :b AND n.git_path = :path "
    "AND +n.since <= :q AND n.until > :q "
    "UNION ALL SELECT " COLS BASE_INDEXED " AND n.git_path = :path");
SQL(q_by_path,
    "SELECT " COLS " FROM node n WHERE n.branch = :b AND n.path = :path "
    "AND +n.since <= :q AND n.until > :q "
    "UNION ALL SELECT " COLS BASE_INDEXED " AND n.path = :path");
/*
 * All paths with this prefix, as a range of the index: SQLite does not use it for LIKE with a
 * parameter.
 */
SQL(q_own_paths,
    "SELECT " COLS " FROM node n WHERE n.branch = :b AND n.path > :from AND n.path < :to "
    "AND +n.since <= :q AND +n.until > :q "
    "UNION ALL SELECT " COLS BASE_CHILDREN " AND n.path > :from AND n.path < :to");
SQL(q_by_slug,
    "SELECT " COLS " FROM node n WHERE n.branch = :b AND n.parent = :parent AND n.slug = :slug "
    "AND +n.since <= :q AND n.until > :q "
    "UNION ALL SELECT " COLS BASE_INDEXED " AND n.parent = :parent AND n.slug = :slug");
/* The front matter is read separately: it may be long, and only writing and exporting need it. */
SQL(q_front, "SELECT front FROM node WHERE branch = :b AND id = :id AND since = :since");

/* Kinds of pages that have an address. */
enum { ADDRESSED = NODE_DOCUMENT | NODE_GROUP | NODE_COMPUTED };

static const struct { enum node_kind kind; const char *name; } kinds[] = {
	{ NODE_DOCUMENT, "document" }, { NODE_GROUP, "group" }, { NODE_LINK, "link" },
	{ NODE_COMPUTED, "computed" }, { NODE_FILE, "file" }, { NODE_REUSABLE, "reusable" },
	{ NODE_SETTING, "setting" }, { NODE_GONE, "gone" },
};

const char *
node_kind_name(enum node_kind k)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].kind == k)
			return kinds[i].name;
	panic("node kind %d", (int)k);
}

/* The schema allows no other names: an unknown one means that the database is newer, or damaged. */
static enum node_kind
kind_named(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return kinds[i].kind;
	panic("node kind %s", name);
}

static struct str
dup_bytes(struct arena *a, struct str s)
{
	return (struct str){ s.n == 0 ? NULL : arena_strndup(a, s.p, s.n), s.n };
}

/* Copies all texts: those of the statement are valid only until its next step. */
static void
read_node(struct stmt *q, struct arena *a, struct node *n)
{
	*n = (struct node){
		.branch = col_int(q, 0), .id = col_dup(q, 1, a), .since = col_int(q, 2),
		.origin = col_null(q, 3) ? -1 : col_int(q, 3), .kind = kind_named(col_text(q, 4)),
		.parent = col_dup(q, 5, a), .ord = col_dup(q, 6, a), .slug = col_dup(q, 7, a),
		.path = col_dup(q, 8, a), .title = col_dup(q, 9, a), .props = col_dup(q, 10, a),
		.git_path = col_dup(q, 11, a), .git_oid = col_dup(q, 12, a),
		.body = dup_bytes(a, col_bytes(q, 13)), .refs = dup_bytes(a, col_bytes(q, 14)),
		.at = col_int(q, 15), .made = col_int(q, 16) };
}

/* base is NULL for main; col_int() then returns 0, which is no branch. */
static bool
take_point(struct stmt *q, struct arena *a, struct point *out)
{
	if (!stmt_step(q))
		return false;
	*out = (struct point){ .revision = col_dup(q, 0, a), .space = col_dup(q, 1, a),
		.branch = col_int(q, 2), .seq = col_int(q, 3), .base = col_int(q, 4),
		.base_seq = col_int(q, 5) };
	return true;
}

bool
point_same(const struct point *a, const struct point *b)
{
	return a->branch == b->branch && a->seq == b->seq && a->base == b->base && (a->base == 0 || a->base_seq == b->base_seq);
}

bool
point_head(struct db *db, struct arena *a, int64_t branch, struct point *out)
{
	struct stmt *q = db_use(db, &q_head);

	bind_int(q, ":branch", branch);
	return take_point(q, a, out);
}

bool
point_revision(struct db *db, struct arena *a, const char *space, const char *revision,
    struct point *out)
{
	struct stmt *q = db_use(db, &q_revision);

	bind_text(q, ":id", revision);
	bind_text(q, ":space", space);
	return take_point(q, a, out);
}

/* Reads the row that is alive at this number of the branch. It may be a tombstone, which the caller must test for. */
static bool
read_row(struct db *db, struct arena *a, int64_t branch, int64_t seq, const char *id,
    struct node *out)
{
	struct stmt *q = db_use(db, &q_node);

	bind_int(q, ":b", branch);
	bind_text(q, ":id", id);
	bind_int(q, ":q", seq);
	if (!stmt_step(q))
		return false;
	read_node(q, a, out);
	return true;
}

static void
bind_wanted(struct stmt *q, size_t i, void *ctx)
{
	const struct nodes_ahead *w = *(const struct nodes_ahead **)ctx;

	bind_int(q, ":b", w->point->branch);
	bind_text(q, ":id", w->id(w->ctx, i));
	bind_int(q, ":q", w->point->seq);
}

void
nodes_ahead(struct db *db, const struct nodes_ahead *wanted, size_t n)
{
	db_ahead(db, &q_node, n, bind_wanted, &wanted);
}

bool
node_at(struct db *db, struct arena *a, const struct point *p, const char *id, struct node *out)
{
	return read_row(db, a, p->branch, p->seq, id, out);
}

bool
node_get(struct db *db, struct arena *a, const struct point *p, const char *id, struct node *out)
{
	/*
	 * A tombstone of the branch hides the row of the base: the base is read only if the branch
	 * has no row at all.
	 */
	if (!read_row(db, a, p->branch, p->seq, id, out) &&
	    (p->base == 0 || !read_row(db, a, p->base, p->base_seq, id, out)))
		return false;
	return out->kind != NODE_GONE;
}

struct str
node_front(struct db *db, struct arena *a, const struct node *n)
{
	struct stmt *q = db_use(db, &q_front);

	bind_int(q, ":b", n->branch);
	bind_text(q, ":id", n->id);
	bind_int(q, ":since", n->since);
	return stmt_step(q) ? dup_bytes(a, col_bytes(q, 0)) : (struct str){ NULL, 0 };
}

static void
bind_point(struct stmt *q, const struct point *p)
{
	bind_int(q, ":b", p->branch);
	bind_int(q, ":q", p->seq);
	bind_int(q, ":base", p->base);
	bind_int(q, ":bq", p->base_seq);
}

/* Collects the rows of q that are of the wanted kinds. */
static struct node *
collect_rows(struct stmt *q, struct arena *a, unsigned want, size_t *count)
{
	size_t room = 0;
	struct node *list = arena_grow(a, NULL, 0, &room, sizeof(*list)), n;

	*count = 0;
	while (stmt_step(q)) {
		/* Checked before the row is copied: most rows may be of other kinds. */
		if ((kind_named(col_text(q, 4)) & want) == 0)
			continue;
		read_node(q, a, &n);
		list = arena_grow(a, list, *count, &room, sizeof(*list));
		list[(*count)++] = n;
	}
	return list;
}

struct node *
node_list(struct db *db, struct arena *a, const struct point *p, unsigned want, size_t *count)
{
	bool no_pages = (want & ~(unsigned)(NODE_FILE | NODE_REUSABLE | NODE_SETTING)) == 0;
	struct point head;
	/* Chooses the index in which fewer rows must be skipped; both statements return the same rows. */
	bool late = !no_pages && point_head(db, a, p->branch, &head) && p->seq > head.seq / 2;
	struct stmt *q = db_use(db, no_pages ? &q_list_others : late ? &q_list_late : &q_list_early);

	bind_point(q, p);
	return collect_rows(q, a, want, count);
}

/* strcmp() compares as the database's BINARY collation does, so C and the index agree. */
static int
compare_order(const void *x, const void *y)
{
	const struct node *a = x, *b = y;
	int c = strcmp(a->ord, b->ord);

	return c != 0 ? c : strcmp(a->id, b->id);
}

struct node *
node_children(struct db *db, struct arena *a, const struct point *p, const char *parent,
    size_t *count)
{
	struct stmt *q = db_use(db, &q_children);
	struct node *list;

	bind_point(q, p);
	bind_text(q, ":parent", parent);
	list = collect_rows(q, a, NODE_PAGES, count);
	sort_list(list, *count, sizeof(*list), compare_order);
	return list;
}

/*
 * Binds a statement that reads the children of parent except `but`, from the rows of the branch
 * or, with base true, from those of its base.
 */
static struct stmt *
use_children(struct db *db, const struct sql *sql, bool base, const struct point *p, const char *parent, const char *but)
{
	struct stmt *q = db_use(db, sql);

	bind_int(q, ":b", p->branch);
	bind_int(q, ":q", p->seq);
	bind_text(q, ":parent", parent);
	/* No id is empty, so "" excludes nothing. */
	bind_text(q, ":but", but != NULL ? but : "");
	if (base) {
		bind_int(q, ":base", p->base);
		bind_int(q, ":bq", p->base_seq);
	}
	return q;
}

/* base: as in use_children(). False: there is no such child in these rows. */
static bool
read_end_child(struct db *db, struct arena *a, const struct sql *sql, bool base, const struct point *p,
    const char *parent, const char *but, struct node *out)
{
	struct stmt *q = use_children(db, sql, base, p, parent, but);

	if (!stmt_step(q))
		return false;
	read_node(q, a, out);
	return true;
}

bool
node_end_child(struct db *db, struct arena *a, const struct point *p, const char *parent, bool last,
    const char *but, struct node *out)
{
	bool own = read_end_child(db, a, last ? &q_last_own : &q_first_own, false, p, parent, but, out);
	struct node base;

	if (p->base == 0 || !read_end_child(db, a, last ? &q_last_base : &q_first_base, true, p, parent, but, &base))
		return own;
	/* Keys and ids are never both equal: a row of the branch covers the base's row with the same id. */
	if (!own || (compare_order(&base, out) > 0) == last)
		*out = base;
	return true;
}

/* A statement whose rows are read in order, with the key of its current row; q NULL: no rows are left. */
struct key_cursor {
	struct stmt *q;
	const char  *ord;
};

/* The text is valid until the next step of the same statement. */
static void
cursor_step(struct key_cursor *m)
{
	if (m->q != NULL && !stmt_step(m->q))
		m->q = NULL;
	m->ord = m->q != NULL ? col_text(m->q, 0) : NULL;
}

/* The statement with the smaller key. If both keys are equal, or both have no rows left, either one. */
static struct key_cursor *
smaller_key(struct key_cursor m[2])
{
	if (m[0].q == NULL || m[1].q == NULL)
		return &m[m[0].q == NULL];
	return &m[strcmp(m[0].ord, m[1].ord) > 0];
}

/* Reads the sorted keys of branch and base in parallel and merges them, only up to the requested index. */
bool
node_keys_at(struct db *db, struct arena *a, const struct point *p, const char *parent, size_t at,
    const char *but, const char **before, const char **behind)
{
	struct key_cursor m[2] = { { .q = use_children(db, &q_keys_own, false, p, parent, but) }, { .q = NULL } }, *next;
	size_t k;

	if (p->base != 0)
		m[1].q = use_children(db, &q_keys_base, true, p, parent, but);
	cursor_step(&m[0]);
	cursor_step(&m[1]);
	*before = "";
	for (k = 0; (next = smaller_key(m))->q != NULL && k < at; k++) {
		if (k + 1 == at)
			*before = arena_strdup(a, next->ord);
		cursor_step(next);
	}
	/*
	 * No key fits between equal keys, so the child goes after all siblings that have this key.
	 * No key is empty.
	 */
	while (next->q != NULL && strcmp(next->ord, *before) == 0) {
		cursor_step(next);
		next = smaller_key(m);
	}
	*behind = next->q != NULL ? arena_strdup(a, next->ord) : "";
	/* If there are fewer children than `at`, the caller appends the page. */
	return k == at;
}

/* Reads the first row of the wanted kinds. */
static bool
read_first(struct stmt *q, struct arena *a, unsigned want, struct node *out)
{
	while (stmt_step(q)) {
		read_node(q, a, out);
		if (out->kind & want)
			return true;
	}
	return false;
}

bool
node_by_git_path(struct db *db, struct arena *a, const struct point *p, const char *git_path,
    struct node *out)
{
	struct stmt *q = db_use(db, &q_by_git);

	bind_point(q, p);
	bind_text(q, ":path", git_path);
	return read_first(q, a, NODE_PAGES | NODE_FILE | NODE_REUSABLE, out);
}

/*
 * Finds the child with this slug. A child whose address is made of slugs is preferred to a child
 * with a path of its own, for which the slug is only an alias. derived: finds no such aliases, only
 * pages whose path is made of slugs (n.path is NULL).
 */
static bool
find_by_slug(struct db *db, struct arena *a, const struct point *p, const char *parent, const char *slug,
    bool derived, struct node *out)
{
	struct stmt *q = db_use(db, &q_by_slug);
	bool found = false;
	struct node n;

	bind_point(q, p);
	bind_text(q, ":parent", parent);
	bind_text(q, ":slug", slug);
	while (stmt_step(q)) {
		read_node(q, a, &n);
		if ((n.kind & ADDRESSED) == 0 || (n.path != NULL && (derived || found)))
			continue;
		*out = n;
		found = true;
		if (n.path == NULL)
			break;
	}
	return found;
}

/* Finds a page by its slugs, starting at one page (parent "": the root). derived: as in find_by_slug(). */
static bool
find_by_slugs(struct db *db, struct arena *a, const struct point *p, const char *parent,
    const char *path, bool derived, struct node *out)
{
	const char *end;

	for (;; path = end + 1) {
		end = path + strcspn(path, "/");
		if (!find_by_slug(db, a, p, parent, arena_strndup(a, path, (size_t)(end - path)), derived, out))
			return false;
		if (*end == '\0')
			return true;
		parent = out->id;
	}
}

/* Finds only pages whose path is not made of slugs. */
static bool
find_by_own_path(struct db *db, struct arena *a, const struct point *p, const char *path,
    struct node *out)
{
	struct stmt *q = db_use(db, &q_by_path);

	bind_point(q, p);
	bind_text(q, ":path", path);
	return read_first(q, a, ADDRESSED, out);
}

int
path_levels(const char *path)
{
	int n = 1;

	while ((path = strchr(path, '/')) != NULL && ++n <= PAGE_DEPTH)
		path++;
	return n;
}

/*
 * Finds a page by slugs below its nearest ancestor with a path of its own, or below the root. derived:
 * as in find_by_slug().
 */
static bool
find_below_own_path(struct db *db, struct arena *a, const struct point *p, const char *path,
    bool derived, struct node *out)
{
	char *head = arena_strdup(a, path), *slash;

	/* Tries the longest prefix first, since the nearest ancestor counts. */
	while ((slash = strrchr(head, '/')) != NULL) {
		*slash = '\0';
		if (find_by_own_path(db, a, p, head, out) &&
		    find_by_slugs(db, a, p, out->id, path + strlen(head) + 1, derived, out))
			return true;
	}
	return *path != '\0' && find_by_slugs(db, a, p, "", path, derived, out);
}

/*
 * The path of a page is its own, or that of its nearest ancestor with a path of its own followed by
 * the slugs below it. Slugs from the root are an alias.
 */
bool
page_at(struct db *db, struct arena *a, const struct point *p, const char *path, struct node *out)
{
	return find_by_own_path(db, a, p, path, out) ||
	    (path_levels(path) <= PAGE_DEPTH && find_below_own_path(db, a, p, path, false, out));
}

/* Paths are stored in lower case, so one look-up in the index serves any spelling. */
char *
page_key(struct arena *a, const char *path)
{
	char *key = utf8_lower(a, str_of(path));
	size_t n;

	while (*key == '/')
		key++;
	for (n = strlen(key); n > 0 && key[n - 1] == '/'; n--)
		key[n - 1] = '\0';
	return key;
}

/* Adds a key unless the list has it. */
static void
add_spelling(struct arena *a, const char **list, size_t *n, const char *path)
{
	const char *key = page_key(a, path);
	size_t i;

	for (i = 0; i < *n; i++)
		if (strcmp(list[i], key) == 0)
			return;
	list[(*n)++] = key;
}

const char *const *
page_spellings(struct arena *a, const char *path)
{
	enum { UNDONE = 3 };
	/* One entry for the path, one for the encoded form, and NULL. */
	const char **list = arena_array(a, UNDONE + 3, sizeof(*list)), *text = path, *next;
	size_t n = 0, i;

	add_spelling(a, list, &n, path);
	for (i = 0; i < UNDONE && strchr(text, '%') != NULL && (next = url_decode(a, str_of(text), false)) != NULL; i++)
		add_spelling(a, list, &n, text = next);
	add_spelling(a, list, &n, url_path(a, text));
	return list;
}

bool
page_by_path(struct db *db, struct arena *a, const struct point *p, const char *path,
    struct node *out)
{
	char *key = page_key(a, path);

	/*
	 * An existing page comes before a redirect: a new page may take the path of one that moved.
	 */
	return page_at(db, a, p, key, out) || redirect_find(db, a, p, key, out);
}

/* Reads a row of q that is a page with an address, other than `id`. */
static bool
read_other_page(struct stmt *q, struct arena *a, const char *id, struct node *out)
{
	while (stmt_step(q)) {
		read_node(q, a, out);
		if ((out->kind & ADDRESSED) && strcmp(out->id, id) != 0)
			return true;
	}
	return false;
}

/*
 * Another page can have the path of n as its own path, or by its slugs. If n has its path by slugs, too,
 * that page is a sibling of n; if the path is n's own, it can be below any page with a path of its own.
 */
bool
page_taken(struct db *db, struct arena *a, const struct point *p, const struct node *n,
    struct node *other)
{
	char *path = page_path(db, a, p, n);
	struct stmt *q = db_use(db, &q_by_path);

	bind_point(q, p);
	bind_text(q, ":path", path);
	if (read_other_page(q, a, n->id, other))
		return true;
	if (n->path != NULL)
		return find_below_own_path(db, a, p, path, true, other) &&
		    strcmp(page_path(db, a, p, other), path) == 0;
	q = db_use(db, &q_by_slug);
	bind_point(q, p);
	bind_text(q, ":parent", n->parent);
	bind_text(q, ":slug", n->slug);
	while (read_other_page(q, a, n->id, other))
		if (other->path == NULL)
			return true;
	return false;
}

bool
page_shares_slug(struct db *db, struct arena *a, const struct point *p, const struct node *n)
{
	struct node other;
	struct stmt *q;

	/* Every file has the slug "", and a space may have many files. */
	if (!(n->kind & ADDRESSED))
		return false;
	q = db_use(db, &q_by_slug);
	bind_point(q, p);
	bind_text(q, ":parent", n->parent);
	bind_text(q, ":slug", n->slug);
	return read_other_page(q, a, n->id, &other);
}

/*
 * When a page moves, the addresses of all pages below it change. Only pages with a path of their
 * own can be at the new addresses already, so only those are looked up, in the index of paths.
 */
bool
page_taken_below(struct db *db, struct arena *a, const struct point *p, const struct node *n,
    struct node *other)
{
	char *path = page_path(db, a, p, n);
	struct stmt *q = db_use(db, &q_own_paths);
	struct node *list, below;
	size_t count, i;

	bind_point(q, p);
	bind_text(q, ":from", arena_printf(a, "%s/", path));
	/* '0' is the character after '/'. */
	bind_text(q, ":to", arena_printf(a, "%s0", path));
	list = collect_rows(q, a, ADDRESSED, &count);
	for (i = 0; i < count; i++) {
		*other = list[i];
		if (find_by_slugs(db, a, p, n->id, other->path + strlen(path) + 1, true, &below))
			return true;
	}
	return false;
}

bool
page_any_below(struct db *db, struct arena *a, const struct point *p, const char *path,
    bool (*wanted)(void *ctx, const struct node *n), void *ctx)
{
	struct stmt *q = db_use(db, &q_own_paths);
	struct node n;

	bind_point(q, p);
	bind_text(q, ":from", arena_printf(a, "%s/", path));
	/* '0' is the character after '/'. */
	bind_text(q, ":to", arena_printf(a, "%s0", path));
	/* Rows are read one by one: the first one nearly always fits, and there may be thousands. */
	while (stmt_step(q)) {
		read_node(q, a, &n);
		if ((n.kind & ADDRESSED) != 0 && wanted(ctx, &n))
			return true;
	}
	return false;
}

/*
 * Sets the slug of n to `slug` with the number k appended (0: no number). True if no other page has
 * the resulting path.
 */
static bool
try_slug(struct db *db, struct arena *a, const struct point *p, struct node *n, const char *slug,
    unsigned k)
{
	struct node other;

	/*
	 * "title", "title-1", "title-2": the number follows a hyphen, as in slugs that people
	 * write.
	 */
	n->slug = k == 0 ? slug : arena_printf(a, "%s-%u", slug, k);
	return !page_taken(db, a, p, n, &other);
}

/*
 * Finds some free number whose predecessor is taken, in a logarithmic number of look-ups; it need
 * not be the smallest one.
 */
void
page_free_slug(struct db *db, struct arena *a, const struct point *p, struct node *n)
{
	const char *slug = n->slug;
	unsigned taken = 0, free = 1, mid;

	if (try_slug(db, a, p, n, slug, 0))
		return;
	/* Doubles, then bisects: thousands of pages may have the same title. */
	while (!try_slug(db, a, p, n, slug, free)) {
		taken = free;
		free *= 2;
	}
	while (free - taken > 1) {
		mid = taken + (free - taken) / 2;
		if (try_slug(db, a, p, n, slug, mid))
			free = mid;
		else
			taken = mid;
	}
	try_slug(db, a, p, n, slug, free);
}

/* In the middle of a batch of changes, two pages may be below each other: the loop is limited. */
static char *
make_path(struct db *db, struct arena *a, const struct point *p, const struct node *n, int level)
{
	struct node up;

	/* A page with a path of its own has that path, even if the slugs of another page give the same one. */
	if (n->path != NULL)
		return arena_strdup(a, n->path);
	if (*n->parent == '\0' || level > PAGE_DEPTH || !node_get(db, a, p, n->parent, &up))
		return arena_strdup(a, n->slug);
	return arena_printf(a, "%s/%s", make_path(db, a, p, &up, level + 1), n->slug);
}

char *
page_path(struct db *db, struct arena *a, const struct point *p, const struct node *n)
{
	return make_path(db, a, p, n, 1);
}

/* Properties without the line of SUMMARY.md that the page came from. */
static cJSON *
shown_props(const char *props)
{
	cJSON *v = cJSON_Parse(props);

	cJSON_DeleteItemFromObjectCaseSensitive(v, "summary");
	return v;
}

bool
node_reads_same(const struct node *x, const struct node *y)
{
	return x->kind == y->kind && str_eq(x->body, y->body) && strcmp(x->title, y->title) == 0 &&
	    (strcmp(x->props, y->props) == 0 || cJSON_Compare(shown_props(x->props), shown_props(y->props), true));
}
