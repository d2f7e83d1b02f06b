/*
 * Reader for Notion: an export as Markdown and CSV. File names end with an id ("Page 0123…ef.md").
 * The pages below a page are in a folder with its name, with or without the id. Order and titles
 * come from the texts. A database is a CSV file, which becomes a page with a table; its rows are
 * the pages below that page.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/slug.h"
#include "base/sort.h"
#include "base/url.h"
#include "base/utf8.h"
#include "blocks.h"
#include "csv.h"
#include "readers.h"

enum { ID = 32 };

/* A page while the tree is made. */
struct entry {
	struct arrival_file *file;
	const char  *key;          /* its path without ids and extension, in lower case */
	const char  *parent;       /* folder of that path */
	const char  *title, *id;
	struct arrival_page *page;
	size_t       place;        /* position of its link in the parent's text */
	bool         table;
};

struct notion {
	struct arrival *t;
	struct entry   *list;
	size_t          n, room;
	struct map     *by_key;
	struct map     *tables;    /* path of a database without "_all" and extension -> its number in the list + 1 */
};

/* The id at the end of a name without its extension; n 0: none. */
static struct str
find_id(struct str stem)
{
	size_t i;

	if (stem.n <= ID || stem.p[stem.n - ID - 1] != ' ')
		return (struct str){ NULL, 0 };
	for (i = stem.n - ID; i < stem.n; i++)
		if (!isxdigit((unsigned char)stem.p[i]))
			return (struct str){ NULL, 0 };
	return str_slice(stem, stem.n - ID, stem.n);
}

static bool
is_table(struct str path)
{
	return path_ends(path, ".csv");
}

static bool
is_notion(struct arrival *t)
{
	size_t i;

	for (i = 0; i < t->file_count; i++)
		if ((path_ends(t->files[i].path, ".md") || is_table(t->files[i].path)) &&
		    find_id(path_name(path_stem(t->files[i].path))).n > 0)
			return true;
	return false;
}

/* A path without the ids in its parts. */
static char *
plain_path(struct arena *a, struct str path)
{
	char *out = arena_bytes(a, path.n + 1);
	size_t n = 0;

	while (path.n > 0) {
		struct str part = path_part(&path);

		if (find_id(part).n > 0)
			part.n -= ID + 1;
		if (n > 0)
			out[n++] = '/';
		memcpy(out + n, part.p, part.n);
		n += part.n;
	}
	out[n] = '\0';
	return out;
}

static void
add_entry(struct notion *x, struct arrival_file *f)
{
	struct arena *a = x->t->arena;
	struct str stem = path_stem(f->path), id;
	struct entry e = { .file = f, .place = SIZE_MAX, .table = is_table(f->path) };
	const char *plain;
	size_t number;

	if (e.table && path_ends(stem, "_all"))
		stem.n -= 4;
	id = find_id(path_name(stem));
	if (e.table && id.n == 0)
		return;
	plain = plain_path(a, stem);
	e.id = arena_strndup(a, id.p != NULL ? id.p : "", id.n);
	e.title = path_name(str_of(plain)).p;
	e.key = utf8_lower(a, str_of(plain));
	e.parent = arena_strndup(a, e.key, path_folder(str_of(e.key)).n);
	f->part = true;
	/* "X_all.csv" contains all rows of "X.csv", which comes before it. */
	if (e.table && (number = (size_t)map_get(x->tables, stem)) != 0) {
		x->list[number - 1].file = f;
		return;
	}
	x->list = arena_grow(a, x->list, x->n, &x->room, sizeof(*x->list));
	x->list[x->n++] = e;
	if (e.table)
		map_add(x->tables, stem, (void *)x->n);
}

/* Finds the position of each page's link in the text of its parent, which determines the order of the pages. */
static void
place_entries(struct notion *x)
{
	struct arrival *t = x->t;
	const char *read = NULL;
	struct str bytes = STR("");
	size_t i;

	for (i = 0; i < x->n; i++) {
		struct entry *e = &x->list[i], *up = map_get(x->by_key, str_of(e->parent));
		const char *at;

		if (up == NULL || up == e)
			continue;
		if (read != up->key) {
			arena_reset(t->scratch);
			read = up->key;
			if (!source_read(t, t->scratch, up->file, &bytes))
				bytes = STR("");
		}
		at = *e->id == '\0' ? NULL : memmem(bytes.p, bytes.n, e->id, ID);
		if (at == NULL && up->table)
			at = memmem(bytes.p, bytes.n, e->title, strlen(e->title));
		if (at != NULL)
			e->place = (size_t)(at - bytes.p);
	}
	arena_reset(t->scratch);
}

