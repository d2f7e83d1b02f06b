/*
 * Links in the API: all links of a space or of a page, and backlinks of a page or file; at the head
 * and in change requests. An item of the list is one distinct target with the places that link to
 * it; a target with many places is split over several pages of the list.
 *
 * A reference contains the whole organization and space, the page or file without its body, and the
 * version. These parts are serialized once per answer and copied. Beyond the published shape, each
 * place has its line in the file and its spelling, so that users can fix the link.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "api/access.h"
#include "api/content_links.h"
#include "api/known_roles.h"
#include "api/lists.h"
#include "api/openapi_specs.h"
#include "api/orgs.h"
#include "api/request_row.h"
#include "api/revision_files.h"
#include "api/revision_pages.h"
#include "api/revisions.h"
#include "api/space_shape.h"
#include "http/req.h"
#include "links/links.h"
#include "store/computed.h"
#include "store/content.h"

/*
 * References are large (above 1 kB each). An answer that exceeds ANSWER_BYTES ends there and
 * continues on the next page of the list, even within a target. At most ANSWER_PLACES places are
 * read for one answer.
 */
enum { ANSWER_BYTES = 4 << 20, ANSWER_PLACES = 4096, PART_BYTES = 64 << 20 };

static const struct shape Revised = { "ContentLocationVersionContext", (const struct field[]){
	{ "type", T_ENUM, F_REQ, .set = "revision,changeRequest", .doc = "Kind of object" },
	{ "revision", T_OBJECT, .of = &Revision, .doc = "The revision" },
	{ "changeRequest", T_OBJECT, .of = &ChangeRequest, .doc = "The change request" },
	{ 0 } } };
static const struct shape Anchor = { "ContentLocationPageAnchor", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "anchor", .doc = "Kind of place in the page" },
	{ "anchor", T_TEXT, F_REQ, .doc = "Name of the heading or block", .example = "install" },
	{ 0 } } };

#define PLACE \
	{ "organization", T_OBJECT, F_REQ, .of = &Organization, .doc = "Its organization" }, \
	{ "space", T_OBJECT, F_REQ, .of = &Space, .doc = "Its space" }, \
	{ "versionContext", T_OBJECT, .of = &Revised, .doc = "The revision or change request that it is in" }, \
	{ "line", T_INT, .doc = "Line in the file, from 1; absent: the link is in a property of the page", .example = "12" }, \
	{ "spelling", T_TEXT, .doc = "The target as the page spells it", .example = "../install.md" }

static const struct shape LocationPage = { "ContentLocationPage", (const struct field[]){
	{ "kind", T_CONST, F_REQ, .set = "page", .doc = "Kind of object" },
	PLACE,
	{ "page", T_OBJECT, F_REQ, .of = &RevisionPage, .doc = "The page, without its text" },
	{ "internalLocation", T_OBJECT, .of = &Anchor, .doc = "Place in the page" },
	{ 0 } } };
static const struct shape LocationFile = { "ContentLocationFile", (const struct field[]){
	{ "kind", T_CONST, F_REQ, .set = "file", .doc = "Kind of object" },
	PLACE,
	{ "file", T_OBJECT, F_REQ, .of = &RevisionFile, .doc = "The file" },
	{ 0 } } };
static const struct shape LocationReusable = { "ContentLocationReusableContent",
	(const struct field[]){
	{ "kind", T_CONST, F_REQ, .set = "reusable-content", .doc = "Kind of object" },
	PLACE,
	{ "reusableContent", T_OBJECT, F_REQ, .of = &RevisionReusableContent,
	  .doc = "The reusable content" },
	{ 0 } } };
static const struct shape LocationSpace = { "ContentLocationSpace", (const struct field[]){
	{ "kind", T_CONST, F_REQ, .set = "space", .doc = "Kind of object" },
	{ "organization", T_OBJECT, F_REQ, .of = &Organization, .doc = "Its organization" },
	{ "space", T_OBJECT, F_REQ, .of = &Space, .doc = "The space" },
	{ 0 } } };
