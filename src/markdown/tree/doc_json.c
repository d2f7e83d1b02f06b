/*
 * The tree as JSON, by the type tables (document_tree.h).
 */
#include "markdown/document_tree.h"

/* Nodes hold nodes, and cells of tables do. */
static void write_node(struct json *j, const struct doc_node *n, const struct doc_node *before, const struct doc_node *after);

/* A ContentRef. */
static void
write_ref(struct json *j, const struct doc_ref *r)
{
	/*
	 * Of each kind its name, and the member that holds the id. What did not resolve is a URL
	 * to clients.
	 */
	static const struct { struct str opening; const char *id; } kinds[] = {
#define KIND(kind, name, id) [kind] = { { "{\"kind\":\"" name "\"", sizeof("{\"kind\":\"" name "\"") - 1 }, id }
		KIND(REF_NONE, "url", "url"), KIND(REF_URL, "url", "url"), KIND(REF_FILE, "file", "file"),
		KIND(REF_PAGE, "page", "page"), KIND(REF_ANCHOR, "anchor", "page"),
		KIND(REF_SPACE, "space", "space"), KIND(REF_USER, "user", "user"),
		KIND(REF_COLLECTION, "collection", "collection"),
		KIND(REF_REUSABLE, "reusable-content", "reusableContent"),
		KIND(REF_TAG, "tag", "tag"), KIND(REF_OPENAPI, "openapi", "spec")
#undef KIND
	};

	json_begin(j, kinds[r->kind].opening);
	if (r->kind == REF_URL || r->kind == REF_NONE)
		json_kstr(j, "url", r->url != NULL ? r->url : "");
	/* An anchor without a page is one of the page itself. */
	else if (r->kind != REF_ANCHOR || r->id != NULL)
		json_kstr(j, kinds[r->kind].id, r->id != NULL ? r->id : "");
	if (r->kind == REF_ANCHOR)
		json_kstr(j, "anchor", r->anchor != NULL ? r->anchor : "");
	if (r->space != NULL && r->kind != REF_SPACE)
		json_kstr(j, "space", r->space);
	json_end(j);
}

/* An empty list where l is NULL. */
static void
write_strings(struct json *j, const struct doc_list *l)
{
	json_arr(j);
	for (; l != NULL; l = l->next)
		json_str(j, l->s);
	json_end(j);
}

/* The tags of an update are references. */
static void
write_tags(struct json *j, const struct doc_list *l)
{
	struct doc_ref r = { .kind = REF_TAG };

	json_arr(j);
	for (; l != NULL; l = l->next) {
		r.id = l->s;
		write_ref(j, &r);
	}
	json_end(j);
}

/* ATTR_JSON is the text of one value that was valid when it was set, and goes out as it is. */
static void
write_attr(struct json *j, const struct doc_attr *x)
{
	json_key(j, x->name);
	switch (x->kind) {
	case ATTR_STRING:
		json_str(j, x->v.s);
		break;
	case ATTR_BOOL:
		json_bool(j, x->v.b);
		break;
	case ATTR_NUMBER:
		json_num(j, x->v.n);
		break;
	case ATTR_REF:
		write_ref(j, &x->v.target->ref);
		break;
	case ATTR_LIST:
		if (strcmp(x->name, "tags") == 0)
			write_tags(j, x->v.list);
		else
			write_strings(j, x->v.list);
		break;
	case ATTR_JSON:
		json_raw(j, str_of(x->v.s));
		break;
	}
}

/* A button's action is an object of its own in JSON. */
static void
button_data(struct json *j, const struct doc_node *n)
{
	static const char *const of_action[] = { "action", "query", "slug" };
	const struct doc_attr *x;
	bool action = doc_attr(n, "action") != NULL;

	for (x = n->attrs; x != NULL; x = x->next)
		if (strcmp(x->name, "action") != 0 && strcmp(x->name, "query") != 0 &&
		    strcmp(x->name, "slug") != 0 && (!action || strcmp(x->name, "ref") != 0))
			write_attr(j, x);
	if (!action)
		return;
	json_kobj(j, "action");
	for (size_t i = 0; i < 3; i++)
		if ((x = doc_attr(n, of_action[i])) != NULL)
			write_attr(j, x);
	json_end(j);
}

