/* Renders descriptions that authors of an API write in Markdown: as blocks, or within a line. */
#include "render_api.h"

/*
 * The document of a description; NULL: it is plain text. The caller parses it, because this room knows no
 * Markdown. A page of an API may use one description thousands of times, so each is parsed once.
 */
static const cJSON *
description_document(struct render *r, const char *text)
{
	const cJSON *known;

	if (r->env->markdown == NULL)
		return NULL;
	if (r->descriptions == NULL)
		r->descriptions = map_new(r->arena);
	if ((known = map_get(r->descriptions, str_of(text))) != NULL)
		return known;
	known = r->env->markdown(r->env->ctx, text);
	if (known != NULL)
		map_add(r->descriptions, str_of(text), (void *)(uintptr_t)known);
	return known;
}

void
render_description(struct render *r, const char *text)
{
	const cJSON *document;
	int level = r->level;

	if (text == NULL || *text == '\0')
		return;
	document = description_document(r, text);
	h_el(&r->h, "div", "class", "about", NULL);
	if (document != NULL)
		render_blocks(r, json_member(document, "nodes"));
	else
		h_leaf(&r->h, "p", NULL, text);
	h_close(&r->h);
	/* Restore the level: headings in a description must not change the following ones. */
	r->level = level;
}

/* The inlines of a document that is one paragraph; NULL: it is anything else. */
static const cJSON *
only_paragraph(const cJSON *document)
{
	const cJSON *nodes = json_member(document, "nodes");
	const cJSON *first = nodes != NULL ? nodes->child : NULL;

	return first != NULL && first->next == NULL && same_text(json_text_of(first, "type"), "paragraph") ?
	    json_member(first, "nodes") : NULL;
}

bool
is_about_line(struct render *r, const char *text)
{
	const cJSON *document = text != NULL ? description_document(r, text) : NULL;

	return text != NULL && (document != NULL ? only_paragraph(document) != NULL : strchr(text, '\n') == NULL);
}

void
render_about_line(struct render *r, const char *text)
{
	const cJSON *document = is_about_line(r, text) ? description_document(r, text) : NULL;

	if (document != NULL)
		render_inlines(r, only_paragraph(document));
	else
		h_text(&r->h, text);
}
