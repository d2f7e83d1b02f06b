/*
 * Databases of earlier schema versions, with the rows that programs of that time wrote, are
 * migrated to the current one: nothing is lost, all invariants hold, and the programs continue to
 * work.
 *
 * tests/fixtures/schema/N.sql holds the rows that version N added, for the versions that added
 * tables. With a new migration, add those of the version before it: the test names the tables
 * without rows.
 */
#include "page_fixture.h"

#include <unistd.h>

#include "check_fixture.h"
#include "search/search.h"

/* The list of migrations, to stop between two of them. */
struct migration {
	const char *name;
	const char *text;
};
#include "schema.h"

enum { LATEST = sizeof(migrations) / sizeof(migrations[0]) };

/*
 * Versions to migrate from: all of them, and with sanitizers every sixth. They differ in SQL only,
 * which sanitizers do not check.
 */
#ifdef __SANITIZE_ADDRESS__
enum { STRIDE = 6 };
#else
enum { STRIDE = 1 };
#endif

/* Ids in the rows. */
#define SPACE "DdpnmJp5aJufSojY43GfO6"
#define GUIDE "YHnAzoRrgagv72XlcbCz2E"
#define FIRST "9snRO3SpsnhSgyLRHPYc84"     /* revisions of main */
#define SECOND "AWaWaibCsdWsgRkCkHSedr"
#define THIRD "Dwqd3jlO7A1ESOtE0a85Cm"
#define WRITTEN "kU7AbXT8rv1EenarS6l0CV"   /* revisions of the second change request */
#define DRAFT "33AaDSo4k46P5PTiY3taFd"

static const char *const files[] = { "dot\n", "new\n" };

/* "" if the file does not exist. */
static char *
read_whole(struct arena *a, const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = arena_alloc(a, 1 << 16);

	if (file != NULL) {
		assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
		fclose(file);
	}
	return text;
}

static void
script(struct db *db, struct arena *a, const char *text)
{
	const char *error = NULL;

	if (!db_script(db, a, text, &error))
		print_error("%s\n", error);
	assert_null(error);
}

/* Replaces the database in the fixture's directory by one of an old version. */
static void
old_database(struct fixture *f, int version)
{
	char *path = arena_printf(f->arena, "%s/octavo.db", f->dir);
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	const char *error = NULL;
	struct str hash;
	size_t i;
	int k;

	db_close(f->db);
	assert_int_equal(system(arena_printf(f->arena, "rm -r '%s'* && : >'%s'", path, path)), 0);
	f->db = db_open(f->arena, path, DB_ANY_VERSION, NULL, &error);
	assert_non_null(f->db);
	script(f->db, f->arena, "PRAGMA journal_mode=WAL; PRAGMA foreign_keys=OFF");
	for (k = 0; k < version; k++) {
		script(f->db, f->arena, migrations[k].text);
		script(f->db, f->arena, read_whole(f->arena,
		    arena_printf(f->arena, "tests/fixtures/schema/%d.sql", k + 1)));
	}
	script(f->db, f->arena, arena_printf(f->arena, "PRAGMA user_version=%d", version));
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		assert_true(blob_batch_add(b, str_of(files[i]), &hash, &error));
	assert_true(blob_batch_sync(b, &error));
}

static void
reopen(struct fixture *f, enum db_mode mode)
{
	const char *error = NULL;

	db_close(f->db);
	f->db = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), mode, NULL, &error);
	assert_non_null(f->db);
}

/* ---- checks after the migration ---- */

static struct point
at(struct fixture *f, const char *revision)
{
	struct point p;

	assert_true(point_revision(f->db, f->arena, SPACE, revision, &p));
	return p;
}

static const char *
body_at(struct fixture *f, const char *revision, const char *page)
{
	struct point p = at(f, revision);
	struct node n;
	struct str body;

	if (!node_get(f->db, f->arena, &p, page, &n))
		return NULL;
	assert_true(blob_get(f->db, f->arena, n.body, &body));
	return body.p;
}

