/*
 * Inlines. cmark's inline nodes (with HTML as single tags among them) and gumbo's elements are both
 * turned into the same calls: text, an element begins, an element ends. Marks are counted, so that
 * they need not nest. An element whose content becomes a node or an attribute begins a capture:
 * what follows goes into it until its end.
 */
#include <ctype.h>
#include <stdlib.h>
#include <stdio.h>

#include "../doc_parse.h"

/*
 * NOTE_LEVEL: nesting level that is assumed for the body of an annotation, since inlines do not know
 * how deep their block is. NOTE_BYTES: counted for a footnote whose lines are not known.
 */
enum { NOTE_LEVEL = DOC_DEPTH / 2, NOTE_BYTES = 64 };

static uint32_t
current_marks(const struct inl *in)
{
	uint32_t m = 0;

	for (unsigned i = 0; i < INLINE_MARKS; i++)
		if (in->count[i] > 0)
			m |= 1u << i;
	return in->color > 0 && in->color <= MAX_COLORS ? m | in->colors[in->color - 1] : m;
}

void
inline_put_text(struct inl *in, struct str s)
{
	doc_text(in->c->a, in->sink, s, current_marks(in));
}

static bool
is_capturing(const struct inl *in, enum capture_kind kind)
{
	for (unsigned i = 0; i < in->cap; i++)
		if (in->caps[i].kind == kind)
			return true;
	return false;
}

/* Links and annotations contain only text and images, so an emoji in them becomes characters. */
void
inline_put_emoji(struct inl *in, const char *code)
{
	struct doc_node *n;
	struct buf b;

	if (is_capturing(in, CAP_LINK) || is_capturing(in, CAP_NOTE)) {
		/* A code point takes at most four bytes, and at least four characters of code. */
		buf_init(&b, in->c->a, (code == NULL ? 0 : strlen(code)) * 4 + 1);
		emoji_utf8(&b, code);
		inline_put_text(in, buf_view(&b));
		return;
	}
	n = doc_node(in->c->a, DOC_EMOJI);
	doc_set_str(in->c->a, n, "code", code);
	doc_append(in->sink, n);
}

void
inline_put_math(struct inl *in, struct str formula)
{
	struct doc_node *n = doc_node(in->c->a, DOC_INLINE_MATH);
	char *text, *p;

	formula = str_trim(formula);
	text = arena_strndup(in->c->a, formula.p, formula.n);
	for (p = text; (p = strpbrk(p, "\r\n")) != NULL; )
		*p = ' ';
	doc_set_str(in->c->a, n, "formula", text);
	doc_append(in->sink, n);
}

static struct doc_node *
begin_capture(struct inl *in, enum capture_kind kind, const char *name, struct doc_node *node)
{
	struct capture *k;

	if (in->cap == MAX_CAPTURES)
		return node;
	k = &in->caps[in->cap++];
	*k = (struct capture){ .kind = kind, .name = name, .node = node, .outer = in->sink };
	if (node != NULL)
		in->sink = node;
	return node;
}

/*
 * Fills the body of an annotation. If several annotations refer to a note, it is copied each time,
 * within a budget. A note inside a note is not copied.
 */
static void
fill_note_body(struct inl *in, struct doc_node *annotation, const struct footnote *note)
{
	struct conv *c = in->c;
	struct doc_node *body = doc_fragment(c->a, annotation, "annotation-body");
	size_t from, to, size;

	if (note != NULL && !c->in_note) {
		from = (size_t)cmark_node_get_start_line(note->def);
		/*
		 * notes_keep_unused() finds by this line that the definition is used, if the
		 * annotation is in the final tree.
		 */
		body->line = from;
		to = (size_t)cmark_node_get_end_line(note->def);
		size = to >= from && to <= c->notes_src->lines ? c->notes_src->starts[to] - c->notes_src->starts[from - 1] : NOTE_BYTES;
		if (size <= c->note_budget) {
			c->note_budget -= size;
			c->in_note = true;
			c->steps->blocks(c, c->notes_src, note->def, body, NOTE_LEVEL, NULL);
			c->in_note = false;
		}
	}
	if (body->child == NULL)
		doc_append(body, doc_node(c->a, DOC_PARAGRAPH));
}

