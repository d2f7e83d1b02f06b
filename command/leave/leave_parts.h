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

#endif
