/* Makes, verifies and restores backups. Contract: include/command/backup.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/database.h"
#include "base/file.h"
#include "base/json.h"
#include "base/secret.h"
#include "db/db.h"
#include "store/blob.h"
#include "store/invariants.h"
#include "backup_parts.h"

/* Bytes that the kernel copies per call. */
enum { COPY_STEP = 8 << 20 };
/* Ending of the names of blobs that are not synced yet: the form of a temporary file, ".PID.N", of no process. */
#define UNSYNCED ".0.0"

/* ---- files ---- */

const char *
backup_failed(struct backup *b, const char *path)
{
	return arena_printf(b->arena, "%s: %s", path, strerror(errno));
}

void
backup_found(struct backup *b, const char *what)
{
	b->faults++;
	if (b->fault != NULL)
		b->fault(b->ctx, what);
}

void
backup_tick(struct backup *b, const char *what, int64_t done, int64_t total)
{
	if (b->tick != NULL)
		b->tick(what, done, total);
}

/* Copies with read() and write(), from the current offsets of both files. */
static bool
copy_by_hand(int in, int out)
{
	char piece[64 << 10];
	ssize_t n, done;

	while ((n = read(in, piece, sizeof(piece))) != 0) {
		for (done = 0; done < n;) {
			ssize_t k = write(out, piece + done, (size_t)(n - done));
			if (k < 0 && errno != EINTR)
				return false;
			done += k > 0 ? k : 0;
		}
		if (n < 0 && errno != EINTR)
			return false;
	}
	return true;
}

/*
 * Lets the kernel copy, which shares blocks if the file system can. The kernel refuses some pairs
 * of file systems (copy_file_range(2): EXDEV), such as different disks; these are copied by hand.
 */
static bool
copy_bytes(int in, int out)
{
	ssize_t n;

	while ((n = copy_file_range(in, NULL, out, NULL, COPY_STEP, 0)) > 0)
		;
	return n == 0 || ((errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP) &&
	    copy_by_hand(in, out));
}

/* Returns the same values as backup_copy_file(), and leaves no file after a failure. */
static int
make_copy(const char *from, const char *to, mode_t mode, enum backup_copy how)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out, rc = -1, why;

	if (in < 0)
		return errno == ENOENT ? 0 : -1;
	out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	/*
	 * Use the cheapest method that works: shared blocks, then a hard link, then a copy. A link
	 * is safe only for files that are never changed in place, such as blobs.
	 */
	if (out >= 0 && ioctl(out, FICLONE, in) == 0)
		rc = fchmod(out, mode) == 0 ? 1 : -1;
	else if (out >= 0 && how == BACKUP_LINK && unlink(to) == 0 && link(from, to) == 0)
		rc = 1;
	else if (out >= 0) {
		close(out);
		out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		rc = out >= 0 && copy_bytes(in, out) && fchmod(out, mode) == 0 ? 1 : -1;
	}
	if (rc == 1 && how == BACKUP_SYNC && fsync(out) != 0)
		rc = -1;
	/* Save errno: unlink() and close() may change it, but callers report the first failure. */
	why = errno;
	if (rc < 0)
		unlink(to);
	close(in);
	if (out >= 0)
		close(out);
	errno = why;
	return rc;
}

/* Writes the copy under a temporary name beside the target, then renames it. */
int
backup_copy_file(struct backup *b, const char *from, const char *to, mode_t mode, enum backup_copy how)
{
	const char *temp = arena_printf(b->arena, "%s.new", to);
	int rc = make_copy(from, temp, mode, how), why;

	if (rc != 1 || rename(temp, to) == 0)
		return rc;
	why = errno;
	unlink(temp);
	errno = why;
	return -1;
}

int64_t
backup_size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (int64_t)st.st_size : -1;
}

const char *
backup_make_folder(struct backup *b, const char *path, mode_t mode)
{
	return folder_make(AT_FDCWD, path, mode) ? NULL : backup_failed(b, path);
}

const char *
backup_sync_all(struct backup *b, const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool ok = fd >= 0 && syncfs(fd) == 0;

	if (fd >= 0)
		close(fd);
	return ok ? NULL : backup_failed(b, path);
}

const char *
backup_in(struct backup *b, const char *folder, const char *name)
{
	return arena_printf(b->arena, "%s/%s", folder, name);
}

/* ---- the database ---- */

static void
database_tick(void *ctx, int64_t done, int64_t total)
{
	backup_tick(ctx, "copying the database", done, total);
}

