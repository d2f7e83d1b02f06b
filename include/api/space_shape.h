/* The shape of a space and its columns. Implemented in spaces/space_shape.c. */
#ifndef OCTAVO_API_SPACE_SHAPE_H
#define OCTAVO_API_SPACE_SHAPE_H

#include "http/req.h"

extern const struct shape Space;

/* Audiences of a published site, as in site_space.shown. 0: the site is not published. */
enum { SHOWN_VISITOR_AUTH = 1, SHOWN_SHARE_LINK, SHOWN_UNLISTED, SHOWN_PUBLIC };

/*
 * SQL: the widest audience of space s among the published sites that show it (SHOWN_…); NULL: no
 * published site shows it.
 */
#define SPACE_SHOWN \
	"(SELECT sx.shown FROM site_space sx WHERE sx.space = s.id AND sx.shown > 0 ORDER BY sx.shown DESC LIMIT 1)"

/* Columns of the Space shape, from space s, its branch b and git_sync g. */
#define SPACE_COLS \
	"s.id, s.org, s.parent, s.title, s.emoji, s.icon, s.edit_mode, s.default_level, s.language, " \
	"s.merge_rules, s.created_at, s.updated_at, s.deleted_at, s.comments, s.requests, " \
	"s.requests_open, s.requests_draft, s.styleguide, s.branch, b.head, " \
	"(SELECT rv.id FROM revision rv WHERE rv.branch = s.branch AND rv.seq = b.head) AS revision, " \
	SPACE_SHOWN " AS shown, " \
	"g.url AS git_url, g.tree_url AS git_tree_url, g.provider AS git_provider, " \
	"g.info_url AS git_info_url, g.updated_at AS git_updated_at"
#define SPACE_FROM "space s JOIN branch b ON b.id = s.branch LEFT JOIN git_sync g ON g.space = s.id"

/*
 * Writes repoName, url and so on into the open object, from any row that has the git_* columns of
 * SPACE_COLS.
 */
void git_sync_members(struct json *j, const struct row *w);
/*
 * Writes the members about a git installation. Clients require them, but Octavo has no
 * installations. provider: the service that hosts the repository; NULL: not known.
 */
void git_installation_members(struct json *j, const char *provider);
/* The fields of these members. */
#define GIT_INSTALLATION_FIELDS \
	{ "installationProvider", T_ENUM, F_REQ, .set = "github,gitlab", \
	  .doc = "Where the repository is hosted; github for all that is not GitLab, since clients know these two alone" }, \
	{ "installationStatus", T_CONST, F_REQ, .set = "active", \
	  .doc = "Always active: Octavo reaches repositories by themselves, without an installation" }, \
	{ "installationId", T_TEXT, F_REQ, .doc = "Always empty, for the same reason", .example = "" }

#endif
