/*
 * Makes the pages, operations and schemas of a description.
 *
 * Tags are in the order of their declaration, followed by tags that only operations name;
 * operations without a tag have a page of their own. An operation is on the page of each of its
 * tags, and has a page of its own below each.
 */
#include <stdio.h>

#include "base/buf.h"
#include "base/slug.h"
#include "parts_inside.h"

/* In bytes. */
enum { TITLE_MAX = 300, DESCRIPTION_MAX = 200, METHOD_MAX = 40 };

#define OTHER "Other operations"

/* The description that is being split into parts. */
struct taker {
	struct part_writer              t;
	struct arena              *keep;        /* memory for the parts; t.arena is reset after each operation */
	struct map                *tags;        /* name -> struct openapi_page */
	/* Names in use, for unique_name(): slugs and names of pages, ids of operations. */
	struct map                *slugs, *names, *ids;
	struct map                *hidden;      /* names of tags that the author hides (x-internal) */
	struct openapi_page      **last_page;
	struct openapi_operation **last_operation;
	struct openapi_schema    **last_schema;
	int64_t                    page_no, operation_no, schema_no;
};

/* One line of the text (line_of()), in lower case, because methods may be spelled in any case. */
static const char *
lower_line(struct arena *a, struct str s, size_t max)
{
	char *out = arena_strdup(a, line_of(a, s, max)), *c;

	for (c = out; *c != '\0'; c++)
		*c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
	return out;
}

/* "" if the member is missing, or neither a string nor a number: versions are often not quoted. */
static const char *
member_line(struct arena *a, const struct value *m, const char *key, size_t max)
{
	return line_of(a, value_text(value_get(m, key)), max);
}

/*
 * A name that no other part has: with a number if it is taken. The values of the map are the last
 * numbers.
 */
static const char *
unique_name(struct arena *a, struct map *taken, const char *wanted)
{
	const char *name = wanted;
	uintptr_t n;

	if (map_add(taken, str_of(wanted), (void *)1))
		return name;
	/*
	 * Starts at the last number, so that 10^5 operations with one id do not try all numbers
	 * each.
	 */
	n = (uintptr_t)map_get(taken, str_of(wanted));
	do
		name = arena_printf(a, "%s-%zu", wanted, (size_t)++n);
	while (!map_add(taken, str_of(name), (void *)1));
	*map_at(taken, str_of(wanted)) = (void *)n;
	return name;
}

/* ---- pages ---- */

/* A slug that is unique below the same parent page. */
static const char *
unique_slug(struct taker *k, const struct openapi_page *parent, const char *slug)
{
	const char *key = parent == NULL ? slug : arena_printf(k->keep, "%lld/%s", (long long)parent->no, slug);

	key = unique_name(k->keep, k->slugs, key);
	return parent == NULL ? key : strchr(key, '/') + 1;
}

/* slug: the wanted one; NULL: made from the title. */
static struct openapi_page *
add_page(struct taker *k, struct openapi_page *parent, const char *kind, const char *name, const char *title,
    const char *slug)
{
	struct openapi_page *p = arena_alloc(k->keep, sizeof(*p));

	*p = (struct openapi_page){ .no = k->page_no++, .kind = kind, .name = name, .parent = parent,
		.title = *title != '\0' ? title : name, .description = "", .markdown = "" };
	p->slug = unique_slug(k, parent, slug != NULL ? slug : slug_from_title(k->keep, str_of(p->title)));
	p->last_use = &p->uses;
	*k->last_page = p;
	k->last_page = &p->next;
	return p;
}

static void
add_info(struct taker *k)
{
	const struct value *info = value_get(k->t.root, "info");
	struct openapi_page *p = add_page(k, NULL, "info", "info", member_line(k->keep, info, "title", TITLE_MAX),
	    "overview");

	p->markdown = overview_markdown(&k->t, k->keep);
	/*
	 * info.summary is new in 3.1; in older versions it is missing, and the description stays
	 * "".
	 */
	p->description = member_line(k->keep, info, "summary", DESCRIPTION_MAX);
}

/* The description of a tag, and the address of its documentation. */
static const char *
tag_text(struct taker *k, const struct value *declared)
{
	struct str text = value_text(value_get(declared, "description"));
	struct buf b;

	buf_init(&b, k->keep, text.n + (64 << 10));
	buf_put(&b, text);
	buf_str(&b, b.n > 0 && value_get(declared, "externalDocs") != NULL ? "\n\n" : "");
	add_documentation(k->keep, &b, declared);
	return b.n > 0 ? b.p : "";
}

