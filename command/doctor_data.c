/*
 * octavo doctor: checks for missing files, wrong owners, a wrong key, damage and unknown settings.
 * Contract: doctor.h.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/installation.h"
#include "base/settings.h"
#include "db/db.h"
#include "doctor.h"
#include "cmd_data.h"
#include "command/service.h"
#include "store/blob.h"
#include "store/invariants.h"

extern char **environ;

/*
 * The environment variables that the programs, their units and this command read
 * (docs/operate/settings.md).
 */
static const char *const settings[] = { "ACCEL", "ACCESS_LOG", "ANALYSE", "APP", "BLOBS", "BLOBS_CACHE",
	"BLOBS_ENDPOINT", "BLOBS_KEY", "BLOBS_REGION", "BLOBS_SECRET", "BLOBS_SECRET_FILE", "BLOBS_SEND", "CORS", "DB", "DIR", "EXPERIMENTAL_POSTGRES",
	"FETCH_BYTES", "FETCH_PRIVATE", "FETCH_SECONDS", "GIT_BYTES", "GIT_MEMORY", "GIT_OBJECTS", "GIT_PRIVATE", "GIT_ROOT", "GIT_SECONDS", "IMPORT_DEPTH",
	"IMPORT_FILE_BYTES", "IMPORT_PAGES", "IMPORT_PAGE_BYTES", "IMPORT_SECONDS", "IMPORT_UPLOADS", "JOBS", "JOB_LONG", "JOB_PROCESSES",
	"JOB_REMOTE", "JOB_TIMES", "LATE", "LAUNCHER", "LEAST_RATE", "MACHINES", "MAX_BODY", "MERMAID", "OPENAPI_HOURS", "OPENAPI_VERSIONS", "PAGES", "PANDOC",
	"OIDC_CLIENT", "OIDC_ISSUER", "OIDC_NAME", "OIDC_SECRET", "PASSWORD_MEMORY", "PATIENCE", "PDF_BYTES", "PDF_FONT",
	"PDF_PAPER", "POOL", "PROXIES", "PURGE_DAYS", "REQUEST_SECONDS", "SELFCHECK", "SENDMAIL", "SESSION_DAYS",
	"SESSION_IDLE", "SITE_WORKERS", "SYNC", "TYPESET_CHECK", "URL", "WORK", "WORKERS" };
static const size_t setting_count = sizeof(settings) / sizeof(settings[0]);

/* Each pair of languages has a TRANSLATE_ setting of its own, so the prefix is enough. */
static bool
is_known(const char *name)
{
	if (strncmp(name, "TRANSLATE_", 10) == 0)
		return true;
	for (size_t i = 0; i < setting_count; i++)
		if (strcmp(settings[i], name) == 0)
			return true;
	return false;
}

/* at: the text after "OCTAVO_"; the name ends at "=". */
static void
ask_setting(struct doctor *d, const char *at, const char *where)
{
	struct arena *a = d->cli->arena;
	const char *name = arena_strndup(a, at, strcspn(at, "= \t\n")), *near;

	if (is_known(name))
		return;
	near = cli_nearest(name, settings, setting_count);
	doctor_find(d, BAD, arena_printf(a, "%s sets OCTAVO_%s, which is no setting: it changes nothing", where, name),
	    near != NULL ? arena_printf(a, "the nearest is OCTAVO_%s", near) : "the manual has all of them: Settings and limits (docs/operate/settings.md)");
}

/* The units' environment file takes precedence over the environment of this command. */
static const char *
setting_value(void *ctx, const char *name)
{
	const struct doctor *d = ctx;
	const char *value = data_setting(d->cli->arena, d->env, name);

	return value != NULL ? value : getenv(name);
}

void
doctor_check_settings(struct doctor *d)
{
	const char *line, *at, *error = NULL;

	for (line = d->env; line != NULL && *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
		at = line + strspn(line, " \t");
		if (strncmp(at, "OCTAVO_", 7) == 0)
			ask_setting(d, at + 7, d->env_file);
	}
	/* Names used by tests and builds are no settings: skip them. */
	for (char **e = environ; *e != NULL; e++)
		if (strncmp(*e, "OCTAVO_", 7) == 0 && strncmp(*e, "OCTAVO_BUILD=", 13) != 0)
			ask_setting(d, *e + 7, "the environment");
	d->set = settings_read(d->cli->arena, setting_value, d, &error);
	if (d->set == NULL)
		doctor_find(d, BAD, error, "programs do not start with it: mend it, then systemctl restart octavo-api octavo-site octavo-jobs");
}

