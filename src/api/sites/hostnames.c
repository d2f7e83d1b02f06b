/*
 * Hostnames of sites. Column site.hostname. `octavo site hostname` assigns a hostname: only the
 * administrator of the machine can vouch that the name resolves to it. With the API, users who
 * manage the site read and remove it.
 */
#include "api/access.h"
#include "api/examples.h"
#include "api/hostnames.h"
#include "api/known_roles.h"
#include "http/req.h"
#include "site.h"

static const struct shape HostnameTarget = { "CustomHostnameTarget", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "site", .doc = "Kind of object that is shown there" },
	{ "site", T_TEXT, F_REQ, .doc = "Id of the site", .example = EXAMPLE_SITE },
	{ 0 } } };
static const struct shape HostnameUrls = { "CustomHostnameUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .doc = "Address in this API",
	  .example = EXAMPLE_URL "/custom-hostnames/docs.example.com" },
	{ 0 } } };
const struct shape CustomHostname = { "CustomHostname", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "custom-hostname", .doc = "Kind of object" },
	{ "hostname", T_TEXT, F_REQ, .doc = "The hostname", .example = "docs.example.com" },
	{ "target", T_OBJECT, F_REQ, .of = &HostnameTarget, .doc = "The site that it shows" },
	{ "isActive", T_BOOL, F_REQ, .doc = "Always true: Octavo answers under it as soon as it is set" },
	{ "urls", T_OBJECT, F_REQ, .of = &HostnameUrls, .doc = "Its addresses" },
	{ 0 } } };

SQL(q_hostname, "SELECT id, org, hostname FROM site WHERE hostname = lower(:hostname)");
SQL(q_remove, "UPDATE site SET hostname = NULL WHERE id = :id");

/*
 * Finds the site of {hostname}, in any letter case, if the caller manages the site. *name: the hostname as stored. 0 or fail().
 */
static int
site_or_fail(struct req *r, bool manage, const char **name)
{
	struct stmt *q = db_use(r->db, &q_hostname);

	bind_text(q, ":hostname", path_id(r, "hostname"));
	if (stmt_step(q)) {
		r->site.id = col_dup(q, 0, r->arena);
		r->org.id = col_dup(q, 1, r->arena);
		*name = col_dup(q, 2, r->arena);
		r->site.full = site_role(r, r->site.id, r->org.id, org_role_full(r, r->org.id));
		r->site.role = cap_role(r, r->site.full);
		/*
		 * Reading requires the role create without the token's cap; changing requires it
		 * with the cap. If only the token's scope is too narrow, the answer is 403.
		 */
		if (r->site.full >= ROLE_CREATE)
			return !manage || r->site.role >= ROLE_CREATE ? 0 :
			    fail(r, E_FORBIDDEN, "this takes the role \"create\" on the site");
	}
	/* A DELETE of a hostname that the caller may not see answers 204. */
	r->absent = true;
	return fail(r, E_NOT_FOUND, "no hostname %s", path_id(r, "hostname"));
}

/* GET /custom-hostnames/{hostname} */
HANDLER(getCustomHostname)
{
	const char *name;

	if (site_or_fail(r, false, &name) != 0)
		return -1;
	json_obj(&r->json);
	json_kstr(&r->json, "object", "custom-hostname");
	json_kstr(&r->json, "hostname", name);
	json_kobj(&r->json, "target");
	json_kstr(&r->json, "type", "site");
	json_kstr(&r->json, "site", r->site.id);
	json_end(&r->json);
	json_kbool(&r->json, "isActive", true);
	json_kobj(&r->json, "urls");
	json_kstr(&r->json, "location", url_for(r, "/v1/custom-hostnames/%s", name));
	json_end(&r->json);
	json_end(&r->json);
	return 0;
}

/* PATCH /custom-hostnames/{hostname}: does nothing, since Octavo queries no name server. */
HANDLER(dnsRevalidateCustomHostname)
{
	const char *name;

	return site_or_fail(r, true, &name) != 0 ? -1 : reply_empty(r);
}

/* DELETE /custom-hostnames/{hostname}: the site is then served below OCTAVO_URL again. */
HANDLER(removeCustomHostname)
{
	const char *name;
	struct stmt *q;

	if (site_or_fail(r, true, &name) != 0)
		return -1;
	q = db_use(r->db, &q_remove);
	bind_text(q, ":id", r->site.id);
	stmt_run(q);
	site_changed(r, "{\"hostname\":null}");
	return reply_empty(r);
}
