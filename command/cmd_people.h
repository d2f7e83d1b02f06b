/* Shared by the subcommands that manage people. */
#ifndef OCTAVO_CMD_PEOPLE_H
#define OCTAVO_CMD_PEOPLE_H

#include "app/audit.h"
#include "base/role.h"
#include "cmd_data.h"

#define USER_OPTION { .name = "user", .arg = "USER", .help = "e-mail address or id", .required = true }

/* Returns an audit event whose source is this command. */
struct audit_event people_event(enum audit_action action, const char *type, const char *target);

#define PEOPLE_ROLE_OPTION { .name = "role", .arg = "R", .help = "admin, create, review, edit, comment, read (default), guest", \
	.values = "admin create review edit comment read guest" }

/*
 * Reads --role. ROLE_NONE is a guest. The default is "read", the lowest role that sees content.
 * False after printing an error.
 */
bool people_role(struct cli *c, enum role *role);

/* Records that a user was created. */
void people_record_user(struct cli *c, struct db *db, const char *user);

/* Records that a token was created, or with `ended` that it was revoked. */
void people_record_token(struct cli *c, struct db *db, const char *token, bool ended);

/*
 * Records the change of a membership from `before` (NULL: new membership); records nothing if it is
 * unchanged.
 */
void people_record_member(struct cli *c, struct db *db, enum audit_action action, const char *org, const char *user,
    char *before);

/*
 * Prints all data stored about the user of --user, as one JSON value. Returns an enum cli_status.
 */
int person_export(struct cli *c);

#endif
