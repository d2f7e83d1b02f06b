/* octavo export: writes all data in a form that can be read without Octavo. Contract: command/leave.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/database.h"
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
    "ORDER BY m.joined_at, m.account LIMIT 1), o.title FROM org o WHERE CAST(:org AS TEXT) IS NULL OR o.id = :org ORDER BY o.id /*scan*/");

/* Key with which answers of the API are made, in place of the installation's key. */
static const char no_key[] = "0000000000000000000000000000000000000000000000000000000000000000\n";

/* Time between two checks whether the export is cancelled, during a long part. */
enum { LOOK_MS = 1000 };

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

bool
leave_goes_on(struct leave *l, const char *part, bool begins)
{
	int64_t now = time_steady();

	if (l->error == NULL && l->part != NULL && (begins || now - l->part_at >= LOOK_MS)) {
		l->part_at = now;
		if (!l->part(l->ctx, part))
			leave_fail(l, "cancelled");
	}
	return l->error == NULL;
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
	const char *error = NULL;
	struct db *live = database_open(l->arena, l->data, DB_READ_WRITE, NULL, &error);
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
	enum blob_found found;
	const char *name = hex(a, col_bytes(q, 0)), *from = blob_local(a, l->data, col_bytes(q, 0), &found);
	const char *to = arena_printf(a, "%s/files/%.2s/%s", l->to, name, name + 2);

	cli_progress("files", l->files, 0);
	if (!leave_goes_on(l, "files", false))
		;
	else if (folder_make(AT_FDCWD, arena_printf(a, "%s/files/%.2s", l->to, name), 0700) &&
	    backup_copy_file(&b, from, to, 0600, l->packed ? BACKUP_LINK : BACKUP_COPY) == 1) {
		l->files++;
		l->bytes += col_int(q, 1);
	} else
		leave_fail(l, "%s: %s; octavo check says more", from, found == BLOB_AWAY ? "the object store cannot be reached" :
		    errno == 0 ? "missing" : strerror(errno));
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

static bool
open_objects(struct objects_out *o, const char *operation)
{
	struct leave *l = o->l;

	if (o->f != NULL && strcmp(o->operation, operation) == 0)
		return true;
	if (!close_objects(o))
		return false;
	o->operation = operation;
	o->name = arena_printf(l->arena, "objects/%s.jsonl", operation);
	folder_make(AT_FDCWD, arena_printf(l->arena, "%s/objects", l->to), 0700);
	o->f = fopen(arena_printf(l->arena, "%s/%s", l->to, o->name), "ae");
	return o->f != NULL || leave_fail(l, "%s: %s", o->name, strerror(errno));
}

/*
 * Writes an answer with status 200. 404: the object does not exist; 403: no admin of the organization
 * may read it; 400 and 409: it needs input, or has nothing to show. All else is a failure, because the
 * export would lack objects.
 */
static bool
put_object(void *ctx, const char *operation, const char *address, int status, const char *object)
{
	struct objects_out *o = ctx;
	struct leave *l = o->l;
	struct buf b;

	if (!leave_goes_on(l, "objects", false))
		return false;
	if (status != 200)
		return (status >= 400 && status < 500 && status != 401 && status != 429) ||
		    leave_fail(l, "GET /v1%s answers with status %d; octavo check says whether the data is damaged", address, status);
	cli_progress("objects", l->objects, 0);
	if (!open_objects(o, operation))
		return false;
	arena_reset(o->line);
	buf_init(&b, o->line, 1 << 20);
	json_quote(&b, str_of(address));
	fprintf(o->f, "{\"of\":%s,\"object\":%s}\n", b.p, object);
	l->objects++;
	return true;
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

struct org_list {
	struct arena *arena;
	struct org { const char *id, *admin, *title; } *list;   /* admin NULL: it has no active one */
	size_t        n, room;
};

static struct org_list
read_orgs(struct leave *l)
{
	struct org_list o = { .arena = l->arena };
	struct stmt *q = db_use(l->db, &q_leave_orgs);

	bind_text(q, ":org", l->org);
	while (stmt_step(q)) {
		o.list = arena_grow(o.arena, o.list, o.n, &o.room, sizeof(*o.list));
		o.list[o.n++] = (struct org){ col_dup(q, 0, o.arena), col_dup(q, 1, o.arena), col_dup(q, 2, o.arena) };
	}
	return o;
}

bool
leave_objects(struct leave *l)
{
	struct objects_out out = { .l = l, .line = arena_within(l->arena, 1 << 24) };
	struct org_list orgs = read_orgs(l);
	struct cli c = *l->cli;

	c.dir = l->work;
	for (size_t i = 0; i < orgs.n && l->error == NULL; i++) {
		struct leave_walk w = { .cli = &c, .db = l->db, .org = orgs.list[i].id, .user = orgs.list[i].admin, .line = put_object,
			.ctx = &out };

		if (w.user != NULL)
			leave_walk(&w);
	}
	return close_objects(&out) && l->error == NULL && write_description(l);
}

/* ---- README.md and the note ---- */

static const char readme[] = "# Export of Octavo\n\n"
	"All of this can be read without Octavo.\n\n"
	"- `spaces/`: a git repository per space, with its history, see below. Branches `change-requests/NUMBER` are the\n"
	"  change requests.\n"
	"- `objects/`: members, teams, grants, sites, comments, reviews and all else as the API answers it, a JSON object\n"
	"  per line: `of` is the address, `object` the answer. `objects/openapi.json` describes the shapes.\n"
	"- `records/`: the same and all that the API does not tell, as rows of tables; `records/schema.json` is their JSON\n"
	"  schema. `octavo import` reads these.\n"
	"- `files/`: uploaded files, named by the BLAKE2b-256 hash of their bytes.\n"
	"- `secrets.sealed`: only with `--with-secrets`.\n\n"
	"Missing without secrets: passwords, tokens, sign-ins with a provider, credentials of repositories, keys of share\n"
	"links, of invite links and of visitors, headers of MCP servers, and octavo.key, which signed and sealed what the\n"
	"installation gave out. Missing always: sessions, search and links (made anew from the content), PDFs.\n\n";

static const char repositories[] = "## Spaces\n\nBare repositories: `git clone spaces/ID.git`.\n\n";
static const char streams[] = "## Spaces\n\n"
	"Histories as streams, because git was not installed where they were written:\n"
	"`git init --bare ID.git && git -C ID.git fast-import --done <spaces/ID.fast-import`, then `git clone ID.git`.\n\n";

struct space_line {
	struct leave *l;
	FILE         *f;
};

static void
put_space(void *ctx, struct stmt *q)
{
	const struct space_line *s = ctx;

	fprintf(s->f, "- `spaces/%s.%s`: %s\n", col_text(q, 0), s->l->streams ? "fast-import" : "git", col_text(q, 1));
}

/* Organizations without objects. */
static void
put_orgs(struct leave *l, FILE *f)
{
	struct org_list orgs = read_orgs(l);
	bool any = false;

	for (size_t i = 0; i < orgs.n; i++)
		if (orgs.list[i].admin == NULL) {
			fputs(any ? "" : "## Not in objects/\n\nThese organizations have no active admin to whom the API would answer; `records/` "
			    "has all of them:\n\n", f);
			fprintf(f, "- `%s`: %s\n", orgs.list[i].id, orgs.list[i].title);
			any = true;
		}
	fputs(any ? "\n" : "", f);
}

static bool
write_readme(struct leave *l)
{
	FILE *f = leave_open(l, "README.md");
	struct space_line one = { l, f };
	const char *error;

	if (f == NULL)
		return false;
	fputs(readme, f);
	put_orgs(l, f);
	fputs(l->streams ? streams : repositories, f);
	if (!db_each(l->db, l->arena, arena_printf(l->arena, "SELECT id, title FROM space WHERE (deleted_at IS NULL OR deleted_at > 2) "
	    "AND %s ORDER BY title, id", leave_where(l->db, l->arena, leave_table_find("space"), l->org)), put_space, &one, &error))
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

bool
leave_write(struct leave *l, const char *passphrase)
{
	int64_t taken = time_now();
	const char *error;
	FILE *f = NULL;
	bool ok = leave_goes_on(l, "copying", true) && copy_database(l);

	if (ok && (error = secret_open(l->arena, l->work)) != NULL)
		ok = leave_fail(l, "%s", error);
	if (ok && (l->db = db_open(l->arena, arena_printf(l->arena, "%s/octavo.db", l->work), DB_READ_WRITE, NULL, &error)) == NULL)
		ok = leave_fail(l, "%s", error);
	ok = ok && leave_goes_on(l, "files", true) && copy_files(l) && begin_secrets(l, passphrase, &f) && leave_goes_on(l, "records", true) &&
	    leave_records(l);
	if (f != NULL) {
		ok = ok && (sealed_end(l->secrets) || leave_fail(l, "%s: cannot be written", LEAVE_SECRETS));
		ok = leave_close(l, f, LEAVE_SECRETS) && ok;
	}
	ok = ok && leave_goes_on(l, "objects", true) && leave_objects(l) && leave_goes_on(l, "repositories", true) && leave_histories(l) &&
	    leave_goes_on(l, "packing", true) && write_readme(l) && write_note(l, taken);
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
	const char *to = c->argc == 1 ? cli_path(c->arena, c->argv[0]) : NULL;

	if (to == NULL)
		cli_usage(c, "name one new folder, or a file that ends in .tar: octavo export PATH --dir DIR");
	return to;
}

/*
 * Where the export is written, and what is deleted if it fails or a signal ends it. The folder
 * `own` has the mode 0700: another user who could write in it could place symbolic links there,
 * through which this process would write to other files.
 */
struct place {
	const char *to;      /* as the user named it */
	const char *own;     /* folder that only the export uses: `to`, or a new one beside the archive that is to be made */
	const char *file;    /* the archive in it; NULL: the export is a folder */
	bool        made;    /* `own` did not exist before */
};

/* False: errno. An existing folder is taken only if it is empty and belongs to this user alone. */
static bool
take_folder(struct place *p)
{
	struct stat st;

	p->own = p->to;
	if (mkdir(p->own, 0700) == 0)
		return p->made = true;
	if (errno != EEXIST || lstat(p->own, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || !folder_is_empty(p->own)) {
		errno = EEXIST;
		return false;
	}
	return chmod(p->own, 0700) == 0;
}

/* The same for an archive. */
static bool
take_file_place(struct place *p, struct arena *a)
{
	const char *slash = strrchr(p->to, '/');
	char *own = arena_printf(a, "%.*s/.octavo-export.XXXXXX", (int)(slash - p->to), p->to);
	struct stat st;

	if (lstat(p->to, &st) == 0) {
		errno = EEXIST;
		return false;
	}
	p->made = mkdtemp(own) != NULL;
	p->own = own;
	p->file = arena_printf(a, "%s/export.tar", own);
	return p->made;
}

static bool
take_place(struct leave *l, struct place *p)
{
	struct backup b = { .arena = l->arena };

	if (!(backup_is_file(p->to) ? take_file_place(p, l->arena) : take_folder(p)))
		return leave_fail(l, errno == EEXIST ? "%s exists already: name a new file or folder, or an empty folder of yours" :
		    "%s cannot be made (%s): name a place where you may write", p->to, strerror(errno));
	backup_temp_contents(&b, p->own);
	if (p->made)
		backup_temp_register(&b, p->own);
	l->packed = p->file != NULL;
	l->to = l->packed ? arena_printf(l->arena, "%s/export", p->own) : p->own;
	l->work = arena_printf(l->arena, "%s/" LEAVE_WORK, l->to);
	if ((!l->packed || mkdir(l->to, 0700) == 0) && mkdir(l->work, 0700) == 0)
		return true;
	return leave_fail(l, "%s: %s", l->to, strerror(errno));
}

/* Packs the folder. The archive gets its name only if there is no file with this name by now. */
static bool
pack_place(struct leave *l, const struct place *p)
{
	const char *error = NULL;

	if (!leave_pack(l, p->file, &error))
		return leave_fail(l, "%s", error);
	if (renameat2(AT_FDCWD, p->file, AT_FDCWD, p->to, RENAME_NOREPLACE) == 0)
		return true;
	/* The file system may not have this flag. */
	if ((errno == EINVAL || errno == ENOSYS) && access(p->to, F_OK) != 0 && rename(p->file, p->to) == 0)
		return true;
	return leave_fail(l, "%s: %s", p->to, strerror(errno));
}

static bool
write_place(struct leave *l, struct place *p, const char *passphrase)
{
	bool ok;

	if (!take_place(l, p)) {
		if (p->made)
			folder_remove(p->own);
		return false;
	}
	ok = leave_write(l, passphrase);
	folder_remove(l->work);
	ok = ok && (!l->packed || pack_place(l, p));
	if (l->packed || !ok)
		folder_empty(p->own, NULL);
	if (p->made && (l->packed || !ok))
		rmdir(p->own);
	return ok;
}

/* Finds the organization that --org names. False after printing an error. */
static bool
find_org(struct cli *c, const char **org)
{
	const char *key = cli_option(c, "org"), *error;
	struct db *db;

	*org = NULL;
	if (key == NULL)
		return true;
	if ((db = database_open(c->arena, c->dir, DB_READ_WRITE, NULL, &error)) == NULL)
		return cli_fail(c, "%s", error) == CLI_OK;
	*org = data_org(c, db, key);
	db_close(db);
	return *org != NULL;
}

static int
run_export(struct cli *c)
{
	struct place p = { .to = target_of(c) };
	const char *passphrase = NULL, *url = data_url(c);
	struct leave l = { .cli = c, .arena = c->arena, .data = c->dir };
	int64_t began = time_steady();
	bool ok;

	if (p.to == NULL)
		return CLI_USAGE;
	if (cli_flag(c, "with-secrets") && (passphrase = leave_passphrase(c)) == NULL)
		return CLI_USAGE;
	if (database_is_file() && access(arena_printf(c->arena, "%s/octavo.db", c->dir), R_OK) != 0)
		return cli_fail(c, "%s/octavo.db: %s", c->dir, strerror(errno));
	data_use_settings(c);
	if (blob_store_fault() != NULL)
		return cli_fail(c, "%s", blob_store_fault());
	if (!find_org(c, &l.org))
		return CLI_FAILED;
	if (url != NULL)
		setenv("OCTAVO_URL", url, 1);
	umask(OWN_UMASK);
	ok = write_place(&l, &p, passphrase);
	backup_temp_forget();
	cli_progress_end();
	return ok ? print_export(&l, began) : cli_fail(c, "%s. Nothing was exported", l.error);
}

const struct cli_command commands_leave[] = {
	{ .name = "export", .operands = "FOLDER|FILE.tar", .needs_dir = true, .stays_root = true, .run = run_export,
	  .summary = "Write everything in a form that needs no Octavo to be read, and that import takes back",
	  .options = (const struct cli_option[]){
		{ .name = "org", .arg = "ID|TITLE", .help = "only this organization" },
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
