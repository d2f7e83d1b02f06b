/* SAML identity providers: the settings that sign-in reads. What other files need of people/saml.c. */
#ifndef OCTAVO_API_SAML_H
#define OCTAVO_API_SAML_H

#include "http/req.h"

extern const struct shape SAMLProvider, SAMLProviderList, SAMLProviderCreate, SAMLProviderEdit, LoginList;

#endif
