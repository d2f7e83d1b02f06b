/* Writes the document tree as Markdown, in the style of the service: blocks. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "doc_write.h"

/* before is the previous block of the same container (NULL for the first): choose_marker() needs it for lists. */
static void write_block(struct writer *w, const struct doc_node *n, const struct doc_node *before);

/*
 * All output goes through this function, so that every line gets its prefix. A blank line gets the
 * prefix without the blanks at its end, since Markdown needs only ">" there.
 */
void
w_put(struct writer *w, struct str s)
{
	size_t i, from;
	size_t blank = w->prefix.n;

	for (from = 0; from < s.n; from = i) {
		for (i = from; i < s.n && s.p[i] != '\n'; )
			i++;
		if (w->bol) {
			while (i == from && blank > 0 && w->prefix.p[blank - 1] == ' ')
				/* This length is computed once, for all blank lines of s. */
				blank--;
			buf_add(w->out, w->prefix.p, i == from ? blank : w->prefix.n);
			w->bol = false;
		}
		if (i < s.n) {
			i++;
			w->bol = true;
		}
		buf_add(w->out, s.p + from, i - from);
	}
}

void
w_str(struct writer *w, const char *s)
{
	w_put(w, str_of(s));
}

/* Uses w_put(), so that line feeds in the arguments get the prefix too. */
void
w_printf(struct writer *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	w_str(w, arena_vprintf(w->a, fmt, ap));
	va_end(ap);
}

/*
 * Returns a target as text: the caller's spelling; without one, the spelling that was parsed;
 * without that, a path under /broken/ or the bare id.
 */
const char *
w_target(struct writer *w, const struct doc_target *t, enum doc_use use)
{
	const struct doc_ref *r = &t->ref;
	const char *id = r->id != NULL ? r->id : "", *hash = r->anchor != NULL ? r->anchor : "";
	/* An empty anchor (not NULL) is still written as "#". */
	const char *sign = r->anchor != NULL ? "#" : "";
	struct buf b;

	if (r->kind == REF_URL || r->kind == REF_NONE)
		/* URLs need no lookup: they mean the same on every page. */
		return r->url != NULL ? r->url : "";
	if (r->kind == REF_ANCHOR && r->id == NULL && r->space == NULL)
		return arena_printf(w->a, "#%s", hash);
	/* The caller's spelling comes first: the page may be written to another path than it was read from. */
	if (w->refs != NULL && w->refs->spell != NULL) {
		buf_init(&b, w->a, (size_t)1 << 26);
		if (w->refs->spell(w->refs->ctx, w->a, r, use, &b))
			return b.p;
	}
	if (t->spelling != NULL)
		return t->spelling;
	switch (r->kind) {
	case REF_FILE:
	case REF_REUSABLE:
	case REF_TAG:
		return id;
	case REF_SPACE:
		return arena_printf(w->a, "/broken/spaces/%s", id);
	case REF_PAGE:
	case REF_ANCHOR:
		if (r->space != NULL)
			return arena_printf(w->a, "/broken/spaces/%s/pages/%s%s%s", r->space, id, sign, hash);
		return arena_printf(w->a, "/broken/pages/%s%s%s", id, sign, hash);
	case REF_USER:
		return arena_printf(w->a, "/broken/users/%s", id);
	default:
		return arena_printf(w->a, "/broken/%s", id);
	}
}

const char *
w_target_of(struct writer *w, const struct doc_node *n, const char *name, enum doc_use use)
{
	const struct doc_attr *x = doc_attr(n, name);

	return x == NULL || x->kind != ATTR_REF ? "" : w_target(w, x->v.target, use);
}

/* Returns the whole target where the path has no last component ("/"). */
const char *
w_label(struct writer *w, const char *target)
{
	const char *end = target + strcspn(target, "?#"), *from;

	while (end > target && end[-1] == '/')
		end--;
	for (from = end; from > target && from[-1] != '/'; )
		from--;
	return from == end ? target : arena_strndup(w->a, from, (size_t)(end - from));
}

