# Change requests as objects: opened, listed, changed, reviewed, blocked by merge rules.
t 'a space for change requests is created' POST /v1/orgs/$ORG/spaces create '{"title":"Requests"}' 201 '.changeRequests == 0'
RS=$(jq -r .id "$out") S=/v1/spaces/$(jq -r .id "$out") C=$S/change-requests RREV=$(jq -r .revision "$out")
counters() { t "$1 are the counts of requests, open ones and drafts" GET $S create '' 200 \
	"[.changeRequests, .changeRequestsOpen, .changeRequestsDraft] == $1"; }
words='{"object":"document","data":{},"nodes":[{"object":"block","type":"paragraph","data":{},"nodes":[{"object":"text","leaves":[{"object":"leaf",'\
'"text":"Why","marks":[]}]}]}]}'

# Opening.
t 'an editor opens a change request as a draft' POST $C edit '{"subject":"Fix it","agentTaskId":"x","anything":{"at":"all"}}' 201 '.object == "change-request"
	and .number == 1 and .status == "draft" and .subject == "Fix it" and .createdBy.id == "'$U_edit'" and .space == "'$RS'"
	and .revision != "'$RREV'" and .revisionInitial == "'$RREV'" and .revisionMergedAncestor == "'$RREV'" and .comments == 0
	and .outdated == false and (has("description") or has("revisionMerged") or has("mergedBy") | not)
	and .urls.location == "'$base$C'/" + .id'
R1=$(jq -r .id "$out")
same 'a change request is named in Location' "$base$C/$R1" "$(header location)"
t 'a change request without a subject has an empty one' POST $C create '{}' 201 '.number == 2 and .subject == ""'
t 'a change request needs no body' POST $C review '' 201 '.number == 3'
t 'a subject of 101 characters is refused' POST $C edit "{\"subject\":\"$(head -c 101 /dev/zero | sed 's/\x00/é/g')\"}" 400 '.fields[0].path == "/subject"'
t 'a template without an id is refused' POST $C edit '{"template":{}}' 400 '.fields[0].path == "/template/id"'
t 'a commenter opens no change request' POST $C comment '{}' 403 ''
t 'a reader opens no change request' POST $C read '{}' 403 ''
t 'a change request opens in a locked space' POST /v1/spaces/$LOCKED/change-requests edit '{}' 201 ''
counters '[3, 0, 3]'

# Finding.
t 'a change request is found by id' GET $C/$R1 read '' 200 '.number == 1'
t 'a change request is found by number' GET $C/1 read '' 200 '.id == "'$R1'"'
t 'an unknown number answers 404' GET $C/4 read '' 404 ''
hidden=$(sed 's/4/ID/g' "$out")
t 'an unknown id answers 404' GET $C/xxxxxxxxxxxxxxxxxxxxxx read '' 404 ''
t 'number 0 answers 404' GET $C/0 read '' 404 ''
t 'a number with a leading zero answers 404' GET $C/01 read '' 404 ''
t 'a number with a sign answers 404' GET $C/+1 read '' 404 ''
t 'a number beyond 64 bits answers 404' GET $C/99999999999999999999 read '' 404 ''
t 'a change request answers 404 in another space' GET /v1/spaces/$SPACE/change-requests/$R1 read '' 404 ''
t 'a change request answers 404 in a hidden space' GET /v1/spaces/$SPACE_B/change-requests/$R1 admin '' 404 ''
t 'an unknown request answers 404 before 403' PATCH $C/4 read '{"subject":"x"}' 404 ''

# Changes by the author, or with the role edit.
t 'the author opens the request to review' PATCH $C/1 edit '{"status":"open","description":'"$words"'}' 200 '.status == "open" and .subject == "Fix it"
	and .description.nodes[0].nodes[0].leaves[0].text == "Why"'
counters '[3, 1, 2]'
t 'another editor changes and archives a request' PATCH $C/2 edit '{"subject":"Second","status":"archived"}' 200 \
	'.subject == "Second" and .status == "archived"'
