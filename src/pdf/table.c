/*
 * Tables and columns: rows of cells side by side. Column widths are estimated from the advances of
 * the characters in the first rows: each column gets at least its longest word if there is room,
 * then what its text needs. A table that is too wide for the sheet is set in smaller type, and its
 * words may break.
 *
 * Rows are made and added one by one, so that memory is bounded by one sheet, however long the
 * table is.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "paper.h"
#include "render/table.h"

/*
 * Columns after COLUMNS_MAX are not printed: no sheet has room for them. Widths are measured from
 * the first SAMPLE records, so that a table of 10^5 records costs as much to measure as one of 200.
 * LEAST_WIDTH: points.
 */
enum { COLUMNS_MAX = 60, SAMPLE = 200, LEAST_WIDTH = 20 };
/* Points between the rules of a cell and its text. */
static const double pad = 5;

/* A printed column. least, most and w are widths in points, including padding. */
struct column {
	const struct table_column *of;
	double         least, most, w;
	PangoAlignment align;
};

/* A printed table, in the scratch arena. */
struct grid {
	struct table   table;
	struct column  columns[COLUMNS_MAX];
	size_t         count;
};

/* Reads the table and selects the first COLUMNS_MAX columns. */
static void
read_grid(struct grid *g, struct arena *a, const cJSON *node)
{
	static const PangoAlignment aligns[] = { [TABLE_START] = PANGO_ALIGN_LEFT, [TABLE_CENTER] = PANGO_ALIGN_CENTER,
		[TABLE_END] = PANGO_ALIGN_RIGHT };
	const struct table_column *c;

	table_read(&g->table, a, node);
	for (; g->count < g->table.column_count && g->count < COLUMNS_MAX; g->count++) {
		c = &g->table.columns[g->count];
		g->columns[g->count] = (struct column){ .of = c, .align = aligns[c->align] };
	}
}

/* ---- values ---- */

/* Adds plain text as a paragraph of the cell; empty text adds no line. */
static void
put_value(struct flow *f, const struct column *c, const char *text)
{
	struct type t = { .size = BODY_SIZE, .color = INK, .align = c->align };

	if (*text != '\0')
		text_flow(f, text, &t, "P", false);
}

/* Adds the names of files, users or options, separated by commas. */
static void
put_names(struct flow *f, const struct column *c, const cJSON *list)
{
	const struct pdf_source *s = f->paper->source;
	struct pdf_file file;
	const cJSON *one;
	const char *name;
	struct buf b;

	buf_init(&b, f->paper->scratch, 1 << 20);
	cJSON_ArrayForEach(one, list) {
		if (!cJSON_IsString(one))
			continue;
		name = one->valuestring;
		if (strcmp(c->of->type, "files") == 0)
			name = s->file(s->ctx, f->paper->scratch, name, false, &file) ? file.name : NULL;
		else if (strcmp(c->of->type, "users") == 0)
			name = s->user(s->ctx, f->paper->scratch, name);
		else
			name = table_option(c->of, name);
		/*
		 * A cell with more text is a defective document. Stop early, since exceeding the
		 * buffer's limit ends the process.
		 */
		if (name != NULL && b.n < 100000)
			buf_printf(&b, "%s%s", b.n > 0 ? ", " : "", name);
	}
	put_value(f, c, b.n > 0 ? b.p : "");
}

/* Shows a page's title, or the address of any other reference. */
static void
put_reference(struct flow *f, const struct column *c, const cJSON *ref)
{
	struct link *l = link_of(f->paper, ref);
	const char *page = json_text_of(ref, "page"), *url = json_text_of(ref, "url"), *name = url;
	const struct pdf_page *x;
	struct writer *w = writer_new(f, &(struct type){ .size = BODY_SIZE, .color = INK, .align = c->align });

	for (x = f->paper->source->pages; page != NULL && x != NULL; x = x->next)
		if (strcmp(x->id, page) == 0 && json_text_of(ref, "space") == NULL)
			name = x->title;
	writer_link(w, l);
	writer_text(w, name != NULL ? name : "");
	writer_flow(w, "P", false);
}

static void
draw_cell_picture(struct paper *p, void *data, double x, double y, double w, double h)
{
	const struct picture *pic = data;
	double wide = pic->w * h / pic->h;

	picture_draw(p, data, x, y, wide < w ? wide : w, h);
}

/*
 * Adds a picture no wider than the cell and no higher than limit (points); draw_cell_picture()
 * keeps its proportions.
 */
