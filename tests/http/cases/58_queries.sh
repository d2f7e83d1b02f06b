# Queries with a meaning for a search engine, which are plain words for a reader.
for q in '%22' '%22%22' '*' '(' 'AND' 'NEAR(a+b)' 'title%3Aa' '-a' 'a%00' '%27%3B--' '%5E' '%E2%80%AE'; do
	send GET "/v1/spaces/$SPACE/search?query=$q" read ''
	case $code in 200 | 400) pass ;; *) fail "a query of search syntax answers 200 or 400: $q" "$code: $(head -c 200 "$out")" ;; esac
done
t 'a search of an organization without a query is refused' GET "/v1/orgs/$ORG/search" read '' 400 '.fields[0].path == "/query"'

# The same content, through a change request.
R=/v1/spaces/$SPACE/change-requests/$REQUEST
for at in page/$PAGE/links page/$PAGE/backlinks files/$FILE/backlinks; do
	t "links and backlinks are listed in a request: $at" GET $R/content/$at read '' 200 '.items | type == "array"'
done
t 'links of a request are listed' GET $R/links read '' 200 '.items | type == "array"'
t 'reusable content is read in a request' GET $R/content/reusable-contents/$REUSABLE read '' 200 '.id == "'$REUSABLE'"'
