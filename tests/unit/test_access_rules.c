/*
 * Each rule of access (routes.def, check_access()), tested through one operation that has it, by a
 * caller of each role in the organization: who gets 404 (may not know the object), who gets 403
 * with the missing role, and who is allowed. An allowed write fails at its body, which is no JSON
 * (400), so that nothing changes and one database serves all cases. tests/http/access.sh tests
 * every operation in the same way.
 */
#include "api/routes.h"
#include "../memory_io.h"

#include "db_fixture.h"

enum { STRANGER = 0, GUEST, READ, COMMENT, EDIT, REVIEW, CREATE, ADMIN, CALLERS, NOBODY = CALLERS };

static struct settings set;
static char *user[CALLERS], *token[CALLERS];
static char *reads, *writes;      /* an admin's tokens with the scopes read and write */
static const char *const roles[] = { "none", "none", "read", "comment", "edit", "review", "create", "admin" };

static struct memory_io
ask(struct fixture *f, const char *bearer, const char *method, const char *path, const char *body)
{
	struct arena *a = arena_new(64 << 20);
	struct memory_io m = { 0 };

	memory_request(&m, f->arena, method, path, bearer, body == NULL ? (struct str){ NULL, 0 } : str_of(body));
	memory_serve(&m, a, f->db, &set, &octavo_app);
	arena_free(a);
	return m;
}

/* Sends a request, which must answer with status `want`; returns the body, allocated from the fixture's arena. */
static const char *
told(struct fixture *f, const char *bearer, const char *method, const char *path, const char *body, int want)
{
	struct memory_io m = ask(f, bearer, method, path, body);
	const char *text = arena_strdup(f->arena, m.text);

	if (m.status != want)
		fail_msg("%s %s: %d instead of %d: %s", method, path, m.status, want, m.text);
	memory_free(&m);
	return text;
}

static char *
at(struct fixture *f, const char *path)
{
	return arena_printf(f->arena, "/v1/spaces/%s%s", f->space, path);
}

static char *
of(struct fixture *f, const char *path)
{
	return arena_printf(f->arena, "/v1/orgs/%s%s", f->org, path);
}

static void
run(struct fixture *f, const char *sql)
{
	const char *error = NULL;

	if (!db_script(f->db, f->arena, sql, &error))
		fail_msg("%s: %s", sql, error);
}

/*
 * Makes change request 1, whose author now has only the role "read", and request 2, which was
 * merged after request 1 began.
 */
static void
requests_make(struct fixture *f)
{
	told(f, token[EDIT], "POST", at(f, "/change-requests"), "{\"subject\":\"First\"}", 201);
	told(f, token[ADMIN], "POST", at(f, "/change-requests"), "{\"subject\":\"Second\"}", 201);
	run(f, arena_printf(f->arena, "UPDATE change_request SET created_by = '%s' WHERE number = 1", user[READ]));
	told(f, token[ADMIN], "POST", at(f, "/change-requests/2/content"), "{\"changes\":[{\"operation\":\"insert_page\","
	    "\"title\":\"Page\",\"document\":{\"markdown\":\"Text\"}}]}", 200);
	told(f, token[ADMIN], "POST", at(f, "/change-requests/2/merge"), NULL, 200);
}

static void
people_make(struct fixture *f)
{
	int i;

	db_begin(f->db, true);
	for (i = STRANGER; i < CALLERS; i++) {
		user[i] = user_make(f->db, f->arena, arena_printf(f->arena, "%d@example.com", i), "Somebody");
		if (i >= GUEST)
			member_set(f->db, f->org, user[i], i - GUEST);
		token[i] = token_make(f->db, f->arena, user[i], "admin", "", 0);
	}
	reads = token_make(f->db, f->arena, user[ADMIN], "read", "", 0);
	writes = token_make(f->db, f->arena, user[ADMIN], "write", "", 0);
	db_commit(f->db);
}

static int
setup(void **state)
{
	struct fixture *f;

	db_setup(state);
	f = *state;
	set = db_settings(f);
	people_make(f);
	run(f, arena_printf(f->arena,
	    "INSERT INTO team (id, org, title, created_at) VALUES ('team', '%1$s', 'Team', 0), ('owned', '%1$s', 'Owned', 0);"
	    "INSERT INTO team_member (team, account, role) VALUES ('owned', '%2$s', 'owner');"
	    "INSERT INTO collection (id, org, title, ord, created_at, updated_at) VALUES ('around', '%1$s', 'Around', 'D', 0, 0);"
	    "INSERT INTO site (id, org, type, title, basename, visibility, created_at, updated_at) "
	    "VALUES ('site', '%1$s', 'basic', 'Site', 'site', 'public', 0, 0)", f->org, user[GUEST]));
	requests_make(f);
	return 0;
}

