/*
 * Answers how a block shows an external page: in a frame if a site that shows the space allows the
 * host, otherwise as a link with the host's name. The external page is not fetched, so that authors
 * cannot make this machine send requests.
 */
#include "api/embed.h"
#include "audience/look.h"
#include "base/json.h"
#include "http/req.h"
#include "render/frame.h"

const struct shape EmbedQuery = { "EmbedQuery", (const struct field[]){
	{ "url", T_URI, F_REQ, .max = 2048, .doc = "Address of the page", .example = "https://example.com/video" },
	{ 0 } } };
#define EMBED \
	{ "title", T_TEXT, F_REQ, .doc = "Text to show: the address without its scheme", .example = "example.com/video" }, \
	{ "site", T_TEXT, F_REQ, .doc = "Host of the page", .example = "example.com" }
static const struct shape EmbedLink = { "EmbedLink", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "link", .doc = "Kind of embed: a link" },
	EMBED,
	{ 0 } } };
static const struct shape EmbedRich = { "EmbedRich", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "rich", .doc = "Kind of embed: a frame, of a host that the site allows (embeds.hosts)" },
	EMBED,
	{ "html", T_TEXT, F_REQ, .doc = "HTML of the frame", .example = "<iframe src=\"https://example.com/video\"></iframe>" },
	{ 0 } } };
const struct shape Embed = { "Embed", NULL, (const struct shape *const[]){ &EmbedLink, &EmbedRich, NULL } };

/* Customizations of the site spaces that show a space; for a visitor only of the one being read. */
SQL(q_looks,
    "SELECT t.customization, x.customization FROM site_space x JOIN site t ON t.id = x.site "
    "WHERE x.space = :space AND (CAST(:item AS TEXT) IS NULL OR x.id = :item)");

/* The frame of the first customization that allows it; p NULL: none does. */
static struct str
find_frame(struct req *r, const char *url, const char *title)
{
	struct stmt *q = db_use(r->db, &q_looks);
	struct str html = { NULL, 0 };

	bind_text(q, ":space", r->space.id);
	bind_text(q, ":item", r->shown != NULL ? r->shown->id : NULL);
	while (html.p == NULL && stmt_step(q))
		html = frame_html(r->arena, look_frames(r->arena, col_dup(q, 0, r->arena), col_dup(q, 1, r->arena)), url, title);
	return html;
}

/* GET /spaces/{spaceId}/embed. A user and password before the host are skipped. */
HANDLER(getEmbedByUrlInSpace)
{
	/* T_URI has checked that it begins with http:// or https://, and names a host. */
	const char *url = query_text(r, "url"), *rest = strstr(url, "://") + 3;
	const char *end = rest + strcspn(rest, "/?#"), *at = memrchr(rest, '@', (size_t)(end - rest));
	struct str html;

	rest = at != NULL ? at + 1 : rest;
	html = find_frame(r, url, rest);
	json_obj(&r->json);
	json_kstr(&r->json, "type", html.p != NULL ? "rich" : "link");
	json_kstr(&r->json, "title", rest);
	json_kstrn(&r->json, "site", (struct str){ rest, (size_t)(end - rest) });
	if (html.p != NULL)
		json_kstrn(&r->json, "html", html);
	json_end(&r->json);
	return 0;
}
