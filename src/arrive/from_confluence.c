/*
 * Reader for Confluence: an export of a space as HTML. The tree is the list in index.html. Each
 * page is a file with its text in <div id="main-content">; attachments are in attachments/ID/.
 * Macros with an equivalent become a block (code, notes, panels, expand, task lists, pictures),
 * tables of contents are removed, and of all other macros the visible content stays.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/slug.h"
#include "base/url.h"
#include "blocks.h"
#include "html.h"
#include "readers.h"

static struct arrival_file *
index_file(const struct arrival *t)
{
	size_t i;

	for (i = 0; i < t->file_count; i++)
		if (str_is(path_name(t->files[i].path), "index.html") && memchr(path_folder(t->files[i].path).p, '/',
		    path_folder(t->files[i].path).n) == NULL)
			return &t->files[i];
	return NULL;
}

static bool
is_confluence(struct arrival *t)
{
	struct arrival_file *f = index_file(t);
	struct str bytes;
	bool is;

	if (f == NULL || !source_read(t, t->scratch, f, &bytes))
		return false;
	is = memmem(bytes.p, bytes.n, "Available Pages", 15) != NULL || memmem(bytes.p, bytes.n, "onfluence", 9) != NULL;
	arena_reset(t->scratch);
	return is;
}

/* The title of a page from <title>, which is "Space : Title". */
static const char *
page_title(struct arrival *t, const GumboNode *root)
{
	const GumboNode *n = html_find_id(root, "title-text");
	struct str s = html_short(t->arena, n != NULL ? n : html_find_tag(root, GUMBO_TAG_TITLE));
	const char *colon = s.n > 3 ? memmem(s.p, s.n, " : ", 3) : NULL;

	if (colon != NULL)
		s = str_trim(str_slice(s, (size_t)(colon - s.p) + 3, s.n));
	return s.n == 0 ? NULL : arena_strndup(t->arena, s.p, s.n);
}

/*
 * Reads the id from "Getting-started_1234.html" or "1234.html". The id is a name of the page, by
 * which addresses of the service find it.
 */
static void
name_page(struct arrival *t, struct arrival_page *p)
{
	struct str stem = path_stem(path_name(p->file->path));
	size_t n = 0;

	while (n < stem.n && isdigit((unsigned char)stem.p[stem.n - 1 - n]))
		n++;
	if (n >= 4)
		arrival_name(t, p, arena_printf(t->arena, "id:%.*s", (int)n, stem.p + stem.n - n));
	arrival_moved(t, p, arena_strndup(t->arena, p->file->path.p, p->file->path.n));
}

/* The file of an address in a page of this folder; NULL: none. The name of a file may have escapes itself. */
static struct arrival_file *
find_file(struct arrival *t, struct str folder, const char *href)
{
	struct str path = text_until(str_of(href), "?#");
	const char *full = path_join(t->scratch, folder, path);
	struct arrival_file *f = full == NULL ? NULL : source_find(t, "%s", full);

	if (f != NULL)
		return f;
	full = path_join(t->scratch, folder, url_unescape(t->scratch, path));
	return full == NULL ? NULL : source_find(t, "%s", full);
}

static void
add_item(struct arrival *t, struct arrival_page *parent, const GumboNode *li, struct str folder, unsigned depth);

static void
add_list(struct arrival *t, struct arrival_page *parent, const GumboNode *ul, struct str folder, unsigned depth)
{
	unsigned i;

	for (i = 0; depth < 100 && i < ul->v.element.children.length; i++) {
		const GumboNode *c = ul->v.element.children.data[i];
		if (html_tag_is(c, GUMBO_TAG_LI))
			add_item(t, parent, c, folder, depth + 1);
	}
}