/*
 * known: the lowest caller that does not get 404. may: the lowest that does not get 403; NOBODY:
 * only the author of the object. done: the status for callers that may. what: the object named in
 * the 403. @o is the organization, @s the space, @a an admin, @g the guest. "{" is no JSON.
 */
static const struct rule { const char *method, *path, *body; int known, may, done; const char *what; } rules[] = {
	{ "GET",   "/v1/orgs/@o", NULL, GUEST, GUEST, 200, "organization" },
	{ "GET",   "/v1/orgs/@o/agent-instructions", NULL, GUEST, READ, 200, "organization" },
	{ "GET",   "/v1/orgs/@o/conversations", NULL, GUEST, CREATE, 200, "organization" },
	{ "GET",   "/v1/orgs/@o/audit-events", NULL, GUEST, ADMIN, 200, "organization" },
	{ "GET",   "/v1/orgs/@o/members/@a", NULL, GUEST, READ, 200, "organization" },
	{ "GET",   "/v1/orgs/@o/members/@g", NULL, GUEST, GUEST, 200, NULL },
	{ "GET",   "/v1/orgs/@o/link-invites", NULL, GUEST, ADMIN, 200, NULL },
	{ "GET",   "/v1/orgs/@o/sites", NULL, GUEST, CREATE, 200, "organization" },
	{ "GET",   "/v1/orgs/@o/sites/site", NULL, CREATE, CREATE, 200, NULL },
	{ "PATCH", "/v1/orgs/@o/sites/site", "{", CREATE, CREATE, 400, NULL },
	{ "GET",   "/v1/orgs/@o/sites/none", NULL, NOBODY, NOBODY, 0, NULL },
	{ "GET",   "/v1/orgs/@o/teams/team", NULL, GUEST, READ, 200, "organization" },
	{ "GET",   "/v1/orgs/@o/teams/owned", NULL, GUEST, GUEST, 200, NULL },
	{ "PATCH", "/v1/orgs/@o/teams/team", "{", GUEST, ADMIN, 400, NULL },
	{ "POST",  "/v1/orgs/@o/collections", "{\"title\":\"\",\"none\":", GUEST, GUEST, 400, NULL },
	{ "GET",   "/v1/collections/around", NULL, READ, READ, 200, NULL },
	{ "PATCH", "/v1/collections/around", "{", READ, CREATE, 400, "collection" },
	{ "GET",   "/v1/spaces/@s", NULL, READ, READ, 200, NULL },
	{ "POST",  "/v1/spaces/@s/comments", "{", READ, COMMENT, 400, "space" },
	{ "POST",  "/v1/spaces/@s/change-requests", "{", READ, EDIT, 400, "space" },
	{ "POST",  "/v1/spaces/@s/git/import", "{", READ, REVIEW, 400, "space" },
	{ "POST",  "/v1/spaces/@s/content/template", "{", READ, EDIT, 400, "space" },
	{ "POST",  "/v1/spaces/@s/content/template", "{\"id\":\"none\"}", READ, REVIEW, 0, NULL },
	{ "PATCH", "/v1/spaces/@s", "{", READ, CREATE, 400, "space" },
	{ "PATCH", "/v1/spaces/@s/change-requests/2", "{", READ, EDIT, 400, "space" },
	{ "GET",   "/v1/spaces/@s/change-requests/3", NULL, NOBODY, NOBODY, 0, NULL },
	{ "PATCH", "/v1/users/@a", "{", GUEST, ADMIN, 400, NULL },
};

static const char *
path_filled(struct fixture *f, const char *path)
{
	const char *p, *id;
	struct buf b;

	buf_init(&b, f->arena, 1000);
	for (p = path; *p != '\0'; p++) {
		if (*p != '@') {
			buf_char(&b, *p);
			continue;
		}
		p++;
		id = *p == 'o' ? f->org : *p == 's' ? f->space : *p == 'a' ? user[ADMIN] : user[GUEST];
		buf_str(&b, id);
	}
	return b.p;
}

