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
 * Record a change that this request makes. The caller sets action, org, target, before and after in
 * e; actor, address, token and source are filled in. audit_change() also drops members that are
 * equal in before and after, and records nothing if none is left.
 */
void audit(struct req *r, const struct audit_event *e);
void audit_change(struct req *r, const struct audit_event *e, char *before, char *after);

/*
 * Records a change that belongs to a user and not to an organization: one record in each
 * organization that the user founded or chose to join.
 */
void audit_everywhere(struct req *r, const char *user, const struct audit_event *e);

#endif
