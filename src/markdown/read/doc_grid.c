/*
 * Tables: GFM pipe tables and HTML tables with their options. A column's title is plain text, as in
 * the schema; its markup is kept beside it.
 */
#include <stdlib.h>

#include <cmark-gfm-core-extensions.h>

#include "../doc_parse.h"

/* Bounds of columns and spans: otherwise a cell of 30 bytes could create millions of columns. */
enum { MAX_WIDTH = 200, MAX_SPAN = 50 };

/* wrap and search begin with -1 (absent) and not with false: an absent attribute is not written. */
static struct doc_node *
table_node(struct conv *c)
{
	struct doc_node *n = doc_node(c->a, DOC_TABLE);

	n->table = arena_alloc(c->a, sizeof(*n->table));
	n->table->wrap = n->table->search = -1;
	return n;
}

/*
 * A letter and the number, padded with zeros to `digits`. printf would dominate the cost of a row.
 */
static const char *
numbered_id(struct conv *c, const char *letter, size_t number, unsigned digits)
{
	char text[24], *p = text + sizeof(text);

	do {
		*--p = (char)('0' + number % 10);
		digits -= digits > 0;
	} while ((number /= 10) > 0 || digits > 0);
	if (*letter != '\0')
		*--p = *letter;
	return arena_strndup(c->a, p, (size_t)(text + sizeof(text) - p));
}

/*
 * Appends a column at *end. Ids are consecutive numbers, since the source has no ids. An edit may
 * renumber the columns: block_moves() then finds where comments belong.
 */
static struct doc_column *
add_column(struct conv *c, struct doc_table *t, struct doc_column ***end)
{
	struct doc_column *k = arena_alloc(c->a, sizeof(*k));

	k->id = numbered_id(c, "c", ++t->width, 1);
	k->title = "";
	**end = k;
	*end = &k->next;
	return k;
}

/* Call it when all columns exist: cells are an array of the table's width. */
static struct doc_record *
add_record(struct conv *c, struct doc_table *t, struct doc_record ***end, size_t number)
{
	struct doc_record *r = arena_alloc(c->a, sizeof(*r));

	r->id = numbered_id(c, "r", number, 1);
	/* Clients sort records by this text, so pad it to six digits. */
	r->order = numbered_id(c, "", number, 6);
	r->cells = arena_array(c->a, t->width, sizeof(*r->cells));
	**end = r;
	*end = &r->next;
	return r;
}

/* True if n or one of its siblings is more than plain text. */
static bool
has_markup(const struct doc_node *n)
{
	for (; n != NULL; n = n->next)
		if (n->type != DOC_LEAF || n->marks != 0 || n->raw.p != NULL)
			return true;
	return false;
}

/* Keeps a title as a node if it is one paragraph, without alignment, that is more than its text. */
static void
keep_title_markup(struct conv *c, struct doc_column *k, const struct doc_node *blocks)
{
	struct doc_node *p = blocks->child;

	if (p == NULL || p->next != NULL || p->type != DOC_PARAGRAPH || p->attrs != NULL || !has_markup(p->child))
		return;
	k->marked = p;
	k->title = doc_title_of(c->a, blocks);
}

static void
cell_title(struct conv *c, cmark_node *cell, struct doc_column *k)
{
	struct doc_node *blocks = doc_node(c->a, DOC_FRAGMENT);

	cell_blocks(c, cmark_node_first_child(cell), blocks);
	k->title = doc_title_of(c->a, blocks);
	keep_title_markup(c, k, blocks);
}

/* Never returns NULL. All cells are text, because pipe tables have no other columns. */
struct doc_node *
grid_markdown(struct conv *c, cmark_node *table)
{
	struct doc_node *n = table_node(c), *blocks;
	struct doc_table *t = n->table;
	struct doc_column *k, **kend = &t->columns;
	struct doc_record *r, **rend = &t->records;
	cmark_node *row = cmark_node_first_child(table), *cell;
	/* One byte per column of the header: 'l', 'c', 'r' or 0. */
	const uint8_t *align = cmark_gfm_extensions_get_table_alignments(table);
	size_t i, count = 0;

	for (cell = row == NULL ? NULL : cmark_node_first_child(row); cell != NULL; cell = cmark_node_next(cell)) {
		k = add_column(c, t, &kend);
		cell_title(c, cell, k);
		if (align[t->width - 1] == 'c' || align[t->width - 1] == 'r')
			k->align = align[t->width - 1] == 'c' ? "center" : "right";
	}
	for (row = row == NULL ? NULL : cmark_node_next(row); row != NULL; row = cmark_node_next(row)) {
		r = add_record(c, t, &rend, ++count);
		i = 0;
		/* GFM cuts long rows and fills short ones, within the bounds of are_tables_safe() (doc_cmark.c). */
		for (cell = cmark_node_first_child(row); cell != NULL && i < t->width; cell = cmark_node_next(cell), i++) {
			blocks = doc_node(c->a, DOC_FRAGMENT);
			cell_blocks(c, cmark_node_first_child(cell), blocks);
			if (blocks->child != NULL)
				r->cells[i].blocks = blocks;
		}
	}
	return n;
}

