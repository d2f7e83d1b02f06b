/* What the bearer of a site token may ask for. Contract: visitor.h of this room. */
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

/* Counts, rules and places inside the organization are no business of visitors. */
#define VISITED_COLS \
	"s.id, s.org, NULL AS parent, s.title, s.emoji, s.icon, s.edit_mode, 0 AS default_level, s.language, " \
	"'{\"type\":\"inherit\"}' AS merge_rules, s.created_at, s.updated_at, s.deleted_at, 0 AS comments, " \
	"0 AS requests, 0 AS requests_open, 0 AS requests_draft, s.branch, b.head, " \
	"(SELECT rv.id FROM revision rv WHERE rv.branch = s.branch AND rv.seq = b.head) AS revision, " \
	SPACE_SHOWN " AS shown, " \
	"NULL AS git_url, NULL AS git_provider, NULL AS git_tree_url, NULL AS git_info_url, NULL AS git_updated_at"
/* :role is ROLE_READ for site tokens: flags of Space then promise nothing else; users who have none here have ROLE_NONE. The
 * access_version is never compared. */
SQL(q_space,
    "SELECT " VISITED_COLS ", :role AS role, 0 AS access_version FROM space s JOIN branch b ON b.id = s.branch "
    "WHERE s.id = :id AND s.deleted_at IS NULL");
SQL(q_of_key, "SELECT site FROM site_share_link WHERE secret = :key");
/* When it was replaced; never: far in the future. */
SQL(q_published_until,
    "SELECT COALESCE((SELECT n.created_at FROM revision n WHERE n.branch = :branch AND n.seq > :seq "
    "ORDER BY n.seq LIMIT 1), " SQL_EXACT_MAX ")");

/* One of octavo_app's other tokens: false leaves r as it was, for the next kind to try. */
bool
site_token(struct req *r)
{
	struct visit *v;
	struct str hash;

	if (!pass_hash(r->arena, r->who.bearer, &hash))
		return false;
	/* As long as the request, which reads it through r->visit. */
	v = arena_alloc(r->arena, sizeof(*v));
	/* Expired, revoked, or of a site that this visitor may not see (any more): nobody's token. */
	if (pass_open(r->db, r->arena, r->set, hash, v) != VISIT_PAGE)
		return false;
	r->visit = v;
	r->shown = NULL;
	r->who.kind = BY_SITES;
	/* Tags of answers differ between callers by this. */
	r->who.user = arena_printf(r->arena, "site:%s", hex(r->arena, str_slice(hash, 0, 16)));
	/* 1 is read. */
	r->who.cap = ROLE_READ;
	r->who.read_only = true;
	return true;
}

/* The words of access.c, so that hidden and missing look alike. */
static int
fail_unknown(struct req *r, const char *what, const char *id)
{
	return fail(r, E_NOT_FOUND, "no %s %s", what, id);
}

/* Only the one that the site is of; the role there stays 0. */
static int
check_organization(struct req *r)
{
	/* The id of the path, which equals the site's where 0 is returned. */
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

/* The point is the one that the visit found; visited_revision() sets another where the path names one. */
static void
take_space(struct req *r, const struct visit_item *it, struct stmt *row)
{
	r->shown = arena_alloc(r->arena, sizeof(*r->shown));
	*r->shown = *it;
	r->space = (struct space_ref){ .id = it->space, .org = r->visit->site.org, .edit_mode = "locked",
		.revision = it->point.revision, .branch = it->point.branch, .head = it->point.seq, .role = ROLE_READ,
		.row = r->route->reply == &Space ? row : NULL };
}

/* A space of the site that the visitor sees: conditions may hide a site space. */
static int
check_space(struct req *r)
{
	const char *id = path_id(r, "spaceId");
	/* NULL: no site space of the visit shows it. */
	const struct visit_item *it = visit_space(r->visit, id);
	struct stmt *q = it == NULL ? NULL : visited_space(r, id);

	if (q == NULL)
		return visit_by_key(r) ? 0 : fail_unknown(r, "space", id);
	take_space(r, it, q);
	/* What changed would name what is hidden. */
	if (strcmp(r->route->operation, "getRevisionSemanticChanges") == 0 && !r->visit->preview)
		return fail_unknown(r, "revision", path_id(r, "revisionId"));
	if (!path_has(r, "changeRequestId"))
		return 0;
	/* Only somebody who looks at a preview sees what is proposed. */
	return r->visit->preview ? request_load(r, path_id(r, "changeRequestId")) :
	    fail_unknown(r, "change request", path_id(r, "changeRequestId"));
}

/* The site of this visit is what the path names, or shows it. */
static bool
take_path(struct req *r)
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
	take_space(r, it, visited_space(r, id));
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
	/* Sites that are open by other means have no link that counts: they are not opened this way. */
	if (visit_open_site(r->db, r->arena, r->set, col_dup(q, 0, r->arena), &who, v) != VISIT_PAGE ||
	    v->site.share_link == NULL)
		return false;
	/* What is kept of the answer ends with the token that asked. */
	v->until = before == NULL ? 0 : before->until;
	r->visit = v;
	if (take_path(r))
		return true;
	r->visit = before;
	return false;
}

