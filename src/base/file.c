/* A file read whole. Contract: base/file.h. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

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
