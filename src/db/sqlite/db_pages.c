/* Reads trees and records from the bytes of a database file. Contract: db_pages.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db_pages.h"

/*
 * Sizes of the file format (fileformat2.html sections 1.3 and 1.6). DEPTH_MAX: even a tree with the
 * least fan-out has fewer levels, whatever the file's size; deeper ones are cycles or damage.
 */
enum { HEADER = 100, PAGE_MIN = 512, PAGE_MAX = 65536, PAGE_USUAL = 4096, DEPTH_MAX = 24, PAYLOAD_MAX = 1 << 30 };

/* ---- numbers ---- */

static uint32_t
read_u16(const unsigned char *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t
read_u32(const unsigned char *p)
{
	return read_u16(p) << 16 | read_u16(p + 2);
}

/* Read a varint that must end before `end`; returns its length, 0 if truncated. */
static size_t
read_varint(const unsigned char *p, const unsigned char *end, uint64_t *out)
{
	uint64_t n = 0;

	for (size_t i = 0; i < 9 && p + i < end; i++) {
		if (i == 8) {
			*out = n << 8 | p[8];
			return 9;
		}
		n = n << 7 | (p[i] & 0x7f);
		if ((p[i] & 0x80) == 0) {
			*out = n;
			return i + 1;
		}
	}
	return 0;
}

/* ---- the file ---- */

static bool
is_page_size(size_t size)
{
	return size >= PAGE_MIN && size <= PAGE_MAX && (size & (size - 1)) == 0;
}

bool
pages_open(struct pages *ps, struct arena *a, const char *path, const char **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st = { 0 };
	void *p = MAP_FAILED;
	bool header;

	*ps = (struct pages){ .arena = a };
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size >= PAGE_MIN)
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		*error = arena_printf(a, "%s: %s", path, fd >= 0 && st.st_size < PAGE_MIN ? "too short for a database" :
		    strerror(errno));
	if (fd >= 0)
		close(fd);
	if (p == MAP_FAILED)
		return false;
	ps->p = p;
	header = memcmp(ps->p, "SQLite format 3", 16) == 0;
	/* 65536 does not fit two bytes: the format stores 1 instead. */
	ps->size = read_u16(ps->p + 16) == 1 ? PAGE_MAX : read_u16(ps->p + 16);
	/* Byte 20 of the header is the number of bytes reserved in each page, at most 32. */
	if (!header || !is_page_size(ps->size) || ps->p[20] > 32) {
		/* The size that all Octavo databases have. */
		ps->size = PAGE_USUAL;
		header = false;
	}
	ps->usable = ps->size - (header ? ps->p[20] : 0);
	/* Byte 60 of the header: PRAGMA user_version. */
	ps->version = header ? (int)read_u32(ps->p + 60) : -1;
	ps->count = (uint32_t)((size_t)st.st_size / ps->size);
	ps->seen = arena_alloc(a, ps->count + 1);
	return true;
}

void
pages_close(struct pages *ps)
{
	munmap((void *)(uintptr_t)ps->p, (size_t)ps->count * ps->size);
}

/* Pages count from 1; the caller has checked the number against ps->count. */
static const unsigned char *
page_at(const struct pages *ps, uint32_t page)
{
	return ps->p + (size_t)(page - 1) * ps->size;
}

/* The first page begins with the header of the file. */
static size_t
page_start(uint32_t page)
{
	return page == 1 ? HEADER : 0;
}

int
pages_type(const struct pages *ps, uint32_t page)
{
	const unsigned char *h;
	size_t cells;
	int type;

	if (page < 1 || page > ps->count)
		return 0;
	h = page_at(ps, page) + page_start(page);
	type = h[0];
	cells = read_u16(h + 3);
	if (type != PAGE_INDEX_INNER && type != PAGE_TABLE_INNER && type != PAGE_INDEX_LEAF && type != PAGE_TABLE_LEAF)
		return 0;
	/* The array of cell pointers lies within the page, so its readers need no bounds checks. */
	return page_start(page) + 12 + cells * 2 <= ps->usable ? type : 0;
}

/* ---- records ---- */

