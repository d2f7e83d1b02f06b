/* Addresses in the application. Contract: api/app_address.h. */
#include "api/app_address.h"

char *
app_space_address(struct req *r, const char *space)
{
	return url_for(r, "/app/spaces/%s", space);
}

char *
app_page_address(struct req *r, const char *space, const char *revision, const char *request, const char *page)
{
	if (request != NULL)
		return url_for(r, "/app/spaces/%s/requests/%s/pages/%s", space, request, page);
	if (revision != NULL)
		return url_for(r, "/app/spaces/%s/revisions/%s/pages/%s", space, revision, page);
	return url_for(r, "/app/spaces/%s/pages/%s", space, page);
}
