/* Writes content as one HTML file. Contract: html_file.h. */
#include <cjson/cJSON.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include "app/assets.h"
#include "app/download.h"
#include "base/json.h"
#include "base/map.h"
#include "base/url.h"
#include "html_file.h"
#include "render/render.h"
#include "store/content.h"

/*
 * PICTURE: prefix of a picture's address until its bytes replace it. An author's text cannot
 * contain it after the quote of an attribute, since quotes in texts are escaped.
 */
#define PICTURE "~picture/"
enum { PAGE_MOST = 256 << 20, PIECE = 3 << 14 };
/* Browsers open larger files badly or not at all. */
#define FILE_MOST ((int64_t)512 << 20)

struct html_file {
	const struct pdf_source *source;
	struct arena            *arena, *scratch;   /* scratch: of one page */
	struct map              *numbers;           /* id of a page -> its number, from 1 */
	const struct pdf_page   *page;
	size_t                   number, count;     /* count: pages */
	FILE                    *out;
	int64_t                  bytes;
	const char              *error;
	bool                     book;
};

static size_t
page_number(const struct html_file *f, const char *id)
{
	return id == NULL ? 0 : (size_t)(uintptr_t)map_get(f->numbers, str_of(id));
}

/* ---- links ---- */

static bool
link_page(struct html_file *f, const struct doc_ref *ref, struct render_link *out)
{
	size_t n = ref->id == NULL && ref->kind == REF_ANCHOR ? f->number : page_number(f, ref->id);
	const struct pdf_page *p = f->source->pages;

	if (n == 0)
		return false;
	for (size_t i = 1; i < n; i++)
		p = p->next;
	out->title = p->title;
	out->about = p->description;
	out->href = ref->kind == REF_ANCHOR && ref->anchor != NULL ?
	    arena_printf(f->scratch, "#p%zu-%s", n, url_segment(f->scratch, str_of(ref->anchor))) : arena_printf(f->scratch, "#p%zu", n);
	return true;
}

/* The address contains the id until write_html() replaces it by the bytes. */
static bool
link_file(struct html_file *f, const struct doc_ref *ref, struct render_link *out)
{
	struct pdf_file file = { .size = 0 };

	if (ref->id == NULL || ref->space != NULL || !f->source->file(f->source->ctx, f->scratch, ref->id, false, &file))
		return false;
	out->title = file.name;
	out->bytes = file.size;
	if (strncmp(mime_type(file.name), "image/", 6) != 0)
		return false;
	out->href = arena_printf(f->scratch, PICTURE "%s", ref->id);
	return true;
}

static bool
resolve_link(void *ctx, const cJSON *json, struct render_link *out)
{
	struct html_file *f = ctx;
	struct doc_ref ref;

	out->bytes = -1;
	if (!ref_read(json, &ref))
		return false;
	switch (ref.kind) {
	case REF_URL:
		out->href = out->title = ref.url;
		out->external = true;
		return ref.url != NULL && (strstr(ref.url, "://") != NULL || strncmp(ref.url, "mailto:", 7) == 0);
	case REF_PAGE:
	case REF_ANCHOR:
		return link_page(f, &ref, out);
	case REF_FILE:
		return link_file(f, &ref, out);
	case REF_USER:
		out->title = ref.id == NULL ? NULL : f->source->user(f->source->ctx, f->scratch, ref.id);
		return false;
	default:
		return false;
	}
}

static struct str
highlight_code(void *ctx, const char *syntax, struct str source)
{
	struct html_file *f = ctx;

	return f->source->code != NULL ? f->source->code(f->source->ctx, f->scratch, syntax, source) : (struct str){ NULL, 0 };
}

static struct str
set_formula(void *ctx, const char *formula, bool display)
{
	struct html_file *f = ctx;

	return f->source->math != NULL ? f->source->math(f->source->ctx, f->scratch, formula, display) : (struct str){ NULL, 0 };
}

static const cJSON *
document_of_text(void *ctx, const char *text)
{
	struct html_file *f = ctx;
	struct str json = f->source->markdown(f->source->ctx, f->scratch, text);

	return cJSON_ParseWithLength(json.p, json.n);
}

/* ---- bytes ---- */