/*
 * The page of a tag, made when it is first used. declared: the tag object; NULL if only an
 * operation names the tag.
 */
static struct openapi_page *
tag_page(struct taker *k, struct str name, const struct value *declared)
{
	/* "summary" is new in 3.2. */
	static const char *const titles[] = { "x-page-title", "x-displayName", "summary" };
	struct openapi_page *p = map_get(k->tags, name);
	const char *title;
	size_t i;

	if (p != NULL)
		return p;
	for (i = 0, title = ""; i < sizeof(titles) / sizeof(titles[0]) && *title == '\0'; i++)
		title = member_line(k->keep, declared, titles[i], TITLE_MAX);
	p = add_page(k, NULL, "operations", arena_strndup(k->keep, name.p, name.n),
	    *title != '\0' ? title : line_of(k->keep, name, TITLE_MAX), NULL);
	p->markdown = tag_text(k, declared);
	p->description = member_line(k->keep, declared, "x-page-description", DESCRIPTION_MAX);
	map_add(k->tags, str_of(p->name), p);
	return p;
}

/* ---- operations ---- */

/* The title of an operation; never empty. */
static const char *
operation_title(struct taker *k, const struct located_operation *f)
{
	const char *title = member_line(k->keep, f->op, "summary", TITLE_MAX);

	if (*title == '\0')
		title = member_line(k->keep, f->op, "operationId", TITLE_MAX);
	return *title != '\0' ? title : arena_printf(k->keep, "%s %.200s", f->method, f->path);
}

static void
put_on_page(struct taker *k, struct openapi_page *p, const struct openapi_operation *o)
{
	struct openapi_use *u = arena_alloc(k->keep, sizeof(*u));

	u->operation = o->no;
	*p->last_use = u;
	p->last_use = &u->next;
	p->weight += o->weight;
}

/* Adds the operation to the page of a tag, and the operation's own page below that. */
static void
put_below_tag(struct taker *k, struct openapi_page *tag, const struct openapi_operation *o)
{
	struct openapi_page *p;

	put_on_page(k, tag, o);
	p = add_page(k, tag, "operation", unique_name(k->keep, k->names, arena_printf(k->keep, "%s/%s", tag->name, o->id)),
	    o->title, NULL);
	p->method = o->method;
	p->path = o->path;
	put_on_page(k, p, o);
}

/* Add the operation only once if it names a tag twice, and not at all for a hidden tag. */
static void
put_on_pages(struct taker *k, const struct located_operation *f, const struct openapi_operation *o)
{
	const struct value *tags = value_get(f->op, "tags"), *m;
	struct map *here = map_new(k->t.arena);
	bool any = false;

	for (m = value_is(tags, VALUE_LIST) ? tags->first : NULL; m != NULL; m = m->next) {
		if (m->kind != VALUE_STRING || m->n == 0 || !map_add(here, value_text(m), NULL))
			continue;
		any = true;
		if (!map_has(k->hidden, value_text(m)))
			put_below_tag(k, tag_page(k, value_text(m), NULL), o);
	}
	if (!any)
		put_below_tag(k, tag_page(k, f->webhook ? STR("Webhooks") : STR(OTHER), NULL), o);
}

/*
 * The parts are made in t.arena and copied to keep: an operation may need megabytes while it is
 * made, and that arena is reset after each.
 */
