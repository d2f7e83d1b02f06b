/*
 * Converts Markdown to the tree, one container at a time: its children are a stream of siblings, in
 * which tags open and close frames. doc_parse.h gives an overview.
 */

#include <cmark-gfm-core-extensions.h>

#include "../doc_parse.h"
#include "base/utf8.h"

/* Text of a subtree that is nested too deeply. */
static void
flatten_node(struct stream *st, cmark_node *n)
{
	struct conv *c = st->c;
	struct doc_node *p = doc_node(c->a, DOC_PARAGRAPH);
	cmark_iter *it = cmark_iter_new(n);
	cmark_event_type ev;
	cmark_node *x;
	const char *s;

	while ((ev = cmark_iter_next(it)) != CMARK_EVENT_DONE) {
		x = cmark_iter_get_node(it);
		s = ev == CMARK_EVENT_ENTER ? cmark_node_get_literal(x) : NULL;
		if (s != NULL)
			doc_text(c->a, p, str_of(s), 0);
		else if (ev == CMARK_EVENT_EXIT && cmark_node_get_type(x) == CMARK_NODE_PARAGRAPH && x != n)
			doc_text(c->a, p, STR("\n"), 0);
	}
	cmark_iter_free(it);
	inline_trim(p);
	if (p->child != NULL)
		stream_add(st, p);
	conv_warn(c, c->line, "nested too deeply: kept as text");
}

static void stream_markdown(struct stream *st, struct str text, size_t line);
static void conv_blocks(struct conv *c, struct source *src, cmark_node *container, struct doc_node *into, unsigned level,
    struct frame *up);
static bool raw_read(struct str raw);

static const struct conv_steps steps = { conv_blocks, stream_markdown, raw_read };

/* Close the frames that an inner container's end tag has marked. */
static void
close_marked(struct stream *st)
{
	struct frame *f, *marked = NULL;

	for (f = st->top; f != st->base; f = f->up)
		if (f->closing)
			marked = f;
	if (marked != NULL)
		frame_close(st, marked);
}

static struct doc_node *
code_block(struct stream *st, cmark_node *n)
{
	struct doc_node *code = doc_node(st->c->a, DOC_CODE);
	struct str info = str_trim(str_of(cmark_node_get_fence_info(n)));
	size_t i;

	for (i = 0; i < info.n && info.p[i] != ' ' && info.p[i] != '\t'; )
		i++;
	if (i > 0)
		doc_set_str(st->c->a, code, "syntax", arena_strndup(st->c->a, info.p, i));
	info = str_trim(str_slice(info, i, info.n));
	if (info.n > 0)
		doc_set_str(st->c->a, code, "info", arena_strndup(st->c->a, info.p, info.n));
	code_lines(st->c->a, code, md_literal(n));
	return code;
}

/* Indented code that begins with a block tag was indented only for its looks: it is read as Markdown. */
static bool
indented_tags(struct stream *st, cmark_node *n, size_t line)
{
	struct str text = md_literal(n);
	struct tag t;
	int fenced, length, offset;
	char c;

	fenced = cmark_node_get_fenced(n, &length, &offset, &c);
	if (fenced || tag_scan(str_trim(text), &t) == 0 || !tag_known(&t))
		return false;
	stream_markdown(st, text, line);
	return true;
}

/* If the block before is a list whose last item is empty: that item; else NULL. */
static struct doc_node *
last_empty_item(struct stream *st, cmark_node *n)
{
	cmark_node *list = cmark_node_previous(n), *last;
	struct doc_node *l = st->top->node->last;

	if (list == NULL || cmark_node_get_type(list) != CMARK_NODE_LIST || l == NULL ||
	    (l->type != DOC_LIST_UNORDERED && l->type != DOC_LIST_ORDERED && l->type != DOC_LIST_TASKS))
		return NULL;
	last = cmark_node_last_child(list);
	return last != NULL && cmark_node_first_child(last) == NULL ? l->last : NULL;
}

/*
 * An item that begins with a blank line ends there (CommonMark 5.2), and its indented content
 * becomes code after the list. This function reads that code as Markdown and puts it into the item.
 */
