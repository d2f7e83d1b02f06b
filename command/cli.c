/*
 * Options, messages, tables and progress of the octavo command; the contract
 * is in include/command/cli.h. Finding the command and printing help: command/octavo.c.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "command/cli.h"
#include "base/utf8.h"

#define MAX_OUTPUT   (256u << 20)
#define MAX_NAME     64            /* longer words get no suggestion */
#define BAR_WIDTH    30
#define BAR_INTERVAL 100           /* minimum time between two drawings, ms */

static bool bar_shown;

/* Options. */

/*
 * NULL: the option was not given. c->values has each name once: of an option that is given twice, the
 * parser keeps the last value (add_value() in octavo.c).
 */
const char *
cli_option(const struct cli *c, const char *name)
{
	for (size_t i = c->value_count; i > 0; i--)
		if (strcmp(c->values[i - 1].name, name) == 0)
			return c->values[i - 1].value;
	return NULL;
}

bool
cli_flag(const struct cli *c, const char *name)
{
	return cli_option(c, name) != NULL;
}

bool
cli_number(struct cli *c, const char *name, int64_t min, int64_t max, int64_t fallback,
    int64_t *out)
{
	const char *s = cli_option(c, name);
	char *end;
	long long n;

	*out = fallback;
	if (s == NULL)
		return true;
	errno = 0;
	n = strtoll(s, &end, 10);
	if (errno != 0 || end == s || *end != '\0' || n < min || n > max) {
		cli_usage(c, "--%s takes a number from %lld to %lld, not \"%s\"", name, (long long)min,
		    (long long)max, s);
		return false;
	}
	*out = n;
	return true;
}

/* Levenshtein distance; both words are at most MAX_NAME bytes. */
static size_t
edit_distance(const char *a, const char *b)
{
	size_t row[MAX_NAME + 1], na = strlen(a), nb = strlen(b);

	for (size_t j = 0; j <= nb; j++)
		row[j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[nb];
}

const char *
cli_nearest(const char *typed, const char *const *names, size_t count)
{
	const char *best = NULL;
	/*
	 * Accept a suggestion only if about a third of the letters differ at most: a distant guess
	 * is worse than none.
	 */
	size_t least = strlen(typed) / 3 + 2;

	if (strlen(typed) > MAX_NAME)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t d = strlen(names[i]) > MAX_NAME ? least : edit_distance(typed, names[i]);

		if (d < least) {
			least = d;
			best = names[i];
		}
	}
	return best;
}

/* Messages. */

static const char *
command_name(const struct cli *c)
{
	return c->command == NULL ? "" : c->command->name;
}

/*
 * Returns the text in a form that is safe on a terminal; newlines are kept if `lines` is set. Each
 * control character is replaced by "?": C0, DEL and C1 (U+0080 to U+009F, which start terminal
 * sequences as ESC does). Each byte that is not valid UTF-8 is replaced too, since a terminal may
 * read it as a C1 control.
 */
static char *
make_printable(struct arena *a, const char *s, bool lines)
{
	struct str left = str_of(s == NULL ? "" : s);
	char *copy = arena_alloc(a, left.n + 1), *to = copy;
	uint32_t cp;
	size_t n;

	for (; left.n > 0; left.p += n, left.n -= n) {
		n = utf8_next(left, &cp);
		if (n == 0 || (cp < 0x20 && !(lines && cp == '\n')) || (cp >= 0x7f && cp < 0xa0)) {
			n = n == 0 ? 1 : n;
			*to++ = '?';
			continue;
		}
		memcpy(to, left.p, n);
		to += n;
	}
	*to = '\0';
	return copy;
}

static int print_complaint(struct cli *c, int status, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));

/*
 * Writes the error to standard error for people and, with --json, also to standard output for
 * scripts.
 */
static int
print_complaint(struct cli *c, int status, const char *fmt, va_list ap)
{
	const char *message = arena_vprintf(c->arena, fmt, ap);
	const char *name = command_name(c);

	cli_progress_end();
	fprintf(stderr, "octavo%s%s: %s\n", *name == '\0' ? "" : " ", name,
	    make_printable(c->arena, message, true));
	if (status == CLI_USAGE)
		fprintf(stderr, "Try: octavo%s%s --help\n", *name == '\0' ? "" : " ", name);
	if (c->json) {
		c->writer = NULL;   /* discard partial output: a failed command has no result */
		struct json *j = cli_json(c);

		json_obj(j);
		json_kobj(j, "error");
		json_kint(j, "code", status);
		json_kstr(j, "message", message);
		json_end(j);
		json_end(j);
		cli_json_print(c);
	}
	return status;
}

