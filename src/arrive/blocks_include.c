/*
 * Includes texts of other files: --8<-- "file" (PyMdown), {!file!} (mdx_include), {* file *}
 * (markdown-include-variants), {{#include file}} (mdBook).
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"

/*
 * Texts that include each other several times grow without limit, so what a page includes is counted:
 * files, bytes added (at most OCTAVO_IMPORT_PAGE_BYTES), and bytes read (READ_TIMES as many, because
 * a page may include a few lines of each file).
 */
enum { INCLUDE_DEPTH = 8, INCLUDE_FILES = 2000, READ_TIMES = 16 };

struct including {
	struct arrival      *t;
	struct arrival_page *p;
	struct text         *out;
	size_t               depth;
};

static void include_lines(struct including *c, struct text *in, struct str base, struct str pad, size_t fixed);

/* Reads a line number; 0: the text does not begin with a number. */
static size_t
line_number(struct str s)
{
	size_t i, n = 0;

	for (i = 0; i < s.n && isdigit((unsigned char)s.p[i]) && n < 10000000; i++)
		n = n * 10 + (size_t)(s.p[i] - '0');
	return n;
}

/* True for a line with the mark and the name of a section: "--8<-- [start:name]", "ANCHOR: name". */
static bool
is_mark(struct str s, const char *mark, struct str name)
{
	const char *at = s.n > 0 ? memmem(s.p, s.n, mark, strlen(mark)) : NULL;
	struct str rest;

	if (at == NULL)
		return false;
	rest = str_trim(str_slice(s, (size_t)(at - s.p) + strlen(mark), s.n));
	return name.n == 0 || (rest.n >= name.n && memcmp(rest.p, name.p, name.n) == 0 &&
	    (rest.n == name.n || !isalnum((unsigned char)rest.p[name.n])));
}

/* Keeps only the lines that `which` selects: a range of lines, or a section (include_file()). */
static void
choose_lines(struct text *in, struct str which)
{
	const char *colon = which.n > 0 ? memchr(which.p, ':', which.n) : NULL;
	size_t from = 0, to = in->n, i;

	if (which.n == 0)
		return;
	if (isdigit((unsigned char)which.p[0]) || which.p[0] == ':') {
		struct str end = colon == NULL ? (struct str){ NULL, 0 } : str_slice(which, (size_t)(colon - which.p) + 1, which.n);
		from = line_number(which) > 0 ? line_number(which) - 1 : 0;
		to = colon == NULL ? from + 1 : line_number(end) > 0 ? line_number(end) : in->n;
	} else {
		for (i = 0; i < in->n && !is_mark(in->v[i].s, "[start:", which) && !is_mark(in->v[i].s, "ANCHOR:", which); i++)
			;
		from = i + 1;
		for (to = from; to < in->n && !is_mark(in->v[to].s, "[end:", which) && !is_mark(in->v[to].s, "ANCHOR_END:", which); to++)
			;
	}
	to = to > in->n ? in->n : to;
	in->n = from < to ? to - from : 0;
	in->v += from < to ? from : 0;
}

static void
drop_marks(struct text *in)
{
	size_t i, n = 0;

	for (i = 0; i < in->n; i++)
		if (!is_mark(in->v[i].s, "--8<-- [", STR("")) && !is_mark(in->v[i].s, "ANCHOR:", STR("")) &&
		    !is_mark(in->v[i].s, "ANCHOR_END:", STR("")))
			in->v[n++] = in->v[i];
	in->n = n;
}

/* Counts the bytes of a file. False, with a warning, if the page would be too large with it. */
static bool
may_read(struct including *c, const struct arrival_file *f, size_t at)
{
	struct arrival *t = c->t;
	int64_t most = t->set->import_page_bytes;

	t->included.files++;
	if (t->included.files <= INCLUDE_FILES && f->size <= most && t->included.read + f->size <= most * READ_TIMES) {
		t->included.read += f->size;
		return true;
	}
	arrival_warn_once(t, page_source(c->p), at, "\"%.*s\" is not included: it would make the page too large", (int)f->path.n, f->path.p);
	return false;
}

