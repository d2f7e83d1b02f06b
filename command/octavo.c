/*
 * octavo: the admin's command. This file finds the subcommand, parses the
 * command line and prints help. The subcommands are in command/cmd_*.c; their
 * framework is include/command/cli.h.
 *
 * A command line is `octavo [common options] NAME [NAME2] [options and operands]`.
 * The common options (--dir, --json, --help) are accepted anywhere. "--" ends the
 * options; "--name=value" and "--name value" are the same.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/build.h"
#include "base/file.h"
#include "cmd_data.h"
#include "command/cli.h"

/* Limit for the whole command: nothing is freed before it ends. */
#define ARENA_MAX (1u << 30)
#define MAX_NAMES 256

/* The same default as in the programs (base/settings.c). */
#define DEFAULT_DIR "/var/lib/octavo"

/* Help. */

static void
print_option(const struct cli_option *o)
{
	char left[64];

	snprintf(left, sizeof left, "--%s%s%s", o->name, o->arg == NULL ? "" : " ",
	    o->arg == NULL ? "" : o->arg);
	printf("  %-22s %s%s\n", left, o->help, o->required ? " (required)" : "");
}

static void
print_usage_line(const struct cli_command *cmd)
{
	printf("Usage: octavo %s", cmd->name);
	for (const struct cli_option *o = cmd->options; o != NULL && o->name != NULL; o++)
		printf(o->required ? " --%s%s%s" : " [--%s%s%s]", o->name, o->arg == NULL ? "" : " ",
		    o->arg == NULL ? "" : o->arg);
	if (cmd->operands != NULL)
		printf(" %s", cmd->operands);
	printf("%s [--json]\n", cmd->needs_dir ? " [--dir DIR]" : "");
}

static void
print_examples(const char *examples)
{
	puts("\nExamples:");
	while (*examples != '\0') {
		size_t n = strcspn(examples, "\n");

		printf("  %.*s\n", (int)n, examples);
		examples += n + (examples[n] == '\n');
	}
}

static int
help_command(const struct cli_command *cmd)
{
	print_usage_line(cmd);
	printf("\n%s.\n", cmd->summary);
	if (cmd->details != NULL)
		printf("\n%s\n", cmd->details);
	puts("\nOptions:");
	for (const struct cli_option *o = cmd->options; o != NULL && o->name != NULL; o++)
		print_option(o);
	for (const struct cli_option *o = cli_common; o->name != NULL; o++)
		print_option(o);
	if (cmd->examples != NULL)
		print_examples(cmd->examples);
	puts("\nExit status: 0 done, 1 failed, 2 the command line was wrong.");
	return CLI_OK;
}

/* Lists all commands, or those whose first word is `word`. */
static void
list_commands(FILE *to, const char *word)
{
	for (size_t g = 0; g < cli_chapter_count; g++) {
		bool titled = false;

		for (const struct cli_command *cmd = cli_chapters[g].commands; cmd->name != NULL; cmd++) {
			if (word != NULL && (strncmp(cmd->name, word, strlen(word)) != 0 ||
			    cmd->name[strlen(word)] != ' '))
				continue;
			if (!titled && word == NULL && (g == 0 || strcmp(cli_chapters[g].title, cli_chapters[g - 1].title) != 0))
				fprintf(to, "\n%s:\n", cli_chapters[g].title);
			titled = true;
			fprintf(to, "  %-18s %s\n", cmd->name, cmd->summary);
		}
	}
}

static int
help_all(void)
{
	puts("Usage: octavo COMMAND [options]\n\nOctavo " OCTAVO_VERSION
	    ", a documentation platform behind your own web server.");
	list_commands(stdout, NULL);
	puts("\nEvery command takes:");
	for (const struct cli_option *o = cli_common; o->name != NULL; o++)
		print_option(o);
	puts("\noctavo COMMAND --help tells more.");
	return CLI_OK;
}

/* Finding the command. */

/* Linear search: the table is short, and each run searches it once. */
static const struct cli_command *
find_command(const char *name)
{
	for (size_t g = 0; g < cli_chapter_count; g++)
		for (const struct cli_command *cmd = cli_chapters[g].commands; cmd->name != NULL; cmd++)
			if (strcmp(cmd->name, name) == 0)
				return cmd;
	return NULL;
}

