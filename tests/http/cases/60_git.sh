# Asking for an import. What the job does with it is the job runner's tests' matter.
G=/v1/spaces/$LOCKED/git/import
t 'locked space' POST $G admin '{"url":"https://example.com/x.git","ref":"refs/heads/main"}' 403 '.error.message | contains("locked")'
G=/v1/spaces/$EMPTY/git/import
for who in edit comment read readonly; do
	t "import by $who" POST $G $who '{"url":"https://example.com/x.git","ref":"refs/heads/main"}' 403 ''
done
t 'import by a guest' POST $G guest '{"url":"https://example.com/x.git","ref":"refs/heads/main"}' 404 ''
t 'import by others' POST $G other '{"url":"https://example.com/x.git","ref":"refs/heads/main"}' 404 ''
t 'nothing said' POST $G review '' 400 '[.fields[].path] == ["/url", "/ref"]'
t 'no ref' POST $G review '{"url":"https://example.com/x.git"}' 400 '.fields[0].path == "/ref"'
shown() { t "credentials in $1" POST $G review '{"url":"https://example.com/x.git","ref":"refs/heads/main",'"$2"'}' 400 '.fields[0].path == "'$1'" and (.error.message | contains("hunter2") | not)'; }
shown /repoTreeURL '"repoTreeURL":"https://me:hunter2@example.com/tree"'
shown /repoCommitURL '"repoCommitURL":"https://hunter2@example.com/commit"'
shown /gitInfo/url '"gitInfo":{"url":"https://me:hunter2@example.com/x"}'
bad_url() { t "address: $1" POST $G review '{"url":"'"$1"'","ref":"refs/heads/main"}' 400 '.fields[0].path == "/url"'; }
for url in '' 'nothing' 'file:///etc' '/etc/passwd' '../x' 'ext::sh -c id' 'EXT::sh' 'javascript:1' 'http://' 'https:///x' \
	'ssh://-oProxyCommand=id/x' 'ssh://git@-oProxyCommand=id/x' 'git://h -x/y' 'http://127.0.0.1/x.git' 'http://localhost/x.git' \
	'http://[::1]/x.git' 'http://[::ffff:127.0.0.1]/x.git' 'http://0x7f.1/x.git' 'http://2130706433/x.git' 'http://127.1/x.git' \
	'http://169.254.169.254/latest' 'http://10.0.0.1/x.git' 'http://192.168.1.1/x.git' 'http://0.0.0.0/x.git' \
	'https://user:secret-word@127.0.0.1/x.git' 'git@127.0.0.1:x.git'; do
	bad_url "$url"
	case $(cat "$out") in *secret-word*) fail 'refused address' 'the answer holds the password' ;; esac
done
bad_ref() { t "ref: $1" POST $G review '{"url":"https://example.invalid/x.git","ref":"'"$1"'"}' 400 '.fields[0].path == "/ref"'; }
for ref in '' '-x' '--upload-pack=id' 'a..b' 'a b' 'refs/heads/a~1' 'refs/heads/x:y' 'refs/heads/*' 'refs/heads/a.lock' '@{u}'; do
	bad_ref "$ref"
done
# A branch by its full name, and nothing else.
for ref in main HEAD refs/tags/v1 refs/pull/1/head refs/merge-requests/1/head refs/heads refs/heads/ REFS/HEADS/main refs/remotes/origin/main heads/main \
	0123456789012345678901234567890123456789; do
	bad_ref "$ref"
	case $ref in refs/heads/) ;; *) yes "it says the form: $ref" jq -e '.fields[0].message | contains("refs/heads/BRANCH")' "$out" ;; esac
done
# What is shown as an address is one.
bad_link() {
	t "$1 is no address: $2" POST $G review '{"url":"https://example.com/x.git","ref":"refs/heads/main",'"$3"'}' 400 '.fields[0].path == "'"$1"'"'
}
for link in '' 'x' 'javascript:alert(1)' '/acme/docs' '//example.com/x' 'ftp://example.com/x' 'git@example.com:acme/docs' 'https://' 'https://a b'; do
	bad_link /gitInfo/url "$link" '"gitInfo":{"provider":"github","url":"'"$link"'"}'
	bad_link /repoTreeURL "$link" '"repoTreeURL":"'"$link"'"'
	bad_link /repoCommitURL "$link" '"repoCommitURL":"'"$link"'"'
done
t 'unknown member' POST $G review '{"url":"https://example.invalid/x.git","ref":"refs/heads/main","branch":"x"}' 400 '.fields[0].path == "/branch"'
t 'time that is none' POST $G review '{"url":"https://example.invalid/x.git","ref":"refs/heads/main","timestamp":"yesterday"}' 400 '.fields[0].path == "/timestamp"'
t 'no provider yet, but an operation' GET /v1/spaces/$EMPTY/git/info read '' 200 '.operation.direction == "import" and .operation.state == "success"'
POST_OK='{"url":"https://bob:hunter2@example.invalid/x.git","ref":"refs/heads/main","repoProjectDirectory":"docs","timestamp":"2026-01-31T09:30:00Z"}'
t 'import' POST $G review "$POST_OK" 204 ''
same 'import answers nothing' '' "$(cat "$out")"
t 'it is to be done' GET /v1/spaces/$EMPTY/git/info read '' 200 '.operation | .direction == "import" and (.state == "running" or .state == "failure")'
case $(cat "$out") in *hunter2*) fail 'git/info' 'it holds the password' ;; *) pass ;; esac
t 'git info' GET /v1/spaces/$SPACE/git/info read '' 200 '.operation | .state == "success" and .revision == "'$REV'" and has("endedAt")'
t 'git info to a guest' GET /v1/spaces/$SPACE/git/info guest '' 404 ''
t 'a new space has none' POST /v1/orgs/$ORG/spaces admin '' 201 ''
bare=$(jq -r .id "$out")
t 'git info of it' GET /v1/spaces/$bare/git/info admin '' 404 ''
t 'tidy up' DELETE /v1/spaces/$bare admin '' 204 ''
# The password is nowhere in clear (docs/design/security.md, "S19").
sql "UPDATE job SET cancel = 1 WHERE space = '$EMPTY' AND state IN ('queued', 'running')"
# grep's status 2 is a file that went away while it looked.
if grep -rqs hunter2 "$dir"; then fail 'password' "it is in $(grep -rls hunter2 "$dir" | tr '\n' ' ')"; else pass; fi
