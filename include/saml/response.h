/*
 * Reads a response that a browser brought from the provider (SAML Core 2.0; Profiles 2.0, section
 * 4.1.4.3).
 *
 * lasso verifies the signature of the response, or of the assertion, by the certificates of the settings; keys
 * inside the message are not used. Everything is then read from the element that was verified. The issuer must be
 * the provider, the audience and the recipient this service, and the times must fit, with SAML_SKEW_MS for clocks
 * that differ. A response to no request is refused: the caller compares `request` with the one that it sent,
 * and remembers `assertion` until ends_at, so that it counts once.
 */
#ifndef OCTAVO_SAML_RESPONSE_H
#define OCTAVO_SAML_RESPONSE_H

#include "saml/run.h"

enum { SAML_SKEW_MS = 120 * 1000 };

struct saml_person {
	const char *subject;     /* the NameID */
	const char *email;       /* NULL: not sent */
	const char *name;        /* NULL: not sent */
	const char *request;     /* id of the request that it answers */
	const char *assertion;   /* id of the assertion */
	int64_t     ends_at;     /* ms: refused from then on */
};

/* text: base64, as in the form field SAMLResponse. False after saml_fail(). */
bool saml_read_response(struct saml_run *run, const char *text, struct saml_person *out);

#endif
