/* Functions that dispatch.c calls at the beginning and the end of a request: request_read.c, answer_send.c. */
#ifndef HTTP_DISPATCH_PARTS_H
#define HTTP_DISPATCH_PARTS_H

struct req;

/*
 * Reads the query into r->query and checks it against the shape of r->route. May be called again for
 * another route. 0, or fail().
 */
int read_query(struct req *r);

/*
 * Reads the body into r->raw_body and, unless the shape takes bytes, as JSON into r->body, which is {}
 * for a route without a body. Waits for the client: no transaction should be open. 0, or fail().
 */
int read_body(struct req *r);

/*
 * Sends the answer in r, or, if rc is not 0, the error that fail() has put there; logs and counts the
 * request. Nothing was sent before.
 */
void finish_answer(struct req *r, int rc);

#endif
