/*
 * The words of an entry, and its division into parts.
 *
 * FTS5 writes all words of a row of search_index in one statement, so a page of megabytes, or of very
 * many different words, would keep others from writing for seconds. So the entry of such a page has
 * several rows there, its parts, which are written and removed one by one. A part costs some 20 ms:
 * PART_COST, in units of a word; a word that the part does not have yet costs as much as DIFFERENT
 * others, since each such word is a key of the index. Few documents reach that: a page of ordinary
 * text has one part up to about 300 kB.
 *
 * A part is a run of sections; sections that are long are divided into pieces first. Each part has
 * the words of title and path too, so that a page is found by its title and a word of any part. The
 * words of the description are in the first part.
 */
#include <sodium.h>

#include "search_parts.h"

/*
 * PIECE: bytes of a piece of a section. LONG_TEXT: an entry of less text has one part, without
 * counting. SEEN: slots of the table of words. BLANK: bytes from the end of a piece within which it
 * ends at a blank, if it can.
 */
enum { PIECE = 32 << 10, LONG_TEXT = 64 << 10, PART_COST = 100000, DIFFERENT = 20, SEEN = 1 << 15, BLANK = 1 << 10,
	LOOKED_AT = 3000 };

/* What the current part costs so far. */
struct part_cost {
	unsigned char key[crypto_shorthash_KEYBYTES];   /* random: nobody can choose words that look the same here */
	uint64_t     *seen;                             /* hashes of its words; NULL: nothing is counted */
	size_t        different, cost;
};

static size_t
text_size(const struct entry *e)
{
	size_t i, n = 0;

	for (i = 0; i < e->count; i++)
		n += strlen(e->sections[i].text);
	return n;
}

/* ---- pieces of sections ---- */

/* Length of the first piece: to the last blank before PIECE, else to a character's beginning. */
static size_t
piece_end(struct str s)
{
	size_t i;

	if (s.n <= PIECE)
		return s.n;
	for (i = PIECE; i > PIECE - BLANK; i--)
		if (s.p[i - 1] == ' ' || s.p[i - 1] == '\n')
			return i;
	for (i = PIECE; i > PIECE - 4 && ((unsigned char)s.p[i] & 0xC0) == 0x80; i--)
		;
	return i;
}

/* Continues the section before: its heading is indexed once, with the first piece. */
static struct doc_section
piece_after(const struct doc_section *s)
{
	struct doc_section next = *s;

	next.under = s->part ? s->under : s->heading;
	next.heading = NULL;
	next.part = true;
	return next;
}

void
entry_cut(struct arena *a, struct entry *e)
{
	struct doc_section *list = NULL, s;
	size_t i, n = 0, room = 0, end;
	struct str text;

	if (text_size(e) <= LONG_TEXT)
		return;
	for (i = 0; i < e->count; i++) {
		s = e->sections[i];
		text = str_of(s.text);
		do {
			end = piece_end(text);
			s.text = text.n == end ? text.p : arena_strndup(a, text.p, end);
			text = str_slice(text, end, text.n);
			list = arena_grow(a, list, n, &room, sizeof(*list));
			list[n++] = s;
			s = piece_after(&s);
		} while (text.n > 0);
	}
	e->sections = list;
	e->count = n;
}

/* ---- costs ---- */

/* True if the part does not have the word yet. A table that is nearly full keeps no more words. */
static bool
is_different(struct part_cost *c, struct str word)
{
	uint64_t h;
	size_t i;

	crypto_shorthash((unsigned char *)&h, (const unsigned char *)word.p, word.n, c->key);
	h |= 1;
	for (i = h / 2 % SEEN; c->seen[i] != 0; i = (i + 1) % SEEN)
		if (c->seen[i] == h)
			return false;
	if (c->different < SEEN / 4 * 3) {
		c->seen[i] = h;
		c->different++;
	}
	return true;
}

/* Adds the cost of packed words (words_pack() of text/words.h). */
static void
add_cost(struct part_cost *c, struct str packed)
{
	size_t i, n;

	for (i = 0; c->seen != NULL && i < packed.n; i += n + 1) {
		n = (unsigned char)packed.p[i] & 63;
		c->cost += 1 + (is_different(c, str_slice(packed, i + 1, i + 1 + n)) ? DIFFERENT : 0);
	}
}

/* ---- words ---- */