static void
put_picture(struct flow *f, const cJSON *value, double limit)
{
	struct picture *pic = picture_of(f->paper, table_image(value));
	struct tag *outer = f->tag;
	double h;

	if (pic == NULL)
		return;
	h = pic->w > f->w ? f->w * pic->h / pic->w : pic->h;
	f->tag = tag_make(f, "Figure");
	flow_box(f, h < limit ? h : limit, draw_cell_picture, pic);
	f->tag = outer;
}

/*
 * Adds a value. Strings, objects and ratings depend on the column's type; for other values the JSON
 * type is enough.
 */
static void
cell_value(struct flow *f, const struct grid *g, const struct column *c, size_t record)
{
	const cJSON *v = table_value(&g->table, record, c->of);
	struct arena *a = f->paper->scratch;

	if (cJSON_IsString(v) && strcmp(c->of->type, "text") == 0)
		blocks(f, json_member(table_fragment(&g->table, v), "nodes"));
	else if (cJSON_IsNumber(v) && strcmp(c->of->type, "rating") == 0) {
		int i, max = (int)json_number_of(c->of->definition, "max", 5);
		struct buf b;

		buf_init(&b, a, 1000);
		/* max comes from the document: bound it. */
		for (i = 0; i < max && i < 20; i++)
			buf_str(&b, i < v->valuedouble ? "★" : "☆");
		put_value(f, c, b.n > 0 ? b.p : "");
	} else if (cJSON_IsNumber(v))
		put_value(f, c, arena_printf(a, "%.15g", v->valuedouble));
	else if (cJSON_IsBool(v))
		put_value(f, c, cJSON_IsTrue(v) ? "☑" : "☐");
	else if (cJSON_IsArray(v))
		put_names(f, c, v);
	else if (cJSON_IsObject(v) && strcmp(c->of->type, "content-ref") == 0)
		put_reference(f, c, v);
	else if (cJSON_IsObject(v))
		put_picture(f, v, 120);
}

/* ---- widths ---- */

/*
 * Adds the text's width on one line to *line and tracks its longest word, in points at type size 1.
 */
static void
measure_text(const struct paper *p, const char *s, bool mono, bool bold, double *line, double *word, double *longest)
{
	struct str rest = str_of(s);
	double w;
	uint32_t cp;
	size_t n;

	for (; rest.n > 0; rest = str_slice(rest, n, rest.n)) {
		if ((n = utf8_next(rest, &cp)) == 0) {
			n = 1;
			cp = '?';
		}
		/*
		 * Average advances outside ASCII: exact ones would need a layout for every cell.
		 * CJK characters are as wide as the type size.
		 */
		w = cp < 128 ? p->advance[mono ? 1 : 0][cp] : cp >= 0x2E80 ? 1 : 0.62;
		w *= bold ? 1.08 : 1;
		*line += w;
		/* Words end at blanks; text may break after any CJK character. */
		*word = cp == ' ' || cp == '\n' || cp >= 0x2E80 ? 0 : *word + w;
		if (*word > *longest)
			*longest = *word;
	}
}

static void
measure_nodes(const struct paper *p, const cJSON *nodes, bool bold, double *line, double *word, double *longest)
{
	const cJSON *node, *leaf, *mark;
	const char *s, *type;

	cJSON_ArrayForEach(node, nodes) {
		cJSON_ArrayForEach(leaf, json_member(node, "leaves")) {
			bool mono = false, strong = bold;

			cJSON_ArrayForEach(mark, json_member(leaf, "marks"))
				if ((type = json_text_of(mark, "type")) != NULL) {
					mono |= strcmp(type, "code") == 0 || strcmp(type, "keyboard") == 0;
					strong |= strcmp(type, "bold") == 0;
				}
			if ((s = json_text_of(leaf, "text")) != NULL)
				measure_text(p, s, mono, strong, line, word, longest);
		}
		/* The width of an inline image is unknown until its file is read. */
		if ((type = json_text_of(node, "type")) != NULL && strcmp(type, "inline-image") == 0)
			*line += 6;
		measure_nodes(p, json_member(node, "nodes"), bold, line, word, longest);
	}
}

/*
 * Widens the column to fit one cell. content: its blocks; plain: a column title. Either may be
 * NULL.
 */
