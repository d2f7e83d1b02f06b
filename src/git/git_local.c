/*
 * Fetches from a repository on this machine.
 *
 * libgit2's own transport for local paths would send every ref of the repository. This file copies
 * only the chosen one, as a pack that the cache indexes like a pack from the network, within the
 * same limits.
 *
 * If only a part of the file system may be read (file_root), it is not enough to check the path of
 * the repository: a .git file, symlinks or "alternates" can point out of it. All of these must stay
 * below the root as well. A user who may write there could still swap a directory between the check
 * and its use; file_root is meant for folders that the admin fills.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "git_parts.h"

/*
 * Records what is wrong with a path that is no directory. A bundle is named as such, since admins
 * try to import bundles. O_NONBLOCK: a FIFO at that path must not block the child.
 */
static int
fault_file(struct git_fetching *f)
{
	char head[16] = "";
	int fd = open(f->local, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof(head) - 1);

	if (fd >= 0)
		close(fd);
	if (n > 0 && strstr(head, "git bundle") != NULL)
		return git_fault(f, GIT_NOT_FOUND, "that path is a git bundle; make a repository of it first"
		    " (git clone --mirror FILE.bundle DIR.git) and import that");
	return git_fault(f, GIT_NOT_FOUND, "that path is a file, not a git repository");
}

static int
fault_outside(struct git_fetching *f)
{
	return git_fault(f, GIT_BAD_URL,
	    "the repository refers to files outside the folder that repositories may be imported from");
}

