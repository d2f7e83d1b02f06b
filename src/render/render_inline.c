/*
 * Inlines: text with marks, links, notes, buttons. Marks are the elements of HTML that
 * mean the same; colours are classes, since a strict policy allows no styles in a page.
 */
#include <strings.h>

#include "base/url.h"
#include "render_parts.h"

/* A line break in text is one for the reader. */
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

/* "$primary" and "red" as the classes "c-primary" and "c-red"; NULL for the default and what is no name. */
static const char *
color_class(struct render *r, const char *prefix, const char *color)
{
	if (color == NULL || strcmp(color, "default") == 0)
		return NULL;
	if (*color == '$')
		color++;
	/* It becomes part of a class: blanks in it would name other classes. */
	if (color[strspn(color, "abcdefghijklmnopqrstuvwxyz")] != '\0' || strlen(color) > 12)
		return NULL;
	return arena_printf(r->arena, "%s-%s", prefix, color);
}

/* Opens a span only for colours that are names; render_leaf() closes whatever was opened. */
static void
open_color(struct render *r, const cJSON *data)
{
	const char *text = color_class(r, "c", member_text(data, "text"));
	const char *back = color_class(r, "b", member_text(data, "background"));

	if (text != NULL || back != NULL)
		h_el(&r->h, "span", "class", arena_printf(r->arena, "%s%s%s", text != NULL ? text : "",
		    text != NULL && back != NULL ? " " : "", back != NULL ? back : ""), NULL);
}

static void
render_leaf(struct render *r, const cJSON *l)
{
	static const struct { const char *mark, *element; } elements[] = {
		{ "bold", "strong" }, { "italic", "em" }, { "strikethrough", "s" }, { "keyboard", "kbd" },
		{ "superscript", "sup" }, { "subscript", "sub" }, { "code", "code" } };
	const char *text = member_text(l, "text"), *raw = member_text(l, "raw");
	/*
	 * A set, not a list: a mark that is given twice nests nothing twice, and the order of
	 * elements is always the same.
	 */
	unsigned open = r->h.depth, set = 0;
	const cJSON *m;

	if (raw != NULL)
		render_places(r, raw);
	if (text == NULL || *text == '\0')
		return;
	cJSON_ArrayForEach(m, member(l, "marks")) {
		const char *type = node_type(m);
		if (strcmp(type, "color") == 0)
			open_color(r, data_of(m));
		for (unsigned i = 0; i < 7; i++)
			if (strcmp(elements[i].mark, type) == 0)
				set |= 1u << i;
	}
	for (unsigned i = 0; i < 7; i++)
		if ((set & 1u << i) != 0)
			h_open(&r->h, elements[i].element);
	write_lines(&r->h, str_of(text));
	/* All marks at once, in the reverse order. */
	h_close_to(&r->h, open);
}

/* A page that is opened in a new window must not reach this one by window.opener. */
void
render_away(struct render *r)
{
	h_attr(&r->h, "rel", "noopener");
	h_attr(&r->h, "target", r->env->blank ? "_blank" : NULL);
}

/* Opens a link; a broken one is text that says so. */
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
	struct render_link to;

	/* A link in a link: its words stay. */
	if (r->in_link) {
		render_inlines(r, member(node, "nodes"));
		return;
	}
	/* Also one whose address is not safe: no href is written for it. */
	if (!render_target(r, member(data_of(node), "ref"), &to))
		to.href = NULL;
	r->in_link = true;
	open_link(r, &to, NULL, member_text(data_of(node), "title"));
	render_inlines(r, member(node, "nodes"));
	h_close(&r->h);
	r->in_link = false;
}

static void
render_mention(struct render *r, const cJSON *node)
{
	struct render_link to;
	/* The title may be known where there is nowhere to go: users have no page. */
	bool known = render_target(r, member(data_of(node), "ref"), &to);

	if (!known)
		to.href = NULL;
	if (r->in_link) {
		h_text(&r->h, to.title != NULL ? to.title : "");
		return;
	}
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
	const char *formula = member_text(data_of(node), "formula");
	struct str set = { NULL, 0 };

	if (formula == NULL)
		return;
	if (r->env->math != NULL)
		set = r->env->math(r->env->ctx, formula, false);
	if (set.p == NULL) {
		h_leaf(&r->h, "code", "math", formula);
		return;
	}
	/* A formula breaks at no line: one that may be wider than a phone scrolls by itself. */
	if (strlen(formula) > RENDER_LONG)
		h_el(&r->h, "span", "class", "math", "tabindex", "0", NULL);
	h_raw(&r->h, set);
	if (strlen(formula) > RENDER_LONG)
		h_close(&r->h);
}

