/* One run of octavo-saml. Contract: saml/run.h. */
#include <lasso/lasso.h>
#include <libxml/parser.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "saml/run.h"

enum { METADATA_MOST = 64 << 10 };

bool
saml_fail(struct saml_run *run, enum saml_failure failure, const char *fmt, ...)
{
	char text[1000];
	va_list ap;

	if (run->failure != 0)
		return false;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	run->failure = failure;
	run->message = arena_strdup(run->arena, text);
	return false;
}

static void
add_escaped(struct buf *b, const char *text)
{
	xmlChar *safe = xmlEncodeSpecialChars(NULL, (const xmlChar *)text);

	buf_str(b, safe != NULL ? (const char *)safe : "");
	xmlFree(safe);
}

/* Describes the provider to lasso, as metadata (SAML Metadata 2.0). */
static const char *
describe_provider(struct saml_run *run)
{
	struct buf b;

	buf_init(&b, run->arena, METADATA_MOST);
	buf_str(&b, "<EntityDescriptor xmlns=\"urn:oasis:names:tc:SAML:2.0:metadata\" entityID=\"");
	add_escaped(&b, run->entity);
	buf_str(&b, "\"><IDPSSODescriptor protocolSupportEnumeration=\"urn:oasis:names:tc:SAML:2.0:protocol\">");
	for (const char *const *c = run->certificates; *c != NULL; c++) {
		buf_str(&b, "<KeyDescriptor use=\"signing\"><KeyInfo xmlns=\"http://www.w3.org/2000/09/xmldsig#\"><X509Data><X509Certificate>");
		add_escaped(&b, *c);
		buf_str(&b, "</X509Certificate></X509Data></KeyInfo></KeyDescriptor>");
	}
	buf_str(&b, "<SingleSignOnService Binding=\"urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect\" Location=\"");
	add_escaped(&b, run->sso);
	buf_str(&b, "\"/></IDPSSODescriptor></EntityDescriptor>");
	buf_char(&b, '\0');
	return b.p;
}

/* Drops GLib's messages, which repeat hostile input; the answer contains the reason. */
static void
drop_message(const gchar *domain, GLogLevelFlags level, const gchar *text, gpointer data)
{
	(void)domain;
	(void)level;
	(void)text;
	(void)data;
}

bool
saml_start(void)
{
	g_log_set_default_handler(drop_message, NULL);
	return lasso_init() == 0;
}

LassoServer *
saml_server(struct saml_run *run)
{
	LassoServer *server = lasso_server_new_from_buffers(run->service, NULL, NULL, NULL);

	if (server == NULL) {
		saml_fail(run, SAML_SETUP, "lasso does not take the metadata of this service");
		return NULL;
	}
	if (lasso_server_add_provider_from_buffer(server, LASSO_PROVIDER_ROLE_IDP, describe_provider(run), NULL, NULL) == 0)
		return server;
	lasso_server_destroy(server);
	saml_fail(run, SAML_SETUP, "the certificate of the settings cannot be read");
	return NULL;
}
