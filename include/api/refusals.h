/* What the caller is told who may not know of something, or not do it. */
#ifndef OCTAVO_API_REFUSALS_H
#define OCTAVO_API_REFUSALS_H

#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"

/* fail(): there is no such thing, in the same words whether it is missing or hidden from the caller. -1. */
int not_found(struct req *r, const char *what, const char *id);

/*
 * fail(): the caller has too little a role on what they may know of, since it says that the thing is there.
 * -1.
 */
int forbidden(struct req *r, const char *what, enum role have, enum role need);

#endif
