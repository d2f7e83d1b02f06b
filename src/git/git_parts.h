/*
 * Private to the files of the git module.
 *
 *   git_url.c     checks and parses URLs and refs (no libgit2, no network)
 *   git_stream.c  the sockets that libgit2 reads and writes through
 *   git_listen.c  reads a server's messages
 *   git_error.c   errors, in words, without secrets
 *   git_cache.c   the bare repository on disk
 *   git_local.c   fetching from a repository on this machine
 *   git_refs.c    chooses the remote's ref
 *   git_transfer.c  a fetch, in the child
 *   git_fetch.c   git_fetch(), in the parent
 *   git_push.c    a push, in the child
 *   git_tree.c    reading a commit
 *   git_commit.c  making a commit
 *   git_same.c    comparing the names in two commits
 *   git_dates.c   when files got their content
 *   git_certificates.c  loads the system's certificates when needed
 */
#ifndef OCTAVO_GIT_PARTS_H
#define OCTAVO_GIT_PARTS_H

/*
 * libgit2 has a struct git_tree of its own and, from 1.7 on, a GIT_TIMEOUT. Within this room
 * libgit2's names get a prefix, so that the plain names are Octavo's.
 */
#define git_tree    libgit2_tree
#define GIT_TIMEOUT LIBGIT2_TIMEOUT
#include <git2.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/stream.h>
#include <git2/sys/transport.h>
#undef git_tree
#undef GIT_TIMEOUT

#include <sys/socket.h>

#include "git/git.h"

enum git_scheme { SCHEME_HTTP, SCHEME_HTTPS, SCHEME_SSH, SCHEME_GIT, SCHEME_FILE };

struct git_url {
	enum git_scheme scheme;
	const char *host;      /* lower case, brackets of an IPv6 address removed; "" for SCHEME_FILE */
	const char *port;      /* digits; NULL: the scheme's default */
	const char *path;      /* as in the URL, with its leading slash; decoded for SCHEME_FILE */
	const char *username;  /* decoded; NULL: none */
	const char *password;
	const char *clean;     /* normalised, without credentials */
};

/* Parses a URL. Returns NULL, or why it is refused. */
const char *git_url_parse(struct arena *a, const char *url, struct git_url *out);

/*
 * The real path of a repository on this machine, if the rules allow it; otherwise NULL, and *why is
 * set.
 */
const char *git_local_path(struct arena *a, const char *path, const char *file_root, const char **why);

/* True if path is root or below it; both are real paths. root "": every path. */
bool git_path_below(const char *path, const char *root);

/* "file://" and the path, percent-encoded: libgit2 would take a bare path with a colon for ssh. */
const char *git_file_url(struct arena *a, const char *path);

/* State of a fetch or push in the child, which does only this one. */
struct git_fetching {
	const struct git_request *q;
	struct arena    *arena;
	struct git_url   url;
	const char      *local;     /* real path, for SCHEME_FILE */
	const char      *root;      /* real path of file_root; "": every path */
	int              out;       /* where child_say() writes */
	int              lock;      /* the locked cache directory; -1: not locked yet */
	bool             fresh;     /* the cache was empty when this try began: it cannot be damaged */
	int64_t          progress_at; /* ms when the last progress line was written */
	int64_t          received;  /* bytes received through the sockets */
	bool             ended;     /* the other side closed a connection */
	int64_t          moved;     /* bytes sent and received through the sockets */
	int64_t          bytes_reported_at; /* ms when the last line with `moved` was written */
	bool             reported_waiting; /* the parent was told that this process waits for the other side */
	int              credential_requests; /* how often the server asked for credentials */
	/* These are set where the cause is better known than from libgit2's error. status GIT_DONE: not set. */
	enum git_status  status;
	char             why[512];
	int              klass;     /* class of libgit2's error; GIT_ERROR_NONE: another cause */
	char             ref[256];  /* full name of the chosen ref */
	git_oid          tip;       /* object that the remote's ref points to */
	git_oid          commit;    /* tip, peeled */
	bool             unchanged; /* tip equals q->known: nothing to fetch */
	/* For a push; push NULL: a fetch. */
	const char      *push;      /* the commit to push, hex */
	const char      *old;       /* the commit of the branch; NULL: no branch */
};