counters '[3, 1, 1]'
t 'an archived request may be archived again' PATCH $C/2 edit '{"status":"archived"}' 200 ''
t 'a reader may not change a request' PATCH $C/1 read '{"subject":"x"}' 403 ''
t 'a commenter may not change a request' PATCH $C/1 comment '{"subject":"x"}' 403 ''
t 'an archived request is opened again' PATCH $C/2 create '{"status":"open"}' 200 '.status == "open"'
counters '[3, 2, 1]'
t 'an open request becomes a draft again' PATCH $C/2 create '{"status":"draft"}' 200 '.status == "draft"'
t 'the status merged cannot be set by hand' PATCH $C/2 create '{"status":"merged"}' 400 '.fields[0].path == "/status"'
t 'an empty change answers the request as it is' PATCH $C/2 create '{}' 200 '.subject == "Second"'
t 'a subject may be emptied' PATCH $C/2 create '{"subject":""}' 200 '.subject == ""'
t 'a description of an unknown block is refused' PATCH $C/2 create '{"description":{"object":"document","data":{},"nodes":[{"object":"block",
	"type":"no-such-block","nodes":[]}]}}' 400 '.fields[0].path | startswith("/description/nodes/0")'
t 'a description without nodes is refused' PATCH $C/2 create '{"description":{"object":"document","data":{}}}' 400 '.fields[0].path == "/description/nodes"'
get $C/1; tag=$(header etag)
t 'a change with another ETag answers 412' PATCH $C/1 edit '{"subject":"x"}' 412 '' 'If-Match: "stale"'
t 'a change with the current ETag is made' PATCH $C/1 edit '{"subject":"Fix it now"}' 200 '.subject == "Fix it now"' "If-Match: $tag"
t 'a change with the ETag of before answers 412' PATCH $C/1 edit '{"subject":"x"}' 412 '' "If-Match: $tag"
sql "DELETE FROM access_grant WHERE space = '$RS' AND account = '$U_edit'" \
	"INSERT INTO access_grant (id, space, account, role, created_at) VALUES ('grant-rs', '$RS', '$U_edit', 1, 0)"
t 'an author with the role reader changes their own request' PATCH $C/1 edit '{"subject":"Mine"}' 200 '.subject == "Mine"'
t 'an author with the role reader changes no other request' PATCH $C/2 edit '{"subject":"Mine"}' 403 ''
sql "DELETE FROM access_grant WHERE id = 'grant-rs'"

# Lists.
t 'change requests are listed newest first' GET $C read '' 200 '[.items[].number] == [3, 2, 1] and .count == 3 and (has("next") | not)'
t 'limit cuts the list and keeps the count' GET "$C?limit=2" read '' 200 '[.items[].number] == [3, 2] and .count == 3'
next=$(jq -r .next.page "$out")
send POST $C edit '{"subject":"Between"}'
t 'the next page goes on where the first ended' GET "$C?limit=2&page=$next" read '' 200 '[.items[].number] == [1] and .count == 4'
t 'requests are listed by status' GET "$C?status=open" read '' 200 '[.items[].number] == [1] and .count == 1'
t 'an unknown status is refused' GET "$C?status=closed" read '' 400 ''
t 'requests are listed by creator' GET "$C?creator=$U_edit" read '' 200 '[.items[].number] == [4, 1] and .count == 2'
t 'an unknown creator has no requests' GET "$C?creator=nobody" read '' 200 '.items == [] and .count == 0'
t 'creator and status filter together' GET "$C?creator=$U_edit&status=draft" read '' 200 '[.items[].number] == [4]'
t 'an unknown cluster has no requests' GET "$C?conversationsIssuesCluster=x" read '' 200 '.count == 0'
t 'opening a request is no contribution' GET "$C?contributor=$U_edit" read '' 200 '.count == 0'
# Ordered by time, not by number: the first request of another space is newer than all of these.
t 'a second space is created' POST /v1/orgs/$ORG/spaces admin '{"title":"Newest"}' 201 ''
newest=$(jq -r .id "$out")
t 'a request opens in the second space' POST /v1/spaces/$newest/change-requests edit '{"subject":"Newest"}' 201 ''
t 'requests of an organization are listed newest first' GET "/v1/orgs/$ORG/change-requests?limit=1000" read '' 200 \
	'([.items[] | select(.space == "'$RS'").number] == [4, 3, 2, 1]) and ([.items[].createdAt] | . == (sort | reverse))
		and .items[0].space == "'$newest'" and .count == (.items | length)'
