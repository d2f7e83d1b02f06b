/*
 * Makes commits in a cache, as edits of the tree of another commit. Entries that no edit names stay
 * as they are, with mode and order. Nothing is checked out. The objects are normal objects of the
 * cache, and can be made again if they are lost; a push (git_push.c) sends them to the repository.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <unistd.h>

#include "git_parts.h"
#include "base/sort.h"

/* The same as TREE_DEPTH in git_tree.c, so that a commit made here can be read there. */
enum { PATH_DEPTH = 100 };

/*
 * State of one call of git_make_commit(). error is the caller's buffer; repo is NULL until
 * builder_open().
 */
struct commit_builder {
	git_repository         *repo;
	const struct git_edits *q;
	int                     lock;
	bool                    started;  /* libgit2 has to be shut down */
	bool                    damaged;  /* libgit2 failed: the cache may be damaged */
	char                    mark[PATH_MAX];
	char                   *error;
	size_t                  error_size;
};

/*
 * Sets the error and returns -1. Paths come from titles that users chose, so control characters are
 * replaced.
 */
static int __attribute__((format(printf, 2, 3)))
fail_build(struct commit_builder *m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(m->error, m->error_size, fmt, ap);
	va_end(ap);
	git_scrub(m->error, NULL, 0);
	return -1;
}

/* Call it right after the failing call: libgit2 keeps only its last error. */
static int
fail_build_git(struct commit_builder *m, const char *what)
{
	const git_error *e = git_error_last();

	m->damaged = true;
	return fail_build(m, "%s: %.300s", what, e == NULL || e->message == NULL ? "unknown error" : e->message);
}

/* True if git would refuse the path, or if a checkout would write outside of the work tree. */
static bool
path_harmful(const char *path)
{
	const char *part = path, *end;
	int depth = 0;
	size_t n;

	for (;; part = end + 1) {
		end = strchrnul(part, '/');
		n = (size_t)(end - part);
		if (n == 0 || ++depth > PATH_DEPTH || (n == 1 && part[0] == '.') ||
		    /*
		     * On file systems that ignore case, .GIT is .git, so a clone would get hooks
		     * from there (CVE-2014-9390).
		     */
		    (n == 2 && memcmp(part, "..", 2) == 0) || (n == 4 && strncasecmp(part, ".git", 4) == 0))
			return true;
		if (*end == '\0')
			return false;
	}
}

static int
by_path(const void *x, const void *y)
{
	return strcmp(((const struct git_edit *)x)->path, ((const struct git_edit *)y)->path);
}

static int edit_tree(struct commit_builder *m, const git_oid *old, const struct git_edit *edits, size_t n, size_t at,
    git_oid *out, bool *empty);

/*
 * Applies an edit to one file of a folder. An existing file keeps its mode, such as an
 * executable's; a symlink becomes a file, because the new bytes are no target path.
 */
static int
edit_blob(struct commit_builder *m, git_treebuilder *into, const struct git_edit *e, const char *name)
{
	const git_tree_entry *was = git_treebuilder_get(into, name);
	git_filemode_t mode = e->mode != 0 ? (git_filemode_t)e->mode : GIT_FILEMODE_BLOB;
	git_oid oid;

	if (e->gone)
		/* Removing a missing file is no error. */
		return was == NULL || git_treebuilder_remove(into, name) == 0 ? 0 :
		    fail_build_git(m, "a file cannot be taken out of the tree");
	/* Replacing the folder would silently drop all of its files. */
	if (was != NULL && git_tree_entry_type(was) == GIT_OBJECT_TREE)
		return fail_build(m, "%.300s is a folder in the repository: rename the page or file that goes there", e->path);
	if (e->mode == 0 && was != NULL && git_tree_entry_type(was) == GIT_OBJECT_BLOB &&
	    git_tree_entry_filemode(was) != GIT_FILEMODE_LINK)
		mode = git_tree_entry_filemode(was);
	if (e->oid != NULL ? git_oid_fromstr(&oid, e->oid) != 0 :
	    git_blob_create_from_buffer(&oid, m->repo, e->bytes.n == 0 ? "" : e->bytes.p, e->bytes.n) != 0)
		return fail_build_git(m, "a file cannot be written");
	if (git_treebuilder_insert(NULL, into, name, &oid, mode) != 0)
		return fail_build_git(m, "a file cannot be put into the tree");
	return 0;
}

