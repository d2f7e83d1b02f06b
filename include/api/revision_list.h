/* The list of a space's revisions. Implemented in content/revision_list.c. */
#ifndef OCTAVO_API_REVISION_LIST_H
#define OCTAVO_API_REVISION_LIST_H

#include "http/req.h"

extern const struct shape RevisionList, RevisionListQuery;

#endif
