/* Front matter of pages: YAML between lines of ---, or TOML between lines of +++ (Hugo). Contract: arrival.h. */
#include <ctype.h>
#include <string.h>

#include "arrival.h"

/* Front matter with more bytes is not read. */
enum { FRONT_MOST = 256 << 10 };

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

/* Converts TOML to YAML: lines "key = value" and "[table]"; tables are nested one level. */
static struct str
yaml_of_toml(struct arena *a, struct str toml)
{
	struct text t;
	struct buf b;
	const char *pad = "";
	size_t i;

	buf_init(&b, a, FRONT_MOST * 4);
	text_read(&t, a, toml, 1, false);
	for (i = 0; i < t.n; i++) {
		struct str s = str_trim(t.v[i].s);
		const char *eq = memchr(s.p != NULL ? s.p : "", '=', s.n);

		if (s.n > 2 && s.p[0] == '[' && eq == NULL) {
			size_t n = s.p[s.n - 1] == ']' ? s.n - 1 : s.n;
			buf_printf(&b, "%.*s:\n", (int)(n - 1), s.p + 1);
			pad = "  ";
		} else if (eq != NULL && s.p[0] != '#') {
			struct str key = str_trim(str_slice(s, 0, (size_t)(eq - s.p)));
			buf_printf(&b, "%s%.*s: ", pad, (int)key.n, key.p);
			put_value(&b, str_trim(str_slice(s, (size_t)(eq - s.p) + 1, s.n)));
			buf_char(&b, '\n');
		} else {
			buf_char(&b, '\n');
		}
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

void
front_read(struct arena *a, struct str bytes, struct front *out)
{
	size_t bom = str_starts(bytes, "\xEF\xBB\xBF") ? 3 : 0, start, open, end, i;
	const char *mark = str_starts(str_slice(bytes, bom, bytes.n), "+++") ? "+++" : "---";
	size_t repeated;

	*out = (struct front){ .bytes = bom };
	open = mark_line(bytes, bom, mark, &start);
	if (open == 0 || start != bom || (end = mark_line(bytes, open, mark, &start)) == 0 || start - open > FRONT_MOST)
		return;
	out->text = str_slice(bytes, open, start);
	if (mark[0] == '+')
		out->text = yaml_of_toml(a, out->text);
	out->bytes = end;
	for (i = 0; i < end; i++)
		out->lines += bytes.p[i] == '\n';
	if (!yaml_parse(a, out->text, &yaml_limits_settings, &out->root, &repeated, &out->fault, &out->fault_line))
		out->root = NULL;
	else if (out->root != NULL && out->root->kind != YAML_MAP)
		/* This is text between two horizontal rules. */
		*out = (struct front){ .bytes = bom };
}
