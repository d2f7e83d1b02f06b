/*
 * Index of the entries below root: a range of the source's sorted entries, flags for each, and a
 * map of folded names. Warnings and failures are recorded here, too, since all code that reports
 * them has the index.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "layout_parts.h"
#include "base/mapped.h"
#include "base/utf8.h"

/*
 * A hostile repository may have a fault in each file: a list that people can read is kept, and the
 * rest is counted.
 */
enum { WARNINGS_MAX = 10000 };

/* ---- warnings and failure ------------------------------------------------- */

static void __attribute__((format(printf, 4, 0)))
warn_va(struct layout_index *x, const char *file, size_t line, const char *fmt, va_list ap)
{
	struct layout_warning *w;

	if (++x->out->warning_count > WARNINGS_MAX)
		return;
	w = arena_alloc(x->arena, sizeof(*w));
	/* The texts are not copied, because they are in the arena or constant. */
	w->file = file;
	w->line = line;
	w->message = arena_vprintf(x->arena, fmt, ap);
	if (x->out->warning_count == WARNINGS_MAX)
		w->message = "more warnings than are shown";
	if (x->last == NULL)
		x->out->warnings = w;
	else
		x->last->next = w;
	x->last = w;
}

/* Git allows any bytes in a name; messages show UTF-8 without control characters. */
static const char *
make_printable(struct arena *a, struct str s)
{
	struct buf b;
	uint32_t cp;
	size_t n;

	/* U+FFFD takes three bytes for one invalid byte. */
	buf_init(&b, a, s.n * 3);
	for (; s.n > 0; s = str_slice(s, n, s.n)) {
		n = utf8_next(s, &cp);
		if (n == 0 || cp < 0x20 || (cp >= 0x7F && cp < 0xA0))
			buf_utf8(&b, 0xFFFD);
		else
			buf_add(&b, s.p, n);
		/* Skip a byte that begins no character. */
		n += n == 0;
	}
	return b.p;
}

/* The path relative to the repository instead of root, for messages to the admin. */
static const char *
repository_path(struct layout_index *x, const char *rel)
{
	if (x->root.n == 0)
		return rel;
	return arena_printf(x->arena, "%.*s/%s", (int)x->root.n, x->root.p, rel);
}

void
layout_warn(struct layout_index *x, const char *file, size_t line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	warn_va(x, repository_path(x, file), line, fmt, ap);
	va_end(ap);
}

void
layout_warn_at(struct layout_index *x, const struct layout_entry *e, size_t line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	warn_va(x, make_printable(x->arena, e->path), line, fmt, ap);
	va_end(ap);
}

bool
layout_fail(struct layout_index *x, const char *file, const char *fmt, ...)
{
	va_list ap;

	/* Keep the first reason: later failures follow from it. */
	if (x->out->error != NULL)
		return false;
	va_start(ap, fmt);
	x->out->error = arena_vprintf(x->arena, fmt, ap);
	va_end(ap);
	x->out->error_file = file;
	return false;
}

/* ---- paths ---------------------------------------------------------------- */

struct str
layout_base(struct str path)
{
	size_t i = path.n;

	while (i > 0 && path.p[i - 1] != '/')
		i--;
	return str_slice(path, i, path.n);
}

/* Compare without ASCII case; the extensions are ASCII. */
static bool
ends_in(struct str s, const char *end)
{
	size_t n = strlen(end);

	return s.n >= n && strncasecmp(s.p + s.n - n, end, n) == 0;
}

bool
layout_is_readme(struct str path)
{
	struct str base = layout_base(path);

	return base.n == 9 && ends_in(base, "readme.md");
}

bool
layout_is_index(struct str path)
{
	struct str base = layout_base(path);

	return (base.n == 8 && ends_in(base, "index.md")) || (base.n == 9 && ends_in(base, "_index.md"));
}

/* A file named ".md" has no name to make a page of. */
bool
layout_is_markdown(struct str path)
{
	return ends_in(path, ".md") && layout_base(path).n > 3;
}

bool
layout_inside(const struct layout_index *x, const struct layout_entry *e)
{
	size_t n = layout_number(x, e);

	return n >= x->from && n < x->to;
}

/* For an entry outside root, returns its whole path. */
struct str
layout_rel(const struct layout_index *x, const struct layout_entry *e)
{
	return str_slice(e->path, x->root.n == 0 || !layout_inside(x, e) ? 0 : x->root.n + 1, e->path.n);
}

