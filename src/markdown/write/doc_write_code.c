/*
 * Writes code blocks: a fence, inside {% code %} when options are set, or <pre> when lines are
 * highlighted or hold more than text.
 */
#include "doc_write.h"

/*
 * True if a fence cannot represent the code block: highlighted lines, or inlines other than text.
 */
static bool
needs_pre(const struct doc_node *code)
{
	const struct doc_node *l, *c;

	for (l = code->child; l != NULL; l = l->next) {
		if (doc_attr_bool(l, "highlighted"))
			return true;
		for (c = l->child; c != NULL; c = c->next)
			if (c->type != DOC_LEAF)
				return true;
	}
	return false;
}

/* Writes <pre>. newlines: line breaks may be written as line feeds. */
void
w_pre(struct writer *w, const struct doc_node *code, bool newlines)
{
	static const char *const flags[][2] = { { "lineNumbers", "data-line-numbers" },
		{ "expandable", "data-expandable" }, { "fullWidth", "data-full-width" } };
	const char *syntax = doc_attr_str(code, "syntax"), *nl = newlines ? "\n" : "&#xA;";
	const struct doc_attr *count = doc_attr(code, "collapsedLineCount");
	const struct doc_node *l;
	bool strong;

	w_str(w, "<pre");
	if (syntax != NULL)
		w_attr(w, "class", arena_printf(w->a, "language-%s", syntax));
	if (doc_attr_str(code, "title") != NULL)
		w_attr(w, "data-title", doc_attr_str(code, "title"));
	if (doc_attr_str(code, "overflow") != NULL)
		w_attr(w, "data-overflow", doc_attr_str(code, "overflow"));
	for (size_t i = 0; i < 3; i++)
		if (doc_attr(code, flags[i][0]) != NULL)
			w_attr(w, flags[i][1], doc_attr_bool(code, flags[i][0]) ? "true" : "false");
	if (count != NULL && count->kind == ATTR_NUMBER)
		w_attr(w, "data-collapsed-line-count", w_number(w, count->v.n));
	w_str(w, "><code");
	if (syntax != NULL)
		w_attr(w, "class", arena_printf(w->a, "lang-%s", syntax));
	w_str(w, ">");
	/* Lines may hold inlines, which needs_pre() looks for. */
	for (l = code->child; l != NULL; l = l->next) {
		strong = doc_attr_bool(l, "highlighted");
		w_str(w, strong ? "<strong>" : "");
		w_inlines_html(w, l);
		/*
		 * The line feed goes inside <strong>, as the service writes it. An empty last line
		 * needs one to be kept, since html_code() ignores a line feed at the very end.
		 */
		w_str(w, l->next != NULL || (l->child == NULL && l != code->child) || (strong && l->child == NULL) ? nl : "");
		w_str(w, strong ? "</strong>" : "");
	}
	w_str(w, "</code></pre>");
}

/* Returns the length of the longest run of that character in the code. */
static size_t
longest_run(const struct doc_node *code, char mark)
{
	const struct doc_node *l, *c;
	size_t run, most = 0, i;

	for (l = code->child; l != NULL; l = l->next)
		for (c = l->child; c != NULL; c = c->next)
			for (i = run = 0; i < c->text.n; i++) {
				run = c->text.p[i] == mark ? run + 1 : 0;
				most = run > most ? run : most;
			}
	return most;
}

/* Writes a part of the info string. */
static void
write_info_text(struct writer *w, const char *s)
{
	for (; s != NULL && *s != '\0'; s++) {
		if (*s == '\\')
			w_str(w, "\\");
		/* In info strings cmark decodes entities before it handles backslash escapes. */
		w_put(w, *s == '\n' ? STR(" ") : *s == '&' ? STR("&#x26;") : (struct str){ s, 1 });
	}
}

static void
write_fence(struct writer *w, const struct doc_node *code)
{
	const char *syntax = doc_attr_str(code, "syntax"), *info = doc_attr_str(code, "info");
	/* The info string of a backquote fence must not contain backquotes. */
	char mark = (syntax != NULL && strchr(syntax, '`') != NULL) ||
	    (info != NULL && strchr(info, '`') != NULL) ? '~' : '`';
	size_t n = longest_run(code, mark) + 1;
	const struct doc_node *l, *c;
	struct str fences;
	char *p;

	/* A fence has at least three characters (CommonMark 4.5). */
	n = n < 3 ? 3 : n;
	p = arena_alloc(w->a, n);
	memset(p, mark, n);
	fences = (struct str){ p, n };
	w_put(w, fences);
	write_info_text(w, syntax);
	w_str(w, info != NULL ? " " : "");
	write_info_text(w, info);
	w_str(w, "\n");
	for (l = code->child; l != NULL; l = l->next) {
		for (c = l->child; c != NULL; c = c->next)
			w_put(w, c->text);
		w_str(w, "\n");
	}
	w_put(w, fences);
}

void
w_code(struct writer *w, const struct doc_node *n)
{
	static const char options[] = "title,overflow,lineNumbers,fullWidth,expandable,collapsedLineCount";
	const struct doc_attr *x;
	bool some = false;

	if (needs_pre(n)) {
		w_pre(w, n, true);
		return;
	}
	for (x = n->attrs; x != NULL; x = x->next)
		/* syntax and info are written in the fence itself and need no tag. */
		some = some || doc_in_set(options, x->name);
	if (some) {
		w_str(w, "{% code");
		w_tag_attrs(w, n, options);
		w_str(w, " %}\n");
	}
	write_fence(w, n);
	if (some)
		w_str(w, "\n{% endcode %}");
}

