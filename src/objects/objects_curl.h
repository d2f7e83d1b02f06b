/* libcurl, loaded when the first request to an object store is made (include/objects/objects.h says why). */
#ifndef OCTAVO_OBJECTS_CURL_H
#define OCTAVO_OBJECTS_CURL_H

#include <curl/curl.h>

#include "base/arena.h"

struct libcurl {
	CURLcode           (*global_init)(long flags);
	CURL              *(*init)(void);
	void               (*cleanup)(CURL *c);
	void               (*reset)(CURL *c);
	CURLcode           (*set)(CURL *c, CURLoption option, ...);
	CURLcode           (*perform)(CURL *c);
	CURLcode           (*info)(CURL *c, CURLINFO what, ...);
	const char        *(*error)(CURLcode code);
	struct curl_slist *(*append)(struct curl_slist *list, const char *line);
	void               (*free_list)(struct curl_slist *list);
};

/* NULL, and *error: the library is not installed. */
const struct libcurl *libcurl_load(struct arena *a, const char **error);

#endif
