/*
 * Writes the menu beside a page's title with actions for readers. The customization's `pageActions`
 * contains the entries and their order (audience/look.h). Links work without script; site.js adds
 * the actions that need one: copying and printing.
 */
#include "base/url.h"
#include "reader_parts.h"

/*
 * Assistants of other services that take a question in their address. Nothing is sent until the
 * reader opens one.
 */
static const struct { const char *name, *before; } assistants[] = {
	{ "ChatGPT", "https://chatgpt.com/?q=" }, { "Claude", "https://claude.ai/new?q=" } };

static void
link_entry(struct html *h, const char *href, const char *label, bool away)
{
	if (href == NULL || !h_url_safe(href))
		return;
	h_open(h, "li");
	h_open(h, "a");
	h_url(h, "href", href);
	if (away)
		h_attr(h, "rel", "noopener");
	h_text(h, label);
	h_close(h);
	h_close(h);
}

/*
 * Writes a button that needs a script; site.js shows it. what and value: "copy" and the
 * address of the text; "mcp" and the address of the server; "print" and NULL.
 */
static void
button_entry(struct html *h, const char *what, const char *value, const char *label)
{
	h_open(h, "li");
	h_flag(h, "hidden");
	h_el(h, "button", "type", "button", "data-act", what, "data-value", value, NULL);
	h_text(h, label);
	h_close(h);
	h_close(h);
}

/* Writes a form as an entry: it works without script, and robots do not send it. */
static void
form_entry(struct html *h, const char *action, const char *label)
{
	h_open(h, "li");
	h_el(h, "form", "method", "post", "action", action, NULL);
	h_el(h, "button", "type", "submit", NULL);
	h_text(h, label);
	h_close(h);
	h_close(h);
	h_close(h);
}

static void
pdf_entries(struct view *s, struct html *h, const struct frame *f)
{
	/* A site that was exported as files has no program that makes PDFs, and a preview shows unpublished content. */
	if (!s->look->pdf || s->w->copy || s->v.preview) {
		button_entry(h, "print", NULL, say_in(s, TEXT_SAVE_PDF));
		return;
	}
	form_entry(h, print_href(s, f->page, false), say_in(s, TEXT_PDF));
	/*
	 * If conditions can hide pages from visitors, a PDF of all pages below would not match what
	 * they see.
	 */
	if (f->page->first != NULL && !s->v.site.adaptive)
		form_entry(h, print_href(s, f->page, true), say_in(s, TEXT_PDF_ALL));
}

static void
markdown_entries(struct view *s, struct html *h, const struct frame *f)
{
	const char *href = view_local(s, view_markdown_href(s, s->v.space, f->page));

	button_entry(h, "copy", href, say_in(s, TEXT_COPY_MARKDOWN));
	link_entry(h, href, say_in(s, TEXT_MARKDOWN), false);
}

/* Writes links to assistants. They only read public pages. */
static void
assistant_entries(struct view *s, struct html *h, const struct frame *f)
{
	const char *page = view_markdown_href(s, s->v.space, f->page);

	if (!view_shared(s))
		return;
	for (size_t i = 0; i < sizeof(assistants) / sizeof(assistants[0]); i++)
		link_entry(h, arena_printf(s->arena, "%s%s", assistants[i].before, url_segment(s->arena,
		    str_of(arena_printf(s->arena, "Read %s and answer my questions about it.", page)))),
		    arena_printf(s->arena, "%s %s", say_in(s, TEXT_OPEN_IN), assistants[i].name), true);
}

static void
write_entry(struct view *s, struct html *h, const struct frame *f, const char *action)
{
	struct source at;

	/* Markdown, and the tools that read it, exist only on the site itself, not in a copy. */
	if (s->w->copy && !same_text(action, "git") && !same_text(action, "pdf"))
		return;
	if (same_text(action, "markdown") && s->v.site.agents) {
		markdown_entries(s, h, f);
	} else if (same_text(action, "external-ai") && s->v.site.agents) {
		assistant_entries(s, h, f);
	} else if (same_text(action, "mcp") && s->v.site.agents) {
		button_entry(h, "mcp", arena_printf(s->arena, "%s~mcp", s->v.site.address), say_in(s, TEXT_COPY_MCP));
	} else if (same_text(action, "git")) {
		source_of_page(s, f->page, &at);
		link_entry(h, at.edit, say_in(s, TEXT_EDIT), true);
	} else if (same_text(action, "pdf")) {
		pdf_entries(s, h, f);
	}
}

/*
 * True if the menu has an entry that works without script; otherwise only the script shows the
 * menu.
 */
static bool
has_link(const struct buf *entries)
{
	return entries->n > 0 && (strstr(entries->p, "<a ") != NULL || strstr(entries->p, "<form ") != NULL);
}

void
page_actions(struct view *s, struct html *h, const struct frame *f)
{
	struct buf entries;
	struct html list;

	if (f->page == NULL || s->absolute || (f->hides & (HIDE_ACTIONS | HIDE_TITLE)))
		return;
	buf_init(&entries, s->arena, 64 << 10);
	h_init(&list, &entries);
	for (size_t i = 0; i < s->look->action_count; i++)
		write_entry(s, &list, f, s->look->actions[i]);
	if (entries.n == 0)
		return;
	h_el(h, "details", "class", "menu acts", "name", "menu", NULL);
	if (!has_link(&entries))
		h_flag(h, "hidden");
	h_leaf(h, "summary", NULL, say_in(s, TEXT_ACTIONS));
	h_open(h, "ul");
	h_raw(h, buf_view(&entries));
	h_close(h);
	h_close(h);
}
