/*
 * libpq, loaded when the first connection to PostgreSQL is opened: programs over SQLite are not
 * linked to it, and do not load it.
 */
#ifndef OCTAVO_DB_LIBPQ_H
#define OCTAVO_DB_LIBPQ_H

#include <postgresql/libpq-fe.h>

#include "base/arena.h"

/* Functions of libpq (PostgreSQL's manual, "libpq"; db_libpq.c has their names there). */
struct libpq {
	PGconn         *(*connect)(const char *address);
	ConnStatusType  (*status)(const PGconn *c);
	void            (*reset)(PGconn *c);
	void            (*finish)(PGconn *c);
	char           *(*error)(const PGconn *c);
	PQnoticeReceiver (*on_notice)(PGconn *c, PQnoticeReceiver receiver, void *ctx);
	PGresult       *(*exec)(PGconn *c, const char *text);
	PGresult       *(*prepare)(PGconn *c, const char *name, const char *text, int n, const Oid *types);
	PGresult       *(*describe)(PGconn *c, const char *name);
	PGresult       *(*run)(PGconn *c, const char *name, int n, const char *const *values, const int *lengths,
	                    const int *formats, int result_format);
	PGresult       *(*run_text)(PGconn *c, const char *text, int n, const Oid *types, const char *const *values,
	                    const int *lengths, const int *formats, int result_format);
	ExecStatusType  (*result_status)(const PGresult *r);
	char           *(*result_field)(const PGresult *r, int field);   /* of an error */
	void            (*clear)(PGresult *r);
	int             (*rows)(const PGresult *r);
	int             (*columns)(const PGresult *r);
	char           *(*column_name)(const PGresult *r, int column);
	Oid             (*column_type)(const PGresult *r, int column);
	char           *(*value)(const PGresult *r, int row, int column);
	int             (*length)(const PGresult *r, int row, int column);
	int             (*is_null)(const PGresult *r, int row, int column);
	int             (*parameters)(const PGresult *r);
	Oid             (*parameter_type)(const PGresult *r, int parameter);
	char           *(*changed)(PGresult *r);
	char           *(*command)(PGresult *r);
	int             (*begin_pipeline)(PGconn *c);
	int             (*send)(PGconn *c, const char *name, int n, const char *const *values, const int *lengths,
	                    const int *formats, int result_format);
	int             (*end_pipeline)(PGconn *c);
	PGresult       *(*get_result)(PGconn *c);
	int             (*leave_pipeline)(PGconn *c);
};

/* NULL, and *error: the library is not installed. */
const struct libpq *libpq_load(struct arena *a, const char **error);

#endif
