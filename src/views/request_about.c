/*
 * Subject and description of a change request, as a form. The description is a document; here it is text in paragraphs, so
 * one that has more than that is not offered to be changed. Contract: space_parts.h.
 */
#include "base/json.h"
#include "space_parts.h"

enum { DESCRIPTION_MOST = 1 << 20 };

/* ---- from a document ---- */

/* Adds the text of a paragraph; false: it has more than text, or the description would be too long for a form. */
static bool
add_paragraph(struct buf *b, const cJSON *paragraph)
{
	const cJSON *node, *leaf;

	if (strcmp(json_text_or_empty(paragraph, "type"), "paragraph") != 0)
		return false;
	cJSON_ArrayForEach(node, json_member(paragraph, "nodes")) {
		if (strcmp(json_text_or_empty(node, "object"), "text") != 0)
			return false;
		cJSON_ArrayForEach(leaf, json_member(node, "leaves")) {
			const char *text = json_text_or_empty(leaf, "text");

			if (cJSON_GetArraySize(json_member(leaf, "marks")) > 0 || b->n + strlen(text) > DESCRIPTION_MOST)
				return false;
			buf_str(b, text);
		}
	}
	return true;
}

/*
 * The document as text, with an empty line between paragraphs; NULL: it has more than paragraphs of
 * text, or is too long.
 */
static const char *
document_text(struct view *v, const cJSON *description)
{
	const cJSON *paragraph;
	struct buf b;

	/* Each paragraph adds two bytes: an empty one is at least as long in JSON, which the API bounds. */
	buf_init(&b, v->arena, DESCRIPTION_MOST + (32 << 20));
	buf_str(&b, "");
	cJSON_ArrayForEach(paragraph, json_member(description, "nodes")) {
		if (b.n > 0)
			buf_str(&b, "\n\n");
		if (!add_paragraph(&b, paragraph))
			return NULL;
	}
	buf_char(&b, '\0');
	return b.p;
}

/* ---- to a document ---- */

static void
write_paragraph(struct json *j, struct str text)
{
	json_obj(j);
	json_kstr(j, "object", "block");
	json_kstr(j, "type", "paragraph");
	json_kobj(j, "data");
	json_end(j);
	json_karr(j, "nodes");
	json_obj(j);
	json_kstr(j, "object", "text");
	json_karr(j, "leaves");
	json_obj(j);
	json_kstr(j, "object", "leaf");
	json_kstrn(j, "text", text);
	json_karr(j, "marks");
	json_end(j);
	json_end(j);
	json_end(j);
	json_end(j);
	json_end(j);
	json_end(j);
}

/* Each paragraph ends at an empty line. */
static void
write_document(struct json *j, const char *text)
{
	json_kobj(j, "description");
	json_kstr(j, "object", "document");
	json_kobj(j, "data");
	json_end(j);
	json_karr(j, "nodes");
	while (*text != '\0') {
		const char *end = strstr(text, "\n\n");
		struct str one = str_trim((struct str){ text, end != NULL ? (size_t)(end - text) : strlen(text) });

		if (one.n > 0)
			write_paragraph(j, one);
		text = end != NULL ? end + 2 : text + strlen(text);
	}
	json_end(j);
	json_end(j);
}

/* ---- the form ---- */

static void
write_description(struct view *v, const char *text)
{
	struct html *h = &v->h;

	h_el(h, "div", "class", "field", NULL);
	h_el(h, "label", "for", "description", NULL);
	h_text(h, view_say(v, SAY_ABOUT_REQUEST));
	h_close(h);
	h_el(h, "textarea", "id", "description", "name", "description", "rows", "5", "dir", "auto", NULL);
	/* Browsers leave out a newline at the beginning. */
	h_text(h, "\n");
	h_text(h, text);
	h_close(h);
	h_close(h);
}

/* A link to the page with the form. After a failure the page has it, with what was typed. */
void
write_about_form(struct view *v, const cJSON *request, const char *below)
{
	bool failed = has_field(v, "about");
	const char *text = has_field(v, "description") ? form_value(v, "description") : document_text(v, json_member(request, "description"));

	if (!failed && query_value(v, "about") == NULL) {
		h_open(&v->h, "p");
		h_el(&v->h, "a", "class", "step", "href", near_path(v, arena_printf(v->arena, "%s?about=1", below)), NULL);
		h_text(&v->h, view_say(v, SAY_CHANGE_ABOUT));
		h_close(&v->h);
		h_close(&v->h);
		return;
	}
	write_form(v, arena_printf(v->arena, "%s/about", below), NULL);
	write_hidden(v, "about", "");
	write_input(v, &(struct input){ .name = "subject", .label = view_say(v, SAY_SUBJECT), .optional = true, .focus = true,
	    .value = failed ? form_value(v, "subject") : json_text_or_empty(request, "subject") });
	if (text != NULL)
		write_description(v, text);
	write_button(v, "small", view_say(v, SAY_SAVE));
	h_close(&v->h);
}

/* POST …/about */
void
change_request_about(struct view *v)
{
	const char *api = path_of_ids(v, "/spaces/%s/change-requests/%s", v->ids[0], v->ids[1]);
	struct call c;
	struct json j;
	struct buf b;

	begin_body(v->arena, &j, &b);
	json_kstr(&j, "subject", form_value(v, "subject"));
	if (has_field(v, "description"))
		write_document(&j, plain_lines(v->arena, form_value(v, "description")));
	json_end(&j);
	c = ask_api(v, "PATCH", api, b.p);
	if (c.status == 401)
		go_sign_in(v, false);
	else if (is_success(&c))
		go_to(v, path_of_ids(v, "/spaces/%s/requests/%s?done=saved", v->ids[0], v->ids[1]));
	else
		show_request_with(v, &c, NULL);
}