static bool
refill_item(struct stream *st, cmark_node *n, size_t line)
{
	struct doc_node *item = last_empty_item(st, n), *empty;
	int fenced, length, offset;
	struct source *src;
	char c;

	fenced = cmark_node_get_fenced(n, &length, &offset, &c);
	if (fenced || item == NULL || st->c->nested >= MAX_NESTED || st->top->level + 5 > DOC_DEPTH)
		return false;
	st->c->nested++;
	src = arena_alloc(st->c->a, sizeof(*src));
	empty = item->child;
	item->child = item->last = NULL;
	conv_blocks(st->c, src, md_read(st->c, src, md_literal(n), line - 1), item, st->top->level + 2, st->top);
	if (item->child == NULL)
		item->child = item->last = empty;
	st->c->nested--;
	return true;
}

static struct doc_node *
read_list(struct stream *st, cmark_node *n)
{
	struct conv *c = st->c;
	struct doc_node *l, *item;
	cmark_node *i;
	bool tasks = false;

	for (i = cmark_node_first_child(n); i != NULL; i = cmark_node_next(i))
		tasks = tasks || strcmp(cmark_node_get_type_string(i), "tasklist") == 0;
	l = doc_node(c->a, cmark_node_get_list_type(n) == CMARK_ORDERED_LIST ? DOC_LIST_ORDERED
	    : tasks ? DOC_LIST_TASKS : DOC_LIST_UNORDERED);
	if (l->type == DOC_LIST_ORDERED && cmark_node_get_list_start(n) != 1)
		doc_set_num(c->a, l, "start", cmark_node_get_list_start(n));
	for (i = cmark_node_first_child(n); i != NULL; i = cmark_node_next(i)) {
		item = doc_node(c->a, DOC_LIST_ITEM);
		if (l->type == DOC_LIST_TASKS && strcmp(cmark_node_get_type_string(i), "tasklist") == 0)
			doc_set_bool(c->a, item, "checked", cmark_gfm_extensions_get_tasklist_item_checked(i));
		conv_blocks(c, st->src, i, item, st->top->level + 2, st->top);
		if (item->child == NULL)
			doc_append(item, doc_node(c->a, DOC_PARAGRAPH));
		doc_append(l, item);
	}
	return l;
}

/* "> [!NOTE]" and the like are hints. The marker must be the whole first line. */
static const char *
alert_style(struct doc_node *quote)
{
	static const char *const names[][2] = { { "[!NOTE]", "info" }, { "[!TIP]", "success" },
		{ "[!IMPORTANT]", "info" }, { "[!WARNING]", "warning" }, { "[!CAUTION]", "danger" } };
	struct doc_node *p = quote->child, *l = p == NULL ? NULL : p->child;
	size_t n;

	if (l == NULL || p->type != DOC_PARAGRAPH || l->type != DOC_LEAF || l->raw.p != NULL)
		return NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		n = strlen(names[i][0]);
		if (l->text.n < n || strncasecmp(l->text.p, names[i][0], n) != 0 ||
		    (l->text.n > n && l->text.p[n] != ' ' && l->text.p[n] != '\n'))
			continue;
		l->text = str_slice(l->text, n, l->text.n);
		inline_trim(p);
		return names[i][1];
	}
	return NULL;
}

static struct doc_node *
read_quote(struct stream *st, cmark_node *n)
{
	struct doc_node *q = doc_node(st->c->a, DOC_BLOCKQUOTE);
	const char *style;

	conv_blocks(st->c, st->src, n, q, st->top->level + 1, st->top);
	style = alert_style(q);
	if (style != NULL) {
		q->type = DOC_HINT;
		doc_set_str(st->c->a, q, "style", style);
		if (q->child->child == NULL && q->child->next != NULL)
			q->child = q->child->next;
	}
	if (q->child == NULL)
		doc_append(q, doc_node(st->c->a, DOC_PARAGRAPH));
	return q;
}

static struct doc_node *
math_block(struct conv *c, struct str formula)
{
	struct doc_node *m = doc_node(c->a, DOC_MATH);

	formula = str_trim(formula);
	doc_set_str(c->a, m, "formula", arena_strndup(c->a, formula.p, formula.n));
	return m;
}