/* In HTML presence means true; the service also writes ="false". */
static bool
read_flag(const GumboNode *n, const char *name)
{
	const char *v = html_attr(n, name);

	return v != NULL && strcmp(v, "false") != 0;
}

/* Reads an attribute that is true, false or absent (-1). */
static signed char
read_tristate(const GumboNode *n, const char *name)
{
	const char *v = html_attr(n, name);

	return v == NULL ? -1 : strcmp(v, "false") != 0;
}

/* Append the text of an element with white space collapsed, without <select>. */
static void
write_element_text(struct buf *out, const GumboNode *n, unsigned depth)
{
	const char *p;

	if (n->type == GUMBO_NODE_TEXT || n->type == GUMBO_NODE_WHITESPACE) {
		for (p = n->v.text.text; *p != '\0'; p++)
			if (strchr(" \t\r\n", *p) == NULL)
				buf_char(out, *p);
			else if (out->n > 0 && out->p[out->n - 1] != ' ')
				buf_char(out, ' ');
		return;
	}
	/* Options of a select column are in its header cell, but not part of the title. */
	if (n->type != GUMBO_NODE_ELEMENT || depth > DOC_DEPTH || html_is(n, "select"))
		return;
	for (unsigned i = 0; i < n->v.element.children.length; i++)
		write_element_text(out, n->v.element.children.data[i], depth + 1);
}

/* Never returns NULL. The text is copied to the arena, because it must outlive html_close(). */
static const char *
element_text(struct conv *c, const GumboNode *n)
{
	struct buf out;

	buf_init(&out, c->a, (size_t)1 << 30);
	write_element_text(&out, n, 0);
	while (out.n > 0 && out.p[out.n - 1] == ' ')
		buf_cut(&out, 1);
	return out.p;
}

/* The label is the attribute, else the text of the option (HTML 4.10.10). */
static void
read_options(struct conv *c, struct doc_column *k, const GumboNode *select)
{
	struct doc_option **end = &k->options, *o;
	const GumboNode *e;
	const char *v;

	k->multiple = html_attr(select, "multiple") != NULL;
	for (unsigned i = 0; i < select->v.element.children.length; i++) {
		e = select->v.element.children.data[i];
		if (!html_is(e, "option"))
			continue;
		o = arena_alloc(c->a, sizeof(*o));
		v = html_attr(e, "value");
		o->label = html_attr(e, "label") != NULL ? arena_strdup(c->a, html_attr(e, "label")) : element_text(c, e);
		/* An option without a value has its text as value (HTML 4.10.10). */
		o->value = v != NULL ? arena_strdup(c->a, v) : o->label;
		o->color = arena_strdup(c->a, html_attr(e, "color") != NULL ? html_attr(e, "color") : "default");
		*end = o;
		end = &o->next;
	}
}

/* Copy values: gumbo's memory ends with html_close(). */
static void
column_attrs(struct conv *c, struct doc_column *k, const GumboNode *th)
{
	const char *type = html_attr(th, "data-type"), *v;
	const GumboNode *select = html_child(th, "select");
	size_t i;

	/* Kind 0 is text, also for an unknown data-type. */
	for (i = 0; type != NULL && i < COL_KINDS; i++)
		if (strcmp(type, doc_column_kinds[i]) == 0)
			k->kind = (enum column_kind)i;
	/* A <select> makes a select column even without data-type. */
	if (select != NULL) {
		k->kind = COL_SELECT;
		read_options(c, k, select);
	}
	k->multiple = k->multiple || read_flag(th, "data-multiple");
	if (k->kind == COL_RATING) {
		k->max = html_attr(th, "data-max") != NULL ? strtod(html_attr(th, "data-max"), NULL) : 0;
		/* The limits of read_columns(); "inf" and "nan" fail them. */
		k->max = k->max >= 1 && k->max <= 100 ? k->max : 5;
	}
	v = html_attr(th, "width");
	if (v != NULL && strtod(v, NULL) > 0 && strtod(v, NULL) < 1e5)
		k->width = strtod(v, NULL);
	v = html_attr(th, "align");
	if (v != NULL && doc_in_set("center,right", v))
		k->align = arena_strdup(c->a, v);
	v = html_attr(th, "valign");
	if (v != NULL && doc_in_set("top,middle,bottom", v))
		k->valign = arena_strdup(c->a, v);
	k->hidden = read_flag(th, "data-hidden");
	k->target = read_flag(th, "data-card-target");
	k->cover_dark = read_flag(th, "data-card-cover-dark");
	k->cover = read_flag(th, "data-card-cover");
	k->title = element_text(c, th);
}

