/* What the other files of the room use of requests.c. */
#ifndef OCTAVO_API_REQUESTS_H
#define OCTAVO_API_REQUESTS_H

#include "http/req.h"

extern const struct shape ChangeRequest, ChangeRequestList, ChangeRequestQuery, ChangeRequestCreate,
    ChangeRequestEdit, ContributorList, UserContributor;

/* Of change_request cr, its branch b and that branch's base main: main moved on since, by what people did. */
#define REQUEST_OUTDATED \
	"CASE WHEN cr.status <> 'merged' AND main.head > b.base_seq AND EXISTS (SELECT 1 FROM revision moved " \
	"WHERE moved.branch = main.id AND moved.seq > b.base_seq AND moved.kind <> 'computed') THEN 1 ELSE 0 END"

/* A change request whole (requests.c): its row, NULL if there is none; the row as the answer. */
struct stmt *request_row(struct req *r, const char *id);
int reply_request(struct req *r, const char *id);

/* 0, or fail(): the request of the path is merged or archived, and stays as it is. */
int request_open_or_fail(struct req *r);

/* Takes subject and description of the body over into the request of the path. 0 or fail(). */
int request_describe(struct req *r);

#endif
