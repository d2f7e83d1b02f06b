/*
 * A version of a specification as rows: written in transactions of about DB_STEP_MS, since it may
 * have a hundred thousand rows, and shown by one transaction.
 */
#include "base/pack.h"
#include "base/secret.h"
#include "base/url.h"
#include "openapi_job.h"
#include "propagate/spec_versions.h"

/*
 * The statement computes the next number and so reserves it: jobs of one specification never run in
 * parallel, and only the sweep frees a number.
 */
SQL(q_version,
    "INSERT INTO openapi_version (id, spec, no, url, created_at, shown) "
    "SELECT :id, s.id, COALESCE((SELECT max(v.no) FROM openapi_version v WHERE v.spec = s.id), 0) + 1, "
    ":url, :now, 0 FROM openapi_spec s WHERE s.id = :spec");
/*
 * created_at is the time of the transaction that shows the version, because computed pages compare
 * it with the time of a revision.
 */
SQL(q_show, "UPDATE openapi_version SET shown = 1, created_at = :now WHERE id = :id");
SQL(q_newest,
    "UPDATE openapi_spec SET latest = :id, versions = versions + 1, hash = :hash WHERE id = :spec");
SQL(q_file, "INSERT INTO openapi_file (version, no, name, media, data, size, parsed, parsed_size) "
    "VALUES (:version, :no, :name, :media, :data, :size, :parsed, :parsed_size)");

SQL(q_page,
    "INSERT INTO openapi_page (version, no, kind, name, title, slug, description, markdown, parent, weight, method, path) "
    "VALUES (:version, :no, :kind, :name, :title, :slug, :description, :markdown, :parent, :weight, :method, :path)");
SQL(q_operation,
    "INSERT INTO openapi_operation (version, no, id, kind, method, path, title, words, uses, data) "
    "VALUES (:version, :no, :id, :kind, :method, :path, :title, :words, :uses, :data)");
SQL(q_use, "INSERT INTO openapi_page_operation (version, page, operation) VALUES (:version, :page, :operation)");
SQL(q_schema,
    "INSERT INTO openapi_schema (version, name, no, words, uses, data) VALUES (:version, :name, :no, :words, :uses, :data)");

/*
 * The last component of the path, without anything that looks like a secret; if empty, a default
 * name.
 */
static const char *
file_name(struct openapi_job *o, const struct openapi_file *f, bool yaml)
{
	const char *uri = url_shown(o->arena, f->uri), *slash = strrchr(uri, '/');
	size_t n;

	if (f != &o->first)
		return uri;
	n = slash == NULL ? 0 : strcspn(slash + 1, "?#");
	/* A text that was given has the address "". */
	return n > 0 ? arena_strndup(o->arena, slash + 1, n) : yaml ? "openapi.yaml" : "openapi.json";
}

/*
 * Decides by the first character after a byte order mark and blanks: the YAML of an API begins with
 * a key. text ends with a NUL (file_read(), blobs of the database).
 */
static bool
is_json(struct str text)
{
	size_t i = str_starts(text, "\xEF\xBB\xBF") ? 3 : 0;

	i += strspn(text.p + i, " \t\r\n");
	return text.p[i] == '{' || text.p[i] == '[';
}

/* A document as stored: the bytes as received, for downloads, and the same as JSON. */
struct stored_file {
	struct str data, parsed;   /* both packed; parsed.p NULL: data is JSON itself */
	size_t     parsed_size;
};

static struct stored_file
pack_file(struct openapi_job *o, const struct openapi_file *f, bool yaml)
{
	struct stored_file k = { .data = pack(o->arena, f->text) };
	struct json j;
	struct buf b;

	/* A byte order mark is not allowed in JSON. */
	if (!yaml && f->text.p[0] == '{')
		return k;
	buf_init(&b, o->arena, (size_t)1 << 30);
	json_init(&j, &b);
	value_write(&j, f->root);
	k.parsed = pack(o->arena, buf_view(&b));
	k.parsed_size = b.n;
	return k;
}

/*
 * One transaction for each document, which is packed before it: documents are the largest part of a
 * version.
 */
