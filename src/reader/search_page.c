/*
 * Search of a site over all that the visitor sees: a page that works without script, and JSON for
 * the search field. Content that conditions hide is not found.
 */
#include "base/json.h"
#include "base/sort.h"
#include "reader_parts.h"
#include "search/search.h"

/*
 * SPACES bounds the cost of a query. QUERY_MAX is also the search field's maxlength. MANY: hits in
 * a space above which its tree is read.
 */
enum { HITS = 20, SPACES = 200, QUERY_MAX = 512, MANY = 40 };

/* Sorts hits in the reader's own variants first, then by score. */
static int
by_score(const void *x, const void *y)
{
	const struct hit *a = x, *b = y;

	if (a->other != b->other)
		return a->other ? 1 : -1;
	if (a->found->score != b->found->score)
		return a->found->score > b->found->score ? -1 : 1;
	return 0;
}

/*
 * True if the site space is the reader's variant of its section. `own` is the space that the reader
 * is in: in its own section only that space counts; in another section the space with the same
 * language or title does, and if there is none, the default of the section.
 */
static bool
is_own_variant(const struct visit_item *it, const struct visit_item *own)
{
	const struct visit_item *x;

	if (own == NULL || it->up == NULL || it->up == own->up)
		return own == NULL || it == own;
	for (x = it->up->first; x != NULL; x = x->next)
		if (own->language != NULL && x->language != NULL ? strcmp(x->language, own->language) == 0 :
		    strcmp(x->title, own->title) == 0)
			break;
	return x != NULL ? it == x : it->is_default;
}

/*
 * The site space from which the reader searches, by the parameter "in"; NULL: unknown, so all count
 * alike.
 */
static const struct visit_item *
current_space(struct view *s)
{
	const char *id = query_parameter(s->w, "in");
	const struct visit_item *it = id == NULL ? NULL : visit_item(&s->v, id);

	return it != NULL && it->kind == VISIT_SPACE ? it : NULL;
}

/*
 * The search room has no notion of visitors: it calls back to check whether each part is visible.
 */
static const struct search_viewer *
make_viewer(struct view *s, const struct visit_item *it)
{
	struct visit_place *place = arena_alloc(s->arena, sizeof(*place));
	struct search_viewer *viewer = arena_alloc(s->arena, sizeof(*viewer));

	*place = (struct visit_place){ &s->v, it };
	*viewer = (struct search_viewer){ visit_sees_part, place };
	return viewer;
}

/* List each space once, even if the site shows it several times. */
static size_t
list_places(struct view *s, struct search_in *in, const struct visit_item **item)
{
	const struct visit_item *it = NULL;
	size_t n = 0, i;

	while (n < SPACES && (it = visit_next_space(&s->v, it)) != NULL) {
		for (i = 0; i < n && strcmp(item[i]->space, it->space) != 0; i++)
			;
		/* Skip a space that is not indexed yet. */
		if (i < n || !search_find(s->w->db, s->arena, it->space, &in[n]))
			continue;
		in[n].viewer = make_viewer(s, it);
		item[n++] = it;
	}
	return n;
}

/*
 * False for a page of the index that this visitor must not find. Sets page and address of the hit.
 */
static bool
visitor_sees(struct view *s, const struct visit_item *item, const char *id, struct hit *out)
{
	struct computed_page *c;

	/* Hidden pages are found only by their address. */
	if (!visit_page(&s->v, item, id, &out->page, &c) || visit_page_hidden(&out->page))
		return false;
	out->href = item == s->v.space && view_page(s, id) != NULL ? view_page_href(s, view_page(s, id)) :
	    view_local(s, visit_page_address(&s->v, item, &out->page));
	return true;
}

/* Collect the hits that the visitor may see, at most `want` per place. */
static struct hit *
collect_visible_hits(struct view *s, const struct visit_item **item, struct search_found *found, size_t n, size_t want, size_t *count)
{
	const struct visit_item *own = current_space(s);
	struct hit *hits = NULL, hit;
	size_t i, k, left, room = 0;
	const char *page;

	*count = 0;
	for (i = 0; i < n; i++) {
		search_hits(&found[i]);
		/* The tree is read once, so that the look-ups below are cheap. */
		if (found[i].hit_count > MANY)
			visit_pages(&s->v, item[i]);
		for (k = 0, left = want; left > 0 && k < found[i].hit_count; k++) {
			hit = (struct hit){ .space = item[i], .found = &found[i].hits[k], .other = !is_own_variant(item[i], own) };
			page = search_page(s->w->db, s->arena, hit.found);
			if (page == NULL || !visitor_sees(s, item[i], page, &hit))
				continue;
			/*
			 * Make excerpts last: they are the expensive part, and many hits may be
			 * hidden.
			 */
			search_shown(s->w->db, s->arena, &found[i], k, k + 1);
			hits = arena_grow(s->arena, hits, *count, &room, sizeof(*hits));
			hits[(*count)++] = hit;
			left--;
		}
	}
	return hits;
}

