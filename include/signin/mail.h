/*
 * Sends a mail by the program of the setting OCTAVO_SENDMAIL, which reads the complete message with
 * its recipients from standard input ("-t -i", as every sendmail does). Without the setting no mail
 * is sent. In the packaged systemd units the program cannot change its user or group
 * (NoNewPrivileges), which the sendmail programs of Postfix and Exim need. There, use a program
 * that speaks SMTP itself, such as msmtp.
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
 * Runs the program and waits for its end (app/outside.h). False: the program failed, and the
 * reason is in the log. Never inside a transaction.
 */
bool mail_send(struct arena *a, const struct settings *set, const struct mail *m);

/*
 * Sends the mail in another process, without waiting, so that the time of an answer does not reveal
 * whether a mail is sent. If m->to is NULL, it takes the same time and sends nothing. Failures are
 * logged in DIR/log/mail.log. Never inside a transaction.
 */
void mail_post(struct arena *a, const struct settings *set, const struct mail *m);

#endif
