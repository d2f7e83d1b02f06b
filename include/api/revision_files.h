/* Files and their addresses. What other files need of content/revision_files.c. */
#ifndef OCTAVO_API_REVISION_FILES_H
#define OCTAVO_API_REVISION_FILES_H

#include "http/req.h"
#include "store/content.h"

extern const struct shape RevisionFile, FileList;

/* downloadURL of a file: of a site's visitor one that names who reads. */
char *file_address(struct req *r, const struct point *p, const struct node *n);
void file_json(struct req *r, struct json *j, const struct point *p, const struct node *n, bool git);

#endif
