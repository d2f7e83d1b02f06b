/* Nodes of the document tree, and the tables that define each type. */
#include <ctype.h>

#include "../doc_limit.h"
#include "markdown/document_tree.h"

/* A leaf's marks store the index; 0 is no colour. The names are those of the schema. */
const char *const doc_colors[16] = {
	"default", "green", "blue", "red", "orange", "yellow", "purple", "pink", "violet", "cyan",
	"$primary", "$info", "$success", "$warning", "$danger", "$tint"
};

/* Names as in the schema and in the attribute data-type. */
const char *const doc_column_kinds[COL_KINDS] = {
	[COL_TEXT] = "text", [COL_NUMBER] = "number", [COL_CHECKBOX] = "checkbox", [COL_FILES] = "files",
	[COL_USERS] = "users", [COL_RATING] = "rating", [COL_SELECT] = "select",
	[COL_CONTENT_REF] = "content-ref", [COL_IMAGE] = "image"
};

/* Names of the marks; the index is the number of the mark's bit. */
const char *const doc_marks[DOC_MARKS] = {
	"bold", "italic", "strikethrough", "code", "keyboard", "superscript", "subscript", "color"
};

/*
 * Entries of the field tables: kind, whether the schema requires the field, and the strings that it
 * allows. The order of a table is the order of the attributes in JSON and in tags.
 */
#define S(name)        { name, ATTR_STRING, false, NULL }
#define S_MUST(name)   { name, ATTR_STRING, true, NULL }
#define SET(name, set) { name, ATTR_STRING, false, set }
#define B(name)        { name, ATTR_BOOL, false, NULL }
#define N(name)        { name, ATTR_NUMBER, false, NULL }
#define REF(name)      { name, ATTR_REF, true, NULL }
#define REF_MAY(name)  { name, ATTR_REF, false, NULL }
#define END            { NULL, ATTR_STRING, false, NULL }
#define F(x)           static const struct doc_field f_##x[]

F(none)      = { END };
F(paragraph) = { SET("align", "start,center,end"), END };
F(heading)   = { S("id"), SET("align", "start,center,end"), N("level"), END };
F(ordered)   = { N("start"), END };
F(item)      = { B("checked"), END };
F(hint)      = { { "style", ATTR_STRING, true, "info,warning,danger,success" }, S("icon"), END };
F(code)      = { S("syntax"), S("title"), SET("overflow", "scroll,wrap"), B("lineNumbers"),
		 B("fullWidth"), B("expandable"), N("collapsedLineCount"), S("info"), END };
F(line)      = { B("highlighted"), END };
F(math)      = { S_MUST("formula"), END };
F(images)    = { SET("align", "center,left,right"), B("fullWidth"), B("withFrame"), END };
F(image)     = { REF("ref"), REF_MAY("refDark"), { "width", ATTR_JSON, false, NULL },
		 { "height", ATTR_JSON, false, NULL }, S("alt"), END };
F(ref)       = { REF("ref"), END };
F(link)      = { REF("ref"), S("title"), END };
F(drawing)   = { REF_MAY("ref"), S("url"), S("alt"), END };
F(embed)     = { S_MUST("url"), B("fullWidth"), END };
F(expand)    = { B("defaultExpanded"), END };
F(wide)      = { B("fullWidth"), END };
F(tab)       = { S("title"), S("icon"), S("slug"), END };
F(step)      = { S("icon"), S("color"), END };
F(column)    = { { "width", ATTR_JSON, false, NULL },
		 SET("verticalAlignment", "top,middle,bottom"), END };
F(updates)   = { { "format", ATTR_STRING, true, "numeric,full,short" }, END };
F(update)    = { S_MUST("date"), { "tags", ATTR_LIST, false, NULL }, END };
F(prompt)    = { S_MUST("description"), S("icon"), B("openInAIProviders"),
		 SET("defaultExpanded", "hidden,partial,full"), END };
