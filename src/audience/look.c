/* Merges the layers of customization. Contract: audience/look.h. */
#include <cjson/cJSON.h>

#include "audience_parts.h"
#include "audience/look.h"

/*
 * The look of a site without a customization. The colours are those of assets/site/site.css (a test
 * compares them), whose contrast is at least 4.5:1. The names are those of the published client.
 */
static const char defaults[] =
    "{\"styling\":{\"theme\":\"clean\",\"primaryColor\":{\"light\":\"#2a5db0\",\"dark\":\"#8ab4f8\"},"
    "\"infoColor\":{\"light\":\"#2a5db0\",\"dark\":\"#8ab4f8\"},"
    "\"successColor\":{\"light\":\"#1a7440\",\"dark\":\"#6fcf97\"},"
    "\"warningColor\":{\"light\":\"#8a5a00\",\"dark\":\"#e5b567\"},"
    "\"dangerColor\":{\"light\":\"#b3261e\",\"dark\":\"#f28b82\"},"
    "\"corners\":\"rounded\",\"depth\":\"subtle\",\"links\":\"default\",\"font\":\"Inter\","
    "\"monospaceFont\":\"FiraCode\",\"background\":\"plain\",\"icons\":\"regular\","
    "\"codeTheme\":{\"default\":{\"light\":\"default-light\",\"dark\":\"default-dark\"},"
    "\"openapi\":{\"light\":\"default-light\",\"dark\":\"default-dark\"}},"
    "\"sidebar\":{\"background\":\"default\",\"list\":\"default\"},\"search\":\"prominent\"},"
    "\"internationalization\":{\"locale\":\"en\"},\"favicon\":{},"
    "\"header\":{\"preset\":\"default\",\"links\":[]},\"footer\":{\"groups\":[]},"
    "\"themes\":{\"toggeable\":true},\"pdf\":{\"enabled\":true},"
    "\"feedback\":{\"enabled\":false},\"ai\":{\"mode\":\"none\"},\"advancedCustomization\":{\"enabled\":true},"
    "\"git\":{\"showEditLink\":false},\"pageActions\":{\"externalAI\":false,\"markdown\":true,\"mcp\":false},"
    "\"externalLinks\":{\"target\":\"self\"},\"pagination\":{\"enabled\":true},\"trademark\":{\"enabled\":false},"
    "\"privacyPolicy\":{},\"socialPreview\":{},\"insights\":{\"trackingCookie\":false},\"socialAccounts\":[]}";

/* True for members whose object is one value and no group of settings: a layer above replaces the whole object. */
static bool
is_single_value(const char *name)
{
	static const char *const names[] = { "favicon", "logo", "announcement", "font", "headingFont", "monospaceFont", "tint", "link" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Merges a layer into the layers below it. A member that is null does not replace the value below. */
static void
merge_layer(cJSON *below, const cJSON *above)
{
	const cJSON *v;
	cJSON *old;

	cJSON_ArrayForEach(v, above) {
		old = cJSON_GetObjectItemCaseSensitive(below, v->string);
		/* Some clients send null, although a layer cannot remove a value of the layers below. */
		if (cJSON_IsNull(v))
			continue;
		if (old == NULL)
			cJSON_AddItemToObject(below, v->string, cJSON_Duplicate(v, true));
		else if (cJSON_IsObject(v) && cJSON_IsObject(old) && !is_single_value(v->string))
			merge_layer(old, v);
		else
			cJSON_ReplaceItemInObjectCaseSensitive(below, v->string, cJSON_Duplicate(v, true));
	}
}

void
look_patch(cJSON *layer, const cJSON *change)
{
	const cJSON *v;
	cJSON *old;

	cJSON_ArrayForEach(v, change) {
		old = cJSON_GetObjectItemCaseSensitive(layer, v->string);
		if (cJSON_IsNull(v)) {
			cJSON_DeleteItemFromObjectCaseSensitive(layer, v->string);
		} else if (cJSON_IsObject(v) && !is_single_value(v->string)) {
			old = old != NULL ? old : cJSON_AddObjectToObject(layer, v->string);
			look_patch(old, v);
			/* An empty group is removed, so that a layer without settings is stored as {}. */
			if (old->child == NULL)
				cJSON_DeleteItemFromObjectCaseSensitive(layer, v->string);
		} else {
			cJSON_DeleteItemFromObjectCaseSensitive(layer, v->string);
			cJSON_AddItemToObject(layer, v->string, cJSON_Duplicate(v, true));
		}
	}
}

/* Makes the list pageActions.items, which newer clients read, from the switches that older clients set. */
static void
add_actions(cJSON *all)
{
	/* Switches of older clients, and the items of the newer list that they stand for. */
	static const struct { const char *group, *name, *item; } actions[] = {
		{ "pageActions", "markdown", "markdown" }, { "pageActions", "externalAI", "external-ai" },
		{ "pageActions", "mcp", "mcp" }, { "git", "showEditLink", "git" }, { "pdf", "enabled", "pdf" } };
	cJSON *group = cJSON_GetObjectItemCaseSensitive(all, "pageActions"), *list;
	size_t i;

	/* The list exists: the author used a newer client. */
	if (cJSON_HasObjectItem(group, "items"))
		return;
	list = cJSON_AddArrayToObject(group, "items");
	for (i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(
		    cJSON_GetObjectItemCaseSensitive(all, actions[i].group), actions[i].name)))
			cJSON_AddItemToArray(list, cJSON_CreateString(actions[i].item));
}

/* Adds members that links of the header may omit. */
static void
fill_links(cJSON *all)
{
	cJSON *header = cJSON_GetObjectItemCaseSensitive(all, "header"), *x;

	cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(header, "links")) {
		if (!cJSON_HasObjectItem(x, "to"))
			cJSON_AddNullToObject(x, "to");
		if (!cJSON_HasObjectItem(x, "links"))
			cJSON_AddArrayToObject(x, "links");
		if (!cJSON_HasObjectItem(x, "style"))
			cJSON_AddStringToObject(x, "style", "link");
	}
}

