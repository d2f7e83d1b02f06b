/*
 * The nodes that tags become. A row of the table has the name of a tag and its behaviour:
 *
 *   FRAME  opens a node; what follows up to the end tag are its children
 *   VOID   is a node by itself. An end tag may follow it; what is between them is its caption, or
 *          generated text, which is dropped
 *
 * Retired forms are further names of the same nodes. The API blocks that people formerly wrote by
 * hand (swagger with parameters, api-method) have no corresponding node and stay unknown: their
 * tags are kept as raw text, and the Markdown between them is read.
 */
#include <ctype.h>
#include <stdlib.h>

#include "base/map.h"
#include "../doc_parse.h"

enum behaviour { FRAME, VOID_CAPTION, VOID_DROP };

/*
 * A frame is found by the name of its end tag, so each retired name closes only its own frames.
 * make() returns NULL if the tag lacks what the node needs: then its source is kept as text.
 */
struct tag_rule {
	const char    *name;
	enum behaviour how;
	struct doc_node *(*make)(struct conv *c, struct tag *t);
};

static struct doc_node *
make_hint(struct conv *c, struct tag *t)
{
	/*
	 * Mistakes that occur in real repositories, and names that other tools use
	 * (docs/design/markdown.md, "Styles of hints").
	 */
	static const char *const near[][2] = { { "tip", "success" }, { "infos", "info" },
		{ "warn", "warning" }, { "note", "info" }, { "error", "danger" }, { "important", "info" },
		{ "caution", "warning" }, { "working", "info" } };
	struct doc_node *n = doc_node(c->a, DOC_HINT);
	const char *given = tag_get(t, "style"), *style = given;

	if (style == NULL || !doc_in_set("info,warning,danger,success", style)) {
		style = "info";
		for (size_t i = 0; given != NULL && i < sizeof(near) / sizeof(*near); i++)
			if (strcasecmp(given, near[i][0]) == 0)
				style = near[i][1];
		if (given == NULL)
			conv_warn(c, c->line, "a hint without a style is shown as %s", style);
		else
			conv_warn(c, c->line, "there is no hint style \"%s\"; it is shown as %s", given, style);
	}
	doc_set_str(c->a, n, "style", style);
	doc_set_str(c->a, n, "icon", tag_get(t, "icon"));
	return n;
}

/* Sets every attribute of the tag that the node's field table contains. */
static struct doc_node *
set_attributes(struct conv *c, struct doc_node *n, const struct tag *t)
{
	const struct doc_field *f;
	const char *v;
	char *end;
	double d;

	for (f = doc_kinds[n->type].fields; f->name != NULL; f++) {
		v = tag_get(t, f->name);
		/* A value outside of the set is ignored, since an import must accept anything. */
		if (v == NULL || (f->set != NULL && !doc_in_set(f->set, v)))
			continue;
		if (f->kind == ATTR_BOOL)
			doc_set_bool(c->a, n, f->name, strcmp(v, "false") != 0);
		else if (f->kind == ATTR_STRING)
			doc_set_str(c->a, n, f->name, v);
		else if (f->kind == ATTR_NUMBER && (d = strtod(v, &end), end != v && d >= 1 && d <= 1e6))
			doc_set_num(c->a, n, f->name, (double)(long)d);
	}
	return n;
}

#define MAKE(name, type) \
	static struct doc_node * \
	make_##name(struct conv *c, struct tag *t) \
	{ \
		return set_attributes(c, doc_node(c->a, type), t); \
	}
MAKE(tabs, DOC_TABS)
MAKE(tab, DOC_TABS_ITEM)
MAKE(code, DOC_CODE)
MAKE(stepper, DOC_STEPPER)
MAKE(step, DOC_STEPPER_STEP)
MAKE(columns, DOC_COLUMNS)

/* width="50%" -> {"value":50,"unit":"%"}; a plain number stays a number. */
static struct doc_node *
make_column(struct conv *c, struct tag *t)
{
	struct doc_node *n = set_attributes(c, doc_node(c->a, DOC_COLUMN), t);
	const char *w = tag_get(t, "width"), *v = tag_get(t, "valign");
	char *end;
	double d = w == NULL ? 0 : strtod(w, &end);

	/* Any other unit, such as "em", counts as pixels. */
	if (w != NULL && end != w && d > 0 && d <= 1e6 && (*end == '\0' || *end == '%' || isalpha((unsigned char)*end)))
		doc_set_json(c->a, n, "width", *end == '\0' ? arena_printf(c->a, "%.15g", d)
		    : arena_printf(c->a, "{\"value\":%.15g,\"unit\":\"%s\"}", d, *end == '%' ? "%" : "px"));
	if (v != NULL && doc_in_set("top,middle,bottom", v))
		doc_set_str(c->a, n, "verticalAlignment", v);
	return n;
}

