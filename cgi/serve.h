/*
 * Shared by octavo-api and octavo-site: runs as a FastCGI worker or as a plain CGI program,
 * depending on how it was started. serve.c is the only file that uses FCGX_*; it converts requests
 * to struct io.
 *
 * A worker opens the data and prepares every statement before it accepts requests, so that an
 * invalid statement is found at deployment. On SIGTERM it finishes its current request and exits 0
 * (idle.h). A plain CGI program prepares only what it uses. If the database is not migrated yet,
 * both wait for a while (app/ready.h).
 */
#ifndef OCTAVO_SERVE_H
#define OCTAVO_SERVE_H

#include "http/req.h"

struct worker {
	struct arena    *life;     /* memory that lives as long as the process */
	struct arena    *arena;    /* reset after each request */
	struct settings *set;
	struct db       *db;
	const char      *name;     /* name of the program */
	bool             older_schema;  /* the database is not migrated yet, so db is NULL */
	bool             cgi;      /* plain CGI: the process serves one request */
	void           (*handle)(struct worker *w, struct io *io);
};

/*
 * The main() of the programs: calls handle for each request. name must be a literal. Returns the
 * exit status.
 */
int serve_main(const char *name, void (*handle)(struct worker *w, struct io *io));

#endif
