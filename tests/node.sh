# Shared by the tests that run under Node.js: a service of this build in its own folder, stopped at
# the end, the npm packages beside the test, and the runner's counts. Source it with set -u and
# $here, the folder of the test; OCTAVO_BUILD is the folder with the programs (default: build).
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

# The first value of a name in JSON printed by an octavo command.
value() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p"; }

# packages: installs those of $here/package.json. They stay for the next run, unless the list has changed.
packages() {
	cd "$here" || exit 2
	cmp -s package.json node_modules/.installed-from && return
	npm install --no-audit --no-fund --no-package-lock --loglevel=error >"$tmp/npm" 2>&1 ||
		give_up "npm cannot install what the test needs: $(cat "$tmp/npm")"
	cp package.json node_modules/.installed-from
}

# data: creates an organization and its first user; sets $token and $org.
data() {
	"$octavo" init --dir "$dir" --email ada@example.com --name Ada --org Acme --json >"$tmp/init" ||
		give_up 'octavo init fails'
	token=$(value token <"$tmp/init") org=$(value organization <"$tmp/init")
}

# service: starts it on a free port; sets $url.
service() {
	"$octavo" up --dir "$dir" --port 0 >"$tmp/up" 2>&1 || give_up "octavo up fails: $(cat "$tmp/up")"
	url=$("$octavo" status --dir "$dir" --json | value url)
}

count() { sed -n "s/^# $1 \([0-9]*\)$/\1/p" "$tmp/tap" | tail -n 1; }

# node_tests FILE...: runs them and prints the line of counts; a cancelled test has failed.
node_tests() {
	node --test --test-reporter=tap "$@" >"$tmp/tap" 2>&1
	status=$?
	cat "$tmp/tap"
	# A worker's log explains more than the 500 that a client saw.
	[ $status -eq 0 ] || grep -hE 'self-check|panic' "$dir"/log/* 2>/dev/null | head -n 20
	passed=$(count pass) failed=$(count fail) cancelled=$(count cancelled) skipped=$(count skipped)
	failed=$((${failed:-1} + ${cancelled:-0}))
	[ $status -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
	echo "${passed:-0} passed, $failed failed, ${skipped:-0} skipped"
	[ "$failed" -eq 0 ]
}
