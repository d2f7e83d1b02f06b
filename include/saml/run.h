/* One run of octavo-saml: its input, and the failure of a step. */
#ifndef OCTAVO_SAML_RUN_H
#define OCTAVO_SAML_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

/* SAML_MOST: longest response of a provider, in bytes of XML. CERTIFICATES_MOST: two, for rotation. */
enum { SAML_MOST = 96 << 10, CERTIFICATES_MOST = 2 };

enum saml_failure {
	SAML_SETUP = 1,   /* the settings are not usable */
	SAML_REFUSED      /* this response is not valid */
};

struct saml_run {
	struct arena *arena;
	const char   *service;       /* metadata of this service, XML */
	const char   *self, *acs;    /* entityID of this service, and its address for responses */
	const char   *entity, *sso;  /* entityID of the provider, and its address for sign-ins */
	const char   *certificates[CERTIFICATES_MOST + 1];  /* the provider's certificates, DER in base64; ends with NULL */
	int64_t       now;           /* time_now() */
	enum saml_failure failure;   /* 0: none yet */
	const char   *message;       /* one sentence without its full stop */
};

/* Records the failure and returns false. After the first call, further calls change nothing. */
bool saml_fail(struct saml_run *run, enum saml_failure failure, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Starts lasso: once in a process, before everything else. False: it does not start. */
bool saml_start(void);

/* A server object of lasso that knows this service and the provider; NULL after saml_fail(). */
struct _LassoServer *saml_server(struct saml_run *run);

#endif
