/*
 * Tests access against a model. Random sequences of everything that changes people, teams, grants,
 * levels, places, their parents and their order go through the API itself (dispatch, with the
 * request in memory), each by a random user with a token of random scope; members are disabled and
 * enabled as the octavo command does it. A model of the rules, in a few arrays, predicts the status
 * of each response. After each step the test compares with the model what users see and may do:
 * single objects (deleted ones too), their flags, lists and their order, counts.
 *
 * The model's rules: role_on() in access_fixture.h.
 */
#include <unistd.h>

#include "access_people.h"
#include "base/secret.h"

/* ---- steps: predict the status, call the API, update the model ---- */

/* Expected status of an operation that needs role `need` in an organization; 0: it is allowed. */
static int
org_gate(const struct world *w, int org, int actor, int need)
{
	int m = acts(w, org, actor);

	return w->cap == 1 ? 403 : m == NOBODY ? 404 : under_cap(w, m) < need ? 403 : 0;
}

static int
order_gate(const struct world *w, int p, int actor, int need)
{
	int role = role_on(w, p, actor);

	return w->cap == 1 ? 403 : !w->place[p].alive || role < 1 ? 404 : under_cap(w, role) < need ? 403 : 0;
}

static bool
last_admin(const struct world *w, int org, int u)
{
	int i, others = 0;

	for (i = 0; i < USERS; i++)
		others += i != u && acts(w, org, i) == 6;
	return w->member[org][u] == 6 && others == 0;
}

static void
step_role(struct world *w, int actor)
{
	int org = roll(w, ORGS), u = roll(w, USERS), role = roll(w, 7), status;
	char body[64];

	status = org_gate(w, org, actor, 6);
	if (status == 0)
		status = w->member[org][u] == NOBODY ? 404 : role < 6 && last_admin(w, org, u) ? 409 : 200;
	snprintf(body, sizeof(body), "{\"role\":%s}", role_json(role));
	call(w, actor, "PATCH", body, "/v1/orgs/%s/members/%s", w->org[org], w->user[u]);
	want(w, status, "role of a member");
	if (status == 200)
		w->member[org][u] = role;
}

static void
step_remove(struct world *w, int actor)
{
	int org = roll(w, ORGS), u = roll(w, USERS), status, i;

	status = org_gate(w, org, actor, 6);
	if (status == 0)
		status = last_admin(w, org, u) ? 409 : 204;
	call(w, actor, "DELETE", NULL, "/v1/orgs/%s/members/%s", w->org[org], w->user[u]);
	want(w, status, "remove a member");
	if (status != 204)
		return;
	w->member[org][u] = NOBODY;
	w->off[org][u] = w->seen[org][u] = false;
	for (i = 0; i < TEAMS; i++)
		if (w->team_org[i] == org)
			w->in_team[i][u] = 0;
	for (i = 0; i < w->places; i++)
		if (w->place[i].org == org)
			w->place[i].user[u] = 0;
}

static void
step_ping(struct world *w, int actor)
{
	int org = roll(w, ORGS), status = org_gate(w, org, actor, 0);

	call(w, actor, "POST", NULL, "/v1/orgs/%s/ping", w->org[org]);
	want(w, status != 0 ? status : 200, "ping");
	w->seen[org][actor] |= status == 0;
}

static void
step_invite(struct world *w, int actor)
{
	int org = roll(w, ORGS), u = roll(w, USERS), role = roll(w, 7), status;
	char body[128];

	status = org_gate(w, org, actor, 6);
	snprintf(body, sizeof(body), "{\"emails\":[\"user%d@example.com\"],\"role\":%s}", u, role_json(role));
	call(w, actor, "POST", body, "/v1/orgs/%s/invites", w->org[org]);
	want(w, status != 0 ? status : 200, "invite");
	if (status == 0 && w->member[org][u] == NOBODY)
		w->member[org][u] = role;
}

