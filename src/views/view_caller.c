/* Makes requests to the API in memory, with the session of the person. Contract: view_parts.h. */
#include <ctype.h>
#include <stdarg.h>

#include "base/json.h"
#include "base/secret.h"
#include "base/url.h"
#include "http/local_request.h"
#include "view_parts.h"

/* The largest form (view_form.c), of which JSON may write each byte as six. */
enum { BODY_MOST = 256 << 20 };

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
pass_caller(struct view *v, struct local_request *l, bool read)
{
	static const char *const names[] = { "HTTP_COOKIE", "HTTP_HOST", "HTTP_USER_AGENT", "HTTP_X_FORWARDED_FOR",
		"REMOTE_ADDR", "HTTPS" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		local_request_set(l, names[i], v->io->param(v->io, names[i]));
	if (v->secret == NULL || (!read && !v->trusted))
		return;
	local_request_set(l, "HTTP_X_CSRF_TOKEN", session_csrf(v->arena, v->secret));
	local_request_set(l, "HTTP_ORIGIN", own_origin(v));
}

static struct call
read_answer(struct local_request *l)
{
	struct local_answer answer = local_request_end(l);
	struct call call = { .status = answer.status, .retry_after = answer.retry_after };

	if (call.status == 0)
		call.status = 500;
	call.answer = cJSON_Parse(answer.body);
	return call;
}

/* header, value: a header to add to the request; NULL: none. */
static struct call
send_request(struct view *v, const char *method, const char *path, const char *body, const char *header, const char *value)
{
	struct local_request *l = arena_alloc(v->arena, sizeof(*l));
	struct req *r = arena_alloc(v->arena, sizeof(*r));

	local_request_init(l, v->arena, method, path, str_of(body != NULL ? body : ""), "application/json");
	local_request_set(l, "REQUEST_ID", v->id);
	pass_caller(v, l, strcmp(method, "GET") == 0);
	if (header != NULL)
		local_request_set(l, header, value);
	r->io = &l->io;
	r->arena = v->arena;
	r->db = v->db;
	r->set = v->set;
	r->app = v->setup->app;
	dispatch(r);
	add_page_source(&v->sources, r);
	/* The dispatcher resets these at the end of a request, so set them again. */
	json_arena(v->arena);
	return read_answer(l);
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

/* After the sign-in the person returns to this page (to=). */
void
write_provider_link(struct view *v, const cJSON *login)
{
	char *below = arena_printf(v->arena, "/sso/%s?to=%s", url_segment(v->arena, str_of(json_text_or_empty(login, "id"))),
	    url_segment(v->arena, str_of(arena_printf(v->arena, "/app%s", v->back))));

	write_link(v, "btn primary", below, view_say_with(v, SAY_WITH_PROVIDER, json_text_or_empty(login, "label")));
}

void
write_provider_links(struct view *v, const char *message)
{
	struct call c = ask_api(v, "GET", "/user/sso", NULL);
	const cJSON *one, *login;

	cJSON_ArrayForEach(one, json_member(c.answer, "items")) {
		login = json_member(one, "login");
		if (login != NULL && strstr(message, json_text_or_empty(login, "startURL")) != NULL)
			write_provider_link(v, login);
	}
}
