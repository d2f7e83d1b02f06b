/*
 * Upload of files of sites: a signed address, and the bytes that are sent to it. Implemented in
 * sites/storage.c.
 */
#ifndef OCTAVO_API_STORAGE_H
#define OCTAVO_API_STORAGE_H

#include "http/req.h"

extern const struct shape StorageUpload, StorageUploadURL, StorageQuery;

#endif
