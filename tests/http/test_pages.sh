#!/bin/sh
# Pages of sites that the web server sends from files: nginx with `octavo up`, and Apache with
# nginx/apache.conf in front of the same workers. Tests which requests it answers, with which
# headers, and that no older page is sent after a change has been acknowledged. Needs OCTAVO_BUILD.
set -u
TRANSPORT=http
. tests/http/lib.sh
PATH=$PATH:/usr/sbin
apache_pid=

finish() {
	[ -z "$apache_pid" ] || kill "$apache_pid" 2>/dev/null
	[ -f "$dir/octavo.db" ] && "$octavo" down --dir "$dir" >/dev/null 2>&1
	rm -rf "$tmp"
	ended_early
}

fixture_start
now=$dir/cache/served/now
web=$base

read_at() {
	ra_path=$1
	shift
	code=$(curl -sg -m 60 --path-as-is -o "$out" -D "$head" -w '%{http_code}' "$@" "$web$ra_path")
}

# Marks each stored page: a response with the mark comes from the web server.
mark() { find "$now" -type f -name '*=' -o -type f -name '*=n' | while read -r f; do echo '<!--MARK-->' >>"$f"; rm -f "$f.gz"; done; }
marked() { grep -q '<!--MARK-->' "$out"; }
# by_server NAME PATH [CURL...], by_program: which of both sends a page that is stored and marked
by_server() { bs_name=$1; shift; read_at "$@"; yes "$bs_name: the web server answers" marked; }
by_program() { bp_name=$1; shift; read_at "$@"; if marked; then fail "$bp_name: a program answers" 'the web server'; else pass; fi; }

# A starting worker moves stored pages away once it has opened the data. The service counts as
# started or reloaded when its processes run, so the last worker may do that later.
all_opened() {
	for ao_pid in $("$octavo" status --dir "$dir" --json | jq -r '.processes[] | select(.name == "api" or .name == "site").workers[]'); do
		find "/proc/$ao_pid/fd" -lname '*/octavo.db' 2>/dev/null | grep -q . || return 1
	done
}
stays() { read_at $at/guide; mark; sleep 0.3; read_at $at/guide; marked; }
workers_settle() {
	for try in $(seq 300); do
		! all_opened || ! stays || break
		sleep 0.1
	done
}

change() { t "the change is accepted: $1" "$2" "$3" admin "$4" "$5" ''; }
S=/v1/orgs/$ORG/sites
change 'a site' POST $S '{"title":"Pages","spaces":["'$SPACE'"]}' 201
S=$S/$(jq -r .id "$out") at=/sites/$ORG_NAME/$(jq -r .basename "$out")
change 'published' POST $S/publish '' 200

# ---- which requests, for both web servers ----

# The headers of the last response, without those in which web servers differ.
headers_of() {
	tr -d '\r' <"$head" | sort |
		grep -viE '^(date|server|connection|keep-alive|transfer-encoding|accept-ranges|content-length|etag|vary|upgrade): ?'
}

# All stored pages: names, inodes, times and sizes of the files.
kept_files() { find "$dir/cache/served/now" "$dir/cache/pages" -type f -printf '%p %i %C@ %s\n' | sort; }

# However the programs are asked for a stored page, they do not write it again, or under another name.
written_once() {
	kept_files >"$tmp/kept-before"
	for i in 1 2 3; do
		read_at $at/guide -H 'Cookie: octavo_visitor=x'
		read_at $at/guide -H "Cookie: octavo_share=$i"
		read_at $at/guide -H "Cookie: octavo_share=$i; octavo_visitor=$i"
		read_at $at/guide -H 'Accept: text/html, text/markdown'
		read_at "$at/guide?x=$i"
		read_at $at/guide -I -H 'Cookie: octavo_visitor=x'
		read_at $at/guid%65
		read_at $at/%67uide
		read_at $at/gu%69de -H 'Cookie: octavo_visitor=x'
	done
	same "$1: a kept page is written once" '' "$(kept_files | diff "$tmp/kept-before" -)"
}

