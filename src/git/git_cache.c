/*
 * The bare repository into which the fetches of a space go (the cache).
 *
 * A cache can be lost at any time, since everything in it can be fetched again. A cache that may be
 * damaged is therefore emptied and never repaired. Before anything else a marker file is written,
 * and only a directory that contains the marker is ever emptied: a wrong path in a setting cannot
 * delete other files. Writers hold an exclusive flock on the directory, which the kernel releases
 * when the process dies.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "git_parts.h"

/*
 * MOST_PACKS: each fetch adds a pack, and libgit2 never merges packs; with more packs than this,
 * one full fetch is cheaper.
 */
enum { MOST_PACKS = 50, MOST_TREE_DEPTH = 256 };

#define MARK "octavo-cache"

/*
 * libgit2 takes these locks by creating the file. If a process is killed, its lock file stays and
 * would block every later write. It can be removed here, since this process holds the exclusive
 * flock of the cache, so no other process is writing.
 */
static const char *const leftovers[] = {
	GIT_CACHE_TIP ".lock", "packed-refs.lock", "config.lock", "HEAD.lock",
};

/*
 * libgit2 counts initialisations, so each success needs one git_libgit2_shutdown(). The first call
 * initialises twice, so that the library stays initialised until the process ends: every
 * initialisation sets up TLS and ssh, which takes a millisecond. Options are global to the process
 * and may be set more than once.
 */
bool
git_library_start(void)
{
	static const int levels[] = { GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
		GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL };
	int count = git_libgit2_init();
	size_t i;

	if (count < 0 || (count == 1 && git_libgit2_init() < 0))
		return false;
	/*
	 * Ignore the git configuration of the user who starts the jobs: url.*.insteadOf and
	 * http.proxy would change a checked URL.
	 */
	for (i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "");
	/*
	 * The ownership check (CVE-2022-24765) protects against configuration that runs programs.
	 * libgit2 runs no programs from a configuration, and the repositories of an admin often
	 * have another owner than the job runner.
	 */
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	return true;
}

/*
 * Blocks until the lock is free. Closing the descriptor releases it; CLOEXEC keeps it out of
 * programs that the process starts. A forked child shares it.
 */
int
git_cache_lock(const char *cache, int how)
{
	int fd = open(cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC), r;

	if (fd < 0)
		return -1;
	do
		r = flock(fd, how);
	while (r != 0 && errno == EINTR);
	if (r == 0)
		return fd;
	close(fd);
	return -1;
}

/* 1: empty; 0: not empty; -1: cannot be read. */
static int
dir_empty(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;
	int n = 0;

	if (d == NULL)
		return -1;
	while ((e = readdir(d)) != NULL)
		n++;
	closedir(d);
	return n <= 2;
}

/* Uses lstat(), so that a symlink with the marker's name does not count. */
static bool
is_cache(const char *cache)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/" MARK, cache);
	return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* O_NOFOLLOW: never write through a symlink. */
static bool
mark_write(const char *cache)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/" MARK, cache);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	return fd >= 0 && close(fd) == 0;
}

static bool
cache_empty(const char *cache)
{
	return is_cache(cache) && folder_empty(cache, MARK);
}

bool
git_cache_wipe(struct git_fetching *f)
{
	return cache_empty(f->q->cache);
}

bool
git_cache_clear(const char *cache)
{
	int lock = git_cache_lock(cache, LOCK_EX);
	bool ok = lock >= 0 && cache_empty(cache);

	if (lock >= 0)
		close(lock);
	return ok;
}

/*
 * Locks first, so that a running fetch or an open tree has ended. The marker is removed after the
 * content: if the process is killed in between, the directory is still recognised as a cache.
 */
bool
git_cache_remove(const char *cache)
{
	char mark[PATH_MAX];
	int lock = git_cache_lock(cache, LOCK_EX);
	bool ok;

	if (lock < 0)
		return false;
	snprintf(mark, sizeof(mark), "%s/" MARK, cache);
	ok = cache_empty(cache) && unlink(mark) == 0 && rmdir(cache) == 0;
	close(lock);
	return ok;
}

