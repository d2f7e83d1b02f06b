/*
 * git_fetch() from repositories on this machine: refs, results, limits, the content of the cache,
 * and the handling of a damaged cache.
 */
#include "git_fixture.h"

static char url[300];

static const char *
at(const char *path)
{
	snprintf(url, sizeof(url), "%s/%s", tmp, path);
	return url;
}

static int
group_start(void **state)
{
	(void)state;
	if (fixture_start() != 0)
		return -1;
	return have("git") && !make_repository() ? -1 : 0;
}

static int
group_stop(void **state)
{
	(void)state;
	return fixture_stop();
}

/* Fetches ref of docs.git into cache and expects the commit that git itself resolves what to. */
static void
expect_commit(const char *cache, const char *ref, const char *full, const char *what)
{
	struct git_request q = request(at("docs.git"), cache);
	struct git_result r;
	char command[200];

	q.ref = ref;
	r = git_fetch(&q);
	assert_string_equal(r.message, "");
	assert_int_equal(r.status, GIT_DONE);
	assert_string_equal(r.ref, full);
	snprintf(command, sizeof(command), "git -C docs.git rev-parse '%s^{commit}'", what);
	assert_string_equal(r.commit, output(command));
	assert_no_children(NULL, 0);
}

static void
a_ref_is_found_by_any_spelling(void **state)
{
	(void)state;
	need("git");
	expect_commit("c-refs", NULL, "refs/heads/main", "main");
	expect_commit("c-refs", "HEAD", "refs/heads/main", "main");
	expect_commit("c-refs", "side", "refs/heads/side", "side");
	expect_commit("c-refs", "refs/heads/side", "refs/heads/side", "side");
	expect_commit("c-refs", "light", "refs/tags/light", "light");
	expect_commit("c-refs", "v1", "refs/tags/v1", "v1");
	expect_commit("c-refs", "tags/v1", "refs/tags/v1", "v1");
	expect_commit("c-refs", "heads/main", "refs/heads/main", "main");
}

static void
only_the_ref_asked_for_is_fetched(void **state)
{
	(void)state;
	need("git");
	expect_commit("c-only", "main", "refs/heads/main", "main");
	assert_true(sh("! git -C c-only cat-file -e $(git -C docs.git rev-parse side)"));
	assert_true(sh("test $(git -C c-only rev-list --count refs/octavo/tip) = 2"));
	assert_true(sh("git -C c-only fsck --full --strict"));
}

static struct git_result
outcome(const char *path, const char *ref, const char *cache)
{
	struct git_request q = request(path, cache);
	struct git_result r;

	q.ref = ref;
	r = git_fetch(&q);
	if (r.status != GIT_DONE) {
		assert_string_equal(r.commit, "");
		assert_string_not_equal(r.message, "");
	}
	return r;
}

static void
a_missing_ref_is_reported(void **state)
{
	static const char *const bad[] = { "nope", "refs/heads/nope", "refs/heads/mai", "-h", "--output=x", "a b",
		"a..b", "refs/heads/", "refs", "x~1", "main:evil", "+main", "*", "refs/heads/*", "a\nb", "x.lock", "@{-1}", "" };
	struct git_result r;
	size_t i;

	(void)state;
	need("git");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		r = outcome(at("docs.git"), bad[i], "c-missing");
		if (r.status != GIT_NO_REF)
			fail_msg("ref '%s': status %d, %s", bad[i], r.status, r.message);
	}
	r = outcome(at("docs.git"), "nope", "c-missing");
	assert_non_null(strstr(r.message, "main"));
	r = outcome(at("docs.git"), "0123456789012345678901234567890123456789", "c-missing");
	assert_int_equal(r.status, GIT_NO_REF);
	assert_non_null(strstr(r.message, "by its id"));
}

