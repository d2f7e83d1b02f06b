/*
 * The document of an expanded page: its Markdown as blocks, then a block for each of
 * its operations, or one for the models. Blocks have what the published client knows
 * (ref, path, method) and, beside that, the operation itself; the schemas that these
 * refer to stand once in the document's own data, so that a reader needs no second
 * request.
 */
#include <cjson/cJSON.h>

#include "base/map.h"
#include "base/slug.h"
#include "computed/computed.h"

enum { MAX_DOCUMENT = 256 << 20, MAX_SCHEMAS = 4 << 20 };

SQL(q_markdown, "SELECT markdown FROM openapi_page WHERE version = :version AND no = :no");
SQL(q_operations,
    "SELECT o.id, o.kind, o.method, o.path, o.uses, o.data FROM openapi_page_operation u "
    "JOIN openapi_operation o ON o.version = u.version AND o.no = u.operation "
    "WHERE u.version = :version AND u.page = :page ORDER BY u.operation");
SQL(q_words,
    "SELECT o.id, o.title, o.words FROM openapi_page_operation u "
    "JOIN openapi_operation o ON o.version = u.version AND o.no = u.operation "
    "WHERE u.version = :version AND u.page = :page ORDER BY u.operation");
SQL(q_schema, "SELECT uses, data FROM openapi_schema WHERE version = :version AND name = :name");
SQL(q_names, "SELECT name FROM openapi_schema WHERE version = :version ORDER BY no /*scan*/");

/* Schemas that the document needs, each once, in the order in which they are met. */
struct need {
	struct need *next;
	const char  *name;
};

struct writer {
	struct db                  *db;
	struct arena               *arena;
	const struct computed_page *page;
	struct map                 *needed;
	struct need                *needs, **last_need;
};

static void
need(struct writer *w, const char *name)
{
	struct need *n;

	if (!map_add(w->needed, str_of(name), NULL))
		return;
	n = arena_alloc(w->arena, sizeof(*n));
	n->name = name;
	*w->last_need = n;
	w->last_need = &n->next;
}

/* Names in a JSON list. */
static void
need_all(struct writer *w, struct str json)
{
	const cJSON *one, *list = cJSON_ParseWithLength(json.p, json.n);

	cJSON_ArrayForEach(one, list)
		if (cJSON_IsString(one))
			need(w, arena_strdup(w->arena, one->valuestring));
}

static struct str
page_markdown(struct writer *w)
{
	struct stmt *q = db_use(w->db, &q_markdown);

	bind_text(q, ":version", w->page->version);
	bind_int(q, ":no", w->page->no);
	return stmt_step(q) ? str_of(col_dup(q, 0, w->arena)) : (struct str){ "", 0 };
}

static struct stmt *
operations(struct writer *w)
{
	struct stmt *q = db_use(w->db, &q_operations);

	bind_text(q, ":version", w->page->version);
	bind_int(q, ":page", w->page->no);
	return q;
}

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

/* The operation that q stands on. */
static void
operation_block(struct writer *w, struct json *j, struct stmt *q)
{
	const char *id = col_text(q, 0);
	bool webhook = strcmp(col_text(q, 1), "webhook") == 0;
	char *anchor = slug_from_title(w->arena, str_of(id));

	open_block(w, j, webhook ? "openapi-webhook" : "openapi-operation", anchor);
	json_kstr(j, webhook ? "name" : "path", col_text(q, 3));
	json_kstr(j, "method", col_text(q, 2));
	json_key(j, "operation");
	json_raw(j, col_bytes(q, 5));
	close_block(j, anchor);
	need_all(w, col_bytes(q, 4));
}

static void
models_block(struct writer *w, struct json *j)
{
	struct stmt *q = db_use(w->db, &q_names);

	open_block(w, j, "openapi-schemas", "models");
	json_kbool(j, "grouped", true);
	json_karr(j, "schemas");
	bind_text(q, ":version", w->page->version);
	while (stmt_step(q)) {
		json_str(j, col_text(q, 0));
		need(w, col_dup(q, 0, w->arena));
	}
	json_end(j);
	close_block(j, "models");
}

