#!/bin/sh
# An upgrade under load: the programs of this checkout are replaced by those with one more schema
# step (make next), which migrate, and every response is correct; then a migration under running
# programs that nobody stopped, where some responses are 503. Acknowledged writes are not lost.
# Older schemas, each with rows: tests/unit/test_migrate.c. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

d=$tmp/data bin=$tmp/bin
finish() {
	touch "$tmp/stop"
	"$bin/octavo" down --dir "$d" >/dev/null 2>&1
	wait
	rm -rf "$tmp"
	ended_early
}
at_exit finish

case $OCTAVO_BUILD in *-san)
	skip upgrade 'once, with the programs as they are shipped'
	summary
	;;
esac
make -s next B="$OCTAVO_BUILD" >"$tmp/make" 2>&1 || { fail 'the next release is built' "$(cat "$tmp/make")"; summary; }
mkdir "$bin"
cp "$OCTAVO_BUILD/octavo" "$OCTAVO_BUILD"/octavo-* "$bin/"
octavo=$bin/octavo
sql() { "$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "$@"; }
until_true() {
	n=$(($1 * 10))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $n -gt 0 ] || return 1
		n=$((n - 1))
		sleep 0.1
	done
}

mkdir "$tmp/repo"
printf '# Home\n\nWombats and text.\n' >"$tmp/repo/README.md"
for i in $(seq 30); do printf '# Page %s\n\nText of page %s.\n' "$i" "$i" >"$tmp/repo/p$i.md"; done
git -C "$tmp/repo" init -q -b main
git -C "$tmp/repo" add -A
git -C "$tmp/repo" -c user.name=T -c user.email=t@example.com -c commit.gpgsign=false commit -q -m one
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
space=$("$octavo" import --dir "$d" --org "$org" --title T --url "$tmp/repo" --json | jq -r .result.space)
latest=$(sql 'PRAGMA user_version')
OCTAVO_GIT_ROOT=$tmp
export OCTAVO_GIT_ROOT
"$octavo" up --dir "$d" --port 0 --workers 3 >"$tmp/up" 2>&1 || { fail up "$(cat "$tmp/up")"; summary; }
url=$("$octavo" status --dir "$d" --json | jq -r .url)
supervisor=$("$octavo" status --dir "$d" --json | jq -r '.pid')

ask() {
	a_path=$1
	shift
	curl -s -m 30 -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@" "$url/v1/$a_path"
}
# One client each: writes a line "STATUS WHAT" for every response. 000 is none, as while nginx is stopped.
writer() {
	n=0
	while [ ! -e "$tmp/stop" ]; do
		n=$((n + 1))
		echo "$(ask "orgs/$org/spaces" -o /dev/null -w '%{http_code}' -d '{"title":"W'"$1-$n"'"}') W$1-$n"
	done
}
reader() {
	while [ ! -e "$tmp/stop" ]; do
		for path in "spaces/$space/content" "spaces/$space/content/path/p7" "spaces/$space/search?query=wombats" "orgs/$org/spaces?limit=5"; do
			echo "$(ask "$path" -o /dev/null -w '%{http_code}') $path"
		done
		curl -s -m 30 -o /dev/null -w '%{http_code} site\n' "$url/"
	done
}
load_begin() {
	rm -f "$tmp/stop"
	for c in 1 2; do writer "$1$c" >"$tmp/codes.w$1$c" & done
	for c in 1 2; do reader >"$tmp/codes.r$1$c" & done
}
writes() { cat "$tmp"/codes.w"$1"* | grep -c '^201'; }
some_writes() { [ "$(writes "$1")" -ge "$2" ]; }
# load_end NAME PREFIX STATUSES: no acknowledged write is lost, and every status is one of these
load_end() {
	touch "$tmp/stop"
	wait
	same "$1: no other answers than $3" '' "$(cat "$tmp"/codes.?"$2"* | grep -vE "^($3) " | sort | uniq -c | sort -rn | head -n 5)"
	sed -n 's/^201 //p' "$tmp"/codes.w"$2"* | sort >"$tmp/acknowledged"
	sql "SELECT title FROM space WHERE title LIKE 'W$2%'" | sort >"$tmp/there"
	same "$1: no write is lost" '' "$(comm -23 "$tmp/acknowledged" "$tmp/there" | head -n 5)"
	[ -s "$tmp/acknowledged" ] && pass || fail "$1: writes are made" 'there was none'
}

# ---- as the manual describes ----

