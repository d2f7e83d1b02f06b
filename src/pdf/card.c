/* Blocks that represent something outside the text. Contract: card.h. */
#include <cjson/cJSON.h>
#include <string.h>
#include <strings.h>

#include "card.h"
#include "code.h"

static const cJSON *
get_data(const cJSON *node)
{
	return json_member(node, "data");
}

/* ---- pictures ---- */

/* Data of draw_framed(). Sizes in points. */
struct framed_picture {
	struct picture *picture;
	double          w, h;
	int             align;     /* 0 left, 1 center, 2 right */
	bool            frame;
};

/* The box is as wide as the flow: align the picture within it. */
static void
draw_framed(struct paper *p, void *data, double x, double y, double w, double h)
{
	struct framed_picture *f = data;

	(void)h;
	x += (w - f->w) * f->align / 2;
	picture_draw(p, f->picture, x, y, f->w, f->h);
	if (!f->frame)
		return;
	round_rect(p->cr, x, y, f->w, f->h, 3);
	set_color(p, FAINT);
	cairo_set_line_width(p->cr, 0.7);
	cairo_stroke(p->cr);
}

/*
 * Natural size, or the width in CSS pixels that data sets, reduced to the space that is available.
 */
static void
fit_image(struct flow *f, const cJSON *data, struct framed_picture *out)
{
	/* 0.75: points per CSS pixel. */
	double w = json_number_of(data, "width", 0) * 0.75, limit = paper_height(f->paper) * 0.72;
	const struct picture *pic = out->picture;

	out->w = w > 0 ? w : pic->w;
	if (out->w > f->w)
		out->w = f->w;
	out->h = out->w * pic->h / pic->w;
	if (out->h > limit) {
		out->w *= limit / out->h;
		out->h = limit;
	}
}

/* Each fragment of an image is a caption (docs/design/documents.md, "Files and pictures"). */
static void
add_caption(struct flow *f, const cJSON *image)
{
	const cJSON *one, *part;
	struct writer *w = writer_new(f, &(struct type){ .size = SMALL_SIZE, .color = MUTED, .align = PANGO_ALIGN_CENTER });

	cJSON_ArrayForEach(one, json_member(image, "fragments"))
		cJSON_ArrayForEach(part, json_member(one, "nodes"))
			writer_nodes(w, json_member(part, "nodes"));
	if (writer_empty(w)) {
		/* Call writer_end() for each writer: it frees Pango's attributes. */
		struct text *t = writer_end(w, -1);

		text_drop(t);
		return;
	}
	/* The caption stays on the sheet of its picture. */
	flow_stick(f);
	flow_gap(f, 4);
	writer_flow(w, "Caption", false);
}

/*
 * Placeholder for a picture that cannot be printed: its description or, if that is empty and the
 * picture is external, its address.
 */
static void
missing_picture(struct flow *f, const cJSON *data)
{
	const char *alt = json_text_of(data, "alt");
	struct link *l = link_of(f->paper, json_member(data, "ref"));
	struct frame keep;
	struct deco *d = flow_open(f, &keep, 10, 7, "P");
	struct writer *w;

	d->border = FAINT;
	w = writer_new(f, &(struct type){ .size = 9, .color = MUTED });
	writer_link(w, l);
	writer_text(w, alt != NULL && *alt != '\0' ? alt : l != NULL && l->uri != NULL ? l->uri : "(image)");
	writer_flow(w, "Span", false);
	flow_close(f, &keep);
}

/*
 * image: a node with data {ref, width, alt} and captions as fragments. Drawings have the same form.
 */
static void
put_picture(struct flow *f, const cJSON *image, int align, bool frame)
{
	const cJSON *data = get_data(image);
	struct picture *pic = picture_of(f->paper, json_member(data, "ref"));
	struct tag *outer = f->tag;
	struct framed_picture *fr;

	flow_gap(f, 9);
	if (pic == NULL) {
		missing_picture(f, data);
	} else {
		fr = arena_alloc(f->paper->scratch, sizeof(*fr));
		*fr = (struct framed_picture){ .picture = pic, .align = align, .frame = frame };
		fit_image(f, data, fr);
		f->tag = tag_make(f, "Figure");
		flow_box(f, fr->h, draw_framed, fr);
		f->tag = outer;
	}
	add_caption(f, image);
	flow_gap(f, 9);
}

