/*
 * octavo-saml: begins sign-ins at SAML providers of organizations, and verifies their responses. It reads one JSON
 * request from standard input and prints one JSON answer. octavo-api starts it (signin/saml.h). It is a separate
 * program because of lasso and what that brings, and so that XML from strangers only reaches a process without a
 * database, a network or much memory.
 *
 *   { do: "begin", service, self, acs, entity, sso, certificates, id, relay }
 *   { do: "read",  service, self, acs, entity, sso, certificates, response }
 *
 *   { url }                                                      answer to "begin"
 *   { subject, email?, name?, request, assertion, ends }         answer to "read"
 *   { failure: "setup"|"refused", message }
 */
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "question.h"
#include "saml/request.h"
#include "saml/response.h"

enum { REQUEST_MOST = 256 << 10, MEMORY = 32 << 20, SPACE = 512 << 20, SECONDS = 5 };

static bool
begin_sign_in(struct saml_run *run, const cJSON *v, struct json *j)
{
	char *url = saml_request_url(run, json_text_or_empty(v, "id"), json_text_or_empty(v, "relay"));

	if (url == NULL)
		return false;
	json_kstr(j, "url", url);
	return true;
}

static bool
read_response(struct saml_run *run, const cJSON *v, struct json *j)
{
	struct saml_person who;

	if (!saml_read_response(run, json_text_or_empty(v, "response"), &who))
		return false;
	json_kstr(j, "subject", who.subject);
	if (who.email != NULL)
		json_kstr(j, "email", who.email);
	if (who.name != NULL)
		json_kstr(j, "name", who.name);
	json_kstr(j, "request", who.request);
	json_kstr(j, "assertion", who.assertion);
	json_kint(j, "ends", who.ends_at);
	return true;
}

static void
fill_run(struct saml_run *run, const cJSON *v)
{
	const cJSON *one;
	size_t n = 0;

	run->now = time_now();
	run->service = json_text_or_empty(v, "service");
	run->self = json_text_or_empty(v, "self");
	run->acs = json_text_or_empty(v, "acs");
	run->entity = json_text_or_empty(v, "entity");
	run->sso = json_text_or_empty(v, "sso");
	cJSON_ArrayForEach(one, json_member(v, "certificates"))
		if (cJSON_IsString(one) && n < CERTIFICATES_MOST)
			run->certificates[n++] = one->valuestring;
}

static void
answer(struct arena *a, const cJSON *v, struct json *j)
{
	static const char *const names[] = { [SAML_SETUP] = "setup", [SAML_REFUSED] = "refused" };
	struct saml_run run = { .arena = a };

	fill_run(&run, v);
	if (strcmp(json_text_or_empty(v, "do"), "begin") == 0 ? begin_sign_in(&run, v, j) : read_response(&run, v, j))
		return;
	json_kstr(j, "failure", names[run.failure]);
	json_kstr(j, "message", run.message);
}

int
main(void)
{
	child_limits(SPACE, SECONDS);
	/*
	 * A second protection, on kernels that support it; libxml2 is kept from the network anyway.
	 */
	(void)!child_no_network();
	if (!saml_start())
		return 1;
	/* lasso and its libraries leave their own memory to the end of the process, which sanitizers would report. */
	_exit(question_answer(arena_new(MEMORY), "octavo-saml", REQUEST_MOST, answer));
}
