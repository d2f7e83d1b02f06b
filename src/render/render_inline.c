/*
 * Inlines: text with marks, links, notes, buttons. Marks are HTML elements of the same meaning;
 * colours are classes, since the page's strict policy allows no inline styles.
 */
#include <strings.h>

#include "base/url.h"
#include "render_parts.h"

/* Bytes of inline code that stay on one line: "--flag" must not break behind its hyphens. */
enum { CODE_SHORT = 24 };

/* Write line breaks as <br>. */
static void
write_lines(struct html *h, struct str s)
{
	const char *end;

	while (s.n > 0 && (end = memchr(s.p, '\n', s.n)) != NULL) {
		h_textn(h, (struct str){ s.p, (size_t)(end - s.p) });
		h_void(h, "br");
		s = str_slice(s, (size_t)(end - s.p) + 1, s.n);
	}
	h_textn(h, s);
}

/* Write long code, in which a line may break, but not behind the hyphen of a short "-f". */
static void
write_code(struct html *h, struct str s)
{
	while (s.n > 0) {
		const char *end = memchr(s.p, ' ', s.n);
		struct str word = str_slice(s, 0, end != NULL ? (size_t)(end - s.p) : s.n);
		bool whole = word.n > 1 && word.n <= CODE_SHORT && *word.p == '-' && memchr(word.p, '\n', word.n) == NULL;

		if (whole)
			h_open(h, "span");
		write_lines(h, word);
		if (whole)
			h_close(h);
		h_textn(h, str_slice(s, word.n, word.n + (end != NULL)));
		s = str_slice(s, word.n + (end != NULL), s.n);
	}
}

/*
 * Class of a colour: "$primary" gives "c-primary", "red" gives "c-red"; NULL for the default or an
 * invalid name.
 */
static const char *
color_class(struct render *r, const char *prefix, const char *color)
{
	if (color == NULL || strcmp(color, "default") == 0)
		return NULL;
	if (*color == '$')
		color++;
	/* It becomes part of a class attribute, where blanks would add classes. */
	if (color[strspn(color, "abcdefghijklmnopqrstuvwxyz")] != '\0' || strlen(color) > 12)
		return NULL;
	return arena_printf(r->arena, "%s-%s", prefix, color);
}

/* Open a span only for valid colour names; render_leaf() closes whatever was opened. */
static void
open_color(struct render *r, const cJSON *data)
{
	const char *text = color_class(r, "c", json_text_of(data, "text"));
	const char *back = color_class(r, "b", json_text_of(data, "background"));

	if (text != NULL || back != NULL)
		h_el(&r->h, "span", "class", arena_printf(r->arena, "%s%s%s", text != NULL ? text : "",
		    text != NULL && back != NULL ? " " : "", back != NULL ? back : ""), NULL);
}

static void
render_leaf(struct render *r, const cJSON *l)
{
	static const struct { const char *mark, *element; } elements[] = {
		{ "added", "ins" }, { "removed", "del" }, { "bold", "strong" }, { "italic", "em" }, { "strikethrough", "s" }, { "keyboard", "kbd" },
		{ "superscript", "sup" }, { "subscript", "sub" }, { "code", "code" } };
	const unsigned code = 1u << (sizeof(elements) / sizeof(elements[0]) - 1);
	const char *text = json_text_of(l, "text"), *raw = json_text_of(l, "raw");
	/* Collect a set: repeated marks nest once, and the order of elements is always the same. */
	unsigned open = r->h.depth, set = 0;
	const cJSON *m;

	if (raw != NULL)
		render_places(r, raw);
	if (text == NULL || *text == '\0')
		return;
	cJSON_ArrayForEach(m, json_member(l, "marks")) {
		const char *type = node_type(m);
		if (strcmp(type, "color") == 0)
			open_color(r, data_of(m));
		for (unsigned i = 0; i < sizeof(elements) / sizeof(elements[0]); i++)
			if (strcmp(elements[i].mark, type) == 0)
				set |= 1u << i;
	}
	for (unsigned i = 0; i < sizeof(elements) / sizeof(elements[0]); i++)
		if ((set & 1u << i) != 0)
			h_el(&r->h, elements[i].element, "class",
			    elements[i].mark[0] == 'c' && strlen(text) > CODE_SHORT ? "long" : NULL, NULL);
	if ((set & code) != 0 && strlen(text) > CODE_SHORT)
		write_code(&r->h, str_of(text));
	else
		write_lines(&r->h, str_of(text));
	/* Closes all marks, in reverse order. */
	h_close_to(&r->h, open);
}

