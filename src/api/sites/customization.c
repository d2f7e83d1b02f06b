/*
 * Customization of a site, and the overrides of its site spaces. The columns site.customization and
 * site_space.customization store what clients sent; look.h defines the defaults and merges the
 * layers. The enumerations are those of the published client.
 *
 * All members of a body are optional. An absent member gets its default (PUT) or keeps its value
 * (PATCH); null resets it to the value of the layer below. Answers contain all members.
 */
#include <cjson/cJSON.h>

#include "api/customization.h"
#include "api/document_shapes.h"
#include "api/fonts.h"
#include "api/meta.h"
#include "audience/look.h"
#include "audience/visit.h"
#include "http/req.h"
#include "site.h"

/*
 * Colours are written into style sheets of published pages, so only hexadecimal digits are accepted
 * (docs/design/security.md, "S13").
 */
#define COLOR .pattern = "^#([0-9a-fA-F]{3}){1,2}$", .want = "a colour such as #2f54c4"
#define URL_EXAMPLE "https://example.com/logo.png"

static const struct shape ThemedColor = { "CustomizationThemedColor", (const struct field[]){
	{ "light", T_TEXT, F_REQ, COLOR, .doc = "For light pages", .example = "#2f54c4" },
	{ "dark", T_TEXT, F_REQ, COLOR, .doc = "For dark pages", .example = "#8ea6ff" },
	{ 0 } } };
/*
 * Addresses are written into pages. T_URI accepts only http and https, so javascript: is refused.
 */
static const struct shape ThemedURL = { "CustomizationThemedURL", (const struct field[]){
	{ "light", T_URI, F_REQ, .max = 2048, .doc = "For light pages", .example = URL_EXAMPLE },
	{ "dark", T_URI, F_REQ, .max = 2048, .doc = "For dark pages", .example = URL_EXAMPLE },
	{ 0 } } };
static const struct shape Tint = { "CustomizationTint", (const struct field[]){
	{ "color", T_OBJECT, F_REQ, .of = &ThemedColor, .doc = "Colour that tints backgrounds" },
	{ 0 } } };
static const struct shape FontInPlace = { "CustomizationFontDefinition", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .max = 100, .doc = "Id of a font of the organization, which then sets the other members; otherwise any name",
	  .example = "house" },
	{ "custom", T_BOOL, F_REQ, .doc = "true: a font of the organization, not of the list" },
	{ "fontFamily", T_TEXT, F_REQ, .min = 1, .max = 50, .doc = "Name of the font", .example = "House Sans" },
	{ "fontFaces", T_LIST, F_REQ, .of = &FontFace, .max = 20, .doc = "Its weights" },
	{ "permissions", T_OBJECT, .of = &AnyObject, .doc = "Accepted and stored", .example = "{}" },
	{ 0 } } };
/* The lists of fonts, code themes and platforms are those of the published client. */
static const struct field font_name = { "", T_ENUM, .set = "ABCFavorit,Inter,Roboto,RobotoSlab,OpenSans,"
	"SourceSansPro,Lato,Ubuntu,Raleway,Merriweather,Overpass,NotoSans,IBMPlexSerif,Poppins,FiraSans",
	.doc = "Name of a font", .example = "Inter" };
static const struct field mono_name = { "", T_ENUM, .set = "FiraCode,IBMPlexMono,JetBrainsMono,SourceCodePro,"
	"RobotoMono,SpaceMono,DMMono,Inconsolata", .doc = "Name of a font", .example = "FiraCode" };
