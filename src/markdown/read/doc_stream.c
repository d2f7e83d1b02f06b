/*
 * HTML blocks among their siblings. cmark ends most HTML blocks at a blank line. So one element may
 * be spread over several siblings, and one block may contain more than HTML:
 *
 *   <details>, <summary>  open and close frames, like tags of the dialect
 *   tags of the dialect   are recognised in the lines of an HTML block, too
 *   boxes                 <div>, <section>, <center>: their tags become raw blocks that show
 *                         nothing, and what is between them are blocks like all others
 *   <table> and others    if their end is missing, the following siblings are added up to it
 *   comments, scripts     stay raw
 *   the rest              is parsed by gumbo and converted (doc_element.c)
 *
 * So no word, link or picture depends on where a box ends, and a box is written back with all
 * attributes of its tags.
 */
#include <ctype.h>
#include <limits.h>
#include <strings.h>

#include "../doc_parse.h"
#include "doc_scan.h"

/*
 * MAX_FAILURES: searches for an end that may fail, each linear in the rest of the text. MAX_ENDS:
 * ends that are tried, since elements of the same name nest. NEAR: open boxes with which an end tag
 * is compared.
 */
enum { MAX_FAILURES = 16, MAX_ENDS = 8, NEAR = 64 };

/* An HTML block that is being read; everything before `from` is done. */
struct walk {
	struct stream   *st;
	struct str       s;
	struct html_tag *tags;
	size_t           count, k;   /* tags, and the index of the next */
	size_t           from;
	size_t           line;       /* line of the block, also used for its pieces */
	unsigned         boxes;      /* boxes opened in this block and still open */
};

/* ---- boxes ---- */

/* Alignment that a box's start tag sets or inherits. */
static const char *
align_of(struct stream *st, struct str tag, struct str name)
{
	const struct box *up = current_box(st);
	const GumboNode *root = NULL;
	const char *align = NULL;

	if ((str_find(tag, "align").p != NULL || str_is_nocase(name, "center")) &&
	    (root = html_open(st->c, tag)) != NULL) {
		if (root->v.element.children.length > 0)
			align = html_align(root->v.element.children.data[0]);
		html_close(st->c);
	}
	return align != NULL || up == NULL ? align : up->align;
}

static void
open_box(struct stream *st, struct str tag, struct str name)
{
	struct box *b = arena_alloc(st->c->a, sizeof(*b));

	b->align = align_of(st, tag, name);
	b->up = current_box(st);
	b->frame = st->top;
	b->name = name;
	st->box = b;
}

/* Ignore an end tag without a start. */
static void
close_box(struct stream *st, struct str name)
{
	struct box *b = current_box(st);

	for (size_t i = 0; b != NULL && i < NEAR; b = b->up, i++)
		if (b->name.n == name.n && strncasecmp(b->name.p, name.p, name.n) == 0) {
			st->box = b->up;
			return;
		}
}

/*
 * Adds a tag without its content as a raw block that shows nothing. Inside a node that is written
 * as HTML the tag is dropped, since it could not be written back there.
 */
static void
keep_tag_alone(struct stream *st, struct str tag)
{
	struct doc_node *p;

	if (st->c->in_html)
		return;
	/* A single-line tag that begins an HTML block surely reads as raw: no check needed. */
	if (!html_begins_block(tag) || memchr(tag.p, '\n', tag.n) != NULL) {
		stream_raw(st, tag);
		return;
	}
	p = doc_node(st->c->a, DOC_PARAGRAPH);
	doc_raw(st->c->a, p, tag, STR(""));
	stream_add(st, p);
}

/* ---- frames ---- */

