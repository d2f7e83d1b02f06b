# S2: every GET of the objects of the `main` and the `sibling` place, with every value of its query
# and the secret word where it takes a text, by each caller who is no admin. Sent before and after
# hidden objects are created: no response may differ. Left out are PDFs, whose URLs contain the
# second of their expiry, like previews of sites (access_matrix.jq tests who gets one), and the
# glossary, which belongs to the whole organization, so that its terms cannot be hidden.
include "operations";
include "access";

def lesser: callers | select(.who | IN("other", "stranger", "guest", "read", "review", "create", "guest_edit", "team_admin", "coll_team",
	"narrowed", "owner"));
# Parameters that take ids are tested by access_ids.jq; here they get known ids.
def values($word): .name as $name
	| if $name == "limit" then 0, 1000
	elif .schema.enum then .schema.enum[] | values
	elif .schema.type == "boolean" then true, false
	elif .schema.type == "array" then .schema.items.enum[]?
	elif $name | IN("query", "search", "title", "shareKey") then $word
	elif $name | IN("owner", "creator", "contributor", "requestedReviewer", "authors") then "{userId}"
	elif $name == "targetPage" then "{pageId}"
	elif $name == "space" then "{spaceId}" elif $name == "collection" then "{collectionId}" else empty end;

. as $d
| [lesser as $c | operations as $o | select($o.method == "GET" and ($o.open | not) and ($o.id | endswith("PDF") | not)
		and ($o.id | IN("getSitePublishingPreviewById", "listGlossaryEntries", "getGlossaryEntry") | not))
	| variants_of($o)[] as $v
	| ($c | call($d; $main[0] + $sibling[0]; $o; $v)), ($c | call($d; $main[0]; $o; $v)
	| (.plain = true), (. as $r | $o.query[] | select(.required | not) | .name as $name | values($word) | tostring | fill($main[0]) | @uri | . as $value
		| $r | .path += (if .path | contains("?") then "&" else "?" end) + "\($name)=\($value)"),
	  (if $o.query | any(.name == "query") then .path |= sub("query=x"; "query=" + ($word, $word[0:5], $word[1:], "words")) else empty end))]
| unique_by([.who, .path])
