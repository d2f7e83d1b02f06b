/* Files of an export: folders, archives, and the passphrase. Contract: leave_parts.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../backup/tar.h"
#include "base/file.h"
#include "base/json.h"
#include "leave_parts.h"

enum { PIECE = 1 << 16, NOTE_BYTES = 1 << 16, NAME_MOST = 100 };

/* ---- packing ---- */

struct packing {
	struct leave *l;
	struct arena *arena;
	FILE         *out;
	size_t        skip;     /* length of the path of the folder that is packed */
	int64_t       now;      /* time in seconds for all entries */
	const char   *error;
};

/* Copies n bytes. l: the export, whose cancellation is checked meanwhile; NULL: not an export. */
static bool
copy_bytes(struct leave *l, FILE *in, FILE *out, int64_t n)
{
	char piece[PIECE];
	size_t want;

	for (; n > 0; n -= (int64_t)want) {
		if (l != NULL && !leave_goes_on(l, "packing", false))
			return false;
		want = n < PIECE ? (size_t)n : PIECE;
		if (fread(piece, 1, want, in) != want || (out != NULL && fwrite(piece, 1, want, out) != want))
			return false;
	}
	return true;
}

static bool
pack_file(struct packing *p, const char *path, int64_t size)
{
	const char *name = path + p->skip;
	FILE *in = strlen(name) > NAME_MOST ? NULL : fopen(path, "re");
	bool ok;

	if (in == NULL) {
		p->error = arena_printf(p->arena, "%s: cannot be packed", name);
		return false;
	}
	ok = tar_put(p->out, name, 0600, size, p->now) && copy_bytes(p->l, in, p->out, size) && tar_pad(p->out, size);
	if (!ok)
		p->error = p->l->error != NULL ? p->l->error : arena_printf(p->arena, "%s: %s", name, strerror(errno));
	fclose(in);
	return ok;
}

static bool
pack_empty(struct packing *p, const char *path)
{
	const char *name = arena_printf(p->arena, "%s/", path + p->skip);

	if (strlen(name) <= NAME_MOST && tar_put_folder(p->out, name, 0700, p->now))
		return true;
	p->error = arena_printf(p->arena, "%s cannot be packed", name);
	return false;
}

/*
 * Packs the contents of a folder, except the note. An empty folder gets an entry, because a git
 * repository must have some folders even if they are empty. The recursion is as deep as an export,
 * which has six levels because of the repositories.
 */
static bool
pack_folder(struct packing *p, const char *path)
{
	struct arena *a = arena_new(1 << 26);
	DIR *d = opendir(path);
	struct dirent *e;
	struct stat st;
	bool ok = d != NULL, any = false;

	if (d == NULL)
		p->error = arena_printf(p->arena, "%s: %s", path, strerror(errno));
	while (ok && (e = readdir(d)) != NULL) {
		const char *one = arena_printf(a, "%s/%s", path, e->d_name);

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || strcmp(one + p->skip, LEAVE_NOTE) == 0 || lstat(one, &st) != 0)
			continue;
		any = true;
		ok = S_ISDIR(st.st_mode) ? pack_folder(p, one) : !S_ISREG(st.st_mode) || pack_file(p, one, st.st_size);
	}
	if (ok && !any && strlen(path) > p->skip)
		ok = pack_empty(p, path);
	if (d != NULL)
		closedir(d);
	arena_free(a);
	return ok;
}

/*
 * Packs the note (LEAVE_NOTE) first, so that a reader of the archive finds it without reading the
 * rest.
 */
static bool
pack_all(struct packing *p, const char *folder)
{
	const char *note = arena_printf(p->arena, "%s/%s", folder, LEAVE_NOTE);
	struct stat st;

	if (stat(note, &st) == 0 && pack_file(p, note, st.st_size) && pack_folder(p, folder) && tar_end(p->out) &&
	    fflush(p->out) == 0 && fsync(fileno(p->out)) == 0)
		return true;
	if (p->error == NULL)
		p->error = arena_printf(p->arena, "%s: %s", folder, strerror(errno));
	return false;
}

bool
leave_pack(struct leave *l, const char *file, const char **error)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct packing p = { .l = l, .arena = l->arena, .out = fd < 0 ? NULL : fdopen(fd, "w"), .skip = strlen(l->to) + 1,
		.now = time_now() / 1000 };

	if (p.out == NULL) {
		*error = arena_printf(l->arena, "%s: %s", file, strerror(errno));
		return false;
	}
	pack_all(&p, l->to);
	if (fclose(p.out) != 0 && p.error == NULL)
		p.error = arena_printf(l->arena, "%s: %s", file, strerror(errno));
	if (p.error != NULL)
		unlink(file);
	*error = p.error;
	return p.error == NULL;
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

/* Names of files in an export that an import reads. */
static bool
is_import_file(const char *name)
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
	FILE *out = is_import_file(e->name) ? make_file(a, folder, e->name) : NULL;
	bool ok = out != NULL || !is_import_file(e->name);

	ok = ok && copy_bytes(NULL, in, out, e->size) && tar_skip_pad(in, e->size);
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
		*error = arena_printf(a, "%s: the archive is damaged, cut, or was packed by another program; unpack it and import the folder", file);
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
	/* Erase the copy that getline() made, so that it is in no core dump. */
	if (line != NULL)
		memset(line, 0, room);
	free(line);
	return name;
}