#define CODE_THEMES \
	"default-light,default-dark,monochrome-light,monochrome-dark,andromeeda,aurora-x,ayu-dark," \
	"catppuccin-frappe,catppuccin-latte,catppuccin-macchiato,catppuccin-mocha,dark-plus,dracula," \
	"dracula-soft,everforest-dark,everforest-light,github-dark,github-dark-default,github-dark-dimmed," \
	"github-dark-high-contrast,github-light,github-light-default,github-light-high-contrast," \
	"gruvbox-dark-hard,gruvbox-dark-medium,gruvbox-dark-soft,gruvbox-light-hard,gruvbox-light-medium," \
	"gruvbox-light-soft,houston,kanagawa-dragon,kanagawa-lotus,kanagawa-wave,laserwave,light-plus," \
	"material-theme,material-theme-darker,material-theme-lighter,material-theme-ocean," \
	"material-theme-palenight,min-dark,min-light,monokai,night-owl,nord,one-dark-pro,one-light,plastic," \
	"poimandres,red,rose-pine,rose-pine-dawn,rose-pine-moon,slack-dark,slack-ochin,snazzy-light," \
	"solarized-dark,solarized-light,synthwave-84,tokyo-night,vesper,vitesse-black,vitesse-dark,vitesse-light"
static const struct shape ThemedCode = { "CustomizationThemedCodeTheme", (const struct field[]){
	{ "light", T_ENUM, F_REQ, .set = CODE_THEMES, .doc = "For light pages", .example = "default-light" },
	{ "dark", T_ENUM, F_REQ, .set = CODE_THEMES, .doc = "For dark pages", .example = "default-dark" },
	{ 0 } } };
static const struct shape CodeTheme = { "CustomizationCodeThemes", (const struct field[]){
	{ "default", T_OBJECT, F_REQ, .of = &ThemedCode, .doc = "Colours of code" },
	{ "openapi", T_OBJECT, F_REQ, .of = &ThemedCode, .doc = "Colours of code in descriptions of APIs" },
	{ 0 } } };
/*
 * Texts in other languages. Pages show the text in the language of the site space
 * (audience/look.h).
 */
static const struct field short_text = { "", T_TEXT, .max = 64 }, long_text = { "", T_TEXT, .max = 128 };
static const struct field question = { "", T_TEXT, .min = 3, .max = 64 };
#define LOCAL(name, item_, doc_) { name, T_MAP, .item = &(item_), .doc = doc_ " by language; pages show that of their space", \
	.example = "{\"fr\":\"Aide\"}" }
static const struct shape ContentLink = { "CustomizationContentLink", (const struct field[]){
	{ "title", T_TEXT, F_REQ, .max = 64, .doc = "Text", .example = "Support" },
	LOCAL("localizedTitle", short_text, "Texts"),
	{ "to", T_OBJECT, F_REQ, .of = &ContentRef, .doc = "Target of the link" },
	{ 0 } } };
/*
 * Answers have all members, as the published client requires: look_json() adds those that the body
 * omitted. `to` is null for an item that only opens its submenu.
 */
static const struct shape HeaderItem = { "CustomizationHeaderItem", (const struct field[]){
	{ "title", T_TEXT, F_REQ, .max = 64, .doc = "Text", .example = "Support" },
	LOCAL("localizedTitle", short_text, "Texts"),
	{ "style", T_ENUM, .set = "link,button-primary,button-secondary", .doc = "Style" },
	{ "to", T_OBJECT, F_NULL, .of = &ContentRef, .doc = "Target of the link; null: it only opens the menu of its links" },
	{ "links", T_LIST, 0, .of = &ContentLink, .max = 50, .doc = "Links below it", .example = "[]" },
	{ "condition", T_TEXT, .max = 1024, .doc = "Expression that says which visitors see it",
	  .example = "visitor.claims.beta == true" },
	{ 0 } } };
static const struct shape FooterGroup = { "CustomizationFooterGroup", (const struct field[]){
	{ "title", T_TEXT, F_REQ, .max = 64, .doc = "Heading", .example = "Company" },
	LOCAL("localizedTitle", short_text, "Headings"),
	{ "links", T_LIST, F_REQ, .of = &ContentLink, .max = 50, .doc = "Links below it", .example = "[]" },
	{ 0 } } };
static const struct shape Announcement = { "CustomizationAnnouncement", (const struct field[]){
	{ "enabled", T_BOOL, F_REQ, .doc = "true: it is shown" },
	{ "message", T_TEXT, F_REQ, .min = 2, .max = 128, .doc = "Text", .example = "Version 3 is out." },
	LOCAL("localizedMessage", long_text, "Texts"),
	{ "link", T_OBJECT, .of = &ContentLink, .doc = "Link to more about it" },
	{ "style", T_ENUM, F_REQ, .set = "info,warning,danger,success", .doc = "Style" },
	{ 0 } } };
