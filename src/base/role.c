/* Names of roles. Contract: base/role.h. */
#include <stddef.h>
#include <string.h>

#include "base/role.h"

static const char *const names[] = {
	[ROLE_READ] = "read", [ROLE_COMMENT] = "comment", [ROLE_EDIT] = "edit",
	[ROLE_REVIEW] = "review", [ROLE_CREATE] = "create", [ROLE_ADMIN] = "admin"
};

const char *
role_name(int64_t role)
{
	return role >= ROLE_READ && role <= ROLE_ADMIN ? names[role] : NULL;
}

enum role
role_number(const char *name)
{
	enum role role;

	for (role = ROLE_READ; role <= ROLE_ADMIN; role++)
		if (name != NULL && strcmp(name, names[role]) == 0)
			return role;
	return ROLE_NONE;
}
