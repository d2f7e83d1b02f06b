/*
 * The audit record: who changed what in an organization, when, from where,
 * with what was there before and after. Rows are added in the transaction of
 * the change itself, so there is no change without its record and no record of
 * what did not happen; the schema refuses to change or delete them.
 *
 * No secret goes into it: ids of invite links are replaced by
 * audit_fingerprint(), tokens appear by their id. What concerns a user and no
 * organization (tokens, names) is recorded in each organization that the user
 * chose (member.chosen: founded, or joined by a link or a domain) or, where there
 * is none, with none, which octavo audit shows. An organization that added
 * somebody by itself learns nothing of it.
 *
 * Values before and after are those of the API: names of roles, true and false.
 * The target's name is looked up as the event is added: what ends is recorded
 * before it goes.
 *
 * The API uses audit() and its kin of api/audit_events.h, which fill in who and
 * from where; the octavo command calls audit_add() with source "script".
 */
#ifndef OCTAVO_AUDIT_H
#define OCTAVO_AUDIT_H

#include "base/arena.h"
#include "db/db.h"

enum audit_action {
#define AUDIT(constant, id, label) constant,
#include "app/audit.def"
#undef AUDIT
	AUDIT_ACTIONS
};

struct audit_event {
	enum audit_action action;
	const char *org;             /* NULL: the user is in no organization */
	const char *source;          /* "api" or "script" */
	const char *actor;           /* user id; NULL: the octavo command */
	const char *address, *token, *request;   /* of the client; NULL: unknown */
	const char *type;            /* of the target: "space", "team", … */
	const char *target;          /* id */
	const char *before, *after;  /* JSON objects, may be NULL */
};

/* Inside the write transaction of the change. */
void audit_add(struct db *db, struct arena *a, const struct audit_event *e);

/*
 * Adds one event for each organization that the user chose, or one without organization; e->org is
 * ignored.
 */
void audit_add_everywhere(struct db *db, struct arena *a, const char *user,
    const struct audit_event *e);

const char *audit_id(enum audit_action action);
const char *audit_label(enum audit_action action);

/* Replaces a secret id in the record: distinguishes two secrets and reveals neither. */
char *audit_fingerprint(struct arena *a, const char *secret);

/*
 * Steps q and returns its row as a JSON object of its columns by name. A column json_NAME,
 * bool_NAME, role_NAME or time_NAME becomes the member NAME, with the JSON unchanged, true or
 * false, the name of a role or level (null: none), or a date-time. NULL if there is no row.
 */
char *audit_snapshot(struct arena *a, struct stmt *q);

/*
 * Removes equal members from both; false if nothing is left. If one is NULL, removes nothing and
 * returns true.
 */
bool audit_differ(struct arena *a, char **before, char **after);

#endif
