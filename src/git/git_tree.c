/*
 * Reads a commit from a cache: first the list of its files, then the bytes of single files on
 * request. Nothing is checked out.
 *
 * The content of a repository is not trusted. A few hundred bytes of trees that refer to each other
 * can expand to more files than there are atoms. A tree can contain the names "..", ".git" or
 * "a/b", or the same name twice. So the expanded tree is counted first; each tree is read once for
 * this, however often it occurs, and a tree beyond the limits is refused. Only then the walk fills
 * an arena that has exactly the room needed.
 *
 * Sizes come from object headers: no object is loaded before its size is known to be within the
 * limit. Its delta bases in a pack may be larger, but the child has built each of them within its
 * own memory limit when it indexed the pack.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <unistd.h>

#include "git_parts.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/sort.h"
#include "base/utf8.h"

/*
 * PATH_BYTES: PATH_MAX of Linux. PATH_AVERAGE and PATH_SLACK limit the memory of all paths
 * together, since the size of the arena depends on the number of entries (git.h: 400 bytes each).
 * COMMIT_BYTES and TREE_BYTES are far above what git makes. TREE_DEPTH limits the recursion of
 * tree_walk(). NAMED_FREELY, NAMED_AGAIN: beyond the first number, the expanded tree may have at
 * most NAMED_AGAIN times as many files and folders as the repository stores. Ordinary repositories
 * contain the same folder several times, for example for languages or releases.
 */
enum {
	TREE_DEPTH = 100, NAMED_AGAIN = 50, NAMED_FREELY = 10000, PATH_BYTES = 4096, PATH_AVERAGE = 256, PATH_SLACK = 1 << 20,
	COMMIT_BYTES = 1 << 20, TREE_BYTES = 32 << 20, BLOB_BYTES = 64 << 20, MESSAGE_BYTES = 1 << 16
};

struct git_tree {
	struct arena        *arena;
	git_repository      *repo;
	git_odb             *odb;
	bool                 open;
	int                  lock;       /* the cache's directory, locked shared; -1: none */
	int64_t              blob_bytes; /* larger files are not read */
	struct layout_entry *entries;
	size_t               count;
	size_t               most;       /* limit for the number of entries */
	size_t               entries_read;  /* in counting; each tree once */
	struct map          *counted;    /* id of a tree -> struct totals */
	char                *paths;      /* memory of all paths, one after another */
	bool                 unsorted;   /* git's order of some entries is not that of their paths */
	size_t               skipped;    /* number of harmful names in the expanded tree */
	const char          *skipped_name;   /* the first of them, printable; NULL: none */
	const char          *message;    /* of the commit; and its time */
	int64_t              time;
	char                *error;      /* the caller's buffer for the reason of a failure */
	size_t               error_size;
};

/*
 * Writes the reason and returns -1, for `return tree_fail(...)`. It may contain names of the
 * repository, so control characters are replaced.
 */
static int __attribute__((format(printf, 2, 3)))
tree_fail(struct git_tree *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(t->error, t->error_size, fmt, ap);
	va_end(ap);
	git_scrub(t->error, NULL, 0);
	return -1;
}

/* libgit2's message; valid until its next error in this thread. */
static const char *
last_error_text(void)
{
	const git_error *e = git_error_last();

	return e == NULL || e->message == NULL ? "unknown error" : e->message;
}

/* Reads the object's header. 0 if the object has this type and at most `most` bytes. */
static int
object_size(struct git_tree *t, const git_oid *oid, git_object_t type, size_t most, size_t *size)
{
	git_object_t is;

	/* From the object database: git_object_lookup() would load the object. */
	if (git_odb_read_header(size, &is, t->odb, oid) != 0)
		return tree_fail(t, "an object of the commit cannot be read: %s", last_error_text());
	if (is != type)
		return tree_fail(t, "an object of the commit has the wrong type");
	/*
	 * The header gives the size of a packed object without inflating it, so a bomb of zeros is
	 * refused here.
	 */
	if (*size > most)
		return tree_fail(t, "an object of the commit is larger than the limit of %zu bytes", most);
	return 0;
}

