/* Stores bytes under their hash, in the database and as files. Contract: blob.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "store/blob.h"
#include "base/map.h"
#include "base/pack.h"
#include "base/secret.h"
#include "blob_place.h"

SQL(q_blob_kept, "SELECT no IS NOT NULL FROM blob WHERE hash = :hash");
/*
 * The bytes are in a table of their own and found by number, so that a look-up by hash reads no
 * pages of data. They are compressed (base/pack.h).
 */
SQL(q_data_add, "INSERT INTO blob_data (size, data) VALUES (:size, :data)");
/* If the same bytes are stored as a file, the row exists already, without data. */
SQL(q_blob_put,
    "INSERT INTO blob (hash, size, no) VALUES (:hash, :size, :no) "
    "ON CONFLICT (hash) DO UPDATE SET no = excluded.no");
SQL(q_blob_size, "SELECT size FROM blob WHERE hash = :hash");
SQL(q_blob_get,
    "SELECT d.data, d.size FROM blob b JOIN blob_data d ON d.no = b.no WHERE b.hash = :hash");
SQL(q_blob_file,
    "INSERT INTO blob (hash, size, no) VALUES (:hash, :size, NULL) ON CONFLICT (hash) DO NOTHING");

/* A file of the batch. A batch may have hundreds of thousands, so paths are made when they are needed. */
struct pending_blob {
	struct pending_blob *next;
	unsigned char   hash[HASH_BYTES];
	int64_t         size;
	unsigned        temp;    /* number of the temporary file; 0: a file of the right size was at its final path */
	/* Its row of `blob` was inserted, in this transaction or in an earlier one. */
	bool            has_row;
};

struct blob_batch {
	struct arena   *arena;
	const char     *dir;
	const char     *folder;  /* of the files: DIR/blobs, or that of the copies of an object store */
	unsigned        mark;    /* blob_mark() */
	struct pending_blob *first;
	struct map     *by_hash;
	unsigned        n;       /* number of temporary files that were made */
	bool            made[256];   /* folders that exist */
};

/* ---- in the database ---- */

/*
 * Must run inside the write transaction that also writes the row naming the hash: otherwise a sweep
 * could delete the bytes in between.
 */
void
blob_put_packed(struct db *db, struct arena *a, const struct packed *p)
{
	struct stmt *q = db_use(db, &q_blob_kept);

	bind_blob(q, ":hash", p->hash);
	/* The bytes of a hash never change, so they need not be stored again. */
	if (stmt_int(q, 0) != 0)
		return;
	q = db_use(db, &q_data_add);
	bind_int(q, ":size", (int64_t)p->bytes.n);
	bind_blob(q, ":data", p->packed.p != NULL ? p->packed : pack(a, p->bytes));
	stmt_run(q);
	q = db_use(db, &q_blob_put);
	bind_blob(q, ":hash", p->hash);
	bind_int(q, ":size", (int64_t)p->bytes.n);
	bind_int(q, ":no", db_last_id(db));
	stmt_run(q);
}

struct packed
blob_pack(struct arena *a, struct str bytes)
{
	return (struct packed){ hash_of(a, bytes), bytes, pack(a, bytes) };
}

struct str
blob_put(struct db *db, struct arena *a, struct str bytes)
{
	struct packed p = { .hash = hash_of(a, bytes), .bytes = bytes };

	blob_put_packed(db, a, &p);
	return p.hash;
}

/*
 * Copies the bytes into the arena. An empty hash means no bytes. False: the bytes are not in the
 * database, or are damaged.
 */
bool
blob_get(struct db *db, struct arena *a, struct str hash, struct str *out)
{
	struct str packed;
	struct stmt *q;

	*out = (struct str){ "", 0 };
	if (hash.n == 0)
		return true;
	q = db_use(db, &q_blob_get);
	bind_blob(q, ":hash", hash);
	if (stmt_step(q)) {
		packed = col_bytes(q, 0);
		/*
		 * Compressed data contain a checksum. Data that are not compressed are short, or of
		 * a kind that is seldom read, so their hash is computed.
		 */
		if (unpack(a, packed, (size_t)col_int(q, 1), out) && (packed.n != out->n || str_eq(hash_of(a, *out), hash)))
			return true;
	}
	*out = (struct str){ "", 0 };
	return false;
}

size_t
blob_size(struct db *db, struct str hash)
{
	struct stmt *q = db_use(db, &q_blob_size);

	bind_blob(q, ":hash", hash);
	return (size_t)stmt_int(q, 0);
}

/* ---- files ---- */

/* Bytes in the database (blob.no is set) are also stored as a file if a node of kind 'file' names them. */
bool
blob_files_each(struct db *db, struct arena *a, void (*row)(void *, struct stmt *), void *ctx,
    const char **error)
{
	return db_each(db, a, "SELECT hash, size FROM blob WHERE no IS NULL OR hash IN "
	    "(SELECT body FROM node WHERE kind = 'file') OR hash IN (SELECT hash FROM stored_file)", row, ctx, error);
}

