/* Begins a sign-in at the provider (SAML Bindings 2.0, section 3.4: HTTP Redirect). */
#ifndef OCTAVO_SAML_REQUEST_H
#define OCTAVO_SAML_REQUEST_H

#include "saml/run.h"

/*
 * The address to which the browser is sent, with an unsigned AuthnRequest. id: id of the request,
 * an NCName; the response names it. relay: text that the provider sends back. NULL after
 * saml_fail().
 */
char *saml_request_url(struct saml_run *run, const char *id, const char *relay);

#endif
