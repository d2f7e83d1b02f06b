/*
 * octavo doctor: reports what is wrong with this installation, and what to do. Each check is a
 * function that adds findings; no check changes anything, and one that cannot run reports that. The
 * web server is checked through the configured address, as a client would use it (with curl, which
 * implements TLS; this command does not): command/doctor_web.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "app/database.h"
#include "base/json.h"
#include "base/secret.h"
#include "db/db.h"
#include "cmd_data.h"
#include "doctor.h"
#include "command/service.h"

/* WAL_LARGE: checkpoints keep the WAL far smaller, unless a reader blocks them. */
enum { WAL_LARGE = 64 << 20 };

/* Selects no row; it only shows that the database is readable. */
SQL(q_page, "SELECT count(*) FROM org WHERE id = ''");

/*
 * SQLite's locks are not reliable on network file systems. The magic numbers are listed in
 * statfs(2).
 */
static void
ask_disk(struct doctor *d)
{
	static const struct { long type; const char *name; } remote[] = {
		{ 0x6969, "NFS" }, { (long)0xff534d42, "CIFS" }, { (long)0xfe534d42, "SMB" }, { 0x564c, "NCP" },
		{ 0x5346414f, "AFS" }, { 0x01021997, "9p" }, { 0x00c36400, "Ceph" } };
	struct arena *a = d->cli->arena;
	struct statfs fs;
	int64_t left;

	if (statfs(d->cli->dir, &fs) != 0)
		return;
	for (size_t i = 0; i < sizeof(remote) / sizeof(remote[0]); i++)
		/*
		 * Some magic numbers have the highest bit set, and f_type is signed on some
		 * systems.
		 */
		if ((unsigned)fs.f_type == (unsigned)remote[i].type)
			doctor_find(d, BAD, arena_printf(a, "the data is on a network file system (%s)", remote[i].name),
			    "move it to a local disk: the database's locks do not work there");
	left = (int64_t)fs.f_bavail * (int64_t)fs.f_bsize >> 20;
	/* In MB: a migration or a checkpoint needs free space. */
	if (left < 200)
		doctor_find(d, BAD, arena_printf(a, "%lld MB are left on the disk of the data", (long long)left),
		    "make room: writes are refused when it is full");
	else
		doctor_find(d, GOOD, arena_printf(a, "%lld MB are left on the disk of the data", (long long)left), NULL);
}

static void
ask_files(struct doctor *d)
{
	struct arena *a = d->cli->arena;
	const char *key = arena_printf(a, "%s/octavo.key", d->cli->dir);
	struct stat dir, st;

	if (stat(d->cli->dir, &dir) != 0)
		return;
	if (stat(key, &st) != 0)
		doctor_find(d, BAD, arena_printf(a, "%s: %s", key, strerror(errno)),
		    "bring it back from a backup; without it stored credentials and download addresses are lost");
	if ((dir.st_mode & 07) != 0)
		doctor_find(d, NOTE, "everybody on this machine may look into the data directory",
		    arena_printf(a, "chmod o-rwx %s", cli_quoted(a, d->cli->dir)));
	if (stat(arena_printf(a, "%s/octavo.db-wal", d->cli->dir), &st) == 0 && st.st_size > WAL_LARGE)
		doctor_find(d, NOTE, arena_printf(a, "octavo.db-wal has %lld MB", (long long)st.st_size >> 20),
		    "a reader that never ends holds it: restart the workers");
}

/*
 * True if a part of the data directory exists and this user may see it. If false, ask_database()
 * reports the reason, so checks for missing files are skipped.
 */
static bool
may_look(struct doctor *d)
{
	static const char *const names[] = { "octavo.db", "octavo.key", "blobs" };
	struct stat st;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (stat(arena_printf(d->cli->arena, "%s/%s", d->cli->dir, names[i]), &st) == 0)
			return true;
		else if (errno == EACCES)
			return false;
	return false;
}

/*
 * Checks that the database can be opened and read, and has this program's schema. False: the checks
 * that need it are skipped.
 */
static bool
ask_database(struct doctor *d)
{
	struct arena *a = d->cli->arena;
	const char *error = service_check_dir(a, d->cli->dir);
	int have;

	if (error == NULL)
		error = secret_open(a, d->cli->dir);
	if (error == NULL)
		d->db = database_open(a, d->cli->dir, DB_ANY_VERSION, NULL, &error);
	if (d->db == NULL) {
		doctor_find(d, BAD, error, "programs answer 503 until that is repaired, and then serve again");
		return false;
	}
	if (!db_has_file(d->db))
		doctor_find(d, NOTE, "the data is on a PostgreSQL server (OCTAVO_DB), which is an experiment",
		    "do not keep data there that matters; octavo backup copies it");
	have = db_version(d->db);
	if (have != db_latest()) {
		doctor_find(d, BAD, arena_printf(a, "the database has the schema %d, this program has %d", have, db_latest()),
		    have < db_latest() ? "stop the programs, then: octavo migrate" : "install the newer programs again");
		return false;
	}
	return true;
}

