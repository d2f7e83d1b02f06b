/* Making, reading and restoring backups; the contract is in include/tools/backup.h. */
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

#include "base/json.h"
#include "base/secret.h"
#include "db/db.h"
#include "store/blob.h"
#include "tools/backup.h"

enum { COPY_STEP = 8 << 20 };

/* ---- files ---- */

static const char *
failed(struct backup *b, const char *path)
{
	return arena_printf(b->arena, "%s: %s", path, strerror(errno));
}

static void
found(struct backup *b, const char *what)
{
	b->faults++;
	if (b->fault != NULL)
		b->fault(b->ctx, what);
}

static void
tick(struct backup *b, const char *what, int64_t done, int64_t total)
{
	if (b->tick != NULL)
		b->tick(what, done, total);
}

static bool
copy_bytes(int in, int out)
{
	ssize_t n;

	while ((n = copy_file_range(in, NULL, out, NULL, COPY_STEP, 0)) > 0)
		;
	return n == 0;
}

/*
 * The file under another name, whole or not at all. link: a hard link will do. 1: it is
 * there now; 0: there is none to copy; -1: errno. The new file is made beside its place.
 */
static int
copy_file(struct backup *b, const char *from, const char *to, mode_t mode, bool may_link)
{
	const char *temp = arena_printf(b->arena, "%s.new", to);
	int in = open(from, O_RDONLY | O_CLOEXEC), out, rc = -1, why;

	if (in < 0)
		return errno == ENOENT ? 0 : -1;
	out = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (out >= 0 && ioctl(out, FICLONE, in) == 0)
		rc = fchmod(out, mode) == 0 ? 1 : -1;
	else if (out >= 0 && may_link && unlink(temp) == 0 && link(from, temp) == 0)
		rc = 1;
	else if (out >= 0) {
		close(out);
		out = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		rc = out >= 0 && copy_bytes(in, out) && fchmod(out, mode) == 0 ? 1 : -1;
	}
	if (rc == 1 && rename(temp, to) != 0)
		rc = -1;
	why = errno;
	if (rc < 0)
		unlink(temp);
	close(in);
	if (out >= 0)
		close(out);
	errno = why;
	return rc;
}

static int64_t
size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (int64_t)st.st_size : -1;
}

static const char *
make_folder(struct backup *b, const char *path, mode_t mode)
{
	return mkdir(path, mode) == 0 || errno == EEXIST ? NULL : failed(b, path);
}

static const char *
sync_all(struct backup *b, const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool ok = fd >= 0 && syncfs(fd) == 0;

	if (fd >= 0)
		close(fd);
	return ok ? NULL : failed(b, path);
}

static const char *
in(struct backup *b, const char *folder, const char *name)
{
	return arena_printf(b->arena, "%s/%s", folder, name);
}

/* ---- octavo.backup ---- */

static bool
read_note(struct backup *b, const char *name)
{
	FILE *f = fopen(in(b, b->to, name), "re");
	struct backup_note *n = &b->note;
	char taken[32], key[8];
	bool ok;

	if (f == NULL)
		return false;
	ok = fscanf(f, "octavo backup 1\ntaken %31s\nschema %d\nsize %" SCNd64 "\nhash %64s\nfiles %" SCNd64
	    "\nkey %7s", taken, &n->schema, &n->size, n->hash, &n->files, key) == 6 &&
	    time_parse(taken, &n->taken);
	n->key = ok && strcmp(key, "yes") == 0;
	fclose(f);
	return ok;
}

static const char *
write_note(struct backup *b, const char *name)
{
	const char *path = in(b, b->to, name);
	const struct backup_note *n = &b->note;
	char taken[25];
	FILE *f = fopen(path, "we");

	if (f == NULL)
		return failed(b, path);
	time_format(n->taken, taken);
	fprintf(f, "octavo backup 1\ntaken %s\nschema %d\nsize %" PRId64 "\nhash %s\nfiles %" PRId64
	    "\nkey %s\n", taken, n->schema, n->size, n->hash, n->files, n->key ? "yes" : "no");
	return fclose(f) == 0 ? NULL : failed(b, path);
}

/* ---- the database ---- */

