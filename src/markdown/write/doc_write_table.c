/*
 * Writes tables: as GFM pipe tables when every cell fits into one line and no option is set, else
 * as one line of HTML. Cells that fit hold inlines, or paragraphs and lists of inlines. Also writes
 * blocks as HTML, for cells and figures.
 */
#include <stdio.h>

#include "doc_write.h"
#include "base/utf8.h"

/* A column with a longer cell is not padded: otherwise every row would become that long. */
enum { MAX_PAD = 100 };

static void write_html_blocks(struct writer *w, const struct doc_node *first);

/* Returns the inlines of n as one line of Markdown, in a buffer of its own. */
static struct str
inlines_as_line(struct writer *w, const struct doc_node *n)
{
	/*
	 * Copy the writer, with its own output, no prefix and no line breaks. Its counters are
	 * copied back at the end: notes are numbered through the whole document.
	 */
	struct writer in = *w;
	struct buf b;

	buf_init(&b, w->a, (size_t)1 << 28);
	in.out = &b;
	in.one_line = true;
	in.bol = false;
	buf_init(&in.prefix, w->a, 1);
	if (n != NULL)
		w_inlines(&in, n);
	w->notes_end = in.notes_end;
	w->note_count = in.note_count;
	return buf_view(&b);
}

/* put_items() and put_blocks() call each other: lists hold blocks, and blocks may be lists. */
static bool put_blocks(struct writer *w, const struct doc_node *first, struct buf *out);

/* Returns false if a pipe table cannot represent something in the list; discard out then. */
static bool
put_items(struct writer *w, const struct doc_node *l, struct buf *out)
{
	const struct doc_attr *start = doc_attr(l, "start");
	const char *name = l->type == DOC_LIST_ORDERED ? "ol" : "ul";
	const struct doc_node *item, *first;

	/* Lists in pipe tables have no syntax for the first number, nor for checkboxes. */
	if (start != NULL || l->type == DOC_LIST_TASKS)
		return false;
	buf_printf(out, "<%s>", name);
	for (item = l->child; item != NULL; item = item->next) {
		buf_str(out, "<li>");
		first = item->child;
		/* The first paragraph of an item is written without <p>. */
		if (first != NULL && first->type == DOC_PARAGRAPH && first->attrs == NULL) {
			buf_put(out, inlines_as_line(w, first));
			first = first->next;
		}
		if (!put_blocks(w, first, out))
			return false;
		buf_str(out, "</li>");
	}
	buf_printf(out, "</%s>", name);
	return true;
}

/* Writes paragraphs and lists as the service writes them in pipe tables; returns false if there are other blocks. */
static bool
put_blocks(struct writer *w, const struct doc_node *first, struct buf *out)
{
	for (; first != NULL; first = first->next) {
		if (first->type == DOC_PARAGRAPH && first->attrs == NULL) {
			buf_str(out, "<p>");
			buf_put(out, inlines_as_line(w, first));
			buf_str(out, "</p>");
		} else if ((first->type != DOC_LIST_ORDERED && first->type != DOC_LIST_UNORDERED) ||
		    !put_items(w, first, out))
			return false;
	}
	return true;
}

/* Returns in *line the blocks of a cell as one line of Markdown; false: a pipe table cannot hold them. */
static bool
blocks_as_line(struct writer *w, const struct doc_node *first, struct str *line)
{
	struct buf out;

	/* The usual cell: inlines, without a tag around them. */
	if (first == NULL || (first->next == NULL && first->type == DOC_PARAGRAPH && first->attrs == NULL)) {
		*line = inlines_as_line(w, first);
		return true;
	}
	buf_init(&out, w->a, (size_t)1 << 28);
	if (!put_blocks(w, first, &out))
		return false;
	*line = buf_view(&out);
	return true;
}

/* Escapes the pipes of a cell; returns false when a backslash already precedes one. */
static bool
escape_pipes(struct writer *w, struct str *s)
{
	struct buf b;

	if (s->n == 0 || memchr(s->p, '|', s->n) == NULL)
		return true;
	buf_init(&b, w->a, s->n * 2 + 1);
	for (size_t i = 0; i < s->n; i++) {
		if (s->p[i] == '|' && i > 0 && s->p[i - 1] == '\\')
			return false;
		if (s->p[i] == '|')
			buf_char(&b, '\\');
		buf_char(&b, s->p[i]);
	}
	*s = buf_view(&b);
	return true;
}

