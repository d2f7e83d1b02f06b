/* Adds a picture or another file to the text of a page (edit_page.c). Contract: space_parts.h. */
#include "base/json.h"
#include "base/secret.h"
#include "base/url.h"
#include "space_parts.h"

/* base64 (RFC 4648, section 4), without padding. */
static char *
encode_base64(struct arena *a, struct str bytes)
{
	char *s = base64url(a, bytes);

	for (char *p = s; *p != '\0'; p++)
		*p = *p == '-' ? '+' : *p == '_' ? '/' : *p;
	return s;
}

char *
encode_file(struct view *v)
{
	return encode_base64(v->arena, v->file.bytes);
}

void
write_file_change(struct view *v, struct json *j, const char *ref)
{
	json_obj(j);
	json_kstr(j, "operation", "insert_files");
	json_karr(j, "files");
	json_obj(j);
	if (ref != NULL)
		json_kstr(j, "ref", ref);
	json_kstr(j, "name", v->file.name);
	json_kstr(j, "base64", encode_file(v));
	json_end(j);
	json_end(j);
	json_end(j);
}

struct call
send_file_of_form(struct view *v, const char *space, const char *request, const char *amend)
{
	struct json j;
	struct buf b;

	begin_body(v->arena, &j, &b);
	if (*amend != '\0')
		json_kstr(&j, "amend", amend);
	json_karr(&j, "changes");
	write_file_change(v, &j, NULL);
	json_end(&j);
	json_end(&j);
	return ask_api(v, "POST", path_of_ids(v, "/spaces/%s/change-requests/%s/content?compat=false", space, request), b.p);
}

/*
 * The alternative text of a new picture: its file name without the extension. Authors can write a
 * better one later.
 */
static char *
describe_picture(struct arena *a, const char *name)
{
	const char *dot = strrchr(name, '.');
	char *text = arena_strndup(a, name, dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name));

	for (char *p = text; *p != '\0'; p++)
		if (strchr("[]\\`*_<>", *p) != NULL)
			*p = ' ';
	return text;
}

const char *
markdown_of_file(struct view *v, const struct call *sent)
{
	const cJSON *file = cJSON_GetArrayItem(json_member(sent->answer, "insertedFiles"), 0);
	const char *id = json_text_or_empty(file, "id");

	if (strncmp(json_text_or_empty(file, "contentType"), "image/", 6) == 0)
		return arena_printf(v->arena, "![%s](/files/%s)", describe_picture(v->arena, json_text_or_empty(file, "name")), id);
	return arena_printf(v->arena, "{%% file src=\"/files/%s\" %%}", id);
}

void
write_file_field(struct view *v, const char *below)
{
	struct html *h = &v->h;

	h_el(h, "div", "class", "field", "id", "files", NULL);
	h_el(h, "label", "for", "file", NULL);
	h_text(h, view_say(v, SAY_ADD_FILE));
	h_close(h);
	h_one(h, "input", "id", "file", "name", "file", "type", "file", "aria-describedby", "file-about", NULL);
	h_el(h, "button", "type", "submit", "class", "btn small", "name", "step", "value", "file", "formenctype", "multipart/form-data",
	    "formaction", app_path(v, below), NULL);
	h_text(h, view_say(v, SAY_ADD_TO_TEXT));
	h_close(h);
	h_el(h, "p", "id", "file-about", "class", "hint", NULL);
	h_text(h, view_say(v, SAY_ADD_FILE_HINT));
	h_leaf(h, "span", "by-script", arena_printf(v->arena, " %s", view_say(v, SAY_DROP_FILE)));
	h_close(h);
	h_close(h);
}