/* True if the name is the first word of a two-word command. */
static bool
is_first_word(const char *word)
{
	size_t n = strlen(word);

	for (size_t g = 0; g < cli_chapter_count; g++)
		for (const struct cli_command *cmd = cli_chapters[g].commands; cmd->name != NULL; cmd++)
			if (strncmp(cmd->name, word, n) == 0 && cmd->name[n] == ' ')
				return true;
	return false;
}

/*
 * Lists the commands that share the first word of `typed`, or with NULL all first words, as text
 * for a message.
 */
static const char *
names_after(struct cli *c, const char *typed)
{
	size_t n = typed != NULL ? strcspn(typed, " ") + 1 : 0;
	const char *list = "";

	for (size_t g = 0; g < cli_chapter_count; g++)
		for (const struct cli_command *cmd = cli_chapters[g].commands; cmd->name != NULL; cmd++) {
			size_t word = typed != NULL ? strlen(cmd->name) : strcspn(cmd->name, " ");
			const char *one = arena_printf(c->arena, " %.*s,", (int)word, cmd->name);

			if (strstr(arena_printf(c->arena, " %s,", list), one) != NULL ||
			    (typed != NULL && strncmp(cmd->name, typed, n) != 0))
				continue;
			list = arena_printf(c->arena, "%s%s%.*s", list, *list != '\0' ? ", " : "", (int)word, cmd->name);
		}
	return list;
}

/*
 * Returns the command with the first word of `typed` and the most similar second word; NULL: none
 * is similar.
 */
static const char *
nearest_in_group(struct cli *c, const char *typed)
{
	const char *names[MAX_NAMES], *near;
	size_t n = strcspn(typed, " ") + 1, count = 0;

	for (size_t g = 0; g < cli_chapter_count; g++)
		for (const struct cli_command *cmd = cli_chapters[g].commands; cmd->name != NULL && count < MAX_NAMES; cmd++)
			if (strncmp(cmd->name, typed, n) == 0)
				names[count++] = cmd->name + n;
	near = cli_nearest(typed + n, names, count);
	return near == NULL ? NULL : arena_printf(c->arena, "%.*s%s", (int)n, typed, near);
}

static const char *
nearest_command(struct cli *c, const char *typed)
{
	const char *names[MAX_NAMES] = { NULL };
	size_t count = 0;

	for (size_t g = 0; g < cli_chapter_count; g++)
		for (const struct cli_command *cmd = cli_chapters[g].commands; cmd->name != NULL && count + 2 <= MAX_NAMES; cmd++) {
			names[count++] = cmd->name;
			/* "usr" is similar to "user", but to no full name such as "user create". */
			names[count++] = arena_strndup(c->arena, cmd->name, strcspn(cmd->name, " "));
		}
	return cli_nearest(typed, names, count);
}

static int
unknown_command(struct cli *c, const char *typed)
{
	bool second = strchr(typed, ' ') != NULL;
	const char *near = second ? nearest_in_group(c, typed) : nearest_command(c, typed);

	if (near != NULL)
		return cli_usage(c, "there is no command \"%s\"; the nearest is \"%s\"", typed, near);
	return cli_usage(c, "there is no command \"%s\"; the commands are %s", typed,
	    names_after(c, second ? typed : NULL));
}

/*
 * Matches the whole name only: the meaning of an abbreviation would change when an option is added.
 */
static const struct cli_option *
find_option(const struct cli_option *table, const char *name, size_t n)
{
	for (; table != NULL && table->name != NULL; table++)
		if (strlen(table->name) == n && memcmp(table->name, name, n) == 0)
			return table;
	return NULL;
}

/* Reading the line. */

/* An option that is given twice keeps its last value. */
static void
add_value(struct cli *c, const struct cli_option *o, const char *value)
{
	size_t i = 0;

	while (i < c->value_count && strcmp(c->values[i].name, o->name) != 0)
		i++;
	if (i == CLI_MAX_OPTIONS)
		return;   /* cannot happen: no table has that many names */
	c->values[i] = (struct cli_value){ o->name, value };
	if (i == c->value_count)
		c->value_count++;
}

