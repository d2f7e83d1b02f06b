/*
 * Which tables an export contains, and which columns tell that a row belongs to an organization.
 * Contract: command/leave.h.
 */
#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "command/leave.h"

/*
 * Tables in the order in which they are exported. Referenced tables need not come first, because
 * references are checked when all rows are inserted.
 */
const struct leave_table leave_tables[] = {
	{ .name = "installation", .secret = "key_mark" },
	{ .name = "org", .by = "id" },
	{ .name = "account", .by = "" },
	{ .name = "identity", .kind = LEAVE_SECRET },
	{ .name = "passkey", .kind = LEAVE_SECRET },
	{ .name = "password", .kind = LEAVE_SECRET },
	{ .name = "token", .kind = LEAVE_SECRET },
	{ .name = "member", .by = "org" },
	{ .name = "team", .by = "org" },
	{ .name = "team_member", .by = "team" },
	{ .name = "org_domain", .by = "org" },
	{ .name = "oidc_provider", .by = "org", .secret = "secret" },
	{ .name = "saml_provider", .by = "org" },
	{ .name = "agent_instructions", .by = "org" },
	{ .name = "link_invite", .by = "org", .secret = "sealed" },
	{ .name = "collection", .by = "org" },
	{ .name = "space", .by = "org" },
	{ .name = "access_grant", .by = "space collection site" },
	{ .name = "branch", .by = "space" },
	{ .name = "revision", .by = "branch" },
	{ .name = "blob", .by = "" },
	{ .name = "node", .by = "branch" },
	{ .name = "change_request", .by = "space" },
	{ .name = "requested_reviewer", .by = "request" },
	{ .name = "review", .by = "request" },
	{ .name = "comment", .by = "space" },
	{ .name = "comment_reply", .by = "comment" },
	{ .name = "reaction", .by = "comment" },
	{ .name = "last_look", .by = "request" },
	{ .name = "request_undo", .by = "request" },
	{ .name = "named", .by = "space" },
	{ .name = "git_binding", .by = "space", .secret = "secret hook" },
	{ .name = "git_source", .by = "space" },
	{ .name = "git_sync", .by = "space" },
	{ .name = "openapi_spec", .by = "org", .secret = "url_sealed" },
	{ .name = "openapi_version", .by = "spec" },
	{ .name = "openapi_given", .by = "spec" },
	{ .name = "openapi_file", .by = "version" },
	{ .name = "openapi_page", .by = "version" },
	{ .name = "openapi_operation", .by = "version" },
	{ .name = "openapi_page_operation", .by = "version" },
	{ .name = "openapi_schema", .by = "version" },
	{ .name = "stored_file", .by = "org" },
	{ .name = "font", .by = "org" },
	{ .name = "font_face", .by = "font" },
	{ .name = "site", .by = "org", .secret = "visitor_key" },
	{ .name = "site_section_group", .by = "site" },
	{ .name = "site_section", .by = "site" },
	{ .name = "site_space", .by = "site" },
	{ .name = "site_redirect", .by = "site" },
	{ .name = "site_external_link", .by = "site" },
	{ .name = "site_share_link", .by = "site", .secret = "secret sealed" },
	{ .name = "site_mcp_server", .by = "site", .secret = "headers url_sealed" },
	{ .name = "site_event", .by = "site" },
	{ .name = "site_pass", .kind = LEAVE_SECRET },
	{ .name = "styleguide_run", .by = "site" },
	{ .name = "glossary_entry", .by = "org" },
	{ .name = "translation", .by = "org" },
	{ .name = "translation_page", .by = "translation" },
	{ .name = "translation_memory", .by = "org" },
	{ .name = "search_words", .by = "org" },
	{ .name = "conversation", .by = "org" },
	{ .name = "conversation_attribute", .by = "org" },
	{ .name = "conversation_issue", .by = "org" },
	{ .name = "conversation_state", .by = "org" },
	{ .name = "issues_cluster", .by = "org" },
	{ .name = "issue_term", .by = "org" },
	{ .name = "cluster_term", .by = "org" },
	{ .name = "cluster_week", .by = "cluster" },
	{ .name = "cluster_source", .by = "cluster" },
	{ .name = "schedule", .by = "org space" },
	{ .name = "job", .by = "org space", .secret = "secret" },
	{ .name = "job_warning", .by = "job" },
	{ .name = "audit_event", .by = "org" },
	/* Made from the content, by the job runner or when they are read. */
	{ .name = "access_version", .kind = LEAVE_MADE },
	{ .name = "blob_data", .kind = LEAVE_MADE },    /* its bytes are in the rows of blob */
	{ .name = "body_fact", .kind = LEAVE_MADE },
	{ .name = "derived", .kind = LEAVE_MADE },
	{ .name = "link", .kind = LEAVE_MADE },
	{ .name = "link_count", .kind = LEAVE_MADE },
	{ .name = "link_edition", .kind = LEAVE_MADE },
	{ .name = "link_target", .kind = LEAVE_MADE },
	{ .name = "search_index", .kind = LEAVE_MADE },
	{ .name = "search_page", .kind = LEAVE_MADE },
	{ .name = "search_place", .kind = LEAVE_MADE },
	{ .name = "search_reads", .kind = LEAVE_MADE },
	{ .name = "search_space", .kind = LEAVE_MADE },
	{ .name = "search_term", .kind = LEAVE_MADE },
	{ .name = "search_text", .kind = LEAVE_MADE },
	{ .name = "site_change", .kind = LEAVE_MADE },
	/* Useful for minutes only, or on this machine only. */
	{ .name = "git_delivery", .kind = LEAVE_MADE },
	{ .name = "idempotency", .kind = LEAVE_MADE },
	{ .name = "import_file", .kind = LEAVE_MADE },
	{ .name = "pdf", .kind = LEAVE_MADE },
	{ .name = "session", .kind = LEAVE_MADE },
	{ .name = "sign_in_code", .kind = LEAVE_MADE },
	{ .name = "sign_in_link", .kind = LEAVE_MADE },
	{ .name = "used_flow", .kind = LEAVE_MADE },
	{ .name = "saml_answer", .kind = LEAVE_MADE },
};

