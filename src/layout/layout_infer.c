/*
 * Pages of a space without a SUMMARY.md (layout 3.13): a page for each Markdown file, in the order
 * of paths, README.md first.
 *
 * The page of a directory is its README.md. Without one it is the index.md or _index.md that other
 * generators (MkDocs, Docusaurus, Hugo) put there; without these it is the file beside the
 * directory that has the same name. A directory without any of these is a group at the top level,
 * and an empty page below it. An index.md has the path of its file, as any other page. Titles:
 * layout_page_file().
 */
#include <string.h>

#include "base/mapped.h"
#include "base/slug.h"
#include "layout_parts.h"

/* The entries below one directory, a range of the sorted list. */
struct run {
	size_t from, to;
};

/*
 * A directory being read. The first n bytes of each entry's path are the directory's path with its
 * slash.
 */
struct dir {
	struct run          run;
	size_t              n;
	struct layout_page *parent;
	size_t              depth;
};

/* An item of a directory: a file, a directory, or both (x.md and x/, if x/README.md is missing). */
struct child {
	struct child              *next;
	struct str                 name;    /* of the directory; of the file if there is no directory */
	const struct layout_entry *file;    /* its page; NULL if a directory has none */
	struct run                 run;     /* empty: no directory */
	bool                       is_file; /* name is the file's, with its extension */
};

/* True for hidden files and directories and for the packages of a generator, which contain no pages. */
static bool
is_skipped_component(struct str c)
{
	return (c.n > 0 && c.p[0] == '.') || str_is(c, "node_modules");
}

/* Files of legacy books that are not pages. */
static bool
is_book_file(struct str rel)
{
	static const char *const names[] = { "SUMMARY.md", "LANGS.md", "GLOSSARY.md" };
	struct str base = layout_base(rel);
	size_t i;

	for (i = 0; i < 3; i++)
		if (base.n == strlen(names[i]) && strncasecmp(base.p, names[i], base.n) == 0)
			return i == 0 || base.n == rel.n;
	return false;
}

/* True for Markdown that becomes a page: no hidden component, not part of a nested space. */
static bool
is_page(const struct layout_index *x, size_t i)
{
	struct str rel = layout_rel(x, &x->src->entries[i]);
	size_t at, start = 0;

	if ((x->flags[i] & (ENTRY_UNUSABLE | ENTRY_NESTED)) != 0 || !layout_is_markdown(rel)
	    || is_book_file(rel))
		return false;
	for (at = 0; at <= rel.n; at++) {
		if (at < rel.n && rel.p[at] != '/')
			continue;
		if (is_skipped_component(str_slice(rel, start, at)))
			return false;
		start = at + 1;
	}
	return true;
}

/*
 * Rank of a file as the page of the directory whose path has n bytes: 3 for README.md, 2 for
 * index.md, 1 for _index.md (in any case), 0 for other files.
 */
static int
directory_page_rank(struct str rel, size_t n)
{
	struct str name = str_slice(rel, n, rel.n);

	if (layout_base(name).n < name.n)
		return 0;
	if (layout_is_readme(name))
		return 3;
	return !layout_is_index(name) ? 0 : name.p[0] == '_' ? 1 : 2;
}

/*
 * The page of the directory whose path has n bytes, or NULL. *pages: whether the directory contains
 * any page.
 */
static const struct layout_entry *
directory_page(const struct layout_index *x, struct run run, size_t n, bool *pages)
{
	const struct layout_entry *found = NULL;
	int best = 0, good;
	size_t i;

	*pages = false;
	for (i = run.from; i < run.to; i++, mapped_trim()) {
		if (!is_page(x, i))
			continue;
		*pages = true;
		good = directory_page_rank(layout_rel(x, &x->src->entries[i]), n);
		if (good <= best)
			continue;
		best = good;
		found = &x->src->entries[i];
	}
	return found;
}

const struct layout_entry *
layout_infer_first(const struct layout_index *x)
{
	bool pages;

	return directory_page(x, (struct run){ x->from, x->to }, 0, &pages);
}

/* Adds the page of a file. NULL if a limit is exceeded or the file cannot be read. */
static struct layout_page *
add_document(struct layout_builder *b, const struct layout_entry *e, struct layout_page *parent)
{
	struct layout_page *p = layout_page_add(b, LAYOUT_DOCUMENT, parent);

	return p != NULL && layout_page_file(b, p, e, NULL) ? p : NULL;
}