void
w_attr(struct writer *w, const char *name, const char *value)
{
	struct buf b;

	buf_init(&b, w->a, (size_t)1 << 26);
	doc_quote(&b, str_of(value), PLACE_QUOTED);
	/*
	 * Write "<" and "{" as entities: tags of the dialect, and tags such as <details>, are
	 * recognised by scans of the text (doc_scan.c, doc_cmark.c), also inside attribute values.
	 */
	w_printf(w, " %s=\"", name);
	for (struct str s = buf_view(&b); s.n > 0; s = str_slice(s, 1, s.n))
		w_put(w, s.p[0] == '<' ? STR("&#x3C;") : s.p[0] == '{' ? STR("&#x7B;") : str_slice(s, 0, 1));
	w_str(w, "\"");
}

void
w_tag_attr(struct writer *w, const char *name, const char *value)
{
	struct buf b;

	buf_init(&b, w->a, (size_t)1 << 26);
	doc_quote(&b, str_of(value), PLACE_TAG);
	w_printf(w, " %s=\"", name);
	w_put(w, buf_view(&b));
	w_str(w, "\"");
}

/* Writes attributes of the node in the order of its field table, under the names that the tag uses. */
void
w_tag_attrs(struct writer *w, const struct doc_node *n, const char *names)
{
	const struct doc_attr *x;

	for (x = n->attrs; x != NULL; x = x->next) {
		if (!doc_in_set(names, x->name))
			continue;
		if (x->kind == ATTR_STRING)
			w_tag_attr(w, x->name, x->v.s);
		else if (x->kind == ATTR_BOOL)
			w_tag_attr(w, x->name, x->v.b ? "true" : "false");
		else if (x->kind == ATTR_NUMBER)
			w_tag_attr(w, x->name, arena_printf(w->a, "%.0f", x->v.n));
	}
}

/* Returns the shortest text that parses to the same number. */
const char *
w_number(struct writer *w, double v)
{
	struct buf b;
	struct json j;

	buf_init(&b, w->a, 64);
	json_init(&j, &b);
	json_num(&j, v);
	return b.p;
}

const char *
w_length(struct writer *w, const struct doc_node *n, const char *name)
{
	const struct doc_attr *x = doc_attr(n, name);
	const cJSON *value, *unit;
	const char *s = NULL;
	cJSON *o;

	if (x == NULL || x->kind != ATTR_JSON || x->v.s[0] != '{')
		return x == NULL ? NULL : x->v.s;
	/*
	 * The parser (make_column() of doc_tags.c) or the reader (doc_read.c) has written this
	 * JSON, so it is valid.
	 */
	o = cJSON_Parse(x->v.s);
	value = cJSON_GetObjectItemCaseSensitive(o, "value");
	unit = cJSON_GetObjectItemCaseSensitive(o, "unit");
	if (cJSON_IsNumber(value) && cJSON_IsString(unit))
		s = arena_printf(w->a, "%s%s", w_number(w, value->valuedouble), unit->valuestring);
	cJSON_Delete(o);
	return s;
}

/* True if the block is written as an HTML block, which only a blank line ends. */
static bool
ends_in_html(const struct doc_node *n)
{
	switch (n == NULL ? DOC_ROOT : n->type) {
	case DOC_IMAGES:
	case DOC_DRAWING:
	case DOC_TABLE:
	case DOC_EXPANDABLE:
		return true;
	case DOC_PARAGRAPH:
		return doc_attr(n, "align") != NULL || (n->child != NULL && (n->child->raw.p != NULL ||
		    (n->child == n->last && n->child->type == DOC_INLINE_IMAGE)));
	case DOC_HEADING_1:
	case DOC_HEADING_2:
	case DOC_HEADING_3:
		return doc_attr(n, "align") != NULL;
	default:
		return false;
	}
}

