/*
 * How pages of elsewhere are shown in a block: as a link with the host's name. Nothing is
 * fetched from there, so that no page of a space decides where this machine asks.
 */
#include "api/api.h"

const struct shape EmbedQuery = { "EmbedQuery", (const struct field[]){
	{ "url", T_URI, F_REQ, .max = 2048, .doc = "Address of the page", .example = "https://example.com/video" },
	{ 0 } } };
const struct shape Embed = { "Embed", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "link", .doc = "Kind of embed: a link" },
	{ "title", T_TEXT, F_REQ, .doc = "What to show: the address without its scheme", .example = "example.com/video" },
	{ "site", T_TEXT, F_REQ, .doc = "Host of the page", .example = "example.com" },
	{ 0 } } };

/* GET /spaces/{spaceId}/embed: the host is what stands behind user and password, if there are some. */
int
getEmbedByUrlInSpace(struct req *r)
{
	/* T_URI has checked that it begins with http:// or https://. */
	const char *rest = strstr(query_text(r, "url"), "://") + 3;
	const char *end = rest + strcspn(rest, "/?#"), *at = memrchr(rest, '@', (size_t)(end - rest));

	rest = at != NULL ? at + 1 : rest;
	/* T_URI refuses "https:///x", but not "https://?x" or "https://user@/x". */
	if (rest == end)
		return fail_field(r, "/url", "names no host");
	json_obj(&r->json);
	json_kstr(&r->json, "type", "link");
	json_kstr(&r->json, "title", rest);
	json_kstrn(&r->json, "site", (struct str){ rest, (size_t)(end - rest) });
	json_end(&r->json);
	return 0;
}