static void
an_empty_repository_is_reported(void **state)
{
	struct git_result r;

	(void)state;
	need("git");
	assert_true(sh("git init -q --bare empty.git"));
	r = outcome(at("empty.git"), NULL, "c-empty");
	assert_int_equal(r.status, GIT_NO_REF);
	assert_non_null(strstr(r.message, "empty"));
	assert_true(sh("git clone -q --bare work unborn.git && git -C unborn.git symbolic-ref HEAD refs/heads/gone"));
	r = outcome(at("unborn.git"), NULL, "c-empty");
	assert_int_equal(r.status, GIT_NO_REF);
	assert_non_null(strstr(r.message, "side"));
	assert_true(sh("git -C docs.git tag -f blob $(git -C docs.git rev-parse main:README.md)"));
	assert_int_equal(outcome(at("docs.git"), "blob", "c-empty").status, GIT_NO_REF);
}

static void
other_places_are_no_repository(void **state)
{
	struct git_result r;

	(void)state;
	need("git");
	assert_int_equal(outcome(at("nothing"), NULL, "c-not").status, GIT_BAD_URL);
	assert_true(sh("mkdir -p plain && printf x > file.txt"));
	assert_int_equal(outcome(at("plain"), NULL, "c-not").status, GIT_NOT_FOUND);
	assert_int_equal(outcome(at("file.txt"), NULL, "c-not").status, GIT_NOT_FOUND);
	assert_int_equal(outcome("/tmp/../etc", NULL, "c-not").status, GIT_BAD_URL);
	assert_true(sh("git -C work bundle create ../docs.bundle main"));
	r = outcome(at("docs.bundle"), NULL, "c-not");
	assert_int_equal(r.status, GIT_NOT_FOUND);
	assert_non_null(strstr(r.message, "git clone --mirror"));
	/* A folder inside a repository is no repository: parent folders are not searched. */
	assert_int_equal(outcome(at("work/guide"), NULL, "c-not").status, GIT_NOT_FOUND);
	assert_true(sh("git clone -q --depth 1 file://$PWD/docs.git shallow"));
	r = outcome(at("shallow"), NULL, "c-not");
	assert_int_equal(r.status, GIT_NOT_FOUND);
	assert_non_null(strstr(r.message, "shallow"));
}

/* Repositories that this program cannot read are refused with the reason, permanently: the job is not tried again. */
static void
unreadable_repositories_are_refused_for_good(void **state)
{
	struct git_result r;

	(void)state;
	need("git");
	assert_true(sh("git -C docs.git config uploadpack.allowfilter true && git clone -q --bare --filter=blob:none file://$PWD/docs.git partial.git && "
	    "git clone -q --no-checkout --filter=tree:0 file://$PWD/docs.git partial-work"));
	r = outcome(at("partial.git"), "main", "c-partial");
	assert_int_equal(r.status, GIT_NOT_FOUND);
	assert_non_null(strstr(r.message, "that repository is a partial clone"));
	r = outcome(at("partial-work"), "main", "c-partial");
	assert_int_equal(r.status, GIT_NOT_FOUND);
	assert_non_null(strstr(r.message, "that repository is a partial clone"));
	assert_true(sh("git init -q -b main --object-format=sha256 new && cd new && echo x >x && git add x && "
	    "git -c user.name=a -c user.email=a@e.example commit -q -m x && "
	    "git clone -q --bare . ../new.git"));
	r = outcome(at("new.git"), "main", "c-new");
	assert_int_equal(r.status, GIT_NOT_FOUND);
	assert_non_null(strstr(r.message, "its ids are SHA-256"));
	r = outcome(at("new"), "main", "c-new");
	assert_non_null(strstr(r.message, "its ids are SHA-256"));
	/* Also if .git is a file that names the repository: a linked work tree, or a repository at another place. */
	assert_true(sh("git -C partial.git worktree add -q --no-checkout ../partial-linked main && "
	    "git -C new worktree add -q --no-checkout -b other ../new-linked && git init -q -b main --separate-git-dir=sep.git sep && "
	    "git -C sep config remote.o.promisor true"));
	assert_non_null(strstr(outcome(at("partial-linked"), "main", "c-partial").message, "that repository is a partial clone"));
	assert_non_null(strstr(outcome(at("new-linked"), "main", "c-new").message, "its ids are SHA-256"));
	assert_non_null(strstr(outcome(at("sep"), "main", "c-new").message, "that repository is a partial clone"));
	/*
	 * A repository that lost objects: refused at the first attempt, with an empty cache and
	 * with one that has an older commit.
	 */
	assert_true(sh("cp -r docs.git lost.git && cd lost.git && git repack -q -a -d 2>/dev/null; mkdir ../packs; mv objects/pack/*.pack ../packs/ && "
	    "rm -f objects/pack/* && for p in ../packs/*.pack; do git unpack-objects -q <$p; done && "
	    "b=$(git rev-parse main^{tree}) && "
	    "b=$(git ls-tree $b | awk '$2 == \"blob\" { print $3; exit }') && rm -f objects/$(echo $b | cut -c1-2)/$(echo $b | cut -c3-)"));
	r = outcome(at("lost.git"), "main", "c-lost");
	assert_int_equal(r.status, GIT_NOT_FOUND);
}

