/* Finds the lines of a page's Markdown that have or can have comments. Contract: commented_lines.h. */
#include "api/examples.h"
#include "commented_lines.h"
#include "markdown/document.h"
#include "store/blob.h"

const struct shape CommentedLines = { "CommentedLines", (const struct field[]){
	{ "node", T_TEXT, F_REQ, .doc = "`node` of comments on these lines", .example = EXAMPLE_BLOCK },
	{ "first", T_INT, F_REQ, .doc = "First line of its block in the new Markdown, from 1", .example = "3" },
	{ "last", T_INT, F_REQ, .doc = "Last line of its block", .example = "4" },
	{ 0 } } };

/* The index has the comments of a page side by side, so this reads few rows. */
SQL(q_commented, "SELECT DISTINCT node FROM comment WHERE scope = :scope AND page = :page AND node IS NOT NULL ORDER BY node");

/*
 * The stored text of a page, divided into its nodes. above: number of lines before it in the page's
 * Markdown (frontmatter).
 */
struct parts {
	struct str             body;
	int64_t                above;
	const struct doc_part *list;
	size_t                 n;
};

static int64_t
count_lines(struct str s)
{
	int64_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == '\n';
	return n;
}

/* Returns the index of the part with this key, or p->n if there is none. */
static size_t
find_part(const struct parts *p, const char *key)
{
	size_t i = 0;

	while (i < p->n && strcmp(p->list[i].key, key) != 0)
		i++;
	return i;
}

/*
 * Sets *out to the source of the top-level block that contains part i. If several nodes come from
 * the same source, only the first of them has it, so the search goes backwards. False: not found.
 */
static bool
source_around(const struct parts *p, size_t i, struct str *out)
{
	while (p->list[i].up > 0)
		i = p->list[i].up - 1;
	do {
		const char *at = p->list[i].source.p;

		if (p->list[i].up == 0 && at >= p->body.p && at < p->body.p + p->body.n) {
			*out = str_trim(p->list[i].source);
			return out->n > 0;
		}
	} while (i-- > 0);
	return false;
}

static size_t
line_length(struct str s)
{
	const char *end = memchr(s.p, '\n', s.n);

	return end != NULL ? (size_t)(end - s.p) : s.n;
}

static bool
is_margin(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (strchr(" \t>", s.p[i]) == NULL)
			return false;
	return true;
}

/*
 * Sets *out to the next line of *rest that consists of this text, white space around it and the
 * marks of a quotation, and *rest to the text after it. False: there is none.
 */
static bool
next_code_line(struct str *rest, struct str text, struct str *out)
{
	struct str left = *rest;

	while (left.n > 0) {
		size_t n = line_length(left);
		struct str line = { left.p, n };

		left = str_slice(left, n + (n < left.n), left.n);
		while (line.n > 0 && strchr(" \t", line.p[line.n - 1]) != NULL)
			line.n--;
		if (line.n < text.n || memcmp(line.p + line.n - text.n, text.p, text.n) != 0 || !is_margin((struct str){ line.p, line.n - text.n }))
			continue;
		*out = line;
		*rest = left;
		return true;
	}
	return false;
}

/*
 * Finds the next line of code of a top-level block. *i is the part with which the search begins,
 * and becomes the part of the line; *rest is the part of the block's source that was not read yet.
 * Lines without text are left out. False: there is no other line that the source contains
 * unchanged.
 */
static bool
next_code_part(const struct parts *p, size_t block, size_t *i, struct str *rest, struct str *out)
{
	for (; *i <= block + p->list[block].below; ++*i) {
		const struct doc_part *part = &p->list[*i];

		/* A part without text has its key instead. */
		if (strcmp(part->type, "code-line") == 0 && part->source.p != part->key)
			return next_code_line(rest, part->source, out);
	}
	return false;
}

