/*
 * Rich text outside of pages: descriptions of change requests (stored as document JSON) and
 * comments (sent in either form, stored as Markdown). Implemented in rich_text.c.
 */
#ifndef OCTAVO_API_RICH_TEXT_H
#define OCTAVO_API_RICH_TEXT_H

#include "http/req.h"

extern const struct shape RichText;

/*
 * document_text() checks a document and returns it as it is stored (JSON). rich_markdown() returns
 * the Markdown of `v`, which contains either Markdown or a document. Both: NULL after fail(); path
 * is that of the member, for the message. rich_members() writes Markdown into the open object in
 * the form that the query's `format` names.
 */
const char *document_text(struct req *r, const struct cJSON *v, const char *path);
const char *rich_markdown(struct req *r, const struct cJSON *v, const char *path);
void rich_members(struct req *r, struct json *j, struct str markdown);

#endif
