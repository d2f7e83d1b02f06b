/*
 * Sign-ins at a SAML provider of an organization, by the program octavo-saml (cgi/saml.c), which gets neither the
 * environment nor the database, and ends after a few seconds. Signing in by SAML needs that program.
 *
 * The browser posts the provider's response from a page of another site, so it does not send the
 * cookie that identifies the sign-in. The response is therefore verified and stored under a code
 * (saml_keep()), and the browser is redirected to a page to which it sends the cookie; that page
 * reads the stored person by the code (saml_take()). An assertion is stored only once. Table
 * saml_answer.
 */
#ifndef OCTAVO_SIGNIN_SAML_H
#define OCTAVO_SIGNIN_SAML_H

#include "signin/provider.h"

/* SAML_CODE_SECONDS: how long a code is valid. SAML_TEXT_MOST: longest response, in base64. */
enum { SAML_CODE_SECONDS = 120, SAML_TEXT_MOST = 128 << 10 };

/* A response that was verified. */
struct saml_reading {
	struct provider_answer answer;
	const char            *request;     /* id of the request that it answers */
	const char            *assertion;   /* its id */
	int64_t                ends_at;     /* ms */
};

/* Addresses of this service for the provider with this id; the entityID is that of the metadata. */
char *saml_entity_id(struct arena *a, const struct settings *set, const char *id);
char *saml_acs_url(struct arena *a, const struct settings *set, const char *id);

/* Metadata of this service for the provider with this id, XML (SAML Metadata 2.0). */
char *saml_metadata(struct arena *a, const struct settings *set, const char *id);

/* The same as provider_begin(), for a SAML provider. */
struct provider_answer saml_begin(struct arena *a, const struct settings *set, const struct provider *p, const char *program,
    const struct flow *f);

/* Verifies a response in base64. program: as in provider_begin(). Never inside a transaction. */
struct saml_reading saml_read(struct arena *a, const struct settings *set, const struct provider *p, const char *program,
    const char *response);

/* Keeps a response, in the caller's write transaction, and returns its code; NULL: the assertion was kept before. */
char *saml_keep(struct db *db, struct arena *a, const struct provider *p, const struct saml_reading *reading, int64_t now);

/*
 * Returns the person in the response with this code, for this flow, in the caller's write
 * transaction. A code is valid once.
 */
struct provider_answer saml_take(struct db *db, struct arena *a, const struct provider *p, const char *code, const struct flow *f);

#endif