static void
add_item(struct arrival *t, struct arrival_page *parent, const GumboNode *li, struct str folder, unsigned depth)
{
	struct arrival_page *p = parent, *made;
	unsigned i;

	for (i = 0; i < li->v.element.children.length; i++) {
		const GumboNode *c = li->v.element.children.data[i];
		const char *href = html_tag_is(c, GUMBO_TAG_A) ? html_attribute(c, "href") : NULL;
		struct arrival_file *f;

		if (html_tag_is(c, GUMBO_TAG_UL)) {
			add_list(t, p, c, folder, depth);
			continue;
		}
		if (href == NULL)
			continue;
		if ((f = find_file(t, folder, href)) == NULL) {
			arrival_warn(t, str_of(t->table), c->v.element.start_pos.line, "the list names \"%.200s\", which is not in the archive; "
			    "left out", href);
			continue;
		}
		if ((made = arrival_add_file(t, parent, f, NULL, t->table, c->v.element.start_pos.line)) == NULL)
			continue;
		p = made;
		p->fallback = html_short(t->arena, c).p;
		p->path = arena_printf(t->arena, "%s%s%s", parent != NULL && parent->path != NULL ? parent->path : "",
		    parent != NULL && parent->path != NULL ? "/" : "", slug_from_title(t->arena, str_of(p->fallback)));
		name_page(t, p);
	}
}

/* Adds pages that the list in the index does not contain. */
static void
add_rest(struct arrival *t, struct str folder)
{
	struct arrival_page *p;
	size_t i;

	for (i = 0; i < t->file_count; i++) {
		struct arrival_file *f = &t->files[i];
		if (f->page != NULL || f->part || !path_ends(f->path, ".html") || !str_eq(path_folder(f->path), folder))
			continue;
		p = arrival_add_file(t, NULL, f, NULL, "", 0);
		p->hidden = p->last_resort = true;
		name_page(t, p);
		arrival_warn(t, f->path, 0, "index.html does not name this page; it is a hidden page");
	}
}

/* Gives a file the name of the attachment: in the export, it has the attachment's number. */
static void
name_attachment(struct arrival *t, struct arrival_page *p, const GumboNode *link)
{
	const char *href = html_attribute(link, "href");
	struct arrival_file *f = href == NULL ? NULL : find_file(t, path_folder(p->file->path), href);
	char *plain = path_of_title(t->arena, html_short(t->scratch, link));

	if (f != NULL && f->page == NULL && plain != NULL)
		f->want = arena_printf(t->arena, "attachments/%s", plain);
}

/* Reads the list of attachments at the end of a page. */
static void
name_attachments(struct arrival *t, struct arrival_page *p, struct str bytes)
{
	const char *at = memmem(bytes.p, bytes.n, "id=\"attachments\"", 16);
	const GumboNode *box = at == NULL ? NULL :
	    html_find_class(html_tree(t, t->scratch, str_slice(bytes, (size_t)(at - bytes.p), bytes.n), p->file->path), "greybox");
	unsigned i;

	for (i = 0; box != NULL && i < box->v.element.children.length; i++) {
		const GumboNode *c = box->v.element.children.data[i];

		if (html_tag_is(c, GUMBO_TAG_A))
			name_attachment(t, p, c);
	}
}

/* Finds the address of the service, to which links to what is no page are relative. */
static void
find_site(struct arrival *t, struct str bytes)
{
	static const char mark[] = "data-base-url=\"";
	const char *at = t->site != NULL ? NULL : memmem(bytes.p, bytes.n, mark, sizeof(mark) - 1), *end;

	if (at == NULL)
		return;
	at += sizeof(mark) - 1;
	end = memchr(at, '"', (size_t)(bytes.p + bytes.n - at));
	if (end != NULL && str_starts((struct str){ at, (size_t)(end - at) }, "http"))
		t->site = arena_strndup(t->arena, at, (size_t)(end - at));
}

/*
 * Reads all pages for what their conversion needs of others: the ids that links name, the names of
 * attachments, the address of the service. All is copied, because pages do not stay in memory.
 */
