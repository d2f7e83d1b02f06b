/* Reads and writes the files that contain variants of pictures. Contract: store/variants.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/secret.h"
#include "store/blob.h"
#include "store/variants.h"

/*
 * HEAD: longest first line. BYTES_MAX, WIDTH_MAX: largest variant. NAME: hex digits of a hash after
 * the two of its folder. ABANDONED_S: a temporary file that is older was left by a process that ended.
 */
enum { HEAD = 512, BYTES_MAX = 64 << 20, WIDTH_MAX = 20000, NAME = 62, ABANDONED_S = 3600 };

static const char mark[] = "octavo-variants 1";

static char *
variant_path(struct arena *a, const char *dir, struct str hash)
{
	const char *h = hex(a, hash);

	return arena_printf(a, "%s/cache/variants/%.2s/%s", dir, h, h + 2);
}

/* Reads " WIDTH BYTES"; moves *p to the end of it. */
static bool
read_variant(const char **p, struct variant *v)
{
	char *end;
	long width, size;

	width = strtol(*p, &end, 10);
	if (end == *p || *end != ' ')
		return false;
	*p = end;
	size = strtol(*p, &end, 10);
	if (end == *p || width < 1 || width > WIDTH_MAX || size < 1 || size > BYTES_MAX)
		return false;
	*p = end;
	*v = (struct variant){ .width = (int)width, .size = (size_t)size };
	return true;
}

/*
 * Reads the first line. Returns the offset of the bytes; 0: the file is damaged. The file must have
 * the length that the line implies: files are not synced, so a power cut may truncate one.
 */
static size_t
read_head(int fd, struct variants *v)
{
	char head[HEAD + 1];
	ssize_t n = pread(fd, head, HEAD, 0);
	const char *p = head + sizeof(mark) - 1, *end;
	size_t sum = 0;
	struct stat st;

	*v = (struct variants){ 0 };
	head[n < 0 ? 0 : n] = '\0';
	if (strncmp(head, mark, sizeof(mark) - 1) != 0 || (end = strchr(head, '\n')) == NULL)
		return 0;
	while (p < end && v->count < VARIANTS_MAX && read_variant(&p, &v->list[v->count]))
		sum += v->list[v->count++].size;
	if (p != end || fstat(fd, &st) != 0 || (size_t)st.st_size != sum + (size_t)(end + 1 - head))
		return 0;
	return (size_t)(end + 1 - head);
}

bool
variants_look(struct arena *a, const char *dir, struct str hash, struct variants *out)
{
	int fd = open(variant_path(a, dir, hash), O_RDONLY | O_CLOEXEC);
	bool found;

	*out = (struct variants){ 0 };
	if (fd < 0)
		return false;
	found = read_head(fd, out) > 0;
	close(fd);
	return found;
}

bool
variant_read(struct arena *a, const char *dir, struct str hash, int width, struct str *out)
{
	int fd = open(variant_path(a, dir, hash), O_RDONLY | O_CLOEXEC);
	struct variants v;
	bool found = false;
	size_t at, n;
	char *p;

	if (fd < 0)
		return false;
	if ((at = read_head(fd, &v)) > 0)
		for (size_t i = 0; i < v.count && !found; at += v.list[i++].size)
			if (v.list[i].width == width) {
				n = v.list[i].size;
				p = arena_bytes(a, n);
				found = pread(fd, p, n, (off_t)at) == (ssize_t)n;
				*out = (struct str){ p, n };
			}
	close(fd);
	return found;
}

static bool
write_all(int fd, struct str s)
{
	return write(fd, s.p, s.n) == (ssize_t)s.n;
}

bool
variants_store(struct arena *a, const char *dir, struct str hash, const struct variants *v)
{
	char *path = variant_path(a, dir, hash), *folder = arena_strndup(a, path, strlen(path) - NAME - 1);
	char *part = arena_printf(a, "%s/.%ld", folder, (long)getpid());
	struct buf head;
	bool ok;
	int fd;

	buf_init(&head, a, HEAD);
	buf_str(&head, mark);
	for (size_t i = 0; i < v->count; i++)
		buf_printf(&head, " %d %zu", v->list[i].width, v->list[i].bytes.n);
	buf_char(&head, '\n');
	folder_make(AT_FDCWD, arena_printf(a, "%s/cache", dir), DATA_FOLDER);
	mkdir(arena_printf(a, "%s/cache/variants", dir), 0700);
	mkdir(folder, 0700);
	if ((fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) < 0)
		return false;
	ok = write_all(fd, buf_view(&head));
	for (size_t i = 0; i < v->count && ok; i++)
		ok = write_all(fd, v->list[i].bytes);
	/* close() may report a full disk that write() did not report (close(2)). */
	ok = close(fd) == 0 && ok && rename(part, path) == 0;
	if (!ok)
		unlink(part);
	return ok;
}

/* ---- the sweep ---- */

/* True for variants of a picture without a row, and for a temporary file of a killed process. */
static bool
is_unneeded(struct db *db, struct arena *a, DIR *d, const char *first, const char *name)
{
	struct stat st;
	struct str hash;

	if (*name == '.')
		return strspn(name + 1, "0123456789") > 0 && fstatat(dirfd(d), name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    time(NULL) - st.st_mtime > ABANDONED_S;
	return strlen(name) == NAME && hex_read(a, str_of(arena_printf(a, "%s%s", first, name)), &hash) && !blob_known(db, hash);
}

size_t
variants_sweep(struct db *db, struct arena *a, const char *dir)
{
	struct arena *scratch = arena_within(a, 1 << 16);
	size_t gone = 0;
	char first[3];

	for (int i = 0; i < 256; i++) {
		DIR *d;
		const struct dirent *e;
		snprintf(first, sizeof(first), "%02x", (unsigned)i);
		d = opendir(arena_printf(a, "%s/cache/variants/%s", dir, first));
		db_begin(db, false);
		while (d != NULL && (e = readdir(d)) != NULL) {
			if (is_unneeded(db, scratch, d, first, e->d_name))
				gone += unlinkat(dirfd(d), e->d_name, 0) == 0;
			arena_reset(scratch);
		}
		db_rollback(db);
		if (d != NULL)
			closedir(d);
	}
	return gone;
}
