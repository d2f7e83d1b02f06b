/* octavo export: writes all data in a form that can be read without Octavo. Contract: command/leave.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/installation.h"
#include "backup/backup_parts.h"
#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "base/role.h"
#include "base/secret.h"
#include "cmd_data.h"
#include "http/req.h"
#include "api/routes.h"
#include "leave/leave_parts.h"
#include "store/blob.h"

SQL(q_leave_orgs,
    "SELECT o.id, (SELECT m.account FROM member m WHERE m.org = o.id AND m.role = " SQL_ROLE_ADMIN " AND m.disabled = 0 "
    "ORDER BY m.joined_at, m.account LIMIT 1) FROM org o WHERE CAST(:org AS TEXT) IS NULL OR o.id = :org ORDER BY o.id /*scan*/");

/* Key with which answers of the API are made, in place of the installation's key. */
static const char no_key[] = "0000000000000000000000000000000000000000000000000000000000000000\n";

bool
leave_fail(struct leave *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (l->error == NULL)
		l->error = arena_vprintf(l->arena, fmt, ap);
	va_end(ap);
	return false;
}

FILE *
leave_open(struct leave *l, const char *name)
{
	const char *path = arena_printf(l->arena, "%s/%s", l->to, name), *slash = strchr(name, '/');
	FILE *f;

	if (slash != NULL)
		folder_make(AT_FDCWD, arena_printf(l->arena, "%s/%.*s", l->to, (int)(slash - name), name), 0700);
	if ((f = fopen(path, "we")) == NULL)
		leave_fail(l, "%s: %s", path, strerror(errno));
	return f;
}

bool
leave_close(struct leave *l, FILE *f, const char *name)
{
	bool ok = !ferror(f);

	if (fclose(f) != 0 || !ok)
		return leave_fail(l, "%s/%s: %s", l->to, name, strerror(errno));
	return true;
}

/* ---- the copy ---- */

static void
tick(void *ctx, int64_t done, int64_t total)
{
	(void)ctx;
	cli_progress("copying the database", done, total);
}

static bool
write_text(struct leave *l, const char *name, const char *text)
{
	FILE *f = leave_open(l, name);

	if (f == NULL)
		return false;
	fputs(text, f);
	return leave_close(l, f, name);
}

/* Copies the database. The key file beside the copy contains zeros and opens nothing. */
static bool
copy_database(struct leave *l)
{
	const char *path = arena_printf(l->arena, "%s/octavo.db", l->data), *error = NULL;
	struct db *live = db_open(l->arena, path, DB_READ_WRITE, NULL, &error);
	struct backup b = { .arena = l->arena };
	bool ok;

	if (live == NULL)
		return leave_fail(l, "%s", error);
	/* The copy holds every secret: a signal that ends the process deletes it first. */
	backup_temp_database(&b, arena_printf(l->arena, "%s/octavo.db", l->work));
	ok = db_copy(live, l->arena, arena_printf(l->arena, "%s/octavo.db", l->work), tick, NULL, &error);
	db_close(live);
	return (ok || leave_fail(l, "%s", error)) && write_text(l, LEAVE_WORK "/octavo.key", no_key);
}

static void
take_file(void *ctx, struct stmt *q)
{
	struct leave *l = ctx;
	struct arena *a = arena_new(1 << 20);
	struct backup b = { .arena = a };
	const char *name = hex(a, col_bytes(q, 0)), *from = blob_path(a, l->data, col_bytes(q, 0));
	const char *to = arena_printf(a, "%s/files/%.2s/%s", l->to, name, name + 2);

	cli_progress("files", l->files, 0);
	if (l->error == NULL && folder_make(AT_FDCWD, arena_printf(a, "%s/files/%.2s", l->to, name), 0700) &&
	    backup_copy_file(&b, from, to, 0600, true) == 1) {
		l->files++;
		l->bytes += col_int(q, 1);
	} else
		leave_fail(l, "%s: %s; octavo check says more", from, errno == 0 ? "missing" : strerror(errno));
	arena_free(a);
}

/* For the export of one organization: the files that its content uses. */
struct wanted {
	struct leave *l;
	struct map   *names;   /* hashes of the files to export; NULL: all files */
};

static void
want_file(void *ctx, struct stmt *q)
{
	struct wanted *w = ctx;
	struct str hash = col_bytes(q, 0);

	map_add(w->names, (struct str){ arena_strndup(w->l->arena, hash.p, hash.n), hash.n }, w);
}

static void
take_wanted(void *ctx, struct stmt *q)
{
	struct wanted *w = ctx;

	if (w->names == NULL || map_has(w->names, col_bytes(q, 0)))
		take_file(w->l, q);
}

