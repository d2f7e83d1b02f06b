/*
 * Sets up cmark-gfm for the dialect. Our extension is attached before `table`, which would take
 * lines with tags for rows:
 *
 *   block:  a line that begins with a known tag; the node is a leaf that contains the rest of the line
 *           "$$" alone on a line, up to a line that ends with "$$"
 *   inline: {% any tag %}, $$formula$$, :shortcode: of a Unicode emoji
 *
 * Our block nodes are custom nodes of cmark, with kind and content in on_enter. md_custom()
 * recognises our nodes.
 */
#include <ctype.h>
#include <stdlib.h>

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm/chunk.h>
#include <cmark-gfm/node.h>
#include <cmark-gfm/parser.h>

#include "../doc_cost.h"
#include "../doc_parse.h"

/* MAX_FILLED: how many cells cmark may add to short rows. MAX_EMOJI: longer than any shortcode. */
enum { MAX_COLUMNS = 200, MAX_FILLED = 50000, MAX_EMOJI = 40 };

/* State of the current parse for the extension's callbacks; there is one at a time. */
static struct {
	struct arena  *a;
	struct source *src;
	const unsigned char *chunk;  /* the inline content that is being parsed */
	bufsize_t      no_tag;       /* no "%}" follows this offset */
	bufsize_t      closes;       /* offset of the next "%}", if it was found */
	bufsize_t      no_math;      /* no "$$" follows this offset */
} parse_state;

/* Use a custom block, which needs no registered node type. */
static cmark_node *
add_leaf(cmark_syntax_extension *ext, cmark_parser *parser, cmark_node *parent, int column)
{
	cmark_node *n = cmark_parser_add_child(parser, parent, CMARK_NODE_CUSTOM_BLOCK, column);

	cmark_node_set_syntax_extension(n, ext);
	return n;
}

/* True if the line is only "$$" and blanks. */
static bool
is_math_fence(struct str line)
{
	line = str_trim(line);
	return line.n == 2 && memcmp(line.p, "$$", 2) == 0;
}

static struct str
source_line(const struct source *s, size_t line)
{
	return str_slice(s->text, s->starts[line - 1], s->starts[line]);
}

/* True if a later line ends with "$$". If none does, this is recorded, so that the search is not repeated. */
static bool
is_math_closed(struct source *s, size_t line)
{
	struct str l;

	if (line >= s->no_math)
		return false;
	for (size_t i = line + 1; i <= s->lines; i++) {
		l = str_trim(source_line(s, i));
		if (l.n >= 2 && memcmp(l.p + l.n - 2, "$$", 2) == 0)
			return true;
	}
	s->no_math = line;
	return false;
}

/* Skip to the line feed: the rest of the line would become text. */
static void
skip_line(cmark_parser *parser, unsigned char *input, int len)
{
	int left = len - cmark_parser_get_offset(parser);

	if (left > 1)
		cmark_parser_advance_offset(parser, (const char *)input, left - 1, 0);
}

/*
 * Callback of cmark for a line that may begin a block of ours. cmark does not call it for indented
 * lines, which it takes for code: indented_tags() of doc_parse.c handles them.
 */
static cmark_node *
open_block(cmark_syntax_extension *ext, int indented, cmark_parser *parser, cmark_node *parent,
    unsigned char *input, int len)
{
	int at = cmark_parser_get_first_nonspace(parser);
	struct str line = { (const char *)input + at, (size_t)(len - at) };
	cmark_node *n;
	struct tag t;
	char *text;

	(void)indented;
	if (len - at < 2)
		return NULL;
	if (line.p[0] == '{' && line.p[1] == '%') {
		if (tag_scan(line, &t) == 0 || !tag_known(&t))
			return NULL;
		line = str_trim(line);
		/* Copy: the next line overwrites cmark's buffer. */
		text = arena_printf(parse_state.a, "%c%.*s", CM_TAG, (int)line.n, line.p);
	} else if (line.p[0] == '$' && is_math_fence(line) &&
	    is_math_closed(parse_state.src, (size_t)cmark_parser_get_line_number(parser)))
		text = arena_printf(parse_state.a, "%c", CM_MATH);
	else
		return NULL;
	n = add_leaf(ext, parser, parent, at + 1);
	cmark_node_set_on_enter(n, text);
	skip_line(parser, input, len);
	return n;
}

