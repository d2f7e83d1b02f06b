/* Files of change requests, uploaded by address. Implemented in content/uploads.c. */
#ifndef OCTAVO_API_UPLOADS_H
#define OCTAVO_API_UPLOADS_H

#include "http/req.h"

extern const struct shape FileUpload, UploadCreate;

#endif
