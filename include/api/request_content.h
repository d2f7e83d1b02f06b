/*
 * Content of a change request: writing, merging, and updating from main. Implemented in
 * requests/request_content.c.
 */
#ifndef OCTAVO_API_REQUEST_CONTENT_H
#define OCTAVO_API_REQUEST_CONTENT_H

#include "http/req.h"

extern const struct shape TemplateApply, TemplateUse, ContentChanges, CompatQuery, ContentUpdate, MergeConflict, MergeResult, RevisionUndo, UndoCheck;

/* Values of a conflict's `kind`. */
#define CONFLICT_KINDS "text,title,path,position,properties,file,deleted,added,parent,cycle,depth"

struct clash;
struct merge_outcome;

/* Writes the member "conflicts" of an answer. */
void conflicts_json(struct req *r, const struct clash *clashes);
/* Replies to a merge or an update. done: the result if there are no conflicts. Returns 0. */
int reply_outcome(struct req *r, const struct merge_outcome *m, const char *done);

/*
 * Applies changes (as in …/content) to r->request as one revision, in the write transaction. at:
 * JSON pointer to the member of the body to which faults are reported. Large changes are first
 * prepared outside the transaction, for which the handler runs again: it must then make the same
 * changes, or fail(). Returns 0; or -1, which the handler returns.
 */
int request_write(struct req *r, const struct cJSON *changes, const char *at);

/* Checks that the template exists. 0 or fail(). */
int template_or_fail(struct req *r, const char *id);

/* Inserts a template's pages into r->request. 0 or fail(). */
int request_from_template(struct req *r, const char *id, const struct cJSON *params);

/* Writes a known template into the primary content of r->space. 0 or fail(). */
int space_from_template(struct req *r, const char *id, const struct cJSON *params);

#endif
