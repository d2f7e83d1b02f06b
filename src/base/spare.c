/* Room on the disk that is kept for bad days. Contract: base/spare.h. */
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
 * SPARE_LEAST: smaller ones are not worth it. NGINX_MEMORY: fastcgi_buffers of nginx/locations.conf, and less. SPOOL_ROOM: for the answers that
 * other workers give meanwhile.
 */
enum { SPARE_LEAST = 32 << 10, NGINX_MEMORY = 480 << 10, SPOOL_ROOM = 64 << 20 };

/* Debian's folder of nginx's temporary files; the one of `octavo up` is in the data directory. */
static const char NGINX_FOLDER[] = "/var/lib/nginx";

/* False: the path is too long. */
static bool
path_of(char path[PATH_MAX], const char *dir, const char *name)
{
	return snprintf(path, PATH_MAX, "%s/run/%s", dir, name) < PATH_MAX;
}

bool
disk_reserve(int fd, int64_t size)
{
	int error;

	/* It returns the error; a signal may end it early (posix_fallocate(3)). */
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

/* Leaves no more than is asked for: what a file system gave before it was full goes back. */
static bool
reserve_exactly(int fd, int64_t size)
{
	return ftruncate(fd, 0) == 0 && disk_reserve(fd, size);
}

bool
spare_keep(const char *dir)
{
	char path[PATH_MAX], probe[PATH_MAX], name[32];
	int64_t size = SPARE_BYTES;
	struct stat st;
	bool room;
	int fd;

	snprintf(name, sizeof(name), "spare.%d", (int)getpid());
	if (!path_of(path, dir, "spare") || !path_of(probe, dir, name))
		return false;
	/* Tried rather than asked for: statvfs() knows nothing of quotas. */
	fd = open(probe, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	while (!(room = reserve_exactly(fd, size)) && size > SPARE_LEAST)
		size /= 2;
	close(fd);
	if (!room || (stat(path, &st) == 0 && (int64_t)st.st_size >= size) || rename(probe, path) != 0)
		unlink(probe);
	return room && size == SPARE_BYTES;
}

bool
spare_release(const char *dir)
{
	char path[PATH_MAX];

	return path_of(path, dir, "spare") && unlink(path) == 0;
}