static void
file_urls_are_read(void **state)
{
	char path[300];

	(void)state;
	need("git");
	snprintf(path, sizeof(path), "file://%s/docs.git", tmp);
	assert_int_equal(outcome(path, "main", "c-file").status, GIT_DONE);
	snprintf(path, sizeof(path), "file://localhost%s/work", tmp);
	assert_int_equal(outcome(path, "main", "c-file").status, GIT_DONE);
	assert_true(sh("cp -r docs.git 'odd: name %%41 \xc3\xa9.git'"));
	assert_int_equal(outcome(at("odd: name %41 \xc3\xa9.git"), "main", "c-file").status, GIT_DONE);
	snprintf(path, sizeof(path), "file://%s/odd:%%20name%%20%%2541%%20%%C3%%A9.git", tmp);
	assert_int_equal(outcome(path, "main", "c-file").status, GIT_DONE);
}

static void
file_urls_stay_below_the_root(void **state)
{
	struct git_request q;
	char root[200];

	(void)state;
	need("git");
	assert_true(sh("mkdir -p in && cp -r docs.git in/ok.git && ln -sfn ../docs.git in/link.git && "
	    "mkdir -p in/gitlink && printf 'gitdir: ../../docs.git\\n' > in/gitlink/.git && "
	    "git clone -q --bare --shared docs.git in/shared.git && "
	    "cp -r docs.git in/objects.git && rm -rf in/objects.git/objects && "
	    "ln -s ../../docs.git/objects in/objects.git/objects && mkdir inside && cp -r docs.git inside/x.git"));
	snprintf(root, sizeof(root), "%s/in/", tmp);
#define STATUS_IN(path) (q = request(at(path), "c-root"), q.file_root = root, q.ref = "main", git_fetch(&q).status)
	assert_int_equal(STATUS_IN("in/ok.git"), GIT_DONE);
	assert_int_equal(STATUS_IN("docs.git"), GIT_BAD_URL);
	assert_int_equal(STATUS_IN("in/../docs.git"), GIT_BAD_URL);
	assert_int_equal(STATUS_IN("in/link.git"), GIT_BAD_URL);
	assert_int_equal(STATUS_IN("in/gitlink"), GIT_BAD_URL);
	assert_int_equal(STATUS_IN("in/shared.git"), GIT_BAD_URL);
	assert_int_equal(STATUS_IN("in/objects.git"), GIT_BAD_URL);
	assert_int_equal(STATUS_IN("inside/x.git"), GIT_BAD_URL);
	q = request(at("docs.git"), "c-root");
	q.file_root = NULL;
	assert_int_equal(git_fetch(&q).status, GIT_BAD_URL);
	q.file_root = "";
	assert_int_equal(git_fetch(&q).status, GIT_DONE);
}

