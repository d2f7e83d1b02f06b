/*
 * Reads tables from document JSON. Columns come in the order of the definitions if the view shows
 * them in that order too; else in the order of the view, with the hidden ones last. Records come in
 * the order of orderIndex.
 */
#include <math.h>
#include <stdlib.h>

#include "doc_read.h"
#include "base/sort.h"

/* The limits of doc_grid.c: the parser must be able to read the table back from the Markdown. */
enum { MAX_WIDTH = 200, MAX_SPAN = 50 };

/* An entry of a sorted list: a JSON value, its name, and its index in the JSON. */
struct named_member {
	const char  *name;
	const cJSON *value;
	size_t       index;
};

/* Sorted members, so that a table with 10,000 rows and as many fragments needs no linear searches. */
struct lookup {
	struct named_member *list;
	size_t        count;
};

static int
by_name(const void *a, const void *b)
{
	const struct named_member *x = a, *y = b;
	int d = strcmp(x->name, y->name);

	/*
	 * Equal names stay in the order of the JSON, so that records with the same orderIndex keep
	 * theirs.
	 */
	return d != 0 ? d : (x->index > y->index) - (x->index < y->index);
}

static int
name_only(const void *a, const void *b)
{
	const struct named_member *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/*
 * Returns the member of that name; NULL: there is none, or name is NULL. If several have it,
 * returns any of them.
 */
static const struct named_member *
find_member(const struct lookup *l, const char *name)
{
	struct named_member key = { name, NULL, 0 };

	return name == NULL || l->count == 0 ? NULL
	    : find_sorted(&key, l->list, l->count, sizeof(*l->list), name_only);
}

/* Sorts the children of a list or object by a member of each; member NULL: by their own names. */
static struct lookup
sort_members(struct reader *r, const cJSON *o, const char *member)
{
	struct lookup l = { NULL, 0 };
	const cJSON *c;
	size_t n = 0, i = 0;
	const char *s;

	for (c = o == NULL ? NULL : o->child; c != NULL; c = c->next)
		n++;
	l.list = arena_array(r->a, n + 1, sizeof(*l.list));
	for (c = o == NULL ? NULL : o->child; c != NULL; c = c->next, i++) {
		s = member == NULL ? c->string : read_str(c, member);
		if (s != NULL)
			l.list[l.count++] = (struct named_member){ s, c, i };
	}
	sort_list(l.list, l.count, sizeof(*l.list), by_name);
	return l;
}

/* The tree must not point into the JSON, which the caller frees. */
static const char *
dup_text(struct reader *r, const char *s)
{
	return s == NULL ? NULL : arena_strdup(r->a, s);
}

/* Any value but true counts as false: a table is not refused because of a wrong appearance option. */
static bool
is_true(const cJSON *o, const char *name)
{
	return cJSON_IsTrue(read_member(o, name));
}

/* Returns -1 for an absent option, which is not the same as false. */
static signed char
read_tristate(const cJSON *o, const char *name)
{
	const cJSON *v = read_member(o, name);

	return cJSON_IsBool(v) ? cJSON_IsTrue(v) : -1;
}

/* Skips options without a value, since they cannot be chosen. Label and colour have defaults. */
static void
read_options(struct reader *r, const cJSON *list, struct doc_column *k)
{
	struct doc_option **end = &k->options, *o;
	const cJSON *c;

	for (c = list == NULL ? NULL : list->child; c != NULL; c = c->next) {
		if (read_str(c, "value") == NULL)
			continue;
		o = arena_alloc(r->a, sizeof(*o));
		o->value = dup_text(r, read_str(c, "value"));
		o->label = read_str(c, "label") != NULL ? dup_text(r, read_str(c, "label")) : o->value;
		o->color = read_str(c, "color") != NULL ? dup_text(r, read_str(c, "color")) : "default";
		*end = o;
		end = &o->next;
	}
}

/* Never returns NULL; a failure is recorded in r, and the caller stops at its next step. */
static struct doc_column *
read_column(struct reader *r, const cJSON *d, const struct path *at)
{
	struct doc_column *k = arena_alloc(r->a, sizeof(*k));
	const char *type = read_str(d, "type"), *s;
	const cJSON *max = read_member(d, "max");
	int i;

	for (i = 0; i < COL_KINDS && (type == NULL || strcmp(type, doc_column_kinds[i]) != 0); )
		i++;
	if (i == COL_KINDS) {
		read_fail(r, at, "is a column of an unknown type");
		return k;
	}
	k->kind = (enum column_kind)i;
	k->id = dup_text(r, d->string);
	k->title = read_str(d, "title") != NULL ? dup_text(r, read_str(d, "title")) : "";
	s = read_str(d, "textAlignment");
	if (s != NULL && doc_in_set("center,right", s))
		k->align = dup_text(r, s);
	s = read_str(d, "verticalAlignment");
	if (s != NULL && doc_in_set("top,middle,bottom", s))
		k->valign = dup_text(r, s);
	k->max = cJSON_IsNumber(max) && max->valuedouble >= 1 && max->valuedouble <= 100 ? max->valuedouble : 5;
	k->multiple = is_true(d, "multiple");
	read_options(r, read_member(d, "options"), k);
	return k;
}

/* Linear search; there are at most 200 columns. */
static bool
shows_column(const cJSON *columns, const char *id)
{
	const cJSON *c;

	for (c = columns == NULL ? NULL : columns->child; c != NULL; c = c->next)
		if (cJSON_IsString(c) && strcmp(c->valuestring, id) == 0)
			return true;
	return false;
}

/* True if the columns of the view come in the order of the definitions. */
static bool
has_definition_order(const cJSON *columns, const cJSON *definition)
{
	const cJSON *c = columns->child, *d;

	for (d = definition->child; d != NULL && c != NULL; d = d->next)
		if (cJSON_IsString(c) && strcmp(c->valuestring, d->string) == 0)
			c = c->next;
	return c == NULL;
}

static void
read_columns(struct reader *r, const cJSON *view, const cJSON *definition, struct doc_table *t,
    const struct path *up)
{
	struct path at = { up, "definition", 0 }, one = { &at, NULL, 0 };
	const cJSON *columns = read_member(view, "columns"), *widths = read_member(view, "columnWidths"), *d, *c, *w;
	struct doc_column **end = &t->columns, *k;
	bool ordered;

	if (!cJSON_IsArray(columns) || !cJSON_IsObject(definition)) {
		read_fail(r, up, "a table needs view.columns and definition");
		return;
	}
	ordered = has_definition_order(columns, definition);
	/*
	 * If the orders differ, the view's columns come first; the loop below adds the hidden ones.
	 */
	for (c = ordered ? NULL : columns->child; c != NULL; c = c->next) {
		d = cJSON_IsString(c) ? read_member(definition, c->valuestring) : NULL;
		/* A column of the view without a definition has no type. */
		if (d == NULL || t->width == MAX_WIDTH) {
			read_fail(r, &at, d == NULL ? "lacks a column of the view" : "has too many columns");
			return;
		}
		one.name = d->string;
		*end = k = read_column(r, d, &one);
		end = &k->next;
		t->width++;
	}
	for (d = definition->child; d != NULL && r->why == NULL; d = d->next) {
		if (!ordered && shows_column(columns, d->string))
			continue;
		one.name = d->string;
		*end = k = read_column(r, d, &one);
		/*
		 * If the orders agree, shown and hidden columns come mixed, in the order of the
		 * definitions.
		 */
		k->hidden = !shows_column(columns, d->string);
		end = &k->next;
		if (++t->width > MAX_WIDTH)
			read_fail(r, &at, "has too many columns");
	}
	for (k = t->columns; k != NULL && r->why == NULL; k = k->next) {
		/* widths may be NULL: read_member() returns NULL then. */
		w = read_member(widths, k->id);
		k->width = cJSON_IsNumber(w) && w->valuedouble > 0 && w->valuedouble < 1e5 ? w->valuedouble : 0;
	}
}

/*
 * Appearance options that are absent or of a wrong type get their defaults; columns must be valid.
 */
static void
read_view(struct reader *r, const cJSON *data, struct doc_table *t, const struct path *up)
{
	const cJSON *view = read_member(data, "view");
	const char *type = read_str(view, "type"), *s;
	struct doc_column *k;

	if (type == NULL || !doc_in_set("grid,cards", type)) {
		/*
		 * Markdown can represent these two: a plain table, and one with data-view="cards".
		 */
		read_fail(r, up, "a table needs a view of type grid or cards");
		return;
	}
	read_columns(r, view, read_member(data, "definition"), t, up);
	t->cards = strcmp(type, "cards") == 0;
	s = read_str(view, "cardSize");
	t->large = s != NULL && strcmp(s, "large") == 0;
	t->hide_header = is_true(view, "hideHeader");
	t->hide_titles = is_true(view, "hideColumnTitle");
	t->sticky_header = is_true(view, "stickyHeader");
	t->sticky_first = is_true(view, "stickyFirstColumn");
	t->wrap = read_tristate(view, "wrap");
	t->full_width = is_true(data, "fullWidth");
	t->search = read_tristate(data, "search");
	for (k = t->columns; k != NULL && r->why == NULL; k = k->next) {
		s = read_str(view, "targetDefinition");
		/*
		 * Roles of columns are members of the view in JSON, and flags of the column in the
		 * tree.
		 */
		k->target = s != NULL && strcmp(s, k->id) == 0;
		s = read_str(view, "coverDefinition");
		k->cover = s != NULL && strcmp(s, k->id) == 0;
		s = read_str(view, "coverDefinitionDark");
		k->cover_dark = s != NULL && strcmp(s, k->id) == 0;
	}
}

/* Reads a bare reference, or an object with the reference, its fit and its alternative text. */
static void
read_image(struct reader *r, struct doc_cell *x, const cJSON *v, const struct path *at)
{
	const cJSON *ref = read_member(v, "ref");
	const char *fit = read_str(v, "objectFit");

	x->target = read_ref(r, ref != NULL ? ref : v, at);
	if (x->target != NULL && x->target->ref.kind != REF_URL && x->target->ref.kind != REF_FILE)
		read_fail(r, at, "must be a url or a file");
	if (fit != NULL && doc_in_set("contain,fill,cover", fit))
		x->fit = dup_text(r, fit);
	x->alt = dup_text(r, read_str(v, "alt"));
}

/* Checks values against the kind of the column, since the renderer and the writer rely on it. */
static void
read_cell(struct reader *r, struct doc_cell *x, const struct doc_column *k, const cJSON *v,
    const struct lookup *frags, const struct path *at, unsigned depth)
{
	const struct named_member *f;

	/* null is the same as no value. */
	if (cJSON_IsNull(v))
		return;
	/* Also set in text columns, where a cell is empty if x->blocks is NULL (document_tree.h). */
	x->set = true;
	switch (k->kind) {
	case COL_TEXT:
		/*
		 * A text cell names a fragment of the table; if that is missing, the cell is empty.
		 */
		f = find_member(frags, cJSON_GetStringValue(v));
		if (f == NULL || !cJSON_IsArray(read_member(f->value, "nodes")) || read_member(f->value, "nodes")->child == NULL)
			break;
		x->blocks = doc_node(r->a, DOC_FRAGMENT);
		read_nodes(r, read_member(f->value, "nodes"), x->blocks, at, depth + 2);
		break;
	case COL_NUMBER:
	case COL_RATING:
		if (!cJSON_IsNumber(v))
			read_fail(r, at, "must be a number");
		x->n = v->valuedouble;
		break;
	case COL_CHECKBOX:
		if (!cJSON_IsBool(v))
			read_fail(r, at, "must be true or false");
		x->b = cJSON_IsTrue(v);
		break;
	case COL_CONTENT_REF:
		x->target = read_ref(r, v, at);
		break;
	case COL_IMAGE:
		read_image(r, x, v, at);
		break;
	default:
		x->list = read_list(r, v, at);
		/* An empty list is no value. */
		x->set = x->list != NULL;
	}
}

/* Searches the column of each value linearly: at most 200 steps. */
static void
read_record(struct reader *r, const cJSON *o, struct doc_table *t, struct doc_record *rec,
    const struct lookup *frags, const struct path *up, unsigned depth)
{
	struct path values = { up, "values", 0 }, at = { &values, NULL, 0 };
	const cJSON *list = read_member(o, "values"), *v;
	const struct doc_column *k;
	size_t i;

	rec->id = dup_text(r, o->string);
	/* The value is never NULL, because sort_members() has dropped records without it. */
	rec->order = dup_text(r, read_str(o, "orderIndex"));
	rec->cells = arena_array(r->a, t->width, sizeof(*rec->cells));
	if (!cJSON_IsObject(list)) {
		read_fail(r, &values, "must be an object");
		return;
	}
	for (v = list->child; v != NULL && r->why == NULL; v = v->next) {
		for (k = t->columns, i = 0; k != NULL && strcmp(k->id, v->string) != 0; k = k->next)
			i++;
		at.name = v->string;
		/* Values for undefined columns are ignored. */
		if (k != NULL)
			read_cell(r, &rec->cells[i], k, v, frags, &at, depth);
	}
}

/*
 * Reads merged cells. A merge that names no cell of the table, or no rectangle, is ignored: merges
 * only change the appearance, and no text is lost without them.
 */
static void
read_merges(struct reader *r, const cJSON *list, struct doc_table *t, const struct lookup *records)
{
	const cJSON *m, *anchor, *rows, *cols;
	const struct named_member *n;
	struct doc_record **byindex, *rec;
	const struct doc_column *k;
	size_t count = 0, i;

	for (rec = t->records; rec != NULL; rec = rec->next)
		count++;
	byindex = arena_array(r->a, count + 1, sizeof(struct doc_record *));
	/*
	 * Records are a linked list: make an array of them, so that an id finds its record through
	 * its index.
	 */
	for (rec = t->records, i = 0; rec != NULL; rec = rec->next)
		byindex[i++] = rec;
	for (m = list == NULL ? NULL : list->child; m != NULL; m = m->next) {
		anchor = read_member(m, "anchor");
		rows = read_member(m, "rowSpan");
		cols = read_member(m, "colSpan");
		n = find_member(records, read_str(anchor, "record"));
		for (k = t->columns, i = 0; k != NULL && (read_str(anchor, "column") == NULL ||
		    strcmp(k->id, read_str(anchor, "column")) != 0); k = k->next)
			i++;
		if (n == NULL || k == NULL || !cJSON_IsNumber(rows) || !cJSON_IsNumber(cols) ||
		    rows->valuedouble < 1 || rows->valuedouble > MAX_SPAN || cols->valuedouble < 1 ||
		    cols->valuedouble > MAX_SPAN || n->index >= count)
			continue;
		byindex[n->index]->cells[i].rows = rows->valueint;
		byindex[n->index]->cells[i].cols = cols->valueint;
	}
}

/*
 * Reads the fragments of titles. If a client has changed the title itself, its fragment has another
 * text, and is ignored.
 */
static void
read_titles(struct reader *r, struct doc_table *t, const struct lookup *frags, const struct path *up, unsigned depth)
{
	struct path at = { up, "fragments", 0 };
	const struct named_member *f;
	struct doc_node *blocks;
	struct doc_column *c;

	for (c = t->columns; c != NULL && r->why == NULL; c = c->next) {
		f = find_member(frags, arena_printf(r->a, DOC_TITLE "%.36s", c->id));
		if (f == NULL || c->kind != COL_TEXT || !cJSON_IsArray(read_member(f->value, "nodes")))
			continue;
		blocks = doc_node(r->a, DOC_FRAGMENT);
		read_nodes(r, read_member(f->value, "nodes"), blocks, &at, depth + 2);
		if (r->why == NULL && blocks->child != NULL && blocks->child->next == NULL &&
		    blocks->child->type == DOC_PARAGRAPH && strcmp(doc_title_of(r->a, blocks), c->title) == 0)
			c->marked = blocks->child;
	}
}

void
read_table(struct reader *r, const cJSON *o, struct doc_node *n, const struct path *up, unsigned depth)
{
	struct path data = { up, "data", 0 }, recs = { &data, "records", 0 }, at = { &recs, NULL, 0 };
	const cJSON *d = read_member(o, "data");
	struct lookup frags, order, ids;
	struct doc_record **end, *rec;

	/*
	 * This is set before anything can fail, because the tree must not contain a table node
	 * without its structure.
	 */
	n->table = arena_alloc(r->a, sizeof(*n->table));
	read_view(r, d, n->table, &data);
	/* read_fail() keeps the first failure, so this does not overwrite one from read_view(). */
	if (r->why != NULL || !cJSON_IsObject(read_member(d, "records"))) {
		read_fail(r, &recs, "must be an object");
		return;
	}
	frags = sort_members(r, read_member(o, "fragments"), "fragment");
	read_titles(r, n->table, &frags, up, depth);
	/* Members of a JSON object have no order: only orderIndex orders the rows. */
	order = sort_members(r, read_member(d, "records"), "orderIndex");
	end = &n->table->records;
	for (size_t i = 0; i < order.count && r->why == NULL; i++) {
		at.name = order.list[i].value->string;
		*end = rec = arena_alloc(r->a, sizeof(*rec));
		end = &rec->next;
		read_record(r, order.list[i].value, n->table, rec, &frags, &at, depth);
	}
	if (r->why != NULL)
		return;
	ids = (struct lookup){ arena_array(r->a, order.count + 1, sizeof(*ids.list)), order.count };
	for (size_t i = 0; i < order.count; i++)
		ids.list[i] = (struct named_member){ order.list[i].value->string, NULL, i };
	sort_list(ids.list, ids.count, sizeof(*ids.list), by_name);
	read_merges(r, read_member(d, "cellMerges"), n->table, &ids);
}
