/*
 * Teams: groups of members for grants. Tables team, team_member. A team's members are members of
 * its organization. An owner manages the team (its name, its members, its deletion); only admins
 * create teams and may thereby add new members to the organization. Membership of teams:
 * team_members.c.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/teams.h"
#include "app/audit.h"
#include "app/people.h"
#include "app/roles.h"
#include "base/utf8.h"
#include "base/secret.h"
#include "http/req.h"

static const struct shape TeamPermissions = { "TeamPermissions", (const struct field[]){
	{ "admin", T_BOOL, F_REQ, .doc = "You may change it and its members" },
	{ "view", T_BOOL, F_REQ, .doc = "You may see it" },
	{ 0 } } };

/* As in team_access() (access_rules.c), an owner may change the team only with a token whose scope is not `read`. */
static void
emit_permissions(struct json *j, const struct field *f, const struct row *w)
{
	struct req *r = w->r;

	json_kobj(j, f->name);
	json_kbool(j, "admin", r->org.role == ROLE_ADMIN || (row_int(w, "owned") != 0 && r->who.cap >= ROLE_CREATE));
	json_kbool(j, "view", r->org.role >= ROLE_READ || row_int(w, "owned") != 0);
	json_end(j);
}

const struct shape Team = { "OrganizationTeam", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "team", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_TEAM },
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "Writers" },
	{ "members", T_INT, F_REQ, .doc = "Number of members", .example = "3" },
	{ "spaces", T_INT, F_REQ, .doc = "Number of spaces that the grants of the team give access to", .example = "2" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "permissions", T_OBJECT, F_REQ, .of = &TeamPermissions, .emit = emit_permissions,
	  .doc = "What you may do with it" },
	{ 0 } } };
LIST_SHAPE(TeamList, Team);

const struct shape TeamRole = { "TeamMember", (const struct field[]){
	{ "role", T_ENUM, F_REQ, .set = "owner,member", .doc = "Role in the team" },
	{ 0 } } };
/* A team of a member, with the member's role in it. */
static const struct shape MemberTeam = { "MemberTeam", (const struct field[]){
	{ "team", T_OBJECT, F_REQ, .of = &Team, .join = "", .doc = "The team" },
	{ "member", T_OBJECT, F_REQ, .of = &TeamRole, .join = "tm_", .doc = "The role in it" },
	{ 0 } } };
LIST_SHAPE(MemberTeamList, MemberTeam);

const struct shape TeamsQuery = { "TeamsQuery", (const struct field[]){
	PAGING,
	{ "owner", T_TEXT, .max = 100, .doc = "Only teams that this member may manage",
	  .example = EXAMPLE_USER },
	{ "title", T_TEXT, .max = 256, .doc = "Part of the title, in any case", .example = "writ" },
	{ 0 } } };
const struct shape TitleQuery = { "TitleQuery", (const struct field[]){
	PAGING,
	{ "title", T_TEXT, .max = 256, .doc = "Part of the title, in any case", .example = "writ" },
	{ 0 } } };
/* The title has 1 to 64 characters (docs/design/requests.md, "Limits"). */
const struct shape TeamCreate = { "CreateTeam", (const struct field[]){
	{ "title", T_TEXT, F_REQ, .min = 1, .max = 64, .doc = "Title", .example = "Writers" },
	{ "members", T_LIST, .max = 10000, .item = &(const struct field){ "", T_TEXT, .max = 254 },
	  .doc = "Ids or addresses of its members", .example = "[\"u3JpZ8nYqLk5WvTf6MxA\"]" },
	{ 0 } } };
const struct shape TeamEdit = { "UpdateTeam", (const struct field[]){
	{ "title", T_TEXT, F_REQ, .min = 1, .max = 64, .doc = "Title", .example = "Writers" },
	{ 0 } } };
/* :title is a pattern of like_pattern(), NULL for all. */
#define TITLED "(CAST(:title AS TEXT) IS NULL OR t.title_folded LIKE :title ESCAPE '\\') "
/*
 * Admins of the organization manage every team, so they count as owners of all; a disabled member
 * manages no team.
 */
#define LISTED \
	"FROM team t WHERE t.org = :org AND " TITLED "AND (CAST(:owner AS TEXT) IS NULL " \
	"OR EXISTS (SELECT 1 FROM team_member o WHERE o.team = t.id AND o.account = :owner AND o.role = 'owner') " \
	"OR EXISTS (SELECT 1 FROM member a WHERE a.org = t.org AND a.account = :owner AND a.role = " SQL_ROLE_ADMIN " " \
	"AND a.disabled = 0)) "