/*
 * Bytes of a serial type (fileformat2.html section 2.1). 10 and 11 are reserved; the caller refuses
 * them.
 */
static size_t
serial_bytes(uint64_t serial)
{
	static const unsigned char fixed[] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0 };

	return serial < 12 ? fixed[serial] : (size_t)(serial - 12) / 2;
}

static struct value
read_value(uint64_t serial, const unsigned char *p)
{
	struct value v = { .type = VALUE_INT };
	/* Integers are signed: extend the sign bit. */
	uint64_t n = serial < 8 && serial > 0 && (p[0] & 0x80) != 0 ? UINT64_MAX : 0;

	if (serial >= 12)
		return (struct value){ (serial & 1) != 0 ? VALUE_TEXT : VALUE_BLOB, (int64_t)serial_bytes(serial), 0,
			(const char *)p };
	if (serial == 0)
		return (struct value){ .type = VALUE_NULL };
	for (size_t i = 0; serial < 8 && i < serial_bytes(serial); i++)
		n = n << 8 | p[i];
	v.n = serial == 8 ? 0 : serial == 9 ? 1 : (int64_t)n;
	if (serial == 7) {
		v.type = VALUE_REAL;
		memcpy(&v.real, &n, sizeof(v.real));
	}
	return v;
}

/* Parse a record, which must fill its payload exactly. */
static bool
read_record(const unsigned char *p, size_t n, struct record *r)
{
	uint64_t header, serial;
	size_t at = read_varint(p, p + n, &header), body, took;

	r->count = 0;
	if (at == 0 || header > n || header < at)
		return false;
	for (body = (size_t)header; at < header; at += took) {
		took = read_varint(p + at, p + header, &serial);
		/*
		 * The comparison with the remaining bytes keeps a forged length within the payload.
		 */
		if (took == 0 || r->count == RECORD_COLUMNS || serial == 10 || serial == 11 || serial > UINT32_MAX ||
		    serial_bytes(serial) > n - body)
			return false;
		r->values[r->count++] = read_value(serial, p + body);
		body += serial_bytes(serial);
	}
	return body == n;
}

/*
 * Bytes of an n-byte payload that are stored on the page itself; the formulas are those of fileformat2.html, section
 * 1.6 ("cell payload overflow": X, M and K).
 */
static size_t
local_bytes(const struct pages *ps, int type, size_t n)
{
	size_t max = type == PAGE_TABLE_LEAF ? ps->usable - 35 : (ps->usable - 12) * 64 / 255 - 23;
	size_t min = (ps->usable - 12) * 32 / 255 - 23, k = min + (n - min) % (ps->usable - 4);

	return n <= max ? n : k <= max ? k : min;
}

/* The whole payload, collected from its overflow pages; NULL if the chain is broken. */
static const unsigned char *
read_payload(struct pages *ps, struct arena *a, const unsigned char *p, const unsigned char *end, int type, size_t n)
{
	size_t local = local_bytes(ps, type, n), more;
	unsigned char *whole;
	uint32_t next;

	if ((size_t)(end - p) < local + (local < n ? 4 : 0))
		return NULL;
	if (local == n)
		return p;
	/* More than the file contains: do not allocate for a forged length. */
	if (n > (size_t)ps->count * ps->usable || n > PAYLOAD_MAX)
		return NULL;
	whole = (unsigned char *)arena_bytes(a, n);
	memcpy(whole, p, local);
	/* A cyclic chain ends too, because each page adds bytes towards n. */
	for (next = read_u32(p + local); local < n; local += more) {
		if (next < 1 || next > ps->count)
			return NULL;
		ps->seen[next] = 1;
		more = n - local < ps->usable - 4 ? n - local : ps->usable - 4;
		memcpy(whole + local, page_at(ps, next) + 4, more);
		next = read_u32(page_at(ps, next));
	}
	return whole;
}

/* ---- trees ---- */

struct walk {
	struct pages *ps;
	struct arena *scratch;   /* overflowing payloads; reset with each cell */
	void        (*row)(void *ctx, const struct record *r);
	void         *ctx;
	int64_t       bad;       /* number of pages and cells that could not be read */
};

