/*
 * Checks of the machine: does the port answer, is it free, where are the programs, what are the
 * last lines of a log. Contract: include/command/service.h.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pwd.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "app/database.h"
#include "app/setup.h"
#include "base/buf.h"
#include "command/service.h"

/* Time limit for connecting, sending and each read: a hanging service counts as not answering. */
#define PROBE_SECONDS 5
#define TAIL_BYTES    1000
#define CLAIM_TRIES   20

void
service_sleep(int ms)
{
	struct timespec t = { ms / 1000, (long)(ms % 1000) * 1000000 };

	nanosleep(&t, NULL);
}

const char *
service_read_all(struct arena *a, int fd)
{
	struct buf b;
	char part[512];
	ssize_t n;

	buf_init(&b, a, 1 << 20);
	buf_str(&b, "");
	while ((n = read(fd, part, sizeof part)) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			buf_add(&b, part, (size_t)n);
	return b.n == 0 ? "" : b.p;
}

int
service_probe(int port)
{
	static const char request[] = "GET /v1/ HTTP/1.1\r\nHost: localhost\r\n"
	    "User-Agent: octavo-up\r\nConnection: close\r\n\r\n";
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct timeval limit = { .tv_sec = PROBE_SECONDS };
	char reply[64] = "";
	int status = 0, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return 0;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
	if (connect(fd, (struct sockaddr *)&at, sizeof at) == 0 &&
	    send(fd, request, sizeof request - 1, MSG_NOSIGNAL) == (ssize_t)sizeof request - 1 &&
	    /* Only the status line is read. */
	    recv(fd, reply, sizeof reply - 1, MSG_WAITALL) > 0 &&
	    sscanf(reply, "HTTP/%*d.%*d %d", &status) != 1)
		status = 0;
	close(fd);
	return status;
}

/* Opens and closes a listener on a loopback address; if *port is 0, sets the port that the system chose. 0, or an errno. */
static int
claim(int family, int *port)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)*port) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT, .sin6_port = htons((uint16_t)*port) };
	bool is_v4 = family == AF_INET;
	struct sockaddr *at = is_v4 ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6;
	socklen_t n = is_v4 ? sizeof v4 : sizeof v6;
	int on = 1, why = 0, fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return errno;
	/*
	 * Same options as nginx: lingering connections of an earlier run do not make the port look
	 * taken, and a listener of IPv6 leaves IPv4 to another one.
	 */
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (!is_v4)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
	if (bind(fd, at, n) != 0 || listen(fd, 1) != 0 || getsockname(fd, at, &n) != 0)
		why = errno;
	else
		*port = ntohs(is_v4 ? v4.sin_port : v6.sin6_port);
	close(fd);
	return why;
}

bool
service_has_ipv6(void)
{
	int any = 0;

	return claim(AF_INET6, &any) == 0;
}

int
service_claim_port(int *port)
{
	int asked = *port, tries = CLAIM_TRIES, why;

	/* A port that the system chose for IPv4 may be taken for IPv6. */
	do {
		*port = asked;
		why = claim(AF_INET, port);
		if (why == 0 && service_has_ipv6())
			why = claim(AF_INET6, port);
	} while (why == EADDRINUSE && asked == 0 && --tries > 0);
	return why;
}

const char *
service_check_dir(struct arena *a, const char *dir)
{
	const char *longest = arena_printf(a, "%s/run/site.sock", dir);
	const char *db = arena_printf(a, "%s/octavo.db", dir), *lost;
	struct sockaddr_un sun;
	struct stat st;

	/*
	 * The path is inserted in quotes into nginx.conf: refuse characters that would end the
	 * quotes or start a variable.
	 */
	for (const char *p = dir; *p != '\0'; p++)
		if ((unsigned char)*p < 0x20 || strchr("\"'\\$:;{}@", *p) != NULL)
			return arena_printf(a, "the path %s holds a character that nginx cannot take in a path",
			    dir);
	/*
	 * Limit of 108 bytes (unix(7)); otherwise bind() would fail later with a message that does
	 * not mention the path.
	 */
	if (strlen(longest) >= sizeof sun.sun_path)
		return arena_printf(a, "the path %s is too long: sockets below it may have %zu bytes, "
		    "and %s has %zu", dir, sizeof sun.sun_path - 1, longest, strlen(longest));
	if (access(db, F_OK) != 0 && errno == EACCES)
		return arena_printf(a, "this user may not look into %s; run it as its owner", dir);
	if (access(dir, F_OK) != 0)
		return arena_printf(a, "there is no directory %s; make it with: octavo init --dir %s …",
		    dir, dir);
	if (!database_is_file())
		return NULL;
	if ((stat(db, &st) != 0 || st.st_size == 0) && (lost = setup_lost(a, dir)) != NULL)
		return lost;
	if (access(db, F_OK) != 0)
		return arena_printf(a, "%s holds no data yet; begin with: octavo init --dir %s …", dir, dir);
	if (access(db, R_OK | W_OK) != 0)
		return arena_printf(a, "%s may not be read and written by this user", db);
	return NULL;
}

