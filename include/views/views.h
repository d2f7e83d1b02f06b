/*
 * The pages below /app (docs/people/sign-in.md). octavo-api calls this for addresses that views_own()
 * knows, unless the host is that of a published site.
 *
 * A page writes only after two checks, made in one place for every form: its field "csrf" belongs to a
 * cookie of this browser (the session's, or one that is set with the page before somebody signs in), and
 * the request comes from a page of OCTAVO_URL's origin (docs/design/security.md, "S15").
 */
#ifndef OCTAVO_VIEWS_H
#define OCTAVO_VIEWS_H

#include "http/req.h"

/* What the pages are made of; the same for every request. */
struct views_setup {
	const struct app *app;          /* the API */
	const char       *style_name;   /* path of the style sheet below OCTAVO_URL, with a hash of its bytes */
	struct str        style;
};

/* True if the request's path is /app or below it. */
bool views_own(struct io *io, const struct settings *set);

/* Serves one request. The arena is the caller's to reset. */
void views_handle(struct io *io, struct arena *a, struct db *db, const struct settings *set,
    const struct views_setup *setup);

/*
 * The address to go to after signing in: `to`, a path below our own /app, with or without the path of
 * OCTAVO_URL; else "/app". Without the path of OCTAVO_URL. Whatever a browser could read as another place
 * is refused: a backslash, a control character, a dot segment, also a percent-encoded one.
 */
const char *return_address(struct arena *a, const struct settings *set, const char *to);

/* True if the address is one on which a program of this machine can wait: http, a loopback host, a port. */
bool is_loopback_address(const char *url);

#endif
