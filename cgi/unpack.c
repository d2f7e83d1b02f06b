/*
 * octavo-unpack FOLDER FILE_BYTES NAME ARCHIVE [NAME ARCHIVE...]: unpacks a zip or tar archive
 * (also compressed) for an import (src/arrive/unpack.h). The archive is hostile input: this program has
 * no database and no network, and its parent limits its memory and time.
 *
 * ARCHIVE is a file, or a folder whose files are the parts of one archive, in the order of their names.
 * Several archives are unpacked into one list; one that is none is left out. NAME is for messages.
 *
 * Each file is written as FOLDER/NUMBER, never under its own name. FOLDER/list has a line for each
 * file:
 *
 *   NUMBER SIZE SECONDS PATH     a file; seconds since 1970, 0: unknown
 *   !PATH<tab>MESSAGE            an entry that was left out, and the reason
 *
 * Only gzip, bzip2, xz and zstd are read as compressions, because libarchive starts other programs for
 * some. Entries that are left out: paths that lead out of the archive, names that are not UTF-8 or have
 * control characters, links, devices, encrypted files, and files over FILE_BYTES. The total size of
 * the unpacked files is bounded by the size of the archive (RATIO), which stops archive bombs.
 * Memory does not grow with the archive. If the top of an archive contains only zip archives (parts
 * of an export), these are unpacked into one list. After REFUSED lines about entries that were left
 * out, the others are only counted.
 */
#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arrive/foreign.h"
#include "base/arena.h"
#include "base/utf8.h"

/*
 * RATIO, LEAST: limit of the unpacked bytes: RATIO times the bytes of the archive, or LEAST if that
 * is more. FILES: as many as an import accepts. NEST: levels of archives inside the archive.
 * REFUSED: lines of the list about entries that were left out, half of what a report takes. ARCHIVES: as
 * many as an import through the API takes (app/import_file.h).
 */
enum { RATIO = 200, FILES = 500000, PATH_MOST = 1024, BLOCK = 1 << 16, NEST = 2, PARTS = 64, REFUSED = 10000, ARCHIVES = 50 };
#define LEAST ((int64_t)256 << 20)
/* A million parts need less than this. */
#define LIST_BYTES ((size_t)256 << 20)

/*
 * A zip archive at the top of an archive. Its line is written once it is known to be a file, and
 * not a part of an export.
 */
struct part {
	int64_t number, size, at;
	char    path[PATH_MOST + 1];
};

struct unpacking {
	const char *folder;
	FILE       *list;
	int64_t     refused;            /* number of entries that were left out */
	int64_t     file_bytes, left;   /* left: number of bytes that may still be written */
	int64_t     number;
	int64_t     others;             /* files at the top that are not zip archives */
	struct part parts[PARTS];       /* the zip archives at the top */
	size_t      part_count;
	unsigned    depth;
};

static int
give_up(const struct unpacking *u, const char *what, const char *why)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/error", u->folder);
	if ((f = fopen(path, "w")) != NULL) {
		fprintf(f, "%s%s%s", what, *why != '\0' ? ": " : "", why);
		fclose(f);
	}
	return 1;
}

static void
refuse_entry(struct unpacking *u, const char *path, const char *why)
{
	const char *p;

	if (++u->refused > REFUSED)
		return;
	fputc('!', u->list);
	/* The path may be the fault, so control characters are replaced. */
	for (p = path; *p != '\0' && p - path < 300; p++)
		fputc((unsigned char)*p < ' ' || *p == 0x7f ? '?' : *p, u->list);
	fprintf(u->list, "\t%s; left out\n", why);
}

/*
 * Why a name is refused; NULL: it is accepted. Backslashes, which some programs write, are replaced
 * by slashes.
 */
static const char *
name_fault(char *path)
{
	struct str s = str_of(path);
	size_t i, from = 0;

	if (s.n > PATH_MOST)
		return "its path is too long";
	if (!utf8_valid(s))
		return "its name is no UTF-8";
	for (i = 0; i < s.n; i++) {
		if (path[i] == '\\')
			path[i] = '/';
		if ((unsigned char)path[i] < ' ' || path[i] == 0x7f)
			return "its name has a control character";
	}
	if (path[0] == '/' || (s.n > 1 && path[1] == ':'))
		return "its path is absolute";
	for (i = 0; i <= s.n; i++)
		if (i == s.n || path[i] == '/') {
			if (i - from == 2 && memcmp(path + from, "..", 2) == 0)
				return "its path leads out of the archive";
			from = i + 1;
		}
	return NULL;
}

/* Removes "./" and repeated slashes. */
static void
tidy_path(char *path)
{
	char *to = path, *p = path;

	while (*p != '\0') {
		if (*p == '/' && (to == path || to[-1] == '/')) {
			p++;
		} else if (*p == '.' && (to == path || to[-1] == '/') && (p[1] == '/' || p[1] == '\0')) {
			p += p[1] == '/' ? 2 : 1;
		} else {
			*to++ = *p++;
		}
	}
	*to = '\0';
}

