/* Reading a commit: which entries are listed, in which order, which are read, and that forged commits are refused. */
#include <git2.h>

#include "git_fixture.h"
#include "corpus_fixture.h"

static struct arena *a;
static char error[300];

static int
group_start(void **state)
{
	(void)state;
	if (fixture_start() != 0)
		return -1;
	return have("git") && !(make_repository() && sh("git init -q --bare forge.git")) ? -1 : 0;
}

static int
group_stop(void **state)
{
	(void)state;
	return fixture_stop();
}

static int
setup(void **state)
{
	(void)state;
	a = arena_new(256 << 20);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static struct git_tree *
open_tree(const char *repository, const char *rev, size_t most)
{
	char path[200], command[300];

	snprintf(path, sizeof(path), "%s/%s", tmp, repository);
	snprintf(command, sizeof(command), "git -C %s rev-parse '%s^{commit}'", repository, rev);
	return git_tree_open(a, path, output(command), most, error, sizeof(error));
}

static const struct layout_entry *
find(const struct layout_source *s, const char *path)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (str_is(s->entries[i].path, path))
			return &s->entries[i];
	fail_msg("%s is not listed", path);
	return NULL;
}

static void
a_tree_is_listed_and_read(void **state)
{
	struct git_tree *t;
	struct layout_source s;
	struct str bytes;
	const char *name;

	(void)state;
	need("git");
	assert_true(sh("cd work && git checkout -q main && "
	    "git update-index --add --cacheinfo 160000,0123456789012345678901234567890123456789,modules/sub && "
	    "git commit -q -m 'With a submodule' && git push -q ../docs.git main"));
	t = open_tree("docs.git", "main", 1000);
	assert_non_null(t);
	s = git_tree_source(t);
	assert_int_equal(s.count, 9);
	assert_int_equal(find(&s, "README.md")->mode, 0100644);
	assert_int_equal(find(&s, "run.sh")->mode, 0100755);
	assert_int_equal(find(&s, "link.md")->mode, 0120000);
	assert_int_equal(find(&s, "modules/sub")->mode, 0160000);
	assert_int_equal(s.size(s.ctx, find(&s, "modules/sub")), -1);
	assert_int_equal(s.size(s.ctx, find(&s, ".gitbook/assets/big.bin")), 300000);
	assert_int_equal(s.size(s.ctx, find(&s, "empty.md")), 0);
	assert_true(s.read(s.ctx, a, find(&s, "guide/one.md"), &bytes));
	assert_true(str_is(bytes, "one\ntwo\n"));
	assert_true(s.read(s.ctx, a, find(&s, "empty.md"), &bytes));
	assert_int_equal(bytes.n, 0);
	/* A symlink is read as the text of its target; it is not followed. */
	assert_true(s.read(s.ctx, a, find(&s, "link.md"), &bytes));
	assert_true(str_is(bytes, "README.md"));
	assert_false(s.read(s.ctx, a, find(&s, "modules/sub"), &bytes));
	assert_true(s.read(s.ctx, a, find(&s, ".gitbook/assets/big.bin"), &bytes));
	assert_int_equal(bytes.n, 300000);
	git_tree_limit(t, 299999);
	assert_false(s.read(s.ctx, a, find(&s, ".gitbook/assets/big.bin"), &bytes));
	assert_true(s.read(s.ctx, a, find(&s, "README.md"), &bytes));
	assert_string_equal(git_tree_message(t), "With a submodule\n");
	assert_int_equal(git_tree_time(t), 1700000000000);
	assert_int_equal(git_tree_skipped(t, &name), 0);
	git_tree_close(t);
	assert_true(str_is(find(&s, "README.md")->path, "README.md"));
}

/* The list must equal git's own, byte for byte and in bytewise order. */
static void
same_as_git(const char *repository, const char *rev)
{
	struct git_tree *t = open_tree(repository, rev, 100000);
	struct layout_source s;
	char path[200];
	size_t i;
	FILE *f;

	if (t == NULL)
		fail_msg("%s", error);
	s = git_tree_source(t);
	snprintf(path, sizeof(path), "%s/ours", tmp);
	f = fopen(path, "w");
	assert_non_null(f);
	for (i = 0; i < s.count; i++) {
		fprintf(f, "%06o %s %s %lld\t", s.entries[i].mode, s.entries[i].mode == 0160000 ? "commit" : "blob",
		    s.entries[i].oid, (long long)s.size(s.ctx, &s.entries[i]));
		fwrite(s.entries[i].path.p, 1, s.entries[i].path.n, f);
		fputc('\0', f);
	}
	fclose(f);
	git_tree_close(t);
	assert_true(sh("git -C %s ls-tree -r -z -l '%s' | sed -z -E 's/^([0-9]+ [a-z]+ [0-9a-f]+) +/\\1 /; s/ -\\t/ -1\\t/' "
	    "> theirs && cmp ours theirs", repository, rev));
	assert_true(sh("sed -z 's/^[^\\t]*\\t//' ours > paths && LC_ALL=C sort -z -c paths"));
}

