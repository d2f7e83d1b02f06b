/*
 * Passkeys on the pages Sign in and Account, and their forms. A script (assets/app/passkey.js) requests
 * the passkey from the device and fills the forms, which are hidden without it. A cookie contains the flow of
 * a challenge, as it does for a sign-in at a provider. Contract: view_parts.h.
 */
#include "base/json.h"
#include "base/url.h"
#include "view_parts.h"

/* Time limit of a challenge. */
enum { FLOW_SECONDS = 600 };

/* Each of the two pages has its own cookie, because both may be open at the same time. */
static const char sign_in_cookie[] = "octavo_passkey", add_cookie[] = "octavo_new_passkey";

/* ---- the parts of both forms ---- */

/*
 * Begins a form. start: the call that began the challenge. fields: names of the fields that the
 * script fills, up to a NULL. user, person: the account's id and address, for a new passkey;
 * otherwise NULL.
 */
static void
begin_form(struct view *v, const char *below, const struct call *start, const char *user, const char *person, const char *const *fields)
{
	struct html *h = &v->h;
	bool ready = start->status == 200;

	h_el(h, "form", "method", "post", "action", app_path(v, below), "class", "passkey", "hidden", "",
	    "data-host", ready ? json_text_or_empty(start->answer, "host") : NULL,
	    "data-challenge", ready ? json_text_or_empty(start->answer, "challenge") : NULL, "data-user", user, "data-person", person, NULL);
	write_hidden(v, "csrf", v->csrf != NULL ? v->csrf : "");
	for (; *fields != NULL; fields++)
		write_hidden(v, *fields, "");
}

/* The sentence that the script shows if the device gave no answer. */
static void
end_form(struct view *v)
{
	struct html *h = &v->h;

	h_el(h, "p", "class", "failed fault", "role", "alert", "hidden", "", NULL);
	h_text(h, view_say(v, SAY_PASSKEY_FAILED));
	h_close(h);
	h_close(h);
}

/* ---- sign-in ---- */

void
write_passkey_sign_in(struct view *v, const char *to)
{
	static const char *const fields[] = { "credential", "client", "authenticator", "signature", "user", NULL };
	struct call start = ask_api(v, "POST", "/sign-in/passkey", "{}");

	if (!is_success(&start))
		return;
	set_cookie(v, sign_in_cookie, json_text_or_empty(start.answer, "flow"), FLOW_SECONDS);
	begin_form(v, "/passkey", &start, NULL, NULL, fields);
	write_hidden(v, "to", to);
	write_button(v, "full", view_say(v, SAY_WITH_PASSKEY));
	end_form(v);
}

/* POST /app/passkey */
void
sign_in_by_passkey(struct view *v)
{
	const char *flow = cookie_text(v, sign_in_cookie);
	struct call c = ask_api(v, "POST", "/sign-in/passkey/return", json_texts(v->arena, "flow", flow != NULL ? flow : "",
	    "credential", form_value(v, "credential"), "clientData", form_value(v, "client"), "authenticatorData", form_value(v, "authenticator"),
	    "signature", form_value(v, "signature"), "user", form_value(v, "user"), NULL));

	set_cookie(v, sign_in_cookie, "", COOKIE_DELETE);
	if (!is_success(&c)) {
		page_failure(v, &c);
		return;
	}
	enter_session(v, c.answer);
	go_to(v, return_address(v->arena, v->set, form_value(v, "to")) + strlen("/app"));
}

/* ---- account ---- */

static void
write_name_form(struct view *v, const char *id, const char *label, const char *fault)
{
	struct html *h = &v->h;

	write_form(v, "/account/passkeys/rename", "beside");
	write_hidden(v, "passkey", id);
	h_one(h, "input", "type", "text", "name", "label", "value", fault != NULL ? form_value(v, "label") : label, "required", "",
	    "autocomplete", "off", "dir", "auto", "spellcheck", "false", "aria-label", view_say_with(v, SAY_PASSKEY_NAME_OF, label),
	    "aria-invalid", fault != NULL ? "true" : NULL, NULL);
	write_row_button(v, false, view_say(v, SAY_RENAME_PASSKEY), label);
	h_close(h);
}

