/*
 * Anchors in raw HTML: `<a id="x"></a>`, which tools write above what they describe. It shows
 * nothing and so is no block; documents keep it as source beside a block (`rawBefore`, `rawAfter`)
 * or in a text (`raw`). Links point to it. So an empty element is written with this id, as typed,
 * unless a block of the document has the same id or it was written before.
 */
#include "base/map.h"
#include "base/utf8.h"
#include "render_parts.h"

enum { MAX_PLACE = 1000 };

/* Collects all anchors of the document in one walk. Only documents with such raw HTML need it. */
static void
index_anchors(struct render *r, const cJSON *list)
{
	const cJSON *node;
	const char *id;

	cJSON_ArrayForEach(node, list) {
		if ((id = node_anchor(node)) != NULL)
			map_add(r->places, str_of(id), (void *)id);
		index_anchors(r, json_member(node, "nodes"));
		index_anchors(r, json_member(node, "fragments"));
	}
}

static void
put_id(struct render *r, const char *id)
{
	if (!map_add(r->places, str_of(id), (void *)id))
		return;
	h_el(&r->h, "span", "id", id, NULL);
	h_close(&r->h);
}

static void
put_place(struct render *r, struct str name)
{
	const char *id;

	/* Ids that begin with "~" belong to the frame; no id contains white space. */
	if (name.n == 0 || name.n > MAX_PLACE || name.p[0] == '~')
		return;
	id = arena_strndup(r->arena, name.p, name.n);
	if (id[strcspn(id, " \t\n")] != '\0')
		return;
	if (r->places == NULL) {
		r->places = map_new(r->arena);
		index_anchors(r, json_member(r->document, "nodes"));
	}
	put_id(r, id);
	/* Links that earlier releases stored have the anchor in lower case. */
	put_id(r, utf8_lower(r->arena, name));
}

void
render_places(struct render *r, const char *source)
{
	static const char *const names[] = { " id=\"", " name=\"" };
	const char *p, *end;

	for (size_t i = 0; i < 2; i++)
		for (p = source; (p = strstr(p, names[i])) != NULL; p = end) {
			p += strlen(names[i]);
			if ((end = strchr(p, '"')) == NULL)
				break;
			put_place(r, (struct str){ p, (size_t)(end - p) });
		}
}

void
render_places_of(struct render *r, const cJSON *node, const char *beside)
{
	const cJSON *source;

	cJSON_ArrayForEach(source, json_member(node, beside))
		if (cJSON_IsString(source))
			render_places(r, source->valuestring);
}
