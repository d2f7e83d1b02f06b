/*
 * Turns inline nodes into one Pango layout and its lines into strips (text_draw.c draws them). Each
 * run's style is found by a custom attribute, which also keeps Pango from merging adjacent runs of
 * two links, so that each gets its own structure tag.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/emoji.h"
#include "base/utf8.h"
#include "paper.h"

/*
 * Bytes. A paragraph longer than LONG comes from a program and is laid out in pieces of about PIECE
 * bytes.
 */
enum { STYLES_STEP = 8, TEXT_MAX = 64 << 20, LONG = 16 << 10, PIECE = 2 << 10 };

/*
 * A paragraph under construction, in the scratch arena. Call writer_end() exactly once for each
 * writer: it frees attrs.
 */
struct writer {
	struct flow   *flow;
	struct type    type;
	struct buf     text;
	PangoAttrList *attrs;
	struct style  *styles;
	size_t         count, room;
	struct link   *link;
	struct note   *notes, **last_note;
	bool           links;
};

static PangoAttribute *
copy_style(const PangoAttribute *a)
{
	const PangoAttrInt *from = (const PangoAttrInt *)a;
	PangoAttrInt *to = g_new(PangoAttrInt, 1);

	*to = *from;
	return &to->attr;
}

static void
free_style(PangoAttribute *a)
{
	g_free(a);
}

static gboolean
same_style(const PangoAttribute *a, const PangoAttribute *b)
{
	return ((const PangoAttrInt *)a)->value == ((const PangoAttrInt *)b)->value;
}

struct writer *
writer_new(struct flow *f, const struct type *t)
{
	struct writer *w = arena_alloc(f->paper->scratch, sizeof(*w));

	*w = (struct writer){ .flow = f, .type = *t, .attrs = pango_attr_list_new() };
	if (w->type.leading <= 0)
		w->type.leading = 1.22;
	w->last_note = &w->notes;
	buf_init(&w->text, f->paper->scratch, TEXT_MAX);
	return w;
}

bool
writer_empty(const struct writer *w)
{
	return w->text.n == 0;
}

/* ---- attributes ---- */

/* The attribute applies from byte `from` to the end of the text; Pango takes ownership. */
static void
put_attr(struct writer *w, PangoAttribute *a, size_t from)
{
	a->start_index = (guint)from;
	a->end_index = (guint)w->text.n;
	pango_attr_list_insert(w->attrs, a);
}

/* Applies the style from byte `from` to the end of the text. */
static void
put_style(struct writer *w, size_t from, const struct style *s)
{
	/*
	 * Static, because Pango keeps the pointer as long as any attribute lives. The attribute's
	 * type is known only at run time.
	 */
	static PangoAttrClass class = { 0, NULL, NULL, NULL };
	PangoAttrInt *a = g_new(PangoAttrInt, 1);

	class = (PangoAttrClass){ text_style_attr(), copy_style, free_style, same_style };
	w->styles = arena_grow(w->flow->paper->scratch, w->styles, w->count, &w->room, sizeof(*w->styles));
	w->styles[w->count] = *s;
	w->links |= s->link != NULL;
	pango_attribute_init(&a->attr, &class);
	a->value = (int)w->count++;
	put_attr(w, &a->attr, from);
}

static double
type_size(const struct writer *w)
{
	return w->type.size * w->flow->scale;
}

static struct style
plain_style(const struct writer *w)
{
	return (struct style){ .color = w->link != NULL && !w->link->quiet ? ACCENT : w->type.color, .back = NO_COLOR, .link = w->link };
}

void
writer_text(struct writer *w, const char *s)
{
	struct style style = plain_style(w);
	size_t from = w->text.n;

	buf_str(&w->text, s);
	if (w->text.n > from)
		put_style(w, from, &style);
}

void
writer_color(struct writer *w, int color)
{
	w->type.color = color;
}

void
writer_link(struct writer *w, struct link *l)
{
	w->link = l;
}

