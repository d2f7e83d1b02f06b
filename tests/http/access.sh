# Access rules, tested for every operation at once; for test_access.sh, after lib.sh and requests.sh.
# access_*.jq make the requests from /v1/openapi.json and from access.jq, which states the rules a
# second time, from the documentation alone:
#
#   access_matrix  every operation x every kind of caller
#   access_ids     every id in a path, a query or a body, replaced by another one
#   access_grants  every way to give a role x the giver's role x the role given
#   access_leaks   objects that a caller may not know of change none of the caller's responses
#   access_flags   each flag of each `permissions`, compared with what it promises
#
# The data: organization AORG with the callers of access.jq, ATWO, and objects of every kind in four
# places, whose ids are in $tmp/world/: `main`, where the callers have their roles; `sibling` in the
# same organization; `foreign` in ORG_B; `hidden`, also in AORG, which only its admins may know of.

access_jq() {
	aj_program=$1
	shift
	command jq -L tests/http --slurpfile main "$tmp/world/main" "$@" -f "tests/http/$aj_program.jq" "$tmp/openapi" >"$tmp/requests" 2>"$tmp/jq.err" ||
		give_up access "$aj_program.jq failed: $(head -c 2000 "$tmp/jq.err")"
}

# ---- the data ----

# new METHOD PATH WHO BODY: creates an object; $id is its id
new() {
	send "$@"
	case $code in 2??) ;; *) give_up "$1 $2" "$code: $(cat "$out")" ;; esac
	id=$(jq -r '.id // empty' "$out" 2>/dev/null)
}

# keep NAME ID: records an id of the place being made
keep() {
	[ -n "$2" ] || give_up 'the world' "no $1"
	printf '%s\t%s\n' "$1" "$2" >>"$tmp/world/ids"
}

kept() { jq -nR '[inputs | split("\t") | { (.[0]): .[1] }] | add' "$tmp/world/ids" >"$tmp/world/$1"; }

# id_in PLACE NAME
id_in() { jq -r --arg n "$2" '.[$n]' "$tmp/world/$1"; }

# The members of AORG besides its first admin, who is the fixture's, and their roles there.
access_members() {
	cat <<-END
		create create
		review review
		edit edit
		comment comment
		read read
		guest guest
		disabled admin
		guest_edit guest
		guest_create guest
		team_review read
		team_admin read
		coll_edit guest
		coll_team read
		site_create guest
		site_read read
		narrowed create
		owner read
		guest_owner guest
		author edit
		target comment
		both admin
		bound admin
	END
}

access_people() {
	for who in guest_edit guest_create team_review team_admin coll_edit coll_team site_create site_read narrowed owner guest_owner author target both bound ghost walkin; do
		user_new $who '' ''
	done
	octavo_json .token token create --user "$U_owner" --scope read >"$tmp/tokens/owner_reads"
	octavo_json .token token create --user "$U_author" --scope read >"$tmp/tokens/author_reads"
	AORG=$(octavo_json .organization org create --title Access --user admin@example.com)
	ATWO=$(octavo_json .organization org create --title Two --user admin@example.com)
	access_members | jq -cnR '{ emails: [inputs | split(" ") | { email: "\(.[0])@example.com", role: (if .[1] == "guest" then null else .[1] end) }] }' >"$tmp/emails"
	new POST /v1/orgs/$AORG/invites admin "@$tmp/emails"
	new POST /v1/orgs/$ATWO/invites admin '{"emails":[{"email":"coll_team@example.com","role":"create"},{"email":"create@example.com","role":"read"}]}'
	new POST /v1/orgs/$ORG_B/invites other '{"emails":["both@example.com","bound@example.com"],"role":"admin"}'
	new POST /v1/orgs/$ATWO/invites admin '{"emails":["bound@example.com"],"role":"admin"}'
	new POST /v1/orgs/$ORG_B/invites other '{"emails":["walkin@example.com"],"role":"create"}'
	"$octavo" member disable --dir "$dir" --org "$AORG" --user disabled@example.com >/dev/null
}

