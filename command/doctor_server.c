/*
 * octavo doctor: finds the web servers whose configuration names this installation, and the users
 * that they run as. Contract: doctor.h. Running processes take precedence, because their groups are
 * those from when they were started; the usual configuration files are used only for a server that
 * is not running.
 */
#include <ctype.h>
#include <glob.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "doctor.h"
#include "command/service.h"

/* DEPTH, FILES: limits for includes, which may be circular. */
enum { DEPTH = 8, FILES = 1000 };

static const char *const programs[] = { "nginx", "apache2", "httpd" };

/* State while a configuration is read. */
struct conf {
	struct doctor     *d;
	struct web_server *server;
	const char        *base;      /* base folder of relative includes */
	const char        *user;      /* user that the configuration sets; NULL: none */
	size_t             files;
	bool               ours;      /* one of its files names this installation */
};

/* ---- the configuration ---- */

/*
 * Returns the next word: quoted, or ended by a blank or ";". Comments are skipped. NULL: end of the
 * text.
 */
static const char *
next_word(struct arena *a, const char **at)
{
	const char *p = *at, *end;

	for (p += strspn(p, " \t\r\n;"); *p == '#'; p += strspn(p, " \t\r\n;"))
		p += strcspn(p, "\n");
	if (*p == '\0')
		return NULL;
	if ((*p == '"' || *p == '\'') && (end = strchr(p + 1, *p)) != NULL) {
		*at = end + 1;
		return arena_strndup(a, p + 1, (size_t)(end - p - 1));
	}
	*at = p + strcspn(p, " \t\r\n;");
	return arena_strndup(a, p, (size_t)(*at - p));
}

/* True if the word names files of this installation that only its own web server would send. */
static bool
names_data(struct doctor *d, const char *word)
{
	const char *dir = d->cli->dir, *at = strstr(word, dir);

	return at != NULL && (strncmp(at + strlen(dir), "/blobs", 6) == 0 ||
	    strncmp(at + strlen(dir), "/cache/served", 13) == 0);
}

static void
add_socket(struct conf *f, const char **list, size_t *count, const char *word)
{
	const char *at = strstr(word, "unix:"), *path;

	if (at == NULL || at[5] != '/' || *count == WEB_SOCKETS)
		return;
	path = arena_strndup(f->d->cli->arena, at + 5, strcspn(at + 5, "|:\"'"));
	for (size_t i = 0; i < *count; i++)
		if (strcmp(list[i], path) == 0)
			return;
	list[(*count)++] = path;
}

static void read_conf(struct conf *f, const char *path, int depth);

static void
read_included(struct conf *f, const char *pattern, int depth)
{
	glob_t found;

	if (pattern == NULL || depth == 0)
		return;
	if (*pattern != '/')
		pattern = arena_printf(f->d->cli->arena, "%s/%s", f->base, pattern);
	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			read_conf(f, found.gl_pathv[i], depth - 1);
	globfree(&found);
}

/*
 * nginx and Apache use the same words for the directives needed here. Sockets are taken only from a
 * file that also names the data: another file may belong to another installation.
 */
static void
read_conf(struct conf *f, const char *path, int depth)
{
	struct arena *a = f->d->cli->arena;
	const char *sockets[WEB_SOCKETS], *word, *at;
	bool ours = false, jobs = false;
	size_t count = 0;
	struct str text;

	if (f->files++ >= FILES || !file_read(a, path, &text))
		return;
	for (at = text.p; (word = next_word(a, &at)) != NULL; ) {
		ours = ours || names_data(f->d, word);
		jobs = jobs || strcmp(word, "OCTAVO_JOBS") == 0;
		add_socket(f, sockets, &count, word);
		if (strcasecmp(word, "include") == 0 || strcasecmp(word, "IncludeOptional") == 0)
			read_included(f, next_word(a, &at), depth);
		else if (strcasecmp(word, "user") == 0)
			f->user = next_word(a, &at);
	}
	if (!ours)
		return;
	f->ours = true;
	f->server->starts_jobs = f->server->starts_jobs || jobs;
	for (size_t i = 0; i < count; i++)
		add_socket(f, f->server->sockets, &f->server->socket_count, arena_printf(a, "unix:%s", sockets[i]));
}

static const char *
default_conf(const char *program)
{
	return strcmp(program, "nginx") == 0 ? "/etc/nginx/nginx.conf" : strcmp(program, "apache2") == 0 ?
	    "/etc/apache2/apache2.conf" : "/etc/httpd/conf/httpd.conf";
}

/* Returns the value of a command-line option; NULL: the option is missing. */
static const char *
line_option(struct arena *a, const char *line, const char *option)
{
	const char *word;

	while ((word = next_word(a, &line)) != NULL)
		if (strcmp(word, option) == 0)
			return next_word(a, &line);
	return NULL;
}

