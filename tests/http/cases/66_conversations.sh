# Support conversations: ingested, analysed, listed, replaced, answered by change requests, deleted.
KO=$(octavo_json .organization org create --title Talks --user admin@example.com)
K=/v1/orgs/$KO
t 'a creator is invited' POST $K/invites admin '{"emails":["create@example.com"],"role":"create"}' 200 ''
t 'a reader is invited' POST $K/invites admin '{"emails":["read@example.com"],"role":"read"}' 200 ''
part() { printf '{"type":"message","role":"%s","body":"%s"}' "$1" "$2"; }
talk() { printf '{"id":"%s","parts":[%s],"metadata":{"createdAt":"%s","url":"%s","attributes":{"email":"%s"}}}' "$1" "$(part user "$2")" "$3" "$4" "$5"; }
day=$(date -u +%FT%TZ)

# Empty lists, and who may read them.
for list in conversations conversations-clusters conversations-issues; do
	t "an organization has no $list at first" GET $K/$list create '' 200 '.count == 0 and .items == [] and (has("next") | not)'
	t "a reader may not read $list" GET $K/$list read '' 403 ''
	t "another organization gets 404 for $list" GET $K/$list other '' 404 ''
done

# Ingesting: one, many, all or none.
t 'a conversation is ingested' POST $K/conversations create \
	"$(talk 'a/1 ü' 'Hi, how do I reset my password?\nThanks\nAnn' 2026-01-31T09:30:00+01:00 https://help.example/1 ann@example.org)" 204 ''
one=a%2F1%20%C3%BC
t 'an empty list is accepted' POST $K/conversations create '[]' 204 ''
t 'a reader ingests nothing' POST $K/conversations read "$(talk b x "$day" '' '')" 403 ''
t 'a list of conversations is ingested' POST $K/conversations create "[$(talk p2 'The password reset mail does not arrive.' "$day" '' bob@example.org),
	$(talk p3 'I forgot my password. Can you reset it?' "$day" '' bob@example.org),
	$(talk i1 'Where can I download the invoice for March?' "$day" '' ann@example.org),
	$(talk two 'The PDF export is empty. Also, where do I find my invoice?' "$day" '' ann@example.org),
	$(talk none 'Thanks, that was great!' "$day" '' '')]" 204 ''
t 'a list with a faulty conversation is refused by its place' POST $K/conversations create \
	"[$(talk w1 'Why is it slow?' "$day" '' ''),{\"id\":\"w2\"}]" 400 '.fields == [{"path":"/1/parts","message":"is required"}]'
t 'a list with an id of another source is refused' POST $K/conversations admin \
	"[$(talk w1 'Why is it slow?' "$day" '' ''),$(talk p2 'x' "$day" '' '')]" 409 '.error.message | test("p2")'
t 'a refused list ingests nothing' GET $K/conversations/w1 create '' 404 ''
t 'an id that is there twice is refused' POST $K/conversations create "[$(talk w1 a "$day" '' ''),$(talk w1 b "$day" '' '')]" 400 '.fields[0].path == "/1/id"'
t 'a list of 1,001 conversations is refused' POST $K/conversations create \
	"[$(seq 1001 | sed 's/.*/{"id":"&","parts":[{"type":"message","role":"user","body":"x"}]}/' | paste -sd,)]" 400 '.error.message | length > 0'
t 'an empty id is refused' POST $K/conversations create "{\"id\":\"\",\"parts\":[$(part user x)]}" 400 '.fields[0].path == "/id"'
t 'an id of 255 characters is accepted' POST $K/conversations create "{\"id\":\"$(printf 'é%.0s' $(seq 255))\",\"parts\":[$(part user x)]}" 204 ''
t 'an id of 256 characters is refused' POST $K/conversations create "{\"id\":\"$(printf 'é%.0s' $(seq 256))\",\"parts\":[$(part user x)]}" 400 \
	'.fields[0].path == "/id"'
