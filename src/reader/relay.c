/*
 * Relays requests of readers who try an API, for servers that do not accept requests from other
 * sites' pages (CORS). Off, unless an admin has entered hosts for a specification (its `relay`).
 *
 *   GET  ~relay?space=&spec=   the hosts that the relay reaches: { hosts: ["api.example.com", …] }
 *   POST ~relay                a line of JSON, then the bytes of the body:
 *                              { space, spec, url, method, headers: [["name", "value"], …] }
 *
 * space is a site space that has Try it, spec the slug of a specification that the visitor sees
 * there. The answer of the API is sent in the form of fetch/fetch_relay.h, which octavo-fetch
 * makes. The request contains only what the reader's script wrote into that line: no cookie,
 * address or header of the reader's browser. It is neither logged nor stored.
 */
#include <ctype.h>
#include <stdio.h>
#include <strings.h>
#include <unistd.h>

#include "app/outside.h"
#include "app/place.h"
#include "app/throttle.h"
#include "audience/address_holder.h"
#include "base/address.h"
#include "base/json.h"
#include "base/log.h"
#include "base/scan.h"
#include "reader_parts.h"

/*
 * HEAD_MAX, BODY_MAX: bytes of the first line and of the body (fetch/fetch_relay.h has the same).
 * HEADERS, VALUE_MAX: number of headers of the request, and bytes of a value. A reader may send
 * PERSON_MOST at once, then one every PERSON_MS; all readers of a site SITE_MOST and SITE_MS.
 */
enum { HEAD_MAX = 48 << 10, BODY_MAX = 1 << 20, HEADERS = 50, VALUE_MAX = 8000, PERSON_MOST = 30, PERSON_MS = 2000,
	SITE_MOST = 300, SITE_MS = 200 };

SQL(q_relay,
    "SELECT relay FROM openapi_spec WHERE org = :org AND deleted_at IS NULL AND (slug = :spec OR id = :spec) AND relay <> ''");

/*
 * The name by which a proxy recognises requests that it has sent itself (RFC 9110 section 7.6.3).
 */
static const char via[] = "1.1 octavo";

/* Answers with a status and a sentence for the reader. */
static void
send_refusal(struct answer *w, int status, int wait, const char *why)
{
	buf_printf(&w->h, "Status: %d Refused\r\nContent-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
	    "Cache-Control: no-store\r\n", status);
	if (wait > 0)
		buf_printf(&w->h, "Retry-After: %d\r\n", wait);
	buf_printf(&w->h, "\r\n%s\n", why);
	w->io->write(w->io, w->h.p, w->h.n);
}

static void
send_answer(struct answer *w, const char *type, struct str bytes)
{
	buf_printf(&w->h, "Status: 200 OK\r\nContent-Type: %s\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
	    "Content-Security-Policy: default-src 'none'; sandbox\r\nContent-Length: %zu\r\n\r\n", type, bytes.n);
	w->io->write(w->io, w->h.p, w->h.n);
	w->io->write(w->io, bytes.p, bytes.n);
}

/* ---- allowed hosts ---- */

/*
 * The allowed hosts of a specification that the visitor sees in a site space with "Try it"; NULL:
 * no relay.
 */
static const char *
allowed_hosts(struct view *s, const char *space, const char *spec)
{
	const struct visit_item *item = space != NULL ? visit_item(&s->v, space) : NULL;
	struct stmt *q;

	if (spec == NULL || item == NULL || item->kind != VISIT_SPACE || !look_of(&s->v, item)->tries || !visit_sees_spec(&s->v, spec))
		return NULL;
	q = db_use(s->w->db, &q_relay);
	bind_text(q, ":org", s->v.site.org);
	bind_text(q, ":spec", spec);
	return stmt_dup(q, s->arena);
}

/*
 * The host of a valid address in lower case, with its port unless that is the default of its
 * scheme.
 */
static const char *
host_of_url(struct arena *a, const char *url)
{
	const char *at = strstr(url, "://") + 3, *usual = strncasecmp(url, "https:", 6) == 0 ? ":443" : ":80", *port;
	struct str authority = { at, strcspn(at, "/?#") };
	char *out = arena_strndup(a, authority.p, authority.n), *p;

	for (p = out; *p != '\0'; p++)
		*p = (char)tolower((unsigned char)*p);
	port = strrchr(out, ':');
	/* An IPv6 address has colons, too. */
	if (port != NULL && strchr(port, ']') == NULL && (port[1] == '\0' || strcmp(port, usual) == 0))
		out[port - out] = '\0';
	return out;
}

static bool
is_listed(const char *list, const char *host)
{
	size_t n;

	for (; *list != '\0'; list += n + strspn(list + n, " ")) {
		n = strcspn(list, " ");
		if (strlen(host) == n && strncmp(list, host, n) == 0)
			return true;
	}
	return false;
}

