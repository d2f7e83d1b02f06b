# Conditional requests.
P=/v1/spaces/$EMPTY
t 'tag' GET $P admin '' 200 ''
tag=$(header etag)
same 'cache' 'private, no-cache' "$(header cache-control)"
t 'the same again' GET $P admin '' 200 ''
same 'the same tag' "$tag" "$(header etag)"
t 'other callers' GET $P read '' 200 ''
[ "$(header etag)" != "$tag" ] && pass || fail 'tag' 'other flags have the same tag'
t 'not modified' GET $P admin '' 304 '' "If-None-Match: $tag"
same '304 has the tag' "$tag" "$(header etag)"
t 'not modified, weakened by gzip' GET $P admin '' 304 '' "If-None-Match: W/$tag"
t 'not modified, as Apache names it compressed' GET $P admin '' 304 '' "If-None-Match: ${tag%\"}-gzip\""
same '304 has the tag itself' "$tag" "$(header etag)"
t 'not modified, one of several' GET $P admin '' 304 '' "If-None-Match: \"a\", W/\"b\",$tag"
t 'not modified, any' GET $P admin '' 304 '' 'If-None-Match: *'
t 'modified' GET $P admin '' 200 '' 'If-None-Match: "a"'
t 'a tag without quotes' GET $P admin '' 200 '' "If-None-Match: $(printf %s "$tag" | tr -d '"')"
t 'a tag that does not end' GET $P admin '' 200 '' "If-None-Match: $(printf %s "$tag" | sed 's/"$//')"
t 'nonsense' GET $P admin '' 200 '' 'If-None-Match: ,,;W/W/"'
t 'a condition is no way round access' GET $P other '' 404 '' "If-None-Match: $tag"
t 'nor round a token' GET $P - '' 401 '' 'If-None-Match: *'

# Content answers from the tag alone.
for at in content content/pages content/page/$PAGE content/path/guide content/files content/files/$FILE \
	content/reusable-contents/$REUSABLE revisions/$REV revisions/$REV/page/$PAGE/document git/info \
	"content/page/$PAGE?format=markdown"; do
	t "$at" GET /v1/spaces/$SPACE/$at admin '' 200 ''
	tag=$(header etag)
	t "$at: not modified" GET /v1/spaces/$SPACE/$at admin '' 304 '' "If-None-Match: $tag"
done
t 'the tag of a page as Markdown is not that of the document' GET /v1/spaces/$SPACE/content/page/$PAGE admin '' 200 '' "If-None-Match: $tag"

# Writes.
t 'tag before' GET $P admin '' 200 ''
tag=$(header etag)
t 'If-Match' PATCH $P admin '{"title":"E2"}' 200 '.title == "E2"' "If-Match: $tag"
t 'If-Match, stale' PATCH $P admin '{"title":"E3"}' 412 '.error.message | length > 20' "If-Match: $tag"
t 'nothing was changed' GET $P admin '' 200 '.title == "E2"'
tag=$(header etag)
t 'If-Match, weakened by gzip' PATCH $P admin '{"title":"E4"}' 200 '' "If-Match: W/$tag"
get $P
tag=$(header etag)
t 'If-Match, as Apache names it compressed' PATCH $P admin '{"title":"E4a"}' 200 '' "If-Match: ${tag%\"}-gzip\""
t 'If-Match, stale and compressed' PATCH $P admin '{"title":"E4b"}' 412 '' "If-Match: ${tag%\"}-gzip\""
t 'If-Match, any' PATCH $P admin '{"title":"E5"}' 200 '' 'If-Match: *'
t 'If-Match, none' PATCH $P admin '{"title":"E6"}' 412 '' 'If-Match: ""'
t 'If-Match, another caller' PATCH $P admin '{"title":"E6"}' 412 '' "If-Match: $(get $P read; header etag)"
t 'input before condition' PATCH $P admin '{"title":1}' 400 '' 'If-Match: "x"'
t 'access before condition' PATCH $P read '{"title":"E6"}' 403 '' 'If-Match: "x"'
t 'DELETE, stale' DELETE $P admin '' 412 '' 'If-Match: "x"'
t 'still there' GET $P admin '' 200 '.title == "E5"'
t 'back' PATCH $P admin '{"title":"Empty"}' 200 '.title == "Empty"' "If-Match: $(header etag)"
t 'both conditions' PATCH $P admin '{"title":"Empty"}' 200 '.title == "Empty"' 'If-Match: *' 'If-None-Match: *'

# If-Match counts on every write: against the GET of the same address, of what a POST acts on, of a list.
t 'POST, stale' POST $P/duplicate admin '' 412 '.error.message | contains("its tag is now")' 'If-Match: "x"'
t 'the list' GET "/v1/orgs/$ORG/spaces" admin '' 200 ''
tag=$(header etag)
t 'to add to a list that was changed' POST /v1/orgs/$ORG/spaces admin '{"title":"Listed"}' 412 '' 'If-Match: "x"'
t 'and to one that was not' POST /v1/orgs/$ORG/spaces admin '{"title":"Listed"}' 201 '' "If-Match: $tag"
listed=$(jq -r .id "$out")
t 'which it now was' POST /v1/orgs/$ORG/spaces admin '{"title":"Listed"}' 412 '' "If-Match: $tag"
t 'the one that was made' GET /v1/spaces/$listed admin '' 200 ''
tag=$(header etag)
t 'moved as it was seen' POST /v1/spaces/$listed/move admin '{"parent":"'$COLLECTION'"}' 200 '.parent == "'$COLLECTION'"' "If-Match: $tag"
t 'not as it was seen before' POST /v1/spaces/$listed/move admin '{"parent":null}' 412 '' "If-Match: $tag"
t 'a page of a list, under its query' GET "/v1/orgs/$ORG/spaces?limit=1" admin '' 200 ''
t 'is another tag' POST "/v1/orgs/$ORG/spaces" admin '{}' 412 '' "If-Match: $(header etag)"
t 'nothing to match' DELETE /v1/spaces/$listed/permissions/users/$U_read admin '' 400 '.error.message | contains("If-Match")' 'If-Match: "x"'
t 'what is not there is not there first' POST /v1/orgs/$ORG/invites/nothing admin '' 404 '' 'If-Match: *'
t 'what one may not see has no tag' POST /v1/orgs/$ORG/join stranger '' 404 '' 'If-Match: *'
send POST /v1/spaces/$listed/change-requests admin '{"subject":"Matched"}'
request=/v1/spaces/$listed/change-requests/$(jq -r .id "$out") revision=$(jq -r .revision "$out")
t 'written' POST $request/content admin '{"changes":[{"operation":"insert_page","title":"New","document":{"markdown":"x"}}]}' 200 '' "If-Match: \"$revision\""
t 'not merged as it was before' POST $request/merge admin '' 412 '.error.message | contains("its revision is now")' "If-Match: \"$revision\""
get $request admin
revision=$(jq -r .revision "$out")
t 'merged as it was reviewed' POST $request/merge admin '' 200 '.result == "merge"' "If-Match: \"$revision\""
t 'deleted as it is' DELETE /v1/spaces/$listed admin '' 204 '' "If-Match: $(get /v1/spaces/$listed; header etag)"
