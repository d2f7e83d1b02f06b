/*
 * Addresses of objects, with and without a signature (AWS signature version 4, query parameters).
 * Contract: include/objects/objects.h.
 */
#include <sodium.h>
#include <string.h>
#include <time.h>

#include "base/secret.h"
#include "base/url.h"
#include "objects/objects.h"

char *
objects_plain_address(struct arena *a, const struct objects_settings *s, const char *key)
{
	/* NULL: the bucket itself, for a list. */
	return key == NULL ? arena_printf(a, "%s/%s", s->endpoint, s->bucket) :
	    arena_printf(a, "%s/%s/%s%s", s->endpoint, s->bucket, s->prefix, key);
}

static struct str
hmac(struct arena *a, struct str key, const char *text)
{
	crypto_auth_hmacsha256_state st;
	unsigned char *mac = arena_bytes(a, crypto_auth_hmacsha256_BYTES);

	crypto_auth_hmacsha256_init(&st, (const unsigned char *)key.p, key.n);
	crypto_auth_hmacsha256_update(&st, (const unsigned char *)text, strlen(text));
	crypto_auth_hmacsha256_final(&st, mac);
	return (struct str){ (const char *)mac, crypto_auth_hmacsha256_BYTES };
}

static char *
sha256_hex(struct arena *a, const char *text)
{
	unsigned char digest[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(digest, (const unsigned char *)text, strlen(text));
	return hex(a, (struct str){ (const char *)digest, sizeof(digest) });
}

/* The key is made for a day, a region and a service. */
static char *
sign(struct arena *a, const struct objects_settings *s, const char *day, const char *text)
{
	struct str k = hmac(a, str_of(arena_printf(a, "AWS4%s", s->secret)), day);

	k = hmac(a, hmac(a, hmac(a, k, s->region), "s3"), "aws4_request");
	return hex(a, hmac(a, k, text));
}

char *
objects_address(struct arena *a, const struct objects_settings *s, const char *key, const char *type,
    const char *disposition, int64_t now)
{
	const char *address = objects_plain_address(a, s, key), *host = strstr(address, "://") + 3, *path = strchr(host, '/');
	char moment[sizeof("20261128T224000Z")], day[sizeof("20261128")];
	char *query, *request, *scope, *text;
	time_t t = (time_t)(now / 1000);
	struct tm tm;

	gmtime_r(&t, &tm);
	strftime(moment, sizeof(moment), "%Y%m%dT%H%M%SZ", &tm);
	strftime(day, sizeof(day), "%Y%m%d", &tm);
	scope = arena_printf(a, "%s/%s/s3/aws4_request", day, s->region);
	/* In the order of names, as the signature needs them. */
	query = arena_printf(a, "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=%s&X-Amz-Date=%s&X-Amz-Expires=%d"
	    "&X-Amz-SignedHeaders=host&response-content-disposition=%s&response-content-type=%s",
	    url_segment(a, str_of(arena_printf(a, "%s/%s", s->key, scope))), moment, OBJECTS_ADDRESS_SECONDS,
	    url_segment(a, str_of(disposition)), url_segment(a, str_of(type)));
	request = arena_printf(a, "GET\n%s\n%s\nhost:%.*s\n\nhost\nUNSIGNED-PAYLOAD", path, query, (int)(path - host), host);
	text = arena_printf(a, "AWS4-HMAC-SHA256\n%s\n%s\n%s", moment, scope, sha256_hex(a, request));
	return arena_printf(a, "%s?%s&X-Amz-Signature=%s", address, query, sign(a, s, day, text));
}
