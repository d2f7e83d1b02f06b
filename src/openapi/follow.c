/*
 * Resolves references. The target of each "$ref" is stored in the field `first` of the value that is
 * its text: only lists and maps use that field for members, so no table of references is needed.
 *
 * A "$ref" inside an example, a default or an extension is data and stays unchanged. Names that the
 * author chose (of properties, responses, …) are no keywords: a property may be called "example".
 */
#include "base/url.h"
#include "openapi/check.h"
#include "openapi/uri.h"

enum { MAX_HOPS = 100 };   /* why_endless() reports it */

/* A chain of references that refer to references; it may be a cycle. */
struct chain {
	struct chain       *next;
	const struct value *from;
	const char         *pointer;
};

/*
 * files and targets cache the answers for repeated references: a description may refer to one
 * schema thousands of times.
 */
struct follow {
	struct arena               *arena;
	const struct openapi_input *in;
	struct schema_report       *report;
	struct openapi_file        *file;      /* the file being walked */
	struct openapi_file       **last;
	struct map                 *files;     /* URI -> struct openapi_file; NULL if the file cannot be read */
	struct map                 *targets;   /* absolute reference -> struct value */
	struct chain               *chains;
	size_t                      count;     /* of files */
	/*
	 * Limits for the next document; the bytes and values of each document that is read are
	 * subtracted.
	 */
	struct value_limits         left;
};

enum within {
	IN_OBJECT,   /* names are keywords */
	IN_NAMES,    /* names are the author's; names below them are keywords again */
	IN_EXAMPLES, /* names are the author's; below each is an example */
	IN_EXAMPLE,  /* an example object: its members are data */
	IN_DATA
};

static bool
is_listed(struct str s, const char *const *list)
{
	for (; *list != NULL; list++)
		if (str_is(s, *list))
			return true;
	return false;
}

/* The context of the members of a value's member `key`. */
static enum within
member_context(enum within where, struct str key, const struct value *v)
{
	/* Members that contain values of the API, not parts of the description. */
	static const char *const data[] = { "example", "default", "enum", "const", "dataValue", NULL };
	static const char *const names[] = { "properties", "patternProperties", "definitions", "$defs",
		"dependentSchemas", "schemas", "parameters", "responses", "headers", "requestBodies",
		"securitySchemes", "securityDefinitions", "links", "callbacks", "pathItems", "paths", "webhooks",
		"content", "encoding", "variables", "mediaTypes", "additionalOperations", NULL };

	if (where == IN_DATA)
		return IN_DATA;
	/* Below a name that the author chose keywords begin again, whatever the name is. */
	if (where == IN_NAMES)
		return IN_OBJECT;
	if (where == IN_EXAMPLES)
		return IN_EXAMPLE;
	if (where == IN_EXAMPLE)
		return IN_DATA;
	/* Extensions, and keywords with values of the author. `examples` of a schema is a list of such values. */
	if (str_starts(key, "x-") || is_listed(key, data) || (str_is(key, "examples") && v->kind == VALUE_LIST))
		return IN_DATA;
	if (v->kind == VALUE_MAP && str_is(key, "examples"))
		return IN_EXAMPLES;
	/* Only a map has names: `parameters` of an operation is a list of objects. */
	return v->kind == VALUE_MAP && is_listed(key, names) ? IN_NAMES : IN_OBJECT;
}

/* The pointer, after the address of the file unless it is the first one. */
static const char *
full_pointer(struct follow *f, const struct value_place *at)
{
	struct buf b;

	buf_init(&b, f->arena, 1 << 20);
	buf_str(&b, f->file->is_first ? "" : url_shown(f->arena, f->file->uri));
	if (b.n > 0)
		buf_char(&b, '#');
	value_pointer(&b, at);
	return b.p;
}

/* ---- documents ---- */

/* All documents together have the limits of one. */
static void
subtract_limits(struct follow *f, const struct openapi_file *file)
{
	size_t values = value_count(file->root);

	f->left.bytes -= file->text.n < f->left.bytes ? file->text.n : f->left.bytes;
	f->left.values -= values < f->left.values ? values : f->left.values;
}

/*
 * NULL: it was read and appended to the list, where openapi_follow() will walk it. Otherwise the
 * reason.
 */
static const char *
read_file(struct follow *f, struct openapi_file *file)
{
	const char *why = "it is another document, and this description has no address";

	if (f->in->load == NULL)
		return why;
	if (f->count == f->in->files)
		return arena_printf(f->arena, "more than %zu documents", f->in->files);
	f->count++;
	if (!f->in->load(f->in->ctx, file->uri, &file->text, &why))
		return why;
	file->root = value_read(f->arena, file->text, &f->left, &why);
	if (file->root == NULL)
		return why;
	subtract_limits(f, file);
	*f->last = file;
	f->last = &file->next;
	return NULL;
}

/* The document at an address; NULL, and *why, if it cannot be read. Each is requested once. */
static struct openapi_file *
find_file(struct follow *f, const char *uri, const char **why)
{
	struct openapi_file *file;

	if (map_has(f->files, str_of(uri))) {
		file = map_get(f->files, str_of(uri));
	} else {
		file = arena_alloc(f->arena, sizeof(*file));
		file->uri = uri;
		*why = read_file(f, file);
		if (*why != NULL)
			file = NULL;
		map_add(f->files, str_of(uri), file);
		return file;
	}
	if (file == NULL)
		*why = "that document cannot be read";
	return file;
}

