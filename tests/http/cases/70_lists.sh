# Lists: limits, page tokens, and rows added or deleted between two pages.
O=/v1/orgs/$ORG/spaces
t 'a limit of 1,000 lists all spaces' GET "$O?limit=1000" admin '' 200 '(.items | length) == .count and (has("next") | not)'
all=$(jq -c '[.items[].id]' "$out") count=$(jq .count "$out")
t 'a member lists the spaces that they may read' GET "$O?limit=1000" read '' 200 '[.items[].id] | index("'$PRIVATE'") == null and index("'$SPACE'") != null'
t 'the count is that of readable spaces' GET "$O?limit=0" read '' 200 '.count == '$((count - 1))
t 'a guest lists granted spaces alone' GET $O guest '' 200 '[.items[].id] == ["'$PRIVATE'"] and .count == 1'
t 'another organization gets 404 for spaces' GET $O other '' 404 ''
t 'a limit of 0 gives the count alone' GET "$O?limit=0" admin '' 200 '.items == [] and .count == '$count' and (has("next") | not)'
t 'a limit of 1 gives one space and the next page' GET "$O?limit=1" admin '' 200 '(.items | length) == 1 and .count == '$count' and has("next")'
for limit in -1 1.5 1001 x 1e9 999999999999999999999 '' 0x10 nan inf -0.5 ' '; do
	t "a limit is refused: $limit" GET "$O?limit=$(printf %s "$limit" | sed 's/ /%20/')" admin '' 400 '.fields[0].path == "/limit"'
done
t 'an empty page token gives the first page' GET "$O?limit=1&page=" admin '' 200 '(.items | length) == 1 and has("next")'
t 'a limit of 1,000 is accepted' GET "$O?limit=1000" admin '' 200 ''

# walk PATH WHO LIMIT: the ids of all pages
walk() {
	w_next='' : >"$tmp/walk"
	while :; do
		get "$1?limit=$3$w_next" "$2"
		[ "$code" = 200 ] || { fail "each page of a list is answered: $1" "$code: $(head -c 200 "$out")"; return; }
		jq -r '.items[].id' "$out" >>"$tmp/walk"
		w_token=$(jq -r '.next.page // empty' "$out")
		[ -n "$w_token" ] || break
		w_next="&page=$w_token"
	done
}
walk $O admin 1
same 'pages of one space are the whole list' "$all" "$(jq -Rnc '[inputs]' "$tmp/walk")"
walk $O admin 2
same 'pages of two spaces are the whole list' "$all" "$(jq -Rnc '[inputs]' "$tmp/walk")"
walk $O admin $count
same 'a page of exactly all spaces is the last' "$all" "$(jq -Rnc '[inputs]' "$tmp/walk")"
walk /v1/spaces/$SPACE/content/files read 1
same 'files are listed one by one' 3 "$(sort -u "$tmp/walk" | wc -l | tr -d ' ')"
walk /v1/spaces/$SPACE/revisions/$REV_OLD/files read 2
same 'files of a revision are listed by pages' 3 "$(sort -u "$tmp/walk" | wc -l | tr -d ' ')"
walk /v1/orgs stranger 1
same 'organizations are listed by pages once each' "$(sort -u "$tmp/walk" | wc -l)" "$(wc -l <"$tmp/walk")"

# Page tokens.
get "$O?limit=2"
token=$(jq -r .next.page "$out")
t 'a page token goes on behind the last row' GET "$O?limit=1&page=$token" admin '' 200 '.items[0].id == '"$(printf %s "$all" | jq -c '.[2]')"
for bad in x . .. "x.$token" "${token}x" "$(printf %s "$token" | tr 'a-y' 'b-z')" "${token%.*}." "${token%.*}" ".${token#*.}" \
	"$(head -c 5000 /dev/zero | tr '\0' A).x"; do
	t "a page token is refused: $(printf %s "$bad" | head -c 20)" GET "$O?page=$bad" admin '' 400 '.fields[0].path == "/page"'
done
t 'a page token of another list is refused' GET "/v1/orgs?page=$token" admin '' 400 '.fields[0].path == "/page"'
t 'a page token of another organization is refused' GET "/v1/orgs/$ORG_B/spaces?page=$token" other '' 400 '.fields[0].path == "/page"'
get "/v1/spaces/$SPACE/content/files?limit=1"
files=$(jq -r .next.page "$out")
t 'a page token of files in another place is refused' GET "/v1/spaces/$SPACE/revisions/$REV/files?page=$files" admin '' 400 ''
t 'a page token opens nothing to a guest' GET "$O?page=$token" guest '' 200 '[.items[].id] - ["'$PRIVATE'"] == []'

# Between two pages rows before, at and after the token are deleted, and others are added.
ids=''
for n in 1 2 3 4 5 6; do
	send POST $O admin '{"title":"List '$n'"}'
	ids="$ids $(jq -r .id "$out")"
done
# shellcheck disable=SC2086
set -- $ids
get "$O?limit=1000"
at=$(jq "[.items[].id] | index(\"$3\") + 1" "$out")
get "$O?limit=$at"
token=$(jq -r .next.page "$out")
send DELETE /v1/spaces/$3 admin ''
send DELETE /v1/spaces/$1 admin ''
send DELETE /v1/spaces/$4 admin ''
send POST /v1/spaces/$2/duplicate admin ''
before=$(jq -r .id "$out")
send POST /v1/spaces/$5/duplicate admin ''
after=$(jq -r .id "$out")
send PATCH /v1/spaces/$5 admin '{"title":"Changed"}'
t 'a page token survives deleted, new and renamed spaces' GET "$O?limit=1000&page=$token" admin '' 200 \
	'[.items[].id] - ["'$before'"] == ["'$5'", "'$after'", "'$6'"]'
for id in $2 $5 $6 $before $after; do send DELETE /v1/spaces/$id admin ''; done