t 'an id of a dot is refused' POST $K/conversations create "{\"id\":\".\",\"parts\":[$(part user x)]}" 400 '.fields[0].path == "/id"'
t 'an id of two dots in a list is refused' POST $K/conversations create "[$(talk fine x "$day" '' ''),{\"id\":\"..\",\"parts\":[$(part user x)]}]" \
	400 '.fields[0].path == "/1/id"'
t 'a conversation without parts is refused' POST $K/conversations create '{"id":"x","parts":[]}' 400 '.fields[0].path == "/parts"'
t 'a conversation without parts in a list is refused' POST $K/conversations create "[$(talk fine x "$day" '' ''),{\"id\":\"x\",\"parts\":[]}]" 400 \
	'.fields[0].path == "/1/parts"'
for text in javascript:alert%281%29 'help desk' /tickets/1 help.example.com https:// 'https://help.example/a b' 'https:\\\\help.example' \
	'https://help.example\\u0001' 'https://?x' 'https://#' 'https://@help.example' 'https://:80/' mailto:ann@example.com \
	https://help.example/ü https://hülfe.example http://[::1 http://a] https://help.example:x/; do
	t "an address of another form is refused: $text" POST $K/conversations create "$(talk x x "$day" "$text" '')" 400 '.fields[0].path == "/metadata/url"'
done
t 'an unknown role is refused' POST $K/conversations create '{"id":"x","parts":[{"type":"message","role":"bot","body":""}]}' 400 \
	'.fields[0].path == "/parts/0/role"'
t 'parts of all roles are accepted' POST $K/conversations create \
	"{\"id\":\"roles\",\"parts\":[$(part assistant 'What is your question?'),$(part team-member 'How can we help?'),$(part user ok)]}" 204 ''

# Read back as they were sent.
jobs_rest
t 'a conversation is read as it was ingested' GET $K/conversations/$one create '' 200 \
	'.conversation.id == "a/1 ü" and .conversation.createdAt == "2026-01-31T08:30:00.000Z"
	and (.conversation.source | test("^integration:api:[^:]+$")) and (.conversation | has("processedAt") and (has("subject") | not))
	and .conversation.urls == {location: "'$base$K'/conversations/'$one'", source: "https://help.example/1"}
	and .parts == [{type: "message", role: "user", body: "Hi, how do I reset my password?\nThanks\nAnn"}]
	and .metadata == {url: "https://help.example/1", attributes: {email: "ann@example.org"}, createdAt: "2026-01-31T08:30:00.000Z"}'
source=$(jq -r .conversation.source "$out")
t 'a conversation without an address has none' GET $K/conversations/p3 create '' 200 '(.conversation.urls | has("source") | not)'
t 'an unknown conversation answers 404' GET $K/conversations/nobody create '' 404 ''
t 'conversations are listed by pages' GET "$K/conversations?limit=2" create '' 200 '.count == 8 and (.items | length) == 2'
t 'the oldest conversation is listed last' GET $K/conversations create '' 200 '.items[-1].id == "a/1 ü" and .items[-1].object == "conversation"'
t 'conversations are filtered by source' GET "$K/conversations?source=$source" create '' 200 '.count == 8'
t 'an unknown source has no conversations' GET "$K/conversations?source=email" create '' 200 '.count == 0'

# The issues found in them.
t 'issues have the questions as titles' GET $K/conversations-issues create '' 200 \
	'.count == 6 and ([.items[].issue.title] | sort) == ["Also, where do I find my invoice?",
	"I forgot my password.", "The PDF export is empty.", "The password reset mail does not arrive.", "Where can I download the invoice for March?",
		"how do I reset my password?"]
	or ([.items[].issue.title] | index("Can you reset it?")) != null'
t 'issues of one conversation are listed' GET "$K/conversations-issues?conversation=$one" create '' 200 \
	'.count == 1 and .items[0].issue.title == "how do I reset my password?"
	and .items[0].issue.createdAt == "2026-01-31T08:30:00.000Z" and .items[0].issue.conversation == "a/1 ü" and .items[0].conversation.id == "a/1 ü"'