/* Applies the edits below the folder `name`. A folder without files is removed. */
static int
edit_folder(struct commit_builder *m, git_treebuilder *into, const char *name, const struct git_edit *edits, size_t n,
    size_t at)
{
	const git_tree_entry *was = git_treebuilder_get(into, name);
	git_oid sub, old;
	/*
	 * If `name` is a file or submodule so far, start with an empty tree; whether it may be
	 * replaced is checked below.
	 */
	bool empty, is_tree = was != NULL && git_tree_entry_type(was) == GIT_OBJECT_TREE;

	if (is_tree)
		/* The id is copied, because the builder owns the entry, and removing or inserting frees it. */
		old = *git_tree_entry_id(was);
	if (edit_tree(m, is_tree ? &old : NULL, edits, n, at, &sub, &empty) != 0)
		return -1;
	if (empty)
		return !is_tree || git_treebuilder_remove(into, name) == 0 ? 0 :
		    fail_build_git(m, "a folder cannot be taken out of the tree");
	if (was != NULL && !is_tree)
		return fail_build(m, "%.300s needs a folder, and the repository has a file of that name: rename one of them",
		    edits[0].path);
	if (git_treebuilder_insert(NULL, into, name, &sub, GIT_FILEMODE_TREE) != 0)
		return fail_build_git(m, "a folder cannot be put into the tree");
	return 0;
}

/*
 * Applies the edits of one tree. at: offset at which paths relative to this tree begin. Removals
 * are done first, since a file may have to be removed before a folder of the same name is added.
 */
static int
edit_entries(struct commit_builder *m, git_treebuilder *b, const struct git_edit *edits, size_t n, size_t at, bool gone)
{
	char name[4096];
	const char *part, *end;
	size_t i, k;

	for (i = 0; i < n; i = k) {
		part = edits[i].path + at;
		end = strchrnul(part, '/');
		k = i + 1;
		if ((size_t)(end - part) >= sizeof(name))
			return fail_build(m, "a path is too long: %.100s", edits[i].path);
		snprintf(name, sizeof(name), "%.*s", (int)(end - part), part);
		if (*end == '\0') {
			if (edits[i].gone == gone && edit_blob(m, b, &edits[i], name) != 0)
				return -1;
			continue;
		}
		/*
		 * Compare the slash as well: all edits of one folder share that prefix, so they are
		 * neighbours.
		 */
		while (k < n && strncmp(edits[k].path + at, part, (size_t)(end - part) + 1) == 0)
			k++;
		if (!gone && edit_folder(m, b, name, edits + i, k - i, at + (size_t)(end - part) + 1) != 0)
			return -1;
	}
	return 0;
}

/*
 * Writes the edited tree; old NULL: from an empty one. Only folders with edits are read and
 * written; all others keep their id. *empty: git has no empty folders, so the caller removes the
 * entry.
 */
static int
edit_tree(struct commit_builder *m, const git_oid *old, const struct git_edit *edits, size_t n, size_t at, git_oid *out,
    bool *empty)
{
	git_treebuilder *b = NULL;
	libgit2_tree *tree = NULL;
	int e = -1;

	if ((old != NULL && git_tree_lookup(&tree, m->repo, old) != 0) ||
	    git_treebuilder_new(&b, m->repo, tree) != 0) {
		fail_build_git(m, "a folder of the commit cannot be read");
		goto out;
	}
	/* Two rounds: removals, then all other edits. */
	if (edit_entries(m, b, edits, n, at, true) != 0 || edit_entries(m, b, edits, n, at, false) != 0)
		goto out;
	*empty = git_treebuilder_entrycount(b) == 0;
	e = git_treebuilder_write(out, b);
	if (e != 0)
		fail_build_git(m, "a folder cannot be written");
out:
	git_treebuilder_free(b);
	git_tree_free(tree);
	return e;
}