static void
write_bytes(struct html_file *f, struct str s)
{
	if (f->error != NULL)
		return;
	f->bytes += (int64_t)s.n;
	if (f->bytes > FILE_MOST)
		f->error = "as one HTML file this has more than 512 MiB: take a page of it";
	else if (fwrite(s.p, 1, s.n, f->out) != s.n)
		f->error = arena_strdup(f->arena, strerror(errno));
}

static void
put_base64(struct html_file *f, struct str s)
{
	char piece[PIECE / 3 * 4 + 1];

	/* Pieces whose length is a multiple of three bytes need no padding, except the last one. */
	for (; s.n > 0; s = str_slice(s, s.n < PIECE ? s.n : PIECE, s.n)) {
		sodium_bin2base64(piece, sizeof(piece), (const unsigned char *)s.p, s.n < PIECE ? s.n : PIECE, sodium_base64_VARIANT_ORIGINAL);
		write_bytes(f, str_of(piece));
	}
}

/* Writes a data: address with the bytes of the picture. */
static void
put_picture(struct html_file *f, struct str id)
{
	struct pdf_file file = { .size = 0 };

	if (!f->source->file(f->source->ctx, f->scratch, arena_strndup(f->scratch, id.p, id.n), true, &file) || file.bytes.p == NULL) {
		f->source->warn(f->source->ctx, f->page, "a picture cannot be read, or is too large");
		return;
	}
	write_bytes(f, str_of(arena_printf(f->scratch, "data:%s;base64,", mime_type(file.name))));
	put_base64(f, file.bytes);
}

/* Writes HTML, with ids of pictures replaced by their bytes. */
static void
write_html(struct html_file *f, struct str html)
{
	static const char mark[] = "=\"" PICTURE;
	const char *at;

	while ((at = memmem(html.p, html.n, mark, sizeof(mark) - 1)) != NULL) {
		size_t n = (size_t)(at - html.p);
		struct str id = str_slice(html, n + sizeof(mark) - 1, html.n);

		write_bytes(f, str_slice(html, 0, n + 2));
		id.n = strcspn(id.p, "\"");
		put_picture(f, id);
		html = str_slice(html, n + sizeof(mark) - 1 + id.n, html.n);
	}
	write_bytes(f, html);
}

/* ---- pages ---- */

/* Prefixes ids with the page's number, since other pages of the file may have the same ids. */
static void
number_anchors(struct html_file *f, cJSON *node)
{
	cJSON *id = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(node, "meta"), "id"), *list, *one;

	if (cJSON_IsString(id))
		id->valuestring = arena_printf(f->scratch, "p%zu-%s", f->number, id->valuestring);
	cJSON_ArrayForEach(list, node)
		if (cJSON_IsArray(list))
			cJSON_ArrayForEach(one, list)
				if (cJSON_IsObject(one))
					number_anchors(f, one);
}

static void
render_page(struct html_file *f, struct html *h, struct buf *b)
{
	struct render_env env = { .link = resolve_link, .code = highlight_code, .math = set_formula, .markdown = document_of_text, .ctx = f,
		.language = text_language(f->source->language != NULL ? f->source->language : "en"), .frames = "",
		.ids = arena_printf(f->scratch, "p%zu", f->number) };
	struct str json = f->page->written ? f->source->document(f->source->ctx, f->scratch, f->page) : (struct str){ NULL, 0 };
	cJSON *document = json.n > 0 ? cJSON_ParseWithLength(json.p, json.n) : NULL;
	struct rendering made = { 0 };

	/*
	 * Pandoc finds chapters by headings at the top level, so a book has no element around a
	 * page.
	 */
	if (!f->book)
		h_el(h, "article", "id", env.ids, NULL);
	h_el(h, "h1", "id", f->book ? env.ids : NULL, NULL);
	h_text(h, f->page->title);
	h_close(h);
	if (f->page->description != NULL)
		h_leaf(h, "p", "about", f->page->description);
	/* h_text() completes the start tag. */
	h_text(h, "\n");
	if (document != NULL) {
		number_anchors(f, document);
		render_document(f->scratch, b, document, &env, &made);
	}
	if (!f->book)
		h_close(h);
	h_text(h, "\n");
}

/*
 * Renames attributes with addresses that a program may fetch, except those of pictures in the
 * content. Texts cannot contain such attributes, since quotes in texts are escaped.
 */
