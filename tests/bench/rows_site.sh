# Rows of published sites, as their readers read them. Each function prints its rows; names: run.sh.

# site_new SPACE VISIBILITY: makes a published site of the main service; $site is its id, $site_at its URL
site_new() {
	site=$(api POST "$main_base/v1/orgs/$main_org/sites" "$main_admin" \
		"{\"title\":\"Bench $2 $(now_ms)\",\"visibility\":\"$2\",\"spaces\":[\"$1\"]}" | jq -r .id)
	site_at=$(api POST "$main_base/v1/orgs/$main_org/sites/$site/publish" "$main_admin" | jq -r .urls.published)
}

# file_server FOLDER [DIRECTIVES]: an nginx with the log and the limits of the main service, and
# with files instead of programs; sets $file_base. Several may run until file_server_stop.
file_server() {
	f_count=$((${f_count:-0} + 1))
	f_at=$tmp/files$f_count f_port=$(free_port)
	mkdir -p "$f_at"
	{
		sed -e '/^	server {/,$d' -e "s#$main_dir/run/nginx[.]\([pl]\)#$f_at/\1#; s#$main_dir/log/#$f_at/#" "$main_dir/run/nginx.conf"
		printf '%s\n' 'gzip_static on;' "server { default_type text/html; listen 127.0.0.1:$f_port; root $1; ${2:-}" \
			'limit_req zone=octavo_address burst=1000000 nodelay; }' '}'
	} >"$f_at/conf"
	nginx -e "$f_at/error" -c "$f_at/conf" &
	file_nginx="${file_nginx:-} $!"
	file_base=http://127.0.0.1:$f_port
	f_n=0
	until curl -s -o /dev/null "$file_base/"; do
		f_n=$((f_n + 1))
		[ $f_n -lt 100 ] || give_up "nginx: $(cat "$f_at/error")"
		sleep 0.1
	done
}

file_server_stop() {
	[ -n "${file_nginx:-}" ] || return 0
	for f_pid in $file_nginx; do
		kill "$f_pid" 2>/dev/null
		wait "$f_pid" 2>/dev/null
	done
	file_nginx=''
}