/* Writes the children of a tag and its end tag, each on lines of their own. */
static void
write_tag_body(struct writer *w, const struct doc_node *n, const char *name)
{
	w_str(w, " %}\n");
	if (n->child != NULL) {
		w_blocks(w, n->child);
		w_str(w, ends_in_html(n->last) ? "\n\n" : "\n");
	}
	w_printf(w, "{%% end%s %%}", name);
}

/* Writes a tag whose children are tags too, with a blank line between them. */
static void
write_tag_children(struct writer *w, const struct doc_node *n, const char *name)
{
	const struct doc_node *c;

	w_str(w, " %}\n");
	for (c = n->child; c != NULL; c = c->next) {
		write_block(w, c, NULL);
		w_str(w, c->next != NULL ? "\n\n" : "\n");
	}
	w_printf(w, "{%% end%s %%}", name);
}

/* heading-1 is "##": only the page's title is "#" (docs/design/markdown.md, "Headings"). */
int
w_level(const struct doc_node *n)
{
	const struct doc_attr *level = doc_attr(n, "level");

	if (level != NULL && level->kind == ATTR_NUMBER && level->v.n >= 5 && level->v.n <= 6)
		return (int)level->v.n;
	return 2 + (int)(n->type - DOC_HEADING_1);
}

static void
write_heading(struct writer *w, const struct doc_node *n)
{
	/*
	 * Anchors are generated in reading order, as in doc_anchors(), to know which anchor the
	 * title gets by itself: that one need not be written.
	 */
	int h = w_level(n);
	const char *align = doc_attr_str(n, "align"), *own = anchor_auto(w->anchors, n);
	/*
	 * An id that equals the generated anchor is not written: if it were, the anchor would no
	 * longer change with the title.
	 */
	bool named = n->anchor != NULL && strcmp(n->anchor, own) != 0;

	anchor_use(w->anchors, n->anchor != NULL ? n->anchor : own);
	if (align != NULL) {
		w_printf(w, "<h%d align=\"%s\"", h, strcmp(align, "start") == 0 ? "left" : strcmp(align, "end") == 0 ? "right" : align);
		if (named)
			w_attr(w, "id", n->anchor);
		w_str(w, ">");
		w_inlines_html(w, n);
		w_printf(w, "</h%d>", h);
		return;
	}
	/* w_level() returns 2 to 6, so six "#" are enough. */
	w_printf(w, "%.*s%s", h, "######", n->child != NULL ? " " : "");
	/* A heading is one line in Markdown, so line breaks in it become <br>. */
	w->one_line = true;
	w_inlines(w, n);
	w->one_line = false;
	if (named) {
		w_str(w, " <a");
		w_attr(w, "href", arena_printf(w->a, "#%s", n->anchor));
		w_attr(w, "id", n->anchor);
		w_str(w, "></a>");
	}
}

/* Markdown has no syntax for alignment, so an aligned paragraph is written as HTML. */
static void
write_paragraph(struct writer *w, const struct doc_node *n)
{
	const char *align = doc_attr_str(n, "align");

	if (align == NULL) {
		w_inlines(w, n);
		return;
	}
	w_printf(w, "<p align=\"%s\">", strcmp(align, "start") == 0 ? "left" : strcmp(align, "end") == 0 ? "right" : align);
	w_inlines_html(w, n);
	w_str(w, "</p>");
}

size_t
w_push(struct writer *w, const char *prefix)
{
	size_t n = w->prefix.n;

	buf_str(&w->prefix, prefix);
	return n;
}

void
w_pop(struct writer *w, size_t n)
{
	buf_cut(&w->prefix, w->prefix.n - n);
}

/* True for lists of all three types. */
static bool
is_list(const struct doc_node *n)
{
	return n->type == DOC_LIST_UNORDERED || n->type == DOC_LIST_ORDERED || n->type == DOC_LIST_TASKS;
}

