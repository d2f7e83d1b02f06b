/* The frame of a page and its parts. Contract: view_parts.h. */
#include <stdarg.h>

#include "base/secret.h"
#include "view_parts.h"

/* ---- the frame ---- */

/* Scripts run in the order in which they are written. */
static void
write_script(struct view *v, const struct views_file *f)
{
	h_el(&v->h, "script", "src", app_path(v, f->name + strlen("app")), "defer", "", NULL);
	h_close(&v->h);
}

/* The picture of the browser's tab and of the header. */
static const char *
icon_path(const struct view *v)
{
	return app_path(v, v->setup->icon.name + strlen("app"));
}

static void
write_head(struct view *v, const char *title)
{
	struct html *h = &v->h;
	const char *tag = text_tag(v->language);

	buf_str(&v->body, "<!doctype html>\n");
	h_el(h, "html", "lang", tag, "dir", text_rtl(tag) ? "rtl" : "ltr", NULL);
	h_open(h, "head");
	h_one(h, "meta", "charset", "utf-8", NULL);
	h_leaf(h, "title", NULL, arena_printf(v->arena, "%s · Octavo", title));
	h_one(h, "meta", "name", "viewport", "content", "width=device-width, initial-scale=1", NULL);
	h_one(h, "meta", "name", "color-scheme", "content", "light dark", NULL);
	h_one(h, "meta", "name", "robots", "content", "noindex", NULL);
	h_one(h, "link", "rel", "stylesheet", "href", app_path(v, v->setup->style.name + strlen("app")), NULL);
	h_one(h, "link", "rel", "icon", "href", icon_path(v), NULL);
	if (v->editor) {
		h_one(h, "link", "rel", "stylesheet", "href", app_path(v, v->setup->editor_style.name + strlen("app")), NULL);
		write_script(v, &v->setup->editor);
	}
	if (v->script)
		write_script(v, &v->setup->script);
	if (v->tree)
		write_script(v, &v->setup->tree);
	if (v->passkey)
		write_script(v, &v->setup->passkey);
	if (v->review)
		write_script(v, &v->setup->review);
	if (v->refresh != NULL)
		h_one(h, "meta", "http-equiv", "refresh", "content", arena_printf(v->arena, "0;url=%s", v->refresh), NULL);
	h_close(h);
}

static void
write_menu_link(struct view *v, const char *below, const char *label)
{
	h_el(&v->h, "a", "href", app_path(v, below), "aria-current", strcmp(v->path, below) == 0 ? "page" : NULL, NULL);
	h_text(&v->h, label);
	h_close(&v->h);
}

static void
write_menu(struct view *v)
{
	struct html *h = &v->h;

	h_el(h, "nav", "aria-label", "Octavo", NULL);
	write_menu_link(v, "", view_say(v, SAY_HOME));
	write_menu_link(v, "/account", view_say(v, SAY_ACCOUNT));
	write_form(v, "/sign-out", NULL);
	write_button(v, "quiet", view_say(v, SAY_SIGN_OUT));
	h_close(h);
	h_close(h);
}

void
page_begin(struct view *v, enum frame f, const char *title)
{
	struct html *h = &v->h;

	write_head(v, title);
	h_el(h, "body", "class", f == FRAME_CARD ? "single" : f == FRAME_WIDE ? "wide" : "wide space", NULL);
	h_el(h, "a", "class", "skip", "href", "#main", NULL);
	h_text(h, text_in(v->language, TEXT_SKIP));
	h_close(h);
	h_el(h, "header", "class", "top", NULL);
	h_el(h, "a", "class", "brand", "href", app_path(v, ""), NULL);
	h_one(h, "img", "class", "mark", "src", icon_path(v), "alt", "", NULL);
	h_text(h, "Octavo");
	h_close(h);
	if (f != FRAME_CARD)
		write_menu(v);
	h_close(h);
	if (f == FRAME_SPACE)
		return;
	h_el(h, "main", "id", "main", "class", f == FRAME_CARD ? "card" : NULL, NULL);
	h_leaf(h, "h1", NULL, title);
}

void
page_end(struct view *v)
{
	h_close_to(&v->h, 0);
}

void
write_source(struct view *v, const char *name, enum say label, const char *text, bool fixed)
{
	struct html *h = &v->h;

	h_el(h, "div", "class", "field", NULL);
	h_el(h, "label", "for", name, NULL);
	h_text(h, view_say(v, label));
	h_close(h);
	h_el(h, "textarea", "id", name, "name", fixed ? NULL : name, "rows", fixed ? "12" : "24", "class", "source", "dir", "auto",
	    "readonly", fixed ? "" : NULL, NULL);
	/* Browsers leave out a newline at the beginning. */
	h_text(h, "\n");
	h_text(h, text);
	h_close(h);
	h_close(h);
}