/* True if dir/name is missing or its real path is below the root. */
static bool
stays_below(const struct git_fetching *f, const char *dir, const char *name)
{
	char path[PATH_MAX], real[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (lstat(path, &st) != 0)
		return true;
	return realpath(path, real) != NULL && git_path_below(real, f->root);
}

static int
check_confined(struct git_fetching *f, git_repository *src)
{
	/*
	 * The places at which libgit2 follows symlinks (gitrepository-layout(5)). "." is the
	 * directory that a .git file, or the commondir of a work tree, names.
	 */
	static const char *const names[] = { ".", "HEAD", "objects", "objects/pack", "objects/info", "refs",
		"refs/heads", "refs/tags", "packed-refs" };
	const char *dirs[] = { git_repository_path(src), git_repository_commondir(src) };
	char alternates[PATH_MAX];
	size_t i, k;

	/*
	 * The admin's own command may read every path (docs/design/import.md, "What an import
	 * refuses").
	 */
	if (f->root[0] == '\0')
		return 0;
	for (k = 0; k < sizeof(dirs) / sizeof(dirs[0]); k++)
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (!stays_below(f, dirs[k], names[i]))
				return fault_outside(f);
	snprintf(alternates, sizeof(alternates), "%s/objects/info/alternates", git_repository_commondir(src));
	/*
	 * A repository with alternates is refused, and the file is not parsed, because it may name
	 * a further repository with alternates of its own.
	 */
	if (access(alternates, F_OK) == 0)
		return git_fault(f, GIT_BAD_URL, "the repository borrows objects from another one (alternates);"
		    " run git repack -a in it and remove objects/info/alternates");
	return 0;
}

/*
 * Reads the path that follows `words` in one of git's files; it is relative to dir. False: there is
 * no such file.
 */
static bool
path_in(const char *dir, const char *name, const char *words, char out[PATH_MAX])
{
	char path[PATH_MAX], line[PATH_MAX] = "";
	size_t n = strlen(words);
	FILE *file;

	snprintf(path, sizeof(path), "%.4000s/%s", dir, name);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	if (fgets(line, sizeof(line), file) == NULL)
		line[0] = '\0';
	fclose(file);
	line[strcspn(line, "\r\n")] = '\0';
	if (strncmp(line, words, n) != 0 || line[n] == '\0')
		return false;
	snprintf(out, PATH_MAX, "%.2000s%s%.2000s", line[n] == '/' ? "" : dir, line[n] == '/' ? "" : "/", line + n);
	return true;
}

/*
 * Finds the directory that contains the configuration: the bare repository itself; .git below the
 * work tree; or, if .git is a file, the directory that it names (linked work trees, submodules;
 * gitrepository-layout(5)). False: there is none, or it is not below the root.
 */
static bool
config_dir(const struct git_fetching *f, char dir[PATH_MAX])
{
	char path[PATH_MAX], common[PATH_MAX];

	snprintf(dir, PATH_MAX, "%.4000s", f->local);
	snprintf(path, sizeof(path), "%.4000s/config", dir);
	if (access(path, R_OK) != 0) {
		if (!path_in(f->local, ".git", "gitdir: ", dir))
			snprintf(dir, PATH_MAX, "%.4000s/.git", f->local);
		else if (path_in(dir, "commondir", "", common))
			snprintf(dir, PATH_MAX, "%s", common);
	}
	return f->root[0] == '\0' || stays_below(f, dir, "config");
}

/* NULL: it cannot be read. */
static git_config *
local_config(const struct git_fetching *f)
{
	char dir[PATH_MAX], path[PATH_MAX];
	git_config *config = NULL;

	if (!config_dir(f, dir))
		return NULL;
	snprintf(path, sizeof(path), "%.4000s/config", dir);
	return access(path, R_OK) == 0 && git_config_open_ondisk(&config, path) == 0 ? config : NULL;
}

static int
note_promisor(const git_config_entry *e, void *partial)
{
	int is = 0;

	if (git_config_parse_bool(&is, e->value) == 0 && is)
		*(bool *)partial = true;
	return 0;
}

/*
 * Recognises repositories that libgit2 1.5 cannot read. It does not notice SHA-256, and notices
 * only while packing that a partial clone lacks objects.
 */
static int
fault_unreadable(struct git_fetching *f)
{
	git_config *config = local_config(f), *now = NULL;
	const char *format;
	bool partial = false;
	int e = 0;

	if (config == NULL)
		return 0;
	if (git_config_snapshot(&now, config) == 0) {
		if (git_config_get_string(&format, now, "extensions.objectformat") == 0 && strcmp(format, "sha1") != 0)
			e = git_fault(f, GIT_NOT_FOUND, GIT_OTHER_IDS, git_ids_named(str_of(format)));
		if (e == 0)
			git_config_foreach_match(now, "^remote\\..*\\.promisor$", note_promisor, &partial);
		if (git_config_get_string(&format, now, "extensions.partialclone") == 0)
			partial = true;
		if (e == 0 && partial)
			e = git_fault(f, GIT_NOT_FOUND, GIT_PARTIAL);
	}
	git_config_free(now);
	git_config_free(config);
	return e;
}

int
git_local_check(struct git_fetching *f)
{
	git_repository *src;
	struct stat st;
	int e;

	if (stat(f->local, &st) != 0)
		return git_fault(f, GIT_NOT_FOUND, "there is nothing at that path");
	if (!S_ISDIR(st.st_mode))
		return fault_file(f);
	if ((e = fault_unreadable(f)) != 0)
		return e;
	/*
	 * NO_SEARCH: otherwise libgit2 would open a repository in a parent folder, which may be
	 * outside of the root.
	 */
	e = git_repository_open_ext(&src, f->local, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
	if (e != 0)
		return git_fault(f, GIT_NOT_FOUND, "there is no git repository at that path");
	e = check_confined(f, src);
	/* Parents of the oldest commits are missing, so the walk that fills the pack would fail. */
	if (e == 0 && git_repository_is_shallow(src) == 1)
		e = git_fault(f, GIT_NOT_FOUND, "that repository is a shallow clone; run git fetch --unshallow in it first");
	git_repository_free(src);
	return e;
}

/*
 * Passes a pack from the builder to the cache's indexer in pieces, so that it is never whole in
 * memory. The builder emits a piece for each object or more, and the indexer maps a part of its
 * file for each piece. Small pieces are therefore collected first: otherwise mapping would take
 * longer than all the rest.
 */
enum { PIECE = 1 << 20 };

struct copy {
	git_odb_writepack   *pack;
	git_indexer_progress stats;
	char                *piece;     /* PIECE bytes */
	size_t               collected;
};

static int
copy_collected(struct copy *c)
{
	size_t n = c->collected;

	/* The indexer counts objects but not bytes; git_progress() limits both. */
	c->stats.received_bytes += n;
	c->collected = 0;
	return n == 0 ? 0 : c->pack->append(c->pack, c->piece, n, &c->stats);
}

static int
copy_chunk(void *data, size_t n, void *payload)
{
	struct copy *c = payload;
	const char *p = data;
	size_t part;
	int e = 0;

	for (; e == 0 && n > 0; p += part, n -= part) {
		part = n < PIECE - c->collected ? n : PIECE - c->collected;
		memcpy(c->piece + c->collected, p, part);
		c->collected += part;
		if (c->collected == PIECE)
			e = copy_collected(c);
	}
	return e;
}

/* Excludes from the pack what the last fetch got, if the source still has that commit. */
static int
hide_known(git_revwalk *walk, git_repository *src, git_repository *cache)
{
	git_object *old = NULL;
	git_oid oid;
	git_odb *odb;
	int e;

	/* The cache is empty, or its tip is damaged, so everything is packed. */
	if (git_reference_name_to_id(&oid, cache, GIT_CACHE_TIP) != 0)
		return 0;
	e = git_repository_odb(&odb, src);
	if (e != 0)
		return e;
	/*
	 * After a force-push and a gc the source may no longer have the old tip, and hiding a
	 * commit that it does not have is an error. If the tip is a tag object, nothing is hidden,
	 * and more than needed is copied.
	 */
	if (git_odb_exists(odb, &oid) == 1 && git_object_lookup(&old, src, &oid, GIT_OBJECT_COMMIT) == 0)
		e = git_revwalk_hide(walk, &oid);
	git_object_free(old);
	git_odb_free(odb);
	return e;
}

/* Adds the tip and its history to pb. */
static int
pack_fill(struct git_fetching *f, git_packbuilder *pb, git_repository *src, git_repository *cache)
{
	git_object *tip = NULL, *commit = NULL;
	git_revwalk *walk = NULL;
	int e = git_object_lookup(&tip, src, &f->tip, GIT_OBJECT_ANY);

	if (e != 0)
		goto out;
	/* Add a tag object itself; the walk adds the commit that it points to. */
	if (git_object_type(tip) != GIT_OBJECT_COMMIT)
		e = git_packbuilder_insert(pb, &f->tip, NULL);
	/*
	 * A tag of something else than a commit is copied as it is; accept_tip() (git_transfer.c)
	 * refuses it with a message.
	 */
	if (e != 0 || git_object_peel(&commit, tip, GIT_OBJECT_COMMIT) != 0)
		goto out;
	e = git_revwalk_new(&walk, src);
	if (e == 0)
		e = git_revwalk_push(walk, git_object_id(commit));
	if (e == 0)
		e = hide_known(walk, src, cache);
	if (e == 0)
		e = git_packbuilder_insert_walk(pb, walk);
out:
	git_revwalk_free(walk);
	git_object_free(commit);
	git_object_free(tip);
	return e;
}

static int
pack_send(struct git_fetching *f, git_packbuilder *pb, git_repository *cache)
{
	struct copy c = { 0 };
	struct arena *own;
	git_odb *odb = NULL;
	int64_t most = f->q->limits.objects;
	int e;

	/* Check before a byte is written; git_progress() would check only afterwards. */
	if (most > 0 && (int64_t)git_packbuilder_object_count(pb) > most)
		return git_fault(f, GIT_TOO_LARGE, "the repository has %zu objects, more than the limit of %lld",
		    git_packbuilder_object_count(pb), (long long)most);
	e = git_repository_odb(&odb, cache);
	if (e != 0)
		return e;
	/* An arena of its own: f->arena is only large enough for a server's messages. */
	own = arena_new(2 * PIECE);
	c.piece = arena_alloc(own, PIECE);
	e = git_odb_write_pack(&c.pack, odb, git_progress, f);
	if (e == 0)
		e = git_packbuilder_foreach(pb, copy_chunk, &c);
	if (e == 0)
		e = copy_collected(&c);
	if (e == 0)
		/*
		 * commit() gives the pack its final name. What a killed fetch leaves in the cache
		 * is removed by the next one.
		 */
		e = c.pack->commit(c.pack, &c.stats);
	if (c.pack != NULL)
		c.pack->free(c.pack);
	arena_free(own);
	git_odb_free(odb);
	return e;
}

int
git_local_copy(struct git_fetching *f, git_repository *cache)
{
	git_repository *src = NULL;
	git_packbuilder *pb = NULL;
	int e = git_repository_open_ext(&src, f->local, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);

	if (e == 0)
		e = git_packbuilder_new(&pb, src);
	if (e == 0) {
		git_packbuilder_set_threads(pb, 0);
		e = pack_fill(f, pb, src, cache);
	}
	/* A pack without objects means that the cache has everything already. */
	if (e == 0 && git_packbuilder_object_count(pb) > 0)
		e = pack_send(f, pb, cache);
	git_packbuilder_free(pb);
	git_repository_free(src);
	return e;
}

/* ---- push ---- */

/*
 * A push must not move a checked-out branch: its work tree would get out of date. git refuses it by
 * default, too.
 */
static int
local_may_push(struct git_fetching *f, git_repository *to)
{
	git_reference *head = NULL;
	bool shown = false;

	/*
	 * A push to the checked out branch is refused, as by receive.denyCurrentBranch of
	 * git-config(1), because the work tree would seem to revert it.
	 */
	if (!git_repository_is_bare(to) && git_reference_lookup(&head, to, "HEAD") == 0)
		shown = git_reference_type(head) == GIT_REFERENCE_SYMBOLIC &&
		    strcmp(git_reference_symbolic_target(head), f->q->ref) == 0;
	git_reference_free(head);
	return !shown ? 0 : git_fault(f, GIT_REFUSED, "the branch is checked out there: push to a bare repository, "
	    "or check out another branch");
}

/*
 * The repository has `old` with its history, since its branch is there. So only newer objects are
 * sent. They arrive before the branch moves: after a crash they are unreachable, and a gc of the
 * repository removes them.
 */
static int
local_objects(struct git_fetching *f, git_repository *from, git_repository *to, const git_oid *commit,
    const git_oid *old)
{
	git_packbuilder *pb = NULL;
	git_revwalk *walk = NULL;
	int e = git_packbuilder_new(&pb, from);

	if (e == 0)
		e = git_revwalk_new(&walk, from);
	if (e == 0)
		e = git_revwalk_push(walk, commit);
	if (e == 0 && old != NULL)
		e = git_revwalk_hide(walk, old);
	if (e == 0)
		e = git_packbuilder_insert_walk(pb, walk);
	if (e == 0 && git_packbuilder_object_count(pb) > 0)
		e = pack_send(f, pb, to);
	git_revwalk_free(walk);
	git_packbuilder_free(pb);
	return e;
}

/* Moves the branch only from its old commit: if somebody else pushed meanwhile, that push wins. */
static int
local_move(struct git_fetching *f, git_repository *to, const git_oid *commit, const git_oid *old)
{
	git_reference *ref = NULL, *moved = NULL;
	int e;

	if (old == NULL) {
		e = git_reference_create(&moved, to, f->q->ref, commit, 0, "push");
	} else {
		e = git_reference_lookup(&ref, to, f->q->ref);
		/*
		 * The value is compared first for a clear error; create_matching() compares it
		 * again under the reference's lock, which decides.
		 */
		if (e == 0 && !git_oid_equal(git_reference_target(ref), old))
			e = GIT_EMODIFIED;
		if (e == 0)
			e = git_reference_create_matching(&moved, to, f->q->ref, commit, 1, old, "push");
	}
	git_reference_free(ref);
	git_reference_free(moved);
	if (e == GIT_EMODIFIED || e == GIT_EEXISTS || e == GIT_ENOTFOUND || e == GIT_ELOCKED)
		return git_fault(f, GIT_MOVED, "the branch was moved by somebody else");
	return e;
}

/*
 * Follows the rules of git_push_commit(): it never rewrites a branch, and moves it only from the commit
 * that the caller saw.
 */
int
git_local_push(struct git_fetching *f, git_repository *cache, const git_oid *commit, const git_oid *old)
{
	git_repository *to = NULL;
	int e = git_repository_open_ext(&to, f->local, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);

	/* Other users read that repository by its file modes. */
	umask(022);
	if (e == 0 && old != NULL && !git_oid_equal(old, commit) && git_graph_descendant_of(cache, commit, old) != 1)
		e = git_fault(f, GIT_MOVED, "the branch was moved by somebody else");
	if (e == 0)
		e = local_may_push(f, to);
	if (e == 0)
		e = local_objects(f, cache, to, commit, old);
	if (e == 0)
		e = local_move(f, to, commit, old);
	git_repository_free(to);
	return e;
}
