#!/bin/sh
# kill -9 at random moments: of workers while eight clients write, of the job runner while it
# imports, of everything at once. Acknowledged writes are there, the database is intact, and every
# job ends. OCTAVO_SEED gives other moments.
set -u
TRANSPORT=http
. tests/http/lib.sh
. tests/http/load.sh
seed=${OCTAVO_SEED:-1}
fixture_start

# A repository that takes some time.
mkdir -p "$tmp/big/part"
{
	echo '# Table of contents'
	echo
	seq 300 | sed 's|.*|* [Page &](part/&.md)|'
} >"$tmp/big/SUMMARY.md"
for n in $(seq 300); do
	printf '# Page %s\n\nWords of page %s, see [the next](%s.md).\n\n```c\nint x%s;\n```\n' $n $n $((n % 300 + 1)) $n \
		>"$tmp/big/part/$n.md"
done
git_in "$tmp/big" init -q -b main
git_in "$tmp/big" add -A
git_in "$tmp/big" commit -q -m big

# Writers continue whatever happens to the workers.
start_writers() {
	writers=''
	for i in 1 2 3 4 5 6 7 8; do
		seq "$2" | sed "s|.*|$1$i-& POST /v1/orgs/$ORG/spaces create {\"title\":\"$1$i-&\"}|" |
			batch "$tmp/$1.$i" &
		writers="$writers $!"
	done
}

all_there() {
	cat "$tmp/$1".? | sed -n 's/ 201$//p' | sort >"$tmp/acknowledged"
	titles >"$tmp/titles"
	same "$1: every acknowledged write is there" '' "$(comm -23 "$tmp/acknowledged" "$tmp/titles")"
	[ -s "$tmp/acknowledged" ] && pass || fail "$1: some writes are acknowledged" 'nothing was acknowledged'
	# An interrupted request may have been done or not, but not twice.
	same "$1: no write is there twice" '' "$(grep "^$1" "$tmp/titles" | uniq -d)"
}

# Workers.
start_writers k 40
for n in 1 2 3 4 5 6 7 8; do
	roll 30
	sleep "$(printf '0.%02d' $rolled)"
	roll 4
	pid=$(worker_pids | sed -n "$((rolled + 1))p")
	[ "${pid:-0}" -le 1 ] || kill -9 "$pid" 2>/dev/null
done
wait $writers
yes 'killed workers are replaced' until_true 20 answers
all_there k
same 'requests to killed workers answer 201, 502, 503 or 504' '' "$(cat "$tmp"/k.? | grep -vE ' (201|502|503|504)$')"
check_clean 'workers'

# The job runner during imports: two spaces, and one of them twice.
SPACE_NEW=''
for n in 1 2 3 4; do
	"$octavo" import --dir "$dir" --org "$ORG" --title "Big $n" --url "$tmp/big" --json >"$tmp/import.$n" 2>"$tmp/complaint.$n" &
	imports="${imports:-} $!"
done
n=0
while [ $n -lt 12 ]; do
	roll 40
	sleep "$(printf '0.%02d' $rolled)"
	pid=$(part_pid jobs)
	# Pid 0 would be this test and all its processes.
	[ "${pid:-0}" -le 1 ] || kill -9 "$pid" 2>/dev/null
	n=$((n + 1))
done
for pid in $imports; do
	wait "$pid" && pass || fail 'an import ends well though its runner is killed' "$(cat "$tmp"/complaint.?)"
done
same 'each import has all pages' '300 300 300 300' "$(jq -r .result.pages "$tmp"/import.? | tr '\n' ' ' | sed 's/ $//')"
same 'every import job is done' '' "$(sql "SELECT kind, state, error FROM job WHERE kind = 'import' AND state <> 'done'")"
SPACE_NEW=$(jq -r .result.space "$tmp/import.1")
t 'an import after kills has all pages' GET /v1/spaces/$SPACE_NEW/content/pages read '' 200 '[.. | objects | select(.type? == "document")] | length == 300'
t 'an import after kills has its last page' GET "/v1/spaces/$SPACE_NEW/content/path/part/300?format=markdown" read '' 200 '.markdown | contains("x300")'
same 'an import after kills makes one revision' 2 \
	"$(sql "SELECT count(*) FROM revision r JOIN space s ON s.branch = r.branch WHERE s.id = '$SPACE_NEW'")"
check_clean 'job runner'

# Everything at once, as in a power failure: supervisor, nginx, workers, job runner.
start_writers p 25
"$octavo" import --dir "$dir" --org "$ORG" --space "$EMPTY" --url "$tmp/big" --json >"$tmp/import.cut" 2>&1 &
cut=$!
written() { [ "$(sql "SELECT count(*) FROM space WHERE title LIKE 'p%'")" -ge "$1" ]; }
roll 100
yes 'writers are at work before the kill' until_true 20 written $((1 + rolled))
"$octavo" status --dir "$dir" --json | jq -r '[.pid, .processes[].pid, .processes[].workers[]?][] | select(. > 1)' >"$tmp/pids"
kill -9 $cut 2>/dev/null
# In one command with the supervisor first: if it lived for another moment, it would restart processes.
xargs kill -9 <"$tmp/pids" 2>/dev/null
wait $writers $cut
check_clean 'everything'
WORKERS=4 service_start
yes 'the service is up again' until_true 20 answers
all_there p
"$octavo" jobs --dir "$dir" --wait >/dev/null
same 'every import job is done after the restart' '' "$(sql "SELECT kind, state, error FROM job WHERE kind = 'import' AND state <> 'done'")"
check_clean 'after the restart'
summary
