#!/bin/sh
# The manual's section about SimpleSAMLphp, docs/people/sign-in.md, followed with Debian's package of it. It is not
# part of the check, since it downloads that and PHP:
#
#   make test T=tests/saml/simplesamlphp.sh
#
# The packages are unpacked into a folder of this test and not installed; php -S serves on loopback. curl is the
# browser. OCTAVO_BUILD is the folder with the programs (default: build). Last line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
OCTAVO_BUILD=${OCTAVO_BUILD:-build}
. tests/http/expect.sh
chapter=docs/people/sign-in.md
provider=''
finish() {
	[ -z "$provider" ] || kill "$provider" 2>/dev/null
	"$octavo" down --dir "$tmp/data" >/dev/null 2>&1
	rm -rf "$tmp"
	ended_early
}
at_exit finish
give_up() { echo "$1" >&2; exit 1; }

# ---- the provider ----
root=$tmp/root
mkdir "$root" "$tmp/debs" "$tmp/config" "$tmp/config/metadata" "$tmp/log" "$tmp/temp"
(cd "$tmp/debs" && apt-get download -q simplesamlphp php-common php8.2-cli php8.2-common php8.2-mbstring php8.2-xml php8.2-curl >"$tmp/apt" 2>&1) ||
	give_up "SimpleSAMLphp cannot be downloaded: $(cat "$tmp/apt")"
for deb in "$tmp"/debs/*.deb; do dpkg -x "$deb" "$root"; done
php_at=$root/usr/lib/php/20220829
idp_port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
idp=http://127.0.0.1:$idp_port
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$tmp/config/idp.key" -out "$tmp/config/idp.pem" -days 90 -subj /CN=idp 2>/dev/null
cat >"$tmp/config/config.php" <<X
<?php
\$config = [
    'baseurlpath' => '$idp/', 'certdir' => '$tmp/config/', 'loggingdir' => '$tmp/log/', 'datadir' => '$tmp/temp/', 'tempdir' => '$tmp/temp',
    'metadatadir' => '$tmp/config/metadata/', 'attributenamemapdir' => '$root/etc/simplesamlphp/attributemap/',
    'auth.adminpassword' => 'not used', 'secretsalt' => 'f0r-th1s-t3st', 'technicalcontact_name' => 'x', 'technicalcontact_email' => 'x@example.org',
    'timezone' => 'UTC', 'logging.handler' => 'file', 'logging.logfile' => 'log', 'enable.saml20-idp' => true, 'store.type' => 'phpsession',
    'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true], 'session.cookie.secure' => false, 'session.cookie.samesite' => null,
    'session.phpsession.savepath' => '$tmp/temp', 'language.default' => 'en', 'showerrors' => true,
    'metadata.sources' => [['type' => 'flatfile', 'directory' => '$tmp/config/metadata/']],
];
X
cat >"$tmp/config/authsources.php" <<'X'
<?php
$config = ['people' => ['exampleauth:UserPass', 'ada:word' => ['uid' => ['ada'], 'mail' => ['ada@elsewhere.example'], 'displayName' => ['Ada King']]]];
X
cat >"$tmp/config/metadata/saml20-idp-hosted.php" <<'X'
<?php
$metadata['__DYNAMIC:1__'] = ['host' => '__DEFAULT__', 'privatekey' => 'idp.key', 'certificate' => 'idp.pem', 'auth' => 'people'];
X
echo '<?php' >"$tmp/config/metadata/saml20-sp-remote.php"
SIMPLESAMLPHP_CONFIG_DIR=$tmp/config "$root/usr/bin/php8.2" -n -d "extension_dir=$php_at" $(cd "$php_at" && for e in dom xml xmlreader xmlwriter simplexml \
	mbstring curl posix ctype iconv tokenizer fileinfo; do [ ! -e $e.so ] || echo "-d extension=$e"; done) -d error_log="$tmp/log/php" -d display_errors=0 \
	-S "127.0.0.1:$idp_port" -t "$root/usr/share/simplesamlphp/www" >"$tmp/log/server" 2>&1 &
provider=$!
until_true 20 curl -s -o /dev/null "$idp/module.php/core/welcome" || give_up "SimpleSAMLphp does not start: $(tail -n 5 "$tmp/log/server")"

# ---- the chapter ----
"$octavo" init --dir "$tmp/data" --email admin@example.com --name Admin --org Acme --json >"$tmp/init" || give_up 'no data'
"$octavo" up --dir "$tmp/data" --port 0 >/dev/null || give_up 'Octavo is not up'
url=$("$octavo" status --dir "$tmp/data" --json | jq -r .url)
token=$(jq -r .token "$tmp/init")
api() { curl -s -X "$1" "$url/v1$2" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' ${3:+-d "$3"}; }
org=$(api GET /orgs | jq -r '.items[0].id')
team=$(api PUT "/orgs/$org/teams" '{"title":"Newcomers"}' | jq -r .id)
# by_chapter N: the command of that number in the section, with the values of this provider
by_chapter() {
	sed -n '/^## Single sign-on of an organization by SAML/,/^### /p' $chapter | awk -v n="$1" '/^ *```sh/ { k++; next } /^ *```/ { on = 0 } { if (k == n && !done) print } /^ *```/ && k == n { done = 1 }' |
		sed '/^ *```/d' | sed -e "s|https://docs.example.com|$url|" -e "s|/ORG/|/$org/|" -e "s|/saml/ID|/saml/${id-}|" -e "s|TOKEN|$token|" \
		-e "s|https://idp.example.com/metadata|${entity-}|" -e "s|https://idp.example.com/sso|${sso-}|"
}
id=$(by_chapter 1 | (cd "$tmp" && sh) 2>/dev/null | tee "$tmp/made" | jq -r .id)
same 'the answer has what the section names' "$url/app/sso/$id/metadata $url/app/sso/$id/acs $url/app/sso/$id" \
	"$(jq -r '.service | "\(.entityID) \(.acsURL) \(.startURL)"' "$tmp/made")"
# The block of the chapter, with the address of this provider.
sed -n '/^### SimpleSAMLphp/,/^### /p' $chapter | sed -n '/^\$metadata/,/^\];/p' | sed "s|https://docs.example.com/app/sso/ID|$url/app/sso/$id|" >>"$tmp/config/metadata/saml20-sp-remote.php"
same 'the chapter has the block' 1 "$(grep -c "^.metadata..$url/app/sso/$id/metadata" "$tmp/config/metadata/saml20-sp-remote.php")"
curl -s "$idp/saml2/idp/metadata.php" >"$tmp/metadata"
entity=$(sed -n 's/.*entityID="\([^"]*\)".*/\1/p' "$tmp/metadata" | head -n 1)
sso=$(sed -n 's/.*<md:SingleSignOnService Binding="[^"]*HTTP-Redirect" Location="\([^"]*\)".*/\1/p' "$tmp/metadata" | head -n 1)
sed -n 's/.*<ds:X509Certificate>\([^<]*\)<.*/\1/p' "$tmp/metadata" | head -n 1 >"$tmp/idp.pem"
same 'the page that the chapter names exists' 200 "$(curl -s -o "$tmp/page" -w '%{http_code}' "$idp/module.php/core/frontpage_federation.php")"
same 'and links to the metadata' 1 "$(grep -c 'SAML 2.0 IdP Metadata' "$tmp/page")"
same 'the three fields make it active' active "$(by_chapter 2 | (cd "$tmp" && sh) 2>/dev/null | tee "$tmp/set" | jq -r .status)"
api PATCH "/orgs/$org/saml/$id" '{"defaultRole":"edit","defaultTeam":"'"$team"'"}' >"$tmp/set"

