/* Documents: the walk over blocks, headings and notes. Contract: render/render.h. */
#include "render_parts.h"

/* ---- plain text ---- */

/* ---- simple blocks ---- */

/* Class "center" or "end" (also called "right" in documents); NULL for the default. */
static const char *
align_class(const cJSON *node)
{
	const char *align = json_text_of(data_of(node), "align");

	if (align == NULL)
		return NULL;
	return strcmp(align, "center") == 0 ? "center" :
	    strcmp(align, "end") == 0 || strcmp(align, "right") == 0 ? "end" : NULL;
}

/* This declaration is needed because a paragraph may be a heading. */
static void render_heading(struct render *r, const cJSON *node);

/*
 * A paragraph with a level was a heading below the fourth level, and is one here: HTML has six
 * levels.
 */
static void
render_paragraph(struct render *r, const cJSON *node)
{
	if (json_number_of(node, "level", 0) > 4) {
		render_heading(r, node);
		return;
	}
	/* The first paragraph describes the page if its author gives no description. */
	if (r->r->first == NULL)
		r->r->first = render_plain(r->arena, node);
	h_el(&r->h, "p", "id", node_anchor(node), "class", align_class(node), NULL);
	render_inlines(r, json_member(node, "nodes"));
	h_close(&r->h);
}

/* True if the inlines contain a link. */
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

/* Writes a heading without text, such as the icon of a card: not as a heading, but as its anchor or its icons. */
static void
render_silent(struct render *r, const cJSON *node)
{
	const cJSON *one;
	bool icons = false;

	cJSON_ArrayForEach(one, json_member(node, "nodes"))
		icons = icons || (strcmp(node_type(one), "icon") == 0 && drawn_icon(r, json_text_of(data_of(one), "icon")).p != NULL);
	if (!icons && node_anchor(node) == NULL)
		return;
	h_el(&r->h, "div", "id", node_anchor(node), "class", icons ? "sign" : NULL, NULL);
	if (icons)
		render_inlines(r, json_member(node, "nodes"));
	h_close(&r->h);
}

