/*
 * octavo site picture, octavo site font, octavo font add: upload files for sites as API clients do
 * (src/api/sites/storage.c), and then change the site's customization to use them.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "call.h"

/* Who calls, and for what. */
struct place {
	struct cli *c;
	struct db  *db;
	const char *org, *user;
};

static bool
open_place(struct cli *c, struct place *p)
{
	*p = (struct place){ .c = c, .db = data_open(c, DB_READ_WRITE) };
	return p->db != NULL && (p->org = call_org(c, p->db)) != NULL && (p->user = call_caller(c, p->db, p->org)) != NULL;
}

static void
close_place(struct place *p)
{
	if (p->db != NULL)
		db_close(p->db);
}

/* Makes a request with a body of JSON (NULL: none). Returns the answer; NULL after printing an error. */
static cJSON *
ask(struct place *p, const char *method, const char *path, const cJSON *body)
{
	struct call call = { .user = p->user, .method = method, .path = path, .body = body == NULL ? NULL : cJSON_PrintUnformatted(body) };

	return call_api(p->c, p->db, &call) ? call.answer : NULL;
}

static const char *
text_in(const cJSON *object, const char *name)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

/* Uploads a file. Returns the answer with its key and address; NULL after printing an error. */
static cJSON *
upload_file(struct place *p, const char *kind, const char *path)
{
	const char *slash = strrchr(path, '/'), *url;
	struct call put = { .user = p->user, .method = "PUT" };
	cJSON *body = cJSON_CreateObject(), *file, *made;

	if (!file_read(p->c->arena, path, &put.bytes)) {
		cli_fail(p->c, "%s cannot be read; as root, the file must be readable by the owner of the data", path);
		return NULL;
	}
	file = cJSON_AddObjectToObject(body, "file");
	cJSON_AddStringToObject(file, "name", slash != NULL ? slash + 1 : path);
	cJSON_AddStringToObject(file, "type", "");
	cJSON_AddNumberToObject(file, "size", (double)put.bytes.n);
	cJSON_AddStringToObject(body, "kind", kind);
	if ((made = ask(p, "POST", arena_printf(p->c->arena, "/orgs/%s/storage/upload", p->org), body)) == NULL)
		return NULL;
	url = text_in(made, "url");
	put.path = strstr(url, "/v1/storage/") + strlen("/v1");
	return call_api(p->c, p->db, &put) ? made : NULL;
}

/* The object of this name in another object; it is made if it is missing. */
static cJSON *
object_in(cJSON *object, const char *name)
{
	cJSON *v = cJSON_GetObjectItemCaseSensitive(object, name);

	return v != NULL ? v : cJSON_AddObjectToObject(object, name);
}

static void
put_member(cJSON *object, const char *name, cJSON *value)
{
	cJSON_DeleteItemFromObjectCaseSensitive(object, name);
	cJSON_AddItemToObject(object, name, value);
}

/* ---- pictures ---- */

/*
 * A use of a picture: the group of the customization, and the member in it with one address for
 * each colour scheme.
 */
static const struct use {
	const char *name, *group, *member;   /* member NULL: the group itself has one address, "url" */
} uses[] = {
	{ "logo", "header", "logo" }, { "footer", "footer", "logo" }, { "favicon", "favicon", "icon" }, { "social", "socialPreview", NULL },
};

static const struct use *
find_use(const char *name)
{
	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++)
		if (strcmp(uses[i].name, name) == 0)
			return &uses[i];
	return NULL;
}

/* Sets the addresses in the customization; light NULL: removes the picture. */
static void
use_picture(cJSON *all, const struct use *u, const char *light, const char *dark)
{
	cJSON *pair;

	/* An icon replaces an emoji, and vice versa. */
	if (strcmp(u->group, "favicon") == 0)
		put_member(all, u->group, cJSON_CreateObject());
	cJSON_DeleteItemFromObjectCaseSensitive(object_in(all, u->group), u->member != NULL ? u->member : "url");
	if (light == NULL)
		return;
	if (u->member == NULL) {
		cJSON_AddStringToObject(object_in(all, u->group), "url", light);
		return;
	}
	pair = cJSON_AddObjectToObject(object_in(all, u->group), u->member);
	cJSON_AddStringToObject(pair, "light", light);
	cJSON_AddStringToObject(pair, "dark", dark);
}

