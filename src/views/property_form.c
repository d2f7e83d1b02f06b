/*
 * The form of a page's properties, without its place in the tree (place_page.c). Contract:
 * space_parts.h. Beside each field is a hidden one with the value as it was shown, so that only the
 * properties that the person changed are sent to the API. A new picture for the cover is inserted
 * by the same call.
 */
#include "base/json.h"
#include "space_parts.h"

/* Files that are offered as covers; others are found by their address. */
enum { FILES_MOST = 100 };

static const struct text_field {
	const char *name;                      /* of the field, and of the property in the API */
	enum say    label, hint;               /* hint SAYS: there is none */
	bool        required, of_documents;    /* of_documents: only documents have it */
} text_fields[] = {
	{ "title", SAY_TITLE, SAYS, true, false }, { "description", SAY_DESCRIPTION, SAYS, false, true },
	{ "icon", SAY_ICON, SAY_ICON_HINT, false, false }, { "condition", SAY_CONDITION, SAY_CONDITION_HINT, false, true } };

static const struct flag_field {
	const char *name;                      /* of the field, and of the property in the API */
	enum say    label, no, yes;            /* no, yes: the two choices */
} flag_fields[] = {
	{ "hidden", SAY_IN_CONTENTS, SAY_SHOWN, SAY_HIDDEN }, { "noIndex", SAY_IN_SEARCH, SAY_SHOWN, SAY_HIDDEN },
	{ "noRobotsIndex", SAY_FOR_ENGINES, SAY_SHOWN, SAY_HIDDEN } };

static const struct cover_field {
	const char *name, *url;                /* of the field for a file of the space, and of that for an address */
	const char *member;                    /* of the API's cover */
	enum say    label;
} cover_fields[] = {
	{ "cover", "coverURL", "ref", SAY_COVER }, { "coverDark", "coverDarkURL", "refDark", SAY_COVER_DARK } };

#define EACH(list, one) (size_t one = 0; one < sizeof(list) / sizeof((list)[0]); one++)

void
write_was(struct view *v, const char *name, const char *value)
{
	write_hidden(v, arena_printf(v->arena, "was-%s", name), value);
}

bool
is_changed(const struct view *v, const char *name)
{
	return has_field(v, name) && strcmp(form_value(v, name), form_value(v, arena_printf(v->arena, "was-%s", name))) != 0;
}

static bool
is_document(const cJSON *page)
{
	return strcmp(page_type(page), "document") == 0;
}

/* ---- the form ---- */

/* The value that the field shows: the one that was refused, otherwise that of the page. */
static const char *
shown_value(struct view *v, const struct call *failed, const char *name, const char *value)
{
	return failed != NULL ? form_value(v, name) : value;
}

/* The value that the field had when the form was first shown. */
static const char *
first_value(struct view *v, const struct call *failed, const char *name, const char *value)
{
	return failed != NULL ? form_value(v, arena_printf(v->arena, "was-%s", name)) : value;
}

static void
write_text_field(struct view *v, const struct text_field *f, const cJSON *page, const struct call *failed)
{
	const char *value = json_text_or_empty(page, f->name);

	write_was(v, f->name, first_value(v, failed, f->name, value));
	write_input(v, &(struct input){ .name = f->name, .label = view_say(v, f->label), .value = shown_value(v, failed, f->name, value),
		.hint = f->hint == SAYS ? NULL : view_say(v, f->hint), .optional = !f->required,
		.fault = failed != NULL ? fault_at(v, failed, arena_printf(v->arena, "/changes/0/%s", f->name)) : NULL });
}

static void
write_flag_field(struct view *v, const struct flag_field *f, const cJSON *page, const struct call *failed)
{
	const char *value = json_flag_of(page, f->name) ? "1" : "";

	write_was(v, f->name, first_value(v, failed, f->name, value));
	write_select(v, f->name, view_say(v, f->label), shown_value(v, failed, f->name, value), "", view_say(v, f->no), "1", view_say(v, f->yes), NULL);
}

/* The name of a file; its id if there is no such file. */
static const char *
name_of_file(struct view *v, const struct shown_space *s, const char *id)
{
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s%s%s", path_of_ids(v, "/spaces/%s", s->id), s->at, path_of_ids(v, "/files/%s", id)), NULL);
	const char *name = json_text_of(c.answer, "name");

	return name != NULL ? name : id;
}

/* The choice of a file of the space. files: those that are pictures are offered; NULL: only the chosen one is. */
static void
write_cover_choice(struct view *v, const struct shown_space *s, const struct cover_field *f, const cJSON *files, const char *chosen)
{
	const char *type, *one;
	bool found = *chosen == '\0';
	const cJSON *file;

	choice_begin(v, f->name, view_say(v, f->label));
	write_option(v, "", view_say(v, SAY_NO_PICTURE), found);
	cJSON_ArrayForEach(file, files) {
		type = json_text_or_empty(file, "contentType");
		one = json_text_or_empty(file, "id");
		if (strncmp(type, "image/", 6) == 0)
			write_option(v, one, json_text_or_empty(file, "name"), strcmp(one, chosen) == 0);
		found = found || (strcmp(one, chosen) == 0 && strncmp(type, "image/", 6) == 0);
	}
	if (!found)
		write_option(v, chosen, name_of_file(v, s, chosen), true);
	choice_end(v);
}