/* ---- owner of the data ---- */

const char *
doctor_user(struct arena *a, uid_t uid)
{
	const struct passwd *u = getpwuid(uid);

	return u != NULL ? arena_strdup(a, u->pw_name) : arena_printf(a, "%d", (int)uid);
}

const char *
doctor_group(struct arena *a, gid_t gid)
{
	const struct group *g = getgrgid(gid);

	return g != NULL ? arena_strdup(a, g->gr_name) : arena_printf(a, "%d", (int)gid);
}

const char *
doctor_chown(struct doctor *d)
{
	struct arena *a = d->cli->arena;

	return arena_printf(a, "chown -R %s:%s %s", doctor_user(a, d->uid), doctor_group(a, d->gid), cli_quoted(a, d->cli->dir));
}

/*
 * True for a process of a container: its paths are valid only inside the container. (Mount namespaces
 * do not show this: systemd gives services of this machine their own.)
 */
static bool
is_contained(const char *pid)
{
	char path[64], own[64] = "", other[64] = "";

	snprintf(path, sizeof(path), "/proc/%.16s/ns/pid", pid);
	return readlink("/proc/self/ns/pid", own, sizeof(own) - 1) > 0 && readlink(path, other, sizeof(other) - 1) > 0 &&
	    strcmp(own, other) != 0;
}

void
doctor_each_process(struct doctor *d, void (*fn)(struct doctor *, pid_t))
{
	DIR *proc = opendir("/proc");
	struct dirent *e;

	while (proc != NULL && (e = readdir(proc)) != NULL)
		if (isdigit((unsigned char)*e->d_name) && !is_contained(e->d_name))
			fn(d, (pid_t)strtol(e->d_name, NULL, 10));
	if (proc != NULL)
		closedir(proc);
}

/*
 * The user of a running program must own the data. A program of root counts only if no other
 * user runs one, since root may have started it by hand.
 */
static void
ask_program(struct doctor *d, pid_t pid)
{
	struct arena *a = d->cli->arena;
	const char *name = service_proc(a, pid, "comm"), *env;
	struct stat st;

	if (strncmp(name, "octavo-", 7) != 0)
		return;
	env = arena_printf(a, "\n%s\n", service_proc(a, pid, "environ"));
	if (strstr(env, arena_printf(a, "\nOCTAVO_DIR=%s\n", d->cli->dir)) == NULL)
		return;
	if (stat(arena_printf(a, "/proc/%d", (int)pid), &st) == 0 && (st.st_uid != 0 || d->uid == (uid_t)-1)) {
		d->uid = st.st_uid;
		d->gid = st.st_gid;
	}
	if (strstr(service_proc(a, pid, "status"), "\nState:\tT") != NULL)
		doctor_find(d, BAD, arena_printf(a, "%.*s (process %d) is stopped", (int)strcspn(name, "\n"), name, (int)pid),
		    arena_printf(a, "kill -CONT %d", (int)pid));
}

/*
 * Finds the user who must own the data: the user of the running programs, else the units' user,
 * else the folder's owner.
 */
void
doctor_find_owner(struct doctor *d)
{
	const char *dir = d->cli->dir, *home = "/var/lib/octavo";
	const struct passwd *u = getpwnam("octavo");
	struct stat st;

	d->uid = (uid_t)-1;
	doctor_each_process(d, ask_program);
	if (d->uid != (uid_t)-1)
		return;
	if (u != NULL && strncmp(dir, home, strlen(home)) == 0 && (dir[strlen(home)] == '\0' || dir[strlen(home)] == '-')) {
		d->uid = u->pw_uid;
		d->gid = u->pw_gid;
	} else if (stat(dir, &st) == 0) {
		d->uid = st.st_uid;
		d->gid = st.st_gid;
	}
}

/* Parts of the data directory; `own`: only the programs' user may have access. */
static const struct { const char *name; bool own; } parts[] = { { "", false }, { "/octavo.db", true }, { "/octavo.db-wal", true },
	{ "/octavo.key", true }, { "/blobs", false }, { "/cache", false }, { "/cache/served", false }, { "/log", false }, { "/run", false } };

