/*
 * Containers between lines of colons: :::note Title, :::tip[Title], ::: details, ::: code-group
 * (Docusaurus, VitePress, Starlight). Only the lines of colons are replaced; the lines between them
 * are not changed.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "blocks.h"

enum { OPEN_MOST = 32 };

enum container { NOTHING, HINT, DETAILS, GROUP };

struct open {
	enum container kind;
	struct str     pad;
	bool           tab;        /* in a code group: a tab is open */
};

struct converting {
	struct arrival      *t;
	struct arrival_page *p;
	struct text         *out;
	struct open          open[OPEN_MOST];
	size_t               depth;
};

static enum container
container_kind(struct str name)
{
	static const char *const hints[] = { "note", "tip", "info", "warning", "danger", "caution", "important", "success",
		"secondary", "error", "question", "hint", "attention" };
	size_t i;

	for (i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (name.n == strlen(hints[i]) && strncasecmp(name.p, hints[i], name.n) == 0)
			return HINT;
	return str_is(name, "details") ? DETAILS : str_is(name, "code-group") ? GROUP : NOTHING;
}

/* Title after the name, as "[Title]" or " Title", without attributes in braces after it. */
static struct str
container_title(struct str s)
{
	const char *end;

	s = str_trim(s);
	if (s.n > 0 && s.p[0] == '[' && (end = memrchr(s.p, ']', s.n)) != NULL)
		return str_slice(s, 1, (size_t)(end - s.p));
	if (s.n > 0 && s.p[s.n - 1] == '}' && (end = memrchr(s.p, '{', s.n)) != NULL)
		s = str_trim(str_slice(s, 0, (size_t)(end - s.p)));
	return s;
}

static void
begin_container(struct converting *c, struct str pad, struct str rest, size_t at)
{
	struct open *o = &c->open[c->depth];
	struct str name, title;
	size_t n = 0;

	while (n < rest.n && (isalnum((unsigned char)rest.p[n]) || rest.p[n] == '-' || rest.p[n] == '_'))
		n++;
	name = str_slice(rest, 0, n);
	title = container_title(str_slice(rest, n, rest.n));
	*o = (struct open){ container_kind(name), pad, false };
	c->depth++;
	if (o->kind == HINT) {
		hint_open(c->out, pad, hint_style(name), title, at);
	} else if (o->kind == DETAILS) {
		details_open(c->out, pad, title.n > 0 ? title : STR("Details"), false, at);
	} else if (o->kind == GROUP) {
		text_gap(c->out, at);
		text_printf(c->out, at, "%.*s{%% tabs %%}", (int)pad.n, pad.p);
	} else {
		arrival_warn_once(c->t, page_source(c->p), at, "the container \"%.*s\" has no equal here; what is in it stays",
		    (int)name.n, name.p);
		text_gap(c->out, at);
	}
}

static void
end_container(struct converting *c, size_t at)
{
	struct open *o = &c->open[--c->depth];

	if (o->kind == HINT)
		hint_close(c->out, o->pad, at);
	else if (o->kind == DETAILS)
		details_close(c->out, o->pad, at);
	else if (o->kind == GROUP)
		text_printf(c->out, at, "%.*s{%% endtabs %%}", (int)o->pad.n, o->pad.p);
	else
		text_gap(c->out, at);
}

/* In a code group, the text in brackets after the language is the title of the tab. */
static void
group_line(struct converting *c, struct open *o, struct str s, bool opens, size_t at)
{
	const char *from = opens ? memchr(s.p, '[', s.n) : NULL;
	const char *to = from == NULL ? NULL : memchr(from, ']', s.n - (size_t)(from - s.p));
	struct str title = to == NULL ? (struct str){ NULL, 0 } : (struct str){ from + 1, (size_t)(to - from - 1) };
	size_t skip;

	if (opens) {
		text_indent(s, &skip);
		while (skip < s.n && (s.p[skip] == '`' || s.p[skip] == '~'))
			skip++;
		if (title.n == 0)
			title = str_trim(str_slice(s, skip, s.n));
		tab_open(c->out, o->pad, title.n > 0 ? title : STR("Code"), at);
		o->tab = true;
		if (to != NULL)
			s = str_slice(s, 0, (size_t)(from - s.p));
	}
	text_add(c->out, s, at);
	if (!opens) {
		text_printf(c->out, at, "%.*s{%% endtab %%}", (int)o->pad.n, o->pad.p);
		o->tab = false;
	}
}

static void
take_line(struct converting *c, struct fence *f, struct line *l)
{
	bool was = f->mark != '\0', code = fence_step(f, l->s);
	struct open *top = c->depth > 0 ? &c->open[c->depth - 1] : NULL;
	size_t skip, n = 0;
	struct str rest;

	/* The line begins or ends fenced code in a code group. */
	if (code && top != NULL && top->kind == GROUP && was != (f->mark != '\0')) {
		group_line(c, top, l->s, !was, l->at);
		return;
	}
	text_indent(l->s, &skip);
	rest = str_slice(l->s, skip, l->s.n);
	while (n < rest.n && rest.p[n] == ':')
		n++;
	if (code || n < 3) {
		text_add(c->out, l->s, l->at);
		return;
	}
	rest = str_trim(str_slice(rest, n, rest.n));
	/* Colons alone end the innermost container; with a name they begin one; all other lines are text. */
	if (rest.n == 0 && c->depth > 0)
		end_container(c, l->at);
	else if (rest.n > 0 && isalpha((unsigned char)rest.p[0]) && c->depth < OPEN_MOST)
		begin_container(c, str_slice(l->s, 0, skip), rest, l->at);
	else
		text_add(c->out, l->s, l->at);
}

void
convert_containers(struct arrival *t, struct arrival_page *p, struct text *text)
{
	struct text out = { .arena = text->arena };
	struct converting c = { .t = t, .p = p, .out = &out };
	struct fence f = { 0 };
	size_t i;

	for (i = 0; i < text->n; i++)
		take_line(&c, &f, &text->v[i]);
	while (c.depth > 0)
		end_container(&c, text->n > 0 ? text->v[text->n - 1].at : 0);
	*text = out;
}
