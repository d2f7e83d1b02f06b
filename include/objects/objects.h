/*
 * An object store with the interface of Amazon S3 (MinIO, Ceph, Garage, AWS and others). Requests
 * are signed by libcurl (AWS signature version 4); signed addresses, which libcurl does not make,
 * are signed here.
 *
 * libcurl is loaded at run time, by the first request to a store. So a program that uses no store
 * does not pay for it: linked libcurl would cost a plain CGI program 3 ms for each request. A
 * program of its own, as octavo-fetch is for addresses that users chose, would protect from nothing
 * here, since the store is chosen by the administrator, and trusted with all files; and it would
 * cost a process and a handshake for each file, where a worker keeps its connection.
 *
 * A request that fails because the store cannot be reached, or says that it is overloaded, is
 * repeated, up to OBJECTS_TRIES attempts, but only while the store fails quickly: a timeout is not
 * repeated. If the last attempt fails, too, this process refuses all requests for OBJECTS_PAUSE_MS
 * without contacting the store, so that workers do not all wait for a store that is down.
 */
#ifndef OCTAVO_OBJECTS_H
#define OCTAVO_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

enum { OBJECTS_TRIES = 3, OBJECTS_PAUSE_MS = 2000, OBJECTS_ADDRESS_SECONDS = 300 };

struct objects_settings {
	const char *endpoint;   /* OCTAVO_BLOBS_ENDPOINT, without a slash at its end */
	const char *region;     /* OCTAVO_BLOBS_REGION */
	const char *bucket, *prefix;   /* of s3://BUCKET/PREFIX; the prefix is "" or ends with a slash */
	const char *key;        /* OCTAVO_BLOBS_KEY: id of the access key */
	const char *secret;     /* OCTAVO_BLOBS_SECRET, or the first line of the file OCTAVO_BLOBS_SECRET_FILE */
};

/*
 * Reads the settings for a store with this address, "s3://BUCKET/PREFIX". get() returns the value of
 * a name, or NULL. NULL: a setting is missing or refused; *error names it.
 */
struct objects_settings *objects_settings_read(struct arena *a, const char *address,
    const char *(*get)(const char *name), const char **error);

/*
 * The origin from which readers get files, for the header Content-Security-Policy: the endpoint, if
 * OCTAVO_BLOBS is set and OCTAVO_BLOBS_SEND is "store". NULL: all files come through the programs.
 */
const char *objects_origin(struct arena *a, const char *(*get)(const char *name));
/* get() for the environment. */
const char *objects_environment(const char *name);

enum objects_result {
	OBJECTS_DONE,
	OBJECTS_MISSING,   /* there is no such object */
	OBJECTS_AWAY,      /* the store cannot be reached, or cannot answer now */
	OBJECTS_REFUSED,   /* the store refuses the request: keys, rights, no such bucket */
	OBJECTS_FAILED     /* this side failed: libcurl is not installed, the caller's take() returned false */
};

/* A store. It is allocated from the arena, and closed when that ends. It must not be used after a fork. */
struct objects;
struct objects *objects_open(struct arena *a, const struct objects_settings *s);

/*
 * In all functions a key is appended to the prefix. Keys and prefixes consist of letters, digits and
 * "-._/". After another result than OBJECTS_DONE, objects_error() says why, for the log: it may
 * contain the name of the store.
 */
const char *objects_error(const struct objects *o);

/*
 * Stores the `size` bytes of an open file. The store is sent their SHA-256 as well, which it verifies
 * before it makes the object visible.
 */
enum objects_result objects_put(struct objects *o, const char *key, int fd, int64_t size);

/* Calls take() for each piece of the object, until it returns false. */
enum objects_result objects_get(struct objects *o, const char *key, bool (*take)(void *ctx, const char *p, size_t n), void *ctx);

/* Sets the number of bytes. */
enum objects_result objects_size(struct objects *o, const char *key, int64_t *size);

/* An object that does not exist counts as deleted. */
enum objects_result objects_delete(struct objects *o, const char *key);

/* at: when it was stored, in milliseconds; 0: not known. */
struct object {
	const char *key;    /* without the prefix */
	int64_t     size, at;
};

/* Calls fn for each object whose key begins with the prefix; memory for it is freed after the call. */
enum objects_result objects_each(struct objects *o, void (*fn)(void *ctx, const struct object *one), void *ctx);

/* *any: true if there is an object whose key begins with the prefix. */
enum objects_result objects_any(struct objects *o, bool *any);

/*
 * An address at which anybody can read the object for OBJECTS_ADDRESS_SECONDS, with these headers
 * Content-Type and Content-Disposition. now: in milliseconds.
 */
char *objects_address(struct arena *a, const struct objects_settings *s, const char *key, const char *type,
    const char *disposition, int64_t now);

/* The object's address without a signature; key NULL: the bucket's. */
char *objects_plain_address(struct arena *a, const struct objects_settings *s, const char *key);

#endif