/* The body is the frame's node; the title is an empty paragraph until a <summary> fills it. */
static void
open_details(struct stream *st, struct str tag, size_t line)
{
	struct doc_node *n = doc_node(st->c->a, DOC_EXPANDABLE), *body;
	struct doc_node *before = st->top->node->last, *owner = st->top->node;
	const GumboNode *root;
	const GumboVector *v;
	struct frame *f;

	if (st->top->level + 6 > DOC_DEPTH || (root = html_open(st->c, tag)) == NULL) {
		stream_raw(st, tag);
		return;
	}
	v = &root->v.element.children;
	/* Only the tag is parsed: gumbo makes an element of it although the end is missing. */
	if (v->length > 0 && html_attr(v->data[0], "open") != NULL)
		doc_set_bool(st->c->a, n, "defaultExpanded", true);
	html_close(st->c);
	doc_append(doc_fragment(st->c->a, n, "expandable-title"), doc_node(st->c->a, DOC_PARAGRAPH));
	body = doc_fragment(st->c->a, n, "expandable-body");
	stream_add(st, n);
	f = frame_push(st, body, "details", line);
	f->owner = owner;
	f->before = before;
}

/*
 * Take <summary>...</summary> as the title of the innermost <details>; false if it is not its
 * first.
 */
static bool
take_summary(struct stream *st, struct str s)
{
	struct frame *f = frame_find(st, "details");
	struct doc_node *n = f == NULL ? NULL : f->owner->last, *title;
	const GumboNode *body;

	if (n == NULL || n->type != DOC_EXPANDABLE)
		return false;
	title = n->frags->child;
	/* A second <summary> is ordinary text. */
	if (title->child != NULL || (body = html_open(st->c, s)) == NULL)
		return false;
	html_title(st->c, body, title);
	html_close(st->c);
	return true;
}

/* ---- elements that blank lines divide ---- */

/*
 * For elements that may contain blank lines, so that their end is searched in the following
 * siblings: an element that they must contain. NULL for others.
 */
static const char *
required_content(struct str tag, struct str name)
{
	static const char *const names[][2] = { { "table", "<t" }, { "figure", "<img" }, { "ul", "<li" }, { "ol", "<li" },
		{ "blockquote", "" } };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (str_is_nocase(name, names[i][0]))
			return names[i][1];
	return str_starts(tag, "<div data-gb-custom-block") ? "" : NULL;
}

/* True if s contains the whole element that it begins with, and what that must contain. */
static bool
is_whole(struct conv *c, struct str s, const char *holds)
{
	size_t count;
	struct html_tag *tags = html_scan(c->a, s, &count);

	return count > 0 && html_is_whole(tags, 0) &&
	    html_find_end(str_slice(s, tags[0].to, tags[tags[0].match].from), 0, holds) + (*holds == '\0') > 0;
}

/* The first sibling that is not taken; *to is where its line begins. */
static cmark_node *
first_sibling_after(struct source *src, cmark_node *n, size_t end, size_t *to)
{
	/* The sibling that contains the end is taken as a whole, with the text after the end. */
	while (n != NULL && (cmark_node_get_start_line(n) <= 0 ||
	    src->starts[cmark_node_get_start_line(n) - 1] < end))
		n = cmark_node_next(n);
	if (n != NULL)
		*to = src->starts[cmark_node_get_start_line(n) - 1];
	return n;
}

/* End of the enclosing container: an end tag after it belongs to another element. */
static size_t
container_end(struct source *src, cmark_node *n)
{
	cmark_node *parent = cmark_node_parent(n);
	size_t line = parent == NULL ? 0 : (size_t)cmark_node_get_end_line(parent);

	return line == 0 || line > src->lines || cmark_node_parent(parent) == NULL ? src->text.n : src->starts[line];
}

/* s, joined with the siblings up to `to`. */
static struct str
join_source(struct stream *st, struct str s, size_t from, size_t to)
{
	struct buf out;

	buf_init(&out, st->c->a, s.n + (to - from) + 2);
	buf_put(&out, s);
	buf_char(&out, '\n');
	buf_put(&out, str_slice(st->src->text, from, to));
	return buf_view(&out);
}

/* Extends s, which begins with such a tag, by the siblings up to its end. False: there is no end. */
static bool
extend_to_end(struct stream *st, struct str *s, struct str name, const char *holds)
{
	struct source *src = st->src;
	cmark_node *n = st->next, *after;
	const char *word = arena_printf(st->c->a, "</%.*s>", (int)name.n, name.p);
	size_t from, to, end, last;
	struct str all;

	if (n == NULL || cmark_node_get_start_line(n) <= 0 || src->no_end >= MAX_FAILURES)
		return false;
	from = end = src->starts[cmark_node_get_start_line(n) - 1];
	last = container_end(src, n);
	for (int i = 0; i < MAX_ENDS && (end = html_find_end(str_slice(src->text, 0, last), end, word)) > 0; i++) {
		to = last;
		after = first_sibling_after(src, n, end, &to);
		all = join_source(st, *s, from, to);
		if (is_whole(st->c, all, holds)) {
			st->next = after;
			*s = all;
			return true;
		}
	}
	/* Take no sibling: all of them are read as they are. */
	src->no_end++;
	return false;
}

