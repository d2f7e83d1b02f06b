/* Makes requests to the API in memory, with the session of the person. Contract: view_parts.h. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/secret.h"
#include "base/url.h"
#include "view_parts.h"

/*
 * Limit of an answer: as many bytes as the dispatcher may write. Pages need far fewer. BODY_MOST: the
 * largest form (view_form.c), of which JSON may write each byte as six.
 */
enum { PARAMS_MAX = 40, ANSWER_MOST = 512 << 20, BODY_MOST = 256 << 20 };

struct call_io {
	struct io    io;                   /* must be first: code casts struct io * to struct call_io * */
	const char  *params[PARAMS_MAX];   /* name, value, …, NULL */
	const char **last;
	struct str   body;                 /* the part of the body that has not been read yet */
	struct buf   out;
};

static const char *
call_param(struct io *io, const char *name)
{
	const char **p = ((struct call_io *)io)->params;

	for (; *p != NULL; p += 2)
		if (strcmp(p[0], name) == 0)
			return p[1];
	return NULL;
}

static long
call_read(struct io *io, void *p, size_t n)
{
	struct str *body = &((struct call_io *)io)->body;

	if (n > body->n)
		n = body->n;
	if (n > 0)
		memcpy(p, body->p, n);
	body->p += n;
	body->n -= n;
	return (long)n;
}

static bool
call_write(struct io *io, const void *p, size_t n)
{
	buf_add(&((struct call_io *)io)->out, p, n);
	return true;
}

static void
add_param(struct call_io *c, const char *name, const char *value)
{
	if (value == NULL)
		return;
	*c->last++ = name;
	*c->last++ = value;
}

/* The origin of OCTAVO_URL. */
static char *
own_origin(const struct view *v)
{
	return arena_strndup(v->arena, v->set->url, strlen(v->set->url) - url_base_path(v->set).n);
}

/*
 * Headers of the request. The cookie is passed on as the browser sent it. The headers that a
 * session needs are added for reads, and for writes only after the form was checked; without them
 * the API refuses a write.
 */
