/* Code from HTML: <pre> with its options, and inlines in lines of code. */
#include <stdlib.h>

#include "../doc_parse.h"

/* Lines of <pre>: text goes to the last line; <strong> marks lines. */
struct lines {
	struct conv     *c;
	struct doc_node *code, *line;
	unsigned         strong;
};

/*
 * A line feed begins a new line. The published service ends a marked line with "\n</strong>": the
 * line after it is not marked.
 */
static void
add_pre_text(struct lines *l, struct str s)
{
	size_t from, to;

	for (from = 0; from <= s.n; from = to + 1) {
		for (to = from; to < s.n && s.p[to] != '\n'; )
			to++;
		doc_text(l->c->a, l->line, str_slice(s, from, to), 0);
		if (l->strong > 0 && (to > from || to < s.n))
			doc_set_bool(l->c->a, l->line, "highlighted", true);
		if (to == s.n)
			break;
		l->line = doc_node(l->c->a, DOC_CODE_LINE);
		doc_append(l->code, l->line);
	}
}

/*
 * Adds the tag of an unknown element as text: it is code that only looks like an element (`<T>`,
 * `<asm routine>`).
 */
static void
add_pre_tag(struct lines *l, const GumboNode *n, struct str tag)
{
	if (n->v.element.tag == GUMBO_TAG_UNKNOWN)
		add_pre_text(l, tag);
}

/*
 * Adds a node of <pre>. Marks other than <strong> are dropped: a line of code contains only text,
 * expressions and footnotes.
 */
static void
add_pre_node(struct lines *l, const GumboNode *n, unsigned depth)
{
	const char *class;
	struct inl in;

	if (n->type == GUMBO_NODE_TEXT || n->type == GUMBO_NODE_WHITESPACE) {
		add_pre_text(l, str_of(n->v.text.text));
		return;
	}
	if (n->type != GUMBO_NODE_ELEMENT || depth > DOC_DEPTH)
		return;
	class = html_attr(n, "class");
	/* Lines of code may contain expressions and footnotes. */
	if ((html_is(n, "code") && class != NULL && strcmp(class, "expression") == 0) ||
	    html_attr(n, "data-footnote-ref") != NULL) {
		inline_begin(&in, l->c, l->line);
		inline_element(&in, n);
		inline_end(&in);
		return;
	}
	if (html_is(n, "br"))
		add_pre_text(l, STR("\n"));
	add_pre_tag(l, n, (struct str){ n->v.element.original_tag.data, n->v.element.original_tag.length });
	l->strong += html_is(n, "strong");
	for (unsigned i = 0; i < n->v.element.children.length; i++)
		add_pre_node(l, n->v.element.children.data[i], depth + 1);
	l->strong -= html_is(n, "strong");
	add_pre_tag(l, n, html_end_tag(n));
}

/* "language-js", "lang-js" -> "js" */
static const char *
class_language(const GumboNode *e)
{
	const char *class = e == NULL ? NULL : html_attr(e, "class"), *p;

	if (class == NULL)
		return NULL;
	p = strstr(class, "language-");
	if (p != NULL)
		return p + 9;
	p = strstr(class, "lang-");
	return p == NULL ? NULL : p + 5;
}

/* Never returns NULL; the code has at least one line. */
struct doc_node *
html_code(struct conv *c, const GumboNode *pre)
{
	static const char *const flags[][2] = { { "data-line-numbers", "lineNumbers" },
		{ "data-expandable", "expandable" }, { "data-full-width", "fullWidth" } };
	struct doc_node *code = doc_node(c->a, DOC_CODE);
	/* Start with one line, to which text is added; line feeds begin further ones. */
	struct lines l = { c, code, doc_node(c->a, DOC_CODE_LINE), 0 };
	const char *s = class_language(pre) != NULL ? class_language(pre) : class_language(html_child(pre, "code"));
	long count;

	if (s != NULL && *s != '\0')
		doc_set_str(c->a, code, "syntax", arena_strndup(c->a, s, strcspn(s, " \t\n")));
	doc_set_str(c->a, code, "title", html_attr(pre, "data-title"));
	s = html_attr(pre, "data-overflow");
	if (s != NULL && doc_in_set("scroll,wrap", s))
		doc_set_str(c->a, code, "overflow", s);
	for (size_t i = 0; i < 3; i++)
		if ((s = html_attr(pre, flags[i][0])) != NULL)
			doc_set_bool(c->a, code, flags[i][1], strcmp(s, "false") != 0);
	count = html_attr(pre, "data-collapsed-line-count") != NULL ?
	    strtol(html_attr(pre, "data-collapsed-line-count"), NULL, 10) : 0;
	/* The same limits as for the tag's option (set_attributes() of doc_tags.c). */
	if (count >= 1 && count <= 1000000)
		doc_set_num(c->a, code, "collapsedLineCount", (double)count);
	doc_append(code, l.line);
	for (unsigned i = 0; i < pre->v.element.children.length; i++)
		add_pre_node(&l, pre->v.element.children.data[i], 0);
	/* A final line feed is no empty line. */
	if (code->child != code->last && l.line->child == NULL) {
		struct doc_node *n = code->child;
		while (n->next != l.line)
			n = n->next;
		n->next = NULL;
		code->last = n;
	}
	return code;
}
