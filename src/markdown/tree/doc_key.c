/*
 * Block keys. The key of a top-level block is a hash of its source, so that it stays the same while
 * the block is not edited, even if a later version parses it differently. The key of a nested block
 * is a hash of its content (types, data as spelled, text), which does not depend on how links
 * resolve. Equal keys get their number in the page: key, key-1, key-2.
 */
#include <sodium.h>

#include "markdown/document_tree.h"

/*
 * With 80 bits, two blocks of a page collide by chance once in 10^14 pages of 100,000 blocks. The
 * shortest BLAKE2b digest in libsodium is 16 bytes.
 */
enum { DIGEST = 16, KEY_BYTES = 10 };

/*
 * A cache from hashed bytes to digest and key: in a page with more than FEW blocks many are equal
 * (cells of tables, items of one word). It has SLOTS entries, for blocks of up to CACHED_BYTES
 * bytes, and RECENT pointers to the entries that were used last. The slot is found by a cheap hash,
 * and a new entry replaces the one in its slot, so no page can make it slower than hashing without
 * the cache.
 */
enum { FEW = 64, SLOTS = 512, CACHED_BYTES = 256, RECENT = 32 };

struct cached_key {
	size_t        n;               /* 0: unused */
	char          bytes[CACHED_BYTES];
	unsigned char digest[DIGEST];
	const char   *key;
};

/*
 * seen counts the blocks of each key in the document. bytes is a stack of the bytes to hash for the
 * current block and its ancestors, outermost first: a block has usually so few that one call of the
 * hash is faster than a call for each part.
 */
struct key_maker {
	struct arena      *a;
	struct anchor_set *seen;
	struct buf         bytes;
	size_t             hashed;     /* blocks hashed so far */
	struct cached_key      *known;      /* SLOTS slots; NULL up to FEW blocks */
	struct cached_key      *recent[RECENT];  /* last slots found, by length of the bytes; NULL: none */
};

/*
 * h: the buffer to hash, NULL if nothing is hashed. Inline, since most calls add a length and a few
 * bytes.
 */
static inline void
add_bytes(struct buf *h, const char *s, size_t n)
{
	/*
	 * Lengths go first, so that ("ab", "c") and ("a", "bc") differ. Lengths and numbers are in
	 * the machine's byte order: keys are only compared within one installation.
	 */
	uint64_t size = n;

	if (h == NULL)
		return;
	/* Reserve once: most texts are so short that two checks take longer than the copies. */
	if (h->cap - h->n < sizeof(size) + n)
		buf_reserve(h, sizeof(size) + n);
	memcpy(h->p + h->n, &size, sizeof(size));
	if (n > 0)
		memcpy(h->p + h->n + sizeof(size), s, n);
	h->n += sizeof(size) + n;
}

static void
add_str(struct buf *h, const char *s)
{
	add_bytes(h, s, s == NULL ? 0 : strlen(s));
}

/*
 * For references the spelling counts and not the resolved target: a key must not change when
 * another page is moved or deleted.
 */
static void
add_attrs(struct buf *h, const struct doc_node *n)
{
	const struct doc_attr *x;
	const struct doc_list *l;

	if (h == NULL)
		return;
	for (x = n->attrs; x != NULL; x = x->next) {
		add_str(h, x->name);
		if (x->kind == ATTR_STRING || x->kind == ATTR_JSON)
			add_str(h, x->v.s);
		else if (x->kind == ATTR_BOOL)
			add_bytes(h, x->v.b ? "1" : "0", 1);
		else if (x->kind == ATTR_NUMBER)
			add_bytes(h, (const char *)&x->v.n, sizeof(x->v.n));
		else if (x->kind == ATTR_REF)
			add_str(h, x->v.target->spelling);
		for (l = x->kind == ATTR_LIST ? x->v.list : NULL; l != NULL; l = l->next)
			add_str(h, l->s);
	}
	add_str(h, n->props);
}

