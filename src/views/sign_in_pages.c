/* Signing in, by a password, at the provider of the installation or at one of an organization, and signing out. Contract: view_parts.h. */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* FLOW_SECONDS: time limit of a sign-in at the provider. KNOWN_SECONDS: how long a browser knows an organization's provider. */
enum { FLOW_SECONDS = 600, KNOWN_SECONDS = 365 * 24 * 3600 };

/* Cookie: id of an organization's provider, set by a sign-in there in this browser. */
static const char known_cookie[] = "octavo_sso";

/* The ways of signing in that are available. */
struct ways {
	const char *provider;   /* name of the provider; NULL: there is none */
	bool        passkey;    /* passkeys work in this installation */
	bool        mail;       /* a forgotten password can be reset by mail */
};

static bool
find_ways(struct view *v, struct ways *w)
{
	struct call c = ask_api(v, "GET", "/sign-in", NULL);
	const cJSON *way;

	*w = (struct ways){ .mail = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c.answer, "mail")) };
	cJSON_ArrayForEach(way, cJSON_GetObjectItemCaseSensitive(c.answer, "ways")) {
		if (strcmp(json_text_or_empty(way, "way"), "provider") == 0)
			w->provider = json_text_or_empty(way, "label");
		w->passkey = w->passkey || strcmp(json_text_or_empty(way, "way"), "passkey") == 0;
	}
	return call_succeeded(v, &c);
}

/* The address to go to after signing in, from the form or the query. */
static const char *
return_path(struct view *v)
{
	const char *to = v->method == M_POST ? form_value(v, "to") : query_value(v, "to");

	return return_address(v->arena, v->set, to);
}

/*
 * Shows a page that loads the address by itself, and has a link to it. It is used where a redirect
 * would fail: some browsers apply form-action to all redirects after a form, and only the API knows
 * the host of the last one.
 */
static void
show_onward_page(struct view *v, const char *address)
{
	struct html *h = &v->h;

	v->refresh = address;
	page_begin(v, FRAME_CARD, view_say(v, SAY_SIGN_IN));
	h_leaf(h, "p", "lead", view_say(v, SAY_LEAVING));
	h_el(h, "a", "class", "btn primary full", NULL);
	h_url(h, "href", address);
	h_text(h, view_say(v, SAY_CONTINUE));
	h_close(h);
	page_end(v);
}

/* After signing in by a form, takes the browser to the page that it came from. */
static void
continue_after_sign_in(struct view *v)
{
	const char *to = return_path(v);

	/* /app/visit redirects to a published site, which may be on another host. */
	if (strncmp(to, "/app/visit?", 11) == 0)
		show_onward_page(v, app_path(v, to + strlen("/app")));
	else
		go_to(v, to + strlen("/app"));
}

/* ---- the forms ---- */

static void
write_provider(struct view *v, const struct ways *w)
{
	struct html *h = &v->h;

	h_leaf(h, "p", "or", view_say(v, SAY_OR));
	write_form(v, "/provider", NULL);
	write_hidden(v, "to", return_path(v));
	write_button(v, "full", view_say_with(v, SAY_WITH_PROVIDER, w->provider));
	h_close(h);
}

static void
write_choice(struct view *v, const char *id, const char *link, const char *kind, const char *label)
{
	write_form(v, path_of_ids(v, "/sso/%s", id), NULL);
	write_hidden(v, "to", return_path(v));
	write_hidden(v, "link", link);
	write_button(v, kind, label);
	h_close(&v->h);
}

/*
 * A button for the organization's provider of the last sign-in in this browser. Other providers are not offered: each
 * organization chooses the name and address of its provider.
 */
static void
write_known_provider(struct view *v)
{
	const char *id = cookie_text(v, known_cookie);
	struct call c;

	if (id == NULL || *id == '\0' || (c = ask_api(v, "GET", path_of_ids(v, "/sign-in/sso/%s", id), NULL)).status != 200)
		return;
	h_leaf(&v->h, "p", "or", view_say(v, SAY_OR));
	write_choice(v, id, "", "full", view_say_with(v, SAY_WITH_PROVIDER, json_text_or_empty(c.answer, "label")));
}

