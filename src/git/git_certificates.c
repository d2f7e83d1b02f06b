/*
 * Loads the system's certificates only when they are needed.
 *
 * libgit2 1.5 parses the whole certificate bundle whenever it is initialised. That takes longer
 * than the rest of a job that finds nothing new, and most jobs read from the cache or from an
 * address without encryption. Debian's libgit2 uses Mbed TLS, which loads certificates with the
 * function below. A definition in the program takes precedence over the library's (ELF symbol
 * interposition). The one here skips the parsing unless git_certificates_want() was called before
 * libgit2 was initialised, which is done for https addresses. Other builds of libgit2 load
 * certificates in other ways, and are not affected.
 *
 * If the certificates could not be loaded, none would be trusted, and every https server would be
 * refused.
 */
#include <dlfcn.h>

#include "git_parts.h"

static bool wanted;

void
git_certificates_want(void)
{
	wanted = true;
}

/* This declaration is the one of mbedtls/x509_crt.h; the function returns 0 on success. */
int mbedtls_x509_crt_parse_file(void *chain, const char *path);

int
mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
	int (*real)(void *, const char *) = NULL;

	if (!wanted)
		return 0;
	/* POSIX prescribes this form of converting the result of dlsym() to a function pointer. */
	*(void **)&real = dlsym(RTLD_NEXT, "mbedtls_x509_crt_parse_file");
	return real == NULL ? -1 : real(chain, path);
}
