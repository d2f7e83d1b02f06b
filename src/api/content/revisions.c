/*
 * Reads content: revisions, pages and reusable contents, at the head of a space (…/content/…) and
 * at any revision (…/revisions/{revisionId}/…). Both use the same code with a different point. The
 * content of a revision never changes, so the ETag is known before the answer is built, and a
 * conditional GET is cheap.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/app_address.h"
#include "api/document_shapes.h"
#include "api/examples.h"
#include "api/request_row.h"
#include "api/revision_files.h"
#include "api/meta.h"
#include "api/revision_pages.h"
#include "api/revisions.h"
#include "api/site_addresses.h"
#include "api/visitor.h"
#include "audience/visit.h"
#include "computed/computed.h"
#include "base/map.h"
#include "http/req.h"
#include "links/links.h"
#include "store/computed.h"
#include "store/content.h"
#include "store/include.h"
#include "store/redirect.h"

static const struct shape RevisionUrls = { "RevisionUrls", (const struct field[]){
	{ "app", T_TEXT, F_REQ, .doc = "Page of the application; the address in this API where OCTAVO_APP=0",
	  .example = EXAMPLE_APP "/spaces/" EXAMPLE_SPACE "/revisions/" EXAMPLE_REVISION },
	{ "published", T_TEXT, .doc = "Address where it is published",
	  .example = "https://docs.example.com/handbook" },
	{ "public", T_TEXT, .doc = "Address where everybody can read it",
	  .example = "https://docs.example.com/handbook" },
	{ 0 } } };
const struct shape GitCommit = { "GitSyncCommit", (const struct field[]){
	{ "oid", T_TEXT, F_REQ, .doc = "Hash of the commit",
	  .example = "9f2c1b7e5a4d83061f2e7c9b0a5d4e3f2b1c0d9e" },
	{ "message", T_TEXT, F_REQ, .doc = "Message of the commit", .example = "Explain the first steps" },
	{ "createdByGitBook", T_BOOL, F_REQ, .doc = "true: the service made the commit" },
	{ "url", T_TEXT, .doc = "Address of the commit",
	  .example = "https://git.example.com/acme/docs/commit/9f2c1b7e" },
	{ "ref", T_TEXT, .doc = "Branch", .example = "refs/heads/main" },
	{ 0 } } };
const struct shape RevisionReusableContent = { "RevisionReusableContent", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_REUSABLE },
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "Requirements" },
	{ "document", T_TEXT, .doc = "Id of its text", .example = EXAMPLE_REUSABLE },
	{ "git", T_OBJECT, .of = &GitBlob, .doc = "Where it is stored in the git repository" },
	{ 0 } } };
const struct shape Revision = { "Revision", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "revision", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_REVISION },
	{ "type", T_ENUM, F_REQ, .set = "edits,merge,update,rollback,computed",
	  .doc = "How the revision was made" },
	{ "parents", T_LIST, F_REQ, .item = &(const struct field){ "", T_TEXT },
	  .doc = "Ids of the revisions that it follows", .example = "[\"r2NcX6bQmZk8TvLd5WhJ\"]" },
	{ "pages", T_LIST, F_REQ, .of = &RevisionPage, .doc = "Pages at the top, in order" },
	{ "files", T_LIST, F_REQ, .of = &RevisionFile, .doc = "All files" },
	{ "reusableContents", T_LIST, F_REQ, .of = &RevisionReusableContent,
	  .doc = "All reusable contents" },
	{ "variables", T_MAP, .item = &(const struct field){ "", T_TEXT }, .example = "{\"version\":\"2.4\"}",
	  .doc = "Variables of the space, by name" },
	{ "tags", T_LIST, F_REQ, .of = &SpaceTag, .doc = "Tags of the space" },
	{ "createdAt", T_TIME, F_REQ, .doc = "When it was created" },
	{ "git", T_OBJECT, .of = &GitCommit, .doc = "The commit that it was imported from or exported to" },
	{ "mergedFrom", T_OBJECT, .of = &ChangeRequest, .doc = "With type merge: the change request that was merged" },
	{ "urls", T_OBJECT, F_REQ, .of = &RevisionUrls, .doc = "Its addresses" },
	{ 0 } } };
const struct shape MetaLinks = { "RevisionPageMetaLinks", (const struct field[]){
	{ "canonical", T_OBJECT, .of = &ContentRef, .doc = "The page that search engines should list instead" },
	{ "alternates", T_LIST, .of = &ContentRef, .example = "[]",
	  .doc = "The page in other languages and variants" },
	{ 0 } } };

/*
 * The parent is the revision with the next lower number of the same branch: numbers have gaps
 * (store/content.h), so it is found by order and not as seq - 1. The first revision of a branch has
 * none.
 */
