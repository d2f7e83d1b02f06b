/*
 * Certificates that people paste (RFC 5280): read as far as it takes to tell one from any other text. Nothing is
 * verified: who trusts it does that.
 */
#ifndef OCTAVO_CERTIFICATE_H
#define OCTAVO_CERTIFICATE_H

#include "base/arena.h"
#include "base/str.h"

/* NULL where the text is one X.509 certificate: PEM, or its base64 alone as identity providers show it. Else what is wrong. */
const char *certificate_fault(struct arena *a, const char *text);

#endif
