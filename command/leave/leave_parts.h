/* Shared by the files of this folder and by command/cmd_leave.c. */
#ifndef OCTAVO_LEAVE_PARTS_H
#define OCTAVO_LEAVE_PARTS_H

#include "command/leave.h"

#define LEAVE_NOTE    "octavo-export.json"
#define LEAVE_SECRETS "secrets.sealed"
#define LEAVE_WORK    ".work"

/* leave_files.c */

/* Deletes a folder with all that is in it; links are not followed. */
void leave_remove(const char *path);
/* Packs a folder into a tar archive, the note first. False: *error. */
bool leave_pack(struct arena *a, const char *folder, const char *file, const char **error);
/*
 * Unpacks what an import reads of an archive into a folder: names of another form than an export's are
 * passed over, so that no entry can be written elsewhere. False: *error.
 */
bool leave_unpack(struct arena *a, const char *file, const char *folder, const char **error);
/* The text of the note of a folder or an archive; NULL: it is no export. */
char *leave_note_text(struct arena *a, const char *path);
/*
 * The passphrase: the first line of the file that the option names ("-": standard input). NULL after
 * printing an error.
 */
const char *leave_passphrase(struct cli *c);

#endif