static void
odd_names_are_listed(void **state)
{
	(void)state;
	need("git");
	assert_true(sh("git init -q -b main odd && cd odd && mkdir -p a 'sp ace' .github && "
	    "for f in a/z a.b a-b a0 'sp ace/x (1).md' .github/y .gitattributes .DS_Store $(printf 'l\\303\\251.md e\\314\\201.md') "
	    "$(printf 'latin\\351.md') $(printf 'tab\\tname') 'back\\slash' CON 'trailing. '; do printf x > \"$f\"; done && "
	    "n=$(printf 'n%%.0s' $(seq 255)) && mkdir $n && printf y > $n/$n && "
	    "git add -A && git commit -q -m Odd"));
	same_as_git("odd/.git", "main");
	same_as_git("docs.git", "main");
	same_as_git("docs.git", "side");
}

static void
trees_of_the_corpus_are_listed(void **state)
{
	char repository[64], *bundle;
	size_t i;

	(void)state;
	need("git");
	for (i = 0; i < sizeof(corpus_names) / sizeof(corpus_names[0]); i++) {
		if ((bundle = corpus_bundle(corpus_names[i])) == NULL)
			skip();
		assert_true(sh("git clone -q --bare '%s' %s.git", bundle, corpus_names[i]));
		free(bundle);
		snprintf(repository, sizeof(repository), "%s.git", corpus_names[i]);
		same_as_git(repository, "HEAD");
		assert_true(sh("rm -rf '%s'", repository));
	}
}

/* Writes a raw object into forge.git and returns its id. */
static const char *
forge(const char *type, const void *bytes, size_t n)
{
	char path[200], command[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/raw", tmp);
	f = fopen(path, "w");
	assert_non_null(f);
	fwrite(bytes, 1, n, f);
	fclose(f);
	snprintf(command, sizeof(command), "git -C forge.git hash-object -t %s -w --literally ../raw", type);
	return output(command);
}

static size_t
tree_line(char *out, const char *mode, const char *name, size_t name_size, const char *hex)
{
	size_t n = strlen(mode), i;

	memcpy(out, mode, n);
	out[n++] = ' ';
	memcpy(out + n, name, name_size);
	n += name_size;
	out[n++] = '\0';
	for (i = 0; i < 20; i++) {
		char two[3] = { hex[2 * i], hex[2 * i + 1], '\0' };

		out[n++] = (char)strtol(two, NULL, 16);
	}
	return n;
}

static const char *
commit_of(const char *tree)
{
	static char id[64];
	char command[300];

	snprintf(command, sizeof(command), "git -C forge.git commit-tree -m forged %s", tree);
	snprintf(id, sizeof(id), "%s", output(command));
	return id;
}

static struct git_tree *
open_forged(const char *commit, size_t most)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/forge.git", tmp);
	return git_tree_open(a, path, commit, most, error, sizeof(error));
}

static void
harmful_names_are_left_out(void **state)
{
	char raw[4096], blob[64];
	struct layout_source s;
	const char *name;
	struct git_tree *t;
	size_t n = 0;

	(void)state;
	need("git");
	snprintf(blob, sizeof(blob), "%s", forge("blob", "x", 1));
	n += tree_line(raw + n, "100644", "..", 2, blob);
	n += tree_line(raw + n, "100644", ".GIT", 4, blob);
	n += tree_line(raw + n, "100644", "../../etc/passwd", 16, blob);
	n += tree_line(raw + n, "100644", "/etc/passwd", 11, blob);
	n += tree_line(raw + n, "100644", ".", 1, blob);
	n += tree_line(raw + n, "100644", "z", 1, blob);
	n += tree_line(raw + n, "100644", ".gitignore", 10, blob);
	t = open_forged(commit_of(forge("tree", raw, n)), 100);
	if (t == NULL)
		fail_msg("%s", error);
	s = git_tree_source(t);
	/* The entries of the forged tree were not sorted. */
	assert_int_equal(s.count, 2);
	assert_true(str_is(s.entries[0].path, ".gitignore"));
	assert_true(str_is(s.entries[1].path, "z"));
	assert_int_equal(git_tree_skipped(t, &name), 5);
	assert_string_equal(name, "..");
	git_tree_close(t);
	/* One name twice. */
	n = tree_line(raw, "100644", "z", 1, blob);
	n += tree_line(raw + n, "100755", "z", 1, blob);
	assert_null(open_forged(commit_of(forge("tree", raw, n)), 100));
	assert_non_null(strstr(error, "twice"));
}

