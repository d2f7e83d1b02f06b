/*
 * The account page of the person who is signed in: profile, password, sign-in at the provider,
 * sessions, tokens, removal.
 * Contract: view_parts.h.
 *
 * Each form has a view of its own. If the API refuses a form, the page is shown again, with the
 * messages beside that form. Otherwise the browser is redirected to the form's section (POST,
 * redirect, GET). A new token is different: its text is shown only in the answer to its form.
 */
#include <stdlib.h>

#include "base/json.h"
#include "base/url.h"
#include "view_parts.h"

/* The largest number of days that can be chosen for a token. */
enum { DAYS_MOST = 365 };

/* What the account page shows besides the account. */
struct account {
	const char        *at;       /* section whose form was refused; NULL: none */
	const struct call *failed;
	const cJSON       *made;     /* answer with a new token; NULL: none */
	cJSON             *user;
};

/* The failed call, if it is from the form of this section; otherwise NULL. */
static const struct call *
failed_in(const struct account *a, const char *section)
{
	return a->at != NULL && strcmp(a->at, section) == 0 ? a->failed : NULL;
}

static const char *
fault_in(struct view *v, const struct account *a, const char *section, const char *path)
{
	const struct call *c = failed_in(a, section);

	return c == NULL ? NULL : fault_at(v, c, path);
}

/* The value of a field: the text that was sent with a refused form, otherwise the stored value. */
static const char *
field_text(struct view *v, const struct account *a, const char *section, const char *name, const char *stored)
{
	return failed_in(a, section) != NULL ? form_value(v, name) : stored;
}

/* Begins a section, with a notice about what was done, or why it was refused. */
static void
begin_section(struct view *v, const struct account *a, const char *section, const char *title, const char *lead)
{
	static const struct { const char *done, *section; enum say text; } all[] = {
		{ "saved", "profile", SAY_SAVED }, { "password", "password", SAY_PASSWORD_CHANGED },
		{ "ended", "sessions", SAY_SESSION_ENDED }, { "others", "sessions", SAY_SESSIONS_ENDED },
		{ "revoked", "tokens", SAY_REVOKED },
		{ "passkey", "passkeys", SAY_PASSKEY_ADDED }, { "no-passkey", "passkeys", SAY_PASSKEY_DELETED },
		{ "renamed", "passkeys", SAY_PASSKEY_RENAMED },
		{ "unlinked", "identities", SAY_UNLINKED }, { "linked", "identities", SAY_LINKED } };
	const char *done = v->method == M_GET ? query_value(v, "done") : NULL;

	section_begin(v, section, title, lead);
	if (failed_in(a, section) != NULL)
		write_failure(v, a->failed, "/displayName", "/photoURL", "/password", "/label", "/email", NULL);
	for (size_t i = 0; done != NULL && i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(all[i].done, done) == 0 && strcmp(all[i].section, section) == 0)
			write_notice(v, NOTICE_GOOD, view_say(v, all[i].text));
}

/* ---- sections ---- */

static void
write_profile(struct view *v, const struct account *a)
{
	struct html *h = &v->h;

	begin_section(v, a, "profile", view_say(v, SAY_PROFILE), NULL);
	write_form(v, "/account", NULL);
	write_input(v, &(struct input){ .name = "name", .label = view_say(v, SAY_NAME), .fill = "name",
		.value = field_text(v, a, "profile", "name", json_text_or_empty(a->user, "displayName")), .fault = fault_in(v, a, "profile", "/displayName") });
	write_input(v, &(struct input){ .name = "picture", .label = view_say(v, SAY_PICTURE), .type = "url", .fill = "photo", .optional = true,
		.hint = view_say(v, SAY_PICTURE_HINT), .value = field_text(v, a, "profile", "picture", json_text_or_empty(a->user, "photoURL")),
		.fault = fault_in(v, a, "profile", "/photoURL") });
	write_button(v, "primary", view_say(v, SAY_SAVE));
	h_close(h);
	h_close(h);
}

static void
write_password(struct view *v, const struct account *a)
{
	struct html *h = &v->h;

	begin_section(v, a, "password", view_say(v, SAY_PASSWORD), view_say(v, SAY_PASSWORD_LEAD));
	write_form(v, "/account/password", NULL);
	h_one(h, "input", "class", "sr", "name", "username", "type", "text", "value", json_text_or_empty(a->user, "email"), "autocomplete",
	    "username", "tabindex", "-1", "aria-hidden", "true", "readonly", "", NULL);
	write_input(v, &(struct input){ .name = "new-password", .label = view_say(v, SAY_NEW_PASSWORD), .type = "password",
		.fill = "new-password", .hint = view_say(v, SAY_PASSWORD_HINT), .fault = fault_in(v, a, "password", "/password") });
	write_button(v, NULL, view_say(v, SAY_CHANGE_PASSWORD));
	h_close(h);
	h_close(h);
}

