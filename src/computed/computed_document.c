/*
 * Builds the document of a computed page of an OpenAPI specification: the blocks of its Markdown,
 * then a block for each operation, or one block for all models. If the operations or models have
 * pages of their own, a list of links to these pages replaces the blocks.
 *
 * A block has the members that the published client knows (ref, path, method), and in addition the
 * operation itself. Each schema that the operations refer to is contained once, in the data of the
 * document, so that a client needs no second request.
 */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "base/map.h"
#include "base/slug.h"
#include "base/utf8.h"
#include "computed_parts.h"

/*
 * Limits in bytes: of a document, of the schemas in it, and of operations that are put into blocks
 * of written pages.
 */
enum { MAX_DOCUMENT = 256 << 20, MAX_SCHEMAS = 4 << 20, MAX_FILLED = 16 << 20 };

/* The row is found by the primary key (version, no). */
SQL(q_markdown, "SELECT markdown FROM openapi_page WHERE version = :version AND no = :no");
/*
 * The primary key of openapi_page_operation is (version, page, operation): the order needs no
 * sort, and each operation is one look-up by (version, no).
 */
SQL(q_operations,
    "SELECT o.id, o.kind, o.method, o.path, o.uses, o.data FROM openapi_page_operation u "
    "JOIN openapi_operation o ON o.version = u.version AND o.no = u.operation "
    "WHERE u.version = :version AND u.page = :page ORDER BY u.operation");
/* Without uses and data, which are the large columns: search reads all pages of a specification. */
SQL(q_words,
    "SELECT o.id, o.title, o.words FROM openapi_page_operation u "
    "JOIN openapi_operation o ON o.version = u.version AND o.no = u.operation "
    "WHERE u.version = :version AND u.page = :page ORDER BY u.operation");
/* :name "": of all models. */
SQL(q_model_words,
    "SELECT name, words FROM openapi_schema WHERE version = :version AND (:name = '' OR name = :name) ORDER BY no /*scan*/");
/* Child pages for the operations or models of a page. version and number are the primary key. */
SQL(q_children,
    "SELECT kind, name, title, method, path, slug FROM openapi_page WHERE version = :version AND parent = :page "
    "AND kind IN ('operation', 'model') ORDER BY no");
/*
 * Uses the index openapi_operation_path. A path and a method occur once in a description, so LIMIT
 * 1 never omits a row.
 */
SQL(q_operation,
    "SELECT uses, data FROM openapi_operation WHERE version = :version AND path = :path AND method = :method "
    "AND kind = :kind LIMIT 1");
SQL(q_schema, "SELECT uses, data FROM openapi_schema WHERE version = :version AND name = :name");
/* All schemas of a version, sorted here: the primary key orders them by name. */
SQL(q_names, "SELECT name FROM openapi_schema WHERE version = :version ORDER BY no /*scan*/");

/* Schemas that the document needs, each once, in the order of their first use. */
struct need {
	struct need *next;
	const char  *name;
};

/* `needed` contains the names that are in the list `needs`. The list grows while write_schemas() walks it. */
struct writer {
	struct db                  *db;
	struct arena               *arena;
	const struct computed_page *page;
	struct map                 *needed;
	struct need                *needs, **last_need;
};

static void
need_schema(struct writer *w, const char *name)
{
	struct need *n;

	if (!map_add(w->needed, str_of(name), NULL))
		return;
	n = arena_alloc(w->arena, sizeof(*n));
	n->name = name;
	*w->last_need = n;
	w->last_need = &n->next;
}

/* Adds the names of a JSON list. */
static void
need_all(struct writer *w, struct str json)
{
	const cJSON *one, *list = cJSON_ParseWithLength(json.p, json.n);

	cJSON_ArrayForEach(one, list)
		if (cJSON_IsString(one))
			need_schema(w, arena_strdup(w->arena, one->valuestring));
}

/* Returns the Markdown of the page; "" if the version has no page of this number. */
struct str
computed_intro(struct db *db, struct arena *a, const struct computed_page *c)
{
	struct stmt *q = db_use(db, &q_markdown);

	bind_text(q, ":version", c->version);
	bind_int(q, ":no", c->no);
	return stmt_step(q) ? str_of(col_dup(q, 0, a)) : (struct str){ "", 0 };
}