SQL(q_about,
    "SELECT r.kind, (SELECT p.id FROM revision p WHERE p.branch = r.branch AND p.seq < r.seq "
    "ORDER BY p.seq DESC LIMIT 1), "
    "r.created_at, r.git FROM revision r WHERE r.id = :id");
/*
 * revision.merged is the id of the last revision of the merged branch. The branch of a git
 * import belongs to no change request, so there is no row.
 */
SQL(q_merged_request,
    "SELECT cr.id FROM revision r JOIN revision m ON m.id = r.merged "
    "JOIN change_request cr ON cr.branch = m.branch WHERE r.id = :id");

/* Only sites with SHOWN_UNLISTED or more (api/space_shape.h) count: the others are not open to everybody. */
SQL(q_public, "SELECT 1 FROM site_space WHERE space = :space AND shown >= 3 LIMIT 1");

/* True if not_modified() has answered. The ETag includes the day, since addresses of files change daily. */
static bool
answer_unchanged(struct req *r, const struct point *p, const char *more)
{
	return not_modified(r, "%s %s %s %lld %s %s", r->route->operation, r->path, p->revision,
	    (long long)(time_now() / DAY_MS), cJSON_PrintUnformatted(r->query), more);
}

/*
 * Caches the document after the answer is sent, so that no reader waits for the cache. Skipped if
 * another process holds the write lock; the next reader renders it again and retries.
 */
static void
cache_document(struct req *r, void *arg)
{
	if (!db_try_begin(r->db))
		return;
	document_keep(r->db, arg);
	db_commit(r->db);
}

/*
 * The visitor for whom expressions are evaluated: the visitor of the site token, or, if a user
 * sends `evaluated`, a visitor without claims. NULL: expressions are returned as written.
 */
static const struct visit *
choose_reader(struct req *r)
{
	const char *evaluated = query_text(r, "evaluated");
	struct visit *v;

	if (r->visit != NULL || evaluated == NULL || strcmp(evaluated, "false") == 0)
		return r->visit;
	v = arena_alloc(r->arena, sizeof(*v));
	visit_begin(v, r->db, r->arena, r->set);
	v->deterministic_only = strcmp(evaluated, "deterministic-only") == 0;
	return v;
}

/* The document with its expressions evaluated for the caller, if choose_reader() says so. */
static struct str
evaluate_document(struct req *r, const struct point *p, const struct node *n, struct str json)
{
	const struct visit *v = choose_reader(r);

	return v == NULL ? json : visit_document(v, p, n, json);
}

struct str
document_json(struct req *r, const struct point *p, const struct node *n)
{
	/* In the arena and not on the stack: cache_document() reads it after the handler has returned. */
	struct rendered *d = arena_alloc(r->arena, sizeof(*d));

	*d = document_of(r->db, r->arena, p, n);
	/* Callers of the API may write the text back, so lost text is reported. */
	if (d->lost)
		fail_lost_text(r->db, r->arena, n);
	/* Only one function can run after the answer, so only the first of several documents is cached. */
	if (!d->cached && r->after == NULL) {
		r->after = cache_document;
		r->after_arg = d;
	}
	return d->json;
}

/* ---- whole revisions ---- */

/* Writes a setting of the space at the point; preset (JSON) if it was never set. Settings are versioned nodes. */
static void
write_setting(struct req *r, const struct point *p, const char *id, const char *key,
    const char *preset)
{
	struct node n;
	const cJSON *props, *v = NULL;

	if (node_get(r->db, r->arena, p, id, &n) && (props = cJSON_Parse(n.props)) != NULL)
		v = cJSON_GetObjectItemCaseSensitive(props, "value");
	json_key(&r->json, key);
	json_raw(&r->json, str_of(v != NULL ? cJSON_PrintUnformatted(v) : preset));
}

