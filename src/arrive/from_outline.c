/*
 * Reader for Outline: an export as Markdown. Folders are collections. The documents below a
 * document are in a folder with its name. Pictures and attachments are in folders named by ids. The
 * size of a picture is written in the place of its title.
 */
#include <ctype.h>
#include <string.h>

#include "base/slug.h"
#include "blocks.h"
#include "readers.h"

/* True for an id such as "0f8fad5b-d9cb-469f-a165-70867728950e". */
static bool
is_uuid(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23 ? s.p[i] != '-' : !isxdigit((unsigned char)s.p[i]))
			return false;
	return s.n == 36;
}

/* True for a picture or an attached file: below a folder of an id, which is below one of these folders. */
static bool
is_attached(struct str path)
{
	bool below = false;

	while (path.n > 0) {
		struct str part = path_part(&path);

		if (below && is_uuid(part))
			return true;
		below |= path.n > 0 && (str_is(part, "uploads") || str_is(part, "public") || str_is(part, "attachments"));
	}
	return false;
}

static bool
is_outline(struct arrival *t)
{
	bool files = false, pages = false;
	size_t i;

	for (i = 0; i < t->file_count; i++) {
		struct str path = t->files[i].path;
		files |= is_attached(path);
		pages |= path_ends(path, ".md");
	}
	return files && pages;
}

static bool
read_outline(struct arrival *t)
{
	struct arrival_page *p;
	size_t i;

	for (i = 0; i < t->file_count; i++)
		/* A Markdown file that was attached to a document is not a page. */
		t->files[i].attached = is_attached(t->files[i].path);
	arrival_add_folder(t, NULL, "");
	for (p = t->made; p != NULL; p = p->after)
		if (p->file != NULL)
			arrival_name(t, p, arena_printf(t->arena, "doc/%s", slug_from_title(t->arena, path_stem(path_name(p->file->path)))));
	return true;
}

/* ![alt](path " =300x200"): the size becomes the width of the picture. */
static void
change_run(void *ctx, struct str s, size_t at, struct buf *out)
{
	struct text *t = ctx;
	size_t i = 0, n;

	(void)at;
	while (i < s.n) {
		struct str rest = str_slice(s, i, s.n), alt, url;
		const char *close, *size, *end;

		if (str_starts(rest, "![") && (close = memmem(rest.p, rest.n, "](", 2)) != NULL &&
		    (end = memchr(close, ')', rest.n - (size_t)(close - rest.p))) != NULL &&
		    (size = memmem(close, (size_t)(end - close), " \" =", 4)) != NULL) {
			alt = str_slice(rest, 2, (size_t)(close - rest.p));
			url = str_slice(rest, (size_t)(close - rest.p) + 2, (size_t)(size - rest.p));
			for (n = 0; isdigit((unsigned char)size[4 + n]); n++)
				;
			buf_printf(out, "<img src=\"%.*s\" alt=\"%s\" width=\"%.*s\">", (int)url.n, url.p, html_of_text(t->arena, alt), (int)n,
			    size + 4);
			i += (size_t)(end - rest.p) + 1;
			continue;
		}
		buf_char(out, s.p[i++]);
	}
}

static void
page_body(struct arrival *t, struct arrival_page *p, struct str bytes, struct text *out)
{
	text_read(out, t->scratch, bytes, 1, false);
	convert_containers(t, p, out);
	text_change(t, p, out, change_run, out);
}

/*
 * "/doc/title-of-it-AbCdEf1234": the page is found by its title, because the export does not
 * contain the id after it.
 */
static bool
find_target(struct arrival *t, struct arrival_page *p, struct str s, struct arrival_target *out)
{
	const char *at = s.n > 5 ? memmem(s.p, s.n, "/doc/", 5) : NULL;
	struct str slug;
	size_t n = 0;

	(void)p;
	*out = (struct arrival_target){ 0 };
	if (at == NULL)
		return false;
	slug = str_slice(s, (size_t)(at - s.p) + 1, s.n);
	while (n < slug.n && slug.p[n] != '#' && slug.p[n] != '?')
		n++;
	slug.n = n;
	out->page = arrival_named(t, t->scratch, slug);
	while (out->page == NULL && slug.n > 0 && slug.p[slug.n - 1] != '-')
		slug.n--;
	if (out->page == NULL && slug.n > 1)
		out->page = arrival_named(t, t->scratch, str_slice(slug, 0, slug.n - 1));
	return out->page != NULL;
}

const struct arrive_reader reader_outline = { .name = "outline", .title = "Outline", .syntax = SYNTAX_CONTAINERS, .is = is_outline,
	.read = read_outline, .body = page_body, .target = find_target };
