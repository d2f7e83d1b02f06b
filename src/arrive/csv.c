/* Reads CSV, and writes a table of Markdown. Contract: csv.h. */
#include <string.h>

#include "csv.h"

enum { COLUMNS_MOST = 200 };

/* Reads one field, up to the separator or line end after it. */
static struct str
read_field(struct arena *a, struct str s, size_t *at)
{
	struct buf b;
	size_t i = *at;

	buf_init(&b, a, s.n + 1);
	buf_str(&b, "");
	if (i < s.n && s.p[i] == '"') {
		for (i++; i < s.n; i++) {
			if (s.p[i] == '"' && i + 1 < s.n && s.p[i + 1] == '"')
				i++;
			else if (s.p[i] == '"')
				break;
			buf_char(&b, s.p[i]);
		}
		i += i < s.n;
	}
	for (; i < s.n && s.p[i] != ',' && s.p[i] != '\n'; i++)
		if (s.p[i] != '\r')
			buf_char(&b, s.p[i]);
	*at = i;
	return b.p == NULL ? STR("") : buf_view(&b);
}

/* Writes the text of a cell: line feeds become <br>, and bars are escaped. */
static void
put_cell(struct buf *b, struct str s, bool plain)
{
	size_t i;

	s = str_trim(s);
	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '\n')
			buf_str(b, "<br>");
		else if (s.p[i] == '|')
			buf_str(b, "\\|");
		else if (plain && strchr("*_`[]<\\", s.p[i]) != NULL)
			buf_printf(b, "\\%c", s.p[i]);
		else if (s.p[i] != '\r')
			buf_char(b, s.p[i]);
	}
}

static size_t
put_row(struct text *out, struct str csv, size_t *at, size_t columns, const char *(*link)(void *ctx, struct str cell), void *ctx, size_t *lost)
{
	struct buf b;
	size_t n = 0;

	buf_init(&b, out->arena, csv.n * 6 + 4096);
	buf_char(&b, '|');
	for (;;) {
		struct str cell = read_field(out->arena, csv, at);
		const char *linked = n == 0 && link != NULL ? link(ctx, str_trim(cell)) : NULL;

		if (n < COLUMNS_MOST && (columns == 0 || n < columns)) {
			buf_char(&b, ' ');
			put_cell(&b, linked != NULL ? str_of(linked) : cell, linked == NULL);
			buf_str(&b, " |");
		} else {
			*lost += str_trim(cell).n > 0;
		}
		n++;
		if (*at >= csv.n || csv.p[(*at)++] == '\n')
			break;
	}
	for (; n < columns; n++)
		buf_str(&b, " |");
	text_add(out, buf_view(&b), 0);
	return n;
}

size_t
csv_table(struct text *out, struct str csv, const char *(*link)(void *ctx, struct str cell), void *ctx, size_t *lost)
{
	size_t at = str_starts(csv, "\xEF\xBB\xBF") ? 3 : 0, columns, rows = 0, i;
	struct buf b;

	*lost = 0;
	if (at >= csv.n)
		return 0;
	columns = put_row(out, csv, &at, 0, NULL, NULL, lost);
	columns = columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
	buf_init(&b, out->arena, columns * 6 + 8);
	buf_char(&b, '|');
	for (i = 0; i < columns; i++)
		buf_str(&b, " --- |");
	text_add(out, buf_view(&b), 0);
	for (; at < csv.n; rows++)
		put_row(out, csv, &at, columns, link, ctx, lost);
	return rows;
}
