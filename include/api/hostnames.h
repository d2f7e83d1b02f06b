/* Hostnames of sites. Implemented in sites/hostnames.c. */
#ifndef OCTAVO_API_HOSTNAMES_H
#define OCTAVO_API_HOSTNAMES_H

#include "http/req.h"

extern const struct shape CustomHostname;

#endif