/* Adds one finding for all wrong owners, since one command fixes them all. */
static void
ask_owner(struct doctor *d, const char *path, const struct stat *st, bool *told)
{
	struct arena *a = d->cli->arena;

	if (st->st_uid == d->uid || *told)
		return;
	*told = true;
	doctor_find(d, BAD, arena_printf(a, "%s belongs to %s, the programs run as %s", path, doctor_user(a, st->st_uid),
	    doctor_user(a, d->uid)), doctor_chown(d));
}

void
doctor_check_owners(struct doctor *d)
{
	struct arena *a = d->cli->arena;
	bool told = false;
	struct stat st;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const char *path = arena_printf(a, "%s%s", d->cli->dir, parts[i].name);

		if (stat(path, &st) != 0) {
			if (strcmp(parts[i].name, "/blobs") == 0)
				doctor_find(d, BAD, arena_printf(a, "%s: %s", path, strerror(errno)), "the files of pages are "
				    "in it: bring it back from a backup (octavo check names the files that are missing)");
			continue;
		}
		ask_owner(d, path, &st, &told);
		if (parts[i].own && (st.st_mode & 07) != 0)
			doctor_find(d, BAD, arena_printf(a, "%s may be read by everybody on this machine", path),
			    arena_printf(a, "chmod 600 %s", cli_quoted(a, path)));
		else if (parts[i].own && (st.st_mode & 070) != 0)
			doctor_find(d, BAD, arena_printf(a, "%s may be read by the group %s, in which the web server is", path,
			    doctor_group(a, st.st_gid)), arena_printf(a, "chmod 600 %s", cli_quoted(a, path)));
	}
	if (stat(d->env_file, &st) == 0 && (st.st_mode & 077) != 0)
		doctor_find(d, BAD, arena_printf(a, "%s, which may hold secrets, may be read by %s", d->env_file, (st.st_mode & 07) != 0 ?
		    "everybody on this machine" : arena_printf(a, "the group %s", doctor_group(a, st.st_gid))),
		    arena_printf(a, "chmod 600 %s", d->env_file));
}

/* ---- contents of the data ---- */

static void
take_damage(void *ctx, struct stmt *q)
{
	struct doctor *d = ctx;

	if (strcmp(col_text(q, 0), "ok") != 0)
		doctor_find(d, BAD, arena_printf(d->cli->arena, "the database is damaged: %s", col_text(q, 0)),
		    "octavo check --deep says what is hit; restore a backup, or octavo salvage");
}

/* Totals over the files that the database names. */
struct files {
	struct doctor *d;
	const struct blob_list *objects; /* of the object store; without one it is empty */
	int64_t        all, lost, foreign;
	const char    *first;            /* the first missing file */
	uid_t          stranger;
};

static void
look_at_file(void *ctx, struct stmt *q)
{
	struct files *f = ctx;
	const char *path = blob_path(f->d->cli->arena, f->d->cli->dir, col_bytes(q, 0));
	struct stat st;

	f->all++;
	if (!blob_list_has(f->objects, f->d->cli->arena, f->d->cli->dir, col_bytes(q, 0), col_int(q, 1))) {
		f->first = f->lost++ == 0 ? path : f->first;
	} else if (stat(path, &st) == 0 && st.st_uid != f->d->uid) {
		f->foreign++;
		f->stranger = st.st_uid;
	}
}

/* The list of the object store; an empty list without one. NULL after adding a finding: it cannot be read. */
static const struct blob_list *
find_objects(struct doctor *d)
{
	const struct blob_list *l;
	struct arena *a = d->cli->arena;

	data_use_settings(d->cli);
	l = blob_list_read(a);
	if (blob_store_fault() != NULL)
		doctor_find(d, BAD, blob_store_fault(), "correct the setting; until then files are not sent, and none can be stored");
	else if (l == NULL)
		doctor_find(d, BAD, arena_printf(a, "the files are in %s, which cannot be reached, or refuses (its words are above)", blob_store()),
		    "check OCTAVO_BLOBS_ENDPOINT, OCTAVO_BLOBS_KEY and its secret, the rights of that key, and the network: under the packaged units "
		    "octavo-api and octavo-site have none, see the manual, Several machines");
	else if (blob_store() != NULL)
		doctor_find(d, GOOD, arena_printf(a, "the files are in %s, which has %lld objects of them", blob_store(),
		    (long long)blob_list_count(l)), NULL);
	return l;
}