static const struct shape LocationURL = { "ContentLocationURL", (const struct field[]){
	{ "kind", T_CONST, F_REQ, .set = "url", .doc = "Kind of object" },
	{ "url", T_TEXT, F_REQ, .doc = "Address", .example = "https://example.org/" },
	{ 0 } } };
static const struct shape LocationOpenAPI = { "ContentLocationOpenAPI", (const struct field[]){
	{ "kind", T_CONST, F_REQ, .set = "openapi", .doc = "Kind of object" },
	{ "organization", T_OBJECT, F_REQ, .of = &Organization, .doc = "Its organization" },
	{ "openAPISpec", T_OBJECT, F_REQ, .of = &OpenAPISpec, .doc = "The specification" },
	{ 0 } } };
static const struct shape Location = { "ContentLocation", NULL, (const struct shape *const[]){
	&LocationPage, &LocationFile, &LocationReusable, &LocationSpace, &LocationURL, &LocationOpenAPI, NULL } };
static const struct shape Usage = { "ContentReferenceUsage", (const struct field[]){
	{ "status", T_ENUM, F_REQ, .set = "ok,broken,in-app",
	  .doc = "ok: its target exists; broken: its target is missing; in-app: an address of this installation with an id in it" },
	/* Both values are those of the published client. */
	{ "relation", T_ENUM, F_REQ, .set = "reference,dependsOn",
	  .doc = "reference: a link; dependsOn: the page shows the target" },
	{ "targetReference", T_OBJECT, .of = &Location,
	  .doc = "Target of the link; absent if the link is broken or its target is no content of a space" },
	{ "locationReferences", T_LIST, F_REQ, .of = &Location, .doc = "Places with this link; if "
	  "there are many, the next item has the same target and the places that follow" },
	{ 0 } } };
static const struct shape BrokenStats = { "ContentReferencesBroken", (const struct field[]){
	{ "total", T_INT, F_REQ, .doc = "Number of broken links", .example = "0" },
	{ "changeRequest", T_INT, F_REQ, .doc = "Number of broken links that the change request breaks", .example = "0" },
	{ 0 } } };
static const struct shape LinkStats = { "ContentReferencesStats", (const struct field[]){
	{ "total", T_INT, F_REQ, .doc = "Number of links", .example = "12" },
	{ "broken", T_OBJECT, F_REQ, .of = &BrokenStats, .doc = "Number of broken links" },
	{ 0 } } };
const struct shape LinkList = { "LinkList", (const struct field[]){
	{ "items", T_LIST, F_REQ, .of = &Usage, .doc = "This part of the list" },
	{ "count", T_INT, F_REQ, .doc = "Distinct targets under the filter", .example = "1" },
	{ "next", T_OBJECT, .of = &ListNext, .doc = "Absent on the last page" },
	{ "stats", T_OBJECT, F_REQ, .of = &LinkStats, .doc = "Numbers of links of any status" },
	{ 0 } } };
LIST_SHAPE(BacklinkList, Location);

const struct shape LinksQuery = { "LinksQuery", (const struct field[]){
	PAGING,
	{ "status", T_ENUM, .set = "ok,broken,in-app", .doc = "Only links of this status" },
	{ 0 } } };
const struct shape RequestLinksQuery = { "RequestLinksQuery", (const struct field[]){
	PAGING,
	{ "status", T_ENUM, .set = "ok,broken,in-app", .doc = "Only links of this status" },
	{ "brokenContext", T_ENUM, .set = "change-request,space",
	  .doc = "With broken links: only those that are broken here, or only those that are broken in the space already" },
	{ 0 } } };

/* Parts that the references of one answer share; org, space and context are serialized JSON. */
struct refs {
	struct req  *r;
	struct point point;
	struct str   org, space, context;
	enum role    org_role;   /* of the caller in the organization of the space */
	/*
	 * The page whose links are listed, if it was expanded from a computed page. Its links are
	 * stored under the computed page, which readers do not see, so references must name this
	 * page instead. NULL: the links of another page, or of all.
	 */
	const struct computed_page *shown;
};