char *
blob_path(struct arena *a, const char *dir, struct str hash)
{
	char *h = hex(a, hash);

	return arena_printf(a, "%s/blobs/%.2s/%s", dir, h, h + 2);
}

static struct str
hash_of_pending(const struct pending_blob *p)
{
	return (struct str){ (const char *)p->hash, HASH_BYTES };
}

/*
 * Writes the file's final path and, while it has one, the path of its temporary file. The latter is in the
 * same folder, so that rename() replaces the name in one step; its name contains the process id
 * and a random number, because two processes, of two machines too, may store the same bytes at once. blob_sweep.c
 * recognises this form.
 */
static void
write_paths(const struct blob_batch *b, const struct pending_blob *p, char final[PATH_MAX], char temp[PATH_MAX])
{
	char digits[2 * HASH_BYTES + 1];

	sodium_bin2hex(digits, sizeof(digits), p->hash, HASH_BYTES);
	snprintf(final, PATH_MAX, "%s/%.2s/%s", b->folder, digits, digits + 2);
	snprintf(temp, PATH_MAX, "%s/%.2s/%s.%ld.%u.%u", b->folder, digits, digits + 2, (long)getpid(), b->mark, p->temp);
}

void
blob_batch_drop(struct blob_batch *b)
{
	char path[PATH_MAX], temp[PATH_MAX];
	const struct pending_blob *p;

	for (p = b->first; p != NULL; p = p->next) {
		if (p->temp == 0)
			continue;
		write_paths(b, p, path, temp);
		unlink(temp);
	}
	/* The files are deleted, so no later call may rename them or give them rows. */
	b->first = NULL;
}

/* Also runs after an error in the request or a failed statement, so that no incomplete file stays. */
static void
drop_batch(void *batch)
{
	blob_batch_drop(batch);
}

unsigned
blob_mark(void)
{
	return randombytes_random();
}

struct blob_batch *
blob_batch_new(struct arena *a, const char *dir)
{
	struct blob_batch *b = arena_alloc(a, sizeof(*b));

	b->arena = a;
	b->dir = dir;
	b->folder = arena_printf(a, blob_store() == NULL ? "%s/blobs" : "%s/" BLOB_COPIES, dir);
	b->mark = blob_mark();
	b->by_hash = map_new(a);
	arena_on_end(a, drop_batch, b);
	return b;
}

/* Always returns false, with the message of the errno that the failed call set. */
static bool
set_error(struct blob_batch *b, const char *path, const char **error)
{
	*error = arena_printf(b->arena, "%s: %s", path, strerror(errno));
	return false;
}

/* Makes blobs/, the folder of copies, and the folder of the first two digits of the hash; there are 256 of these. */
static bool
make_dirs(struct blob_batch *b, struct str hash, const char **error)
{
	unsigned char first = (unsigned char)hash.p[0];
	const char *dirs[3];
	int i;

	if (b->made[first])
		return true;
	dirs[0] = arena_printf(b->arena, "%s/blobs", b->dir);
	dirs[1] = b->folder;
	dirs[2] = arena_printf(b->arena, "%s/%02x", b->folder, (unsigned)first);
	for (i = blob_store() == NULL ? 1 : 0; i < 3; i++)
		if (!folder_make(AT_FDCWD, dirs[i], SHARED_FOLDER))
			return set_error(b, dirs[i], error);
	return b->made[first] = true;
}