/* True for names that git itself refuses to check out. No path of a documentation tree needs them. */
static bool
name_harmful(const char *name)
{
	return name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    strcasecmp(name, ".git") == 0 || strchr(name, '/') != NULL;
}

/*
 * The path of the current entry, which the walk extends and cuts in place. There is one buffer for
 * the whole walk: a copy for each level would take PATH_BYTES times the depth.
 */
struct walk_path {
	char   path[PATH_BYTES + 1];
	size_t n;
};

/* ---- counting ---- */

/* Totals of a tree and everything below it; each is at most COUNT_MOST. */
struct totals {
	size_t seen;      /* entries and trees */
	size_t kept;      /* files and submodules */
	size_t skipped;
	size_t paths;     /* bytes of all paths from this tree on, without their NULs */
	size_t longest;   /* the longest of these */
	int    levels;    /* depth of nested trees; 1: no tree below */
};

/* The value is far above all limits, and a sum of two of it cannot overflow. */
static const size_t COUNT_MOST = (size_t)1 << 50;

/* Adds to a count, up to COUNT_MOST, so that sums cannot overflow. */
static void
add_bounded(size_t *n, size_t by)
{
	*n = by > COUNT_MOST - *n ? COUNT_MOST : *n + by;
}

/* n, at most `most`, times m: the product cannot overflow. */
static size_t
bounded_product(size_t n, size_t m)
{
	return m != 0 && n > COUNT_MOST / m ? COUNT_MOST : n * m;
}

static void
count_skipped(struct git_tree *t, struct totals *all, const char *name)
{
	char *copy;

	add_bounded(&all->skipped, 1);
	if (t->skipped_name != NULL)
		return;
	copy = arena_strndup(t->arena, name, strnlen(name, 200));
	git_scrub(copy, NULL, 0);
	t->skipped_name = copy;
}

/* Adds the totals of a tree with a name of `n` bytes to those of its parent. */
static void
count_below(struct totals *all, const struct totals *below, size_t n)
{
	add_bounded(&all->seen, below->seen);
	add_bounded(&all->kept, below->kept);
	add_bounded(&all->skipped, below->skipped);
	/* Each path below gets the name and a slash. */
	add_bounded(&all->paths, below->paths);
	add_bounded(&all->paths, bounded_product(below->kept, n + 1));
	if (below->longest > 0 && below->longest + n + 1 > all->longest)
		all->longest = below->longest + n + 1;
	if (below->levels + 1 > all->levels)
		all->levels = below->levels + 1;
}

static int tree_count(struct git_tree *t, const git_oid *oid, int depth, struct totals *all);

static int
entry_count(struct git_tree *t, const git_tree_entry *e, int depth, struct totals *all)
{
	const char *name = git_tree_entry_name(e);
	size_t n = strlen(name);
	struct totals below;

	/* Harmful names and empty trees count as well. */
	add_bounded(&all->seen, 1);
	if (++t->entries_read > t->most)
		return tree_fail(t, "the repository has more than %zu files and folders", t->most);
	if (name_harmful(name)) {
		count_skipped(t, all, name);
		return 0;
	}
	if (n + 1 > PATH_BYTES)
		return tree_fail(t, "a path in the repository is longer than %d bytes: %.100s...", PATH_BYTES, name);
	if (git_tree_entry_type(e) == GIT_OBJECT_TREE) {
		if (tree_count(t, git_tree_entry_id(e), depth + 1, &below) != 0)
			return -1;
		count_below(all, &below, n);
		return 0;
	}
	add_bounded(&all->kept, 1);
	add_bounded(&all->paths, n);
	if (n > all->longest)
		all->longest = n;
	return 0;
}

static int
tree_lookup(struct git_tree *t, const git_oid *oid, libgit2_tree **tree)
{
	size_t size;

	if (object_size(t, oid, GIT_OBJECT_TREE, TREE_BYTES, &size) != 0)
		return -1;
	if (git_tree_lookup(tree, t->repo, oid) != 0)
		return tree_fail(t, "a folder of the commit cannot be read: %s", last_error_text());
	return 0;
}

