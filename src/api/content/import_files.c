/*
 * Archives for imports (app/import_file.h), uploaded in parts to the signed address that
 * generateStorageUploadURL answers. Each part names the offset at which it begins, which must equal
 * the number of bytes received so far. getStorageFile returns that number, so that a client can
 * continue an interrupted upload.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/examples.h"
#include "api/import_files.h"
#include "app/import_file.h"
#include "base/file.h"
#include "base/secret.h"
#include "edit/edit.h"

const struct shape ImportFile = { "StorageFile", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "storage-file", .doc = "Kind of object" },
	{ "key", T_TEXT, F_REQ, .doc = "Storage key of the file, for `source.files` of an import", .example = "f7QnT2wKxVb5LsZc9RhM" },
	{ "name", T_TEXT, F_REQ, .doc = "Name of the file", .example = "export.zip" },
	{ "size", T_INT, F_REQ, .doc = "Size in bytes, as announced", .example = "4711" },
	{ "received", T_INT, F_REQ, .doc = "Number of bytes that were received: the offset of the next part", .example = "1024" },
	{ 0 } } };

SQL(q_import_sum, "SELECT COALESCE(sum(size), 0), count(*) FROM import_file WHERE org = :org");
SQL(q_import_add,
    "INSERT INTO import_file (id, org, name, size, created_by, created_at) VALUES (:id, :org, :name, :size, :user, :now)");
SQL(q_import_received, "UPDATE import_file SET received = :received WHERE id = :id");

/* ---- the quota ---- */

static bool
has_room(struct req *r, int64_t size)
{
	struct stmt *q = db_use(r->db, &q_import_sum);

	bind_text(q, ":org", r->org.id);
	return stmt_step(q) && col_int(q, 1) < IMPORT_ORG_FILES && size <= r->set->import_uploads - col_int(q, 0);
}

static int
room_or_fail(struct req *r, int64_t size)
{
	if (size > r->set->import_uploads)
		return fail_field(r, "/file/size", "must be at most %lld (OCTAVO_IMPORT_UPLOADS); the command `octavo import` takes larger archives",
		    (long long)r->set->import_uploads);
	if (has_room(r, size))
		return 0;
	/* Files of failed imports are kept only while the quota has room. */
	import_file_make_room(r->db, r->org.id);
	return has_room(r, size) ? 0 : fail_field(r, "/file/size", "exceeds what the organization may have uploaded for imports: %lld bytes "
	    "(OCTAVO_IMPORT_UPLOADS) in %d files. Files leave with their import, or after two days", (long long)r->set->import_uploads,
	    IMPORT_ORG_FILES);
}

int
import_file_announce(struct req *r, const char *id, const char *name, int64_t size)
{
	const char *why = file_name_fault(name);
	struct stmt *q;

	if (why != NULL)
		return fail_field(r, "/file/name", "%s", why);
	if (room_or_fail(r, size) != 0)
		return -1;
	q = db_use(r->db, &q_import_add);
	bind_text(q, ":id", id);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":name", name);
	bind_int(q, ":size", size);
	bind_text(q, ":user", r->who.user);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	return 0;
}

/* ---- the bytes ---- */

/* A part of a file: its bytes are on disk under a temporary name until the row counts them. */
struct import_part {
	const char *folder, *path;   /* path NULL: not written yet */
	const char *why;             /* why it could not be written; NULL: no error */
};

static bool
write_synced(const char *path, struct str bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	size_t at = 0;
	ssize_t n = 0;
	bool ok;

	for (; fd >= 0 && at < bytes.n; at += (size_t)n)
		if ((n = write(fd, bytes.p + at, bytes.n - at)) <= 0)
			break;
	ok = fd >= 0 && at == bytes.n && fsync(fd) == 0;
	if (fd >= 0)
		close(fd);
	return ok;
}

/* Called outside of any transaction, because writing to the disk may be slow. */
static void
write_part(struct req *r, void *arg)
{
	struct import_part *p = arg;

	folder_make(AT_FDCWD, arena_printf(r->arena, "%s/uploads", r->set->dir), 0700);
	folder_make(AT_FDCWD, p->folder, 0700);
	p->path = arena_printf(r->arena, "%s/part.%s", p->folder, secret_id(r->arena));
	if (!write_synced(p->path, r->raw_body))
		p->why = arena_strdup(r->arena, strerror(errno));
}

static void
drop_part(struct req *r, void *arg)
{
	const struct import_part *p = arg;

	(void)r;
	if (p->path != NULL)
		unlink(p->path);
}

static int
part_or_fail(struct req *r, const struct import_file *f)
{
	int64_t offset = query_int(r, "offset", 0), n = (int64_t)r->raw_body.n;
	int64_t least = r->set->max_body < IMPORT_PART_LEAST ? r->set->max_body : IMPORT_PART_LEAST;

	if (f->run != NULL)
		return fail(r, E_CONFLICT, "the file is being imported");
	if (offset != f->received)
		return fail(r, E_CONFLICT, "%lld bytes of the file are there: continue with offset=%lld", (long long)f->received,
		    (long long)f->received);
	if (n > f->size - offset)
		return fail(r, E_BAD_REQUEST, "the part ends at byte %lld of a file of %lld bytes", (long long)offset + n, (long long)f->size);
	if (n < least && offset + n < f->size)
		return fail(r, E_BAD_REQUEST, "a part must have at least %lld bytes, except for the last one", (long long)least);
	return 0;
}

int
import_file_put(struct req *r, const struct import_file *f)
{
	struct import_part *p = r->went_ahead ? r->ahead_arg : arena_alloc(r->arena, sizeof(*p));
	struct stmt *q;

	if (part_or_fail(r, f) != 0)
		return -1;
	if (!r->went_ahead) {
		*p = (struct import_part){ .folder = import_file_folder(r->arena, r->set, f->id) };
		r->undo = drop_part;
		return go_ahead(r, write_part, p);
	}
	/*
	 * Write requests run one after another, so no other request has renamed a part of this
	 * offset meanwhile.
	 */
	if (p->why != NULL || rename(p->path, import_file_part(r->arena, r->set, f->id, f->received)) != 0)
		return fail(r, E_BUSY, "the part cannot be stored: %s", p->why != NULL ? p->why : strerror(errno));
	q = db_use(r->db, &q_import_received);
	bind_text(q, ":id", f->id);
	bind_int(q, ":received", f->received + (int64_t)r->raw_body.n);
	stmt_run(q);
	return reply_empty(r);
}

int
import_file_reply(struct req *r, const struct import_file *f)
{
	json_obj(&r->json);
	json_kstr(&r->json, "object", "storage-file");
	json_kstr(&r->json, "key", f->id);
	json_kstr(&r->json, "name", f->name);
	json_kint(&r->json, "size", f->size);
	json_kint(&r->json, "received", f->received);
	json_end(&r->json);
	return 0;
}