static void
step_team(struct world *w, int actor)
{
	int t = roll(w, TEAMS), u = roll(w, USERS), as = roll(w, 3), org = w->team_org[t];
	int m = acts(w, org, actor);
	int status = w->cap == 1 ? 403 : m == NOBODY ? 404 :
	    under_cap(w, m) == 6 || w->in_team[t][actor] == 2 ? 0 : 403;

	if (as == 0) {
		call(w, actor, "DELETE", NULL, "/v1/orgs/%s/teams/%s/members/%s", w->org[org], w->team[t],
		    w->user[u]);
	} else {
		status = status == 0 && w->member[org][u] == NOBODY ? 404 : status;
		call(w, actor, "PUT", as == 2 ? "{\"role\":\"owner\"}" : "{\"role\":\"member\"}",
		    "/v1/orgs/%s/teams/%s/members/%s", w->org[org], w->team[t], w->user[u]);
	}
	want(w, status != 0 ? status : 204, "member of a team");
	if (status == 0)
		w->in_team[t][u] = as;
}

static void
step_grant(struct world *w, int actor)
{
	int p = any_place(w), role = roll(w, 7), u = roll(w, USERS), t = roll(w, TEAMS), status;
	bool to_team = roll(w, 2) == 0, known;
	struct place *x = &w->place[p];
	char body[128];

	known = to_team ? w->team_org[t] == x->org : w->member[x->org][u] != NOBODY;
	actor = able(w, p, actor);
	status = order_gate(w, p, actor, 5);
	if (status == 0)
		status = role > under_cap(w, role_on(w, p, actor)) ? 403 : !known ? 404 : 204;
	snprintf(body, sizeof(body), "{\"role\":%s,\"%s\":[\"%s\"]}", role_json(role),
	    to_team ? "teams" : "users", to_team ? w->team[t] : w->user[u]);
	call(w, actor, "POST", body, "/v1/%s/%s/permissions", kind_of(x), x->id);
	want(w, status, "grant");
	if (status == 204)
		*(to_team ? &x->team[t] : &x->user[u]) = role;
}

static void
step_level(struct world *w, int actor)
{
	int p = any_place(w), level = roll(w, 8) - 1, status;
	struct place *x = &w->place[p];
	char body[64];

	actor = able(w, p, actor);
	status = order_gate(w, p, actor, 5);
	if (status == 0)
		status = level > under_cap(w, role_on(w, p, actor)) ? 403 : 200;
	snprintf(body, sizeof(body), "{\"defaultLevel\":%s}", role_json(level));
	call(w, actor, "PATCH", body, "/v1/%s/%s", kind_of(x), x->id);
	want(w, status, "level");
	if (status == 200)
		x->level = level;
}

/*
 * Expected status of an operation that needs "create" in a parent (-1: at the top of the
 * organization); 0: it is allowed.
 */
static int
container_gate(const struct world *w, int org, int parent, int actor)
{
	if (parent < 0)
		return org_gate(w, org, actor, 5);
	return w->place[parent].org != org ? 404 : order_gate(w, parent, actor, 5);
}

/* A random collection, or -1 for the top level. */
static int
any_parent(struct world *w)
{
	int p = roll(w, w->places + 3);

	return p >= w->places || w->place[p].space ? -1 : p;
}

static void
keep_creator(struct world *w, int p, int actor)
{
	if (role_on(w, p, actor) < 5)
		w->place[p].user[actor] = 5;
}

static void
step_create(struct world *w, int actor)
{
	int org = roll(w, ORGS), parent = any_parent(w), status;
	struct place *x = &w->place[w->places];
	char body[96] = "{}";

	if (w->places == PLACES)
		return;
	*x = (struct place){ .space = roll(w, 2) == 0, .org = org, .parent = parent, .level = -1 };
	if (parent >= 0)
		snprintf(body, sizeof(body), "{\"parent\":\"%s\"}", w->place[parent].id);
	status = org_gate(w, org, actor, 0);
	status = status != 0 ? status : container_gate(w, org, parent, actor);
	call(w, actor, "POST", body, "/v1/orgs/%s/%s", w->org[org], kind_of(x));
	want(w, status != 0 ? status : 201, "create");
	if (status != 0)
		return;
	snprintf(x->id, sizeof(x->id), "%s", answer_id(w));
	x->alive = true;
	x->ord = ++w->ord;
	keep_creator(w, w->places++, actor);
}

/* The living sibling in parent directly before (or after) this order number; NOBODY: there is none. */
static int
beside(const struct world *w, int org, int parent, double ord, bool before)
{
	int i, best = NOBODY;

	for (i = 0; i < w->places; i++) {
		const struct place *x = &w->place[i];
		if (!x->alive || x->org != org || x->parent != parent || (before ? x->ord >= ord : x->ord <= ord))
			continue;
		if (best == NOBODY || (before ? x->ord > w->place[best].ord : x->ord < w->place[best].ord))
			best = i;
	}
	return best;
}