/* Writes a link to the rest of a list. name: the query parameter with the list's page token. */
static void
write_more(struct view *v, const struct call *list, const char *name, const char *section)
{
	const char *page = json_text_or_empty(cJSON_GetObjectItemCaseSensitive(list->answer, "next"), "page");

	if (*page != '\0')
		write_link(v, "btn", arena_printf(v->arena, "/account?%s=%s#%s", name, url_segment(v->arena, str_of(page)), section),
		    view_say(v, SAY_MORE));
}

/* Requests the list, from the page token in the query on. */
static struct call
read_list(struct view *v, const char *path, const char *name)
{
	const char *page = v->method == M_GET ? query_value(v, name) : NULL;

	return ask_api(v, "GET", arena_printf(v->arena, "%s?limit=20%s%s", path, page != NULL ? "&page=" : "",
	    page != NULL ? url_segment(v->arena, str_of(page)) : ""), NULL);
}

/* If the API refused the list (its page token is invalid), shows the reason and takes over the status. */
static void
write_list_failure(struct view *v, const struct call *list)
{
	if (is_success(list))
		return;
	v->status = list->status;
	write_failure(v, list, NULL);
}

static void
write_session(struct view *v, const cJSON *s)
{
	struct html *h = &v->h;
	bool current = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(s, "current"));
	const char *device = show_device(v, json_text_or_empty(s, "device"));

	h_open(h, "li");
	h_el(h, "span", "class", "what", NULL);
	h_open(h, "strong");
	h_text(h, device);
	h_close(h);
	if (current)
		h_leaf(h, "span", "tag", view_say(v, SAY_THIS_BROWSER));
	h_leaf(h, "small", NULL, arena_printf(v->arena, "%s · %s",
	    view_say_with(v, SAY_SIGNED_IN_ON, show_minute(v, json_text_or_empty(s, "createdAt"))),
	    view_say_with(v, SAY_LAST_USED, show_minute(v, json_text_or_empty(s, "usedAt")))));
	h_close(h);
	write_form(v, "/account/sessions", NULL);
	write_hidden(v, "session", current ? "current" : json_text_or_empty(s, "id"));
	write_row_button(v, true, view_say(v, SAY_END), device);
	h_close(h);
	h_close(h);
}

static void
write_sessions(struct view *v, const struct account *a)
{
	struct call list = read_list(v, "/user/sessions", "sessions");
	struct html *h = &v->h;
	const cJSON *s;

	begin_section(v, a, "sessions", view_say(v, SAY_SESSIONS), view_say(v, SAY_SESSIONS_LEAD));
	write_list_failure(v, &list);
	h_el(h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(s, cJSON_GetObjectItemCaseSensitive(list.answer, "items"))
		write_session(v, s);
	h_close(h);
	h_el(h, "div", "class", "actions", NULL);
	write_more(v, &list, "sessions", "sessions");
	write_form(v, "/account/sessions", NULL);
	write_hidden(v, "session", "others");
	write_button(v, NULL, view_say(v, SAY_END_OTHERS));
	h_close(h);
	write_form(v, "/account/sessions", NULL);
	write_hidden(v, "session", "all");
	write_button(v, NULL, view_say(v, SAY_END_ALL));
	h_close(h);
	h_close(h);
	h_close(h);
}

/* False where the address of this installation allows no passkeys, or their program is missing. */
static bool
offers_passkeys(struct view *v)
{
	struct call ways = ask_api(v, "GET", "/sign-in", NULL);
	const cJSON *way;

	cJSON_ArrayForEach(way, cJSON_GetObjectItemCaseSensitive(ways.answer, "ways"))
		if (strcmp(json_text_or_empty(way, "way"), "passkey") == 0)
			return true;
	return false;
}

static void
write_passkeys(struct view *v, const struct account *a)
{
	struct call list = read_list(v, "/user/passkeys", "passkeys");
	const char *fault = fault_in(v, a, "passkeys", "/label");

	begin_section(v, a, "passkeys", view_say(v, SAY_PASSKEYS), view_say(v, SAY_PASSKEYS_LEAD));
	write_list_failure(v, &list);
	write_passkey_list(v, &list, fault);
	write_more(v, &list, "passkeys", "passkeys");
	write_passkey_form(v, a->user, fault);
	h_close(&v->h);
}

/* One identity (a person at the OpenID provider), with the button that unlinks or links it. */
static void
write_identity(struct view *v, const cJSON *one)
{
	bool linked = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(one, "linked"));
	const char *label = json_text_or_empty(one, "label"), *subject = json_text_or_empty(one, "subject");
	struct html *h = &v->h;

	h_open(h, "li");
	h_el(h, "span", "class", "what", NULL);
	h_leaf(h, "strong", NULL, label);
	if (!linked)
		h_leaf(h, "span", "tag", view_say(v, SAY_NOT_LINKED));
	h_leaf(h, "small", NULL, arena_printf(v->arena, "%s · %s", subject,
	    view_say_with(v, SAY_FIRST_SIGN_IN, show_day(v, json_text_or_empty(one, "createdAt")))));
	h_close(h);
	write_form(v, "/account/identities", NULL);
	write_hidden(v, "identity", json_text_or_empty(one, "id"));
	write_hidden(v, "linked", linked ? "false" : "true");
	write_row_button(v, linked, view_say(v, linked ? SAY_UNLINK : SAY_LINK_AGAIN), arena_printf(v->arena, "%s %s", label, subject));
	h_close(h);
	h_close(h);
}

