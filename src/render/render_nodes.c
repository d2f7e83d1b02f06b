/* Helpers for all kinds of blocks: texts of nodes, links, ids. Contract: render_parts.h. */
#include <stdlib.h>

#include "render_parts.h"

const char *
say(const struct render *r, enum text t)
{
	return text_in(r->env->language, t);
}

const char *
node_type(const cJSON *node)
{
	const char *t = json_text_of(node, "type");

	return t != NULL ? t : "";
}

const char *
node_anchor(const cJSON *node)
{
	return json_text_of(json_member(node, "meta"), "id");
}

const cJSON *
node_fragment(const cJSON *node, const char *name)
{
	const cJSON *f;

	cJSON_ArrayForEach(f, json_member(node, "fragments"))
		if (same_text(json_text_of(f, "fragment"), name) || same_text(json_text_of(f, "type"), name))
			return f;
	return NULL;
}

bool
render_target(const struct render *r, const cJSON *ref, struct render_link *out)
{
	*out = (struct render_link){ .bytes = -1 };
	/*
	 * All addresses of links, images and cards are checked here: an unsafe one is treated as a
	 * broken link.
	 */
	return ref != NULL && r->env->link != NULL && r->env->link(r->env->ctx, ref, out) &&
	    h_url_safe(out->href);
}

const char *
ids_of(const struct render *r)
{
	return r->env->ids != NULL ? r->env->ids : "";
}

const char *
render_id(struct render *r, const char *prefix)
{
	/* An anchor of a heading never begins with "~", so it cannot equal such an id. */
	return arena_printf(r->arena, "~%s%s-%u", ids_of(r), prefix, ++r->serial);
}

/* Append the text of leaves and emoji in order; images and formulas give nothing. */
static void
write_plain(struct buf *b, const cJSON *node, int depth)
{
	const cJSON *one;
	const char *text = json_text_of(node, "text");

	/* Guards the stack; the parser bounds the depth of documents anyway. */
	if (depth > 200)
		return;
	if (text != NULL)
		buf_str(b, text);
	if (strcmp(node_type(node), "emoji") == 0 && (text = render_emoji(b->arena,
	    json_text_of(data_of(node), "code"))) != NULL)
		buf_str(b, text);
	cJSON_ArrayForEach(one, json_member(node, "leaves"))
		write_plain(b, one, depth + 1);
	cJSON_ArrayForEach(one, json_member(node, "nodes")) {
		/* Separate blocks by a blank, so that the last word of one and the first of the next are not joined. */
		if (b->n > 0 && b->p[b->n - 1] != ' ' && same_text(json_text_of(one, "object"), "block"))
			buf_char(b, ' ');
		write_plain(b, one, depth + 1);
	}
}

/* Never returns NULL. */
const char *
render_plain(struct arena *a, const cJSON *node)
{
	struct buf b;

	buf_init(&b, a, 64 << 20);
	buf_str(&b, "");
	write_plain(&b, node, 0);
	return b.n == 0 ? "" : b.p;
}

const char *
render_emoji(struct arena *a, const char *code)
{
	struct buf b;
	char *end;
	unsigned long cp;

	/* The longest emoji of Unicode has about ten code points. */
	if (code == NULL || strlen(code) > 200)
		return NULL;
	buf_init(&b, a, 400);
	do {
		cp = strtoul(code, &end, 16);
		/* Refuse control characters, and halves of surrogate pairs, which have no UTF-8. */
		if (end == code || cp < ' ' || cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000))
			return NULL;
		buf_utf8(&b, (uint32_t)cp);
		code = end + (*end == '-');
	} while (*end == '-');
	return *end == '\0' ? b.p : NULL;
}

void
render_outline(struct render *r, const char *anchor, const char *text, int level)
{
	struct rendering *o = r->r;

	/*
	 * Omit headings without an anchor; the third level would make the outline as long as the
	 * page.
	 */
	if (anchor == NULL || level > 2)
		return;
	o->outline = arena_grow(r->arena, o->outline, o->outline_count, &r->outline_room,
	    sizeof(*o->outline));
	o->outline[o->outline_count++] = (struct render_heading){ anchor, text, level };
}

const char *
render_anchor(const struct render *r, const char *anchor)
{
	return arena_printf(r->arena, "%s#%s", r->env->page != NULL ? r->env->page : "", anchor);
}

/* The level in the page of the open heading that has this level in the document; 0: there is none. */
static int
open_level(const struct render *r, int level_in_document)
{
	return r->level >> 4 * level_in_document & 15;
}

int
render_level(struct render *r, int level_in_document)
{
	int above = 0, higher_levels = (1 << 4 * level_in_document) - 1;

	for (int i = 0; i < level_in_document; i++)
		if (open_level(r, i) != 0)
			above = open_level(r, i);
	/* Keep the bits of higher headings, set those of this level, and clear those of lower ones. */
	r->level = (r->level & higher_levels) | (above + 1) << 4 * level_in_document;
	return above + 1;
}

void
render_heading_at(struct render *r, const char *anchor, const char *text)
{
	render_outline(r, anchor, text, 1);
	render_level(r, 2);
	h_el(&r->h, "h2", "id", anchor, NULL);
	if (anchor != NULL)
		h_el(&r->h, "a", "href", render_anchor(r, anchor), NULL);
	h_text(&r->h, text);
	if (anchor != NULL)
		h_close(&r->h);
	h_close(&r->h);
}
