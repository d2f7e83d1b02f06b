/*
 * Previews of a site with the content of a change request. The token names the request and the person
 * for whom it was made. Both are checked in each visit: a preview must end when the request is merged
 * or the person loses access, and must not show more than the person may read. Contract:
 * audience_parts.h.
 */
#include <cjson/cJSON.h>

#include "app/roles.h"
#include "audience_parts.h"
#include "base/role.h"

/*
 * The person's membership m in the organization of the site. Neither account nor membership may be
 * disabled, and the organization must accept the kind of sign-in (:by).
 */
#define PERSON \
	"member m JOIN account a ON a.id = m.account AND a.disabled = 0 WHERE m.org = :org AND m.account = :account " \
	"AND m.disabled = 0 AND (:by = 'provider' OR NOT " IS_CLOSED("m.org", ":account", "CASE WHEN :by = 'session' THEN 1 ELSE 0 END") ")"

SQL(q_request,
    "SELECT cr.subject, cr.space, cr.number, cr.branch FROM change_request cr "
    "JOIN space s ON s.id = cr.space AND s.org = :org AND s.deleted_at IS NULL "
    "WHERE cr.id = :id AND cr.status IN ('draft', 'open') "
    "AND EXISTS (SELECT 1 FROM site_space x WHERE x.site = :site AND x.space = cr.space AND x.draft = 0)");
SQL(q_role, "SELECT " ROLE_FROM("space", ":space", ":account") " FROM " PERSON);
/*
 * The person must be allowed to read this site. Otherwise people who may read a space could see any
 * site that shows it, by a preview of one of their change requests.
 */
SQL(q_site, "SELECT 1 FROM site t, " PERSON " AND t.id = :site AND " MAY_READ_SITE(":account"));

static const char *
claim_text(const cJSON *claims, const char *name)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(claims, name));

	return text != NULL ? text : "";
}

static void
bind_person(struct stmt *q, const struct visit *v)
{
	bind_text(q, ":org", v->site.org);
	bind_text(q, ":account", v->request->account);
	bind_text(q, ":by", v->request->by);
}

static bool
may_read_space(const struct visit *v, const char *space)
{
	struct stmt *q = db_use(v->db, &q_role);

	bind_person(q, v);
	bind_text(q, ":space", space);
	return stmt_int(q, ROLE_NONE) >= ROLE_READ;
}

static bool
may_see_site(const struct visit *v)
{
	struct stmt *q = db_use(v->db, &q_site);

	bind_person(q, v);
	bind_text(q, ":site", v->site.id);
	return stmt_int(q, 0) == 1;
}

/* The request that the claims name; NULL: it is merged or archived, or the site does not show its space. */
static struct previewed_request *
find_request(const struct visit *v, const cJSON *claims)
{
	struct previewed_request *p = arena_alloc(v->arena, sizeof(*p));
	struct stmt *q = db_use(v->db, &q_request);
	int64_t branch;

	bind_text(q, ":org", v->site.org);
	bind_text(q, ":id", claim_text(claims, "request"));
	bind_text(q, ":site", v->site.id);
	if (!stmt_step(q))
		return NULL;
	*p = (struct previewed_request){ .id = arena_strdup(v->arena, claim_text(claims, "request")),
		.subject = col_dup(q, 0, v->arena), .space = col_dup(q, 1, v->arena), .number = col_int(q, 2),
		.account = arena_strdup(v->arena, claim_text(claims, "sub")),
		.by = arena_strdup(v->arena, claim_text(claims, "by")) };
	branch = col_int(q, 3);
	return point_head(v->db, v->arena, branch, &p->point) ? p : NULL;
}

bool
open_previewed_request(struct visit *v, const cJSON *claims)
{
	v->request = find_request(v, claims);
	if (v->request != NULL && may_read_space(v, v->request->space) && may_see_site(v))
		return true;
	v->request = NULL;
	return false;
}

bool
preview_shows_space(const struct visit *v, const char *space)
{
	bool open = v->site.published_at != 0 &&
	    (strcmp(v->site.visibility, "public") == 0 || strcmp(v->site.visibility, "unlisted") == 0);

	return v->request == NULL || open || may_read_space(v, space);
}
