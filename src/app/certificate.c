/* Recognises certificates that people paste. The contract is in app/certificate.h. */
#include <ctype.h>
#include <string.h>

#include "app/certificate.h"
#include "base/json.h"
#include "base/secret.h"

/* The DER tags (ITU-T X.690) that occur in a certificate. */
enum { DER_INTEGER = 0x02, DER_BITS = 0x03, DER_OID = 0x06, DER_UTC = 0x17, DER_TIME = 0x18, DER_SEQUENCE = 0x30, DER_VERSION = 0xA0 };

/*
 * Takes the value of the next element if it has that tag, and advances s. DER allows one form of
 * each length (X.690, 10.1).
 */
static bool
take_element(struct str *s, int tag, struct str *value)
{
	const unsigned char *p = (const unsigned char *)s->p;
	size_t n, k, i;

	if (s->n < 2 || p[0] != tag)
		return false;
	k = p[1] < 0x80 ? 0 : p[1] & 0x7F;
	/*
	 * Refuses lengths of four bytes and more, which no certificate needs, and the indefinite
	 * form.
	 */
	if (p[1] == 0x80 || k > 3 || s->n < 2 + k)
		return false;
	for (n = k == 0 ? p[1] : 0, i = 0; i < k; i++)
		n = n << 8 | p[2 + i];
	if ((k > 0 && (n < 0x80 || p[2] == 0)) || s->n - 2 - k < n)
		return false;
	*value = str_slice(*s, 2 + k, 2 + k + n);
	*s = str_slice(*s, 2 + k + n, s->n);
	return true;
}

/* AlgorithmIdentifier: begins with the OID of the algorithm. */
static bool
take_algorithm(struct str *s)
{
	struct str algorithm, oid;

	return take_element(s, DER_SEQUENCE, &algorithm) && take_element(&algorithm, DER_OID, &oid);
}

/* "261127004205Z" (UTCTime: 1950 to 2049) or "20261127004205Z", to ms. */
static bool
read_time(struct str s, bool full, int64_t *ms)
{
	char text[] = "2000-00-00T00:00:00Z";
	static const int at[] = { 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18 };

	if (s.n != (full ? 15u : 13u))
		return false;
	if (full)
		memcpy(text, s.p, 2);
	else if (s.p[0] >= '5')
		memcpy(text, "19", 2);
	for (size_t i = 0; i < 12; i++)
		text[at[i]] = s.p[(full ? 2 : 0) + i];
	return s.p[s.n - 1] == 'Z' && time_parse(text, ms);
}

static bool
take_time(struct str *s, int64_t *ms)
{
	struct str time;

	if (take_element(s, DER_UTC, &time))
		return read_time(time, false, ms);
	return take_element(s, DER_TIME, &time) && read_time(time, true, ms);
}

/* What take_certificate() finds. */
struct found {
	int64_t begins_at, ends_at;
	size_t  rsa_bits;   /* 0: the key is no RSA key */
};

/* The length in bits of a number without sign (big-endian). */
static size_t
count_bits(struct str n)
{
	size_t bits = 8 * n.n;

	for (size_t i = 0; i < n.n; i++, bits -= 8)
		if (n.p[i] != 0)
			return bits - (size_t)__builtin_clz((unsigned char)n.p[i]) + 24;
	return 0;
}

/* SubjectPublicKeyInfo; an RSA key is RSAPublicKey in its bits (RFC 8017, appendix A.1). */
static bool
take_key(struct str *s, struct found *f)
{
	static const unsigned char rsa[] = { 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01 };
	struct str key, algorithm, oid, bits, numbers, modulus;

	if (!take_element(s, DER_SEQUENCE, &key) || !take_element(&key, DER_SEQUENCE, &algorithm) || !take_element(&algorithm, DER_OID, &oid) ||
	    !take_element(&key, DER_BITS, &bits) || bits.n < 2)
		return false;
	f->rsa_bits = 0;
	if (oid.n != sizeof(rsa) || memcmp(oid.p, rsa, sizeof(rsa)) != 0)
		return true;
	bits = str_slice(bits, 1, bits.n);
	if (!take_element(&bits, DER_SEQUENCE, &numbers) || !take_element(&numbers, DER_INTEGER, &modulus))
		return false;
	f->rsa_bits = count_bits(modulus);
	return true;
}

