/*
 * Certificates that people paste (RFC 5280): parsed far enough to distinguish one from any other
 * text. Nothing is verified: the user of the certificate does that.
 */
#ifndef OCTAVO_CERTIFICATE_H
#define OCTAVO_CERTIFICATE_H

#include "base/arena.h"
#include "base/str.h"

/*
 * NULL if the text is one X.509 certificate: PEM, or only its base64, as identity providers show
 * it. Otherwise what is wrong.
 */
const char *certificate_fault(struct arena *a, const char *text);

#endif
