/*
 * A library for LD_PRELOAD: records what programs write below a folder, and what they sync, so that
 * tests/fault/power.py can make every state of the disk in which a loss of power may leave it.
 *
 *   RECORD_ROOT  the folder; run/, log/, cache/ and the index of SQLite's log are left out, since
 *                nothing in them has to outlive a power cut
 *   RECORD_LOG   the record: entries of struct entry, each followed by a path and by bytes
 *
 * A lock on the record makes each call and its entry one step, also for several processes.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <dlfcn.h>

/* The letters are those that power.py reads. */
enum op { CREATE = 'C', WRITE = 'W', CUT = 'T', SYNC = 'S', SYNC_FOLDER = 'D', SYNC_ALL = 'Y', RENAME = 'R', LINK = 'L',
	UNLINK = 'U', MKDIR = 'M', RMDIR = 'X' };

struct entry {
	uint32_t op, path;   /* a letter; length of the path */
	uint64_t inode, at;  /* at: offset of a write, or a size */
	uint64_t bytes;      /* length of the bytes: those written, or the second path */
};

static const char *
root(void)
{
	return getenv("RECORD_ROOT");
}

/* True for a path whose content has to outlive a power cut. */
static bool
is_kept(const char *path)
{
	const char *r = root();
	size_t n = r == NULL ? 0 : strlen(r), end = strlen(path);

	if (n == 0 || strncmp(path, r, n) != 0 || (end > 4 && strcmp(path + end - 4, "-shm") == 0))
		return false;
	return strstr(path + n, "/run/") == NULL && strstr(path + n, "/log/") == NULL && strstr(path + n, "/cache/") == NULL;
}

static bool
path_of(int fd, char path[PATH_MAX])
{
	char link[40];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if ((n = syscall(SYS_readlink, link, path, PATH_MAX - 1)) <= 0)
		return false;
	path[n] = '\0';
	return is_kept(path) && strstr(path, " (deleted)") == NULL;
}

static bool
path_at(int folder, const char *name, char path[PATH_MAX])
{
	char base[PATH_MAX], link[40];
	ssize_t n;

	if (*name == '/')
		snprintf(path, PATH_MAX, "%s", name);
	else {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", folder);
		if ((n = syscall(SYS_readlink, folder == AT_FDCWD ? "/proc/self/cwd" : link, base, sizeof(base) - 1)) <= 0)
			return false;
		base[n] = '\0';
		if (snprintf(path, PATH_MAX, "%s/%s", base, name) >= PATH_MAX)
			return false;
	}
	return is_kept(path);
}

static uint64_t
inode_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 ? st.st_ino : 0;
}

/* ---- the record ---- */

static int
lock_record(void)
{
	const char *path = getenv("RECORD_LOG");
	int fd = path == NULL ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);

	if (fd >= 0)
		syscall(SYS_flock, fd, LOCK_EX);
	return fd;
}

/* Writes the entry of a call that succeeded, and ends the step; errno stays. */
static void
add_entry(int record, enum op op, bool done, const char *path, uint64_t inode, uint64_t at, const void *bytes, size_t n)
{
	struct entry e = { op, (uint32_t)strlen(path), inode, at, n };
	struct iovec v[] = { { &e, sizeof(e) }, { (void *)(uintptr_t)path, e.path }, { (void *)(uintptr_t)bytes, n } };
	int error = errno;

	if (record < 0)
		return;
	if (done && syscall(SYS_writev, record, v, 3) != (long)(sizeof(e) + e.path + n))
		abort();
	syscall(SYS_close, record);
	errno = error;
}

/* ---- files ---- */

