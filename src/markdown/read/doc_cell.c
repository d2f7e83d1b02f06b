/*
 * Blocks among inlines: in cells of pipe tables, and in paragraphs with block tags. For cmark a
 * cell is one line of inlines. The published service writes paragraphs and lists in a cell as HTML
 * in that line:
 *
 *   | <p>one **bold**</p><p>two</p> | <ul><li>a</li><li>b</li></ul> |
 *
 * The tags divide the inlines into paragraphs, and open and close containers; the text between them
 * stays Markdown. Tags inside emphasis or links stay inlines.
 */
#include <ctype.h>
#include <strings.h>

#include "../doc_parse.h"

/*
 * Limit of the source bytes that figures and code of one cell may take together. A byte needs at
 * most five (an entity for a character); the rest allows for elements that turn out to be no
 * blocks.
 */
enum { MAX_OPEN = 16, ELEMENTS_TIMES = 8, ELEMENTS_LEAST = 4096 };

/* open[0] is the cell and is never closed. Open containers are not in the tree yet: close_one() adds them. */
struct cell {
	struct conv     *c;
	struct doc_node *open[MAX_OPEN];   /* open containers, outermost first: the cell, lists, items, quotes */
	size_t           depth;            /* index of the innermost */
	enum doc_type    type;             /* type of the block for the following text */
	const char      *align;            /* its alignment */
	int              level;            /* its level, if it is a heading */
	cmark_node      *from;             /* first inline that is in no block yet */
	unsigned         below;            /* nesting level of the cell's content */
	bool             keeps;            /* keep the tags of boxes as raw blocks that show nothing; false in cells, which have no such blocks */
	size_t           left;             /* source bytes that elements may still take */
	cmark_node      *link;             /* <a> opened in an earlier block; NULL: none */
};

/* Lower-case name of an inline HTML tag; "" for anything else. */
static const char *
tag_name(cmark_node *n, char name[16], bool *closing)
{
	struct str s = md_literal(n), content;
	size_t i = 1, k = 0;

	name[0] = '\0';
	if (cmark_node_get_type(n) != CMARK_NODE_HTML_INLINE || md_custom(n, &content) != '\0' || s.n < 3)
		return name;
	*closing = s.p[1] == '/';
	for (i += *closing; i < s.n && k < 15 && isalnum((unsigned char)s.p[i]); i++)
		name[k++] = (char)tolower((unsigned char)s.p[i]);
	name[i < s.n && strchr(" \t/>", s.p[i]) != NULL ? k : 0] = '\0';
	return name;
}

static bool
is_list(const struct doc_node *n)
{
	return n->type == DOC_LIST_UNORDERED || n->type == DOC_LIST_ORDERED;
}

/* The schema allows no empty items or quotes. */
static void
fill_item(struct cell *x, struct doc_node *n)
{
	if (n->child == NULL && (n->type == DOC_LIST_ITEM || n->type == DOC_BLOCKQUOTE))
		doc_append(n, doc_node(x->c->a, DOC_PARAGRAPH));
}

static void
close_one(struct cell *x)
{
	struct doc_node *n = x->open[x->depth--];

	fill_item(x, n);
	/* An empty list is dropped; only at its end it is known to be empty. */
	if (n->type == DOC_LIST_ITEM || n->child != NULL)
		doc_append(x->open[x->depth], n);
}

/*
 * Opens a container. False: nested too deeply; the content then goes into the container that is
 * open, so nothing is lost.
 */
static bool
open_one(struct cell *x, enum doc_type type)
{
	if (x->depth + 1 == MAX_OPEN)
		return false;
	x->open[++x->depth] = doc_node(x->c->a, type);
	return true;
}

/* Text and blocks must be in an item, not directly in a list. */
static void
leave_list(struct cell *x)
{
	if (is_list(x->open[x->depth]) && !open_one(x, DOC_LIST_ITEM))
		close_one(x);
}

/* Records the <a> that is still open after these inlines. */
static void
record_open_link(struct cell *x, cmark_node *first, cmark_node *stop)
{
	bool closing = false;
	char name[16];

	for (; first != stop; first = cmark_node_next(first))
		if (strcmp(tag_name(first, name, &closing), "a") == 0)
			x->link = closing ? NULL : first;
}

/* Convert the inlines from first on into n, within the link that an earlier block opened. */
static void
convert_linked_inlines(struct cell *x, cmark_node *first, cmark_node *stop, struct doc_node *n)
{
	struct conv *c = x->c;
	const GumboNode *root = x->link == NULL || c->wrap_count == MAX_WRAPS ? NULL : html_open(c, md_literal(x->link));
	bool wraps = root != NULL && root->v.element.children.length > 0;

	if (wraps)
		c->wraps[c->wrap_count++] = root->v.element.children.data[0];
	inline_nodes(c, first, stop, n);
	c->wrap_count -= wraps;
	if (root != NULL)
		html_close(c);
	record_open_link(x, first, stop);
}