static void
a_cache_follows_a_force_push(void **state)
{
	struct git_result r;
	char first[41];

	(void)state;
	need("git");
	assert_true(sh("cp -r work moving && cd moving && git checkout -q -b rolling"));
	r = outcome(at("moving"), "rolling", "c-force");
	assert_int_equal(r.status, GIT_DONE);
	snprintf(first, sizeof(first), "%s", r.commit);
	assert_true(sh("cd moving && printf 3 > three.md && git add -A && git commit -q -m Third"));
	r = outcome(at("moving"), "rolling", "c-force");
	assert_int_equal(r.status, GIT_DONE);
	assert_string_not_equal(r.commit, first);
	/* Only new objects are packed: one commit, one tree, one blob. */
	assert_true(sh("test $(ls c-force/objects/pack/*.pack | wc -l) = 2"));
	assert_true(sh("test $(git -C c-force show-index < $(ls -t $PWD/c-force/objects/pack/*.idx | head -1) | wc -l) = 3"));
	assert_true(sh("cd moving && git reset -q --hard HEAD~2 && printf 4 > four.md && git add -A && git commit -q -m Other"));
	r = outcome(at("moving"), "rolling", "c-force");
	assert_int_equal(r.status, GIT_DONE);
	assert_string_equal(r.commit, output("git -C moving rev-parse rolling"));
	assert_true(sh("cd moving && git branch -q -m rolling rolling-old && git branch rolling/inner"));
	assert_int_equal(outcome(at("moving"), "rolling/inner", "c-force").status, GIT_DONE);
	assert_int_equal(outcome(at("moving"), "rolling", "c-force").status, GIT_NO_REF);
}

static void
limits_end_a_fetch(void **state)
{
	struct git_request q;
	struct git_result r;

	(void)state;
	need("git");
	q = request(at("docs.git"), "c-limit");
	q.limits.objects = 3;
	r = git_fetch(&q);
	assert_int_equal(r.status, GIT_TOO_LARGE);
	assert_non_null(strstr(r.message, "objects"));
	q = request(at("docs.git"), "c-limit");
	q.limits.bytes = 1000;
	r = git_fetch(&q);
	assert_int_equal(r.status, GIT_TOO_LARGE);
	assert_non_null(strstr(r.message, "1000 bytes"));
	/* And the cache is still intact. */
	q = request(at("docs.git"), "c-limit");
	assert_int_equal(git_fetch(&q).status, GIT_DONE);
	assert_true(sh("test -z \"$(ls c-limit/objects/pack | grep -v '^pack-')\""));
}

/* Damages the cache in one way; the next fetch must succeed and leave a valid cache. */
static void
survives(const char *damage)
{
	assert_true(sh("rm -rf c-hurt && mkdir -p c-hurt"));
	expect_commit("c-hurt", "main", "refs/heads/main", "main");
	assert_true(sh("cd c-hurt && %s", damage));
	expect_commit("c-hurt", "main", "refs/heads/main", "main");
	if (!sh("git -C c-hurt fsck --full && ! ls c-hurt/objects/pack | grep -v '^pack-'"))
		fail_msg("not whole after: %s", damage);
}

static void
a_damaged_cache_is_fetched_anew(void **state)
{
	(void)state;
	need("git");
	survives("rm objects/pack/*.pack");
	survives("rm objects/pack/*.idx");
	survives("for p in objects/pack/*.pack; do chmod u+w $p && truncate -s 200000 $p; done");
	survives("for p in objects/pack/*.idx; do chmod u+w $p && truncate -s 100 $p; done");
	survives("rm -rf objects");
	survives("rm -rf refs");
	survives("printf garbage > HEAD");
	survives("rm HEAD");
	survives("printf '[core' > config");
	survives("printf 'x' > refs/octavo/tip");
	survives("rm -r refs/octavo && mkdir -p refs/octavo/tip/sub && printf x > refs/octavo/tip/sub/y");
	survives("printf x > refs/octavo/tip.lock && printf x > config.lock && printf half > objects/pack/pack_git2_abcdef");
	survives("printf '1234567890123456789012345678901234567890\\n' > refs/octavo/tip");
}

