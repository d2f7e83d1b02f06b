/*
 * Runs programs that need the network: octavo-oidc, and the admin's sendmail.
 *
 * In the packaged systemd units, the workers of octavo-api have no network
 * (systemd/octavo-api.service, PrivateNetwork), but the job runner has. A permanent job runner
 * therefore starts a process for each of the two, which listens at DIR/run/oidc.sock or
 * DIR/run/mail.sock, where only the programs' own user can connect, and runs the program for its
 * clients. Each of the two runs at most eight programs at a time: a slow provider delays no mail,
 * and a slow mail server delays no sign-in. If no process listens there (plain CGI, `octavo-jobs --once`
 * from cron, or a runner whose settings name no sendmail), the programs are started directly.
 *
 * Each run has one connection. The client sends the program's input and shuts down its side. The
 * answer is "+" and the program's output, or "-" and the reason of a failure.
 */
#ifndef OCTAVO_SIGNIN_OUTSIDE_H
#define OCTAVO_SIGNIN_OUTSIDE_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/settings.h"
#include "base/str.h"

/* OUTSIDE_OIDC_SECONDS is more than octavo-oidc takes for all of its requests (oidc/provider.h). */
enum { OUTSIDE_MOST = 64 << 10, OUTSIDE_OIDC_SECONDS = 12, OUTSIDE_MAIL_SECONDS = 20 };

enum outside { OUTSIDE_OIDC, OUTSIDE_MAIL, OUTSIDE_KINDS };

/*
 * Runs the program with at most OUTSIDE_MOST bytes of input and waits for it. NULL on success;
 * *output is then its output, in the arena. Otherwise the rest of a sentence that begins with the
 * program's name and says why it failed. program: path of octavo-oidc if it is started directly;
 * NULL: the one in the folder of this program. Never inside a transaction.
 */
const char *outside_run(struct arena *a, const struct settings *set, enum outside what, const char *program, struct str input,
    struct str *output);

/*
 * For a permanent job runner: starts the listening processes, unless pids (0 at first) are running.
 * They end with the runner. Call it repeatedly.
 */
void outside_keep(const struct settings *set, pid_t pids[OUTSIDE_KINDS]);

#endif
