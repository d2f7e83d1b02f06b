/*
 * Backups in one file: a tar archive with octavo.db, octavo.key, blobs/ and, last, octavo.backup,
 * the note that describes the contents. A truncated archive therefore lacks the note. Everything is
 * hashed while it is read: reading takes a single pass over the file, and disk space only for the
 * database.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backup_parts.h"
#include "base/file.h"
#include "base/map.h"
#include "base/secret.h"
#include "db/db.h"
#include "store/blob.h"
#include "tar.h"

/* NOTE_MAX: octavo.backup has about 200 bytes; a longer entry is not a note. */
enum { PIECE = 1 << 17, NOTE_MAX = 4096 };

static const char ending[] = ".tar";

bool
backup_is_file(const char *path)
{
	size_t n = strlen(path);
	struct stat st;

	if (stat(path, &st) == 0)
		return S_ISREG(st.st_mode);
	return n > sizeof(ending) - 1 && strcmp(path + n - (sizeof(ending) - 1), ending) == 0;
}

/* State of reading or writing a tar archive. */
struct pack {
	struct backup *b;
	FILE          *f;
	struct hasher *hasher;
	struct map    *sizes;     /* sizes (int64_t) by hash of the files below blobs/ */
	const char    *database;  /* reading: path to which octavo.db is written */
	const char    *data;      /* reading: target folder of files and key; NULL: verify only */
	unsigned char  hash[HASH_BYTES];   /* hash of octavo.db */
	bool           has_key, has_note;
	int64_t        seen, total;
	const char    *error;
};

/* The hasher is allocated in the arena, so nothing has to be freed. */
static void
pack_init(struct pack *p, struct backup *b)
{
	*p = (struct pack){ .b = b, .hasher = hasher_new(b->arena), .sizes = map_new(b->arena) };
}

/*
 * Copies and hashes n bytes (out NULL: only hashes them). False: the input ended early, or writing
 * failed.
 */
static bool
carry_bytes(struct pack *p, FILE *in, FILE *out, int64_t n, unsigned char hash[HASH_BYTES])
{
	static unsigned char piece[PIECE];
	size_t want, got;

	/* One hasher is used for all files in turn. */
	hasher_begin(p->hasher);
	for (; n > 0; n -= (int64_t)got) {
		want = n < PIECE ? (size_t)n : PIECE;
		got = fread(piece, 1, want, in);
		hasher_add(p->hasher, piece, got);
		if (got != want || (out != NULL && fwrite(piece, 1, got, out) != got))
			return false;
	}
	hasher_end(p->hasher, hash);
	return true;
}

static bool
same_hash(const unsigned char *h, struct str want)
{
	return str_eq((struct str){ (const char *)h, HASH_BYTES }, want);
}

/* Copies the hash, since the caller's copy lives only as long as the current file. */
static void
remember_hash(struct pack *p, struct str hash, int64_t size)
{
	int64_t *n = arena_alloc(p->b->arena, sizeof(*n));

	*n = size;
	if (map_add(p->sizes, (struct str){ arena_strndup(p->b->arena, hash.p, hash.n), hash.n }, n))
		p->b->note.files++;
}

/* ---- completeness: the archive has all files that the database names ---- */

/* Row: hash and size of a file to which the database refers. Reports it if the archive lacks it. */
static void
report_if_missing(void *ctx, struct stmt *q)
{
	struct pack *p = ctx;
	const int64_t *size = map_get(p->sizes, col_bytes(q, 0));

	if (size == NULL || *size != col_int(q, 1))
		backup_found(p->b, arena_printf(p->b->arena, "blobs: %s is missing, or of another size",
		    hex(p->b->arena, col_bytes(q, 0))));
}

