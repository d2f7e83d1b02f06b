/* For members on their way to a published site that requires sign-in. Contract: view_parts.h. */
#include "base/url.h"
#include "view_parts.h"

/*
 * GET /app/visit?to=ADDRESS: redirects to the page of the site, with a token. The API returns that
 * address; the address in the query itself is never used for the redirect.
 */
void
visit_site(struct view *v)
{
	const char *to = query_value(v, "to");
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "/urls/visit?url=%s",
	    url_segment(v->arena, str_of(to != NULL ? to : ""))), NULL);

	if (c.status == 404 || c.status == 400)
		page_error(v, 404, view_say(v, SAY_NOT_FOUND), view_say(v, SAY_NOT_FOUND_HELP));
	else if (call_succeeded(v, &c))
		go_away(v, json_text_or_empty(c.answer, "location"));
}