/*
 * Where a move puts p inside parent: at the end (at: NOBODY), or directly before or after `at`.
 * Returns the status of a refusal, or 0 and sets *ord.
 */
static int
spot(struct world *w, int p, int parent, int actor, int at, bool before, double *ord)
{
	const struct place *x = &w->place[p];
	int next;

	if (at == NOBODY) {
		*ord = w->ord + 1;
		return beside(w, x->org, parent, *ord, true) == p ? 409 : 0;
	}
	if (!w->place[at].alive || role_on(w, at, actor) < 1)
		return 404;
	if (at == p || w->place[at].org != x->org || w->place[at].parent != parent)
		return 400;
	next = beside(w, x->org, parent, w->place[at].ord, before);
	*ord = next != NOBODY ? (w->place[at].ord + w->place[next].ord) / 2 :
	    before ? w->place[at].ord - 1 : w->ord + 1;
	return next == p ? 409 : 0;
}

static void
put_at(struct world *w, int p, int parent, double ord)
{
	w->place[p].parent = parent;
	w->place[p].ord = ord;
	if (ord > w->ord)
		w->ord = ord;
}

/*
 * Builds the body of a move. named: with a parent (-1: the top), otherwise the place keeps its
 * parent. at: NOBODY for no position.
 */
static void
move_body(const struct world *w, char *body, size_t size, bool named, int parent, int at, bool before)
{
	const struct place *x = at == NOBODY ? NULL : &w->place[at];
	const char *kind = x == NULL || x->space ? "space" : "collection";
	char where[64] = "", position[128] = "";

	if (named && parent >= 0)
		snprintf(where, sizeof(where), "\"parent\":\"%s\"", w->place[parent].id);
	else if (named)
		snprintf(where, sizeof(where), "\"parent\":null");
	if (x != NULL)
		snprintf(position, sizeof(position), "%s\"position\":{\"%s\":{\"type\":\"%s\",\"%s\":\"%s\"}}",
		    named ? "," : "", before ? "before" : "after", kind, kind, x->id);
	snprintf(body, size, "{%s%s}", where, position);
}

/* Usually a place inside parent, sometimes any place. */
static int
any_sibling(struct world *w, int parent)
{
	int at = roll(w, w->places), i;

	for (i = 0; i < 8 && w->place[at].parent != parent; i++)
		at = roll(w, w->places);
	return at;
}

static void
step_move(struct world *w, int actor)
{
	int p = any_place(w), parent, at = NOBODY, status;
	bool named = roll(w, 3) != 0, before = roll(w, 2) == 0;
	struct place *x = &w->place[p];
	double ord = 0;
	char body[256];

	parent = named ? any_parent(w) : x->parent;
	if (!named || roll(w, 3) == 0)
		at = any_sibling(w, parent);
	move_body(w, body, sizeof(body), named, parent, at, before);
	actor = able(w, p, actor);
	status = order_gate(w, p, actor, 5);
	if (status == 0) {
		status = container_gate(w, x->org, parent, actor);
		/* The caller sees the place, so its unreadable parent answers 403 instead of 404. */
		status = status == 404 && !named ? 403 : status;
	}
	if (status == 0)
		status = is_below(w, parent, p) ? 400 : spot(w, p, parent, actor, at, before, &ord);
	call(w, actor, "POST", body, "/v1/%s/%s/move", kind_of(x), x->id);
	want(w, status != 0 ? status : 200, "move");
	if (status == 0)
		put_at(w, p, parent, ord);
}