static void
write_passkey(struct view *v, const cJSON *one, const char *fault)
{
	const char *id = json_text_or_empty(one, "id"), *label = json_text_or_empty(one, "label"), *used = json_text_or_empty(one, "usedAt");
	struct html *h = &v->h;

	h_open(h, "li");
	h_el(h, "span", "class", "what", NULL);
	h_leaf(h, "strong", NULL, label);
	h_leaf(h, "small", NULL, arena_printf(v->arena, "%s%s%s", json_text_or_empty(one, "host"), *used != '\0' ? " · " : "",
	    *used != '\0' ? view_say_with(v, SAY_LAST_USED, show_day(v, used)) : ""));
	if (!cJSON_IsTrue(json_member(one, "usable")))
		h_leaf(h, "small", NULL, view_say(v, SAY_PASSKEY_ELSEWHERE));
	if (fault != NULL) {
		h_el(h, "p", "class", "fault", "lang", "en", NULL);
		h_text(h, fault);
		h_close(h);
	}
	h_close(h);
	write_name_form(v, id, label, fault);
	write_form(v, "/account/passkeys/delete", NULL);
	write_hidden(v, "passkey", id);
	write_row_button(v, true, view_say(v, SAY_DELETE_PASSKEY), label);
	h_close(h);
	h_close(h);
}

void
write_passkey_list(struct view *v, const struct call *list, const char *fault)
{
	const cJSON *items = cJSON_GetObjectItemCaseSensitive(list->answer, "items"), *one;

	if (cJSON_GetArraySize(items) == 0)
		return;
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(one, items)
		write_passkey(v, one, strcmp(json_text_or_empty(one, "id"), form_value(v, "passkey")) == 0 ? fault : NULL);
	h_close(&v->h);
}

void
write_passkey_form(struct view *v, const cJSON *user, const char *fault)
{
	static const char *const fields[] = { "client", "authenticator", NULL };
	struct call start = ask_api(v, "GET", "/user/passkeys/challenge", NULL);

	if (has_field(v, "passkey"))
		fault = NULL;
	if (start.status == 200)
		set_cookie(v, add_cookie, json_text_or_empty(start.answer, "flow"), FLOW_SECONDS);
	begin_form(v, "/account/passkeys", &start, json_text_or_empty(user, "id"), json_text_or_empty(user, "email"), fields);
	write_input(v, &(struct input){ .name = "passkey-name", .label = view_say(v, SAY_PASSKEY_NAME), .fault = fault });
	write_button(v, NULL, view_say(v, SAY_ADD_PASSKEY));
	end_form(v);
}

struct call
ask_add_passkey(struct view *v)
{
	const char *flow = cookie_text(v, add_cookie);

	set_cookie(v, add_cookie, "", COOKIE_DELETE);
	return ask_api(v, "POST", "/user/passkeys", json_texts(v->arena, "flow", flow != NULL ? flow : "", "label", form_value(v, "passkey-name"),
	    "clientData", form_value(v, "client"), "authenticatorData", form_value(v, "authenticator"), NULL));
}

/* The API's path of the passkey that the form names. */
static char *
passkey_path(struct view *v)
{
	return arena_printf(v->arena, "/user/passkeys/%s", url_segment(v->arena, str_of(form_value(v, "passkey"))));
}

struct call
ask_rename_passkey(struct view *v)
{
	return ask_api(v, "PATCH", passkey_path(v), json_texts(v->arena, "label", form_value(v, "label"), NULL));
}

struct call
ask_delete_passkey(struct view *v)
{
	return ask_api(v, "DELETE", passkey_path(v), NULL);
}
