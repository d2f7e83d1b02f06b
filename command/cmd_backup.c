/*
 * octavo backup, restore: the command line of include/command/backup.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "app/database.h"
#include "app/setup.h"
#include "command/backup.h"
#include "command/cli.h"
#include "store/blob.h"
#include "cmd_data.h"
#include "cmd_move.h"

enum { SHOWN = 100, BACKUP_NICE = 10 };

/* Prints only the first hundred faults; end_command() prints their number. */
static void
show_fault(void *ctx, const char *what)
{
	static int shown;

	if (shown++ < SHOWN)
		cli_say(ctx, "%s", what);
}

/* Returns the single operand as an absolute path; NULL after printing an error. */
static const char *
folder_operand(struct cli *c)
{
	const char *path = c->argc == 1 ? cli_path(c->arena, c->argv[0]) : NULL;

	if (path == NULL)
		cli_usage(c, "name one folder, or a file that ends in .tar: octavo %s PATH --dir DIR", c->command->name);
	return path;
}

static int
print_report(struct cli *c, const struct backup *b, const char *done)
{
	char taken[25];
	struct json *j;

	cli_progress_end();
	time_format(b->note.taken, taken);
	if (!c->json) {
		printf("%s: database of %s, schema %d, %" PRId64 " bytes; %" PRId64 " files%s\n", done, taken,
		    b->note.schema, b->note.size, b->note.files, b->note.key ? ", with the key" : ", without the key");
		return CLI_OK;
	}
	j = cli_json(c);
	json_obj(j);
	json_kstr(j, "takenAt", taken);
	json_kint(j, "schema", b->note.schema);
	json_kint(j, "size", b->note.size);
	json_kint(j, "files", b->note.files);
	json_kint(j, "copied", b->copied);
	json_kbool(j, "key", b->note.key);
	json_end(j);
	cli_json_print(c);
	return CLI_OK;
}

/* A readable backup with faults counts as a failure too. */
static int
end_command(struct cli *c, const struct backup *b, const char *error, const char *done)
{
	cli_progress_end();
	if (error != NULL)
		return cli_fail(c, "%s", error);
	if (b->faults > 0)
		return cli_fail(c, "%" PRId64 " faults in %s", b->faults, b->to);
	return print_report(c, b, done);
}

/* In the result, `to` is NULL after an error was printed. */
static struct backup
read_request(struct cli *c)
{
	return (struct backup){ .arena = c->arena, .data = c->dir, .to = folder_operand(c),
		.key = !cli_flag(c, "without-key"), .replace = cli_flag(c, "replace"), .tick = cli_progress, .fault = show_fault, .ctx = c };
}

/*
 * Lowers the CPU and disk priority, so that a backup does not slow down the service. Errors are
 * ignored: the backup works without it. ioprio_set(2) has no wrapper in the C library; 1 selects a
 * process, 2 the class "best effort", 7 its lowest priority.
 */
static void
lower_priority(void)
{
	if (setpriority(PRIO_PROCESS, 0, BACKUP_NICE) != 0 || syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 7) != 0)
		errno = 0;
}

static int
run_backup(struct cli *c)
{
	struct backup b = read_request(c);
	const char *lost;

	if (b.to == NULL)
		return CLI_USAGE;
	if (cli_flag(c, "verify"))
		return end_command(c, &b, backup_verify(&b), "the backup is whole");
	if (c->dir == NULL)
		return cli_usage(c, "say where the data is: --dir DIR, or OCTAVO_DIR in the environment");
	data_read_env(c);
	if (database_is_file() && access(arena_printf(c->arena, "%s/octavo.db", c->dir), F_OK) != 0) {
		if (errno != EACCES && (lost = setup_lost(c->arena, c->dir)) != NULL)
			return cli_fail(c, "nothing was backed up: %s", lost);
		return cli_fail(c, errno == EACCES ? "this user may not look into %s; run it as its owner" :
		    "there is no Octavo in %s", c->dir);
	}
	data_use_settings(c);
	if (blob_store_fault() != NULL)
		return cli_fail(c, "%s", blob_store_fault());
	lower_priority();
	return end_command(c, &b, backup_make(&b), "backed up");
}

