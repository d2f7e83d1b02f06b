/*
 * run/nginx.conf out of the two templates in nginx/, which travel inside the
 * program. Contract: include/command/service.h.
 *
 * A word between @ signs stands for a value. Values come to stand in double
 * quotes; what nginx would read as more than text is refused beforehand
 * (service_check_dir), so nothing is escaped here.
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

/* Several times what the templates have with the longest paths. */
#define CONF_MAX  (256 << 10)
#define NO_LIMIT  1000000      /* requests a second: more than nginx can take in */

struct word {
	const char *name, *value;
};

/* Only a master process that runs as root may name another user for its workers. */
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

/* Appends the template with its words replaced; a word that is not in the list stays as it is. */
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
			/* A lone @ (of a comment, or an address) goes through as it is. */
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
		{ "API", service_path(s, "run", "api.sock") },
		{ "SITE", service_path(s, "run", "site.sock") },
		{ "MAX_BODY", number_text(a, s->max_body) },
		{ "RATE", number_text(a, rate) },
		/*
		 * An address may be that of many people behind one router: it gets more than one
		 * token does.
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
	 * The row LOCATIONS, which is last but one: the inner template is filled in first and is
	 * then a value itself.
	 */
	words[sizeof words / sizeof words[0] - 2].value = "";
	fill_in(&inner, nginx_locations, words);
	words[sizeof words / sizeof words[0] - 2].value = inner.p;
	fill_in(&out, nginx_up, words);
	return out.p;
}

/* Whether the file holds exactly this text. */
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

	/* Without a change nginx is not signalled: a reload costs it new workers. */
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
