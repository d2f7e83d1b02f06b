/*
 * Certificates of identity providers, which users paste (RFC 5280). They are parsed only far enough
 * to recognise a certificate and a key that Octavo can use. Nothing is verified: the certificate is
 * trusted because an admin entered it, and only its key counts.
 */
#ifndef OCTAVO_CERTIFICATE_H
#define OCTAVO_CERTIFICATE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

/* CERTIFICATES_MOST: while a provider replaces its key, both the old and the new one count. */
enum { CERTIFICATES_MOST = 2, CERTIFICATE_BITS_LEAST = 2048 };

struct certificate {
	char   *base64;    /* of its DER, in one line */
	int64_t ends_at;   /* when it expires, ms */
};

/*
 * Reads one or two certificates with RSA keys of CERTIFICATE_BITS_LEAST bits or more: in PEM one
 * after the other, or the base64 of one certificate without PEM lines, as identity providers show
 * it. Returns NULL, or what is wrong, as a clause.
 */
const char *certificates_read(struct arena *a, const char *text, struct certificate out[CERTIFICATES_MOST], size_t *count);

#endif
