/*
 * Runs octavo-saml or octavo-passkey, which verify the answers of identity providers and of
 * authenticators. These are parsed in a process of their own because anyone can send them: it gets
 * no environment and no database, reads one JSON object, prints another one, and is killed after a
 * few seconds.
 */
#ifndef OCTAVO_SIGNIN_VERIFIER_H
#define OCTAVO_SIGNIN_VERIFIER_H

#include "base/arena.h"
#include "base/str.h"

struct cJSON;

enum verifier_failure { VERIFIER_GOOD, VERIFIER_ABSENT, VERIFIER_BROKEN };

/*
 * Runs the program octavo-NAME. path: the program's file, for tests; NULL: the directory of this
 * program. *answer: the object that it printed; the caller frees it by cJSON_Delete(). If the
 * result is not VERIFIER_GOOD, *why is a sentence that names the program and says what is wrong.
 */
enum verifier_failure verifier_ask(struct arena *a, const char *name, const char *path, struct str request,
    struct cJSON **answer, const char **why);

/* A member that is a string, copied; NULL: there is none. */
const char *verifier_text(struct arena *a, const struct cJSON *answer, const char *name);

#endif
