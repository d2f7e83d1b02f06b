/*
 * octavo check: checks each invariant that the schema cannot express (include/store/invariants.h),
 * and the stored bytes. It reads everything and changes nothing, except that --repair has derived
 * data rebuilt.
 */
#include <stdio.h>
#include <string.h>

#include "app/installation.h"
#include "app/queue.h"
#include "store/invariants.h"
#include "cmd_data.h"
#include "store/content.h"
#include "conversations/storage.h"

/*
 * Breaches printed for one invariant. A damaged table may have millions; all of them are counted.
 */
enum { SHOWN = 20 };

struct findings {
	struct cli *cli;
	const char *name;
	enum check_remedy remedy;  /* of the current invariant */
	size_t      count;         /* breaches of the current invariant */
	size_t      total;
	size_t      of[CHECK_REMEDIES];   /* number of breaches by remedy */
	const char *lines[200];
	size_t      line_count;
	const struct blob_list *objects;   /* of the object store; without one it is empty */
};

/* Records a breach; `what` is copied. */
static void
add_finding(struct findings *f, const char *what)
{
	f->count++;
	f->total++;
	f->of[f->remedy]++;
	if (f->count <= SHOWN && f->line_count < 200)
		f->lines[f->line_count++] = arena_printf(f->cli->arena, "%s: %s", f->name, what);
}

/* Number of breaches that --repair fixes. */
static size_t
count_derived(const struct findings *f)
{
	return f->of[CHECK_INDEX] + f->of[CHECK_COUNT];
}

static void
note_breach(void *ctx, const char *what)
{
	add_finding(ctx, what);
}

/* Checks that the file of a blob exists and has the right size; with --deep also its hash. */
static void
check_file(void *ctx, struct stmt *q)
{
	struct findings *f = ctx;
	struct arena *a = arena_new(1 << 20);
	struct str hash = col_bytes(q, 0);
	const char *dir = f->cli->dir;

	if (!blob_list_has(f->objects, a, dir, hash, col_int(q, 1)) ||
	    (cli_flag(f->cli, "deep") && blob_verify(a, dir, hash) != BLOB_FOUND))
		add_finding(f, blob_path(a, dir, hash));
	arena_free(a);
}

/*
 * The existence of files is always checked. Hashes of files and of bytes in the database are
 * checked only with --deep, which reads everything.
 */
static void
check_blobs(struct findings *f, struct db *db, const char **error)
{
	struct arena *a = f->cli->arena;

	f->name = "a file is missing, or of the wrong size or bytes";
	f->remedy = CHECK_FILE;
	f->count = 0;
	f->objects = blob_list_read(a);
	if (f->objects == NULL)
		*error = "the object store cannot be read (its words are above), so no file was checked";
	else
		blob_files_each(db, a, check_file, f, error);
	f->name = "a text is damaged";
	f->remedy = CHECK_TEXT;
	f->count = 0;
	if (*error == NULL && cli_flag(f->cli, "deep"))
		check_bytes(db, a, note_breach, f, error);
}

/* The key of another installation could seal and sign new data, but cannot open existing data. */
static void
check_key(struct findings *f, struct db *db)
{
	f->name = "the key is the one of this database";
	f->remedy = CHECK_KEY;
	f->count = 0;
	if (installation_key_differs(db, f->cli->arena, f->cli->dir))
		add_finding(f, "octavo.key is another's. Put the right one back (a backup has it); if it is lost for good: "
		    "octavo check --accept-key");
}

/*
 * Leftover rows and files. They are harmless and no breach: the job runner deletes them, files
 * after a day.
 */
struct leftovers {
	struct db *db;
	int64_t    rows, files;
};

static void
count_rows(void *ctx, struct stmt *q)
{
	((struct leftovers *)ctx)->rows = col_int(q, 0);
}

static void
count_file(void *ctx, const struct blob_file *file)
{
	struct leftovers *l = ctx;

	l->files += file->hash.n == 0 || !blob_known(l->db, file->hash);
}

/* Counts what blob_sweep() would delete, without deleting it. */
static void
count_leftovers(struct cli *c, struct leftovers *l, const char **error)
{
	db_each(l->db, c->arena, "SELECT count(*) FROM blob b WHERE NOT EXISTS "
	    "(SELECT 1 FROM node n WHERE n.body = b.hash) AND NOT EXISTS "
	    "(SELECT 1 FROM node n WHERE n.refs = b.hash) AND NOT EXISTS "
	    "(SELECT 1 FROM stored_file f WHERE f.hash = b.hash)", count_rows, l, error);
	blob_walk(c->arena, c->dir, count_file, l);
	blob_walk_store(c->arena, count_file, l);
}

