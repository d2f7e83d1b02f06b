/*
 * Finds or creates the space of a new site space or section: the one in the body, or a new one,
 * empty or from a template. Contract: site.h.
 */
#include <cjson/cJSON.h>
#include "api/access.h"
#include "api/access_rules.h"
#include "api/request_content.h"
#include "api/site_copies.h"
#include "api/site_spaces.h"
#include "api/spaces.h"
#include "http/req.h"
#include "site.h"

const char *
site_new_space(struct req *r, const char *space, const char *title)
{
	struct space_new n = { .org = r->org.id, .author = r->who.user, .title = title != NULL ? title : "Untitled" };
	const cJSON *template = body_get(r, "template");
	const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(template, "id"));

	if (space != NULL && template != NULL) {
		fail_field(r, "/template", "is for a new space: spaceId must be null");
		return NULL;
	}
	if (space != NULL)
		return space;
	if ((name != NULL && template_or_fail(r, name) != 0) || container_or_fail(r, r->org.id, NULL) != 0)
		return NULL;
	space = space_add(r, &n);
	space_kept(r, space);
	return name != NULL && (space_enter(r, space) != 0 ||
	    space_from_template(r, name, cJSON_GetObjectItemCaseSensitive(template, "params")) != 0) ? NULL : space;
}