F(integration) = { S_MUST("integration"), S_MUST("block"), S("url"), B("fullWidth"),
		 { "action", ATTR_JSON, false, NULL }, END };
F(swagger)   = { REF("ref"), S_MUST("path"), S_MUST("method"), B("expanded"), B("fullWidth"), END };
F(operation) = { REF("ref"), S_MUST("path"), S_MUST("method"), B("headless"), END };
F(schemas)   = { REF("ref"), { "schemas", ATTR_LIST, true, NULL }, B("grouped"), S("title"), END };
F(webhook)   = { REF("ref"), S_MUST("name"), S_MUST("method"), B("headless"), END };
F(if)        = { S_MUST("expression"), END };
F(emoji)     = { S_MUST("code"), END };
F(inline_image) = { REF("ref"), REF_MAY("refDark"), S("caption"), S("alt"),
		 SET("size", "original,line"), END };
F(button)    = { S_MUST("label"), { "kind", ATTR_STRING, true, "primary,secondary" },
		 SET("size", "small,medium,large"), S("icon"), REF_MAY("ref"),
		 SET("action", "search,ask,select"), S("query"), S("slug"), END };
F(icon)      = { S_MUST("icon"), S("color"), END };
F(expression) = { S_MUST("expression"), END };

#define NAMED(name, object)  name, { OPENING(name, object), sizeof(OPENING(name, object)) - 1 }
#define OPENING(name, object) "{\"object\":\"" object "\",\"type\":\"" name "\""

/*
 * The node types, grouped by content: blocks, inlines, children of one type, or nothing. isVoid is
 * written where the schema requires it.
 */
#define BLOCKS(name, f, data)       { NAMED(name, "block"), CLASS_BLOCK, HAS_BLOCKS, DOC_TYPES, -1, data, f_##f }
#define INLINES(name, f, data)      { NAMED(name, "block"), CLASS_BLOCK, HAS_INLINES, DOC_TYPES, -1, data, f_##f }
#define PARENT(name, f, data, c, v) { NAMED(name, "block"), CLASS_BLOCK, HAS_CHILDREN, c, v, data, f_##f }
#define VOID(name, f)               { NAMED(name, "block"), CLASS_BLOCK, HAS_NOTHING, DOC_TYPES, 1, true, f_##f }
#define INLINE(name, f)             { NAMED(name, "inline"), CLASS_INLINE, HAS_NOTHING, DOC_TYPES, 1, true, f_##f }

