/*
 * Reads document JSON from clients and checks it against the type tables. Stops at the first error:
 * *where points to it, *why describes it. Unknown members are ignored. Missing keys and anchors are
 * generated.
 */
#include <math.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include "doc_read.h"

/* Limit of names in a JSON pointer, which is part of the answer: clients choose names of any length. */
enum { NAME_MAX_BYTES = 100 };

/* Writes one step of a JSON pointer (RFC 6901), with long names cut. */
static void
write_step(struct buf *out, const char *name)
{
	size_t n = strnlen(name, NAME_MAX_BYTES), i;

	/* The text is never cut inside a character, because the answer must be UTF-8. */
	while (n > 0 && (name[n] & 0xC0) == 0x80)
		n--;
	buf_char(out, '/');
	for (i = 0; i < n; i++)
		if (name[i] == '~' || name[i] == '/')
			buf_str(out, name[i] == '~' ? "~0" : "~1");
		else
			buf_char(out, name[i]);
}

/* Records the error. why must be a static text or in the reader's arena. */
const char *
read_fail(struct reader *r, const struct path *at, const char *why)
{
	struct buf b;
	/*
	 * A node adds two steps ("nodes", its number), a fragment two more; further steps are left
	 * out.
	 */
	const struct path *list[DOC_DEPTH * 4], *p;
	size_t n = 0;

	if (r->why != NULL)
		return NULL;
	for (p = at; p != NULL && n < DOC_DEPTH * 4; p = p->up)
		list[n++] = p;
	buf_init(&b, r->a, 65536);
	while (n-- > 0)
		if (list[n]->name != NULL)
			write_step(&b, list[n]->name);
		else
			buf_printf(&b, "/%zu", list[n]->index);
	r->where = b.n > 0 ? b.p : "";
	r->why = why;
	return NULL;
}

const cJSON *
read_member(const cJSON *o, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(o, name);
}

/*
 * Returns NULL where the member is missing or not a string. Compares names case-sensitively, unlike
 * cJSON by default.
 */
const char *
read_str(const cJSON *o, const char *name)
{
	return cJSON_GetStringValue(read_member(o, name));
}

static const char *
dup_text(struct reader *r, const char *s)
{
	return s == NULL ? NULL : arena_strdup(r->a, s);
}

/* Copies any JSON value as text. */
static void
copy_value(struct json *j, const cJSON *v, unsigned depth)
{
	const cJSON *c;

	if (cJSON_IsString(v))
		json_str(j, v->valuestring);
	else if (cJSON_IsNumber(v))
		json_num(j, v->valuedouble);
	else if (cJSON_IsBool(v))
		json_bool(j, cJSON_IsTrue(v));
	else if (!(cJSON_IsObject(v) || cJSON_IsArray(v)) || depth > 64)
		json_null(j);
	else {
		if (cJSON_IsObject(v))
			json_obj(j);
		else
			json_arr(j);
		for (c = v->child; c != NULL; c = c->next) {
			if (cJSON_IsObject(v))
				json_key(j, c->string);
			copy_value(j, c, depth + 1);
		}
		json_end(j);
	}
}

/* Returns the text in the arena, for json_raw() when the tree is written. */
static const char *
value_text(struct reader *r, const cJSON *v)
{
	struct buf b;
	struct json j;

	buf_init(&b, r->a, (size_t)1 << 30);
	json_init(&j, &b);
	copy_value(&j, v, 0);
	return b.p;
}

/* The same names as in doc_json.c. */
static const char *const ref_kinds[] = { [REF_NONE] = "", [REF_URL] = "url", [REF_FILE] = "file",
	[REF_PAGE] = "page", [REF_ANCHOR] = "anchor", [REF_SPACE] = "space", [REF_USER] = "user",
	[REF_COLLECTION] = "collection", [REF_REUSABLE] = "reusable-content", [REF_TAG] = "tag",
	[REF_OPENAPI] = "openapi" };

/*
 * Returns NULL after a failure. The spelling is NULL: the writer's refs decide how Markdown spells
 * the target. Does not check that the target exists.
 */
