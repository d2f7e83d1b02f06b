/*
 * octavo conversations delete: deletes support conversations with all data derived from them, for
 * example when a customer requests erasure.
 */
#include <string.h>

#include "app/audit.h"
#include "app/people.h"
#include "cmd_data.h"
#include "conversations/storage.h"

/* AT_A_TIME: conversations deleted in one transaction, with their derived data. */
enum { AT_A_TIME = 50, ARENA_EACH = 256 << 20 };

/*
 * The audit record holds only the number of deleted conversations: ids and the attribute's value
 * may identify a person.
 */
static void
record_deletion(struct db *db, struct arena *a, const char *org, const char *attribute, int64_t n)
{
	struct json j;
	struct buf b;

	buf_init(&b, a, 1 << 20);
	json_init(&j, &b);
	json_obj(&j);
	json_kint(&j, "conversations", n);
	if (attribute != NULL)
		json_kstr(&j, "attribute", attribute);
	json_end(&j);
	audit_add(db, a, &(struct audit_event){ .action = AUDIT_CONVERSATIONS_DELETE, .source = "script", .org = org,
		.type = "organization", .target = org, .before = arena_strndup(a, b.p, b.n) });
}

/*
 * Deletes the conversations with an attribute, a batch per transaction, so that other writers get
 * their turn.
 */
static int64_t
delete_by_attribute(struct db *db, const char *org, const char *name, const char *value)
{
	struct arena *a = arena_new(ARENA_EACH);
	int64_t all = 0, n;

	do {
		db_begin(db, true);
		all += n = conversations_forget(db, a, org, name, value, AT_A_TIME);
		if (n > 0)
			record_deletion(db, a, org, name, n);
		db_commit(db);
		arena_reset(a);
	} while (n > 0);
	arena_free(a);
	return all;
}

/*
 * Deletes each conversation in a transaction of its own: if one fails, those before it remain
 * deleted. Returns how many existed.
 */
static int64_t
delete_by_id(struct cli *c, struct db *db, const char *org)
{
	int64_t n = 0;
	int i;

	for (i = 0; i < c->argc; i++) {
		struct arena *a = arena_new(ARENA_EACH);
		bool found;
		db_begin(db, true);
		found = conversation_forget(db, a, org, c->argv[i]);
		if (found)
			record_deletion(db, a, org, NULL, 1);
		db_commit(db);
		arena_free(a);
		if (!found)
			cli_say(c, "there is no conversation %s", c->argv[i]);
		n += found;
	}
	return n;
}

static int
run_delete(struct cli *c)
{
	const char *org = cli_option(c, "org"), *attribute = cli_option(c, "attribute"), *value = NULL;
	int64_t n = 0;
	struct db *db;

	/* The value may be empty or contain "="; the name must not. */
	if (attribute != NULL && ((value = strchr(attribute, '=')) == NULL || value == attribute))
		return cli_usage(c, "--attribute takes NAME=VALUE, not \"%s\"", attribute);
	if ((attribute == NULL) == (c->argc == 0))
		return cli_usage(c, "say which: ids of conversations, or --attribute NAME=VALUE");
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	if ((org = data_org(c, db, org)) == NULL) {
		db_close(db);
		return CLI_FAILED;
	}
	if (attribute != NULL)
		n = delete_by_attribute(db, org, arena_strndup(c->arena, attribute, (size_t)(value - attribute)), value + 1);
	else
		n = delete_by_id(c, db, org);
	db_close(db);
	if (c->json) {
		json_obj(cli_json(c));
		json_kint(cli_json(c), "deleted", n);
		json_end(cli_json(c));
		cli_json_print(c);
	}
	cli_say(c, "%lld deleted, with what was derived from them", (long long)n);
	return CLI_OK;
}

const struct cli_command commands_conversations[] = {
	{ .name = "conversations delete", .needs_dir = true, .run = run_delete, .operands = "[ID...]",
	  .summary = "Forget support conversations",
	  .options = (const struct cli_option[]){
		{ .name = "org", .arg = "ORG", .help = "id or title of the organization", .required = true },
		{ .name = "attribute", .arg = "NAME=VALUE", .help = "all whose metadata has this attribute" },
		{ 0 } },
	  .details = "The conversations, their issues, and what these counted for in clusters are deleted\n"
	    "for good; clusters that were made of them alone vanish. The audit record says how many, and\n"
	    "by which attribute, but neither its value nor their ids. Backups keep what they have.",
	  .examples = "octavo conversations delete --dir DIR --org Acme 4711 4712\n"
	    "octavo conversations delete --dir DIR --org ID --attribute email=ann@example.org" },
	{ 0 }
};
