/*
 * Upload of files of sites (app/stored.h) in two steps, as clients upload to object storage: an
 * operation checks name, kind and size, and replies with a signed address; a PUT of the bytes to
 * that address, without a token, stores them. The first step adds the row, so that files that were
 * only announced count against the limit, too; the daily sweep removes rows whose bytes were never
 * sent. Archives for imports use the same operations; they arrive in parts (api/import_files.h).
 */
#include <cjson/cJSON.h>

#include "api/audit_events.h"
#include "api/examples.h"
#include "api/import_files.h"
#include "api/refusals.h"
#include "api/storage.h"
#include "app/import_file.h"
#include "app/people.h"
#include "app/stored.h"
#include "base/secret.h"
#include "base/url.h"
#include "edit/edit.h"
#include "http/req.h"
#include "store/blob.h"

/*
 * How long a signed address is valid: long enough for the largest file over a slow line. Addresses
 * for archives are valid for IMPORT_KEPT.
 */
enum { VALID_MS = 15 * 60 * 1000 };
#define IMPORT_FILE "import_file"

#define EXAMPLE_KEY "f7QnT2wKxVb5LsZc9RhM"

static const struct shape FileMetadata = { "StorageFileMetadata", (const struct field[]){
	{ "name", T_TEXT, F_REQ, .min = 1, .max = 256, .doc = "Name; its ending says what the file is: .woff2 or .woff for a font, "
	  ".png, .jpg, .gif, .webp, .avif, .svg or .ico for a picture. An archive for an import may have any", .example = "logo.svg" },
	{ "type", T_TEXT, F_REQ, .max = 255, .doc = "Ignored: the type follows from the name", .example = "image/svg+xml" },
	{ "size", T_INT, F_REQ, .min = 1, .max = INT64_C(1) << 50, .doc = "Bytes: 8 MB at most; an archive for an import may have "
	  "OCTAVO_IMPORT_UPLOADS", .example = "4711" },
	{ 0 } } };
const struct shape StorageUpload = { "CreateStorageUpload", (const struct field[]){
	{ "file", T_OBJECT, F_REQ, .of = &FileMetadata, .doc = "The file" },
	{ "kind", T_ENUM, F_REQ, .set = STORED_FONT "," IMPORT_FILE "," STORED_PICTURE, .doc = "A font, an archive for an import, "
	  "or a picture for the customization of a site" },
	{ 0 } } };
const struct shape StorageUploadURL = { "StorageUploadURL", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "storage-signed-url", .doc = "Kind of object" },
	{ "url", T_TEXT, F_REQ, .doc = "Address for a PUT of the bytes within a quarter of an hour (an archive for an import: two days), "
	  "without a token", .example = EXAMPLE_URL "/storage/" EXAMPLE_KEY "?expires=1769850000000&signature=k3y" },
	{ "key", T_TEXT, F_REQ, .doc = "Storage key of the file, for a font or an import", .example = EXAMPLE_KEY },
	{ "address", T_TEXT, .doc = "Address of the file after its bytes were sent, for a customization. Only Octavo has this member",
	  .example = "https://docs.example.com/~stored/" EXAMPLE_KEY "/logo.svg" },
	{ "partBytes", T_INT, .doc = "Of an archive for an import: maximum number of bytes of one PUT. Only Octavo has this member",
	  .example = "10485760" },
	{ 0 } } };
const struct shape StorageQuery = { "StorageQuery", (const struct field[]){
	{ "expires", T_INT, F_REQ, .min = 0, .max = INT64_C(1) << 52, .doc = "Part of the signed address", .example = "1769850000000" },
	{ "signature", T_TEXT, F_REQ, .max = 100, .doc = "Part of the signed address", .example = "k3y" },
	{ "offset", T_INT, .min = 0, .max = INT64_C(1) << 50, .preset = "0",
	  .doc = "Of an archive for an import: offset of these bytes, which must equal the number of bytes received so far" },
	{ 0 } } };

SQL(q_count, "SELECT count(*) FROM stored_file WHERE org = :org");
SQL(q_add,
    "INSERT INTO stored_file (id, org, kind, name, size, created_by, created_at) "
    "VALUES (:id, :org, :kind, :name, :size, :user, :now)");
SQL(q_awaited, "SELECT org, kind, name, size, created_by, hash FROM stored_file WHERE id = :id");
SQL(q_arrived, "UPDATE stored_file SET hash = :hash WHERE id = :id");
/* The user who requested the address may have lost the role meanwhile. */
SQL(q_still,
    "SELECT COALESCE(m.role, 0) FROM member m JOIN account a ON a.id = m.account AND a.disabled = 0 "
    "WHERE m.org = :org AND m.account = :user AND m.disabled = 0");

