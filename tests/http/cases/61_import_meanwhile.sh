# Other writes to a space during an import, and what its people see of it. The job's process is stopped between two of its
# transactions.
. tests/http/browse.sh
user_new longdan "$ORG" read
pg_join longdan
mkdir -p "$tmp/meanwhile"
long_import() { "$octavo" import --dir "$dir" --org "$ORG" "$@" --url "$tmp/meanwhile" --json; }
long_commit() { git_in "$tmp/meanwhile" add -A; git_in "$tmp/meanwhile" commit -q -m "$1"; }
printf '# Guide\n\nBy the repository.\n' >"$tmp/meanwhile/guide.md"
printf '# Table of contents\n\n* [Guide](guide.md)\n' >"$tmp/meanwhile/SUMMARY.md"
git_in "$tmp/meanwhile" init -q -b main
long_commit one
L=$(long_import --title Long | jq -r .result.space)
S=/v1/spaces/$L C=$S/change-requests
long_pages=1500
# long_fill WORD: makes many pages with the word
long_fill() {
	awk -v dir="$tmp/meanwhile" -v pages=$long_pages -v word="$1" 'BEGIN {
		toc = dir "/SUMMARY.md"
		printf "# Table of contents\n\n* [Guide](guide.md)\n" >toc
		for (i = 1; i <= pages; i++) {
			printf "* [P%d](p%d.md)\n", i, i >toc
			page = dir "/p" i ".md"
			printf "# P%d\n\nThe word is %s. See [next](p%d.md) and [guide](guide.md).\n", i, word, i % pages + 1 >page
			close(page)
		}
	}'
	long_commit "$1"
}
long_revision() { sql "SELECT r.id FROM space s JOIN branch b ON b.id = s.branch JOIN revision r ON r.branch = b.id AND r.seq = b.head WHERE s.id = '$L'"; }
long_state() { sql "SELECT state FROM job WHERE id = '$1'"; }
# long_job ID: the first import again, with the current repository
long_job() {
	sql "INSERT INTO job (id, kind, space, queue, args, run_at, created_at) SELECT '$1', kind, space, queue, args, $(date +%s)000,
		(SELECT max(created_at) + 1 FROM job) FROM job WHERE space = '$L' AND kind = 'import' ORDER BY created_at LIMIT 1"
}
# With plain CGI no job runner is running.
long_runner() { runner_stays || { "$OCTAVO_BUILD/octavo-jobs" --once 2>/dev/null & }; }
# long_stop ID: stops the job's process while it is writing and does not hold the write lock; sets $long_pid
long_stop() { long_pid=$("$OCTAVO_BUILD/tests/stop_job" "$dir/octavo.db" "$1"); }
long_go() { kill -CONT "$long_pid"; }
# long_end ID: waits for its end, and prints its state
long_end() {
	for n in $(seq 1200); do
		case $(long_state "$1") in queued | running) sleep 0.1 ;; *) break ;; esac
	done
	sql "SELECT state || COALESCE(': ' || error, '') FROM job WHERE id = '$1'"
}
long_shown() { get $S/content/pages; jq '[.. | objects | select(.type? == "document")] | length' "$out"; }

# A merge and a second import while the first one is writing.
t 'a change request is opened' POST $C edit '{"subject":"meanwhile"}' 201 ''
N=$(jq -r .number "$out")
t 'a page is written in the request' POST "$C/$N/content?compat=false" edit \
	'{"changes":[{"operation":"insert_page","title":"Own","document":{"markdown":"By people."}}]}' 200 ''
long_fill apple
R=$(long_revision)
long_job $L-a
long_runner
yes 'the import is stopped while it writes' long_stop $L-a
same 'an unfinished import does not show' "$R" "$(long_revision)"
pg GET /app/spaces/$L/git
holds 'people see that it runs' '<dd dir="auto">import · running · '
# Writing, or indexing, where a job of the server's engine is met later.
stage=$(sql "SELECT stage FROM job WHERE id = '$L-a'")
holds 'and in which stage' "<dt>$stage</dt><dd><progress"
sql "UPDATE job SET done = 12, total = 40 WHERE id = '$L-a'"
pg GET /app/spaces/$L/git
holds 'and how far it is' '<progress max="40" value="12" aria-label="'$stage'"></progress> 12 / 40'
lacks 'without a failure' 'role="alert"'
t 'a request merges during an import' POST $C/$N/merge review '' 200 '.result == "merge"'
merged=$(jq -r .revision "$out")
t 'a page that merges during an import shows at once' GET "$S/content/path/own?format=markdown" read '' 200 '.markdown | contains("By people.")'
long_job $L-b
sleep 0.5
same 'a second import waits for the first' queued "$(long_state $L-b)"
same 'an unfinished import does not show after a merge' 2 "$(long_shown)"
long_go
same 'the first import ends' done "$(long_end $L-a)"
same 'the second import ends' done "$(long_end $L-b)"
pg GET /app/spaces/$L/git
holds 'people see that it has ended' '<dd dir="auto">import · success · '
lacks 'without progress' '<progress'
same 'pages of the import and of the merge are there' $((long_pages + 2)) "$(long_shown)"
t 'an import keeps a page that merged meanwhile' GET "$S/content/path/own?format=markdown" read '' 200 '.markdown | contains("By people.")'
t 'the import follows the merge' GET $S/content read '' 200 '.parents == ["'$merged'"]'
t 'the second import is skipped as unchanged' GET $S/git/info read '' 200 '.operation | .state == "success" and .skipped and .reason == "unchanged"'
t 'imported pages are found by search' GET "$S/search?query=apple&limit=1" read '' 200 '.items | length == 1'

# Locked, deleted, or cancelled while it is writing: nothing of it becomes visible.
long_fill pear
R=$(long_revision)
# long_refused ID STATE ERROR: continues the process, which must end with this
long_refused() {
	long_go
	same "a stopped import ends as it must: $1" "$2" "$(long_end "$1")"
	same "a stopped import changes nothing: $1" "$R" "$(long_revision)"
	same "a stopped import leaves no staged branch: $1" 0 "$(sql "SELECT count(*) FROM branch WHERE space = '$L' AND staged IS NOT NULL")"
}
long_job $L-c
long_runner
yes 'an import is stopped before the space is locked' long_stop $L-c
sql "UPDATE space SET edit_mode = 'locked' WHERE id = '$L'"
long_refused $L-c 'failed: the space is locked: its content cannot be changed'
pg GET /app/spaces/$L/git
holds 'people see why it failed' 'role="alert">the space is locked: its content cannot be changed</p>'
holds 'and what to do' 'Remove the cause, then start it again.'
holds 'its state' '<dd dir="auto">import · failure · '
sql "UPDATE space SET edit_mode = 'live' WHERE id = '$L'"
long_job $L-d
long_runner
yes 'an import is stopped before it is cancelled' long_stop $L-d
sql "UPDATE job SET cancel = 1 WHERE id = '$L-d'"
long_refused $L-d 'cancelled: cancelled'
long_job $L-e
long_runner
yes 'an import is stopped before the space is deleted' long_stop $L-e
t 'the space is deleted' DELETE $S admin '' 204 ''
long_refused $L-e 'failed: the space is deleted'
t 'the space is restored' POST $S/restore admin '' 200 ''
same 'a restored space has its pages' $((long_pages + 2)) "$(long_shown)"
t 'a restored space has nothing of the import' GET "$S/search?query=pear&limit=1" read '' 200 '.items == []'
t 'the space is deleted at the end' DELETE $S admin '' 204 ''