/* True if the item holds one block, or a paragraph and then lists that need no blank line before them. */
static bool
is_tight(const struct doc_node *item)
{
	const struct doc_node *n = item->child, *prev = n;

	if (n == NULL || n->next == NULL)
		return true;
	/* Only a paragraph may have a block directly after it without a blank line. */
	if (n->type != DOC_PARAGRAPH || n->child == NULL || ends_in_html(n))
		return false;
	for (n = n->next; n != NULL; prev = n, n = n->next) {
		/*
		 * A list may interrupt a paragraph only if its first item is not empty and, for an
		 * ordered list, only if it begins with 1 (CommonMark 5.3).
		 */
		if (!is_list(n) || is_list(prev) || n->child->child->type != DOC_PARAGRAPH ||
		    n->child->child->child == NULL || (n->type == DOC_LIST_ORDERED && doc_attr(n, "start") != NULL))
			return false;
	}
	return true;
}

/* Lines after the first are indented by the width of the marker, so that they belong to the item. */
static void
write_item(struct writer *w, const struct doc_node *n, const char *marker)
{
	bool tight = is_tight(n);
	const struct doc_attr *task = doc_attr(n, "checked");
	const struct doc_node *c = n->child;
	size_t was, width = strlen(marker) + 1;

	w_str(w, marker);
	/*
	 * If an item has several blocks, the published service pads its marker to a width of 4
	 * (docs/design/markdown.md, "Lists").
	 */
	width = !tight && width < 4 ? 4 : width;
	/* An empty paragraph before other blocks cannot be written in Markdown. */
	if (c != NULL && c->next != NULL && c->type == DOC_PARAGRAPH && c->child == NULL)
		c = c->next;
	/* An empty item is its marker alone, without trailing blanks, which are noise in a diff. */
	if (c != NULL && (task != NULL || c->type != DOC_PARAGRAPH || c->child != NULL))
		w_printf(w, "%*s", (int)(width - strlen(marker)), "");
	if (task != NULL)
		w_str(w, task->v.b ? "[x] " : "[ ] ");
	was = w_push(w, arena_printf(w->a, "%*s", (int)width, ""));
	/* "* ***" is parsed as one divider and not as an item that holds a divider. */
	if (c != NULL && c->type == DOC_DIVIDER && marker[0] == '*') {
		w_str(w, "---");
		if ((c = c->next) != NULL)
			w_str(w, "\n\n");
	}
	if (tight && c != NULL) {
		write_block(w, c, NULL);
		for (; c->next != NULL; c = c->next) {
			w_str(w, "\n");
			write_block(w, c->next, c);
		}
	} else
		w_blocks(w, c);
	w_pop(w, was);
}

/*
 * Returns the marker of a list. Neighbouring lists of the same kind need different markers, or they
 * would be parsed as one list.
 */
static char
choose_marker(const struct doc_node *n, const struct doc_node *before, char last)
{
	bool ordered = n->type == DOC_LIST_ORDERED;

	if (before == NULL || !is_list(before) || (before->type == DOC_LIST_ORDERED) != ordered)
		return ordered ? '.' : '*';
	return ordered ? (last == '.' ? ')' : '.') : (last == '*' ? '-' : '*');
}

static void
write_list(struct writer *w, const struct doc_node *n, char marker)
{
	const struct doc_attr *start = doc_attr(n, "start");
	long number = start != NULL && start->kind == ATTR_NUMBER ? (long)start->v.n : 1;
	const struct doc_node *c;

	/* Markdown numbers items by itself, but readers of the source see these numbers. */
	for (c = n->child; c != NULL; c = c->next, number++) {
		write_item(w, c, n->type == DOC_LIST_ORDERED ? arena_printf(w->a, "%ld%c", number, marker)
		    : marker == '*' ? "*" : "-");
		w_str(w, c->next != NULL ? "\n" : "");
	}
}