/* Restores a space into the nearest living collection above it; an admin then moves it to the end. */
static void
step_restore(struct world *w, int actor)
{
	int p = roll(w, w->places), i, role, status, admin = 0;
	struct place *x = &w->place[p];

	for (i = 0; i < 8 && (x->alive || !x->space); i++)
		x = &w->place[p = roll(w, w->places)];
	if (!x->space)
		return;
	actor = able(w, p, actor);
	role = under_cap(w, role_on(w, p, actor));
	status = w->cap == 1 ? 403 : role >= 5 ? 200 : x->alive && role >= 1 ? 403 : 404;
	call(w, actor, "POST", NULL, "/v1/spaces/%s/restore", x->id);
	want(w, status, "restore");
	/* A space that was not deleted keeps its place. */
	if (status != 200 || x->alive)
		return;
	while (x->parent >= 0 && !w->place[x->parent].alive)
		x->parent = w->place[x->parent].parent;
	x->alive = true;
	while (acts(w, x->org, admin) != 6)
		admin++;
	w->cap = 6;
	call(w, admin, "POST", x->parent < 0 ? "{\"parent\":null}" : arena_printf(w->keep,
	    "{\"parent\":\"%s\"}", w->place[x->parent].id), "/v1/spaces/%s/move", x->id);
	assert_true(w->status == 200 || w->status == 409);
	put_at(w, p, x->parent, w->ord + 1);
}

/* As `octavo member disable` and `octavo member add` do it. */
static void
step_disable(struct world *w, int actor)
{
	int org = roll(w, ORGS), u = roll(w, USERS);
	bool last = false, done;

	(void)actor;
	if (w->member[org][u] == NOBODY || (!w->off[org][u] && roll(w, 3) != 0))
		return;
	db_begin(w->db, true);
	if (w->off[org][u]) {
		member_set(w->db, w->org[org], w->user[u], w->member[org][u]);
		w->off[org][u] = false;
	} else {
		done = member_disable(w->db, w->org[org], w->user[u], &last);
		assert_int_equal(last, last_admin(w, org, u));
		w->off[org][u] = done;
	}
	db_commit(w->db);
}

static void
step_transfer(struct world *w, int actor)
{
	int p = any_place(w), org, status, i;
	struct place *x = &w->place[p];
	char body[96];

	org = roll(w, 6) == 0 ? x->org : !x->org;
	actor = able(w, p, actor);
	status = order_gate(w, p, actor, 5);
	if (status == 0)
		status = acts(w, org, actor) == NOBODY ? 404 : org == x->org ? 409 :
		    under_cap(w, acts(w, org, actor)) < 5 ? 403 : 0;
	for (i = 0; status == 0 && !x->space && i < w->places; i++)
		if (w->place[i].alive && is_below(w, i, p) && role_on(w, i, actor) < 5)
			status = 412;
	snprintf(body, sizeof(body), "{\"organization\":\"%s\"}", w->org[org]);
	call(w, actor, "POST", body, "/v1/%s/%s/transfer", kind_of(x), x->id);
	want(w, status != 0 ? status : 200, "transfer");
	if (status != 0)
		return;
	/* Deleted contents stay in the old organization, in the parent that the moved place had. */
	for (i = 0; i < w->places; i++)
		if (!w->place[i].alive && w->place[i].parent >= 0 && w->place[w->place[i].parent].alive &&
		    is_below(w, w->place[i].parent, p))
			w->place[i].parent = x->parent;
	for (i = 0; i < w->places; i++)
		if (w->place[i].alive && is_below(w, i, p)) {
			memset(w->place[i].user, 0, sizeof(w->place[i].user));
			memset(w->place[i].team, 0, sizeof(w->place[i].team));
			w->place[i].org = org;
		}
	put_at(w, p, -1, w->ord + 1);
	keep_creator(w, p, actor);
}

static void
step_delete(struct world *w, int actor)
{
	int p = any_place(w), status, i;
	struct place *x = &w->place[p];

	/* Rarely, otherwise no place is left to test. */
	if (roll(w, 4) != 0)
		return;
	actor = able(w, p, actor);
	status = order_gate(w, p, actor, 5);
	call(w, actor, "DELETE", NULL, "/v1/%s/%s", kind_of(x), x->id);
	want(w, status == 403 ? 403 : 204, "delete");
	for (i = 0; status == 0 && i < w->places; i++)
		if (is_below(w, i, p))
			w->place[i].alive = false;
}

/* ---- what must hold ---- */

static bool
flag(struct world *w, const char *name)
{
	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(
	    cJSON_GetObjectItemCaseSensitive(w->answer, "permissions"), name));
}

