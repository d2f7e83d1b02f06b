/*
 * Files in an object store: the settings, and copies of files on this machine. Contract: store/blob.h,
 * "an object store".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/secret.h"
#include "blob_place.h"

/* A connection must not be used after a fork: each process has its own. */
static struct place {
	struct arena                  *arena;
	bool                           read;      /* the settings were read */
	const char                    *address;   /* OCTAVO_BLOBS; NULL: not set */
	const struct objects_settings *set;       /* NULL: a setting is wrong */
	const char                    *fault;
	struct objects                *objects;
	pid_t                          pid;       /* of the process that has opened it */
	const char                    *origin;    /* from which readers get files; NULL: from this program */
} place;

/* Reads the settings once; without OCTAVO_BLOBS this costs one look into the environment. */
static void
read_place(void)
{
	const char *v;

	if (place.read)
		return;
	place.read = true;
	if ((v = getenv("OCTAVO_BLOBS")) == NULL || *v == '\0')
		return;
	place.arena = arena_new(32 << 20);
	place.address = arena_strdup(place.arena, v);
	place.set = objects_settings_read(place.arena, v, objects_environment, &place.fault);
	place.origin = place.set == NULL ? NULL : objects_origin(place.arena, objects_environment);
	if (place.set == NULL)
		log_line("%s", place.fault);
}

const char *
blob_store(void)
{
	read_place();
	return place.address;
}

const char *
blob_store_fault(void)
{
	read_place();
	return place.fault;
}

struct objects *
blob_objects(void)
{
	read_place();
	if (place.set != NULL && (place.objects == NULL || place.pid != getpid())) {
		/* What a parent had opened is its own; the connection is closed here when the process ends. */
		place.objects = objects_open(place.arena, place.set);
		place.pid = getpid();
	}
	return place.objects;
}

bool
blob_store_sends(void)
{
	read_place();
	return place.origin != NULL;
}

char *
blob_key(struct arena *a, struct str hash)
{
	char *h = hex(a, hash);

	return arena_printf(a, "%.2s/%s", h, h + 2);
}

/* ---- copies ---- */

/* A copy under way: the bytes are hashed while they arrive. */
struct arriving {
	int            fd;
	struct hasher *hasher;
};

static bool
take_bytes(void *ctx, const char *p, size_t n)
{
	struct arriving *c = ctx;
	ssize_t k;

	hasher_add(c->hasher, p, n);
	while (n > 0) {
		k = c->fd < 0 ? (ssize_t)n : write(c->fd, p, n);
		if (k < 0 && errno != EINTR)
			return false;
		p += k > 0 ? k : 0;
		n -= k > 0 ? (size_t)k : 0;
	}
	return true;
}

/* Reads the object into fd (-1: only into the hash), and compares the hash. */
static enum blob_found
read_object(struct arena *a, struct str hash, int fd)
{
	struct objects *o = blob_objects();
	struct arriving c = { fd, hasher_new(a) };
	unsigned char is[HASH_BYTES];
	enum objects_result result;

	if (o == NULL)
		return BLOB_AWAY;
	hasher_begin(c.hasher);
	result = objects_get(o, blob_key(a, hash), take_bytes, &c);
	hasher_end(c.hasher, is);
	if (result == OBJECTS_MISSING)
		return BLOB_MISSING;
	if (result != OBJECTS_DONE)
		return BLOB_AWAY;
	if (str_eq((struct str){ (const char *)is, sizeof(is) }, hash))
		return BLOB_FOUND;
	log_line("object store: %s has other bytes than its name says; octavo check --deep names all such objects", blob_key(a, hash));
	return BLOB_DAMAGED;
}

/* What root makes belongs to the owner of the data directory, who must be able to read and to replace it. False: errno is set. */
static bool
give_to_owner(const char *dir, const char *path)
{
	struct stat st;

	return geteuid() != 0 || (stat(dir, &st) == 0 && lchown(path, st.st_uid, st.st_gid) == 0);
}

/* Makes the folders of a copy, of which "blobs" may exist. False: errno is set. */
static bool
make_folders(struct arena *a, const char *dir, const char *path)
{
	const char *const folders[] = { arena_printf(a, "%s/blobs", dir), arena_printf(a, "%s/" BLOB_COPIES, dir),
		arena_strndup(a, path, (size_t)(strrchr(path, '/') - path)) };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (!folder_make(AT_FDCWD, folders[i], SHARED_FOLDER) || !give_to_owner(dir, folders[i]))
			return false;
	return true;
}