/* Moves the word before the reference into the annotation. */
static void
annotate_word(struct inl *in, struct doc_node *annotation)
{
	struct doc_node *l = in->sink->last;
	size_t i;

	if (l == NULL || l->type != DOC_LEAF || l->raw.p != NULL)
		return;
	for (i = l->text.n; i > 0 && !isspace((unsigned char)l->text.p[i - 1]); )
		i--;
	if (i == l->text.n)
		return;
	doc_text(in->c->a, annotation, str_slice(l->text, i, l->text.n), l->marks);
	l->text.n = i;
	l->room = 0;
}

/*
 * Adds the footnote that a reference [^1] names. After a link to #user-content-fn-1 it annotates
 * the text of that link, otherwise the word before it.
 */
static void
add_footnote(struct inl *in, const char *number)
{
	struct conv *c = in->c;
	struct doc_node *last = in->sink->last, *n;
	struct doc_attr *ref = last != NULL && last->type == DOC_LINK ? doc_attr(last, "ref") : NULL;
	const struct footnote *note = note_by_number(c, number);

	if (c->in_note || is_capturing(in, CAP_LINK) || is_capturing(in, CAP_NOTE))
		return;
	if (ref != NULL && strncmp(ref->v.target->spelling, "#user-content-fn", 16) == 0) {
		last->type = DOC_ANNOTATION;
		last->attrs = NULL;
		fill_note_body(in, last, note);
		return;
	}
	n = doc_node(c->a, DOC_ANNOTATION);
	annotate_word(in, n);
	doc_drop_empty(in->sink);
	fill_note_body(in, n, note);
	doc_append(in->sink, n);
}

/* Plain text that was captured. */
static const char *
captured_text(struct inl *in, const struct doc_node *n)
{
	struct doc_node all = { .type = DOC_FRAGMENT, .child = n->child };

	return doc_plain_of(in->c->a, &all);
}

/* Ends a link that became text: writes "]", and "[label]" if its text is not the label. */
static void
end_excess(struct inl *in, const char *label, size_t from)
{
	const struct doc_node *l = in->sink->last;
	bool same = l != NULL && l->type == DOC_LEAF && l->text.n > from &&
	    str_is_nocase(str_slice(l->text, from, l->text.n), label);

	inline_put_text(in, STR("]"));
	if (same)
		return;
	inline_put_text(in, STR("["));
	inline_put_text(in, str_of(label));
	inline_put_text(in, STR("]"));
}

static void end_capture(struct inl *in);

static void
begin_excess(struct inl *in, const char *label)
{
	inline_put_text(in, STR("["));
	begin_capture(in, CAP_EXCESS, "", NULL);
	in->caps[in->cap - 1].label = label;
	in->caps[in->cap - 1].from = in->sink->last->text.n;
}

static void begin_link(struct inl *in, const char *name, struct str url, const char *title);

/* A video among words becomes a link. If it has an end tag, its fallback content is dropped. */
static void
end_media(struct inl *in, const struct capture *k)
{
	struct doc_node *n = k->node->child, *next;
	const char *text = k->title != NULL ? k->title : k->address;
	unsigned before = in->cap;

	if (k->address != NULL && in->cap < MAX_CAPTURES) {
		begin_link(in, "", str_of(k->address), NULL);
		inline_put_text(in, str_of(text));
		if (in->cap > before)
			end_capture(in);
	}
	for (; n != NULL && (k->address == NULL || !k->closed); n = next) {
		next = n->next;
		doc_append(in->sink, n);
	}
}

