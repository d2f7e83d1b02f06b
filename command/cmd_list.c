/*
 * octavo org|user|member|space|team list: lists rows with the ids that other commands and the API
 * take; octavo member|user export: the same as CSV or JSON for files.
 */
#include "base/json.h"
#include "app/people.h"
#include "cmd_data.h"
#include "cmd_people.h"

SQL(q_orgs,
    "SELECT o.id, o.title, o.created_at, "
    "(SELECT count(*) FROM member m WHERE m.org = o.id) AS members, "
    "(SELECT count(*) FROM space s WHERE s.org = o.id AND s.deleted_at IS NULL) AS spaces "
    "FROM org o ORDER BY o.created_at, o.id /*scan*/");
SQL(q_users,
    "SELECT a.id, a.email, a.name, a.created_at, "
    "(SELECT count(*) FROM token t WHERE t.account = a.id AND t.revoked_at IS NULL "
    "AND (t.expires_at IS NULL OR t.expires_at > :now)) AS tokens "
    "FROM account a WHERE a.email <> a.id ORDER BY a.created_at, a.id /*scan*/");
SQL(q_members,
    "SELECT a.id, a.email, a.name, COALESCE(m.role, 0) AS role, m.disabled, m.org "
    "FROM member m JOIN account a ON a.id = m.account "
    "WHERE CAST(:org AS TEXT) IS NULL OR m.org = :org ORDER BY m.org, m.joined_at, a.id /*scan*/");
/* For export: everything known of each member, including whether the member is disabled. */
SQL(q_member_file,
    "SELECT a.id, a.email, a.name, COALESCE(m.role, 0) AS role, m.disabled, m.sso, m.joined_at, m.seen_at, "
    "(SELECT count(*) FROM team_member t JOIN team g ON g.id = t.team WHERE t.account = a.id AND g.org = m.org) AS teams, "
    "o.title, m.org FROM member m JOIN account a ON a.id = m.account JOIN org o ON o.id = m.org "
    "WHERE CAST(:org AS TEXT) IS NULL OR m.org = :org ORDER BY m.org, m.joined_at, a.id /*scan*/");
SQL(q_user_file,
    "SELECT a.id, a.email, a.name, a.verified, a.created_at, "
    "(SELECT max(m.seen_at) FROM member m WHERE m.account = a.id) AS seen_at, "
    "(SELECT count(*) FROM member m WHERE m.account = a.id AND m.disabled = 0) AS organizations, "
    "(SELECT count(*) FROM token t WHERE t.account = a.id AND t.revoked_at IS NULL "
    "AND (t.expires_at IS NULL OR t.expires_at > :now)) AS tokens "
    "FROM account a WHERE a.email <> a.id ORDER BY a.created_at, a.id /*scan*/");
SQL(q_spaces,
    "SELECT s.id, s.title, s.org, s.parent, s.updated_at FROM space s WHERE s.deleted_at IS NULL "
    "AND (CAST(:org AS TEXT) IS NULL OR s.org = :org) ORDER BY s.org, s.created_at, s.id /*scan*/");
SQL(q_teams,
    "SELECT t.id, t.title, t.org, (SELECT count(*) FROM team_member m WHERE m.team = t.id) AS members "
    "FROM team t WHERE CAST(:org AS TEXT) IS NULL OR t.org = :org ORDER BY t.org, t.created_at, t.id /*scan*/");

#define CSV_DETAILS "CSV as in RFC 4180, with a line of names. A value that a spreadsheet would take for a formula\n" \
	"(it begins with =, +, - or @) has a ' before it; --json has it as it is."

enum { COLUMNS_MAX = 11 };

/* Display format of a column. */
enum shown { TEXT, NUMBER, TIME, ROLE, YES };

struct list {
	const struct sql  *sql;
	const char *const *names;
	const enum shown  *as;
	size_t             count;
	bool               of_org;     /* the command takes --org */
	bool               now;        /* the statement has a parameter :now */
};

/* NULL if the column is NULL: the cell stays empty. */
static const char *
cell_text(struct cli *c, struct stmt *q, size_t column, enum shown as)
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
		return col_int(q, i) == ROLE_NONE ? "guest" : role_name(col_int(q, i));
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
			cells[i] = cell_text(c, q, i, l->as[i]);
		cli_table_row(t, cells);
	}
	db_close(db);
	cli_table_print(t);
	return CLI_OK;
}

/*
 * Defines a command that lists a table; columns gives the format of each column of the statement.
 */
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
LIST(list_member_file, q_member_file, true, false, AS(TEXT, TEXT, TEXT, ROLE, YES, YES, TIME, TIME, NUMBER, TEXT, TEXT),
    "id", "email", "name", "role", "disabled", "sso", "joinedAt", "lastSeenAt", "teams", "title", "organization")
LIST(list_user_file, q_user_file, false, true, AS(TEXT, TEXT, TEXT, YES, TIME, TIME, NUMBER, NUMBER),
    "id", "email", "name", "verified", "createdAt", "lastSeenAt", "organizations", "tokens")
LIST(run_spaces, q_spaces, true, false, AS(TEXT, TEXT, TEXT, TEXT, TIME),
    "id", "title", "organization", "collection", "updatedAt")
LIST(run_teams, q_teams, true, false, AS(TEXT, TEXT, TEXT, NUMBER), "id", "title", "organization", "members")

/* Exports for other programs: CSV, or JSON with --json. */
static int
run_member_export(struct cli *c)
{
	c->csv = !c->json;
	return list_member_file(c);
}

static int
run_user_export(struct cli *c)
{
	if (cli_option(c, "user") != NULL)
		return person_export(c);
	c->csv = !c->json;
	return list_user_file(c);
}

static const struct cli_option of_org[] = {
	{ .name = "org", .arg = "ORG", .help = "id or title of an organization (default: all)" },
	{ 0 }
};

const struct cli_command commands_list[] = {
	{ .name = "org list", .needs_dir = true, .run = run_orgs, .summary = "List the organizations" },
	{ .name = "user list", .needs_dir = true, .run = run_users, .summary = "List the users" },
	{ .name = "member list", .needs_dir = true, .run = run_members, .options = of_org,
	  .summary = "List who is in an organization, with roles" },
	{ .name = "member export", .needs_dir = true, .run = run_member_export, .options = of_org,
	  .summary = "Write the members of an organization as CSV, or with --json as JSON",
	  .details = CSV_DETAILS,
	  .examples = "octavo member export --org Acme >members.csv" },
	{ .name = "user export", .needs_dir = true, .run = run_user_export,
	  .summary = "Write all users as CSV, or all that is stored about one as JSON",
	  .options = (const struct cli_option[]){
		{ .name = "user", .arg = "USER", .help = "one user, by address or id: account, memberships, tokens and what they wrote" },
		{ 0 } },
	  .details = CSV_DETAILS "\nWith --user it is one JSON value: what a person may ask for who wants to know what is stored about them.",
	  .examples = "octavo user export >users.csv\noctavo user export --user bob@example.com >bob.json" },
	{ .name = "space list", .needs_dir = true, .run = run_spaces, .options = of_org,
	  .summary = "List the spaces", .examples = "octavo space list --dir DIR --org Acme" },
	{ .name = "team list", .needs_dir = true, .run = run_teams, .options = of_org, .summary = "List the teams" },
	{ 0 }
};
