/*
 * The audit log in the API: audit() writes a record in the transaction of each change, and admins
 * read the log. Table audit_event. Lists are sorted newest first; only the answer about a single
 * event contains the states before and after.
 */
#include "base/exact.h"
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/meta.h"
#include "app/audit.h"
#include "base/address.h"
#include "http/req.h"

static const struct shape Actor = { "AuditEventActor", (const struct field[]){
	{ "type", T_ENUM, F_REQ, .set = "user,system",
	  .doc = "Who acted: a user, or the service by itself" },
	{ "id", T_TEXT, F_REQ, .doc = "Id of the user", .example = EXAMPLE_USER },
	{ "label", T_TEXT, .doc = "Name at that time", .example = "Ada" },
	{ 0 } } };
static const struct shape Target = { "AuditEventTarget", (const struct field[]){
	{ "type", T_TEXT, F_REQ, .doc = "Kind of the object", .example = "space" },
	{ "id", T_TEXT, F_REQ, .doc = "Id of the object", .example = EXAMPLE_SPACE },
	{ "label", T_TEXT, .doc = "Title or name at that time", .example = "Handbook" },
	{ 0 } } };
static const struct shape Urls = { "AuditEventUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/audit-events/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/orgs/" EXAMPLE_ORG "/audit-events/" EXAMPLE_EVENT },
	{ 0 } } };
static const struct shape From = { "AuditEventFrom", (const struct field[]){
	{ "address", T_TEXT, .doc = "Network address of the client", .example = "192.0.2.7" },
	{ "token", T_TEXT, .doc = "Id of the token", .example = EXAMPLE_TOKEN },
	{ 0 } } };
/* before and after are open objects: their members depend on the action. */
static const struct shape Payload = { "AuditEventPayload", (const struct field[]){
	{ "from", T_OBJECT, F_REQ, .of = &From, .doc = "Where the request came from" },
	{ "before", T_OBJECT, .of = &AnyObject, .doc = "Changed members with their values before; absent if the object is new" },
	{ "after", T_OBJECT, .of = &AnyObject, .doc = "Changed members with their values after; absent if the object was deleted" },
	{ 0 } } };
static const struct shape Action = { "AuditEventAction", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "audit-event-action", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Name of the action", .example = "space.updated" },
	{ "label", T_TEXT, F_REQ, .doc = "The action in words", .example = "Space updated" },
	{ 0 } } };
const struct shape AuditActionList = { "AuditEventActionList", (const struct field[]){
	{ "items", T_LIST, F_REQ, .of = &Action, .doc = "All actions" },
	{ 0 } } };

/*
 * actor_label is the user's name at the time of the event, so that the record stays readable after
 * the user is renamed.
 */
static void
emit_actor(struct json *j, const struct field *f, const struct row *w)
{
	const char *id = row_text(w, "actor");

	json_kobj(j, f->name);
	/* Jobs without a user act as "system". */
	json_kstr(j, "type", strcmp(id, "system") == 0 ? "system" : "user");
	json_kstr(j, "id", id);
	if (!row_null(w, "actor_label"))
		json_kstr(j, "label", row_text(w, "actor_label"));
	json_end(j);
}

static void
emit_target(struct json *j, const struct field *f, const struct row *w)
{
	json_kobj(j, f->name);
	json_kstr(j, "type", row_text(w, "target_type"));
	json_kstr(j, "id", row_text(w, "target"));
	if (!row_null(w, "target_label"))
		json_kstr(j, "label", row_text(w, "target_label"));
	json_end(j);
}

/*
 * before and after are stored JSON, written out without parsing. token is an id, never a token's
 * text.
 */
static void
emit_payload(struct json *j, const struct field *f, const struct row *w)
{
	json_kobj(j, f->name);
	json_kobj(j, "from");
	if (!row_null(w, "address"))
		json_kstr(j, "address", row_text(w, "address"));
	if (!row_null(w, "token"))
		json_kstr(j, "token", row_text(w, "token"));
	json_end(j);
	if (!row_null(w, "before")) {
		json_key(j, "before");
		json_raw(j, str_of(row_text(w, "before")));
	}
	if (!row_null(w, "after")) {
		json_key(j, "after");
		json_raw(j, str_of(row_text(w, "after")));
	}
	json_end(j);
}