/* Finds a program on PATH, or in the folders that are missing in a plain user's PATH. */
static const char *
find_tool(struct arena *a, const char *name)
{
	const char *path = getenv("PATH"), *found = NULL;
	const char *p = arena_printf(a, "%s:/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin",
	    path == NULL ? "" : path);

	while (found == NULL && *p != '\0') {
		size_t n = strcspn(p, ":");
		const char *file = arena_printf(a, "%.*s/%s", (int)n, p, name);

		if (n > 0 && access(file, X_OK) == 0)
			found = file;
		p += n + (p[n] == ':');
	}
	return found;
}

/* Returns the folder of this program; NULL: not known. */
static const char *
own_folder(struct arena *a)
{
	const char *launcher = getenv("OCTAVO_LAUNCHER");
	char self[PATH_MAX] = "";

	/*
	 * If a loader of the tarball started this program, use its launcher's path (cgi/launch.c).
	 */
	if (launcher != NULL && strlen(launcher) < sizeof self)
		memcpy(self, launcher, strlen(launcher) + 1);
	else if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0)
		return NULL;
	return *self != '\0' ? arena_strdup(a, dirname(self)) : NULL;
}

const char *
service_missing(struct arena *a, const char *name)
{
	const char *folder = own_folder(a);
	const struct passwd *u = getpwuid(geteuid());

	if (folder != NULL && access(folder, X_OK) != 0 && errno == EACCES)
		return arena_printf(a, "the user %s cannot reach %s, where %s is", u != NULL ? u->pw_name : "of the data", folder, name);
	return arena_printf(a, "%s is neither beside this command nor in ../lib/octavo", name);
}

const char *
service_program(struct arena *a, const char *name)
{
	const char *folder = own_folder(a), *file, *launcher = getenv("OCTAVO_LAUNCHER");

	if (folder == NULL)
		return NULL;
	file = arena_printf(a, "%s/%s", folder, name);
	if (access(file, X_OK) == 0)
		return file;
	file = arena_printf(a, launcher != NULL ? "%s/../lib/%s" : "%s/../lib/octavo/%s", folder, name);
	return access(file, X_OK) == 0 ? file : NULL;
}

const char *
service_find_programs(struct service *s)
{
	s->nginx = find_tool(s->arena, "nginx");
	s->spawn_fcgi = find_tool(s->arena, "spawn-fcgi");
	s->multiwatch = find_tool(s->arena, "multiwatch");
	/* If the service is running, keep the programs that its supervisor starts. */
	if (s->supervisor.pid == 0) {
		s->api = service_program(s->arena, "octavo-api");
		s->site = service_program(s->arena, "octavo-site");
		s->jobs = service_program(s->arena, "octavo-jobs");
	}
	if (s->nginx == NULL)
		return "nginx is missing; on Debian: apt-get install nginx-light";
	if (s->spawn_fcgi == NULL)
		return "spawn-fcgi is missing; on Debian: apt-get install spawn-fcgi";
	if (s->multiwatch == NULL)
		return "multiwatch is missing; on Debian: apt-get install multiwatch";
	if (s->api == NULL)
		return arena_printf(s->arena, "%s (make builds it, make install puts it where all can reach it)",
		    service_missing(s->arena, "octavo-api"));
	return NULL;
}

const char *
service_log_tail(const struct service *s, const char *name)
{
	int fd = open(service_path(s, "log", name), O_RDONLY | O_CLOEXEC);
	char *text = arena_alloc(s->arena, TAIL_BYTES + 1);
	ssize_t n = 0;
	off_t end;

	if (fd < 0)
		return "";
	/* Read only the end: a log may have gigabytes. */
	end = lseek(fd, 0, SEEK_END);
	if (end > 0 && lseek(fd, end > TAIL_BYTES ? end - TAIL_BYTES : 0, SEEK_SET) >= 0)
		n = read(fd, text, TAIL_BYTES);
	close(fd);
	while (n > 0 && text[n - 1] == '\n')
		n--;
	text[n < 0 ? 0 : n] = '\0';
	return text;
}