/* Skipped if the database has another schema than this program, since the query may then fail. */
static const char *
check_complete(struct pack *p, const char *database)
{
	const char *error = NULL;
	struct db *db = db_open(p->b->arena, database, DB_ANY_VERSION, NULL, &error);

	if (db != NULL && db_version(db) == db_latest())
		blob_files_each(db, p->b->arena, report_if_missing, p, &error);
	db_close(db);
	return error;
}

/* ---- writing ---- */

/*
 * Writes a file into the archive and hashes it. *there: false if the file no longer exists. Returns
 * false after setting p->error.
 */
static bool
put_file(struct pack *p, const char *path, const char *name, mode_t mode, unsigned char hash[HASH_BYTES], bool *there)
{
	FILE *in = fopen(path, "re");
	struct stat st;
	bool ok;

	*there = in != NULL || errno != ENOENT;
	if (!*there)
		return true;
	ok = in != NULL && fstat(fileno(in), &st) == 0 &&
	    tar_put(p->f, name, mode, st.st_size, p->b->note.taken / 1000) &&
	    carry_bytes(p, in, p->f, st.st_size, hash) && tar_pad(p->f, st.st_size);
	if (!ok)
		p->error = backup_failed(p->b, ferror(p->f) ? p->b->to : path);
	if (in != NULL)
		fclose(in);
	return ok;
}

static void
count_file(void *ctx, const struct blob_file *f)
{
	((struct pack *)ctx)->total += f->hash.n != 0;
}

/* A file that has disappeared was swept: neither the database nor its copy refers to it. */
static void
put_blob(void *ctx, const struct blob_file *f)
{
	struct pack *p = ctx;
	unsigned char hash[HASH_BYTES];
	int64_t size = backup_size_of(f->path);
	const char *name;
	bool there;

	if (f->hash.n == 0 || p->error != NULL)
		return;
	backup_tick(p->b, "packing files", p->seen++, p->total);
	name = blob_path(p->b->arena, "", f->hash) + 1;
	if (!put_file(p, f->path, name, 0640, hash, &there) || !there)
		return;
	if (!same_hash(hash, f->hash))
		backup_found(p->b, arena_printf(p->b->arena, "%s: the content does not match the hash in its name", f->path));
	remember_hash(p, f->hash, size);
	p->b->copied++;
	p->b->bytes += size;
}

/* Writes the note and syncs the archive, before it is renamed. */
static bool
put_note(struct pack *p)
{
	const char *text = backup_note_text(p->b->arena, &p->b->note);
	int64_t n = (int64_t)strlen(text);

	if (tar_put(p->f, "octavo.backup", 0600, n, p->b->note.taken / 1000) && fputs(text, p->f) >= 0 &&
	    tar_pad(p->f, n) && tar_end(p->f) && fflush(p->f) == 0 && fsync(fileno(p->f)) == 0)
		return true;
	p->error = backup_failed(p->b, p->b->to);
	return false;
}

/* Writes the database first: check_replaceable() recognizes a backup by its first entry. */
static void
put_all(struct pack *p, const char *database)
{
	struct backup *b = p->b;
	unsigned char hash[HASH_BYTES];
	bool there = true;

	backup_tick(b, "packing the database", 0, 0);
	if (!put_file(p, database, "octavo.db", 0600, hash, &there))
		return;
	if (b->key && (!put_file(p, backup_in(b, b->data, "octavo.key"), "octavo.key", 0600, hash, &there) || !there)) {
		p->error = p->error != NULL ? p->error : backup_failed(b, backup_in(b, b->data, "octavo.key"));
		return;
	}
	b->note.key = b->key;
	b->note.files = 0;
	blob_walk(b->arena, b->data, count_file, p);
	blob_walk(b->arena, b->data, put_blob, p);
	if (p->error == NULL)
		p->error = backup_each_object(b, database, NULL, put_blob, p);
	if (p->error == NULL)
		p->error = check_complete(p, database);
	if (p->error == NULL && b->faults > 0)
		p->error = "the data is damaged: no backup was written, and one that was there was not replaced; "
		    "octavo check says more";
	if (p->error == NULL)
		put_note(p);
}

