/* Sets up an installation. The contract is in app/setup.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/database.h"
#include "app/audit.h"
#include "app/installation.h"
#include "app/people.h"
#include "app/setup.h"
#include "base/file.h"
#include "base/log.h"
#include "base/secret.h"
#include "base/spare.h"
#include "base/utf8.h"

/* Maximum size of the file setup, which has three lines; the rest is ignored. */
enum { FILE_MAX = 4096 };

SQL(q_anyone, "SELECT count(*) FROM account /*scan*/");

/* This is not called if the table cannot be read: then db_each() fails, and the database counts as damaged. */
static void
take_count(void *ctx, struct stmt *q)
{
	*(int64_t *)ctx = col_int(q, 0);
}

/* NOBODY: no organization. HELD: at least one. UNREADABLE: this user may not read the file. */
enum state { DATABASE_MISSING, DATABASE_EMPTY, DATABASE_DAMAGED, DATABASE_NOBODY, DATABASE_HELD, DATABASE_UNREADABLE };

/* The schema may be of any version, so only tables that all versions have are read. */
static enum state
look_at_database(struct arena *a, const char *dir)
{
	const char *error = NULL;
	enum state state = DATABASE_DAMAGED;
	int64_t count = -1;
	struct db *db;

	if (database_is_file() && access(arena_printf(a, "%s/octavo.db", dir), R_OK) != 0)
		return errno == ENOENT ? DATABASE_MISSING : DATABASE_UNREADABLE;
	if ((db = database_open(a, dir, DB_ANY_VERSION, NULL, &error)) == NULL)
		return database_is_file() ? DATABASE_DAMAGED : DATABASE_UNREADABLE;
	if (db_version(db) == 0)
		state = DATABASE_EMPTY;
	/*
	 * The table org is read, because of the tables that setup_people() fills it is the one that
	 * had its name already in the first schema.
	 */
	else if (db_each(db, a, "SELECT count(*) FROM org", take_count, &count, &error))
		state = count > 0 ? DATABASE_HELD : DATABASE_NOBODY;
	db_close(db);
	return state;
}

bool
setup_done(struct arena *a, const char *dir)
{
	return look_at_database(a, dir) == DATABASE_HELD;
}

static char *
begun_path(struct arena *a, const char *dir)
{
	return arena_printf(a, "%s/octavo.begun", dir);
}

/* True if there are blobs. Below blobs/ are folders with names of two digits; a file in one of them is enough. */
static bool
any_files(struct arena *a, const char *dir)
{
	struct dirent *e;
	bool any = false;
	DIR *d;

	for (int i = 0; i < 256 && !any; i++) {
		if ((d = opendir(arena_printf(a, "%s/blobs/%02x", dir, i))) == NULL)
			continue;
		while (!any && (e = readdir(d)) != NULL)
			any = *e->d_name != '.';
		closedir(d);
	}
	return any;
}

const char *
setup_lost(struct arena *a, const char *dir)
{
	static const char *const words[] = { [DATABASE_MISSING] = "is missing", [DATABASE_EMPTY] = "is empty",
		[DATABASE_DAMAGED] = "is damaged", [DATABASE_NOBODY] = "holds no organization" };
	bool key = access(arena_printf(a, "%s/octavo.key", dir), F_OK) == 0, files = any_files(a, dir);
	enum state state;

	/* A new folder; or a setup that was interrupted before it stored any file. */
	if ((!key && !files) || (!files && access(begun_path(a, dir), F_OK) == 0))
		return NULL;
	if ((state = look_at_database(a, dir)) >= DATABASE_HELD)
		return NULL;
	if (state == DATABASE_MISSING && access(arena_printf(a, "%s/octavo.db.moved", dir), F_OK) == 0)
		return arena_printf(a, "%s/octavo.db is missing: octavo migrate --to has moved its data to a PostgreSQL server, "
		    "which OCTAVO_DB has to name", dir);
	/*
	 * The path of the folder is at the beginning and nowhere else: cgi/serve.c removes it there
	 * before it sends the message to a client.
	 */
	return arena_printf(a, "%s/octavo.db %s, and %s%s%s of the installation that it held %s there. Restore a backup: "
	    "move the folder away, then octavo restore BACKUP --dir DIR%s. (octavo init makes an empty installation, in "
	    "another or an empty folder.)", dir, words[state], key ? "the key" : "", key && files ? " and " : "",
	    files ? "files" : "", files ? "are" : "is", state == DATABASE_DAMAGED ? "; without a backup: octavo salvage" : "");
}