issue=$(jq -r .items[0].issue.id "$out") cluster=$(jq -r .items[0].issue.cluster "$out")
t 'an issue is read by its id' GET $K/conversations-issues/$issue create '' 200 \
	'.issue.id == "'$issue'" and .issue.object == "conversation-issue" and .issue.urls.location == "'$base$K'/conversations-issues/'$issue'"
	and .conversation.object == "conversation"'
t 'an unknown issue answers 404' GET $K/conversations-issues/xxxxxxxxxxxxxxxxxxxxxx create '' 404 ''
t 'two questions of one conversation are two issues' GET "$K/conversations-issues?conversation=two" create '' 200 \
	'.count == 2 and ([.items[].issue.cluster] | unique | length) == 2'
t 'a conversation without a question has no issue' GET "$K/conversations-issues?conversation=none" create '' 200 '.count == 0'
t 'a cluster counts its issues and sources' GET $K/conversations-clusters/$cluster create '' 200 \
	'.id == "'$cluster'" and .object == "issues-cluster" and .stats.issues == 3 and .stats.conversations == 3
	and .stats.tasksTotal == 0 and .sources == {"'$source'": 3} and (.weeklyPulse | length) == 13 and .weeklyPulse[12] + .weeklyPulse[11] == 2
	and (.label | test("password")) and (.icon | length) > 0 and .urls.location == "'$base$K'/conversations-clusters/'$cluster'"
	and (.urls.app | endswith("'${K#/v1}'/topics/'$cluster'"))'
t 'an unknown cluster answers 404' GET $K/conversations-clusters/xxxxxxxxxxxxxxxxxxxxxx create '' 404 ''
t 'issues of a cluster are listed' GET "$K/conversations-issues?cluster=$cluster" create '' 200 \
	'.count == 3 and ([.items[].issue.cluster] | unique) == ["'$cluster'"]'
t 'issues are filtered by cluster and conversation' GET "$K/conversations-issues?cluster=$cluster&conversation=p2" create '' 200 '.count == 1'
t 'an unknown cluster has no issues' GET "$K/conversations-issues?cluster=xxxxxxxxxxxxxxxxxxxxxx" create '' 200 '.count == 0'
t 'clusters are ordered by issues' GET "$K/conversations-clusters?orderBy=issues" create '' 200 '.count == 3 and [.items[].stats.issues] == [3, 2, 1]'
t 'clusters are ordered by conversations upwards' GET "$K/conversations-clusters?orderBy=conversations&order=asc" create '' 200 \
	'[.items[].stats.conversations] == [1, 2, 3]'
for by in updatedAt tasksTotal tasksBacklog tasksStarted; do
	t "clusters are ordered by $by" GET "$K/conversations-clusters?orderBy=$by&order=asc" create '' 200 '.count == 3 and (.items | length) == 3'
done
t 'clusters are listed by pages' GET "$K/conversations-clusters?orderBy=issues&limit=2" create '' 200 '[.items[].stats.issues] == [3, 2]'
t 'the last page of clusters has no next' GET "$K/conversations-clusters?orderBy=issues&limit=2&page=$(jq -r .next.page "$out")" create '' 200 \
	'[.items[].stats.issues] == [1] and (has("next") | not)'

# Answered by a change request.
t 'a space is created' POST $K/spaces create '{"title":"Answers"}' 201 ''
KC=/v1/spaces/$(jq -r .id "$out")/change-requests
t 'a request is opened from a cluster' POST $KC create '{"subject":"Passwords","conversationsIssuesCluster":"'$cluster'"}' 201 \
	'.conversationsIssuesCluster == "'$cluster'"'
