/*
 * How often somebody may try a password, or ask for a mail. Counters in DIR/run/sign-in, which all
 * workers and CGI programs of the machine map; they are hints and are lost with the machine.
 *
 * A counter belongs to a name, of which there are
 *
 *   - an address of the network with an account: THROTTLE_PAIR tries, then one a minute. While many
 *     addresses try one account (more than THROTTLE_ACCOUNT failures within the hour), each of them has
 *     one try instead of THROTTLE_PAIR: strangers slow each other down, and never lock the person out,
 *     whose own address is another one;
 *   - an address of the network alone: THROTTLE_ADDRESS tries, then six a minute. IPv6 addresses count
 *     by their first 64 bits, which is what one customer has;
 *   - a browser in which the account signed in since its password was set (a signed cookie) instead of
 *     its address: so strangers behind the same address take nothing from it.
 *
 * A success clears the pair. Table entries are found by hash and may replace each other: then somebody
 * has more tries than told, never fewer. The hash has a random key of the file, so that nobody can
 * choose which entry is replaced.
 */
#ifndef OCTAVO_THROTTLE_H
#define OCTAVO_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/settings.h"

enum { THROTTLE_PAIR = 10, THROTTLE_ACCOUNT = 100, THROTTLE_ADDRESS = 60 };

struct attempt {
	const char *email;     /* of the account, in its normal form; there may be none with it. NULL: no account
	                          is named, and only the address counts */
	const char *address;   /* of the client, as text; "" unknown: counted together */
	bool        known;     /* the browser has signed in to this account before */
};

/*
 * Counts a try. 0: it may go ahead; else the seconds after which the next one may. now: ms, a
 * parameter for tests.
 */
int throttle_try(const struct settings *set, const struct attempt *t, int64_t now);

/* The try that throttle_try() counted was not made after all. */
void throttle_undo(const struct settings *set, const struct attempt *t, int64_t now);

/* The try was right: the tries of this pair are forgotten. */
void throttle_clear(const struct settings *set, const struct attempt *t, int64_t now);

#endif