static void
find_owner(struct doctor *d)
{
	struct arena *a = d->cli->arena;

	if (blob_store() != NULL && blob_owner(a, d->cli->dir) == BLOB_OWNER_OTHER)
		doctor_find(d, NOTE, arena_printf(a, "unused objects of %s are not deleted from here, since another installation may use them: "
		    "this data directory did not put the first object there, or was restored from a backup", blob_store()),
		    "give a copy another OCTAVO_BLOBS; if nothing else uses the objects: octavo blobs adopt");
}

static void
ask_blobs(struct doctor *d)
{
	struct arena *a = d->cli->arena;
	struct files f = { .d = d };
	const char *error = NULL;

	if ((f.objects = find_objects(d)) == NULL)
		return;
	find_owner(d);
	/* Other checks report an unreadable database. */
	if (!blob_files_each(d->db, a, look_at_file, &f, &error))
		return;
	if (f.lost > 0 && f.lost == f.all)
		doctor_find(d, BAD, arena_printf(a, "%s/blobs has none of the %lld files that the database names: it is empty, or "
		    "another installation's", d->cli->dir, (long long)f.all), "mount the disk that it is on, or bring blobs/ back from "
		    "a backup of this installation");
	else if (f.lost > 0)
		doctor_find(d, BAD, arena_printf(a, "%lld of %lld files are missing or cut short, the first is %s", (long long)f.lost,
		    (long long)f.all, f.first), "octavo check names them; copy them from blobs/ of a backup");
	if (f.foreign > 0)
		doctor_find(d, BAD, arena_printf(a, "%lld files below %s/blobs belong to %s, the programs run as %s",
		    (long long)f.foreign, d->cli->dir, doctor_user(a, f.stranger), doctor_user(a, d->uid)), doctor_chown(d));
}

/* Breaches of the invariants of octavo check. */
struct breaches {
	struct doctor *d;
	const char    *name, *first;     /* name of the invariant being checked; first breach found */
	int64_t        count;
};

static void
take_breach(void *ctx, const char *what)
{
	struct breaches *b = ctx;

	if (b->count++ == 0)
		b->first = arena_printf(b->d->cli->arena, "%s: %s", b->name, what);
}

/*
 * Adds one finding for the breaches of all invariants with the same remedy: `derived` selects those
 * that octavo check --repair fixes.
 */
static void
ask_invariants(struct doctor *d, bool derived)
{
	struct breaches b = { .d = d };
	const char *error;

	for (size_t i = 0; i < check_count(); i++) {
		if ((check_remedy(i) == CHECK_INDEX || check_remedy(i) == CHECK_COUNT) != derived)
			continue;
		cli_progress("checking", (int64_t)i, (int64_t)check_count());
		b.name = check_name(i);
		error = NULL;
		if (!check_one(d->db, d->cli->arena, i, take_breach, &b, &error))
			take_breach(&b, error);
	}
	cli_progress_end();
	if (b.count > 0)
		doctor_find(d, BAD, arena_printf(d->cli->arena, "octavo check finds %lld breaches, the first is %s", (long long)b.count,
		    b.first), derived ? "octavo check --repair has the job runner make search, links and counts anew" :
		    "octavo check names all of them; restore a good backup, or octavo salvage");
}

void
doctor_check_content(struct doctor *d)
{
	struct arena *a = d->cli->arena;
	const char *error = NULL;
	size_t bad = d->bad;

	if (installation_key_differs(d->db, a, d->cli->dir))
		doctor_find(d, BAD, "octavo.key is the key of another installation: stored credentials, addresses of files and "
		    "page tokens do not open", "put the right one back (a backup has it); if it is lost for good: octavo check "
		    "--accept-key");
	/* One fault is enough here: octavo check lists all of them. A server checks its own files. */
	if (db_has_file(d->db) && !db_each(d->db, a, "SELECT quick_check FROM pragma_quick_check(1)", take_damage, d, &error))
		doctor_find(d, BAD, arena_printf(a, "the database cannot be read: %s", error), "octavo check says what is damaged");
	ask_blobs(d);
	ask_invariants(d, true);
	ask_invariants(d, false);
	if (d->bad == bad)
		doctor_find(d, GOOD, arena_printf(a, "%zu invariants hold, the key and the files are its own", check_count()), NULL);
}