/* Orders parents before their children, then by position. */
static int
entry_order(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	size_t dx = 0, dy = 0;
	const char *p;

	for (p = x->key; *p != '\0'; p++)
		dx += *p == '/';
	for (p = y->key; *p != '\0'; p++)
		dy += *p == '/';
	if (dx != dy)
		return (dx > dy) - (dx < dy);
	return x->place != y->place ? (x->place > y->place) - (x->place < y->place) : strcmp(x->key, y->key);
}

/* The page of a folder. If no page has the folder's name, a group is made. */
static struct arrival_page *
folder_page(struct notion *x, struct map *pages, const char *key, struct str plain)
{
	struct arrival_page *p;

	if (*key == '\0')
		return NULL;
	p = map_get(pages, str_of(key));
	if (p != NULL)
		return p;
	p = arrival_add(x->t, folder_page(x, pages, arena_strndup(x->t->arena, key, path_folder(str_of(key)).n), path_folder(plain)),
	    ARRIVAL_GROUP, arena_strndup(x->t->arena, path_name(plain).p, path_name(plain).n));
	map_add(pages, str_of(key), p);
	return p;
}

static void
add_pages(struct notion *x)
{
	struct arrival *t = x->t;
	struct map *pages = map_new(t->arena);
	size_t i;

	for (i = 0; i < x->n; i++) {
		struct entry *e = &x->list[i];
		struct str plain = str_of(plain_path(t->arena, path_folder(e->file->path)));
		struct arrival_page *up = folder_page(x, pages, e->parent, plain), *p = arrival_add_file(t, up, e->file, NULL, "", 0);

		if (p == NULL)
			continue;
		p->own = e;
		e->page = p;
		p->fallback = e->title;
		p->path = arena_printf(t->arena, "%s%s%s", up != NULL && up->path != NULL ? up->path : "", up != NULL && up->path != NULL ?
		    "/" : "", slug_from_title(t->arena, str_of(e->title)));
		if (*e->id != '\0')
			arrival_name(t, p, e->id);
		map_add(pages, str_of(e->key), p);
	}
}

static bool
read_notion(struct arrival *t)
{
	struct notion *x = arena_alloc(t->arena, sizeof(*x));
	size_t i;

	*x = (struct notion){ .t = t, .by_key = map_new(t->arena), .tables = map_new(t->arena) };
	t->own = x;
	for (i = 0; i < t->file_count; i++) {
		struct arrival_file *f = &t->files[i];
		struct str folder = path_folder(f->path);
		if (path_ends(f->path, ".md") || is_table(f->path))
			add_entry(x, f);
		else
			/* An attachment: its folders may have ids in their names, the file itself has none. */
			f->want = arena_printf(t->arena, "%s%s%.*s", plain_path(t->arena, folder), folder.n > 0 ? "/" : "",
			    (int)path_name(f->path).n, path_name(f->path).p);
		if (path_ends(f->path, "index.html"))
			f->part = true;
	}
	/* If several have the same name, the first one contains what is in the folder of that name. */
	for (i = 0; i < x->n; i++)
		map_add(x->by_key, str_of(x->list[i].key), &x->list[i]);
	place_entries(x);
	sort_list(x->list, x->n, sizeof(*x->list), entry_order);
	add_pages(x);
	return true;
}

/* ---- texts ---- */

struct rows {
	struct arrival *t;
	struct map *titles;    /* title, or its beginning -> the page of the row */
};

/*
 * Notion names the file of a row by its title. It cuts long titles after CUT_LEAST to CUT_MOST bytes,
 * between characters.
 */
enum { CUT_LEAST = 40, CUT_MOST = 240 };

/* Finds the page of a row by its title. */
static const char *
row_link(void *ctx, struct str cell)
{
	struct rows *r = ctx;
	const struct entry *e = map_get(r->titles, cell);
	size_t n;

	/* So a long title is looked up by its beginnings, the longest first. */
	for (n = cell.n < CUT_MOST ? cell.n : CUT_MOST; e == NULL && n >= CUT_LEAST; n--)
		e = map_get(r->titles, str_slice(cell, 0, n));
	return e == NULL ? NULL : arena_printf(r->t->scratch, "[%.*s](notion:%s)", (int)cell.n, cell.p, e->id);
}

