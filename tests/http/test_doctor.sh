#!/bin/sh
# octavo doctor: its findings on a healthy installation and on broken ones, including requests to
# the web server; test_doctor_causes.sh has a row for each cause. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh
unset OCTAVO_URL

finish() {
	"$octavo" down --dir "$d" >/dev/null 2>&1
	[ -z "${server:-}" ] || kill "$server" 2>/dev/null
	rm -rf "$tmp"
	ended_early
}
at_exit finish

d=$tmp/data
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
sql() { "$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "$@"; }
doctor() { "$octavo" doctor --dir "$d" "$@"; }

# Before init there is nothing to restore; files that this user may not see are not reported as missing.
mkdir "$tmp/fresh"
expect 'data that are not there yet are named' 1 'holds no data yet; begin with: octavo init' "$octavo" doctor --dir "$tmp/fresh"
same 'nothing is restored where nothing was' '' "$("$octavo" doctor --dir "$tmp/fresh" 2>&1 | grep 'from a backup')"
if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$OCTAVO_BUILD/octavo"; then
	chmod 711 "$tmp"
	stranger() { setpriv --reuid 65534 --regid 65534 --clear-groups "$OCTAVO_BUILD/octavo" doctor --dir "$d" 2>&1; }
	[ -n "$(stranger | grep 'this user may not look into')" ] && pass || fail 'a user without access is told so' "$(stranger)"
	same 'a user without access is told of no backup' '' "$(stranger | grep 'from a backup')"
fi
expect 'a service that is down is noted' 0 '^note  no program has the database open' "$octavo" doctor --dir "$d"
"$octavo" up --dir "$d" --port 0 >/dev/null || fail up 'not up'
url=$("$octavo" status --dir "$d" --json | jq -r .url)
expect 'a service that is well is named' 0 "^ok +$url answers, and can read its database" "$octavo" doctor --dir "$d"
same 'a service that is well has no fault' 'false' "$(doctor --json | jq 'any(.verdict == "bad")')"
expect 'the token passes the web server' 0 '^ok +tokens reach the programs' "$octavo" doctor --dir "$d"
expect 'the runner is found at work' 0 '^ok +a job runner is at work' "$octavo" doctor --dir "$d"
expect 'an address without a server is named' 1 '^BAD +http://127.0.0.1:1 does not answer: .*connect' "$octavo" doctor --dir "$d" --url http://127.0.0.1:1/
expect 'https without TLS is named' 1 '^BAD +https://.* is served without TLS' "$octavo" doctor --dir "$d" --url "https${url#http}"
expect 'an unknown setting is named' 1 '^BAD +the environment sets OCTAVO_MAXBODY, which is no setting' env OCTAVO_MAXBODY=1 "$octavo" doctor --dir "$d"
expect 'the nearest setting is suggested' 1 'the nearest is OCTAVO_MAX_BODY' env OCTAVO_MAXBODY=1 "$octavo" doctor --dir "$d"
for setting in $(sed -n 's/^| `\(OCTAVO_[A-Z_]*\)`.*/\1/p' docs/operate/settings.md); do
	env "$setting=1" "$octavo" doctor --dir "$d" --url "$url" 2>&1 | grep -q "$setting, which is no setting" && fail "$setting" 'it is in the table of settings' || pass
done
expect 'an address of another scheme is refused' 1 '^BAD +"ftp://x" is no address' "$octavo" doctor --dir "$d" --url ftp://x
expect 'a site without TLS is noted' 1 '^note +http://docs.example.invalid is without TLS: passwords' "$octavo" doctor --dir "$d" --url http://docs.example.invalid
same 'on this machine TLS is not missed' '' "$(doctor | grep 'without TLS')"
expect 'a provider that does not answer is named' 1 '^BAD +nobody can sign in at the OpenID provider http://127.0.0.1:1: .*does not answer' \
	env OCTAVO_OIDC_ISSUER=http://127.0.0.1:1 OCTAVO_OIDC_CLIENT=octavo "$octavo" doctor --dir "$d" --url "$url"
expect 'an issuer without TLS is named' 1 '^BAD +OCTAVO_OIDC_ISSUER: "http://id.example.com" does not begin with https://' \
	env OCTAVO_OIDC_ISSUER=http://id.example.com OCTAVO_OIDC_CLIENT=octavo "$octavo" doctor --dir "$d" --url "$url"
same 'without SAML providers nothing is said of them' '' "$(doctor | grep SAML)"
sql "INSERT INTO saml_provider (id, org, label, sso_url, entity_id, certificate, created_at)
	SELECT 'p1', id, 'Acme login', 'https://i.example', 'e', '$(cat tests/fixtures/saml/old.pem)', 0 FROM org"
expect 'an expired certificate is noted' 0 '^note  the certificate of the SAML provider "Acme login" of Docs has expired on 2021-01-01' "$octavo" doctor --dir "$d"
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$tmp/k" -out "$tmp/soon.pem" -days 9 -subj /CN=x 2>/dev/null
sql "UPDATE saml_provider SET certificate = '$(cat "$tmp/soon.pem")'"
expect 'a certificate that expires soon is noted' 0 '^note  the certificate of the SAML provider "Acme login" of Docs expires on 20' "$octavo" doctor --dir "$d"
sql "UPDATE saml_provider SET certificate = '$(cat tests/fixtures/saml/old.pem tests/fixtures/saml/next.pem)'"
same 'during a rotation the later one counts' '' "$(doctor | grep SAML)"
sql "UPDATE saml_provider SET certificate = '$(cat tests/fixtures/saml/ec.pem)'"
expect 'a certificate that does not work is named' 1 '^BAD +nobody can sign in at the SAML provider "Acme login" of Docs' "$octavo" doctor --dir "$d"
# A command beside which two programs are missing; they are missed where somebody needs them.
mkdir "$tmp/bare"
cp "$octavo" "$tmp/bare/octavo"
for program in "$OCTAVO_BUILD"/octavo-*; do
	case ${program##*/} in octavo-saml | octavo-passkey | *.*) ;; *) ln -s "$program" "$tmp/bare/" ;; esac
done
expect 'octavo-saml is missed where an organization has a provider' 1 '^BAD +octavo-saml is neither beside this command' "$tmp/bare/octavo" doctor --dir "$d"
same 'where nobody has a passkey, octavo-passkey is not missed' '' "$("$tmp/bare/octavo" doctor --dir "$d" 2>&1 | grep octavo-passkey)"
sql "INSERT INTO passkey (id, account, rp, credential, kind, key, count, label, created_at)
	SELECT 'k1', id, 'localhost', x'01', -7, x'00', 0, 'Phone', 1 FROM account LIMIT 1" 'DELETE FROM saml_provider'
expect 'octavo-passkey is missed where somebody has a passkey' 1 '^BAD +octavo-passkey is neither beside this command' "$tmp/bare/octavo" doctor --dir "$d"
same 'where no organization has a provider, octavo-saml is not missed' '' "$("$tmp/bare/octavo" doctor --dir "$d" 2>&1 | grep octavo-saml)"
same 'with both programs neither is missed' '' "$(doctor | grep -E 'octavo-(saml|passkey)')"
sql "DELETE FROM passkey WHERE id = 'k1'"
node -e 'const s = require("http").createServer((q, r) => { const own = `http://127.0.0.1:${s.address().port}`;
	r.end(JSON.stringify({ issuer: own, authorization_endpoint: own + "/a", token_endpoint: own + "/t", jwks_uri: own + "/k" })); });
	s.listen(0, "127.0.0.1", () => console.log(s.address().port));' >"$tmp/provider.port" &