/*
 * Attributes are in the order of the field table already (set() of doc_tree.c), so that equal
 * trees give equal bytes.
 */
static void
write_data(struct json *j, const struct doc_node *n)
{
	const struct doc_attr *x;

	json_open(j, STR(",\"data\":{"));
	if (n->type == DOC_BUTTON)
		button_data(j, n);
	else
		for (x = n->attrs; x != NULL; x = x->next)
			/*
			 * To clients it is a paragraph, whose data knows no level; the node has
			 * it beside its data.
			 */
			if (!doc_low_heading(n) || strcmp(x->name, "level") != 0)
				write_attr(j, x);
	if (n->type == DOC_INTEGRATION) {
		json_key(j, "props");
		json_raw(j, str_of(n->props != NULL ? n->props : "{}"));
	}
	json_end(j);
}

/* A colour has two of the names of doc_colors, which need no escapes. */
static void
write_mark(struct buf *b, const char *name, uint32_t color)
{
	buf_str(b, "{\"object\":\"mark\",\"type\":\"");
	buf_str(b, name);
	if ((color & MARK_COLOR) != 0) {
		buf_str(b, "\",\"data\":{\"text\":\"");
		buf_str(b, doc_colors[color >> MARK_TEXT_SHIFT & 15]);
		buf_str(b, "\",\"background\":\"");
		buf_str(b, doc_colors[color >> MARK_BACK_SHIFT & 15]);
		buf_str(b, "\"}}");
	} else
		buf_str(b, "\"}");
}

static void
write_marks(struct buf *b, uint32_t m)
{
	bool some = false;

	for (unsigned i = 0; i < DOC_MARKS; i++) {
		if ((m & 1u << i) == 0)
			continue;
		if (some)
			buf_char(b, ',');
		some = true;
		write_mark(b, doc_marks[i], 1u << i == MARK_COLOR ? m : 0);
	}
}

/* The member marks is there for every leaf, empty where it has none. */
static void
write_leaf(struct buf *b, const struct doc_node *n, uint32_t m)
{
	buf_put(b, STR("{\"object\":\"leaf\",\"text\":"));
	json_quote(b, n->text);
	if (m == 0 && n->raw.p == NULL) {
		buf_put(b, STR(",\"marks\":[]}"));
		return;
	}
	buf_put(b, STR(",\"marks\":["));
	write_marks(b, m);
	buf_char(b, ']');
	if (n->raw.p != NULL) {
		buf_put(b, STR(",\"raw\":"));
		json_quote(b, n->raw);
	}
	buf_char(b, '}');
}

/* Neighbouring leaves are one text node; returns the last of them. more: marks that all of them have as well. */
static const struct doc_node *
write_text(struct json *j, const struct doc_node *n, uint32_t more)
{
	struct buf *b = json_by_hand(j);

	buf_put(b, STR("{\"object\":\"text\",\"leaves\":["));
	for (;; n = n->next) {
		write_leaf(b, n, n->marks | more);
		/* An inline ends the text node; its text goes into a node of its own. */
		if (n->next == NULL || n->next->type != DOC_LEAF)
			break;
		buf_char(b, ',');
	}
	buf_put(b, STR("]}"));
	return n;
}

/*
 * The raw source of blocks from n up to end, as a member of the block beside them: a string each. What stands in one
 * block, such as both tags of an empty element, may not come back as two.
 */
static void
write_unseen(struct json *j, const char *name, const struct doc_node *n, const struct doc_node *end)
{
	struct arena *a = n == end ? NULL : arena_new((size_t)1 << 30);
	const struct doc_node *leaf;
	struct buf b;

	if (n == end)
		return;
	json_karr(j, name);
	for (; n != end; n = n->next) {
		buf_init(&b, a, (size_t)1 << 29);
		for (leaf = n->child; leaf != NULL; leaf = leaf->next)
			buf_put(&b, leaf->raw);
		json_strn(j, buf_view(&b));
		arena_reset(a);
	}
	json_end(j);
	arena_free(a);
}