/* db_use() returns the same statement for the same SQL, so nothing inside the loop may use it. */
static struct stmt *
list_operations(struct writer *w)
{
	struct stmt *q = db_use(w->db, &q_operations);

	bind_text(q, ":version", w->page->version);
	bind_int(q, ":page", w->page->no);
	return q;
}

/* Leaves the block's data open; close_block() ends data and block. */
static void
open_block(struct writer *w, struct json *j, const char *type, const char *key)
{
	json_obj(j);
	json_kstr(j, "object", "block");
	json_kstr(j, "type", type);
	json_kstr(j, "key", key);
	json_kbool(j, "isVoid", true);
	json_kobj(j, "data");
	json_kobj(j, "ref");
	json_kstr(j, "kind", "openapi");
	json_kstr(j, "spec", w->page->spec);
	json_end(j);
	/* On a page of a single operation or model, the page's title is its heading. */
	if (strcmp(w->page->kind, "operation") == 0 || strcmp(w->page->kind, "model") == 0)
		json_kbool(j, "headless", true);
}

static void
close_block(struct json *j, const char *anchor)
{
	json_end(j);
	json_kobj(j, "meta");
	json_kstr(j, "id", anchor);
	json_end(j);
	json_end(j);
}

/* Writes the operation in the current row of q. */
static void
operation_block(struct writer *w, struct json *j, struct stmt *q)
{
	const char *id = col_text(q, 0);
	bool webhook = strcmp(col_text(q, 1), "webhook") == 0;
	/*
	 * The anchor is made from the operation's id, which is the same in all versions, so links
	 * to an operation stay valid.
	 */
	char *anchor = slug_from_title(w->arena, str_of(id));

	open_block(w, j, webhook ? "openapi-webhook" : "openapi-operation", anchor);
	json_kstr(j, webhook ? "name" : "path", col_text(q, 3));
	json_kstr(j, "method", col_text(q, 2));
	json_key(j, "operation");
	/*
	 * The column contains JSON that openapi_take_apart() wrote. Parsing it again would take as
	 * long as the rest of the page.
	 */
	json_raw(j, col_bytes(q, 5));
	close_block(j, anchor);
	/* Schemas are gathered by name and written once behind the nodes: operations share most of them. */
	need_all(w, col_bytes(q, 4));
}

static void
models_block(struct writer *w, struct json *j)
{
	struct stmt *q = db_use(w->db, &q_names);

	open_block(w, j, "openapi-schemas", "models");
	json_kbool(j, "grouped", true);
	json_karr(j, "schemas");
	/* The page of a single model shows that model. */
	if (strcmp(w->page->kind, "model") == 0) {
		json_str(j, w->page->name);
		need_schema(w, w->page->name);
	}
	bind_text(q, ":version", w->page->version);
	while (strcmp(w->page->kind, "models") == 0 && stmt_step(q)) {
		json_str(j, col_text(q, 0));
		need_schema(w, col_dup(q, 0, w->arena));
	}
	json_end(j);
	close_block(j, "models");
}

/* Writes the needed schemas and those that they refer to, up to MAX_SCHEMAS bytes. */
static void
write_schemas(struct writer *w, struct json *j)
{
	const struct need *n;
	size_t from = j->out->n;
	struct stmt *q;

	json_kobj(j, "schemas");
	/*
	 * need_all() appends to the list that this loop walks, so schemas of schemas are included.
	 * `needed` ends cycles.
	 */
	for (n = w->needs; n != NULL && j->out->n - from < MAX_SCHEMAS; n = n->next) {
		q = db_use(w->db, &q_schema);
		bind_text(q, ":version", w->page->version);
		bind_text(q, ":name", n->name);
		/* If a name has no schema, the reference is shown as the name. */
		if (!stmt_step(q))
			continue;
		json_key(j, n->name);
		json_raw(j, col_bytes(q, 1));
		need_all(w, col_bytes(q, 0));
	}
	json_end(j);
}

