# Requests for an import. The job itself is tested with the job runner.
G=/v1/spaces/$LOCKED/git/import
t 'a locked space takes no import' POST $G admin '{"url":"https://example.com/x.git","ref":"refs/heads/main"}' 403 '.error.message | contains("locked")'
G=/v1/spaces/$EMPTY/git/import
for who in edit comment read readonly; do
	t "$who may not import" POST $G $who '{"url":"https://example.com/x.git","ref":"refs/heads/main"}' 403 ''
done
t 'a guest gets 404 for an import' POST $G guest '{"url":"https://example.com/x.git","ref":"refs/heads/main"}' 404 ''
t 'another organization gets 404 for an import' POST $G other '{"url":"https://example.com/x.git","ref":"refs/heads/main"}' 404 ''
t 'an import needs URL and ref' POST $G review '' 400 '[.fields[].path] == ["/url", "/ref"]'
t 'an import needs a ref' POST $G review '{"url":"https://example.com/x.git"}' 400 '.fields[0].path == "/ref"'
shown() { t "credentials are refused in $1" POST $G review '{"url":"https://example.com/x.git","ref":"refs/heads/main",'"$2"'}' 400 \
	'.fields[0].path == "'$1'" and (.error.message | contains("hunter2") | not)'; }
shown /repoTreeURL '"repoTreeURL":"https://me:hunter2@example.com/tree"'
shown /repoCommitURL '"repoCommitURL":"https://hunter2@example.com/commit"'
shown /gitInfo/url '"gitInfo":{"url":"https://me:hunter2@example.com/x"}'
bad_url() { t "the URL is refused: $1" POST $G review '{"url":"'"$1"'","ref":"refs/heads/main"}' 400 '.fields[0].path == "/url"'; }
for url in '' 'nothing' 'file:///etc' '/etc/passwd' '../x' 'ext::sh -c id' 'EXT::sh' 'javascript:1' 'http://' 'https:///x' \
	'ssh://-oProxyCommand=id/x' 'ssh://git@-oProxyCommand=id/x' 'git://h -x/y' 'http://127.0.0.1/x.git' 'http://localhost/x.git' \
	'http://[::1]/x.git' 'http://[::ffff:127.0.0.1]/x.git' 'http://0x7f.1/x.git' 'http://2130706433/x.git' 'http://127.1/x.git' \
	'http://169.254.169.254/latest' 'http://10.0.0.1/x.git' 'http://192.168.1.1/x.git' 'http://0.0.0.0/x.git' \
	'https://user:secret-word@127.0.0.1/x.git' 'git@127.0.0.1:x.git'; do
	bad_url "$url"
	case $(cat "$out") in *secret-word*) fail 'a refused URL does not show its password' 'the answer holds the password' ;; esac
done
bad_ref() { t "the ref is refused: $1" POST $G review '{"url":"https://example.invalid/x.git","ref":"'"$1"'"}' 400 '.fields[0].path == "/ref"'; }
for ref in '' '-x' '--upload-pack=id' 'a..b' 'a b' 'refs/heads/a~1' 'refs/heads/x:y' 'refs/heads/*' 'refs/heads/a.lock' '@{u}'; do
	bad_ref "$ref"
done
# Only full names of branches are accepted.
for ref in main HEAD refs/tags/v1 refs/pull/1/head refs/merge-requests/1/head refs/heads refs/heads/ REFS/HEADS/main refs/remotes/origin/main heads/main \
	0123456789012345678901234567890123456789; do
	bad_ref "$ref"
	case $ref in refs/heads/) ;; *) yes "the refusal names the form of a ref: $ref" jq -e '.fields[0].message | contains("refs/heads/BRANCH")' "$out" ;; esac
done
# The URL shown for a repository must be one.
bad_link() {
	t "$1 is refused as it is no address: $2" POST $G review '{"url":"https://example.com/x.git","ref":"refs/heads/main",'"$3"'}' 400 \
		'.fields[0].path == "'"$1"'"'
}
for link in '' 'x' 'javascript:alert(1)' '/acme/docs' '//example.com/x' 'ftp://example.com/x' 'git@example.com:acme/docs' 'https://' 'https://a b'; do
	bad_link /gitInfo/url "$link" '"gitInfo":{"provider":"github","url":"'"$link"'"}'
	bad_link /repoTreeURL "$link" '"repoTreeURL":"'"$link"'"'
	bad_link /repoCommitURL "$link" '"repoCommitURL":"'"$link"'"'
done
t 'an unknown member of an import is refused' POST $G review '{"url":"https://example.invalid/x.git","ref":"refs/heads/main","branch":"x"}' 400 \
	'.fields[0].path == "/branch"'
t 'a time that is none is refused' POST $G review '{"url":"https://example.invalid/x.git","ref":"refs/heads/main","timestamp":"yesterday"}' 400 \
	'.fields[0].path == "/timestamp"'
t 'a space without a provider has its operation' GET /v1/spaces/$EMPTY/git/info read '' 200 \
	'.operation.direction == "import" and .operation.state == "success"'
POST_OK='{"url":"https://bob:hunter2@example.invalid/x.git","ref":"refs/heads/main","repoProjectDirectory":"docs","timestamp":"2026-01-31T09:30:00Z"}'
t 'an import is accepted' POST $G review "$POST_OK" 204 ''
same 'the answer to an import has no body' '' "$(cat "$out")"
t 'an accepted import is running or has failed' GET /v1/spaces/$EMPTY/git/info read '' 200 \
	'.operation | .direction == "import" and (.state == "running" or .state == "failure")'
case $(cat "$out") in *hunter2*) fail 'git info does not show the password' 'it holds the password' ;; *) pass ;; esac
t 'git info names the imported revision' GET /v1/spaces/$SPACE/git/info read '' 200 \
	'.operation | .state == "success" and .revision == "'$REV'" and has("endedAt")'
t 'a guest gets 404 for git info' GET /v1/spaces/$SPACE/git/info guest '' 404 ''
t 'a new space is created' POST /v1/orgs/$ORG/spaces admin '' 201 ''
bare=$(jq -r .id "$out")
t 'git info of a new space answers 404' GET /v1/spaces/$bare/git/info admin '' 404 ''
t 'the new space is deleted' DELETE /v1/spaces/$bare admin '' 204 ''
# The password is stored nowhere in plain text (docs/design/security.md, "S19").
sql "UPDATE job SET cancel = 1 WHERE space = '$EMPTY' AND state IN ('queued', 'running')"
# grep exits with 2 if a file was deleted while it searched.
if grep -rqs hunter2 "$dir"; then fail 'no file holds the password' "it is in $(grep -rls hunter2 "$dir" | tr '\n' ' ')"; else pass; fi
