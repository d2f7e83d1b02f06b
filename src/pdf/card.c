/* Blocks that represent something outside the text. Contract: card.h. */
#include <cjson/cJSON.h>
#include <string.h>
#include <strings.h>

#include "card.h"

/* SCHEMA_DEPTH ends recursive schemas; FIELDS_MAX bounds the lines of one operation or schema. */
enum { SCHEMA_DEPTH = 6, FIELDS_MAX = 400 };

static const cJSON *
data_of(const cJSON *node)
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
	const cJSON *data = data_of(image);
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
	const char *align = json_text_of(data_of(node), "align"), *type = json_text_of(node, "type");
	int at = align == NULL ? 1 : strcmp(align, "left") == 0 ? 0 : strcmp(align, "right") == 0 ? 2 : 1;
	const cJSON *one;

	if (strcmp(type, "image") == 0) {
		put_picture(f, node, at, false);
		return;
	}
	cJSON_ArrayForEach(one, json_member(node, "nodes"))
		put_picture(f, one, at, json_flag_of(data_of(node), "withFrame"));
}

void
block_drawing(struct flow *f, const cJSON *node)
{
	/* A drawing that was never saved has no file. */
	if (json_member(data_of(node), "ref") != NULL)
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
	const cJSON *ref = json_member(data_of(node), "ref");
	const char *id = json_text_of(ref, "file");
	struct pdf_file file;

	if (id == NULL || json_text_of(ref, "space") != NULL || !p->source->file(p->source->ctx, p->scratch, id, false, &file))
		return;
	add_card(f, file.name, size_text(p->scratch, file.size), NULL);
}

void
block_embed(struct flow *f, const cJSON *node)
{
	const char *url = json_text_of(data_of(node), "url");
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
	const cJSON *ref = json_member(data_of(node), "ref");
	const char *page = json_text_of(ref, "page"), *url = json_text_of(ref, "url"), *id = json_text_of(ref, "file");
	const struct pdf_page *x = p->source->pages;
	struct pdf_file file;

	/*
	 * Never look up titles of other spaces: the reader of this document may have no access to
	 * them.
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
	const cJSON *data = data_of(node), *props = json_member(data, "props");
	const char *content = json_text_of(props, "content"), *url = json_text_of(data, "url");
	struct frame keep;
	struct deco *d;

	/* Without a source, show the address for which the block was made. */
	if (content == NULL) {
		if (url != NULL)
			block_embed(f, node);
		return;
	}
	flow_gap(f, 9);
	d = flow_open(f, &keep, 10, 7, "Div");
	d->border = FAINT;
	text_flow(f, content, &(struct type){ .family = f->paper->mono, .size = CODE_SIZE, .color = INK, .forward = true },
	    "Code", false);
	flow_close(f, &keep);
	flow_gap(f, 9);
}

/* ---- operations of APIs ---- */

/* Methods are ASCII (RFC 9110, 9.1), so upper case needs no locale. */
static void
method_line(struct flow *f, const char *method, const char *path)
{
	struct frame keep;
	struct deco *d;
	struct writer *w;
	char *upper = arena_strdup(f->paper->scratch, method != NULL ? method : "");
	char *c;

	for (c = upper; *c != '\0'; c++)
		if (*c >= 'a' && *c <= 'z')
			*c = (char)(*c - 'a' + 'A');
	flow_gap(f, 8);
	d = flow_open(f, &keep, 10, 6, "Div");
	d->fill = GROUND;
	d->bar = ACCENT;
	w = writer_new(f, &(struct type){ .family = f->paper->mono, .size = 9.5, .bold = true, .color = ACCENT,
	    .forward = true });
	writer_text(w, upper);
	writer_text(w, " ");
	writer_text(w, path != NULL ? path : "");
	writer_flow(w, "P", true);
	flow_close(f, &keep);
	flow_stick(f);
}

