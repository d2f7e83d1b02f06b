/* Refuses documents that a signature would not protect. Contract: saml/structure.h. */
#include <libxml/parser.h>
#include <string.h>

#include "base/map.h"
#include "saml/structure.h"

/* LEVELS_MOST: deepest nesting; responses of providers have a dozen. */
enum { LEVELS_MOST = 60, IDS_MOST = 1000 };

/* What check_nodes() has found in the document so far. */
struct findings {
	xmlNode    *root, *assertion;
	const char *ids[IDS_MOST];
	size_t      id_count;
	int         assertions, signatures;
};

static bool
is_element(const xmlNode *n, const char *ns, const char *name)
{
	return n->type == XML_ELEMENT_NODE && n->ns != NULL && strcmp((const char *)n->ns->href, ns) == 0 &&
	    strcmp((const char *)n->name, name) == 0;
}

/* The first element of this name from n on, among its siblings; NULL: none. */
static xmlNode *
first_element(xmlNode *n, const char *ns, const char *name)
{
	while (n != NULL && !is_element(n, ns, name))
		n = n->next;
	return n;
}

xmlNode *
saml_child(const xmlNode *parent, const char *ns, const char *name)
{
	return parent == NULL ? NULL : first_element(parent->children, ns, name);
}

xmlNode *
saml_next(const xmlNode *node)
{
	return first_element(node->next, (const char *)node->ns->href, (const char *)node->name);
}

static const char *
take_text(struct saml_run *run, xmlChar *text)
{
	struct str s = str_trim(str_of(text != NULL ? (const char *)text : ""));
	char *out = arena_strndup(run->arena, s.p, s.n);

	xmlFree(text);
	return out;
}

const char *
saml_text(struct saml_run *run, const xmlNode *node)
{
	return node == NULL ? "" : take_text(run, xmlNodeGetContent(node));
}

const char *
saml_attribute(struct saml_run *run, const xmlNode *node, const char *name)
{
	xmlChar *text = node == NULL ? NULL : xmlGetNoNsProp(node, (const xmlChar *)name);

	return text == NULL ? NULL : take_text(run, text);
}

/* ---- the whole document ---- */

static bool
add_id(struct saml_run *run, struct findings *f, const char *id)
{
	for (size_t i = 0; i < f->id_count; i++)
		if (strcmp(f->ids[i], id) == 0)
			return saml_fail(run, SAML_REFUSED, "two elements of the provider's response have the same ID");
	if (f->id_count == IDS_MOST)
		return saml_fail(run, SAML_REFUSED, "the provider's response has more than %d IDs", IDS_MOST);
	f->ids[f->id_count++] = id;
	return true;
}

/* Records attributes that any program may take for an id, whatever their namespace. */
static bool
add_ids(struct saml_run *run, struct findings *f, const xmlNode *n)
{
	for (xmlAttr *a = n->properties; a != NULL; a = a->next)
		if (xmlStrcasecmp(a->name, (const xmlChar *)"ID") == 0 &&
		    !add_id(run, f, take_text(run, xmlNodeListGetString(n->doc, a->children, 1))))
			return false;
	return true;
}

static bool
check_element(struct saml_run *run, struct findings *f, xmlNode *n)
{
	const char *name = (const char *)n->name;

	if (strncmp(name, "Encrypted", 9) == 0)
		return saml_fail(run, SAML_REFUSED, "the provider encrypts its response, which Octavo does not read: turn off the encryption "
		    "of assertions there");
	if (strcmp(name, "Response") == 0 && n != f->root)
		return saml_fail(run, SAML_REFUSED, "the provider's response contains another response");
	if (strcmp(name, "Assertion") == 0) {
		if (f->assertion != NULL)
			return saml_fail(run, SAML_REFUSED, "the provider's response has two assertions");
		if (n->parent != f->root || !is_element(n, SAML_NS, "Assertion"))
			return saml_fail(run, SAML_REFUSED, "the assertion of the provider's response is not where it belongs");
		f->assertion = n;
	}
	if (strcmp(name, "Signature") == 0) {
		if (!is_element(n, DSIG_NS, "Signature") || (n->parent != f->root && n->parent != f->assertion))
			return saml_fail(run, SAML_REFUSED, "a signature of the provider's response is not where it belongs");
		f->signatures++;
	}
	return add_ids(run, f, n);
}