/* Makes the directory and its parents, private to their owner. */
static bool
dir_make(const char *path)
{
	char part[PATH_MAX];
	size_t i, n = strlen(path);

	if (n == 0 || n >= sizeof(part))
		return false;
	for (i = 1; i <= n; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (mkdir(part, 0700) != 0 && errno != EEXIST)
			return false;
	}
	return true;
}

/* Case-sensitive: libgit2 writes these names itself. */
static bool
ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

/*
 * Removes the references of pushes that were killed. The caller holds the exclusive lock, so no
 * push is running. They must be removed: a fetch tells the server that the cache has the commit of
 * every reference, but objects of a commit that was never pushed may be missing after a crash.
 */
static void
drop_killed_pushes(const char *cache)
{
	char dir[PATH_MAX], path[PATH_MAX + 300];
	struct dirent *e;
	DIR *d;

	snprintf(dir, sizeof(dir), "%s/" GIT_PUSH_REFS, cache);
	d = opendir(dir);
	while (d != NULL && (e = readdir(d)) != NULL) {
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		/* unlink() refuses "." and "..". */
		unlink(path);
	}
	if (d != NULL)
		closedir(d);
}

/* True if the index of a pack has its pack: same name, other extension. */
static bool
pack_whole(const char *dir, const char *name)
{
	char path[PATH_MAX + 300];
	const char *dot = strrchr(name, '.');

	if (dot == NULL || (strcmp(dot, ".idx") != 0 && strcmp(dot, ".pack") != 0))
		return false;
	snprintf(path, sizeof(path), "%s/%.*s%s", dir, (int)(dot - name), name,
	    strcmp(dot, ".idx") == 0 ? ".pack" : ".idx");
	return access(path, F_OK) == 0;
}

