# Requests for the sweep, out of /v1/openapi.json: every way in which each
# operation must refuse, whatever it does otherwise; or, where $what is "keys",
# each POST twice with one Idempotency-Key and another body.
#
# In: the description. $ids: path parameter -> an id of the fixture; $foreign:
# the same of another organization. Out: an array of
#   { name, method, path, who, body?, type?, headers?, want: [statuses], at? }
# at: a path that one of the answer's fields must begin with.

def levels: { SPACE_SEE: 1, SPACE_READ: 1, SPACE_COMMENT: 2, SPACE_EDIT: 3, SPACE_REVIEW: 4,
	SPACE_CREATE: 5, COLLECTION_READ: 1, COLLECTION_CREATE: 5, TEAM_VIEW: 1, TEAM_ADMIN: 6, MEMBER_VIEW: 1, ORG_READ: 1, ORG_CREATE: 5, ORG_ADMIN: 6 };
def roles: ["guest", "read", "comment", "edit", "review", "create", "admin"];
def writes: .method != "GET";

# ---- schemas ----

def resolve($d): if type == "object" and has("$ref")
	then $d.components.schemas[.["$ref"] | ltrimstr("#/components/schemas/")] else . end;
def nullable: (.type | type == "array" and index("null") != null) or (.anyOf // [] | any(.type == "null"))
	or (.enum // [] | index(null) != null);
def bare: if (.anyOf // [] | any(.type == "null")) then [.anyOf[] | select(.type != "null")][0] else . end;
def kind: if .enum then "enum" elif (.type | type) == "array" then [.type[] | select(. != "null")][0] else .type end;
def times($n): if $n > 0 then . * $n else "" end;

# A value that fits, of the required members alone.
def fitting($d): bare | resolve($d) | . as $f |
	if .oneOf then .oneOf[0] | fitting($d)
	elif .enum then [.enum[] | select(. != null)][0]
	elif kind == "object" then . as $s | reduce (.required // [])[] as $n ({}; .[$n] = ($s.properties[$n] | fitting($d)))
	elif kind == "array" then [range(.minItems // 0) as $i | .items | fitting($d)]
	elif kind == "string" then
		if .format == "date-time" then "2026-01-31T09:30:00Z" elif .format == "uri" then "https://example.com/x"
		else "x" | times([$f.minLength // 1, 1] | max) end
	elif kind == "integer" or kind == "number" then .minimum // 1
	elif kind == "boolean" then true
	else "x" end;

# Values that do not fit: {v, at: where below it}.
def unfit($d; $depth): nullable as $null | bare | resolve($d) | . as $s |
	(if $null or (kind == null and (.oneOf | not)) then empty else { v: null, at: "" } end),
	(if .oneOf then ({ v: 5, at: "" }, { v: { type: "no such form" }, at: "" },
		# A form is known by its type: another one is no form at all.
		(.oneOf[] | select($depth < 3) | unfit($d; $depth + 1) | select(.v | type == "object" and has("type"))
			| if .at | startswith("/type") then .at = "" else . end))
	elif .enum then { v: "no such value", at: "" }, { v: 5, at: "" }
	elif kind == "string" then { v: 5, at: "" }, { v: [], at: "" },
		(if .maxLength then { v: ("é" | times($s.maxLength + 1)), at: "" } else empty end),
		(if (.minLength // 0) > 0 then { v: "", at: "" } else empty end),
		(if .format == "date-time" then { v: "yesterday", at: "" }, { v: "2026-02-30T00:00:00Z", at: "" } else empty end),
		(if .format == "uri" then { v: "javascript:alert(1)", at: "" }, { v: "/x", at: "" } else empty end)
	elif kind == "integer" then { v: "1", at: "" }, { v: 1.5, at: "" }, { v: 1e300, at: "" },
		(if .maximum then { v: ($s.maximum + 1), at: "" }, { v: ($s.minimum - 1), at: "" } else empty end)
	elif kind == "number" then { v: "1", at: "" }
	elif kind == "boolean" then { v: "true", at: "" }, { v: 1, at: "" }
	elif kind == "array" then { v: {}, at: "" }, { v: "x", at: "" },
		(if .maxItems then { v: ([range($s.maxItems + 1)] | map($s.items | fitting($d))), at: "" } else empty end),
		(if $depth < 3 then .items | unfit($d; $depth + 1) | { v: [.v], at: ("/0" + .at) } else empty end)
	elif kind == "object" then { v: [], at: "" }, { v: "x", at: "" },
		(if .additionalProperties == false
			then { v: (($s | fitting($d)) + { "no-such-member": 1 }), at: "/no-such-member" } else empty end),
		((.required // [])[] as $n | { v: ($s | fitting($d) | del(.[$n])), at: ("/" + $n) }),
		(if $depth < 3 then (.properties // {} | to_entries[]) as $p | $p.value | unfit($d; $depth + 1)
			| { v: (($s | fitting($d)) + { ($p.key): .v }), at: ("/" + $p.key + .at) } else empty end)
	else empty end);

# Body texts that do not fit, with the field that is at fault.
def bad_bodies($d): . as $schema | (unfit($d; 0) | { body: (.v | tojson), at }),
	# Each member twice: no object of jq can hold that.
	(resolve($d) | (.properties // {}) | to_entries[] | (.key | tojson) as $k | (.value | fitting($d) | tojson) as $v
		| { body: "{\($k):\($v),\($k):\($v)}", at: ("/" + .key) });

def bad_values: kind as $k | if .enum then "no-such-value" elif $k == "integer" then "x", "1.5", "-1", "1e99"
	elif $k == "boolean" then "maybe", "2" elif $k == "array" then (.items | if .enum then "no-such-value" else empty end)
	elif .maxLength then . as $q | ("x" | times($q.maxLength + 1)) else empty end;

# ---- operations ----

def fill($map): reduce ($map | to_entries[]) as $e (.; gsub("\\{" + $e.key + "\\}"; $e.value));
def variables: [scan("\\{([^}]*)\\}")[0]];

def operations: . as $d | .paths | to_entries[] | .key as $template | .value as $methods | .value | to_entries[]
	| { template: $template, method: (.key | ascii_upcase), rule: .value["x-octavo-access"], id: .value.operationId,
	    open: (.value.security == []), query: [.value.parameters[]? | select(.in == "query")],
	    schema: .value.requestBody.content["application/json"].schema, vars: ($template | variables),
	    statuses: [.value.responses | keys[] | tonumber], get: ($methods | has("get")) }
	| .ids = $ids + (if .rule == "SPACE_DELETED" then { spaceId: $ids.deletedSpaceId } else {} end)
		# Comments of a change request are not those of the space.
		+ (if (.template | contains("{changeRequestId}")) and $ids.requestCommentId
			then { commentId: $ids.requestCommentId, commentReplyId: $ids.requestCommentReplyId } else {} end)
	| .ids as $mine | .path = "/v1" + (.template | fill($mine))
	| .body = (if .schema then .schema | fitting($d) | tojson else null end);

def request($o; $name): { name: "\($o.id): \($name)", method: $o.method, path: $o.path, who: "admin" };

# Nobody, and tokens that are worth nothing.
def without_token($o): if $o.open then empty else
	(request($o; "no token") | .who = "-" | .want = [401]),
	(("unknown", "revoked", "expired") as $t | request($o; $t + " token") | .who = $t | .want = [401]),
	(if $o.method != "GET" then request($o; "read token") | .who = "readonly" | .want = [403] | .body = $o.body else empty end)
	end;

# Callers of another organization and of lesser roles. DELETE of what one may not know of: nothing is left to do.
def wrong_caller($o):
	($o.vars[0] // "") as $first |
	($o.method == "DELETE" and ($o.vars | length) == 1) as $itself |
	# Who may join needs to be nothing there yet.
	(if $o.rule != "USER" and (["organizationId", "spaceId", "collectionId"] | index($first)) then
		(("other", "stranger", "disabled") as $w | request($o; "caller \($w)") | .who = $w | .body = $o.body
			| .want = (if $itself then [204] else [404] end))
	else empty end),
	(levels[$o.rule] as $need | select($need != null) |
		range(0; $need) as $have | request($o; "role \(roles[$have])") | .who = roles[$have] | .body = $o.body
		| .want = (if $have > 0 or ($o.rule | test("^(ORG|TEAM|MEMBER)_")) then [403] elif $itself then [204] else [404] end));

# Two ids, one of them of somebody else; and ids that never were (S1).
def wrong_ids($o; $d):
	range($o.vars | length) as $i | $o.vars[$i] as $v |
	({ foreign: $foreign[$v], unknown: "noSuchThing00000000000", odd: "%22%27%3B--%20%00"[0:11] } | to_entries[]
		| select(.value != null)) as $e |
	request($o; "\($e.key) \($v)") | .path = "/v1" + ($o.template | fill($o.ids + { ($v): $e.value })) | .body = $o.body
	# What is not there needs no deleting, unless what holds it is unknown altogether.
	| .want = (if $o.method != "DELETE" then [404]
		elif $i + 1 < ($o.vars | length) and (["organizationId", "spaceId", "collectionId", "siteId"] | index($v)) then [404]
		else [204] end);

def wrong_input($o; $d): if $o.method == "GET" then empty else
	(if $o.schema == null then { body: "{\"no-such-member\":1}", at: "/no-such-member" }, { body: "[]", at: "" }, { body: "{", at: null }
	else $o.schema | bad_bodies($d) end) as $b
		| request($o; "body \($b.body[0:60])") | .body = $b.body | .at = $b.at | .want = [400]
	end,
	(if $o.method == "GET" then empty else
		(request($o; "not JSON") | .body = "title=x" | .type = "application/x-www-form-urlencoded" | .want = [415]),
		(request($o; "too deep") | .body = ("[" | times(129)) | .want = [413])
	end),
	($o.query[] as $q | $q.schema | bad_values as $v | request($o; "query \($q.name)=\($v[0:20])")
		| .path += "?\($q.name | @uri)=\($v | @uri)" | .at = ("/" + $q.name) | .want = [400]),
	(if ($o.query | length) > 0 then request($o; "broken query") | .path += "?x=%zz" | .want = [400] else empty end);

def stale($o): if $o.method != "GET" and $o.method != "POST" and $o.get then
	request($o; "stale If-Match") | .body = $o.body | .headers = ["If-Match: \"stale\""] | .want = [412] else empty end;

def wrong_method: .paths | to_entries[] | .key as $p | (.value | keys) as $have
	| ("GET", "POST", "PUT", "PATCH", "DELETE") as $m | select($have | index($m | ascii_downcase) == null)
	| { name: "\($m) \($p)", method: $m, path: ("/v1" + ($p | fill($ids))), who: "-", want: [405] };

def one_key($o): if $o.method != "POST" then empty else
	(($o.body // "{}"), ($o.body // "{}") + " ") as $b | request($o; "key") | .body = $b
	| .headers = ["Idempotency-Key: sweep"] end;

. as $d | if $what == "keys" then [operations as $o | select($o.vars | all(. as $v | $ids | has($v))) | one_key($o)]
else [wrong_method, (operations as $o
	| select($o.vars | all(. as $v | $ids | has($v)))
	| without_token($o), wrong_caller($o), wrong_ids($o; $d), wrong_input($o; $d), stale($o))] end
