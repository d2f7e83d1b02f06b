/*
 * octavo manual, octavo completion: prints the tables of commands (include/command/cli.h) as a
 * manual page for man(1) and as a bash completion, so that both agree with --help.
 */
#include <stdio.h>
#include <string.h>

#include "command/cli.h"

/* ---- man(7) ---- */

/*
 * Escapes text for roff: no character starts a request or an escape, and a hyphen stays an ASCII
 * hyphen.
 */
static void
print_roff(const char *s)
{
	bool start = true;

	for (; *s != '\0'; s++) {
		if (start && (*s == '.' || *s == '\''))
			fputs("\\&", stdout);
		if (*s == '\\')
			fputs("\\e", stdout);
		else if (*s == '-')
			fputs("\\-", stdout);
		else
			putchar(*s);
		start = *s == '\n';
	}
}

/* Keeps line breaks: roff would fill examples and lists into one paragraph. */
static void
roff_lines(const char *text)
{
	puts(".PP\n.nf");
	print_roff(text);
	puts("\n.fi");
}

/* Prints an option as print_option() does for --help. */
static void
roff_option(const struct cli_option *o)
{
	puts(".TP");
	printf(".B \\-\\-");
	print_roff(o->name);
	if (o->arg != NULL) {
		fputs(" \\fI", stdout);
		print_roff(o->arg);
		fputs("\\fR", stdout);
	}
	putchar('\n');
	print_roff(o->help);
	puts(o->required ? " (required)" : "");
}

/*
 * ctx: the chapter of the previous command. Chapters with the same title are adjacent in the table.
 */
static void
roff_command(void *ctx, const char *chapter, const struct cli_command *cmd)
{
	const char **last = ctx;

	if (*last == NULL || strcmp(*last, chapter) != 0) {
		fputs(".SH ", stdout);
		for (const char *p = chapter; *p != '\0'; p++)
			putchar(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p);
		putchar('\n');
		*last = chapter;
	}
	printf(".SS octavo ");
	print_roff(cmd->name);
	if (cmd->operands != NULL) {
		putchar(' ');
		print_roff(cmd->operands);
	}
	putchar('\n');
	print_roff(cmd->summary);
	puts(".");
	for (const struct cli_option *o = cmd->options; o != NULL && o->name != NULL; o++)
		roff_option(o);
	if (cmd->details != NULL)
		roff_lines(cmd->details);
	if (cmd->examples != NULL) {
		puts(".PP\nExamples:\n.RS");
		roff_lines(cmd->examples);
		puts(".RE");
	}
}

static const struct { const char *name, *what; } files[] = {
	{ "octavo.db", "the database; while anything runs, octavo.db\\-wal has the newest of it" },
	{ "octavo.key", "the key of signatures and credentials; keep it secret, and in the backup" },
	{ "blobs/", "the bytes of files" },
	{ "cache/", "what can be made anew" },
	{ "log/", "of what \\fBoctavo up\\fR started" },
	{ "run/", "locks, sockets, counters of metrics" },
	{ "metrics.token", "hash of the token that reads metrics" },
};

static int
run_manual(struct cli *c)
{
	const char *last = NULL;

	if (c->json)
		return cli_usage(c, "a manual page is no JSON");
	puts(".TH OCTAVO 1 \"\" \"Octavo " OCTAVO_VERSION "\" \"Octavo\"\n.SH NAME\noctavo \\- run and care for a documentation platform\n"
	    ".SH SYNOPSIS\n.B octavo\n.I COMMAND\n[\\fIoptions\\fR] [\\fIoperands\\fR]\n.br\n.B octavo\n.I COMMAND\n.B \\-\\-help\n"
	    ".SH DESCRIPTION\nThe admin's command of Octavo, a documentation platform behind one's own web server. It works on a "
	    "data directory, which \\fB\\-\\-dir\\fR or \\fBOCTAVO_DIR\\fR names. Run by root, it works as the owner of that directory.\n"
	    ".PP\nResults go to standard output, messages and progress to standard error.\n.SH OPTIONS\nEvery command takes:");
	for (const struct cli_option *o = cli_common; o->name != NULL; o++)
		roff_option(o);
	cli_each_command(roff_command, &last);
	puts(".SH EXIT STATUS\n0: done. 1: failed. 2: the command line was wrong.\n.SH ENVIRONMENT\n.TP\n.B OCTAVO_DIR\nThe data "
	    "directory, where \\fB\\-\\-dir\\fR is not given.\n.PP\nThe programs have settings of their own: the chapter Settings and limits of the "
	    "manual lists them (docs/operate/settings.md).\n.SH FILES\n"
	    "In the data directory:");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		printf(".TP\n.I %s\n%s\n", files[i].name, files[i].what);
	puts(".PP\n.I /etc/octavo/octavo.env\nholds the settings of an installation under systemd.");
	return CLI_OK;
}