/* What follows n where none of it shows anything, else NULL. */
static const struct doc_node *
unseen_rest(const struct doc_node *n)
{
	const struct doc_node *rest = n->next;

	for (n = rest; n != NULL && doc_unseen(n); )
		n = n->next;
	return n == NULL ? rest : NULL;
}

/*
 * A block that shows nothing (a comment) is no block of what clients get, where it
 * would be an empty paragraph: its source is a member of the next block, `rawBefore`,
 * or of the last one, `rawAfter`. Only where nothing beside it is shown it stays one.
 */
static void
write_nodes(struct json *j, const struct doc_node *n)
{
	const struct doc_node *from = n->child, *shown = from;
	/* A low heading is a bold paragraph to clients; without_bold() took the mark out of the tree. */
	uint32_t more = doc_low_heading(n) ? MARK_BOLD : 0;

	while (shown != NULL && doc_unseen(shown))
		shown = shown->next;
	json_open(j, STR(",\"nodes\":["));
	for (n = from; n != NULL; n = n->next) {
		if (shown != NULL && doc_unseen(n))
			continue;
		if (n->type == DOC_LEAF)
			n = write_text(j, n, more);
		else
			write_node(j, n, from, shown != NULL ? unseen_rest(n) : NULL);
		/* What shows nothing behind this block belongs to the next one, unless it is the last. */
		from = n->next;
	}
	json_end(j);
}

/* Fragments of table cells have no type: their name is made of the cell's place. */
static void
write_fragment(struct json *j, const struct doc_node *f, struct str name)
{
	json_begin(j, STR("{\"object\":\"fragment\",\"fragment\":"));
	json_quote(j->out, name);
	if (f->text.n > 0)
		json_kstrn(j, "type", name);
	write_nodes(j, f);
	json_end(j);
}

/* Members by the kind of the column, as the schema has them for each. */
static void
write_definition(struct json *j, const struct doc_column *c)
{
	const struct doc_option *o;

	json_kobj(j, c->id);
	json_kstr(j, "id", c->id);
	json_kstr(j, "title", c->title);
	json_kstr(j, "type", doc_column_kinds[c->kind]);
	/* Only text columns have alignments in the schema. */
	if (c->kind == COL_TEXT) {
		json_kstr(j, "textAlignment", c->align != NULL ? c->align : "left");
		if (c->valign != NULL)
			json_kstr(j, "verticalAlignment", c->valign);
	}
	if (c->kind == COL_RATING) {
		json_key(j, "max");
		json_num(j, c->max);
	}
	if (c->kind == COL_SELECT || c->kind == COL_USERS)
		json_kbool(j, "multiple", c->multiple);
	if (c->kind == COL_SELECT) {
		json_karr(j, "options");
		for (o = c->options; o != NULL; o = o->next) {
			json_obj(j);
			json_kstr(j, "value", o->value);
			json_kstr(j, "label", o->label);
			json_kstr(j, "color", o->color);
			json_end(j);
		}
		json_end(j);
	}
	json_end(j);
}

/* flag is the offset of a bool in struct doc_column. The first column that has it counts. */
static void
column_id(struct json *j, const struct doc_table *t, const char *key, size_t flag)
{
	const struct doc_column *c;

	/* columnWidths has only columns with a width, and is absent where there is none. */
	for (c = t->columns; c != NULL; c = c->next)
		if (*(const bool *)((const char *)c + flag)) {
			json_kstr(j, key, c->id);
			return;
		}
}

/* Columns are named by their ids; a role that no column has is absent. */
static void
view_cards(struct json *j, const struct doc_table *t)
{
	json_kstr(j, "cardSize", t->large ? "large" : "medium");
	column_id(j, t, "targetDefinition", offsetof(struct doc_column, target));
	column_id(j, t, "coverDefinition", offsetof(struct doc_column, cover));
	column_id(j, t, "coverDefinitionDark", offsetof(struct doc_column, cover_dark));
	if (t->hide_titles)
		json_kbool(j, "hideColumnTitle", true);
	if (t->wrap >= 0)
		json_kbool(j, "wrap", t->wrap == 1);
}