/*
 * A picture or an emoji. Clients also send {}, which means none (docs/design/renderer.md, "The
 * site").
 */
const struct shape Favicon = { "CustomizationFavicon", (const struct field[]){
	{ "icon", T_OBJECT, .of = &ThemedURL, .doc = "A picture" },
	{ "emoji", T_EMOJI, F_ALTERNATIVE, .max = 50, .doc = "An emoji, code points in hexadecimal", .example = "1f4d8" },
	{ 0 } } };
static const struct shape SocialDisplay = { "SiteSocialAccountDisplay", (const struct field[]){
	{ "footer", T_BOOL, F_REQ, .doc = "Shown in the footer" },
	{ "header", T_BOOL, F_REQ, .doc = "Shown in the header" },
	{ 0 } } };
static const struct shape SocialAccount = { "SiteSocialAccount", (const struct field[]){
	{ "platform", T_ENUM, F_REQ, .set = "twitter,instagram,facebook,linkedin,github,discord,slack,youtube,"
	  "tiktok,reddit,bluesky,mastodon,threads,medium", .doc = "Where the account is" },
	{ "handle", T_TEXT, F_REQ, .min = 1, .max = 100, .doc = "Name of the account", .example = "acme" },
	{ "display", T_OBJECT, F_REQ, .of = &SocialDisplay, .doc = "Where it is shown" },
	{ 0 } } };

/*
 * Each group of settings has two shapes: one for answers, in which all members are present (X:
 * required), and one for bodies, in which members may be absent (X: nullable). N is a suffix of the
 * shapes' names.
 */
#define PART(N, name, ...) \
	static const struct shape name##N = { #name #N, (const struct field[]){ __VA_ARGS__ { 0 } } };