/* Removes members that are null after all layers were merged. */
static void
drop_nulls(cJSON *v)
{
	cJSON *x = v->child, *next;

	for (; x != NULL; x = next) {
		next = x->next;
		/* "to": null is kept, because it marks a link as a heading. */
		if (cJSON_IsNull(x) && cJSON_IsObject(v) && strcmp(x->string, "to") != 0)
			cJSON_DeleteItemFromObjectCaseSensitive(v, x->string);
		else
			drop_nulls(x);
	}
}

/* The defaults are parsed each time, because the layers are merged into that tree. */
cJSON *
look_json(const char *site, const char *override)
{
	cJSON *all = cJSON_Parse(defaults);

	if (site != NULL)
		merge_layer(all, cJSON_Parse(site));
	if (override != NULL)
		merge_layer(all, cJSON_Parse(override));
	drop_nulls(all);
	fill_links(all);
	add_actions(all);
	return all;
}

/* ---- as a struct ---- */

/* Member of v, or of a group in it; NULL if either is missing. cJSON accepts NULL as an object. */
static const cJSON *
member_of_group(const cJSON *v, const char *group, const char *name)
{
	v = group == NULL ? v : cJSON_GetObjectItemCaseSensitive(v, group);
	return cJSON_GetObjectItemCaseSensitive(v, name);
}

/* The text; NULL if v is no text, or an empty one. */
static const char *
filled_text(const cJSON *v)
{
	return cJSON_IsString(v) && v->valuestring[0] != '\0' ? v->valuestring : NULL;
}

static struct look_pair
read_pair(const cJSON *v)
{
	return (struct look_pair){ filled_text(member_of_group(v, NULL, "light")), filled_text(member_of_group(v, NULL, "dark")) };
}

/*
 * Reads a font: a name from the list, a definition from the client, or a reference to an uploaded
 * font, whose definition is stored elsewhere (api/sites/customization_files.c).
 */
static struct look_font
read_font(const cJSON *v)
{
	const char *family = filled_text(member_of_group(v, NULL, "fontFamily"));

	if (!cJSON_IsObject(v))
		return (struct look_font){ .name = filled_text(v) };
	return family != NULL ? (struct look_font){ .name = family } :
	    (struct look_font){ .id = filled_text(member_of_group(v, NULL, "id")) };
}

