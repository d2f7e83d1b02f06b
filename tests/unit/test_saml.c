/* Responses of SAML providers, honest and forged ones, which the test signs itself (saml/response.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdlib.h>
#include <string.h>
#include <xmlsec/base64.h>
#include <xmlsec/crypto.h>
#include <xmlsec/xmldsig.h>
#include <xmlsec/xmlsec.h>
#include <xmlsec/xmltree.h>

#include "base/file.h"
#include "base/json.h"
#include "saml/request.h"
#include "saml/response.h"
#include "saml/structure.h"

#define SELF "https://docs.example.com/app/sso/p1/metadata"
#define ACS "https://docs.example.com/app/sso/p1/acs"
#define IDP "https://idp.example.com/metadata"
#define RSA_SHA256 "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
#define SHA256 "http://www.w3.org/2001/04/xmlenc#sha256"

enum { NOW = 1800000000, MINUTE = 60 };

static struct arena *arena;

/* What lasso and its libraries keep until the process ends, for the sanitizer. */
const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
	return "leak:liblasso\nleak:libxmlsec\n";
}

/* What a response says; a NULL means the default. */
struct spec {
	const char *issuer, *assertion_issuer, *audience, *recipient, *destination, *request, *answers, *status, *name, *format, *attributes,
		*conditions, *statement;
	int         begins, ends, bearer_ends;     /* seconds from NOW */
	bool        sign_response, leave_assertion;   /* sign the response; do not sign the assertion */
	const char *method, *digest, *transform, *uri, *key;
	bool        no_bearer_end, no_request;
};

static const char *
or(const char *text, const char *fallback)
{
	return text != NULL ? text : fallback;
}

static const char *
when(int seconds)
{
	char text[25];

	time_format((NOW + seconds) * 1000LL, text);
	return arena_strdup(arena, text);
}

static const char *
signature_of(const struct spec *s, const char *id)
{
	return arena_printf(arena, "<ds:Signature xmlns:ds=\"" DSIG_NS "\"><ds:SignedInfo><ds:CanonicalizationMethod "
	    "Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"/><ds:SignatureMethod Algorithm=\"%s\"/><ds:Reference URI=\"%s\">"
	    "<ds:Transforms><ds:Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\"/>"
	    "<ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"/>%s</ds:Transforms><ds:DigestMethod Algorithm=\"%s\"/>"
	    "<ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/><ds:KeyInfo><ds:X509Data/></ds:KeyInfo></ds:Signature>",
	    or(s->method, RSA_SHA256), or(s->uri, arena_printf(arena, "#%s", id)), or(s->transform, ""), or(s->digest, SHA256));
}

static const char *
bearer_of(const struct spec *s)
{
	return arena_printf(arena, "<saml:SubjectConfirmation Method=\"urn:oasis:names:tc:SAML:2.0:cm:bearer\"><saml:SubjectConfirmationData "
	    "%s Recipient=\"%s\" %s/></saml:SubjectConfirmation>",
	    s->no_bearer_end ? "" : arena_printf(arena, "NotOnOrAfter=\"%s\"", when(s->bearer_ends != 0 ? s->bearer_ends : 5 * MINUTE)),
	    or(s->recipient, ACS), s->no_request ? "" : arena_printf(arena, "InResponseTo=\"%s\"", or(s->request, "ocn_1")));
}

static const char *
conditions_of(const struct spec *s)
{
	return arena_printf(arena, "<saml:Conditions NotBefore=\"%s\" NotOnOrAfter=\"%s\">%s%s</saml:Conditions>",
	    when(s->begins), when(s->ends != 0 ? s->ends : 5 * MINUTE), or(s->conditions, ""), s->audience != NULL && *s->audience == '\0' ? "" :
	    arena_printf(arena, "<saml:AudienceRestriction><saml:Audience>%s</saml:Audience></saml:AudienceRestriction>", or(s->audience, SELF)));
}