requests() {
	for path in / /guide; do
		read_at "$at$path" -H 'Cookie: octavo_visitor=x'
		headers_of >"$tmp/by-program"
		cp "$out" "$tmp/body-by-program"
		read_at "$at$path"
		read_at "$at$path"
		headers_of >"$tmp/by-server"
		same "$1$path: the web server sends the same headers" "$(cat "$tmp/by-program")" "$(cat "$tmp/by-server")"
		yes "$1$path: the web server sends the same bytes" cmp -s "$out" "$tmp/body-by-program"
		yes "$1$path: the answer varies by Accept" sh -c 'tr -d "\r" <"$1" | grep -i ^vary: | grep -qw Accept' - "$head"
		read_at "$at$path" -H "If-None-Match: $(header etag)"
		same "$1$path: a known ETag answers 304" 304 "$code"
		read_at "$at$path" --compressed
		same "$1$path: the answer is compressed" gzip "$(header content-encoding)"
		yes "$1$path: the compressed answer has the same bytes" cmp -s "$out" "$tmp/body-by-program"
	done
	mark
	by_server "$1: home" $at/
	by_server "$1: a page" $at/guide
	by_server "$1: foreign cookies" $at/guide -H 'Cookie: a=b; session=1'
	for name in octavo_x octavo_ octavo_shared xoctavo_share octavo_visitors octavo-share; do
		by_server "$1: a cookie $name" $at/guide -H "Cookie: a=b; $name=1"
	done
	by_server "$1: host in capitals" $at/guide -H "Host: localhost:99"
	by_program "$1: a query" "$at/guide?utm_source=x"
	by_program "$1: a visitor" $at/guide -H 'Cookie: a=b; octavo_visitor=x'
	by_program "$1: a share key" $at/guide -H 'Cookie: octavo_share=x'
	by_program "$1: Markdown" $at/guide -H 'Accept: text/markdown'
	same "$1: Markdown has its type" 'text/markdown; charset=utf-8' "$(header content-type)"
	by_program "$1: POST" $at/guide -d x=1
	same "$1: POST answers 405" 405 "$code"
	written_once "$1"
	for path in "$at//guide" "$at/./guide" "$at/x/../guide" "$at/guide=" "$at/guide=n" "$at/guid%65" "$at/GUIDE" "$at/x/..%2fguide"; do
		by_program "$1: $path" "$path"
		by_program "$1: $path, again" "$path"
	done
	read_at $at/guide -I
	same "$1: HEAD answers 200" 200 "$code"
}
workers_settle
requests nginx

# Headers that a server sets for all responses are also set for pages and files: nginx/api.conf.
read_at $at/guide
same 'HSTS is not sent without the setting' '' "$(header strict-transport-security)"
cp "$dir/run/nginx.conf" "$tmp/nginx.conf"
sed 's|^\tlocation @octavo_noindex|\tset $octavo_hsts "max-age=31536000";\n&|' "$tmp/nginx.conf" >"$dir/run/nginx.conf"
kill -HUP "$(cat "$dir/run/nginx.pid")"
hsts() {
	for try in $(seq 50); do
		read_at "$1"
		[ -z "$(header strict-transport-security)" ] || break
		sleep 0.1
	done
	header strict-transport-security
}
same 'a page sends HSTS' max-age=31536000 "$(hsts $at/guide)"
mark
by_server 'it is one that nginx sends' $at/guide
picture=$(read_at $at/; grep -o "src=\"$at/~file/[^\"]*" "$out" | head -n 1 | cut -c 6-)
same 'a file sends HSTS' max-age=31536000 "$(hsts "$picture")"
cp "$tmp/nginx.conf" "$dir/run/nginx.conf"
kill -HUP "$(cat "$dir/run/nginx.pid")"

# Requests by other names of the host, or for other than plain pages, store nothing.
mark
by_program 'another host' $at/guide -H 'Host: evil.example'
by_program 'no host' $at/guide -H 'Host: ..'
same 'pages are kept for the own host alone' localhost "$(ls "$now")"
read_at $at/guide/%C3%BCnicode
read_at "$at/llms.txt"
same 'no list of pages is kept' '' "$(find "$now" -type f -path '*llms*')"

# ---- changes are visible at once ----