static void
end_capture(struct inl *in)
{
	struct capture end = in->caps[--in->cap], *k = &end;
	struct arena *a = in->c->a;

	in->sink = k->outer;
	if (k->kind == CAP_EXCESS)
		end_excess(in, k->label, k->from);
	if (k->kind == CAP_MEDIA)
		end_media(in, k);
	if (k->kind == CAP_BRACKET)
		inline_put_raw(in, str_of(arena_printf(a, "<rp>%s</rp>", captured_text(in, k->node))));
	if (k->kind == CAP_PASS || k->kind == CAP_EXCESS || k->kind == CAP_MEDIA || k->kind == CAP_BRACKET)
		return;
	/* Drop an empty link if its element is around the block, or if its <a> was not closed in this block. */
	if (k->kind == CAP_LINK && k->node->child == NULL && (in->cap < in->wrapped || (!k->closed && *k->name != '\0')))
		return;
	if (k->kind == CAP_BUTTON)
		doc_set_str(a, k->node, "label", captured_text(in, k->node));
	if (k->kind == CAP_EXPRESSION)
		doc_set_str(a, k->node, "expression", captured_text(in, k->node));
	if (k->kind == CAP_NOTE)
		fill_note_body(in, k->node, note_by_label(in->c, k->footnote));
	else if (k->kind != CAP_LINK)
		k->node->child = k->node->last = NULL;
	if (k->kind == CAP_EMOJI)
		inline_put_emoji(in, doc_attr_str(k->node, "code"));
	else
		doc_append(in->sink, k->node);
}

/*
 * A mention shows the title of its target. Two kinds of targets have no title here: the form that
 * the published service writes for a lost target, and an address of another site. Such a mention
 * becomes a link with the label as its text. Its title is "mention", so that it can be written
 * back.
 */
static bool
is_mention(struct str url, const char *title)
{
	static const struct str gone = { "broken-reference", 16 };

	if (title == NULL || strcmp(title, "mention") != 0 || str_starts(url, "/broken/") || str_starts(url, "http://") ||
	    str_starts(url, "https://"))
		return false;
	/* A page may be named "broken-reference-2.md". */
	return !str_starts(url, gone.p) || (url.n > gone.n && strchr("/#?", url.p[gone.n]) == NULL);
}

static void
begin_link(struct inl *in, const char *name, struct str url, const char *title)
{
	struct arena *a = in->c->a;
	bool mention = is_mention(url, title);
	struct doc_node *n;

	if (is_capturing(in, CAP_LINK) || is_capturing(in, CAP_NOTE) || in->cap == MAX_CAPTURES) {
		begin_capture(in, CAP_PASS, name, NULL);
		return;
	}
	n = doc_node(a, mention ? DOC_MENTION : DOC_LINK);
	doc_set_ref(a, n, "ref", conv_target(in->c, url, USE_LINK));
	if (!mention && title != NULL && *title != '\0')
		doc_set_str(a, n, "title", arena_strdup(a, title));
	begin_capture(in, mention ? CAP_MENTION : CAP_LINK, name, n);
}

static void
begin_button(struct inl *in, const GumboNode *e, const char *name)
{
	struct arena *a = in->c->a;
	struct doc_node *n = doc_node(a, DOC_BUTTON);
	const char *class = html_attr(e, "class"), *href = html_attr(e, "href"), *size = html_attr(e, "data-size");
	const char *action = html_attr(e, "data-action");

	doc_set_str(a, n, "kind", class != NULL && strstr(class, "secondary") != NULL ? "secondary" : "primary");
	doc_set_str(a, n, "icon", html_attr(e, "data-icon"));
	if (size != NULL && doc_in_set("small,medium,large", size))
		doc_set_str(a, n, "size", size);
	if (action != NULL && doc_in_set("search,ask,select", action)) {
		doc_set_str(a, n, "action", action);
		if (strcmp(action, "select") == 0)
			doc_set_str(a, n, "slug", html_attr(e, "data-slug") != NULL ? html_attr(e, "data-slug") : "");
		else
			doc_set_str(a, n, "query", html_attr(e, "data-query"));
	} else
		doc_set_ref(a, n, "ref", conv_target(in->c, str_of(href != NULL ? href : ""), USE_LINK));
	begin_capture(in, CAP_BUTTON, name, n);
}

static bool
is_button(const GumboNode *e)
{
	const char *class = html_attr(e, "class");

	return class != NULL && (strncmp(class, "button", 6) == 0 || strstr(class, " button") != NULL);
}

static bool
is_heading(const struct doc_node *n)
{
	return n->type >= DOC_HEADING_1 && n->type <= DOC_HEADING_3;
}

