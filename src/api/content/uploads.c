/*
 * Files of change requests, uploaded by address. A batch of changes cannot wait for an external
 * server, so a job fetches the file and clients poll its status; the file's id is available once it
 * is complete. Stored as the job itself (table job).
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/examples.h"
#include "api/request_row.h"
#include "api/uploads.h"
#include "api/wake_runner.h"
#include "api/refusals.h"
#include "app/queue.h"
#include "base/address.h"
#include "base/secret.h"
#include "base/url.h"
#include "base/utf8.h"
#include "edit/edit.h"
#include "http/req.h"

const struct shape UploadCreate = { "CreateFileUpload", (const struct field[]){
	{ "url", T_URI, F_REQ, .min = 1, .max = 2048, .doc = "Address to fetch it from: http or https, without credentials",
	  .example = "https://example.com/logo.png" },
	{ "name", T_TEXT, .min = 1, .max = 256, .doc = "Name; absent: the last segment of the address's path",
	  .example = "logo.png" },
	{ 0 } } };
static const struct shape UploadUrls = { "FileUploadUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/spaces/{:space}/change-requests/{:request}/files/{id}",
	  .doc = "Address in this API", .example = EXAMPLE_URL "/spaces/" EXAMPLE_SPACE
	  "/change-requests/12/files/" EXAMPLE_UPLOAD },
	{ 0 } } };

/*
 * The job's arguments, as job_args() wrote them: `request`, `url`, `name`. They are parsed at each
 * use, since answers contain few uploads.
 */
static const cJSON *
parse_args(const struct row *w)
{
	return cJSON_Parse(row_text(w, "args"));
}

static void
emit_arg(struct json *j, const struct field *f, const struct row *w)
{
	json_kstr(j, f->name, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(parse_args(w), f->name)));
}

/* Maps the states of the job queue to the names of this resource. Any other state is a failure. */
static void
emit_status(struct json *j, const struct field *f, const struct row *w)
{
	const char *state = row_text(w, "state");

	json_kstr(j, f->name, strcmp(state, "queued") == 0 ? "pending" : strcmp(state, "running") == 0 ? "running" :
	    strcmp(state, "done") == 0 ? "completed" : "failed");
}

/* Omitted until the job has written its result, and after a failure. */
static void
emit_file(struct json *j, const struct field *f, const struct row *w)
{
	const cJSON *result = row_null(w, "result") ? NULL : cJSON_Parse(row_text(w, "result"));
	const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(result, "file"));

	if (id != NULL)
		json_kstr(j, f->name, id);
}

/*
 * Path below /v1. It contains the id of the request, even if the request was named by its number.
 */
static char *
upload_path(struct req *r, const char *id)
{
	return arena_printf(r->arena, "/spaces/%s/change-requests/%s/files/%s", r->space.id, r->request.id, id);
}

const struct shape FileUpload = { "FileUpload", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "file-upload", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_UPLOAD },
	{ "status", T_ENUM, F_REQ, .set = "pending,running,completed,failed", .emit = emit_status,
	  .doc = "completed: the file is in the change request" },
	{ "url", T_TEXT, F_REQ, .emit = emit_arg, .doc = "Address that it is fetched from, with *** in place of parts that look like a "
	  "secret", .example = "https://example.com/logo.png" },
	{ "name", T_TEXT, F_REQ, .emit = emit_arg, .doc = "Name of the file", .example = "logo.png" },
	{ "file", T_TEXT, .emit = emit_file, .doc = "Id of the file; absent: it is not fetched yet", .example = EXAMPLE_FILE },
	{ "error", T_TEXT, .doc = "Why it failed, or why it must be tried again",
	  .example = "example.com answered with status 404" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was requested" },
	{ "urls", T_OBJECT, F_REQ, .of = &UploadUrls, .join = "", .doc = "Its addresses" },
	{ 0 } } };

/*
 * space and kind are part of the key: an id of another space's job, or of a job of another kind, is
 * not found.
 */
SQL(q_upload,
    "SELECT id, state, args, result, error, created_at FROM job WHERE id = :id AND space = :space "
    "AND kind = 'upload'");

