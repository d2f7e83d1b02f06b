#!/bin/sh
# A published site, and the pages for people, in a real browser: Debian's Chromium, driven by
# playwright-core; axe-core and html-validate check each page. Needs npm and its registry, and Node
# 18 or later. OCTAVO_BUILD is the folder with the programs (default: build); OCTAVO_SHOTS (optional)
# is a folder for pictures of the main kinds of pages. Last line: N passed, N failed, N skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../node.sh"

# repository NAME FOLDER: makes a git repository from the folder
repository() {
	mkdir "$tmp/$1" && cp -r "$2/." "$tmp/$1" && rm -rf "$tmp/$1/node_modules" && (cd "$tmp/$1" &&
		git init -q -b main && git add -A &&
		git -c user.name=T -c user.email=t@example.com -c commit.gpgsign=false commit -q -m one) ||
		give_up "no repository of $2"
}

command -v chromium >/dev/null || give_up 'chromium is missing'
packages
data
repository manual "$here/../../docs"
repository blocks "$here/../client/fixture"
repository parts "$here/parts"
# A file name that no checkout of Octavo should have to contain.
cp -r "$here/hostile" "$tmp/named" &&
	mv "$tmp/named/.gitbook/assets/active.svg" "$tmp/named/.gitbook/assets/\"><img src=x onerror=alert(1)>.svg" || give_up 'no hostile names'
repository hostile "$tmp/named"
# A test's server on loopback may be reached by the relay of "Try it". Tests of the editor move the clock of
# the browser forward: their requests of hours come in seconds.
export OCTAVO_GIT_ROOT="$tmp" OCTAVO_FETCH_PRIVATE=1 OCTAVO_WORK=0
service
for name in manual blocks parts hostile; do
	"$octavo" import --dir "$dir" --org "$org" --title "$name" --url "file://$tmp/$name" \
		--json >"$tmp/import" || give_up "octavo import fails: $(cat "$tmp/import")"
	eval "OCTAVO_TEST_$name=$(value space <"$tmp/import" | head -n 1)"
done
OCTAVO_TEST_octavo=$octavo OCTAVO_TEST_dir=$dir OCTAVO_TEST_logs=$dir/log OCTAVO_TEST_URL=$url OCTAVO_TEST_TOKEN=$token OCTAVO_TEST_ORG=$org
export OCTAVO_TEST_octavo OCTAVO_TEST_dir OCTAVO_TEST_logs OCTAVO_TEST_URL OCTAVO_TEST_TOKEN OCTAVO_TEST_ORG OCTAVO_TEST_manual OCTAVO_TEST_blocks OCTAVO_TEST_parts OCTAVO_TEST_hostile

# Real repositories, where they are there (tests/unit/corpus_fixture.h).
OCTAVO_TEST_corpus=''
for bundle in "${OCTAVO_CORPUS:-$here/../../../shared/corpus}"/*.bundle; do
	[ -f "$bundle" ] || continue
	name=$(basename "$bundle" .bundle)
	folder=$(case $name in gl-sdk) echo gitbook ;; predicthq) echo docs/tech-docs ;; esac)
	git clone -q "$bundle" "$tmp/$name" && "$octavo" import --dir "$dir" --org "$org" --title "$name" --url "file://$tmp/$name" \
		${folder:+--project-dir $folder} --json >"$tmp/import" || give_up "octavo import fails: $(cat "$tmp/import")"
	OCTAVO_TEST_corpus="$OCTAVO_TEST_corpus $(value space <"$tmp/import" | head -n 1)"
done
export OCTAVO_TEST_corpus

node_tests "$@" reader.test.mjs sites.test.mjs sign_in.test.mjs app.test.mjs edit.test.mjs editor.test.mjs typing.test.mjs touch.test.mjs preview.test.mjs pages.test.mjs crawl.test.mjs
