/*
 * How rows store addresses of other services: the column url contains the address with secrets
 * masked; url_sealed contains the whole address, encrypted, if anything was masked.
 */
#ifndef OCTAVO_STORED_ADDRESS_H
#define OCTAVO_STORED_ADDRESS_H

#include "db/db.h"

/* Binds :shown (masked) and :sealed. Both are NULL if there is no address. */
void bind_address(struct stmt *q, struct arena *a, const char *url);

#endif
