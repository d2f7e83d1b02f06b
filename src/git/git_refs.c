/*
 * Chooses the ref of the remote that a request names.
 *
 * libgit2 treats a missing ref as a success without objects. So the ref is chosen here from the
 * list of the remote. A missing ref is an error, and its message names the existing branches.
 */
#include <stdio.h>
#include <string.h>

#include "git_parts.h"

static const char branches[] = "refs/heads/";

/* Linear search: called a few times for each fetch, and the list is in the server's order. */
static const git_remote_head *
head_find(const git_remote_head *const *heads, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(heads[i]->name, name) == 0)
			return heads[i];
	return NULL;
}

/*
 * False if the name does not fit into f->ref. A request cannot have such a name (git_refuse_ref()
 * allows 200 bytes), only a server's HEAD.
 */
static bool
head_take(struct git_fetching *f, const git_remote_head *head, const char *name)
{
	if (strlen(name) >= sizeof(f->ref)) {
		git_fault(f, GIT_NO_REF, "the name of the repository's main branch is too long (%.60s...): say which to take",
		    name);
		return false;
	}
	snprintf(f->ref, sizeof(f->ref), "%s", name);
	f->tip = head->oid;
	return true;
}

/* Records the error, with the branches that exist. */
static bool
head_missing(struct git_fetching *f, const git_remote_head *const *heads, size_t count, const char *what)
{
	/*
	 * Five names and 200 bytes are enough to notice a typing error; a repository may have
	 * thousands of branches, and the message is one line.
	 */
	char names[200] = "";
	size_t i, n = 0, shown = 0;

	for (i = 0; i < count && shown < 5; i++) {
		const char *name = heads[i]->name;

		if (strncmp(name, branches, strlen(branches)) != 0 || strlen(name) + n + 3 > sizeof(names))
			continue;
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s", n == 0 ? "" : ", ", name + strlen(branches));
		shown++;
	}
	git_fault(f, GIT_NO_REF, "%s%s%s", what, n == 0 ? "" : "; its branches: ", names);
	return false;
}

/*
 * Chooses the branch that HEAD names. If the server does not say which, a branch at the same
 * commit, main and master first.
 */
static bool
choose_head(struct git_fetching *f, const git_remote_head *const *heads, size_t count)
{
	static const char *const usual[] = { "refs/heads/main", "refs/heads/master" };
	const git_remote_head *head = head_find(heads, count, "HEAD"), *h;
	size_t i;

	/* Servers do not list HEAD if its branch has no commit. */
	if (head == NULL)
		return head_missing(f, heads, count, "the repository's HEAD names a branch that does not exist; say which to take");
	/*
	 * The symref capability (gitprotocol-capabilities) names the branch of HEAD. The server's
	 * name is used only if it is in the list.
	 */
	if (head->symref_target != NULL && head_find(heads, count, head->symref_target) != NULL)
		return head_take(f, head, head->symref_target);
	for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		h = head_find(heads, count, usual[i]);
		if (h != NULL && git_oid_equal(&h->oid, &head->oid))
			return head_take(f, h, h->name);
	}
	for (i = 0; i < count; i++)
		if (git_oid_equal(&heads[i]->oid, &head->oid) && strncmp(heads[i]->name, branches, strlen(branches)) == 0)
			return head_take(f, heads[i], heads[i]->name);
	/* A detached HEAD at no branch's commit: the commit can be fetched. */
	return head_take(f, head, "HEAD");
}

/*
 * True for forty hex digits. A branch may have such a name, so the list was searched first; this
 * only selects the message.
 */
static bool
is_commit_id(const char *s)
{
	return strlen(s) == 40 && strspn(s, "0123456789abcdefABCDEF") == 40;
}

bool
git_choose_ref(struct git_fetching *f, const git_remote_head *const *heads, size_t count)
{
	/*
	 * The order that git_request.ref promises: branches, then tags. git itself prefers tags
	 * (gitrevisions(7)), but content is written on branches.
	 */
	static const char *const prefixes[] = { branches, "refs/tags/", "refs/" };
	const char *ref = f->q->ref;
	const git_remote_head *h;
	char name[256], what[300];
	size_t i;
	bool full;

	if (count == 0)
		return head_missing(f, heads, count, "the repository is empty: nothing has been pushed to it yet");
	if (ref == NULL || strcmp(ref, "HEAD") == 0)
		return choose_head(f, heads, count);
	full = strncmp(ref, "refs/", 5) == 0;
	h = full ? head_find(heads, count, ref) : NULL;
	for (i = 0; h == NULL && !full && i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", prefixes[i], ref);
		h = head_find(heads, count, name);
	}
	if (h != NULL)
		return head_take(f, h, h->name);
	snprintf(what, sizeof(what), is_commit_id(ref) ? "a commit cannot be fetched by its id (%s): name a branch or a tag" :
	    "the repository has no branch or tag %s", ref);
	return head_missing(f, heads, count, what);
}
