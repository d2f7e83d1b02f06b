/*
 * Sends a mail by the program that OCTAVO_SENDMAIL names, which takes a whole message on its standard
 * input and its recipients from there ("-t -i", as every sendmail does). Without the setting no mail is
 * sent. Under the packaged units the program cannot change its user or group (NoNewPrivileges), as those
 * of Postfix and Exim do: one that speaks SMTP itself, such as msmtp, is needed there.
 */
#ifndef OCTAVO_SIGNIN_MAIL_H
#define OCTAVO_SIGNIN_MAIL_H

#include <stdbool.h>

#include "base/settings.h"

struct mail {
	const char *to;        /* address in its normal form (email_normal()) */
	const char *subject;   /* one line, UTF-8 */
	const char *text;      /* plain text, UTF-8, lines end with \n */
};

/* True if mails can be sent. */
bool mail_can(const struct settings *set);

/*
 * Hands the message over and waits for the program's end (signin/outside.h). False: the program
 * failed, and the log says how. Never inside a transaction.
 */
bool mail_send(struct arena *a, const struct settings *set, const struct mail *m);

/*
 * The same in a process of its own, for which the caller does not wait: the time of an answer must not
 * tell whether a mail is sent. A mail to NULL takes as long for the caller, and is not sent. Failures are
 * logged in DIR/log/mail.log. Never inside a transaction.
 */
void mail_post(struct arena *a, const struct settings *set, const struct mail *m);

#endif