t 'requests of an organization are filtered' GET "/v1/orgs/$ORG/change-requests?status=open&creator=$U_edit" read '' 200 \
	'all(.items[]; .status == "open") and .count >= 1'
sql "UPDATE space SET default_level = 0 WHERE id = '$RS'"
t 'requests of unreadable spaces are not listed' GET "/v1/orgs/$ORG/change-requests?limit=1000" read '' 200 \
	'all(.items[]; .space != "'$RS'") and .count == (.items | length)'
t 'a guest lists the requests of granted spaces alone' GET "/v1/orgs/$ORG/change-requests" guest '' 200 '.count == 0'
sql "UPDATE space SET default_level = -1 WHERE id = '$RS'"
pages=
t 'requests of an organization are listed by pages' GET "/v1/orgs/$ORG/change-requests?limit=2" admin '' 200 '(.items | length) == 2'
while :; do
	pages="$pages $(jq -r '.items[].id' "$out")"
	next=$(jq -r '.next.page // empty' "$out")
	[ -n "$next" ] || break
	get "/v1/orgs/$ORG/change-requests?limit=2&page=$next"
done
get "/v1/orgs/$ORG/change-requests?limit=1000"
same 'the pages together are the whole list' "$(jq -r '.items[].id' "$out" | tr '\n' ' ')" "$(echo $pages) "

# Reviews.
V=$C/1/reviews Q=$C/1/requested-reviewers
t 'a new request has no reviews' GET $V read '' 200 '.items == [] and .count == 0'
t 'an editor requests reviews and changes the subject' POST $Q edit '{"users":["'$U_review'","'$U_create'"],"subject":"Please look"}' 200 \
	'[.users[].user.id] == ["'$U_review'", "'$U_create'"]
	and .users[0].object == "change-request-requested-reviewer" and .users[0].kind == "user" and .users[0].requestedBy.id == "'$U_edit'"'
t 'requesting reviews keeps the description' GET $C/1 read '' 200 '.subject == "Please look" and .description.nodes[0].type == "paragraph"'
t 'requested reviewers are listed' GET $Q read '' 200 '([.items[].user.id] | sort) == (["'$U_review'", "'$U_create'"] | sort) and .count == 2'
t 'requested reviewers are listed by pages' GET "$Q?limit=1" read '' 200 '(.items | length) == 1 and .next.page != null'
t 'requests are listed by requested reviewer' GET "$C?requestedReviewer=$U_review" read '' 200 '[.items[].number] == [1]'
t 'a stranger cannot be requested as a reviewer' POST $Q edit '{"users":["'$U_stranger'"]}' 404 ''
t 'a guest without access cannot be requested as a reviewer' POST $Q edit '{"users":["'$U_guest'"]}' 404 ''
t 'an empty list of reviewers is accepted' POST $Q edit '{"users":[]}' 200 '.users == []'
t 'a review request without users is refused' POST $Q edit '{}' 400 '.fields[0].path == "/users"'
t 'a reader requests no reviews' POST $Q read '{"users":["'$U_review'"]}' 403 ''
t 'a reviewer named twice is requested once' POST $Q edit '{"users":["'$U_create'","'$U_create'"]}' 200 '[.users[].user.id] == ["'$U_create'"]'
t 'the reviewer requested last is listed first' GET $Q read '' 200 '[.items[].user.id] == ["'$U_create'", "'$U_review'"] and .count == 2'
t 'the second page of reviewers is the last' GET "$Q?limit=1&page=$(get "$Q?limit=1"; jq -r .next.page "$out")" read '' 200 \
	'[.items[].user.id] == ["'$U_review'"] and (has("next") | not)'
