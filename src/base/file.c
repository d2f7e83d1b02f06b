/* Files. Contract: base/file.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

bool
folder_make(int at, const char *path, unsigned mode)
{
	if (mkdirat(at, path, (mode_t)mode) != 0)
		return errno == EEXIST;
	return fchmodat(at, path, (mode_t)mode, 0) == 0;
}

int
file_open_shared(int at, const char *path, bool append)
{
	int fd = openat(at, path, O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : O_TRUNC), SHARED_FILE);

	if (fd >= 0 && fchmod(fd, SHARED_FILE) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

bool
file_read(struct arena *a, const char *path, struct str *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	ssize_t n = -1;
	size_t done = 0;
	char *p;

	if (fd < 0 || fstat(fd, &st) != 0) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	p = arena_bytes(a, (size_t)st.st_size + 1);
	while (done < (size_t)st.st_size && (n = read(fd, p + done, (size_t)st.st_size - done)) > 0)
		done += (size_t)n;
	close(fd);
	p[done] = '\0';
	*out = (struct str){ p, done };
	return done == (size_t)st.st_size;
}

/* ---- folders ---- */

bool
folder_is_empty(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;
	bool any = d == NULL;

	while (!any && (e = readdir(d)) != NULL)
		any = strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	if (d != NULL)
		closedir(d);
	return !any;
}

static bool empty_open(int fd, const char *keep);

static bool
remove_at(int at, const char *name)
{
	int fd;

	if (unlinkat(at, name, 0) == 0)
		return true;
	if (errno == EISDIR && (fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) >= 0) {
		empty_open(fd, NULL);
		close(fd);
	}
	return unlinkat(at, name, AT_REMOVEDIR) == 0;
}

/*
 * Lists the entries once and deletes them. Returns the number of deleted entries; *left: how many
 * could not be deleted.
 */
static int
empty_pass(int fd, const char *keep, int *left)
{
	_Alignas(struct dirent64) char piece[4096];
	struct dirent64 *e;
	int gone = 0;
	ssize_t n;

	*left = 0;
	lseek(fd, 0, SEEK_SET);
	while ((n = getdents64(fd, piece, sizeof(piece))) > 0)
		for (ssize_t at = 0; at < n; at += e->d_reclen) {
			e = (struct dirent64 *)(void *)(piece + at);
			if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || (keep != NULL && strcmp(e->d_name, keep) == 0))
				continue;
			*(remove_at(fd, e->d_name) ? &gone : left) += 1;
		}
	*left += n < 0;
	return gone;
}

/*
 * A pass may miss entries while others are deleted, so repeat until one deletes nothing. The
 * recursion is as deep as the folders.
 */
static bool
empty_open(int fd, const char *keep)
{
	int left;

	while (empty_pass(fd, keep, &left) > 0)
		;
	return left == 0;
}

bool
folder_empty(const char *path, const char *keep)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool ok;

	if (fd < 0)
		return false;
	ok = empty_open(fd, keep);
	close(fd);
	return ok;
}

bool
folder_remove(const char *path)
{
	return remove_at(AT_FDCWD, path);
}
