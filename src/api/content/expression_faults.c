/*
 * Lists conditions and expressions of a space that do not parse, that fail when evaluated, or that
 * hide content from every visitor; at the head and in change requests. No table stores expressions,
 * so every body is read in turn; authors rarely request this.
 */
#include "api/access.h"
#include "api/expression_faults.h"
#include "api/lists.h"
#include "api/made_lists.h"
#include "audience/condition_faults.h"
#include "audience/visit.h"
#include "base/sort.h"
#include "http/req.h"
#include "store/content.h"

/* Memory for one body with its tree; only one is read at a time. */
enum { SCRATCH_BYTES = 256 << 20 };

static const struct shape FaultyPage = { "ExpressionFaultPage", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "The page or reusable content", .example = "NHDrxMnTwOpLDRZo" },
	{ "kind", T_ENUM, F_REQ, .set = "page,reusable-content", .doc = "Kind of object" },
	{ "title", T_TEXT, F_REQ, .doc = "Its title", .example = "Install" },
	{ "path", T_TEXT, .doc = "Path of the page in the space; absent: a reusable content", .example = "guide/install" },
	{ "file", T_TEXT, .doc = "Its file in the Git repository; absent: none", .example = "guide/install.md" },
	{ 0 } } };
static const struct shape ExpressionFault = { "ExpressionFault", (const struct field[]){
	{ "page", T_OBJECT, F_REQ, .of = &FaultyPage, .doc = "Place of the expression" },
	{ "place", T_ENUM, F_REQ, .set = "condition,if,expression",
	  .doc = "condition: `if:` in the frontmatter of the page; if: an `{% if %}` block; expression: an expression in the text" },
	{ "line", T_INT, .doc = "Line in the file, from 1; absent: the condition of a page", .example = "12" },
	{ "expression", T_TEXT, F_REQ, .doc = "The expression as it is written, cut at 1,024 characters",
	  .example = "page.vars.tiers.includes(\"gold\")" },
	{ "message", T_TEXT, F_REQ, .doc = "What is wrong with the expression", .example = "page.vars has no \"tiers\"" },
	{ 0 } } };
LIST_SHAPE(ExpressionFaultList, ExpressionFault);

/*
 * A space that no site shows yet may be shown to visitors with claims later, so their claims are
 * assumed possible.
 */
SQL(q_adaptive,
    "SELECT count(*) = 0 OR max(t.adaptive) = 1 FROM site_space x JOIN site t ON t.id = x.site WHERE x.space = :space");

/* State while iterating over the nodes of a point. */
struct fault_walk {
	struct req       *r;
	struct point      point;
	struct fault_list list;
};

static int
compare_ids(const void *x, const void *y)
{
	return strcmp(((const struct node *)x)->id, ((const struct node *)y)->id);
}

static void
write_fault(struct fault_walk *f, const struct node *n, const struct visit_fault *fault)
{
	struct json *j = &f->r->json;
	bool page = n->kind != NODE_REUSABLE;

	json_obj(j);
	json_kobj(j, "page");
	json_kstr(j, "id", n->id);
	json_kstr(j, "kind", page ? "page" : "reusable-content");
	json_kstr(j, "title", n->title);
	if (page)
		json_kstr(j, "path", page_path(f->r->db, f->r->arena, &f->point, n));
	if (n->git_path != NULL)
		json_kstr(j, "file", n->git_path);
	json_end(j);
	json_kstr(j, "place", fault->place);
	if (fault->line > 0)
		json_kint(j, "line", fault->line);
	json_kstr(j, "expression", fault->text);
	json_kstr(j, "message", fault->why);
	json_end(j);
}

static void
write_node_faults(struct fault_walk *f, const struct node *n, const struct visit_fault *fault)
{
	int64_t at = 1;

	for (; fault != NULL; fault = fault->next, at++)
		if (fault_list_takes(&f->list, n->id, at))
			write_fault(f, n, fault);
}

static int
reply_faults(struct req *r)
{
	struct arena *scratch = arena_within(r->arena, SCRATCH_BYTES);
	struct fault_walk f = { .r = r };
	struct node *all;
	struct stmt *q;
	struct visit v;
	size_t count, i;

	if (point_or_fail(r, &f.point) != 0 || fault_list_open(r, &f.list) != 0)
		return -1;
	visit_begin(&v, r->db, r->arena, r->set);
	q = db_use(r->db, &q_adaptive);
	bind_text(q, ":space", f.point.space);
	v.site.adaptive = stmt_int(q, 0) != 0;
	all = node_list(r->db, r->arena, &f.point, NODE_PAGES | NODE_REUSABLE, &count);
	sort_list(all, count, sizeof(*all), compare_ids);
	for (i = 0; i < count; i++)
		write_node_faults(&f, &all[i], visit_faults(&v, &f.point, &all[i], scratch));
	return fault_list_close(&f.list);
}

/* ---- handlers ---- */

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/expression-faults */
HANDLER(listChangeRequestExpressionFaults)
{
	return reply_faults(r);
}

/* GET /spaces/{spaceId}/content/expression-faults */
HANDLER(listSpaceExpressionFaults)
{
	return reply_faults(r);
}
