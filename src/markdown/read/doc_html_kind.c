/* Kinds of HTML elements in a document: picture, heading, box, block. Contract: doc_parse.h. */
#include <strings.h>

#include "../doc_parse.h"

/* The only child that is not white space; NULL if there is none, or several. */
static const GumboNode *
lone_child(const GumboNode *n)
{
	const GumboVector *v = &n->v.element.children;
	const GumboNode *lone = NULL;

	for (unsigned i = 0; i < v->length; i++)
		if (!html_blank(v->data[i])) {
			if (lone != NULL)
				return NULL;
			lone = v->data[i];
		}
	return lone;
}

/*
 * True for a <figure> of one image, outside of links and other blocks. Any other figure is a box.
 */
bool
html_is_image_figure(const GumboNode *n)
{
	const GumboVector *v = &n->v.element.children;
	const GumboNode *x;
	unsigned images = 0;

	if (!html_is(n, "figure"))
		return false;
	for (unsigned i = 0; i < v->length; i++) {
		x = v->data[i];
		/* Boxes and <p> around the image may be dropped; a link, words or a table may not. */
		while (x->type == GUMBO_NODE_ELEMENT && (html_is(x, "div") || html_is(x, "p") || html_is(x, "center")) &&
		    lone_child(x) != NULL)
			x = lone_child(x);
		if (html_is(x, "img") || html_is(x, "picture"))
			images++;
		else if (!html_blank(x) && !html_is(x, "figcaption"))
			return false;
	}
	return images == 1 && html_child(n, "img") != NULL;
}

/* True for images that are blocks. */
bool
html_is_image(const GumboNode *n)
{
	return html_is_image_figure(n) || (html_is(n, "picture") && html_child(n, "img") != NULL) ||
	    (html_is(n, "img") && html_attr(n, "data-size") == NULL && html_attr(n, "src") != NULL);
}

/* 1 to 6; 0 if it is no heading. */
int
html_heading_level(const GumboNode *n)
{
	struct str s;

	if (n->type != GUMBO_NODE_ELEMENT)
		return 0;
	s = html_name(n);
	return s.n == 2 && (s.p[0] == 'h' || s.p[0] == 'H') && s.p[1] >= '1' && s.p[1] <= '6' ? s.p[1] - '0' : 0;
}

/* True for a wrapper or paragraph that contains only images. */
bool
html_is_gallery(const GumboNode *n)
{
	const GumboVector *v = &n->v.element.children;
	bool some = false;

	if (!html_is(n, "div") && !html_is(n, "p"))
		return false;
	for (unsigned i = 0; i < v->length; i++) {
		/* A gallery would lose a caption or a word beside the images. */
		if (!html_blank(v->data[i]) && !html_is_image(v->data[i]))
			return false;
		some = some || html_is_image(v->data[i]);
	}
	return some;
}

/*
 * True for the form in which hints are written where tags are impossible (docs/design/markdown.md,
 * "Retired forms").
 */
bool
html_is_hint(const GumboNode *n)
{
	const char *tag = html_is(n, "div") ? html_attr(n, "data-tag") : NULL;

	return tag != NULL && strcmp(tag, "hint") == 0;
}

const char *
html_media(const GumboNode *n)
{
	const char *src = html_attr(n, "src");
	const GumboNode *source;

	if (src == NULL && n->type == GUMBO_NODE_ELEMENT && (source = html_child(n, "source")) != NULL)
		src = html_attr(source, "src");
	if (src == NULL || *src == '\0')
		return NULL;
	if (strncasecmp(src, "https://", 8) == 0 || strncasecmp(src, "http://", 7) == 0 || strncmp(src, "//", 2) == 0)
		return src;
	/*
	 * An <iframe> with a javascript: or data: address stays source. So does one of a relative
	 * address: it would show a file of the space as a page.
	 */
	return html_is(n, "iframe") || spelling_absolute(str_of(src)) ? NULL : src;
}

bool
html_is_media(const GumboNode *n)
{
	return (html_is(n, "iframe") || html_is(n, "video") || html_is(n, "audio")) && html_media(n) != NULL;
}

/*
 * True for an element that only groups others: the tree has no node for it, and its blocks take its
 * place. Not for parts of a list or table.
 */
bool
html_is_box(const GumboNode *n)
{
	enum html_class class;

	if (n->type != GUMBO_NODE_ELEMENT)
		return false;
	class = html_class(html_name(n));
	if (class == HTML_BOX || class == HTML_PART)
		return !html_is_gallery(n) && !html_is_hint(n);
	/* Elements that usually have a node, but lack what the node needs: an image, an item, an address. */
	return html_is(n, "summary") || (html_is(n, "figure") && !html_is_image_figure(n)) ||
	    ((html_is(n, "ul") || html_is(n, "ol")) && html_child(n, "li") == NULL) ||
	    (html_is(n, "picture") && html_child(n, "img") == NULL) ||
	    ((html_is(n, "video") || html_is(n, "audio")) && html_media(n) == NULL && html_attr(n, "src") == NULL);
}

/* Each of these has a case in read_block(). */
bool
html_is_block(const GumboNode *n)
{
	static const char *const names[] = { "table", "p", "ul", "ol", "pre", "blockquote", "hr", "details" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (html_is(n, names[i]))
			return !html_is_box(n);
	return html_is_image(n) || html_heading_level(n) > 0 || html_is_gallery(n) || html_is_hint(n) || html_is_media(n);
}
