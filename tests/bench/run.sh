#!/bin/sh
# The performance targets of Octavo as one table: `make bench`. Every row is a ratio within this
# run, the median of several rounds that alternate with the figure they are compared with; next to
# it both figures, the target, and whether it was met. This is not a test: on a busy machine targets
# are missed.
#
#   sh tests/bench/run.sh BUILD [ROW...]      default: all rows
#
# Load goes to 127.0.0.1 only. The corpus is in $OCTAVO_CORPUS, or ../shared/corpus; rows that need
# it are skipped without it. BENCH_ROUNDS (5) and BENCH_SECONDS (1) set how long rows take;
# BENCH_DATA names a directory that keeps the data for the next run; BENCH_BACKUP_MB (1024) is the
# size of the backup.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
build=${1:-build}
[ $# -eq 0 ] || shift
case $build in /*) ;; *) build=$top/$build ;; esac
corpus=${OCTAVO_CORPUS:-$top/../shared/corpus}
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
unset OCTAVO_DIR OCTAVO_SELFCHECK OCTAVO_ACCESS_LOG OCTAVO_WORK
tmp=$(mktemp -d)
data=${BENCH_DATA:-$tmp/data}
mkdir -p "$data"

. "$here/lib.sh"
. "$here/data.sh"
. "$here/rows_read.sh"
. "$here/rows_write.sh"
. "$here/rows_beside.sh"
. "$here/rows_editor.sh"
. "$here/rows_git.sh"
. "$here/rows_arrive.sh"
. "$here/rows_conversations.sh"
. "$here/rows_paper.sh"
. "$here/rows_translate.sh"
. "$here/rows_site.sh"
. "$here/rows_backup.sh"
. "$here/rows_postgres.sh"

finish() {
	trap '' INT TERM HUP
	pool_stop
	file_server_stop
	git_server_stop
	postgres_stop
	for f_at in "$data/main" "$data/small" "$data/big" "$tmp/revisions" "$tmp/jobs" "$tmp/shared" "$tmp/beside" "$tmp/backup_data"; do
		[ ! -d "$f_at" ] || "$octavo" down --dir "$f_at" >/dev/null 2>&1
	done
	rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

rows='space page session app conditional search search_large judged import git cgi growth shared lists memory memory_large edit preview editor batch merge comments revisions leave arrive check members jobs locks beside after_import worst conversations openapi computed pdf pdf_asked pdf_browser translate published site_lookup conditions site_kept site_visitor site_first site_sizes site_whole backup postgres'
[ $# -eq 0 ] || rows=$*

# Rows of PostgreSQL have data of their own.
if [ "$rows" != postgres ]; then
	data_make
	for at in main small big; do
		. "$data/$at/facts"
		service "$data/$at"
		eval "${at}_base=$base"
	done
fi
table_head
for name in $rows; do
	say "$name"
	"row_$name"
done
echo
echo "$missed missed; $(nproc) processors, load $(cut -d ' ' -f 1 /proc/loadavg), medians of $rounds rounds"
