/*
 * Decides whether a backup may replace another. The new one must be of the same installation
 * (app/installation.h; compared by key if an older note or database has no id), must not have a
 * lower schema, and must hold at least half of the old one's content: normal deletion removes
 * content late and in small parts, while a lost database loses all of it at once.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/installation.h"
#include "app/setup.h"
#include "backup_parts.h"
#include "base/secret.h"
#include "store/blob.h"

/* Smaller counts are not compared: a few rows may be deleted in a day. */
enum { FEW = 4 };

/* Tables that exist in every schema version. */
const struct backup_count backup_counted[BACKUP_COUNTS] = {
	{ "account", "users" }, { "space", "spaces" }, { "revision", "revisions" }, { "node", "versions of pages" }
};

static void
take_count(void *ctx, struct stmt *q)
{
	*(int64_t *)ctx = col_int(q, 0);
}

static void
copy_id(char to[33], const char *text)
{
	snprintf(to, 33, "%s", text != NULL ? text : "");
}

void
backup_note_unknown(struct backup_note *n)
{
	*n = (struct backup_note){ 0 };
	for (int i = 0; i < BACKUP_COUNTS; i++)
		n->counts[i] = -1;
}

/* Sets the installation's id and the counts in the note, as far as the database has them. */
static const char *
read_database(struct backup *b, const char *path, struct backup_note *n, struct installation *i)
{
	const char *error = NULL, *ignored;
	struct db *db = db_open(b->arena, path, DB_ANY_VERSION, NULL, &error);

	if (db == NULL)
		return error;
	installation_read(db, b->arena, i);
	copy_id(n->installation, i->id);
	for (int k = 0; k < BACKUP_COUNTS; k++) {
		n->counts[k] = -1;
		db_each(db, b->arena, arena_printf(b->arena, "SELECT count(*) FROM %s", backup_counted[k].table), take_count,
		    &n->counts[k], &ignored);
	}
	db_close(db);
	return NULL;
}

/* A file without a hash is temporary and not counted. */
static void
count_file(void *ctx, const struct blob_file *f)
{
	*(int64_t *)ctx += f->hash.n != 0;
}

const char *
backup_identify(struct backup *b, const char *database)
{
	struct installation i = { 0 };
	const char *error = read_database(b, database, &b->note, &i), *lost;
	const char *mark = secret_mark(b->arena, backup_in(b, b->data, "octavo.key"));

	if (error != NULL)
		return error;
	copy_id(b->note.key_mark, i.key_mark != NULL ? i.key_mark : mark);
	b->note.files = 0;
	blob_walk(b->arena, b->data, count_file, &b->note.files);
	if ((error = backup_count_objects(b, database, &b->note.files)) != NULL)
		return error;
	/*
	 * Refuse a database without users: it is not worth a backup, and must not replace an
	 * existing one.
	 */
	if (b->note.schema <= 0 || b->note.counts[0] <= 0) {
		lost = setup_lost(b->arena, b->data);
		return arena_printf(b->arena, "nothing was backed up: %s", lost != NULL ? lost :
		    "octavo.db holds no users; octavo init was not finished");
	}
	if (mark != NULL && i.key_mark != NULL && strcmp(mark, i.key_mark) != 0 && b->key && !b->replace)
		return arena_printf(b->arena, "%s/octavo.key is not the key of this database. Put the right one back (an "
		    "older backup has it); if it is lost for good: octavo check --accept-key --dir %s", b->data, b->data);
	return NULL;
}

/* Completes an older note from the key and the database beside it. */
static void
complete_note(struct backup *b, struct backup_note *n)
{
	struct installation i;

	if (*n->key_mark == '\0')
		copy_id(n->key_mark, secret_mark(b->arena, backup_in(b, b->to, "octavo.key")));
	if (n->counts[0] < 0 && access(backup_in(b, b->to, "octavo.db"), F_OK) == 0)
		read_database(b, backup_in(b, b->to, "octavo.db"), n, &i);
}

static const char *
refuse_replace(struct backup *b, const char *why)
{
	return arena_printf(b->arena, "%s %s. It was not replaced: name another place, or say --replace", b->to, why);
}

const char *
backup_may_replace(struct backup *b, const struct backup_note *old)
{
	const struct backup_note *new = &b->note;

	if (b->replace)
		return NULL;
	if (*old->installation != '\0' && *new->installation != '\0' ?
	    strcmp(old->installation, new->installation) != 0 :
	    *old->key_mark != '\0' && *new->key_mark != '\0' && strcmp(old->key_mark, new->key_mark) != 0)
		return refuse_replace(b, "is a backup of another installation");
	if (old->schema > new->schema)
		return refuse_replace(b, arena_printf(b->arena, "has schema %d, the data have %d: they are older", old->schema,
		    new->schema));
	for (int i = 0; i < BACKUP_COUNTS; i++)
		if (old->counts[i] >= FEW && new->counts[i] >= 0 && new->counts[i] < (old->counts[i] + 1) / 2)
			return refuse_replace(b, arena_printf(b->arena, "holds %" PRId64 " %s, the data %" PRId64, old->counts[i],
			    backup_counted[i].plural, new->counts[i]));
	if (old->files >= FEW && new->files < (old->files + 1) / 2)
		return refuse_replace(b, arena_printf(b->arena, "holds %" PRId64 " files, the data %" PRId64, old->files, new->files));
	return NULL;
}

const char *
backup_may_replace_folder(struct backup *b)
{
	struct backup_note old;
	FILE *f = fopen(backup_in(b, b->to, "octavo.backup"), "re");
	bool ok = f != NULL && backup_note_read(f, &old);

	if (f != NULL)
		fclose(f);
	/* Without a note the backup was never complete, so nothing is lost by replacing it. */
	if (!ok)
		return NULL;
	complete_note(b, &old);
	return backup_may_replace(b, &old);
}

const char *
backup_adopt_key(struct backup *b, const char *database)
{
	const char *error = NULL;
	struct db *db = db_open(b->arena, database, DB_ANY_VERSION, NULL, &error);

	if (db == NULL)
		return error;
	if ((error = installation_take_key(db, b->arena, b->data, false)) == NULL)
		db_truncate_wal(db, b->arena, &error);
	db_close(db);
	return error;
}
