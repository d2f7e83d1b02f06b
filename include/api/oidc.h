/* OpenID providers of organizations: the settings for sign-in. Implemented in people/oidc.c. */
#ifndef OCTAVO_API_OIDC_H
#define OCTAVO_API_OIDC_H

#include "http/req.h"

extern const struct shape OIDCProvider, OIDCProviderList, OIDCProviderCreate, OIDCProviderEdit;

#endif
