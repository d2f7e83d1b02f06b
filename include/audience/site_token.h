/*
 * Site tokens, with which the renderer of a published site reads on behalf of a visitor.
 *
 *   e30.{"exp":SECONDS}.HANDLE       each part base64url
 *
 * The renderer requires a token in the form of a JWT, and uses it as a key of its caches. One of
 * these caches is on disk, in files whose names contain the token, the host, and the ids of
 * organization, site and space. A file name has at most 255 bytes, so the token must be short. For
 * the same visitor and the same state of the site, the token is the same for an hour; after each
 * change it is different. Where a JWT has its signature, the token has a handle. The row of table
 * site_pass with the hash of the handle names the visitor. The row alone gives no access: at each
 * use, it is checked that the site is still published, and that the share link, the signing key or
 * the membership is still valid.
 */
#ifndef OCTAVO_SITE_TOKEN_H
#define OCTAVO_SITE_TOKEN_H

#include "audience/visit.h"

/*
 * Makes the token for the visitor to whom visit_open() gave access. maker: the account that
 * requests it. NULL: the row of the token does not exist yet, and this is not a write transaction.
 * Only about PASS_MOST tokens of an account are kept, the newest ones. If an older one is requested
 * again, the result is the same token.
 */
enum { PASS_MOST = 10000 };
char *pass_make(const struct visit *v, const char *maker);

/* The hash of the handle in a bearer token; false: the token does not have that form. */
bool pass_hash(struct arena *a, struct str bearer, struct str *hash);

/*
 * Opens the site as the bearer of this token sees it now. Returns VISIT_PAGE, or VISIT_NO_SITE if
 * the token no longer gives access. Stores the hash in v.
 */
enum visit_status pass_open(struct db *db, struct arena *a, const struct settings *set, struct str hash,
    struct visit *v);

/*
 * Files are fetched without the token. So the addresses of files that the bearer gets contain a
 * text that identifies the reader (download_url()): the hash of the token and the id of the file.
 * This function makes that text. NULL: v has no token.
 */
char *pass_reader(const struct visit *v, const char *file);

/*
 * True if the reader that this text of pass_reader() identifies may read the file from this space
 * now. Checks the same as pass_open(), and that the visitor sees the file. Unless the token is one
 * of a preview, the address may be valid for longer than the token.
 */
bool pass_reads(struct db *db, struct arena *a, const struct settings *set, const char *reader, const char *space);

#endif