static int
open_mode(int folder, const char *name, int flags, mode_t mode)
{
	char path[PATH_MAX];
	int fd, record;
	struct stat st;
	bool was;

	if ((flags & (O_CREAT | O_TRUNC)) == 0 || !path_at(folder, name, path))
		return (int)syscall(SYS_openat, folder, name, flags, mode);
	record = lock_record();
	was = stat(path, &st) == 0;
	fd = (int)syscall(SYS_openat, folder, name, flags, mode);
	if (was)
		add_entry(record, CUT, fd >= 0 && (flags & O_TRUNC) != 0, "", st.st_ino, 0, "", 0);
	else
		add_entry(record, CREATE, fd >= 0, path, fd < 0 ? 0 : inode_of(fd), 0, "", 0);
	return fd;
}

#define OPENS(name, parameters, folder) \
	int name parameters \
	{ \
		va_list ap; \
		mode_t mode; \
\
		va_start(ap, flags); \
		mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(ap, mode_t) : 0; \
		va_end(ap); \
		return open_mode(folder, path, flags, mode); \
	}

OPENS(open, (const char *path, int flags, ...), AT_FDCWD)
OPENS(open64, (const char *path, int flags, ...), AT_FDCWD)
OPENS(openat, (int folder, const char *path, int flags, ...), folder)
OPENS(openat64, (int folder, const char *path, int flags, ...), folder)

ssize_t
pwrite64(int fd, const void *p, size_t n, off64_t offset)
{
	char path[PATH_MAX];
	bool kept = path_of(fd, path);
	int record = kept ? lock_record() : -1;
	ssize_t done = syscall(SYS_pwrite64, fd, p, n, offset);

	add_entry(record, WRITE, done > 0, "", kept ? inode_of(fd) : 0, (uint64_t)offset, p, done > 0 ? (size_t)done : 0);
	return done;
}

ssize_t
pwrite(int fd, const void *p, size_t n, off_t offset)
{
	return pwrite64(fd, p, n, offset);
}

ssize_t
write(int fd, const void *p, size_t n)
{
	char path[PATH_MAX];
	bool kept = path_of(fd, path);
	int record = kept ? lock_record() : -1;
	ssize_t done = syscall(SYS_write, fd, p, n);
	off_t at = done > 0 && kept ? lseek(fd, 0, SEEK_CUR) - done : 0;

	add_entry(record, WRITE, done > 0, "", kept ? inode_of(fd) : 0, (uint64_t)at, p, done > 0 ? (size_t)done : 0);
	return done;
}

/* The kernel copies: not recorded, so the caller has to read and write. */
ssize_t
copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t n, unsigned flags)
{
	(void)from, (void)from_at, (void)to, (void)to_at, (void)n, (void)flags;
	errno = EXDEV;
	return -1;
}

int
ftruncate64(int fd, off64_t size)
{
	char path[PATH_MAX];
	bool kept = path_of(fd, path);
	int record = kept ? lock_record() : -1;
	int rc = (int)syscall(SYS_ftruncate, fd, size);

	add_entry(record, CUT, rc == 0, "", kept ? inode_of(fd) : 0, (uint64_t)size, "", 0);
	return rc;
}

int
ftruncate(int fd, off_t size)
{
	return ftruncate64(fd, size);
}

/* ---- files of stdio ---- */

FILE *
fopen(const char *name, const char *mode)
{
	static FILE *(*real)(const char *, const char *);
	char path[PATH_MAX];
	bool kept = *mode == 'w' && path_at(AT_FDCWD, name, path);
	int record = kept ? lock_record() : -1;
	struct stat st;
	bool was = kept && stat(path, &st) == 0;
	FILE *f;

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "fopen");
	f = real(name, mode);
	if (was)
		add_entry(record, CUT, f != NULL, "", st.st_ino, 0, "", 0);
	else
		add_entry(record, CREATE, f != NULL, path, f == NULL ? 0 : inode_of(fileno(f)), 0, "", 0);
	return f;
}

