/*
 * Runs programs that need the network: octavo-oidc, and the admin's sendmail.
 *
 * In the packaged systemd units, the workers of octavo-api have no network
 * (systemd/octavo-api.service, PrivateNetwork), but the job runner has. A permanent job runner
 * therefore starts a process that listens at DIR/run/outside.sock, which only the programs' own
 * user can open, and runs these programs for its clients. If nobody listens there (plain CGI, or
 * `octavo-jobs --once` from cron), the programs are started directly.
 *
 * Each run has one connection. The client sends a byte that names the program, then the program's
 * input, and shuts down its side. The answer is "+" and the program's output, or "-" and the reason
 * of a failure. The answer "?" means that the settings of the runner name no such program; the
 * client then starts it itself.
 */
#ifndef OCTAVO_SIGNIN_OUTSIDE_H
#define OCTAVO_SIGNIN_OUTSIDE_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/settings.h"
#include "base/str.h"

/* OUTSIDE_OIDC_SECONDS is more than octavo-oidc takes for all of its requests (oidc/provider.h). */
enum { OUTSIDE_MOST = 64 << 10, OUTSIDE_OIDC_SECONDS = 12, OUTSIDE_MAIL_SECONDS = 20 };

enum outside { OUTSIDE_OIDC = 'o', OUTSIDE_MAIL = 'm' };

/*
 * Runs the program with at most OUTSIDE_MOST bytes of input and waits for it. NULL on success;
 * *output is then its output, in the arena. Otherwise the rest of a sentence that begins with the
 * program's name and says why it failed. program: path of octavo-oidc if it is started directly;
 * NULL: the one in the folder of this program. Never inside a transaction.
 */
const char *outside_run(struct arena *a, const struct settings *set, enum outside what, const char *program, struct str input,
    struct str *output);

/*
 * For a permanent job runner: starts the listening process, unless *pid (0 at first) is running.
 * The process ends with the runner. Call it repeatedly.
 */
void outside_keep(const struct settings *set, pid_t *pid);

#endif
