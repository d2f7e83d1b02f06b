/* The files of a source: they are listed once, and each is read when it is needed. Contract: arrival.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arrival.h"
#include "arrive/foreign.h"
#include "base/file.h"
#include "base/sort.h"
#include "base/utf8.h"

enum { FOLDER_DEPTH = 64 };

/* ---- paths ---- */

bool
path_ends(struct str path, const char *end)
{
	size_t n = strlen(end);

	return path.n >= n && strncasecmp(path.p + path.n - n, end, n) == 0;
}

struct str
path_name(struct str path)
{
	size_t i = path.n;

	while (i > 0 && path.p[i - 1] != '/')
		i--;
	return str_slice(path, i, path.n);
}

char *
path_of_title(struct arena *a, struct str title)
{
	char *name = arena_strndup(a, title.p, title.n), *c;

	for (c = name; *c != '\0'; c++)
		if (*c == '/' || *c == '\\' || (unsigned char)*c < ' ')
			*c = '-';
	return name[strspn(name, ". ")] != '\0' ? name : NULL;
}

struct str
path_folder(struct str path)
{
	size_t i = path.n;

	while (i > 0 && path.p[i - 1] != '/')
		i--;
	return str_slice(path, 0, i > 0 ? i - 1 : 0);
}

struct str
path_stem(struct str path)
{
	size_t i = path.n;

	while (i > 0 && path.p[i - 1] != '.' && path.p[i - 1] != '/')
		i--;
	return i > 1 && path.p[i - 1] == '.' && path.p[i - 2] != '/' ? str_slice(path, 0, i - 1) : path;
}

bool
path_is_below(struct str path, const char *folder)
{
	size_t n = strlen(folder);

	return n == 0 || (path.n > n && memcmp(path.p, folder, n) == 0 && path.p[n] == '/');
}

struct str
path_relative(struct str path, const char *folder)
{
	size_t n = strlen(folder);

	if (n == 0)
		return path;
	return str_is(path, folder) ? str_slice(path, n, n) : path_is_below(path, folder) ? str_slice(path, n + 1, path.n) : path;
}

bool
path_is_in(const char *folder, const char *root)
{
	return strcmp(folder, root) == 0 || path_is_below(str_of(folder), root);
}

struct str
path_part(struct str *path)
{
	const char *end = path->n == 0 ? NULL : memchr(path->p, '/', path->n);
	struct str part = end == NULL ? *path : str_slice(*path, 0, (size_t)(end - path->p));

	*path = str_slice(*path, end == NULL ? path->n : part.n + 1, path->n);
	return part;
}

int
path_order(struct str a, struct str b)
{
	int c = a.n == 0 || b.n == 0 ? 0 : memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);

	return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

bool
path_is_markdown(struct str path)
{
	return path_ends(path, ".md") || path_ends(path, ".mdx") || path_ends(path, ".markdown");
}

struct str
path_fold(struct arena *a, struct str path)
{
	size_t i;

	for (i = 0; i < path.n; i++)
		if ((path.p[i] >= 'A' && path.p[i] <= 'Z') || (unsigned char)path.p[i] >= 0x80)
			return str_of(utf8_lower(a, path));
	return path;
}

bool
file_is_free(const struct arrival_file *f)
{
	return path_is_markdown(f->path) && f->page == NULL && !f->part && !f->attached;
}

const char *
path_join(struct arena *a, struct str folder, struct str path)
{
	char *out = arena_bytes(a, folder.n + path.n + 2);
	size_t n = 0;

	if (folder.n > 0 && (path.n == 0 || path.p[0] != '/')) {
		memcpy(out, folder.p, folder.n);
		n = folder.n;
	}
	while (path.n > 0) {
		struct str part = path_part(&path);

		if (part.n == 0 || str_is(part, "."))
			continue;
		if (str_is(part, "..")) {
			if (n == 0)
				return NULL;
			while (n > 0 && out[n - 1] != '/')
				n--;
			n -= n > 0;
			continue;
		}
		if (n > 0)
			out[n++] = '/';
		memcpy(out + n, part.p, part.n);
		n += part.n;
	}
	out[n] = '\0';
	return out;
}

/* ---- the list ---- */

static int
file_order(const void *x, const void *y)
{
	return path_order(((const struct arrival_file *)x)->path, ((const struct arrival_file *)y)->path);
}

/* Sorts the list and makes the maps. If two files have the same path, the first is used. */
static void
index_files(struct arrival *t)
{
	size_t i, n = 0;
	void **at;

	sort_list(t->files, t->file_count, sizeof(*t->files), file_order);
	t->by_path = map_new(t->arena);
	t->by_fold = map_new(t->arena);
	for (i = 0; i < t->file_count; i++) {
		if (n > 0 && str_eq(t->files[n - 1].path, t->files[i].path)) {
			arrival_warn(t, t->files[i].path, 0, "the source has two files of this name; the second is left out");
			continue;
		}
		t->files[n++] = t->files[i];
	}
	t->file_count = n;
	for (i = 0; i < n; i++) {
		struct str low = path_fold(t->arena, t->files[i].path);

		map_add(t->by_path, t->files[i].path, &t->files[i]);
		/* If paths differ only in case, a look-up that ignores case finds none of them: NULL. */
		at = map_has(t->by_fold, low) ? NULL : map_at(t->by_fold, low);
		if (at != NULL)
			*at = &t->files[i];
		else
			*map_at(t->by_fold, low) = NULL;
	}
}

