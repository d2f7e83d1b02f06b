/*
 * Programs that need the network: octavo-oidc, and the admin's sendmail.
 *
 * The workers of octavo-api have no network under the packaged units (systemd/octavo-api.service,
 * PrivateNetwork), the job runner has. So a runner that stays keeps a process beside it that listens at
 * DIR/run/outside.sock, where only the programs' own user reaches it, and runs these programs for
 * whoever connects. Where nobody listens (plain CGI, `octavo-jobs --once` from cron), they are started
 * directly.
 *
 * One connection is one run: the client sends a byte that names the program, then its input, and closes
 * its side; the answer is "+" and what the program printed, or "-" and why it failed, or "?" where the
 * settings of the runner name no such program: the client then starts it itself.
 */
#ifndef OCTAVO_SIGNIN_OUTSIDE_H
#define OCTAVO_SIGNIN_OUTSIDE_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/settings.h"
#include "base/str.h"

/* OUTSIDE_OIDC_SECONDS: more than octavo-oidc takes for all of its requests (oidc/provider.h). */
enum { OUTSIDE_MOST = 64 << 10, OUTSIDE_OIDC_SECONDS = 12, OUTSIDE_MAIL_SECONDS = 20 };

enum outside { OUTSIDE_OIDC = 'o', OUTSIDE_MAIL = 'm' };

/*
 * Runs the program on at most OUTSIDE_MOST bytes of input and waits. NULL, and *output is what it printed
 * (in the arena); else why not: the rest of a sentence that begins with its name. program: path of
 * octavo-oidc, which is then started directly; NULL: the one beside this program. Never inside a
 * transaction.
 */
const char *outside_run(struct arena *a, const struct settings *set, enum outside what, const char *program, struct str input,
    struct str *output);

/*
 * For a runner that stays: starts the process that listens, if *pid is none that lives (0 at first). It
 * dies with the runner. Call it again and again.
 */
void outside_keep(const struct settings *set, pid_t *pid);

#endif