static const char *
key_text(struct arena *a, const unsigned char *digest)
{
	static const char digits[] = "0123456789abcdef";
	char *text = arena_bytes(a, KEY_BYTES * 2 + 1);

	/*
	 * sodium_bin2hex() is not used: it runs in constant time, which takes five times longer,
	 * and keys are not secret.
	 */
	for (size_t i = 0; i < KEY_BYTES; i++) {
		text[i * 2] = digits[digest[i] >> 4];
		text[i * 2 + 1] = digits[digest[i] & 15];
	}
	text[KEY_BYTES * 2] = '\0';
	return text;
}

static inline uint64_t
mix_word(uint64_t h, uint64_t word)
{
	/*
	 * An odd random multiplier carries all bits of the word into the upper half, which is
	 * folded down.
	 */
	h = (h ^ word) * 0x9E3779B97F4A7C15u;
	return h ^ h >> 32;
}

/* Returns the cache slot of these bytes; NULL: they are not cached. */
static struct cached_key *
cache_slot(struct key_maker *k, struct str s)
{
	struct cached_key **recent = &k->recent[s.n / 8 % RECENT];
	uint64_t h = s.n, word;
	size_t at;

	/* A list of one-word items repeats two kinds of blocks. */
	if (*recent != NULL && (*recent)->n == s.n && memcmp((*recent)->bytes, s.p, s.n) == 0)
		return *recent;
	if (++k->hashed <= FEW || s.n == 0 || s.n > CACHED_BYTES)
		return NULL;
	if (k->known == NULL)
		k->known = arena_array(k->a, SLOTS, sizeof(*k->known));
	for (at = 0; s.n - at >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, s.p + at, sizeof(word));
		h = mix_word(h, word);
	}
	word = 0;
	memcpy(&word, s.p + at, s.n - at);
	h = mix_word(h, word);
	return *recent = &k->known[h % SLOTS];
}

/* Returns the key of a block's bytes, and their digest in digest. */
static const char *
make_key(struct key_maker *k, struct str s, unsigned char digest[DIGEST])
{
	struct cached_key *w = cache_slot(k, s);

	if (w != NULL && w->n == s.n && memcmp(w->bytes, s.p, s.n) == 0) {
		memcpy(digest, w->digest, DIGEST);
		return w->key;
	}
	crypto_generichash(digest, DIGEST, (const unsigned char *)s.p, s.n, NULL, 0);
	if (w == NULL)
		return key_text(k->a, digest);
	w->n = s.n;
	memcpy(w->bytes, s.p, s.n);
	memcpy(w->digest, digest, DIGEST);
	return w->key = key_text(k->a, digest);
}

static void hash_children(struct key_maker *k, struct doc_node *n, struct buf *h);

/*
 * Hashes n. A block is hashed by itself: its parent hashes its digest (added to up), and its key is
 * made from the digest, too. A block that has a key already, and whose digest is not needed (up is
 * NULL), is visited only for its nested blocks.
 */
static void
hash_node(struct key_maker *k, struct doc_node *n, struct buf *up)
{
	bool block = doc_kinds[n->type].class == CLASS_BLOCK;
	struct buf *h = block && n->key == NULL ? &k->bytes : up;
	unsigned char digest[DIGEST];
	size_t from = k->bytes.n;
	const char *key;

	add_str(h, doc_kinds[n->type].name);
	add_attrs(h, n);
	if (n->type == DOC_LEAF) {
		add_bytes(h, (const char *)&n->marks, sizeof(n->marks));
		add_bytes(h, n->text.p, n->text.n);
		add_bytes(h, n->raw.p, n->raw.n);
	}
	hash_children(k, n, h);
	if (!block || h == NULL)
		return;
	key = make_key(k, str_slice(buf_view(&k->bytes), from, k->bytes.n), digest);
	buf_cut(&k->bytes, k->bytes.n - from);
	if (n->key == NULL)
		n->key = key;
	if (up != NULL)
		buf_add(up, digest, DIGEST);
}

