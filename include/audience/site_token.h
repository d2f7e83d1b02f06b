/*
 * Site tokens: what the renderer of a published site reads with, on behalf of a visitor.
 *
 *   e30.{"exp":SECONDS}.HANDLE       each part base64url
 *
 * The renderer wants the form of a JWT, and takes it for the key of its caches. One of them is on disk, in files
 * whose names hold the token, the host and the ids of organization, site and space; a name is 255 bytes at most, so
 * that each character counts: for the same visitor and state of the site it is the same text
 * for an hour, another one after each change. The handle stands where the signature would;
 * a row with its hash (table site_pass) says for whom it was made. The row opens nothing by
 * itself: site, share link, key, membership are looked at whenever it is used.
 */
#ifndef OCTAVO_SITE_TOKEN_H
#define OCTAVO_SITE_TOKEN_H

#include "audience/visit.h"

/*
 * The token for who sees this site (visit_open() let them in), asked for by an account. NULL: its row is not
 * there yet, and this is no write transaction. Of each account the newest PASS_MOST or so are kept; whose
 * token went gets the same one again by asking.
 */
enum { PASS_MOST = 10000 };
char *pass_make(const struct visit *v, const char *maker);

/* The hash of the handle in a bearer token; false: it has not that form. */
bool pass_hash(struct arena *a, struct str bearer, struct str *hash);

/* What the bearer of this token sees now: PAGE, or NO_SITE once anything is closed. Notes the hash in v. */
enum visit_status pass_open(struct db *db, struct arena *a, const struct settings *set, struct str hash,
    struct visit *v);

/*
 * Files are fetched without the token, so that addresses of files which its bearer gets say
 * who reads them (download_url()): the row of the token, and the id of the file. NULL: v is
 * not a token's.
 */
char *pass_reader(const struct visit *v, const char *file);

/*
 * True if this reader may have the file from this space now. Checks what pass_open() checks, and
 * that the visitor sees the file. An address may be valid for longer than the token, but not that
 * of a preview.
 */
bool pass_reads(struct db *db, struct arena *a, const struct settings *set, const char *reader, const char *space);

#endif