/* The current row of q as JSON. Returns a copy: the statement may be reused afterwards. */
static struct str
row_json(struct req *r, const struct shape *s, struct stmt *q)
{
	struct json j;
	struct buf b;

	buf_init(&b, r->arena, PART_BYTES);
	json_init(&j, &b);
	shape_row(&j, s, r, q);
	return buf_view(&b);
}

/*
 * versionContext (docs/design/content.md, "Answers about content"): the change request if the path
 * has one, else the revision. The revision's lists are empty: they would repeat the whole page tree
 * in each reference.
 */
static struct str
context_json(struct req *r, const struct point *p)
{
	struct json j;
	struct buf b;

	buf_init(&b, r->arena, PART_BYTES);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "type", r->request.id != NULL ? "changeRequest" : "revision");
	json_key(&j, r->request.id != NULL ? "changeRequest" : "revision");
	if (r->request.id != NULL)
		json_raw(&j, row_json(r, &ChangeRequest, request_row(r, r->request.id)));
	else
		json_raw(&j, revision_alone(r, p));
	json_end(&j);
	return buf_view(&b);
}

/*
 * Serializes the parts that all references of this answer share; before list_begin(), since
 * revision_alone() borrows r->json. 0 or fail().
 */
static int
refs_open(struct req *r, struct refs *f)
{
	struct stmt *q;

	*f = (struct refs){ .r = r };
	if (point_or_fail(r, &f->point) != 0)
		return -1;
	/* space_row() does not return NULL here, since the access check has found the space. */
	f->space = row_json(r, &Space, space_row(r, r->space.id));
	q = org_row(r, r->space.org);
	if (!stmt_step(q))
		return fail(r, E_INTERNAL, "space %s has no organization", r->space.id);
	f->org_role = cap_role(r, col_int(q, col(q, "role")));
	f->org = row_json(r, &Organization, q);
	f->context = context_json(r, &f->point);
	return 0;
}

/* ---- references ---- */

/*
 * Begins a reference and writes its common members. The caller adds the member of its kind and
 * closes it.
 */
static void
open_reference(const struct refs *f, struct json *j, const char *kind)
{
	json_obj(j);
	json_kstr(j, "kind", kind);
	json_key(j, "organization");
	json_raw(j, f->org);
	json_key(j, "space");
	json_raw(j, f->space);
	json_key(j, "versionContext");
	json_raw(j, f->context);
}

/*
 * Writes a complete reference that has no organization and no space, since it must reveal only the
 * text of the link.
 */
static void
write_url_reference(struct json *j, const char *url)
{
	json_obj(j);
	json_kstr(j, "kind", "url");
	json_kstr(j, "url", url);
	json_end(j);
}

/*
 * The page alone, without descendants: a reference names a place, and a subtree could be the whole
 * space.
 */
static void
write_page_member(const struct refs *f, struct json *j, const struct node *n, const struct computed_page *c)
{
	struct page page = { .node = *n };
	struct page_style style = { true };

	page.path = c != NULL ? c->page.path : page_path(f->r->db, f->r->arena, &f->point, n);
	json_key(j, "page");
	page_json(f->r, j, &f->point, &page, &style, NULL, (struct str){ NULL, 0 });
}

/*
 * Begins the reference to an existing node and writes the member of its kind. c: the node is a page
 * expanded from this computed page; NULL: a stored node. The caller closes the reference.
 */
static void
write_node_reference(const struct refs *f, struct json *j, const struct node *n, const struct computed_page *c)
{
	if (n->kind == NODE_FILE) {
		open_reference(f, j, "file");
		json_key(j, "file");
		file_json(f->r, j, &f->point, n, true);
	} else if (n->kind == NODE_REUSABLE) {
		open_reference(f, j, "reusable-content");
		json_key(j, "reusableContent");
		reusable_json(f->r, j, &f->point, n, true);
	} else {
		open_reference(f, j, "page");
		write_page_member(f, j, n, c);
	}
}

