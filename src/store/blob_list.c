/* What an object store has, as a list that rows are compared with. Contract: store/blob.h. */
#include <sys/stat.h>

#include "base/map.h"
#include "blob_place.h"

struct blob_list {
	struct arena *arena;
	struct map   *sizes;     /* by hash, of int64_t */
	int64_t       count;
};

static void
list_object(void *ctx, const struct blob_file *f)
{
	struct blob_list *l = ctx;
	int64_t *size = arena_alloc(l->arena, sizeof(*size));

	*size = f->size;
	map_add(l->sizes, (struct str){ arena_strndup(l->arena, f->hash.p, f->hash.n), f->hash.n }, size);
	l->count++;
}

struct blob_list *
blob_list_read(struct arena *a)
{
	struct blob_list *l = arena_alloc(a, sizeof(*l));

	*l = (struct blob_list){ a, map_new(a), 0 };
	return blob_walk_store(a, list_object, l) ? l : NULL;
}

int64_t
blob_list_count(const struct blob_list *l)
{
	return l->count;
}

bool
blob_list_has(const struct blob_list *l, struct arena *a, const char *dir, struct str hash, int64_t size)
{
	const int64_t *stored = map_get(l->sizes, hash);
	struct stat st;

	return (stat(blob_path(a, dir, hash), &st) == 0 && st.st_size == size) || (stored != NULL && *stored == size);
}