/* Counts the bytes of lines. False, with a warning, if the page would be too large with them. */
static bool
may_add(struct including *c, const struct arrival_file *f, const struct text *in, struct str pad, size_t at)
{
	struct arrival *t = c->t;
	int64_t n = 0;
	size_t i;

	for (i = 0; i < in->n; i++)
		n += (int64_t)(in->v[i].s.n + pad.n + 1);
	if (t->included.bytes + n <= t->set->import_page_bytes) {
		t->included.bytes += n;
		return true;
	}
	arrival_warn_once(t, page_source(c->p), at, "\"%.*s\" is not included: it would make the page too large", (int)f->path.n, f->path.p);
	return false;
}

static bool
put_file(struct including *c, struct arrival_file *f, struct str which, struct str pad, size_t at)
{
	struct arrival *t = c->t;
	struct text in;
	struct front front;
	struct str bytes;

	f->part = true;
	arrival_base(t, c->p, path_folder(f->path));
	if (c->depth >= INCLUDE_DEPTH) {
		arrival_warn_once(t, page_source(c->p), at, "\"%.*s\" is not included: texts include each other over too many levels",
		    (int)f->path.n, f->path.p);
		return false;
	}
	if (!may_read(c, f, at) || !source_read(t, c->out->arena, f, &bytes))
		return false;
	front_read(c->out->arena, bytes, &front);
	text_read(&in, c->out->arena, path_is_markdown(f->path) ? str_slice(bytes, front.bytes, bytes.n) : bytes, at, true);
	choose_lines(&in, which);
	drop_marks(&in);
	if (!may_add(c, f, &in, pad, at))
		return false;
	c->depth++;
	include_lines(c, &in, path_folder(f->path), pad, at);
	c->depth--;
	return true;
}

bool
include_file(struct arrival *t, struct arrival_page *p, struct arrival_file *f, struct str which, struct str pad, size_t at,
    struct text *out)
{
	struct including c = { t, p, out, 0 };

	return put_file(&c, f, which, pad, at);
}

/* Finds the file to include, relative to the page's folder, to the folder of the pages, or to the source. */
static struct arrival_file *
find_included(struct including *c, struct str base, struct str path)
{
	const char *const folders[] = { arena_strndup(c->out->arena, base.p, base.n), c->t->root, "",
		arena_printf(c->out->arena, "%s/snippets", c->t->root), "includes" };
	struct arrival_file *f;
	const char *full;
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if ((full = path_join(c->out->arena, str_of(folders[i]), path)) != NULL && (f = source_find(c->t, "%s", full)) != NULL)
			return f;
	for (i = 0; c->t->include_folders != NULL && c->t->include_folders[i] != NULL; i++)
		if ((full = path_join(c->out->arena, str_of(c->t->include_folders[i]), path)) != NULL &&
		    (f = source_find(c->t, "%s", full)) != NULL)
			return f;
	return NULL;
}

/* Splits "file:2:10" or "file:name" at the first colon. */
static void
include_named(struct including *c, struct str spelling, struct str base, struct str pad, size_t at)
{
	const char *colon = memchr(spelling.p, ':', spelling.n);
	struct str path = spelling, which = { NULL, 0 };
	struct arrival_file *f = find_included(c, base, path);

	if (f == NULL && colon != NULL) {
		path = str_slice(spelling, 0, (size_t)(colon - spelling.p));
		which = str_slice(spelling, path.n + 1, spelling.n);
		f = find_included(c, base, path);
	}
	if (f == NULL)
		arrival_warn(c->t, page_source(c->p), at, "\"%.*s\" is not included: there is no such file", (int)spelling.n, spelling.p);
	else
		put_file(c, f, which, pad, at);
}

