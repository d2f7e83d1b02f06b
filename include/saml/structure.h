/*
 * Refuses documents that a signature would not protect (docs/design/security.md, "S16"), before
 * lasso sees them. An accepted document contains one Response and in it one Assertion, no id twice,
 * and in each of the two elements at most one signature, which covers exactly that element and uses
 * a secure algorithm. It consists only of elements and text: comments and CDATA sections could
 * divide a text so that two programs read different values.
 */
#ifndef OCTAVO_SAML_STRUCTURE_H
#define OCTAVO_SAML_STRUCTURE_H

#include <libxml/tree.h>

#include "saml/run.h"

#define SAML_NS  "urn:oasis:names:tc:SAML:2.0:assertion"
#define SAMLP_NS "urn:oasis:names:tc:SAML:2.0:protocol"
#define DSIG_NS  "http://www.w3.org/2000/09/xmldsig#"

/* Parses the bytes of a response; xmlFreeDoc() frees it. NULL after saml_fail(). */
xmlDoc *saml_parse(struct saml_run *run, struct str bytes);

/* The first child, or the next sibling of one, with this name; NULL: none. */
xmlNode *saml_child(const xmlNode *parent, const char *ns, const char *name);
xmlNode *saml_next(const xmlNode *node);

/*
 * saml_text() returns the text of an element without white space around it, "" for NULL.
 * saml_attribute() returns the value of an attribute; NULL: there is none.
 */
const char *saml_text(struct saml_run *run, const xmlNode *node);
const char *saml_attribute(struct saml_run *run, const xmlNode *node, const char *name);

#endif
