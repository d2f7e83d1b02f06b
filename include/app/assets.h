/*
 * Files that are embedded in the programs: everything below assets/ in the source, by one build
 * step (tools/embed_assets.sh). A program that uses none of them contains none.
 *
 * Each has a media type, by its name, and a tag, the beginning of a hash of its bytes. An asset
 * that is served under a name with the tag ("style.3f2a….css") never changes, so any cache may
 * keep it for ever.
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

/* By its path; NULL: there is none. */
const struct asset *asset_find(const char *path);

/*
 * By the path under which it is served, with a tag before its ending; NULL: there is none, or the
 * path has no tag. *current: the tag matches its bytes. Other tags are those of earlier programs:
 * pages that readers have open still request them.
 */
const struct asset *asset_served(struct arena *a, const char *path, bool *current);

/* The path to serve it under, allocated from a. */
char *asset_name(struct arena *a, const struct asset *f);

struct str asset_bytes(const struct asset *f);
const char *asset_type(const struct asset *f);

/* The first asset below a folder ("templates/blank/"), and how many there are. */
const struct asset *asset_folder(const char *folder, size_t *count);

#endif
