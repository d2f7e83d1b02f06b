/*
 * SAML identity providers: their settings for sign-in. Table saml_provider. A provider is pending
 * until it has an address, an entity id and a certificate; only active ones sign people in
 * (src/api/signin/org_provider.c). Tokens do not depend on a provider.
 */
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/provider_settings.h"
#include "api/saml.h"
#include "app/certificate.h"
#include "base/exact.h"

#define EXAMPLE_CERTIFICATE \
	"-----BEGIN CERTIFICATE-----\n" \
	"MIIDFzCCAf+gAwIBAgIUHT2Mkr81EAiO51cA7OAL17FYamEwDQYJKoZIhvcNAQEL\n" \
	"BQAwGjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMCAXDTI2MTEyODAzNTEyNloY\n" \
	"DzIxMjYxMTA0MDM1MTI2WjAaMRgwFgYDVQQDDA9pZHAuZXhhbXBsZS5jb20wggEi\n" \
	"MA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCtq9JBMzwoqvqvnJOiHURPVFQY\n" \
	"+DYKCSqWf2fQ//PtWqChbv5kGETkKM6crmVTT7JiPAa8CvQ+pXtU7bJ5pVQU+vE4\n" \
	"mju0kmJJWzkRmGdwhTX4Etsf9iu2pOuDIuy2QK9ya1jJmMN/LOome5iOPLhXdFcI\n" \
	"q53sVecKWXONU48BRcmn5ezaRN1vpxE3d4FWcB76OHClL8U7bFysgM2mZLBJihOz\n" \
	"LDlvTa4MGbBj2E03VUueuQ+jB9OTO7K6HocQu7lH5dvlfG7NmHIiQFo1clGhppu9\n" \
	"qklJnhVtnomoF2KtQyhtGcWEN2VXkZncXfwGrbYo+1G3wwsmCVVHs0d2beR/AgMB\n" \
	"AAGjUzBRMB0GA1UdDgQWBBQ2g86cwC90RmaRQOp5f1uXJVCJHTAfBgNVHSMEGDAW\n" \
	"gBQ2g86cwC90RmaRQOp5f1uXJVCJHTAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3\n" \
	"DQEBCwUAA4IBAQCJO7fycAJ9PODGf32JD1Um+TWrYBYJvY1L6T/Jjv6CNW8CdGjI\n" \
	"gTnb+oKdEW+DYyylNbFLbXwQPAUDUQsBoqQn1C9Nwh2HIyTCkaKmjc1QnrI8Vo1q\n" \
	"xnEqeN7s3rW+xwrV6EYvNZzRlfG3NwIs8C48dDCpWOnJW302ITqVkWv8YhCFi+0X\n" \
	"rPxoSXG5VbwBwlXYnol3Nee3wkDX6XM7Q/5wcrMsucy2loT1w0u3LJDVT8dcswb6\n" \
	"HgCK9Q8LpkBkUIbR8xUCTWHgpyuCZ/l+6cWKTe/dp50f0XBiGVJpY+jRA56ywARK\n" \
	"ve4HUNtGKWylkIBpWsfWUi8YJaVPee3HhTI1\n" \
	"-----END CERTIFICATE-----"

/* What an administrator enters at the identity provider: addresses of this service outside /v1. */
static const struct shape Service = { "SAMLService", (const struct field[]){
	{ "acsURL", T_TEXT, F_REQ, .url = "/app/sso/{id}/acs", .doc = "Address to which the identity provider sends its answer",
	  .example = "https://docs.example.com/app/sso/" EXAMPLE_SAML "/acs" },
	{ "startURL", T_TEXT, F_REQ, .url = "/app/sso/{id}", .doc = "Address at which signing in starts",
	  .example = "https://docs.example.com/app/sso/" EXAMPLE_SAML },
	{ "entityID", T_TEXT, F_REQ, .url = "/app/sso/{id}/metadata", .doc = "Name of this service (the audience), and the address of its metadata",
	  .example = "https://docs.example.com/app/sso/" EXAMPLE_SAML "/metadata" },
	{ 0 } } };
