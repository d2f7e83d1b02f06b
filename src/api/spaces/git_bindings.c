/*
 * Bindings: a binding keeps a space in sync with a branch of a git repository. Tables git_binding,
 * git_delivery, schedule. The job that synchronizes both is called a run (sync/git_jobs.h).
 *
 * The hook is an address that the repository's host calls after a push. It contains the binding's
 * id. Each call is signed with the hook's secret, which answers show once: when the binding is
 * created or the secret renewed.
 *
 *   github   X-Hub-Signature-256: sha256=HMAC(secret, body)
 *   gitea    X-Gitea-Signature: HMAC(secret, body)
 *   gitlab   X-Gitlab-Token: secret
 *   plain    X-Octavo-Timestamp: seconds; X-Octavo-Signature: HMAC(secret, timestamp "." body)
 *
 * HMAC() above is HMAC-SHA-256, written in hexadecimal digits. A second call with the signature of an
 * accepted one is refused (409); a plain call is also refused if its time differs from the clock by more
 * than five minutes. A call only queues a run. Of its body, only the branch is used: a call for
 * another branch queues no run.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "api/audit_events.h"
#include "api/git_bindings.h"
#include "api/git_operations.h"
#include "api/wake_runner.h"
#include "app/audit.h"
#include "app/git_binding.h"
#include "base/secret.h"
#include "git/credentials.h"
#include "git/git.h"
#include "http/req.h"

/*
 * HOOK_AGE: how much the clocks of the two hosts may differ, and so how long an intercepted call
 * stays valid.
 */
enum { MINUTE = 60000, HOOK_AGE = 5 * MINUTE };
/*
 * Signatures of github and gitea contain no time, so an old call would stay valid forever. The
 * digests of accepted calls are stored to refuse repetitions, and deleted after this time.
 */
#define DELIVERY_KEPT (90 * DAY_MS)

static const struct shape Hook = { "GitHook", (const struct field[]){
	{ "url", T_TEXT, F_REQ, .doc = "Address that the host of the repository calls after a push",
	  .example = "https://docs.example.com/v1/git/hooks/4hZk0PzqZ1vWc2Xn5tYb8m" },
	{ "secret", T_TEXT, .doc = "Secret that signs calls; shown only once", .example = "oct_3nHc9sWm" },
	{ 0 } } };
const struct shape GitBinding = { "GitBinding", (const struct field[]){
	{ "url", T_TEXT, F_REQ, .doc = "Address of the repository, without credentials",
	  .example = "https://git.example.com/acme/docs.git" },
	{ "ref", T_TEXT, F_REQ, .doc = "The branch", .example = "refs/heads/main" },
	{ "repoProjectDirectory", T_TEXT, F_REQ, .doc = "Folder that holds the content", .example = "docs" },
	{ "repoTreeURL", T_TEXT, .doc = "Prefix of addresses of files in the repository",
	  .example = "https://git.example.com/acme/docs/blob/main" },
	{ "repoCommitURL", T_TEXT, .doc = "Prefix of addresses of commits",
	  .example = "https://git.example.com/acme/docs/commit" },
	{ "provider", T_ENUM, F_REQ, .set = "github,gitlab,gitea,plain", .doc = "How the host signs calls of the webhook" },
	{ "credentials", T_BOOL, F_REQ, .doc = "true: a user name or a password is stored" },
	{ "message", T_TEXT, F_REQ, .doc = "Template of commit messages", .example = GIT_MESSAGE },
	{ "minutes", T_INT, F_REQ, .doc = "Minutes between two checks of the repository", .example = "15" },
	{ "hook", T_OBJECT, F_REQ, .of = &Hook, .doc = "Webhook that the host of the repository calls" },
	{ "state", T_ENUM, F_REQ, .set = "new,synchronized,conflict,waiting,failing",
	  .doc = "`conflict`: a change request must be merged or archived first; `waiting`: something else prevents the next run; "
	  "`failing`: the last run failed, and will be repeated" },
	{ "reason", T_TEXT, .doc = "What prevents the next run, and what to do", .example = "the space is locked: unlock it to go on" },
	{ "changeRequest", T_TEXT, .doc = "Id of the change request that must be merged or archived", .example = "aRequestOfTheManual22" },
	{ "failures", T_INT, F_REQ, .doc = "Number of failed runs since the last success", .example = "0" },
	{ "checkedAt", T_TIME, .doc = "When the last run ended" },
	{ "createdAt", T_TIME, F_REQ, .doc = "When it was created" },
	{ 0 } } };
/*
 * A PUT replaces the whole binding: absent members get their defaults. Only credentials and the
 * hook's secret stay.
 */
