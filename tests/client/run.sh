#!/bin/sh
# The client tests: the published client of the API against a service of this
# build. Needs npm and its registry, and Node 18 or later. OCTAVO_BUILD is the
# folder with the programs (default: build); OCTAVO_CLIENT_CASES names files of
# cases/ that run alone (60-search.mjs, say); arguments go to the test runner
# (--test-name-pattern=…, say). Real repositories are read from
# ../shared/corpus, or OCTAVO_CORPUS, where that exists.
# Last line: N passed, N failed, N skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 2
build=$(cd "${OCTAVO_BUILD:-build}" && pwd) || exit 2
. tests/at_exit.sh
octavo=$build/octavo
tmp=$(mktemp -d)
dir=$tmp/data

finish() {
	[ ! -f "$dir/octavo.db" ] || "$octavo" down --dir "$dir" >/dev/null 2>&1
	rm -rf "$tmp"
}
at_exit finish

give_up() {
	echo "$1"
	echo '0 passed, 1 failed, 0 skipped'
	exit 1
}

value() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p"; }

# user NAME EMAIL: makes a user, prints a token of theirs.
user() {
	"$octavo" user create --dir "$dir" --email "$2" --name "$1" --json >"$tmp/user" &&
		"$octavo" token create --dir "$dir" --user "$2" --json | value token
}

# The packages stay for the next run, unless what is wanted has changed.
cd "$here" || exit 2
if ! cmp -s package.json node_modules/.installed-from; then
	npm install --no-audit --no-fund --no-package-lock --loglevel=error >"$tmp/npm" 2>&1 ||
		give_up "npm cannot install the client: $(cat "$tmp/npm")"
	cp package.json node_modules/.installed-from
fi

"$octavo" init --dir "$dir" --email ada@example.com --name Ada --org Acme --json >"$tmp/init" ||
	give_up 'octavo init fails'
OCTAVO_TEST_ADMIN=$(value token <"$tmp/init")
OCTAVO_TEST_ORG=$(value organization <"$tmp/init")
OCTAVO_TEST_READER=$(user Rita rita@example.com)
OCTAVO_TEST_STRANGER=$(user Sam sam@example.com)
"$octavo" member add --dir "$dir" --org "$OCTAVO_TEST_ORG" --user rita@example.com --role read >/dev/null ||
	give_up 'octavo member add fails'

# Every reply is checked against its shape; files are imported from below one folder.
OCTAVO_TEST_REPOSITORIES=$tmp/repositories
mkdir "$OCTAVO_TEST_REPOSITORIES"
OCTAVO_SELFCHECK=1 OCTAVO_GIT_ROOT=$OCTAVO_TEST_REPOSITORIES \
	"$octavo" up --dir "$dir" --port 0 >"$tmp/up" 2>&1 || give_up "octavo up fails: $(cat "$tmp/up")"
OCTAVO_TEST_URL=$("$octavo" status --dir "$dir" --json | value url)
OCTAVO_TEST_CORPUS=${OCTAVO_CORPUS:-$here/../../../shared/corpus}
OCTAVO_TEST_COMMAND=$octavo OCTAVO_TEST_DIR=$dir
export OCTAVO_TEST_COMMAND OCTAVO_TEST_DIR OCTAVO_TEST_URL OCTAVO_TEST_ADMIN OCTAVO_TEST_ORG OCTAVO_TEST_READER OCTAVO_TEST_STRANGER
export OCTAVO_TEST_REPOSITORIES OCTAVO_TEST_CORPUS

node --test --test-reporter=tap "$@" suite.test.mjs >"$tmp/tap" 2>&1
status=$?
cat "$tmp/tap"
# What a worker complained of says more than the 500 that the client saw.
[ $status -eq 0 ] || grep -hE 'self-check|panic' "$dir"/log/* 2>/dev/null | head -n 20

count() { sed -n "s/^# $1 \([0-9]*\)$/\1/p" "$tmp/tap" | tail -n 1; }
passed=$(count pass) failed=$(count fail) cancelled=$(count cancelled) skipped=$(count skipped)
failed=$((${failed:-1} + ${cancelled:-0}))
[ $status -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
echo "${passed:-0} passed, $failed failed, ${skipped:-0} skipped"
[ "$failed" -eq 0 ]