/* True if a pipe table can represent the columns and options of the table. */
static bool
fits_pipe_table(const struct doc_table *t)
{
	const struct doc_column *c;

	/* Pipe tables have no syntax for options of the table or of a column. */
	if (t->cards || t->hide_header || t->full_width || t->sticky_header || t->sticky_first ||
	    t->search >= 0 || t->wrap >= 0 || t->columns == NULL)
		return false;
	for (c = t->columns; c != NULL; c = c->next)
		if (c->kind != COL_TEXT || c->hidden || c->width > 0 || c->valign != NULL || c->target ||
		    c->cover || c->cover_dark)
			return false;
	return true;
}

/* Returns all cells as lines of Markdown, header first; NULL: a cell cannot be written as one line. */
static struct str *
cells_as_lines(struct writer *w, const struct doc_table *t, size_t *rows)
{
	const struct doc_column *c;
	const struct doc_record *r;
	const struct doc_node *p;
	struct doc_node *title;
	struct str *list;
	size_t i = 0, k;

	for (r = t->records, *rows = 1; r != NULL; r = r->next)
		++*rows;
	list = arena_array(w->a, *rows * t->width, sizeof(*list));
	for (c = t->columns; c != NULL; c = c->next) {
		title = c->marked != NULL ? c->marked : doc_node(w->a, DOC_PARAGRAPH);
		if (c->marked == NULL)
			doc_text(w->a, title, str_of(c->title), 0);
		list[i] = inlines_as_line(w, title);
		if (!escape_pipes(w, &list[i++]))
			return NULL;
	}
	for (r = t->records; r != NULL; r = r->next)
		for (k = 0; k < t->width; k++, i++) {
			p = r->cells[k].blocks == NULL ? NULL : r->cells[k].blocks->child;
			/* Only HTML tables have merged cells. */
			if (r->cells[k].rows > 0 || !blocks_as_line(w, p, &list[i]))
				return NULL;
			/* A row is one line; raw source in a cell may contain a line feed. */
			if (!escape_pipes(w, &list[i]) || (list[i].n > 0 && memchr(list[i].p, '\n', list[i].n) != NULL))
				return NULL;
		}
	return list;
}

/* n is at most MAX_PAD. */
static void
write_padding(struct writer *w, char c, size_t n)
{
	char s[MAX_PAD + 1];

	memset(s, c, n);
	w_put(w, (struct str){ s, n });
}

/* Pads to a width, which counts characters and not bytes. The padding is only for readers of the source. */
static void
write_pipe_table(struct writer *w, const struct doc_table *t, const struct str *list, size_t rows)
{
	size_t *width = arena_array(w->a, t->width, sizeof(*width)), r, k, n;
	const struct doc_column *c;

	for (r = 0; r < rows; r++)
		for (k = 0; k < t->width; k++) {
			n = utf8_count(list[r * t->width + k]);
			width[k] = n > width[k] ? n : width[k];
		}
	for (k = 0; k < t->width; k++)
		/* The width is at least three: a delimiter may need a colon at each end, and a dash. */
		width[k] = width[k] > MAX_PAD ? 0 : width[k] < 3 ? 3 : width[k];
	for (r = 0; r < rows; r++) {
		for (k = 0; k < t->width; k++) {
			n = utf8_count(list[r * t->width + k]);
			w_str(w, k == 0 ? "| " : " | ");
			w_put(w, list[r * t->width + k]);
			write_padding(w, ' ', n < width[k] ? width[k] - n : 0);
		}
		w_str(w, " |");
		/* The delimiter row, after the header. */
		for (k = 0, c = t->columns; r == 0 && c != NULL; k++, c = c->next) {
			w_str(w, k == 0 ? "\n| " : " | ");
			n = width[k] < 3 ? 3 : width[k];
			/* ":-:" is center, "-:" right; left is the default and is not written. */
			w_str(w, c->align != NULL && strcmp(c->align, "center") == 0 ? ":" : "-");
			write_padding(w, '-', n - 2);
			w_str(w, c->align != NULL ? ":" : "-");
		}
		w_str(w, r == 0 ? " |" : "");
		w_str(w, r + 1 < rows ? "\n" : "");
	}
}

