/* Answers: status, headers, cookies, redirects, the style sheet. Contract: view_parts.h. */
#include <strings.h>

#include "base/json.h"
#include "base/url.h"
#include "objects/objects.h"
#include "view_parts.h"

/* ADDRESS_MOST: bytes of an address to which an answer leads; web servers refuse longer headers. */
enum { HEADERS_MOST = 64 << 10, ADDRESS_MOST = 6000, YEAR_SECONDS = 365 * 86400 };

/* Hexadecimal digits of the hash in the name of a file, before its ending. */
enum { HASH_LENGTH = 16 };

/* ---- addresses ---- */

char *
app_path(const struct view *v, const char *below)
{
	struct str base = url_base_path(v->set);

	return arena_printf(v->arena, "%.*s/app%s", (int)base.n, base.p, below);
}

const char *
near_path(const struct view *v, const char *below)
{
	const char *whole = app_path(v, below), *rest;
	size_t common = 0;
	struct buf b;

	/* Segments before the last slash of both. */
	for (size_t i = 0; v->path[i] != '\0' && v->path[i] == below[i]; i++)
		if (below[i] == '/')
			common = i + 1;
	rest = below + common;
	/* Not if only the first slash is common: the whole address is then shorter. */
	if (common <= 1 || strchr("?#", *rest) != NULL)
		return whole;
	buf_init(&b, v->arena, HEADERS_MOST);
	for (const char *p = v->path + common; (p = strchr(p, '/')) != NULL; p++)
		buf_str(&b, "../");
	buf_str(&b, rest);
	return b.n < strlen(whole) ? b.p : whole;
}

/*
 * True for visible ASCII without a backslash, which browsers read as a slash: such a text may be
 * part of a header or address.
 */
static bool
is_plain_address(const char *s)
{
	for (; *s != '\0'; s++)
		if ((unsigned char)*s <= ' ' || (unsigned char)*s > '~' || *s == '\\')
			return false;
	return true;
}

/* True if the path before its query has a segment "." or "..", in any spelling. */
static bool
has_dot_segment(struct arena *a, const char *path)
{
	const char *plain = url_decode(a, (struct str){ path, strcspn(path, "?#") }, false), *p;
	size_t n;

	for (p = plain; p != NULL && *p != '\0'; p += n + (p[n] != '\0')) {
		n = strcspn(p, "/\\");
		/* Browsers read a backslash as a slash, so it is refused as well. */
		if ((n == 1 && p[0] == '.') || (n == 2 && p[0] == '.' && p[1] == '.') || p[n] == '\\')
			return true;
	}
	return plain == NULL;
}

const char *
return_address(struct arena *a, const struct settings *set, const char *to)
{
	struct str base = url_base_path(set);

	if (to == NULL)
		return "/app";
	if (base.n > 0 && strncmp(to, base.p, base.n) == 0 && to[base.n] == '/')
		to += base.n;
	if (strncmp(to, "/app", 4) != 0 || strchr("/?#", to[4]) == NULL || !is_plain_address(to) || has_dot_segment(a, to) ||
	    strstr(arena_strndup(a, to, strcspn(to, "?#")), "//") != NULL)
		return "/app";
	return to;
}

bool
is_loopback_address(const char *url)
{
	static const char *const hosts[] = { "http://127.0.0.1:", "http://[::1]:", "http://localhost:" };
	size_t digits;

	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		size_t n = strlen(hosts[i]);

		if (strncasecmp(url, hosts[i], n) != 0)
			continue;
		digits = strspn(url + n, "0123456789");
		return digits >= 1 && digits <= 5 && strchr("/?", url[n + digits]) != NULL && is_plain_address(url) &&
		    strchr(url, '#') == NULL;
	}
	return false;
}

void
go_away(struct view *v, const char *address)
{
	/* 303 makes the browser use GET, whatever the method was (RFC 9110, section 15.4.4). */
	v->status = 303;
	v->location = is_plain_address(address) && strlen(address) <= ADDRESS_MOST ? address : app_path(v, "");
}

void
go_to(struct view *v, const char *below)
{
	go_away(v, app_path(v, below));
}

void
go_sign_in(struct view *v, bool again)
{
	if (can_send_again(v)) {
		page_resend(v, 401, SAY_RESEND_ENDED);
		return;
	}
	go_to(v, arena_printf(v->arena, "/sign-in?%sto=%s", again ? "again=1&" : "",
	    url_segment(v->arena, str_of(arena_printf(v->arena, "/app%s", v->back)))));
}

/* ---- cookies ---- */

static bool
is_https(const struct view *v)
{
	return str_starts(str_of(v->set->url), "https://");
}