static bool
copy_files(struct leave *l)
{
	struct wanted w = { l, l->org == NULL ? NULL : map_new(l->arena) };
	const struct leave_table *t = leave_table_find("blob");
	const char *error;

	if (!folder_make(AT_FDCWD, arena_printf(l->arena, "%s/files", l->to), 0700) ||
	    symlink("../files", arena_printf(l->arena, "%s/blobs", l->work)) != 0)
		return leave_fail(l, "%s/files: %s", l->to, strerror(errno));
	if (w.names != NULL && !db_each(l->db, l->arena, arena_printf(l->arena, "SELECT hash FROM blob WHERE %s",
	    leave_where(l->db, l->arena, t, l->org)), want_file, &w, &error))
		return leave_fail(l, "%s", error);
	return (blob_files_each(l->db, l->arena, take_wanted, &w, &error) || leave_fail(l, "%s", error)) && l->error == NULL;
}

/* ---- objects ---- */

struct objects_out {
	struct leave *l;
	struct arena *line;    /* memory for one line */
	const char   *operation;   /* operation of the open file */
	const char   *name;
	FILE         *f;
};

static bool
close_objects(struct objects_out *o)
{
	bool ok = o->f == NULL || leave_close(o->l, o->f, o->name);

	o->f = NULL;
	return ok;
}

/*
 * Writes an answer with status 200. Other answers are left out: 404 means that the object does not
 * exist, 403 that no admin of the organization may read it.
 */
static void
put_object(void *ctx, const char *operation, const char *address, int status, const char *object)
{
	struct objects_out *o = ctx;
	struct leave *l = o->l;
	struct buf b;

	if (status != 200 || l->error != NULL)
		return;
	cli_progress("objects", l->objects, 0);
	if (o->f == NULL || strcmp(o->operation, operation) != 0) {
		close_objects(o);
		o->operation = operation;
		o->name = arena_printf(l->arena, "objects/%s.jsonl", operation);
		folder_make(AT_FDCWD, arena_printf(l->arena, "%s/objects", l->to), 0700);
		if ((o->f = fopen(arena_printf(l->arena, "%s/%s", l->to, o->name), "ae")) == NULL) {
			leave_fail(l, "%s: %s", o->name, strerror(errno));
			return;
		}
	}
	arena_reset(o->line);
	buf_init(&b, o->line, 1 << 20);
	json_quote(&b, str_of(address));
	fprintf(o->f, "{\"of\":%s,\"object\":%s}\n", b.p, object);
	l->objects++;
}

static bool
write_description(struct leave *l)
{
	struct json j;
	struct buf b;

	buf_init(&b, l->arena, 64 << 20);
	json_init(&j, &b);
	openapi_write(&j, &octavo_app, "https://octavo.invalid/v1");
	return write_text(l, "objects/openapi.json", b.p);
}

bool
leave_objects(struct leave *l)
{
	struct objects_out out = { .l = l, .line = arena_within(l->arena, 1 << 24) };
	struct cli c = *l->cli;
	const char *list[1024][2];
	struct stmt *q = db_use(l->db, &q_leave_orgs);
	size_t n = 0;

	c.dir = l->work;
	bind_text(q, ":org", l->org);
	while (n < 1024 && stmt_step(q)) {
		list[n][0] = col_dup(q, 0, l->arena);
		list[n++][1] = col_dup(q, 1, l->arena);
	}
	for (size_t i = 0; i < n; i++) {
		struct leave_walk w = { .cli = &c, .db = l->db, .org = list[i][0], .user = list[i][1], .line = put_object, .ctx = &out };

		if (w.user != NULL)
			leave_walk(&w);
	}
	return close_objects(&out) && write_description(l);
}

/* ---- README.md and the note ---- */

static const char readme[] = "# Export of Octavo\n\n"
	"All of this can be read without Octavo.\n\n"
	"- `spaces/ID.git`: a bare git repository per space, with its history: `git clone spaces/ID.git`. Branches\n"
	"  `change-requests/NUMBER` are the change requests.\n"
	"- `objects/`: members, teams, grants, sites, comments, reviews and all else as the API answers it, a JSON object\n"
	"  per line: `of` is the address, `object` the answer. `objects/openapi.json` describes the shapes.\n"
	"- `records/`: the same and all that the API does not tell, as rows of tables; `records/schema.json` is their JSON\n"
	"  schema. `octavo import` reads these.\n"
	"- `files/`: uploaded files, named by the BLAKE2b-256 hash of their bytes.\n"
	"- `secrets.sealed`: only with `--with-secrets`.\n\n"
	"Missing without secrets: passwords, tokens, sign-ins with a provider, credentials of repositories, keys of share\n"
	"links, of invite links and of visitors, headers of MCP servers, and octavo.key, which signed and sealed what the\n"
	"installation gave out. Missing always: sessions, search and links (made anew from the content), PDFs.\n\n"
	"## Spaces\n\n";