/* The ways to sign in elsewhere, below the form. */
static void
write_providers(struct view *v, const struct ways *w)
{
	if (w->provider != NULL)
		write_provider(v, w);
	write_known_provider(v);
}

/* True if a person who is signed in must sign in again. */
static bool
must_sign_in_again(const struct view *v)
{
	return *form_value(v, "again") != '\0' || query_value(v, "again") != NULL;
}

/* Writes one sentence about why the page is shown. */
static void
write_reason(struct view *v)
{
	const char *done = query_value(v, "done");

	if (done != NULL && strcmp(done, "out") == 0)
		write_notice(v, NOTICE_GOOD, view_say(v, SAY_SIGNED_OUT));
	else if (done != NULL && strcmp(done, "removed") == 0)
		write_notice(v, NOTICE_GOOD, view_say(v, SAY_REMOVED));
	else if (must_sign_in_again(v))
		write_notice(v, NOTICE_PLAIN, view_say(v, SAY_AGAIN));
}

/* The first step: the address. */
static void
ask_address(struct view *v, const struct ways *w, const char *email, const char *fault)
{
	struct html *h = &v->h;

	v->script = take_sign_out(v);
	v->passkey = w->passkey;
	page_begin(v, FRAME_CARD, view_say(v, SAY_SIGN_IN));
	write_reason(v);
	write_form(v, "/sign-in", NULL);
	write_hidden(v, "to", return_path(v));
	write_hidden(v, "again", must_sign_in_again(v) ? "1" : "");
	write_input(v, &(struct input){ .name = "email", .label = view_say(v, SAY_EMAIL), .type = "email", .fill = "username",
		.value = email, .fault = fault, .focus = true });
	write_button(v, "primary full", view_say(v, SAY_CONTINUE));
	h_close(h);
	if (v->passkey)
		write_passkey_sign_in(v, return_path(v));
	write_providers(v, w);
	page_end(v);
}

/* The second step: the password. c: a try that was refused; NULL: none. */
static void
ask_password(struct view *v, const struct ways *w, const char *email, const struct call *c)
{
	struct html *h = &v->h;

	page_begin(v, FRAME_CARD, view_say(v, SAY_SIGN_IN));
	write_reason(v);
	if (c != NULL && c->status != 401)
		write_failure(v, c, "/password", NULL);
	write_form(v, "/sign-in", NULL);
	write_hidden(v, "to", return_path(v));
	write_hidden(v, "again", must_sign_in_again(v) ? "1" : "");
	/* A read-only field instead of text, because password managers look for a field. */
	write_input(v, &(struct input){ .name = "email", .label = view_say(v, SAY_EMAIL), .type = "email", .fill = "username",
		.value = email, .fixed = true });
	write_input(v, &(struct input){ .name = "password", .label = view_say(v, SAY_PASSWORD), .type = "password",
		.fill = "current-password", .focus = true,
		.refusal = c != NULL && c->status == 401 ? view_say(v, SAY_WRONG_PASSWORD) : NULL,
		.fault = c != NULL ? fault_at(v, c, "/password") : NULL });
	write_button(v, "primary full", view_say(v, SAY_SIGN_IN));
	h_close(h);
	h_el(h, "p", "class", "aside", NULL);
	write_link(v, NULL, arena_printf(v->arena, "/sign-in?to=%s", url_segment(v->arena, str_of(return_path(v)))), view_say(v, SAY_OTHER_ADDRESS));
	write_link(v, NULL, "/reset", view_say(v, SAY_FORGOT));
	h_close(h);
	write_providers(v, w);
	page_end(v);
}

/*
 * GET /app/sign-in?to=…: a person who is signed in is redirected to that address; with again=1,
 * only after signing in again.
 */