static void
measure_cell(const struct paper *p, struct column *c, const cJSON *content, const char *plain)
{
	double line = 0, word = 0, longest = 0, widest = 0;
	const cJSON *block;

	cJSON_ArrayForEach(block, content) {
		line = word = 0;
		measure_nodes(p, json_member(block, "nodes"), false, &line, &word, &longest);
		/* Space for the bullet or number. */
		if (json_text_of(block, "type") != NULL && strncmp(json_text_of(block, "type"), "list", 4) == 0)
			line += 2;
		widest = line > widest ? line : widest;
	}
	if (plain != NULL) {
		line = word = 0;
		/* Column titles are bold. */
		measure_text(p, plain, false, true, &line, &word, &longest);
		widest = line > widest ? line : widest;
	}
	/* 3 % for kerning and unmeasured fonts, 2 pt for rules. */
	c->most = fmax(c->most, widest * BODY_SIZE * 1.03 + 2 * pad + 2);
	c->least = fmax(c->least, longest * BODY_SIZE * 1.03 + 2 * pad + 2);
}

static void
measure_columns(const struct paper *p, struct grid *g)
{
	size_t i, k;

	for (i = 0; i < g->count; i++) {
		struct column *c = &g->columns[i];

		/* Keep an empty column wide enough to be visible. */
		c->least = c->most = 28;
		measure_cell(p, c, NULL, c->of->title);
		for (k = 0; k < g->table.record_count && k < SAMPLE; k++) {
			const cJSON *v = table_value(&g->table, k, c->of);

			if (cJSON_IsString(v))
				measure_cell(p, c, json_member(table_fragment(&g->table, v), "nodes"), NULL);
			else if (cJSON_IsArray(v) || cJSON_IsObject(v))
				c->most = fmax(c->most, 110);
		}
	}
}

/*
 * Distributes the width w (points) to the columns; returns the factor by which to scale the type.
 */
static double
share_width(struct grid *g, double w)
{
	double least = 0, most = 0, scale = 1, asked;
	const cJSON *fixed = json_member(g->table.view, "columnWidths");
	size_t i;

	for (i = 0; i < g->count; i++) {
		struct column *c = &g->columns[i];

		/*
		 * A width that an author set, in CSS pixels, is only a preference: it is reduced if
		 * it does not fit.
		 */
		asked = json_number_of(fixed, c->of->id, 0) * 0.75;
		if (asked > 0)
			c->most = fmax(asked, c->least);
		/* A long word in one column must not take the width of the others. */
		c->least = fmin(c->least, fmax(w / 2, 60));
		c->most = fmax(c->most, c->least);
		least += c->least;
		most += c->most;
	}
	/* Type smaller than 0.7 of body size is unreadable: break words instead. */
	if (least > w)
		scale = fmax(w / least, 0.7);
	for (i = 0; i < g->count; i++) {
		struct column *c = &g->columns[i];

		if (least >= w)
			c->w = c->least * w / least;
		else if (most > w)
			c->w = c->least + (c->most - c->least) * (w - least) / (most - least);
		else
			c->w = c->most + (w - most) * c->most / most;
	}
	return scale;
}

/* ---- rows ---- */

/*
 * count: number of cells to allocate; a row with fewer sets s->count. close_cell() grows the row's
 * height.
 */
static struct strip *
new_row(struct flow *f, size_t count, bool table)
{
	struct strip *s = flow_strip(f, STRIP_ROW, 0);

	s->cells = arena_array(f->paper->scratch, count, sizeof(struct cell));
	s->count = count;
	s->table = table;
	return s;
}

/* Prepares the flow of a cell's content. */
static void
cell_flow(struct flow *in, const struct flow *f, double w)
{
	/* Nested tables may leave no width for their cells: keep enough for text to break. */
	flow_init(in, f->paper, fmax(w, LEAST_WIDTH), false);
	in->scale = f->scale;
	/* A table in a cell counts as nesting, which block_list() bounds. */
	in->depth = f->depth;
}

/* Ends the cell and makes the row at least as high as it. */
static void
close_cell(struct strip *row, struct cell *c, const struct flow *in)
{
	double h;

	c->strips = in->first;
	h = strips_height(c->strips) + 2 * c->pad;
	if (h > row->h)
		row->h = h;
}

/* Adds a column's title, with its links and marks. */
static void
put_title(struct flow *f, const struct table_column *c, const struct type *t)
{
	struct writer *w;

	if (c->marked == NULL) {
		text_flow(f, c->title, t, "P", false);
		return;
	}
	w = writer_new(f, t);
	writer_nodes(w, c->marked);
	writer_flow(w, "P", false);
}