static void
pass_caller(struct view *v, struct call_io *c, bool read)
{
	static const char *const names[] = { "HTTP_COOKIE", "HTTP_HOST", "HTTP_USER_AGENT", "HTTP_X_FORWARDED_FOR",
		"REMOTE_ADDR", "HTTPS" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		add_param(c, names[i], v->io->param(v->io, names[i]));
	if (v->secret == NULL || (!read && !v->trusted))
		return;
	add_param(c, "HTTP_X_CSRF_TOKEN", session_csrf(v->arena, v->secret));
	add_param(c, "HTTP_ORIGIN", own_origin(v));
}

static void
fill_params(struct view *v, struct call_io *c, const char *method, const char *path)
{
	const char *query = strchr(path, '?');

	c->last = c->params;
	add_param(c, "REQUEST_METHOD", method);
	add_param(c, "REQUEST_URI", arena_printf(v->arena, "/v1%s", path));
	add_param(c, "QUERY_STRING", query != NULL ? query + 1 : "");
	add_param(c, "REQUEST_ID", v->id);
	if (c->body.n > 0)
		add_param(c, "CONTENT_TYPE", "application/json");
	add_param(c, "CONTENT_LENGTH", arena_printf(v->arena, "%zu", c->body.n));
	pass_caller(v, c, strcmp(method, "GET") == 0);
}

/* Parses what dispatch() wrote: "Status: 200 OK\r\n…\r\n\r\n…". */
static struct call
read_answer(struct buf *out)
{
	static const char wait[] = "\r\nRetry-After: ";
	struct call call = { 0 };
	const char *end, *retry;

	buf_char(out, '\0');
	end = strstr(out->p, "\r\n\r\n");
	call.status = strncmp(out->p, "Status: ", 8) == 0 ? (int)strtol(out->p + 8, NULL, 10) : 500;
	retry = strstr(out->p, wait);
	if (retry != NULL && retry < end)
		call.retry_after = (int)strtol(retry + sizeof(wait) - 1, NULL, 10);
	call.answer = end != NULL ? cJSON_Parse(end + 4) : NULL;
	return call;
}

/* header: a further one of the request; NULL: none. */
static struct call
send_request(struct view *v, const char *method, const char *path, const char *body, const char *header, const char *value)
{
	struct call_io *c = arena_alloc(v->arena, sizeof(*c));
	struct req *r = arena_alloc(v->arena, sizeof(*r));

	c->io = (struct io){ call_param, call_read, call_write };
	c->body = str_of(body != NULL ? body : "");
	fill_params(v, c, method, path);
	if (header != NULL)
		add_param(c, header, value);
	buf_init(&c->out, v->arena, ANSWER_MOST);
	r->io = &c->io;
	r->arena = v->arena;
	r->db = v->db;
	r->set = v->set;
	r->app = v->setup->app;
	dispatch(r);
	add_page_source(&v->sources, r);
	/* The dispatcher resets these at the end of a request, so set them again. */
	json_arena(v->arena);
	return read_answer(&c->out);
}

struct call
ask_api(struct view *v, const char *method, const char *path, const char *body)
{
	return send_request(v, method, path, body, NULL, NULL);
}

struct call
ask_api_at(struct view *v, const char *method, const char *path, const char *body, const char *revision)
{
	return send_request(v, method, path, body, "HTTP_IF_MATCH", arena_printf(v->arena, "\"%s\"", revision));
}

struct call
post_once(struct view *v, const char *path, const char *body)
{
	const char *once = form_value(v, "once");

	if (*once == '\0')
		return ask_api(v, "POST", path, body);
	/* The body is in the key, since a form can be sent again with another text: a browser's "back" shows it again. */
	return send_request(v, "POST", path, body, "HTTP_IDEMPOTENCY_KEY",
	    base64url(v->arena, hash_of(v->arena, str_of(arena_printf(v->arena, "%s\n%s", once, body)))));
}

void
begin_body(struct arena *a, struct json *j, struct buf *b)
{
	buf_init(b, a, BODY_MOST);
	json_init(j, b);
	json_obj(j);
}

char *
json_texts(struct arena *a, ...)
{
	const char *name, *value;
	struct json j;
	struct buf b;
	va_list ap;

	begin_body(a, &j, &b);
	va_start(ap, a);
	while ((name = va_arg(ap, const char *)) != NULL)
		if ((value = va_arg(ap, const char *)) != NULL) {
			json_keyn(&j, str_of(name));
			json_str(&j, value);
		}
	va_end(ap);
	json_end(&j);
	return b.p;
}

/*
 * The API's messages begin with a small letter and have no full stop, because clients insert them
 * into lines of their own.
 */
static const char *
as_sentence(struct view *v, const char *message)
{
	char *s = arena_printf(v->arena, "%s.", message);

	*s = (char)toupper((unsigned char)*s);
	return s;
}

const char *
fault_at(struct view *v, const struct call *c, const char *path)
{
	const cJSON *f;

	cJSON_ArrayForEach(f, cJSON_GetObjectItemCaseSensitive(c->answer, "fields"))
		if (strcmp(json_text_or_empty(f, "path"), path) == 0)
			return as_sentence(v, json_text_or_empty(f, "message"));
	return NULL;
}

const char *
message_of(struct view *v, const struct call *c)
{
	const char *message = json_text_or_empty(cJSON_GetObjectItemCaseSensitive(c->answer, "error"), "message");

	if (c->status == 429)
		return view_say_with(v, SAY_TOO_MANY, arena_printf(v->arena, "%d", c->retry_after));
	return as_sentence(v, *message != '\0' ? message : "the request failed");
}

const char *
message_language(const struct call *c)
{
	return c->status == 429 ? NULL : "en";
}

bool
call_succeeded(struct view *v, const struct call *c)
{
	if (is_success(c))
		return true;
	if (c->status == 401)
		go_sign_in(v, false);
	else
		page_failure(v, c);
	return false;
}

/* ---- organizations that take another sign-in ---- */

/* It comes back to this page. */
void
write_shut_way(struct view *v, const cJSON *login)
{
	char *below = arena_printf(v->arena, "/sso/%s?to=%s", url_segment(v->arena, str_of(json_text_or_empty(login, "id"))),
	    url_segment(v->arena, str_of(arena_printf(v->arena, "/app%s", v->back))));

	write_link(v, "btn primary", below, view_say_with(v, SAY_WITH_PROVIDER, json_text_or_empty(login, "label")));
}

void
write_shut_ways(struct view *v, const char *message)
{
	struct call c = ask_api(v, "GET", "/user/sso", NULL);
	const cJSON *one, *login;

	cJSON_ArrayForEach(one, json_member(c.answer, "items")) {
		login = json_member(one, "login");
		if (login != NULL && strstr(message, json_text_or_empty(login, "startURL")) != NULL)
			write_shut_way(v, login);
	}
}