static void
add_operation(struct taker *k, const struct located_operation *f)
{
	struct openapi_operation *o = arena_alloc(k->keep, sizeof(*o));
	const char *id = member_line(k->keep, f->op, "operationId", TITLE_MAX);
	struct json j, uses;
	struct buf b, names;

	*o = (struct openapi_operation){ .no = k->operation_no++, .webhook = f->webhook,
		.method = arena_strdup(k->keep, f->method), .path = arena_strdup(k->keep, f->path) };
	/*
	 * Many descriptions have two operations with the same operationId, which is a mistake:
	 * links need different ids.
	 */
	o->id = unique_name(k->keep, k->ids, *id != '\0' ? id : arena_printf(k->keep, "%s %s", f->method, f->path));
	o->title = operation_title(k, f);
	buf_init(&names, k->t.arena, (size_t)64 << 20);
	json_init(&uses, &names);
	json_arr(&uses);
	k->t.uses = &uses;
	k->t.used = map_new(k->t.arena);
	buf_init(&b, k->t.arena, (size_t)1 << 30);
	json_init(&j, &b);
	write_operation(&k->t, &j, f);
	json_end(&uses);
	o->uses = (struct str){ arena_strndup(k->keep, names.p, names.n), names.n };
	o->data = (struct str){ arena_strndup(k->keep, b.p, b.n), b.n };
	o->words = arena_strdup(k->keep, words_of_operation(&k->t, f));
	o->weight = weigh_operation(&k->t, f, b.n);
	put_on_pages(k, f, o);
	*k->last_operation = o;
	k->last_operation = &o->next;
	arena_reset(k->t.arena);
}

static void
add_method(struct taker *k, struct located_operation *f, const char *method, const struct value *op)
{
	f->method = method;
	f->op = openapi_deref(op);
	if (value_is(f->op, VALUE_MAP) && !is_internal(f->op))
		add_operation(k, f);
}

/*
 * Methods are tokens (RFC 9110, 9.1), of which letters, digits and "-_." occur. Other methods are
 * omitted: readers paste sample commands in which the method is not quoted.
 */
