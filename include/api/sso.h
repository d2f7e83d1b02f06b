/*
 * What an organization's own sign-in is about besides the settings of its providers: where to sign in, which of
 * one's organizations another sign-in does not open, and which tokens work there. Implemented in people/sso.c.
 */
#ifndef OCTAVO_API_SSO_H
#define OCTAVO_API_SSO_H

#include "http/req.h"

extern const struct shape LoginList, ShutOrganizations, OrganizationTokenList;

#endif
