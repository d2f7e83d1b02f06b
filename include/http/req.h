/*
 * struct req is a request, from its first byte to the log line. ARCHITECTURE.md, "The life of a
 * request", describes the steps (src/http/dispatch.c).
 *
 * A handler is `int operationId(struct req *r)`. It reads path_id(), and the query and the body,
 * which were checked against the route's shapes. It runs statements, and ends with reply_*() or
 * fail(). It never frees memory, begins or commits a transaction, checks a role, parses JSON or
 * prints a status. It returns 0 or the result of fail(). If fail() is called several times, the
 * first failure is answered.
 */
#ifndef OCTAVO_REQ_H
#define OCTAVO_REQ_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "db/db.h"
#include "base/json.h"
#include "base/role.h"
#include "base/settings.h"
#include "http/shape.h"
#include "base/str.h"

struct cJSON;
struct visit;
struct visit_item;

/* Functions that read a request and write its answer. Implementations: FastCGI, CGI, and memory (in tests). */
struct io {
	const char *(*param)(struct io *io, const char *name);  /* CGI variable, NULL if unset */
	/* Up to n bytes of the body; 0 at its end, -1 when the client went away. */
	long        (*read)(struct io *io, void *p, size_t n);
	bool        (*write)(struct io *io, const void *p, size_t n);
};

enum method { M_GET, M_POST, M_PUT, M_PATCH, M_DELETE, M_HEAD, M_OPTIONS, M_OTHER };

/*
 * How a route uses the database. RO, RW: in a read or write transaction. NO_DB: not at all. KEPT:
 * like RO, and the answer is cached (src/http/answers.h).
 */
enum mode { RO, RW, NO_DB, KEPT };

/* Expected failures; src/http/error.c maps them to statuses. */
enum error {
	E_NONE, E_BAD_REQUEST, E_UNAUTHORIZED, E_FORBIDDEN, E_NOT_FOUND, E_METHOD, E_TOO_LARGE,
	E_MEDIA_TYPE, E_CONFLICT, E_PRECONDITION, E_TOO_MANY, E_BUSY, E_INTERNAL, E_URI_TOO_LONG,
	E_MISDIRECTED
};

/*
 * Access rules of routes; one function checks them, check_access() in src/api/access_rules.c. SPACE_*
 * and COLLECTION_* require a role on {spaceId} or {collectionId}; ORG_*, MEMBER_* and TEAM_* a role in
 * {organizationId}. A rule that depends on the query or the body is checked twice: before they are
 * read (r->query and r->body are NULL), as far as the path allows, and afterwards completely.
 */
enum access {
	ANYONE = 1,      /* no token needed */
	OWN_PAGES,       /* no token needed, but requests from pages of other origins are refused, and answers have no CORS headers */
	USER,            /* any valid token */
	ORG_VIEW,        /* a member, guests included */
	ORG_LINK,        /* as ORG_VIEW, and also for members whose sign-in does not open the organization (note_shut_org()) */
	ORG_READ, ORG_CREATE, ORG_ADMIN,
	SPACE_SEE,       /* read; if the space is deleted: create, which is the role that may restore it */
	SPACE_WRITE,     /* review, or edit is enough if the body names a change request to write into */
	SPACE_READ, SPACE_COMMENT, SPACE_EDIT, SPACE_REVIEW, SPACE_CREATE,
	SPACE_DELETED,   /* create; also on a deleted space, since that role may restore it */
	REQUEST_OWN,     /* edit, or being the author of {changeRequestId} and read */
	COLLECTION_READ, COLLECTION_CREATE,
	MEMBER_VIEW,     /* ORG_READ, or {userId} is the caller and a guest */
	TEAM_VIEW,       /* {teamId} is a team of the organization, and the caller has ORG_READ or is a guest who owns the team */
	SITE_LIST,       /* read on at least one site of the organization; the token may have the scope read, as for SITE_SEE */
	SITE_SEE,        /* read on {siteId} of the organization */
	SITE_READ,       /* read on {siteId}, or on a space that it publishes: with the latter, the caller gets the site as visitors see it */
	SITE_CREATE,     /* create on it */
	TEAM_ADMIN,      /* an admin of the organization, or an owner of the team */
	PARENT_CREATE,   /* create on the collection that the body names as parent, otherwise in the organization */
	SELF,            /* {userId} is the caller */
	INVITE_MANAGE,   /* admin, or create on the target of the invite link: the caller may make such a link */
	INVITE_SECRET    /* knows the id of an active invite link; only members see an inactive one */
};

