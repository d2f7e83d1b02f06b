/* The words of a piece of HTML, parsed by gumbo like documents. Contract: markdown/html_text.h. */
#include <ctype.h>

#include "../doc_parse.h"
#include "markdown/html_text.h"

/* Elements by treatment of their content. */
static const char skipped[] = "script,style,blockquote,pre,head,title,template,noscript,svg,select,textarea,object,iframe";
static const char line_elements[] = "br,div,li,tr,dt,dd,section,article,header,footer,ul,ol,dl,table,form,hr,main,aside";
static const char paragraph[] = "p,h1,h2,h3,h4,h5,h6";
/* Elements whose presence shows that a text is HTML and not plain text with angle brackets. */
static const char html_only[] = "p,div,br,span,b,i,strong,em,a,ul,ol,li,html,body,table,td,tr,h1,h2,h3,h4,blockquote,img,pre,font,head,style,script,section";

/* Copy the name in lower case, cut at max - 1 bytes; 0 if there is none. */
static size_t
name_at(struct str s, size_t at, char *name, size_t max)
{
	size_t n = 0;

	while (n < max - 1 && at + n < s.n && isalnum((unsigned char)s.p[at + n])) {
		name[n] = (char)tolower((unsigned char)s.p[at + n]);
		n++;
	}
	name[n] = '\0';
	return n;
}

/* True if the text contains a tag of one of these elements. */
static bool
contains_tag(struct str s, const char *set)
{
	char name[16];
	size_t i, at, n;

	for (i = 0; i + 2 < s.n; i++) {
		if (s.p[i] != '<')
			continue;
		at = i + 1 + (s.p[i + 1] == '/');
		n = name_at(s, at, name, sizeof(name));
		/* The name must end here: "<bob@example.com>" and "<i=0>" are no elements. */
		if (n > 0 && at + n < s.n && memchr(" />\t\n\r", s.p[at + n], 6) != NULL && doc_in_set(set, name))
			return true;
	}
	return false;
}

bool
looks_like_html(struct str text)
{
	return contains_tag(text, html_only);
}

/* True if an element in it ends lines. */
static bool
has_blocks(struct str html)
{
	return contains_tag(html, line_elements) || contains_tag(html, paragraph);
}

/* Removes the tags of a text that must not be given to gumbo. */
static struct str
remove_tags(struct arena *a, struct str s)
{
	struct buf b;
	bool tag = false;
	size_t i;

	buf_init(&b, a, s.n + 1);
	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '<')
			tag = true;
		if (!tag)
			buf_char(&b, s.p[i]);
		if (s.p[i] == '>' && tag) {
			tag = false;
			buf_char(&b, ' ');
		}
	}
	return buf_view(&b);
}

/* True for the hidden preview and tracking texts of mails. */
static bool
is_hidden(const GumboNode *n)
{
	const char *style = html_attr(n, "style");

	return style != NULL && (strstr(style, "display:none") != NULL || strstr(style, "display: none") != NULL);
}

/* Names of 16 bytes and more are cut, and match no set. */
static bool
is_in_set(const GumboNode *n, const char *set)
{
	char name[16];

	return name_at(html_name(n), 0, name, sizeof(name)) > 0 && doc_in_set(set, name);
}

/* Ends the current line; empty: adds an empty line, after a paragraph. */
static void
end_line(struct buf *b, bool empty)
{
	while (b->n > 0 && b->p[b->n - 1] == ' ')
		buf_cut(b, 1);
	if (b->n > 0 && b->p[b->n - 1] != '\n')
		buf_char(b, '\n');
	if (empty && b->n > 1 && b->p[b->n - 2] != '\n')
		buf_char(b, '\n');
}

/* add_node() appends in source order. */
struct text {
	struct buf b;
	bool       lines;    /* keep the source's lines: no element ends one */
};

/* Collapse blanks, as browsers do. */
static void
add_text(struct text *t, const char *s)
{
	struct buf *b = &t->b;

	for (; *s != '\0'; s++) {
		if (!isspace((unsigned char)*s))
			buf_char(b, *s);
		else if (t->lines && *s == '\n')
			buf_char(b, '\n');
		else if (b->n > 0 && b->p[b->n - 1] != ' ' && b->p[b->n - 1] != '\n')
			buf_char(b, ' ');
	}
}

/* Text and white space are leaves; comments add nothing. */
static void
add_node(struct text *t, const GumboNode *n, unsigned depth)
{
	const GumboVector *list;
	bool block, par;
	unsigned i;

	if (n->type == GUMBO_NODE_TEXT || n->type == GUMBO_NODE_WHITESPACE)
		add_text(t, n->v.text.text);
	/* Deeper content is dropped, which bounds the recursion. */
	if (n->type != GUMBO_NODE_ELEMENT || depth > DOC_DEPTH * 4 || is_hidden(n))
		return;
	/* A quotation repeats an earlier message: only a line says that there was one. */
	if (is_in_set(n, "blockquote")) {
		end_line(&t->b, false);
		buf_str(&t->b, ">\n");
	}
	if (is_in_set(n, skipped))
		return;
	/* Its start and its end each add an empty line. */
	par = is_in_set(n, paragraph);
	block = par || is_in_set(n, line_elements);
	if (block)
		end_line(&t->b, par);
	list = &n->v.element.children;
	for (i = 0; i < list->length; i++)
		add_node(t, list->data[i], depth + 1);
	if (block)
		end_line(&t->b, par);
}

/* The tree is in scratch memory, which is freed; the result is in a. */
struct str
html_text(struct arena *a, struct str html)
{
	struct arena *scratch = arena_within(a, (size_t)4 << 30);
	const GumboNode *root = html_parse(scratch, html);
	/*
	 * Whether line ends of the source count is decided for the whole text: plain text with a
	 * single <b> keeps its lines.
	 */
	struct text t = { .lines = !has_blocks(html) };

	/* The HTML is nested too deeply, or a tag has too many attributes (doc_cost.c). */
	if (root == NULL)
		return remove_tags(a, html);
	/*
	 * The text is not longer than the source, since an entity is longer than its character and line
	 * ends replace tags; but an invalid byte becomes the three bytes of U+FFFD.
	 */
	buf_init(&t.b, a, html.n * 3 + 16);
	add_node(&t, root, 0);
	arena_reset(scratch);
	return buf_view(&t.b);
}
