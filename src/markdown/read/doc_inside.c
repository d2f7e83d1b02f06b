/*
 * What stands inside an HTML element: HTML, or Markdown where a blank line ends
 * the HTML block in its midst (CommonMark 4.6) and the writer went on in
 * Markdown, as people do in table cells and list items.
 */
#include "../doc_parse.h"

/* The source between the element's tags; empty where it has no end tag. */
static struct str
inner_source(const GumboNode *e)
{
	const GumboStringPiece *open = &e->v.element.original_tag, *end = &e->v.element.original_end_tag;
	const char *from = open->data + open->length;

	/*
	 * Elements that the parser made up have no tags; an element that is closed by a tag
	 * further out can have one that lies before its own content.
	 */
	if (open->length == 0 || end->length == 0 || end->data < from)
		return STR("");
	return (struct str){ from, (size_t)(end->data - from) };
}

/* Bytes of the line that s begins with, its line feed included. */
static size_t
line_length(struct str s)
{
	const char *end = memchr(s.p, '\n', s.n);

	return end == NULL ? s.n : (size_t)(end - s.p) + 1;
}

static size_t
indent_width(struct str line)
{
	size_t n = 0;

	while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
		n++;
	return n;
}

/* Is there a line of blanks between two that hold something? */
static bool
has_blank_line(struct str s)
{
	bool text = false, blank = false;
	size_t n;

	/* The rest of the line on which the element begins is not a line of its own. */
	s = str_slice(s, str_trim(str_slice(s, 0, line_length(s))).n == 0 ? line_length(s) : 0, s.n);
	for (; s.n > 0; s = str_slice(s, n, s.n)) {
		n = line_length(s);
		if (str_trim(str_slice(s, 0, n)).n == 0)
			/* The indentation of the end tag is no line. */
			blank = blank || s.p[n - 1] == '\n';
		else if (blank)
			return true;
		else
			text = true;
	}
	return blank && text;
}

/* The source without what its lines are indented by in common, lest it be taken for code. */
static struct str
remove_indent(struct arena *a, struct str s)
{
	size_t least = SIZE_MAX, n, k;
	struct str rest, line;
	struct buf out;

	/*
	 * The first line does not count: it goes on behind the start tag and has no indentation
	 * of its own.
	 */
	for (rest = s; rest.n > 0; rest = str_slice(rest, n, rest.n)) {
		n = line_length(rest);
		line = str_slice(rest, 0, n);
		k = indent_width(line);
		if (str_trim(line).n > 0 && k < least && rest.p != s.p)
			least = k;
	}
	buf_init(&out, a, s.n + 1);
	for (rest = s; rest.n > 0; rest = str_slice(rest, n, rest.n)) {
		n = line_length(rest);
		line = str_slice(rest, 0, n);
		k = indent_width(line);
		buf_put(&out, str_slice(line, k < least ? k : least, line.n));
	}
	return buf_view(&out);
}

static void take_blocks(struct conv *c, struct doc_node *first, struct doc_node *into);

/* A link to what a block shows, by its address; NULL: it has none. */
static struct doc_node *
link_to(struct conv *c, const struct doc_node *n)
{
	const char *url = doc_attr_str(n, "url");
	struct doc_node *link;

	if (url == NULL && doc_attr(n, "ref") != NULL)
		url = doc_attr(n, "ref")->v.target->spelling;
	if (url == NULL || *url == '\0')
		return NULL;
	link = doc_node(c->a, DOC_LINK);
	doc_set_ref(c->a, link, "ref", conv_target(c, str_of(url), USE_LINK));
	doc_text(c->a, link, str_of(url), 0);
	return link;
}

/* What HTML has no element for: the blocks in it, or its text. */
static void
take_apart(struct conv *c, struct doc_node *n, struct doc_node *into)
{
	struct doc_node *p = doc_node(c->a, DOC_PARAGRAPH), *link;

	conv_warn(c, c->line, "a block of type %s cannot stand in a table or list of HTML; what it holds is shown",
	    doc_kinds[n->type].name);
	if (n->child != NULL && doc_kinds[n->child->type].class == CLASS_BLOCK) {
		take_blocks(c, n->child, into);
		return;
	}
	if ((link = link_to(c, n)) != NULL)
		doc_append(p, link);
	else
		doc_text(c->a, p, str_of(doc_plain_of(c->a, n)), 0);
	if (p->child != NULL)
		doc_append(into, p);
}

/* Moves blocks into their place, as doc_write_table.c can write them there: cells are written as HTML. */
static void
take_blocks(struct conv *c, struct doc_node *first, struct doc_node *into)
{
	struct doc_node *n, *next, *children;

	for (n = first; n != NULL; n = next) {
		next = n->next;
		children = n->child;
		switch (n->type) {
		case DOC_LIST_TASKS:
			/*
			 * HTML has no task list in this dialect; the state of the box goes with
			 * the item's attributes.
			 */
			n->type = DOC_LIST_UNORDERED;
			/* fall through */
		case DOC_LIST_ORDERED: case DOC_LIST_UNORDERED: case DOC_LIST_ITEM: case DOC_BLOCKQUOTE: case DOC_HINT:
			if (n->type == DOC_LIST_ITEM)
				n->attrs = NULL;
			/*
			 * The children were taken off first: take_blocks() puts back what may
			 * stand there, in order.
			 */
			n->child = n->last = NULL;
			take_blocks(c, children, n);
			doc_append(into, n);
			break;
		case DOC_PARAGRAPH: case DOC_HEADING_1: case DOC_HEADING_2: case DOC_HEADING_3:
		case DOC_CODE: case DOC_DIVIDER: case DOC_IMAGES: case DOC_TABLE: case DOC_EXPANDABLE:
			doc_append(into, n);
			break;
		default:
			take_apart(c, n, into);
		}
	}
	/* A list item, a quote or a hint may not be empty; the fragment of a cell may. */
	if (into->child == NULL && into->type != DOC_FRAGMENT)
		doc_append(into, doc_node(c->a, DOC_PARAGRAPH));
}

static bool
parse_inside(struct conv *c, struct str s, struct doc_node *into, unsigned level)
{
	struct doc_node *found = doc_node(c->a, DOC_FRAGMENT);
	struct source *src = arena_alloc(c->a, sizeof(*src));
	cmark_node *root;

	/* Lines are counted from the element's own, which is as near as gumbo's text allows. */
	root = md_read(c, src, remove_indent(c->a, s), c->line > 0 ? c->line - 1 : 0);
	c->steps->blocks(c, src, root, found, level, NULL);
	take_blocks(c, found->child, into);
	return into->child != NULL;
}

/*
 * False: nothing was added. Without a blank line inside, CommonMark too reads HTML to its end,
 * so that the element's children are converted instead of its source.
 */
bool
html_inside(struct conv *c, const GumboNode *e, struct doc_node *into, unsigned level)
{
	struct str s = inner_source(e);
	size_t line = c->line;
	bool done = false, in_html = c->in_html;
	const char *align = c->align;

	/* The alignment of a box is one of its paragraphs, not of lists and tables in it. */
	c->align = NULL;
	c->in_html = true;
	if (c->nested < MAX_NESTED && level + 4 <= DOC_DEPTH && has_blank_line(s)) {
		c->nested++;
		done = parse_inside(c, s, into, level);
		c->nested--;
		/*
		 * The inner parse set it to its own lines; warnings that follow are about the
		 * element again.
		 */
		c->line = line;
	}
	done = done || html_blocks(c, &e->v.element.children, into, level);
	c->in_html = in_html;
	c->align = align;
	return done;
}