#define EVENT_FIELDS \
	{ "object", T_CONST, F_REQ, .set = "audit-event", .doc = "Kind of object" }, \
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_EVENT }, \
	{ "occurredAt", T_TIME, F_REQ, .col = "at", .doc = "When it happened" }, \
	{ "action", T_TEXT, F_REQ, .doc = "Name of the action", .example = "space.updated" }, \
	{ "actor", T_OBJECT, F_REQ, .of = &Actor, .emit = emit_actor, .doc = "User who acted, or the service" }, \
	{ "source", T_ENUM, F_REQ, .set = "api,script", .doc = "api: through this API; script: by the octavo command" }, \
	{ "target", T_OBJECT, F_REQ, .of = &Target, .emit = emit_target, .doc = "Object of the action" }, \
	{ "urls", T_OBJECT, F_REQ, .of = &Urls, .join = "", .doc = "Its addresses" }

static const struct shape AuditEvent = { "AuditEvent", (const struct field[]){
	EVENT_FIELDS,
	{ 0 } } };
LIST_SHAPE(AuditEventList, AuditEvent);
const struct shape AuditEventDetails = { "AuditEventDetails", (const struct field[]){
	EVENT_FIELDS,
	{ "executionId", T_TEXT, .col = "request", .doc = "Id of the request, as in X-Request-Id and the log",
	  .example = "5f0c2b7e9a1d4836" },
	{ "schemaVersion", T_INT, F_REQ, .col = "schema_version",
	  .doc = "Version of the format of the payload", .example = "1" },
	{ "payload", T_OBJECT, F_REQ, .of = &Payload, .emit = emit_payload, .doc = "Members that changed" },
	{ 0 } } };

/* Limits of the published client: at most 100, 20 by default. */
const struct shape AuditQuery = { "AuditQuery", (const struct field[]){
	{ "page", T_TEXT, .max = 4096, .doc = "`next.page` of the previous answer; absent: the first part of the list",
	  .example = "Mg.Zx3k" },
	{ "limit", T_INT, .min = 0, .max = 100, .preset = "20", .doc = "Maximum number of items in the answer" },
	{ "from", T_TIME, .doc = "Only events at this time or later" },
	{ "to", T_TIME, .doc = "Only events at this time or earlier" },
	{ "action", T_TEXT, .max = 100, .doc = "Only events of this action", .example = "space.updated" },
	{ "actor", T_TEXT, .max = 100, .doc = "Only events of this user", .example = EXAMPLE_USER },
	{ "target", T_TEXT, .max = 100, .doc = "Only events on this object", .example = EXAMPLE_SPACE },
	{ 0 } } };

/*
 * before and after are left out so that lists stay small; the answer about a single event has them.
 */
#define EVENT_COLS \
	"e.seq, e.id, e.at, e.action, e.actor, e.actor_label, e.source, e.target_type, e.target, " \
	"e.target_label"
/*
 * Absent filters are NULL. The indexes audit_actor, audit_target and audit_action start with the
 * organization and end with seq, the order of the list.
 */
#define EVENT_FILTER \
	"e.org = :org AND (CAST(:from AS BIGINT) IS NULL OR e.at >= :from) " \
	"AND (CAST(:to AS BIGINT) IS NULL OR e.at <= :to) " \
	"AND (CAST(:action AS TEXT) IS NULL OR e.action = :action) " \
	"AND (CAST(:actor AS TEXT) IS NULL OR e.actor = :actor) " \
	"AND (CAST(:target AS TEXT) IS NULL OR e.target = :target) "
/* seq grows with each event and is unique, unlike the time: pages neither skip nor repeat. */
SQL(q_events,
    "SELECT " EVENT_COLS ", e.seq AS k1 FROM audit_event e WHERE " EVENT_FILTER
    "AND e.seq < COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX ") "
    "ORDER BY e.seq DESC LIMIT :limit");
SQL(q_events_count, "SELECT count(*) FROM audit_event e WHERE " EVENT_FILTER);
/*
 * The organization is part of the look-up, so an event of another one is not found
 * (docs/design/security.md, "S1" and "S2").
 */
