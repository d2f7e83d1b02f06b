/*
 * Block keys. The key of a top-level block is a hash of its source, so that it
 * stays while nobody touches the block, whatever this program later makes of
 * it. Blocks within have a hash of what they hold (types, data as spelled,
 * text), which does not depend on how links resolve. Equal keys are told apart
 * by their number in the page: key, key-1, key-2.
 */
#include <sodium.h>

#include "markdown/document_tree.h"

/*
 * 80 bits: two of a page's blocks meet by chance once in 10^14 pages of 100,000 blocks. The
 * least digest of BLAKE2b in libsodium is 16 bytes.
 */
enum { DIGEST = 16, KEY_BYTES = 10 };

/* seen counts the blocks of each key, over the whole document. */
struct keys {
	struct arena      *a;
	struct anchor_set *seen;
};

static void
add(crypto_generichash_state *h, const char *s, size_t n)
{
	/*
	 * Lengths go first, so that ("ab", "c") and ("a", "bc") differ. The bytes of the length
	 * and of numbers are the machine's: keys are compared within one installation.
	 */
	uint64_t size = n;

	if (h == NULL)
		return;
	crypto_generichash_update(h, (const unsigned char *)&size, sizeof(size));
	if (n > 0)
		crypto_generichash_update(h, (const unsigned char *)s, n);
}

static void
add_str(crypto_generichash_state *h, const char *s)
{
	add(h, s, s == NULL ? 0 : strlen(s));
}

/*
 * Of a reference the spelling counts and not what it resolves to: a key must not change when
 * another page is moved or deleted.
 */