t 'a review request is withdrawn' DELETE $Q/$U_create edit '' 204 ''
t 'a withdrawn review request is withdrawn again with 204' DELETE $Q/$U_create edit '' 204 ''
t 'a reader withdraws no review request' DELETE $Q/$U_review read '' 403 ''
t 'an editor may not review' POST $V edit '{"status":"approved"}' 403 ''
t 'a review without a status is refused' POST $V review '{}' 400 '.fields[0].path == "/status"'
t 'a reviewer requests changes with a comment' POST $V review '{"status":"changes-requested","comment":{"markdown":"Too *short*."}}' 201 \
	'.object == "change-request-review"
	and .status == "changes-requested" and .outdated == false and .reviewer.id == "'$U_review'" and .requestedBy.id == "'$U_edit'"
	and .comment.body.markdown == "Too *short*." and .comment.target.review == .id and .comment.postedBy.id == "'$U_review'"'
V1=$(jq -r .id "$out")
same 'a review is named in Location' "$base$C/$R1/reviews/$V1" "$(header location)"
t 'the comment of a review is counted' GET $C/1 read '' 200 '.comments == 1'
t 'a review answers the review request' GET $Q read '' 200 '.count == 0'
t 'a reviewer approves without a comment' POST $V review '{"status":"approved"}' 201 '.status == "approved" and (has("requestedBy") or has("comment") | not)'
V2=$(jq -r .id "$out")
t 'a later review makes the older one outdated' GET $V read '' 200 '[.items[] | [.id, .outdated]] == [["'$V2'", false], ["'$V1'", true]] and .count == 2'
t 'a comment of blanks is left out of a review' POST $V review '{"status":"approved","comment":{"markdown":" \n&nbsp;"}}' 201 'has("comment") | not'
V2=$(jq -r .id "$out")
t 'a review of the same person makes the older ones outdated' GET "$V?outdated=false" read '' 200 '[.items[].id] == ["'$V2'"]'
t 'outdated reviews are listed alone' GET "$V?outdated=true" read '' 200 '.items[-1].id == "'$V1'" and .count == 2'
t 'current reviews are listed alone' GET "$V?outdated=false" read '' 200 '[.items[].id] == ["'$V2'"]'
t 'the comment of a review is readable as a document' GET "$V/$V1?format=document" read '' 200 '.comment.body.document.nodes[0].nodes[1].leaves | length >= 0'
t 'an unknown review answers 404' GET $V/nothing read '' 404 ''
t 'a review answers 404 under another request' GET $C/2/reviews/$V1 read '' 404 ''
t 'a reviewer is requested again' POST $Q edit '{"users":["'$U_review'"]}' 200 '.users | length == 1'
t 'a new review request makes the review outdated' GET "$V?outdated=false" read '' 200 '.count == 0'
t 'a reviewer who commented is a contributor' GET $C/1/contributors read '' 200 \
	'[.items[] | [.user.id, .actionType, .count]] == [["'$U_review'", "comment", 1]] and .count == 1'
t 'requests are listed by contributor' GET "$C?contributor=$U_review" read '' 200 '[.items[].number] == [1]'

# Merge rules: each blocks the merge until it is met.
blocked_for() { t "the merge is refused with the reason: $2" POST $C/$1/merge review '' 412 '.error.message | contains("'"$3"'")'; }
rules() { send PATCH $S create '{"mergeRules":{"type":"rules","rules":['"$1"']}}'; same "the merge rules are set: $1" 200 "$code"; }
blocked() { t "the rule $2 holds the merge up" POST $C/$1/merge review '' 412 '.error.message | contains("'$2'")'; }
merges() { t "the merge goes through: $2" POST $C/$1/merge "${3:-review}" '' 200 '.result == "merge"'; }
# request_new: opens a request as edit; sets $n to its number
request_new() { send POST $C edit "${1:-{\}}"; n=$(jq -r .number "$out"); }
one() { printf '{"rule":"%s"}' "$1"; }
of() { printf '{"rule":"%s","users":["%s","%s"]}' "$1" "$2" "$3"; }
approve() { send POST $C/$n/reviews $1 '{"status":"approved"}'; same "$1 approves" 201 "$code"; }

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
merges $n 'subject and description are there'

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
merges $n 'all reviews approve'

