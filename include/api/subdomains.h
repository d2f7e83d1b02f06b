/*
 * Subdomains: which of the caller's organizations has a hostname. What other files need of people/subdomains.c.
 */
#ifndef OCTAVO_API_SUBDOMAINS_H
#define OCTAVO_API_SUBDOMAINS_H

#include "http/req.h"

extern const struct shape Subdomain;

#endif
