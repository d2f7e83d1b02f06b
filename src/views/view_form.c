/*
 * What a browser sent: query, form, cookies, language, and origin. Contract: view_parts.h.
 *
 * A form is accepted only if both of these hold (docs/design/security.md, "S15"):
 *
 *   - Its field "csrf" is derived from a cookie that scripts and other sites cannot read. This is
 *     the session's cookie or, before sign-in, a cookie that was set with the page.
 *   - The header Origin (RFC 6454) is ours. If a browser hides it ("null", or no header),
 *     Sec-Fetch-Site (W3C Fetch Metadata) must say that the page is ours.
 */
#include <stdlib.h>
#include <strings.h>

#include "base/secret.h"
#include "base/url.h"
#include "view_parts.h"

/*
 * Maximum sizes of forms in bytes. TEXTS_MOST: forms of a space, which contain texts of pages,
 * where each byte may be encoded as three. RESPONSE_MOST: the response of a SAML provider.
 * FIELDS_MOST: maximum number of fields; the largest form, that of conflicts, has four for each of
 * 1000 conflicts.
 */
enum { FORM_MOST = 64 << 10, TEXTS_MOST = 32 << 20, RESPONSE_MOST = 256 << 10, FIELDS_MOST = 5000 };

/* Cookie for the forms of a browser without a session. */
static const char form_cookie[] = "octavo_form";

static enum method
parse_method(const char *name)
{
	if (name != NULL && (strcmp(name, "GET") == 0 || strcmp(name, "HEAD") == 0))
		return M_GET;
	return name != NULL && strcmp(name, "POST") == 0 ? M_POST : M_OTHER;
}

/* The secret of the browser's cookie for forms; make: sets one if there is none. */
static const char *
form_key(struct view *v, bool make)
{
	const char *key = cookie_text(v, form_cookie);

	if (key == NULL && make) {
		key = secret_named(v->arena, "ocf_");
		set_cookie(v, form_cookie, key, COOKIE_CLOSE);
	}
	return key;
}

/*
 * The value of "csrf" for a browser without a session, derived from the cookie form_cookie; NULL:
 * there is none.
 */
static const char *
form_csrf(struct view *v, const char *purpose, bool make)
{
	const char *key = form_key(v, make);

	return key == NULL ? NULL : session_csrf(v->arena, arena_printf(v->arena, "%s %s", purpose, key));
}

void
form_begin_view(struct view *v)
{
	const char *method = v->io->param(v->io, "REQUEST_METHOD");

	v->method = parse_method(method);
	v->head = method != NULL && strcmp(method, "HEAD") == 0;
	v->language = choose_language(v->io->param(v->io, "HTTP_ACCEPT_LANGUAGE"));
	v->secret = cookie_value(v->arena, v->io, session_cookie(v->set));
	if (v->secret != NULL) {
		v->csrf = session_csrf(v->arena, v->secret);
		return;
	}
	v->csrf = form_csrf(v, "form", v->method == M_GET);
}

void
write_resend(struct view *v)
{
	write_hidden(v, "resend", form_csrf(v, "resend", true));
}

/*
 * True if the form comes from page_resend() of this browser: the person has signed in since, so that its "csrf"
 * is not that of the session. The page has shown what is sent.
 */
static bool
is_resent(struct view *v)
{
	const char *expected = form_csrf(v, "resend", false);

	return v->secret != NULL && expected != NULL && secret_same(form_value(v, "resend"), expected);
}

/* ---- names and values ---- */

/* The first value of a name in "a=b&c=d", decoded; NULL: there is none, or its encoding is invalid. */
static char *
find_value(struct arena *a, const char *list, const char *name)
{
	size_t n = strlen(name), len;

	for (; list != NULL && *list != '\0'; list += len + (list[len] == '&')) {
		len = strcspn(list, "&");
		if (len > n && strncmp(list, name, n) == 0 && list[n] == '=')
			return url_decode(a, (struct str){ list + n + 1, len - n - 1 }, true);
	}
	return NULL;
}

const char *
query_value(const struct view *v, const char *name)
{
	/* The query is read from the address, because servers differ in what they pass as QUERY_STRING. */
	const char *query = strchr(v->io->param(v->io, "REQUEST_URI"), '?');

	return find_value(v->arena, query != NULL ? query + 1 : NULL, name);
}

static const struct pair *
find_field(const struct view *v, const char *name)
{
	const struct pair *p = v->form;

	while (p != NULL && strcmp(p->name, name) != 0)
		p = p->next;
	return p;
}

const char *
form_value(const struct view *v, const char *name)
{
	const struct pair *p = find_field(v, name);

	return p != NULL ? p->value : "";
}

