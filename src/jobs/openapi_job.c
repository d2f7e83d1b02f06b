/*
 * The job of an OpenAPI specification.
 *
 * 1 progress  sets the row's status to "processing"
 * 2 bytes     the given text, or fetched documents, unless the server answers "not modified"
 * 3 read      parses JSON or YAML within the limits; finds the version of OpenAPI
 * 4 check     checks against the schema of that version; follows all references. Faults are listed
 * for the author; everything that can be read is shown in spite of them
 * 5 write     writes the version with its pages and operations, not shown yet, in many
 * transactions. One more transaction shows the version, updates the specification's row, adds a
 * revision to each space that shows it, and ends the job
 *
 * All documents together must be fetched within OCTAVO_FETCH_SECONDS, so that a specification that
 * refers to many slow servers does not occupy a process for long. If the specification is deleted
 * during the job, or gets another source, the job ends at once and writes nothing.
 *
 * If the bytes equal those of the newest version, and the same build of this code made that
 * version, no new version is made. Errors are stored in the row, with reason and place. An error
 * that prevents a new version has one of three codes; a fault of a version that is shown has none.
 * In both cases the job itself succeeds.
 */
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/file.h"
#include "base/pack.h"
#include "base/secret.h"
#include "base/url.h"
#include "fetch/fetch.h"
#include "jobs/openapi.h"
#include "jobs/purge.h"
#include "openapi_job.h"

/*
 * MAX_DEPTH bounds the recursion of reading and checking. MAX_VALUES: small values expand to many
 * times their bytes in memory, which a limit of bytes alone does not bound. MAX_PAGES: for each
 * revision of a space that shows the specification, search reads each of its pages
 * (search/search.h).
 */
enum { MAX_FILES = 100, MAX_ERRORS = 100, MAX_DEPTH = 128, MAX_VALUES = 3000000, MAX_PAGES = 5000 };

SQL(q_spec,
    "SELECT s.org, s.slug, s.url, g.data, s.asked, s.latest, s.hash, s.etag, s.modified, s.error_code, s.url_sealed "
    "FROM openapi_spec s LEFT JOIN openapi_given g ON g.spec = s.id WHERE s.id = :id AND s.deleted_at IS NULL");
/* `asked` rises with each request, so a run that a newer request replaced updates no row. */
SQL(q_progress, "UPDATE openapi_spec SET state = 'progress' WHERE id = :id AND asked = :asked");
/* A row if the result of this run is still needed. */
SQL(q_wanted, "SELECT 1 FROM openapi_spec WHERE id = :id AND asked = :asked AND deleted_at IS NULL");
/* The text from which the newest version was made. */
SQL(q_newest_text, "SELECT data, size FROM openapi_file WHERE version = :version AND no = 0");
/* Updates one row, or none if a newer request replaced this run. */
SQL(q_complete,
    /* If a document did not change, its faults are still those of its version. */
    "UPDATE openapi_spec SET state = 'complete', processed_at = :now, error_code = :code, "
    "errors = CASE WHEN :kept = 1 THEN errors ELSE :errors END, "
    "error_count = CASE WHEN :kept = 1 THEN error_count ELSE :count END, updated_at = :now WHERE id = :id AND asked = :asked "
    "AND deleted_at IS NULL");
/* The given text is now part of the version, or was refused. */
SQL(q_processed, "DELETE FROM openapi_given WHERE spec = :id");
SQL(q_tags, "UPDATE openapi_spec SET etag = :etag, modified = :modified WHERE id = :id");

/*
 * Adds an error; all three texts must live as long as the job. pointer: RFC 6901, into the first
 * document.
 */
static void
add_error(struct openapi_job *o, const char *code, const char *pointer, const char *message)
{
	struct job_error *e = arena_alloc(o->arena, sizeof(*e));

	*e = (struct job_error){ NULL, code, pointer, message };
	*o->last_error = e;
	o->last_error = &e->next;
	o->error_count++;
}

/* Sets the code of the specification, and the reason as the first error; always false. */
static bool
stop_run(struct openapi_job *o, const char *code, const char *kind, const char *message)
{
	struct job_error *e = arena_alloc(o->arena, sizeof(*e));

	*e = (struct job_error){ o->errors, kind, NULL, message };
	o->last_error = o->errors == NULL ? &e->next : o->last_error;
	o->errors = e;
	o->error_count++;
	o->code = code;
	return false;
}

/* ---- 1: the row ---- */

