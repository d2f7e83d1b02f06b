/* Membership of teams. Implemented in people/team_members.c. */
#ifndef OCTAVO_API_TEAM_MEMBERS_H
#define OCTAVO_API_TEAM_MEMBERS_H

#include "http/req.h"

extern const struct shape TeamMemberList, TeamMembersEdit, TeamMemberPut;

#endif
