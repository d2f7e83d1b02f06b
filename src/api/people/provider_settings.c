/* Settings of an organization's providers. Contract: api/provider_settings.h. */
#include "api/audit_events.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/provider_settings.h"
#include "base/secret.h"

/* It has the parameters :id and :org, so that provider_settings_of() can bind it, too. */
SQL(q_team, "SELECT 1 FROM team WHERE id = :id AND org = :org");

struct stmt *
provider_settings_of(struct req *r, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":id", id);
	bind_text(q, ":org", r->org.id);
	return q;
}

/* Replies with the provider. The counts of its default team depend on the caller, so bind_caller() is needed. */
static int
reply_provider(struct req *r, const struct provider_settings *k, const char *id)
{
	struct stmt *q = provider_settings_of(r, k->one, id);

	bind_caller(q, r);
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no %s %s", k->name, id);
	return reply_current(r, q, k->shape);
}

/*
 * Checks the body. A default team of another organization is refused, since admins of this one do
 * not manage it. 0 or fail().
 */
static int
body_or_fail(struct req *r, const struct provider_settings *k)
{
	const char *team = body_text(r, "defaultTeam");

	if (k->check(r) != 0)
		return -1;
	if (team == NULL || stmt_int(provider_settings_of(r, &q_team, team), 0) == 1)
		return 0;
	return fail(r, E_NOT_FOUND, "no team %s", team);
}

static void
edit_provider(struct req *r, const struct provider_settings *k, const char *id)
{
	struct stmt *q = provider_settings_of(r, k->edit, id);

	for (const char *const *m = k->members; *m != NULL; m++)
		bind_body(q, r, *m);
	stmt_run(q);
	if (k->edited != NULL)
		k->edited(r, id);
}

/* Returns an audit event; the caller sets its members before and after. */
static struct audit_event
make_event(struct req *r, const struct provider_settings *k, enum audit_action action, const char *id)
{
	return (struct audit_event){ .action = action, .org = r->org.id, .type = k->type, .target = id };
}

static char *
make_snapshot(struct req *r, const struct provider_settings *k, const char *id)
{
	return audit_snapshot(r->arena, provider_settings_of(r, k->snapshot, id));
}

int
provider_settings_list(struct req *r, const struct provider_settings *k)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, k->count);
	bind_text(q, ":org", r->org.id);
	count = stmt_int(q, 0);
	q = db_use(r->db, k->list);
	bind_caller(q, r);
	list_bind(q, &l);
	return list_reply(r, &l, q, k->shape, count);
}

int
provider_settings_create(struct req *r, const struct provider_settings *k)
{
	char *id = secret_id(r->arena);
	struct audit_event e = make_event(r, k, k->created, id);
	struct stmt *q;

	if (body_or_fail(r, k) != 0)
		return -1;
	q = provider_settings_of(r, k->add, id);
	bind_text(q, ":label", body_text(r, "label"));
	bind_int(q, ":now", time_now());
	stmt_run(q);
	edit_provider(r, k, id);
	e.after = make_snapshot(r, k, id);
	audit(r, &e);
	reply_created(r, arena_printf(r->arena, "/orgs/%s/%s/%s", r->org.id, k->below, id));
	return reply_provider(r, k, id);
}

int
provider_settings_show(struct req *r, const struct provider_settings *k)
{
	return reply_provider(r, k, path_id(r, k->id));
}

int
provider_settings_change(struct req *r, const struct provider_settings *k)
{
	const char *id = path_id(r, k->id);
	struct audit_event e = make_event(r, k, k->updated, id);
	char *before = make_snapshot(r, k, id);

	/* The snapshot also checks that the provider exists. */
	if (before == NULL)
		return fail(r, E_NOT_FOUND, "no %s %s", k->name, id);
	if (body_or_fail(r, k) != 0)
		return -1;
	edit_provider(r, k, id);
	audit_change(r, &e, before, make_snapshot(r, k, id));
	return reply_provider(r, k, id);
}

int
provider_settings_delete(struct req *r, const struct provider_settings *k)
{
	const char *id = path_id(r, k->id);
	struct audit_event e = make_event(r, k, k->deleted, id);

	e.before = make_snapshot(r, k, id);
	if (e.before != NULL)
		audit(r, &e);
	stmt_run(provider_settings_of(r, k->drop, id));
	return reply_empty(r);
}