/* Narrows the source of a top-level block to that of a line of code in it. */
static void
narrow_to_code_line(const struct parts *p, size_t part, struct str *source)
{
	size_t block = part;
	struct str rest = *source, line;

	while (p->list[block].up > 0)
		block = p->list[block].up - 1;
	for (size_t i = block + 1; next_code_part(p, block, &i, &rest, &line); i++)
		if (i == part) {
			*source = line;
			return;
		}
}

static void
write_node_lines(struct req *r, const struct parts *p, const char *node)
{
	size_t i = find_part(p, node);
	struct str source;
	int64_t first;

	if (i == p->n || !source_around(p, i, &source))
		return;
	if (strcmp(p->list[i].type, "code-line") == 0)
		narrow_to_code_line(p, i, &source);
	first = 1 + p->above + count_lines((struct str){ p->body.p, (size_t)(source.p - p->body.p) });
	json_obj(&r->json);
	json_kstr(&r->json, "node", node);
	json_kint(&r->json, "first", first);
	json_kint(&r->json, "last", first + count_lines(source));
	json_end(&r->json);
}

/* Reads the text of the page and its parts. False: it has none. */
static bool
read_parts(struct req *r, const struct node *page, struct str whole, struct parts *p)
{
	if (!blob_get(r->db, r->arena, page->body, &p->body))
		return false;
	/* The Markdown of the answer has other spellings of links than the stored text, but the same lines. */
	p->above = count_lines(whole) - count_lines(p->body);
	p->list = doc_parts(r->arena, p->body, &p->n);
	return true;
}

void
write_commented_lines(struct req *r, const struct node *page, struct str whole)
{
	struct stmt *q = db_use(r->db, &q_commented);
	struct parts p;

	bind_text(q, ":scope", r->request.id);
	bind_text(q, ":page", page->id);
	if (!stmt_step(q) || !read_parts(r, page, whole, &p))
		return;
	json_karr(&r->json, "commented");
	do
		write_node_lines(r, &p, col_text(q, 0));
	while (stmt_step(q));
	json_end(&r->json);
}

/* ---- lines that can have comments ---- */

/* State while the list of lines is written: `line` is the number of the line at which `at` is. */
struct line_list {
	struct req *r;
	const char *at;
	int64_t     line;
};

/* Writes an entry for these bytes, which begin at or after l->at. */
static void
write_entry(struct line_list *l, const char *node, struct str source)
{
	l->line += count_lines((struct str){ l->at, (size_t)(source.p - l->at) });
	l->at = source.p;
	json_obj(&l->r->json);
	json_kstr(&l->r->json, "node", node);
	json_kint(&l->r->json, "first", l->line);
	json_kint(&l->r->json, "last", l->line + count_lines(source));
	json_end(&l->r->json);
}

/* Writes the lines of code in a top-level block. False: there is none that its source contains unchanged. */
static bool
write_code_lines(struct line_list *l, const struct parts *p, size_t block, struct str source)
{
	bool some = false;
	struct str line;

	for (size_t i = block + 1; next_code_part(p, block, &i, &source, &line); i++) {
		write_entry(l, p->list[i].key, line);
		some = true;
	}
	return some;
}

void
write_all_lines(struct req *r, const struct node *page, struct str whole)
{
	struct line_list l = { .r = r };
	struct parts p;

	if (!read_parts(r, page, whole, &p))
		return;
	l.at = p.body.p;
	l.line = 1 + p.above;
	json_karr(&r->json, "lines");
	for (size_t i = 0; i < p.n; i += 1 + p.list[i].below) {
		struct str source = str_trim(p.list[i].source);

		/* Nodes that share a source with the one before have their own text; footnotes are in the text before the end. */
		if (source.n == 0 || source.p < l.at || source.p >= p.body.p + p.body.n)
			continue;
		if (!write_code_lines(&l, &p, i, source))
			write_entry(&l, p.list[i].key, source);
	}
	json_end(&r->json);
}
