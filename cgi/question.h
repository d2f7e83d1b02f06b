/*
 * A program that reads one JSON object from standard input and prints one JSON object: octavo-oidc,
 * octavo-saml. It does what its input says, so it must not be reachable over HTTP.
 */
#ifndef OCTAVO_QUESTION_H
#define OCTAVO_QUESTION_H

#include <cjson/cJSON.h>

#include "base/arena.h"
#include "base/json.h"

/* program: its name. answer: prints members of the answer; what it prints has at most `most` bytes. Returns the exit status. */
int question_answer(struct arena *a, const char *program, size_t most, void (*answer)(struct arena *a, const cJSON *v, struct json *j));

#endif
