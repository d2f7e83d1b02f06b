/*
 * Finds when each file got its present content: the newest commit of the history in which no parent
 * has the same content at the path. Folders that a commit shares with its parent are not read, so a
 * commit costs as much as it changed. Both the number of commits and the number of comparisons are
 * bounded, because a repository may be made to be slow.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/map.h"
#include "git_parts.h"

/*
 * DATE_DEPTH is like TREE_DEPTH of git_tree.c; the other bounds limit one import to some seconds.
 */
enum { DATE_DEPTH = 100, DATE_COMMITS = 200000, DATE_ENTRIES = 20000000, PATH_ROOM = 4096 };

struct date_search {
	git_repository   *repo;
	struct map       *wanted;     /* path -> struct git_dated, of files without a date yet */
	size_t            left;       /* number of files without a date yet */
	size_t            entries;    /* number of tree entries compared so far, at most DATE_ENTRIES */
	git_commit       *commit;     /* the one that is compared with its first parent, and its time */
	int64_t           at;
	char              path[PATH_ROOM];   /* of the entry that is compared */
};

/* True if another parent of the commit has the same content at the path. */
static bool
other_parent_has(struct date_search *d, const char *path, const char *oid)
{
	unsigned n = git_commit_parentcount(d->commit), k;
	bool has = false;

	for (k = 1; k < n && !has; k++) {
		git_commit *parent = NULL;
		libgit2_tree *tree = NULL;
		git_tree_entry *e = NULL;
		char hex[41] = "";

		if (git_commit_parent(&parent, d->commit, k) == 0 && git_commit_tree(&tree, parent) == 0 &&
		    git_tree_entry_bypath(&e, tree, path) == 0)
			git_oid_tostr(hex, sizeof(hex), git_tree_entry_id(e));
		has = strcmp(hex, oid) == 0;
		git_tree_entry_free(e);
		git_tree_free(tree);
		git_commit_free(parent);
	}
	return has;
}

static void
date_file(struct date_search *d, const git_oid *oid)
{
	struct git_dated *f = map_get(d->wanted, str_of(d->path));
	char hex[41];

	if (f == NULL || f->at != 0)
		return;
	git_oid_tostr(hex, sizeof(hex), oid);
	/*
	 * The file must have its present content: on another line of the history it had content
	 * that a merge dropped.
	 */
	if (strcmp(hex, f->oid) != 0 || other_parent_has(d, d->path, hex))
		return;
	f->at = d->at;
	d->left--;
}

static void compare_trees(struct date_search *d, const git_oid *now, const git_oid *before, size_t n, int depth);

/* Compares an entry of the commit with its parent's entry of that name; NULL: none. */
static void
compare_entry(struct date_search *d, const git_tree_entry *now, const git_tree_entry *before, size_t n, int depth)
{
	const char *name = git_tree_entry_name(now);
	size_t len = strlen(name);

	if (before != NULL && git_oid_equal(git_tree_entry_id(now), git_tree_entry_id(before)))
		return;
	if (n + len + 2 > PATH_ROOM)
		return;
	memcpy(d->path + n, name, len + 1);
	if (git_tree_entry_type(now) != GIT_OBJECT_TREE) {
		date_file(d, git_tree_entry_id(now));
		return;
	}
	memcpy(d->path + n + len, "/", 2);
	compare_trees(d, git_tree_entry_id(now), before != NULL && git_tree_entry_type(before) == GIT_OBJECT_TREE ?
	    git_tree_entry_id(before) : NULL, n + len + 1, depth + 1);
}

static void
compare_trees(struct date_search *d, const git_oid *now, const git_oid *before, size_t n, int depth)
{
	libgit2_tree *x = NULL, *y = NULL;
	const git_tree_entry *e;
	size_t i, count;

	if (depth > DATE_DEPTH || git_tree_lookup(&x, d->repo, now) != 0)
		return;
	if (before != NULL && git_tree_lookup(&y, d->repo, before) != 0)
		y = NULL;
	count = git_tree_entrycount(x);
	d->entries += count;
	for (i = 0; i < count && d->left > 0 && d->entries < DATE_ENTRIES; i++) {
		e = git_tree_entry_byindex(x, i);
		compare_entry(d, e, y == NULL ? NULL : git_tree_entry_byname(y, git_tree_entry_name(e)), n, depth);
	}
	git_tree_free(x);
	git_tree_free(y);
}

static void
date_commit(struct date_search *d, const git_oid *oid)
{
	git_commit *parent = NULL;

	if (git_commit_lookup(&d->commit, d->repo, oid) != 0)
		return;
	d->at = (int64_t)git_commit_author(d->commit)->when.time * 1000;
	if (git_commit_parentcount(d->commit) > 0 && git_commit_parent(&parent, d->commit, 0) != 0)
		parent = NULL;
	compare_trees(d, git_commit_tree_id(d->commit), parent == NULL ? NULL : git_commit_tree_id(parent), 0, 0);
	git_commit_free(parent);
	git_commit_free(d->commit);
}

static void
date_all(struct date_search *d, const git_oid *tip)
{
	git_revwalk *walk = NULL;
	git_oid oid;
	size_t n;

	if (git_revwalk_new(&walk, d->repo) == 0 && git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME) == 0 &&
	    git_revwalk_push(walk, tip) == 0)
		for (n = 0; n < DATE_COMMITS && d->left > 0 && d->entries < DATE_ENTRIES &&
		    git_revwalk_next(&oid, walk) == 0; n++)
			date_commit(d, &oid);
	git_revwalk_free(walk);
}

void
git_date_files(struct arena *a, const char *cache, const char *commit, struct git_dated *list, size_t n)
{
	struct date_search *d = arena_alloc(a, sizeof(*d));
	int lock = git_cache_lock(cache, LOCK_SH);
	git_oid tip;
	size_t i;

	if (lock < 0)
		return;
	if (git_library_start()) {
		*d = (struct date_search){ .wanted = map_new(a), .left = n };
		for (i = 0; i < n; i++) {
			list[i].at = 0;
			map_add(d->wanted, str_of(list[i].path), &list[i]);
		}
		if (git_repository_open_bare(&d->repo, cache) == 0 && git_oid_fromstr(&tip, commit) == 0)
			date_all(d, &tip);
		git_repository_free(d->repo);
		git_libgit2_shutdown();
	}
	close(lock);
}
