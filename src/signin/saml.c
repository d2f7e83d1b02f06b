/* Begins and completes sign-ins at a SAML provider. Contract: signin/saml.h. */
#include <cjson/cJSON.h>
#include <string.h>

#include "app/certificate.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/log.h"
#include "base/secret.h"
#include "base/url.h"
#include "signin/saml.h"
#include "signin/verifier.h"

enum { REQUEST_MOST = 200 << 10, METADATA_MOST = 16 << 10 };

/* ---- this service ---- */

char *
saml_entity_id(struct arena *a, const struct settings *set, const char *id)
{
	return url_make(a, set, "/app/sso/%s/metadata", id);
}

char *
saml_acs_url(struct arena *a, const struct settings *set, const char *id)
{
	return url_make(a, set, "/app/sso/%s/acs", id);
}

static void
add_escaped(struct buf *b, const char *text)
{
	for (; *text != '\0'; text++)
		if (*text == '&')
			buf_str(b, "&amp;");
		else if (*text == '<')
			buf_str(b, "&lt;");
		else if (*text == '"')
			buf_str(b, "&quot;");
		else
			buf_char(b, *text);
}

char *
saml_metadata(struct arena *a, const struct settings *set, const char *id)
{
	struct buf b;

	buf_init(&b, a, METADATA_MOST);
	buf_str(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<EntityDescriptor xmlns=\"urn:oasis:names:tc:SAML:2.0:metadata\" entityID=\"");
	add_escaped(&b, saml_entity_id(a, set, id));
	buf_str(&b, "\">\n  <SPSSODescriptor AuthnRequestsSigned=\"false\" WantAssertionsSigned=\"true\" "
	    "protocolSupportEnumeration=\"urn:oasis:names:tc:SAML:2.0:protocol\">\n"
	    "    <NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</NameIDFormat>\n"
	    "    <NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>\n"
	    "    <AssertionConsumerService index=\"0\" isDefault=\"true\" Binding=\"urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST\" Location=\"");
	add_escaped(&b, saml_acs_url(a, set, id));
	buf_str(&b, "\"/>\n  </SPSSODescriptor>\n</EntityDescriptor>\n");
	return arena_strndup(a, b.p, b.n);
}

/* ---- the program ---- */

/*
 * Writes the members that both requests have. False: the certificates cannot be read; they were
 * entered before RSA keys were required.
 */
static bool
write_provider(struct arena *a, const struct settings *set, const struct provider *p, struct json *j)
{
	struct certificate list[CERTIFICATES_MOST];
	size_t n;

	if (certificates_read(a, p->certificates, list, &n) != NULL)
		return false;
	json_kstr(j, "service", saml_metadata(a, set, p->id));
	json_kstr(j, "self", saml_entity_id(a, set, p->id));
	json_kstr(j, "acs", saml_acs_url(a, set, p->id));
	json_kstr(j, "entity", p->issuer);
	json_kstr(j, "sso", p->sso);
	json_karr(j, "certificates");
	for (size_t i = 0; i < n; i++)
		json_str(j, list[i].base64);
	json_end(j);
	return true;
}

static enum provider_failure
read_failure(const char *word)
{
	return word == NULL ? PROVIDER_GOOD : strcmp(word, "refused") == 0 ? PROVIDER_REFUSED : PROVIDER_SETUP;
}

static struct saml_reading
failed_reading(enum provider_failure failure, const char *message)
{
	return (struct saml_reading){ .answer = { .failure = failure, .message = message } };
}

static struct saml_reading
read_answer(struct arena *a, const cJSON *v)
{
	/*
	 * The organization's own provider vouches for the address; for a member with `sso` that is
	 * enough.
	 */
	struct provider_person who = { verifier_text(a, v, "subject"), verifier_text(a, v, "email"), true, verifier_text(a, v, "name") };

	return (struct saml_reading){ { .failure = read_failure(json_text_of(v, "failure")), .message = verifier_text(a, v, "message"),
		.url = verifier_text(a, v, "url"), .person = who }, verifier_text(a, v, "request"), verifier_text(a, v, "assertion"),
		(int64_t)json_number_of(v, "ends", 0) };
}

static struct saml_reading
run_program(struct arena *a, const char *program, struct str request)
{
	const char *why;
	cJSON *v;
	enum verifier_failure failure = verifier_ask(a, "saml", program, request, &v, &why);
	struct saml_reading out;

	if (failure != VERIFIER_GOOD)
		return failed_reading(failure == VERIFIER_ABSENT ? PROVIDER_ABSENT : PROVIDER_SETUP, why);
	out = read_answer(a, v);
	cJSON_Delete(v);
	return out;
}

