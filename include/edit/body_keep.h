/* Merges a sent body with the stored one: unchanged blocks keep their stored bytes. */
#ifndef OCTAVO_BODY_KEEP_H
#define OCTAVO_BODY_KEEP_H

#include "base/arena.h"
#include "base/str.h"
#include "markdown/document.h"

/*
 * The body to store when a client sends new Markdown for a page. Blocks that
 * mean what they meant (their doc_markdown is equal) keep their exact old
 * bytes, the others are taken as sent; blank lines between two blocks are the
 * old ones where both neighbours are kept. The result means what sent means:
 * what would change that is not kept. Bodies of more than 10,000 blocks are
 * returned as sent. What links of either body lead to is asked from their refs,
 * which write each target in one way, so that links are compared by it; those
 * of sent read the result as well. NULL: links are compared as spelled.
 */
struct str body_keep(struct arena *a, struct str old_body, const struct doc_refs *old_refs,
    struct str sent, const struct doc_refs *sent_refs);

#endif