int
cli_fail(struct cli *c, const char *fmt, ...)
{
	va_list ap;
	int status;

	va_start(ap, fmt);
	status = print_complaint(c, CLI_FAILED, fmt, ap);
	va_end(ap);
	return status;
}

int
cli_usage(struct cli *c, const char *fmt, ...)
{
	va_list ap;
	int status;

	va_start(ap, fmt);
	status = print_complaint(c, CLI_USAGE, fmt, ap);
	va_end(ap);
	return status;
}

/* A remark is not part of the result, so --json suppresses it. */
void
cli_say(struct cli *c, const char *fmt, ...)
{
	va_list ap;

	if (c->json)
		return;
	cli_progress_end();
	va_start(ap, fmt);
	fprintf(stderr, "%s\n", make_printable(c->arena, arena_vprintf(c->arena, fmt, ap), true));
	va_end(ap);
}

const char *
cli_path(struct arena *a, const char *word)
{
	char here[PATH_MAX];
	size_t n = strlen(word);

	while (n > 1 && word[n - 1] == '/')
		n--;
	if (*word == '/')
		return arena_strndup(a, word, n);
	return n == 0 || getcwd(here, sizeof(here)) == NULL ? NULL : arena_printf(a, "%s/%.*s", here, (int)n, word);
}

const char *
cli_quoted(struct arena *a, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+=,";
	struct buf b;

	if (*word != '\0' && word[strspn(word, plain)] == '\0')
		return word;
	buf_init(&b, a, MAX_OUTPUT);
	buf_str(&b, "'");
	for (; *word != '\0'; word++)
		/* Within single quotes only the closing quote is special (POSIX, Shell 2.2.2). */
		buf_printf(&b, *word == '\'' ? "'\\''" : "%c", *word);
	buf_str(&b, "'");
	return b.p;
}

/* Results. */

struct json *
cli_json(struct cli *c)
{
	if (c->writer == NULL) {
		c->out = arena_alloc(c->arena, sizeof *c->out);
		c->writer = arena_alloc(c->arena, sizeof *c->writer);
		buf_init(c->out, c->arena, MAX_OUTPUT);
		json_init(c->writer, c->out);
	}
	return c->writer;
}

void
cli_json_print(struct cli *c)
{
	cli_progress_end();
	fwrite(c->out->p, 1, c->out->n, stdout);
	putchar('\n');
	fflush(stdout);
	c->writer = NULL;
}

struct cli_table {
	struct cli        *cli;
	const char *const *columns;
	size_t             count;     /* number of columns */
	size_t            *width;     /* of each column, in code points */
	bool              *raw;       /* per column: cells are JSON */
	const char      ***rows;
	size_t             row_count, row_room;
};

struct cli_table *
cli_table_new(struct cli *c, const char *const *columns, size_t count)
{
	struct cli_table *t = arena_alloc(c->arena, sizeof *t);

	t->cli = c;
	t->columns = columns;
	t->count = count;
	t->width = arena_array(c->arena, count, sizeof *t->width);
	t->raw = arena_array(c->arena, count, sizeof *t->raw);
	for (size_t i = 0; i < count; i++)
		t->width[i] = utf8_count(str_of(columns[i]));
	return t;
}

void
cli_table_json(struct cli_table *t, size_t column)
{
	t->raw[column] = true;
}

const char *
cli_yes(const struct cli *c)
{
	return c->json ? "true" : "yes";
}

/* Copies the cells. A NULL cell is printed empty, and its JSON member is left out. */
void
cli_table_row(struct cli_table *t, const char *const *cells)
{
	const char **row = arena_array(t->cli->arena, t->count, sizeof *row);

	t->rows = arena_grow(t->cli->arena, t->rows, t->row_count, &t->row_room, sizeof *t->rows);
	for (size_t i = 0; i < t->count; i++) {
		size_t n;

		if (cells[i] == NULL)
			continue;
		row[i] = arena_strdup(t->cli->arena, cells[i]);
		n = utf8_count(str_of(make_printable(t->cli->arena, row[i], false)));
		if (n > t->width[i])
			t->width[i] = n;
	}
	t->rows[t->row_count++] = row;
}