char *
cookie_name(const struct view *v, const char *name)
{
	/* These are the prefixes of session_cookie(); with them, other hosts and paths cannot set the cookie. */
	return arena_printf(v->arena, "%s%s", !is_https(v) ? "" : url_base_path(v->set).n == 0 ? "__Host-" : "__Secure-", name);
}

/* whole: use the name without a prefix. */
static void
write_cookie(struct view *v, const char *whole, const char *value, int64_t seconds)
{
	struct str base = url_base_path(v->set);

	buf_printf(&v->cookies, "Set-Cookie: %s=%s; Path=%.*s; HttpOnly; SameSite=Lax", whole, value,
	    base.n > 0 ? (int)base.n : 1, base.n > 0 ? base.p : "/");
	if (seconds != COOKIE_CLOSE)
		buf_printf(&v->cookies, "; Max-Age=%lld", (long long)seconds);
	buf_str(&v->cookies, is_https(v) ? "; Secure\r\n" : "\r\n");
}

void
set_cookie(struct view *v, const char *name, const char *value, int64_t seconds)
{
	write_cookie(v, cookie_name(v, name), url_segment(v->arena, str_of(value)), seconds);
}

const char *
cookie_text(const struct view *v, const char *name)
{
	const char *value = cookie_value(v->arena, v->io, cookie_name(v, name));

	return value == NULL ? NULL : url_decode(v->arena, str_of(value), false);
}

/*
 * The name of a cookie that is set from signing out until a sign-in page was shown. A parameter of
 * the address could say the same, but then a link on any page could delete the texts that a person
 * has not saved.
 */
static const char left_cookie[] = "octavo_left";

bool
take_sign_out(struct view *v)
{
	bool left = cookie_text(v, left_cookie) != NULL;

	if (left)
		set_cookie(v, left_cookie, "", COOKIE_DELETE);
	return left;
}

void
leave_session(struct view *v)
{
	write_cookie(v, session_cookie(v->set), "", COOKIE_DELETE);
	set_cookie(v, left_cookie, "1", YEAR_SECONDS);
}

void
enter_session(struct view *v, const cJSON *signed_in)
{
	int64_t ends = 0;

	/*
	 * End the older session: this browser had the only copy of its cookie, and loses it. This request does not contain the new cookie yet.
	 */
	if (v->secret != NULL && v->trusted)
		ask_api(v, "DELETE", "/user/sessions/current", NULL);
	time_parse(json_text_or_empty(signed_in, "endsAt"), &ends);
	write_cookie(v, session_cookie(v->set), url_segment(v->arena, str_of(json_text_or_empty(signed_in, "secret"))),
	    (ends - time_now()) / 1000);
	if (*json_text_or_empty(signed_in, "proof") != '\0')
		set_cookie(v, "octavo_device", json_text_or_empty(signed_in, "proof"), YEAR_SECONDS);
}

/* ---- sending ---- */

static const char *
reason_phrase(int status)
{
	static const struct { int status; const char *text; } reasons[] = {
		{ 200, "OK" }, { 303, "See Other" }, { 400, "Bad Request" }, { 401, "Unauthorized" }, { 403, "Forbidden" },
		{ 404, "Not Found" }, { 405, "Method Not Allowed" }, { 409, "Conflict" }, { 412, "Precondition Failed" }, { 413, "Content Too Large" },
		{ 415, "Unsupported Media Type" }, { 429, "Too Many Requests" }, { 500, "Internal Server Error" }, { 503, "Service Unavailable" } };

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].status == status)
			return reasons[i].text;
	return "Error";
}

/*
 * Writes the policies of a page: no frames, nothing from other hosts, and scripts only on pages
 * that have some. The referrer is sent to our own origin only, because the addresses of some pages
 * contain a secret. "no-referrer" would also remove the header Origin from our own forms, and
 * browsers send Sec-Fetch-Site only over https (form_check()).
 */
static void
write_policies(struct view *v)
{
	static const char script[] = "script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; ";
	const char *files = objects_origin(v->arena, objects_environment);
	struct buf b;

	if (v->policies.n > 0)
		return;
	buf_init(&b, v->arena, HEADERS_MOST);
	/* Pictures may come from the object store of files. */
	buf_printf(&b, "Content-Security-Policy: default-src 'none'; style-src 'self'; img-src 'self' data:%s%s; %sform-action 'self'%s; "
	    "frame-ancestors 'none'; base-uri 'none'\r\n",
	    files != NULL ? " " : "", files != NULL ? files : "", v->script || v->tree || v->passkey || v->review ? script : "",
	    v->targets != NULL ? v->targets : "");
	buf_str(&b, "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: same-origin\r\n"
	    "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n"
	    "X-Robots-Tag: noindex\r\nCache-Control: no-store\r\nVary: Cookie, Accept-Language\r\n");
	v->policies = buf_view(&b);
}