# Sessions of the callers besides their tokens: each operation is called with both (requests.sh).
access_sessions() {
	mkdir "$tmp/sessions"
	for who in $(access_members | cut -d ' ' -f 1) admin other stranger walkin; do
		as_link=$(OCTAVO_URL=$base "$octavo" user reset --dir "$dir" --user "$who@example.com" --json | jq -r '.link | sub(".*link="; "")')
		send POST /v1/sign-in/link - '{"link":"'"$as_link"'","password":"five tired horses"}'
		[ "$code" = 201 ] || give_up 'a session' "$who: $code $(cat "$out")"
		cp "$out" "$tmp/sessions/$who"
	done
	sql "UPDATE session SET org = '$AORG' WHERE account = '$U_bound'"
	# Of its members besides admins, walkin alone has a session.
	sql "UPDATE org SET sso = 1 WHERE id = '$ORG_B'"
}

# world_talk BASE AUTHOR PREFIX: a comment with a reply
world_talk() {
	new POST "$1/comments" "$2" '{"body":{"markdown":"Words of '"$word"'"}}'
	keep "$3ommentId" "$id"
	new POST "$1/comments/$id/replies" "$2" '{"body":{"markdown":"Answer of '"$word"'"}}'
	keep "$3ommentReplyId" "$id"
}

# world_content SPACE WHO AUTHOR: records the ids of its content, and makes a change request
world_content() {
	get "/v1/spaces/$1/content" "$2"
	keep revisionId "$(jq -r .id "$out")"
	keep documentId "$(jq -r '[.. | objects | select(.path? == "guide")][0].id' "$out")"
	keep pageId "$(jq -r '[.. | objects | select(.path? == "guide")][0].id' "$out")"
	keep fileId "$(jq -r '.files[] | select(.contentType == "image/png").id' "$out")"
	keep reusableContentId "$(jq -r '.reusableContents[0].id' "$out")"
	keep pagePath guide
	new POST "/v1/spaces/$1/change-requests" "$3" '{"subject":"Subject of '"$word"'"}'
	keep changeRequestId "$id"
	wc_request=/v1/spaces/$1/change-requests/$id
	new POST "$wc_request/content" "$3" '{"changes":[{"operation":"insert_page","title":"Draft of '"$word"'","document":{"markdown":"Draft of '"$word"'"}}]}'
	new POST "$wc_request/files" "$3" '{"url":"https://files.invalid/upload-of-'"$word"'"}'
	keep uploadId "$id"
	new POST "$wc_request/reviews" "$2" '{"status":"approved","comment":{"markdown":"Review of '"$word"'"}}'
	keep reviewId "$id"
	world_talk "$wc_request" "$3" requestC
	world_talk "/v1/spaces/$1" "$3" c
}

# world_places ORG WHO AUTHOR REPOSITORY: a collection in another one, a space in it with all its content
world_places() {
	keep organizationId "$1"
	new POST "/v1/orgs/$1/collections" "$2" '{"title":"Around '"$word"'"}'
	wp_outer=$id
	keep outerCollectionId "$id"
	new POST "/v1/orgs/$1/collections" "$2" '{"title":"In '"$word"'","parent":"'"$id"'"}'
	keep collectionId "$id"
	wp_inner=$id
	new POST "/v1/orgs/$1/collections" "$2" '{"title":"Beside '"$word"'","parent":"'"$wp_outer"'"}'
	keep asideCollectionId "$id"
	wp_space=$(octavo_json .result.space import --org "$1" --title "Space $word" --url "$4")
	keep spaceId "$wp_space"
	new POST "/v1/spaces/$wp_space/move" "$2" '{"parent":"'"$wp_inner"'"}'
	world_content "$wp_space" "$2" "$3"
	new PUT "/v1/spaces/$wp_space/git/binding" "$2" '{"url":"https://git.example.com/docs.git","ref":"refs/heads/main"}'
	keep gitHookId "$(jq -r '.hook.url | split("/") | last' "$out")"
	for wp_file in taken free; do
		new POST "/v1/orgs/$1/storage/upload" "$2" '{"kind":"import_file","file":{"name":"'"$word"'.zip","type":"","size":9}}'
		wp_key=$(jq -r .key "$out")
		printf 'no archiv' >"$tmp/archive"
		new PUT "$(jq -r '.url | sub(".*/v1/"; "/v1/")' "$out")" - "@$tmp/archive"
		[ $wp_file = free ] || new POST "/v1/org/$1/imports" "$2" '{"source":{"type":"file","files":["'"$wp_key"'"]},"target":{"space":"'"$wp_space"'"}}'
		[ $wp_file = free ] || keep importRunId "$id"
	done
	keep importKey "$wp_key"
	new POST "/v1/orgs/$1/translations" "$2" '{"source":{"space":"'"$wp_space"'","language":"en"},"language":"ja","automatic":false}'
	keep translationId "$id"
	new PUT "/v1/orgs/$1/translations-glossary" "$2" '{"operations":[{"type":"insert","translations":{"en":"Term of '"$word"'"}}]}'
	get "/v1/orgs/$1/translations-glossary" "$2"
	keep glossaryEntryId "$(jq -r .items[0].id "$out")"
	for wp_way in "space $wp_space" "collection $wp_inner"; do
		new POST "/v1/orgs/$1/link-invites" "$2" '{"level":"read","'"${wp_way% *}"'":"'"${wp_way#* }"'"}'
		keep "${wp_way% *}InviteId" "$id"
	done
}

