/*
 * Slugs and paths of pages (layout 4).
 *
 * A page with a file has the path of the file. Any other page has its parent's path followed by its
 * slug. Paths are unique in the space, and slugs among siblings: the later one gets -1, -2 and so
 * on. Pages with files get their paths first, then groups and all others, so that a group never
 * takes the address of a page.
 */
#include <string.h>

#include "layout_parts.h"
#include "base/mapped.h"
#include "base/slug.h"
#include "base/url.h"
#include "base/utf8.h"

/* In characters (layout 4.3). */
enum { SLUG_MAX = 100 };

/*
 * True if the name must be encoded in an address (RFC 3986, section 3.3). Letters outside ASCII are
 * left as they are.
 */
bool
layout_name_unclean(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] <= ' ' || strchr("%?#\"<>[]\\^`{|}\x7F", s.p[i]) != NULL)
			return true;
	return false;
}

/*
 * Decodes the percent-escapes of a name once. If the result is no valid UTF-8, returns the name
 * itself.
 */
static struct str
unescape_name(struct arena *a, struct str s)
{
	struct buf b;
	size_t i;
	int c;

	buf_init(&b, a, s.n + 1);
	for (i = 0; i < s.n; i++) {
		c = url_escaped(s, i);
		buf_char(&b, c > 0 ? (char)c : s.p[i]);
		i += c > 0 ? 2 : 0;
	}
	return utf8_valid(buf_view(&b)) ? buf_view(&b) : s;
}

/* Appends one character of a name. *dash: a separator came before it. */
static void
clean_char(struct buf *b, struct str s, uint32_t cp, bool *dash)
{
	if (cp == '\'' || cp == '"' || cp == '`')
		return;
	/* All other characters of ASCII, and blanks of Unicode, separate words; capital letters were made small before. */
	if (cp != '&' && !(cp >= '0' && cp <= '9') && !(cp >= 'a' && cp <= 'z') && cp != '.' && cp != '+' && cp != '_' &&
	    (cp < 0xA1 || (cp >= 0x2000 && cp <= 0x200B) || cp == 0x3000)) {
		*dash = true;
		return;
	}
	if (*dash && b->n > 0)
		buf_char(b, '-');
	*dash = false;
	if (cp == '&')
		buf_str(b, "and");
	else
		buf_put(b, s);
}

/*
 * Appends one component of a path as addresses have it: unchanged if it can be typed there, else as
 * a slug (layout 4.3).
 */
static void
add_clean(struct buf *b, struct arena *a, struct str part)
{
	struct str s = unescape_name(a, part);
	struct buf out;
	bool dash = false;
	uint32_t cp;
	size_t n;

	if (!layout_name_unclean(part)) {
		buf_put(b, part);
		return;
	}
	s = str_of(utf8_lower(a, s));
	buf_init(&out, a, s.n * 4 + 8);
	for (; s.n > 0; s = str_slice(s, n, s.n)) {
		n = utf8_next(s, &cp);
		if (n > 0)
			clean_char(&out, str_slice(s, 0, n), cp, &dash);
		n += n == 0;
	}
	if (strspn(out.n == 0 ? "" : out.p, ".") == out.n)
		buf_str(b, "page");
	else
		buf_put(b, buf_view(&out));
}

static const char *
clean_path(struct arena *a, struct str rel)
{
	struct buf b;
	size_t i, start = 0;

	if (!layout_name_unclean(rel))
		return arena_strndup(a, rel.p, rel.n);
	buf_init(&b, a, rel.n * 4 + 8);
	for (i = 0; i <= rel.n; i++) {
		if (i < rel.n && rel.p[i] != '/')
			continue;
		if (start > 0)
			buf_char(&b, '/');
		add_clean(&b, a, str_slice(rel, start, i));
		start = i + 1;
	}
	return b.p;
}

const char *
layout_page_path(struct arena *a, struct str rel)
{
	struct str base = layout_base(rel);

	if (layout_is_readme(rel) && base.n < rel.n)
		rel = str_slice(rel, 0, rel.n - base.n - 1);
	else if (layout_is_markdown(rel))
		rel = str_slice(rel, 0, rel.n - 3);
	return clean_path(a, str_of(utf8_lower(a, rel)));
}

/* A set of names, with the next number to try for each name that was wanted twice. */
struct names {
	struct arena      *arena;
	struct map *taken, *next;
};

/*
 * Returns the name, followed by the first free number if the name is taken. key: names are unique
 * among those with the same key.
 */
static const char *
make_unique(struct names *n, const char *key, const char *name)
{
	const char *full = arena_printf(n->arena, "%s%s", key, name), *tried = name;
	size_t *next;
	void **at;

	if (map_add(n->taken, str_of(full), n))
		return name;
	/*
	 * Keep the next number: otherwise a thousand pages of one name would try half a million
	 * names.
	 */
	at = map_at(n->next, str_of(full));
	if (*at == NULL)
		*at = arena_alloc(n->arena, sizeof(*next));
	next = *at;
	do {
		tried = arena_printf(n->arena, "%s-%zu", name, ++*next);
	} while (!map_add(n->taken, str_of(arena_printf(n->arena, "%s%s", key, tried)), n));
	return tried;
}

/* The slug that the source gives; otherwise the one made from the title. */
static const char *
own_slug(struct arena *a, const struct layout_page *p)
{
	const char *slug = p->slug != NULL ? p->slug : slug_from_title(a, str_of(p->title));

	return layout_clip(a, slug, SLUG_MAX);
}

/*
 * Reads the parent's path, which is set already: in reading order parents come first, and pages
 * with files are done before.
 */
static const char *
child_path(struct arena *a, const struct layout_page *p)
{
	if (p->parent == NULL)
		return own_slug(a, p);
	return arena_printf(a, "%s/%s", p->parent->path, own_slug(a, p));
}

/* Slugs are unique among siblings: the parent's unique path is the key. */
static void
set_slug(struct names *slugs, struct layout_page *p)
{
	const char *slash = strrchr(p->path, '/');
	const char *slug = layout_clip(slugs->arena, slash == NULL ? p->path : slash + 1, SLUG_MAX);
	const char *key = p->parent == NULL ? "" : arena_printf(slugs->arena, "%s\n", p->parent->path);

	p->slug = make_unique(slugs, key, slug);
}

/*
 * Four passes: pages whose files have clean names; other pages with files; pages without files;
 * then slugs, which need all paths.
 */
void
layout_names(struct layout_index *x)
{
	struct arena *a = x->arena;
	struct names paths = { a, map_new(a), map_new(a) };
	struct names slugs = { a, map_new(a), map_new(a) };
	struct layout_page *p;

	for (p = x->out->pages; p != NULL; p = p->next)
		if (p->file != NULL && !layout_name_unclean(layout_rel(x, p->file)))
			p->path = make_unique(&paths, "", layout_page_path(a, layout_rel(x, p->file)));
	for (p = x->out->pages; p != NULL; p = p->next, mapped_trim())
		if (p->file != NULL && p->path == NULL)
			p->path = make_unique(&paths, "", layout_page_path(a, layout_rel(x, p->file)));
	for (p = x->out->pages; p != NULL; p = p->next, mapped_trim())
		if (p->file == NULL)
			p->path = make_unique(&paths, "", child_path(a, p));
	for (p = x->out->pages; p != NULL; p = p->next)
		set_slug(&slugs, p);
}
