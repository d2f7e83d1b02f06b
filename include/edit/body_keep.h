/* Merges a sent body with the stored one: unchanged blocks keep their stored bytes. */
#ifndef OCTAVO_BODY_KEEP_H
#define OCTAVO_BODY_KEEP_H

#include "base/arena.h"
#include "base/str.h"
#include "markdown/document.h"

/*
 * Returns the body to store when a client sends new Markdown for a page. Blocks with an unchanged
 * meaning (doc_markdown() writes them equally) keep their old bytes, all others are stored as sent.
 * The blank lines between two blocks are the old ones if both blocks are kept. The result has the
 * same meaning as `sent`: a block is not kept if it would change that. Bodies of more than 10,000
 * blocks are returned as sent. The links of the two bodies are resolved by old_refs and sent_refs,
 * and compared by their targets, not by their spelling; those of the result are resolved by sent_refs. NULL: links are compared as spelled.
 */
struct str body_keep(struct arena *a, struct str old_body, const struct doc_refs *old_refs,
    struct str sent, const struct doc_refs *sent_refs);

#endif