/*
 * Kinds of callers. A column of the route table says which kinds may use a route. Callers of other
 * kinds get 404, whatever rights they have.
 */
enum caller {
	BY_USERS = 1,       /* a user's token or session */
	BY_SITES = 2,       /* the token of a renderer for a published site */
	BY_VISITORS = 4,    /* a reader of a site, with or without signed claims */
	BY_SHARES = 8,      /* a caller with the key of a share link */
	BY_METRICS = 16,    /* the token of monitoring, for one route (http/metrics.h) */
	/*
	 * A flag that is combined with the others. Sessions that are valid for one organization
	 * only may also use the route, although its path names no organization; the handler then
	 * returns only data of r->who.only_org.
	 */
	BY_BOUND = 32,
	BY_ALL = BY_USERS | BY_SITES | BY_VISITORS | BY_SHARES
};

/*
 * Begins the definition of a handler, whose name is the operationId of its row in routes.def. The
 * table declares all of them (src/api/routes.c), so a handler without a row, or a row without a
 * handler, is an error of the linker.
 */
#define HANDLER(operationId) \
	int operationId(struct req *r); \
	int operationId(struct req *r)

struct route {
	enum method         method;
	const char         *path;       /* below /v1. "{name}" matches one segment, "{name...}" the rest of the path */
	const char         *operation;
	int               (*handler)(struct req *r);
	enum access         access;
	unsigned            callers;    /* bits of enum caller */
	enum mode           mode;
	const struct shape *query;      /* NULL: the operation has no parameters, and ignores those that are sent */
	const struct shape *body;       /* NULL: the operation takes no body */
	const struct shape *reply;      /* NULL: the operation answers without content */
	int                 ok;         /* success status */
	const char         *also;       /* further statuses of the operation, for the description ("409 412"); and "deprecated" */
	const char         *summary;
	const char         *rule;       /* name of the access rule, for documentation and tests */
	const char         *tag;        /* section of the manual: one of the tags of struct app */
	const char         *about;      /* description: a few sentences */
};

/* True if the route takes a token or a session. */
static inline bool
takes_caller(const struct route *row)
{
	return row->access > OWN_PAGES;
}

/* A word that the description of the API explains: a tag, or a parameter of paths. */
struct described {
	const char *name;
	const char *doc;
	const char *example;    /* of a parameter; NULL for a tag */
};

/* The routes of a program, and the functions that differ between programs. */
struct app {
	const struct route *routes;     /* sorted by path */
	size_t              count;
	int               (*access)(struct req *r);   /* 0 or fail() */
	/*
	 * Checks a bearer token that belongs to no user. True if it is valid; r->who is then
	 * filled. NULL: the program accepts no such tokens.
	 */
	bool              (*other_token)(struct req *r);
	/*
	 * True if the requested host belongs to another program. The request is then answered with
	 * 421, and the web server passes it to that program. NULL: all hosts belong to this
	 * program.
	 */
	bool              (*other_host)(struct req *r);
	/* Texts for /v1/openapi.json. Each list ends with a zero name; NULL is an empty list. */
	const char             *about;        /* introduction of the description */
	const struct described *tags;
	const struct described *parameters;   /* path parameters, by the name between { and } (without the dots) */
	const struct described *rules;        /* what each access rule requires, by its name */
};

struct principal {
	enum caller kind;      /* 0: no user */
	const char *token;     /* id of the token or the session; NULL: no user */
	const char *user;      /* id; for a site token, a text that is not the id of any user */
	struct str  bearer;    /* text of the token, for sealing idempotent answers */
	enum role   cap;       /* the token's scope limits all roles to this one: ROLE_READ; for write, ROLE_CREATE; for admin, ROLE_ADMIN */
	bool        read_only;
	int64_t     ends;      /* ms: when the token expires; 0: never */
	bool        session;   /* a browser's session, not a token */
	int64_t     since;     /* of a session: when the person signed in, ms */
	int64_t     used;      /* of a session: when its last use was recorded, ms */
	const char *only_org;  /* for a session that an organization's provider made: id of the only organization for which it is valid; NULL: all */
};

/* The space that the path of a route names, with the caller's role. Filled by the access check. */
struct space_ref {
	const char  *id, *org, *parent, *edit_mode;
	enum role    role;
	int64_t      branch, head, deleted_at;  /* deleted_at: 0 if the space is not deleted */
	const char  *revision;      /* id at head */
	/*
	 * The statement that read the space, on its row, for routes that answer with the space.
	 * Valid until the statement is used again.
	 */
	struct stmt *row;
};