/* Records an error unless one is recorded already; returns -1 for libgit2's callbacks. */
int git_fault(struct git_fetching *f, enum git_status status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Records what libgit2's last error means. */
void git_fault_error(struct git_fetching *f, int error);

/* Replaces every secret in text by "***", and control characters and bad UTF-8 by "?". */
void git_scrub(char *text, const char *const *secrets, size_t count);

/*
 * Makes libgit2 use sockets that follow the fetch's rules for hosts, addresses, bytes and
 * time-outs.
 */
int git_stream_guard(struct git_fetching *f);

/*
 * A git_transport_cb, payload struct git_fetching: libgit2's own transport, with an inspection of
 * the server's messages.
 */
int git_listen(git_transport **out, git_remote *owner, void *payload);
/* Messages about repositories that libgit2 1.5 cannot read. %s: the hash of the ids, from git_ids_named(). */
#define GIT_OTHER_IDS "that repository cannot be read: its ids are %s"
#define GIT_PARTIAL "that repository is a partial clone: it lacks files of its history; import from where it was cloned, " \
	"or make a whole clone"
static inline const char *
git_ids_named(struct str format)
{
	return str_is(format, "sha256") ? "SHA-256" : "of another kind than SHA-1";
}

/* Runs the whole fetch in the child. Its last line reports the result (see git_fetch.c). */
int git_transfer(struct git_fetching *f, int out);

/*
 * Connects an anonymous remote at f->url. 0 or an error; the caller frees *remote in either case.
 */
int git_remote_begin(struct git_fetching *f, git_repository *repo, git_direction direction,
    git_remote_callbacks *cb, git_remote **remote);

/* Runs in the child: pushes f->push to q->ref. Errors are recorded in f. */
void git_push_all(struct git_fetching *f);
/*
 * Copies the objects of the commit that a repository on this machine lacks, and moves its branch. 0
 * or an error.
 */
int git_local_push(struct git_fetching *f, git_repository *cache, const git_oid *commit, const git_oid *old);

/* The credentials to use: the request's, otherwise those in its URL. */
const char *git_user_of(const struct git_fetching *f);
const char *git_password_of(const struct git_fetching *f);

/* Reports to the parent whether this process waits for the other side: only then the minimum rate applies. */
void git_report_waiting(struct git_fetching *f, bool waits);
/* Counts bytes sent or received through a socket. */
void git_count_bytes(struct git_fetching *f, int64_t bytes);

/* Counts and reports progress; non-zero stops the transfer. payload is a struct git_fetching. */
int git_progress(const git_indexer_progress *p, void *payload);

/* Starts libgit2 without reading the git configuration of this machine or user. */
bool git_library_start(void);
/* True if the connection is encrypted, so that random numbers must not be predictable. */
bool git_is_private(const struct git_fetching *f);
/*
 * Lets libgit2 read the system's certificates when it starts; call it before an https address is
 * used.
 */
void git_certificates_want(void);

/*
 * Opens the cache, or makes it, and removes what a killed fetch left. 0; or an error: the caller
 * empties the cache and tries again.
 */
int git_cache_open(struct git_fetching *f, git_repository **repo);
/* Empties the cache, so that git_cache_open() makes a new one. */
bool git_cache_wipe(struct git_fetching *f);
/* True if the cache has the commit and all objects of its tree. */
bool git_cache_complete(git_repository *repo, const git_oid *commit, int64_t max_objects);
/*
 * True if the recorded error is one of reading or writing a repository, and not of network, ssh or TLS.
 * The repository may be the cache or the one of the other side.
 */
bool git_is_object_error(const struct git_fetching *f);
/* Locks a cache directory: LOCK_EX to write, LOCK_SH to read. -1 on failure. */
int git_cache_lock(const char *cache, int how);

/* The only ref that a cache keeps: the commit of the last fetch, from which the next one starts. */
#define GIT_CACHE_TIP "refs/octavo/tip"
/* A marker file in the cache, with the id of a process whose new objects are not synced yet. */
#define GIT_UNSYNCED "unsynced."
/* A reference for each push while it lasts, because libgit2 pushes references, not commits. */
#define GIT_PUSH_REFS "refs/octavo/push/"

/* Chooses among the remote's refs; sets ref and tip. */
bool git_choose_ref(struct git_fetching *f, const git_remote_head *const *heads, size_t count);

/* Checks that f->local is a repository that may be read. 0, or -1 with the error recorded. */
int git_local_check(struct git_fetching *f);
/* Copies the objects of the chosen ref that the cache lacks. 0 or an error. */
int git_local_copy(struct git_fetching *f, git_repository *cache);

#endif