static struct str
dup_bytes(struct arena *a, struct stmt *q, int column)
{
	struct str s = col_bytes(q, column);

	return s.p == NULL ? s : (struct str){ arena_strndup(a, s.p, s.n), s.n };
}

/* Column 2 has the address without secrets; column 10 has the complete address, if it differs. */
static const char *
whole_url(struct openapi_job *o, struct stmt *q)
{
	struct str plain;

	if (col_null(q, 10))
		return col_dup(q, 2, o->arena);
	o->url_lost = !secret_unseal(o->arena, SECRET_LINK, col_bytes(q, 10), &plain);
	return o->url_lost ? col_dup(q, 2, o->arena) : arena_strndup(o->arena, plain.p, plain.n);
}

/*
 * Reads the text of the newest version as the source. An update of this program may process a
 * specification again that was given as text; the version contains the bytes as they were received.
 */
static void
take_text_again(struct openapi_job *o)
{
	struct stmt *q = db_use(o->db, &q_newest_text);
	struct str data;

	bind_text(q, ":version", o->latest);
	if (!stmt_step(q))
		return;
	data = dup_bytes(o->arena, q, 0);
	/* A row without a size is not compressed (schema/0041). */
	if (col_null(q, 1))
		o->first.text = data;
	else if (!unpack(o->arena, data, (size_t)col_int(q, 1), &o->first.text))
		o->first.text = (struct str){ NULL, 0 };
}

/* Reads the specification's row. False: the run has nothing to do. */
static bool
read_row(struct openapi_job *o)
{
	cJSON *args = cJSON_Parse(o->job->args), *asked = cJSON_GetObjectItemCaseSensitive(args, "asked");
	struct stmt *q;
	bool found;

	o->spec = json_text_of(args, "spec");
	db_begin(o->db, true);
	q = db_use(o->db, &q_spec);
	bind_text(q, ":id", o->spec);
	/* A job of the schedule has no request number: it serves the latest request. */
	found = stmt_step(q) && (!cJSON_IsNumber(asked) || (int64_t)asked->valuedouble == col_int(q, 4));
	if (found) {
		o->org = col_dup(q, 0, o->arena);
		o->slug = col_dup(q, 1, o->arena);
		o->url = whole_url(o, q);
		o->first.text = dup_bytes(o->arena, q, 3);
		o->asked = col_int(q, 4);
		o->latest = col_dup(q, 5, o->arena);
		o->hash = dup_bytes(o->arena, q, 6);
		/* After a failure the document is fetched unconditionally, so that its errors are reported again. */
		o->etag = o->latest == NULL || !col_null(q, 9) ? NULL : col_dup(q, 7, o->arena);
		o->modified = o->latest == NULL || !col_null(q, 9) ? NULL : col_dup(q, 8, o->arena);
		if (o->url == NULL && o->first.text.p == NULL && o->latest != NULL)
			take_text_again(o);
		q = db_use(o->db, &q_progress);
		bind_text(q, ":id", o->spec);
		bind_int(q, ":asked", o->asked);
		stmt_run(q);
	}
	db_commit(o->db);
	return found && (o->url != NULL || o->first.text.p != NULL);
}

/* ---- 2: bytes ---- */

static void
remove_file(void *path)
{
	unlink(path);
}

/*
 * The fetcher calls this while it waits. False ends the transfer: the job has to end, or its result
 * is not needed any more.
 */
static bool
should_continue(void *ctx, int64_t received)
{
	struct openapi_job *o = ctx;
	struct stmt *q;

	if (!job_progress(o->db, o->job->id, "fetching", received, 0))
		return false;
	q = db_use(o->db, &q_wanted);
	bind_text(q, ":id", o->spec);
	bind_int(q, ":asked", o->asked);
	return stmt_int(q, 0) != 0;
}

