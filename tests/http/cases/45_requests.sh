# Change requests as objects: opened, listed, changed, reviewed, held up by merge rules.
t 'space for requests' POST /v1/orgs/$ORG/spaces create '{"title":"Requests"}' 201 '.changeRequests == 0'
RS=$(jq -r .id "$out") S=/v1/spaces/$(jq -r .id "$out") C=$S/change-requests RREV=$(jq -r .revision "$out")
counters() { t "counters: $1" GET $S create '' 200 "[.changeRequests, .changeRequestsOpen, .changeRequestsDraft] == $1"; }
words='{"object":"document","data":{},"nodes":[{"object":"block","type":"paragraph","data":{},"nodes":[{"object":"text","leaves":[{"object":"leaf","text":"Why","marks":[]}]}]}]}'

# Opening.
t 'open a request' POST $C edit '{"subject":"Fix it","agentTaskId":"x","anything":{"at":"all"}}' 201 '.object == "change-request"
	and .number == 1 and .status == "draft" and .subject == "Fix it" and .createdBy.id == "'$U_edit'" and .space == "'$RS'"
	and .revision != "'$RREV'" and .revisionInitial == "'$RREV'" and .revisionMergedAncestor == "'$RREV'" and .comments == 0
	and .outdated == false and (has("description") or has("revisionMerged") or has("mergedBy") | not)
	and .urls.location == "'$base$C'/" + .id'
R1=$(jq -r .id "$out")
same 'Location of a request' "$base$C/$R1" "$(header location)"
t 'no subject' POST $C create '{}' 201 '.number == 2 and .subject == ""'
t 'no body' POST $C review '' 201 '.number == 3'
t 'subject of 101' POST $C edit "{\"subject\":\"$(head -c 101 /dev/zero | sed 's/\x00/é/g')\"}" 400 '.fields[0].path == "/subject"'
t 'a template without an id' POST $C edit '{"template":{}}' 400 '.fields[0].path == "/template/id"'
t 'commenters open none' POST $C comment '{}' 403 ''
t 'readers open none' POST $C read '{}' 403 ''
t 'in a locked space' POST /v1/spaces/$LOCKED/change-requests edit '{}' 201 ''
counters '[3, 0, 3]'

# Finding.
t 'by id' GET $C/$R1 read '' 200 '.number == 1'
t 'by number' GET $C/1 read '' 200 '.id == "'$R1'"'
t 'number that is none' GET $C/4 read '' 404 ''
hidden=$(sed 's/4/ID/g' "$out")
t 'id that is none' GET $C/xxxxxxxxxxxxxxxxxxxxxx read '' 404 ''
t 'number zero' GET $C/0 read '' 404 ''
t 'number with a zero' GET $C/01 read '' 404 ''
t 'number with a sign' GET $C/+1 read '' 404 ''
t 'number that is too large' GET $C/99999999999999999999 read '' 404 ''
t 'of another space' GET /v1/spaces/$SPACE/change-requests/$R1 read '' 404 ''
t 'request, space unknown' GET /v1/spaces/$SPACE_B/change-requests/$R1 admin '' 404 ''
t 'not found comes before forbidden' PATCH $C/4 read '{"subject":"x"}' 404 ''

# Changing: the author, or the role edit.
t 'author opens it' PATCH $C/1 edit '{"status":"open","description":'"$words"'}' 200 '.status == "open" and .subject == "Fix it"
	and .description.nodes[0].nodes[0].leaves[0].text == "Why"'
