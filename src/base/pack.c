/* Bytes made smaller; the contract is in pack.h. */
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "base/pack.h"
#include "base/panic.h"

/*
 * LEAST: shorter bytes are hardly ever shortened. LEVEL: zlib's own default; lower ones are
 * quicker by less than what the longer rows cost to write. STEP: bytes that are unpacked before the
 * next look whether they are enough.
 */
enum { LEAST = 64, LEVEL = 6, STEP = 1024 };

/*
 * A window (of 2^9 to 2^15 bytes) no larger than the text: the state of the largest takes 256 KiB,
 * which for a page of some kilobytes would cost more than packing it (zlib.h, deflateInit2).
 */
static int
window_for(size_t n)
{
	int bits = 9;

	while (bits < 15 && ((size_t)1 << bits) < n)
		bits++;
	return bits;
}

struct str
pack(struct arena *a, struct str bytes)
{
	z_stream z = { 0 };
	int bits = window_for(bytes.n), rc;
	char *out;

	/* zlib counts the bytes of one call in 32 bits. */
	if (bytes.n < LEAST || bytes.n > UINT32_MAX)
		return bytes;
	if (deflateInit2(&z, LEVEL, Z_DEFLATED, bits, bits - 7, Z_DEFAULT_STRATEGY) != Z_OK)
		panic("no memory to pack %zu bytes", bytes.n);
	/* One byte less than they are: what does not fit is not worth packing. */
	out = arena_bytes(a, bytes.n);
	z.next_in = (z_const Bytef *)bytes.p;
	z.avail_in = (uInt)bytes.n;
	z.next_out = (Bytef *)out;
	z.avail_out = (uInt)bytes.n - 1;
	rc = deflate(&z, Z_FINISH);
	deflateEnd(&z);
	return rc == Z_STREAM_END ? (struct str){ out, z.total_out } : bytes;
}

static size_t
count_nuls(const char *p, size_t n)
{
	const char *end = p + n;
	size_t count = 0;

	while (p < end && (p = memchr(p, '\0', (size_t)(end - p))) != NULL) {
		count++;
		p++;
	}
	return count;
}

/* Room for n bytes and a NUL behind them, and the stream that fills it. check: of the checksum. */
static char *
begin(z_stream *z, struct arena *a, struct str packed, size_t n, bool check)
{
	char *to = arena_bytes(a, n + 1);

	/* zlib counts the bytes of one call in 32 bits, and so did pack(). */
	if (n > UINT32_MAX || packed.n > UINT32_MAX || inflateInit(z) != Z_OK)
		panic("cannot unpack %zu bytes", n);
	inflateValidate(z, check);
	z->next_in = (z_const Bytef *)packed.p;
	z->avail_in = (uInt)packed.n;
	z->next_out = (Bytef *)to;
	return to;
}

/* packed.n >= size: the bytes were not packed. */
static bool
copy(struct arena *a, struct str packed, size_t size, size_t n, struct str *out)
{
	if (packed.n != size)
		return false;
	*out = (struct str){ arena_strndup(a, packed.p, n), n };
	return true;
}

bool
unpack(struct arena *a, struct str packed, size_t size, struct str *out)
{
	z_stream z = { 0 };
	char *to;
	int rc;

	if (packed.n >= size)
		return copy(a, packed, size, size, out);
	to = begin(&z, a, packed, size, true);
	z.avail_out = (uInt)size;
	/* In one step zlib needs no window of its own (zlib.h, inflate). */
	rc = inflate(&z, Z_FINISH);
	inflateEnd(&z);
	to[size] = '\0';
	*out = (struct str){ to, size };
	return rc == Z_STREAM_END && z.total_out == size;
}

bool
unpack_head(struct arena *a, struct str packed, size_t size, size_t most, size_t nuls, struct str *out)
{
	size_t n = size < most ? size : most, at = 0, found = 0;
	z_stream z = { 0 };
	int rc = Z_OK;
	char *to;

	if (packed.n >= size)
		return copy(a, packed, size, n, out);
	to = begin(&z, a, packed, n, false);
	while (rc == Z_OK && at < n && found < nuls) {
		z.avail_out = (uInt)(n - at < STEP ? n - at : STEP);
		rc = inflate(&z, Z_SYNC_FLUSH);
		found += count_nuls(to + at, z.total_out - at);
		at = z.total_out;
	}
	inflateEnd(&z);
	to[at] = '\0';
	*out = (struct str){ to, at };
	return at == n || found >= nuls;
}
