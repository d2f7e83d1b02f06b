/* The API about itself, and queries that several resources take. What stands here is used by the route table and other files. */
#ifndef OCTAVO_API_META_H
#define OCTAVO_API_META_H

#include "http/req.h"

extern const struct shape FilesQuery, RevisionQuery, PageQuery, DocumentQuery, ApiInformation, Health, AnyObject;

#endif