/* The record in a cell; inner pages of tables have none. */
static bool
read_cell(struct walk *w, int type, const unsigned char *p, const unsigned char *end)
{
	struct record r;
	uint64_t n, rowid = 0;
	size_t took;
	bool ok;

	/* Skip the number of the child page. */
	if (type == PAGE_INDEX_INNER)
		p += 4;
	if (p >= end || (took = read_varint(p, end, &n)) == 0 || n > PAYLOAD_MAX)
		return false;
	p += took;
	if (type == PAGE_TABLE_LEAF) {
		if ((took = read_varint(p, end, &rowid)) == 0)
			return false;
		p += took;
	}
	p = read_payload(w->ps, w->scratch, p, end, type, (size_t)n);
	r.has_rowid = type == PAGE_TABLE_LEAF;
	r.rowid = (int64_t)rowid;
	ok = p != NULL && read_record(p, (size_t)n, &r);
	if (ok && w->row != NULL)
		w->row(w->ctx, &r);
	arena_reset(w->scratch);
	return ok;
}

static void walk_page(struct walk *w, uint32_t page, int depth);

static void
walk_cells(struct walk *w, uint32_t page, int type, int depth)
{
	const unsigned char *p = page_at(w->ps, page), *h = p + page_start(page), *end = p + w->ps->usable;
	bool inner = type == PAGE_INDEX_INNER || type == PAGE_TABLE_INNER;
	const unsigned char *pointers = h + (inner ? 12 : 8);
	size_t cells = read_u16(h + 3), at;

	for (size_t i = 0; i < cells; i++) {
		at = read_u16(pointers + 2 * i);
		/* A cell begins after the header of the page (8 bytes), and has at least 4 bytes. */
		if (at < page_start(page) + 8 || at + 4 > w->ps->usable) {
			w->bad++;
			continue;
		}
		if (inner)
			walk_page(w, read_u32(p + at), depth + 1);
		if (type != PAGE_TABLE_INNER && !read_cell(w, type, p + at, end))
			w->bad++;
	}
	if (inner)
		walk_page(w, read_u32(h + 8), depth + 1);
}

static void
walk_page(struct walk *w, uint32_t page, int depth)
{
	int type = pages_type(w->ps, page);

	/* Visit each page once: a damaged pointer to a page already read must not repeat its rows. */
	if (type == 0 || depth > DEPTH_MAX || w->ps->seen[page]) {
		w->bad++;
		return;
	}
	w->ps->seen[page] = 1;
	walk_cells(w, page, type, depth);
}

int64_t
pages_walk(struct pages *ps, uint32_t root, void (*row)(void *, const struct record *), void *ctx)
{
	struct walk w = { ps, arena_new(PAYLOAD_MAX * (size_t)2), row, ctx, 0 };

	walk_page(&w, root, 0);
	arena_free(w.scratch);
	return w.bad;
}

bool
pages_leaf(struct pages *ps, uint32_t page, void (*row)(void *, const struct record *), void *ctx)
{
	struct walk w = { ps, arena_new(PAYLOAD_MAX * (size_t)2), row, ctx, 0 };

	walk_cells(&w, page, pages_type(ps, page), 0);
	arena_free(w.scratch);
	return w.bad == 0;
}

/* Free pages still contain old rows, also deleted ones, which must not be recovered. */
void
pages_mark_free(struct pages *ps)
{
	/* Byte 32 of the header: the first trunk page, which lists free pages (leaves) and names the next trunk page. */
	uint32_t trunk = ps->version < 0 ? 0 : read_u32(ps->p + 32), leaves;

	while (trunk >= 1 && trunk <= ps->count && !ps->seen[trunk]) {
		const unsigned char *p = page_at(ps, trunk);

		ps->seen[trunk] = 1;
		leaves = read_u32(p + 4);
		for (uint32_t i = 0; i < leaves && 8 + 4 * (size_t)i + 4 <= ps->usable; i++)
			if (read_u32(p + 8 + 4 * i) >= 1 && read_u32(p + 8 + 4 * i) <= ps->count)
				ps->seen[read_u32(p + 8 + 4 * i)] = 1;
		trunk = read_u32(p);
	}
}
