/*
 * The relay of an OpenAPI specification: hosts to which the installation sends requests of readers
 * who try the API (src/reader/relay.c). Contract: api/openapi_specs.h.
 */
#include <cjson/cJSON.h>

#include "api/openapi_specs.h"
#include "api/refusals.h"
#include "audience/address_holder.h"
#include "base/address.h"
#include "base/utf8.h"

enum { RELAY_HOSTS = 20, RELAY_HOST_MAX = 260 };

/* Writes the hosts, which the column contains as one text, separated by blanks. */
static void
emit_hosts(struct json *j, const struct field *f, const struct row *w)
{
	const char *p = row_text(w, "relay");
	size_t n;

	json_karr(j, f->name);
	for (; *p != '\0'; p += n + strspn(p + n, " ")) {
		n = strcspn(p, " ");
		json_strn(j, (struct str){ p, n });
	}
	json_end(j);
}

const struct shape OpenAPISpecRelay = { "OpenAPISpecRelay", (const struct field[]){
	{ "hosts", T_LIST, F_REQ, .max = RELAY_HOSTS, .item = &(const struct field){ "", T_TEXT, .min = 1, .max = RELAY_HOST_MAX },
	  .emit = emit_hosts, .doc = "Hosts that readers' requests may reach, each with its port unless it is the default port; empty: "
	  "the relay is off", .example = "[\"api.example.com\"]" },
	{ 0 } } };

/* Returns why readers' requests must not be sent to this host (in lower case); NULL if they may be. */
static const char *
relay_refusal(struct req *r, const char *host)
{
	const char *why = NULL, *name = address_host(r->arena, str_of(host), &why);

	if (name == NULL)
		return why;
	if (name[strlen(name) - 1] == '.')
		return "its name ends with a dot; leave it out";
	if (holder_is_own(r->db, r->arena, r->set, name))
		return "it is an address of this installation";
	return r->set->fetch_private ? NULL : address_refuse_host(r->arena, name);
}

const char *
openapi_relay_or_fail(struct req *r, int *status)
{
	const cJSON *hosts = cJSON_GetObjectItemCaseSensitive(body_get(r, "relay"), "hosts"), *one;
	const char *why, *host;
	struct buf b;
	int at = 0;

	*status = 0;
	if (hosts == NULL)
		return NULL;
	buf_init(&b, r->arena, RELAY_HOSTS * (RELAY_HOST_MAX + 1) * 4);
	buf_str(&b, "");
	if (r->org.role < ROLE_ADMIN) {
		*status = forbidden(r, "organization", r->org.role, ROLE_ADMIN);
		return NULL;
	}
	cJSON_ArrayForEach(one, hosts) {
		host = utf8_lower(r->arena, str_of(one->valuestring));
		if ((why = relay_refusal(r, host)) != NULL) {
			*status = fail_field(r, arena_printf(r->arena, "/relay/hosts/%d", at), "is refused: %s", why);
			return NULL;
		}
		buf_printf(&b, "%s%s", at++ > 0 ? " " : "", host);
	}
	return b.p;
}