# world_doors ORG WHO HOSTNAME: teams, invites and other ways to join, events
world_doors() {
	new PUT "/v1/orgs/$1/teams" "$2" '{"title":"Team '"$3"'"}'
	keep teamId "$id"
	new POST "/v1/orgs/$1/saml" "$2" '{"label":"'"$3"'"}'
	keep samlProviderId "$id"
	keep ssoProviderId "$id"
	new POST "/v1/orgs/$1/oidc" "$2" '{"label":"'"$3"'"}'
	keep oidcProviderId "$id"
	new POST "/v1/orgs/$1/openapi" "$2" '{"slug":"'"$3"'","source":{"text":"openapi: 3.0.0\ninfo: {title: '"$word"', version: v1}\npaths: {}\n"}}'
	keep openAPISpecId "$id"
	keep specSlug "$3"
	openapi_done "$1" "$3" "$2"
	keep versionId "$(jq -r .lastVersion "$out")"
	new PATCH "/v1/orgs/$1/openapi/$3" "$2" '{"visibility":"public"}'
	new POST "/v1/orgs/$1/link-invites" "$2" '{"role":"read"}'
	keep inviteId "$id"
	new POST /v1/user/tokens "$2" '{"label":"'"$3"'"}'
	keep tokenId "$id"
	new PATCH "/v1/orgs/$1" "$2" '{"hostname":"'"$3"'"}'
	keep subdomain "$3"
	keep emailDomain "$3.example"
	new POST "/v1/orgs/$1/conversations" "$2" '{"id":"talk-'"$word"'","parts":[{"type":"message","role":"user","body":"How do I reset my password?"}]}'
	keep conversationId "talk-$word"
	new POST "/v1/orgs/$1/exports" "$2" ''
	keep exportId "$id"
	jobs_rest
	get "/v1/orgs/$1/conversations-issues" "$2"
	keep issueId "$(jq -r '.items[0].issue.id' "$out")"
	keep clusterId "$(jq -r '.items[0].issue.cluster' "$out")"
	get "/v1/orgs/$1/audit-events" "$2"
	keep auditEventId "$(jq -r '.items[0].id' "$out")"
}