counters '[3, 1, 2]'
t 'somebody else with edit' PATCH $C/2 edit '{"subject":"Second","status":"archived"}' 200 '.subject == "Second" and .status == "archived"'
counters '[3, 1, 1]'
t 'archived and again' PATCH $C/2 edit '{"status":"archived"}' 200 ''
t 'reader may not' PATCH $C/1 read '{"subject":"x"}' 403 ''
t 'commenter may not' PATCH $C/1 comment '{"subject":"x"}' 403 ''
t 'open again' PATCH $C/2 create '{"status":"open"}' 200 '.status == "open"'
counters '[3, 2, 1]'
t 'draft again' PATCH $C/2 create '{"status":"draft"}' 200 '.status == "draft"'
t 'merged by hand' PATCH $C/2 create '{"status":"merged"}' 400 '.fields[0].path == "/status"'
t 'nothing to change' PATCH $C/2 create '{}' 200 '.subject == "Second"'
t 'subject away' PATCH $C/2 create '{"subject":""}' 200 '.subject == ""'
t 'description that is none' PATCH $C/2 create '{"description":{"object":"document","data":{},"nodes":[{"object":"block","type":"no-such-block","nodes":[]}]}}' 400 '.fields[0].path | startswith("/description/nodes/0")'
t 'description without nodes' PATCH $C/2 create '{"description":{"object":"document","data":{}}}' 400 '.fields[0].path == "/description/nodes"'
get $C/1; tag=$(header etag)
t 'stale' PATCH $C/1 edit '{"subject":"x"}' 412 '' 'If-Match: "stale"'
t 'not stale' PATCH $C/1 edit '{"subject":"Fix it now"}' 200 '.subject == "Fix it now"' "If-Match: $tag"
t 'now stale' PATCH $C/1 edit '{"subject":"x"}' 412 '' "If-Match: $tag"
sql "DELETE FROM access_grant WHERE space = '$RS' AND account = '$U_edit'" \
	"INSERT INTO access_grant (id, space, account, role, created_at) VALUES ('grant-rs', '$RS', '$U_edit', 1, 0)"
t 'a reader still edits what is their own' PATCH $C/1 edit '{"subject":"Mine"}' 200 '.subject == "Mine"'
t 'and nothing else' PATCH $C/2 edit '{"subject":"Mine"}' 403 ''
sql "DELETE FROM access_grant WHERE id = 'grant-rs'"

# Lists.
t 'list' GET $C read '' 200 '[.items[].number] == [3, 2, 1] and .count == 3 and (has("next") | not)'
t 'first page' GET "$C?limit=2" read '' 200 '[.items[].number] == [3, 2] and .count == 3'
next=$(jq -r .next.page "$out")
send POST $C edit '{"subject":"Between"}'
t 'second page' GET "$C?limit=2&page=$next" read '' 200 '[.items[].number] == [1] and .count == 4'
t 'by status' GET "$C?status=open" read '' 200 '[.items[].number] == [1] and .count == 1'
t 'by no such status' GET "$C?status=closed" read '' 400 ''
t 'by creator' GET "$C?creator=$U_edit" read '' 200 '[.items[].number] == [4, 1] and .count == 2'
t 'by creator who is none' GET "$C?creator=nobody" read '' 200 '.items == [] and .count == 0'
t 'by both' GET "$C?creator=$U_edit&status=draft" read '' 200 '[.items[].number] == [4]'
t 'by cluster' GET "$C?conversationsIssuesCluster=x" read '' 200 '.count == 0'
t 'by contributor: opening is no contribution' GET "$C?contributor=$U_edit" read '' 200 '.count == 0'
# By time, whatever the numbers: another space's first request is newer than all of these.
t 'another space' POST /v1/orgs/$ORG/spaces admin '{"title":"Newest"}' 201 ''
newest=$(jq -r .id "$out")
t 'and its first request' POST /v1/spaces/$newest/change-requests edit '{"subject":"Newest"}' 201 ''
t 'of the organization, newest first' GET "/v1/orgs/$ORG/change-requests?limit=1000" read '' 200 \
	'([.items[] | select(.space == "'$RS'").number] == [4, 3, 2, 1]) and ([.items[].createdAt] | . == (sort | reverse)) and .items[0].space == "'$newest'" and .count == (.items | length)'
