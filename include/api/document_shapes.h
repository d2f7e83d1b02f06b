/*
 * Shapes of page content: documents, references, covers, tags. Implemented in
 * content/document_shapes.c.
 */
#ifndef OCTAVO_API_DOCUMENT_SHAPES_H
#define OCTAVO_API_DOCUMENT_SHAPES_H

#include "http/req.h"

extern const struct shape JSONDocument, ContentRef, GitBlob, PageCover, PageTag, SpaceTag, PageComputation;

#endif
