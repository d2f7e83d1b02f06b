/* SAML identity providers: the settings for sign-in. Implemented in people/saml.c. */
#ifndef OCTAVO_API_SAML_H
#define OCTAVO_API_SAML_H

#include "http/req.h"

extern const struct shape SAMLProvider, SAMLProviderList, SAMLProviderCreate, SAMLProviderEdit;

#endif