/* ---- bash ---- */

/*
 * Values that come from the data: returns the kind of row to list and the column to take; NULL:
 * others.
 */
static const char *
list_of_values(const struct cli_option *o)
{
	static const struct { const char *arg, *list; } lists[] = { { "USER", "user 2" }, { "ORG", "org 1" } };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (o->arg != NULL && strcmp(o->arg, lists[i].arg) == 0)
			return lists[i].list;
	if (o->arg == NULL)
		return NULL;
	return strcmp(o->name, "space") == 0 ? "space 1" : strcmp(o->name, "team") == 0 ? "team 1" : NULL;
}

static void
case_of_command(void *ctx, const char *chapter, const struct cli_command *cmd)
{
	(void)ctx;
	(void)chapter;
	printf("\t'%s') options='", cmd->name);
	for (const struct cli_option *o = cmd->options; o != NULL && o->name != NULL; o++)
		printf("--%s%s ", o->name, o->arg != NULL ? "=" : "");
	fputs("'", stdout);
	for (const struct cli_option *o = cmd->options; o != NULL && o->name != NULL; o++)
		if (o->values != NULL)
			printf("; [[ $previous == --%s ]] && values='%s'", o->name, o->values);
		else if (list_of_values(o) != NULL)
			printf("; [[ $previous == --%s ]] && values=$(_octavo_values %s)", o->name, list_of_values(o));
	puts(" ;;");
}

static void
name_of_command(void *ctx, const char *chapter, const struct cli_command *cmd)
{
	(void)ctx;
	(void)chapter;
	printf("%s\n", cmd->name);
}

/* In a list of options, "--name=" means that the option takes a value. */
static const char completion[] =
	"\t*) options='' ;;\n"
	"\tesac\n"
	"\toptions=\"$options --dir= --json --help\"\n"
	"\tif [[ -n $values ]]; then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$current\")\n"
	"\telif [[ $previous == --* && \" $options \" == *\" $previous= \"* ]]; then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
	"\telif [[ $current == -* ]]; then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -W \"${options//=/}\" -- \"$current\")\n"
	"\telif [[ -z $command ]]; then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -W \"help $(cut -d ' ' -f 1 <<<\"$all\" | sort -u | tr '\\n' ' ')\" -- \"$current\")\n"
	"\telif [[ $command != *' '* && $'\\n'$all == *$'\\n'\"$command \"* ]]; then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -W \"$(sed -n \"s/^$command //p\" <<<\"$all\" | tr '\\n' ' ')\" -- \"$current\")\n"
	"\telse\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
	"\tfi\n"
	"}\n"
	"complete -o filenames -F _octavo octavo\n";

static const char opening[] =
	"# Completion of octavo for bash, made by `octavo completion`.\n"
	"# A column of what `octavo $1 list` prints; nothing where this user may not read the data.\n"
	"_octavo_values() {\n"
	"\tlocal dir=() i\n"
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\tif [[ ${COMP_WORDS[i]} == --dir ]]; then dir=(--dir \"${COMP_WORDS[i+1]}\"); fi\n"
	"\tdone\n"
	"\t\"${COMP_WORDS[0]}\" \"$1\" list \"${dir[@]}\" 2>/dev/null | awk -v n=\"$2\" 'NR > 1 { print $n }'\n"
	"}\n"
	"_octavo() {\n"
	"\tlocal current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command='' word options values='' i\n"
	"\tlocal all='";

/* Finds the command: the longest name that matches the words before the cursor, options skipped. */
static const char finding[] =
	"'\n"
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\tword=${COMP_WORDS[i]}\n"
	"\t\tif [[ $word == -* || ( -z $command && $word == help ) ]]; then continue; fi\n"
	"\t\tif [[ -z $command ]]; then command=$word\n"
	"\t\telif [[ $'\\n'$all$'\\n' == *$'\\n'\"$command $word\"$'\\n'* ]]; then command=\"$command $word\"\n"
	"\t\telse break; fi\n"
	"\tdone\n"
	"\tcase $command in\n";

static int
run_completion(struct cli *c)
{
	if (c->json)
		return cli_usage(c, "a completion is no JSON");
	fputs(opening, stdout);
	cli_each_command(name_of_command, NULL);
	fputs(finding, stdout);
	cli_each_command(case_of_command, NULL);
	fputs(completion, stdout);
	return CLI_OK;
}

const struct cli_command commands_manual[] = {
	{ .name = "manual", .run = run_manual, .summary = "Print the manual page of this command",
	  .details = "Installed with the programs: man octavo.", .examples = "octavo manual | man -l -" },
	{ .name = "completion", .run = run_completion, .summary = "Print the completion of this command for bash",
	  .details = "Installed with the programs, where bash-completion finds it; zsh reads it after bashcompinit.",
	  .examples = "source <(octavo completion)" },
	{ 0 }
};
