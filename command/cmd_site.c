/* octavo site hostname: which hostname shows a site. No operation of the API sets one. */
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "app/audit.h"
#include "base/json.h"
#include "cmd_data.h"

SQL(q_site, "SELECT org, hostname FROM site WHERE id = :id");
SQL(q_taken, "SELECT id FROM site WHERE hostname = :hostname AND id <> :id");
SQL(q_set, "UPDATE site SET hostname = :hostname, updated_at = :now WHERE id = :id");

/* Labels of lower-case letters, digits and hyphens, three or more: SiteHostname of the published client. */
static bool
is_hostname(const char *s)
{
	size_t labels = 1, n = 0, i, size = strlen(s);

	for (i = 0; i <= size; i++) {
		bool letter = (s[i] >= 'a' && s[i] <= 'z') || (s[i] >= '0' && s[i] <= '9');
		if (letter || (s[i] == '-' && n > 0)) {
			n++;
		} else if ((s[i] == '.' || s[i] == '\0') && n > 0 && n <= 63 && s[i - 1] != '-') {
			labels += s[i] == '.';
			n = 0;
		} else {
			return false;
		}
	}
	return labels >= 3 && size <= 253;
}

/* Told and no more: the name may come later, or be known elsewhere alone. */
static void
tell_dns(const char *hostname)
{
	struct addrinfo *list = NULL;

	if (getaddrinfo(hostname, NULL, &(struct addrinfo){ .ai_socktype = SOCK_STREAM }, &list) != 0)
		fprintf(stderr, "Note: no address is known for %s yet; point it at this machine.\n", hostname);
	else
		freeaddrinfo(list);
}

static void
record(struct cli *c, struct db *db, const char *org, const char *site, const char *before, const char *after)
{
	struct audit_event e = { .action = AUDIT_SITE_UPDATE, .source = "script", .type = "site", .target = site, .org = org };

	e.before = before == NULL ? NULL : arena_printf(c->arena, "{\"hostname\":\"%s\"}", before);
	e.after = after == NULL ? NULL : arena_printf(c->arena, "{\"hostname\":\"%s\"}", after);
	audit_add(db, c->arena, &e);
}

/*
 * Within a write transaction of the caller's, so that nobody takes the name between the question
 * and the change.
 */
static int
set(struct cli *c, struct db *db, const char *site, const char *hostname)
{
	struct stmt *q = db_use(db, &q_site);
	char *org, *before;

	bind_text(q, ":id", site);
	if (!stmt_step(q))
		return cli_fail(c, "there is no site %s", site);
	org = col_dup(q, 0, c->arena);
	before = col_dup(q, 1, c->arena);
	q = db_use(db, &q_taken);
	bind_text(q, ":hostname", hostname);
	bind_text(q, ":id", site);
	if (stmt_step(q))
		return cli_fail(c, "%s shows the site %s already", hostname, col_text(q, 0));
	q = db_use(db, &q_set);
	bind_text(q, ":hostname", hostname);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", site);
	stmt_run(q);
	record(c, db, org, site, before, hostname);
	return CLI_OK;
}

static void
print(struct cli *c, const char *site, const char *hostname)
{
	struct json *j;

	if (!c->json) {
		printf("%-13s %s\n%-13s %s\n", "site", site, "hostname", hostname != NULL ? hostname : "none");
		return;
	}
	j = cli_json(c);
	json_obj(j);
	json_kstr(j, "site", site);
	json_kstr(j, "hostname", hostname);
	json_end(j);
	cli_json_print(c);
}

static int
run_hostname(struct cli *c)
{
	const char *site = cli_option(c, "site"), *hostname = c->argc == 1 ? c->argv[0] : NULL;
	struct db *db;
	int rc;

	if ((hostname != NULL) == cli_flag(c, "remove") || c->argc > 1)
		return cli_usage(c, "name one hostname, or --remove");
	if (hostname != NULL && !is_hostname(hostname))
		return cli_usage(c, "%s is no hostname: labels of a-z, 0-9 and - with dots between them, three at least", hostname);
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	rc = set(c, db, site, hostname);
	if (rc == CLI_OK) {
		db_commit(db);
		print(c, site, hostname);
		if (hostname != NULL)
			tell_dns(hostname);
	}
	db_close(db);
	return rc;
}

const struct cli_command commands_site[] = {
	{ .name = "site hostname", .needs_dir = true, .run = run_hostname, .operands = "[HOSTNAME]",
	  .summary = "Show a site under a hostname of its own",
	  .options = (const struct cli_option[]){
		{ .name = "site", .arg = "ID", .help = "id of the site", .required = true },
		{ .name = "remove", .help = "take the hostname off" },
		{ 0 } },
	  .details = "The web server has to pass requests for the hostname to octavo-site.",
	  .examples = "octavo site hostname --dir DIR --site ID docs.acme.example" },
	{ 0 }
};
