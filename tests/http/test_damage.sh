#!/bin/sh
# Damage anywhere in a database with content: bits, pages, torn writes, a missing end. The output of
# octavo salvage has no breach that octavo check --deep finds, or salvage has named it with the
# command that repairs it; and it can be served. Runs some of the damages here, thirty with make
# damage. OCTAVO_SEED gives others. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh
seed=${OCTAVO_SEED:-1} damages=${OCTAVO_DAMAGES:-3}

finish() {
	for d_dir in "$d" "$tmp/new"; do
		[ ! -e "$d_dir/octavo.db" ] || "$octavo" down --dir "$d_dir" >/dev/null 2>&1
	done
	rm -rf "$tmp"
	ended_early
}
at_exit finish

# ---- content ----

d=$tmp/data
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
mkdir -p "$tmp/repo/part"
for i in $(seq 80); do
	printf '# Page %s\n\nText of page %s, see [the next](p%s.md).\n\n%s\n' "$i" "$i" $((i % 80 + 1)) \
		"$(head -c 700 /dev/urandom | base64)" >"$tmp/repo/part/p$i.md"
done
printf '# Home\n\n![](a.png)\n' >"$tmp/repo/README.md"
head -c 30000 /dev/urandom >"$tmp/repo/a.png"
repository "$tmp/repo"
"$octavo" import --dir "$d" --org "$org" --title T --url "$tmp/repo" --json >"$tmp/import" || exit 1
space=$(jq -r .result.space "$tmp/import")
"$octavo" user create --dir "$d" --email b@example.com --name B >/dev/null
"$octavo" member add --dir "$d" --org "$org" --user b@example.com --role edit >/dev/null
"$octavo" up --dir "$d" --port 0 --workers 1 >"$tmp/up" 2>&1 || fail up "$(cat "$tmp/up")"
url=$("$octavo" status --dir "$d" --json | jq -r .url)
# ask METHOD PATH BODY: the response is in $tmp/answer
ask() {
	curl -s -m 30 -o "$tmp/answer" -w '%{http_code}' -X "$1" -H "Authorization: Bearer $token" \
		-H 'Content-Type: application/json' ${3:+-d "$3"} "$url/v1/$2" >"$tmp/code"
	case $(cat "$tmp/code") in 2??) ;; *) fail "the content is written: $1 $2" "$(cat "$tmp/code" "$tmp/answer")" ;; esac
}
id() { jq -r .id "$tmp/answer"; }
ask POST "spaces/$space/duplicate" ''
copy=$(id)
ask GET "spaces/$space/content/pages" ''
page=$(jq -r '[.. | objects | select(.type? == "document") | .id][5]' "$tmp/answer")
for n in 1 2 3 4 5 6; do
	ask POST "spaces/$space/change-requests" "{\"subject\":\"Request $n\"}"
	request=$(id)
	ask POST "spaces/$space/change-requests/$request/content" \
		"{\"changes\":[{\"operation\":\"update_page\",\"page\":\"$page\",\"document\":{\"markdown\":\"Words $n.\n\nMore.\"}},{\"operation\":\"insert_page\",\"title\":\"New $n\",\"document\":{\"markdown\":\"New words.\"}}]}"
	ask POST "spaces/$space/change-requests/$request/comments" '{"body":{"markdown":"A comment"}}'
	[ $((n % 2)) -eq 0 ] || ask POST "spaces/$space/change-requests/$request/merge" ''
done
ask POST "spaces/$space/comments" '{"body":{"markdown":"On the space"}}'
ask POST "orgs/$org/collections" '{"title":"Shelf"}'
ask POST "orgs/$org/spaces" "{\"title\":\"On it\",\"parent\":\"$(id)\"}"
ask POST "orgs/$org/sites" "{\"title\":\"Site\",\"visibility\":\"share-link\",\"spaces\":[\"$copy\"]}"
site=$(id)
ask POST "orgs/$org/sites/$site/publish" ''
ask POST "orgs/$org/sites/$site/share-links" '{"name":"L"}'
ask POST "orgs/$org/link-invites" '{"role":"read"}'
ask PUT "orgs/$org/openapi/api" '{"source":{"text":"{\"openapi\":\"3.0.0\",\"info\":{\"title\":\"T\",\"version\":\"1\"},\"paths\":{\"/a\":{\"get\":{\"responses\":{\"200\":{\"description\":\"ok\"}}}}}}"}}'
"$octavo" jobs --dir "$d" --wait >/dev/null 2>&1
"$octavo" down --dir "$d" >/dev/null
expect 'octavo check finds nothing before the damage' 0 '^ok' "$octavo" check --dir "$d" --deep
size=$(stat -c %s "$d/octavo.db") pages=$(($(stat -c %s "$d/octavo.db") / 4096))

# ---- damage ----