struct listing {
	struct arrival *t;
	size_t          room;
	size_t          depth;
	size_t          above;   /* bytes of t->place and its slash, which precede the paths of a folder */
};

/* Why a file with this name cannot be imported; NULL: it can. */
static const char *
name_fault(const char *path)
{
	size_t i;

	if (strlen(path) > ARRIVAL_PATH)
		return "the path is too long; left out";
	if (!utf8_valid(str_of(path)))
		return "the name is no UTF-8; left out";
	for (i = 0; path[i] != '\0'; i++)
		if ((unsigned char)path[i] < ' ' || path[i] == 0x7f || path[i] == '\\')
			return "the name has a control character or a backslash; left out";
	return NULL;
}

/* A time of a file in ms; 0: unknown, or outside of 1970 to 9999 (archives may contain any number). */
static int64_t
file_time(int64_t seconds)
{
	return seconds > 0 && seconds < INT64_C(253402300800) ? seconds * 1000 : 0;
}

static void
keep_file(struct listing *l, const char *path, int64_t number, int64_t size, int64_t seconds)
{
	struct arrival *t = l->t;
	const char *fault = name_fault(path);

	if (fault != NULL) {
		arrival_warn(t, str_of(path), 0, "%s", fault);
		return;
	}
	t->files = arena_grow(t->arena, t->files, t->file_count, &l->room, sizeof(*t->files));
	t->files[t->file_count++] = (struct arrival_file){ .path = str_of(path), .number = number, .size = size, .at = file_time(seconds) };
}

static bool list_folder(struct listing *l, const char *disk);

static bool
list_entry(struct listing *l, const char *disk, const char *name)
{
	struct arrival *t = l->t;
	const char *at = arena_printf(t->arena, "%s/%s", disk, name), *sub = at + l->above;
	struct stat st;

	if (path_is_foreign(str_of(name)))
		return true;
	if (lstat(at, &st) != 0) {
		arrival_warn(t, str_of(sub), 0, "%s; left out", strerror(errno));
		return true;
	}
	if (S_ISDIR(st.st_mode))
		return list_folder(l, at);
	if (!S_ISREG(st.st_mode)) {
		arrival_warn(t, str_of(sub), 0, S_ISLNK(st.st_mode) ? "a symbolic link; links are not followed, and it is left out" :
		    "neither a file nor a folder; left out");
		return true;
	}
	if (t->file_count >= ARRIVAL_FILES) {
		t->error = arena_printf(t->arena, "more than %d files", ARRIVAL_FILES);
		return false;
	}
	keep_file(l, sub, -1, st.st_size, (int64_t)st.st_mtim.tv_sec);
	return true;
}