static void
add_attrs(crypto_generichash_state *h, const struct doc_node *n)
{
	const struct doc_attr *x;
	const struct doc_list *l;

	for (x = n->attrs; x != NULL; x = x->next) {
		add_str(h, x->name);
		if (x->kind == ATTR_STRING || x->kind == ATTR_JSON)
			add_str(h, x->v.s);
		else if (x->kind == ATTR_BOOL)
			add(h, x->v.b ? "1" : "0", 1);
		else if (x->kind == ATTR_NUMBER)
			add(h, (const char *)&x->v.n, sizeof(x->v.n));
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

	/* No secret: sodium_bin2hex() takes the same time for all values, five times as long. */
	for (size_t i = 0; i < KEY_BYTES; i++) {
		text[i * 2] = digits[digest[i] >> 4];
		text[i * 2 + 1] = digits[digest[i] & 15];
	}
	text[KEY_BYTES * 2] = '\0';
	return text;
}

static void hash_children(struct keys *k, struct doc_node *n, crypto_generichash_state *h);

/*
 * Hashes n into h; a block has a state of its own, whose digest is its key too. One
 * that has a key already, and nothing above it that would take its digest (up is
 * NULL), is only gone through for the blocks within.
 */
static void
hash_node(struct keys *k, struct doc_node *n, crypto_generichash_state *up)
{
	unsigned char digest[DIGEST];
	crypto_generichash_state own, *h = up;
	bool block = doc_kinds[n->type].class == CLASS_BLOCK;

	if (block)
		h = up == NULL && n->key != NULL ? NULL : &own;
	if (block && h != NULL) {
		crypto_generichash_init(&own, NULL, 0, DIGEST);
	}
	add_str(h, doc_kinds[n->type].name);
	add_attrs(h, n);
	if (n->type == DOC_LEAF) {
		add(h, (const char *)&n->marks, sizeof(n->marks));
		add(h, n->text.p, n->text.n);
		add(h, n->raw.p, n->raw.n);
	}
	hash_children(k, n, h);
	if (!block || h == NULL)
		return;
	crypto_generichash_final(&own, digest, DIGEST);
	if (n->key == NULL)
		n->key = key_text(k->a, digest);
	if (up != NULL)
		crypto_generichash_update(up, digest, DIGEST);
}

static void
hash_table(struct keys *k, struct doc_table *t, crypto_generichash_state *h)
{
	struct doc_column *c;
	struct doc_record *r;
	struct doc_list *l;
	size_t i;

	for (c = t->columns; c != NULL; c = c->next)
		add_str(h, c->title);
	for (r = t->records; r != NULL; r = r->next)
		for (i = 0; i < t->width; i++) {
			add(h, (const char *)&r->cells[i].n, sizeof(double));
			add_str(h, r->cells[i].target != NULL ? r->cells[i].target->spelling : NULL);
			for (l = r->cells[i].list; l != NULL; l = l->next)
				add_str(h, l->s);
			if (r->cells[i].blocks != NULL)
				hash_children(k, r->cells[i].blocks, h);
		}
}

static void
hash_children(struct keys *k, struct doc_node *n, crypto_generichash_state *h)
{
	struct doc_node *c;

	if (n->table != NULL)
		hash_table(k, n->table, h);
	for (c = n->frags; c != NULL; c = c->next)
		hash_children(k, c, h);
	for (c = n->child; c != NULL; c = c->next)
		hash_node(k, c, h);
	/* The end of the children, so that a child and a following sibling hash differently. */
	add(h, "", 0);
}

/* key-SEEN; printf would take longer than all else here. */
static const char *
numbered(struct arena *a, const char *key, size_t seen)
{
	size_t n = strlen(key), digits = 1;
	char *s;

	for (size_t i = seen; i >= 10; i /= 10)
		digits++;
	s = arena_bytes(a, n + digits + 2);
	memcpy(s, key, n);
	s[n] = '-';
	s[n + digits + 1] = '\0';
	for (; digits > 0; digits--, seen /= 10)
		s[n + digits] = (char)('0' + seen % 10);
	return s;
}

static void number_children(struct keys *k, struct doc_node *n);

static void
number(struct keys *k, struct doc_node *n)
{
	size_t seen;

	/*
	 * In reading order, so that a repeated block keeps its number while nothing equal comes
	 * in above it.
	 */
	if (n->key != NULL && (seen = anchor_next(k->seen, n->key)) > 0)
		n->key = numbered(k->a, n->key, seen);
	number_children(k, n);
}

static void
number_children(struct keys *k, struct doc_node *n)
{
	struct doc_record *r;
	struct doc_node *c;

	for (r = n->table == NULL ? NULL : n->table->records; r != NULL; r = r->next)
		for (size_t i = 0; i < n->table->width; i++)
			if (r->cells[i].blocks != NULL)
				number_children(k, r->cells[i].blocks);
	for (c = n->frags; c != NULL; c = c->next)
		number_children(k, c);
	for (c = n->child; c != NULL; c = c->next)
		number(k, c);
}

/* The source of the i-th slice: up to the next, without blank lines at its ends. */
static struct str
slice_source(const struct doc *d, struct str body, const size_t *starts, size_t i)
{
	size_t from = starts[d->slices[i].line - 1];
	size_t to = i + 1 < d->slice_count ? starts[d->slices[i + 1].line - 1] : body.n;

	return str_trim(str_slice(body, from, to));
}

/*
 * starts are the offsets of the body's lines; NULL after doc_read, which has no slices and
 * leaves keys that clients sent in place.
 */
void
doc_keys(struct arena *a, struct doc *d, struct str body, const size_t *starts)
{
	struct keys k = { a, anchor_set_new(a) };
	unsigned char digest[DIGEST];
	struct str s;

	for (size_t i = 0; i < d->slice_count; i++) {
		if (d->slices[i].node == NULL)
			continue;
		s = slice_source(d, body, starts, i);
		crypto_generichash(digest, DIGEST, (const unsigned char *)s.p, s.n, NULL, 0);
		d->slices[i].node->key = key_text(a, digest);
	}
	hash_children(&k, d->root, NULL);
	number_children(&k, d->root);
}
