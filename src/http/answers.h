/*
 * Answers of routes of mode KEPT: a worker that has answered gives the same answer again, for as
 * long as nobody commits (db_still()) and the token lives, on the same day (which is in the addresses
 * of files). Who asks is who sent the same Authorization header: what it led to is data, as roles
 * are, so that an answer is as old as they are, and no transaction is opened to look them up.
 *
 * Such a route answers JSON, with 200 or 304. What it answers with 200 may depend on its address with
 * the parameters of the query that its shape knows, on the user and the cap of their token, on settings, which are a worker's for life, on the
 * data and on the day, and on nothing else: no other header, no clock, no file. Where OCTAVO_SELFCHECK is set, every second answer is made anew and
 * compared with what was kept: the tests find a route that does not keep to it.
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
