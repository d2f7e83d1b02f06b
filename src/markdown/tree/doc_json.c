/* Writes the tree as JSON, driven by the type tables (document_tree.h). */
#include "markdown/document_tree.h"

/* This declaration is needed because nodes contain nodes, and so do the cells of tables. */
static void write_node(struct json *j, const struct doc_node *n, const struct doc_node *before, const struct doc_node *after);

/* Writes a ContentRef. */
static void
write_ref(struct json *j, const struct doc_ref *r)
{
	/*
	 * For each kind: its name, and the member that contains the id. For clients, targets that
	 * are not resolved are URLs.
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

/* Writes an empty list where l is NULL. */
static void
write_strings(struct json *j, const struct doc_list *l)
{
	json_arr(j);
	for (; l != NULL; l = l->next)
		json_str(j, l->s);
	json_end(j);
}

/* Writes the tags of an update, which are references. */
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

/*
 * ATTR_JSON is the text of one value that was validated when it was set, and is written unchanged.
 */
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

/* The action of a button is an object of its own in JSON. */
static void
write_button_data(struct json *j, const struct doc_node *n)
{
	static const char *const of_action[] = { "action", "query", "slug" };
	const struct doc_attr *x;
	bool action = doc_attr(n, "action") != NULL;

	/* A button with an action has no target. */
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
 * set_attr() of doc_tree.c keeps attributes in the order of the field table, so equal trees give
 * equal bytes.
 */
static void
write_data(struct json *j, const struct doc_node *n)
{
	const struct doc_attr *x;

	json_open(j, STR(",\"data\":{"));
	if (n->type == DOC_BUTTON)
		write_button_data(j, n);
	else
		for (x = n->attrs; x != NULL; x = x->next)
			/*
			 * Clients get a paragraph, whose data has no level; write_node() writes the
			 * level beside data.
			 */
			if (!doc_low_heading(n) || strcmp(x->name, "level") != 0)
				write_attr(j, x);
	if (n->type == DOC_INTEGRATION) {
		json_key(j, "props");
		json_raw(j, str_of(n->props != NULL ? n->props : "{}"));
	}
	json_end(j);
}

/* Writes a mark. The names of its two colours are from doc_colors, so they need no escapes. */
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

/* Writes a leaf with the marks m. The member `marks` is always present. */
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

/*
 * Writes neighbouring leaves as one text node; returns the last of them. more: marks added to all
 * of them.
 */
static const struct doc_node *
write_text(struct json *j, const struct doc_node *n, uint32_t more)
{
	struct buf *b = json_by_hand(j);

	buf_put(b, STR("{\"object\":\"text\",\"leaves\":["));
	for (;; n = n->next) {
		write_leaf(b, n, n->marks | more);
		/* An inline ends the text node; text after it starts a new one. */
		if (n->next == NULL || n->next->type != DOC_LEAF)
			break;
		buf_char(b, ',');
	}
	buf_put(b, STR("]}"));
	return n;
}

/*
 * Writes the raw source of the blocks from n up to end, as a member of the block beside them. Each
 * block is one string, so that, for example, the two tags of an empty element are not read as one
 * block later.
 */
static void
write_invisible(struct json *j, const char *name, const struct doc_node *n, const struct doc_node *end)
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

/* Returns the blocks after n if none of them shows anything, else NULL. */
static const struct doc_node *
invisible_rest(const struct doc_node *n)
{
	const struct doc_node *rest = n->next;

	for (n = rest; n != NULL && doc_is_invisible(n); )
		n = n->next;
	return n == NULL ? rest : NULL;
}

/*
 * Clients get no blocks that show nothing (such as comments), since they would render an empty
 * paragraph. The source of such a block becomes the member `rawBefore` of the next block, or
 * `rawAfter` of the last one. If no block beside it shows anything, it stays a block.
 */
static void
write_nodes(struct json *j, const struct doc_node *n)
{
	const struct doc_node *from = n->child, *shown = from;
	/*
	 * Clients get a low heading as a bold paragraph; remove_bold() of doc_heading.c has removed
	 * the mark from the tree.
	 */
	uint32_t more = doc_low_heading(n) ? MARK_BOLD : 0;

	while (shown != NULL && doc_is_invisible(shown))
		shown = shown->next;
	json_open(j, STR(",\"nodes\":["));
	for (n = from; n != NULL; n = n->next) {
		if (shown != NULL && doc_is_invisible(n))
			continue;
		if (n->type == DOC_LEAF)
			n = write_text(j, n, more);
		else
			write_node(j, n, from, shown != NULL ? invisible_rest(n) : NULL);
		/*
		 * Invisible blocks after this one belong to the next block, unless this is the
		 * last.
		 */
		from = n->next;
	}
	json_end(j);
}

/* Fragments of table cells have no type: their name is derived from the cell's place. */
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

/* Writes the members that the schema has for the kind of the column. */
static void
write_definition(struct json *j, const struct doc_column *c)
{
	const struct doc_option *o;

	json_kobj(j, c->id);
	json_kstr(j, "id", c->id);
	json_kstr(j, "title", c->title);
	json_kstr(j, "type", doc_column_kinds[c->kind]);
	/* In the schema only text columns have alignments. */
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

/*
 * Writes the id of the column that has a role (target, cover). flag: offset of the role's bool in
 * struct doc_column.
 */
static void
write_column_role(struct json *j, const struct doc_table *t, const char *key, size_t flag)
{
	const struct doc_column *c;

	/* columnWidths lists only columns with a width, and is absent if there are none. */
	for (c = t->columns; c != NULL; c = c->next)
		if (*(const bool *)((const char *)c + flag)) {
			json_kstr(j, key, c->id);
			return;
		}
}

/*
 * Writes the roles of columns (target, covers) in a view of cards. A role without a column is
 * absent.
 */
static void
write_cards_view(struct json *j, const struct doc_table *t)
{
	json_kstr(j, "cardSize", t->large ? "large" : "medium");
	write_column_role(j, t, "targetDefinition", offsetof(struct doc_column, target));
	write_column_role(j, t, "coverDefinition", offsetof(struct doc_column, cover));
	write_column_role(j, t, "coverDefinitionDark", offsetof(struct doc_column, cover_dark));
	if (t->hide_titles)
		json_kbool(j, "hideColumnTitle", true);
	if (t->wrap >= 0)
		json_kbool(j, "wrap", t->wrap == 1);
}

/* Unset options are not written, except hideHeader, which the schema requires. */
static void
write_grid_view(struct json *j, const struct doc_table *t)
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

/* Hidden columns are in the definition but not in the view. */
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
		write_cards_view(j, t);
	else
		write_grid_view(j, t);
	json_end(j);
}

/*
 * The name by which a text cell refers to its fragment: the ids of its row and column, which are
 * unique in the table. CELL_ID: bytes of an id that are used, which is the length of a UUID, the
 * longest ids that clients use.
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

/* Writes the value of an image cell. The caller has checked that the cell has a target (x->set). */
static void
write_cell_image(struct json *j, const struct doc_cell *x)
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

/* Writes the member of a cell; an empty cell has none. */
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
		write_cell_image(j, x);
		break;
	default:
		write_strings(j, x->list);
	}
}

