/*
 * A request of the API made by the octavo command, in its own process: the dispatcher, the access
 * rules and the shapes answer it as they answer a client. So a command that is a call can do nothing
 * that the API could not, and has no rule of its own.
 */
#ifndef OCTAVO_CALL_H
#define OCTAVO_CALL_H

#include "cmd_data.h"

struct cJSON;

struct call {
	const char   *user;     /* id: whose rights count */
	const char   *method;   /* "GET" */
	const char   *path;     /* below /v1, encoded, with its query */
	const char   *body;     /* JSON; NULL: none */
	int           status;   /* of the answer; 0: there was none */
	struct cJSON *answer;   /* NULL: it has no body */
	const char   *text;     /* its body as it came; "" */
};

/* Makes the request; outside of transactions. True for a status of 2xx; else the command has complained. */
bool call_api(struct cli *c, struct db *db, struct call *call);

#endif
