#!/bin/sh
# octavo backup and restore: under load, repeated, interrupted, damaged, without the key, and into a
# folder of another user. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

finish() {
	touch "$tmp/stop"
	"$octavo" down --dir "$d" >/dev/null 2>&1
	wait
	rm -rf "$tmp"
	ended_early
}
at_exit finish

d=$tmp/data bk=$tmp/backup
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
mkdir "$tmp/repo"
printf '# Home\n\nText. ![](a.png)\n' >"$tmp/repo/README.md"
head -c 300000 /dev/urandom >"$tmp/repo/a.png"
head -c 5000 /dev/urandom >"$tmp/repo/b.bin"
repository "$tmp/repo"
"$octavo" import --dir "$d" --org "$org" --title T --url "$tmp/repo" --json >"$tmp/import" || exit 1
sql() { sql_db=$1; shift; "$OCTAVO_BUILD/tests/sql" "$sql_db" "$@"; }
files() { (cd "$1/blobs" && find . -type f -path './??/*' | sort); }
modes() { (cd "$1" && find . -type f -path './blobs/*' -printf '%m %u %p\n' | sort); }

expect 'a backup needs a folder' 2 'name one folder' "$octavo" backup --dir "$d"
expect 'a backup of no data fails' 1 'no Octavo in' "$octavo" backup "$bk" --dir "$tmp/none"
same 'a failed backup makes nothing' no "$([ -e "$bk" ] && echo yes || echo no)"
mkdir "$tmp/mine"
echo x >"$tmp/mine/letter"
expect 'a folder of something else is refused' 1 'no backup .letter.' "$octavo" backup "$tmp/mine" --dir "$d"
same 'a refused folder is left alone' letter "$(ls -A "$tmp/mine")"
expect 'a backup into the data is refused' 1 'cannot be the data itself' "$octavo" backup "$d" --dir "$d"

