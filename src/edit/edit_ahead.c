/*
 * Bodies made ahead of the transaction that stores them: reading a large document
 * takes seconds, in which nobody else could write. What is made is a function of
 * what was sent, of the page's stored body and links, and of where spellings lead;
 * edit_page.c compares these before it takes the result.
 */
#include <cjson/cJSON.h>

#include "base/map.h"
#include "edit_parts.h"
#include "store/blob.h"

/* The bytes of a JSON value's texts and, about, of what stands around them. */
static size_t
json_size(const cJSON *v)
{
	enum { AROUND = 8 };
	size_t n = AROUND + (cJSON_IsString(v) ? strlen(v->valuestring) : 0);

	for (v = v->child; v != NULL; v = v->next)
		n += json_size(v);
	return n;
}

/* The page that a change writes to, as it is at e->now; false: it inserts one, or there is none. */
static bool
page_of(struct edit *e, const cJSON *c, struct node *n)
{
	const cJSON *id = cJSON_GetObjectItemCaseSensitive(c, "page");

	return cJSON_IsString(id) && node_get(e->db, e->arena, &e->now, id->valuestring, n);
}

bool
edit_is_large(struct edit *e)
{
	const cJSON *c, *document;
	struct node n;
	size_t sum = 0;

	cJSON_ArrayForEach(c, e->changes) {
		if ((document = cJSON_GetObjectItemCaseSensitive(c, "document")) == NULL)
			continue;
		/* The new text and the old: both are parsed. */
		sum += json_size(document);
		if (page_of(e, c, &n))
			sum += blob_size(e->db, n.body);
	}
	return sum >= EDIT_AHEAD_MIN;
}

struct edit_ahead *
edit_prepare(struct edit *e)
{
	struct edit_ahead *ahead = arena_alloc(e->arena, sizeof(*ahead));
	struct node n;
	const cJSON *c;
	int k = 0;

	e->refs = ahead->refs = map_new(e->arena);
	/* A fault is left to edit_apply(), which finds it again inside the transaction. */
	if (!edit_take_refs(e))
		return NULL;
	cJSON_ArrayForEach(c, e->changes) {
		if (!page_of(e, c, &n))
			/*
			 * An insertion has no id before its turn; the page is read as one
			 * without body and links.
			 */
			n = (struct node){ .id = "", .kind = NODE_DOCUMENT, .parent = "", .slug = "", .title = "",
				.props = "{}", .ord = "" };
		if (n.kind == NODE_DOCUMENT)
			edit_document_ahead(e, k, c, &n, ahead);
		k++;
	}
	return ahead;
}