static void
database_tick(void *ctx, int64_t done, int64_t total)
{
	tick(ctx, "copying the database", done, total);
}

/* What is wrong with a database as SQLite sees it; "ok" is no fault. */
struct verdict {
	struct backup *b;
	const char    *path;
};

static void
take_verdict(void *ctx, struct stmt *q)
{
	struct verdict *v = ctx;

	if (strcmp(col_text(q, 0), "ok") != 0)
		found(v->b, arena_printf(v->b->arena, "%s: %s", v->path, col_text(q, 0)));
}

/* Opens what nobody else has open; the two files that SQLite puts beside it go again with the connection. */
static const char *
look_into(struct backup *b, const char *path, const char *pragma)
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

static const char *
hash_database(struct backup *b, const char *path)
{
	unsigned char h[HASH_BYTES];

	tick(b, "reading the database", 0, 0);
	if (!hash_file(path, h))
		return failed(b, path);
	snprintf(b->note.hash, sizeof(b->note.hash), "%s",
	    hex(b->arena, (struct str){ (const char *)h, sizeof(h) }));
	b->note.size = size_of(path);
	return NULL;
}

/* octavo.db.new: the copy, looked at before it becomes the backup. */
static const char *
copy_database(struct backup *b)
{
	const char *copy = in(b, b->to, "octavo.db.new"), *path = in(b, b->data, "octavo.db"), *error = NULL;
	struct db *db;
	bool ok;

	unlink(copy);
	unlink(in(b, b->to, "octavo.db.new-wal"));
	if ((db = db_open(b->arena, path, DB_ANY_VERSION, NULL, &error)) == NULL)
		return error;
	b->note.taken = time_now();
	ok = db_copy(db, b->arena, copy, database_tick, b, &error);
	db_close(db);
	if (!ok)
		return error;
	tick(b, "checking the copy", 0, 0);
	if ((error = look_into(b, copy, "PRAGMA quick_check")) != NULL)
		return error;
	return hash_database(b, copy);
}

/* ---- blobs ---- */

struct walk {
	struct backup *b;
	const char    *to;
	bool           may_link;
	const char    *error;
	int64_t        seen, total;
};

static void
count_file(void *ctx, const struct blob_file *f)
{
	((struct walk *)ctx)->total += f->hash.n != 0;
}

/* One that is gone meanwhile was swept: nothing named it any more, nor does the copied database. */
static void
copy_blob(void *ctx, const struct blob_file *f)
{
	struct walk *w = ctx;
	struct backup *b = w->b;
	int64_t size = size_of(f->path);
	char *to;

	if (f->hash.n == 0 || w->error != NULL || size < 0)
		return;
	to = blob_path(b->arena, w->to, f->hash);
	tick(b, "copying files", w->seen++, w->total);
	if (size_of(to) != size) {
		w->error = make_folder(b, arena_strndup(b->arena, to, (size_t)(strrchr(to, '/') - to)), 0750);
		if (w->error == NULL && copy_file(b, f->path, to, 0640, w->may_link) < 0)
			w->error = failed(b, to);
		b->copied++;
		b->bytes += size;
	}
	b->note.files++;
}

static const char *
copy_blobs(struct backup *b, const char *from, const char *to, bool may_link)
{
	struct walk w = { .b = b, .to = to, .may_link = may_link };

	w.error = make_folder(b, in(b, to, "blobs"), 0750);
	b->note.files = 0;
	if (w.error == NULL)
		blob_walk(b->arena, from, count_file, &w);
	if (w.error == NULL)
		blob_walk(b->arena, from, copy_blob, &w);
	return w.error;
}

/* What an earlier backup had and the data has no more. */
static void
drop_blob(void *ctx, const struct blob_file *f)
{
	struct backup *b = ctx;

	if (f->hash.n == 0 || size_of(blob_path(b->arena, b->data, f->hash)) < 0)
		unlink(f->path);
}

static void
verify_blob(void *ctx, const struct blob_file *f)
{
	struct walk *w = ctx;
	unsigned char h[HASH_BYTES];

	if (f->hash.n == 0)
		return;
	tick(w->b, "reading files", w->seen++, w->total);
	if (!hash_file(f->path, h) || !str_eq((struct str){ (const char *)h, sizeof(h) }, f->hash))
		found(w->b, arena_printf(w->b->arena, "%s: its bytes are not what its name says", f->path));
}