void
writer_object(struct writer *w, struct object *o)
{
	/*
	 * The shape attribute gives the replacement character the object's size, so that Pango
	 * breaks lines around it.
	 */
	PangoRectangle r = { 0, (int)(-o->ascent * PANGO_SCALE), (int)(o->w * PANGO_SCALE),
		(int)((o->ascent + o->descent) * PANGO_SCALE) };
	struct style style = plain_style(w);
	size_t from = w->text.n;

	style.object = o;
	buf_str(&w->text, "\xEF\xBF\xBC");   /* U+FFFC, object replacement character */
	put_attr(w, pango_attr_shape_new(&r, &r), from);
	put_style(w, from, &style);
}

/* ---- marks ---- */

static const struct { const char *name; int ink, ground; } colors[] = {
	{ "green", 0x1a7f37, 0xdcf5e3 }, { "blue", 0x2456b8, 0xdfe9fb }, { "red", 0xb42318, 0xfde4e1 },
	{ "orange", 0xb54708, 0xfdead7 }, { "yellow", 0x8a6100, 0xfdf3c8 }, { "purple", 0x6941c6, 0xece4fb },
	{ "pink", 0xb81c6b, 0xfbe1ee }, { "violet", 0x5925dc, 0xe6e0fb }, { "cyan", 0x0e7090, 0xd5f2f7 },
	{ "$primary", ACCENT, 0xdfe9fb }, { "$info", 0x2456b8, 0xdfe9fb }, { "$success", 0x1a7f37, 0xdcf5e3 },
	{ "$warning", 0xb54708, 0xfdead7 }, { "$danger", 0xb42318, 0xfde4e1 }, { "$tint", ACCENT, 0xdfe9fb },
};

static void
take_color(const cJSON *data, struct style *s)
{
	const char *ink = json_text_of(data, "text"), *ground = json_text_of(data, "background");
	size_t i;

	for (i = 0; i < sizeof(colors) / sizeof(colors[0]); i++) {
		if (ink != NULL && strcmp(ink, colors[i].name) == 0)
			s->color = colors[i].ink;
		if (ground != NULL && strcmp(ground, colors[i].name) == 0)
			s->back = colors[i].ground;
	}
}

static void
put_mono(struct writer *w, size_t from, struct style *s)
{
	put_attr(w, pango_attr_family_new(w->flow->paper->mono), from);
	put_attr(w, pango_attr_size_new((int)(type_size(w) * 0.9 * PANGO_SCALE)), from);
	s->back = 0xeef0f3;
}

static void
put_raised(struct writer *w, size_t from, double by)
{
	put_attr(w, pango_attr_size_new((int)(type_size(w) * 0.7 * PANGO_SCALE)), from);
	put_attr(w, pango_attr_rise_new((int)(type_size(w) * by * PANGO_SCALE)), from);
}

static void
put_mark(struct writer *w, size_t from, const cJSON *mark, struct style *s)
{
	const char *type = json_text_of(mark, "type");

	if (type == NULL)
		return;
	if (strcmp(type, "bold") == 0)
		put_attr(w, pango_attr_weight_new(PANGO_WEIGHT_BOLD), from);
	else if (strcmp(type, "italic") == 0)
		put_attr(w, pango_attr_style_new(PANGO_STYLE_ITALIC), from);
	else if (strcmp(type, "code") == 0)
		put_mono(w, from, s);
	else if (strcmp(type, "keyboard") == 0) {
		put_mono(w, from, s);
		s->key = true;
	} else if (strcmp(type, "strikethrough") == 0)
		s->strike = true;
	else if (strcmp(type, "superscript") == 0)
		put_raised(w, from, 0.35);
	else if (strcmp(type, "subscript") == 0)
		put_raised(w, from, -0.15);
	else if (strcmp(type, "color") == 0)
		take_color(json_member(mark, "data"), s);
}

/*
 * Pango treats line feeds as paragraph separators, which would end the layout's paragraph: write
 * line separators instead.
 */
static void
put_lines(struct writer *w, const char *s)
{
	for (; *s != '\0'; s++)
		if (*s == '\n')
			buf_str(&w->text, "\xE2\x80\xA8");   /* U+2028, line separator */
		else if ((unsigned char)*s >= 0x20 || *s == '\t')
			buf_char(&w->text, *s);
}

