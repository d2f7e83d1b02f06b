/* The provider's addresses and keys. Contract: oidc/provider.h. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/address.h"
#include "base/file.h"
#include "base/json.h"
#include "base/kept.h"
#include "base/scan.h"
#include "base/secret.h"
#include "oidc/provider.h"

/* FOLDER_MOST: maximum number of files in each folder of the cache; each provider has two. */
enum { FOLDER_MOST = 256 };

static const struct json_limits limits = { 20000, 16 };

bool
oidc_fail(struct oidc_run *run, enum oidc_failure failure, const char *fmt, ...)
{
	va_list ap;

	if (run->failure != 0)
		return false;
	run->failure = failure;
	va_start(ap, fmt);
	run->message = arena_vprintf(run->arena, fmt, ap);
	va_end(ap);
	return false;
}

struct cJSON *
oidc_object(struct oidc_run *run, struct str text, const char *what)
{
	bool large;
	cJSON *v = json_scan(run->arena, text, &limits, &large) == NULL ? cJSON_ParseWithLength(text.p, text.n) : NULL;

	if (cJSON_IsObject(v) && !json_repeats(v))
		return v;
	oidc_fail(run, OIDC_DOWN, "the provider's %s is no JSON object", what);
	return NULL;
}

/* ---- requests ---- */

/* Scheme, host and port of an address: the text up to the path. */
static struct str
origin_of(const char *url)
{
	const char *host = strstr(url, "://");

	return (struct str){ url, host == NULL ? 0 : (size_t)(host + 3 - url) + strcspn(host + 3, "/?#") };
}

/* True if the host of an address is that of the issuer, on any port. */
static bool
is_own_host(const struct oidc_run *run, const char *url)
{
	const char *a = strstr(run->issuer, "://"), *b = strstr(url, "://");
	size_t n = a == NULL ? 0 : strcspn(a + 3, ":/?#");

	/* An IPv6 address contains colons inside its brackets. */
	if (n > 0 && a[3] == '[')
		n = strcspn(a + 3, "]") + 1;
	return n > 0 && b != NULL && strncasecmp(a + 3, b + 3, n) == 0 && strchr(":/?#", b[3 + n]) != NULL;
}

/*
 * Makes the request. The answer is written to memory (a file without a name), because tokens in it
 * must not be written to a disk.
 */
bool
oidc_request(struct oidc_run *run, struct fetch_request *q, struct str *body, int *status)
{
	int64_t left = run->until - time_steady();
	int fd = memfd_create("answer", MFD_CLOEXEC);
	struct fetch_result result = { 0 };
	char *file = arena_printf(run->arena, "/proc/self/fd/%d", fd);
	bool read;

	q->file = file;
	q->accept = "application/json";
	q->private_first = run->private_hosts && is_own_host(run, q->url);
	q->seconds = left >= 1000 ? (int)(left / 1000) : 1;
	q->patience = OIDC_SECONDS;
	q->bytes = OIDC_BYTES;
	if (fd < 0 || left <= 0)
		result.message = "there is no time left";
	else
		result = fetch(run->arena, q);
	read = fd >= 0 && file_read(run->arena, file, body);
	if (fd >= 0)
		close(fd);
	*status = result.http;
	/* Answers with 400 to 499 are read, too: they say what the provider refuses. */
	if (read && (result.status == FETCH_DONE || (result.status == FETCH_FAILED && result.http >= 400 && result.http < 500)) &&
	    result.http != 0)
		return true;
	return oidc_fail(run, OIDC_DOWN, "the provider does not answer: %s",
	    result.message != NULL ? result.message : "its answer is no text");
}

/* ---- the cache ---- */

/*
 * The key differs for the installation and for organizations: an organization must not get an
 * answer that was fetched from a private address.
 */
static char *
cache_key(struct oidc_run *run, const char *kind, const char *url)
{
	return hex(run->arena, hash_of(run->arena, str_of(arena_printf(run->arena, "%s %d %s", kind, run->private_hosts, url))));
}

/* An entry begins with the time at which it was made. False if there is no entry from the last `age` ms. */
static bool
recall_text(struct oidc_run *run, const char *kind, const char *url, int64_t age, struct str *out)
{
	struct str kept;
	char *end;
	long long made;

	if (*run->dir == '\0' || !kept_get(run->arena, run->dir, "oidc", cache_key(run, kind, url), &kept))
		return false;
	made = strtoll(kept.p, &end, 10);
	if (*end != '\n' || made > run->now || run->now - made >= age)
		return false;
	*out = str_slice(kept, (size_t)(end + 1 - kept.p), kept.n);
	return true;
}

static void
keep_text(struct oidc_run *run, const char *kind, const char *url, struct str text)
{
	const char *entry = arena_printf(run->arena, "%lld\n%.*s", (long long)run->now, (int)text.n, text.p);

	if (*run->dir != '\0')
		kept_put(run->arena, run->dir, "oidc", cache_key(run, kind, url), str_of(entry), FOLDER_MOST);
}

/*
 * Fetches a text that the provider publishes. A failure is remembered. A text is not cached here:
 * the caller does so after it was able to parse the text.
 */
