/*
 * Which installation a database and a key belong to (schema/0053_installation.sql). An id is
 * drawn with the database and goes with every copy of it; the database also remembers the
 * fingerprint of its key. Works on databases of every schema: an older one has neither.
 */
#ifndef OCTAVO_INSTALLATION_H
#define OCTAVO_INSTALLATION_H

#include <stdbool.h>

#include "base/arena.h"
#include "db/db.h"

struct installation {
	char *id;         /* NULL: not known */
	char *key_mark;   /* secret_mark() of its key; NULL: not known */
};

void installation_read(struct db *db, struct arena *a, struct installation *out);

/* True if DIR/octavo.key is the key of another database; false if either is unknown. */
bool installation_key_differs(struct db *db, struct arena *a, const char *dir);

/*
 * Makes DIR/octavo.key the key of this database; `missing`: only if it has none yet. NULL, or an
 * error message; a schema without the table is no error.
 */
const char *installation_take_key(struct db *db, struct arena *a, const char *dir, bool missing);

#endif
