/*
 * Files that are embedded in the programs: everything below assets/ in the source
 * (tools/embed_assets.sh). A program that does not use any of them does not contain them.
 *
 * Each file has a media type, determined by its name, and a tag, the beginning of a hash of its
 * bytes. A file that is served under a name with its tag ("style.3f2a….css") never changes, so
 * caches may keep it for ever.
 */
#ifndef OCTAVO_ASSETS_H
#define OCTAVO_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

struct asset {
	const char *path;        /* below assets/: "templates/blank/SUMMARY.md" */
	const char *tag;         /* 16 hexadecimal digits of the SHA-256 of its bytes */
	const char *begin, *end;
};

extern const struct asset assets[];   /* sorted by path, bytewise */
extern const size_t asset_count;

/* The asset with this path; NULL: there is none. */
const struct asset *asset_find(const char *path);

/*
 * The asset for a path with a tag before its ending. NULL if there is no such asset, or the path
 * has no tag. *current: the tag matches the asset's bytes. Pages that readers opened before an
 * upgrade still request paths with older tags.
 */
const struct asset *asset_served(struct arena *a, const char *path, bool *current);

/* The path under which the asset is served, with its tag; allocated from a. */
char *asset_name(struct arena *a, const struct asset *f);

struct str asset_bytes(const struct asset *f);
const char *asset_type(const struct asset *f);

/* The first asset below a folder ("templates/blank/"), and how many there are. */
const struct asset *asset_folder(const char *folder, size_t *count);

#endif