static const char *
type_fault(struct archive_entry *e)
{
	if (archive_entry_hardlink(e) != NULL || archive_entry_filetype(e) == AE_IFLNK)
		return "it is a link, and links are not followed";
	if (archive_entry_filetype(e) != AE_IFREG)
		return "it is neither a file nor a folder";
	if (archive_entry_is_encrypted(e))
		return "it is encrypted";
	return NULL;
}

/*
 * Writes the file and sets *size to its bytes. NULL, or the reason why the file is refused;
 * *failed: the disk failed.
 */
static const char *
write_file(struct unpacking *u, struct archive *a, const char *to, int64_t *size, bool *failed)
{
	char block[BLOCK];
	int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	const char *why = NULL;
	ssize_t n = 0;

	*size = 0;
	*failed = fd < 0;
	while (!*failed && why == NULL && (n = archive_read_data(a, block, sizeof(block))) > 0) {
		*size += n;
		u->left -= n;
		if (*size > u->file_bytes)
			why = "it is larger than an import takes";
		else if (u->left < 0)
			why = "the archive holds far more than its own size";
		else
			*failed = write(fd, block, (size_t)n) != n;
	}
	if (n < 0)
		why = "it is damaged";
	if (fd >= 0)
		close(fd);
	if (why != NULL) {
		/* What is behind a bomb still has its room. */
		u->left += *size;
		unlink(to);
	}
	return why;
}

static bool
is_zip(const char *path)
{
	size_t n = strlen(path);

	return n > 4 && strcmp(path + n - 4, ".zip") == 0 && strchr(path, '/') == NULL;
}

static void
list_file(struct unpacking *u, int64_t number, int64_t size, int64_t at, const char *path)
{
	fprintf(u->list, "%lld %lld %lld %s\n", (long long)number, (long long)size, (long long)at, path);
}

static int
take_entry(struct unpacking *u, struct archive *a, struct archive_entry *e, char *path)
{
	char to[4096];
	const char *why;
	int64_t size, at;
	bool failed;

	snprintf(to, sizeof(to), "%s/%lld", u->folder, (long long)u->number);
	why = write_file(u, a, to, &size, &failed);
	if (failed)
		return give_up(u, "the scratch folder cannot be written", strerror(errno));
	if (why != NULL) {
		refuse_entry(u, path, why);
		return 0;
	}
	at = archive_entry_mtime_is_set(e) ? (int64_t)archive_entry_mtime(e) : 0;
	if (is_zip(path) && u->depth < NEST && u->part_count < PARTS) {
		struct part *p = &u->parts[u->part_count++];
		*p = (struct part){ .number = u->number, .size = size, .at = at };
		/* name_fault() has refused longer paths. */
		memcpy(p->path, path, strnlen(path, PATH_MOST));
	} else {
		u->others++;
		list_file(u, u->number, size, at, path);
	}
	u->number++;
	return 0;
}

static int
read_entry(struct unpacking *u, struct archive *a, struct archive_entry *e)
{
	const char *name = archive_entry_pathname_utf8(e), *why;
	char path[PATH_MOST * 4];

	if (name == NULL)
		name = archive_entry_pathname(e);
	if (name == NULL || archive_entry_filetype(e) == AE_IFDIR)
		return 0;
	snprintf(path, sizeof(path), "%s", name);
	why = strlen(name) >= sizeof(path) ? "its path is too long" : name_fault(path);
	if (why == NULL) {
		tidy_path(path);
		/* Again, for what was behind "./". */
		why = name_fault(path);
	}
	if (why == NULL)
		why = type_fault(e);
	if (why == NULL && u->number >= FILES)
		why = "the archive has more files than an import takes";
	if (why != NULL) {
		refuse_entry(u, path, why);
		return 0;
	}
	return *path == '\0' || path_is_foreign(str_of(path)) ? 0 : take_entry(u, a, e, path);
}

/*
 * Reports a file that is no archive, or damaged. name NULL: it is the archive itself, and the
 * program ends. Otherwise it is a part of an export, which is omitted.
 */
static int
no_archive(struct unpacking *u, const char *name, struct archive *a)
{
	const char *why = archive_error_string(a) != NULL ? archive_error_string(a) : "";

	if (name == NULL)
		return give_up(u, "it is neither zip nor tar, or damaged", why);
	refuse_entry(u, name, "it is no zip archive, or damaged");
	return 0;
}

static int
is_part(const struct dirent *e)
{
	return e->d_name[0] >= '0' && e->d_name[0] <= '9';
}

/*
 * Lists the files of an archive in order, ending with NULL; adds their bytes to *size. NULL: errno
 * is set.
 */
