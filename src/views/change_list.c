/* What a revision or a change request changed, as a list. Contract: space_parts.h. */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* Lines of a difference that are shown unfolded. */
enum { LINES_OPEN = 40 };

/* One line of a unified diff (POSIX diff -u). */
static void
write_diff_line(struct html *h, struct str line)
{
	const char *class = line.n == 0 ? NULL : *line.p == '+' ? "ins" : *line.p == '-' ? "del" : *line.p == '@' ? "at" : NULL;

	h_el(h, "span", "class", class, NULL);
	h_textn(h, line);
	h_text(h, "\n");
	h_close(h);
}

/* The first two lines name the files, as the row above does. */
static void
write_diff(struct view *v, const char *diff)
{
	struct html *h = &v->h;
	const char *p, *end;
	size_t lines = 0;

	for (p = diff; *p != '\0'; p++)
		lines += *p == '\n';
	h_el(h, "details", "class", "diff", "open", lines <= LINES_OPEN ? "" : NULL, NULL);
	h_leaf(h, "summary", NULL, view_say(v, SAY_SOURCE));
	h_el(h, "pre", "dir", "ltr", "tabindex", "0", NULL);
	for (p = diff; *p != '\0'; p = end + (*end != '\0')) {
		end = p + strcspn(p, "\n");
		if (strncmp(p, "--- ", 4) != 0 && strncmp(p, "+++ ", 4) != 0)
			write_diff_line(h, (struct str){ p, (size_t)(end - p) });
	}
	h_close(h);
	h_close(h);
}

static const struct change_kind {
	const char *type;
	enum say    label;
	const char *class;
} kinds[] = {
	{ "page_created", SAY_ADDED, "good" }, { "page_edited", SAY_CHANGED, NULL }, { "page_deleted", SAY_DELETED, "gone" },
	{ "page_moved", SAY_MOVED, NULL }, { "file_created", SAY_ADDED, "good" }, { "file_edited", SAY_CHANGED, NULL },
	{ "file_deleted", SAY_DELETED, "gone" }, { "reusable_content_created", SAY_ADDED, "good" },
	{ "reusable_content_edited", SAY_CHANGED, NULL }, { "reusable_content_deleted", SAY_DELETED, "gone" },
	{ "variables_edited", SAY_CHANGED, NULL } };

static const struct change_kind *
kind_of(const cJSON *change)
{
	const char *type = json_text_or_empty(change, "type");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].type, type) == 0)
			return &kinds[i];
	return NULL;
}

static void
write_object(struct view *v, const cJSON *change, const char *below, const char *query)
{
	const cJSON *page = json_member(change, "page"), *file = json_member(change, "file"), *text = json_member(change, "reusableContent");
	const char *type = json_text_or_empty(page, "type");
	bool gone = strstr(json_text_or_empty(change, "type"), "deleted") != NULL;

	if (page != NULL && !gone && strcmp(type, "document") == 0)
		write_link(v, NULL, arena_printf(v->arena, "%s/pages/%s%s", below, url_segment(v->arena, str_of(json_text_or_empty(page, "id"))), query),
		    json_text_or_empty(page, "title"));
	else if (page != NULL)
		h_leaf(&v->h, "span", NULL, json_text_or_empty(page, "title"));
	else if (file != NULL)
		h_leaf(&v->h, "span", NULL, json_text_or_empty(file, "name"));
	else if (text != NULL)
		h_leaf(&v->h, "span", NULL, json_text_or_empty(text, "title"));
	else
		h_leaf(&v->h, "span", NULL, view_say(v, SAY_VARIABLES));
	if (page != NULL)
		h_leaf(&v->h, "small", NULL, json_text_or_empty(page, "path"));
}

/* The attributes that changed besides the text: "title: Old → New". */
static void
write_attributes(struct view *v, const cJSON *attributes)
{
	const cJSON *one;
	struct html *h = &v->h;

	cJSON_ArrayForEach(one, attributes) {
		const char *before = json_text_of(one, "before"), *after = json_text_of(one, "after");

		/* The others are hashes, or objects that the source below shows. */
		if (strcmp(one->string, "document") == 0 || strcmp(one->string, "downloadURL") == 0 || (before == NULL && after == NULL))
			continue;
		h_el(h, "p", "class", "attribute", NULL);
		h_text(h, one->string);
		h_text(h, ": ");
		if (before != NULL)
			h_leaf(h, "del", NULL, before);
		h_text(h, " ");
		if (after != NULL)
			h_leaf(h, "ins", NULL, after);
		h_close(h);
	}
}

static bool
is_picture(const cJSON *file)
{
	return strncmp(json_text_or_empty(file, "contentType"), "image/", 6) == 0;
}

/* label SAYS: none. */
static void
write_picture(struct view *v, const cJSON *file, enum say label)
{
	if (!is_picture(file))
		return;
	h_open(&v->h, "figure");
	if (label != SAYS)
		h_leaf(&v->h, "figcaption", NULL, view_say(v, label));
	h_void(&v->h, "img");
	h_url(&v->h, "src", json_text_or_empty(file, "downloadURL"));
	h_attr(&v->h, "alt", json_text_or_empty(file, "name"));
	h_attr(&v->h, "loading", "lazy");
	h_close(&v->h);
}

/* The picture of a file; of one that was edited, both beside each other. */
static void
write_pictures(struct view *v, const cJSON *change)
{
	const cJSON *file = json_member(change, "file"), *before = json_member(change, "fileBefore");
	/* A new name alone leaves the picture as it is. */
	bool both = json_member(json_member(change, "attributes"), "downloadURL") != NULL;

	if (!is_picture(file) && !is_picture(before))
		return;
	h_el(&v->h, "div", "class", "pair", NULL);
	if (both)
		write_picture(v, before, SAY_BEFORE);
	write_picture(v, file, both ? SAY_AFTER : SAYS);
	h_close(&v->h);
}

static void
write_change(struct view *v, const cJSON *change, const char *below, const char *query)
{
	const struct change_kind *kind = kind_of(change);
	const char *diff = json_text_of(change, "diff");
	struct html *h = &v->h;

	h_el(h, "li", "class", "change", NULL);
	h_el(h, "div", "class", "what", NULL);
	if (kind != NULL)
		h_leaf(h, "span", kind->class != NULL ? arena_printf(v->arena, "tag %s", kind->class) : "tag", view_say(v, kind->label));
	h_text(h, " ");
	write_object(v, change, below, query);
	h_close(h);
	write_attributes(v, json_member(change, "attributes"));
	write_pictures(v, change);
	if (diff != NULL && *diff != '\0')
		write_diff(v, diff);
	h_close(h);
}

void
write_changes(struct view *v, const cJSON *changes, const char *below, const char *query)
{
	const cJSON *list = json_member(changes, "changes"), *one;
	double more = json_number_of(changes, "more", 0);

	if (cJSON_GetArraySize(list) == 0) {
		h_leaf(&v->h, "p", "lead", view_say(v, SAY_NO_CHANGES));
		return;
	}
	h_el(&v->h, "ul", "class", "changes", NULL);
	cJSON_ArrayForEach(one, list)
		write_change(v, one, below, query);
	h_close(&v->h);
	if (more > 0)
		h_leaf(&v->h, "p", "lead", view_say_with(v, SAY_MORE_CHANGES, arena_printf(v->arena, "%.0f", more)));
}
