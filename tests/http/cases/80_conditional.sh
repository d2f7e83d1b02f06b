# Conditional requests.
P=/v1/spaces/$EMPTY
t 'a space has an ETag' GET $P admin '' 200 ''
tag=$(header etag)
same 'an answer is private and revalidated' 'private, no-cache' "$(header cache-control)"
t 'the space is read again' GET $P admin '' 200 ''
same 'an unchanged space has the same ETag' "$tag" "$(header etag)"
t 'another caller reads the space' GET $P read '' 200 ''
[ "$(header etag)" != "$tag" ] && pass || fail 'other permissions have another ETag' 'other flags have the same tag'
t 'a matching If-None-Match answers 304' GET $P admin '' 304 '' "If-None-Match: $tag"
same 'a 304 has the ETag' "$tag" "$(header etag)"
t 'a weak ETag matches' GET $P admin '' 304 '' "If-None-Match: W/$tag"
t 'an ETag with the suffix of Apache matches' GET $P admin '' 304 '' "If-None-Match: ${tag%\"}-gzip\""
same 'a 304 for that suffix has the ETag without it' "$tag" "$(header etag)"
t 'one of several ETags matches' GET $P admin '' 304 '' "If-None-Match: \"a\", W/\"b\",$tag"
t 'a star matches' GET $P admin '' 304 '' 'If-None-Match: *'
t 'another ETag answers 200' GET $P admin '' 200 '' 'If-None-Match: "a"'
t 'an ETag without quotes does not match' GET $P admin '' 200 '' "If-None-Match: $(printf %s "$tag" | tr -d '"')"
t 'an ETag without its last quote does not match' GET $P admin '' 200 '' "If-None-Match: $(printf %s "$tag" | sed 's/"$//')"
t 'a broken If-None-Match answers 200' GET $P admin '' 200 '' 'If-None-Match: ,,;W/W/"'
t 'a condition opens nothing to others' GET $P other '' 404 '' "If-None-Match: $tag"
t 'a condition does not replace the token' GET $P - '' 401 '' 'If-None-Match: *'

# Content is answered from its ETag alone.
for at in content content/pages content/page/$PAGE content/path/guide content/files content/files/$FILE \
	content/reusable-contents/$REUSABLE revisions/$REV revisions/$REV/page/$PAGE/document git/info \
	"content/page/$PAGE?format=markdown"; do
	t "content is read: $at" GET /v1/spaces/$SPACE/$at admin '' 200 ''
	tag=$(header etag)
	t "content with its ETag answers 304: $at" GET /v1/spaces/$SPACE/$at admin '' 304 '' "If-None-Match: $tag"
done
t 'Markdown and document of a page have different ETags' GET /v1/spaces/$SPACE/content/page/$PAGE admin '' 200 '' "If-None-Match: $tag"

# Writes.
t 'the space is read before the writes' GET $P admin '' 200 ''
tag=$(header etag)
t 'a matching If-Match changes the space' PATCH $P admin '{"title":"E2"}' 200 '.title == "E2"' "If-Match: $tag"
t 'an outdated If-Match answers 412' PATCH $P admin '{"title":"E3"}' 412 '.error.message | length > 20' "If-Match: $tag"
t 'a 412 changes nothing' GET $P admin '' 200 '.title == "E2"'
tag=$(header etag)
t 'a weak If-Match matches' PATCH $P admin '{"title":"E4"}' 200 '' "If-Match: W/$tag"
get $P
tag=$(header etag)
t 'an If-Match with the suffix of Apache matches' PATCH $P admin '{"title":"E4a"}' 200 '' "If-Match: ${tag%\"}-gzip\""
t 'an outdated If-Match with that suffix answers 412' PATCH $P admin '{"title":"E4b"}' 412 '' "If-Match: ${tag%\"}-gzip\""
t 'a star in If-Match matches' PATCH $P admin '{"title":"E5"}' 200 '' 'If-Match: *'
t 'an empty ETag in If-Match answers 412' PATCH $P admin '{"title":"E6"}' 412 '' 'If-Match: ""'
t 'the ETag of another caller answers 412' PATCH $P admin '{"title":"E6"}' 412 '' "If-Match: $(get $P read; header etag)"
t 'input is checked before the condition' PATCH $P admin '{"title":1}' 400 '' 'If-Match: "x"'
t 'access is checked before the condition' PATCH $P read '{"title":"E6"}' 403 '' 'If-Match: "x"'
t 'DELETE with another ETag answers 412' DELETE $P admin '' 412 '' 'If-Match: "x"'
t 'a refused DELETE deletes nothing' GET $P admin '' 200 '.title == "E5"'
t 'the title is restored' PATCH $P admin '{"title":"Empty"}' 200 '.title == "Empty"' "If-Match: $(header etag)"
t 'If-None-Match is ignored on writes' PATCH $P admin '{"title":"Empty"}' 200 '.title == "Empty"' 'If-Match: *' 'If-None-Match: *'

