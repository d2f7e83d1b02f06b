/* Sign-ins at SAML providers (signin/saml.h), and the certificates that their admins enter (app/certificate.h). */
#include "db_fixture.h"
#include "app/certificate.h"
#include "base/file.h"
#include "base/json.h"
#include "signin/saml.h"

SQL(q_provider,
    "INSERT INTO saml_provider (id, org, label, sso_url, entity_id, certificate, default_role, created_at) "
    "VALUES ('p1', :org, 'Login', 'https://idp.example/sso', 'https://idp.example', :certificate, 3, 0)");
SQL(q_clear, "UPDATE saml_provider SET sso_url = '' WHERE id = 'p1'");
SQL(q_left, "SELECT count(*) FROM saml_answer WHERE subject IS NOT NULL OR code IS NOT NULL");

static const char *
pem(struct fixture *f, const char *name)
{
	struct str s;

	assert_true(file_read(f->arena, arena_printf(f->arena, "tests/fixtures/saml/%s.pem", name), &s));
	return s.p;
}

static struct provider
make_provider(struct fixture *f, const char *certificate)
{
	struct settings set = { .url = "https://docs.example" };
	struct provider p;
	struct stmt *q;

	db_begin(f->db, true);
	q = db_use(f->db, &q_provider);
	bind_text(q, ":org", f->org);
	bind_text(q, ":certificate", certificate);
	stmt_run(q);
	db_commit(f->db);
	assert_true(provider_find(f->db, f->arena, &set, "p1", &p));
	return p;
}

static void
a_provider_is_found_if_it_is_complete(void **state)
{
	struct fixture *f = *state;
	struct settings set = { .url = "https://docs.example" };
	struct provider p;

	p = make_provider(f, pem(f, "idp"));
	assert_int_equal(p.kind, PROVIDER_SAML);
	assert_string_equal(p.org, f->org);
	assert_string_equal(p.label, "Login");
	assert_string_equal(p.issuer, "https://idp.example");
	assert_string_equal(p.sso, "https://idp.example/sso");
	assert_int_equal(p.default_role, 3);
	db_begin(f->db, true);
	stmt_run(db_use(f->db, &q_clear));
	db_commit(f->db);
	assert_false(provider_find(f->db, f->arena, &set, "p1", &p));
}

static void
the_metadata_has_the_addresses_of_the_provider(void **state)
{
	struct fixture *f = *state;
	struct settings set = { .url = "https://docs.example/a&b" };
	const char *xml = saml_metadata(f->arena, &set, "p1");

	assert_non_null(strstr(xml, "entityID=\"https://docs.example/a&amp;b/app/sso/p1/metadata\""));
	assert_non_null(strstr(xml, "Location=\"https://docs.example/a&amp;b/app/sso/p1/acs\""));
}

static void
a_program_that_is_missing_or_prints_nonsense_is_named(void **state)
{
	struct fixture *f = *state;
	struct settings set = { .url = "https://docs.example" };
	struct provider p = make_provider(f, pem(f, "idp"));
	struct flow flow = flow_make(f->arena, "p1", p.issuer, 0);

	/* None is beside the tests. */
	assert_int_equal(saml_begin(f->arena, &set, &p, NULL, &flow).failure, PROVIDER_ABSENT);
	assert_int_equal(provider_begin(f->arena, &set, &p, NULL, &flow).failure, PROVIDER_ABSENT);
	assert_int_equal(saml_read(f->arena, &set, &p, NULL, "x").answer.failure, PROVIDER_ABSENT);
	assert_int_equal(saml_begin(f->arena, &set, &p, "/bin/true", &flow).failure, PROVIDER_SETUP);
	assert_int_equal(saml_begin(f->arena, &set, &p, "/bin/false", &flow).failure, PROVIDER_SETUP);
	/* It prints the request, in which there is neither an address nor a person. */
	assert_int_equal(saml_begin(f->arena, &set, &p, "/bin/cat", &flow).failure, PROVIDER_SETUP);
	assert_int_equal(saml_read(f->arena, &set, &p, "/bin/cat", "x").answer.failure, PROVIDER_SETUP);
	p.certificates = pem(f, "ec");
	assert_string_equal(saml_begin(f->arena, &set, &p, "/bin/cat", &flow).message, "its certificate has no RSA key of 2048 bits or more");
}

/* ---- kept responses ---- */

static struct saml_reading
reading(const char *assertion, const char *request, int64_t ends)
{
	return (struct saml_reading){ { .person = { "7", "ada@example.com", true, NULL } }, request, assertion, ends };
}

static char *
keep(struct fixture *f, const struct provider *p, const char *assertion, const char *request, int64_t now)
{
	struct saml_reading r = reading(assertion, request, now + 300000);
	char *code;

	db_begin(f->db, true);
	code = saml_keep(f->db, f->arena, p, &r, now);
	db_commit(f->db);
	return code;
}