static void
hash_table(struct key_maker *k, struct doc_table *t, struct buf *h)
{
	struct doc_column *c;
	struct doc_record *r;
	struct doc_list *l;
	size_t i;

	for (c = t->columns; c != NULL; c = c->next) {
		add_str(h, c->title);
		/*
		 * Computes only the key of this block: the hash of the table includes the plain
		 * title, and not this block.
		 */
		if (c->marked != NULL)
			hash_node(k, c->marked, NULL);
	}
	for (r = t->records; r != NULL; r = r->next)
		for (i = 0; i < t->width; i++) {
			add_bytes(h, (const char *)&r->cells[i].n, sizeof(double));
			add_str(h, r->cells[i].target != NULL ? r->cells[i].target->spelling : NULL);
			for (l = r->cells[i].list; l != NULL; l = l->next)
				add_str(h, l->s);
			if (r->cells[i].blocks != NULL)
				hash_children(k, r->cells[i].blocks, h);
		}
}

static void
hash_children(struct key_maker *k, struct doc_node *n, struct buf *h)
{
	struct doc_node *c;

	if (n->table != NULL)
		hash_table(k, n->table, h);
	for (c = n->frags; c != NULL; c = c->next)
		hash_children(k, c, h);
	for (c = n->child; c != NULL; c = c->next)
		hash_node(k, c, h);
	/*
	 * Mark the end of the children, so that a child and a following sibling hash differently.
	 */
	add_bytes(h, "", 0);
}

static void number_children(struct key_maker *k, struct doc_node *n);

static void
number_repeated(struct key_maker *k, struct doc_node *n)
{
	size_t seen;

	/*
	 * In reading order, so that a repeated block keeps its number until an equal block is added
	 * above it.
	 */
	if (n->key != NULL && (seen = anchor_count_use(k->seen, n->key)) > 0)
		n->key = anchor_numbered(k->a, n->key, seen);
	number_children(k, n);
}

static void
number_children(struct key_maker *k, struct doc_node *n)
{
	struct doc_column *column;
	struct doc_record *r;
	struct doc_node *c;

	for (column = n->table == NULL ? NULL : n->table->columns; column != NULL; column = column->next)
		if (column->marked != NULL)
			number_repeated(k, column->marked);
	for (r = n->table == NULL ? NULL : n->table->records; r != NULL; r = r->next)
		for (size_t i = 0; i < n->table->width; i++)
			if (r->cells[i].blocks != NULL)
				number_children(k, r->cells[i].blocks);
	for (c = n->frags; c != NULL; c = c->next)
		number_children(k, c);
	for (c = n->child; c != NULL; c = c->next)
		number_repeated(k, c);
}

/* Returns the source of the i-th slice: up to the next slice, trimmed of blank lines. */
static struct str
slice_source(const struct doc *d, struct str body, const size_t *starts, size_t i)
{
	size_t from = starts[d->slices[i].line - 1];
	size_t to = i + 1 < d->slice_count ? starts[d->slices[i + 1].line - 1] : body.n;

	return str_trim(str_slice(body, from, to));
}

/*
 * starts: offsets of the body's lines; NULL after doc_read(), where blocks have no source, and keys
 * that clients sent are kept.
 */
void
doc_keys(struct arena *a, struct doc *d, struct str body, const size_t *starts)
{
	struct key_maker k = { .a = a, .seen = anchor_set_new(a) };
	unsigned char digest[DIGEST];

	for (size_t i = 0; i < d->slice_count; i++)
		if (d->slices[i].node != NULL)
			d->slices[i].node->key = make_key(&k, slice_source(d, body, starts, i), digest);
	buf_init(&k.bytes, a, SIZE_MAX / 4);
	hash_children(&k, d->root, NULL);
	number_children(&k, d->root);
}
