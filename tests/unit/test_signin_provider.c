/* Sign-ins at the provider (signin/flow.h), the account that a person gets (signin/identity.h), and the limits on tries. */
#include "db_fixture.h"
#include "base/json.h"
#include "signin/code.h"
#include "signin/flow.h"
#include "signin/identity.h"
#include "signin/password.h"
#include "signin/provider.h"
#include "signin/session.h"
#include "app/throttle.h"

static void
a_flow_comes_back_as_it_was_for_ten_minutes(void **state)
{
	struct fixture *f = *state;
	struct flow made = flow_make(f->arena, "providerOfAcme", "https://id.example/", 1000), got;
	char *text, *changed;

	made.session = "aSession";
	made.from = "192.0.2.7";
	made.sends_issuer = true;
	text = flow_seal(f->arena, &made);

	assert_true(flow_unseal(f->arena, text, 1000 + FLOW_SECONDS * 1000 - 1, &got));
	assert_string_equal(got.provider, "providerOfAcme");
	assert_string_equal(got.session, "aSession");
	assert_string_equal(got.from, "192.0.2.7");
	assert_string_equal(got.issuer, "https://id.example/");
	assert_string_equal(got.state, made.state);
	assert_string_equal(got.nonce, made.nonce);
	assert_string_equal(got.verifier, made.verifier);
	assert_true(got.sends_issuer);
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
	struct flow a = flow_make(f->arena, "", "x", 0), b = flow_make(f->arena, "", "x", 0);

	assert_string_not_equal(a.state, b.state);
	assert_string_not_equal(a.nonce, b.nonce);
	assert_string_not_equal(a.verifier, b.verifier);
	assert_in_range(strlen(a.verifier), CODE_VERIFIER_LEAST, CODE_VERIFIER_MOST);
}

