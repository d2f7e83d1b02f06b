/*
 * The certificates of the system, read where they are wanted.
 *
 * libgit2 1.5 reads the whole bundle whenever it begins, which takes longer than all
 * else that a job does which finds nothing new; most addresses, and every commit that is
 * only read from the cache, encrypt nothing. Debian's libgit2 does its TLS with Mbed TLS,
 * through the function below. That of the program comes before the library's own (ELF,
 * symbol interposition): it puts the reading off until an address is https, when
 * git_certificates_want() comes before libgit2 begins. A libgit2 of another make reads
 * them as it does.
 *
 * Where this were ever wrong, no certificate would be known, and every server refused.
 */
#include <dlfcn.h>

#include "git_parts.h"

static bool wanted;

void
git_certificates_want(void)
{
	wanted = true;
}

/* Of mbedtls/x509_crt.h, which nothing else here needs; 0 is success, as there. */
int mbedtls_x509_crt_parse_file(void *chain, const char *path);

int
mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
	int (*real)(void *, const char *) = NULL;

	if (!wanted)
		return 0;
	/* POSIX, dlsym(): a pointer to a function has to be written in this way. */
	*(void **)&real = dlsym(RTLD_NEXT, "mbedtls_x509_crt_parse_file");
	return real == NULL ? -1 : real(chain, path);
}
