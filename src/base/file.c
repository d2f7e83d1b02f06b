/* Files. Contract: base/file.h. */
#include <errno.h>
#include <fcntl.h>
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
