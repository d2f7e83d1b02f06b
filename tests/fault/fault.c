/*
 * A library for LD_PRELOAD: the Nth call of one kind fails, in whichever of the processes of a run
 * makes it. tests/fault/anomaly.sh repeats a run with N = 1, 2, … until no call is the Nth.
 *
 *   FAULT_CALL   the kind: a name of the table below; with a "+": all later calls of it fail, too
 *   FAULT_AT     N; 0 counts only
 *   FAULT_STATE  a file of two 64-bit numbers, which all processes of the run share: calls so far,
 *                and failures so far
 *   FAULT_KILLS  if it is set, the process is killed in place of the call
 *
 * inodes is a call that makes a name while no inode is left; readonly is a change of a file or of a name
 * while the file system is read-only, also through a descriptor that is open.
 *
 * Calls that the C library makes by itself are not seen: those of the dynamic loader, and those of
 * stdio, for which fflush() and fclose() fail instead, with half of the file lost.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <dlfcn.h>

enum kind {
	K_NONE, K_MALLOC, K_MMAP, K_OPEN, K_READ, K_WRITE, K_FULL, K_SHORT, K_SYNC, K_RENAME, K_MKDIR, K_UNLINK,
	K_CUT, K_FORK, K_PIPE, K_CONNECT, K_LOCK, K_BACK, K_AHEAD, K_INODES, K_READONLY
};

/* The errno of each: what a machine answers when it lacks memory, descriptors, room, or a good disk. */
static const struct { const char *name; int error; } kinds[] = {
	[K_NONE] = { "none", 0 }, [K_MALLOC] = { "malloc", ENOMEM }, [K_MMAP] = { "mmap", ENOMEM },
	[K_OPEN] = { "open", EMFILE }, [K_READ] = { "read", EIO }, [K_WRITE] = { "write", EIO },
	[K_FULL] = { "full", ENOSPC }, [K_SHORT] = { "short", 0 }, [K_SYNC] = { "sync", EIO },
	[K_RENAME] = { "rename", EIO }, [K_MKDIR] = { "mkdir", ENOSPC }, [K_UNLINK] = { "unlink", EIO },
	[K_CUT] = { "cut", EIO }, [K_FORK] = { "fork", EAGAIN }, [K_PIPE] = { "pipe", EMFILE },
	[K_CONNECT] = { "connect", ECONNREFUSED }, [K_LOCK] = { "lock", ENOLCK }, [K_BACK] = { "back", 0 },
	[K_AHEAD] = { "ahead", 0 }, [K_INODES] = { "inodes", ENOSPC }, [K_READONLY] = { "readonly", EROFS },
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]), LEAP = 40 * 24 * 3600 };

struct state {
	_Atomic int64_t calls, failed;
};

static enum kind kind;
static int64_t at;
static bool lasting;
static struct state *state;

__attribute__((constructor)) static void
begin(void)
{
	const char *call = getenv("FAULT_CALL"), *n = getenv("FAULT_AT"), *path = getenv("FAULT_STATE");
	size_t n_call;
	long fd;
	int i;

	if (call == NULL || n == NULL || path == NULL)
		return;
	n_call = strcspn(call, "+");
	lasting = call[n_call] == '+';
	for (i = KINDS - 1; i > 0 && (strncmp(kinds[i].name, call, n_call) != 0 || kinds[i].name[n_call] != '\0'); i--)
		continue;
	fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	state = (struct state *)syscall(SYS_mmap, NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0L);
	syscall(SYS_close, fd);
	at = strtoll(n, NULL, 10);
	kind = (enum kind)i;
}

/* True, with errno, if this call fails. */
static bool
fails(enum kind k)
{
	int64_t n;

	if (k != kind || k == K_NONE)
		return false;
	n = ++state->calls;
	if (at == 0 || (n != at && (!lasting || n < at)))
		return false;
	state->failed++;
	if (getenv("FAULT_KILLS") != NULL)
		kill(getpid(), SIGKILL);
	errno = kinds[k].error;
	return true;
}

/* ---- memory ---- */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

void *
malloc(size_t n)
{
	return fails(K_MALLOC) ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return fails(K_MALLOC) ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return fails(K_MALLOC) ? NULL : __libc_realloc(p, n);
}

void *
mmap(void *p, size_t n, int prot, int flags, int fd, off_t offset)
{
	return fails(K_MMAP) ? MAP_FAILED : (void *)syscall(SYS_mmap, p, n, prot, flags, fd, offset);
}

