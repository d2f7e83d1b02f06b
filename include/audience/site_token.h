/*
 * Site tokens, with which the renderer of a published site reads on behalf of a visitor.
 *
 *   e30.{"exp":SECONDS}.HANDLE       each part base64url
 *
 * The renderer requires the form of a JWT, and uses the token as a key of its caches. One of these
 * caches is on disk, in files whose names contain the token, the host, and the ids of organization,
 * site and space. A file name has at most 255 bytes, so the token must be short. For the same
 * visitor and the same state of the site, the token stays the same for an hour; after each change
 * it is different. In place of a JWT's signature the token has a handle. The row of table site_pass
 * with the hash of the handle names the visitor. The row alone gives no access: site, share link,
 * key and membership are checked at each use.
 */
#ifndef OCTAVO_SITE_TOKEN_H
#define OCTAVO_SITE_TOKEN_H

#include "audience/visit.h"

/*
 * The token for the visitor of this site, whom visit_open() has let in; requested by an account.
 * NULL: its row does not exist yet, and this is not a write transaction. Only the newest tokens of
 * an account, about PASS_MOST, are kept. If an older one is requested again, the result is the same
 * token.
 */
enum { PASS_MOST = 10000 };
char *pass_make(const struct visit *v, const char *maker);

/* The hash of the handle in a bearer token; false: the token does not have that form. */
bool pass_hash(struct arena *a, struct str bearer, struct str *hash);

/*
 * Opens the visit that the bearer of this token sees now: VISIT_PAGE, or VISIT_NO_SITE if any part
 * of it is no longer visible. Stores the hash in v.
 */
enum visit_status pass_open(struct db *db, struct arena *a, const struct settings *set, struct str hash,
    struct visit *v);

/*
 * Files are fetched without the token. So addresses of files that are given to its bearer contain
 * the reader (download_url()): the row of the token, and the id of the file. NULL: v has no token.
 */
char *pass_reader(const struct visit *v, const char *file);

/*
 * True if this reader may have the file from this space now. Checks what pass_open() checks, and
 * that the visitor sees the file. An address may be valid for longer than the token, but not that
 * of a preview.
 */
bool pass_reads(struct db *db, struct arena *a, const struct settings *set, const char *reader, const char *space);

#endif
