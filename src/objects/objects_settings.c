/* Reads the settings of an object store. Contract: include/objects/objects.h. */
#include <stdlib.h>
#include <string.h>

#include "base/address.h"
#include "base/file.h"
#include "objects/objects.h"

#define PRESET_REGION "us-east-1"
#define SAFE "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"

/* A setting that is not set is "". */
static const char *
value_of(const char *(*get)(const char *), const char *name)
{
	const char *v = get(name);

	return v == NULL ? "" : v;
}

/* Divides "s3://BUCKET/PREFIX". Returns NULL, or what is wrong. */
static const char *
read_address(struct arena *a, const char *address, struct objects_settings *s)
{
	const char *at = address + strlen("s3://");
	size_t n;

	if (!str_starts(str_of(address), "s3://"))
		return "does not begin with s3://";
	n = strspn(at, SAFE);
	if (n == 0 || (at[n] != '\0' && at[n] != '/'))
		return "names no bucket: s3://BUCKET/PREFIX, of letters, digits and -._";
	s->bucket = arena_strndup(a, at, n);
	at += n;
	at += strspn(at, "/");
	n = strlen(at);
	while (n > 0 && at[n - 1] == '/')
		n--;
	s->prefix = n == 0 ? "" : arena_printf(a, "%.*s/", (int)n, at);
	return strspn(s->prefix, SAFE "/") == strlen(s->prefix) && strstr(s->prefix, "//") == NULL ? NULL :
	    "has a prefix with other characters than letters, digits and -._/";
}

/*
 * Without TLS, anybody on the network path could read and replace files, so http is accepted only for
 * this machine.
 */
static const char *
endpoint_fault(struct arena *a, const char *endpoint)
{
	const char *host = str_starts(str_of(endpoint), "http://") ?
	    arena_strndup(a, endpoint + 7, strcspn(endpoint + 7, ":/")) : NULL;

	if (host != NULL ? !address_is_localhost(host) && strcmp(host, "127.0.0.1") != 0 : !str_starts(str_of(endpoint), "https://"))
		return "does not begin with https:// (http:// is for a store on this machine)";
	return strpbrk(endpoint, "?#@ ") != NULL || strchr(strstr(endpoint, "://") + 3, '/') != NULL ?
	    "is more than a host and a port" : NULL;
}

/* The secret, from the environment or from a file. Returns NULL, or an error. */
static const char *
read_secret(struct arena *a, const char *(*get)(const char *), struct objects_settings *s)
{
	const char *path = value_of(get, "OCTAVO_BLOBS_SECRET_FILE");
	struct str bytes;

	s->secret = arena_strdup(a, value_of(get, "OCTAVO_BLOBS_SECRET"));
	if (*path == '\0')
		return *s->secret == '\0' ? "OCTAVO_BLOBS_SECRET, or OCTAVO_BLOBS_SECRET_FILE, is not set" : NULL;
	if (!file_read(a, path, &bytes))
		return arena_printf(a, "OCTAVO_BLOBS_SECRET_FILE: %s cannot be read", path);
	s->secret = arena_strndup(a, bytes.p, strcspn(bytes.p, "\r\n"));
	return *s->secret == '\0' ? arena_printf(a, "OCTAVO_BLOBS_SECRET_FILE: %s is empty", path) : NULL;
}

/* The endpoint without a slash at its end. */
static const char *
read_endpoint(struct arena *a, const char *(*get)(const char *))
{
	const char *v = value_of(get, "OCTAVO_BLOBS_ENDPOINT"), *region = value_of(get, "OCTAVO_BLOBS_REGION");
	size_t n = strlen(v);

	if (n == 0)
		return arena_printf(a, "https://s3.%s.amazonaws.com", *region == '\0' ? PRESET_REGION : region);
	return arena_strndup(a, v, v[n - 1] == '/' ? n - 1 : n);
}

const char *
objects_environment(const char *name)
{
	return getenv(name);
}

const char *
objects_origin(struct arena *a, const char *(*get)(const char *))
{
	if (*value_of(get, "OCTAVO_BLOBS") == '\0' || strcmp(value_of(get, "OCTAVO_BLOBS_SEND"), "store") != 0)
		return NULL;
	return read_endpoint(a, get);
}

/* Returns NULL, or an error. */
static const char *
send_fault(struct arena *a, const char *(*get)(const char *))
{
	const char *v = value_of(get, "OCTAVO_BLOBS_SEND");

	return *v == '\0' || strcmp(v, "store") == 0 || strcmp(v, "node") == 0 ? NULL :
	    arena_printf(a, "OCTAVO_BLOBS_SEND: \"%s\" is neither node nor store", v);
}

struct objects_settings *
objects_settings_read(struct arena *a, const char *address, const char *(*get)(const char *), const char **error)
{
	struct objects_settings *s = arena_alloc(a, sizeof(*s));
	const char *region = value_of(get, "OCTAVO_BLOBS_REGION"), *wrong;

	s->region = *region == '\0' ? PRESET_REGION : arena_strdup(a, region);
	s->endpoint = read_endpoint(a, get);
	s->key = arena_strdup(a, value_of(get, "OCTAVO_BLOBS_KEY"));
	if ((wrong = read_address(a, address, s)) != NULL)
		*error = arena_printf(a, "OCTAVO_BLOBS: \"%s\" %s", address, wrong);
	else if (strspn(s->region, SAFE) != strlen(s->region))
		*error = arena_printf(a, "OCTAVO_BLOBS_REGION: \"%s\" is no name of a region", s->region);
	else if ((wrong = endpoint_fault(a, s->endpoint)) != NULL)
		*error = arena_printf(a, "OCTAVO_BLOBS_ENDPOINT: \"%s\" %s", s->endpoint, wrong);
	else if (*s->key == '\0' || strpbrk(s->key, ":/ ") != NULL)
		*error = "OCTAVO_BLOBS_KEY is not set, or is no id of a key";
	else if ((*error = send_fault(a, get)) == NULL)
		*error = read_secret(a, get, s);
	return *error == NULL ? s : NULL;
}