static struct doc_node *
make_updates(struct conv *c, struct tag *t)
{
	struct doc_node *n = set_attributes(c, doc_node(c->a, DOC_UPDATES), t);

	if (doc_attr_str(n, "format") == NULL)
		/* The schema requires a format, which the tag may lack. */
		doc_set_str(c->a, n, "format", "full");
	return n;
}

/* Date as an RFC 3339 time; a date alone is midnight UTC. */
static struct doc_node *
make_update(struct conv *c, struct tag *t)
{
	struct doc_node *n = doc_node(c->a, DOC_UPDATE);
	const char *date = tag_get(t, "date"), *tags = tag_get(t, "tags");
	char text[25];
	int64_t ms = 0;

	/* The schema requires a date: use the start of 1970, with a warning, if it is invalid. */
	if (date == NULL || (!time_parse(date, &ms) &&
	    !time_parse(arena_printf(c->a, "%.64sT00:00:00Z", date), &ms))) {
		conv_warn(c, c->line, "update: \"%s\" is no date, as 2026-01-31 is: 1970-01-01 is shown", date == NULL ? "" : date);
		ms = 0;
	}
	time_format(ms, text);
	doc_set_str(c->a, n, "date", arena_strdup(c->a, text));
	if (tags != NULL && *tags != '\0')
		doc_set_list(c->a, n, "tags", doc_list_split(c->a, tags, ','));
	return n;
}

/* The schema requires a description, which may be empty. */
static struct doc_node *
make_prompt(struct conv *c, struct tag *t)
{
	struct doc_node *n = set_attributes(c, doc_node(c->a, DOC_PROMPT), t);

	if (doc_attr_str(n, "description") == NULL)
		doc_set_str(c->a, n, "description", "");
	return n;
}

/* Makes {% if %}: all text after the name is the expression. */
static struct doc_node *
make_if(struct conv *c, struct tag *t)
{
	struct doc_node *n = doc_node(c->a, DOC_IF);

	doc_set_str(c->a, n, "expression", arena_strndup(c->a, t->args.p, t->args.n));
	return n;
}

static struct doc_node *
make_content_ref(struct conv *c, struct tag *t)
{
	/* The retired page-ref has page=. */
	const char *url = tag_get(t, "url") != NULL ? tag_get(t, "url") : tag_get(t, "page");
	struct doc_node *n;

	if (url == NULL)
		return NULL;
	n = doc_node(c->a, DOC_CONTENT_REF);
	doc_set_ref(c->a, n, "ref", conv_target(c, str_of(url), USE_LINK));
	return n;
}

/* caption= is the form of old exports; it is written as a paragraph before the end tag. */
static struct doc_node *
add_caption(struct conv *c, struct doc_node *n, const char *caption)
{
	struct doc_node *p;

	if (caption == NULL || *caption == '\0')
		return n;
	p = doc_node(c->a, DOC_PARAGRAPH);
	doc_text(c->a, p, str_of(caption), 0);
	doc_append(doc_fragment(c->a, n, "caption"), p);
	return n;
}

static struct doc_node *
make_embed(struct conv *c, struct tag *t)
{
	struct doc_node *n = set_attributes(c, doc_node(c->a, DOC_EMBED), t);

	return doc_attr_str(n, "url") == NULL ? NULL : add_caption(c, n, tag_get(t, "caption"));
}

/* A file block is for files of the space; others are embedded. */
struct doc_node *
file_block(struct conv *c, const char *src)
{
	struct doc_target *target = conv_file(c, str_of(src));
	struct doc_node *n;

	if (target->ref.kind == REF_URL && spelling_absolute(str_of(target->ref.url))) {
		n = doc_node(c->a, DOC_EMBED);
		doc_set_str(c->a, n, "url", target->ref.url);
		return n;
	}
	if (target->ref.kind == REF_URL) {
		/*
		 * The schema requires a file. A missing one keeps its spelling as its id, by which
		 * it is written back.
		 */
		target->ref.kind = REF_FILE;
		target->ref.id = target->ref.url;
	}
	n = doc_node(c->a, DOC_FILE);
	doc_set_ref(c->a, n, "ref", target);
	return n;
}

