/*
 * Writes titles as Markdown. Only what layout_inline_parse() would otherwise read in another way is
 * escaped. Contract: write.h, layout_parts.h.
 */
#include <ctype.h>
#include <string.h>

#include "markdown/document.h"
#include "layout_parts.h"

/* True if an entity begins at s. "R&D" contains none (CommonMark 2.5). */
static bool
begins_entity(const char *s)
{
	size_t n = 1;

	while (isalnum((unsigned char)s[n]) || s[n] == '#')
		n++;
	return n > 1 && s[n] == ';';
}

/* True if title[at] must be escaped. id: offset of what looks like a "{#id}" at the end. */
static bool
needs_escape(const char *title, size_t at, size_t id)
{
	const char *code;

	switch (title[at]) {
	case '&':
		return begins_entity(title + at);
	case ':':
		return layout_shortcode(NULL, title, at, &code) > 0;
	case '{':
		return at == id;
	case '#':
		/* # at the end would close a heading (CommonMark 4.2). */
		return title[at + 1] == '\0';
	default:
		return strchr("\\`*_[]<>~", title[at]) != NULL;
	}
}

void
title_write(struct buf *out, const char *title)
{
	size_t id = heading_id(str_of(title)), i;

	for (i = 0; title[i] != '\0'; i++) {
		if (needs_escape(title, i, id))
			buf_char(out, '\\');
		/* A title is one line. */
		buf_char(out, (unsigned char)title[i] < ' ' ? ' ' : title[i]);
	}
}

void
link_title_write(struct buf *out, const char *title)
{
	for (; *title != '\0'; title++) {
		/* cmark decodes entities before escapes here, so a backslash would not prevent it. */
		if (*title == '&' && begins_entity(title)) {
			buf_str(out, "&#x26;");
			continue;
		}
		if (strchr("\\\"", *title) != NULL)
			buf_char(out, '\\');
		buf_char(out, (unsigned char)*title < ' ' ? ' ' : *title);
	}
}

void
heading_write(struct buf *out, const char *title)
{
	buf_str(out, "# ");
	title_write(out, title);
}