/* The title is written as HTML between HTML tags; the body is Markdown. */
static void
write_expandable(struct writer *w, const struct doc_node *n)
{
	const struct doc_node *title = doc_fragment_of(n, "expandable-title");
	const struct doc_node *body = doc_fragment_of(n, "expandable-body");

	/* Blank lines around the title and the body make the parser read them as Markdown (CommonMark 4.6). */
	w_str(w, doc_attr_bool(n, "defaultExpanded") ? "<details open>" : "<details>");
	w_str(w, "\n\n<summary>");
	if (title != NULL && title->child != NULL)
		w_inlines_html(w, title->child);
	w_str(w, "</summary>\n\n");
	if (body != NULL && body->child != NULL) {
		w_blocks(w, body->child);
		w_str(w, "\n\n");
	}
	w_str(w, "</details>");
}

/* Writes a caption between a void tag and its end tag. */
static void
write_caption(struct writer *w, const struct doc_node *n, const char *name)
{
	const struct doc_node *f = doc_fragment_of(n, "caption");

	if (f == NULL || f->child == NULL)
		return;
	w_str(w, "\n");
	w_blocks(w, f->child);
	w_printf(w, "\n{%% end%s %%}", name);
}

/* Writes {% name attr %} and its end tag, with a generated link between them. */
static void
write_link_tag(struct writer *w, const char *name, const char *label, const char *target)
{
	struct buf b;

	w_str(w, " %}\n[");
	w->in_link = true;
	w_text(w, label);
	w->in_link = false;
	buf_init(&b, w->a, (size_t)1 << 26);
	doc_quote(&b, str_of(target), PLACE_BARE);
	w_str(w, "](");
	w_put(w, buf_view(&b));
	w_printf(w, ")\n{%% end%s %%}", name);
}

/* The form with src= is the old swagger block; the other forms name a specification by its slug. */
static void
write_openapi(struct writer *w, const struct doc_node *n)
{
	const char *name = doc_kinds[n->type].name, *src;
	struct buf b;

	if (n->type == DOC_SWAGGER) {
		src = w_target_of(w, n, "ref", USE_OPENAPI);
		w_str(w, "{% openapi");
		w_tag_attr(w, "src", src);
		w_tag_attrs(w, n, "path,method,expanded,fullWidth");
		write_link_tag(w, "openapi", src, src);
		return;
	}
	w_printf(w, "{%% %s", name);
	w_tag_attr(w, "spec", doc_attr(n, "ref")->v.target->ref.id);
	if (n->type == DOC_OPENAPI_SCHEMAS) {
		buf_init(&b, w->a, (size_t)1 << 24);
		buf_str(&b, "");
		doc_list_join(&b, doc_attr(n, "schemas")->v.list);
		w_tag_attr(w, "schemas", b.p);
	}
	w_tag_attrs(w, n, "name,path,method,grouped,title,headless");
	w_str(w, " %}\nOpenAPI ");
	w_text(w, doc_attr(n, "ref")->v.target->ref.id);
	w_printf(w, "\n{%% end%s %%}", name);
}

/* Props that are not strings are written as their JSON text, and parsed as strings. */
static void
write_integration(struct writer *w, const struct doc_node *n)
{
	/* make_integration() (doc_tags.c) or value_text() (doc_read.c) wrote this JSON, so it is valid. */
	cJSON *props = cJSON_Parse(n->props != NULL ? n->props : "{}"), *x;
	const char *block_name = doc_attr_str(n, "block");
	char *text;

	w_printf(w, "{%% @%s%s%s", doc_attr_str(n, "integration"), *block_name != '\0' ? "/" : "", block_name);
	for (x = props == NULL ? NULL : props->child; x != NULL; x = x->next) {
		if (cJSON_IsString(x)) {
			w_tag_attr(w, x->string, x->valuestring);
			continue;
		}
		text = cJSON_PrintUnformatted(x);
		w_tag_attr(w, x->string, text != NULL ? text : "");
		cJSON_free(text);
	}
	cJSON_Delete(props);
	w_tag_attrs(w, n, "url,fullWidth");
	w_str(w, " %}");
}