void *
mmap64(void *p, size_t n, int prot, int flags, int fd, off64_t offset)
{
	return mmap(p, n, prot, flags, fd, offset);
}

/* ---- files ---- */

/* True if a change fails since the file system is read-only. Devices and pipes can be written. */
static bool
is_frozen(int fd)
{
	struct stat st;

	return kind == K_READONLY && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && fd > STDERR_FILENO && fails(K_READONLY);
}

/* The same by a path; makes: the call needs an inode if nothing has this name. */
static bool
is_refused(int folder, const char *path, bool makes)
{
	struct stat st;
	bool is_there;

	if (kind != K_READONLY && kind != K_INODES)
		return false;
	is_there = fstatat(folder, path, &st, 0) == 0;
	if (makes && !is_there && fails(K_INODES))
		return true;
	return !(is_there && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode))) && fails(K_READONLY);
}

static int
open_mode(int folder, const char *path, int flags, va_list ap)
{
	mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(ap, mode_t) : 0;

	if ((flags & (O_ACCMODE | O_CREAT)) != O_RDONLY && is_refused(folder, path, (flags & O_CREAT) != 0))
		return -1;
	return fails(K_OPEN) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define OPENS(name, parameters, folder) \
	int name parameters \
	{ \
		va_list ap; \
		int fd; \
\
		va_start(ap, flags); \
		fd = open_mode(folder, path, flags, ap); \
		va_end(ap); \
		return fd; \
	}

OPENS(open, (const char *path, int flags, ...), AT_FDCWD)
OPENS(open64, (const char *path, int flags, ...), AT_FDCWD)
OPENS(openat, (int folder, const char *path, int flags, ...), folder)
OPENS(openat64, (int folder, const char *path, int flags, ...), folder)

FILE *
fopen(const char *path, const char *mode)
{
	static FILE *(*real)(const char *, const char *);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "fopen");
	if (*mode != 'r' && is_refused(AT_FDCWD, path, true))
		return NULL;
	return fails(K_OPEN) ? NULL : real(path, mode);
}

/* True if the buffer cannot be written; half of the file is lost then. */
static bool
loses(FILE *f)
{
	struct stat st;
	int error;

	if (f == NULL || !__fwritable(f) || (!fails(K_WRITE) && !fails(K_FULL) && !is_frozen(fileno(f))))
		return false;
	error = errno;
	if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode))
		syscall(SYS_ftruncate, fileno(f), st.st_size / 2);
	errno = error;
	return true;
}

int
fflush(FILE *f)
{
	static int (*real)(FILE *);
	int rc;

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "fflush");
	rc = real(f);
	return loses(f) ? EOF : rc;
}

int
fclose(FILE *f)
{
	static int (*real)(FILE *);
	bool lost = fflush(f) != 0;
	int error = errno;

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "fclose");
	if (real(f) != 0 && !lost)
		return EOF;
	errno = error;
	return lost ? EOF : 0;
}

DIR *
opendir(const char *path)
{
	static DIR *(*real)(const char *);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "opendir");
	return fails(K_OPEN) ? NULL : real(path);
}

ssize_t
read(int fd, void *p, size_t n)
{
	return fails(K_READ) ? -1 : syscall(SYS_read, fd, p, n);
}

ssize_t
pread64(int fd, void *p, size_t n, off64_t offset)
{
	return fails(K_READ) ? -1 : syscall(SYS_pread64, fd, p, n, offset);
}

ssize_t
pread(int fd, void *p, size_t n, off_t offset)
{
	return pread64(fd, p, n, offset);
}

/* How many bytes of n this write takes; 0: it fails. */
static size_t
taken(int fd, size_t n)
{
	if (fails(K_WRITE) || fails(K_FULL) || is_frozen(fd))
		return 0;
	return n > 1 && fails(K_SHORT) ? n / 2 : n;
}

ssize_t
write(int fd, const void *p, size_t n)
{
	size_t part = taken(fd, n);

	return part == 0 && n > 0 ? -1 : syscall(SYS_write, fd, p, part);
}

