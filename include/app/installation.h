/*
 * Which installation a database and a key belong to (schema/0053_installation.sql). A new database
 * gets a random id, which all its copies keep. The database also records the fingerprint of its
 * key. The functions accept databases of any schema: an older one has neither id nor fingerprint.
 */
#ifndef OCTAVO_INSTALLATION_H
#define OCTAVO_INSTALLATION_H

#include <stdbool.h>

#include "base/arena.h"
#include "db/db.h"

struct installation {
	char *id;         /* NULL: not known */
	char *key_mark;   /* secret_mark() of the key; NULL: not known */
};

void installation_read(struct db *db, struct arena *a, struct installation *out);

/* True if DIR/octavo.key is the key of another database; false if either is unknown. */
bool installation_key_differs(struct db *db, struct arena *a, const char *dir);

/*
 * Records that DIR/octavo.key is the key of this database; with `missing`, only if no key is
 * recorded yet. NULL, or an error message. A schema without the table is not an error.
 */
const char *installation_take_key(struct db *db, struct arena *a, const char *dir, bool missing);

#endif
