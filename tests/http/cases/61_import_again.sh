# A space that people write in is imported again: what both sides did to the tree fits, or the import says why not.
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

# A page that was written here, where the repository then has one.
open_request own
write 'a page of our own' '{"changes":[{"operation":"insert_page","title":"New","document":{"markdown":"own"}}]}' 200 ''
OWN=$(jq -r '.changes[0].page.id' "$out")
t 'merge' POST $C/$N/merge review '' 200 '.result == "merge"'
printf '# New\n' >"$tmp/again/new.md"
printf '* [Guide](guide.md)\n* [New](new.md)\n' | toc >"$tmp/again/SUMMARY.md"
again_commit two
again --space "${S##*/}" >"$tmp/again.2"
yes 'the import tells of it' grep -q 'had the address of a page of the repository' "$tmp/again.2"
t 'the file has its address' GET $S/content/path/new read '' 200 '.git.path == "new.md"'
t 'the other page is beside it' GET $S/content/path/new-1 read '' 200 '.id == "'$OWN'"'

# A tree that is fine on either side, and too deep as one.
open_request deep
P=$GUIDE
for n in $(seq 95); do
	send POST "$C/$N/content?compat=false" edit '{"changes":[{"operation":"insert_page","title":"P","into":"'$P'","document":{"markdown":"x"}}]}'
	P=$(jq -r '.changes[0].page.id' "$out")
done
t 'merge of 96 levels' POST $C/$N/merge review '' 200 '.result == "merge"'
for n in 1 2 3 4 5 6; do printf '# L%s\n' $n >"$tmp/again/l$n.md"; done
printf '* [L1](l1.md)\n  * [L2](l2.md)\n    * [L3](l3.md)\n      * [L4](l4.md)\n        * [L5](l5.md)\n          * [L6](l6.md)\n            * [Guide](guide.md)\n* [New](new.md)\n' |
	toc >"$tmp/again/SUMMARY.md"
again_commit three
# Such a tree is deeper than jq reads.
again_shown() { get $S/content/pages; grep -o '"type":"document"' "$out" | wc -l; }
again_revision() { sql "SELECT r.id FROM space s JOIN branch b ON b.id = s.branch JOIN revision r ON r.branch = b.id AND r.seq = b.head WHERE s.id = '${S##*/}'"; }
R=$(again_revision)
again --space "${S##*/}" >"$tmp/again.3" 2>&1
yes 'too deep together' grep -q 'more than 100 levels deep' "$tmp/again.3"
same 'nothing changed' "$R" "$(again_revision)"
same 'and every page is there' 98 "$(again_shown)"
# An import that has nothing to do says why: the same commit, or an event older than the last one.
# The last import that was done once more, with other arguments; by the runner that is there, else by one that ends.
again_job() {
	sql "INSERT INTO job (id, kind, space, args, run_at, created_at) SELECT '$1', kind, space, $2, unixepoch() * 1000,
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
again_job again-new args
t 'an import that did something' GET $S/git/info read '' 200 '.operation | .state == "success" and (has("skipped") | not)'
again_job again-same args
t 'the same commit again' GET $S/git/info read '' 200 '.operation | .state == "success" and .skipped and .reason == "unchanged"'
printf '# New\n\nNewer.\n' >"$tmp/again/new.md"
again_commit five
sql "UPDATE git_sync SET stamp = 1700000000000 WHERE space = '${S##*/}'"
R=$(again_revision)
again_job again-old "json_set(args, '\$.timestamp', '2020-01-01T00:00:00Z')"
t 'an older event' GET $S/git/info read '' 200 '.operation | .state == "success" and .skipped and .reason == "outdated" and .revision == "'$R'"'
same 'it changed nothing' "$R" "$(again_revision)"
t 'tidy up' DELETE $S admin '' 204 ''
