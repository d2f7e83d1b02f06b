# A space with edits is imported again: the trees of both sides are merged, or the import gives the reason why not.
mkdir -p "$tmp/again"
toc() { printf '# Table of contents\n\n'; cat; }
again_commit() { git_in "$tmp/again" add -A; git_in "$tmp/again" commit -q -m "$1"; }
again() { "$octavo" import --dir "$dir" --org "$ORG" "$@" --url "$tmp/again" --json; }
printf '# Guide\n' >"$tmp/again/guide.md"
echo '* [Guide](guide.md)' | toc >"$tmp/again/SUMMARY.md"
git_in "$tmp/again" init -q -b main
again_commit one
again --title Again >"$tmp/again.1"
S=/v1/spaces/$(jq -r .result.space "$tmp/again.1") C=$S/change-requests
open_request() { send POST $C edit "{\"subject\":\"$1\"}"; N=$(jq -r .number "$out"); }
write() { w_name=$1 w_body=$2 w_code=$3 w_expr=$4; shift 4; t "$w_name" POST "$C/$N/content?compat=false" edit "$w_body" "$w_code" "$w_expr" "$@"; }
get $S/content/path/guide
GUIDE=$(jq -r .id "$out")

# A page was added here with the path of a page that the repository adds later.
open_request own
write 'a page is written in the space' '{"changes":[{"operation":"insert_page","title":"New","document":{"markdown":"own"}}]}' 200 ''
OWN=$(jq -r '.changes[0].page.id' "$out")
t 'the page is merged' POST $C/$N/merge review '' 200 '.result == "merge"'
printf '# New\n' >"$tmp/again/new.md"
printf '* [Guide](guide.md)\n* [New](new.md)\n' | toc >"$tmp/again/SUMMARY.md"
again_commit two
again --space "${S##*/}" >"$tmp/again.2"
yes 'an import warns that a page has the address of a file' grep -q 'had the address of a page of the repository' "$tmp/again.2"
t 'the file gets the address' GET $S/content/path/new read '' 200 '.git.path == "new.md"'
t 'the page in the space gets another address' GET $S/content/path/new-1 read '' 200 '.id == "'$OWN'"'

# A tree that is valid on either side, but too deep when both are merged.
open_request deep
P=$GUIDE
for n in $(seq 95); do
	send POST "$C/$N/content?compat=false" edit '{"changes":[{"operation":"insert_page","title":"P","into":"'$P'","document":{"markdown":"x"}}]}'
	P=$(jq -r '.changes[0].page.id' "$out")
done
t 'a tree of 96 levels is merged' POST $C/$N/merge review '' 200 '.result == "merge"'
for n in 1 2 3 4 5 6; do printf '# L%s\n' $n >"$tmp/again/l$n.md"; done
printf '* [L1](l1.md)\n  * [L2](l2.md)\n    * [L3](l3.md)\n      * [L4](l4.md)\n        * [L5](l5.md)\n          * [L6](l6.md)\n'\
'            * [Guide](guide.md)\n* [New](new.md)\n' |
	toc >"$tmp/again/SUMMARY.md"
again_commit three
# jq cannot parse a tree of that depth.
again_shown() { get $S/content/pages; grep -o '"type":"document"' "$out" | wc -l; }
again_revision() { sql "SELECT r.id FROM space s JOIN branch b ON b.id = s.branch JOIN revision r ON r.branch = b.id AND r.seq = b.head WHERE s.id \
= '${S##*/}'"; }
R=$(again_revision)
again --space "${S##*/}" >"$tmp/again.3" 2>&1
yes 'an import of a tree that gets too deep fails' grep -q 'more than 100 levels deep' "$tmp/again.3"
same 'a failed import changes nothing' "$R" "$(again_revision)"
same 'a failed import keeps every page' 98 "$(again_shown)"
# An import that has nothing to do gives the reason: the same commit, or an event older than the
# last one.
# again_job ID JQ: runs the last import again, with arguments that the jq expression changes; by the running job
# runner, otherwise by one that ends.
again_job() {
	again_args=$(sql "SELECT args FROM job WHERE space = '${S##*/}' AND kind = 'import' AND state = 'done' ORDER BY created_at DESC LIMIT 1" | jq -c "$2")
	sql "INSERT INTO job (id, kind, space, args, run_at, created_at) SELECT '$1', kind, space, '$again_args', $(date +%s)000,
		(SELECT max(created_at) + 1 FROM job) FROM job WHERE space = '${S##*/}' AND kind = 'import' AND state = 'done'
		ORDER BY created_at DESC LIMIT 1"
	"$OCTAVO_BUILD/octavo-jobs" --once 2>/dev/null
	for n in $(seq 300); do
		[ "$(sql "SELECT state FROM job WHERE id = '$1'")" = done ] && return
		sleep 0.1
	done
}
rm "$tmp"/again/l?.md
printf '* [Guide](guide.md)\n* [New](new.md)\n' | toc >"$tmp/again/SUMMARY.md"
again_commit four
again_job again-new .
t 'an import of a new commit is a success' GET $S/git/info read '' 200 '.operation | .state == "success" and (has("skipped") | not)'
again_job again-same .
t 'an import of the same commit is skipped as unchanged' GET $S/git/info read '' 200 '.operation | .state == "success" and .skipped and .reason == "unchanged"'
printf '# New\n\nNewer.\n' >"$tmp/again/new.md"
again_commit five
sql "UPDATE git_sync SET stamp = 1700000000000 WHERE space = '${S##*/}'"
R=$(again_revision)
again_job again-old '.timestamp = "2020-01-01T00:00:00Z"'
t 'an import of an older event is skipped as outdated' GET $S/git/info read '' 200 \
	'.operation | .state == "success" and .skipped and .reason == "outdated" and .revision == "'$R'"'
