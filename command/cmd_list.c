/*
 * octavo org|user|member|space|team list: what is there, with the ids that other commands
 * and the API take.
 */
#include "base/json.h"
#include "app/people.h"
#include "cmd_data.h"
#include "http/shape.h"

SQL(q_orgs,
    "SELECT o.id, o.title, o.created_at, "
    "(SELECT count(*) FROM member m WHERE m.org = o.id) AS members, "
    "(SELECT count(*) FROM space s WHERE s.org = o.id AND s.deleted_at IS NULL) AS spaces "
    "FROM org o ORDER BY o.created_at, o.id /*scan*/");
SQL(q_users,
    "SELECT a.id, a.email, a.name, a.created_at, "
    "(SELECT count(*) FROM token t WHERE t.account = a.id AND t.revoked_at IS NULL "
    "AND (t.expires_at IS NULL OR t.expires_at > :now)) AS tokens "
    "FROM account a ORDER BY a.created_at, a.id /*scan*/");
SQL(q_members,
    "SELECT a.id, a.email, a.name, COALESCE(m.role, 0) AS role, m.disabled, m.org "
    "FROM member m JOIN account a ON a.id = m.account "
    "WHERE CAST(:org AS TEXT) IS NULL OR m.org = :org ORDER BY m.org, m.joined_at, a.id /*scan*/");
SQL(q_spaces,
    "SELECT s.id, s.title, s.org, s.parent, s.updated_at FROM space s WHERE s.deleted_at IS NULL "
    "AND (CAST(:org AS TEXT) IS NULL OR s.org = :org) ORDER BY s.org, s.created_at, s.id /*scan*/");
SQL(q_teams,
    "SELECT t.id, t.title, t.org, (SELECT count(*) FROM team_member m WHERE m.team = t.id) AS members "
    "FROM team t WHERE CAST(:org AS TEXT) IS NULL OR t.org = :org ORDER BY t.org, t.created_at, t.id /*scan*/");

enum { COLUMNS_MAX = 6 };

/* How a column of the statement is shown. */
enum shown { TEXT, NUMBER, TIME, ROLE, YES };

struct list {
	const struct sql  *sql;
	const char *const *names;
	const enum shown  *as;
	size_t             count;
	bool               of_org;     /* takes --org */
	bool               now;        /* the statement asks for :now */
};

/* NULL where the column is NULL: the cell stays empty. */
static const char *
cell(struct cli *c, struct stmt *q, size_t column, enum shown as)
{
	int i = (int)column;
	char when[25];

	if (col_null(q, i))
		return NULL;
	if (as == TIME) {
		time_format(col_int(q, i), when);
		return arena_strdup(c->arena, when);
	}
	if (as == ROLE)
		return col_int(q, i) == 0 ? "guest" : role_name((int)col_int(q, i));
	if (as == YES)
		return col_int(q, i) != 0 ? cli_yes(c) : NULL;
	return as == NUMBER ? arena_printf(c->arena, "%lld", (long long)col_int(q, i)) : col_dup(q, i, c->arena);
}

static int
print_list(struct cli *c, const struct list *l)
{
	struct cli_table *t = cli_table_new(c, l->names, l->count);
	const char *cells[COLUMNS_MAX], *org = NULL;
	struct db *db = data_open(c, DB_READ_WRITE);
	struct stmt *q;

	if (db == NULL)
		return CLI_FAILED;
	if (l->of_org && cli_option(c, "org") != NULL && (org = data_org(c, db, cli_option(c, "org"))) == NULL) {
		db_close(db);
		return CLI_FAILED;
	}
	for (size_t i = 0; i < l->count; i++)
		if (l->as[i] == NUMBER || l->as[i] == YES)
			cli_table_json(t, i);
	q = db_use(db, l->sql);
	if (l->of_org)
		bind_text(q, ":org", org);
	if (l->now)
		bind_int(q, ":now", time_now());
	while (stmt_step(q)) {
		for (size_t i = 0; i < l->count; i++)
			cells[i] = cell(c, q, i, l->as[i]);
		cli_table_row(t, cells);
	}
	db_close(db);
	cli_table_print(t);
	return CLI_OK;
}

/* Lists a table: its columns, as the statement has them, and how each is shown. */
#define LIST(function, statement, takes_org, takes_now, columns, ...) \
	static int \
	function(struct cli *c) \
	{ \
		static const char *const names[] = { __VA_ARGS__ }; \
		static const enum shown as[] = columns; \
\
		return print_list(c, &(struct list){ &statement, names, as, sizeof(as) / sizeof(as[0]), \
		    takes_org, takes_now }); \
	}
#define AS(...) { __VA_ARGS__ }

LIST(run_orgs, q_orgs, false, false, AS(TEXT, TEXT, TIME, NUMBER, NUMBER),
    "id", "title", "createdAt", "members", "spaces")
LIST(run_users, q_users, false, true, AS(TEXT, TEXT, TEXT, TIME, NUMBER),
    "id", "email", "name", "createdAt", "tokens")
LIST(run_members, q_members, true, false, AS(TEXT, TEXT, TEXT, ROLE, YES, TEXT),
    "id", "email", "name", "role", "disabled", "organization")
LIST(run_spaces, q_spaces, true, false, AS(TEXT, TEXT, TEXT, TEXT, TIME),
    "id", "title", "organization", "collection", "updatedAt")
LIST(run_teams, q_teams, true, false, AS(TEXT, TEXT, TEXT, NUMBER), "id", "title", "organization", "members")

static const struct cli_option of_org[] = {
	{ .name = "org", .arg = "ORG", .help = "id or title of an organization (default: all)" },
	{ 0 }
};

const struct cli_command commands_list[] = {
	{ .name = "org list", .needs_dir = true, .run = run_orgs, .summary = "List the organizations" },
	{ .name = "user list", .needs_dir = true, .run = run_users, .summary = "List the users" },
	{ .name = "member list", .needs_dir = true, .run = run_members, .options = of_org,
	  .summary = "List who is in an organization, with roles" },
	{ .name = "space list", .needs_dir = true, .run = run_spaces, .options = of_org,
	  .summary = "List the spaces", .examples = "octavo space list --dir DIR --org Acme" },
	{ .name = "team list", .needs_dir = true, .run = run_teams, .options = of_org, .summary = "List the teams" },
	{ 0 }
};
