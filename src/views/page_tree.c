/*
 * The tree of pages beside the views of a space. Of a large space it has the branch of the current page, and the
 * groups that the reader has opened: the others are links that open them, which a cookie remembers. With scripts a
 * branch opens without leaving the page (assets/app/tree.js). Contract: space_parts.h.
 */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/*
 * TREE_DEPTH: levels of pages that are followed, as in a space (store/content.h). FOLD_FROM: rows from which groups are
 * folded. OPEN_MOST: groups that are remembered as open; ID_LONG: bytes of an id, at most; QUERY_MOST: bytes of the
 * page's query, at most, that each link of the tree repeats.
 */
enum { TREE_DEPTH = 100, FOLD_FROM = 40, OPEN_MOST = 8, ID_LONG = 64, QUERY_MOST = 500 };

/* ---- which groups are open ---- */

/* True if the list, ids with commas between them, has this id. */
static bool
has_id(const char *list, const char *id)
{
	size_t n = strlen(id), own;

	for (; *list != '\0'; list += own + (list[own] != '\0')) {
		own = strcspn(list, ",");
		if (own == n && memcmp(list, id, n) == 0)
			return true;
	}
	return false;
}

/* True for what can be the id of a group: only such ids are sent back, in a cookie and in links. */
static bool
is_id(const char *text)
{
	size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

	return n > 0 && n <= ID_LONG && text[n] == '\0';
}

/* The list with `first` in front, if that is an id, and without `other`; the oldest ids beyond OPEN_MOST are dropped. */
static const char *
change_list(struct view *v, const char *list, const char *first, const char *other)
{
	size_t count = 0, n;
	struct buf b;

	buf_init(&b, v->arena, OPEN_MOST * (ID_LONG + 1) + 1);
	buf_str(&b, "");
	if (first != NULL && is_id(first))
		buf_printf(&b, "%s,", first);
	for (; *list != '\0' && count < OPEN_MOST - 1; list += n + (list[n] != '\0')) {
		const char *id = arena_strndup(v->arena, list, n = strcspn(list, ","));

		if ((first != NULL && strcmp(id, first) == 0) || (other != NULL && strcmp(id, other) == 0) || !is_id(id))
			continue;
		buf_printf(&b, "%s,", id);
		count++;
	}
	return b.p;
}

/* The groups that are open besides those on the way to the page: ?show=ID and ?hide=ID change them. */
static const char *
open_groups(struct view *v)
{
	const char *kept = cookie_text(v, "octavo_open"), *show = query_value(v, "show"), *hide = query_value(v, "hide");

	if (kept == NULL)
		kept = "";
	if (show == NULL && hide == NULL)
		return kept;
	kept = change_list(v, kept, show, hide);
	set_cookie(v, "octavo_open", kept, *kept != '\0' ? COOKIE_CLOSE : COOKIE_DELETE);
	return kept;
}

/* False for members of a query that a link of the tree leaves out: its own, what is done once, and what is no address. */
static bool
is_kept(struct str member)
{
	static const char *const names[] = { "show", "hide", "tree", "done", "comment", "reply" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_is((struct str){ member.p, strcspn(member.p, "=&") }, names[i]))
			return false;
	for (size_t i = 0; i < member.n; i++)
		if (member.p[i] <= ' ' || member.p[i] > '~')
			return false;
	return member.n > 0;
}

/* The members of the page's own query that links of the tree keep: "&q=x"; "": none. */
static const char *
kept_query(struct view *v)
{
	const char *p = strchr(v->io->param(v->io, "REQUEST_URI"), '?');
	struct buf b;

	buf_init(&b, v->arena, 2 * QUERY_MOST + 2);
	buf_str(&b, "");
	if (p == NULL || strlen(p) > QUERY_MOST)
		return b.p;
	for (p++; *p != '\0'; p += strcspn(p, "&"), p += *p == '&') {
		struct str member = { p, strcspn(p, "&") };

		if (is_kept(member))
			buf_printf(&b, "&%.*s", (int)member.n, member.p);
	}
	return b.p;
}

/* ---- rows ---- */

static bool
is_group(const cJSON *page)
{
	return strcmp(page_type(page), "group") == 0;
}

static bool
has_children(const cJSON *page)
{
	const cJSON *below = json_member(page, "pages");

	return below != NULL && below->child != NULL;
}

/* Rows that the tree has if no group is folded. */
static size_t
count_rows(const cJSON *pages, unsigned depth)
{
	const cJSON *page;
	size_t n = 0;

	cJSON_ArrayForEach(page, pages)
		n += 1 + (depth < TREE_DEPTH ? count_rows(json_member(page, "pages"), depth + 1) : 0);
	return n;
}

/* True if the API has left out pages below one of these. */
static bool
has_folded(const cJSON *pages, unsigned depth)
{
	const cJSON *page;

	cJSON_ArrayForEach(page, pages)
		if (json_number_of(page, "folded", 0) > 0 || (depth < TREE_DEPTH && has_folded(json_member(page, "pages"), depth + 1)))
			return true;
	return false;
}

/* True for the current page and its ancestors. */
static bool
is_current_or_above(const struct page_tree *t, const cJSON *page)
{
	return t->current != NULL && (strcmp(json_text_or_empty(page, "id"), t->current) == 0 || find_page(json_member(page, "pages"), t->current) != NULL);
}

/* True if the pages below this one are written. */
static bool
is_open(const struct page_tree *t, const cJSON *page)
{
	if (!has_children(page))
		return false;
	return is_current_or_above(t, page) || (is_group(page) && (!t->fold || has_id(t->groups, json_text_or_empty(page, "id"))));
}