# world_site ORG WHO: a site with two sections and two groups. Its spaces are outside of the
# collection of world_places, since a collection with a space that a site shows cannot be
# transferred.
world_site() {
	new POST "/v1/orgs/$1/collections" "$2" '{"title":"Shown by '"$word"'","parent":"'"$wp_outer"'"}'
	wt_collection=$id
	new POST "/v1/orgs/$1/spaces" "$2" '{"title":"Shown","parent":"'"$wt_collection"'"}'
	wt_one=$id
	new POST "/v1/orgs/$1/spaces" "$2" '{"title":"Shown too","parent":"'"$wt_collection"'"}'
	wt_two=$id
	new POST "/v1/orgs/$1/sites" "$2" '{"title":"Site of '"$word"'"}'
	keep siteId "$id"
	wt_site=/v1/orgs/$1/sites/$id
	"$octavo" site hostname --dir "$dir" --json --site "$id" "docs.$word.test" >"$tmp/cli" 2>&1 || give_up fixture 'site hostname'
	keep hostname "docs.$word.test"
	new PUT "$wt_site/adaptive-schema" "$2" '{"jsonSchema":{"type":"object","properties":{},"additionalProperties":false}}'
	new POST "$wt_site/share-links" "$2" '{"name":"Friends"}'
	keep shareLinkId "$id"
	new POST "$wt_site/redirects" "$2" '{"source":"/old","destination":{"kind":"external","url":"https://example.org/"}}'
	keep siteRedirectId "$id"
	new POST "$wt_site/mcp-servers" "$2" '{"name":"Server of '"$word"'","url":"https://mcp.example.com/","headers":{"Authorization":"Bearer '"$word"'"}}'
	keep siteMcpServerId "$id"
	# The first request for the key creates it.
	get "$wt_site/publishing/auth" "$2"
	new POST "$wt_site/publish" "$2" '{}'
	new POST "$wt_site/sections" "$2" '{"title":"First","spaceId":"'"$wt_one"'"}'
	keep siteSectionId "$id"
	keep siteSpaceId "$(jq -r '.siteSpaces[0].id' "$out")"
	new POST "$wt_site/section-groups" "$2" '{"title":"Group","sections":["'"$id"'"]}'
	keep siteSectionGroupId "$id"
	new POST "$wt_site/section-groups" "$2" '{"title":"Next"}'
	keep nextGroupId "$id"
	new POST "$wt_site/site-spaces" "$2" '{"spaceId":"'"$wt_two"'"}'
	keep nextSiteSpaceId "$id"
	new POST "$wt_site/sections" "$2" '{"title":"Second","spaceId":"'"$wt_two"'"}'
	keep nextSectionId "$id"
	new POST "$wt_site/external-links" "$2" '{"title":"Link of '"$word"'","url":"https://example.org/"}'
	keep siteExternalLinkId "$id"
	printf 'wOF2\0\1\0\0\0\0\0\100\0\1\0\0%048d' 0 >"$tmp/font"
	new POST "/v1/orgs/$1/storage/upload" "$2" '{"kind":"customization_font","file":{"name":"'"$word"'.woff2","type":"","size":64}}'
	wt_key=$(jq -r .key "$out")
	keep storageKey "$wt_key"
	new PUT "$(jq -r '.url | sub(".*/v1/"; "/v1/")' "$out")" - "@$tmp/font"
	new PUT "/v1/orgs/$1/fonts" "$2" '{"fontFamily":"Font of '"$word"'","fontFaces":[{"weight":400,"storageKey":"'"$wt_key"'"}]}'
	keep fontId "$id"
	keep shownSpaceId "$wt_one"
	new POST "$wt_site/styleguide" "$2" '{}'
}

# Credentials of renderers and visitors of that site: its token, signed claims, the key of a share link.
world_visitors() {
	send POST /v1/urls/published admin '{"url":"https://docs.'"$word"'.test/","visitor":{}}'
	jq -r .apiToken "$out" >"$tmp/tokens/renderer"
	send POST "/v1/orgs/$1/ping" "$2" ''
	jq -r .serviceVisitorClaims "$out" >"$tmp/tokens/visitor"
	send GET "/v1/orgs/$1/sites/$(grep '^siteId' "$tmp/world/ids" | cut -f 2)/share-links" "$2" ''
	jq -r '.items[0].urls.published | split("/")[-2]' "$out" >"$tmp/tokens/share_key"
}

# grant PLACE ROLE USERS-AND-TEAMS: as admin
grant() { new POST "/v1/$1/permissions" admin '{"role":"'"$2"'",'"$3"'}'; }

