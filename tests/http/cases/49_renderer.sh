# The requests of the open-source renderer for a site with imported documentation: each operation
# for each page, with the statuses that it handles (200, or a plain 404 where it expects one).
SO=/v1/orgs/$ORG
t 'a site is created' POST $SO/sites admin '{"title":"Rendered","spaces":["'$SPACE'"]}' 201 ''
W=$SO/sites/$(jq -r .id "$out")
t 'the site is published' POST $W/publish admin '' 200 ''
at=$(jq -r .urls.published "$out")
# The renderer looks up each prefix of the URL at once.
for path in '' guide guide/set-up; do
	t "each candidate of a lookup has its path: /$path" POST /v1/urls/published read \
		'{"url":"'$at$path'","visitor":{"unsignedClaims":{},"type":"human"},"redirectOnError":true,"cacheBust":"1"}' 200 \
		'.pathname == "'$path'" and .space == "'$SPACE'"'
done
jq -r .apiToken "$out" >"$tmp/tokens/renderer"
t 'the profile has what the renderer reads of a site' GET $W/published renderer '' 200 \
	'.site.urls and .structure.type == "siteSpaces" and (.structure.structure[0] | .id and .space and .urls) and .customizations.siteSpaces == {}
	and .scripts == [] and (.customizations.site | .styling.primaryColor.light and .styling.infoColor.dark and .styling.codeTheme
		and .internationalization and .favicon
	and .header.links and .footer and .themes and .feedback and .ai and .pageActions.items and .externalLinks and .pagination and .trademark
		and .privacyPolicy and .socialPreview and .socialAccounts)'
# Workers cache the answer: any write invalidates it, and no caller gets another's answer.
for title in Renamed Rendered; do
	t "the site is renamed to $title" PATCH $W admin '{"title":"'$title'"}' 200 ''
	for who in renderer admin renderer admin; do
		t "$who reads the current title $title" GET $W/published $who '' 200 '.site.title == "'$title'"'
	done
done
t 'a stranger gets 404 for the profile' GET $W/published stranger '' 404 ''
t 'the renderer reads the space' GET /v1/spaces/$SPACE renderer '' 200 '.id == "'$SPACE'" and .urls.published == "'$at'" and .revision
	and .organization and .title'
R=/v1/spaces/$SPACE/revisions/$(jq -r .revision "$out")
t 'the renderer reads the revision with its pages and files' GET "$R?metadata=true" renderer '' 200 \
	'(.files | all(.contentType and .downloadURL)) and .reusableContents and .urls and ([.. | objects | select(.type? == "document")]
	| length > 3 and all((.pages | type == "array") and .layout and (.tags | type == "array") and .path == (.path | ascii_downcase)))'
jq -r '[.. | objects | select(.type? == "document")][] | [.id, .path] | @tsv' "$out" >"$tmp/pages"
reusable=$(jq -r '.reusableContents[0].id' "$out") file=$(jq -r '.files[0].id' "$out")
while read -r page path; do
	t "the renderer reads the meta links of $path" GET $R/page/$page/meta-links renderer '' 200 '.alternates == []'
	t "the renderer reads the document of $path" GET "$R/page/$page/document?evaluated=deterministic-only&dereferenced=reusable-contents" renderer '' \
		200 '.nodes | type == "array"'
	t "the renderer reads the Markdown of $path" GET "$R/page/$page?format=markdown&format.markdown.refs=stable" renderer '' 200 '.markdown | startswith("# ")'
	t "the renderer reads the page by its path: $path" GET "$R/path/$(printf %s "$path" | sed 's,/,%2F,g')" renderer '' 200 '.id == "'$page'"'
