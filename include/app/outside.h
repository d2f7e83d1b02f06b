/*
 * Runs programs that need the network: octavo-oidc, the admin's sendmail, and octavo-fetch for one
 * request of a reader who tries an API (fetch/fetch_relay.h).
 *
 * In the packaged systemd units, the workers of octavo-api and octavo-site have no network
 * (systemd/octavo-api.service, PrivateNetwork), but the job runner has. A permanent job runner
 * therefore starts a process for each of the three, which listens at DIR/run/oidc.sock,
 * DIR/run/mail.sock or DIR/run/relay.sock, where only the programs' own user can connect, and runs the
 * program for its clients. Each runs at most eight programs at a time: a slow provider delays no mail,
 * and a slow mail server delays no sign-in. If no process listens there (plain CGI, `octavo-jobs --once`
 * from cron, or a runner whose settings name no sendmail), the programs are started directly.
 *
 * Each run has one connection. The client sends the program's input and shuts down its side. The
 * answer is "+" and the program's output, or "-" and the reason of a failure.
 */
#ifndef OCTAVO_OUTSIDE_H
#define OCTAVO_OUTSIDE_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/settings.h"
#include "base/str.h"

/*
 * OUTSIDE_OIDC_SECONDS and OUTSIDE_RELAY_SECONDS exceed the time limits of the programs for their
 * requests (oidc/provider.h, fetch/fetch_relay.h). OUTSIDE_MOST, OUTSIDE_RELAY_MOST: maximum bytes
 * of input and of output.
 */
enum { OUTSIDE_MOST = 64 << 10, OUTSIDE_RELAY_MOST = 1200 << 10, OUTSIDE_OIDC_SECONDS = 12, OUTSIDE_MAIL_SECONDS = 20,
	OUTSIDE_RELAY_SECONDS = 12 };

enum outside { OUTSIDE_OIDC, OUTSIDE_MAIL, OUTSIDE_RELAY, OUTSIDE_KINDS };

/*
 * Runs the program with an input within its limit and waits for it. NULL on success; *output is
 * then its output, in the arena. On failure returns the reason, as the end of a sentence that
 * begins with the program's name. program: path of the program if it is started directly; NULL: the
 * one in the folder of this program. Never inside a transaction.
 */
const char *outside_run(struct arena *a, const struct settings *set, enum outside what, const char *program, struct str input,
    struct str *output);

/*
 * For a permanent job runner: starts the listening processes, unless they run already (pids; 0 at
 * first). They end with the runner. Call it repeatedly.
 */
void outside_keep(const struct settings *set, pid_t pids[OUTSIDE_KINDS]);

#endif