/*
 * Reads the option at argv[i] if the table has it. Returns the number of words consumed, 0 if the
 * table does not have the option, -1 after printing an error. A value that begins with "--" must be
 * written as --name=value, so that an option whose value was forgotten does not consume the next
 * option.
 */
static int
read_option(struct cli *c, const struct cli_option *table, int argc, char **argv, int i)
{
	const char *name = argv[i] + 2, *eq = strchr(name, '=');
	size_t n = eq == NULL ? strlen(name) : (size_t)(eq - name);
	const struct cli_option *o = find_option(table, name, n);

	if (o == NULL)
		return 0;
	if (o->arg == NULL && eq != NULL) {
		cli_usage(c, "--%s takes no value", o->name);
		return -1;
	}
	if (o->arg == NULL || eq != NULL) {
		add_value(c, o, o->arg == NULL ? "" : eq + 1);
		return 1;
	}
	if (i + 1 >= argc || strncmp(argv[i + 1], "--", 2) == 0) {
		cli_usage(c, "--%s needs a value: --%s %s", o->name, o->name, o->arg);
		return -1;
	}
	add_value(c, o, argv[i + 1]);
	return 2;
}

/*
 * Removes the common options from the command line, at any position before "--". False after
 * printing an error.
 */
static bool
read_common(struct cli *c, int *argc, char **argv)
{
	int kept = 0, i = 0;

	/* Look for --json first: errors in the command line are printed as JSON too. */
	for (i = 0; i < *argc && strcmp(argv[i], "--") != 0; i++)
		c->json = c->json || strcmp(argv[i], "--json") == 0;
	for (i = 0; i < *argc && strcmp(argv[i], "--") != 0; ) {
		int took = strcmp(argv[i], "-h") == 0 ? -2 :
		    strncmp(argv[i], "--", 2) == 0 ? read_option(c, cli_common, *argc, argv, i) : 0;

		if (took == -1)
			return false;
		if (took == -2) {
			add_value(c, find_option(cli_common, "help", 4), "");
			took = 1;
		} else if (took == 0) {
			argv[kept++] = argv[i];
			took = 1;
		}
		i += took;
	}
	while (i < *argc)
		argv[kept++] = argv[i++];
	*argc = kept;
	return true;
}

/* The message omits the text after "=", which might be a secret. */
static int
unknown_option(struct cli *c, const char *typed)
{
	const char *names[CLI_MAX_OPTIONS], *near;
	char word[64];
	size_t count = 0;

	for (const struct cli_option *o = c->command->options; o != NULL && o->name != NULL; o++)
		names[count++] = o->name;
	for (const struct cli_option *o = cli_common; o->name != NULL; o++)
		names[count++] = o->name;
	snprintf(word, sizeof word, "%.*s", (int)strcspn(typed + 2, "="), typed + 2);
	near = cli_nearest(word, names, count);
	if (near != NULL)
		return cli_usage(c, "there is no option --%s; the nearest is --%s", word, near);
	return cli_usage(c, "there is no option --%s", word);
}

/*
 * Reads the command's own options; the remaining words are operands. Returns 0, or the exit status
 * after printing an error.
 */
static int
read_own(struct cli *c, int argc, char **argv)
{
	bool plain = false;

	c->argv = argv;
	for (int i = 0; i < argc;) {
		int took;

		if (!plain && strcmp(argv[i], "--") == 0) {
			plain = true;
			i++;
			continue;
		}
		if (plain || argv[i][0] != '-' || argv[i][1] == '\0') {
			argv[c->argc++] = argv[i++];
			continue;
		}
		if (strncmp(argv[i], "--", 2) != 0)
			return cli_usage(c, "there are no short options: \"%s\"", argv[i]);
		took = read_option(c, c->command->options, argc, argv, i);
		if (took == 0)
			return unknown_option(c, argv[i]);
		if (took < 0)
			return CLI_USAGE;
		i += took;
	}
	return 0;
}

/*
 * Checks that all required options are present. Returns 0, or the exit status after printing an
 * error.
 */