t 'of the organization, filtered' GET "/v1/orgs/$ORG/change-requests?status=open&creator=$U_edit" read '' 200 'all(.items[]; .status == "open") and .count >= 1'
sql "UPDATE space SET default_level = 0 WHERE id = '$RS'"
t 'of the organization, what one may not read left out' GET "/v1/orgs/$ORG/change-requests?limit=1000" read '' 200 'all(.items[]; .space != "'$RS'") and .count == (.items | length)'
t 'guest sees only what is granted' GET "/v1/orgs/$ORG/change-requests" guest '' 200 '.count == 0'
sql "UPDATE space SET default_level = -1 WHERE id = '$RS'"
pages=
t 'of the organization, page by page' GET "/v1/orgs/$ORG/change-requests?limit=2" admin '' 200 '(.items | length) == 2'
while :; do
	pages="$pages $(jq -r '.items[].id' "$out")"
	next=$(jq -r '.next.page // empty' "$out")
	[ -n "$next" ] || break
	get "/v1/orgs/$ORG/change-requests?limit=2&page=$next"
done
get "/v1/orgs/$ORG/change-requests?limit=1000"
same 'pages together are the list' "$(jq -r '.items[].id' "$out" | tr '\n' ' ')" "$(echo $pages) "

# Reviews.
V=$C/1/reviews Q=$C/1/requested-reviewers
t 'no reviews yet' GET $V read '' 200 '.items == [] and .count == 0'
t 'ask for reviews' POST $Q edit '{"users":["'$U_review'","'$U_create'"],"subject":"Please look"}' 200 '[.users[].user.id] == ["'$U_review'", "'$U_create'"]
	and .users[0].object == "change-request-requested-reviewer" and .users[0].kind == "user" and .users[0].requestedBy.id == "'$U_edit'"'
t 'asking says what about' GET $C/1 read '' 200 '.subject == "Please look" and .description.nodes[0].type == "paragraph"'
t 'who is asked' GET $Q read '' 200 '([.items[].user.id] | sort) == (["'$U_review'", "'$U_create'"] | sort) and .count == 2'
t 'who is asked, page by page' GET "$Q?limit=1" read '' 200 '(.items | length) == 1 and .next.page != null'
t 'requests that wait for somebody' GET "$C?requestedReviewer=$U_review" read '' 200 '[.items[].number] == [1]'
t 'ask a stranger' POST $Q edit '{"users":["'$U_stranger'"]}' 404 ''
t 'ask a guest who cannot read it' POST $Q edit '{"users":["'$U_guest'"]}' 404 ''
t 'ask nobody' POST $Q edit '{"users":[]}' 200 '.users == []'
t 'ask without users' POST $Q edit '{}' 400 '.fields[0].path == "/users"'
t 'readers do not ask' POST $Q read '{"users":["'$U_review'"]}' 403 ''
t 'asked last first' POST $Q edit '{"users":["'$U_create'","'$U_create'"]}' 200 '[.users[].user.id] == ["'$U_create'"]'
t 'asked before after it' GET $Q read '' 200 '[.items[].user.id] == ["'$U_create'", "'$U_review'"] and .count == 2'
t 'page by page, the other' GET "$Q?limit=1&page=$(get "$Q?limit=1"; jq -r .next.page "$out")" read '' 200 '[.items[].user.id] == ["'$U_review'"] and (has("next") | not)'
t 'ask no longer' DELETE $Q/$U_create edit '' 204 ''
t 'ask no longer, again' DELETE $Q/$U_create edit '' 204 ''
t 'readers do not take it back' DELETE $Q/$U_review read '' 403 ''
t 'editors do not review' POST $V edit '{"status":"approved"}' 403 ''
t 'no status' POST $V review '{}' 400 '.fields[0].path == "/status"'
t 'request changes' POST $V review '{"status":"changes-requested","comment":{"markdown":"Too *short*."}}' 201 '.object == "change-request-review"
	and .status == "changes-requested" and .outdated == false and .reviewer.id == "'$U_review'" and .requestedBy.id == "'$U_edit'"
	and .comment.body.markdown == "Too *short*." and .comment.target.review == .id and .comment.postedBy.id == "'$U_review'"'