# A cached page, requested as by browsers, compared with the same bytes as a file of nginx with the
# same path, since longer paths take longer to log.
row_site_kept() {
	site_new "$main_space" public
	k_page=${site_at}ten k_path=${site_at#"$main_base"}ten
	mkdir -p "$tmp/static${k_path%/*}"
	curl -sS --fail-with-body -o "$tmp/static$k_path" "$k_page" || give_up "$k_page"
	curl -sS -H 'Accept-Encoding: gzip' -o "$tmp/static$k_path.gz" "$k_page"
	touch "$tmp/static$k_path" "$tmp/static$k_path.gz"
	file_server "$tmp/static"
	: >"$tmp/measure"
	k_n=0
	while [ $k_n -lt "$rounds" ]; do
		echo "$(load 16 "$k_page" x '' 'Accept-Encoding: gzip') $(load 16 "$file_base$k_path" x '' 'Accept-Encoding: gzip')" >>"$tmp/measure"
		k_n=$((k_n + 1))
	done
	file_server_stop
	row "page of a site ($(wc -c <"$tmp/static$k_path") bytes) : a file of nginx" '/s' ge 0.95 "$tmp/measure"
}

# The response of octavo-site to a URL with a cookie: $tmp/answer
answer_of_site() {
	env OCTAVO_DIR="$main_dir" OCTAVO_URL="$main_base" HTTP_COOKIE="$2" HTTP_HOST="${main_base#http://}" \
		REQUEST_URI="${1#"$main_base"}" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET "$build/octavo-site" >"$tmp/answer"
	grep -q '^Status: 200' "$tmp/answer" || give_up "$1: $(head -n 1 "$tmp/answer")"
}

# against_bytes NAME URL COOKIE: a page for a visitor with a key or claims, compared with the same bytes at no cost
against_bytes() {
	answer_of_site "$2" "$3"
	constant_start "$main_dir" "$tmp/answer"
	: >"$tmp/measure"
	v_n=0
	while [ $v_n -lt "$rounds" ]; do
		echo "$(load 16 "$2" x '' "Cookie: $3") $(load 16 "$pool_base/v1/x" x)" >>"$tmp/measure"
		v_n=$((v_n + 1))
	done
	pool_stop
	row "$1" '/s' ge 0.5 "$tmp/measure"
}

# token_of_claims KEY CLAIMS: a JSON Web Token (HS256)
token_of_claims() {
	node -e 'const [k, c] = process.argv.slice(1), e = s => Buffer.from(s).toString("base64url");
		const t = e("{\"alg\":\"HS256\",\"typ\":\"JWT\"}") + "." + e(c);
		console.log(t + "." + require("crypto").createHmac("sha256", k).update(t).digest("base64url"))' "$1" "$2"
}

# Pages that are not public: those of a share link, and those of visitors with claims used by conditions.
row_site_visitor() {
	site_new "$main_space" share-link
	v_page=${site_at}ten
	v_key=$(api POST "$main_base/v1/orgs/$main_org/sites/$site/share-links" "$main_admin" '{"name":"Bench"}' |
		jq -r '.urls.published | split("/")[-2]')
	against_bytes 'page of a site for a share key : the constant' "$v_page" "octavo_share=$v_key"
	api PATCH "$main_base/v1/orgs/$main_org/sites/$site" "$main_admin" \
		'{"visibility":"visitor-auth","adaptiveContent":{"enabled":true}}' >/dev/null
	v_secret=$(api GET "$main_base/v1/orgs/$main_org/sites/$site/publishing/auth" "$main_admin" | jq -r .privateKey)
	against_bytes 'page of a site for a visitor : the constant' "$v_page" \
		"octavo_visitor=$(token_of_claims "$v_secret" "{\"plan\":\"pro\",\"exp\":$(($(date +%s) + 3600))}")"
}

# many_sites AT COUNT: makes that many published sites in that directory, all but one by SQL, with
# its spaces in turn; $look_at is the URL of that one
many_sites() {
	eval "m_dir=\$${1}_dir m_org=\$${1}_org m_admin=\$${1}_admin m_base=\$${1}_base m_space=\$${1}_space"
	m_site=$(api POST "$m_base/v1/orgs/$m_org/sites" "$m_admin" "{\"title\":\"Looked up\",\"spaces\":[\"$m_space\"]}" | jq -r .id)
	look_at=$(api POST "$m_base/v1/orgs/$m_org/sites/$m_site/publish" "$m_admin" | jq -r .urls.published)
	m_n="WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < $2)"
	sql "$m_dir" "$m_n INSERT INTO site (id, org, type, title, basename, visibility, published_at, created_at, updated_at, created_by)
		SELECT s.id || i, org, type, title, basename || i, visibility, published_at, created_at, updated_at, created_by
		FROM n, site s WHERE s.id = '$m_site'"
	sql "$m_dir" "$m_n INSERT INTO site_space (id, site, space, path, is_default, ord)
		SELECT p.id || i, p.site || i, o.id, p.path, p.is_default, p.ord FROM n, site_space p,
			(SELECT id, row_number() OVER () AS k, count(*) OVER () AS all_of FROM space WHERE org = '$m_org') o
		WHERE p.site = '$m_site' AND o.k = i % o.all_of + 1"
}

# us_of COMMAND...: converts the rate of load() to microseconds per request of its 16 clients
us_of() { load "$@" | awk '{ print 16e6 / $1 }'; }

# Resolving a URL to its space and page, as clients do.
row_site_lookup() {
	many_sites small 10
	l_small=$look_at
	many_sites big 10000
	l_big=$look_at
	for l_at in small big; do
		eval "l_url=\$l_$l_at"
		printf 'wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\nwrk.body = [[{"url":"%s"}]]\n' "$l_url" >"$tmp/$l_at.lua"
	done
	: >"$tmp/measure"
	l_n=0
	while [ $l_n -lt "$rounds" ]; do
		echo "$(us_of 16 "$big_base/v1/urls/published" "$big_admin" "$tmp/big.lua") $(us_of 16 "$small_base/v1/urls/published" "$small_admin" "$tmp/small.lua")" >>"$tmp/measure"
		l_n=$((l_n + 1))
	done
	row 'site of an address, 10,000 : 10 sites' us le 1.2 "$tmp/measure"
}

# conditional_site NAME CONDITION: 1,000 pages with conditions, in which @ is the page's number;
# $c_tree with $c_token is the tree of a visitor with claims, $c_page a page for the cookie
# $c_cookie
conditional_site() {
	mkdir -p "$tmp/$1"
	printf '# Home\n\nText.\n' >"$tmp/$1/README.md"
	for c_n in $(seq 1000); do
		printf -- '---\ndescription: One of many\n%s\n---\n\n# Page %s\n\nText.\n' \
			"$(printf %s "$2" | sed "s/@/$c_n/")" "$c_n" >"$tmp/$1/page-$c_n.md"
	done
	git -C "$tmp/$1" init -q -b main
	git -C "$tmp/$1" add -A
	git -C "$tmp/$1" -c user.name=B -c user.email=b@example.com -c commit.gpgsign=false commit -q -m one
	c_space=$(json "$main_dir" .result.space import --org "$main_org" --title "$1" --url "$tmp/$1")
	site_new "$c_space" public
	api PATCH "$main_base/v1/orgs/$main_org/sites/$site" "$main_admin" '{"adaptiveContent":{"enabled":true}}' >/dev/null
	c_claims=$(token_of_claims "$(api GET "$main_base/v1/orgs/$main_org/sites/$site/publishing/auth" "$main_admin" | jq -r .privateKey)" \
		"{\"plan\":\"pro\",\"exp\":$(($(date +%s) + 3600))}")
	c_token=$(api POST "$main_base/v1/urls/published" "$main_admin" "{\"url\":\"$site_at\",\"visitor\":{\"jwtToken\":\"$c_claims\"}}" | jq -r .apiToken)
	c_tree=$main_base/v1/spaces/$c_space/revisions/$(api GET "$main_base/v1/spaces/$c_space" "$c_token" | jq -r .revision)/pages
	[ "$(api GET "$c_tree" "$c_token" | jq '[.. | objects | select(.type == "document")] | length')" = 1001 ] || give_up "the tree of $1"
	c_cookie="Cookie: octavo_visitor=$c_claims"
	# With a query the web server uses no file, and workers use no cache.
	c_page="$site_at?bench"
}

# The visitor sees all pages, so that both sides show the same pages.
row_conditions() {
	conditional_site bare 'hidden: false'
	o_tree=$c_tree o_token=$c_token o_page=$c_page
	conditional_site conditions 'if: visitor.claims.plan == "pro" || visitor.claims.n == @'
	: >"$tmp/measure"
	: >"$tmp/pages"
	o_n=0
	while [ $o_n -lt "$rounds" ]; do
		echo "$(us_of 16 "$c_tree" "$c_token") $(us_of 16 "$o_tree" "$o_token")" >>"$tmp/measure"
		echo "$(us_of 16 "$c_page" x '' "$c_cookie") $(us_of 16 "$o_page" x)" >>"$tmp/pages"
		o_n=$((o_n + 1))
	done
	row 'tree of 1,000 pages with conditions : without' us le 1.3 "$tmp/measure"
	row 'page of a site among them, with claims : without' us le 1.3 "$tmp/pages"
}

# The requests of a renderer for each page of a site.
row_published() {
	site_new "$main_space" public
	against_constant 'profile of a site' 0.60 "$main_dir" "$main_base" "$main_admin" "/v1/orgs/$main_org/sites/$site/published"
}

# The first rendering, repeated: nothing is cached, and with a query no cache is used. Each document
# is requested at a different URL, since workers cache those as well.
row_site_first() {
	site_new "$main_space" share-link
	v_page="${site_at}ten?first"
	v_key=$(api POST "$main_base/v1/orgs/$main_org/sites/$site/share-links" "$main_admin" '{"name":"Bench"}' |
		jq -r '.urls.published | split("/")[-2]')
	v_document=$main_base/v1/spaces/$main_space/content/page/$(path_of "$main_base" "$main_space" ten "$main_admin")
	cat >"$tmp/anew.lua" <<-LUA
		local n = os.time() * 1000000
		request = function()
			n = n + 1
			return wrk.format("GET", wrk.path .. string.format("?anew=%d", n))
		end
	LUA
	rm -rf "$main_dir/cache/pages"
	touch "$main_dir/cache/pages"
	: >"$tmp/measure"
	v_n=0
	while [ $v_n -lt "$rounds" ]; do
		echo "$(load 16 "$v_page" x '' "Cookie: octavo_share=$v_key") $(load 16 "$v_document" "$main_admin" "$tmp/anew.lua")" >>"$tmp/measure"
		v_n=$((v_n + 1))
	done
	rm "$main_dir/cache/pages"
	row 'first rendering of a page in 664 : GET as document' '/s' ge 0.5 "$tmp/measure"
}

# size_row NAME PATH KILOBYTES: bytes sent, compressed
size_row() {
	z_bytes=$(curl -s -H 'Accept-Encoding: gzip' -o /dev/null -w '%{size_download}' "$2")
	awk -v x="$z_bytes" -v most="$3" 'BEGIN { print x / 1000, most }' >"$tmp/measure"
	row "gl-sdk as a site: $1 : the best of four generators" kB le 1 "$tmp/measure"
}

# The bytes that a reader loads of gl-sdk, compared with the best of VitePress, Starlight,
# Docusaurus and Material for MkDocs.
row_site_sizes() {
	if [ -z "${main_glsdk:-}" ]; then
		row_skip 'gl-sdk as a site' 'no corpus'
		return
	fi
	site_new "$main_glsdk" public
	size_row home "$site_at" 6
	size_row 'a page of code' "${site_at}gl-ai-agent-package/guides/agents" 27
	size_row 'a page of tables' "${site_at}gl-ai-agent-package/resources/reference/rest-api/agents" 10
	size_row 'a page of images' "${site_at}gl-observability/guides/debugging-guide/sentry/issues" 19
	size_row 'no page' "${site_at}no/such" 2.6
	z_home=$(curl -s "$site_at")
	size_row 'style sheet' "$main_base$(printf %s "$z_home" | sed -n 's/.*<link rel="stylesheet" href="\([^"]*site[.][^"]*css\)".*/\1/p')" 12
	size_row 'script' "$main_base$(printf %s "$z_home" | sed -n 's/.*<script src="\([^"]*\)".*/\1/p')" 12
	: >"$tmp/measure"
	for z_words in api+key agent pipeline debugging+guide 'retriev'; do
		curl -s -o /dev/null "${site_at}~search.json?q=$z_words"
		curl -s -o /dev/null -w '%{time_total}\n' "${site_at}~search.json?q=$z_words" | awk '{ print $1 * 1000, 75 }' >>"$tmp/measure"
	done
	row 'gl-sdk as a site: search : the quickest of four' ms le 1 "$tmp/measure"
}

# figures_of_site: processor seconds so far, and peak memory in MB, of the workers of sites and their children
figures_of_site() {
	for g_pid in $(json "$main_dir" '.processes[] | select(.name == "site").workers[]' status); do
		echo "$g_pid"
		cat "/proc/$g_pid/task/$g_pid/children"
	done | tr ' ' '\n' | grep . | while read -r g_pid; do
		echo "$(sed 's/.*) //' "/proc/$g_pid/stat" | awk '{ print ($12 + $13 + $14 + $15) / 100 }') $(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\).*/\1/p' "/proc/$g_pid/status")"
	done | awk '{ s += $1; m += $2 } END { print s, m / 1024 }'
}

# render_whole URL: renders all pages of a site of the main service at once without caches;
# $w_before and $w_after are the figures before and after, $tmp/all lists the pages
render_whole() {
	curl -s "${1}sitemap.xml" | grep -o '<loc>[^<]*' | sed 's/<loc>\(.*\)/url = "\1"\noutput = \/dev\/null/' >"$tmp/all"
	rm -rf "$main_dir/cache/pages" "$main_dir/cache/typeset" "$main_dir/cache/served"
	"$octavo" reload --dir "$main_dir" >/dev/null || give_up reload
	w_before=$(figures_of_site)
	curl -s -Z --parallel-max 2 -K "$tmp/all" 2>"$tmp/err" || give_up 'a page of gl-sdk'
	w_after=$(figures_of_site)
}

# Compared with the fastest and the smallest build of the four.
row_site_whole() {
	if [ -z "${main_glsdk:-}" ]; then
		row_skip 'gl-sdk as a site, all pages' 'no corpus'
		return
	fi
	site_new "$main_glsdk" public
	render_whole "$site_at"
	echo "$w_before $w_after" | awk '{ print $3 - $1, 32 }' >"$tmp/measure"
	row "gl-sdk as a site, all $(grep -c '^url' "$tmp/all") pages : the quickest build" s le 1 "$tmp/measure"
	echo "$w_after" | awk '{ print $2, 138 }' >"$tmp/measure"
	row 'memory of that : the smallest build' MB le 1 "$tmp/measure"
}