void
block_swagger(struct flow *f, const cJSON *node)
{
	method_line(f, json_text_of(data_of(node), "method"), json_text_of(data_of(node), "path"));
	flow_gap(f, 10);
}

/* A title that is no heading of the document: no bookmark, no H tag. */
static void
small_heading(struct flow *f, const char *s)
{
	flow_gap(f, 9);
	text_flow(f, s, &(struct type){ .size = 9, .bold = true, .color = MUTED }, "P", true);
	flow_gap(f, 3);
}

/*
 * Resolves "$ref" by the last segment of its path; returns the schema itself if there is none. One
 * step only: a reference to a reference is shown by its name.
 */
static const cJSON *
follow_ref(const struct paper *p, const cJSON *schema)
{
	const char *ref = json_text_of(schema, "$ref"), *name = ref != NULL ? strrchr(ref, '/') : NULL;
	const cJSON *found = name != NULL ? json_member(p->schemas, name + 1) : NULL;

	return found != NULL ? found : schema;
}

/* A list of types, which OpenAPI 3.1 allows: "string or null". */
static const char *
type_names(struct paper *p, const cJSON *types)
{
	const cJSON *one;
	struct buf b;

	buf_init(&b, p->scratch, 1 << 20);
	/* Makes b.p a string even if the list is empty. */
	buf_str(&b, "");
	cJSON_ArrayForEach(one, types)
		if (cJSON_IsString(one) && b.n < 1000)
			buf_printf(&b, "%s%s", b.n > 0 ? " or " : "", one->valuestring);
	return b.p;
}

/* Readable name of a type: "string", "Pet", "array of Pet". */
static const char *
type_name(struct paper *p, const cJSON *schema, int depth)
{
	const char *ref = json_text_of(schema, "$ref"), *type = json_text_of(schema, "type"), *format = json_text_of(schema, "format");

	/* Use the last segment of "#/components/schemas/Pet" as the name. */
	if (ref != NULL)
		return strrchr(ref, '/') != NULL ? strrchr(ref, '/') + 1 : ref;
	if (cJSON_IsArray(json_member(schema, "type")))
		return type_names(p, json_member(schema, "type"));
	if (type == NULL)
		return json_member(schema, "properties") != NULL || json_member(schema, "allOf") != NULL ? "object" :
		    json_member(schema, "oneOf") != NULL || json_member(schema, "anyOf") != NULL ? "one of several" : "any";
	if (strcmp(type, "array") == 0 && depth < SCHEMA_DEPTH)
		return arena_printf(p->scratch, "array of %s", type_name(p, json_member(schema, "items"), depth + 1));
	return format != NULL ? arena_printf(p->scratch, "%s (%s)", type, format) : type;
}

/* Prints a field: name, type, whether it is required, description. */
static void
field_line(struct flow *f, const char *name, const cJSON *schema, bool required, const char *about)
{
	struct writer *w = writer_new(f, &(struct type){ .family = f->paper->mono, .size = 8.6, .bold = true, .color = INK });

	flow_gap(f, 4);
	writer_text(w, name != NULL ? name : "");
	writer_text(w, "  ");
	writer_color(w, MUTED);
	writer_text(w, type_name(f->paper, schema, 0));
	/* Applies to the text that is written after it. */
	writer_color(w, ALERT);
	if (required)
		writer_text(w, "  required");
	writer_flow(w, "P", about != NULL);
	if (about != NULL && *about != '\0')
		text_flow(f, about, &(struct type){ .size = SMALL_SIZE, .color = MUTED }, "P", false);
}

/* JSON Schema lists required names beside the properties, not inside them. */
static bool
is_required(const cJSON *schema, const char *name)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(schema, "required"))
		if (cJSON_IsString(one) && strcmp(one->valuestring, name) == 0)
			return true;
	return false;
}

/*
 * *left: lines that remain for the whole operation. Recursive schemas would otherwise fill sheets
 * without end.
 */