static struct provider_answer
take(struct fixture *f, const struct provider *p, const char *code, const char *nonce)
{
	struct flow flow = { .nonce = nonce };
	struct provider_answer out;

	db_begin(f->db, true);
	out = saml_take(f->db, f->arena, p, code, &flow);
	db_commit(f->db);
	return out;
}

static void
a_response_counts_once(void **state)
{
	struct fixture *f = *state;
	struct provider p = make_provider(f, pem(f, "idp")), other = p;
	char *code = keep(f, &p, "a1", "n1", time_now());
	struct provider_answer got;

	assert_non_null(code);
	assert_null(keep(f, &p, "a1", "n1", time_now()));
	other.id = "p2";
	assert_non_null(keep(f, &other, "a1", "n1", time_now()));
	assert_int_equal(take(f, &other, code, "n1").failure, PROVIDER_REFUSED);
	got = take(f, &p, code, "n1");
	assert_int_equal(got.failure, PROVIDER_GOOD);
	assert_string_equal(got.person.subject, "7");
	assert_string_equal(got.person.email, "ada@example.com");
	assert_null(got.person.name);
	assert_int_equal(take(f, &p, code, "n1").failure, PROVIDER_REFUSED);
	/* The assertion stays known, the person does not. */
	assert_null(keep(f, &p, "a1", "n1", time_now()));
	assert_int_equal(stmt_int(db_use(f->db, &q_left), 0), 1);
}

static void
a_response_belongs_to_its_request_and_two_minutes(void **state)
{
	struct fixture *f = *state;
	struct provider p = make_provider(f, pem(f, "idp"));
	int64_t now = time_now();
	char *code = keep(f, &p, "a1", "n1", now);

	assert_int_equal(take(f, &p, code, "n2").failure, PROVIDER_REFUSED);
	assert_int_equal(take(f, &p, code, "n1").failure, PROVIDER_REFUSED);
	code = keep(f, &p, "a2", "n1", now - SAML_CODE_SECONDS * 1000);
	assert_int_equal(take(f, &p, code, "n1").failure, PROVIDER_REFUSED);
	code = keep(f, &p, "a3", "n1", now - SAML_CODE_SECONDS * 1000 + 60000);
	assert_int_equal(take(f, &p, code, "n1").failure, PROVIDER_GOOD);
	/* Rows that have ended go. */
	assert_non_null(keep(f, &p, "a1", "n1", now + 300000));
}

/* ---- certificates ---- */

static const char *
fault(struct fixture *f, const char *text, size_t *n, int64_t *ends)
{
	struct certificate list[CERTIFICATES_MOST];
	const char *why = certificates_read(f->arena, text, list, n);

	if (why == NULL)
		*ends = list[*n - 1].ends_at;
	return why;
}

static void
one_or_two_certificates_are_read(void **state)
{
	struct fixture *f = *state;
	int64_t ends = 0, expected;
	size_t n;

	assert_null(fault(f, pem(f, "old"), &n, &ends));
	assert_int_equal(n, 1);
	assert_true(time_parse("2021-01-01T00:00:00Z", &expected));
	assert_int_equal(ends, expected);
	/* Beyond 2049, the time has another form. */
	assert_null(fault(f, arena_printf(f->arena, "\n%s\n\n%s", pem(f, "old"), pem(f, "idp")), &n, &ends));
	assert_int_equal(n, 2);
	assert_true(time_parse("2126-11-04T00:00:00Z", &expected));
	assert_true(ends > expected && ends < expected + 86400000);
	assert_string_equal(fault(f, arena_printf(f->arena, "%s%s%s", pem(f, "old"), pem(f, "idp"), pem(f, "idp")), &n, &ends),
	    "has more than two certificates");
	assert_non_null(strstr(fault(f, pem(f, "ec"), &n, &ends), "has no RSA key"));
	assert_non_null(strstr(fault(f, pem(f, "short"), &n, &ends), "has no RSA key of 2048 bits"));
	assert_non_null(fault(f, arena_printf(f->arena, "%s-----BEGIN CERTIFICATE-----", pem(f, "idp")), &n, &ends));
	assert_non_null(fault(f, arena_printf(f->arena, "%sx", pem(f, "idp")), &n, &ends));
	assert_non_null(fault(f, "", &n, &ends));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_provider_is_found_if_it_is_complete, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_metadata_has_the_addresses_of_the_provider, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_program_that_is_missing_or_prints_nonsense_is_named, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_response_counts_once, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_response_belongs_to_its_request_and_two_minutes, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(one_or_two_certificates_are_read, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