/* Adds the group or empty page of a directory that has no page of its own. */
static struct layout_page *
add_folder(struct layout_builder *b, struct str name, struct layout_page *parent)
{
	struct layout *out = b->x->out;
	/* Groups exist only at the top level (layout 3.2). */
	bool group = parent == NULL;
	struct layout_page *p = layout_page_add(b, group ? LAYOUT_GROUP : LAYOUT_DOCUMENT, parent);

	if (p == NULL)
		return NULL;
	layout_page_title(b, p, layout_pretty(b->x->arena, name));
	p->slug = slug_from_title(b->x->arena, name);
	out->groups += group;
	out->empty += !group;
	return p;
}

/*
 * Range of the entries from i on that lie below the directory whose path, slash included, has n
 * bytes.
 */
static struct run
range_below(const struct layout_index *x, const struct dir *d, size_t i, size_t n)
{
	struct str dir = str_slice(layout_rel(x, &x->src->entries[i]), 0, n);
	struct run run = { i, i };

	for (; run.to < d->run.to; mapped_trim()) {
		struct str rel = layout_rel(x, &x->src->entries[run.to]);

		if (rel.n < n || memcmp(rel.p, dir.p, n) != 0)
			break;
		run.to++;
	}
	return run;
}

/* Appends a child; this keeps the order of paths. */
static struct child *
add_child(struct layout_index *x, struct child ***tail, struct str name, const struct layout_entry *file,
    bool is_file)
{
	struct child *c = arena_alloc(x->arena, sizeof(*c));

	c->name = name;
	c->file = file;
	c->is_file = is_file;
	**tail = c;
	*tail = &c->next;
	return c;
}

/*
 * Adds a directory, unless it contains no page. If it has no page of its own (no README.md), and
 * the parent directory has a file of the same name, both become one item.
 */
static void
add_directory(struct layout_index *x, struct child ***tail, const struct map *files, struct str name,
    struct run run, size_t n)
{
	bool pages;
	const struct layout_entry *page = directory_page(x, run, n, &pages);
	struct child *beside = page != NULL ? NULL : map_get(files, name);

	if (!pages)
		return;
	if (beside == NULL)
		beside = add_child(x, tail, name, page, false);
	beside->run = run;
}

/* List the items of a directory in order, without the directory's own page. */
static struct child *
list_children(struct layout_index *x, const struct dir *d)
{
	struct map *files = map_new(x->arena);
	struct child *first = NULL, **tail = &first;
	size_t i = d->run.from;

	while (i < d->run.to) {
		const struct layout_entry *e = &x->src->entries[i];
		struct str rel = layout_rel(x, e), name = str_slice(rel, d->n, rel.n);
		const char *slash = memchr(name.p, '/', name.n);
		struct run run = { i, i + 1 };

		if (slash != NULL) {
			/* "." sorts before "/", so x.md was seen before x/. */
			size_t n = d->n + (size_t)(slash - name.p) + 1;

			run = range_below(x, d, i, n);
			add_directory(x, &tail, files, str_slice(rel, d->n, n - 1), run, n);
		} else if (is_page(x, i) && x->pages[i] == NULL && !layout_is_readme(name)) {
			map_add(files, str_slice(name, 0, name.n - 3), add_child(x, &tail, name, e, true));
		}
		i = run.to;
	}
	return first;
}

static bool infer_dir(struct layout_builder *b, const struct dir *d);

static bool
infer_child(struct layout_builder *b, const struct dir *d, const struct child *c)
{
	struct layout_index *x = b->x;
	/* layout_infer() has already added the first page: skip it here. */
	struct dir below = { c->run, 0, NULL, d->depth + 1 };

	if (c->file != NULL && x->pages[layout_number(x, c->file)] != NULL)
		below.parent = x->pages[layout_number(x, c->file)];
	else
		below.parent = c->file != NULL ? add_document(b, c->file, d->parent)
		    : add_folder(b, c->name, d->parent);
	if (below.parent == NULL)
		return false;
	if (c->run.from == c->run.to)
		return true;
	/* The child's name is that of x.md: the directory's name is shorter by ".md". */
	below.n = d->n + c->name.n + 1 - (c->is_file ? 3 : 0);
	/* One level of recursion per directory level: the limit bounds the stack. */
	if (below.depth <= x->limits.depth)
		return infer_dir(b, &below);
	layout_warn(x, x->src->entries[c->run.from].path.p, 0,
	    "directories are nested more than %zu levels deep; the pages below this one are left out", x->limits.depth);
	return true;
}

static bool
infer_dir(struct layout_builder *b, const struct dir *d)
{
	const struct child *c;

	for (c = list_children(b->x, d); c != NULL; c = c->next)
		if (!infer_child(b, d, c))
			return false;
	return true;
}

bool
layout_infer(struct layout_builder *b, const struct layout_entry *readme)
{
	struct dir top = { .run = { b->x->from, b->x->to } };

	if (readme != NULL && add_document(b, readme, NULL) == NULL)
		return false;
	return infer_dir(b, &top);
}