/* members: further members of the request, name and value, up to a NULL. */
static struct saml_reading
ask_program(struct arena *a, const struct settings *set, const struct provider *p, const char *program, const char *const members[][2])
{
	struct saml_reading out;
	struct json j;
	struct buf b;

	buf_init(&b, a, REQUEST_MOST);
	json_init(&j, &b);
	json_obj(&j);
	if (!write_provider(a, set, p, &j))
		return failed_reading(PROVIDER_SETUP, "its certificate has no RSA key of 2048 bits or more");
	for (size_t i = 0; members[i][0] != NULL; i++)
		json_kstr(&j, members[i][0], members[i][1]);
	json_end(&j);
	out = run_program(a, program, buf_view(&b));
	if (out.answer.failure != PROVIDER_GOOD && out.answer.failure != PROVIDER_REFUSED)
		log_line("%s: %s", p->issuer, out.answer.message);
	return out;
}

struct provider_answer
saml_begin(struct arena *a, const struct settings *set, const struct provider *p, const char *program, const struct flow *f)
{
	const char *const members[][2] = { { "do", "begin" }, { "id", f->nonce }, { "relay", f->state }, { NULL, NULL } };
	struct provider_answer out = ask_program(a, set, p, program, members).answer;

	if (out.failure == PROVIDER_GOOD && out.url == NULL)
		return failed_reading(PROVIDER_SETUP, "octavo-saml found no address").answer;
	return out;
}

struct saml_reading
saml_read(struct arena *a, const struct settings *set, const struct provider *p, const char *program, const char *response)
{
	const char *const members[][2] = { { "do", "read" }, { "response", response }, { NULL, NULL } };
	struct saml_reading out = ask_program(a, set, p, program, members);

	if (out.answer.failure == PROVIDER_GOOD && (out.answer.person.subject == NULL || out.request == NULL || out.assertion == NULL))
		return failed_reading(PROVIDER_SETUP, "octavo-saml found no person");
	return out;
}

/* ---- verified responses ---- */

SQL(q_sweep, "DELETE FROM saml_answer WHERE ends_at <= :now");
SQL(q_keep,
    "INSERT INTO saml_answer (provider, assertion, code, request, subject, email, name, made_at, ends_at) "
    "VALUES (:provider, :assertion, :code, :request, :subject, :email, :name, :now, :ends) ON CONFLICT DO NOTHING");
SQL(q_find, "SELECT request, subject, email, name, made_at FROM saml_answer WHERE code = :code AND provider = :provider");
/* Keep the row, so that the assertion is known to be used. */
SQL(q_taken,
    "UPDATE saml_answer SET code = NULL, request = NULL, subject = NULL, email = NULL, name = NULL WHERE code = :code");

char *
saml_keep(struct db *db, struct arena *a, const struct provider *p, const struct saml_reading *reading, int64_t now)
{
	const struct provider_person *who = &reading->answer.person;
	char *code = secret_named(a, "oca_");
	struct stmt *q = db_use(db, &q_sweep);

	bind_int(q, ":now", now);
	stmt_run(q);
	q = db_use(db, &q_keep);
	bind_text(q, ":provider", p->id);
	bind_blob(q, ":assertion", hash_of(a, str_of(reading->assertion)));
	bind_blob(q, ":code", hash_of(a, str_of(code)));
	bind_text(q, ":request", reading->request);
	bind_text(q, ":subject", who->subject);
	if (who->email != NULL)
		bind_text(q, ":email", who->email);
	if (who->name != NULL)
		bind_text(q, ":name", who->name);
	bind_int(q, ":now", now);
	bind_int(q, ":ends", reading->ends_at);
	return stmt_run(q) == 1 ? code : NULL;
}

struct provider_answer
saml_take(struct db *db, struct arena *a, const struct provider *p, const char *code, const struct flow *f)
{
	struct str hash = hash_of(a, str_of(code));
	struct stmt *q = db_use(db, &q_find);
	struct provider_answer out = { .failure = PROVIDER_REFUSED };
	bool same;

	bind_blob(q, ":code", hash);
	bind_text(q, ":provider", p->id);
	if (!stmt_step(q) || col_int(q, 4) + SAML_CODE_SECONDS * 1000 <= time_now()) {
		out.message = "this response of the provider was used before, or is too old";
		return out;
	}
	same = secret_same(col_dup(q, 0, a), f->nonce);
	out.person = (struct provider_person){ col_dup(q, 1, a), col_dup(q, 2, a), true, col_dup(q, 3, a) };
	q = db_use(db, &q_taken);
	bind_blob(q, ":code", hash);
	stmt_run(q);
	if (same)
		out.failure = PROVIDER_GOOD;
	else
		out.message = "the provider's response belongs to another sign-in than the one that began in this browser";
	return out;
}