/* Reads <a> as a button, mention, footnote, anchor or link; false if it has no meaning. */
static bool
begin_anchor_element(struct inl *in, const GumboNode *e)
{
	const char *href = html_attr(e, "href"), *id = html_attr(e, "id");
	struct arena *a = in->c->a;
	struct doc_node *n;

	if (id == NULL)
		id = html_attr(e, "name");
	/* <a id="name"></a> in a heading gives the heading its anchor. */
	if (id != NULL && *id != '\0' && (href == NULL || *href == '#' || *href == '\0') && is_heading(in->into)) {
		if (in->into->anchor == NULL)
			in->into->anchor = arena_strdup(a, id);
		begin_capture(in, CAP_PASS, "a", NULL);
		return true;
	}
	if (is_button(e)) {
		begin_button(in, e, "a");
		return true;
	}
	if (href == NULL)
		return false;
	if (html_attr(e, "data-footnote-ref") != NULL && strncmp(href, "#user-content-fn-", 17) == 0 &&
	    !is_capturing(in, CAP_LINK) && !in->c->in_note && in->cap < MAX_CAPTURES) {
		n = doc_node(a, DOC_ANNOTATION);
		begin_capture(in, CAP_NOTE, "a", n);
		in->caps[in->cap - 1].footnote = arena_strdup(a, href + 17);
		return true;
	}
	begin_link(in, "a", str_of(href), html_attr(e, "data-mention") != NULL ? "mention" : html_attr(e, "title"));
	return true;
}

static void
add_image(struct inl *in, struct str src, const char *alt, const char *caption, const char *size)
{
	struct arena *a = in->c->a;
	struct doc_node *n = doc_node(a, DOC_INLINE_IMAGE);

	doc_set_ref(a, n, "ref", conv_file(in->c, src));
	if (in->dark != NULL)
		doc_set_ref(a, n, "refDark", in->dark);
	in->dark = NULL;
	if (caption != NULL && *caption != '\0')
		doc_set_str(a, n, "caption", arena_strdup(a, caption));
	if (alt != NULL && *alt != '\0')
		doc_set_str(a, n, "alt", arena_strdup(a, alt));
	if (size != NULL && doc_in_set("original,line", size))
		doc_set_str(a, n, "size", size);
	doc_append(in->sink, n);
}

static void
begin_mark(struct inl *in, const GumboNode *e)
{
	const char *style = html_attr(e, "style");
	uint32_t text = html_color(style, "color"), back = html_color(style, "background-color");

	if (in->color < MAX_COLORS)
		in->colors[in->color] = text + back == 0 ? 0
		    : MARK_COLOR | text << MARK_TEXT_SHIFT | back << MARK_BACK_SHIFT;
	in->color++;
}

/* The bit number of the mark that an element gives its text; -1: none. */
static int
mark_of_element(struct str name)
{
	static const struct { const char *name; int bit; } marks[] = { { "strong", BIT_BOLD }, { "b", BIT_BOLD },
		{ "em", BIT_ITALIC }, { "i", BIT_ITALIC }, { "del", BIT_STRIKE }, { "s", BIT_STRIKE }, { "strike", BIT_STRIKE },
		{ "code", BIT_CODE }, { "kbd", BIT_KEYBOARD }, { "sup", BIT_SUPER }, { "sub", BIT_SUB } };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (str_is_nocase(name, marks[i].name))
			return marks[i].bit;
	return -1;
}

/* Reads <i class="fa-x">, <code class="expression"> or <span data-gb-custom-inline>. */
static bool
begin_special(struct inl *in, const GumboNode *e, struct str name)
{
	struct arena *a = in->c->a;
	const char *class = html_attr(e, "class"), *v;
	struct doc_node *n;

	if (str_is_nocase(name, "i") && (v = html_icon(a, class)) != NULL) {
		n = doc_node(a, DOC_ICON);
		doc_set_str(a, n, "icon", v);
		uint32_t color = html_color(html_attr(e, "style"), "color");
		if (color > 0)
			doc_set_str(a, n, "color", doc_colors[color]);
		begin_capture(in, CAP_ICON, "i", n);
	} else if (str_is_nocase(name, "code") && class != NULL && strcmp(class, "expression") == 0)
		begin_capture(in, CAP_EXPRESSION, "code", doc_node(a, DOC_EXPRESSION));
	else if (str_is_nocase(name, "span") && (v = html_attr(e, "data-tag")) != NULL &&
	    strcmp(v, "emoji") == 0 && (v = html_attr(e, "data-code")) != NULL) {
		n = doc_node(a, DOC_EMOJI);
		doc_set_str(a, n, "code", v);
		begin_capture(in, CAP_EMOJI, "span", n);
	} else
		return false;
	return true;
}

