/* Answers: status, headers, body. */
#include <stdio.h>
#include <stdlib.h>

#include "base/build.h"
#include "base/kept.h"
#include "base/secret.h"
#include "base/spare.h"
#include "base/url.h"
#include "reader_parts.h"

enum {
	KEPT_IN_FOLDER = 100,   /* maximum number of answers in a folder, of which there are 256 */
	CONNECT_MAX = 2000      /* bytes of origins in a policy: web servers accept headers of a few kilobytes */
};

/*
 * Content Security Policy Level 3. Without 'unsafe-inline', text that became markup by mistake
 * still cannot run. Trusted Types keep the script from making HTML of text.
 */
static const char connect_here[] = "connect-src 'self'";
const char site_policy[] = "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' https: data:; font-src 'self'; media-src 'self' https:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

static const struct { int status; const char *text; } statuses[] = {
	{ 200, "OK" }, { 202, "Accepted" }, { 302, "Found" }, { 303, "See Other" }, { 308, "Permanent Redirect" },
	{ 304, "Not Modified" }, { 400, "Bad Request" }, { 401, "Unauthorized" }, { 404, "Not Found" },
	{ 405, "Method Not Allowed" },
};

/* Reason phrase of the status line. */
static const char *
status_text(int status)
{
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (statuses[i].status == status)
			return statuses[i].text;
	return "Error";
}

/*
 * The methods that the address allows. Tools for models only accept POST (MCP, streamable HTTP
 * without a stream of its own), and so does counting, which changes data.
 */
static const char *
allowed_methods(struct answer *w)
{
	const char *uri = w->io->param(w->io, "REQUEST_URI");
	size_t n = uri == NULL ? 0 : strcspn(uri, "?");

	return n >= 7 && (strncmp(uri + n - 5, "/~mcp", 5) == 0 || strncmp(uri + n - 7, "/~count", 7) == 0) ? "Allow: POST\r\n" : "Allow: GET, HEAD\r\n";
}

void
write_refusal(struct answer *w, int status, const char *text)
{
	struct buf b;

	buf_init(&b, w->arena, 4096);
	buf_printf(&b, "Status: %d %s\r\nContent-Type: text/plain; charset=utf-8\r\n"
	    "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n%s\r\n", status, text,
	    status == 503 ? "Retry-After: 1\r\n" : status == 405 ? allowed_methods(w) : "");
	if (!w->head)
		buf_printf(&b, "%s\n", text);
	w->io->write(w->io, b.p, b.n);
}

/* Decode application/x-www-form-urlencoded, where a plus is a blank. */
static const char *
form_value(struct arena *a, struct str s)
{
	char *copy = arena_strndup(a, s.p, s.n), *p;

	for (p = copy; *p != '\0'; p++)
		if (*p == '+')
			*p = ' ';
	return url_unescape(a, str_of(copy)).p;
}

/* Value of a name in "a=b<separator>c=d"; p NULL if it is absent. */
static struct str
find_pair(const char *list, const char *name, const char *separators)
{
	size_t n = strlen(name), len;

	for (; list != NULL && *list != '\0'; list += len + strspn(list + len, separators)) {
		len = strcspn(list, separators);
		/* The first of equal names counts, for parameters and cookies. */
		if (len > n && list[n] == '=' && strncmp(list, name, n) == 0)
			return (struct str){ list + n + 1, len - n - 1 };
	}
	return (struct str){ NULL, 0 };
}

const char *
query_parameter(struct answer *w, const char *name)
{
	/* Parse the address as sent: servers differ in what they pass as QUERY_STRING. */
	const char *uri = w->io->param(w->io, "REQUEST_URI"), *query = uri != NULL ? strchr(uri, '?') : NULL;
	struct str v = find_pair(query != NULL ? query + 1 : NULL, name, "&");

	return v.p != NULL ? form_value(w->arena, v) : NULL;
}

const char *
form_parameter(struct answer *w, const char *form, const char *name)
{
	struct str v = find_pair(form, name, "&");

	return v.p != NULL ? form_value(w->arena, v) : NULL;
}

const char *
get_cookie(struct answer *w, const char *name)
{
	struct str v = find_pair(w->io->param(w->io, "HTTP_COOKIE"), name, "; ");

	return v.p != NULL ? arena_strndup(w->arena, v.p, v.n) : NULL;
}

/* Browsers name text/html; a client that names only text/markdown prefers Markdown. */
bool
wants_markdown(struct answer *w)
{
	const char *accept = w->io->param(w->io, "HTTP_ACCEPT");

	return accept != NULL && strstr(accept, "text/markdown") != NULL && strstr(accept, "text/html") == NULL;
}

/*
 * Makes an ETag that is also the name of a cached file; tag_bytes() makes tags that are no names of
 * files. The query and the spelling of the path do not change a page, so all addresses of a page
 * share one entry.
 */
