/*
 * What the files of the git module share; nobody else includes this.
 *
 *   git_url.c     URLs and refs: which are acceptable (no libgit2, no network)
 *   git_stream.c  the sockets that libgit2 reads and writes through
 *   git_listen.c  what a server says of itself
 *   git_error.c   what went wrong, in words, without secrets
 *   git_cache.c   the bare repository on disk
 *   git_local.c   fetching from a repository on this machine
 *   git_refs.c    which of the remote's refs is meant
 *   git_transfer.c  a fetch, as the child does it
 *   git_fetch.c   git_fetch(): what the parent does
 *   git_push.c    bringing a commit to a branch, as the child does it
 *   git_tree.c    reading a commit
 *   git_commit.c  making one
 *   git_same.c    comparing the names in two
 *   git_certificates.c  which servers to trust, read where one is asked
 */
#ifndef OCTAVO_GIT_PARTS_H
#define OCTAVO_GIT_PARTS_H

/*
 * libgit2 has a struct git_tree of its own and, from 1.7 on, a GIT_TIMEOUT.
 * Inside this module its names get a prefix, so that ours mean ours.
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
	const char *port;      /* digits, or NULL: the scheme's own */
	const char *path;      /* as in the URL, with its leading slash; decoded for SCHEME_FILE */
	const char *username;  /* decoded; NULL if none */
	const char *password;
	const char *clean;     /* the URL again, normalised, without credentials */
};

/* Takes a URL apart; says why not if that fails, else NULL. */
const char *git_url_parse(struct arena *a, const char *url, struct git_url *out);

/* The real path of a repository on this machine, if these rules allow it; else NULL and *why. */
const char *git_local_path(struct arena *a, const char *path, const char *file_root, const char **why);

/* True if path is root or below it; both are real paths. root "" is everywhere. */
bool git_path_below(const char *path, const char *root);

/* "file://" and the path, percent-encoded: a bare path with a colon would be taken for ssh. */
const char *git_file_url(struct arena *a, const char *path);

/* A fetch, as the child sees it. One per process. */
struct git_fetching {
	const struct git_request *q;
	struct arena    *arena;
	struct git_url   url;
	const char      *local;     /* real path, for SCHEME_FILE */
	const char      *root;      /* real path of file_root; "" = anywhere */
	int              out;       /* where child_say() goes */
	int              lock;      /* the cache directory, locked; -1: not yet */
	bool             fresh;     /* the cache was empty when this try began */
	int64_t          said;      /* ms of the last progress line */
	int64_t          wire;      /* bytes that came through the sockets */
	bool             ended;     /* the other side closed a connection */
	int64_t          moved;     /* bytes that came or went through them */
	int64_t          moved_said;/* ms of the last line that told of them */
	bool             waits;     /* for the other side, as the parent was told */
	int              asked;     /* how often the server asked for credentials */
	/* Set where the cause is known better than libgit2 can say; status GIT_DONE: nothing set. */
	enum git_status  status;
	char             why[512];
	int              klass;     /* of the libgit2 error behind it; GIT_ERROR_NONE where it was no such error */
	char             ref[256];  /* full name of the chosen ref */
	git_oid          tip;       /* what the remote's ref points to */
	git_oid          commit;    /* tip, peeled */
	bool             same;      /* tip is q->known: there is nothing to do */
	/* Of a push; push NULL: it is a fetch. */
	const char      *push;      /* the commit, hex */
	const char      *old;       /* what the branch is at; NULL: there is none */
};

