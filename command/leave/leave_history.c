/*
 * Writes the history of a space as a stream for git-fast-import(1). Contract: command/leave.h,
 * "History".
 *
 * The cost of a revision depends on what it changed: an index finds the rows that begin or end with
 * it. To find a path, the rows of a page and of the pages above it are read.
 */
#include <cjson/cJSON.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/slug.h"
#include "base/url.h"
#include "command/leave.h"
#include "layout/write.h"
#include "store/content.h"

SQL(q_leave_space, "SELECT s.branch, s.title FROM space s WHERE s.id = :space");
SQL(q_leave_revisions,
    "SELECT r.seq, r.id, r.kind, r.merged, r.created_at, r.git, r.base_seq, a.name, coalesce(a.commit_email, a.email), "
    "c.number, c.subject FROM revision r JOIN branch b ON b.id = r.branch LEFT JOIN account a ON a.id = r.author "
    "LEFT JOIN change_request c ON c.space = b.space AND c.revision_merged = r.id "
    "WHERE r.branch = :branch AND r.seq <= b.head ORDER BY r.seq");
SQL(q_leave_requests,
    "SELECT c.number, c.branch, b.base, b.base_seq, c.status IN ('draft', 'open') FROM change_request c "
    "JOIN branch b ON b.id = c.branch WHERE c.space = :space ORDER BY c.number");
/* Ids of the nodes that changed in a revision: those with a row that began or ended with it. */
SQL(q_leave_changed,
    "SELECT id FROM node WHERE branch = :branch AND since = :seq UNION SELECT id FROM node WHERE branch = :branch AND until = :seq");
SQL(q_leave_own, "SELECT DISTINCT id FROM node WHERE branch = :branch AND since <= :seq AND until > :seq");

/* REQUEST_MARKS: marks of change requests are above this number, and marks of main's revisions below. */
enum { PIECE = 1 << 16, TEXT_BYTES = 256 << 20 };
#define REQUEST_MARKS ((int64_t)1 << 40)

/* State while a branch is written. */
struct history {
	struct db    *db;
	struct arena *arena;      /* memory for the whole space */
	struct arena *step;       /* memory for one revision */
	struct arena *paths;      /* memory of `known` */
	const char   *dir, *space;
	FILE         *out;
	const char   *ref;
	struct point  before, now;
	struct map   *known;      /* id -> path of its file at `now`; emptied when a page moves */
	struct arena *moves;      /* memory of `moved` */
	struct map   *moved;      /* ids of nodes that have moved since the base of a change request; NULL on main */
	bool          any_moved;
	const char   *from;       /* path of the file that is being written, and its page */
	const struct node *page;
	struct link_map map;
	int64_t       revisions;
	int64_t       mark;       /* mark of the last commit of the change request */
};

/* A revision; valid while its row is the current one. */
struct revision_row {
	int64_t     seq, at, base_seq, number;
	const char *id, *kind, *author, *email, *git, *subject;
};

/* ---- the stream ---- */

static void
put_bytes(FILE *out, struct str s)
{
	fprintf(out, "data %zu\n", s.n);
	fwrite(s.p == NULL ? "" : s.p, 1, s.n, out);
	fputc('\n', out);
}

/* Writes a path in quotes, as git-fast-import(1) reads it. */
static void
put_path(FILE *out, const char *path)
{
	fputc('"', out);
	for (; *path != '\0'; path++) {
		if (*path == '"' || *path == '\\')
			fputc('\\', out);
		fputc(*path, out);
	}
	fputc('"', out);
}

/* Writes a name or address without the characters that would end it in the stream. */
static const char *
plain(struct arena *a, const char *s)
{
	char *p = arena_strdup(a, s);

	for (char *c = p; *c != '\0'; c++)
		if (*c == '<' || *c == '>' || (unsigned char)*c < ' ')
			*c = ' ';
	return p;
}

/* ---- paths ---- */

/* True for a part of a path that is empty or ".", that leads out of the folder, or that git refuses. */
static bool
is_bad(const char *part, size_t n)
{
	return n == 0 || (n == 1 && *part == '.') || (n == 2 && strncmp(part, "..", 2) == 0) ||
	    (n == 4 && strncasecmp(part, ".git", 4) == 0);
}