static void
content_is_there(struct fixture *f)
{
	struct point p = at(f, THIRD);
	struct node *list, n;
	size_t count;

	assert_null(body_at(f, FIRST, GUIDE));
	assert_string_equal(body_at(f, SECOND, GUIDE), "## First steps\n\nTake [nothing](nowhere.md).\n");
	assert_string_equal(body_at(f, THIRD, GUIDE), "## First steps\n\nBetter words.");
	assert_int_equal(p.seq, 2);
	assert_true(page_at(f->db, f->arena, &p, "handbook", &n));
	assert_string_equal(n.id, GUIDE);
	assert_true(node_get(f->db, f->arena, &p, "redirect:guide", &n));
	list = node_list(f->db, f->arena, &p, NODE_FILE, &count);
	assert_int_equal(count, 2);
	assert_int_equal(access(blob_path(f->arena, f->dir, list[0].body), F_OK), 0);
	assert_true(node_get(f->db, f->arena, &p, "VK1IXey6OZxqIOXeugLEEU", &n));
	assert_int_equal(n.kind, NODE_REUSABLE);
}

static void
requests_are_there(struct fixture *f)
{
	assert_string_equal(body_at(f, WRITTEN, DRAFT), "A draft.");
	assert_string_equal(body_at(f, WRITTEN, GUIDE), "## First steps\n\nBetter words.");
}

SQL(q_reactions,
    "SELECT group_concat(line, ' ') FROM (SELECT emoji || ':' || substr(account, 1, 1) || ':' || (created_at % 100) AS line "
    "FROM reaction ORDER BY emoji, account) AS lines /*scan*/");
SQL(q_chosen, "SELECT group_concat(substr(account, 1, 1), '') FROM (SELECT account FROM member WHERE chosen = 1 ORDER BY account) AS them /*scan*/");
SQL(q_made_by, "SELECT COALESCE(made_by, '') FROM token WHERE id = 'tokenMadeWithAnother00'");

SQL(q_guide_rows,
    "SELECT count(*) FROM search_page e JOIN search_place p ON p.no = e.no WHERE e.page = '" GUIDE "' AND p.live = 1 /*scan*/");

static const char *
text_of(struct fixture *f, const struct sql *sql)
{
	struct stmt *q = db_use(f->db, sql);

	return stmt_step(q) ? col_dup(q, 0, f->arena) : NULL;
}

/*
 * All spellings of an emoji have one key; members who founded or joined are distinguished from
 * those who were added; tokens have the user who made them.
 */
static void
rights_are_known(struct fixture *f, int version)
{
	if (version < 13) {
		assert_string_equal(text_of(f, &q_chosen), "B");
		return;
	}
	assert_string_equal(text_of(f, &q_reactions),
	    "1f44d:B:53 1f44d:K:54 1f469-200d-1f4bb:B:57 2764:B:56 2764:K:55");
	assert_string_equal(text_of(f, &q_chosen), "Bu");
	assert_string_equal(text_of(f, &q_made_by), "oEDRBxPa0w9AYGJpX2ABwR");
}

SQL(q_given, "SELECT CAST(data AS TEXT) FROM openapi_given WHERE spec = 'specThatWaitsInVers190'");

/* Since version 48 the texts of API descriptions that wait for their job have their own rows. */
static void
texts_wait(struct fixture *f, int version)
{
	if (version >= 19)
		assert_string_equal(text_of(f, &q_given), "{\"openapi\":\"3.1.0\"}");
}

/* Runs the index jobs that a migration queued, as the runner would. */
static void
run_jobs(struct fixture *f)
{
	struct job job;

	while (claim_job(f->db, f->arena, &job)) {
		assert_string_equal(job.kind, "index");
		search_job(f->db, f->arena, &job);
	}
}

static void
found(struct fixture *f, const char *words, const char *page)
{
	struct search_in in;
	struct search_found out;

	assert_true(search_find(f->db, f->arena, SPACE, &in));
	search(f->db, f->arena, str_of(words), &in, 1, 5, NULL, &out);
	assert_int_equal(out.count, 1);
	search_shown(f->db, f->arena, &out, 0, 1);
	assert_string_equal(out.hits[0].page, page);
}

static void
work_goes_on(struct fixture *f)
{
	struct writing w = write_begin(f, SPACE, 1);

	write_page(&w, "fresh", "Fresh", "{}", "Sesquipedalian, see [the guide](guide.md).\n");
	write_end(&w);
	found(f, "sesquipedalian", "fresh");
	assert_string_equal(body_at(f, THIRD, GUIDE), "## First steps\n\nBetter words.");
}