SQL(q_event,
    "SELECT " EVENT_COLS ", e.address, e.token, e.request, e.before, e.after, 1 AS schema_version "
    "FROM audit_event e WHERE e.id = :id AND e.org = :org");

/*
 * Fills in user, token, address and request from r, so that no caller can set them to other values.
 */
static struct audit_event
fill_event(struct req *r, const struct audit_event *e)
{
	struct audit_event full = *e;

	full.source = "api";
	full.actor = r->who.user;
	full.token = r->who.token;
	/*
	 * X-Forwarded-For is used only behind a listed proxy (docs/design/security.md, "S7"): else
	 * anybody could write any address into the record.
	 */
	full.address = address_client(r->arena, r->set->proxies, r->io->param(r->io, "REMOTE_ADDR"),
	    r->io->param(r->io, "HTTP_X_FORWARDED_FOR"));
	full.request = r->id;
	return full;
}

/*
 * Writes the record in the transaction of the change: each change has a record, and a rollback
 * removes both.
 */
void
audit(struct req *r, const struct audit_event *e)
{
	struct audit_event full = fill_event(r, e);

	audit_add(r->db, r->arena, &full);
}

/* Writes nothing if nothing changed: a PATCH with the same values is no event. */
void
audit_change(struct req *r, const struct audit_event *e, char *before, char *after)
{
	struct audit_event full = fill_event(r, e);

	if (!audit_differ(r->arena, &before, &after))
		return;
	full.before = before;
	full.after = after;
	audit_add(r->db, r->arena, &full);
}

/*
 * A token or a profile belongs to no organization. The record is therefore written to each
 * organization that the user founded or joined by choice (app/people.h, member_chose()).
 */
void
audit_everywhere(struct req *r, const char *user, const struct audit_event *e)
{
	struct audit_event full = fill_event(r, e);

	/* Other organizations must not see what a session of one organization's provider does. */
	full.org = r->who.only_org;
	if (full.org != NULL)
		audit_add(r->db, r->arena, &full);
	else
		audit_add_everywhere(r->db, r->arena, user, &full);
}

/* Binds a time of the query; without that member the parameter stays NULL. */
static void
bind_time(struct stmt *q, struct req *r, const char *name, const char *param)
{
	const char *text = query_text(r, name);
	int64_t at;

	if (text != NULL && time_parse(text, &at))
		bind_int(q, param, at);
}

static void
bind_filter(struct stmt *q, struct req *r)
{
	bind_text(q, ":org", r->org.id);
	bind_time(q, r, "from", ":from");
	bind_time(q, r, "to", ":to");
	bind_text(q, ":action", query_text(r, "action"));
	bind_text(q, ":actor", query_text(r, "actor"));
	bind_text(q, ":target", query_text(r, "target"));
}

/* GET /orgs/{organizationId}/audit-event-actions */
HANDLER(listOrganizationAuditEventActions)
{
	int i;

	json_obj(&r->json);
	json_karr(&r->json, "items");
	/* Lists all actions, whether they happened in this organization or not. */
	for (i = 0; i < AUDIT_ACTIONS; i++) {
		json_obj(&r->json);
		json_kstr(&r->json, "object", "audit-event-action");
		json_kstr(&r->json, "id", audit_id((enum audit_action)i));
		json_kstr(&r->json, "label", audit_label((enum audit_action)i));
		json_end(&r->json);
	}
	json_end(&r->json);
	json_end(&r->json);
	return 0;
}

/* GET /orgs/{organizationId}/audit-events */
HANDLER(listOrganizationAuditEvents)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 1) != 0)
		return -1;
	/* The published client's default here, instead of the 50 of other lists. */
	l.limit = query_int(r, "limit", 20);
	q = db_use(r->db, &q_events_count);
	bind_filter(q, r);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_events);
	bind_filter(q, r);
	list_bind(q, &l);
	return list_reply(r, &l, q, &AuditEvent, count);
}

/* GET /orgs/{organizationId}/audit-events/{auditEventId} */
HANDLER(getOrganizationAuditEvent)
{
	struct stmt *q = db_use(r->db, &q_event);

	bind_text(q, ":id", path_id(r, "auditEventId"));
	bind_text(q, ":org", r->org.id);
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no audit event %s", path_id(r, "auditEventId"));
	return reply_current(r, q, &AuditEventDetails);
}
