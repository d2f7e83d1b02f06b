/*
 * Inserts operations and schemas of specifications into the Markdown of an author's page. Contract:
 * computed.h.
 *
 * The page is parsed twice: as a document, which computed_fill() fills as it does for the page, so
 * that both have the same content; and as a tree, since only the parser can distinguish a tag from
 * code that shows a tag.
 */
#include "base/json.h"
#include "base/map.h"
#include "computed_parts.h"
#include "markdown/document.h"
#include "markdown/document_tree.h"

enum { MAX_TEXT = 512 << 20 };

struct spelling {
	struct arena *arena;
	const cJSON  *document;    /* filled */
	struct map   *written;     /* schemas written so far, by specification and name */
	struct map   *sets;        /* struct schema_set, by specification */
};

/* ---- the filled document ---- */

static bool
same_attr(const cJSON *data, const struct doc_node *n, const char *name)
{
	const char *value = json_text_of(data, name), *wanted = doc_attr_str(n, name);

	return strcmp(value != NULL ? value : "", wanted != NULL ? wanted : "") == 0;
}

static const char *
spec_id(const struct doc_node *n)
{
	return doc_attr(n, "ref")->v.target->ref.id;
}

/* The data of the filled block with the same attributes as the node; NULL: there is none. */
static const cJSON *
find_block_data(const cJSON *list, const struct doc_node *n)
{
	const cJSON *one, *data, *found = NULL;

	cJSON_ArrayForEach(one, list) {
		data = cJSON_GetObjectItemCaseSensitive(one, "data");
		if (cJSON_GetObjectItemCaseSensitive(data, "operation") != NULL && same_attr(data, n, "name") &&
		    same_attr(data, n, "path") && same_attr(data, n, "method") &&
		    strcmp(json_text_or_empty(cJSON_GetObjectItemCaseSensitive(data, "ref"), "spec"), spec_id(n)) == 0)
			return data;
		if ((found = find_block_data(cJSON_GetObjectItemCaseSensitive(one, "nodes"), n)) != NULL ||
		    (found = find_block_data(cJSON_GetObjectItemCaseSensitive(one, "fragments"), n)) != NULL)
			return found;
	}
	return NULL;
}

static struct str
schema_key(struct arena *a, const char *spec, const char *name)
{
	return str_of(arena_printf(a, "%s\n%s", spec, name));
}

static struct schema_set *
find_set(struct spelling *t, const char *spec)
{
	void **at = map_at(t->sets, str_of(spec));

	if (*at == NULL) {
		*at = arena_alloc(t->arena, sizeof(struct schema_set));
		schema_set_init(*at, t->arena, document_schemas(t->document, spec));
	}
	return *at;
}

/* Writes the schemas of a specification that are not written yet. */
static void
write_rest(struct spelling *t, const cJSON *spec, struct buf *b)
{
	const char *name = json_text_or_empty(spec, "spec");
	const cJSON *one;

	cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(spec, "schemas"))
		if (one->string != NULL && !map_has(t->written, schema_key(t->arena, name, one->string)))
			schema_readable(b, find_set(t, name), one, "###");
}

/* ---- the tree ---- */

/* The Markdown for a tag; n 0: nothing. */
static struct str
markdown_for_tag(struct spelling *t, const struct doc_node *n)
{
	struct buf b;
	const struct doc_list *list;
	const cJSON *found;

	buf_init(&b, t->arena, MAX_TEXT);
	if (n->type != DOC_OPENAPI_SCHEMAS) {
		if ((found = find_block_data(cJSON_GetObjectItemCaseSensitive(t->document, "nodes"), n)) != NULL)
			operation_readable(&b, find_set(t, spec_id(n)), found);
		return buf_view(&b);
	}
	for (list = doc_attr(n, "schemas")->v.list; list != NULL; list = list->next)
		if ((found = map_get(find_set(t, spec_id(n))->names, str_of(list->s))) != NULL) {
			schema_readable(&b, find_set(t, spec_id(n)), found, "###");
			map_add(t->written, schema_key(t->arena, spec_id(n), list->s), NULL);
		}
	return buf_view(&b);
}

/* The recursion depth is that of nested blocks, which the parser limits. */
static void
spell_nodes(struct spelling *t, struct doc_node *of)
{
	struct doc_node *n = of->child, *next;
	struct str text;

	of->child = of->last = NULL;
	for (; n != NULL; n = next) {
		next = n->next;
		n->next = NULL;
		text = (struct str){ NULL, 0 };
		if (n->type == DOC_OPENAPI_OPERATION || n->type == DOC_OPENAPI_WEBHOOK || n->type == DOC_OPENAPI_SCHEMAS)
			text = markdown_for_tag(t, n);
		else
			spell_nodes(t, n);
		if (text.n > 0)
			doc_append_children(of, doc_parse(t->arena, text, NULL, NULL, NULL)->root);
		else
			doc_append(of, n);
	}
	for (n = of->frags; n != NULL; n = n->next)
		spell_nodes(t, n);
}

/* Writes the schemas to which operations refer. */
static void
write_referenced(struct spelling *t, struct buf *b)
{
	const cJSON *first = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(t->document, "data"), "openapi"), *one;
	size_t before = b->n, begun;

	buf_str(b, "\n## Schemas\n\n");
	begun = b->n;
	write_rest(t, first, b);
	cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(first, "others"))
		write_rest(t, one, b);
	/* The text must end with one line break. Without schemas, remove the heading. */
	buf_cut(b, b->n == begun ? b->n - before : 1);
}

struct str
computed_spell_out(struct db *db, struct arena *a, const struct point *p, struct str markdown)
{
	struct spelling t = { .arena = a, .written = map_new(a), .sets = map_new(a) };
	const char *body = markdown.n == 0 ? NULL : memmem(markdown.p, markdown.n, "\n\n", 2);
	struct str rest, json;
	struct doc *d;
	struct buf b;

	if (body == NULL || memmem(markdown.p, markdown.n, "openapi-", 8) == NULL)
		return markdown;
	rest = str_slice(markdown, (size_t)(body + 2 - markdown.p), markdown.n);
	json = computed_fill(db, a, p, doc_json_of(a, rest));
	t.document = cJSON_ParseWithLength(json.p, json.n);
	/*
	 * If no specification was filled in, the page has no tag but only code that shows one, or
	 * its specifications do not exist.
	 */
	if (cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(t.document, "data"), "openapi") == NULL)
		return markdown;
	d = doc_parse(a, rest, NULL, NULL, NULL);
	spell_nodes(&t, d->root);
	buf_init(&b, a, MAX_TEXT);
	buf_add(&b, markdown.p, markdown.n - rest.n);
	doc_markdown(&b, d, NULL);
	write_referenced(&t, &b);
	return buf_view(&b);
}
