/*
 * Inside the room conversations: an analysis by a command of the admin's (OCTAVO_ANALYSE).
 *
 * The command gets one conversation on its standard input, as the API shows it:
 * { "id", "subject", "parts": [ { "type", "role", "body" } ] }, and answers on its
 * standard output, with status 0: { "issues": [ { "title", "summary" } ] }: at most
 * ISSUES_MAX of them, a title of 1 to 300 characters, a summary of up to 2000. It is
 * run without a shell and with no argument, has OUTSIDE_SECONDS, and its output is
 * hostile until checked: control characters go, and markup is read as text.
 */
#ifndef OCTAVO_CONVERSATIONS_OUTSIDE_H
#define OCTAVO_CONVERSATIONS_OUTSIDE_H

#include "base/arena.h"
#include "conversations/analysis.h"

enum { OUTSIDE_SECONDS = 120, OUTSIDE_BYTES = 256 << 10 };

/*
 * Writes the issues to out (ISSUES_MAX elements) and returns their number; -1 and *error if the
 * command failed or its answer is invalid.
 */
int outside_read(struct arena *a, struct analyst *w, const char *command, struct str conversation,
    struct issue *out, const char **error);

#endif