static void
look_for(void *ctx, struct stmt *q)
{
	struct backup *b = ctx;
	char *path = blob_path(b->arena, b->to, col_bytes(q, 0));

	if (size_of(path) != col_int(q, 1))
		found(b, arena_printf(b->arena, "%s: missing, or of another size", path));
}

/* Every file that the database names is there; asked only where the schema is the one of this program. */
static const char *
complete(struct backup *b, const char *name)
{
	const char *error = NULL;
	struct db *db = db_open(b->arena, in(b, b->to, name), DB_ANY_VERSION, NULL, &error);

	if (db != NULL && db_version(db) == db_latest())
		blob_files_each(db, b->arena, look_for, b, &error);
	db_close(db);
	return error;
}

/* ---- the three ---- */

/* A folder that is empty, or holds a backup, whole or begun; locked as long as the process lives. */
static const char *
prepare(struct backup *b)
{
	bool known = access(in(b, b->to, "octavo.backup"), F_OK) == 0 ||
	    access(in(b, b->to, "octavo.backup.new"), F_OK) == 0;
	const char *error = NULL;
	struct dirent *e;
	DIR *d;

	if (strcmp(b->data, b->to) == 0)
		return "a backup cannot be the data itself";
	if (mkdir(b->to, 0700) != 0 && errno != EEXIST)
		return failed(b, b->to);
	if ((d = opendir(b->to)) == NULL)
		return failed(b, b->to);
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
	if (flock(open(b->to, O_RDONLY | O_DIRECTORY | O_CLOEXEC), LOCK_EX | LOCK_NB) != 0)
		return arena_printf(b->arena, "another backup into %s is under way", b->to);
	return chmod(b->to, 0700) == 0 ? NULL : failed(b, b->to);
}

static const char *
copy_key(struct backup *b)
{
	const char *to = in(b, b->to, "octavo.key");

	b->note.key = b->key;
	if (!b->key) {
		unlink(to);
		return NULL;
	}
	return copy_file(b, in(b, b->data, "octavo.key"), to, 0600, false) == 1 ? NULL :
	    failed(b, in(b, b->data, "octavo.key"));
}

/* Bytes before names: the old backup is whole until the new database has its name. */
static const char *
give_names(struct backup *b)
{
	const char *error = sync_all(b, b->to);

	if (error == NULL && rename(in(b, b->to, "octavo.db.new"), in(b, b->to, "octavo.db")) != 0)
		error = failed(b, in(b, b->to, "octavo.db"));
	if (error == NULL && rename(in(b, b->to, "octavo.backup.new"), in(b, b->to, "octavo.backup")) != 0)
		error = failed(b, in(b, b->to, "octavo.backup"));
	return error != NULL ? error : sync_all(b, b->to);
}

const char *
backup_make(struct backup *b)
{
	const char *error = prepare(b);

	umask(077);
	/* Says from the start that this folder is ours. */
	if (error == NULL)
		error = write_note(b, "octavo.backup.new");
	if (error == NULL)
		error = copy_database(b);
	if (error == NULL)
		error = copy_blobs(b, b->data, b->to, true);
	if (error == NULL)
		error = complete(b, "octavo.db.new");
	if (error == NULL)
		error = copy_key(b);
	if (error == NULL && b->faults > 0)
		error = "the data is damaged: the backup that was there was not replaced; octavo check says more";
	if (error == NULL)
		error = write_note(b, "octavo.backup.new");
	if (error == NULL && (error = give_names(b)) == NULL)
		blob_walk(b->arena, b->to, drop_blob, b);
	return error;
}

