/*
 * Commits that change what published sites show first remove, under the write lock (on PostgreSQL: a
 * lock that excludes those who make the folder), the pages that the web server sends without a program
 * (base/served.h).
 *
 * Triggers on each table that sites show count in the row of site_change
 * (schema/0032_site_change.sql). The engine sees a change of that row and sets db->shown.
 */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "base/served.h"
#include "db_parts.h"

bool
db_shown_commit(struct db *db)
{
	if (db->shown)
		db_share(db, DB_LOCK_SHOWN);
	if (db->shown && !served_drop(db->dir)) {
		log_line("%s/cache/served: cannot be moved away: %s; nothing that sites show can change",
		    db->dir, strerror(errno));
		return false;
	}
	db->shown = false;
	return true;
}
