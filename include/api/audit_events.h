/*
 * The audit log: audit() writes it in the transaction of each change; admins read it. Implemented
 * in audit_events.c.
 */
#ifndef OCTAVO_API_AUDIT_EVENTS_H
#define OCTAVO_API_AUDIT_EVENTS_H

#include "app/audit.h"
#include "http/req.h"

extern const struct shape AuditEventList, AuditEventDetails, AuditQuery, AuditActionList;

/*
 * Records a change that this request makes. Fills in actor, address, token and source of e; the
 * caller sets org, target and before/after. audit_change() omits members that are equal in before
 * and after, and records nothing if all are.
 */
void audit(struct req *r, const struct audit_event *e);
void audit_change(struct req *r, const struct audit_event *e, char *before, char *after);

/*
 * For a change of a user instead of an organization: one record in each organization that the user
 * chose to join.
 */
void audit_everywhere(struct req *r, const char *user, const struct audit_event *e);

#endif