# Custom rules. custom EXPRESSION; rule_holds EXPRESSION: a merge passes this rule and is refused by
# the rule after it.
custom() { printf '{"rule":"custom","expression":%s}' "$(printf %s "$1" | jq -Rs .)"; }
t 'a custom rule that is no expression is refused with its place' PATCH $S create \
	'{"mergeRules":{"type":"rules","rules":['"$(one require_author_to_merge),$(custom 'reviews.length >= ')"']}}' 400 \
	'.fields == [{path: "/mergeRules/rules/1/expression", message: "is no expression: unexpected end at character 19"}]'
t 'a custom rule over 1,024 characters is refused' PATCH $S create '{"mergeRules":{"type":"rules","rules":['"$(custom "$(printf %01025d 1)")"']}}' 400 ''
t 'refused rules are not kept' GET $S create '' 200 '.mergeRules.rules == null or ([.mergeRules.rules[].rule] | index("custom") == null)'
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
for field in id number status subject createdBy.id createdBy.displayName createdBy.email createdAt updatedAt space revision revisionInitial \
	comments outdated urls.location object description.object; do
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
t 'a custom rule that is false is quoted in the refusal' POST $C/$n/merge review '' 412 \
	'.error.message == "the merge rule custom is not met: \"actor.id == changeRequest.createdBy.id\" is not true"'
rules "$(custom 'visitor.claims.team')"
t 'a custom rule that fails names who has to mend it' POST $C/$n/merge review '' 412 \
	'.error.message | contains("\"visitor\" is not known here") and contains("Who wrote the rule")'
rules "$(custom 'reviews[7].status == "approved"')"
t 'a custom rule that fails for now says what was missing' POST $C/$n/merge review '' 412 '.error.message | contains("undefined has no member \"status\"")'
rules "$(custom 'reviews[7].status == "approved"'),$(of allow_bypass "$U_review" "$U_review")"
merges $n 'who may bypass passes a custom rule that fails'
rules "$(custom 'reviews.length >= 1 && changeRequest.subject.startsWith("Docs:")')"
request_new '{"subject":"Docs: a rule of our own"}'
blocked $n custom
approve review
merges $n 'the custom rule is true'

# An approval counts while its author may review.
rules "$(one require_at_least_one_approved_review)"
request_new
approve review
t 'the reviewer is demoted' PATCH /v1/orgs/$ORG/members/$U_review admin '{"role":"comment"}' 200 ''
t 'the approval of a demoted reviewer does not count' POST $C/$n/merge create '' 412 '.error.message | contains("require_at_least_one_approved_review")'
t 'the reviewer is promoted again' PATCH /v1/orgs/$ORG/members/$U_review admin '{"role":"review"}' 200 ''
"$octavo" member disable --dir "$dir" --org "$ORG" --user review@example.com >/dev/null
t 'the approval of a disabled reviewer does not count' POST $C/$n/merge create '' 412 '.error.message | contains("require_at_least_one_approved_review")'
"$octavo" member add --dir "$dir" --org "$ORG" --user review@example.com --role review >/dev/null
merges $n 'the approval of a reviewer who is back counts'
# dismissStaleApprovals, off by default: an approval does not count after later edits.
later() { send POST $C/$n/content edit \
	'{"changes":[{"operation":"insert_page","title":"Later","document":{"markdown":"x"}}]}'; same 'a page is written after the approval' 200 "$code"; }
