/* Makes pages from the items of the table of contents (layout 3.5 to 3.12). */
#include <stdlib.h>
#include <string.h>

#include "layout_parts.h"
#include "base/mapped.h"
#include "base/slug.h"
#include "base/utf8.h"

/* In characters. LINK_TITLE_MAX: layout 3.5. */
enum { LINK_TITLE_MAX = 100, TITLE_MAX = 1000 };

/* ---- making pages --------------------------------------------------------- */

/* Appends a page. The list is in reading order: add parents before their children. */
struct layout_page *
layout_page_add(struct layout_builder *b, enum layout_kind kind, struct layout_page *parent)
{
	struct layout *out = b->x->out;
	struct layout_page *p;

	/* The number is checked for each page, so that a table of a million lines fails early. */
	if (out->page_count >= b->x->limits.pages) {
		layout_fail(b->x, NULL, "there are more than %zu pages", b->x->limits.pages);
		return NULL;
	}
	p = arena_alloc(b->x->arena, sizeof(*p));
	p->kind = kind;
	p->parent = parent;
	p->title = "";
	p->props = "{}";
	p->body_line = 1;
	*b->tail = p;
	b->tail = &p->next;
	out->page_count++;
	return p;
}

/* Returns the props (a JSON object) with "emoji" as their first member. */
static const char *
add_emoji(struct arena *a, const char *props, const char *emoji)
{
	struct json j;
	struct buf b;

	buf_init(&b, a, strlen(props) + strlen(emoji) * 6 + 32);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "emoji", emoji);
	json_end(&j);
	if (strcmp(props, "{}") != 0) {
		/* Drop the brace: the other members follow in the same object. */
		buf_cut(&b, 1);
		buf_char(&b, ',');
		buf_str(&b, props + 1);
	}
	return b.p;
}

/* Call it after the props are set, since it adds the emoji to them. */
void
layout_page_title(struct layout_builder *b, struct layout_page *p, const char *title)
{
	const char *rest = NULL, *emoji = layout_leading_emoji(b->x->arena, title, &rest);

	if (emoji != NULL) {
		title = rest;
		p->props = add_emoji(b->x->arena, p->props, emoji);
	}
	p->title = layout_clip(b->x->arena, *title == '\0' ? "Untitled" : title, TITLE_MAX);
}

/* Makes a title from a name. Only an ASCII letter becomes upper case, because other letters have several bytes. */
const char *
layout_pretty(struct arena *a, struct str name)
{
	char *s;
	size_t i;

	if (layout_is_markdown(name))
		name.n -= 3;
	s = arena_strndup(a, name.p, name.n);
	for (i = 0; i < name.n; i++)
		if (s[i] == '-' || s[i] == '_')
			s[i] = ' ';
	if (s[0] >= 'a' && s[0] <= 'z')
		s[0] = (char)(s[0] - 'a' + 'A');
	name = layout_trim(str_of(s));
	return name.n == 0 ? "Untitled" : arena_strndup(a, name.p, name.n);
}

/* Makes a title from a file's name; for README.md and index.md, from the name of their directory. */
static const char *
file_title(struct layout_index *x, const struct layout_entry *e)
{
	struct str rel = layout_rel(x, e), base = layout_base(rel);

	if ((layout_is_readme(rel) || layout_is_index(rel)) && base.n < rel.n)
		base = layout_base(str_slice(rel, 0, rel.n - base.n - 1));
	return layout_pretty(x->arena, base);
}

bool
layout_is_lfs_pointer(struct str bytes)
{
	return str_starts(bytes, "version https://git-lfs.github.com/spec/");
}

/*
 * Reads the properties of an unchanged page from its stored front. False if the front does not
 * parse as a whole: an older version of this program cut it in another way, and the file is read
 * again.
 */
