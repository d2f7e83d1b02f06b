/*
 * Whether anybody has committed since a transaction read. Contract: db_still() in db.h.
 *
 * The WAL index, memory that all connections to the database share, begins with a header that
 * each commit and each restart of the log write anew: it counts changes and has the checksum of
 * the last frame (sqlite.org/walformat.html, section 2.1). It is there twice. Who writes it begins
 * with the second copy, who reads it with the first one, so that two equal ones are whole; SQLite
 * takes a snapshot by the same comparison. Where both are what they were when a transaction took
 * its snapshot, another transaction would read the same, and needs not be opened.
 *
 * Where a writer was killed between the two copies, the next reader makes the header anew from the
 * log. It then counts from 0, but has the checksum of the last frame, which that writer left behind.
 *
 * SQLite does not say which header a snapshot belongs to: it is read before the snapshot is taken
 * and after it. Where the two differ, somebody committed meanwhile, and nothing is known.
 */
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "db_parts.h"

enum { REGION = 32 << 10 };   /* growth of the index file; SQLite maps the same units */

/*
 * Map the index of a database that has a log and whose VFS supports it; false if it is not mapped,
 * because nothing was read so far.
 */
static bool
read_header(struct db *db, struct db_wal_header *out)
{
	sqlite3_file *file = NULL;
	void volatile *region = NULL;
	const struct db_wal_header *index;

	sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
	file->pMethods->xShmMap(file, 0, REGION, 0, &region);
	if (region == NULL)
		return false;
	index = (const struct db_wal_header *)region;
	memcpy(out->first, index->first, sizeof(out->first));
	atomic_thread_fence(memory_order_acquire);
	memcpy(out->second, index->second, sizeof(out->second));
	return true;
}

static bool
is_now(struct db *db, const struct db_wal_header *then)
{
	struct db_wal_header now;

	return read_header(db, &now) && memcmp(&now, then, sizeof(now)) == 0 &&
	    memcmp(now.first, now.second, sizeof(now.first)) == 0;
}

static int
take_mode(void *log, int columns, char **values, char **names)
{
	(void)columns;
	(void)names;
	*(bool *)log = strcmp(values[0], "wal") == 0;
	return 0;
}

/*
 * Only a database with a log has the index; asking for it elsewhere would create one. A database in
 * memory has none, and a copy may lack it.
 */
void
db_still_watch(struct db *db)
{
	sqlite3_exec(db->handle, "PRAGMA journal_mode", take_mode, &db->log, NULL);
}

void
db_still_before(struct db *db)
{
	if (db->log)
		read_header(db, &db->before);
}

void
db_still_at(struct db *db, unsigned moment)
{
	if (!db->log || !is_now(db, &db->before))
		return;
	db->seen = db->before;
	db->seen_moment = moment;
	db->seen_known = true;
}

bool
db_still(struct db *db, unsigned *moment)
{
	assert(!db->open);
	*moment = db->seen_moment;
	return db->seen_known && is_now(db, &db->seen);
}