static void
write_files(struct openapi_job *o, const char *version)
{
	const struct openapi_file *f;
	struct stored_file k;
	struct stmt *q;
	int64_t no = 0;
	bool yaml;

	for (f = &o->first; f != NULL; f = f->next) {
		yaml = !is_json(f->text);
		k = pack_file(o, f, yaml);
		db_begin(o->db, true);
		q = db_use(o->db, &q_file);
		bind_text(q, ":version", version);
		bind_int(q, ":no", no++);
		bind_text(q, ":name", file_name(o, f, yaml));
		bind_text(q, ":media", yaml ? "application/yaml" : "application/json");
		bind_blob(q, ":data", k.data);
		bind_int(q, ":size", (int64_t)f->text.n);
		if (k.parsed.p != NULL) {
			bind_blob(q, ":parsed", k.parsed);
			bind_int(q, ":parsed_size", (int64_t)k.parsed_size);
		}
		stmt_run(q);
		db_commit(o->db);
	}
}

/* A page and the operations that it shows; its number is unique within the version. */
static void
write_page(struct openapi_job *o, const char *version, const struct openapi_page *p)
{
	struct stmt *q = db_use(o->db, &q_page);
	const struct openapi_use *u;

	bind_text(q, ":version", version);
	bind_int(q, ":no", p->no);
	bind_text(q, ":kind", p->kind);
	bind_text(q, ":name", p->name);
	bind_text(q, ":title", p->title);
	bind_text(q, ":slug", p->slug);
	bind_text(q, ":description", p->description);
	bind_text(q, ":markdown", p->markdown);
	if (p->parent != NULL)
		bind_int(q, ":parent", p->parent->no);
	bind_int(q, ":weight", p->weight);
	bind_text(q, ":method", p->method);
	bind_text(q, ":path", p->path);
	stmt_run(q);
	for (u = p->uses; u != NULL; u = u->next) {
		q = db_use(o->db, &q_use);
		bind_text(q, ":version", version);
		bind_int(q, ":page", p->no);
		bind_int(q, ":operation", u->operation);
		stmt_run(q);
		db_breathe(o->db);
	}
}

/* Operations before the pages that name them: openapi_page_operation refers to both. */
static void
write_parts(struct openapi_job *o, const char *version)
{
	const struct openapi_operation *op;
	const struct openapi_schema *s;
	const struct openapi_page *p;
	struct stmt *q;

	for (op = o->parts.operations; op != NULL; op = op->next) {
		q = db_use(o->db, &q_operation);
		bind_text(q, ":version", version);
		bind_int(q, ":no", op->no);
		bind_text(q, ":id", op->id);
		bind_text(q, ":kind", op->webhook ? "webhook" : "operation");
		bind_text(q, ":method", op->method);
		bind_text(q, ":path", op->path);
		bind_text(q, ":title", op->title);
		bind_text(q, ":words", op->words);
		bind_str(q, ":uses", op->uses);
		bind_str(q, ":data", op->data);
		stmt_run(q);
		db_breathe(o->db);
	}
	for (p = o->parts.pages; p != NULL; p = p->next)
		if (!o->flat || (strcmp(p->kind, "operation") != 0 && strcmp(p->kind, "model") != 0))
			write_page(o, version, p);
	for (s = o->parts.schemas; s != NULL; s = s->next) {
		q = db_use(o->db, &q_schema);
		bind_text(q, ":version", version);
		bind_text(q, ":name", s->name);
		bind_int(q, ":no", s->no);
		bind_text(q, ":words", s->words);
		bind_str(q, ":uses", s->uses);
		bind_str(q, ":data", s->data);
		stmt_run(q);
		db_breathe(o->db);
	}
}

const char *
openapi_stage_version(struct openapi_job *o)
{
	char *id = secret_id(o->arena);
	struct stmt *q;

	db_begin(o->db, true);
	q = db_use(o->db, &q_version);
	bind_text(q, ":id", id);
	/* For display; never fetched again. */
	bind_text(q, ":url", o->url == NULL ? NULL : url_shown(o->arena, o->url));
	bind_int(q, ":now", time_now());
	bind_text(q, ":spec", o->spec);
	stmt_run(q);
	db_commit(o->db);
	write_files(o, id);
	db_begin(o->db, true);
	write_parts(o, id);
	db_commit(o->db);
	return id;
}

void
openapi_show_version(struct openapi_job *o, const char *id, struct str hash)
{
	struct stmt *q = db_use(o->db, &q_show);

	bind_text(q, ":id", id);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	q = db_use(o->db, &q_newest);
	bind_text(q, ":id", id);
	bind_blob(q, ":hash", hash);
	bind_text(q, ":spec", o->spec);
	stmt_run(q);
	/*
	 * Each space that shows the specification gets a revision, so that older revisions still
	 * show the old version.
	 */
	revise_showing_spaces(o->db, o->arena, o->org, o->slug);
}