static bool
split_known(struct layout_index *x, const struct layout_entry *e, struct page_file *f, struct str *known)
{
	const struct layout_source *src = x->src;
	struct str front;

	if (x->stale || src->known == NULL || !src->known(src->known_ctx, e, &front, known))
		return false;
	/* The file may be a git LFS pointer, about which each import warns. */
	if (front.n == 0 && layout_size(x, e) <= LFS_POINTER_MAX)
		return false;
	page_file_split(x->scratch, front, f);
	return f->front.n == front.n;
}

static bool
split_read(struct layout_index *x, const struct layout_entry *e, struct page_file *f)
{
	struct str bytes;

	if (!layout_load_text(x, x->scratch, e, x->limits.page_bytes, &bytes))
		return false;
	if (layout_is_lfs_pointer(bytes))
		layout_warn_at(x, e, 0, "a pointer of git LFS; the page's text is not in the repository");
	page_file_split(x->scratch, bytes, f);
	return true;
}

bool
layout_page_body(const struct layout *l, struct arena *a, const struct layout_page *p, struct str *out)
{
	const struct layout_source *src = l->index->src;
	struct str bytes;

	*out = STR("");
	if (p->file == NULL)
		return true;
	if (!src->read(src->ctx, a, p->file, &bytes))
		return false;
	bytes = layout_fill(l->index, a, p->file, bytes, false);
	/* Less only if the file has changed meanwhile. */
	if (bytes.n >= p->front.n)
		*out = str_slice(bytes, p->front.n, bytes.n);
	return true;
}

/* Copies what the layout keeps of a page's file out of the scratch arena. */
static void
keep_parts(struct layout_index *x, struct layout_page *p, const struct page_file *f)
{
	p->front = (struct str){ arena_strndup(x->arena, f->front.p, f->front.n), f->front.n };
	p->body_line = f->body_line;
	if (strcmp(f->props, p->props) != 0)
		p->props = arena_strdup(x->arena, f->props);
}

/* A file becomes a page only once (layout 3.8); the caller has checked x->pages. */
bool
layout_page_file(struct layout_builder *b, struct layout_page *p, const struct layout_entry *e,
    const char *title)
{
	struct layout_index *x = b->x;
	struct page_file f;

	if (!split_known(x, e, &f, &p->known)) {
		p->known = (struct str){ NULL, 0 };
		if (!split_read(x, e, &f))
			return false;
	}
	if (f.warning != NULL)
		layout_warn_at(x, e, f.warning_line, "%s", f.warning);
	p->file = e;
	keep_parts(x, p, &f);
	/*
	 * The title of the table of contents wins (layout 3), then the H1, then the title in the
	 * frontmatter, where other generators (Hugo, Docusaurus) put it.
	 */
	if (title == NULL || *title == '\0')
		title = f.h1 != NULL ? f.h1 : f.title != NULL ? f.title : file_title(x, e);
	layout_page_title(b, p, arena_strdup(x->arena, title));
	arena_reset(x->scratch);
	x->pages[layout_number(x, e)] = p;
	x->flags[layout_number(x, e)] |= ENTRY_LISTED;
	x->out->documents++;
	return true;
}

static bool
add_group(struct layout_builder *b, const char *title, const char *slug, const struct summary_item *i)
{
	struct layout_page *p = layout_page_add(b, LAYOUT_GROUP, NULL);

	if (p == NULL)
		return false;
	layout_page_title(b, p, title);
	/* The anchor is any text: only its slug is safe in a path. */
	if (slug != NULL)
		p->slug = slug_from_title(b->x->arena, str_of(slug));
	p->source = i->source;
	p->line = i->line;
	/* The following pages belong to this group, until a divider or the next group. */
	b->group = p;
	b->x->out->groups++;
	return true;
}

/* ---- items ---------------------------------------------------------------- */

struct context {
	struct layout_builder *b;
	const char            *file;   /* of the table of contents, relative to root */
};

