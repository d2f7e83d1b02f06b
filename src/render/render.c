/* Documents: the walk, headings and notes. Contract: render/render.h. */
#include <stdlib.h>

#include "render_parts.h"

/* cJSON_GetObjectItemCaseSensitive(), which calls strcmp() of another library for each member, was a tenth of a page. */
const cJSON *
member(const cJSON *o, const char *name)
{
	const cJSON *v;

	for (v = o != NULL ? o->child : NULL; v != NULL; v = v->next)
		/* Items of a list have no name. */
		if (v->string != NULL && v->string[0] == name[0] && strcmp(v->string, name) == 0)
			return v;
	return NULL;
}

const char *
member_text(const cJSON *o, const char *name)
{
	const cJSON *v = member(o, name);

	return cJSON_IsString(v) ? v->valuestring : NULL;
}

bool
member_flag(const cJSON *o, const char *name)
{
	return cJSON_IsTrue(member(o, name));
}

double
member_number(const cJSON *o, const char *name, double fallback)
{
	const cJSON *v = member(o, name);

	return cJSON_IsNumber(v) ? v->valuedouble : fallback;
}

const char *
say(const struct render *r, enum text t)
{
	return text_in(r->env->language, t);
}

const char *
node_type(const cJSON *node)
{
	const char *t = member_text(node, "type");

	return t != NULL ? t : "";
}

const char *
node_anchor(const cJSON *node)
{
	return member_text(member(node, "meta"), "id");
}

const cJSON *
node_fragment(const cJSON *node, const char *name)
{
	const cJSON *f;

	cJSON_ArrayForEach(f, member(node, "fragments"))
		if (same_text(member_text(f, "fragment"), name) || same_text(member_text(f, "type"), name))
			return f;
	return NULL;
}

bool
render_target(const struct render *r, const cJSON *ref, struct render_link *out)
{
	*out = (struct render_link){ .bytes = -1 };
	/*
	 * Addresses are checked here, in one place for links, images and cards: what is not safe
	 * is a broken link.
	 */
	return ref != NULL && r->env->link != NULL && r->env->link(r->env->ctx, ref, out) &&
	    h_url_safe(out->href);
}

const char *
render_id(struct render *r, const char *prefix)
{
	/* Anchors of headings never begin with "~", so the two cannot meet. */
	return arena_printf(r->arena, "~%s-%u", prefix, ++r->serial);
}

/* ---- plain text ---- */

/*
 * Texts of leaves, emoji included, in order; what is shown and not written (images, formulas)
 * gives nothing.
 */
static void
plain(struct buf *b, const cJSON *node, int depth)
{
	const cJSON *one;
	const char *text = member_text(node, "text");

	/* Documents come from a parser that bounds its depth; this guards the stack in any case. */
	if (depth > 200)
		return;
	if (text != NULL)
		buf_str(b, text);
	if (strcmp(node_type(node), "emoji") == 0 && (text = render_emoji(b->arena,
	    member_text(data_of(node), "code"))) != NULL)
		buf_str(b, text);
	cJSON_ArrayForEach(one, member(node, "leaves"))
		plain(b, one, depth + 1);
	cJSON_ArrayForEach(one, member(node, "nodes"))
		plain(b, one, depth + 1);
}

/* Never NULL. */
const char *
render_plain(struct arena *a, const cJSON *node)
{
	struct buf b;

	buf_init(&b, a, 64 << 20);
	buf_str(&b, "");
	plain(&b, node, 0);
	return b.n == 0 ? "" : b.p;
}

const char *
render_emoji(struct arena *a, const char *code)
{
	struct buf b;
	char *end;
	unsigned long cp;

	/* The longest sequence of Unicode has about ten code points. */
	if (code == NULL || strlen(code) > 200)
		return NULL;
	buf_init(&b, a, 400);
	do {
		cp = strtoul(code, &end, 16);
		/* No control characters, and no halves of surrogate pairs: they are no UTF-8. */
		if (end == code || cp < ' ' || cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000))
			return NULL;
		buf_utf8(&b, (uint32_t)cp);
		code = end + (*end == '-');
	} while (*end == '-');
	return *end == '\0' ? b.p : NULL;
}