/* Refuses to replace a file that is not a backup. Returns NULL, or the reason. */
static const char *
check_replaceable(struct backup *b)
{
	FILE *f = fopen(b->to, "re");
	struct tar_entry e;
	bool ours;

	if (f == NULL)
		return errno == ENOENT ? NULL : backup_failed(b, b->to);
	ours = tar_next(f, &e) == 1 && strcmp(e.name, "octavo.db") == 0;
	fclose(f);
	return ours ? NULL : arena_printf(b->arena, "%s exists and is not a backup; name another file", b->to);
}

/*
 * Reads the bytes of an entry as text and skips its padding. False if the entry is too long or
 * truncated.
 */
static bool
read_small(struct backup *b, FILE *f, const struct tar_entry *e, struct str *text)
{
	char *p = arena_bytes(b->arena, NOTE_MAX);

	if (e->size >= NOTE_MAX || fread(p, 1, (size_t)e->size, f) != (size_t)e->size || !tar_skip_pad(f, e->size))
		return false;
	*text = (struct str){ p, (size_t)e->size };
	return true;
}

/* Reads the note of the existing backup and skips its files. False: the backup is incomplete. */
static bool
read_old(struct backup *b, FILE *f, struct backup_note *old)
{
	const char *mark = NULL;
	struct tar_entry e;
	struct str text;
	bool ok = false;
	FILE *note;

	while (tar_next(f, &e) == 1) {
		bool key = strcmp(e.name, "octavo.key") == 0;

		if (!key && strcmp(e.name, "octavo.backup") != 0) {
			if (fseeko(f, (off_t)(e.size + (512 - e.size % 512) % 512), SEEK_CUR) != 0)
				return false;
			continue;
		}
		if (!read_small(b, f, &e, &text))
			return false;
		if (key)
			mark = secret_mark_of(b->arena, text);
		else if ((note = fmemopen((char *)(uintptr_t)text.p, text.n, "r")) != NULL) {
			ok = backup_note_read(note, old);
			fclose(note);
		}
	}
	if (ok && *old->key_mark == '\0' && mark != NULL)
		snprintf(old->key_mark, sizeof(old->key_mark), "%s", mark);
	return ok;
}

/* Returns NULL, or why the existing file must not be replaced. */
static const char *
may_replace(struct backup *b)
{
	struct backup_note old;
	FILE *f = fopen(b->to, "re");
	bool ok = f != NULL && read_old(b, f, &old);

	if (f != NULL)
		fclose(f);
	return ok ? backup_may_replace(b, &old) : NULL;
}

const char *
backup_file_make(struct backup *b)
{
	struct backup_work w;
	const char *copy, *path;
	struct pack p;

	pack_init(&p, b);
	umask(077);
	if ((p.error = check_replaceable(b)) != NULL || (p.error = backup_work_begin(b, &w)) != NULL)
		return p.error;
	copy = backup_in(b, w.path, BACKUP_WORK_DATABASE);
	path = backup_in(b, w.path, BACKUP_WORK_FILE);
	/* Overwrites the temporary file of a killed backup. */
	if ((p.f = fopen(path, "w+e")) == NULL)
		p.error = backup_failed(b, path);
	if (p.error == NULL && (p.error = backup_copy_database(b, copy)) == NULL)
		p.error = may_replace(b);
	if (p.error == NULL)
		put_all(&p, copy);
	if (p.error == NULL && rename(path, b->to) != 0)
		p.error = backup_failed(b, b->to);
	if (p.error == NULL)
		p.error = backup_sync_all(b, arena_strndup(b->arena, b->to, (size_t)(strrchr(b->to, '/') - b->to) + 1));
	if (p.f != NULL)
		fclose(p.f);
	backup_work_end(&w);
	return p.error;
}

/* ---- reading ---- */

/*
 * Writes the bytes of an entry to a new file, or discards them. False after setting p->error: the
 * rest of the archive is then unreadable.
 */
