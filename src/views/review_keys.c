/*
 * The keys of pages with comments and differences: a button, and the list that it opens, in which they can be switched
 * off. Both are shown by the script that listens to the keys (assets/app/review.js). Contract: space_parts.h.
 */
#include "space_parts.h"

static void
write_key(struct view *v, const char *key, enum say what)
{
	h_open(&v->h, "dt");
	h_leaf(&v->h, "kbd", NULL, key);
	h_close(&v->h);
	h_leaf(&v->h, "dd", NULL, view_say(v, what));
}

static void
write_key_list(struct view *v)
{
	static const struct { const char *key; enum say what; } keys[] = { { "n", SAY_NEXT_COMMENT }, { "p", SAY_BEFORE_COMMENT },
		{ "u", SAY_NEXT_UNREAD }, { "r", SAY_REPLY }, { "c", SAY_COMMENT }, { "j", SAY_NEXT_CHANGE }, { "k", SAY_BEFORE_CHANGE },
		{ "?", SAY_KEYS_SHOW } };

	h_el(&v->h, "dl", "class", "facts", NULL);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		write_key(v, keys[i].key, keys[i].what);
	h_close(&v->h);
}

/* Only on the page that the button leads to, from which the script takes it: most people never open it. */
static void
write_dialog(struct view *v)
{
	struct html *h = &v->h;

	h_el(h, "dialog", "id", "keys", "class", "card", "aria-labelledby", "keys-title", NULL);
	h_el(h, "h2", "id", "keys-title", NULL);
	h_text(h, view_say(v, SAY_KEYS));
	h_close(h);
	write_key_list(v);
	h_leaf(h, "p", "lead", view_say(v, SAY_KEYS_LEAD));
	h_el(h, "form", "method", "dialog", NULL);
	h_el(h, "label", "class", "pick", NULL);
	h_one(h, "input", "type", "checkbox", "name", "off", NULL);
	h_text(h, view_say(v, SAY_KEYS_OFF));
	h_close(h);
	h_el(h, "div", "class", "actions", NULL);
	write_button(v, "small", view_say(v, SAY_CLOSE));
	h_close(h);
	h_close(h);
	h_close(h);
}

void
write_shortcuts_button(struct view *v, const char *below)
{
	struct html *h = &v->h;

	h_el(h, "a", "id", "keys-open", "class", "btn small", "hidden", "", "href",
	    near_path(v, arena_printf(v->arena, "%s?keys=1", below)), NULL);
	h_text(h, view_say(v, SAY_KEYS));
	h_close(h);
	if (query_value(v, "keys") != NULL)
		write_dialog(v);
}
