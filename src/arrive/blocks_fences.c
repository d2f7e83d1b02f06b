/*
 * Converts the info strings of fenced code (CommonMark 4.5) in the dialects of other tools:
 * language, title, line numbers.
 */
#include <ctype.h>
#include <string.h>

#include "blocks.h"

struct info {
	struct str language, title, rest;
	bool       numbered;
};

static bool
is_language_char(char c)
{
	return isalnum((unsigned char)c) || strchr("+-_#./", c) != NULL;
}

/* Title in [brackets] after the language, as in VitePress. */
static struct str
bracketed_title(struct str s)
{
	const char *from = s.n > 0 ? memchr(s.p, '[', s.n) : NULL;
	const char *to = from == NULL ? NULL : memchr(from, ']', s.n - (size_t)(from - s.p));

	return to == NULL ? (struct str){ NULL, 0 } : (struct str){ from + 1, (size_t)(to - from - 1) };
}

static void
read_info(struct str s, struct info *out)
{
	size_t n = 0, skip = 0;

	s = str_trim(s);
	/* The info string may be in braces: "{ .python title="x" }", "{python}". */
	if (s.n > 0 && s.p[0] == '{') {
		skip = 1;
		while (skip < s.n && (s.p[skip] == ' ' || s.p[skip] == '.'))
			skip++;
	}
	while (skip + n < s.n && is_language_char(s.p[skip + n]))
		n++;
	*out = (struct info){ .language = str_slice(s, skip, skip + n) };
	if (memchr(out->language.p != NULL ? out->language.p : "", '#', out->language.n) != NULL && skip > 0)
		out->language.n = 0;
	/* "{1,3-5}" contains no language, but the numbers of highlighted lines. */
	if (skip > 0 && n > 0 && isdigit((unsigned char)out->language.p[0])) {
		out->language.n = n = 0;
		skip = 0;
	}
	out->rest = str_trim(str_slice(s, skip + n, s.n));
	out->title = attribute(s, "title");
	if (out->title.p == NULL)
		out->title = attribute(s, "name");
	if (out->title.p == NULL)
		out->title = bracketed_title(out->rest);
	/* "title=x" is an attribute and not a language. */
	if (out->language.n > 0 && skip == 0 && skip + n < s.n && s.p[n] == '=')
		out->language.n = 0;
	out->numbered = attribute(s, "linenums").p != NULL || memmem(s.p, s.n, "showLineNumbers", 15) != NULL ||
	    memmem(s.p, s.n, ":line-numbers", 13) != NULL;
}

static void
open_code(struct text *out, struct str line, size_t skip, size_t marks, const struct info *i, size_t at)
{
	struct arena *a = out->arena;
	bool tagged = i->title.n > 0 || i->numbered;

	if (tagged)
		text_printf(out, at, "%.*s{%% code%s%s%s%s %%}", (int)skip, line.p, i->title.n > 0 ? " title=\"" : "",
		    i->title.n > 0 ? tag_value(a, i->title) : "", i->title.n > 0 ? "\"" : "", i->numbered ? " lineNumbers=\"true\"" : "");
	/*
	 * The unrecognised rest of the info string is kept, where the parser reads it as the member
	 * `info` of the code block.
	 */
	text_printf(out, at, "%.*s%.*s%s%.*s", (int)(skip + marks), line.p, (int)i->language.n, i->language.p,
	    i->language.n > 0 && i->rest.n > 0 && !tagged ? " " : "", i->language.n > 0 && !tagged ? (int)i->rest.n : 0,
	    i->rest.p != NULL ? i->rest.p : "");
}

/*
 * Takes the next word from the rest of an info string: name="a b", {1,2}, or a plain word. n 0:
 * there is none.
 */
static struct str
next_word(struct str *s)
{
	char close = '\0';
	struct str word;
	size_t i;

	*s = str_trim(*s);
	for (i = 0; i < s->n && (close != '\0' || !isspace((unsigned char)s->p[i])); i++) {
		char c = s->p[i];
		if (close != '\0')
			close = c == close ? '\0' : close;
		else if (c == '"' || c == '\'' || c == '{' || c == '[')
			close = c == '{' ? '}' : c == '[' ? ']' : c;
	}
	word = str_slice(*s, 0, i);
	*s = str_slice(*s, i, s->n);
	return word;
}

/* The first word that cannot be converted, for a warning; n 0: there is none. */
static struct str
first_lost_word(struct str rest)
{
	static const char *const known[] = { "title=", "name=", "linenums", "showLineNumbers", ":line-numbers", "}" };
	struct str word;
	size_t i;

	while ((word = next_word(&rest)).n > 0) {
		for (i = 0; i < sizeof(known) / sizeof(known[0]) && !str_starts(word, known[i]); i++)
			;
		if (i == sizeof(known) / sizeof(known[0]) && word.p[0] != '[')
			return word;
	}
	return word;
}

void
convert_fences(struct arrival *t, struct arrival_page *p, struct text *text)
{
	struct text out = { .arena = text->arena };
	struct fence f = { 0 };
	struct info info = { 0 };
	struct str lost;
	bool tagged = false;
	size_t i, skip;

	for (i = 0; i < text->n; i++) {
		struct str s = text->v[i].s;
		bool was = f.mark != '\0', is = fence_step(&f, s);

		if (is && !was && f.mark != '\0') {
			text_indent(s, &skip);
			read_info(str_slice(s, skip + f.n, s.n), &info);
			tagged = info.title.n > 0 || info.numbered;
			open_code(&out, s, skip, f.n, &info, text->v[i].at);
			if ((tagged || info.language.n == 0) && (lost = first_lost_word(info.rest)).n > 0)
				arrival_warn_once(t, page_source(p), text->v[i].at, "\"%.*s\" after the marks of a code block has no equal here; left out",
				    (int)(lost.n < 200 ? lost.n : 200), lost.p);
			continue;
		}
		text_add(&out, s, text->v[i].at);
		if (was && f.mark == '\0' && tagged) {
			text_indent(s, &skip);
			text_printf(&out, text->v[i].at, "%.*s{%% endcode %%}", (int)skip, s.p);
		}
	}
	*text = out;
}
