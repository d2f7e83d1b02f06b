/*
 * The writer: writes the tree as files of the git-sync layout (layout/rules.md). written.c has the list
 * of these files. Contract: arrival.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/secret.h"
#include "base/slug.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "layout/write.h"
#include "write_parts.h"

/* Bytes of a path and of its last part, of a page after its conversion, and of the targets of its links. */
enum { PATH_MOST = 900, NAME_MOST = 200, TEXT_MOST = 64 << 20, LINKS_MOST = 64 << 20, PAGE_MOST = 256 << 20 };

/* ---- items ---- */

static void
set_oid(struct item *i, struct arena *scratch, struct str bytes)
{
	memcpy(i->entry.oid, hex(scratch, hash_of(scratch, bytes)), 40);
	i->entry.oid[40] = '\0';
	i->entry.size = (int64_t)bytes.n;
}

static struct item *
add_item(struct writer *w, const char *path)
{
	w->items[w->count] = (struct item){ .entry = { .path = str_of(path), .mode = 0100644 } };
	return &w->items[w->count++];
}

bool
writer_add(struct writer *w, const char *path, struct str bytes)
{
	struct item *i = add_item(w, path);

	set_oid(i, w->t->scratch, bytes);
	return written_spool(w->out, w->t, i, bytes, NULL, 0);
}

/* ---- names ---- */

/* Makes a path that is valid on all systems: no part begins with a dot, or begins or ends with a blank. */
static char *
clean_path(struct arena *a, struct str path)
{
	char *out = arena_bytes(a, path.n + 8);
	size_t n = 0;

	while (path.n > 0) {
		struct str part = str_trim(path_part(&path));

		while (part.n > 0 && part.p[0] == '.')
			part = str_slice(part, 1, part.n);
		if (part.n == 0)
			continue;
		if (n > 0)
			out[n++] = '/';
		memcpy(out + n, part.p, part.n);
		n += part.n;
	}
	out[n] = '\0';
	return out;
}

/* The first bytes of a text, not more than `most`, and whole characters. */
static struct str
cut_text(struct str s, size_t most)
{
	if (s.n <= most)
		return s;
	for (s.n = most; s.n > 0 && ((unsigned char)s.p[s.n] & 0xc0) == 0x80;)
		s.n--;
	return s;
}

/*
 * A path that leaves room for a number and an extension within the limit of paths: of a longer one,
 * the first folders, and the beginning of the name with its extension.
 */
static const char *
short_path(struct arena *a, const char *path)
{
	struct str folder = path_folder(str_of(path)), name = path_name(str_of(path)), stem = path_stem(name);
	struct str end = str_slice(name, stem.n, name.n);

	if (strlen(path) <= PATH_MOST)
		return path;
	if (end.n > NAME_MOST / 8)
		end.n = 0;
	if (folder.n > PATH_MOST - NAME_MOST)
		folder = path_folder(cut_text(folder, PATH_MOST - NAME_MOST));
	stem = cut_text(stem, NAME_MOST - NAME_MOST / 8);
	return arena_printf(a, "%.*s%s%.*s%.*s", (int)folder.n, folder.p, folder.n > 0 ? "/" : "", (int)stem.n, stem.p, (int)end.n, end.p);
}

/* The path relative to the folder of the pages. */
static struct str
below_root(const struct arrival *t, struct str path)
{
	return path_relative(path, t->root);
}

static bool
is_index(struct str stem)
{
	struct str name = path_name(stem);

	return name.n > 0 && (path_ends(name, "index") || path_ends(name, "readme")) && (name.n == 5 || name.n == 6);
}

/* The path that a page should have, without .md; "README" is the first page. */
static const char *
wanted_path(struct writer *w, struct arrival_page *p)
{
	struct arrival *t = w->t;
	struct arena *a = t->scratch;
	struct str stem;

	if (p->path != NULL)
		return *p->path == '\0' ? "README" : clean_path(a, str_of(p->path));
	if (p->file != NULL) {
		stem = path_stem(below_root(t, p->file->path));
		return is_index(stem) ? clean_path(a, str_of(arena_printf(a, "%.*s/README", (int)path_folder(stem).n, stem.p))) :
		    clean_path(a, stem);
	}
	stem = p->parent != NULL && p->parent->to != NULL ? path_stem(str_of(p->parent->to)) : STR("");
	if (is_index(stem))
		stem = path_folder(stem);
	return arena_printf(a, "%.*s%s%s", (int)stem.n, stem.p, stem.n > 0 ? "/" : "",
	    slug_from_title(a, str_of(p->title != NULL ? p->title : p->label != NULL ? p->label : "page")));
}

