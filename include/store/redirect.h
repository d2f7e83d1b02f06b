/*
 * Redirects: every merged change of a page's path leaves a redirect, so that old links keep
 * working. A redirect is a node of kind setting with the id "redirect:<old path>", which contains
 * the id of the page. So it is part of the revision, and found in O(log n). A moved section leaves
 * one redirect; pages below it are found by the rest of the path. If a page exists at the path, the
 * redirect has no effect.
 *
 * The redirects of .gitbook.yaml are one node with the id "redirects": {"value": {old path in lower
 * case: target as spelled, relative to root}}. They apply to requested addresses, not to links.
 */
#ifndef OCTAVO_REDIRECT_H
#define OCTAVO_REDIRECT_H

#include "store/content.h"

/* Redirects the old path to the page; a redirect at the new path ends. */
void redirect_put(struct db *db, struct arena *a, int64_t branch, int64_t seq, const char *from,
    const char *to, const char *page);

/* True for the id of a redirect that a merge wrote. */
bool redirect_is(const char *id);

/* Finds the page that was formerly at this path; false: none is known. */
bool redirect_find(struct db *db, struct arena *a, const struct point *p, const char *path,
    struct node *out);
/*
 * As redirect_find(). each() gets the keys on which the result depends besides the path (places.h);
 * it may be NULL.
 */
bool redirect_find_keyed(struct db *db, struct arena *a, const struct point *p, const char *path, struct node *out,
    void (*each)(void *, const char *), void *ctx);

/*
 * Finds the target that .gitbook.yaml declares for this path: a page, which may be a computed one,
 * an anchor in it, a file, or an address. False: it declares none, or the target does not exist.
 * The path may be percent-encoded any number of times (page_spellings()).
 */
bool redirect_declared(struct db *db, struct arena *a, const struct point *p, const char *path,
    struct doc_ref *out);

/* The ids of all files that .gitbook.yaml redirects a path to; NULL at the end. */
const char *const *redirects_to_files(struct db *db, struct arena *a, const struct point *p);

#endif
