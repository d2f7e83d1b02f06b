/* Recognises certificates that people paste. The contract is in app/certificate.h. */
#include <ctype.h>
#include <string.h>

#include "app/certificate.h"
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

static bool
take_time(struct str *s)
{
	struct str time;

	return take_element(s, DER_UTC, &time) || take_element(s, DER_TIME, &time);
}

/* RFC 5280, section 4.1: TBSCertificate up to the key; what may follow is not checked. */
static bool
is_signed_part(struct str s)
{
	struct str part, key, bits;

	/* Absent: version 1. */
	take_element(&s, DER_VERSION, &part);
	return take_element(&s, DER_INTEGER, &part) && take_algorithm(&s) &&
	    /* The issuer. */
	    take_element(&s, DER_SEQUENCE, &part) &&
	    take_element(&s, DER_SEQUENCE, &part) && take_time(&part) && take_time(&part) && part.n == 0 &&
	    /* The subject. */
	    take_element(&s, DER_SEQUENCE, &part) &&
	    take_element(&s, DER_SEQUENCE, &key) && take_algorithm(&key) && take_element(&key, DER_BITS, &bits) && bits.n > 1;
}

static bool
is_certificate(struct str s)
{
	struct str whole, part, bits;

	return take_element(&s, DER_SEQUENCE, &whole) && s.n == 0 && take_element(&whole, DER_SEQUENCE, &part) && is_signed_part(part) &&
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

const char *
certificate_fault(struct arena *a, const char *text)
{
	static const char begin[] = "-----BEGIN CERTIFICATE-----", end[] = "-----END CERTIFICATE-----";
	struct str s = trim_space(str_of(text)), bytes;

	if (memmem(s.p, s.n, "PRIVATE KEY", 11) != NULL)
		return "holds a private key, which only the identity provider may have";
	if (str_starts(s, begin)) {
		s = str_slice(s, sizeof(begin) - 1, s.n);
		if (s.n < sizeof(end) - 1 || memcmp(s.p + s.n - (sizeof(end) - 1), end, sizeof(end) - 1) != 0)
			return "has no line \"-----END CERTIFICATE-----\" at its end";
		s.n -= sizeof(end) - 1;
	}
	if (memchr(s.p, '-', s.n) != NULL)
		return "must be one certificate in PEM";
	if (!base64_read(a, trim_space(s), &bytes) || !is_certificate(bytes))
		return "is no X.509 certificate in PEM";
	return NULL;
}