/*
 * Adds the head row. Its `head` points to itself: by that strips_drop() and next_sheet() recognize
 * a strip that further sheets repeat.
 */
static void
head_row(struct flow *f, struct grid *g)
{
	struct strip *s = new_row(f, g->count, true);
	double x = 0;
	size_t i;

	for (i = 0; i < g->count; i++) {
		const struct column *c = &g->columns[i];
		struct type t = { .size = BODY_SIZE * 0.95, .bold = true, .color = INK, .align = c->align };
		struct flow in;

		s->cells[i] = (struct cell){ .x = x, .w = c->w, .pad = pad, .fill = GROUND, .head = true, .top = true,
			.bottom = true, .left = i == 0, .right = true, .valign = 1 };
		cell_flow(&in, f, c->w - 2 * pad);
		put_title(&in, c->of, &t);
		close_cell(s, &s->cells[i], &in);
		x += c->w;
	}
	/*
	 * Do not repeat a head that is so high that it would leave little room for rows or be split
	 * itself: each row would need a sheet of its own.
	 */
	if (s->h > paper_height(f->paper) / 3) {
		flow_add(f, s);
		return;
	}
	s->sticks = true;
	s->head = s;
	s->next_head = f->paper->heads;
	f->paper->heads = s;
	flow_add(f, s);
	/* The rows that follow get this head. */
	f->head = s;
}

/* Vertical alignment as the numbers in struct cell. */
static int
read_valign(const cJSON *definition)
{
	const char *v = json_text_of(definition, "verticalAlignment");

	return v == NULL || strcmp(v, "top") == 0 ? 0 : strcmp(v, "middle") == 0 || strcmp(v, "center") == 0 ? 1 : 2;
}

/* True if a merged cell continues in the next row: no rule is drawn between the two. */
static bool
continues_below(const struct grid *g, size_t record, size_t column)
{
	return record + 1 < g->table.record_count && table_span(&g->table, record + 1, column).above;
}

static bool
continues_right(const struct grid *g, size_t record, size_t column)
{
	return column + 1 < g->count && table_span(&g->table, record, column + 1).left;
}

static void
record_row(struct flow *f, struct grid *g, size_t no)
{
	struct strip *s = new_row(f, g->count, true);
	double x = 0;
	size_t i, k, n = 0;

	for (i = 0; i < g->count; i += k) {
		struct table_span span = table_span(&g->table, no, i);
		struct cell *cell = &s->cells[n++];
		struct flow in;

		*cell = (struct cell){ .x = x, .w = 0, .pad = pad, .fill = NO_COLOR, .bottom = !continues_below(g, no, i),
			.left = i == 0, .right = span.columns > 0 || !continues_right(g, no, i),
			.valign = read_valign(g->columns[i].of->definition), .top = no == 0 && f->head == NULL };
		/*
		 * Advance by at least one column, or the loop would not end. Columns that are not
		 * printed do not count.
		 */
		for (k = 0; k < (span.columns > 0 ? span.columns : 1) && i + k < g->count; k++)
			cell->w += g->columns[i + k].w;
		cell_flow(&in, f, cell->w - 2 * pad);
		in.align = g->columns[i].align;
		if (span.rows > 0)
			cell_value(&in, g, &g->columns[i], no);
		close_cell(s, cell, &in);
		x += cell->w;
	}
	s->count = n;
	/* Keep a row of empty cells visible. */
	if (s->h < 12)
		s->h = 12;
	flow_add(f, s);
}

/* Without titles, as in some Markdown tables, the head would be an empty bar. */
static bool
has_titles(const struct grid *g)
{
	size_t i;

	for (i = 0; i < g->count; i++)
		if (*g->columns[i].of->title != '\0' || g->columns[i].of->marked != NULL)
			return true;
	return false;
}

/*
 * Prints the table with a head, tag and scale of its own; restores those of the flow, which may
 * belong to an outer table.
 */
static void
put_grid(struct flow *f, struct grid *g)
{
	struct strip *head = f->head;
	struct tag *outer = f->tag;
	double scale = f->scale;
	size_t i;

	measure_columns(f->paper, g);
	/* Text in tables is slightly smaller than the text around them. */
	f->scale *= share_width(g, f->w) * 0.92;
	f->tag = tag_make(f, "Table");
	f->head = NULL;
	if (g->table.head && has_titles(g))
		head_row(f, g);
	for (i = 0; i < g->table.record_count && f->paper->stop == NULL; i++)
		record_row(f, g, i);
	f->head = head;
	f->tag = outer;
	f->scale = scale;
}

