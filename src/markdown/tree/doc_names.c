/*
 * The names by which a fragment may refer to a place in a document, by priority: every anchor; the
 * names that three rules (include/layout/rules.md, "4. Paths, slugs, anchors") make of each
 * heading, with -1, -2 for repeats; any name with the same letters and digits in the same order;
 * for Chinese headings, the names of their pinyin transcription, by which the published service
 * makes its anchors. Anchors come first: #nodejs is the heading "NodeJS", even if "Node.js" is
 * above it, for which GitHub's rule makes the same name. Matching is generous on purpose, since a
 * link that works elsewhere must not be reported as broken.
 *
 * Clients know only the anchors. So a link within the document that uses another name of a place
 * gets the anchor instead.
 */
#include <ctype.h>

#include <utf8proc.h>

#include "../doc_parse.h"
#include "base/pinyin.h"
#include "base/slug.h"
#include "base/map.h"
#include "base/utf8.h"

/* Longer names are not stored: no link uses one, and the names of every page are stored. */
enum { NAME_MAX_BYTES = 1000 };

/* State of collecting names. place is NULL while a node without an anchor is visited. */
struct names {
	struct arena      *a;
	struct anchor_set *rules[4];
	struct map        *places;     /* name -> anchor */
	struct buf        *out;        /* the same as text (doc_places); NULL: not needed */
	const char        *place;      /* anchor of the visited node */
};

/*
 * Returns the name without everything in which the rules differ: punctuation, marks, case. So
 * "Release 4.5", "release-4.5", "release-4-5" and "release45" give the same.
 */
static char *
loose_name(struct arena *a, struct str s)
{
	uint32_t folded[UTF8_FOLDED], cp;
	utf8proc_category_t k;
	struct buf b;
	size_t n, i, m;

	buf_init(&b, a, s.n * 12 + 16);
	buf_char(&b, '~');
	for (; s.n > 0 && (n = utf8_next(s, &cp)) > 0; s = str_slice(s, n, s.n)) {
		if (cp < 0x80) {
			if (isalnum((int)cp))
				buf_char(&b, (char)tolower((int)cp));
			continue;
		}
		m = utf8_fold_char(cp, folded);
		for (i = 0; i < m; i++) {
			k = utf8proc_category((utf8proc_int32_t)folded[i]);
			if (k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_NO)
				buf_utf8(&b, folded[i]);
		}
	}
	buf_fit(&b);
	return b.p;
}

/* Stores a name of the current place, unless an earlier place has the name. */
static void
store_name(struct names *s, const char *name)
{
	struct str n = str_of(name);

	/* A heading in a footnote has no anchor. */
	if (s->place == NULL || !map_add(s->places, n, (void *)s->place))
		return;
	if (s->out == NULL || n.n > NAME_MAX_BYTES || strpbrk(name, "\t\n") != NULL)
		return;
	/*
	 * Without printf: a heading has five names, and printf would take longer than computing
	 * them.
	 */
	buf_put(s->out, n);
	buf_char(s->out, '\t');
	if (strcmp(name, s->place) != 0)
		buf_str(s->out, s->place);
	buf_char(s->out, '\n');
}

/*
 * Names are stored in lower case, as fragments are compared (docs/design/markdown.md, "Anchors").
 */
static void
add_name(struct names *s, const char *name)
{
	store_name(s, utf8_lower(s->a, str_of(name)));
}

/* GitHub's rule: punctuation is dropped, each blank becomes a dash. */
static char *
github_slug(struct arena *a, struct str s)
{
	utf8proc_category_t k;
	struct buf b;
	uint32_t cp;
	size_t n;

	buf_init(&b, a, s.n * 3 + 16);
	for (; s.n > 0 && (n = utf8_next(s, &cp)) > 0; s = str_slice(s, n, s.n)) {
		k = utf8proc_category((utf8proc_int32_t)cp);
		if (cp == ' ')
			buf_char(&b, '-');
		else if (cp == '-' || cp == '_' || (k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_NO))
			buf_utf8(&b, (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp));
	}
	return buf_view(&b).n == 0 ? "" : b.p;
}