/* Lines "Key: value" below the title of a row are its properties; each becomes a list item. */
static void
list_properties(struct arrival *t, struct text *text)
{
	size_t i = 0, k;

	while (i < text->n && (text_blank(text->v[i].s) || str_starts(text->v[i].s, "# ")))
		i++;
	for (k = i; k < text->n && !text_blank(text->v[k].s); k++) {
		const char *colon = memmem(text->v[k].s.p, text->v[k].s.n, ": ", 2);
		if (colon == NULL || colon - text->v[k].s.p > 60 || !isalnum((unsigned char)text->v[k].s.p[0]))
			return;
	}
	for (; i < k; i++) {
		struct str s = text->v[i].s;
		const char *colon = memmem(s.p, s.n, ": ", 2);
		size_t n = (size_t)(colon - s.p);
		text->v[i].s = str_of(arena_printf(t->scratch, "* **%.*s**:%.*s", (int)n, s.p, (int)(s.n - n - 1), s.p + n + 1));
	}
}

/* <aside> is a callout. Its first character may be its icon. */
static void
convert_asides(struct arrival *t, struct text *text)
{
	struct text out = { .arena = t->scratch };
	struct fence f = { 0 };
	size_t i;

	for (i = 0; i < text->n; i++) {
		struct str s = str_trim(text->v[i].s);
		if (!fence_step(&f, text->v[i].s) && str_is(s, "<aside>"))
			hint_open(&out, STR(""), "info", STR(""), text->v[i].at);
		else if (str_is(s, "</aside>"))
			hint_close(&out, STR(""), text->v[i].at);
		else
			text_add(&out, text->v[i].s, text->v[i].at);
	}
	*text = out;
}

static void
page_body(struct arrival *t, struct arrival_page *p, struct str bytes, struct text *out)
{
	struct entry *e = p->own;
	const struct entry *up = p->parent != NULL ? p->parent->own : NULL;
	struct rows r = { t, map_new(t->scratch) };
	const struct arrival_page *c;
	size_t lost;

	if (e->table) {
		*out = (struct text){ .arena = t->scratch };
		for (c = p->first; c != NULL; c = c->next)
			if (c->own != NULL && *((const struct entry *)c->own)->id != '\0' && *((const struct entry *)c->own)->title != '\0')
				map_add(r.titles, str_of(((const struct entry *)c->own)->title), c->own);
		csv_table(out, bytes, row_link, &r, &lost);
		if (lost > 0)
			arrival_warn(t, p->file->path, 0, "%zu cells are left out: they are beyond the last column of the heading, or beyond column 200", lost);
		p->title = e->title;
		return;
	}
	text_read(out, t->scratch, bytes, 1, false);
	if (up != NULL && up->table)
		list_properties(t, out);
	convert_asides(t, out);
}

/* Finds the id in a link: notion:ID, or an address of the service that ends with an id. */
static bool
find_target(struct arrival *t, struct arrival_page *p, struct str s, struct arrival_target *out)
{
	size_t i, n = 0;
	char id[ID];

	(void)p;
	*out = (struct arrival_target){ 0 };
	if (memchr(s.p, ':', s.n) == NULL) {
		/* "Folder/Name%20ID.md": the page is found by the id, wherever its file is. */
		struct str name = path_stem(path_name(url_unescape(t->scratch, text_until(s, "#?"))));
		if (path_ends(name, "_all"))
			name.n -= 4;
		if (find_id(name).n == 0)
			return false;
		out->page = arrival_named(t, t->scratch, find_id(name));
		return out->page != NULL;
	}
	if (!str_starts(s, "notion:") && memmem(s.p, s.n, "notion.so/", 10) == NULL && memmem(s.p, s.n, "notion.site/", 12) == NULL)
		return false;
	for (i = 0; i < s.n && s.p[i] != '#' && s.p[i] != '?'; i++)
		;
	while (i > 0 && n < ID && (isxdigit((unsigned char)s.p[i - 1]) || s.p[i - 1] == '-')) {
		if (s.p[--i] != '-')
			id[ID - ++n] = s.p[i];
	}
	out->page = n == ID ? arrival_named(t, t->scratch, (struct str){ id, ID }) : NULL;
	return out->page != NULL;
}

const struct arrive_reader reader_notion = { .name = "notion", .title = "Notion", .is = is_notion, .read = read_notion,
	.body = page_body, .target = find_target };