/* The upload of the change request in the path, or 404. */
static int
reply_upload(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_upload);
	struct row w = { r, q, NULL };
	const char *request;

	bind_text(q, ":id", id);
	bind_text(q, ":space", r->space.id);
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no upload %s", id);
	/*
	 * Two ids in one path: the upload must belong to this request, not only to its space
	 * (docs/design/security.md, "S1").
	 */
	request = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(parse_args(&w), "request"));
	if (request == NULL || strcmp(request, r->request.id) != 0)
		return fail(r, E_NOT_FOUND, "no upload %s", id);
	shape_row(&r->json, &FileUpload, r, q);
	return 0;
}

/* The last segment of an address's path as a file name; "file" if that is not usable. */
static const char *
name_from_url(struct arena *a, const char *url)
{
	/* strstr() does not return NULL here: the shape's T_URI accepts only http:// and https://. */
	const char *host = strstr(url, "://") + 3, *slash;
	struct str path = { host, strcspn(host, "?#") };

	slash = memrchr(path.p, '/', path.n);
	path = slash == NULL ? (struct str){ "", 0 } : str_slice(path, (size_t)(slash + 1 - path.p), path.n);
	/*
	 * Decode before the checks: %2F and %00 must be checked as the characters that they encode.
	 */
	path = url_unescape(a, path);
	if (path.n == 0 || path.n > 256 || !utf8_valid(path) || memchr(path.p, '\0', path.n) != NULL ||
	    file_name_fault(path.p) != NULL)
		return "file";
	return path.p;
}

/* The name in the body, else one derived from the address; NULL after fail(). */
static const char *
name_or_fail(struct req *r)
{
	const char *name = body_text(r, "name"), *why;

	if (name == NULL)
		return name_from_url(r->arena, body_text(r, "url"));
	if ((why = file_name_fault(name)) == NULL)
		return name;
	fail_field(r, "/name", "%s", why);
	return NULL;
}

/* The address is stored without secrets, since all readers of the change request see it. */
static char *
job_args(struct req *r, const char *name)
{
	struct json j;
	struct buf b;

	buf_init(&b, r->arena, 1 << 20);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "request", r->request.id);
	json_kstr(&j, "url", url_shown(r->arena, body_text(r, "url")));
	json_kstr(&j, "name", name);
	json_end(&j);
	return b.p;
}

/*
 * POST /spaces/{spaceId}/change-requests/{changeRequestId}/files: checks the body and queues the
 * job.
 */
HANDLER(uploadChangeRequestFile)
{
	struct job job = { .kind = "upload", .space = r->space.id, .queue = r->request.id, .user = r->who.user };
	const char *url = body_text(r, "url"), *name, *why, *id;

	if (request_open_or_fail(r) != 0 || space_unlocked_or_fail(r) != 0)
		return -1;
	/*
	 * Refused early, for a clear message. This alone is no protection: the name may resolve
	 * differently later, so the fetcher checks the address it connects to.
	 */
	if ((why = address_refuse_url(r->arena, url, r->set->fetch_private)) != NULL)
		return fail_field(r, "/url", "is refused: %s", why);
	if (unmasked_or_fail(r, "/url", url, NULL) != 0)
		return -1;
	if ((name = name_or_fail(r)) == NULL || job_room_or_fail(r) != 0)
		return -1;
	job.args = job_args(r, name);
	/*
	 * The whole address is stored sealed, for the job alone; it is deleted when the job ends.
	 */
	if (strcmp(url, url_shown(r->arena, url)) != 0)
		job.secret = secret_seal(r->arena, SECRET_LINK, str_of(url));
	/* The job is added in the request's transaction, so that there is never a job whose id no client got. */
	id = job_add(r->db, r->arena, &job, 0);
	r->after = wake_runner;
	reply_created(r, upload_path(r, id));
	return reply_upload(r, id);
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/files/{uploadId} */
HANDLER(getChangeRequestFileUpload)
{
	return reply_upload(r, path_id(r, "uploadId"));
}
