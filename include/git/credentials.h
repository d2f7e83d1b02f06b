/*
 * Credentials of git repositories, sealed under a key from octavo.key: they are
 * never in the database in clear.
 */
#ifndef OCTAVO_CREDENTIALS_H
#define OCTAVO_CREDENTIALS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* Credentials for the queue's secret column, sealed; either may be NULL. */
struct str credentials_seal(struct arena *a, const char *username, const char *password);
/* And back; false if the box is not ours. Empty parts come back as NULL. */
bool credentials_unseal(struct arena *a, struct str box, const char **username, const char **password);

#endif
