/*
 * The provider: its addresses (OpenID Connect Discovery 1.0) and its keys (RFC 7517).
 *
 * Both are fetched from the provider and cached for an hour in DIR/cache/oidc, which may be deleted at
 * any time. That a provider does not answer is remembered for a few seconds, so that many people who
 * try meanwhile do not each hold a worker for as long as they wait.
 *
 * The network: the issuer is a setting of the admin, so the issuer's host may be a private address.
 * Other hosts that the provider names must be public. Addresses are https, as the issuer is; an http
 * issuer is one of this machine (base/settings.h). Nothing is redirected.
 */
#ifndef OCTAVO_OIDC_PROVIDER_H
#define OCTAVO_OIDC_PROVIDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "fetch/fetch.h"

/* OIDC_BYTES: longest answer of a provider. OIDC_SECONDS: for all requests of one run together. */
enum { OIDC_BYTES = 256 << 10, OIDC_SECONDS = 10, OIDC_CACHE_MS = 3600 * 1000, OIDC_DOWN_MS = 5000 };

/* Algorithms of signatures that count (RFC 7518, section 3.1), as bits. */
enum { OIDC_RS256 = 1, OIDC_PS256 = 2, OIDC_ES256 = 4 };

enum oidc_failure {
	OIDC_DOWN = 1,   /* the provider does not answer, or answers with an error of its own */
	OIDC_SETUP,      /* the settings do not fit the provider, or it lacks what is needed */
	OIDC_REFUSED     /* this sign-in is not valid */
};

/* One run: what the installation is to its provider, and how a step has failed. */
struct oidc_run {
	struct arena *arena;
	const char   *dir;        /* data directory, for the cache; "": without a cache */
	const char   *issuer, *client, *secret;   /* secret "": a public client */
	int64_t       until;      /* time_steady() */
	int64_t       now;        /* time_now() */
	enum oidc_failure failure;   /* 0: none yet */
	const char   *message;    /* one sentence without its full stop */
};

struct oidc_provider {
	const char *authorization, *token, *keys;
	const char *userinfo;     /* NULL: none */
	unsigned    algorithms;   /* bits that it signs ID tokens with, of those that count */
	bool        basic;        /* the secret is sent by client_secret_basic, not in the form */
	bool        names_itself; /* every answer to the browser has "iss" (RFC 9207) */
};

/* Records the failure and returns false; the first one counts. */
bool oidc_fail(struct oidc_run *run, enum oidc_failure failure, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Makes a request under the rules above: sets network, time and size of q, whose url, post and headers
 * the caller sets. True: the provider answered; *body is the body, *status the HTTP status.
 */
bool oidc_request(struct oidc_run *run, struct fetch_request *q, struct str *body, int *status);

/* The JSON object of an answer; NULL after oidc_fail(). what: whose it is, for the message. */
struct cJSON;
struct cJSON *oidc_object(struct oidc_run *run, struct str text, const char *what);

/* Reads the description of a provider: a pure function of the text. */
bool oidc_read_provider(struct oidc_run *run, struct str text, struct oidc_provider *out);

/* The provider of run->issuer. */
bool oidc_find_provider(struct oidc_run *run, struct oidc_provider *out);

/* Its keys as text; fresh: not those of the cache. */
bool oidc_find_keys(struct oidc_run *run, const struct oidc_provider *p, bool fresh, struct str *out);

#endif
