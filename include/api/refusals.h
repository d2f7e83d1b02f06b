/*
 * Error answers for objects that the caller may not see, and operations that the caller may not
 * use. Implemented in refusals.c.
 */
#ifndef OCTAVO_API_REFUSALS_H
#define OCTAVO_API_REFUSALS_H

#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"

/*
 * Fails with 404; the message is the same for missing and for hidden objects. If the caller could see
 * the object with another sign-in (r->shut), fails with 403 and says where to sign in. Returns -1.
 */
int not_found(struct req *r, const char *what, const char *id);

/*
 * The addresses at which the organization's providers sign people in, joined by "or"; NULL: it has
 * no provider.
 */
char *provider_addresses(struct req *r, const char *org);

/*
 * Fails with 403: the caller's role on an object is too low. Only for objects that the caller may
 * see, since it reveals that the object exists. Returns -1.
 */
int forbidden(struct req *r, const char *what, enum role have, enum role need);

/*
 * Refuses an address in the body that contains "***" in place of a secret: the client copied it
 * from an answer. An address that equals the stored one (`known`) as answers show it is accepted;
 * callers then keep the stored one. url, known: may be NULL. 0 or fail_field().
 */
int unmasked_or_fail(struct req *r, const char *path, const char *url, const char *known);

#endif