static void
put_space(void *ctx, struct stmt *q)
{
	fprintf(ctx, "- `spaces/%s.git`: %s\n", col_text(q, 0), col_text(q, 1));
}

static bool
write_readme(struct leave *l)
{
	FILE *f = leave_open(l, "README.md");
	const char *error;

	if (f == NULL)
		return false;
	fputs(readme, f);
	if (!db_each(l->db, l->arena, arena_printf(l->arena, "SELECT id, title FROM space WHERE (deleted_at IS NULL OR deleted_at > 2) "
	    "AND %s ORDER BY title, id", leave_where(l->db, l->arena, leave_table_find("space"), l->org)), put_space, f, &error))
		leave_fail(l, "%s", error);
	return leave_close(l, f, "README.md") && l->error == NULL;
}

static bool
write_note(struct leave *l, int64_t taken)
{
	struct installation i;
	struct json j;
	struct buf b;

	installation_read(l->db, l->arena, &i);
	buf_init(&b, l->arena, 1 << 16);
	json_init(&j, &b);
	json_obj(&j);
	json_kint(&j, "format", LEAVE_FORMAT);
	json_kint(&j, "schema", db_version(l->db));
	json_kstr(&j, "octavo", OCTAVO_VERSION);
	json_kstr(&j, "installation", i.id);
	json_key(&j, "taken");
	json_time(&j, taken);
	json_kstr(&j, "organization", l->org);
	json_kbool(&j, "secrets", l->secrets != NULL);
	json_kint(&j, "rows", l->rows);
	json_kint(&j, "revisions", l->revisions);
	json_kint(&j, "files", l->files);
	json_end(&j);
	buf_char(&b, '\n');
	return write_text(l, LEAVE_NOTE, b.p);
}

/* ---- the command ---- */

/*
 * Begins secrets.sealed with the installation's key. False on failure; l->error is set, or an error
 * was printed.
 */
static bool
begin_secrets(struct leave *l, const char *passphrase, FILE **f)
{
	struct str key;
	struct json j;
	struct buf b;

	*f = NULL;
	if (passphrase == NULL)
		return true;
	if (!file_read(l->arena, arena_printf(l->arena, "%s/octavo.key", l->data), &key))
		return leave_fail(l, "%s/octavo.key: %s", l->data, strerror(errno));
	if ((*f = leave_open(l, LEAVE_SECRETS)) == NULL)
		return false;
	if ((l->secrets = sealed_write(l->arena, *f, str_of(passphrase))) == NULL)
		return leave_fail(l, "%s: cannot be written", LEAVE_SECRETS);
	buf_init(&b, l->arena, 1 << 12);
	json_init(&j, &b);
	json_obj(&j);
	json_kstrn(&j, "key", key);
	json_end(&j);
	return sealed_put(l->secrets, buf_view(&b)) || leave_fail(l, "%s: cannot be written", LEAVE_SECRETS);
}

static bool
begin_part(struct leave *l, const char *name)
{
	return l->part == NULL || l->part(l->ctx, name) || leave_fail(l, "cancelled");
}

bool
leave_write(struct leave *l, const char *passphrase)
{
	int64_t taken = time_now();
	const char *error;
	FILE *f = NULL;
	bool ok = begin_part(l, "copying") && copy_database(l);

	if (ok && (error = secret_open(l->arena, l->work)) != NULL)
		ok = leave_fail(l, "%s", error);
	if (ok && (l->db = db_open(l->arena, arena_printf(l->arena, "%s/octavo.db", l->work), DB_READ_WRITE, NULL, &error)) == NULL)
		ok = leave_fail(l, "%s", error);
	ok = ok && begin_part(l, "files") && copy_files(l) && begin_secrets(l, passphrase, &f) && begin_part(l, "records") &&
	    leave_records(l);
	if (f != NULL) {
		ok = ok && (sealed_end(l->secrets) || leave_fail(l, "%s: cannot be written", LEAVE_SECRETS));
		ok = leave_close(l, f, LEAVE_SECRETS) && ok;
	}
	ok = ok && begin_part(l, "objects") && leave_objects(l) && begin_part(l, "repositories") && leave_histories(l) &&
	    begin_part(l, "packing") && write_readme(l) && write_note(l, taken);
	db_close(l->db);
	return ok;
}