static void
write_flag(struct writer *w, bool set, const char *text)
{
	if (set)
		w_str(w, text);
}

/* Attributes have the order of the service's own tables (docs/design/markdown.md, "HTML that is written"). */
static void
write_head_cell(struct writer *w, const struct doc_column *c)
{
	const struct doc_option *o;

	w_str(w, "<th");
	if (c->width > 0)
		w_attr(w, "width", w_number(w, c->width));
	if (c->align != NULL)
		w_attr(w, "align", c->align);
	if (c->valign != NULL)
		w_attr(w, "valign", c->valign);
	if (c->kind != COL_TEXT)
		w_attr(w, "data-type", doc_column_kinds[c->kind]);
	if (c->kind == COL_RATING)
		w_attr(w, "data-max", w_number(w, c->max));
	write_flag(w, c->kind == COL_USERS && c->multiple, " data-multiple");
	write_flag(w, c->hidden, " data-hidden");
	write_flag(w, c->target, " data-card-target");
	write_flag(w, c->cover, " data-card-cover");
	write_flag(w, c->cover_dark, " data-card-cover-dark");
	w_str(w, ">");
	if (c->marked != NULL)
		w_inlines_html(w, c->marked);
	else
		w_html_text(w, str_of(c->title));
	if (c->kind == COL_SELECT) {
		w_str(w, c->multiple ? "<select multiple>" : "<select>");
		for (o = c->options; o != NULL; o = o->next) {
			w_str(w, "<option");
			w_attr(w, "value", o->value);
			w_attr(w, "label", o->label);
			w_attr(w, "color", o->color);
			w_str(w, "></option>");
		}
		w_str(w, "</select>");
	}
	w_str(w, "</th>");
}

/* The link text is the last component of the target, as the service writes it. */
static void
write_html_link(struct writer *w, const char *target)
{
	w_str(w, "<a");
	w_attr(w, "href", target);
	w_str(w, ">");
	w_html_text(w, str_of(w_label(w, target)));
	w_str(w, "</a>");
}

/* Returns the label of an option of the column; the value itself if there is no such option. */
static const char *
option_label(const struct doc_column *c, const char *value)
{
	const struct doc_option *o;

	for (o = c->options; o != NULL; o = o->next)
		if (strcmp(o->value, value) == 0)
			return o->label;
	return value;
}

/* Writes files as links, options as spans, users as names. */
static void
write_list_cell(struct writer *w, const struct doc_column *c, const struct doc_list *l)
{
	struct doc_target file = { .ref.kind = REF_FILE };

	for (; l != NULL; l = l->next) {
		if (c->kind == COL_FILES) {
			file.ref.id = l->s;
			write_html_link(w, w_target(w, &file, USE_FILE));
		} else if (c->kind == COL_SELECT) {
			w_str(w, "<span");
			w_attr(w, "data-option", l->s);
			w_str(w, ">");
			w_html_text(w, str_of(option_label(c, l->s)));
			w_str(w, "</span>");
		} else {
			w_html_text(w, str_of(l->s));
			w_str(w, l->next != NULL ? "," : "");
			continue;
		}
		w_str(w, l->next != NULL ? " " : "");
	}
}

/* The service writes a cover as a link; only an alternative text needs <img>. */
static void
write_image_cell(struct writer *w, const struct doc_cell *x)
{
	const char *src = w_target(w, x->target, USE_FILE);

	if (x->alt == NULL) {
		write_html_link(w, src);
		return;
	}
	w_str(w, "<img");
	w_attr(w, "src", src);
	w_attr(w, "alt", x->alt);
	w_str(w, ">");
}

