/* Reads a response of the provider. Contract: saml/response.h. */
#include <lasso/lasso.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/secret.h"
#include "saml/response.h"
#include "saml/structure.h"

/* REMEMBER_MS: longest time for which the caller remembers an assertion; sign-ins last ten minutes. */
enum { REMEMBER_MS = 3600 * 1000, VALUE_MOST = 1000 };

static bool
is_same(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* ---- times ---- */

/* The time of an attribute; *ms is 0 if it is absent. False after saml_fail(). */
static bool
read_time(struct saml_run *run, const xmlNode *node, const char *name, int64_t *ms)
{
	const char *text = saml_attribute(run, node, name);

	*ms = 0;
	return text == NULL || time_parse(text, ms) || saml_fail(run, SAML_REFUSED, "%s of the provider's response is no time", name);
}

/* The attributes NotBefore and NotOnOrAfter. *ends: the latter; 0: absent. */
static bool
check_times(struct saml_run *run, const xmlNode *node, int64_t *ends)
{
	int64_t begins;

	if (!read_time(run, node, "NotBefore", &begins) || !read_time(run, node, "NotOnOrAfter", ends))
		return false;
	if (begins > run->now + SAML_SKEW_MS)
		return saml_fail(run, SAML_REFUSED, "the provider's response is not valid yet: the clock of one of the two machines is wrong");
	if (*ends != 0 && *ends + SAML_SKEW_MS <= run->now)
		return saml_fail(run, SAML_REFUSED, "the provider's response has expired: you took too long, or the clock of one of the two "
		    "machines is wrong");
	return true;
}

/* ---- conditions ---- */

static bool
is_for_us(struct saml_run *run, const xmlNode *restriction)
{
	xmlNode *a = saml_child(restriction, SAML_NS, "Audience");

	while (a != NULL && !is_same(saml_text(run, a), run->self))
		a = saml_next(a);
	return a != NULL;
}

/* An unknown condition makes an assertion invalid (SAML Core 2.0, section 2.5.1.1). */
static bool
check_kinds(struct saml_run *run, const xmlNode *conditions)
{
	for (xmlNode *n = conditions->children; n != NULL; n = n->next)
		if (n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, "AudienceRestriction") != 0 &&
		    strcmp((const char *)n->name, "OneTimeUse") != 0 && strcmp((const char *)n->name, "ProxyRestriction") != 0)
			return saml_fail(run, SAML_REFUSED, "the provider's assertion has a condition that Octavo does not know");
	return true;
}

static bool
check_conditions(struct saml_run *run, const xmlNode *assertion)
{
	xmlNode *conditions = saml_child(assertion, SAML_NS, "Conditions");
	xmlNode *restriction = saml_child(conditions, SAML_NS, "AudienceRestriction");
	int64_t ends;

	if (restriction == NULL)
		return saml_fail(run, SAML_REFUSED, "the provider's assertion names no audience");
	for (; restriction != NULL; restriction = saml_next(restriction))
		if (!is_for_us(run, restriction))
			return saml_fail(run, SAML_REFUSED, "the provider's assertion is for another service: set the audience (entity ID) %s there",
			    run->self);
	return check_kinds(run, conditions) && check_times(run, conditions, &ends);
}

/* ---- who may present it ---- */

static xmlNode *
find_bearer(struct saml_run *run, const xmlNode *subject)
{
	xmlNode *c = saml_child(subject, SAML_NS, "SubjectConfirmation");

	while (c != NULL && !is_same(saml_attribute(run, c, "Method"), "urn:oasis:names:tc:SAML:2.0:cm:bearer"))
		c = saml_next(c);
	return saml_child(c, SAML_NS, "SubjectConfirmationData");
}