/* Make a block of the inlines so far. */
static void
flush_inlines(struct cell *x, cmark_node *first, cmark_node *stop)
{
	struct doc_node *n = doc_node(x->c->a, x->type);

	while (first != stop && cmark_node_get_type(first) == CMARK_NODE_SOFTBREAK)
		first = cmark_node_next(first);
	if (first == stop)
		return;
	convert_linked_inlines(x, first, stop, n);
	inline_trim(n);
	if (n->child == NULL)
		return;
	/* Add an item only if there is text, because the blanks between </li> and <li> make no item. */
	leave_list(x);
	if (x->align != NULL && doc_in_set("start,center,end", x->align))
		doc_set_str(x->c->a, n, "align", x->align);
	/* Levels 5 and 6 are a heading-3 with a level attribute (doc_low_heading()). */
	if (x->type != DOC_PARAGRAPH && x->level > 4)
		doc_set_num(x->c->a, n, "level", x->level);
	doc_append(x->open[x->depth], n);
}

/*
 * Alignment as "start", "end" or the attribute's own text; NULL: none. flush_inlines() drops
 * invalid ones.
 */
static const char *
align_of(struct conv *c, cmark_node *n)
{
	const GumboNode *root = html_open(c, md_literal(n));
	const char *align = NULL;

	if (root != NULL && root->v.element.children.length > 0)
		align = html_attr(root->v.element.children.data[0], "align");
	align = align == NULL ? NULL : strcmp(align, "left") == 0 ? "start" : strcmp(align, "right") == 0 ? "end"
	    : arena_strdup(c->a, align);
	if (root != NULL)
		html_close(c);
	return align;
}

/* Sets type, level and alignment of the block for the text after this tag. */
static void
begin_text_block(struct cell *x, cmark_node *n, const char *name, bool closing)
{
	x->level = !closing && name[0] == 'h' ? name[1] - '0' : 0;
	x->type = x->level == 0 ? DOC_PARAGRAPH : x->level <= 2 ? DOC_HEADING_1 : x->level == 3 ? DOC_HEADING_2
	    : DOC_HEADING_3;
	x->align = closing ? NULL : align_of(x->c, n);
}

/* Close containers up to the innermost of that type; nothing if none is open. */
static void
close_containers(struct cell *x, enum doc_type type)
{
	size_t i = x->depth;

	/* Ignore an end tag without a start. */
	while (i > 0 && x->open[i]->type != type)
		i--;
	while (i > 0 && x->depth >= i)
		close_one(x);
}

/* <li> closes an open item of its list, but not the item around the list. */
static void
open_item(struct cell *x)
{
	if (x->open[x->depth]->type == DOC_LIST_ITEM)
		close_one(x);
	if (!is_list(x->open[x->depth]) && !open_one(x, DOC_LIST_UNORDERED))
		return;
	open_one(x, DOC_LIST_ITEM);
}

static void
enter_container(struct cell *x, const char *name, bool closing)
{
	enum doc_type type = strcmp(name, "ul") == 0 ? DOC_LIST_UNORDERED : strcmp(name, "ol") == 0 ? DOC_LIST_ORDERED
	    : strcmp(name, "li") == 0 ? DOC_LIST_ITEM : DOC_BLOCKQUOTE;

	if (closing)
		close_containers(x, type);
	else if (type == DOC_LIST_ITEM)
		open_item(x);
	else {
		leave_list(x);
		open_one(x, type);
	}
}

/* Append text escaped for HTML. */
static void
put_escaped(struct buf *out, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '<' || s.p[i] == '&')
			buf_str(out, s.p[i] == '<' ? "&lt;" : "&amp;");
		else
			buf_char(out, s.p[i]);
}

/*
 * Source of the element that begins at first, and its last node; false if it does not end within
 * `most` bytes or contains Markdown.
 */
static bool
element_source(cmark_node *first, const char *name, size_t most, struct buf *out, cmark_node **last)
{
	char end[16] = "";
	bool closing = false;
	cmark_node *n;

	for (n = first; n != NULL && out->n <= most; n = cmark_node_next(n)) {
		if (cmark_node_get_type(n) == CMARK_NODE_TEXT) {
			put_escaped(out, md_literal(n));
			continue;
		}
		/* Emphasis, links and code have no HTML source. */
		if (*tag_name(n, end, &closing) == '\0')
			return false;
		buf_put(out, md_literal(n));
		*last = n;
		if (closing && strcmp(end, name) == 0)
			return true;
	}
	return false;
}

/*
 * Reads a figure or code as HTML, and adds its blocks to the cell. False: it must be read as
 * Markdown.
 */
static bool
take_element(struct cell *x, cmark_node *first, const char *name, cmark_node **last)
{
	const GumboNode *root;
	struct buf source;
	bool whole, taken;

	buf_init(&source, x->c->a, (size_t)1 << 28);
	whole = element_source(first, name, x->left, &source, last);
	/* Count the bytes: unclosed and nested elements would be copied again and again. */
	x->left -= source.n < x->left ? source.n : x->left;
	if (!whole || (root = html_open(x->c, buf_view(&source))) == NULL)
		return false;
	if ((taken = root->v.element.children.length > 0 && html_is_block(root->v.element.children.data[0]))) {
		leave_list(x);
		html_blocks(x->c, &root->v.element.children, x->open[x->depth], x->below + (unsigned)x->depth);
	}
	html_close(x->c);
	return taken;
}