static struct doc_node *
make_file(struct conv *c, struct tag *t)
{
	const char *src = tag_get(t, "src");

	return src == NULL ? NULL : add_caption(c, file_block(c, src), tag_get(t, "caption"));
}

static struct doc_node *
make_include(struct conv *c, struct tag *t)
{
	const char *path = tag_quoted(c->a, t);
	struct doc_target *target;
	struct doc_node *n;

	if (path == NULL)
		return NULL;
	target = conv_target(c, str_of(path), USE_INCLUDE);
	/*
	 * The schema allows only references to reusable content here. As for files, any other
	 * target becomes such a reference, with the spelling as its id.
	 */
	if (target->ref.kind != REF_REUSABLE) {
		target->ref.id = target->spelling;
		target->ref.kind = REF_REUSABLE;
	}
	n = doc_node(c->a, DOC_REUSABLE);
	doc_set_ref(c->a, n, "ref", target);
	return n;
}

static struct doc_node *
make_openapi(struct conv *c, struct tag *t)
{
	struct doc_node *n = doc_node(c->a, DOC_SWAGGER);
	const char *src = tag_get(t, "src");
	struct doc_target *target;

	if (src == NULL)
		return NULL;
	target = conv_target(c, str_of(src), USE_OPENAPI);
	if (target->ref.kind != REF_FILE && target->ref.kind != REF_URL) {
		target->ref.kind = REF_URL;
		target->ref.url = target->spelling;
	}
	doc_set_ref(c->a, n, "ref", target);
	set_attributes(c, n, t);
	/* The schema requires both; a tag for the whole description has neither. */
	if (doc_attr_str(n, "path") == NULL)
		doc_set_str(c->a, n, "path", "");
	if (doc_attr_str(n, "method") == NULL)
		doc_set_str(c->a, n, "method", "");
	return n;
}

static struct doc_node *
spec_node(struct conv *c, struct tag *t, enum doc_type type)
{
	struct doc_node *n = doc_node(c->a, type);
	struct doc_target *target = arena_alloc(c->a, sizeof(*target));
	const char *schemas = tag_get(t, "schemas");
	const struct doc_field *f;

	/*
	 * spec= is the slug of a specification and no path, so it is not looked up, and doc_links
	 * does not report it.
	 */
	target->spelling = target->ref.id = tag_get(t, "spec") != NULL ? tag_get(t, "spec") : "";
	target->ref.kind = REF_OPENAPI;
	doc_set_ref(c->a, n, "ref", target);
	set_attributes(c, n, t);
	/* Required attributes must exist. An empty text counts as missing. */
	for (f = doc_kinds[type].fields; f->name != NULL; f++)
		if (f->needed && f->kind == ATTR_STRING && doc_attr(n, f->name) == NULL)
			doc_set_str(c->a, n, f->name, "");
	if (type == DOC_OPENAPI_SCHEMAS)
		doc_set_list(c->a, n, "schemas",
		    doc_list_split(c->a, schemas != NULL ? schemas : tag_get(t, "schema"), ','));
	return n;
}

#define MAKE_SPEC(name, type) \
	static struct doc_node * \
	make_##name(struct conv *c, struct tag *t) \
	{ \
		return spec_node(c, t, type); \
	}
MAKE_SPEC(operation, DOC_OPENAPI_OPERATION)
MAKE_SPEC(schemas, DOC_OPENAPI_SCHEMAS)
MAKE_SPEC(webhook, DOC_OPENAPI_WEBHOOK)