static void
read_pages(struct arrival *t)
{
	struct str bytes;
	size_t i;

	t->own = map_new(t->arena);
	for (i = 0; i < t->file_count; i++, arena_reset(t->scratch))
		if (t->files[i].page != NULL && source_read(t, t->scratch, &t->files[i], &bytes)) {
			html_note_fragments(t->own, t->arena, bytes);
			name_attachments(t, t->files[i].page, bytes);
			find_site(t, bytes);
		}
}

/* The list of pages: the largest <ul> of the index that is not inside another one. */
static const GumboNode *
page_list(const GumboNode *root)
{
	const GumboNode *section = html_find_class(root, "pageSection"), *ul;

	ul = html_find_tag(section != NULL ? section : root, GUMBO_TAG_UL);
	/* The first section is a table about the space. */
	return ul != NULL ? ul : html_find_tag(root, GUMBO_TAG_UL);
}

static bool
read_confluence(struct arrival *t)
{
	struct arrival_file *f = index_file(t);
	const GumboNode *root, *ul;
	struct str bytes, folder;

	if (f == NULL || !source_read(t, t->arena, f, &bytes)) {
		t->error = "there is no index.html";
		return false;
	}
	f->part = true;
	t->table = f->path.p;
	folder = path_folder(f->path);
	root = html_tree(t, t->arena, bytes, f->path);
	ul = page_list(root);
	t->root = arena_strndup(t->arena, folder.p, folder.n);
	t->title = page_title(t, root);
	if (t->title != NULL && strchr(t->title, '(') != NULL && strchr(t->title, '(') > t->title)
		/* "Name (KEY)" */
		t->title = arena_strndup(t->arena, t->title, (size_t)(strrchr(t->title, '(') - t->title - 1));
	if (ul != NULL)
		add_list(t, NULL, ul, folder, 0);
	add_rest(t, folder);
	read_pages(t);
	return true;
}

/* ---- texts ---- */

static struct str
respell_target(void *ctx, struct html *h, struct str s)
{
	struct str path = text_until(s, "?");

	(void)ctx;
	(void)h;
	/* The query in "attachments/1/2.png?api=v2" is not part of the file's name. */
	return str_starts(s, "attachments/") || str_starts(s, "images/") ? path : s;
}

static bool
is_linked_id(void *ctx, struct str id)
{
	return map_has(ctx, id);
}

/* The value of a parameter in a list such as "brush: java; title: X; gutter: true"; NULL: none. */
static char *
find_parameter(struct arena *a, const char *list, const char *name)
{
	const char *at = list;
	size_t n = strlen(name);

	while (at != NULL && *at != '\0') {
		while (*at == ' ' || *at == ';')
			at++;
		if (strncasecmp(at, name, n) == 0 && at[n] == ':') {
			struct str v = str_trim((struct str){ at + n + 1, strcspn(at + n + 1, ";") });
			return arena_strndup(a, v.p, v.n);
		}
		at = strchr(at, ';');
	}
	return NULL;
}

static bool
put_code(struct html *h, const GumboNode *n)
{
	const GumboNode *pre = html_find_tag(n, GUMBO_TAG_PRE), *head = html_find_class(n, "codeHeader");
	const char *list = pre == NULL ? NULL : html_attribute(pre, "data-syntaxhighlighter-params");
	char *language;

	if (pre == NULL)
		return false;
	language = find_parameter(h->arena, list, "brush");
	if (language != NULL && (strcmp(language, "plain") == 0 || strcmp(language, "text") == 0))
		language = NULL;
	html_put_code(h, language, html_short(h->arena, head).p, html_words(h->arena, pre));
	return true;
}