char *
plain_lines(struct arena *a, const char *text)
{
	char *copy = arena_strdup(a, text), *to = copy;

	for (const char *p = copy; *p != '\0'; p++)
		if (*p != '\r')
			*to++ = *p;
	*to = '\0';
	return copy;
}

bool
has_field(const struct view *v, const char *name)
{
	return find_field(v, name) != NULL;
}

bool
form_has(struct view *v, const char *name)
{
	if (has_field(v, name))
		return true;
	page_error(v, 400, view_say(v, SAY_FAILED), view_say(v, SAY_BAD_FORM));
	return false;
}

/*
 * False: a field is no UTF-8 or contains a NUL, or there are too many fields. Such a form is
 * refused as a whole, since without the field its meaning would change.
 */
static bool
parse_form(struct view *v, const char *text)
{
	struct pair **last = &v->form;
	size_t len, n, count = 0;
	struct pair *p;

	for (; *text != '\0'; text += len + (text[len] == '&')) {
		len = strcspn(text, "&");
		n = strcspn(text, "=");
		if (n >= len)
			continue;
		p = arena_alloc(v->arena, sizeof(*p));
		p->name = url_decode(v->arena, (struct str){ text, n }, true);
		p->value = url_decode(v->arena, (struct str){ text + n + 1, len - n - 1 }, true);
		if (p->name == NULL || p->value == NULL || ++count > FIELDS_MOST)
			return false;
		*last = p;
		last = &p->next;
	}
	return true;
}

/* ---- forms ---- */

static bool
is_space_form(const struct view *v)
{
	return strncmp(v->path, "/spaces/", 8) == 0;
}

static size_t
max_form_size(const struct view *v)
{
	return is_space_form(v) ? TEXTS_MOST : strncmp(v->path, "/sso/", 5) == 0 ? RESPONSE_MOST : FORM_MOST;
}

/*
 * Reads the body; p NULL: it is longer than a form may be, or ended before its announced length. (A
 * truncated form could be parsed, but the text of its last field would be incomplete.)
 */
static struct str
read_body(struct view *v)
{
	const char *length = v->io->param(v->io, "CONTENT_LENGTH");
	size_t most = max_form_size(v);
	struct buf b;
	char piece[4096];
	long n;

	buf_init(&b, v->arena, most + sizeof(piece));
	buf_str(&b, "");
	while ((n = v->io->read(v->io, piece, sizeof(piece))) > 0) {
		buf_add(&b, piece, (size_t)n);
		if (b.n > most)
			return (struct str){ NULL, 0 };
	}
	return n < 0 || (length != NULL && b.n < strtoul(length, NULL, 10)) ? (struct str){ NULL, 0 } : buf_view(&b);
}

static bool
is_form(const char *type)
{
	static const char form[] = "application/x-www-form-urlencoded";
	size_t n = sizeof(form) - 1;

	return type != NULL && strncasecmp(type, form, n) == 0 && (type[n] == '\0' || type[n] == ';' || type[n] == ' ');
}

static bool
is_from_here(struct view *v)
{
	const char *origin = v->io->param(v->io, "HTTP_ORIGIN"), *site = v->io->param(v->io, "HTTP_SEC_FETCH_SITE");

	if (origin != NULL && *origin != '\0' && strcmp(origin, "null") != 0)
		return is_own_origin(v->set, origin);
	return site != NULL && strcmp(site, "same-origin") == 0;
}

bool
form_read(struct view *v)
{
	const char *type = v->io->param(v->io, "CONTENT_TYPE");
	bool with_file = is_space_form(v) && is_multipart(type);
	struct str body = { NULL, 0 };

	if (!with_file && !is_form(type))
		page_error(v, 415, view_say(v, SAY_FAILED), view_say(v, SAY_BAD_FORM));
	else if ((body = read_body(v)).p == NULL)
		page_error(v, 413, view_say(v, SAY_FAILED), view_say(v, SAY_BAD_FORM));
	else if (!(with_file ? parse_multipart(v, type, body) : parse_form(v, body.p)))
		page_error(v, 400, view_say(v, SAY_FAILED), view_say(v, SAY_BAD_FORM));
	return v->status < 400;
}

bool
form_check(struct view *v)
{
	if (!is_from_here(v))
		page_error(v, 403, view_say(v, SAY_FAILED), view_say_with(v, SAY_FOREIGN, v->set->url));
	if (v->status >= 400 || !form_read(v))
		return false;
	v->trusted = (v->csrf != NULL && secret_same(form_value(v, "csrf"), v->csrf)) || is_resent(v);
	if (!v->trusted && can_send_again(v))
		page_resend(v, v->secret == NULL ? 401 : 403, v->secret == NULL ? SAY_RESEND_ENDED : SAY_RESEND_STALE);
	else if (!v->trusted)
		page_error(v, 403, view_say(v, SAY_FAILED), view_say(v, SAY_STALE));
	return v->trusted;
}