/* Keeps the markup of a header cell, if it contains an element; plain text is in the title already. */
static void
html_marked(struct conv *c, struct doc_column *k, const GumboNode *th, unsigned level)
{
	struct doc_node *blocks;

	for (unsigned i = 0; k->kind == COL_TEXT && i < th->v.element.children.length; i++) {
		if (((const GumboNode *)th->v.element.children.data[i])->type != GUMBO_NODE_ELEMENT)
			continue;
		blocks = doc_node(c->a, DOC_FRAGMENT);
		if (html_inside(c, th, blocks, level + 2))
			keep_title_markup(c, k, blocks);
		return;
	}
}

/* Collect the rows of a table, in and outside of its sections, but not of nested tables. */
static void
collect_rows(const GumboNode *n, const GumboNode **list, size_t *count, unsigned depth)
{
	const GumboNode *e;

	for (unsigned i = 0; i < n->v.element.children.length; i++) {
		e = n->v.element.children.data[i];
		if (html_is(e, "tr")) {
			if (list != NULL)
				list[*count] = e;
			++*count;
		} else if (depth == 0 && (html_is(e, "thead") || html_is(e, "tbody") || html_is(e, "tfoot")))
			collect_rows(e, list, count, 1);
	}
}

static bool
is_cell(const GumboNode *n)
{
	return html_is(n, "td") || html_is(n, "th");
}

/*
 * Reads colspan or rowspan; 1 if it is absent or invalid. HTML's rowspan="0" (down to the end of
 * the table) counts as 1.
 */
static int
read_span(const GumboNode *cell, const char *name)
{
	const char *v = html_attr(cell, name);
	long n = v == NULL ? 1 : strtol(v, NULL, 10);

	return n < 1 ? 1 : n > MAX_SPAN ? MAX_SPAN : (int)n;
}

/* Columns of the row's own cells, without spans from above. */
static size_t
row_width(const GumboNode *tr)
{
	size_t n = 0;

	for (unsigned i = 0; i < tr->v.element.children.length; i++)
		if (is_cell(tr->v.element.children.data[i]))
			n += (size_t)read_span(tr->v.element.children.data[i], "colspan");
	/* Ignore cells beyond the widest table. */
	return n < MAX_WIDTH ? n : MAX_WIDTH;
}

/* Files, users or options that the elements in the cell name. */
static void
cell_list(struct conv *c, struct doc_list ***end, enum column_kind kind, const GumboNode *n, unsigned depth)
{
	const GumboNode *e;
	struct doc_target *t;
	const char *v;

	for (unsigned i = 0; i < n->v.element.children.length && depth < 8; i++) {
		e = n->v.element.children.data[i];
		if (e->type != GUMBO_NODE_ELEMENT)
			continue;
		v = html_attr(e, kind == COL_SELECT ? "data-option" : html_is(e, "img") ? "src" : "href");
		if (v == NULL)
			cell_list(c, end, kind, e, depth + 1);
		/* An address that is not written yet is none. */
		if (v == NULL || *v == '\0')
			continue;
		if (kind == COL_FILES) {
			/*
			 * The list holds ids; an unresolved file keeps its address, by which it is
			 * written back.
			 */
			t = conv_file(c, str_of(v));
			v = t->ref.kind == REF_FILE ? t->ref.id : t->ref.url;
		}
		doc_list_add(c->a, end, arena_strdup(c->a, v));
	}
}

/* The address of the first link or image in a cell. */
static const char *
cell_url(const GumboNode *td)
{
	const GumboNode *a = html_child(td, "a");

	if (a != NULL && html_attr(a, "href") != NULL)
		return html_attr(a, "href");
	a = html_child(td, "img");
	return a == NULL ? NULL : html_attr(a, "src");
}

/* Appends the links of a cell, separated by commas. */
static void
write_user_links(struct buf *out, const GumboNode *n, unsigned depth)
{
	const GumboNode *e;
	const char *from;

	for (unsigned i = 0; i < n->v.element.children.length && depth < 8; i++) {
		e = n->v.element.children.data[i];
		if (e->type != GUMBO_NODE_ELEMENT)
			continue;
		if (!html_is(e, "a") || html_end_tag(e).n == 0) {
			write_user_links(out, e, depth + 1);
			continue;
		}
		from = e->v.element.original_tag.data;
		buf_printf(out, "%s%.*s", out->n > 0 ? ", " : "", (int)(html_end_tag(e).p + html_end_tag(e).n - from), from);
	}
}