void
send_view(struct view *v)
{
	struct buf b;

	buf_init(&b, v->arena, HEADERS_MOST);
	buf_printf(&b, "Status: %d %s\r\nX-Request-Id: %s\r\n", v->status, reason_phrase(v->status), v->id);
	write_policies(v);
	buf_put(&b, v->policies);
	buf_put(&b, buf_view(&v->cookies));
	if (v->location != NULL)
		buf_printf(&b, "Location: %s\r\n", v->location);
	if (v->status == 405)
		buf_printf(&b, "Allow: %s\r\n", v->allow);
	if (v->status == 429 || v->status == 503)
		buf_printf(&b, "Retry-After: %d\r\n", v->retry_after > 0 ? v->retry_after : 1);
	if (v->type != NULL)
		buf_printf(&b, "Content-Type: %s\r\n", v->type);
	else if (v->location == NULL)
		buf_printf(&b, "Content-Type: text/html; charset=utf-8\r\nContent-Language: %s\r\n", text_tag(v->language));
	buf_printf(&b, "Content-Length: %zu\r\n\r\n", v->body.n);
	/* A failure means that the client has closed the connection. */
	if (v->io->write(v->io, b.p, b.n) && !v->head && v->body.n > 0)
		v->io->write(v->io, v->body.p, v->body.n);
}

/* The style sheet without comments and without white space that separates nothing. */
static struct str
short_style(struct view *v, struct str s)
{
	struct buf b;
	size_t i;

	buf_init(&b, v->arena, s.n + 1);
	buf_str(&b, "");
	for (i = 0; i < s.n; i++) {
		char c = s.p[i], before = b.n > 0 ? b.p[b.n - 1] : '{', next = i + 1 < s.n ? s.p[i + 1] : '}';

		if (c == '/' && next == '*') {
			const char *end = memmem(s.p + i, s.n - i, "*/", 2);

			i = end != NULL ? (size_t)(end + 1 - s.p) : s.n;
		/* Blanks stay, except beside signs after or before which CSS needs none. */
		} else if (c != '\n' && c != '\t' && !(c == ' ' && (strchr(":;{},>", before) != NULL || strchr("{}>", next) != NULL))) {
			buf_char(&b, c);
		}
	}
	return buf_view(&b);
}

/* True if the path is the name of a file in another release: with another hash. */
static bool
is_former_name(const char *path, const char *name)
{
	const char *ending = strrchr(name, '.');
	size_t stem = (size_t)(ending - name) - HASH_LENGTH;

	return strlen(path) == strlen(name) && strncmp(path, name, stem) == 0 && strcmp(path + strlen(path) - strlen(ending), ending) == 0;
}

/*
 * A page of another release gets this release's file, which is better than none; caches must not keep it
 * under that name.
 */
static bool
send_file(struct view *v, const struct views_file *f, const char *type)
{
	const char *name = f->name + strlen("app");
	bool current = strcmp(v->path, name) == 0;
	struct str bytes;
	struct buf b;

	if (!current && !is_former_name(v->path, name))
		return false;
	bytes = strcmp(type, "text/css") == 0 ? short_style(v, f->bytes) : f->bytes;
	buf_init(&b, v->arena, HEADERS_MOST);
	buf_printf(&b, "Status: 200 OK\r\nContent-Type: %s; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
	    "X-Request-Id: %s\r\nCross-Origin-Resource-Policy: same-origin\r\nCache-Control: %s\r\nContent-Length: %zu\r\n\r\n",
	    type, v->id, current ? "public, max-age=31536000, immutable" : "no-cache", bytes.n);
	if (v->io->write(v->io, b.p, b.n) && !v->head)
		v->io->write(v->io, bytes.p, bytes.n);
	return true;
}

bool
send_asset(struct view *v)
{
	return v->method == M_GET && (send_file(v, &v->setup->style, "text/css") || send_file(v, &v->setup->icon, "image/svg+xml") ||
	    send_file(v, &v->setup->script, "text/javascript") ||
	    send_file(v, &v->setup->passkey, "text/javascript") || send_file(v, &v->setup->tree, "text/javascript") ||
	    send_file(v, &v->setup->review, "text/javascript") ||
	    send_file(v, &v->setup->editor, "text/javascript") || send_file(v, &v->setup->editor_style, "text/css"));
}
