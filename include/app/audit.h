/*
 * The audit record: who changed what in an organization, when and from where, with the values before
 * and after. A row is added in the transaction of the change itself, so every change has its record
 * and every record its change. The schema refuses to change or delete rows.
 *
 * The record contains no secrets: audit_fingerprint() replaces ids of invite links, and tokens are
 * named by their ids. Changes of a user's own account (tokens, names) are recorded in each
 * organization that the user chose (member.chosen: the user founded it, or joined by a link or a
 * domain). If there is none, they are recorded without an organization; `octavo audit` shows them. An
 * organization that added the user does not get these records.
 *
 * Values before and after are those of the API: names of roles, true and false. audit_add() looks up
 * the name of the target, so call it before the target is deleted.
 *
 * The API calls audit() and the other functions of api/audit_events.h, which set the user and the
 * address; the octavo command calls audit_add() with source "script".
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

/* Call it inside the write transaction of the change. */
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
