/* octavo doctor: files that are missing or somebody else's, another key, damage, unknown settings. Contract: doctor.h. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/installation.h"
#include "db/db.h"
#include "doctor.h"

extern char **environ;

/* What is read of the environment, by the programs, their units and the command (README.md, Settings). */
static const char *const settings[] = { "ACCEL", "ACCESS_LOG", "ANALYSE", "CORS", "DIR", "FETCH_BYTES", "FETCH_PRIVATE",
	"FETCH_SECONDS", "GIT_BYTES", "GIT_MEMORY", "GIT_OBJECTS", "GIT_PRIVATE", "GIT_ROOT", "GIT_SECONDS", "IMPORT_DEPTH",
	"IMPORT_FILE_BYTES", "IMPORT_PAGES", "IMPORT_PAGE_BYTES", "IMPORT_SECONDS", "JOBS", "JOB_PROCESSES", "JOB_TIMES",
	"LATE", "LAUNCHER", "MAX_BODY", "OPENAPI_HOURS", "OPENAPI_VERSIONS", "PAGES", "PDF_BYTES", "PDF_FONT", "PDF_PAPER",
	"POOL", "PROXIES", "PURGE_DAYS", "REQUEST_SECONDS", "SELFCHECK", "SITE_WORKERS", "SYNC", "TYPESET_CHECK", "URL",
	"WORK", "WORKERS" };
static const size_t setting_count = sizeof(settings) / sizeof(settings[0]);

/* One name per pair of languages is a setting, too. */
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

/* at: behind "OCTAVO_", up to "=". */
static void
ask_setting(struct doctor *d, const char *at, const char *where)
{
	struct arena *a = d->cli->arena;
	const char *name = arena_strndup(a, at, strcspn(at, "= \t\n")), *near;

	if (is_known(name))
		return;
	near = cli_nearest(name, settings, setting_count);
	doctor_find(d, BAD, arena_printf(a, "%s sets OCTAVO_%s, which is no setting: it changes nothing", where, name),
	    near != NULL ? arena_printf(a, "the nearest is OCTAVO_%s", near) : "README.md, Settings, has all of them");
}

void
doctor_ask_settings(struct doctor *d)
{
	const char *line, *at;

	for (line = d->env; line != NULL && *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
		at = line + strspn(line, " \t");
		if (strncmp(at, "OCTAVO_", 7) == 0)
			ask_setting(d, at + 7, d->env_file);
	}
	/* Names for tests and builds are nobody's setting. */
	for (char **e = environ; *e != NULL; e++)
		if (strncmp(*e, "OCTAVO_", 7) == 0 && strncmp(*e, "OCTAVO_BUILD=", 13) != 0)
			ask_setting(d, *e + 7, "the environment");
}

static const char *
user_name(struct arena *a, uid_t uid)
{
	const struct passwd *u = getpwuid(uid);

	return u != NULL ? arena_strdup(a, u->pw_name) : arena_printf(a, "user %d", (int)uid);
}

/* The folder's owner is who the programs run as. */
void
doctor_ask_owners(struct doctor *d)
{
	static const char *const names[] = { "octavo.db", "octavo.db-wal", "blobs", "cache", "log", "run" };
	struct arena *a = d->cli->arena;
	struct stat dir, st;

	if (stat(d->cli->dir, &dir) != 0)
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *path = arena_printf(a, "%s/%s", d->cli->dir, names[i]);

		if (stat(path, &st) != 0) {
			if (strcmp(names[i], "blobs") == 0)
				doctor_find(d, BAD, arena_printf(a, "%s: %s", path, strerror(errno)), "the files of pages are "
				    "in it: bring it back from a backup (octavo check names the files that are missing)");
			continue;
		}
		if (st.st_uid != dir.st_uid)
			doctor_find(d, BAD, arena_printf(a, "%s belongs to %s; the folder, and so the programs, to %s", path,
			    user_name(a, st.st_uid), user_name(a, dir.st_uid)), arena_printf(a, "chown -R %d:%d %s",
			    (int)dir.st_uid, (int)dir.st_gid, cli_quoted(a, d->cli->dir)));
	}
}

static void
take_damage(void *ctx, struct stmt *q)
{
	struct doctor *d = ctx;

	if (strcmp(col_text(q, 0), "ok") != 0)
		doctor_find(d, BAD, arena_printf(d->cli->arena, "the database is damaged: %s", col_text(q, 0)),
		    "octavo check --deep says what is hit; restore a backup, or octavo salvage");
}

void
doctor_ask_content(struct doctor *d)
{
	struct arena *a = d->cli->arena;
	const char *error = NULL;

	if (installation_key_differs(d->db, a, d->cli->dir))
		doctor_find(d, BAD, "octavo.key is the key of another installation: stored credentials, addresses of files and "
		    "page tokens do not open", "put the right one back (a backup has it); if it is lost for good: octavo check "
		    "--accept-key");
	/* The first fault is enough: octavo check has all. */
	if (!db_each(d->db, a, "SELECT quick_check FROM pragma_quick_check(1)", take_damage, d, &error))
		doctor_find(d, BAD, arena_printf(a, "the database cannot be read: %s", error), "octavo check says what is damaged");
}
