/*
 * Decides which addresses are public. When a user names a URL, this machine connects to its host,
 * and this machine can reach hosts that the user cannot: itself, its neighbours, the metadata
 * service of a cloud. What counts is the address and not its spelling: "0x7f.1" and "localtest.me"
 * are 127.0.0.1 as well.
 *
 * The tables are the IANA special-purpose registries (RFC 6890 and updates). For IPv6, only global
 * unicast addresses (2000::/3) are allowed. If such an address contains an IPv4 address, it is
 * public only if the IPv4 address is.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>

#include "base/address.h"

static const struct {
	uint32_t    net;
	int         bits;
	const char *kind;
} v4[] = {
	{ 0x00000000, 8,  "this machine" },
	{ 0x0a000000, 8,  "a private address" },
	{ 0x64400000, 10, "an address of a carrier's own network" },
	{ 0x7f000000, 8,  "this machine" },
	{ 0xa9fe0000, 16, "a link-local address" },
	{ 0xac100000, 12, "a private address" },
	{ 0xc0000000, 24, "a reserved address" },
	{ 0xc0000200, 24, "a reserved address" },
	{ 0xc0586300, 24, "a reserved address" },
	{ 0xc0a80000, 16, "a private address" },
	{ 0xc6120000, 15, "a reserved address" },
	{ 0xc6336400, 24, "a reserved address" },
	{ 0xcb007100, 24, "a reserved address" },
	{ 0xe0000000, 3,  "a multicast or reserved address" },
};

/* Prefixes are compared in whole bytes, which is enough here. embedded: offset of an IPv4 address; -1: none. */
static const struct {
	unsigned char prefix[12];
	int           bytes;
	int           embedded;
	const char   *kind;      /* NULL: the embedded address decides */
} v6[] = {
	{ { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff }, 12, 12, NULL },  /* ::ffff:0:0/96 IPv4-mapped */
	{ { 0, 0x64, 0xff, 0x9b }, 12, 12, NULL },                       /* 64:ff9b::/96 NAT64 */
	{ { 0x20, 0x02 }, 2, 2, NULL },                                  /* 2002::/16 6to4 */
	{ { 0x20, 0x01, 0x00 }, 3, -1, "a reserved address" },           /* 2001::/24: Teredo and others */
	{ { 0x20, 0x01, 0x0d, 0xb8 }, 4, -1, "a reserved address" },     /* documentation */
	{ { 0x3f, 0xff }, 2, -1, "a reserved address" },                 /* documentation, RFC 9637 */
};

/*
 * Why an address (in host order) is not public; NULL: it is public. Each row has at least 3 bits,
 * so the shift is below 32 and defined.
 */
static const char *
v4_refuse(uint32_t addr)
{
	size_t i;

	for (i = 0; i < sizeof(v4) / sizeof(v4[0]); i++)
		if ((addr ^ v4[i].net) >> (32 - v4[i].bits) == 0)
			return v4[i].kind;
	return NULL;
}

/*
 * The loopback address is tested first only for a better message: ::1 is outside 2000::/3 anyway.
 * An address that embeds an IPv4 address reaches that host through a gateway, so it is public only
 * if the IPv4 address is.
 */
static const char *
v6_refuse(const unsigned char *addr)
{
	static const unsigned char loopback[16] = { [15] = 1 };
	uint32_t inner;
	size_t i;

	if (memcmp(addr, loopback, 16) == 0)
		return "this machine";
	for (i = 0; i < sizeof(v6) / sizeof(v6[0]); i++) {
		if (memcmp(addr, v6[i].prefix, (size_t)v6[i].bytes) != 0)
			continue;
		if (v6[i].embedded < 0)
			return v6[i].kind;
		memcpy(&inner, addr + v6[i].embedded, sizeof(inner));
		return v4_refuse(ntohl(inner));
	}
	/*
	 * 2000::/3 is all global unicast that IANA has assigned (RFC 4291 section 2.4). Unique
	 * local, link-local and multicast addresses and 64:ff9b:1::/48 are outside.
	 */
	return (addr[0] & 0xe0) == 0x20 ? NULL : "a private or reserved address";
}

const char *
address_refuse(const struct sockaddr *sa)
{
	if (sa->sa_family == AF_INET)
		return v4_refuse(ntohl(((const struct sockaddr_in *)(const void *)sa)->sin_addr.s_addr));
	if (sa->sa_family == AF_INET6)
		return v6_refuse(((const struct sockaddr_in6 *)(const void *)sa)->sin6_addr.s6_addr);
	return "no internet address";
}

/*
 * getaddrinfo() with AI_NUMERICHOST parses all spellings of addresses that connect() accepts
 * ("0x7f.1", "2130706433"), and never queries a name server. The result for a name is NULL: its
 * addresses are checked after it is resolved.
 */
const char *
address_refuse_literal(const char *host)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST }, *list, *i;
	const char *kind = NULL;

	if (getaddrinfo(host, NULL, &hints, &list) != 0)
		return NULL;
	for (i = list; i != NULL && kind == NULL; i = i->ai_next)
		kind = address_refuse(i->ai_addr);
	freeaddrinfo(list);
	return kind;
}

bool
address_is_localhost(const char *host)
{
	static const char name[] = "localhost";
	size_t n = strlen(host);

	/* "localhost." with a dot is the same name, fully qualified. */
	while (n > 0 && host[n - 1] == '.')
		n--;
	/* RFC 6761 section 6.3: names below "localhost." are the loopback too. */
	return n >= strlen(name) && memcmp(host + n - strlen(name), name, strlen(name)) == 0 &&
	    (n == strlen(name) || host[n - strlen(name) - 1] == '.');
}
