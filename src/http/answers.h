/*
 * The cache of answers of routes of mode KEPT: a worker gives the same answer again as long as
 * there is no commit (db_unchanged()) and the token is valid, on the same day (which is part of the
 * addresses of files). The caller is identified by the Authorization header: the user and roles
 * that it stands for are data, so a commit invalidates them too, and no transaction is needed to
 * look them up.
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
 * Outside of transactions. True: r holds body, tag, caching, status and user as auth_bearer() and the
 * handler left them; neither caller nor access need be checked, for they were with the same data.
 */
bool answer_again(struct req *r);

/* Behind the handler, in the same transaction, which only reads. */
void answer_keep(struct req *r);

#endif