static void
rule_by(struct fixture *f, const struct rule *x, int who)
{
	const char *path = path_filled(f, x->path);
	struct memory_io m = ask(f, token[who], x->method, path, x->body);
	int want = who < x->known ? 404 : who < x->may ? 403 : x->done;

	if (want == 0 ? m.status == 403 : m.status != want)
		fail_msg("%s %s by \"%s\": %d instead of %d: %s", x->method, path, roles[who], m.status, want, m.text);
	if (want == 403 && x->what != NULL && strstr(m.text, arena_printf(f->arena,
	    "this takes the role \\\"%s\\\" on the %s; you have \\\"%s\\\"", roles[x->may], x->what, roles[who])) == NULL)
		fail_msg("%s by \"%s\": %s", path, roles[who], m.text);
	memory_free(&m);
}

static void
each_rule_answers_every_caller(void **state)
{
	size_t i;
	int who;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		for (who = STRANGER; who < CALLERS; who++)
			rule_by(*state, &rules[i], who);
}

/* The author of a change request needs to read the space only; others need "edit". */
static void
an_author_changes_their_own_request(void **state)
{
	struct fixture *f = *state;

	told(f, token[READ], "PATCH", at(f, "/change-requests/1"), "{", 400);
	told(f, token[COMMENT], "PATCH", at(f, "/change-requests/1"), "{", 403);
	told(f, token[EDIT], "PATCH", at(f, "/change-requests/1"), "{", 400);
	told(f, token[GUEST], "PATCH", at(f, "/change-requests/1"), "{", 404);
}

/* A token's scope limits what the caller may do: the answer is 403, not 404, for objects that the user may know. */
static void
a_scope_bounds_and_hides_nothing(void **state)
{
	struct fixture *f = *state;

	told(f, reads, "GET", of(f, "/sites/site"), NULL, 200);
	assert_non_null(strstr(told(f, reads, "GET", of(f, "/conversations"), NULL, 403), "you have \\\"read\\\""));
	assert_non_null(strstr(told(f, reads, "GET", of(f, "/sites/site/publishing/auth"), NULL, 403),
	    "this takes the role \\\"create\\\" on the site; you have \\\"read\\\""));
	told(f, writes, "GET", of(f, "/sites/site/publishing/auth"), NULL, 200);
	told(f, writes, "GET", of(f, "/audit-events"), NULL, 403);
}

/* A number of up to fifteen digits without leading zeros; anything else is read as an id. */
static void
a_request_number_has_one_spelling(void **state)
{
	static const char *const none[] = { "01", "1x", "+1", "0", "3", "1234567890123456" };
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		told(f, token[READ], "GET", at(f, arena_printf(f->arena, "/change-requests/%s", none[i])), NULL, 404);
	run(f, "UPDATE change_request SET number = 123456789012345 WHERE number = 2");
	told(f, token[READ], "GET", at(f, "/change-requests/123456789012345"), NULL, 200);
	run(f, "UPDATE change_request SET number = 1234567890123456 WHERE number = 123456789012345");
	told(f, token[READ], "GET", at(f, "/change-requests/1234567890123456"), NULL, 404);
	run(f, "UPDATE change_request SET number = 2 WHERE number = 1234567890123456");
	assert_non_null(strstr(told(f, token[READ], "GET", at(f, "/change-requests/1"), NULL, 200), "\"outdated\":true"));
	assert_non_null(strstr(told(f, token[READ], "GET", at(f, "/change-requests/2"), NULL, 200), "\"outdated\":false"));
}

/* Requests are found by id within their own space only; answers name the request's number and status. */
static void
a_request_answers_what_is_its_own(void **state)
{
	struct fixture *f = *state;
	char *id = arena_strdup(f->arena, strstr(told(f, token[READ], "GET", at(f, "/change-requests/2"), NULL, 200),
	    "\"id\":\"") + 6);

	id[strcspn(id, "\"")] = '\0';
	assert_non_null(strstr(told(f, token[READ], "GET", at(f, arena_printf(f->arena, "/change-requests/%s", id)), NULL, 200),
	    "\"number\":2,"));
	told(f, token[READ], "GET", arena_printf(f->arena, "/v1/spaces/none/change-requests/%s", id), NULL, 404);
	assert_non_null(strstr(told(f, token[ADMIN], "PATCH", at(f, "/change-requests/2"), "{\"status\":\"open\"}", 409),
	    "change request 2 is merged"));
	assert_non_null(strstr(told(f, token[ADMIN], "POST", at(f, "/change-requests/2/merge"), NULL, 409),
	    "change request 2 is merged"));
}