/* The organization of the linked space as JSON. It may differ from that of the linking space. */
static struct str
org_json(const struct refs *f, const char *id)
{
	struct stmt *q;

	/* Usually it is the organization of the linking space, which is serialized already. */
	if (strcmp(id, f->r->space.org) == 0)
		return f->org;
	q = org_row(f->r, id);
	stmt_step(q);
	return row_json(f->r, &Organization, q);
}

/* For links to deleted or hidden spaces, only their spelling is written, as for broken links. */
static void
write_space_reference(const struct refs *f, struct json *j, const char *id, const char *spelling)
{
	struct stmt *q = space_row(f->r, id);

	if (q == NULL || col_int(q, col(q, "role")) < ROLE_READ || !col_null(q, col(q, "deleted_at"))) {
		write_url_reference(j, spelling);
		return;
	}
	json_obj(j);
	json_kstr(j, "kind", "space");
	json_key(j, "organization");
	json_raw(j, org_json(f, col_text(q, col(q, "org"))));
	json_key(j, "space");
	shape_row(j, &Space, f->r, q);
	json_end(j);
}

/*
 * Writes a reference to an OpenAPI specification. For a broken link nothing is written: the place
 * contains its spelling.
 */
static void
write_spec_reference(const struct refs *f, struct json *j, const char *slug)
{
	/* Guests may not read specifications. */
	struct stmt *q = f->org_role < ROLE_READ ? NULL : openapi_row(f->r, f->r->space.org, slug);

	if (q == NULL)
		return;
	/* The fields for address and permissions read r->org. */
	f->r->org = (struct org_ref){ .id = f->r->space.org, .role = f->org_role, .full = f->org_role };
	json_key(j, "targetReference");
	json_obj(j);
	json_kstr(j, "kind", "openapi");
	json_key(j, "organization");
	json_raw(j, f->org);
	json_key(j, "openAPISpec");
	shape_row(j, &OpenAPISpec, f->r, q);
	json_end(j);
}

/*
 * Writes nothing for targets that are neither content of a space nor a specification. A missing
 * target becomes /broken/KIND/ID: its title would have to come from an older revision.
 */
static void
write_target_reference(const struct refs *f, struct json *j, const struct link_item *item)
{
	const struct link_target *t = &item->target;
	struct computed_page *c;
	struct node n;

	if (strcmp(t->kind, "other") == 0) {
		if (str_starts(str_of(t->key), LINK_SPEC))
			write_spec_reference(f, j, t->node);
		return;
	}
	json_key(j, "targetReference");
	if (strcmp(t->kind, "space") == 0) {
		write_space_reference(f, j, t->node, item->places[0].spelling);
		return;
	}
	if (t->node == NULL) {
		write_url_reference(j, t->url);
		return;
	}
	if (!page_find(f->r, &f->point, t->node, ~0u, &n, &c)) {
		write_url_reference(j, arena_printf(f->r->arena, "/broken/%ss/%s", t->kind, t->node));
		return;
	}
	write_node_reference(f, j, &n, c);
	if (t->anchor != NULL && (n.kind & NODE_PAGES)) {
		json_kobj(j, "internalLocation");
		json_kstr(j, "type", "anchor");
		json_kstr(j, "anchor", t->anchor);
		json_end(j);
	}
	json_end(j);
}

/*
 * Writes nothing if the source does not exist at the point: the link tables are older than the head
 * while a job "index" waits (search/search.h).
 */
static void
write_place_reference(const struct refs *f, struct json *j, const struct link_place *p)
{
	struct node n;

	if (f->shown == NULL && !node_get(f->r->db, f->r->arena, &f->point, p->source, &n))
		return;
	write_node_reference(f, j, f->shown != NULL ? &f->shown->page.node : &n, f->shown);
	/* Line 0 means a property of the page, such as its cover, or an unknown line. */
	if (p->line > 0)
		json_kint(j, "line", p->line);
	json_kstr(j, "spelling", p->spelling);
	json_end(j);
}

