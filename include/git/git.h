/*
 * Reading and writing other people's git repositories; the only module that names git_*
 * (libgit2). Fetches go into a bare cache directory, in a child process that
 * is killed when its time is over or the caller's job is cancelled; nothing is
 * ever checked out, no hook, filter, submodule or LFS pointer is followed.
 *
 * Rules of a fetch
 *   - http, https, ssh, git, and, below file_root alone, repositories on this
 *     machine. Nothing else reaches libgit2.
 *   - A host is resolved once; if any of its addresses is not public (and
 *     private_hosts is off), nothing is connected. The connection goes to an
 *     address that was checked, so that a second, different DNS answer does
 *     not matter. ssh is the exception: libgit2 resolves again by itself; its
 *     server must be in known_hosts, so it learns nothing before it is refused.
 *   - Redirects stay on the host that was asked for. Proxies and git's
 *     configuration files are ignored.
 *   - Credentials live in memory alone: in no argument list, no file (remotes
 *     are anonymous, so no URL is written either), no message.
 *   - A server that sends, or takes, less than a least rate while it is waited for ends the
 *     transfer, and so does the deadline of the whole: one that drips holds nobody's place for
 *     long. What this process does by itself meanwhile (indexing a pack, waiting for the cache's
 *     lock) is bounded by the deadline alone.
 *   - Only the asked ref is fetched, with its history (libgit2 cannot fetch
 *     less). The cache keeps what it has, so that the next fetch is cheap; one
 *     that is damaged, or has gathered too many packs, is emptied and filled
 *     again, once, within the same call.
 *   - The cache is locked (flock on its directory) while it is written, and
 *     shared while a tree is open. It is private to its owner (0700).
 *
 * git_split_url(), git_refuse_url() and git_refuse_ref() need neither libgit2
 * nor the network, so that the API can answer 400 at once.
 */
#ifndef OCTAVO_GIT_H
#define OCTAVO_GIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "layout/layout.h"

struct git_limits {
	int     seconds;      /* wall clock for the whole fetch; 0: no limit, as below */
	int64_t bytes;        /* received pack */
	int64_t objects;      /* in that pack */
	int64_t memory;       /* address space of the child, above what the caller has mapped */
	int64_t rate;         /* least bytes a second while the server is waited for; 0: any */
	int     patience;     /* seconds over which that is measured; before a pack comes twice as many: a
	                         server counts the objects of a large repository first */
};

struct git_request {
	const char *url;       /* without credentials */
	const char *username;  /* NULL if none */
	const char *password;  /* NULL if none; never logged, in no argv, in no file */
	const char *ref;       /* "refs/heads/main", or a short name: heads, then tags; NULL: the remote's HEAD */
	const char *known;     /* fetch: where the ref is at this commit, nothing is fetched, nor looked for in the cache; or NULL */
	const char *cache;     /* directory of the bare repository; made if missing */
	const char *file_root; /* file:// and paths are allowed below it; "" = anywhere; NULL = not at all */
	bool        private_hosts;  /* loopback and private addresses are allowed */
	/* For ssh: a directory that has .ssh/known_hosts and, where there is no password, the private key
	 * .ssh/id_ed25519 or .ssh/id_rsa (without passphrase). NULL: known_hosts of this process's user, no key. */
	const char *ssh_home;
	struct git_limits limits;
	/* Called about twice a second while the child works; false cancels. May be NULL. Objects, objects, bytes. */
	bool      (*progress)(void *ctx, int64_t received, int64_t total, int64_t bytes);
	void       *ctx;
};

enum git_status {
	GIT_DONE,
	GIT_BAD_URL,      /* scheme, host or path not allowed, or a redirect elsewhere: permanent */
	GIT_NO_REF,       /* the repository has no such ref, or none can be called that: permanent */
	GIT_DENIED,       /* authentication failed, ours or the server's (certificate, host key): permanent */
	GIT_NOT_FOUND,    /* no repository there: permanent */
	GIT_TOO_LARGE,    /* a limit was exceeded: permanent */
	GIT_TIMEOUT,
	GIT_CANCELLED,
	GIT_MOVED,        /* push: the branch is not where the caller saw it */
	GIT_REFUSED,      /* push: the server does not take it (a protected branch, a hook): its words are in the message */
	GIT_DAMAGED,      /* push: the cache lacks objects, or cannot read them: git_cache_clear(), and begin again */
	GIT_FAILED        /* network and all else: worth another try */
};

struct git_result {
	enum git_status status;
	char            commit[41];  /* hex id of the commit that ref names */
	char            ref[256];    /* full name of the ref that was fetched */
	char            message[512];/* for the admin; UTF-8, one line; holds no credentials */
};