load_begin A
until_true 30 some_writes A 20 || fail 'clients write before the upgrade' 'no writes'
for p in octavo octavo-api octavo-site octavo-jobs octavo-fetch octavo-pdf; do
	cp "$OCTAVO_BUILD/next/$p" "$bin/$p.new" && mv "$bin/$p.new" "$bin/$p"
done
expect 'migrate --dry-run says the next step' 0 "would take step $((latest + 1)): next_step" "$octavo" migrate --dir "$d" --dry-run
expect 'migrate beside running programs is refused' 1 'in use by .*octavo-.*Nothing was changed' "$octavo" migrate --dir "$d"
same 'a refused migrate does nothing' "$latest" "$(sql 'PRAGMA user_version')"
# A job that the old runner may have begun, or leaves to the new one.
imported=$(ask "orgs/$org/spaces" -d '{"title":"Imported"}' | jq -r .id)
ask "spaces/$imported/git/import" -d '{"url":"file://'"$tmp"'/repo","ref":"refs/heads/main"}' >/dev/null
before=$(writes A)
expect 'migrate --stop takes the step' 0 "schema version $((latest + 1)), 1 steps" "$octavo" migrate --dir "$d" --stop
expect 'migrate --stop leaves nginx running' 0 '' kill -0 "$supervisor"
until_true 30 some_writes A $((before + 20)) && pass || fail 'writes go on after the upgrade' "$(writes A) writes, $before before"
load_end 'upgrade' A '200|201'
same 'the step covers what the old programs wrote' 1 "$(sql "SELECT count(*) >= 20 FROM space WHERE title LIKE 'WA%' AND next_note = title")"
same 'the database before the step is kept' "$latest" "$("$OCTAVO_BUILD/tests/sql" "$d/octavo.db.schema-$latest" 'PRAGMA user_version')"
expect 'jobs of the old programs and of the step are done' 0 'done' "$octavo" jobs --dir "$d" --wait
same 'an import during the upgrade is whole' 31 "$(ask "spaces/$imported/content" | jq '[.. | objects | select(.type? == "document")] | length')"
same 'search works after the upgrade' 200 "$(ask "spaces/$space/search?query=wombats" -o "$tmp/found" -w '%{http_code}')"
same 'search finds pages after the upgrade' 1 "$(jq '.items | length' "$tmp/found")"

# A program of another build waits for its schema: run/schema-PROGRAM, include/app/ready.h.
health() { curl -s -o "$tmp/health" -w '%{http_code}' "$url/v1/healthz"; }
same 'the health check answers 200 after the upgrade' 200 "$(health)"
echo $((latest + 9)) >"$d/run/schema-octavo-site"
same 'healthz is not ok while octavo-site waits for another schema' 503 "$(health)"
expect 'healthz names the program that waits' 0 'octavo-site waits for schema version' cat "$tmp/health"
echo $((latest + 1)) >"$d/run/schema-octavo-site"
same 'healthz is ok when a note of a program is about a schema that came' 200 "$(health)"

# ---- migrated by someone else, under running programs ----

load_begin B
until_true 30 some_writes B 20 || fail 'clients write after the upgrade' 'no writes'
sql --script "BEGIN IMMEDIATE; ALTER TABLE space ADD COLUMN further TEXT; PRAGMA user_version = $((latest + 2)); COMMIT" && pass ||
	fail 'another step is taken by the schema' 'not taken'
refused() { [ "$(ask user -o "$tmp/refused" -w '%{http_code}')" = 503 ]; }
until_true 10 refused && pass || fail 'programs refuse another schema' "$(cat "$tmp/refused")"
frozen=$(sql 'SELECT count(*) FROM space')
sleep 1
same 'nobody writes into another schema' "$frozen" "$(sql 'SELECT count(*) FROM space')"
sql --script "BEGIN IMMEDIATE; ALTER TABLE space DROP COLUMN further; PRAGMA user_version = $((latest + 1)); COMMIT"
before=$(writes B)
until_true 30 some_writes B $((before + 20)) && pass || fail 'writes go on when the schema is theirs again' "$(writes B) writes, $before before"
load_end 'under their feet' B '200|201|503'
"$octavo" down --dir "$d" >/dev/null
expect 'octavo check finds nothing' 0 '^ok' "$octavo" check --dir "$d" --deep
same 'no program panics' '' "$(grep -hE 'panic|runtime error' "$d"/log/*.log | head -n 3)"

summary