static struct str
signed_text(struct req *r, const char *id, int64_t expires)
{
	return str_of(arena_printf(r->arena, "%s\n%lld", id, (long long)expires));
}

/*
 * Checks the file: its name must be one segment of an address and end in an allowed type, and its
 * size is limited. 0 or fail().
 */
static int
file_or_fail(struct req *r, const char *kind, const char *name, int64_t size)
{
	const char *why = file_name_fault(name);

	if (why == NULL)
		why = stored_name_fault(kind, name);
	if (why != NULL)
		return fail_field(r, "/file/name", "%s", why);
	return size <= STORED_BYTES ? 0 : fail_field(r, "/file/size", "must be from 1 to %d", STORED_BYTES);
}

/* Adds the row of a file of a site, whose bytes are sent later. 0 or fail(). */
static int
announce_file(struct req *r, const char *id, const char *name, int64_t size)
{
	const char *kind = body_text(r, "kind");
	struct stmt *q;

	if (file_or_fail(r, kind, name, size) != 0)
		return -1;
	q = db_use(r->db, &q_count);
	bind_text(q, ":org", r->org.id);
	if (stmt_int(q, 0) >= STORED_FILES)
		return fail_field(r, "/file", "exceeds the limit of %d files of sites in an organization; files that no site and no font "
		    "uses are removed after some time", STORED_FILES);
	q = db_use(r->db, &q_add);
	bind_text(q, ":id", id);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":kind", kind);
	bind_text(q, ":name", name);
	bind_int(q, ":size", size);
	bind_text(q, ":user", r->who.user);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	return 0;
}

/* POST /orgs/{organizationId}/storage/upload */
HANDLER(generateStorageUploadURL)
{
	const cJSON *file = body_get(r, "file");
	const char *name = json_text_of(file, "name"), *id = secret_id(r->arena), *path;
	int64_t size = (int64_t)json_number_of(file, "size", 0);
	bool import = strcmp(body_text(r, "kind"), IMPORT_FILE) == 0;
	int64_t expires = time_now() + (import ? IMPORT_KEPT : VALID_MS);

	if ((import ? import_file_announce(r, id, name, size) : announce_file(r, id, name, size)) != 0)
		return -1;
	path = arena_printf(r->arena, "/storage/%s?expires=%lld&signature=%s", id, (long long)expires,
	    secret_sign(r->arena, SECRET_UPLOAD, signed_text(r, id, expires)));
	json_obj(&r->json);
	json_kstr(&r->json, "object", "storage-signed-url");
	json_kstr(&r->json, "url", url_for(r, "/v1%s", path));
	json_kstr(&r->json, "key", id);
	if (import)
		json_kint(&r->json, "partBytes", r->set->max_body);
	else
		json_kstr(&r->json, "address", url_for(r, "/%s", stored_path(r->arena, id, name)));
	json_end(&r->json);
	return reply_created(r, path);
}

/* ---- the bytes ---- */

/* An announced file, and the batch that writes its bytes. */
struct arrival {
	struct stored_file f;
	const char        *user;     /* id of the user who requested the address */
	struct blob_batch *batch;    /* NULL: not written yet */
	const char        *why;      /* why the bytes could not be written; NULL: no error */
};

/* Writes and syncs outside of any transaction, since a disk may be slow. */
static void
write_bytes(struct req *r, void *arg)
{
	struct arrival *a = arg;
	const char *why;

	a->batch = blob_batch_new(r->arena, r->set->dir);
	if (!blob_batch_add(a->batch, r->raw_body, &a->f.hash, &why) || !blob_batch_sync(a->batch, &why))
		a->why = why;
}

/* Requires a valid signature that has not expired. 0 or fail(). */
static int
signature_or_fail(struct req *r, const char *id)
{
	int64_t expires = query_int(r, "expires", 0);

	if (expires >= time_now() &&
	    secret_verify(r->arena, SECRET_UPLOAD, signed_text(r, id, expires), str_of(query_text(r, "signature"))))
		return 0;
	return fail(r, E_FORBIDDEN, "this address is not signed by this service, or has expired: ask for a new one");
}

