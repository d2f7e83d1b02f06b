/* Shared by the files of this room; no other room includes it. */
#ifndef OCTAVO_OBJECTS_PARTS_H
#define OCTAVO_OBJECTS_PARTS_H

#include "objects/objects.h"
#include "objects_curl.h"

/* A request. The first members are the caller's. */
struct objects_request {
	enum { OBJECTS_GET, OBJECTS_PUT, OBJECTS_HEAD, OBJECTS_DELETE } method;
	const char *key;
	const char *query;      /* sorted and encoded; NULL: none */
	int         fd;         /* PUT: of the bytes */
	int64_t     size;       /* PUT: their number */
	bool      (*take)(void *ctx, const char *p, size_t n);   /* GET: gets the bytes of a success */
	void       *ctx;

	const struct libcurl *lib;
	CURL       *curl;
	int64_t     sent;       /* PUT: bytes that libcurl has read */
	int64_t     length;     /* HEAD: bytes of the object */
	bool        begun;      /* take() was given bytes, so that there is no second try */
	bool        stopped;    /* take() returned false */
	char        said[300];  /* the beginning of a refusal */
	size_t      said_n;
};

/* Makes the request. The strings in it may be in objects_scratch(). */
enum objects_result objects_request(struct objects *o, struct objects_request *q);
const struct objects_settings *objects_set(const struct objects *o);
/* Memory for one request, emptied by this call. */
struct arena *objects_scratch(struct objects *o);

#endif
