/*
 * Keeps the bytes of unchanged blocks: a client that reads a page, changes a sentence and sends
 * everything back has often reformatted the rest. A block whose serialised tree is unchanged keeps
 * its old bytes.
 *
 * Blocks of Markdown depend on each other: link definitions and footnotes are separate from the
 * blocks that use them, and a missing blank line unites two blocks. So the result is parsed again,
 * and blocks that do not mean what was sent are taken as sent: first the blocks that differ, then
 * those with definitions, in the end all.
 */
#include "edit/body_keep.h"
#include "base/map.h"
#include "text/diff.h"
#include "markdown/document_tree.h"
#include "text/merge_text.h"

/*
 * ROUNDS: each check gives up keeping some blocks; after this many checks the sent body is stored
 * unchanged, which is always right.
 */
enum {
	ROUNDS     = 4,
	NODES_MAX  = 8,     /* a block with more nodes is compared as a whole */
	BLOCKS_MAX = 10000  /* a longer body is stored as sent */
};

/* A body and its blocks. */
struct side {
	struct str        body;
	struct doc_block *blocks;
	uint32_t         *meaning;  /* equal numbers for equal serialisations */
	size_t            n;
	const struct doc *doc;
	struct doc_node **first;    /* the first node of each block, and NULL after the last */
};

struct keep {
	struct arena      *a;
	struct arena      *scratch;
	struct diff_table *table;
	struct side        old, sent;
	ptrdiff_t         *kept_from;   /* for each sent block the old block that is kept, or -1 */
};

/* The nodes from first up to (not including) end as Markdown, without their context. */
static struct str
write_nodes(const struct doc *d, const struct doc_refs *refs, struct doc_node *first,
    const struct doc_node *end)
{
	struct doc_node root = *d->root, *last = first, *rest;
	struct doc part = *d;
	struct buf out;

	/*
	 * The nodes are cut out of the tree for the call and linked again: doc_markdown() writes a
	 * whole document.
	 */
	while (last->next != end)
		last = last->next;
	rest = last->next;
	last->next = NULL;
	root.child = first;
	root.last = last;
	part.root = &root;
	buf_init(&out, d->arena, (size_t)1 << 30);
	doc_markdown(&out, &part, refs);
	last->next = rest;
	return buf_view(&out);
}

/*
 * The first node of each block, and NULL after the last. A paragraph right above a table has no
 * source range of its own: it is part of the table's.
 */
static struct doc_node **
first_nodes(struct arena *a, const struct doc *d)
{
	struct doc_node **first = arena_array(a, d->slice_count + 1, sizeof(struct doc_node *)), *n, *above = NULL;
	size_t i = 0;

	for (n = d->root->child; n != NULL && i < d->slice_count; n = n->next)
		if (n == d->slices[i].node) {
			first[i++] = above != NULL ? above : n;
			above = NULL;
		} else if (n->line > 0) {
			above = NULL;
		} else if (above == NULL) {
			above = n;
		}
	if (d->slice_count > 0)
		first[0] = d->root->child;
	return first;
}

static struct side
read_side(struct keep *k, struct str body, const struct doc_refs *refs)
{
	struct doc *d = doc_parse(k->scratch, body, refs, NULL, NULL);
	struct side s = { .body = body, .n = d->slice_count, .doc = d, .first = first_nodes(k->scratch, d) };

	s.blocks = doc_blocks_of(k->scratch, d, body, &(size_t){ 0 });
	s.meaning = arena_array(k->scratch, s.n, sizeof(*s.meaning));
	for (size_t i = 0; i < s.n && s.n <= BLOCKS_MAX; i++)
		/*
		 * One table for both bodies: equal numbers mean equal serialisations across them.
		 */
		s.meaning[i] = diff_table_id(k->table, write_nodes(d, refs, s.first[i], s.first[i + 1]));
	return s;
}

static size_t
node_count(const struct side *s, size_t i)
{
	size_t n = 0;

	for (const struct doc_node *at = s->first[i]; at != s->first[i + 1] && n < NODES_MAX; at = at->next)
		n++;
	return n;
}

/* Unites block i with the n - 1 blocks after it. */
static void
unite_blocks(struct side *s, size_t i, size_t n, uint32_t meaning)
{
	const struct doc_block *last = &s->blocks[i + n - 1];
	size_t rest = s->n - (i + n);

	s->blocks[i].source.n = (size_t)(last->source.p + last->source.n - s->blocks[i].source.p);
	s->meaning[i] = meaning;
	memmove(&s->blocks[i + 1], &s->blocks[i + n], rest * sizeof(*s->blocks));
	memmove(&s->meaning[i + 1], &s->meaning[i + n], rest * sizeof(*s->meaning));
	memmove(&s->first[i + 1], &s->first[i + n], (rest + 1) * sizeof(struct doc_node *));
	s->n -= n - 1;
}

