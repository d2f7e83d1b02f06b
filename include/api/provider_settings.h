/*
 * Settings of an organization's providers: what those of OpenID (people/oidc.c) and of SAML (people/saml.c) have in
 * common. Each list is newest first. Implemented in people/provider_settings.c.
 */
#ifndef OCTAVO_API_PROVIDER_SETTINGS_H
#define OCTAVO_API_PROVIDER_SETTINGS_H

#include "api/teams.h"
#include "app/audit.h"
#include "app/roles.h"
#include "db/db.h"
#include "http/req.h"

/*
 * Begins a statement about providers. TEAM_COLS needs a table t: here the CTE team_whole, which a
 * LEFT JOIN reads, since a provider may have no team.
 */
#define WITH_TEAM WITH_PLACES AND_SEEN ", team_whole AS (SELECT " TEAM_COLS " FROM team t WHERE t.org = :org) "
/* All columns of the default team, or NULLs. */
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
	const char *const  *members;   /* those of the body that `edit` takes, up to a NULL; an absent one keeps its value */
	const struct sql   *list, *count, *one, *add, *edit, *drop, *snapshot;
	int               (*check)(struct req *r);                    /* what is special about the body: 0 or fail() */
	void              (*edited)(struct req *r, const char *id);   /* stores what `edit` does not; NULL: nothing */
};

int provider_settings_list(struct req *r, const struct provider_settings *k);
int provider_settings_create(struct req *r, const struct provider_settings *k);
int provider_settings_show(struct req *r, const struct provider_settings *k);
int provider_settings_change(struct req *r, const struct provider_settings *k);
/* A trigger ends the sessions of the provider. */
int provider_settings_delete(struct req *r, const struct provider_settings *k);

/*
 * Binds :id and :org; not stepped. Each look-up includes the organization (docs/design/security.md,
 * "S1").
 */
struct stmt *provider_settings_of(struct req *r, const struct sql *sql, const char *id);

#endif
