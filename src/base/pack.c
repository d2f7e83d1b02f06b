/* Compression of stored bytes. Contract: base/pack.h. */
#include <stdint.h>
#include <string.h>
#include <zstd.h>

#include "base/pack.h"
#include "base/panic.h"

/*
 * LEAST: shorter inputs rarely shrink. LEVEL: zstd's default; with the next levels, pages of some
 * kilobytes shrink no further. STEP: bytes to unpack before checking again whether they are enough.
 */
enum { LEAST = 64, LEVEL = 3, STEP = 1024 };

/*
 * One of each per process: making their tables costs more than packing a page (zstd.h, "Compression
 * context"). The programs are single-threaded.
 */
static ZSTD_CCtx *packer;
static ZSTD_DCtx *unpacker;

static ZSTD_CCtx *
get_packer(void)
{
	if (packer != NULL)
		return packer;
	packer = ZSTD_createCCtx();
	if (packer == NULL || ZSTD_isError(ZSTD_CCtx_setParameter(packer, ZSTD_c_compressionLevel, LEVEL)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(packer, ZSTD_c_checksumFlag, 1)))
		panic("no memory to pack");
	return packer;
}

static ZSTD_DCtx *
get_unpacker(void)
{
	if (unpacker == NULL && (unpacker = ZSTD_createDCtx()) == NULL)
		panic("no memory to unpack");
	/* An earlier call may have stopped in the middle of its input. */
	ZSTD_DCtx_reset(unpacker, ZSTD_reset_session_only);
	return unpacker;
}

struct str
pack(struct arena *a, struct str bytes)
{
	size_t n;
	char *out;

	if (bytes.n < LEAST)
		return bytes;
	/* One byte less than the input: a result that does not fit is not shorter. */
	out = arena_bytes(a, bytes.n);
	n = ZSTD_compress2(get_packer(), out, bytes.n - 1, bytes.p, bytes.n);
	return ZSTD_isError(n) ? bytes : (struct str){ out, n };
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

/* If packed.n is at least size, the bytes were stored as they are. */
static bool
copy_unpacked(struct arena *a, struct str packed, size_t size, size_t n, struct str *out)
{
	if (packed.n != size)
		return false;
	*out = (struct str){ arena_strndup(a, packed.p, n), n };
	return true;
}

bool
unpack(struct arena *a, struct str packed, size_t size, struct str *out)
{
	size_t n;
	char *to;

	if (packed.n >= size)
		return copy_unpacked(a, packed, size, size, out);
	to = arena_bytes(a, size + 1);
	n = ZSTD_decompressDCtx(get_unpacker(), to, size, packed.p, packed.n);
	to[size] = '\0';
	*out = (struct str){ to, size };
	return !ZSTD_isError(n) && n == size;
}

bool
unpack_head(struct arena *a, struct str packed, size_t size, size_t most, size_t nuls, struct str *out)
{
	size_t n = size < most ? size : most, at = 0, found = 0, left = 1;
	ZSTD_inBuffer in = { packed.p, packed.n, 0 };
	ZSTD_outBuffer to = { 0 };
	ZSTD_DCtx *d;

	if (packed.n >= size)
		return copy_unpacked(a, packed, size, n, out);
	d = get_unpacker();
	to.dst = arena_bytes(a, n + 1);
	/* left is 0 at the end, an error code, or a hint how many bytes may follow. */
	while (left != 0 && !ZSTD_isError(left) && at < n && found < nuls) {
		to.size = n - at < STEP ? n : at + STEP;
		left = ZSTD_decompressStream(d, &to, &in);
		/* The input is truncated: nothing more can be unpacked. */
		if (to.pos == at && in.pos == in.size)
			break;
		found += count_nuls((char *)to.dst + at, to.pos - at);
		at = to.pos;
	}
	((char *)to.dst)[at] = '\0';
	*out = (struct str){ to.dst, at };
	return at == n || found >= nuls;
}