/* Prints the remedy for each organization without an admin. */
static void
say_admins(struct findings *f)
{
	static const char before[] = ": organization ";
	const char *at;

	for (size_t i = 0; i < f->line_count; i++)
		if (strstr(f->lines[i], "an admin: ") != NULL && (at = strstr(f->lines[i], before)) != NULL)
			data_say_admin(f->cli, f->cli->dir, at + sizeof(before) - 1);
}

/*
 * Prints what to do about breaches of one kind. Breaches of the key already include their advice.
 */
static void
say_remedy(struct findings *f, enum check_remedy remedy)
{
	static const char *const said[CHECK_REMEDIES] = {
		[CHECK_ROWS] = "Where rows contradict each other: octavo salvage NEW --dir DIR makes a folder in which they agree, "
		    "and says what it did; or octavo restore of a backup from before, into another folder",
		[CHECK_DATABASE] = "Where the database itself is damaged: stop all programs, look after the disk, then octavo restore "
		    "of the newest good backup into another folder; without one, octavo salvage NEW --dir DIR saves what can be read",
		[CHECK_TEXT] = "Where a page's text is damaged: write it or import it anew, or take it from a backup that was restored into "
		    "another folder; nothing else has to be done in DIR",
		[CHECK_FILE] = "Where a file is missing or damaged: copy it from below blobs/ of a backup, where it has the same name, to "
		    "its place in DIR; without one, upload or import it anew",
		[CHECK_INDEX] = "Where search or links do not fit: octavo check --repair --dir DIR has them made anew",
		[CHECK_COUNT] = "Where clusters of issues do not: octavo check --repair --dir DIR has them counted again",
	};
	const char *dir = cli_quoted(f->cli->arena, f->cli->dir), *at = said[remedy] == NULL ? NULL : strstr(said[remedy], "DIR");

	if (remedy == CHECK_ADMIN)
		say_admins(f);
	else if (at != NULL)
		cli_say(f->cli, "%.*s%s%s", (int)(at - said[remedy]), said[remedy], dir, at + strlen("DIR"));
}

static int
print_report(struct cli *c, struct findings *f, const struct leftovers *l)
{
	struct json *j;
	size_t i;

	if (c->json) {
		j = cli_json(c);
		json_obj(j);
		json_kbool(j, "ok", f->total == 0);
		json_karr(j, "breaches");
		for (i = 0; i < f->line_count; i++)
			json_str(j, f->lines[i]);
		json_end(j);
		json_kobj(j, "leftovers");
		json_kint(j, "rows", l->rows);
		json_kint(j, "files", l->files);
		json_end(j);
		json_end(j);
		cli_json_print(c);
		return f->total == 0 ? CLI_OK : CLI_FAILED;
	}
	for (i = 0; i < f->line_count; i++)
		printf("%s\n", f->lines[i]);
	if (l->rows + l->files > 0)
		cli_say(c, "%lld rows and %lld files below blobs/ that nothing names: harmless, the job "
		    "runner takes them away, files a day after they were written",
		    (long long)l->rows, (long long)l->files);
	for (i = 0; i < CHECK_REMEDIES; i++)
		if (f->of[i] > 0)
			say_remedy(f, (enum check_remedy)i);
	if (f->total > 0)
		return cli_fail(c, "%zu breaches", f->total);
	printf("ok: %zu invariants hold\n", check_count() + (cli_flag(c, "deep") ? 3 : 2));
	return CLI_OK;
}

SQL(q_unindexed,
    "SELECT s.id FROM space s JOIN branch b ON b.id = s.branch WHERE b.head > 0 AND NOT EXISTS "
    "(SELECT 1 FROM job j WHERE j.space = s.id AND j.kind = 'index' AND j.state IN ('queued', 'running')) "
    "ORDER BY s.id /*scan*/");

SQL(q_talking, "SELECT org FROM conversation_state ORDER BY org /*scan*/");

/*
 * Queues jobs that rebuild the search index and the links of every space. Returns the number of
 * jobs.
 */