static void
note_row(void *ctx, struct stmt *q)
{
	(void)q;
	*(bool *)ctx = true;
}

static void
take_table(void *ctx, struct stmt *q)
{
	struct fixture *f = ctx;
	const char *name = arena_strdup(f->arena, col_text(q, 0)), *error = NULL;
	bool some = false;

	assert_true(db_each(f->db, f->arena, arena_printf(f->arena, "SELECT 1 FROM \"%s\" LIMIT 1", name),
	    note_row, &some, &error));
	if (!some)
		fail_msg("tests/fixtures/schema has no row for the table %s", name);
}

/* A migration is tested only if each table has rows; the tables of the search index may be emptied by migrations. */
static void
every_table_has_rows(struct fixture *f)
{
	const char *error = NULL;

	assert_true(db_each(f->db, f->arena, "SELECT name FROM sqlite_schema WHERE type = 'table' "
	    "AND name NOT LIKE 'search%'", take_table, f, &error));
}

/* Lists search and order by folded columns (schema/0088_folded.sql). */
static void
folded_like_text(struct fixture *f)
{
	static const char wrong[] =
	    "SELECT 1 FROM account WHERE name_folded <> octavo_fold(name) OR address_folded <> octavo_fold(COALESCE(address, email)) "
	    "UNION ALL SELECT 1 FROM team WHERE title_folded <> octavo_fold(title) OR title_order <> octavo_casefold(title) "
	    "UNION ALL SELECT 1 FROM site WHERE title_folded <> octavo_fold(title) "
	    "UNION ALL SELECT 1 FROM site_redirect WHERE source_folded <> octavo_fold(source)";
	const char *error = NULL;
	bool some = false;

	assert_true(db_each(f->db, f->arena, wrong, note_row, &some, &error));
	assert_false(some);
}

/* ---- tests ---- */

static void
every_old_version_is_migrated(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	int version;

	/* The newest version before the last is always included. */
	for (version = 1 + (LATEST - 2) % STRIDE; version < LATEST; version += STRIDE) {
		old_database(f, version);
		if (version == LATEST - 1)
			every_table_has_rows(f);
		assert_int_equal(db_migrate(f->db, f->arena, &error), LATEST - version);
		assert_int_equal(db_migrate(f->db, f->arena, &error), 0);
		reopen(f, DB_READ_WRITE);
		content_is_there(f);
		if (version >= 4)
			requests_are_there(f);
		rights_are_known(f, version);
		folded_like_text(f);
		texts_wait(f, version);
		assert_int_equal(check_dir(f->arena, f->dir, true), CLI_OK);
		run_jobs(f);
		found(f, "better words", GUIDE);
		work_goes_on(f);
		assert_int_equal(check_dir(f->arena, f->dir, true), CLI_OK);
	}
}

SQL(q_links_kept,
    "SELECT (SELECT count(*) FROM link_invite WHERE id = substr(octavo_secret_hash('open-sesame'), 1, 24) AND instr(sealed, 'open') = 0) "
    "+ (SELECT count(*) FROM site_share_link WHERE secret = octavo_secret_hash('open-site') AND instr(sealed, 'open') = 0)");

/* Secrets of share links are replaced by hashes and sealed bytes; the links stay valid. */
static void
links_are_sealed(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	int version = 0;

	while (strstr(db_step_name(version + 1), "link_secrets") == NULL)
		version++;
	old_database(f, version);
	script(f->db, f->arena, "INSERT INTO link_invite (id, org, role, created_at) SELECT 'open-sesame', id, 1, 1 FROM org LIMIT 1;"
	    "INSERT INTO site (id, org, type, title, basename, visibility, created_at, updated_at) "
	    "SELECT 's', id, 'basic', 'S', 's', 'share-link', 1, 1 FROM org LIMIT 1;"
	    "INSERT INTO site_share_link (id, site, name, secret, created_at) VALUES ('l', 's', 'L', 'open-site', 1)");
	assert_true(db_migrate(f->db, f->arena, &error) > 0);
	reopen(f, DB_READ_WRITE);
	assert_int_equal(stmt_int(db_use(f->db, &q_links_kept), -1), 2);
}