static const char *
safe_path(struct arena *a, const char *path)
{
	struct buf b;
	size_t n;

	buf_init(&b, a, 1 << 20);
	for (; *path != '\0'; path += n + (path[n] == '/')) {
		n = strcspn(path, "/");
		if (n == 0)
			continue;
		buf_str(&b, b.n > 0 ? "/" : "");
		if (is_bad(path, n))
			buf_char(&b, '_');
		for (size_t i = 0; i < n; i++)
			buf_char(&b, (unsigned char)path[i] < ' ' || path[i] == 0x7f ? '-' : path[i]);
	}
	return b.n == 0 ? "_" : b.p;
}

/* A file name, as one part of a path. */
static const char *
one_part(struct arena *a, const char *title, const char *stand_in)
{
	char *p = arena_strdup(a, *title == '\0' ? stand_in : title);

	for (char *c = p; *c != '\0'; c++)
		if (*c == '/')
			*c = '-';
	return p;
}

static const char *
own_path(struct history *h, struct arena *a, const struct point *p, const struct node *n)
{
	switch (n->kind) {
	case NODE_DOCUMENT: return arena_printf(a, "%s.md", page_path(h->db, a, p, n));
	case NODE_FILE:     return arena_printf(a, ".gitbook/assets/%s", one_part(a, n->title, n->id));
	case NODE_REUSABLE: return arena_printf(a, ".gitbook/includes/%s.md", slug_from_title(a, str_of(*n->title == '\0' ?
	                        n->id : n->title)));
	default:            return NULL;
	}
}

/*
 * The path of a node's file at a point; NULL: it has none. If another node may have a file with the
 * same name, the id is added, so that two files never have the same path. This happens for files
 * and reusable contents with the same title, and for a page at the former path of another page that
 * kept its file.
 */
static const char *
path_at(struct history *h, struct arena *a, const struct point *p, const struct node *n)
{
	const char *path, *dot, *base;
	struct node other;

	if (n->git_path != NULL)
		return n->kind & (NODE_DOCUMENT | NODE_FILE | NODE_REUSABLE | NODE_SETTING) ? safe_path(a, n->git_path) : NULL;
	if ((path = own_path(h, a, p, n)) == NULL)
		return NULL;
	if (n->kind == NODE_DOCUMENT && !node_by_git_path(h->db, a, p, path, &other))
		return safe_path(a, path);
	base = strrchr(path, '/') != NULL ? strrchr(path, '/') : path;
	if ((dot = strrchr(base, '.')) == NULL || dot == base + 1)
		dot = path + strlen(path);
	return safe_path(a, arena_printf(a, "%.*s-%.8s%s", (int)(dot - path), path, n->id, dot));
}

/* The same at `now`, for an id. Results are cached in `known`. */
static const char *
path_of(struct history *h, const char *id)
{
	const char *path = map_get(h->known, str_of(id));
	struct node n;

	if (path != NULL)
		return *path == '\0' ? NULL : path;
	if (node_get(h->db, h->step, &h->now, id, &n))
		path = path_at(h, h->step, &h->now, &n);
	map_add(h->known, str_of(arena_strdup(h->paths, id)), arena_strdup(h->paths, path == NULL ? "" : path));
	return path;
}

static void
forget_paths(struct history *h)
{
	arena_reset(h->paths);
	h->known = map_new(h->paths);
}

/* ---- links ---- */

static bool
names_id(struct str s)
{
	return str_starts(s, "/pages/") || str_starts(s, "/files/") || str_starts(s, "/reusable-contents/") ||
	    str_starts(s, "/broken/");
}

/*
 * The path of the file that a relative link names, as seen from the page's file. Fragment and query
 * are ignored.
 */
