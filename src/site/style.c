/*
 * The colours of a site: a style sheet of a few variables, served under a name that holds
 * a hash of its bytes. There is none where the customization changes nothing.
 */
#include "base/secret.h"
#include "parts.h"

/* "#rrggbb" and nothing else becomes part of a style sheet. */
static bool
is_color(const char *c)
{
	return c != NULL && c[0] == '#' && (strlen(c) == 7 || strlen(c) == 4) &&
	    strspn(c + 1, "0123456789abcdefABCDEF") == strlen(c + 1);
}

/*
 * A custom property, if the value is a colour: anything else would be text of an author in a
 * style sheet.
 */
static void
variable(struct buf *b, const char *name, const char *value)
{
	if (is_color(value))
		buf_printf(b, "--%s:%s;", name, value);
}

/* One rule with the variables that are set; nothing where none is. */
static void
block(struct buf *b, const char *selector, const struct look *l, bool night)
{
	size_t from = b->n, empty;

	buf_printf(b, "%s{", selector);
	empty = b->n;
	variable(b, "accent", night ? l->primary.dark : l->primary.light);
	if (same_text(l->header_preset, "custom")) {
		variable(b, "top", night ? l->header_background.dark : l->header_background.light);
		variable(b, "top-ink", night ? l->header_link.dark : l->header_link.light);
	}
	if (b->n == empty)
		buf_cut(b, b->n - from);
	else
		buf_str(b, "}\n");
}

/* The rule for the dark theme on some medium; nothing where it sets nothing. */
static void
dark(struct buf *b, const char *medium, const char *selector, const struct look *l)
{
	size_t from = b->n, empty;

	buf_printf(b, "@media %s{", medium);
	empty = b->n;
	block(b, selector, l, true);
	if (b->n == empty)
		buf_cut(b, b->n - from);
	else
		buf_str(b, "}\n");
}

const char *
look_css(struct view *s)
{
	struct buf b;

	buf_init(&b, s->arena, 64 << 10);
	buf_str(&b, "");
	/* The defaults are in site.css already. */
	if (s->v.site.customization == NULL && (s->v.space == NULL || s->v.space->customization == NULL))
		return b.p;
	block(&b, ":root", s->look, false);
	/* Twice: for readers who chose the dark theme, and for those whose system did. Never on paper. */
	dark(&b, "screen", ":root[data-theme=dark]", s->look);
	dark(&b, "screen and (prefers-color-scheme:dark)", ":root:not([data-theme=light])", s->look);
	if (same_text(s->look->corners, "straight"))
		buf_str(&b, ":root{--r:0}\n");
	return b.p;
}

/* The name changes with the bytes, so that caches may keep the sheet for good. */
static const char *
look_name(struct view *s)
{
	unsigned char tag[TAG_BYTES];

	tag_bytes(str_of(look_css(s)), tag);
	return arena_printf(s->arena, "%.16s.css", hex(s->arena, (struct str){ (const char *)tag, sizeof(tag) }));
}

const char *
look_href(struct view *s)
{
	return arena_printf(s->arena, "%s~look/%s", view_local(s, s->v.space != NULL ? s->v.space->address :
	    s->v.site.address), look_name(s));
}

/* Another name is that of a customization that is over: the one that holds now is what the reader wants. */
void
serve_look(struct view *s, const char *rest)
{
	send_body(s, &(struct body){ .type = "text/css; charset=utf-8", .bytes = str_of(look_css(s)),
	    .stays = strcmp(rest, look_name(s)) == 0 });
}
