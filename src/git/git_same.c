/*
 * Compares the file names of two commits. Reads only folders that differ, so the cost depends on
 * the difference.
 */
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "git_parts.h"

/* Like TREE_DEPTH of git_tree.c: deeper trees are never imported. */
enum { SAME_DEPTH = 100 };

static bool same_tree(git_repository *repo, const git_oid *one, const git_oid *other, int depth);

static bool
same_entry(git_repository *repo, const git_tree_entry *x, const git_tree_entry *y, int depth)
{
	if (git_tree_entry_filemode(x) != git_tree_entry_filemode(y) ||
	    strcmp(git_tree_entry_name(x), git_tree_entry_name(y)) != 0)
		return false;
	return git_tree_entry_type(x) != GIT_OBJECT_TREE ||
	    same_tree(repo, git_tree_entry_id(x), git_tree_entry_id(y), depth + 1);
}

/* Entries of a tree are sorted, so equal names are at the same position. */
static bool
same_tree(git_repository *repo, const git_oid *one, const git_oid *other, int depth)
{
	libgit2_tree *x = NULL, *y = NULL;
	size_t i, n;
	bool same;

	if (git_oid_equal(one, other))
		return true;
	same = depth <= SAME_DEPTH && git_tree_lookup(&x, repo, one) == 0 && git_tree_lookup(&y, repo, other) == 0;
	n = same ? git_tree_entrycount(x) : 0;
	same = same && n == git_tree_entrycount(y);
	for (i = 0; i < n && same; i++)
		same = same_entry(repo, git_tree_entry_byindex(x, i), git_tree_entry_byindex(y, i), depth);
	git_tree_free(x);
	git_tree_free(y);
	return same;
}

static bool
root_tree(git_repository *repo, const char *hex, git_oid *tree)
{
	git_commit *c = NULL;
	git_oid oid;

	if (git_oid_fromstr(&oid, hex) != 0 || git_commit_lookup(&c, repo, &oid) != 0)
		return false;
	*tree = *git_commit_tree_id(c);
	git_commit_free(c);
	return true;
}

bool
git_same_names(const char *cache, const char *one, const char *other)
{
	int lock = git_cache_lock(cache, LOCK_SH);
	git_repository *repo = NULL;
	git_oid x, y;
	bool same;

	if (lock < 0)
		return false;
	if (!git_library_start()) {
		close(lock);
		return false;
	}
	same = git_repository_open_bare(&repo, cache) == 0 && root_tree(repo, one, &x) && root_tree(repo, other, &y) &&
	    same_tree(repo, &x, &y, 0);
	git_repository_free(repo);
	git_libgit2_shutdown();
	close(lock);
	return same;
}