/* Midnight UTC is written as a date alone, as in the dialect; any other time is written in full. */
static void
write_update(struct writer *w, const struct doc_node *n)
{
	const char *date = doc_attr_str(n, "date");
	const struct doc_attr *tags = doc_attr(n, "tags");
	size_t day = strcspn(date, "T");
	struct buf b;

	w_str(w, "{% update");
	w_tag_attr(w, "date", strcmp(date + day, "T00:00:00.000Z") == 0 ? arena_strndup(w->a, date, day) : date);
	if (tags != NULL && tags->v.list != NULL) {
		buf_init(&b, w->a, (size_t)1 << 24);
		doc_list_join(&b, tags->v.list);
		w_tag_attr(w, "tags", b.p);
	}
	write_tag_body(w, n, "update");
}

/* Writes a tag around blocks; its attributes have the same names in the field table. */
static void
write_block_tag(struct writer *w, const struct doc_node *n, const char *name, const char *attrs)
{
	w_printf(w, "{%% %s", name);
	w_tag_attrs(w, n, attrs);
	if (doc_kinds[n->type].content == HAS_CHILDREN && n->type != DOC_PROMPT)
		write_tag_children(w, n, name);
	else
		write_tag_body(w, n, name);
}

/*
 * Writes a column of {% columns %}. The width is JSON in the tree, and the alignment has another
 * name in the tag.
 */
static void
write_column(struct writer *w, const struct doc_node *n)
{
	const char *width = w_length(w, n, "width"), *align = doc_attr_str(n, "verticalAlignment");

	w_str(w, "{% column");
	if (width != NULL)
		w_tag_attr(w, "width", width);
	if (align != NULL)
		w_tag_attr(w, "valign", align);
	write_tag_body(w, n, "column");
}

/*
 * Writes a quote. The caller has begun the first line, so its "> " is written here and not by the
 * prefix.
 */
static void
write_quote(struct writer *w, const struct doc_node *n)
{
	size_t was;

	w_str(w, "> ");
	was = w_push(w, "> ");
	w_blocks(w, n->child);
	w_pop(w, was);
}

/* Writes the reference if it is a file of the space, else the URL that is stored beside it. */
static void
write_drawing(struct writer *w, const struct doc_node *n)
{
	const char *url = doc_attr_str(n, "url");

	w_str(w, "<img");
	w_attr(w, "src", doc_attr(n, "ref") != NULL || url == NULL ?
	    w_target_of(w, n, "ref", USE_FILE) : url);
	w_attr(w, "alt", doc_attr_str(n, "alt") != NULL ? doc_attr_str(n, "alt") : "");
	w_str(w, " class=\"gitbook-drawing\">");
}

/* Writes blocks that consist of one tag or one element. */
static void
write_void_block(struct writer *w, const struct doc_node *n)
{
	const char *target;

	switch (n->type) {
	case DOC_DIVIDER:
		w_str(w, "***");
		break;
	case DOC_MATH:
		w_printf(w, "$$\n%s\n$$", doc_attr_str(n, "formula"));
		break;
	case DOC_DRAWING:
		write_drawing(w, n);
		break;
	case DOC_EMBED:
		w_str(w, "{% embed");
		w_tag_attrs(w, n, "url,fullWidth");
		w_str(w, " %}");
		write_caption(w, n, "embed");
		break;
	case DOC_FILE:
		w_str(w, "{% file");
		w_tag_attr(w, "src", w_target_of(w, n, "ref", USE_FILE));
		w_str(w, " %}");
		write_caption(w, n, "file");
		break;
	case DOC_CONTENT_REF:
		target = w_target_of(w, n, "ref", USE_LINK);
		w_str(w, "{% content-ref");
		w_tag_attr(w, "url", target);
		write_link_tag(w, "content-ref", w_label(w, target), target);
		break;
	case DOC_REUSABLE:
		w_str(w, "{% include \"");
		struct buf b;
		buf_init(&b, w->a, (size_t)1 << 26);
		doc_quote(&b, str_of(w_target_of(w, n, "ref", USE_INCLUDE)), PLACE_TAG);
		w_put(w, buf_view(&b));
		w_str(w, "\" %}");
		break;
	case DOC_INTEGRATION:
		write_integration(w, n);
		break;
	default:
		write_openapi(w, n);
	}
}

