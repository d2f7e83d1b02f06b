/* Finds the lines of a page's Markdown that have comments. Contract: commented_lines.h. */
#include "api/examples.h"
#include "commented_lines.h"
#include "markdown/document.h"
#include "store/blob.h"

const struct shape CommentedLines = { "CommentedLines", (const struct field[]){
	{ "node", T_TEXT, F_REQ, .doc = "`node` of comments", .example = EXAMPLE_BLOCK },
	{ "first", T_INT, F_REQ, .doc = "First line of its block in the new Markdown, from 1", .example = "3" },
	{ "last", T_INT, F_REQ, .doc = "Last line of its block", .example = "4" },
	{ 0 } } };

/* Comments of one page are adjacent in the index. */
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
lines_in(struct str s)
{
	int64_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == '\n';
	return n;
}

/* The index of the part with this key; p->n: not found. */
static size_t
find_part(const struct parts *p, const char *key)
{
	size_t i = 0;

	while (i < p->n && strcmp(p->list[i].key, key) != 0)
		i++;
	return i;
}

/*
 * The source of the top-level block that contains the part. Of several nodes that share one source
 * only the first has it, and the others have their own text, so search backwards for it. False: not
 * found.
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

static void
write_lines_of(struct req *r, const struct parts *p, const char *node)
{
	size_t i = find_part(p, node);
	struct str source;
	int64_t first;

	if (i == p->n || !source_around(p, i, &source))
		return;
	first = 1 + p->above + lines_in((struct str){ p->body.p, (size_t)(source.p - p->body.p) });
	json_obj(&r->json);
	json_kstr(&r->json, "node", node);
	json_kint(&r->json, "first", first);
	json_kint(&r->json, "last", first + lines_in(source));
	json_end(&r->json);
}

void
write_commented_lines(struct req *r, const struct node *page, struct str whole)
{
	struct stmt *q = db_use(r->db, &q_commented);
	struct parts p;

	bind_text(q, ":scope", r->request.id);
	bind_text(q, ":page", page->id);
	if (!stmt_step(q) || !blob_get(r->db, r->arena, page->body, &p.body))
		return;
	/*
	 * Links in the Markdown are spelled differently from the stored text, but are in the same
	 * lines.
	 */
	p.above = lines_in(whole) - lines_in(p.body);
	p.list = doc_parts(r->arena, p.body, &p.n);
	json_karr(&r->json, "commented");
	do
		write_lines_of(r, &p, col_text(q, 0));
	while (stmt_step(q));
	json_end(&r->json);
}
