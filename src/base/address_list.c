/* Lists of addresses, and the address of a client behind trusted proxies. Contract: base/address.h. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "base/address.h"
#include "base/arena.h"

/* WORD holds the longest IPv6 address in text (45 characters) with "/128". */
enum { WORD = 64, V6_BYTES = 16, V6_BITS = 128, MAPPED_BITS = 96 };

/* Separators in lists of addresses in settings, and in X-Forwarded-For. */
static const char separators[] = " ,\t";

/* Reads an address as sixteen bytes; IPv4 as ::ffff:a.b.c.d (RFC 4291 section 2.5.5.2). */
static bool
read_address(const char *text, unsigned char out[V6_BYTES], int *bits)
{
	static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };

	*bits = V6_BITS;
	if (inet_pton(AF_INET6, text, out) == 1)
		return true;
	memcpy(out, mapped, sizeof(mapped));
	*bits = V6_BITS - MAPPED_BITS;
	return inet_pton(AF_INET, text, out + sizeof(mapped)) == 1;
}

/* Reads "ADDRESS" or "ADDRESS/BITS". *bits counts from the first of the sixteen bytes. */
static bool
read_net(const char *word, unsigned char out[V6_BYTES], int *bits)
{
	char text[WORD], *slash, *end;
	int most;
	long n;

	if (strlen(word) >= sizeof(text))
		return false;
	memcpy(text, word, strlen(word) + 1);
	if ((slash = strchr(text, '/')) != NULL)
		*slash = '\0';
	if (!read_address(text, out, &most))
		return false;
	n = slash == NULL ? most : strtol(slash + 1, &end, 10);
	if (slash != NULL && (end == slash + 1 || *end != '\0' || n < 0 || n > most))
		return false;
	/*
	 * The bits of an IPv4 network follow the 96 of the mapped prefix, so "0.0.0.0/0" matches
	 * IPv4 alone.
	 */
	*bits = V6_BITS - most + (int)n;
	return true;
}

/* Bits past the prefix do not count: "10.1.2.3/8" is the network 10.0.0.0/8. */
static bool
same_bits(const unsigned char *a, const unsigned char *b, int bits)
{
	int whole = bits / 8, rest = bits % 8;

	return memcmp(a, b, (size_t)whole) == 0 && (rest == 0 || (a[whole] ^ b[whole]) >> (8 - rest) == 0);
}

/*
 * Copy the next word of a list; NULL at its end. A word that is too long is cut, and then is not an
 * address.
 */
static const char *
next_word(const char *p, char text[WORD + 2])
{
	size_t n;

	p += strspn(p, separators);
	if ((n = strcspn(p, separators)) == 0)
		return NULL;
	memcpy(text, p, n > WORD ? WORD + 1 : n);
	text[n > WORD ? WORD + 1 : n] = '\0';
	return p + n;
}

const char *
address_list_fault(struct arena *a, const char *list)
{
	unsigned char net[V6_BYTES];
	char word[WORD + 2];
	int bits;

	while ((list = next_word(list, word)) != NULL)
		if (!read_net(word, net, &bits))
			return arena_strdup(a, word);
	return NULL;
}

/* A text that is no address is in no list: a peer that a web server reports as "unix:" is never trusted. */
bool
address_listed(const char *list, const char *address)
{
	unsigned char net[V6_BYTES], one[V6_BYTES];
	char word[WORD + 2];
	int bits, ignored;

	if (!read_address(address, one, &ignored))
		return false;
	while ((list = next_word(list, word)) != NULL)
		if (read_net(word, net, &bits) && same_bits(net, one, bits))
			return true;
	return false;
}

const char *
address_client(struct arena *a, const char *proxies, const char *peer, const char *forwarded)
{
	size_t end = forwarded == NULL ? 0 : strlen(forwarded), from;
	unsigned char bytes[V6_BYTES];
	const char *client = peer, *one;
	int bits;

	/* Without trusted proxies the header is ignored, since any client can write it. */
	if (peer == NULL || *proxies == '\0')
		return peer;
	/*
	 * The entries are read from the right, since each trusted proxy has added the entry of the
	 * client or proxy before it.
	 */
	while (end > 0 && address_listed(proxies, client)) {
		while (end > 0 && strchr(separators, forwarded[end - 1]) != NULL)
			end--;
		for (from = end; from > 0 && strchr(separators, forwarded[from - 1]) == NULL; from--)
			;
		one = arena_strndup(a, forwarded + from, end - from);
		/*
		 * A trusted proxy may write "unknown" (RFC 7239 section 6.2): then the last known
		 * address counts.
		 */
		if (!read_address(one, bytes, &bits))
			break;
		client = one;
		end = from;
	}
	return client;
}
