/*
 * Rich text that is no page: descriptions of change requests (kept as document JSON) and comments (kept as
 * Markdown, which both forms become). What other files need of rich_text.c.
 */
#ifndef OCTAVO_API_RICH_TEXT_H
#define OCTAVO_API_RICH_TEXT_H

#include "http/req.h"

extern const struct shape RichText;

/*
 * Rich text of a body that is no page (rich_text.c): a document as it is stored
 * (JSON), and Markdown or a document as Markdown. NULL after fail(); path is
 * that of the member, for the message. rich_members writes Markdown back into
 * the open object, as the query's `format` asks.
 */
const char *document_text(struct req *r, const struct cJSON *v, const char *path);
const char *rich_markdown(struct req *r, const struct cJSON *v, const char *path);
void rich_members(struct req *r, struct json *j, struct str markdown);

#endif