static const char *
spelled_file(struct history *h, struct str s)
{
	struct arena *a = h->step;
	const char *slash = strrchr(h->from, '/'), *text;
	char *joined, *part, *save = NULL;
	struct buf b;

	text = arena_strndup(a, s.p, s.n);
	text = arena_strndup(a, text, strcspn(text, "#?"));
	joined = *text == '/' || slash == NULL ? arena_strdup(a, text) :
	    arena_printf(a, "%.*s/%s", (int)(slash - h->from), h->from, text);
	buf_init(&b, a, 1 << 20);
	for (part = strtok_r(joined, "/", &save); part != NULL; part = strtok_r(NULL, "/", &save)) {
		if (strcmp(part, ".") == 0)
			continue;
		if (strcmp(part, "..") == 0) {
			const char *last = b.n == 0 ? NULL : strrchr(b.p, '/');

			buf_cut(&b, b.n - (last == NULL ? 0 : (size_t)(last - b.p)));
			continue;
		}
		buf_str(&b, b.n > 0 ? "/" : "");
		buf_str(&b, part);
	}
	return b.n == 0 ? "" : b.p;
}

/* Spells a link relative to the page's file, unless its spelling leads to the target's file already. */
static bool
spell_link(void *ctx, const struct doc_link *link, struct buf *out)
{
	struct history *h = ctx;
	struct doc_ref want;
	const char *id, *to;

	if (!link_map_find(&h->map, link->spelling, &want) || want.space != NULL)
		return false;
	id = want.id != NULL ? want.id : want.kind == REF_ANCHOR ? h->page->id : NULL;
	if (id == NULL || (want.kind != REF_PAGE && want.kind != REF_ANCHOR && want.kind != REF_FILE && want.kind != REF_REUSABLE))
		return false;
	if ((to = path_of(h, id)) == NULL)
		return false;
	if (want.kind == REF_ANCHOR && strcmp(id, h->page->id) == 0 && !names_id(link->spelling))
		return false;
	if (!names_id(link->spelling) && strcmp(spelled_file(h, link->spelling), to) == 0)
		return false;
	buf_str(out, path_between(h->step, h->from, to));
	if (want.kind == REF_ANCHOR && want.anchor != NULL)
		buf_printf(out, "#%s", want.anchor);
	return true;
}

/*
 * The body, with links that are spelled relative to the file. If no link has to be changed, the
 * body is not parsed.
 */
static struct str
spelled_body(struct history *h, const struct node *n, const char *path)
{
	struct str body = STR(""), refs = STR("");
	struct buf out, unused;
	bool any = false;

	if (n->body.n == 0 || !blob_get(h->db, h->step, n->body, &body) || n->refs.n == 0 ||
	    !blob_get(h->db, h->step, n->refs, &refs))
		return body;
	h->map = link_map_read(h->step, refs);
	h->from = path;
	h->page = n;
	buf_init(&unused, h->step, 1 << 24);
	for (size_t i = 0; i < h->map.n && !any; i++) {
		struct doc_link link = { .spelling = h->map.list[i].spelling };

		any = spell_link(h, &link, &unused);
	}
	if (!any)
		return body;
	buf_init(&out, h->step, TEXT_BYTES);
	doc_respell(&out, h->step, body, spell_link, h);
	return buf_view(&out);
}

/* ---- files ---- */

static const char *
title_of(struct arena *a, const struct node *n)
{
	const cJSON *props = cJSON_Parse(n->props);
	const char *emoji = json_text_of(props, "emoji");

	return emoji == NULL ? n->title : arena_printf(a, "%s %s", emoji, n->title);
}

/* The part of the file before the page's body: the stored bytes, with the present title and properties. */
static struct str
page_front(struct history *h, const struct node *n)
{
	struct page_file f;
	struct str front = node_front(h->db, h->step, n), bytes = str_trim(front).n == 0 ? STR("") : front;
	struct front_edit e = { .title = title_of(h->step, n), .props = n->props };
	const char *fault;

	page_file_split(h->step, bytes, &f);
	e.old = f.front.p == NULL ? STR("") : f.front;
	e.old_title = f.h1;
	e.old_props = f.props;
	return front_write(h->step, &e, &fault);
}

