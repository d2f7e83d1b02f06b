/*
 * Lets members of an organization visit its sites that require visitor authentication. octavo-site
 * sends them to the application, where they sign in. This operation then returns the address at
 * which they get back to the site, with a token that proves the membership. The address is built
 * from the stored address of the site and not from the caller's text, so that the token is sent to
 * no other site (docs/design/security.md, "S8").
 */
#include "api/access.h"
#include "api/members.h"
#include "api/published.h"
#include "api/refusals.h"
#include "api/site_visit.h"
#include "audience/visit.h"
#include "base/url.h"
#include "http/req.h"

const struct shape SiteVisit = { "VisitSiteQuery", (const struct field[]){
	{ "url", T_URI, F_REQ, .max = 8192, .doc = "Address of a published page",
	  .example = "https://docs.example.com/sites/acme/handbook/first-steps" },
	{ 0 } } };
const struct shape SiteVisited = { "VisitedSite", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "site-visit", .doc = "Kind of object" },
	{ "title", T_TEXT, F_REQ, .doc = "Title of the site", .example = "Handbook" },
	{ "location", T_TEXT, F_REQ, .doc = "Address at which you can read the page",
	  .example = "https://docs.example.com/sites/acme/handbook/first-steps?jwt_token=eyJhbGciOiJIUzI1NiJ9" },
	{ 0 } } };

/*
 * Returns the rest of the path as the caller sent it, up to the first character that could end the
 * path, such as "?".
 */
static const char *
safe_rest(struct req *r, const char *rest)
{
	size_t n = strcspn(rest, "?#\\\r\n");

	while (*rest == '/')
		rest++, n -= n > 0;
	return arena_strndup(r->arena, rest, n);
}

/* GET /urls/visit */
HANDLER(visitSiteAsMember)
{
	struct visit_request ask = { .host = NULL };
	struct json *j = &r->json;
	enum visit_status status;
	const char *location;
	struct visit v;
	bool stranger;

	published_split_url(r, query_text(r, "url"), &ask.host, &ask.path);
	status = visit_open(r->db, r->arena, r->set, &ask, &v);
	/*
	 * A caller who is no member gets the same answer as for an unknown site, so that nothing is
	 * revealed. A member whose sign-in gives no access to the organization learns where to sign
	 * in.
	 */
	stranger = status == VISIT_SIGN_IN && org_role_full(r, v.site.org) == ROLE_STRANGER;
	if (stranger && r->shut.org != NULL)
		return not_found(r, "organization", v.site.org);
	if (status == VISIT_NO_SITE || stranger)
		return fail(r, E_NOT_FOUND, "there is no page for you at this address");
	location = arena_printf(r->arena, "%s%s", v.site.address, safe_rest(r, v.site.rest));
	if (status == VISIT_SIGN_IN)
		location = arena_printf(r->arena, "%s?jwt_token=%s", location, member_jwt(r, v.site.org));
	json_obj(j);
	json_kstr(j, "object", "site-visit");
	json_kstr(j, "title", v.site.title);
	json_kstr(j, "location", location);
	json_end(j);
	return 0;
}