/* Reads TBSCertificate (RFC 5280, section 4.1) up to the key; what may follow is not checked. False: it is invalid. */
static bool
take_signed_part(struct str s, struct found *f)
{
	struct str part;

	/* Absent: version 1. */
	take_element(&s, DER_VERSION, &part);
	return take_element(&s, DER_INTEGER, &part) && take_algorithm(&s) &&
	    /* The issuer. */
	    take_element(&s, DER_SEQUENCE, &part) &&
	    take_element(&s, DER_SEQUENCE, &part) && take_time(&part, &f->begins_at) && take_time(&part, &f->ends_at) && part.n == 0 &&
	    /* The subject. */
	    take_element(&s, DER_SEQUENCE, &part) && take_key(&s, f);
}

/* Reads one certificate; false: the bytes are not one. */
static bool
take_certificate(struct str s, struct found *f)
{
	struct str whole, part, bits;

	return take_element(&s, DER_SEQUENCE, &whole) && s.n == 0 && take_element(&whole, DER_SEQUENCE, &part) && take_signed_part(part, f) &&
	    take_algorithm(&whole) && take_element(&whole, DER_BITS, &bits) && bits.n > 1 && whole.n == 0;
}

static struct str
trim_space(struct str s)
{
	while (s.n > 0 && isspace((unsigned char)s.p[0]))
		s = str_slice(s, 1, s.n);
	while (s.n > 0 && isspace((unsigned char)s.p[s.n - 1]))
		s.n--;
	return s;
}

/* The text without white space, which may occur anywhere in base64. */
static char *
one_line(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		if (!isspace((unsigned char)s.p[i]))
			out[n++] = s.p[i];
	out[n] = '\0';
	return out;
}

/* Reads the base64 of one certificate. NULL, or what is wrong. */
static const char *
read_one(struct arena *a, struct str text, struct certificate *out)
{
	struct found f;
	struct str bytes;

	if (!base64_read(a, trim_space(text), &bytes) || !take_certificate(bytes, &f))
		return "is no X.509 certificate in PEM";
	if (f.rsa_bits < CERTIFICATE_BITS_LEAST)
		return "has no RSA key of 2048 bits or more: the identity provider must sign by such a key";
	*out = (struct certificate){ one_line(a, text), f.ends_at };
	return NULL;
}

/*
 * Moves *inside to the text between the PEM lines of the next certificate. NULL, or what is wrong.
 */
static const char *
take_pem(struct str *s, struct str *inside)
{
	static const char begin[] = "-----BEGIN CERTIFICATE-----", end[] = "-----END CERTIFICATE-----";
	const char *last;

	if (!str_starts(*s, begin))
		return "must be one certificate in PEM, or two";
	*s = str_slice(*s, sizeof(begin) - 1, s->n);
	last = memmem(s->p, s->n, end, sizeof(end) - 1);
	if (last == NULL)
		return "has no line \"-----END CERTIFICATE-----\" at its end";
	*inside = (struct str){ s->p, (size_t)(last - s->p) };
	*s = trim_space(str_slice(*s, inside->n + sizeof(end) - 1, s->n));
	return NULL;
}

const char *
certificates_read(struct arena *a, const char *text, struct certificate out[CERTIFICATES_MOST], size_t *count)
{
	struct str s = trim_space(str_of(text)), inside;
	const char *why = NULL;

	*count = 0;
	if (memmem(s.p, s.n, "PRIVATE KEY", 11) != NULL)
		return "holds a private key, which only the identity provider may have";
	if (memchr(s.p, '-', s.n) == NULL) {
		*count = 1;
		return read_one(a, s, &out[0]);
	}
	while (why == NULL && s.n > 0) {
		if (*count == CERTIFICATES_MOST)
			return "has more than two certificates";
		if ((why = take_pem(&s, &inside)) == NULL)
			why = read_one(a, inside, &out[(*count)++]);
	}
	return why;
}