/* A paragraph of only images becomes image blocks. */
static struct doc_node *
make_image_blocks(struct conv *c, cmark_node *first, cmark_node *stop)
{
	struct doc_node *images = NULL, *image, *caption;
	struct str url;
	const char *s;
	cmark_node *i;

	/* Inside of a link around blocks, images stay inlines. */
	if (c->wrap_count > 0)
		return NULL;
	for (i = first; i != stop; i = cmark_node_next(i))
		if (cmark_node_get_type(i) != CMARK_NODE_IMAGE && cmark_node_get_type(i) != CMARK_NODE_SOFTBREAK)
			return NULL;
	images = doc_node(c->a, DOC_IMAGES);
	for (i = first; i != stop; i = cmark_node_next(i)) {
		if (cmark_node_get_type(i) != CMARK_NODE_IMAGE)
			continue;
		if (!md_address(c, i, &url, &s))
			return NULL;
		image = doc_node(c->a, DOC_IMAGE);
		doc_set_ref(c->a, image, "ref", conv_file(c, url));
		if (*md_alt_text(c, i) != '\0')
			doc_set_str(c->a, image, "alt", md_alt_text(c, i));
		if (s != NULL && *s != '\0') {
			caption = doc_node(c->a, DOC_PARAGRAPH);
			doc_text(c->a, caption, str_of(s), 0);
			doc_append(doc_fragment(c->a, image, "caption"), caption);
		}
		doc_append(images, image);
	}
	return images->child == NULL ? NULL : images;
}

/* Join the first two leaves if they are alike. */
static void
join_next(struct arena *a, struct doc_node *p)
{
	struct doc_node *first = p->child, *next = first->next, *last = p->last;

	if (next == NULL || next->type != DOC_LEAF || next->raw.p != NULL || next->marks != first->marks)
		return;
	p->last = first;
	doc_text(a, p, next->text, first->marks);
	first->next = next->next;
	p->last = next == last ? first : last;
}

/*
 * A piece of a divided paragraph is written as a paragraph of its own, and may then be read as
 * another block. So raw HTML at its beginning becomes text, and an image alone becomes an image
 * block.
 */
static struct doc_node *
normalize_paragraph(struct conv *c, struct doc_node *p)
{
	struct doc_node *l = p->child, *images, *image, *caption;
	const char *s;

	/* A leaf of raw HTML alone that round-trips is a raw block, and stays one. */
	if (l->type == DOC_LEAF && l->raw.p != NULL && html_begins_block(l->raw) &&
	    (l->next != NULL || !raw_round_trips(c, l->raw))) {
		l->text = l->raw;
		l->raw = (struct str){ NULL, 0 };
		l->room = 0;
		join_next(c->a, p);
	}
	if (l->type != DOC_INLINE_IMAGE || l->next != NULL || doc_attr(l, "size") != NULL)
		return p;
	images = doc_node(c->a, DOC_IMAGES);
	image = doc_node(c->a, DOC_IMAGE);
	doc_append(images, image);
	doc_set_ref(c->a, image, "ref", doc_attr(l, "ref")->v.target);
	if (doc_attr(l, "refDark") != NULL)
		doc_set_ref(c->a, image, "refDark", doc_attr(l, "refDark")->v.target);
	doc_set_str(c->a, image, "alt", doc_attr_str(l, "alt"));
	if ((s = doc_attr_str(l, "caption")) != NULL) {
		caption = doc_node(c->a, DOC_PARAGRAPH);
		doc_text(c->a, caption, str_of(s), 0);
		doc_append(doc_fragment(c->a, image, "caption"), caption);
	}
	return images;
}

/* True if a paragraph has no inlines, or only line breaks. */
static bool
is_empty_paragraph(const struct doc_node *p)
{
	const struct doc_node *l = p->child;

	if (l == NULL)
		return true;
	return l == p->last && l->type == DOC_LEAF && l->raw.p == NULL && str_trim(l->text).n == 0 &&
	    memchr(l->text.p, '\n', l->text.n) != NULL;
}