/* Reads each tree once: the same tree has the same totals wherever it is. */
static int
tree_count(struct git_tree *t, const git_oid *oid, int depth, struct totals *all)
{
	struct str key = { (const char *)oid->id, sizeof(oid->id) };
	const struct totals *known = map_get(t->counted, key);
	struct totals *keep;
	libgit2_tree *tree;
	size_t i, n;
	int r = 0;

	*all = known != NULL ? *known : (struct totals){ .levels = 1 };
	/* Each level of the walk keeps a tree open and uses a stack frame. */
	if (depth + all->levels - 1 > TREE_DEPTH)
		return tree_fail(t, "the folders of the repository are more than %d deep", TREE_DEPTH);
	if (known != NULL)
		return 0;
	if (tree_lookup(t, oid, &tree) != 0)
		return -1;
	n = git_tree_entrycount(tree);
	for (i = 0; i < n && r == 0; i++)
		r = entry_count(t, git_tree_entry_byindex(tree, i), depth, all);
	git_tree_free(tree);
	if (r != 0)
		return r;
	keep = arena_alloc(t->arena, sizeof(*keep));
	*keep = *all;
	*map_at(t->counted, (struct str){ arena_strndup(t->arena, key.p, key.n), key.n }) = keep;
	return 0;
}

/* Checks the totals of the commit against the limits, and against what the repository stores. */
static int
check_totals(struct git_tree *t, const struct totals *all)
{
	if (all->seen > t->most)
		return tree_fail(t, "the repository has more than %zu files and folders", t->most);
	if (all->seen > NAMED_FREELY && all->seen / NAMED_AGAIN > t->entries_read)
		return tree_fail(t, "the repository names its folders again and again: %zu files and folders out of %zu",
		    all->seen, t->entries_read);
	if (all->longest + 1 > PATH_BYTES)
		return tree_fail(t, "a path in the repository is longer than %d bytes", PATH_BYTES);
	if (all->paths + all->kept > t->most * PATH_AVERAGE + PATH_SLACK)
		return tree_fail(t, "the paths in the repository are too long, taken together");
	t->skipped = all->skipped;
	return 0;
}

/* ---- filling ---- */

/* Adds an entry to t->entries, which has exactly the room needed. */
static int
entry_keep(struct git_tree *t, const git_tree_entry *e, struct walk_path *at)
{
	struct layout_entry *out;

	out = &t->entries[t->count++];
	memcpy(t->paths, at->path, at->n + 1);
	out->path = (struct str){ t->paths, at->n };
	t->paths += at->n + 1;
	git_oid_tostr(out->oid, sizeof(out->oid), git_tree_entry_id(e));
	out->mode = (uint32_t)git_tree_entry_filemode(e);
	/* -1 for a submodule, whose commit is in another repository. */
	out->size = -1;
	if (git_tree_entry_type(e) == GIT_OBJECT_BLOB) {
		/*
		 * The index of the pack tells this. The size would need the object itself, or its
		 * delta bases.
		 */
		if (git_odb_exists(t->odb, git_tree_entry_id(e)) != 1)
			return tree_fail(t, "an object of the commit is not there");
		out->size = LAYOUT_UNASKED;
	}
	/*
	 * Compare with the entry before: if all are in order, as in ordinary repositories, no sort
	 * is needed.
	 */
	if (t->count > 1) {
		const struct layout_entry *before = out - 1;
		size_t n = before->path.n < at->n ? before->path.n : at->n;
		int c = memcmp(before->path.p, out->path.p, n);

		t->unsorted |= c > 0 || (c == 0 && before->path.n >= at->n);
	}
	return 0;
}

static int tree_walk(struct git_tree *t, const git_oid *oid, struct walk_path *at);

static int
entry_visit(struct git_tree *t, const git_tree_entry *e, struct walk_path *at)
{
	const char *name = git_tree_entry_name(e);
	size_t n = strlen(name), before = at->n;
	int r;

	if (name_harmful(name))
		return 0;
	/*
	 * Only empty folders are counted here, because the paths of files were counted already. One
	 * byte is for the slash; the NUL has its own.
	 */
	if (before + n + 1 > PATH_BYTES)
		return 0;
	if (before > 0)
		at->path[at->n++] = '/';
	memcpy(at->path + at->n, name, n + 1);
	at->n += n;
	if (git_tree_entry_type(e) == GIT_OBJECT_TREE)
		/*
		 * Cycles are impossible, since an object's id is the hash of its content;
		 * repetitions of a tree were counted.
		 */
		r = tree_walk(t, git_tree_entry_id(e), at);
	else
		r = entry_keep(t, e, at);
	at->n = before;
	at->path[before] = '\0';
	return r;
}

