/* Callbacks for the renderer: targets of a document's references on this site. */
#include <errno.h>
#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

#include "app/download.h"
#include "base/secret.h"
#include "base/url.h"
#include "computed/computed.h"
#include "reader_parts.h"
#include "store/include.h"
#include "store/variants.h"

/*
 * Most formats have their size in the first bytes; JPEG has it after the metadata, which may be
 * long.
 */
enum { IMAGE_HEAD = 64 << 10 };

/*
 * How a segment of a path changes its depth: 1 for a name, 0 for "." or nothing, -1 for "..". As in
 * browsers (WHATWG URL, "path state"), "%2e" is a dot too.
 */
static int
segment_depth(const char *s, size_t n)
{
	size_t dots = 0, i = 0;

	while (i < n && (s[i] == '.' || (n - i >= 3 && strncasecmp(s + i, "%2e", 3) == 0))) {
		i += s[i] == '.' ? 1 : 3;
		dots++;
	}
	if (i < n || dots > 2)
		return 1;
	return dots == 2 ? -1 : 0;
}

/* True if ".." in a path that begins with "/" climbs above its top, where browsers stop. */
static bool
path_climbs(const char *path)
{
	int depth = 0;

	for (size_t n; (*path == '/' || *path == '\\') && depth >= 0; path += n) {
		n = strcspn(++path, "/\\?#");
		depth += segment_depth(path, n);
	}
	return depth < 0;
}

/*
 * True for the addresses that the published service writes for a deleted target: /broken/pages/ID,
 * or /broken/ID for a target of unknown kind. False if a page of this space has that address.
 */
static bool
is_lost_target(struct view *s, const char *url)
{
	static const char *const kinds[] = { "pages/", "spaces/", "users/", "files/", "anchors/", "reusable-contents/" };
	const char *name = url + strlen("/broken/"), *base;
	struct computed_page *c;
	bool known = false;
	struct page p;

	if (strncmp(url, "/broken/", strlen("/broken/")) != 0)
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		known |= strncmp(name, kinds[i], strlen(kinds[i])) == 0;
	if (!known && name[strcspn(name, "/")] == '/')
		return false;
	base = s->v.space == NULL ? "" : view_local(s, s->v.space->address);
	return *base == '\0' || strncmp(url, base, strlen(base)) != 0 ||
	    !visit_page_at(&s->v, s->v.space, arena_strndup(s->arena, url + strlen(base), strcspn(url + strlen(base), "?#")), &p, &c);
}

/*
 * True for a spelling that names a file of the space and did not resolve ("gone.md", "../../x.md"). A
 * browser would read it relative to this page's address, and might find another page or site there.
 */
static bool
is_lost_file(struct view *s, const char *url)
{
	if (url[strcspn(url, ":/?#")] == ':' || strncmp(url, "//", 2) == 0 || strchr("?#", *url) != NULL)
		return false;
	return *url != '/' || path_climbs(url) || is_lost_target(s, url);
}

static bool
link_url(struct view *s, const struct doc_ref *ref, struct render_link *out)
{
	/*
	 * An author's full address of this site becomes one of this host, under whichever name the
	 * reader uses.
	 */
	const char *local = view_local(s, ref->url);

	out->href = local;
	out->external = local == ref->url && ref->url != NULL && strstr(ref->url, "://") != NULL;
	out->title = ref->url;
	/*
	 * An address of this site must not be treated as the path of a missing file, even if it
	 * looks like one.
	 */
	return local != NULL && *local != '\0' && (local != ref->url || !is_lost_file(s, local));
}

/* Title, description and emoji of a page, for cards and mentions. */
static void
fill_from_page(struct view *s, const struct page *p, struct render_link *out)
{
	const cJSON *emoji = cJSON_GetObjectItemCaseSensitive(page_props(p), "emoji");

	out->title = page_title(s, p);
	out->about = page_about(p);
	out->emoji = cJSON_IsString(emoji) ? render_emoji(s->arena, emoji->valuestring) : NULL;
}

/* Link to a page in another site space of the site. */
static bool
link_elsewhere(struct view *s, const struct doc_ref *ref, struct render_link *out)
{
	struct visit_item *item = visit_space(&s->v, ref->space);
	struct computed_page *c;
	struct page p;

	/* A hidden page and a deleted one give the same broken link, so that it does not reveal a hidden page. */
	if (item == NULL || !visit_page(&s->v, item, ref->id, &p, &c))
		return false;
	out->href = view_local(s, visit_page_address(&s->v, item, &p));
	fill_from_page(s, &p, out);
	return true;
}

