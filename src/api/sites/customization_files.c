/*
 * Uploaded files in a customization (app/stored.h). Clients send pictures as absolute addresses,
 * and fonts as whole definitions. Stored are "~stored/ID/NAME" and { "id", "custom": true }, so
 * that another OCTAVO_URL and a changed font apply at once.
 */
#include <cjson/cJSON.h>

#include "api/fonts.h"
#include "app/stored.h"
#include "http/req.h"
#include "site.h"

static const char *const fonts[] = { "font", "monospaceFont", "headingFont" };

/* Members that contain the address of a picture. member NULL: the group itself is the address. */
static const struct place {
	const char *group, *member, *name;
} places[] = {
	{ "header", "logo", "light" }, { "header", "logo", "dark" }, { "footer", "logo", "light" }, { "footer", "logo", "dark" },
	{ "favicon", "icon", "light" }, { "favicon", "icon", "dark" }, { "socialPreview", NULL, "url" },
};

#define IN_EACH(at, list) (at = list; at < list + sizeof(list) / sizeof(*list); at++)

/* Returns the object that contains the address of this place; NULL if there is none. */
static cJSON *
find_object(cJSON *all, const struct place *p)
{
	cJSON *group = cJSON_GetObjectItemCaseSensitive(all, p->group);

	return p->member == NULL ? group : cJSON_GetObjectItemCaseSensitive(group, p->member);
}

static const char *
find_address(cJSON *all, const struct place *p)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(find_object(all, p), p->name));
}

static void
set_address(cJSON *all, const struct place *p, const char *address)
{
	cJSON_ReplaceItemInObjectCaseSensitive(find_object(all, p), p->name, cJSON_CreateString(address));
}

/*
 * Replaces the address of an uploaded picture by its stored form. An address of the same form on
 * another host is an ordinary address. 0 or fail().
 */
static int
picture_in_or_fail(struct req *r, const struct place *p)
{
	const char *address = find_address(r->body, p), *id = address == NULL ? NULL : stored_id(r->arena, address);
	struct stored_file f;

	if (id != NULL && stored_find(r->db, r->arena, id, &f) && strcmp(f.org, r->org.id) == 0 && strcmp(f.kind, STORED_PICTURE) == 0)
		set_address(r->body, p, stored_path(r->arena, f.id, f.name));
	else if (id != NULL && strncmp(address, url_for(r, "/~stored/"), strlen(url_for(r, "/~stored/"))) == 0)
		return fail_field(r, arena_printf(r->arena, "/%s%s%s/%s", p->group, p->member != NULL ? "/" : "",
		    p->member != NULL ? p->member : "", p->name), "names no picture that was uploaded for this organization");
	return 0;
}

int
customization_files_in(struct req *r)
{
	cJSON *styling = cJSON_GetObjectItemCaseSensitive(r->body, "styling"), *font, *kept;
	const struct place *p;
	const char *const *name, *id;
	struct font known;

	for IN_EACH(p, places)
		if (picture_in_or_fail(r, p) != 0)
			return -1;
	for IN_EACH(name, fonts) {
		font = cJSON_GetObjectItemCaseSensitive(styling, *name);
		id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(font, "id"));
		if (id == NULL || !font_find(r->db, r->arena, r->org.id, id, &known))
			continue;
		kept = cJSON_CreateObject();
		cJSON_AddStringToObject(kept, "id", id);
		cJSON_AddTrueToObject(kept, "custom");
		cJSON_ReplaceItemInObjectCaseSensitive(styling, *name, kept);
	}
	return 0;
}

void
customization_files_out(struct req *r, cJSON *all)
{
	cJSON *styling = cJSON_GetObjectItemCaseSensitive(all, "styling"), *font, *whole;
	const struct place *p;
	const char *const *name, *address;

	for IN_EACH(p, places)
		if ((address = find_address(all, p)) != NULL && strncmp(address, "~stored/", 8) == 0)
			set_address(all, p, url_for(r, "/%s", address));
	for IN_EACH(name, fonts) {
		font = cJSON_GetObjectItemCaseSensitive(styling, *name);
		if (!cJSON_IsObject(font) || cJSON_HasObjectItem(font, "fontFaces"))
			continue;
		whole = font_json(r, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(font, "id")));
		/*
		 * A font in use cannot be deleted, so it is missing only in a damaged database: the
		 * answer then contains the default font.
		 */
		cJSON_ReplaceItemInObjectCaseSensitive(styling, *name, whole != NULL ? whole :
		    cJSON_CreateString(name == fonts + 1 ? "FiraCode" : "Inter"));
	}
}