const struct doc_kind doc_kinds[DOC_TYPES] = {
	[DOC_PARAGRAPH]      = INLINES("paragraph", paragraph, false),
	[DOC_HEADING_1]      = INLINES("heading-1", heading, true),
	[DOC_HEADING_2]      = INLINES("heading-2", heading, true),
	[DOC_HEADING_3]      = INLINES("heading-3", heading, true),
	[DOC_LIST_UNORDERED] = PARENT("list-unordered", none, false, DOC_LIST_ITEM, -1),
	[DOC_LIST_ORDERED]   = PARENT("list-ordered", ordered, true, DOC_LIST_ITEM, -1),
	[DOC_LIST_TASKS]     = PARENT("list-tasks", none, false, DOC_LIST_ITEM, -1),
	[DOC_LIST_ITEM]      = BLOCKS("list-item", item, false),
	[DOC_BLOCKQUOTE]     = BLOCKS("blockquote", none, false),
	[DOC_HINT]           = BLOCKS("hint", hint, true),
	[DOC_CODE]           = PARENT("code", code, true, DOC_CODE_LINE, -1),
	[DOC_CODE_LINE]      = INLINES("code-line", line, true),
	[DOC_DIVIDER]        = VOID("divider", none),
	[DOC_MATH]           = VOID("math", math),
	[DOC_IMAGES]         = PARENT("images", images, true, DOC_IMAGE, 0),
	[DOC_IMAGE]          = VOID("image", image),
	[DOC_FILE]           = VOID("file", ref),
	[DOC_DRAWING]        = VOID("drawing", drawing),
	[DOC_EMBED]          = VOID("embed", embed),
	[DOC_CONTENT_REF]    = VOID("content-ref", ref),
	[DOC_TABLE]          = VOID("table", none),
	[DOC_EXPANDABLE]     = VOID("expandable", expand),
	[DOC_TABS]           = PARENT("tabs", wide, false, DOC_TABS_ITEM, -1),
	[DOC_TABS_ITEM]      = BLOCKS("tabs-item", tab, true),
	[DOC_STEPPER]        = PARENT("stepper", none, false, DOC_STEPPER_STEP, -1),
	[DOC_STEPPER_STEP]   = BLOCKS("stepper-step", step, true),
	[DOC_COLUMNS]        = PARENT("columns", wide, true, DOC_COLUMN, 0),
	[DOC_COLUMN]         = BLOCKS("column", column, true),
	[DOC_UPDATES]        = PARENT("updates", updates, true, DOC_UPDATE, -1),
	[DOC_UPDATE]         = BLOCKS("update", update, true),
	[DOC_PROMPT]         = PARENT("prompt", prompt, true, DOC_CODE, -1),
	[DOC_REUSABLE]       = VOID("reusable-content", ref),
	[DOC_INTEGRATION]    = VOID("integration", integration),
	[DOC_SWAGGER]        = VOID("swagger", swagger),
	[DOC_OPENAPI_OPERATION] = VOID("openapi-operation", operation),
	[DOC_OPENAPI_SCHEMAS] = VOID("openapi-schemas", schemas),
	[DOC_OPENAPI_WEBHOOK] = VOID("openapi-webhook", webhook),
	[DOC_IF]             = BLOCKS("if", if, true),
	[DOC_LINK]           = { NAMED("link", "inline"), CLASS_INLINE, HAS_INLINES, DOC_TYPES, -1, true, f_link },
	[DOC_INLINE_MATH]    = INLINE("inline-math", math),
	[DOC_ANNOTATION]     = { NAMED("annotation", "inline"), CLASS_INLINE, HAS_INLINES, DOC_TYPES, 0, false, f_none },
	[DOC_EMOJI]          = INLINE("emoji", emoji),
	[DOC_MENTION]        = INLINE("mention", ref),
	[DOC_INLINE_IMAGE]   = INLINE("inline-image", inline_image),
	[DOC_BUTTON]         = INLINE("button", button),
	[DOC_ICON]           = INLINE("icon", icon),
	[DOC_EXPRESSION]     = INLINE("expression", expression),
	[DOC_LEAF]           = { NAMED("leaf", ""), CLASS_OTHER, HAS_NOTHING, DOC_TYPES, -1, false, f_none },
	[DOC_FRAGMENT]       = { NAMED("fragment", ""), CLASS_OTHER, HAS_BLOCKS, DOC_TYPES, -1, false, f_none },
	[DOC_ROOT]           = { NAMED("document", ""), CLASS_OTHER, HAS_BLOCKS, DOC_TYPES, -1, false, f_none },
};

/* All three types of lists hold list items; returns the unordered one for them. */
enum doc_type
doc_parent_of(enum doc_type t)
{
	switch (t) {
	case DOC_CODE_LINE:    return DOC_CODE;
	case DOC_IMAGE:        return DOC_IMAGES;
	case DOC_LIST_ITEM:    return DOC_LIST_UNORDERED;
	case DOC_TABS_ITEM:    return DOC_TABS;
	case DOC_STEPPER_STEP: return DOC_STEPPER;
	case DOC_COLUMN:       return DOC_COLUMNS;
	case DOC_UPDATE:       return DOC_UPDATES;
	default:               return DOC_TYPES;
	}
}