#define ON(X) { "enabled", T_BOOL, X, .doc = "true: it is on" },
#define GROUPS(N, X, O) \
	PART(N, CustomizationSidebar, \
	    { "background", T_ENUM, X, .set = "default,filled", .doc = "Background of the table of contents" }, \
	    { "list", T_ENUM, X, .set = "default,pill,line", .doc = "How the current page is marked" },) \
	PART(N, CustomizationStyling, \
	    { "theme", T_ENUM, X, .set = "clean,muted,bold,gradient", .doc = "Overall look" }, \
	    { "primaryColor", T_OBJECT, X, .of = &ThemedColor, .doc = "Colour of links and buttons" }, \
	    { "tint", T_OBJECT, O, .of = &Tint, .doc = "Tint of backgrounds; absent: none" }, \
	    { "infoColor", T_OBJECT, X, .of = &ThemedColor, .doc = "Colour of information" }, \
	    { "successColor", T_OBJECT, X, .of = &ThemedColor, .doc = "Colour of success" }, \
	    { "warningColor", T_OBJECT, X, .of = &ThemedColor, .doc = "Colour of warnings" }, \
	    { "dangerColor", T_OBJECT, X, .of = &ThemedColor, .doc = "Colour of danger" }, \
	    { "corners", T_ENUM, X, .set = "straight,rounded,circular", .doc = "Shape of corners" }, \
	    { "depth", T_ENUM, X, .set = "subtle,flat", .doc = "Shadows" }, \
	    { "links", T_ENUM, X, .set = "default,accent", .doc = "How links look" }, \
	    { "font", T_EITHER, X, .item = &font_name, .of = &FontInPlace, .doc = "Font of text", .example = "\"Inter\"" }, \
	    { "headingFont", T_EITHER, O, .item = &font_name, .of = &FontInPlace, .doc = "Font of headings; absent: that of text", .example = "\"Inter\"" }, \
	    { "monospaceFont", T_EITHER, X, .item = &mono_name, .of = &FontInPlace, .doc = "Font of code", .example = "\"FiraCode\"" }, \
	    { "background", T_ENUM, X, .set = "plain,match", .doc = "Background of pages" }, \
	    { "icons", T_ENUM, X, .set = "regular,solid,duotone,light,thin", .doc = "How icons look" }, \
	    { "codeTheme", T_OBJECT, X, .of = &CodeTheme, .doc = "Colours of code" }, \
	    { "sidebar", T_OBJECT, X, .of = &CustomizationSidebar##N, .doc = "The table of contents" }, \
	    { "search", T_ENUM, X, .set = "prominent,subtle", .doc = "Position of the search field" },) \
	PART(N, CustomizationInternationalization, \
	    { "locale", T_ENUM, X, .set = "en,fr,es,zh,ja,de,nl,no,pt-br,ru", .doc = "Language of the texts around the content" },) \
	PART(N, CustomizationHeader, \
	    { "preset", T_ENUM, X, .set = "default,bold,contrast,custom,none", .doc = "Look of the header" }, \
	    { "logo", T_OBJECT, O, .of = &ThemedURL, .doc = "Logo" }, \
	    { "primaryLink", T_OBJECT, O, .of = &ContentRef, .doc = "Target of the logo; absent: the home page" }, \
	    { "backgroundColor", T_OBJECT, O, .of = &ThemedColor, .doc = "With preset custom: background colour of the header" }, \
	    { "linkColor", T_OBJECT, O, .of = &ThemedColor, .doc = "With preset custom: colour of links in the header" }, \
	    { "links", T_LIST, X, .of = &HeaderItem, .max = 50, .doc = "Links in the header", .example = "[]" },) \
	PART(N, CustomizationFooter, \
	    { "logo", T_OBJECT, O, .of = &ThemedURL, .doc = "Logo" }, \
	    { "groups", T_LIST, X, .of = &FooterGroup, .max = 20, .doc = "Groups of links", .example = "[]" }, \
	    { "copyright", T_TEXT, O, .max = 300, .doc = "Line at the end", .example = "© Acme" },) \
	PART(N, CustomizationThemes, \
	    { "default", T_ENUM, X, .set = "light,dark,system", .doc = "Light or dark; readers may choose another (toggeable)" }, \
	    { "unset", T_BOOL, O, .doc = "true: no default is set, and pages follow the reader's system. In a body, `light` with this " \
	  "member sets no default. Only Octavo has this member" }, \
	    { "toggeable", T_BOOL, X, .doc = "true: readers may choose" },) \
	PART(N, CustomizationPdf, ON(X)) \
	PART(N, CustomizationFeedback, ON(X)) \
	PART(N, CustomizationAi, \
	    { "mode", T_ENUM, X, .set = "none,search,assistant", .doc = "AI answers; stored, but Octavo has none" }, \
	    { "greeting", T_TEXT, O, .max = 256, .doc = "Greeting of an assistant; stored for renderers", .example = "Hello" }, \
	    LOCAL("localizedGreeting", long_text, "Greetings"), \
	    { "suggestions", T_LIST, O, .item = &question, .max = 5, .doc = "Questions that an assistant suggests; stored for renderers", \
	      .example = "[\"How do I begin?\"]" }, \
	    { "instructions", T_TEXT, O, .max = 10000, .doc = "Instructions for an assistant; stored, and in no answer for visitors", \
	      .example = "Be brief." },) \
	PART(N, CustomizationAdvanced, ON(X)) \
	PART(N, CustomizationGit, \
	    { "showEditLink", T_BOOL, X, .doc = "true: pages link to their file in git" },) \
	PART(N, CustomizationPageActions, \
	    { "externalAI", T_BOOL, X, .doc = "true: an action opens the page in an external assistant" }, \
	    { "markdown", T_BOOL, X, .doc = "true: an action shows the page as Markdown" }, \
	    { "mcp", T_BOOL, X, .doc = "true: an action shows the address for agents (MCP)" }, \
	    { "items", T_LIST, O, .item = &(const struct field){ "", T_ENUM, \
	      .set = "assistant,external-ai,markdown,mcp,git,pdf" }, .doc = "The actions in their order", \
	      .example = "[\"markdown\"]" },) \
	PART(N, CustomizationExternalLinks, \
	    { "target", T_ENUM, X, .set = "self,blank", .doc = "Whether links open in the same window or in a new one" },) \
	PART(N, CustomizationPagination, ON(X)) \
	PART(N, CustomizationTrademark, ON(X)) \
	PART(N, CustomizationPrivacyPolicy, \
	    { "url", T_URI, O, .max = 2048, .doc = "Address of the policy", .example = "https://example.com/privacy" },) \
	PART(N, CustomizationSocialPreview, \
	    { "url", T_URI, O, .max = 2048, .doc = "Picture for links to the site", .example = URL_EXAMPLE },) \
	PART(N, CustomizationEmbeds, \
	    { "hosts", T_LIST, X, .item = &(const struct field){ "", T_TEXT, .min = 3, .max = 253, \
	      .example = "www.youtube.com" }, .max = 20, .doc = "Hosts whose pages are shown in frames; pages of other hosts are links", \
	      .example = "[\"www.youtube-nocookie.com\"]" },) \
	PART(N, CustomizationTryIt, ON(X)) \
	PART(N, CustomizationInsights, \
	    { "trackingCookie", T_BOOL, X, .doc = "Accepted and stored; Octavo sets no cookie" },)

/* X: flag of members that every answer contains; O: flag of members that an answer may omit. */
#define SETTINGS(N, X, O) \
	{ "title", T_TEXT, O, .min = 2, .max = 128, .doc = "Title, instead of the site's", .example = "Handbook" }, \
	LOCAL("localizedTitle", long_text, "Titles"), \
	{ "styling", T_OBJECT, X, .of = &CustomizationStyling##N, .doc = "Colours, shapes and fonts" }, \
	{ "internationalization", T_OBJECT, X, .of = &CustomizationInternationalization##N, .doc = "Language" }, \
	{ "favicon", T_OBJECT, X, .of = &Favicon, .doc = "Icon in tabs", .example = "{}" }, \
	{ "header", T_OBJECT, X, .of = &CustomizationHeader##N, .doc = "Above the content" }, \
	{ "footer", T_OBJECT, X, .of = &CustomizationFooter##N, .doc = "Below the content" }, \
	{ "announcement", T_OBJECT, O, .of = &Announcement, .doc = "A banner; absent: none" }, \
	{ "themes", T_OBJECT, X, .of = &CustomizationThemes##N, .doc = "Light and dark" }, \
	{ "pdf", T_OBJECT, X, .of = &CustomizationPdf##N, .doc = "Pages as PDF" }, \
	{ "feedback", T_OBJECT, X, .of = &CustomizationFeedback##N, .doc = "Rating of pages by readers" }, \
	{ "ai", T_OBJECT, X, .of = &CustomizationAi##N, .doc = "AI answers" }, \
	{ "advancedCustomization", T_OBJECT, X, .of = &CustomizationAdvanced##N, .doc = "Accepted and stored" }, \
	{ "git", T_OBJECT, X, .of = &CustomizationGit##N, .doc = "Links to git" }, \
	{ "pageActions", T_OBJECT, X, .of = &CustomizationPageActions##N, .doc = "Actions that pages have" }, \
	{ "externalLinks", T_OBJECT, X, .of = &CustomizationExternalLinks##N, .doc = "Links to other sites" }, \
	{ "pagination", T_OBJECT, X, .of = &CustomizationPagination##N, .doc = "Links to the next page" }, \
	{ "trademark", T_OBJECT, X, .of = &CustomizationTrademark##N, .doc = "Line that names the software of the site" }, \
	{ "privacyPolicy", T_OBJECT, X, .of = &CustomizationPrivacyPolicy##N, .doc = "Privacy policy", .example = "{}" }, \
	{ "socialPreview", T_OBJECT, X, .of = &CustomizationSocialPreview##N, .doc = "Preview of links to the site", .example = "{}" }, \
	{ "embeds", T_OBJECT, O, .of = &CustomizationEmbeds##N, .doc = "Pages of other sites in frames; absent: as links. Only Octavo " \
	  "has this member" }, \
	{ "tryIt", T_OBJECT, O, .of = &CustomizationTryIt##N, .doc = "Whether readers can send the requests of API references; absent: " \
	  "no. Only Octavo has this member" }, \
	{ "socialAccounts", T_LIST, X, .of = &SocialAccount, .max = 20, .doc = "Accounts on other platforms", .example = "[]" }, \
	{ "insights", T_OBJECT, X, .of = &CustomizationInsights##N, .doc = "Statistics about readers" }

/* Both shapes come from one list of settings, so that bodies and answers cannot diverge. */
GROUPS(, F_REQ, 0)
GROUPS(Change, F_NULL, F_NULL)

const struct shape SiteCustomization = { "SiteCustomizationSettings", (const struct field[]){
	SETTINGS(, F_REQ, 0),
	{ "hasOverrides", T_BOOL, .doc = "Of a site space: true if it has settings of its own", .example = "false" },
	{ 0 } } };
const struct shape SiteCustomizationEdit = { "UpdateSiteCustomization", (const struct field[]){
	SETTINGS(Change, F_NULL, F_NULL),
	{ "hasOverrides", T_BOOL, .doc = "Ignored", .example = "false" },
	{ 0 } } };

/* The second column is NULL, so that reply_settings() can read the rows of both statements. */
SQL(q_of_site, "SELECT customization, NULL FROM site WHERE id = :id");
/* Both layers in one row: the site's settings, and the overrides of the site space. */
SQL(q_of_space,
    "SELECT t.customization, x.customization FROM site_space x JOIN site t ON t.id = x.site WHERE x.id = :id");
/* Does not set updated_at: store_settings() calls site_changed(), which does. */
SQL(q_set_site, "UPDATE site SET customization = :json WHERE id = :id");
SQL(q_set_space, "UPDATE site_space SET customization = :json WHERE id = :id");

/*
 * A theme that was never set follows the reader's system setting. Clients of 0.146.0 require the
 * member and do not know "system", so replies contain it only if it was set. "unset" tells this
 * from a chosen "light", also in a body: clients send back what they have read.
 */
static void
fill_theme(cJSON *all)
{
	cJSON *themes = cJSON_GetObjectItemCaseSensitive(all, "themes");

	if (cJSON_HasObjectItem(themes, "default"))
		return;
	cJSON_AddStringToObject(themes, "default", "light");
	cJSON_AddBoolToObject(themes, "unset", true);
}

/* Removes the members from a body that answers contain without being set, since clients send answers back. */
static void
drop_reported(cJSON *body)
{
	cJSON *themes = cJSON_GetObjectItemCaseSensitive(body, "themes");
	const char *theme = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(themes, "default"));

	if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(themes, "unset")) && theme != NULL && strcmp(theme, "light") == 0)
		cJSON_DeleteItemFromObjectCaseSensitive(themes, "default");
	cJSON_DeleteItemFromObjectCaseSensitive(themes, "unset");
	cJSON_DeleteItemFromObjectCaseSensitive(body, "hasOverrides");
}

/* Writes the settings. hasOverrides is computed for each answer and never stored. */
static void
write_settings(struct req *r, cJSON *all, bool overrides)
{
	fill_theme(all);
	if (overrides)
		cJSON_AddBoolToObject(all, "hasOverrides", true);
	customization_files_out(r, all);
	json_raw(&r->json, str_of(cJSON_PrintUnformatted(all)));
}

/* Uses look_seen(), which omits conditions, and links whose condition is false; look_json() includes them. */
void
customization_json(struct req *r, const struct visit_item *space)
{
	write_settings(r, look_seen(r->visit, space), space != NULL);
}

/*
 * Replies with all settings, as the shape requires: the stored layer over the defaults. The row
 * exists: callers have checked the id.
 */
static int
reply_settings(struct req *r, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":id", id);
	stmt_step(q);
	write_settings(r, look_json(col_text(q, 0), col_text(q, 1)), !col_null(q, 1));
	return 0;
}

/* Host names are written into a header of each page, so they are checked here. 0 or fail(). */
static int
hosts_or_fail(struct req *r)
{
	const cJSON *embeds = cJSON_GetObjectItemCaseSensitive(r->body, "embeds"), *v;
	int i = 0;

	cJSON_ArrayForEach(v, cJSON_GetObjectItemCaseSensitive(embeds, "hosts")) {
		if (!look_host(v->valuestring))
			return fail_field(r, arena_printf(r->arena, "/embeds/hosts/%d", i),
			    "must be the name of a host in lower case, such as www.youtube.com");
		i++;
	}
	return 0;
}

/*
 * Requires that conditions of header links can be parsed, and replaces files by their stored form.
 * 0 or fail().
 */
static int
check_or_fail(struct req *r)
{
	const cJSON *header = cJSON_GetObjectItemCaseSensitive(r->body, "header"), *v;
	const cJSON *links = cJSON_GetObjectItemCaseSensitive(header, "links");
	int i = 0;

	cJSON_ArrayForEach(v, links) {
		const cJSON *c = cJSON_GetObjectItemCaseSensitive(v, "condition");
		if (cJSON_IsString(c) && condition_or_fail(r, c->valuestring,
		    arena_printf(r->arena, "/header/links/%d/condition", i)) != 0)
			return -1;
		i++;
	}
	return hosts_or_fail(r) != 0 ? -1 : customization_files_in(r);
}

/*
 * Stores the settings; json NULL: none. The audit record shows who changed the settings and omits
 * their values, which may be large.
 */
static void
store_settings(struct req *r, const struct sql *sql, const char *id, const char *json)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":json", json);
	bind_text(q, ":id", id);
	stmt_run(q);
	site_changed(r, arena_printf(r->arena, "{\"customization\":\"%s\"}", id));
}

/* GET /orgs/{organizationId}/sites/{siteId}/customization */
HANDLER(getSiteCustomizationById)
{
	return reply_settings(r, &q_of_site, r->site.id);
}

/*
 * PUT /orgs/{organizationId}/sites/{siteId}/customization: absent members are reset to their
 * defaults.
 */
HANDLER(updateSiteCustomizationById)
{
	if (check_or_fail(r) != 0)
		return -1;
	drop_reported(r->body);
	store_settings(r, &q_set_site, r->site.id, cJSON_PrintUnformatted(r->body));
	return reply_settings(r, &q_of_site, r->site.id);
}

/* Returns the stored overrides of a site space; NULL if it has none. */
static const char *
find_overrides(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_of_space);

	bind_text(q, ":id", id);
	return stmt_step(q) ? col_dup(q, 1, r->arena) : NULL;
}

/* GET /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization */
HANDLER(getSiteSpaceCustomizationById)
{
	struct site_item it;

	return site_item_or_fail(r, SITE_SPACE, path_id(r, "siteSpaceId"), &it) != 0 ? -1 :
	    reply_settings(r, &q_of_space, it.id);
}

/* PATCH /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization */
HANDLER(overrideSiteSpaceCustomizationById)
{
	struct site_item it;
	const char *own;
	cJSON *all;

	if (site_item_or_fail(r, SITE_SPACE, path_id(r, "siteSpaceId"), &it) != 0 || check_or_fail(r) != 0)
		return -1;
	drop_reported(r->body);
	own = find_overrides(r, it.id);
	/*
	 * Only the site space's own layer is changed, so that it still inherits the members that it
	 * does not set.
	 */
	all = own == NULL ? cJSON_CreateObject() : cJSON_Parse(own);
	look_patch(all, r->body);
	/*
	 * An empty layer is stored as NULL: otherwise hasOverrides would be true although nothing
	 * is set.
	 */
	store_settings(r, &q_set_space, it.id, all->child == NULL ? NULL : cJSON_PrintUnformatted(all));
	return reply_settings(r, &q_of_space, it.id);
}

/* DELETE /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization */
HANDLER(deleteSiteSpaceCustomizationById)
{
	struct site_item it;

	if (site_item_to_delete(r, SITE_SPACE, "siteSpaceId", &it) != 0)
		return -1;
	/* Write no audit record when nothing changes. */
	if (find_overrides(r, it.id) != NULL)
		store_settings(r, &q_set_space, it.id, NULL);
	return reply_empty(r);
}