/* A video, sound or frame; a <source> in it may give the address. */
static bool
begin_media(struct inl *in, const GumboNode *e, const char *name)
{
	const char *src = html_media(e);
	struct capture *k;

	if (src == NULL && (html_attr(e, "src") != NULL || strcmp(name, "iframe") == 0))
		return false;
	begin_capture(in, CAP_MEDIA, name, doc_node(in->c->a, DOC_FRAGMENT));
	k = &in->caps[in->cap - 1];
	k->address = src == NULL ? NULL : arena_strdup(in->c->a, src);
	k->title = html_attr(e, "title") == NULL ? NULL : arena_strdup(in->c->a, html_attr(e, "title"));
	return true;
}

/* <source> gives its address to the video around it, if that has none; in a <picture>, it is the image of the dark theme. */
static void
begin_source(struct inl *in, const GumboNode *e)
{
	struct capture *k = in->cap == 0 ? NULL : &in->caps[in->cap - 1];
	const char *v = html_attr(e, "media");

	if (k != NULL && k->kind == CAP_MEDIA) {
		if (k->address == NULL && html_media(e) != NULL)
			k->address = arena_strdup(in->c->a, html_media(e));
		return;
	}
	if (v != NULL && strstr(v, "dark") != NULL && html_attr(e, "srcset") != NULL)
		in->dark = conv_file(in->c, str_of(html_attr(e, "srcset")));
}

