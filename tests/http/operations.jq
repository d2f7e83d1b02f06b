# For sweep.jq and access*.jq: the operations in /v1/openapi.json, and values that match their
# schemas. $d is the description.

# ---- schemas ----

def resolve($d): if type == "object" and has("$ref")
	then $d.components.schemas[.["$ref"] | ltrimstr("#/components/schemas/")] else . end;
def nullable: (.type | type == "array" and index("null") != null) or (.anyOf // [] | any(.type == "null"))
	or (.enum // [] | index(null) != null);
def bare: if (.anyOf // [] | any(.type == "null")) then [.anyOf[] | select(.type != "null")][0] else . end;
def kind: if .enum then "enum" elif (.type | type) == "array" then [.type[] | select(. != "null")][0] else .type end;
def times($n): if $n > 0 then . * $n else "" end;

# A valid value, of the required members only.
def fitting($d): bare | resolve($d) | . as $f |
	if .oneOf then .oneOf[0] | fitting($d)
	elif .enum then [.enum[] | select(. != null)][0]
	elif kind == "object" then . as $s
		| (.required // (if .minProperties then [.properties | keys_unsorted[0]] else [] end)) as $names
		| reduce $names[] as $n ({}; .[$n] = ($s.properties[$n] | fitting($d)))
	elif kind == "array" then [range(.minItems // 0) as $i | .items | fitting($d)]
	elif kind == "string" then
		if .format == "date-time" then "2026-01-31T09:30:00Z" elif .format == "uri" then "https://example.com/x"
		elif .format == "emoji" then "1f44d"
		else "x" | times([$f.minLength // 1, 1] | max) end
	elif kind == "integer" or kind == "number" then .minimum // 1
	elif kind == "boolean" then true
	else "x" end;

# ---- operations ----

# Text with {name} in it: each is replaced by the map's value of that name.
def fill($map): reduce ($map | to_entries[]) as $e (.; if contains("{" + $e.key + "}")
	then split("{" + $e.key + "}") | join($e.value) else . end);
def variables: [scan("\\{([^}]*)\\}")[0]];

# All operations: { id, method, writes, template, vars, rule, open, query, schema, statuses, done,
# get }; done: statuses of success; writes: false for POSTs that only read.
def operations: .paths | to_entries[] | .key as $template | .value as $methods | .value | to_entries[]
	| { template: $template, method: (.key | ascii_upcase), rule: .value["x-octavo-access"], callers: .value["x-octavo-callers"], writes: .value["x-octavo-writes"], id: .value.operationId,
	    bytes: (.value.requestBody.content | has("application/octet-stream")?),
	    open: (.value.security == []), query: [.value.parameters[]? | select(.in == "query")],
	    schema: .value.requestBody.content["application/json"].schema, vars: ($template | variables),
	    statuses: [.value.responses | keys[] | tonumber], get: ($methods | has("get")) }
	| .done = [.statuses[] | select(. < 300)];

# The ids for its path: a user can change only themselves, restore needs a deleted space, and
# comments of a change request are not those of the space.
def own_ids($ids): . as $o | $ids
	+ (if $o.rule == "SELF" then { userId: ($ids.user_admin // $ids.userId) } else {} end)
	+ (if $o.rule == "SPACE_DELETED" then { spaceId: $ids.deletedSpaceId } else {} end)
	+ (if $o.template | contains("{changeRequestId}")
		then { commentId: $ids.requestCommentId, commentReplyId: $ids.requestCommentReplyId } else {} end);