/*
 * Writes the bytes of the object to a path. The file gets its name after its bytes are on disk, since
 * a file with the name of a hash is taken to have its bytes.
 */
static enum blob_found
fetch_to(struct arena *a, const char *dir, struct str hash, const char *path)
{
	const char *temp = arena_printf(a, "%s.%d.%u.0", path, (int)getpid(), blob_mark());
	enum blob_found found;
	int fd = make_folders(a, dir, path) ? file_open_shared(AT_FDCWD, temp, false) : -1;
	struct stat st;

	if (fd < 0) {
		log_line("%s: %s", temp, strerror(errno));
		return BLOB_AWAY;
	}
	found = read_object(a, hash, fd);
	if (found == BLOB_FOUND && (!give_to_owner(dir, temp) || fsync(fd) != 0 || fstat(fd, &st) != 0 || rename(temp, path) != 0)) {
		log_line("%s: %s", path, strerror(errno));
		found = BLOB_AWAY;
	}
	close(fd);
	if (found != BLOB_FOUND)
		unlink(temp);
	else
		blob_copies_limit(dir, (int64_t)st.st_size);
	return found;
}

const char *
blob_local(struct arena *a, const char *dir, struct str hash, enum blob_found *found)
{
	const char *path = blob_path(a, dir, hash), *copy;

	*found = BLOB_FOUND;
	if (blob_store() == NULL || access(path, F_OK) == 0)
		return path;
	copy = blob_copy_path(a, dir, hash);
	if (blob_copy_use(copy) || (*found = fetch_to(a, dir, hash, copy)) == BLOB_FOUND)
		return copy;
	return path;
}

const char *
blob_local_or_fail(struct db *db, struct arena *a, const char *dir, struct str hash)
{
	enum blob_found found;
	const char *path = blob_local(a, dir, hash, &found);

	if (found == BLOB_AWAY)
		db_away(db, "the object store of the files cannot be reached");
	return path;
}

char *
blob_send_address(struct arena *a, const char *dir, struct str hash, const char *type, const char *disposition, int64_t now)
{
	if (!blob_store_sends() || access(blob_path(a, dir, hash), F_OK) == 0)
		return NULL;
	return objects_address(a, place.set, blob_key(a, hash), type, disposition, now);
}

enum blob_found
blob_verify(struct arena *a, const char *dir, struct str hash)
{
	const char *path = blob_path(a, dir, hash);
	unsigned char is[HASH_BYTES];

	if (blob_store() != NULL && access(path, F_OK) != 0)
		return read_object(a, hash, -1);
	if (access(path, F_OK) != 0)
		return BLOB_MISSING;
	return hash_file(path, is) && str_eq((struct str){ (const char *)is, sizeof(is) }, hash) ? BLOB_FOUND : BLOB_DAMAGED;
}

/* ---- moving ---- */

enum blob_found
blob_push(struct arena *a, const char *dir, struct str hash)
{
	const char *path = blob_path(a, dir, hash), *copy = blob_copy_path(a, dir, hash);
	enum objects_result result = OBJECTS_FAILED;
	struct stat st;
	int fd;

	if (blob_objects() == NULL)
		return BLOB_AWAY;
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return BLOB_MISSING;
	if (blob_verify(a, dir, hash) != BLOB_FOUND) {
		close(fd);
		return BLOB_DAMAGED;
	}
	blob_owner_claim(a, dir);
	if (fstat(fd, &st) == 0)
		result = objects_put(blob_objects(), blob_key(a, hash), fd, (int64_t)st.st_size);
	close(fd);
	/* As a copy it need not be fetched again. A program that has just found it at its old place does not find it: it answers 404 once. */
	if (result != OBJECTS_DONE || !make_folders(a, dir, copy) || rename(path, copy) != 0)
		return BLOB_AWAY;
	blob_copies_limit(dir, (int64_t)st.st_size);
	return BLOB_FOUND;
}

enum blob_found
blob_pull(struct arena *a, const char *dir, struct str hash)
{
	const char *path = blob_path(a, dir, hash);

	return access(path, F_OK) == 0 ? BLOB_FOUND : fetch_to(a, dir, hash, path);
}