static int
commit_tree(struct commit_builder *m, const char *hex, git_oid *tree)
{
	git_commit *c = NULL;
	git_oid oid;

	if (git_oid_fromstr(&oid, hex) != 0 || git_commit_lookup(&c, m->repo, &oid) != 0)
		return fail_build_git(m, "the commit cannot be read");
	*tree = *git_commit_tree_id(c);
	git_commit_free(c);
	return 0;
}

/* Replaces control characters and angle brackets, which git does not allow in names. */
static int
make_signature(struct commit_builder *m, const struct git_person *p, git_signature **out)
{
	char name[300], email[300];
	char *const texts[] = { name, email };
	size_t i, k;

	snprintf(name, sizeof(name), "%s", p->name);
	snprintf(email, sizeof(email), "%s", p->email);
	for (k = 0; k < 2; k++)
		for (i = 0; texts[k][i] != '\0'; i++)
			/*
			 * They would end the field in the commit's header, and let a name forge an
			 * e-mail address.
			 */
			if ((unsigned char)texts[k][i] < ' ' || strchr("<>", texts[k][i]) != NULL)
				texts[k][i] = ' ';
	/*
	 * libgit2 trims these characters from both ends of a name and refuses an empty rest. Offset
	 * 0: times are in UTC.
	 */
	if (git_signature_new(out, name[strspn(name, " .,:;\"'")] == '\0' ? "Octavo" : name, email, p->at / 1000, 0) != 0)
		return fail_build_git(m, "a person of the commit cannot be written");
	return 0;
}

static int
write_commit(struct commit_builder *m, const git_oid *tree_id, char *commit)
{
	const struct git_edits *q = m->q;
	git_signature *author = NULL, *committer = NULL;
	git_commit *parents[2] = { NULL, NULL };
	libgit2_tree *tree = NULL;
	git_oid oid;
	size_t n = 0;
	int e = -1;

	for (; n < 2 && q->parents[n] != NULL; n++)
		if (git_oid_fromstr(&oid, q->parents[n]) != 0 || git_commit_lookup(&parents[n], m->repo, &oid) != 0) {
			fail_build_git(m, "the commit before cannot be read");
			goto out;
		}
	if (make_signature(m, &q->author, &author) != 0 || make_signature(m, &q->committer, &committer) != 0)
		goto out;
	e = git_tree_lookup(&tree, m->repo, tree_id);
	if (e == 0)
		/*
		 * No reference is updated: several spaces make commits in one cache under the
		 * shared lock, and a push names its commit itself.
		 */
		e = git_commit_create(&oid, m->repo, NULL, author, committer, NULL, q->message, tree, n,
		    (const git_commit **)parents);
	if (e == 0)
		git_oid_tostr(commit, GIT_OID_HEXSZ + 1, &oid);
	else
		fail_build_git(m, "the commit cannot be written");
out:
	git_commit_free(parents[0]);
	git_commit_free(parents[1]);
	git_signature_free(author);
	git_signature_free(committer);
	git_tree_free(tree);
	return e;
}

static int
make_commit(struct commit_builder *m, char *commit)
{
	const struct git_edits *q = m->q;
	git_oid old, new;
	bool empty;
	size_t i;

	for (i = 0; i < q->count; i++)
		if (path_harmful(q->list[i].path))
			return fail_build(m, "no repository can hold a file of this name: %.200s", q->list[i].path);
	/* Sort, so that edits of one folder are neighbours, and so are equal paths. */
	sort_list(q->list, q->count, sizeof(*q->list), by_path);
	for (i = 1; i < q->count; i++)
		if (strcmp(q->list[i - 1].path, q->list[i].path) == 0)
			return fail_build(m, "a file is written twice: %.200s", q->list[i].path);
	if (q->tree_of != NULL && commit_tree(m, q->tree_of, &old) != 0)
		return -1;
	if (edit_tree(m, q->tree_of != NULL ? &old : NULL, q->list, q->count, 0, &new, &empty) != 0)
		return -1;
	/*
	 * No empty commit is made, because every run of a binding would add one. A merge is made
	 * even if it changes no file.
	 */
	if (q->tree_of != NULL && q->parents[1] == NULL && git_oid_equal(&old, &new)) {
		snprintf(commit, GIT_OID_HEXSZ + 1, "%s", q->tree_of);
		return 0;
	}
	return write_commit(m, &new, commit);
}

