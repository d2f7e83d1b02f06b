# Exports and bindings: what is asked for, and the hook. What a run does is told by test_jobs_sync.c, test_jobs_export.c and test_git_sync.sh.
G=/v1/spaces/$EMPTY/git
X='"url":"https://bob:hunter3@example.invalid/x.git","ref":"refs/heads/main"'
for who in edit comment read readonly; do t "export by $who" POST $G/export $who "{$X,\"commitMessage\":\"x\"}" 403 ''; done
t 'export by others' POST $G/export other "{$X,\"commitMessage\":\"x\"}" 404 ''
t 'export of nothing' POST $G/export review '' 400 '[.fields[].path] == ["/url", "/ref", "/commitMessage"]'
t 'export to a tag' POST $G/export review '{"url":"https://example.invalid/x.git","ref":"refs/tags/v1","commitMessage":"x"}' 400 '.fields[0].path == "/ref"'
t 'export to a short name' POST $G/export review '{"url":"https://example.invalid/x.git","ref":"main","commitMessage":"x"}' 400 '.fields[0].path == "/ref"'
for url in 'file:///etc' 'ext::sh -c id' 'http://127.0.0.1/x.git' '--upload-pack=id' 'ssh://-oProxyCommand=id/x' 'https://u:hunter3@127.0.0.1/x.git'; do
	t "export to $url" POST $G/export review "{\"url\":\"$url\",\"ref\":\"refs/heads/main\",\"commitMessage\":\"x\"}" 400 '.fields[0].path == "/url" and (.error.message | contains("hunter3") | not)'
done
t 'export outside' POST $G/export review '{"url":"https://example.invalid/x.git","ref":"refs/heads/../x","commitMessage":"x"}' 400 ''
for folder in ../.. docs/../../x .git/hooks; do t "export to the folder $folder" POST $G/export review "{$X,\"commitMessage\":\"x\",\"repoProjectDirectory\":\"$folder\"}" 400 '[.fields[].path] == ["/repoProjectDirectory"]'; done
t 'export' POST $G/export review "{$X,\"commitMessage\":\"x\"}" 204 ''
t 'it is to be done' GET $G/info read '' 200 '.operation | .direction == "export" and .completedTasks == 0 and has("updatedAt")'

# Bindings.
t 'no binding yet' GET $G/binding admin '' 404 ''
t 'nothing to run' POST $G/binding/run admin '' 404 ''
t 'binding by review' PUT $G/binding review "{$X}" 403 ''
t 'binding to a tag' PUT $G/binding create '{"url":"https://example.invalid/x.git","ref":"v1"}' 400 '.fields[0].path == "/ref"'
t 'binding to a private host' PUT $G/binding create '{"url":"http://10.1.1.1/x.git","ref":"refs/heads/main"}' 400 '.fields[0].path == "/url"'
t 'binding' PUT $G/binding create "{$X,\"minutes\":60}" 200 '.credentials and .url == "https://example.invalid/x.git" and .state == "new" and .minutes == 60 and (.hook.secret | startswith("oct_"))'
HOOK=/v1/$(jq -r '.hook.url | split("/v1/")[1]' "$out") KEY=$(jq -r .hook.secret "$out")
t 'the secret is shown once' GET $G/binding review '' 200 '(.hook | has("secret") | not) and .credentials'
t 'a change keeps the secret and the credentials' PUT $G/binding create '{"url":"https://example.invalid/x.git","ref":"refs/heads/main","provider":"github"}' 200 '(.hook | has("secret") | not) and .credentials and .provider == "github"'
t 'another address does not get them' PUT $G/binding create '{"url":"https://example.invalid/y.git","ref":"refs/heads/main","provider":"github"}' 200 '.credentials | not'
same 'a schedule' 1 "$(sql "SELECT count(*) FROM schedule WHERE id = 'git:$EMPTY' AND kind = 'git'")"