/*
 * Entries are one array: the index is the difference of pointers. flags, pages, assets and includes
 * use it.
 */
size_t
layout_number(const struct layout_index *x, const struct layout_entry *e)
{
	return (size_t)(e - x->src->entries);
}

/* Bytewise, the order of flattened git trees. */
static int
compare_bytes(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n == 0 ? 0 : memcmp(a.p, b.p, n);

	return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

/* Index of the first source entry that does not sort before the path. */
static size_t
lower_bound(const struct layout_source *src, struct str path)
{
	size_t lo = 0, hi = src->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare_bytes(src->entries[mid].path, path) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Entries below a directory are adjacent: from "dir/" up to "dir0", since "0" follows "/". */
void
layout_index_range(struct layout_index *x)
{
	char *dir;

	x->from = 0;
	x->to = x->src->count;
	if (x->root.n == 0)
		return;
	dir = arena_printf(x->arena, "%.*s/", (int)x->root.n, x->root.p);
	x->from = lower_bound(x->src, str_of(dir));
	dir[x->root.n] = '/' + 1;
	x->to = lower_bound(x->src, str_of(dir));
}

/*
 * Folds an ASCII path, which only needs lower case; a path in lower case is not copied. False for any
 * other path.
 */
static bool
fold_ascii(struct arena *a, struct str *s)
{
	bool upper = false;
	char *out;
	size_t i;

	for (i = 0; i < s->n; i++) {
		if ((unsigned char)s->p[i] >= 0x80)
			return false;
		upper |= s->p[i] >= 'A' && s->p[i] <= 'Z';
	}
	if (!upper)
		return true;
	out = arena_strndup(a, s->p, s->n);
	for (i = 0; i < s->n; i++)
		if (out[i] >= 'A' && out[i] <= 'Z')
			out[i] = (char)(out[i] - 'A' + 'a');
	s->p = out;
	return true;
}

/* Normalise (NFC) and fold case, so that names which differ only in these become equal. */
static struct str
fold_path(struct arena *a, struct str s)
{
	utf8proc_uint8_t *folded = NULL;
	utf8proc_ssize_t n;

	if (fold_ascii(a, &s))
		return s;
	n = utf8proc_map((const utf8proc_uint8_t *)(s.n == 0 ? "" : s.p), (utf8proc_ssize_t)s.n, &folded,
	    UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
	/* A name that cannot be folded is kept: it then equals only itself. */
	if (n >= 0)
		s = (struct str){ arena_strndup(a, (const char *)folded, (size_t)n), (size_t)n };
	/* utf8proc allocates with malloc(), and returns NULL on failure. */
	free(folded);
	return s;
}

/* ---- what is wrong with an entry ------------------------------------------ */

/*
 * Why a component is refused: git may store its name, but the name would be harmful in a work tree,
 * where an export may be checked out. NULL: it is acceptable.
 */
static const char *
component_fault(struct str c)
{
	if (c.n == 0 || str_is(c, ".") || str_is(c, ".."))
		return "the path has an empty, \".\" or \"..\" component";
	if (c.n == 4 && strncasecmp(c.p, ".git", 4) == 0)
		return "the path goes through a .git directory";
	return NULL;
}

/*
 * Reason to refuse this path; NULL if it is acceptable. A tree may contain names that git would not
 * check out.
 */
static const char *
path_fault(struct str path)
{
	const char *why = NULL;
	size_t i, start = 0;

	if (!utf8_valid(path))
		return "the name is not valid UTF-8";
	for (i = 0; i < path.n; i++) {
		if ((unsigned char)path.p[i] < 0x20 || path.p[i] == 0x7F)
			return "the name holds a control character";
		/* A backslash separates components on Windows, where "..\\x" would climb. */
		if (path.p[i] == '\\')
			return "the name holds a backslash";
	}
	for (i = 0; i <= path.n && why == NULL; i++) {
		if (i < path.n && path.p[i] != '/')
			continue;
		why = component_fault(str_slice(path, start, i));
		start = i + 1;
	}
	return why;
}

const char *
layout_unusable(const struct layout_entry *e)
{
	/* The blob of a symlink is a path, such as /etc/passwd, and no content. */
	if ((e->mode & 0170000) == 0120000)
		return "a symbolic link; it is not followed";
	if ((e->mode & 0170000) == 0160000)
		return "a submodule; it is not read";
	return path_fault(e->path);
}

/* The first file with a folded name, and whether a second file makes the name ambiguous. */
struct similar {
	const struct layout_entry *first;
	bool                       several;
};

static void
remember_folded(struct layout_index *x, const struct layout_entry *e)
{
	struct str rel = layout_rel(x, e);
	void **at = map_at(x->folded, fold_path(x->arena, rel));
	struct similar *s = *at;

	if (s == NULL) {
		*at = s = arena_alloc(x->arena, sizeof(*s));
		s->first = e;
		return;
	}
	s->several = true;
	layout_warn_at(x, e, 0, "the name differs from %.*s in case or composition alone",
	    (int)s->first->path.n, s->first->path.p);
}

/* True if some directory of the path has a value in the map. */
static bool
is_below_any(const struct map *dirs, struct str rel)
{
	size_t i;

	for (i = 0; i < rel.n; i++)
		if (rel.p[i] == '/' && map_get(dirs, str_slice(rel, 0, i)) != NULL)
			return true;
	return false;
}

/* One pass over the entries, for any number of directories: looks up each level of a path. */
static void
mark_below(struct layout_index *x, const struct map *dirs)
{
	size_t i;

	for (i = x->from; i < x->to; i++, mapped_trim())
		if (is_below_any(dirs, layout_rel(x, &x->src->entries[i])))
			x->flags[i] |= ENTRY_NESTED;
}

/* A directory that has its own .gitbook.yaml is a space of its own (layout 1). */
static void
mark_nested(struct layout_index *x)
{
	struct map *dirs = map_new(x->arena);
	size_t i, found = 0;

	for (i = x->from; i < x->to; i++, mapped_trim()) {
		struct str rel = layout_rel(x, &x->src->entries[i]), base = layout_base(rel);

		/* The file in root itself belongs to this space. */
		if (!str_is(base, ".gitbook.yaml") || base.n == rel.n)
			continue;
		*map_at(dirs, str_slice(rel, 0, rel.n - base.n - 1)) = x;
		found++;
	}
	if (found > 0)
		mark_below(x, dirs);
}

/* Unmarks all directories that contain a page, by setting their value to NULL. */
static void
unmark_above(struct map *dirs, struct str rel)
{
	size_t i;

	for (i = 0; i < rel.n; i++)
		if (rel.p[i] == '/' && map_has(dirs, str_slice(rel, 0, i)))
			*map_at(dirs, str_slice(rel, 0, i)) = NULL;
}

void
layout_index_books(struct layout_index *x)
{
	struct map *dirs = map_new(x->arena);
	const struct layout_page *p;
	size_t i, found = 0;

	for (i = x->from; i < x->to; i++, mapped_trim()) {
		struct str rel = layout_rel(x, &x->src->entries[i]), base = layout_base(rel), dir;

		if (!str_is(base, "SUMMARY.md") || base.n == rel.n)
			continue;
		dir = str_slice(rel, 0, rel.n - base.n - 1);
		if (layout_exact(x, str_of(arena_printf(x->arena, "%.*s/README.md", (int)dir.n, dir.p))) == NULL)
			continue;
		*map_at(dirs, dir) = x;
		found++;
	}
	if (found == 0)
		return;
	for (p = x->out->pages; p != NULL; p = p->next, mapped_trim())
		if (p->file != NULL)
			unmark_above(dirs, layout_rel(x, p->file));
	mark_below(x, dirs);
}

/*
 * One pass over the range, then the nested spaces. Arrays in the arena start zeroed: no flags, no
 * pages.
 */
bool
layout_index_build(struct layout_index *x)
{
	size_t i, n = x->src->count;

	layout_index_range(x);
	x->flags = arena_array(x->arena, n, sizeof(*x->flags));
	x->pages = arena_array(x->arena, n, sizeof(*x->pages));
	x->assets = arena_array(x->arena, n, sizeof(*x->assets));
	x->includes = arena_array(x->arena, n, sizeof(*x->includes));
	x->folded = map_new(x->arena);
	for (i = x->from; i < x->to; i++, mapped_trim()) {
		const struct layout_entry *e = &x->src->entries[i];
		const char *why = layout_unusable(e);

		/*
		 * A path that is too long fails the import: it cannot be shortened, since the
		 * result could be the path of another file.
		 */
		if (e->path.n > x->limits.path_bytes)
			return layout_fail(x, make_printable(x->arena, e->path),
			    "a path is longer than %zu bytes", x->limits.path_bytes);
		/*
		 * Only usable entries get a folded name, so that layout_similar() never returns
		 * others.
		 */
		if (why == NULL) {
			remember_folded(x, e);
			continue;
		}
		x->flags[i] |= ENTRY_UNUSABLE;
		layout_warn_at(x, e, 0, "left out: %s", why);
	}
	mark_nested(x);
	return true;
}

/* ---- looking up ----------------------------------------------------------- */

/* Bisects. All paths of the range share a prefix, so relative paths sort the same way. */
static const struct layout_entry *
bisect_entries(const struct layout_index *x, struct str rel)
{
	size_t lo = x->from, hi = x->to;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = compare_bytes(layout_rel(x, &x->src->entries[mid]), rel);

		if (c == 0)
			return &x->src->entries[mid];
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/*
 * Also finds entries of nested spaces: links may point there, and the caller checks what they became.
 * Looking in the map reads less memory than bisecting, which matters where the list is on disk.
 */
const struct layout_entry *
layout_exact(const struct layout_index *x, struct str rel)
{
	const struct similar *s = map_get(x->folded, fold_path(x->scratch, rel));
	const struct layout_entry *e = s == NULL ? NULL : s->several ? bisect_entries(x, rel) : s->first;

	return e == NULL || !str_eq(layout_rel(x, e), rel) || (x->flags[layout_number(x, e)] & ENTRY_UNUSABLE) != 0 ? NULL : e;
}

const struct layout_entry *
layout_plain_file(const struct layout_index *x, struct str rel)
{
	const struct layout_entry *e = bisect_entries(x, rel);

	return e == NULL || layout_unusable(e) != NULL ? NULL : e;
}

const struct layout_entry *
layout_anywhere(const struct layout_index *x, struct str path)
{
	struct layout_index whole = *x;

	whole.root = STR("");
	layout_index_range(&whole);
	return layout_plain_file(&whole, path);
}

/* For an ambiguous name returns NULL: a choice would depend on the order of the files. */
const struct layout_entry *
layout_similar(const struct layout_index *x, struct str rel)
{
	const struct similar *s = map_get(x->folded, fold_path(x->scratch, rel));

	return s == NULL || s->several ? NULL : s->first;
}

int64_t
layout_size(const struct layout_index *x, const struct layout_entry *e)
{
	return e->size != LAYOUT_UNASKED || x->src->size == NULL ? e->size : x->src->size(x->src->ctx, e);
}

/* Checks the size before it reads: a file that is too large is never in memory. */
bool
layout_load(struct layout_index *x, struct arena *a, const struct layout_entry *e, int64_t max, struct str *bytes)
{
	bool fits = layout_size(x, e) <= max;
	const char *file;

	if (fits && x->src->read(x->src->ctx, a, e, bytes))
		return true;
	file = make_printable(x->arena, e->path);
	return fits ? layout_fail(x, file, "%s cannot be read", file) :
	    layout_fail(x, file, "%s is larger than %lld bytes", file, (long long)max);
}

struct filled_file {
	struct layout_index       *x;
	const struct layout_entry *e;
};

static void
warn_unknown(void *ctx, size_t line, const char *text)
{
	struct filled_file *f = ctx;

	if (line == 0)
		layout_warn_at(f->x, f->e, 0, "with the variables of book.json the text is larger than %lld bytes; they stay as they are",
		    (long long)f->x->limits.page_bytes);
	else
		layout_warn_at(f->x, f->e, line, "%s names no variable of book.json, and stays as it is", text);
}

struct str
layout_fill(struct layout_index *x, struct arena *a, const struct layout_entry *e, struct str bytes, bool warn)
{
	struct filled_file f = { x, e };

	return book_fill(a, x->book, bytes, (size_t)x->limits.page_bytes, warn ? warn_unknown : NULL, &f);
}

bool
layout_load_text(struct layout_index *x, struct arena *a, const struct layout_entry *e, int64_t max, struct str *bytes)
{
	if (!layout_load(x, a, e, max, bytes))
		return false;
	*bytes = layout_fill(x, a, e, *bytes, true);
	return true;
}
