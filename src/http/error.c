/* Failures: the status of each kind, and fail(), which records the first failure of a request. */
#include <stdarg.h>

#include "base/panic.h"
#include "http/req.h"

/* Other rooms name a kind of failure; only this table knows the statuses of HTTP. */
static const struct { enum error e; int status; } statuses[] = {
	{ E_BAD_REQUEST, 400 }, { E_UNAUTHORIZED, 401 }, { E_FORBIDDEN, 403 },
	{ E_NOT_FOUND, 404 }, { E_METHOD, 405 }, { E_CONFLICT, 409 }, { E_PRECONDITION, 412 },
	{ E_TOO_LARGE, 413 }, { E_URI_TOO_LONG, 414 }, { E_MEDIA_TYPE, 415 }, { E_MISDIRECTED, 421 }, { E_TOO_MANY, 429 },
	{ E_INTERNAL, 500 }, { E_BUSY, 503 },
};

int
error_status(enum error e)
{
	size_t i;

	for (i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (statuses[i].e == e)
			return statuses[i].status;
	panic("error %d has no status", (int)e);
}

int
fail(struct req *r, enum error e, const char *fmt, ...)
{
	va_list ap;

	/* Keep the first failure, which is the cause; later ones follow from it. */
	if (r->error != E_NONE)
		return -1;
	r->error = e;
	va_start(ap, fmt);
	r->message = arena_vprintf(r->arena, fmt, ap);
	va_end(ap);
	return -1;
}

int
fail_field(struct req *r, const char *path, const char *fmt, ...)
{
	const char *message;
	va_list ap;

	va_start(ap, fmt);
	message = arena_vprintf(r->arena, fmt, ap);
	va_end(ap);
	faults_add(&r->faults, path, "%s", message);
	return fail(r, E_BAD_REQUEST, "%s %s", path[0] == '/' ? path + 1 : path, message);
}