# The hook.
hmac() { printf %s "$1" | openssl dgst -sha256 -hmac "$KEY" | sed 's/.*= //'; }
PUSH='{"ref":"refs/heads/main","before":"1","after":"2"}'
t 'unsigned' POST $HOOK - "$PUSH" 403 ''
t 'signed by another' POST $HOOK - "$PUSH" 403 '' 'X-Hub-Signature-256: sha256=0000'
t 'signed for another body' POST $HOOK - "$PUSH" 403 '' "X-Hub-Signature-256: sha256=$(hmac '{}')"
t 'an unknown hook' POST "${HOOK}x" - "$PUSH" 404 '' "X-Hub-Signature-256: sha256=$(hmac "$PUSH")"
t 'github' POST $HOOK - "$PUSH" 204 '' "X-Hub-Signature-256: sha256=$(hmac "$PUSH")"
t 'github, replayed' POST $HOOK - "$PUSH" 409 '' "X-Hub-Signature-256: sha256=$(hmac "$PUSH")" 'X-GitHub-Delivery: another'
PUSH='{"ref":"refs/heads/main","before":"2","after":"3"}'
provider() { send PUT $G/binding create '{"url":"https://example.invalid/y.git","ref":"refs/heads/main","provider":"'$1'"}'; }
provider gitea
t 'gitea takes no token' POST $HOOK - "$PUSH" 403 '' "X-Gitlab-Token: $KEY"
t 'gitea' POST $HOOK - "$PUSH" 204 '' "X-Gitea-Signature: $(hmac "$PUSH")"
provider gitlab
PUSH='{"object_kind":"push","ref":"refs/heads/main","before":"3","after":"4"}'
t 'gitlab, wrong' POST $HOOK - "$PUSH" 403 '' "X-Gitlab-Token: ${KEY}x"
t 'gitlab' POST $HOOK - "$PUSH" 204 '' "X-Gitlab-Token: $KEY"
t 'gitlab, replayed' POST $HOOK - "$PUSH" 409 '' "X-Gitlab-Token: $KEY"

# What these hosts send, with the headers that they send it with.
HOOKS=tests/fixtures/hooks
mac() { openssl dgst -$1 -hmac "$KEY" "$HOOKS/$2" | sed 's/.*= //'; }
# Where no runner takes them: how many runs wait.
waits() {
	[ "$TRANSPORT" != cgi ] || same "$1" $2 "$(sql "SELECT count(*) FROM job WHERE space = '$EMPTY' AND kind = 'git' AND state = 'queued'")"
}
none_queued() { sql "UPDATE job SET state = 'cancelled' WHERE space = '$EMPTY' AND kind = 'git' AND state = 'queued'"; }
github() {
	t "$1" POST $HOOK - @$HOOKS/$2 $3 '' 'User-Agent: GitHub-Hookshot/044aadd' "X-GitHub-Event: $4" "X-GitHub-Delivery: $5" \
		'X-GitHub-Hook-ID: 5' "X-Hub-Signature: sha1=$(mac sha1 $2)" "X-Hub-Signature-256: sha256=$(mac sha256 $2)"
}
gitlab() {
	t "$1" POST $HOOK - @$HOOKS/$2 $3 '' 'User-Agent: GitLab/17.1.0' "X-Gitlab-Event: $4" "X-Gitlab-Token: $KEY" \
		'X-Gitlab-Instance: https://gitlab.example' "X-Gitlab-Event-UUID: $5" "X-Gitlab-Webhook-UUID: $5" "Idempotency-Key: $5"
}
provider github
none_queued
github 'a push from GitHub' github_push.json 204 push 72d3162e-cc78-11e3-81ab-4c9367dc0958
waits 'it asks for a run' 1
github 'the same, delivered again' github_push.json 409 push 72d3162e-cc78-11e3-81ab-4c9367dc0959
github 'a ping from GitHub' github_ping.json 204 ping 72d3162e-cc78-11e3-81ab-4c9367dc0960
t 'with the older signature alone' POST $HOOK - @$HOOKS/gitea_push.json 403 '' "X-Hub-Signature: sha1=$(mac sha1 gitea_push.json)"
provider gitlab
none_queued
gitlab 'a tag from GitLab' gitlab_tag_push.json 204 'Tag Push Hook' f5e5f430-f57b-4e6e-9fac-d9128cd72320
waits 'it is for another ref' 0
gitlab 'a push from GitLab' gitlab_push.json 204 'Push Hook' f5e5f430-f57b-4e6e-9fac-d9128cd72321
waits 'GitLab asks for a run' 1
provider gitea
none_queued
t 'a push from Gitea' POST $HOOK - @$HOOKS/gitea_push.json 204 '' 'X-Gitea-Event: push' 'X-Gitea-Event-Type: push' 'X-GitHub-Event: push' \
		'X-Gitea-Delivery: f6266f16-1bf3-46a5-9ea4-602e06ead473' "X-Gitea-Signature: $(mac sha256 gitea_push.json)" \
		"X-Hub-Signature-256: sha256=$(mac sha256 gitea_push.json)" 'X-Gogs-Event: push'
