/*
 * Colours of a site: a style sheet of a few variables, whose name contains a hash of its bytes.
 * There is none if the customization changes nothing.
 */
#include "base/secret.h"
#include "reader_parts.h"

/* Only "#rrggbb" may enter a style sheet. */
static bool
is_color(const char *c)
{
	return c != NULL && c[0] == '#' && (strlen(c) == 7 || strlen(c) == 4) &&
	    strspn(c + 1, "0123456789abcdefABCDEF") == strlen(c + 1);
}

/*
 * Write a custom property if the value is a colour; any other value would put an author's text into
 * the style sheet.
 */
static void
write_variable(struct buf *b, const char *name, const char *value)
{
	if (is_color(value))
		buf_printf(b, "--%s:%s;", name, value);
}

/* True if the header has its own background. */
static bool
header_stands_out(const struct look *l)
{
	return same_text(l->header_preset, "bold") || same_text(l->header_preset, "contrast") ||
	    (same_text(l->header_preset, "custom") && is_color(l->header_background.light)) ||
	    (same_text(l->theme, "bold") && same_text(l->header_preset, "default"));
}

static void
header_colors(struct buf *b, const struct look *l, bool night)
{
	if (same_text(l->header_preset, "custom")) {
		write_variable(b, "top", night ? l->header_background.dark : l->header_background.light);
		write_variable(b, "top-ink", night ? l->header_link.dark : l->header_link.light);
	} else if (header_stands_out(l)) {
		bool contrast = same_text(l->header_preset, "contrast");
		/* A bright bar above a dark page would dazzle. */
		if (night)
			buf_printf(b, "--top:%s;--top-ink:var(--head);", contrast ? "#000" :
			    "color-mix(in srgb,var(--accent) 22%,var(--bg))");
		else
			buf_printf(b, "--top:var(--%s);--top-ink:var(--bg);", contrast ? "head" : "accent");
	}
}

/*
 * Backgrounds: grey for the muted theme, mixed with the tint; weak enough for sufficient contrast.
 */
static void
emit_backgrounds(struct buf *b, const struct look *l, bool night)
{
	const char *tint = night ? l->tint.dark : l->tint.light;

	if (same_text(l->theme, "muted"))
		buf_str(b, night ? "--bg:#1a1e23;--soft:#22272e;" : "--bg:#f7f8fa;--soft:#eff1f4;");
	if (is_color(tint))
		buf_printf(b, "--soft:color-mix(in srgb,%s %s);--line:color-mix(in srgb,%s %s);", tint,
		    night ? "9%,#1a1e23" : "5%,#f7f8fa", tint, night ? "25%,#2f353d" : "20%,#e3e6ea");
	/* The page's background takes a share of the tint, or of the accent. */
	if (same_text(l->background, "match"))
		buf_printf(b, "--bg:color-mix(in srgb,%s %s);", is_color(tint) ? tint : "var(--accent)",
		    night ? "5%,#14171b" : "3%,#fff");
}

/*
 * Writes the colours of the two monochrome code themes. Other themes are ignored, since their
 * contrast was not checked.
 */
static void
code_colors(struct buf *b, const char *theme)
{
	if (theme != NULL && strncmp(theme, "monochrome", 10) == 0)
		buf_str(b, "--k:currentColor;--s:currentColor;--n:currentColor;--f:currentColor;--t:currentColor;");
}

/* Write one rule with the variables that are set; nothing if none is. */
static void
write_rule(struct buf *b, const char *selector, const struct look *l, bool night)
{
	size_t from = b->n, empty;

	buf_printf(b, "%s{", selector);
	empty = b->n;
	write_variable(b, "accent", night ? l->primary.dark : l->primary.light);
	write_variable(b, "info", night ? l->info.dark : l->info.light);
	write_variable(b, "success", night ? l->success.dark : l->success.light);
	write_variable(b, "warning", night ? l->warning.dark : l->warning.light);
	write_variable(b, "danger", night ? l->danger.dark : l->danger.light);
	emit_backgrounds(b, l, night);
	header_colors(b, l, night);
	code_colors(b, night ? l->code.dark : l->code.light);
	if (b->n == empty)
		buf_cut(b, b->n - from);
	else
		buf_str(b, "}\n");
}

/* Write the dark theme's rule for a medium; nothing if it would be empty. */
static void
write_dark(struct buf *b, const char *medium, const char *selector, const struct look *l)
{
	size_t from = b->n, empty;

	buf_printf(b, "@media %s{", medium);
	empty = b->n;
	write_rule(b, selector, l, true);
	if (b->n == empty)
		buf_cut(b, b->n - from);
	else
		buf_str(b, "}\n");
}

/* Write settings other than colours. */
static void
write_shapes(struct buf *b, const struct look *l)
{
	if (same_text(l->corners, "straight") || same_text(l->corners, "circular"))
		buf_printf(b, ":root{--r:%s}\n", l->corners[0] == 's' ? "0" : "16px");
	if (same_text(l->theme, "gradient"))
		buf_str(b, "body{background:linear-gradient(color-mix(in srgb,var(--accent) 9%,var(--bg)),var(--bg) 30rem) no-repeat var(--bg)}\n");
	/* Links in the header use its text colour; buttons swap text and background. */
	if (header_stands_out(l))
		buf_str(b, ".sections a,.sections summary,.sections [aria-current],.sections .here{color:inherit}"
		    ".sections [aria-current],.sections .here{border-color:currentColor}"
		    ".top .btn{color:inherit;border-color:currentColor}"
		    ".top .primary{background:var(--top-ink);border-color:var(--top-ink);color:var(--top)}\n");
	if (same_text(l->sidebar_background, "filled"))
		buf_str(b, ".toc{background:var(--soft);min-height:calc(100vh - var(--under))}\n");
	if (same_text(l->sidebar_list, "line"))
		buf_str(b, ".toc [aria-current=page]{background:none;border-radius:0;border-inline-start:2px solid}\n");
	/* Words of a link have the colour of text; the underline has the link colour. */
	if (same_text(l->links, "accent"))
		buf_str(b, "article a:not([class]){color:inherit;text-decoration-color:var(--accent);text-decoration-thickness:2px}\n");
	if (same_text(l->depth, "flat"))
		buf_str(b, ":root{--lift:none}dialog{box-shadow:none}\n");
	if (same_text(l->search, "subtle"))
		buf_str(b, ".top form[role=search]{flex-basis:12rem}\n");
}

const char *
look_css(struct view *s)
{
	struct buf b;

	buf_init(&b, s->arena, 64 << 10);
	buf_str(&b, "");
	/* site.css contains the defaults. */
	if (s->v.site.customization == NULL && (s->v.space == NULL || s->v.space->customization == NULL))
		return b.p;
	write_rule(&b, ":root", s->look, false);
	/*
	 * Write the dark rule twice, for a chosen dark theme and for the system's; never for print.
	 */
	write_dark(&b, "screen", ":root[data-theme=dark]", s->look);
	write_dark(&b, "screen and (prefers-color-scheme:dark)", ":root:not([data-theme=light])", s->look);
	write_shapes(&b, s->look);
	look_fonts(s, &b);
	return b.p;
}

/* The name contains a hash of the bytes, so that caches may keep the sheet forever. */
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

/* For an old name serve the present style sheet. */
void
serve_look(struct view *s, const char *rest)
{
	send_body(s, &(struct body){ .type = "text/css; charset=utf-8", .bytes = str_of(look_css(s)),
	    .immutable = strcmp(rest, look_name(s)) == 0 });
}