/*
 * Writes the item. It contains at least one place, and as many as the answer has room for. Returns
 * their number.
 */
static size_t
usage_json(const struct refs *f, struct json *j, const struct link_item *item)
{
	const struct link_target *t = &item->target;
	/* True for targets that are displayed inside the page, so that the page depends on them. */
	bool depends = strcmp(t->kind, "file") == 0 || strcmp(t->kind, "reusable") == 0 ||
	    str_starts(str_of(t->key), LINK_SPEC);
	size_t i;

	json_obj(j);
	json_kstr(j, "status", link_statuses[t->status]);
	json_kstr(j, "relation", depends ? "dependsOn" : "reference");
	write_target_reference(f, j, item);
	json_karr(j, "locationReferences");
	/*
	 * The first place is written whatever its size is: otherwise the next page token would be
	 * the same as this one.
	 */
	for (i = 0; i < item->count && (i == 0 || f->r->out.n <= ANSWER_BYTES); i++)
		write_place_reference(f, j, &item->places[i]);
	json_end(j);
	json_end(j);
	return i;
}

/* ---- lists ---- */

/* enum link_status; -1: no filter. The shape refuses other names. */
static int
wanted_status(struct req *r)
{
	const char *name = query_text(r, "status");
	int s;

	/* The names in the query are those of the tables. */
	for (s = 0; name != NULL && s < LINK_STATUSES; s++)
		if (strcmp(link_statuses[s], name) == 0)
			return s;
	return -1;
}

/*
 * Counts links instead of targets, and ignores all filters (docs/design/content.md, "Answers about
 * content").
 */
static void
stats_json(struct json *j, const struct link_list *list)
{
	json_kobj(j, "stats");
	json_kint(j, "total", list->total);
	json_kobj(j, "broken");
	json_kint(j, "total", list->broken);
	json_kint(j, "changeRequest", list->broken_here);
	json_end(j);
	json_end(j);
}

/*
 * Writes items until the answer is full. True: more items follow, and next[] has the keys of the
 * page token: the key of the last target; and, if more places link to this target, source and
 * number of the last place written, otherwise "" and "".
 */
static bool
links_json(struct refs *f, const struct link_list *found, const char **next)
{
	const struct link_item *item;
	const struct link_place *last;
	size_t i, shown;
	bool cut;

	for (i = 0; i < found->count; i++) {
		item = &found->items[i];
		shown = usage_json(f, &f->r->json, item);
		/*
		 * The places of this item are incomplete: usage_json() stopped at the size of the
		 * answer, or links_list() at its number of places.
		 */
		cut = shown < item->count || item->cut;
		/*
		 * Continue as long as there is room; after the last item a token is needed only if
		 * links_list() has more.
		 */
		if (!cut && (i + 1 < found->count ? f->r->out.n <= ANSWER_BYTES : !found->more))
			continue;
		last = &item->places[shown - 1];
		next[0] = item->target.key;
		next[1] = cut ? last->source : "";
		next[2] = cut ? arena_printf(f->r->arena, "%lld", (long long)last->n) : "";
		return true;
	}
	return false;
}

/*
 * source: list the links of this node alone; NULL: of the whole point. The caller has checked that
 * the source exists. shown: the expanded page that answers name instead of the source; NULL: the
 * source itself.
 */
