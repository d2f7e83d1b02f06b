/*
 * Upload of files of sites: an operation returns a signed address, and a second request sends the
 * bytes to it. Implemented in sites/storage.c.
 */
#ifndef OCTAVO_API_STORAGE_H
#define OCTAVO_API_STORAGE_H

#include "http/req.h"

extern const struct shape StorageUpload, StorageUploadURL, StorageQuery;

#endif