/* In this machine's byte order: the index is rebuilt on another machine, never copied. */
static void
put_number(struct buf *b, size_t n)
{
	uint32_t v = (uint32_t)n;

	buf_add(b, &v, sizeof(v));
}

/*
 * Detect the language in the longest section: the same text then gives the same words when they are
 * removed.
 */
static enum language
language_of_entry(const struct entry *e)
{
	struct str longest = { "", 0 }, s;
	size_t i;

	for (i = 0; i < e->count; i++) {
		s = str_of(e->sections[i].text);
		longest = s.n > longest.n ? s : longest;
	}
	return language_detect(str_slice(longest, 0, longest.n < LOOKED_AT ? longest.n : LOOKED_AT));
}

/* Words are made in this order; `now` is the part that takes them. */
struct maker {
	struct arena       *arena;
	struct entry       *entry;
	const char         *scope;
	enum language       lang;
	struct part_cost    cost;
	size_t              room;    /* of the entry's parts */
	struct entry_part  *now;
	struct str          known;   /* division of a row that exists */
	bool                exists;
};

/* Begins each column with its scope, as the tokenizer requires, and the words of title and path. */
static void
begin_part(struct maker *m, size_t first)
{
	struct entry *e = m->entry;
	size_t i;

	e->parts = arena_grow(m->arena, e->parts, e->part_count, &m->room, sizeof(*e->parts));
	m->now = &e->parts[e->part_count++];
	m->now->first = first;
	for (i = 0; i < 4; i++) {
		buf_init(&m->now->terms[i], m->arena, (size_t)1 << 30);
		search_scope(&m->now->terms[i], m->scope, SCOPE_PACKED);
	}
	words_pack(&m->now->terms[IN_TITLE], str_of(e->title), m->lang);
	words_pack(&m->now->terms[IN_TRAIL], str_of(e->trail), m->lang);
	if (first > 0)
		put_number(&e->division, first);
	if (m->cost.seen != NULL)
		memset(m->cost.seen, 0, SEEN * sizeof(*m->cost.seen));
	m->cost.different = m->cost.cost = 0;
}

/* True if a part begins with the section: where one did when the row was written, or by its cost. */
static bool
begins_part(const struct maker *m, size_t section)
{
	if (section == 0)
		return false;
	if (m->exists)
		return m->entry->part_count < part_count(m->known) && part_first(m->known, m->entry->part_count) == section;
	return m->cost.cost >= PART_COST;
}

static size_t
pack_text(struct maker *m, int column, const char *text)
{
	struct buf *b = &m->now->terms[column];
	size_t from = b->n, n = words_pack(b, str_of(text), m->lang);

	add_cost(&m->cost, str_slice(buf_view(b), from, b->n));
	return n;
}

static void
make_words(struct maker *m)
{
	struct entry *e = m->entry;
	size_t i, body = 0, heading;

	buf_init(&e->starts, m->arena, 1 << 20);
	buf_init(&e->division, m->arena, 1 << 20);
	begin_part(m, 0);
	heading = pack_text(m, IN_HEADING, e->about);
	for (i = 0; i < e->count; i++) {
		if (begins_part(m, i))
			begin_part(m, i);
		put_number(&e->starts, body);
		/* The description's words count as headings of section 0. */
		put_number(&e->starts, i == 0 ? 0 : heading);
		heading += pack_text(m, IN_HEADING, e->sections[i].heading == NULL ? "" : e->sections[i].heading);
		body += pack_text(m, IN_BODY, e->sections[i].text);
	}
	e->made = true;
}

void
entry_terms(struct arena *a, int64_t scope, struct entry *e)
{
	struct maker m = { .arena = a, .entry = e, .scope = arena_printf(a, "%lld", (long long)scope),
		.lang = language_of_entry(e) };

	if (text_size(e) > LONG_TEXT) {
		m.cost.seen = arena_array(a, SEEN, sizeof(*m.cost.seen));
		crypto_shorthash_keygen(m.cost.key);
	}
	make_words(&m);
}

void
entry_terms_again(struct arena *a, int64_t scope, struct str division, struct entry *e)
{
	struct maker m = { .arena = a, .entry = e, .scope = arena_printf(a, "%lld", (long long)scope),
		.lang = language_of_entry(e), .known = division, .exists = true };

	make_words(&m);
}
