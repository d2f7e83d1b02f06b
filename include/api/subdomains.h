/* What the other files of the room use of subdomains.c. */
#ifndef OCTAVO_API_SUBDOMAINS_H
#define OCTAVO_API_SUBDOMAINS_H

#include "http/req.h"

extern const struct shape Subdomain;

#endif
