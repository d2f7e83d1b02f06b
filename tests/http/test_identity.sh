#!/bin/sh
# A lost database is not mistaken for an empty installation: init, migrate and up refuse if other
# files are left, doctor says to restore, and a backup is replaced only by data that can be its
# successor. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

finish() {
	rm -rf "$tmp"
	ended_early
}
at_exit finish

make_data() { "$octavo" init --dir "$1" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1; }
sql() { sql_db=$1; shift; "$OCTAVO_BUILD/tests/sql" "$sql_db" "$@"; }
d=$tmp/data bk=$tmp/backup one=$tmp/one.tar
make_data "$d"
same 'init leaves no mark of its beginning' no "$([ -e "$d/octavo.begun" ] && echo yes || echo no)"
mkdir "$tmp/repo"
for i in 1 2 3 4 5 6; do printf '# Page %s\n\n![](a.png)\n' "$i" >"$tmp/repo/p$i.md"; done
head -c 30000 /dev/urandom >"$tmp/repo/a.png"
repository "$tmp/repo"
"$octavo" import --dir "$d" --org Docs --title T --url "$tmp/repo" >/dev/null || fail import 'it failed'
expect 'a backup is made' 0 'backed up' "$octavo" backup "$bk" --dir "$d"
expect 'a backup in one file is made' 0 'backed up' "$octavo" backup "$one" --dir "$d"
same 'a backup names its installation' "installation $(sql "$d/octavo.db" 'SELECT id FROM installation')" "$(grep '^installation' "$bk/octavo.backup")"
rm -f "$bk"/octavo.db-*
cp "$one" "$tmp/good.tar"
sum() { (cd "$bk" && find . -type f -exec md5sum {} + | sort -k 2); }
good=$(sum)

# kept NAME PATTERN DIR: neither backup is replaced, and both commands say why.
kept() {
	expect "$1: a backup is refused" 1 "$2" "$octavo" backup "$bk" --dir "$3"
	same "$1: the folder is as it was" "$good" "$(sum)"
	expect "$1: a backup in one file is refused" 1 "$2" "$octavo" backup "$one" --dir "$3"
	cmp -s "$one" "$tmp/good.tar" && pass || fail "$1: the file is as it was" 'it was replaced'
	same "$1: nothing is beside the file" 'one.tar' "$(cd "$tmp" && echo one.tar*)"
}

# lost NAME PATTERN: every command that would make an empty installation refuses.
lost() {
	for command in "init --email b@example.com --name B --org New" migrate "up --port 0" "user list" check; do
		expect "$1: octavo $command is refused" 1 "$2.*Restore a backup: move the folder away, then octavo restore" \
			"$octavo" $command --dir "$tmp/lost"
	done
	expect "$1: doctor names the restore" 1 "^BAD +.*$2.*octavo restore BACKUP" "$octavo" doctor --dir "$tmp/lost"
	kept "$1: backup" "nothing was backed up: .*$2" "$tmp/lost"
	expect "$1: a first backup is refused" 1 "nothing was backed up: .*$2" "$octavo" backup "$tmp/first" --dir "$tmp/lost"
	same "$1: a refused first backup makes nothing" no "$([ -e "$tmp/first" ] && echo yes || echo no)"
}
copy() { rm -rf "$tmp/lost"; cp -r "$d" "$tmp/lost"; }
copy
: >"$tmp/lost/octavo.db"
lost 'an empty file' 'octavo.db is empty, and the key and files'
rm "$tmp/lost"/octavo.db*
lost 'no database' 'octavo.db is missing, and the key and files'
rm -r "$tmp/lost/blobs"
lost 'only the key is left' 'octavo.db is missing, and the key of'
copy
rm "$tmp/lost"/octavo.db* "$tmp/lost/octavo.key"
expect 'init beside files without a database is refused' 1 'octavo.db is missing, and files of' "$octavo" init --dir "$tmp/lost" --email b@example.com --name B --org New
copy
cp schema/0001_foundation.sql "$tmp/first.sql"
rm "$tmp/lost"/octavo.db*
: >"$tmp/lost/octavo.db"
sql "$tmp/lost/octavo.db" --script "$(cat "$tmp/first.sql"); PRAGMA user_version = 1"
expect 'init beside tables without users is refused' 1 'holds no organization, and the key' "$octavo" init --dir "$tmp/lost" --email b@example.com --name B --org New
expect 'migrate of tables without users is refused' 1 'holds no organization, and the key' "$octavo" migrate --dir "$tmp/lost"
kept 'tables and nobody: backup' 'nothing was backed up: .*holds no organization' "$tmp/lost"
copy
head -c 40000 /dev/urandom >"$tmp/lost/octavo.db"
expect 'init beside a damaged database is refused' 1 'octavo.db is damaged, .*without a backup: octavo salvage' "$octavo" init --dir "$tmp/lost" --email b@example.com --name B --org New
# A setup file over HTTP or CGI does not circumvent that.
rm "$tmp/lost"/octavo.db*
printf 'email = b@example.com\nname = B\norganization = New\n' >"$tmp/lost/setup"
OCTAVO_DIR=$tmp/lost GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI=/v1/ SCRIPT_NAME=/v1/ SERVER_PROTOCOL=HTTP/1.1 \
	"$OCTAVO_BUILD/octavo-api" </dev/null >"$tmp/answer" 2>&1