/* The unused parameters give it the signature of file_json(), so that nodes_json() can call both. */
void
reusable_json(struct req *r, struct json *j, const struct point *p, const struct node *n, bool git)
{
	(void)r;
	(void)p;
	json_obj(j);
	json_kstr(j, "id", n->id);
	json_kstr(j, "title", *n->title != '\0' ? n->title : "Untitled");
	if (git)
		git_json(j, n);
	json_end(j);
}

/* Returns the request as JSON and does not write it, since the ETag needs it first; "" if the revision merged none. */
const char *
merged_from(struct req *r, const struct point *p)
{
	struct stmt *q = db_use(r->db, &q_merged_request), *request;
	struct json j;
	struct buf b;

	bind_text(q, ":id", p->revision);
	if (visited_only(r) || !stmt_step(q) || (request = request_row(r, col_text(q, 0))) == NULL)
		return "";
	buf_init(&b, r->arena, 16 << 20);
	json_init(&j, &b);
	shape_row(&j, &ChangeRequest, r, request);
	return b.p;
}

/* The address at which readers find this revision; NULL: none, since sites show only the head of the main branch. */
static const char *
published_address(struct req *r, const struct point *p)
{
	if (r->shown != NULL)
		/* A visitor gets the address of the site space being read, for any of its revisions. */
		return r->shown->address;
	return p->base == 0 && p->branch == r->space.branch && p->seq == r->space.head ? space_address(r, p->space) : NULL;
}

/*
 * True if a public or unlisted site shows the space. Called only if published_address() returned an
 * address, which may be that of another site with fewer visitors.
 */
static bool
is_public(struct req *r, const char *space)
{
	struct stmt *q = db_use(r->db, &q_public);

	bind_text(q, ":space", space);
	return stmt_int(q, 0) == 1;
}

/*
 * Returns the commit as JSON with an empty message. A visitor must not see the internal remarks of
 * a message, but the client requires the member.
 */
static struct str
remove_message(struct str git)
{
	cJSON *commit = cJSON_ParseWithLength(git.p, git.n);

	cJSON_ReplaceItemInObjectCaseSensitive(commit, "message", cJSON_CreateString(""));
	return str_of(cJSON_PrintUnformatted(commit));
}

/*
 * Writes the members of a revision up to `urls` into the open object. merged: the result of
 * merged_from(). git: write the commit. A commit can be added to a revision later, so callers that
 * need an immutable answer omit it (docs/design/requests.md, "Conditional requests").
 */
static void
write_revision_members(struct req *r, const struct point *p, bool git, const char *merged)
{
	/* Computed before db_use() of q_about, since it runs other statements. */
	const char *at = published_address(r, p);
	struct stmt *q = db_use(r->db, &q_about);
	struct json *j = &r->json;

	bind_text(q, ":id", p->revision);
	stmt_step(q);
	json_kstr(j, "object", "revision");
	json_kstr(j, "id", p->revision);
	/* The published client requires the change request of a merge; a git import has none. */
	json_kstr(j, "type", strcmp(col_text(q, 0), "merge") == 0 && *merged == '\0' ? "edits" :
	    col_text(q, 0));
	if (*merged != '\0') {
		json_key(j, "mergedFrom");
		json_raw(j, str_of(merged));
	}
	json_karr(j, "parents");
	if (!col_null(q, 1) && !visited_only(r))
		json_str(j, col_text(q, 1));
	json_end(j);
	json_key(j, "createdAt");
	json_time(j, col_int(q, 2));
	if (git && !col_null(q, 3)) {
		json_key(j, "git");
		json_raw(j, visited_only(r) ? remove_message(col_bytes(q, 3)) : col_bytes(q, 3));
	}
	json_kobj(j, "urls");
	json_kstr(j, "app", app_revision_address(r, p->space, p->revision));
	if (at != NULL)
		json_kstr(j, "published", at);
	at = space_public_address(r, p->space, at, at != NULL && is_public(r, p->space));
	if (at != NULL)
		json_kstr(j, "public", at);
	json_end(j);
}

