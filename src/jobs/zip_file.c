/* Writes zip archives with libarchive. Contract: zip_file.h. */
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include "zip_file.h"

struct zip_file {
	struct arena   *arena;
	struct archive *archive;
	const char     *error;
};

static bool
note_error(struct zip_file *z, int rc)
{
	const char *why = archive_error_string(z->archive);

	if (rc < ARCHIVE_WARN && z->error == NULL)
		z->error = arena_strdup(z->arena, why != NULL ? why : "the archive cannot be written");
	return z->error != NULL;
}

struct zip_file *
zip_open(struct arena *a, const char *path, const char **error)
{
	struct zip_file *z = arena_alloc(a, sizeof(*z));

	/* libarchive marks names as UTF-8 if this is the process's encoding. */
	setlocale(LC_CTYPE, "C.UTF-8");
	*z = (struct zip_file){ .arena = a, .archive = archive_write_new() };
	*error = "out of memory";
	if (z->archive == NULL)
		return NULL;
	if (!note_error(z, archive_write_set_format_zip(z->archive)) &&
	    !note_error(z, archive_write_open_filename(z->archive, path)))
		return z;
	*error = z->error;
	archive_write_free(z->archive);
	return NULL;
}

void
zip_add(struct zip_file *z, const char *name, struct str bytes, int64_t at)
{
	struct archive_entry *e = archive_entry_new();
	la_ssize_t n = 0;

	archive_entry_set_pathname(e, name);
	archive_entry_set_size(e, (la_int64_t)bytes.n);
	archive_entry_set_filetype(e, AE_IFREG);
	archive_entry_set_perm(e, 0644);
	archive_entry_set_mtime(e, (time_t)(at / 1000), 0);
	if (z->error == NULL && !note_error(z, archive_write_header(z->archive, e)) && bytes.n > 0)
		n = archive_write_data(z->archive, bytes.p, bytes.n);
	if (n < 0)
		note_error(z, ARCHIVE_FATAL);
	archive_entry_free(e);
}

const char *
zip_close(struct zip_file *z)
{
	if (z->error == NULL)
		note_error(z, archive_write_close(z->archive));
	archive_write_free(z->archive);
	return z->error;
}
