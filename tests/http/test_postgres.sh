#!/bin/sh
# Prepares every declared statement on a PostgreSQL 15 server that this test creates and starts in
# its own folder, so that the same statements can run there when one machine is not enough.
# postgres.awk rewrites them; postgres.txt lists those that need more than that, each with its
# reason. The test fails for a statement that is not listed and cannot be prepared, and for a listed
# one that can.
set -u
. tests/http/expect.sh

bin=/usr/lib/postgresql/15/bin
# The server refuses to run as root.
if [ "$(id -u)" -eq 0 ]; then as='setpriv --reuid nobody --regid nogroup --clear-groups'; else as=; fi
finish() {
	[ ! -e "$tmp/pg/data/postmaster.pid" ] || $as $bin/pg_ctl -D "$tmp/pg/data" -m immediate stop >/dev/null
	rm -rf "$tmp"
	ended_early
}
at_exit finish

chmod 711 "$tmp"
mkdir "$tmp/pg"
[ -z "$as" ] || chown nobody "$tmp/pg"
# Its data need not be durable: it syncs nothing.
if ! $as $bin/initdb -D "$tmp/pg/data" -U test --locale=C -E UTF8 -N -A trust >"$tmp/initdb" 2>&1; then
	cat "$tmp/initdb"
	fail initdb 'no cluster was made'
	summary
fi
# Without a port, and with a socket in the folder, whose path must be shorter than 108 bytes.
settings="-c listen_addresses= -c unix_socket_directories=$tmp/pg -c fsync=off -c autovacuum=off"
if ! $as $bin/pg_ctl -D "$tmp/pg/data" -w -l "$tmp/pg/log" -o "$settings" start >/dev/null; then
	cat "$tmp/pg/log"
	fail start 'the server did not start'
	summary
fi
# run FILE: the messages of psql for each line, as LINE: MESSAGE
run() { psql -h "$tmp/pg" -U test -d postgres -X -q -f "$1" 2>&1 | sed -n 's/^psql:[^:]*:\([0-9]*\): ERROR: */\1: /p'; }

"$OCTAVO_BUILD/tests/statements" >"$tmp/records" || fail statements 'they could not be read'
awk -v out=schema -f tests/http/postgres.awk "$tmp/records" >"$tmp/schema.sql"
same 'the schema is made' '' "$(run "$tmp/schema.sql")"
awk -v out=prepare -f tests/http/postgres.awk "$tmp/records" >"$tmp/statements"
cut -f 2- "$tmp/statements" >"$tmp/prepare.sql"
run "$tmp/prepare.sql" >"$tmp/errors"
# The number of prepared statements according to the server, because psql may have ended early.
total=$(wc -l <"$tmp/statements")
psql -h "$tmp/pg" -U test -d postgres -X -q -A -t -c "\\o /dev/null" -f "$tmp/prepare.sql" -c "\\o" \
	-c 'SELECT count(*) FROM pg_prepared_statements' >"$tmp/count" 2>/dev/null
same 'each statement prepares or says why not' "$total" "$(($(cat "$tmp/count") + $(wc -l <"$tmp/errors")))"
[ "$total" -gt 900 ] || fail statements "there are only $total"

# FILE NAME and the reason for each statement that cannot be prepared, and for the listed ones.
awk -F '\t' 'NR == FNR { at = index($0, ": "); said[substr($0, 1, at - 1)] = substr($0, at + 2); next }
	FNR in said { print $1 "\t" said[FNR] }' "$tmp/errors" "$tmp/statements" | sort >"$tmp/failed"
sed 's/ *#.*//; /^$/d' tests/http/postgres.txt | sort >"$tmp/known"
cut -f 1 "$tmp/failed" >"$tmp/failed.names"
while IFS="$(printf '\t')" read -r statement why; do
	grep -qxF "$statement" "$tmp/known" || fail "$statement" "$why"
done <"$tmp/failed"
while read -r statement; do
	if grep -qxF "$statement" "$tmp/failed.names"; then pass
	else fail "$statement" 'it prepares, or is no more: take it off tests/http/postgres.txt'; fi
done <"$tmp/known"
passed=$((passed + total - $(wc -l <"$tmp/failed")))
summary