const char *
setup_begin(struct arena *a, const char *dir)
{
	const char *error = setup_lost(a, dir);
	int fd;

	if (error != NULL || (error = setup_folders(a, dir)) != NULL)
		return error;
	/* This file must exist before the key: setup_lost() reports a key without it as a lost installation. */
	fd = open(begun_path(a, dir), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return arena_printf(a, "%s: %s", begun_path(a, dir), strerror(errno));
	close(fd);
	/*
	 * The key before the database: a database without its key could not be opened; a key alone
	 * does no harm.
	 */
	error = secret_create(a, dir);
	setup_modes(a, dir);
	return error != NULL ? error : secret_open(a, dir);
}

void
setup_end(struct arena *a, const char *dir)
{
	unlink(begun_path(a, dir));
}

bool
setup_unfinished(struct arena *a, const char *dir)
{
	return access(begun_path(a, dir), F_OK) == 0 && !setup_done(a, dir);
}

struct db *
setup_open(struct arena *a, const char *dir, const struct db_options *options, const char **error)
{
	struct db *db = database_open(a, dir, DB_READ_WRITE, options, error);

	if (db == NULL && disk_is_short(dir, SPARE_BYTES) && spare_release(dir)) {
		log_line("the disk is full: room of %s/run/spare is given up", dir);
		db = database_open(a, dir, DB_READ_WRITE, options, error);
	}
	return db;
}

/* An audit event of the setup. Its source is "script", because no client requested it. */
static struct audit_event
setup_event(enum audit_action action, const char *type, const char *target, const char *after)
{
	return (struct audit_event){ .action = action, .source = "script", .type = type, .target = target,
		.after = after };
}

bool
setup_people(struct db *db, struct arena *a, const struct setup *s, struct setup_made *out)
{
	struct org_new o = { .title = s->org };
	struct audit_event e;
	char *token;

	/* The users are counted under the write lock: if two set up at once, one of them makes the people. */
	if (stmt_int(db_use(db, &q_anyone), 0) > 0)
		return false;
	out->user = user_make(db, a, s->email, s->name);
	out->org = org_make(db, a, &o);
	member_set(db, out->org, out->user, ROLE_ADMIN);
	member_chose(db, out->org, out->user);
	out->token = token_make(db, a, out->user, "admin", "octavo init", 0);
	e = setup_event(AUDIT_USER_CREATE, "user", out->user, user_snapshot(db, a, out->user));
	audit_add_everywhere(db, a, out->user, &e);
	e = setup_event(AUDIT_ORG_CREATE, "organization", out->org, NULL);
	e.org = out->org;
	audit_add(db, a, &e);
	e = setup_event(AUDIT_MEMBER_ADD, "member", out->user, member_snapshot(db, a, out->org, out->user));
	e.org = out->org;
	audit_add(db, a, &e);
	/* The record names the token by its id and does not contain its text. */
	token = token_id(db, a, out->token);
	e = setup_event(AUDIT_TOKEN_CREATE, "token", token, token_snapshot(db, a, token));
	audit_add_everywhere(db, a, out->user, &e);
	return true;
}

/* The folders of a data directory, and what their group may do: pass through, or read. */
static const struct {
	const char *name;
	unsigned    mode;
} folders[] = { { "", DATA_FOLDER }, { "/blobs", SHARED_FOLDER }, { "/cache", DATA_FOLDER }, { "/log", 0700 },
	{ "/run", DATA_FOLDER } };

const char *
setup_folders(struct arena *a, const char *dir)
{
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		char *path = arena_printf(a, "%s%s", dir, folders[i].name);

		if (!folder_make(AT_FDCWD, path, folders[i].mode))
			return arena_printf(a, "%s: %s", path, strerror(errno));
	}
	spare_keep(dir);
	return NULL;
}

