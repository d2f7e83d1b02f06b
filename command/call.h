/*
 * API requests that the octavo command makes inside its own process. The dispatcher, the access
 * rules and the shapes answer them as they answer a client. A subcommand that is built from such
 * calls therefore cannot do anything that the API could not, and needs no rules of its own.
 */
#ifndef OCTAVO_CALL_H
#define OCTAVO_CALL_H

#include "cmd_data.h"

struct cJSON;

struct call {
	const char   *user;     /* id of the user whose rights apply */
	const char   *method;   /* "GET" */
	const char   *path;     /* path below /v1, percent-encoded, with the query */
	const char   *body;     /* request body as JSON; NULL: none */
	struct str    bytes;    /* instead of it: the bytes of a file; p NULL: none */
	bool          quiet;    /* an error is not printed */
	int           status;   /* HTTP status of the answer; 0: no answer */
	struct cJSON *answer;   /* parsed body of the answer; NULL: it has none */
	const char   *text;     /* body of the answer as received; "" if none */
};

/*
 * Makes the request; call it outside of transactions. Returns true for a status of 2xx; otherwise
 * the error is already printed, unless `quiet`.
 */
bool call_api(struct cli *c, struct db *db, struct call *call);

/*
 * The organization that the command line names, by --org or by what --site, --collection, --team or
 * --space is of; and the user whose rights count there: --user, else its first admin. NULL after
 * printing an error.
 */
const char *call_org(struct cli *c, struct db *db);
const char *call_caller(struct cli *c, struct db *db, const char *org);

#endif