/* ---- references ---- */

/*
 * NULL, and *why: it has no target. References are relative to the document that contains them (RFC
 * 3986, 5.1).
 */
static struct value *
find_target(struct follow *f, struct str ref, const char **why)
{
	char *uri = uri_join(f->arena, f->file->uri, ref), *document;
	struct openapi_file *file;
	struct str fragment;
	void **slot;
	struct value *v;

	v = map_get(f->targets, str_of(uri));
	if (v != NULL)
		return v;
	document = uri_split(f->arena, uri, &fragment);
	if ((file = find_file(f, document, why)) == NULL)
		return NULL;
	v = value_at(file->root, fragment, f->arena);
	if (v == NULL) {
		*why = "the document has nothing at that place";
		return NULL;
	}
	slot = map_at(f->targets, str_of(uri));
	*slot = v;
	return v;
}

static void
follow_reference(struct follow *f, const struct value *holder, struct value *text, const struct value_place *at)
{
	struct str ref = value_text(text);
	struct chain *c;
	const char *why = NULL;

	/* The only change that is made to a tree after it was read. */
	text->first = find_target(f, ref, &why);
	if (text->first == NULL) {
		schema_report_add(f->report, full_pointer(f, at), arena_printf(f->arena,
		    "leads nowhere: %.*s: %s", (int)(ref.n < 200 ? ref.n : 200), ref.p, why));
	} else if (openapi_ref(text->first).p != NULL) {
		c = arena_alloc(f->arena, sizeof(*c));
		*c = (struct chain){ f->chains, holder, full_pointer(f, at) };
		f->chains = c;
	}
}

/*
 * Visits each value once and never follows a reference: the time is linear in the size of the
 * documents, whatever cycles there are.
 */
static void
walk_value(struct follow *f, struct value *v, enum within where, const struct value_place *at)
{
	struct value_place down = { .up = at, .in_list = v->kind == VALUE_LIST };
	struct value *m;

	for (m = value_first(v); m != NULL; m = m->next, down.index++) {
		down.v = m;
		if (v->kind == VALUE_LIST)
			walk_value(f, m, where, &down);
		else if ((where == IN_OBJECT || where == IN_EXAMPLE) && m->kind == VALUE_STRING
		    && str_is(value_key(m), "$ref"))
			follow_reference(f, v, m, &down);
		else if (m->kind >= VALUE_LIST && member_context(where, value_key(m), m) != IN_DATA)
			walk_value(f, m, member_context(where, value_key(m), m), &down);
	}
}

/* The target of a reference, or of a reference to one; NULL: v is no reference. */
static const struct value *
next_link(const struct value *v)
{
	const struct value *ref = value_get(v, "$ref");

	return value_is(ref, VALUE_STRING) ? ref->first : NULL;
}

/*
 * Why openapi_deref() gives up a chain of references: a second pointer that moves twice as fast
 * meets the first one in a cycle, and reaches the end of any other chain. If the report is full, the
 * chain is not examined, so that many references to one long chain cost no more than a few.
 */
static const char *
why_endless(const struct schema_report *report, const struct value *v)
{
	const struct value *slow = v, *fast = v;

	while (report->count < report->max && (fast = next_link(fast)) != NULL && (fast = next_link(fast)) != NULL) {
		slow = next_link(slow);
		if (slow == fast)
			return "leads in a circle of references";
	}
	return "leads through more than 100 references, one to the next; name what is meant itself";
}

void
openapi_follow(struct arena *a, struct openapi_file *first, const struct openapi_input *in,
    struct schema_report *report)
{
	struct follow f = { .arena = a, .in = in, .report = report, .last = &first->next, .count = 1,
		.left = in->limits };
	struct value_place top = { .v = NULL };
	struct chain *c;

	first->is_first = true;
	subtract_limits(&f, first);
	f.files = map_new(a);
	f.targets = map_new(a);
	map_add(f.files, str_of(first->uri), first);
	/* The list grows while it is walked. */
	for (f.file = first; f.file != NULL; f.file = f.file->next) {
		top.v = f.file->root;
		walk_value(&f, f.file->root, IN_OBJECT, &top);
	}
	for (c = f.chains; c != NULL; c = c->next)
		if (openapi_deref(c->from) == NULL)
			schema_report_add(report, c->pointer, why_endless(report, c->from));
}

struct str
openapi_ref(const struct value *v)
{
	const struct value *ref = value_get(v, "$ref");

	return value_is(ref, VALUE_STRING) ? value_text(ref) : (struct str){ NULL, 0 };
}

/* The result is not cached, because chains of references are short in descriptions that people write. */
const struct value *
openapi_deref(const struct value *v)
{
	const struct value *next;
	unsigned hops;

	for (hops = 0; hops < MAX_HOPS; hops++) {
		if ((next = next_link(v)) == NULL)
			return v;
		v = next;
	}
	return NULL;
}
