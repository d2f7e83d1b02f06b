/*
 * Error answers for objects that the caller may not see, and for actions that the caller may not
 * do. Contract: api/refusals.h.
 */
#include "api/refusals.h"
#include "app/roles.h"
#include "base/url.h"
#include "http/req.h"

int
not_found(struct req *r, const char *what, const char *id)
{
	return fail(r, E_NOT_FOUND, "no %s %s", what, id);
}

int
forbidden(struct req *r, const char *what, enum role have, enum role need)
{
	return fail(r, E_FORBIDDEN, "this takes the role \"%s\" on the %s; you have \"%s\"",
	    role_name(need), what, have < ROLE_READ ? "none" : role_name(have));
}

int
unmasked_or_fail(struct req *r, const char *path, const char *url, const char *known)
{
	if (url == NULL || !url_masked(url) || (known != NULL && strcmp(url, known) == 0))
		return 0;
	return fail_field(r, path, known == NULL ? "has *** in place of what looks like a secret: send the secret itself" :
	    "has *** in place of what looks like a secret: send the secret itself, or the address exactly as it is "
	    "shown, which keeps the secret");
}
