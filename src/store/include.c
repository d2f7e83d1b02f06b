/* Replaces include tags in a text by the texts that they name. Contract: store/include.h. */
#include <string.h>

#include "base/map.h"
#include "base/sort.h"
#include "store/include.h"

/*
 * MAX_NESTING and MAX_BYTES limit the result, since a text that includes another twice, at each level,
 * grows without bounds; dereference.c has the same limits. Each include counts at least
 * INCLUDE_BYTES, so that many empty texts reach the limit, too. A tag is shorter than MAX_TAG.
 */
enum { MAX_NESTING = 8, MAX_BYTES = 8 << 20, INCLUDE_BYTES = 128, MAX_TAG = 4096 };

struct include_state {
	struct arena                *arena;
	const struct include_source *source;
	const char                  *open[MAX_NESTING];   /* contents that are being inserted */
	int                          depth;
	size_t                       bytes;               /* inserted so far */
};

/* A range of the body that is replaced. */
struct edit {
	size_t     from, to;
	struct str text;
};

struct edits {
	struct edit *list;
	size_t       n, room;
};

bool
include_any(struct str refs)
{
	/* Without bytes the pointer is NULL, which memmem() must not get. */
	return refs.n > 0 && memmem(refs.p, refs.n, "\"reusable-content\"", 18) != NULL;
}

static bool
is_open(const struct include_state *x, const char *id)
{
	int i;

	for (i = 0; i < x->depth && strcmp(x->open[i], id) != 0; i++)
		;
	return i < x->depth;
}

static struct str expand_body(struct include_state *x, struct str body, const struct link_map *map);

/*
 * Returns the text that a reference names, with its own includes inserted. False: it cannot be
 * inserted.
 */
static bool
read_include(struct include_state *x, const struct doc_ref *ref, struct str *out)
{
	struct include_text t;

	if (ref->kind != REF_REUSABLE || ref->id == NULL || x->depth == MAX_NESTING || x->bytes > MAX_BYTES ||
	    is_open(x, ref->id) || !x->source->get(x->source->ctx, ref->id, true, &t))
		return false;
	x->bytes += t.body.n + INCLUDE_BYTES;
	if (x->bytes > MAX_BYTES)
		return false;
	x->open[x->depth++] = ref->id;
	*out = str_trim(expand_body(x, t.body, &t.map));
	x->depth--;
	return true;
}

/* ---- the place of a tag ---- */

/*
 * Finds the beginning and end of the tag that contains the target at from..to. False: the target is
 * in no tag.
 */
static bool
find_tag(struct str body, size_t from, size_t to, size_t *begin, size_t *end)
{
	size_t i = from;

	/* Move i back until it follows the nearest "{%". */
	while (i >= 2 && from - i < MAX_TAG && !(body.p[i - 2] == '{' && body.p[i - 1] == '%'))
		i--;
	if (i < 2 || body.p[i - 2] != '{')
		return false;
	*begin = i - 2;
	/* Forth to the next "%}". */
	for (i = to; i + 1 < body.n && i - to < MAX_TAG && !(body.p[i] == '%' && body.p[i + 1] == '}');)
		i++;
	*end = i + 2;
	return i + 1 < body.n && body.p[i] == '%' && body.p[i + 1] == '}';
}

static size_t
line_start(struct str s, size_t i)
{
	while (i > 0 && s.p[i - 1] != '\n')
		i--;
	return i;
}

static size_t
line_end(struct str s, size_t i)
{
	while (i < s.n && s.p[i] != '\n')
		i++;
	return i;
}

static bool
contains_only(struct str s, const char *chars)
{
	size_t i;

	for (i = 0; i < s.n && s.p[i] != '\0' && strchr(chars, s.p[i]) != NULL; i++)
		;
	return i == s.n;
}

/* The prefix of the lines after the first: quote marks of `lead` are kept, everything else becomes blanks. */
static struct str
continuation_prefix(struct arena *a, struct str lead)
{
	char *s = arena_strndup(a, lead.p, lead.n);
	size_t i;

	for (i = 0; i < lead.n; i++)
		if (s[i] != '>' && s[i] != '\t')
			s[i] = ' ';
	return (struct str){ s, lead.n };
}

/* Formats the text as blocks that replace a line with the prefix `lead`. */
static struct str
format_blocks(struct arena *a, struct str body, size_t start, size_t end, struct str lead, struct str text)
{
	struct str in = continuation_prefix(a, lead), bare = str_trim(in);
	struct buf b;
	size_t i;

	buf_init(&b, a, (size_t)1 << 30);
	/* Blank lines separate it from the paragraphs before and after. */
	if (start > 0 && contains_only(lead, "> \t") && !contains_only(str_slice(body, line_start(body, start - 1), start - 1), "> \t\r")) {
		buf_put(&b, bare);
		buf_char(&b, '\n');
	}
	buf_put(&b, lead);
	for (i = 0; i < text.n; i++) {
		buf_char(&b, text.p[i]);
		if (text.p[i] == '\n' && i + 1 < text.n && text.p[i + 1] != '\n')
			buf_put(&b, in);
		else if (text.p[i] == '\n')
			buf_put(&b, bare);
	}
	if (end + 1 < body.n && !contains_only(str_slice(body, end + 1, line_end(body, end + 1)), "> \t\r")) {
		buf_char(&b, '\n');
		buf_put(&b, bare);
	}
	return buf_view(&b);
}