static int64_t
queue_index(struct cli *c, struct db *db)
{
	struct stmt *q;
	int64_t n = 0;

	db_begin(db, true);
	for (q = db_use(db, &q_unindexed); stmt_step(q); n++) {
		char *space = col_dup(q, 0, c->arena);
		struct job job = { .kind = "index", .space = space, .queue = space, .args = "{}" };

		job_add(db, c->arena, &job, 0);
	}
	db_commit(db);
	return n;
}

/*
 * Queues recounts of the issue clusters, for each organization that has any. Returns the number of
 * jobs.
 */
static int64_t
queue_counts(struct cli *c, struct db *db)
{
	struct stmt *q;
	int64_t n = 0;

	db_begin(db, true);
	for (q = db_use(db, &q_talking); stmt_step(q); )
		n += conversations_recount(db, c->arena, col_dup(q, 0, c->arena), NULL);
	db_commit(db);
	return n;
}

/* An invariant that cannot be read is recorded as a finding; the others are still checked. */
static void
check_each(struct cli *c, struct db *db, struct findings *f)
{
	const char *error;
	size_t i;

	for (i = 0; i < check_count(); i++) {
		cli_progress("checking", (int64_t)i, (int64_t)check_count() + 1);
		f->name = check_name(i);
		f->remedy = check_remedy(i);
		f->count = 0;
		error = NULL;
		if (check_one(db, c->arena, i, note_breach, f, &error))
			continue;
		f->remedy = CHECK_DATABASE;
		add_finding(f, arena_printf(c->arena, "cannot be read: %s", error));
	}
}

/* Returns a failure if breaches remain that this cannot repair. */
static int
repair_derived(struct cli *c, struct db *db, const struct findings *f)
{
	int64_t spaces = f->of[CHECK_INDEX] > 0 ? queue_index(c, db) : 0;
	int64_t orgs = f->of[CHECK_COUNT] > 0 ? queue_counts(c, db) : 0;

	if (f->of[CHECK_INDEX] > 0)
		cli_say(c, "%lld spaces get their search and their links anew", (long long)spaces);
	if (f->of[CHECK_COUNT] > 0)
		cli_say(c, "clusters of issues are counted again in %lld organizations", (long long)orgs);
	cli_say(c, "the job runner does it, or: octavo jobs --wait --dir %s", cli_quoted(c->arena, c->dir));
	if (f->total > count_derived(f))
		return cli_fail(c, "%zu breaches, %zu of them of data that cannot be made anew: octavo check says what to do",
		    f->total, f->total - count_derived(f));
	if (c->json) {
		json_obj(cli_json(c));
		json_kint(cli_json(c), "queued", spaces + orgs);
		json_end(cli_json(c));
		cli_json_print(c);
	} else
		printf("%zu breaches, all of data that is being made anew\n", f->total);
	return CLI_OK;
}

static int
run_check(struct cli *c)
{
	struct findings f = { .cli = c };
	struct db *db = data_open(c, DB_READ_WRITE);
	struct leftovers l = { .db = db };
	const char *error = NULL;
	int rc;

	if (db == NULL)
		return CLI_FAILED;
	if (cli_flag(c, "accept-key"))
		error = installation_take_key(db, c->arena, c->dir, false);
	check_key(&f, db);
	check_each(c, db, &f);
	if (error == NULL)
		check_blobs(&f, db, &error);
	if (error == NULL)
		count_leftovers(c, &l, &error);
	f.remedy = CHECK_DATABASE;
	if (error != NULL)
		add_finding(&f, arena_printf(c->arena, "cannot be read: %s", error));
	cli_progress_end();
	/*
	 * Only derived data is repaired: of two contradictory source rows, the program cannot know
	 * which is right.
	 */
	if (cli_flag(c, "repair") && count_derived(&f) > 0)
		rc = repair_derived(c, db, &f);
	else
		rc = print_report(c, &f, &l);
	db_close(db);
	return rc;
}

const struct cli_command commands_check[] = {
	{ .name = "check", .needs_dir = true, .run = run_check,
	  .summary = "Check the database, and every invariant that it cannot express",
	  .options = (const struct cli_option[]){
		{ .name = "deep", .help = "read the bytes of pages and files as well" },
		{ .name = "accept-key", .help = "take octavo.key as the key of this database, where the right one is lost" },
		{ .name = "repair", .help = "have search, links and the counts of clusters made anew where they are wrong" },
		{ 0 } } },
	{ 0 }
};
