/*
 * Anchors: the slug of a heading (layout 4), made unique in the page by -1, -2 and so on. A
 * repeated explicit id also gets a number, since two places of a page cannot have the same address.
 * Expandables and tabs get their anchors after all headings, so that they do not change the anchors
 * of headings.
 */
#include <ctype.h>

#include <sodium.h>
#include <utf8proc.h>

#include "markdown/document_tree.h"
#include "base/utf8.h"

/* The service cuts slugs at this length (docs/design/markdown.md, "Anchors"). */
enum { MAX_SLUG = 100 };
#define NAMELESS "section"

/* Returns the replacement of a character in slugs; NULL: the character itself, "": nothing. */
static const char *
slug_transliterate(uint32_t cp)
{
	switch (cp) {
	case '\'': case '"': case '`': case 0x2018: case 0x2019: case 0x201C: case 0x201D:
		return "";
	case '&':    return "and";
	case '<':    return "less-than";
	case '>':    return "greater-than";
	case '|':    return "or";
	case 0x142: case 0x141: return "l";
	case 0xF8: case 0xD8: return "o";
	case 0xDF:   return "ss";
	case 0xE6: case 0xC6: return "ae";
	case 0x153: case 0x152: return "oe";
	case 0x111: case 0x110: return "d";
	default:     return NULL;
	}
}

/* Writes one dash for a run of other characters, and none at the beginning. */
static void
slug_char(struct buf *out, uint32_t cp)
{
	const char *s = slug_transliterate(cp);

	if (s != NULL && *s == '\0')
		return;
	if (s != NULL && cp < 0x80 && out->n > 0 && out->p[out->n - 1] != '-')
		buf_char(out, '-');
	if (s != NULL) {
		buf_str(out, s);
		if (cp < 0x80)
			buf_char(out, '-');
	} else if (cp < 0x80 && (isalnum((int)cp) || cp == '_'))
		buf_char(out, (char)tolower((int)cp));
	else if (out->n > 0 && out->p[out->n - 1] != '-')
		buf_char(out, '-');
}

/*
 * The rule drops letters of other scripts. A heading without any Latin letter or digit keeps its
 * letters, so that its slug is not empty.
 */
static void
slug_keep_script(struct buf *out, struct str s)
{
	utf8proc_category_t cat;
	uint32_t cp;
	size_t n;

	for (; s.n > 0 && (n = utf8_next(s, &cp)) > 0; s = str_slice(s, n, s.n)) {
		cat = utf8proc_category((utf8proc_int32_t)cp);
		/*
		 * The text is cut between characters here. slug_from_heading() cuts it at MAX_SLUG
		 * bytes, which is only safe for ASCII.
		 */
		if (out->n + n > MAX_SLUG)
			break;
		if (cat >= UTF8PROC_CATEGORY_LU && cat <= UTF8PROC_CATEGORY_NO)
			buf_utf8(out, (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp));
		else if (out->n > 0 && out->p[out->n - 1] != '-')
			buf_char(out, '-');
	}
}

char *
slug_from_heading(struct arena *a, struct str heading)
{
	utf8proc_int32_t parts[32];
	struct str s = heading;
	struct buf out;
	utf8proc_ssize_t k;
	uint32_t cp;
	size_t n;

	if (heading.n == 0)
		return arena_strdup(a, NAMELESS);
	buf_init(&out, a, heading.n * 16 + 256);
	for (; s.n > 0 && (n = utf8_next(s, &cp)) > 0; s = str_slice(s, n, s.n)) {
		if (cp < 0x80) {
			slug_char(&out, cp);
			continue;
		}
		/*
		 * Decompose (NFD) and drop combining marks: "ó" becomes "o". No character has more
		 * than 32 parts; it would be dropped.
		 */
		k = utf8proc_decompose_char((utf8proc_int32_t)cp, parts, 32, UTF8PROC_DECOMPOSE, NULL);
		for (utf8proc_ssize_t i = 0; i < k && k <= 32; i++)
			if (utf8proc_category(parts[i]) != UTF8PROC_CATEGORY_MN)
				slug_char(&out, (uint32_t)parts[i]);
	}
	while (out.n > 0 && out.p[out.n - 1] == '-')
		buf_cut(&out, 1);
	if (out.n == 0)
		slug_keep_script(&out, heading);
	if (out.n > MAX_SLUG)
		buf_cut(&out, out.n - MAX_SLUG);
	while (out.n > 0 && out.p[out.n - 1] == '-')
		buf_cut(&out, 1);
	if (out.n == 0)
		/*
		 * A heading of only emoji or punctuation needs an anchor as well. The service
		 * writes "undefined".
		 */
		buf_str(&out, NAMELESS);
	buf_fit(&out);
	return out.p;
}

