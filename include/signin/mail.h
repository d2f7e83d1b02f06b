/*
 * Sends a mail by the program that OCTAVO_SENDMAIL names, which takes a whole message on its standard
 * input and its recipients from there ("-t", as Postfix, Exim, msmtp and ssmtp do). Without the
 * setting no mail is sent.
 */
#ifndef OCTAVO_SIGNIN_MAIL_H
#define OCTAVO_SIGNIN_MAIL_H

#include <stdbool.h>

#include "base/settings.h"

enum { MAIL_SECONDS = 20 };

struct mail {
	const char *to;        /* address in its normal form (email_normal()) */
	const char *subject;   /* one line, UTF-8 */
	const char *text;      /* plain text, UTF-8, lines end with \n */
};

/* True if mails can be sent. */
bool mail_can(const struct settings *set);

/*
 * Hands the message over and waits for the program's end, at most MAIL_SECONDS. False: the program
 * failed, and the log says how. Never inside a transaction.
 */
bool mail_send(struct arena *a, const struct settings *set, const struct mail *m);

/*
 * The same in a process of its own, which nobody waits for: no answer takes longer because a mail is
 * sent, so its time does not tell that it is. A mail to NULL takes that time, and is not sent. Of a failure DIR/log/mail.log tells. Never inside a
 * transaction.
 */
void mail_post(struct arena *a, const struct settings *set, const struct mail *m);

#endif
