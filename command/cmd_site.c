/*
 * octavo site hostname, octavo site proxy: sets the address of a site. The API has no operation
 * that sets a hostname: if two organizations want the same address, the machine's admin decides
 * with this command.
 */
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "app/audit.h"
#include "base/json.h"
#include "cmd_data.h"
#include "copy/copy.h"
#include "audience/address_holder.h"

SQL(q_site, "SELECT org, hostname, proxy_origin FROM site WHERE id = :id");

/*
 * Three or more labels of lower-case letters, digits and hyphens: SiteHostname of the published
 * client.
 */
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

/*
 * Prints a note if the hostname has no address. This is no error, since the DNS record may be added
 * later, or exist only in another network.
 */
static void
warn_unknown_host(const char *hostname)
{
	struct addrinfo *list = NULL;

	if (getaddrinfo(hostname, NULL, &(struct addrinfo){ .ai_socktype = SOCK_STREAM }, &list) != 0)
		fprintf(stderr, "Note: no address is known for %s yet; point it at this machine.\n", hostname);
	else
		freeaddrinfo(list);
}

/*
 * Kind of address: its name in the audit record and in messages, and the statement that sets its
 * column.
 */
struct kind {
	const char       *name;
	const struct sql *set;
};
SQL(q_set_hostname, "UPDATE site SET hostname = :address, updated_at = :now WHERE id = :id");
SQL(q_set_proxy, "UPDATE site SET proxy_origin = :address, updated_at = :now WHERE id = :id");
static const struct kind by_hostname = { "hostname", &q_set_hostname }, by_proxy = { "proxy", &q_set_proxy };

static const char *
member_json(struct cli *c, const struct kind *kind, const char *address)
{
	return address == NULL ? NULL : arena_printf(c->arena, "{\"%s\":\"%s\"}", kind->name, address);
}

/* before, after: the addresses; NULL: none. */
static void
put_address(struct cli *c, struct db *db, const struct kind *kind, const char *org, const char *site, const char *before,
    const char *after)
{
	struct audit_event e = { .action = AUDIT_SITE_UPDATE, .source = "script", .type = "site", .target = site, .org = org };
	struct stmt *q = db_use(db, kind->set);

	bind_text(q, ":address", after);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", site);
	stmt_run(q);
	e.before = member_json(c, kind, before);
	e.after = member_json(c, kind, after);
	audit_add(db, c->arena, &e);
}

/*
 * Removes the address from every other site that has it; without --take prints which site has it
 * and fails.
 */
static int
free_address(struct cli *c, struct db *db, const char *site, const char *org, const char *address)
{
	struct holder by;

	while (holder_find(db, c->arena, NULL, site, org, address, &by)) {
		if (!cli_flag(c, "take"))
			return cli_fail(c, "%s is %s of the site %s of the organization %s; --take takes it from that", by.address,
			    by.proxy ? "the proxy" : "the hostname", by.site, by.org);
		put_address(c, db, by.proxy ? &by_proxy : &by_hostname, by.org, by.site, by.address, NULL);
		fprintf(stderr, "%s is taken from the site %s.\n", by.address, by.site);
	}
	return CLI_OK;
}

/*
 * Needs a write transaction of the caller, so that no one can take the address between check and
 * change.
 */
static int
set_address(struct cli *c, struct db *db, const struct kind *kind, const char *site, const char *address)
{
	struct stmt *q = db_use(db, &q_site);
	char *org, *before;

	bind_text(q, ":id", site);
	if (!stmt_step(q))
		return cli_fail(c, "there is no site %s", site);
	org = col_dup(q, 0, c->arena);
	before = col_dup(q, kind == &by_proxy ? 2 : 1, c->arena);
	if (address != NULL && free_address(c, db, site, org, address) != CLI_OK)
		return CLI_FAILED;
	put_address(c, db, kind, org, site, before, address);
	return CLI_OK;
}

static void
print_address(struct cli *c, const struct kind *kind, const char *site, const char *address)
{
	struct json *j;

	if (!c->json) {
		printf("%-13s %s\n%-13s %s\n", "site", site, kind->name, address != NULL ? address : "none");
		return;
	}
	j = cli_json(c);
	json_obj(j);
	json_kstr(j, "site", site);
	json_kstr(j, kind->name, address);
	json_end(j);
	cli_json_print(c);
}