/* Add the style last, after all marks have changed it. An empty leaf adds no range. */
static void
put_leaf(struct writer *w, const cJSON *leaf)
{
	const char *s = json_text_of(leaf, "text");
	struct style style = plain_style(w);
	size_t from = w->text.n;
	const cJSON *mark;

	if (s == NULL || *s == '\0')
		return;
	put_lines(w, s);
	if (w->text.n == from)
		return;
	cJSON_ArrayForEach(mark, json_member(leaf, "marks"))
		put_mark(w, from, mark, &style);
	put_style(w, from, &style);
}

/* ---- links ---- */

/*
 * The link of a reference; NULL if its target is not in this document: another space, a page that
 * is not printed, a broken link.
 */
struct link *
link_of(struct paper *p, const cJSON *ref)
{
	const char *kind = json_text_of(ref, "kind"), *page = json_text_of(ref, "page");
	struct link *l = arena_alloc(p->scratch, sizeof(*l));

	if (kind == NULL || json_text_of(ref, "space") != NULL)
		return NULL;
	if (strcmp(kind, "url") == 0) {
		l->uri = json_text_of(ref, "url");
		/*
		 * A reference that did not resolve keeps its original spelling, which is no address
		 * that a reader could open.
		 */
		return l->uri != NULL && (strncmp(l->uri, "https:", 6) == 0 || strncmp(l->uri, "http:", 5) == 0 ||
		    strncmp(l->uri, "mailto:", 7) == 0) ? l : NULL;
	}
	if (page == NULL)
		page = p->page != NULL ? p->page->id : "";
	/* Check first: paper_dest() would create a destination that no strip ever has. */
	if ((strcmp(kind, "page") != 0 && strcmp(kind, "anchor") != 0) || !paper_has(p, page))
		return NULL;
	l->page = paper_dest(p, page, "");
	l->dest = strcmp(kind, "anchor") == 0 ? paper_dest(p, page, json_text_of(ref, "anchor")) : l->page;
	return l;
}

static void
put_link(struct writer *w, const cJSON *node)
{
	struct link *outer = w->link, *l = link_of(w->flow->paper, json_member(json_member(node, "data"), "ref"));

	if (l != NULL)
		w->link = l;
	writer_nodes(w, json_member(node, "nodes"));
	w->link = outer;
}

/* ---- notes ---- */

static void
note_number(struct writer *w, int number)
{
	size_t from = w->text.n;
	struct style style = plain_style(w);

	buf_printf(&w->text, "%d", number);
	style.color = ACCENT;
	put_raised(w, from, 0.35);
	put_style(w, from, &style);
}

/* The body of an annotation becomes a footnote of the sheet. */
static void
put_note(struct writer *w, const cJSON *node)
{
	struct paper *p = w->flow->paper;
	struct note *n = arena_alloc(p->scratch, sizeof(*n));
	const cJSON *fragment = json_member(node, "fragments");
	struct flow in;
	struct marker *m = arena_alloc(p->scratch, sizeof(*m));
	struct writer *number;

	writer_nodes(w, json_member(node, "nodes"));
	/*
	 * Notes may contain annotations. Each level adds 10 to the depth, which bounds the
	 * recursion.
	 */
	if (fragment == NULL || fragment->child == NULL || w->flow->depth > 30)
		return;
	note_number(w, ++p->note_no);
	flow_init(&in, p, p->width - p->left - p->right, false);
	in.depth = w->flow->depth + 10;
	in.scale = 0.82;
	in.x = 16;
	in.w -= 16;
	number = writer_new(&in, &(struct type){ .size = BODY_SIZE, .color = MUTED });
	writer_text(number, arena_printf(p->scratch, "%d", p->note_no));
	*m = (struct marker){ .text = writer_end(number, -1), .x = 0, .w = 11 };
	in.marker = m;
	blocks(&in, json_member(fragment->child, "nodes"));
	/* The note is measured before its sheet is known: find_cut() subtracts this height from the sheet. */
	*n = (struct note){ .strips = in.first, .h = strips_height(in.first) + NOTE_GAP };
	*w->last_note = n;
	w->last_note = &n->next;
}

/* ---- other inlines ---- */