const struct shape GitBindingPut = { "GitBindingPut", (const struct field[]){
	{ "url", T_TEXT, F_REQ, .min = 1, .max = 4096,
	  .doc = "Address of the repository, with or without credentials, which are stored encrypted. Without credentials: those of the "
	  "previous binding, if its address is the same", .example = "https://git.example.com/acme/docs.git" },
	{ "ref", T_TEXT, F_REQ, .min = 1, .max = 250, .doc = "refs/heads/BRANCH", .example = "refs/heads/main" },
	{ "repoProjectDirectory", T_TEXT, .max = 1024, .doc = "Folder that holds the content", .example = "docs" },
	{ "repoTreeURL", T_URI, .max = 2048, .doc = "Prefix of addresses of files in the repository",
	  .example = "https://git.example.com/acme/docs/blob/main" },
	{ "repoCommitURL", T_URI, .max = 2048, .doc = "Prefix of addresses of commits",
	  .example = "https://git.example.com/acme/docs/commit" },
	{ "provider", T_ENUM, .set = "github,gitlab,gitea,plain", .preset = "\"plain\"", .doc = "How the host signs calls of the webhook" },
	{ "message", T_TEXT, .min = 1, .max = 1000,
	  .doc = "Template of commit messages, with {change_request_number} and {change_request_subject}",
	  .example = GIT_MESSAGE },
	{ "minutes", T_INT, .min = 1, .max = GIT_MINUTES_MOST, .preset = "15", .doc = "Minutes between two checks of the repository",
	  .example = "15" },
	{ "renewSecret", T_BOOL, .doc = "true: makes a new secret for the webhook; a new binding always gets a new secret" },
	{ 0 } } };

/*
 * write_binding() reads the columns by number. waiting: the open change request of a sync with conflicts
 * (sync/git_jobs.h); NULL if it was merged or archived since.
 */
#define BINDING_COLS \
	"b.id, b.url, b.ref, b.project_dir, b.provider, b.secret, b.message, b.every, b.state, b.reason, b.failures, " \
	"b.checked_at, b.created_at, b.hook, (SELECT c.id FROM git_sync g JOIN change_request c ON c.id = g.waiting " \
	"AND c.status IN ('draft', 'open') WHERE g.space = b.space) AS waiting, b.tree_url, b.commit_url"
SQL(q_binding, "SELECT " BINDING_COLS " FROM git_binding b WHERE b.space = :space");
/* Finds a binding by its id alone, since the hook's address contains no space id. A deleted space has no hook. */
SQL(q_hook,
    "SELECT b.space, b.ref, b.provider, b.hook FROM git_binding b JOIN space s ON s.id = b.space "
    "WHERE b.id = :id AND s.deleted_at IS NULL");
SQL(q_old_deliveries, "DELETE FROM git_delivery WHERE at < :at");
/*
 * Returns a row only if the digest is new. Testing and inserting are one statement, so that only
 * one of two simultaneous deliveries of a call is accepted.
 */
SQL(q_deliver,
    "INSERT INTO git_delivery (binding, mark, at) VALUES (:id, :mark, :now) ON CONFLICT (binding, mark) DO NOTHING "
    "RETURNING 1");

/* ---- reading ---- */

/* Writes the binding. secret: the hook's secret in clear, if this request made it; NULL: the answer omits it. */
static void
write_binding(struct req *r, struct stmt *q, const char *secret)
{
	struct json *j = &r->json;

	json_obj(j);
	json_kstr(j, "url", col_text(q, 1));
	json_kstr(j, "ref", col_text(q, 2));
	json_kstr(j, "repoProjectDirectory", col_text(q, 3));
	if (!col_null(q, 15))
		json_kstr(j, "repoTreeURL", col_text(q, 15));
	if (!col_null(q, 16))
		json_kstr(j, "repoCommitURL", col_text(q, 16));
	json_kstr(j, "provider", col_text(q, 4));
	/*
	 * Shows whether credentials are stored, never their value (docs/design/security.md, "S19").
	 */
	json_kbool(j, "credentials", !col_null(q, 5));
	json_kstr(j, "message", col_text(q, 6));
	json_kint(j, "minutes", col_int(q, 7) / MINUTE);
	json_kobj(j, "hook");
	json_kstr(j, "url", arena_printf(r->arena, "%s/v1/git/hooks/%s", r->set->url, col_text(q, 0)));
	if (secret != NULL)
		json_kstr(j, "secret", secret);
	json_end(j);
	json_kstr(j, "state", col_text(q, 8));
	if (!col_null(q, 9))
		json_kstr(j, "reason", col_text(q, 9));
	if (!col_null(q, 14))
		json_kstr(j, "changeRequest", col_text(q, 14));
	json_kint(j, "failures", col_int(q, 10));
	if (!col_null(q, 11)) {
		json_key(j, "checkedAt");
		json_time(j, col_int(q, 11));
	}
	json_key(j, "createdAt");
	json_time(j, col_int(q, 12));
	json_end(j);
}