/* {% @integration/block key="value" %}: attributes become props; url becomes data. */
static struct doc_node *
make_integration(struct conv *c, struct tag *t)
{
	struct doc_node *n = doc_node(c->a, DOC_INTEGRATION);
	const char *slash = memchr(t->name.p, '/', t->name.n);
	struct map *seen = map_new(c->a);
	const struct tag_attr *x;
	struct buf out;
	struct json j;
	size_t at = slash == NULL ? t->name.n : (size_t)(slash - t->name.p);

	doc_set_str(c->a, n, "integration", arena_strndup(c->a, t->name.p + 1, at - 1));
	doc_set_str(c->a, n, "block", slash == NULL ? "" : arena_strndup(c->a, slash + 1, t->name.n - at - 1));
	doc_set_str(c->a, n, "url", tag_get(t, "url"));
	if (tag_get(t, "fullWidth") != NULL)
		doc_set_bool(c->a, n, "fullWidth", strcmp(tag_get(t, "fullWidth"), "false") != 0);
	buf_init(&out, c->a, (size_t)1 << 30);
	json_init(&j, &out);
	json_obj(&j);
	for (x = t->attrs; x != NULL; x = x->next) {
		/*
		 * Equal names would be equal members of one object: the first counts, as in
		 * tag_get().
		 */
		if (map_add(seen, str_of(x->name), NULL) && strcmp(x->name, "url") != 0 &&
		    strcmp(x->name, "fullWidth") != 0)
			json_kstr(&j, x->name, x->value);
	}
	json_end(&j);
	n->props = out.p;
	return n;
}

static const struct tag_rule rules[] = {
	{ "hint", FRAME, make_hint },             { "tabs", FRAME, make_tabs },
	{ "tab", FRAME, make_tab },               { "code", FRAME, make_code },
	{ "stepper", FRAME, make_stepper },       { "step", FRAME, make_step },
	{ "columns", FRAME, make_columns },       { "column", FRAME, make_column },
	{ "updates", FRAME, make_updates },       { "update", FRAME, make_update },
	{ "prompt", FRAME, make_prompt },         { "if", FRAME, make_if },
	{ "code-tabs", FRAME, make_tabs },        { "code-tabs-item", FRAME, make_tab },
	{ "content-ref", VOID_DROP, make_content_ref }, { "page-ref", VOID_DROP, make_content_ref },
	{ "embed", VOID_CAPTION, make_embed },    { "file", VOID_CAPTION, make_file },
	{ "include", VOID_DROP, make_include },
	{ "openapi", VOID_DROP, make_openapi },   { "openapi-operation", VOID_DROP, make_operation },
	{ "openapi-schemas", VOID_DROP, make_schemas }, { "openapi-webhook", VOID_DROP, make_webhook },
	{ "swagger", VOID_DROP, make_openapi },
};

static const struct tag_rule *
find_rule(const struct tag *t)
{
	static const struct tag_rule integration = { "@", VOID_CAPTION, make_integration };

	/*
	 * Compare the first letter first: most names differ there, and each tag is looked up
	 * several times.
	 */
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (t->name.n > 0 && t->name.p[0] == rules[i].name[0] && str_is(t->name, rules[i].name))
			return &rules[i];
	return t->name.p[0] == '@' && t->name.n > 1 ? &integration : NULL;
}

/* True if the tag becomes a node. Of "swagger" only the form with a source does. */
bool
tag_known(const struct tag *t)
{
	if (find_rule(t) == NULL)
		return false;
	return t->end || !str_is(t->name, "swagger") || str_find(t->args, "src=").p != NULL;
}

/* Append detached siblings to a node again. */
static void
append_all(struct doc_node *to, struct doc_node *first)
{
	struct doc_node *next;

	for (; first != NULL; first = next) {
		next = first->next;
		doc_append(to, first);
	}
}

/*
 * The end tag of a void node. The paragraphs after the node become its caption; a single generated
 * paragraph is dropped; anything else stays.
 */
static bool
void_end(struct stream *st, const struct tag_rule *r)
{
	struct doc_node *open = st->top->open, *first, *next, *caption;

	/*
	 * Only the last such node of the innermost frame can be completed: otherwise the end tag
	 * has no start.
	 */
	if (open == NULL || strcmp(st->top->open_tag, r->name) != 0)
		return false;
	st->top->open = NULL;
	first = open->next;
	/*
	 * Only one paragraph can be the generated link. Several were written by an author, so they
	 * are kept.
	 */
	if (first == NULL || (r->how == VOID_DROP && (first->next != NULL || first->type != DOC_PARAGRAPH)))
		return true;
	/* Detach the blocks after the node: they become the caption, or are appended again. */
	st->top->node->last = open;
	open->next = NULL;
	if (r->how == VOID_DROP)
		return true;
	caption = doc_fragment_of(open, "caption");
	for (; first != NULL; first = next) {
		next = first->next;
		if (first->type != DOC_PARAGRAPH || open->type == DOC_INTEGRATION) {
			append_all(st->top->node, first);
			break;
		}
		if (first->child != NULL && caption == NULL)
			caption = doc_fragment(st->c->a, open, "caption");
		if (first->child != NULL)
			doc_append(caption, first);
	}
	return true;
}

