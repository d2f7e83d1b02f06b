/* Bringing in documentation of other programs: the job that the API and the octavo command queue. */
#ifndef OCTAVO_ARRIVE_H
#define OCTAVO_ARRIVE_H

#include "app/queue.h"

/*
 * Runs a job of the kind "arrive" to its end. Arguments:
 *   path     of a folder or an archive
 *   local    true: set by the admin's command; without it, path must be the name of an upload of the API
 *   kind     name of a reader ("mkdocs"); missing: the one that recognises the files
 *   name     how messages call the source
 *   folder   the part of the source that is read: "": all of it
 *   force    as for an import
 */
void arrive_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
