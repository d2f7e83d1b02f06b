/* Makes the tree of a source, names of pages, and the report. Contract: arrival.h. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrival.h"
#include "base/slug.h"
#include "base/sort.h"
#include "base/utf8.h"

/*
 * Maximum number of lines in the report, and bytes of each: more do not help people, and all are in
 * memory. (A source may name a large text in every line.)
 */
enum { WARNINGS_MOST = 20000, WARNING_LONG = 1000 };

/* ---- the report ---- */

/*
 * Replaces bytes that are not UTF-8 by question marks. Messages quote text of the source, which may
 * have such bytes.
 */
static const char *
replace_invalid(struct arena *a, const char *s)
{
	struct str rest = str_of(s);
	struct buf b;
	uint32_t cp;
	size_t n;

	if (utf8_valid(rest))
		return s;
	buf_init(&b, a, rest.n + 1);
	for (; rest.n > 0; rest = str_slice(rest, n > 0 ? n : 1, rest.n)) {
		n = utf8_next(rest, &cp);
		buf_put(&b, n > 0 ? str_slice(rest, 0, n) : STR("?"));
	}
	return b.p;
}

static void
warn_v(struct arrival *t, struct str file, size_t line, const char *message)
{
	struct layout_warning *w;

	if (++t->warning_count > WARNINGS_MOST)
		return;
	if (t->warning_count == WARNINGS_MOST) {
		file = STR("");
		line = 0;
		message = "the report has more lines than this; they are left out";
	}
	w = arena_alloc(t->kept, sizeof(*w));
	*w = (struct layout_warning){ NULL, replace_invalid(t->kept, arena_strndup(t->kept, file.p, file.n)), line,
		arena_strdup(t->kept, replace_invalid(t->kept, message)) };
	*t->warnings_end = w;
	t->warnings_end = &w->next;
}

/* What printf() writes, cut after WARNING_LONG bytes. */
static __attribute__((format(printf, 2, 0))) const char *
message_of(struct arena *a, const char *fmt, va_list ap)
{
	char text[WARNING_LONG + 1];
	bool cut = vsnprintf(text, sizeof(text), fmt, ap) > WARNING_LONG;

	return arena_printf(a, "%s%s", text, cut ? "…" : "");
}

void
arrival_warn(struct arrival *t, struct str file, size_t line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	warn_v(t, file, line, message_of(t->arena, fmt, ap));
	va_end(ap);
}

void
arrival_warn_once(struct arrival *t, struct str file, size_t line, const char *fmt, ...)
{
	const char *message;
	va_list ap;

	va_start(ap, fmt);
	message = message_of(t->arena, fmt, ap);
	va_end(ap);
	if (map_add(t->once, str_of(arena_printf(t->arena, "%.*s\n%s", (int)file.n, file.p, message)), t))
		warn_v(t, file, line, message);
}

/* ---- the tree ---- */

struct arrival_page *
arrival_add(struct arrival *t, struct arrival_page *parent, enum arrival_kind kind, const char *title)
{
	struct arrival_page *p = arena_alloc(t->arena, sizeof(*p));
	struct arrival_page **first = parent == NULL ? &t->first : &parent->first;
	struct arrival_page **last = parent == NULL ? &t->last : &parent->last;

	*p = (struct arrival_page){ .kind = kind, .parent = parent, .title = title };
	if (*last == NULL)
		*first = p;
	else
		(*last)->next = p;
	*last = p;
	*t->made_end = p;
	t->made_end = &p->after;
	t->page_count++;
	return p;
}

struct arrival_page *
arrival_add_file(struct arrival *t, struct arrival_page *parent, struct arrival_file *f, const char *label,
    const char *table, size_t line)
{
	struct arrival_page *p;

	if (f->page != NULL) {
		/*
		 * A file has one page. A second entry of the table of contents for the same file
		 * becomes a link to the page.
		 */
		p = arrival_add(t, parent, ARRIVAL_LINK, label != NULL ? label : title_from_name(t->arena, path_name(f->path)));
		p->target = arena_printf(t->arena, "/%.*s", (int)f->path.n, f->path.p);
		arrival_warn(t, str_of(table), line, "\"%.*s\" is listed twice; the second time it is a link", (int)f->path.n,
		    f->path.p);
		return NULL;
	}
	p = arrival_add(t, parent, ARRIVAL_PAGE, NULL);
	p->file = f;
	p->label = label;
	f->page = p;
	return p;
}