SQL(q_addresses_kept,
    "SELECT (SELECT count(*) FROM openapi_spec WHERE id = 'u' AND url = 'https://***@h.example/a?token=***' AND length(url_sealed) > 40) "
    "+ (SELECT count(*) FROM openapi_spec WHERE id = 'p' AND url = 'https://h.example/a' AND url_sealed IS NULL) "
    "+ (SELECT count(*) FROM site_mcp_server WHERE url = 'https://h.example/?key=***' AND length(url_sealed) > 40) "
    "+ (SELECT count(*) FROM openapi_version WHERE id = 'uv' AND url = 'https://h.example/?key=***') "
    "+ (SELECT count(*) FROM openapi_file WHERE version = 'uv' AND name = 'https://h.example/?key=***') "
    "+ (SELECT count(*) FROM audit_event WHERE id = 'ua' AND before IS NULL AND after = '{\"sourceURL\":\"https://h.example/?key=***\"}')");

/*
 * URLs that contain secrets are kept without them, and in full only sealed; the file contains no
 * byte of the secrets any more.
 */
static void
addresses_are_sealed(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	int version = 0;

	while (strstr(db_step_name(version + 1), "addresses_sealed") == NULL)
		version++;
	old_database(f, version);
	script(f->db, f->arena, "INSERT INTO openapi_spec (id, org, slug, url, created_at, updated_at) "
	    "SELECT 'u', id, 'u', 'https://me:hunter2@h.example/a?token=hunter2', 1, 1 FROM org LIMIT 1;"
	    "INSERT INTO openapi_spec (id, org, slug, url, created_at, updated_at) SELECT 'p', id, 'p', 'https://h.example/a', 1, 1 FROM org LIMIT 1;"
	    "INSERT INTO openapi_version (id, spec, no, url, format, created_at) VALUES ('uv', 'u', 1, 'https://h.example/?key=hunter2', '3.0', 1);"
	    "INSERT INTO openapi_file (version, no, name, media, data) VALUES ('uv', 0, 'https://h.example/?key=hunter2', 'application/json', x'7b7d');"
	    "INSERT INTO site (id, org, type, title, basename, visibility, created_at, updated_at) "
	    "SELECT 's', id, 'basic', 'S', 's', 'public', 1, 1 FROM org LIMIT 1;"
	    "INSERT INTO site_mcp_server (id, site, name, url, headers, created_at) VALUES ('m', 's', 'M', 'https://h.example/?key=hunter2', x'', 1);"
	    "INSERT INTO audit_event (id, org, at, action, source, actor, target_type, target, after) SELECT 'ua', id, 1, 'openapi.create', 'api', 'x', "
	    "'openapi-spec', 'u', '{\"sourceURL\":\"https://h.example/?key=hunter2\"}' FROM org LIMIT 1");
	assert_true(db_migrate(f->db, f->arena, &error) > 0);
	reopen(f, DB_READ_WRITE);
	assert_int_equal(stmt_int(db_use(f->db, &q_addresses_kept), -1), 6);
	script(f->db, f->arena, "PRAGMA wal_checkpoint(TRUNCATE)");
	assert_int_not_equal(system(arena_printf(f->arena, "grep -qa hunter2 '%s/octavo.db'", f->dir)), 0);
}

SQL(q_read_again,
    "SELECT (SELECT count(*) FROM openapi_spec WHERE id IN ('u', 'p') AND etag IS NULL AND modified IS NULL) "
    "+ (SELECT count(*) FROM schedule WHERE kind = 'openapi' AND id IN ('openapi:u', 'openapi:p') AND next_at = 0)");

/*
 * A new kind of overview reaches API descriptions that were stored before: those with an address
 * are fetched unconditionally, those that were given as text are read again from their version.
 */