static bool
is_method(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (!((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'z') && !(s.p[i] >= '0' && s.p[i] <= '9') &&
		    (s.p[i] == '\0' || strchr("-_.", s.p[i]) == NULL))
			return false;
	return s.n > 0 && s.n <= METHOD_MAX && s.p[0] != '-';
}

/* Operations of a path item: by the methods that OpenAPI names, and others (3.2). */
static void
add_path_item(struct taker *k, struct located_operation *f)
{
	static const char *const methods[] = { "get", "put", "post", "delete", "options", "head", "patch", "trace", "query" };
	const struct value *m;
	size_t i;

	if (is_internal(f->item))
		return;
	for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		add_method(k, f, methods[i], value_get(f->item, methods[i]));
	for (m = value_members(value_get(f->item, "additionalOperations")); m != NULL; m = m->next)
		if (is_method(value_key(m)))
			add_method(k, f, lower_line(k->keep, value_key(m), METHOD_MAX), m);
}

static void
add_operations(struct taker *k, const struct value *items, bool webhooks)
{
	struct located_operation f = { .webhook = webhooks };
	const struct value *m, *target;

	for (m = value_members(items); m != NULL; m = m->next) {
		/* Extensions beside the paths are no path items. */
		if (!webhooks && str_starts(value_key(m), "x-"))
			continue;
		f.path = arena_strndup(k->keep, m->key_p, m->key_n);
		f.item = target = openapi_deref(m);
		add_path_item(k, &f);
		/* Members beside a reference (OpenAPI 3.1, "Path Item Object"). */
		if (target != m && value_is(value_get(m, "$ref"), VALUE_STRING)) {
			f.item = m;
			add_path_item(k, &f);
		}
	}
}

/* Removes the page of a declared tag without description, operations and child tags. */
static void
drop_empty_pages(struct openapi_parts *out)
{
	struct openapi_page **p, *below;

	for (below = out->pages; below != NULL; below = below->next)
		if (below->parent != NULL)
			below->parent->has_pages = true;
	for (p = &out->pages; *p != NULL; ) {
		if (strcmp((*p)->kind, "operations") == 0 && (*p)->uses == NULL && (*p)->markdown[0] == '\0' && !(*p)->has_pages)
			*p = (*p)->next;
		else
			p = &(*p)->next;
	}
}

/* ---- tags ---- */

/* True if the page is the other one or an ancestor of it. */
static bool
is_above(const struct openapi_page *p, const struct openapi_page *other)
{
	while (other != NULL && other != p)
		other = other->parent;
	return other != NULL;
}

/* Adds pages for the declared tags, in their order and hierarchy. */
static void
add_tags(struct taker *k)
{
	const struct value *m, *above;
	struct openapi_page *p, *parent;

	for (m = value_first(value_get(k->t.root, "tags")); m != NULL; m = m->next) {
		if (!value_is(value_get(m, "name"), VALUE_STRING))
			continue;
		if (is_internal(m))
			map_add(k->hidden, value_text(value_get(m, "name")), NULL);
		else
			tag_page(k, value_text(value_get(m, "name")), m);
	}
	for (m = value_first(value_get(k->t.root, "tags")); m != NULL; m = m->next) {
		above = value_get(m, "x-parent");
		/* A member of OpenAPI 3.2. */
		above = above != NULL ? above : value_get(m, "parent");
		p = map_get(k->tags, value_text(value_get(m, "name")));
		parent = map_get(k->tags, value_text(above));
		/* Break the cycle: tags that are below each other would be shown nowhere. */
		if (p == NULL || parent == NULL || is_above(p, parent))
			continue;
		p->parent = parent;
		p->slug = unique_slug(k, parent, slug_from_title(k->keep, str_of(p->title)));
	}
}

/* ---- schemas ---- */

static void
add_schema(struct taker *k, const struct value *schema)
{
	struct openapi_schema *s = arena_alloc(k->keep, sizeof(*s));
	struct json j, uses;
	struct buf b, names;

	buf_init(&names, k->t.arena, (size_t)64 << 20);
	json_init(&uses, &names);
	json_arr(&uses);
	k->t.uses = &uses;
	k->t.used = map_new(k->t.arena);
	buf_init(&b, k->t.arena, (size_t)1 << 30);
	json_init(&j, &b);
	write_value(&k->t, &j, schema, 0);
	json_end(&uses);
	*s = (struct openapi_schema){ .no = k->schema_no++, .name = arena_strndup(k->keep, schema->key_p, schema->key_n),
		.uses = { arena_strndup(k->keep, names.p, names.n), names.n },
		.data = { arena_strndup(k->keep, b.p, b.n), b.n } };
	s->words = arena_strdup(k->keep, words_of_model(&k->t, schema));
	s->weight = weigh_model(&k->t, schema, b.n);
	*k->last_schema = s;
	k->last_schema = &s->next;
	arena_reset(k->t.arena);
}

/* Adds the page of all models, and below it one page for each model. */
static void
add_models(struct taker *k)
{
	struct openapi_page *all = add_page(k, NULL, "models", "models", "Models", "models"), *p;
	const struct openapi_schema *s;

	for (s = k->t.out->schemas; s != NULL; s = s->next) {
		p = add_page(k, all, "model", s->name, line_of(k->keep, str_of(s->name), TITLE_MAX), NULL);
		p->weight = s->weight;
		all->weight += s->weight;
	}
}

/* Finds the schemas and security schemes of the description, and records the named schemas in t.names. */
static void
name_schemas(struct taker *k)
{
	const struct value *components = value_get(k->t.root, "components");
	bool old = k->t.version == OPENAPI_2_0;
	const struct value *m;

	k->t.schemas = old ? value_get(k->t.root, "definitions") : value_get(components, "schemas");
	k->t.security = old ? value_get(k->t.root, "securityDefinitions") : value_get(components, "securitySchemes");
	k->t.names = map_new(k->keep);
	for (m = value_members(k->t.schemas); m != NULL; m = m->next)
		map_add(k->t.names, (struct str){ arena_strndup(k->keep, (const char *)&m, sizeof(m)), sizeof(m) },
		    (void *)(uintptr_t)m);
}

void
openapi_take_apart(struct arena *a, const struct value *root, enum openapi_version version,
    struct openapi_parts *out)
{
	struct taker k = { .t = { .root = root, .version = version, .out = out }, .keep = a };
	const struct value *m;

	*out = (struct openapi_parts){ NULL };
	/* Within the caller's arena, so that it ends with that. */
	k.t.arena = arena_within(a, (size_t)2 << 30);
	k.tags = map_new(a);
	k.slugs = map_new(a);
	k.names = map_new(a);
	k.ids = map_new(a);
	k.hidden = map_new(a);
	k.last_page = &out->pages;
	k.last_operation = &out->operations;
	k.last_schema = &out->schemas;
	name_schemas(&k);
	add_info(&k);
	add_tags(&k);
	add_operations(&k, value_get(root, "paths"), false);
	add_operations(&k, value_get(root, "webhooks"), true);
	for (m = value_members(k.t.schemas); m != NULL; m = m->next)
		if (!is_internal(m))
			add_schema(&k, m);
	if (out->schemas != NULL)
		add_models(&k);
	drop_empty_pages(out);
}
