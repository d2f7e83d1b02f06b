#!/bin/sh
# Files of an installation that the web server's group may read: blobs/ and cache/served/, and
# nothing else, whichever program made them, new or old. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

finish() {
	"$octavo" down --dir "$d" >/dev/null 2>&1
	rm -rf "$tmp"
	ended_early
}
at_exit finish

d=$tmp/data
if [ "$(id -u)" -ne 0 ]; then
	skip 'modes of files' 'only root reads as another user'
	summary
fi
# The service's user and group, and a user who is only in that group, as www-data is after usermod -aG.
user=65521 web=65522 stranger=65523
chmod 711 "$tmp"
install -d -o $user -g $user -m 710 "$d"
as() { setpriv --reuid "$1" --regid "$1" --groups "$2" "$3" "$4" "$5"; }
# readable USER GROUPS FOLDER: lists the files that they can read.
readable() {
	find "$3" -type f | as "$1" "$2" sh -c 'while read -r f; do [ ! -r "$f" ] || echo "$f"; done' |
		sed "s|^$3/||" | sort
}
# Filters a list of files for those that the web server may not read.
private() { grep -vE '^(blobs|cache/served)/'; }

"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
mkdir "$tmp/repo"
printf '# Home\n\n```js\nlet a = 1;\n```\n\n![](a.png)\n' >"$tmp/repo/README.md"
head -c 30000 /dev/urandom >"$tmp/repo/a.png"
repository "$tmp/repo"
chown -R $user:$user "$tmp/repo"
"$octavo" import --dir "$d" --org "$org" --title T --url "$tmp/repo" --json >"$tmp/import" || fail import 'it failed'
space=$(jq -r .result.space "$tmp/import")
# Started with a careless umask: the modes of new files do not depend on it.
(umask 000; "$octavo" up --dir "$d" --port 0 --workers 1 >"$tmp/up" 2>&1) || fail up "$(cat "$tmp/up")"
url=$("$octavo" status --dir "$d" --json | jq -r .url)
call() { curl -s -m 30 -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }
site=$(call -d '{"spaces":["'"$space"'"],"title":"Manual"}' "$url/v1/orgs/$org/sites" | jq -r .id)
public=$(call -X POST "$url/v1/orgs/$org/sites/$site/publish" | jq -r .urls.published)
# A page is stored as a file at its second reading.
for i in 1 2 3; do [ "$(curl -s -m 30 -o "$tmp/page" -w '%{http_code}' "$public")" = 200 ] || fail 'the site is served' "$(cat "$tmp/page")"; done
call -o /dev/null "$url/v1/spaces/$space/pdf"
call -o "$tmp/file" "$(call "$url/v1/spaces/$space/content/files" | jq -r '.items[0].downloadURL')"
until_true 20 sh -c "[ -n \"\$(find '$d/cache/served' -type f -name '*.gz*' -o -path '*/now/*' -type f -size +1k)\" ]" || fail 'the web server gets a page to send' "$(find "$d/cache" -type f)"

readable $web $user "$d" >"$tmp/group"
grep -q '^blobs/' "$tmp/group" && pass || fail 'the group reads files of blobs' "$(cat "$tmp/group")"
grep -q '^cache/served/now/' "$tmp/group" && pass || fail 'the group reads served pages' "$(cat "$tmp/group"; ls -lR "$d/cache")"
same 'the group reads nothing else' '' "$(private <"$tmp/group")"
same 'the group lists no folder' '' "$(as $web $user ls "$d" "$d/log" 2>/dev/null)"
same 'others read nothing' '' "$(readable $stranger $stranger "$d")"
same 'the programs wrote log and database' yes "$([ -s "$d/log/requests.log" ] && [ -s "$d/octavo.db" ] && echo yes || echo no)"
"$octavo" down --dir "$d" >/dev/null
# A database that a program may only read: it says so, and answers no reader as if all were well.
health() {
	env OCTAVO_DIR="$d" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI=/v1/healthz SCRIPT_NAME=/v1/ \
		SERVER_PROTOCOL=HTTP/1.1 "$@" "$OCTAVO_BUILD/octavo-api"
}
cp -a "$d" "$tmp/owned"
(d=$tmp/owned; chmod 755 "$d" && chmod 644 "$d/octavo.db" "$d/octavo.key" && health setpriv --reuid $stranger --regid $stranger --clear-groups) >"$tmp/answer" 2>&1
grep -q '503.*octavo.db may only be read by this user' "$tmp/answer" && pass || fail 'a database of another user' "$(cat "$tmp/answer")"
if unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"' - "$d" \
		env OCTAVO_DIR="$d" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI=/v1/healthz SCRIPT_NAME=/v1/ SERVER_PROTOCOL=HTTP/1.1 \
		"$OCTAVO_BUILD/octavo-api" >"$tmp/answer" 2>&1
	grep -q '503.*on a file system that this program may only read.*systemctl restart' "$tmp/answer" && pass || fail 'a folder that may only be read' "$(cat "$tmp/answer")"