/* Context for the results of SQLite's checks. */
struct verdict {
	struct backup *b;
	const char    *path;
};

/* SQLite's checks return one row "ok", or one row per fault. */
static void
take_verdict(void *ctx, struct stmt *q)
{
	struct verdict *v = ctx;

	if (strcmp(col_text(q, 0), "ok") != 0)
		backup_found(v->b, arena_printf(v->b->arena, "%s: %s", v->path, col_text(q, 0)));
}

/*
 * Runs the pragma on a database that no other process has open. SQLite deletes its two extra files
 * when the connection closes.
 */
const char *
backup_look_into(struct backup *b, const char *path, const char *pragma)
{
	struct verdict v = { b, path };
	const char *error = NULL;
	struct db *db = db_open(b->arena, path, DB_ANY_VERSION, NULL, &error);

	if (db == NULL)
		return error;
	b->note.schema = db_version(db);
	db_each(db, b->arena, pragma, take_verdict, &v, &error);
	db_close(db);
	return error;
}

/* Sets note.hash and note.size. */
static const char *
hash_database(struct backup *b, const char *path)
{
	unsigned char h[HASH_BYTES];

	backup_tick(b, "reading the database", 0, 0);
	if (!hash_file(path, h))
		return backup_failed(b, path);
	snprintf(b->note.hash, sizeof(b->note.hash), "%s",
	    hex(b->arena, (struct str){ (const char *)h, sizeof(h) }));
	b->note.size = backup_size_of(path);
	return NULL;
}

static void
report_damage(void *ctx, const char *what)
{
	struct backup *b = ctx;

	backup_found(b, arena_printf(b->arena, "a text is damaged: %s", what));
}

static void
report_dangling(void *ctx, struct stmt *q)
{
	struct backup *b = ctx;

	backup_found(b, arena_printf(b->arena, "a row refers to a row that does not exist: %s", col_text(q, 0)));
}

/*
 * Finds faults that SQLite's own check misses: dangling references, and flipped bits inside rows.
 */
static const char *
check_contents(struct backup *b, const char *copy)
{
	const char *error = NULL;
	struct db *db = db_open(b->arena, copy, DB_ANY_VERSION, NULL, &error);

	if (db == NULL)
		return error;
	backup_tick(b, "reading texts", 0, 0);
	db_each(db, b->arena, "SELECT \"table\" || ' -> ' || parent FROM pragma_foreign_key_check", report_dangling, b, &error);
	if (error == NULL && db_version(db) == db_latest())
		check_bytes(db, b->arena, report_damage, b, &error);
	db_close(db);
	return error;
}

/* Checks the copy before it becomes the backup. */
const char *
backup_copy_database(struct backup *b, const char *copy)
{
	const char *error = NULL;
	struct db *db;
	bool ok;

	backup_temp_database(b, copy);
	if ((db = database_open(b->arena, b->data, DB_ANY_VERSION, NULL, &error)) == NULL)
		return error;
	/* Taken before the copy: the copy contains everything committed until this time. */
	b->note.taken = time_now();
	ok = db_copy(db, b->arena, copy, database_tick, b, &error);
	db_close(db);
	/*
	 * A backup without the key may be given to other people: rewrite it, since free pages still
	 * contain deleted data.
	 */
	if (ok && !b->key)
		ok = db_rewrite(b->arena, copy, &error);
	if (!ok)
		return error;
	backup_tick(b, "checking the copy", 0, 0);
	/*
	 * quick_check skips the comparison of indexes with tables, which takes most of the time
	 * (sqlite.org/pragma.html#pragma_quick_check); backup_verify() does that comparison.
	 */
	if ((error = backup_look_into(b, copy, "PRAGMA quick_check")) != NULL ||
	    (error = backup_identify(b, copy)) != NULL || (error = check_contents(b, copy)) != NULL)
		return error;
	return hash_database(b, copy);
}

/* ---- blobs ---- */

struct walk {
	struct backup *b;
	const char    *to;
	enum backup_copy how;
	const char    *error;
	int64_t        seen, total;
};

/* A file without a hash is temporary and belongs to no backup. */
static void
count_file(void *ctx, const struct blob_file *f)
{
	((struct walk *)ctx)->total += f->hash.n != 0;
}

