#!/bin/sh
# A published site in a real browser: Debian's Chromium, driven by playwright-core; axe-core
# and html-validate look at each page. Needs npm and its registry, and Node 18 or later.
# OCTAVO_BUILD is the folder with the programs (default: build); OCTAVO_SHOTS, where it is
# set, a folder for pictures of the main kinds of pages. Last line: N passed, N failed,
# N skipped.
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

# repository NAME FOLDER: a git repository of what is in the folder
repository() {
	mkdir "$tmp/$1" && cp -r "$2/." "$tmp/$1" && rm -rf "$tmp/$1/node_modules" && (cd "$tmp/$1" &&
		git init -q -b main && git add -A &&
		git -c user.name=T -c user.email=t@example.com -c commit.gpgsign=false commit -q -m one) ||
		give_up "no repository of $2"
}

command -v chromium >/dev/null || give_up 'chromium is missing'
cd "$here" || exit 2
if ! cmp -s package.json node_modules/.installed-from; then
	npm install --no-audit --no-fund --no-package-lock --loglevel=error >"$tmp/npm" 2>&1 ||
		give_up "npm cannot install what drives the browser: $(cat "$tmp/npm")"
	cp package.json node_modules/.installed-from
fi

"$octavo" init --dir "$dir" --email ada@example.com --name Ada --org Acme --json >"$tmp/init" ||
	give_up 'octavo init fails'
OCTAVO_TEST_TOKEN=$(value token <"$tmp/init")
OCTAVO_TEST_ORG=$(value organization <"$tmp/init")
repository manual "$here/../../docs"
repository blocks "$here/../client/fixture"
# A name that no checkout of Octavo should have to bear.
cp -r "$here/hostile" "$tmp/named" &&
	mv "$tmp/named/.gitbook/assets/active.svg" "$tmp/named/.gitbook/assets/\"><img src=x onerror=alert(1)>.svg" || give_up 'no hostile names'
repository hostile "$tmp/named"
OCTAVO_GIT_ROOT=$tmp "$octavo" up --dir "$dir" --port 0 >"$tmp/up" 2>&1 || give_up "octavo up fails: $(cat "$tmp/up")"
OCTAVO_TEST_URL=$("$octavo" status --dir "$dir" --json | value url)
for name in manual blocks hostile; do
	OCTAVO_GIT_ROOT=$tmp "$octavo" import --dir "$dir" --org "$OCTAVO_TEST_ORG" --title "$name" --url "file://$tmp/$name" \
		--json >"$tmp/import" || give_up "octavo import fails: $(cat "$tmp/import")"
	eval "OCTAVO_TEST_$name=$(value space <"$tmp/import" | head -n 1)"
done
OCTAVO_TEST_logs=$dir/log
export OCTAVO_TEST_logs OCTAVO_TEST_URL OCTAVO_TEST_TOKEN OCTAVO_TEST_ORG OCTAVO_TEST_manual OCTAVO_TEST_blocks OCTAVO_TEST_hostile

node --test --test-reporter=tap "$@" reader.test.mjs >"$tmp/tap" 2>&1
status=$?
cat "$tmp/tap"
count() { sed -n "s/^# $1 \([0-9]*\)$/\1/p" "$tmp/tap" | tail -n 1; }
passed=$(count pass) failed=$(count fail) cancelled=$(count cancelled) skipped=$(count skipped)
failed=$((${failed:-1} + ${cancelled:-0}))
[ $status -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
echo "${passed:-0} passed, $failed failed, ${skipped:-0} skipped"
[ "$failed" -eq 0 ]