cJSON *
look_seen(const struct visit *v, const struct visit_item *space)
{
	cJSON *all = look_json(v->site.customization, space == NULL ? NULL : space->customization);
	cJSON *links = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(all, "header"), "links");
	cJSON *x = links == NULL ? NULL : links->child, *next, *ai = cJSON_GetObjectItemCaseSensitive(all, "ai");

	/*
	 * There is no assistant here, but clients would show its question box: report it as off,
	 * without changing the setting.
	 */
	if (cJSON_IsObject(ai))
		cJSON_ReplaceItemInObjectCaseSensitive(ai, "mode", cJSON_CreateString("none"));
	/* Only users who manage the site may see the instructions. */
	cJSON_DeleteItemFromObjectCaseSensitive(ai, "instructions");
	for (; x != NULL; x = next) {
		next = x->next;
		if (visit_holds(v, filled_text(member_of_group(x, NULL, "condition"))))
			/* Conditions are removed: they would reveal which kinds of visitors exist. */
			cJSON_DeleteItemFromObjectCaseSensitive(x, "condition");
		else
			cJSON_Delete(cJSON_DetachItemViaPointer(links, x));
	}
	return all;
}

/* Reads a link with its children; NULL if the visitor sees none of their targets. */
static struct look_link *
read_link(const struct visit *v, const struct visit_item *space, const cJSON *j)
{
	struct look_link *l = arena_alloc(v->arena, sizeof(*l)), **last = &l->first;
	struct doc_ref ref;
	const cJSON *x;

	l->title = filled_text(member_of_group(j, NULL, "title")) != NULL ? filled_text(member_of_group(j, NULL, "title")) : "";
	l->style = filled_text(member_of_group(j, NULL, "style")) != NULL ? filled_text(member_of_group(j, NULL, "style")) : "link";
	if (ref_read(member_of_group(j, NULL, "to"), &ref))
		/* NULL if the visitor does not see the target: the link is then left out. */
		l->href = visit_ref(v, space, &ref);
	/* Links without a target are left out: `last` then stays where it is. */
	cJSON_ArrayForEach(x, member_of_group(j, NULL, "links")) {
		*last = read_link(v, space, x);
		last = *last == NULL ? last : &(*last)->next;
	}
	return l->href == NULL && l->first == NULL ? NULL : l;
}

static struct look_link *
read_links(const struct visit *v, const struct visit_item *space, const cJSON *list)
{
	struct look_link *first = NULL, **last = &first;
	const cJSON *x;

	cJSON_ArrayForEach(x, list) {
		*last = read_link(v, space, x);
		last = *last == NULL ? last : &(*last)->next;
	}
	return first;
}

/* The texts are not copied: the JSON tree is in the same arena as the result. */
static void
read_styling(struct look *l, const cJSON *j)
{
	const cJSON *s = member_of_group(j, NULL, "styling");

	l->theme = filled_text(member_of_group(s, NULL, "theme"));
	l->primary = read_pair(member_of_group(s, NULL, "primaryColor"));
	l->tint = read_pair(member_of_group(s, "tint", "color"));
	l->info = read_pair(member_of_group(s, NULL, "infoColor"));
	l->success = read_pair(member_of_group(s, NULL, "successColor"));
	l->warning = read_pair(member_of_group(s, NULL, "warningColor"));
	l->danger = read_pair(member_of_group(s, NULL, "dangerColor"));
	l->corners = filled_text(member_of_group(s, NULL, "corners"));
	l->depth = filled_text(member_of_group(s, NULL, "depth"));
	l->links = filled_text(member_of_group(s, NULL, "links"));
	l->font = read_font(member_of_group(s, NULL, "font"));
	l->heading = read_font(member_of_group(s, NULL, "headingFont"));
	l->monospace = read_font(member_of_group(s, NULL, "monospaceFont"));
	l->code = read_pair(member_of_group(member_of_group(s, NULL, "codeTheme"), NULL, "default"));
	l->background = filled_text(member_of_group(s, NULL, "background"));
	l->icons = filled_text(member_of_group(s, NULL, "icons"));
	l->sidebar_background = filled_text(member_of_group(s, "sidebar", "background"));
	l->sidebar_list = filled_text(member_of_group(s, "sidebar", "list"));
	l->search = filled_text(member_of_group(s, NULL, "search"));
}

/* Reads the actions of pages, in the author's order (add_actions). */
static void
read_actions(struct look *l, const cJSON *j)
{
	const cJSON *v;

	cJSON_ArrayForEach(v, member_of_group(j, "pageActions", "items"))
		if (l->action_count < LOOK_ACTIONS && filled_text(v) != NULL)
			l->actions[l->action_count++] = v->valuestring;
}