int
vdprintf(int fd, const char *format, va_list ap)
{
	char text[4096];
	int n = vsnprintf(text, sizeof(text), format, ap);

	return (int)write(fd, text, n < (int)sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

int
dprintf(int fd, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vdprintf(fd, format, ap);
	va_end(ap);
	return n;
}

/* What the headers make of it with _FORTIFY_SOURCE. */
int __dprintf_chk(int fd, int flag, const char *format, ...);

int
__dprintf_chk(int fd, int flag, const char *format, ...)
{
	va_list ap;
	int n;

	(void)flag;
	va_start(ap, format);
	n = vdprintf(fd, format, ap);
	va_end(ap);
	return n;
}

ssize_t
pwrite64(int fd, const void *p, size_t n, off64_t offset)
{
	size_t part = taken(fd, n);

	return part == 0 && n > 0 ? -1 : syscall(SYS_pwrite64, fd, p, part, offset);
}

ssize_t
pwrite(int fd, const void *p, size_t n, off_t offset)
{
	return pwrite64(fd, p, n, offset);
}

ssize_t
copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t n, unsigned flags)
{
	size_t part = taken(to, n);

	return part == 0 && n > 0 ? -1 : syscall(SYS_copy_file_range, from, from_at, to, to_at, part, flags);
}

int
fsync(int fd)
{
	return fails(K_SYNC) ? -1 : (int)syscall(SYS_fsync, fd);
}

int
fdatasync(int fd)
{
	return fails(K_SYNC) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int
syncfs(int fd)
{
	return fails(K_SYNC) ? -1 : (int)syscall(SYS_syncfs, fd);
}

int
renameat2(int a, const char *from, int b, const char *to, unsigned flags)
{
	return fails(K_RENAME) || is_refused(a, from, false) ? -1 : (int)syscall(SYS_renameat2, a, from, b, to, flags);
}

int
renameat(int a, const char *from, int b, const char *to)
{
	return renameat2(a, from, b, to, 0);
}

int
rename(const char *from, const char *to)
{
	return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int
link(const char *from, const char *to)
{
	return fails(K_RENAME) || is_refused(AT_FDCWD, to, true) ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int
mkdirat(int folder, const char *path, mode_t mode)
{
	return fails(K_MKDIR) || is_refused(folder, path, true) ? -1 : (int)syscall(SYS_mkdirat, folder, path, mode);
}

int
mkdir(const char *path, mode_t mode)
{
	return mkdirat(AT_FDCWD, path, mode);
}

int
unlinkat(int folder, const char *path, int flags)
{
	return fails(K_UNLINK) || is_refused(folder, path, false) ? -1 : (int)syscall(SYS_unlinkat, folder, path, flags);
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

int
ftruncate64(int fd, off64_t size)
{
	return fails(K_CUT) || is_frozen(fd) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int
ftruncate(int fd, off_t size)
{
	return ftruncate64(fd, size);
}

/* It returns the error. */
int
posix_fallocate(int fd, off_t offset, off_t n)
{
	if (fails(K_CUT))
		return ENOSPC;
	if (is_frozen(fd))
		return EROFS;
	return syscall(SYS_fallocate, fd, 0, offset, n) == 0 ? 0 : errno;
}

static int
set_lock(int fd, int what, void *arg)
{
	return (what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK || what == F_OFD_SETLKW) && fails(K_LOCK) ? -1 :
	    (int)syscall(SYS_fcntl, fd, what, arg);
}

#define LOCKS(name) \
	int name(int fd, int what, ...) \
	{ \
		va_list ap; \
		void *arg; \
\
		va_start(ap, what); \
		arg = va_arg(ap, void *); \
		va_end(ap); \
		return set_lock(fd, what, arg); \
	}

LOCKS(fcntl)
LOCKS(fcntl64)

int
flock(int fd, int how)
{
	return (how & LOCK_UN) == 0 && fails(K_LOCK) ? -1 : (int)syscall(SYS_flock, fd, how);
}

/* ---- processes, networks, time ---- */

pid_t
fork(void)
{
	static pid_t (*real)(void);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "fork");
	return fails(K_FORK) ? -1 : real();
}

int
pipe2(int fds[2], int flags)
{
	return fails(K_PIPE) ? -1 : (int)syscall(SYS_pipe2, fds, flags);
}

int
pipe(int fds[2])
{
	return pipe2(fds, 0);
}

int
connect(int fd, const struct sockaddr *to, socklen_t n)
{
	return fails(K_CONNECT) ? -1 : (int)syscall(SYS_connect, fd, to, n);
}

/* The clock is set at the Nth look at it, and stays so. */
int
clock_gettime(clockid_t clock, struct timespec *t)
{
	int rc = (int)syscall(SYS_clock_gettime, clock, t);

	if (clock != CLOCK_REALTIME || (kind != K_BACK && kind != K_AHEAD))
		return rc;
	fails(kind);
	if (state->failed > 0)
		t->tv_sec += kind == K_BACK ? -LEAP : LEAP;
	return rc;
}

time_t
time(time_t *out)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	if (out != NULL)
		*out = t.tv_sec;
	return t.tv_sec;
}