static const struct shape Urls = { "SAMLProviderUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/saml/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/orgs/" EXAMPLE_ORG "/saml/" EXAMPLE_SAML },
	{ 0 } } };

const struct shape SAMLProvider = { "OrganizationSAMLProvider", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "saml-provider", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_SAML },
	{ "label", T_TEXT, F_REQ, .doc = "Name that people see", .example = "Acme login" },
	{ "ssoURL", T_TEXT, F_REQ, .col = "sso_url",
	  .doc = "Address at which the identity provider signs people in", .example = "https://idp.example.com/sso" },
	{ "entityID", T_TEXT, F_REQ, .col = "entity_id", .doc = "Name of the identity provider",
	  .example = "https://idp.example.com" },
	{ "certificate", T_TEXT, F_REQ, .doc = "Certificate of the identity provider, or two certificates, in PEM",
	  .example = EXAMPLE_CERTIFICATE },
	{ "defaultTeam", T_OBJECT, .of = &Team, .join = "team_", .doc = "Team that new members join" },
	{ "defaultRole", T_ROLE, F_REQ | F_NULL, .col = "default_role",
	  .doc = "Role of new members; null: a guest" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "status", T_ENUM, F_REQ, .set = "active,pending", .doc = "pending: a setting of the identity provider is missing" },
	{ "service", T_OBJECT, F_REQ, .of = &Service, .join = "",
	  .doc = "Values to enter at the identity provider" },
	{ "urls", T_OBJECT, F_REQ, .of = &Urls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(SAMLProviderList, SAMLProvider);

#define SETTINGS \
	{ "entityID", T_TEXT, .max = 1024, .doc = "Name of the identity provider", \
	  .example = "https://idp.example.com" }, \
	{ "certificate", T_TEXT, .max = 10000, .doc = "Certificate of the identity provider with an RSA key, in PEM; while it replaces " \
	  "its key, two certificates one after the other", .example = EXAMPLE_CERTIFICATE }, \
	{ "ssoURL", T_URI, F_EMPTY, .max = 2048, .doc = "Address at which the identity provider signs people in", \
	  .example = "https://idp.example.com/sso" }, \
	{ "defaultTeam", T_TEXT, F_NULL, .max = 100, .doc = "Id of the team that new members join; null: none", \
	  .example = EXAMPLE_TEAM }, \
	{ "defaultRole", T_ROLE, F_NULL, .doc = "Role of new members; null: a guest" }
const struct shape SAMLProviderCreate = { "CreateSAMLProvider", (const struct field[]){
	{ "label", T_TEXT, F_REQ, .min = 1, .max = 30, .doc = "Name that people see", .example = "Acme login" },
	SETTINGS,
	{ 0 } } };
const struct shape SAMLProviderEdit = { "UpdateSAMLProvider", (const struct field[]){
	{ "label", T_TEXT, .min = 1, .max = 30, .doc = "Name that people see", .example = "Acme login" },
	SETTINGS,
	{ 0 } } };

/*
 * A provider is pending until all three are set (docs/design/requests.md, "Defaults"). The status
 * is computed, so that it is always current.
 */
#define STATUS \
	"CASE WHEN p.sso_url <> '' AND p.entity_id <> '' AND p.certificate <> '' THEN 'active' " \
	"ELSE 'pending' END"
/* The provider with all columns of its default team, or NULLs. */
#define PROVIDER_COLS \
	"p.id, p.label, p.sso_url, p.entity_id, p.certificate, p.default_role, p.created_at, " STATUS \
	" AS status, " PROVIDER_TEAM_COLS
#define PROVIDER_FROM "saml_provider p LEFT JOIN team_whole team ON team.id = p.default_team"
SQL(q_providers,
    WITH_TEAM "SELECT " PROVIDER_COLS ", p.created_at AS k1, p.id AS k2 FROM " PROVIDER_FROM " "
    "WHERE p.org = :org AND (p.created_at, p.id) < "
    "(COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) "
    "ORDER BY p.created_at DESC, p.id DESC LIMIT :limit /*scan*/");
SQL(q_providers_count, "SELECT count(*) FROM saml_provider WHERE org = :org");
SQL(q_provider,
    WITH_TEAM "SELECT " PROVIDER_COLS " FROM " PROVIDER_FROM " WHERE p.id = :id AND p.org = :org /*scan*/");
/* Address, entity id and certificate default to "", which STATUS treats as not set. */
SQL(q_add,
    "INSERT INTO saml_provider (id, org, label, created_at) VALUES (:id, :org, :label, :now)");
SQL(q_edit,
    "UPDATE saml_provider SET "
    "label = CASE WHEN :has_label = 1 THEN :label ELSE label END, "
    "entity_id = CASE WHEN :has_entityID = 1 THEN :entityID ELSE entity_id END, "
    "certificate = CASE WHEN :has_certificate = 1 THEN :certificate ELSE certificate END, "
    "sso_url = CASE WHEN :has_ssoURL = 1 THEN :ssoURL ELSE sso_url END, "
    "default_team = CASE WHEN :has_defaultTeam = 1 THEN :defaultTeam ELSE default_team END, "
    "default_role = CASE WHEN :has_defaultRole = 1 THEN :defaultRole ELSE default_role END "
    "WHERE id = :id AND org = :org");
SQL(q_delete, "DELETE FROM saml_provider WHERE id = :id AND org = :org");
/* The certificate is public, and admins must see in the audit log when it was replaced. */
SQL(q_snapshot,
    "SELECT label, sso_url AS \"ssoURL\", entity_id AS \"entityID\", certificate, "
    "default_team AS \"defaultTeam\", default_role AS \"role_defaultRole\" FROM saml_provider "
    "WHERE id = :id AND org = :org");
/* Checks the certificate of the body, since an invalid one would lock everybody out. "" is valid and removes it. */
static int
certificate_or_fail(struct req *r)
{
	struct certificate list[CERTIFICATES_MOST];
	const char *text = body_text(r, "certificate"), *why;
	size_t n;

	if (text == NULL || *text == '\0')
		return 0;
	if ((why = certificates_read(r->arena, text, list, &n)) != NULL)
		return fail_field(r, "/certificate", "%s", why);
	for (size_t i = 0; i < n; i++)
		if (list[i].ends_at <= time_now())
			return fail_field(r, "/certificate", "has expired: take the current one of the identity provider");
	return 0;
}

/* The host may be in a private network: only the user's browser connects to it, never Octavo. */
static int
sso_url_or_fail(struct req *r)
{
	const char *url = body_text(r, "ssoURL");
	bool plain = str_starts(str_of(r->set->url), "http://");

	if (url == NULL || *url == '\0' || str_starts(str_of(url), "https://") || (plain && str_starts(str_of(url), "http://")))
		return 0;
	return fail_field(r, "/ssoURL", "must begin with https://");
}

static int
check_body(struct req *r)
{
	return certificate_or_fail(r) != 0 ? -1 : sso_url_or_fail(r);
}

static const char *const members[] = { "label", "entityID", "certificate", "ssoURL", "defaultTeam", "defaultRole", NULL };
static const struct provider_settings kind = { .name = "SAML provider", .type = "saml-provider", .below = "saml",
	.id = "samlProviderId", .created = AUDIT_SAML_CREATE, .updated = AUDIT_SAML_UPDATE, .deleted = AUDIT_SAML_DELETE,
	.shape = &SAMLProvider, .members = members, .list = &q_providers, .count = &q_providers_count, .one = &q_provider,
	.add = &q_add, .edit = &q_edit, .drop = &q_delete, .snapshot = &q_snapshot, .check = check_body };

HANDLER(listSAMLProvidersInOrganizationById)
{
	return provider_settings_list(r, &kind);
}

HANDLER(createOrganizationSAMLProvider)
{
	return provider_settings_create(r, &kind);
}

HANDLER(getOrganizationSAMLProviderById)
{
	return provider_settings_show(r, &kind);
}

HANDLER(updateOrganizationSAMLProvider)
{
	return provider_settings_change(r, &kind);
}

HANDLER(deleteOrganizationSAMLProvider)
{
	return provider_settings_delete(r, &kind);
}