/* All members except the type are zero. Every node of a parse is made here, so that all are counted. */
struct doc_node *
doc_node(struct arena *a, enum doc_type t)
{
	struct doc_node *n = arena_alloc(a, sizeof(*n));

	/* Aborts the parse if there are too many nodes; outside of a parse, as in doc_read, nothing is counted. */
	limit_node();
	n->type = t;
	return n;
}

/* Sets n->next to NULL: a caller that moves a list must read it before the call. */
void
doc_append(struct doc_node *parent, struct doc_node *n)
{
	n->next = NULL;
	if (parent->last == NULL)
		parent->child = n;
	else
		parent->last->next = n;
	parent->last = n;
}

void
doc_append_children(struct doc_node *to, const struct doc_node *from)
{
	struct doc_node *n, *next;

	for (n = from->child; n != NULL; n = next) {
		next = n->next;
		doc_append(to, n);
	}
}

/* name is not copied. A node has at most two fragments, so the loop is short. */
struct doc_node *
doc_fragment(struct arena *a, struct doc_node *owner, const char *name)
{
	struct doc_node *f = doc_node(a, DOC_FRAGMENT), **end = &owner->frags;

	f->text = str_of(name);
	while (*end != NULL)
		end = &(*end)->next;
	*end = f;
	return f;
}

struct doc_node *
doc_fragment_of(const struct doc_node *owner, const char *name)
{
	struct doc_node *f = owner->frags;

	while (f != NULL && !str_is(f->text, name))
		f = f->next;
	return f;
}

/*
 * Adds text, and joins it to the last leaf when the marks are equal. The room of a leaf doubles, so
 * that many short runs take linear time.
 */
void
doc_text(struct arena *a, struct doc_node *parent, struct str text, uint32_t marks)
{
	struct doc_node *l = parent->last;
	char *p;

	if (text.n == 0)
		return;
	if (l == NULL || l->type != DOC_LEAF || l->raw.p != NULL || l->marks != marks) {
		l = doc_node(a, DOC_LEAF);
		l->marks = marks;
		doc_append(parent, l);
	}
	/* room is 0 where the text is a slice of another text: copy it first. */
	if (l->text.n + text.n >= l->room) {
		l->room = l->text.n * 2 + text.n + 16;
		p = arena_bytes(a, l->room);
		if (l->text.n > 0)
			memcpy(p, l->text.p, l->text.n);
		l->text.p = p;
	}
	/* struct str has const bytes, but these are in the leaf's own room. */
	p = (char *)(uintptr_t)l->text.p + l->text.n;
	memcpy(p, text.p, text.n);
	p[text.n] = '\0';
	l->text.n += text.n;
}

/* Removes the last child if it is an empty leaf. */
void
doc_drop_empty(struct doc_node *parent)
{
	struct doc_node *n = parent->child;

	if (parent->last == NULL || parent->last->type != DOC_LEAF || parent->last->text.n > 0 ||
	    parent->last->raw.p != NULL)
		return;
	if (n == parent->last) {
		parent->child = parent->last = NULL;
		return;
	}
	while (n->next != parent->last)
		n = n->next;
	n->next = NULL;
	parent->last = n;
}

/* True for a leaf of white space only, with any marks. */
static bool
is_blank(const struct doc_node *n)
{
	return n->type == DOC_LEAF && n->raw.p == NULL && str_trim(n->text).n == 0;
}

/* Removes white space at both ends of a block's text, marked or not: in "<b>a </b> " it is in two leaves. */
void
inline_trim(struct doc_node *p)
{
	struct doc_node *n, *last = NULL;

	while (p->child != NULL && is_blank(p->child))
		p->child = p->child->next;
	for (n = p->child; n != NULL; n = n->next)
		last = is_blank(n) ? last : n;
	p->last = last;
	if (last == NULL)
		return;
	last->next = NULL;
	n = p->child;
	if (n->type == DOC_LEAF && n->raw.p == NULL)
		while (isspace((unsigned char)n->text.p[0]))
			n->text = str_slice(n->text, 1, n->text.n), n->room = 0;
	if (last->type == DOC_LEAF && last->raw.p == NULL)
		while (isspace((unsigned char)last->text.p[last->text.n - 1]))
			last->text.n--;
}