static void
put_emoji(struct writer *w, const char *code)
{
	size_t from = w->text.n;
	struct style style = plain_style(w);
	char *end;

	while (code != NULL && *code != '\0') {
		unsigned long cp = strtoul(code, &end, 16);

		if (end == code || cp == 0 || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
			break;
		buf_utf8(&w->text, (uint32_t)cp);
		code = *end == '-' ? end + 1 : end;
	}
	if (w->text.n > from)
		put_style(w, from, &style);
}

static void
put_mention(struct writer *w, const cJSON *data)
{
	struct paper *p = w->flow->paper;
	const cJSON *ref = json_member(data, "ref");
	const char *user = json_text_of(ref, "user"), *page = json_text_of(ref, "page"), *name = NULL;
	struct link *outer = w->link;
	const struct pdf_page *x;

	if (user != NULL)
		name = p->source->user(p->source->ctx, p->scratch, user);
	for (x = p->source->pages; page != NULL && json_text_of(ref, "space") == NULL && x != NULL; x = x->next)
		if (strcmp(x->id, page) == 0)
			name = x->title;
	w->link = user == NULL && name != NULL ? link_of(p, ref) : NULL;
	if (user != NULL)
		writer_text(w, "@");
	writer_text(w, name != NULL ? name : user != NULL ? "…" : "(broken link)");
	w->link = outer;
}

static void
draw_picture(struct paper *p, void *data, double x, double baseline)
{
	struct object *o = data;

	picture_draw(p, o->data, x, baseline - o->ascent, o->w, o->ascent + o->descent);
}

static void
put_image(struct writer *w, const cJSON *data)
{
	struct paper *p = w->flow->paper;
	struct picture *pic = picture_of(p, json_member(data, "ref"));
	const char *alt = json_text_of(data, "alt"), *size = json_text_of(data, "size");
	struct object *o;
	double high;

	if (pic == NULL) {
		writer_text(w, alt != NULL ? alt : "");
		return;
	}
	/*
	 * o[0] measures the line. Its draw function receives o[1], which has the same size and the
	 * picture as data.
	 */
	o = arena_alloc(p->scratch, 2 * sizeof(*o));
	high = size != NULL && strcmp(size, "line") == 0 ? type_size(w) * 1.2 : pic->h;
	if (high > pic->h)
		high = pic->h;
	if (high > 120)
		high = 120;
	if (pic->w * high / pic->h > w->flow->w)
		high = w->flow->w * pic->h / pic->w;
	o[0] = (struct object){ pic->w * high / pic->h, high * 0.8, high * 0.2, draw_picture, &o[1] };
	o[1] = o[0];
	o[1].data = pic;
	writer_object(w, o);
}

/* A formula that cannot be read, or is wider than a line, prints as its source. */
static void
put_math(struct writer *w, const char *formula)
{
	struct object *o = formula == NULL ? NULL : math_object(w->flow->paper, formula, type_size(w) * 1.05, false);
	struct style style = plain_style(w);
	size_t from = w->text.n;

	if (o != NULL && o->w <= w->flow->w) {
		writer_object(w, o);
		return;
	}
	put_lines(w, formula != NULL ? formula : "");
	if (w->text.n > from) {
		put_mono(w, from, &style);
		put_style(w, from, &style);
	}
}

static void
put_button(struct writer *w, const cJSON *data)
{
	struct link *outer = w->link;
	const char *label = json_text_of(data, "label");

	w->link = link_of(w->flow->paper, json_member(data, "ref"));
	writer_text(w, label != NULL ? label : "");
	w->link = outer;
}

static void
put_expression(struct writer *w, const char *source)
{
	struct style style = plain_style(w);
	size_t from = w->text.n;

	if (source == NULL)
		return;
	put_lines(w, source);
	if (w->text.n > from) {
		put_mono(w, from, &style);
		put_style(w, from, &style);
	}
}

static void
put_inline(struct writer *w, const cJSON *node)
{
	const cJSON *data = json_member(node, "data"), *leaf;
	const char *type = json_text_of(node, "type"), *object = json_text_of(node, "object");

	if (object != NULL && strcmp(object, "text") == 0)
		cJSON_ArrayForEach(leaf, json_member(node, "leaves"))
			put_leaf(w, leaf);
	else if (type == NULL || strcmp(type, "icon") == 0)
		;   /* icon names: no font has glyphs for them */
	else if (strcmp(type, "link") == 0)
		put_link(w, node);
	else if (strcmp(type, "annotation") == 0)
		put_note(w, node);
	else if (strcmp(type, "emoji") == 0)
		put_emoji(w, json_text_of(data, "code"));
	else if (strcmp(type, "mention") == 0)
		put_mention(w, data);
	else if (strcmp(type, "inline-image") == 0)
		put_image(w, data);
	else if (strcmp(type, "inline-math") == 0)
		put_math(w, json_text_of(data, "formula"));
	else if (strcmp(type, "button") == 0)
		put_button(w, data);
	else if (strcmp(type, "expression") == 0)
		put_expression(w, json_text_of(data, "expression"));
}

void
writer_nodes(struct writer *w, const cJSON *nodes)
{
	const cJSON *node;

	cJSON_ArrayForEach(node, nodes)
		put_inline(w, node);
}

static void
write_plain(struct buf *b, const cJSON *nodes)
{
	const cJSON *node, *leaf;
	const char *s;

	cJSON_ArrayForEach(node, nodes) {
		cJSON_ArrayForEach(leaf, json_member(node, "leaves"))
			if ((s = json_text_of(leaf, "text")) != NULL)
				buf_str(b, s);
		write_plain(b, json_member(node, "nodes"));
	}
}

char *
inline_text(struct arena *a, const cJSON *nodes)
{
	struct buf b;

	buf_init(&b, a, TEXT_MAX);
	write_plain(&b, nodes);
	return b.n > 0 ? b.p : arena_strdup(a, "");
}

/* ---- layouts ---- */

static PangoFontDescription *
make_font(const struct writer *w)
{
	PangoFontDescription *d = pango_font_description_new();

	pango_font_description_set_family(d, w->type.family != NULL ? w->type.family : w->flow->paper->sans);
	pango_font_description_set_absolute_size(d, type_size(w) * PANGO_SCALE);
	pango_font_description_set_weight(d, w->type.bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
	pango_font_description_set_style(d, w->type.italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL);
	return d;
}

/* Lays out n bytes of text with the given attributes. */
static struct text *
lay_out(struct writer *w, const char *text, size_t n, PangoAttrList *attrs, double width)
{
	struct text *t = arena_alloc(w->flow->paper->scratch, sizeof(*t));
	PangoLayout *l = pango_layout_new(w->flow->paper->pango);
	PangoFontDescription *font = make_font(w);

	pango_layout_set_font_description(l, font);
	pango_font_description_free(font);
	pango_layout_set_text(l, n > 0 ? text : "", (int)n);
	pango_layout_set_attributes(l, attrs);
	pango_layout_set_alignment(l, w->type.align);
	/* A word that is wider than the line may break at any character. */
	pango_layout_set_wrap(l, PANGO_WRAP_WORD_CHAR);
	/* Each paragraph takes its direction from its first strong character, except code. */
	pango_layout_set_auto_dir(l, !w->type.forward);
	pango_layout_set_width(l, width < 0 ? -1 : (int)(width * PANGO_SCALE));
	w->flow->paper->unknown += (size_t)pango_layout_get_unknown_glyphs_count(l);
	*t = (struct text){ l, w->styles, w->links };
	return t;
}

struct text *
writer_end(struct writer *w, double width)
{
	struct text *t = lay_out(w, w->text.p, w->text.n, w->attrs, width);

	pango_attr_list_unref(w->attrs);
	w->attrs = NULL;
	return t;
}

void
text_drop(struct text *t)
{
	if (t->layout != NULL)
		g_object_unref(t->layout);
	t->layout = NULL;
}

void
text_size(struct text *t, double *w, double *h, double *ascent)
{
	PangoRectangle r;

	pango_layout_get_extents(t->layout, NULL, &r);
	*w = (double)r.width / PANGO_SCALE;
	*h = (double)r.height / PANGO_SCALE;
	*ascent = (double)pango_layout_get_baseline(t->layout) / PANGO_SCALE;
}

/*
 * Adds the lines of a text as strips. At least two lines stay together at the start and at the end
 * of a paragraph.
 */
static void
put_strips(struct writer *w, struct text *t, bool sticks)
{
	int i, n = pango_layout_get_line_count(t->layout);
	PangoRectangle r;
	struct strip *s;
	double h;

	for (i = 0; i < n; i++) {
		PangoLayoutLine *line = pango_layout_get_line_readonly(t->layout, i);

		pango_layout_line_get_extents(line, NULL, &r);
		h = (double)r.height / PANGO_SCALE;
		s = flow_strip(w->flow, STRIP_LINE, h * w->type.leading);
		s->text = t;
		s->line = i;
		s->last = i == n - 1;
		s->ascent = (double)-r.y / PANGO_SCALE + h * (w->type.leading - 1) / 2;
		s->sticks = sticks || (i == 0 && n > 1) || i == n - 2;
		/*
		 * The line of each note's mark is not known: print all notes on the sheet of the
		 * first line.
		 */
		if (i == 0)
			s->notes = w->notes;
		flow_add(w->flow, s);
	}
}

/*
 * End of the piece that begins at `from`: after a blank if the second half of the piece has one,
 * and never within a UTF-8 character.
 */
static size_t
piece_end(const struct writer *w, size_t from)
{
	size_t end = from + PIECE, i;

	if (end >= w->text.n)
		return w->text.n;
	while (end > from && ((unsigned char)w->text.p[end] & 0xc0) == 0x80)
		end--;
	for (i = end; i > from + PIECE / 2; i--)
		if (w->text.p[i - 1] == ' ')
			return i;
	return end;
}

/*
 * Copies the attributes that overlap the piece [from, to), clipped to it. *all: attributes that
 * begin at or after `from`, sorted by their start; *open: attributes of earlier pieces that
 * continue into this one. Thus a call visits only the attributes of its own piece instead of all.
 */
static PangoAttrList *
piece_attrs(GSList **all, GSList **open, size_t from, size_t to)
{
	PangoAttrList *list = pango_attr_list_new();
	GSList *left = NULL, *l;

	for (; *all != NULL && ((const PangoAttribute *)(*all)->data)->start_index < to; *all = (*all)->next)
		*open = g_slist_prepend(*open, (*all)->data);
	/*
	 * Restore the order of their starts: for the same text Pango lets the later attribute win.
	 */
	*open = g_slist_reverse(*open);
	for (l = *open; l != NULL; l = l->next) {
		const PangoAttribute *a = l->data;
		PangoAttribute *part;

		if (a->end_index > from) {
			part = pango_attribute_copy(a);
			part->start_index = a->start_index <= from ? 0 : a->start_index - (guint)from;
			part->end_index = (guint)((a->end_index > to ? to : a->end_index) - from);
			pango_attr_list_insert(list, part);
		}
		if (a->end_index > to)
			left = g_slist_prepend(left, l->data);
	}
	g_slist_free(*open);
	*open = left;
	return list;
}

/*
 * Lays out a very long text in pieces, each of which begins a new line: Pango's time grows with the
 * square of a layout's length.
 */
static void
put_pieces(struct writer *w, bool sticks)
{
	GSList *all = pango_attr_list_get_attributes(w->attrs), *next = all, *open = NULL;
	size_t from, to;

	for (from = 0; from < w->text.n && w->flow->paper->stop == NULL; from = to) {
		PangoAttrList *attrs;

		to = piece_end(w, from);
		attrs = piece_attrs(&next, &open, from, to);
		put_strips(w, lay_out(w, w->text.p + from, to - from, attrs, w->flow->w), sticks && to == w->text.n);
		pango_attr_list_unref(attrs);
		/* The first piece has taken the notes. */
		w->notes = NULL;
	}
	g_slist_free(open);
	g_slist_free_full(all, (GDestroyNotify)pango_attribute_destroy);
	pango_attr_list_unref(w->attrs);
	w->attrs = NULL;
}

void
writer_flow(struct writer *w, const char *tag, bool sticks)
{
	struct tag *outer = w->flow->tag;

	w->flow->tag = tag_make(w->flow, tag);
	if (w->text.n > LONG)
		put_pieces(w, sticks);
	else
		put_strips(w, writer_end(w, w->flow->w), sticks);
	w->flow->tag = outer;
}

void
text_flow(struct flow *f, const char *s, const struct type *t, const char *tag, bool sticks)
{
	struct writer *w = writer_new(f, t);
	struct style style = plain_style(w);

	put_lines(w, s);
	if (w->text.n > 0)
		put_style(w, 0, &style);
	writer_flow(w, tag, sticks);
}
