/*
 * The audit record over the API: written by audit() in the transaction of each change, read by admins. What other
 * files need of audit_events.c.
 */
#ifndef OCTAVO_API_AUDIT_EVENTS_H
#define OCTAVO_API_AUDIT_EVENTS_H

#include "app/audit.h"
#include "http/req.h"

extern const struct shape AuditEventList, AuditEventDetails, AuditQuery, AuditActionList;

/*
 * Records a change that this request makes: fills in who, from where and the
 * source of e, whose org, target and before/after are the caller's to set.
 * audit_change() leaves out what before and after agree in, and records
 * nothing where they agree in all.
 */
void audit(struct req *r, const struct audit_event *e);
void audit_change(struct req *r, const struct audit_event *e, char *before, char *after);

/* Of a user rather than an organization: one record in each that the user chose. */
void audit_everywhere(struct req *r, const char *user, const struct audit_event *e);

#endif