struct str
page_source(const struct arrival_page *p)
{
	return p->file != NULL ? p->file->path : str_of(p->title != NULL ? p->title : p->label != NULL ? p->label : "");
}

void
arrival_name(struct arrival *t, struct arrival_page *p, const char *name)
{
	struct str key = str_of(utf8_lower(t->arena, str_of(name)));

	/* If two pages have the same name, the name is not used. */
	if (!map_add(t->names, key, p) && map_get(t->names, key) != p)
		*map_at(t->names, key) = NULL;
}

struct arrival_page *
arrival_named(const struct arrival *t, struct arena *scratch, struct str name)
{
	return map_get(t->names, str_of(utf8_lower(scratch, name)));
}

static void
push_address(struct arena *a, struct arrival_address **list, const char *path)
{
	struct arrival_address *x = arena_alloc(a, sizeof(*x));

	*x = (struct arrival_address){ *list, path };
	*list = x;
}

void
arrival_moved(struct arrival *t, struct arrival_page *p, const char *address)
{
	push_address(t->arena, &p->old, address);
}

void
arrival_base(struct arrival *t, struct arrival_page *p, struct str folder)
{
	const struct arrival_address *x;

	for (x = p->bases; x != NULL; x = x->next)
		if (str_is(folder, x->path))
			return;
	push_address(t->arena, &p->bases, arena_strndup(t->arena, folder.p, folder.n));
}

void
arrival_redirect(struct arrival *t, const char *from, const char *to)
{
	struct arrival_redirect *r = arena_alloc(t->arena, sizeof(*r));

	*r = (struct arrival_redirect){ NULL, from, to };
	*t->redirects_end = r;
	t->redirects_end = &r->next;
}

void
arrival_tag(struct arrival *t, struct arrival_page *p, struct str label)
{
	const char *slug = slug_from_title(t->arena, label);
	const struct arrival_address *x;

	for (x = p->tags; x != NULL; x = x->next)
		if (strcmp(x->path, slug) == 0)
			return;
	map_add(t->tags, str_of(slug), arena_strndup(t->arena, label.p, label.n));
	push_address(t->arena, &p->tags, slug);
}

char *
title_from_name(struct arena *a, struct str name)
{
	struct str stem = str_trim(path_stem(name));
	char *out = arena_strndup(a, stem.p, stem.n);
	size_t i;

	for (i = 0; out[i] != '\0'; i++)
		if (out[i] == '-' || out[i] == '_')
			out[i] = ' ';
	if (islower((unsigned char)out[0]))
		out[0] = (char)toupper((unsigned char)out[0]);
	return *out == '\0' ? arena_strdup(a, "Page") : out;
}

/* ---- trees of folders ---- */

