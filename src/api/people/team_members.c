/*
 * Membership of teams. Table team_member. Admins and owners of a team add and remove members, one
 * by one or many at once. The audit record contains the users whose membership changed; if none
 * changed, there is no record.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/audit_events.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/team_members.h"
#include "api/teams.h"
#include "app/audit.h"
#include "app/people.h"
#include "app/roles.h"
#include "base/sort.h"
#include "http/req.h"

static const struct shape ViewPermission = { "TeamMemberPermissions", (const struct field[]){
	{ "view", T_BOOL, F_REQ, .doc = "You may see the member" },
	{ 0 } } };

/* Always true: a caller who may list the members of a team may see each of them. */
static void
emit_view(struct json *j, const struct field *f, const struct row *w)
{
	json_kobj(j, f->name);
	json_kbool(j, "view", w->r->org.role >= ROLE_READ || w->r->team.owner);
	json_end(j);
}

static const struct shape TeamMemberItem = { "OrganizationTeamMember", (const struct field[]){
	{ "organization", T_OBJECT, F_REQ, .of = &Member, .join = "",
	  .doc = "The member of the organization" },
	{ "team", T_OBJECT, F_REQ, .of = &TeamRole, .join = "tm_", .doc = "The role in the team" },
	{ "permissions", T_OBJECT, F_REQ, .of = &ViewPermission, .emit = emit_view,
	  .doc = "What you may do with it" },
	{ 0 } } };
LIST_SHAPE(TeamMemberList, TeamMemberItem);

const struct shape TeamMemberPut = { "PutTeamMember", (const struct field[]){
	{ "role", T_ENUM, .set = "owner,member", .doc = "Role in the team" },
	{ 0 } } };
const struct shape TeamMembersEdit = { "UpdateTeamMembers", (const struct field[]){
	{ "add", T_LIST, .max = 10000, .item = &(const struct field){ "", T_TEXT, .max = 254 },
	  .doc = "Ids or addresses of members to add", .example = "[\"u3JpZ8nYqLk5WvTf6MxA\"]" },
	{ "remove", T_LIST, .max = 10000, .item = &(const struct field){ "", T_TEXT, .max = 254 },
	  .doc = "Ids or addresses of members to remove", .example = "[]" },
	{ "memberships", T_MAP, .of = &TeamRole, .doc = "Roles to set, by id of the user" },
	{ 0 } } };

/*
 * Here the column `at` of `them` contains the role in the team, since AND_GAINED copies this
 * column. The join with member omits users who left the organization.
 */
SQL(q_members,
    WITH_PLACES AND_SEEN ", them (org, account, at) AS MATERIALIZED (SELECT m.org, tm.account, tm.role "
    "FROM team_member tm JOIN member m ON m.org = :org AND m.account = tm.account WHERE tm.team = :team "
    "AND tm.account > COALESCE(:k1, '') ORDER BY tm.account LIMIT :limit)" AND_GAINED
    "SELECT " MEMBER_COLS ", x.account AS tm_id, x.at AS tm_role, x.account AS k1 "
    "FROM " MEMBER_FROM "ORDER BY x.account /*scan*/");
/*
 * Counts the same rows as the list: users who leave the organization also leave its teams
 * (member_remove(), app/people.h).
 */
SQL(q_members_count, "SELECT count(*) FROM team_member WHERE team = :team");

/* Returns no row if the user is not in the team. */
SQL(q_seat, "SELECT role FROM team_member WHERE team = :team AND account = :user");
/* Changes no row if the user is not in the team. */
SQL(q_set_role, "UPDATE team_member SET role = :role WHERE team = :team AND account = :user");
SQL(q_leave, "DELETE FROM team_member WHERE team = :team AND account = :user");

static bool
set_role(struct req *r, const char *team, const char *user, const char *role)
{
	struct stmt *q = db_use(r->db, &q_set_role);

	bind_text(q, ":team", team);
	bind_text(q, ":user", user);
	bind_text(q, ":role", role);
	return stmt_run(q) == 1;
}

static void
leave_team(struct req *r, const char *team, const char *user)
{
	struct stmt *q = db_use(r->db, &q_leave);

	bind_text(q, ":team", team);
	bind_text(q, ":user", user);
	stmt_run(q);
}

/* A user in the body or path of a request, and the user's role in the team before the request. */
struct seat {
	/* user: in the arena or the body. before: NULL if the user was not in the team */
	const char *user, *before;
};
struct seats {
	struct seat *p;
	size_t       n, room;
};

/* Returns the user's role in the team; NULL if the user is not in it. */
static const char *
role_in_team(struct req *r, const char *team, const char *user)
{
	struct stmt *q = db_use(r->db, &q_seat);

	bind_text(q, ":team", team);
	bind_text(q, ":user", user);
	return stmt_dup(q, r->arena);
}

/*
 * Records the present role of a user. Call it for all users of a request before the first change.
 */
static void
add_seat(struct req *r, const char *team, struct seats *s, const char *user)
{
	s->p = arena_grow(r->arena, s->p, s->n, &s->room, sizeof(*s->p));
	s->p[s->n++] = (struct seat){ user, role_in_team(r, team, user) };
}

/* Compares seats by user: sorted, records of the same users are equal texts, and duplicates are adjacent. */
static int
compare_users(const void *a, const void *b)
{
	return strcmp(((const struct seat *)a)->user, ((const struct seat *)b)->user);
}

static void
open_members(struct req *r, struct buf *b, struct json *j)
{
	/* A limit and not the size that is allocated, as in team_snapshot() (teams.c). */
	buf_init(b, r->arena, 4 << 20);
	json_init(j, b);
	json_obj(j);
	json_kobj(j, "members");
}