request_new
approve review
later
merges $n 'an approval survives later writing'
t 'stale approvals may be dismissed' PATCH $S create '{"mergeRules":{"type":"rules","rules":['"$(one require_at_least_one_approved_review)"'],
	"dismissStaleApprovals":true}}' 200 '.mergeRules.dismissStaleApprovals'
request_new
approve review
later
blocked $n require_at_least_one_approved_review
approve review
merges $n 'somebody approved what was written last'

# countOwnApprovals: off in new rules, unchanged in rules that replace others.
own() { send POST $C review '{"subject":"Of my own"}'; n=$(jq -r .number "$out"); approve review; }
t 'the merge rules are removed' PATCH $S create '{"mergeRules":{"type":"none"}}' 200 ''
for rule in require_at_least_one_approved_review require_at_least_one_review; do
	rules "$(one $rule)"
	own
	blocked $n $rule
	approve create
	merges $n "$rule: somebody else has approved"
done
t 'new rules do not count own approvals' GET $S create '' 200 '.mergeRules.countOwnApprovals == false'
rules "$(custom 'reviews.length >= 1')"
own
blocked $n custom
# Users who write in another's request become authors of it.
joined() {
	request_new
	send POST $C/$n/content review '{"changes":[{"operation":"insert_page","title":"Mine","document":{"markdown":"x"}}]}'
	approve review
}
for rule in "$(one require_at_least_one_approved_review)" "$(one require_at_least_one_review)" \
	"$(custom 'reviews.length >= 1')" "$(of require_one_of_specific_reviewers "$U_review" "$U_create")"; do
	rules "$rule"
	joined
	t "the review of who wrote in the request does not count: $rule" POST $C/$n/merge review '' 412 ''
	approve create
	merges $n 'somebody who wrote nothing has approved'
done
rules "$(one require_at_least_one_approved_review)"
request_new
t 'updating a request from main is no writing of their own' POST $C/$n/update review '' 200 ''
approve review
merges $n 'who only updated it may approve'
rules "$(of require_one_of_specific_reviewers "$U_review" "$U_review")"
own
blocked_for $n require_one_of_specific_reviewers 'not yet approved by one of: review'
t 'rules may count own approvals' PATCH $S create '{"mergeRules":{"type":"rules","rules":['"$(one require_at_least_one_approved_review)"'],
	"countOwnApprovals":true}}' 200 '.mergeRules.countOwnApprovals'
own
merges $n 'the approval of its author counts'
joined
merges $n 'the approval of who wrote in it counts'
rules "$(one require_at_least_one_review)"
t 'rules that replace others keep counting own approvals' GET $S create '' 200 '.mergeRules.countOwnApprovals == true'
own
merges $n 'the review of its author counts'
t 'counting own approvals may be switched off' PATCH $S create '{"mergeRules":{"type":"rules","rules":['"$(one require_at_least_one_review)"'],
	"countOwnApprovals":false}}' 200 '.mergeRules.countOwnApprovals == false'
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
merges "$(jq -r .number "$out")" 'its author merges'
rules "$(one require_agent_review)"
blocked $n require_agent_review
rules "$(one require_agent_review),$(of allow_bypass "$U_create" "$U_create")"
blocked $n require_agent_review
merges $n 'who may bypass passes all rules' create

# The organization's rules apply to spaces that inherit.
send PATCH $S create '{"mergeRules":{"type":"inherit"}}'
sql "UPDATE org SET merge_rules = '{\"type\":\"rules\",\"rules\":[{\"rule\":\"require_agent_review\"}]}' WHERE id = '$ORG'"
request_new
blocked $n require_agent_review
send PATCH $S create '{"mergeRules":{"type":"none"}}'
merges $n 'the space has no rules'
sql "UPDATE org SET merge_rules = '{\"type\":\"none\"}' WHERE id = '$ORG'"

# A merged request stays merged.
t 'a merged request says who merged it and when' GET $C/$n read '' 200 '.status == "merged" and .mergedBy.id == "'$U_review'"
	and .mergedAt != null and .revisionMerged != null and .outdated == false'