/* Returns the binding of the path's space; NULL if there is none. The row is valid until the next use of q_binding. */
static struct stmt *
find_binding(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_binding);

	bind_text(q, ":space", r->space.id);
	return stmt_step(q) ? q : NULL;
}

/* GET /spaces/{spaceId}/git/binding */
HANDLER(getGitBinding)
{
	struct stmt *q = find_binding(r);

	if (q == NULL)
		return fail(r, E_NOT_FOUND, "the space is bound to no repository");
	write_binding(r, q, NULL);
	return 0;
}

/* ---- creating ---- */

/*
 * At most one run waits in the queue (app/git_binding.h), so many hook calls in a row cause one
 * run. The runner is woken after the answer, when the job is committed.
 */
static void
queue_run(struct req *r, const char *space, const char *user)
{
	git_binding_queue_run(r->db, r->arena, space, user);
	r->after = wake_runner;
}

/* Returns the sealed secret of the hook: the present one or a new one. *shown becomes a new one in clear, else NULL. */
static struct str
hook_secret(struct req *r, struct stmt *was, const char **shown)
{
	if (was != NULL && !body_bool(r, "renewSecret", false)) {
		*shown = NULL;
		return (struct str){ arena_strndup(r->arena, col_bytes(was, 13).p, col_bytes(was, 13).n), col_bytes(was, 13).n };
	}
	*shown = secret_token(r->arena);
	return credentials_seal(r->arena, NULL, *shown);
}

static const char *
text_or_default(struct req *r, const char *name, const char *fallback)
{
	const char *text = body_text(r, name);

	return text != NULL ? text : fallback;
}

/* Returns the interval of runs in milliseconds. The shape limits it to a week. */
static int64_t
run_interval(struct req *r)
{
	const cJSON *v = body_get(r, "minutes");

	return (cJSON_IsNumber(v) ? (int64_t)v->valuedouble : GIT_MINUTES) * MINUTE;
}

/* PUT /spaces/{spaceId}/git/binding: creates or replaces it, and queues a run. */
HANDLER(putGitBinding)
{
	const char *clean, *shown;
	struct str secret, hook;

	if (git_source_or_fail(r, &clean, &secret) != 0)
		return -1;
	/* The secret is read before git_binding_put() replaces the row. */
	hook = hook_secret(r, find_binding(r), &shown);
	git_binding_put(r->db, r->arena, &(struct git_binding){ .space = r->space.id, .url = clean,
	    .ref = body_text(r, "ref"), .dir = text_or_default(r, "repoProjectDirectory", ""),
	    .provider = text_or_default(r, "provider", "plain"), .tree_url = body_text(r, "repoTreeURL"),
	    .commit_url = body_text(r, "repoCommitURL"), .message = text_or_default(r, "message", GIT_MESSAGE),
	    .user = r->who.user, .secret = secret, .hook = hook, .every = run_interval(r) });
	queue_run(r, r->space.id, r->who.user);
	audit(r, &(struct audit_event){ .action = AUDIT_SPACE_BIND, .org = r->space.org, .type = "space",
	    .target = r->space.id, .after = arena_printf(r->arena, "{\"url\":%s}",
	    cJSON_PrintUnformatted(cJSON_CreateString(clean))) });
	write_binding(r, find_binding(r), shown);
	return 0;
}

/* DELETE /spaces/{spaceId}/git/binding */
HANDLER(deleteGitBinding)
{
	if (git_binding_drop(r->db, r->arena, r->space.id))
		audit(r, &(struct audit_event){ .action = AUDIT_SPACE_UNBIND, .org = r->space.org, .type = "space",
		    .target = r->space.id });
	return reply_empty(r);
}

/* POST /spaces/{spaceId}/git/binding/run */
HANDLER(runGitBinding)
{
	if (find_binding(r) == NULL)
		return fail(r, E_NOT_FOUND, "the space is bound to no repository");
	queue_run(r, r->space.id, r->who.user);
	return reply_empty(r);
}

/* ---- the hook ---- */

/* Returns the value of a header by its CGI variable; "" if the header is missing, which is never a valid signature. */
static const char *
cgi_header(struct req *r, const char *name)
{
	const char *v = r->io->param(r->io, name);

	return v == NULL ? "" : v;
}