static void
put_text(struct history *h, const struct node *n, const char *path)
{
	struct str body = spelled_body(h, n, path), front = STR("");
	struct buf out;

	buf_init(&out, h->step, TEXT_BYTES);
	if (n->kind == NODE_DOCUMENT)
		front = page_front(h, n);
	else if (n->kind == NODE_REUSABLE && (front = node_front(h->db, h->step, n)).n == 0) {
		buf_str(&out, "---\ntitle: ");
		yaml_quoted(&out, n->title);
		buf_str(&out, "\n---\n\n");
	}
	if (front.n > 0)
		buf_put(&out, front);
	if (body.n > 0)
		buf_put(&out, body);
	if (out.n > 0 && out.p[out.n - 1] != '\n')
		buf_char(&out, '\n');
	put_bytes(h->out, out.n == 0 ? STR("") : buf_view(&out));
}

/*
 * Writes the bytes of an uploaded file, in pieces. A file that cannot be read is empty; octavo
 * check reports it.
 */
static void
put_file(struct history *h, const struct node *n)
{
	char piece[PIECE];
	FILE *in = fopen(blob_path(h->step, h->dir, n->body), "re");
	struct stat st;
	int64_t left;
	size_t got;

	if (in == NULL || fstat(fileno(in), &st) != 0) {
		put_bytes(h->out, STR(""));
		if (in != NULL)
			fclose(in);
		return;
	}
	fprintf(h->out, "data %lld\n", (long long)st.st_size);
	for (left = st.st_size; left > 0; left -= (int64_t)got) {
		if ((got = fread(piece, 1, left < PIECE ? (size_t)left : PIECE, in)) == 0)
			memset(piece, 0, got = left < PIECE ? (size_t)left : PIECE);
		fwrite(piece, 1, got, h->out);
	}
	fputc('\n', h->out);
	fclose(in);
}

static void
put_node(struct history *h, const struct node *n)
{
	const char *path = path_of(h, n->id);

	if (path == NULL || (n->kind == NODE_SETTING && n->body.n == 0))
		return;
	fputs("M 100644 inline ", h->out);
	put_path(h->out, path);
	fputc('\n', h->out);
	if (n->kind == NODE_FILE)
		put_file(h, n);
	else
		put_text(h, n, path);
}

/* ---- a revision ---- */

static bool
was_here(struct history *h, const char *id, struct node *out)
{
	return h->before.branch != 0 && node_get(h->db, h->step, &h->before, id, out);
}

static bool
same_place(const struct node *x, const struct node *y)
{
	return x->kind == y->kind && strcmp(x->parent, y->parent) == 0 && strcmp(x->slug, y->slug) == 0 &&
	    same_text(x->path, y->path) && same_text(x->git_path, y->git_path) &&
	    (x->kind & (NODE_DOCUMENT | NODE_GROUP) || strcmp(x->title, y->title) == 0);
}

/* Notes a node of the change request that has moved, and the pages below it. */
static void
note_moved(struct history *h, const char *id)
{
	if (map_add(h->moved, str_of(arena_strdup(h->moves, id)), NULL))
		h->any_moved = true;
}

static void
note_below(struct history *h, const struct page *page)
{
	for (; page != NULL && h->moved != NULL; page = page->next) {
		note_moved(h, page->node.id);
		note_below(h, page->first);
	}
}

/*
 * For a page and all pages below it: removes the files that they had before (gone), or writes those
 * that they have now.
 */
static void
each_below(struct history *h, const struct point *p, const struct page *page, bool gone)
{
	for (; page != NULL; page = page->next) {
		if (page->node.kind == NODE_DOCUMENT && gone) {
			fputs("D ", h->out);
			put_path(h->out, path_at(h, h->step, p, &page->node));
			fputc('\n', h->out);
		} else if (page->node.kind == NODE_DOCUMENT)
			put_node(h, &page->node);
		each_below(h, p, page->first, gone);
	}
}

static void
put_gone(struct history *h, const struct node *was)
{
	const char *path;

	if (was->kind & NODE_PAGES) {
		each_below(h, &h->before, page_subtree(h->db, h->step, &h->before, was), true);
		return;
	}
	if ((path = path_at(h, h->step, &h->before, was)) == NULL)
		return;
	fputs("D ", h->out);
	put_path(h->out, path);
	fputc('\n', h->out);
}