/*
 * Ordered by case-folded title, then by id (docs/design/requests.md, "Order of lists"). Both are
 * compared by code point, which is the byte order of UTF-8, so that no collation of the database
 * matters.
 */
#define ORDER_KEYS "t.title_order AS k1, t.id AS k2 "
#define AFTER_KEYS \
	"AND (t.title_order, t.id) > (COALESCE(:k1, ''), COALESCE(:k2, '')) " \
	"ORDER BY k1, k2 LIMIT :limit /*scan*/"
SQL(q_teams,
    WITH_PLACES AND_SEEN "SELECT " TEAM_COLS ", " ORDER_KEYS LISTED AFTER_KEYS);
SQL(q_teams_count, "SELECT count(*) " LISTED);
/*
 * The organization is not part of the key: the access check has found the team in it, or the
 * handler has just created it there.
 */
SQL(q_team, WITH_PLACES AND_SEEN "SELECT " TEAM_COLS " FROM team t WHERE t.id = :team /*scan*/");
/* The columns with the prefix tm_ become the member `member` of the shape MemberTeam. */
SQL(q_of_member,
    WITH_PLACES AND_SEEN "SELECT " TEAM_COLS ", mine.account AS tm_id, mine.role AS tm_role, "
    ORDER_KEYS "FROM team t JOIN team_member mine ON mine.team = t.id "
    "AND mine.account = :member WHERE t.org = :org AND " TITLED
    AFTER_KEYS);
SQL(q_of_member_count,
    "SELECT count(*) FROM team t JOIN team_member mine ON mine.team = t.id AND mine.account = :member "
    "WHERE t.org = :org AND " TITLED);
SQL(q_add,
    "INSERT INTO team (id, org, title, title_folded, title_order, created_at) "
    "VALUES (:id, :org, :title, :folded, :order, :now)");
/* Titles need not be unique. */
SQL(q_rename, "UPDATE team SET title = :title, title_folded = :folded, title_order = :order WHERE id = :id");
SQL(q_title, "SELECT title FROM team WHERE id = :id");
/* Ordered, so that audit records of the same members are equal texts. */
SQL(q_team_members, "SELECT account, role FROM team_member WHERE team = :id ORDER BY account");
SQL(q_join,
    "INSERT INTO team_member (team, account) VALUES (:team, :user) ON CONFLICT (team, account) DO NOTHING");
SQL(q_end_members, "DELETE FROM team_member WHERE team = :id");
SQL(q_end_grants, "DELETE FROM access_grant WHERE team = :id");
/*
 * Without these two statements the references would prevent the deletion of the team. New users of
 * the provider then join no team.
 */
SQL(q_end_default, "UPDATE saml_provider SET default_team = NULL WHERE default_team = :id");
SQL(q_end_default_oidc, "UPDATE oidc_provider SET default_team = NULL WHERE default_team = :id");
SQL(q_end, "DELETE FROM team WHERE id = :id");

/*
 * The caller has checked that the user is a member of the team's organization. A user who is in the
 * team keeps the role there.
 */
void
team_join(struct req *r, const char *team, const char *user)
{
	struct stmt *q = db_use(r->db, &q_join);

	bind_text(q, ":team", team);
	bind_text(q, ":user", user);
	stmt_run(q);
}

/* Reads the team again after the handler's writes. */
static int
reply_team(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_team);

	bind_caller(q, r);
	bind_text(q, ":team", id);
	return reply_row(r, q, &Team);
}

static void
record_team(struct req *r, enum audit_action action, const char *id, const char *before, const char *after)
{
	audit(r, &(struct audit_event){ .action = action, .org = r->org.id, .type = "team", .target = id,
	    .before = before, .after = after });
}

/*
 * Returns the title, which is all that PATCH changes, as JSON for the audit record. Changes of
 * members have their own records (team_members.c).
 */
static char *
title_snapshot(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_title);

	bind_text(q, ":id", id);
	return audit_snapshot(r->arena, q);
}

/* Returns a team with its members as JSON, for the audit records of creation and deletion. */
static char *
team_snapshot(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_title);
	struct buf b;
	struct json j;

	/* A limit and not the size that is allocated: some 80,000 members of about 50 bytes. */
	buf_init(&b, r->arena, 4 << 20);
	json_init(&j, &b);
	json_obj(&j);
	bind_text(q, ":id", id);
	stmt_step(q);
	json_kstr(&j, "title", col_text(q, 0));
	/* An object with the users' ids as names, so that two records of a team can be compared member by member. */
	json_kobj(&j, "members");
	q = db_use(r->db, &q_team_members);
	bind_text(q, ":id", id);
	while (stmt_step(q))
		json_kstr(&j, col_text(q, 0), col_text(q, 1));
	json_end(&j);
	json_end(&j);
	return arena_strndup(r->arena, b.p, b.n);
}