/* Props of a link: {"target":…}. JSON takes at most six bytes for one. */
static const char *
target_json(struct arena *a, const char *url)
{
	struct json j;
	struct buf b;

	buf_init(&b, a, strlen(url) * 6 + 32);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "target", url);
	json_end(&j);
	return b.p;
}

/*
 * Adds the page of an item, and sets what pages of all kinds have: place, source, titles. The title
 * is that of the link, or of the whole line if there is no link.
 */
static struct layout_page *
add_item_page(struct context *c, struct summary_item *i, enum layout_kind kind, struct layout_page *parent)
{
	struct layout_page *p = layout_page_add(c->b, kind, parent);
	const char *title = i->text.link_title;

	if (p == NULL)
		return NULL;
	p->source = i->source;
	p->line = i->line;
	/*
	 * Nested items become children of this page; move_children_up() changes that for kinds that
	 * have no children.
	 */
	i->under = p;
	if (title != NULL && *title != '\0') {
		if (utf8_count(str_of(title)) > LINK_TITLE_MAX)
			layout_warn(c->b->x, c->file, i->line, "the link title is cut to %d characters", LINK_TITLE_MAX);
		p->link_title = layout_clip(c->b->x->arena, title, LINK_TITLE_MAX);
	}
	return p;
}

static const char *
item_title(const struct summary_item *i)
{
	return i->text.url != NULL ? i->text.link_text : i->text.text;
}

/*
 * Makes the items nested in a link or computed page its siblings, since these have no children in
 * the API.
 */
static void
move_children_up(struct context *c, struct summary_item *i, struct layout_page *parent)
{
	i->under = parent;
	if (i->children)
		layout_warn(c->b->x, c->file, i->line,
		    "only a page of its own can hold others; the items below this one are put beside it");
}

/* Keeps the target as it is spelled: it is resolved when it is shown, and the export writes it back. */
static bool
link_item(struct context *c, struct summary_item *i, struct layout_page *parent)
{
	struct layout_page *p = add_item_page(c, i, LAYOUT_LINK, parent);
	const char *title = item_title(i);

	if (p == NULL)
		return false;
	move_children_up(c, i, parent);
	p->props = target_json(c->b->x->arena, i->text.url);
	layout_page_title(c->b, p, *title == '\0' ? i->text.url : title);
	c->b->x->out->links++;
	return true;
}

/* Add a page without a file, for an item without a link, or with a dead link and children. */
static bool
empty_item(struct context *c, struct summary_item *i, struct layout_page *parent)
{
	struct layout_page *p = add_item_page(c, i, LAYOUT_DOCUMENT, parent);

	if (p == NULL)
		return false;
	layout_page_title(c->b, p, item_title(i));
	c->b->x->out->empty++;
	return true;
}

/* Handles an item without a link. Without text and children it gives no page. */
static bool
no_link_item(struct context *c, struct summary_item *i, struct layout_page *parent)
{
	if (*item_title(i) == '\0' && !i->children) {
		i->under = parent;
		return true;
	}
	if (!i->children)
		layout_warn(c->b->x, c->file, i->line, "an item without a link; it becomes an empty page");
	return empty_item(c, i, parent);
}

/*
 * Handles an item whose target does not exist (layout 3.9). `under` is set even if the item is
 * skipped, since nested items read it.
 */
static bool
missing_item(struct context *c, struct summary_item *i, struct layout_page *parent)
{
	const char *what = i->text.url;

	if (i->children) {
		layout_warn(c->b->x, c->file, i->line,
		    "%s is not in the repository; an empty page holds the items below it", what);
		return empty_item(c, i, parent);
	}
	layout_warn(c->b->x, c->file, i->line, "%s is not in the repository; the item is skipped", what);
	i->under = parent;
	return true;
}

/* True if the file becomes a page where it is listed. */
static bool
is_page_file(const struct layout_index *x, const struct layout_entry *e)
{
	/* Markdown below the assets is an attachment (layout 5). */
	return layout_is_markdown(e->path) && !str_starts(layout_rel(x, e), ".gitbook/assets/")
	    && (x->flags[layout_number(x, e)] & ENTRY_SUMMARY) == 0;
}

