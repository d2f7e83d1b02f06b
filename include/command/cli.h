/*
 * The framework of the `octavo` command: the table of subcommands, their
 * options, output and exit status.
 *
 * A subcommand is one row of a table: its name (one word, or two such as
 * "user create"), a summary, its options, its operands, examples and a
 * function. The framework finds the command, parses the command line, adds
 * --help and --json to every command, accepts --dir anywhere on the line (else
 * OCTAVO_DIR), reports unknown names together with the most similar known one,
 * and refuses a command line that lacks a required option.
 *
 * Exit status: 0 success, 1 failure, 2 wrong command line.
 *
 * Output: results on standard output, messages and progress on standard error.
 * With --json standard output holds exactly one JSON value, also on failure:
 * { "error": { "code": <exit status>, "message": … } }.
 *
 * To add a command, add a row to a table that ends with {0}, in
 * command/cmd_*.c; a new table needs a line in command/commands.c.
 */
#ifndef OCTAVO_CLI_H
#define OCTAVO_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"

#define OCTAVO_VERSION "0.1.0"

enum cli_status { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/* Maximum number of options of one command, including the common ones. */
#define CLI_MAX_OPTIONS 24

struct cli;

struct cli_option {
	const char *name;      /* without dashes: "email" */
	const char *arg;       /* placeholder of the value in the help: "EMAIL"; NULL: a flag */
	const char *help;      /* one line, without a full stop */
	bool        required;
	const char *values;    /* for shell completion: "read write admin"; NULL: not a fixed list */
};

struct cli_command {
	const char *name;      /* "up", "user create" */
	const char *summary;   /* one line for the list of commands */
	const char *operands;  /* for the usage line: "ID", "[FILE]"; NULL: takes none */
	const struct cli_option *options;   /* ends with {0}; NULL: no options of its own */
	const char *details;   /* paragraphs for --help without a final newline; may be NULL */
	const char *examples;  /* one command line per line, without a final newline; may be NULL */
	bool        needs_dir; /* requires --dir or OCTAVO_DIR: without them the command fails before run() */
	bool        stays_root;/* root does not switch to the owner of the data: the command also accesses files elsewhere */
	int       (*run)(struct cli *c);    /* returns an enum cli_status */
};

struct cli {
	struct arena             *arena;    /* lives as long as the command */
	const struct cli_command *command;
	const char               *dir;      /* data directory, absolute */
	const char               *env;      /* text of the units' environment file (cmd_data.h), read before root becomes the
	                                     * owner of the data, who may not read it; NULL: there is none */
	bool                      json;     /* --json was given */
	bool                      csv;      /* tables are printed as CSV (RFC 4180); set by the command */
	int                       argc;     /* remaining operands, without the command's name */
	char                    **argv;
	struct cli_value {                  /* options as given; the last of each name wins */
		const char *name;
		const char *value;              /* "" for a flag */
	} values[CLI_MAX_OPTIONS];
	size_t                    value_count;
	struct buf               *out;      /* where cli_json() writes */
	struct json              *writer;
};

/* The tables of the subcommands; each ends with {0}. */
extern const struct cli_command commands_service[], commands_people[], commands_person[], commands_sign_in[],
    commands_list[], commands_content[], commands_site[], commands_call[], commands_doctor[], commands_check[],
    commands_migrate[], commands_backup[], commands_audit[], commands_conversations[], commands_search[],
    commands_translations[], commands_git[], commands_files[];
extern const struct cli_command commands_salvage[], commands_metrics[], commands_manual[], commands_leave[], commands_blobs[];

int cmd_reload(struct cli *c);

/*
 * If programs that `octavo up` did not start use this data, prints an error that names them and how
 * to `verb` them ("stop", …), and returns true. False: there are none.
 */
bool service_not_ours(struct cli *c, const char *verb);

/* Value of an option, NULL if it was not given; whether a flag was given. */
const char *cli_option(const struct cli *c, const char *name);
bool cli_flag(const struct cli *c, const char *name);

/* The options that every command takes; ends with {0}. */
extern const struct cli_option cli_common[];

/* The commands, by chapter of the help. Adjacent chapters may have the same title. */
struct cli_chapter {
	const char               *title;
	const struct cli_command *commands;
};
extern const struct cli_chapter cli_chapters[];
extern const size_t cli_chapter_count;

/* Calls fn for every command, with the title of its chapter, in the order of the help. */
void cli_each_command(void (*fn)(void *ctx, const char *chapter, const struct cli_command *cmd), void *ctx);

/*
 * Reads an option whose value is an integer in min..max; fallback if it was not given. Returns
 * false after printing an error: the caller then returns CLI_USAGE.
 */
bool cli_number(struct cli *c, const char *name, int64_t min, int64_t max, int64_t fallback,
    int64_t *out);

/* Prints an error, prefixed with the command's name. Returns CLI_FAILED, or CLI_USAGE. */
int cli_fail(struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int cli_usage(struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The absolute path of a word of the command line, without slashes at its end. NULL: "", or the current folder is unknown. */
const char *cli_path(struct arena *a, const char *word);

/*
 * Returns the word quoted for a shell, for command lines that people copy: unchanged if it is safe,
 * else in single quotes.
 */
const char *cli_quoted(struct arena *a, const char *word);

/* Prints a remark on standard error; nothing with --json. */
void cli_say(struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * The single JSON value of a command: cli_json() returns its writer, cli_json_print() prints the
 * value and a newline to standard output.
 */
struct json *cli_json(struct cli *c);
void cli_json_print(struct cli *c);

/*
 * A table: text for people, CSV, or with --json an array of objects whose members are named like
 * the columns. A NULL cell is left out of its object and blank in the text. Control characters are
 * printed as "?", so that a title cannot control the terminal.
 */
struct cli_table;
struct cli_table *cli_table_new(struct cli *c, const char *const *columns, size_t count);
/* The cells of this column are JSON, such as numbers: --json prints them unchanged. */
void cli_table_json(struct cli_table *t, size_t column);
/* Returns the cell of such a column for the value true: "yes" in text. */
const char *cli_yes(const struct cli *c);
void cli_table_row(struct cli_table *t, const char *const *cells);
void cli_table_print(struct cli_table *t);

/*
 * Draws a progress bar on standard error if it is a terminal, at most ten times a second. total <=
 * 0: the total is unknown, and only done is shown; if done is 0 too, the seconds since the label
 * appeared, so that the user sees activity. cli_progress_end() erases the bar; the messages of this
 * file call it themselves.
 */
void cli_progress(const char *label, int64_t done, int64_t total);
void cli_progress_end(void);

/*
 * If root runs the command, the process permanently switches to the owner of the data directory;
 * other users stay as they are. False after printing an error. Called before run() of every command
 * without stays_root.
 */
bool cli_become_owner(struct cli *c);

/*
 * For a command with stays_root: runs work() as the owner of the data directory, in a child process
 * if root runs the command, else in this process. Open files stay open. Returns the enum cli_status
 * that work() returned.
 */
int cli_as_owner(struct cli *c, int (*work)(struct cli *c, void *ctx), void *ctx);

/* Returns the name that is most similar to `typed`; NULL if none of the count names is similar. */
const char *cli_nearest(const char *typed, const char *const *names, size_t count);

#endif