static void
look_at(struct world *w, int p, int u)
{
	struct place *x = &w->place[p];
	bool there = x->alive ? role_on(w, p, u) >= 1 : x->space && under_cap(w, role_on(w, p, u)) >= 5;
	int role = x->alive ? under_cap(w, role_on(w, p, u)) : 0;

	call(w, u, "GET", NULL, "/v1/%s/%s", kind_of(x), x->id);
	want(w, there ? 200 : 404, "look");
	if (!there)
		return;
	assert_true(flag(w, "view"));
	assert_int_equal(flag(w, "admin"), role >= 5);
	assert_int_equal(flag(w, "viewInviteLinks"), role >= 5);
	if (!x->space)
		return;
	assert_int_equal(flag(w, "comment"), role >= 2);
	assert_int_equal(flag(w, "edit"), role >= 3);
	assert_int_equal(flag(w, "review"), role >= 4);
	assert_int_equal(flag(w, "merge"), role >= 4);
}

static bool
listed(struct world *w, const char *id)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(w->answer, "items"))
		if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "id")), id) == 0)
			return true;
	return false;
}

static void
look_at_list(struct world *w, int org, int u, bool spaces)
{
	int i, n = 0;

	call(w, u, "GET", NULL, "/v1/orgs/%s/%s?limit=1000", w->org[org], spaces ? "spaces" : "collections");
	want(w, acts(w, org, u) == NOBODY ? 404 : 200, "list");
	if (w->status != 200)
		return;
	for (i = 0; i < w->places; i++) {
		struct place *x = &w->place[i];
		bool there = x->alive && x->org == org && x->space == spaces && role_on(w, i, u) >= 1;
		if (x->alive && x->space == spaces && there != listed(w, x->id))
			fail_msg("seed %d step %d: place %d in the list of user %d", w->seed, w->step, i, u);
		n += there;
	}
	assert_int_equal(cJSON_GetObjectItemCaseSensitive(w->answer, "count")->valueint, n);
}

/* Compares a collection's spaces for any user, and their number. */
static void
look_at_inside(struct world *w, int p, int u)
{
	struct place *x = &w->place[p];
	int i, n = 0;

	if (x->space)
		return;
	call(w, u, "GET", NULL, "/v1/collections/%s/spaces?limit=1000", x->id);
	want(w, x->alive && role_on(w, p, u) >= 1 ? 200 : 404, "inside");
	if (w->status != 200)
		return;
	for (i = 0; i < w->places; i++)
		if (w->place[i].alive && w->place[i].space && w->place[i].parent == p && role_on(w, i, u) >= 1) {
			assert_true(listed(w, w->place[i].id));
			n++;
		}
	assert_int_equal(number_of(w->answer, "count"), n);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(w->answer, "items")), n);
}

/* Compares the order of a collection's spaces, for a user who sees all of them. */
static void
look_at_order(struct world *w, int p)
{
	const cJSON *item;
	double ord = -1e9;
	int admin = 0, i, n = 0;

	if (w->place[p].space || !w->place[p].alive)
		return;
	while (acts(w, w->place[p].org, admin) != 6)
		admin++;
	call(w, admin, "GET", NULL, "/v1/collections/%s/spaces?limit=1000", w->place[p].id);
	want(w, 200, "order");
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(w->answer, "items")) {
		const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "id"));
		for (i = 0; i < w->places && strcmp(w->place[i].id, id) != 0; i++)
			;
		assert_true(i < w->places && w->place[i].alive && w->place[i].parent == p);
		if (w->place[i].ord <= ord)
			fail_msg("seed %d step %d: place %d is out of order", w->seed, w->step, i);
		ord = w->place[i].ord;
		n++;
	}
	for (i = 0; i < w->places; i++)
		n -= w->place[i].alive && w->place[i].space && w->place[i].parent == p;
	assert_int_equal(n, 0);
}

/* Usually the full scope: otherwise most steps would be refused. */
static int
any_cap(struct world *w)
{
	int n = roll(w, 10);

	return scopes[n < 7 ? 0 : n < 9 ? 1 : 2].cap;
}

static void
look_around(struct world *w)
{
	int i, u = roll(w, USERS);

	w->cap = any_cap(w);
	for (i = 0; i < 6; i++)
		look_at(w, roll(w, w->places), roll(w, USERS));
	look_at_list(w, roll(w, ORGS), u, roll(w, 2) == 0);
	look_at_order(w, roll(w, w->places));
	look_at_inside(w, any_place(w), roll(w, USERS));
	look_at_member(w, roll(w, ORGS), u, roll(w, USERS));
	look_at_members(w, roll(w, ORGS), u);
	look_at_readers(w, any_place(w), u);
}