static void
a_flow_is_used_once(void **state)
{
	struct fixture *f = *state;
	struct flow one = flow_make(f->arena, "", "x", 1000), two = flow_make(f->arena, "", "x", 1000);

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
	struct flow flow = { "", "i", "s", "n", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", false, 0, "" };
	struct provider p = provider_installed(&set), own = { .id = "p1", .org = "acme", .client = "c" };

	/* The pair of RFC 7636, appendix B. */
	assert_string_equal(provider_url(f->arena, &set, &p, "https://id.example/a", &flow),
	    "https://id.example/a?response_type=code&client_id=a%26b%20c&redirect_uri=https%3A%2F%2Fdocs.example.com%2Fwiki%2Fapp%2F"
	    "provider%2Freturn&scope=openid%20email%20profile&state=s&nonce=n"
	    "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256");
	assert_true(str_starts(str_of(provider_url(f->arena, &set, &p, "https://id.example/a?b=c", &flow)),
	    "https://id.example/a?b=c&response_type=code&"));
	/* Each provider has an address of its own to come back to. */
	assert_non_null(strstr(provider_url(f->arena, &set, &own, "https://id.example/a", &flow),
	    "client_id=c&redirect_uri=https%3A%2F%2Fdocs.example.com%2Fwiki%2Fapp%2Fsso%2Fp1%2Freturn&"));
}

static struct identity
find_at(struct fixture *f, const struct provider *p, const struct provider_person *who, const char *session)
{
	struct identity out;

	db_begin(f->db, true);
	out = identity_find(f->db, f->arena, p, who, session);
	db_commit(f->db);
	return out;
}

static struct identity
find(struct fixture *f, const char *subject, const char *email, bool verified, const char *name)
{
	struct provider p = { .id = "", .issuer = "https://id.example" };

	return find_at(f, &p, &(struct provider_person){ subject, email, verified, name }, "");
}

/* At the provider of the fixture's organization. */
static struct identity
find_in_org(struct fixture *f, const char *subject, const char *email, bool verified)
{
	struct provider p = { .id = "p1", .org = f->org, .issuer = "https://id.example" };

	return find_at(f, &p, &(struct provider_person){ subject, email, verified, "Somebody" }, "");
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

SQL(q_passkey,
    "INSERT INTO passkey (id, account, rp, credential, kind, key, count, label, created_at) "
    "VALUES ('k', :id, :rp, x'01', -7, x'02', 0, 'Key', 0)");

static void
an_identity_is_spare_beside_a_passkey_of_this_host(void **state)
{
	static const char *const hosts[] = { "octavo.example", "else.example" };
	struct fixture *f = *state;
	struct stmt *q;
	size_t i;
	char *id;

	find(f, "1", "ada@example.com", true, NULL);
	id = stmt_dup(of_account(f, &q_identity, f->user), f->arena);
	for (i = 0; i < 2; i++) {
		db_begin(f->db, true);
		q = of_account(f, &q_passkey, f->user);
		bind_text(q, ":rp", hosts[i]);
		stmt_run(q);
		assert_int_equal(identity_is_spare(f->db, f->user, id, "octavo.example", "https://id.example"), i == 0);
		/* The passkey itself is spare while the identity remains, and only then. */
		assert_true(identity_is_spare(f->db, f->user, "k", "octavo.example", "https://id.example"));
		assert_true(identity_set_linked(f->db, f->user, id, false));
		assert_false(identity_is_spare(f->db, f->user, "k", "octavo.example", "https://id.example"));
		db_rollback(f->db);
	}
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
	assert_false(identity_is_spare(f->db, f->user, id, "octavo.example", issuer));
	assert_true(identity_is_spare(f->db, f->user, "another", "octavo.example", issuer));
	assert_false(identity_is_spare(f->db, f->user, "another", "octavo.example", "https://else.example"));
	password_set(f->db, f->user, "hash");
	assert_true(identity_is_spare(f->db, f->user, id, "octavo.example", issuer));
	db_rollback(f->db);
	find(f, "2", "ada@example.com", true, NULL);
	db_begin(f->db, true);
	assert_true(identity_is_spare(f->db, f->user, id, "octavo.example", issuer));
	/* One that is unlinked signs nobody in. */
	assert_true(identity_set_linked(f->db, f->user, id, false));
	assert_false(identity_is_spare(f->db, f->user, "another", "octavo.example", "https://else.example"));
	db_rollback(f->db);
}

SQL(q_trust, "UPDATE member SET sso = 1 WHERE org = :org AND account = :id");
SQL(q_address, "SELECT address FROM account WHERE id = :id");

static void
an_organizations_provider_opens_no_account_by_its_address(void **state)
{
	struct fixture *f = *state;
	struct identity who = find_in_org(f, "1", "ada@example.com", true), other;
	struct stmt *q;

	/* Ada has this address, and the provider makes an account beside hers. */
	assert_int_equal(who.result, IDENTITY_MADE);
	assert_string_not_equal(who.account, f->user);
	assert_string_equal(stmt_dup(of_account(f, &q_address, who.account), f->arena), "ada@example.com");
	assert_int_equal(stmt_int(of_account(f, &q_verified, who.account), -1), 0);
	/* Nothing finds that account by an address: neither the one that it shows, nor the one in its row. */
	assert_string_equal(user_find(f->db, f->arena, "ada@example.com"), f->user);
	assert_null(user_find(f->db, f->arena, arena_printf(f->arena, "%s@provider.octavo.invalid", who.account)));
	assert_null(user_find(f->db, f->arena, arena_printf(f->arena, "%s@Provider.octavo.invalid", who.account)));
	/* The provider of the installation signs in Ada, whom the same issuer and subject may be. */
	other = find(f, "1", "ada@example.com", true, NULL);
	assert_int_equal(other.result, IDENTITY_LINKED);
	assert_string_equal(other.account, f->user);
	/* The person is known from now on, whatever the address. */
	other = find_in_org(f, "1", "else@example.com", false);
	assert_int_equal(other.result, IDENTITY_KNOWN);
	assert_string_equal(other.account, who.account);
	/* An address that is not verified is not shown; without one there is an account, too. */
	who = find_in_org(f, "2", "boss@example.com", false);
	assert_int_equal(who.result, IDENTITY_MADE);
	assert_string_equal(stmt_dup(of_account(f, &q_address, who.account), f->arena), "");
	assert_int_equal(find_in_org(f, "3", NULL, false).result, IDENTITY_MADE);
	/* A member whom the organization trusts it to know. */
	db_begin(f->db, true);
	q = of_account(f, &q_trust, f->user);
	bind_text(q, ":org", f->org);
	assert_int_equal(stmt_run(q), 1);
	db_commit(f->db);
	assert_int_equal(find_in_org(f, "4", "ada@example.com", false).result, IDENTITY_UNVERIFIED);
	who = find_in_org(f, "4", "ADA@example.com", true);
	assert_int_equal(who.result, IDENTITY_LINKED);
	assert_string_equal(who.account, f->user);
}

SQL(q_off, "UPDATE member SET disabled = 1 WHERE org = :org AND account = :id");

static void
a_disabled_member_does_not_come_in_as_somebody_else(void **state)
{
	struct fixture *f = *state;
	struct identity apart = find_in_org(f, "1", "eve@example.com", true), who;
	struct stmt *q;

	db_begin(f->db, true);
	member_set(f->db, f->org, apart.account, ROLE_READ);
	q = of_account(f, &q_off, f->user);
	bind_text(q, ":org", f->org);
	assert_int_equal(stmt_run(q), 1);
	q = of_account(f, &q_off, apart.account);
	bind_text(q, ":org", f->org);
	assert_int_equal(stmt_run(q), 1);
	db_commit(f->db);
	who = find_in_org(f, "2", "Ada@example.com", true);
	assert_int_equal(who.result, IDENTITY_DISABLED);
	assert_string_equal(who.account, f->user);
	assert_int_equal(find_in_org(f, "2", "ada@example.com", false).result, IDENTITY_DISABLED);
	/* An account that a provider made has its address in another column. */
	who = find_in_org(f, "3", "eve@example.com", true);
	assert_int_equal(who.result, IDENTITY_DISABLED);
	assert_string_equal(who.account, apart.account);
	assert_int_equal(find_in_org(f, "2", "else@example.com", true).result, IDENTITY_MADE);
	assert_int_equal(find_in_org(f, "4", NULL, false).result, IDENTITY_MADE);
}

static void
a_session_links_its_account_while_it_lasts(void **state)
{
	struct fixture *f = *state;
	struct settings set = { .session_days = 1 };
	struct provider p = { .id = "p1", .org = f->org, .issuer = "https://id.example" };
	struct provider_person who = { "1", "ada@example.com", true, NULL };
	struct session whole = { .account = f->user, .way = "password" }, bound = { .account = f->user, .way = "provider", .org = f->org };
	struct identity apart = find_in_org(f, "1", "ada@example.com", true), out;

	db_begin(f->db, true);
	session_make(f->db, f->arena, &set, &whole);
	session_make(f->db, f->arena, &set, &bound);
	db_commit(f->db);
	/* One that an organization's provider made is not the account's earlier means. */
	assert_int_equal(find_at(f, &p, &who, bound.id).result, IDENTITY_ENDED);
	assert_int_equal(find_at(f, &p, &who, "none").result, IDENTITY_ENDED);
	assert_string_equal(find_in_org(f, "1", NULL, false).account, apart.account);
	out = find_at(f, &p, &who, whole.id);
	assert_int_equal(out.result, IDENTITY_LINKED);
	assert_string_equal(out.account, f->user);
	assert_string_equal(find_in_org(f, "1", NULL, false).account, f->user);
	/* The address of the account is not verified by it. */
	db_begin(f->db, true);
	assert_true(session_end(f->db, f->user, NULL, whole.id));
	db_commit(f->db);
	assert_int_equal(find_at(f, &p, &who, whole.id).result, IDENTITY_ENDED);
}

SQL(q_sessions, "SELECT count(*) FROM session WHERE provider = 'p1'");
SQL(q_identities, "SELECT count(*) FROM identity WHERE provider = 'p1'");

static int64_t
count_of(struct fixture *f, const struct sql *sql)
{
	return stmt_int(db_use(f->db, sql), -1);
}

SQL(q_provider, "INSERT INTO oidc_provider (id, org, label, issuer, client, secret, created_at) "
    "VALUES ('p1', :org, 'Acme', 'https://id.example', 'c', :secret, 1)");
SQL(q_rename, "UPDATE oidc_provider SET label = 'New', issuer = :issuer WHERE id = 'p1'");
SQL(q_end_provider, "DELETE FROM oidc_provider WHERE id = 'p1'");

static void
what_a_provider_made_ends_with_it(void **state)
{
	struct fixture *f = *state;
	struct settings set = { .session_days = 1 };
	struct session one = { .account = f->user, .way = "provider", .org = f->org, .provider = "p1" }, two = one;
	struct provider p;
	struct stmt *q;

	assert_false(provider_find(f->db, f->arena, &set, "p1", &p));
	db_begin(f->db, true);
	q = db_use(f->db, &q_provider);
	bind_text(q, ":org", f->org);
	bind_blob(q, ":secret", provider_seal_secret(f->arena, "s3cret"));
	stmt_run(q);
	db_commit(f->db);
	assert_true(provider_find(f->db, f->arena, &set, "p1", &p));
	assert_string_equal(p.secret, "s3cret");
	assert_false(p.private_hosts);
	find_in_org(f, "1", NULL, false);
	db_begin(f->db, true);
	session_make(f->db, f->arena, &set, &one);
	q = db_use(f->db, &q_rename);
	bind_text(q, ":issuer", "https://id.example");
	stmt_run(q);
	assert_int_equal(count_of(f, &q_sessions), 1);
	/* Somebody else is the provider from now on. */
	bind_text(q, ":issuer", "https://other.example");
	stmt_run(q);
	assert_int_equal(count_of(f, &q_sessions), 0);
	session_make(f->db, f->arena, &set, &two);
	assert_int_equal(count_of(f, &q_identities), 1);
	stmt_run(db_use(f->db, &q_end_provider));
	assert_int_equal(count_of(f, &q_sessions), 0);
	assert_int_equal(count_of(f, &q_identities), 0);
	db_commit(f->db);
}

static void
an_issuer_of_an_organization_is_public_and_https(void **state)
{
	static const char *const bad[] = { "http://id.example", "https://127.0.0.1/", "https://10.0.0.1", "https://[::1]/", "https://id.example?x",
		"https://id.example/#x", "https://user:word@id.example", "ftp://id.example", "id.example" };
	struct fixture *f = *state;
	struct settings set = { .fetch_private = false };

	assert_null(provider_issuer_fault(f->arena, &set, "https://id.example/realms/acme"));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_non_null(provider_issuer_fault(f->arena, &set, bad[i]));
	set.fetch_private = true;
	assert_null(provider_issuer_fault(f->arena, &set, "http://127.0.0.1:8080"));
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
	struct provider p = provider_installed(&set);
	struct flow flow = flow_make(f->arena, "", p.issuer, 0);
	struct provider_answer answer = provider_begin(f->arena, &set, &p, "/nowhere/octavo-oidc", &flow);

	assert_int_equal(answer.failure, PROVIDER_DOWN);
	assert_non_null(strstr(answer.message, "could not be started"));
	assert_int_equal(provider_begin(f->arena, &set, &p, "/bin/true", &flow).failure, PROVIDER_DOWN);
	assert_int_equal(provider_begin(f->arena, &set, &p, "/bin/false", &flow).failure, PROVIDER_DOWN);
	/* It prints the request, in which there is no address. */
	assert_int_equal(provider_begin(f->arena, &set, &p, "/bin/cat", &flow).failure, PROVIDER_DOWN);
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
		cmocka_unit_test_setup_teardown(an_identity_is_spare_beside_a_passkey_of_this_host, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_identity_is_spare_beside_a_password_or_another_one_of_the_issuer, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_organizations_provider_opens_no_account_by_its_address, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_disabled_member_does_not_come_in_as_somebody_else, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_session_links_its_account_while_it_lasts, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(what_a_provider_made_ends_with_it, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_issuer_of_an_organization_is_public_and_https, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(tries_without_an_account_are_counted_by_their_network, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_program_that_is_missing_or_prints_nonsense_is_told, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