static void
render_heading(struct render *r, const cJSON *node)
{
	static const char *const names[] = { "h1", "h2", "h3", "h4", "h5", "h6" };
	static const char *const looks[] = { "", "l2", "l3", "l4", "l5", "l6" };
	int wanted = strcmp(node_type(node), "paragraph") == 0 ? 3 : node_type(node)[8] - '0', level = (int)json_number_of(node, "level", 0), used;
	const cJSON *inlines = json_member(node, "nodes");
	/*
	 * A heading links to itself. HTML links do not nest (section 4.5.1), so one that contains
	 * links does not.
	 */
	bool linked = !has_links(inlines) && node_anchor(node) != NULL && !r->in_link;
	const char *look;

	/*
	 * Screen readers go from heading to heading, so a heading without text is written as an
	 * anchor, or with its icons.
	 */
	if (!render_says(inlines)) {
		render_silent(r, node);
		return;
	}
	render_outline(r, node_anchor(node), render_plain(r->arena, node), wanted);
	/* Documents have three types of headings; a member gives levels 5 and 6. */
	if (level < 5 || level > 6)
		level = wanted + 1;
	/* No level is skipped (render.h), but the heading looks like one of the intended level. */
	used = render_level(r, level);
	/* The class of the intended level gives the heading its size. */
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

/* Write a tight item, a single paragraph possibly with lists, without <p>. */
static void
item_blocks(struct render *r, const cJSON *item)
{
	/* CommonMark, lists: tight items contain no paragraphs. */
	const cJSON *list = json_member(item, "nodes"), *first = list != NULL ? list->child : NULL;

	if (first != NULL && strcmp(node_type(first), "paragraph") == 0 && (first->next == NULL ||
	    (strncmp(node_type(first->next), "list-", 5) == 0 && first->next->next == NULL))) {
		render_inlines(r, json_member(first, "nodes"));
		if (first->next != NULL)
			render_block(r, first->next);
		return;
	}
	render_blocks(r, list);
}

/* A checkbox is drawn as a picture instead of an <input>, since readers cannot change it. */
static void
render_task(struct render *r, const cJSON *item)
{
	bool done = json_flag_of(data_of(item), "checked");

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
	/* The three kinds differ only in the elements of list and items. */
	bool ordered = strcmp(node_type(node), "list-ordered") == 0;
	bool tasks = strcmp(node_type(node), "list-tasks") == 0;
	/* A list may begin with any number; 1 needs no attribute. */
	double start = json_number_of(data_of(node), "start", 1);
	const cJSON *item;

	h_el(&r->h, ordered ? "ol" : "ul", "class", tasks ? "tasks" : NULL, "start",
	    ordered && start != 1 && start > -1e9 && start < 1e9 ?
	    arena_printf(r->arena, "%d", (int)start) : NULL, NULL);
	cJSON_ArrayForEach(item, json_member(node, "nodes")) {
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
	render_blocks(r, json_member(node, "nodes"));
	h_close(&r->h);
}

/* The kind of a hint is also written as a word: colour alone must not carry meaning (WCAG 1.4.1). */
static void
render_hint(struct render *r, const cJSON *node)
{
	static const struct { const char *style; enum text label; } kinds[] = {
		{ "info", TEXT_INFO }, { "success", TEXT_SUCCESS }, { "warning", TEXT_WARNING },
		{ "danger", TEXT_DANGER } };
	const char *style = json_text_of(data_of(node), "style");
	size_t k = 0;

	/* An unknown style is "info". */
	for (size_t i = 0; i < 4; i++)
		if (same_text(style, kinds[i].style))
			k = i;
	h_el(&r->h, "div", "class", arena_printf(r->arena, "hint %s", kinds[k].style), "role", "note", NULL);
	h_leaf(&r->h, "span", "label", say(r, kinds[k].label));
	render_blocks(r, json_member(node, "nodes"));
	h_close(&r->h);
}

/* The parameter is unused; the table of blocks requires it. */
static void
render_divider(struct render *r, const cJSON *node)
{
	(void)node;
	h_void(&r->h, "hr");
}

static void
render_math_block(struct render *r, const cJSON *node)
{
	const char *formula = json_text_of(data_of(node), "formula");
	struct str set = { NULL, 0 };

	if (formula == NULL)
		return;
	/* Show the source as code if the formula cannot be typeset. */
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

/* Conditions have been evaluated before: an `if` that remains is hidden. */
void
render_block(struct render *r, const cJSON *node)
{
	const char *type = node_type(node);
	/*
	 * Elements that the block leaves open are closed below, so that it cannot break the blocks
	 * around it.
	 */
	unsigned open = r->h.depth;

	if (strcmp(type, "if") == 0 || r->depth >= RENDER_DEPTH)
		return;
	r->depth++;
	render_compared(r, node);
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		if (strcmp(blocks[i].type, type) == 0) {
			blocks[i].render(r, node);
			h_close_to(&r->h, open);
			r->depth--;
			return;
		}
	/* Unknown block: render its content. */
	render_blocks(r, json_member(node, "nodes"));
	h_close_to(&r->h, open);
	r->depth--;
}

/* Passes the HTML written since `from` to the callback. */
static void
pass_to_callback(struct render *r, const cJSON *node, size_t from)
{
	if (r->env->block == NULL)
		return;
	/* Completes a start tag that is still open. */
	h_text(&r->h, "");
	r->env->block(r->env->ctx, node, str_slice(buf_view(r->h.out), from, r->h.out->n));
}

static void
walk_blocks(struct render *r, const cJSON *list)
{
	bool top = list == json_member(r->document, "nodes");
	const cJSON *node;
	size_t from;

	cJSON_ArrayForEach(node, list) {
		from = r->h.out->n;
		render_places_of(r, node, "rawBefore");
		render_block(r, node);
		render_places_of(r, node, "rawAfter");
		if (top)
			pass_to_callback(r, node, from);
	}
}

/* Write the notes at the end, each with a link back. */
static void
render_notes(struct render *r)
{
	size_t from = r->h.out->n;
	struct note *n;
	unsigned i = 0;

	if (r->notes == NULL)
		return;
	/* Without script a note cannot open beside its words, so all notes are at the end. */
	h_el(&r->h, "section", "class", "notes", "aria-label", say(r, TEXT_NOTES), NULL);
	h_open(&r->h, "ol");
	/* A note may contain notes: these are appended during the loop. */
	for (n = r->notes; n != NULL; n = n->next) {
		h_el(&r->h, "li", "id", arena_printf(r->arena, "~%snote-%u", ids_of(r), ++i), NULL);
		render_blocks(r, json_member(n->body, "nodes"));
		h_el(&r->h, "a", "href", arena_printf(r->arena, "#~%snoted-%u", ids_of(r), i), "aria-label", say(r, TEXT_BACK), NULL);
		h_text(&r->h, "↩");
		h_close(&r->h);
		h_close(&r->h);
	}
	h_close(&r->h);
	h_close(&r->h);
	pass_to_callback(r, NULL, from);
}

void
render_document(struct arena *a, struct buf *out, const cJSON *document, const struct render_env *env,
    struct rendering *result)
{
	struct render r = { .arena = a, .env = env, .r = result, .document = document, .level = RENDER_TITLE,
		.blocks = walk_blocks };
	const cJSON *node;

	*result = (struct rendering){ 0 };
	r.last_note = &r.notes;
	h_init(&r.h, out);
	/*
	 * The width is determined before the blocks are written, since the caller writes the frame
	 * of the page by it.
	 */
	cJSON_ArrayForEach(node, json_member(document, "nodes"))
		result->wide = result->wide || json_flag_of(data_of(node), "fullWidth");
	render_blocks(&r, json_member(document, "nodes"));
	render_notes(&r);
	/* Close a start tag that is still open. */
	h_text(&r.h, "");
}