/* ---- the walk ---- */

/* Reads HTML as blocks. Invisible HTML, and elements that are shown as source, stay source. */
static void
read_elements(struct stream *st, struct str s)
{
	struct doc_node *into = doc_node(st->c->a, DOC_FRAGMENT), *n, *next;
	const GumboNode *root = html_open(st->c, s);
	struct str seen = s;

	if (root != NULL && !html_is_source(root))
		html_blocks(st->c, &root->v.element.children, into, st->top->level + 1);
	if (root != NULL && into->child == NULL)
		seen = html_visible_in(st->c->a, s, root);
	if (root != NULL)
		html_close(st->c);
	if (into->child == NULL)
		stream_raw_seen(st, s, seen);
	for (n = into->child; n != NULL; n = next) {
		next = n->next;
		stream_add(st, n);
	}
}

/* Handle what remains before `to`. */
static void
flush_before(struct walk *w, size_t to)
{
	struct str s = str_trim(str_slice(w->s, w->from, to));

	w->from = to;
	if (s.n == 0)
		return;
	/* After a tag of the dialect or a summary, authors continue in Markdown; inside a box they continue in HTML. */
	if (s.p[0] != '<' && w->boxes == 0)
		w->st->c->steps->markdown(w->st, s, w->line);
	else
		read_elements(w->st, s);
}

/* Take the tag alone, after flushing what is before it. */
static struct str
take_tag(struct walk *w, const struct html_tag *t)
{
	flush_before(w, t->from);
	w->from = t->to;
	w->k++;
	return str_slice(w->s, t->from, t->to);
}

static void
walk_box(struct walk *w, const struct html_tag *t)
{
	struct str tag = take_tag(w, t);

	if (t->end) {
		close_box(w->st, t->name);
		w->boxes -= w->boxes > 0;
	} else if (!t->empty) {
		w->boxes++;
	}
	keep_tag_alone(w->st, tag);
	/* Open the box after its tag was added, since the tag itself is no block to align. */
	if (!t->end && !t->empty)
		open_box(w->st, tag, t->name);
}

static void
walk_frame(struct walk *w, const struct html_tag *t)
{
	bool details = str_is_nocase(t->name, "details");
	struct frame *f;

	flush_before(w, t->from);
	if (details && !t->end) {
		open_details(w->st, take_tag(w, t), w->line);
	} else if (details && (f = frame_find(w->st, "details")) != NULL) {
		take_tag(w, t);
		frame_close(w->st, f);
	} else if (!details && html_is_whole(w->tags, w->k) &&
	    take_summary(w->st, str_slice(w->s, t->from, w->tags[t->match].to))) {
		w->from = w->tags[t->match].to;
		w->k = t->match + 1;
	} else
		keep_tag_alone(w->st, take_tag(w, t));
}

/* True if the tag's element is a hint. */
static bool
is_hint_tag(struct conv *c, struct str tag)
{
	const GumboNode *root = str_find(tag, "data-tag").p == NULL ? NULL : html_open(c, tag);
	bool says = root != NULL && root->v.element.children.length > 0 && html_is_hint(root->v.element.children.data[0]);

	if (root != NULL)
		html_close(c);
	return says;
}