static bool
put_macro(struct html *h, const GumboNode *n)
{
	static const char *const styles[][2] = { { "confluence-information-macro-tip", "success" },
		{ "confluence-information-macro-note", "warning" }, { "confluence-information-macro-warning", "danger" } };
	const GumboNode *title = html_find_class(n, "title"), *body = html_find_class(n, "confluence-information-macro-body");
	const char *style = "info";
	struct str words;
	size_t i;

	for (i = 0; i < 3; i++)
		if (html_has_class(n, styles[i][0]))
			style = styles[i][1];
	words = html_short(h->arena, title);
	html_put_hint(h, style, words.n > 0 ? words.p : NULL, body != NULL ? body : n);
	return true;
}

static bool
put_expand(struct html *h, const GumboNode *n)
{
	const GumboNode *title = html_find_class(n, "expand-control-text"), *body = html_find_class(n, "expand-content");
	struct str words = html_short(h->arena, title);

	html_put_details(h, words.n > 0 ? words : STR("Details"), body != NULL ? body : n);
	return true;
}

static bool
put_panel(struct html *h, const GumboNode *n)
{
	const GumboNode *head = html_find_class(n, "panelHeader"), *body = html_find_class(n, "panelContent");
	struct str words = html_short(h->arena, head);

	html_put_hint(h, "info", words.n > 0 ? words.p : NULL, body != NULL ? body : n);
	return true;
}

static void
put_tasks(struct html *h, const GumboNode *n)
{
	bool open = false;
	unsigned i;

	buf_str(&h->out, "<ul>");
	for (i = 0; i < n->v.element.children.length; i++) {
		const GumboNode *c = n->v.element.children.data[i];

		/* A list of tasks below a task follows it, and is not inside it. */
		if (html_tag_is(c, GUMBO_TAG_UL)) {
			buf_str(&h->out, open ? "" : "<li>");
			put_tasks(h, c);
			open = true;
		}
		if (!html_tag_is(c, GUMBO_TAG_LI))
			continue;
		buf_printf(&h->out, "%s<li><input type=\"checkbox\"%s>", open ? "</li>" : "", html_has_class(c, "checked") ? " checked" : "");
		html_put_children(h, c);
		open = true;
	}
	buf_printf(&h->out, "%s</ul>", open ? "</li>" : "");
}

/* The character of a picture that is an emoji. Confluence has pictures of its own, which have names and no character. */
static const char *
emoticon_text(const GumboNode *n)
{
	static const char *const names[][2] = { { "emoticon-tick", "✅" }, { "emoticon-cross", "❌" }, { "emoticon-plus", "➕" },
		{ "emoticon-minus", "➖" }, { "emoticon-question", "❓" }, { "emoticon-information", "ℹ️" }, { "emoticon-warning", "⚠️" },
		{ "emoticon-light-on", "💡" }, { "emoticon-yellow-star", "⭐" }, { "emoticon-thumbs-up", "👍" },
		{ "emoticon-thumbs-down", "👎" }, { "emoticon-smile", "🙂" }, { "emoticon-sad", "🙁" }, { "emoticon-cheeky", "😛" },
		{ "emoticon-laugh", "😀" }, { "emoticon-wink", "😉" }, { "emoticon-heart", "❤️" }, { "emoticon-broken-heart", "💔" } };
	const char *text = html_attribute(n, "data-emoji-fallback");
	size_t i;

	if (text != NULL && *text != ':')
		return text;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (html_has_class(n, names[i][0]))
			return names[i][1];
	return text != NULL ? text : html_attribute(n, "alt");
}