/* What is not set is not written, but for hideHeader, which the schema wants. */
static void
view_grid(struct json *j, const struct doc_table *t)
{
	const struct doc_column *c;
	bool widths = false;

	json_kbool(j, "hideHeader", t->hide_header);
	for (c = t->columns; c != NULL; c = c->next)
		widths = widths || c->width > 0;
	if (widths) {
		json_kobj(j, "columnWidths");
		for (c = t->columns; c != NULL; c = c->next)
			if (c->width > 0) {
				json_key(j, c->id);
				json_num(j, c->width);
			}
		json_end(j);
	}
	if (t->sticky_header)
		json_kbool(j, "stickyHeader", true);
	if (t->sticky_first)
		json_kbool(j, "stickyFirstColumn", true);
}

/* Hidden columns are in the definition and not in the view. */
static void
write_view(struct json *j, const struct doc_table *t)
{
	const struct doc_column *c;

	json_kobj(j, "view");
	json_kstr(j, "type", t->cards ? "cards" : "grid");
	json_karr(j, "columns");
	for (c = t->columns; c != NULL; c = c->next)
		if (!c->hidden)
			json_str(j, c->id);
	json_end(j);
	if (t->cards)
		view_cards(j, t);
	else
		view_grid(j, t);
	json_end(j);
}

/*
 * The name by which a text cell refers to its fragment: unique in the table, as ids are r1, c1.
 * CELL_ID is the length of a UUID, which other clients use.
 */
enum { CELL_ID = 36 };

static struct str
cell_name(char name[CELL_ID * 2], const struct doc_record *r, const struct doc_column *c)
{
	size_t n = strnlen(r->id, CELL_ID), m = strnlen(c->id, CELL_ID);

	memcpy(name, r->id, n);
	memcpy(name + n, c->id, m);
	return (struct str){ name, n + m };
}

/* The target is there, as set says so. */
static void
cell_image(struct json *j, const struct doc_cell *x)
{
	json_obj(j);
	json_key(j, "ref");
	write_ref(j, &x->target->ref);
	if (x->fit != NULL)
		json_kstr(j, "objectFit", x->fit);
	if (x->alt != NULL)
		json_kstr(j, "alt", x->alt);
	json_end(j);
}

/* An empty cell has no member. */
static void
write_cell(struct json *j, const struct doc_record *r, const struct doc_column *c, const struct doc_cell *x)
{
	char name[CELL_ID * 2];

	if (c->kind == COL_TEXT ? x->blocks == NULL : !x->set)
		return;
	json_key(j, c->id);
	switch (c->kind) {
	case COL_TEXT:
		json_strn(j, cell_name(name, r, c));
		break;
	case COL_NUMBER:
	case COL_RATING:
		json_num(j, x->n);
		break;
	case COL_CHECKBOX:
		json_bool(j, x->b);
		break;
	case COL_CONTENT_REF:
		write_ref(j, &x->target->ref);
		break;
	case COL_IMAGE:
		cell_image(j, x);
		break;
	default:
		write_strings(j, x->list);
	}
}

/* An object by id; orderIndex tells their order. */
static void
write_records(struct json *j, const struct doc_table *t)
{
	const struct doc_record *r;
	const struct doc_column *c;
	size_t i;

	json_kobj(j, "records");
	for (r = t->records; r != NULL; r = r->next) {
		json_key(j, r->id);
		json_begin(j, STR("{\"orderIndex\":"));
		json_quote(j->out, str_of(r->order));
		json_open(j, STR(",\"values\":{"));
		for (c = t->columns, i = 0; c != NULL; c = c->next, i++)
			write_cell(j, r, c, &r->cells[i]);
		json_end(j);
		json_end(j);
	}
	json_end(j);
}

/* The member exists only where there is a merged area. */
static void
write_merges(struct json *j, const struct doc_table *t)
{
	const struct doc_record *r;
	const struct doc_column *c;
	bool some = false;
	size_t i;

	for (r = t->records; r != NULL; r = r->next)
		for (c = t->columns, i = 0; c != NULL; c = c->next, i++) {
			/* No merged area begins here. */
			if (r->cells[i].rows == 0)
				continue;
			if (!some)
				json_karr(j, "cellMerges");
			some = true;
			json_obj(j);
			json_kobj(j, "anchor");
			json_kstr(j, "record", r->id);
			json_kstr(j, "column", c->id);
			json_end(j);
			json_kint(j, "rowSpan", r->cells[i].rows);
			json_kint(j, "colSpan", r->cells[i].cols);
			json_end(j);
		}
	if (some)
		json_end(j);
}