done <"$tmp/pages"
t 'the renderer reads reusable content' GET "$R/reusable-contents/$reusable/document?evaluated=deterministic-only" renderer '' 200 '.nodes | type == "array"'
t 'the renderer reads a file' GET $R/files/$file renderer '' 200 '.downloadURL'
t 'a missing redirect answers 404' GET "$W/redirect?source=%2Fnothing%2Fhere" renderer '' 404 '.error.message'
t 'a missing path answers 404' GET $R/path/nothing%2Fhere renderer '' 404 '.error.message'
t 'the search has what the renderer reads' POST $W/search renderer '{"query":"welcome","mode":"all"}' 200 \
	'.items[0] | .type == "space" and .id == "'$SPACE'" and (.pages[0] | .id and .title and .path and .score and (.ancestors | type == "array")
	and (.sections | all(.path)))'
t 'the renderer reads a user without the address' GET /v1/users/$U_admin renderer '' 200 '.displayName and (has("email") | not)'
# If two sites show the space, a visitor gets the frames that their own site allows.
t 'a second site of the space is created' POST $SO/sites admin '{"title":"Frames","spaces":["'$SPACE'"]}' 201 ''
re_other=$(jq -r .id "$out")
t 'the second site allows a host of frames' PUT $SO/sites/$re_other/customization admin '{"embeds":{"hosts":["example.org"]}}' 200 ''
t 'a visitor of the first site gets a link' GET "/v1/spaces/$SPACE/embed?url=https%3A%2F%2Fexample.org%2F" renderer '' 200 '.type == "link"'
t 'a user gets a frame' GET "/v1/spaces/$SPACE/embed?url=https%3A%2F%2Fexample.org%2F" admin '' 200 '.type == "rich" and (.html | contains("<iframe"))'
t 'the second site is deleted' DELETE $SO/sites/$re_other admin '' 204 ''
t 'an embed has title and site' GET "/v1/spaces/$SPACE/embed?url=https%3A%2F%2Fexample.org%2F" renderer '' 200 \
	'.type == "link" and .title and .site == "example.org"'
# Features that Octavo does not have answer 404 with a message, which the renderer handles.
for absent in "GET $SO/openapi/none/versions/latest/content" "GET /v1/spaces/$SPACE/change-requests/1" \
	"GET /v1/spaces/$SPACE/change-requests/1/changes?limit=100" "GET $R/changes?computed=false&limit=100&metadata=false"; do
	# shellcheck disable=SC2086
	t "what Octavo does not have answers 404: $absent" $absent renderer '' 404 '.error.message'
done
for absent in "POST $W/ask?format=markdown" "GET $W/ask/questions?siteSpaceId=x" "POST $W/ai/response" "POST $W/agent-feedback" \
	"POST /v1/integrations/x/render"; do
	# shellcheck disable=SC2086
	t "what Octavo does not have answers 404: $absent" $absent renderer '{}' 404 '.error.code == 404 and .error.message'
done
# Events are sent with the token of the look-ups.
events='{"events":[{"type":"page_view","session":{"visitorId":"v","sessionId":"s","cookies":{},"userAgent":"u","language":"en","referrer":""},'\
'"location":{"url":"'$at'","displayContext":"site","siteSection":null,"siteSpace":null,"siteShareKey":null,"space":"'$SPACE'","revision":null,"page":null}}]}'
t 'events are accepted from a manager of sites' POST $W/insights/events create "$events" 204 ''
t 'events from others answer 404' POST $W/insights/events read "$events" 404 '.error.message'
# All other operations answer 404 to that token.
get /v1/openapi.json
jq -r '.paths | to_entries[] | .key as $path | .value | to_entries[] | select(.value["x-octavo-callers"] | index("site") | not)
	| "\(.key | ascii_upcase) \($path | gsub("\\{[^}]*\\}"; "x"))"' "$out" >"$tmp/others"
yes 'there are more than 150 operations without site tokens' test "$(wc -l <"$tmp/others")" -gt 150
while read -r method path; do
	send $method /v1$path renderer '{}'
	[ "$code" = 404 ] || fail "an operation without site tokens answers 404: $method $path" "$code"
done <"$tmp/others"
t 'the site is deleted' DELETE $W admin '' 204 ''
t 'a token of a deleted site answers 401' GET $R renderer '' 401 ''
