/* Error answers for what the caller may not see or may not do. Contract: api/refusals.h. */
#include "api/refusals.h"
#include "app/roles.h"
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