/* Merge rules read properties of the change request itself: author, subject, description, whether main has moved. */
static void
merge_rules_hold_a_request_up(void **state)
{
	static const struct { const char *rule, *why; } asked[] = {
		{ "require_author_to_merge", "only its author may merge it" }, { "require_change_request_subject", "it has no subject" },
		{ "require_change_request_description", "it has no description" },
		{ "require_up_to_date_change_request", "the primary content has changed since" } };
	static const struct { int number; bool says[4]; } requests[] = {
		{ 1, { true, false, true, true } }, { 3, { false, true, true, false } }, { 4, { true, false, false, false } } };
	struct fixture *f = *state;
	const char *text;

	told(f, token[ADMIN], "POST", at(f, "/change-requests"), "{}", 201);
	told(f, token[EDIT], "POST", at(f, "/change-requests"), "{\"subject\":\"Other\"}", 201);
	told(f, token[EDIT], "PATCH", at(f, "/change-requests/4"), "{\"description\":{\"object\":\"document\",\"data\":{},"
	    "\"nodes\":[{\"object\":\"block\",\"type\":\"paragraph\",\"data\":{},\"nodes\":[{\"object\":\"text\",\"leaves\":"
	    "[{\"object\":\"leaf\",\"text\":\"Why\",\"marks\":[]}]}]}]}}", 200);
	for (size_t k = 0; k < 4; k++) {
		/* The first rule that is not met is reported; the second one cannot be met. */
		told(f, token[ADMIN], "PATCH", at(f, ""), arena_printf(f->arena, "{\"mergeRules\":{\"type\":\"rules\",\"rules\":["
		    "{\"rule\":\"%s\"},{\"rule\":\"require_agent_review\"}]}}", asked[k].rule), 200);
		for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
			text = told(f, token[ADMIN], "POST", at(f, arena_printf(f->arena, "/change-requests/%d/merge",
			    requests[i].number)), NULL, 412);
			if ((strstr(text, asked[k].why) != NULL) != requests[i].says[k])
				fail_msg("%d, %s: %s", requests[i].number, asked[k].rule, text);
		}
	}
	told(f, token[ADMIN], "PATCH", at(f, ""), "{\"mergeRules\":{\"type\":\"none\"}}", 200);
}

/* A caller cannot grant a role above their own; the message names the caller's role. */
static void
nobody_grants_above_their_role(void **state)
{
	struct fixture *f = *state;
	char *body = arena_printf(f->arena, "{\"role\":\"admin\",\"users\":[\"%s\"]}", user[GUEST]);

	assert_non_null(strstr(told(f, token[CREATE], "POST", at(f, "/permissions"), body, 403), "you have \\\"create\\\""));
	assert_non_null(strstr(told(f, writes, "PATCH", at(f, ""), "{\"defaultLevel\":\"admin\"}", 403),
	    "you have \\\"create\\\""));
}

/* Creating needs a role on the parent: the message names the parent (organization or collection) and the role. */
static void
a_new_thing_needs_a_role_where_it_goes(void **state)
{
	struct fixture *f = *state;

	assert_non_null(strstr(told(f, token[REVIEW], "POST", of(f, "/collections"), "{\"title\":\"New\"}", 403),
	    "this takes the role \\\"create\\\" on the organization; you have \\\"review\\\""));
	assert_non_null(strstr(told(f, token[READ], "POST", of(f, "/spaces"), "{\"parent\":\"around\"}", 403),
	    "this takes the role \\\"create\\\" on the collection; you have \\\"read\\\""));
	told(f, token[GUEST], "POST", of(f, "/spaces"), "{\"parent\":\"around\"}", 404);
	told(f, token[ADMIN], "POST", of(f, "/spaces"), "{\"parent\":\"none\"}", 404);
}

/* A valid body with the path of another user changes nobody. */
static void
nobody_changes_another_user(void **state)
{
	struct fixture *f = *state;
	char *other = arena_printf(f->arena, "/v1/users/%s", user[ADMIN]);

	told(f, token[STRANGER], "PATCH", other, "{\"displayName\":\"Mallory\"}", 404);
	told(f, token[READ], "PATCH", other, "{\"displayName\":\"Mallory\"}", 403);
	assert_null(strstr(told(f, token[ADMIN], "GET", "/v1/user", NULL, 200), "Mallory"));
	assert_null(strstr(told(f, token[STRANGER], "GET", "/v1/user", NULL, 200), "Mallory"));
	told(f, token[ADMIN], "PATCH", other, "{\"displayName\":\"Ada\"}", 200);
}

