/*
 * Sign-in at an organization's own providers, without their settings (oidc.h, saml.h): the list of
 * providers at which members sign in, the caller's organizations that the present sign-in gives no
 * access to, and the tokens that work in an organization. Implemented in people/sso.c.
 */
#ifndef OCTAVO_API_SSO_H
#define OCTAVO_API_SSO_H

#include "http/req.h"

extern const struct shape LoginList, ShutOrganizations, OrganizationTokenList;

#endif
