/*
 * Reads and writes git repositories of others; the only room that uses libgit2. Fetches go to a
 * bare cache directory, in a child process that is killed when its time is over or the caller's job
 * is cancelled. Nothing is ever checked out, and no hook, filter, submodule or LFS pointer is
 * followed.
 *
 * Rules of a fetch
 * - Allowed are http, https, ssh, git and, only below file_root, repositories on this machine. No
 *   other address reaches libgit2.
 * - A host is resolved once. If any of its addresses is not public (and private_hosts is off),
 *   there is no connection. The connection goes to an address that was checked, so a second,
 *   different DNS answer has no effect. ssh is the exception, since libgit2 resolves the name
 *   again. That is accepted because the server must be in known_hosts: any other server is refused
 *   before it gets anything.
 * - Redirects must stay on the requested host. Proxies and git's configuration files are ignored.
 * - Credentials are only in memory: in no argument list, no file (remotes are anonymous, so that no
 *   URL is written either) and no message.
 * - While the other side is waited for, it must send or accept at least the minimum rate
 *   (git_limits.rate); otherwise the transfer is ended. The deadline of the whole fetch ends it,
 *   too. So a slow server does not block a job for long. Work of this process, such as indexing a
 *   pack or waiting for the cache's lock, is limited by the deadline alone.
 * - Only the requested ref is fetched, with its history (libgit2 cannot fetch less). The cache
 *   keeps its objects, so that the next fetch is cheap. A cache that is damaged or has too many
 *   packs is emptied and filled again, once, within the same call.
 * - The cache is locked (flock on its directory): exclusively while it is written, shared while a
 *   tree is open. It is private to its owner (0700).
 *
 * git_split_url(), git_refuse_url() and git_refuse_ref() need neither libgit2 nor the network, so
 * that the API can answer 400 at once.
 */
#ifndef OCTAVO_GIT_H
#define OCTAVO_GIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "layout/layout.h"

struct git_limits {
	int     seconds;      /* wall clock for the whole fetch; 0: no limit, also below */
	int64_t bytes;        /* size of the received pack */
	int64_t objects;      /* objects in that pack */
	int64_t memory;       /* address space of the child, beyond what the caller has mapped */
	int64_t rate;         /* minimum rate, bytes per second while the server is waited for; 0: none */
	int     patience;     /* seconds over which the rate is measured; twice as many before a pack comes */
};

struct git_request {
	const char *url;       /* without credentials */
	const char *username;  /* NULL: none */
	const char *password;  /* NULL: none; never logged, in no argv, in no file */
	const char *ref;       /* "refs/heads/main", or a short name: branches, then tags; NULL: the remote's HEAD */
	const char *known;     /* fetch: if the ref is at this commit, download nothing and do not check the cache */
	const char *cache;     /* directory of the bare repository; made if missing */
	const char *file_root; /* file:// and paths are allowed below it; "": anywhere; NULL: nowhere */
	bool        private_hosts;  /* loopback and private addresses are allowed */
	/*
	 * For ssh: a directory with .ssh/known_hosts and, unless there is a password, the private
	 * key .ssh/id_ed25519 or .ssh/id_rsa (without passphrase). NULL: known_hosts of this
	 * process's user, no key.
	 */
	const char *ssh_home;
	struct git_limits limits;
	/*
	 * It is called about twice a second while the child works; false cancels. May be NULL.
	 * received and total count objects.
	 */
	bool      (*progress)(void *ctx, int64_t received, int64_t total, int64_t bytes);
	void       *ctx;
};

enum git_status {
	GIT_DONE,
	GIT_BAD_URL,      /* scheme, host or path not allowed, or a redirect to another host: permanent */
	GIT_NO_REF,       /* the repository has no such ref, or the name is invalid: permanent */
	GIT_DENIED,       /* authentication failed: ours, or the server's (certificate, host key): permanent */
	GIT_NOT_FOUND,    /* no repository there: permanent */
	GIT_TOO_LARGE,    /* a limit was exceeded: permanent */
	GIT_TIMEOUT,
	GIT_CANCELLED,
	GIT_MOVED,        /* push: the branch is not at the commit that the caller saw */
	GIT_REFUSED,      /* push: the server refuses it (a protected branch, a hook): its text is in the message */
	GIT_DAMAGED,      /* push: objects in the cache are missing or unreadable: git_cache_clear(), then start again */
	GIT_FAILED        /* network and all other errors: another try may succeed */
};

struct git_result {
	enum git_status status;
	char            commit[41];  /* hex id of the commit that the ref names */
	char            ref[256];    /* full name of the ref that was fetched */
	char            message[512];/* for the admin; UTF-8, one line, without credentials */
};

/*
 * Splits "https://user:pass@host/x" into its percent-decoded parts and the normalised URL without
 * credentials. "user@host:path" becomes ssh://host/path. False: git_fetch() refuses the URL;
 * git_refuse_url() says why.
 */