/*
 * Adds the page and its ancestors to `open`, the pages whose children the answer contains. False:
 * the page is not below this list. At most PAGE_DEPTH levels (store/content.h).
 */
static bool
note_open_pages(struct map *open, const struct page *list, const char *id)
{
	for (; list != NULL; list = list->next)
		if (strcmp(list->node.id, id) == 0 || note_open_pages(open, list->first, id)) {
			map_add(open, str_of(list->node.id), open);
			return true;
		}
	return false;
}

/* Writes the key `pages` with the tree, reduced as the query demands. */
static void
write_pages(struct req *r, const struct point *p, bool git)
{
	const char *open = query_text(r, "open");
	struct page_style style = { .git = git, .brief = query_bool(r, "brief", false) };
	struct page *first;
	size_t count;

	if (query_text(r, "find") != NULL) {
		found_pages_json(r, p, query_text(r, "find"));
		return;
	}
	first = page_tree(r->db, r->arena, p, &count);
	if (r->visit != NULL)
		/* Prune before the expansion, so that the pages of a hidden computed page are hidden with it. */
		visit_prune(r->visit, p, &first);
	if (query_bool(r, "computed", true))
		first = computed_expand(r->db, r->arena, p, first, "");
	if (open != NULL) {
		style.open = map_new(r->arena);
		note_open_pages(style.open, first, open);
	}
	json_key(&r->json, "pages");
	pages_json(r, &r->json, p, first, &style);
}

/*
 * The whole revision. Its content is immutable, but its merge and its published address are not, so
 * the ETag covers both.
 */
static int
reply_revision(struct req *r)
{
	bool git = query_bool(r, "metadata", true);
	const char *merged, *at;
	struct point p;

	if (point_or_fail(r, &p) != 0)
		return -1;
	/*
	 * Both can change after the revision was written: the change request can be edited, and
	 * sites are published and unpublished.
	 */
	merged = merged_from(r, &p);
	at = published_address(r, &p);
	if (answer_unchanged(r, &p, at == NULL ? merged : arena_printf(r->arena, "%s %s %d", merged, at, is_public(r, p.space))))
		return 0;
	json_obj(&r->json);
	write_revision_members(r, &p, git, merged);
	write_pages(r, &p, git);
	nodes_json(r, &p, "files", NODE_FILE, git, query_text(r, "find"));
	nodes_json(r, &p, "reusableContents", NODE_REUSABLE, git, query_text(r, "find"));
	write_setting(r, &p, "vars", "variables", "{}");
	write_setting(r, &p, "tags", "tags", "[]");
	json_end(&r->json);
	return 0;
}

/*
 * write_revision_members() and write_setting() write to r->json. Callers are in the middle of writing it
 * (content_links.c), so it is saved and restored.
 */
struct str
revision_alone(struct req *r, const struct point *p)
{
	static const char *const lists[] = { "pages", "files", "reusableContents" };
	struct buf out = r->out;
	struct json json = r->json;
	struct str text;
	size_t i;

	buf_init(&r->out, r->arena, 16 << 20);
	json_init(&r->json, &r->out);
	json_obj(&r->json);
	write_revision_members(r, p, true, merged_from(r, p));
	for (i = 0; i < 3; i++) {
		json_karr(&r->json, lists[i]);
		json_end(&r->json);
	}
	write_setting(r, p, "vars", "variables", "{}");
	write_setting(r, p, "tags", "tags", "[]");
	json_end(&r->json);
	text = buf_view(&r->out);
	r->out = out;
	r->json = json;
	return text;
}

static int
reply_pages(struct req *r)
{
	struct point p;

	if (point_or_fail(r, &p) != 0)
		return -1;
	if (answer_unchanged(r, &p, ""))
		return 0;
	json_obj(&r->json);
	write_pages(r, &p, query_bool(r, "metadata", true));
	json_end(&r->json);
	return 0;
}

/* ---- one page ---- */

