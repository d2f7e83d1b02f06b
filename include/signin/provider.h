/*
 * Requests to the OpenID provider of the installation, made by the program octavo-oidc
 * (cgi/oidc.c). That program has the necessary libraries; it gets neither the environment nor the
 * database, and ends after a few seconds. This module writes its input and reads its output.
 */
#ifndef OCTAVO_SIGNIN_PROVIDER_H
#define OCTAVO_SIGNIN_PROVIDER_H

#include "base/settings.h"
#include "signin/flow.h"

enum provider_failure {
	PROVIDER_GOOD,
	PROVIDER_DOWN,      /* it does not answer */
	PROVIDER_SETUP,     /* the settings do not fit it, or its octavo-oidc is missing */
	PROVIDER_REFUSED,   /* this sign-in is not valid */
	PROVIDER_BUSY       /* too many requests to it are open, so none was sent */
};

/* The person whom the provider has signed in. */
struct provider_person {
	const char *subject;
	const char *email;      /* as the provider writes it; NULL: not sent */
	bool        verified;   /* the provider has verified the address */
	const char *name;       /* NULL: not sent */
};

struct provider_answer {
	enum provider_failure failure;
	const char *message;            /* after a failure: a sentence without its full stop */
	const char *authorization;      /* result of provider_begin(): the address where a browser signs in */
	bool        names_itself;       /* result of provider_begin(): the provider adds "iss" when it sends a browser back */
	struct provider_person person;  /* result of provider_finish() */
};

/* True if the settings name a provider. */
bool provider_is_set(const struct settings *set);

/*
 * Takes a place for a request to the provider (signin/place.h): at most half of the workers may
 * wait for it at a time, so that a provider that hangs does not occupy all of them. The caller
 * leaves the place by close(). -1: there is none.
 */
int provider_place(struct arena *a, const struct settings *set);

/*
 * Both ask octavo-oidc, whose path is `program` (NULL: beside this program), and wait for it. Never
 * inside a transaction.
 */
struct provider_answer provider_begin(struct arena *a, const struct settings *set, const char *program);
struct provider_answer provider_finish(struct arena *a, const struct settings *set, const char *program, const char *code,
    const struct flow *f);

/* The address to send the browser to (OpenID Connect Core 1.0, section 3.1.2.1). */
char *provider_url(struct arena *a, const struct settings *set, const char *authorization, const struct flow *f);

#endif