# Makes the grants that access.jq assumes.
access_grants_make() {
	ag_space=spaces/$(id_in main spaceId) ag_collection=collections/$(id_in main collectionId) ag_team=$(id_in main teamId)
	ag_site=orgs/$AORG/sites/$(id_in main siteId)
	new PUT "/v1/orgs/$AORG/teams/$ag_team/members/$U_owner" admin '{"role":"owner"}'
	new PUT "/v1/orgs/$AORG/teams/$ag_team/members/$U_guest_owner" admin '{"role":"owner"}'
	new PUT "/v1/orgs/$AORG/teams/$ag_team/members/$U_target" admin '{"role":"member"}'
	grant "$ag_space" read '"users":["'$U_target'"],"teams":["'"$ag_team"'"]'
	grant "$ag_collection" read '"users":["'$U_target'"],"teams":["'"$ag_team"'"]'
	grant "$ag_space" edit '"users":["'$U_guest_edit'"]'
	grant "$ag_space" create '"users":["'$U_guest_create'"]'
	grant "$ag_space" comment '"users":["'$U_narrowed'"]'
	grant "$ag_collection" comment '"users":["'$U_narrowed'"]'
	grant "$ag_collection" edit '"users":["'$U_coll_edit'"]'
	grant "$ag_site" create '"users":["'$U_site_create'"]'
	grant "$ag_site" read '"users":["'$U_target'"],"teams":["'"$(id_in main quietTeamId)"'"]'
	for ag_way in "$ag_space review team_review" "$ag_space admin team_admin" "$ag_collection create coll_team" "$ag_site read site_read"; do
		# shellcheck disable=SC2086
		set -- $ag_way
		eval "ag_user=\$U_$3"
		new PUT "/v1/orgs/$AORG/teams" admin '{"title":"'"$3"'","members":["'"$ag_user"'"]}'
		grant "$1" "$2" '"teams":["'"$id"'"]'
	done
	new POST "/v1/spaces/$(id_in main spaceId)/change-requests/$(id_in main changeRequestId)/requested-reviewers" admin '{"users":["'$U_target'"]}'
	new PATCH "/v1/orgs/$AORG/members/$U_author" admin '{"role":"read"}'
}

# Objects besides the main places: deleted ones, locked ones, and a team without any caller.
access_states_make() {
	new POST "/v1/orgs/$AORG/collections" admin '{"title":"Deleted"}'
	keep deletedCollectionId "$id"
	new DELETE "/v1/collections/$id" admin ''
	new PUT "/v1/orgs/$AORG/teams" admin '{"title":"Quiet","members":["'$U_target'"]}'
	keep quietTeamId "$id"
	new POST "/v1/orgs/$AORG/spaces" admin '{"title":"Deleted"}'
	keep deletedSpaceId "$id"
	new DELETE "/v1/spaces/$id" admin ''
	new POST "/v1/orgs/$AORG/spaces" admin '{"title":"Locked"}'
	keep lockedSpaceId "$id"
	new POST "/v1/spaces/$id/change-requests" admin '{}'
	keep lockedRequestId "$id"
	new PATCH "/v1/spaces/$(grep lockedSpaceId "$tmp/world/ids" | cut -f 2)" admin '{"editMode":"locked"}'
}

access_world() {
	mkdir "$tmp/world"
	get /v1/openapi.json
	cp "$out" "$tmp/openapi"
	access_people
	access_sessions
	word=main
	access_states_make
	world_places "$AORG" admin author "$tmp/repo"
	world_doors "$AORG" admin access-docs
	world_site "$AORG" admin
	world_visitors "$AORG" admin
	keep userId "$U_target"
	keep twoId "$ATWO"
	keep ghostId "$U_ghost"
	for who in $(access_members | cut -d ' ' -f 1); do eval "keep user_$who \$U_$who"; done
	for who in admin readonly writeonly; do keep user_$who "$U_admin"; done
	keep user_owner_reads "$U_owner"
	keep user_author_reads "$U_author"
	kept main
	access_grants_make
	rm "$tmp/world/ids"
	word=sibling
	world_places "$AORG" admin admin "$tmp/repo"
	world_site "$AORG" admin
	kept sibling
	rm "$tmp/world/ids"
	word=foreign
	world_places "$ORG_B" other other "$tmp/repo"
	world_doors "$ORG_B" other foreign-docs
	world_site "$ORG_B" other
	keep userId "$U_other"
	kept foreign
	rm "$tmp/world/ids"
}

# ---- every operation x every kind of caller ----

