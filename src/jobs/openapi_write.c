/*
 * A version of a specification as rows.
 */
#include "base/secret.h"
#include "openapi_job.h"
#include "publish/computed.h"

/*
 * The number is found inside the statement. No row is made where the specification is gone, but
 * the caller has just updated it in this transaction.
 */
SQL(q_version,
    "INSERT INTO openapi_version (id, spec, no, url, format, created_at) "
    "SELECT :id, s.id, COALESCE((SELECT max(v.no) FROM openapi_version v WHERE v.spec = s.id), 0) + 1, "
    ":url, :format, :now FROM openapi_spec s WHERE s.id = :spec");
/* In the same transaction as the rows: readers go from the old version to a complete new one. */
SQL(q_newest,
    "UPDATE openapi_spec SET latest = :id, versions = versions + 1, hash = :hash WHERE id = :spec");
SQL(q_file, "INSERT INTO openapi_file (version, no, name, media, data, json) "
    "VALUES (:version, :no, :name, :media, :data, :json)");

SQL(q_page,
    "INSERT INTO openapi_page (version, no, kind, name, title, slug, description, markdown) "
    "VALUES (:version, :no, :kind, :name, :title, :slug, :description, :markdown)");
SQL(q_operation,
    "INSERT INTO openapi_operation (version, no, id, kind, method, path, title, words, uses, data) "
    "VALUES (:version, :no, :id, :kind, :method, :path, :title, :words, :uses, :data)");
SQL(q_use, "INSERT INTO openapi_page_operation (version, page, operation) VALUES (:version, :page, :operation)");
SQL(q_schema,
    "INSERT INTO openapi_schema (version, name, no, uses, data) VALUES (:version, :name, :no, :uses, :data)");

/* The last part of a path, else a name that says what it is. */
static const char *
file_name(struct openapi_job *o, const struct openapi_file *f, bool yaml)
{
	const char *slash = strrchr(f->uri, '/');
	size_t n;

	if (f != &o->first)
		return f->uri;
	n = slash == NULL ? 0 : strcspn(slash + 1, "?#");
	/* Text that was given has the address "". */
	return n > 0 ? arena_strndup(o->arena, slash + 1, n) : yaml ? "openapi.yaml" : "openapi.json";
}

/*
 * By the first character behind a byte order mark and blanks: YAML documents of an API begin
 * with a key. text ends with a NUL (file_read(), the database's blobs).
 */
static bool
is_json(struct str text)
{
	size_t i = str_starts(text, "\xEF\xBB\xBF") ? 3 : 0;

	i += strspn(text.p + i, " \t\r\n");
	return text.p[i] == '{' || text.p[i] == '[';
}

/*
 * data is what was received, byte for byte, for downloads; json the same as JSON, NULL where
 * data is that already.
 */
static void
write_files(struct openapi_job *o, const char *version)
{
	const struct openapi_file *f;
	struct stmt *q;
	struct json j;
	struct buf b;
	int64_t no = 0;
	bool yaml;

	for (f = &o->first; f != NULL; f = f->next) {
		yaml = !is_json(f->text);
		q = db_use(o->db, &q_file);
		bind_text(q, ":version", version);
		bind_int(q, ":no", no++);
		bind_text(q, ":name", file_name(o, f, yaml));
		bind_text(q, ":media", yaml ? "application/yaml" : "application/json");
		bind_blob(q, ":data", f->text);
		/* A byte order mark is no JSON. */
		if (yaml || f->text.p[0] != '{') {
			buf_init(&b, o->arena, (size_t)1 << 30);
			json_init(&j, &b);
			value_write(&j, f->root);
			bind_str(q, ":json", buf_view(&b));
		}
		stmt_run(q);
	}
}

/* A page and which operations it shows; numbers are unique within the version. */
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
	stmt_run(q);
	for (u = p->uses; u != NULL; u = u->next) {
		q = db_use(o->db, &q_use);
		bind_text(q, ":version", version);
		bind_int(q, ":page", p->no);
		bind_int(q, ":operation", u->operation);
		stmt_run(q);
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
	}
	for (p = o->parts.pages; p != NULL; p = p->next)
		write_page(o, version, p);
	for (s = o->parts.schemas; s != NULL; s = s->next) {
		q = db_use(o->db, &q_schema);
		bind_text(q, ":version", version);
		bind_text(q, ":name", s->name);
		bind_int(q, ":no", s->no);
		bind_str(q, ":uses", s->uses);
		bind_str(q, ":data", s->data);
		stmt_run(q);
	}
}

void
openapi_write_version(struct openapi_job *o, struct str hash)
{
	static const char *const formats[] = { [OPENAPI_2_0] = "2.0", [OPENAPI_3_0] = "3.0",
		[OPENAPI_3_1] = "3.1" };
	char *id = secret_id(o->arena);
	struct stmt *q = db_use(o->db, &q_version);

	bind_text(q, ":id", id);
	bind_text(q, ":url", o->url);
	bind_text(q, ":format", formats[o->version]);
	bind_int(q, ":now", time_now());
	bind_text(q, ":spec", o->spec);
	stmt_run(q);
	write_files(o, id);
	write_parts(o, id);
	q = db_use(o->db, &q_newest);
	bind_text(q, ":id", id);
	bind_blob(q, ":hash", hash);
	bind_text(q, ":spec", o->spec);
	stmt_run(q);
	/*
	 * Each space that shows the specification gets a revision of its own, so that what is
	 * read at a revision stays what it was.
	 */
	computed_revise(o->db, o->arena, o->org, o->slug);
}
