/* Lists the authors of comments and replies on a space's primary content or on a change request. */
#include "api/access.h"
#include "api/members.h"
#include "app/roles.h"
#include "http/req.h"
#include "comment.h"

/* Authors of a comment or reply in the scope, latest first. */
#define COMMENTERS \
	"talk (account, at) AS (SELECT author, created_at FROM comment WHERE scope = :scope UNION ALL " \
	"SELECT y.author, y.created_at FROM comment c JOIN comment_reply y ON y.comment = c.id " \
	"WHERE c.scope = :scope), talker (account, at) AS (SELECT account, max(at) FROM talk GROUP BY account) "
#define COMMENTERS_FROM "FROM talker k JOIN member m ON m.org = :org AND m.account = k.account "
/*
 * AND_GAINED computes the count of spaces (Member.spaces) for each row of the CTE `them`. `them`
 * therefore contains only the members of this page of the list.
 */
SQL(q_commenters,
    WITH_PLACES AND_SEEN ", " COMMENTERS ", them (org, account, at) AS MATERIALIZED (SELECT m.org, k.account, k.at "
    COMMENTERS_FROM "WHERE CAST(:k1 AS TEXT) IS NULL OR (k.at, k.account) < (CAST(:k1 AS BIGINT), :k2) "
    "ORDER BY k.at DESC, k.account DESC LIMIT :limit)" AND_GAINED
    "SELECT " MEMBER_COLS ", x.at AS k1, x.account AS k2 FROM " MEMBER_FROM
    "ORDER BY x.at DESC, x.account DESC /*scan*/");
SQL(q_commenter_count, "WITH " COMMENTERS "SELECT count(*) " COMMENTERS_FROM "/*scan*/");

/* These routes have no organization in their path, so r->org is not set: :org is the organization of the space. */
static struct stmt *
bind_scope(struct req *r, const struct sql *sql)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":org", r->space.org);
	bind_text(q, ":scope", comment_scope(r));
	return q;
}

/* Only members: users who left the organization are not listed. */
static int
list_commenters(struct req *r)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	count = stmt_int(bind_scope(r, &q_commenter_count), 0);
	q = bind_scope(r, &q_commenters);
	bind_text(q, ":user", r->who.user);
	/*
	 * The role without the token's cap, as in all lists (WITH_PLACES): a cap never hides
	 * content that its user may read.
	 */
	bind_int(q, ":org_role", org_role_full(r, r->space.org));
	list_bind(q, &l);
	return list_reply(r, &l, q, &Member, count);
}

/* GET …/change-requests/{changeRequestId}/commenters */
HANDLER(listCommentersInChangeRequest)
{
	return list_commenters(r);
}

/* GET /spaces/{spaceId}/commenters */
HANDLER(listCommentersInSpace)
{
	return list_commenters(r);
}