void
show_sign_in(struct view *v)
{
	struct call c = { 0 };
	struct ways w;

	if (v->secret != NULL)
		c = ask_api(v, "GET", "/user", NULL);
	if (c.status == 200 && !must_sign_in_again(v)) {
		go_to(v, return_path(v) + strlen("/app"));
		return;
	}
	if (!find_ways(v, &w))
		return;
	ask_address(v, &w, c.status == 200 ? json_text_or_empty(c.answer, "email") : NULL, NULL);
}

/* POST /app/sign-in: an address alone shows the field for the password; both sign in. */
void
sign_in(struct view *v)
{
	const char *email = form_value(v, "email"), *password = form_value(v, "password");
	struct ways w;
	struct call c;

	if (!find_ways(v, &w))
		return;
	if (*password == '\0') {
		ask_password(v, &w, email, NULL);
		return;
	}
	c = ask_api(v, "POST", "/sign-in", json_texts(v->arena, "email", email, "password", password, "device",
	    cookie_text(v, "octavo_device"), NULL));
	if (is_success(&c)) {
		enter_session(v, c.answer);
		continue_after_sign_in(v);
		return;
	}
	v->status = c.status;
	v->retry_after = c.retry_after;
	if (fault_at(v, &c, "/email") != NULL)
		ask_address(v, &w, email, fault_at(v, &c, "/email"));
	else
		ask_password(v, &w, email, &c);
}

/* POST /app/sign-out */
void
sign_out(struct view *v)
{
	struct call c = ask_api(v, "DELETE", "/user/sessions/current", NULL);

	/* 401: the session has ended already, so the person is signed out. */
	if (c.status != 401 && !call_succeeded(v, &c))
		return;
	leave_session(v);
	go_to(v, "/sign-in?done=out");
}

/* ---- providers ---- */

/* Sends the browser to the provider, after the API has begun a sign-in there. */
static void
go_to_provider(struct view *v, const struct call *c)
{
	set_cookie(v, "octavo_flow", json_text_or_empty(c->answer, "flow"), FLOW_SECONDS);
	set_cookie(v, "octavo_to", return_path(v), FLOW_SECONDS);
	show_onward_page(v, json_text_or_empty(c->answer, "url"));
}

/* The provider has sent the browser back. path: of the operation that takes its answer. True: the person is signed in. */
static bool
come_from_provider(struct view *v, const char *path)
{
	const char *flow = cookie_text(v, "octavo_flow");
	struct call c;

	/* The sign-in was begun in another browser, or more than ten minutes ago. */
	if (flow == NULL) {
		page_error(v, 400, view_say(v, SAY_FAILED), view_say(v, SAY_STALE));
		return false;
	}
	c = ask_api(v, "POST", path, json_texts(v->arena, "flow", flow, "code", query_value(v, "code"), "state", query_value(v, "state"),
	    "iss", query_value(v, "iss"), "error", query_value(v, "error"), NULL));

	/* 503: the flow was not used, and the page is loaded again. */
	if (c.status != 503) {
		set_cookie(v, "octavo_flow", "", COOKIE_DELETE);
		set_cookie(v, "octavo_to", "", COOKIE_DELETE);
	}
	if (!is_success(&c)) {
		page_failure(v, &c);
		return false;
	}
	enter_session(v, c.answer);
	go_to(v, return_address(v->arena, v->set, cookie_text(v, "octavo_to")) + strlen("/app"));
	return true;
}

/* POST /app/provider: begins a sign-in at the provider of the installation. */
void
start_provider(struct view *v)
{
	struct call c = ask_api(v, "POST", "/sign-in/provider", "{}");

	if (call_succeeded(v, &c))
		go_to_provider(v, &c);
}

/* GET /app/provider/return: the provider sends the browser here. */
void
finish_provider(struct view *v)
{
	come_from_provider(v, "/sign-in/provider/return");
}

/* ---- providers of organizations ---- */

static char *
sign_in_path(struct view *v, const char *tail)
{
	return arena_printf(v->arena, "%s%s", path_of_ids(v, "/sign-in/sso/%s", v->ids[0]), tail);
}

