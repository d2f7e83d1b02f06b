/* Loads libcurl by name. Contract: objects_curl.h. */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "objects_curl.h"

#define MEMBER(name_, symbol_) { #symbol_, offsetof(struct libcurl, name_) }
static const struct {
	const char *symbol;
	size_t      at;
} symbols[] = {
	MEMBER(global_init, curl_global_init), MEMBER(init, curl_easy_init), MEMBER(cleanup, curl_easy_cleanup),
	MEMBER(reset, curl_easy_reset), MEMBER(set, curl_easy_setopt), MEMBER(perform, curl_easy_perform),
	MEMBER(info, curl_easy_getinfo), MEMBER(error, curl_easy_strerror), MEMBER(append, curl_slist_append),
	MEMBER(free_list, curl_slist_free_all) };

/* The library stays loaded until the process ends. */
const struct libcurl *
libcurl_load(struct arena *a, const char **error)
{
	struct libcurl *l = arena_alloc(a, sizeof(*l));
	void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL), *symbol;
	size_t i;

	if (library == NULL)
		library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
	if (library == NULL) {
		*error = arena_printf(a, "an object store takes the library libcurl (Debian: libcurl4): %s", dlerror());
		return NULL;
	}
	for (i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		if ((symbol = dlsym(library, symbols[i].symbol)) == NULL) {
			*error = arena_printf(a, "libcurl has no %s", symbols[i].symbol);
			return NULL;
		}
		/* A pointer to a function in a pointer to an object, as POSIX allows for dlsym(). */
		memcpy((char *)l + symbols[i].at, &symbol, sizeof(symbol));
	}
	if (l->global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		*error = "libcurl cannot be set up";
		return NULL;
	}
	return l;
}