/* Writes the content of a cell of an HTML table, by the kind of its column. */
static void
write_cell_value(struct writer *w, const struct doc_column *c, const struct doc_cell *x)
{
	const struct doc_node *first = x->blocks == NULL ? NULL : x->blocks->child;

	if (c->kind == COL_TEXT) {
		/* A single paragraph needs no <p>: the parser makes one from the text of a cell. */
		if (first != NULL && first->next == NULL && first->type == DOC_PARAGRAPH && first->attrs == NULL)
			w_inlines_html(w, first);
		else
			write_html_blocks(w, first);
		return;
	}
	/* The number 0 and an unticked box are values; a cell without a value is empty. */
	if (!x->set)
		return;
	switch (c->kind) {
	case COL_NUMBER:
	case COL_RATING:
		w_str(w, w_number(w, x->n));
		break;
	case COL_CHECKBOX:
		w_str(w, x->b ? "true" : "false");
		break;
	case COL_CONTENT_REF:
		write_html_link(w, w_target(w, x->target, USE_LINK));
		break;
	case COL_IMAGE:
		write_image_cell(w, x);
		break;
	default:
		write_list_cell(w, c, x->list);
	}
}

/*
 * taken: per column, how many cells a merged area still covers from this row on; the caller passes
 * it from row to row.
 */
static void
write_row(struct writer *w, const struct doc_table *t, const struct doc_record *r, int *taken)
{
	const struct doc_column *c;
	size_t i, k, cols;

	w_str(w, "<tr>");
	for (i = 0, c = t->columns; c != NULL; c = c->next, i++) {
		const struct doc_cell *x = &r->cells[i];
		if (taken[i] > 0) {
			taken[i]--;
			continue;
		}
		w_str(w, "<td");
		if (x->cols > 1)
			w_printf(w, " colspan=\"%d\"", x->cols);
		if (x->rows > 1)
			w_printf(w, " rowspan=\"%d\"", x->rows);
		/*
		 * valign and align are written on the header and again on cells
		 * (docs/design/markdown.md, "HTML that is written").
		 */
		if (c->align != NULL && c->kind == COL_TEXT)
			w_attr(w, "align", c->align);
		if (c->valign != NULL)
			w_attr(w, "valign", c->valign);
		if (x->fit != NULL)
			w_attr(w, "data-object-fit", x->fit);
		w_str(w, ">");
		write_cell_value(w, c, x);
		w_str(w, "</td>");
		cols = x->cols > 1 ? (size_t)x->cols : 1;
		for (k = i; k < i + cols && k < t->width; k++)
			/*
			 * To the right of the area's first cell, columns are covered in this row
			 * too; the outer loop counts those down when it gets there.
			 */
			taken[k] = (x->rows > 1 ? x->rows - 1 : 0) + (k > i);
	}
	w_str(w, "</tr>");
}

/* Writes one line, since a blank line would end the HTML block (CommonMark 4.6). */
static void
write_html_table(struct writer *w, const struct doc_table *t)
{
	int *taken = arena_array(w->a, t->width + 1, sizeof(*taken));
	const struct doc_column *c;
	const struct doc_record *r;

	w_str(w, "<table");
	write_flag(w, t->cards, " data-view=\"cards\"");
	write_flag(w, t->large, " data-card-size=\"large\"");
	write_flag(w, t->wrap >= 0, t->wrap == 1 ? " data-card-wrap=\"true\"" : " data-card-wrap=\"false\"");
	write_flag(w, t->hide_header, " data-header-hidden");
	write_flag(w, t->hide_titles, " data-column-title-hidden");
	write_flag(w, t->sticky_header, " data-header-sticky");
	write_flag(w, t->sticky_first, " data-first-column-sticky");
	write_flag(w, t->full_width, " data-full-width=\"true\"");
	write_flag(w, t->search >= 0, t->search == 1 ? " data-search=\"true\"" : " data-search=\"false\"");
	w_str(w, "><thead><tr>");
	for (c = t->columns; c != NULL; c = c->next)
		write_head_cell(w, c);
	w_str(w, "</tr></thead><tbody>");
	for (r = t->records; r != NULL; r = r->next)
		write_row(w, t, r, taken);
	w_str(w, "</tbody></table>");
}

/*
 * Writes a pipe table where it can represent everything, since people read the source; else HTML,
 * which has attributes for the options. Inside HTML a table is always HTML.
 */
