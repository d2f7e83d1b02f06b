/*
 * The files of the layout, as the import reads them. The bytes of pages and their line numbers are in two
 * scratch files, so that memory does not grow with them. Other files are not copied, and are read at
 * their original place. Contract: arrival.h, write_parts.h.
 *
 * A source may have hundreds of thousands of files, and the import has lists of its own. So only this
 * list remains of a source: the tree is freed before the import begins.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/mapped.h"
#include "base/secret.h"
#include "base/sort.h"
#include "write_parts.h"

/* What an entry of the layout was made of. */
struct origin {
	const char *source;       /* path in the source, or the title of a page without a file; NULL: the writer made it */
	int64_t     at;           /* ms of its last change; 0: unknown */
	int64_t     from, lines;  /* as in struct item; from: of an unchanged file, its number (struct arrival_file) */
	uint32_t    line_count;
	bool        unchanged;    /* it is a file of the source */
};

struct written {
	const char          *place, *table;   /* of struct arrival; table: or the name of the source */
	struct layout_entry *entries;         /* sorted by path, bytewise */
	struct origin       *origins;         /* in the same order */
	size_t               count;
	int                  pages, lines;    /* descriptors of scratch files: bytes of pages, and line numbers (uint32_t) */
	int64_t              page_bytes, line_bytes;
	char                 commit[41];
};

/* ---- scratch files ---- */

static void
close_files(void *written)
{
	struct written *w = written;

	close(w->pages);
	close(w->lines);
}

static bool
disk_failed(struct arrival *t)
{
	t->broken = true;
	t->error = arena_printf(t->kept, "the scratch folder cannot be written: %s", strerror(errno));
	return false;
}

