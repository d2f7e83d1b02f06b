# Templates: initial pages, for the primary content or a change request.
t 'a space for templates is created' POST /v1/orgs/$ORG/spaces create '{"title":"Begin"}' 201 ''
TS=/v1/spaces/$(jq -r .id "$out")
t 'an unknown template answers 404' POST $TS/content/template create '{"id":"nope"}' 404 '.error.message | contains("nope")'
t 'a template without an id is refused' POST $TS/content/template create '{}' 400 '.fields[0].path == "/id"'
t 'a template is written into primary content' POST $TS/content/template create '{"id":"product-docs"}' 201 ''
T_REV=$(header location)
t 'the written revision is named in Location' GET "${T_REV#"$base"}" create '' 200 '.pages | length == 6'
t 'a template has its pages' GET $TS/content/pages create '' 200 '[.pages[].title] == ["Welcome", "Quickstart", "Concepts", "Guides",
	"Troubleshooting", "Get help"] and [.pages[3].pages[].path] == ["guides/install", "guides/configure", "guides/upgrade"]'
t 'links of a template lead to its pages' GET $TS/links create '' 200 '.stats.broken.total == 0 and .stats.total > 10'
t 'a page of a template is Markdown' GET "$TS/content/path/quickstart?format=markdown" create '' 200 '.markdown | contains("{% stepper %}")'
t 'a template is one merged change request' GET $TS/change-requests create '' 200 \
	'.count == 1 and .items[0].status == "merged" and .items[0].subject == "Template product-docs"'
t 'a template may be written twice' POST $TS/content/template create '{"id":"product-docs"}' 201 ''
t 'pages of a second template get free paths' GET $TS/content/pages create '' 200 \
	'(.pages | length) == 12 and .pages[6].path == "welcome-1" and .pages[0].path == "welcome"'
t 'a change request is opened with a template' POST $TS/change-requests create '{"subject":"News","template":{"id":"changelog"}}' 201 \
	'.status == "draft" and .subject == "News"'
CR=$TS/change-requests/$(jq -r .id "$out")
t 'a request with a template has its pages' GET $CR/content/pages create '' 200 '[.pages[-2:][].title] == ["Changelog", "How we release"]'
t 'a request with an unknown template answers 404' POST $TS/change-requests create '{"template":{"id":"nope"}}' 404 ''
t 'a refused template leaves no request' GET $TS/change-requests create '' 200 '.count == 3'
t 'a template is written into a request' POST $TS/content/template create '{"id":"blank","changeRequestId":"'${CR##*/}'"}' 201 ''
t 'a template in a request is not in primary content' GET $TS/content/pages create '' 200 '.pages | length == 12'
t 'a template into an unknown request answers 404' POST $TS/content/template create '{"id":"blank","changeRequestId":"99"}' 404 ''
t 'a template into a merged request is refused' POST $TS/content/template create '{"id":"blank","changeRequestId":"1"}' 409 ''
t 'an editor writes a template into a request' POST $TS/content/template edit '{"id":"blank","changeRequestId":"'${CR##*/}'"}' 201 ''
t 'an editor writes no template into primary content' POST $TS/content/template edit '{"id":"blank"}' 403 ''
t 'a reviewer writes a template into primary content' POST $TS/content/template review '{"id":"blank"}' 201 ''
t 'a reference without a specification is refused' POST $TS/content/template create '{"id":"api-reference"}' 400 \
	'.fields[0].path == "/params/contentRefs/openapi"'
t 'a reference to an unknown specification answers 404' POST $TS/content/template create \
	'{"id":"api-reference","params":{"contentRefs":{"openapi":{"kind":"openapi","spec":"nope"}}}}' 404 ''
t 'a specification is created' PUT /v1/orgs/$ORG/openapi/paws create \
	'{"source":{"text":"{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"Paws\",\"version\":\"1\"},'\
'\"paths\":{\"/paws\":{\"get\":{\"operationId\":\"listPaws\",\"tags\":[\"paws\"],\"responses\":{\"200\":{\"description\":\"All\"}}}}}}"}}' 200 ''
openapi_done $ORG paws create
t 'a request is opened with a reference' POST $TS/change-requests create \
	'{"template":{"id":"api-reference","params":{"contentRefs":{"openapi":{"kind":"openapi","spec":"paws"}}}}}' 201 ''
RCR=$TS/change-requests/$(jq -r .id "$out")
t 'a request with a reference has a computed page' GET "$RCR/content/pages?computed=false" create '' 200 \
	'[.pages[-5:][].title] == ["Introduction", "Authentication", "Requests and answers", "Errors", "paws"] and .pages[-1].type == "computed"'
t 'the computed page of a reference has its operations' GET "$RCR/content/pages" create '' 200 '(.pages | length) > 17 and .pages[-1].type == "document"'
get /v1/orgs/$ORG/openapi/paws create
paws=$(jq -r .id "$out")
t 'a reference may name its specification by id' POST $TS/change-requests create \
	'{"template":{"id":"api-reference","params":{"contentRefs":{"openapi":{"kind":"openapi","spec":"'$paws'"}}}}}' 201 ''
t 'a reference by id has the same pages' GET "$TS/change-requests/$(jq -r .number "$out")/content/pages?computed=false" create '' 200 \
	'.pages[-1] | .type == "computed" and .title == "paws" and .computed.dependencies.spec.ref.spec == "paws"'
t 'a specification of another organization answers 404' POST /v1/spaces/$SPACE_B/content/template other \
	'{"id":"api-reference","params":{"contentRefs":{"openapi":{"kind":"openapi","spec":"'$paws'"}}}}' 404 ''
t 'a merge rule is set' PATCH $TS create '{"mergeRules":{"type":"rules","rules":[{"rule":"require_at_least_one_review"}]}}' 200 ''
t 'a template that a merge rule blocks is refused' POST $TS/content/template review '{"id":"blank"}' 412 '.error.message | contains("rule")'
t 'a blocked template changes nothing' GET $TS/content/pages create '' 200 '.pages | length == 13'
t 'the space is locked' PATCH $TS create '{"editMode":"locked"}' 200 ''
t 'a locked space takes no template' POST $TS/content/template create '{"id":"blank"}' 403 ''
