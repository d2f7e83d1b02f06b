/* What the other files of the room use of meta.c. */
#ifndef OCTAVO_API_META_H
#define OCTAVO_API_META_H

#include "http/req.h"

extern const struct shape FilesQuery, RevisionQuery, PageQuery, DocumentQuery, ApiInformation, Health, AnyObject;

#endif