static bool
take_file(struct pack *p, const struct tar_entry *e, const char *to, mode_t mode, unsigned char hash[HASH_BYTES])
{
	FILE *out = NULL;
	int fd = to == NULL ? -1 : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
	bool ok;

	if (to != NULL && (fd < 0 || fchmod(fd, mode) != 0 || (out = fdopen(fd, "w")) == NULL)) {
		p->error = backup_failed(p->b, to);
		if (fd >= 0)
			close(fd);
		return false;
	}
	ok = carry_bytes(p, p->f, out, e->size, hash) && tar_skip_pad(p->f, e->size);
	if (out != NULL && fclose(out) != 0)
		ok = false;
	if (!ok)
		p->error = feof(p->f) ? arena_printf(p->b->arena, "%s is cut off", p->b->to) :
		    backup_failed(p->b, to != NULL ? to : p->b->to);
	return ok;
}

/* Returns the hash in a name below blobs/; an empty string if the name has a different form. */
static struct str
hash_in(struct backup *b, const char *name)
{
	struct str hash = { 0 };
	size_t n = strlen(name);

	if (n != sizeof("blobs/ab/") - 1 + 2 * HASH_BYTES - 2 || strncmp(name, "blobs/", 6) != 0 || name[8] != '/' ||
	    !hex_read(b->arena, str_of(arena_printf(b->arena, "%.2s%s", name + 6, name + 9)), &hash))
		return (struct str){ 0 };
	return hash;
}

/*
 * A file with wrong bytes is a fault. Reading continues, so that all faults are reported in one
 * run.
 */
static bool
take_blob(struct pack *p, const struct tar_entry *e, struct str hash)
{
	const char *to = p->data == NULL ? NULL : blob_path(p->b->arena, p->data, hash);
	unsigned char h[HASH_BYTES];

	backup_tick(p->b, p->data == NULL ? "reading files" : "unpacking files", p->seen++, 0);
	if (to != NULL)
		p->error = backup_make_folder(p->b, arena_strndup(p->b->arena, to, (size_t)(strrchr(to, '/') - to)), SHARED_FOLDER);
	if (p->error != NULL || !take_file(p, e, to, SHARED_FILE, h))
		return false;
	if (!same_hash(h, hash))
		backup_found(p->b, arena_printf(p->b->arena, "%s: the content does not match the hash in its name", e->name));
	remember_hash(p, hash, e->size);
	return true;
}

/* Reads the note from memory with the function that also reads it from a folder. */
static bool
take_note(struct pack *p, const struct tar_entry *e, struct backup_note *note)
{
	char text[NOTE_MAX];
	FILE *f;

	if (e->size >= NOTE_MAX || fread(text, 1, (size_t)e->size, p->f) != (size_t)e->size || !tar_skip_pad(p->f, e->size) ||
	    (f = fmemopen(text, (size_t)e->size, "r")) == NULL) {
		p->error = arena_printf(p->b->arena, "%s is cut off", p->b->to);
		return false;
	}
	p->has_note = backup_note_read(f, note);
	fclose(f);
	return true;
}

/* If p->data is NULL everything is read, but only the database is written. */
static bool
take_one(struct pack *p, const struct tar_entry *e, struct backup_note *note)
{
	unsigned char ignored[HASH_BYTES];
	struct str hash = hash_in(p->b, e->name);
	const char *key = p->data != NULL && p->b->key ? backup_in(p->b, p->data, "octavo.key") : NULL;

	if (hash.n != 0)
		return take_blob(p, e, hash);
	if (strcmp(e->name, "octavo.db") == 0) {
		backup_tick(p->b, "reading the database", 0, 0);
		return take_file(p, e, p->database, 0600, p->hash);
	}
	if (strcmp(e->name, "octavo.key") == 0) {
		p->has_key = e->size > 0;
		return take_file(p, e, key, 0600, ignored);
	}
	if (strcmp(e->name, "octavo.backup") == 0)
		return take_note(p, e, note);
	/* The bytes are read and discarded. */
	backup_found(p->b, arena_printf(p->b->arena, "%s does not belong in a backup", e->name));
	return take_file(p, e, NULL, 0, ignored);
}

