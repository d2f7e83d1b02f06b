# Previews of computed content, documents by id, and meta links at the head and in change requests.
preview_text='openapi: 3.0.3
info: {title: Bakery, version: "1"}
tags: [{name: pies, description: All of them}]
paths: {/pies: {get: {operationId: listPies, tags: [pies], responses: {"200": {description: OK}}}}}
components: {schemas: {Pie: {type: object}}}'
t 'a specification for previews is created' PUT /v1/orgs/$ORG/openapi/bakery create \
	"$(jq -nc --arg text "$preview_text" '{source: {text: $text}}')" 200 ''
openapi_done $ORG bakery create
preview_space=$(space_empty 'Previews')
PV=/v1/spaces/$preview_space/content/computed
preview_of() { jq -nc --arg spec "$1" --argjson props "$2" \
	'{seed: "seed_1", source: {type: "builtin:openapi", props: $props, dependencies: {spec: {ref: {kind: "openapi", spec: $spec}}}}}'; }
t 'a source has the pages that it would expand to' POST $PV/revision read "$(preview_of bakery '{"models":false}')" 200 \
	'([.pages[].title] | index("pies")) != null and .files == [] and .reusableContents == [] and all(.pages[]; .type == "document"
	and (.id | startswith("seed_1-")) and .computed.type == "builtin:openapi")'
preview_count=$(jq '.pages | length' "$out")
t 'models are a page more' POST $PV/revision read "$(preview_of bakery '{"models":true}')" 200 '.pages | length == '$((preview_count + 1))
t 'the seed names the pages' POST $PV/revision read "$(preview_of bakery '{"models":false}' | jq -c '.seed = "other"')" 200 \
	'all(.pages[]; .id | startswith("other-"))'
t 'a page of the source has a document' POST $PV/document read "$(preview_of bakery '{"doc":"operations","page":"pies"}')" 200 \
	'.object == "document" and (tostring | contains("/pies"))'
t 'models have a document' POST $PV/document read "$(preview_of bakery '{"doc":"models"}')" 200 'tostring | contains("Pie")'
t 'a page that the specification has not answers 404' POST $PV/document read "$(preview_of bakery '{"doc":"operations","page":"tarts"}')" 404 ''
t 'a specification that is not there answers 404' POST $PV/revision read "$(preview_of nothing '{"models":true}')" 404 ''
t 'a specification of another organization answers 404' POST $PV/revision read "$(preview_of foreign-docs '{"models":true}')" 404 ''
t 'another kind of source is refused' POST $PV/revision read "$(preview_of bakery '{"models":true}' | jq -c '.source.type = "builtin:translation"')" 400 ''
t 'a seed that cannot begin an id is refused' POST $PV/revision read "$(preview_of bakery '{"models":true}' | jq -c '.seed = "a b"')" 400 ''
t 'who does not see the space previews nothing' POST $PV/revision stranger "$(preview_of bakery '{"models":true}')" 404 ''
t 'a guest is given the space' POST /v1/spaces/$preview_space/permissions admin '{"role":"read","users":["'$U_guest'"]}' 204 ''
t 'a guest who reads the space reads no specification' POST $PV/revision guest "$(preview_of bakery '{"models":true}')" 404 ''
t 'previews store nothing' GET /v1/spaces/$preview_space/content/pages read '' 200 'tostring | contains("seed_1") | not'

space_write $preview_space '{"changes":[{"operation":"insert_page","ref":"a","title":"Paper","document":{"markdown":"Words of it."}}]}'
preview_page=$(jq -r '.changes[0].page.id' "$tmp/written")
t 'a document is read by the id of its page' GET /v1/spaces/$preview_space/documents/$preview_page read '' 200 \
	'.object == "document" and (tostring | contains("Words of it."))'
t 'a document of nothing answers 404' GET /v1/spaces/$preview_space/documents/noSuchThing00000000000 read '' 404 ''
t 'a document of another space answers 404' GET /v1/spaces/$(space_empty 'No page')/documents/$preview_page read '' 404 ''
t 'the head of a space has meta links' GET /v1/spaces/$preview_space/content/page/$preview_page/meta-links read '' 200 '. == {alternates: []}'
t 'meta links of nothing answer 404' GET /v1/spaces/$preview_space/content/page/noSuchThing00000000000/meta-links read '' 404 ''
t 'a request for meta links is opened' POST /v1/spaces/$preview_space/change-requests edit '{}' 201 ''
preview_request=$(jq -r .id "$out")
t 'a change request has meta links' GET /v1/spaces/$preview_space/change-requests/$preview_request/content/page/$preview_page/meta-links read '' 200 \
	'. == {alternates: []}'

# Lists of change requests by the last change.
t 'a second request is opened' POST /v1/spaces/$preview_space/change-requests edit '{}' 201 ''
preview_second=$(jq -r .id "$out")
t 'the first request changes' PATCH /v1/spaces/$preview_space/change-requests/$preview_request edit '{"subject":"Changed"}' 200 ''
t 'requests are listed by their last change' GET "/v1/spaces/$preview_space/change-requests?orderBy=updatedAt&status=draft" read '' 200 \
	'[.items[].id] == ["'$preview_request'", "'$preview_second'"]'
t 'the list by last change goes on' GET "/v1/spaces/$preview_space/change-requests?orderBy=updatedAt&status=draft&limit=1" read '' 200 '.next.page'
preview_next=$(jq -r .next.page "$out")
t 'its second page has the rest' GET "/v1/spaces/$preview_space/change-requests?orderBy=updatedAt&status=draft&limit=1&page=$preview_next" read '' 200 \
	'[.items[].id] == ["'$preview_second'"] and (has("next") | not)'
t 'requests are listed by their making' GET "/v1/spaces/$preview_space/change-requests?orderBy=createdAt&status=draft" read '' 200 \
	'[.items[].id] == ["'$preview_second'", "'$preview_request'"]'
t 'requests of an organization are listed by their last change' GET "/v1/orgs/$ORG/change-requests?orderBy=updatedAt&limit=1" read '' 200 \
	'.items[0].id == "'$preview_request'"'
t 'an order that there is none of is refused' GET "/v1/spaces/$preview_space/change-requests?orderBy=title" read '' 400 ''
t 'the guest is taken off the space' DELETE /v1/spaces/$preview_space/permissions/users/$U_guest admin '' 204 ''