/* The words, and behind them the number of the note, which leads to it and back (notes()). */
static void
render_annotation(struct render *r, const cJSON *node)
{
	const cJSON *body = node_fragment(node, "annotation-body");
	struct note *n;
	char *number;

	render_inlines(r, member(node, "nodes"));
	if (body == NULL)
		return;
	/*
	 * Written at the end of the document (notes()), since a note holds blocks and this is a
	 * line of text.
	 */
	n = arena_alloc(r->arena, sizeof(*n));
	n->body = body;
	*r->last_note = n;
	r->last_note = &n->next;
	number = arena_printf(r->arena, "%u", ++r->note_count);
	h_el(&r->h, "sup", "class", "note", NULL);
	if (!r->in_link)
		h_el(&r->h, "a", "id", arena_printf(r->arena, "~noted-%s", number), "href",
		    arena_printf(r->arena, "#~note-%s", number), NULL);
	h_text(&r->h, number);
	if (!r->in_link)
		h_close(&r->h);
	h_close(&r->h);
}

/* By its code points, as documents hold it; an unknown code gives nothing. */
static void
render_emoji_node(struct render *r, const cJSON *node)
{
	const char *s = render_emoji(r->arena, member_text(data_of(node), "code"));

	if (s != NULL)
		h_text(&r->h, s);
}

/* Is the text behind a picture the same as what stands for the picture? Both would be read out (axe: image-redundant-alt). */
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

/* "line" is the height of the text around; other sizes are the picture's own. */
static void
inline_image(struct render *r, const cJSON *node)
{
	const cJSON *d = data_of(node);
	const char *alt = member_text(d, "alt");
	bool line = same_text(member_text(d, "size"), "line");

	h_el(&r->h, "span", "class", line ? "pic line" : "pic", NULL);
	render_image(r, member(d, "ref"), member(d, "refDark"),
	    alt != NULL && is_repeated(r, node, alt) ? "" : alt, NULL);
	if (member_text(d, "caption") != NULL)
		h_leaf(&r->h, "span", "caption", member_text(d, "caption"));
	h_close(&r->h);
}

/* A button leads somewhere, or searches; what else it does in an application it does not do here. */
static void
render_button(struct render *r, const cJSON *node)
{
	const cJSON *d = data_of(node), *action = member(d, "action");
	const char *label = member_text(d, "label"), *query = member_text(action, "query");
	bool primary = !same_text(member_text(d, "kind"), "secondary");
	struct render_link to;

	if (!render_target(r, member(d, "ref"), &to))
		to = (struct render_link){ 0 };
	/*
	 * "select" opens something in an application; the others ask a question, which the
	 * search page takes.
	 */
	if (action != NULL && r->env->search != NULL && !same_text(member_text(action, "action"), "select"))
		to.href = query == NULL ? r->env->search :
		    arena_printf(r->arena, "%s?q=%s", r->env->search, url_segment(r->arena, str_of(query)));
	if (r->in_link)
		to.href = NULL;
	if (to.href == NULL) {
		h_leaf(&r->h, "span", "btn", label != NULL ? label : "");
		return;
	}
	open_link(r, &to, primary ? "btn primary" : "btn", NULL);
	render_icon(r, member_text(d, "icon"));
	h_text(&r->h, label != NULL ? label : to.href);
	h_close(&r->h);
}

/* Before the words of a button or a title, or in a line of text by itself. */
void
render_icon(struct render *r, const char *name)
{
	struct str drawn = { NULL, 0 };

	if (name != NULL && r->env->icon != NULL)
		drawn = r->env->icon(r->env->ctx, name);
	if (drawn.p != NULL)
		h_raw(&r->h, drawn);
}

static void
render_icon_node(struct render *r, const cJSON *node)
{
	render_icon(r, member_text(data_of(node), "icon"));
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
		cJSON_ArrayForEach(l, member(node, "leaves")) {
			const char *text = member_text(l, "text");
			if (text != NULL && text[strspn(text, " \t\n")] != '\0')
				return true;
		}
		for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
			if (strcmp(shown[i], node_type(node)) == 0)
				return true;
		/* Links and annotations hold others; documents are no deeper than RENDER_DEPTH here. */
		if (render_says(member(node, "nodes")))
			return true;
	}
	return false;
}

void
render_inlines(struct render *r, const cJSON *list)
{
	const cJSON *node, *l;
	const char *type;
	size_t i;

	/* Inlines nest in the same count as blocks: links in notes in links. */
	if (r->depth >= RENDER_DEPTH)
		return;
	r->depth++;
	cJSON_ArrayForEach(node, list) {
		/* A text has leaves; every other inline has a type that stands in the table above. */
		cJSON_ArrayForEach(l, member(node, "leaves"))
			render_leaf(r, l);
		type = node_type(node);
		for (i = 0; i < sizeof(inlines) / sizeof(inlines[0]); i++)
			if (strcmp(inlines[i].type, type) == 0)
				inlines[i].render(r, node);
	}
	r->depth--;
}