static int
run_restore(struct cli *c)
{
	struct backup b = read_request(c);
	int64_t uid = -1, gid = -1;
	const char *error;
	struct stat st;
	int rc;

	if (b.to == NULL)
		return CLI_USAGE;
	if (!database_is_file() && (error = move_check_empty(c)) != NULL)
		return cli_fail(c, "nothing was restored: %s", error);
	/*
	 * When root restores, the files get the owner of the target folder, which is the service's
	 * user if the folder was made for the service.
	 */
	if (geteuid() == 0 && stat(c->dir, &st) == 0) {
		uid = st.st_uid;
		gid = st.st_gid;
	}
	error = backup_restore(&b, uid, gid);
	if (error == NULL && b.faults == 0 && !database_is_file() && (error = move_restored(c)) != NULL)
		return cli_fail(c, "the backup is now in %s, and its database could not be moved to OCTAVO_DB: %s. When that is mended, "
		    "without OCTAVO_DB: octavo migrate --dir %s --to ADDRESS", c->dir, error, cli_quoted(c->arena, c->dir));
	if ((rc = end_command(c, &b, error, "restored")) != CLI_OK)
		return rc;
	if (!b.note.key || !b.key)
		cli_say(c, "The key was not restored; a new one was made. Lost with the old one: credentials of git "
		    "imports that were waiting (queue them again), addresses of files that were given out, "
		    "page tokens of lists, keys that claims of sites' visitors are signed with, headers of "
		    "sites' MCP servers, addresses of those and of OpenAPI specifications that hold a secret, "
		    "and how links that invite or open a site are told again: who has one can use it, "
		    "and it can be ended.");
	if (geteuid() == 0 && uid <= 0)
		cli_say(c, "All of it belongs to root. Where a service of another user shall serve it: "
		    "chown -R USER: %s", cli_quoted(c->arena, c->dir));
	data_use_settings(c);
	if (blob_store() != NULL)
		cli_say(c, "The files are below %s/blobs, where programs find them; octavo blobs push moves them to %s. If "
		    "the installation that was backed up still uses that store, set another OCTAVO_BLOBS first; if this one replaces it: octavo blobs adopt",
		    cli_quoted(c->arena, c->dir), blob_store());
	cli_say(c, "Next: octavo migrate --dir %s, where the programs are newer than the backup; "
	    "octavo check --dir %s", cli_quoted(c->arena, c->dir), cli_quoted(c->arena, c->dir));
	return CLI_OK;
}

const struct cli_command commands_backup[] = {
	{ .name = "backup", .operands = "FOLDER|FILE.tar", .stays_root = true, .run = run_backup,
	  .summary = "Copy all data into a folder or one file while everything runs, or look at such a copy",
	  .options = (const struct cli_option[]){
		{ .name = "verify", .help = "read the backup there instead, every byte of it" },
		{ .name = "without-key", .help = "leave octavo.key out (keep it elsewhere)" },
		{ .name = "replace", .help = "replace a backup of another installation, of newer data, or of far more" },
		{ 0 } },
	  .details = "FOLDER is made if need be, and for its owner alone (0700). Where it holds a backup\n"
	    "already, only what is new is copied, and until the end the old one stays whole. Files are\n"
	    "linked where both folders are on one file system. Take FOLDER to another machine as a whole,\n"
	    "with rsync -aH, say.\n\n"
	    "A backup stays as it is where the data could not have become of it: they are of another\n"
	    "installation, of a lower schema, or hold less than half of its users, spaces, revisions, pages or\n"
	    "files. --replace is for when that is meant.\n\n"
	    "FILE.tar, made for its owner alone (0600), holds the same in one file, and gets its name when it\n"
	    "is whole. It takes room for the database once more while it is written.\n\n"
	    "A backup of a PostgreSQL database (OCTAVO_DB) is the same, and either can be restored to the other.",
	  .examples = "octavo backup /backup/octavo --dir /var/lib/octavo\n"
	    "octavo backup /backup/octavo --verify\n"
	    "octavo backup /backup/octavo-$(date +%F).tar --dir /var/lib/octavo" },
	{ .name = "restore", .operands = "FOLDER|FILE.tar", .needs_dir = true, .stays_root = true, .run = run_restore,
	  .summary = "Make a data directory from a backup",
	  .options = (const struct cli_option[]){
		{ .name = "without-key", .help = "make a new key" },
		{ 0 } },
	  .details = "The backup is verified first. DIR must hold no data; where root restores, everything\n"
	    "gets the owner of DIR. With OCTAVO_DB, rows go to that database, which must be empty.",
	  .examples = "octavo restore /backup/octavo --dir /var/lib/octavo" },
	{ 0 }
};
