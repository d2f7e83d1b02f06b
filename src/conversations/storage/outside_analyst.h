/*
 * Inside the room conversations: analysis by a command that the admin configures (OCTAVO_ANALYSE).
 *
 * The command reads one conversation from its standard input, as JSON in the form of the API: {
 * "id", "subject", "parts": [ { "type", "role", "body" } ] }. It writes { "issues": [ { "title",
 * "summary" } ] } to its standard output and ends with status 0: at most ISSUES_MAX issues, titles
 * of 1 to 300 characters, summaries of at most 2000. It is run without a shell and without
 * arguments, and is killed after OUTSIDE_SECONDS. Its output is not trusted: it is checked, control
 * characters are removed, and markup is read as text.
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