void
w_table(struct writer *w, const struct doc_node *n)
{
	struct note **notes_end = w->notes_end;
	size_t rows, note_count = w->note_count;
	struct str *list = NULL;
	bool html = w->html;

	if (!html && fits_pipe_table(n->table))
		/*
		 * Writing cells may number notes. If the table is then written as HTML, this is
		 * undone, and they are numbered again.
		 */
		list = cells_as_lines(w, n->table, &rows);
	if (list != NULL) {
		write_pipe_table(w, n->table, list, rows);
		return;
	}
	/* The list of notes gets the length again that it had before the attempt. */
	*notes_end = NULL;
	w->notes_end = notes_end;
	w->note_count = note_count;
	w->html = true;
	write_html_table(w, n->table);
	w->html = html;
}

/*
 * Writes a <figcaption> even if it is empty, as the service does (docs/design/markdown.md, "HTML
 * that is written").
 */
static void
write_figure(struct writer *w, const struct doc_node *n)
{
	const struct doc_node *caption = doc_fragment_of(n, "caption"), *p;
	const char *width = w_length(w, n, "width"), *height = w_length(w, n, "height");
	bool dark = doc_attr(n, "refDark") != NULL;

	w_str(w, "<figure>");
	if (dark) {
		w_str(w, "<picture><source");
		w_attr(w, "srcset", w_target_of(w, n, "refDark", USE_FILE));
		w_str(w, " media=\"(prefers-color-scheme: dark)\">");
	}
	w_str(w, "<img");
	w_attr(w, "src", w_target_of(w, n, "ref", USE_FILE));
	w_attr(w, "alt", doc_attr_str(n, "alt") != NULL ? doc_attr_str(n, "alt") : "");
	if (width != NULL)
		w_attr(w, "width", width);
	if (height != NULL)
		w_attr(w, "height", height);
	w_str(w, dark ? "></picture><figcaption>" : "><figcaption>");
	for (p = caption == NULL ? NULL : caption->child; p != NULL; p = p->next) {
		w_str(w, "<p>");
		w_inlines_html(w, p);
		w_str(w, "</p>");
	}
	w_str(w, "</figcaption></figure>");
}

/* A single image without options is a bare figure: with a wrapper it would be parsed to the same gallery. */
void
w_images(struct writer *w, const struct doc_node *n)
{
	const char *align = doc_attr_str(n, "align");
	bool wide = doc_attr(n, "fullWidth") != NULL, frame = doc_attr(n, "withFrame") != NULL;
	bool wrap = align != NULL || wide || frame || n->child->next != NULL;
	const struct doc_node *c;

	if (wrap) {
		w_str(w, "<div");
		if (wide)
			w_attr(w, "data-full-width", doc_attr_bool(n, "fullWidth") ? "true" : "false");
		if (frame)
			w_attr(w, "data-with-frame", doc_attr_bool(n, "withFrame") ? "true" : "false");
		if (align != NULL)
			w_attr(w, "align", align);
		w_str(w, ">");
	}
	for (c = n->child; c != NULL; c = c->next) {
		write_figure(w, c);
		w_str(w, c->next != NULL ? " " : "");
	}
	w_str(w, wrap ? "</div>" : "");
}

/*
 * Writes the first paragraph of an item without <p>, unless a second paragraph follows: the parser
 * would join two runs of inlines in one <li>.
 */
static void
write_html_list(struct writer *w, const struct doc_node *n)
{
	const char *name = n->type == DOC_LIST_ORDERED ? "ol" : "ul";
	const struct doc_attr *start = doc_attr(n, "start");
	const struct doc_node *c, *first;

	w_printf(w, "<%s", name);
	if (start != NULL && start->kind == ATTR_NUMBER)
		w_printf(w, " start=\"%.0f\"", start->v.n);
	w_str(w, ">");
	for (c = n->child; c != NULL; c = c->next) {
		w_str(w, "<li>");
		if (doc_attr(c, "checked") != NULL)
			w_str(w, doc_attr_bool(c, "checked") ? "<input type=\"checkbox\" checked> " : "<input type=\"checkbox\"> ");
		first = c->child;
		if (first != NULL && first->type == DOC_PARAGRAPH && first->attrs == NULL &&
		    (first->next == NULL || first->next->type != DOC_PARAGRAPH || first->next->attrs != NULL)) {
			w_inlines_html(w, first);
			first = first->next;
		}
		write_html_blocks(w, first);
		w_str(w, "</li>");
	}
	w_printf(w, "</%s>", name);
}

