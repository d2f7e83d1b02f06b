/*
 * octavo audit: prints who changed what, from the audit record that every change writes
 * (include/app/audit.h). Newest events come last, so that a terminal shows them after a long list.
 * Read-only.
 */
#include <stdio.h>

#include "cmd_data.h"
#include "app/audit.h"
#include "base/json.h"
#include "app/people.h"

/*
 * Sorted by seq instead of by time: events of one transaction may have the same time. A parameter
 * that is NULL does not filter.
 */
SQL(q_events,
    "SELECT * FROM (SELECT e.seq, e.at, e.org, e.action, e.source, e.actor, e.actor_label, e.address, "
    "e.target_type, e.target, e.target_label, e.before, e.after, e.id FROM audit_event e "
    "WHERE (CAST(:org AS TEXT) IS NULL OR e.org = :org) "
    "AND (CAST(:action AS TEXT) IS NULL OR e.action = :action) "
    "AND (CAST(:user AS TEXT) IS NULL OR e.actor = :user) "
    "AND (CAST(:target AS TEXT) IS NULL OR e.target = :target) "
    "AND e.at >= :since ORDER BY e.seq DESC LIMIT :limit) AS newest ORDER BY seq /*scan*/");

static const char *
text_or(struct cli *c, struct stmt *q, const char *name, const char *other)
{
	char *s = col_dup(q, col(q, name), c->arena);

	return s != NULL ? s : other;
}

static void
print_row(struct cli *c, struct cli_table *t, struct stmt *q)
{
	const char *actor = text_or(c, q, "actor_label", NULL);
	char at[25];

	time_format(col_int(q, col(q, "at")), at);
	cli_table_row(t, (const char *const[]){ arena_strdup(c->arena, at), text_or(c, q, "org", NULL),
	    text_or(c, q, "action", NULL), actor != NULL ? actor : text_or(c, q, "actor", NULL),
	    text_or(c, q, "address", text_or(c, q, "source", NULL)),
	    arena_printf(c->arena, "%s %s %s", text_or(c, q, "target_type", ""), text_or(c, q, "target", ""),
	        text_or(c, q, "target_label", "")),
	    text_or(c, q, "before", NULL), text_or(c, q, "after", NULL) });
}

/* Columns BEFORE and AFTER hold JSON objects. */
enum { BEFORE = 6, AFTER = 7, COLUMNS = 8 };

static void
print_events(struct cli *c, struct stmt *q)
{
	static const char *const columns[COLUMNS] = { "at", "organization", "action", "actor", "from",
		"target", "before", "after" };
	struct cli_table *t = cli_table_new(c, columns, COLUMNS);

	cli_table_json(t, BEFORE);
	cli_table_json(t, AFTER);
	while (stmt_step(q))
		print_row(c, t, q);
	cli_table_print(t);
}

static int
run_audit(struct cli *c)
{
	const char *since = cli_option(c, "since"), *org = cli_option(c, "org");
	int64_t limit, from = 0;
	struct stmt *q;
	struct db *db;
	int rc = CLI_FAILED;

	if (!cli_number(c, "limit", 1, 100000, 50, &limit))
		return CLI_USAGE;
	if (since != NULL && !time_parse(since, &from))
		return cli_usage(c, "--since takes a date-time like 2027-01-31T00:00:00Z, not \"%s\"", since);
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	if (org != NULL && (org = data_org(c, db, org)) == NULL)
		goto out;
	q = db_use(db, &q_events);
	bind_text(q, ":org", org);
	bind_text(q, ":action", cli_option(c, "action"));
	bind_text(q, ":user", cli_option(c, "user"));
	bind_text(q, ":target", cli_option(c, "target"));
	bind_int(q, ":since", from);
	bind_int(q, ":limit", limit);
	print_events(c, q);
	rc = CLI_OK;
out:
	db_close(db);
	return rc;
}

/* Values for shell completion. */
static const char actions[] =
#define AUDIT(constant, id, label) id " "
#include "app/audit.def"
#undef AUDIT
    "";

const struct cli_command commands_audit[] = {
	{ .name = "audit", .needs_dir = true, .run = run_audit,
	  .summary = "Show who changed what",
	  .options = (const struct cli_option[]){
		{ .name = "org", .arg = "ORG", .help = "of this organization alone: its id or title" },
		{ .name = "action", .arg = "NAME", .help = "such as member.added", .values = actions },
		{ .name = "user", .arg = "ID", .help = "what this user did" },
		{ .name = "target", .arg = "ID", .help = "what was done to this" },
		{ .name = "since", .arg = "TIME", .help = "a date-time" },
		{ .name = "limit", .arg = "N", .help = "how many of the newest; default 50" },
		{ 0 } },
	  .details = "The record cannot be changed; what the octavo command does is in it with\n"
	    "\"script\" in place of an address.",
	  .examples = "octavo audit --dir DIR --since 2027-01-31T00:00:00Z\n"
	    "octavo audit --dir DIR --action member.removed --json" },
	{ 0 }
};
