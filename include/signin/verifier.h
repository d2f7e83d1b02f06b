/*
 * Asks octavo-saml or octavo-passkey, which verify what strangers send. Each reads one JSON object and prints another
 * one, without the environment and the database, and has a few seconds.
 */
#ifndef OCTAVO_SIGNIN_VERIFIER_H
#define OCTAVO_SIGNIN_VERIFIER_H

#include "base/arena.h"
#include "base/str.h"

struct cJSON;

enum verifier_failure { VERIFIER_GOOD, VERIFIER_ABSENT, VERIFIER_BROKEN };

/*
 * name: of the program, without "octavo-". path: where it is, for tests; NULL: beside this program. *answer: the
 * object, for cJSON_Delete(). Unless VERIFIER_GOOD, *why says what is wrong, as a sentence that names the program.
 */
enum verifier_failure verifier_ask(struct arena *a, const char *name, const char *path, struct str request,
    struct cJSON **answer, const char **why);

/* A member that is a string, copied; NULL: there is none. */
const char *verifier_text(struct arena *a, const struct cJSON *answer, const char *name);

#endif