/* The needed schemas and those that they need, as far as there is room. */
static void
write_schemas(struct writer *w, struct json *j)
{
	const struct need *n;
	size_t from = j->out->n;
	struct stmt *q;

	json_kobj(j, "schemas");
	for (n = w->needs; n != NULL && j->out->n - from < MAX_SCHEMAS; n = n->next) {
		q = db_use(w->db, &q_schema);
		bind_text(q, ":version", w->page->version);
		bind_text(q, ":name", n->name);
		if (!stmt_step(q))
			continue;
		json_key(j, n->name);
		json_raw(j, col_bytes(q, 1));
		need_all(w, col_bytes(q, 0));
	}
	json_end(j);
}

struct str
computed_document(struct db *db, struct arena *a, const struct computed_page *c)
{
	struct writer w = { .db = db, .arena = a, .page = c, .needed = map_new(a) };
	struct stmt *q;
	struct buf text, out;
	struct json j;
	const cJSON *head, *one;

	w.last_need = &w.needs;
	buf_init(&text, a, MAX_DOCUMENT);
	json_init(&j, &text);
	doc_json(&j, doc_parse(a, page_markdown(&w), NULL, NULL, NULL));
	head = cJSON_GetObjectItemCaseSensitive(cJSON_ParseWithLength(text.p, text.n), "nodes");
	buf_init(&out, a, MAX_DOCUMENT);
	json_init(&j, &out);
	json_obj(&j);
	json_kstr(&j, "object", "document");
	json_karr(&j, "nodes");
	cJSON_ArrayForEach(one, head)
		json_raw(&j, str_of(cJSON_PrintUnformatted(one)));
	if (strcmp(c->kind, "models") == 0)
		models_block(&w, &j);
	for (q = operations(&w); stmt_step(q); )
		operation_block(&w, &j, q);
	json_end(&j);
	json_kobj(&j, "data");
	json_kint(&j, "schemaVersion", 1);
	json_kobj(&j, "openapi");
	json_kstr(&j, "spec", c->spec);
	json_kstr(&j, "version", c->version);
	write_schemas(&w, &j);
	json_end(&j);
	json_end(&j);
	json_end(&j);
	return buf_view(&out);
}

/* ---- Markdown ---- */

/* Text that Markdown takes for what it is. */
static void
escaped(struct buf *b, const char *s)
{
	for (; *s != '\0'; s++) {
		if (strchr("\\`*_{}[]<>#|~&!", *s) != NULL)
			buf_char(b, '\\');
		buf_char(b, *s);
	}
}

struct str
computed_text(struct db *db, struct arena *a, const struct computed_page *c)
{
	struct writer w = { .db = db, .arena = a, .page = c };
	struct stmt *q;
	char *anchor;
	struct buf b;

	buf_init(&b, a, MAX_DOCUMENT);
	buf_put(&b, page_markdown(&w));
	q = db_use(db, &q_words);
	bind_text(q, ":version", c->version);
	bind_int(q, ":page", c->no);
	while (stmt_step(q)) {
		anchor = slug_from_title(a, str_of(col_text(q, 0)));
		buf_str(&b, "\n\n## ");
		escaped(&b, col_text(q, 1));
		buf_printf(&b, " <a href=\"#%s\" id=\"%s\"></a>\n\n", anchor, anchor);
		escaped(&b, col_text(q, 2));
	}
	return buf_view(&b);
}

/* Inside "…" of a tag. */
static void
quoted(struct buf *b, const char *s)
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

struct str
computed_markdown(struct db *db, struct arena *a, const struct computed_page *c)
{
	struct writer w = { .db = db, .arena = a, .page = c };
	struct stmt *q;
	struct buf b;

	buf_init(&b, a, MAX_DOCUMENT);
	buf_printf(&b, "# %s\n\n", c->page.node.title);
	buf_put(&b, page_markdown(&w));
	for (q = operations(&w); stmt_step(q); ) {
		bool webhook = strcmp(col_text(q, 1), "webhook") == 0;
		buf_printf(&b, "\n\n{%% openapi-%s spec=", webhook ? "webhook" : "operation");
		quoted(&b, c->spec);
		buf_printf(&b, " %s=", webhook ? "name" : "path");
		quoted(&b, col_text(q, 3));
		buf_str(&b, " method=");
		quoted(&b, col_text(q, 2));
		buf_printf(&b, " %%}\n[OpenAPI %s]()\n{%% endopenapi-%s %%}", c->spec, webhook ? "webhook" : "operation");
	}
	buf_char(&b, '\n');
	return buf_view(&b);
}
