/* Files of an export: folders, archives, the passphrase. Contract: leave_parts.h. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../backup/tar.h"
#include "base/file.h"
#include "base/json.h"
#include "leave_parts.h"

enum { PIECE = 1 << 17, NOTE_BYTES = 1 << 16, FOLDERS_OPEN = 16, NAME_MOST = 100 };

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st;
	(void)type;
	(void)f;
	return remove(path);
}

void
leave_remove(const char *path)
{
	nftw(path, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
}

/* ---- packing ---- */

/* nftw() passes no context. */
static struct packing {
	struct arena *arena;
	FILE         *out;
	size_t        skip;     /* length of the folder's own path */
	int64_t       now;      /* seconds */
	const char   *error;
} packing;

static bool
carry(FILE *in, FILE *out, int64_t n)
{
	static char piece[PIECE];
	size_t want;

	for (; n > 0; n -= (int64_t)want) {
		want = n < PIECE ? (size_t)n : PIECE;
		if (fread(piece, 1, want, in) != want || (out != NULL && fwrite(piece, 1, want, out) != want))
			return false;
	}
	return true;
}

static int
pack_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
	const char *name = path + packing.skip;
	FILE *in;
	bool ok;

	(void)f;
	if (type != FTW_F || !S_ISREG(st->st_mode) || (strcmp(name, LEAVE_NOTE) == 0) != (packing.now < 0))
		return 0;
	if (strlen(name) > NAME_MOST || (in = fopen(path, "re")) == NULL) {
		packing.error = arena_printf(packing.arena, "%s: cannot be packed", name);
		return 1;
	}
	ok = tar_put(packing.out, name, 0600, st->st_size, time_now() / 1000) && carry(in, packing.out, st->st_size) &&
	    tar_pad(packing.out, st->st_size);
	fclose(in);
	if (!ok)
		packing.error = arena_printf(packing.arena, "%s: %s", name, strerror(errno));
	return ok ? 0 : 1;
}

bool
leave_pack(struct arena *a, const char *folder, const char *file, const char **error)
{
	const char *temp = arena_printf(a, "%s.new", file);
	int fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	packing = (struct packing){ .arena = a, .out = fd < 0 ? NULL : fdopen(fd, "w"), .skip = strlen(folder) + 1, .now = -1 };
	if (packing.out == NULL) {
		*error = arena_printf(a, "%s: %s", temp, strerror(errno));
		return false;
	}
	/* The note first (now < 0), so that a reader of the archive finds it at once; then all else. */
	nftw(folder, pack_one, FOLDERS_OPEN, FTW_PHYS);
	packing.now = time_now() / 1000;
	if (packing.error == NULL)
		nftw(folder, pack_one, FOLDERS_OPEN, FTW_PHYS);
	if (!tar_end(packing.out) || fflush(packing.out) != 0 || fsync(fd) != 0)
		packing.error = packing.error != NULL ? packing.error : arena_printf(a, "%s: %s", temp, strerror(errno));
	if (fclose(packing.out) != 0 || (packing.error == NULL && rename(temp, file) != 0))
		packing.error = packing.error != NULL ? packing.error : arena_printf(a, "%s: %s", file, strerror(errno));
	if (packing.error != NULL)
		unlink(temp);
	*error = packing.error;
	return packing.error == NULL;
}

/* ---- unpacking ---- */

static bool
has_form(const char *name, const char *before, const char *chars, const char *after)
{
	size_t n = strlen(before), k;

	if (strncmp(name, before, n) != 0)
		return false;
	k = strspn(name + n, chars);
	return k > 0 && strcmp(name + n + k, after) == 0;
}

/* Names of an export that an import reads. */
static bool
is_read(const char *name)
{
	static const char digits[] = "0123456789abcdef";

	if (strcmp(name, LEAVE_NOTE) == 0 || strcmp(name, LEAVE_SECRETS) == 0)
		return true;
	if (has_form(name, "records/", "abcdefghijklmnopqrstuvwxyz_", ".jsonl"))
		return true;
	return strncmp(name, "files/", 6) == 0 && strspn(name + 6, digits) == 2 && name[8] == '/' && strlen(name + 9) == 62 &&
	    strspn(name + 9, digits) == 62;
}

