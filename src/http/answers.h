/*
 * Answers of routes of mode KEPT: a worker that has answered gives the same answer again, for as
 * long as nobody commits and the day lasts (the day is in the addresses of files). Who asks is
 * looked up before, in the same transaction; roles are data, so that an answer is as old as they are.
 *
 * What such a route answers with 200 may depend on its address with the query, on the user and the
 * cap of their token, on settings, on the data and on the day, and on nothing else: no other header,
 * no clock, no token, no file. Where OCTAVO_SELFCHECK is set, every second answer is made anew and
 * compared with what was kept: the tests find a route that does not keep to it.
 */
#ifndef OCTAVO_HTTP_ANSWERS_H
#define OCTAVO_HTTP_ANSWERS_H

#include "http/req.h"

/*
 * Behind auth_bearer(), in a read transaction. True: r holds body, tag, caching and status as the
 * handler left them; access need not be checked, for it was with the same roles.
 */
bool answer_again(struct req *r);

/* Behind the handler, in the same transaction. */
void answer_keep(struct req *r);

#endif
