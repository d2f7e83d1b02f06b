/*
 * SAML identity providers: the settings for sign-in, and what they have in common with those of
 * OpenID providers (people/oidc.c). Implemented in people/saml.c.
 */
#ifndef OCTAVO_API_SAML_H
#define OCTAVO_API_SAML_H

#include "api/teams.h"
#include "app/roles.h"
#include "http/req.h"

extern const struct shape SAMLProvider, SAMLProviderList, SAMLProviderCreate, SAMLProviderEdit;

/*
 * Begins a statement about providers. TEAM_COLS needs a table t: here the CTE team_whole, which a
 * LEFT JOIN reads, since a provider may have no team.
 */
#define WITH_TEAM WITH_PLACES AND_SEEN ", team_whole AS (SELECT " TEAM_COLS " FROM team t WHERE t.org = :org) "
/* All columns of the default team, or NULLs. */
#define PROVIDER_TEAM_COLS \
	"team.id AS team_id, team.title AS team_title, team.created_at AS team_created_at, " \
	"team.members AS team_members, team.spaces AS team_spaces, team.owned AS team_owned"

/* 0 if the body's defaultTeam is a team of the organization, or absent; otherwise fail(). */
int default_team_or_fail(struct req *r);

#endif