/* The numbers of a block's nodes, one by one. */
static uint32_t *
node_meanings(struct keep *k, const struct doc_refs *refs, size_t i, size_t *n)
{
	struct doc_node *at = k->old.first[i];
	size_t room = 0;
	uint32_t *list = NULL;

	for (*n = 0; at != k->old.first[i + 1]; at = at->next) {
		list = arena_grow(k->scratch, list, *n, &room, sizeof(*list));
		list[(*n)++] = diff_table_id(k->table, write_nodes(k->old.doc, refs, at, at->next));
	}
	return list;
}

/*
 * Handles blocks of many nodes, such as HTML boxes: their nodes are compared one by one with the
 * sent blocks in order, because serialising every run of sent blocks again would take too long.
 */
static void
unite_long(struct keep *k, const struct doc_refs *old_refs)
{
	size_t at = 0, n, j, i;
	uint32_t *list;

	for (size_t b = 0; b < k->old.n; b++) {
		if (node_count(&k->old, b) < NODES_MAX)
			continue;
		list = node_meanings(k, old_refs, b, &n);
		for (i = at; i + n <= k->sent.n; i++) {
			for (j = 0; j < n && k->sent.meaning[i + j] == list[j]; )
				j++;
			if (j < n)
				continue;
			unite_blocks(&k->sent, i, n, k->old.meaning[b]);
			at = i + 1;
			break;
		}
	}
}

/*
 * A block of the old body can be several nodes (a paragraph right above a table, or text right
 * after an image), and clients send each of these separately. Sent blocks that together serialise
 * like such a block are united, so that it is kept.
 */
static void
unite_sent(struct keep *k, const struct doc_refs *old_refs, const struct doc_refs *refs)
{
	bool some[NODES_MAX] = { false };
	struct map *blocks = map_new(k->scratch);
	struct str text;
	size_t i, n;

	for (i = 0; i < k->old.n; i++)
		if ((n = node_count(&k->old, i)) > 1 && n < NODES_MAX) {
			some[n] = true;
			map_add(blocks, write_nodes(k->old.doc, old_refs, k->old.first[i], k->old.first[i + 1]), k);
		}
	for (n = NODES_MAX - 1; n > 1; n--)
		for (i = 0; some[n] && i + n <= k->sent.n; i++) {
			text = write_nodes(k->sent.doc, refs, k->sent.first[i], k->sent.first[i + n]);
			if (map_get(blocks, text) != NULL)
				unite_blocks(&k->sent, i, n, diff_table_id(k->table, text));
		}
}

