/*
 * Upgrades. Between the moment when new programs are installed and the one when the database
 * is migrated, a program that starts finds an older schema than its own. It does not answer
 * then: it waits, without the database and without taking requests from its socket, so that
 * requests wait there and `octavo migrate` finds nobody in its way. Where the schema does not
 * come within READY_PATIENCE_MS, it answers 503 until it does. (With a newer schema than its own
 * it answers 503 at once: no waiting makes a program newer.)
 *
 * A program that waits leaves a note, DIR/run/schema-PROGRAM, with the number of the schema
 * that it needs; GET /healthz of another build, which works with the schema that is there,
 * reads the notes. A program that opened its data removes its note; one that was left by a
 * program that is gone counts as long as its number is not that of the schema.
 */
#ifndef OCTAVO_READY_H
#define OCTAVO_READY_H

#include <stdbool.h>

#include "base/arena.h"

/*
 * READY_PATIENCE_MS: less than the 60 s after which nginx gives up a request. A plain CGI program
 * is one process for each request, and a shared host allows few.
 */
enum { READY_PATIENCE_MS = 50000, READY_PATIENCE_CGI_MS = 8000, READY_LOOK_MS = 200 };

/* Writes the program's note (waits) or removes it; errors are ignored. */
void ready_note(struct arena *a, const char *dir, const char *program, bool waits);

/* NULL, or the name of the program that waits for a schema other than this program's. */
const char *ready_problem(struct arena *a, const char *dir);

#endif