/*
 * Adds the name that a rule makes of a heading. Repeats are counted for each rule separately, as a
 * tool that knows only this rule counts them.
 */
static void
add_rule_name(struct names *s, int rule, const char *slug)
{
	size_t before = anchor_count_use(s->rules[rule], slug);

	if (before > 0)
		slug = anchor_numbered(s->a, slug, before);
	add_name(s, slug);
	/* The service does not allow an id to begin with a digit. */
	if (slug[0] >= '0' && slug[0] <= '9')
		add_name(s, arena_printf(s->a, "id-%s", slug));
}

/*
 * Stores the letters and digits of a text as a name (loose_name()). The service puts "id-" before a
 * name that begins with a digit ("1. A + B" becomes "id-1.-a--b"), so that form is stored, too.
 */
static void
store_loose_name(struct names *s, struct str text)
{
	const char *name = loose_name(s->a, text);

	store_name(s, name);
	if (name[1] >= '0' && name[1] <= '9')
		store_name(s, arena_printf(s->a, "~id%s", name + 1));
}

/* Stores the loose names of a text: GitHub's rule drops "&", and the other rules write "and". */
static void
add_loose_names(struct names *s, struct str text)
{
	struct buf b;
	size_t i;

	store_loose_name(s, text);
	if (memchr(text.p, '&', text.n) == NULL)
		return;
	buf_init(&b, s->a, text.n * 3 + 1);
	for (i = 0; i < text.n; i++)
		if (text.p[i] == '&')
			buf_str(&b, "and");
		else
			buf_char(&b, text.p[i]);
	store_loose_name(s, buf_view(&b));
}

/* Passes over the tree, by priority: a name of an earlier pass is not replaced in a later one. */
enum pass { ANCHORS, RULES, LOOSE, PINYIN, PASSES };

/*
 * Adds the pinyin names of a heading: by the service's rule, numbered on repeats, and the letters
 * alone.
 */
static void
add_pinyin_names(struct names *s, struct str text)
{
	char *spelled = pinyin_spelled(s->a, text, false);

	if (spelled == NULL)
		return;
	add_rule_name(s, 3, slug_from_heading(s->a, str_of(spelled)));
	add_loose_names(s, str_of(spelled));
	if ((spelled = pinyin_spelled(s->a, text, true)) != NULL)
		add_loose_names(s, str_of(spelled));
}

static void
visit_node(struct names *s, const struct doc_node *n, enum pass pass)
{
	const struct doc_node *c;
	struct str text;

	s->place = n->anchor;
	if (n->anchor != NULL && pass == ANCHORS)
		add_name(s, n->anchor);
	else if (n->anchor != NULL && pass == LOOSE)
		store_name(s, loose_name(s->a, str_of(n->anchor)));
	if (n->type >= DOC_HEADING_1 && n->type <= DOC_HEADING_3 && pass != ANCHORS) {
		text = str_of(doc_plain_of(s->a, n));
		if (pass == RULES) {
			add_rule_name(s, 0, slug_from_heading(s->a, text));
			add_rule_name(s, 1, slug_from_title(s->a, text));
			add_rule_name(s, 2, github_slug(s->a, text));
		} else if (pass == LOOSE)
			add_loose_names(s, text);
		else
			add_pinyin_names(s, text);
	}
	for (c = n->frags; c != NULL; c = c->next)
		visit_node(s, c, pass);
	for (c = n->child; c != NULL; c = c->next)
		visit_node(s, c, pass);
}

static void
visit_all(struct names *s, const struct doc_node *root)
{
	int i;

	s->places = map_new(s->a);
	for (i = 0; i < 4; i++)
		s->rules[i] = anchor_set_new(s->a);
	for (i = ANCHORS; i < PASSES; i++)
		visit_node(s, root, (enum pass)i);
}

struct str
doc_places(struct arena *a, const struct doc *d)
{
	struct names s = { .a = a };
	struct buf out;

	buf_init(&out, a, (size_t)1 << 30);
	buf_char(&out, '\n');
	s.out = &out;
	visit_all(&s, d->root);
	return buf_view(&out);
}

