/* Headers of tar files. Contract: command/backup/tar.h. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "tar.h"

/* Eleven octal digits encode sizes below 8 GiB; longer files use GNU's base-256 form. */
enum { BLOCK = 512, OCTAL_MAX_DIGITS = 11 };

/* A header block as stored in the file. */
struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100], magic[6],
	    version[2], user[32], group[32], major[8], minor[8], prefix[155], unused[12];
};

static const char zeros[2 * BLOCK];

/* Checksum of the header's bytes; the checksum field itself counts as blanks. */
static unsigned
sum_of(const struct header *h)
{
	const unsigned char *p = (const unsigned char *)h;
	unsigned sum = 0;

	for (size_t i = 0; i < BLOCK; i++) {
		bool own = i >= offsetof(struct header, sum) && i < offsetof(struct header, sum) + sizeof(h->sum);

		sum += own ? ' ' : p[i];
	}
	return sum;
}

/* Writes octal digits, or base 256 with the highest bit set if the digits do not suffice. */
static void
write_number(char *field, size_t n, int64_t value)
{
	if (n == 12 && value >> (3 * OCTAL_MAX_DIGITS) == 0) {
		snprintf(field, n, "%011llo", (unsigned long long)value);
		return;
	}
	if (n == 8) {
		snprintf(field, n, "%07o", (unsigned)value & 07777777);
		return;
	}
	for (size_t i = n; i-- > 0; value >>= 8)
		field[i] = (char)(value & 0xff);
	field[0] = (char)0x80;
}

/* Returns -1 if the field is not a number. */
static int64_t
read_number(const char *field, size_t n)
{
	int64_t value = 0;
	size_t i = 0;

	if ((unsigned char)field[0] == 0x80) {
		for (i = n - 8; i < n; i++)
			value = (int64_t)((uint64_t)value << 8 | (unsigned char)field[i]);
		return value < 0 ? -1 : value;
	}
	while (i < n && field[i] == ' ')
		i++;
	for (; i < n && field[i] >= '0' && field[i] <= '7'; i++)
		value = value << 3 | (field[i] - '0');
	return i < n && field[i] != '\0' && field[i] != ' ' ? -1 : value;
}

static bool
put_header(FILE *f, char type, const char *name, mode_t mode, int64_t size, int64_t seconds)
{
	struct header h = { .type = type, .magic = "ustar", .version = { '0', '0' }, .user = "octavo", .group = "octavo" };

	assert(sizeof(h) == BLOCK && strlen(name) <= sizeof(h.name) && size >= 0);
	memcpy(h.name, name, strlen(name));
	write_number(h.mode, sizeof(h.mode), mode & 07777);
	write_number(h.uid, sizeof(h.uid), 0);
	write_number(h.gid, sizeof(h.gid), 0);
	write_number(h.size, sizeof(h.size), size);
	write_number(h.mtime, sizeof(h.mtime), seconds);
	/* Six digits, NUL, blank: the form that all readers accept. */
	snprintf(h.sum, sizeof(h.sum), "%06o", sum_of(&h));
	h.sum[7] = ' ';
	return fwrite(&h, sizeof(h), 1, f) == 1;
}

bool
tar_put(FILE *f, const char *name, mode_t mode, int64_t size, int64_t seconds)
{
	return put_header(f, '0', name, mode, size, seconds);
}

bool
tar_put_folder(FILE *f, const char *name, mode_t mode, int64_t seconds)
{
	assert(*name != '\0' && name[strlen(name) - 1] == '/');
	return put_header(f, '5', name, mode, 0, seconds);
}

static size_t
block_padding(int64_t size)
{
	return (size_t)(BLOCK - size % BLOCK) % BLOCK;
}

bool
tar_pad(FILE *f, int64_t size)
{
	return fwrite(zeros, 1, block_padding(size), f) == block_padding(size);
}

bool
tar_skip_pad(FILE *f, int64_t size)
{
	char rest[BLOCK];

	return fread(rest, 1, block_padding(size), f) == block_padding(size);
}

bool
tar_end(FILE *f)
{
	return fwrite(zeros, 1, sizeof(zeros), f) == sizeof(zeros);
}

/* True for the types of entries that this module writes: files, and folders, whose names end in a slash. */
static bool
is_plain(const struct header *h, int64_t size)
{
	size_t n = strnlen(h->name, sizeof(h->name));

	return h->prefix[0] == '\0' && (h->type == '0' || (h->type == '5' && size == 0 && n > 0 && h->name[n - 1] == '/'));
}

/*
 * Returns 1: an entry; 0: the end; -1: damaged, or of a type that tar_put() does not write (links,
 * long names).
 */
int
tar_next(FILE *f, struct tar_entry *e)
{
	struct header h;

	if (fread(&h, 1, sizeof(h), f) != sizeof(h))
		return -1;
	if (memcmp(&h, zeros, sizeof(h)) == 0)
		return 0;
	e->size = read_number(h.size, sizeof(h.size));
	if (memcmp(h.magic, "ustar", 5) != 0 || read_number(h.sum, sizeof(h.sum)) != (int64_t)sum_of(&h) ||
	    e->size < 0 || !is_plain(&h, e->size))
		return -1;
	memcpy(e->name, h.name, sizeof(h.name));
	e->name[sizeof(h.name)] = '\0';
	return 1;
}