/*
 * Reads a cell of users as text. The published service spells a user as a link to an address, which
 * is no user id here, so names and links are kept as text.
 */
static struct doc_node *
read_user_cell(struct conv *c, const GumboNode *td, unsigned level)
{
	struct doc_node *blocks = doc_node(c->a, DOC_FRAGMENT);
	const GumboNode *root;
	struct buf b;

	buf_init(&b, c->a, (size_t)1 << 30);
	buf_str(&b, "");
	write_user_links(&b, td, 0);
	if (b.n == 0 || (root = html_open(c, buf_view(&b))) == NULL)
		return NULL;
	if (!html_inside(c, root, blocks, level + 2))
		blocks = NULL;
	html_close(c);
	return blocks;
}

/*
 * Reads the value of a cell by the kind of its column. x is zeroed: an invalid value leaves it
 * empty.
 */
static void
cell_value(struct conv *c, struct doc_cell *x, const struct doc_column *k, const GumboNode *td, unsigned level)
{
	const char *text = k->kind == COL_TEXT ? "" : element_text(c, td), *url, *fit;
	struct doc_list **list_end;
	char *end;

	switch (k->kind) {
	case COL_NUMBER:
	case COL_RATING:
		x->n = strtod(text, &end);
		/* strtod() accepts "inf" and "nan", which JSON lacks. */
		x->set = end != text && x->n > -1e300 && x->n < 1e300;
		break;
	case COL_CHECKBOX:
		x->b = strcmp(text, "true") == 0;
		x->set = *text != '\0';
		break;
	case COL_FILES:
	case COL_USERS:
	case COL_SELECT:
		list_end = &x->list;
		cell_list(c, &list_end, k->kind, td, 0);
		/* People write values as text, without the service's elements. */
		if (x->list == NULL && *text != '\0')
			x->list = doc_list_split(c->a, text, ',');
		x->set = x->list != NULL;
		break;
	case COL_CONTENT_REF:
	case COL_IMAGE:
		url = cell_url(td) != NULL ? cell_url(td) : text;
		if (*url == '\0')
			break;
		x->set = true;
		x->target = k->kind == COL_IMAGE ? conv_file(c, str_of(url)) : conv_target(c, str_of(url), USE_LINK);
		break;
	default:
		if (k->people && (x->blocks = read_user_cell(c, td, level)) != NULL)
			break;
		x->blocks = doc_node(c->a, DOC_FRAGMENT);
		/* An empty cell has no fragment. */
		if (!html_inside(c, td, x->blocks, level + 2))
			x->blocks = NULL;
	}
	fit = html_attr(td, "data-object-fit");
	if (fit != NULL && doc_in_set("contain,fill,cover", fit))
		x->fit = arena_strdup(c->a, fit);
}

/*
 * Puts the cells of a row into columns. taken[] counts for each column the rows that a span from
 * above still covers.
 */
static void
fill_row(struct conv *c, struct doc_table *t, struct doc_record *r, const GumboNode *tr, int *taken,
    unsigned level)
{
	struct doc_column *k = t->columns;
	size_t i = 0, last;
	int w, h;

	for (unsigned n = 0; n < tr->v.element.children.length; n++) {
		const GumboNode *e = tr->v.element.children.data[n];
		if (!is_cell(e))
			continue;
		/* HTML 4.9.12: a cell takes the next slot that no span from above covers. */
		for (; i < t->width && taken[i] > 0; i++)
			taken[i]--, k = k->next;
		if (i == t->width)
			break;
		w = read_span(e, "colspan");
		h = read_span(e, "rowspan");
		cell_value(c, &r->cells[i], k, e, level);
		/* 0 in both means that no merged area begins here. */
		if (w > 1 || h > 1)
			r->cells[i].cols = w, r->cells[i].rows = h;
		for (last = i + (size_t)w; i < last && i < t->width; i++)
			taken[i] = h - 1, k = k->next;
	}
	/* A span from above may also cover columns after the last cell. */
	for (; i < t->width; i++)
		taken[i] -= taken[i] > 0;
}

