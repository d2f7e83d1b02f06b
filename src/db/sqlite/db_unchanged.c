/*
 * Detects whether any connection has committed since a transaction read. Contract: db_unchanged()
 * in db.h.
 *
 * All connections to the database share the WAL index, a file in memory. It begins with a header
 * that each commit and each restart of the log changes: the header contains a counter of changes
 * and the checksum of the last frame (sqlite.org/walformat.html, section 2.1). The header is stored
 * twice. A writer writes the second copy first, and a reader reads the first copy first, so if both
 * copies are equal, they are complete; SQLite itself compares them when it takes a snapshot. If
 * both copies are the same as when a transaction took its snapshot, a new transaction would read
 * the same data, and need not be opened.
 *
 * If a writer was killed between the two copies, the next reader builds the header again from the
 * log. Its counter then starts at 0, but its checksum is that of the last frame, which the killed
 * writer had written.
 *
 * SQLite does not tell which header a snapshot belongs to. So the header is read before the
 * snapshot is taken, and again afterwards. If the two differ, another connection has committed in
 * between, and db_unchanged() does not know the state.
 */
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "db_sqlite.h"

enum { REGION = 32 << 10 };   /* growth of the index file; SQLite maps the same units */

/*
 * Reads the header of the WAL index. The database must have a log, and its VFS must support the
 * index. False: the index is not mapped, because nothing has been read yet.
 */
static bool
read_header(struct sqlite_db *s, struct db_wal_header *out)
{
	sqlite3_file *file = NULL;
	void volatile *region = NULL;
	const struct db_wal_header *index;

	sqlite3_file_control(s->handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
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
is_current_header(struct sqlite_db *s, const struct db_wal_header *then)
{
	struct db_wal_header now;

	return read_header(s, &now) && memcmp(&now, then, sizeof(now)) == 0 &&
	    memcmp(now.first, now.second, sizeof(now.first)) == 0;
}

static int
take_journal_mode(void *is_wal, int columns, char **values, char **names)
{
	(void)columns;
	(void)names;
	*(bool *)is_wal = strcmp(values[0], "wal") == 0;
	return 0;
}

/*
 * Only a database with a log has the index; asking for it elsewhere would create one. A database in
 * memory has none, and a copy may lack it.
 */
void
sqlite_unchanged_watch(struct sqlite_db *s)
{
	sqlite3_exec(s->handle, "PRAGMA journal_mode", take_journal_mode, &s->wal_mapped, NULL);
}

void
sqlite_unchanged_before(struct sqlite_db *s)
{
	if (s->wal_mapped)
		read_header(s, &s->header_before);
}

void
sqlite_unchanged_at(struct sqlite_db *s, unsigned moment)
{
	if (!s->wal_mapped || !is_current_header(s, &s->header_before))
		return;
	s->header_seen = s->header_before;
	s->seen_moment = moment;
	s->header_known = true;
}

bool
sqlite_unchanged(struct db *db, unsigned *moment)
{
	struct sqlite_db *s = sqlite_of(db);

	assert(!db->open);
	*moment = s->seen_moment;
	return s->header_known && is_current_header(s, &s->header_seen);
}