struct doc_target *
read_ref(struct reader *r, const cJSON *v, const struct path *at)
{
	/*
	 * For each kind, the member that contains the id: in the schema its name depends on the
	 * kind.
	 */
	static const char *const ids[] = { [REF_NONE] = "", [REF_URL] = "url", [REF_FILE] = "file",
		[REF_PAGE] = "page", [REF_ANCHOR] = "page", [REF_SPACE] = "space", [REF_USER] = "user",
		[REF_COLLECTION] = "collection", [REF_REUSABLE] = "reusableContent", [REF_TAG] = "tag",
		[REF_OPENAPI] = "spec" };
	struct doc_target *t = arena_alloc(r->a, sizeof(*t));
	const char *kind = read_str(v, "kind");
	int k;

	if (!cJSON_IsObject(v) || kind == NULL) {
		read_fail(r, at, "is no reference: an object with a kind is needed");
		return NULL;
	}
	/* The API has no kind REF_NONE. */
	for (k = REF_URL; k <= REF_OPENAPI && strcmp(ref_kinds[k], kind) != 0; )
		k++;
	if (k > REF_OPENAPI) {
		read_fail(r, at, "is a reference of an unknown kind");
		return NULL;
	}
	t->ref.kind = (enum doc_ref_kind)k;
	if (k == REF_URL)
		t->ref.url = dup_text(r, read_str(v, "url"));
	else
		t->ref.id = dup_text(r, read_str(v, ids[k]));
	t->ref.anchor = dup_text(r, read_str(v, "anchor"));
	/* For REF_SPACE, `space` is the id itself. */
	if (k != REF_SPACE)
		t->ref.space = dup_text(r, read_str(v, "space"));
	if ((k == REF_URL ? t->ref.url == NULL : k == REF_ANCHOR ? t->ref.anchor == NULL : t->ref.id == NULL)) {
		read_fail(r, at, "is a reference without its target");
		return NULL;
	}
	return t;
}

/* True if a node of that type may hold a reference of that kind. */
static bool
is_ref_allowed(enum doc_type t, enum doc_ref_kind k)
{
	switch (t) {
	case DOC_IMAGE:
	case DOC_INLINE_IMAGE:
	case DOC_SWAGGER:
		return k == REF_URL || k == REF_FILE;
	case DOC_FILE:
	case DOC_DRAWING:
		return k == REF_FILE;
	case DOC_REUSABLE:
		return k == REF_REUSABLE;
	case DOC_OPENAPI_OPERATION:
	case DOC_OPENAPI_SCHEMAS:
	case DOC_OPENAPI_WEBHOOK:
		return k == REF_OPENAPI;
	default:
		return true;
	}
}

/* Returns NULL for an empty list as well as after a failure. */
struct doc_list *
read_list(struct reader *r, const cJSON *v, const struct path *at)
{
	struct doc_list *list = NULL, **end = &list;
	const cJSON *c;
	const char *s;

	if (!cJSON_IsArray(v)) {
		read_fail(r, at, "must be a list");
		return NULL;
	}
	for (c = v->child; c != NULL; c = c->next) {
		/* Tags of an update are references in JSON (see doc_json.c). */
		s = cJSON_IsObject(c) ? read_str(c, "tag") : cJSON_GetStringValue(c);
		if (s == NULL) {
			read_fail(r, at, "must be a list of strings");
			return NULL;
		}
		*end = arena_alloc(r->a, sizeof(**end));
		(*end)->s = dup_text(r, s);
		end = &(*end)->next;
	}
	return list;
}

/* Reads a string. Rules that apply to one field only are checked here, and not in the field table. */
static void
read_string(struct reader *r, struct doc_node *n, const struct doc_field *f, const cJSON *v,
    const struct path *at)
{
	const char *s = cJSON_GetStringValue(v);
	int64_t ms;

	if (s == NULL)
		read_fail(r, at, "must be a string");
	else if (f->set != NULL && !doc_in_set(f->set, s))
		read_fail(r, at, arena_printf(r->a, "must be one of %s", f->set));
	else if (strcmp(f->name, "icon") == 0 && strlen(s) > DOC_ICON_MAX)
		read_fail(r, at, "must not be longer than 50 characters");
	/* write_update() of doc_write.c relies on this form of dates. */
	else if (n->type == DOC_UPDATE && strcmp(f->name, "date") == 0 && !time_parse(s, &ms))
		read_fail(r, at, "must be a date and time");
	else
		doc_set_str(r->a, n, f->name, dup_text(r, s));
}