/* True if a place has more hits than were fetched. */
static bool
cut_off(const struct search_found *found, size_t n, size_t at)
{
	for (; n > 0; n--)
		if (found[n - 1].hit_count == at)
			return true;
	return false;
}

struct hit *
view_search(struct view *s, const char *query, size_t want, size_t *count)
{
	struct search_in *in = arena_array(s->arena, SPACES, sizeof(*in));
	const struct visit_item **item = arena_array(s->arena, SPACES, sizeof(*item));
	size_t n = list_places(s, in, item), at;
	struct search_found *found = arena_array(s->arena, n + 1, sizeof(*found));
	struct hit *hits;

	*count = 0;
	if (strlen(query) > QUERY_MAX || n == 0)
		return NULL;
	/*
	 * Fetch twice as many as needed, since hidden pages are dropped; fetch more if too few
	 * remain.
	 */
	for (at = want * 2;; at *= 32) {
		search(s->w->db, s->arena, str_of(query), in, n, at, NULL, found);
		hits = collect_visible_hits(s, item, found, n, want, count);
		if (*count >= want || !cut_off(found, n, at))
			break;
	}
	/*
	 * Scores of different spaces are comparable, because search() ranks all of `in` together.
	 */
	sort_list(hits, *count, sizeof(*hits), by_score);
	if (*count > want)
		*count = want;
	return hits;
}

/* ---- words marked ---- */

/* Length of a word of the query at this place of the text, 0 if none; ASCII case is ignored. */
static size_t
word_at(const char *text, const char *query)
{
	size_t n, i;

	for (; *query != '\0'; query += n) {
		/* The query is split again at each place, because it is short. */
		query += strspn(query, " \t\n\"'.,;:/()");
		n = strcspn(query, " \t\n\"'.,;:/()");
		if (n < 2)
			continue;
		for (i = 0; i < n && text[i] != '\0' && (text[i] == query[i] ||
		    ((text[i] | 32) == (query[i] | 32) && (query[i] | 32) >= 'a' && (query[i] | 32) <= 'z')); i++)
			;
		if (i == n)
			return n;
	}
	return 0;
}