static const char *
close_members(struct req *r, struct buf *b, struct json *j)
{
	json_end(j);
	json_end(j);
	return arena_strndup(r->arena, b->p, b->n);
}

/* Writes the audit record: the changed members with their roles before and after. */
static void
record_seats(struct req *r, const char *team, struct seats *s)
{
	/* The states before and after, written side by side: a user may be in only one of them. */
	struct buf old_text, new_text;
	struct json old, new;
	bool changed = false;
	size_t i;

	open_members(r, &old_text, &old);
	open_members(r, &new_text, &new);
	sort_list(s->p, s->n, sizeof(*s->p), compare_users);
	for (i = 0; i < s->n; i++) {
		const char *was = s->p[i].before, *is = role_in_team(r, team, s->p[i].user);
		/*
		 * Skip a duplicate (it has the same `before`, since all were read first) and a user
		 * whose role did not change.
		 */
		if ((i > 0 && strcmp(s->p[i].user, s->p[i - 1].user) == 0) ||
		    (was == NULL ? is == NULL : is != NULL && strcmp(was, is) == 0))
			continue;
		changed = true;
		if (was != NULL)
			json_kstr(&old, s->p[i].user, was);
		if (is != NULL)
			json_kstr(&new, s->p[i].user, is);
	}
	if (changed)
		audit(r, &(struct audit_event){ .action = AUDIT_TEAM_MEMBERS, .org = r->org.id,
		    .type = "team", .target = team,
		    .before = close_members(r, &old_text, &old),
		    .after = close_members(r, &new_text, &new) });
}

/* GET /orgs/{organizationId}/teams/{teamId}/members */
HANDLER(listTeamMembersInOrganizationById)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 1) != 0)
		return -1;
	q = db_use(r->db, &q_members_count);
	bind_text(q, ":team", r->team.id);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_members);
	bind_caller(q, r);
	bind_text(q, ":team", r->team.id);
	list_bind(q, &l);
	return list_reply(r, &l, q, &TeamMemberItem, count);
}

/*
 * Reads the users of `add`, ids or addresses. An unknown one fails as in member_or_fail(). 0 or
 * fail().
 */
static int
add_new_seats(struct req *r, struct seats *s)
{
	const cJSON *one;
	const char *user;

	cJSON_ArrayForEach(one, body_get(r, "add")) {
		if ((user = member_or_fail(r, r->org.id, one->valuestring)) == NULL)
			return -1;
		add_seat(r, r->team.id, s, user);
	}
	return 0;
}

/* Reads the users of `remove` and `memberships`; unknown users are skipped. */
static void
add_named_seats(struct req *r, struct seats *s)
{
	const cJSON *one;
	const char *user;

	cJSON_ArrayForEach(one, body_get(r, "remove"))
		if ((user = user_find(r->db, r->arena, one->valuestring)) != NULL)
			add_seat(r, r->team.id, s, user);
	cJSON_ArrayForEach(one, body_get(r, "memberships"))
		if ((user = user_find(r->db, r->arena, one->string)) != NULL)
			add_seat(r, r->team.id, s, user);
}

/* Sets the roles that `memberships` names, after users were added. 0 or fail(). */
static int
set_memberships(struct req *r)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, body_get(r, "memberships")) {
		const char *user = user_find(r->db, r->arena, one->string);
		const cJSON *role = cJSON_GetObjectItemCaseSensitive(one, "role");
		if (user == NULL || !set_role(r, r->team.id, user, role->valuestring))
			return fail_field(r, pointer_below(r->arena, "/memberships", one->string),
			    "is neither in the team nor in add");
	}
	return 0;
}

/* PUT /orgs/{organizationId}/teams/{teamId}/members: a user in both add and remove is removed. */
HANDLER(updateMembersInOrganizationTeam)
{
	struct seats s = { 0 };
	const cJSON *one;
	const char *user;
	size_t i, added;

	if (add_new_seats(r, &s) != 0)
		return -1;
	/* The first `added` seats are those of `add`: only these users join. */
	added = s.n;
	add_named_seats(r, &s);
	for (i = 0; i < added; i++)
		team_join(r, r->team.id, s.p[i].user);
	if (set_memberships(r) != 0)
		return -1;
	cJSON_ArrayForEach(one, body_get(r, "remove"))
		if ((user = user_find(r->db, r->arena, one->valuestring)) != NULL)
			leave_team(r, r->team.id, user);
	record_seats(r, r->team.id, &s);
	return reply_empty(r);
}

/* PUT /orgs/{organizationId}/teams/{teamId}/members/{userId} */
HANDLER(addMemberToOrganizationTeamById)
{
	const char *user = path_id(r, "userId"), *role = body_text(r, "role");
	struct seats s = { 0 };

	if (!is_member(r, r->org.id, user))
		return fail(r, E_NOT_FOUND, "no member %s", user);
	add_seat(r, r->team.id, &s, user);
	team_join(r, r->team.id, user);
	if (role != NULL)
		set_role(r, r->team.id, user, role);
	record_seats(r, r->team.id, &s);
	return reply_empty(r);
}

/* DELETE /orgs/{organizationId}/teams/{teamId}/members/{userId} */
HANDLER(deleteMemberFromOrganizationTeamById)
{
	const char *user = path_id(r, "userId");
	struct seats s = { 0 };

	add_seat(r, r->team.id, &s, user);
	leave_team(r, r->team.id, user);
	record_seats(r, r->team.id, &s);
	return reply_empty(r);
}

