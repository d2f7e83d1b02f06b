/*
 * Adds what Cairo 1.16 does not write: the language of the text, and the setting by which viewers
 * show the title instead of the file's name. Both are entries of the catalog object, which is
 * replaced by an incremental update (ISO 32000-1, 7.5.6): a new version of the object, a
 * cross-reference section for it, and a trailer that refers to the previous section.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "paper.h"

/*
 * TAIL: Cairo's trailer and "startxref" are within the last 2 kB. CATALOG_MAX: bytes of the catalog
 * object, which contains neither pages nor bookmarks.
 */
enum { TAIL = 2 << 10, CATALOG_MAX = 16 << 10 };

/* The finished PDF. size: bytes before the update. */
struct file {
	FILE         *f;
	struct arena *arena;
	long          size;
};

/*
 * Reads up to n bytes at an offset, as a string in the arena; fewer at the end of the file, none on
 * an error.
 */
static char *
read_at(struct file *x, long at, size_t n)
{
	char *p = arena_bytes(x->arena, n + 1);
	size_t got = 0, i;

	if (at >= 0 && fseek(x->f, at, SEEK_SET) == 0)
		got = fread(p, 1, n, x->f);
	p[got] = '\0';
	/* Replace NULs: binary data may precede the text that callers search. */
	for (i = 0; i < got; i++)
		if (p[i] == '\0')
			p[i] = ' ';
	return p;
}

/*
 * The last occurrence of a word: each update appends a trailer, and the last one counts (ISO
 * 32000-1, 7.5.5).
 */
static char *
find_last(char *text, const char *word)
{
	char *at = NULL, *p;

	for (p = text; (p = strstr(p, word)) != NULL; p++)
		at = p;
	return at;
}

/* Looks up an object's offset in a cross-reference table with a single section; -1: unreadable. */
static long
find_offset(struct file *x, long table, long object)
{
	char *head = read_at(x, table, 40), *line = strchr(head, '\n'), *end;
	long first, count;

	/*
	 * Cross-reference streams, as later versions of Cairo write, are not supported: the caller
	 * reports an error.
	 */
	if (strncmp(head, "xref", 4) != 0 || line == NULL)
		return -1;
	first = strtol(line, &end, 10);
	count = strtol(end, &end, 10);
	line = strchr(line + 1, '\n');
	if (line == NULL || first != 0 || object >= count)
		return -1;
	/*
	 * Entries are exactly 20 bytes long and begin with the offset in 10 digits (ISO 32000-1,
	 * 7.5.4).
	 */
	return strtol(read_at(x, table + (line + 1 - head) + 20 * object, 10), NULL, 10);
}

/*
 * The tag is written into a PDF string without escapes: refuse characters that need them. Valid BCP
 * 47 tags have none.
 */
static bool
plain_language(const char *s)
{
	return s != NULL && *s != '\0' &&
	    strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-") == strlen(s);
}

static const char *
append_update(struct file *x, char *dictionary, const char *trailer, long table, long root, const char *language)
{
	char *inside = strstr(dictionary, "<<"), *end = strstr(dictionary, "endobj"), *size = strstr(trailer, "/Size");
	char *info = strstr(trailer, "/Info");
	long at, section;

	if (inside == NULL || end == NULL || size == NULL)
		return "its catalog cannot be read";
	/* Copy the dictionary from behind "<<" to the ">>" before "endobj". */
	*end = '\0';
	/* A stream needs a positioning call between reading and writing (C11, 7.21.5.3). */
	fseek(x->f, 0, SEEK_END);
	at = ftell(x->f);
	fprintf(x->f, "%ld 0 obj\n<<", root);
	if (plain_language(language))
		fprintf(x->f, " /Lang (%s)", language);
	fprintf(x->f, " /ViewerPreferences << /DisplayDocTitle true >>%sendobj\n", inside + 2);
	/* /Prev is the offset of the previous table, which lists all other objects. */
	section = ftell(x->f);
	fprintf(x->f, "xref\n%ld 1\n%010ld 00000 n \ntrailer\n<< /Size %ld /Root %ld 0 R /Prev %ld", root, at,
	    strtol(size + 5, NULL, 10), root, table);
	if (info != NULL)
		fprintf(x->f, " /Info %ld 0 R", strtol(info + 5, NULL, 10));
	fprintf(x->f, " >>\nstartxref\n%ld\n%%%%EOF\n", section);
	return ferror(x->f) ? strerror(errno) : NULL;
}

static const char *
update_catalog(struct file *x, const char *language)
{
	char *tail, *start, *trailer, *root;
	long table, at, object;

	fseek(x->f, 0, SEEK_END);
	x->size = ftell(x->f);
	tail = read_at(x, x->size > TAIL ? x->size - TAIL : 0, TAIL);
	start = find_last(tail, "startxref");
	trailer = find_last(tail, "trailer");
	if (start == NULL || trailer == NULL || (root = strstr(trailer, "/Root")) == NULL)
		return "its trailer cannot be read";
	table = strtol(start + strlen("startxref"), NULL, 10);
	object = strtol(root + 5, NULL, 10);
	at = find_offset(x, table, object);
	if (at < 0)
		return "its cross-reference table cannot be read";
	return append_update(x, read_at(x, at, CATALOG_MAX), trailer, table, object, language);
}

const char *
catalog_language(struct arena *a, const char *path, const char *language)
{
	struct file x = { .f = fopen(path, "r+b"), .arena = a };
	const char *error;

	if (x.f == NULL)
		return strerror(errno);
	error = update_catalog(&x, language);
	if (fclose(x.f) != 0 && error == NULL)
		error = strerror(errno);
	return error;
}