/*
 * The id must not contain blanks or quotes, since it is written into an attribute. "{#}" is not an
 * id.
 */
size_t
heading_id(struct str s)
{
	size_t i;

	if (s.n < 4 || s.p[s.n - 1] != '}')
		return s.n;
	for (i = s.n - 1; i > 0 && strchr("{} \t\n\"'<>", s.p[i - 1]) == NULL; )
		i--;
	return i > 0 && s.p[i - 1] == '{' && s.p[i] == '#' && i + 2 < s.n ? i - 1 : s.n;
}

/* Ids in use, each with the next number to try: a hash table with open addressing. */
struct anchor_entry {
	const char *id;
	uint32_t    next;
	uint32_t    hash;    /* of id; growing the table reuses it */
};

/*
 * known caches slots by the address of an id: keys of equal blocks are usually the same string in
 * memory, so comparing addresses is enough.
 */
enum { KNOWN = 64 };

struct anchor_set {
	struct arena        *arena;
	struct anchor_entry *slots;
	size_t               size, used;   /* number of slots, a power of two; number of ids in them */
	size_t               known[KNOWN];
	size_t               last;         /* slot of the last id given to find_free_id(): titles repeat */
};

struct anchor_set *
anchor_set_new(struct arena *a)
{
	struct anchor_set *s = arena_alloc(a, sizeof(*s));

	s->arena = a;
	s->size = 64;
	s->slots = arena_array(a, s->size, sizeof(*s->slots));
	return s;
}

/* Hashes with a secret key: authors choose their headings, and could choose thousands that collide. */
static uint32_t
hash_id(const char *id)
{
	static unsigned char seed[crypto_shorthash_KEYBYTES];
	static bool drawn;
	unsigned char h[crypto_shorthash_BYTES];
	uint32_t n;

	if (!drawn)
		randombytes_buf(seed, sizeof(seed));
	drawn = true;
	crypto_shorthash(h, (const unsigned char *)id, strlen(id), seed);
	memcpy(&n, h, sizeof(n));
	return n;
}

/*
 * Returns the entry of id, or the free entry to use for it, with the hash set. The table is at most
 * half full, so a free entry exists.
 */
static struct anchor_entry *
find_slot(struct anchor_set *s, const char *id)
{
	uint32_t h = hash_id(id);
	size_t i;

	for (i = h & (s->size - 1); s->slots[i].id != NULL; i = (i + 1) & (s->size - 1))
		if (s->slots[i].hash == h && strcmp(s->slots[i].id, id) == 0)
			break;
	s->slots[i].hash = h;
	return &s->slots[i];
}

/* The old table stays in the arena: all old tables together are smaller than the newest. */
static void
grow_table(struct anchor_set *s)
{
	struct anchor_entry *old = s->slots;
	size_t i, at, n = s->size;

	s->size *= 2;
	s->slots = arena_array(s->arena, s->size, sizeof(*s->slots));
	for (i = 0; i < n; i++) {
		if (old[i].id == NULL)
			continue;
		for (at = old[i].hash & (s->size - 1); s->slots[at].id != NULL; )
			at = (at + 1) & (s->size - 1);
		s->slots[at] = old[i];
	}
}

/* Returns the entry of id; adds it if it is missing. */
static struct anchor_entry *
get_entry(struct anchor_set *s, const char *id)
{
	struct anchor_entry *e;

	if (s->used * 2 >= s->size)
		grow_table(s);
	e = find_slot(s, id);
	if (e->id == NULL) {
		e->id = id;
		s->used++;
	}
	return e;
}

size_t
anchor_count_use(struct anchor_set *s, const char *id)
{
	/* Strings in an arena begin at multiples of 16. */
	size_t *known = &s->known[(uintptr_t)id / 16 % KNOWN];

	/* If growing the table gave the slot to another id, the address differs too. */
	if (s->slots[*known].id != id) {
		*known = (size_t)(get_entry(s, id) - s->slots);
		/* Store this address of the same text: the next lookup will use it. */
		s->slots[*known].id = id;
	}
	return s->slots[*known].next++;
}

