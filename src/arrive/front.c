/* Front matter of pages: YAML between lines of ---, or TOML between lines of +++ (Hugo). Contract: arrival.h. */
#include <ctype.h>
#include <string.h>

#include "arrival.h"

/* Front matter with more bytes is not read. */
enum { FRONT_MOST = 256 << 10 };

/*
 * The part of a line of TOML before its comment. Adds the number of brackets that it leaves open to
 * *open.
 */
static struct str
toml_line(struct str s, long *open)
{
	char quote = '\0';
	size_t i;

	for (i = 0; i < s.n; i++) {
		char c = s.p[i];
		if (quote != '\0') {
			if (c == '\\' && quote == '"')
				i++;
			else if (c == quote)
				quote = '\0';
		} else if (c == '"' || c == '\'') {
			quote = c;
		} else if (c == '#') {
			break;
		} else {
			*open += (c == '[') - (c == ']');
		}
	}
	return str_trim(str_slice(s, 0, i < s.n ? i : s.n));
}

/*
 * Converts a TOML value to YAML. Strings, numbers and lists are written alike in both; any other
 * value becomes a quoted text.
 */
static void
put_value(struct buf *b, struct str v)
{
	bool same = v.n > 0 && (v.p[0] == '"' || v.p[0] == '\'' || v.p[0] == '[');

	if (same || str_is(v, "true") || str_is(v, "false")) {
		buf_put(b, v);
		return;
	}
	buf_char(b, '"');
	for (size_t i = 0; i < v.n; i++) {
		if (v.p[i] == '"' || v.p[i] == '\\')
			buf_char(b, '\\');
		buf_char(b, v.p[i]);
	}
	buf_char(b, '"');
}

/* What a line of TOML is; values that go over several lines are no strings and no tables here. */
enum toml { TOML_BLANK, TOML_TABLE, TOML_VALUE, TOML_UNREAD };

static enum toml
toml_kind(struct str s, struct str *key, struct str *value)
{
	const char *eq = s.n == 0 ? NULL : memchr(s.p, '=', s.n);

	if (s.n == 0)
		return TOML_BLANK;
	if (s.p[0] == '[' && (s.n < 3 || s.p[1] == '[' || s.p[s.n - 1] != ']'))
		return TOML_UNREAD;
	if (s.p[0] == '[') {
		*key = str_slice(s, 1, s.n - 1);
		return TOML_TABLE;
	}
	if (eq == NULL || eq == s.p)
		return TOML_UNREAD;
	*key = str_trim(str_slice(s, 0, (size_t)(eq - s.p)));
	*value = str_trim(str_slice(s, (size_t)(eq - s.p) + 1, s.n));
	return value->n == 0 || value->p[0] == '{' || str_starts(*value, "\"\"\"") || str_starts(*value, "\'\'\'") ? TOML_UNREAD : TOML_VALUE;
}

/* The quotes of a text that begins in a line and ends in a later one, for example """; NULL: there is none. */
static const char *
long_quotes(struct str value)
{
	const char *mark = str_starts(value, "\"\"\"") ? "\"\"\"" : str_starts(value, "'''") ? "'''" : NULL;

	return mark != NULL && memmem(value.p + 3, value.n - 3, mark, 3) == NULL ? mark : NULL;
}

/*
 * Converts TOML to YAML, line by line: "key = value" (a list may go over several lines) and "[table]";
 * tables are nested one level. Lines that are anything else are counted, and those of a table in a
 * list are left out with it.
 */