# Sets rolled to a random number below $1.
roll() {
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	rolled=$((seed / 1024 * 7919 % $1))
}
put() { dd of="$bad/octavo.db" bs="$1" seek="$2" conv=notrunc status=none; }
# Does one of six kinds of damage; prints which.
damage() {
	bad=$tmp/bad
	rm -rf "$bad" "$tmp/new"
	cp -r "$d" "$bad"
	case $(($1 % 6)) in
	0)
		how=bits
		for _ in $(seq 40); do
			roll "$size"
			byte=$(od -An -tu1 -j "$rolled" -N 1 "$bad/octavo.db")
			printf "\\$(printf %o $((byte ^ 16)))" | put 1 "$rolled"
		done
		;;
	1 | 2)
		how='zeroed pages'
		[ $(($1 % 6)) -eq 1 ] || how='pages of noise'
		for _ in 1 2 3 4; do
			roll "$pages"
			head -c 4096 "$([ $(($1 % 6)) -eq 1 ] && echo /dev/zero || echo /dev/urandom)" | put 4096 "$rolled"
		done
		;;
	3)
		how='a lost end'
		roll $((size / 2))
		truncate -s $((size - rolled)) "$bad/octavo.db"
		;;
	4)
		how='torn pages'
		for _ in 1 2 3 4 5; do
			roll "$pages"
			torn_from=$rolled
			roll "$pages"
			dd if="$d/octavo.db" bs=2048 skip=$((torn_from * 2 + 1)) count=1 status=none | put 2048 $((rolled * 2 + 1))
		done
		;;
	*)
		how='64 kB of zeros'
		roll $((size / 512 - 128))
		head -c 65536 /dev/zero | put 512 "$rolled"
		;;
	esac
}

# ---- the salvaged database ----

# Runs the commands that salvage prints for organizations without an admin.
do_as_told() {
	[ "$(grep -c 'octavo member add' "$tmp/said")" = 0 ] ||
		"$octavo" user create --dir "$tmp/new" --email mender@example.com --name Mender >"$tmp/mended" 2>&1 || fail "$1: a user for the repair is created" "$(cat "$tmp/mended")"
	sed -n 's/^ *\(octavo .* --org [^ ]* .*\)$/\1/p' "$tmp/said" >"$tmp/commands"
	while read -r _ line; do
		line=$(printf %s "$line" | sed 's/ EMAIL/ mender@example.com/')
		eval "\"\$octavo\" $line" >"$tmp/mended" 2>&1 && pass || fail "$1: the advice works: $line" "$(cat "$tmp/mended")"
	done <"$tmp/commands"
}

# No page answers 500, whatever was lost.
serves() {
	"$octavo" up --dir "$tmp/new" --port 0 --workers 1 >"$tmp/up" 2>&1 || { fail "$1: the service starts" "$(cat "$tmp/up")"; return; }
	url=$("$octavo" status --dir "$tmp/new" --json | jq -r .url)
	token=$("$octavo" token create --dir "$tmp/new" --user "$2" --json | jq -r .token)
	{
		for s_space in $(sql "SELECT s.id FROM space s WHERE s.deleted_at IS NULL"); do
			printf '%s\n' "spaces/$s_space" "spaces/$s_space/content" "spaces/$s_space/content/pages" "spaces/$s_space/change-requests" \
				"spaces/$s_space/comments" "spaces/$s_space/content/links"
			sql "SELECT 'spaces/$s_space/content/page/' || n.id FROM node n JOIN space s ON s.branch = n.branch WHERE s.id = '$s_space' AND n.kind = 'document' AND n.until = 9007199254740991 LIMIT 40"
		done
		sql "SELECT 'spaces/' || space || '/change-requests/' || id || '/changes' FROM change_request" \
			"SELECT 'orgs/' || id || '/sites' FROM org" "SELECT 'orgs/' || id || '/members' FROM org" "SELECT 'orgs/' || id || '/openapi' FROM org"
	} >"$tmp/paths"
	while read -r s_path; do
		printf '%s\n' next silent globoff 'max-time = 30' "url = \"$url/v1/$s_path\"" "header = \"Authorization: Bearer $token\"" \
			"write-out = \"%{http_code} $s_path\\n\"" 'output = /dev/null'
	done <"$tmp/paths" | sed 1d >"$tmp/curl"
	curl -K "$tmp/curl" >"$tmp/codes" 2>/dev/null
	same "$1: no answer is 5xx" '' "$(grep -E '^(5|000)' "$tmp/codes" | head -n 3)"
	same "$1: every address is requested" "$(wc -l <"$tmp/paths")" "$(wc -l <"$tmp/codes")"
	"$octavo" jobs --dir "$tmp/new" --wait >/dev/null 2>&1
	"$octavo" down --dir "$tmp/new" >/dev/null
}
sql() { "$OCTAVO_BUILD/tests/sql" "$tmp/new/octavo.db" "$@"; }

n=0
while [ $n -lt "$damages" ]; do
	began=$seed
	damage $((n + seed % 6))
	n=$((n + 1))
	what="damage $n ($how, seed $began)"
	sum=$(md5sum <"$bad/octavo.db")
	if ! "$octavo" salvage "$tmp/new" --dir "$bad" >"$tmp/said" 2>&1; then
		fail "$what: salvage succeeds" "$(cat "$tmp/said")"
		continue
	fi
	pass
	same "$what: salvage leaves the damaged file" "$sum" "$(md5sum <"$bad/octavo.db")"
	do_as_told "$what"
	expect "$what: octavo check finds nothing" 0 '^ok' "$octavo" check --dir "$tmp/new" --deep
	mender=$(sql "SELECT a.id FROM member m JOIN account a ON a.id = m.account WHERE m.role = 6 AND m.disabled = 0 LIMIT 1")
	serves "$what" "$mender"
	expect "$what: octavo check finds nothing after requests and jobs" 0 '^ok' "$octavo" check --dir "$tmp/new" --deep
done
summary
