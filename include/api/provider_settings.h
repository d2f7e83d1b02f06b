/*
 * Operations on the settings of an organization's sign-in providers, shared by OpenID
 * (people/oidc.c) and SAML (people/saml.c). Lists are sorted newest first. Implemented in
 * people/provider_settings.c.
 */
#ifndef OCTAVO_API_PROVIDER_SETTINGS_H
#define OCTAVO_API_PROVIDER_SETTINGS_H

#include "api/teams.h"
#include "app/audit.h"
#include "app/roles.h"
#include "db/db.h"
#include "http/req.h"

/*
 * Begins a statement about providers. TEAM_COLS needs a team t in its FROM, so the teams are read
 * in the CTE team_whole. Statements use it in a LEFT JOIN, since a provider may have no default
 * team.
 */
#define WITH_TEAM WITH_PLACES AND_SEEN ", team_whole AS (SELECT " TEAM_COLS " FROM team t WHERE t.org = :org) "
/* All columns of the default team; NULLs if there is none. */
#define PROVIDER_TEAM_COLS \
	"team.id AS team_id, team.title AS team_title, team.created_at AS team_created_at, " \
	"team.members AS team_members, team.spaces AS team_spaces, team.owned AS team_owned"

/* A kind of provider. Each statement takes :org, and those about one provider :id. */
struct provider_settings {
	const char         *name;      /* in messages */
	const char         *type;      /* in the audit record */
	const char         *below;     /* the path below /orgs/ORG */
	const char         *id;        /* the parameter of the path */
	enum audit_action   created, updated, deleted;
	const struct shape *shape;
	const char *const  *members;   /* members of the body that `edit` stores, NULL-terminated; an absent one keeps its value */
	const struct sql   *list, *count, *one, *add, *edit, *drop, *snapshot;
	int               (*check)(struct req *r);                    /* checks what is special in the body of this kind: 0 or fail() */
	void              (*edited)(struct req *r, const char *id);   /* stores what `edit` does not; NULL: nothing */
};

int provider_settings_list(struct req *r, const struct provider_settings *k);
int provider_settings_create(struct req *r, const struct provider_settings *k);
int provider_settings_show(struct req *r, const struct provider_settings *k);
int provider_settings_change(struct req *r, const struct provider_settings *k);
/* A database trigger ends the sessions that this provider made. */
int provider_settings_delete(struct req *r, const struct provider_settings *k);

/*
 * Binds :id and :org of a statement, and returns it not stepped. Each look-up includes the
 * organization (docs/design/security.md, "S1").
 */
struct stmt *provider_settings_of(struct req *r, const struct sql *sql, const char *id);

#endif
