# Exports and bindings: their requests, and the webhook. The runs are tested by test_jobs_sync.c,
# test_jobs_export.c and test_git_sync.sh.
G=/v1/spaces/$EMPTY/git
X='"url":"https://bob:hunter3@example.invalid/x.git","ref":"refs/heads/main"'
for who in edit comment read readonly; do t "$who may not export" POST $G/export $who "{$X,\"commitMessage\":\"x\"}" 403 ''; done
t 'another organization gets 404 for an export' POST $G/export other "{$X,\"commitMessage\":\"x\"}" 404 ''
t 'an export needs URL, ref and message' POST $G/export review '' 400 '[.fields[].path] == ["/url", "/ref", "/commitMessage"]'
t 'an export to a tag is refused' POST $G/export review '{"url":"https://example.invalid/x.git","ref":"refs/tags/v1","commitMessage":"x"}' 400 \
	'.fields[0].path == "/ref"'
t 'an export to a short name is refused' POST $G/export review '{"url":"https://example.invalid/x.git","ref":"main","commitMessage":"x"}' 400 \
	'.fields[0].path == "/ref"'
for url in 'file:///etc' 'ext::sh -c id' 'http://127.0.0.1/x.git' '--upload-pack=id' 'ssh://-oProxyCommand=id/x' 'https://u:hunter3@127.0.0.1/x.git'; do
	t "an export to the URL is refused without its password: $url" POST $G/export review \
		"{\"url\":\"$url\",\"ref\":\"refs/heads/main\",\"commitMessage\":\"x\"}" 400 \
		'.fields[0].path == "/url" and (.error.message | contains("hunter3") | not)'
done
t 'an export to a ref with two dots is refused' POST $G/export review '{"url":"https://example.invalid/x.git","ref":"refs/heads/../x",
	"commitMessage":"x"}' 400 ''
for folder in ../.. docs/../../x .git/hooks; do t "an export to the folder is refused: $folder" POST $G/export review \
	"{$X,\"commitMessage\":\"x\",\"repoProjectDirectory\":\"$folder\"}" 400 '[.fields[].path] == ["/repoProjectDirectory"]'; done
t 'an export is accepted' POST $G/export review "{$X,\"commitMessage\":\"x\"}" 204 ''
t 'an accepted export is waiting' GET $G/info read '' 200 '.operation | .direction == "export" and .completedTasks == 0 and has("updatedAt")'

# Bindings.
t 'a space has no binding at first' GET $G/binding admin '' 404 ''
t 'a space without a binding has nothing to run' POST $G/binding/run admin '' 404 ''
t 'a reviewer may not bind' PUT $G/binding review "{$X}" 403 ''
t 'a binding to a tag is refused' PUT $G/binding create '{"url":"https://example.invalid/x.git","ref":"v1"}' 400 '.fields[0].path == "/ref"'
t 'a binding to a private host is refused' PUT $G/binding create '{"url":"http://10.1.1.1/x.git","ref":"refs/heads/main"}' 400 '.fields[0].path == "/url"'
t 'a creator binds and gets the secret of the hook' PUT $G/binding create "{$X,\"minutes\":60}" 200 \
	'.credentials and .url == "https://example.invalid/x.git" and .state == "new" and .minutes == 60 and (.hook.secret | startswith("oct_"))'
HOOK=/v1/$(jq -r '.hook.url | split("/v1/")[1]' "$out") KEY=$(jq -r .hook.secret "$out")
t 'the secret is shown once' GET $G/binding review '' 200 '(.hook | has("secret") | not) and .credentials'
t 'a change keeps the secret and the credentials' PUT $G/binding create \
	'{"url":"https://example.invalid/x.git","ref":"refs/heads/main","provider":"github"}' 200 \
	'(.hook | has("secret") | not) and .credentials and .provider == "github"'
t 'another repository does not get the credentials' PUT $G/binding create \
	'{"url":"https://example.invalid/y.git","ref":"refs/heads/main","provider":"github"}' 200 '.credentials | not'
same 'a binding has a schedule' 1 "$(sql "SELECT count(*) FROM schedule WHERE id = 'git:$EMPTY' AND kind = 'git'")"

# The webhook.
hmac() { printf %s "$1" | openssl dgst -sha256 -hmac "$KEY" | sed 's/.*= //'; }
PUSH='{"ref":"refs/heads/main","before":"1","after":"2"}'
t 'a call without a signature is refused' POST $HOOK - "$PUSH" 403 ''
t 'a call with a wrong signature is refused' POST $HOOK - "$PUSH" 403 '' 'X-Hub-Signature-256: sha256=0000'
t 'a call signed for another body is refused' POST $HOOK - "$PUSH" 403 '' "X-Hub-Signature-256: sha256=$(hmac '{}')"
t 'an unknown hook answers 404' POST "${HOOK}x" - "$PUSH" 404 '' "X-Hub-Signature-256: sha256=$(hmac "$PUSH")"
t 'a call signed as GitHub does is accepted' POST $HOOK - "$PUSH" 204 '' "X-Hub-Signature-256: sha256=$(hmac "$PUSH")"
t 'a replayed call as GitHub is refused' POST $HOOK - "$PUSH" 409 '' "X-Hub-Signature-256: sha256=$(hmac "$PUSH")" 'X-GitHub-Delivery: another'
PUSH='{"ref":"refs/heads/main","before":"2","after":"3"}'
provider() { send PUT $G/binding create '{"url":"https://example.invalid/y.git","ref":"refs/heads/main","provider":"'$1'"}'; }
provider gitea
t 'a hook of Gitea refuses a token of GitLab' POST $HOOK - "$PUSH" 403 '' "X-Gitlab-Token: $KEY"
t 'a call signed as Gitea does is accepted' POST $HOOK - "$PUSH" 204 '' "X-Gitea-Signature: $(hmac "$PUSH")"
provider gitlab
PUSH='{"object_kind":"push","ref":"refs/heads/main","before":"3","after":"4"}'
t 'a wrong token of GitLab is refused' POST $HOOK - "$PUSH" 403 '' "X-Gitlab-Token: ${KEY}x"
t 'a token of GitLab is accepted' POST $HOOK - "$PUSH" 204 '' "X-Gitlab-Token: $KEY"
t 'a replayed call as GitLab is refused' POST $HOOK - "$PUSH" 409 '' "X-Gitlab-Token: $KEY"