static bool
has_action(const cJSON *j, const char *name)
{
	const cJSON *v;

	cJSON_ArrayForEach(v, member_of_group(j, "pageActions", "items"))
		if (same_text(filled_text(v), name))
			return true;
	return false;
}

static void
read_switches(struct look *l, const cJSON *j)
{
	l->theme_default = filled_text(member_of_group(j, "themes", "default"));
	l->theme_toggle = cJSON_IsTrue(member_of_group(j, "themes", "toggeable"));
	l->pdf = cJSON_IsTrue(member_of_group(j, "pdf", "enabled"));
	l->tries = cJSON_IsTrue(member_of_group(j, "tryIt", "enabled"));
	l->feedback = cJSON_IsTrue(member_of_group(j, "feedback", "enabled"));
	l->edit_link = cJSON_IsTrue(member_of_group(j, "git", "showEditLink")) || has_action(j, "git");
	l->pagination = cJSON_IsTrue(member_of_group(j, "pagination", "enabled"));
	l->trademark = cJSON_IsTrue(member_of_group(j, "trademark", "enabled"));
	read_actions(l, j);
	l->links_blank = same_text(filled_text(member_of_group(j, "externalLinks", "target")), "blank");
}

/* Address of an account; NULL if the handle cannot be part of an address. */
static char *
account_url(struct arena *a, const char *platform, const char *handle)
{
	/* The address of an account is `before`, the handle without its @, and `after`. */
	static const struct { const char *platform, *before, *after; } urls[] = {
		{ "twitter", "https://x.com/", "" }, { "instagram", "https://www.instagram.com/", "" },
		{ "facebook", "https://www.facebook.com/", "" }, { "linkedin", "https://www.linkedin.com/company/", "" },
		{ "github", "https://github.com/", "" }, { "discord", "https://discord.gg/", "" },
		{ "slack", "https://", ".slack.com" }, { "youtube", "https://www.youtube.com/@", "" },
		{ "tiktok", "https://www.tiktok.com/@", "" }, { "reddit", "https://www.reddit.com/r/", "" },
		{ "bluesky", "https://bsky.app/profile/", "" }, { "mastodon", "https://mastodon.social/@", "" },
		{ "threads", "https://www.threads.net/@", "" }, { "medium", "https://medium.com/@", "" } };
	const char *host;
	size_t i;

	handle += *handle == '@';
	if (strspn(handle, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.@/") != strlen(handle))
		return NULL;
	host = strchr(handle, '@');
	/* An account on another server: "acme@social.example". */
	if (strcmp(platform, "mastodon") == 0 && host != NULL)
		return arena_printf(a, "https://%s/@%.*s", host + 1, (int)(host - handle), handle);
	for (i = 0; i < sizeof(urls) / sizeof(urls[0]); i++)
		if (strcmp(urls[i].platform, platform) == 0)
			return arena_printf(a, "%s%s%s", urls[i].before, handle, urls[i].after);
	return NULL;
}

/* Reads the accounts that are shown in a place ("header", "footer"), with their platforms as titles. */
static struct look_link *
read_accounts(struct arena *a, const cJSON *list, const char *place)
{
	static const struct { const char *platform, *name; } names[] = { { "twitter", "X" }, { "github", "GitHub" },
		{ "linkedin", "LinkedIn" }, { "youtube", "YouTube" }, { "tiktok", "TikTok" } };
	struct look_link *first = NULL, **last = &first;
	const cJSON *x;

	cJSON_ArrayForEach(x, list) {
		const char *platform = filled_text(member_of_group(x, NULL, "platform")), *handle = filled_text(member_of_group(x, NULL, "handle"));
		char *url = platform != NULL && handle != NULL && cJSON_IsTrue(member_of_group(x, "display", place)) ?
		    account_url(a, platform, handle) : NULL, *name;
		if (url == NULL)
			continue;
		*last = arena_alloc(a, sizeof(**last));
		name = arena_strdup(a, platform);
		name[0] = (char)(name[0] - 'a' + 'A');
		**last = (struct look_link){ .title = name, .href = url, .style = "link", .icon = platform };
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (strcmp(names[i].platform, platform) == 0)
				(*last)->title = names[i].name;
		last = &(*last)->next;
	}
	return first;
}

/* Reads header, footer and announcement. Links whose target the visitor does not see are left out. */
static void
read_header_footer(struct look *l, const struct visit *v, const struct visit_item *space, const cJSON *j)
{
	const cJSON *a = member_of_group(j, NULL, "announcement");
	struct doc_ref home;

	l->header_preset = filled_text(member_of_group(j, "header", "preset"));
	l->logo = read_pair(member_of_group(j, "header", "logo"));
	l->header_background = read_pair(member_of_group(j, "header", "backgroundColor"));
	l->header_link = read_pair(member_of_group(j, "header", "linkColor"));
	if (ref_read(member_of_group(j, "header", "primaryLink"), &home))
		l->home = visit_ref(v, space, &home);
	l->header = read_links(v, space, member_of_group(j, "header", "links"));
	l->social_header = read_accounts(v->arena, member_of_group(j, NULL, "socialAccounts"), "header");
	l->social_footer = read_accounts(v->arena, member_of_group(j, NULL, "socialAccounts"), "footer");
	l->footer_logo = read_pair(member_of_group(j, "footer", "logo"));
	l->footer = read_links(v, space, member_of_group(j, "footer", "groups"));
	l->copyright = filled_text(member_of_group(j, "footer", "copyright"));
	/* An announcement that is switched off may still have a text. */
	if (!cJSON_IsTrue(member_of_group(a, NULL, "enabled")))
		return;
	l->announcement = filled_text(member_of_group(a, NULL, "message"));
	l->announcement_style = filled_text(member_of_group(a, NULL, "style"));
	if (member_of_group(a, NULL, "link") != NULL)
		l->announcement_link = read_link(v, space, member_of_group(a, NULL, "link"));
}

/*
 * Accepts only host names, because they become part of an HTTP header. The same rule is applied
 * when the setting is stored (api/sites/customization.c).
 */
bool
look_host(const char *name)
{
	size_t n = strlen(name), i;

	if (n == 0 || n > 253 || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != n || strchr(name, '.') == NULL)
		return false;
	for (i = 0; i < n; i++)
		if (name[i] == '.' && (i == 0 || i + 1 == n || name[i + 1] == '.'))
			return false;
	return true;
}

static const char *
read_hosts(struct arena *a, const cJSON *list)
{
	const cJSON *v;
	struct buf b;

	buf_init(&b, a, 64 << 10);
	buf_str(&b, "");
	cJSON_ArrayForEach(v, list)
		if (cJSON_IsString(v) && look_host(v->valuestring) && b.n < 8192)
			buf_printf(&b, "%s%s", b.n > 0 ? " " : "", v->valuestring);
	return b.p;
}

/* Replaces texts by those of a language, at any depth. */
static void
localize_texts(cJSON *v, const char *language)
{
	static const char *const texts[][2] = { { "localizedTitle", "title" }, { "localizedMessage", "message" } };
	const char *own;
	cJSON *x;
	size_t i;

	for (x = v->child; x != NULL; x = x->next)
		localize_texts(x, language);
	for (i = 0; cJSON_IsObject(v) && i < sizeof(texts) / sizeof(texts[0]); i++)
		if ((own = filled_text(member_of_group(v, texts[i][0], language))) != NULL) {
			cJSON_DeleteItemFromObjectCaseSensitive(v, texts[i][1]);
			cJSON_AddStringToObject(v, texts[i][1], own);
		}
}

struct look *
look_of(const struct visit *v, const struct visit_item *space)
{
	struct look *l = arena_alloc(v->arena, sizeof(*l));
	/* Links of the header whose condition does not hold for this visitor are removed here. */
	cJSON *j = look_seen(v, space);

	l->locale = filled_text(member_of_group(j, "internationalization", "locale"));
	localize_texts(j, space != NULL && space->language != NULL ? space->language : l->locale);
	l->title = filled_text(member_of_group(j, NULL, "title"));
	read_styling(l, j);
	l->favicon = read_pair(member_of_group(j, "favicon", "icon"));
	l->favicon_emoji = filled_text(member_of_group(j, "favicon", "emoji"));
	read_header_footer(l, v, space, j);
	read_switches(l, j);
	l->privacy_url = filled_text(member_of_group(j, "privacyPolicy", "url"));
	l->frames = read_hosts(v->arena, member_of_group(j, "embeds", "hosts"));
	l->social_image = filled_text(member_of_group(j, "socialPreview", "url"));
	return l;
}

const char *
look_frames(struct arena *a, const char *site, const char *override)
{
	return read_hosts(a, member_of_group(look_json(site, override), "embeds", "hosts"));
}