/* A number is in pixels; an object has its own unit. */
static bool
is_length(const cJSON *v)
{
	return cJSON_IsNumber(v) || (cJSON_IsObject(v) && cJSON_IsNumber(read_member(v, "value")) &&
	    cJSON_IsString(read_member(v, "unit")));
}

/*
 * Reads one attribute of a node, by its kind in the field table. If a check fails the attribute may
 * be set nevertheless, since the tree is discarded.
 */
static void
read_field(struct reader *r, struct doc_node *n, const struct doc_field *f, const cJSON *v,
    const struct path *at)
{
	struct doc_target *t;

	switch (f->kind) {
	case ATTR_STRING:
		read_string(r, n, f, v, at);
		break;
	case ATTR_BOOL:
		if (!cJSON_IsBool(v))
			read_fail(r, at, "must be true or false");
		doc_set_bool(r->a, n, f->name, cJSON_IsTrue(v));
		break;
	case ATTR_NUMBER:
		/*
		 * CommonMark 5.2 allows nine digits in a list number; all other numbers of the
		 * tables are counts with the same limit.
		 */
		if (!cJSON_IsNumber(v) || floor(v->valuedouble) != v->valuedouble || v->valuedouble < 0 ||
		    v->valuedouble > 999999999 || (v->valuedouble < 1 && n->type == DOC_CODE))
			read_fail(r, at, "must be a whole number");
		/*
		 * The type gives the level of a heading, except for heading-3, which is used for
		 * levels 4 to 6.
		 */
		if (strcmp(f->name, "level") != 0 || (n->type == DOC_HEADING_3 && v->valuedouble >= 5 && v->valuedouble <= 6))
			doc_set_num(r->a, n, f->name, v->valuedouble);
		break;
	case ATTR_REF:
		t = read_ref(r, v, at);
		if (t != NULL && !is_ref_allowed(n->type, t->ref.kind))
			read_fail(r, at, "is a reference of a kind that is not allowed here");
		doc_set_ref(r->a, n, f->name, t);
		break;
	case ATTR_LIST:
		doc_set_list(r->a, n, f->name, read_list(r, v, at));
		break;
	case ATTR_JSON:
		/* An integration defines its own actions: do not check them. */
		if (n->type != DOC_INTEGRATION && !is_length(v))
			read_fail(r, at, "must be a length");
		doc_set_json(r->a, n, f->name, value_text(r, v));
		break;
	}
}

/*
 * Fields that the table marks as needed must be present: code that writes the tree relies on them.
 */
static void
read_data(struct reader *r, struct doc_node *n, const cJSON *o, const struct path *up)
{
	struct path data = { up, "data", 0 }, at = { &data, NULL, 0 };
	const cJSON *d = read_member(o, "data"), *v, *action;
	const struct doc_field *f;

	if (d != NULL && !cJSON_IsObject(d)) {
		read_fail(r, &data, "must be an object");
		return;
	}
	/* action is an object in JSON, but three attributes of the node in the tree. */
	action = n->type == DOC_BUTTON ? read_member(d, "action") : NULL;
	for (f = doc_kinds[n->type].fields; f->name != NULL && r->why == NULL; f++) {
		/* The field table drives this: members that it does not list are ignored. */
		at.name = f->name;
		v = read_member(d, f->name);
		if (action != NULL && (v == NULL || v == action) && doc_in_set("action,query,slug", f->name))
			v = read_member(action, f->name);
		/* Clients send null for unset members. */
		if (v == NULL || cJSON_IsNull(v)) {
			if (f->needed)
				read_fail(r, &at, "is missing");
			continue;
		}
		read_field(r, n, f, v, &at);
	}
	if (n->type == DOC_BUTTON && action == NULL && doc_attr(n, "ref") == NULL)
		read_fail(r, &data, "a button needs a ref or an action");
	if (n->type == DOC_INTEGRATION) {
		v = read_member(d, "props");
		n->props = cJSON_IsObject(v) ? value_text(r, v) : "{}";
	}
}

/* Returns 0 for default or absent, 16 for an unknown colour. */
static uint32_t
read_color(const cJSON *d, const char *name)
{
	const char *s = read_str(d, name);

	for (uint32_t i = 0; s != NULL && i < 16; i++)
		if (strcmp(s, doc_colors[i]) == 0)
			return i;
	return s == NULL ? 0 : 16;
}