static const char **
list_files(struct arena *a, const char *path, int64_t *size)
{
	struct dirent **entries = NULL;
	const char **files;
	struct stat st;
	bool ok = true;
	int n = 0, i;

	if (stat(path, &st) != 0 || (S_ISDIR(st.st_mode) && (n = scandir(path, &entries, is_part, alphasort)) < 0))
		return NULL;
	files = arena_alloc(a, ((size_t)n + 2) * sizeof(*files));
	files[0] = path;
	files[1] = NULL;
	if (!S_ISDIR(st.st_mode))
		*size += st.st_size;
	for (i = 0; i < n; i++) {
		files[i] = arena_printf(a, "%s/%s", path, entries[i]->d_name);
		files[i + 1] = NULL;
		ok = ok && stat(files[i], &st) == 0;
		*size += st.st_size;
		free(entries[i]);
	}
	free(entries);
	return ok ? files : NULL;
}

/* files: as list_files() returns them. name: of a part, or NULL. */
static int
read_archive(struct unpacking *u, const char **files, const char *name)
{
	struct archive *a = archive_read_new();
	int64_t before = u->number;
	struct archive_entry *e;
	int rc, done = 0;

	archive_read_support_format_zip(a);
	archive_read_support_format_tar(a);
	archive_read_support_filter_gzip(a);
	archive_read_support_filter_bzip2(a);
	archive_read_support_filter_xz(a);
	archive_read_support_filter_zstd(a);
	if (archive_read_open_filenames(a, files, BLOCK) != ARCHIVE_OK) {
		done = no_archive(u, name, a);
		archive_read_free(a);
		return done;
	}
	while (done == 0 && (rc = archive_read_next_header(a, &e)) != ARCHIVE_EOF) {
		if (rc < ARCHIVE_WARN) {
			/* A damaged header: the entries after it cannot be found. */
			if (u->number == before)
				done = no_archive(u, name, a);
			else
				refuse_entry(u, name != NULL ? name : "the rest of the archive", name != NULL ? "the rest of it is damaged" : "it is damaged");
			break;
		}
		done = read_entry(u, a, e);
	}
	archive_read_free(a);
	return done;
}

/* Unpacks the parts of an export into one list. If there are other files at the top, the zip archives are files, too. */
static int
read_parts(struct unpacking *u)
{
	static struct part parts[NEST + 1][PARTS];
	struct part *list = parts[u->depth];
	size_t i, n = u->part_count;
	char path[4096];
	int done = 0;

	for (i = 0; i < n && u->others > 0; i++)
		list_file(u, u->parts[i].number, u->parts[i].size, u->parts[i].at, u->parts[i].path);
	if (u->others > 0 || n == 0)
		return 0;
	memcpy(list, u->parts, sizeof(u->parts));
	u->part_count = 0;
	u->depth++;
	for (i = 0; i < n && done == 0; i++) {
		snprintf(path, sizeof(path), "%s/%lld", u->folder, (long long)list[i].number);
		done = read_archive(u, (const char *[]){ path, NULL }, list[i].path);
		unlink(path);
	}
	return done != 0 ? done : read_parts(u);
}

/* Completes the list with a line about the entries that were only counted. */
static int
close_list(struct unpacking *u)
{
	bool failed;

	if (u->refused > REFUSED)
		fprintf(u->list, "!\t%lld more files of the archive are left out\n", (long long)(u->refused - REFUSED));
	failed = ferror(u->list) != 0;
	return fclose(u->list) != 0 || failed ? give_up(u, "the scratch folder cannot be written", strerror(errno)) : 0;
}

/*
 * Unpacks the archives; each argument with a name is followed by its archive. A single archive
 * needs no name in messages. The lists of their files are in a.
 */
static int
read_archives(struct unpacking *u, struct arena *a, char **archive)
{
	const char **files[ARCHIVES];
	int64_t size = 0;
	size_t n, i;
	int rc = 0;

	for (n = 0; n < ARCHIVES && archive[2 * n] != NULL; n++)
		if ((files[n] = list_files(a, archive[2 * n + 1], &size)) == NULL)
			return give_up(u, "it cannot be read", strerror(errno));
	u->left = size * RATIO > LEAST ? size * RATIO : LEAST;
	for (i = 0; i < n && rc == 0; i++)
		rc = read_archive(u, files[i], n == 1 ? NULL : archive[2 * i]);
	return rc != 0 ? rc : read_parts(u);
}

int
main(int argc, char **argv)
{
	static struct unpacking u;
	struct arena *a;
	char path[4096];
	int rc;

	if (argc < 5 || argc % 2 == 0) {
		fprintf(stderr, "octavo-unpack FOLDER FILE_BYTES NAME ARCHIVE [NAME ARCHIVE...]: started by octavo-jobs\n");
		return 2;
	}
	/* Names in archives are read as UTF-8, whatever the locale of this machine is. */
	setlocale(LC_CTYPE, "C.UTF-8");
	u.folder = argv[1];
	u.file_bytes = strtoll(argv[2], NULL, 10);
	snprintf(path, sizeof(path), "%s/list", u.folder);
	if ((u.list = fopen(path, "w")) == NULL)
		return give_up(&u, "the scratch folder cannot be written", strerror(errno));
	a = arena_new(LIST_BYTES);
	rc = read_archives(&u, a, argv + 3);
	arena_free(a);
	return rc != 0 ? rc : close_list(&u);
}