/* A $$ block continues up to a line that ends with "$$"; on_exit records that it is closed. */
static int
match_block(cmark_syntax_extension *ext, cmark_parser *parser, unsigned char *input, int len,
    cmark_node *n)
{
	int at = cmark_parser_get_offset(parser);
	/*
	 * From the offset on: the prefix of an enclosing quote or list item is not part of the
	 * formula.
	 */
	struct str line = { (const char *)input + at, (size_t)(len - at) }, t;

	(void)ext;
	/* A tag is one line, and a closed formula takes no more. */
	if (n->as.custom.on_enter.data[0] != CM_MATH || n->as.custom.on_exit.len > 0)
		return 0;
	t = str_trim(line);
	if (t.n >= 2 && memcmp(t.p + t.n - 2, "$$", 2) == 0) {
		cmark_node_set_on_exit(n, "$$");
		line = t;
		line.n -= 2;
	}
	cmark_strbuf_put(&n->content, (const unsigned char *)line.p, (bufsize_t)line.n);
	skip_line(parser, input, len);
	return 1;
}

/*
 * Our inline nodes are made as inline HTML, since table cells may contain that, but no custom
 * nodes. No HTML begins with this byte.
 */
enum { OWN_INLINE = 1 };

static cmark_node *
inline_node(char kind, const unsigned char *p, bufsize_t n)
{
	cmark_node *node = cmark_node_new_with_mem(CMARK_NODE_HTML_INLINE, limit_cmark());

	cmark_node_set_literal(node, arena_printf(parse_state.a, "%c%c%.*s", OWN_INLINE, kind, (int)n, (const char *)p));
	return node;
}

static cmark_node *
match_tag(cmark_inline_parser *ip, cmark_chunk *chunk, bufsize_t at)
{
	const unsigned char *end;
	struct tag t;
	size_t n;

	/* The shortest tag is "{%a%}". */
	if (at + 4 >= chunk->len || chunk->data[at + 1] != '%' || at >= parse_state.no_tag)
		return NULL;
	if (at > parse_state.closes) {
		end = memmem(chunk->data + at, (size_t)(chunk->len - at), "%}", 2);
		if (end == NULL) {
			parse_state.no_tag = at;
			return NULL;
		}
		parse_state.closes = (bufsize_t)(end - chunk->data);
	}
	n = tag_scan((struct str){ (char *)chunk->data + at, (size_t)(chunk->len - at) }, &t);
	if (n == 0)
		return NULL;
	cmark_inline_parser_set_offset(ip, at + (bufsize_t)n);
	return inline_node(CM_TAG, chunk->data + at, (bufsize_t)n);
}

static cmark_node *
match_math(cmark_inline_parser *ip, cmark_chunk *chunk, bufsize_t at)
{
	unsigned char *end;

	if (at + 4 >= chunk->len || chunk->data[at + 1] != '$' || at >= parse_state.no_math)
		return NULL;
	end = memmem(chunk->data + at + 2, (size_t)(chunk->len - at - 2), "$$", 2);
	if (end == NULL)
		parse_state.no_math = at;
	if (end == NULL || str_trim((struct str){ (char *)chunk->data + at + 2,
	    (size_t)(end - chunk->data - at - 2) }).n == 0)
		return NULL;
	cmark_inline_parser_set_offset(ip, (int)(end + 2 - chunk->data));
	return inline_node(CM_MATH, chunk->data + at + 2, (bufsize_t)(end - chunk->data - at - 2));
}

/* Match a shortcode. GitBook's git sync escapes the underscores: `:white\_check\_mark:`. */
static cmark_node *
match_emoji(cmark_inline_parser *ip, cmark_chunk *chunk, bufsize_t at)
{
	char name[MAX_EMOJI];
	bufsize_t i;
	size_t n = 0;
	unsigned char c;

	for (i = at + 1; i < chunk->len && n < sizeof(name); i++) {
		c = chunk->data[i];
		/* Skip the backslash; the next iteration takes the underscore. */
		if (c == '\\' && i + 1 < chunk->len && chunk->data[i + 1] == '_')
			continue;
		if (!isalnum(c) && c != '_' && c != '-' && c != '+')
			break;
		name[n++] = (char)c;
	}
	/* No colon ends it, its name is empty or too long, or no emoji has the name. */
	if (i >= chunk->len || chunk->data[i] != ':' || n == 0 || n == sizeof(name) ||
	    emoji_code(parse_state.a, (struct str){ name, n }) == NULL)
		return NULL;
	cmark_inline_parser_set_offset(ip, i + 1);
	return inline_node(CM_EMOJI, (unsigned char *)name, (bufsize_t)n);
}