/* refused: text is the message of a 403, which may name providers at which to sign in; adds links to them. */
static void
write_error(struct view *v, const char *title, const char *text, const char *language, bool refused)
{
	page_begin(v, FRAME_CARD, title);
	h_el(&v->h, "p", "class", "lead", "lang", language, NULL);
	h_text(&v->h, text);
	h_close(&v->h);
	if (refused)
		write_provider_links(v, text);
	write_link(v, "btn", "", view_say(v, SAY_TO_HOME));
	page_end(v);
}

void
page_error(struct view *v, int status, const char *title, const char *text)
{
	v->status = status;
	write_error(v, title, text, NULL, false);
}

void
page_failure(struct view *v, const struct call *c)
{
	v->status = c->status;
	v->retry_after = c->retry_after;
	write_error(v, view_say(v, SAY_FAILED), message_of(v, c), message_language(c), c->status == 403);
}

void
section_begin(struct view *v, const char *id, const char *title, const char *lead)
{
	struct html *h = &v->h;
	const char *heading = arena_printf(v->arena, "%s-title", id);

	h_el(h, "section", "id", id, "class", "card", "aria-labelledby", heading, NULL);
	h_el(h, "h2", "id", heading, NULL);
	h_text(h, title);
	h_close(h);
	if (lead != NULL)
		h_leaf(h, "p", "lead", lead);
}

/* ---- notices ---- */

void
write_notice(struct view *v, enum notice kind, const char *text)
{
	h_el(&v->h, "p", "class", kind == NOTICE_GOOD ? "notice good" : "notice", "role", "status", NULL);
	h_text(&v->h, text);
	h_close(&v->h);
}

void
write_alert(struct view *v, const char *text)
{
	h_el(&v->h, "p", "class", "notice bad", "role", "alert", NULL);
	h_text(&v->h, text);
	h_close(&v->h);
}

/* True if there are faults, and each of them is at one of the paths, a list that ends with NULL. */
static bool
is_at_fields(const struct call *c, va_list paths)
{
	size_t shown = 0;
	const cJSON *fields = cJSON_GetObjectItemCaseSensitive(c->answer, "fields"), *f;
	const char *path;

	while ((path = va_arg(paths, const char *)) != NULL)
		cJSON_ArrayForEach(f, fields)
			shown += strcmp(json_text_or_empty(f, "path"), path) == 0;
	return shown > 0 && shown == (size_t)cJSON_GetArraySize(fields);
}

void
write_failure(struct view *v, const struct call *c, ...)
{
	va_list paths;
	bool shown;

	va_start(paths, c);
	shown = is_at_fields(c, paths);
	va_end(paths);
	if (shown)
		return;
	h_el(&v->h, "p", "class", "notice bad", "role", "alert", "lang", message_language(c), NULL);
	h_text(&v->h, message_of(v, c));
	h_close(&v->h);
}

/* ---- forms ---- */

void
write_form(struct view *v, const char *below, const char *class)
{
	h_el(&v->h, "form", "method", "post", "action", near_path(v, below), "class", class, NULL);
	write_hidden(v, "csrf", v->csrf != NULL ? v->csrf : "");
}

void
write_hidden(struct view *v, const char *name, const char *value)
{
	h_one(&v->h, "input", "type", "hidden", "name", name, "value", value, NULL);
}

void
write_once(struct view *v)
{
	write_hidden(v, "once", secret_id(v->arena));
}

void
write_input(struct view *v, const struct input *i)
{
	/* A fault replaces the hint, which mostly says the same. */
	const char *fault = i->refusal != NULL ? i->refusal : i->fault, *about = fault != NULL ? fault : i->hint, *id = arena_printf(v->arena, "%s-about", i->name);
	struct html *h = &v->h;

	h_el(h, "div", "class", fault != NULL ? "field wrong" : "field", NULL);
	h_el(h, "label", "for", i->name, NULL);
	h_text(h, i->label);
	h_close(h);
	h_one(h, "input", "id", i->name, "name", i->name, "type", i->type != NULL ? i->type : "text", "value", i->value,
	    "autocomplete", i->fill != NULL ? i->fill : "off", "aria-describedby", about != NULL ? id : NULL, "aria-invalid",
	    fault != NULL ? "true" : NULL, "required", i->optional ? NULL : "", "autofocus", i->focus ? "" : NULL,
	    "readonly", i->fixed ? "" : NULL, "list", i->list, "dir", "auto", "spellcheck", "false", NULL);
	if (about != NULL) {
		h_el(h, "p", "id", id, "class", fault != NULL ? "fault" : "hint", "lang", fault != NULL && fault == i->fault ? "en" : NULL, NULL);
		h_text(h, about);
		h_close(h);
	}
	h_close(h);
}

