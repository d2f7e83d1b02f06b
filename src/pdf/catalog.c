/*
 * What Cairo 1.16 does not write: the language of the text, and that readers show the
 * title in place of the file's name. Both are entries of the document's catalog, which is
 * added to the file once more by an incremental update (ISO 32000-1, 7.5.6): the object
 * anew, a cross-reference section for it alone, a trailer that names the one before.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "paper.h"

/*
 * TAIL: Cairo's trailer and "startxref" are in the last 2 kB. CATALOG_MAX bounds the catalog
 * object, which lists no pages and no bookmarks itself.
 */
enum { TAIL = 2 << 10, CATALOG_MAX = 16 << 10 };

/* The finished PDF; size is what it had before the update. */
struct file {
	FILE         *f;
	struct arena *arena;
	long          size;
};

/* Up to n bytes from an offset, as text that ends with NUL; fewer, or none, where the file ends before. */
static char *
read_at(struct file *x, long at, size_t n)
{
	char *p = arena_bytes(x->arena, n + 1);
	size_t got = 0, i;

	if (at >= 0 && fseek(x->f, at, SEEK_SET) == 0)
		got = fread(p, 1, n, x->f);
	p[got] = '\0';
	/* What stands before the text that is looked for may be binary. */
	for (i = 0; i < got; i++)
		if (p[i] == '\0')
			p[i] = ' ';
	return p;
}

/* An update appends a trailer: the last one of the file counts (ISO 32000-1, 7.5.5). */
static char *
last_of(char *text, const char *word)
{
	char *at = NULL, *p;

	for (p = text; (p = strstr(p, word)) != NULL; p++)
		at = p;
	return at;
}

/* Where an object begins, by the cross-reference table, of one section and 20 bytes an entry. */
static long
offset_of(struct file *x, long table, long object)
{
	char *head = read_at(x, table, 40), *line = strchr(head, '\n'), *end;
	long first, count;

	/*
	 * A cross-reference stream, which later versions of Cairo write, is not read: the caller
	 * reports an error.
	 */
	if (strncmp(head, "xref", 4) != 0 || line == NULL)
		return -1;
	first = strtol(line, &end, 10);
	count = strtol(end, &end, 10);
	line = strchr(line + 1, '\n');
	if (line == NULL || first != 0 || object >= count)
		return -1;
	/* An entry is exactly 20 bytes long, the offset its first 10 digits (ISO 32000-1, 7.5.4). */
	return strtol(read_at(x, table + (line + 1 - head) + 20 * object, 10), NULL, 10);
}

/*
 * The tag goes into a PDF string as it is: parentheses and backslashes would need escapes, and
 * no tag of BCP 47 has them.
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
	/* What is copied is what stands between "<<" and "endobj", ">>" included. */
	*end = '\0';
	/* C wants a positioning call between reading and writing a stream (C11, 7.21.5.3). */
	fseek(x->f, 0, SEEK_END);
	at = ftell(x->f);
	fprintf(x->f, "%ld 0 obj\n<<", root);
	if (plain_language(language))
		fprintf(x->f, " /Lang (%s)", language);
	fprintf(x->f, " /ViewerPreferences << /DisplayDocTitle true >>%sendobj\n", inside + 2);
	/* /Prev names the table before, in which all other objects stay as they were. */
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
	start = last_of(tail, "startxref");
	trailer = last_of(tail, "trailer");
	if (start == NULL || trailer == NULL || (root = strstr(trailer, "/Root")) == NULL)
		return "its trailer cannot be read";
	table = strtol(start + strlen("startxref"), NULL, 10);
	object = strtol(root + 5, NULL, 10);
	at = offset_of(x, table, object);
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