/* How well a file serves as the index of its folder: 0 not at all, otherwise the lower the better. */
static int
index_rank(struct str name)
{
	static const char *const names[] = { "index.md", "README.md", "_index.md", "index.mdx", "README.mdx", "index.markdown" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (name.n == strlen(names[i]) && path_ends(name, names[i]))
			return (int)i + 1;
	return 0;
}

/* The index of a folder; NULL: there is none, or it has a page already. */
static struct arrival_file *
folder_index(struct arrival *t, const char *folder)
{
	struct arrival_file *f, *best = NULL;
	int rank, least = 100;

	for (f = source_below(t, folder); f < t->files + t->file_count && path_is_below(f->path, folder); f++)
		if (str_is(path_folder(f->path), folder) && file_is_free(f) && (rank = index_rank(path_name(f->path))) != 0 && rank < least) {
			best = f;
			least = rank;
		}
	return best;
}

static bool
has_pages(const struct arrival *t, const char *folder)
{
	const struct arrival_file *f;

	for (f = source_below(t, folder); f < t->files + t->file_count && path_is_below(f->path, folder); f++)
		if (file_is_free(f))
			return true;
	return false;
}

/* The subfolder of `folder` that contains the path; NULL: the path is in `folder` itself. */
static char *
next_folder(struct arena *a, struct str path, const char *folder)
{
	size_t n = strlen(folder) + (*folder != '\0');
	const char *end = memchr(path.p + n, '/', path.n - n);

	return end == NULL ? NULL : arena_strndup(a, path.p, (size_t)(end - path.p));
}

/* A page, or a folder, of a folder. */
struct sibling {
	struct arrival_file *file;     /* NULL: a folder */
	const char          *folder;
	double               weight;
	const char          *name;
};

static int
sibling_order(const void *a, const void *b)
{
	const struct sibling *x = a, *y = b;

	return x->weight != y->weight ? (x->weight > y->weight) - (x->weight < y->weight) : strcmp(x->name, y->name);
}

static void
add_sub_folder(struct arrival *t, struct arrival_page *parent, const char *folder,
    double (*weight)(struct arrival *t, struct arrival_file *f))
{
	struct arrival_file *index, *beside = source_find(t, "%s.md", folder);
	struct arrival_page *p;
	struct str rel;

	if (!has_pages(t, folder))
		return;
	index = folder_index(t, folder);
	if (beside != NULL && (beside->page != NULL || file_is_free(beside)) && index == NULL) {
		/* "guide.md" beside the folder "guide". */
		p = beside->page != NULL ? beside->page : arrival_add_file(t, parent, beside, NULL, folder, 0);
	} else if (index != NULL) {
		p = arrival_add_file(t, parent, index, NULL, folder, 0);
	} else {
		p = arrival_add(t, parent, ARRIVAL_GROUP, title_from_name(t->arena, path_name(str_of(folder))));
		rel = path_relative(str_of(folder), t->root);
		p->path = arena_strndup(t->arena, rel.p, rel.n);
	}
	arrival_add_ordered(t, p, folder, weight);
}

static double
item_weight(struct arrival *t, struct arrival_file *f, double (*weight)(struct arrival *t, struct arrival_file *f))
{
	double found = f == NULL || weight == NULL ? 0 : weight(t, f);

	/* weight() may have read the file into this arena. */
	if (weight != NULL)
		arena_reset(t->scratch);
	return found;
}

void
arrival_add_ordered(struct arrival *t, struct arrival_page *parent, const char *folder,
    double (*weight)(struct arrival *t, struct arrival_file *f))
{
	size_t i = (size_t)(source_below(t, folder) - t->files), n = 0, room = 0;
	struct arrival_file *index = parent == NULL ? folder_index(t, folder) : NULL;
	struct sibling *list = NULL;
	const char *done = "";
	char *sub;

	if (index != NULL)
		arrival_add_file(t, parent, index, NULL, folder, 0);
	for (; i < t->file_count && path_is_below(t->files[i].path, folder); i++) {
		struct arrival_file *f = &t->files[i];
		if (!file_is_free(f))
			continue;
		sub = next_folder(t->arena, f->path, folder);
		if (sub != NULL && strcmp(sub, done) == 0)
			continue;
		list = arena_grow(t->arena, list, n, &room, sizeof(*list));
		if (sub == NULL)
			list[n++] = (struct sibling){ f, NULL, item_weight(t, f, weight), f->path.p };
		else
			list[n++] = (struct sibling){ NULL, sub, item_weight(t, folder_index(t, sub), weight), done = sub };
	}
	sort_list(list, n, sizeof(*list), sibling_order);
	for (i = 0; i < n; i++)
		if (list[i].file != NULL && list[i].file->page == NULL)
			arrival_add_file(t, parent, list[i].file, NULL, folder, 0);
		else if (list[i].file == NULL)
			add_sub_folder(t, parent, list[i].folder, weight);
}

void
arrival_add_folder(struct arrival *t, struct arrival_page *parent, const char *folder)
{
	arrival_add_ordered(t, parent, folder, NULL);
}

void
arrival_put_first(struct arrival *t, struct arrival_page *p)
{
	struct arrival_page *x;

	if (t->first == p)
		return;
	for (x = t->first; x->next != p; x = x->next)
		;
	x->next = p->next;
	if (t->last == p)
		t->last = x;
	p->next = t->first;
	t->first = p;
}

void
arrival_add_rest(struct arrival *t, const char *folder, const char *why)
{
	size_t i = (size_t)(source_below(t, folder) - t->files);
	struct arrival_page *p;

	for (; i < t->file_count && path_is_below(t->files[i].path, folder); i++) {
		struct arrival_file *f = &t->files[i];
		if (!file_is_free(f))
			continue;
		p = arrival_add_file(t, NULL, f, NULL, "", 0);
		if (index_rank(path_name(f->path)) != 0 && str_is(path_folder(f->path), folder)) {
			/* The first page of the site, which tables of contents often leave out. */
			arrival_put_first(t, p);
			continue;
		}
		p->hidden = p->last_resort = true;
		arrival_warn(t, f->path, 0, "%s; it is a hidden page", why);
	}
}