/* The path in a line --8<-- "path"; p NULL: the line has another form. */
static struct str
snippet_path(struct str s)
{
	struct str t = str_trim(s);
	const char *from, *to;

	if (str_starts(t, "{!") && t.n > 4 && memcmp(t.p + t.n - 2, "!}", 2) == 0)
		return str_trim(str_slice(t, t.p[2] == '>' ? 3 : 2, t.n - 2));
	if (!str_starts(t, "--8<--") && !str_starts(t, "-8<-"))
		return (struct str){ NULL, 0 };
	from = memchr(t.p, '"', t.n);
	if (from == NULL)
		from = memchr(t.p, '\'', t.n);
	to = from == NULL ? NULL : memrchr(t.p, *from, t.n);
	return to == NULL || to == from ? (struct str){ NULL, 0 } : (struct str){ from + 1, (size_t)(to - from - 1) };
}

/* The file of {{#include file}}, {{#rustdoc_include file}} or {{#playground file editable}}; p NULL: none. */
static struct str
directive_path(struct str s)
{
	static const char *const names[] = { "{{#include ", "{{#rustdoc_include ", "{{#playground " };
	const char *at, *end;
	size_t i, n;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		n = strlen(names[i]);
		at = s.n > n ? memmem(s.p, s.n, names[i], n) : NULL;
		end = at == NULL ? NULL : memmem(at, s.n - (size_t)(at - s.p), "}}", 2);
		/* "\{{#include x}}" is text about the directive. */
		if (end != NULL && (at == s.p || at[-1] != '\\')) {
			struct str t = str_trim((struct str){ at + n, (size_t)(end - at) - n });
			const char *blank = memchr(t.p, ' ', t.n);
			return blank == NULL ? t : str_slice(t, 0, (size_t)(blank - t.p));
		}
	}
	return (struct str){ NULL, 0 };
}

/* Text before and after a directive gets lines of its own. */
static void
put_directive(struct including *c, struct str s, struct str name, struct str base, struct str pad, size_t at)
{
	const char *open = memmem(s.p, s.n, "{{#", 3), *close = memmem(name.p, s.n - (size_t)(name.p - s.p), "}}", 2);

	if (open != NULL && open < name.p && !text_blank((struct str){ s.p, (size_t)(open - s.p) }))
		text_add(c->out, (struct str){ s.p, (size_t)(open - s.p) }, at);
	include_named(c, name, base, pad, at);
	if (open != NULL && close != NULL && !text_blank(str_slice(s, (size_t)(close - s.p) + 2, s.n)))
		text_add(c->out, str_slice(s, (size_t)(close - s.p) + 2, s.n), at);
}

/* Writes the fence that begins the code of a file; its language is the extension. */
static void
open_code(struct including *c, struct str path, struct str pad, size_t at)
{
	struct str name = path_name(path), stem = path_stem(name);
	struct str language = stem.n < name.n ? str_slice(name, stem.n + 1, name.n) : STR("");

	text_printf(c->out, at, "%.*s```%.*s", (int)pad.n, pad.p, (int)language.n, language.p);
}

/*
 * Converts a line of VitePress that inserts something: "<<< @/file.ts#region{2,5 ts}" inserts a
 * file as code, "<!--@include: ./file.md-->" inserts a text. "[[toc]]" inserts the page's outline;
 * it is removed, because pages show their outline anyway. False: the line is none of these.
 */