struct page *
page_whole(struct req *r, const struct point *p, const struct node *n)
{
	struct page *page = page_subtree(r->db, r->arena, p, n);

	if (r->visit != NULL)
		visit_prune(r->visit, p, &page->first);
	if (query_bool(r, "computed", true))
		page->first = computed_expand(r->db, r->arena, p, page->first, page->path);
	return page;
}

/*
 * The page with its subtree. Groups, links and computed pages have no body, whatever `format` is.
 * `document` and `markdown` exclude each other (docs/design/content.md, "Answers about content").
 */
static int
reply_page(struct req *r, const struct point *p, const struct node *n)
{
	const char *format = query_text(r, "format");
	const char *spelling = query_text(r, "format.markdown.refs");
	bool markdown = format != NULL && strcmp(format, "markdown") == 0;
	struct page_style style = { query_bool(r, "metadata", true) };
	struct page *page = page_whole(r, p, n);
	const struct visit *v = choose_reader(r);
	struct str text;
	struct json j;
	struct buf b;

	if (n->kind != NODE_DOCUMENT) {
		page_json(r, &r->json, p, page, &style, NULL, (struct str){ NULL, 0 });
		return 0;
	}
	if (!markdown) {
		page_json(r, &r->json, p, page, &style, "document",
		    evaluate_document(r, p, n, computed_fill(r->db, r->arena, p, document_json(r, p, n))));
		return 0;
	}
	buf_init(&b, r->arena, 512 << 20);
	json_init(&j, &b);
	text = markdown_of(r->db, r->arena, p, n, spelling != NULL && strcmp(spelling, "stable") == 0);
	json_strn(&j, v == NULL ? text : visit_markdown(v, p, n, text));
	page_json(r, &r->json, p, page, &style, "markdown", buf_view(&b));
	return 0;
}

/* A page expanded from a computed page: generated at each read, from the content of the revision. */
static int
reply_computed(struct req *r, const struct point *p, const struct computed_page *c)
{
	const char *format = query_text(r, "format");
	struct page_style style = { query_bool(r, "metadata", true) };
	struct json j;
	struct buf b;

	if (format == NULL || strcmp(format, "markdown") != 0) {
		page_json(r, &r->json, p, &c->page, &style, "document", computed_document(r->db, r->arena, c));
		return 0;
	}
	buf_init(&b, r->arena, 512 << 20);
	json_init(&j, &b);
	json_strn(&j, computed_markdown(r->db, r->arena, c));
	page_json(r, &r->json, p, &c->page, &style, "markdown", buf_view(&b));
	return 0;
}

static int
get_page(struct req *r)
{
	struct computed_page *c;
	struct point p;
	struct node n;

	if (page_or_fail(r, path_id(r, "pageId"), NODE_PAGES, &p, &n, &c) != 0)
		return -1;
	if (answer_unchanged(r, &p, ""))
		return 0;
	return c != NULL ? reply_computed(r, &p, c) : reply_page(r, &p, &n);
}

/* Finds a page by one spelling of its path. *c is NULL unless the page was expanded from a computed page. */
static bool
find_page_at_spelling(struct req *r, const struct point *p, const char *path, struct node *n, struct computed_page **c)
{
	bool found = page_by_path(r->db, r->arena, p, path, n);

	/*
	 * In this order: a stored page that is not computed; a page at this path that is expanded
	 * from a computed page; the first page expanded from the computed page at this path.
	 */
	*c = NULL;
	if (!query_bool(r, "computed", true) || (found && n->kind != NODE_COMPUTED))
		return found;
	*c = computed_by_path(r->db, r->arena, p, path);
	/*
	 * A computed page has no text of its own, so its path gives the first page expanded from
	 * it, as links to it do. If there is none, nothing is found.
	 */
	if (*c == NULL && found)
		*c = computed_first(r->db, r->arena, p, n);
	return *c != NULL;
}

