/* Finds blobs that no row names, and deletes them. Contract: blob.h. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/blob.h"
#include "base/json.h"
#include "base/log.h"
#include "base/secret.h"
#include "blob_place.h"

/*
 * STEP: files unlinked under one lock; OBJECTS_STEP: objects, each of which takes a request. SCAN: rows read in one transaction. NAME: hex digits of a
 * hash after the two that name its folder.
 */
enum { STEP = 300, OBJECTS_STEP = 20, SCAN = 2000, NAME = 62 };

SQL(q_is_named,
    "SELECT EXISTS (SELECT 1 FROM node WHERE body = :hash) "
    "OR EXISTS (SELECT 1 FROM node WHERE refs = :hash) OR EXISTS (SELECT 1 FROM stored_file WHERE hash = :hash)");
SQL(q_known, "SELECT EXISTS (SELECT 1 FROM blob WHERE hash = :hash)");
/*
 * True if these bytes are the body of a page at the head of a branch. The documents of other bytes
 * can be deleted: they are made again when they are requested.
 */
SQL(q_is_shown,
    "SELECT EXISTS (SELECT 1 FROM node n LEFT JOIN change_request c ON c.branch = n.branch "
    "JOIN branch b ON b.id = n.branch WHERE n.body = :hash AND n.until > b.head "
    "AND (c.id IS NULL OR c.status IN ('draft', 'open')))");
/* Pages by the key, not by OFFSET: rows may be deleted between two pages. */
SQL(q_blobs_after, "SELECT hash FROM blob WHERE hash > :after ORDER BY hash LIMIT :limit");
SQL(q_derived_after,
    "SELECT DISTINCT body FROM derived WHERE body > :after ORDER BY body LIMIT :limit");
SQL(q_facts_after, "SELECT body FROM body_fact WHERE body > :after ORDER BY body LIMIT :limit");
/*
 * True while a job writes the content of a space: an import stores bodies before the rows that name
 * them.
 */
SQL(q_is_importing, "SELECT EXISTS (SELECT 1 FROM job j JOIN space s ON s.id = j.queue WHERE j.state = 'running')");
SQL(q_derived_delete, "DELETE FROM derived WHERE body = :hash");
SQL(q_facts_delete, "DELETE FROM body_fact WHERE body = :hash");
SQL(q_data_delete, "DELETE FROM blob_data WHERE no = (SELECT no FROM blob WHERE hash = :hash)");
SQL(q_blob_delete, "DELETE FROM blob WHERE hash = :hash");

/* Runs a statement whose only parameter is :hash; 0 if it has no row. */
static int64_t
query_hash(struct db *db, const struct sql *sql, struct str hash)
{
	struct stmt *q = db_use(db, sql);

	bind_blob(q, ":hash", hash);
	return stmt_int(q, 0);
}

static int64_t
run_for_hash(struct db *db, const struct sql *sql, struct str hash)
{
	struct stmt *q = db_use(db, sql);

	bind_blob(q, ":hash", hash);
	return stmt_run(q);
}

bool
blob_known(struct db *db, struct str hash)
{
	return query_hash(db, &q_known, hash) != 0;
}

/*
 * Inside a write transaction: no other writer can name the hash between the check and the deletion.
 * The data is deleted before the row that has its number.
 */
bool
blob_release(struct db *db, struct str hash)
{
	if (hash.n == 0 || query_hash(db, &q_is_named, hash) != 0)
		return false;
	run_for_hash(db, &q_derived_delete, hash);
	run_for_hash(db, &q_facts_delete, hash);
	run_for_hash(db, &q_data_delete, hash);
	return run_for_hash(db, &q_blob_delete, hash) > 0;
}

/* ---- rows ---- */

static bool
drop_derived(struct db *db, struct str hash)
{
	return run_for_hash(db, &q_derived_delete, hash) > 0;
}

static bool
drop_facts(struct db *db, struct str hash)
{
	return run_for_hash(db, &q_facts_delete, hash) > 0;
}

/*
 * Tables whose rows belong to a hash: how to list the rows, which rows are still needed, and how to
 * delete the others.
 */
static const struct table {
	const struct sql *after, *needed;
	bool            (*drop)(struct db *, struct str);
	bool              ahead;    /* jobs write rows before they are needed, so nothing is dropped meanwhile */
} tables[] = {
	{ &q_blobs_after, &q_is_named, blob_release, true },
	{ &q_derived_after, &q_is_shown, drop_derived, false },
	{ &q_facts_after, &q_is_shown, drop_facts, false },
};

static bool
is_importing(struct db *db)
{
	return stmt_int(db_use(db, &q_is_importing), 0) != 0;
}

struct unneeded_batch {
	struct str hashes[SCAN];
	size_t     n;
	char       last[HASH_BYTES];   /* the last hash that was read */
	bool       more;
};