/* A commit that the caller has already costs one listing of the refs; any other is fetched. */
static void
a_known_commit_is_not_fetched(void **state)
{
	struct git_request q = request(at("docs.git"), "c-known");
	struct git_result r;
	char known[41];

	(void)state;
	need("git");
	snprintf(known, sizeof(known), "%s", output("git -C docs.git rev-parse main"));
	q.ref = "refs/heads/main";
	q.known = known;
	r = git_fetch(&q);
	assert_int_equal(r.status, GIT_DONE);
	assert_string_equal(r.commit, known);
	assert_string_equal(r.ref, "refs/heads/main");
	assert_true(sh("test -z \"$(ls c-known/objects/pack)\""));
	q.ref = "refs/heads/side";
	r = git_fetch(&q);
	assert_int_equal(r.status, GIT_DONE);
	assert_string_equal(r.commit, output("git -C docs.git rev-parse side"));
	assert_true(sh("git -C c-known fsck && git -C c-known cat-file -e %s", r.commit));
	assert_true(git_same_names(q.cache, r.commit, r.commit));
	assert_false(git_same_names(q.cache, r.commit, known));
}

/*
 * A killed push leaves its ref in the cache, and its commit may be damaged: a fetch does not tell
 * the server that it has this commit.
 */
static void
references_of_killed_pushes_are_ignored(void **state)
{
	(void)state;
	need("git");
	expect_commit("c-push", "main", "refs/heads/main", "main");
	assert_true(sh("cd c-push && mkdir -p refs/octavo/push && printf '1234567890123456789012345678901234567890\\n' >refs/octavo/push/77 && "
	    ": >refs/octavo/push/78.lock"));
	expect_commit("c-push", "main", "refs/heads/main", "main");
	assert_true(sh("test -z \"$(ls c-push/refs/octavo/push)\""));
}

/* Longer than the limit for refs here; git itself allows it. */
static void
a_branch_name_may_be_too_long(void **state)
{
	struct git_request q = request(at("long"), "c-long");
	struct git_result r;

	(void)state;
	need("git");
	assert_true(sh("n=$(printf 'n%%.0s' $(seq 200)) && git init -q -b $n/$n long && cd long && git commit -q --allow-empty -m Long"));
	r = git_fetch(&q);
	assert_int_equal(r.status, GIT_NO_REF);
	assert_non_null(strstr(r.message, "too long"));
	assert_non_null(strstr(r.message, "say which to take"));
}

/* kill -9 of the whole runner during a fetch: the next fetch gets everything. */
static void
a_fetch_may_be_killed_at_any_time(void **state)
{
	int delay;

	(void)state;
	need("git");
	assert_true(sh("git init -q -b main heavy && cd heavy && for i in $(seq 1500); do echo $i $i > f$i; done && "
	    "head -c 3000000 /dev/urandom > blob && git add -A && git commit -q -m Heavy"));
	for (delay = 2; delay < 400; delay = delay * 3 / 2 + 1) {
		pid_t pid = fork();

		if (pid == 0) {
			outcome(at("heavy"), "main", "c-killed");
			_exit(0);
		}
		usleep((useconds_t)delay * 1000);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		assert_int_equal(outcome(at("heavy"), "main", "c-killed").status, GIT_DONE);
		assert_true(sh("git -C c-killed fsck --full && ! ls c-killed/objects/pack | grep -v '^pack-'"));
		if (delay % 2 == 0)
			assert_true(sh("rm -rf c-killed"));
		else
			assert_true(sh("cd heavy && head -c 1000000 /dev/urandom > blob && git commit -q -am More"));
	}
}

