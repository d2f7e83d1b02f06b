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
id=$(api POST "/orgs/$org/saml" '{"label":"Acme login","defaultRole":"edit"}' | tee "$tmp/made" | jq -r .id)
# The block of the chapter, with the address of this provider.
sed -n '/^### SimpleSAMLphp/,/^### /p' $chapter | sed -n '/^\$metadata/,/^\];/p' | sed "s|https://docs.example.com/app/sso/ID|$url/app/sso/$id|" >>"$tmp/config/metadata/saml20-sp-remote.php"
same 'the chapter has the block' 1 "$(grep -c "^.metadata..$url/app/sso/$id/metadata" "$tmp/config/metadata/saml20-sp-remote.php")"
curl -s "$idp/saml2/idp/metadata.php" >"$tmp/metadata"
entity=$(sed -n 's/.*entityID="\([^"]*\)".*/\1/p' "$tmp/metadata" | head -n 1)
sso=$(sed -n 's/.*<md:SingleSignOnService Binding="[^"]*HTTP-Redirect" Location="\([^"]*\)".*/\1/p' "$tmp/metadata" | head -n 1)
certificate=$(sed -n 's/.*<ds:X509Certificate>\([^<]*\)<.*/\1/p' "$tmp/metadata" | head -n 1)
same 'the three fields make it active' active "$(api PATCH "/orgs/$org/saml/$id" "$(jq -nc --arg e "$entity" --arg s "$sso" --arg c "$certificate" \
	'{ entityID: $e, ssoURL: $s, certificate: $c }')" | tee "$tmp/set" | jq -r .status)"

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
same 'with the name of the provider and the role' 'Ada King edit' "$(jq -r '.items[0] | "\(.user.displayName) \(.role)"' "$tmp/members")"
same 'the NameID is the attribute of the block' ada "$("$OCTAVO_BUILD/tests/sql" "$tmp/data/octavo.db" "SELECT subject FROM identity WHERE provider = '$id'")"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