/* The change request of {changeRequestId}, an id or a number; filled by the access check. */
struct request_ref {
	const char *id;          /* NULL: the path names none */
	int64_t     number;      /* its number within the space */
	const char *status;      /* draft, open, archived, merged */
	const char *author;      /* user id */
	const char *subject;     /* "" if none */
	const char *description; /* document JSON; NULL: none */
	int64_t     branch;
	const char *revision;    /* id of its newest revision */
	bool        outdated;    /* the request is not merged, and main has revisions that it does not have */
};

struct org_ref {
	const char *id;
	enum role   role;           /* limited by the scope of the token; ROLE_NONE: a guest */
	enum role   full;           /* the role without that limit; statements that read lists bind it as :org_role */
};

/* The collection that the path of a route names, with the caller's role. Filled by the access check. */
struct collection_ref {
	const char  *id, *org, *parent;
	enum role    role, full;    /* role: limited by the scope of the token; full: not limited */
	struct stmt *row;           /* the statement that read the collection, on its row; valid until it is used again */
};

/* The site of {siteId}. Its organization is in `org` of struct req. */
struct site_ref {
	const char *id;
	enum role   role, full;     /* role: limited by the scope of the token; full: not limited */
};

/* The team of {teamId}. */
struct team_ref {
	const char *id;
	bool        owner;          /* the caller is one of its owners */
};

/*
 * The invite link of {inviteId}, or the link that the query or the body asks for. If space and
 * collection are NULL, the link is for the organization.
 */
struct invite_ref {
	const char *id, *no;        /* id: its secret; no: the fingerprint of the secret, which is its key in the database */
	const char *org, *space, *collection;
	enum role   role;           /* the role that it gives; ROLE_NONE: a guest, no grant */
	enum role   own;            /* INVITE_MANAGE: the caller's role on its target */
	bool        active;         /* the person who made it may still make such links; `role` is limited to that person's present role */
};

enum { PATH_ARGS = 6 };

struct req {
	struct io             *io;
	struct arena          *arena;
	struct db             *db;
	const struct settings *set;
	const struct app      *app;
	const char            *id;           /* of the request, for log and X-Request-Id */
	int64_t                start_us;

	enum method            method;
	const struct route    *route;
	const char            *path;         /* decoded, below /v1 */
	bool                   closed;       /* a route of this path is OWN_PAGES: no answer has CORS headers */
	struct { const char *name, *value; } args[PATH_ARGS];
	size_t                 arg_count;
	struct cJSON          *query;        /* checked and typed */
	struct cJSON          *body;         /* checked; an empty object if the request has none */
	struct str             raw_body;

	struct principal       who;
	struct space_ref       space;
	struct request_ref     request;
	struct org_ref         org;
	struct collection_ref  collection;
	struct team_ref        team;
	struct site_ref        site;
	struct invite_ref      invite;
	struct { const char *place, *org; } shut;  /* the place that the caller could see with another sign-in (api/access.h, note_shut_org()); NULL: none */
	/* The next members are set only for a caller with a site token. */
	struct visit          *visit;        /* what the caller sees of the site; NULL: the caller is a user */
	struct visit_item     *shown;        /* the site space for the space in the path */
	struct map            *structures;   /* cache of site_item_below(): maps a site's id to its struct visit */
	const char            *share_key;    /* the query's share key, if it is valid: addresses in the answer must contain it; NULL: none */

	struct buf             out;          /* the reply's body */
	struct json            json;         /* writes to out */
	int                    status;       /* 0 until decided */
	const char            *etag;         /* without quotes; NULL: computed from the body */
	const char            *cache;        /* Cache-Control, NULL: private, no-cache */
	bool                   hand_over;    /* the web server must pass the request to octavo-site */
	const char            *location;
	const char            *warning;      /* a warning for a successful request, in ASCII without quotes; NULL: none */
	const char            *content_type; /* NULL: application/json */
	bool                   replayed;     /* the stored answer of an earlier request (Idempotency-Key) */
	bool                   absent;       /* a DELETE whose target does not exist; it is answered with 204 */

	enum error             error;
	const char            *message;
	struct faults          faults;
	const char            *allow;        /* header Allow of an answer 405 */
	bool                   brief;        /* the request waits for the write lock only briefly (src/http/charge.h) */
	int                    retry_after;  /* header Retry-After of an answer 429 or 503, in seconds; 0: one second */

