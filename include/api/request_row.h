/* A change request as it is told, and what every operation on one asks first. */
#ifndef OCTAVO_API_REQUEST_ROW_H
#define OCTAVO_API_REQUEST_ROW_H

#include "api/request_ref.h"
#include "api/users.h"
#include "http/req.h"

extern const struct shape ChangeRequest, UserContributor;

/* A change request whole (requests.c): its row, NULL if there is none; the row as the answer. */
struct stmt *request_row(struct req *r, const char *id);
int reply_request(struct req *r, const char *id);

/* 0, or fail(): the request of the path is merged or archived, and stays as it is. */
int request_open_or_fail(struct req *r);

/* Takes subject and description of the body over into the request of the path. 0 or fail(). */
int request_describe(struct req *r);

/* Columns of the ChangeRequest shape, and what they are from. */
#define REQUEST_COLS \
	"cr.id, cr.space, cr.number, cr.status, cr.subject, cr.description, cr.created_at, " \
	"cr.updated_at, cr.merged_at, cr.revision_initial, cr.merged_ancestor, cr.revision_merged, " \
	"cr.comments, cr.cluster, rv.id AS revision, " REQUEST_OUTDATED " AS outdated, " \
	USER_COLS("cu", "by_") ", " USER_COLS("mu", "merger_")
/*
 * Inner joins: a request always has a branch, the branch a base and a first revision, and an
 * account is never deleted. mu alone may be missing, of a request that is not merged.
 */
#define REQUEST_FROM \
	"change_request cr JOIN branch b ON b.id = cr.branch JOIN branch main ON main.id = b.base " \
	"JOIN revision rv ON rv.branch = b.id AND rv.seq = b.head " \
	"JOIN account cu ON cu.id = cr.created_by LEFT JOIN account mu ON mu.id = cr.merged_by"

#endif