/*
 * True if a tag could exceed DOC_DEPTH: it may add up to six levels (a parent, the node, a
 * fragment, its content).
 */
static bool
too_deep(const struct stream *st)
{
	return st->top->level + 6 > DOC_DEPTH;
}

static void
end_tag(struct stream *st, const struct tag_rule *r, struct tag *t, size_t line)
{
	struct frame *f;

	if (r->how != FRAME) {
		if (void_end(st, r))
			return;
		/*
		 * A {% swagger %} without src= was kept as raw text (tag_known()), so its end tag
		 * is, too.
		 */
		if (str_is(t->name, "swagger"))
			stream_raw(st, t->source);
		else
			conv_warn(st->c, line, "{%% end%s %%} without its beginning", r->name);
		return;
	}
	f = frame_find(st, r->name);
	if (f == NULL)
		conv_warn(st->c, line, "{%% end%s %%} without its beginning", r->name);
	else
		frame_close(st, f);
}

/*
 * The parent of a new node. A child tag outside of its parent gets a parent; an open sibling is
 * closed before.
 */
static struct doc_node *
find_owner(struct stream *st, const struct doc_node *n, const char *tag, size_t line)
{
	enum doc_type parent = doc_parent_of(n->type);
	struct doc_node *p;
	struct frame *f;
	bool apart;

	if (parent == DOC_TYPES)
		return st->top->node;
	/*
	 * Find the innermost open frame that is an unclosed sibling of the node, its parent, or a
	 * condition. Frames of outer containers (below st->base) cannot be closed from here.
	 */
	for (f = st->top; f != st->base && f->node->type != n->type && f->node->type != parent && f->node->type != DOC_IF; )
		f = f->up;
	/*
	 * A child tag must not close an {% if %} to get to its parent: content of the condition
	 * would be shown to all readers. Tabs, steps and updates inside a condition get a parent
	 * inside it.
	 */
	apart = f != st->base && f->node->type == DOC_IF;
	if (apart)
		f = st->base;
	if (f != st->base && f->node->type == n->type) {
		conv_warn(st->c, f->line, "{%% %s %%} is never closed", tag);
		frame_close(st, f);
	} else if (f != st->base)
		while (st->top != f)
			frame_close(st, st->top);
	if (st->top->node->type == parent)
		return st->top->node;
	/*
	 * The last block may be a parent that was closed too early, or that was made for the
	 * sibling before: it takes this child, too.
	 */
	p = st->top->node->last;
	if (p != NULL && p->type == parent)
		return p;
	if (!apart)
		conv_warn(st->c, line, "{%% %s %%} outside of its parent", tag);
	p = doc_node(st->c->a, parent);
	if (parent == DOC_UPDATES)
		doc_set_str(st->c->a, p, "format", "full");
	stream_add(st, p);
	return p;
}

/* tag_known() must be true for the tag. */
void
stream_tag(struct stream *st, struct tag *t, size_t line)
{
	const struct tag_rule *r = find_rule(t);
	struct doc_node *n, *owner, *before;
	struct frame *f;

	st->c->line = line;
	tag_attrs(st->c->a, t);
	if (t->end) {
		end_tag(st, r, t, line);
		return;
	}
	/* The node is made before its place is found: a tag that makes none must not close a sibling. */
	n = too_deep(st) ? NULL : r->make(st->c, t);
	if (n == NULL) {
		conv_warn(st->c, line, "{%% %s %%} cannot be read: kept as text", r->name);
		stream_raw(st, t->source);
		return;
	}
	owner = find_owner(st, n, r->name, line);
	before = owner->last;
	n->line = line;
	doc_append(owner, n);
	if (r->how != FRAME) {
		/* Following blocks may be its caption, which void_end() decides at the end tag. */
		st->top->open = n;
		st->top->open_tag = r->name;
		return;
	}
	f = frame_push(st, n, r->name, line);
	f->owner = owner;
	/* unwrap_frame() needs it, since lists are singly linked. */
	f->before = before;
}