static int
reply_links(struct req *r, const char *source, const struct computed_page *shown)
{
	const char *context = query_text(r, "brokenContext"), *next[3];
	struct link_query q = { .source = source, .status = wanted_status(r), .places = ANSWER_PLACES,
		/* The enumeration has two values: change-request and space */
		.context = context == NULL ? 0 : *context == 'c' ? 1 : -1 };
	struct link_list found;
	struct refs f;
	struct list l;
	bool more;

	if (list_open(r, &l, 3) != 0 || refs_open(r, &f) != 0)
		return -1;
	f.shown = shown;
	q.point = &f.point;
	q.want = (size_t)l.limit;
	q.after = l.key[0];
	/* The token stopped within a target: links_list() continues after that place. */
	if (l.key[0] != NULL && *l.key[1] != '\0') {
		q.place = l.key[1];
		q.place_n = strtoll(l.key[2], NULL, 10);
	}
	links_list(r->db, r->arena, &q, &found);
	list_begin(r, &l);
	more = links_json(&f, &found, next);
	/*
	 * Closes `items` by hand instead of with list_end(), since stats come before the end of the
	 * envelope.
	 */
	json_end(&r->json);
	stats_json(&r->json, &found);
	list_tail(r, &l, found.targets, more ? next : NULL);
	return 0;
}

/*
 * Checks that the page exists and, through node_or_fail(), belongs to this space: an id of another
 * space is 404.
 */
static int
reply_page_links(struct req *r)
{
	struct computed_page *c;
	struct point p;
	struct node n;

	if (page_or_fail(r, path_id(r, "pageId"), NODE_PAGES, &p, &n, &c) != 0)
		return -1;
	return reply_links(r, c != NULL ? computed_row(r->arena, n.id) : n.id, c);
}

/*
 * An item is one source with its first place, so that the id of the source is enough for the page
 * token.
 */
static int
reply_backlinks(struct req *r, const char *id)
{
	const char *next = NULL;
	struct backlinks found;
	struct refs f;
	struct list l;
	size_t i;

	if (list_open(r, &l, 1) != 0 || refs_open(r, &f) != 0)
		return -1;
	links_back(r->db, r->arena, &f.point, id, l.key[0], (size_t)l.limit, &found);
	list_begin(r, &l);
	for (i = 0; i < found.count; i++) {
		write_place_reference(&f, &r->json, &found.places[i]);
		/*
		 * The answer's size decides between two places that were read. After the last one,
		 * found.more decides.
		 */
		if (i + 1 < found.count ? r->out.n > ANSWER_BYTES : found.more) {
			next = found.places[i].source;
			break;
		}
	}
	list_end(r, &l, found.total, next != NULL ? &next : NULL);
	return 0;
}

static int
reply_page_backlinks(struct req *r)
{
	struct computed_page *c;
	struct point p;
	struct node n;

	return page_or_fail(r, path_id(r, "pageId"), NODE_PAGES, &p, &n, &c) != 0 ? -1 : reply_backlinks(r, n.id);
}

static int
reply_file_backlinks(struct req *r)
{
	const char *id = path_id(r, "fileId");
	struct point p;
	struct node n;

	return node_or_fail(r, id, NODE_FILE, "file", &p, &n) != 0 ? -1 : reply_backlinks(r, id);
}

/* ---- handlers ---- */

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}/backlinks */
HANDLER(listChangeRequestFileBacklinks)
{
	return reply_file_backlinks(r);
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/backlinks */
HANDLER(listChangeRequestPageBacklinks)
{
	return reply_page_backlinks(r);
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/links */
HANDLER(listPageLinksInChangeRequest)
{
	return reply_page_links(r);
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/links */
HANDLER(listChangeRequestLinks)
{
	return reply_links(r, NULL, NULL);
}

/* GET /spaces/{spaceId}/content/files/{fileId}/backlinks */
HANDLER(listSpaceFileBacklinks)
{
	return reply_file_backlinks(r);
}

/* GET /spaces/{spaceId}/content/page/{pageId}/backlinks */
HANDLER(listSpacePageBacklinks)
{
	return reply_page_backlinks(r);
}

/* GET /spaces/{spaceId}/content/page/{pageId}/links */
HANDLER(listPageLinksInSpace)
{
	return reply_page_links(r);
}

/* GET /spaces/{spaceId}/links */
HANDLER(listSpaceLinks)
{
	return reply_links(r, NULL, NULL);
}