static char *
make_tag(struct view *s, const char *kind, const char *claims)
{
	struct answer *w = s->w;
	const char *uri = w->io->param(w->io, "REQUEST_URI");
	const char *path = s->v.canonical != NULL ? s->v.canonical : arena_strndup(s->arena, uri, strcspn(uri, "?"));
	struct str hash = hash_of(s->arena, str_of(arena_printf(s->arena, "%s\n%s\n%s\n%s\n%s\n%s", kind, s->state,
	    claims, octavo_build, s->v.site.address, path)));

	return hex(s->arena, str_slice(hash, 0, TAG_BYTES));
}

void
view_tags(struct view *s, const char *kind, struct body *b)
{
	b->has_claims = s->v.claims != NULL && s->v.claims->child != NULL;
	b->etag = make_tag(s, kind, b->has_claims ? cJSON_PrintUnformatted(s->v.claims) : "");
	/*
	 * Key for answers that no claim affects. No JSON begins with "any", so no answer that
	 * depends on claims, or on their absence, has this key.
	 */
	b->key = b->has_claims ? make_tag(s, kind, "any") : b->etag;
	b->kind = kind;
}

/*
 * Looks up the answer by the set of visible pages. Usually claims only decide which pages are
 * visible, so visitors who see the same pages get the same answer.
 */
static bool
kept_for_seen(struct view *s, struct body *b)
{
	const char *seen;

	if (!b->has_claims || s->v.space == NULL)
		return false;
	view_tree(s);
	seen = s->pages->pages_hash;
	/* "" means that no claim decides which pages are visible, so view_tags() has set the right key already. */
	if (seen == NULL || *seen == '\0')
		return false;
	b->seen_key = make_tag(s, b->kind, arena_printf(s->arena, "any %s", seen));
	return kept_get(s->arena, s->w->set->dir, "pages", b->seen_key, &b->bytes);
}

/*
 * An answer for restricted visitors may be cached only by their browsers. Browsers revalidate pages
 * on each visit; for an unchanged page that is a 304.
 */
const char *
cache_control(const struct view *s, bool stays)
{
	/* The person may lose access to the change request: each answer is made for its request. */
	if (s->v.request != NULL)
		return "no-store";
	if (stays)
		return view_shared(s) ? "public, max-age=31536000, immutable" : "private, max-age=86400, immutable";
	return view_shared(s) ? "public, no-cache" : "private, no-cache";
}

/* Send 304 and return true if the client has this answer already. */
static bool
send_unchanged(struct view *s, const struct body *b)
{
	struct answer *w = s->w;
	const char *match = w->io->param(w->io, "HTTP_IF_NONE_MATCH"), *etag = b->etag;

	if (match == NULL)
		return false;
	/* If the web server sends the page as a file, its tag is in the web server's form (served_tag). */
	if (b->page && strcmp(match, "*") != 0)
		etag = served_tag_in(s, match, etag);
	if (etag == NULL || (!b->page && !etag_listed(match, etag, true)))
		return false;
	/* Headers that a 200 would have and that caches update (RFC 9110 section 15.4.5). */
	buf_printf(&w->h, "Status: 304 Not Modified\r\nETag: \"%s\"\r\nVary: Accept\r\nCache-Control: %s\r\n\r\n", etag,
	    cache_control(s, false));
	w->io->write(w->io, w->h.p, w->h.n);
	return true;
}

/*
 * True if the page contains a frame, whose tag only this program writes, since authors' text is
 * escaped. Other pages keep the policy that allows none.
 */
static bool
has_frames(const struct view *s, const struct body *b)
{
	static const char tag[] = "<iframe ";

	return s->look != NULL && (*s->look->frames != '\0' || *s->w->set->mermaid != '\0') && b->bytes.n > 0 &&
	    memmem(b->bytes.p, b->bytes.n, tag, sizeof(tag) - 1) != NULL;
}

/* The policy that allows frames only of the site's chosen hosts, and of diagrams. */
static const char *
frame_policy(const struct view *s)
{
	const char *p = s->look->frames;
	struct buf b;
	size_t n;

	buf_init(&b, s->arena, 32 << 10);
	buf_str(&b, "; frame-src");
	/* Diagrams are drawn in a frame of the site's own origin. */
	if (*s->w->set->mermaid != '\0')
		buf_str(&b, " 'self'");
	for (; *p != '\0'; p += n + strspn(p + n, " ")) {
		n = strcspn(p, " ");
		buf_printf(&b, " https://%.*s", (int)n, p);
	}
	return b.p;
}

/*
 * The origins to which the page may send requests (render/render_try.c), each preceded by a blank;
 * "": none. Those beyond CONNECT_MAX are omitted. Only this program can write the elements that are
 * read here, since authors' text is escaped.
 */
static const char *
connect_sources(const struct view *s, const struct body *b)
{
	static const char tag[] = "<script type=\"application/json\" class=\"try\" data-connect=\"";
	const char *p = b->bytes.p, *end = p + b->bytes.n, *at;
	struct map *known;
	struct buf out;
	size_t n;

	if (s->look == NULL || !s->look->tries || b->bytes.n == 0)
		return "";
	known = map_new(s->arena);
	buf_init(&out, s->arena, 64 << 10);
	buf_str(&out, "");
	while ((at = memmem(p, (size_t)(end - p), tag, sizeof(tag) - 1)) != NULL) {
		for (p = at + sizeof(tag) - 1; *p != '"'; p += n + (p[n] == ' ')) {
			n = strcspn(p, " \"");
			if (map_add(known, (struct str){ p, n }, NULL) && out.n < CONNECT_MAX)
				buf_printf(&out, " %.*s", (int)n, p);
		}
	}
	return out.p;
}

