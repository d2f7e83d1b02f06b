/*
 * Content of a change request: writing, merging, and updating from main. Implemented in
 * requests/request_content.c.
 */
#ifndef OCTAVO_API_REQUEST_CONTENT_H
#define OCTAVO_API_REQUEST_CONTENT_H

#include "http/req.h"

extern const struct shape TemplateApply, TemplateUse, ContentChanges, CompatQuery, ContentUpdate, MergeResult;

/* Checks that the template exists. 0 or fail(). */
int template_or_fail(struct req *r, const char *id);

/* Inserts a template's pages into r->request. 0 or fail(). */
int request_from_template(struct req *r, const char *id, const struct cJSON *params);

/* Writes a known template into the primary content of r->space. 0 or fail(). */
int space_from_template(struct req *r, const char *id, const struct cJSON *params);

#endif