V1=$(jq -r .id "$out")
same 'Location of a review' "$base$C/$R1/reviews/$V1" "$(header location)"
t 'its words count as a comment' GET $C/1 read '' 200 '.comments == 1'
t 'nobody is asked any more' GET $Q read '' 200 '.count == 0'
t 'approve' POST $V review '{"status":"approved"}' 201 '.status == "approved" and (has("requestedBy") or has("comment") | not)'
V2=$(jq -r .id "$out")
t 'the older one is outdated' GET $V read '' 200 '[.items[] | [.id, .outdated]] == [["'$V2'", false], ["'$V1'", true]] and .count == 2'
t 'a review with a comment of blanks has none' POST $V review '{"status":"approved","comment":{"markdown":" \n&nbsp;"}}' 201 'has("comment") | not'
V2=$(jq -r .id "$out")
t 'and the older ones are outdated' GET "$V?outdated=false" read '' 200 '[.items[].id] == ["'$V2'"]'
t 'outdated ones' GET "$V?outdated=true" read '' 200 '.items[-1].id == "'$V1'" and .count == 2'
t 'current ones' GET "$V?outdated=false" read '' 200 '[.items[].id] == ["'$V2'"]'
t 'one review, as document' GET "$V/$V1?format=document" read '' 200 '.comment.body.document.nodes[0].nodes[1].leaves | length >= 0'
t 'no such review' GET $V/nothing read '' 404 ''
t 'review of another request' GET $C/2/reviews/$V1 read '' 404 ''
t 'asked again, the review is outdated' POST $Q edit '{"users":["'$U_review'"]}' 200 '.users | length == 1'
t 'no current one is left' GET "$V?outdated=false" read '' 200 '.count == 0'
t 'contributors' GET $C/1/contributors read '' 200 '[.items[] | [.user.id, .actionType, .count]] == [["'$U_review'", "comment", 1]] and .count == 1'
t 'by contributor: who commented' GET "$C?contributor=$U_review" read '' 200 '[.items[].number] == [1]'

# Merge rules: each holds the merge up until it is met.
blocked_for() { t "$2 says why" POST $C/$1/merge review '' 412 '.error.message | contains("'"$3"'")'; }
rules() { send PATCH $S create '{"mergeRules":{"type":"rules","rules":['"$1"']}}'; same "set rules $1" 200 "$code"; }
blocked() { t "$2 blocks" POST $C/$1/merge review '' 412 '.error.message | contains("'$2'")'; }
merges() { t "$2" POST $C/$1/merge "${3:-review}" '' 200 '.result == "merge"'; }
# request_new: opens one, as edit; its number in $n
request_new() { send POST $C edit "${1:-{\}}"; n=$(jq -r .number "$out"); }
one() { printf '{"rule":"%s"}' "$1"; }
of() { printf '{"rule":"%s","users":["%s","%s"]}' "$1" "$2" "$3"; }
approve() { send POST $C/$n/reviews $1 '{"status":"approved"}'; same "review by $1" 201 "$code"; }

rules "$(one require_change_request_subject),$(one require_change_request_description)"
request_new
blocked $n require_change_request_subject
send PATCH $C/$n edit '{"subject":"  "}'
blocked $n require_change_request_subject
send PATCH $C/$n edit '{"subject":"Why"}'
blocked $n require_change_request_description
send PATCH $C/$n edit '{"description":{"object":"document","data":{},"nodes":[]}}'
blocked $n require_change_request_description
send PATCH $C/$n edit "{\"description\":$words}"
merges $n 'subject and description'

rules "$(one require_at_least_one_review)"
request_new
blocked $n require_at_least_one_review
send POST $C/$n/reviews create '{"status":"changes-requested"}'
rules "$(one require_at_least_one_approved_review)"
blocked $n require_at_least_one_approved_review
approve review
rules "$(one require_at_least_one_review),$(one require_at_least_one_approved_review),$(one require_all_reviews_approved)"
blocked $n require_all_reviews_approved
approve create
merges $n 'all approved'

# Rules of one's own. custom EXPRESSION; rule_holds EXPRESSION: whoever merges as review gets past it, and stops at the rule behind it.
custom() { printf '{"rule":"custom","expression":%s}' "$(printf %s "$1" | jq -Rs .)"; }
t 'a rule that is no expression' PATCH $S create '{"mergeRules":{"type":"rules","rules":['"$(one require_author_to_merge),$(custom 'reviews.length >= ')"']}}' 400 \
	'.fields == [{path: "/mergeRules/rules/1/expression", message: "is no expression: unexpected end at character 19"}]'