static int
check_line(struct cli *c)
{
	for (const struct cli_option *o = c->command->options; o != NULL && o->name != NULL; o++)
		if (o->required && !cli_flag(c, o->name))
			return cli_usage(c, "--%s %s is missing", o->name, o->arg == NULL ? "" : o->arg);
	if (c->argc > 0 && c->command->operands == NULL)
		return cli_usage(c, "does not know what to do with \"%s\"", c->argv[0]);
	return 0;
}

/* Makes the data directory's path absolute, since daemons change their working directory. */
static void
find_dir(struct cli *c)
{
	const char *s = cli_option(c, "dir");
	char here[PATH_MAX];

	if (s == NULL)
		s = getenv("OCTAVO_DIR");
	if (s == NULL || *s == '\0')
		s = DEFAULT_DIR;
	while (strncmp(s, "./", 2) == 0)
		s += 2;
	if (*s != '/' && getcwd(here, sizeof here) != NULL)
		s = strcmp(s, ".") == 0 || *s == '\0' ? arena_strdup(c->arena, here) :
		    arena_printf(c->arena, "%s/%s", here, s);
	c->dir = s;
	for (size_t n = strlen(s); n > 1 && s[n - 1] == '/'; n--)
		c->dir = arena_strndup(c->arena, s, n - 1);
}

/* Only the first of two words was given: lists the commands that begin with it. */
static int
half_command(struct cli *c, const char *word)
{
	bool asked = cli_flag(c, "help");

	if (c->json && !asked)
		return cli_usage(c, "\"%s\" alone is no command", word);
	fprintf(asked ? stdout : stderr, "octavo %s: say one of\n", word);
	list_commands(asked ? stdout : stderr, word);
	return asked ? CLI_OK : CLI_USAGE;
}

/* A command has one or two words; the second word is used only if the first alone is no command. */
static int
run_line(struct cli *c, int argc, char **argv)
{
	int words = 1, status;

	/* "octavo help up" is "octavo up --help". */
	if (argc > 0 && strcmp(argv[0], "help") == 0) {
		add_value(c, find_option(cli_common, "help", 4), "");
		argc--;
		argv++;
	}
	if (argc == 0)
		return help_all();
	c->command = find_command(argv[0]);
	if (c->command == NULL && is_first_word(argv[0])) {
		if (argc > 1 && argv[1][0] != '-') {
			const char *name = arena_printf(c->arena, "%s %s", argv[0], argv[1]);

			words = 2;
			c->command = find_command(name);
			if (c->command == NULL)
				return unknown_command(c, name);
		} else {
			return half_command(c, argv[0]);
		}
	}
	if (c->command == NULL)
		return unknown_command(c, argv[0]);
	if (cli_flag(c, "help"))
		return help_command(c->command);
	status = read_own(c, argc - words, argv + words);
	if (status == 0)
		/*
		 * Check the command line before the user changes: reporting its errors needs no
		 * rights.
		 */
		status = check_line(c);
	if (status == 0 && c->command->needs_dir)
		data_read_env(c);
	if (status == 0 && !c->command->stays_root && !cli_become_owner(c))
		status = CLI_FAILED;
	return status != 0 ? status : c->command->run(c);
}

int
main(int argc, char **argv)
{
	struct cli c = { .arena = arena_new(ARENA_MAX) };
	int status = CLI_USAGE;

	/* cJSON allocates from the command's arena too. */
	json_arena(c.arena);
	umask(OWN_UMASK);
	argc--;
	argv++;
	if (read_common(&c, &argc, argv)) {
		find_dir(&c);
		if (argc == 1 && strcmp(argv[0], "--version") == 0)
			status = printf("octavo %s (%s)\n", OCTAVO_VERSION, octavo_build) < 0;
		else if (argc == 0 && c.json && !cli_flag(&c, "help"))
			status = cli_usage(&c, "say what to do");
		else
			status = run_line(&c, argc, argv);
	}
	arena_free(c.arena);
	/* A result that cannot be written (full disk, closed pipe) is a failure. */
	return fflush(stdout) == 0 ? status : CLI_FAILED;
}