/* Keeps the blocks that a diff of the numbers leaves unchanged; moved blocks are stored as sent. */
static void
match_blocks(struct keep *k)
{
	struct diff_change *c;
	size_t count, i, at = 0;

	k->kept_from = arena_array(k->scratch, k->sent.n, sizeof(*k->kept_from));
	c = diff_ids(k->scratch, k->old.meaning, k->old.n, k->sent.meaning, k->sent.n,
	    diff_table_count(k->table), &count);
	for (i = 0; i <= count; i++) {
		for (; at < (i < count ? c[i].y : k->sent.n); at++)
			/*
			 * Unchanged blocks before change i have the same distance to it in both
			 * bodies.
			 */
			k->kept_from[at] = (ptrdiff_t)(i < count ? c[i].x - (c[i].y - at) : k->old.n - (k->sent.n - at));
		for (; i < count && at < c[i].y + c[i].yn; at++)
			k->kept_from[at] = -1;
	}
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* A block's own lines, without the blank lines before it and what follows its last line. */
static struct str
block_core(struct str s)
{
	size_t kept_from = 0, to = s.n, i;

	for (i = 0; i < s.n && is_blank(s.p[i]); i++)
		if (s.p[i] == '\n')
			kept_from = i + 1;
	while (to > kept_from && is_blank(s.p[to - 1]))
		to--;
	/* Blanks at the end of the last line belong to it. */
	while (to < s.n && (s.p[to] == ' ' || s.p[to] == '\t'))
		to++;
	return str_slice(s, kept_from, to);
}

static struct str
block_head(struct str s)
{
	return str_slice(s, 0, (size_t)(block_core(s).p - s.p));
}

static struct str
block_tail(struct str s)
{
	struct str c = block_core(s);

	return str_slice(s, (size_t)(c.p - s.p) + c.n, s.n);
}

/* True if sent block i and the block after it (or the end) are also neighbours in the old body. */
static bool
follows_as_before(const struct keep *k, size_t i)
{
	ptrdiff_t next = i + 1 < k->sent.n ? k->kept_from[i + 1] : (ptrdiff_t)k->old.n;

	return k->kept_from[i] >= 0 && next == k->kept_from[i] + 1;
}

static struct str
compose_body(struct keep *k)
{
	struct str s, old;
	struct buf out;

	buf_init(&out, k->a, k->old.body.n + k->sent.body.n);
	/* Blank lines before the first block belong to the body, not to the block. */
	buf_put(&out, block_head(k->kept_from[0] == 0 ? k->old.blocks[0].source : k->sent.blocks[0].source));
	for (size_t i = 0; i < k->sent.n; i++) {
		s = k->sent.blocks[i].source;
		old = k->kept_from[i] < 0 ? s : k->old.blocks[k->kept_from[i]].source;
		buf_put(&out, block_core(old));
		/*
		 * The old gap between two blocks is kept only if both neighbours are kept: another
		 * gap could unite them.
		 */
		buf_put(&out, block_tail(follows_as_before(k, i) ? old : s));
	}
	return buf_view(&out);
}

/* True if a line of the block begins like a definition of a link or a footnote. */
static bool
has_definition(struct str s)
{
	bool start = true;

	for (size_t i = 0; i < s.n; i++) {
		if (start && s.p[i] == '[')
			return true;
		start = s.p[i] == '\n' || s.p[i] == '\r' || (start && s.p[i] == ' ');
	}
	return false;
}

static void
give_up_definitions(struct keep *k)
{
	for (size_t i = 0; i < k->sent.n; i++)
		if (k->kept_from[i] >= 0 && (has_definition(k->old.blocks[k->kept_from[i]].source) || has_definition(k->sent.blocks[i].source)))
			k->kept_from[i] = -1;
}

/*
 * Compares the result with the sent body. True: it means the same; false: some blocks are not kept
 * any more.
 */
static bool
check_meaning(struct keep *k, const struct side *now)
{
	bool same = now->n == k->sent.n, kept = true;
	size_t i;

	for (i = 0; i < k->sent.n && i < now->n; i++) {
		if (now->meaning[i] == k->sent.meaning[i])
			continue;
		same = false;
		/*
		 * A block that was stored as sent and still reads differently: definitions in other
		 * blocks have changed its meaning.
		 */
		kept = kept && k->kept_from[i] >= 0;
		k->kept_from[i] = -1;
		/*
		 * With different numbers of blocks the comparison after this block means nothing:
		 * the difference is here.
		 */
		if (now->n != k->sent.n)
			break;
	}
	if (now->n != k->sent.n && i > 0)
		k->kept_from[i - 1] = -1;
	if (!same && !kept)
		give_up_definitions(k);
	return same;
}

struct str
body_keep(struct arena *a, struct str old_body, const struct doc_refs *old_refs, struct str sent,
    const struct doc_refs *sent_refs)
{
	struct keep k = { .a = a };
	struct str result = sent;
	struct side now;
	bool good;

	/* Two blank bodies mean the same; there is no block to compare. */
	if (str_trim(old_body).n == 0 && str_trim(sent).n == 0)
		return old_body;
	k.scratch = arena_new(SIZE_MAX / 2);
	k.table = diff_table_new(k.scratch);
	k.old = read_side(&k, old_body, old_refs);
	k.sent = read_side(&k, sent, sent_refs);
	/*
	 * Content that shows nothing (definitions, comments) is not in a document that clients
	 * read, so they cannot send it back.
	 */
	if (k.old.n == 0 && str_trim(sent).n == 0)
		result = old_body;
	good = k.old.n == 0 || k.sent.n == 0 || k.old.n > BLOCKS_MAX || k.sent.n > BLOCKS_MAX;
	if (!good) {
		unite_sent(&k, old_refs, sent_refs);
		unite_long(&k, old_refs);
		match_blocks(&k);
	}
	for (int i = 0; i < ROUNDS && !good; i++) {
		result = compose_body(&k);
		/* No part was kept, or the result equals what was sent; then it need not be parsed again. */
		if (str_eq(result, sent))
			break;
		/* Parses the composed text again: only the parser knows what it means. */
		now = read_side(&k, result, sent_refs);
		good = check_meaning(&k, &now);
	}
	arena_free(k.scratch);
	return good ? result : sent;
}