static cmark_node *
match_inline(cmark_syntax_extension *ext, cmark_parser *parser, cmark_node *parent,
    unsigned char c, cmark_inline_parser *ip)
{
	cmark_chunk *chunk = cmark_inline_parser_get_chunk(ip);
	bufsize_t at = cmark_inline_parser_get_offset(ip);

	(void)ext, (void)parser, (void)parent;
	/* The recorded offsets belong to another block. */
	if (parse_state.chunk != chunk->data) {
		parse_state.chunk = chunk->data;
		parse_state.no_tag = parse_state.no_math = chunk->len;
		parse_state.closes = -1;
	}
	if (c == '{')
		return match_tag(ip, chunk, at);
	if (c == '$')
		return match_math(ip, chunk, at);
	/* cmark calls every extension for every special byte. */
	return c == ':' ? match_emoji(ip, chunk, at) : NULL;
}

/* One per process, never released: cmark keeps a pointer to it in each parser. */
static cmark_syntax_extension *
get_extension(void)
{
	static cmark_syntax_extension *ext;
	/* limit_cmark() cannot be used here, because the list outlives the arena of the current parse. */
	cmark_mem *mem = cmark_get_default_mem_allocator();
	cmark_llist *chars = NULL;

	if (ext != NULL)
		return ext;
	cmark_gfm_core_extensions_ensure_registered();
	ext = cmark_syntax_extension_new("octavo");
	cmark_syntax_extension_set_open_block_func(ext, open_block);
	cmark_syntax_extension_set_match_block_func(ext, match_block);
	cmark_syntax_extension_set_match_inline_func(ext, match_inline);
	chars = cmark_llist_append(mem, chars, (void *)(uintptr_t)'{');
	chars = cmark_llist_append(mem, chars, (void *)(uintptr_t)'$');
	chars = cmark_llist_append(mem, chars, (void *)(uintptr_t)':');
	cmark_syntax_extension_set_special_inline_chars(ext, chars);
	return ext;
}

/* The number of bars in a line. *delimiter: whether it looks like a delimiter row. */
static size_t
count_bars(struct str l, bool *delimiter)
{
	size_t i, bars = 0;

	*delimiter = true;
	for (i = 0; i < l.n; i++) {
		bars += l.p[i] == '|';
		*delimiter = *delimiter && memchr("|:- \t\r\n>", l.p[i], 8) != NULL;
	}
	return bars;
}

/*
 * cmark-gfm fills short rows up to the width of the header, so a few hundred kilobytes could take
 * gigabytes. If more cells are missing than in any real table, or rows are extremely wide, no
 * tables are read in the text.
 */
static bool
are_tables_safe(const struct source *s)
{
	size_t width = 0, filled = 0, bars;
	struct str l;
	bool delimiter;

	if (s->text.n == 0 || memchr(s->text.p, '|', s->text.n) == NULL)
		return true;
	for (size_t n = 1; n <= s->lines; n++) {
		l = source_line(s, n);
		bars = count_bars(l, &delimiter);
		if (str_trim(l).n == 0)
			width = 0;
		else if (delimiter && bars > width)
			width = bars;
		else if (width > bars)
			filled += width - bars;
		if (width > MAX_COLUMNS || filled > MAX_FILLED)
			return false;
	}
	return true;
}

/*
 * Offset after the line at `from`. A line ends with LF, CRLF or a lone CR, as in cmark, so that
 * cmark's line numbers are valid indexes. The last line may have no end.
 */
static size_t
next_line_start(struct str s, size_t from, bool has_cr)
{
	const char *p = memchr(s.p + from, '\n', s.n - from), *cr;
	size_t end = p == NULL ? s.n : (size_t)(p - s.p) + 1;

	cr = has_cr ? memchr(s.p + from, '\r', end - from) : NULL;
	/* CR before LF belongs to the same line end. */
	return cr != NULL && cr + 1 != p ? (size_t)(cr - s.p) + 1 : end;
}

void
md_lines(struct arena *a, struct source *s)
{
	bool has_cr = s->text.n > 0 && memchr(s->text.p, '\r', s->text.n) != NULL;
	size_t at = 0, room = 0;

	for (;;) {
		if (s->lines == room)
			s->starts = arena_grow(a, s->starts, s->lines, &room, sizeof(*s->starts));
		s->starts[s->lines] = at;
		if (at >= s->text.n)
			break;
		at = next_line_start(s->text, at, has_cr);
		s->lines++;
	}
}

