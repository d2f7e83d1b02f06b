/* A cache of files that can be made again. Contract: base/kept.h. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/kept.h"

/*
 * LARGE: an entry above this size makes kept_put() check its folder. ABANDONED_S: seconds after
 * which a temporary file is deleted.
 */
enum { LARGE = 64 << 10, ABANDONED_S = 3600 };

/* Returns the path of the folder for the key, one of 256, which are named after the first two digits of keys. */
static char *
entry_folder(struct arena *a, const char *dir, const char *kind, const char *key)
{
	return arena_printf(a, "%s/cache/%s/%.2s", dir, kind, key);
}

/*
 * The last byte of each entry. Entries are not synced, so after a power cut a file may lack bytes
 * at its end. This byte never occurs in UTF-8, so a truncated entry does not end in it.
 */
static const char END = '\xff';

bool
kept_get(struct arena *a, const char *dir, const char *kind, const char *key, struct str *out)
{
	int fd = open(arena_printf(a, "%s/%s", entry_folder(a, dir, kind, key), key + 2), O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *p;
	bool ok;

	if (fd < 0)
		return false;
	/* Check the size before allocating: the file may be anything. */
	ok = fstat(fd, &st) == 0 && st.st_size > 0 && st.st_size <= KEPT_MAX + 1;
	if (ok) {
		p = arena_bytes(a, (size_t)st.st_size);
		ok = read(fd, p, (size_t)st.st_size) == st.st_size && p[st.st_size - 1] == END;
		/* Replace the end mark by a NUL. */
		p[st.st_size - 1] = '\0';
		*out = (struct str){ p, (size_t)st.st_size - 1 };
	}
	close(fd);
	return ok;
}

/*
 * Deletes a temporary file that a killed process left. Its name contains a process id, which may
 * not be used again for long.
 */
static void
drop_abandoned(DIR *d, const char *name)
{
	struct stat st;

	if (isdigit((unsigned char)name[1]) && fstatat(dirfd(d), name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    time(NULL) - st.st_mtime > ABANDONED_S)
		unlinkat(dirfd(d), name, 0);
}

/*
 * Empties the folder if it is too large. All entries are deleted and not only the oldest, because
 * then no times of use must be stored; entries that are still needed are made again. A process that
 * has an entry open can still read it.
 */
static void
empty_if_over(struct arena *a, const char *folder, int most)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	struct stat st;
	off_t bytes = 0;
	int n = 0;

	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL)
		if (*e->d_name == '.')
			drop_abandoned(d, e->d_name);
		else if (fstatat(dirfd(d), e->d_name, &st, 0) == 0) {
			bytes += st.st_size;
			n++;
		}
	if (n > most || bytes > KEPT_FOLDER_BYTES) {
		rewinddir(d);
		while ((e = readdir(d)) != NULL)
			if (*e->d_name != '.')
				unlink(arena_printf(a, "%s/%s", folder, e->d_name));
	}
	closedir(d);
}

/* Called only if opening a file failed: usually the folders exist. */
static void
make_folders(struct arena *a, const char *dir, const char *kind, const char *folder)
{
	folder_make(AT_FDCWD, arena_printf(a, "%s/cache", dir), DATA_FOLDER);
	mkdir(arena_printf(a, "%s/cache/%s", dir, kind), 0700);
	mkdir(folder, 0700);
}

void
kept_put(struct arena *a, const char *dir, const char *kind, const char *key, struct str bytes, int most)
{
	char *folder = entry_folder(a, dir, kind, key);
	char *temporary = arena_printf(a, "%s/.%ld", folder, (long)getpid());
	int fd;
	bool ok;

	if (bytes.n > KEPT_MAX)
		return;
	/* True for one key in sixteen: keys are hashes, so this digit serves as a random number. */
	if (key[2] == '0' || bytes.n > LARGE)
		empty_if_over(a, folder, most);
	fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 && errno == ENOENT) {
		make_folders(a, dir, kind, folder);
		fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	}
	if (fd < 0)
		return;
	ok = write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n && write(fd, &END, 1) == 1;
	/* close() may report a full disk that write() did not report (close(2)). */
	ok = close(fd) == 0 && ok;
	if (!ok || rename(temporary, arena_printf(a, "%s/%s", folder, key + 2)) != 0)
		unlink(temporary);
}
