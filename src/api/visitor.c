/* Access of visitors, the bearers of site tokens. Contract: api/visitor.h. */
#include <cjson/cJSON.h>

#include "api/request_ref.h"
#include "api/space_shape.h"
#include "api/visitor.h"
#include "audience/site_token.h"
#include "audience/visit.h"
#include "base/exact.h"
#include "base/secret.h"
#include "db/recall.h"
#include "http/req.h"
#include "store/content.h"

/* The columns of a space for visitors, who do not see counts, rules and places inside the organization. */
#define VISITED_COLS \
	"s.id, s.org, NULL AS parent, s.title, s.emoji, s.icon, s.edit_mode, 0 AS default_level, s.language, " \
	"'{\"type\":\"inherit\"}' AS merge_rules, s.created_at, s.updated_at, s.deleted_at, 0 AS comments, " \
	"0 AS requests, 0 AS requests_open, 0 AS requests_draft, 0 AS styleguide, s.branch, b.head, " \
	"(SELECT rv.id FROM revision rv WHERE rv.branch = s.branch AND rv.seq = b.head) AS revision, " \
	SPACE_SHOWN " AS shown, " \
	"NULL AS git_url, NULL AS git_provider, NULL AS git_tree_url, NULL AS git_info_url, NULL AS git_updated_at"
/*
 * :role is ROLE_READ for site tokens, so that the flags of the shape Space allow only reading;
 * users without a role on the space have ROLE_NONE. access_version is 0: nothing compares it here.
 */
SQL(q_space,
    "SELECT " VISITED_COLS ", :role AS role, 0 AS access_version FROM space s JOIN branch b ON b.id = s.branch "
    "WHERE s.id = :id AND s.deleted_at IS NULL");
SQL(q_of_key, "SELECT site FROM site_share_link WHERE secret = :key");
/* The time when the revision was replaced; the largest time if it was not. */
SQL(q_published_until,
    "SELECT COALESCE((SELECT n.created_at FROM revision n WHERE n.branch = :branch AND n.seq > :seq "
    "ORDER BY n.seq LIMIT 1), " SQL_EXACT_MAX ")");

/* Returns false, with r unchanged, for other kinds of tokens, so that read_other_token() tries the next kind. */
bool
site_token(struct req *r)
{
	struct visit *v;
	struct str hash;

	if (!pass_hash(r->arena, r->who.bearer, &hash))
		return false;
	/* In the arena, since the request uses it through r->visit. */
	v = arena_alloc(r->arena, sizeof(*v));
	/*
	 * A token that has expired or was revoked, or whose visitor may no longer see the site, is
	 * treated as unknown.
	 */
	if (pass_open(r->db, r->arena, r->set, hash, v) != VISIT_PAGE)
		return false;
	r->visit = v;
	r->shown = NULL;
	r->who.kind = BY_SITES;
	/* ETags depend on this name, so that answers to different visitors have different ETags. */
	r->who.user = arena_printf(r->arena, "site:%s", hex(r->arena, str_slice(hash, 0, 16)));
	/* cap ROLE_READ: visitors only read */
	r->who.cap = ROLE_READ;
	r->who.read_only = true;
	return true;
}

/* Fails with the message of access.c, so that a client cannot tell a hidden object from a missing one. */
static int
fail_unknown(struct req *r, const char *what, const char *id)
{
	return fail(r, E_NOT_FOUND, "no %s %s", what, id);
}

/* Accepts only the site's organization; the role there stays 0. */
static int
check_organization(struct req *r)
{
	/* The id of the path, which equals the site's organization if 0 is returned. */
	r->org.id = path_id(r, "organizationId");
	return strcmp(r->org.id, r->visit->site.org) == 0 ? 0 : fail_unknown(r, "organization", r->org.id);
}

static int
check_site(struct req *r)
{
	r->site.id = path_id(r, "siteId");
	if (strcmp(r->site.id, r->visit->site.id) != 0 && visit_by_key(r))
		return 0;
	if (check_organization(r) != 0)
		return -1;
	return strcmp(r->site.id, r->visit->site.id) == 0 ? 0 : fail_unknown(r, "site", r->site.id);
}

/*
 * Sets r->shown and r->space. The point is the one that the site shows; visited_revision() replaces
 * it if the path names a revision.
 */
