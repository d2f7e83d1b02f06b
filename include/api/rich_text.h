/*
 * Rich text outside of pages: descriptions of change requests (stored as document JSON) and
 * comments (sent in either form, stored as Markdown). Implemented in rich_text.c.
 */
#ifndef OCTAVO_API_RICH_TEXT_H
#define OCTAVO_API_RICH_TEXT_H

#include "http/req.h"

extern const struct shape RichText;

/*
 * document_text() returns a document in its stored form (JSON); rich_markdown() returns Markdown or
 * a document as Markdown. NULL after fail(); path is the member's, for the message. rich_members()
 * writes Markdown into the open object in the query's `format`.
 */
const char *document_text(struct req *r, const struct cJSON *v, const char *path);
const char *rich_markdown(struct req *r, const struct cJSON *v, const char *path);
void rich_members(struct req *r, struct json *j, struct str markdown);

#endif