/* Adds a raw leaf. Raw leaves are never joined: each is one piece of source. */
void
doc_raw(struct arena *a, struct doc_node *parent, struct str raw, struct str text)
{
	struct doc_node *l = doc_node(a, DOC_LEAF);

	l->raw = (struct str){ arena_strndup(a, raw.p, raw.n), raw.n };
	l->text = text.n == 0 ? STR("") : (struct str){ arena_strndup(a, text.p, text.n), text.n };
	doc_append(parent, l);
}

/* The parser sets the attribute level only for levels 5 and 6. */
bool
doc_low_heading(const struct doc_node *n)
{
	return n->type == DOC_HEADING_3 && doc_attr(n, "level") != NULL;
}

/* A paragraph with an alignment is written as <p> and shown. */
bool
doc_is_invisible(const struct doc_node *n)
{
	const struct doc_node *leaf = n->child;

	if (n->type != DOC_PARAGRAPH || leaf == NULL || n->attrs != NULL)
		return false;
	while (leaf != NULL && leaf->type == DOC_LEAF && leaf->raw.p != NULL && leaf->text.n == 0)
		leaf = leaf->next;
	return leaf == NULL;
}

/* Returns NULL for an unset attribute. A node has a handful of attributes at most. */
struct doc_attr *
doc_attr(const struct doc_node *n, const char *name)
{
	struct doc_attr *t = n->attrs;

	while (t != NULL && strcmp(t->name, name) != 0)
		t = t->next;
	return t;
}

/* Returns NULL for an attribute that is unset or of another kind. */
const char *
doc_attr_str(const struct doc_node *n, const char *name)
{
	struct doc_attr *t = doc_attr(n, name);

	return t != NULL && t->kind == ATTR_STRING ? t->v.s : NULL;
}

/* Absent counts as false; use doc_attr() where the difference matters. */
bool
doc_attr_bool(const struct doc_node *n, const char *name)
{
	struct doc_attr *t = doc_attr(n, name);

	return t != NULL && t->kind == ATTR_BOOL && t->v.b;
}

/* Returns the attribute of that name; inserts it in the order of the field table if it is missing. */
static struct doc_attr *
set_attr(struct arena *a, struct doc_node *n, const char *name, enum attr_kind kind)
{
	const struct doc_field *f = doc_kinds[n->type].fields;
	struct doc_attr **at = &n->attrs, *t = doc_attr(n, name);

	if (t == NULL) {
		for (; f->name != NULL && strcmp(f->name, name) != 0; f++)
			/* Both lists are in the order of the table, so one pass over the table finds the position. */
			if (*at != NULL && strcmp((*at)->name, f->name) == 0)
				at = &(*at)->next;
		t = arena_alloc(a, sizeof(*t));
		t->name = f->name != NULL ? f->name : name;
		t->next = *at;
		*at = t;
	}
	t->kind = kind;
	return t;
}

/* Copies s. If s is NULL nothing is set, so callers need not check for absent attributes. */
void
doc_set_str(struct arena *a, struct doc_node *n, const char *name, const char *s)
{
	/* The API does not accept longer names of icons: leave such an icon out. */
	if (s == NULL || (strcmp(name, "icon") == 0 && strlen(s) > DOC_ICON_MAX))
		return;
	set_attr(a, n, name, ATTR_STRING)->v.s = arena_strdup(a, s);
}

void
doc_set_bool(struct arena *a, struct doc_node *n, const char *name, bool b)
{
	set_attr(a, n, name, ATTR_BOOL)->v.b = b;
}