/* ---- histories ---- */

static void
world_make(struct world *w, int seed)
{
	const char *error;
	int i, s;

	*w = (struct world){ .seed = seed, .rng = (unsigned)seed * 7919u, .cap = 6 };
	w->keep = arena_new(64 << 20);
	w->arena = arena_new(256 << 20);
	temp_dir(w->dir);
	assert_null(secret_create(w->keep, w->dir));
	setenv("OCTAVO_DIR", w->dir, 1);
	setenv("OCTAVO_SELFCHECK", "1", 1);
	setenv("OCTAVO_ACCESS_LOG", "", 1);
	w->set = settings_env(w->keep, &error);
	assert_non_null(w->set);
	w->db = db_open(w->keep, settings_db(w->keep, w->set), DB_CREATE,
	    &(struct db_options){ .relaxed = true }, &error);
	assert_non_null(w->db);
	db_begin(w->db, true);
	for (i = 0; i < USERS; i++) {
		w->user[i] = user_make(w->db, w->keep, arena_printf(w->keep, "user%d@example.com", i), "U");
		for (s = 0; s < SCOPES; s++)
			w->token[i][s] = token_make(w->db, w->keep, w->user[i], scopes[s].scope, "", 0);
	}
	for (i = 0; i < ORGS; i++) {
		w->org[i] = org_make(w->db, w->keep, &(struct org_new){ .title = "Org" });
		member_set(w->db, w->org[i], w->user[i], 6);
	}
	db_commit(w->db);
	for (i = 0; i < ORGS * USERS; i++)
		w->member[i / USERS][i % USERS] = i / USERS == i % USERS ? 6 : NOBODY;
}

/* Creates enough people, teams and places that few steps fail for lack of one. */
static void
world_fill(struct world *w)
{
	int i;

	for (i = 0; i < TEAMS; i++) {
		w->team_org[i] = i % ORGS;
		call(w, i % ORGS, "PUT", "{\"title\":\"T\"}", "/v1/orgs/%s/teams", w->org[i % ORGS]);
		want(w, 201, "team");
		snprintf(w->team[i], sizeof(w->team[i]), "%s", answer_id(w));
	}
	for (i = 0; i < 12; i++)
		step_invite(w, i % ORGS);
	while (w->places < 8)
		step_create(w, roll(w, ORGS));
}

static void
world_end(struct world *w)
{
	static const char *const files[] = { "octavo.db", "octavo.db-wal", "octavo.db-shm", "octavo.key" };
	char path[128];
	size_t i;

	cJSON_Delete(w->answer);
	db_close(w->db);
	for (i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", w->dir, files[i]);
		unlink(path);
	}
	assert_int_equal(rmdir(w->dir), 0);
	arena_free(w->arena);
	arena_free(w->keep);
}

/* Usually a user with high roles: otherwise most steps would be refused. */
static int
any_actor(struct world *w)
{
	int org = roll(w, ORGS), from = roll(w, USERS), i;

	for (i = 0; roll(w, 4) != 0 && i < USERS; i++)
		if (acts(w, org, (from + i) % USERS) >= 5)
			return (from + i) % USERS;
	return from;
}

static void
random_histories_follow_the_model(void **state)
{
	static void (*const steps[])(struct world *w, int actor) = { step_role, step_remove, step_invite,
		step_team, step_team, step_grant, step_grant, step_grant, step_level, step_level, step_create,
		step_move, step_move, step_move, step_transfer, step_delete, step_delete, step_restore, step_restore,
		step_disable, step_ping };
	static struct world w;
	long calls = 0;
	int seed, p, u;

	(void)state;
	for (seed = 1; seed <= SEEDS; seed++) {
		world_make(&w, seed);
		world_fill(&w);
		for (w.step = 0; w.step < STEPS; w.step++) {
			w.cap = any_cap(&w);
			steps[roll(&w, sizeof(steps) / sizeof(steps[0]))](&w, any_actor(&w));
			look_around(&w);
		}
		for (p = 0; p < w.places; p++)
			for (u = 0; u < USERS; u++)
				look_at(&w, p, u);
		calls += w.calls;
		world_end(&w);
	}
	print_message("%d steps, %ld requests\n", SEEDS * STEPS, calls);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_histories_follow_the_model) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