# While clients write: the backup is the state of one moment.
"$octavo" up --dir "$d" --port 0 --workers 2 >"$tmp/up" 2>&1 || fail up "$(cat "$tmp/up")"
url=$("$octavo" status --dir "$d" --json | jq -r .url)
write() {
	n=0
	while [ ! -e "$tmp/stop" ]; do
		n=$((n + 1))
		curl -s -m 30 -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $token" \
			-H 'Content-Type: application/json' -d '{"title":"L'$n'"}' "$url/v1/orgs/$org/spaces"
	done >"$tmp/codes"
}
# Secrets that open something, and words that are deleted again.
ask() { curl -s -m 30 -X "$1" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' ${3:+-d "$3"} "$url/v1/orgs/$org/$2"; }
ask POST spaces '{"title":"Quagmires"}' >"$tmp/quagmires"
site=$(ask POST sites '{"title":"Shared","visibility":"share-link","spaces":["'"$(jq -r .id "$tmp/quagmires")"'"]}' | jq -r .id)
ask POST "sites/$site/publish" '' >"$tmp/site"
key=$(ask POST "sites/$site/share-links" '{"name":"L"}' | jq -r '.urls.published | split("/")[-2]')
invite=$(ask POST link-invites '{"role":"read"}' | jq -r .id)
[ ${#key} = 22 ] && [ ${#invite} = 22 ] && pass || fail 'link and invitation have keys of 22 characters' "$key $invite"
ask POST openapi '{"slug":"guarded","source":{"url":"https://spec.invalid/a?token=hunter3t"}}' >"$tmp/spec"
ask POST "sites/$site/mcp-servers" '{"name":"M","url":"https://mcp.invalid/?token=hunter3t","headers":{}}' >"$tmp/mcp"
curl -s -o "$tmp/gone" -X PATCH -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"title":"Dry land"}' \
	"$url/v1/spaces/$(jq -r .id "$tmp/quagmires")"
before=$(modes "$d")
write &
# On another file system the kernel cannot copy the bytes by itself (copy_file_range(2)).
for other in /dev/shm /var/tmp ''; do
	[ ! -w "$other" ] || [ "$(stat -c %d "$other")" = "$(stat -c %d "$d")" ] || break
done
if [ -n "$other" ]; then
	other=$(mktemp -d "$other/octavo.XXXXXX")
	expect 'a backup on another file system works' 0 'backed up: database' "$octavo" backup "$other/b" --dir "$d"
	expect 'a backup on another file system is whole' 0 'whole' "$octavo" backup --verify "$other/b"
	rm -rf "$other"
fi
expect 'a backup works while clients write' 0 'backed up: database of 20.* files, with the key' "$octavo" backup "$bk" --dir "$d"
touch "$tmp/stop"
wait
same 'no write fails during a backup' '' "$(grep -v '^201$' "$tmp/codes")"
same 'the folder of a backup is of its owner alone' 700 "$(stat -c %a "$bk")"
same 'the key in a backup is of its owner alone' 600 "$(stat -c %a "$bk/octavo.key")"
same 'a backup has all files' "$(files "$d")" "$(files "$bk")"
same 'a backup leaves modes and owners of the files' "$before" "$(modes "$d")"
same 'a backup has nothing else' 'blobs octavo.backup octavo.db octavo.key' "$(ls -A "$bk" | tr '\n' ' ' | sed 's/ $//')"
expect 'a backup is verified as whole' 0 'the backup is whole' "$octavo" backup "$bk" --verify
written=$(sql "$bk/octavo.db" "SELECT count(*) FROM space WHERE title LIKE 'L%'")
[ "$written" -le "$(grep -c 201 "$tmp/codes")" ] && pass || fail 'a backup holds no more than was written' "$written"
rm -f "$bk"/octavo.db-*

# A second backup copies only new files, and deletes those that the data no longer has.
echo extra >"$bk/blobs/$(files "$d" | head -n 1 | cut -c 3-4)/$(printf '%062d' 7)"
expect 'a second backup copies no file again' 0 '"copied": *0' "$octavo" backup "$bk" --dir "$d" --json
same 'a second backup has the files of the data' "$(files "$d")" "$(files "$bk")"
expect 'a second backup is whole' 0 'whole' "$octavo" backup "$bk" --verify

# cut_off SIGNAL BEGUN PATH: signals a backup as soon as the file BEGUN exists; false if it was never in time.
cut_off() {
	cut_n=50
	while [ $cut_n -gt 0 ]; do
		"$octavo" backup "$3" --dir "$d" >/dev/null 2>&1 &
		killed=$!
		until [ -e "$2" ] || ! kill -0 $killed 2>/dev/null; do :; done
		kill -"$1" $killed 2>/dev/null
		wait $killed 2>/dev/null
		case $? in 137 | 143) return 0 ;; esac
		cut_n=$((cut_n - 1))
	done
	return 1
}
folder_of() { ls -A "$1" | tr '\n' ' ' | sed 's/ $//'; }

# Killed in the middle: the old backup is intact, and the next one completes and leaves nothing else.
cut_off KILL "$bk/octavo.db.new" "$bk" && pass || fail 'a backup is killed in the middle' 'it was over each time'
expect 'a backup is whole after a killed one' 0 'whole' "$octavo" backup "$bk" --verify
echo key >"$bk/octavo.key.new"
echo log >"$bk/octavo.db.new-journal"
expect 'the next backup finishes' 0 'backed up' "$octavo" backup "$bk" --dir "$d"
same 'the next backup removes what a killed one left' 'blobs octavo.backup octavo.db octavo.key' "$(folder_of "$bk")"
cut_off TERM "$bk/octavo.db.new" "$bk" && pass || fail 'a backup is ended by a signal' 'it was over each time'
same 'a backup that is ended leaves nothing' 'blobs octavo.backup octavo.db octavo.key' "$(folder_of "$bk")"
expect 'a backup is whole after one that was ended' 0 'whole' "$octavo" backup "$bk" --verify
cut_off KILL "$tmp/first/octavo.db.new" "$tmp/first" && pass || fail 'a first backup is killed' 'it was over each time'
expect 'a killed first backup is not verified' 1 'never finished' "$octavo" backup "$tmp/first" --verify
expect 'a killed first backup is not restored' 1 'never finished' "$octavo" restore "$tmp/first" --dir "$tmp/never"
expect 'the next backup finishes a killed first one' 0 'backed up' "$octavo" backup "$tmp/first" --dir "$d"
same 'a finished first backup has nothing else' 'blobs octavo.backup octavo.db octavo.key' "$(folder_of "$tmp/first")"

# Killed between its two renames: the newer note is that of the database, also for the backups after it.
half=$tmp/half
"$octavo" backup "$half" --dir "$d" >/dev/null
cp "$half/octavo.backup" "$tmp/older"
ask POST spaces '{"title":"Halves"}' >"$tmp/halves"
"$octavo" backup "$half" --dir "$d" >/dev/null
mv "$half/octavo.backup" "$half/octavo.backup.new"
cp "$tmp/older" "$half/octavo.backup"
expect 'a backup is whole that was killed between its renames' 0 'whole' "$octavo" backup "$half" --verify
cut_off KILL "$half/octavo.db.new" "$half" && pass || fail 'the backup after it is killed' 'it was over each time'
expect 'a backup is whole after another killed one' 0 'whole' "$octavo" backup "$half" --verify
expect 'the next backup finishes both' 0 'backed up' "$octavo" backup "$half" --dir "$d"
expect 'it is whole' 0 'whole' "$octavo" backup "$half" --verify
"$octavo" down --dir "$d" >/dev/null

# Restored: the same responses, token, files; no hard link to the backup.
expect 'a restore into data is refused' 1 'is not empty .*move what is there away' "$octavo" restore "$bk" --dir "$d"
r=$tmp/restored
mkdir -m 750 "$r"
mkdir "$r/log"
[ "$(id -u)" -ne 0 ] || chown 65534:65534 "$r"
expect 'a backup is restored' 0 'restored: database of' "$octavo" restore "$bk" --dir "$r"
same 'restored files belong to the owner of the folder' "$(stat -c %u "$r")" "$(stat -c %u "$r/octavo.db" "$r/octavo.key" "$r/blobs" | sort -u)"
same 'a restore brings all files back' "$(files "$bk")" "$(files "$r")"
same 'restored files are no links to the backup' '' "$(find "$r/blobs" -type f -links +1)"
same 'nginx may read restored files' 640 "$(find "$r/blobs" -type f -printf '%m\n' | sort -u)"
if [ "$(id -u)" -eq 0 ]; then chown -R 0:0 "$r"; fi
expect 'octavo check finds nothing in restored data' 0 '^ok' "$octavo" check --dir "$r" --deep
"$octavo" up --dir "$r" --port 0 --workers 1 >"$tmp/up" 2>&1 || fail up "$(cat "$tmp/up")"
url=$("$octavo" status --dir "$r" --json | jq -r .url)
page=$url/v1/spaces/$(jq -r .result.space "$tmp/import")/content/path/readme
same 'restored data are served' 200 "$(curl -s -m 30 -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $token" "$page")"
"$octavo" down --dir "$r" >/dev/null