static bool
link_page(struct view *s, const struct doc_ref *ref, struct render_link *out)
{
	const struct page *p;

	/* An anchor in this page needs no lookup. */
	if (ref->kind == REF_ANCHOR && ref->id == NULL) {
		out->href = arena_printf(s->arena, "%s#%s", s->absolute ? s->v.canonical : "",
		    url_segment(s->arena, str_of(ref->anchor)));
		return true;
	}
	/*
	 * A page of another space is read by itself, because reading the whole tree of that space
	 * would cost too much for one link.
	 */
	if (ref->space != NULL && s->v.space != NULL && strcmp(ref->space, s->v.space->space) != 0) {
		if (!link_elsewhere(s, ref, out))
			return false;
	} else {
		/*
		 * Search the tree of this visitor, which does not contain pages that conditions
		 * hide.
		 */
		if ((p = view_page(s, ref->id)) == NULL)
			return false;
		out->href = view_page_href(s, p);
		fill_from_page(s, p, out);
	}
	if (ref->kind == REF_ANCHOR)
		out->href = arena_printf(s->arena, "%s#%s", out->href, url_segment(s->arena, str_of(ref->anchor)));
	return true;
}

/* Sets width and height of a picture from its properties, which have them since it was stored. */
static void
read_measures(const cJSON *props, struct render_link *out)
{
	const cJSON *w = cJSON_GetObjectItemCaseSensitive(props, "width"), *h = cJSON_GetObjectItemCaseSensitive(props, "height");

	if (cJSON_IsNumber(w) && cJSON_IsNumber(h)) {
		out->width = w->valueint;
		out->height = h->valueint;
	}
}