/* Removes the partial packs that a killed fetch left; returns the number of complete packs. */
static int
drop_partial_packs(const char *cache)
{
	char dir[PATH_MAX], path[PATH_MAX + 300];
	struct dirent *e;
	int packs = 0;
	DIR *d;

	snprintf(dir, sizeof(dir), "%s/objects/pack", cache);
	d = opendir(dir);
	if (d == NULL)
		return 0;
	while ((e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (pack_whole(dir, e->d_name)) {
			packs += ends_with(e->d_name, ".idx");
			continue;
		}
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		unlink(path);
	}
	closedir(d);
	return packs;
}

/*
 * True if a process was killed before its loose objects were synced to disk. The caller holds the
 * exclusive lock, as in drop_killed_pushes().
 */
static bool
has_unsynced_objects(const char *cache)
{
	DIR *d = opendir(cache);
	struct dirent *e;
	bool left = false;

	while (d != NULL && !left && (e = readdir(d)) != NULL)
		left = strncmp(e->d_name, GIT_UNSYNCED, strlen(GIT_UNSYNCED)) == 0;
	if (d != NULL)
		closedir(d);
	return left;
}

static int
cache_tidy(const char *cache)
{
	char path[PATH_MAX];
	size_t i;

	for (i = 0; i < sizeof(leftovers) / sizeof(leftovers[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", cache, leftovers[i]);
		unlink(path);
	}
	drop_killed_pushes(cache);
	return drop_partial_packs(cache);
}

/*
 * Makes, locks and marks the directory. In the second try of a fetch the lock is held already. The
 * marker is checked under the lock, so that two first fetches cannot both find the directory empty.
 */
static int
cache_lock_first(struct git_fetching *f)
{
	const char *cache = f->q->cache;

	if (f->lock >= 0)
		return 0;
	/* 100 bytes for the file names that this file appends. */
	if (cache == NULL || strlen(cache) + 100 > PATH_MAX || !dir_make(cache))
		return git_fault(f, GIT_FAILED, "the cache directory cannot be made: %s", strerror(errno));
	f->lock = git_cache_lock(cache, LOCK_EX);
	if (f->lock < 0)
		return git_fault(f, GIT_FAILED, "the cache directory cannot be locked: %s", strerror(errno));
	if (!is_cache(cache) && (dir_empty(cache) != 1 || !mark_write(cache)))
		return git_fault(f, GIT_FAILED, "the cache directory holds something else, or cannot be written");
	return 0;
}

/*
 * Checks HEAD after opening: libgit2 opens a repository without reading its HEAD, and an invalid
 * HEAD means that there was a crash.
 */
static int
cache_open_old(const char *cache, git_repository **repo)
{
	git_reference *head = NULL;
	int e = git_repository_open_bare(repo, cache);

	if (e == 0)
		e = git_reference_lookup(&head, *repo, "HEAD");
	git_reference_free(head);
	return e;
}

int
git_cache_open(struct git_fetching *f, git_repository **repo)
{
	git_repository_init_options o;
	const char *cache = f->q->cache;
	char head[PATH_MAX];

	if (cache_lock_first(f) != 0)
		return -1;
	/*
	 * If emptying fails half-way, the repository cannot be opened or is incomplete; the second
	 * try then empties it again.
	 */
	if (cache_tidy(cache) > MOST_PACKS || has_unsynced_objects(cache))
		git_cache_wipe(f);
	snprintf(head, sizeof(head), "%s/HEAD", cache);
	/*
	 * libgit2 writes HEAD when it makes a repository. If HEAD is missing, the cache is new or
	 * was emptied.
	 */
	f->fresh = access(head, F_OK) != 0;
	if (!f->fresh)
		return cache_open_old(cache, repo);
	/* NO_DOTGIT_DIR: use the directory itself, not "<cache>/.git". No template: no hooks. */
	git_repository_init_options_init(&o, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
	o.flags = GIT_REPOSITORY_INIT_BARE | GIT_REPOSITORY_INIT_NO_DOTGIT_DIR;
	return git_repository_init_ext(repo, cache, &o);
}

/* State of one check. It reads only trees; for blobs it looks them up in the object database. */
struct completeness {
	git_repository *repo;
	git_odb        *odb;
	int64_t         left;   /* objects that may still be checked */
	struct arena   *arena;
	struct map     *seen;   /* ids of the trees that were checked */
};

static bool tree_complete(struct completeness *c, const git_oid *oid, int depth);

static bool
entry_complete(struct completeness *c, const git_tree_entry *e, int depth)
{
	switch (git_tree_entry_type(e)) {
	case GIT_OBJECT_TREE:
		return tree_complete(c, git_tree_entry_id(e), depth + 1);
	case GIT_OBJECT_BLOB:
		/*
		 * Looks only into the index of the pack and does not read the blob, so the check
		 * takes a fraction of the time of the fetch. A damaged blob is noticed when it is
		 * read.
		 */
		return git_odb_exists(c->odb, git_tree_entry_id(e)) == 1;
	default:
		return true;  /* a submodule's commit is in another repository */
	}
}

static bool
tree_complete(struct completeness *c, const git_oid *oid, int depth)
{
	/* A copy: the id is part of a tree that is freed. */
	struct str key = { arena_strndup(c->arena, (const char *)oid->id, sizeof(oid->id)), sizeof(oid->id) };
	libgit2_tree *t;
	size_t i, n;
	bool ok = true;
	void **seen;

	/* A tree beyond these limits is refused when it is opened; it is no sign of damage. */
	if (depth > MOST_TREE_DEPTH || c->left <= 0)
		return true;
	/*
	 * Check each tree once: trees can refer to each other so often that a walk would never end.
	 */
	if (*(seen = map_at(c->seen, key)) != NULL)
		return true;
	*seen = c;
	if (git_tree_lookup(&t, c->repo, oid) != 0)
		return false;
	n = git_tree_entrycount(t);
	c->left -= (int64_t)n + 1;
	for (i = 0; i < n && ok; i++)
		ok = entry_complete(c, git_tree_entry_byindex(t, i), depth);
	git_tree_free(t);
	return ok;
}

/* Checks the tree of the commit without its history: imports and edits use only this tree. */
bool
git_cache_complete(git_repository *repo, const git_oid *commit, int64_t max_objects)
{
	struct arena *a = arena_new((size_t)1 << 30);
	struct completeness c = { .repo = repo, .left = max_objects > 0 ? max_objects : INT64_MAX, .arena = a,
		.seen = map_new(a) };
	git_commit *k = NULL;
	bool ok = false;

	if (git_repository_odb(&c.odb, repo) == 0 && git_commit_lookup(&k, repo, commit) == 0)
		ok = tree_complete(&c, git_commit_tree_id(k), 0);
	git_commit_free(k);
	git_odb_free(c.odb);
	arena_free(a);
	return ok;
}