static const char *
assertion_of(const struct spec *s)
{
	return arena_printf(arena, "<saml:Assertion ID=\"a1\" Version=\"2.0\" IssueInstant=\"%s\"><saml:Issuer>%s</saml:Issuer>%s<saml:Subject>"
	    "<saml:NameID Format=\"%s\">%s</saml:NameID>%s</saml:Subject>%s%s%s</saml:Assertion>",
	    when(0), or(s->assertion_issuer, or(s->issuer, IDP)), s->leave_assertion ? "" : signature_of(s, "a1"),
	    or(s->format, "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"), or(s->name, "ada-7"), bearer_of(s), conditions_of(s),
	    or(s->statement, arena_printf(arena, "<saml:AuthnStatement AuthnInstant=\"%s\"><saml:AuthnContext><saml:AuthnContextClassRef>"
	    "urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>", when(0))),
	    or(s->attributes, ""));
}

static const char *
response_of(const struct spec *s)
{
	const char *destination = s->destination != NULL && *s->destination == '\0' ? "" :
	    arena_printf(arena, "Destination=\"%s\"", or(s->destination, ACS));
	const char *answers = s->no_request ? "" : arena_printf(arena, "InResponseTo=\"%s\"", or(s->answers, or(s->request, "ocn_1")));

	return arena_printf(arena, "<samlp:Response xmlns:samlp=\"" SAMLP_NS "\" xmlns:saml=\"" SAML_NS "\" ID=\"r1\" Version=\"2.0\" "
	    "IssueInstant=\"%s\" %s %s><saml:Issuer>%s</saml:Issuer>%s<samlp:Status>%s</samlp:Status>%s</samlp:Response>",
	    when(0), destination, answers, or(s->issuer, IDP), s->sign_response ? signature_of(s, "r1") : "",
	    or(s->status, "<samlp:StatusCode Value=\"urn:oasis:names:tc:SAML:2.0:status:Success\"/>"), assertion_of(s));
}

/* ---- documents ---- */

static xmlNode *
find(xmlDoc *doc, const char *path)
{
	xmlXPathContext *c = xmlXPathNewContext(doc);
	xmlXPathObject *found;
	xmlNode *n;

	xmlXPathRegisterNs(c, (const xmlChar *)"saml", (const xmlChar *)SAML_NS);
	xmlXPathRegisterNs(c, (const xmlChar *)"samlp", (const xmlChar *)SAMLP_NS);
	xmlXPathRegisterNs(c, (const xmlChar *)"ds", (const xmlChar *)DSIG_NS);
	found = xmlXPathEvalExpression((const xmlChar *)path, c);
	n = found->nodesetval != NULL && found->nodesetval->nodeNr > 0 ? found->nodesetval->nodeTab[0] : NULL;
	xmlXPathFreeObject(found);
	xmlXPathFreeContext(c);
	return n;
}

static void
sign_node(xmlNode *signature, const char *key)
{
	xmlSecDSigCtx *ctx = xmlSecDSigCtxCreate(NULL);
	char *path = arena_printf(arena, "tests/fixtures/saml/%s", key);

	ctx->signKey = xmlSecCryptoAppKeyLoad(path, xmlSecKeyDataFormatPem, NULL, NULL, NULL);
	assert_non_null(ctx->signKey);
	xmlSecCryptoAppKeyCertLoad(ctx->signKey, arena_printf(arena, "%.*s.pem", (int)(strlen(path) - 4), path), xmlSecKeyDataFormatPem);
	assert_int_equal(xmlSecDSigCtxSign(ctx, signature), 0);
	xmlSecDSigCtxDestroy(ctx);
}

static xmlDoc *
parse(const char *text)
{
	xmlDoc *doc = xmlReadMemory(text, (int)strlen(text), NULL, NULL, 0);
	const xmlChar *ids[] = { (const xmlChar *)"ID", NULL };

	assert_non_null(doc);
	xmlSecAddIDs(doc, xmlDocGetRootElement(doc), ids);
	return doc;
}