static struct str
format_words(struct arena *a, struct str text)
{
	char *s = arena_strndup(a, text.p, text.n);
	size_t i;

	for (i = 0; i < text.n; i++)
		if (s[i] == '\n' || s[i] == '\r')
			s[i] = ' ';
	return (struct str){ s, text.n };
}

static void
add_edit(struct include_state *x, struct edits *e, size_t from, size_t to, struct str text)
{
	e->list = arena_grow(x->arena, e->list, e->n, &e->room, sizeof(*e->list));
	e->list[e->n++] = (struct edit){ from, to, text };
}

/* Replaces the tag that names the text by the text. */
static void
replace_tag(struct include_state *x, struct edits *e, struct str body, const struct doc_link *l, struct str text)
{
	size_t begin, end, start, stop;
	struct str lead;

	if (!find_tag(body, l->from, l->to, &begin, &end))
		return;
	start = line_start(body, begin);
	stop = line_end(body, end);
	lead = str_slice(body, start, begin);
	/* Insert blocks if the tag is alone in its line, except for marks of quotes and list items; otherwise words. */
	if (contains_only(lead, "> \t-+*.)0123456789") && contains_only(str_slice(body, end, stop), " \t\r"))
		add_edit(x, e, start, stop, format_blocks(x->arena, body, start, stop, lead, text));
	else
		add_edit(x, e, begin, end, format_words(x->arena, text));
}

/* ---- all of a body ---- */

static void
replace_link(struct include_state *x, struct edits *e, struct str body, const struct link_map *map, const struct doc_link *l)
{
	const struct include_source *s = x->source;
	struct doc_ref ref;
	struct buf plain, b;
	struct str text;

	/* to 0: the place of the link is unknown. */
	if (l->to == 0 || !link_map_find(map, l->spelling, &ref))
		return;
	if (l->use == USE_INCLUDE) {
		if (read_include(x, &ref, &text))
			replace_tag(x, e, body, l, text);
		return;
	}
	buf_init(&plain, x->arena, 1 << 20);
	if (s->spell == NULL || !s->spell(s->spell_ctx, &ref, l->use, &plain))
		return;
	buf_init(&b, x->arena, 4 << 20);
	doc_quote(&b, buf_view(&plain), l->place);
	add_edit(x, e, l->from, l->to, buf_view(&b));
}

static int
compare_edits(const void *a, const void *b)
{
	const struct edit *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static struct str
expand_body(struct include_state *x, struct str body, const struct link_map *map)
{
	struct edits e = { 0 };
	struct doc_link *l;
	struct buf out;
	size_t at = 0, i;

	if (map->n == 0)
		return body;
	for (l = doc_links(x->arena, body); l != NULL; l = l->next)
		replace_link(x, &e, body, map, l);
	if (e.n == 0)
		return body;
	sort_list(e.list, e.n, sizeof(*e.list), compare_edits);
	buf_init(&out, x->arena, (size_t)1 << 30);
	for (i = 0; i < e.n; i++) {
		/* Skip a second link in a tag that was replaced already. */
		if (e.list[i].from < at)
			continue;
		buf_put(&out, str_slice(body, at, e.list[i].from));
		buf_put(&out, e.list[i].text);
		at = e.list[i].to;
	}
	buf_put(&out, str_slice(body, at, body.n));
	return buf_view(&out);
}

struct str
include_body(struct arena *a, const struct include_source *s, const char *self, struct str body,
    const struct link_map *map)
{
	struct include_state x = { .arena = a, .source = s, .open = { self }, .depth = 1 };

	return expand_body(&x, body, map);
}

/* ---- the cache key ---- */

static void
add_key(struct buf *b, const struct include_source *s, struct map *seen, const struct link_map *map, int depth)
{
	struct include_text t;
	size_t i;

	for (i = 0; i < map->n; i++) {
		const struct doc_ref *ref = &map->list[i].ref;

		if (ref->kind != REF_REUSABLE || ref->id == NULL || depth == MAX_NESTING ||
		    !map_add(seen, str_of(ref->id), seen) || !s->get(s->ctx, ref->id, false, &t))
			continue;
		/* An empty text has no hash. It still needs an entry, since including it changes the result. */
		buf_put(b, t.hash.n > 0 ? t.hash : STR("-"));
		add_key(b, s, seen, &t.map, depth + 1);
	}
}

struct str
include_key(struct arena *a, const struct include_source *s, const char *self, const struct link_map *map)
{
	struct map *seen = map_new(a);
	struct buf b;

	map_add(seen, str_of(self), seen);
	buf_init(&b, a, 4 << 20);
	add_key(&b, s, seen, map, 1);
	return buf_view(&b);
}

/* ---- from rows ---- */

static bool
read_row_text(void *ctx, const char *id, bool bytes, struct include_text *out)
{
	struct include_rows *r = ctx;
	struct str refs = { NULL, 0 };
	struct node n;

	*out = (struct include_text){ .body = STR("") };
	if (!content_to_include(r->db, r->arena, r->point, id, &n))
		return false;
	out->hash = n.body;
	if (bytes && n.body.n > 0 && !blob_get(r->db, r->arena, n.body, &out->body))
		return false;
	if (n.refs.n > 0 && blob_get(r->db, r->arena, n.refs, &refs))
		out->map = link_map_read(r->arena, refs);
	return true;
}

struct include_source
include_from_rows(struct include_rows *rows)
{
	return (struct include_source){ .get = read_row_text, .ctx = rows };
}