static bool
vite_line(struct including *c, struct str s, struct str base, struct str pad, size_t at)
{
	struct str t = str_trim(s), path;
	const char *end;

	if (str_is(t, "[[toc]]") || str_is(t, "[[TOC]]"))
		return true;
	if (str_starts(t, "<!--") && (end = memmem(t.p + 4, t.n - 4, "-->", 3)) != NULL) {
		path = str_trim(str_slice(t, 4, (size_t)(end - t.p)));
		if (!str_starts(path, "@include:"))
			return false;
		path = str_trim(str_slice(path, 9, path.n));
		path = text_until(path, "{#");
		include_named(c, str_starts(path, "@/") ? str_slice(path, 2, path.n) : path, base, pad, at);
		return true;
	}
	if (!str_starts(t, "<<<"))
		return false;
	path = str_trim(str_slice(t, 3, t.n));
	path = text_until(path, "#{[ ");
	open_code(c, path, pad, at);
	include_named(c, str_starts(path, "@/") ? str_slice(path, 2, path.n) : path, base, pad, at);
	text_printf(c->out, at, "%.*s```", (int)pad.n, pad.p);
	return true;
}

/*
 * "{* file.py ln[1:4,8] hl[2] *}" is code, of which ln chooses lines. True if the line is such a line.
 * What else it has, such as lines to highlight, has no equal here.
 */
static bool
variant_line(struct including *c, struct str s, struct str base, struct str pad, size_t at)
{
	struct str t = str_trim(s), path, lines = STR(""), one;
	const char *ln;
	size_t n;

	if (!str_starts(t, "{* ") || t.n < 7 || memcmp(t.p + t.n - 2, "*}", 2) != 0)
		return false;
	t = str_trim(str_slice(t, 2, t.n - 2));
	path = text_until(t, " ");
	if ((ln = memmem(t.p, t.n, " ln[", 4)) != NULL)
		lines = text_until(str_slice(t, (size_t)(ln - t.p) + 4, t.n), "]");
	open_code(c, path, pad, at);
	do {
		one = str_trim(text_until(lines, ","));
		include_named(c, one.n == 0 ? path : str_of(arena_printf(c->out->arena, "%.*s:%.*s", (int)path.n, path.p, (int)one.n, one.p)),
		    base, pad, at);
		n = text_until(lines, ",").n + 1;
		lines = str_slice(lines, n < lines.n ? n : lines.n, lines.n);
	} while (lines.n > 0);
	text_printf(c->out, at, "%.*s```", (int)pad.n, pad.p);
	return true;
}

/* fixed: number that all lines get; 0: each line keeps its own number. */
static void
include_lines(struct including *c, struct text *in, struct str base, struct str pad, size_t fixed)
{
	bool snippets = c->t->reader->syntax & SYNTAX_SNIPPETS, block = false, vite = c->t->reader->syntax & SYNTAX_VITE, code;
	struct fence f = { 0 };
	size_t i, skip;

	for (i = 0; i < in->n; i++) {
		struct str s = in->v[i].s, name = snippets ? snippet_path(s) : vite ? (struct str){ NULL, 0 } : directive_path(s), own;
		size_t at = fixed != 0 ? fixed : in->v[i].at;

		text_indent(s, &skip);
		own = str_of(arena_printf(c->out->arena, "%.*s%.*s", (int)pad.n, pad.p, (int)skip, s.p));
		code = fence_step(&f, s);
		if ((vite && !code && vite_line(c, s, base, own, at)) || (snippets && !code && variant_line(c, s, base, own, at)))
			continue;
		if (snippets && (str_is(str_trim(s), "--8<--") || str_is(str_trim(s), "-8<-")))
			block = !block;
		else if (block && !text_blank(s))
			include_named(c, str_trim(s), base, own, at);
		else if (name.p != NULL)
			put_directive(c, s, name, base, own, at);
		else if (!block && pad.n > 0 && !text_blank(s))
			text_printf(c->out, at, "%.*s%.*s", (int)pad.n, pad.p, (int)s.n, s.p);
		else if (!block)
			text_add(c->out, s, at);
	}
}

void
convert_includes(struct arrival *t, struct arrival_page *p, struct text *text)
{
	struct text out = { .arena = text->arena };
	struct including c = { t, p, &out, 0 };

	include_lines(&c, text, path_folder(p->file->path), STR(""), 0);
	*text = out;
}