/*
 * Removes all permissions that are not in `mode` from a file or folder of this user. Sockets are
 * left out: their permissions are set by the program that makes them.
 */
static void
restrict_mode(const char *path, unsigned mode)
{
	struct stat st;

	if (stat(path, &st) == 0 && st.st_uid == geteuid() && !S_ISSOCK(st.st_mode) && (st.st_mode & 07777 & ~mode) != 0)
		chmod(path, st.st_mode & mode);
}

/* Restricts each entry of a folder, except the one named `skip`. */
static void
restrict_entries(struct arena *a, const char *folder, const char *skip, unsigned mode)
{
	DIR *d = opendir(folder);
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && strcmp(e->d_name, skip) != 0)
			restrict_mode(arena_printf(a, "%s/%s", folder, e->d_name), mode);
	if (d != NULL)
		closedir(d);
}

void
setup_modes(struct arena *a, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	struct stat st;

	while (d != NULL && (e = readdir(d)) != NULL)
		/*
		 * Matches the database, the key, copies of both, and the files with the first token
		 * and link.
		 */
		if (strncmp(e->d_name, "octavo.", 7) == 0 || strcmp(e->d_name, "admin-token") == 0 ||
		    strcmp(e->d_name, "admin-link") == 0)
			restrict_mode(arena_printf(a, "%s/%s", dir, e->d_name), 0600);
	if (d != NULL)
		closedir(d);
	for (size_t i = 1; i < sizeof(folders) / sizeof(folders[0]); i++)
		restrict_mode(arena_printf(a, "%s%s", dir, folders[i].name), folders[i].mode);
	restrict_mode(arena_printf(a, "%s/pdf", dir), 0700);
	restrict_entries(a, arena_printf(a, "%s/cache", dir), "served", 0700);
	restrict_entries(a, arena_printf(a, "%s/run", dir), "", 0700);
	/* A group with write permission runs the programs (hosts that run them as another user). */
	if (stat(dir, &st) == 0)
		restrict_mode(dir, (st.st_mode & S_IWGRP) != 0 ? 0770 : DATA_FOLDER);
}

/* The value of "key = value" in the text; NULL: there is no such line. */
static char *
find_value(struct arena *a, const char *text, const char *key)
{
	const char *line, *p, *end;

	for (line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
		p = line + strspn(line, " \t");
		if (strncmp(p, key, strlen(key)) != 0)
			continue;
		p += strlen(key);
		p += strspn(p, " \t");
		if (*p++ != '=')
			continue;
		p += strspn(p, " \t");
		for (end = p + strcspn(p, "\r\n"); end > p && (end[-1] == ' ' || end[-1] == '\t'); end--)
			;
		return arena_strndup(a, p, (size_t)(end - p));
	}
	return NULL;
}

static bool
has_length(const char *text, size_t min, size_t max)
{
	return text != NULL && utf8_valid(str_of(text)) && utf8_count(str_of(text)) >= min &&
	    utf8_count(str_of(text)) <= max;
}

/* NULL, or what the file lacks, as a message for its author: it is answered with 503 and logged. */
static const char *
read_setup(struct arena *a, const char *text, struct setup *s)
{
	const char *email = find_value(a, text, "email");

	*s = (struct setup){ email == NULL ? NULL : email_normal(a, email), find_value(a, text, "name"),
		find_value(a, text, "organization") };
	if (s->email == NULL)
		return "the file setup needs a line: email = you@example.com";
	if (!has_length(s->name, 1, 64))
		return "the file setup needs a line: name = YOUR NAME (at most 64 characters)";
	if (!has_length(s->org, 2, 255))
		return "the file setup needs a line: organization = TITLE (2 to 255 characters)";
	return NULL;
}

/*
 * Writes the token, or the link, to a file. Called before the commit: a token that the admin cannot read is
 * worse than a setup that must be repeated.
 */