static void
drop_sources(char *html, size_t n)
{
	static const char *const names[] = { "src=\"", "srcset=\"", "poster=\"", "data=\"" };
	char *at;
	size_t i, k;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		k = strlen(names[i]);
		for (at = html; (at = memmem(at, n - (size_t)(at - html), names[i], k)) != NULL; at += k)
			if (strncmp(at + k, PICTURE, sizeof(PICTURE) - 1) != 0)
				memset(at, 'x', k - 2);
	}
}

static bool
write_page(struct html_file *f)
{
	struct html h;
	struct buf b;

	if (!f->source->progress(f->source->ctx, "writing", f->number - 1, f->count)) {
		f->error = PDF_STOPPED;
		return false;
	}
	/* Trees of a page use its arena; data that the caller keeps uses another one. */
	json_arena(f->scratch);
	buf_init(&b, f->scratch, PAGE_MOST);
	h_init(&h, &b);
	render_page(f, &h, &b);
	if (f->book)
		drop_sources(b.p, b.n);
	write_html(f, buf_view(&b));
	json_arena(f->arena);
	arena_reset(f->scratch);
	return f->error == NULL;
}

/* ---- the frame ---- */

static void
write_contents(struct html_file *f, struct html *h)
{
	const struct pdf_page *p;
	size_t n = 0;

	h_el(h, "nav", NULL);
	for (p = f->source->pages; p != NULL; p = p->next) {
		h_el(h, "p", "style", arena_printf(f->scratch, "margin-left: %dem", 2 * (p->depth < 10 ? p->depth : 10)), NULL);
		h_el(h, "a", "href", arena_printf(f->scratch, "#p%zu", ++n), NULL);
		h_text(h, p->title);
		h_close(h);
		h_close(h);
	}
	h_close(h);
}

static void
write_head(struct html_file *f)
{
	const struct asset *style = asset_find("app/document.css");
	struct html h;
	struct buf b;

	buf_init(&b, f->scratch, PAGE_MOST);
	buf_str(&b, "<!doctype html>\n");
	h_init(&h, &b);
	h_el(&h, "html", "lang", f->source->language, NULL);
	h_open(&h, "head");
	h_one(&h, "meta", "charset", "utf-8", NULL);
	h_one(&h, "meta", "name", "viewport", "content", "width=device-width", NULL);
	h_leaf(&h, "title", NULL, f->source->title);
	if (!f->book) {
		h_open(&h, "style");
		h_raw(&h, asset_bytes(style));
		h_close(&h);
	}
	h_close(&h);
	h_open(&h, "body");
	if (f->count > 1 && !f->book) {
		h_leaf(&h, "p", "title", f->source->title);
		write_contents(f, &h);
	}
	h_text(&h, "\n");
	write_bytes(f, buf_view(&b));
	arena_reset(f->scratch);
}

static void
number_pages(struct html_file *f)
{
	const struct pdf_page *p;

	for (p = f->source->pages; p != NULL; p = p->next)
		*map_at(f->numbers, str_of(p->id)) = (void *)(uintptr_t)++f->count;
}

static void
write_all(struct html_file *f)
{
	write_head(f);
	for (f->page = f->source->pages; f->page != NULL; f->page = f->page->next) {
		f->number++;
		if (!write_page(f))
			return;
	}
	write_bytes(f, STR("</body></html>\n"));
}

static struct pdf_result
write_file(struct arena *a, const struct pdf_source *s, const char *path, bool book)
{
	struct html_file f = { .source = s, .arena = a, .scratch = arena_within(a, (size_t)2 << 30), .numbers = map_new(a),
		.book = book };
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	number_pages(&f);
	if (f.count == 0)
		f.error = "there are no pages to write";
	if (fd < 0 || (f.out = fdopen(fd, "w")) == NULL)
		return (struct pdf_result){ .error = arena_printf(a, "%s: %s", path, strerror(errno)) };
	if (f.error == NULL)
		write_all(&f);
	if (fclose(f.out) != 0 && f.error == NULL)
		f.error = arena_printf(a, "%s: %s", path, strerror(errno));
	return (struct pdf_result){ .sheets = f.count, .error = f.error };
}

struct pdf_result
html_file_write(struct arena *a, const struct pdf_source *s, const char *path)
{
	return write_file(a, s, path, false);
}

struct pdf_result
html_book_write(struct arena *a, const struct pdf_source *s, const char *path)
{
	return write_file(a, s, path, true);
}
