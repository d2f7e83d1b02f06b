/*
 * A program (a script, an editor) requests a token. The person confirms it on this page, and the
 * program gets a one-time code (include/signin/code.h). Contract: view_parts.h.
 *
 * The code is sent to an address of this machine on which the program waits, or is shown to the
 * person; it is never sent elsewhere. Only a program with the verifier of `challenge` can use it
 * (PKCE, RFC 7636; RFC 8252, section 7.3).
 */
#include <stdlib.h>

#include "base/json.h"
#include "base/url.h"
#include "view_parts.h"

enum { DAYS_MOST = 3650 };

/* The request of the program. */
struct asked {
	const char *client, *scope, *challenge, *redirect, *state, *days;
	char        ends[25];   /* "" if the token does not end */
};

static const char *
parameter_text(struct view *v, const char *name)
{
	const char *value = v->method == M_POST ? form_value(v, name) : query_value(v, name);

	return value != NULL ? value : "";
}

/* Reads the request from the query. False if it is invalid; the answer is then a page that says so. */
static bool
read_asked(struct view *v, struct asked *a)
{
	long days;

	*a = (struct asked){ parameter_text(v, "client"), parameter_text(v, "scope"), parameter_text(v, "challenge"), parameter_text(v, "redirect"),
		parameter_text(v, "state"), parameter_text(v, "days"), "" };
	days = strtol(a->days, NULL, 10);
	if (*a->days != '\0' && days > 0 && days <= DAYS_MOST)
		time_format(time_now() + days * DAY_MS, a->ends);
	/* Client and challenge are required; `ends` was set only if `days` is a valid number. */
	if (*a->client != '\0' && *a->challenge != '\0' && (*a->days == '\0' || *a->ends != '\0') &&
	    (strcmp(a->scope, "read") == 0 || strcmp(a->scope, "write") == 0 || strcmp(a->scope, "admin") == 0))
		return true;
	page_error(v, 400, view_say(v, SAY_FAILED), view_say(v, SAY_BAD_PROGRAM));
	return false;
}

/* The address of this page, to return to after sign-in. */
static const char *
own_query(struct view *v, const struct asked *a)
{
	const char *const pairs[][2] = { { "client", a->client }, { "scope", a->scope }, { "challenge", a->challenge },
		{ "redirect", a->redirect }, { "state", a->state }, { "days", a->days } };
	struct buf b;

	buf_init(&b, v->arena, 1 << 20);
	buf_str(&b, "/authorize");
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (*pairs[i][1] != '\0')
			buf_printf(&b, "%c%s=%s", strchr(b.p, '?') == NULL ? '?' : '&', pairs[i][0], url_segment(v->arena, str_of(pairs[i][1])));
	return b.p;
}

/*
 * The address of the program as a source of form-action, because some browsers apply it to
 * redirects after a form, too.
 */
static const char *
program_source(struct view *v, const char *redirect)
{
	if (!is_loopback_address(redirect))
		return NULL;
	/* A policy cannot contain an IPv6 address (CSP Level 3, section 2.3.1). */
	if (redirect[strlen("http://")] == '[')
		return " http:";
	return arena_printf(v->arena, " %.*s", (int)(strlen("http://") + strcspn(redirect + strlen("http://"), "/?")), redirect);
}

/* The address of the program, with the answer in its query. */
static const char *
program_address(struct view *v, const struct asked *a, const char *name, const char *value)
{
	return arena_printf(v->arena, "%s%c%s=%s%s%s", a->redirect, strchr(a->redirect, '?') == NULL ? '?' : '&', name,
	    url_segment(v->arena, str_of(value)), *a->state != '\0' ? "&state=" : "", url_segment(v->arena, str_of(a->state)));
}

static void
write_fact(struct view *v, const char *name, const char *value)
{
	h_leaf(&v->h, "dt", NULL, name);
	h_leaf(&v->h, "dd", NULL, value);
}