static enum html_way
convert_element(void *ctx, struct html *h, const GumboNode *n)
{
	const char *text = html_attribute(n, "id");

	if (html_has_class(n, "confluence-anchor-link") && text != NULL && is_linked_id(ctx, str_of(text))) {
		buf_str(&h->out, "<a id=\"");
		html_put_text(h, str_of(text));
		buf_str(&h->out, "\"></a>");
		return HTML_INSIDE;
	}
	if (html_has_class(n, "page-metadata") || html_has_class(n, "pageSection") || html_has_class(n, "hidden") ||
	    html_has_class(n, "plugin_attachments_upload_container"))
		return HTML_NOTHING;
	if (html_has_class(n, "toc-macro") || html_has_class(n, "confluence-information-macro-icon") || html_has_class(n, "aui-icon"))
		return HTML_NOTHING;
	if (html_has_class(n, "code") && html_tag_is(n, GUMBO_TAG_DIV) && put_code(h, n))
		return HTML_WRITTEN;
	if (html_has_class(n, "preformatted") && put_code(h, n))
		return HTML_WRITTEN;
	if (html_has_class(n, "confluence-information-macro"))
		return put_macro(h, n) ? HTML_WRITTEN : HTML_INSIDE;
	if (html_has_class(n, "expand-container"))
		return put_expand(h, n) ? HTML_WRITTEN : HTML_INSIDE;
	if (html_has_class(n, "panel") && html_tag_is(n, GUMBO_TAG_DIV))
		return put_panel(h, n) ? HTML_WRITTEN : HTML_INSIDE;
	if (html_has_class(n, "inline-task-list")) {
		put_tasks(h, n);
		return HTML_WRITTEN;
	}
	if (!html_has_class(n, "emoticon"))
		return HTML_PLAIN;
	if ((text = emoticon_text(n)) != NULL)
		html_put_text(h, str_of(text));
	return HTML_WRITTEN;
}

/* "Created by Ann, last modified by Bob on Mar 04, 2021". */
static void
take_metadata(struct arrival *t, struct arrival_page *p, const GumboNode *root)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	const GumboNode *n = html_find_class(root, "page-metadata"), *author = n == NULL ? NULL : html_find_class(n, "author");
	struct str words, name;
	const char *at, *month;
	int day, year;

	if (n == NULL)
		return;
	words = html_short(t->scratch, n);
	name = html_short(t->scratch, author);
	if (name.n > 0)
		p->author = arena_strndup(t->arena, name.p, name.n);
	for (at = words.p; (at = strstr(at, " on ")) != NULL; at += 4) {
		char text[32], m[4];
		int64_t ms;
		if (sscanf(at + 4, "%3s %2d, %4d", m, &day, &year) != 3 && sscanf(at + 4, "%2d %3s %4d", &day, m, &year) != 3)
			continue;
		if ((month = strstr(months, m)) == NULL || strlen(m) != 3)
			continue;
		snprintf(text, sizeof(text), "%04d-%02d-%02dT00:00:00Z", year % 10000, (int)(month - months) / 3 + 1, day % 100);
		if (time_parse(text, &ms))
			p->at = ms;
	}
}

static void
add_attachments(struct arrival *t, const GumboNode *root, struct text *out)
{
	const GumboNode *heading = html_find_id(root, "attachments"), *n = heading;
	struct text list = { .arena = t->scratch };
	unsigned i;

	/* The links are in the box after the heading. */
	for (n = n == NULL ? NULL : n->parent; n != NULL && !html_has_class(n, "pageSection"); n = n->parent)
		;
	n = n == NULL ? NULL : html_find_class(n, "greybox");
	for (i = 0; n != NULL && i < n->v.element.children.length; i++) {
		const GumboNode *c = n->v.element.children.data[i];
		const char *href = html_tag_is(c, GUMBO_TAG_A) ? html_attribute(c, "href") : NULL;
		struct str words = html_short(t->scratch, c);
		if (href != NULL && words.n > 0)
			text_printf(&list, c->v.element.start_pos.line, "* [%.*s](<%.*s>)", (int)words.n, words.p, (int)strcspn(href, "?"), href);
	}
	if (list.n == 0)
		return;
	text_gap(out, list.v[0].at);
	text_printf(out, list.v[0].at, "## Attachments");
	text_add(out, STR(""), list.v[0].at);
	for (i = 0; i < list.n; i++)
		text_add(out, list.v[i].s, list.v[i].at);
}