/* The text of doc_places, or a map made from it. */
struct place_names {
	struct str        text;
	const struct map *map;
};

/* Returns the text after a name; p NULL: the name is missing. */
static struct str
text_after_name(struct arena *a, const struct place_names *in, const char *name)
{
	const struct str *kept = in->map == NULL ? NULL : map_get(in->map, str_of(name));
	struct str places = in->text;
	const char *needle = arena_printf(a, "\n%s\t", name), *p, *end;
	size_t n = strlen(needle);

	if (in->map != NULL)
		return kept != NULL ? *kept : (struct str){ NULL, 0 };
	p = memmem(places.p, places.n, needle, n);
	if (p == NULL)
		return (struct str){ NULL, 0 };
	end = memchr(p + n, '\n', places.n - (size_t)(p + n - places.p));
	return end == NULL ? (struct str){ NULL, 0 } : (struct str){ p + n, (size_t)(end - p) - n };
}

/*
 * Some tools make anchors from the source of the heading, with its <a id="id"></a>
 * ("title-a-idid-a"): removes that part.
 */
static char *
cut_id_tag(struct arena *a, const char *name)
{
	const char *end = strstr(name, "-a-id");

	if (end == NULL)
		end = strstr(name, "-a-href");
	return end == NULL || end == name ? NULL : arena_strndup(a, name, (size_t)(end - name));
}

/*
 * Tries, in the order of the passes, the name as it is, then its letters and digits alone; then
 * both again without an id tag in the name.
 */
static const char *
find_place(struct arena *a, const struct place_names *places, const char *fragment)
{
	const char *name = utf8_lower(a, spelling_decode(a, str_of(fragment)));
	struct str found;

	do {
		found = strpbrk(name, "\t\n") != NULL ? (struct str){ NULL, 0 } : text_after_name(a, places, name);
		if (found.p == NULL && strlen(loose_name(a, str_of(name))) > 1)
			found = text_after_name(a, places, loose_name(a, str_of(name)));
		if (found.p != NULL)
			return found.n == 0 ? name : arena_strndup(a, found.p, found.n);
	} while ((name = cut_id_tag(a, name)) != NULL);
	return NULL;
}

const char *
doc_place(struct arena *a, struct str places, const char *fragment)
{
	return find_place(a, &(struct place_names){ places, NULL }, fragment);
}

struct map *
doc_place_map(struct arena *a, struct str places)
{
	struct map *m = map_new(a);
	const char *p = places.p, *end = places.p + places.n, *line, *tab;
	struct str *rest;

	/*
	 * Each line follows a line feed, also the first one; of duplicate names the first line
	 * counts.
	 */
	for (; p < end && (line = memchr(p + 1, '\n', (size_t)(end - p - 1))) != NULL; p = line) {
		if ((tab = memchr(p, '\t', (size_t)(line - p))) == NULL)
			continue;
		rest = arena_alloc(a, sizeof(*rest));
		*rest = (struct str){ tab + 1, (size_t)(line - tab) - 1 };
		map_add(m, (struct str){ p + 1, (size_t)(tab - p) - 1 }, rest);
	}
	return m;
}

const char *
doc_place_in(struct arena *a, const struct map *places, const char *fragment)
{
	return find_place(a, &(struct place_names){ STR(""), places }, fragment);
}

/* The title is not a heading of the body, so the body's names do not include it. */
bool
doc_names_title(struct arena *a, const char *title, const char *fragment)
{
	const char *name = loose_name(a, spelling_decode(a, str_of(fragment))), *spelled;
	int other;

	if (name[1] == '\0')
		return false;
	if (strcmp(name, loose_name(a, str_of(title))) == 0 ||
	    strcmp(name, loose_name(a, str_of(slug_from_heading(a, str_of(title))))) == 0)
		return true;
	for (other = 0; other < 2; other++)
		if ((spelled = pinyin_spelled(a, str_of(title), other)) != NULL && strcmp(name, loose_name(a, str_of(spelled))) == 0)
			return true;
	return false;
}

/* ---- descriptions of APIs ---- */

struct specs {
	struct arena *a;
	struct map   *seen;
	const char  **list;
	size_t        count, room;
};

