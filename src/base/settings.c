/*
 * Reads settings from the web server's parameters or the environment, each with its range.
 * Contract: base/settings.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/address.h"
#include "base/settings.h"

/*
 * Upper limits: larger values are mistakes, and within them no computation overflows. A week, a
 * year and a century; 2^50 bytes; a thousand processes.
 */
enum { SECONDS_MOST = 7 * 86400, HOURS_MOST = 8784, DAYS_MOST = 36525, COUNT_MOST = 1000000000,
       PROCESSES_MOST = 1000, WORKERS_MOST = 10000 };
static const int64_t BYTES_MOST = INT64_C(1) << 50;

struct reader {
	struct arena *arena;
	const char *(*get)(void *, const char *);
	void         *ctx;
	const char   *error;
};

/* A final slash is removed, so that paths and addresses can be joined with one; "/" itself stays. */
static const char *
text_setting(struct reader *r, const char *name, const char *preset)
{
	const char *v = r->get(r->ctx, name);
	size_t n;

	if (v == NULL)
		return preset;
	n = strlen(v);
	while (n > 1 && v[n - 1] == '/')
		n--;
	return arena_strndup(r->arena, v, n);
}

/* The value unchanged: ids and secrets that others chose may end with a slash. */
static const char *
exact_setting(struct reader *r, const char *name)
{
	const char *v = r->get(r->ctx, name);

	return v == NULL ? "" : arena_strdup(r->arena, v);
}

/*
 * The issuer of the OpenID provider, byte by byte as its tokens contain it. Without TLS, anybody on
 * the network path could act as the provider, so http is accepted only for this machine.
 */
static const char *
issuer_setting(struct reader *r)
{
	const char *v = exact_setting(r, "OCTAVO_OIDC_ISSUER"), *host, *wrong = NULL;

	if (*v == '\0')
		return v;
	host = strncmp(v, "http://", 7) == 0 ? arena_strndup(r->arena, v + 7, strcspn(v + 7, ":/")) : NULL;
	if (host != NULL ? !address_is_localhost(host) && strcmp(host, "127.0.0.1") != 0 : strncmp(v, "https://", 8) != 0)
		wrong = "does not begin with https:// (http:// is for a provider on this machine)";
	else if (strpbrk(v, "?#") != NULL)
		wrong = "has a query or a fragment, which no issuer has";
	else
		wrong = address_refuse_url(r->arena, v, true);
	if (wrong != NULL)
		r->error = arena_printf(r->arena, "OCTAVO_OIDC_ISSUER: \"%s\" %s", v, wrong);
	return v;
}

/* The address from which all addresses for clients are built. */
static const char *
base_address(struct reader *r)
{
	const char *v = text_setting(r, "OCTAVO_URL", ""), *preset = "http://localhost:8080";

	if (*v == '\0')
		return preset;
	if (strncmp(v, "https://", 8) != 0 && strncmp(v, "http://", 7) != 0) {
		r->error = arena_printf(r->arena, "OCTAVO_URL: \"%s\" does not begin with https:// or http://", v);
		return preset;
	}
	return v;
}

/* A setting whose value is one of two words; the first is the default. */
static const char *
choice_setting(struct reader *r, const char *name, const char *preset, const char *other)
{
	const char *v = text_setting(r, name, preset);

	if (*v == '\0')
		return preset;
	if (strcmp(v, preset) != 0 && strcmp(v, other) != 0)
		r->error = arena_printf(r->arena, "%s: \"%s\" is neither %s nor %s", name, v, preset, other);
	return v;
}

/* An empty value means the default, too: web servers pass unset variables as "". */
static int64_t
number_setting(struct reader *r, const char *name, int64_t preset, int64_t least, int64_t most)
{
	const char *v = r->get(r->ctx, name);
	char *end;
	long long n;

	if (v == NULL || *v == '\0')
		return preset;
	errno = 0;
	n = strtoll(v, &end, 10);
	if (errno != 0 || *end != '\0' || n < least || n > most) {
		r->error = arena_printf(r->arena, "%s: \"%s\" is not a whole number from %lld to %lld",
		    name, v, (long long)least, (long long)most);
		return preset;
	}
	return n;
}