/* Returns the configuration file named on the command line, else the default one. */
static const char *
conf_of(struct arena *a, const char *program, const char *line)
{
	const char *file = line_option(a, line, strcmp(program, "nginx") == 0 ? "-c" : "-f");
	const char *root = line_option(a, line, strcmp(program, "nginx") == 0 ? "-p" : "-d");

	if (file == NULL)
		return default_conf(program);
	return *file == '/' || root == NULL ? file : arena_printf(a, "%s/%s", root, file);
}

/* Adds the server if its configuration names this installation. */
static bool
add_server(struct doctor *d, struct web_server *s, const char *path, const char **user)
{
	const char *slash = strrchr(path, '/');
	struct conf f = { .d = d, .server = s };

	f.base = arena_strndup(d->cli->arena, path, slash == NULL ? 0 : (size_t)(slash - path));
	read_conf(&f, path, DEPTH);
	*user = f.user;
	if (!f.ours)
		return false;
	s->conf = path;
	s->next = d->servers;
	d->servers = s;
	return true;
}

/* ---- running servers ---- */

/* Returns the text after a name in /proc/PID/status; "" if the name is missing. */
static const char *
status_field(const char *status, const char *name)
{
	const char *at = strstr(status, name);

	return at == NULL ? "" : at + strlen(name);
}

static const char *
server_program(struct arena *a, pid_t pid)
{
	const char *name = service_proc(a, pid, "comm");

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (strncmp(name, programs[i], strlen(programs[i])) == 0 && name[strlen(programs[i])] == '\n')
			return programs[i];
	return NULL;
}

/* The second number of the Uid and Gid lines is the effective id (proc(5)). */
static void
take_process(struct web_server *s, const char *status)
{
	const char *p = status_field(status, "\nGroups:");
	char *end;

	s->uid = (uid_t)strtol(strpbrk(status_field(status, "\nUid:\t"), "\t"), NULL, 10);
	s->gid = (gid_t)strtol(strpbrk(status_field(status, "\nGid:\t"), "\t"), NULL, 10);
	s->groups[s->group_count++] = s->gid;
	for (p += strspn(p, "\t "); isdigit((unsigned char)*p) && s->group_count < WEB_GROUPS; p = end + strspn(end, " "))
		s->groups[s->group_count++] = (gid_t)strtol(p, &end, 10);
}

static bool
is_known(const struct doctor *d, pid_t master)
{
	for (const struct web_server *s = d->servers; s != NULL; s = s->next)
		if (s->master == master)
			return true;
	return false;
}

/*
 * A worker is a process whose parent runs the same program. Workers open the files, under their own
 * user.
 */
static void
ask_process(struct doctor *d, pid_t pid)
{
	struct arena *a = d->cli->arena;
	const char *program = server_program(a, pid), *parent, *status, *user;
	struct web_server *s;
	pid_t master;

	if (program == NULL)
		return;
	status = service_proc(a, pid, "status");
	master = (pid_t)strtol(status_field(status, "\nPPid:"), NULL, 10);
	parent = master > 0 ? server_program(a, master) : NULL;
	if (parent != program || is_known(d, master) || strstr(status, "\nUid:\t") == NULL || strstr(status, "\nGid:\t") == NULL)
		return;
	s = arena_alloc(a, sizeof(*s));
	s->program = program;
	s->master = master;
	take_process(s, status);
	s->user = doctor_user(a, s->uid);
	add_server(d, s, conf_of(a, program, service_proc(a, master, "cmdline")), &user);
}

/* ---- servers that are not running ---- */

/* Debian's Apache defines its user in a shell file. */
static const char *
user_of_environment(struct arena *a)
{
	const char *at, *name = "APACHE_RUN_USER=";
	struct str text;

	if (!file_read(a, "/etc/apache2/envvars", &text) || (at = strstr(text.p, name)) == NULL)
		return NULL;
	at += strlen(name);
	return arena_strndup(a, at, strcspn(at, " \t\r\n"));
}

static void
ask_configuration(struct doctor *d, const char *program)
{
	struct web_server *s = arena_alloc(d->cli->arena, sizeof(*s));
	const char *path = default_conf(program), *user = NULL;
	int count = WEB_GROUPS;
	const struct passwd *u;

	for (const struct web_server *other = d->servers; other != NULL; other = other->next)
		if (strcmp(other->conf, path) == 0)
			return;
	s->program = program;
	if (!add_server(d, s, path, &user))
		return;
	if (user != NULL && *user == '$')
		user = user_of_environment(d->cli->arena);
	if (user == NULL || (u = getpwnam(user)) == NULL) {
		d->servers = s->next;
		return;
	}
	s->user = arena_strdup(d->cli->arena, u->pw_name);
	s->uid = u->pw_uid;
	s->gid = u->pw_gid;
	s->group_count = getgrouplist(u->pw_name, u->pw_gid, s->groups, &count) < 0 ? WEB_GROUPS : (size_t)count;
}

void
doctor_find_servers(struct doctor *d)
{
	doctor_each_process(d, ask_process);
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		ask_configuration(d, programs[i]);
}