/* Makes a block of the inlines from first up to stop. cut: they are only a part of the paragraph. */
static void
paragraph_part(struct stream *st, cmark_node *first, cmark_node *stop, bool cut)
{
	struct doc_node *p;
	struct str formula;

	while (first != stop && cmark_node_get_type(first) == CMARK_NODE_SOFTBREAK)
		first = cmark_node_next(first);
	if (first == stop)
		return;
	if (cmark_node_next(first) == stop && md_custom(first, &formula) == CM_MATH &&
	    memchr(formula.p, '\n', formula.n) != NULL)
		p = math_block(st->c, formula);
	else if ((p = make_image_blocks(st->c, first, stop)) == NULL) {
		p = doc_node(st->c->a, DOC_PARAGRAPH);
		inline_nodes(st->c, first, stop, p);
		if (cut)
			inline_trim(p);
		if (is_empty_paragraph(p))
			return;
		p = normalize_paragraph(st->c, p);
	}
	stream_add(st, p);
}

/* True if there is a tag of the dialect among the inlines. */
static bool
holds_tag(cmark_node *n)
{
	struct str content;
	struct tag t;

	while (n != NULL && (md_custom(n, &content) != CM_TAG || tag_scan(content, &t) == 0 || !tag_known(&t)))
		n = cmark_node_next(n);
	return n != NULL;
}

/* Reads a paragraph. Block tags in its text divide it into several blocks. */
static void
read_paragraph(struct stream *st, cmark_node *n, size_t line)
{
	cmark_node *from = cmark_node_first_child(n), *i;
	struct str content;
	bool cut = false;
	struct tag t;

	if (!holds_tag(from) && paragraph_blocks(st, from, line))
		return;
	for (i = from; i != NULL; i = cmark_node_next(i)) {
		if (md_custom(i, &content) != CM_TAG || tag_scan(content, &t) == 0 || !tag_known(&t))
			continue;
		paragraph_part(st, from, i, true);
		cut = true;
		from = cmark_node_next(i);
		t.source.p = arena_strndup(st->c->a, content.p, content.n);
		tag_scan((struct str){ t.source.p, content.n }, &t);
		stream_tag(st, &t, line);
	}
	paragraph_part(st, from, NULL, cut);
}

/* A line of tags and text in any order. */
static void
read_tag_line(struct stream *st, struct str text, size_t line)
{
	struct tag t;
	size_t n;

	text.p = arena_strndup(st->c->a, text.p, text.n);
	while ((text = str_trim(text)).n > 0) {
		n = tag_scan(text, &t);
		if (n == 0 || !tag_known(&t)) {
			stream_markdown(st, text, line);
			return;
		}
		stream_tag(st, &t, line);
		text = str_slice(text, n, text.n);
	}
}

static void
read_container(struct stream *st, cmark_node *n, size_t line)
{
	struct doc_node *b = NULL;

	if (st->top->level + 3 > DOC_DEPTH) {
		flatten_node(st, n);
		return;
	}
	if (cmark_node_get_type(n) == CMARK_NODE_LIST)
		b = read_list(st, n);
	else
		b = read_quote(st, n);
	st->c->line = line;
	stream_add(st, b);
	close_marked(st);
}

static void
stream_node(struct stream *st, cmark_node *n, size_t line)
{
	struct str content;
	char kind = md_custom(n, &content);

	if (kind == CM_TAG)
		read_tag_line(st, content, line);
	else if (kind == CM_MATH)
		stream_add(st, math_block(st->c, content));
	else if (md_is_table(n))
		stream_add(st, grid_markdown(st->c, n));
	else switch (cmark_node_get_type(n)) {
	case CMARK_NODE_PARAGRAPH:
		read_paragraph(st, n, line);
		break;
	case CMARK_NODE_HEADING:
		stream_heading(st, n);
		break;
	case CMARK_NODE_CODE_BLOCK:
		if (!refill_item(st, n, line) && !indented_tags(st, n, line))
			stream_add(st, code_block(st, n));
		break;
	case CMARK_NODE_HTML_BLOCK:
		stream_html(st, md_literal(n), line);
		break;
	case CMARK_NODE_THEMATIC_BREAK:
		stream_add(st, doc_node(st->c->a, DOC_DIVIDER));
		break;
	case CMARK_NODE_LIST:
	case CMARK_NODE_BLOCK_QUOTE:
		read_container(st, n, line);
		break;
	default:
		break;
	}
}

/*
 * The first line of a block. It cannot always be taken from cmark-gfm, which gives a paragraph
 * before a table line 0, and lists footnote definitions last.
 */
