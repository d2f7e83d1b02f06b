/*
 * Reader for mdBook: book.toml and SUMMARY.md. In SUMMARY.md, a heading of the first level begins a
 * part. Links outside of lists are chapters without a number, before or after the numbered ones.
 * Addresses of pages end in .html.
 */
#include <ctype.h>
#include <string.h>

#include "base/url.h"
#include "readers.h"

enum { DEEP_MOST = 64 };

static bool
is_mdbook(struct arrival *t)
{
	return source_find(t, "book.toml") != NULL;
}

/* "[Title](path)" of a line; false: it has none. An empty path is a draft. */
static bool
read_link(struct arrival *t, struct str s, const char **title, const char **path)
{
	const char *open = s.n > 0 ? memchr(s.p, '[', s.n) : NULL, *mid, *end;
	struct str p;

	if (open == NULL || (mid = memmem(open, s.n - (size_t)(open - s.p), "](", 2)) == NULL ||
	    (end = memrchr(s.p, ')', s.n)) == NULL || end < mid)
		return false;
	*title = arena_strndup(t->arena, open + 1, (size_t)(mid - open - 1));
	p = str_trim((struct str){ mid + 2, (size_t)(end - mid - 2) });
	if (p.n > 1 && p.p[0] == '<')
		p = str_slice(p, 1, p.n - 1);
	*path = arena_strndup(t->arena, url_unescape(t->arena, p).p, url_unescape(t->arena, p).n);
	return true;
}

static struct arrival_page *
add_chapter(struct arrival *t, struct arrival_page *parent, const char *title, const char *path, size_t line)
{
	const char *full = *path == '\0' ? NULL : path_join(t->arena, str_of(t->root), str_of(path));
	struct arrival_file *f = full == NULL ? NULL : source_find(t, "%s", full);
	struct arrival_page *p;

	if (f != NULL)
		return arrival_add_file(t, parent, f, title, t->table, line);
	arrival_warn(t, str_of(t->table), line, "the chapter \"%.200s\" %s; it is an empty page", title,
	    *path == '\0' ? "is a draft without a file" : "has a file that does not exist");
	p = arrival_add(t, parent, ARRIVAL_PAGE, title);
	return p;
}

static void
read_summary(struct arrival *t, struct str bytes)
{
	struct arrival_page *above[DEEP_MOST] = { 0 }, *part = NULL, *p;
	size_t columns[DEEP_MOST] = { 0 }, depth = 0, i, indent, skip;
	const char *title, *path;
	bool first = true;
	struct text text;

	text_read(&text, t->arena, bytes, 1, false);
	for (i = 0; i < text.n; i++) {
		struct str s = str_trim(text.v[i].s);
		bool item = s.n > 1 && strchr("-*+", s.p[0]) != NULL && s.p[1] == ' ';

		if (str_starts(s, "# ")) {
			/*
			 * The first heading is the title of the list, unless the list has begun
			 * above it.
			 */
			if (!(first && t->made == NULL && memcmp(s.p, "# Summary", s.n < 9 ? s.n : 9) == 0))
				part = arrival_add(t, NULL, ARRIVAL_GROUP, arena_strndup(t->arena, s.p + 2, s.n - 2));
			first = false;
			depth = 0;
			continue;
		}
		if (!read_link(t, s, &title, &path))
			continue;
		indent = text_indent(text.v[i].s, &skip);
		if (!item) {
			/*
			 * A chapter outside of the list: it is before or after the numbered
			 * chapters, and belongs to no part.
			 */
			depth = 0;
			add_chapter(t, NULL, title, path, text.v[i].at);
			continue;
		}
		while (depth > 0 && columns[depth - 1] >= indent)
			depth--;
		p = add_chapter(t, depth > 0 ? above[depth - 1] : part, title, path, text.v[i].at);
		if (depth < DEEP_MOST && p != NULL) {
			above[depth] = p;
			columns[depth++] = indent;
		}
	}
}

static bool
read_mdbook(struct arrival *t)
{
	struct arrival_file *book = source_find(t, "book.toml"), *f;
	const struct yaml *settings = book == NULL ? NULL : yaml_get(front_settings(t, book), "book");
	struct arrival_page *p;
	struct str bytes;
	const char *s;

	s = yaml_text(yaml_get(settings, "src"));
	t->root = path_join(t->arena, STR(""), str_of(s != NULL ? s : "src"));
	t->title = yaml_text(yaml_get(settings, "title"));
	t->language = yaml_text(yaml_get(settings, "language"));
	f = t->root == NULL ? NULL : source_find(t, "%s%sSUMMARY.md", t->root, *t->root != '\0' ? "/" : "");
	if (f == NULL || !source_read(t, t->arena, f, &bytes)) {
		t->error = "there is no SUMMARY.md in the folder of the chapters";
		return false;
	}
	f->part = true;
	t->table = f->path.p;
	read_summary(t, bytes);
	for (p = t->made; p != NULL; p = p->after) {
		struct str stem = p->file == NULL ? STR("") : path_relative(path_stem(p->file->path), t->root);
		if (p->file == NULL)
			continue;
		arrival_moved(t, p, arena_printf(t->arena, "%.*s.html", (int)stem.n, stem.p));
	}
	return true;
}

const struct arrive_reader reader_mdbook = { .name = "mdbook", .title = "mdBook", .syntax = SYNTAX_BOOK, .is = is_mdbook,
	.read = read_mdbook };