access_matrix() {
	access_jq access_matrix --slurpfile foreign "$tmp/world/foreign"
	requests_check 'access matrix' 3000
}

# ---- every id ----

# All requests of a group must get the same response, except for the id that each names.
access_same() {
	requests_answers >"$tmp/answers.json"
	command jq -nr --slurpfile requests "$tmp/requests" --slurpfile answers "$tmp/answers.json" '
		[$requests[0] | to_entries[] | .value + { answer: $answers[0][.key | tostring] } | select(.group)] | group_by(.group)[]
		| map(. as $r | .text = "\(.answer.code) \(.answer.body | split($r.given) | join("ID"))") | .[0] as $first
		| .[] | select(.text != $first.text and (.given | contains("%") | not))
		| "\(.name) is told \(.text[0:200]), \($first.name) \($first.text[0:200])"' >"$tmp/differ"
	while read -r as_line; do fail "$1" "$as_line"; done <"$tmp/differ"
	[ -s "$tmp/differ" ] || pass
}

access_ids() {
	[ -f "$tmp/world/hidden" ] || access_hide
	access_jq access_ids --slurpfile foreign "$tmp/world/foreign" --slurpfile sibling "$tmp/world/sibling" --slurpfile hidden "$tmp/world/hidden"
	requests_check 'access ids' 800
	access_same 'access ids'
}

# ---- hidden objects ----

# A word that occurs only in hidden objects: titles, texts, names, subjects, comments.
SECRET=Quillwraith

access_walk() {
	access_jq access_walk --slurpfile sibling "$tmp/world/sibling" --arg word "$SECRET"
	jobs_rest
	requests_send
	cp "$tmp/answers" "$tmp/walk-$1"
}

# Makes a place that only admins know of, with grants that open none of it to the callers, written
# by a user who appears nowhere else.
access_hide() {
	word=$SECRET
	cp -r "$tmp/repo" "$tmp/secret"
	for hide_file in README.md guide/README.md guide/set-up.md .gitbook/includes/note.md; do
		echo "More of $SECRET, see [$SECRET](https://example.com/$SECRET)." >>"$tmp/secret/$hide_file"
	done
	mv "$tmp/secret/.gitbook/assets/dot.png" "$tmp/secret/.gitbook/assets/$SECRET.png"
	mv "$tmp/secret/guide/unicode.md" "$tmp/secret/guide/$SECRET.md"
	sed "s/unicode.md/$SECRET.md/" "$tmp/repo/SUMMARY.md" >"$tmp/secret/SUMMARY.md"
	git_in "$tmp/secret" add -A
	git_in "$tmp/secret" commit -q -m "$SECRET"
	new POST "/v1/orgs/$AORG/collections" admin '{"title":"Hides '"$SECRET"'"}'
	new PATCH "/v1/collections/$id" admin '{"defaultLevel":null}'
	hide_in=$id
	new POST "/v1/orgs/$AORG/invites" admin '{"emails":["ghost@example.com"],"role":"admin"}'
	world_places "$AORG" admin ghost "$tmp/secret"
	new DELETE "/v1/orgs/$AORG/members/$U_ghost" admin ''
	new POST "/v1/collections/$wp_outer/move" admin '{"parent":"'"$hide_in"'"}'
	kept hidden
	rm "$tmp/world/ids"
	grant "spaces/$wp_space" admin '"users":["'$U_target'"],"teams":["'"$(id_in main quietTeamId)"'"]'
}

# An object has the same flags in every response that shows it to a caller.
access_same_flags() {
	command jq -nr --slurpfile requests "$tmp/requests" --slurpfile answers "$tmp/answers.json" '
		[$requests[0] | to_entries[] | select(.value.plain) | .value.who as $who | .value.path as $path | $answers[0][.key | tostring] | select(.code == 200)
			| .body | fromjson | .. | objects | select(.permissions and .object and .id) | { who: $who, object, id, permissions, path: $path }]
		| group_by([.who, .object, .id])[] | unique_by(.permissions) | select(length > 1)
		| "\(.[0].object) \(.[0].id) to \(.[0].who): \(map({path, permissions}) | tojson)"' >"$tmp/differ"
	while read -r sf_line; do fail 'an object has the same permissions everywhere' "$sf_line"; done <"$tmp/differ"
	[ -s "$tmp/differ" ] || pass
}