static size_t
node_line(struct stream *st, cmark_node *n, size_t last)
{
	int line = cmark_node_get_start_line(n);
	cmark_node *child = cmark_node_first_child(n);

	if (cmark_node_get_type(n) == CMARK_NODE_FOOTNOTE_DEFINITION)
		return SIZE_MAX;
	if (line <= 0 && child != NULL)
		line = cmark_node_get_start_line(child);
	return line <= 0 ? last : (size_t)line + st->src->base;
}

static void
stream_run(struct stream *st, cmark_node *first)
{
	size_t line = st->c->line;
	cmark_node *n;

	for (n = first; n != NULL; n = st->next) {
		st->next = cmark_node_next(n);
		line = node_line(st, n, line);
		notes_place_until(st, cmark_node_previous(n), line);
		if (line == SIZE_MAX)
			break;
		st->c->line = line;
		stream_node(st, n, line);
	}
}

static void
stream_markdown(struct stream *st, struct str text, size_t line)
{
	struct source *outer = st->src, *src;
	cmark_node *next = st->next, *root;

	if (str_trim(text).n == 0)
		return;
	if (st->c->nested >= MAX_NESTED) {
		stream_raw(st, text);
		return;
	}
	st->c->nested++;
	src = arena_alloc(st->c->a, sizeof(*src));
	root = md_read(st->c, src, text, line - 1);
	st->src = src;
	stream_run(st, cmark_node_first_child(root));
	st->src = outer;
	st->next = next;
	st->c->nested--;
}

static void
conv_blocks(struct conv *c, struct source *src, cmark_node *container, struct doc_node *into,
    unsigned level, struct frame *up)
{
	struct frame base = { .up = up, .node = into, .level = level };
	struct stream st = { .c = c, .src = src, .top = &base, .base = &base };
	size_t line = c->line;
	struct frame *f;

	stream_run(&st, cmark_node_first_child(container));
	notes_place_until(&st, cmark_node_last_child(container), (size_t)cmark_node_get_end_line(container) + 1);
	while ((f = st.top) != &base) {
		st.top = f->up;
		if (!f->closing)
			conv_warn(c, f->line, "{%% %s %%} is never closed", f->tag);
		frame_complete(&st, f);
	}
	/* Restore the line of the referring block: a footnote is elsewhere. */
	c->line = line;
}

/* Replace NUL and invalid bytes by U+FFFD. */
static struct str
repair_utf8(struct arena *a, struct str s)
{
	struct buf out;
	uint32_t cp;
	size_t n;

	if (utf8_valid(s) && (s.n == 0 || memchr(s.p, '\0', s.n) == NULL))
		return s;
	buf_init(&out, a, s.n * 3 + 1);
	while (s.n > 0) {
		n = s.p[0] == '\0' ? 0 : utf8_next(s, &cp);
		if (n == 0)
			buf_str(&out, "\xEF\xBF\xBD");
		else
			buf_add(&out, s.p, n);
		s = str_slice(s, n == 0 ? 1 : n, s.n);
	}
	return buf_view(&out);
}

/* Sets the first lines of top-level blocks, for doc_blocks and the keys. */
static void
set_first_lines(struct doc *d)
{
	struct doc_node *n;
	size_t count = 0;

	for (n = d->root->child; n != NULL; n = n->next)
		count++;
	/*
	 * A second block on the same line has no slice of its own: its key is a hash of its
	 * content.
	 */
	d->slices = arena_array(d->arena, count + 1, sizeof(*d->slices));
	for (n = d->root->child; n != NULL; n = n->next) {
		/* Blocks without a line (made by the parse), and second blocks on a line. */
		if (n->line < 1 || n->line > d->lines ||
		    (d->slice_count > 0 && n->line <= d->slices[d->slice_count - 1].line))
			continue;
		d->slices[d->slice_count].line = n->line;
		d->slices[d->slice_count++].node = n;
	}
}