/* Writes text as an inline, as code if `code` is set. */
static void
text_inline(struct json *j, const char *text, bool code)
{
	json_obj(j);
	json_kstr(j, "object", "text");
	json_karr(j, "leaves");
	json_obj(j);
	json_kstr(j, "object", "leaf");
	json_kstr(j, "text", text);
	json_karr(j, "marks");
	if (code) {
		json_obj(j);
		json_kstr(j, "object", "mark");
		json_kstr(j, "type", "code");
		json_end(j);
	}
	json_end(j);
	json_end(j);
	json_end(j);
	json_end(j);
}

static void
open_node(struct json *j, const char *object, const char *type)
{
	json_obj(j);
	json_kstr(j, "object", object);
	json_kstr(j, "type", type);
	json_kbool(j, "isVoid", false);
	json_karr(j, "nodes");
}

static void
close_node(struct json *j)
{
	json_end(j);
	json_end(j);
}

/* "POST /pets" */
static const char *
method_and_path(struct arena *a, const char *method, const char *path)
{
	char *out = arena_printf(a, "%s %s", method, path), *c;

	for (c = out; *c != ' ' && *c != '\0'; c++)
		*c = (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);
	return out;
}

/* Writes a link to the page of the current row, followed by the operation's method and path. */
static void
list_item(struct writer *w, struct json *j, struct stmt *q)
{
	open_node(j, "block", "list-item");
	open_node(j, "block", "paragraph");
	open_node(j, "inline", "link");
	text_inline(j, col_text(q, 2), false);
	json_end(j);
	json_kobj(j, "data");
	json_kobj(j, "ref");
	json_kstr(j, "kind", "page");
	json_kstr(j, "page", computed_id_of(w->arena, w->page, col_text(q, 0), col_text(q, 1)));
	json_end(j);
	json_end(j);
	json_end(j);
	if (!col_null(q, 3)) {
		text_inline(j, " ", false);
		text_inline(j, method_and_path(w->arena, col_text(q, 3), col_text(q, 4)), true);
	}
	close_node(j);
	close_node(j);
}

/* Writes links to the child pages that contain the operations or models. */
static void
write_children(struct writer *w, struct json *j)
{
	struct stmt *q = db_use(w->db, &q_children);

	bind_text(q, ":version", w->page->version);
	bind_int(q, ":page", w->page->no);
	open_node(j, "block", "list-unordered");
	while (stmt_step(q))
		list_item(w, j, q);
	close_node(j);
}

/* Writes the blocks that follow the page's text. */
static void
write_parts(struct writer *w, struct json *j)
{
	struct stmt *q;

	if (w->page->split) {
		write_children(w, j);
		return;
	}
	if (strncmp(w->page->kind, "model", 5) == 0)
		models_block(w, j);
	for (q = list_operations(w); stmt_step(q); )
		operation_block(w, j, q);
}

/* Writes the data of the document: the specification, and the schemas to which blocks refer. */
static void
write_data(struct writer *w, struct json *j)
{
	json_kobj(j, "data");
	/* Documents of ordinary pages have this member, too. */
	json_kint(j, "schemaVersion", 1);
	json_kobj(j, "openapi");
	json_kstr(j, "spec", w->page->spec);
	json_kstr(j, "version", w->page->version);
	write_schemas(w, j);
	json_end(j);
	json_end(j);
}

struct str
computed_document(struct db *db, struct arena *a, const struct computed_page *c)
{
	struct writer w = { .db = db, .arena = a, .page = c, .needed = map_new(a) };
	struct buf text, out;
	struct json j;
	const cJSON *head, *one;

	w.last_need = &w.needs;
	buf_init(&text, a, MAX_DOCUMENT);
	json_init(&j, &text);
	/* The Markdown of the description becomes blocks by the same parser as pages that people wrote. */
	doc_json(&j, doc_parse(a, computed_intro(db, a, c), NULL, NULL, NULL));
	/* cJSON allocates in the request's arena: nothing is freed here. */
	head = cJSON_GetObjectItemCaseSensitive(cJSON_ParseWithLength(text.p, text.n), "nodes");
	buf_init(&out, a, MAX_DOCUMENT);
	json_init(&j, &out);
	json_obj(&j);
	json_kstr(&j, "object", "document");
	json_karr(&j, "nodes");
	cJSON_ArrayForEach(one, head)
		json_raw(&j, str_of(cJSON_PrintUnformatted(one)));
	write_parts(&w, &j);
	json_end(&j);
	write_data(&w, &j);
	json_end(&j);
	return buf_view(&out);
}