static int
set_picture(struct place *p, const struct use *u)
{
	const char *path = arena_printf(p->c->arena, "/orgs/%s/sites/%s/customization", p->org, cli_option(p->c, "site"));
	const char *dark_file = cli_option(p->c, "dark");
	cJSON *light = NULL, *dark, *all;

	if (p->c->argc == 1 && (light = upload_file(p, "organization_file", p->c->argv[0])) == NULL)
		return CLI_FAILED;
	dark = dark_file == NULL ? light : upload_file(p, "organization_file", dark_file);
	if ((dark_file != NULL && dark == NULL) || (all = ask(p, "GET", path, NULL)) == NULL)
		return CLI_FAILED;
	use_picture(all, u, light == NULL ? NULL : text_in(light, "address"), light == NULL ? NULL : text_in(dark, "address"));
	if (ask(p, "PUT", path, all) == NULL)
		return CLI_FAILED;
	return data_print(p->c, (const char *const[][2]){ { "site", cli_option(p->c, "site") },
		{ u->name, light == NULL ? "none" : text_in(light, "address") },
		{ "dark", light == NULL ? "none" : text_in(dark, "address") } }, u->member == NULL || light == NULL ? 2 : 3);
}

static int
run_picture(struct cli *c)
{
	const struct use *u = find_use(cli_option(c, "as"));
	struct place p = { 0 };
	int rc;

	if ((c->argc == 1) == cli_flag(c, "remove") || c->argc > 1)
		return cli_usage(c, "name one file, or --remove");
	if (cli_option(c, "dark") != NULL && (c->argc == 0 || u->member == NULL))
		return cli_usage(c, "--dark is for a logo, a logo of the footer or a favicon, beside the file for light pages");
	rc = open_place(c, &p) ? set_picture(&p, u) : CLI_FAILED;
	close_place(&p);
	return rc;
}

/* ---- fonts ---- */

/* Adds the face of "700=bold.woff2", or of "regular.woff2" with the weight 400. */
static bool
add_face(struct place *p, cJSON *faces, const char *operand)
{
	char *end;
	long weight = strtol(operand, &end, 10);
	bool named = end > operand && *end == '=';
	cJSON *made = upload_file(p, "customization_font", named ? end + 1 : operand), *face;

	if (made == NULL)
		return false;
	face = cJSON_CreateObject();
	cJSON_AddNumberToObject(face, "weight", named ? (double)weight : 400);
	cJSON_AddStringToObject(face, "storageKey", text_in(made, "key"));
	cJSON_AddItemToArray(faces, face);
	return true;
}

static int
add_font(struct place *p)
{
	cJSON *body = cJSON_CreateObject(), *faces, *made;

	cJSON_AddStringToObject(body, "fontFamily", cli_option(p->c, "family"));
	faces = cJSON_AddArrayToObject(body, "fontFaces");
	for (int i = 0; i < p->c->argc; i++)
		if (!add_face(p, faces, p->c->argv[i]))
			return CLI_FAILED;
	if ((made = ask(p, "PUT", arena_printf(p->c->arena, "/orgs/%s/fonts", p->org), body)) == NULL)
		return CLI_FAILED;
	return data_print(p->c, (const char *const[][2]){ { "font", text_in(made, "id") }, { "family", text_in(made, "fontFamily") } }, 2);
}

static int
run_font_add(struct cli *c)
{
	struct place p = { 0 };
	int rc;

	if (c->argc < 1)
		return cli_usage(c, "name a file for each weight: regular.woff2 700=bold.woff2");
	rc = open_place(c, &p) ? add_font(&p) : CLI_FAILED;
	close_place(&p);
	return rc;
}