/* ---- simple blocks ---- */

/* As a class, "center" or "end" (which documents also call "right"); NULL for the default. */
static const char *
aligned(const cJSON *node)
{
	const char *align = member_text(data_of(node), "align");

	if (align == NULL)
		return NULL;
	return strcmp(align, "center") == 0 ? "center" :
	    strcmp(align, "end") == 0 || strcmp(align, "right") == 0 ? "end" : NULL;
}

/* Declared first: a paragraph may be a heading. */
static void heading(struct render *r, const cJSON *node);

/* One that was a heading below the fourth level is one here: pages have six levels. */
static void
paragraph(struct render *r, const cJSON *node)
{
	if (member_number(node, "level", 0) > 4) {
		heading(r, node);
		return;
	}
	/* For the description of the page where its author gives none. */
	if (r->r->first == NULL)
		r->r->first = render_plain(r->arena, node);
	h_el(&r->h, "p", "id", node_anchor(node), "class", aligned(node), NULL);
	render_inlines(r, member(node, "nodes"));
	h_close(&r->h);
}

/* Does something in these inlines lead elsewhere? */
static bool
has_links(const cJSON *list)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, list) {
		const char *t = node_type(one);
		if (strcmp(t, "link") == 0 || strcmp(t, "mention") == 0 || strcmp(t, "button") == 0 ||
		    strcmp(t, "annotation") == 0 || strcmp(t, "inline-image") == 0)
			return true;
	}
	return false;
}

/* Notes a heading for the outline beside the page. */
static void
outline_add(struct render *r, const char *anchor, const char *text, int level)
{
	struct rendering *o = r->r;

	/* What cannot be led to is no entry; the third level would make the outline as long as the page. */
	if (anchor == NULL || level > 2)
		return;
	o->outline = arena_grow(r->arena, o->outline, o->outline_count, &r->outline_room,
	    sizeof(*o->outline));
	o->outline[o->outline_count++] = (struct render_heading){ anchor, text, level };
}

const char *
render_anchor(const struct render *r, const char *anchor)
{
	return arena_printf(r->arena, "%s#%s", r->env->page != NULL ? r->env->page : "", anchor);
}

static void
heading(struct render *r, const cJSON *node)
{
	static const char *const names[] = { "h1", "h2", "h3", "h4", "h5", "h6" };
	static const char *const looks[] = { "", "l2", "l3", "l4", "l5", "l6" };
	int wanted = strcmp(node_type(node), "paragraph") == 0 ? 3 : node_type(node)[8] - '0', level = (int)member_number(node, "level", 0), used;
	const cJSON *inlines = member(node, "nodes");
	/*
	 * A heading is a link to itself; links do not nest in HTML (section 4.5.1), so one with
	 * links in it is none.
	 */
	bool linked = !has_links(inlines) && node_anchor(node) != NULL && !r->in_link;
	const char *look;

	/* Readers who hear a page go from heading to heading: one that says nothing is a place, for links to it. */
	if (!render_says(inlines)) {
		if (node_anchor(node) != NULL) {
			h_el(&r->h, "div", "id", node_anchor(node), NULL);
			h_close(&r->h);
		}
		return;
	}
	outline_add(r, node_anchor(node), render_plain(r->arena, node), wanted);
	/* Documents have three types of headings; levels 5 and 6 are told by a member beside them. */
	if (level < 5 || level > 6)
		level = wanted + 1;
	/* No level is left out (render.h); the look stays that of the level that was meant. */
	used = level > r->level + 1 ? r->level + 1 : level;
	r->level = used;
	/* The class of the level that was meant keeps its size. */
	look = used == level ? aligned(node) : looks[level - 1];
	h_el(&r->h, names[used - 1], "id", node_anchor(node), "class", look, NULL);
	if (linked) {
		h_open(&r->h, "a");
		h_attr(&r->h, "href", render_anchor(r, node_anchor(node)));
		r->in_link = true;
	}
	render_inlines(r, inlines);
	if (linked) {
		r->in_link = false;
		h_close(&r->h);
	}
	h_close(&r->h);
}