/* Writes an object by id; orderIndex gives the order. */
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

/* Writes the member only if there is a merged area. */
static void
write_merges(struct json *j, const struct doc_table *t)
{
	const struct doc_record *r;
	const struct doc_column *c;
	bool some = false;
	size_t i;

	for (r = t->records; r != NULL; r = r->next)
		for (c = t->columns, i = 0; c != NULL; c = c->next, i++) {
			/* No merged area begins in this cell. */
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

/* A title with links or marks; its text alone is in the definition, as the schema has it. */
static void
write_title(struct json *j, const struct doc_column *c)
{
	struct doc_node f = { .type = DOC_FRAGMENT, .child = c->marked };
	char name[sizeof(DOC_TITLE) + CELL_ID] = DOC_TITLE;
	size_t n = strnlen(c->id, CELL_ID);

	memcpy(name + strlen(DOC_TITLE), c->id, n);
	write_fragment(j, &f, (struct str){ name, strlen(DOC_TITLE) + n });
}

/*
 * In the schema, records only name text cells, whose content is in the fragments; all other cells
 * are values in the records.
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
	 * The order of the rows is only for people who read the JSON, since each cell names its
	 * fragment.
	 */
	json_karr(j, "fragments");
	for (c = t->columns; c != NULL; c = c->next)
		if (c->marked != NULL)
			write_title(j, c);
	for (r = t->records; r != NULL; r = r->next)
		for (c = t->columns, i = 0; c != NULL; c = c->next, i++)
			if (r->cells[i].blocks != NULL)
				write_fragment(j, r->cells[i].blocks, cell_name(name, r, c));
	json_end(j);
}

/* Writes the members that nearly every node has, after those of the opening. */
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
 * before: the first of the invisible blocks before n; after: the first of those after n. A heading
 * below the fourth level is a bold paragraph, as in the published service; `level` says that it was
 * a heading.
 */
static void
write_node(struct json *j, const struct doc_node *n, const struct doc_node *before, const struct doc_node *after)
{
	const struct doc_kind *k = &doc_kinds[n->type];
	const struct doc_node *f;
	bool low = doc_low_heading(n);
	/* These types have the member even if it is empty. */
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
	/* write_table() has written the fragments of a table. */
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
	write_invisible(j, "rawBefore", before, n);
	write_invisible(j, "rawAfter", after, NULL);
	json_end(j);
}

/* Recursion is as deep as the tree, which the parser and doc_read limit. */
void
doc_json(struct json *j, const struct doc *d)
{
	struct buf *out = j->out;

	/*
	 * Reserve large documents at once: a buffer that grows among other allocations is copied
	 * each time.
	 */
	buf_reserve(out, d->weight < out->max - out->n ? d->weight : out->max - out->n);
	json_obj(j);
	json_kstr(j, "object", "document");
	json_kobj(j, "data");
	/* docs/design/documents.md, "Form". */
	json_kint(j, "schemaVersion", 1);
	json_end(j);
	write_nodes(j, d->root);
	json_end(j);
}

struct str
doc_json_of(struct arena *a, struct str markdown)
{
	struct json j;
	struct buf b;

	buf_init(&b, a, DOC_JSON_MAX);
	json_init(&j, &b);
	doc_json(&j, doc_parse(a, markdown, NULL, NULL, NULL));
	return buf_view(&b);
}