static bool
fetch_text(struct oidc_run *run, const char *url, const char *what, struct str *out)
{
	struct fetch_request q = { .url = url };
	struct str why;
	int status;

	if (recall_text(run, "down", url, OIDC_DOWN_MS, &why))
		return oidc_fail(run, OIDC_DOWN, "%.*s", (int)why.n, why.p);
	if (oidc_request(run, &q, out, &status) && status < 300)
		return true;
	oidc_fail(run, OIDC_DOWN, "the provider answers with status %d when asked for its %s", status, what);
	keep_text(run, "down", url, str_of(run->message));
	return false;
}

/* ---- the description ---- */

/* Reads an address from the description; false if it is missing or not allowed. */
static bool
read_address(struct oidc_run *run, const cJSON *v, const char *name, const char **out)
{
	const char *url = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(v, name)), *why;

	if (url == NULL)
		return oidc_fail(run, OIDC_SETUP, "the provider names no %s", name);
	why = address_refuse_url(run->arena, url, true);
	/* http is allowed only if the issuer is http, too, and at its host. */
	if (why == NULL && strncmp(url, "https://", 8) != 0 &&
	    (strncmp(run->issuer, "http://", 7) != 0 || !is_own_host(run, url)))
		why = "it is not https";
	if (why == NULL && strchr(url, '#') != NULL)
		why = "it has a fragment";
	if (why != NULL)
		return oidc_fail(run, OIDC_SETUP, "the provider's %s is refused: %s", name, why);
	*out = arena_strdup(run->arena, url);
	return true;
}

/* True if the word is in the list. preset: the result if there is no list. */
static bool
list_has(const cJSON *v, const char *name, const char *word, bool preset)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(v, name), *one;

	if (!cJSON_IsArray(list))
		return preset;
	cJSON_ArrayForEach(one, list)
		if (cJSON_IsString(one) && strcmp(one->valuestring, word) == 0)
			return true;
	return false;
}

/* Chooses how the client authenticates (Discovery 1.0, section 3: the default is client_secret_basic). */
static bool
read_client_auth(struct oidc_run *run, const cJSON *v, struct oidc_provider *out)
{
	static const char list[] = "token_endpoint_auth_methods_supported";

	out->basic = list_has(v, list, "client_secret_basic", true);
	if (*run->secret == '\0' || out->basic || list_has(v, list, "client_secret_post", false))
		return true;
	return oidc_fail(run, OIDC_SETUP, "the provider takes the client's secret neither by client_secret_basic nor by client_secret_post");
}

bool
oidc_read_provider(struct oidc_run *run, struct str text, struct oidc_provider *out)
{
	static const char algs[] = "id_token_signing_alg_values_supported";
	cJSON *v = oidc_object(run, text, "description");
	const char *issuer = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(v, "issuer"));

	*out = (struct oidc_provider){ 0 };
	if (v == NULL)
		return false;
	/*
	 * The issuer must be equal byte by byte (Discovery 1.0, section 4.3): otherwise a provider
	 * could sign in persons in the name of another one.
	 */
	if (issuer == NULL || strcmp(issuer, run->issuer) != 0)
		return oidc_fail(run, OIDC_SETUP, "the provider calls itself \"%.200s\", and %s is \"%s\": they must be the same, "
		    "to the last slash", issuer != NULL ? issuer : "", run->of_org ? "the issuer of the settings" : "OCTAVO_OIDC_ISSUER", run->issuer);
	out->algorithms = (list_has(v, algs, "RS256", true) ? OIDC_RS256 : 0) | (list_has(v, algs, "PS256", false) ? OIDC_PS256 : 0) |
	    (list_has(v, algs, "ES256", false) ? OIDC_ES256 : 0);
	if (out->algorithms == 0)
		return oidc_fail(run, OIDC_SETUP, "the provider signs with none of RS256, PS256 and ES256");
	out->sends_issuer = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(v, "authorization_response_iss_parameter_supported"));
	if (cJSON_GetObjectItemCaseSensitive(v, "userinfo_endpoint") != NULL &&
	    !read_address(run, v, "userinfo_endpoint", &out->userinfo))
		return false;
	return read_address(run, v, "authorization_endpoint", &out->authorization) &&
	    read_address(run, v, "token_endpoint", &out->token) && read_address(run, v, "jwks_uri", &out->keys) &&
	    read_client_auth(run, v, out);
}

bool
oidc_find_provider(struct oidc_run *run, struct oidc_provider *out)
{
	size_t n = strlen(run->issuer);
	struct str text;
	const char *url;

	/* In this address alone, a slash at the end of the issuer is removed (Discovery 1.0, section 4.1). */
	while (n > origin_of(run->issuer).n && run->issuer[n - 1] == '/')
		n--;
	url = arena_printf(run->arena, "%.*s/.well-known/openid-configuration", (int)n, run->issuer);
	if (recall_text(run, "provider", url, OIDC_CACHE_MS, &text))
		return oidc_read_provider(run, text, out);
	if (!fetch_text(run, url, "description", &text) || !oidc_read_provider(run, text, out))
		return false;
	keep_text(run, "provider", url, text);
	return true;
}

bool
oidc_find_keys(struct oidc_run *run, const struct oidc_provider *p, bool fresh, struct str *out)
{
	if (!fresh && recall_text(run, "keys", p->keys, OIDC_CACHE_MS, out))
		return true;
	if (!fetch_text(run, p->keys, "keys", out) || oidc_object(run, *out, "list of keys") == NULL)
		return false;
	keep_text(run, "keys", p->keys, *out);
	return true;
}