/* Parse the tree, without anchors and keys; sets *src to its source. */
static struct doc *
parse_tree(struct conv *c, struct arena *a, struct str body, struct source *src)
{
	struct doc *d = arena_alloc(a, sizeof(*d));
	struct arena *nodes = limit_arena(), *before = limit_cmark_in(nodes);
	cmark_node *root;

	c->a = a;
	c->doc = d;
	c->body = repair_utf8(a, body);
	c->expansion = c->body.n > DOC_EXPANSION_MIN ? c->body.n : DOC_EXPANSION_MIN;
	c->note_budget = c->body.n * 2 + 65536;
	c->notes_src = src;
	d->arena = a;
	d->root = doc_node(a, DOC_ROOT);
	root = notes_read(c, src);
	d->lines = src->lines;
	notes_collect(c, root);
	conv_blocks(c, src, root, d->root, 0, NULL);
	notes_keep_unused(c);
	limit_cmark_in(before);
	limit_arena_free(nodes);
	conv_keep_references(c);
	if (c->excess)
		d->fault = "has reference links that repeat long definitions too often: what they add may "
		    "be as long as the text, or " LIMIT_TEXT(DOC_EXPANSION_MIN) " bytes if that is more";
	return d;
}

static bool
raw_read(struct str raw)
{
	struct arena *a = limit_arena();
	struct conv c = { .steps = &steps, .checking = true };
	struct source src;
	const struct doc_node *p = parse_tree(&c, a, raw, &src)->root->child;
	bool round_trips = p != NULL && p->next == NULL && p->type == DOC_PARAGRAPH && p->child != NULL &&
	    p->child->next == NULL && p->child->type == DOC_LEAF && str_eq(p->child->raw, raw);

	limit_arena_free(a);
	return round_trips;
}

/* ---- limits ---- */

/* Makes the document for a body beyond the limits: one paragraph that shows the source. */
static struct doc *
make_plain(struct arena *a, struct str body, struct source *src, const char *why)
{
	struct doc *d = arena_alloc(a, sizeof(*d));
	struct doc_node *p = doc_node(a, DOC_PARAGRAPH);

	memset(src, 0, sizeof(*src));
	src->text = body;
	md_lines(a, src);
	d->arena = a;
	d->root = doc_node(a, DOC_ROOT);
	d->lines = src->lines;
	d->fault = why;
	p->line = 1;
	doc_text(a, p, str_trim(body), 0);
	doc_append(d->root, p);
	return d;
}

static size_t bytes_parsed;

size_t
doc_bytes_parsed(void)
{
	return bytes_parsed;
}

/* Parse the tree, or return its replacement beyond the limits. */
static struct doc *
parse_limited(struct conv *c, struct arena *a, struct str body, struct source *src)
{
	struct doc *volatile d = NULL;
	struct doc_limit limit;
	const char *why;

	bytes_parsed += body.n;
	limit_begin(&limit);
	if (setjmp(limit.out) == 0) {
		d = parse_tree(c, a, body, src);
		d->weight = doc_weight(d->root);
		if (d->weight > (size_t)DOC_JSON_MAX)
			limit.why = "is longer than 64 MiB of JSON";
	}
	why = limit.why;
	limit_end(&limit);
	if (why == NULL)
		return d;
	/* The longjmp may have left elements open in it. */
	if (c->scratch != NULL)
		arena_reset(c->scratch);
	c->body = repair_utf8(a, body);
	return make_plain(a, c->body, src, why);
}

bool
doc_run_lookups(struct arena *a, struct str body, const struct doc_refs *refs)
{
	struct conv c = { .steps = &steps, .refs = refs };
	const struct doc *d;
	struct source src;

	d = parse_limited(&c, a, body, &src);
	return d->fault == NULL || c.excess;
}

struct doc *
doc_parse(struct arena *a, struct str body, const struct doc_refs *refs,
    void (*warn)(void *ctx, size_t line, const char *message), void *warn_ctx)
{
	struct conv c = { .steps = &steps, .refs = refs, .warn = warn, .warn_ctx = warn_ctx };
	struct source src;
	struct doc *d = parse_limited(&c, a, body, &src);

	set_first_lines(d);
	doc_anchors(a, d->root);
	doc_resolve_fragments(a, d, refs != NULL ? refs->self : NULL);
	doc_keys(a, d, c.body, src.starts);
	return d;
}

struct doc *
doc_parse_words(struct arena *a, struct str body,
    void (*warn)(void *ctx, size_t line, const char *message), void *warn_ctx)
{
	struct conv c = { .steps = &steps, .warn = warn, .warn_ctx = warn_ctx };
	struct source src;
	struct doc *d = parse_limited(&c, a, body, &src);

	doc_anchors(a, d->root);
	return d;
}
