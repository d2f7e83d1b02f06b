/*
 * Masks secrets in stored addresses of other services, and seals the whole addresses. Contract:
 * api/stored_address.h.
 */
#include "api/stored_address.h"
#include "base/secret.h"
#include "base/url.h"

void
bind_address(struct stmt *q, struct arena *a, const char *url)
{
	const char *shown = url == NULL ? NULL : url_shown(a, url);

	bind_text(q, ":shown", shown);
	if (shown == NULL || strcmp(shown, url) == 0)
		bind_null(q, ":sealed");
	else
		bind_blob(q, ":sealed", secret_seal(a, SECRET_LINK, str_of(url)));
}