t 'one that is too long' PATCH $S create '{"mergeRules":{"type":"rules","rules":['"$(custom "$(printf %01025d 1)")"']}}' 400 ''
t 'neither was kept' GET $S create '' 200 '.mergeRules.rules == null or ([.mergeRules.rules[].rule] | index("custom") == null)'
request_new '{"subject":"Own rules"}'
send PATCH $C/$n edit "{\"description\":$words}"
send POST $C/$n/reviews create '{"status":"changes-requested","comment":{"markdown":"Hm."}}'
send POST $C/$n/reviews create '{"status":"approved","comment":{"markdown":"Yes, *that*."}}'
approve review
rule_holds() { rules "$(custom "$1"),$(one require_agent_review)"; blocked $n require_agent_review; }
send GET $S review ''
for field in $(jq -r 'paths(type != "object" and type != "array") | map(tostring) | select(all(test("^[A-Za-z]+$"))) | join(".")' "$out"); do
	case $field in mergeRules.*|updatedAt|counts.*) continue ;; esac
	value=$(jq -c --arg f "$field" 'getpath($f / ".")' "$out")
	mv "$out" "$out.space"
	rule_holds "space.$field === $value"
	mv "$out.space" "$out"
done
send GET $C/$n review ''
for field in id number status subject createdBy.id createdBy.displayName createdBy.email createdAt updatedAt space revision revisionInitial comments outdated urls.location object description.object; do
	value=$(jq -c --arg f "$field" 'getpath($f / ".")' "$out")
	mv "$out" "$out.request"
	rule_holds "changeRequest.$field === $value"
	mv "$out.request" "$out"
done
send GET "$C/$n/reviews?outdated=false" review ''
for field in id object revision reviewer.id reviewer.displayName status outdated createdAt updatedAt urls.location comment.id comment.body.markdown; do
	value=$(jq -c --arg f "$field" '.items[1] | getpath($f / ".")' "$out")
	mv "$out" "$out.reviews"
	rule_holds "reviews[1].$field === $value && reviews[0].reviewer.id == '$U_review' && reviews.length == 2"
	mv "$out.reviews" "$out"
done
send GET /v1/user review ''
for field in id object displayName email urls.location; do
	value=$(jq -c --arg f "$field" 'getpath($f / ".")' "$out")
	mv "$out" "$out.user"
	rule_holds "actor.$field === $value"
	mv "$out.user" "$out"
done
rules "$(custom 'actor.id == changeRequest.createdBy.id')"
t 'a rule that is false' POST $C/$n/merge review '' 412 '.error.message == "the merge rule custom is not met: \"actor.id == changeRequest.createdBy.id\" is not true"'
rules "$(custom 'visitor.claims.team')"
t 'a rule that fails' POST $C/$n/merge review '' 412 '.error.message | contains("\"visitor\" is not known here") and contains("Who wrote the rule")'
rules "$(custom 'reviews[7].status == "approved"')"
t 'a rule that fails for now' POST $C/$n/merge review '' 412 '.error.message | contains("undefined has no member \"status\"")'
rules "$(custom 'reviews[7].status == "approved"'),$(of allow_bypass "$U_review" "$U_review")"
merges $n 'who may pass merges past a rule that fails'
rules "$(custom 'reviews.length >= 1 && changeRequest.subject.startsWith("Docs:")')"
request_new '{"subject":"Docs: a rule of our own"}'
blocked $n custom
approve review
merges $n 'a custom rule that rule_holds'

