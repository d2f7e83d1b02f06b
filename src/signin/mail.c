/* Sends mails by the admin's sendmail. Contract: signin/mail.h. */
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/json.h"
#include "base/log.h"
#include "base/secret.h"
#include "signin/mail.h"
#include "app/outside.h"

enum { MAIL_MOST = 64 << 10 };

bool
mail_can(const struct settings *set)
{
	return *set->sendmail != '\0';
}

/* Base64 with padding, in lines of 76 characters (RFC 2045, section 6.8). */
static void
write_base64(struct buf *b, struct str s)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = (const unsigned char *)s.p;

	for (size_t i = 0; i < s.n; i += 3) {
		unsigned n = (unsigned)p[i] << 16 | (i + 1 < s.n ? (unsigned)p[i + 1] << 8 : 0) | (i + 2 < s.n ? p[i + 2] : 0);

		buf_char(b, digits[n >> 18]);
		buf_char(b, digits[n >> 12 & 63]);
		buf_char(b, i + 1 < s.n ? digits[n >> 6 & 63] : '=');
		buf_char(b, i + 2 < s.n ? digits[n & 63] : '=');
		if (i % 57 == 54)
			buf_char(b, '\n');
	}
}

/* Host of OCTAVO_URL, for the sender and Message-ID. */
static const char *
host_of(struct arena *a, const struct settings *set)
{
	const char *host = strstr(set->url, "://") + 3;

	return arena_strndup(a, host, strcspn(host, ":/"));
}

static struct str
write_message(struct arena *a, const struct settings *set, const struct mail *m)
{
	const char *host = host_of(a, set);
	time_t now = (time_t)(time_now() / 1000);
	char date[64];
	struct tm tm;
	struct buf b;

	strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S +0000", gmtime_r(&now, &tm));
	buf_init(&b, a, MAIL_MOST);
	/* The address cannot end the header, because email_normal() refuses such characters. */
	buf_printf(&b, "To: %s\nFrom: Octavo <octavo@%s>\nDate: %s\nMessage-ID: <%s@%s>\n", m->to, host, date, secret_id(a), host);
	/*
	 * An encoded word has at most 75 characters (RFC 2047, section 2); the subjects here are
	 * short enough.
	 */
	buf_str(&b, "Subject: =?utf-8?B?");
	write_base64(&b, str_of(m->subject));
	buf_str(&b, "?=\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n"
	    "Auto-Submitted: auto-generated\n\n");
	write_base64(&b, str_of(m->text));
	buf_char(&b, '\n');
	return buf_view(&b);
}

bool
mail_send(struct arena *a, const struct settings *set, const struct mail *m)
{
	struct str printed;
	const char *why = outside_run(a, set, OUTSIDE_MAIL, NULL, write_message(a, set, m), &printed);

	if (why == NULL)
		return true;
	log_line("a mail was not sent: %s %s", set->sendmail, why);
	return false;
}

void
mail_post(struct arena *a, const struct settings *set, const struct mail *m)
{
	mkdir(arena_printf(a, "%s/log", set->dir), 0700);
	if (child_detach(arena_printf(a, "%s/log/mail.log", set->dir)))
		_exit(m->to == NULL || mail_send(a, set, m) ? 0 : 1);
}