void
anchor_use(struct anchor_set *s, const char *id)
{
	anchor_count_use(s, id);
}

/* Without printf, which would take longer than everything else here. */
const char *
anchor_numbered(struct arena *a, const char *id, size_t number)
{
	size_t n = strlen(id), digits = 1, rest;
	char *s, *p;

	for (rest = number; rest >= 10; rest /= 10)
		digits++;
	s = arena_bytes(a, n + digits + 2);
	memcpy(s, id, n);
	s[n] = '-';
	p = s + n + 1 + digits;
	*p = '\0';
	while (digits-- > 0) {
		*--p = (char)('0' + number % 10);
		number /= 10;
	}
	return s;
}

/* Returns the first free one of id, id-1, id-2, ..., and the entry to use for it. */
static const char *
find_free_id(struct anchor_set *s, const char *id, struct anchor_entry **free)
{
	struct anchor_entry *e = &s->slots[s->last];
	const char *try = id;
	size_t n;

	if (e->id == NULL || strcmp(e->id, id) != 0)
		e = find_slot(s, id);
	s->last = (size_t)(e - s->slots);
	*free = e;
	if (e->id == NULL)
		return id;
	for (n = e->next > 0 ? e->next : 1; ; n++) {
		try = anchor_numbered(s->arena, id, n);
		if ((*free = find_slot(s, try))->id == NULL)
			break;
	}
	e->next = (uint32_t)n;
	return try;
}

/* Returns the first free id as find_free_id() does, and marks it as used. */
static const char *
take_free_id(struct anchor_set *s, const char *id)
{
	struct anchor_entry *e;

	/* Grow before the lookup: growing moves the entries. */
	if (s->used * 2 >= s->size)
		grow_table(s);
	id = find_free_id(s, id, &e);
	e->id = id;
	e->next = 1;
	s->used++;
	return id;
}

static const char *
heading_slug(struct anchor_set *s, const struct doc_node *heading)
{
	if (heading->child == NULL && heading->frags == NULL)
		return NAMELESS;
	return slug_from_heading(s->arena, str_of(doc_plain_of(s->arena, heading)));
}

/* Does not mark the anchor as used, since the caller may have an explicit id for the heading. */
const char *
anchor_auto(struct anchor_set *s, const struct doc_node *heading)
{
	struct anchor_entry *e;

	return find_free_id(s, heading_slug(s, heading), &e);
}

static bool
is_heading(const struct doc_node *n)
{
	return n->type >= DOC_HEADING_1 && n->type <= DOC_HEADING_3;
}

/*
 * Assigns anchors: to headings if `headings` is true, else to expandables and tabs. Returns true if
 * the node contains an expandable or a tab.
 */
static bool
visit_node(struct anchor_set *s, struct doc_node *n, bool headings)
{
	bool others = n->type == DOC_EXPANDABLE || n->type == DOC_TABS_ITEM;
	const char *title;

	if (headings && is_heading(n)) {
		/*
		 * Explicit and generated ids are assigned in text order: an explicit id comes
		 * before the titles below it.
		 */
		n->anchor = take_free_id(s, n->anchor == NULL ? heading_slug(s, n) : n->anchor);
	}
	if (!headings && others && n->anchor == NULL) {
		title = n->type == DOC_TABS_ITEM ? doc_attr_str(n, "title")
		    : doc_plain_of(s->arena, n->frags);
		if (title != NULL && *title != '\0') {
			n->anchor = take_free_id(s, slug_from_heading(s->arena, str_of(title)));
		}
	}
	/* Footnotes are skipped: they are shown elsewhere, or not at all, so no link can point into them. */
	for (struct doc_node *c = n->type == DOC_ANNOTATION ? NULL : n->frags; c != NULL; c = c->next)
		others = visit_node(s, c, headings) || others;
	/* Only footnotes put blocks into inlines. */
	if (doc_kinds[n->type].content == HAS_INLINES)
		return others;
	for (struct doc_node *c = n->child; c != NULL; c = c->next)
		others = visit_node(s, c, headings) || others;
	return others;
}

void
doc_anchors(struct arena *a, struct doc_node *root)
{
	struct anchor_set *s = anchor_set_new(a);

	if (visit_node(s, root, true))
		visit_node(s, root, false);
}