static int
tree_walk(struct git_tree *t, const git_oid *oid, struct walk_path *at)
{
	libgit2_tree *tree;
	size_t i, n;
	int r = 0;

	if (tree_lookup(t, oid, &tree) != 0)
		return -1;
	n = git_tree_entrycount(tree);
	for (i = 0; i < n && r == 0; i++)
		r = entry_visit(t, git_tree_entry_byindex(tree, i), at);
	git_tree_free(tree);
	return r;
}

static int
entry_compare(const void *a, const void *b)
{
	const struct str *x = &((const struct layout_entry *)a)->path, *y = &((const struct layout_entry *)b)->path;
	int c = memcmp(x->p, y->p, x->n < y->n ? x->n : y->n);

	return c != 0 ? c : (x->n > y->n) - (x->n < y->n);
}

/* git sorts trees in such a way that whole paths are sorted; only a forged tree is not. */
static int
entries_sort(struct git_tree *t)
{
	size_t i;

	if (!t->unsorted)
		return 0;
	sort_list(t->entries, t->count, sizeof(*t->entries), entry_compare);
	/*
	 * Equal paths are neighbours after sorting. With two files of one path, the result would
	 * depend on which one is read first.
	 */
	for (i = 1; i < t->count; i++)
		if (str_eq(t->entries[i - 1].path, t->entries[i].path))
			return tree_fail(t, "the repository lists %.200s twice", t->entries[i].path.p);
	return 0;
}

static int
tree_list(struct git_tree *t, const git_oid *root)
{
	struct walk_path at = { .n = 0 };
	struct totals all;

	t->counted = map_new(t->arena);
	if (tree_count(t, root, 0, &all) != 0 || check_totals(t, &all) != 0)
		return -1;
	t->paths = arena_alloc(t->arena, all.paths + all.kept);
	t->entries = arena_array(t->arena, all.kept + 1, sizeof(*t->entries));
	/* Objects are immutable, so the walk finds exactly what was counted. */
	if (tree_walk(t, root, &at) != 0)
		return -1;
	return entries_sort(t);
}

/* git recommends UTF-8 but does not enforce it. */
static const char *
utf8_text(struct arena *a, const char *s)
{
	struct str rest = { s, strnlen(s, MESSAGE_BYTES) };
	struct buf b;
	uint32_t cp;
	size_t n;

	buf_init(&b, a, 3 * rest.n + 1);
	buf_str(&b, "");
	for (; rest.n > 0; rest = str_slice(rest, n, rest.n)) {
		n = utf8_next(rest, &cp);
		if (n == 0)
			buf_utf8(&b, 0xfffd);
		else
			buf_add(&b, rest.p, n);
		n = n == 0 ? 1 : n;
	}
	return b.n == 0 ? "" : b.p;
}

/* A commit may contain any 64-bit number; times after the year 9999 are refused. */
static int64_t
time_ms(git_time_t seconds)
{
	const git_time_t last = 253402300799;

	return (int64_t)(seconds > last ? last : seconds < -last ? -last : seconds) * 1000;
}

static int
commit_read(struct git_tree *t, const char *hex)
{
	git_commit *c = NULL;
	git_oid oid, root;
	size_t size;

	if (git_oid_fromstr(&oid, hex) != 0)
		return tree_fail(t, "this is no commit id");
	if (object_size(t, &oid, GIT_OBJECT_COMMIT, COMMIT_BYTES, &size) != 0)
		return -1;
	if (git_commit_lookup(&c, t->repo, &oid) != 0)
		return tree_fail(t, "the commit cannot be read: %s", last_error_text());
	/* The id is copied, because it is part of the commit, which is freed before the walk. */
	root = *git_commit_tree_id(c);
	t->time = time_ms(git_commit_author(c)->when.time);
	t->message = utf8_text(t->arena, git_commit_message(c) == NULL ? "" : git_commit_message(c));
	git_commit_free(c);
	return tree_list(t, &root);
}

