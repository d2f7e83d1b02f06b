/* Makes addresses of pages of the application. Contract: api/app_address.h. */
#include "api/app_address.h"

char *
app_space_address(struct req *r, const char *space)
{
	return url_for(r, "/%s/spaces/%s", r->set->app ? "app" : "v1", space);
}

char *
app_revision_address(struct req *r, const char *space, const char *revision)
{
	return url_for(r, "/%s/spaces/%s/revisions/%s", r->set->app ? "app" : "v1", space, revision);
}

/* In the API, the page is below "content/page", "revisions/R/page" or "change-requests/R/content/page". */
char *
app_page_address(struct req *r, const char *space, const char *revision, const char *request, const char *page)
{
	bool app = r->set->app;

	if (revision != NULL)
		return url_for(r, "/%s/spaces/%s/revisions/%s/%s/%s", app ? "app" : "v1", space, revision, app ? "pages" : "page", page);
	if (request != NULL)
		return url_for(r, app ? "/app/spaces/%s/requests/%s/pages/%s" : "/v1/spaces/%s/change-requests/%s/content/page/%s", space, request,
		    page);
	return url_for(r, app ? "/app/spaces/%s/pages/%s" : "/v1/spaces/%s/content/page/%s", space, page);
}