static int
open_scratch(struct arrival *t, const char *scratch, const char *name)
{
	return open(arena_printf(t->scratch, "%s/%s", scratch, name), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

struct written *
written_new(struct arrival *t, const char *scratch)
{
	struct written *w = arena_alloc(t->kept, sizeof(*w));

	w->pages = open_scratch(t, scratch, "pages");
	w->lines = open_scratch(t, scratch, "lines");
	arena_on_end(t->kept, close_files, w);
	if (w->pages >= 0 && w->lines >= 0)
		return w;
	disk_failed(t);
	return NULL;
}

static bool
write_all(int fd, const void *p, size_t n, int64_t at)
{
	ssize_t got;

	for (; n > 0; n -= (size_t)got, p = (const char *)p + got, at += got)
		if ((got = pwrite(fd, p, n, at)) <= 0)
			return false;
	return true;
}

bool
written_spool(struct written *w, struct arrival *t, struct item *i, struct str bytes, const uint32_t *numbers, size_t n)
{
	i->from = w->page_bytes;
	i->lines = w->line_bytes;
	i->line_count = n;
	if (!write_all(w->pages, bytes.p, bytes.n, w->page_bytes) ||
	    !write_all(w->lines, numbers, n * sizeof(*numbers), w->line_bytes))
		return disk_failed(t);
	w->page_bytes += (int64_t)bytes.n;
	w->line_bytes += (int64_t)(n * sizeof(*numbers));
	return true;
}

/* ---- the list ---- */

static int
item_order(const void *x, const void *y)
{
	return path_order(((const struct item *)x)->entry.path, ((const struct item *)y)->entry.path);
}

static struct origin
origin_of(struct arena *a, const struct item *i)
{
	const struct arrival_file *f = i->page != NULL ? i->page->file : i->file;
	struct origin o = { .from = i->from, .lines = i->lines, .line_count = (uint32_t)i->line_count, .unchanged = i->file != NULL };

	if (f != NULL)
		o.source = arena_strndup(a, f->path.p, f->path.n);
	else if (i->page != NULL)
		o.source = arena_strdup(a, i->page->shown);
	if (i->file != NULL)
		o.from = f->number;
	o.at = i->page != NULL && i->page->at != 0 ? i->page->at : f != NULL ? f->at : 0;
	return o;
}

/* The path of an entry; it is often the end of its path in the source, which is then not copied again. */
static struct str
entry_path(struct arena *a, struct str path, const char *source)
{
	size_t n = source == NULL ? 0 : strlen(source);

	return n >= path.n && memcmp(source + n - path.n, path.p, path.n) == 0 ? (struct str){ source + n - path.n, path.n } :
	    (struct str){ arena_strndup(a, path.p, path.n), path.n };
}

/* The hash of all files serves as the commit id. */
static void
set_commit(struct written *w, struct arena *scratch)
{
	struct hasher *h = hasher_new(scratch);
	unsigned char hash[HASH_BYTES];
	size_t i;

	hasher_begin(h);
	for (i = 0; i < w->count; i++, mapped_trim()) {
		const struct layout_entry *e = &w->entries[i];

		hasher_add(h, e->path.p, e->path.n);
		hasher_add(h, "\n", 1);
		hasher_add(h, e->oid, strlen(e->oid));
		hasher_add(h, "\n", 1);
	}
	hasher_end(h, hash);
	memcpy(w->commit, hex(scratch, (struct str){ (const char *)hash, HASH_BYTES }), 40);
}

void
written_close(struct written *w, struct arrival *t, struct item *items, size_t n)
{
	struct arena *a = t->kept;
	size_t i;

	sort_list(items, n, sizeof(*items), item_order);
	w->place = arena_strdup(a, t->place);
	w->table = arena_strdup(a, t->table != NULL ? t->table : t->name);
	w->entries = arena_array(a, n + 1, sizeof(*w->entries));
	w->origins = arena_array(a, n + 1, sizeof(*w->origins));
	w->count = n;
	for (i = 0; i < n; i++, mapped_trim()) {
		w->origins[i] = origin_of(a, &items[i]);
		w->entries[i] = items[i].entry;
		w->entries[i].path = entry_path(a, items[i].entry.path, w->origins[i].source);
	}
	set_commit(w, t->scratch);
}

/* ---- for the import ---- */

static int
entry_order(const void *x, const void *y)
{
	return path_order(((const struct layout_entry *)x)->path, ((const struct layout_entry *)y)->path);
}

/* The number of the entry with this path; -1: there is none. */
static ptrdiff_t
find_entry(const struct written *w, struct str path)
{
	const struct layout_entry key = { .path = path }, *e = find_sorted(&key, w->entries, w->count, sizeof(*w->entries), entry_order);

	return e == NULL ? -1 : e - w->entries;
}

static bool
read_entry(void *ctx, struct arena *a, const struct layout_entry *e, struct str *out)
{
	const struct written *w = ctx;
	const struct origin *o = &w->origins[e - w->entries];
	size_t n = (size_t)e->size;
	const char *why;
	char *p;

	assert(e >= w->entries && e < w->entries + w->count);
	if (o->unchanged)
		return source_load(a, w->place, o->from, o->source, (int64_t)n, out, &why);
	p = arena_bytes(a, n + 1);
	p[n] = '\0';
	*out = (struct str){ p, n };
	return pread(w->pages, p, n, o->from) == (ssize_t)n;
}

struct layout_source
written_source(struct written *w)
{
	return (struct layout_source){ .entries = w->entries, .count = w->count, .read = read_entry, .ctx = w };
}

const char *
written_commit(const struct written *w)
{
	return w->commit;
}

const char *
written_locate(void *written, const char *file, size_t *line)
{
	struct written *w = written;
	ptrdiff_t k = find_entry(w, str_of(file));
	const struct origin *o = &w->origins[k < 0 ? 0 : k];
	uint32_t at = 0;

	if (k < 0)
		return file;
	if (o->unchanged)
		return o->source;
	if (*line > 0 && *line <= o->line_count &&
	    pread(w->lines, &at, sizeof(at), o->lines + (int64_t)((*line - 1) * sizeof(at))) != sizeof(at))
		at = 0;
	*line = at;
	/* The lines of generated files are of no file of the source; the table of contents is the nearest. */
	return o->source != NULL ? o->source : w->table;
}

int64_t
written_dated(void *written, const struct layout_entry *e)
{
	const struct written *w = written;

	return w->origins[e - w->entries].at;
}