# If-Match applies to every write: it is compared with the GET of the same path, of the object that
# a POST acts on, or of a list.
t 'POST with another ETag answers 412' POST $P/duplicate admin '' 412 '.error.message | contains("its tag is now")' 'If-Match: "x"'
t 'the list of spaces is read' GET "/v1/orgs/$ORG/spaces" admin '' 200 ''
tag=$(header etag)
t 'a space is not added to a list of another ETag' POST /v1/orgs/$ORG/spaces admin '{"title":"Listed"}' 412 '' 'If-Match: "x"'
t 'a space is added to a list of its ETag' POST /v1/orgs/$ORG/spaces admin '{"title":"Listed"}' 201 '' "If-Match: $tag"
listed=$(jq -r .id "$out")
t 'the ETag of a list changes with its spaces' POST /v1/orgs/$ORG/spaces admin '{"title":"Listed"}' 412 '' "If-Match: $tag"
t 'the created space is read' GET /v1/spaces/$listed admin '' 200 ''
tag=$(header etag)
t 'a space moves with its ETag' POST /v1/spaces/$listed/move admin '{"parent":"'$COLLECTION'"}' 200 '.parent == "'$COLLECTION'"' "If-Match: $tag"
t 'a space does not move with an outdated ETag' POST /v1/spaces/$listed/move admin '{"parent":null}' 412 '' "If-Match: $tag"
t 'a page of the list is read' GET "/v1/orgs/$ORG/spaces?limit=1" admin '' 200 ''
t 'the ETag of a page of a list is not that of the list' POST "/v1/orgs/$ORG/spaces" admin '{}' 412 '' "If-Match: $(header etag)"
t 'If-Match is refused where there is nothing to compare' DELETE /v1/spaces/$listed/permissions/users/$U_read admin '' 400 \
	'.error.message | contains("If-Match")' 'If-Match: "x"'
t '404 goes before the condition' POST /v1/orgs/$ORG/invites/nothing admin '' 404 '' 'If-Match: *'
t 'what one may not see answers 404 before the condition' POST /v1/orgs/$ORG/join stranger '' 404 '' 'If-Match: *'
send POST /v1/spaces/$listed/change-requests admin '{"subject":"Matched"}'
request=/v1/spaces/$listed/change-requests/$(jq -r .id "$out") revision=$(jq -r .revision "$out")
t 'content is written with the ETag of its revision' POST $request/content admin \
	'{"changes":[{"operation":"insert_page","title":"New","document":{"markdown":"x"}}]}' 200 '' "If-Match: \"$revision\""
t 'a merge with an outdated revision answers 412' POST $request/merge admin '' 412 '.error.message | contains("its revision is now")' "If-Match: \"$revision\""
get $request admin
revision=$(jq -r .revision "$out")
t 'a merge with the current revision goes through' POST $request/merge admin '' 200 '.result == "merge"' "If-Match: \"$revision\""
t 'a space is deleted with its ETag' DELETE /v1/spaces/$listed admin '' 204 '' "If-Match: $(get /v1/spaces/$listed; header etag)"