/* A file that has disappeared was swept: neither the database nor its copy refers to it. */
static void
copy_blob(void *ctx, const struct blob_file *f)
{
	struct walk *w = ctx;
	struct backup *b = w->b;
	int64_t size = backup_size_of(f->path);
	char *to;

	if (f->hash.n == 0 || w->error != NULL || size < 0)
		return;
	to = blob_path(b->arena, w->to, f->hash);
	backup_tick(b, "copying files", w->seen++, w->total);
	/*
	 * Copy only new files: the name is the hash, so a file with this name and size is taken to
	 * be identical. backup_verify() reads all of them.
	 */
	if (backup_size_of(to) != size) {
		w->error = backup_make_folder(b, arena_strndup(b->arena, to, (size_t)(strrchr(to, '/') - to)), SHARED_FOLDER);
		to = arena_printf(b->arena, "%s" UNSYNCED, to);
		if (w->error == NULL && make_copy(f->path, to, 0640, w->how) < 0)
			w->error = backup_failed(b, to);
		b->copied++;
		b->bytes += size;
	}
	b->note.files++;
}

/* A killed backup left the file, whose bytes may be incomplete. */
static void
drop_unnamed(void *ctx, const struct blob_file *f)
{
	(void)ctx;
	if (f->hash.n == 0)
		unlink(f->path);
}

static void
name_blob(void *ctx, const struct blob_file *f)
{
	struct walk *w = ctx;
	size_t n = strlen(f->path) - strlen(UNSYNCED);

	if (f->hash.n == 0 && w->error == NULL && strcmp(f->path + n, UNSYNCED) == 0 &&
	    rename(f->path, arena_strndup(w->b->arena, f->path, n)) != 0)
		w->error = backup_failed(w->b, f->path);
}

/*
 * Call it after the database was copied: every file that the copy refers to then exists already.
 * Newer files do no harm. A file with the name of its hash is taken to have its bytes, also after a
 * power cut: so all are synced before they get these names. The caller syncs the names.
 */
const char *
backup_copy_blobs(struct backup *b, const char *database, const char *from, const char *to, enum backup_copy how)
{
	struct walk w = { .b = b, .to = to, .how = how };
	int64_t before = b->copied;

	w.error = backup_make_folder(b, backup_in(b, to, "blobs"), SHARED_FOLDER);
	b->note.files = 0;
	if (w.error != NULL)
		return w.error;
	blob_walk(b->arena, to, drop_unnamed, &w);
	blob_walk(b->arena, from, count_file, &w);
	blob_walk(b->arena, from, copy_blob, &w);
	if (w.error == NULL && database != NULL)
		w.error = backup_each_object(b, database, to, copy_blob, &w);
	if (w.error == NULL && b->copied > before && (w.error = backup_sync_all(b, to)) == NULL)
		blob_walk(b->arena, to, name_blob, &w);
	return w.error;
}

/* Deletes a file that an earlier backup had and the data no longer has. */
static void
drop_blob(void *ctx, const struct blob_file *f)
{
	struct backup *b = ctx;

	if (f->hash.n == 0 || backup_size_of(blob_path(b->arena, b->data, f->hash)) < 0)
		unlink(f->path);
}

static void
drop_old_blobs(struct backup *b)
{
	if (blob_store() == NULL)
		blob_walk(b->arena, b->to, drop_blob, b);
	else
		backup_drop_unknown(b);
}

/* Reads the bytes and compares the hash: a disk may return different bytes than were written. */
static void
verify_blob(void *ctx, const struct blob_file *f)
{
	struct walk *w = ctx;
	unsigned char h[HASH_BYTES];

	if (f->hash.n == 0)
		return;
	backup_tick(w->b, "reading files", w->seen++, w->total);
	if (!hash_file(f->path, h) || !str_eq((struct str){ (const char *)h, sizeof(h) }, f->hash))
		backup_found(w->b, arena_printf(w->b->arena, "%s: the content does not match the hash in its name", f->path));
}

static void
report_if_missing(void *ctx, struct stmt *q)
{
	struct backup *b = ctx;
	char *path = blob_path(b->arena, b->to, col_bytes(q, 0));

	if (backup_size_of(path) != col_int(q, 1))
		backup_found(b, arena_printf(b->arena, "%s: missing, or of another size", path));
}

/*
 * Checks that every file that the database names exists; only if the database has this program's
 * schema.
 */
static const char *
check_complete(struct backup *b, const char *name)
{
	const char *error = NULL;
	struct db *db = db_open(b->arena, backup_in(b, b->to, name), DB_ANY_VERSION, NULL, &error);

	if (db != NULL && db_version(db) == db_latest())
		blob_files_each(db, b->arena, report_if_missing, b, &error);
	db_close(db);
	return error;
}

