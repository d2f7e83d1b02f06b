/*
 * Upgrades. Between the installation of new programs and the migration of the database, a program
 * that starts finds an older schema than its own. It then waits, without opening the database and
 * without taking requests from its socket, so that requests wait there and `octavo migrate` can
 * get the lock. If the database is not migrated within READY_PATIENCE_MS, the program answers 503
 * until it is. (If the schema is newer than its own, it answers 503 at once: waiting does not
 * help.)
 *
 * A waiting program writes a note, DIR/run/schema-PROGRAM, with the number of the schema that it
 * needs; GET /healthz of another build, which works with the present schema, reads the notes. A
 * program that has opened its data removes its note; the note of a program that has ended is
 * ignored once its number is that of the schema.
 */
#ifndef OCTAVO_READY_H
#define OCTAVO_READY_H

#include <stdbool.h>

#include "base/arena.h"

/*
 * How long a program waits. READY_PATIENCE_MS is less than the 60 s after which nginx gives up a
 * request. A plain CGI program is one process for each request, and a shared host allows few
 * processes, so it waits for a shorter time. READY_LOOK_MS: time between two looks at the schema.
 */
enum { READY_PATIENCE_MS = 50000, READY_PATIENCE_CGI_MS = 8000, READY_LOOK_MS = 200 };

/* Writes the program's note (waits) or removes it; errors are ignored. */
void ready_note(struct arena *a, const char *dir, const char *program, bool waits);

/* NULL, or the name of the program that waits for a schema other than this program's. */
const char *ready_problem(struct arena *a, const char *dir);

#endif
