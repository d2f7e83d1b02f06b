/*
 * octavo blobs push, pull, adopt: moves files from DIR/blobs to the object store of OCTAVO_BLOBS, or copies
 * them back (include/store/blob.h, "an object store"). Both may be repeated, and run while the
 * programs run.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "cmd_data.h"
#include "store/blob.h"

/* Files of which the command says that they failed; all are counted. */
enum { SHOWN = 20 };

struct moving {
	struct cli      *cli;
	enum blob_found (*move)(struct arena *, const char *, struct str);
	const char      *what;
	struct arena    *step;
	int64_t          done, failed;
	bool             away;     /* the store cannot be reached: the rest is left */
};

static void
move_file(void *ctx, const struct blob_file *f)
{
	struct moving *m = ctx;
	enum blob_found found;

	if (f->hash.n == 0 || m->away)
		return;
	cli_progress(m->what, m->done, 0);
	found = m->move(m->step, m->cli->dir, f->hash);
	arena_reset(m->step);
	m->done += found == BLOB_FOUND;
	m->away = found == BLOB_AWAY;
	/* A file that a sweep has deleted meanwhile is no failure. */
	if (found == BLOB_DAMAGED && m->failed++ < SHOWN)
		cli_say(m->cli, "%s has other bytes than its name says", f->path);
}

/* Returns false after printing why there is no store to work with. */
static bool
has_store(struct cli *c)
{
	data_use_settings(c);
	if (blob_store() == NULL)
		cli_fail(c, "OCTAVO_BLOBS names no object store: set it to s3://BUCKET/PREFIX, with OCTAVO_BLOBS_ENDPOINT, OCTAVO_BLOBS_KEY and "
		    "OCTAVO_BLOBS_SECRET");
	else if (blob_store_fault() != NULL)
		cli_fail(c, "%s", blob_store_fault());
	return blob_store() != NULL && blob_store_fault() == NULL;
}

static int
end_moving(struct cli *c, const struct moving *m, const char *done)
{
	cli_progress_end();
	if (m->away)
		return cli_fail(c, "the object store cannot be reached, or refuses (its words are above); %" PRId64 " files were %s. Repeat the command", m->done, done);
	if (m->failed > 0)
		return cli_fail(c, "%" PRId64 " files are damaged and stay where they are; %" PRId64 " were %s", m->failed, m->done, done);
	if (!c->json) {
		printf("%" PRId64 " files were %s\n", m->done, done);
		return CLI_OK;
	}
	json_obj(cli_json(c));
	json_kint(cli_json(c), "files", m->done);
	json_end(cli_json(c));
	cli_json_print(c);
	return CLI_OK;
}

static int
run_push(struct cli *c)
{
	struct moving m = { .cli = c, .move = blob_push, .what = "moving files", .step = arena_new(64 << 20) };
	int rc = CLI_FAILED;

	if (has_store(c)) {
		blob_walk(c->arena, c->dir, move_file, &m);
		rc = end_moving(c, &m, "moved to the store");
	}
	arena_free(m.step);
	return rc;
}

static int
run_pull(struct cli *c)
{
	struct moving m = { .cli = c, .move = blob_pull, .what = "copying files", .step = arena_new(64 << 20) };
	int rc = CLI_FAILED;

	if (has_store(c)) {
		m.away = !blob_walk_store(c->arena, move_file, &m) || m.away;
		rc = end_moving(c, &m, "copied from the store, or there already");
	}
	arena_free(m.step);
	return rc;
}

static int
run_adopt(struct cli *c)
{
	if (!has_store(c))
		return CLI_FAILED;
	if (!blob_owner_adopt(c->arena, c->dir))
		return cli_fail(c, "the object store cannot be reached, or refuses (its words are above)");
	if (c->json) {
		json_obj(cli_json(c));
		json_kstr(cli_json(c), "adopted", blob_store());
		json_end(cli_json(c));
		cli_json_print(c);
	} else
		printf("unused objects of %s are deleted from here now, and from no other data directory\n", blob_store());
	return CLI_OK;
}

const struct cli_command commands_blobs[] = {
	{ .name = "blobs adopt", .needs_dir = true, .run = run_adopt,
	  .summary = "Let this installation delete unused objects of the object store that OCTAVO_BLOBS names",
	  .options = (const struct cli_option[]){ { 0 } },
	  .details = "Objects that no row names are deleted by one installation only: by that whose programs put the\n"
	    "first object there. After octavo restore, this command makes the restored one that installation.\n"
	    "Never use it while another installation has files there: those would be deleted.",
	  .examples = "octavo blobs adopt --dir /var/lib/octavo" },
	{ .name = "blobs push", .needs_dir = true, .run = run_push,
	  .summary = "Move files from DIR/blobs to the object store that OCTAVO_BLOBS names",
	  .options = (const struct cli_option[]){ { 0 } },
	  .details = "For an installation that had its files in DIR/blobs before, and after octavo restore. The\n"
	    "programs may run; until a file was moved, they read it from DIR/blobs. Each file's hash is checked\n"
	    "first, and the store checks what it gets. An interrupted command is repeated.",
	  .examples = "octavo blobs push --dir /var/lib/octavo" },
	{ .name = "blobs pull", .needs_dir = true, .run = run_pull,
	  .summary = "Copy all files from the object store that OCTAVO_BLOBS names to DIR/blobs",
	  .options = (const struct cli_option[]){ { 0 } },
	  .details = "To leave an object store: stop the programs, run this, unset OCTAVO_BLOBS, and start them. The\n"
	    "objects stay in the store. Files that are in DIR/blobs are not copied again.",
	  .examples = "OCTAVO_BLOBS=s3://bucket/octavo octavo blobs pull --dir /var/lib/octavo" },
	{ 0 }
};