/* Any byte beyond ASCII counts as part of a word. */
static bool
is_word(char c)
{
	return (unsigned char)c >= 0x80 || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/*
 * Write text with the words of the query in <mark>. Only exact spellings are marked, not words that
 * the index found by stem.
 */
static void
write_marked(struct html *h, const char *text, const char *query)
{
	const char *from = text, *p = text;
	size_t n;

	while (*p != '\0') {
		/* In scripts without blanks a word may begin anywhere. */
		bool begins = p == text || !is_word(p[-1]) || (unsigned char)*p >= 0x80;
		if (!begins || (n = word_at(p, query)) == 0) {
			p++;
			continue;
		}
		/* Escape the text between marks like any other: marks are the only markup. */
		h_textn(h, (struct str){ from, (size_t)(p - from) });
		h_open(h, "mark");
		h_textn(h, (struct str){ p, n });
		h_close(h);
		from = p += n;
	}
	h_textn(h, str_of(from));
}

/* ---- as a page ---- */

/*
 * Reads an ancestor of a hit, for its label; NULL if it does not exist. Whether the visitor may see
 * it is not checked, since ancestors of a visible page are visible.
 */
static const struct page *
page_above(struct view *s, const struct visit_item *space, const char *id)
{
	const char *key = arena_printf(s->arena, "%s %s", space->id, id);
	struct page *p;

	/* Cache it: hits often share ancestors. */
	if (s->above == NULL)
		s->above = map_new(s->arena);
	if ((p = map_get(s->above, str_of(key))) != NULL)
		return p;
	p = arena_alloc(s->arena, sizeof(*p));
	*p = (struct page){ 0 };
	if (!node_get(s->w->db, s->arena, &space->point, id, &p->node))
		return NULL;
	map_add(s->above, str_of(key), p);
	return p;
}

/*
 * Section, variant (if there are several) and ancestors of a hit, since many pages of a site have
 * the same title.
 */
static const char *
path_text(struct view *s, const struct hit *hit)
{
	const struct visit_item *in = hit->space->up;
	const struct page *p = &hit->page;
	const char *out = NULL;
	int depth = 0;

	while (*p->node.parent != '\0' && depth++ < 20 && (p = page_above(s, hit->space, p->node.parent)) != NULL)
		out = out == NULL ? page_label(s, p) : arena_printf(s->arena, "%s › %s", page_label(s, p), out);
	if (in != NULL ? in->first->next != NULL : s->v.site.first->next != NULL)
		out = out == NULL ? hit->space->title : arena_printf(s->arena, "%s › %s", hit->space->title, out);
	/* Omit the variant if it is the only one and has the section's title. */
	if (in != NULL && (out == NULL || in->first->next == NULL || strcmp(in->title, hit->space->title) != 0))
		out = out == NULL ? in->title : arena_printf(s->arena, "%s › %s", in->title, out);
	return out;
}

static void
write_result(struct view *s, struct html *h, const struct hit *hit, const char *query)
{
	const char *path = path_text(s, hit);

	h_open(h, "li");
	if (path != NULL)
		h_leaf(h, "span", "path", path);
	h_el(h, "h2", "class", "hit", NULL);
	h_open(h, "a");
	h_url(h, "href", hit->href);
	write_marked(h, page_title(s, &hit->page), query);
	h_close(h);
	h_close(h);
	for (size_t i = 0; i < hit->found->section_count; i++) {
		const struct search_section *sec = &hit->found->sections[i];
		h_open(h, "p");
		if (*sec->heading != '\0') {
			h_open(h, "a");
			h_url(h, "href", *sec->anchor != '\0' ? arena_printf(s->arena, "%s#%s", hit->href, sec->anchor) : hit->href);
			write_marked(h, sec->heading, query);
			h_close(h);
			h_text(h, " ");
		}
		write_marked(h, sec->excerpt, query);
		h_close(h);
	}
	h_close(h);
}

/* Hits in other variants follow under a separate heading. */
static void
write_results(struct view *s, struct html *h, const struct hit *hits, size_t count, const char *query)
{
	h_el(h, "ol", "class", "hits", NULL);
	for (size_t i = 0; i < count; i++) {
		if (hits[i].other && (i == 0 || !hits[i - 1].other)) {
			if (i > 0) {
				h_close(h);
				h_el(h, "ol", "class", "hits", NULL);
			}
			h_el(h, "li", "class", "others", NULL);
			h_text(h, say_in(s, TEXT_OTHERS));
			h_close(h);
		}
		write_result(s, h, &hits[i], query);
	}
	h_close(h);
}

void
serve_search(struct view *s)
{
	const char *query = query_parameter(s->w, "q");
	size_t count = 0;
	struct hit *hits = query != NULL && *query != '\0' ? view_search(s, query, HITS, &count) : NULL;
	struct frame f = { .title = say_in(s, TEXT_SEARCH), .plain = true, .query = query };
	struct buf content, out;
	struct html h;

	buf_init(&content, s->arena, 16 << 20);
	h_init(&h, &content);
	if (s->w->copy)
		/* site.js fills it. */
		h_leaf(&h, "ol", "hits", "");
	else if (count > 0)
		write_results(s, &h, hits, count, query);
	else if (query != NULL && *query != '\0') {
		h_open(&h, "p");
		h_text(&h, say_in(s, TEXT_NO_RESULTS));
		h_text(&h, " “");
		h_text(&h, query);
		h_text(&h, "”");
		h_close(&h);
	}
	f.content = buf_view(&content);
	buf_init(&out, s->arena, 32 << 20);
	frame_write(s, &out, &f);
	/*
	 * The page is neither cached nor indexed: results differ per query, and search engines must
	 * not list search pages.
	 */
	send_body(s, &(struct body){ .type = "text/html; charset=utf-8", .bytes = buf_view(&out) });
}

/* ---- as JSON ---- */

void
serve_search_json(struct view *s)
{
	const char *query = query_parameter(s->w, "q"), *path;
	size_t count = 0, i, k;
	struct hit *hits = query != NULL && *query != '\0' ? view_search(s, query, HITS, &count) : NULL;
	struct json j;
	struct buf b;

	buf_init(&b, s->arena, 16 << 20);
	json_init(&j, &b);
	json_arr(&j);
	for (i = 0; i < count; i++) {
		json_obj(&j);
		json_kstr(&j, "title", page_title(s, &hits[i].page));
		json_kstr(&j, "href", hits[i].href);
		if ((path = path_text(s, &hits[i])) != NULL)
			json_kstr(&j, "path", path);
		if (hits[i].other)
			json_kstr(&j, "other", say_in(s, TEXT_OTHERS));
		json_karr(&j, "sections");
		for (k = 0; k < hits[i].found->section_count; k++) {
			const struct search_section *sec = &hits[i].found->sections[k];
			json_obj(&j);
			json_kstr(&j, "title", sec->heading);
			json_kstr(&j, "anchor", sec->anchor);
			json_kstr(&j, "text", sec->excerpt);
			json_end(&j);
		}
		json_end(&j);
		json_end(&j);
	}
	json_end(&j);
	send_body(s, &(struct body){ .type = "application/json", .bytes = buf_view(&b) });
}