/* A comment's text may be changed by its author and by callers with "create"; all who may comment can resolve it. */
static void
comments_of_others_need_a_role(void **state)
{
	struct fixture *f = *state;
	char *comment = arena_strdup(f->arena, strstr(told(f, token[COMMENT], "POST", at(f, "/comments"),
	    "{\"body\":{\"markdown\":\"Text\"}}", 200), "\"id\":\"") + 6), *path;
	int who;

	comment[strcspn(comment, "\"")] = '\0';
	path = at(f, arena_printf(f->arena, "/comments/%s", comment));
	for (who = GUEST; who < CALLERS; who++) {
		told(f, token[who], "PUT", path, "{\"body\":{\"markdown\":\"Other\"}}",
		    who == GUEST ? 404 : who == COMMENT || who >= CREATE ? 200 : 403);
		told(f, token[who], "PUT", path, "{\"resolved\":true}", who == GUEST ? 404 : who == READ ? 403 : 200);
	}
	assert_non_null(strstr(told(f, token[READ], "PUT", path, "{\"resolved\":true}", 403),
	    "this takes the role \\\"comment\\\" on the space; you have \\\"read\\\""));
	assert_non_null(strstr(told(f, token[REVIEW], "DELETE", path, NULL, 403), "\\\"create\\\" on the space"));
	told(f, token[COMMENT], "DELETE", path, NULL, 204);
}

/*
 * For existing and missing teams: a guest who owns none gets the same answer for both, other
 * members can distinguish them. Owners of a team manage it, its members do not.
 */
static void
hidden_teams_answer_like_unknown_ones(void **state)
{
	struct fixture *f = *state;
	char *own;

	run(f, arena_printf(f->arena,
	    "INSERT INTO org (id, title, created_at) SELECT 'other', title, created_at FROM org;"
	    "INSERT INTO team (id, org, title, created_at) VALUES ('mixed', '%s', 'Mixed', 0), ('far', 'other', 'Far', 0);"
	    "INSERT INTO team_member (team, account, role) VALUES ('mixed', '%s', 'owner'), ('mixed', '%s', 'member'), "
	    "('mixed', '%s', 'member'), ('far', '%s', 'owner')", f->org, user[READ], user[COMMENT], user[GUEST], user[READ]));
	told(f, token[GUEST], "GET", of(f, "/teams/none"), NULL, 403);
	told(f, token[GUEST], "GET", of(f, "/teams/mixed"), NULL, 403);
	told(f, token[GUEST], "PATCH", of(f, "/teams/none"), "{", 403);
	told(f, token[GUEST], "PATCH", of(f, "/teams/mixed"), "{", 403);
	told(f, token[GUEST], "PATCH", of(f, "/teams/owned"), "{", 400);
	told(f, token[READ], "GET", of(f, "/teams/none"), NULL, 404);
	told(f, token[READ], "PATCH", of(f, "/teams/none"), "{", 404);
	told(f, token[READ], "PATCH", of(f, "/teams/mixed"), "{", 400);
	told(f, token[READ], "PATCH", of(f, "/teams/owned"), "{", 403);
	told(f, token[COMMENT], "GET", of(f, "/teams/mixed"), NULL, 200);
	told(f, token[COMMENT], "PATCH", of(f, "/teams/mixed"), "{", 403);
	told(f, token[ADMIN], "PATCH", of(f, "/teams/none"), "{", 404);
	told(f, token[ADMIN], "PATCH", of(f, "/teams/far"), "{", 404);
	told(f, token[READ], "GET", of(f, "/teams/far"), NULL, 404);
	db_begin(f->db, true);
	own = token_make(f->db, f->arena, user[READ], "write", "", 0);
	db_commit(f->db);
	told(f, own, "PATCH", of(f, "/teams/mixed"), "{", 400);
	told(f, writes, "PATCH", of(f, "/teams/mixed"), "{", 403);
}