/* A page in a new window must not reach this one by window.opener. */
void
render_away(struct render *r)
{
	h_attr(&r->h, "rel", "noopener");
	h_attr(&r->h, "target", r->env->blank ? "_blank" : NULL);
}

/* Open a link; a broken one becomes text that says so. */
static void
open_link(struct render *r, const struct render_link *to, const char *class, const char *title)
{
	if (to->href == NULL) {
		h_el(&r->h, "span", "class", "broken", "title", say(r, TEXT_BROKEN), NULL);
		return;
	}
	h_open(&r->h, "a");
	h_url(&r->h, "href", to->href);
	h_attr(&r->h, "class", class);
	h_attr(&r->h, "title", title);
	if (to->external)
		render_away(r);
}

static void
render_link_node(struct render *r, const cJSON *node)
{
	const char *title = json_text_of(data_of(node), "title");
	struct render_link to;

	/* A nested link keeps only its words. */
	if (r->in_link) {
		render_inlines(r, json_member(node, "nodes"));
		return;
	}
	/* An unsafe address counts as broken and gets no href. */
	if (!render_target(r, json_member(data_of(node), "ref"), &to))
		to.href = NULL;
	r->in_link = true;
	/* "mention" is how the source marks a mention (markdown/read/doc_inline.c); it tells readers nothing. */
	open_link(r, &to, NULL, same_text(title, "mention") ? NULL : title);
	render_inlines(r, json_member(node, "nodes"));
	h_close(&r->h);
	r->in_link = false;
}

static void
render_mention(struct render *r, const cJSON *node)
{
	struct render_link to;
	/* A target may have a title but no address: users have no page. */
	bool known = render_target(r, json_member(data_of(node), "ref"), &to);

	if (!known)
		to.href = NULL;
	if (r->in_link) {
		h_text(&r->h, to.title != NULL ? to.title : "");
		return;
	}
	if (to.href == NULL && to.title != NULL)
		h_el(&r->h, "span", "class", "mention", NULL);
	else
		open_link(r, &to, "mention", NULL);
	if (to.emoji != NULL) {
		h_text(&r->h, to.emoji);
		h_text(&r->h, " ");
	}
	h_text(&r->h, to.title != NULL && *to.title != '\0' ? to.title :
	    to.href != NULL ? to.href : say(r, TEXT_BROKEN));
	h_close(&r->h);
}

static void
inline_math(struct render *r, const cJSON *node)
{
	const char *formula = json_text_of(data_of(node), "formula");
	struct str set = { NULL, 0 };

	if (formula == NULL)
		return;
	if (r->env->math != NULL)
		set = r->env->math(r->env->ctx, formula, false);
	if (set.p == NULL) {
		h_leaf(&r->h, "code", "math", formula);
		return;
	}
	/* Formulas do not wrap: one that may be wider than a phone scrolls by itself. */
	if (strlen(formula) > RENDER_LONG)
		h_el(&r->h, "span", "class", "math", "tabindex", "0", NULL);
	h_raw(&r->h, set);
	if (strlen(formula) > RENDER_LONG)
		h_close(&r->h);
}

/* Write the words and the number of the note, which links to it and back (render_notes()). */
static void
render_annotation(struct render *r, const cJSON *node)
{
	const cJSON *body = node_fragment(node, "annotation-body");
	struct note *n;
	char *number;

	render_inlines(r, json_member(node, "nodes"));
	if (body == NULL)
		return;
	/*
	 * The note itself is written at the end (render_notes()): it contains blocks, and this is a
	 * line of text.
	 */
	n = arena_alloc(r->arena, sizeof(*n));
	n->body = body;
	*r->last_note = n;
	r->last_note = &n->next;
	number = arena_printf(r->arena, "%u", ++r->note_count);
	h_el(&r->h, "sup", "class", "note", NULL);
	if (!r->in_link)
		h_el(&r->h, "a", "id", arena_printf(r->arena, "~%snoted-%s", ids_of(r), number), "href",
		    arena_printf(r->arena, "#~%snote-%s", ids_of(r), number), NULL);
	h_text(&r->h, number);
	if (!r->in_link)
		h_close(&r->h);
	h_close(&r->h);
}

/* Documents store code points; an unknown code gives nothing. */
static void
render_emoji_node(struct render *r, const cJSON *node)
{
	const char *s = render_emoji(r->arena, json_text_of(data_of(node), "code"));

	if (s != NULL)
		h_text(&r->h, s);
}

/*
 * True if the text after a picture equals its alternative text: screen readers would read both
 * (axe: image-redundant-alt).
 */
static bool
is_repeated(struct render *r, const cJSON *node, const char *alt)
{
	const char *text = node->next != NULL ? render_plain(r->arena, node->next) : "";
	size_t n = strlen(alt), m;

	text += strspn(text, " ");
	for (m = strlen(text); m > 0 && text[m - 1] == ' '; m--)
		;
	return n > 0 && n == m && strncasecmp(alt, text, n) == 0;
}