static const char *
label_of(struct view *v, const cJSON *page)
{
	const char *label = json_text_of(page, "linkTitle");

	if (label == NULL)
		label = json_text_or_empty(page, "title");
	return *label != '\0' ? label : view_say(v, SAY_UNTITLED);
}

/* The name of a group. That of one which can be opened and folded is a link that does so. */
static void
write_group(struct page_tree *t, const cJSON *page)
{
	const char *id = json_text_or_empty(page, "id");
	bool folds = t->fold && has_children(page) && !is_current_or_above(t, page);
	struct view *v = t->v;

	h_el(&v->h, folds ? "a" : "span", "class", "group", "draggable", t->moves && !folds ? "true" : NULL, "href",
	    folds ? arena_printf(v->arena, "?%s=%s%s", is_open(t, page) ? "hide" : "show", url_segment(v->arena, str_of(id)), t->query) : NULL, NULL);
	h_text(&v->h, label_of(v, page));
	h_close(&v->h);
}

static void
write_name(struct page_tree *t, const cJSON *page)
{
	const char *id = json_text_or_empty(page, "id"), *href = json_text_of(page, "href");
	struct view *v = t->v;
	struct html *h = &v->h;

	if (strcmp(page_type(page), "document") != 0 && href == NULL) {
		write_group(t, page);
		return;
	}
	h_open(h, "a");
	h_url(h, "href", href != NULL ? href : near_path(v, arena_printf(v->arena, "%s/pages/%s", t->s->below, url_segment(v->arena, str_of(id)))));
	if (t->current != NULL && strcmp(t->current, id) == 0)
		h_attr(h, "aria-current", "page");
	if (json_flag_of(page, "hidden"))
		h_attr(h, "class", "dim");
	h_text(h, label_of(v, page));
	h_close(h);
}

static void
write_rows(struct page_tree *t, const cJSON *pages, unsigned depth)
{
	const cJSON *page;
	struct html *h = &t->v->h;

	if (depth > TREE_DEPTH)
		return;
	h_open(h, "ul");
	cJSON_ArrayForEach(page, pages) {
		bool more = has_children(page) || json_number_of(page, "folded", 0) > 0, open = is_open(t, page);

		/* The script that moves pages reads the id of a document from its address. */
		h_el(h, "li", "class", more ? "more" : NULL,
		    "data-id", t->moves && strcmp(page_type(page), "document") != 0 ? json_text_or_empty(page, "id") : NULL, NULL);
		write_name(t, page);
		if (open)
			write_rows(t, json_member(page, "pages"), depth + 1);
		h_close(h);
	}
	h_close(h);
}

/* ---- the tree ---- */

void
open_tree(struct view *v, const struct shown_space *s, const char *page, struct page_tree *t)
{
	*t = (struct page_tree){ .v = v, .s = s, .current = page };
	if (s->pages == NULL)
		return;
	t->moves = strstr(s->below, "/requests/") != NULL && may(s, "edit");
	t->fold = count_rows(s->pages, 0) > FOLD_FROM;
	t->groups = open_groups(v);
	t->query = kept_query(v);
	v->tree = t->moves || t->fold || has_folded(s->pages, 0);
}

/*
 * True if the reader has unfolded the tree (?tree=1, stored in a cookie). On a narrow screen it is
 * folded above the page by default.
 */
static bool
is_unfolded(struct view *v)
{
	const char *wanted = query_value(v, "tree"), *kept = cookie_text(v, "octavo_tree");

	if (wanted == NULL)
		return kept != NULL && strcmp(kept, "1") == 0;
	set_cookie(v, "octavo_tree", strcmp(wanted, "1") == 0 ? "1" : "0", COOKIE_CLOSE);
	return strcmp(wanted, "1") == 0;
}

/* The link that folds and unfolds; wide screens do not show it. */
static void
write_fold(struct page_tree *t, bool unfolded)
{
	struct html *h = &t->v->h;

	h_el(h, "a", "class", "unfold", "href", arena_printf(t->v->arena, "?tree=%d%s", !unfolded, t->query), NULL);
	h_text(h, view_say(t->v, SAY_PAGES));
	h_leaf(h, "span", unfolded ? "mark-open" : "mark-shut", "");
	h_close(h);
}

void
write_page_tree(struct page_tree *t)
{
	struct view *v = t->v;
	struct html *h = &v->h;
	bool unfolded = is_unfolded(v);

	h_el(h, "nav", "class", unfolded ? "tree open" : "tree", "aria-label", view_say(v, SAY_PAGES),
	    "data-branch", v->tree ? text_in(v->language, TEXT_OPEN_BRANCH) : NULL,
	    "data-pages", t->moves ? app_path(v, arena_printf(v->arena, "%s/pages/", t->s->below)) : NULL,
	    "data-hint", t->moves ? view_say(v, SAY_TREE_HINT) : NULL, "data-moved", t->moves ? view_say(v, SAY_PAGE_MOVED) : NULL, NULL);
	write_fold(t, unfolded);
	h_el(h, "div", "class", "fold", NULL);
	write_search(v, path_of_ids(v, "/spaces/%s", t->s->id), t->s->title);
	if (t->moves)
		write_link(v, "btn small", arena_printf(v->arena, "%s/new", t->s->below), view_say(v, SAY_NEW_PAGE));
	write_rows(t, t->s->pages, 0);
	h_close(h);
	h_close(h);
}