void
render_heading_at(struct render *r, const char *anchor, const char *text)
{
	outline_add(r, anchor, text, 1);
	r->level = 2;
	h_el(&r->h, "h2", "id", anchor, NULL);
	if (anchor != NULL)
		h_el(&r->h, "a", "href", render_anchor(r, anchor), NULL);
	h_text(&r->h, text);
	if (anchor != NULL)
		h_close(&r->h);
	h_close(&r->h);
}

/* A list is tight where each item is one paragraph, or that and lists: no <p> then. */
static void
item_blocks(struct render *r, const cJSON *item)
{
	/* CommonMark, lists: tight items have no paragraphs of their own. */
	const cJSON *list = member(item, "nodes"), *first = list != NULL ? list->child : NULL;

	if (first != NULL && strcmp(node_type(first), "paragraph") == 0 && (first->next == NULL ||
	    (strncmp(node_type(first->next), "list-", 5) == 0 && first->next->next == NULL))) {
		render_inlines(r, member(first, "nodes"));
		if (first->next != NULL)
			render_block(r, first->next);
		return;
	}
	render_blocks(r, list);
}

/* A picture of a box and no <input>: readers cannot change it. */
static void
task(struct render *r, const cJSON *item)
{
	bool done = member_flag(data_of(item), "checked");

	h_el(&r->h, "li", "class", done ? "done" : "todo", NULL);
	h_el(&r->h, "span", "role", "img", "class", "box", "aria-label", say(r, done ? TEXT_YES : TEXT_NO), NULL);
	h_text(&r->h, done ? "✓" : "");
	h_close(&r->h);
	h_open(&r->h, "div");
	item_blocks(r, item);
	h_close(&r->h);
	h_close(&r->h);
}

static void
list(struct render *r, const cJSON *node)
{
	/* The three kinds differ in their element and items alone. */
	bool ordered = strcmp(node_type(node), "list-ordered") == 0;
	bool tasks = strcmp(node_type(node), "list-tasks") == 0;
	/* A list may begin with any number; 1 needs no attribute. */
	double start = member_number(data_of(node), "start", 1);
	const cJSON *item;

	h_el(&r->h, ordered ? "ol" : "ul", "class", tasks ? "tasks" : NULL, "start",
	    ordered && start != 1 && start > -1e9 && start < 1e9 ?
	    arena_printf(r->arena, "%d", (int)start) : NULL, NULL);
	cJSON_ArrayForEach(item, member(node, "nodes")) {
		if (tasks) {
			task(r, item);
			continue;
		}
		h_open(&r->h, "li");
		item_blocks(r, item);
		h_close(&r->h);
	}
	h_close(&r->h);
}

static void
quote(struct render *r, const cJSON *node)
{
	h_open(&r->h, "blockquote");
	render_blocks(r, member(node, "nodes"));
	h_close(&r->h);
}

/* Its kind is a word, too: colour alone tells nothing (WCAG 1.4.1). */
static void
hint(struct render *r, const cJSON *node)
{
	static const struct { const char *style; enum text label; } kinds[] = {
		{ "info", TEXT_INFO }, { "success", TEXT_SUCCESS }, { "warning", TEXT_WARNING },
		{ "danger", TEXT_DANGER } };
	const char *style = member_text(data_of(node), "style");
	size_t k = 0;

	/* An unknown style is an "info". */
	for (size_t i = 0; i < 4; i++)
		if (same_text(style, kinds[i].style))
			k = i;
	h_el(&r->h, "div", "class", arena_printf(r->arena, "hint %s", kinds[k].style), "role", "note", NULL);
	h_leaf(&r->h, "span", "label", say(r, kinds[k].label));
	render_blocks(r, member(node, "nodes"));
	h_close(&r->h);
}

/* It has no content, but the table of blocks wants one form of function. */
static void
divider(struct render *r, const cJSON *node)
{
	(void)node;
	h_void(&r->h, "hr");
}

