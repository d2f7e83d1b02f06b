/*
 * octavo doctor: checks that the web server's user can read the files that it sends, and connect to
 * the programs' sockets. Contract: doctor.h. The result is computed from owners, groups and modes,
 * since only root could test access as that user; a file with an access list (acl(5)) counts as
 * accessible.
 */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "doctor.h"

enum { MAY_PASS = 1, MAY_WRITE = 2, MAY_LIST = 5 };

/* A path, or a folder above it, that denies a user access. */
struct barrier {
	const char *path;
	struct stat st;
	unsigned    want;   /* the permission bits that are required */
};

static bool
is_in_group(const struct web_server *s, gid_t gid)
{
	for (size_t i = 0; i < s->group_count; i++)
		if (s->groups[i] == gid)
			return true;
	return false;
}

static bool
may_pass(const struct web_server *s, const struct barrier *b)
{
	unsigned mode = b->st.st_mode;

	if (s->uid == 0 || getxattr(b->path, "system.posix_acl_access", NULL, 0) > 0)
		return true;
	if (s->uid == b->st.st_uid)
		mode >>= 6;
	else if (is_in_group(s, b->st.st_gid))
		mode >>= 3;
	return (mode & b->want) == b->want;
}

/*
 * Finds the first component of a path that denies the server's user access; false: access is
 * allowed, or a component does not exist.
 */
static bool
find_barrier(struct arena *a, const struct web_server *s, const char *path, unsigned want, struct barrier *b)
{
	size_t n = strlen(path), i;

	for (i = 1; i <= n; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		*b = (struct barrier){ .path = arena_strndup(a, path, i), .want = i == n ? want : MAY_PASS };
		if (stat(b->path, &b->st) != 0)
			return false;
		if (!may_pass(s, b))
			return true;
	}
	return false;
}

/* True if the user is in the group now but was added after the server had started. */
static bool
joined_later(const struct web_server *s, gid_t gid)
{
	const struct passwd *u = getpwuid(s->uid);
	gid_t list[WEB_GROUPS];
	int n = WEB_GROUPS;

	if (u == NULL || s->master == 0 || getgrouplist(u->pw_name, u->pw_gid, list, &n) < 0)
		return false;
	for (int i = 0; i < n; i++)
		if (list[i] == gid)
			return true;
	return false;
}

/*
 * Returns the advice that gives the server access to a folder. Folders of the data are opened by
 * group, never to all users.
 */
static const char *
open_data(struct doctor *d, const struct web_server *s, const struct barrier *b)
{
	struct arena *a = d->cli->arena;
	const char *path = cli_quoted(a, b->path);

	if (strncmp(b->path, d->cli->dir, strlen(d->cli->dir)) != 0)
		return arena_printf(a, "chmod a+x %s", path);
	if (b->st.st_gid != d->gid)
		return doctor_chown(d);
	if (((b->st.st_mode >> 3) & b->want) != b->want)
		return arena_printf(a, strcmp(b->path, d->cli->dir) == 0 ? "chmod 710 %s" : "chmod -R g+rX %s", path);
	if (joined_later(s, b->st.st_gid))
		return arena_printf(a, "systemctl restart %s: it runs since before %s came into the group %s", s->program, s->user,
		    doctor_group(a, b->st.st_gid));
	/*
	 * Do not add the server to root's group: that would give it access to more than these
	 * files.
	 */
	if (b->st.st_gid == 0)
		return "let the programs run as a user of their own (the manual: Install behind your web server), to whom the data belongs";
	return arena_printf(a, "usermod -aG %s %s && systemctl restart %s", doctor_group(a, b->st.st_gid), s->user, s->program);
}

static bool
ask_files(struct doctor *d, const struct web_server *s)
{
	static const char *const folders[] = { "blobs", "cache/served" };
	struct arena *a = d->cli->arena;
	struct barrier b;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (find_barrier(a, s, arena_printf(a, "%s/%s", d->cli->dir, folders[i]), MAY_LIST, &b)) {
			doctor_find(d, BAD, arena_printf(a, "%s (as %s) may not read %s/%s: %s is for %s and the group %s", s->program,
			    s->user, d->cli->dir, folders[i], b.path, doctor_user(a, b.st.st_uid), doctor_group(a, b.st.st_gid)),
			    open_data(d, s, &b));
			return false;
		}
	return true;
}

/*
 * Returns the systemd unit of a socket in one of the units' usual folders; NULL: the socket is
 * elsewhere.
 */
static const char *
socket_unit(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/'), *name;
	size_t n;

	if (strncmp(path, "/run/octavo", 11) != 0 || strchr(path + 11, '/') != slash || (path[11] != '-' && path[11] != '/') ||
	    (n = strlen(slash + 1)) < 6 || strcmp(slash + 1 + n - 5, ".sock") != 0)
		return NULL;
	name = arena_strndup(a, slash + 1, n - 5);
	if (path[11] == '/')
		return arena_printf(a, "octavo-%s.socket", name);
	return arena_printf(a, "octavo-%s@%s.socket", name, arena_strndup(a, path + 12, (size_t)(slash - path - 12)));
}

static const char *
open_socket(struct doctor *d, const struct web_server *s, const char *path, const struct barrier *b)
{
	struct arena *a = d->cli->arena;
	const char *unit = socket_unit(a, path), *group = doctor_group(a, s->gid);

	if (b->want == MAY_PASS)
		return arena_printf(a, "chmod a+x %s", cli_quoted(a, b->path));
	if (unit == NULL)
		return arena_printf(a, "chgrp %s %s && chmod g+rw %s, and have what makes it do so", group, cli_quoted(a, path),
		    cli_quoted(a, path));
	return arena_printf(a, "mkdir -p /etc/systemd/system/%s.d && printf '[Socket]\\nSocketGroup=%s\\n' "
	    ">/etc/systemd/system/%s.d/group.conf && systemctl daemon-reload && systemctl restart %s", unit, group, unit, unit);
}

static bool
ask_socket(struct doctor *d, const struct web_server *s, const char *path)
{
	struct arena *a = d->cli->arena;
	const char *unit = socket_unit(a, path);
	struct barrier b;
	struct stat st;

	if (find_barrier(a, s, path, MAY_WRITE, &b)) {
		doctor_find(d, BAD, arena_printf(a, "%s (as %s, group %s) may not use the socket %s: %s is for %s and the group %s",
		    s->program, s->user, doctor_group(a, s->gid), path, strcmp(b.path, path) == 0 ? "it" : b.path,
		    doctor_user(a, b.st.st_uid), doctor_group(a, b.st.st_gid)), open_socket(d, s, path, &b));
		return false;
	}
	if (stat(path, &st) == 0 || errno != ENOENT)
		return true;
	doctor_find(d, BAD, arena_printf(a, "%s sends requests to the socket %s, which is not there", s->program, path),
	    unit != NULL ? arena_printf(a, "systemctl start %s", unit) : "start what makes it (octavo up), or mend the path in the "
	    "web server's configuration");
	return false;
}

void
doctor_check_access(struct doctor *d)
{
	for (const struct web_server *s = d->servers; s != NULL; s = s->next) {
		bool well = ask_files(d, s);

		for (size_t i = 0; i < s->socket_count; i++)
			well = ask_socket(d, s, s->sockets[i]) && well;
		if (well)
			doctor_find(d, GOOD, arena_printf(d->cli->arena, "%s (as %s) may read the files that it sends%s", s->program,
			    s->user, s->socket_count > 0 ? ", and use the sockets" : ""), NULL);
	}
}