n=100
until [ -s "$tmp/provider.port" ] || [ $n -eq 0 ]; do sleep 0.1; n=$((n - 1)); done
at=http://127.0.0.1:$(cat "$tmp/provider.port")
expect 'a provider that answers is named' 0 "^ok +the OpenID provider $at answers" \
	env OCTAVO_OIDC_ISSUER="$at" OCTAVO_OIDC_CLIENT=octavo "$octavo" doctor --dir "$d" --url "$url"
expect 'an issuer with another slash is named' 1 'they must be the same, to the last slash' \
	env OCTAVO_OIDC_ISSUER="$at/" OCTAVO_OIDC_CLIENT=octavo "$octavo" doctor --dir "$d" --url "$url"
kill $!
mv "$d/run/api.sock" "$d/run/api.hidden"
expect 'workers that are gone are named' 1 'healthz gives 502: .*No worker answered' "$octavo" doctor --dir "$d"
mv "$d/run/api.hidden" "$d/run/api.sock"
# A printed command is quoted for the shell: a path with spaces stays one word.
cp -r "$d" "$tmp/it's my data"
rm -rf "$tmp/it's my data/run"
chmod o+r "$tmp/it's my data/octavo.key"
"$octavo" doctor --dir "$tmp/it's my data" 2>/dev/null | sed -n 's/^ *\(chmod 600 .*octavo.key.*\)/\1/p' >"$tmp/advice"
sh "$tmp/advice"
same 'advice works as it is typed' 0 "$(($(stat -c 0%a "$tmp/it's my data/octavo.key") & 7))"
"$octavo" down --dir "$d" >/dev/null