/* "line" is the height of the surrounding text; any other size is the picture's own. */
static void
inline_image(struct render *r, const cJSON *node)
{
	const cJSON *d = data_of(node);
	const char *alt = json_text_of(d, "alt");
	bool line = same_text(json_text_of(d, "size"), "line");

	h_el(&r->h, "span", "class", line ? "pic line" : "pic", NULL);
	render_image(r, json_member(d, "ref"), json_member(d, "refDark"),
	    alt != NULL && is_repeated(r, node, alt) ? "" : alt, NULL);
	if (json_text_of(d, "caption") != NULL)
		h_leaf(&r->h, "span", "caption", json_text_of(d, "caption"));
	h_close(&r->h);
}

/* A button opens a link or searches; other actions exist only in an application. */
static void
render_button(struct render *r, const cJSON *node)
{
	const cJSON *d = data_of(node), *action = json_member(d, "action");
	const char *label = json_text_of(d, "label"), *query = json_text_of(action, "query");
	bool primary = !same_text(json_text_of(d, "kind"), "secondary");
	struct render_link to;

	if (!render_target(r, json_member(d, "ref"), &to))
		to = (struct render_link){ 0 };
	/*
	 * "select" exists only in an application; the others ask a question: open the search page
	 * with it.
	 */
	if (action != NULL && r->env->search != NULL && !same_text(json_text_of(action, "action"), "select"))
		to.href = query == NULL ? r->env->search :
		    arena_printf(r->arena, "%s?q=%s", r->env->search, url_segment(r->arena, str_of(query)));
	if (r->in_link)
		to.href = NULL;
	if (to.href == NULL) {
		h_leaf(&r->h, "span", "btn", label != NULL ? label : "");
		return;
	}
	open_link(r, &to, primary ? "btn primary" : "btn", NULL);
	render_icon(r, json_text_of(d, "icon"));
	h_text(&r->h, label != NULL ? label : to.href);
	h_close(&r->h);
}

struct str
drawn_icon(struct render *r, const char *name)
{
	return name != NULL && r->env->icon != NULL ? r->env->icon(r->env->ctx, name) : (struct str){ NULL, 0 };
}

/* Writes an icon before a button's or title's words, or in a line of text. */
void
render_icon(struct render *r, const char *name)
{
	struct str drawn = drawn_icon(r, name);

	if (drawn.p != NULL)
		h_raw(&r->h, drawn);
}

static void
render_icon_node(struct render *r, const cJSON *node)
{
	render_icon(r, json_text_of(data_of(node), "icon"));
}

static const struct {
	const char *type;
	void      (*render)(struct render *r, const cJSON *node);
} inlines[] = {
	{ "link", render_link_node }, { "mention", render_mention }, { "inline-math", inline_math },
	{ "annotation", render_annotation }, { "emoji", render_emoji_node }, { "inline-image", inline_image },
	{ "button", render_button }, { "icon", render_icon_node },
};

bool
render_says(const cJSON *list)
{
	static const char *const shown[] = { "mention", "inline-math", "emoji", "inline-image", "button" };
	const cJSON *node, *l;

	cJSON_ArrayForEach(node, list) {
		cJSON_ArrayForEach(l, json_member(node, "leaves")) {
			const char *text = json_text_of(l, "text");
			if (text != NULL && text[strspn(text, " \t\n")] != '\0')
				return true;
		}
		for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
			if (strcmp(shown[i], node_type(node)) == 0)
				return true;
		/* Links and annotations contain inlines; RENDER_DEPTH bounds the nesting. */
		if (render_says(json_member(node, "nodes")))
			return true;
	}
	return false;
}

void
render_inlines(struct render *r, const cJSON *list)
{
	const cJSON *node, *l;
	const char *type;
	unsigned open;
	size_t i;

	/* Inlines and blocks share the nesting count: links in notes in links. */
	if (r->depth >= RENDER_DEPTH)
		return;
	r->depth++;
	cJSON_ArrayForEach(node, list) {
		/* A text has leaves; any other inline has a type of the table above. */
		cJSON_ArrayForEach(l, json_member(node, "leaves"))
			render_leaf(r, l);
		type = node_type(node);
		open = r->h.depth;
		render_compared(r, node);
		for (i = 0; i < sizeof(inlines) / sizeof(inlines[0]); i++)
			if (strcmp(inlines[i].type, type) == 0)
				inlines[i].render(r, node);
		h_close_to(&r->h, open);
	}
	r->depth--;
}