/* The next number for a name that is taken. Remembering the last one keeps many equal names cheap. */
static size_t
next_number(struct writer *w, const char *name)
{
	void **at = map_at(w->numbers, str_of(utf8_lower(w->t->arena, str_of(name))));

	*at = (void *)((size_t)*at + 1);
	return (size_t)*at;
}

/* Names of files that the writer makes at the top: a page or file of the source gets another one. */
static void
reserve_names(struct writer *w)
{
	static const char *const names[] = { "summary.md", "book.json", ".gitbook.yaml" };
	size_t i;

	map_add(w->taken, STR("summary"), w);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		map_add(w->taken_files, str_of(names[i]), w);
}

/* The path of the page, without .md, in lower case. */
static struct str
page_key(struct writer *w, const char *to)
{
	const char *path = layout_page_path(w->t->scratch, str_of(to));
	size_t n = strlen(path);

	/* It is often the beginning of the path of its file, which need not be copied. */
	return strncmp(to, path, n) == 0 ? path_fold(w->t->arena, (struct str){ to, n }) :
	    str_of(utf8_lower(w->t->arena, str_of(path)));
}

/* A page is found by its path without .md, so two pages must not have the same path in any case. */
static void
place_page(struct writer *w, struct arrival_page *p)
{
	struct arena *a = w->t->arena;
	const char *want = short_path(w->t->scratch, wanted_path(w, p)), *to = arena_printf(a, "%s.md", *want == '\0' ? "page" : want);
	bool folder = layout_is_readme(str_of(to)) && path_folder(str_of(want)).n > 0;
	size_t n;

	while (!map_add(w->taken, page_key(w, to), p)) {
		n = next_number(w, want);
		to = folder ?
		    arena_printf(a, "%.*s-%zu/README.md", (int)path_folder(str_of(want)).n, want, n) :
		    arena_printf(a, "%s-%zu.md", *want == '\0' ? "page" : want, n);
	}
	p->to = to;
}

const char *
writer_file(struct writer *w, struct arrival_file *f)
{
	struct arena *a = w->t->arena;
	struct str rel = f->want != NULL ? str_of(f->want) : below_root(w->t, f->path), stem;
	const char *to, *want;

	f->used = true;
	if (f->to != NULL)
		return f->to;
	/*
	 * In this folder, Markdown is a file and not a page. It is also used for names that begin
	 * with a dot, which the import would ignore in other folders.
	 */
	if (path_is_markdown(rel) || rel.p[0] == '.' || memmem(rel.p, rel.n, "/.", 2) != NULL)
		to = arena_printf(a, ".gitbook/assets/%.*s", (int)path_name(rel).n, path_name(rel).p);
	else
		to = rel.p;
	want = to = short_path(a, to);
	stem = path_stem(str_of(want));
	while (!map_add(w->taken_files, path_fold(a, str_of(to)), f))
		to = arena_printf(a, "%.*s-%zu%s", (int)stem.n, stem.p, next_number(w, arena_printf(a, "/%s", want)), want + stem.n);
	return f->to = to;
}

/* ---- links ---- */

struct respelling {
	struct writer      *w;
	struct arrival_page *page;
	size_t               bytes;     /* of the targets that were written */
};

/*
 * Replaces the spelling of a link to a page or file of the source by its path in the layout. Other
 * links are not changed.
 */
static bool
respell_link(void *ctx, const struct doc_link *link, struct buf *out)
{
	struct respelling *r = ctx;
	struct arrival_target found;
	const char *to;

	if (r->bytes > LINKS_MOST) {
		arrival_warn_once(r->w->t, page_source(r->page), 0, "the page has too many links; the last ones are not resolved");
		return false;
	}
	if (!target_find(r->w->t, r->page, link->spelling, &found))
		return false;
	if (found.url != NULL) {
		r->bytes += strlen(found.url);
		buf_str(out, found.url);
		return true;
	}
	to = found.page != NULL ? found.page->to : writer_file(r->w, found.file);
	if (to == NULL)
		return false;
	/* The path is decoded when it is read, so a "%" that would begin an escape is encoded. */
	to = path_between(r->w->t->scratch, r->page->to, to);
	r->bytes += strlen(to) * 3 + (found.fragment != NULL ? strlen(found.fragment) : 0);
	for (; *to != '\0'; to++)
		if (*to == '%' || *to == '#' || *to == '?')
			buf_printf(out, "%%%02X", (unsigned)*to);
		else
			buf_char(out, *to);
	if (found.fragment != NULL)
		buf_str(out, found.fragment);
	return true;
}

/* ---- pages ---- */

