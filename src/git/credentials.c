/*
 * Seals the credentials of a git repository for the queue: username, NUL, password. Contract:
 * git/credentials.h.
 */
#include "git/credentials.h"
#include "base/buf.h"
#include "base/secret.h"

/*
 * Joins the two with a NUL, which neither can contain. NULL is stored as "". The result is
 * encrypted and authenticated (base/secret.h), so credentials_unseal() refuses a row that was
 * changed in the database.
 */
struct str
credentials_seal(struct arena *a, const char *username, const char *password)
{
	struct buf b;

	buf_init(&b, a, 64 << 10);
	buf_str(&b, username != NULL ? username : "");
	buf_char(&b, '\0');
	buf_str(&b, password != NULL ? password : "");
	return secret_seal(a, SECRET_GIT, buf_view(&b));
}

bool
credentials_unseal(struct arena *a, struct str box, const char **username, const char **password)
{
	struct str plain;
	size_t n;

	*username = *password = NULL;
	/* n 0: the job has no credentials, which is no error. */
	if (box.n == 0)
		return true;
	if (!secret_unseal(a, SECRET_GIT, box, &plain))
		return false;
	/*
	 * A NUL follows the plain text at plain.n, so strlen() stays inside it even if the
	 * separator is missing.
	 */
	n = strlen(plain.p);
	if (n + 1 > plain.n)
		return false;
	*username = n > 0 ? plain.p : NULL;
	*password = plain.p[n + 1] != '\0' ? plain.p + n + 1 : NULL;
	return true;
}
