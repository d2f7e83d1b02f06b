/*
 * Addresses of this installation: from OCTAVO_URL, which may have a path, to absolute addresses, and
 * from a request's path to the part below OCTAVO_URL. url_make() makes every address in answers; the
 * Host header is never used.
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

/* Encodes a text as one segment of a path: all characters but unreserved ones (RFC 3986, 2.1 and 2.3). */
char *url_segment(struct arena *a, struct str s);

/* As url_segment() for each segment of a path: slashes stay. */
char *url_path(struct arena *a, const char *path);

/* The byte that the escape at i (a percent sign and two hexadecimal digits) encodes; -1: there is no escape. */
int url_escaped(struct str s, size_t i);

/* Decodes percent-encoding; an invalid escape stays unchanged. NUL-terminated. */
struct str url_unescape(struct arena *a, struct str s);

/*
 * Decodes input of clients, with strict checks: NULL if a percent sign begins no escape, or if the
 * result contains NUL or is not UTF-8. plus: "+" is a blank, as in the query of a form
 * (application/x-www-form-urlencoded).
 */
char *url_decode(struct arena *a, struct str s, bool plus);

/* The path of OCTAVO_URL: "" or "/docs", without a slash at its end. */
struct str url_base_path(const struct settings *set);

/* True if an origin, as browsers write it, is that of OCTAVO_URL: scheme, host and port, without the path. */
bool is_own_origin(const struct settings *set, const char *origin);

/*
 * The part of a request's path (REQUEST_URI without its query) that begins with the segment `want`
 * ("/v1"). What precedes it must be nothing, the path of OCTAVO_URL, or `script`: the CGI variable
 * SCRIPT_NAME (RFC 3875, section 4.1.13; NULL: unset), as in /cgi-bin/octavo-api/v1/orgs. Empty if
 * the path has another form.
 */
struct str url_below(const struct settings *set, const char *script, struct str path,
    const char *want);

/*
 * The address with "***" in place of everything that looks like a secret: user and password; the
 * value of a member of query or path whose name suggests one (token, key, sig), in any spelling, or
 * that looks random; and a random segment of the path. Other text is unchanged.
 */
char *url_shown(struct arena *a, const char *url);

/* True if the address contains "***" where url_shown() writes it: it was copied from an answer. */
bool url_masked(const char *url);

#endif
