# Pages made from API descriptions have no rows: every operation that takes a page also takes one of these.
CS=/v1/orgs/$ORG/openapi
computed_spec() { jq -nc --arg text "openapi: 3.0.3
info: {title: Shop, version: '1', description: 'Buys and [sells](https://shop.example/).'}
tags: [{name: cakes, description: All of them}]
paths: {/cakes: {get: {operationId: listCakes, summary: List cakes, tags: [cakes],
  responses: {'200': {description: OK, headers: {X-Frosting: {description: Sugary, schema: {type: string}}}}}}}}
" '{source: {text: $text}}'; }
t 'a specification is created' PUT $CS/shop create "$(computed_spec)" 200 ''
openapi_done $ORG shop create
mkdir "$tmp/computed"
printf '# Shop\n\nSee [cakes](reference/cakes.md).\n' >"$tmp/computed/README.md"
printf '# Summary\n\n* [Shop](README.md)\n\n## Reference\n\n* ```yaml\n  type: builtin:openapi\n  props:\n    models: true\n  dependencies:\n'\
'    spec:\n      ref:\n        kind: openapi\n        spec: shop\n  ```\n' >"$tmp/computed/SUMMARY.md"
git_in "$tmp/computed" init -q -b main
git_in "$tmp/computed" add -A
git_in "$tmp/computed" commit -q -m first
CSPACE=$(octavo_json .result.space import --org "$ORG" --title Shop --url "$tmp/computed")
t 'a computed page is found by its path' GET /v1/spaces/$CSPACE/content/path/reference/cakes read '' 200 '.title == "cakes" and .type == "document"'
CAKES=$(jq -r .id "$out")
t 'a page of an API is found by a header of an answer' GET "/v1/spaces/$CSPACE/search?query=sugary" read '' 200 '[.items[].id] == ["'$CAKES'"]'
t 'a change request is opened' POST /v1/spaces/$CSPACE/change-requests edit '{"subject":"Cakes"}' 201 ''
CNUMBER=$(jq -r .id "$out")
get /v1/spaces/$CSPACE read
CREV=$(jq -r .revision "$out")
get /v1/openapi.json
# All operations with a page in their path or query, from the description itself.
jq -r '.paths | to_entries[] | .key as $path | .value | to_entries[] | select(.key | IN("get", "post", "put", "patch", "delete")) |
	select(($path | test("\\{page(Id|Path)\\}")) or any(.value.parameters[]?; .in == "query" and .name == "page" and $path != "" and (.description | '\
'startswith("Id of a page"))))
	| [.value.operationId, (.key | ascii_upcase), $path] | @tsv' "$out" >"$tmp/takes"
yes 'the description names 13 operations that take a page' [ "$(wc -l <"$tmp/takes")" -ge 13 ]
while read -r c_operation c_method c_path; do
	c_at=/v1$(printf %s "$c_path" | sed -e "s/{spaceId}/$CSPACE/; s/{revisionId}/$CREV/; s/{changeRequestId}/$CNUMBER/; s/{pageId}/$CAKES/; s,\
{pagePath},reference%2Fcakes,")
	case $c_at in *{*) fail "the path of the operation is known: $c_operation" \
		"what is there to fill in: $c_at"; continue ;; */pdf) c_at="$c_at?page=$CAKES" ;; esac
	case $c_method in POST) c_body='{"markdown":"x"}' ;; *) c_body='' ;; esac
	t "an operation takes a computed page: $c_operation" $c_method "$c_at" admin "$c_body" 200 ''
done <"$tmp/takes"
CPAGE=/v1/spaces/$CSPACE/content/page/$CAKES
t 'the document for the renderer has the operation' GET \
	"/v1/spaces/$CSPACE/revisions/$CREV/page/$CAKES/document?evaluated=deterministic-only&dereferenced=reusable-contents" read '' 200 \
	'[.nodes[] | select(.type == "openapi-operation").data | [.ref.spec, .path, .method]] == [["shop", "/cakes", "get"]]'
t 'the page has the same document' GET $CPAGE read '' 200 '(.document.nodes | length) > 0'
CNODE=$(jq -r '.document.nodes[] | select(.type == "openapi-operation").key' "$out")
t 'a document of an unknown computed page answers 404' GET "/v1/spaces/$CSPACE/revisions/$CREV/page/${CAKES%?}z/document" read '' 404 ''
t 'a computed page links to its specification' GET $CPAGE/links read '' 200 \
	'[.items[] | [.status, .relation, .locationReferences[0].page.id, .locationReferences[0].page.path]] == [["ok", "dependsOn", "'$CAKES'",
	"reference/cakes"]]'
