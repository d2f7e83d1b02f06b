/*
 * Exports of an organization that were requested through the API (command/leave.h): jobs of the
 * kind "leave", each of which makes one file, DIR/exports/<id of the job>.tar. The API queues and
 * lists them, octavo-leave makes them, octavo-site serves them by a signed address:
 *
 *   /~exports/<id>/<token>/<end>/<signature>/<name>
 *
 * token: id of the bearer token of the request. Its user must still be an admin of the organization
 * when the file is fetched. end: when the address expires, in seconds since 1970, an
 * hour after it was made. The signature covers all other parts.
 *
 * Bounds: one export of an organization waits or runs at a time, and a new one replaces the file of
 * the last one. A file is kept for EXPORT_KEPT, then the purge deletes it. Exports contain no
 * secrets.
 */
#ifndef OCTAVO_ORG_EXPORT_H
#define OCTAVO_ORG_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/settings.h"
#include "db/db.h"

#define EXPORT_KIND "leave"
#define EXPORT_KEPT (2 * DAY_MS)

/* The path of the file of an export. */
char *org_export_path(struct arena *a, const struct settings *set, const char *id);

/* The address of the download, see above. */
char *org_export_url(struct arena *a, const struct settings *set, const char *id, const char *token, int64_t now);

struct org_export_address {
	const char *id, *token, *name;
};

/*
 * Reads the decoded segments of the path after /~exports/; false if the signature is wrong or the
 * address has expired.
 */
bool org_export_url_read(struct arena *a, const char *const segment[5], int64_t now, struct org_export_address *out);

/* Deletes the files of an organization except that of the job `kept`. Outside of a transaction: deleting may take long. */
void org_export_drop(struct db *db, struct arena *a, const struct settings *set, const char *org, const char *kept);

/* Deletes files older than EXPORT_KEPT, and files of killed jobs. */
void org_export_sweep(struct db *db, struct arena *a, const struct settings *set);

#endif
