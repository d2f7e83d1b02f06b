/*
 * Finds the pages whose title or slug contains a text, for completion while a user types. The
 * result is a flat list and no tree. Contract: api/revision_pages.h.
 */
#include "api/revision_pages.h"
#include "api/visitor.h"
#include "base/utf8.h"
#include "store/computed.h"

/*
 * Titles and slugs of the pages at a point. Reads rows of the branch and of its base without their bodies and
 * properties: building the tree of a large space takes ten times as long.
 */
SQL(q_titles,
    "SELECT n.id, n.title, n.slug FROM node n WHERE n.branch = :b AND n.kind IN ('document', 'group') "
    "AND n.since <= :q AND n.until > :q UNION ALL "
    "SELECT n.id, n.title, n.slug FROM node n WHERE n.branch = :base AND n.kind IN ('document', 'group') "
    "AND n.since <= :bq AND n.until > :bq AND NOT EXISTS (SELECT 1 FROM node o "
    "WHERE o.branch = :b AND o.id = n.id AND o.since <= :q AND o.until > :q)");

struct finding {
	struct req         *r;
	const struct point *p;
	const char         *folded;
	const char         *first[FOUND_MOST], *later[FOUND_MOST];   /* ids of pages whose title begins with the text, and of other pages */
	size_t              first_n, later_n;
};

bool
has_folded(struct arena *a, const char *text, const char *folded)
{
	return strstr(utf8_casefold(a, str_of(text)), folded) != NULL;
}

static void
find_by_title(struct finding *f)
{
	struct stmt *q = db_use(f->r->db, &q_titles);
	struct arena *scratch = arena_new(1 << 20);

	bind_int(q, ":b", f->p->branch);
	bind_int(q, ":q", f->p->seq);
	bind_int(q, ":base", f->p->base);
	bind_int(q, ":bq", f->p->base_seq);
	while (stmt_step(q) && f->first_n < FOUND_MOST) {
		bool begins = strncmp(utf8_casefold(scratch, str_of(col_text(q, 1))), f->folded, strlen(f->folded)) == 0;

		if (begins)
			f->first[f->first_n++] = col_dup(q, 0, f->r->arena);
		else if (f->later_n < FOUND_MOST && (has_folded(scratch, col_text(q, 1), f->folded) || has_folded(scratch, col_text(q, 2), f->folded)))
			f->later[f->later_n++] = col_dup(q, 0, f->r->arena);
		arena_reset(scratch);
	}
	arena_free(scratch);
}

static void
write_found(struct finding *f, const char *id)
{
	const struct page_style style = { 0 };
	struct page page = { 0 };

	if (!node_get(f->r->db, f->r->arena, f->p, id, &page.node) || !visited_node(f->r, f->p, &page.node))
		return;
	page.path = page_path(f->r->db, f->r->arena, f->p, &page.node);
	page_json(f->r, &f->r->json, f->p, &page, &style, NULL, (struct str){ NULL, 0 });
}

/* Writes pages that computed pages expand to. left: how many more pages may be written. */
static void
write_computed(struct finding *f, size_t left)
{
	const struct page_style style = { 0 };
	const struct page *one;

	for (one = computed_all(f->r->db, f->r->arena, f->p); one != NULL && left > 0; one = one->next) {
		struct page page = *one;

		if (!has_folded(f->r->arena, one->node.title, f->folded) || !visited_node(f->r, f->p, &one->node))
			continue;
		page.first = NULL;
		page_json(f->r, &f->r->json, f->p, &page, &style, NULL, (struct str){ NULL, 0 });
		left--;
	}
}

void
found_pages_json(struct req *r, const struct point *p, const char *text)
{
	struct finding f = { .r = r, .p = p, .folded = utf8_casefold(r->arena, str_of(text)) };
	size_t count;

	find_by_title(&f);
	count = f.first_n + f.later_n < FOUND_MOST ? f.first_n + f.later_n : FOUND_MOST;
	json_karr(&r->json, "pages");
	for (size_t i = 0; i < count; i++)
		write_found(&f, i < f.first_n ? f.first[i] : f.later[i - f.first_n]);
	write_computed(&f, FOUND_MOST - count);
	json_end(&r->json);
}