/*
 * Splits "https://user:pass@host/x" into its parts, percent-decoded, and the
 * URL without them, normalised. "user@host:path" becomes ssh://host/path.
 * False: not a URL that git_fetch takes; git_refuse_url() says why.
 */
bool git_split_url(struct arena *a, const char *url, const char **clean, const char **username,
    const char **password);

/* Says why a URL is not acceptable under these rules without touching the network; NULL if it is. */
const char *git_refuse_url(struct arena *a, const char *url, const char *file_root, bool private_hosts);

/* Says why a ref (as in git_request) is not acceptable; NULL if it is. */
const char *git_refuse_ref(const char *ref);

/* Fetches ref into the cache. Blocks; the work is in a child process. */
struct git_result git_fetch(const struct git_request *q);

/*
 * Brings a commit of the cache to q->ref, a branch by its full name. old: the commit
 * that the branch was seen at; NULL: there is no such branch. A push never rewrites: the
 * branch must still be at old, and old be an ancestor of the commit, else GIT_MOVED.
 * Blocks; a child process, limits, credentials and addresses as for a fetch.
 */
struct git_result git_send(const struct git_request *q, const char *commit, const char *old);

/* A change of one file in a commit's tree. */
struct git_edit {
	const char *path;      /* relative to the repository's root */
	bool        gone;      /* the file goes */
	struct str  bytes;     /* its content, or */
	const char *oid;       /* a blob that the repository has; NULL: bytes */
	uint32_t    mode;      /* 0: that of the file that is there, else 0100644 */
};

struct git_person {
	const char *name, *email;
	int64_t     at;        /* ms */
};

struct git_edits {
	const char       *cache;
	const char       *tree_of;      /* commit whose tree is edited; NULL: an empty one */
	const char       *parents[2];   /* NULL: none */
	struct git_edit  *list;         /* gets sorted; no path twice */
	size_t            count;
	struct git_person author, committer;
	const char       *message;
};

/*
 * Makes a commit in the cache; everything that no edit names stays as it is there,
 * byte for byte. Where nothing differs and there is one parent, commit is tree_of. Its objects
 * are on disk when this returns, so that a database may name it. A cache in which this was
 * cut short is emptied by the next fetch: its objects may lack their bytes.
 * False: error says why; damaged: objects of the cache cannot be read (git_cache_clear()).
 */
bool git_make_commit(const struct git_edits *q, char commit[41], bool *damaged, char *error, size_t error_size);

/* Is one commit of the cache the other, or in its history? */
bool git_has_ancestor(const char *cache, const char *commit, const char *ancestor);

/*
 * Do two commits of a cache hold the same paths, with the same modes? The files' bytes may
 * differ. False also where one of them cannot be read.
 */
bool git_same_names(const char *cache, const char *one, const char *other);

/* A file of a commit, and when it got what it holds there. */
struct git_dated {
	const char *path;      /* relative to the repository's root */
	const char *oid;       /* of its blob */
	int64_t     at;        /* out: the author's time, ms; 0: not found within the bounds */
};

/* Looks for the commits that gave files their content: in this process, bounded by work; some seconds at most. */
void git_date_files(struct arena *a, const char *cache, const char *commit, struct git_dated *list, size_t n);

/*
 * Is the commit in the cache, with all that its tree names and all the commits before it?
 * Blobs are looked for, not read.
 */
bool git_cache_whole(const char *cache, const char *commit);

/*
 * Empties a cache whose objects cannot be used; the next fetch fills it again, and so does
 * that of others whose commits go with it. False if it is none, or cannot be emptied.
 */
bool git_cache_clear(const char *cache);

/* Removes a cache with all that is in it. False if the directory is not a cache, or cannot be removed. */
bool git_cache_remove(const char *cache);

/* A commit in a cache, open for reading. Its blobs are read in this process, with a size limit. */
struct git_tree;

/*
 * Lists the commit's blobs, symlinks and submodules, sorted by path. The
 * arena must have room for 400 bytes an entry, up to max_entries. NULL, and
 * error says why: no such commit, too many entries, too deep, paths too long.
 */
struct git_tree *git_tree_open(struct arena *a, const char *cache, const char *commit,
    size_t max_entries, char *error, size_t error_size);
/* No blob over this many bytes is read; 64 MiB at first. */
void git_tree_limit(struct git_tree *t, int64_t blob_bytes);
struct layout_source git_tree_source(struct git_tree *t);
/* Entries left out since their name could do harm (".git", "..", a slash inside); the first in *name. */
size_t git_tree_skipped(const struct git_tree *t, const char **name);
const char *git_tree_message(struct git_tree *t);   /* the commit's message, valid UTF-8 */
int64_t git_tree_time(struct git_tree *t);          /* the author's time, ms */
/* Entries and what was read stay valid as long as the arena does. NULL, and a tree that is closed, are left alone. */
void git_tree_close(struct git_tree *t);

#endif