/*
 * True if the table lists the file only with fragments, "#…" (without ENTRY_WHOLE), and no page was
 * made from it yet: this item becomes the page (layout 3.8).
 */
static bool
is_listed_by_fragments(struct context *c, const struct summary_item *i, const struct layout_entry *e)
{
	struct layout_index *x = c->b->x;
	size_t n = layout_number(x, e);

	if (!is_page_file(x, e) || x->pages[n] != NULL || (x->flags[n] & ENTRY_WHOLE) != 0)
		return false;
	layout_warn(x, c->file, i->line, "%.*s is listed by places in it alone; the first of these items becomes the page",
	    (int)layout_rel(x, e).n, layout_rel(x, e).p);
	return true;
}

static bool
file_item(struct context *c, struct summary_item *i, struct layout_page *parent,
    const struct layout_entry *e, bool fragment)
{
	struct layout_index *x = c->b->x;
	struct layout_page *p;

	/* An item for a file that is no page, or for a place within a page, is a link. */
	if (!layout_is_markdown(e->path) || str_starts(layout_rel(x, e), ".gitbook/assets/")
	    || (fragment && !is_listed_by_fragments(c, i, e)))
		return link_item(c, i, parent);
	/* A page made from the table of contents would show the table as text. */
	if (x->flags[layout_number(x, e)] & ENTRY_SUMMARY) {
		layout_warn(x, c->file, i->line, "the table of contents lists itself; the item is skipped");
		i->under = parent;
		return true;
	}
	if (x->pages[layout_number(x, e)] != NULL) {
		layout_warn(x, c->file, i->line, "%s is listed a second time; this item becomes a link to it",
		    i->text.url);
		return link_item(c, i, parent);
	}
	p = add_item_page(c, i, LAYOUT_DOCUMENT, parent);
	return p != NULL && layout_page_file(c->b, p, e, item_title(i));
}

/* The file of a target, or NULL. If there is none, %, # and ? are tried as ordinary characters. */
static const struct layout_entry *
find_target_file(struct layout_index *x, struct layout_target *t, bool *guess)
{
	const struct layout_entry *e = t->kind == TARGET_PATH ? layout_find_path(x, t->path, guess) : NULL;

	if (e == NULL && t->kind == TARGET_PATH && t->literal != NULL) {
		e = layout_find_path(x, t->literal, guess);
		/* "#" was part of the file name. */
		t->fragment = e == NULL ? t->fragment : NULL;
	}
	return e;
}

/*
 * The file to which an item links, or NULL. If the item's path is relative to root instead of the
 * table's folder, the spelling is corrected. The target is in the scratch arena.
 */
static const struct layout_entry *
find_item_file(struct context *c, struct summary_item *i, struct layout_target *t, bool *guess)
{
	struct layout_index *x = c->b->x;
	const struct layout_entry *e;
	const char *from_root;

	*t = layout_resolve(x->scratch, c->file, str_of(i->text.url));
	e = find_target_file(x, t, guess);
	if (e == NULL && t->kind == TARGET_PATH && strchr(c->file, '/') != NULL) {
		/* A table of contents in a folder may spell its paths from root. */
		from_root = arena_printf(x->arena, "/%s", i->text.url);
		*t = layout_resolve(x->scratch, "", str_of(from_root));
		if ((e = find_target_file(x, t, guess)) != NULL)
			/*
			 * Correct the spelling, so that export and warnings have a path relative to
			 * the table's folder.
			 */
			i->text.url = from_root;
	}
	return e;
}

static bool
has_fragment(const struct layout_target *t)
{
	return t->fragment != NULL && *t->fragment != '\0';
}

