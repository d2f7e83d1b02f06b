/*
 * Credentials of git repositories, sealed with a key from octavo.key: the database never has them
 * in clear.
 */
#ifndef OCTAVO_CREDENTIALS_H
#define OCTAVO_CREDENTIALS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/*
 * Seals credentials for the queue's secret column; username and password may be NULL. The result is
 * in the arena.
 */
struct str credentials_seal(struct arena *a, const char *username, const char *password);
/*
 * Opens sealed credentials; false if the box was not sealed with our key. Empty parts come back as
 * NULL.
 */
bool credentials_unseal(struct arena *a, struct str box, const char **username, const char **password);

#endif