static void
math(struct render *r, const cJSON *node)
{
	const char *formula = member_text(data_of(node), "formula");
	struct str set = { NULL, 0 };

	if (formula == NULL)
		return;
	/* The source stands in as code where the formula cannot be set. */
	if (r->env->math != NULL)
		set = r->env->math(r->env->ctx, formula, true);
	h_el(&r->h, "div", "class", "math", "tabindex", strlen(formula) > RENDER_LONG ? "0" : NULL, NULL);
	if (set.p != NULL)
		h_raw(&r->h, set);
	else
		h_leaf(&r->h, "code", NULL, formula);
	h_close(&r->h);
}

/* ---- the walk ---- */

static const struct {
	const char *type;
	void      (*render)(struct render *r, const cJSON *node);
} blocks[] = {
	{ "paragraph", paragraph }, { "heading-1", heading }, { "heading-2", heading },
	{ "heading-3", heading }, { "list-unordered", list }, { "list-ordered", list },
	{ "list-tasks", list }, { "blockquote", quote }, { "hint", hint }, { "code", render_code },
	{ "divider", divider }, { "math", math }, { "images", render_images }, { "image", render_picture },
	{ "file", render_file }, { "drawing", render_drawing }, { "embed", render_embed },
	{ "content-ref", render_card }, { "table", render_table }, { "expandable", render_expandable },
	{ "tabs", render_tabs }, { "stepper", render_stepper }, { "columns", render_columns },
	{ "updates", render_updates }, { "prompt", render_prompt }, { "integration", render_integration },
	{ "swagger", render_swagger }, { "openapi-operation", render_operation },
	{ "openapi-webhook", render_operation }, { "openapi-schemas", render_schemas },
};

/* Conditions are settled before a document comes here: an `if` that is left is one that hides. */
void
render_block(struct render *r, const cJSON *node)
{
	const char *type = node_type(node);
	/*
	 * Whatever the block does, its elements are closed below: one block cannot break those
	 * around it.
	 */
	unsigned open = r->h.depth;

	if (strcmp(type, "if") == 0 || r->depth >= RENDER_DEPTH)
		return;
	r->depth++;
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		if (strcmp(blocks[i].type, type) == 0) {
			blocks[i].render(r, node);
			h_close_to(&r->h, open);
			r->depth--;
			return;
		}
	/* Unknown: what it holds. */
	render_blocks(r, member(node, "nodes"));
	r->depth--;
}

void
render_blocks(struct render *r, const cJSON *list)
{
	const cJSON *node;

	cJSON_ArrayForEach(node, list) {
		render_places_of(r, node, "rawBefore");
		render_block(r, node);
		render_places_of(r, node, "rawAfter");
	}
}

/* Notes stand at the end, each with a way back. */
static void
notes(struct render *r)
{
	struct note *n;
	unsigned i = 0;

	if (r->notes == NULL)
		return;
	/* Without script a note cannot open beside its word. */
	h_el(&r->h, "section", "class", "notes", "aria-label", say(r, TEXT_NOTES), NULL);
	h_open(&r->h, "ol");
	/* A note may hold notes: they are appended while this walks, and come out behind. */
	for (n = r->notes; n != NULL; n = n->next) {
		h_el(&r->h, "li", "id", arena_printf(r->arena, "~note-%u", ++i), NULL);
		render_blocks(r, member(n->body, "nodes"));
		h_el(&r->h, "a", "href", arena_printf(r->arena, "#~noted-%u", i), "aria-label", say(r, TEXT_BACK), NULL);
		h_text(&r->h, "↩");
		h_close(&r->h);
		h_close(&r->h);
	}
	h_close(&r->h);
	h_close(&r->h);
}

void
render_document(struct arena *a, struct buf *out, const cJSON *document, const struct render_env *env,
    struct rendering *result)
{
	struct render r = { .arena = a, .env = env, .r = result, .document = document, .level = 1 };
	const cJSON *node;

	*result = (struct rendering){ 0 };
	r.last_note = &r.notes;
	h_init(&r.h, out);
	/* Known before the first block is written: the frame of the page is chosen by it. */
	cJSON_ArrayForEach(node, member(document, "nodes"))
		result->wide = result->wide || member_flag(data_of(node), "fullWidth");
	render_blocks(&r, member(document, "nodes"));
	notes(&r);
	/* The last tag may still be open for attributes. */
	h_text(&r.h, "");
}
