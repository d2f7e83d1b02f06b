/* Fetches a file into a change request. Contract: jobs/upload.h. */
#include <cjson/cJSON.h>
#include <unistd.h>

#include "base/json.h"
#include "app/download.h"
#include "base/file.h"
#include "base/secret.h"
#include "fetch/fetch.h"
#include "jobs/upload.h"
#include "merge/request.h"
#include "merge/request_record.h"

/*
 * Retries are only for failures of this machine (storing the file); an address that does not answer
 * fails at once.
 */
enum { TRIES = 3, RETRY_MS = 10000 };

/*
 * The state of the request and of its space in one row; read again in the transaction that writes.
 */
SQL(q_request,
    "SELECT r.branch, r.status, s.edit_mode, s.deleted_at FROM change_request r JOIN space s ON s.id = r.space "
    "WHERE r.id = :id");

struct upload {
	struct db             *db;
	struct arena          *arena;
	const struct settings *set;
	const struct job      *job;
	const char            *request, *url, *name;
	struct node            node;
	const char            *error;     /* why it failed; NULL: success */
	bool                   cancelled; /* the job was cancelled */
	bool                   again;     /* another try may help */
};

static bool
stop_upload(struct upload *u, const char *error, bool again)
{
	u->error = error;
	u->again = again;
	return false;
}

static void
remove_file(void *path)
{
	unlink(path);
}

static bool
should_continue(void *ctx, int64_t received)
{
	struct upload *u = ctx;

	return job_progress(u->db, u->job->id, "fetching", received, 0);
}

static bool
get_bytes(struct upload *u, struct str *bytes)
{
	char *path = arena_printf(u->arena, "%s/run/fetch.%s", u->set->dir, secret_id(u->arena));
	struct fetch_request q = { .url = u->url, .file = path, .private_hosts = u->set->fetch_private,
		/*
		 * The fetcher checks each redirect against the rules for addresses
		 * (docs/design/security.md, "S9").
		 */
		.seconds = u->set->fetch_seconds, .rate = u->set->least_rate, .patience = u->set->patience,
		.bytes = u->set->fetch_bytes, .redirects = 5, .progress = should_continue, .ctx = u };
	struct fetch_result r;

	/*
	 * This is registered before the fetch: it removes the temporary file however the job ends,
	 * also after a failed statement.
	 */
	arena_on_end(u->arena, remove_file, path);
	r = fetch(u->arena, &q);
	u->cancelled = r.status == FETCH_CANCELLED;
	if (r.status != FETCH_DONE)
		return stop_upload(u, u->cancelled ? "cancelled" : r.message, false);
	return file_read(u->arena, path, bytes) || stop_upload(u, "the file cannot be read again", false);
}

/* Finds the head of the change request; false with the reason if it cannot be written any more. */
static bool
find_head(struct upload *u, struct point *out)
{
	struct stmt *q = db_use(u->db, &q_request);

	bind_text(q, ":id", u->request);
	if (!stmt_step(q) || !col_null(q, 3))
		return stop_upload(u, "the change request is not there any more", false);
	if (strcmp(col_text(q, 1), "draft") != 0 && strcmp(col_text(q, 1), "open") != 0)
		return stop_upload(u, "the change request is merged or archived", false);
	if (strcmp(col_text(q, 2), "locked") == 0)
		return stop_upload(u, "the space is locked: its content cannot be changed", false);
	return point_head(u->db, u->arena, col_int(q, 0), out);
}

/* Writes the file as a revision of the request and ends the job, in one transaction. */
static bool
write_file(struct upload *u, struct blob_batch *batch)
{
	struct revision_info info = { .kind = "edits", .author = u->job->user };
	struct point before, now;
	char *revision;

	db_begin(u->db, true);
	/*
	 * stop_upload() returns false, so its negation leaves here. blob_batch_rows() fails if the
	 * daily sweep removed the file before its row was written.
	 */
	if (!find_head(u, &before) || (!blob_batch_rows(batch, u->db) && !stop_upload(u, "the file vanished while it was stored", true))) {
		db_rollback(u->db);
		return false;
	}
	/* An upload does not update the request: its base revision of main stays. */
	info.base_seq = before.base_seq;
	revision_add(u->db, u->arena, before.branch, &info, &revision);
	point_head(u->db, u->arena, before.branch, &now);
	request_put(u->db, u->arena, &before, now.seq, &u->node);
	request_touch(u->db, u->request);
	job_end(u->db, u->job->id, "done", NULL,
	    arena_printf(u->arena, "{\"file\":\"%s\",\"revision\":\"%s\"}", u->node.id, revision));
	db_commit(u->db);
	return true;
}

/* An address that holds a secret is sealed beside the arguments, which show it with *** instead. */
static bool
open_address(struct upload *u)
{
	struct str plain;

	if (u->job->secret.n == 0)
		return true;
	if (!secret_unseal(u->arena, SECRET_LINK, u->job->secret, &plain))
		return stop_upload(u, "the address holds a secret that cannot be read any more, since octavo.key was replaced: send it again",
		    false);
	u->url = arena_strndup(u->arena, plain.p, plain.n);
	return true;
}

static bool
fetch_and_store(struct upload *u)
{
	struct blob_batch *batch = blob_batch_new(u->arena, u->set->dir);
	const char *why;
	struct str bytes;
	int w, h;

	if (!open_address(u) || !get_bytes(u, &bytes))
		return false;
	u->node = (struct node){ .id = secret_id(u->arena), .kind = NODE_FILE, .parent = "", .ord = "", .slug = "",
		.title = u->name, .made = time_now(), .at = time_now() };
	u->node.props = image_size(bytes, &w, &h) ?
	    arena_printf(u->arena, "{\"size\":%zu,\"width\":%d,\"height\":%d}", bytes.n, w, h) :
	    arena_printf(u->arena, "{\"size\":%zu}", bytes.n);
	/*
	 * Write to disk before the transaction: syncing may take long and must not hold the lock.
	 */
	if (!blob_batch_add(batch, bytes, &u->node.body, &why) || !blob_batch_sync(batch, &why))
		return stop_upload(u, why, true);
	return write_file(u, batch);
}

void
upload_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	cJSON *args = cJSON_Parse(job->args);
	struct upload u = { .db = db, .arena = a, .set = set, .job = job, .request = json_text_or_empty(args, "request"),
		.url = json_text_or_empty(args, "url"), .name = json_text_or_empty(args, "name") };

	if (!fetch_and_store(&u)) {
		db_begin(db, true);
		if (u.again && job->attempts < TRIES)
			job_retry(db, job->id, time_now() + RETRY_MS * job->attempts, u.error);
		else
			job_end(db, job->id, u.cancelled ? "cancelled" : "failed", u.error, "{}");
		db_commit(db);
	}
	cJSON_Delete(args);
}