static void
a_tree_bomb_is_refused(void **state)
{
	char raw[400], below[64];
	double t = seconds_now();
	size_t n;
	int i;

	(void)state;
	need("git");
	/* Without any file: the limit counts the tree entries that were read. */
	snprintf(below, sizeof(below), "%s", forge("tree", "", 0));
	for (i = 0; i < 60; i++) {
		n = tree_line(raw, "40000", "a", 1, below);
		n += tree_line(raw + n, "40000", "b", 1, below);
		snprintf(below, sizeof(below), "%s", forge("tree", raw, n));
	}
	assert_null(open_forged(commit_of(below), 50000));
	assert_non_null(strstr(error, "50000"));
	/* Each of the 61 trees is read once instead of walking all paths. */
	assert_true(seconds_now() - t < 5);
}

/*
 * Nested folders with ten entries each, `levels` deep, of which the innermost contain files. All
 * folders of a level are one and the same tree.
 */
static const char *
nested(int levels)
{
	static char below[64];
	char raw[600];
	size_t n;

	snprintf(below, sizeof(below), "%s", forge("blob", "x", 1));
	for (int i = 0; i < levels; i++) {
		n = 0;
		for (char c = 'a'; c < 'k'; c++)
			n += tree_line(raw + n, i == 0 ? "100644" : "40000", (char[]){ c, '\0' }, 1, below);
		snprintf(below, sizeof(below), "%s", forge("tree", raw, n));
	}
	return commit_of(below);
}

/* Below the limit, but with far more paths than the repository has objects: refused as soon as they are counted. */
static void
a_tree_that_repeats_is_refused(void **state)
{
	struct git_tree *t;
	double before;

	(void)state;
	need("git");
	/* 1,110 files and folders from 30 tree entries. */
	t = open_forged(nested(3), 500000);
	assert_non_null(t);
	assert_int_equal(git_tree_source(t).count, 1000);
	git_tree_close(t);
	before = seconds_now();
	assert_null(open_forged(nested(5), 500000));
	assert_non_null(strstr(error, "again and again"));
	assert_null(open_forged(nested(9), 500000));
	assert_non_null(strstr(error, "500000"));
	assert_true(seconds_now() - before < 5);
}

static void
trees_too_deep_or_long_are_refused(void **state)
{
	char *raw = arena_alloc(a, 200000), *name = arena_alloc(a, 100000), below[64];
	size_t n;
	int i;

	(void)state;
	need("git");
	memset(name, 'n', 100000);
	snprintf(below, sizeof(below), "%s", forge("blob", "x", 1));
	for (i = 0; i < 150; i++) {
		n = tree_line(raw, i == 0 ? "100644" : "40000", "d", 1, below);
		snprintf(below, sizeof(below), "%s", forge("tree", raw, n));
	}
	assert_null(open_forged(commit_of(below), 50000));
	assert_non_null(strstr(error, "deep"));
	snprintf(below, sizeof(below), "%s", forge("blob", "x", 1));
	n = tree_line(raw, "100644", name, 90000, below);
	assert_null(open_forged(commit_of(forge("tree", raw, n)), 50000));
	n = tree_line(raw, "100644", name, 60000, below);
	assert_null(open_forged(commit_of(forge("tree", raw, n)), 50000));
	assert_non_null(strstr(error, "longer"));
	n = tree_line(raw, "100644", name, 4096, below);
	assert_null(open_forged(commit_of(forge("tree", raw, n)), 50000));
	/* With its folder and the slash: at most 4,095 bytes and the NUL. */
	for (i = 4093; i <= 4095; i++) {
		char inner[64];
		struct git_tree *t;

		n = tree_line(raw, "100644", name, (size_t)i, below);
		snprintf(inner, sizeof(inner), "%s", forge("tree", raw, n));
		n = tree_line(raw, "40000", "d", 1, inner);
		t = open_forged(commit_of(forge("tree", raw, n)), 50000);
		assert_int_equal(t != NULL, i == 4093);
		git_tree_close(t);
	}
}