/* The end of a tag that begins at `at`, after its '>'; quotes may contain one. s.n: it has none. */
static size_t
tag_end(struct str s, size_t at)
{
	char quote = '\0';

	for (at++; at < s.n && (quote != '\0' || s.p[at] != '>'); at++)
		if (quote != '\0')
			quote = s.p[at] == quote ? '\0' : quote;
		else if (s.p[at] == '"' || s.p[at] == '\'')
			quote = s.p[at];
	return at < s.n ? at + 1 : s.n;
}

/*
 * Closes empty elements. Confluence writes <iframe/> as XML has it; in HTML, the rest of the page would be
 * its content.
 */
static struct str
close_empty(struct arena *a, struct str s)
{
	static const char *const open[] = { "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr" };
	size_t at = 0, from = 0, end, n, i;
	struct str name;
	struct buf b;

	buf_init(&b, a, s.n * 4 + 64);
	for (; at < s.n; at = end) {
		end = at + 1;
		if (s.p[at] != '<' || at + 1 == s.n || !isalpha((unsigned char)s.p[at + 1]))
			continue;
		end = tag_end(s, at);
		if (end - at < 4 || s.p[end - 1] != '>' || s.p[end - 2] != '/')
			continue;
		for (n = at + 1; isalnum((unsigned char)s.p[n]) || s.p[n] == ':' || s.p[n] == '-'; n++)
			;
		name = str_slice(s, at + 1, n);
		for (i = 0; i < sizeof(open) / sizeof(open[0]) && !str_is(name, open[i]); i++)
			;
		if (i < sizeof(open) / sizeof(open[0]))
			continue;
		buf_put(&b, str_slice(s, from, end - 2));
		buf_printf(&b, "></%.*s>", (int)name.n, name.p);
		from = end;
	}
	buf_put(&b, str_slice(s, from, s.n));
	return buf_view(&b);
}

static void
page_body(struct arrival *t, struct arrival_page *p, struct str bytes, struct text *out)
{
	struct html_rules rules = { convert_element, respell_target, is_linked_id, t->own, t, page_source(p) };
	const GumboNode *root = html_tree(t, t->scratch, close_empty(t->scratch, bytes), page_source(p)), *main = html_find_id(root, "main-content");

	*out = (struct text){ .arena = t->scratch };
	p->title = page_title(t, root);
	take_metadata(t, p, root);
	/* A folder of the service is a page that has only a head. */
	if (main == NULL)
		main = html_find_id(root, "content");
	if (main == NULL)
		main = html_find_tag(root, GUMBO_TAG_BODY);
	html_convert(out, main, &rules, 0);
	add_attachments(t, root, out);
}

/* Finds the page by the id in "/pages/viewpage.action?pageId=1234" or "/spaces/KEY/pages/1234/Title". */
static bool
find_target(struct arrival *t, struct arrival_page *p, struct str s, struct arrival_target *out)
{
	static const char *const marks[] = { "pageId=", "/pages/" };
	const char *at;
	size_t i, n;

	(void)p;
	*out = (struct arrival_target){ 0 };
	if (str_is(text_until(s, "#?"), "index.html"))
		return (out->page = t->first) != NULL;
	for (i = 0; i < 2; i++) {
		if ((at = s.n > 7 ? memmem(s.p, s.n, marks[i], 7) : NULL) == NULL)
			continue;
		at += 7;
		for (n = 0; at + n < s.p + s.n && isdigit((unsigned char)at[n]); n++)
			;
		if (n >= 4 && (out->page = arrival_named(t, t->scratch, str_of(arena_printf(t->scratch, "id:%.*s", (int)n, at)))) != NULL)
			return true;
	}
	return false;
}

const struct arrive_reader reader_confluence = { .name = "confluence", .title = "Confluence (HTML)", .is = is_confluence,
	.read = read_confluence, .body = page_body, .target = find_target };