static void
schema_fields(struct flow *f, const cJSON *schema, int depth, int *left)
{
	const cJSON *whole = follow_ref(f->paper, schema), *one, *items;
	const char *type = json_text_of(whole, "type");
	struct frame keep;

	/*
	 * Also count a schema without properties: one whose allOf refers to itself branches at each
	 * level.
	 */
	if (--*left < 0)
		return;
	if (type != NULL && strcmp(type, "array") == 0 && (items = json_member(whole, "items")) != NULL && depth < SCHEMA_DEPTH)
		schema_fields(f, items, depth + 1, left);
	/* Merge the properties of all parts into one list, as a valid object has them all. */
	cJSON_ArrayForEach(one, json_member(whole, "allOf"))
		if (depth < SCHEMA_DEPTH)
			schema_fields(f, one, depth + 1, left);
	flow_open(f, &keep, 10, 0, NULL);
	cJSON_ArrayForEach(one, json_member(whole, "properties")) {
		if (--*left < 0)
			break;
		/* A faulty description has a list. */
		if (one->string == NULL)
			continue;
		field_line(f, one->string, one, is_required(whole, one->string), json_text_of(one, "description"));
		/* Properties of a named type are listed where that type is described. */
		if (json_text_of(one, "$ref") == NULL && depth < SCHEMA_DEPTH && json_member(one, "properties") != NULL)
			schema_fields(f, one, depth + 1, left);
	}
	flow_close(f, &keep);
}

/* content: maps media types to schemas (OpenAPI, "Media Type Object"). */
static void
body_of(struct flow *f, const cJSON *content, int *left)
{
	const cJSON *media;

	cJSON_ArrayForEach(media, content) {
		field_line(f, media->string, json_member(media, "schema"), false, NULL);
		schema_fields(f, json_member(media, "schema"), 0, left);
	}
}

/*
 * Prints a Markdown description (OpenAPI 3.1, 4.4). Its headings belong to an operation and get no
 * bookmarks.
 */
static void
add_description(struct flow *f, const char *s)
{
	struct paper *p = f->paper;
	struct heading **last = p->last_heading;
	struct str json;

	if (s == NULL || *s == '\0')
		return;
	json = p->source->markdown(p->source->ctx, p->scratch, s);
	flow_gap(f, 6);
	/* Without a list note_heading() collects no bookmarks. */
	p->last_heading = NULL;
	blocks(f, json_member(cJSON_ParseWithLength(json.p, json.n), "nodes"));
	p->last_heading = last;
}

/* A line of small text after a word: "Authorization: key + other". */
static void
note_line(struct flow *f, const char *word, const char *text)
{
	if (text == NULL || *text == '\0')
		return;
	flow_gap(f, 4);
	text_flow(f, arena_printf(f->paper->scratch, "%s: %s", word, text), &(struct type){ .size = SMALL_SIZE, .color = MUTED }, "P", false);
}

/* Where the key of a scheme goes, and the scopes that the operation needs. */
static const char *
scheme_text(struct flow *f, const cJSON *need, const cJSON *scheme)
{
	static const char *const members[] = { "type", "in", "name", "scheme", "openIdConnectUrl" };
	const cJSON *one;
	struct buf b;

	buf_init(&b, f->paper->scratch, 1 << 20);
	buf_str(&b, need->string);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (json_text_of(scheme, members[i]) != NULL)
			buf_printf(&b, " %.500s", json_text_of(scheme, members[i]));
	cJSON_ArrayForEach(one, need)
		if (cJSON_IsString(one))
			buf_printf(&b, ", %.200s", one->valuestring);
	return b.p;
}