/*
 * Only reading rules are listed: a route with any other rule is not there for visitors, new ones
 * included.
 */
int
site_token_access(struct req *r)
{
	switch (r->route->access) {
	case ANYONE:
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
	bind_int(q, ":role", r->who.kind == BY_SITES);
	return stmt_step(q) ? q : NULL;
}

/*
 * What was replaced before the token was made, or before the site showed the space, its bearer was never shown.
 * A renderer that is at work while content changes still reads what its token was made for.
 */
bool
visited_revision(struct req *r, const struct point *p)
{
	struct stmt *q;

	if (r->visit == NULL)
		return true;
	r->shown->point = *p;
	/* A revision of a change request overlays main. */
	if (p->base != 0)
		return r->visit->preview;
	/* Of another branch of the space, without a base: never published. */
	if (p->branch != r->space.branch)
		return false;
	q = db_use(r->db, &q_published_until);
	bind_int(q, ":branch", p->branch);
	bind_int(q, ":seq", p->seq);
	return r->visit->preview || stmt_int(q, 0) > r->visit->since;
}

bool
visited_node(struct req *r, const struct point *p, const struct node *n)
{
	if (r->visit == NULL)
		return true;
	r->shown->point = *p;
	if (n->kind & NODE_PAGES)
		return visit_sees_page(r->visit, r->shown, n->id);
	/* These have no condition of their own, but hide with what uses them. Settings do not. */
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
visited_address(struct req *r, const char *id, const char *other)
{
	const struct visit_item *it = r->visit == NULL ? NULL : visit_item(r->visit, id);

	return it == NULL ? other : it->address;
}

bool
visited_default(struct req *r, const char *id, bool other)
{
	const struct visit_item *it = r->visit == NULL ? NULL : visit_item(r->visit, id);

	return it == NULL ? other : it->is_default;
}

/* The site as its visitors see it, for a user who may read it. 0 or fail(). */
int
visit_or_fail(struct req *r, const char *key)
{
	struct visitor who = { .share_key = key, .manager = true };

	/* The token holds the key that it was made with; another one changes nothing. */
	if (r->visit != NULL)
		return 0;
	r->visit = arena_alloc(r->arena, sizeof(*r->visit));
	if (visit_open_site(r->db, r->arena, r->set, r->site.id, &who, r->visit) == VISIT_PAGE)
		return 0;
	/* They may read the site, whatever key they name: one that does not count is ignored. */
	who.share_key = NULL;
	if (key != NULL && visit_open_site(r->db, r->arena, r->set, r->site.id, &who, r->visit) == VISIT_PAGE)
		return 0;
	/* A visit that did not open must not be taken for a site token's by what runs afterwards. */
	r->visit = NULL;
	return fail(r, E_NOT_FOUND, "no published site %s", r->site.id);
}

int
visit_as_reader(struct req *r)
{
	return r->org.full >= ROLE_CREATE ? 0 : visit_or_fail(r, query_text(r, "shareKey"));
}

/* ---- once for each state of the data ---- */

/*
 * All that such an answer depends on besides the data: the address with what its query asks for, and who asks.
 * The user of a site token is the hash of the token, which holds key and claims. NULL: nothing
 * is kept of what a write sees before it commits.
 */
static const char *
question_of(struct req *r)
{
	const struct principal *w = &r->who;

	return db_writing(r->db) ? NULL : arena_printf(r->arena, "%s %d %d %d\n%s\n%s", w->user, (int)w->kind, w->cap,
	    w->read_only, r->set->url, known_address(r));
}

bool
visited_again(struct req *r)
{
	const char *question = question_of(r);
	const struct recalled *k = question == NULL ? NULL : recall_find(db_moment(r->db), question);

	if (k == NULL)
		return false;
	buf_put(&r->out, k->body);
	r->etag = arena_strndup(r->arena, k->head.p, k->head.n);
	return true;
}

void
visited_keep(struct req *r)
{
	const char *question = question_of(r);

	/* Its tag takes as long as all the rest of an answer that is kept. */
	r->etag = etag_of_body(r);
	if (question != NULL)
		recall_put(db_moment(r->db), question, &(struct recalled){ str_of(r->etag), buf_view(&r->out), r->visit->until });
}