/* Removes the prefix "sha256=", which github writes and other hosts may write. */
static const char *
bare_mac(const char *given)
{
	return given + (strncmp(given, "sha256=", 7) == 0 ? 7 : 0);
}

/*
 * Verifies an HMAC. It compares in constant time (secret_same()): otherwise the time would reveal
 * how much of a forged signature is right.
 */
static bool
is_valid_mac(struct req *r, const char *secret, struct str bytes, const char *given)
{
	return secret_same(secret_hmac(r->arena, str_of(secret), bytes), bare_mac(given));
}

/*
 * Verifies a plain call. Its signature covers the time, so that nobody can send an intercepted call
 * with a later time.
 */
static bool
is_valid_plain_call(struct req *r, const char *secret)
{
	const char *at = cgi_header(r, "HTTP_X_OCTAVO_TIMESTAMP");
	size_t n = strlen(at);
	struct buf b;

	/* Only digits are allowed, and so few that the milliseconds fit into 64 bits. */
	if (n == 0 || n > 12 || strspn(at, "0123456789") != n || llabs(time_now() - strtoll(at, NULL, 10) * 1000) > HOOK_AGE)
		return false;
	buf_init(&b, r->arena, r->raw_body.n + 64);
	buf_printf(&b, "%s.", at);
	buf_put(&b, r->raw_body);
	return is_valid_mac(r, secret, buf_view(&b), cgi_header(r, "HTTP_X_OCTAVO_SIGNATURE"));
}

/*
 * Verifies the signature of raw_body, the bytes as received: another spelling of the same JSON has
 * another signature.
 */
static bool
is_signed(struct req *r, const char *provider, const char *secret)
{
	if (strcmp(provider, "github") == 0)
		return is_valid_mac(r, secret, r->raw_body, cgi_header(r, "HTTP_X_HUB_SIGNATURE_256"));
	if (strcmp(provider, "gitea") == 0)
		return is_valid_mac(r, secret, r->raw_body, cgi_header(r, "HTTP_X_GITEA_SIGNATURE"));
	if (strcmp(provider, "gitlab") == 0)
		/*
		 * GitLab sends the secret itself and signs nothing: only TLS protects the secret
		 * and the body.
		 */
		return secret_same(secret, cgi_header(r, "HTTP_X_GITLAB_TOKEN"));
	return is_valid_plain_call(r, secret);
}

/*
 * True if the call was accepted before. A call is identified by what its signature covers, which a
 * replay cannot change.
 */
static bool
is_replay(struct req *r, const char *id, const char *provider)
{
	/*
	 * The bodies of plain calls are often equal ("{}"). Their signatures differ, since these
	 * cover the time.
	 */
	const char *extra = strcmp(provider, "plain") == 0 ? bare_mac(cgi_header(r, "HTTP_X_OCTAVO_SIGNATURE")) : "";
	struct stmt *q = db_use(r->db, &q_old_deliveries);

	bind_int(q, ":at", time_now() - DELIVERY_KEPT);
	stmt_run(q);
	q = db_use(r->db, &q_deliver);
	bind_text(q, ":id", id);
	bind_blob(q, ":mark", hash_of(r->arena, str_of(arena_printf(r->arena, "%s\n%s", extra,
	    hex(r->arena, hash_of(r->arena, r->raw_body))))));
	bind_int(q, ":now", time_now());
	return !stmt_step(q);
}

/* POST /git/hooks/{gitHookId} */
HANDLER(receiveGitHook)
{
	struct stmt *q = db_use(r->db, &q_hook);
	const char *user, *secret, *space, *ref, *provider, *id = path_id(r, "gitHookId");
	const cJSON *pushed = body_get(r, "ref");

	bind_text(q, ":id", id);
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "there is no hook at this address");
	/* Copied: is_replay() runs statements before they are used. */
	space = col_dup(q, 0, r->arena);
	ref = col_dup(q, 1, r->arena);
	provider = col_dup(q, 2, r->arena);
	if (!credentials_unseal(r->arena, col_bytes(q, 3), &user, &secret) || secret == NULL ||
	    !is_signed(r, provider, secret))
		return fail(r, E_FORBIDDEN, "the call is not signed with the secret of this hook");
	if (is_replay(r, id, provider))
		return fail(r, E_CONFLICT, "this call was already accepted");
	/*
	 * A call without a branch (a test call of the host, or a plain call) queues a run, too: a
	 * run without changes does nothing. user is NULL, since no user of Octavo requested the
	 * run.
	 */
	if (!cJSON_IsString(pushed) || strcmp(pushed->valuestring, ref) == 0)
		queue_run(r, space, NULL);
	return reply_empty(r);
}
