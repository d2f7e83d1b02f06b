/* Finds embedded files. The contract is in app/assets.h. */
#include <string.h>

#include "app/assets.h"
#include "app/download.h"
#include "base/sort.h"

/*
 * Number of hexadecimal digits of the hash in a name: another build has other names, so clients may
 * cache a reply for ever.
 */
enum { TAG = 16 };

static int
by_path(const void *key, const void *item)
{
	return strcmp(key, ((const struct asset *)item)->path);
}

const struct asset *
asset_find(const char *path)
{
	return find_sorted(path, assets, asset_count, sizeof(*assets), by_path);
}

char *
asset_name(struct arena *a, const struct asset *f)
{
	const char *dot = strrchr(f->path, '.');
	size_t n = dot != NULL ? (size_t)(dot - f->path) : strlen(f->path);

	return arena_printf(a, "%.*s.%s%s", (int)n, f->path, f->tag, f->path + n);
}

/*
 * A caller that sends an asset under an old tag must prevent clients from caching it under that
 * name.
 */
const struct asset *
asset_served(struct arena *a, const char *path, bool *current)
{
	const char *dot = strrchr(path, '.');
	size_t n = dot != NULL ? (size_t)(dot - path) : 0;
	const struct asset *f;

	if (n <= TAG + 1 || path[n - TAG - 1] != '.' || strspn(path + n - TAG, "0123456789abcdef") < TAG)
		return NULL;
	f = asset_find(arena_printf(a, "%.*s%s", (int)(n - TAG - 1), path, dot));
	*current = f != NULL && strncmp(path + n - TAG, f->tag, TAG) == 0;
	return f;
}

struct str
asset_bytes(const struct asset *f)
{
	return (struct str){ f->begin, (size_t)(f->end - f->begin) };
}

const char *
asset_type(const struct asset *f)
{
	return mime_type(f->path);
}

/* The table is sorted by path, so the assets of a folder follow one another. */
const struct asset *
asset_folder(const char *folder, size_t *count)
{
	const struct asset *f, *first = NULL;
	size_t n = strlen(folder);

	*count = 0;
	for (f = assets; f < assets + asset_count; f++) {
		if (strncmp(f->path, folder, n) != 0)
			continue;
		if (first == NULL)
			first = f;
		++*count;
	}
	return first;
}
