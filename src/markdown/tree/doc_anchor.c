/*
 * Anchors: the slug of a heading (layout 4), made unique in the page by
 * -1, -2, ...; an explicit id that is taken already gets a number as well, since
 * two places of a page cannot have one address. Expandables and tabs have
 * anchors too, given after all headings, so that no heading's changes by them.
 */
#include <ctype.h>

#include <sodium.h>
#include <utf8proc.h>

#include "markdown/document_tree.h"
#include "base/utf8.h"

/* The service cuts slugs there (docs/design/markdown.md, "Anchors"). */
enum { MAX_SLUG = 100 };
#define NAMELESS "section"

/* What a character reads as in a slug; NULL: itself, "" nothing. */
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

/* A run of anything else is one dash; none at the beginning. */
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
 * Letters of other scripts have no place in the rule; a heading without any
 * Latin letter or digit keeps its letters instead of becoming empty.
 */
static void
slug_own_script(struct buf *out, struct str s)
{
	utf8proc_category_t cat;
	uint32_t cp;
	size_t n;

	for (; s.n > 0 && (n = utf8_next(s, &cp)) > 0; s = str_slice(s, n, s.n)) {
		cat = utf8proc_category((utf8proc_int32_t)cp);
		/* Cut between characters; the cut at MAX_SLUG of slug_from_heading() is for ASCII. */
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
		 * NFD, and marks left out: "ó" is "o". More than 32 parts cannot be; such a
		 * character would vanish.
		 */
		k = utf8proc_decompose_char((utf8proc_int32_t)cp, parts, 32, UTF8PROC_DECOMPOSE, NULL);
		for (utf8proc_ssize_t i = 0; i < k && k <= 32; i++)
			if (utf8proc_category(parts[i]) != UTF8PROC_CATEGORY_MN)
				slug_char(&out, (uint32_t)parts[i]);
	}
	while (out.n > 0 && out.p[out.n - 1] == '-')
		buf_cut(&out, 1);
	if (out.n == 0)
		slug_own_script(&out, heading);
	if (out.n > MAX_SLUG)
		buf_cut(&out, out.n - MAX_SLUG);
	while (out.n > 0 && out.p[out.n - 1] == '-')
		buf_cut(&out, 1);
	if (out.n == 0)
		/*
		 * A heading of emoji or signs alone must have an anchor as well. The service
		 * writes "undefined".
		 */
		buf_str(&out, NAMELESS);
	buf_fit(&out);
	return out.p;
}

/* The id may hold no blank and no quote, since it is written into an attribute. "{#}" is none. */
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

/* Ids in use, with the number to try next for each; a hash table, open addressing. */
struct anchor_entry {
	const char *id;
	uint32_t    next;
	uint32_t    hash;    /* of id, so that a table that grows computes none */
};

/*
 * known are slots of ids that were asked for, each where its address leads: keys of equal blocks are
 * one string more often than not, and are told apart by the address alone.
 */
enum { KNOWN = 64 };

struct anchor_set {
	struct arena        *arena;
	struct anchor_entry *slots;
	size_t               size, used;   /* size is a power of two */
	size_t               known[KNOWN];
	size_t               last;         /* slot of the id that find_free_id() was asked for last: titles repeat */
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

/*
 * By a key that nobody knows: who writes a page chooses its headings, and could choose some
 * thousand of which each is looked for behind all others.
 */
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
 * The entry of id, or the free one where it would go, with its hash. The table is never more than
 * half full, so that there is one.
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

/* The old table stays in the arena: together they are no more than twice the last. */
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

/* The entry of id, new if need be. */
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
anchor_next(struct anchor_set *s, const char *id)
{
	/* Strings of an arena are at multiples of 16. */
	size_t *known = &s->known[(uintptr_t)id / 16 % KNOWN];

	/* A slot that another id has by now, after the table grew, has another address too. */
	if (s->slots[*known].id != id) {
		*known = (size_t)(get_entry(s, id) - s->slots);
		/* The same text at this address, which is the one that will be asked for again. */
		s->slots[*known].id = id;
	}
	return s->slots[*known].next++;
}

void
anchor_use(struct anchor_set *s, const char *id)
{
	anchor_next(s, id);
}

/* printf would take longer than all else here. */
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

/* The first of id, id-1, id-2, ... that is free, and the entry where it would go. */
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

/* The same, and it is used from now on. */
static const char *
take_free_id(struct anchor_set *s, const char *id)
{
	struct anchor_entry *e;

	/* Before it is looked for: a table that grows moves its entries. */
	if (s->used * 2 >= s->size)
		grow_table(s);
	id = find_free_id(s, id, &e);
	e->id = id;
	e->next = 1;
	s->used++;
	return id;
}

static const char *
slug_of(struct anchor_set *s, const struct doc_node *heading)
{
	if (heading->child == NULL && heading->frags == NULL)
		return NAMELESS;
	return slug_from_heading(s->arena, str_of(doc_plain_of(s->arena, heading)));
}

/* It is not taken: the caller may have an explicit id for the heading. */
const char *
anchor_auto(struct anchor_set *s, const struct doc_node *heading)
{
	struct anchor_entry *e;

	return find_free_id(s, slug_of(s, heading), &e);
}

static bool
is_heading(const struct doc_node *n)
{
	return n->type >= DOC_HEADING_1 && n->type <= DOC_HEADING_3;
}

/* True: there is an expandable or a tab. */
static bool
visit_node(struct anchor_set *s, struct doc_node *n, bool headings)
{
	bool others = n->type == DOC_EXPANDABLE || n->type == DOC_TABS_ITEM;
	const char *title;

	if (headings && is_heading(n)) {
		/*
		 * An explicit id is given before the titles below it get theirs, as they come in
		 * the text.
		 */
		n->anchor = take_free_id(s, n->anchor == NULL ? slug_of(s, n) : n->anchor);
	}
	if (!headings && others && n->anchor == NULL) {
		title = n->type == DOC_TABS_ITEM ? doc_attr_str(n, "title")
		    : doc_plain_of(s->arena, n->frags);
		if (title != NULL && *title != '\0') {
			n->anchor = take_free_id(s, slug_from_heading(s->arena, str_of(title)));
		}
	}
	/* Footnotes are shown elsewhere, if at all: nothing in them is a place of the page. */
	for (struct doc_node *c = n->type == DOC_ANNOTATION ? NULL : n->frags; c != NULL; c = c->next)
		others = visit_node(s, c, headings) || others;
	/* Inlines hold no blocks but for footnotes. */
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