/* A duplicate mark counts once. */
static uint32_t
read_marks(struct reader *r, const cJSON *list, const struct path *up)
{
	struct path at = { up, "marks", 0 };
	const cJSON *m, *d;
	const char *type;
	uint32_t marks = 0, i;

	if (!cJSON_IsArray(list)) {
		read_fail(r, &at, "must be a list");
		return 0;
	}
	for (m = list->child; m != NULL; m = m->next) {
		type = read_str(m, "type");
		for (i = 0; i < DOC_MARKS && (type == NULL || strcmp(type, doc_marks[i]) != 0); )
			i++;
		if (i == DOC_MARKS) {
			read_fail(r, &at, "holds a mark of an unknown type");
			return 0;
		}
		marks |= 1u << i;
		if (i != 7)
			continue;
		d = read_member(m, "data");
		if (read_color(d, "text") > 15 || read_color(d, "background") > 15)
			read_fail(r, &at, "holds an unknown color");
		/* The mask keeps an unknown colour (16) out of the neighbouring bits. */
		marks |= (read_color(d, "text") & 15) << MARK_TEXT_SHIFT | (read_color(d, "background") & 15) << MARK_BACK_SHIFT;
		/*
		 * Two default colours are no mark: the invariant for neighbouring leaves compares
		 * bits.
		 */
		if (marks >> MARK_TEXT_SHIFT == 0)
			marks &= ~(uint32_t)MARK_COLOR;
	}
	return marks;
}

/*
 * True if text is what a reader sees of raw. It is not if the client has changed the text: then the
 * raw source is ignored.
 */
static bool
is_raw_valid(struct reader *r, struct str raw, struct str text)
{
	return (str_starts(raw, "<") || str_starts(raw, "{%") || str_starts(raw, "[^") || str_starts(raw, "#")) &&
	    str_eq(html_visible(r->a, raw), text);
}

/* doc_text() joins neighbouring leaves with equal marks, as the parser does. */
static void
read_leaves(struct reader *r, const cJSON *o, struct doc_node *parent, const struct path *up)
{
	struct path list = { up, "leaves", 0 }, at = { &list, NULL, 0 };
	const cJSON *leaf, *leaves = read_member(o, "leaves");
	const char *text, *raw;
	uint32_t marks;

	if (!cJSON_IsArray(leaves)) {
		read_fail(r, &list, "must be a list");
		return;
	}
	for (leaf = leaves->child; leaf != NULL && r->why == NULL; leaf = leaf->next, at.index++) {
		text = read_str(leaf, "text");
		raw = read_str(leaf, "raw");
		/* Empty text is allowed, and adds no leaf. */
		if (text == NULL) {
			read_fail(r, &at, "a leaf needs its text");
			return;
		}
		marks = read_marks(r, read_member(leaf, "marks"), &at);
		if (raw != NULL && is_raw_valid(r, str_of(raw), str_of(text)))
			doc_raw(r->a, parent, str_of(raw), str_of(text));
		else
			doc_text(r->a, parent, str_of(text), marks);
	}
}

/*
 * Returns DOC_TYPES for an unknown type. Leaves, fragments and the document itself have no type
 * name.
 */
static enum doc_type
find_type(const char *name)
{
	int t;

	for (t = 0; t < DOC_LEAF; t++)
		if (name != NULL && strcmp(doc_kinds[t].name, name) == 0)
			break;
	return t < DOC_LEAF ? (enum doc_type)t : DOC_TYPES;
}

/* Returns NULL if a node of that type is allowed in the parent, else the reason why it is not. */
static const char *
misplacement_error(enum doc_type t, const struct doc_node *parent)
{
	const struct doc_kind *k = &doc_kinds[t], *p = &doc_kinds[parent->type];

	/*
	 * Links and annotations have this content too: inlines are allowed in them as in a
	 * paragraph.
	 */
	if (p->content == HAS_INLINES)
		return k->class == CLASS_INLINE ? NULL : "a block cannot stand among inlines";
	if (k->class == CLASS_INLINE)
		return "an inline must be inside a paragraph or heading";
	if (p->content == HAS_CHILDREN)
		return t == p->child ? NULL : "is not of the type that its parent holds";
	if (doc_parent_of(t) != DOC_TYPES)
		return "cannot stand outside of its parent";
	return NULL;
}