# Without the key: restore names what is lost.
expect 'a backup may be without the key' 0 'without the key' "$octavo" backup "$tmp/keyless" --dir "$d" --without-key
same 'a backup without the key has none' no "$([ -e "$tmp/keyless/octavo.key" ] && echo yes || echo no)"
for secret in "$key" "$invite" "$token" hunter3t; do
	grep -qF -- "$secret" "$tmp/keyless/octavo.db" && fail 'a backup without the key holds no secret' "the database holds $secret" || pass
done
same 'a backup without the key has no free pages' 0 "$(sql "$tmp/keyless/octavo.db" 'PRAGMA freelist_count')"
expect 'a restore without the key says what is lost' 0 'Lost with the old one: credentials of git imports' "$octavo" restore "$tmp/keyless" --dir "$tmp/other"
expect 'data without the old key open' 0 '^ok' "$octavo" check --dir "$tmp/other"
"$octavo" up --dir "$tmp/other" --port 0 >"$tmp/up" 2>&1 || fail 'data with another key are served' "$(cat "$tmp/up")"
url=$("$octavo" status --dir "$tmp/other" --json | jq -r .url)
at=$(ask GET "sites/$site" '' | jq -r .urls.published)
same 'a share link works without the old key' 303 "$(curl -s -o /dev/null -w '%{http_code}' "$url/${at#*://*/}$key/")"
same 'a share link is not shown without the old key' 'null false' "$(ask GET "sites/$site/share-links" '' | jq -r '.items[0] | "\(.urls.published) \(has("secret"))"')"
same 'an invitation is not shown without the old key' "$(printf %s "$invite" | b2sum -l 256 | cut -c1-24)" "$(ask GET link-invites '' | jq -r '.items[0].id')"
# The masked form of URLs is shown, and never fetched instead of them.
same 'the address of a specification' 'https://spec.invalid/a?token=***' "$(ask PUT openapi/guarded '{"source":{"url":"https://spec.invalid/a?token=***"}}' | jq -r .sourceURL)"
spec_is() { [ "$(ask GET openapi/guarded '' | jq -r '.processingState + " " + (.lastProcessedErrors[0].message // "" | '"$1"' | tostring)')" = 'complete true' ]; }
until_true 20 spec_is 'contains("sealed under another octavo.key")' && pass || fail 'it is told that the address was lost' "$(ask GET openapi/guarded '')"
ask PUT openapi/guarded '{"source":{"url":"https://spec.invalid/a?token=hunter4t"}}' >"$tmp/spec"
until_true 20 spec_is 'contains("spec.invalid")' && pass || fail 'given anew, it is fetched' "$(ask GET openapi/guarded '')"
same 'the address of a server' 'https://mcp.invalid/?token=***' "$(ask GET "sites/$site/mcp-servers" '' | jq -r '.items[0].url')"
same 'an invitation works without the old key' read "$(ask GET "link-invites/$invite" '' | jq -r .role)"
"$octavo" down --dir "$tmp/other" >/dev/null

# Every kind of damage is detected, and nothing is restored from a damaged backup.
damaged() {
	rm -rf "$tmp/bad"
	cp -r "$bk" "$tmp/bad"
	(cd "$tmp/bad" && eval "$2")
	expect "verify finds the damage: $1" 1 "$3" "$octavo" backup "$tmp/bad" --verify
	expect "restore refuses the damage: $1" 1 'damaged; nothing was restored|no backup' "$octavo" restore "$tmp/bad" --dir "$tmp/never"
	same "a refused restore makes nothing: $1" no "$([ -e "$tmp/never" ] && echo yes || echo no)"
}
damaged 'a byte of the database' 'printf X | dd of=octavo.db bs=1 seek=9000 conv=notrunc status=none' 'octavo.db: the content does not match'
damaged 'half a database' 'truncate -s 8192 octavo.db' 'octavo.db'
damaged 'a byte of a file' 'f=$(find blobs/?? -type f | head -n 1); printf X | dd of="$f" bs=1 seek=3 conv=notrunc status=none' 'content does not match the hash in its name'
damaged 'a missing file' 'rm "$(find blobs/?? -type f | head -n 1)"' 'missing'
damaged 'no key' 'rm octavo.key' 'octavo.key is missing'
expect 'damage is counted' 1 '1 faults in ' "$octavo" backup "$tmp/bad" --verify
damaged 'no note' 'rm octavo.backup' 'no backup'

# A backup in a single file.
one=$tmp/one.tar
expect 'a backup may be one file' 0 'backed up: database of 20.* files, with the key' "$octavo" backup "$one" --dir "$d"
same 'a backup in one file is of its owner alone' 600 "$(stat -c %a "$one")"
same 'a backup in one file leaves nothing beside it' 'one.tar' "$(cd "$tmp" && echo one.tar*)"
expect 'a backup in one file is whole' 0 'the backup is whole' "$octavo" backup "$one" --verify
same 'verify leaves nothing beside the file' 'one.tar' "$(cd "$tmp" && echo one.tar*)"
same 'tar unpacks a backup in one file' "$(files "$d")" "$(mkdir "$tmp/unpacked" && tar -C "$tmp/unpacked" -xf "$one" && files "$tmp/unpacked")"
expect 'an unpacked backup is a backup' 0 'whole' "$octavo" backup "$tmp/unpacked" --verify
expect 'a backup replaces the file' 0 'backed up' "$octavo" backup "$one" --dir "$d"
echo letter >"$tmp/letter.tar"
expect 'a file of something else is refused' 1 'exists and is not a backup' "$octavo" backup "$tmp/letter.tar" --dir "$d"
same 'a refused file is left alone' letter "$(cat "$tmp/letter.tar")"
expect 'a backup in one file is restored' 0 'restored: database of' "$octavo" restore "$one" --dir "$tmp/from_one"
same 'a restore from one file brings all files back' "$(files "$d")" "$(files "$tmp/from_one")"
same 'a restore from one file brings the key back' "$(cat "$d/octavo.key")" "$(cat "$tmp/from_one/octavo.key")"
same 'nginx may read files restored from one file' 640 "$(find "$tmp/from_one/blobs" -type f -printf '%m\n' | sort -u)"
expect 'octavo check finds nothing in data from one file' 0 '^ok' "$octavo" check --dir "$tmp/from_one" --deep
expect 'a restore from one file into data is refused' 1 'is not empty' "$octavo" restore "$one" --dir "$tmp/from_one"
expect 'a backup in one file may be without the key' 0 'without the key' "$octavo" backup "$tmp/keyless.tar" --dir "$d" --without-key
same 'a backup in one file without the key has none' '' "$(tar -tf "$tmp/keyless.tar" | grep key)"
expect 'a restore from one file without the key says what is lost' 0 'Lost with the old one' "$octavo" restore "$tmp/keyless.tar" --dir "$tmp/keyless_one"
expect 'data from one file without the old key open' 0 '^ok' "$octavo" check --dir "$tmp/keyless_one"
damaged_one() {
	cp "$one" "$tmp/bad.tar"
	(cd "$tmp" && eval "$2")
	expect "verify finds the damage in one file: $1" 1 "$3" "$octavo" backup "$tmp/bad.tar" --verify
	expect "restore refuses the damage in one file: $1" 1 "$3|nothing was restored" "$octavo" restore "$tmp/bad.tar" --dir "$tmp/never_one"
	same "a refused restore from one file makes nothing: $1" no "$([ -e "$tmp/never_one" ] && echo yes || echo no)"
}
# put_byte NAME N: changes the byte at offset N of the data after this header.
put_byte() {
	at=$(grep -abo "$1" bad.tar | head -n 1 | cut -d : -f 1)
	printf X | dd of=bad.tar bs=1 seek=$((at + 512 + $2)) conv=notrunc status=none
}
damaged_one 'cut off' 'truncate -s 200000 bad.tar' 'cut off|never finished'
damaged_one 'without its end' 'truncate -s -3000 bad.tar' 'cut off|never finished'
damaged_one 'a byte of the database' 'put_byte octavo.db 9000' 'the content does not match'
damaged_one 'a byte of a file' 'put_byte blobs/ 3' 'content does not match the hash in its name'
damaged_one 'a header' 'put_byte blobs/ -300' 'never finished'
cp -r "$tmp/unpacked" "$tmp/repacked"
rm "$tmp/repacked/$(cd "$tmp/repacked" && find blobs/?? -type f | head -n 1)"
tar -C "$tmp/repacked" --format=ustar -cf "$tmp/repacked.tar" octavo.db octavo.key $(cd "$tmp/repacked" && find blobs -type f) octavo.backup
damaged_one 'a missing file' 'cp repacked.tar bad.tar' 'missing'
mkdir "$tmp/dated"
cut_off KILL "$tmp/dated/.octavo-backup.mon.tar/database" "$tmp/dated/mon.tar" && pass || fail 'a backup into one file is killed' 'it was over each time'
rm -f "$tmp/dated/mon.tar"
same 'what a killed backup left is not called like one' '.octavo-backup.mon.tar' "$(folder_of "$tmp/dated")"
same 'what a killed backup left is of its owner alone' 700 "$(stat -c %a "$tmp/dated/.octavo-backup.mon.tar")"
expect 'the next backup of another name finishes' 0 'backed up' "$octavo" backup "$tmp/dated/tue.tar" --dir "$d"
same 'the next backup of another name removes what was left' 'tue.tar' "$(folder_of "$tmp/dated")"
cut_off TERM "$tmp/dated/.octavo-backup.tue.tar/database" "$tmp/dated/tue.tar" && pass || fail 'a backup into one file is ended by a signal' 'it was over each time'
same 'a backup into one file that is ended leaves nothing' 'tue.tar' "$(folder_of "$tmp/dated")"
expect 'the older file is whole after a backup that was ended' 0 'whole' "$octavo" backup "$tmp/dated/tue.tar" --verify
cut_off KILL "$tmp/dated/.octavo-backup.tue.tar/database" "$tmp/dated/tue.tar" && pass || fail 'a second backup into one file is killed' 'it was over each time'
expect 'the older file is whole after a killed backup' 0 'whole' "$octavo" backup "$tmp/dated/tue.tar" --verify
expect 'the next backup into the file finishes' 0 'backed up' "$octavo" backup "$tmp/dated/tue.tar" --dir "$d"
same 'the next backup into the file leaves nothing beside it' 'tue.tar' "$(folder_of "$tmp/dated")"

# Two backups at a time: one that opened the new file before the other renamed it does not touch it.
case $OCTAVO_BUILD in
*-san) skip 'two backups at a time' 'a sanitizer wants to be loaded first' ;;
*)
	cat >"$tmp/late.c" <<-'END'
		#define _GNU_SOURCE
		#include <fcntl.h>
		#include <stdlib.h>
		#include <sys/syscall.h>
		#include <unistd.h>
		int flock(int fd, int how)
		{
			close(creat(getenv("LATE_AT"), 0600));
			while (access(getenv("LATE_UNTIL"), F_OK) != 0)
				usleep(10000);
			return (int)syscall(SYS_flock, fd, how);
		}
	END
	cc -shared -fPIC -o "$tmp/late.so" "$tmp/late.c" || fail 'two backups' 'no compiler'
	LATE_AT=$tmp/at LATE_UNTIL=$tmp/until LD_PRELOAD=$tmp/late.so "$octavo" backup "$one" --dir "$d" >"$tmp/late" 2>&1 &
	late=$!
	n=200
	until [ -e "$tmp/at" ] || [ $n = 0 ]; do sleep 0.05; n=$((n - 1)); done
	expect 'a second backup works while the first waits' 0 'backed up' "$octavo" backup "$one" --dir "$d"
	cp "$one" "$tmp/other.tar"
	touch "$tmp/until"
	wait $late
	grep -q 'another backup into .* is under way' "$tmp/late" && pass || fail 'the late backup says that another is under way' "$(cat "$tmp/late")"
	cmp -s "$one" "$tmp/other.tar" && pass || fail 'the late backup writes nothing' 'it was written to'
	;;