waits 'Gitea asks for a run' 1
provider plain
NOW=$(date +%s)
plain() { t "$1" POST $HOOK - '{}' $3 '' "X-Octavo-Timestamp: $2" "X-Octavo-Signature: $(hmac "$2.{}")"; }
plain 'plain' $NOW 204
plain 'plain, replayed' $NOW 409
plain 'plain, of an hour ago' $((NOW - 3600)) 403
for time in 9223372036854775807 -1 1e9 "0x$NOW" "$NOW "; do plain "plain, at $time" "$time" 403; done
t 'plain without a time' POST $HOOK - '{}' 403 '' "X-Octavo-Signature: $(hmac '.{}')"
same 'calls queue one run' 1 "$(sql "SELECT count(*) <= 1 FROM job WHERE space = '$EMPTY' AND kind = 'git' AND state = 'queued'")"
t 'run it' POST $G/binding/run review '' 204 ''
if [ "$TRANSPORT" = cgi ]; then
	sql "UPDATE job SET run_at = 9000000000000 WHERE space = '$EMPTY' AND kind = 'git' AND state = 'queued'"
	t 'run what waits for another try' POST $G/binding/run review '' 204 ''
	same 'it begins now' '1 1' "$(sql "SELECT count(*) || ' ' || sum(run_at < 9000000000000) FROM job WHERE space = '$EMPTY' AND kind = 'git' AND state = 'queued'")"
fi
t 'prefixes of addresses' PUT $G/binding create '{"url":"https://example.invalid/y.git","ref":"refs/heads/main","repoTreeURL":"https://example.invalid/tree","repoCommitURL":"https://example.invalid/commit"}' 200 '.repoTreeURL == "https://example.invalid/tree" and .repoCommitURL == "https://example.invalid/commit"'
t 'a new secret' PUT $G/binding create '{"url":"https://example.invalid/y.git","ref":"refs/heads/main","renewSecret":true}' 200 '.hook.secret != "'$KEY'"'

t 'unbind by review' DELETE $G/binding review '' 403 ''
t 'unbind' DELETE $G/binding create '' 204 ''
t 'unbind again' DELETE $G/binding create '' 204 ''
t 'its hook is gone' POST $HOOK - '{}' 404 ''
same 'and its schedule' 0 "$(sql "SELECT count(*) FROM schedule WHERE id = 'git:$EMPTY'")"
send PUT $G/binding create "{$X}"
t 'remove all of git by review' DELETE $G/legacy-installation review '' 403 ''
t 'remove all of git' DELETE $G/legacy-installation create '' 204 ''
t 'git info' GET $G/info admin '' 404 ''
t 'no binding' GET $G/binding admin '' 404 ''
t 'remove it again' DELETE $G/legacy-installation create '' 204 ''
if grep -rqs hunter3 "$dir"; then fail 'password' "it is in $(grep -rls hunter3 "$dir" | tr '\n' ' ')"; else pass; fi