/* write() may write less than it was given (after a signal, or on a nearly full disk). */
static bool
write_all(int fd, struct str s)
{
	ssize_t n;

	while (s.n > 0) {
		n = write(fd, s.p, s.n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		s = str_slice(s, (size_t)n, s.n);
	}
	return true;
}

/* Does not sync: blob_batch_sync() does that once for all files. */
static bool
write_file(struct blob_batch *b, const char *path, struct str bytes, const char **error)
{
	int fd = file_open_shared(AT_FDCWD, path, false);
	bool ok;

	if (fd < 0)
		return set_error(b, path, error);
	ok = write_all(fd, bytes) || set_error(b, path, error);
	close(fd);
	return ok;
}

bool
blob_batch_add(struct blob_batch *b, struct str bytes, struct str *hash, const char **error)
{
	struct pending_blob *p = arena_alloc(b->arena, sizeof(*p));
	char path[PATH_MAX], temp[PATH_MAX];
	struct stat st;

	hash_bytes(bytes, p->hash);
	*hash = hash_of_pending(p);
	p->size = (int64_t)bytes.n;
	p->next = b->first;
	b->first = p;
	*map_at(b->by_hash, *hash) = p;
	write_paths(b, p, path, temp);
	/*
	 * A file gets its final name only after its bytes are on disk (blob_batch_sync()). So a
	 * file with this name and the right size has the right bytes. A copy may be of an object that
	 * was swept: what is in an object store is always put there again.
	 */
	if (blob_store() == NULL && stat(path, &st) == 0 && st.st_size == p->size)
		return true;
	p->temp = ++b->n;
	write_paths(b, p, path, temp);
	return make_dirs(b, *hash, error) && write_file(b, temp, bytes, error);
}

/* One syncfs() for all files takes about as long as one fsync(). */
static bool
sync_dir(struct blob_batch *b, const char **error)
{
	const char *path = arena_printf(b->arena, "%s/blobs", b->dir);
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return set_error(b, path, error);
	if (syncfs(fd) != 0) {
		set_error(b, path, error);
		close(fd);
		return false;
	}
	close(fd);
	return true;
}

/* Puts a temporary file into the object store. */
static bool
upload(struct blob_batch *b, const char *temp, const struct pending_blob *p, const char **error)
{
	struct objects *o = blob_objects();
	enum objects_result result = OBJECTS_FAILED;
	int fd = open(temp, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return set_error(b, temp, error);
	if (o != NULL)
		result = objects_put(o, blob_key(b->arena, hash_of_pending(p)), fd, p->size);
	close(fd);
	/* Clients see this text; the log has the words of the store, or what is wrong with a setting. */
	*error = "the object store of the files cannot be reached, or refuses them";
	return result == OBJECTS_DONE;
}

/* Puts the files that have no names yet into the object store. */
static bool
upload_all(struct blob_batch *b, const char **error)
{
	char path[PATH_MAX], temp[PATH_MAX];
	const struct pending_blob *p;

	blob_owner_claim(b->arena, b->dir);
	for (p = b->first; p != NULL; p = p->next) {
		if (p->temp == 0)
			continue;
		write_paths(b, p, path, temp);
		if (!upload(b, temp, p, error))
			return false;
	}
	return true;
}

/* rename() may replace a file of the same name, whose bytes are the same. */
static bool
move_all(struct blob_batch *b, const char **error)
{
	char path[PATH_MAX], temp[PATH_MAX];
	struct pending_blob *p;

	for (p = b->first; p != NULL; p = p->next) {
		if (p->temp == 0)
			continue;
		write_paths(b, p, path, temp);
		if (rename(temp, path) != 0)
			return set_error(b, path, error);
		p->temp = 0;
	}
	return true;
}

static void
limit_copies(const struct blob_batch *b)
{
	int64_t size = 0;

	for (const struct pending_blob *p = b->first; p != NULL; p = p->next)
		size += p->size;
	blob_copies_limit(b->dir, size);
}

bool
blob_batch_sync(struct blob_batch *b, const char **error)
{
	if (b->first == NULL)
		return true;
	/*
	 * Syncs the bytes before the files get their names, and then the names, including those
	 * that another writer gave just before.
	 */
	if (blob_store() == NULL)
		return (b->n == 0 || (sync_dir(b, error) && move_all(b, error))) && sync_dir(b, error);
	/* Names of copies need no sync: a copy that is lost is fetched again. */
	if (!sync_dir(b, error) || !upload_all(b, error) || !move_all(b, error))
		return false;
	limit_copies(b);
	return true;
}

void
blob_hold(struct db *db)
{
	db_share(db, DB_LOCK_FILES);
}

/* Asks the object store. A store that cannot be reached is a failure of the transaction. */
static bool
object_exists(const struct blob_batch *b, struct db *db, const struct pending_blob *p)
{
	struct objects *o = blob_objects();
	int64_t size = 0;
	enum objects_result result = o == NULL ? OBJECTS_FAILED : objects_size(o, blob_key(b->arena, hash_of_pending(p)), &size);

	if (result != OBJECTS_DONE && result != OBJECTS_MISSING)
		db_away(db, "the object store of the files cannot be reached");
	return result == OBJECTS_DONE && size == p->size;
}

static bool
file_exists(const struct blob_batch *b, struct db *db, const struct pending_blob *p)
{
	char path[PATH_MAX], temp[PATH_MAX];

	if (p->temp == 0 && blob_store() != NULL)
		return object_exists(b, db, p);
	write_paths(b, p, path, temp);
	return access(p->temp != 0 ? temp : path, F_OK) == 0;
}

/* False: a sweep has deleted the file since it was written; the caller stores it again. */
static bool
insert_row(const struct blob_batch *b, struct db *db, const struct pending_blob *p)
{
	struct stmt *q = db_use(db, &q_blob_file);

	/* Sweeps unlink files under the write lock, which this transaction now holds; on PostgreSQL, alone. */
	blob_hold(db);
	if (!file_exists(b, db, p))
		return false;
	bind_blob(q, ":hash", hash_of_pending(p));
	bind_int(q, ":size", p->size);
	stmt_run(q);
	return true;
}

bool
blob_batch_rows(struct blob_batch *b, struct db *db)
{
	struct pending_blob *p;

	for (p = b->first; p != NULL; p = p->next) {
		if (p->has_row)
			continue;
		if (!insert_row(b, db, p))
			return false;
		p->has_row = true;
	}
	return true;
}

/*
 * A hash that does not belong to the batch has an older row, which the node that names it protects
 * from the sweep; the result is then true.
 */
bool
blob_batch_row(struct blob_batch *b, struct db *db, struct str hash)
{
	const struct pending_blob *p = map_get(b->by_hash, hash);

	return p == NULL || insert_row(b, db, p);
}