/*
 * Holds the shared lock until git_tree_close(): otherwise a fetch of another space could empty the
 * cache.
 */
static int
cache_attach(struct git_tree *t, const char *cache)
{
	t->lock = git_cache_lock(cache, LOCK_SH);
	if (t->lock < 0 || git_repository_open_bare(&t->repo, cache) != 0 ||
	    git_repository_odb(&t->odb, t->repo) != 0)
		return tree_fail(t, "the repository's cache cannot be opened: %s", last_error_text());
	return 0;
}

struct git_tree *
git_tree_open(struct arena *a, const char *cache, const char *commit, size_t max_entries, char *error,
    size_t error_size)
{
	struct git_tree *t = arena_alloc(a, sizeof(*t));

	*t = (struct git_tree){ .arena = a, .lock = -1, .blob_bytes = BLOB_BYTES, .most = max_entries,
		.error = error, .error_size = error_size, .message = "" };
	error[0] = '\0';
	if (!git_library_start()) {
		tree_fail(t, "libgit2 does not start");
		return NULL;
	}
	t->open = true;
	if (cache_attach(t, cache) == 0 && commit_read(t, commit) == 0) {
		/*
		 * From here on errors go into the arena: the buffer of the caller may not exist at
		 * the next read.
		 */
		t->error = arena_alloc(a, 1);
		t->error_size = 1;
		return t;
	}
	git_tree_close(t);
	return NULL;
}

void
git_tree_limit(struct git_tree *t, int64_t blob_bytes)
{
	t->blob_bytes = blob_bytes;
}

/* For struct layout_source; -1: the entry is no blob, or cannot be read. */
static int64_t
blob_size(void *ctx, const struct layout_entry *e)
{
	struct git_tree *t = ctx;
	/* The caller's entry is one of t->entries. */
	struct layout_entry *own = &t->entries[e - t->entries];
	git_oid oid;
	size_t size;

	if (own->size != LAYOUT_UNASKED)
		return own->size;
	own->size = -1;
	/*
	 * SIZE_MAX: the layout needs the size of large files as well; git_tree_limit() limits only
	 * their reading.
	 */
	if (git_oid_fromstr(&oid, own->oid) == 0 && object_size(t, &oid, GIT_OBJECT_BLOB, SIZE_MAX, &size) == 0)
		own->size = (int64_t)size;
	return own->size;
}

/*
 * The reader of struct layout_source. False if the entry is no blob, is too large or cannot be
 * read. The bytes are copied, since libgit2 frees its own with the object.
 */
static bool
blob_read(void *ctx, struct arena *a, const struct layout_entry *e, struct str *out)
{
	struct git_tree *t = ctx;
	git_odb_object *o = NULL;
	int64_t size = blob_size(t, e);
	git_oid oid;

	if (size < 0 || size > t->blob_bytes || git_oid_fromstr(&oid, e->oid) != 0 ||
	    git_odb_read(&o, t->odb, &oid) != 0)
		return false;
	out->n = git_odb_object_size(o);
	out->p = arena_strndup(a, git_odb_object_data(o), out->n);
	git_odb_object_free(o);
	return true;
}

struct layout_source
git_tree_source(struct git_tree *t)
{
	return (struct layout_source){ .entries = t->entries, .count = t->count, .read = blob_read, .size = blob_size, .ctx = t };
}

size_t
git_tree_skipped(const struct git_tree *t, const char **name)
{
	*name = t->skipped_name;
	return t->skipped;
}

const char *
git_tree_message(struct git_tree *t)
{
	return t->message;
}

int64_t
git_tree_time(struct git_tree *t)
{
	return t->time;
}

/*
 * May be called twice: a job closes early to release the lock, and its arena closes again at its
 * end. The struct is in the arena, too.
 */
void
git_tree_close(struct git_tree *t)
{
	if (t == NULL || !t->open)
		return;
	t->open = false;
	git_odb_free(t->odb);
	git_repository_free(t->repo);
	t->odb = NULL;
	t->repo = NULL;
	git_libgit2_shutdown();
	if (t->lock >= 0)
		close(t->lock);
	t->lock = -1;
}
