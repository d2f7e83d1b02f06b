/*
 * Redirects: every merged change of a page's path leaves one behind, so that
 * old links live. Each is a node of kind setting, id "redirect:<old path>", with
 * the page's id in its properties: part of the revision, found in O(log n). A
 * moved section leaves one for itself; what lay below it is found by the rest of
 * the path. A page that exists at a path always wins.
 *
 * Those of .gitbook.yaml are one node, id "redirects": {"value": {old path in
 * lower case: target as spelled, relative to root}}. They are for who asks by an
 * address; links do not go through them.
 */
#ifndef OCTAVO_REDIRECT_H
#define OCTAVO_REDIRECT_H

#include "store/content.h"

/* Old path -> page; one that stands at the new path ends. */
void redirect_put(struct db *db, struct arena *a, int64_t branch, int64_t seq, const char *from,
    const char *to, const char *page);

/* Is it the id of one that a merge left? */
bool redirect_is(const char *id);

/* The page that was at this path once, at the point; false if none is known. */
bool redirect_find(struct db *db, struct arena *a, const struct point *p, const char *path,
    struct node *out);
/* The same; each is told the keys of what the answer depends on beside the path (places.h). NULL: nobody wants them. */
bool redirect_look(struct db *db, struct arena *a, const struct point *p, const char *path, struct node *out,
    void (*each)(void *, const char *), void *ctx);

/*
 * What .gitbook.yaml wants this path to lead to, a page that may be a computed one, a place in it,
 * a file, an address; false if it says nothing, or nothing is there. However it is encoded
 * (page_spellings()).
 */
bool redirect_asked(struct db *db, struct arena *a, const struct point *p, const char *path,
    struct doc_ref *out);

/* The ids of all files that .gitbook.yaml leads some path to; ends with NULL. */
const char *const *redirects_to_files(struct db *db, struct arena *a, const struct point *p);

#endif