static void
a_limit_of_files_is_kept(void **state)
{
	struct git_tree *t;

	(void)state;
	need("git");
	assert_true(sh("git init -q -b main many && cd many && for i in $(seq 300); do printf $i > f$i; done && "
	    "git add -A && git commit -q -m Many"));
	assert_null(open_tree("many/.git", "main", 299));
	assert_non_null(strstr(error, "299"));
	t = open_tree("many/.git", "main", 300);
	assert_non_null(t);
	assert_int_equal(git_tree_source(t).count, 300);
	git_tree_close(t);
	assert_null(open_tree("many/.git", "main", 0));
}

static void
missing_and_broken_commits_are_errors(void **state)
{
	char path[200], raw[200];
	struct git_tree *t;
	struct layout_source s;
	struct str bytes;
	size_t n;

	(void)state;
	need("git");
	snprintf(path, sizeof(path), "%s/docs.git", tmp);
	assert_null(git_tree_open(a, path, "0123456789012345678901234567890123456789", 10, error, sizeof(error)));
	assert_string_not_equal(error, "");
	assert_null(git_tree_open(a, path, "", 10, error, sizeof(error)));
	assert_null(git_tree_open(a, path, "main", 10, error, sizeof(error)));
	assert_null(git_tree_open(a, "/does/not/exist", "0123456789012345678901234567890123456789", 10, error, sizeof(error)));
	/* A blob instead of a commit, a commit whose tree is a blob, and a missing file. */
	assert_null(git_tree_open(a, path, output("git -C docs.git rev-parse main:README.md"), 10, error, sizeof(error)));
	n = tree_line(raw, "100644", "gone", 4, "0123456789012345678901234567890123456789");
	assert_null(open_forged(commit_of(forge("tree", raw, n)), 10));
	n = tree_line(raw, "40000", "gone", 4, forge("blob", "x", 1));
	assert_null(open_forged(commit_of(forge("tree", raw, n)), 10));
	assert_null(open_forged(forge("tree", "garbage", 7), 10));
	assert_null(open_forged(forge("commit", "garbage", 7), 10));
	/* Bytes that do not match their id are not returned. */
	assert_true(sh("git init -q -b main rot && cd rot && printf good > f && git add f && git commit -q -m Rot && "
	    "o=.git/objects/$(git rev-parse main:f | sed 's|^..|&/|') && chmod u+w $o && "
	    "printf evil | git hash-object -w --stdin > id && cp .git/objects/$(sed 's|^..|&/|' id) $o"));
	t = open_tree("rot/.git", "main", 10);
	assert_non_null(t);
	s = git_tree_source(t);
	assert_false(s.read(s.ctx, a, &s.entries[0], &bytes));
	git_tree_close(t);
}

static void
strange_commits_are_read(void **state)
{
	char text[600], tree[64];
	struct git_tree *t;
	int n;

	(void)state;
	need("git");
	snprintf(tree, sizeof(tree), "%s", forge("tree", "", 0));
	n = snprintf(text, sizeof(text), "tree %s\nauthor a <b> 9223372036854775807 +0000\n"
	    "committer a <b> 1 +0000\nencoding latin1\n\ncaf\xe9 \xff\n", tree);
	t = open_forged(forge("commit", text, (size_t)n), 10);
	if (t == NULL)
		fail_msg("%s", error);
	assert_int_equal(git_tree_source(t).count, 0);
	assert_string_equal(git_tree_message(t), "caf\xef\xbf\xbd \xef\xbf\xbd\n");
	assert_true(git_tree_time(t) <= 253402300799000);
	git_tree_close(t);
}

/* Each initialization of libgit2 sets up what TLS and ssh need; after the last user one reference is still held. */
static void
the_library_stays_set_up(void **state)
{
	struct git_tree *t;

	(void)state;
	need("git");
	t = open_tree("docs.git", "main", 1000);
	assert_non_null(t);
	git_tree_close(t);
	assert_int_equal(git_libgit2_init(), 2);
	assert_int_equal(git_libgit2_shutdown(), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_tree_is_listed_and_read, setup, teardown),
		cmocka_unit_test_setup_teardown(odd_names_are_listed, setup, teardown),
		cmocka_unit_test_setup_teardown(trees_of_the_corpus_are_listed, setup, teardown),
		cmocka_unit_test_setup_teardown(harmful_names_are_left_out, setup, teardown),
		cmocka_unit_test_setup_teardown(a_tree_bomb_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(a_tree_that_repeats_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(trees_too_deep_or_long_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(a_limit_of_files_is_kept, setup, teardown),
		cmocka_unit_test_setup_teardown(missing_and_broken_commits_are_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(strange_commits_are_read, setup, teardown),
		cmocka_unit_test_setup_teardown(the_library_stays_set_up, setup, teardown),
	};

	return cmocka_run_group_tests(tests, group_start, group_stop);
}