bool git_split_url(struct arena *a, const char *url, const char **clean, const char **username,
    const char **password);

/*
 * Returns why a URL is refused under these rules, without using the network; NULL if it is
 * accepted.
 */
const char *git_refuse_url(struct arena *a, const char *url, const char *file_root, bool private_hosts);

/* Returns why a ref (as in git_request) is refused; NULL if it is accepted. */
const char *git_refuse_ref(const char *ref);

/* Fetches the ref into the cache. Blocks; a child process does the work. */
struct git_result git_fetch(const struct git_request *q);

/*
 * Pushes a commit of the cache to q->ref, the full name of a branch. old: the commit at which the
 * caller saw the branch; NULL: there was no such branch. A push never rewrites history: the branch
 * must still be at old, and old must be an ancestor of the commit; otherwise the result is
 * GIT_MOVED. Blocks; runs in a child process with the limits, credentials and address rules of a
 * fetch.
 */
struct git_result git_push_commit(const struct git_request *q, const char *commit, const char *old);

/* A change of one file in a commit's tree. */
struct git_edit {
	const char *path;      /* relative to the repository's root */
	bool        gone;      /* the file is removed */
	struct str  bytes;     /* the new content, or */
	const char *oid;       /* an existing blob; NULL: use bytes */
	uint32_t    mode;      /* 0: the mode of the existing file, or 0100644 if there is none */
};

struct git_person {
	const char *name, *email;
	int64_t     at;        /* ms since 1970 */
};

struct git_edits {
	const char       *cache;
	const char       *tree_of;      /* the commit whose tree is edited; NULL: an empty tree */
	const char       *parents[2];   /* NULL: none */
	struct git_edit  *list;         /* the call sorts it; each path may occur once */
	size_t            count;
	struct git_person author, committer;
	const char       *message;
};

/*
 * Makes a commit in the cache. Files that no edit names stay byte for byte. If nothing differs and
 * there is only one parent, no commit is made, and `commit` is tree_of. The objects are synced to
 * disk when this returns, so that a database may store the id. If the call is interrupted, objects
 * may be incomplete, and the next fetch empties the cache. False: error says why; *damaged: objects
 * of the cache are unreadable (call git_cache_clear()).
 */
bool git_make_commit(const struct git_edits *q, char commit[41], bool *damaged, char *error, size_t error_size);

/* True if ancestor is the commit itself or in its history, in the cache. */
bool git_has_ancestor(const char *cache, const char *commit, const char *ancestor);

/*
 * True if two commits of a cache have the same paths with the same modes; the contents of the files
 * may differ. False also if one of the commits cannot be read.
 */
bool git_same_names(const char *cache, const char *one, const char *other);

/* A file of a commit, and when it got its present content. */
struct git_dated {
	const char *path;      /* relative to the repository's root */
	const char *oid;       /* id of its blob */
	int64_t     at;        /* out: the author's time in ms; 0: not found within the bounds */
};

/*
 * Finds when the files got their present content, by reading the history in this process. Limited
 * to some seconds.
 */
void git_date_files(struct arena *a, const char *cache, const char *commit, struct git_dated *list, size_t n);

/*
 * True if the cache has the commit, all objects of its tree, and its whole history. Blobs are
 * looked up, not read.
 */
bool git_cache_whole(const char *cache, const char *commit);

/*
 * Empties a cache whose objects are unusable. The next fetch of each space that uses it fills it
 * again. False if the directory is no cache, or cannot be emptied.
 */
bool git_cache_clear(const char *cache);

/* Removes a cache with its content. False if the directory is not a cache, or cannot be removed. */
bool git_cache_remove(const char *cache);

/* A commit in a cache, open for reading. Its blobs are read in this process, with a size limit. */
struct git_tree;

/*
 * Opens a commit and lists its blobs, symlinks and submodules, sorted by path. The arena must have
 * room for 400 bytes an entry, up to max_entries. NULL, and error says why: no such commit, too
 * many entries, too deep, paths too long.
 */
struct git_tree *git_tree_open(struct arena *a, const char *cache, const char *commit,
    size_t max_entries, char *error, size_t error_size);
/* Sets the largest blob that is read, in bytes; 64 MiB at first. */
void git_tree_limit(struct git_tree *t, int64_t blob_bytes);
struct layout_source git_tree_source(struct git_tree *t);
/*
 * Number of entries left out because of harmful names (".git", "..", a slash inside); the first in
 * *name.
 */
size_t git_tree_skipped(const struct git_tree *t, const char **name);
const char *git_tree_message(struct git_tree *t);   /* the commit's message, valid UTF-8 */
int64_t git_tree_time(struct git_tree *t);          /* the author's time, ms */
/*
 * Closes the commit and releases its lock. Entries and bytes that were read stay valid as long as
 * the arena. Does nothing for NULL and for a closed tree.
 */
void git_tree_close(struct git_tree *t);

#endif