static void
foreign_directory_is_left_alone(void **state)
{
	struct git_result r;

	(void)state;
	need("git");
	assert_true(sh("mkdir -p precious && printf keep > precious/file"));
	r = outcome(at("docs.git"), "main", "precious");
	assert_int_equal(r.status, GIT_FAILED);
	assert_non_null(strstr(r.message, "something else"));
	assert_true(sh("test $(cat precious/file) = keep && test $(ls -A precious | wc -l) = 1"));
	assert_false(git_cache_remove(at("precious")));
	assert_true(sh("test -f precious/file"));
}

static void
cache_is_private_and_removable(void **state)
{
	(void)state;
	need("git");
	expect_commit("deep/er/cache", "main", "refs/heads/main", "main");
	assert_true(sh("test $(stat -c %%a deep/er/cache) = 700"));
	assert_true(sh("test -z \"$(ls deep/er/cache/hooks | grep -v README.sample)\""));
	assert_true(sh("! grep -q -e url -e remote deep/er/cache/config && test ! -e deep/er/cache/FETCH_HEAD"));
	assert_true(git_cache_remove(at("deep/er/cache")));
	assert_true(sh("test ! -e deep/er/cache && test -d deep/er"));
}

static void
hooks_and_config_of_the_source_do_nothing(void **state)
{
	(void)state;
	need("git");
	assert_true(sh("cp -r work armed && cd armed && for h in post-checkout pre-auto-gc reference-transaction; do "
	    "printf '#!/bin/sh\\ntouch %s/fired\\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done && "
	    "git config core.fsmonitor 'touch %s/fired' && git config uploadpack.packObjectsHook 'touch %s/fired' && "
	    "printf '* filter=evil\\n' > .gitattributes && git config filter.evil.smudge 'touch %s/fired'", tmp, tmp, tmp, tmp));
	assert_true(sh("rm -f fired"));
	assert_int_equal(outcome(at("armed"), "main", "c-armed").status, GIT_DONE);
	assert_true(sh("test ! -e fired"));
}

static void
user_configuration_is_ignored(void **state)
{
	struct git_result r;

	(void)state;
	need("git");
	assert_true(sh("mkdir -p home && printf '[url \"http://127.0.0.1:1/\"]\\n\\tinsteadOf = file://\\n' > home/.gitconfig"));
	setenv("HOME", at("home"), 1);
	r = outcome(at("docs.git"), "main", "c-home");
	unsetenv("HOME");
	assert_int_equal(r.status, GIT_DONE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ref_is_found_by_any_spelling),
		cmocka_unit_test(only_the_ref_asked_for_is_fetched),
		cmocka_unit_test(a_missing_ref_is_reported),
		cmocka_unit_test(an_empty_repository_is_reported),
		cmocka_unit_test(other_places_are_no_repository),
		cmocka_unit_test(unreadable_repositories_are_refused_for_good),
		cmocka_unit_test(file_urls_are_read),
		cmocka_unit_test(file_urls_stay_below_the_root),
		cmocka_unit_test(a_cache_follows_a_force_push),
		cmocka_unit_test(limits_end_a_fetch),
		cmocka_unit_test(a_damaged_cache_is_fetched_anew),
		cmocka_unit_test(a_known_commit_is_not_fetched),
		cmocka_unit_test(references_of_killed_pushes_are_ignored),
		cmocka_unit_test(a_branch_name_may_be_too_long),
		cmocka_unit_test(a_fetch_may_be_killed_at_any_time),
		cmocka_unit_test(foreign_directory_is_left_alone),
		cmocka_unit_test(cache_is_private_and_removable),
		cmocka_unit_test(hooks_and_config_of_the_source_do_nothing),
		cmocka_unit_test(user_configuration_is_ignored),
	};

	return cmocka_run_group_tests(tests, group_start, group_stop);
}