esac

# Calls of the C library that fail (tests/fault/fault.c).
case $OCTAVO_BUILD in
*-san) skip 'failing calls' 'a sanitizer wants to be loaded first' ;;
*)
	# failing CALL N: sets $failing to what a command of which the Nth call fails begins with
	failing() {
		printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >"$tmp/state"
		failing="env FAULT_CALL=$1 FAULT_AT=$2 FAULT_STATE=$tmp/state LD_PRELOAD=$OCTAVO_BUILD/tests/fault.so"
	}
	failing rename 3
	expect 'the last rename of a backup fails' 1 'octavo.backup: Input/output error' $failing "$octavo" backup "$half" --dir "$d"
	expect 'the backup is whole though' 0 'whole' "$octavo" backup "$half" --verify
	failing sync 2
	expect 'the last sync of a restore fails' 1 'Input/output error' $failing "$octavo" restore "$half" --dir "$tmp/again"
	expect 'the restore can be repeated' 0 'restored' "$octavo" restore "$half" --dir "$tmp/again"
	"$octavo" export "$tmp/everything" --dir "$d" >/dev/null
	for f_n in 2 3 4; do
		failing rename $f_n
		expect "rename $f_n of an import fails" 1 'Input/output error' $failing "$octavo" import "$tmp/everything" --dir "$tmp/taken"
		same "rename $f_n of an import leaves nothing" no "$([ -e "$tmp/taken" ] && echo yes || echo no)"
	done
	;;
esac

# A backup of damaged data does not replace an intact one.
cp -r "$d" "$tmp/spoilt"
rm "$(find "$tmp/spoilt/blobs" -type f -path '*/??/*' | head -n 1)"
cp -r "$bk" "$tmp/good"
expect 'damaged data are not backed up' 1 'was not replaced' "$octavo" backup "$tmp/fresh" --dir "$tmp/spoilt"
expect 'damaged data leave no backup' 1 'no backup' "$octavo" backup "$tmp/fresh" --verify
cp "$one" "$tmp/before.tar"
expect 'damaged data do not replace one file' 1 'was not replaced' "$octavo" backup "$one" --dir "$tmp/spoilt"
cmp -s "$one" "$tmp/before.tar" && pass || fail 'the older file stays where data are damaged' 'it was replaced'

summary