/* A guest sees the link invites of spaces that they manage, and no others. */
static void
a_guest_sees_links_they_manage(void **state)
{
	struct fixture *f = *state;
	char *list = of(f, "/link-invites?space="), *space;

	space = arena_strdup(f->arena, strstr(told(f, token[ADMIN], "POST", of(f, "/spaces"), "{\"title\":\"Shared\"}", 201),
	    "\"id\":\"") + 6);
	space[strcspn(space, "\"")] = '\0';
	told(f, token[ADMIN], "POST", arena_printf(f->arena, "/v1/spaces/%s/permissions", space),
	    arena_printf(f->arena, "{\"role\":\"create\",\"users\":[\"%s\"]}", user[GUEST]), 204);
	told(f, token[GUEST], "GET", arena_printf(f->arena, "%s%s", list, space), NULL, 200);
	told(f, token[GUEST], "GET", arena_printf(f->arena, "%s%s", list, f->space), NULL, 404);
	told(f, token[STRANGER], "GET", arena_printf(f->arena, "%s%s", list, space), NULL, 404);
	told(f, token[ADMIN], "DELETE", arena_printf(f->arena, "/v1/spaces/%s", space), NULL, 204);
}

/* DELETE of a missing object succeeds; in a missing parent it answers 404. */
static void
deleting_nothing_answers_204(void **state)
{
	struct fixture *f = *state;

	told(f, token[ADMIN], "DELETE", of(f, "/teams/none"), NULL, 204);
	told(f, token[ADMIN], "DELETE", "/v1/spaces/none", NULL, 204);
	told(f, token[ADMIN], "DELETE", "/v1/collections/none", NULL, 204);
	told(f, token[ADMIN], "DELETE", at(f, arena_printf(f->arena, "/change-requests/9/requested-reviewers/%s", user[READ])),
	    NULL, 204);
	told(f, token[ADMIN], "DELETE", arena_printf(f->arena, "/v1/spaces/none/permissions/users/%s", user[READ]), NULL, 404);
	told(f, token[ADMIN], "DELETE", arena_printf(f->arena, "/v1/collections/none/permissions/users/%s", user[READ]), NULL, 404);
	told(f, token[ADMIN], "DELETE", arena_printf(f->arena, "/v1/orgs/none/members/%s", user[READ]), NULL, 404);
	told(f, token[ADMIN], "DELETE", of(f, "/sites/none/share-links/x"), NULL, 404);
}

/*
 * Content is read at the revision in the path, of the change request, or of main; a node of another
 * kind is not found.
 */
static void
paths_name_revisions_and_nodes(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = ask(f, token[READ], "GET", at(f, "/content/path/page"), NULL);
	char *page = arena_strdup(f->arena, strstr(m.text, "\"id\":\"") + 6), revision[64];

	assert_int_equal(m.status, 200);
	memory_free(&m);
	page[strcspn(page, "\"")] = '\0';
	snprintf(revision, sizeof(revision), "%s", strstr(told(f, token[READ], "GET", at(f, "/content"), NULL, 200),
	    "\"id\":\"") + 6);
	revision[strcspn(revision, "\"")] = '\0';
	told(f, token[READ], "GET", at(f, arena_printf(f->arena, "/revisions/%s/page/%s", revision, page)), NULL, 200);
	told(f, token[READ], "GET", at(f, arena_printf(f->arena, "/revisions/none/page/%s", page)), NULL, 404);
	told(f, token[READ], "GET", at(f, "/revisions/none/pages"), NULL, 404);
	told(f, token[READ], "GET", at(f, arena_printf(f->arena, "/content/page/%s", page)), NULL, 200);
	told(f, token[READ], "GET", at(f, "/content/page/none"), NULL, 404);
	told(f, token[READ], "GET", at(f, arena_printf(f->arena, "/content/files/%s", page)), NULL, 404);
	/* The change request began before the page was added. */
	told(f, token[READ], "GET", at(f, arena_printf(f->arena, "/change-requests/1/content/page/%s", page)), NULL, 404);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_rule_answers_every_caller),
	cmocka_unit_test(an_author_changes_their_own_request),
		cmocka_unit_test(a_scope_bounds_and_hides_nothing), cmocka_unit_test(a_request_number_has_one_spelling),
		cmocka_unit_test(a_request_answers_what_is_its_own),
		cmocka_unit_test(merge_rules_hold_a_request_up),
		cmocka_unit_test(nobody_grants_above_their_role), cmocka_unit_test(a_new_thing_needs_a_role_where_it_goes),
		cmocka_unit_test(nobody_changes_another_user), cmocka_unit_test(comments_of_others_need_a_role),
		cmocka_unit_test(hidden_teams_answer_like_unknown_ones), cmocka_unit_test(a_guest_sees_links_they_manage),
		cmocka_unit_test(deleting_nothing_answers_204),
		cmocka_unit_test(paths_name_revisions_and_nodes) };

	return cmocka_run_group_tests(tests, setup, db_teardown);
}