/*
 * Why the request must not be sent to this address; NULL: it may. Checks again that the host is not
 * one of this installation, whose addresses may have changed.
 */
static const char *
refuse_target(struct view *s, const char *hosts, const char *url)
{
	const char *why = address_refuse_url(s->arena, url, s->w->set->fetch_private), *host, *name;

	if (why != NULL)
		return why;
	host = host_of_url(s->arena, url);
	if (!is_listed(hosts, host))
		return "it is not one of the hosts to which requests are sent";
	name = address_host(s->arena, str_of(host), &why);
	if (name == NULL)
		return why;
	return holder_is_own(s->w->db, s->arena, s->w->set, name) ? "it is an address of this installation" : NULL;
}

/* ---- the question to octavo-fetch ---- */

static bool
is_method(const char *method)
{
	static const char *const known[] = { "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS" };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (method != NULL && strcmp(method, known[i]) == 0)
			return true;
	return false;
}

/*
 * True for headers that belong to the connection or identify the reader: those that browsers do not
 * allow scripts to set, and some more.
 */
static bool
is_forbidden_header(const char *name)
{
	static const char *const names[] = { "accept-charset", "accept-encoding", "connection", "content-length", "cookie", "cookie2", "date",
		"dnt", "expect", "forwarded", "host", "keep-alive", "origin", "referer", "set-cookie", "te", "trailer", "transfer-encoding",
		"upgrade", "user-agent", "via", "x-real-ip" };
	static const char *const begins[] = { "access-control-", "proxy-", "sec-", "x-forwarded-", "x-http-method", "x-method-override" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(name, names[i]) == 0)
			return true;
	for (i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncasecmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

/* True for a valid name and value (RFC 9110 section 5): no byte of them ends the line. */
static bool
is_header(const char *name, const char *value)
{
	const char *p;

	if (name == NULL || value == NULL || *name == '\0' || strlen(name) > 200 || strlen(value) > VALUE_MAX)
		return false;
	for (p = name; *p != '\0'; p++)
		if (!isalnum((unsigned char)*p) && strchr("!#$%&'*+-.^_`|~", *p) == NULL)
			return false;
	for (p = value; *p != '\0'; p++)
		if (((unsigned char)*p < ' ' && *p != '\t') || *p == 0x7f)
			return false;
	return true;
}

/* The question to octavo-fetch; p NULL: a header is invalid. */
static struct str
write_question(struct view *s, const cJSON *asked, struct str body)
{
	const char *name, *value;
	const cJSON *one;
	struct json j;
	struct buf b;
	int n = 0;

	buf_init(&b, s->arena, 2 * HEAD_MAX + BODY_MAX);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "url", json_text_of(asked, "url"));
	json_kstr(&j, "method", json_text_of(asked, "method"));
	json_kbool(&j, "private", s->w->set->fetch_private);
	json_karr(&j, "headers");
	json_str(&j, arena_printf(s->arena, "Via: %s", via));
	cJSON_ArrayForEach(one, json_member(asked, "headers")) {
		name = cJSON_GetStringValue(cJSON_GetArrayItem(one, 0));
		value = cJSON_GetStringValue(cJSON_GetArrayItem(one, 1));
		if (!is_header(name, value) || n++ == HEADERS)
			return (struct str){ NULL, 0 };
		/* libcurl omits the header for "Name:", and sends an empty one for "Name;". */
		if (!is_forbidden_header(name))
			json_str(&j, arena_printf(s->arena, *value != '\0' ? "%s: %s" : "%s;", name, value));
	}
	json_end(&j);
	json_end(&j);
	buf_char(&b, '\n');
	buf_put(&b, body);
	return buf_view(&b);
}

/* ---- limits ---- */

/* Seconds until this reader, or this site, may send another request; 0: now. */
static int
seconds_to_wait(struct view *s)
{
	static const struct throttle_rule person = { "relay", PERSON_MS, PERSON_MOST }, site = { "relay", SITE_MS, SITE_MOST };
	struct answer *w = s->w;
	const char *from = address_client(s->arena, w->set->proxies, w->io->param(w->io, "REMOTE_ADDR"), w->io->param(w->io, "HTTP_X_FORWARDED_FOR"));
	int wait = throttle_work(w->set, &person, from != NULL ? from : "", true, time_steady());

	return wait > 0 ? wait : throttle_work(w->set, &site, s->v.site.id, false, time_steady());
}

/* ---- the request ---- */

/* Sends the question to octavo-fetch, and the answer to the reader. */
static void
ask_outside(struct view *s, struct str question)
{
	struct answer *w = s->w;
	int place = place_take(s->arena, w->set, "relay", place_share(w->set), false);
	struct str out = { NULL, 0 }, head;
	const char *why, *end, *failure;

	/*
	 * There is no free place. The number of workers that wait for servers is limited, so that
	 * slow servers cannot occupy all workers.
	 */
	if (place < 0) {
		send_refusal(w, 503, 1, "other requests are under way; try again");
		return;
	}
	/* End the transaction: others must not wait for it. */
	db_rollback(w->db);
	why = outside_run(s->arena, w->set, OUTSIDE_RELAY, NULL, question, &out);
	close(place);
	end = why == NULL && out.n > 0 ? memchr(out.p, '\n', out.n) : NULL;
	if (end == NULL) {
		log_line("octavo-fetch %s", why != NULL ? why : "printed no answer");
		send_refusal(w, 502, 0, "the request was not sent");
		return;
	}
	head = (struct str){ out.p, (size_t)(end - out.p) };
	failure = json_text_of(cJSON_ParseWithLength(head.p, head.n), "failure");
	if (failure != NULL)
		send_refusal(w, 502, 0, failure);
	else
		send_answer(w, "application/octet-stream", out);
}

/* Reads the body of the request; p NULL: it is too large. */
static struct str
read_all(struct answer *w)
{
	char *body = arena_bytes(w->arena, HEAD_MAX + BODY_MAX + 1);
	size_t n = 0;
	long got;

	while (n <= HEAD_MAX + BODY_MAX && (got = w->io->read(w->io, body + n, HEAD_MAX + BODY_MAX + 1 - n)) > 0)
		n += (size_t)got;
	return n > HEAD_MAX + BODY_MAX ? (struct str){ NULL, 0 } : (struct str){ body, n };
}

static void
send_request(struct view *s)
{
	struct answer *w = s->w;
	struct str all = read_all(w), head, question;
	const char *end = all.n > 0 ? memchr(all.p, '\n', all.n) : NULL, *hosts, *why;
	const cJSON *asked = NULL;
	bool large;
	int wait;

	if (all.p == NULL) {
		send_refusal(w, 413, 0, "the request is larger than 1 MiB");
		return;
	}
	head = (struct str){ all.p, end != NULL ? (size_t)(end - all.p) : 0 };
	if (end != NULL && head.n <= HEAD_MAX && json_scan(s->arena, head, &json_limits_body, &large) == NULL)
		asked = cJSON_ParseWithLength(head.p, head.n);
	if (asked != NULL && json_repeats(asked))
		asked = NULL;
	hosts = asked != NULL ? allowed_hosts(s, json_text_of(asked, "space"), json_text_of(asked, "spec")) : NULL;
	if (asked != NULL && hosts == NULL) {
		write_refusal(w, 404, "Not Found");
		return;
	}
	if (hosts == NULL || json_text_of(asked, "url") == NULL || !is_method(json_text_of(asked, "method")) ||
	    (question = write_question(s, asked, str_slice(all, head.n + 1, all.n))).p == NULL)
		send_refusal(w, 400, 0, "this is not a request that can be sent");
	else if ((why = refuse_target(s, hosts, json_text_of(asked, "url"))) != NULL)
		send_refusal(w, 403, 0, arena_printf(s->arena, "the address is refused: %s", why));
	else if ((wait = seconds_to_wait(s)) > 0)
		send_refusal(w, 429, wait, arena_printf(s->arena, "too many requests; wait %d s", wait));
	else
		ask_outside(s, question);
}

static void
reply_hosts(struct view *s)
{
	const char *hosts = allowed_hosts(s, query_parameter(s->w, "space"), query_parameter(s->w, "spec"));
	struct json j;
	struct buf b;
	size_t n;

	buf_init(&b, s->arena, 64 << 10);
	json_init(&j, &b);
	json_obj(&j);
	json_karr(&j, "hosts");
	for (; hosts != NULL && *hosts != '\0'; hosts += n + strspn(hosts + n, " ")) {
		n = strcspn(hosts, " ");
		json_strn(&j, (struct str){ hosts, n });
	}
	json_end(&j);
	json_end(&j);
	send_answer(s->w, "application/json", buf_view(&b));
}

void
serve_relay(struct view *s)
{
	struct answer *w = s->w;
	const char *type = w->io->param(w->io, "CONTENT_TYPE"), *through = w->io->param(w->io, "HTTP_VIA");

	if (!w->post)
		reply_hosts(s);
	/*
	 * Pages of other sites cannot send this type without a preflight (Fetch, "CORS-safelisted
	 * request-header").
	 */
	else if (is_foreign(w) || type == NULL || strcmp(type, "application/vnd.octavo.request") != 0)
		send_refusal(w, 403, 0, "only pages of this site send requests");
	else if (through != NULL && strstr(through, via) != NULL)
		send_refusal(w, 403, 0, "this request came through a relay");
	else
		send_request(s);
}