/* ---- making and verifying a backup ---- */

/*
 * True if octavo.backup.new describes octavo.db: an earlier backup was killed between its two
 * renames. Keeps the contents of b->note.
 */
static bool
is_half_named(struct backup *b)
{
	struct backup_note kept = b->note;
	char hash[sizeof(kept.hash)];
	bool half = backup_note_take(b, "octavo.backup.new");

	memcpy(hash, b->note.hash, sizeof(hash));
	half = half && hash_database(b, backup_in(b, b->to, "octavo.db")) == NULL && strcmp(hash, b->note.hash) == 0;
	b->note = kept;
	return half;
}

static const char *
name_note(struct backup *b)
{
	const char *to = backup_in(b, b->to, "octavo.backup");

	return rename(backup_in(b, b->to, "octavo.backup.new"), to) == 0 ? backup_sync_all(b, b->to) : backup_failed(b, to);
}

/*
 * Accepts a folder that is missing, empty, or holds a complete or an unfinished backup. Locks it
 * until the process ends.
 */
static const char *
prepare_folder(struct backup *b)
{
	bool known = access(backup_in(b, b->to, "octavo.backup"), F_OK) == 0 ||
	    access(backup_in(b, b->to, "octavo.backup.new"), F_OK) == 0;
	const char *error = NULL;
	struct dirent *e;
	DIR *d;
	int fd;

	if (strcmp(b->data, b->to) == 0)
		return "a backup cannot be the data itself";
	if (mkdir(b->to, 0700) != 0 && errno != EEXIST)
		return backup_failed(b, b->to);
	if ((d = opendir(b->to)) == NULL)
		return backup_failed(b, b->to);
	while (!known && (e = readdir(d)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
		    strcmp(e->d_name, "lost+found") != 0) {
			error = arena_printf(b->arena, "%s holds something that is no backup (%s); name an empty "
			    "folder, or one that does not exist", b->to, e->d_name);
			break;
		}
	closedir(d);   /* frees e as well */
	if (error != NULL)
		return error;
	/* Stays open, and with it the lock, until the command ends. */
	if ((fd = open(b->to, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		return backup_failed(b, b->to);
	if (flock(fd, LOCK_EX | LOCK_NB) != 0)
		return arena_printf(b->arena, "another backup into %s is under way", b->to);
	/* A backup contains the key and all content, including content that is not public. */
	if (chmod(b->to, 0700) != 0)
		return backup_failed(b, b->to);
	/* The new backup would overwrite the only note of the existing database. */
	return is_half_named(b) ? name_note(b) : NULL;
}

/*
 * Copies the key. A backup without it (b->key false) may be stored where fewer people are trusted,
 * so an existing copy is deleted.
 */
static const char *
copy_key(struct backup *b)
{
	const char *to = backup_in(b, b->to, "octavo.key");

	b->note.key = b->key;
	if (!b->key) {
		unlink(to);
		return NULL;
	}
	return backup_copy_file(b, backup_in(b, b->data, "octavo.key"), to, 0600, BACKUP_SYNC) == 1 ? NULL :
	    backup_failed(b, backup_in(b, b->data, "octavo.key"));
}

/*
 * Syncs the bytes, then renames: the old backup stays complete until the new database is renamed
 * into place. From then on octavo.backup.new is the note of that database, until it is renamed as
 * well: a signal must not delete it, and a power cut must not leave it renamed before the database.
 */
static const char *
give_names(struct backup *b)
{
	const char *error = backup_sync_all(b, b->to), *to = backup_in(b, b->to, "octavo.db");

	if (error != NULL)
		return error;
	backup_temp_forget();
	if (rename(backup_in(b, b->to, "octavo.db.new"), to) != 0)
		return backup_failed(b, to);
	error = backup_sync_all(b, b->to);
	return error != NULL ? error : name_note(b);
}

/*
 * Deletes the temporary files of a failed backup. If blobs were copied into a new folder,
 * octavo.backup.new stays, since it marks the folder as a backup; also if it is the note of the
 * database.
 */
static void
drop_new(struct backup *b)
{
	unlink(backup_in(b, b->to, "octavo.db.new"));
	if (!is_half_named(b) &&
	    (access(backup_in(b, b->to, "octavo.backup"), F_OK) == 0 || access(backup_in(b, b->to, "blobs"), F_OK) != 0))
		unlink(backup_in(b, b->to, "octavo.backup.new"));
	/* Fails if the folder is not empty. */
	rmdir(b->to);
}

static const char *
make_folder_backup(struct backup *b)
{
	/* Mark the folder as a backup from the start. */
	const char *error = backup_note_write(b, "octavo.backup.new"), *key = backup_in(b, b->to, "octavo.key.new");

	/*
	 * Delete the temporary key file of a killed backup: of all files, a key must not be left
	 * behind.
	 */
	unlink(key);
	backup_temp_register(b, key);
	/*
	 * Only if octavo.backup exists: otherwise octavo.backup.new must stay to mark the folder as
	 * a backup.
	 */
	if (access(backup_in(b, b->to, "octavo.backup"), F_OK) == 0)
		backup_temp_register(b, backup_in(b, b->to, "octavo.backup.new"));
	if (error == NULL)
		error = backup_copy_database(b, backup_in(b, b->to, "octavo.db.new"));
	if (error == NULL)
		error = backup_may_replace_folder(b);
	if (error == NULL)
		error = backup_copy_blobs(b, backup_in(b, b->to, "octavo.db.new"), b->data, b->to, BACKUP_LINK);
	if (error == NULL)
		error = check_complete(b, "octavo.db.new");
	if (error == NULL)
		error = copy_key(b);
	if (error == NULL && b->faults > 0)
		error = "the data is damaged: the backup that was there was not replaced; octavo check says more";
	if (error == NULL)
		error = backup_note_write(b, "octavo.backup.new");
	if (error == NULL && (error = give_names(b)) == NULL)
		drop_old_blobs(b);
	return error;
}

const char *
backup_make(struct backup *b)
{
	const char *error;

	if (backup_is_file(b->to))
		return backup_file_make(b);
	if ((error = prepare_folder(b)) != NULL)
		return error;
	umask(077);
	if ((error = make_folder_backup(b)) != NULL)
		drop_new(b);
	backup_temp_forget();
	return error;
}

const char *
backup_verify(struct backup *b)
{
	struct walk w = { .b = b };
	struct backup_note stored;
	const char *error, *path = backup_in(b, b->to, "octavo.db");

	if (backup_is_file(b->to))
		return backup_file_verify(b);
	/*
	 * If an earlier backup was interrupted between the two renames, the newer note describes
	 * the database.
	 */
	if (!backup_note_take(b, "octavo.backup"))
		return arena_printf(b->arena, "%s is no backup, or one that was never finished", b->to);
	stored = b->note;
	if ((error = hash_database(b, path)) != NULL)
		return error;
	if (strcmp(stored.hash, b->note.hash) != 0 && backup_note_take(b, "octavo.backup.new"))
		stored = b->note;
	/* Hash again, since backup_note_take() has replaced the hash. */
	hash_database(b, path);
	if (strcmp(stored.hash, b->note.hash) != 0)
		backup_found(b, arena_printf(b->arena, "%s: the content does not match the hash in octavo.backup", path));
	if ((error = backup_look_into(b, path, "PRAGMA integrity_check")) == NULL)
		error = check_complete(b, "octavo.db");
	blob_walk(b->arena, b->to, count_file, &w);
	blob_walk(b->arena, b->to, verify_blob, &w);
	if (stored.key && backup_size_of(backup_in(b, b->to, "octavo.key")) <= 0)
		backup_found(b, "octavo.key is missing");
	b->note = stored;
	/* A database that cannot be opened counts as a fault too. */
	if (error != NULL)
		backup_found(b, error);
	return NULL;
}

/* ---- restoring ---- */

/*
 * The folder may contain files that appear on their own (such as an empty folder created by
 * systemd), but no data.
 */
const char *
backup_prepare_data(struct backup *b)
{
	static const char *const harmless[] = { ".", "..", "lost+found", "log", "run", "cache" };
	bool begun = access(backup_in(b, b->data, "octavo.restoring"), F_OK) == 0, known;
	const char *error = NULL;
	struct dirent *e;
	FILE *mark;
	DIR *d;

	if (!folder_make(AT_FDCWD, b->data, DATA_FOLDER))
		return backup_failed(b, b->data);
	if ((d = opendir(b->data)) == NULL)
		return backup_failed(b, b->data);
	while (!begun && error == NULL && (e = readdir(d)) != NULL) {
		known = false;
		for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
			known |= strcmp(e->d_name, harmless[i]) == 0;
		if (!known)
			error = arena_printf(b->arena, "%s is not empty (%s); move what is there away first", b->data,
			    e->d_name);
	}
	closedir(d);   /* frees e as well */
	if (error != NULL)
		return error;
	/*
	 * Marks the files as coming from a restore, so that an interrupted restore can be repeated.
	 */
	if ((mark = fopen(backup_in(b, b->data, "octavo.restoring"), "we")) == NULL)
		return backup_failed(b, b->data);
	fclose(mark);
	return NULL;
}

struct owner {
	struct backup *b;
	uid_t          uid;
	gid_t          gid;
	const char    *error;
};

/*
 * Uses lchown(), so that a symbolic link cannot change the owner of its target. A missing file is
 * no error.
 */
static void
give_to_owner(struct owner *o, const char *path)
{
	if (o->error == NULL && lchown(path, o->uid, o->gid) != 0 && errno != ENOENT)
		o->error = backup_failed(o->b, path);
}

static void
own_blob(void *ctx, const struct blob_file *f)
{
	struct owner *o = ctx;

	give_to_owner(o, f->path);
	/*
	 * Also change the folder of each file. Repeating it for some folders costs a system call
	 * but needs no list.
	 */
	give_to_owner(o, arena_strndup(o->b->arena, f->path, (size_t)(strrchr(f->path, '/') - f->path)));
}

const char *
backup_own_all(struct backup *b, int64_t uid, int64_t gid)
{
	struct owner o = { b, (uid_t)uid, (gid_t)gid, NULL };

	if (uid < 0)
		return NULL;
	give_to_owner(&o, backup_in(b, b->data, "octavo.db.new"));
	give_to_owner(&o, backup_in(b, b->data, "octavo.key"));
	give_to_owner(&o, backup_in(b, b->data, "blobs"));
	blob_walk(b->arena, b->data, own_blob, &o);
	return o.error;
}

/* Copies, never links: later changes to the data must not change the backup, nor the reverse. */
static const char *
restore_files(struct backup *b)
{
	const char *error, *from = backup_in(b, b->to, "octavo.key");

	backup_tick(b, "copying the database", 0, 0);
	if (backup_copy_file(b, backup_in(b, b->to, "octavo.db"), backup_in(b, b->data, "octavo.db.new"), 0600, BACKUP_COPY) != 1)
		return backup_failed(b, backup_in(b, b->data, "octavo.db.new"));
	if ((error = backup_copy_blobs(b, NULL, b->to, b->data, BACKUP_COPY)) != NULL)
		return error;
	if (b->note.key && b->key)
		return backup_copy_file(b, from, backup_in(b, b->data, "octavo.key"), 0600, BACKUP_SYNC) == 1 ? NULL : backup_failed(b, from);
	/*
	 * Without the old key, signatures and sealed secrets of the old data are invalid, but the
	 * programs can start.
	 */
	if ((error = secret_create(b->arena, b->data)) != NULL)
		return error;
	return backup_adopt_key(b, backup_in(b, b->data, "octavo.db.new"));
}

/* Verifies the whole backup before anything is written. */
static const char *
restore_folder(struct backup *b)
{
	const char *error = backup_verify(b);

	if (error == NULL && b->faults > 0)
		error = "the backup is damaged; nothing was restored";
	if (error == NULL)
		error = backup_prepare_data(b);
	return error != NULL ? error : restore_files(b);
}

/* Renames octavo.db into place last, so that no program starts on incomplete data. */
const char *
backup_restore(struct backup *b, int64_t uid, int64_t gid)
{
	const char *error = backup_is_file(b->to) ? backup_file_unpack(b) : restore_folder(b);

	if (error == NULL)
		error = backup_own_all(b, uid, gid);
	if (error == NULL)
		error = backup_sync_all(b, b->data);
	if (error == NULL && rename(backup_in(b, b->data, "octavo.db.new"), backup_in(b, b->data, "octavo.db")) != 0)
		error = backup_failed(b, backup_in(b, b->data, "octavo.db"));
	/* As long as the mark exists, a failed restore can be repeated. */
	if (error != NULL || (error = backup_sync_all(b, b->data)) != NULL)
		return error;
	unlink(backup_in(b, b->data, "octavo.restoring"));
	/* The data are synced. If this sync fails, a power cut can only bring the mark back. */
	backup_sync_all(b, b->data);
	return NULL;
}
