/* Files and their addresses. Implemented in content/revision_files.c. */
#ifndef OCTAVO_API_REVISION_FILES_H
#define OCTAVO_API_REVISION_FILES_H

#include "http/req.h"
#include "store/content.h"

extern const struct shape RevisionFile, FileList;

/*
 * file_address() is the downloadURL of a file; for a visitor of a site it also names the visitor's
 * token. file_json() writes the file as the next value; git: with git metadata.
 */
char *file_address(struct req *r, const struct point *p, const struct node *n);
void file_json(struct req *r, struct json *j, const struct point *p, const struct node *n, bool git);

/*
 * Writes the key with the files or reusable contents of the point; find: at most FOUND_MOST whose name has this text;
 * NULL: all. They are hidden from visitors together with the pages that use them.
 */
void nodes_json(struct req *r, const struct point *p, const char *key, enum node_kind kind, bool git, const char *find);

#endif