/* A picture of the cover: a file of the space, or an address. */
static void
write_cover_field(struct view *v, const struct shown_space *s, const struct cover_field *f, const cJSON *page, const cJSON *files,
    const struct call *failed)
{
	const cJSON *picture = json_member(json_member(page, "cover"), f->member);
	const char *id = json_text_or_empty(picture, "file"), *url = json_text_or_empty(picture, "url");

	write_was(v, f->name, first_value(v, failed, f->name, id));
	write_was(v, f->url, first_value(v, failed, f->url, url));
	write_cover_choice(v, s, f, files, shown_value(v, failed, f->name, id));
	write_input(v, &(struct input){ .name = f->url, .label = view_say(v, SAY_OR_ADDRESS), .value = shown_value(v, failed, f->url, url), .optional = true,
		.type = "url", .fault = failed != NULL ? fault_at(v, failed, arena_printf(v->arena, "/changes/0/cover/%s", f->member)) : NULL });
}

static void
write_cover_file(struct view *v)
{
	struct html *h = &v->h;

	h_el(h, "div", "class", "field", NULL);
	h_el(h, "label", "for", "file", NULL);
	h_text(h, view_say(v, SAY_OR_NEW_PICTURE));
	h_close(h);
	h_one(h, "input", "id", "file", "name", "file", "type", "file", "accept", "image/*", NULL);
	h_close(h);
}

static void
write_cover(struct view *v, const struct shown_space *s, const cJSON *page, const struct call *failed, bool all)
{
	struct call files = { 0 };

	if (all)
		files = ask_api(v, "GET", arena_printf(v->arena, "%s%s/files?limit=%d&metadata=false", path_of_ids(v, "/spaces/%s", s->id), s->at,
		    FILES_MOST), NULL);
	h_open(&v->h, "fieldset");
	h_leaf(&v->h, "legend", NULL, view_say(v, SAY_COVER_LEAD));
	for EACH(cover_fields, i) {
		write_cover_field(v, s, &cover_fields[i], page, json_member(files.answer, "items"), failed);
		if (i == 0)
			write_cover_file(v);
	}
	h_close(&v->h);
}

void
write_properties(struct view *v, const struct shown_space *s, const cJSON *page, const struct call *failed, bool all)
{
	for EACH(text_fields, i)
		if (is_document(page) || !text_fields[i].of_documents)
			write_text_field(v, &text_fields[i], page, failed);
	for EACH(flag_fields, i)
		write_flag_field(v, &flag_fields[i], page, failed);
	if (is_document(page))
		write_cover(v, s, page, failed, all);
}

/* ---- what it changes ---- */

static void
add_picture(struct json *j, const char *member, const char *kind, const char *name, const char *value)
{
	json_kobj(j, member);
	json_kstr(j, "kind", kind);
	json_kstr(j, name, value);
	json_end(j);
}

/* The new picture of the form, an address, or a file, in this order. */
static void
add_chosen_picture(struct view *v, struct json *j, const struct cover_field *f, bool has_new)
{
	const char *url = form_value(v, f->url), *file = form_value(v, f->name);

	if (has_new)
		add_picture(j, f->member, "file", "file", COVER_REF);
	else if (*url != '\0' && (is_changed(v, f->url) || *file == '\0'))
		add_picture(j, f->member, "url", "url", url);
	else if (*file != '\0')
		add_picture(j, f->member, "file", "file", file);
}

static bool
has_picture(const struct view *v, const struct cover_field *f)
{
	return *form_value(v, f->url) != '\0' || *form_value(v, f->name) != '\0';
}

/* Writes the cover with the chosen pictures. Its other members are copied from the page. */
static void
add_cover(struct view *v, struct json *j, const cJSON *page, bool has_new)
{
	static const char *const numbers[] = { "yPos", "height" };
	const cJSON *cover = json_member(page, "cover");

	if (!has_new && !has_picture(v, &cover_fields[0]) && !has_picture(v, &cover_fields[1])) {
		json_key(j, "cover");
		json_null(j);
		return;
	}
	json_kobj(j, "cover");
	for EACH(cover_fields, i)
		add_chosen_picture(v, j, &cover_fields[i], has_new && i == 0);
	for EACH(numbers, i)
		if (json_member(cover, numbers[i]) != NULL)
			json_kint(j, numbers[i], (int64_t)json_number_of(cover, numbers[i], 0));
	json_end(j);
}

bool
add_properties(struct view *v, struct json *j, const cJSON *page)
{
	bool has_new = v->file.name != NULL && v->file.bytes.n > 0, is_covered = has_new;

	for EACH(text_fields, i)
		if (is_changed(v, text_fields[i].name))
			json_kstr(j, text_fields[i].name, form_value(v, text_fields[i].name));
	for EACH(flag_fields, i)
		if (is_changed(v, flag_fields[i].name))
			json_kbool(j, flag_fields[i].name, *form_value(v, flag_fields[i].name) != '\0');
	for EACH(cover_fields, i)
		is_covered = is_covered || is_changed(v, cover_fields[i].name) || is_changed(v, cover_fields[i].url);
	if (is_covered)
		add_cover(v, j, page, has_new);
	return has_new;
}
