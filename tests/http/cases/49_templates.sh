# Templates: pages to begin with, into the primary content or a change request.
t 'a space for templates' POST /v1/orgs/$ORG/spaces create '{"title":"Begin"}' 201 ''
TS=/v1/spaces/$(jq -r .id "$out")
t 'no such template' POST $TS/content/template create '{"id":"nope"}' 404 '.error.message | contains("nope")'
t 'without an id' POST $TS/content/template create '{}' 400 '.fields[0].path == "/id"'
t 'into the primary content' POST $TS/content/template create '{"id":"product-docs"}' 201 ''
T_REV=$(header location)
t 'where it says' GET "${T_REV#"$base"}" create '' 200 '.pages | length == 6'
t 'its pages' GET $TS/content/pages create '' 200 '[.pages[].title] == ["Welcome", "Quickstart", "Concepts", "Guides", "Troubleshooting", "Get help"] and [.pages[3].pages[].path] == ["guides/install", "guides/configure", "guides/upgrade"]'
t 'links lead to its pages' GET $TS/links create '' 200 '.stats.broken.total == 0 and .stats.total > 10'
t 'a page reads well' GET "$TS/content/path/quickstart?format=markdown" create '' 200 '.markdown | contains("{% stepper %}")'
t 'one revision, by one request' GET $TS/change-requests create '' 200 '.count == 1 and .items[0].status == "merged" and .items[0].subject == "Template product-docs"'
t 'again: beside what is there' POST $TS/content/template create '{"id":"product-docs"}' 201 ''
t 'under free addresses' GET $TS/content/pages create '' 200 '(.pages | length) == 12 and .pages[6].path == "welcome-1" and .pages[0].path == "welcome"'
t 'a request from a template' POST $TS/change-requests create '{"subject":"News","template":{"id":"changelog"}}' 201 '.status == "draft" and .subject == "News"'
CR=$TS/change-requests/$(jq -r .id "$out")
t 'holds its pages' GET $CR/content/pages create '' 200 '[.pages[-2:][].title] == ["Changelog", "How we release"]'
t 'of no template' POST $TS/change-requests create '{"template":{"id":"nope"}}' 404 ''
t 'and none is left behind' GET $TS/change-requests create '' 200 '.count == 3'
t 'into a request' POST $TS/content/template create '{"id":"blank","changeRequestId":"'${CR##*/}'"}' 201 ''
t 'not into the primary content' GET $TS/content/pages create '' 200 '.pages | length == 12'
t 'into a request that is not there' POST $TS/content/template create '{"id":"blank","changeRequestId":"99"}' 404 ''
t 'into one that is merged' POST $TS/content/template create '{"id":"blank","changeRequestId":"1"}' 409 ''
t 'edit does for a request' POST $TS/content/template edit '{"id":"blank","changeRequestId":"'${CR##*/}'"}' 201 ''
t 'but not for the primary content' POST $TS/content/template edit '{"id":"blank"}' 403 ''
t 'review does' POST $TS/content/template review '{"id":"blank"}' 201 ''
t 'a reference needs a specification' POST $TS/content/template create '{"id":"api-reference"}' 400 '.fields[0].path == "/params/contentRefs/openapi"'
t 'one that is there' POST $TS/content/template create '{"id":"api-reference","params":{"contentRefs":{"openapi":{"kind":"openapi","spec":"nope"}}}}' 404 ''
t 'a specification for it' PUT /v1/orgs/$ORG/openapi/paws create '{"source":{"text":"{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"Paws\",\"version\":\"1\"},\"paths\":{\"/paws\":{\"get\":{\"operationId\":\"listPaws\",\"tags\":[\"paws\"],\"responses\":{\"200\":{\"description\":\"All\"}}}}}}"}}' 200 ''
openapi_done $ORG paws create
t 'a reference in a request' POST $TS/change-requests create '{"template":{"id":"api-reference","params":{"contentRefs":{"openapi":{"kind":"openapi","spec":"paws"}}}}}' 201 ''
RCR=$TS/change-requests/$(jq -r .id "$out")
t 'has pages and the computed one' GET "$RCR/content/pages?computed=false" create '' 200 '[.pages[-5:][].title] == ["Introduction", "Authentication", "Requests and answers", "Errors", "paws"] and .pages[-1].type == "computed"'
t 'which shows the operations' GET "$RCR/content/pages" create '' 200 '(.pages | length) > 17 and .pages[-1].type == "document"'
get /v1/orgs/$ORG/openapi/paws create
paws=$(jq -r .id "$out")
t 'a reference by id' POST $TS/change-requests create '{"template":{"id":"api-reference","params":{"contentRefs":{"openapi":{"kind":"openapi","spec":"'$paws'"}}}}}' 201 ''
t 'has the same pages' GET "$TS/change-requests/$(jq -r .number "$out")/content/pages?computed=false" create '' 200 '.pages[-1] | .type == "computed" and .title == "paws" and .computed.dependencies.spec.ref.spec == "paws"'
t 'that of another organization is not there' POST /v1/spaces/$SPACE_B/content/template other '{"id":"api-reference","params":{"contentRefs":{"openapi":{"kind":"openapi","spec":"'$paws'"}}}}' 404 ''
t 'merge rules hold' PATCH $TS create '{"mergeRules":{"type":"rules","rules":[{"rule":"require_at_least_one_review"}]}}' 200 ''
t 'so it is refused' POST $TS/content/template review '{"id":"blank"}' 412 '.error.message | contains("rule")'
t 'and changes nothing' GET $TS/content/pages create '' 200 '.pages | length == 13'
t 'locked' PATCH $TS create '{"editMode":"locked"}' 200 ''
t 'takes none' POST $TS/content/template create '{"id":"blank"}' 403 ''