static void
write_block(struct writer *w, const struct doc_node *n, const struct doc_node *before)
{
	switch (n->type) {
	case DOC_PARAGRAPH:
		write_paragraph(w, n);
		break;
	case DOC_HEADING_1: case DOC_HEADING_2: case DOC_HEADING_3:
		write_heading(w, n);
		break;
	case DOC_LIST_UNORDERED: case DOC_LIST_ORDERED: case DOC_LIST_TASKS:
		/* Nested lists change w->marker. Restore it afterwards: the next list must differ from this one. */
		w->marker = choose_marker(n, before, w->marker);
		char own = w->marker;
		write_list(w, n, own);
		w->marker = own;
		break;
	case DOC_BLOCKQUOTE:   write_quote(w, n); break;
	case DOC_CODE:         w_code(w, n); break;
	case DOC_IMAGES:       w_images(w, n); break;
	case DOC_TABLE:        w_table(w, n); break;
	case DOC_EXPANDABLE:   write_expandable(w, n); break;
	case DOC_HINT:         write_block_tag(w, n, "hint", "style,icon"); break;
	case DOC_TABS:         write_block_tag(w, n, "tabs", "fullWidth"); break;
	case DOC_TABS_ITEM:    write_block_tag(w, n, "tab", "title,icon,slug"); break;
	case DOC_STEPPER:      write_block_tag(w, n, "stepper", ""); break;
	case DOC_STEPPER_STEP: write_block_tag(w, n, "step", "icon,color"); break;
	case DOC_COLUMNS:      write_block_tag(w, n, "columns", "fullWidth"); break;
	case DOC_COLUMN:       write_column(w, n); break;
	case DOC_UPDATES:      write_block_tag(w, n, "updates", "format"); break;
	case DOC_UPDATE:       write_update(w, n); break;
	case DOC_PROMPT:
		write_block_tag(w, n, "prompt", "description,icon,openInAIProviders,defaultExpanded");
		break;
	case DOC_IF:
		w_printf(w, "{%% if %s", doc_attr_str(n, "expression"));
		write_tag_body(w, n, "if");
		break;
	default:
		write_void_block(w, n);
	}
}

/* True for an empty paragraph, which Markdown cannot represent. */
static bool
is_empty(const struct doc_node *n)
{
	return n->type == DOC_PARAGRAPH && n->child == NULL;
}

/* Writes blank lines between blocks only: the caller separates them from what is before and after. */
void
w_blocks(struct writer *w, const struct doc_node *first)
{
	const struct doc_node *n, *before = NULL;

	for (n = first; n != NULL; n = n->next) {
		/*
		 * Markdown has no empty paragraphs. before stays the same, since only neighbours in
		 * the output count.
		 */
		if (is_empty(n))
			continue;
		if (before != NULL)
			w_str(w, "\n\n");
		write_block(w, n, before);
		before = n;
	}
}

/* Appends to out; an empty document appends nothing. Scratch memory is in the document's arena. */
void
doc_markdown(struct buf *out, const struct doc *d, const struct doc_refs *refs)
{
	struct writer w = { .a = d->arena, .out = out, .refs = refs, .bol = true };

	w.notes_end = &w.notes;
	w.start = out->n;
	w.anchors = anchor_set_new(d->arena);
	/* There are at most 48 levels of a few blanks each, which is far below this limit. */
	buf_init(&w.prefix, d->arena, 65536);
	w_labels(&w, d->root);
	w_blocks(&w, d->root->child);
	w_notes(&w);
	if (out->n > w.start)
		w_str(&w, "\n");
}
