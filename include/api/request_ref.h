/* The change request that a path or a body names. */
#ifndef OCTAVO_API_REQUEST_REF_H
#define OCTAVO_API_REQUEST_REF_H

#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"

/* Fills r->request with that change request of the space, by id or number: 0, or fail() with 404. */
int request_load(struct req *r, const char *id);

/* Of change_request cr, its branch b and that branch's base main: main moved on since, by what people did. */
#define REQUEST_OUTDATED \
	"CASE WHEN cr.status <> 'merged' AND main.head > b.base_seq AND EXISTS (SELECT 1 FROM revision moved " \
	"WHERE moved.branch = main.id AND moved.seq > b.base_seq AND moved.kind <> 'computed') THEN 1 ELSE 0 END"

#endif