struct str
computed_model(struct db *db, struct arena *a, const struct point *p, const char *spec, const char *name)
{
	struct computed_page c = { .spec = spec, .kind = "model", .name = name };
	struct writer w = { .db = db, .arena = a, .page = &c, .needed = map_new(a) };
	struct stmt *q = db_use(db, &q_schema);
	struct json j;
	struct buf b;

	if ((c.version = computed_version(db, a, p, spec)) == NULL)
		return (struct str){ NULL, 0 };
	bind_text(q, ":version", c.version);
	bind_text(q, ":name", name);
	if (!stmt_step(q))
		return (struct str){ NULL, 0 };
	w.last_need = &w.needs;
	buf_init(&b, a, MAX_DOCUMENT);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "object", "document");
	json_karr(&j, "nodes");
	models_block(&w, &j);
	json_end(&j);
	write_data(&w, &j);
	json_end(&j);
	return buf_view(&b);
}

/* ---- blocks that people wrote ---- */

/* One specification that a document's blocks show. */
struct filled_spec {
	struct filled_spec       *next;
	struct computed_page page;     /* only its members spec and version are set */
	struct writer        writer;
};

struct fill_state {
	struct db          *db;
	struct arena       *arena;
	const struct point *point;
	struct filled_spec      *first, **last;
	size_t              bytes;     /* bytes of the operations that were put in */
};

/*
 * The entry of a specification, added at its first use. NULL: there is no such specification, or it
 * has no version yet.
 */
static struct filled_spec *
find_spec(struct fill_state *f, const char *spec)
{
	struct filled_spec *s;
	const char *version;

	for (s = f->first; s != NULL; s = s->next)
		if (strcmp(s->page.spec, spec) == 0)
			return s;
	/* The version at the time of the revision, so that an old revision shows what it showed then. */
	if ((version = computed_version(f->db, f->arena, f->point, spec)) == NULL)
		return NULL;
	s = arena_alloc(f->arena, sizeof(*s));
	*s = (struct filled_spec){ .page = { .spec = arena_strdup(f->arena, spec), .version = version } };
	s->writer = (struct writer){ .db = f->db, .arena = f->arena, .page = &s->page, .needed = map_new(f->arena) };
	s->writer.last_need = &s->writer.needs;
	*f->last = s;
	f->last = &s->next;
	return s;
}

/*
 * The limit MAX_FILLED is necessary: a page that names one large operation ten thousand times would
 * become a gigabyte.
 */
static void
fill_operation(struct fill_state *f, struct filled_spec *s, cJSON *data, bool webhook)
{
	const char *path = json_text_of(data, webhook ? "name" : "path"), *method = json_text_of(data, "method");
	struct stmt *q = db_use(s->writer.db, &q_operation);

	bind_text(q, ":version", s->page.version);
	bind_text(q, ":path", path != NULL ? path : "");
	/* Methods are stored in lower case; people write both. */
	bind_text(q, ":method", method != NULL ? utf8_lower(s->writer.arena, str_of(method)) : "");
	bind_text(q, ":kind", webhook ? "webhook" : "operation");
	/* The limit is tested before the operation is added, so the total may exceed it by one operation. */
	if (f->bytes > MAX_FILLED || !stmt_step(q))
		return;
	f->bytes += col_bytes(q, 1).n;
	/* cJSON copies the raw text, so the statement may be used again. */
	cJSON_AddRawToObject(data, "operation", col_text(q, 1));
	need_all(&s->writer, col_bytes(q, 0));
}

static void
fill_block(struct fill_state *f, const char *type, cJSON *data)
{
	const char *spec = json_text_of(cJSON_GetObjectItemCaseSensitive(data, "ref"), "spec");
	const cJSON *name;
	struct filled_spec *s;

	if (spec == NULL || (s = find_spec(f, spec)) == NULL)
		return;
	/*
	 * Fills in an operation or a webhook. For schemas, only their names are added; the schemas
	 * are in the document's data.
	 */
	if (strcmp(type, "openapi-schemas") != 0) {
		fill_operation(f, s, data, strcmp(type, "openapi-webhook") == 0);
		return;
	}
	cJSON_ArrayForEach(name, cJSON_GetObjectItemCaseSensitive(data, "schemas"))
		if (cJSON_IsString(name))
			need_schema(&s->writer, arena_strdup(f->arena, name->valuestring));
}

