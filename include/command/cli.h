/*
 * The frame of the `octavo` command: which subcommands there are, what they
 * take, how they print, and how they end.
 *
 * A subcommand is one row of a table: its name (one word, or two such as
 * "user create"), a summary, its options, its operands, examples and a
 * function. The frame does the rest: finds the command, parses the line, gives
 * --help and --json to all of them, takes --dir anywhere on the line (else
 * OCTAVO_DIR), names what it does not know together with the nearest name that
 * it does know, and refuses a line on which something required is missing.
 *
 * Exit status: 0 done, 1 failed, 2 the command line was wrong.
 *
 * Output: results on standard output, messages and progress on standard error.
 * With --json standard output holds exactly one JSON value, also on failure:
 * { "error": { "code": <exit status>, "message": … } }.
 *
 * Adding a command: a row in a table that ends with {0}, in tools/cmd_*.c, and
 * where the table is new a line in command/commands.c.
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

/* Most options that one command may have, the common ones included. */
#define CLI_MAX_OPTIONS 24

struct cli;

struct cli_option {
	const char *name;      /* without the dashes: "email" */
	const char *arg;       /* what stands for the value in the help: "EMAIL"; NULL: a flag */
	const char *help;      /* one line, without a full stop */
	bool        required;
	const char *values;    /* for the completion: "read write admin"; NULL: they are not known */
};

struct cli_command {
	const char *name;      /* "up", "user create" */
	const char *summary;   /* one line for the list of commands */
	const char *operands;  /* as in the usage line: "ID", "[FILE]"; NULL: none are taken */
	const struct cli_option *options;   /* ends with {0}; NULL: none of its own */
	const char *details;   /* paragraphs for --help, may be NULL; ends without a newline */
	const char *examples;  /* one command line per line, may be NULL; likewise */
	bool        needs_dir; /* fails before run() when neither --dir nor OCTAVO_DIR is there */
	bool        stays_root;/* root does not become the owner of the data: it reads or writes elsewhere too */
	int       (*run)(struct cli *c);    /* returns an enum cli_status */
};

struct cli {
	struct arena             *arena;    /* lives as long as the command */
	const struct cli_command *command;
	const char               *dir;      /* data directory, absolute */
	bool                      json;     /* --json was given */
	bool                      csv;      /* tables are printed as CSV (RFC 4180); set by the command */
	int                       argc;     /* operands that are left, without the command's name */
	char                    **argv;
	struct cli_value {                  /* options as given; the last one of a name wins */
		const char *name;
		const char *value;              /* "" for a flag */
	} values[CLI_MAX_OPTIONS];
	size_t                    value_count;
	struct buf               *out;      /* where cli_json() writes */
	struct json              *writer;
};

/* The tables of the subcommands; each ends with {0}. */
extern const struct cli_command commands_service[], commands_people[], commands_person[], commands_list[], commands_content[], commands_site[], commands_call[],
    commands_doctor[], commands_check[], commands_migrate[], commands_backup[], commands_audit[], commands_conversations[], commands_search[],
    commands_translations[], commands_git[];
extern const struct cli_command commands_salvage[], commands_metrics[], commands_manual[];

int cmd_reload(struct cli *c);

/* Complains that something else than `octavo up` runs the programs on this data, and how to `verb` that; false: nothing does. */
bool service_not_ours(struct cli *c, const char *verb);

/* Value of an option, NULL where it was not given; whether a flag was given. */
const char *cli_option(const struct cli *c, const char *name);
bool cli_flag(const struct cli *c, const char *name);

/* The options that every command takes; ends with {0}. */
extern const struct cli_option cli_common[];

/* The commands, by chapters of the help; two that follow each other may have the same title. */
struct cli_chapter {
	const char               *title;
	const struct cli_command *commands;
};
extern const struct cli_chapter cli_chapters[];
extern const size_t cli_chapter_count;

/* Calls fn for every command with the title of its chapter, in the order of the help. */
void cli_each_command(void (*fn)(void *ctx, const char *chapter, const struct cli_command *cmd), void *ctx);

/*
 * An option that is a whole number in min..max; fallback where it was not
 * given. False after saying what is wrong: the caller returns CLI_USAGE.
 */
bool cli_number(struct cli *c, const char *name, int64_t min, int64_t max, int64_t fallback,
    int64_t *out);

/* Says what went wrong, with the command's name before it. Returns CLI_FAILED, or CLI_USAGE. */
int cli_fail(struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int cli_usage(struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A word as a shell takes it for one, for lines that people copy: as it is, or in single quotes. */
const char *cli_quoted(struct arena *a, const char *word);

/* A remark for a person, on standard error; nothing under --json. */
void cli_say(struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * The one JSON value of a command: cli_json() gives a writer, cli_json_print()
 * sends what was written and a newline to standard output.
 */
struct json *cli_json(struct cli *c);
void cli_json_print(struct cli *c);

/*
 * Rows for a person, CSV, or under --json an array of objects whose members are the
 * columns' names. A NULL cell is left out of its object and blank in the text.
 * Control characters are shown as "?", so that a title cannot steer a terminal.
 */
struct cli_table;
struct cli_table *cli_table_new(struct cli *c, const char *const *columns, size_t count);
/* This column's cells are JSON, such as numbers: under --json they go out as they are. */
void cli_table_json(struct cli_table *t, size_t column);
/* What a cell of such a column holds where something is so: for a person "yes". */
const char *cli_yes(const struct cli *c);
void cli_table_row(struct cli_table *t, const char *const *cells);
void cli_table_print(struct cli_table *t);

/*
 * A progress bar on standard error, where that is a terminal, at most ten times
 * a second. total <= 0: only the count is known; without one, the seconds that the label
 * has been there are shown, so that something moves. cli_progress_end() wipes it;
 * the messages of this file do that by themselves.
 */
void cli_progress(const char *label, int64_t done, int64_t total);
void cli_progress_end(void);

/*
 * root becomes the owner of the data directory, for good; anybody else stays who they are.
 * False after a complaint. Called for every command without stays_root before its run().
 */
bool cli_become_owner(struct cli *c);

/*
 * For a command that stays root: work() as the owner of the data directory, in a child of
 * root's, else in this process. What it returns: an enum cli_status. Files that are open stay so.
 */
int cli_as_owner(struct cli *c, int (*work)(struct cli *c, void *ctx), void *ctx);

/* Of count names the nearest to what was typed, NULL if none is near. */
const char *cli_nearest(const char *typed, const char *const *names, size_t count);

#endif
