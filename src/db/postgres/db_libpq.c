/* Loads libpq by name. Contract: db_libpq.h. */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "db_libpq.h"

#define MEMBER(name_, symbol_) { #symbol_, offsetof(struct libpq, name_) }
static const struct {
	const char *symbol;
	size_t      at;
} symbols[] = {
	MEMBER(connect, PQconnectdb), MEMBER(status, PQstatus), MEMBER(reset, PQreset), MEMBER(finish, PQfinish),
	MEMBER(error, PQerrorMessage), MEMBER(on_notice, PQsetNoticeReceiver), MEMBER(exec, PQexec),
	MEMBER(prepare, PQprepare), MEMBER(describe, PQdescribePrepared), MEMBER(run, PQexecPrepared),
	MEMBER(run_text, PQexecParams), MEMBER(result_status, PQresultStatus),
	MEMBER(result_field, PQresultErrorField), MEMBER(clear, PQclear), MEMBER(rows, PQntuples),
	MEMBER(columns, PQnfields), MEMBER(column_name, PQfname), MEMBER(column_type, PQftype),
	MEMBER(value, PQgetvalue), MEMBER(length, PQgetlength), MEMBER(is_null, PQgetisnull),
	MEMBER(parameters, PQnparams), MEMBER(parameter_type, PQparamtype), MEMBER(changed, PQcmdTuples),
	MEMBER(command, PQcmdStatus), MEMBER(begin_pipeline, PQenterPipelineMode), MEMBER(send, PQsendQueryPrepared),
	MEMBER(end_pipeline, PQpipelineSync), MEMBER(get_result, PQgetResult), MEMBER(leave_pipeline, PQexitPipelineMode) };

/* The library stays loaded until the process ends. */
const struct libpq *
libpq_load(struct arena *a, const char **error)
{
	struct libpq *pq = arena_alloc(a, sizeof(*pq));
	void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL), *symbol;
	size_t i;

	if (library == NULL) {
		*error = arena_printf(a, "PostgreSQL takes the library libpq (Debian: libpq5): %s", dlerror());
		return NULL;
	}
	for (i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		if ((symbol = dlsym(library, symbols[i].symbol)) == NULL) {
			*error = arena_printf(a, "libpq.so.5 has no %s", symbols[i].symbol);
			return NULL;
		}
		/* A pointer to a function in a pointer to an object, as POSIX allows for dlsym(). */
		memcpy((char *)pq + symbols[i].at, &symbol, sizeof(symbol));
	}
	return pq;
}