/* Fetches one document; its bytes are NULL if the server answers "not modified". */
static struct fetch_result
fetch_document(struct openapi_job *o, const char *url, bool conditional, struct str *text)
{
	/* The body goes to a file (fetch/fetch.h); the random name keeps parallel jobs apart. */
	char *path = arena_printf(o->arena, "%s/run/fetch.%s", o->set->dir, secret_id(o->arena));
	int64_t left = o->deadline - time_steady();
	struct fetch_request q = { .url = url, .file = path, .private_hosts = o->set->fetch_private,
		/* The seconds are rounded up, because 0 would mean no limit. */
		.seconds = (int)((left + 999) / 1000), .rate = o->set->least_rate, .patience = o->set->patience, .bytes = o->set->fetch_bytes, .redirects = 5,
		.accept = "application/json, application/yaml, */*;q=0.8", .progress = should_continue, .ctx = o };
	struct fetch_result r = { .status = FETCH_TIMEOUT };

	*text = (struct str){ NULL, 0 };
	if (left <= 0)
		return r;
	/* For a job that ends early; otherwise the file is removed below. */
	arena_on_end(o->arena, remove_file, path);
	/*
	 * Only the first document is requested conditionally: a version consists of all documents,
	 * and the ETags of the others are not stored.
	 */
	if (conditional) {
		q.etag = o->etag;
		q.modified = o->modified;
	}
	r = fetch(o->arena, &q);
	if (r.status == FETCH_DONE && !file_read(o->arena, path, text))
		r = (struct fetch_result){ .status = FETCH_FAILED, .message = "the file cannot be read again" };
	unlink(path);
	return r;
}

/*
 * True if no more documents may be fetched: the job was cancelled or out of time, or a server is
 * below the least rate, which would slow the job down again for each document on it.
 */
static bool
is_over(enum fetch_status status)
{
	return status == FETCH_CANCELLED || status == FETCH_TIMEOUT;
}

/* Ends the run when is_over() is true. url: the document that was being fetched. */
static bool
stop_over(struct openapi_job *o, const struct fetch_result *r, const char *url)
{
	if (r->status == FETCH_CANCELLED)
		return stop_run(o, "FETCH_ERROR", "CANCELLED", "the fetch was cancelled");
	if (r->message != NULL && time_steady() < o->deadline)
		return stop_run(o, "FETCH_TIMEOUT", "FETCH", arena_printf(o->arena, "%s: %s", url_shown(o->arena, url), r->message));
	return stop_run(o, "FETCH_TIMEOUT", "FETCH", arena_printf(o->arena, "%s: not here after %d seconds, the most that "
	    "all documents together may take (OCTAVO_FETCH_SECONDS)", url_shown(o->arena, url), o->set->fetch_seconds));
}

static bool
fetch_first(struct openapi_job *o)
{
	struct fetch_result r = fetch_document(o, o->url, true, &o->first.text);

	o->unchanged = r.status == FETCH_UNCHANGED;
	if (r.status == FETCH_DONE || o->unchanged) {
		/*
		 * The address after redirects: references in the document are relative to it (RFC
		 * 3986, section 5.1.3).
		 */
		o->first.uri = r.url;
		o->etag = r.etag;
		o->modified = r.modified;
		return true;
	}
	if (is_over(r.status))
		return stop_over(o, &r, o->url);
	return stop_run(o, "FETCH_ERROR", r.status == FETCH_REFUSED ? "REFUSED" : "FETCH", r.message);
}

/* Loads a document that the first one refers to. */
static bool
load_document(void *ctx, const char *uri, struct str *text, const char **why)
{
	struct openapi_job *o = ctx;
	struct fetch_result r;

	/*
	 * Only http and https are allowed: a pasted text has no base address, and a file: reference
	 * must not read files of this machine.
	 */
	if (!str_starts(str_of(uri), "http://") && !str_starts(str_of(uri), "https://")) {
		*why = "only a specification that has an address can refer to other documents by path";
		return false;
	}
	*why = "it was not asked for any more";
	if (o->code != NULL)
		return false;
	r = fetch_document(o, uri, false, text);
	if (is_over(r.status))
		return stop_over(o, &r, uri);
	*why = r.message;
	/* The rest of the description is shown, but it does not replace a version that had this document. */
	o->incomplete = o->incomplete || (r.status != FETCH_DONE && o->latest != NULL);
	return r.status == FETCH_DONE;
}

/* ---- 3 and 4: read and check ---- */

/*
 * Increase it when versions are made in another way: the next run then makes a new version from the
 * same bytes.
 */
#define MADE_BY "6"

/* Hash of all documents, in the order in which they were loaded. */
static struct str
hash_files(struct openapi_job *o)
{
	const struct openapi_file *f;
	struct buf b;

	buf_init(&b, o->arena, MAX_FILES * 100);
	buf_str(&b, MADE_BY);
	for (f = &o->first; f != NULL; f = f->next)
		buf_put(&b, hash_of(o->arena, f->text));
	return hash_of(o->arena, buf_view(&b));
}

