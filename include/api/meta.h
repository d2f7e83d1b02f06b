/*
 * Shapes of information about the API itself, and shapes of queries that several resources use.
 * Implemented in meta.c.
 */
#ifndef OCTAVO_API_META_H
#define OCTAVO_API_META_H

#include "http/req.h"

extern const struct shape FilesQuery, RevisionQuery, ContentQuery, PagesQuery, PageQuery, DocumentQuery, ApiInformation, Health, AnyObject;

#endif