/* The section is left out if the person has never signed in at a provider. */
static void
write_identities(struct view *v, const struct account *a)
{
	struct call list = read_list(v, "/user/identities", "identities");
	const cJSON *items = cJSON_GetObjectItemCaseSensitive(list.answer, "items"), *one;
	struct html *h = &v->h;

	if (is_success(&list) && cJSON_GetArraySize(items) == 0)
		return;
	begin_section(v, a, "identities", view_say(v, SAY_IDENTITIES), view_say(v, SAY_IDENTITIES_LEAD));
	write_list_failure(v, &list);
	h_el(h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(one, items)
		write_identity(v, one);
	h_close(h);
	write_more(v, &list, "identities", "identities");
	h_close(h);
}

static const char *
show_scope(struct view *v, const char *scope)
{
	return view_say(v, strcmp(scope, "read") == 0 ? SAY_SCOPE_READ : strcmp(scope, "write") == 0 ? SAY_SCOPE_WRITE : SAY_SCOPE_ADMIN);
}

static void
write_token(struct view *v, const cJSON *t)
{
	struct html *h = &v->h;
	const char *label = json_text_or_empty(t, "label"), *ends = json_text_or_empty(t, "expiresAt");

	h_open(h, "li");
	h_el(h, "span", "class", "what", NULL);
	h_leaf(h, "strong", NULL, *label != '\0' ? label : text_in(v->language, TEXT_UNTITLED));
	h_leaf(h, "small", NULL, arena_printf(v->arena, "%s · %s", show_scope(v, json_text_or_empty(t, "scope")),
	    *ends != '\0' ? view_say_with(v, SAY_ENDS_ON, show_day(v, ends)) : view_say(v, SAY_NO_END)));
	h_close(h);
	write_form(v, "/account/revoke", NULL);
	write_hidden(v, "token", json_text_or_empty(t, "id"));
	write_row_button(v, true, view_say(v, SAY_REVOKE), label);
	h_close(h);
	h_close(h);
}

static void
write_new_token(struct view *v, const struct account *a)
{
	struct html *h = &v->h;

	write_notice(v, NOTICE_GOOD, view_say(v, SAY_TOKEN_MADE));
	h_el(h, "output", "class", "secret", "tabindex", "0", NULL);
	h_text(h, json_text_or_empty(a->made, "token"));
	h_close(h);
}

static void
write_token_form(struct view *v, const struct account *a)
{
	write_form(v, "/account/tokens", "line");
	write_input(v, &(struct input){ .name = "label", .label = view_say(v, SAY_TOKEN_NAME), .value = field_text(v, a, "tokens", "label", NULL),
		.fault = fault_in(v, a, "tokens", "/label") });
	write_select(v, "scope", view_say(v, SAY_SCOPE), field_text(v, a, "tokens", "scope", "read"), "read", view_say(v, SAY_SCOPE_READ),
	    "write", view_say(v, SAY_SCOPE_WRITE), "admin", view_say(v, SAY_SCOPE_ADMIN), NULL);
	write_select(v, "days", view_say(v, SAY_ENDS_AFTER), field_text(v, a, "tokens", "days", "90"), "30", view_say_with(v, SAY_DAYS, "30"),
	    "90", view_say_with(v, SAY_DAYS, "90"), "365", view_say_with(v, SAY_DAYS, "365"), NULL);
	write_button(v, "primary", view_say(v, SAY_MAKE_TOKEN));
	h_close(&v->h);
}

static void
write_tokens(struct view *v, const struct account *a)
{
	struct call list = read_list(v, "/user/tokens", "tokens");
	const cJSON *items = cJSON_GetObjectItemCaseSensitive(list.answer, "items"), *t;
	struct html *h = &v->h;

	begin_section(v, a, "tokens", view_say(v, SAY_TOKENS), view_say(v, SAY_TOKENS_LEAD));
	write_list_failure(v, &list);
	if (a->made != NULL)
		write_new_token(v, a);
	if (cJSON_GetArraySize(items) > 0) {
		h_el(h, "ul", "class", "rows", NULL);
		cJSON_ArrayForEach(t, items)
			write_token(v, t);
		h_close(h);
	}
	write_more(v, &list, "tokens", "tokens");
	write_token_form(v, a);
	h_close(h);
}

static void
write_removal(struct view *v, const struct account *a)
{
	struct html *h = &v->h;

	begin_section(v, a, "remove", view_say(v, SAY_REMOVE), view_say(v, SAY_REMOVE_LEAD));
	write_form(v, "/account/remove", NULL);
	write_input(v, &(struct input){ .name = "confirm", .label = view_say_with(v, SAY_REMOVE_CONFIRM, json_text_or_empty(a->user, "email")),
		.fault = fault_in(v, a, "remove", "/email") });
	write_button(v, "danger", view_say(v, SAY_REMOVE));
	h_close(h);
	h_close(h);
}

/* ---- the page ---- */

/* For a session that is valid for one organization alone: it does not change the account. */
static void
write_one_organization(struct view *v, const struct account *a)
{
	write_notice(v, NOTICE_PLAIN, view_say(v, SAY_ONE_ORGANIZATION));
	write_sessions(v, a);
	page_end(v);
}

static void
write_account(struct view *v, struct account *a)
{
	struct call user = ask_api(v, "GET", "/user", NULL);

	if (!call_succeeded(v, &user))
		return;
	a->user = user.answer;
	v->passkey = json_member(a->user, "organization") == NULL && offers_passkeys(v);
	page_begin(v, FRAME_WIDE, view_say(v, SAY_ACCOUNT));
	h_leaf(&v->h, "p", "lead", view_say_with(v, SAY_SIGNED_IN_AS, json_text_or_empty(a->user, "email")));
	if (json_member(a->user, "organization") != NULL) {
		write_one_organization(v, a);
		return;
	}
	/* Tokens come first in this answer, because the new token is shown only once and must not be overlooked. */
	if (a->made != NULL)
		write_tokens(v, a);
	write_profile(v, a);
	write_password(v, a);
	if (v->passkey)
		write_passkeys(v, a);
	write_identities(v, a);
	write_sessions(v, a);
	if (a->made == NULL)
		write_tokens(v, a);
	write_removal(v, a);
	page_end(v);
}

/*
 * True if the call succeeded. Otherwise the answer is made: the page with messages, or a redirect
 * to sign-in.
 */
static bool
succeeded_in(struct view *v, const struct call *c, const char *section)
{
	if (is_success(c))
		return true;
	v->back = arena_printf(v->arena, "/account#%s", section);
	/* For these forms, the API answers 403 only if the sign-in is too long ago. */
	if (c->status == 401 || c->status == 403) {
		go_sign_in(v, c->status == 403);
		return false;
	}
	v->status = c->status;
	v->retry_after = c->retry_after;
	write_account(v, &(struct account){ .at = section, .failed = c });
	return false;
}

/* GET /app/account */
void
show_account(struct view *v)
{
	write_account(v, &(struct account){ 0 });
}

/* POST /app/account: name and picture. */
void
change_profile(struct view *v)
{
	struct call c = ask_api(v, "GET", "/user", NULL);

	if (succeeded_in(v, &c, "profile")) {
		c = ask_api(v, "PATCH", arena_printf(v->arena, "/users/%s", url_segment(v->arena, str_of(json_text_or_empty(c.answer, "id")))),
		    json_texts(v->arena, "displayName", form_value(v, "name"), "photoURL", form_value(v, "picture"), NULL));
		if (succeeded_in(v, &c, "profile"))
			go_to(v, "/account?done=saved#profile");
	}
}

/* POST /app/account/password: ends all sessions; this browser gets a new one. */
void
change_password(struct view *v)
{
	struct call c = ask_api(v, "PUT", "/user/password", json_texts(v->arena, "password", form_value(v, "new-password"), NULL));

	if (!succeeded_in(v, &c, "password"))
		return;
	enter_session(v, c.answer);
	go_to(v, "/account?done=password#password");
}

/* POST /app/account/identities: unlinks an identity at the OpenID provider, or links it again. */
void
change_identity(struct view *v)
{
	bool linked = strcmp(form_value(v, "linked"), "false") != 0;
	struct call c = ask_api(v, "PATCH", arena_printf(v->arena, "/user/identities/%s", url_segment(v->arena,
	    str_of(form_value(v, "identity")))), linked ? "{\"linked\":true}" : "{\"linked\":false}");

	if (succeeded_in(v, &c, "identities"))
		go_to(v, linked ? "/account?done=linked#identities" : "/account?done=unlinked#identities");
}

/* POST /app/account/passkeys */
void
add_passkey(struct view *v)
{
	bool answered = *form_value(v, "client") != '\0';
	/* Without an answer of the device, the sign-in was too old when the page was made: the API says so. */
	struct call c = answered ? ask_add_passkey(v) : ask_api(v, "GET", "/user/passkeys/challenge", NULL);

	if (succeeded_in(v, &c, "passkeys"))
		go_to(v, answered ? "/account?done=passkey#passkeys" : "/account#passkeys");
}

/* POST /app/account/passkeys/rename */
void
rename_passkey(struct view *v)
{
	struct call c = ask_rename_passkey(v);

	if (succeeded_in(v, &c, "passkeys"))
		go_to(v, "/account?done=renamed#passkeys");
}

/* POST /app/account/passkeys/delete */
void
delete_passkey(struct view *v)
{
	struct call c = ask_delete_passkey(v);

	if (succeeded_in(v, &c, "passkeys"))
		go_to(v, "/account?done=no-passkey#passkeys");
}

/* POST /app/account/sessions: ends a session by its id, or "current", "others" or "all". */
void
end_sessions(struct view *v)
{
	const char *which = form_value(v, "session");
	bool all = strcmp(which, "all") == 0, others = strcmp(which, "others") == 0;
	struct call c = ask_api(v, "DELETE", all ? "/user/sessions" : others ? "/user/sessions?others=true" :
	    arena_printf(v->arena, "/user/sessions/%s", url_segment(v->arena, str_of(which))), NULL);

	if (!succeeded_in(v, &c, "sessions"))
		return;
	if (all || strcmp(which, "current") == 0) {
		leave_session(v);
		go_to(v, "/sign-in?done=out");
	} else
		go_to(v, others ? "/account?done=others#sessions" : "/account?done=ended#sessions");
}

/* POST /app/account/tokens */
void
make_token(struct view *v)
{
	long days = strtol(form_value(v, "days"), NULL, 10);
	char ends[25];
	struct call c;

	/*
	 * The API needs a time. A value that is not one of the choices becomes a time in the past,
	 * which the API refuses.
	 */
	time_format(time_now() + (days >= 1 && days <= DAYS_MOST ? days : 0) * DAY_MS, ends);
	c = ask_api(v, "POST", "/user/tokens", json_texts(v->arena, "label", form_value(v, "label"), "scope", form_value(v, "scope"),
	    "expiresAt", ends, NULL));
	if (succeeded_in(v, &c, "tokens"))
		write_account(v, &(struct account){ .made = c.answer });
}

/* POST /app/account/revoke */
void
revoke_token(struct view *v)
{
	struct call c = ask_api(v, "DELETE", arena_printf(v->arena, "/user/tokens/%s", url_segment(v->arena,
	    str_of(form_value(v, "token")))), NULL);

	if (succeeded_in(v, &c, "tokens"))
		go_to(v, "/account?done=revoked#tokens");
}

/* POST /app/account/remove */
void
remove_account(struct view *v)
{
	struct call c = ask_api(v, "DELETE", "/user", json_texts(v->arena, "email", form_value(v, "confirm"), NULL));

	if (!succeeded_in(v, &c, "remove"))
		return;
	leave_session(v);
	go_to(v, "/sign-in?done=removed");
}