static bool
check_bearer(struct saml_run *run, const xmlNode *subject, struct saml_person *out)
{
	xmlNode *data = find_bearer(run, subject);

	if (data == NULL)
		return saml_fail(run, SAML_REFUSED, "the provider's assertion has no confirmation of a bearer");
	if (!is_same(saml_attribute(run, data, "Recipient"), run->acs))
		return saml_fail(run, SAML_REFUSED, "the provider's assertion is for another recipient: set the address (ACS URL) %s there", run->acs);
	if (!check_times(run, data, &out->ends_at))
		return false;
	if (out->ends_at == 0)
		return saml_fail(run, SAML_REFUSED, "the provider's assertion does not expire");
	out->request = saml_attribute(run, data, "InResponseTo");
	if (out->request == NULL || *out->request == '\0')
		return saml_fail(run, SAML_REFUSED, "this sign-in began at the provider, which is not accepted: begin it here");
	out->ends_at += SAML_SKEW_MS;
	if (out->ends_at > run->now + REMEMBER_MS)
		out->ends_at = run->now + REMEMBER_MS;
	return true;
}

/* ---- the person ---- */

static bool
read_subject(struct saml_run *run, const xmlNode *subject, struct saml_person *out)
{
	xmlNode *id = saml_child(subject, SAML_NS, "NameID");
	const char *format = saml_attribute(run, id, "Format");

	if (format != NULL && strstr(format, ":transient") != NULL)
		return saml_fail(run, SAML_REFUSED, "the provider names you anew at each sign-in (a transient NameID): set a persistent one, or "
		    "the email address, there");
	out->subject = saml_text(run, id);
	if (*out->subject == '\0' || strlen(out->subject) > VALUE_MOST)
		return saml_fail(run, SAML_REFUSED, "the provider's assertion does not name you (NameID)");
	if (format != NULL && strstr(format, ":emailAddress") != NULL)
		out->email = out->subject;
	return true;
}

/* The first value of an attribute with one of the names; NULL: none. */
static const char *
find_value(struct saml_run *run, const xmlNode *assertion, const char *const *names)
{
	for (; *names != NULL; names++)
		for (xmlNode *s = saml_child(assertion, SAML_NS, "AttributeStatement"); s != NULL; s = saml_next(s))
			for (xmlNode *a = saml_child(s, SAML_NS, "Attribute"); a != NULL; a = saml_next(a)) {
				const char *value = saml_text(run, saml_child(a, SAML_NS, "AttributeValue"));

				if (is_same(saml_attribute(run, a, "Name"), *names) && *value != '\0' && strlen(value) <= VALUE_MOST)
					return value;
			}
	return NULL;
}

#define CLAIMS "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"

static void
read_attributes(struct saml_run *run, const xmlNode *assertion, struct saml_person *out)
{
	static const char *const emails[] = { "email", "mail", "emailAddress", "urn:oid:0.9.2342.19200300.100.1.3", CLAIMS "emailaddress", NULL };
	static const char *const names[] = { "displayName", "urn:oid:2.16.840.1.113730.3.1.241",
		"http://schemas.microsoft.com/identity/claims/displayname", "cn", "urn:oid:2.5.4.3", NULL };
	static const char *const given[] = { "givenName", "firstName", "first_name", "urn:oid:2.5.4.42", CLAIMS "givenname", NULL };
	static const char *const family[] = { "sn", "surname", "lastName", "last_name", "urn:oid:2.5.4.4", CLAIMS "surname", NULL };
	const char *email = find_value(run, assertion, emails), *first, *last;

	if (email != NULL)
		out->email = email;
	out->name = find_value(run, assertion, names);
	if (out->name != NULL)
		return;
	first = find_value(run, assertion, given);
	last = find_value(run, assertion, family);
	out->name = first != NULL && last != NULL ? arena_printf(run->arena, "%s %s", first, last) : first != NULL ? first : last;
}

/* ---- the response ---- */

