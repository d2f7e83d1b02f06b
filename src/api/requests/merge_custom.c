/*
 * Merge rules of type `custom`: an expression (expr/expr.h) over MergeRulesEvaluationContext of
 * the published client. Contract: api/merge_custom.h.
 *
 *   space          the space, as GET /spaces/{spaceId} returns it to the merging user
 *   changeRequest  the change request, as GET returns it
 *   reviews        the reviews that count (merge_rules_unmet.c), newest first, as GET returns them
 *   actor          the merging user
 *
 * The language has no loops, so an expression cannot filter several reviews of one person, or
 * outdated ones. The list therefore contains one review per reviewer, and reviews.length is a
 * number of people.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/merge_custom.h"
#include "api/request_row.h"
#include "api/reviews.h"
#include "api/space_shape.h"
#include "api/users.h"
#include "expr/expr.h"
#include "http/req.h"

SQL(q_actor, "SELECT " USER_COLS("u", "") " FROM account u WHERE u.id = :user");

/* Adds an object to the context, with the shape that also writes it into answers. */
static void
write_object(struct req *r, const char *name, const struct shape *s, struct stmt *q)
{
	json_key(&r->json, name);
	shape_row(&r->json, s, r, q);
}

static struct stmt *
actor_row(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_actor);

	bind_text(q, ":user", r->who.user);
	/* There is always a row: it is the caller's account, and accounts are never deleted. */
	stmt_step(q);
	return q;
}

/*
 * Makes the context of the expression. It is written to r->json, since some emitters of shapes
 * write there whatever buffer they are given; nothing of the answer has been written yet.
 */
static const cJSON *
rule_context(struct req *r, struct stmt *reviews)
{
	struct buf out = r->out;
	struct json json = r->json;
	const cJSON *all;

	buf_init(&r->out, r->arena, 64 << 20);
	json_init(&r->json, &r->out);
	json_obj(&r->json);
	write_object(r, "space", &Space, space_row(r, r->space.id));
	write_object(r, "changeRequest", &ChangeRequest, request_row(r, r->request.id));
	write_object(r, "actor", &User, actor_row(r));
	json_karr(&r->json, "reviews");
	while (stmt_step(reviews))
		shape_row(&r->json, &ChangeRequestReview, r, reviews);
	json_end(&r->json);
	json_end(&r->json);
	all = cJSON_ParseWithLength(r->out.p, r->out.n);
	r->out = out;
	r->json = json;
	return all;
}

const char *
merge_custom_unmet(struct req *r, const char *text, struct stmt *reviews)
{
	struct expr_value value;
	const char *error;
	struct expr *e = expr_parse(r->arena, str_of(text), &error);

	if (e != NULL && expr_eval(e, rule_context(r, reviews), r->arena, &value, &error))
		return expr_true(&value) ? NULL : arena_printf(r->arena, "\"%s\" is not true", text);
	return arena_printf(r->arena, "\"%s\" cannot be evaluated: %s. Who wrote the rule has to change it",
	    text, error);
}