/* The content security policy of the page: allowed targets of requests, and allowed frames. */
static const char *
page_policy(const struct view *s, const struct body *b)
{
	const char *at = strstr(site_policy, connect_here) + strlen(connect_here);

	return arena_printf(s->arena, "%.*s%s%s%s", (int)(at - site_policy), site_policy, connect_sources(s, b), at,
	    has_frames(s, b) ? frame_policy(s) : "");
}

void
send_body(struct view *s, const struct body *b)
{
	struct answer *w = s->w;
	int status = b->status != 0 ? b->status : 200;
	bool html = strncmp(b->type, "text/html", 9) == 0;

	buf_printf(&w->h, "Status: %d %s\r\nContent-Type: %s\r\nX-Content-Type-Options: nosniff\r\n"
	    "Cache-Control: %s\r\nReferrer-Policy: strict-origin-when-cross-origin\r\n", status,
	    status_text(status), b->type, status == 200 && !w->post ? cache_control(s, b->immutable) : "no-store");
	if (html)
		buf_printf(&w->h, "Content-Security-Policy: %s\r\n", page_policy(s, b));
	else
		/*
		 * Markdown or XML that a browser opens must not run as a document of this origin.
		 */
		buf_str(&w->h, "Content-Security-Policy: default-src 'none'; sandbox\r\n");
	/* In Markdown and XML there is no other place for this than a header. */
	if (!b->index)
		buf_str(&w->h, "X-Robots-Tag: noindex\r\n");
	if (w->copy && s->typeset.lacks)
		buf_str(&w->h, "X-Octavo-Lacks: typeset\r\n");
	/* Each page exists as HTML and as Markdown. */
	buf_str(&w->h, "Vary: Accept\r\n");
	if (b->etag != NULL && status == 200)
		buf_printf(&w->h, "ETag: \"%s\"\r\n", b->page && !s->w->copy ? served_tag(s, b) : b->etag);
	buf_printf(&w->h, "%sContent-Length: %zu\r\n\r\n", spool_header(w->set->dir, b->bytes.n), b->bytes.n);
	w->io->write(w->io, w->h.p, w->h.n);
	if (!w->head)
		w->io->write(w->io, b->bytes.p, b->bytes.n);
}

/*
 * Stores the page for the web server. Not if it has frames or sends requests: the web server sends
 * the same policy with all pages, which allows neither.
 */
static void
store_for_web_server(struct view *s, const struct body *b)
{
	if (b->page && !has_frames(s, b) && *connect_sources(s, b) == '\0')
		served_keep(s, b);
}

bool
send_kept(struct view *s, struct body *b)
{
	if (s->w->copy || s->v.request != NULL)
		return false;
	/* Check this first: the tag alone answers most repeated requests. */
	if (send_unchanged(s, b))
		return true;
	/*
	 * The key covers all that the answer depends on (view_tags), so a cached one is never
	 * stale. The visitor's access was checked in this request.
	 */
	if (!kept_get(s->arena, s->w->set->dir, "pages", b->key, &b->bytes) && !kept_for_seen(s, b))
		return false;
	send_body(s, b);
	remember_answer(s, b);
	store_for_web_server(s, b);
	return true;
}

void
send_and_keep(struct view *s, struct body *b)
{
	const char *key = b->key;

	/* Highlighting was not ready in time: without a tag, clients will ask again. */
	if (s->typeset.lacks || s->v.request != NULL)
		b->etag = NULL;
	send_body(s, b);
	if (s->typeset.lacks || s->w->copy || s->v.request != NULL)
		return;
	remember_answer(s, b);
	store_for_web_server(s, b);
	/*
	 * If no claim was evaluated, all visitors with claims share the answer. Keys are hashes, so
	 * that nobody can choose names in the cache.
	 */
	if (b->has_claims && visit_personal(&s->v, NULL))
		key = b->seen_key != NULL && !visit_personal(&s->v, s->v.space) ? b->seen_key : NULL;
	if (key != NULL)
		kept_put(s->arena, s->w->set->dir, "pages", key, b->bytes, KEPT_IN_FOLDER);
}

/* Keep text from a client from ending a header line. */
static const char *
header_safe(const char *to)
{
	const char *p;

	for (p = to; *p != '\0'; p++)
		if ((unsigned char)*p <= ' ' || *p == 0x7f)
			return "/";
	return to;
}

void
send_redirect(struct view *s, int status, const char *to, const char *cookies)
{
	struct answer *w = s->w;

	buf_printf(&w->h, "Status: %d %s\r\nLocation: %s\r\n%sCache-Control: no-store\r\n"
	    "Referrer-Policy: no-referrer\r\nContent-Length: 0\r\n\r\n", status, status_text(status),
	    header_safe(to), cookies != NULL ? cookies : "");
	w->io->write(w->io, w->h.p, w->h.n);
}
