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
t 'If-Match, any' PATCH $P admin '{"title":"E5"}' 200 '' 'If-Match: *'
t 'If-Match, none' PATCH $P admin '{"title":"E6"}' 412 '' 'If-Match: ""'
t 'If-Match, another caller' PATCH $P admin '{"title":"E6"}' 412 '' "If-Match: $(get $P read; header etag)"
t 'input before condition' PATCH $P admin '{"title":1}' 400 '' 'If-Match: "x"'
t 'access before condition' PATCH $P read '{"title":"E6"}' 403 '' 'If-Match: "x"'
t 'DELETE, stale' DELETE $P admin '' 412 '' 'If-Match: "x"'
t 'still there' GET $P admin '' 200 '.title == "E5"'
t 'back' PATCH $P admin '{"title":"Empty"}' 200 '.title == "Empty"' "If-Match: $(header etag)"
t 'both conditions' PATCH $P admin '{"title":"Empty"}' 200 '.title == "Empty"' 'If-Match: *' 'If-None-Match: *'
