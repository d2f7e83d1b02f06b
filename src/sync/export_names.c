/* Names of new files. Contract: export_parts.h. */
#include <string.h>
#include <strings.h>

#include "base/slug.h"
#include "export_parts.h"

/*
 * Limit in bytes for one path component: leaves room for a number and an extension below the 255 of
 * most file systems.
 */
enum { PART_MAX = 200 };

/*
 * Device names on Windows. They are reserved also when a dot or a blank and more text follow
 * (Microsoft, "Naming Files, Paths, and Namespaces"; the last six use superscript digits).
 */
static const char *const devices[] = { "con", "prn", "aux", "nul", "conin$", "conout$", "clock$",
	"com\xc2\xb9", "com\xc2\xb2", "com\xc2\xb3", "lpt\xc2\xb9", "lpt\xc2\xb2", "lpt\xc2\xb3" };

static bool
is_device(const char *part, size_t n)
{
	size_t i;

	n = n < strcspn(part, ".:") ? n : strcspn(part, ".:");
	while (n > 0 && part[n - 1] == ' ')
		n--;
	if (n == 4 && (strncasecmp(part, "com", 3) == 0 || strncasecmp(part, "lpt", 3) == 0) && part[3] >= '0' && part[3] <= '9')
		return true;
	for (i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		if (strlen(devices[i]) == n && strncasecmp(part, devices[i], n) == 0)
			return true;
	return false;
}

/* Writes one component of a path; characters that Windows refuses become hyphens. */
static void
put_part(struct buf *b, const char *part, size_t n, const char *stand_in)
{
	size_t i;

	/* Do not cut inside a UTF-8 character. */
	for (i = n; n > PART_MAX; n = i)
		for (i = PART_MAX; i > 0 && ((unsigned char)part[i] & 0xc0) == 0x80; i--)
			;
	/* Windows drops dots and blanks at the end of a name, and then does not find the file. */
	while (n > 0 && (part[n - 1] == '.' || part[n - 1] == ' '))
		n--;
	if (n == 0)
		buf_str(b, stand_in);
	else if (is_device(part, n))
		buf_printf(b, "%s-", stand_in);
	for (i = 0; i < n; i++)
		buf_char(b, (unsigned char)part[i] < ' ' || part[i] == 0x7f || strchr("<>:\"|?*\\/", part[i]) != NULL ? '-' : part[i]);
}

const char *
export_name(struct arena *a, const char *path, const char *stand_in)
{
	struct buf b;
	size_t n;

	buf_init(&b, a, strlen(path) * 8 + 64);
	for (; *path != '\0'; path += n + (path[n] == '/')) {
		n = strcspn(path, "/");
		if (b.n > 0)
			buf_char(&b, '/');
		/* A name that begins with a dot would be hidden: ".env" becomes "page.env". put_part() replaces a part of dots and blanks only. */
		if (n > 0 && path[0] == '.' && strspn(path, ". ") < n)
			buf_str(&b, stand_in);
		put_part(&b, path, n, stand_in);
	}
	return b.n == 0 ? stand_in : b.p;
}

const char *
export_file_name(struct arena *a, const char *title)
{
	struct buf b;

	buf_init(&b, a, strlen(title) + 64);
	put_part(&b, title, strlen(title), "file");
	return b.p;
}

/* The slug, else the name of its file in another repository, from which it was imported (git_path), else the title. */
const char *
export_reusable_name(struct arena *a, const struct node *n)
{
	const char *file = n->git_path;
	size_t len;

	if (*n->slug != '\0')
		return export_name(a, n->slug, "content");
	if (file != NULL && strrchr(file, '/') != NULL)
		file = strrchr(file, '/') + 1;
	len = file == NULL ? 0 : strlen(file);
	if (len > 3 && strcmp(file + len - 3, ".md") == 0)
		return export_name(a, arena_strndup(a, file, len - 3), "content");
	return *n->title == '\0' ? "content" : export_name(a, slug_from_title(a, str_of(n->title)), "content");
}
