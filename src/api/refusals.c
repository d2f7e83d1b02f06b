/*
 * Error answers for objects that the caller may not see, and for actions that the caller may not
 * do. Contract: api/refusals.h.
 */
#include <string.h>

#include "api/refusals.h"
#include "app/roles.h"
#include "base/url.h"
#include "http/req.h"

SQL(q_title, "SELECT title FROM org WHERE id = :org");
SQL(q_ways, "SELECT id FROM active_provider WHERE org = :org ORDER BY created_at, id /*scan*/");

char *
provider_addresses(struct req *r, const char *org)
{
	struct stmt *q = db_use(r->db, &q_ways);
	char *list = NULL;

	bind_text(q, ":org", org);
	while (stmt_step(q)) {
		const char *url = url_make(r->arena, r->set, "/app/sso/%s", col_text(q, 0));

		list = list == NULL ? arena_strdup(r->arena, url) : arena_printf(r->arena, "%s or %s", list, url);
	}
	return list;
}

/*
 * Fails for a member of an organization with `sso` who did not sign in at its own provider. The
 * message contains the addresses of its providers.
 */
static int
fail_closed(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_title);
	const char *title, *ways;

	bind_text(q, ":org", r->shut.org);
	title = stmt_dup(q, r->arena);
	ways = provider_addresses(r, r->shut.org);
	return fail(r, E_FORBIDDEN, "the organization \"%s\" is open to sign-ins at its own provider%s: %s%s", title != NULL ? title : "",
	    r->who.session ? " alone" : ", and not to tokens", ways != NULL ? "sign in at " : "none works now; ask an admin of it", ways != NULL ? ways : "");
}

int
not_found(struct req *r, const char *what, const char *id)
{
	if (r->shut.place != NULL && strcmp(r->shut.place, id) == 0)
		return fail_closed(r);
	return fail(r, E_NOT_FOUND, "no %s %s", what, id);
}

int
forbidden(struct req *r, const char *what, enum role have, enum role need)
{
	return fail(r, E_FORBIDDEN, "this takes the role \"%s\" on the %s; you have \"%s\"",
	    role_name(need), what, have < ROLE_READ ? "none" : role_name(have));
}

int
unmasked_or_fail(struct req *r, const char *path, const char *url, const char *known)
{
	if (url == NULL || !url_masked(url) || (known != NULL && strcmp(url, known) == 0))
		return 0;
	return fail_field(r, path, known == NULL ? "has *** in place of what looks like a secret: send the secret itself" :
	    "has *** in place of what looks like a secret: send the secret itself, or the address exactly as it is "
	    "shown, which keeps the secret");
}