const size_t leave_table_count = sizeof(leave_tables) / sizeof(*leave_tables);

const struct leave_table *
leave_table_find(const char *name)
{
	for (size_t i = 0; i < leave_table_count; i++)
		if (strcmp(leave_tables[i].name, name) == 0)
			return &leave_tables[i];
	return NULL;
}

bool
leave_has_word(const char *list, const char *word)
{
	size_t n, want = strlen(word);

	for (; list != NULL && *list != '\0'; list += n + (list[n] == ' '))
		if ((n = strcspn(list, " ")) == want && strncmp(list, word, n) == 0)
			return true;
	return false;
}

/* ---- columns ---- */

/* The columns of one table while they are read. */
struct column_list {
	struct arena             *arena;
	const struct leave_table *table;
	struct leave_column      *list;
	size_t                    n, room;
	const char               *sql;     /* text of CREATE TABLE, with its comments */
};

static void
take_sql(void *ctx, struct stmt *q)
{
	struct column_list *c = ctx;

	c->sql = arena_strdup(c->arena, col_text(q, 0));
}

/* True if the line of CREATE TABLE defines this column. */
static bool
defines(const char *line, const char *name)
{
	size_t n = strlen(name);

	line += strspn(line, " \t(");
	line += *line == '"';
	return strncmp(line, name, n) == 0 && (line[n] == ' ' || line[n] == '"');
}

/* Appends the comment of a line; false: the line has none. */
static bool
add_comment(struct buf *b, const char *line)
{
	size_t n = strcspn(line, "\n");
	const char *at = memchr(line, '-', n);

	while (at != NULL && at[1] != '-')
		at = memchr(at + 1, '-', n - (size_t)(at + 1 - line));
	if (at == NULL)
		return false;
	at += 2 + strspn(at + 2, " ");
	if (b->n > 0)
		buf_char(b, ' ');
	buf_add(b, at, n - (size_t)(at - line));
	return true;
}

/*
 * The comment after a column, with the following lines that contain only comments. After migrations
 * comments may be missing: SQLite keeps no comments of columns that were added later.
 */
static const char *
comment_of(struct column_list *c, const char *name)
{
	const char *line = c->sql;
	struct buf b;

	buf_init(&b, c->arena, 1 << 16);
	for (; line != NULL; line = strchr(line, '\n') == NULL ? NULL : strchr(line, '\n') + 1) {
		if (!defines(line, name) || !add_comment(&b, line))
			continue;
		while ((line = strchr(line, '\n')) != NULL && strncmp(line + 1 + strspn(line + 1, " \t"), "--", 2) == 0)
			add_comment(&b, ++line);
		return arena_strdup(c->arena, b.p);
	}
	return NULL;
}

static void
take_column(void *ctx, struct stmt *q)
{
	struct column_list *c = ctx;
	struct leave_column *one;

	c->list = arena_grow(c->arena, c->list, c->n, &c->room, sizeof(*c->list));
	one = &c->list[c->n++];
	*one = (struct leave_column){ .name = col_dup(q, 0, c->arena), .type = col_dup(q, 1, c->arena),
		.key = col_int(q, 3) > 0 };
	one->required = col_int(q, 2) != 0 || one->key;
	one->secret = leave_has_word(c->table->secret, one->name);
	one->about = comment_of(c, one->name);
}

