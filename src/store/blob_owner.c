/*
 * Which installation may delete objects below the prefix of an object store. Contract: store/blob.h.
 *
 * The object "octavo-installation" has a random id, which is also in the file DIR/blobs/.store.HASH, for
 * each OCTAVO_BLOBS one file. Only a folder with that id sweeps objects. The id is in a file, since no
 * backup has it: an id in the database would be in every copy, and a restored copy would delete what its
 * older rows do not name. Machines that share a PostgreSQL database each have such folders: those that
 * have the file sweep, and one that sweeps is enough.
 */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/secret.h"
#include "blob_place.h"

#define OWNER_KEY "octavo-installation"

/* ID: hex digits of an id. MARK: hex digits of the hash of OCTAVO_BLOBS in the name of the file. */
enum { ID_BYTES = 16, ID = 2 * ID_BYTES, MARK = 16 };

static char *
id_path(struct arena *a, const char *dir)
{
	return arena_printf(a, "%s/blobs/.store.%.*s", dir, MARK, hex(a, hash_of(a, str_of(blob_store()))));
}

struct id {
	char   text[ID + 1];
	size_t n;
};

static bool
take_id(void *ctx, const char *p, size_t n)
{
	struct id *id = ctx;
	size_t room = ID - id->n;

	memcpy(id->text + id->n, p, n < room ? n : room);
	id->n += n < room ? n : room;
	return true;
}

static enum objects_result
read_owner(struct id *id)
{
	*id = (struct id){ .n = 0 };
	return blob_objects() == NULL ? OBJECTS_FAILED : objects_get(blob_objects(), OWNER_KEY, take_id, id);
}

/*
 * Writes a new id to the file, and then puts the file into the store. how: O_EXCL, if another process may
 * do the same; O_TRUNC replaces a file. False: the log says why.
 */
static bool
write_owner(struct arena *a, const char *dir, int how)
{
	const char *path = id_path(a, dir);
	char bytes[ID_BYTES], text[ID + 1];
	int fd = -1;
	bool ok;

	randombytes_buf(bytes, sizeof(bytes));
	snprintf(text, sizeof(text), "%s", hex(a, (struct str){ bytes, sizeof(bytes) }));
	ok = folder_make(AT_FDCWD, arena_printf(a, "%s/blobs", dir), SHARED_FOLDER) &&
	    (fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | how, 0600)) >= 0 && write(fd, text, ID) == ID && fsync(fd) == 0;
	if (!ok)
		log_line("%s: %s", path, strerror(errno));
	else
		ok = objects_put(blob_objects(), OWNER_KEY, fd, ID) == OBJECTS_DONE;
	if (fd >= 0)
		close(fd);
	return ok;
}

void
blob_owner_claim(struct arena *a, const char *dir)
{
	struct id id;
	bool any = true;

	if (access(id_path(a, dir), F_OK) != 0 && read_owner(&id) == OBJECTS_MISSING &&
	    objects_any(blob_objects(), &any) == OBJECTS_DONE && !any)
		write_owner(a, dir, O_EXCL);
}

bool
blob_owner_adopt(struct arena *a, const char *dir)
{
	return blob_objects() != NULL && write_owner(a, dir, O_TRUNC);
}

enum blob_owner
blob_owner(struct arena *a, const char *dir)
{
	enum objects_result result;
	struct str mine;
	struct id id;

	result = read_owner(&id);
	if (result != OBJECTS_DONE && result != OBJECTS_MISSING)
		return BLOB_OWNER_UNKNOWN;
	return result == OBJECTS_DONE && id.n == ID && file_read(a, id_path(a, dir), &mine) && str_is(mine, id.text) ?
	    BLOB_OWNER_THIS : BLOB_OWNER_OTHER;
}