/* The recursion depth is that of nested blocks, which the Markdown parser limits. */
static void
fill_nodes(struct fill_state *f, cJSON *list)
{
	const char *type;
	cJSON *n;

	cJSON_ArrayForEach(n, list) {
		type = json_text_of(n, "type");
		if (type != NULL && strncmp(type, "openapi-", 8) == 0)
			fill_block(f, type, cJSON_GetObjectItemCaseSensitive(n, "data"));
		fill_nodes(f, cJSON_GetObjectItemCaseSensitive(n, "nodes"));
		fill_nodes(f, cJSON_GetObjectItemCaseSensitive(n, "fragments"));
	}
}

/* Members spec, version and schemas of the open object. */
static void
write_spec(struct filled_spec *s, struct json *j)
{
	json_kstr(j, "spec", s->page.spec);
	json_kstr(j, "version", s->page.version);
	write_schemas(&s->writer, j);
}

struct str
computed_fill(struct db *db, struct arena *a, const struct point *p, struct str document)
{
	struct fill_state f = { .db = db, .arena = a, .point = p };
	struct filled_spec *s;
	struct json j;
	struct buf b;
	cJSON *root;

	/*
	 * Most documents have no such block, and are not parsed. A document that contains these
	 * bytes in a text is parsed without need.
	 */
	if (document.n == 0 || memmem(document.p, document.n, "\"openapi-", 9) == NULL)
		return document;
	f.last = &f.first;
	root = cJSON_ParseWithLength(document.p, document.n);
	fill_nodes(&f, cJSON_GetObjectItemCaseSensitive(root, "nodes"));
	if (f.first == NULL)
		return document;
	buf_init(&b, a, MAX_DOCUMENT);
	json_init(&j, &b);
	json_obj(&j);
	write_spec(f.first, &j);
	/*
	 * Members of the first specification are in data.openapi itself, where readers expect them
	 * in documents of expanded pages. Those of further specifications are in `others`.
	 */
	if (f.first->next != NULL) {
		json_karr(&j, "others");
		for (s = f.first->next; s != NULL; s = s->next) {
			json_obj(&j);
			write_spec(s, &j);
			json_end(&j);
		}
		json_end(&j);
	}
	json_end(&j);
	cJSON_AddRawToObject(cJSON_GetObjectItemCaseSensitive(root, "data"), "openapi", arena_strndup(a, b.p, b.n));
	return str_of(cJSON_PrintUnformatted(root));
}

/* ---- Markdown ---- */

/*
 * All characters that have a meaning in the middle of a line (CommonMark 0.30, 2.4, allows a
 * backslash before each). Characters that have a meaning only at the start of a line are not
 * included.
 */
void
markdown_escaped(struct buf *b, const char *s)
{
	for (; *s != '\0'; s++) {
		if (strchr("\\`*_{}[]<>#|~&!", *s) != NULL)
			buf_char(b, '\\');
		buf_char(b, *s);
	}
}

/* On the page of models, a model has no heading of its own. */
static void
model_words(struct db *db, const struct computed_page *c, struct buf *b)
{
	struct stmt *q = db_use(db, &q_model_words);

	bind_text(q, ":version", c->version);
	bind_text(q, ":name", strcmp(c->kind, "model") == 0 ? c->name : "");
	while (stmt_step(q)) {
		buf_str(b, "\n\n");
		markdown_escaped(b, col_text(q, 0));
		buf_str(b, "\n\n");
		markdown_escaped(b, col_text(q, 1));
	}
}