/* Reads the next hashes of a table and records those that no row needs. */
static void
read_unneeded(struct db *db, struct arena *a, const struct table *t, struct unneeded_batch *f)
{
	struct stmt *q = db_use(db, t->after);
	size_t n = 0, i;
	struct str s;

	bind_blob(q, ":after", (struct str){ f->last, sizeof(f->last) });
	bind_int(q, ":limit", SCAN);
	while (n < SCAN && stmt_step(q)) {
		s = col_bytes(q, 0);
		f->hashes[n++] = (struct str){ arena_strndup(a, s.p, s.n), s.n };
	}
	/* A full page may be the last one; the next page is then empty. */
	f->more = n == SCAN;
	if (f->more)
		memcpy(f->last, f->hashes[n - 1].p, sizeof(f->last));
	for (i = f->n = 0; i < n; i++)
		if (query_hash(db, t->needed, f->hashes[i]) == 0)
			f->hashes[f->n++] = f->hashes[i];
}

/* Searches without the lock, and takes the lock only if there is something to delete. */
static size_t
sweep_table(struct db *db, struct arena *a, const struct table *t)
{
	struct unneeded_batch *f = arena_alloc(a, sizeof(*f));
	struct arena *scratch = arena_within(a, 1 << 20);
	size_t deleted = 0, i;

	do {
		db_begin(db, false);
		read_unneeded(db, scratch, t, f);
		db_rollback(db);
		if (f->n > 0)
			db_begin(db, true);
		for (i = 0; i < f->n && !(t->ahead && is_importing(db)); i++) {
			/*
			 * blob_release() checks again under the lock, since another writer may have
			 * stored the bytes meanwhile. Documents made from them need no check: they
			 * can be made again.
			 */
			deleted += t->drop(db, f->hashes[i]);
			db_breathe(db);
		}
		if (f->n > 0)
			db_commit(db);
		arena_reset(scratch);
	} while (f->more);
	return deleted;
}

/* ---- files ---- */

/* True for NAME digits; for a temporary file ".PID.N" follows, and *temporary is set. */
static bool
is_blob_name(const char *s, bool *temporary)
{
	size_t n = strspn(s, "0123456789abcdef");

	*temporary = s[n] == '.';
	return n == NAME && (s[n] == '\0' || (*temporary && strlen(s + n) == strspn(s + n, ".0123456789")));
}

struct walk {
	struct arena *arena;     /* freed after each file */
	void        (*fn)(void *, const struct blob_file *);
	void         *ctx;
};

/* Calls the callback for a file with a valid name. A file that was deleted meanwhile is skipped. */
static void
visit_file(struct walk *w, const char *folder, const char *first, const char *name)
{
	struct blob_file f = { .path = arena_printf(w->arena, "%s/%s", folder, name) };
	struct stat st;
	bool temporary;

	if (!is_blob_name(name, &temporary) || stat(f.path, &st) != 0)
		return;
	f.at = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
	f.size = (int64_t)st.st_size;
	if (temporary || hex_read(w->arena, str_of(arena_printf(w->arena, "%s%s", first, name)), &f.hash))
		w->fn(w->ctx, &f);
}

/*
 * Visits the files of a folder, which may not exist. The arena is emptied after each file, so
 * memory does not grow with their number.
 */
static void
walk_folder(struct walk *w, const char *folder, const char *first)
{
	DIR *d = opendir(folder);
	const struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		visit_file(w, folder, first, e->d_name);
		arena_reset(w->arena);
	}
	if (d != NULL)
		closedir(d);
}

void
blob_walk_in(struct arena *a, const char *folder, void (*fn)(void *, const struct blob_file *), void *ctx)
{
	struct walk w = { arena_within(a, 1 << 16), fn, ctx };
	char first[3];
	int i;

	for (i = 0; i < 256; i++) {
		snprintf(first, sizeof(first), "%02x", (unsigned)i);
		walk_folder(&w, arena_printf(a, "%s/%s", folder, first), first);
	}
}

void
blob_walk(struct arena *a, const char *dir, void (*fn)(void *, const struct blob_file *), void *ctx)
{
	blob_walk_in(a, arena_printf(a, "%s/blobs", dir), fn, ctx);
}

static void
visit_object(void *ctx, const struct object *one)
{
	struct walk *w = ctx;
	struct blob_file f = { .path = one->key, .size = one->size, .at = one->at };
	bool temporary;

	/* "ab/" and the rest of the hash; others may have put other objects there. */
	if (strlen(one->key) == NAME + 3 && one->key[2] == '/' && is_blob_name(one->key + 3, &temporary) && !temporary &&
	    hex_read(w->arena, str_of(arena_printf(w->arena, "%.2s%s", one->key, one->key + 3)), &f.hash))
		w->fn(w->ctx, &f);
	arena_reset(w->arena);
}

