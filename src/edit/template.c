/* Templates as batches of changes. The contract is in edit/template.h. */
#include <assert.h>
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "app/assets.h"
#include "base/buf.h"
#include "base/secret.h"
#include "edit/template.h"
#include "layout/layout.h"

#define FOLDER "templates/"

/* Reads a template's file for the layout room: entries by path, bytes from the assets. */
static bool
read_asset(void *ctx, struct arena *a, const struct layout_entry *e, struct str *out)
{
	const struct asset *f = asset_find(arena_printf(a, "%s%.*s", (const char *)ctx, (int)e->path.n,
	    e->path.p));

	if (f != NULL)
		*out = asset_bytes(f);
	return f != NULL;
}

bool
template_known(const char *id)
{
	char path[200];
	/*
	 * The id comes from a client: a slash is refused, so that it can only name a folder of
	 * templates.
	 */
	int n = snprintf(path, sizeof(path), FOLDER "%s/SUMMARY.md", id);

	return n > 0 && (size_t)n < sizeof(path) && strchr(id, '/') == NULL && asset_find(path) != NULL;
}

static void
read_layout(struct arena *a, const char *folder, struct layout *out)
{
	/* The limits of a small import; templates are far below them. */
	static const struct layout_limits limits = { 1000, 32, 1 << 20, 1 << 20, 1000 };
	struct layout_source *src = arena_alloc(a, sizeof(*src));
	struct layout_entry *entries;
	const struct asset *first;
	size_t i, n;
	bool read;

	first = asset_folder(folder, &n);
	entries = arena_array(a, n, sizeof(*entries));
	for (i = 0; i < n; i++)
		entries[i] = (struct layout_entry){ .path = str_of(first[i].path + strlen(folder)),
			.mode = 0100644, .size = (int64_t)asset_bytes(&first[i]).n };
	*src = (struct layout_source){ entries, n, read_asset, (void *)folder };
	read = layout_read(a, src, "", &limits, out);
	/* Templates are part of the program, and a test reads them all. */
	assert(read);
	(void)read;
}

/*
 * In a batch ./welcome.md resolves to the page with the ref "welcome" (edit.h), unless a page of
 * the space has that path already. So refs, and the links to them, get a prefix that no page has.
 */
struct batch {
	struct arena *arena;
	const char   *prefix;
};

/* The name by which other operations of the batch refer to a page of the template. */
static const char *
make_ref(const struct batch *b, const struct layout_page *p)
{
	return arena_printf(b->arena, "%s%.*s", b->prefix, (int)(p->file->path.n - strlen(".md")),
	    p->file->path.p);
}

static const char *
prefix_refs(const struct batch *b, struct str body)
{
	static const char link[] = "](./";
	const char *at;
	struct buf out;

	buf_init(&out, b->arena, 1 << 20);
	while ((at = memmem(body.p, body.n, link, strlen(link))) != NULL) {
		size_t n = (size_t)(at - body.p) + strlen(link);

		buf_add(&out, body.p, n);
		buf_str(&out, b->prefix);
		body = str_slice(body, n, body.n);
	}
	buf_add(&out, body.p, body.n);
	return out.p;
}

static cJSON *
insert_page(const struct batch *b, const struct layout *l, const struct layout_page *p)
{
	cJSON *change = cJSON_CreateObject(), *props = cJSON_Parse(p->props), *v, *document;
	struct str body;
	bool read = layout_page_body(l, b->arena, p, &body);

	/* Templates are part of the program. */
	assert(read);
	(void)read;
	cJSON_AddStringToObject(change, "operation", "insert_page");
	cJSON_AddStringToObject(change, "ref", make_ref(b, p));
	cJSON_AddStringToObject(change, "title", p->title);
	if (p->parent != NULL)
		cJSON_AddStringToObject(change, "into", make_ref(b, p->parent));
	/* The properties have the names of a change's members: emoji, icon, description. */
	cJSON_ArrayForEach(v, props)
		cJSON_AddItemToObject(change, v->string, cJSON_Duplicate(v, true));
	document = cJSON_AddObjectToObject(change, "document");
	cJSON_AddStringToObject(document, "markdown", prefix_refs(b, body));
	return change;
}

bool
template_wants_spec(const char *id)
{
	return strcmp(id, "api-reference") == 0;
}

/* A computed page, as SUMMARY.md would declare it (computed/computed.h). */
static cJSON *
insert_spec(const char *spec)
{
	cJSON *change = cJSON_CreateObject(), *computed, *ref;

	cJSON_AddStringToObject(change, "operation", "insert_page");
	cJSON_AddStringToObject(change, "title", spec);
	computed = cJSON_AddObjectToObject(change, "computed");
	cJSON_AddStringToObject(computed, "type", "builtin:openapi");
	cJSON_AddTrueToObject(cJSON_AddObjectToObject(computed, "props"), "models");
	ref = cJSON_AddObjectToObject(cJSON_AddObjectToObject(cJSON_AddObjectToObject(computed, "dependencies"), "spec"),
	    "ref");
	cJSON_AddStringToObject(ref, "kind", "openapi");
	cJSON_AddStringToObject(ref, "spec", spec);
	return change;
}

cJSON *
template_changes(struct arena *a, const char *id, const char *spec)
{
	cJSON *changes = cJSON_CreateArray();
	/* A random id: no page of the space can have a path with this prefix. */
	const struct batch b = { a, arena_printf(a, "%s-", secret_id(a)) };
	const struct layout_page *p;
	struct layout layout;

	assert(template_known(id) && template_wants_spec(id) == (spec != NULL));
	read_layout(a, arena_printf(a, FOLDER "%s/", id), &layout);
	for (p = layout.pages; p != NULL; p = p->next)
		cJSON_AddItemToArray(changes, insert_page(&b, &layout, p));
	if (spec != NULL)
		/*
		 * The specification is added last, after the pages of the folder, because readers
		 * arrive at the first page.
		 */
		cJSON_AddItemToArray(changes, insert_spec(spec));
	return changes;
}