/* Sets width and height of a picture from the first bytes of its file. */
static void
measure_image(struct view *s, struct str hash, struct render_link *out)
{
	char *head = arena_bytes(s->arena, IMAGE_HEAD);
	int fd = open(blob_path(s->arena, s->w->set->dir, hash), O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return;
	do
		n = pread(fd, head, IMAGE_HEAD, 0);
	while (n < 0 && errno == EINTR);
	close(fd);
	if (n > 0 && !image_size((struct str){ head, (size_t)n }, &out->width, &out->height))
		out->width = out->height = 0;
}

/* The value of srcset for the variants of a picture; NULL: there are none yet. */
static const char *
srcset_of_variants(struct view *s, struct str hash, const char *href)
{
	struct variants v;
	struct buf b;

	/* A copy of the site, and a feed, contain only the pictures themselves. */
	if (s->w->copy || s->absolute || !variants_look(s->arena, s->w->set->dir, hash, &v) || v.count == 0)
		return NULL;
	buf_init(&b, s->arena, 64 << 10);
	for (size_t i = 0; i < v.count; i++)
		buf_printf(&b, "%s%s?w=%d %dw", i > 0 ? ", " : "", href, v.list[i].width, v.list[i].width);
	return b.p;
}

static bool
link_file(struct view *s, const struct doc_ref *ref, struct render_link *out)
{
	const struct visit_item *item = ref->space == NULL || (s->v.space != NULL &&
	    strcmp(ref->space, s->v.space->space) == 0) ? s->v.space : visit_space(&s->v, ref->space);
	struct node n;

	if (item == NULL || ref->id == NULL || !node_get(s->w->db, s->arena, &item->point, ref->id, &n) ||
	    n.kind != NODE_FILE || n.body.n == 0)
		return false;
	out->href = view_local(s, visit_file_address(&s->v, item, &n));
	out->title = *n.title != '\0' ? n.title : "file";
	out->about = json_text_of(cJSON_Parse(n.props), "description");
	out->bytes = file_size(s->w, item->space, n.body);
	/* Only images need their size, to reserve room. */
	if (strncmp(mime_type(n.title), "image/", 6) == 0) {
		/* A page must not wait for files of an object store. */
		if (blob_store() != NULL)
			read_measures(cJSON_Parse(n.props), out);
		else
			measure_image(s, n.body, out);
		out->variants = srcset_of_variants(s, n.body, out->href);
	}
	return true;
}

/* Writes only the name of a user, without a link, since sites have no pages of users. */
static bool
link_user(struct view *s, const char *id, struct render_link *out)
{
	if (id != NULL && s->v.space != NULL)
		out->title = space_user_name(s->w->db, s->arena, s->v.space->space, id);
	return false;
}

static bool
link_space(struct view *s, const char *id, struct render_link *out)
{
	const struct visit_item *item = id != NULL ? visit_space(&s->v, id) : NULL;

	if (item == NULL)
		return false;
	out->href = view_local(s, item->address);
	out->title = item->title;
	return true;
}

static bool
resolve_link(void *ctx, const struct cJSON *json, struct render_link *out)
{
	struct view *s = ctx;
	struct doc_ref ref;

	if (!ref_read(json, &ref))
		return false;
	switch (ref.kind) {
	case REF_URL:
		return link_url(s, &ref, out);
	case REF_PAGE:
	case REF_ANCHOR:
		return link_page(s, &ref, out);
	case REF_FILE:
		return link_file(s, &ref, out);
	case REF_SPACE:
		return link_space(s, ref.id, out);
	case REF_USER:
		return link_user(s, ref.id, out);
	default:
		return false;
	}
}

/* The document of a description in an API specification: Markdown without link targets. */
static const struct cJSON *
markdown_of_text(void *ctx, const char *text)
{
	struct view *s = ctx;
	struct str json = doc_json_of(s->arena, str_of(text));

	return cJSON_ParseWithLength(json.p, json.n);
}

/*
 * Highlighting and formulas run in programs with a time limit: s->typeset records what was not
 * finished.
 */
static struct str
highlight_code(void *ctx, const char *syntax, struct str source)
{
	struct view *s = ctx;

	return typeset_code(&s->typeset, s->arena, syntax, source);
}

static struct str
render_math(void *ctx, const char *formula, bool display)
{
	struct view *s = ctx;

	return typeset_math(&s->typeset, s->arena, formula, display);
}

/* The address of the page of one schema, below the site space (reader.c). */
static const char *
schema_address(void *ctx, const char *spec, const char *name)
{
	struct view *s = ctx;

	return arena_printf(s->arena, "%s~schema/%s/%s", view_local(s, s->v.space->address), url_segment(s->arena, str_of(spec)),
	    url_segment(s->arena, str_of(name)));
}

static struct str
draw_icon(void *ctx, const char *name)
{
	return icon_drawn(ctx, name);
}

void
view_env(struct view *s, struct render_env *env)
{
	*env = (struct render_env){ .link = resolve_link, .code = highlight_code, .math = render_math,
		.markdown = markdown_of_text, .ctx = s,
		/* A feed has no style sheet to size icons. */
		.icon = s->absolute ? NULL : draw_icon,
		.schema = s->absolute || s->v.space == NULL ? NULL : schema_address,
		.language = s->language, .blank = s->look->links_blank,
		.search = s->absolute ? arena_printf(s->arena, "%s~search", s->v.site.address) : view_own(s, "~search"),
		/* A feed is read outside of the site, so its addresses are absolute. */
		.page = s->absolute ? s->v.canonical : NULL,
		/* Feed readers have their own content security policy and run none of our scripts. */
		.tries = !s->absolute && s->look->tries,
		.diagrams = diagram_frame(s),
		.frames = s->absolute ? "" : s->look->frames };
}

struct str
page_document(struct view *s, const struct page *p, struct computed_page *c)
{
	struct db *db = s->w->db;
	const struct point *at = &s->v.space->point;
	unsigned lost = documents_lost();
	struct rendered own;
	struct str json;

	if (c != NULL)
		return computed_document(db, s->arena, c);
	if (p->node.body.n == 0)
		return (struct str){ NULL, 0 };
	own = document_of(db, s->arena, at, &p->node);
	s->damaged |= own.lost;
	/* Insert reusable content first: it may contain API blocks and conditions. */
	json = document_dereferenced(db, s->arena, at, p->node.id, own.json);
	/*
	 * Do not cache a text that replaces a lost one: it must vanish once a backup is restored.
	 */
	s->typeset.lacks |= documents_lost() != lost;
	/*
	 * Evaluate conditions last, so that they also apply to the inserted content, which may have
	 * parts that the visitor must not see.
	 */
	return visit_document(&s->v, at, &p->node, computed_fill(db, s->arena, at, json));
}

/* Writes targets as absolute addresses, since the Markdown may be read outside of the site. */
static bool
spell_target(void *ctx, const struct doc_ref *ref, enum doc_use use, struct buf *out)
{
	struct view *s = ctx;
	const struct visit_item *item = ref->space == NULL || strcmp(ref->space, s->v.space->space) == 0 ? s->v.space :
	    visit_space(&s->v, ref->space);
	const struct page *p;
	struct node n;

	(void)use;
	if (item == NULL || ref->id == NULL)
		return false;
	if (ref->kind == REF_FILE && node_get(s->w->db, s->arena, &item->point, ref->id, &n) && n.kind == NODE_FILE &&
	    n.body.n > 0) {
		buf_str(out, visit_file_address(&s->v, item, &n));
		return true;
	}
	if ((ref->kind != REF_PAGE && ref->kind != REF_ANCHOR) || item != s->v.space ||
	    (p = view_page(s, ref->id)) == NULL)
		return false;
	buf_str(out, view_markdown_href(s, item, p));
	if (ref->kind == REF_ANCHOR)
		buf_printf(out, "#%s", url_segment(s->arena, str_of(ref->anchor)));
	return true;
}

struct str
page_markdown(struct view *s, const struct page *p, struct computed_page *c)
{
	const struct point *at = &s->v.space->point;

	if (c != NULL)
		return computed_readable(s->w->db, s->arena, c);
	if (p->node.body.n == 0)
		return str_of(arena_printf(s->arena, "# %s\n", p->node.title));
	if (!text_readable(s->w->db, s->arena, &p->node)) {
		s->damaged = s->typeset.lacks = true;
		return str_of(arena_printf(s->arena, "# %s\n\nThe text of this page is damaged and cannot be shown.\n",
		    p->node.title));
	}
	/*
	 * Evaluate conditions first: the values of text that the visitor may not see must not be
	 * looked up.
	 */
	return computed_spell_out(s->w->db, s->arena, at, visit_markdown(&s->v, at, &p->node,
	    markdown_shown(s->w->db, s->arena, at, &p->node, spell_target, s)));
}