static void
set_space(struct req *r, const struct visit_item *it, struct stmt *row)
{
	r->shown = arena_alloc(r->arena, sizeof(*r->shown));
	*r->shown = *it;
	r->space = (struct space_ref){ .id = it->space, .org = r->visit->site.org, .edit_mode = "locked",
		.revision = it->point.revision, .branch = it->point.branch, .head = it->point.seq, .role = ROLE_READ,
		.row = r->route->reply == &Space ? row : NULL };
}

/* Accepts a space only if the visitor sees it on the site, since conditions may hide a site space. 0 or fail(). */
static int
check_space(struct req *r)
{
	const char *id = path_id(r, "spaceId");
	/* NULL: no visible site space shows it. */
	const struct visit_item *it = visit_space(r->visit, id);
	struct stmt *q = it == NULL ? NULL : visited_space(r, id);

	if (q == NULL)
		return visit_by_key(r) ? 0 : fail_unknown(r, "space", id);
	set_space(r, it, q);
	/* The list of changes of a revision would contain hidden pages. */
	if (strcmp(r->route->operation, "getRevisionSemanticChanges") == 0 && !r->visit->preview)
		return fail_unknown(r, "revision", path_id(r, "revisionId"));
	if (!path_has(r, "changeRequestId"))
		return 0;
	/* Only previews show change requests. */
	return r->visit->preview ? request_load(r, path_id(r, "changeRequestId")) :
	    fail_unknown(r, "change request", path_id(r, "changeRequestId"));
}

/*
 * Sets r->site or r->space to the object of the path. False: it is another site, or a space that
 * this site does not show.
 */
static bool
set_path_object(struct req *r)
{
	const struct visit_site *s = &r->visit->site;
	const struct visit_item *it;
	const char *id;

	if (path_has(r, "siteId")) {
		r->org.id = path_id(r, "organizationId");
		r->site.id = path_id(r, "siteId");
		return strcmp(r->site.id, s->id) == 0 && strcmp(r->org.id, s->org) == 0;
	}
	id = path_id(r, "spaceId");
	if ((it = visit_space(r->visit, id)) == NULL)
		return false;
	set_space(r, it, visited_space(r, id));
	return true;
}

bool
visit_by_key(struct req *r)
{
	struct visitor who = { .share_key = query_early(r, "shareKey") };
	struct visit *before = r->visit, *v;
	struct stmt *q;

	if (who.share_key == NULL)
		return false;
	q = db_use(r->db, &q_of_key);
	bind_text(q, ":key", secret_hash_text(r->arena, who.share_key));
	if (!stmt_step(q))
		return false;
	v = arena_alloc(r->arena, sizeof(*v));
	/*
	 * visit_open_site() may also open a site that needs no key. The key then belongs to no
	 * valid link, and must not give access.
	 */
	if (visit_open_site(r->db, r->arena, r->set, col_dup(q, 0, r->arena), &who, v) != VISIT_PAGE ||
	    v->site.share_link == NULL)
		return false;
	/* Cached answers expire with the token of the request. */
	v->until = before == NULL ? 0 : before->until;
	r->visit = v;
	if (set_path_object(r))
		return true;
	r->visit = before;
	return false;
}

/*
 * Only access rules for reading are listed. A route with any other rule, also one that is added
 * later, is 404 for visitors.
 */
int
site_token_access(struct req *r)
{
	switch (r->route->access) {
	case ANYONE:
	case OWN_PAGES:
	case USER:       return 0;
	case ORG_READ:   return check_organization(r);
	case SITE_READ:  return check_site(r);
	case SPACE_SEE:
	case SPACE_READ: return check_space(r);
	default:         return fail(r, E_NOT_FOUND, "no such address: %s", r->path);
	}
}

bool
visited_only(const struct req *r)
{
	return r->visit != NULL && !r->visit->preview;
}

/* Valid until the next use of q_space. */
struct stmt *
visited_space(struct req *r, const char *id)
{
	struct stmt *q;

	if (visit_space(r->visit, id) == NULL)
		return NULL;
	q = db_use(r->db, &q_space);
	bind_text(q, ":id", id);
	bind_int(q, ":role", r->who.kind == BY_SITES ? ROLE_READ : ROLE_NONE);
	return stmt_step(q) ? q : NULL;
}

/*
 * Visitors may read the published content. They may also read a revision that was replaced after
 * their token was made and after the site showed the space: a renderer that is at work while
 * content changes can thus finish with the revision that it began with.
 */