/* Prints a group of images, or a single image without a group, which import keeps as it is. */
void
block_images(struct flow *f, const cJSON *node)
{
	const char *align = json_text_of(get_data(node), "align"), *type = json_text_of(node, "type");
	int at = align == NULL ? 1 : strcmp(align, "left") == 0 ? 0 : strcmp(align, "right") == 0 ? 2 : 1;
	const cJSON *one;

	if (strcmp(type, "image") == 0) {
		put_picture(f, node, at, false);
		return;
	}
	cJSON_ArrayForEach(one, json_member(node, "nodes"))
		put_picture(f, one, at, json_flag_of(get_data(node), "withFrame"));
}

void
block_drawing(struct flow *f, const cJSON *node)
{
	/* A drawing that was never saved has no file. */
	if (json_member(get_data(node), "ref") != NULL)
		put_picture(f, node, 1, false);
}

/* ---- cards ---- */

/* below: second line; l: link of the title. Both may be NULL. */
static void
add_card(struct flow *f, const char *title, const char *below, struct link *l)
{
	struct frame keep;
	struct deco *d;
	struct writer *w;

	flow_gap(f, 8);
	/* A frame instead of a box, so that long titles wrap. */
	d = flow_open(f, &keep, 12, 8, "Div");
	d->border = FAINT;
	w = writer_new(f, &(struct type){ .size = BODY_SIZE, .bold = true, .color = INK });
	writer_link(w, l);
	writer_text(w, title);
	writer_flow(w, "P", below != NULL);
	if (below != NULL) {
		flow_gap(f, 2);
		text_flow(f, below, &(struct type){ .size = SMALL_SIZE, .color = MUTED }, "P", false);
	}
	flow_close(f, &keep);
	flow_gap(f, 8);
}

/* Decimal units, as file managers show. */
static const char *
size_text(struct arena *a, int64_t n)
{
	if (n < 1000)
		return arena_printf(a, "%lld bytes", (long long)n);
	if (n < 1000000)
		return arena_printf(a, "%.0f kB", (double)n / 1e3);
	return arena_printf(a, "%.1f MB", (double)n / 1e6);
}

/* A missing file prints nothing (docs/design/documents.md, "Files and pictures"). */
void
block_file(struct flow *f, const cJSON *node)
{
	struct paper *p = f->paper;
	const cJSON *ref = json_member(get_data(node), "ref");
	const char *id = json_text_of(ref, "file");
	struct pdf_file file;

	if (id == NULL || json_text_of(ref, "space") != NULL || !p->source->file(p->source->ctx, p->scratch, id, false, &file))
		return;
	add_card(f, file.name, size_text(p->scratch, file.size), NULL);
}

void
block_embed(struct flow *f, const cJSON *node)
{
	const char *url = json_text_of(get_data(node), "url");
	struct link *l = arena_alloc(f->paper->scratch, sizeof(*l));

	if (url == NULL)
		return;
	/* arena_alloc() zeroes the link: no dest, quiet is false. */
	l->uri = url;
	/* Only web addresses become links; others are printed as text. */
	add_card(f, url, NULL, strncmp(url, "http", 4) == 0 ? l : NULL);
}

/*
 * A card with the title of the referenced content. Content that is not in this document gets a card
 * without a link.
 */
void
block_content_ref(struct flow *f, const cJSON *node)
{
	struct paper *p = f->paper;
	const cJSON *ref = json_member(get_data(node), "ref");
	const char *page = json_text_of(ref, "page"), *url = json_text_of(ref, "url"), *id = json_text_of(ref, "file");
	const struct pdf_page *x = p->source->pages;
	struct pdf_file file;

	/*
	 * Titles of other spaces are never looked up, because the reader of this document may have
	 * no access to them.
	 */
	if (json_text_of(ref, "space") != NULL)
		add_card(f, url != NULL ? url : "(content of another space)", NULL, NULL);
	else if (id != NULL && p->source->file(p->source->ctx, p->scratch, id, false, &file))
		add_card(f, file.name, size_text(p->scratch, file.size), NULL);
	else if (page == NULL)
		add_card(f, url != NULL ? url : "(broken link)", NULL, link_of(p, ref));
	else {
		/* A page that is not in this document has no title here. */
		while (x != NULL && strcmp(x->id, page) != 0)
			x = x->next;
		add_card(f, x != NULL ? x->title : "(page that is not in this document)",
		    x != NULL ? x->description : NULL, link_of(p, ref));
	}
}

/* Prints the source of an integration block: it can be rendered only in a browser. */
void
block_integration(struct flow *f, const cJSON *node)
{
	const cJSON *data = get_data(node), *props = json_member(data, "props");
	const char *content = json_text_of(props, "content"), *url = json_text_of(data, "url");

	/* Without a source, show the address for which the block was made. */
	if (content != NULL)
		plain_code(f, content);
	else if (url != NULL)
		block_embed(f, node);
}