static struct str
yaml_of_toml(struct arena *a, struct str toml, struct front *out)
{
	struct str key = STR(""), value = STR("");
	const char *pad = "", *quotes = NULL;
	bool skip = false;
	struct text t;
	struct buf b;
	long open = 0;
	size_t i;

	/* A byte of TOML becomes at most two bytes of YAML, and each line gets a few bytes more. */
	buf_init(&b, a, toml.n * 8 + 64);
	text_read(&t, a, toml, 1, false);
	for (i = 0; i < t.n; i++) {
		bool inside = open > 0 && quotes == NULL;
		struct str s = quotes != NULL ? t.v[i].s : toml_line(t.v[i].s, &open);
		enum toml kind = quotes != NULL ? TOML_UNREAD : inside ? TOML_BLANK : toml_kind(s, &key, &value);

		if (!inside && kind != TOML_VALUE)
			open = 0;
		if (kind == TOML_TABLE)
			skip = false;
		if (kind == TOML_UNREAD || (skip && s.n > 0)) {
			/* A line "[[list]]" begins a table of a list, whose lines are left out, too. */
			skip |= quotes == NULL && s.p[0] == '[';
			if (quotes != NULL)
				quotes = s.n > 0 && memmem(s.p, s.n, quotes, 3) != NULL ? NULL : quotes;
			else if (kind == TOML_UNREAD && value.n > 0)
				quotes = long_quotes(value);
			value.n = 0;
			out->unread_line = out->unread++ == 0 ? i + 1 : out->unread_line;
			open = 0;
		} else if (inside) {
			buf_printf(&b, "%s  %.*s", pad, (int)s.n, s.p);
		} else if (kind == TOML_TABLE) {
			buf_printf(&b, "%.*s:", (int)key.n, key.p);
			pad = "  ";
		} else if (kind == TOML_VALUE) {
			buf_printf(&b, "%s%.*s: ", pad, (int)key.n, key.p);
			put_value(&b, value);
		}
		buf_char(&b, '\n');
	}
	return buf_view(&b);
}

/*
 * Offset after the next line that consists of the mark, from `at`; 0: there is none. *start: offset
 * of that line.
 */
static size_t
mark_line(struct str s, size_t at, const char *mark, size_t *start)
{
	while (at < s.n) {
		const char *end = memchr(s.p + at, '\n', s.n - at);
		size_t next = end == NULL ? s.n : (size_t)(end - s.p) + 1;
		struct str line = str_slice(s, at, next);

		while (line.n > 0 && isspace((unsigned char)line.p[line.n - 1]))
			line.n--;
		*start = at;
		if (str_is(line, mark))
			return next;
		at = next;
	}
	return 0;
}

static void
parse_front(struct arena *a, struct front *out)
{
	size_t repeated;

	if (!yaml_parse(a, out->text, &yaml_limits_settings, &out->root, &repeated, &out->fault, &out->fault_line))
		out->root = NULL;
}

void
front_read(struct arena *a, struct str bytes, struct front *out)
{
	size_t bom = str_starts(bytes, "\xEF\xBB\xBF") ? 3 : 0, start, open, end, i;
	const char *mark = str_starts(str_slice(bytes, bom, bytes.n), "+++") ? "+++" : "---";

	*out = (struct front){ .bytes = bom };
	open = mark_line(bytes, bom, mark, &start);
	if (open == 0 || start != bom || (end = mark_line(bytes, open, mark, &start)) == 0)
		return;
	if (start - open > FRONT_MOST) {
		out->fault = "it is too long";
		return;
	}
	out->text = str_slice(bytes, open, start);
	if (mark[0] == '+')
		out->text = yaml_of_toml(a, out->text, out);
	out->bytes = end;
	for (i = 0; i < end; i++)
		out->lines += bytes.p[i] == '\n';
	parse_front(a, out);
	if (out->root != NULL && out->root->kind != YAML_MAP)
		/* This is text between two horizontal rules. */
		*out = (struct front){ .bytes = bom };
}

const struct yaml *
front_settings(struct arrival *t, struct arrival_file *f)
{
	struct front front = { 0 };

	f->part = true;
	if (!source_read(t, t->arena, f, &front.text))
		return NULL;
	if (path_ends(f->path, ".toml"))
		front.text = yaml_of_toml(t->arena, front.text, &front);
	parse_front(t->arena, &front);
	front_report(t, f->path, &front, 0);
	return front.root;
}

void
front_report(struct arrival *t, struct str file, const struct front *f, size_t above)
{
	if (f->fault != NULL)
		arrival_warn(t, file, f->fault_line + above, "the %s cannot be read and %s: %s", above > 0 ? "front matter" : "file",
		    f->lines > 0 || above == 0 ? "is left out" : "stays as text", f->fault);
	if (f->unread > 0)
		arrival_warn(t, file, f->unread_line + above, "%zu lines of TOML are of a kind that is not read (tables in lists, or values of "
		    "several lines); they are left out", f->unread);
}

bool
front_number(struct arrival *t, struct arrival_file *f, const char *const *keys, double *out)
{
	const struct yaml *y;
	struct front front;
	struct str bytes;

	if (!source_read(t, t->scratch, f, &bytes))
		return false;
	front_read(t->scratch, bytes, &front);
	for (y = front.root; *keys != NULL; keys++)
		y = yaml_get(y, *keys);
	return yaml_number(y, out);
}
