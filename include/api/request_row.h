/*
 * The shape of a change request, its row, and guards that its operations share. Implemented in
 * requests/request_row.c.
 */
#ifndef OCTAVO_API_REQUEST_ROW_H
#define OCTAVO_API_REQUEST_ROW_H

#include "api/request_ref.h"
#include "api/users.h"
#include "http/req.h"

extern const struct shape ChangeRequest, UserContributor;

/* The row of a change request; NULL: none. reply_request() replies with it. */
struct stmt *request_row(struct req *r, const char *id);
int reply_request(struct req *r, const char *id);

/*
 * Requires that the request of the path is neither merged nor archived, as those accept no writes.
 * 0 or fail().
 */
int request_open_or_fail(struct req *r);

/* Stores the body's subject and description in the request of the path. 0 or fail(). */
int request_describe(struct req *r);

/*
 * The verdict of the present reviews of members other than the author; merge rules may ask for more.
 * "changes-requested" is after "approved" in the alphabet.
 */
#define REQUEST_REVIEW \
	"(SELECT max(gv.status) FROM review gv JOIN space gs ON gs.id = cr.space " \
	"JOIN member gm ON gm.org = gs.org AND gm.account = gv.reviewer AND gm.disabled = 0 " \
	"WHERE gv.request = cr.id AND gv.outdated = 0 AND gv.reviewer <> cr.created_by)"
/* Columns of the ChangeRequest shape; use with REQUEST_FROM. */
#define REQUEST_COLS \
	"cr.id, cr.space, cr.number, cr.status, cr.subject, cr.description, cr.created_at, " \
	"cr.updated_at, cr.merged_at, cr.revision_initial, cr.merged_ancestor, cr.revision_merged, " \
	"cr.comments, cr.cluster, cr.styleguide_run AS guide_id, " REQUEST_REVIEW " AS review, " \
	"(SELECT gn.site FROM styleguide_run gn WHERE gn.id = cr.styleguide_run) AS guide_site, rv.id AS revision, " REQUEST_OUTDATED " AS outdated, " \
	USER_COLS("cu", "by_") ", " USER_COLS("mu", "merger_")
/*
 * Inner joins: a request always has a branch, the branch has a base and a first revision, and
 * accounts are never deleted. Only mu, who merged it, may be missing.
 */
#define REQUEST_FROM \
	"change_request cr JOIN branch b ON b.id = cr.branch JOIN branch main ON main.id = b.base " \
	"JOIN revision rv ON rv.branch = b.id AND rv.seq = b.head " \
	"JOIN account cu ON cu.id = cr.created_by LEFT JOIN account mu ON mu.id = cr.merged_by"

#endif