struct changed {
	const char **ids;
	size_t       n, room;
};

static struct changed
read_ids(struct history *h, struct stmt *q)
{
	struct changed c = { 0 };

	while (stmt_step(q)) {
		c.ids = arena_grow(h->step, c.ids, c.n, &c.room, sizeof(*c.ids));
		c.ids[c.n++] = col_dup(q, 0, h->step);
	}
	return c;
}

/* Writes all removals before all files, so that none is lost if two pages change places. */
static void
put_changes(struct history *h, const struct changed *c)
{
	enum { STAYS, NEW, MOVED, GONE } *how = arena_array(h->step, c->n + 1, sizeof(*how));
	struct node was, is;
	bool any = false;

	for (size_t i = 0; i < c->n; i++) {
		bool before = was_here(h, c->ids[i], &was), now = node_get(h->db, h->step, &h->now, c->ids[i], &is);

		how[i] = !now ? GONE : !before ? NEW : same_place(&was, &is) ? STAYS : MOVED;
		if (before && (how[i] == MOVED || how[i] == GONE))
			put_gone(h, &was);
		if (how[i] == MOVED && h->moved != NULL)
			note_moved(h, c->ids[i]);
		any = any || how[i] != STAYS;
	}
	if (any || h->known == NULL)
		forget_paths(h);
	for (size_t i = 0; i < c->n; i++) {
		const struct page *below;

		if (!node_get(h->db, h->step, &h->now, c->ids[i], &is))
			continue;
		if (how[i] == STAYS || (is.kind & NODE_PAGES) == 0) {
			put_node(h, &is);
			continue;
		}
		below = page_subtree(h->db, h->step, &h->now, &is);
		if (how[i] == MOVED)
			note_below(h, below);
		each_below(h, &h->now, below, false);
	}
}

/* ---- the last commit: table of contents, and links to pages that moved ---- */

static const char *
toc_target(struct history *h, const struct node *n, const cJSON *props)
{
	const cJSON *target = cJSON_GetObjectItemCaseSensitive(props, "target");
	const char *url = json_text_of(target, "url"), *id = json_text_of(target, "page");

	if (n->kind == NODE_DOCUMENT)
		return path_of(h, n->id);
	if (n->kind != NODE_LINK)
		return NULL;
	return url != NULL ? url : id != NULL ? path_of(h, id) : NULL;
}

static void
add_pages(struct history *h, const struct page *p, ptrdiff_t parent, struct toc_item *items, size_t *n)
{
	for (; p != NULL; p = p->next) {
		const cJSON *props = cJSON_Parse(p->node.props), *computed = cJSON_GetObjectItemCaseSensitive(props, "computed");
		ptrdiff_t at = (ptrdiff_t)*n;

		items[(*n)++] = (struct toc_item){ .kind = p->node.kind == NODE_GROUP ? LAYOUT_GROUP : p->node.kind == NODE_LINK ?
			LAYOUT_LINK : p->node.kind == NODE_COMPUTED ? LAYOUT_COMPUTED : LAYOUT_DOCUMENT,
			.title = title_of(h->step, &p->node), .link_title = json_text_of(props, "linkTitle"), .slug = p->node.slug,
			.parent = parent, .was = -1, .target = toc_target(h, &p->node, props),
			.json = computed == NULL ? NULL : cJSON_PrintUnformatted(computed) };
		add_pages(h, p->first, at, items, n);
	}
}

static void
put_contents(struct history *h)
{
	size_t count, n = 0;
	struct page *tree;
	struct toc_item *items;

	arena_reset(h->step);
	json_arena(h->step);
	tree = page_tree(h->db, h->step, &h->now, &count);
	items = arena_array(h->step, count + 1, sizeof(*items));
	add_pages(h, tree, -1, items, &n);
	fputs("M 100644 inline SUMMARY.md\n", h->out);
	put_bytes(h->out, toc_write(h->step, STR(""), NULL, 0, items, n));
}