/* Adds the faults of a report to the job's errors. */
static void
add_report(struct openapi_job *o, const char *kind, const struct schema_report *report)
{
	const struct schema_error *e;

	for (e = report->first; e != NULL; e = e->next)
		add_error(o, kind, e->pointer, e->message);
	/* The report goes on counting when its list is full. */
	for (e = report->first; e != NULL; e = e->next)
		o->error_count--;
	o->error_count += report->count;
}

/*
 * Reads and checks the documents. False: o->code and the errors say why there is nothing to show.
 * Faults of a description that can be read are only listed.
 */
static bool
check_source(struct openapi_job *o)
{
	const struct openapi_input in = { .limits = { (size_t)o->set->fetch_bytes, MAX_VALUES, MAX_DEPTH },
		.files = MAX_FILES, .load = load_document, .ctx = o };
	struct schema_report report;
	const char *why = NULL;

	o->first.root = value_read(o->arena, o->first.text, &in.limits, &why);
	if (o->first.root == NULL)
		return stop_run(o, "PARSE_ERROR", "SYNTAX", why);
	if (why != NULL)
		add_error(o, "SYNTAX", NULL, why);
	o->version = openapi_recognise(o->arena, o->first.root, &why);
	if (o->version == OPENAPI_NONE)
		return stop_run(o, "PARSE_ERROR", "VERSION", why);
	if (why != NULL)
		add_error(o, "VERSION", NULL, why);
	schema_report_init(&report, o->arena, MAX_ERRORS - o->error_count);
	schema_check(openapi_schema(o->arena, o->version), o->first.root, &report);
	add_report(o, "INVALID", &report);
	schema_report_init(&report, o->arena, o->error_count < MAX_ERRORS ? MAX_ERRORS - o->error_count : 0);
	openapi_follow(o->arena, &o->first, &in, &report);
	add_report(o, "REFERENCE", &report);
	if (o->incomplete && o->code == NULL)
		o->code = "FETCH_ERROR";
	return o->code == NULL;
}

/*
 * Splits a new version into pages and operations; uses no database and may take long. False: it has
 * too many pages, or its faults leave nothing of it.
 */
static bool
take_apart(struct openapi_job *o)
{
	const struct openapi_page *p;
	size_t pages = 0, all = 0;

	o->made_of = hash_files(o);
	if (str_eq(o->made_of, o->hash))
		return true;
	openapi_take_apart(o->arena, o->first.root, o->version, &o->parts);
	if (o->error_count > 0 && o->parts.operations == NULL && o->parts.schemas == NULL) {
		o->code = "PARSE_ERROR";
		return false;
	}
	for (p = o->parts.pages; p != NULL; p = p->next, all++)
		if (strcmp(p->kind, "operation") != 0 && strcmp(p->kind, "model") != 0)
			pages++;
	o->flat = all > MAX_PAGES;
	return pages <= MAX_PAGES || stop_run(o, "PARSE_ERROR", "LIMIT", arena_printf(o->arena,
	    "%zu tags make a page each: a specification may have %d pages", pages, MAX_PAGES));
}

/* ---- 5: the end ---- */

static const char *
errors_json(struct openapi_job *o)
{
	const struct job_error *e;
	size_t left = MAX_ERRORS;
	struct json j;
	struct buf b;

	if (o->errors == NULL)
		return NULL;
	buf_init(&b, o->arena, 16 << 20);
	json_init(&j, &b);
	json_arr(&j);
	for (e = o->errors; e != NULL && left-- > 0; e = e->next) {
		json_obj(&j);
		json_kstr(&j, "message", e->pointer == NULL ? e->message :
		    arena_printf(o->arena, "%s: %s", *e->pointer != '\0' ? e->pointer : "/", e->message));
		json_kstr(&j, "code", e->code);
		if (e->pointer != NULL)
			json_kstr(&j, "pointer", e->pointer);
		json_end(&j);
	}
	json_end(&j);
	return b.p;
}

/*
 * Writes the result to the row. False: the specification was deleted, or a newer request replaced
 * this run, which then writes nothing.
 */
static bool
complete_run(struct openapi_job *o)
{
	struct stmt *q = db_use(o->db, &q_complete);

	bind_text(q, ":code", o->code);
	/* NULL if there are no errors: clears those of an earlier run. */
	bind_text(q, ":errors", errors_json(o));
	bind_int(q, ":count", (int64_t)o->error_count);
	bind_int(q, ":kept", o->unchanged && o->code == NULL);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", o->spec);
	bind_int(q, ":asked", o->asked);
	if (stmt_run(q) == 0)
		return false;
	q = db_use(o->db, &q_processed);
	bind_text(q, ":id", o->spec);
	stmt_run(q);
	return true;
}