t 'a computed page has backlinks' GET $CPAGE/backlinks read '' 200 '[.items[].page.title] == ["Shop"]'
t 'a link to a computed page has its target' GET "/v1/spaces/$CSPACE/links?status=ok" read '' 200 \
	'any(.items[]; .targetReference.page.id? == "'$CAKES'" and .targetReference.page.path == "reference/cakes")'
t 'a comment may be on a computed page' POST /v1/spaces/$CSPACE/comments comment '{"page":"'$CAKES'","body":{"markdown":"Tasty"}}' 200 \
	'.target.page.id == "'$CAKES'"'
t 'a comment may be on an operation of a computed page' POST /v1/spaces/$CSPACE/comments comment \
	'{"page":"'$CAKES'","node":"'$CNODE'","body":{"markdown":"This"}}' 200 '.target.node.id == "'$CNODE'"'
t 'a comment on an unknown block of a computed page answers 404' POST /v1/spaces/$CSPACE/comments comment \
	'{"page":"'$CAKES'","node":"nothing","body":{"markdown":"This"}}' 404 ''
t 'comments of a computed page are listed' GET "/v1/spaces/$CSPACE/comments?targetPage=$CAKES" read '' 200 '.count == 2'
t 'a computed page cannot be changed' POST "/v1/spaces/$CSPACE/change-requests/$CNUMBER/content?compat=false" edit \
	'{"changes":[{"operation":"update_page","page":"'$CAKES'","title":"X"}]}' 404 \
	'.error.message | contains("changes/0/page") and contains("generated") and contains("'${CAKES%-*}'")'
t 'the API address of a computed page is resolved' GET "/v1/urls/content?url=$base$CPAGE" read '' 200 '.page.id == "'$CAKES'"'
t 'a site of the space is created' POST /v1/orgs/$ORG/sites admin '{"title":"Shop","spaces":["'$CSPACE'"],"visibility":"public"}' 201 ''
CSITE=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'the site is published' POST $CSITE/publish admin '' 200 ''
c_at=$(jq -r .urls.published "$out")
t 'the published address of a computed page is resolved' GET "/v1/urls/content?url=${c_at}reference/cakes" read '' 200 \
	'.page.id == "'$CAKES'" and .page.path == "reference/cakes"'
get $CSITE/site-spaces admin
CITEM=$(jq -r '.items[0].id' "$out")
t 'a redirect to a computed page is created' POST $CSITE/redirects admin \
	'{"source":"/cakes","destination":{"kind":"site-page","siteSpaceId":"'$CITEM'","pageId":"'$CAKES'"}}' 201 ''
site_resolve "${c_at}reference/cakes"
t 'a redirect to a computed page is resolved' GET "$CSITE/redirect?source=%2Fcakes" site '' 200 '.target == "'"${c_at}"'reference/cakes"'
for c_call in "page/$CAKES" "page/$CAKES/document" "page/$CAKES/meta-links" 'path/reference%2Fcakes'; do
	t "a site token reads a computed page: ${c_call#*/*/}" GET "/v1/spaces/$CSPACE/revisions/$CREV/$c_call" site '' 200 ''
done
t 'an event on a computed page is accepted' POST $CSITE/insights/events admin \
	'{"events":[{"type":"page_view","session":{"visitorId":"v","sessionId":"s","userAgent":"x","language":"en","cookies":{},"referrer":null},
	"location":{"url":"'"$c_at"'","siteSpace":"'$CITEM'","page":"'$CAKES'"}}]}' 204 ''
t 'the site is deleted' DELETE $CSITE admin '' 204 ''
# A description is named by its slug or its id, in paths and in content.
get $CS/shop read
CID=$(jq -r .id "$out")
t 'a specification is read by its id' GET $CS/$CID read '' 200 '.slug == "shop"'
t 'the content of a specification is read by its id' GET $CS/$CID/versions/latest/content read '' 200 '.filesystem[0].specification.info.title == "Shop"'
t 'another organization gets 404 for the id' GET /v1/orgs/$ORG_B/openapi/$CID other '' 404 ''
t 'a specification is replaced by its id' PUT $CS/$CID create "$(computed_spec)" 200 '.slug == "shop" and .id == "'$CID'"'
openapi_done $ORG shop create
sed -i "s/spec: shop/spec: $CID/" "$tmp/computed/SUMMARY.md"
printf '\n{%% openapi-operation spec="%s" path="/cakes" method="get" %%}\n[x]()\n{%% endopenapi-operation %%}\n' $CID >>"$tmp/computed/README.md"
git_in "$tmp/computed" commit -qam second
CBYID=$(octavo_json .result.space import --org "$ORG" --title ShopById --url "$tmp/computed")
t 'a specification may be named by its id in content' GET /v1/spaces/$CBYID/content/path/reference/cakes read '' 200 \
	'.computed.dependencies.spec.ref.spec == "shop"'
