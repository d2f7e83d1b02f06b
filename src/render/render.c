/* Documents: the walk, headings and notes. Contract: render/render.h. */
#include "render_parts.h"

/* ---- plain text ---- */

/* ---- simple blocks ---- */

/* As a class, "center" or "end" (which documents also call "right"); NULL for the default. */
static const char *
align_class(const cJSON *node)
{
	const char *align = member_text(data_of(node), "align");

	if (align == NULL)
		return NULL;
	return strcmp(align, "center") == 0 ? "center" :
	    strcmp(align, "end") == 0 || strcmp(align, "right") == 0 ? "end" : NULL;
}

/* Declared first: a paragraph may be a heading. */
static void render_heading(struct render *r, const cJSON *node);

/* One that was a heading below the fourth level is one here: pages have six levels. */
static void
render_paragraph(struct render *r, const cJSON *node)
{
	if (member_number(node, "level", 0) > 4) {
		render_heading(r, node);
		return;
	}
	/* For the description of the page where its author gives none. */
	if (r->r->first == NULL)
		r->r->first = render_plain(r->arena, node);
	h_el(&r->h, "p", "id", node_anchor(node), "class", align_class(node), NULL);
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

static void
render_heading(struct render *r, const cJSON *node)
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
	render_outline(r, node_anchor(node), render_plain(r->arena, node), wanted);
	/* Documents have three types of headings; levels 5 and 6 are told by a member beside them. */
	if (level < 5 || level > 6)
		level = wanted + 1;
	/* No level is left out (render.h); the look stays that of the level that was meant. */
	used = level > r->level + 1 ? r->level + 1 : level;
	r->level = used;
	/* The class of the level that was meant keeps its size. */
	look = used == level ? align_class(node) : looks[level - 1];
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
render_task(struct render *r, const cJSON *item)
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
render_list(struct render *r, const cJSON *node)
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
			render_task(r, item);
			continue;
		}
		h_open(&r->h, "li");
		item_blocks(r, item);
		h_close(&r->h);
	}
	h_close(&r->h);
}

static void
render_quote(struct render *r, const cJSON *node)
{
	h_open(&r->h, "blockquote");
	render_blocks(r, member(node, "nodes"));
	h_close(&r->h);
}

/* Its kind is a word, too: colour alone tells nothing (WCAG 1.4.1). */
static void
render_hint(struct render *r, const cJSON *node)
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
render_divider(struct render *r, const cJSON *node)
{
	(void)node;
	h_void(&r->h, "hr");
}

static void
render_math_block(struct render *r, const cJSON *node)
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
	{ "paragraph", render_paragraph }, { "heading-1", render_heading }, { "heading-2", render_heading },
	{ "heading-3", render_heading }, { "list-unordered", render_list }, { "list-ordered", render_list },
	{ "list-tasks", render_list }, { "blockquote", render_quote }, { "hint", render_hint }, { "code", render_code },
	{ "divider", render_divider }, { "math", render_math_block }, { "images", render_images }, { "image", render_picture },
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

static void
walk_blocks(struct render *r, const cJSON *list)
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
render_notes(struct render *r)
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
	struct render r = { .arena = a, .env = env, .r = result, .document = document, .level = 1,
		.blocks = walk_blocks };
	const cJSON *node;

	*result = (struct rendering){ 0 };
	r.last_note = &r.notes;
	h_init(&r.h, out);
	/* Known before the first block is written: the frame of the page is chosen by it. */
	cJSON_ArrayForEach(node, member(document, "nodes"))
		result->wide = result->wide || member_flag(data_of(node), "fullWidth");
	render_blocks(&r, member(document, "nodes"));
	render_notes(&r);
	/* The last tag may still be open for attributes. */
	h_text(&r.h, "");
}