/*
 * Writes a block, which may be a heading, as HTML with its alignment. Anchors of headings are
 * counted as in write_heading() of doc_write.c, and an id is written only where it differs from the
 * generated anchor.
 */
static void
write_aligned(struct writer *w, const struct doc_node *n, const char *name)
{
	const char *align = doc_attr_str(n, "align");

	w_printf(w, "<%s", name);
	if (align != NULL)
		w_attr(w, "align", strcmp(align, "start") == 0 ? "left" : strcmp(align, "end") == 0 ? "right" : align);
	if (n->type != DOC_PARAGRAPH && n->anchor != NULL && n->anchor[0] != '\0') {
		if (strcmp(n->anchor, anchor_auto(w->anchors, n)) != 0)
			w_attr(w, "id", n->anchor);
		anchor_use(w->anchors, n->anchor);
	}
	w_str(w, ">");
	w_inlines_html(w, n);
	w_printf(w, "</%s>", name);
}

static void
write_html_expandable(struct writer *w, const struct doc_node *n)
{
	const struct doc_node *title = doc_fragment_of(n, "expandable-title");
	const struct doc_node *body = doc_fragment_of(n, "expandable-body");

	w_str(w, doc_attr_bool(n, "defaultExpanded") ? "<details open><summary>" : "<details><summary>");
	if (title != NULL && title->child != NULL)
		w_inlines_html(w, title->child);
	w_str(w, "</summary>");
	write_html_blocks(w, body == NULL ? NULL : body->child);
	w_str(w, "</details>");
}

/* Writes media blocks (files of the space, embeds) in the form that the HTML parser reads. */
static void
write_html_media(struct writer *w, const struct doc_node *n)
{
	const char *name = n->type == DOC_FILE ? "video" : "iframe";

	w_printf(w, "<%s", name);
	w_attr(w, "src", n->type == DOC_FILE ? w_target_of(w, n, "ref", USE_FILE) : doc_attr_str(n, "url"));
	w_printf(w, "></%s>", name);
}

/* Writes one block as HTML; blocks without an HTML element are written as their text. */
static void
write_html_block(struct writer *w, const struct doc_node *n)
{
	switch (n->type) {
	case DOC_PARAGRAPH:
		write_aligned(w, n, "p");
		break;
	case DOC_HEADING_1: case DOC_HEADING_2: case DOC_HEADING_3:
		write_aligned(w, n, arena_printf(w->a, "h%d", w_level(n)));
		break;
	case DOC_LIST_ORDERED: case DOC_LIST_UNORDERED: case DOC_LIST_TASKS:
		write_html_list(w, n);
		break;
	case DOC_BLOCKQUOTE:
		w_str(w, "<blockquote>");
		write_html_blocks(w, n->child);
		w_str(w, "</blockquote>");
		break;
	case DOC_HINT:
		w_printf(w, "<div data-gb-custom-block data-tag=\"hint\" data-style=\"%s\">", doc_attr_str(n, "style"));
		write_html_blocks(w, n->child);
		w_str(w, "</div>");
		break;
	case DOC_CODE:
		w_pre(w, n, false);
		break;
	case DOC_DIVIDER:
		w_str(w, "<hr>");
		break;
	case DOC_IMAGES:
		w_images(w, n);
		break;
	case DOC_TABLE:
		w_table(w, n);
		break;
	case DOC_EXPANDABLE:
		write_html_expandable(w, n);
		break;
	case DOC_FILE:
	case DOC_EMBED:
		write_html_media(w, n);
		break;
	default:
		w_str(w, "<p>");
		w_html_text(w, str_of(doc_plain_of(w->a, n)));
		w_str(w, "</p>");
	}
}

/* Writes blocks as HTML, without line feeds between them: an HTML table is one line. */
static void
write_html_blocks(struct writer *w, const struct doc_node *first)
{
	for (; first != NULL; first = first->next)
		write_html_block(w, first);
}
