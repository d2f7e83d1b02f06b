/* Loads the change request that a path or a body names. Implemented in request_ref.c. */
#ifndef OCTAVO_API_REQUEST_REF_H
#define OCTAVO_API_REQUEST_REF_H

#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"

/*
 * Sets r->request to the change request of the space with this id or number. 0, or fail() with 404.
 */
int request_load(struct req *r, const char *id);

/*
 * SQL: 1 if users have changed main since the base of change_request cr. b: the branch of cr; main:
 * the base of that branch.
 */
#define REQUEST_OUTDATED \
	"CASE WHEN cr.status <> 'merged' AND main.head > b.base_seq AND EXISTS (SELECT 1 FROM revision moved " \
	"WHERE moved.branch = main.id AND moved.seq > b.base_seq AND moved.kind <> 'computed') THEN 1 ELSE 0 END"

#endif