bool
visited_revision(struct req *r, const struct point *p)
{
	struct stmt *q;

	if (r->visit == NULL)
		return true;
	r->shown->point = *p;
	/* A revision of a change request is based on main. */
	if (p->base != 0)
		return r->visit->preview;
	/* Any branch without a base, except main, holds content that was never published. */
	if (p->branch != r->space.branch)
		return false;
	q = db_use(r->db, &q_published_until);
	bind_int(q, ":branch", p->branch);
	bind_int(q, ":seq", p->seq);
	return r->visit->preview || stmt_int(q, 0) > r->visit->token_since;
}

bool
visited_node(struct req *r, const struct point *p, const struct node *n)
{
	if (r->visit == NULL)
		return true;
	r->shown->point = *p;
	if (n->kind & NODE_PAGES)
		return visit_sees_page(r->visit, r->shown, n->id);
	/*
	 * Files and reusable content have no condition of their own and are hidden with the pages
	 * that use them. Settings are not.
	 */
	return (n->kind & (NODE_FILE | NODE_REUSABLE)) == 0 || visited_file(r, n->id);
}

bool
visited_file(struct req *r, const char *id)
{
	return r->visit == NULL || visit_sees_file(r->visit, r->shown, id);
}

bool
visited_computed(struct req *r, const char *id)
{
	return r->visit == NULL || visit_sees_page(r->visit, r->shown, id);
}

bool
visited_item(struct req *r, const char *id)
{
	return r->visit == NULL || visit_item(r->visit, id) != NULL;
}

const char *
visited_address(struct req *r, const char *id, const char *otherwise)
{
	const struct visit_item *it = r->visit == NULL ? NULL : visit_item(r->visit, id);

	return it == NULL ? otherwise : it->address;
}

bool
visited_default(struct req *r, const char *id, bool otherwise)
{
	const struct visit_item *it = r->visit == NULL ? NULL : visit_item(r->visit, id);

	return it == NULL ? otherwise : it->is_default;
}

/* Sets r->visit to the site as its visitors see it, for a user who may read it. 0 or fail(). */
int
visit_or_fail(struct req *r, const char *key)
{
	struct visitor who = { .share_key = key, .manager = true };

	/* A site token was made with a share key or without one; another key is ignored. */
	if (r->visit != NULL)
		return 0;
	r->visit = arena_alloc(r->arena, sizeof(*r->visit));
	if (visit_open_site(r->db, r->arena, r->set, r->site.id, &who, r->visit) == VISIT_PAGE)
		return 0;
	/* The caller may read the site without a key, so an invalid key is ignored. */
	who.share_key = NULL;
	if (key != NULL && visit_open_site(r->db, r->arena, r->set, r->site.id, &who, r->visit) == VISIT_PAGE)
		return 0;
	/* Reset, since later code would take a failed visit for the visit of a site token. */
	r->visit = NULL;
	return fail(r, E_NOT_FOUND, "no published site %s", r->site.id);
}

int
visit_as_reader(struct req *r)
{
	return r->site.full >= ROLE_READ ? 0 : visit_or_fail(r, query_text(r, "shareKey"));
}

/* ---- cached answers ---- */

/*
 * The cache key contains all that the answer depends on besides the data: the address with its
 * query, and the caller. The name of a site token's user is the token's hash, which covers share
 * key and claims. NULL: do not cache, since a write transaction sees data that are not yet
 * committed.
 */
static const char *
cache_key(struct req *r)
{
	const struct principal *w = &r->who;

	return db_writing(r->db) ? NULL : arena_printf(r->arena, "%s %d %d %d\n%s\n%s", w->user, (int)w->kind, w->cap,
	    w->read_only, r->set->url, known_address(r));
}

bool
repeat_cached_answer(struct req *r)
{
	const char *key = cache_key(r);
	const struct recalled *k = key == NULL ? NULL : recall_find(db_moment(r->db), key);

	if (k == NULL)
		return false;
	buf_put(&r->out, k->body);
	r->etag = arena_strndup(r->arena, k->head.p, k->head.n);
	return true;
}

void
cache_answer(struct req *r)
{
	const char *key = cache_key(r);

	/* Computing the ETag takes as long as all other work for a cached answer. */
	r->etag = etag_of_body(r);
	if (key != NULL)
		recall_put(db_moment(r->db), key, &(struct recalled){ str_of(r->etag), buf_view(&r->out), r->visit->until });
}