/* Follows the redirects of .gitbook.yaml for a path without a page. */
static bool
find_redirected_page(struct req *r, const struct point *p, const char *path, struct node *n, struct computed_page **c)
{
	struct doc_ref ref;

	if (!redirect_declared(r->db, r->arena, p, path, &ref) || (ref.kind != REF_PAGE && ref.kind != REF_ANCHOR) ||
	    ref.id == NULL || ref.space != NULL)
		return false;
	if (node_get(r->db, r->arena, p, ref.id, n))
		return true;
	return query_bool(r, "computed", true) && (*c = computed_by_id(r->db, r->arena, p, ref.id)) != NULL;
}

/*
 * Finds a page by its path, however often the path was percent-encoded, or by a redirect: from the
 * earlier path of a moved page, or one of .gitbook.yaml (store/redirect.h). The ETag is computed
 * from the body.
 */
static int
get_page_by_path(struct req *r)
{
	const char *path = path_id(r, "pagePath"), *const *key;
	struct computed_page *c = NULL;
	struct point p;
	struct node n;
	bool found = false;

	if (point_or_fail(r, &p) != 0)
		return -1;
	for (key = page_spellings(r->arena, path); !found && *key != NULL; key++)
		found = find_page_at_spelling(r, &p, *key, &n, &c);
	found = found || find_redirected_page(r, &p, path, &n, &c);
	if (c != NULL && visited_computed(r, c->page.node.id))
		return reply_computed(r, &p, c);
	/* A hidden page gives a visitor the message of a missing page, after the same look-ups, so that nothing reveals it. */
	if (!found || c != NULL || !visited_node(r, &p, &n))
		return fail(r, E_NOT_FOUND, "no page at \"%s\" in this revision", path);
	return reply_page(r, &p, &n);
}

/* Finds a reusable content, or a page that others include as one; other pages are 404. */
static int
reusable_or_fail(struct req *r, struct point *p, struct node *n)
{
	const char *id = path_id(r, "reusableContentId");

	if (node_or_fail(r, id, NODE_REUSABLE | NODE_DOCUMENT, "reusable content", p, n) != 0)
		return -1;
	return n->kind == NODE_REUSABLE || links_included(r->db, r->arena, p, id) ? 0 :
	    fail(r, E_NOT_FOUND, "no reusable content %s in this revision", id);
}

/* Replies with title and path in git of a reusable content; its text is at …/document. */
static int
get_reusable(struct req *r)
{
	struct point p;
	struct node n;

	if (reusable_or_fail(r, &p, &n) != 0)
		return -1;
	reusable_json(r, &r->json, &p, &n, query_bool(r, "metadata", true));
	return 0;
}

/* Replies with the document alone. At a revision it is immutable. c: a page expanded from a computed page, or NULL. */
static int
reply_document(struct req *r, const struct point *p, const struct node *n, const struct computed_page *c)
{
	struct str document;

	/*
	 * A visitor's document depends on the visitor, and the document of a head changes; neither
	 * may be cached for long.
	 */
	if (r->visit == NULL && path_has(r, "revisionId"))
		r->cache = "private, max-age=31536000, immutable";
	if (c != NULL) {
		json_raw(&r->json, computed_document(r->db, r->arena, c));
		return 0;
	}
	/*
	 * The cached form keeps its references to reusable contents. Only the copy for this answer
	 * is dereferenced.
	 */
	document = document_json(r, p, n);
	if (query_list(r, "dereferenced") != NULL)
		document = document_dereferenced(r->db, r->arena, p, n->id, document);
	json_raw(&r->json, evaluate_document(r, p, n, computed_fill(r->db, r->arena, p, document)));
	return 0;
}

