# Style guides of sites, and checks of spaces against them.
YO=/v1/orgs/$ORG
style_one=$(space_empty 'Checked') style_two=$(space_empty 'Not shown')
t 'a site for a style guide is created' POST $YO/sites admin '{"title":"Styled","spaces":["'$style_one'"]}' 201 'has("styleguide") | not'
Y=$YO/sites/$(jq -r .id "$out")
t 'templates of style guides have their text' GET $YO/styleguide-templates read '' 200 \
	'(.templates | length) >= 2 and all(.templates[]; (.markdown | length) > 200 and .id != "" and .title != "")'
t 'strangers read no templates' GET $YO/styleguide-templates stranger '' 404 ''
t 'a check needs a style guide' POST $Y/styleguide/runs admin '{"spaces":["'$style_one'"]}' 404 '.error.message | contains("style guide")'
t 'a style guide of an unknown template is refused' POST $Y/styleguide admin '{"template":"blank"}' 404 ''
t 'a style guide is made from a template' POST $Y/styleguide create '{"template":"styleguide-plain"}' 200 '.object == "space" and .type == "styleguide"'
style_guide=$(jq -r .id "$out")
t 'the style guide has the text of the template' GET /v1/spaces/$style_guide/content/pages create '' 200 '[.pages[].title] == ["Writing style"]'
t 'the style guide that there is stays' POST $Y/styleguide create '{}' 200 '.id == "'$style_guide'"'
t 'the site names its style guide' GET $Y admin '' 200 '.styleguide == {kind: "space", space: "'$style_guide'"}'
t 'other spaces are no style guides' GET /v1/spaces/$style_one admin '' 200 'has("type") | not'
t 'style guides are listed with their sites' GET $YO/styleguides admin '' 200 \
	'[.styleguides[] | select(.space.id == "'$style_guide'") | .sites[].title] == ["Styled"]'
t 'who sees no site is told none' GET $YO/styleguides read '' 200 '[.styleguides[] | select(.space.id == "'$style_guide'") | .sites[]] == []'
t 'a guest is told no style guide' GET $YO/styleguides guest '' 200 '.styleguides == []'
t 'a site leaves its style guide' PATCH $Y admin '{"styleguide":null}' 200 'has("styleguide") | not'
t 'a site names a style guide' PATCH $Y admin '{"styleguide":"'$style_guide'"}' 200 '.styleguide.space == "'$style_guide'"'
t 'a site names no other space' PATCH $Y admin '{"styleguide":"'$style_one'"}' 400 ''
t 'a site names no unknown space' PATCH $Y admin '{"styleguide":"noSuchThing00000000000"}' 404 ''

# Checks.
t 'a site has no checks at first' GET $Y/styleguide/runs admin '' 200 '.items == [] and .count == 0'
t 'a check opens a draft in each space' POST $Y/styleguide/runs create '{"spaces":["'$style_one'"]}' 201 \
	'.run.object == "styleguide-run" and .run.spaces == ["'$style_one'"] and .run.createdBy.id == "'$U_create'"
	and (.changeRequests | length) == 1 and .changeRequests[0].status == "draft" and .changeRequests[0].styleguide.run == .run.id'
style_run=$(jq -r .run.id "$out") style_request=$(jq -r '.changeRequests[0].id' "$out")
t 'checks are listed' GET $Y/styleguide/runs admin '' 200 '[.items[].id] == ["'$style_run'"]'
t 'requests of a check are found' GET "$YO/change-requests?styleguideRun=$style_run" read '' 200 '[.items[].id] == ["'$style_request'"]'
t 'the next check takes over what is open' POST $Y/styleguide/runs create '{"spaces":["'$style_one'"]}' 201 \
	'.run.id != "'$style_run'" and .changeRequests[0].id == "'$style_request'" and .changeRequests[0].styleguide.run == .run.id'
t 'what is archived is not taken over' PATCH /v1/spaces/$style_one/change-requests/$style_request admin '{"status":"archived"}' 200 ''
t 'a check after it opens another' POST $Y/styleguide/runs create '{"spaces":["'$style_one'"]}' 201 '.changeRequests[0].id != "'$style_request'"'
t 'a space that the site does not show is not checked' POST $Y/styleguide/runs create '{"spaces":["'$style_one'","'$style_two'"]}' 404 ''
t 'the style guide itself is not checked' POST $Y/styleguide/runs create '{"spaces":["'$style_guide'"]}' 404 ''
t 'a refused check leaves nothing' GET $Y/styleguide/runs admin '' 200 '.count == 3'
t 'no space is no check' POST $Y/styleguide/runs create '{"spaces":[]}' 400 ''
t 'four spaces are too many' POST $Y/styleguide/runs create '{"spaces":["a","b","c","d"]}' 400 ''
t 'the space is closed' PATCH /v1/spaces/$style_one admin '{"defaultLevel":"read"}' 200 ''
t 'a check takes edit on the space' POST $Y/styleguide/runs create '{"spaces":["'$style_one'"]}' 403 ''
t 'readers begin no check' POST $Y/styleguide/runs read '{"spaces":["'$style_one'"]}' 404 ''
t 'a deleted style guide is none' DELETE /v1/spaces/$style_guide admin '' 204 ''
t 'the site gets another style guide' POST $Y/styleguide create '' 200 '.id != "'$style_guide'" and .type == "styleguide"'
t 'the site with a style guide is deleted' DELETE $Y admin '' 204 ''
t 'the space is open again' PATCH /v1/spaces/$style_one admin '{"defaultLevel":"inherit"}' 200 ''
