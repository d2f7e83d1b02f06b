/* Subdomains: finds the caller's organization with a hostname. Column org.hostname, unique. */
#include "api/access.h"
#include "api/examples.h"
#include "api/subdomains.h"
#include "app/roles.h"
#include "http/req.h"

static const struct shape Target = { "OrganizationPointer", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "organization", .doc = "Kind of object" },
	{ "organization", T_TEXT, F_REQ, .doc = "Id of the organization", .example = EXAMPLE_ORG },
	{ 0 } } };

static void
emit_target(struct json *j, const struct field *f, const struct row *w)
{
	json_kobj(j, f->name);
	json_kstr(j, "type", "organization");
	json_kstr(j, "organization", row_text(w, "id"));
	json_end(j);
}

const struct shape Subdomain = { "Subdomain", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "subdomain", .doc = "Kind of object" },
	{ "subdomain", T_TEXT, F_REQ, .col = "hostname", .doc = "The hostname", .example = "acme-docs" },
	{ "target", T_OBJECT, F_REQ, .of = &Target, .emit = emit_target, .doc = "Object that the hostname belongs to" },
	{ "isActive", T_BOOL, F_REQ, .col = "active", .doc = "Always true" },
	{ 0 } } };

/* Finds only organizations of the caller: other answers would reveal which organization uses a name. */
SQL(q_subdomain,
    "SELECT o.id, o.hostname, 1 AS active FROM org o JOIN member m ON m.org = o.id AND m.account = :user "
    "AND m.disabled = 0 AND " OPENS("o.id") " WHERE o.hostname = :hostname");

/* GET /subdomains/{subdomain} */
HANDLER(getSubdomain)
{
	struct stmt *q = db_use(r->db, &q_subdomain);

	bind_text(q, ":hostname", path_id(r, "subdomain"));
	bind_sign_in(q, r);
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no subdomain %s", path_id(r, "subdomain"));
	return reply_current(r, q, &Subdomain);
}