# after NAME: the old page is no longer sent; then the new one is stored
after() {
	by_program "after: $1" $at/guide
	same "after: $1: the answer has its status" "${2:-200}" "$code"
	read_at $at/
	read_at $at/guide
	mark
	[ "${2:-200}" != 200 ] || by_server "after: $1, again" $at/guide
}
change 'a title' PATCH $S '{"title":"Renamed"}' 200
after 'a title'
yes 'after a new title the page has it' grep -q '<title>Guide · Renamed</title>' "$out"
change 'the title of a space' PATCH /v1/spaces/$SPACE '{"title":"Handbook"}' 200
after 'the title of a space'
change 'customization' PUT $S/customization '{"styling":{"primaryColor":{"light":"#112233","dark":"#aabbcc"}}}' 200
after 'customization'
send POST /v1/spaces/$SPACE/change-requests admin '{"subject":"Words"}'
number=$(jq -r .id "$out")
change 'an edit' POST "/v1/spaces/$SPACE/change-requests/$number/content?compat=false" \
	'{"changes":[{"operation":"update_page","page":"'$PAGE'","document":{"markdown":"Words of today."}}]}' 200
by_server 'a change request changes nothing' $at/guide
change 'a merge' POST /v1/spaces/$SPACE/change-requests/$number/merge '' 200
read_at $at/guide
yes 'the first answer has the new words' grep -q 'Words of today' "$out"
after 'a merge'
printf '# Added\n\nImported words.\n' >"$tmp/repo/guide/added.md"
git_in "$tmp/repo" commit -qam third
import --space "$SPACE" --url "$tmp/repo" >/dev/null
after 'an import'
read_at $at/guide/added
yes 'an import is served at once' grep -q 'Imported words' "$out"
change 'unlisted' PATCH $S '{"visibility":"unlisted"}' 200
after 'unlisted'
requests 'nginx, unlisted'
same 'an unlisted page is not indexed' noindex "$(read_at $at/guide; header x-robots-tag)"
change 'a hostname of the organization' PATCH /v1/orgs/$ORG '{"hostname":"acme"}' 200
at=/sites/acme/${at##*/}
after 'a hostname'
"$octavo" reload --dir "$dir" >/dev/null || fail reload 'it fails'
by_program 'after: other workers' $at/guide
workers_settle
by_server 'after: other workers, again' $at/guide

# While readers keep requesting a page that they may see, access is closed: every request after the
# response is refused.
shown='X-Shown: nothing'
hammer() {
	while [ ! -e "$tmp/stop" ]; do
		curl -s -m 60 -o /dev/null -H "$shown" "$web$at/" "$web$at/guide" "$web$at/guide/set-up" "$web$at/guide/added"
	done
}
# closes NAME METHOD PATH BODY [STATUS [ACKNOWLEDGED]]: closes access, then 10,000 requests must get this status
closes() {
	hammers=
	for i in 1 2 3 4; do hammer & hammers="$hammers $!"; done
	sleep 0.5
	change "$1" "$2" "$3" "$4" "${6:-200}"
	for i in $(seq 10000); do echo "url = $web$at/guide"; echo 'output = /dev/null'; done >"$tmp/many"
	curl -s -m 300 -Z --parallel-max 16 -H "$shown" -w '%{http_code}\n' -K "$tmp/many" | sort | uniq -c | sed 's/^ *//' >"$tmp/codes"
	touch "$tmp/stop"
	wait $hammers
	rm "$tmp/stop"
	same "$1: no kept page is sent" "10000 ${5:-404}" "$(cat "$tmp/codes")"
	same "$1: no kept page is left" '' "$(find "$now" -type f -name '*=*' 2>/dev/null)"
}
closes 'unpublished' POST $S/unpublish ''
change 'published again' POST $S/publish '' 200
change 'public' PATCH $S '{"visibility":"public"}' 200
closes 'by links alone' PATCH $S '{"visibility":"share-link"}'

# ---- visitors with a share key or claims: their pages are cached as well, for them only ----

# link NAME: makes a share link; $link is its id, $key its key
link() {
	t "a share link is created: $1" POST $S/share-links admin '{"name":"'$1'"}' 201 ''
	link=$(jq -r .id "$out") key=$(jq -r '.urls.published | split("/")[-2]' "$out")
}
has() { read_at "$2" -H "$shown"; yes "$1" grep -q "$3" "$out"; }
hasnt() { read_at "$2" -H "$shown"; same "$1: the page is served" 200 "$code"; yes "$1" sh -c '! grep -q "$1" "$2"' - "$3" "$out"; }
link one
one=$link one_key=$key
link two
for who in $one_key $key; do
	shown="Cookie: octavo_share=$who"
	for again in '' ', again' ', and again'; do has "with a key$again" $at/guide 'Words of today'; done
	read_at $at/guide -H "$shown" -H "If-None-Match: $(header etag)"
	same 'a page by a share link answers 304' 304 "$code"
	read_at $at/guide -H "$shown" -I
	same 'HEAD by a share link answers 200' 200 "$code"
done
# unmarked: number of 50 responses from a worker's memory (pages stored on disk have a mark by now)
unmarked() {
	find "$dir/cache/pages" -type f ! -name '.*' | while read -r f; do
		{ head -c -1 "$f"; printf '<!--KEPT-->\377'; } >"$tmp/kept" && mv "$tmp/kept" "$f"
	done
	for i in $(seq 50); do read_at $at/guide -H "$shown"; grep -q KEPT "$out" || echo; done | wc -l
}
for i in $(seq 200); do echo "url = $web$at/guide"; echo 'output = /dev/null'; done >"$tmp/many"
curl -s -Z --parallel-max 16 -H "$shown" -K "$tmp/many"
change 'a comment' POST /v1/spaces/$SPACE/comments '{"body":{"markdown":"A few words."}}' 200
yes 'what does not concern sites keeps remembered pages' [ "$(unmarked)" -gt 0 ]
change 'another space' POST /v1/orgs/$ORG/spaces '{"title":"Other"}' 201
same 'what may concern access ends remembered pages' 0 "$(unmarked)"
change 'a title' PATCH $S '{"title":"Anew"}' 200
has 'with a key: the new title' $at/guide '<title>Guide · Anew</title>'
read_at $at/guide
same 'a page by share links answers 404 without a key' 404 "$code"
shown="Cookie: octavo_share=$one_key"
has 'with a key, before it is revoked' $at/guide 'Words of today'
closes 'a link revoked' PATCH $S/share-links/$one '{"active":false}'
shown="Cookie: octavo_share=$key"
has 'the other key' $at/guide 'Words of today'
closes 'the other link deleted' DELETE $S/share-links/$link '' 404 204

t 'the site is opened to signed visitors' PATCH $S admin '{"visibility":"visitor-auth","adaptiveContent":{"enabled":true}}' 200 ''
t 'the site has a signing key' GET $S/publishing/auth admin '' 200 ''
secret=$(jq -r .privateKey "$out") ends=$(($(date +%s) + 600))
send POST /v1/spaces/$SPACE/change-requests admin '{"subject":"Claims"}'
number=$(jq -r .id "$out")
change 'a condition' POST "/v1/spaces/$SPACE/change-requests/$number/content?compat=false" \
	'{"changes":[{"operation":"update_page","page":"'$PAGE'","document":{"markdown":"Words for all.\n\n{% if visitor.claims.plan == \"pro\" %}\nWords of pro.\n{% endif %}\n"}}]}' 200
change 'a condition merged' POST /v1/spaces/$SPACE/change-requests/$number/merge '' 200
claims() { shown="Cookie: octavo_visitor=$(jwt_make $secret "$1")"; }
for again in '' ', again' ', and again'; do
	claims '{"plan":"pro","exp":'$ends'}'
	has "pro$again" $at/guide 'Words of pro'
	claims '{"plan":"free","exp":'$ends'}'
	hasnt "free$again" $at/guide 'Words of pro'
	claims '{"exp":'$ends'}'
	hasnt "no claims$again" $at/guide 'Words of pro'
done
kept() { find "$dir/cache/pages" -type f | wc -l; }
n=$(kept)
claims '{"plan":"pro","exp":'$ends'}'
read_at $at/guide/set-up -H "$shown"
claims '{"plan":"free","exp":'$ends'}'
read_at $at/guide/set-up -H "$shown"
same 'a page without conditions is kept once for all claims' $((n + 1)) "$(kept)"
# Pages hidden from some: visitors who see the same pages get the same page, including its links.
send POST /v1/spaces/$SPACE/change-requests admin '{"subject":"Pages for some"}'
number=$(jq -r .id "$out")
insert() { printf '{"operation":"insert_page","ref":"%s","title":"%s"%s,"document":{"markdown":"%s"}}' "$@"; }
change 'pages for some' POST "/v1/spaces/$SPACE/change-requests/$number/content?compat=false" '{"changes":[
	'"$(insert p 'Only pro' ',"condition":"visitor.claims.plan == \"pro\""' 'Words of pro.')"',
	'"$(insert q 'Leads there' '' 'See [what is there](only-pro.md).')"',
	'"$(insert r 'Names you' '' 'You are <code class=\"expression\">visitor.claims.name</code>.')"']}' 200
change 'pages for some merged' POST /v1/spaces/$SPACE/change-requests/$number/merge '' 200
for again in '' ', again' ', and again'; do
	n=$(kept)
	for name in Anna Berta; do
		claims '{"plan":"pro","name":"'"$name$again"'","exp":'$ends'}'
		has "pro$again: $name: the link" $at/leads-there "href=\"[^\"]*/only-pro\"[^>]*>what is there"
		has "pro$again: $name: the menu" $at/leads-there '>Only pro<'
		has "pro$again: $name: the name" $at/names-you "You are $name$again[.]"
		claims '{"plan":"free","name":"'"$name$again"'","exp":'$ends'}'
		hasnt "free$again: $name: the link" $at/leads-there 'only-pro'
		hasnt "free$again: $name: the menu" $at/leads-there 'Only pro'
		has "free$again: $name: the name" $at/names-you "You are $name$again[.]"
		read_at $at/only-pro -H "$shown"
		same "free$again: $name: the page answers 404" 404 "$code"
	done
	[ "$again" != '' ] || same 'a page with conditions is kept for each of the two claims' $((n + 2)) "$(kept)"
	[ "$again" = '' ] || same "no more pages are kept$again" "$n" "$(kept)"
done
claims '{"plan":"pro","exp":'$(($(date +%s) + 2))'}'
has 'claims that end soon' $at/guide 'Words of pro'
sleep 3
read_at $at/guide -H "$shown"
same 'expired claims send to sign in' 302 "$code"
claims '{"plan":"pro","exp":'$ends'}'
has 'claims' $at/guide 'Words of pro'
closes 'the key of claims is another' POST $S/publishing/auth/regenerate '' 302
change 'public again' PATCH $S '{"visibility":"public","adaptiveContent":{"enabled":false}}' 200
shown='X-Shown: nothing'

# ---- Apache in front of the same workers ----

apache_start() {
	aport=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
	{
		printf 'ServerRoot %s\nServerName localhost\nListen 127.0.0.1:%s\nPidFile %s/httpd.pid\nErrorLog %s/error.log\n' "$tmp" "$aport" "$tmp" "$tmp"
		for m in mpm_event authz_core authz_host alias dir env headers mime rewrite setenvif unixd proxy proxy_fcgi filter deflate; do
			[ ! -e /usr/lib/apache2/modules/mod_$m.so ] || printf 'LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so\n' $m $m
		done
		[ "$(id -u)" -ne 0 ] || { printf 'User nobody\nGroup root\n'; chmod 711 "$tmp"; chmod 660 "$dir"/run/*.sock; }
		printf 'TypesConfig /dev/null\n<Directory />\nRequire all denied\n</Directory>\n'
		sed -e "s|@PREFIX@|$tmp|g; s|@DIR@|$dir|g; s|@RUN@|$dir/run|g; s|@MAX_BODY@|10485760|g; s|\${APACHE_LOG_DIR}|$tmp|g" \
			-e '/^	SSL/d; /<VirtualHost \*:80>/,$d' -e "s|<VirtualHost \*:443>|<VirtualHost 127.0.0.1:$aport>|" nginx/apache.conf
	} >"$tmp/httpd.conf"
	apache2 -X -f "$tmp/httpd.conf" >"$tmp/apache" 2>&1 &
	apache_pid=$!
	web=http://localhost:$aport
	n=100
	until curl -s -o /dev/null "$web/v1/"; do
		n=$((n - 1))
		[ $n -gt 0 ] || { fail Apache "$(cat "$tmp/apache" "$tmp/error.log" 2>&1)"; return 1; }
		sleep 0.1
	done
}
if ! command -v apache2 >/dev/null; then
	skip Apache 'needs apache2'
elif apache_start; then
	requests Apache
	after 'Apache: nothing'
	change 'Apache: a title' PATCH $S '{"title":"Again"}' 200
	after 'Apache: a title'
	read_at "/_pages/localhost$at/guide="
	same 'the folder of kept pages is not served' 404 "$code"
	change 'unlisted' PATCH $S '{"visibility":"unlisted"}' 200
	read_at $at/guide
	mark
	by_server 'Apache: unlisted' $at/guide
	same 'Apache: an unlisted page is not indexed' noindex "$(header x-robots-tag)"
	closes 'Apache: unpublished' POST $S/unpublish ''
fi
summary
