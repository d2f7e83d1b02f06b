/* The words of a piece of HTML, by Gumbo, the HTML parser of documents as well. Contract: markdown/html_text.h. */
#include <ctype.h>

#include "../doc_parse.h"
#include "markdown/html_text.h"

/* Elements, by what becomes of what is in them. */
static const char left_out[] = "script,style,blockquote,pre,head,title,template,noscript,svg,select,textarea,object,iframe";
static const char own_line[] = "br,div,li,tr,dt,dd,section,article,header,footer,ul,ol,dl,table,form,hr,main,aside";
static const char paragraph[] = "p,h1,h2,h3,h4,h5,h6";
/* Those whose name tells HTML from a text with angle brackets. */
static const char telling[] = "p,div,br,span,b,i,strong,em,a,ul,ol,li,html,body,table,td,tr,h1,h2,h3,h4,blockquote,img,pre,font,head,style,script,section";

/* Lower case, cut at max - 1 bytes; 0: no name stands there. */
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

/* Does a start or end tag of one of the elements stand in the text? */
static bool
holds_tag(struct str s, const char *set)
{
	char name[16];
	size_t i, at, n;

	for (i = 0; i + 2 < s.n; i++) {
		if (s.p[i] != '<')
			continue;
		at = i + 1 + (s.p[i + 1] == '/');
		n = name_at(s, at, name, sizeof(name));
		/* The name must end there: "<bob@example.com>" and "<i=0>" are no elements. */
		if (n > 0 && at + n < s.n && memchr(" />\t\n\r", s.p[at + n], 6) != NULL && doc_in_set(set, name))
			return true;
	}
	return false;
}

bool
html_looks(struct str text)
{
	return holds_tag(text, telling);
}

/* Does an element in it end lines? */
static bool
has_blocks(struct str html)
{
	return holds_tag(html, own_line) || holds_tag(html, paragraph);
}

/* Without tags, for what gumbo is not asked to read. */
static struct str
without_tags(struct arena *a, struct str s)
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

/* Mails carry preview lines and tracking texts that no reader sees. */
static bool
is_hidden(const GumboNode *n)
{
	const char *style = html_attr(n, "style");

	return style != NULL && (strstr(style, "display:none") != NULL || strstr(style, "display: none") != NULL);
}

/* Names of 16 bytes and more are cut, and are in no set. */
static bool
is_one(const GumboNode *n, const char *set)
{
	char name[16];

	return name_at(html_name(n), 0, name, sizeof(name)) > 0 && doc_in_set(set, name);
}

/* Ends the line under way, and puts an empty one where a paragraph ends. */
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

/* Appended to by add_node() in the order of the source. */
struct text {
	struct buf b;
	bool       lines;    /* those of the source are lines: nothing in it ends any */
};

/* Runs of blanks are one, as a browser shows them. */
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

/* Text and white space are leaves; comments and the like add nothing. */
static void
add_node(struct text *t, const GumboNode *n, unsigned depth)
{
	const GumboVector *list;
	bool block, par;
	unsigned i;

	if (n->type == GUMBO_NODE_TEXT || n->type == GUMBO_NODE_WHITESPACE)
		add_text(t, n->v.text.text);
	/* The recursion is bounded; what lies deeper is left out. */
	if (n->type != GUMBO_NODE_ELEMENT || depth > DOC_DEPTH * 4 || is_hidden(n))
		return;
	/* A quotation is what somebody else wrote before: only that there was one is told. */
	if (is_one(n, "blockquote")) {
		end_line(&t->b, false);
		buf_str(&t->b, ">\n");
	}
	if (is_one(n, left_out))
		return;
	/* Its end puts an empty line, and so does its beginning. */
	par = is_one(n, paragraph);
	block = par || is_one(n, own_line);
	if (block)
		end_line(&t->b, par);
	list = &n->v.element.children;
	for (i = 0; i < list->length; i++)
		add_node(t, list->data[i], depth + 1);
	if (block)
		end_line(&t->b, par);
}

/* The tree is in scratch memory, which goes back at the end; the result is in a. */
struct str
html_text(struct arena *a, struct str html)
{
	struct arena *scratch = arena_within(a, (size_t)4 << 30);
	const GumboNode *root = html_parse(scratch, html);
	/* Decided for the whole: an answer typed as plain text with one <b> in it keeps its lines. */
	struct text t = { .lines = !has_blocks(html) };

	/* Nested too deep, or too many attributes in one tag (doc_cost.c). */
	if (root == NULL)
		return without_tags(a, html);
	/* Entities never grow: the shortest, &lt, is longer than what it stands for; lines end at tags. */
	buf_init(&t.b, a, html.n * 2 + 16);
	add_node(&t, root, 0);
	arena_reset(scratch);
	return buf_view(&t.b);
}