# Web servers that do not belong to Octavo, or drop the Authorization header.
cat >"$tmp/server.js" <<'END'
const http = require("http");
const s = http.createServer((q, r) => {
	if (q.url.startsWith("/other")) { r.statusCode = 404; r.end("<h1>Not here</h1>"); return; }
	if (q.url.endsWith("/healthz")) { r.end('{"status":"ok"}'); return; }
	r.statusCode = q.url.endsWith("/user") ? 401 : 200;
	r.end(q.url.endsWith("/user") ? '{"error":{"message":"a token is required"}}' : '{"build":"another"}');
});
s.listen(0, "127.0.0.1", () => console.log(s.address().port));
END
node "$tmp/server.js" >"$tmp/port" &
server=$!
n=100
until [ -s "$tmp/port" ] || [ $n -eq 0 ]; do sleep 0.1; n=$((n - 1)); done
at=http://127.0.0.1:$(cat "$tmp/port")
expect 'a web server that keeps the token is named' 1 '^BAD +the web server keeps the Authorization header' "$octavo" doctor --dir "$d" --url "$at"
expect 'another build is noted' 1 '^note +the programs that answer are of another build' "$octavo" doctor --dir "$d" --url "$at"
expect 'another site is named' 1 '^ +another site answers there' "$octavo" doctor --dir "$d" --url "$at/other"

# The data.
sql "INSERT INTO job (id, kind, args, run_at, created_at) VALUES ('late', 'purge', '{}', 1, 1)"
expect 'jobs that wait without a runner are named' 1 '^BAD +1 jobs are due and wait; no job runner is at work' "$octavo" doctor --dir "$d"
sql "UPDATE job SET state = 'failed', ended_at = created_at + 4000000000000, created_at = created_at + 4000000000000"
expect 'jobs of the future are named' 1 '^BAD +jobs were queued in the future' "$octavo" doctor --dir "$d"
expect 'failed jobs are noted' 1 '^note +1 jobs failed within a day' "$octavo" doctor --dir "$d"
sql 'DELETE FROM job'
expect 'repaired data are well' 0 '^ok +no job waits' "$octavo" doctor --dir "$d"
version=$(sql 'PRAGMA user_version')
sql "PRAGMA user_version = $((version - 1))"
expect 'an older schema is named' 1 '^ +stop the programs, then: octavo migrate' "$octavo" doctor --dir "$d"
sql "PRAGMA user_version = $version"
mv "$d/octavo.key" "$tmp/key"
expect 'a missing key is named' 1 '^BAD .*octavo.key: No such file' "$octavo" doctor --dir "$d"
mv "$tmp/key" "$d/octavo.key"
dd if=/dev/urandom of="$d/octavo.db" bs=4096 count=30 seek=1 conv=notrunc 2>/dev/null
expect 'a damaged database is named' 1 '^BAD +.*(malformed|cannot be read)' "$octavo" doctor --dir "$d"

summary