/*
 * Reads the whole archive. Wrong contents are faults; only a reason that stops the reading is
 * returned as an error.
 */
static const char *
take_all(struct pack *p)
{
	struct backup *b = p->b;
	struct backup_note note = { 0 };
	struct tar_entry e;
	int more;

	while ((more = tar_next(p->f, &e)) == 1)
		if (!take_one(p, &e, &note))
			return p->error;
	if (more < 0 || !p->has_note)
		return arena_printf(b->arena, "%s is no backup, or one that was never finished", b->to);
	if (strcmp(note.hash, hex(b->arena, (struct str){ (const char *)p->hash, HASH_BYTES })) != 0)
		backup_found(b, "octavo.db: the content does not match the hash in octavo.backup");
	if (note.key && !p->has_key)
		backup_found(b, "octavo.key is missing");
	/* Each file counts once, even if its name occurs twice. */
	if (note.files != b->note.files)
		backup_found(b, "files are missing below blobs/");
	if ((p->error = backup_look_into(b, p->database, "PRAGMA integrity_check")) == NULL)
		p->error = check_complete(p, p->database);
	/* A database that cannot be opened counts as a fault too. */
	if (p->error != NULL)
		backup_found(b, p->error);
	b->note = note;
	return NULL;
}

const char *
backup_file_verify(struct backup *b)
{
	struct backup_work w;
	struct pack p;
	const char *error;

	pack_init(&p, b);
	if ((p.f = fopen(b->to, "re")) == NULL)
		return backup_failed(b, b->to);
	if ((error = backup_work_room(b, &w)) == NULL) {
		p.database = backup_in(b, w.path, BACKUP_WORK_DATABASE);
		error = take_all(&p);
		backup_work_end(&w);
	}
	fclose(p.f);
	return error;
}

/* ---- restoring ---- */

/* Deletes a file, temporary ones included. */
static void
drop_blob(void *ctx, const struct blob_file *f)
{
	(void)ctx;
	unlink(f->path);
}

/* Deletes all unpacked files; backup_prepare_data() has made sure that there were no others. */
static void
drop_all(struct backup *b, bool made)
{
	static const char *const files[] = { "octavo.db.new", "octavo.key", "octavo.restoring" };

	blob_walk(b->arena, b->data, drop_blob, NULL);
	for (int i = 0; i < 256; i++)
		rmdir(arena_printf(b->arena, "%s/blobs/%02x", b->data, i));
	rmdir(backup_in(b, b->data, "blobs"));
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlink(backup_in(b, b->data, files[i]));
	if (made)
		rmdir(b->data);
}

const char *
backup_file_unpack(struct backup *b)
{
	bool made = access(b->data, F_OK) != 0;
	struct pack p;
	const char *error;

	pack_init(&p, b);
	if ((p.f = fopen(b->to, "re")) == NULL)
		return backup_failed(b, b->to);
	if ((error = backup_prepare_data(b)) != NULL) {
		fclose(p.f);
		return error;
	}
	p.data = b->data;
	p.database = backup_in(b, b->data, "octavo.db.new");
	error = backup_make_folder(b, backup_in(b, b->data, "blobs"), SHARED_FOLDER);
	if (error == NULL)
		error = take_all(&p);
	fclose(p.f);
	if (error == NULL && b->faults > 0)
		error = "the backup is damaged; nothing was restored";
	if (error == NULL && !(b->note.key && b->key) && (error = secret_create(b->arena, b->data)) == NULL)
		error = backup_adopt_key(b, p.database);
	if (error != NULL)
		drop_all(b, made);
	return error;
}
