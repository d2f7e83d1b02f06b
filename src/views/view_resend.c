/*
 * A form that was refused because its session has ended: shows what the person typed, and a button that
 * sends it again. The form came from one of our pages (form_check()). It is sent again only when the
 * person presses the button, in the session that the browser has then. Contract: view_parts.h.
 */
#include "view_parts.h"

/* True for a text that people type into fields of several lines, but not for "since…" and "tried", which the editor adds. */
static bool
is_long(const struct pair *p)
{
	return (strchr(p->value, '\n') != NULL || strlen(p->value) > 60) && strncmp(p->name, "since", 5) != 0 && strcmp(p->name, "tried") != 0;
}

static void
write_again(struct view *v, const struct pair *p)
{
	struct html *h = &v->h;

	if (!is_long(p)) {
		write_hidden(v, p->name, p->value);
		return;
	}
	h_el(h, "div", "class", "field", NULL);
	h_el(h, "textarea", "name", p->name, "rows", "6", "dir", "auto", "aria-label", p->name, NULL);
	/* HTML drops a line break at the beginning of a textarea. */
	h_text(h, "\n");
	h_text(h, p->value);
	h_close(h);
	h_close(h);
}

/* What was typed into a field of one line is read here; the field itself is hidden. */
static void
write_short(struct view *v)
{
	struct html *h = &v->h;

	for (const struct pair *p = v->form; p != NULL; p = p->next)
		if (strncmp(p->name, "text", 4) == 0 && *p->value != '\0' && !is_long(p)) {
			h_el(h, "p", "class", "secret", "dir", "auto", NULL);
			h_text(h, p->value);
			h_close(h);
		}
}

bool
can_send_again(const struct view *v)
{
	return v->method == M_POST && (strncmp(v->path, "/spaces/", 8) == 0 || strncmp(v->path, "/orgs/", 6) == 0) && v->form != NULL;
}

void
page_resend(struct view *v, int status, enum say text)
{
	struct html *h = &v->h;

	v->status = status;
	page_begin(v, FRAME_CARD, view_say(v, SAY_RESEND_TITLE));
	h_leaf(h, "p", "lead", view_say(v, text));
	write_short(v);
	if (status == 401) {
		h_el(h, "a", "class", "btn", "target", "_blank", "href", app_path(v, "/sign-in"), NULL);
		h_text(h, view_say(v, SAY_SIGN_IN));
		h_close(h);
	}
	write_form(v, v->path, NULL);
	write_resend(v);
	for (const struct pair *p = v->form; p != NULL; p = p->next)
		if (strcmp(p->name, "csrf") != 0 && strcmp(p->name, "resend") != 0)
			write_again(v, p);
	write_button(v, "primary", view_say(v, SAY_SEND_AGAIN));
	h_close(h);
	page_end(v);
}