/* Removes the first heading from a text. Returns it as plain text, or NULL; *line: the line of the heading. */
static const char *
take_heading(struct arrival *t, struct text *text, struct line *line)
{
	struct page_file pf;
	size_t i = 0, n = 1;

	while (i < text->n && text_blank(text->v[i].s))
		i++;
	if (i == text->n)
		return NULL;
	if (i + 1 < text->n && text->v[i + 1].s.n > 2 && strspn(arena_strndup(t->scratch, text->v[i + 1].s.p, text->v[i + 1].s.n),
	    "=") == text->v[i + 1].s.n)
		n = 2;
	else if (!str_starts(text->v[i].s, "# "))
		return NULL;
	page_file_split(t->scratch, str_of(n == 2 ? arena_printf(t->scratch, "# %.*s\n", (int)text->v[i].s.n, text->v[i].s.p) :
	    arena_printf(t->scratch, "%.*s\n", (int)text->v[i].s.n, text->v[i].s.p)), &pf);
	if (pf.h1 == NULL)
		return NULL;
	*line = text->v[i];
	if (n == 2)
		line->s = str_of(arena_printf(t->scratch, "# %.*s", (int)line->s.n, line->s.p));
	memmove(text->v + i, text->v + i + n, (text->n - i - n) * sizeof(*text->v));
	text->n -= n;
	return arena_strdup(t->arena, pf.h1);
}

/*
 * Chooses the title: that of the tree, the first heading, that of the front matter, the label, or
 * the name of the file.
 */
static void
name_page(struct arrival *t, struct arrival_page *p, const char *h1, const char *front_title)
{
	const char *name = p->fallback != NULL ? p->fallback : p->file == NULL ? "Page" : title_from_name(t->arena, is_index(path_stem(p->file->path)) &&
	    path_folder(p->file->path).n > 0 ? path_name(path_folder(p->file->path)) : path_name(p->file->path));

	p->shown = p->title != NULL ? p->title : h1 != NULL ? h1 : front_title != NULL ? front_title :
	    p->label != NULL ? p->label : name;
	if (p->label == NULL && h1 != NULL && front_title != NULL && p->title == NULL)
		p->label = front_title;
	if (p->label != NULL && strcmp(p->label, p->shown) == 0)
		p->label = NULL;
}

/* A text with U+0000 is UTF-16, or damaged. The conversions take such a byte for the end of a text. */
static struct str
without_nul(struct arrival *t, const struct arrival_page *p, struct str bytes)
{
	char *copy;
	size_t i;

	if (bytes.n == 0 || memchr(bytes.p, '\0', bytes.n) == NULL)
		return bytes;
	arrival_warn(t, page_source(p), 0, "the text has bytes of the value 0, which become blanks; is it UTF-8?");
	copy = arena_strndup(t->scratch, bytes.p, bytes.n);
	for (i = 0; i < bytes.n; i++)
		if (copy[i] == '\0')
			copy[i] = ' ';
	return (struct str){ copy, bytes.n };
}

static void
page_lines(struct arrival *t, struct arrival_page *p, struct front *f, struct text *text)
{
	struct str bytes = p->body;

	*f = (struct front){ 0 };
	*text = (struct text){ .arena = t->scratch };
	if (p->file != NULL && !source_read(t, t->scratch, p->file, &bytes))
		return;
	bytes = without_nul(t, p, bytes);
	if (t->reader->body != NULL && (p->file != NULL || p->own != NULL)) {
		t->reader->body(t, p, bytes, text);
		return;
	}
	front_read(t->scratch, bytes, f);
	front_report(t, page_source(p), f, 1);
	text_read(text, t->scratch, str_slice(bytes, f->bytes, bytes.n), f->lines + 1, p->file == NULL);
	if (p->file != NULL)
		text_convert(t, p, text);
}

/* Number of lines of the written file before its body. */
static size_t
count_lines(struct str s)
{
	size_t i, n = 0;

	for (i = 0; i < s.n; i++)
		n += s.p[i] == '\n';
	return n;
}

static bool
store_page(struct writer *w, struct arrival_page *p, struct str bytes, size_t front, const struct text *text)
{
	struct item *i = add_item(w, p->to);
	uint32_t *numbers = arena_array(w->t->scratch, front + text->n + 1, sizeof(*numbers));
	size_t k;

	for (k = 0; k < text->n; k++)
		numbers[front + k] = text->v[k].at < UINT32_MAX ? (uint32_t)text->v[k].at : 0;
	i->page = p;
	set_oid(i, w->t->scratch, bytes);
	return written_spool(w->out, w->t, i, bytes, numbers, front + text->n);
}

/*
 * Writes a page. Replacing the targets of links does not change the number of lines, because a
 * spelling contains no line feed.
 */
