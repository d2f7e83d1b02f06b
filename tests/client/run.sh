#!/bin/sh
# The client tests: the published client of the API against a service of this
# build. Needs npm and its registry, and Node 18 or later. OCTAVO_BUILD is the
# folder with the programs (default: build); OCTAVO_CLIENT_CASES names files of
# cases/ that run alone (60-search.mjs, say); arguments go to the test runner
# (--test-name-pattern=…, say). OCTAVO_CLIENT_RELEASE=0.202: only with the newest
# release of the client; otherwise with each release. Real repositories are read from
# ../shared/corpus, or OCTAVO_CORPUS, where that exists.
# Last line: N passed, N failed, N skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../node.sh"

# user NAME EMAIL: creates a user, prints a token of that user.
user() {
	"$octavo" user create --dir "$dir" --email "$2" --name "$1" --json >"$tmp/user" &&
		"$octavo" token create --dir "$dir" --user "$2" --json | value token
}

# run RELEASE ARGUMENT...: the tests with the client of a release, on data of their own.
run() {
	rm -rf "$dir" "$tmp/repositories"
	data
	OCTAVO_TEST_READER=$(user Rita rita@example.com)
	OCTAVO_TEST_STRANGER=$(user Sam sam@example.com)
	"$octavo" member add --dir "$dir" --org "$org" --user rita@example.com --role read >/dev/null ||
		give_up 'octavo member add fails'
	# Every reply is checked against its shape; files are imported from below one folder.
	OCTAVO_TEST_REPOSITORIES=$tmp/repositories
	mkdir "$OCTAVO_TEST_REPOSITORIES"
	export OCTAVO_SELFCHECK=1 OCTAVO_GIT_ROOT="$OCTAVO_TEST_REPOSITORIES"
	service
	OCTAVO_TEST_CORPUS=${OCTAVO_CORPUS:-$here/../../../shared/corpus}
	OCTAVO_TEST_COMMAND=$octavo OCTAVO_TEST_DIR=$dir OCTAVO_TEST_URL=$url OCTAVO_TEST_ADMIN=$token OCTAVO_TEST_ORG=$org
	export OCTAVO_TEST_COMMAND OCTAVO_TEST_DIR OCTAVO_TEST_URL OCTAVO_TEST_ADMIN OCTAVO_TEST_ORG
	export OCTAVO_TEST_READER OCTAVO_TEST_STRANGER OCTAVO_TEST_REPOSITORIES OCTAVO_TEST_CORPUS
	OCTAVO_CLIENT_RELEASE=$1
	export OCTAVO_CLIENT_RELEASE
	shift
	node_tests "$@" suite.test.mjs
	all_passed=$((all_passed + ${passed:-0})) all_failed=$((all_failed + failed)) all_skipped=$((all_skipped + ${skipped:-0}))
	"$octavo" down --dir "$dir" >/dev/null 2>&1
}

packages
all_passed=0 all_failed=0 all_skipped=0
# Everything with the earlier release, and with the newest what it sends itself.
[ "${OCTAVO_CLIENT_RELEASE:-}" = 0.202 ] || run '' "$@"
run 0.202 "$@"
echo "$all_passed passed, $all_failed failed, $all_skipped skipped"
[ "$all_failed" -eq 0 ]