/* ---- handlers ---- */

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/content */
HANDLER(getRevisionOfChangeRequestById)
{
	return reply_revision(r);
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId} */
HANDLER(getPageInChangeRequestById)
{
	return get_page(r);
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/pages */
HANDLER(listPagesInChangeRequest)
{
	return reply_pages(r);
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/path/{pagePath} */
HANDLER(getPageInChangeRequestByPath)
{
	return get_page_by_path(r);
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents/{reusableContentId} */
HANDLER(getReusableContentInChangeRequestById)
{
	return get_reusable(r);
}

/* GET /spaces/{spaceId}/content */
HANDLER(getCurrentRevision)
{
	return reply_revision(r);
}

/* GET /spaces/{spaceId}/content/page/{pageId} */
HANDLER(getPageById)
{
	return get_page(r);
}

/* GET /spaces/{spaceId}/content/pages */
HANDLER(listPages)
{
	return reply_pages(r);
}

/* GET /spaces/{spaceId}/content/path/{pagePath} */
HANDLER(getPageByPath)
{
	return get_page_by_path(r);
}

/* GET /spaces/{spaceId}/content/reusable-contents/{reusableContentId} */
HANDLER(getReusableContentById)
{
	return get_reusable(r);
}

/* GET /spaces/{spaceId}/revisions/{revisionId} */
HANDLER(getRevisionById)
{
	return reply_revision(r);
}

/* GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId} */
HANDLER(getPageInRevisionById)
{
	return get_page(r);
}

/* GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/document */
HANDLER(getPageDocumentInRevisionById)
{
	struct computed_page *c;
	struct point p;
	struct node n;

	return page_or_fail(r, path_id(r, "pageId"), NODE_DOCUMENT, &p, &n, &c) != 0 ? -1 : reply_document(r, &p, &n, c);
}

/* Writes the page at the same path in the other variants of its section or site. */
static void
write_alternates(struct req *r, const char *path)
{
	const struct visit_item *mine = visit_item(r->visit, r->shown->id), *it;
	struct computed_page *computed;
	struct page page;

	for (it = mine->up != NULL ? mine->up->first : r->visit->site.first; it != NULL; it = it->next)
		if (it != mine && it->kind == VISIT_SPACE && visit_page_at(r->visit, it, path, &page, &computed) &&
		    strcmp(page.path, path) == 0)
			ref_json(&r->json, &(struct doc_ref){ .kind = REF_PAGE, .id = page.node.id, .space = it->space });
}

/*
 * GET …/page/{pageId}/meta-links, at the head, in a change request and at a revision. Alternates
 * are pages of the visited site; a user visits none, so the list is empty.
 */
static int
reply_meta_links(struct req *r)
{
	struct computed_page *c;
	struct point p;
	struct node n;

	if (page_or_fail(r, path_id(r, "pageId"), NODE_PAGES, &p, &n, &c) != 0)
		return -1;
	json_obj(&r->json);
	json_karr(&r->json, "alternates");
	if (r->visit != NULL)
		write_alternates(r, c != NULL ? c->page.path : page_path(r->db, r->arena, &p, &n));
	json_end(&r->json);
	json_end(&r->json);
	return 0;
}

/*
 * GET /spaces/{spaceId}/documents/{documentId}: the id of a document is that of the page or
 * reusable content whose text it is.
 */
HANDLER(getDocumentById)
{
	const char *id = path_id(r, "documentId");
	struct computed_page *c;
	struct point p;
	struct node n;

	if (point_or_fail(r, &p) != 0)
		return -1;
	if (!page_find(r, &p, id, NODE_DOCUMENT, &n, &c) &&
	    (!node_get(r->db, r->arena, &p, id, &n) || n.kind != NODE_REUSABLE || !visited_node(r, &p, &n)))
		return fail(r, E_NOT_FOUND, "no document %s", id);
	return reply_document(r, &p, &n, c);
}

HANDLER(listSpacePageMetaLinks) { return reply_meta_links(r); }
HANDLER(listChangeRequestPageMetaLinks) { return reply_meta_links(r); }
HANDLER(listRevisionPageMetaLinks) { return reply_meta_links(r); }

/* GET /spaces/{spaceId}/revisions/{revisionId}/pages */
HANDLER(listPagesInRevisionById)
{
	return reply_pages(r);
}

/* GET /spaces/{spaceId}/revisions/{revisionId}/path/{pagePath} */
HANDLER(getPageInRevisionByPath)
{
	return get_page_by_path(r);
}

/* GET /spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId} */
HANDLER(getReusableContentInRevisionById)
{
	return get_reusable(r);
}

/* GET /spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}/document */
HANDLER(getReusableContentDocumentInRevisionById)
{
	struct point p;
	struct node n;

	return reusable_or_fail(r, &p, &n) != 0 ? -1 :
	    reply_document(r, &p, &n, NULL);
}