	/*
	 * Work that go_ahead() requested. It runs outside any transaction; the request is then
	 * handled again.
	 */
	void                 (*ahead)(struct req *r, void *arg);
	void                  *ahead_arg;
	bool                   went_ahead;   /* the request is handled again */
	/* Undoes what ahead() prepared, with the argument ahead_arg, if the request fails after all. */
	void                 (*undo)(struct req *r, void *arg);

	bool                   unfinished;   /* a later answer may be more complete, so this one is not cached (mode KEPT) */
	bool                   must_write;   /* set by write_needed() */
	/*
	 * is: the answer is in the cache of answers (src/http/answers.h). moment: the number
	 * of the state of the data from which it was made. until: when it expires, in ms.
	 */
	struct { bool is; unsigned moment; int64_t until; } cached;

	/*
	 * Runs after the answer was sent, outside any transaction: fills a cache, wakes the job
	 * runner, or cleans up after a long merge. A failure does not change the answer.
	 */
	void                 (*after)(struct req *r, void *arg);
	void                  *after_arg;

	bool                   writing;      /* the write transaction was begun; nothing that it did can be seen yet */
	int                    replays;      /* how often it was run again because it conflicted with another transaction (DB_AGAIN) */
	bool                   alone;        /* it holds DB_LOCK_AGAIN: after several replays it runs alone */
	jmp_buf                escape;       /* longjmp target of a failed statement */
	enum db_failure        db_failure;
	const char            *db_message;
};

/* Serves one request. The arena must be empty; the caller resets it afterwards. */
void dispatch(struct req *r);

/*
 * True if another program serves the requested host. dispatch() answers such requests with 421, and
 * the web server then passes them to that program. Call it in programs that also serve paths
 * outside of the API. Does not read the body.
 */
bool is_other_host(struct req *r);

/*
 * The request's address without parameters that the operation ignores. A cache uses it as its key,
 * so that adding ignored parameters neither misses an entry nor fills the cache.
 */
const char *known_address(struct req *r);