static void
write_facts(struct view *v, const struct asked *a)
{
	struct html *h = &v->h;

	h_el(h, "dl", "class", "facts", NULL);
	write_fact(v, view_say(v, SAY_PROGRAM), a->client);
	write_fact(v, view_say(v, SAY_SCOPE), view_say(v, strcmp(a->scope, "read") == 0 ? SAY_SCOPE_READ :
	    strcmp(a->scope, "write") == 0 ? SAY_SCOPE_WRITE : SAY_SCOPE_ADMIN));
	write_fact(v, view_say(v, SAY_UNTIL), *a->ends != '\0' ? show_day(v, a->ends) : view_say(v, SAY_NO_END));
	h_close(h);
}

/* Writes the question. failed: the API refused to make the code; NULL: it was not requested yet. */
static void
ask_person(struct view *v, const struct asked *a, const struct call *failed)
{
	struct call user = ask_api(v, "GET", "/user", NULL);
	struct html *h = &v->h;

	if (!call_succeeded(v, &user))
		return;
	v->targets = program_source(v, a->redirect);
	page_begin(v, FRAME_CARD, view_say_with(v, SAY_AUTHORIZE, a->client));
	h_leaf(h, "p", "lead", view_say(v, SAY_AUTHORIZE_LEAD));
	if (failed != NULL)
		write_failure(v, failed, NULL);
	write_facts(v, a);
	write_form(v, "/authorize", NULL);
	write_hidden(v, "client", a->client);
	write_hidden(v, "scope", a->scope);
	write_hidden(v, "challenge", a->challenge);
	write_hidden(v, "redirect", a->redirect);
	write_hidden(v, "state", a->state);
	write_hidden(v, "days", a->days);
	h_el(h, "button", "class", "btn primary full", "type", "submit", "name", "answer", "value", "allow", NULL);
	h_text(h, view_say(v, SAY_ALLOW));
	h_close(h);
	h_el(h, "button", "class", "btn full", "type", "submit", "name", "answer", "value", "deny", NULL);
	h_text(h, view_say(v, SAY_CANCEL));
	h_close(h);
	h_close(h);
	h_leaf(h, "p", "aside", view_say_with(v, SAY_SIGNED_IN_AS, json_text_or_empty(user.answer, "email")));
	page_end(v);
}

static void
show_code(struct view *v, const struct asked *a, const char *code)
{
	struct html *h = &v->h;

	page_begin(v, FRAME_CARD, view_say(v, SAY_ALLOWED));
	h_leaf(h, "p", "lead", view_say_with(v, SAY_CODE_LEAD, a->client));
	h_el(h, "output", "class", "secret", "tabindex", "0", NULL);
	h_text(h, code);
	h_close(h);
	page_end(v);
}

/* GET /app/authorize?client=&scope=&challenge=&redirect=&state=&days= */
void
show_program(struct view *v)
{
	struct asked a;

	if (read_asked(v, &a))
		ask_person(v, &a, NULL);
}

static void
deny_program(struct view *v, const struct asked *a)
{
	if (is_loopback_address(a->redirect))
		go_away(v, program_address(v, a, "error", "access_denied"));
	else
		go_to(v, "?done=denied");
}

/* POST /app/authorize */
void
answer_program(struct view *v)
{
	struct asked a;
	struct call c;

	if (!read_asked(v, &a))
		return;
	v->back = own_query(v, &a);
	if (strcmp(form_value(v, "answer"), "allow") != 0) {
		deny_program(v, &a);
		return;
	}
	c = ask_api(v, "POST", "/user/codes", json_texts(v->arena, "client", a.client, "scope", a.scope, "challenge", a.challenge,
	    "expiresAt", *a.ends != '\0' ? a.ends : NULL, NULL));
	if (is_success(&c) && is_loopback_address(a.redirect))
		go_away(v, program_address(v, &a, "code", json_text_or_empty(c.answer, "code")));
	else if (is_success(&c))
		show_code(v, &a, json_text_or_empty(c.answer, "code"));
	else if (c.status == 401 || c.status == 403)
		go_sign_in(v, c.status == 403);
	else {
		v->status = c.status;
		ask_person(v, &a, &c);
	}
}
