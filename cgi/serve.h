/*
 * What octavo-api and octavo-site have in common: being a FastCGI worker or a
 * plain CGI, by how they were started. serve.c is the only file that names
 * FCGX_*: it turns requests into struct io.
 *
 * A worker opens the data and prepares every statement before it accepts, so
 * that a typo stops the deploy; on TERM it finishes the request that it has and
 * exits 0 (idle.h). A CGI prepares what it uses. Where the database was not migrated yet, both wait
 * for a while (app/ready.h).
 */
#ifndef OCTAVO_SERVE_H
#define OCTAVO_SERVE_H

#include "http/req.h"

struct worker {
	struct arena    *life;     /* for what lives as long as the process */
	struct arena    *arena;    /* reset after each request */
	struct settings *set;
	struct db       *db;
	const char      *name;     /* of the program */
	bool             older_schema;  /* why db is NULL: it was not migrated yet */
	bool             cgi;      /* a process for this one request */
	void           (*handle)(struct worker *w, struct io *io);
};

/* main() of the programs, of which name is a literal: calls handle for each request. Returns the exit status. */
int serve_main(const char *name, void (*handle)(struct worker *w, struct io *io));

#endif