/* Keeps the tag of a box (doc_parse.h) as a raw block that shows nothing. */
static void
keep_box_tag(struct cell *x, cmark_node *n)
{
	struct str raw = md_literal(n);
	struct doc_node *p;

	if (!x->keeps || x->depth > 0 || !raw_round_trips(x->c, raw))
		return;
	p = doc_node(x->c->a, DOC_PARAGRAPH);
	doc_raw(x->c->a, p, raw, html_visible(x->c->a, raw));
	doc_append(x->open[0], p);
}

/* Handles a tag that begins or ends a block; returns the next node to handle. */
static cmark_node *
take_tag(struct cell *x, cmark_node *n)
{
	enum html_class class;
	cmark_node *last = n;
	bool closing = false;
	char name[16];

	class = html_class(str_of(tag_name(n, name, &closing)));
	if ((!html_parts_text(class) && strcmp(name, "hr") != 0) || doc_in_set("picture,video,audio,iframe", name))
		return cmark_node_next(n);
	flush_inlines(x, x->from, n);
	x->from = cmark_node_next(n);
	if (doc_in_set("p,h1,h2,h3,h4,h5,h6", name) || class == HTML_BOX) {
		begin_text_block(x, n, name, closing);
		if (class == HTML_BOX)
			keep_box_tag(x, n);
		return x->from;
	}
	begin_text_block(x, n, "p", true);
	if (doc_in_set("ul,ol,li,blockquote", name))
		enter_container(x, name, closing);
	else if (strcmp(name, "hr") == 0) {
		leave_list(x);
		doc_append(x->open[x->depth], doc_node(x->c->a, DOC_DIVIDER));
	} else if (!closing && take_element(x, n, name, &last))
		x->from = cmark_node_next(last);
	else
		keep_box_tag(x, n);
	return cmark_node_next(last);
}

static void
read_blocks(struct cell *x, cmark_node *first)
{
	cmark_node *n;

	for (n = first; n != NULL; n = cmark_node_next(n))
		x->left += md_literal(n).n * ELEMENTS_TIMES;
	n = first;
	while (n != NULL)
		n = take_tag(x, n);
	flush_inlines(x, x->from, NULL);
	while (x->depth > 0)
		close_one(x);
}

void
cell_blocks(struct conv *c, cmark_node *first, struct doc_node *into)
{
	/* Two levels below the table: the fragment, and its blocks. */
	struct cell x = { .c = c, .open = { into }, .type = DOC_PARAGRAPH, .from = first, .left = ELEMENTS_LEAST, .below = 2 };

	read_blocks(&x, first);
}

/* True if there is a block tag among the inlines. */
static bool
holds_blocks(cmark_node *n)
{
	bool closing = false;
	char name[16];

	for (; n != NULL; n = cmark_node_next(n))
		if (html_parts_text(html_class(str_of(tag_name(n, name, &closing)))) &&
		    !doc_in_set("picture,video,audio,iframe", name))
			return true;
	return false;
}

/* Source of inlines that are only text and HTML tags; false if there is Markdown among them. */
static bool
html_source(cmark_node *n, struct buf *out)
{
	struct str content;

	for (; n != NULL; n = cmark_node_next(n))
		switch (cmark_node_get_type(n)) {
		case CMARK_NODE_TEXT:
			put_escaped(out, md_literal(n));
			break;
		case CMARK_NODE_SOFTBREAK:
			buf_char(out, '\n');
			break;
		case CMARK_NODE_HTML_INLINE:
			if (md_custom(n, &content) != '\0')
				return false;
			buf_put(out, md_literal(n));
			break;
		default:
			return false;
		}
	return true;
}

/* True if the text begins with a video or the like, whose tag begins no HTML block. */
static bool
is_media(cmark_node *n)
{
	bool closing = false;
	char name[16];

	return doc_in_set("video,audio", tag_name(n, name, &closing)) && !closing;
}

bool
paragraph_blocks(struct stream *st, cmark_node *first, size_t line)
{
	struct cell x = { .c = st->c, .type = DOC_PARAGRAPH, .from = first, .left = ELEMENTS_LEAST,
	    .below = st->top->level + 1, .keeps = !st->c->in_html };
	struct doc_node *n, *next;
	struct buf source;

	/* Nothing to convert; or blocks that are nested in the paragraph (at most MAX_OPEN) could become too deep. */
	if (first == NULL || st->top->level + MAX_OPEN + 4 > DOC_DEPTH || (!holds_blocks(first) && !is_media(first)))
		return false;
	buf_init(&source, st->c->a, (size_t)1 << 28);
	if (html_source(first, &source)) {
		stream_elements(st, buf_view(&source), line);
		return true;
	}
	if (!holds_blocks(first))
		return false;
	x.open[0] = doc_node(st->c->a, DOC_FRAGMENT);
	read_blocks(&x, first);
	for (n = x.open[0]->child; n != NULL; n = next) {
		next = n->next;
		stream_add(st, n);
	}
	return true;
}