static bool
list_folder(struct listing *l, const char *disk)
{
	DIR *d = l->depth >= FOLDER_DEPTH ? NULL : opendir(disk);
	const char *path = l->depth == 0 ? "" : disk + l->above;
	const struct dirent *e;
	bool ok = true;

	if (d == NULL) {
		arrival_warn(l->t, str_of(path), 0, "%s; left out", l->depth >= FOLDER_DEPTH ? "too many folders within folders" :
		    strerror(errno));
		return true;
	}
	l->depth++;
	while (ok && (errno = 0, e = readdir(d)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			ok = list_entry(l, disk, e->d_name);
	if (ok && errno != 0)
		arrival_warn(l->t, str_of(path), 0, "%s; the rest of the folder is left out", strerror(errno));
	l->depth--;
	closedir(d);
	return ok;
}

bool
source_folder(struct arrival *t, const char *path)
{
	struct listing l = { .t = t, .above = strlen(path) + 1 };

	t->place = path;
	if (!list_folder(&l, path))
		return false;
	index_files(t);
	return true;
}

/* ---- archives ---- */

/*
 * Reads a line of the list that octavo-unpack wrote: number, size, time in seconds, path; or '!', the
 * name of a file that was left out, a tab, the reason. False: it is neither.
 */
static bool
take_listed(struct listing *l, char *line)
{
	long long v[3];
	char *end = line;
	size_t i;

	if (line[0] == '!' && (end = strchr(line, '\t')) != NULL) {
		arrival_warn(l->t, (struct str){ line + 1, (size_t)(end - line - 1) }, 0, "%s", end + 1);
		return true;
	}
	for (i = 0; i < 3; i++, line = end + 1) {
		v[i] = strtoll(line, &end, 10);
		if (end == line || *end != ' ')
			return false;
	}
	keep_file(l, arena_strdup(l->t->arena, line), v[0], v[1], v[2]);
	return true;
}

/*
 * Archives of repositories, and many others, have all files in one folder. Paths are then relative
 * to this folder, and its name is the title of a source that names none.
 */
static void
drop_top_folder(struct arrival *t)
{
	const char *slash = t->file_count == 0 ? NULL : memchr(t->files[0].path.p, '/', t->files[0].path.n);
	size_t n = slash == NULL ? 0 : (size_t)(slash - t->files[0].path.p), i;
	const char *folder = n == 0 ? NULL : arena_strndup(t->arena, t->files[0].path.p, n);

	for (i = 0; i < t->file_count && folder != NULL; i++)
		if (!path_is_below(t->files[i].path, folder))
			return;
	if (folder == NULL)
		return;
	for (i = 0; i < t->file_count; i++)
		t->files[i].path = str_slice(t->files[i].path, n + 1, t->files[i].path.n);
	t->name = folder;
}

bool
source_archive(struct arrival *t, const char *path, const char *scratch)
{
	struct listing l = { .t = t };
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	FILE *f = fopen(arena_printf(t->arena, "%s/list", scratch), "r");

	t->place = scratch;
	if (f == NULL) {
		t->error = arena_printf(t->arena, "%s: what was unpacked of it cannot be read: %s", path, strerror(errno));
		return false;
	}
	while (t->error == NULL && (n = getline(&line, &room, f)) > 0) {
		line[n - 1] = '\0';
		if (!take_listed(&l, line))
			t->error = arena_printf(t->arena, "%s: the list of what was unpacked is damaged", path);
	}
	if (t->error == NULL && ferror(f))
		t->error = arena_printf(t->arena, "%s: what was unpacked of it cannot be read: %s", path, strerror(errno));
	free(line);
	fclose(f);
	if (t->error != NULL)
		return false;
	drop_top_folder(t);
	index_files(t);
	return true;
}

/* ---- look-up and reading ---- */

struct arrival_file *
source_find(const struct arrival *t, const char *fmt, ...)
{
	char path[ARRIVAL_PATH + 2];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	return n < 0 || (size_t)n >= sizeof(path) ? NULL : map_get(t->by_path, (struct str){ path, (size_t)n });
}

struct arrival_file *
source_below(const struct arrival *t, const char *folder)
{
	struct str prefix = str_of(*folder == '\0' ? "" : arena_printf(t->arena, "%s/", folder));
	size_t low = 0, high = t->file_count;

	/* Find the first path that is not before the prefix: paths below the folder are consecutive. */
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		struct str p = t->files[mid].path;
		int c = memcmp(p.p, prefix.p, p.n < prefix.n ? p.n : prefix.n);
		if (c < 0 || (c == 0 && p.n < prefix.n))
			low = mid + 1;
		else
			high = mid;
	}
	return t->files + low;
}

/* Opens a file that is as large as it was when it was listed. -1: it is not, and *why says so. */
static int
open_listed(const char *disk, int64_t size, const char **why)
{
	/* O_NONBLOCK: a pipe that took the place of the file must not be waited for. */
	int fd = open(disk, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	*why = NULL;
	if (fd < 0 || fstat(fd, &st) != 0)
		*why = strerror(errno);
	else if (!S_ISREG(st.st_mode) || st.st_size != size)
		*why = "it was changed while the import ran";
	if (*why == NULL)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool
source_load(struct arena *a, const char *place, int64_t number, const char *path, int64_t size, struct str *out,
    const char **why)
{
	int fd = open_listed(number < 0 ? arena_printf(a, "%s/%s", place, path) :
	    arena_printf(a, "%s/%lld", place, (long long)number), size, why);
	ssize_t got = 1;
	size_t n = 0;
	char *p;

	if (fd < 0)
		return false;
	p = arena_bytes(a, (size_t)size + 1);
	while (n < (size_t)size && ((got = read(fd, p + n, (size_t)size - n)) > 0 || (got < 0 && errno == EINTR)))
		n += got > 0 ? (size_t)got : 0;
	*why = got < 0 ? strerror(errno) : "it was changed while the import ran";
	close(fd);
	p[n] = '\0';
	*out = (struct str){ p, n };
	return n == (size_t)size;
}

bool
source_read(struct arrival *t, struct arena *a, const struct arrival_file *f, struct str *out)
{
	/* Markdown that no page uses as a file has the limit of pages. */
	bool page = f->page != NULL || (path_is_markdown(f->path) && !f->used && !f->attached);
	int64_t most = page ? t->set->import_page_bytes : t->set->import_file_bytes;
	const char *why;

	if (f->size > most) {
		arrival_warn_once(t, f->path, 0, "%lld bytes are more than an import takes (%lld); left out", (long long)f->size,
		    (long long)most);
		return false;
	}
	if (source_load(a, t->place, f->number, f->path.p, f->size, out, &why))
		return true;
	arrival_warn_once(t, f->path, 0, "cannot be read: %s; left out", why);
	return false;
}