/* ---- definitions of links ---- */

/* This byte never occurs in UTF-8, and repair_utf8() has made sure that the text is UTF-8. */
enum { TOKEN = 0xFF };

/*
 * Stores a definition in the arena, since cmark's memory ends with the parse, and sets a token with
 * its number as its address.
 */
static void
take_definition(struct conv *c, cmark_reference *d)
{
	struct md_reference *r = arena_alloc(c->a, sizeof(*r));
	const char *token;

	r->url = (struct str){ arena_strndup(c->a, (const char *)d->url.data, (size_t)d->url.len), (size_t)d->url.len };
	r->title = d->title.len == 0 ? NULL : arena_strndup(c->a, (const char *)d->title.data, (size_t)d->title.len);
	r->label = arena_strdup(c->a, (const char *)d->entry.label);
	r->number = c->reference_count;
	c->references = arena_grow(c->a, c->references, c->reference_count, &c->reference_room,
	    sizeof(*c->references));
	c->references[c->reference_count++] = r;
	token = arena_printf(c->a, "%c%zu", TOKEN, r->number);
	cmark_chunk_set_cstr(limit_cmark(), &d->url, token);
	cmark_chunk_set_cstr(limit_cmark(), &d->title, NULL);
}

/*
 * Replaces the addresses of definitions by tokens before any link is read. cmark parses the
 * definitions of a paragraph at its end, so a blank line is added to end an open paragraph.
 */
static void
take_definitions(struct conv *c, cmark_parser *parser, struct str text)
{
	cmark_map_entry *e;

	if (str_find(text, "]:").p == NULL)
		return;
	/*
	 * cmark holds back an unfinished line until it gets its end. text.n > 0, since "]:" was
	 * found.
	 */
	if (text.p[text.n - 1] != '\n' && text.p[text.n - 1] != '\r')
		cmark_parser_feed(parser, "\n", 1);
	/* Feed it only to a paragraph; in an open code block a blank line would become a line of the code. */
	if (parser->current->type == CMARK_NODE_PARAGRAPH)
		cmark_parser_feed(parser, "\n", 1);
	for (e = parser->refmap->refs; e != NULL; e = e->next)
		take_definition(c, (cmark_reference *)e);
}

/* Only take_definition() writes the byte TOKEN, so the number after it is a valid index. */
const struct md_reference *
md_reference(const struct conv *c, cmark_node *link)
{
	const char *url = cmark_node_get_url(link);

	return url == NULL || (unsigned char)url[0] != TOKEN ? NULL : c->references[strtoul(url + 1, NULL, 10)];
}

/*
 * True if the link may be an autolink, <address>: its text equals its address (for mail, the
 * address without "mailto:").
 */
static bool
is_address(cmark_node *link, struct str url)
{
	cmark_node *n = cmark_node_first_child(link);
	struct str text;

	if (n == NULL || cmark_node_get_type(n) != CMARK_NODE_TEXT || cmark_node_next(n) != NULL)
		return false;
	text = md_literal(n);
	/* The address ends with the text, and nothing or "mailto:" is before it. */
	return url.n >= text.n && str_eq(str_slice(url, url.n - text.n, url.n), text) &&
	    (url.n == text.n || str_eq(str_slice(url, 0, url.n - text.n), STR("mailto:")));
}

bool
md_address(struct conv *c, cmark_node *link, struct str *url, const char **title)
{
	const struct md_reference *r = md_reference(c, link);
	size_t adds;

	if (r == NULL) {
		*url = str_of(cmark_node_get_url(link));
		*title = cmark_node_get_title(link);
		c->by = is_address(link, *url) ? BY_ADDRESS : BY_LINK;
		return true;
	}
	c->by = BY_REFERENCE;
	c->by_reference = r->number;
	adds = r->url.n + (r->title == NULL ? 0 : strlen(r->title));
	if (adds > c->expansion) {
		c->excess = true;
		return false;
	}
	c->expansion -= adds;
	*url = r->url;
	*title = r->title;
	return true;
}