/*
 * The address of the person's account, if they are signed in to it and a member of the
 * organization, so that they may link it; NULL: no. *needed: the organization is closed to the account until then.
 */
static const char *
account_to_link(struct view *v, const char *org, bool *needed)
{
	struct call user, c;

	if (v->secret == NULL || (user = ask_api(v, "GET", "/user", NULL)).status != 200 ||
	    json_member(user.answer, "organization") != NULL)
		return NULL;
	/* 403: `sso` keeps the member out until that sign-in. */
	c = ask_api(v, "GET", path_of_ids(v, "/orgs/%s", org), NULL);
	*needed = c.status == 403;
	return c.status == 200 || *needed ? json_text_or_empty(user.answer, "email") : NULL;
}

/* GET /app/sso/ID: where a sign-in at the provider of an organization begins. */
void
show_organization_sign_in(struct view *v)
{
	struct call c = ask_api(v, "GET", sign_in_path(v, ""), NULL);
	const char *org, *email;
	bool needed = false;

	if (!call_succeeded(v, &c))
		return;
	org = json_text_or_empty(c.answer, "organization");
	page_begin(v, FRAME_CARD, view_say(v, SAY_SIGN_IN));
	email = account_to_link(v, org, &needed);
	write_choice(v, v->ids[0], "", needed ? "full" : "primary full", view_say_with(v, SAY_WITH_PROVIDER, json_text_or_empty(c.answer, "label")));
	if (email != NULL) {
		h_leaf(&v->h, "p", "or", view_say(v, SAY_OR));
		write_choice(v, v->ids[0], org, needed ? "primary full" : "full", view_say_with(v, SAY_LINK_ACCOUNT, email));
	}
	page_end(v);
}

/* POST /app/sso/ID. link: the organization, if the person links the account in which they are signed in. */
void
start_organization_sign_in(struct view *v)
{
	const char *org = form_value(v, "link");
	struct call c;

	v->back = path_of_ids(v, "/sso/%s", v->ids[0]);
	c = ask_api(v, "POST", *org == '\0' ? sign_in_path(v, "") :
	    arena_printf(v->arena, "%s%s", path_of_ids(v, "/orgs/%s", org), path_of_ids(v, "/sso/%s/link", v->ids[0])), "{}");
	if (*org != '\0' && c.status == 403)
		go_sign_in(v, true);
	else if (call_succeeded(v, &c))
		go_to_provider(v, &c);
}

/* GET /app/sso/ID/return: the provider sends the browser here. */
void
finish_organization_sign_in(struct view *v)
{
	struct call c = ask_api(v, "GET", sign_in_path(v, ""), NULL);

	if (call_succeeded(v, &c) && come_from_provider(v, sign_in_path(v, "/return")))
		set_cookie(v, known_cookie, v->ids[0], KNOWN_SECONDS);
}

/* ---- SAML ---- */

/* GET /app/sso/ID/metadata */
void
show_saml_metadata(struct view *v)
{
	struct call c = ask_api(v, "GET", sign_in_path(v, "/metadata"), NULL);

	if (!call_succeeded(v, &c))
		return;
	v->type = "application/samlmetadata+xml";
	buf_str(&v->body, json_text_or_empty(c.answer, "metadata"));
}

/*
 * POST /app/sso/ID/acs: a page of the provider makes the browser send its response here, without our cookies. They
 * come with the request of the page to which the browser is sent.
 */
void
take_saml_response(struct view *v)
{
	struct arena *a = v->arena;
	struct call c = ask_api(v, "POST", sign_in_path(v, "/response"), json_texts(a, "response", form_value(v, "SAMLResponse"), NULL));

	if (!is_success(&c)) {
		page_failure(v, &c);
		return;
	}
	go_to(v, arena_printf(a, "%s?code=%s&state=%s", path_of_ids(v, "/sso/%s/return", v->ids[0]),
	    url_segment(a, str_of(json_text_or_empty(c.answer, "code"))), url_segment(a, str_of(form_value(v, "RelayState")))));
}
