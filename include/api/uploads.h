/* What the other files of the room use of uploads.c. */
#ifndef OCTAVO_API_UPLOADS_H
#define OCTAVO_API_UPLOADS_H

#include "http/req.h"

extern const struct shape FileUpload, UploadCreate;

#endif