bool
blob_walk_store(struct arena *a, void (*fn)(void *, const struct blob_file *), void *ctx)
{
	struct walk w = { arena_within(a, 1 << 16), fn, ctx };

	return blob_store() == NULL || (blob_objects() != NULL && objects_each(blob_objects(), visit_object, &w) == OBJECTS_DONE);
}

struct sweep {
	struct db    *db;
	struct arena *arena;     /* freed after each step */
	int64_t       before;
	bool          objects;   /* the files are objects of a store, and paths are their keys */
	struct file {
		const char *path;
		struct str  hash;
	} files[STEP];
	size_t        n, deleted;
};

static bool
delete_file(const struct sweep *s, const char *path)
{
	if (s->objects)
		return objects_delete(blob_objects(), path) == OBJECTS_DONE;
	return unlink(path) == 0;
}

/* Rows are added only under the lock, so no row is added while this function holds it. */
static void
unlink_files(struct sweep *s)
{
	size_t i;

	if (s->n == 0)
		return;
	db_take_alone(s->db, DB_LOCK_FILES);
	db_begin(s->db, true);
	for (i = 0; i < s->n; i++) {
		if (s->files[i].hash.n == 0 || !blob_known(s->db, s->files[i].hash))
			s->deleted += delete_file(s, s->files[i].path);
		db_breathe(s->db);
	}
	db_rollback(s->db);
	db_release_alone(s->db, DB_LOCK_FILES);
	s->n = 0;
	arena_reset(s->arena);
}

/* Both texts are copied, since the walk uses its memory again for the next file. */
static void
note_file(struct sweep *s, const char *path, struct str hash)
{
	s->files[s->n++] = (struct file){ arena_strdup(s->arena, path),
		{ arena_strndup(s->arena, hash.p, hash.n), hash.n } };
	if (s->n == (s->objects ? OBJECTS_STEP : STEP))
		unlink_files(s);
}

/* Checks without the lock, since nearly all files have a row; unlink_files() checks again under it. */
static void
note_if_unneeded(void *ctx, const struct blob_file *f)
{
	struct sweep *s = ctx;

	/* A file that was just written may not have its row yet, so only older files are candidates. */
	if (f->at < s->before && (f->hash.n == 0 || !blob_known(s->db, f->hash)))
		note_file(s, f->path, f->hash);
}

/* Allocated from the arena, because struct sweep has room for STEP files. */
static struct sweep *
sweep_new(struct db *db, struct arena *a)
{
	struct sweep *s = arena_alloc(a, sizeof(*s));

	s->db = db;
	s->arena = arena_within(a, 1 << 20);
	return s;
}

void
blob_files_drop(struct db *db, struct arena *a, const char *dir, const struct str *hashes, size_t n)
{
	struct sweep *s = sweep_new(db, a);
	const char *path;
	size_t i;

	/* Most bytes are in the database only. */
	for (i = 0; i < n; i++) {
		if (access(path = blob_path(a, dir, hashes[i]), F_OK) == 0)
			note_file(s, path, hashes[i]);
		if (blob_store() != NULL && access(path = blob_copy_path(a, dir, hashes[i]), F_OK) == 0)
			note_file(s, path, hashes[i]);
	}
	unlink_files(s);
}

/*
 * Objects, after the files of this machine. Each deletion is a request, so unlink_files() breathes
 * between them. If the store cannot be reached, the next sweep goes on.
 */
static void
sweep_objects(struct sweep *s, struct arena *a, const char *dir)
{
	enum blob_owner owner = blob_owner(a, dir);

	if (owner == BLOB_OWNER_OTHER)
		log_line("object store: no objects of %s are deleted, since another installation may use them; octavo doctor says more", blob_store());
	if (owner != BLOB_OWNER_THIS)
		return;
	s->objects = true;
	blob_walk_store(a, note_if_unneeded, s);
	unlink_files(s);
	s->objects = false;
}

struct blob_swept
blob_sweep(struct db *db, struct arena *a, const char *dir, int64_t before)
{
	struct blob_swept swept = { 0 };
	struct sweep *s = sweep_new(db, a);
	size_t i;

	/* Rows are deleted before files, so that the file of a deleted row is deleted in the same sweep. */
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		swept.rows += sweep_table(db, a, &tables[i]);
	s->before = before;
	blob_walk(a, dir, note_if_unneeded, s);
	unlink_files(s);
	if (blob_store() != NULL) {
		blob_walk_in(a, arena_printf(a, "%s/" BLOB_COPIES, dir), note_if_unneeded, s);
		unlink_files(s);
		blob_copies_trim(dir, time_now());
		sweep_objects(s, a, dir);
	}
	swept.files = s->deleted;
	return swept;
}