static void
stored_descriptions_are_read_again(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	int version = 0;

	while (strstr(db_step_name(version + 1), "openapi_overviews") == NULL)
		version++;
	old_database(f, version);
	script(f->db, f->arena, "INSERT INTO openapi_spec (id, org, slug, url, etag, modified, created_at, updated_at) "
	    "SELECT 'u', id, 'u', 'https://h.example/a', 'tag', 'date', 1, 1 FROM org LIMIT 1;"
	    "INSERT INTO schedule (id, kind, org, queue, args, every, next_at) "
	    "SELECT 'openapi:u', 'openapi', id, 'u', '{\"spec\":\"u\"}', 3600000, 9999999999999 FROM org LIMIT 1;"
	    "INSERT INTO openapi_spec (id, org, slug, latest, created_at, updated_at) SELECT 'p', id, 'p', 'pv', 1, 1 FROM org LIMIT 1;"
	    "INSERT INTO openapi_version (id, spec, no, created_at) VALUES ('pv', 'p', 1, 1)");
	assert_true(db_migrate(f->db, f->arena, &error) > 0);
	reopen(f, DB_READ_WRITE);
	assert_int_equal(stmt_int(db_use(f->db, &q_read_again), -1), 4);
}

/*
 * An old database is not opened without the migration, and the error names the command; an empty
 * file becomes a new database.
 */
static void
an_old_database_is_not_opened(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;

	old_database(f, LATEST - 1);
	assert_null(db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE, NULL,
	    &error));
	assert_non_null(strstr(error, "octavo migrate"));
	reopen(f, DB_CREATE);
	assert_int_equal(db_version(f->db), LATEST);
}

/* A database that violates a constraint is left as it is, with an error that names the constraint. */
static void
a_damaged_database_is_not_migrated(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;

	old_database(f, LATEST - 1);
	script(f->db, f->arena, "UPDATE space SET parent = 'nowhere' WHERE id = '" SPACE "'");
	assert_int_equal(db_migrate(f->db, f->arena, &error), -1);
	assert_non_null(strstr(error, "space -> collection"));
	assert_int_equal(db_version(f->db), LATEST - 1);
	script(f->db, f->arena, "UPDATE space SET parent = NULL WHERE id = '" SPACE "'");
	assert_int_equal(db_migrate(f->db, f->arena, &error), 1);
	content_is_there(f);
}

/* Until version 20 the search index contained noIndex pages. */
static void
noindex_pages_leave_the_index(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;

	old_database(f, 20);
	/* As programs of that time left it: the guide is indexed, although it is noIndex. */
	script(f->db, f->arena, "UPDATE job SET state = 'done', queue = space; "
	    "UPDATE node SET props = '{\"noIndex\":true}' WHERE id = '" GUIDE "'; "
	    "INSERT INTO search_space (no, space, org, pages) SELECT 1, id, org, 1 FROM space WHERE id = '" SPACE "'; "
	    "INSERT INTO search_page (no, space, page, key, live, title, about, trail, sections) VALUES "
	    "(1, 1, '" GUIDE "', x'00', 1, '', '', '', x''); "
	    "INSERT INTO search_index (rowid, title, heading, body, trail) VALUES (1, '', '', '', '')");
	assert_true(db_migrate(f->db, f->arena, &error) > 0);
	reopen(f, DB_READ_WRITE);
	/* Later versions rebuild the whole index: it is empty until the jobs have run. */
	assert_int_equal(stmt_int(db_use(f->db, &q_guide_rows), -1), 0);
	assert_int_equal(check_dir(f->arena, f->dir, true), CLI_OK);
	run_jobs(f);
	assert_int_equal(stmt_int(db_use(f->db, &q_guide_rows), -1), 0);
	assert_int_equal(check_dir(f->arena, f->dir, true), CLI_OK);
}

/* A migrated database has the same tables and indexes as a new one. */
static void
add_line(void *ctx, struct stmt *q)
{
	struct buf *b = ctx;

	buf_printf(b, "%s %s\n", col_text(q, 0), col_null(q, 1) ? "" : col_text(q, 1));
}

static const char *
schema_of(struct fixture *f)
{
	const char *error = NULL;
	struct buf b;

	buf_init(&b, f->arena, 1 << 20);
	assert_true(db_each(f->db, f->arena, "SELECT name, sql FROM sqlite_schema ORDER BY name", add_line, &b,
	    &error));
	return b.p;
}

static void
a_migrated_schema_equals_a_new_one(void **state)
{
	struct fixture *f = *state;
	const char *fresh = schema_of(f), *error;

	old_database(f, 1);
	assert_true(db_migrate(f->db, f->arena, &error) > 0);
	assert_string_equal(schema_of(f), fresh);
}

/* ---- the schema changes while a program runs ---- */

SQL(q_titles, "SELECT title FROM org");
SQL(q_retitle, "UPDATE org SET title = title");
SQL(q_stages, "SELECT stage FROM job");
SQL(q_stages_too, "SELECT stage, id FROM job");

