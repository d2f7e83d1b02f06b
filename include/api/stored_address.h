/*
 * Addresses of other services as rows store them: url as it may be shown, and url_sealed, the whole
 * address, only if something of it may not be shown.
 */
#ifndef OCTAVO_STORED_ADDRESS_H
#define OCTAVO_STORED_ADDRESS_H

#include "db/db.h"

/* Binds :shown and :sealed. Without an address, both are NULL. */
void bind_address(struct stmt *q, struct arena *a, const char *url);

#endif
