/* The one function that says who may do what. */
#ifndef OCTAVO_API_ACCESS_RULES_H
#define OCTAVO_API_ACCESS_RULES_H

#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"

/*
 * The access rule of the route, of struct app: 0 or fail(). It runs before the body is read, and again in the transaction
 * of the handler, so that what it found still holds there.
 */
int check_access(struct req *r);

#endif
