/*
 * octavo metrics token: makes and revokes the token for GET /v1/metrics (include/http/metrics.h).
 */
#include <stdio.h>

#include "cmd_data.h"
#include "http/metrics.h"

static int
run_metrics_token(struct cli *c)
{
	struct db *db = data_open(c, DB_READ_WRITE);
	const char *error;
	char *token;

	if (db == NULL)
		return CLI_FAILED;
	/*
	 * The database was opened only to refuse a folder without data; the token is stored in a
	 * file beside it.
	 */
	db_close(db);
	if (cli_flag(c, "revoke"))
		return metrics_token_drop(c->arena, c->dir) ? CLI_OK : cli_fail(c, "there is no token for metrics");
	if ((token = metrics_token_make(c->arena, c->dir, &error)) == NULL)
		return cli_fail(c, "%s", error);
	if (c->json) {
		json_obj(cli_json(c));
		json_kstr(cli_json(c), "token", token);
		json_end(cli_json(c));
		cli_json_print(c);
		return CLI_OK;
	}
	printf("%s\n", token);
	cli_say(c, "It is shown this once, and ended the one before. It reads GET /v1/metrics and nothing else.");
	return CLI_OK;
}

const struct cli_command commands_metrics[] = {
	{ .name = "metrics token", .needs_dir = true, .run = run_metrics_token,
	  .summary = "Make the token that monitoring reads GET /v1/metrics with",
	  .options = (const struct cli_option[]){
		{ .name = "revoke", .help = "end it instead; nobody reads metrics then" },
		{ 0 } },
	  .details = "There is one such token at a time; a new one ends the old one. It is not part of backups.",
	  .examples = "octavo metrics token --dir /var/lib/octavo" },
	{ 0 }
};
