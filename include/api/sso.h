/*
 * Sign-in at an organization's own providers, except for their settings (oidc.h, saml.h): the list
 * of providers at which members sign in, the list of the caller's organizations to which the
 * present sign-in gives no access, and the list of tokens that give access to an organization.
 * Implemented in people/sso.c.
 */
#ifndef OCTAVO_API_SSO_H
#define OCTAVO_API_SSO_H

#include "http/req.h"

extern const struct shape LoginList, ShutOrganizations, OrganizationTokenList;

#endif