static int
print_export(struct leave *l, int64_t began)
{
	struct cli *c = l->cli;
	int64_t ms = time_steady() - began;
	struct json *j;

	if (c->json) {
		j = cli_json(c);
		json_obj(j);
		json_kint(j, "spaces", l->spaces);
		json_kint(j, "revisions", l->revisions);
		json_kint(j, "rows", l->rows);
		json_kint(j, "objects", l->objects);
		json_kint(j, "files", l->files);
		json_kint(j, "bytes", l->bytes);
		json_kbool(j, "secrets", l->secrets != NULL);
		json_kbool(j, "streams", l->streams);
		json_kint(j, "milliseconds", ms);
		json_end(j);
		cli_json_print(c);
	} else
		printf("exported: %" PRId64 " spaces, %" PRId64 " revisions, %" PRId64 " objects, %" PRId64 " rows, %" PRId64
		    " files%s\n", l->spaces, l->revisions, l->objects, l->rows, l->files, l->secrets != NULL ? ", with secrets" : "");
	if (l->streams)
		cli_say(c, "git is not installed here: spaces/ID.fast-import are streams that git init && git fast-import read elsewhere");
	return CLI_OK;
}

/* The absolute path of the operand; NULL after printing an error. */
static const char *
target_of(struct cli *c)
{
	char here[PATH_MAX];
	const char *to = c->argc == 1 ? c->argv[0] : "";
	size_t n = strlen(to);

	while (n > 1 && to[n - 1] == '/')
		n--;
	if (n == 0 || (*to != '/' && getcwd(here, sizeof(here)) == NULL)) {
		cli_usage(c, "name one new folder, or a file that ends in .tar: octavo export PATH --dir DIR");
		return NULL;
	}
	to = *to == '/' ? arena_strndup(c->arena, to, n) : arena_printf(c->arena, "%s/%.*s", here, (int)n, to);
	/* rmdir() deletes the folder only if it is empty. */
	if (rmdir(to) != 0 && errno != ENOENT) {
		cli_fail(c, "%s exists; name a new folder or file", to);
		return NULL;
	}
	return to;
}

static bool
make_folders(struct leave *l)
{
	if ((mkdir(l->to, 0700) == 0 || errno == EEXIST) && mkdir(l->work, 0700) == 0)
		return true;
	return leave_fail(l, "%s: %s", l->to, strerror(errno));
}

static int
run_export(struct cli *c)
{
	const char *to = target_of(c), *passphrase = NULL, *error = NULL, *url = data_url(c);
	struct leave l = { .cli = c, .arena = c->arena, .data = c->dir };
	int64_t began = time_steady();
	bool file, ok;

	if (to == NULL)
		return c->argc == 1 ? CLI_FAILED : CLI_USAGE;
	if (cli_flag(c, "with-secrets") && (passphrase = leave_passphrase(c)) == NULL)
		return CLI_USAGE;
	if (access(arena_printf(c->arena, "%s/octavo.db", c->dir), R_OK) != 0)
		return cli_fail(c, "%s/octavo.db: %s", c->dir, strerror(errno));
	if (url != NULL)
		setenv("OCTAVO_URL", url, 1);
	umask(OWN_UMASK);
	file = backup_is_file(to);
	l.to = file ? arena_printf(c->arena, "%s.folder", to) : to;
	l.work = arena_printf(c->arena, "%s/" LEAVE_WORK, l.to);
	l.org = cli_option(c, "org");
	if (file)
		leave_remove(l.to);
	ok = make_folders(&l) && leave_write(&l, passphrase);
	leave_remove(l.work);
	backup_temp_forget();
	if (ok && file)
		ok = leave_pack(c->arena, l.to, to, &error) || leave_fail(&l, "%s", error);
	if (file || !ok)
		leave_remove(l.to);
	cli_progress_end();
	return ok ? print_export(&l, began) : cli_fail(c, "%s. Nothing was exported", l.error);
}

const struct cli_command commands_leave[] = {
	{ .name = "export", .operands = "FOLDER|FILE.tar", .needs_dir = true, .stays_root = true, .run = run_export,
	  .summary = "Write everything in a form that needs no Octavo to be read, and that import takes back",
	  .options = (const struct cli_option[]){
		{ .name = "org", .arg = "ID", .help = "only this organization" },
		{ .name = "with-secrets", .help = "add the key, passwords, tokens and all other secrets, sealed" },
		{ .name = "passphrase-file", .arg = "FILE", .help = "its first line seals the secrets; -: standard input" },
		{ 0 } },
	  .details = "FOLDER must not exist, or be empty. It gets a git repository per space with the whole history,\n"
	    "all else as lines of JSON with a schema, and the files; README.md in it says what is where. The\n"
	    "programs may run meanwhile: the export shows the moment at which it began.\n\n"
	    "octavo import FOLDER --dir NEW makes the same installation of it.",
	  .examples = "octavo export /backup/octavo.tar --dir /var/lib/octavo\n"
	    "octavo export /backup/octavo --dir /var/lib/octavo --with-secrets --passphrase-file /root/passphrase" },
	{ 0 }
};