/*
 * Collects the slugs of API descriptions. Table cells are visited, too, since JSON from clients may
 * have such blocks there.
 */
static void
collect_specs(struct specs *s, const struct doc_node *n)
{
	const struct doc_attr *x = doc_attr(n, "ref");
	const struct doc_record *r;
	const struct doc_node *c;
	const char *spec;
	size_t i;

	if (x != NULL && x->kind == ATTR_REF && x->v.target->ref.kind == REF_OPENAPI &&
	    *(spec = x->v.target->ref.id) != '\0' && map_add(s->seen, str_of(spec), NULL)) {
		s->list = arena_grow(s->a, s->list, s->count, &s->room, sizeof(*s->list));
		s->list[s->count++] = spec;
	}
	for (r = n->table == NULL ? NULL : n->table->records; r != NULL; r = r->next)
		for (i = 0; i < n->table->width; i++)
			if (r->cells[i].blocks != NULL)
				collect_specs(s, r->cells[i].blocks);
	for (c = n->child; c != NULL; c = c->next)
		collect_specs(s, c);
}

const char **
doc_specs(struct arena *a, const struct doc *d, size_t *count)
{
	struct specs s = { .a = a, .seen = map_new(a) };

	collect_specs(&s, d->root);
	*count = s.count;
	return s.list;
}

/* ---- links within the document ---- */

/* places is shared by all links of the document. */
struct fragment_resolver {
	struct arena          *a;
	const char            *self;             /* id of this page, or NULL */
	const struct doc_node *root;
	struct map            *places;           /* made for the first link that needs it */
};

static void
resolve_fragment(struct fragment_resolver *s, struct doc_target *t)
{
	struct str name = spelling_decode(s->a, str_of(t->ref.anchor));
	const char *place, *lower = utf8_lower(s->a, name);

	/* The list is made on demand, because most documents have no such link. */
	if (s->places == NULL) {
		struct names all = { .a = s->a };
		visit_all(&all, s->root);
		s->places = all.places;
	}
	place = map_get(s->places, str_of(lower));
	/* A fragment of punctuation alone has no letters and matches no name. */
	if (place == NULL && (name.p = loose_name(s->a, name), name.p[1] != '\0'))
		place = map_get(s->places, str_of(name.p));
	if (place != NULL)
		t->ref.anchor = place;
}

/* True if the link points to a place on this page. */
static bool
is_same_page(const struct fragment_resolver *s, const struct doc_ref *r)
{
	return r->kind == REF_ANCHOR && r->space == NULL && r->anchor != NULL &&
	    (r->id == NULL || (s->self != NULL && strcmp(r->id, s->self) == 0));
}

static void
resolve_fragments(struct fragment_resolver *s, const struct doc_node *n)
{
	const struct doc_column *k;
	const struct doc_record *r;
	const struct doc_node *c;
	struct doc_attr *x = doc_attr(n, "ref");
	size_t i;

	if (x != NULL && x->kind == ATTR_REF && is_same_page(s, &x->v.target->ref))
		resolve_fragment(s, x->v.target);
	for (k = n->table == NULL ? NULL : n->table->columns; k != NULL; k = k->next)
		if (k->marked != NULL)
			resolve_fragments(s, k->marked);
	for (r = n->table == NULL ? NULL : n->table->records; r != NULL; r = r->next)
		for (i = 0; i < n->table->width; i++) {
			if (r->cells[i].blocks != NULL)
				resolve_fragments(s, r->cells[i].blocks);
			if (r->cells[i].target != NULL && is_same_page(s, &r->cells[i].target->ref))
				resolve_fragment(s, r->cells[i].target);
		}
	for (c = n->frags; c != NULL; c = c->next)
		resolve_fragments(s, c);
	for (c = n->child; c != NULL; c = c->next)
		resolve_fragments(s, c);
}

void
doc_resolve_fragments(struct arena *a, struct doc *d, const char *self)
{
	struct fragment_resolver s = { .a = a, .self = self, .root = d->root };

	if (d->lookup_count > 0)
		resolve_fragments(&s, d->root);
}