void
doc_set_num(struct arena *a, struct doc_node *n, const char *name, double v)
{
	set_attr(a, n, name, ATTR_NUMBER)->v.n = v;
}

void
doc_set_ref(struct arena *a, struct doc_node *n, const char *name, struct doc_target *t)
{
	if (t != NULL)
		set_attr(a, n, name, ATTR_REF)->v.target = t;
}

/* json is not copied: the text of one value, which is written unchanged. */
void
doc_set_json(struct arena *a, struct doc_node *n, const char *name, const char *json)
{
	if (json != NULL)
		set_attr(a, n, name, ATTR_JSON)->v.s = json;
}

void
doc_set_list(struct arena *a, struct doc_node *n, const char *name, struct doc_list *l)
{
	set_attr(a, n, name, ATTR_LIST)->v.list = l;
}

/* s is not copied. */
void
doc_list_add(struct arena *a, struct doc_list ***end, const char *s)
{
	struct doc_list *l = arena_alloc(a, sizeof(*l));

	l->s = s;
	**end = l;
	*end = &l->next;
}

static const char *
without_backslashes(struct arena *a, struct str s, char separator)
{
	char *copy = arena_strndup(a, s.p, s.n), *to = copy;
	size_t i;

	for (i = 0; i < s.n; i++) {
		i += s.p[i] == '\\' && i + 1 < s.n && (s.p[i + 1] == separator || s.p[i + 1] == '\\');
		*to++ = s.p[i];
	}
	*to = '\0';
	return copy;
}

/* Trims parts and drops empty ones. Returns NULL if nothing is left, or if s is NULL. */
struct doc_list *
doc_list_split(struct arena *a, const char *s, char separator)
{
	struct doc_list *list = NULL, **end = &list;
	const char set[] = { separator, '\\', '\0' };
	struct str part;
	size_t n;

	for (; s != NULL; s = s[n] == '\0' ? NULL : s + n + 1) {
		/* After a backslash, a separator or a backslash is text. */
		for (n = strcspn(s, set); s[n] == '\\'; n += strcspn(s + n, set))
			n += s[n + 1] == separator || s[n + 1] == '\\' ? 2 : 1;
		part = str_trim((struct str){ s, n });
		/* "a,,b" and a trailing separator make no empty names. */
		if (part.n == 0)
			continue;
		*end = arena_alloc(a, sizeof(**end));
		(*end)->s = without_backslashes(a, part, separator);
		end = &(*end)->next;
	}
	return list;
}

void
doc_list_join(struct buf *out, const struct doc_list *l)
{
	const char *s;

	for (; l != NULL; l = l->next) {
		for (s = l->s; *s != '\0'; s++) {
			if (*s == ',' || *s == '\\')
				buf_char(out, '\\');
			buf_char(out, *s);
		}
		buf_str(out, l->next != NULL ? "," : "");
	}
}

/* list: names separated by commas. An empty s is in no list. */
bool
doc_in_set(const char *list, const char *s)
{
	size_t n = strlen(s);
	const char *p;

	/* A text with a comma could match several names at once. */
	for (p = n == 0 || memchr(s, ',', n) != NULL ? NULL : list; p != NULL; p = strchr(p, ',')) {
		p += *p == ',';
		/* Most names differ in the first letter, and each HTML tag searches a list of about fifty. */
		if (*p == *s && strncmp(p, s, n) == 0 && (p[n] == ',' || p[n] == '\0'))
			return true;
	}
	return false;
}

static void plain_table(struct buf *out, const struct doc_table *t, bool mentions);

/* Separates blocks by one line feed, however deep they nest. */
static void
plain_newline(struct buf *out)
{
	if (out->n > 0 && out->p[out->n - 1] != '\n')
		buf_char(out, '\n');
}

static void write_plain(struct buf *out, const struct doc_node *n, bool mentions);