# Approvals of those who may review no longer do not count, and do again when they may.
rules "$(one require_at_least_one_approved_review)"
request_new
approve review
t 'the reviewer is demoted' PATCH /v1/orgs/$ORG/members/$U_review admin '{"role":"comment"}' 200 ''
t 'which takes the approval along' POST $C/$n/merge create '' 412 '.error.message | contains("require_at_least_one_approved_review")'
t 'the reviewer is back' PATCH /v1/orgs/$ORG/members/$U_review admin '{"role":"review"}' 200 ''
"$octavo" member disable --dir "$dir" --org "$ORG" --user review@example.com >/dev/null
t 'which takes the approval along as well' POST $C/$n/merge create '' 412 '.error.message | contains("require_at_least_one_approved_review")'
"$octavo" member add --dir "$dir" --org "$ORG" --user review@example.com --role review >/dev/null
merges $n 'and so is the approval'
# Whether an approval survives later writing is a setting: by default it does.
later() { send POST $C/$n/content edit '{"changes":[{"operation":"insert_page","title":"Later","document":{"markdown":"x"}}]}'; same 'written later' 200 "$code"; }
request_new
approve review
later
merges $n 'an approval survives later writing'
t 'dismiss stale approvals' PATCH $S create '{"mergeRules":{"type":"rules","rules":['"$(one require_at_least_one_approved_review)"'],"dismissStaleApprovals":true}}' 200 '.mergeRules.dismissStaleApprovals'
request_new
approve review
later
blocked $n require_at_least_one_approved_review
approve review
merges $n 'approved as it is'

# Whether one's own approval counts is a setting: in new rules it does not; in those of before it goes on to.
own() { send POST $C review '{"subject":"Of my own"}'; n=$(jq -r .number "$out"); approve review; }
t 'no rules' PATCH $S create '{"mergeRules":{"type":"none"}}' 200 ''
for rule in require_at_least_one_approved_review require_at_least_one_review; do
	rules "$(one $rule)"
	own
	blocked $n $rule
	approve create
	merges $n "$rule: somebody else has approved"
done
t 'new rules say so' GET $S create '' 200 '.mergeRules.countOwnApprovals == false'
rules "$(custom 'reviews.length >= 1')"
own
blocked $n custom
# Who writes in a request that somebody else opened does not review it for two either.
joined() {
	request_new
	send POST $C/$n/content review '{"changes":[{"operation":"insert_page","title":"Mine","document":{"markdown":"x"}}]}'
	approve review
}
for rule in "$(one require_at_least_one_approved_review)" "$(one require_at_least_one_review)" \
	"$(custom 'reviews.length >= 1')" "$(of require_one_of_specific_reviewers "$U_review" "$U_create")"; do
	rules "$rule"
	joined
	t "a review by who wrote in it is none: $rule" POST $C/$n/merge review '' 412 ''
	approve create
	merges $n 'somebody who wrote nothing has approved'
done
rules "$(one require_at_least_one_approved_review)"
request_new
t 'who takes primary content in writes nothing of their own' POST $C/$n/update review '' 200 ''
approve review
merges $n 'and may approve'
rules "$(of require_one_of_specific_reviewers "$U_review" "$U_review")"
own
blocked_for $n require_one_of_specific_reviewers 'not yet approved by one of: review'
t 'own approvals count' PATCH $S create '{"mergeRules":{"type":"rules","rules":['"$(one require_at_least_one_approved_review)"'],"countOwnApprovals":true}}' 200 '.mergeRules.countOwnApprovals'
own
merges $n 'an approval of its author'
joined
merges $n 'an approval of who wrote in it'
rules "$(one require_at_least_one_review)"
t 'rules that replace others go on as those did' GET $S create '' 200 '.mergeRules.countOwnApprovals == true'
own
merges $n 'a review of its author'
t 'until somebody changes it' PATCH $S create '{"mergeRules":{"type":"rules","rules":['"$(one require_at_least_one_review)"'],"countOwnApprovals":false}}' 200 '.mergeRules.countOwnApprovals == false'
own
blocked $n require_at_least_one_review

rules "$(of require_specific_reviewers "$U_review" "$U_create")"
request_new
approve review
blocked $n require_specific_reviewers
blocked_for $n require_specific_reviewers 'not yet approved by: create'
approve create
merges $n 'both have approved'
rules "$(of require_one_of_specific_reviewers "$U_create" "$U_admin")"
request_new
approve review
blocked $n require_one_of_specific_reviewers
blocked_for $n require_one_of_specific_reviewers 'not yet approved by one of: create, admin'
approve admin
merges $n 'one of them has approved'