/*
 * The shared lock is enough: libgit2 writes a loose object under a temporary name and renames it,
 * and objects are removed only under the exclusive lock.
 */
static int
builder_open(struct commit_builder *m, const char *cache)
{
	m->lock = git_cache_lock(cache, LOCK_SH);
	m->started = m->lock >= 0 && git_library_start();
	if (!m->started || git_repository_open_bare(&m->repo, cache) != 0)
		return fail_build_git(m, "the repository's cache cannot be opened");
	/* builder_sync() syncs once, instead of twice for each object. */
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 0);
	return 0;
}

static void
builder_close(struct commit_builder *m)
{
	git_repository_free(m->repo);
	/*
	 * libgit2 counts initialisations: one shutdown too many would end the library for a tree
	 * that is still open.
	 */
	if (m->started)
		git_libgit2_shutdown();
	if (m->lock >= 0)
		close(m->lock);
}

/*
 * Until builder_sync(), a marker tells the next fetch that loose objects of the cache may not be on
 * disk. After a power failure such a file may be empty or truncated; libgit2 takes any file of that
 * name for the object (it does not compare the content), and version 1.5 reads some of them in an
 * endless loop.
 */
static int
builder_begin(struct commit_builder *m, const char *cache)
{
	int fd;

	snprintf(m->mark, sizeof(m->mark), "%s/" GIT_UNSYNCED "%ld", cache, (long)getpid());
	fd = open(m->mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return fail_build(m, "the repository's cache cannot be written: %s", strerror(errno));
	close(fd);
	return 0;
}

/*
 * Syncs the whole file system, like the blob store (store/blob.c): one call for any number of
 * objects and their folders.
 */
static int
builder_sync(struct commit_builder *m)
{
	if (syncfs(m->lock) != 0)
		return fail_build(m, "the repository's cache cannot be written to disk: %s", strerror(errno));
	unlink(m->mark);
	return 0;
}

bool
git_make_commit(const struct git_edits *q, char commit[41], bool *damaged, char *error, size_t error_size)
{
	struct commit_builder m = { .q = q, .lock = -1, .error = error, .error_size = error_size };
	bool ok = false;

	if (builder_open(&m, q->cache) == 0 && builder_begin(&m, q->cache) == 0) {
		ok = make_commit(&m, commit) == 0;
		/* The objects are also synced after a failure, because they may be used again. */
		ok = builder_sync(&m) == 0 && ok;
	}
	builder_close(&m);
	*damaged = !ok && m.damaged;
	return ok;
}

/* False also if a commit is unknown or the cache cannot be read. */
bool
git_has_ancestor(const char *cache, const char *commit, const char *ancestor)
{
	struct commit_builder m = { .lock = -1, .error = (char[1]){ "" }, .error_size = 1 };
	git_oid x, y;
	bool yes = false;

	if (strcmp(commit, ancestor) == 0)
		return true;
	if (builder_open(&m, cache) == 0 && git_oid_fromstr(&x, commit) == 0 && git_oid_fromstr(&y, ancestor) == 0)
		yes = git_graph_descendant_of(m.repo, &x, &y) == 1;
	builder_close(&m);
	return yes;
}

/* Walks the whole history of a commit; reads only the commit objects. */
static bool
history_whole(git_repository *repo, const git_oid *commit)
{
	git_revwalk *walk = NULL;
	git_oid oid;
	int e = git_revwalk_new(&walk, repo);

	if (e == 0)
		e = git_revwalk_push(walk, commit);
	while (e == 0)
		e = git_revwalk_next(&oid, walk);
	git_revwalk_free(walk);
	return e == GIT_ITEROVER;
}

bool
git_cache_whole(const char *cache, const char *commit)
{
	struct commit_builder m = { .lock = -1, .error = (char[1]){ "" }, .error_size = 1 };
	git_oid oid;
	bool yes;

	yes = builder_open(&m, cache) == 0 && git_oid_fromstr(&oid, commit) == 0 &&
	    git_cache_complete(m.repo, &oid, 0) && history_whole(m.repo, &oid);
	builder_close(&m);
	return yes;
}
