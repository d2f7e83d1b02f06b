/*
 * OpenID providers of organizations: their settings for sign-in. Table oidc_provider. A provider is
 * pending until it has an issuer and a client id; only active ones sign people in
 * (src/api/signin/org_provider.c).
 *
 * The client secret is sealed, and no answer contains it. If the issuer changes and the body has no
 * secret, the stored one is deleted, since it would be sent to the new issuer
 * (docs/design/security.md, "S19").
 */
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/oidc.h"
#include "api/provider_settings.h"
#include "base/exact.h"
#include "base/secret.h"
#include "signin/provider.h"

/* What an administrator enters at the provider. */
static const struct shape Service = { "OIDCService", (const struct field[]){
	{ "redirectURI", T_TEXT, F_REQ, .url = "/app/sso/{id}/return", .doc = "Address to which the provider redirects the browser",
	  .example = "https://docs.example.com/app/sso/" EXAMPLE_OIDC "/return" },
	{ "startURL", T_TEXT, F_REQ, .url = "/app/sso/{id}", .doc = "Address at which signing in starts",
	  .example = "https://docs.example.com/app/sso/" EXAMPLE_OIDC },
	{ 0 } } };
static const struct shape Urls = { "OIDCProviderUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/oidc/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/orgs/" EXAMPLE_ORG "/oidc/" EXAMPLE_OIDC },
	{ 0 } } };