void
choice_begin(struct view *v, const char *name, const char *label)
{
	struct html *h = &v->h;

	h_el(h, "div", "class", "field", NULL);
	h_el(h, "label", "for", name, NULL);
	h_text(h, label);
	h_close(h);
	h_el(h, "select", "id", name, "name", name, NULL);
}

void
choice_end(struct view *v)
{
	h_close(&v->h);
	h_close(&v->h);
}

void
write_option(struct view *v, const char *value, const char *label, bool chosen)
{
	h_el(&v->h, "option", "value", value, "selected", chosen ? "" : NULL, NULL);
	h_text(&v->h, label);
	h_close(&v->h);
}

void
write_select(struct view *v, const char *name, const char *label, const char *chosen, ...)
{
	const char *value;
	va_list ap;

	choice_begin(v, name, label);
	va_start(ap, chosen);
	while ((value = va_arg(ap, const char *)) != NULL)
		write_option(v, value, va_arg(ap, const char *), strcmp(value, chosen) == 0);
	va_end(ap);
	choice_end(v);
}

void
write_button(struct view *v, const char *class, const char *label)
{
	h_el(&v->h, "button", "type", "submit", "class", class != NULL ? arena_printf(v->arena, "btn %s", class) : "btn", NULL);
	h_text(&v->h, label);
	h_close(&v->h);
}

void
write_row_button(struct view *v, bool danger, const char *label, const char *about)
{
	struct html *h = &v->h;

	h_el(h, "button", "type", "submit", "class", danger ? "btn small danger" : "btn small", NULL);
	h_text(h, label);
	h_leaf(h, "span", "sr", arena_printf(v->arena, " %s", about));
	h_close(h);
}

void
write_link(struct view *v, const char *class, const char *below, const char *label)
{
	h_el(&v->h, "a", "class", class, "href", app_path(v, below), NULL);
	h_text(&v->h, label);
	h_close(&v->h);
}

/* ---- values ---- */

void
write_initial(struct view *v, const char *name)
{
	struct html *h = &v->h;
	size_t n = 1;

	while (name[0] != '\0' && ((unsigned char)name[n] & 0xc0) == 0x80)
		n++;
	h_el(h, "span", "class", "initial", "aria-hidden", "true", NULL);
	h_textn(h, (struct str){ name, *name != '\0' ? n : 0 });
	h_close(h);
}

const char *
show_day(struct view *v, const char *time)
{
	return arena_strndup(v->arena, time, strcspn(time, "T"));
}

const char *
show_minute(struct view *v, const char *time)
{
	return strlen(time) < 16 ? time : arena_printf(v->arena, "%.10s %.5s UTC", time, time + 11);
}

const char *
show_device(struct view *v, const char *agent)
{
	/* The order matters, because most browsers also contain the names of others. */
	static const char *const browsers[][2] = { { "Edg", "Edge" }, { "OPR/", "Opera" }, { "Firefox/", "Firefox" },
		{ "FxiOS/", "Firefox" }, { "Chrome/", "Chrome" }, { "Chromium/", "Chromium" }, { "CriOS/", "Chrome" },
		{ "Safari/", "Safari" }, { "curl/", "curl" } };
	static const char *const systems[][2] = { { "Windows", "Windows" }, { "Android", "Android" }, { "iPhone", "iPhone" },
		{ "iPad", "iPad" }, { "Mac OS X", "macOS" }, { "CrOS", "ChromeOS" }, { "Linux", "Linux" }, { "BSD", "BSD" } };
	const char *browser = NULL, *system = NULL;

	for (size_t i = 0; i < sizeof(browsers) / sizeof(browsers[0]) && browser == NULL; i++)
		browser = strstr(agent, browsers[i][0]) != NULL ? browsers[i][1] : NULL;
	for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]) && system == NULL; i++)
		system = strstr(agent, systems[i][0]) != NULL ? systems[i][1] : NULL;
	if (browser != NULL && system != NULL)
		return arena_printf(v->arena, "%s · %s", browser, system);
	return browser != NULL ? browser : system != NULL ? system : *agent != '\0' ? agent : view_say(v, SAY_UNKNOWN_DEVICE);
}
