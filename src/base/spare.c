/* Reserves disk space, so that programs can start when the disk is full. Contract: base/spare.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/spare.h"

/*
 * SPARE_STEP: the block size of most file systems. SPARE_PART: bytes that are freed for a start.
 * The first start after an upgrade takes 350 KiB (files with counters and charges, the index of the
 * write-ahead log, nginx.conf), later ones take almost nothing. NGINX_MEMORY: size of an answer
 * that fits into nginx's memory, at most that of fastcgi_buffers in nginx/locations.conf.
 * SPOOL_ROOM: disk space for answers that other workers send at the same time.
 */
enum { SPARE_STEP = 4 << 10, SPARE_PART = 512 << 10, NGINX_MEMORY = 480 << 10, SPOOL_ROOM = 64 << 20 };

/* Debian's folder for temporary files of nginx. An nginx that `octavo up` starts has it in the data directory. */
static const char NGINX_FOLDER[] = "/var/lib/nginx";

/* Makes the path of a file in DIR/run. False: the path is too long. */
static bool
make_path(char path[PATH_MAX], const char *dir, const char *name)
{
	return snprintf(path, PATH_MAX, "%s/run/%s", dir, name) < PATH_MAX;
}

bool
disk_reserve(int fd, int64_t size)
{
	int error;

	/* Returns the error instead of setting errno; a signal may end it early (posix_fallocate(3)). */
	do
		error = posix_fallocate(fd, 0, (off_t)size);
	while (error == EINTR);
	errno = error;
	return error == 0;
}

void *
disk_map(const char *path, size_t size, int *fd)
{
	void *p;

	if ((*fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600)) < 0)
		return NULL;
	p = disk_reserve(*fd, (int64_t)size) ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0) : MAP_FAILED;
	if (p != MAP_FAILED)
		return p;
	close(*fd);
	*fd = -1;
	return NULL;
}

bool
disk_is_short(const char *dir, int64_t bytes)
{
	struct statvfs v;

	return statvfs(dir, &v) == 0 && (int64_t)v.f_bavail * (int64_t)v.f_frsize < bytes;
}

const char *
spool_header(const char *dir, size_t bytes)
{
	int64_t want = SPOOL_ROOM + (int64_t)bytes;

	return bytes > NGINX_MEMORY && (disk_is_short(dir, want) || disk_is_short(NGINX_FOLDER, want)) ?
	    "X-Accel-Buffering: no\r\n" : "";
}

/*
 * Extends a file of `size` bytes by `more` bytes with allocated blocks. If the disk becomes full,
 * the file gets its former size again.
 */
static bool
extend_file(int fd, int64_t size, int64_t more)
{
	if (disk_reserve(fd, size + more))
		return true;
	/* If this fails, the blocks are freed when the file is deleted. */
	(void)!ftruncate(fd, (off_t)size);
	return false;
}

void
spare_hold(const char *dir)
{
	char path[PATH_MAX];
	struct stat st;
	int64_t size;
	int fd;

	if (!make_path(path, dir, "spare") || (fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) < 0)
		return;
	size = fstat(fd, &st) == 0 && (int64_t)st.st_size < SPARE_BYTES ? (int64_t)st.st_size : SPARE_BYTES;
	/* In a copy of the data directory the file may be sparse, without blocks. */
	if (!extend_file(fd, 0, size))
		size = 0;
	for (int64_t more = SPARE_BYTES; more >= SPARE_STEP; more /= 2)
		while (size + more <= SPARE_BYTES && extend_file(fd, size, more))
			size += more;
	close(fd);
}

/* On a full disk nothing is reserved: a start may need the room at this moment. */
void
spare_keep(const char *dir)
{
	if (!disk_is_short(dir, 2 * SPARE_BYTES))
		spare_hold(dir);
}

bool
spare_release(const char *dir)
{
	char path[PATH_MAX];
	struct stat st;
	off_t rest;

	if (!make_path(path, dir, "spare") || stat(path, &st) != 0 || st.st_size == 0)
		return false;
	rest = st.st_size > SPARE_PART ? st.st_size - SPARE_PART : 0;
	return truncate(path, rest) == 0;
}

/* Tries to allocate, since statvfs() does not consider quotas. */
static bool
has_room(const char *dir)
{
	char path[PATH_MAX], name[32];
	bool room;
	int fd;

	snprintf(name, sizeof(name), "room.%d", (int)getpid());
	if (!make_path(path, dir, name) || (fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) < 0)
		return false;
	room = disk_reserve(fd, SPARE_PART);
	close(fd);
	unlink(path);
	return room;
}

void
spare_lend(const char *dir)
{
	if (!has_room(dir))
		spare_release(dir);
}
