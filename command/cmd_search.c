/* octavo search words: manages an organization's synonym sets for search. */
#include <stdio.h>
#include <string.h>

#include "app/audit.h"
#include "base/json.h"
#include "cmd_data.h"
#include "search/own_words.h"

static void
print_json(struct cli *c, const struct own_set *list, size_t n)
{
	struct json *j = cli_json(c);
	size_t i, k;

	json_arr(j);
	for (i = 0; i < n; i++) {
		json_arr(j);
		for (k = 0; list[i].members[k] != NULL; k++)
			json_str(j, list[i].members[k]);
		json_end(j);
	}
	json_end(j);
	cli_json_print(c);
}

/* Prints one set per line. */
static void
print_sets(struct cli *c, const struct own_set *list, size_t n)
{
	size_t i, k;

	if (c->json) {
		print_json(c, list, n);
		return;
	}
	for (i = 0; i < n; i++)
		for (k = 0; list[i].members[k] != NULL; k++)
			printf("%s%s", list[i].members[k], list[i].members[k + 1] != NULL ? ", " : "\n");
	if (n == 0)
		cli_say(c, "the organization has no sets of synonyms");
}

/*
 * Returns the words as JSON for the audit record; NULL for no set (before an addition, after a
 * removal).
 */
static char *
members_json(struct cli *c, const struct own_set *set)
{
	struct json j;
	struct buf b;
	size_t i;

	if (set == NULL)
		return NULL;
	buf_init(&b, c->arena, 64 << 10);
	json_init(&j, &b);
	json_obj(&j);
	json_karr(&j, "words");
	for (i = 0; set->members[i] != NULL; i++)
		json_str(&j, set->members[i]);
	json_end(&j);
	json_end(&j);
	return b.p;
}

static void
record_words(struct cli *c, struct db *db, const char *org, const struct own_set *before, const struct own_set *after)
{
	audit_add(db, c->arena, &(struct audit_event){ .action = AUDIT_SEARCH_WORDS, .source = "script", .org = org,
		.type = "organization", .target = org, .before = members_json(c, before), .after = members_json(c, after) });
}

/* Both arguments must be normalized by own_word(), so that equal words have equal bytes. */
static bool
has_member(const struct own_set *set, const char *word)
{
	size_t i;

	for (i = 0; set->members[i] != NULL; i++)
		if (strcmp(set->members[i], word) == 0)
			return true;
	return false;
}

/* Reads the operands as a set; false after printing an error. */
static bool
read_set(struct cli *c, struct own_set *set)
{
	const char *word;
	int i;

	if (c->argc < 2 || c->argc > OWN_MEMBERS) {
		cli_usage(c, "name two to %d words or phrases with the same meaning", OWN_MEMBERS);
		return false;
	}
	for (i = 0; i < c->argc; i++) {
		if ((word = own_word(c->arena, c->argv[i])) == NULL) {
			cli_usage(c, "\"%s\" is not a word or a phrase of up to %d words of letters and digits", c->argv[i], OWN_WORDS);
			return false;
		}
		if (has_member(set, word)) {
			cli_usage(c, "\"%s\" repeats an earlier word or phrase (case, accents and English endings do not matter)", c->argv[i]);
			return false;
		}
		set->members[i] = word;
	}
	return true;
}

/* Adds the set and its audit record, within the caller's transaction. */
static int
add_set(struct cli *c, struct db *db, const char *org, struct own_set *set)
{
	if ((set->no = own_set_add(db, c->arena, org, set)) == 0)
		return cli_fail(c, "the organization already has %d sets of synonyms, the maximum; remove one first (--remove WORD)", OWN_SETS);
	record_words(c, db, org, NULL, set);
	return CLI_OK;
}

/* Removes all sets that contain the word: the command line has no way to select one of them. */
static int
remove_sets(struct cli *c, struct db *db, const char *org, const char *text)
{
	const char *word = own_word(c->arena, text);
	size_t n, i, gone = 0;
	struct own_set *list = own_sets(db, c->arena, org, &n);

	for (i = 0; word != NULL && i < n; i++) {
		if (!has_member(&list[i], word))
			continue;
		own_set_remove(db, org, list[i].no);
		record_words(c, db, org, &list[i], NULL);
		gone++;
	}
	return gone > 0 ? CLI_OK : cli_fail(c, "no set of synonyms of the organization contains \"%s\"", text);
}

static int
run_words(struct cli *c)
{
	const char *org = cli_option(c, "org"), *gone = cli_option(c, "remove");
	struct own_set set = { 0 }, *list = NULL;
	struct db *db;
	size_t n = 0;
	int rc = CLI_OK;

	if (gone != NULL && c->argc > 0)
		return cli_usage(c, "give either words to add, or --remove WORD");
	if (c->argc > 0 && !read_set(c, &set))
		return CLI_USAGE;
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	if ((org = data_org(c, db, org)) == NULL) {
		db_close(db);
		return CLI_FAILED;
	}
	db_begin(db, c->argc > 0 || gone != NULL);
	if (c->argc > 0)
		rc = add_set(c, db, org, &set);
	else if (gone != NULL)
		rc = remove_sets(c, db, org, gone);
	if (rc == CLI_OK) {
		list = own_sets(db, c->arena, org, &n);
		db_commit(db);
		/* Print only after the commit. */
		print_sets(c, list, n);
	} else {
		db_rollback(db);
	}
	db_close(db);
	return rc;
}

const struct cli_command commands_search[] = {
	{ .name = "search words", .needs_dir = true, .run = run_words, .operands = "[WORD...]",
	  .summary = "Add, list and remove synonyms for searches in an organization",
	  .options = (const struct cli_option[]){
		{ .name = "org", .arg = "ORG", .help = "id or title of the organization", .required = true },
		{ .name = "remove", .arg = "WORD", .help = "remove all sets that contain it" },
		{ 0 } },
	  .details = "With words or phrases: adds them as a set of synonyms. A search for one of them also finds\n"
	    "pages with the others, below pages with the word itself. Without words: lists the sets.\n"
	    "They add to the dictionary of Octavo (turn off and disable, sign in and log in, ...) and\n"
	    "apply to the next search. Changes are in the audit record. Case, accents and English\n"
	    "endings do not matter.",
	  .examples = "octavo search words --dir DIR --org Acme ship deploy \"roll out\"\n"
	    "octavo search words --dir DIR --org Acme --remove ship" },
	{ 0 }
};
