/*
 * Content of an HTML element: HTML, or Markdown if it contains a blank line. A blank line ends the
 * HTML block in CommonMark (4.6), and people then continue in Markdown, for example in table cells
 * and list items.
 */
#include "../doc_parse.h"

/* Source between the element's tags; empty without an end tag. */
static struct str
inner_source(const GumboNode *e)
{
	const GumboStringPiece *open = &e->v.element.original_tag, *end = &e->v.element.original_end_tag;
	const char *from = open->data + open->length;

	/*
	 * Elements that the parser added have no tags. An element that an outer end tag closes may
	 * have an "end tag" before its own content.
	 */
	if (open->length == 0 || end->length == 0 || end->data < from)
		return STR("");
	return (struct str){ from, (size_t)(end->data - from) };
}

/* Length of the first line with its line feed. */
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

/* True if there is a blank line between two others. */
static bool
has_blank_line(struct str s)
{
	bool text = false, blank = false;
	size_t n;

	/* If nothing follows the start tag on its line, that rest is not a blank line. */
	s = str_slice(s, str_trim(str_slice(s, 0, line_length(s))).n == 0 ? line_length(s) : 0, s.n);
	for (; s.n > 0; s = str_slice(s, n, s.n)) {
		n = line_length(s);
		if (str_trim(str_slice(s, 0, n)).n == 0)
			/* The indentation of the end tag does not count as a line. */
			blank = blank || s.p[n - 1] == '\n';
		else if (blank)
			return true;
		else
			text = true;
	}
	return blank && text;
}

/* Remove the common indentation, which would make the text code. */
static struct str
remove_indent(struct arena *a, struct str s)
{
	size_t least = SIZE_MAX, n, k;
	struct str rest, line;
	struct buf out;

	/* Ignore the first line, which follows the start tag. */
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

static void move_blocks_to_cell(struct conv *c, struct doc_node *first, struct doc_node *into);

/* A link to the target of a block, with its address as text; NULL: the block has none. */
static struct doc_node *
make_target_link(struct conv *c, const struct doc_node *n)
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

/* Replaces a block that HTML cannot express by the blocks in it, or by its text. */
static void
replace_by_content(struct conv *c, struct doc_node *n, struct doc_node *into)
{
	struct doc_node *p = doc_node(c->a, DOC_PARAGRAPH), *link;

	conv_warn(c, c->line, "a block of type %s is not possible in a table or list of HTML; only its content is shown",
	    doc_kinds[n->type].name);
	if (n->child != NULL && doc_kinds[n->child->type].class == CLASS_BLOCK) {
		move_blocks_to_cell(c, n->child, into);
		return;
	}
	if ((link = make_target_link(c, n)) != NULL)
		doc_append(p, link);
	else
		doc_text(c->a, p, str_of(doc_plain_of(c->a, n)), 0);
	if (p->child != NULL)
		doc_append(into, p);
}

/*
 * Moves blocks into a node whose content is written as HTML. Blocks that doc_write_table.c cannot
 * write as HTML are replaced.
 */
static void
move_blocks_to_cell(struct conv *c, struct doc_node *first, struct doc_node *into)
{
	struct doc_node *n, *next, *children;

	for (n = first; n != NULL; n = next) {
		next = n->next;
		children = n->child;
		switch (n->type) {
		case DOC_LIST_TASKS: case DOC_LIST_ORDERED: case DOC_LIST_UNORDERED: case DOC_LIST_ITEM: case DOC_BLOCKQUOTE:
		case DOC_HINT:
			/*
			 * Detach the children; move_blocks_to_cell() puts back those that are allowed, in
			 * order.
			 */
			n->child = n->last = NULL;
			move_blocks_to_cell(c, children, n);
			doc_append(into, n);
			break;
		case DOC_PARAGRAPH: case DOC_HEADING_1: case DOC_HEADING_2: case DOC_HEADING_3:
		case DOC_CODE: case DOC_DIVIDER: case DOC_IMAGES: case DOC_TABLE: case DOC_EXPANDABLE:
			doc_append(into, n);
			break;
		default:
			replace_by_content(c, n, into);
		}
	}
	/* Items, quotes and hints must not be empty; a cell's fragment may. */
	if (into->child == NULL && into->type != DOC_FRAGMENT)
		doc_append(into, doc_node(c->a, DOC_PARAGRAPH));
}

static bool
parse_inside(struct conv *c, struct str s, struct doc_node *into, unsigned level)
{
	struct doc_node *found = doc_node(c->a, DOC_FRAGMENT);
	struct source *src = arena_alloc(c->a, sizeof(*src));
	cmark_node *root;

	/* Lines are counted from the element's own, which is as exact as gumbo allows. */
	root = md_read(c, src, remove_indent(c->a, s), c->line > 0 ? c->line - 1 : 0);
	c->steps->blocks(c, src, root, found, level, NULL);
	move_blocks_to_cell(c, found->child, into);
	return into->child != NULL;
}

/*
 * False: nothing was added. Without a blank line CommonMark reads all of it as HTML, too, so the
 * element's children are converted instead of its source.
 */
bool
html_inside(struct conv *c, const GumboNode *e, struct doc_node *into, unsigned level)
{
	struct str s = inner_source(e);
	size_t line = c->line;
	bool done = false, in_html = c->in_html;
	const char *align = c->align;

	/* The alignment of this element applies to its paragraphs, not to lists and tables in it. */
	c->align = NULL;
	c->in_html = true;
	if (c->nested < MAX_NESTED && level + 4 <= DOC_DEPTH && has_blank_line(s)) {
		c->nested++;
		done = parse_inside(c, s, into, level);
		c->nested--;
		/*
		 * Restore the line, which the inner parse has changed, for warnings about the
		 * element.
		 */
		c->line = line;
	}
	done = done || html_blocks(c, &e->v.element.children, into, level);
	c->in_html = in_html;
	c->align = align;
	return done;
}