/* Reads the assertion, whose signature lasso has verified. */
static bool
read_assertion(struct saml_run *run, const xmlNode *assertion, struct saml_person *out)
{
	xmlNode *subject = saml_child(assertion, SAML_NS, "Subject"), *statement = saml_child(assertion, SAML_NS, "AuthnStatement");
	int64_t ends;

	*out = (struct saml_person){ .assertion = saml_attribute(run, assertion, "ID") };
	if (!is_same(saml_text(run, saml_child(assertion, SAML_NS, "Issuer")), run->entity))
		return saml_fail(run, SAML_REFUSED, "the assertion is of another provider than the settings name");
	if (statement == NULL)
		return saml_fail(run, SAML_REFUSED, "the provider's assertion does not say that you have signed in (AuthnStatement)");
	if (!read_time(run, statement, "SessionNotOnOrAfter", &ends))
		return false;
	if (ends != 0 && ends + SAML_SKEW_MS <= run->now)
		return saml_fail(run, SAML_REFUSED, "your session at the provider has expired");
	if (!check_conditions(run, assertion) || !check_bearer(run, subject, out) || !read_subject(run, subject, out))
		return false;
	read_attributes(run, assertion, out);
	return true;
}

/* Checks the response itself; it need not be signed, if its assertion is. */
static bool
check_response(struct saml_run *run, const xmlNode *root)
{
	const char *destination = saml_attribute(run, root, "Destination"), *issuer = saml_text(run, saml_child(root, SAML_NS, "Issuer"));

	if (!is_same(issuer, run->entity))
		return saml_fail(run, SAML_REFUSED, "the response is of the provider \"%.200s\", and the entity ID of the settings is \"%.200s\"",
		    issuer, run->entity);
	if (destination == NULL ? saml_child(root, DSIG_NS, "Signature") != NULL : strcmp(destination, run->acs) != 0)
		return saml_fail(run, SAML_REFUSED, "the provider's response is for another address: set the address (ACS URL) %s there", run->acs);
	return true;
}

static bool
verify_response(struct saml_run *run, LassoServer *server, const char *text, const char *answers, struct saml_person *out)
{
	LassoLogin *login = lasso_login_new(server);
	int rc = lasso_login_process_authn_response_msg(login, (char *)text);
	LassoNode *assertion = rc == 0 ? lasso_login_get_assertion(login) : NULL;
	xmlNode *node = assertion != NULL ? lasso_node_get_original_xmlnode(assertion) : NULL;
	bool good;

	if (rc != 0 || node == NULL)
		good = saml_fail(run, SAML_REFUSED, "the signature of the provider's response does not fit the certificate of the settings (%s)",
		    lasso_strerror(rc));
	else
		good = read_assertion(run, node, out);
	if (good && answers != NULL && strcmp(answers, out->request) != 0)
		good = saml_fail(run, SAML_REFUSED, "the provider's response and its assertion answer two requests");
	if (assertion != NULL)
		g_object_unref(assertion);
	lasso_login_destroy(login);
	return good;
}

/* Encodes without line breaks, the form that lasso recognises. */
static const char *
encode_base64(struct saml_run *run, struct str bytes)
{
	gchar *text = g_base64_encode((const guchar *)bytes.p, bytes.n);
	char *out = arena_strdup(run->arena, text);

	g_free(text);
	return out;
}

bool
saml_read_response(struct saml_run *run, const char *text, struct saml_person *out)
{
	LassoServer *server = saml_server(run);
	struct str bytes;
	xmlDoc *doc = NULL;
	bool good = false;

	if (server == NULL)
		return false;
	if (!base64_read(run->arena, str_of(text), &bytes))
		saml_fail(run, SAML_REFUSED, "what the provider sent is not base64");
	else if ((doc = saml_parse(run, bytes)) != NULL && check_response(run, xmlDocGetRootElement(doc)))
		good = verify_response(run, server, encode_base64(run, bytes), saml_attribute(run, xmlDocGetRootElement(doc), "InResponseTo"), out);
	if (doc != NULL)
		xmlFreeDoc(doc);
	lasso_server_destroy(server);
	return good;
}
