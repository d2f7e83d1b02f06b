/*
 * Imports documentation that was written for other programs: the job that the octavo command and
 * the API queue.
 */
#ifndef OCTAVO_ARRIVE_H
#define OCTAVO_ARRIVE_H

#include "app/queue.h"

/*
 * Runs a job of the kind "arrive" to its end. Arguments:
 *   path     of a folder or an archive; with
 *   local    true: set by the admin's command, which alone may name a path
 *   files    of the API: ids of uploaded archives that the job has taken (app/import_file.h)
 *   kind     name of a reader ("mkdocs"); missing: the one that recognises the files
 *   name     how messages call the source
 *   force    as for an import
 */
void arrive_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