/* Binds the filters of the query, which the statements of the page and of the count share. */
static void
bind_filter(struct stmt *q, struct req *r)
{
	bind_text(q, ":title", like_pattern(r->arena, query_text(r, "title")));
	bind_text(q, ":owner", query_text(r, "owner"));
}

/* GET /orgs/{organizationId}/teams: by title. */
HANDLER(listTeamsInOrganizationById)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, &q_teams_count);
	bind_text(q, ":org", r->org.id);
	bind_filter(q, r);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_teams);
	bind_caller(q, r);
	bind_filter(q, r);
	list_bind(q, &l);
	return list_reply(r, &l, q, &Team, count);
}

/* Binds the title of the body, and the folded forms by which lists search and sort. */
static void
bind_title(struct stmt *q, struct req *r)
{
	const char *title = body_text(r, "title");

	bind_text(q, ":title", title);
	bind_folded(q, ":folded", r->arena, title);
	bind_text(q, ":order", utf8_casefold(r->arena, str_of(title)));
}

/* PUT /orgs/{organizationId}/teams: with exactly these members. */
HANDLER(createOrganizationTeam)
{
	char *id = secret_id(r->arena);
	const cJSON *one;
	struct stmt *q = db_use(r->db, &q_add);

	bind_text(q, ":id", id);
	bind_text(q, ":org", r->org.id);
	bind_title(q, r);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	cJSON_ArrayForEach(one, body_get(r, "members")) {
		/* A failure rolls back the team, too. */
		const char *user = member_or_fail(r, r->org.id, one->valuestring);
		if (user == NULL)
			return -1;
		team_join(r, id, user);
	}
	/* Written after the members have joined, since the record lists them. */
	record_team(r, AUDIT_TEAM_CREATE, id, NULL, team_snapshot(r, id));
	reply_created(r, arena_printf(r->arena, "/orgs/%s/teams/%s", r->org.id, id));
	return reply_team(r, id);
}

/* GET /orgs/{organizationId}/teams/{teamId} */
HANDLER(getTeamInOrganizationById)
{
	return reply_team(r, r->team.id);
}

/* PATCH /orgs/{organizationId}/teams/{teamId} */
HANDLER(updateTeamInOrganizationById)
{
	char *before = title_snapshot(r, r->team.id);
	struct stmt *q = db_use(r->db, &q_rename);

	bind_title(q, r);
	bind_text(q, ":id", r->team.id);
	stmt_run(q);
	audit_change(r, &(struct audit_event){ .action = AUDIT_TEAM_UPDATE, .org = r->org.id,
	    .type = "team", .target = r->team.id }, before, title_snapshot(r, r->team.id));
	return reply_team(r, r->team.id);
}

/* DELETE /orgs/{organizationId}/teams/{teamId}: its grants are deleted with it. */
HANDLER(removeTeamFromOrganizationById)
{
	static const struct sql *const steps[] = { &q_end_members, &q_end_grants, &q_end_default, &q_end_default_oidc, &q_end };
	struct stmt *q;
	size_t i;

	/* Written before the deletion, since the record lists the members. */
	record_team(r, AUDIT_TEAM_DELETE, r->team.id, team_snapshot(r, r->team.id), NULL);
	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		q = db_use(r->db, steps[i]);
		bind_text(q, ":id", r->team.id);
		stmt_run(q);
	}
	return reply_empty(r);
}

/* GET /orgs/{organizationId}/members/{userId}/teams: by title. */
HANDLER(listTeamsForOrganizationMember)
{
	const char *user = path_id(r, "userId");
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	if (!is_member(r, r->org.id, user))
		return fail(r, E_NOT_FOUND, "no member %s", user);
	q = db_use(r->db, &q_of_member_count);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":member", user);
	bind_text(q, ":title", like_pattern(r->arena, query_text(r, "title")));
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_of_member);
	bind_caller(q, r);
	bind_text(q, ":member", user);
	bind_text(q, ":title", like_pattern(r->arena, query_text(r, "title")));
	list_bind(q, &l);
	return list_reply(r, &l, q, &MemberTeam, count);
}