/* Clients name a fragment by `type` or by `fragment`; `type` has priority. */
static void
read_fragments(struct reader *r, const cJSON *o, struct doc_node *n, const struct path *up, unsigned depth)
{
	struct path list = { up, "fragments", 0 }, at = { &list, NULL, 0 };
	const cJSON *f, *all = read_member(o, "fragments");
	struct doc_node *frag;
	const char *name;

	for (f = all == NULL ? NULL : all->child; f != NULL && r->why == NULL; f = f->next, at.index++) {
		name = read_str(f, "type") != NULL ? read_str(f, "type") : read_str(f, "fragment");
		/*
		 * Fragments with other names are ignored like unknown members; read_table() reads
		 * those of tables.
		 */
		if (name == NULL || !doc_in_set("caption,expandable-title,expandable-body,annotation-body", name))
			continue;
		/* Markdown has room for one title of a block only. */
		if (doc_fragment_of(n, name) != NULL) {
			read_fail(r, &at, "there is a fragment of that name already");
			return;
		}
		frag = doc_fragment(r->a, n, dup_text(r, name));
		read_nodes(r, read_member(f, "nodes"), frag, &at, depth + 1);
	}
}

/* An expandable block has a title and a body. Other files rely on this order, so it is set here. */
static void
check_expandable(struct reader *r, struct doc_node *n, const struct path *at)
{
	struct doc_node *title = doc_fragment_of(n, "expandable-title"), *body = doc_fragment_of(n, "expandable-body");

	if (title == NULL || title->child == NULL || title->child != title->last ||
	    title->child->type != DOC_PARAGRAPH)
		read_fail(r, at, "needs a fragment expandable-title that holds one paragraph");
	else if (body == NULL || body->child == NULL)
		read_fail(r, at, "needs a fragment expandable-body");
	else
		n->frags = title, title->next = body, body->next = NULL;
}

/* Checks requirements of types that are not in their tables. */
static void
check_node(struct reader *r, struct doc_node *n, const struct path *at)
{
	struct doc_node *f;

	if (n->type == DOC_LIST_ITEM || n->type == DOC_HINT || n->type == DOC_BLOCKQUOTE) {
		if (n->child == NULL)
			doc_append(n, doc_node(r->a, DOC_PARAGRAPH));
	} else if (n->type == DOC_CODE && n->child == NULL)
		doc_append(n, doc_node(r->a, DOC_CODE_LINE));
	else if (doc_kinds[n->type].content == HAS_CHILDREN && n->child == NULL)
		read_fail(r, at, "needs children");
	if (n->type == DOC_PROMPT && n->child != NULL && n->child->next != NULL)
		read_fail(r, at, "holds one code block");
	if (n->type == DOC_EXPANDABLE)
		check_expandable(r, n, at);
	if (n->type == DOC_ANNOTATION) {
		f = doc_fragment_of(n, "annotation-body");
		if (f == NULL || f->child == NULL)
			read_fail(r, at, "needs a fragment annotation-body");
	}
}

/* Turns a paragraph with the `level` of a former heading into that heading again (doc_json.c). */
static void
restore_heading(struct reader *r, const cJSON *o, struct doc_node *n)
{
	const cJSON *level = read_member(o, "level");
	struct doc_node *l;

	if (n->type != DOC_PARAGRAPH || !cJSON_IsNumber(level) || (level->valueint != 5 && level->valueint != 6))
		return;
	n->type = DOC_HEADING_3;
	doc_set_num(r->a, n, "level", level->valueint);
	for (l = n->child; l != NULL; l = l->next)
		l->marks &= ~(uint32_t)MARK_BOLD;
}