/* The last column is not padded, so lines have no trailing blanks. */
static void
print_line(const struct cli_table *t, const char *const *cells)
{
	for (size_t i = 0; i < t->count; i++) {
		const char *s = make_printable(t->cli->arena, cells[i], false);
		size_t pad = t->width[i] - utf8_count(str_of(s));

		fputs(s, stdout);
		if (i + 1 < t->count)
			printf("%*s", (int)pad + 2, "");
	}
	putchar('\n');
}

/* Raw cells are trusted: their JSON was made or stored by this program. */
static void
print_json_cell(struct json *j, const struct cli_table *t, size_t column, const char *cell)
{
	json_key(j, t->columns[column]);
	if (t->raw[column])
		json_raw(j, str_of(cell));
	else
		json_str(j, cell);
}

static void
print_json_rows(const struct cli_table *t)
{
	struct json *j = cli_json(t->cli);

	json_arr(j);
	for (size_t r = 0; r < t->row_count; r++) {
		json_obj(j);
		for (size_t i = 0; i < t->count; i++)
			if (t->rows[r][i] != NULL)
				print_json_cell(j, t, i, t->rows[r][i]);
		json_end(j);
	}
	json_end(j);
	cli_json_print(t->cli);
}

/*
 * Quotes a cell by RFC 4180. Names come from untrusted users, so a cell that a spreadsheet would
 * take for a formula is defused.
 */
static void
print_csv_cell(const char *cell)
{
	bool quote = strpbrk(cell, ",\"\r\n") != NULL;

	if (quote)
		putchar('"');
	if (*cell != '\0' && strchr("=+-@\t\r", *cell) != NULL)
		putchar('\'');
	for (; *cell != '\0'; cell++) {
		if (*cell == '"')
			putchar('"');
		putchar(*cell);
	}
	if (quote)
		putchar('"');
}

static void
print_csv_line(const struct cli_table *t, const char *const *cells)
{
	for (size_t i = 0; i < t->count; i++) {
		if (i > 0)
			putchar(',');
		print_csv_cell(cells[i] == NULL ? "" : cells[i]);
	}
	fputs("\r\n", stdout);
}

static void
print_csv(const struct cli_table *t)
{
	print_csv_line(t, t->columns);
	for (size_t r = 0; r < t->row_count; r++)
		print_csv_line(t, t->rows[r]);
	fflush(stdout);
}

void
cli_table_print(struct cli_table *t)
{
	cli_progress_end();
	if (t->cli->csv) {
		print_csv(t);
		return;
	}
	if (t->cli->json) {
		print_json_rows(t);
		return;
	}
	if (t->row_count == 0)
		return;
	print_line(t, t->columns);
	for (size_t r = 0; r < t->row_count; r++)
		print_line(t, t->rows[r]);
	fflush(stdout);
}

/* Progress. */

void
cli_progress(const char *label, int64_t done, int64_t total)
{
	static int64_t last, since;
	static char what[64];
	int64_t now = time_steady();
	char bar[BAR_WIDTH + 1] = "";

	const char *terminal = getenv("TERM");

	/*
	 * No bar if standard error is a file (it would get thousands of lines) or a terminal
	 * without escape sequences (it would print them).
	 */
	if (!isatty(STDERR_FILENO) || terminal == NULL || strcmp(terminal, "dumb") == 0 || (bar_shown && now - last < BAR_INTERVAL))
		return;
	if (!bar_shown || strncmp(what, label, sizeof(what) - 1) != 0)
		since = now;
	snprintf(what, sizeof(what), "%s", label);
	last = now;
	bar_shown = true;
	if (total <= 0 && done <= 0) {
		fprintf(stderr, "\r\033[K%s, %lld s", label, (long long)((now - since) / 1000));
	} else if (total <= 0) {
		fprintf(stderr, "\r\033[K%s %lld", label, (long long)done);
	} else {
		int64_t part = done < 0 ? 0 : done > total ? total : done;
		size_t full = (size_t)((double)part / (double)total * BAR_WIDTH);

		memset(bar, '-', BAR_WIDTH);
		memset(bar, '#', full);
		fprintf(stderr, "\r\033[K[%s] %3d%% %s", bar, (int)(part * 100.0 / (double)total), label);
	}
	fflush(stderr);
}

void
cli_progress_end(void)
{
	if (!bar_shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	bar_shown = false;
}