t 'a merged request cannot be opened' PATCH $C/$n create '{"status":"open"}' 409 ''
t 'a merged request cannot be reviewed' POST $C/$n/reviews review '{"status":"approved"}' 409 ''
t 'reviews of a merged request cannot be requested' POST $C/$n/requested-reviewers edit '{"users":["'$U_review'"]}' 409 ''
t 'the subject of a merged request may be changed' PATCH $C/$n create '{"subject":"After"}' 200 '.subject == "After" and .status == "merged"'

# Outdated after any change of main.
request_new '{"subject":"Late"}'
late=$n
request_new '{"subject":"First"}'
t 'a request is not outdated while main stays' GET $C/$late read '' 200 '.outdated == false'
t 'a page is written in another request' POST $C/$n/content edit '{"changes":[{"operation":"insert_page","title":"New",
	"document":{"markdown":"Words."}}]}' 200 ''
t 'an editor who wrote is a contributor' GET $C/$n/contributors read '' 200 '[.items[] | [.user.id, .actionType, .count]] == [["'$U_edit'", "edit", 1]]'
t 'requests are listed by a contributor who wrote' GET "$C?contributor=$U_edit&status=draft" read '' 200 '[.items[].number] | index('$n') != null'
merges $n 'nobody merged before'
t 'a merge makes an open request outdated' GET $C/$late read '' 200 '.outdated'
rules "$(one require_up_to_date_change_request)"
blocked $late require_up_to_date_change_request
blocked_for $late require_up_to_date_change_request 'update it first'
t 'an outdated request is updated from main' POST $C/$late/update edit '' 200 '.result == "update"'
t 'an updated request is not outdated' GET $C/$late read '' 200 '.outdated == false and .revisionMergedAncestor != .revisionInitial'
merges $late 'it is up to date'
send PATCH $S create '{"mergeRules":{"type":"inherit"}}'

get $C?limit=1000
same 'the counters of a space are those of its requests' \
	"$(jq -c '[(.items | length), ([.items[] | select(.status == "open")] | length), ([.items[] | select(.status == "draft")] | length)]' "$out")" \
	"$(sql "SELECT '[' || requests || ',' || requests_open || ',' || requests_draft || ']' FROM space WHERE id = '$RS'")"

# Many requests opened at once: numbers are distinct, counters exact.
# ---- the verdict of the reviews ----
send POST $C create '{"subject":"Approved by its author"}'
n=$(jq -r .number "$out")
send PATCH $C/$n create '{"status":"open"}'
t 'an author approves a request' POST $C/$n/reviews create '{"status":"approved"}' 201 ''
t 'which is no verdict' GET $C/$n create '' 200 'has("review") | not'
approve review
t 'the review of another member is' GET $C/$n create '' 200 '.review == "approved"'
sql "UPDATE member SET disabled = 1 WHERE org = '$ORG' AND account = '$U_review'" >/dev/null
t 'unless this member is disabled' GET $C/$n create '' 200 'has("review") | not'
sql "UPDATE member SET disabled = 0 WHERE org = '$ORG' AND account = '$U_review'" >/dev/null

if [ $TRANSPORT = http ]; then
	before=$(sql "SELECT requests FROM space WHERE id = '$RS'")
	for i in 1 2 3 4 5 6 7 8; do
		(for j in 1 2 3 4 5; do curl -s -o /dev/null -X POST -H "Authorization: Bearer $(token_of edit)" "$base$C"; done) &
	done
	wait
	same 'concurrent requests are all counted' $((before + 40)) "$(sql "SELECT requests FROM space WHERE id = '$RS'")"
	same 'concurrent requests have distinct numbers' "$((before + 40)) $((before + 40))" \
		"$(sql "SELECT count(DISTINCT number) || ' ' || max(number) FROM change_request WHERE space = '$RS'")"
	same 'concurrent drafts are all counted' "$(sql "SELECT count(*) FROM change_request WHERE space = '$RS' AND status = 'draft'")" \
		"$(sql "SELECT requests_draft FROM space WHERE id = '$RS'")"
fi
