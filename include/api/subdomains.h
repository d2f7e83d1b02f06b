/*
 * Subdomains: finds the caller's organization with a hostname. Implemented in people/subdomains.c.
 */
#ifndef OCTAVO_API_SUBDOMAINS_H
#define OCTAVO_API_SUBDOMAINS_H

#include "http/req.h"

extern const struct shape Subdomain;

#endif
