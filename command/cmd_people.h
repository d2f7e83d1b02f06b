/* What the subcommands about people share. */
#ifndef OCTAVO_CMD_PEOPLE_H
#define OCTAVO_CMD_PEOPLE_H

#include "app/audit.h"
#include "cmd_data.h"

#define USER_OPTION { .name = "user", .arg = "USER", .help = "e-mail address or id", .required = true }

/* An event of the audit record whose source is the command. */
struct audit_event people_event(enum audit_action action, const char *type, const char *target);

/* A token that is there now, or with `ended` is there no more. */
void people_record_token(struct cli *c, struct db *db, const char *token, bool ended);

/* What a membership has become since before (NULL: it is new); nothing where it is what it was. */
void people_record_member(struct cli *c, struct db *db, enum audit_action action, const char *org, const char *user,
    char *before);

/* All that is stored about the user of --user, as one JSON value. An enum cli_status. */
int person_export(struct cli *c);

#endif