/*
 * Cells of text are named in the records and stand in the fragments, as the schema has it; all
 * others are values in the records.
 */
static void
write_table(struct json *j, const struct doc_table *t)
{
	const struct doc_column *c;
	const struct doc_record *r;
	char name[CELL_ID * 2];
	size_t i;

	json_kobj(j, "data");
	write_view(j, t);
	json_kobj(j, "definition");
	for (c = t->columns; c != NULL; c = c->next)
		write_definition(j, c);
	json_end(j);
	write_records(j, t);
	write_merges(j, t);
	if (t->full_width)
		json_kbool(j, "fullWidth", true);
	if (t->search >= 0)
		json_kbool(j, "search", t->search == 1);
	json_end(j);
	/*
	 * In the order of the rows; cells name their fragment, so that the order is for readers
	 * of the JSON.
	 */
	json_karr(j, "fragments");
	for (r = t->records; r != NULL; r = r->next)
		for (c = t->columns, i = 0; c != NULL; c = c->next, i++)
			if (r->cells[i].blocks != NULL)
				write_fragment(j, r->cells[i].blocks, cell_name(name, r, c));
	json_end(j);
}

/* The members that nearly every node has, behind those that its JSON begins with. */
static void
write_head(struct buf *b, const char *key, int is_void)
{
	if (key != NULL) {
		buf_put(b, STR(",\"key\":"));
		json_quote(b, str_of(key));
	}
	if (is_void >= 0)
		buf_str(b, is_void == 1 ? ",\"isVoid\":true" : ",\"isVoid\":false");
}

/*
 * before, after: blocks up to n and from there on that show nothing. A heading below the
 * fourth level is a bold paragraph, as the service makes it; `level` tells that it was one.
 */
static void
write_node(struct json *j, const struct doc_node *n, const struct doc_node *before, const struct doc_node *after)
{
	const struct doc_kind *k = &doc_kinds[n->type];
	const struct doc_node *f;
	bool low = doc_low_heading(n);
	/* These have the member even where it is empty. */
	bool caption = n->type == DOC_IMAGE || n->type == DOC_EXPANDABLE || n->type == DOC_ANNOTATION;

	json_begin(j, low ? doc_kinds[DOC_PARAGRAPH].opening : k->opening);
	write_head(j->out, n->key, k->is_void);
	if (n->table != NULL)
		write_table(j, n->table);
	else if (n->attrs != NULL || n->type == DOC_INTEGRATION)
		write_data(j, n);
	else if (k->data)
		buf_put(j->out, STR(",\"data\":{}"));
	if (k->content != HAS_NOTHING)
		write_nodes(j, n);
	/* A table has written its own. */
	if (n->table == NULL && (n->frags != NULL || caption)) {
		json_karr(j, "fragments");
		for (f = n->frags; f != NULL; f = f->next)
			write_fragment(j, f, f->text);
		json_end(j);
	}
	if (n->anchor != NULL) {
		buf_put(j->out, STR(",\"meta\":{\"id\":"));
		json_quote(j->out, str_of(n->anchor));
		buf_char(j->out, '}');
	}
	if (low) {
		json_key(j, "level");
		json_num(j, doc_attr(n, "level")->v.n);
	}
	write_unseen(j, "rawBefore", before, n);
	write_unseen(j, "rawAfter", after, NULL);
	json_end(j);
}

/* The recursion goes as deep as the tree, whose depth the parser and doc_read bound. */
void
doc_json(struct json *j, const struct doc *d)
{
	struct buf *out = j->out;

	/* At once, if it is large: a buffer that grows among other allocations is copied each time. */
	buf_reserve(out, d->weight < out->max - out->n ? d->weight : out->max - out->n);
	json_obj(j);
	json_kstr(j, "object", "document");
	json_kobj(j, "data");
	/* The form of documents: docs/design/documents.md, "Form". */
	json_kint(j, "schemaVersion", 1);
	json_end(j);
	write_nodes(j, d->root);
	json_end(j);
}