/* The signed document; the inner signature first, which the outer one covers. */
static xmlDoc *
make(const struct spec *s)
{
	xmlDoc *doc = parse(response_of(s));

	if (!s->leave_assertion)
		sign_node(find(doc, "/samlp:Response/saml:Assertion/ds:Signature"), or(s->key, "idp.key"));
	if (s->sign_response)
		sign_node(find(doc, "/samlp:Response/ds:Signature"), or(s->key, "idp.key"));
	return doc;
}

static const char *
print(xmlDoc *doc)
{
	xmlChar *text;
	int n;
	const char *out;

	xmlDocDumpMemory(doc, &text, &n);
	out = arena_strndup(arena, (const char *)text, (size_t)n);
	xmlFree(text);
	xmlFreeDoc(doc);
	return out;
}

/* ---- reading ---- */

/* The base64 of a certificate of tests/fixtures/saml. */
static const char *
certificate(const char *name)
{
	const char *text, *begin, *end;
	struct str s;

	assert_true(file_read(arena, arena_printf(arena, "tests/fixtures/saml/%s", name), &s));
	text = arena_strndup(arena, s.p, s.n);
	begin = strchr(text, '\n');
	end = strstr(text, "\n-----END");
	return arena_strndup(arena, begin, (size_t)(end - begin));
}

static struct saml_run
new_run(void)
{
	return (struct saml_run){ .arena = arena, .self = SELF, .acs = ACS, .entity = IDP, .sso = "https://idp.example.com/sso?a=b&c=d",
		.certificates = { certificate("idp.pem") }, .now = NOW * 1000LL,
		.service = "<EntityDescriptor xmlns=\"urn:oasis:names:tc:SAML:2.0:metadata\" entityID=\"" SELF "\"><SPSSODescriptor "
		"protocolSupportEnumeration=\"urn:oasis:names:tc:SAML:2.0:protocol\"><AssertionConsumerService index=\"0\" isDefault=\"true\" "
		"Binding=\"urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST\" Location=\"" ACS "\"/></SPSSODescriptor></EntityDescriptor>" };
}

static bool
read_text(struct saml_run *run, const char *xml, struct saml_person *who)
{
	xmlChar *base64 = xmlSecBase64Encode((const xmlChar *)xml, (xmlSecSize)strlen(xml), 76);
	bool good = saml_read_response(run, (const char *)base64, who);

	xmlFree(base64);
	return good;
}

static void
accept(const struct spec *s)
{
	struct saml_run run = new_run();
	struct saml_person who;

	if (!read_text(&run, print(make(s)), &who))
		fail_msg("refused: %s", run.message);
}

static void
refuse_text(const char *xml, const char *message)
{
	struct saml_run run = new_run();
	struct saml_person who;

	if (read_text(&run, xml, &who))
		fail_msg("accepted, but should say: %s", message);
	assert_int_equal(run.failure, SAML_REFUSED);
	if (strstr(run.message, message) == NULL)
		fail_msg("says \"%s\" instead of \"%s\"", run.message, message);
}

static void
refuse(const struct spec *s, const char *message)
{
	refuse_text(print(make(s)), message);
}

/* ---- tests ---- */

