#!/bin/sh
# Runs a command beside a PostgreSQL 15 server of its own, which ends with it:
#
#   sh tests/postgres/server.sh COMMAND...
#
# OCTAVO_TEST_DB is its address for the command; parameters may be appended with "&". POSTGRES_LOG is its
# log. The server listens on a socket in its folder only, and syncs nothing unless POSTGRES_SYNC is set.
set -u
bin=/usr/lib/postgresql/15/bin
[ -x $bin/initdb ] || { echo 'postgres: PostgreSQL 15 is not installed (Debian: postgresql-15)' >&2; exit 1; }
# The server refuses to run as root.
if [ "$(id -u)" -eq 0 ]; then as='setpriv --reuid nobody --regid nogroup --clear-groups'; else as=; fi
dir=$(mktemp -d)
child=
finish() {
	[ -z "$child" ] || { kill "$child" 2>/dev/null; wait "$child" 2>/dev/null; }
	$as $bin/pg_ctl -D "$dir/data" -m immediate stop >/dev/null 2>&1
	rm -rf "$dir"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM
chmod 711 "$dir"
[ -z "$as" ] || chown nobody "$dir"
cd "$dir" || exit 1
$as $bin/initdb -D "$dir/data" -U test --locale=C -E UTF8 -N -A trust >"$dir/initdb" 2>&1 || { cat "$dir/initdb"; exit 1; }
settings="-c listen_addresses= -c unix_socket_directories=$dir"
[ -n "${POSTGRES_SYNC:-}" ] || settings="$settings -c fsync=off -c full_page_writes=off -c synchronous_commit=off"
settings="$settings -c max_connections=200 -c max_locks_per_transaction=1024 -c max_wal_size=4GB"
$as $bin/pg_ctl -D "$dir/data" -w -l "$dir/log" -o "$settings" start >/dev/null || { cat "$dir/log"; exit 1; }
cd "$OLDPWD" || exit 1
export OCTAVO_TEST_DB="postgresql:///postgres?host=$dir&user=test" POSTGRES_LOG="$dir/log"
# Functions of SQLite that statements of the tests call; those of Octavo do not.
psql -q -d "$OCTAVO_TEST_DB" -v ON_ERROR_STOP=1 <<'SQL' || exit 1
CREATE FUNCTION randomblob(bigint) RETURNS bytea LANGUAGE sql RETURN decode(substr(repeat(md5(random()::text), 1 + $1::int / 16), 1, 2 * $1::int), 'hex');
CREATE AGGREGATE group_concat(text, text) (SFUNC = string_agg_transfn, STYPE = internal, FINALFUNC = string_agg_finalfn);
CREATE FUNCTION unixepoch() RETURNS bigint LANGUAGE sql RETURN extract(epoch FROM now())::bigint;
CREATE FUNCTION instr(bytea, bytea) RETURNS int LANGUAGE sql IMMUTABLE RETURN position($2 IN $1);
CREATE FUNCTION instr(text, text) RETURNS int LANGUAGE sql IMMUTABLE RETURN position($2 IN $1);
CREATE FUNCTION instr(bytea, text) RETURNS int LANGUAGE sql IMMUTABLE RETURN position(convert_to($2, 'UTF8') IN $1);
CREATE FUNCTION zeroblob(bigint) RETURNS bytea LANGUAGE sql IMMUTABLE RETURN decode(repeat('00', $1::int), 'hex');
SQL
# In the background, so that a signal ends the command as well.
"$@" &
child=$!
wait $child
status=$?
child=
exit $status