static bool
check_node(struct saml_run *run, struct findings *f, xmlNode *n)
{
	switch (n->type) {
	case XML_ELEMENT_NODE:
		return check_element(run, f, n);
	case XML_TEXT_NODE:
		return true;
	case XML_COMMENT_NODE:
		return saml_fail(run, SAML_REFUSED, "the provider's response has a comment");
	default:
		return saml_fail(run, SAML_REFUSED, "the provider's response has more than elements and texts (an entity, CDATA, or an instruction)");
	}
}

/* Checks all nodes in the order of the document, without recursion. */
static bool
check_nodes(struct saml_run *run, struct findings *f, xmlDoc *doc)
{
	xmlNode *n = doc->children;
	int level = 0;

	while (n != NULL) {
		if (!check_node(run, f, n))
			return false;
		if (n->type == XML_ELEMENT_NODE && n->children != NULL) {
			if (++level > LEVELS_MOST)
				return saml_fail(run, SAML_REFUSED, "the provider's response is nested more than %d levels", LEVELS_MOST);
			n = n->children;
			continue;
		}
		while (n->next == NULL && n->parent != NULL && (void *)n->parent != (void *)doc) {
			n = n->parent;
			level--;
		}
		n = n->next;
	}
	return true;
}

/* ---- signatures ---- */

static bool
is_one_of(const char *text, const char *const *list)
{
	for (; text != NULL && *list != NULL; list++)
		if (strcmp(*list, text) == 0)
			return true;
	return false;
}