/* Other attributes (style, class) have no place in the schema and are lost. */
static void
table_attrs(struct doc_table *t, const GumboNode *e)
{
	const char *view = html_attr(e, "data-view"), *size = html_attr(e, "data-card-size");

	t->cards = view != NULL && strcmp(view, "cards") == 0;
	t->large = size != NULL && strcmp(size, "large") == 0;
	t->hide_header = read_flag(e, "data-header-hidden");
	t->hide_titles = read_flag(e, "data-column-title-hidden");
	t->full_width = read_flag(e, "data-full-width");
	t->sticky_header = read_flag(e, "data-header-sticky");
	t->sticky_first = read_flag(e, "data-first-column-sticky");
	t->wrap = read_tristate(e, "data-card-wrap");
	t->search = read_tristate(e, "data-search");
}

/* True if a cell contains a picture, which a title, being text, would lose. */
static bool
has_pictures(const GumboNode *tr)
{
	return html_child(tr, "img") != NULL;
}

/* True if all cells of the row are <th>: as the first row, it is the header. */
static bool
is_header(const GumboNode *tr)
{
	bool some = false;

	for (unsigned i = 0; i < tr->v.element.children.length; i++) {
		some = some || html_is(tr->v.element.children.data[i], "th");
		if (html_is(tr->v.element.children.data[i], "td"))
			return false;
	}
	return some;
}

/*
 * Reads the titles. tr NULL: there is no header, and the titles are empty. A title that spans
 * several columns belongs to the first of them.
 */
static void
read_header(struct conv *c, struct doc_table *t, const GumboNode *tr, struct doc_column ***kend, size_t width, unsigned level)
{
	struct doc_column *k;
	const GumboNode *e;
	int w;

	for (unsigned i = 0; tr != NULL && i < tr->v.element.children.length; i++) {
		e = tr->v.element.children.data[i];
		if (!is_cell(e) || t->width >= width)
			continue;
		k = add_column(c, t, kend);
		column_attrs(c, k, e);
		html_marked(c, k, e, level);
		for (w = read_span(e, "colspan"); w > 1 && t->width < width; w--)
			add_column(c, t, kend);
	}
	while (t->width < width)
		add_column(c, t, kend);
}

/* A cell of a row by its number; NULL: none. Spans are ignored, since tables with typed columns have none. */
static const GumboNode *
nth_cell(const GumboNode *tr, size_t n)
{
	for (unsigned i = 0; i < tr->v.element.children.length; i++)
		if (is_cell(tr->v.element.children.data[i]) && n-- == 0)
			return tr->v.element.children.data[i];
	return NULL;
}

/* Turns each column of users whose cells contain links to addresses into a text column. */
static void
convert_user_columns(struct doc_table *t, const GumboNode **list, size_t count)
{
	struct doc_column *k;
	const GumboNode *cell, *a;
	size_t i, at = 0;

	for (k = t->columns; k != NULL; k = k->next, at++)
		for (i = 0; k->kind == COL_USERS && i < count; i++) {
			cell = nth_cell(list[i], at);
			a = cell == NULL ? NULL : html_child(cell, "a");
			if (a != NULL && html_attr(a, "href") != NULL && strchr(html_attr(a, "href"), '/') != NULL) {
				k->kind = COL_TEXT;
				k->multiple = false;
				k->people = true;
			}
		}
}

/* NULL for a table without cells, which the schema cannot express. */
struct doc_node *
grid_html(struct conv *c, const GumboNode *e, unsigned level)
{
	struct doc_node *n = table_node(c);
	struct doc_table *t = n->table;
	struct doc_column **kend = &t->columns;
	struct doc_record **rend = &t->records;
	const GumboNode **list;
	size_t count = 0, i, width = 0, first;
	int *taken;

	/* The first call only counts the rows; the second one fills the list. */
	collect_rows(e, NULL, &count, 0);
	list = arena_array(c->a, count + 1, sizeof(*list));
	count = 0;
	collect_rows(e, list, &count, 0);
	/* Take the longest row, so that no cell is lost. */
	for (i = 0; i < count; i++)
		if (row_width(list[i]) > width)
			width = row_width(list[i]);
	if (width == 0)
		return NULL;
	table_attrs(t, e);
	/* A <thead> may contain <td>. first: index of the first record, which is 1 if there is a header row. */
	first = (is_header(list[0]) || html_child(e, "thead") != NULL) && !has_pictures(list[0]);
	read_header(c, t, first > 0 ? list[0] : NULL, &kend, width, level);
	convert_user_columns(t, list + first, count - first);
	if (first == 0)
		/* Hide the empty titles of a table without a header. */
		t->hide_header = true;
	taken = arena_array(c->a, width, sizeof(*taken));
	for (i = first; i < count; i++)
		fill_row(c, t, add_record(c, t, &rend, i - first + 1), list[i], taken, level);
	return n;
}