/* Headings have the anchor of the operation, so that search results link to it. */
struct str
computed_text(struct db *db, struct arena *a, const struct computed_page *c)
{
	struct stmt *q;
	char *anchor;
	struct buf b;

	buf_init(&b, a, MAX_DOCUMENT);
	buf_put(&b, computed_intro(db, a, c));
	q = db_use(db, &q_words);
	bind_text(q, ":version", c->version);
	bind_int(q, ":page", c->no);
	/* Search finds operations with pages of their own on those pages. */
	while (!c->split && stmt_step(q)) {
		anchor = slug_from_title(a, str_of(col_text(q, 0)));
		buf_str(&b, "\n\n## ");
		markdown_escaped(&b, col_text(q, 1));
		buf_printf(&b, " <a href=\"#%s\" id=\"%s\"></a>\n\n", anchor, anchor);
		markdown_escaped(&b, col_text(q, 2));
	}
	if (strncmp(c->kind, "model", 5) == 0 && !c->split)
		model_words(db, c, &b);
	return buf_view(&b);
}

/* Writes a value of a tag, inside its quotes. */
static void
write_quoted(struct buf *b, const char *s)
{
	buf_char(b, '"');
	for (; *s != '\0'; s++) {
		if (*s == '"')
			buf_str(b, "&quot;");
		else
			buf_char(b, *s == '\n' ? ' ' : *s);
	}
	buf_char(b, '"');
}

/* In the tag, names of schemas are separated by commas. */
static void
models_tag(struct writer *w, struct buf *b)
{
	struct stmt *q = db_use(w->db, &q_names);
	struct buf names;

	buf_init(&names, w->arena, MAX_DOCUMENT);
	buf_str(&names, "");
	if (strcmp(w->page->kind, "model") == 0)
		buf_str(&names, w->page->name);
	bind_text(q, ":version", w->page->version);
	while (strcmp(w->page->kind, "models") == 0 && stmt_step(q))
		buf_printf(&names, "%s%s", names.n > 0 ? "," : "", col_text(q, 0));
	buf_str(b, "\n\n{% openapi-schemas spec=");
	write_quoted(b, w->page->spec);
	buf_str(b, " schemas=");
	write_quoted(b, names.p);
	buf_printf(b, " grouped=\"true\" %%}\n[OpenAPI %s]()\n{%% endopenapi-schemas %%}", w->page->spec);
}

void
computed_list(struct db *db, struct arena *a, const struct computed_page *c, bool relative, struct buf *b)
{
	struct stmt *q = db_use(db, &q_children);

	bind_text(q, ":version", c->version);
	bind_int(q, ":page", c->no);
	buf_str(b, "\n\n");
	while (stmt_step(q)) {
		buf_str(b, "* [");
		markdown_escaped(b, col_text(q, 2));
		if (relative)
			buf_printf(b, "](%s/%s.md)", c->page.node.slug, col_text(q, 5));
		else
			buf_printf(b, "](/pages/%s)", computed_id_of(a, c, col_text(q, 0), col_text(q, 1)));
		if (!col_null(q, 3)) {
			buf_str(b, " ");
			markdown_escaped(b, method_and_path(a, col_text(q, 3), col_text(q, 4)));
		}
		buf_char(b, '\n');
	}
}

/*
 * Blocks name operations and do not contain them. So an editor gets a short text, which does not
 * change with a new version of the specification.
 */
struct str
computed_markdown(struct db *db, struct arena *a, const struct computed_page *c)
{
	struct writer w = { .db = db, .arena = a, .page = c };
	struct stmt *q;
	struct buf b;

	buf_init(&b, a, MAX_DOCUMENT);
	buf_printf(&b, "# %s\n\n", c->page.node.title);
	buf_put(&b, computed_intro(db, a, c));
	if (c->split)
		computed_list(db, a, c, false, &b);
	for (q = list_operations(&w); !c->split && stmt_step(q); ) {
		bool webhook = strcmp(col_text(q, 1), "webhook") == 0;
		buf_printf(&b, "\n\n{%% openapi-%s spec=", webhook ? "webhook" : "operation");
		write_quoted(&b, c->spec);
		buf_printf(&b, " %s=", webhook ? "name" : "path");
		write_quoted(&b, col_text(q, 3));
		buf_str(&b, " method=");
		write_quoted(&b, col_text(q, 2));
		buf_printf(&b, " %%}\n[OpenAPI %s]()\n{%% endopenapi-%s %%}", c->spec, webhook ? "webhook" : "operation");
	}
	if (strncmp(c->kind, "model", 5) == 0 && !c->split)
		models_tag(&w, &b);
	buf_char(&b, '\n');
	return buf_view(&b);
}