/* The number of workers. The programs that start the workers check the setting; here an invalid value is read as 2. */
static int
read_workers(struct reader *r)
{
	const char *text = text_setting(r, "OCTAVO_WORKERS", text_setting(r, "OCTAVO_POOL", ""));
	long n = strtol(text, NULL, 10);

	return n < 1 || n > WORKERS_MOST ? 2 : (int)n;
}

static void
read_sign_in(struct reader *r, struct settings *s)
{
	s->workers = read_workers(r);
	s->session_idle = (int)number_setting(r, "OCTAVO_SESSION_IDLE", 168, 1, HOURS_MOST);
	s->session_days = (int)number_setting(r, "OCTAVO_SESSION_DAYS", 30, 1, 366);
	s->password_memory = number_setting(r, "OCTAVO_PASSWORD_MEMORY", 256, 64, 1 << 20);
	s->sendmail = text_setting(r, "OCTAVO_SENDMAIL", "");
	s->oidc_issuer = issuer_setting(r);
	s->oidc_client = exact_setting(r, "OCTAVO_OIDC_CLIENT");
	s->oidc_secret = exact_setting(r, "OCTAVO_OIDC_SECRET");
	s->oidc_name = exact_setting(r, "OCTAVO_OIDC_NAME");
	if ((*s->oidc_issuer == '\0') != (*s->oidc_client == '\0'))
		r->error = "OCTAVO_OIDC_ISSUER and OCTAVO_OIDC_CLIENT need each other: set both or none";
}

