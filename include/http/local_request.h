/*
 * Requests that this process makes to its own dispatcher, in memory: how pages below /app and the
 * octavo command use the API.
 *
 *   struct local_request l;
 *   struct local_answer answer;
 *
 *   local_request_init(&l, a, "GET", "/orgs", (struct str){ 0 }, NULL);
 *   local_request_set(&l, "HTTP_AUTHORIZATION", "Bearer …");
 *   r->io = &l.io;
 *   dispatch(r);
 *   answer = local_request_end(&l);
 */
#ifndef OCTAVO_LOCAL_REQUEST_H
#define OCTAVO_LOCAL_REQUEST_H

#include "http/req.h"

/* The most CGI variables of a request. */
enum { LOCAL_VARIABLES = 20 };

struct local_request {
	struct io   io;       /* must be first: code casts struct io * to struct local_request * */
	struct { const char *name, *value; } variables[LOCAL_VARIABLES];
	size_t      count;
	struct str  body;     /* the part of the body that has not been read yet */
	struct buf  out;      /* head and body of the answer, as dispatch() writes them */
};

struct local_answer {
	int         status;        /* 0: no answer */
	int         retry_after;   /* seconds; 0: the answer does not say */
	const char *body;          /* "" if it has none; ends with NUL */
};

/*
 * path: below /v1, percent-encoded, with the query. type: media type of the body, or NULL without
 * one. All arguments must live until the request ends.
 */
void local_request_init(struct local_request *l, struct arena *a, const char *method, const char *path,
    struct str body, const char *type);

/* Adds a CGI variable (RFC 3875), HTTP_… for a header; value NULL adds nothing. At most LOCAL_VARIABLES. */
void local_request_set(struct local_request *l, const char *name, const char *value);

/* After dispatch(), once. The texts are in the request's arena. */
struct local_answer local_request_end(struct local_request *l);

#endif
