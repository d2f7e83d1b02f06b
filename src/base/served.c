/* Files of published pages that the web server sends without calling a program. Contract: base/served.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/log.h"
#include "base/served.h"

enum { DEPTH = 64 };   /* depth of folders that are deleted */

/*
 * A file in `now` whose length in bytes is the number of KiB in the folder. All processes append to
 * it, and only its length is used.
 */
#define COUNT ".kib"

/* The name begins with a dot, so served_name() never accepts a request for it. */
static const char *
stamp_name(struct arena *a, const char *stamp)
{
	return arena_printf(a, ".%s", stamp);
}

/*
 * The descriptor stays valid when the folder is renamed: a page that is written late gets into the
 * folder that served_drop() has renamed.
 */
int
served_open(struct arena *a, const char *dir, const char *stamp)
{
	int fd = open(arena_printf(a, "%s/cache/served/now", dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	/* Checked in the open folder and not by its path: another process may replace `now` in between. */
	if (fd >= 0 && faccessat(fd, stamp_name(a, stamp), F_OK, 0) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* A unique name for a folder that is renamed. */
static void
other_name(char *out, size_t room, const char *dir, const char *what)
{
	static unsigned count;
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	snprintf(out, room, "%s/cache/served/%s.%lld.%ld.%d.%u", dir, what, (long long)t.tv_sec, t.tv_nsec,
	    (int)getpid(), count++);
}

bool
served_drop(const char *dir)
{
	char now[PATH_MAX], old[PATH_MAX];

	snprintf(now, sizeof(now), "%s/cache/served/now", dir);
	other_name(old, sizeof(old), dir, "old");
	/* One rename() takes all pages away at once; sweep_old() deletes them later. */
	return rename(now, old) == 0 || errno == ENOENT || errno == ENOTDIR;
}

bool
served_make(struct arena *a, const char *dir, const char *stamp)
{
	char new[PATH_MAX];
	int fd;

	/* Set the mode even if the folder exists: another program may have made it private. */
	if (folder_make(AT_FDCWD, arena_printf(a, "%s/cache", dir), DATA_FOLDER))
		chmod(arena_printf(a, "%s/cache", dir), DATA_FOLDER);
	folder_make(AT_FDCWD, arena_printf(a, "%s/cache/served", dir), SHARED_FOLDER);
	/* The name is one that sweep_old() deletes: if the process is killed here, nothing stays behind. */
	other_name(new, sizeof(new), dir, "old");
	if (!served_drop(dir) || !folder_make(AT_FDCWD, new, SHARED_FOLDER))
		return false;
	/*
	 * The stamp is written before the folder is renamed to `now`, so that no process sees it
	 * without a stamp.
	 */
	fd = file_open_shared(AT_FDCWD, arena_printf(a, "%s/%s", new, stamp_name(a, stamp)), false);
	if (fd < 0)
		return false;
	close(fd);
	return rename(new, arena_printf(a, "%s/cache/served/now", dir)) == 0;
}

/* The characters are listed, since isalnum() depends on the locale. */
static bool
is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    (c != '\0' && strchr("_~%-", c) != NULL);
}

/*
 * Lists what is allowed: the name becomes a path in the file system, and must be what the web
 * server makes of the request. "%" is not decoded, so "%2e%2e" is the name of a file and not the
 * parent folder.
 */
bool
served_name(const char *host, const char *path)
{
	const char *p;

	if (*host == '\0' || *host == '.' || host[strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789.-")] != '\0' ||
	    strstr(host, "..") != NULL || *path != '/')
		return false;
	for (p = path; *p == '/'; ) {
		if (*++p == '\0')
			return true;
		if (!is_plain(*p))
			return false;
		while (is_plain(*p) || *p == '.')
			p++;
	}
	return *p == '\0';
}

/* ---- deleting old pages ---- */

/*
 * Deletes a folder with its content. Uses O_NOFOLLOW and names relative to the open folder: a
 * symbolic link is deleted, never followed. *left: number of files that may still be deleted in
 * this request.
 */
static void
remove_tree(int at, const char *name, int *left, int depth)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (d == NULL)
		return;
	while (*left > 0 && depth < DEPTH && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		--*left;
		if (unlinkat(fd, e->d_name, 0) != 0)
			remove_tree(fd, e->d_name, left, depth + 1);
	}
	closedir(d);
	/* Fails if *left was used up before the folder was empty; the next page that is added continues. */
	unlinkat(at, name, AT_REMOVEDIR);
}

/*
 * Deletes some files of renamed folders whenever a page is added: so no request has to wait until a
 * large folder is deleted, and no job is needed.
 */
static void
sweep_old(struct arena *a, const char *dir)
{
	DIR *d = opendir(arena_printf(a, "%s/cache/served", dir));
	struct dirent *e;
	int left = SERVED_SWEEP;

	if (d == NULL)
		return;
	while (left > 0 && (e = readdir(d)) != NULL)
		if (strncmp(e->d_name, "old.", 4) == 0)
			remove_tree(dirfd(d), e->d_name, &left, 0);
	closedir(d);
}

/* ---- adding ---- */

/* An existing folder is no error. If a folder cannot be made, opening the file fails later. */
static void
make_folders(struct arena *a, int now, const char *name)
{
	char *path = arena_strdup(a, name), *p;

	for (p = path; (p = strchr(p, '/')) != NULL; *p++ = '/') {
		*p = '\0';
		folder_make(now, path, SHARED_FOLDER);
	}
}

/* No fsync(): after a power cut all of `now` is replaced (base/served.h). */
static bool
write_file(int now, const char *path, struct str bytes, uint32_t time)
{
	const struct timespec times[2] = { { .tv_sec = time }, { .tv_sec = time } };
	int fd = file_open_shared(now, path, false);
	bool ok;

	if (fd < 0)
		return false;
	ok = write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n && futimens(fd, times) == 0;
	return close(fd) == 0 && ok;
}

/* Name of the file whose length is the number of KiB of a share (one site) in `now`. */
static const char *
share_name(struct arena *a, const char *share)
{
	return arena_printf(a, "%s.%s", COUNT, share);
}

/* A counter file has one byte for each KiB, so that adding to it is a single append. */
static int64_t
read_kib(int now, const char *counter)
{
	struct stat st;

	return fstatat(now, counter, &st, AT_SYMLINK_NOFOLLOW) == 0 ? (int64_t)st.st_size : 0;
}

/* Adds the size of a page to a counter, and 8 KiB for its folder and rounding. */
static void
add_kib(int now, const char *counter, size_t bytes)
{
	static const char zeros[2 * SERVED_PAGE / 1024 + 8];
	int fd = file_open_shared(now, counter, true);

	if (fd < 0)
		return;
	/* The disk is full, so there is no room for pages either. */
	if (write(fd, zeros, bytes / 1024 + 8) < 0)
		log_line("cache/served: %s", strerror(errno));
	close(fd);
}

/* True if pages of this share may be added: when room is scarce, only shares that are small may grow. */
static bool
has_room(struct arena *a, int now, const char *share)
{
	return read_kib(now, COUNT) <= SERVED_KIB || read_kib(now, share_name(a, share)) <= SERVED_SHARE;
}

/* True if a file with this content exists: it has the size, and the modification time that identifies the content (base/served.h). */
static bool
has_page_file(int now, const char *path, struct str bytes, uint32_t time)
{
	struct stat st;

	return fstatat(now, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && (size_t)st.st_size == bytes.n &&
	    (int64_t)st.st_mtime == (int64_t)time;
}

/*
 * Compress as gzip (RFC 1952) once, instead of in the web server for each request. n 0: out of
 * memory.
 */
static struct str
gzip_bytes(struct arena *a, struct str bytes)
{
	z_stream z = { .next_in = (unsigned char *)(uintptr_t)bytes.p, .avail_in = (unsigned)bytes.n };
	struct str out = { NULL, 0 };
	size_t room;
	char *p;

	/* 15 + 16: the largest window, with a gzip header and trailer (zlib.h, deflateInit2). */
	if (deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return out;
	room = deflateBound(&z, bytes.n);
	p = arena_bytes(a, room);
	z.next_out = (unsigned char *)p;
	z.avail_out = (unsigned)room;
	if (deflate(&z, Z_FINISH) == Z_STREAM_END)
		out = (struct str){ p, room - z.avail_out };
	deflateEnd(&z);
	return out;
}

/* Writes under another name and renames the file, so that the web server never sends an incomplete one. */
static void
put_file(struct arena *a, int now, const char *name, const char *suffix, struct str bytes, uint32_t time)
{
	const char *temporary = arena_printf(a, "%s.%d", name, (int)getpid());

	if (!write_file(now, temporary, bytes, time) ||
	    renameat(now, temporary, now, arena_printf(a, "%s%s", name, suffix)) != 0)
		unlinkat(now, temporary, 0);
}

void
served_put(struct arena *a, const char *dir, int now, const char *share, const char *name, const char *suffix,
    struct str bytes, uint32_t time)
{
	struct str zipped;

	if (bytes.n == 0 || bytes.n > SERVED_PAGE || has_page_file(now, arena_printf(a, "%s%s", name, suffix), bytes, time) ||
	    !has_room(a, now, share))
		return;
	zipped = gzip_bytes(a, bytes);
	make_folders(a, now, name);
	/* The compressed file is written first, since the web server decides by the plain one. */
	if (zipped.n > 0)
		put_file(a, now, name, arena_printf(a, "%s.gz", suffix), zipped, time);
	put_file(a, now, name, suffix, bytes, time);
	add_kib(now, COUNT, bytes.n + zipped.n);
	add_kib(now, share_name(a, share), bytes.n + zipped.n);
	if (read_kib(now, COUNT) > SERVED_MOST)
		served_drop(dir);
	sweep_old(a, dir);
}