cmark_node *
md_read(struct conv *c, struct source *src, struct str text, size_t base)
{
	static const char *const names[] = { "table", "strikethrough", "tasklist" };
	const char *why = cost_of_markdown(text), *mark;
	cmark_syntax_extension *own = get_extension();
	struct plain_block *plain;
	cmark_parser *parser;
	cmark_node *root;

	if (why != NULL)
		limit_abort(why);
	/*
	 * Footnotes take two more walks over the tree, even if there are none. A single tilde is
	 * text, as in titles: nothing in "1~2 and 3~4" is struck through.
	 */
	parser = cmark_parser_new_with_mem(CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE |
	    (str_find(text, "[^").p != NULL ? CMARK_OPT_FOOTNOTES : 0), limit_cmark());
	memset(src, 0, sizeof(*src));
	src->text = text;
	src->base = base;
	src->no_math = SIZE_MAX;
	md_lines(c->a, src);
	parse_state.a = c->a;
	parse_state.src = src;
	parse_state.chunk = NULL;
	/*
	 * Attach it before the tables: cmark tries extensions in this order, and `table` would take
	 * a tag line with a bar for a row.
	 */
	cmark_parser_attach_syntax_extension(parser, own);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (i > 0 || are_tables_safe(src))
			cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(names[i]));
	cmark_parser_feed(parser, text.p, text.n);
	take_definitions(c, parser, text);
	/* All blocks but open ones are complete; inlines are parsed in the next step. */
	mark = cjk_mark(c->a, parser->root, text);
	plain = plain_prepare(c->a, parser->root);
	root = cmark_parser_finish(parser);
	plain_restore(plain);
	if (mark != NULL)
		cjk_unmark(root, mark);
	cmark_parser_free(parser);
	return root;
}

char
md_custom(cmark_node *n, struct str *content)
{
	/* The union is read directly, because cmark's accessors copy a chunk. */
	cmark_chunk *c = n->type == CMARK_NODE_CUSTOM_BLOCK ? &n->as.custom.on_enter : &n->as.literal;
	int at = n->type == CMARK_NODE_HTML_INLINE;

	if ((n->type != CMARK_NODE_CUSTOM_BLOCK && n->type != CMARK_NODE_HTML_INLINE) || c->len < 1 + at ||
	    (at > 0 && c->data[0] != OWN_INLINE))
		return '\0';
	*content = (struct str){ (char *)c->data + at + 1, (size_t)(c->len - at - 1) };
	if (at == 0 && c->data[0] == CM_MATH)
		*content = str_trim((struct str){ (char *)n->content.ptr, (size_t)n->content.size });
	return (char)c->data[at];
}

bool
md_is_table(cmark_node *n)
{
	/*
	 * cmark numbers the types of extensions after its own, of which this is the last: most
	 * nodes need no comparison of names.
	 */
	return cmark_node_get_type(n) > CMARK_NODE_FOOTNOTE_DEFINITION && strcmp(cmark_node_get_type_string(n), "table") == 0;
}

struct str
md_literal(cmark_node *n)
{
	cmark_chunk *c = n->type == CMARK_NODE_CODE_BLOCK ? &n->as.code.literal : &n->as.literal;

	return c->data == NULL ? STR("") : (struct str){ (char *)c->data, (size_t)c->len };
}

/* A node of our extension in the text of an image: added as typed. */
static void
add_custom_alt(struct buf *b, char kind, struct str content)
{
	const char *around = kind == CM_EMOJI ? ":" : kind == CM_MATH ? "$$" : "";

	buf_str(b, around);
	buf_put(b, content);
	buf_str(b, around);
}

const char *
md_alt_text(struct conv *c, cmark_node *image)
{
	cmark_iter *it = cmark_iter_new(image);
	cmark_event_type ev;
	struct str content;
	struct buf b;
	cmark_node *n;
	const char *s;
	char kind;

	buf_init(&b, c->a, (size_t)1 << 30);
	while ((ev = cmark_iter_next(it)) != CMARK_EVENT_DONE) {
		n = cmark_iter_get_node(it);
		if (ev != CMARK_EVENT_ENTER)
			continue;
		s = cmark_node_get_literal(n);
		if ((kind = md_custom(n, &content)) != '\0')
			add_custom_alt(&b, kind, content);
		else if (s != NULL)
			buf_str(&b, s);
		else if (cmark_node_get_type(n) == CMARK_NODE_SOFTBREAK || cmark_node_get_type(n) == CMARK_NODE_LINEBREAK)
			buf_char(&b, ' ');
	}
	cmark_iter_free(it);
	return b.p;
}
