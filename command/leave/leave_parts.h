/* Shared by the files of this folder and by command/cmd_leave.c. */
#ifndef OCTAVO_LEAVE_PARTS_H
#define OCTAVO_LEAVE_PARTS_H

#include "command/leave.h"

#define LEAVE_NOTE    "octavo-export.json"
#define LEAVE_SECRETS "secrets.sealed"
#define LEAVE_WORK    ".work"

/* leave_files.c */

/*
 * Packs the export l->to into a new tar archive, with the note as the first entry. False on failure,
 * with the reason in *error; there is no file then.
 */
bool leave_pack(struct leave *l, const char *file, const char **error);
/*
 * Unpacks the entries of an archive that an import reads into a folder. Entries whose name does not
 * have the form of an export's files are skipped, so that no entry can be written outside the
 * folder. False on failure, with the reason in *error.
 */
bool leave_unpack(struct arena *a, const char *file, const char *folder, const char **error);
/* The text of the note of a folder or archive; NULL: it is not an export. */
char *leave_note_text(struct arena *a, const char *path);
/*
 * Reads the passphrase: the first line of the file that the option names ("-": standard input).
 * NULL after printing an error.
 */
const char *leave_passphrase(struct cli *c);

/* leave_read.c */

/*
 * Reads an export, without its secrets, into an existing empty folder: octavo.db.new in the present schema,
 * octavo.key, blobs. Everything is checked. False on failure, with the reason in *error.
 */
bool leave_read_stage(struct cli *c, const char *from, const char *stage, const char **error);

/* leave_ids.c: the ids of an export, and those that they become beside other data. */

struct leave_ids;
/* Reads the ids of all rows that an organization may have: column id of the tables, where it is unique, and pages. */
struct leave_ids *leave_ids_read(struct arena *a, struct db *from);
/* True if one of these ids is, or was, an id in this database. */
bool leave_ids_used(struct leave_ids *ids, struct db *db);
/* Sets the new id for an old one. Ignores an id that leave_ids_read() did not find. */
void leave_ids_set(struct leave_ids *ids, const char *old, const char *new);
/* Makes a new id for each old id that has none yet. */
void leave_ids_renew(struct leave_ids *ids);
/* Returns the new id; NULL: `old` stays, or is not an id that leave_ids_read() found. */
const char *leave_ids_new(const struct leave_ids *ids, struct str old);
/*
 * Returns the text with each old id replaced by its new one. Replaces only whole words that have the form of an id
 * (22 letters and digits, or a UUID). If there is none, returns s; otherwise the result is allocated from a.
 */
struct str leave_ids_text(const struct leave_ids *ids, struct arena *a, struct str s);
/* Writes a line for each new id: table, old, new, with tabs in between. Returns their number. */
int64_t leave_ids_write(const struct leave_ids *ids, FILE *f);

#endif