# ---- a colleague ----
at() { curl -sL -b "$tmp/jar" -c "$tmp/jar" -o "$tmp/page" -w '%{url_effective}' "$@"; }
field() { sed -n "s/.*name=\"$1\" value=\"\([^\"]*\)\".*/\1/p" "$tmp/page" | head -n 1 | sed 's/&amp;/\&/g; s/&quot;/"/g'; }
at "$url/app/sso/$id" >/dev/null
at -H "Origin: $url" --data-urlencode "csrf=$(field csrf)" --data 'to=%2Fapp%2Faccount&link=' "$url/app/sso/$id" >/dev/null
next=$(sed -n "s|.*href=\"\($idp[^\"]*\)\".*|\1|p" "$tmp/page" | head -n 1 | sed 's/&amp;/\&/g')
asked=$(at "$next")
yes=$(grep -c 'name="password"' "$tmp/page")
same 'the provider asks for a password' 1 "$yes"
at --data-urlencode "AuthState=$(field AuthState)" --data 'username=ada&password=word' "${asked%%\?*}?" >/dev/null
same 'the provider answers with a form to Octavo' 1 "$(grep -c "action=\"$url/app/sso/$id/acs\"" "$tmp/page")"
cp "$tmp/page" "$tmp/answer"
# The cookies of Octavo are not sent with that form, as browsers do it; those of the jar go on after it.
where=$(curl -s -o "$tmp/refused" -w '%{redirect_url}' -H "Origin: $idp" --data-urlencode "SAMLResponse=$(field SAMLResponse)" \
	--data-urlencode "RelayState=$(field RelayState)" "$url/app/sso/$id/acs")
[ -n "$where" ] && pass || fail 'the response is taken' "$(sed 's/<[^>]*>/ /g' "$tmp/refused" | tr -s ' \n' ' ')"
same 'the colleague is at the page where it began' "$url/app/account" "$(at "$where")"
api GET "/orgs/$org/members?search=ada@elsewhere" >"$tmp/members"
same 'with the name of the provider, the role and one team' 'Ada King edit 1' "$(jq -r '.items[0] | "\(.user.displayName) \(.role) \(.teams)"' "$tmp/members")"
user=$(jq -r '.items[0].id' "$tmp/members")
same 'which is the default one' "$user" "$(api GET "/orgs/$org/teams/$team/members" | jq -r '.items[].organization.user.id')"
other=$(api POST /orgs '{"title":"Another"}' | jq -r .id)
same 'and is in no other organization' '' "$(api GET "/orgs/$other/members" | jq -r ".items[] | select(.id == \"$user\") | .id")"
same 'the NameID is the attribute of the block' ada "$("$OCTAVO_BUILD/tests/sql" "$tmp/data/octavo.db" "SELECT subject FROM identity WHERE provider = '$id'")"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