static void
remember_tags(struct openapi_job *o)
{
	struct stmt *q = db_use(o->db, &q_tags);

	bind_text(q, ":etag", o->etag);
	bind_text(q, ":modified", o->modified);
	bind_text(q, ":id", o->spec);
	stmt_run(q);
}

/*
 * The next check is counted from now: after a manual update the newest version is shown already. A
 * text that was given has no address to check.
 */
static void
schedule_next_check(struct openapi_job *o)
{
	int64_t every = (int64_t)o->set->openapi_hours * 3600 * 1000;
	struct schedule s = { .id = openapi_schedule(o->arena, o->spec), .every = every,
		.next_at = time_now() + every };

	s.job = (struct job){ .kind = "openapi", .org = o->org, .queue = o->spec,
		.args = arena_printf(o->arena, "{\"spec\":\"%s\"}", o->spec) };
	if (o->url != NULL)
		schedule_put(o->db, &s);
	else
		schedule_drop(o->db, s.id);
}

/* True if the result of this run is still needed. Checked before many rows are written. */
static bool
wanted_still(struct openapi_job *o)
{
	struct stmt *q = db_use(o->db, &q_wanted);
	bool wanted;

	bind_text(q, ":id", o->spec);
	bind_int(q, ":asked", o->asked);
	wanted = stmt_int(q, 0) != 0;
	db_rollback(o->db);
	return wanted;
}

static void
write_end(struct openapi_job *o, bool ok)
{
	bool fresh = ok && !o->unchanged && !str_eq(o->made_of, o->hash), wanted;
	const char *version = fresh && wanted_still(o) ? openapi_stage_version(o) : NULL;

	db_begin(o->db, true);
	/*
	 * The check that the result is still needed and the change of the row are in one
	 * transaction, so the row of a request that comes a moment later is not overwritten. If
	 * wanted_still() was false, complete_run() is false as well.
	 */
	if ((wanted = complete_run(o))) {
		if (version != NULL)
			openapi_show_version(o, version, o->made_of);
		if (ok)
			remember_tags(o);
		schedule_next_check(o);
	}
	job_end(o->db, o->job->id, wanted ? "done" : "cancelled", wanted ? NULL :
	    "the specification was deleted, or has another source by now", arena_printf(o->arena,
	    "{\"version\":%s,\"errors\":%zu}", wanted && fresh ? "true" : "false", o->error_count));
	db_commit(o->db);
	if (!wanted)
		versions_sweep(o->db, o->arena, o->spec);
}

static bool
process_spec(struct openapi_job *o)
{
	/* Two attempts ended before they could report a reason. */
	if (o->job->attempts >= OPENAPI_TRIES)
		return stop_run(o, "PARSE_ERROR", "LIMIT", "processing exceeds its limit of time or memory");
	o->first.uri = "";
	if (o->url_lost)
		return stop_run(o, "FETCH_ERROR", "FETCH", "the address was sealed under another octavo.key and cannot be read "
		    "any more; give it anew");
	if (o->url != NULL && !fetch_first(o))
		return false;
	if (o->unchanged)
		return true;
	if (!job_progress(o->db, o->job->id, "reading", 0, 0))
		/*
		 * Without an error, the row would report success and lose the errors that it had.
		 */
		return stop_run(o, "FETCH_ERROR", "CANCELLED", "the processing was cancelled");
	return check_source(o) && take_apart(o);
}

void
openapi_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct openapi_job *o = arena_alloc(a, sizeof(*o));
	bool ok;

	*o = (struct openapi_job){ .db = db, .set = set, .job = job, .arena = arena_within(a, (size_t)4 << 30),
		.deadline = time_steady() + (int64_t)set->fetch_seconds * 1000 };
	o->last_error = &o->errors;
	json_arena(o->arena);
	if (read_row(o)) {
		/* Remove versions of an earlier run that was killed before it could show them. */
		versions_sweep(db, o->arena, o->spec);
		ok = process_spec(o);
		write_end(o, ok);
	} else {
		db_begin(db, true);
		job_end(db, job->id, "done", NULL, "{\"version\":false}");
		db_commit(db);
	}
	json_arena(NULL);
}