/* Writes what a node without children contributes to plain text. */
static void
plain_void(struct buf *out, const struct doc_node *n, bool mentions)
{
	if (n->type == DOC_LEAF && n->text.n == 0 && n->raw.n > 1 && n->raw.p[1] != '!' && html_begins_block(n->raw) &&
	    out->n > 0 && strchr(" \n", out->p[out->n - 1]) == NULL)
		buf_char(out, ' ');   /* an invisible wrapper separates its neighbours */
	else if (n->type == DOC_LEAF)
		buf_put(out, n->text);
	else if (n->type == DOC_EMOJI)
		emoji_utf8(out, doc_attr_str(n, "code"));
	else if (n->type == DOC_BUTTON)
		buf_str(out, doc_attr_str(n, "label"));
	else if (n->type == DOC_INLINE_MATH || n->type == DOC_MATH)
		buf_str(out, doc_attr_str(n, "formula"));
	else if (n->type == DOC_TABLE)
		plain_table(out, n->table, mentions);
}

/*
 * Writes words for a mention: the name of the file, or the fragment, in its spelling. The title of
 * the target is not used, since it can change at any time.
 */
static void
plain_mention(struct buf *out, const struct doc_node *n)
{
	const struct doc_attr *ref = doc_attr(n, "ref");
	struct str s = ref == NULL || ref->v.target == NULL || ref->v.target->spelling == NULL ? STR("") :
	    str_of(ref->v.target->spelling);
	size_t i, from = 0;

	/* A fragment is more precise than the page's name, so it is used alone. */
	for (i = 0; i < s.n; i++)
		if (s.p[i] == '#' && i + 1 < s.n)
			s = str_slice(s, i + 1, s.n), i = 0;
	while (s.n > 0 && (s.p[s.n - 1] == '/' || s.p[s.n - 1] == '#'))
		s.n--;
	if (s.n > 3 && memcmp(s.p + s.n - 3, ".md", 3) == 0)
		s.n -= 3;
	if (s.n > 7 && strncasecmp(s.p + s.n - 7, "/README", 7) == 0)
		s.n -= 7;
	for (i = 0; i < s.n; i++)
		from = s.p[i] == '/' ? i + 1 : from;
	/* "../" names no file: the dots would be read as part of the sentence. */
	if (str_is(str_slice(s, from, s.n), ".") || str_is(str_slice(s, from, s.n), ".."))
		return;
	for (i = from; i < s.n; i++)
		buf_char(out, s.p[i] == '-' || s.p[i] == '_' ? ' ' : s.p[i]);
}

static void
write_plain(struct buf *out, const struct doc_node *n, bool mentions)
{
	const struct doc_node *c;
	bool block = doc_kinds[n->type].class == CLASS_BLOCK;

	/* The content of an {% if %} is hidden from some readers. */
	if (n->type == DOC_IF)
		return;
	if (block)
		plain_newline(out);
	plain_void(out, n, mentions);
	if (mentions && n->type == DOC_MENTION)
		plain_mention(out, n);
	if (n->type == DOC_TABS_ITEM && doc_attr_str(n, "title") != NULL)
		buf_str(out, doc_attr_str(n, "title"));
	/* Skip footnotes: their text would interrupt the sentence. */
	for (c = n->type == DOC_ANNOTATION ? NULL : n->frags; c != NULL; c = c->next)
		write_plain(out, c, mentions);
	for (c = n->child; c != NULL; c = c->next)
		write_plain(out, c, mentions);
	/* Adds nothing after an empty block: plain_newline() never writes a second line feed. */
	if (block)
		plain_newline(out);
}

/*
 * Search, anchors and previews use this text, which all readers may see, so conditional content is
 * left out.
 */
void
doc_plain(struct buf *out, const struct doc_node *n)
{
	write_plain(out, n, false);
}

void
doc_plain_with_mentions(struct buf *out, const struct doc_node *n)
{
	write_plain(out, n, true);
}