t 'a block that names the id has the operation' GET /v1/spaces/$CBYID/content/path/readme read '' 200 \
	'[.document.nodes[] | select(.type == "openapi-operation").data.operation.summary] == ["List cakes"]'
t 'links to slug and id are links to one specification' GET "/v1/spaces/$CBYID/links?status=ok" read '' 200 \
	'[.items[].targetReference | select(.kind == "openapi") | .openAPISpec | [.id, .slug, .permissions.view]] == [["'$CID'", "shop", true]]'
t 'a site of the second space is created' POST /v1/orgs/$ORG/sites admin '{"title":"ShopById","spaces":["'$CBYID'"],"visibility":"public"}' 201 ''
CBYSITE=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'the second site is published' POST $CBYSITE/publish admin '' 200 ''
c_path=$(jq -r .urls.published "$out" | sed "s,^$base,,")
site_resolve "$base$c_path"
for c_name in shop $CID; do t "a site token reads the specification: $c_name" GET $CS/$c_name/versions/latest/content site '' 200 ''; done
if [ $TRANSPORT = http ]; then
	read_at "${c_path}readme.md"
	holds 'the Markdown of a page has the operation that a block names' '## List cakes'
	holds 'with its request' '`GET '
	holds 'and its responses' '### 200 '
	lacks 'in place of the tag' 'openapi-operation'
	same 'the title stays first' '# Shop' "$(head -n 1 "$out")"
	holds 'the rest of the page stays as it is' 'See [cakes]('
	read_at "${c_path}llms-full.txt"
	yes 'llms-full.txt has the same' grep -qF '### 200 ' "$out"
fi
# Without its description a computed page has only its row left.
t 'the tree has the computed pages' GET /v1/spaces/$CBYID/content/pages read '' 200 \
	'[.. | objects | select(.type? == "computed")] == [] and any(.. | objects; .path? == "reference/cakes")'
get /v1/spaces/$CBYID/content/pages read
CGROUP=$(jq -r '.pages[] | select(.title == "Reference").id' "$out")
t 'a group has the computed pages' GET /v1/spaces/$CBYID/content/page/$CGROUP read '' 200 '[.pages[].path] == ["reference/overview", "reference/cakes"]'
t 'the specification is deleted' DELETE $CS/shop create '' 204 ''
yes 'the deletion of a specification in use warns' grep -qi '^Warning: 299 - "2 spaces showed' "$head"
t 'a deleted specification may be deleted again' DELETE $CS/shop create '' 204 ''
yes 'the second deletion does not warn' sh -c '! grep -qi "^Warning:" "$1"' - "$head"
get /v1/spaces/$CBYID read
for c_in in content revisions/$(jq -r .revision "$out"); do
	t "a computed page without a specification is left out: $c_in" GET /v1/spaces/$CBYID/$c_in/pages read '' 200 \
		'[.. | objects | select(.type? == "computed")] == []'
	t "the row of a computed page is there with computed=false: $c_in" GET "/v1/spaces/$CBYID/$c_in/pages?computed=false" read '' 200 \
		'[.. | objects | select(.type? == "computed")] | length == 1'
done
CROW=$(jq -r '.. | objects | select(.type? == "computed").id' "$out")
t 'the row of a computed page is read by its id' GET /v1/spaces/$CBYID/content/page/$CROW read '' 200 '.type == "computed"'
t 'a group has no computed pages any more' GET /v1/spaces/$CBYID/content/page/$CGROUP read '' 200 '.pages == []'
t 'the path of a computed page answers 404' GET /v1/spaces/$CBYID/content/path/reference/cakes read '' 404 ''
t 'a link to a deleted specification is broken' GET "/v1/spaces/$CBYID/links?status=broken" read '' 200 \
	'any(.items[]; .relation == "dependsOn" and (has("targetReference") | not))'
site_resolve "$(get $CBYSITE admin; jq -r .urls.published "$out")"
get /v1/spaces/$CBYID site
t 'a site token does not see the row of a computed page' GET /v1/spaces/$CBYID/revisions/$(jq -r .revision "$out") site '' 200 \
	'[.pages | .. | objects | select(.type? == "computed")] == []'
"$octavo" import --org "$ORG" --title ShopAgain --url "$tmp/computed" --dir "$dir" --json >"$tmp/computed_again.json"
yes 'an import warns of a missing specification' jq -e \
	'any(.warnings[]; .file == "SUMMARY.md" and .line > 0 and (.message | contains("'$CID'") and contains("left out")))' "$tmp/computed_again.json"
t 'the second site is deleted' DELETE $CBYSITE admin '' 204 ''
for c_space in $CSPACE $CBYID $(jq -r .result.space "$tmp/computed_again.json"); do t 'the spaces are deleted' DELETE /v1/spaces/$c_space admin '' 204 ''; done