/* depth is that of the node; children of the document have 1. Recursion ends at DOC_DEPTH. */
static void
read_node(struct reader *r, const cJSON *o, struct doc_node *parent, const struct path *at, unsigned depth)
{
	const char *object = read_str(o, "object"), *key = read_str(o, "key"), *why;
	enum doc_type t = find_type(read_str(o, "type"));
	struct doc_node *n;

	if (object == NULL || (strcmp(object, "text") != 0 && t == DOC_TYPES)) {
		read_fail(r, at, object == NULL ? "needs a member object" : "is of an unknown type");
		return;
	}
	/* Text is not a typed node: its leaves are added to the parent. */
	if (strcmp(object, "text") == 0) {
		if (doc_kinds[parent->type].content != HAS_INLINES)
			read_fail(r, at, "text must be inside a paragraph or heading");
		read_leaves(r, o, parent, at);
		return;
	}
	if ((why = misplacement_error(t, parent)) != NULL || depth > DOC_DEPTH) {
		read_fail(r, at, why != NULL ? why : "is nested too deeply");
		return;
	}
	n = doc_node(r->a, t);
	doc_append(parent, n);
	/*
	 * Keep the client's key, so that comments stay on their blocks; our own keys are far
	 * shorter than 64.
	 */
	if (key != NULL && doc_kinds[t].class == CLASS_BLOCK && *key != '\0' && strlen(key) <= 64)
		n->key = dup_text(r, key);
	/*
	 * meta.id has priority; data.id, which a heading may also have, is used if it is missing.
	 */
	n->anchor = dup_text(r, read_str(read_member(o, "meta"), "id"));
	/* Data and fragments of tables have a form of their own. */
	if (t == DOC_TABLE) {
		read_table(r, o, n, at, depth);
		return;
	}
	read_data(r, n, o, at);
	if (doc_attr_str(n, "id") != NULL && n->anchor == NULL)
		n->anchor = doc_attr_str(n, "id");
	if (doc_kinds[t].content != HAS_NOTHING)
		read_nodes(r, read_member(o, "nodes"), n, at, depth + 1);
	read_fragments(r, o, n, at, depth);
	/* The heading is restored after the children are read, since this removes the bold mark from their text. */
	restore_heading(r, o, n);
	/* After a failure inside, the node may be incomplete: report only the first error. */
	if (r->why == NULL)
		check_node(r, n, at);
	if (r->why == NULL)
		read_check_text(r, n, at);
}

/* Reads the source of invisible blocks (doc_json.c); anything else in the list is ignored. */
static void
read_invisible(struct reader *r, const cJSON *o, const char *name, struct doc_node *parent)
{
	const cJSON *list = read_member(o, name), *c;
	struct doc_node *n;
	const char *raw;

	if (!cJSON_IsArray(list) || misplacement_error(DOC_PARAGRAPH, parent) != NULL)
		return;
	cJSON_ArrayForEach(c, list) {
		raw = cJSON_GetStringValue(c);
		/* Ignore source that readers would see. */
		if (raw == NULL || !is_raw_valid(r, str_of(raw), STR("")))
			continue;
		doc_append(parent, n = doc_node(r->a, DOC_PARAGRAPH));
		doc_raw(r->a, n, str_of(arena_strdup(r->a, raw)), STR(""));
	}
}

/* Stops at the first failure, so that a refused document costs no further work. */
void
read_nodes(struct reader *r, const cJSON *list, struct doc_node *parent, const struct path *up, unsigned depth)
{
	struct path nodes = { up, "nodes", 0 }, at = { &nodes, NULL, 0 };
	const cJSON *c;

	if (!cJSON_IsArray(list)) {
		read_fail(r, &nodes, "must be a list");
		return;
	}
	for (c = list->child; c != NULL && r->why == NULL; c = c->next, at.index++) {
		/* In the order of the source: `rawBefore`, the node, `rawAfter`. */
		read_invisible(r, c, "rawBefore", parent);
		read_node(r, c, parent, &at, depth);
		read_invisible(r, c, "rawAfter", parent);
	}
}

/* Depth begins with 1, as DOC_DEPTH counts. */
struct doc *
doc_read(struct arena *a, const cJSON *json, const char **where, const char **why)
{
	struct reader r = { .a = a };
	struct doc *d = arena_alloc(a, sizeof(*d));
	const char *object = read_str(json, "object");

	d->arena = a;
	d->root = doc_node(a, DOC_ROOT);
	if (object == NULL || strcmp(object, "document") != 0)
		read_fail(&r, NULL, "is no document: object must be \"document\"");
	else
		read_nodes(&r, read_member(json, "nodes"), d->root, NULL, 1);
	if (r.why != NULL) {
		*where = r.where;
		*why = r.why;
		return NULL;
	}
	doc_anchors(a, d->root);
	/* Without a source, top-level blocks without a key get one from their content. */
	doc_keys(a, d, STR(""), NULL);
	return d;
}