/* Writes a line for each cell. Numbers, boxes and targets are not searchable text. */
static void
plain_table(struct buf *out, const struct doc_table *t, bool mentions)
{
	const struct doc_column *c;
	const struct doc_record *r;
	const struct doc_list *l;
	size_t i;

	/* Search must not find a header that readers do not see. */
	for (c = t->columns; c != NULL && !t->hide_header; c = c->next) {
		plain_newline(out);
		buf_str(out, c->title);
	}
	for (r = t->records; r != NULL; r = r->next)
		for (i = 0; i < t->width; i++) {
			plain_newline(out);
			if (r->cells[i].blocks != NULL)
				write_plain(out, r->cells[i].blocks, mentions);
			for (l = r->cells[i].list; l != NULL; l = l->next)
				buf_str(out, l->s), buf_char(out, l->next != NULL ? ' ' : '\n');
		}
}

/* Returns the text of a block whose inlines are one run of text, or empty; p NULL if it holds more. */
static struct str
single_text(const struct doc_node *n)
{
	const struct doc_node *l = n->child;

	if (doc_kinds[n->type].content != HAS_INLINES || n->frags != NULL || n->type == DOC_ANNOTATION)
		return (struct str){ NULL, 0 };
	if (l == NULL)
		return STR("");
	return l->next == NULL && l->type == DOC_LEAF && l->text.n > 0 ? l->text : (struct str){ NULL, 0 };
}

/* Never returns NULL; the text has no trailing line feeds. */
const char *
doc_plain_of(struct arena *a, const struct doc_node *n)
{
	struct str lone = single_text(n);
	struct buf out;

	/* A shortcut for most headings: a buffer would take as long as the rest of their work. */
	if (lone.p != NULL) {
		while (lone.n > 0 && lone.p[lone.n - 1] == '\n')
			lone.n--;
		return lone.n == 0 ? "" : arena_strndup(a, lone.p, lone.n);
	}

	buf_init(&out, a, (size_t)1 << 30);
	doc_plain(&out, n);
	while (out.n > 0 && out.p[out.n - 1] == '\n')
		buf_cut(&out, 1);
	buf_fit(&out);
	return out.p;
}

const char *
doc_title_of(struct arena *a, const struct doc_node *n)
{
	struct str title = str_trim(str_of(doc_plain_of(a, n)));
	char *text = arena_strndup(a, title.p, title.n), *p;

	for (p = text; (p = strchr(p, '\n')) != NULL; )
		*p = ' ';
	return text;
}

bool
str_is_nocase(struct str s, const char *word)
{
	/*
	 * Upper and lower case of a letter differ in one bit. Most words differ in the first
	 * letter, so it is compared before the lengths.
	 */
	if (s.n == 0 || ((s.p[0] ^ word[0]) & ~0x20) != 0)
		return s.n == 0 && *word == '\0';
	return s.n == strlen(word) && strncasecmp(s.p, word, s.n) == 0;
}

/* Returns the rest of s from the match on, so its length is not that of word. */
struct str
str_find(struct str s, const char *word)
{
	/*
	 * The longest word for which memchr() is used. Longer words come from pages, which could
	 * repeat their first characters on purpose to make the search quadratic.
	 */
	enum { SIGN = 4 };
	size_t k = strlen(word);
	const char *p = s.p, *end = s.p + s.n;

	if (s.n < k)
		return (struct str){ NULL, 0 };
	if (k > SIGN)
		p = memmem(p, s.n, word, k);
	/*
	 * memchr() is vectorised and memmem() is not: it is faster to search the first character,
	 * which is usually rare, and then to compare.
	 */
	else
		while ((p = memchr(p, word[0], (size_t)(end - p))) != NULL && (size_t)(end - p) >= k && memcmp(p, word, k) != 0)
			p++;
	if (p == NULL || (size_t)(end - p) < k)
		return (struct str){ NULL, 0 };
	return str_slice(s, (size_t)(p - s.p), s.n);
}
