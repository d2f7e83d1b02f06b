#!/bin/sh
# The client tests: the published client of the API against a service of this build. Needs npm and
# its registry, and Node 18 or later. OCTAVO_BUILD is the folder with the programs (default: build);
# OCTAVO_CLIENT_CASES names files of cases/ to run alone (for example 60-search.mjs); arguments are
# passed to the test runner (for example --test-name-pattern=…). Real repositories are read from
# ../shared/corpus, or OCTAVO_CORPUS, if that exists. Last line: N passed, N failed, N skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../node.sh"

# user NAME EMAIL: creates a user, prints a token of that user.
user() {
	"$octavo" user create --dir "$dir" --email "$2" --name "$1" --json >"$tmp/user" &&
		"$octavo" token create --dir "$dir" --user "$2" --json | value token
}

packages
data
OCTAVO_TEST_READER=$(user Rita rita@example.com)
OCTAVO_TEST_STRANGER=$(user Sam sam@example.com)
"$octavo" member add --dir "$dir" --org "$org" --user rita@example.com --role read >/dev/null ||
	give_up 'octavo member add fails'

# Every response is checked against its shape; repositories are imported from below one folder.
OCTAVO_TEST_REPOSITORIES=$tmp/repositories
mkdir "$OCTAVO_TEST_REPOSITORIES"
export OCTAVO_SELFCHECK=1 OCTAVO_GIT_ROOT="$OCTAVO_TEST_REPOSITORIES"
service
OCTAVO_TEST_CORPUS=${OCTAVO_CORPUS:-$here/../../../shared/corpus}
OCTAVO_TEST_COMMAND=$octavo OCTAVO_TEST_DIR=$dir OCTAVO_TEST_URL=$url OCTAVO_TEST_ADMIN=$token OCTAVO_TEST_ORG=$org
export OCTAVO_TEST_COMMAND OCTAVO_TEST_DIR OCTAVO_TEST_URL OCTAVO_TEST_ADMIN OCTAVO_TEST_ORG OCTAVO_TEST_READER OCTAVO_TEST_STRANGER
export OCTAVO_TEST_REPOSITORIES OCTAVO_TEST_CORPUS

node_tests "$@" suite.test.mjs