/* Mark the files that some item lists without a fragment. Call it before pages are made. */
static void
mark_listed_whole(struct context *c, struct summary_item *i)
{
	const struct layout_entry *e;
	struct layout_target t;
	bool guess = false;

	for (; i != NULL; i = i->next, mapped_trim()) {
		if (i->kind == SUMMARY_ITEM && i->text.url != NULL && *i->text.url != '#'
		    && (e = find_item_file(c, i, &t, &guess)) != NULL && !has_fragment(&t))
			c->b->x->flags[layout_number(c->b->x, e)] |= ENTRY_WHOLE;
		arena_reset(c->b->x->scratch);
	}
}

/*
 * Makes a page from a second link of an item, or from a link in the heading of a group, so that a
 * page which nothing else lists is not lost.
 */
static bool
further_page(struct context *c, const struct summary_item *i, const char *url, const char *text,
    struct layout_page *parent)
{
	struct layout_index *x = c->b->x;
	struct summary_item probe = { .text = { .url = url } };
	const struct layout_entry *e;
	struct layout_target t;
	struct layout_page *p;
	bool guess = false;

	e = *url == '#' ? NULL : find_item_file(c, &probe, &t, &guess);
	if (e == NULL || !is_page_file(x, e) || x->pages[layout_number(x, e)] != NULL
	    || (x->flags[layout_number(x, e)] & ENTRY_WHOLE) != 0) {
		layout_warn(x, c->file, i->line, "the link to %s beside the first one is ignored", url);
		return true;
	}
	layout_warn(x, c->file, i->line, "%s is listed beside something else; it becomes a page of its own", url);
	p = layout_page_add(c->b, LAYOUT_DOCUMENT, parent);
	return p != NULL && layout_page_file(c->b, p, e, text);
}

static bool
further_pages(struct context *c, const struct summary_item *i, const struct layout_further *f, struct layout_page *parent)
{
	for (; f != NULL; f = f->next)
		if (!further_page(c, i, f->url, f->text, parent))
			return false;
	return true;
}

static bool
group_item(struct context *c, struct summary_item *i)
{
	struct layout_page *group;

	if (*i->text.text == '\0')
		layout_warn(c->b->x, c->file, i->line, "a group without a title");
	if (!add_group(c->b, i->text.text, i->text.anchor, i))
		return false;
	group = c->b->group;
	/* <a href="#slug"> is no link to a page. */
	return (i->text.url == NULL || *i->text.url == '#' || further_page(c, i, i->text.url, i->text.link_text, group))
	    && further_pages(c, i, i->text.further, group);
}

/* Decides first by the spelling (an address, nothing, a fragment alone), then by the file that it means. */
static bool
linked_item(struct context *c, struct summary_item *i, struct layout_page *parent)
{
	struct layout_index *x = c->b->x;
	const struct layout_entry *e;
	struct layout_target t;
	bool guess = false;

	e = find_item_file(c, i, &t, &guess);
	/* If there are several links, the warnings about the further ones are enough. */
	if (i->text.links <= 1 && i->text.outside)
		layout_warn(x, c->file, i->line, "the text beside the link is ignored");
	/* A page of another space becomes a link: only files of this space become pages. */
	if (t.kind == TARGET_URL || t.kind == TARGET_SPACE)
		return link_item(c, i, parent);
	if (t.kind == TARGET_NONE || *i->text.url == '#')
		return no_link_item(c, i, parent);
	if (e == NULL)
		return missing_item(c, i, parent);
	/* The warning contains both spellings, so that the author can correct the link. */
	if (guess)
		layout_warn(x, c->file, i->line, "%s is not spelled like the file %.*s", i->text.url,
		    (int)layout_rel(x, e).n, layout_rel(x, e).p);
	return file_item(c, i, parent, e, has_fragment(&t));
}