static int
run_address(struct cli *c, const struct kind *kind, const char *address)
{
	const char *site = cli_option(c, "site");
	struct db *db = data_open(c, DB_READ_WRITE);
	int rc;

	if (db == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	rc = set_address(c, db, kind, site, address);
	if (rc == CLI_OK) {
		db_commit(db);
		print_address(c, kind, site, address);
	}
	db_close(db);
	return rc;
}

static int
run_hostname(struct cli *c)
{
	const char *hostname = c->argc == 1 ? c->argv[0] : NULL;
	int rc;

	if ((hostname != NULL) == cli_flag(c, "remove") || c->argc > 1)
		return cli_usage(c, "name one hostname, or --remove");
	if (hostname != NULL && !is_hostname(hostname))
		return cli_usage(c, "%s is no hostname: labels of a-z, 0-9 and - with dots between them, three at least", hostname);
	rc = run_address(c, &by_hostname, hostname);
	if (rc == CLI_OK && hostname != NULL)
		warn_unknown_host(hostname);
	return rc;
}

/* True for a host with a path whose segments need no percent-encoding, as the API accepts it. */
static bool
is_proxy(const char *s)
{
	size_t n = strcspn(s, "/"), i;

	if (n == 0 || n > 253 || memchr(s, '.', n) == NULL || strlen(s) > 512)
		return false;
	for (i = 0; s[i] != '\0'; i++)
		if (strchr("abcdefghijklmnopqrstuvwxyz0123456789-_", s[i] >= 'A' && s[i] <= 'Z' ? s[i] | 32 : s[i]) == NULL &&
		    (s[i] != '.' || i >= n) && (s[i] != '/' || i < n || s[i - 1] == '/'))
			return false;
	return s[n] == '/' && s[i - 1] != '/';
}

static int
run_proxy(struct cli *c)
{
	const char *proxy = c->argc == 1 ? c->argv[0] : NULL;

	if ((proxy != NULL) == cli_flag(c, "remove") || c->argc > 1)
		return cli_usage(c, "name one host and path, or --remove");
	if (proxy != NULL && !is_proxy(proxy))
		return cli_usage(c, "%s is no host with a path, such as example.com/docs", proxy);
	return run_address(c, &by_proxy, proxy == NULL ? NULL : holder_address(c->arena, proxy));
}

const struct cli_command commands_site[] = {
	{ .name = "site hostname", .needs_dir = true, .run = run_hostname, .operands = "[HOSTNAME]",
	  .summary = "Show a site under a hostname of its own",
	  .options = (const struct cli_option[]){
		{ .name = "site", .arg = "ID", .help = "id of the site", .required = true },
		{ .name = "remove", .help = "take the hostname off" },
		{ .name = "take", .help = "take it from the sites that have it, or have addresses within it" },
		{ 0 } },
	  .details = "The web server has to pass requests for the hostname to octavo-site. Hosts and paths below "
	    "them belong to one organization.",
	  .examples = "octavo site hostname --dir DIR --site ID docs.acme.example" },
	{ .name = "site proxy", .needs_dir = true, .run = run_proxy, .operands = "[HOST/PATH]",
	  .summary = "Show a site below a path of another server",
	  .options = (const struct cli_option[]){
		{ .name = "site", .arg = "ID", .help = "id of the site", .required = true },
		{ .name = "remove", .help = "take the address off" },
		{ .name = "take", .help = "take it from the sites that have it, or have addresses within or around it" },
		{ 0 } },
	  .details = "What PATCH of a site does with \"proxy\", which answers 409 where another organization has "
	    "the address.",
	  .examples = "octavo site proxy --dir DIR --site ID example.com/docs" },
	{ .name = "site export", .needs_dir = true, .stays_root = true, .run = cmd_site_export, .operands = "SITE FOLDER",
	  .summary = "Write a published site as HTML files",
	  .options = (const struct cli_option[]){
		{ .name = "path", .arg = "/PATH/", .help = "where a web server will send the folder; only 404.html needs it (else /)" },
		{ 0 } },
	  .details = "SITE is its id, hostname or title. FOLDER must not exist, or be empty. It gets every page that a visitor\n"
	    "without claims sees, with pictures, files and search, all links relative: it opens from the folder, and\n"
	    "from any web server. What needs a server is left out, and named at the end and in FOLDER/README.txt.",
	  .examples = "octavo site export docs.acme.example ./acme --dir DIR" },
	{ 0 }
};
