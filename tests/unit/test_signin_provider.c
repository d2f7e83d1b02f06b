/* Sign-ins at the provider (signin/flow.h), the account that a person gets (signin/identity.h), and the limits on tries. */
#include "db_fixture.h"
#include "base/json.h"
#include "signin/code.h"
#include "signin/flow.h"
#include "signin/identity.h"
#include "signin/password.h"
#include "signin/provider.h"
#include "signin/throttle.h"

static void
a_flow_comes_back_as_it_was_for_ten_minutes(void **state)
{
	struct fixture *f = *state;
	struct flow made = flow_make(f->arena, "https://id.example/", true, 1000), got;
	char *text = flow_seal(f->arena, &made), *changed;

	assert_true(flow_unseal(f->arena, text, 1000 + FLOW_SECONDS * 1000 - 1, &got));
	assert_string_equal(got.issuer, "https://id.example/");
	assert_string_equal(got.state, made.state);
	assert_string_equal(got.nonce, made.nonce);
	assert_string_equal(got.verifier, made.verifier);
	assert_true(got.names_itself);
	assert_int_equal(got.ends_at, made.ends_at);
	assert_false(flow_unseal(f->arena, text, 1000 + FLOW_SECONDS * 1000, &got));
	/* Nothing of it can be read or changed. */
	assert_null(strstr(text, made.state));
	for (size_t i = 0; i < strlen(text); i += 7) {
		changed = arena_strdup(f->arena, text);
		changed[i] = changed[i] == 'A' ? 'B' : 'A';
		assert_false(flow_unseal(f->arena, changed, 1000, &got));
	}
	assert_false(flow_unseal(f->arena, "", 1000, &got));
}

static void
a_flow_has_random_texts_of_the_lengths_that_pkce_takes(void **state)
{
	struct fixture *f = *state;
	struct flow a = flow_make(f->arena, "x", false, 0), b = flow_make(f->arena, "x", false, 0);

	assert_string_not_equal(a.state, b.state);
	assert_string_not_equal(a.nonce, b.nonce);
	assert_string_not_equal(a.verifier, b.verifier);
	assert_in_range(strlen(a.verifier), CODE_VERIFIER_LEAST, CODE_VERIFIER_MOST);
}

static void
a_flow_is_used_once(void **state)
{
	struct fixture *f = *state;
	struct flow one = flow_make(f->arena, "x", false, 1000), two = flow_make(f->arena, "x", false, 1000);

	db_begin(f->db, true);
	assert_true(flow_use(f->db, f->arena, &one, 1000));
	assert_false(flow_use(f->db, f->arena, &one, 2000));
	assert_true(flow_use(f->db, f->arena, &two, 2000));
	/* The provider did not answer. */
	flow_undo(f->db, f->arena, &two);
	assert_true(flow_use(f->db, f->arena, &two, 2000));
	assert_false(flow_use(f->db, f->arena, &two, 2000));
	/* Rows of flows that have ended go. */
	assert_true(flow_use(f->db, f->arena, &one, one.ends_at));
	db_commit(f->db);
}