/* Records a failure and returns -1. After the first call, further calls change nothing. */
int fail(struct req *r, enum error e, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same, with the JSON pointer of the faulty input. */
int fail_field(struct req *r, const char *path, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int error_status(enum error e);

/*
 * For a write whose transaction would take too long: the transaction is rolled back, work() does most
 * of the work in transactions of its own, and the request is handled again, with r->went_ahead set and
 * r->ahead_arg = arg (in the request's arena). A handler may call it again then, but only a limited
 * number of times. Returns -1, for the handler to return.
 */
int go_ahead(struct req *r, void (*work)(struct req *r, void *arg), void *arg);

/*
 * For a route of mode RO that occasionally has to write: the request is handled again in a write
 * transaction. Returns -1, for the handler to return; must not be called inside a write
 * transaction.
 */
int write_needed(struct req *r);

/* The decoded argument of the path with this name. path_id() panics if the route has no such argument. */
const char *path_id(struct req *r, const char *name);
bool        path_has(struct req *r, const char *name);

/* Checked query parameters. One that is absent, or that the route does not have, gives the fallback. */
const char *query_text(struct req *r, const char *name);                   /* NULL if absent */
int64_t     query_int(struct req *r, const char *name, int64_t fallback);
bool        query_bool(struct req *r, const char *name, bool fallback);
const struct cJSON *query_list(struct req *r, const char *name);           /* NULL if absent */

/* A parameter of the route before the query is checked, for access rules. NULL: absent. */
const char *query_early(struct req *r, const char *name);

/* Members of the body. body_has() is also true for a member that is null. */
bool        body_has(struct req *r, const char *name);
const char *body_text(struct req *r, const char *name);                    /* NULL if absent or null */
bool        body_bool(struct req *r, const char *name, bool fallback);
const struct cJSON *body_get(struct req *r, const char *name);             /* NULL if absent */
char       *body_json(struct req *r, const char *name);                    /* as JSON text; NULL if absent */

/*
 * Binds :has_NAME (0 or 1) and :NAME for a member of the body, so that the statement of a PATCH can
 * keep members that were not sent. The member's type in the body's shape decides how it is bound
 * (text, number, boolean, role, level, JSON).
 */
void bind_body(struct stmt *q, struct req *r, const char *name);

/* The last call of a handler: writes the answer and returns 0. */
int reply_row(struct req *r, struct stmt *q, const struct shape *s);       /* the first row of q; 404 if there is none */
int reply_current(struct req *r, struct stmt *q, const struct shape *s);   /* the row that q is on */
int reply_empty(struct req *r);                                            /* no content */
int reply_created(struct req *r, const char *path);                        /* sets the header Location; path is below /v1 */

/*
 * A list. list_bind() binds :limit and the keys :k1 … of the page token (NULL on the first page), each
 * a text or a number; list_reply() writes items, count and next. The statement selects the key columns
 * for the next page as k1, k2, …
 *
 * If one statement finds both the page and the number of all rows, count is COUNT_IN_ROWS: each row has
 * the number as `total`, and an empty page is one row whose k1 is NULL.
 */
enum { COUNT_IN_ROWS = -1 };
struct list {
	int64_t     limit;
	int         keys;
	const char *key[4];     /* NULL at the start */
};
int  list_open(struct req *r, struct list *l, int keys);                   /* 0, or fail() for an invalid page token */
void list_bind(struct stmt *q, const struct list *l);
int  list_reply(struct req *r, struct list *l, struct stmt *q, const struct shape *item, int64_t count);
/*
 * For lists whose items are not rows of a statement: call list_begin(), write the items, and call
 * list_end().
 */
void list_begin(struct req *r, const struct list *l);
void list_end(struct req *r, const struct list *l, int64_t count, const char *const *next);
/* Writes count and next alone, for a list with further members after its items. */
void list_tail(struct req *r, const struct list *l, int64_t count, const char *const *next);

/*
 * Sets the ETag, and returns true if the client's If-None-Match contains it. The handler then
 * returns without building the body, and the answer is 304.
 */
bool not_modified(struct req *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* An absolute address below the configured base URL. */
char *url_for(struct req *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Fills r->who from the Authorization header, or from the cookie of a session (src/http/auth.c). 0 or fail(). */
int auth_caller(struct req *r);
/*
 * The caller's credential as sent (token, or cookie of a session), for cache keys. NULL if there is
 * none, or if a session lacks its required header.
 */
const char *auth_key(const struct req *r);
/* True if the request has the cookie of a session, valid or not. Such a request gets no CORS headers. */
bool auth_by_cookie(const struct req *r);
/*
 * Until when an answer to the caller may be cached (ms; 0: for ever). The limit is the end of the
 * token, or the next time that a use of the session must be recorded: a cached answer records no
 * use.
 */
int64_t auth_keep_until(const struct req *r);
/* Records that the session was used. Called after the answer was sent; writes at most once in half an hour. */
void auth_touch(struct req *r);

/*
 * Checks the rule OWN_PAGES: the request must come from a program or from a page of this
 * installation. 0 or fail(). For operations that check passwords and codes: a page of another site
 * must not try passwords from the networks of its readers.
 */
int own_page_or_fail(struct req *r);

/* Name of the cookie with a session's secret; it depends on OCTAVO_URL. A literal. */
const char *session_cookie(const struct settings *set);
/* The value that the header X-CSRF-Token must have for the session with this secret. */
char *session_csrf(struct arena *a, const char *secret);
/* Value of the request's first cookie with this name, not decoded. NULL: there is none. */
char *cookie_value(struct arena *a, struct io *io, const char *name);

/* ETags and idempotency keys, for dispatch(). etag_of_body(): of the answer that the handler wrote. */
const char *etag_of_body(struct req *r);
/* True if a header If-Match or If-None-Match lists the tag; weak: by weak comparison (RFC 9110, 8.8.3.2). */
bool        etag_listed(const char *header, const char *etag, bool weak);
int         idempotency_begin(struct req *r, bool *replay);
void        idempotency_end(struct req *r);

/* Writes /v1/openapi.json for the routes of app. */
void openapi_write(struct json *j, const struct app *app, const char *base_url);

/*
 * The GET route whose ETag is compared with the If-Match of a write. It is the GET with the same
 * path. A POST without one acts on an object (…/move, …/merge), and the GET of that object is used:
 * its path is the path before the last segment. NULL: there is none.
 */
const struct route *route_matched(const struct app *app, const struct route *write);

/* Finds the route. Returns 0 and sets r->route, or fail() with 404, 405 (and r->allow), or 400. */
int route_find(struct req *r, const char *uri);

/* One line in the access log. */
void access_log(struct req *r);

#endif
