/*
 * Prints blocks of code. Their colors come from the caller as HTML. If its text differs from the
 * source, the code is printed plain.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "code.h"

/* A longer block is printed plain: highlight_marks() needs a byte for each byte of source. */
enum { SOURCE_MAX = 1 << 20 };

/* The light theme's colors of sites (assets/site/site.css). */
static const struct { char mark; int ink; } inks[] = {
	{ 'c', 0x626a75 }, { 'k', 0x8a2f6b }, { 's', 0x1a6b3c }, { 'n', 0x9a4a00 }, { 'f', 0x2a5db0 }, { 't', 0x6b3fa0 },
};

static int
mark_color(char mark)
{
	size_t i;

	for (i = 0; i < sizeof(inks) / sizeof(inks[0]); i++)
		if (inks[i].mark == mark)
			return inks[i].ink;
	return INK;
}

/* Appends the text of a line; false if it contains more than text (notes, links, marks). */
static bool
add_line(struct buf *b, const cJSON *line)
{
	const cJSON *one, *leaf;
	const char *s;

	cJSON_ArrayForEach(one, json_member(line, "nodes")) {
		/* The HTML cannot represent annotations, links and expressions. */
		if (json_member(one, "leaves") == NULL)
			return false;
		cJSON_ArrayForEach(leaf, json_member(one, "leaves")) {
			s = json_text_of(leaf, "text");
			if (cJSON_GetArraySize(json_member(leaf, "marks")) > 0 || s == NULL || strlen(s) > SOURCE_MAX ||
			    strchr(s, '\n') != NULL)
				return false;
			buf_str(b, s);
		}
	}
	return true;
}

/*
 * The text of a block, with a line feed after each line; p NULL: it contains more than text, or is
 * too long.
 */
static struct str
code_source(struct paper *p, const cJSON *node)
{
	const cJSON *line;
	struct buf b;

	buf_init(&b, p->scratch, 4 * SOURCE_MAX);
	cJSON_ArrayForEach(line, json_member(node, "nodes")) {
		if (b.n > SOURCE_MAX || !add_line(&b, line))
			return (struct str){ NULL, 0 };
		buf_char(&b, '\n');
	}
	return buf_view(&b);
}

/*
 * Parses one piece of HTML: a tag (sets *c to NUL and *mark to its mark, NUL after an end tag) or a
 * character (*c). Returns its length in bytes; 0: unexpected input.
 */
static size_t
next_piece(struct str s, char *mark, char *c)
{
	static const struct { const char *name; char c; } entities[] = {
		{ "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' } };
	/* Only two forms of tags are allowed (typeset.h); any other is unexpected. */
	size_t i;

	*c = *s.p;
	if (*s.p == '<') {
		*c = '\0';
		*mark = s.n > 16 ? s.p[13] : '\0';
		if (str_starts(s, "</span>")) {
			*mark = '\0';
			return 7;
		}
		return str_starts(s, "<span class=\"") && s.n > 16 && s.p[14] == '"' && s.p[15] == '>' ? 16 : 0;
	}
	if (*s.p != '&')
		return 1;
	for (i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
		*c = entities[i].c;
		if (str_starts(s, entities[i].name))
			return strlen(entities[i].name);
	}
	return 0;
}

/* A mark for each byte of the source; NULL: print the source plain. */
static const char *
highlight_marks(struct paper *p, const cJSON *node, struct str source)
{
	const char *syntax = json_text_of(json_member(node, "data"), "syntax");
	char *marks, mark = '\0', c;
	size_t at = 0, i, n;
	struct str html;

	/* The function may be NULL (pdf/pdf.h). */
	if (p->source->code == NULL || syntax == NULL || source.n == 0)
		return NULL;
	html = p->source->code(p->source->ctx, p->scratch, syntax, source);
	if (html.n == 0)
		return NULL;
	marks = arena_bytes(p->scratch, source.n + 1);
	for (i = 0; i < html.n; i += n) {
		if ((n = next_piece(str_slice(html, i, html.n), &mark, &c)) == 0)
			return NULL;
		if (c == '\0')
			continue;
		if (at == source.n || source.p[at] != c)
			return NULL;
		marks[at++] = mark;
	}
	return at == source.n ? marks : NULL;
}

/* Writes a line of the source; each run of equal marks has its color. */
static void
write_marked(struct writer *w, struct paper *p, struct str line, const char *marks)
{
	size_t from, i;

	for (from = i = 0; i < line.n; from = i) {
		while (i < line.n && marks[i] == marks[from])
			i++;
		writer_color(w, mark_color(marks[from]));
		writer_text(w, arena_strndup(p->scratch, line.p + from, i - from));
	}
}

/*
 * number 0: no line number. marks NULL: the line is written from its nodes, which may have notes
 * and links.
 */
static void
code_line(struct flow *f, const cJSON *line, struct str source, const char *marks, int number)
{
	const struct type t = { .family = f->paper->mono, .size = CODE_SIZE, .color = INK, .leading = 1.25,
		.forward = true };
	struct writer *w;

	if (number > 0) {
		/* The line number is placed in the inset of the frame, left of the code. */
		f->x -= 34;
		f->marker = marker_text(f, arena_printf(f->paper->scratch, "%d", number), 24, CODE_SIZE);
		f->x += 34;
	}
	w = writer_new(f, &t);
	if (marks != NULL)
		write_marked(w, f->paper, source, marks);
	else
		writer_nodes(w, json_member(line, "nodes"));
	writer_flow(w, "Code", false);
}

void
block_code(struct flow *f, const cJSON *node)
{
	const cJSON *data = json_member(node, "data"), *line;
	const char *title = json_text_of(data, "title"), *marks;
	bool numbered = json_flag_of(data, "lineNumbers");
	struct str source = code_source(f->paper, node);
	struct frame keep;
	struct deco *d;
	size_t at = 0, end;
	int n = 0;

	marks = highlight_marks(f->paper, node, source);
	/* The frame is a deco, so that code may break between any two lines. */
	flow_gap(f, 9);
	d = flow_open(f, &keep, numbered ? 34 : 10, 7, "Div");
	d->fill = GROUND;
	d->border = 0xe4e7ec;
	if (title != NULL && *title != '\0') {
		text_flow(f, title, &(struct type){ .family = f->paper->mono, .size = 8, .bold = true, .color = MUTED }, "P",
		    true);
		flow_gap(f, 4);
	}
	cJSON_ArrayForEach(line, json_member(node, "nodes")) {
		/*
		 * code_source() ends each line with a line feed, so lines of nodes and of the source
		 * correspond. If source is empty, marks is NULL.
		 */
		for (end = at; end < source.n && source.p[end] != '\n'; end++)
			;
		/* One strip per line, so that a sheet may end after any line. */
		code_line(f, line, str_slice(source, at, end), marks != NULL ? marks + at : NULL, numbered ? ++n : 0);
		at = end < source.n ? end + 1 : end;
	}
	flow_close(f, &keep);
	flow_gap(f, 9);
}

void
plain_code(struct flow *f, const char *text)
{
	struct frame keep;
	struct deco *d;

	flow_gap(f, 9);
	d = flow_open(f, &keep, 10, 7, "Div");
	d->border = FAINT;
	text_flow(f, text, &(struct type){ .family = f->paper->mono, .size = CODE_SIZE, .color = INK, .forward = true }, "Code", false);
	flow_close(f, &keep);
	flow_gap(f, 9);
}
