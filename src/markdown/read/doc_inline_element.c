/* Inlines from gumbo's elements, with the same steps as those from Markdown (doc_inline.c). */
#include <ctype.h>

#include "../doc_parse.h"

/* Text in HTML: white space collapses; shortcodes and formulas work as in Markdown. */
static void
html_text(struct inl *in, struct str s)
{
	struct str rest, code;
	size_t i, from = 0, n;

	for (i = 0; i < s.n; i++) {
		rest = str_slice(s, i, s.n);
		if (isspace((unsigned char)s.p[i]) && !in->pre) {
			for (n = 1; n < rest.n && isspace((unsigned char)rest.p[n]); )
				n++;
			inline_put_text(in, str_slice(s, from, i));
			inline_put_text(in, STR(" "));
			i += n - 1;
			from = i + 1;
		} else if (s.p[i] == ':' && !in->pre && in->count[BIT_CODE] == 0) {
			for (n = 1; n < rest.n && n < 40 && (isalnum((unsigned char)rest.p[n]) || strchr("_+-", rest.p[n]) != NULL); )
				n++;
			code = str_slice(rest, 1, n);
			/* Not ":name:", or no emoji has the name: the colon is text. */
			if (n < 2 || n >= rest.n || rest.p[n] != ':' || emoji_code(in->c->a, code) == NULL)
				continue;
			inline_put_text(in, str_slice(s, from, i));
			inline_put_emoji(in, emoji_code(in->c->a, code));
			i += n;
			from = i + 1;
		} else if (s.p[i] == '$' && rest.n > 4 && rest.p[1] == '$' && !in->pre && in->count[BIT_CODE] == 0) {
			code = str_find(str_slice(rest, 2, rest.n), "$$");
			n = code.p == NULL ? 0 : (size_t)(code.p - rest.p);
			/* Without an end, or with nothing in between, the signs are text. */
			if (n < 3 || str_trim(str_slice(rest, 2, n)).n == 0) {
				i++;
				continue;
			}
			inline_put_text(in, str_slice(s, from, i));
			inline_put_math(in, str_slice(rest, 2, n));
			i += n + 1;
			from = i + 1;
		}
	}
	inline_put_text(in, str_slice(s, from, s.n));
}

/*
 * Reads an element that is unknown or no inline. Of a block the children are added, separated from
 * the words around it; an unknown element keeps its tags as source around the children.
 */
static void
read_other_element(struct inl *in, const GumboNode *n, struct str tag)
{
	bool parts = html_parts_text(html_class(html_name(n))) && inline_media(html_name(n)) == NULL;
	const GumboVector *children = &n->v.element.children;

	if (parts)
		inline_separate(in);
	else if (tag.p != NULL && tag.n > 0)
		inline_put_raw(in, tag);
	for (unsigned i = 0; i < children->length; i++)
		inline_element(in, children->data[i]);
	tag = html_end_tag(n);
	if (parts)
		inline_separate(in);
	else if (tag.p != NULL && tag.n > 0)
		inline_put_raw(in, tag);
	else if (html_is(n, "rt"))
		inline_put_text(in, STR(")"));
}

/* Convert a gumbo node with its content. */
void
inline_element(struct inl *in, const GumboNode *n)
{
	const GumboVector *children;
	bool open_media;
	struct str name;

	if (n->type == GUMBO_NODE_TEXT || n->type == GUMBO_NODE_WHITESPACE || n->type == GUMBO_NODE_CDATA)
		html_text(in, str_of(n->v.text.text));
	if (n->type == GUMBO_NODE_COMMENT && n->v.text.original_text.data != NULL)
		inline_put_raw(in, (struct str){ n->v.text.original_text.data, n->v.text.original_text.length });
	if (n->type != GUMBO_NODE_ELEMENT || n == in->c->box)
		return;
	name = html_name(n);
	if (!inline_enter(in, n, name)) {
		read_other_element(in, n, (struct str){ n->v.element.original_tag.data, n->v.element.original_tag.length });
		return;
	}
	/*
	 * Without an end tag, gumbo takes all that follows the video for its content: read it after
	 * the video instead.
	 */
	open_media = inline_media(name) != NULL && html_end_tag(n).n == 0;
	if (open_media)
		inline_leave(in, name);
	children = &n->v.element.children;
	for (unsigned i = 0; i < children->length; i++)
		inline_element(in, children->data[i]);
	if (!str_is_nocase(name, "img") && !open_media)
		inline_leave(in, name);
}
