/*
 * Providers where people sign in: the OpenID provider of the installation, and OpenID and SAML providers of
 * organizations. Requests to an OpenID provider are made by the program octavo-oidc (cgi/oidc.c). That program has the
 * necessary libraries; it gets neither the environment nor the database, and ends after a few seconds. This module
 * writes its input and reads its output; signin/saml.h does so for octavo-saml.
 */
#ifndef OCTAVO_SIGNIN_PROVIDER_H
#define OCTAVO_SIGNIN_PROVIDER_H

#include "base/role.h"
#include "base/settings.h"
#include "signin/flow.h"

enum provider_failure {
	PROVIDER_GOOD,
	PROVIDER_DOWN,      /* it does not answer */
	PROVIDER_SETUP,     /* the settings do not fit it */
	PROVIDER_ABSENT,    /* octavo-saml is not installed */
	PROVIDER_REFUSED,   /* this sign-in is not valid */
	PROVIDER_BUSY       /* too many requests to this provider are running, so none was sent */
};

enum provider_kind { PROVIDER_OIDC, PROVIDER_SAML };

struct provider {
	enum provider_kind kind;
	const char *id;              /* of an organization's provider; "": that of the installation */
	const char *org, *label;     /* of an organization's provider; NULL: that of the installation */
	const char *issuer;          /* of a SAML provider its entityID */
	const char *client;          /* client id; "" for a SAML provider, as is the secret */
	const char *secret;          /* "": a public client */
	const char *sso;             /* of a SAML provider: where it signs people in */
	const char *certificates;    /* of a SAML provider: as an admin entered them (app/certificate.h) */
	/*
	 * The issuer's host may be in a private network, since an admin of this machine chose it,
	 * not one of an organization (docs/design/security.md, "S9").
	 */
	bool        private_hosts;
	const char *default_team;    /* for new members of the organization; NULL: none */
	enum role   default_role;    /* ROLE_NONE: a guest */
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
	const char *url;                /* result of provider_begin(): where to send the browser */
	struct provider_person person;  /* result of provider_finish() */
};

/* True if the settings name a provider. */
bool provider_is_set(const struct settings *set);
struct provider provider_installed(const struct settings *set);

/*
 * Reads an organization's provider, of either kind, by its id. False: there is none, or it is not complete, or its
 * secret was sealed with another key. All texts are in the arena.
 */
bool provider_find(struct db *db, struct arena *a, const struct settings *set, const char *id, struct provider *out);

/* What is wrong with the issuer of an organization's provider, as a clause; NULL: nothing. */
const char *provider_issuer_fault(struct arena *a, const struct settings *set, const char *issuer);

/* The secret of an organization's provider, as it is stored. */
struct str provider_seal_secret(struct arena *a, const char *secret);

/*
 * Takes a place for a request to the provider (app/place.h): at most half of the workers may
 * wait for providers at a time, and half of these for providers of organizations, so that a
 * provider that hangs does not occupy all of them. The caller leaves the place by close(). -1:
 * there is none.
 */
int provider_place(struct arena *a, const struct settings *set, const struct provider *p);

/* Path of the page to which the provider sends the browser back; each provider has its own path. */
char *provider_return_path(struct arena *a, const struct provider *p);

/*
 * Both run octavo-oidc (provider_begin() at a SAML provider: octavo-saml), whose path is `program`
 * (NULL: beside this program), and wait for it. Never call them inside a transaction.
 * provider_begin() sets f->sends_issuer. provider_finish() is for OpenID providers; saml_take() for
 * others.
 */
struct provider_answer provider_begin(struct arena *a, const struct settings *set, const struct provider *p, const char *program,
    struct flow *f);
struct provider_answer provider_finish(struct arena *a, const struct settings *set, const struct provider *p, const char *program,
    const char *code, const struct flow *f);

/* The address to send the browser to at an OpenID provider (OpenID Connect Core 1.0, section 3.1.2.1). */
char *provider_url(struct arena *a, const struct settings *set, const struct provider *p, const char *authorization,
    const struct flow *f);

#endif
