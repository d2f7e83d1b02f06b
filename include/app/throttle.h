/*
 * Limits how often a client may try a password, request a mail, or cause other work. The counters are in the file
 * DIR/run/sign-in, which all workers and CGI programs of the machine map. They are hints, and may
 * be lost at a restart of the machine.
 *
 * There are counters for
 *   - a network address and an account together: THROTTLE_PAIR tries, then one a minute. While
 *     many addresses try one account (more than THROTTLE_ACCOUNT failures within the hour), each of
 *     them has one try instead of THROTTLE_PAIR. So strangers are slowed down, and cannot lock out
 *     the person, who has another address;
 *   - a network address alone: THROTTLE_ADDRESS tries, then six a minute. IPv6 addresses count by
 *     their first 64 bits, which is what one customer has;
 *   - a browser in which the account has signed in since its password was set (a signed cookie),
 *     in place of its address: so strangers with the same address do not use up the person's tries.
 *
 * A success clears the counter of the pair. Entries of the table are found by a hash and may
 * replace each other; a client may then have more tries than stated, never fewer. The hash has a
 * random key in the file, so that clients cannot choose which entry is replaced.
 */
#ifndef OCTAVO_THROTTLE_H
#define OCTAVO_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/settings.h"

enum { THROTTLE_PAIR = 10, THROTTLE_ACCOUNT = 100, THROTTLE_ADDRESS = 60 };

struct attempt {
	const char *email;     /* normal form of the account's address; the account need not exist; NULL: count the network address alone */
	const char *address;   /* network address of the client as text; "": unknown, and all unknown clients share a counter */
	bool        known;     /* the browser has signed in to this account before */
};

/*
 * Counts one unit of work for a client: a network address, or a name such as a site's id. `most`
 * units are allowed at once, and one more every `each` ms (at most two hours for all of them).
 * Returns 0 if it is allowed; otherwise the number of seconds to wait.
 */
struct throttle_rule {
	const char *kind;
	int64_t     each, most;
};
int throttle_work(const struct settings *set, const struct throttle_rule *rule, const char *who, bool network, int64_t now);

/*
 * Counts a try. 0: it is allowed; otherwise the number of seconds until the next try is allowed.
 * now: ms, a parameter for tests.
 */
int throttle_try(const struct settings *set, const struct attempt *t, int64_t now);

/* The try that throttle_try() counted was not made after all. */
void throttle_undo(const struct settings *set, const struct attempt *t, int64_t now);

/* The try was right: the tries of this pair are forgotten. */
void throttle_clear(const struct settings *set, const struct attempt *t, int64_t now);

#endif