const struct shape OIDCProvider = { "OrganizationOIDCProvider", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "oidc-provider", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_OIDC },
	{ "label", T_TEXT, F_REQ, .doc = "Name that people see", .example = "Acme login" },
	{ "issuer", T_TEXT, F_REQ, .doc = "The provider's issuer", .example = "https://id.example.com" },
	{ "clientID", T_TEXT, F_REQ, .col = "client", .doc = "Client id that the provider gave", .example = "octavo" },
	{ "secretSetAt", T_TIME, F_REQ | F_NULL, .col = "secret_at", .doc = "When the client secret was set; null: there is none" },
	{ "defaultTeam", T_OBJECT, .of = &Team, .join = "team_", .doc = "Team that new members join" },
	{ "defaultRole", T_ROLE, F_REQ | F_NULL, .col = "default_role", .doc = "Role of new members; null: a guest" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "status", T_ENUM, F_REQ, .set = "active,pending", .doc = "pending: issuer or client id is not set yet" },
	{ "service", T_OBJECT, F_REQ, .of = &Service, .join = "", .doc = "Values to enter at the provider" },
	{ "urls", T_OBJECT, F_REQ, .of = &Urls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(OIDCProviderList, OIDCProvider);

#define SETTINGS \
	{ "issuer", T_TEXT, .max = 1024, .doc = "The provider's issuer, exactly as in its metadata, including a slash at the end; begins with https://", \
	  .example = "https://id.example.com" }, \
	{ "clientID", T_TEXT, .max = 1024, .doc = "Client id that the provider gave", .example = "octavo" }, \
	{ "clientSecret", T_TEXT, .max = 1024, .doc = "Client secret that the provider gave; no answer contains it. Empty: there is " \
	  "none. If you change the issuer, send the secret again: the stored one is deleted", .example = "s3cr3t" }, \
	{ "defaultTeam", T_TEXT, F_NULL, .max = 100, .doc = "Id of the team that new members join; null: none", \
	  .example = EXAMPLE_TEAM }, \
	{ "defaultRole", T_ROLE, F_NULL, .doc = "Role of new members; null: a guest" }
const struct shape OIDCProviderCreate = { "CreateOIDCProvider", (const struct field[]){
	{ "label", T_TEXT, F_REQ, .min = 1, .max = 30, .doc = "Name that people see", .example = "Acme login" },
	SETTINGS,
	{ 0 } } };
const struct shape OIDCProviderEdit = { "UpdateOIDCProvider", (const struct field[]){
	{ "label", T_TEXT, .min = 1, .max = 30, .doc = "Name that people see", .example = "Acme login" },
	SETTINGS,
	{ 0 } } };

#define PROVIDER_COLS \
	"p.id, p.label, p.issuer, p.client, p.secret_at, p.default_role, p.created_at, " \
	"CASE WHEN p.issuer <> '' AND p.client <> '' THEN 'active' ELSE 'pending' END AS status, " PROVIDER_TEAM_COLS
#define PROVIDER_FROM "oidc_provider p LEFT JOIN team_whole team ON team.id = p.default_team"
SQL(q_providers,
    WITH_TEAM "SELECT " PROVIDER_COLS ", p.created_at AS k1, p.id AS k2 FROM " PROVIDER_FROM " "
    "WHERE p.org = :org AND (p.created_at, p.id) < "
    "(COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) "
    "ORDER BY p.created_at DESC, p.id DESC LIMIT :limit /*scan*/");
SQL(q_providers_count, "SELECT count(*) FROM oidc_provider WHERE org = :org");
SQL(q_provider,
    WITH_TEAM "SELECT " PROVIDER_COLS " FROM " PROVIDER_FROM " WHERE p.id = :id AND p.org = :org /*scan*/");
SQL(q_add, "INSERT INTO oidc_provider (id, org, label, created_at) VALUES (:id, :org, :label, :now)");
/* A changed issuer deletes the secret, which must not be sent to another issuer. */
#define IS_OTHER_ISSUER "CASE WHEN :has_issuer = 1 AND issuer <> :issuer THEN NULL ELSE "
SQL(q_edit,
    "UPDATE oidc_provider SET "
    "secret = " IS_OTHER_ISSUER "secret END, secret_at = " IS_OTHER_ISSUER "secret_at END, "
    "label = CASE WHEN :has_label = 1 THEN :label ELSE label END, "
    "issuer = CASE WHEN :has_issuer = 1 THEN :issuer ELSE issuer END, "
    "client = CASE WHEN :has_clientID = 1 THEN :clientID ELSE client END, "
    "default_team = CASE WHEN :has_defaultTeam = 1 THEN :defaultTeam ELSE default_team END, "
    "default_role = CASE WHEN :has_defaultRole = 1 THEN :defaultRole ELSE default_role END "
    "WHERE id = :id AND org = :org");
SQL(q_set_secret, "UPDATE oidc_provider SET secret = :secret, secret_at = :now WHERE id = :id AND org = :org");
SQL(q_delete, "DELETE FROM oidc_provider WHERE id = :id AND org = :org");
/* The record contains the time of the secret, so that it shows that the secret was replaced. */
SQL(q_snapshot,
    "SELECT label, issuer, client AS \"clientID\", secret_at AS \"time_secretSetAt\", "
    "default_team AS \"defaultTeam\", default_role AS \"role_defaultRole\" FROM oidc_provider "
    "WHERE id = :id AND org = :org");

/* Checks the issuer of the body. "" is valid and removes it. 0 or fail(). */
static int
issuer_or_fail(struct req *r)
{
	const char *issuer = body_text(r, "issuer");
	const char *why = issuer == NULL || *issuer == '\0' ? NULL : provider_issuer_fault(r->arena, r->set, issuer);

	return why == NULL ? 0 : fail_field(r, "/issuer", "%s", why);
}

static int
check_body(struct req *r)
{
	if (issuer_or_fail(r) != 0)
		return -1;
	return secret_ready() ? 0 : fail(r, E_BUSY, "this installation is not ready; try again");
}

/* Stores the secret of the body, if it has one. An empty secret deletes the stored one. */
static void
store_secret(struct req *r, const char *id)
{
	const char *secret = body_text(r, "clientSecret");
	struct stmt *q;

	if (secret == NULL)
		return;
	q = provider_settings_of(r, &q_set_secret, id);
	if (*secret != '\0') {
		bind_blob(q, ":secret", provider_seal_secret(r->arena, secret));
		bind_int(q, ":now", time_now());
	}
	stmt_run(q);
}

static const char *const members[] = { "label", "issuer", "clientID", "defaultTeam", "defaultRole", NULL };
static const struct provider_settings kind = { .name = "OpenID provider", .type = "oidc-provider", .below = "oidc",
	.id = "oidcProviderId", .created = AUDIT_OIDC_CREATE, .updated = AUDIT_OIDC_UPDATE, .deleted = AUDIT_OIDC_DELETE,
	.shape = &OIDCProvider, .members = members, .list = &q_providers, .count = &q_providers_count, .one = &q_provider,
	.add = &q_add, .edit = &q_edit, .drop = &q_delete, .snapshot = &q_snapshot, .check = check_body, .edited = store_secret };

HANDLER(listOrganizationOIDCProviders)
{
	return provider_settings_list(r, &kind);
}

HANDLER(createOrganizationOIDCProvider)
{
	return provider_settings_create(r, &kind);
}

HANDLER(getOrganizationOIDCProvider)
{
	return provider_settings_show(r, &kind);
}

HANDLER(updateOrganizationOIDCProvider)
{
	return provider_settings_change(r, &kind);
}

HANDLER(deleteOrganizationOIDCProvider)
{
	return provider_settings_delete(r, &kind);
}
