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
	struct str    bytes;    /* the bytes of a file, in place of body; p NULL: none */
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
 * Finds the organization that the command line names: by --org, or as the owner of what --site,
 * --collection, --team or --space name. Also the user for whom requests are made: --user, or the
 * organization's first admin. NULL after printing an error.
 */
const char *call_org(struct cli *c, struct db *db);
const char *call_caller(struct cli *c, struct db *db, const char *org);

#endif
