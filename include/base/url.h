/*
 * Addresses: where Octavo stands, seen from outside (OCTAVO_URL, which may have a
 * path), and from a request back to the path below that place. Every address that
 * is given out is made by url_make(), never from the Host header.
 */
#ifndef OCTAVO_URL_H
#define OCTAVO_URL_H

#include <stdarg.h>

#include "base/arena.h"
#include "base/settings.h"
#include "base/str.h"

/* An absolute address: OCTAVO_URL, then the text, which begins with a slash. */
char *url_make(struct arena *a, const struct settings *set, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
char *url_make_v(struct arena *a, const struct settings *set, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));

/* A text as one segment of a path: all but unreserved characters percent-encoded (RFC 3986, 2.1 and 2.3). */
char *url_segment(struct arena *a, struct str s);

/* The same for each segment of a path: slashes stay. */
char *url_path(struct arena *a, const char *path);

/* The byte of the percent sign and two hexadecimal digits at i; -1: there are none. */
int url_escaped(struct str s, size_t i);

/* Decodes percent-encoding; an invalid escape stays unchanged. NUL-terminated. */
struct str url_unescape(struct arena *a, struct str s);

/*
 * The same for what a client sends, where nothing is guessed: NULL if a percent sign begins no
 * escape, or if the result holds NUL or is no UTF-8. plus: "+" stands for a blank, as in the
 * query of a form (application/x-www-form-urlencoded).
 */
char *url_decode(struct arena *a, struct str s, bool plus);

/* The path of OCTAVO_URL: "" or "/docs", no slash at its end. */
struct str url_base_path(const struct settings *set);

/*
 * The part of a request's path (REQUEST_URI without its query) that begins with
 * `want` ("/v1"), as a whole segment: the path itself where nothing stands before
 * it, or a proxy took it away; else without the path of OCTAVO_URL; else without
 * script, the CGI variable SCRIPT_NAME (RFC 3875 section 4.1.13; NULL: unset), as
 * for /cgi-bin/octavo-api/v1/orgs. Empty: the path is not below any of them.
 */
struct str url_below(const struct settings *set, const char *script, struct str path,
    const char *want);

/*
 * The address with "***" in place of everything that looks like a secret: user and password; the
 * value of a member of query or path whose name suggests one (token, key, sig), in any spelling, or
 * that looks random; and a random segment of the path. Other text is unchanged.
 */
char *url_shown(struct arena *a, const char *url);

#endif