same 'a skipped import changes nothing' "$R" "$(again_revision)"
# A forced import makes a revision that equals the one before.
again_job again-all 'del(.timestamp)'
R=$(again_revision)
again_words() { get $S/content/path/new; jq -c '[.git, .updatedAt, .markdown]' "$out"; }
AGAIN=$(again_words)
again_job again-force '.force = true'
t 'a forced import makes a revision' GET $S/git/info read '' 200 '.operation | .state == "success" and (has("skipped") | not) and .revision != "'$R'"'
same 'main has the revision of a forced import' "$(jq -r .operation.revision "$out")" "$(again_revision)"
t 'the revision of a forced import names the commit' GET $S/content read '' 200 \
	'.git.oid == "'"$(git_in "$tmp/again" rev-parse HEAD)"'" and .parents == ["'$R'"] and .type == "edits"'
same 'a forced import changes no page' "$AGAIN" "$(again_words)"
R=$(again_revision)
again_job again-not-forced 'del(.force)'
same 'an import after a forced one is skipped' "$R" "$(again_revision)"
# The counts of a finished job are complete, whatever it had to do.
t 'a finished import has completed all of its tasks' GET $S/git/info read '' 200 \
	'.operation | .reason == "unchanged" and .dispatchedTasks == .completedTasks and .dispatchedTasks > 0'
# New information about the repository is stored, even if the commit was imported already.
again_job again-info '.gitInfo = {provider: "gitlab", url: "https://git.example.com/acme/docs/tree"}'
again_is() { t "$1" GET $S/git/info read '' 200 "$2"; t "$1, in the space" GET $S read '' 200 ".gitSync | $2"; }
again_is 'gitInfo of an import is kept' '.url == "https://git.example.com/acme/docs/tree" and .installationProvider == "gitlab"'
again_job again-tree '.repoTreeURL = "https://git.example.com/acme/docs/blob/main"'
again_is 'a prefix of files does not change gitInfo' '.url == "https://git.example.com/acme/docs/tree" and .installationProvider == "gitlab"'
again_job again-info-old '.timestamp = "2020-01-01T00:00:00Z" | .gitInfo = {url: "https://git.example.com/acme/moved"}'
again_is 'gitInfo of an older event is kept' '.url == "https://git.example.com/acme/moved" and .installationProvider == "gitlab"'
same 'an older event does not turn the clock back' 1700000000000 "$(sql "SELECT stamp FROM git_sync WHERE space = '${S##*/}'")"
sql "UPDATE git_sync SET info_url = NULL WHERE space = '${S##*/}'"
again_is 'without gitInfo the prefix of files is shown' '.url == "https://git.example.com/acme/docs/blob/main"'
# The name of a repository comes from its path only.
again_name() {
	sql "UPDATE git_sync SET url = '$1' WHERE space = '${S##*/}'"
	again_is "the name of a repository is that of its path: $1" ".repoName == \"$2\""
}
again_name https://git.example.com/acme/docs.git acme/docs
again_name https://git.example.com:8443/acme/docs.git acme/docs
again_name https://git.example.com:8443/docs.git docs
again_name http://127.0.0.1:3000/docs docs
again_name 'http://[2001:db8::1]:3000/docs.git/' docs
again_name ssh://git@git.example.com:2222/acme/docs.git/ acme/docs
again_name ssh://git.example.com/docs docs
again_name https://git.example.com:8443/group/sub/docs.git sub/docs
again_name git://git.example.com:9418/~ann/docs.git '~ann/docs'
again_name file:///srv/git/docs.git git/docs
t 'the space is deleted' DELETE $S admin '' 204 ''