static FILE *
make_file(struct arena *a, const char *folder, const char *name)
{
	const char *path = arena_printf(a, "%s/%s", folder, name), *slash;

	for (slash = strchr(path + strlen(folder) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
		if (!folder_make(AT_FDCWD, arena_strndup(a, path, (size_t)(slash - path)), 0700))
			return NULL;
	return fopen(path, "we");
}

static bool
unpack_one(struct arena *a, FILE *in, const struct tar_entry *e, const char *folder)
{
	FILE *out = is_read(e->name) ? make_file(a, folder, e->name) : NULL;
	bool ok = out != NULL || !is_read(e->name);

	ok = ok && carry(in, out, e->size) && tar_skip_pad(in, e->size);
	return (out == NULL || fclose(out) == 0) && ok;
}

bool
leave_unpack(struct arena *a, const char *file, const char *folder, const char **error)
{
	FILE *in = fopen(file, "re");
	struct arena *names = arena_new(1 << 20);
	struct tar_entry e;
	int rc = -1;

	*error = in == NULL ? arena_printf(a, "%s: %s", file, strerror(errno)) : NULL;
	while (in != NULL && *error == NULL && (rc = tar_next(in, &e)) > 0) {
		errno = 0;
		if (!unpack_one(names, in, &e, folder))
			*error = arena_printf(a, "%s in %s: %s", e.name, file, errno != 0 ? strerror(errno) : "the archive is cut");
		arena_reset(names);
	}
	if (*error == NULL && rc < 0)
		*error = arena_printf(a, "%s: the archive is damaged, or cut", file);
	arena_free(names);
	if (in != NULL)
		fclose(in);
	return *error == NULL;
}

/* ---- the note ---- */

char *
leave_note_text(struct arena *a, const char *path)
{
	struct tar_entry e = { .name = "" };
	struct stat st;
	struct str text;
	char *out = NULL;
	FILE *f;

	if (stat(path, &st) != 0)
		return NULL;
	if (S_ISDIR(st.st_mode))
		return file_read(a, arena_printf(a, "%s/%s", path, LEAVE_NOTE), &text) ? arena_strndup(a, text.p, text.n) : NULL;
	if (!S_ISREG(st.st_mode) || (f = fopen(path, "re")) == NULL)
		return NULL;
	if (tar_next(f, &e) > 0 && strcmp(e.name, LEAVE_NOTE) == 0 && e.size < NOTE_BYTES) {
		out = arena_alloc(a, (size_t)e.size + 1);
		if (fread(out, 1, (size_t)e.size, f) != (size_t)e.size)
			out = NULL;
	}
	fclose(f);
	return out;
}

bool
leave_is_export(struct arena *a, const char *path)
{
	return leave_note_text(a, path) != NULL;
}

/* ---- the passphrase ---- */

const char *
leave_passphrase(struct cli *c)
{
	const char *name = cli_option(c, "passphrase-file");
	char *line = NULL;
	size_t room = 0;
	ssize_t n = -1;
	FILE *f;

	if (name == NULL) {
		cli_usage(c, "the secrets are sealed by a passphrase: --passphrase-file FILE (its first line; -: standard input)");
		return NULL;
	}
	f = strcmp(name, "-") == 0 ? stdin : fopen(name, "re");
	if (f != NULL)
		n = getline(&line, &room, f);
	if (f != NULL && f != stdin)
		fclose(f);
	while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r'))
		n--;
	name = n < 0 ? NULL : arena_strndup(c->arena, line, (size_t)n);
	if (f == NULL)
		cli_fail(c, "%s: %s", cli_option(c, "passphrase-file"), strerror(errno));
	else if (n < SEALED_LEAST) {
		cli_fail(c, "the passphrase needs %d bytes at least", SEALED_LEAST);
		name = NULL;
	}
	/* Static analysers and core dumps: the copy that getline() made is not needed any more. */
	if (line != NULL)
		memset(line, 0, room);
	free(line);
	return name;
}