static const char *
keep_secret(struct arena *a, const char *dir, const char *name, const char *secret)
{
	char *path = arena_printf(a, "%s/%s", dir, name), *line = arena_printf(a, "%s\n", secret);
	int fd;
	bool ok;

	/* O_EXCL after unlink(): a symbolic link that another user put there is not followed. */
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ok = fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line) && fsync(fd) == 0;
	if (fd >= 0)
		close(fd);
	return ok ? NULL : arena_printf(a, "%s: %s", path, strerror(errno));
}

/*
 * Makes user, organization, token and link, and writes token and link to files. Inside a write
 * transaction.
 */
static const char *
make_people(struct db *db, struct arena *a, const char *dir, const struct setup *s, const struct setup_link *link)
{
	struct setup_made made;
	const char *error;

	if (!setup_people(db, a, s, &made))
		return NULL;
	if ((error = keep_secret(a, dir, "admin-link", link->make(db, a, link->set, made.user))) != NULL)
		return error;
	audit_add_everywhere(db, a, made.user, &(struct audit_event){ .action = AUDIT_LINK_CREATE, .source = "script",
	    .type = "user", .target = made.user });
	return keep_secret(a, dir, "admin-token", made.token);
}

/*
 * Makes the installation that the file setup describes. An earlier attempt may have been killed after
 * any step, so folders, key and database are made only if they are missing.
 */
static const char *
make_installation(struct arena *a, const char *dir, const struct setup *s, const struct setup_link *link)
{
	const char *error = setup_begin(a, dir);
	struct db *db;

	if (error != NULL)
		return error;
	db = database_open(a, dir, DB_CREATE, NULL, &error);
	if (db == NULL)
		return error;
	error = installation_take_key(db, a, dir, true);
	db_begin(db, true);
	if (error == NULL && (error = make_people(db, a, dir, s, link)) == NULL) {
		db_commit(db);
		setup_end(a, dir);
		log_line("set up for %s; a link to sign in is in %s/admin-link, the token in admin-token", s->email, dir);
	}
	/* After a commit there is nothing to roll back. */
	db_rollback(db);
	db_close(db);
	return error;
}

/* Locks the file setup itself: no other file has to exist before the lock. */
static const char *
set_up(struct arena *a, const char *dir, const struct setup_link *link, int fd)
{
	char *text = arena_alloc(a, FILE_MAX + 1);
	struct setup s;
	const char *error;
	ssize_t n;

	if (flock(fd, LOCK_EX) != 0 || (n = read(fd, text, FILE_MAX)) < 0)
		return arena_printf(a, "%s/setup: %s", dir, strerror(errno));
	text[n] = '\0';
	/* The process that had the lock before has done the work and deleted the file. */
	if (access(arena_printf(a, "%s/setup", dir), F_OK) != 0)
		return NULL;
	if (setup_done(a, dir))
		log_line("%s/setup comes too late and is deleted: there is an installation", dir);
	else if ((error = read_setup(a, text, &s)) != NULL || (error = make_installation(a, dir, &s, link)) != NULL)
		return error;
	if (unlink(arena_printf(a, "%s/setup", dir)) != 0 && errno != ENOENT)
		log_line("%s/setup could not be deleted: %s", dir, strerror(errno));
	return NULL;
}

const char *
setup_once(struct arena *a, const char *dir, const struct setup_link *link)
{
	const char *error;
	int fd, why;

	/*
	 * The file is checked first: if it exists beside a database, a setup is running, or was
	 * killed.
	 */
	fd = open(arena_printf(a, "%s/setup", dir), O_RDONLY | O_CLOEXEC);
	why = errno;
	if (fd < 0 && (!database_is_file() || access(arena_printf(a, "%s/octavo.db", dir), F_OK) == 0 || errno != ENOENT))
		return NULL;
	if (fd < 0 && why == ENOENT && (error = setup_lost(a, dir)) != NULL)
		return error;
	if (fd < 0 && why == ENOENT)
		return arena_printf(a, "%s/octavo.db is not there: octavo init makes it, or a file \"setup\" beside it", dir);
	if (fd < 0)
		return arena_printf(a, "%s/setup: %s", dir, strerror(why));
	error = set_up(a, dir, link, fd);
	close(fd);
	return error;
}
