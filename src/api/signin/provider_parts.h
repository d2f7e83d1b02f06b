/*
 * What signing in at the provider of the installation (provider.c) and at one of an organization
 * (org_provider.c) have in common: a first step, which gives the browser a flow, and a second one,
 * which takes the provider's answer and the flow. Implemented in provider.c.
 */
#ifndef OCTAVO_API_PROVIDER_PARTS_H
#define OCTAVO_API_PROVIDER_PARTS_H

#include "http/req.h"
#include "signin/identity.h"
#include "signin/provider.h"

/* State of the first step between its two runs. */
struct provider_start {
	struct provider        provider;
	struct flow            flow;
	struct provider_answer answer;
	const char            *session;    /* "", or the session whose account is to be linked */
};

/* State of the second step between its two runs. */
struct provider_return {
	struct provider        provider;
	struct flow            flow;
	bool                   used;       /* the flow was used before */
	struct provider_answer answer;
	struct identity        refused;    /* the person to record as refused */
	const char            *reason;     /* why, for the audit record */
};

/* Counts a try of the client's network. 0 or fail(). */
int provider_try_or_fail(struct req *r);
/*
 * Clears the tries counted for the client's network, so that a person who signed in does not use up
 * the tries of others there. f: the flow, whose first step counted a try, too; NULL: it counted
 * none.
 */
void provider_tries_clear(struct req *r, const struct flow *f);
int provider_fail(struct req *r, const struct provider *p, const struct provider_answer *answer);

/* arg: struct provider_start. Asks the provider where to send the browser; for go_ahead(). */
void provider_ask_begin(struct req *r, void *arg);
/* Replies with the address to which the browser is sent, and a flow; or fails. */
int provider_reply_start(struct req *r, const struct provider_start *s);

/* Reads p->flow from the body and compares it with the answer and p->provider. 0 or fail(). */
int provider_return_or_fail(struct req *r, struct provider_return *p);
/* arg: struct provider_return. Marks the flow as used, and asks the provider who signed in; for go_ahead(). */
void provider_ask_finish(struct req *r, void *arg);
/* Fails if the provider failed, or if the flow was used before. 0 or fail(). */
int provider_answer_or_fail(struct req *r, const struct provider_return *p);

/*
 * Records that a person with an account was refused, in a transaction of its own, since that of the
 * request is rolled back. Returns -1; the request is handled again with p->refused.
 */
int provider_refuse(struct req *r, struct provider_return *p, const struct identity *who, const char *reason);

/* Records that the account was made or linked; r->who becomes that account. */
void provider_record(struct req *r, const struct provider_return *p, const struct identity *who);

#endif