/* Requires that the user who requested the address still has the role. 0 or fail(). */
static int
requester_or_fail(struct req *r, const char *org, const char *user)
{
	struct stmt *q = db_use(r->db, &q_still);

	bind_text(q, ":org", org);
	bind_text(q, ":user", user);
	return stmt_int(q, ROLE_STRANGER) >= ROLE_CREATE ? 0 :
	    fail(r, E_FORBIDDEN, "the user who requested this address may no longer store files for the organization");
}

/*
 * Reads the row for which the address was signed, and requires that the user who requested the
 * address still has the role. *had: hash of the bytes that were stored before; n 0: none. 0 or
 * fail().
 */
static int
arrival_or_fail(struct req *r, const char *id, struct arrival *out, struct str *had)
{
	struct stmt *q = db_use(r->db, &q_awaited);

	bind_text(q, ":id", id);
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no file %s is expected", id);
	out->f = (struct stored_file){ .id = id, .org = col_dup(q, 0, r->arena), .kind = col_dup(q, 1, r->arena),
		.name = col_dup(q, 2, r->arena), .size = col_int(q, 3), .hash = out->f.hash };
	out->user = col_dup(q, 4, r->arena);
	*had = col_bytes(q, 5);
	*had = (struct str){ arena_strndup(r->arena, had->p, had->n), had->n };
	return requester_or_fail(r, out->f.org, out->user);
}

static int
bytes_or_fail(struct req *r, const struct arrival *a, struct str had)
{
	const char *why;

	if ((int64_t)r->raw_body.n != a->f.size)
		return fail(r, E_BAD_REQUEST, "the body has %zu bytes, and %lld were announced", r->raw_body.n, (long long)a->f.size);
	if ((why = stored_bytes_fault(a->f.name, r->raw_body)) != NULL)
		return fail(r, E_BAD_REQUEST, "%s", why);
	/* Other bytes are refused, since caches may have the earlier ones by now. */
	if (had.n > 0 && !str_eq(had, hash_of(r->arena, r->raw_body)))
		return fail(r, E_CONFLICT, "the file is there already, with other bytes: upload these as another file");
	return 0;
}

/* Stores a file of sites. A repeat with the same bytes succeeds and changes nothing. 0 or fail(). */
static int
put_file(struct req *r, const char *id)
{
	struct arrival *a = r->went_ahead ? r->ahead_arg : arena_alloc(r->arena, sizeof(*a));
	struct str had = { NULL, 0 };
	struct stmt *q;

	if (arrival_or_fail(r, id, a, &had) != 0 || bytes_or_fail(r, a, had) != 0)
		return -1;
	if (had.n > 0)
		return reply_empty(r);
	if (a->why != NULL)
		return fail(r, E_BUSY, "the file cannot be stored: %s", a->why);
	if (a->batch == NULL || !blob_batch_rows(a->batch, r->db))
		return go_ahead(r, write_bytes, a);
	q = db_use(r->db, &q_arrived);
	bind_blob(q, ":hash", a->f.hash);
	bind_text(q, ":id", a->f.id);
	stmt_run(q);
	/* The request with the signed address acts for the user who requested that address. */
	r->who.user = a->user;
	audit(r, &(struct audit_event){ .action = AUDIT_SITE_FILE_ADD, .org = a->f.org, .type = "site-file", .target = a->f.id,
	    .after = arena_printf(r->arena, "{\"kind\":\"%s\",\"size\":%lld}", a->f.kind, (long long)a->f.size) });
	return reply_empty(r);
}

/* Sets *found to whether the address was signed for an archive for an import, and *f to the archive. 0 or fail(). */
static int
archive_or_fail(struct req *r, const char *id, struct import_file *f, bool *found)
{
	*found = import_file_find(r->db, r->arena, id, f);
	return *found ? requester_or_fail(r, f->org, f->user) : 0;
}

/* PUT /storage/{storageKey} */
HANDLER(putStorageFile)
{
	const char *id = path_id(r, "storageKey");
	struct import_file f;
	bool archive;

	if (signature_or_fail(r, id) != 0 || archive_or_fail(r, id, &f, &archive) != 0)
		return -1;
	return archive ? import_file_put(r, &f) : put_file(r, id);
}

/* GET /storage/{storageKey} */
HANDLER(getStorageFile)
{
	const char *id = path_id(r, "storageKey");
	struct import_file f;
	bool archive;

	if (signature_or_fail(r, id) != 0 || archive_or_fail(r, id, &f, &archive) != 0)
		return -1;
	return archive ? import_file_reply(r, &f) : fail(r, E_NOT_FOUND, "no archive %s is expected", id);
}