/* True if the text links to something that has moved. */
static bool
links_to_moved(struct history *h, const struct node *n)
{
	struct link_map map;
	struct str refs;

	if (n->refs.n == 0 || !blob_get(h->db, h->step, n->refs, &refs))
		return false;
	map = link_map_read(h->step, refs);
	for (size_t i = 0; i < map.n; i++)
		if (map.list[i].ref.id != NULL && map_has(h->moved, str_of(map.list[i].ref.id)))
			return true;
	return false;
}

/* Writes texts again whose links may have another spelling by now. Git stores a text that did not change only once. */
static void
put_links(struct history *h)
{
	size_t count;
	struct node *all = node_list(h->db, h->arena, &h->now, NODE_DOCUMENT | NODE_REUSABLE, &count);

	for (size_t i = 0; i < count; i++) {
		if (h->moved == NULL || links_to_moved(h, &all[i]))
			put_node(h, &all[i]);
		if (i % 64 == 63)
			arena_reset(h->step);
	}
}

/* ---- commits ---- */

/* The message: that of the imported commit, otherwise a text about the change. */
static const char *
message_of(struct history *h, const struct revision_row *r)
{
	const char *said = json_text_of(cJSON_Parse(r->git == NULL ? "{}" : r->git), "message");
	const char *what = strcmp(r->kind, "merge") == 0 ? "Merge" : strcmp(r->kind, "update") == 0 ? "Update" :
	    strcmp(r->kind, "rollback") == 0 ? "Roll back" : strcmp(r->kind, "computed") == 0 ? "Compute pages" : "Edit";

	if (said == NULL && r->number > 0)
		said = arena_printf(h->step, "%s\n\nMerge change request #%lld", r->subject != NULL && *r->subject != '\0' ?
		    r->subject : "No subject", (long long)r->number);
	return arena_printf(h->step, "%s\n\nOctavo-Revision: %s\n", said != NULL ? said : what, r->id);
}

static void
begin_commit(struct history *h, const struct revision_row *r, int64_t mark)
{
	const char *name = plain(h->step, r->author == NULL ? "Octavo" : r->author);
	const char *email = plain(h->step, r->email == NULL ? "octavo@users.noreply.octavo.invalid" : r->email);

	fprintf(h->out, "commit %s\n", h->ref);
	fprintf(h->out, "mark :%lld\n", (long long)mark);
	fprintf(h->out, "author %s <%s> %lld +0000\ncommitter %s <%s> %lld +0000\n", name, email, (long long)(r->at / 1000),
	    name, email, (long long)(r->at / 1000));
	put_bytes(h->out, str_of(message_of(h, r)));
}

static struct revision_row
read_revision(struct history *h, struct stmt *q)
{
	struct arena *a = h->arena;

	return (struct revision_row){ .seq = col_int(q, 0), .id = col_dup(q, 1, a), .kind = col_dup(q, 2, a),
		.at = col_int(q, 4), .git = col_dup(q, 5, a), .base_seq = col_int(q, 6), .author = col_dup(q, 7, a),
		.email = col_dup(q, 8, a), .number = col_int(q, 9), .subject = col_dup(q, 10, a) };
}

/* Reads the next revision of a branch; false: there is none. Resets the arena of the revision before. */
static bool
next_revision(struct history *h, struct stmt *q, struct revision_row *r)
{
	arena_reset(h->step);
	json_arena(h->step);
	arena_reset(h->arena);
	if (!stmt_step(q))
		return false;
	*r = read_revision(h, q);
	h->revisions++;
	return true;
}

static struct changed
ids_of(struct history *h, const struct sql *sql, int64_t seq)
{
	struct stmt *q = db_use(h->db, sql);

	bind_int(q, ":branch", h->now.branch);
	bind_int(q, ":seq", seq);
	return read_ids(h, q);
}

/*
 * Ends the last commit of main or of a change request. A space with thousands of merged requests would
 * take long if each wrote its pages: only those are written whose links it has changed.
 */
static void
finish_branch(struct history *h, bool contents)
{
	if (h->now.branch != 0 && (h->moved == NULL || h->any_moved))
		put_links(h);
	if (h->now.branch != 0 && contents)
		put_contents(h);
	fputc('\n', h->out);
}

