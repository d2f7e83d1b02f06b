# urls.app of each kind of object leads to a page of the application, and to none where OCTAVO_APP=0.
. tests/http/browse.sh
user_new apada "$ORG" admin
ap_s=$(space_empty 'Addressed')
space_write "$ap_s" '{"changes":[{"operation":"insert_page","title":"Start","document":{"markdown":"# Start\n\nAmethyst words.\n"}}]}' >/dev/null
get /v1/spaces/$ap_s/content/pages
ap_p=$(jq -r '.pages[0].id' "$out")
send POST /v1/spaces/$ap_s/change-requests admin '{"subject":"Change"}'
ap_r=$(jq -r .id "$out")
get /v1/spaces/$ap_s
ap_v=$(jq -r .revision "$out")
t 'app addresses: a collection is made' POST /v1/orgs/$ORG/collections apada '{"title":"Shelf"}' 201 ''
ap_c=$(jq -r .id "$out")
t 'app addresses: a site is made' POST /v1/orgs/$ORG/sites apada '{"title":"Shown","spaces":["'$ap_s'"]}' 201 ''
ap_site=$(jq -r .id "$out")
t 'app addresses: an API description is made' POST /v1/orgs/$ORG/openapi apada '{"slug":"shown","source":{"text":"openapi: 3.0.0"}}' 201 ''
sql "INSERT INTO issues_cluster (id, org, label, created_at, updated_at, issues, conversations) VALUES ('ap-topic', '$ORG', 'Why <b>?', 1, 1, 1, 1)"
ap_secret=$(pg_link invite --email apada@example.com)
pg GET "/app/welcome?link=$ap_secret"
pg POST /app/welcome "link=$ap_secret&password=$pg_password"

# ap_leads NAME PATH JQ: the address that jq finds in the answer is that of a page with its place
ap_leads() {
	t "app addresses: $1" GET "$2" apada '' 200 ''
	ap_at=$(jq -r "$3" "$out")
	case $ap_at in "$base/app/"*) pass ;; *) fail "the address of $1 is in the application" "$ap_at"; return ;; esac
	ap_place=${ap_at#*#}
	ap_at=${ap_at#"$base"}
	pg GET "${ap_at%%#*}"
	pg_is "the address of $1 has a page" 200
	[ "$ap_place" = "$base$ap_at" ] || holds "the page has the place of $1" "id=\"$ap_place\""
}
ap_leads 'an organization' /v1/orgs/$ORG .urls.app
ap_leads 'a collection' /v1/collections/$ap_c .urls.app
ap_leads 'a space' /v1/spaces/$ap_s .urls.app
ap_leads 'a page' /v1/spaces/$ap_s/content/page/$ap_p .urls.app
ap_leads 'a page of a change request' /v1/spaces/$ap_s/change-requests/$ap_r/content/page/$ap_p .urls.app
ap_leads 'a revision' /v1/spaces/$ap_s/revisions/$ap_v .urls.app
ap_leads 'a change request' /v1/spaces/$ap_s/change-requests/$ap_r .urls.app
t 'app addresses: a page is commented on' POST /v1/spaces/$ap_s/comments apada '{"page":"'$ap_p'","body":{"markdown":"Here."}}' 200 ''
ap_k=$(jq -r .id "$out")
ap_leads 'a comment' /v1/spaces/$ap_s/comments/$ap_k .urls.app
same 'the address of a comment has its place' "comment-$ap_k" "$ap_place"
t 'app addresses: a request is commented on' POST /v1/spaces/$ap_s/change-requests/$ap_r/comments apada '{"body":{"markdown":"There."}}' 200 ''
ap_k=$(jq -r .id "$out")
ap_leads 'a comment of a change request' /v1/spaces/$ap_s/change-requests/$ap_r/comments/$ap_k .urls.app
same 'the address of a comment of a change request has its place' "comment-$ap_k" "$ap_place"
ap_leads 'a hit of search' "/v1/spaces/$ap_s/search?query=amethyst" '.items[0].urls.app // .items[0].sections[0].urls.app'
ap_leads 'a site' /v1/orgs/$ORG/sites/$ap_site .urls.app
ap_leads 'an API description' /v1/orgs/$ORG/openapi/shown .urls.app
ap_leads 'a cluster of issues' /v1/orgs/$ORG/conversations-clusters/ap-topic .urls.app
holds 'the question of a cluster is text' 'Why &lt;b&gt;?'
sql "DELETE FROM issues_cluster WHERE id = 'ap-topic'"

# ap_off PATH [NAME=VALUE]: the answer of a program of an installation without the application
ap_off() {
	env OCTAVO_DIR="$dir" OCTAVO_URL="$base" OCTAVO_APP=0 GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI="$1" ${2+"$2"} \
		"$OCTAVO_BUILD/octavo-api" >"$out"
}
ap_cookie=HTTP_COOKIE=octavo_session=$(pg_session)
ap_off /app/spaces/$ap_s "$ap_cookie"
same 'without the application a space has no page' 'Status: 404 Not Found' "$(head -n 1 "$out" | tr -d '\r')"
ap_off /app/account "$ap_cookie"
same 'without the application people have their account' 'Status: 200 OK' "$(head -n 1 "$out" | tr -d '\r')"
ap_off /app "$ap_cookie"
lacks 'without the application home leads nowhere else' '/app/orgs/'
ap_off /v1/spaces/$ap_s "HTTP_AUTHORIZATION=Bearer $(token_of apada)"
same 'without the application an object has its address in the API' "$base/v1/spaces/$ap_s" "$(sed '1,/^.$/d' "$out" | jq -r .urls.app)"
ap_off "/v1/spaces/$ap_s/change-requests/$ap_r/comments/$ap_k" "HTTP_AUTHORIZATION=Bearer $(token_of apada)"
same 'and a comment' "$base/v1/spaces/$ap_s/change-requests/$ap_r/comments/$ap_k" "$(sed '1,/^.$/d' "$out" | jq -r .urls.app)"