t 'a request from an unknown cluster answers 404' POST $KC create '{"conversationsIssuesCluster":"xxxxxxxxxxxxxxxxxxxxxx"}' 404 ''
t 'a request is opened without a cluster' POST $KC create '{}' 201 'has("conversationsIssuesCluster") | not'
t 'requests are filtered by cluster' GET "$KC?conversationsIssuesCluster=$cluster" create '' 200 '.count == 1 and .items[0].subject == "Passwords"'
t 'requests of the organization are filtered by cluster' GET "$K/change-requests?conversationsIssuesCluster=$cluster" create '' 200 '.count == 1'
t 'clusters without a request are pending' GET "$K/conversations-clusters?status=pending" create '' 200 \
	'.count == 2 and ([.items[].id] | index("'$cluster'")) == null'
t 'clusters with a request are being analysed' GET "$K/conversations-clusters?status=analysing" create '' 200 '.count == 1 and .items[0].id == "'$cluster'"'
number=$(sql "SELECT number FROM change_request WHERE subject = 'Passwords' AND cluster = '$cluster'")
t 'the request is archived' PATCH $KC/$number admin '{"status":"archived"}' 200 ''
t 'the cluster of an archived request is pending' GET "$K/conversations-clusters?status=pending" create '' 200 \
	'.count == 3 and ([.items[].id] | index("'$cluster'")) != null'
t 'the cluster of an archived request is not being analysed' GET "$K/conversations-clusters?status=analysing" create '' 200 '.count == 0'
t 'the request is opened again' PATCH $KC/$number admin '{"status":"open"}' 200 ''

# Sent again with another text: the issue moves to another cluster, its id stays.
t 'a conversation is replaced' POST $K/conversations create \
	"$(talk 'a/1 ü' 'Where can I find my invoice of May?' 2026-01-31T08:30:00Z '' ann@example.org)" 204 ''
jobs_rest
t 'the issue of a replaced conversation is in another cluster' GET $K/conversations-issues/$issue create '' 200 \
	'.issue.title == "Where can I find my invoice of May?" and .issue.cluster != "'$cluster'"'
t 'the old cluster counts one issue less' GET $K/conversations-clusters/$cluster create '' 200 '.stats.issues == 2 and .sources == {"'$source'": 2}'
t 'a replaced conversation is there once' GET $K/conversations create '' 200 '.count == 8'
t 'a conversation is replaced by one without a question' POST $K/conversations create "{\"id\":\"two\",\"parts\":[$(part user Thanks)]}" 204 ''
jobs_rest
t 'a conversation without a question loses its issues' GET "$K/conversations-issues?conversation=two" create '' 200 '.count == 0'
t 'a cluster without issues is deleted' GET "$K/conversations-clusters?orderBy=issues" create '' 200 '.count == 2 and [.items[].stats.issues] == [2, 2]'

forget() { "$octavo" conversations delete --dir "$dir" --org "$KO" --json "$@" >"$tmp/cli" 2>&1 || fail "forget $*" "$(cat "$tmp/cli")"; }

# When a cluster becomes empty, its change request is removed from it.
t 'a conversation of its own kind is ingested' POST $K/conversations create "$(talk alone 'Is there a desktop app for linux?' "$day" '' '')" 204 ''
jobs_rest
t 'a conversation of its own kind has an issue' GET "$K/conversations-issues?conversation=alone" create '' 200 '.count == 1'
lonely=$(jq -r .items[0].issue.cluster "$out")
t 'a request is opened from its cluster' POST $KC create '{"subject":"Linux","conversationsIssuesCluster":"'$lonely'"}' 201 ''
t 'the conversation is replaced by one of another kind' POST $K/conversations create "$(talk alone 'Where can I download my invoice?' "$day" '' '')" 204 ''
jobs_rest
t 'the emptied cluster answers 404' GET $K/conversations-clusters/$lonely create '' 404 ''
t 'the issue is in another cluster' GET "$K/conversations-issues?conversation=alone" create '' 200 '.items[0].issue.cluster != "'$lonely'"'
t 'the request follows to that cluster' GET "$KC?conversationsIssuesCluster=$(jq -r .items[0].issue.cluster "$out")" create '' 200 \
	'.count == 1 and .items[0].subject == "Linux"'
