/*
 * Uploads of archives for imports, in parts, through the operations of api/storage.h. Implemented in
 * content/import_files.c.
 */
#ifndef OCTAVO_API_IMPORT_FILES_H
#define OCTAVO_API_IMPORT_FILES_H

#include "app/import_file.h"
#include "http/req.h"

extern const struct shape ImportFile;

/*
 * Announces a file of the path's organization. 0 or fail(): the quota of the organization is used
 * up, or the name is invalid.
 */
int import_file_announce(struct req *r, const char *id, const char *name, int64_t size);

/* Stores the body of the request as the next part of the file. 0 or fail(). */
int import_file_put(struct req *r, const struct import_file *f);

int import_file_reply(struct req *r, const struct import_file *f);

#endif