static bool
check_algorithms(struct saml_run *run, const xmlNode *info, const xmlNode *reference)
{
	static const char *const signs[] = { "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
		"http://www.w3.org/2001/04/xmldsig-more#rsa-sha384", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512", NULL };
	static const char *const digests[] = { "http://www.w3.org/2001/04/xmlenc#sha256",
		"http://www.w3.org/2001/04/xmldsig-more#sha384", "http://www.w3.org/2001/04/xmlenc#sha512", NULL };
	const char *sign = saml_attribute(run, saml_child(info, DSIG_NS, "SignatureMethod"), "Algorithm");
	const char *digest = saml_attribute(run, saml_child(reference, DSIG_NS, "DigestMethod"), "Algorithm");

	if (!is_one_of(sign, signs))
		return saml_fail(run, SAML_REFUSED, "the provider signs by an algorithm that is not accepted (%s): set RSA with SHA-256 there",
		    sign != NULL ? sign : "none");
	return is_one_of(digest, digests) || saml_fail(run, SAML_REFUSED,
	    "the provider hashes by an algorithm that is not accepted (%s): set SHA-256 there", digest != NULL ? digest : "none");
}

/* Other transforms could remove parts of the element before it is hashed (XPath, XSLT). */
static bool
check_transforms(struct saml_run *run, const xmlNode *reference)
{
	static const char *const known[] = { "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
		"http://www.w3.org/2001/10/xml-exc-c14n#", "http://www.w3.org/TR/2001/REC-xml-c14n-20010315", NULL };
	xmlNode *t = saml_child(saml_child(reference, DSIG_NS, "Transforms"), DSIG_NS, "Transform");

	for (; t != NULL; t = saml_next(t))
		if (!is_one_of(saml_attribute(run, t, "Algorithm"), known))
			return saml_fail(run, SAML_REFUSED, "a signature of the provider's response has a transform that is not accepted");
	return true;
}

/* A signature must cover the element that contains it, and nothing else. */
static bool
check_signature(struct saml_run *run, const xmlNode *signed_node)
{
	xmlNode *signature = saml_child(signed_node, DSIG_NS, "Signature"), *info, *reference;
	const char *id = saml_attribute(run, signed_node, "ID"), *uri;

	if (signature == NULL)
		return true;
	info = saml_child(signature, DSIG_NS, "SignedInfo");
	reference = saml_child(info, DSIG_NS, "Reference");
	uri = saml_attribute(run, reference, "URI");
	if (saml_next(signature) != NULL)
		return saml_fail(run, SAML_REFUSED, "an element of the provider's response has two signatures");
	if (info == NULL || saml_next(info) != NULL || reference == NULL || saml_next(reference) != NULL ||
	    saml_child(signature, DSIG_NS, "Object") != NULL)
		return saml_fail(run, SAML_REFUSED, "a signature of the provider's response covers more than one element");
	if (id == NULL || *id == '\0' || uri == NULL || *uri != '#' || strcmp(uri + 1, id) != 0)
		return saml_fail(run, SAML_REFUSED, "a signature of the provider's response covers another element than the one that contains it");
	return check_algorithms(run, info, reference) && check_transforms(run, reference);
}

/* ---- all of it ---- */

/* The last part of a status code, which is a URN, if it is a word. */
static const char *
short_code(struct saml_run *run, const xmlNode *code)
{
	const char *value = saml_attribute(run, code, "Value"), *last = value == NULL ? NULL : strrchr(value, ':');
	size_t n = last == NULL ? 0 : strspn(last + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

	return n > 0 && last[1 + n] == '\0' ? last + 1 : "no code";
}

/* Only a response with the status Success has an assertion. */
static bool
check_status(struct saml_run *run, const xmlNode *root)
{
	xmlNode *code = saml_child(saml_child(root, SAMLP_NS, "Status"), SAMLP_NS, "StatusCode");
	xmlNode *second = saml_child(code, SAMLP_NS, "StatusCode");
	const char *value = saml_attribute(run, code, "Value");

	if (value != NULL && strcmp(value, "urn:oasis:names:tc:SAML:2.0:status:Success") == 0)
		return true;
	return saml_fail(run, SAML_REFUSED, "the provider did not sign you in (%s%s%s)", short_code(run, code), second != NULL ? ", " : "",
	    second != NULL ? short_code(run, second) : "");
}

static bool
check_document(struct saml_run *run, xmlDoc *doc)
{
	struct findings *f = arena_alloc(run->arena, sizeof(*f));

	memset(f, 0, sizeof(*f));
	f->root = xmlDocGetRootElement(doc);
	if (doc->intSubset != NULL || doc->extSubset != NULL)
		return saml_fail(run, SAML_REFUSED, "the provider's response has a DOCTYPE");
	if (f->root == NULL || !is_element(f->root, SAMLP_NS, "Response"))
		return saml_fail(run, SAML_REFUSED, "what the provider sent is no response of SAML 2.0");
	if (!check_nodes(run, f, doc) || !check_status(run, f->root))
		return false;
	if (f->assertion == NULL)
		return saml_fail(run, SAML_REFUSED, "the provider's response has no assertion");
	if (f->signatures == 0)
		return saml_fail(run, SAML_REFUSED, "the provider's response is not signed");
	return check_signature(run, f->root) && check_signature(run, f->assertion);
}

/*
 * Checks the bytes before the parser reads them: a DOCTYPE can define entities that grow without
 * end, and a text in another encoding than UTF-8 could hide a DOCTYPE.
 */
static bool
check_bytes(struct saml_run *run, struct str bytes)
{
	if (bytes.n == 0 || bytes.n > SAML_MOST)
		return saml_fail(run, SAML_REFUSED, "the provider's response is empty, or has more than %d kB", SAML_MOST >> 10);
	if (memchr(bytes.p, '\0', bytes.n) != NULL)
		return saml_fail(run, SAML_REFUSED, "the provider's response is not UTF-8");
	if (memmem(bytes.p, bytes.n, "<!DOCTYPE", 9) != NULL || memmem(bytes.p, bytes.n, "<!ENTITY", 8) != NULL)
		return saml_fail(run, SAML_REFUSED, "the provider's response has a DOCTYPE");
	return true;
}

xmlDoc *
saml_parse(struct saml_run *run, struct str bytes)
{
	xmlDoc *doc = !check_bytes(run, bytes) ? NULL :
	    xmlReadMemory(bytes.p, (int)bytes.n, NULL, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);

	if (doc == NULL) {
		saml_fail(run, SAML_REFUSED, "what the provider sent is no XML");
		return NULL;
	}
	if (doc->encoding != NULL && xmlStrcasecmp(doc->encoding, (const xmlChar *)"UTF-8") != 0)
		saml_fail(run, SAML_REFUSED, "the provider's response is not UTF-8");
	else if (check_document(run, doc))
		return doc;
	xmlFreeDoc(doc);
	return NULL;
}