static int
set_font(struct place *p)
{
	const char *path = arena_printf(p->c->arena, "/orgs/%s/sites/%s/customization", p->org, cli_option(p->c, "site"));
	const char *as = cli_option(p->c, "as"), *name = p->c->argv[0];
	const char *member = as == NULL || strcmp(as, "text") == 0 ? "font" : strcmp(as, "code") == 0 ? "monospaceFont" : "headingFont";
	cJSON *all = ask(p, "GET", path, NULL), *list, *font, *found = NULL;

	if (all == NULL || (list = ask(p, "GET", arena_printf(p->c->arena, "/orgs/%s/fonts?limit=1000", p->org), NULL)) == NULL)
		return CLI_FAILED;
	cJSON_ArrayForEach(font, cJSON_GetObjectItemCaseSensitive(list, "items"))
		if (strcmp(text_in(font, "id"), name) == 0 || strcmp(text_in(font, "fontFamily"), name) == 0)
			found = font;
	/* Otherwise it must be the name of a font in the clients' list; the API refuses others. */
	put_member(object_in(all, "styling"), member, found != NULL ? cJSON_Duplicate(found, true) : cJSON_CreateString(name));
	if (ask(p, "PUT", path, all) == NULL)
		return CLI_FAILED;
	return data_print(p->c, (const char *const[][2]){ { "site", cli_option(p->c, "site") }, { member, name } }, 2);
}

static int
run_site_font(struct cli *c)
{
	struct place p = { 0 };
	int rc;

	if (c->argc != 1)
		return cli_usage(c, "name one font: the id or family of one of the organization, or a name such as Inter");
	rc = open_place(c, &p) ? set_font(&p) : CLI_FAILED;
	close_place(&p);
	return rc;
}

#define SITE_OPTION { .name = "site", .arg = "ID", .help = "id of the site", .required = true }
#define AS_OPTION { .name = "user", .arg = "USER", .help = "whose rights count; default: an admin" }

const struct cli_command commands_files[] = {
	{ .name = "site picture", .needs_dir = true, .run = run_picture, .operands = "[FILE]",
	  .summary = "Upload a logo, a favicon or a picture for links, and show it on a site",
	  .options = (const struct cli_option[]){
		SITE_OPTION,
		{ .name = "as", .arg = "USE", .help = "logo, footer, favicon, social", .values = "logo footer favicon social", .required = true },
		{ .name = "dark", .arg = "FILE", .help = "another picture for dark pages" },
		{ .name = "remove", .help = "show none" },
		AS_OPTION, { 0 } },
	  .details = "PNG, JPEG, GIF, WebP, AVIF, SVG or ICO of at most 8 MB. The site serves it from its own address.",
	  .examples = "octavo site picture --dir DIR --site ID --as logo logo.svg --dark logo-dark.svg" },
	{ .name = "site font", .needs_dir = true, .run = run_site_font, .operands = "FONT",
	  .summary = "Choose a font of a site",
	  .options = (const struct cli_option[]){
		SITE_OPTION,
		{ .name = "as", .arg = "USE", .help = "text (default), headings, code", .values = "text headings code" },
		AS_OPTION, { 0 } },
	  .details = "FONT is the id or the family of a font of the organization, or a name that the API lists, such as Inter.",
	  .examples = "octavo site font --dir DIR --site ID 'House Sans'" },
	{ .name = "font add", .needs_dir = true, .run = run_font_add, .operands = "[WEIGHT=]FILE…",
	  .summary = "Upload a font for the sites of an organization",
	  .options = (const struct cli_option[]){
		{ .name = "org", .arg = "ORG", .help = "id or title of the organization", .required = true },
		{ .name = "family", .arg = "NAME", .help = "name of the font, 1 to 50 characters", .required = true },
		AS_OPTION, { 0 } },
	  .details = "WOFF2 or WOFF, a file for each weight; a file without a weight is the regular one, 400, which a font must have.",
	  .examples = "octavo font add --dir DIR --org Acme --family 'House Sans' regular.woff2 700=bold.woff2" },
	{ 0 }
};
