# Requests of the sweep, from /v1/openapi.json: every way in which the input of an operation can be
# wrong; or, if $what is "keys", each POST twice with one Idempotency-Key and different bodies.
# Access is tested by access.jq.
#
# In: the description. $ids: path parameter -> an id on which `admin` may do everything. Out:
# requests for requests.sh.
include "operations";

# ---- invalid values: {v, at: the path below the value} ----

def unfit($d; $depth): nullable as $null | bare | resolve($d) | . as $s |
	(if $null or (kind == null and (.oneOf | not)) then empty else { v: null, at: "" } end),
	# A single value or a list: the faults of both.
	if .oneOf and (.oneOf | any(resolve($d) | kind == "array")) then { v: 5, at: "" }, { v: "x", at: "" },
		(.oneOf[] | resolve($d) | kind as $k | unfit($d; $depth) | select(.v | type == $k))
	else
	(if .oneOf then ({ v: 5, at: "" }, { v: { type: "no such form" }, at: "" },
		# The type selects the form: another type is no form at all.
		(.oneOf[] | select($depth < 3) | unfit($d; $depth + 1) | select(.v | type == "object" and has("type"))
			| if .at | startswith("/type") then .at = "" else . end))
	elif .enum then { v: "no such value", at: "" }, { v: 5, at: "" }
	elif kind == "string" then { v: 5, at: "" }, { v: [], at: "" },
		(if .maxLength then { v: ("é" | times($s.maxLength + 1)), at: "" } else empty end),
		(if (.minLength // 0) > 0 then { v: "", at: "" } else empty end),
		(if .format == "date-time" then { v: "yesterday", at: "" }, { v: "2026-02-30T00:00:00Z", at: "" } else empty end),
		(if .format == "emoji" then { v: "hello", at: "" } else empty end),
		(if .format == "uri" then { v: "javascript:alert(1)", at: "" }, { v: "/x", at: "" } else empty end)
	elif kind == "integer" then { v: "1", at: "" }, { v: 1.5, at: "" }, { v: 1e300, at: "" },
		(if .maximum then { v: ($s.maximum + 1), at: "" }, { v: ($s.minimum - 1), at: "" } else empty end)
	elif kind == "number" then { v: "1", at: "" }
	elif kind == "boolean" then { v: "true", at: "" }, { v: 1, at: "" }
	elif kind == "array" then { v: {}, at: "" }, { v: "x", at: "" },
		(if .maxItems then { v: ([range($s.maxItems + 1)] | map($s.items | fitting($d))), at: "" } else empty end),
		# Content of documents is checked by the handler, with its own messages.
		(if $depth < 3 and (.items["$ref"] // "" | endswith("/DocumentBlock") | not)
			then .items | unfit($d; $depth + 1) | { v: [.v], at: ("/0" + .at) } else empty end)
	elif kind == "object" then { v: [], at: "" }, { v: "x", at: "" },
		(if .additionalProperties == false
			then { v: (($s | fitting($d)) + { "no-such-member": 1 }), at: "/no-such-member" } else empty end),
		((.required // [])[] as $n | { v: ($s | fitting($d) | del(.[$n])), at: ("/" + $n) }),
		(if $depth < 3 then (.properties // {} | to_entries[]) as $p | $p.value | unfit($d; $depth + 1)
			| { v: (($s | fitting($d)) + { ($p.key): .v }), at: ("/" + $p.key + .at) } else empty end)
	else empty end) end;

# Invalid body texts, with the field at fault.
def bad_bodies($d): . as $schema | (unfit($d; 0) | { body: (.v | tojson), at }),
	# Each member twice, written as text because an object of jq cannot contain that.
	(resolve($d) | (.properties // {}) | to_entries[] | (.key | tojson) as $k | (.value | fitting($d) | tojson) as $v
		| { body: "{\($k):\($v),\($k):\($v)}", at: ("/" + .key) });

def bad_values: kind as $k | if .enum then "no-such-value" elif $k == "integer" then "x", "1.5", "-1", "1e99"
	elif $k == "boolean" then "maybe", "2" elif $k == "array" then (.items | if .enum then "no-such-value" else empty end)
	elif .maxLength then . as $q | ("x" | times($q.maxLength + 1)) else empty end;

# ---- requests ----

def request($o; $name): { name: "\($o.id): \($name)", method: $o.method, path: $o.path, who: "admin" };

def wrong_input($o; $d): if $o.method == "GET" then empty else
	(if $o.bytes then empty elif $o.schema == null then { body: "{\"no-such-member\":1}", at: "/no-such-member" }, { body: "[]", at: "" }, { body: "{", at: null }
	else $o.schema | bad_bodies($d) end) as $b
		| request($o; "body \($b.body[0:60])") | .body = $b.body | .at = $b.at | .want = [400]
	end,
	(if $o.schema == null then empty else
		(request($o; "not JSON") | .body = "title=x" | .type = "application/x-www-form-urlencoded" | .want = [415]),
		(request($o; "too deep") | .body = ("[" | times(129)) | .want = [413])
	end),
	($o.query[] as $q | $q.schema | bad_values as $v | request($o; "query \($q.name)=\($v[0:20])")
		| .path += "?\($q.name | @uri)=\($v | @uri)" | .at = ("/" + $q.name) | .want = [400]),
	(if ($o.query | length) > 0 then request($o; "broken query") | .path += "?x=%zz" | .want = [400] else empty end);

# If-Match with a stale ETag: it is compared with the GET, or refused if there is none. The sources
# of redirects are refused before, and so are an address without its signature and a provider that is none.
def stale($o): if ($o.writes | not) or ($o.id | IN("createSiteRedirect", "bulkUpsertSiteRedirects", "putStorageFile",
		"startOrganizationSignIn", "finishOrganizationSignIn", "takeSAMLResponse")) then empty else
	request($o; "stale If-Match") | .body = $o.body | .headers = ["If-Match: \"stale\""]
	| .want = [if $o.statuses | index(412) then 412 else 400 end] end;

def wrong_method: .paths | to_entries[] | .key as $p | (.value | keys) as $have
	| ("GET", "POST", "PUT", "PATCH", "DELETE") as $m | select($have | index($m | ascii_downcase) == null)
	| { name: "\($m) \($p)", method: $m, path: ("/v1" + ($p | fill($ids))), who: "-", want: [405] };

def one_key($o): if $o.method != "POST" or ($o.writes | not) then empty else
	(($o.body // "{}"), ($o.body // "{}") + " ") as $b | request($o; "key") | .body = $b
	| .headers = ["Idempotency-Key: sweep"] | .tokens = true end;

def ready($d): operations | own_ids($ids) as $mine | .path = "/v1" + (.template | fill($mine))
	| .body = (if .schema then .schema | fitting($d) | tojson else null end);

. as $d | if $what == "keys" then [ready($d) as $o | one_key($o)]
else [wrong_method, (ready($d) as $o | wrong_input($o; $d), stale($o))] end
