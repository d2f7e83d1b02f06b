/* Passwords. Contract: signin/password.h. */
#include <errno.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "signin/password.h"
#include "app/place.h"

/* PLACE_MIB: memory of one hash (crypto_pwhash_MEMLIMIT_INTERACTIVE), in MiB. */
enum { PLACE_MIB = 64 };

SQL(q_of, "SELECT hash FROM password WHERE account = :account");
SQL(q_set,
    "INSERT INTO password (account, hash, set_at) VALUES (:account, :hash, :now) "
    "ON CONFLICT (account) DO UPDATE SET hash = excluded.hash, set_at = excluded.set_at");

/* ---- refused passwords ---- */

static const char *const common[] = {
#include "common_passwords.h"
};

static int
compare_names(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static char *
lower_case(struct arena *a, const char *s)
{
	return utf8_lower(a, str_of(s));
}

static bool
is_common(struct arena *a, const char *password)
{
	const char *low = lower_case(a, password);

	return find_sorted(&low, common, sizeof(common) / sizeof(common[0]), sizeof(common[0]), compare_names) != NULL;
}

/*
 * True if the password consists only of repetitions of its first `period` bytes, or of characters
 * that count up or down.
 */
static bool
is_monotonous(const char *p)
{
	size_t n = strlen(p), step, i;
	int by = n > 1 ? p[1] - p[0] : 0;

	for (step = 1; step <= 3; step++) {
		for (i = step; i < n && p[i] == p[i - step]; i++)
			;
		if (i >= n)
			return true;
	}
	for (i = 1; i < n && p[i] - p[i - 1] == by; i++)
		;
	return i >= n && (by == 1 || by == -1);
}

/* True if the password has fewer than six characters besides the word. */
static bool
is_mostly(struct arena *a, const char *password, const char *word)
{
	const char *low = lower_case(a, password), *w = lower_case(a, word);
	size_t n = strlen(w);

	return n >= 3 && strstr(low, w) != NULL && strlen(low) < n + 6;
}

const char *
password_fault(struct arena *a, const char *password, const char *email, const char *name)
{
	size_t length = utf8_count(str_of(password));

	if (length < PASSWORD_LEAST)
		return arena_printf(a, "must have at least %d characters", PASSWORD_LEAST);
	if (length > PASSWORD_MOST)
		return arena_printf(a, "must have at most %d characters", PASSWORD_MOST);
	if (is_common(a, password) || is_monotonous(password))
		return "must be none of the 10,000 most common passwords, and not one character or group repeated";
	if (is_mostly(a, password, email) || is_mostly(a, password, arena_strndup(a, email, strcspn(email, "@"))) ||
	    is_mostly(a, password, name))
		return "must not consist of your address or name";
	return NULL;
}

/* ---- hashes ---- */

/*
 * Takes a place for one hash. There are as many places as the setting has memory for, and no more
 * than half of the processors and of the workers.
 */
static int
take_place(struct arena *a, const struct settings *set, bool known)
{
	int count = (int)(set->password_memory / PLACE_MIB), cores = (int)sysconf(_SC_NPROCESSORS_ONLN);

	if (count > cores / 2)
		count = cores < 4 ? 1 : cores / 2;
	return place_take(a, set, "hash", count < place_share(set) ? count : place_share(set), known);
}

static bool
start_sodium(void)
{
	return sodium_init() >= 0;
}

static enum password_result
hash_in_place(struct arena *a, const struct settings *set, const char *password, bool known, char **hash)
{
	int place = start_sodium() ? take_place(a, set, known) : -1, rc;

	*hash = arena_alloc(a, crypto_pwhash_STRBYTES);
	if (place < 0)
		return PASSWORD_BUSY;
	rc = crypto_pwhash_str(*hash, password, strlen(password), crypto_pwhash_OPSLIMIT_INTERACTIVE,
	    crypto_pwhash_MEMLIMIT_INTERACTIVE);
	close(place);
	/* crypto_pwhash_str() fails only if there is not enough memory. */
	return rc == 0 ? PASSWORD_OK : PASSWORD_BUSY;
}

enum password_result
password_hash(struct arena *a, const struct settings *set, const char *password, char **hash)
{
	return hash_in_place(a, set, password, true, hash);
}

enum password_result
password_check(struct arena *a, const struct settings *set, const char *hash, const char *password, bool known)
{
	enum password_result result;
	char *unused;
	int place;

	if (hash == NULL) {
		result = hash_in_place(a, set, password, known, &unused);
		return result == PASSWORD_OK ? PASSWORD_WRONG : result;
	}
	if (!start_sodium() || (place = take_place(a, set, known)) < 0)
		return PASSWORD_BUSY;
	errno = 0;
	result = crypto_pwhash_str_verify(hash, password, strlen(password)) == 0 ? PASSWORD_OK :
	    errno == ENOMEM ? PASSWORD_BUSY : PASSWORD_WRONG;
	close(place);
	return result;
}

char *
password_of(struct db *db, struct arena *a, const char *account)
{
	struct stmt *q = db_use(db, &q_of);

	bind_text(q, ":account", account);
	return stmt_dup(q, a);
}

void
password_set(struct db *db, const char *account, const char *hash)
{
	struct stmt *q = db_use(db, &q_set);

	bind_text(q, ":account", account);
	bind_text(q, ":hash", hash);
	bind_int(q, ":now", time_now());
	stmt_run(q);
}