static void
a_person_is_read(void **state)
{
	struct saml_run run = new_run();
	struct saml_person who;

	(void)state;
	assert_true(read_text(&run, print(make(&(struct spec){ .attributes = "<saml:AttributeStatement><saml:Attribute Name=\"x\">"
	    "<saml:AttributeValue>y</saml:AttributeValue></saml:Attribute><saml:Attribute Name=\"urn:oid:0.9.2342.19200300.100.1.3\">"
	    "<saml:AttributeValue>ada@example.com</saml:AttributeValue><saml:AttributeValue>b@example.com</saml:AttributeValue></saml:Attribute>"
	    "<saml:Attribute Name=\"givenName\"><saml:AttributeValue>Ada</saml:AttributeValue></saml:Attribute><saml:Attribute Name=\"sn\">"
	    "<saml:AttributeValue>Lovelace &amp; Co</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>" })), &who));
	assert_string_equal(who.subject, "ada-7");
	assert_string_equal(who.email, "ada@example.com");
	assert_string_equal(who.name, "Ada Lovelace & Co");
	assert_string_equal(who.request, "ocn_1");
	assert_string_equal(who.assertion, "a1");
	assert_int_equal(who.ends_at, NOW * 1000LL + 5 * MINUTE * 1000 + SAML_SKEW_MS);
	run = new_run();
	assert_true(read_text(&run, print(make(&(struct spec){ .name = "bob@example.com",
	    .format = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress" })), &who));
	assert_string_equal(who.subject, "bob@example.com");
	assert_string_equal(who.email, "bob@example.com");
	assert_null(who.name);
}

static void
a_signature_of_either_element_or_both_is_enough(void **state)
{
	(void)state;
	accept(&(struct spec){ 0 });
	accept(&(struct spec){ .sign_response = true });
	accept(&(struct spec){ .sign_response = true, .leave_assertion = true });
	accept(&(struct spec){ .method = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512", .digest = "http://www.w3.org/2001/04/xmlenc#sha512" });
	/* Only a signed response must name its destination. */
	accept(&(struct spec){ .destination = "" });
	refuse(&(struct spec){ .destination = "", .sign_response = true }, "is for another address");
	refuse(&(struct spec){ .leave_assertion = true }, "is not signed");
}

static void
both_certificates_of_a_rotation_count(void **state)
{
	const char *old = print(make(&(struct spec){ 0 })), *next = print(make(&(struct spec){ .key = "next.key" }));
	struct saml_run run = new_run();
	struct saml_person who;

	(void)state;
	run.certificates[1] = certificate("next.pem");
	assert_true(read_text(&run, old, &who));
	assert_true(read_text(&run, next, &who));
	assert_false(read_text(&run, print(make(&(struct spec){ .key = "stranger.key" })), &who));
	run = new_run();
	run.certificates[0] = certificate("next.pem");
	assert_true(read_text(&run, next, &who));
	assert_false(read_text(&run, old, &who));
}

static void
a_key_inside_the_message_is_not_used(void **state)
{
	xmlDoc *doc = make(&(struct spec){ .key = "stranger.key" });

	(void)state;
	/* The certificate that signed is in it. */
	assert_non_null(find(doc, "//ds:X509Certificate"));
	refuse_text(print(doc), "does not fit the certificate");
	refuse(&(struct spec){ .key = "stranger.key", .sign_response = true, .leave_assertion = true }, "does not fit the certificate");
}

static void
weak_algorithms_are_refused(void **state)
{
	static const char *const methods[] = { "http://www.w3.org/2000/09/xmldsig#rsa-sha1", "http://www.w3.org/2001/04/xmldsig-more#rsa-md5",
		"http://www.w3.org/2000/09/xmldsig#hmac-sha1", "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256", "none", "" };
	char *text;

	(void)state;
	refuse(&(struct spec){ .method = methods[0] }, "signs by an algorithm that is not accepted (http://www.w3.org/2000/09/xmldsig#rsa-sha1)");
	refuse(&(struct spec){ .digest = "http://www.w3.org/2000/09/xmldsig#sha1" }, "hashes by an algorithm that is not accepted");
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		xmlDoc *doc = make(&(struct spec){ 0 });

		xmlSetProp(find(doc, "//ds:SignatureMethod"), (const xmlChar *)"Algorithm", (const xmlChar *)methods[i]);
		refuse_text(print(doc), "signs by an algorithm");
	}
	/* A signature without a value, and one that is no signature. */
	text = arena_strdup(arena, print(make(&(struct spec){ 0 })));
	strstr(text, "SignatureValue>")[20] ^= 1;
	refuse_text(text, "does not fit the certificate");
}

static void
a_changed_byte_is_noticed(void **state)
{
	char *text = arena_strdup(arena, print(make(&(struct spec){ 0 })));

	(void)state;
	memcpy(strstr(text, "ada-7"), "eve-7", 5);
	refuse_text(text, "does not fit the certificate");
	text = arena_strdup(arena, print(make(&(struct spec){ .sign_response = true, .leave_assertion = true })));
	memcpy(strstr(text, "ada-7"), "eve-7", 5);
	refuse_text(text, "does not fit the certificate");
}

/* ---- wrapping: Somorovsky and others, "On Breaking SAML", 2012 ---- */

static void
set_text(xmlNode *n, const char *text)
{
	xmlNodeSetContent(n, (const xmlChar *)text);
}

static void
set_id(xmlNode *n, const char *id)
{
	xmlSetProp(n, (const xmlChar *)"ID", (const xmlChar *)id);
}

static xmlNode *
signature_in(xmlNode *n)
{
	return saml_child(n, DSIG_NS, "Signature");
}

/* A copy without its signature. */
static xmlNode *
bare_copy(xmlDoc *doc, xmlNode *n)
{
	xmlNode *copy = xmlDocCopyNode(n, doc, 1), *s = signature_in(copy);

	if (s != NULL) {
		xmlUnlinkNode(s);
		xmlFreeNode(s);
	}
	return copy;
}

/* What the attacker wants to be read, under another ID. */
static void
make_evil(xmlNode *assertion)
{
	set_id(assertion, "evil");
	set_text(saml_child(saml_child(assertion, SAML_NS, "Subject"), SAML_NS, "NameID"), "admin");
}

/* XSW1 and XSW2: the signed response becomes part of another one, in its signature or beside it. */
static xmlDoc *
wrap_response(bool inside)
{
	xmlDoc *doc = make(&(struct spec){ .sign_response = true, .leave_assertion = true });
	xmlNode *root = xmlDocGetRootElement(doc), *old = bare_copy(doc, root), *signature = signature_in(root);

	set_id(root, "r2");
	make_evil(saml_child(root, SAML_NS, "Assertion"));
	if (inside)
		xmlAddChild(signature, old);
	else
		xmlAddPrevSibling(signature, old);
	return doc;
}

/* XSW3 to XSW8: the signed assertion is kept at a place where only the verifier finds it. */
static xmlDoc *
wrap_assertion(int kind)
{
	xmlDoc *doc = make(&(struct spec){ 0 });
	xmlNode *root = xmlDocGetRootElement(doc), *old = saml_child(root, SAML_NS, "Assertion"), *evil = bare_copy(doc, old), *place;
	xmlNode *signature = signature_in(old);

	make_evil(evil);
	switch (kind) {
	case 3:   /* before the original */
		xmlAddPrevSibling(old, evil);
		break;
	case 4:   /* the original inside it */
		xmlAddPrevSibling(old, evil);
		xmlUnlinkNode(old);
		xmlAddChild(evil, old);
		break;
	case 5:   /* the signature in it, the original at the end */
	case 6:   /* the original in the signature in it */
		xmlAddPrevSibling(old, evil);
		xmlUnlinkNode(signature);
		xmlAddNextSibling(evil->children, signature);
		xmlUnlinkNode(old);
		xmlAddChild(kind == 5 ? root : signature, old);
		break;
	case 7:   /* in Extensions, before the original */
		place = xmlNewNode(root->ns, (const xmlChar *)"Extensions");
		xmlAddPrevSibling(old, place);
		xmlAddChild(place, evil);
		break;
	default:  /* the original in an Object of the signature */
		xmlAddPrevSibling(old, evil);
		xmlUnlinkNode(signature);
		xmlAddNextSibling(evil->children, signature);
		place = xmlNewChild(signature, signature->ns, (const xmlChar *)"Object", NULL);
		xmlUnlinkNode(old);
		xmlAddChild(place, old);
	}
	return doc;
}

static void
wrapped_signatures_are_refused(void **state)
{
	(void)state;
	refuse_text(print(wrap_response(true)), "contains another response");    /* XSW1 */
	refuse_text(print(wrap_response(false)), "contains another response");   /* XSW2 */
	for (int kind = 3; kind <= 8; kind++)
		refuse_text(print(wrap_assertion(kind)), kind == 7 ? "is not where it belongs" : "has two assertions");
}

/* The same with the ID of the original, so that a look-up by ID finds either of the two. */
static void
one_id_is_of_one_element(void **state)
{
	xmlDoc *doc = make(&(struct spec){ 0 });
	xmlNode *status = find(doc, "//samlp:Status");

	(void)state;
	set_id(status, "a1");
	refuse_text(print(doc), "have the same ID");
	doc = make(&(struct spec){ 0 });
	xmlSetProp(find(doc, "//samlp:Status"), (const xmlChar *)"Id", (const xmlChar *)"r1");
	refuse_text(print(doc), "have the same ID");
	doc = make(&(struct spec){ 0 });
	xmlSetProp(find(doc, "//samlp:Status"), (const xmlChar *)"xml:id", (const xmlChar *)"a1");
	refuse_text(print(doc), "have the same ID");
}

static void
a_signature_covers_the_element_that_contains_it(void **state)
{
	xmlDoc *doc;
	xmlNode *n;

	(void)state;
	/* Of the assertion, but in the response. */
	doc = make(&(struct spec){ 0 });
	n = find(doc, "//ds:Signature");
	xmlUnlinkNode(n);
	xmlAddNextSibling(saml_child(xmlDocGetRootElement(doc), SAML_NS, "Issuer"), n);
	refuse_text(print(doc), "covers another element");
	/* Elsewhere. */
	doc = make(&(struct spec){ 0 });
	n = find(doc, "//ds:Signature");
	xmlUnlinkNode(n);
	xmlAddChild(find(doc, "//saml:Subject"), n);
	refuse_text(print(doc), "signature of the provider's response is not where it belongs");
	/* The whole document, or nothing. */
	refuse(&(struct spec){ .uri = "", .sign_response = true, .leave_assertion = true }, "covers another element");
	/* Two of them, and two references. */
	doc = make(&(struct spec){ 0 });
	n = find(doc, "//ds:Signature");
	xmlAddNextSibling(n, xmlDocCopyNode(n, doc, 1));
	refuse_text(print(doc), "two signatures");
	doc = make(&(struct spec){ 0 });
	n = find(doc, "//ds:Reference");
	xmlAddNextSibling(n, xmlDocCopyNode(n, doc, 1));
	refuse_text(print(doc), "covers more than one element");
	/* A transform that leaves something out. */
	refuse(&(struct spec){ .transform = "<ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xpath-19991116\"><ds:XPath>true()</ds:XPath>"
	    "</ds:Transform>" }, "a transform that is not accepted");
}

/* ---- documents that are read in two ways ---- */

static const char *
with(const char *mark, const char *text)
{
	const char *xml = print(make(&(struct spec){ 0 })), *at = strstr(xml, mark);

	assert_non_null(at);
	return arena_printf(arena, "%.*s%s%s", (int)(at - xml), xml, text, at);
}

static void
texts_are_whole(void **state)
{
	(void)state;
	/* The signature does not cover comments, and a reader may stop at one. */
	refuse_text(with("-7</saml:NameID>", "<!-- -->"), "has a comment");
	refuse_text(with("<samlp:Response", "<!-- -->"), "has a comment");
	refuse_text(with("-7</saml:NameID>", "<?x y?>"), "has more than elements and texts");
	refuse_text(with("-7</saml:NameID>", "<![CDATA[x]]>"), "has more than elements and texts");
	refuse(&(struct spec){ .name = "<![CDATA[ada]]>" }, "has more than elements and texts");
	/* Characters that are written by their numbers are the same characters. */
	accept(&(struct spec){ .name = "ad&#97;-7" });
}

static void
documents_define_nothing(void **state)
{
	const char *xml = print(make(&(struct spec){ 0 })), *root = strstr(xml, "<samlp:Response");

	(void)state;
	refuse_text(arena_printf(arena, "<!DOCTYPE x>%s", root), "has a DOCTYPE");
	refuse_text(arena_printf(arena, "<!DOCTYPE x SYSTEM \"file:///etc/passwd\">%s", root), "has a DOCTYPE");
	refuse_text(arena_printf(arena, "<!DOCTYPE x [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;&a;&a;\">]>%s", root), "has a DOCTYPE");
	refuse_text(with("-7</saml:NameID>", "&undefined;"), "is no XML");
	refuse_text(arena_printf(arena, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>%s", root), "is not UTF-8");
	refuse_text("", "is empty");
	refuse_text("<a/>", "no response of SAML 2.0");
	refuse_text(root + 1, "is no XML");
	refuse_text("<samlp:Response xmlns:samlp=\"urn:oasis:names:tc:SAML:1.0:protocol\"/>", "no response of SAML 2.0");
}

static void
large_and_deep_documents_are_refused(void **state)
{
	struct saml_run run = new_run();
	struct saml_person who;
	struct buf b;

	(void)state;
	buf_init(&b, arena, 1 << 20);
	buf_str(&b, "<samlp:Response xmlns:samlp=\"" SAMLP_NS "\">");
	for (int i = 0; i < 100; i++)
		buf_str(&b, "<a>");
	for (int i = 0; i < 100; i++)
		buf_str(&b, "</a>");
	buf_str(&b, "</samlp:Response>");
	buf_char(&b, '\0');
	refuse_text(b.p, "is nested more than");
	buf_init(&b, arena, 1 << 20);
	while (b.n < SAML_MOST)
		buf_str(&b, "                ");
	buf_str(&b, print(make(&(struct spec){ 0 })));
	buf_char(&b, '\0');
	refuse_text(b.p, "has more than 96 kB");
	assert_false(saml_read_response(&run, "!", &who));
	assert_string_equal(run.message, "what the provider sent is not base64");
}

static void
encrypted_parts_are_refused(void **state)
{
	static const char cbc[] = "<saml:EncryptedAssertion><xenc:EncryptedData xmlns:xenc=\"http://www.w3.org/2001/04/xmlenc#\">"
	    "<xenc:EncryptionMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#aes128-cbc\"/><xenc:CipherData><xenc:CipherValue>%s"
	    "</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData></saml:EncryptedAssertion>";
	static const char *const texts[] = { "", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE=" };

	(void)state;
	refuse_text(with("<saml:Assertion", "<saml:EncryptedAssertion/>"), "encrypts its response, which Octavo does not read");
	refuse_text(with("<saml:NameID", "<saml:EncryptedID/>"), "encrypts its response, which Octavo does not read");
	/* Nothing is decrypted, so no answer says whether the padding of a text in CBC is right. */
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		refuse_text(with("<saml:Assertion", arena_printf(arena, cbc, texts[i])), "encrypts its response, which Octavo does not read");
		refuse_text(with("</saml:Assertion", arena_printf(arena, "<saml:AttributeStatement><saml:EncryptedAttribute>%s</saml:EncryptedAttribute>"
		    "</saml:AttributeStatement>", texts[i])), "encrypts its response, which Octavo does not read");
	}
}

/* ---- what it says ---- */

static void
it_is_of_this_provider_and_for_this_service(void **state)
{
	(void)state;
	refuse(&(struct spec){ .issuer = "https://evil.example" }, "is of the provider \"https://evil.example\"");
	refuse(&(struct spec){ .assertion_issuer = "https://evil.example" }, "certificate of the settings");
	refuse(&(struct spec){ .assertion_issuer = "https://evil.example", .sign_response = true }, "certificate of the settings");
	refuse(&(struct spec){ .audience = "https://other.example" }, "is for another service: set the audience");
	refuse(&(struct spec){ .audience = SELF "/" }, "is for another service");
	refuse(&(struct spec){ .audience = "" }, "names no audience");
	refuse(&(struct spec){ .conditions = "<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction>" },
	    "is for another service");
	refuse(&(struct spec){ .conditions = "<saml:Condition/>" }, "a condition that Octavo does not know");
	refuse(&(struct spec){ .recipient = "https://other.example/acs" }, "is for another recipient");
	refuse(&(struct spec){ .destination = "https://other.example/acs" }, "is for another address");
	refuse(&(struct spec){ .statement = "" }, "does not say that you have signed in");
	refuse(&(struct spec){ .name = " " }, "does not name you");
	refuse(&(struct spec){ .format = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient" }, "a transient NameID");
}

static void
clocks_may_differ_by_two_minutes(void **state)
{
	(void)state;
	accept(&(struct spec){ .begins = 2 * MINUTE });
	refuse(&(struct spec){ .begins = 2 * MINUTE + 1 }, "is not valid yet");
	accept(&(struct spec){ .ends = -2 * MINUTE + 1, .begins = -5 * MINUTE });
	refuse(&(struct spec){ .ends = -2 * MINUTE, .begins = -5 * MINUTE }, "has expired");
	refuse(&(struct spec){ .bearer_ends = -2 * MINUTE }, "has expired");
	refuse(&(struct spec){ .no_bearer_end = true }, "does not expire");
	refuse(&(struct spec){ .statement = arena_printf(arena, "<saml:AuthnStatement SessionNotOnOrAfter=\"%s\"/>", when(-3 * MINUTE)) },
	    "your session at the provider has expired");
	refuse(&(struct spec){ .statement = "<saml:AuthnStatement SessionNotOnOrAfter=\"tomorrow\"/>" }, "is no time");
}

static void
it_answers_a_request(void **state)
{
	(void)state;
	refuse(&(struct spec){ .no_request = true }, "this sign-in began at the provider, which is not accepted");
	refuse(&(struct spec){ .request = "ocn_2", .answers = "ocn_1" }, "answer two requests");
	refuse(&(struct spec){ .status = "<samlp:StatusCode Value=\"urn:oasis:names:tc:SAML:2.0:status:Responder\"><samlp:StatusCode "
	    "Value=\"urn:oasis:names:tc:SAML:2.0:status:AuthnFailed\"/></samlp:StatusCode>" }, "did not sign you in (Responder, AuthnFailed)");
	refuse(&(struct spec){ .status = "<samlp:StatusCode Value=\"x:&lt;b>\"/>" }, "did not sign you in (no code)");
}

static void
a_request_is_made(void **state)
{
	struct saml_run run = new_run();
	char *url = saml_request_url(&run, "ocn_abc", "ocf_x&y");

	(void)state;
	if (url == NULL)
		fail_msg("%s", run.message);
	assert_true(str_starts(str_of(url), "https://idp.example.com/sso?a=b&c=d&SAMLRequest="));
	assert_non_null(strstr(url, "RelayState=ocf_x%26y"));
	assert_null(strstr(url, "Signature="));
	run = new_run();
	run.certificates[0] = "AAAA";
	assert_null(saml_request_url(&run, "ocn_abc", "x"));
	assert_int_equal(run.failure, SAML_SETUP);
}

static int
group_start(void **state)
{
	(void)state;
	arena = arena_new(256 << 20);
	return saml_start() ? 0 : -1;
}

static int
group_stop(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_person_is_read),
		cmocka_unit_test(a_signature_of_either_element_or_both_is_enough),
		cmocka_unit_test(both_certificates_of_a_rotation_count),
		cmocka_unit_test(a_key_inside_the_message_is_not_used),
		cmocka_unit_test(weak_algorithms_are_refused),
		cmocka_unit_test(a_changed_byte_is_noticed),
		cmocka_unit_test(wrapped_signatures_are_refused),
		cmocka_unit_test(one_id_is_of_one_element),
		cmocka_unit_test(a_signature_covers_the_element_that_contains_it),
		cmocka_unit_test(texts_are_whole),
		cmocka_unit_test(documents_define_nothing),
		cmocka_unit_test(large_and_deep_documents_are_refused),
		cmocka_unit_test(encrypted_parts_are_refused),
		cmocka_unit_test(it_is_of_this_provider_and_for_this_service),
		cmocka_unit_test(clocks_may_differ_by_two_minutes),
		cmocka_unit_test(it_answers_a_request),
		cmocka_unit_test(a_request_is_made),
	};

	return cmocka_run_group_tests(tests, group_start, group_stop);
}
