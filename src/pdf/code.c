/*
 * Blocks of code. Their colours come from the caller, as HTML that is read strictly: where
 * its text is not the source, the code is printed plain.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "code.h"

/* A longer block is printed plain: marks take a byte for each byte of source. */
enum { SOURCE_MAX = 1 << 20 };

/* Those of sites (assets/site/site.css), which are for a light ground. */
static const struct { char mark; int ink; } inks[] = {
	{ 'c', 0x626a75 }, { 'k', 0x8a2f6b }, { 's', 0x1a6b3c }, { 'n', 0x9a4a00 }, { 'f', 0x2a5db0 }, { 't', 0x6b3fa0 },
};

static int
ink_of(char mark)
{
	size_t i;

	for (i = 0; i < sizeof(inks) / sizeof(inks[0]); i++)
		if (inks[i].mark == mark)
			return inks[i].ink;
	return INK;
}

/* Appends the text of a line; false: it holds more than text (notes, links, marks). */
static bool
add_line(struct buf *b, const cJSON *line)
{
	const cJSON *one, *leaf;
	const char *s;

	cJSON_ArrayForEach(one, json_get(line, "nodes")) {
		/* An annotation, a link, an expression: the HTML could not bear it. */
		if (json_get(one, "leaves") == NULL)
			return false;
		cJSON_ArrayForEach(leaf, json_get(one, "leaves")) {
			s = json_text(leaf, "text");
			if (cJSON_GetArraySize(json_get(leaf, "marks")) > 0 || s == NULL || strlen(s) > SOURCE_MAX ||
			    strchr(s, '\n') != NULL)
				return false;
			buf_str(b, s);
		}
	}
	return true;
}

/* The text of a block, a line feed behind each line; p NULL: it holds more than text, or is too long. */
static struct str
source_of(struct paper *p, const cJSON *node)
{
	const cJSON *line;
	struct buf b;

	buf_init(&b, p->scratch, 4 * SOURCE_MAX);
	cJSON_ArrayForEach(line, json_get(node, "nodes")) {
		if (b.n > SOURCE_MAX || !add_line(&b, line))
			return (struct str){ NULL, 0 };
		buf_char(&b, '\n');
	}
	return buf_view(&b);
}

/*
 * What stands at the beginning of the HTML: a tag, whose mark (0: the end of a span) goes to *mark,
 * or a character, which goes to *c. How many bytes that is; 0: something else.
 */
static size_t
next_piece(struct str s, char *mark, char *c)
{
	static const struct { const char *name; char c; } entities[] = {
		{ "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' } };
	/*
	 * Tags have one of two forms, both fixed (typeset.h): anything else means that the HTML
	 * is not what was asked for.
	 */
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

/* A mark for each byte of the source; NULL: print it plain. */
static const char *
marks_of(struct paper *p, const cJSON *node, struct str source)
{
	const char *syntax = json_text(json_get(node, "data"), "syntax");
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

/* A line of the source, run by run. */
static void
write_marked(struct writer *w, struct paper *p, struct str line, const char *marks)
{
	size_t from, i;

	for (from = i = 0; i < line.n; from = i) {
		while (i < line.n && marks[i] == marks[from])
			i++;
		writer_color(w, ink_of(marks[from]));
		writer_text(w, arena_strndup(p->scratch, line.p + from, i - from));
	}
}

/* number 0: lines are not numbered. A line with notes or links is written from its nodes, without marks. */
static void
code_line(struct flow *f, const cJSON *line, struct str source, const char *marks, int number)
{
	const struct type t = { .family = f->paper->mono, .size = CODE_SIZE, .color = INK, .leading = 1.25,
		.forward = true };
	struct writer *w;

	if (number > 0) {
		/* Line numbers stand in the inset of the frame, left of the code. */
		f->x -= 34;
		f->marker = marker_text(f, arena_printf(f->paper->scratch, "%d", number), 24, CODE_SIZE);
		f->x += 34;
	}
	w = writer_new(f, &t);
	if (marks != NULL)
		write_marked(w, f->paper, source, marks);
	else
		writer_nodes(w, json_get(line, "nodes"));
	writer_flow(w, "Code", false);
}

void
block_code(struct flow *f, const cJSON *node)
{
	const cJSON *data = json_get(node, "data"), *line;
	const char *title = json_text(data, "title"), *marks;
	bool numbered = json_true(data, "lineNumbers");
	struct str source = source_of(f->paper, node);
	struct frame keep;
	struct deco *d;
	size_t at = 0, end;
	int n = 0;

	marks = marks_of(f->paper, node, source);
	/* The frame is a deco: long code is cut between any two lines. */
	flow_gap(f, 9);
	d = flow_open(f, &keep, numbered ? 34 : 10, 7, "Div");
	d->fill = GROUND;
	d->border = 0xe4e7ec;
	if (title != NULL && *title != '\0') {
		text_flow(f, title, &(struct type){ .family = f->paper->mono, .size = 8, .bold = true, .color = MUTED }, "P",
		    true);
		flow_gap(f, 4);
	}
	cJSON_ArrayForEach(line, json_get(node, "nodes")) {
		/*
		 * source_of() put a line feed behind each line, so lines of nodes and of the
		 * source go together; where it gave up, source is empty and marks are NULL.
		 */
		for (end = at; end < source.n && source.p[end] != '\n'; end++)
			;
		/* A strip for each line, so that a sheet may end behind any of them. */
		code_line(f, line, str_slice(source, at, end), marks != NULL ? marks + at : NULL, numbered ? ++n : 0);
		at = end < source.n ? end + 1 : end;
	}
	flow_close(f, &keep);
	flow_gap(f, 9);
}