access_leaks() {
	al_day=$(date -u +%F)
	access_walk before
	access_hide
	access_walk after
	# Download URLs change every day, and with them ETags.
	[ "$al_day" = "$(date -u +%F)" ] || { skip 'hidden objects are not told' 'midnight has passed'; return; }
	diff "$tmp/walk-before" "$tmp/walk-after" | grep '^>' | cut -f 1 | tr -d '> ' >"$tmp/differ"
	while read -r al_n; do
		fail 'hidden objects change no answer' "$(jq -r --argjson n "$al_n" '.[$n] | "\(.who): \(.path)"' "$tmp/requests")"
	done <"$tmp/differ"
	same 'hidden objects are in no answer' '' "$(grep -il "$SECRET" "$tmp/walk-after")"
	yes 'more than 3,000 answers are compared' test "$(grep -c "$tab"200"$tab" "$tmp/walk-after")" -gt 3000
	get "/v1/orgs/$AORG/search?query=$SECRET"
	same 'an admin finds the hidden word' 1 "$(jq .count "$out")"
	requests_answers >"$tmp/answers.json"
	access_same_flags
}

# A link to a hidden space is shown as its spelling only, like one to a space that does not exist.
access_links() {
	new POST "/v1/orgs/$AORG/spaces" admin '{"title":"Linked '"$SECRET"'"}'
	al_to=$id
	new PATCH "/v1/spaces/$al_to" admin '{"defaultLevel":null}'
	al_from=/v1/spaces/$(id_in main spaceId)
	new POST "$al_from/change-requests" admin '{}'
	al_request=$al_from/change-requests/$id
	new POST "$al_request/content" admin '{"changes":[{"operation":"insert_page","title":"Ways","document":{"markdown":"[way](https://app.gitbook.com/s/'"$al_to"') [way](https://app.gitbook.com/s/noSuchThing00000000000)"}}]}'
	new POST "$al_request/merge" admin ''
	get "$al_from/content/path/ways" read
	al_page=$(jq -r .id "$out")
	for al_way in "$al_from/content/page/$al_page/links" "$al_request/content/page/$al_page/links"; do
		t 'a link to a hidden space looks like one to nothing' GET "$al_way" read '' 200 '.count == 2
			and ([.items[] | del(.status) | tojson | gsub("'"$al_to"'|noSuchThing00000000000"; "ID")] | unique | length) == 1'
		t 'an admin sees the title of a hidden space' GET "$al_way" admin '' 200 '[.items[].targetReference.space.title // empty] == ["Linked '"$SECRET"'"]'
	done
	new POST "/v1/spaces/$al_to/transfer" admin '{"organization":"'"$ATWO"'"}'
	al_way=$al_from/content/page/$al_page/links
	t 'a link to a transferred space names its organization' GET "$al_way" admin '' 200 '[.items[].targetReference | select(.space) | .organization.id, .space.organization] == ["'"$ATWO"'", "'"$ATWO"'"]'
	new DELETE "/v1/spaces/$al_to" admin ''
	t 'a link to a deleted space is a URL' GET "$al_way" admin '' 200 '[.items[].targetReference.kind] == ["url", "url"]'
}

# ---- every way to give a role ----

access_grants() {
	access_jq access_grants
	requests_check 'access grants' 700
}

# ---- every flag ----

access_flags() {
	access_jq access_flags --arg what look --argjson told null
	requests_check 'access flags: objects' 150
	command jq -n --arg user "$U_target" --slurpfile requests "$tmp/requests" --slurpfile answers "$tmp/answers.json" '[$requests[0] | to_entries[]
		| $answers[0][.key | tostring] as $x | .value | select($x.code == 200) | .item as $item
		| { who, kind, flags: ($x.body | fromjson | if $item then first(.items[] | select(.organization.id == $user)) else . end | .permissions) }]' >"$tmp/told"
	access_jq access_flags --arg what try --slurpfile told "$tmp/told"
	requests_check 'access flags' 1000
}

access() {
	access_world
	access_matrix
	access_leaks
	access_links
	access_ids
	access_grants
	access_flags
}