const char *
inline_media(struct str name)
{
	static const char *const names[] = { "video", "audio", "iframe" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (str_is_nocase(name, names[i]))
			return names[i];
	return NULL;
}

/* An element begins; false if it has no meaning here. */
bool
inline_enter(struct inl *in, const GumboNode *e, struct str name)
{
	int bit;

	if (in->cap == MAX_CAPTURES)
		return false;
	if (begin_special(in, e, name))
		return true;
	if (inline_media(name) != NULL)
		return begin_media(in, e, inline_media(name));
	if ((bit = mark_of_element(name)) >= 0)
		in->count[bit]++;
	else if (str_is_nocase(name, "mark"))
		begin_mark(in, e);
	else if (str_is_nocase(name, "br"))
		inline_put_text(in, STR("\n"));
	else if (str_is_nocase(name, "a"))
		return begin_anchor_element(in, e);
	else if (str_is_nocase(name, "button"))
		begin_button(in, e, "button");
	else if (str_is_nocase(name, "source"))
		begin_source(in, e);
	else if (str_is_nocase(name, "rp"))
		begin_capture(in, CAP_BRACKET, "rp", doc_node(in->c->a, DOC_FRAGMENT));
	else if (str_is_nocase(name, "img")) {
		if (html_attr(e, "src") == NULL)
			return false;
		add_image(in, str_of(html_attr(e, "src")), html_attr(e, "alt"), html_attr(e, "title"),
		    html_attr(e, "data-size"));
	} else
		return str_is_nocase(name, "picture");
	return true;
}

bool
inline_leave(struct inl *in, struct str name)
{
	int bit;

	if (in->cap > 0 && str_is_nocase(name, in->caps[in->cap - 1].name)) {
		in->caps[in->cap - 1].closed = true;
		end_capture(in);
		return true;
	}
	if ((bit = mark_of_element(name)) >= 0) {
		if (in->count[bit] == 0)
			return false;
		in->count[bit]--;
	} else if (str_is_nocase(name, "mark")) {
		if (in->color == 0)
			return false;
		in->color--;
	} else
		return str_is_nocase(name, "picture") || str_is_nocase(name, "br");
	return true;
}

void
inline_put_raw(struct inl *in, struct str raw)
{
	if (is_capturing(in, CAP_LINK) || is_capturing(in, CAP_NOTE))
		inline_put_text(in, html_visible(in->c->a, raw));
	else
		doc_raw(in->c->a, in->sink, raw, html_visible(in->c->a, raw));
}

/* Begin the tag's element; false if it has no meaning here. */
static bool
begin_tag(struct inl *in, struct str raw, struct str name)
{
	static const GumboNode bare = { .type = GUMBO_NODE_ELEMENT };
	const GumboNode *body;
	bool known;

	/* An element without attributes, such as "<b>", needs no run of gumbo. */
	if (raw.n == name.n + 2)
		return inline_enter(in, &bare, name);
	if ((body = html_open(in->c, raw)) == NULL)
		return false;
	known = body->v.element.children.length > 0 && inline_enter(in, body->v.element.children.data[0], name);
	html_close(in->c);
	return known;
}

/* Adds a blank between words that a box separates. */
void
inline_separate(struct inl *in)
{
	const struct doc_node *l = in->sink->last;

	if (l != NULL && (l->type != DOC_LEAF || (l->text.n > 0 && !isspace((unsigned char)l->text.p[l->text.n - 1]))))
		inline_put_text(in, STR(" "));
}

/* An HTML tag or comment among Markdown. */
static void
html_tag(struct inl *in, struct str raw)
{
	bool closing = raw.n > 2 && raw.p[1] == '/', known;
	size_t from = closing ? 2 : 1, to = from;
	struct str name;

	while (to < raw.n && (isalnum((unsigned char)raw.p[to]) || raw.p[to] == '-'))
		to++;
	name = str_slice(raw, from, to);
	if (name.n > 0 && closing && inline_leave(in, name))
		return;
	known = name.n > 0 && !closing && begin_tag(in, raw, name);
	if (!known) {
		if (html_parts_text(html_class(name)) && inline_media(name) == NULL)
			inline_separate(in);
		inline_put_raw(in, raw);
	} else if (raw.n > 2 && raw.p[raw.n - 2] == '/' && (mark_of_element(name) >= 0 || inline_media(name) != NULL))
		inline_leave(in, name);
}

/*
 * Adds a node of our extension. A block tag in a place where it cannot be a block becomes text with
 * escapes, so that it is not read as a tag when the text is read again.
 */
static void
put_custom(struct inl *in, char kind, struct str content)
{
	struct tag t;

	if (kind == CM_MATH)
		inline_put_math(in, content);
	else if (kind == CM_EMOJI)
		inline_put_emoji(in, emoji_code(in->c->a, content));
	else if (kind == CM_TAG && (tag_scan(content, &t) == 0 || tag_known(&t)))
		inline_put_text(in, content);
	else if (kind == CM_TAG)
		doc_raw(in->c->a, in->sink, content, content);
}

static void
enter_node(struct inl *in, cmark_node *n)
{
	const char *title;
	struct str url;

	switch (cmark_node_get_type(n)) {
	case CMARK_NODE_TEXT:
		inline_put_text(in, md_literal(n));
		break;
	case CMARK_NODE_SOFTBREAK:
		inline_put_text(in, STR(" "));
		break;
	case CMARK_NODE_LINEBREAK:
		inline_put_text(in, STR("\n"));
		break;
	case CMARK_NODE_CODE:
		in->count[BIT_CODE]++;
		inline_put_text(in, md_literal(n));
		in->count[BIT_CODE]--;
		break;
	case CMARK_NODE_HTML_INLINE:
		html_tag(in, md_literal(n));
		break;
	case CMARK_NODE_LINK:
		if (md_address(in->c, n, &url, &title))
			begin_link(in, "", url, title);
		else if (in->cap < MAX_CAPTURES)
			begin_excess(in, md_reference(in->c, n)->label);
		/*
		 * md_address() has set `by` for the next lookup. A nested link made none, so `by` is
		 * reset: it must not apply to a later one.
		 */
		in->c->by = BY_OTHER;
		break;
	case CMARK_NODE_IMAGE:
		if (md_address(in->c, n, &url, &title))
			add_image(in, url, md_alt_text(in->c, n), title, NULL);
		else
			inline_put_text(in, str_of(arena_printf(in->c->a, "![%s][%s]", md_alt_text(in->c, n),
			    md_reference(in->c, n)->label)));
		in->c->by = BY_OTHER;
		break;
	case CMARK_NODE_FOOTNOTE_REFERENCE:
		add_footnote(in, cmark_node_get_literal(n));
		break;
	default:
		break;
	}
}

/* The bit number of an emphasis node's mark; -1 for other nodes. */
static int
emphasis_mark(cmark_node *n)
{
	cmark_node_type type = cmark_node_get_type(n);

	if (type == CMARK_NODE_STRONG)
		return BIT_BOLD;
	if (type == CMARK_NODE_EMPH)
		return BIT_ITALIC;
	/* cmark numbers the types of extensions after its own, of which this is the last. */
	return type > CMARK_NODE_FOOTNOTE_REFERENCE && strcmp(cmark_node_get_type_string(n), "strikethrough") == 0 ? BIT_STRIKE : -1;
}

/* A Markdown link ends: ends the HTML elements that were opened inside it, then the link, whose name is "". */
static void
end_markdown_link(struct inl *in)
{
	while (in->cap > 0 && *in->caps[in->cap - 1].name != '\0')
		end_capture(in);
	if (in->cap > 0)
		end_capture(in);
}

/* Converts a node and all below it; what is inside an image is only its alternative text (md_alt_text()). */
static void
walk_inlines(struct inl *in, cmark_node *root)
{
	cmark_iter *it = cmark_iter_new(root);
	cmark_event_type ev;
	cmark_node *n, *skip = NULL;
	struct str content;
	int mark;

	while ((ev = cmark_iter_next(it)) != CMARK_EVENT_DONE) {
		n = cmark_iter_get_node(it);
		if (skip != NULL) {
			skip = n == skip ? NULL : skip;
			continue;
		}
		mark = emphasis_mark(n);
		if (ev == CMARK_EVENT_ENTER && md_custom(n, &content) != '\0')
			put_custom(in, md_custom(n, &content), content);
		else if (mark >= 0 && ev == CMARK_EVENT_ENTER)
			in->count[mark]++;
		else if (mark >= 0)
			/* An HTML end tag inside, such as </b>, may have ended the mark already. */
			in->count[mark] -= in->count[mark] > 0;
		else if (ev == CMARK_EVENT_ENTER) {
			enter_node(in, n);
			skip = cmark_node_get_type(n) == CMARK_NODE_IMAGE ? n : NULL;
		} else if (cmark_node_get_type(n) == CMARK_NODE_LINK)
			end_markdown_link(in);
	}
	cmark_iter_free(it);
}

void
inline_begin(struct inl *in, struct conv *c, struct doc_node *into)
{
	in->c = c;
	in->into = in->sink = into;
	memset(in->count, 0, sizeof(in->count));
	/* Captures and colours have arrays of fixed size; further ones are ignored. */
	in->cap = in->color = in->wrapped = 0;
	in->dark = NULL;
	in->pre = false;
	/* Elements around the block apply to its text, and a term (<dt>) is bold. A line of code contains only text. */
	for (unsigned i = 0; i < c->wrap_count && into->type != DOC_CODE_LINE; i++)
		if (html_is(c->wraps[i], "dt"))
			in->count[BIT_BOLD]++;
		else
			inline_enter(in, c->wraps[i], html_name(c->wraps[i]));
	in->wrapped = in->cap;
}

void
inline_end(struct inl *in)
{
	while (in->cap > 0)
		end_capture(in);
}

void
inline_nodes(struct conv *c, cmark_node *first, cmark_node *stop, struct doc_node *into)
{
	struct str content;
	struct inl in;
	char kind;

	inline_begin(&in, c, into);
	for (; first != stop; first = cmark_node_next(first)) {
		if ((kind = md_custom(first, &content)) != '\0')
			put_custom(&in, kind, content);
		else if (cmark_node_first_child(first) == NULL && emphasis_mark(first) < 0 &&
		    cmark_node_get_type(first) != CMARK_NODE_LINK)
			enter_node(&in, first);
		else
			walk_inlines(&in, first);
	}
	inline_end(&in);
}