fi

# Modes as older programs, an upload or manual changes have left them: any command that starts a program repairs them.
loosen() { find "$d" -type d -exec chmod 755 {} + && find "$d" -type f -exec chmod 644 {} +; }
sql() { "$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "$@"; }
cp -p "$d/octavo.db" "$d/octavo.db.schema-1"
# As a setup by a file leaves it.
cp -p "$d/octavo.key" "$d/admin-token"
for by in migrate up jobs; do
	loosen
	case $by in
	migrate) expect 'migrate has no steps' 0 '0 steps' "$octavo" migrate --dir "$d" ;;
	up) "$octavo" up --dir "$d" --port 0 --workers 1 >"$tmp/up" 2>&1 && "$octavo" down --dir "$d" >/dev/null || fail up "$(cat "$tmp/up")" ;;
	jobs) OCTAVO_DIR=$d setpriv --reuid $user --regid $user --clear-groups "$OCTAVO_BUILD/octavo-jobs" --once >"$tmp/jobs" 2>&1 || fail jobs "$(cat "$tmp/jobs")" ;;
	esac
	same "$by: the group reads nothing else" '' "$(readable $web $user "$d" | private)"
	readable $web $user "$d" | grep -q '^blobs/' && pass || fail "$by: the group still reads files" "$(ls -la "$d")"
	same "$by: others read nothing of the data" '' "$(readable $stranger $stranger "$d")"
done
# On hosts where the programs' group may write, that stays.
chmod 770 "$d"
"$octavo" migrate --dir "$d" >/dev/null
same 'a folder that its group writes keeps its mode' 770 "$(stat -c %a "$d")"
chmod 710 "$d"

# Copies of the data in other places.
expect 'a backup is made' 0 'backed up' "$octavo" backup "$tmp/backup" --dir "$d"
same 'the group reads nothing of a backup' '' "$(readable $web $user "$tmp/backup")"
for from in "$tmp/backup" "$tmp/one.tar"; do
	[ -e "$from" ] || "$octavo" backup "$from" --dir "$d" >/dev/null
	rm -rf "$tmp/again"
	install -d -o $user -g $user -m 710 "$tmp/again"
	expect 'a backup is restored' 0 'restored' "$octavo" restore "$from" --dir "$tmp/again"
	same 'restored: the group reads nothing else' '' "$(readable $web $user "$tmp/again" | private)"
	readable $web $user "$tmp/again" | grep -q '^blobs/' && pass || fail 'restored: the group reads files' "$(ls -lR "$tmp/again")"
done
expect 'the data are salvaged' 0 '' "$octavo" salvage "$tmp/saved" --dir "$d"
same 'salvaged: the group reads nothing else' '' "$(readable $web $user "$tmp/saved" | private)"
readable $web $user "$tmp/saved" | grep -q '^blobs/' && pass || fail 'salvaged: the group reads files' "$(ls -lR "$tmp/saved")"

# Units and the package set these modes.
for unit in systemd/octavo-*.service; do
	same "the unit keeps its modes: $unit" 'StateDirectoryMode=0710 UMask=0077' "$(grep -E '^(UMask|StateDirectoryMode)=' "$unit" | sort | tr '\n' ' ' | sed 's/ $//')"
done

summary