/* True if the <div> is read as a whole and not as a box: a hint, or a gallery, which contains only images. */
static bool
is_hint_or_gallery(struct walk *w, const struct html_tag *t)
{
	const GumboNode *root;
	bool own = true;

	if (!str_is_nocase(t->name, "div") || !html_is_whole(w->tags, w->k))
		return false;
	if (is_hint_tag(w->st->c, str_slice(w->s, t->from, t->to)))
		return true;
	/*
	 * A gallery contains no boxes. Without this test, the content of nested boxes would be
	 * parsed again at each level.
	 */
	for (size_t i = w->k + 1; i < t->match && own; i++)
		own = !str_is_nocase(w->tags[i].name, "div") && w->tags[i].class != HTML_FRAME;
	if (!own || w->k + 1 == t->match || str_trim(str_slice(w->s, t->to, t[1].from)).n > 0)
		return false;
	root = html_open(w->st->c, str_slice(w->s, t->from, w->tags[t->match].to));
	own = root != NULL && root->v.element.children.length == 1 && html_is_gallery(root->v.element.children.data[0]);
	if (root != NULL)
		html_close(w->st->c);
	return own;
}

/* Extend an unclosed element by the following siblings; true if the walk restarts with it. */
static bool
walk_extended(struct walk *w, const struct html_tag *t)
{
	struct str rest = str_slice(w->s, t->from, w->s.n);
	const char *holds = t->end || t->match != HTML_NO_MATCH ? NULL
	    : required_content(str_slice(w->s, t->from, t->to), t->name);

	if (holds == NULL)
		return false;
	flush_before(w, t->from);
	if (!extend_to_end(w->st, &rest, t->name, holds))
		return false;
	w->s = rest;
	w->tags = html_scan(w->st->c->a, rest, &w->count);
	w->from = w->k = 0;
	return true;
}

/* A start tag without its end. */
static void
walk_open(struct walk *w, const struct html_tag *t)
{
	bool last = str_trim(str_slice(w->s, t->to, w->s.n)).n == 0;

	/* <p align="center"> with a blank line before its content. */
	if (str_is_nocase(t->name, "p") && last)
		walk_box(w, t);
	/*
	 * A paragraph or heading reaches up to the next block. A part of a table or list alone has
	 * no meaning.
	 */
	else if (t->class == HTML_PART || required_content(STR(""), t->name) != NULL)
		keep_tag_alone(w->st, take_tag(w, t));
	else
		w->k++;
}

static void
walk_tag(struct walk *w)
{
	const struct html_tag *t = &w->tags[w->k];
	struct tag dialect;
	bool blank;

	while (w->from < t->from && isspace((unsigned char)w->s.p[w->from]))
		w->from++;
	blank = w->from == t->from;
	if (walk_extended(w, t))
		return;
	if (t->class == HTML_DIALECT) {
		tag_scan(take_tag(w, t), &dialect);
		stream_tag(w->st, &dialect, w->line);
	} else if (t->class == HTML_OPAQUE || (t->class == HTML_COMMENT && blank)) {
		/* A comment among words stays among them. */
		stream_raw(w->st, take_tag(w, t));
	} else if (t->class == HTML_FRAME) {
		walk_frame(w, t);
	} else if (t->class == HTML_BOX && !is_hint_or_gallery(w, t)) {
		walk_box(w, t);
	} else if (html_is_whole(w->tags, w->k)) {
		w->k = t->match + 1;
	} else if (t->end && (blank || html_parts_text(t->class))) {
		if (str_is_nocase(t->name, "p"))
			close_box(w->st, t->name);
		keep_tag_alone(w->st, take_tag(w, t));
	} else if (!t->end && t->class != HTML_VOID && t->class != HTML_COMMENT && !t->empty) {
		walk_open(w, t);
	} else
		w->k++;
}

static void
walk_html(struct stream *st, struct str s, size_t line, unsigned boxes)
{
	struct walk w = { .st = st, .line = line, .boxes = boxes };

	s = str_trim(s);
	/* Copy: tags and raw nodes point into it, and cmark's memory ends with the parse. */
	w.s = (struct str){ arena_strndup(st->c->a, s.p, s.n), s.n };
	w.tags = html_scan(st->c->a, w.s, &w.count);
	while (w.k < w.count)
		walk_tag(&w);
	flush_before(&w, w.s.n);
}

void
stream_html(struct stream *st, struct str s, size_t line)
{
	walk_html(st, s, line, 0);
}

void
stream_elements(struct stream *st, struct str s, size_t line)
{
	/*
	 * A number of open boxes that never becomes 0: text between the tags is always read as
	 * HTML, and never as Markdown.
	 */
	walk_html(st, s, line, UINT_MAX / 2);
}