/* The C library writes buffers by itself: afterwards the whole file is recorded as written. */
static void
add_whole(FILE *f)
{
	char path[PATH_MAX], *bytes;
	int fd = fileno(f), record;
	struct stat st;
	off_t at = 0;

	if (fd < 0 || !__fwritable(f) || !path_of(fd, path) || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	bytes = malloc((size_t)st.st_size + 1);
	if (bytes == NULL || (fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0)) < 0)
		abort();
	while (at < st.st_size)
		at += syscall(SYS_pread64, fd, bytes + at, (size_t)(st.st_size - at), at);
	syscall(SYS_close, fd);
	record = lock_record();
	add_entry(record, WRITE, st.st_size > 0, "", st.st_ino, 0, bytes, (size_t)st.st_size);
	free(bytes);
}

int
fflush(FILE *f)
{
	static int (*real)(FILE *);
	int rc;

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "fflush");
	rc = real(f);
	if (f != NULL)
		add_whole(f);
	return rc;
}

int
fclose(FILE *f)
{
	static int (*real)(FILE *);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "fclose");
	fflush(f);
	return real(f);
}

/* ---- syncs ---- */

static int
sync_file(int fd, long call)
{
	char path[PATH_MAX];
	struct stat st;
	bool kept = path_of(fd, path) && fstat(fd, &st) == 0;
	int record = kept ? lock_record() : -1;

	(void)call;   /* the machine itself does not lose its power */
	add_entry(record, kept && S_ISDIR(st.st_mode) ? SYNC_FOLDER : SYNC, true, path, kept ? st.st_ino : 0, 0, "", 0);
	return 0;
}

int
fsync(int fd)
{
	return sync_file(fd, SYS_fsync);
}

int
fdatasync(int fd)
{
	return sync_file(fd, SYS_fdatasync);
}

int
syncfs(int fd)
{
	(void)fd;
	add_entry(lock_record(), SYNC_ALL, true, "", 0, 0, "", 0);
	return 0;
}

/* ---- names ---- */

int
renameat(int a, const char *from, int b, const char *to)
{
	char one[PATH_MAX] = "", two[PATH_MAX] = "";
	bool left = path_at(a, from, one), came = path_at(b, to, two);
	int record = left || came ? lock_record() : -1;
	int rc = (int)syscall(SYS_renameat, a, from, b, to);

	/* Into a folder that is left out: as if it were deleted. */
	add_entry(record, came ? RENAME : UNLINK, rc == 0, one, 0, 0, two, strlen(two));
	return rc;
}

int
rename(const char *from, const char *to)
{
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int
renameat2(int a, const char *from, int b, const char *to, unsigned flags)
{
	if (flags == 0)
		return renameat(a, from, b, to);
	errno = EINVAL;
	return -1;
}

int
link(const char *from, const char *to)
{
	char one[PATH_MAX] = "", two[PATH_MAX] = "";
	bool kept = path_at(AT_FDCWD, from, one) && path_at(AT_FDCWD, to, two);
	int record = kept ? lock_record() : -1;
	int rc = (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);

	add_entry(record, LINK, rc == 0, one, 0, 0, two, strlen(two));
	return rc;
}

int
mkdirat(int folder, const char *name, mode_t mode)
{
	char path[PATH_MAX];
	int record = path_at(folder, name, path) ? lock_record() : -1;
	int rc = (int)syscall(SYS_mkdirat, folder, name, mode);

	add_entry(record, MKDIR, rc == 0, path, 0, 0, "", 0);
	return rc;
}

int
mkdir(const char *path, mode_t mode)
{
	return mkdirat(AT_FDCWD, path, mode);
}

int
unlinkat(int folder, const char *name, int flags)
{
	char path[PATH_MAX];
	int record = path_at(folder, name, path) ? lock_record() : -1;
	int rc = (int)syscall(SYS_unlinkat, folder, name, flags);

	add_entry(record, (flags & AT_REMOVEDIR) != 0 ? RMDIR : UNLINK, rc == 0, path, 0, 0, "", 0);
	return rc;
}

int
unlink(const char *path)
{
	return unlinkat(AT_FDCWD, path, 0);
}

int
rmdir(const char *path)
{
	return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}
