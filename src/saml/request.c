/* Begins a sign-in at the provider. Contract: saml/request.h. */
#include <lasso/lasso.h>
#include <lasso/xml/saml-2.0/samlp2_authn_request.h>

#include "saml/request.h"

static void
fill_request(LassoLogin *login, const char *id, const char *acs)
{
	LassoSamlp2AuthnRequest *request = LASSO_SAMLP2_AUTHN_REQUEST(LASSO_PROFILE(login)->request);
	LassoSamlp2RequestAbstract *base = LASSO_SAMLP2_REQUEST_ABSTRACT(request);

	g_free(base->ID);
	base->ID = g_strdup(id);
	g_free(request->AssertionConsumerServiceURL);
	request->AssertionConsumerServiceURL = g_strdup(acs);
	g_free(request->ProtocolBinding);
	request->ProtocolBinding = g_strdup(LASSO_SAML2_METADATA_BINDING_POST);
	/*
	 * Request no format of the name: the provider chooses it (transient names are refused
	 * later), and may make a name for a new person.
	 */
	g_free(request->NameIDPolicy->Format);
	request->NameIDPolicy->Format = g_strdup(LASSO_SAML2_NAME_IDENTIFIER_FORMAT_UNSPECIFIED);
	request->NameIDPolicy->AllowCreate = TRUE;
}

static char *
build_url(struct saml_run *run, LassoLogin *login, const char *id, const char *relay)
{
	LassoProfile *profile = LASSO_PROFILE(login);
	int rc;

	lasso_profile_set_signature_hint(profile, LASSO_PROFILE_SIGNATURE_HINT_FORBID);
	rc = lasso_login_init_authn_request(login, run->entity, LASSO_HTTP_METHOD_REDIRECT);
	if (rc == 0) {
		fill_request(login, id, run->acs);
		profile->msg_relayState = g_strdup(relay);
		rc = lasso_login_build_authn_request_msg(login);
	}
	if (rc == 0 && profile->msg_url != NULL)
		return arena_strdup(run->arena, profile->msg_url);
	saml_fail(run, SAML_SETUP, "lasso makes no request (%s)", lasso_strerror(rc));
	return NULL;
}

char *
saml_request_url(struct saml_run *run, const char *id, const char *relay)
{
	LassoServer *server = saml_server(run);
	LassoLogin *login;
	char *url;

	if (server == NULL)
		return NULL;
	login = lasso_login_new(server);
	url = build_url(run, login, id, relay);
	lasso_login_destroy(login);
	lasso_server_destroy(server);
	return url;
}
