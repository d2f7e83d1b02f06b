/* Teams: groups of members for grants. Implemented in people/teams.c. */
#ifndef OCTAVO_API_TEAMS_H
#define OCTAVO_API_TEAMS_H

#include "http/req.h"

extern const struct shape MemberTeamList, Team, TeamList, TeamsQuery, TeamCreate, TeamEdit, TeamRole, TitleQuery;

/*
 * Columns of the Team shape, from team t; in a statement with AND_SEEN. They include the number of
 * spaces that grants to the team open: spaces with a grant, and spaces below a collection with a
 * grant unless a nearer level replaces it.
 */
#define TEAM_COLS \
	"t.id, t.title, t.created_at, " \
	"(SELECT count(*) FROM team_member tm WHERE tm.team = t.id) AS members, " \
	"(WITH RECURSIVE down (id) AS (SELECT g.collection FROM access_grant g " \
	"WHERE g.team = t.id AND g.collection IS NOT NULL UNION SELECT c.id FROM down " \
	"JOIN collection c ON c.parent = down.id WHERE c.default_level = " SQL_LEVEL_INHERIT " AND c.deleted_at IS NULL) " \
	"SELECT count(*) FROM (SELECT g.space AS id FROM access_grant g WHERE g.team = t.id " \
	"AND g.space IS NOT NULL UNION SELECT x.id FROM down JOIN space x ON x.parent = down.id " \
	"WHERE x.default_level = " SQL_LEVEL_INHERIT ") AS led JOIN seen v ON v.id = led.id) AS spaces, " \
	"EXISTS (SELECT 1 FROM team_member tm WHERE tm.team = t.id AND tm.account = :user " \
	"AND tm.role = 'owner') AS owned"

/* Adds a member of the organization to a team, unless already in it. */
void team_join(struct req *r, const char *team, const char *user);

#endif