static void
the_browser_is_sent_with_everything_encoded(void **state)
{
	struct fixture *f = *state;
	struct settings set = { .url = "https://docs.example.com/wiki", .oidc_client = "a&b c" };
	struct flow flow = { "i", "s", "n", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", false, 0 };

	/* The pair of RFC 7636, appendix B. */
	assert_string_equal(provider_url(f->arena, &set, "https://id.example/a", &flow),
	    "https://id.example/a?response_type=code&client_id=a%26b%20c&redirect_uri=https%3A%2F%2Fdocs.example.com%2Fwiki%2Fapp%2F"
	    "provider%2Freturn&scope=openid%20email%20profile&state=s&nonce=n"
	    "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256");
	assert_true(str_starts(str_of(provider_url(f->arena, &set, "https://id.example/a?b=c", &flow)),
	    "https://id.example/a?b=c&response_type=code&"));
}

static struct identity
find(struct fixture *f, const char *subject, const char *email, bool verified, const char *name)
{
	struct provider_person who = { subject, email, verified, name };
	struct identity out;

	db_begin(f->db, true);
	out = identity_find(f->db, f->arena, "https://id.example", &who);
	db_commit(f->db);
	return out;
}

SQL(q_verified, "SELECT verified FROM account WHERE id = :id");
SQL(q_name, "SELECT name FROM account WHERE id = :id");

static struct stmt *
of_account(struct fixture *f, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(f->db, sql);

	bind_text(q, ":id", id);
	return q;
}

static void
a_person_is_known_by_the_subject_and_then_by_a_verified_address(void **state)
{
	struct fixture *f = *state;
	struct identity who;
	char *invited;

	assert_int_equal(find(f, "1", NULL, false, NULL).result, IDENTITY_NO_EMAIL);
	assert_int_equal(find(f, "1", "none", true, NULL).result, IDENTITY_NO_EMAIL);
	/* An id is no address. */
	assert_int_equal(find(f, "1", f->user, true, NULL).result, IDENTITY_NO_EMAIL);
	who = find(f, "1", "Ada@Example.com", false, NULL);
	assert_int_equal(who.result, IDENTITY_UNVERIFIED);
	assert_string_equal(who.account, f->user);
	who = find(f, "1", "Ada@Example.com", true, "Somebody");
	assert_int_equal(who.result, IDENTITY_LINKED);
	assert_string_equal(who.account, f->user);
	who = find(f, "1", "new@else.example", false, NULL);
	assert_int_equal(who.result, IDENTITY_KNOWN);
	assert_string_equal(who.account, f->user);
	/* Another subject, or the same of another issuer, is somebody else. */
	assert_int_equal(find(f, "2", "new@else.example", true, NULL).result, IDENTITY_STRANGER);
	db_begin(f->db, true);
	invited = user_invite(f->db, f->arena, "bob@example.com");
	db_commit(f->db);
	assert_int_equal(stmt_int(of_account(f, &q_verified, invited), -1), 0);
	assert_int_equal(find(f, "3", "bob@example.com", true, NULL).result, IDENTITY_LINKED);
	assert_int_equal(stmt_int(of_account(f, &q_verified, invited), -1), 1);
}

static void
an_account_is_made_for_a_domain_of_an_organization(void **state)
{
	struct fixture *f = *state;
	struct identity who;
	char *name;

	db_begin(f->db, true);
	org_domains(f->db, f->arena, f->org, "[\"Acme.example\"]");
	db_commit(f->db);
	assert_int_equal(find(f, "1", "eve@sub.acme.example", true, NULL).result, IDENTITY_STRANGER);
	assert_int_equal(find(f, "1", "eve@acme.example", false, NULL).result, IDENTITY_UNVERIFIED);
	who = find(f, "1", "EVE@ACME.example", true, "\tEve\n");
	assert_int_equal(who.result, IDENTITY_MADE);
	assert_int_equal(stmt_int(of_account(f, &q_verified, who.account), -1), 1);
	name = stmt_dup(of_account(f, &q_name, who.account), f->arena);
	assert_string_equal(name, "Eve");
	assert_int_equal(find(f, "1", NULL, false, NULL).result, IDENTITY_KNOWN);
	who = find(f, "2", "max@acme.example", true, NULL);
	name = stmt_dup(of_account(f, &q_name, who.account), f->arena);
	assert_string_equal(name, "max");
	/* A removed account is nobody, and the address is free again. */
	db_begin(f->db, true);
	user_forget(f->db, who.account);
	db_commit(f->db);
	assert_int_equal(find(f, "2", "max@acme.example", true, NULL).result, IDENTITY_MADE);
}

SQL(q_identity, "SELECT id FROM identity WHERE account = :id AND subject = '1'");

static void
an_unlinked_person_is_refused_whatever_the_address(void **state)
{
	struct fixture *f = *state;
	struct identity who;
	char *id;

	find(f, "1", "ada@example.com", true, NULL);
	id = stmt_dup(of_account(f, &q_identity, f->user), f->arena);
	db_begin(f->db, true);
	assert_true(identity_set_linked(f->db, f->user, id, false));
	assert_false(identity_set_linked(f->db, f->user, id, false));
	assert_false(identity_set_linked(f->db, "somebody else", id, true));
	db_commit(f->db);
	who = find(f, "1", "ada@example.com", true, NULL);
	assert_int_equal(who.result, IDENTITY_UNLINKED);
	assert_string_equal(who.account, f->user);
	db_begin(f->db, true);
	assert_true(identity_set_linked(f->db, f->user, id, true));
	db_commit(f->db);
	assert_int_equal(find(f, "1", NULL, false, NULL).result, IDENTITY_KNOWN);
}

static void
an_identity_is_spare_beside_a_password_or_another_one_of_the_issuer(void **state)
{
	struct fixture *f = *state;
	const char *issuer = "https://id.example";
	char *id;

	find(f, "1", "ada@example.com", true, NULL);
	id = stmt_dup(of_account(f, &q_identity, f->user), f->arena);
	db_begin(f->db, true);
	assert_false(identity_is_spare(f->db, f->user, id, issuer));
	assert_true(identity_is_spare(f->db, f->user, "another", issuer));
	assert_false(identity_is_spare(f->db, f->user, "another", "https://else.example"));
	password_set(f->db, f->user, "hash");
	assert_true(identity_is_spare(f->db, f->user, id, issuer));
	db_rollback(f->db);
	find(f, "2", "ada@example.com", true, NULL);
	db_begin(f->db, true);
	assert_true(identity_is_spare(f->db, f->user, id, issuer));
	/* One that is unlinked signs nobody in. */
	assert_true(identity_set_linked(f->db, f->user, id, false));
	assert_false(identity_is_spare(f->db, f->user, "another", "https://else.example"));
	db_rollback(f->db);
}

static void
tries_without_an_account_are_counted_by_their_network(void **state)
{
	struct fixture *f = *state;
	struct settings set = { .dir = f->dir };
	struct attempt here = { .address = "192.0.2.1" }, there = { .address = "192.0.2.2" };

	mkdir(arena_printf(f->arena, "%s/run", f->dir), 0700);
	for (int i = 0; i < THROTTLE_ADDRESS; i++)
		assert_int_equal(throttle_try(&set, &here, 1000000), 0);
	assert_in_range(throttle_try(&set, &here, 1000000), 1, 10);
	assert_int_equal(throttle_try(&set, &there, 1000000), 0);
	/* A success gives one back. */
	throttle_clear(&set, &here, 1000000);
	assert_int_equal(throttle_try(&set, &here, 1000000), 0);
	assert_int_not_equal(throttle_try(&set, &here, 1000000), 0);
	assert_int_equal(throttle_try(&set, &here, 1000000 + 10000), 0);
}

static void
a_program_that_is_missing_or_prints_nonsense_is_told(void **state)
{
	struct fixture *f = *state;
	struct settings set = { .dir = f->dir, .url = "https://a.example", .oidc_issuer = "https://id.example", .oidc_client = "c",
		.oidc_secret = "" };
	struct provider_answer answer = provider_begin(f->arena, &set, "/nowhere/octavo-oidc");

	assert_int_equal(answer.failure, PROVIDER_DOWN);
	assert_non_null(strstr(answer.message, "could not be started"));
	assert_int_equal(provider_begin(f->arena, &set, "/bin/true").failure, PROVIDER_DOWN);
	assert_int_equal(provider_begin(f->arena, &set, "/bin/false").failure, PROVIDER_DOWN);
	/* It prints the request, in which there is no address. */
	assert_int_equal(provider_begin(f->arena, &set, "/bin/cat").failure, PROVIDER_DOWN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_flow_comes_back_as_it_was_for_ten_minutes, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_flow_has_random_texts_of_the_lengths_that_pkce_takes, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_flow_is_used_once, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_browser_is_sent_with_everything_encoded, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_person_is_known_by_the_subject_and_then_by_a_verified_address, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_account_is_made_for_a_domain_of_an_organization, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_unlinked_person_is_refused_whatever_the_address, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_identity_is_spare_beside_a_password_or_another_one_of_the_issuer, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(tries_without_an_account_are_counted_by_their_network, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_program_that_is_missing_or_prints_nonsense_is_told, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