const char *
backup_verify(struct backup *b)
{
	struct walk w = { .b = b };
	struct backup_note said;
	const char *error, *path = in(b, b->to, "octavo.db");

	/* Cut off between two names: the newer note is the database's. */
	if (!read_note(b, "octavo.backup"))
		return arena_printf(b->arena, "%s is no backup, or one that was never finished", b->to);
	said = b->note;
	if ((error = hash_database(b, path)) != NULL)
		return error;
	if (strcmp(said.hash, b->note.hash) != 0 && read_note(b, "octavo.backup.new"))
		said = b->note;
	hash_database(b, path);
	if (strcmp(said.hash, b->note.hash) != 0)
		found(b, arena_printf(b->arena, "%s: its bytes are not those that were written", path));
	if ((error = look_into(b, path, "PRAGMA integrity_check")) == NULL)
		error = complete(b, "octavo.db");
	blob_walk(b->arena, b->to, count_file, &w);
	blob_walk(b->arena, b->to, verify_blob, &w);
	if (said.key && size_of(in(b, b->to, "octavo.key")) <= 0)
		found(b, "octavo.key is missing");
	b->note = said;
	/* A database that cannot even be opened is a fault like another. */
	if (error != NULL)
		found(b, error);
	return NULL;
}

/* ---- restoring ---- */

/* The folder may hold what comes by itself (an empty one made by systemd, say), and no data. */
static const char *
prepare_data(struct backup *b)
{
	static const char *const harmless[] = { ".", "..", "lost+found", "log", "run", "cache" };
	bool begun = access(in(b, b->data, "octavo.restoring"), F_OK) == 0, known;
	const char *error = NULL;
	struct dirent *e;
	FILE *mark;
	DIR *d;

	if (mkdir(b->data, 0750) != 0 && errno != EEXIST)
		return failed(b, b->data);
	if ((d = opendir(b->data)) == NULL)
		return failed(b, b->data);
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
	if ((mark = fopen(in(b, b->data, "octavo.restoring"), "we")) == NULL)
		return failed(b, b->data);
	fclose(mark);
	return NULL;
}

struct owner {
	struct backup *b;
	uid_t          uid;
	gid_t          gid;
	const char    *error;
};

static void
own(struct owner *o, const char *path)
{
	if (o->error == NULL && lchown(path, o->uid, o->gid) != 0 && errno != ENOENT)
		o->error = failed(o->b, path);
}

static void
own_blob(void *ctx, const struct blob_file *f)
{
	struct owner *o = ctx;

	own(o, f->path);
	own(o, arena_strndup(o->b->arena, f->path, (size_t)(strrchr(f->path, '/') - f->path)));
}

static const char *
own_all(struct backup *b, int64_t uid, int64_t gid)
{
	struct owner o = { b, (uid_t)uid, (gid_t)gid, NULL };

	if (uid < 0)
		return NULL;
	own(&o, in(b, b->data, "octavo.db.new"));
	own(&o, in(b, b->data, "octavo.key"));
	own(&o, in(b, b->data, "blobs"));
	blob_walk(b->arena, b->data, own_blob, &o);
	return o.error;
}

static const char *
restore_files(struct backup *b)
{
	const char *error, *from = in(b, b->to, "octavo.key");

	tick(b, "copying the database", 0, 0);
	if (copy_file(b, in(b, b->to, "octavo.db"), in(b, b->data, "octavo.db.new"), 0640, false) != 1)
		return failed(b, in(b, b->data, "octavo.db.new"));
	if ((error = copy_blobs(b, b->to, b->data, false)) != NULL)
		return error;
	if (b->note.key && b->key)
		return copy_file(b, from, in(b, b->data, "octavo.key"), 0600, false) == 1 ? NULL : failed(b, from);
	return secret_create(b->arena, b->data);
}

const char *
backup_restore(struct backup *b, int64_t uid, int64_t gid)
{
	const char *error = backup_verify(b);

	if (error == NULL && b->faults > 0)
		error = "the backup is damaged; nothing was restored";
	if (error == NULL)
		error = prepare_data(b);
	umask(027);
	if (error == NULL)
		error = restore_files(b);
	if (error == NULL)
		error = own_all(b, uid, gid);
	if (error == NULL)
		error = sync_all(b, b->data);
	if (error == NULL && rename(in(b, b->data, "octavo.db.new"), in(b, b->data, "octavo.db")) != 0)
		error = failed(b, in(b, b->data, "octavo.db"));
	if (error == NULL) {
		unlink(in(b, b->data, "octavo.restoring"));
		error = sync_all(b, b->data);
	}
	return error;
}