/* Replace a frame's node by its children. */
static void
unwrap_frame(struct frame *f)
{
	struct doc_node *children = f->node->child;

	if (f->before == NULL)
		f->owner->child = NULL;
	else
		f->before->next = NULL;
	f->owner->last = f->before;
	f->node->child = f->node->last = NULL;
	append_all(f->owner, children);
}

/*
 * Moves children of the wrong type after the parent; replaces a parent without valid children by
 * its content.
 */
static void
close_parent(struct frame *f)
{
	enum doc_type want = doc_kinds[f->node->type].child;
	struct doc_node *n, *next, *all = f->node->child, *others = NULL, **end = &others;

	for (n = all; n != NULL && n->type != want; )
		n = n->next;
	if (n == NULL) {
		unwrap_frame(f);
		return;
	}
	f->node->child = f->node->last = NULL;
	for (n = all; n != NULL; n = next) {
		next = n->next;
		n->next = NULL;
		if (n->type == want)
			doc_append(f->node, n);
		else
			*end = n, end = &n->next;
	}
	append_all(f->owner, others);
}

void
code_lines(struct arena *a, struct doc_node *code, struct str text)
{
	struct doc_node *l;
	size_t from, to;

	if (text.n > 0 && text.p[text.n - 1] == '\n')
		text.n--;
	for (from = 0; from <= text.n; from = to + 1) {
		for (to = from; to < text.n && text.p[to] != '\n'; )
			to++;
		l = doc_node(a, DOC_CODE_LINE);
		doc_text(a, l, str_slice(text, from, to > from && text.p[to - 1] == '\r' ? to - 1 : to), 0);
		doc_append(code, l);
	}
}

/* Moves the options of {% code %} to the fence in it; other content stays. */
static void
close_code(struct stream *st, struct frame *f)
{
	struct doc_node *n = f->node->child;
	struct doc_attr *x;

	while (n != NULL && n->type != DOC_CODE)
		n = n->next;
	if (n == NULL && f->node->child == NULL) {
		/* An empty {% code %} is an empty code block with its options. */
		code_lines(st->c->a, f->node, STR(""));
		return;
	}
	if (n == NULL)
		conv_warn(st->c, f->line, "there is no fence in {%% code %%}; its options are left out");
	for (x = f->node->attrs; n != NULL && x != NULL; x = x->next)
		if (x->kind == ATTR_STRING)
			doc_set_str(st->c->a, n, x->name, x->v.s);
		else if (x->kind == ATTR_BOOL)
			doc_set_bool(st->c->a, n, x->name, x->v.b);
		else
			doc_set_num(st->c->a, n, x->name, x->v.n);
	unwrap_frame(f);
}

/* A prompt contains exactly one code block; other text becomes one. */
static void
close_prompt(struct stream *st, struct frame *f)
{
	struct doc_node *n, *code;
	const char *text;

	for (n = f->node->child; n != NULL && n->type != DOC_CODE; )
		n = n->next;
	if (n == NULL) {
		text = doc_plain_of(st->c->a, f->node);
		code = doc_node(st->c->a, DOC_CODE);
		doc_set_str(st->c->a, code, "syntax", "markdown");
		code_lines(st->c->a, code, str_of(text));
		f->node->child = f->node->last = code;
		return;
	}
	for (n = f->node->child; n->type != DOC_CODE; )
		n = n->next;
	code = n;
	/*
	 * Move the content before and after the code to a place after the prompt, in order, so that
	 * none is lost.
	 */
	n = f->node->child;
	f->node->child = f->node->last = NULL;
	for (struct doc_node *next; n != NULL; n = next) {
		next = n->next;
		doc_append(n == code ? f->node : f->owner, n);
	}
}

/* Requirements of the schema on children can only be checked at the end tag. */
void
frame_complete(struct stream *st, struct frame *f)
{
	switch (f->node->type) {
	case DOC_HINT:
	case DOC_FRAGMENT:
		/* The schema allows neither to be empty. The fragment is an expandable's body. */
		if (f->node->child == NULL)
			doc_append(f->node, doc_node(st->c->a, DOC_PARAGRAPH));
		break;
	case DOC_TABS:
	case DOC_STEPPER:
	case DOC_COLUMNS:
	case DOC_UPDATES:
		close_parent(f);
		break;
	case DOC_CODE:
		close_code(st, f);
		break;
	case DOC_PROMPT:
		close_prompt(st, f);
		break;
	default:
		break;
	}
}
