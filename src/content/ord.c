/*
 * Fractional order keys: text over the digits 0-9A-Za-z that compares bytewise
 * as numbers in (0, 1) do, so that there is always a key between two others and
 * placing one page rewrites one row. No key ends in '0', or nothing would fit
 * before it.
 */
#include "content.h"
#include "panic.h"

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

enum { BASE = 62 };

static int
value(char c)
{
	const char *p = strchr(digits, c);

	return c == '\0' || p == NULL ? 0 : (int)(p - digits);
}

char *
ord_between(struct arena *a, const char *before, const char *after)
{
	struct buf b;
	bool open = *after == '\0';   /* no upper bound any more */
	size_t i;
	int lo, hi;

	buf_init(&b, a, 4096);
	for (i = 0;; i++) {
		lo = i < strlen(before) ? value(before[i]) : 0;
		hi = open ? BASE : i < strlen(after) ? value(after[i]) : 0;
		if (!open && lo == hi) {
			if (i > strlen(after))
				panic("order keys: \"%s\" is not before \"%s\"", before, after);
			buf_char(&b, digits[lo]);
			continue;
		}
		if (hi - lo > 1) {
			/* At the open end things are appended one by one: small steps keep keys short. */
			buf_char(&b, digits[open && i + 1 == strlen(before) ? lo + 1 : lo + (hi - lo) / 2]);
			return b.p;
		}
		/* Neighbours: keep the lower digit; what follows only has to be above `before`. */
		buf_char(&b, digits[lo]);
		open = true;
	}
}

char **
ord_spread(struct arena *a, const char *after, size_t n)
{
	char **keys = arena_array(a, n, sizeof(*keys));
	size_t width = 1, room = BASE - 2, i, k;

	(void)after;
	while (room < n + 1) {
		room *= BASE;
		width++;
	}
	for (i = 0; i < n; i++) {
		/* Evenly over the room; the last digit is never '0'. */
		unsigned __int128 x = (unsigned __int128)(i + 1) * room / (n + 1);
		char text[16];
		for (k = width; k-- > 0; x /= BASE)
			text[k] = digits[(size_t)(x % BASE)];
		keys[i] = arena_printf(a, "%s%.*s%c", after, (int)width, text, 'V');
	}
	return keys;
}