struct settings *
settings_read(struct arena *a, const char *(*get)(void *, const char *), void *ctx,
    const char **error)
{
	struct reader r = { a, get, ctx, NULL };
	struct settings *s = arena_alloc(a, sizeof(*s));
	const char *bad;

	s->dir = text_setting(&r, "OCTAVO_DIR", "/var/lib/octavo");
	s->url = base_address(&r);
	s->cors = text_setting(&r, "OCTAVO_CORS", "*");
	s->proxies = text_setting(&r, "OCTAVO_PROXIES", "");
	if ((bad = address_list_fault(a, s->proxies)) != NULL)
		r.error = arena_printf(a, "OCTAVO_PROXIES: \"%s\" is neither an address nor ADDRESS/BITS", bad);
	/* 10 MiB: docs/design/requests.md, "Limits". */
	s->max_body = number_setting(&r, "OCTAVO_MAX_BODY", 10 << 20, 1024, BYTES_MOST);
	s->request_seconds = number_setting(&r, "OCTAVO_REQUEST_SECONDS", SETTINGS_REQUEST_SECONDS, 1, SECONDS_MOST);
	s->work = number_setting(&r, "OCTAVO_WORK", 50, 0, 100);
	s->relaxed = strcmp(choice_setting(&r, "OCTAVO_SYNC", "full", "normal"), "normal") == 0;
	s->access_log = text_setting(&r, "OCTAVO_ACCESS_LOG", "");
	s->app = number_setting(&r, "OCTAVO_APP", 1, 0, 1) != 0;
	s->self_check = number_setting(&r, "OCTAVO_SELFCHECK", 0, 0, COUNT_MOST) != 0;
	s->jobs = text_setting(&r, "OCTAVO_JOBS", "");
	s->job_processes = number_setting(&r, "OCTAVO_JOB_PROCESSES", 3, 1, PROCESSES_MOST);
	s->job_remote = number_setting(&r, "OCTAVO_JOB_REMOTE", 4, 1, PROCESSES_MOST);
	s->job_long = number_setting(&r, "OCTAVO_JOB_LONG", 2, 1, PROCESSES_MOST);
	s->least_rate = number_setting(&r, "OCTAVO_LEAST_RATE", 1024, 0, COUNT_MOST);
	s->patience = (int)number_setting(&r, "OCTAVO_PATIENCE", 60, 1, SECONDS_MOST);
	s->git_root = text_setting(&r, "OCTAVO_GIT_ROOT", "");
	s->git_private = number_setting(&r, "OCTAVO_GIT_PRIVATE", 0, 0, COUNT_MOST) != 0;
	s->git_seconds = (int)number_setting(&r, "OCTAVO_GIT_SECONDS", 600, 1, SECONDS_MOST);
	s->git_bytes = number_setting(&r, "OCTAVO_GIT_BYTES", (int64_t)2 << 30, 1024, BYTES_MOST);
	s->git_objects = number_setting(&r, "OCTAVO_GIT_OBJECTS", 5000000, 1, COUNT_MOST);
	s->git_memory = number_setting(&r, "OCTAVO_GIT_MEMORY", (int64_t)4 << 30, 64 << 20, BYTES_MOST);
	s->import_pages = number_setting(&r, "OCTAVO_IMPORT_PAGES", 50000, 1, COUNT_MOST);
	s->import_depth = number_setting(&r, "OCTAVO_IMPORT_DEPTH", 32, 1, COUNT_MOST);
	s->import_page_bytes = number_setting(&r, "OCTAVO_IMPORT_PAGE_BYTES", 8 << 20, 1024, BYTES_MOST);
	s->import_file_bytes = number_setting(&r, "OCTAVO_IMPORT_FILE_BYTES", 100 << 20, 1024, BYTES_MOST);
	s->import_uploads = number_setting(&r, "OCTAVO_IMPORT_UPLOADS", (int64_t)4 << 30, 0, BYTES_MOST);
	s->import_seconds = number_setting(&r, "OCTAVO_IMPORT_SECONDS", 1800, 1, SECONDS_MOST);
	s->analyse = text_setting(&r, "OCTAVO_ANALYSE", "");
	s->fetch_private = number_setting(&r, "OCTAVO_FETCH_PRIVATE", 0, 0, COUNT_MOST) != 0;
	s->fetch_seconds = (int)number_setting(&r, "OCTAVO_FETCH_SECONDS", 60, 1, SECONDS_MOST);
	s->fetch_bytes = number_setting(&r, "OCTAVO_FETCH_BYTES", 64 << 20, 1024, BYTES_MOST);
	s->openapi_hours = (int)number_setting(&r, "OCTAVO_OPENAPI_HOURS", 6, 1, HOURS_MOST);
	s->translate_seconds = (int)number_setting(&r, "OCTAVO_TRANSLATE_SECONDS", 300, 1, SECONDS_MOST);
	s->openapi_versions = number_setting(&r, "OCTAVO_OPENAPI_VERSIONS", 100, 1, COUNT_MOST);
	s->pdf_bytes = number_setting(&r, "OCTAVO_PDF_BYTES", (int64_t)1 << 30, 1 << 20, BYTES_MOST);
	s->pdf_paper = choice_setting(&r, "OCTAVO_PDF_PAPER", "a4", "letter");
	s->mermaid = text_setting(&r, "OCTAVO_MERMAID", "");
	s->pandoc = text_setting(&r, "OCTAVO_PANDOC", "/usr/bin/pandoc");
	s->pdf_font = text_setting(&r, "OCTAVO_PDF_FONT", "");
	s->purge_days = (int)number_setting(&r, "OCTAVO_PURGE_DAYS", 7, 0, DAYS_MOST);
	read_sign_in(&r, s);
	/* If several values are wrong, the last one is reported; the others follow once it is corrected. */
	if ((*error = r.error) != NULL)
		return NULL;
	return s;
}

static const char *
from_env(void *ctx, const char *name)
{
	(void)ctx;
	return getenv(name);
}

struct settings *
settings_env(struct arena *a, const char **error)
{
	return settings_read(a, from_env, NULL, error);
}

/*
 * The whole origin is compared byte by byte (RFC 6454 section 5): comparing a prefix or suffix
 * would also accept "https://example.com.evil.example".
 */
const char *
settings_cors(const struct settings *s, const char *origin)
{
	size_t n = origin == NULL ? 0 : strlen(origin), word;
	const char *p = s->cors;

	if (strcmp(p, "*") == 0)
		return p;
	for (p += strspn(p, " "); *p != '\0'; p += strspn(p, " ")) {
		word = strcspn(p, " ");
		if (word == n && memcmp(p, origin, n) == 0)
			return origin;
		p += word;
	}
	return NULL;
}

char *
settings_db(struct arena *a, const struct settings *s)
{
	return arena_printf(a, "%s/octavo.db", s->dir);
}