static jmp_buf failed;
static enum db_failure failed_by;

static void
on_failure(void *ctx, enum db_failure f, const char *message)
{
	(void)ctx;
	assert_non_null(message);
	failed_by = f;
	longjmp(failed, 1);
}

/* Runs the statement in a transaction; false: it failed, with the reason in failed_by. */
static bool
works(struct db *db, const struct sql *sql, bool write)
{
	if (setjmp(failed) != 0) {
		db_rollback(db);
		return false;
	}
	db_begin(db, write);
	stmt_step(db_use(db, sql));
	db_commit(db);
	return true;
}

static void
another_schema_is_detected(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	struct db *other = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir),
	    DB_ANY_VERSION, NULL, &error);

	assert_non_null(other);
	db_on_fail(f->db, on_failure, NULL);
	/* Writes of other connections, or reading an older snapshot, do not count as another schema. */
	script(other, f->arena, "UPDATE org SET title = 'Other'");
	assert_true(works(f->db, &q_titles, false) && works(f->db, &q_retitle, true));
	db_begin(f->db, false);
	assert_true(stmt_step(db_use(f->db, &q_titles)));
	script(other, f->arena, arena_printf(f->arena, "PRAGMA user_version = %d", LATEST + 1));
	assert_true(stmt_step(db_use(f->db, &q_titles)));
	db_rollback(f->db);
	assert_false(db_outdated(f->db));

	assert_false(works(f->db, &q_titles, false));
	assert_int_equal(failed_by, DB_SCHEMA);
	assert_true(db_outdated(f->db));
	assert_false(works(f->db, &q_retitle, true));
	assert_int_equal(failed_by, DB_SCHEMA);
	assert_true(works(other, &q_retitle, true));
	assert_true(db_try_begin(other));
	db_rollback(other);
	db_close(other);
	if (setjmp(failed) == 0)
		assert_false(db_try_begin(f->db));
	assert_int_equal(failed_by, DB_SCHEMA);
	db_rollback(f->db);
}

/*
 * A statement that no longer matches the schema is not reported as an error in the SQL or as
 * damage, whether it was prepared before or not.
 */
static void
statements_of_another_schema_fail_cleanly(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	struct db *other = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir),
	    DB_ANY_VERSION, NULL, &error);

	db_on_fail(f->db, on_failure, NULL);
	assert_true(works(f->db, &q_stages, false));
	script(other, f->arena, "ALTER TABLE job RENAME COLUMN stage TO step");
	assert_false(works(f->db, &q_stages, false));
	assert_int_equal(failed_by, DB_ERROR);
	script(other, f->arena, arena_printf(f->arena, "PRAGMA user_version = %d", LATEST + 1));
	assert_false(works(f->db, &q_stages, false));
	assert_int_equal(failed_by, DB_SCHEMA);
	reopen(f, DB_ANY_VERSION);
	script(f->db, f->arena, arena_printf(f->arena, "PRAGMA user_version = %d", LATEST));
	reopen(f, DB_READ_WRITE);
	db_on_fail(f->db, on_failure, NULL);
	script(other, f->arena, arena_printf(f->arena, "PRAGMA user_version = %d", LATEST + 1));
	assert_false(works(f->db, &q_stages_too, false));
	assert_int_equal(failed_by, DB_SCHEMA);
	db_close(other);
}

/* As in programs, where cJSON allocates from the arena of the request or of the command. */
static int
setup_json(void **state)
{
	int rc = db_setup(state);

	json_arena(((struct fixture *)*state)->arena);
	return rc;
}

static int
teardown_json(void **state)
{
	json_arena(NULL);
	return db_teardown(state);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_json, teardown_json)
	const struct CMUnitTest tests[] = {
		TEST(every_old_version_is_migrated), TEST(links_are_sealed), TEST(addresses_are_sealed), TEST(stored_descriptions_are_read_again),
		TEST(an_old_database_is_not_opened), TEST(a_damaged_database_is_not_migrated),
		TEST(a_migrated_schema_equals_a_new_one), TEST(noindex_pages_leave_the_index),
		TEST(another_schema_is_detected), TEST(statements_of_another_schema_fail_cleanly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
