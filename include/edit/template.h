/*
 * Templates: first pages for a space. Each template is a folder of Markdown in the git-sync layout,
 * below assets/templates in the source: SUMMARY.md and one file for each page, all in one folder,
 * with links of the form ./name.md.
 *
 * Applying a template means applying a list of insert_page changes (edit.h). So its pages get free
 * slugs, and existing pages do not change.
 */
#ifndef OCTAVO_TEMPLATE_H
#define OCTAVO_TEMPLATE_H

#include "base/arena.h"

struct cJSON;

/* True if there is a template with this id. */
bool template_known(const char *id);

/* True if the template ends with the pages of an OpenAPI specification, which the caller must choose. */
bool template_wants_spec(const char *id);

/*
 * The changes that insert the template's pages, in reading order; allocated from a (json_arena must
 * be set). spec: slug of a specification of the organization, if the template needs one.
 */
struct cJSON *template_changes(struct arena *a, const char *id, const char *spec);

#endif