static bool
write_page(struct writer *w, struct arrival_page *p)
{
	struct arrival *t = w->t;
	struct respelling r = { w, p, 0 };
	const char *h1, *front_title;
	struct front f;
	struct line heading;
	struct text text;
	struct str body;
	struct buf b;
	size_t front;

	page_lines(t, p, &f, &text);
	h1 = take_heading(t, &text, &heading);
	front_title = yaml_text(yaml_get(f.root, "title"));
	name_page(t, p, h1, front_title == NULL ? NULL : arena_strdup(t->arena, front_title));
	if (h1 != NULL && strcmp(h1, p->shown) != 0 && p->title != NULL) {
		/* The heading differs from the title, so it stays. */
		text_printf(&text, 0, "%s", "");
		memmove(text.v + 1, text.v, (text.n - 1) * sizeof(*text.v));
		text.v[0] = heading;
	}
	while (text.n > 0 && text_blank(text.v[0].s)) {
		text.v++;
		text.n--;
	}
	buf_init(&b, t->scratch, PAGE_MOST);
	front_write_page(t, p, &f, &b);
	heading_write(&b, p->shown);
	buf_str(&b, "\n\n");
	front = count_lines(buf_view(&b));
	body = text_bytes(t->scratch, &text);
	if (body.n > TEXT_MOST) {
		arrival_warn(t, page_source(p), 0, "the text has more than %d bytes after its conversion; left out", TEXT_MOST);
		body = STR("");
		text.n = 0;
	}
	doc_respell(&b, t->scratch, body, respell_link, &r);
	return store_page(w, p, buf_view(&b), front, &text);
}

/* ---- the tree ---- */

static bool
write_files(struct writer *w)
{
	struct arrival *t = w->t;
	struct str bytes;
	size_t i, left = 0;

	for (i = 0; i < t->file_count; i++) {
		struct arrival_file *f = &t->files[i];
		if (f->used && source_read(t, t->scratch, f, &bytes)) {
			struct item *x = add_item(w, f->to);
			x->file = f;
			set_oid(x, t->scratch, bytes);
		}
		left += !f->used && f->page == NULL && !f->part;
		arena_reset(t->scratch);
		if (i % 50 == 49 && !w->alive(w->ctx, i, t->file_count))
			return false;
	}
	if (left > 0)
		arrival_warn(t, STR(""), 0, "%zu files that no page names are left out", left);
	return true;
}

static bool
is_text(const struct arrival_page *p)
{
	return p->kind == ARRIVAL_PAGE || (p->kind == ARRIVAL_GROUP && p->parent != NULL);
}

/* For a source in the git-sync layout: adds its files unchanged. */
static bool
take_all(struct writer *w)
{
	struct arrival *t = w->t;
	struct str bytes;
	size_t i;

	for (i = 0; i < t->file_count; i++, arena_reset(t->scratch)) {
		struct item *x;
		if (i % 50 == 49 && !w->alive(w->ctx, i, t->file_count))
			return false;
		if (!path_is_below(t->files[i].path, t->root) || !source_read(t, t->scratch, &t->files[i], &bytes))
			continue;
		x = add_item(w, t->files[i].path.p);
		x->file = &t->files[i];
		set_oid(x, t->scratch, bytes);
	}
	return true;
}

/* Writes all items of the tree, then the files that they need. */
static bool
write_tree(struct writer *w)
{
	struct arrival *t = w->t;
	struct arrival_page *p;
	size_t done = 0;
	bool ok = true;

	reserve_names(w);
	/*
	 * Choose the paths of all pages before the first text is written, because links are
	 * resolved to pages that come later.
	 */
	for (p = t->made; p != NULL; p = p->after, arena_reset(t->scratch))
		if (is_text(p))
			place_page(w, p);
	for (p = t->made; p != NULL && ok; p = p->after, arena_reset(t->scratch)) {
		if (is_text(p))
			ok = write_page(w, p);
		else
			p->shown = p->title;
		if (ok && ++done % 50 == 0)
			ok = w->alive(w->ctx, done, t->page_count);
	}
	if (!ok || !write_settings(w))
		return false;
	arena_reset(t->scratch);
	return write_files(w);
}

struct written *
arrival_write(struct arrival *t, const char *scratch, bool (*alive)(void *ctx, size_t done, size_t total), void *ctx)
{
	struct writer *w = arena_alloc(t->arena, sizeof(*w));

	*w = (struct writer){ .t = t, .out = written_new(t, scratch), .taken = map_new(t->arena), .taken_files = map_new(t->arena),
		.numbers = map_new(t->arena), .alive = alive, .ctx = ctx };
	/* Bytes that no item takes are not touched. */
	w->items = arena_bytes(t->arena, (t->file_count + t->page_count + MADE_FILES) * sizeof(*w->items));
	if (w->out == NULL || !(t->reader->as_is ? take_all(w) : write_tree(w)))
		return NULL;
	written_close(w->out, t, w->items, w->count);
	return w->out;
}
