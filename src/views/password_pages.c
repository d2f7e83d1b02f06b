/* Pages to choose a password by a link, and to request such a link. Contract: view_parts.h. */
#include "view_parts.h"

/* ---- a link ---- */

static void
show_dead_link(struct view *v, int status)
{
	page_error(v, status, view_say(v, SAY_LINK_ENDED), view_say(v, SAY_LINK_ENDED_HELP));
}

/* Writes the form of a link. failed: a call that was refused, or NULL. */
static void
ask_new_password(struct view *v, const char *link, const struct call *failed)
{
	struct call c = ask_api(v, "POST", "/sign-in/link/show", json_texts(v->arena, "link", link, NULL));
	const char *email = json_text_or_empty(c.answer, "email");
	struct html *h = &v->h;
	bool invited;

	if (c.status == 404 || c.status == 400) {
		show_dead_link(v, c.status);
		return;
	}
	if (!call_succeeded(v, &c))
		return;
	invited = strcmp(json_text_or_empty(c.answer, "kind"), "invite") == 0;
	page_begin(v, FRAME_CARD, invited ? view_say_with(v, SAY_WELCOME, json_text_or_empty(c.answer, "displayName")) : view_say(v, SAY_CHOOSE_PASSWORD));
	h_leaf(h, "p", "lead", view_say_with(v, SAY_CHOOSE_LEAD, email));
	if (failed != NULL)
		write_failure(v, failed, "/password", NULL);
	write_form(v, "/welcome", NULL);
	write_hidden(v, "link", link);
	/* Password managers need a field with the account's address. */
	h_one(h, "input", "class", "sr", "name", "username", "type", "text", "value", email, "autocomplete", "username",
	    "tabindex", "-1", "aria-hidden", "true", "readonly", "", NULL);
	write_input(v, &(struct input){ .name = "password", .label = view_say(v, SAY_NEW_PASSWORD), .type = "password",
		.fill = "new-password", .hint = view_say(v, SAY_PASSWORD_HINT), .focus = true,
		.fault = failed != NULL ? fault_at(v, failed, "/password") : NULL });
	write_button(v, "primary full", view_say(v, SAY_SAVE_PASSWORD));
	h_close(h);
	page_end(v);
}

/* GET /app/welcome?link=… */
void
show_link(struct view *v)
{
	const char *link = query_value(v, "link");

	if (link == NULL)
		show_dead_link(v, 404);
	else
		ask_new_password(v, link, NULL);
}

/* POST /app/welcome */
void
use_link(struct view *v)
{
	const char *link = form_value(v, "link");
	struct call c = ask_api(v, "POST", "/sign-in/link", json_texts(v->arena, "link", link, "password",
	    form_value(v, "password"), NULL));

	if (is_success(&c)) {
		enter_session(v, c.answer);
		go_to(v, "?done=password");
		return;
	}
	v->status = c.status;
	v->retry_after = c.retry_after;
	if (c.status == 404)
		show_dead_link(v, c.status);
	else
		ask_new_password(v, link, &c);
}

/* ---- a forgotten password ---- */

static void
ask_reset(struct view *v, const struct call *failed)
{
	struct call c = ask_api(v, "GET", "/sign-in", NULL);
	bool mail = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c.answer, "mail"));
	struct html *h = &v->h;

	if (!call_succeeded(v, &c))
		return;
	page_begin(v, FRAME_CARD, view_say(v, SAY_RESET));
	if (query_value(v, "sent") != NULL && failed == NULL)
		write_notice(v, NOTICE_GOOD, view_say(v, SAY_RESET_SENT));
	else {
		h_leaf(h, "p", "lead", view_say(v, mail ? SAY_RESET_LEAD : SAY_RESET_ASK));
		if (failed != NULL)
			write_failure(v, failed, "/email", NULL);
		if (mail) {
			write_form(v, "/reset", NULL);
			write_input(v, &(struct input){ .name = "email", .label = view_say(v, SAY_EMAIL), .type = "email", .fill = "username",
				.value = failed != NULL ? form_value(v, "email") : NULL, .focus = true,
				.fault = failed != NULL ? fault_at(v, failed, "/email") : NULL });
			write_button(v, "primary full", view_say(v, SAY_SEND_LINK));
			h_close(h);
		}
	}
	h_el(h, "p", "class", "aside", NULL);
	write_link(v, NULL, "/sign-in", view_say(v, SAY_TO_SIGN_IN));
	h_close(h);
	page_end(v);
}

/* GET /app/reset */
void
show_reset(struct view *v)
{
	ask_reset(v, NULL);
}

/* POST /app/reset */
void
send_reset(struct view *v)
{
	struct call c = ask_api(v, "POST", "/sign-in/reset", json_texts(v->arena, "email", form_value(v, "email"), NULL));

	if (is_success(&c)) {
		go_to(v, "/reset?sent=1");
		return;
	}
	v->status = c.status;
	v->retry_after = c.retry_after;
	ask_reset(v, &c);
}