/* What stands before the parameters: state, servers, authorization. */
static void
operation_notes(struct flow *f, const cJSON *o)
{
	const cJSON *one, *need;

	note_line(f, "Stability", json_text_of(o, "x-stability"));
	note_line(f, "Deprecated", json_flag_of(o, "deprecated") ? "yes" : NULL);
	note_line(f, "Documentation", json_text_of(json_member(o, "externalDocs"), "url"));
	cJSON_ArrayForEach(one, json_member(o, "servers"))
		note_line(f, "Server", json_text_of(one, "url"));
	cJSON_ArrayForEach(one, json_member(o, "security"))
		cJSON_ArrayForEach(need, one)
			if (need->string != NULL && strlen(need->string) < 1000)
				note_line(f, "Authorization", scheme_text(f, need, json_member(json_member(o, "securitySchemes"), need->string)));
}

/* Headers of a response. */
static void
header_lines(struct flow *f, const cJSON *list)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, list)
		if (one->string != NULL)
			field_line(f, one->string, json_member(one, "schema"), json_flag_of(one, "required"), json_text_of(one, "description"));
}

/*
 * o: an operation as openapi writes it (include/openapi/parts.h); references are resolved, except
 * those to schemas.
 */
static void
operation_parts(struct flow *f, const cJSON *o)
{
	const cJSON *one, *list = json_member(o, "parameters");
	int left = FIELDS_MAX;

	add_description(f, json_text_of(o, "description"));
	operation_notes(f, o);
	if (cJSON_GetArraySize(list) > 0)
		small_heading(f, "Parameters");
	cJSON_ArrayForEach(one, list)
		field_line(f, json_text_of(one, "name"), json_member(one, "schema"), json_flag_of(one, "required"),
		    json_text_of(one, "description"));
	if (json_member(o, "requestBody") != NULL)
		small_heading(f, "Request body");
	body_of(f, json_member(json_member(o, "requestBody"), "content"), &left);
	if (cJSON_GetArraySize(json_member(o, "responses")) > 0)
		small_heading(f, "Responses");
	cJSON_ArrayForEach(one, json_member(o, "responses")) {
		const char *about = json_text_of(one, "description");

		if (one->string == NULL)
			continue;
		flow_gap(f, 5);
		text_flow(f, arena_printf(f->paper->scratch, "%s  %s", one->string, about != NULL ? about : ""),
		    &(struct type){ .size = 9, .bold = true, .color = INK }, "P", false);
		header_lines(f, json_member(one, "headers"));
		body_of(f, json_member(one, "content"), &left);
	}
}

/*
 * For operations and webhooks. data has "operation" if computed content was filled in
 * (computed/computed.h); otherwise only the method and path are printed.
 */
void
block_operation(struct flow *f, const cJSON *node)
{
	const cJSON *data = data_of(node), *o = json_member(data, "operation");
	const char *title = json_text_of(o, "summary"), *path = json_text_of(data, "path");

	if (title != NULL && *title != '\0') {
		flow_gap(f, 18);
		text_flow(f, title, &(struct type){ .size = 13, .bold = true, .color = INK }, "H3", true);
	}
	/* A webhook has a name instead of a path. */
	method_line(f, json_text_of(data, "method"), path != NULL ? path : json_text_of(data, "name"));
	operation_parts(f, o);
	flow_gap(f, 14);
}

/* Omits names whose schema the document does not contain. */
void
block_schemas(struct flow *f, const cJSON *node)
{
	const cJSON *one, *schema;
	int left;

	cJSON_ArrayForEach(one, json_member(data_of(node), "schemas")) {
		if (!cJSON_IsString(one) || (schema = json_member(f->paper->schemas, one->valuestring)) == NULL)
			continue;
		/*
		 * The limit applies to each schema here; for an operation, to all of its bodies
		 * together.
		 */
		left = FIELDS_MAX;
		flow_gap(f, 16);
		text_flow(f, one->valuestring, &(struct type){ .size = 12, .bold = true, .color = INK }, "H3", true);
		add_description(f, json_text_of(schema, "description"));
		schema_fields(f, schema, 0, &left);
	}
	flow_gap(f, 12);
}
