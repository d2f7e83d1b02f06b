/*
 * The pages below /app (docs/people/sign-in.md). octavo-api calls this for addresses that
 * views_own() recognises, unless the host is that of a published site.
 *
 * Two checks protect each form, and one function makes both before a view may write. The form's
 * field "csrf" must match a cookie of this browser: that of the session, or one that is set with
 * the page before a sign-in. And the request must come from a page with OCTAVO_URL's origin
 * (docs/design/security.md, "S15").
 */
#ifndef OCTAVO_VIEWS_H
#define OCTAVO_VIEWS_H

#include "http/req.h"

/* Data that all requests share. */
struct views_setup {
	const struct app *app;          /* the API */
	/* Files of the pages: path below OCTAVO_URL, with a hash of the bytes, and the bytes. */
	struct views_file { const char *name; struct str bytes; } style, icon, script, passkey, review, tree, editor, editor_style;
};

/* True if the request's path is /app or below it. */
bool views_own(struct io *io, const struct settings *set);

/* Serves one request. The caller resets the arena. */
void views_handle(struct io *io, struct arena *a, struct db *db, const struct settings *set,
    const struct views_setup *setup);

/*
 * The address to go to after signing in, without the path of OCTAVO_URL. It is `to` if that is a
 * path below our own /app, with or without the path of OCTAVO_URL; otherwise "/app". Everything
 * that a browser could read as another place is refused: a backslash, a control character, and a
 * dot segment, also if it is percent-encoded.
 */
const char *return_address(struct arena *a, const struct settings *set, const char *to);

/* True if a program of this machine can wait at the address: http, a loopback host, and a port. */
bool is_loopback_address(const char *url);

#endif
