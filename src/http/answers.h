/*
 * The cache of answers of routes of mode KEPT. A worker sends a cached answer as long as no process has
 * committed since it was made (db_unchanged()), the token is valid, and the day is the same (the day
 * is part of the addresses of files). The cache key contains the caller's credential: user and roles
 * are data, which change only with a commit, so no transaction is needed to look them up.
 *
 * Such a route answers JSON, with 200 or 304. An answer with 200 may depend on its address with
 * the query parameters that its shape declares, on the user and the cap of the token, on settings
 * (which are constant in a worker), on the data and on the day, and on nothing else: no other
 * header, no clock, no file. An answer that lacks something which was not ready in time, such as the
 * colours of code, sets r->unfinished and is not cached. With OCTAVO_SELFCHECK set, every second answer
 * is made again and compared with the cached one, so that tests find a route that breaks this rule.
 */
#ifndef OCTAVO_HTTP_ANSWERS_H
#define OCTAVO_HTTP_ANSWERS_H

#include "http/req.h"

/*
 * Looks up the answer, outside of transactions. True: r now has the body, status, tag, Cache-Control
 * and user of the cached answer. Caller and access need not be checked again, since they were checked
 * on the same data.
 */
bool answer_from_cache(struct req *r);

/* Caches the answer of r if the rules above allow it. Call it after the handler, in the same read transaction. */
void answer_cache(struct req *r);

#endif
