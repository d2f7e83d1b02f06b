/*
 * Generates run/nginx.conf from the two templates in nginx/, which are embedded in the program.
 * Contract: include/command/service.h.
 *
 * A word between @ signs is replaced by its value. Values are inserted inside double quotes without
 * escaping: service_check_dir() refuses paths that nginx would not read as plain text.
 */
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "nginx.h"
#include "command/service.h"

/* Several times the size of the templates with the longest paths. */
#define CONF_MAX  (256 << 10)
#define NO_LIMIT  1000000      /* requests per second: more than nginx can receive */

struct word {
	const char *name, *value;
};

/* Only a master process that runs as root may set another user for its workers. */
static const char *
user_line(struct arena *a)
{
	struct passwd *u = getpwuid(geteuid());
	struct group *g = getgrgid(getegid());

	if (geteuid() != 0 || u == NULL || g == NULL)
		return "";
	return arena_printf(a, "user %s %s;", u->pw_name, g->gr_name);
}

static const char *
number_text(struct arena *a, int64_t n)
{
	return arena_printf(a, "%" PRId64, n);
}

/* Appends the template with its words replaced; an unknown word is copied unchanged. */
static void
fill_in(struct buf *out, const char *text, const struct word *words)
{
	while (*text != '\0') {
		size_t n = strcspn(text, "@");
		const struct word *w = words;

		buf_add(out, text, n);
		text += n;
		if (*text == '\0')
			return;
		n = strcspn(text + 1, "@");
		while (w->name != NULL && (strlen(w->name) != n || memcmp(w->name, text + 1, n) != 0))
			w++;
		if (w->name == NULL) {
			/* Copy a lone @, for example in a comment or an address. */
			buf_char(out, *text++);
			continue;
		}
		buf_str(out, w->value);
		text += n + 2;
	}
}

const char *
service_conf(const struct service *s)
{
	struct arena *a = s->arena;
	int64_t rate = s->rate == 0 ? NO_LIMIT : s->rate;
	struct word words[] = {
		{ "USER", user_line(a) },
		{ "DIR", s->dir },
		{ "PORT", number_text(a, s->port) },
		{ "LISTEN_IPV6", service_has_ipv6() ? arena_printf(a, "listen [::1]:%d default_server;", s->port) : "" },
		{ "API", service_path(s, "run", "api.sock") },
		{ "SITE", service_path(s, "run", "site.sock") },
		{ "MAX_BODY", number_text(a, s->max_body) },
		{ "RATE", number_text(a, rate) },
		/*
		 * Many people behind one router share an address, so an address gets a higher limit
		 * than a token.
		 */
		{ "RATE_ADDRESS", number_text(a, rate * 4) },
		{ "BURST", number_text(a, rate * 2) },
		{ "BURST_ADDRESS", number_text(a, rate * 8) },
		{ "LOCATIONS", NULL },
		{ NULL, NULL }
	};
	struct buf inner, out;

	buf_init(&inner, a, CONF_MAX);
	buf_init(&out, a, CONF_MAX);
	/*
	 * LOCATIONS is the last row but one. Fill in the inner template first; its text is then the
	 * value of that row.
	 */
	words[sizeof words / sizeof words[0] - 2].value = "";
	fill_in(&inner, nginx_locations, words);
	words[sizeof words / sizeof words[0] - 2].value = inner.p;
	fill_in(&out, nginx_up, words);
	return out.p;
}

/* True if the file contains exactly this text. */
static bool
file_is(const char *path, const char *text)
{
	size_t n = strlen(text), done = 0;
	char part[4096];
	ssize_t got = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	while ((got = read(fd, part, sizeof part)) > 0) {
		if ((size_t)got > n - done || memcmp(part, text + done, (size_t)got) != 0)
			break;
		done += (size_t)got;
	}
	close(fd);
	return got == 0 && done == n;
}

bool
service_write_conf(const struct service *s, bool *changed)
{
	const char *path = service_path(s, "run", "nginx.conf"), *text = service_conf(s);
	const char *new = service_path(s, "run", "nginx.conf.new");
	size_t n = strlen(text);
	bool ok;
	int fd;

	/*
	 * Do not write an unchanged file: *changed makes the caller reload nginx, which replaces
	 * its workers.
	 */
	*changed = !file_is(path, text);
	if (!*changed)
		return true;
	fd = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	ok = write(fd, text, n) == (ssize_t)n;
	close(fd);
	return ok && rename(new, path) == 0;
}