/* Title of a computed item: the slug of its specification, until it is expanded. */
static const char *
computed_title(struct layout_index *x, const struct yaml *root)
{
	const struct yaml *spec = yaml_get(yaml_get(yaml_get(root, "dependencies"), "spec"), "ref");
	const char *name = yaml_text(yaml_get(root, "title"));

	if (name == NULL)
		name = yaml_text(yaml_get(spec, "spec"));
	return name == NULL || *name == '\0' ? "API reference" : layout_pretty(x->arena, str_of(name));
}

/* An unknown type is kept for export, but computes nothing. */
static bool
yaml_item(struct context *c, struct summary_item *i, struct layout_page *parent)
{
	struct layout_index *x = c->b->x;
	const char *error = NULL, *type;
	struct yaml *root;
	struct layout_page *p;
	size_t line = 0;
	struct json j;
	struct buf b;

	i->under = parent;
	if (!yaml_parse(x->arena, i->yaml, &yaml_limits_settings, &root, NULL, &error, &line) || root == NULL
	    || root->kind != YAML_MAP) {
		layout_warn(x, c->file, i->line + line, "the item is skipped: %s",
		    error != NULL ? error : "its yaml is not a map");
		return true;
	}
	type = yaml_text(yaml_get(root, "type"));
	if (type == NULL || strcmp(type, "builtin:openapi") != 0)
		layout_warn(x, c->file, i->line, "nothing can be computed for the type %s",
		    type == NULL ? "(none)" : type);
	if ((p = add_item_page(c, i, LAYOUT_COMPUTED, parent)) == NULL)
		return false;
	move_children_up(c, i, parent);
	buf_init(&b, x->arena, yaml_limits_settings.text * 8 + yaml_limits_settings.nodes * 16);
	json_init(&j, &b);
	/* Keep all members: those that this version does not know must survive an export. */
	yaml_json(&j, root);
	p->props = b.p;
	p->title = computed_title(x, root);
	x->out->computed++;
	return true;
}

/*
 * Items come in file order, parents first, so parent->under is set. In a group, top-level items
 * belong to the group.
 */
static bool
read_item(struct context *c, struct summary_item *i)
{
	struct layout_page *parent = i->parent != NULL ? i->parent->under : c->b->group;

	switch (i->kind) {
	case SUMMARY_GROUP:
		return group_item(c, i);
	case SUMMARY_END:
		c->b->group = NULL;
		return true;
	case SUMMARY_YAML:
		return yaml_item(c, i, parent);
	case SUMMARY_ITEM:
		/*
		 * The list is in reading order, and the item's children are added after this. So
		 * pages of further links become children, too, if there are any: as siblings they
		 * would precede these children.
		 */
		return (i->text.url != NULL ? linked_item(c, i, parent) : no_link_item(c, i, parent))
		    && further_pages(c, i, i->text.further, i->children && i->under != NULL ? i->under : parent);
	/* Items nested in an ignored item become children of its parent. */
	case SUMMARY_IGNORED:
		break;
	}
	i->under = parent;
	return true;
}

static void
warn_line(void *ctx, size_t line, const char *message)
{
	struct context *c = ctx;

	layout_warn(c->b->x, c->file, line, "%s", message);
}

/* Parses the whole table first: an item's kind depends on whether it has children. */
bool
layout_pages(struct layout_builder *b, struct str text, const char *file)
{
	struct context c = { b, file };
	struct summary s = { .warn = warn_line, .ctx = &c };
	struct layout_index *x = b->x;
	struct summary_item *i;

	summary_parse(x->arena, text, x->limits.depth, &s);
	/*
	 * A table that is nested too deeply fails the import. If it were flattened instead, pages
	 * would get other addresses, and nobody would notice.
	 */
	if (s.too_deep != 0)
		return layout_fail(x, file, "line %zu of %s is nested more than %zu levels deep", s.too_deep,
		    file, x->limits.depth);
	mark_listed_whole(&c, s.items);
	for (i = s.items; i != NULL; i = i->next, mapped_trim())
		if (!read_item(&c, i))
			return false;
	return true;
}