# Bodies and headers as these hosts send them.
HOOKS=tests/fixtures/hooks
mac() { openssl dgst -$1 -hmac "$KEY" "$HOOKS/$2" | sed 's/.*= //'; }
# Without a runner: the number of waiting runs.
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
github 'a push from GitHub is accepted' github_push.json 204 push 72d3162e-cc78-11e3-81ab-4c9367dc0958
waits 'a push from GitHub queues a run' 1
github 'a push from GitHub that is delivered again is refused' github_push.json 409 push 72d3162e-cc78-11e3-81ab-4c9367dc0959
github 'a ping from GitHub is accepted' github_ping.json 204 ping 72d3162e-cc78-11e3-81ab-4c9367dc0960
t 'the older signature alone is refused' POST $HOOK - @$HOOKS/gitea_push.json 403 '' "X-Hub-Signature: sha1=$(mac sha1 gitea_push.json)"
provider gitlab
none_queued
gitlab 'a tag from GitLab is accepted' gitlab_tag_push.json 204 'Tag Push Hook' f5e5f430-f57b-4e6e-9fac-d9128cd72320
waits 'a tag queues no run' 0
gitlab 'a push from GitLab is accepted' gitlab_push.json 204 'Push Hook' f5e5f430-f57b-4e6e-9fac-d9128cd72321
waits 'a push from GitLab queues a run' 1
provider gitea
none_queued
t 'a push from Gitea is accepted' POST $HOOK - @$HOOKS/gitea_push.json 204 '' 'X-Gitea-Event: push' 'X-Gitea-Event-Type: push' 'X-GitHub-Event: push' \
		'X-Gitea-Delivery: f6266f16-1bf3-46a5-9ea4-602e06ead473' "X-Gitea-Signature: $(mac sha256 gitea_push.json)" \
		"X-Hub-Signature-256: sha256=$(mac sha256 gitea_push.json)" 'X-Gogs-Event: push'
waits 'a push from Gitea queues a run' 1
provider plain
NOW=$(date +%s)
plain() { t "$1" POST $HOOK - '{}' $3 '' "X-Octavo-Timestamp: $2" "X-Octavo-Signature: $(hmac "$2.{}")"; }
plain 'a plain call is accepted' $NOW 204
plain 'a replayed plain call is refused' $NOW 409
plain 'a plain call of an hour ago is refused' $((NOW - 3600)) 403
for time in 9223372036854775807 -1 1e9 "0x$NOW" "$NOW "; do plain "a plain call of a faulty time is refused: $time" "$time" 403; done
t 'a plain call without a time is refused' POST $HOOK - '{}' 403 '' "X-Octavo-Signature: $(hmac '.{}')"
same 'several calls queue one run' 1 "$(sql "SELECT count(*) <= 1 FROM job WHERE space = '$EMPTY' AND kind = 'git' AND state = 'queued'")"
t 'a reviewer runs the binding' POST $G/binding/run review '' 204 ''
if [ "$TRANSPORT" = cgi ]; then
	sql "UPDATE job SET run_at = 9000000000000 WHERE space = '$EMPTY' AND kind = 'git' AND state = 'queued'"
	t 'a reviewer runs what waits for another try' POST $G/binding/run review '' 204 ''
	same 'a run that waits begins now' '1 1' \
		"$(sql "SELECT count(*) || ' ' || sum(run_at < 9000000000000) FROM job WHERE space = '$EMPTY' AND kind = 'git' AND state = 'queued'")"
fi
t 'prefixes of addresses are kept' PUT $G/binding create '{"url":"https://example.invalid/y.git","ref":"refs/heads/main",
	"repoTreeURL":"https://example.invalid/tree","repoCommitURL":"https://example.invalid/commit"}' 200 \
	'.repoTreeURL == "https://example.invalid/tree" and .repoCommitURL == "https://example.invalid/commit"'
t 'the secret is renewed' PUT $G/binding create '{"url":"https://example.invalid/y.git","ref":"refs/heads/main","renewSecret":true}' 200 \
	'.hook.secret != "'$KEY'"'

t 'a reviewer may not unbind' DELETE $G/binding review '' 403 ''
t 'a creator unbinds' DELETE $G/binding create '' 204 ''
t 'a space without a binding may be unbound' DELETE $G/binding create '' 204 ''
t 'the hook of a removed binding answers 404' POST $HOOK - '{}' 404 ''
same 'the schedule of a removed binding is removed' 0 "$(sql "SELECT count(*) FROM schedule WHERE id = 'git:$EMPTY'")"
send PUT $G/binding create "{$X}"
t 'a reviewer may not remove git' DELETE $G/legacy-installation review '' 403 ''
t 'a creator removes all of git' DELETE $G/legacy-installation create '' 204 ''
t 'a space without git has no git info' GET $G/info admin '' 404 ''
t 'a space without git has no binding' GET $G/binding admin '' 404 ''
t 'git may be removed again' DELETE $G/legacy-installation create '' 204 ''
if grep -rqs hunter3 "$dir"; then fail 'no file holds the password' "it is in $(grep -rls hunter3 "$dir" | tr '\n' ' ')"; else pass; fi