/* ---- cards ---- */

static bool
is_column(const struct grid *g, const char *what, const char *id)
{
	const char *is = json_text_of(g->table.view, what);

	return is != NULL && strcmp(is, id) == 0;
}

static void
card_body(struct flow *f, const struct grid *g, size_t record)
{
	const cJSON *cover = table_card_part(&g->table, record, "coverDefinition");
	const cJSON *target = table_card_part(&g->table, record, "targetDefinition");
	size_t i;

	if (cover != NULL) {
		put_picture(f, cover, 140);
		flow_gap(f, 6);
	}
	for (i = 0; i < g->count; i++) {
		if (is_column(g, "coverDefinition", g->columns[i].of->id) || is_column(g, "targetDefinition", g->columns[i].of->id))
			continue;
		cell_value(f, g, &g->columns[i], record);
		flow_gap(f, 3);
	}
	if (cJSON_IsObject(target))
		put_reference(f, &(struct column){ .align = PANGO_ALIGN_LEFT }, target);
}

static void
put_cards(struct flow *f, struct grid *g)
{
	/* Two large or three medium cards a row, as the renderer shows them. */
	size_t wide = g->table.large ? 2 : 3, i, k;
	double gap = 10, w = (f->w - gap * (double)(wide - 1)) / (double)wide;

	for (i = 0; i < g->table.record_count; i += wide) {
		struct strip *s = new_row(f, wide, false);

		s->count = 0;
		for (k = 0; k < wide && i + k < g->table.record_count; k++) {
			struct cell *c = &s->cells[s->count++];
			struct flow in;

			*c = (struct cell){ .x = (w + gap) * (double)k, .w = w, .pad = 9, .fill = NO_COLOR };
			/*
			 * Each card has a deco as high as its row, so that all cards of a row have
			 * the same height.
			 */
			c->ground = arena_alloc(f->paper->scratch, sizeof(struct deco));
			*c->ground = (struct deco){ .w = w, .fill = NO_COLOR, .border = FAINT, .bar = NO_COLOR };
			cell_flow(&in, f, w - 18);
			card_body(&in, g, i + k);
			close_cell(s, c, &in);
		}
		flow_add(f, s);
		flow_gap(f, gap);
	}
}

void
block_table(struct flow *f, const cJSON *node)
{
	struct grid *g = arena_alloc(f->paper->scratch, sizeof(*g));

	*g = (struct grid){ .count = 0 };
	read_grid(g, f->paper->scratch, node);
	if (g->count == 0)
		return;
	flow_gap(f, 9);
	if (g->table.cards)
		put_cards(f, g);
	else
		put_grid(f, g);
	flow_gap(f, 10);
}

/* ---- columns ---- */

/*
 * Relative width of a column, more than 0: the client's number if it set one, otherwise an equal
 * share.
 */
static double
column_share(const cJSON *column, int n)
{
	double share = json_number_of(json_member(column, "data"), "width", 1.0 / n);

	return share > 0 && share < 1e6 ? share : 1.0 / n;
}

void
block_columns(struct flow *f, const cJSON *node)
{
	const cJSON *nodes = json_member(node, "nodes"), *one;
	int n = cJSON_GetArraySize(nodes);
	double x = 0, gap = 16, sum = 0, w;
	struct strip *s;

	if (n < 1)
		return;
	/* The clients' widths need not add up to 1: divide by their sum. */
	cJSON_ArrayForEach(one, nodes)
		sum += column_share(one, n);
	flow_gap(f, 8);
	s = new_row(f, (size_t)n, false);
	s->count = 0;
	cJSON_ArrayForEach(one, nodes) {
		struct cell *c = &s->cells[s->count++];
		struct flow in;

		w = fmax(f->w - gap * (n - 1), LEAST_WIDTH) * column_share(one, n) / sum;
		*c = (struct cell){ .x = x, .w = w, .fill = NO_COLOR, .valign = read_valign(json_member(one, "data")) };
		cell_flow(&in, f, w);
		blocks(&in, json_member(one, "nodes"));
		close_cell(s, c, &in);
		x += w + gap;
	}
	flow_add(f, s);
	flow_gap(f, 8);
}
