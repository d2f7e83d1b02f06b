/*
 * Copies of files that are in an object store, below DIR/blobs/cached. The time of last modification
 * of a copy is when it was used last, to half a minute. Contract: blob_place.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/settings.h"
#include "base/sort.h"
#include "blob_place.h"

/*
 * MIB_PRESET: OCTAVO_BLOBS_CACHE. NOTED_MS: how often the use of a copy is noted. SPARED_MS: a copy
 * that was used so recently is not deleted, since a program may be about to open it. PARTS: a copy of
 * a PARTS-th of the limit always starts a look at all copies, a smaller one with a probability that is
 * as much smaller; so the folder exceeds its limit by about such a part.
 */
enum { MIB_PRESET = 1024, MIB_MOST = 1 << 24, NOTED_MS = 30 * 1000, SPARED_MS = 60 * 1000, PARTS = 16 };

char *
blob_copy_path(struct arena *a, const char *dir, struct str hash)
{
	return arena_printf(a, "%s/" BLOB_COPIES "/%s", dir, blob_key(a, hash));
}

bool
blob_copy_use(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	/* If that fails (a read-only file system), the copy is deleted earlier than others. */
	if (time_now() - (int64_t)st.st_mtim.tv_sec * 1000 > NOTED_MS && utimensat(AT_FDCWD, path, NULL, 0) != 0)
		errno = 0;
	return true;
}

/* OCTAVO_BLOBS_CACHE in bytes; a value that is no number counts as not set. */
static int64_t
limit_of_copies(void)
{
	const char *v = getenv("OCTAVO_BLOBS_CACHE");
	char *end;
	long n;

	if (v == NULL || *v == '\0')
		return (int64_t)MIB_PRESET << 20;
	n = strtol(v, &end, 10);
	return (int64_t)(*end != '\0' || n < 0 || n > MIB_MOST ? MIB_PRESET : n) << 20;
}

struct copy {
	const char *path;
	int64_t     size, at;
};

struct copies {
	struct arena *arena;
	struct copy  *list;
	size_t        n, room;
	int64_t       total;
};

static void
note_copy(void *ctx, const struct blob_file *f)
{
	struct copies *c = ctx;

	c->list = arena_grow(c->arena, c->list, c->n, &c->room, sizeof(*c->list));
	c->list[c->n++] = (struct copy){ arena_strdup(c->arena, f->path), f->size, f->at };
	c->total += f->size;
}

static int
earlier(const void *x, const void *y)
{
	const struct copy *a = x, *b = y;

	return a->at < b->at ? -1 : a->at > b->at;
}

void
blob_copies_trim(const char *dir, int64_t now)
{
	struct arena *a = arena_new((size_t)1 << 30);
	struct copies c = { .arena = a };
	int64_t limit = limit_of_copies();

	blob_walk_in(a, arena_printf(a, "%s/" BLOB_COPIES, dir), note_copy, &c);
	if (c.total > limit) {
		sort_list(c.list, c.n, sizeof(*c.list), earlier);
		/* To three quarters, so that the next look is not due at once. */
		for (size_t i = 0; i < c.n && c.total > limit / 4 * 3 && c.list[i].at < now - SPARED_MS; i++)
			if (unlink(c.list[i].path) == 0)
				c.total -= c.list[i].size;
	}
	arena_free(a);
}

void
blob_copies_limit(const char *dir, int64_t added)
{
	int64_t part = limit_of_copies() / PARTS;

	if (part == 0 || (int64_t)randombytes_uniform(1 << 30) < (added >= part ? INT64_C(1) << 30 : (int64_t)((double)added / (double)part * (1 << 30))))
		blob_copies_trim(dir, time_now());
}