/*
 * Writes main, one commit for each revision. The mark of a commit is the number of the revision +
 * 1. The last commit also contains all texts, and the table of contents.
 */
static void
put_main(struct history *h, int64_t branch)
{
	struct stmt *q = db_use(h->db, &q_leave_revisions);
	struct revision_row r;
	struct changed c;

	h->ref = "refs/heads/main";
	bind_int(q, ":branch", branch);
	while (next_revision(h, q, &r)) {
		h->before = h->now;
		h->now = (struct point){ .space = h->space, .revision = "", .branch = branch, .seq = r.seq };
		begin_commit(h, &r, r.seq + 1);
		c = ids_of(h, &q_leave_changed, r.seq);
		put_changes(h, &c);
	}
	finish_branch(h, true);
}

/* ---- change requests ---- */

struct request_row {
	int64_t number, branch, base, base_seq;
	bool    open;
};

static void
forget_moves(struct history *h)
{
	arena_reset(h->moves);
	h->moved = map_new(h->moves);
	h->any_moved = false;
}

/*
 * Writes the commits of a change request. The first commit, and each commit whose revision is based
 * on a newer main, starts from main's files and writes everything that the request changed. In the
 * latter case the request's commit before it is the second parent.
 */
static void
put_request(struct history *h, const struct request_row *cr)
{
	struct stmt *q = db_use(h->db, &q_leave_revisions);
	struct revision_row r;
	struct changed c;
	int64_t base = -1;

	bind_int(q, ":branch", cr->branch);
	h->now = (struct point){ 0 };
	forget_moves(h);
	while (next_revision(h, q, &r)) {
		bool rebased = r.base_seq != base;

		h->before = rebased ? (struct point){ .space = h->space, .branch = cr->base, .seq = r.base_seq } : h->now;
		h->now = (struct point){ .space = h->space, .revision = "", .branch = cr->branch, .seq = r.seq, .base = cr->base,
			.base_seq = r.base_seq };
		begin_commit(h, &r, h->mark + 1);
		if (rebased) {
			fprintf(h->out, "from :%lld\n", (long long)r.base_seq + 1);
			if (base >= 0)
				fprintf(h->out, "merge :%lld\n", (long long)h->mark);
			forget_paths(h);
			forget_moves(h);
		}
		base = r.base_seq;
		h->mark++;
		c = ids_of(h, rebased ? &q_leave_own : &q_leave_changed, r.seq);
		put_changes(h, &c);
	}
	finish_branch(h, cr->open);
}

static void
put_requests(struct history *h)
{
	struct arena *a = arena_new(1 << 26);
	struct stmt *q = db_use(h->db, &q_leave_requests);
	struct request_row *list = NULL;
	size_t n = 0, room = 0;

	bind_text(q, ":space", h->space);
	while (stmt_step(q)) {
		list = arena_grow(a, list, n, &room, sizeof(*list));
		list[n++] = (struct request_row){ col_int(q, 0), col_int(q, 1), col_int(q, 2), col_int(q, 3), col_int(q, 4) != 0 };
	}
	for (size_t i = 0; i < n; i++) {
		h->ref = arena_printf(a, "refs/heads/change-requests/%lld", (long long)list[i].number);
		put_request(h, &list[i]);
	}
	arena_free(a);
}

int64_t
leave_history(struct db *db, struct arena *a, const char *dir, const char *space, FILE *out)
{
	struct history h = { .db = db, .dir = dir, .space = space, .out = out, .mark = REQUEST_MARKS };
	struct stmt *q = db_use(db, &q_leave_space);
	int64_t branch;

	bind_text(q, ":space", space);
	if ((branch = stmt_int(q, 0)) == 0)
		return 0;
	h.arena = arena_within(a, (size_t)2 << 30);
	h.step = arena_within(a, (size_t)4 << 30);
	h.paths = arena_within(a, (size_t)1 << 30);
	h.moves = arena_within(a, (size_t)1 << 30);
	forget_paths(&h);
	put_main(&h, branch);
	put_requests(&h);
	fputs("done\n", out);
	json_arena(NULL);
	return h.revisions;
}