/* An unreadable database is one finding; the report is still printed. */
static void
on_failure(void *ctx, enum db_failure f, const char *message)
{
	struct doctor *d = ctx;

	doctor_find(d, BAD, arena_printf(d->cli->arena, "the database cannot be read: %s", message),
	    f == DB_BUSY ? "another program holds it for long: octavo status" : "octavo check says what is damaged");
	longjmp(d->escape, 1);
}

/* A command from another installation would check the wrong programs. */
static void
ask_programs(struct doctor *d)
{
	static const char *const names[] = { "octavo-api", "octavo-site", "octavo-jobs" };
	struct holder who[WORKERS];
	size_t n = WORKERS;
	const char *units;

	for (size_t i = 0; i < 3; i++)
		if (service_program(d->cli->arena, names[i]) == NULL)
			doctor_find(d, NOTE, service_missing(d->cli->arena, names[i]),
			    "use the command that was installed with the programs");
	units = service_foreign(d->cli->arena, d->cli->dir, who, &n);
	for (size_t i = 0; i < n; i++)
		d->workers[d->worker_count++] = who[i].pid;
	if (n > 0)
		doctor_find(d, GOOD, arena_printf(d->cli->arena, "%zu programs have the database open%s%s", n,
		    units != NULL ? ", under systemd: " : "", units != NULL ? units : ""), NULL);
	else
		doctor_find(d, NOTE, "no program has the database open",
		    "right for plain CGI; else: octavo up, or systemctl start octavo-api octavo-site octavo-jobs");
}

static int
print_report(struct doctor *d)
{
	static const struct { const char *shown, *name; } verdicts[] = {
		[GOOD] = { "ok  ", "ok" }, [NOTE] = { "note", "note" }, [BAD] = { "BAD ", "bad" } };
	struct json *j;

	if (!d->cli->json) {
		for (struct finding *f = d->first; f != NULL; f = f->next) {
			printf("%s  %s\n", verdicts[f->verdict].shown, f->what);
			if (f->advice != NULL)
				printf("      %s\n", f->advice);
		}
		fflush(stdout);
		return d->bad == 0 ? CLI_OK : CLI_FAILED;
	}
	j = cli_json(d->cli);
	json_arr(j);
	for (struct finding *f = d->first; f != NULL; f = f->next) {
		json_obj(j);
		json_kstr(j, "verdict", verdicts[f->verdict].name);
		json_kstr(j, "finding", f->what);
		if (f->advice != NULL)
			json_kstr(j, "advice", f->advice);
		json_end(j);
	}
	json_end(j);
	cli_json_print(d->cli);
	return d->bad == 0 ? CLI_OK : CLI_FAILED;
}

static int
run_doctor(struct cli *c)
{
	struct doctor *d = arena_alloc(c->arena, sizeof(*d));

	*d = (struct doctor){ .cli = c, .env_file = data_env_file(c->arena, c->dir), .env = c->env };
	d->last = &d->first;
	doctor_find_owner(d);
	doctor_find_servers(d);
	if (!cli_become_owner(c))
		return CLI_FAILED;
	/*
	 * Run these before the database is opened: closing its file drops this process's locks on
	 * it.
	 */
	ask_programs(d);
	ask_disk(d);
	if (may_look(d)) {
		ask_files(d);
		doctor_check_owners(d);
	}
	doctor_check_settings(d);
	if (ask_database(d)) {
		db_on_fail(d->db, on_failure, d);
		if (setjmp(d->escape) == 0) {
			stmt_int(db_use(d->db, &q_page), 0);
			doctor_find(d, GOOD, "the database can be read, and has this program's schema", NULL);
			doctor_check_content(d);
			doctor_check_jobs(d);
			doctor_check_providers(d);
		}
	}
	db_close(d->db);
	doctor_check_access(d);
	doctor_check_web(d);
	doctor_check_sign_in(d);
	return print_report(d);
}

const struct cli_command commands_doctor[] = {
	{ .name = "doctor", .needs_dir = true, .stays_root = true, .run = run_doctor,
	  .summary = "Say what is wrong with this installation, and what to do",
	  .options = (const struct cli_option[]){
		{ .name = "url", .arg = "URL", .help = "where it is served (default: what runs, or OCTAVO_URL)" },
		{ 0 } },
	  .details = "Looks at the data, the programs, the job runner and the disk, and asks the web server as a\n"
	    "client would. OCTAVO_URL is taken from the environment, else from /etc/octavo/octavo.env.\n"
	    "Changes nothing. Ends with 1 where something is bad.",
	  .examples = "octavo doctor --dir /var/lib/octavo\noctavo doctor --dir data --url https://docs.example.com" },
	{ 0 }
};