/* Notes what went wrong unless something is noted already; returns -1 for libgit2's callbacks. */
int git_fault(struct git_fetching *f, enum git_status status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Notes what libgit2's last error means. */
void git_fault_error(struct git_fetching *f, int error);

/* Replaces every secret in text by "***", control characters and bad UTF-8 by "?". */
void git_scrub(char *text, const char *const *secrets, size_t count);

/* Makes libgit2 use sockets that obey the fetch's rules about hosts, addresses, bytes and waiting. */
int git_stream_guard(struct git_fetching *f);

/* A git_transport_cb, payload struct git_fetching: libgit2's own transport, with what the server says looked at. */
int git_listen(git_transport **out, git_remote *owner, void *payload);
/* What libgit2 1.5 cannot read, by name; %s: the kind of its ids, as git_ids_named() tells it by git's word for it. */
#define GIT_OTHER_IDS "that repository cannot be read: its ids are %s"
#define GIT_PARTIAL "that repository is a partial clone: it lacks files of its history; import from where it was cloned, " \
	"or make a whole clone"
static inline const char *
git_ids_named(struct str format)
{
	return str_is(format, "sha256") ? "SHA-256" : "of another kind than SHA-1";
}

/* In the child: the whole fetch. Its last line tells the outcome (see git_fetch.c). */
int git_transfer(struct git_fetching *f, int out);

/* Connects an anonymous remote at f->url. 0 or an error; *remote is to be freed either way. */
int git_remote_begin(struct git_fetching *f, git_repository *repo, git_direction direction,
    git_remote_callbacks *cb, git_remote **remote);

/* In the child: brings f->push to q->ref. What went wrong is noted. */
void git_push_all(struct git_fetching *f);
/* Copies what a repository on this machine lacks of the commit there, and moves its branch. 0 or an error. */
int git_local_push(struct git_fetching *f, git_repository *cache, const git_oid *commit, const git_oid *old);

/* The credentials that apply: the request's, else those in its URL. */
const char *git_user_of(const struct git_fetching *f);
const char *git_password_of(const struct git_fetching *f);

/* Tells the parent whether the other side is waited for from now on: then a least rate holds. */
void git_waits(struct git_fetching *f, bool waits);
/* So many bytes went through a socket, either way. */
void git_moved(struct git_fetching *f, int64_t bytes);

/* Counts and reports progress; non-zero stops the transfer. payload is a struct git_fetching. */
int git_progress(const git_indexer_progress *p, void *payload);

/* Starts libgit2 with nothing read from this machine's or user's git configuration. */
bool git_library_start(void);
/* Is what goes over the wire encrypted, with numbers that nobody may guess? */
bool git_is_private(const struct git_fetching *f);
/* From now on libgit2 reads the certificates of the system when it begins: before an address that is https. */
void git_certificates_want(void);

/* Makes the cache if there is none, cleans what a killed fetch left, opens it. 0, or an error: rebuild it. */
int git_cache_open(struct git_fetching *f, git_repository **repo);
/* Empties it, so that git_cache_open() starts from nothing. */
bool git_cache_wipe(struct git_fetching *f);
/* True if the commit and everything that its tree names is there. */
bool git_cache_complete(git_repository *repo, const git_oid *commit, int64_t max_objects);
/* Does the error that was noted last come from what is on this disk? */
bool git_fault_is_ours(const struct git_fetching *f);
/* Locks a cache directory: LOCK_EX to write, LOCK_SH to read. -1 on failure. */
int git_cache_lock(const char *cache, int how);

/* The one ref that a cache keeps: what was fetched last, which the next fetch starts from. */
#define GIT_CACHE_TIP "refs/octavo/tip"
/* A file in the cache, with the id of a process that makes objects and has not synced them yet. */
#define GIT_UNSYNCED "unsynced."
/* One for each push, for as long as it lasts: libgit2 pushes references, no commits. */
#define GIT_PUSH_REFS "refs/octavo/push/"

/* Chooses among the refs that the remote has; fills ref and tip. */
bool git_choose_ref(struct git_fetching *f, const git_remote_head *const *heads, size_t count);

/* Is what lies at f->local a repository that may be read? 0, or -1 with the reason noted. */
int git_local_check(struct git_fetching *f);
/* Copies what the chosen ref needs, and the cache lacks, from there. 0 or an error. */
int git_local_copy(struct git_fetching *f, git_repository *cache);

#endif