grep -q 'Restore a backup' "$tmp/answer" && pass || fail 'the setup file names the restore' "$(cat "$tmp/answer")"
same 'the setup file makes no database' no "$([ -e "$tmp/lost/octavo.db" ] && echo yes || echo no)"

# Not a lost installation: an interrupted init continues.
mkdir -p "$tmp/cut/blobs"
: >"$tmp/cut/octavo.begun"
cp "$d/octavo.key" "$tmp/cut/"
cp "$d/octavo.db" "$tmp/cut/"
sql "$tmp/cut/octavo.db" 'PRAGMA foreign_keys = OFF' 'DELETE FROM org' 'PRAGMA user_version = 1' >/dev/null
expect 'migrate leaves an init alone that has not ended' 1 'octavo init has begun in .*wait for it, or repeat it' "$octavo" migrate --dir "$tmp/cut"
same 'it changes nothing' 1 "$(sql "$tmp/cut/octavo.db" 'PRAGMA user_version')"
rm "$tmp/cut"/octavo.db*
expect 'an init that was cut off is finished' 0 'is ready' "$octavo" init --dir "$tmp/cut" --email b@example.com --name B --org New
: >"$tmp/cut/octavo.begun"
expect 'a finished init is refused' 1 'is initialised already' "$octavo" init --dir "$tmp/cut" --email b@example.com --name B --org New
same 'a mark of its beginning is taken away' no "$([ -e "$tmp/cut/octavo.begun" ] && echo yes || echo no)"

# Another installation, older data, or far less data.
make_data "$tmp/other"
kept 'another installation' 'is a backup of another installation. It was not replaced' "$tmp/other"
cp "$d/octavo.key" "$tmp/other/octavo.key"
kept 'another installation with its key' 'octavo.key is not the key of this database' "$tmp/other"
copy
sql "$tmp/lost/octavo.db" "PRAGMA user_version = $(($(sql "$d/octavo.db" 'PRAGMA user_version') - 1))"
kept 'a lower schema' 'has schema [0-9]+, the data have [0-9]+: they are older' "$tmp/lost"
copy
sql "$tmp/lost/octavo.db" 'PRAGMA foreign_keys=OFF' "DELETE FROM node WHERE slug IN ('p1','p2','p3','p4','p5')"
kept 'far less' 'holds [0-9]+ versions of pages, the data [0-9]+' "$tmp/lost"
# Notes of older programs contain less: then the database beside the note, or the key, decides.
cp -r "$bk" "$tmp/old"
sed -i '/^key /q' "$tmp/old/octavo.backup"
expect 'an older note refuses another installation' 1 'is a backup of another installation' "$octavo" backup "$tmp/old" --dir "$tmp/other" --without-key
expect 'an older note refuses far less data' 1 'holds [0-9]+ versions of pages' "$octavo" backup "$tmp/old" --dir "$tmp/lost"
expect 'an older note accepts its own installation' 0 'backed up' "$octavo" backup "$tmp/old" --dir "$d"
expect '--replace replaces the backup' 0 'backed up' "$octavo" backup "$tmp/old" --dir "$tmp/lost" --replace
expect 'a replaced backup accepts its new installation' 0 'backed up' "$octavo" backup "$tmp/old" --dir "$tmp/lost"
expect 'more data are accepted' 0 'backed up' "$octavo" backup "$tmp/old" --dir "$d"

# The identity is restored as well; a new key is recorded in the database.
expect 'a backup is restored' 0 'restored' "$octavo" restore "$bk" --dir "$tmp/again"
expect 'restored data are of the same installation' 0 'backed up' "$octavo" backup "$bk" --dir "$tmp/again"
for from in "$bk" "$one"; do
	rm -rf "$tmp/newkey"
	expect 'a backup is restored without the key' 0 'restored' "$octavo" restore "$from" --dir "$tmp/newkey" --without-key
	expect 'octavo check accepts the new key' 0 '^ok' "$octavo" check --dir "$tmp/newkey"
done
cp "$d/octavo.key" "$tmp/newkey/octavo.key"
expect 'octavo check finds another key' 1 'the key is the one of this database: octavo.key is another' "$octavo" check --dir "$tmp/newkey"
expect 'octavo check accepts a key with --accept-key' 0 '^ok' "$octavo" check --dir "$tmp/newkey" --accept-key
expect 'octavo check remembers an accepted key' 0 '^ok' "$octavo" check --dir "$tmp/newkey"

summary