forget alone
t 'the cluster stays with its other issues' GET "$K/conversations-clusters?orderBy=issues" create '' 200 '[.items[].stats.issues] == [2, 2]'

seq 70000 | sed 's/.*/{"type":"message","role":"user","body":""}/' | paste -sd, | sed 's/.*/{"id":"x","parts":[&]}/' >"$tmp/parts"
t '70,000 parts answer 413' POST $K/conversations create "@$tmp/parts" 413 ''

# Hostile texts appear inside JSON strings only.
printf '{"id":"h","subject":"<script>alert(1)</script>","parts":[{"type":"message","role":"user","body":"Why \\u001b[31m does <img src=x '\
'onerror=alert(1)> the \\u202einvoice fail?\\n%s"}]}' \
	"$(head -c 100000 /dev/zero | tr '\0' '(')" >"$tmp/hostile"
t 'a hostile conversation is accepted' POST $K/conversations create "@$tmp/hostile" 204 ''
jobs_rest
t 'a hostile conversation has a clean title' GET "$K/conversations-issues?conversation=h" create '' 200 \
	'.count == 1 and (.items[0].issue.title | test("invoice") and (test("[\u0001-\u001f<>\u202e]") | not))'

# Deleting.
forget --attribute email=bob@example.org
same 'conversations are deleted by an attribute' '{"deleted":2}' "$(cat "$tmp/cli")"
t 'a deleted conversation answers 404' GET $K/conversations/p2 create '' 404 ''
t 'a cluster of deleted conversations answers 404' GET $K/conversations-clusters/$cluster create '' 404 ''
t 'the request of a deleted cluster names none' GET $KC/1 create '' 200 'has("conversationsIssuesCluster") | not'
"$octavo" conversations delete --dir "$dir" --org "$KO" "$(printf 'x\033[2J')" >"$tmp/cli" 2>&1
yes 'the command prints no control characters' grep -qF 'there is no conversation x?[2J' "$tmp/cli"
forget h none nobody
same 'conversations are deleted by their ids' '{"deleted":2}' "$(cat "$tmp/cli")"
t 'the other conversations are left' GET $K/conversations create '' 200 '.count == 5'
t 'the issues of the other conversations are left' GET $K/conversations-issues create '' 200 '.count == 2'
yes 'no attribute of deleted conversations is left' test "$(sql "SELECT count(*) FROM conversation_attribute WHERE value = 'bob@example.org'")" = 0
t 'a deletion of conversations is recorded' GET "$K/audit-events?action=conversations.deleted" admin "" 200 ".count >= 2"
t 'the event of a deletion has the count' GET "$K/audit-events/$(jq -r .items[-1].id "$out")" admin "" 200 ".payload.before | has(\"conversations\")"
yes 'the event of a deletion has no value of them' test \
	"$(sql "SELECT count(*) FROM audit_event WHERE action = 'conversations.deleted' AND before LIKE '%bob@%'")" = 0
yes 'octavo check finds nothing' "$octavo" check --dir "$dir" >"$tmp/check"

# Wrong counts are computed again.
sql "UPDATE issues_cluster SET issues = issues + 3 WHERE org = '$KO'"
"$octavo" check --dir "$dir" >"$tmp/check" 2>&1 && fail 'octavo check finds wrong counts of clusters' 'check finds nothing'
yes 'octavo check names the cluster' grep -q 'conversations, issues and clusters are counted: cluster' "$tmp/check"
yes 'octavo check names the repair' grep -q 'clusters of issues .*octavo check --repair .* counted again' "$tmp/check"
yes 'octavo check repairs clusters' "$octavo" check --dir "$dir" --repair >"$tmp/check"
jobs_rest
yes 'octavo check finds nothing after the repair' "$octavo" check --dir "$dir" >"$tmp/check"