struct leave_column *
leave_columns(struct db *db, struct arena *a, const struct leave_table *t, size_t *n)
{
	struct column_list c = { .arena = a, .table = t };

	db_each_or_fail(db, a, arena_printf(a, "SELECT sql FROM sqlite_schema WHERE name = '%s'", t->name), take_sql, &c);
	db_each_or_fail(db, a, arena_printf(a, "SELECT name, type, \"notnull\", pk FROM pragma_table_info('%s')", t->name),
	    take_column, &c);
	*n = c.n;
	return c.list;
}

/* ---- rows of an organization ---- */

struct reference {
	struct arena *arena;
	const char   *table, *key;   /* the table, and the column in it */
};

static void
take_reference(void *ctx, struct stmt *q)
{
	struct reference *r = ctx;

	r->table = col_dup(q, 0, r->arena);
	r->key = col_dup(q, 1, r->arena);
}

/* Foreign keys with the column to which they refer: without a name it is the primary key. */
#define REFERENCES(columns) "SELECT " columns ", coalesce(f.\"to\", (SELECT k.name FROM pragma_table_info(f.\"table\") k " \
	"WHERE k.pk = 1)) FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table' AND "

/* A text in quotes for SQL. */
static const char *
quoted(struct arena *a, const char *s)
{
	struct buf b;

	buf_init(&b, a, 1 << 16);
	buf_char(&b, '\'');
	for (; *s != '\0'; s++)
		buf_str(&b, *s == '\'' ? "''" : (const char[]){ *s, '\0' });
	buf_char(&b, '\'');
	return b.p;
}

/* Collects the columns of other tables that refer to a table, limited to rows of the organization. */
struct used_list {
	struct db    *db;
	struct arena *arena;
	const char   *org;
	const char   *key;     /* the column to which the others refer */
	struct buf    out;
};

static void
take_use(void *ctx, struct stmt *q)
{
	struct used_list *u = ctx;
	const struct leave_table *t = leave_table_find(col_text(q, 0));

	if (t == NULL || t->kind != LEAVE_ROWS || t->by == NULL || *t->by == '\0')
		return;
	u->key = col_dup(q, 2, u->arena);
	buf_printf(&u->out, "%sSELECT \"%s\" FROM \"%s\" WHERE %s", u->out.n > 0 ? " UNION " : "", col_text(q, 1), t->name,
	    leave_where(u->db, u->arena, t, u->org));
}

/* Accounts and blobs belong to each organization with a row that refers to them. */
static const char *
where_used(struct db *db, struct arena *a, const struct leave_table *t, const char *org)
{
	struct used_list u = { .db = db, .arena = a, .org = org, .key = "rowid" };

	buf_init(&u.out, a, 1 << 20);
	db_each_or_fail(db, a,
	    arena_printf(a, REFERENCES("m.name, f.\"from\"") "f.\"table\" = '%s' AND m.name <> '%s'", t->name, t->name), take_use, &u);
	return arena_printf(a, "\"%s\" IN (%s)", u.key, u.out.p);
}

const char *
leave_where(struct db *db, struct arena *a, const struct leave_table *t, const char *org)
{
	const char *by = t->by;
	struct buf b;
	size_t n;

	if (org == NULL)
		return "1";
	if (by == NULL)
		return "0";
	if (*by == '\0')
		return where_used(db, a, t, org);
	buf_init(&b, a, 1 << 20);
	for (; *by != '\0'; by += n + (by[n] == ' ')) {
		const char *column = arena_strndup(a, by, n = strcspn(by, " "));
		struct reference r = { .arena = a };

		buf_str(&b, b.n > 0 ? " OR " : "");
		if (strcmp(column, "org") == 0 || strcmp(column, "id") == 0) {
			buf_printf(&b, "\"%s\" = %s", column, quoted(a, org));
			continue;
		}
		db_each_or_fail(db, a, arena_printf(a, REFERENCES("f.\"table\"") "m.name = '%s' AND f.\"from\" = '%s'", t->name, column),
		    take_reference, &r);
		if (r.table == NULL || leave_table_find(r.table) == NULL)
			return "0";
		buf_printf(&b, "\"%s\" IN (SELECT \"%s\" FROM \"%s\" WHERE %s)", column, r.key, r.table,
		    leave_where(db, a, leave_table_find(r.table), org));
	}
	return arena_printf(a, "(%s)", b.p);
}