rules "$(one require_author_to_merge)"
request_new
blocked $n require_author_to_merge
send POST $C review '{}'
merges "$(jq -r .number "$out")" 'by its author'
rules "$(one require_agent_review)"
blocked $n require_agent_review
rules "$(one require_agent_review),$(of allow_bypass "$U_create" "$U_create")"
blocked $n require_agent_review
merges $n 'past all rules' create

# What the organization says rule_holds for spaces that inherit.
send PATCH $S create '{"mergeRules":{"type":"inherit"}}'
sql "UPDATE org SET merge_rules = '{\"type\":\"rules\",\"rules\":[{\"rule\":\"require_agent_review\"}]}' WHERE id = '$ORG'"
request_new
blocked $n require_agent_review
send PATCH $S create '{"mergeRules":{"type":"none"}}'
merges $n 'no rules here'
sql "UPDATE org SET merge_rules = '{\"type\":\"none\"}' WHERE id = '$ORG'"

# A merged request stays merged.
t 'merged' GET $C/$n read '' 200 '.status == "merged" and .mergedBy.id == "'$U_review'" and .mergedAt != null and .revisionMerged != null and .outdated == false'
t 'opened after its merge' PATCH $C/$n create '{"status":"open"}' 409 ''
t 'review after its merge' POST $C/$n/reviews review '{"status":"approved"}' 409 ''
t 'asking after its merge' POST $C/$n/requested-reviewers edit '{"users":["'$U_review'"]}' 409 ''
t 'its words may be mended' PATCH $C/$n create '{"subject":"After"}' 200 '.subject == "After" and .status == "merged"'

# Outdated as soon as main goes on.
request_new '{"subject":"Late"}'
late=$n
request_new '{"subject":"First"}'
t 'nothing new in main' GET $C/$late read '' 200 '.outdated == false'
t 'write in the other' POST $C/$n/content edit '{"changes":[{"operation":"insert_page","title":"New","document":{"markdown":"Words."}}]}' 200 ''
t 'who wrote' GET $C/$n/contributors read '' 200 '[.items[] | [.user.id, .actionType, .count]] == [["'$U_edit'", "edit", 1]]'
t 'by contributor: who wrote' GET "$C?contributor=$U_edit&status=draft" read '' 200 '[.items[].number] | index('$n') != null'
merges $n 'first'
t 'outdated' GET $C/$late read '' 200 '.outdated'
rules "$(one require_up_to_date_change_request)"
blocked $late require_up_to_date_change_request
blocked_for $late require_up_to_date_change_request 'update it first'
t 'bring it up to date' POST $C/$late/update edit '' 200 '.result == "update"'
t 'no longer outdated' GET $C/$late read '' 200 '.outdated == false and .revisionMergedAncestor != .revisionInitial'
merges $late 'up to date'
send PATCH $S create '{"mergeRules":{"type":"inherit"}}'

get $C?limit=1000
same 'counters are what there is' "$(jq -c '[(.items | length), ([.items[] | select(.status == "open")] | length), ([.items[] | select(.status == "draft")] | length)]' "$out")" \
	"$(sql "SELECT '[' || requests || ',' || requests_open || ',' || requests_draft || ']' FROM space WHERE id = '$RS'")"

# Many open requests at once: numbers are distinct, counters exact.
if [ $TRANSPORT = http ]; then
	before=$(sql "SELECT requests FROM space WHERE id = '$RS'")
	for i in 1 2 3 4 5 6 7 8; do
		(for j in 1 2 3 4 5; do curl -s -o /dev/null -X POST -H "Authorization: Bearer $(token_of edit)" "$base$C"; done) &
	done
	wait
	same 'as many requests as were opened' $((before + 40)) "$(sql "SELECT requests FROM space WHERE id = '$RS'")"
	same 'numbers are distinct' "$((before + 40)) $((before + 40))" \
		"$(sql "SELECT count(DISTINCT number) || ' ' || max(number) FROM change_request WHERE space = '$RS'")"
	same 'drafts are counted' "$(sql "SELECT count(*) FROM change_request WHERE space = '$RS' AND status = 'draft'")" \
		"$(sql "SELECT requests_draft FROM space WHERE id = '$RS'")"
fi
