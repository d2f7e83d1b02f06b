/*
 * octavo: the admin's command. This file finds the subcommand, parses its line
 * and prints help; what the subcommands do is in tools/cmd_*.c, what they are
 * offered in include/command/cli.h.
 *
 * A line is `octavo [common options] NAME [NAME2] [options and operands]`. The
 * common options (--dir, --json, --help) may stand anywhere. "--" ends the
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
#include "command/cli.h"

/* For all of a command: nothing is freed before it ends. */
#define ARENA_MAX (1u << 30)
#define MAX_NAMES 256

/* As the programs have it (base/settings.c). */
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

/* All commands, or those whose first word is `word`. */
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

/* Linear: there are some dozens, and one is looked up for each run. */
static const struct cli_command *
find_command(const char *name)
{
	for (size_t g = 0; g < cli_chapter_count; g++)
		for (const struct cli_command *cmd = cli_chapters[g].commands; cmd->name != NULL; cmd++)
			if (strcmp(cmd->name, name) == 0)
				return cmd;
	return NULL;
}

/* Is it the first of two words? */
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

/* The commands whose first word is that of `typed`, or the first words of all (NULL), as words. */
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

/* The command of the group of `typed` whose second word is the nearest; NULL: none is near. */
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
			/* "usr" is near to "user", and to no "user create". */
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

/* The whole name: shortened ones would change their meaning with each option that is added. */
static const struct cli_option *
find_option(const struct cli_option *table, const char *name, size_t n)
{
	for (; table != NULL && table->name != NULL; table++)
		if (strlen(table->name) == n && memcmp(table->name, name, n) == 0)
			return table;
	return NULL;
}

/* Reading the line. */

/* Given twice, an option has its last value. */
static void
add_value(struct cli *c, const struct cli_option *o, const char *value)
{
	size_t i = 0;

	while (i < c->value_count && strcmp(c->values[i].name, o->name) != 0)
		i++;
	if (i == CLI_MAX_OPTIONS)
		return;   /* cannot be: no table has so many names */
	c->values[i] = (struct cli_value){ o->name, value };
	if (i == c->value_count)
		c->value_count++;
}

/*
 * Reads the option at argv[i] when the table has it. Returns how many words it
 * took, 0 when the table does not have it, -1 after a complaint. A value that
 * begins with "--" must be written --name=value, so that a forgotten value
 * does not swallow the next option.
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

/* Takes the common options off the line, wherever they stand before "--". False after a complaint. */
static bool
read_common(struct cli *c, int *argc, char **argv)
{
	int kept = 0, i = 0;

	/* First of all, for what is wrong with the line is told in that form too. */
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

/* Without what stands behind "=", which might be a secret. */
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

/* Options of the command itself; what is left are operands. 0, or the exit status after a complaint. */
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

/* What the command cannot do without. 0, or the exit status after a complaint. */
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

/* The data directory as an absolute path, since daemons change theirs. */
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

/* The first of two words alone: shows what may follow. */
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

/* A command has one or two words; the second counts only where the first alone is none. */
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
		/* The line is checked before the user is changed: its mistakes need no rights. */
		status = check_line(c);
	if (status == 0 && !c->command->stays_root && !cli_become_owner(c))
		status = CLI_FAILED;
	return status != 0 ? status : c->command->run(c);
}

int
main(int argc, char **argv)
{
	struct cli c = { .arena = arena_new(ARENA_MAX) };
	int status = CLI_USAGE;

	/* What cJSON makes lives as long as the command, too. */
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
	/* A result that could not be written (a full disk, a closed pipe) is a failure. */
	return fflush(stdout) == 0 ? status : CLI_FAILED;
}
