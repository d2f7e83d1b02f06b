# Hostile content through every view of views.def (docs/design/security.md, "S13"): titles, names, texts, addresses,
# errors of jobs, and every field of a query and of a form. What people wrote comes as text, and no address of theirs
# is a script. The writer of HTML escapes quotes everywhere, so one of them after the mark is enough for a fault.
# Views by plain CGI are tried in the cases before: what is tried here does not depend on the program that runs it.
[ "$TRANSPORT" = http ] || return 0
. tests/http/views.sh

# The mark with what could leave a text, an attribute and an element; and a text with what Markdown could let through.
vh_mark="zqx7\"zqx7'><img src=x onerror=alert(7)><script>"
vh_text="# $vh_mark

$vh_mark [link](javascript:alert(7)) ![]($vh_mark) <javascript:alert(7)> [d](data:text/html,zqx7%3Cscript%3E)

<script>alert(7)</script><div onclick=\"alert(7)\"><a href=\"javascript:alert(7)\">x</a><iframe src=\"javascript:alert(7)\"></iframe></div>

[broken]($vh_mark.md) [broken](zqx7%22.md)

| $vh_mark | b |
| --- | --- |
| $vh_mark | [x](JaVaScRiPt:alert(7)) |

{% hint style=\"$vh_mark\" %}
$vh_mark
{% endhint %}

{% embed url=\"javascript:alert(7)\" %}

{% tabs %}
{% tab title=\"<img src=x onerror=alert(7)>\" %}
$vh_mark
{% endtab %}
{% endtabs %}

\`\`\`zqx7\"onclick=alert(7)
$vh_mark
\`\`\`

\$\$$vh_mark\$\$
"
vh_seen=0
vh_clean() {
	vh_bad=$({
		grep -oiE "zqx7[\"'<>].{0,60}|<img src=x.{0,40}|<script[^ ].{0,40}|(href|src|action|formaction)=\"? *(javascript|data:text|vbscript).{0,40}" "$out"
		# Names of attributes: tags without quoted values.
		grep -o '<[a-z][^>]*>' "$out" | sed 's/="[^"]*"/ /g' | grep -iE ' (on[a-z]*|srcdoc|style)[ =>]'
	} | head -n 3)
	same "$1" '' "$vh_bad"
	! grep -q zqx7 "$out" || vh_seen=$((vh_seen + 1))
}

view_world "$vh_mark" "$vh_text"
vh_sql=$(printf %s "$vh_mark" | sed "s/'/''/g")
sql "UPDATE org SET title = '$vh_sql' WHERE id = '$ORG'" "UPDATE account SET name = '$vh_sql' WHERE id = '$U_admin'" \
	"UPDATE collection SET title = '$vh_sql' WHERE org = '$ORG'" \
	"UPDATE issues_cluster SET label = '$vh_sql', summary = '$vh_sql' WHERE id = '$vw_topics'" \
	"INSERT INTO git_binding (space, id, url, ref, message, every, hook, created_by, created_at, state, reason) VALUES
		('$vw_spaces', 'bindingOfTheViews', '$vh_sql', '$vh_sql', '', 9000000000000, x'', '$U_admin', 0, 'failing', '$vh_sql')"
send POST /v1/orgs/$ORG/sites admin "$(jq -nc --arg m "$vh_mark" --arg s $vw_spaces '{title: $m, spaces: [$s]}')"
[ "$code" = 201 ] || fail 'a site has the mark as its title' "$code $(head -c 300 "$out")"
vh_site=$(jq -r .id "$out")
view_enter admin

# Both sides of a conflict, and of a comparison.
space_write "$vw_spaces" "$(jq -nc --arg m "$vh_mark" --arg d "$vh_text" --arg p "$vw_pages" '{changes: [{operation: "update_page", page: $p,
	title: "Theirs \($m)", document: {markdown: "\($d)\n\nTheirs \($m)\n"}}]}')"
send POST /v1/spaces/$vw_spaces/change-requests/$vw_requests/update admin ''
for vh_pattern in $(views_of GET | sed 's/^$/-/'); do
	vh_at=$(view_at "${vh_pattern#-}")
	[ -n "$vh_at" ] && pass || fail 'each kind of segment has an id' "$vh_pattern"
	# Some views only redirect who is signed in.
	pg GET "$vh_at"
	case $code in 5??) fail "$vh_at" "$code" ;; *) pass ;; esac
	vh_clean "hostile content at $vh_at"
done
yes 'most views show the mark' test $vh_seen -ge 20

# Every field that any view reads, in queries and in forms.
vh_fields() { grep -oh "$1(v, \"[A-Za-z-]*\"" src/views/*.c | sed 's/.*"\(.*\)"/\1/' | sort -u; }
vh_raw=$(printf %s "$vh_mark" | jq -sRr @uri)
vh_query=$(for vh_one in $(vh_fields query_value); do printf '%s=%s&' "$vh_one" "$vh_raw"; done)
for vh_pattern in $(views_of GET); do
	pg GET "$(view_at $vh_pattern)?$vh_query"
	case $code in 5??) fail "a hostile query at $vh_pattern" "$code" ;; *) pass ;; esac
	vh_clean "a hostile query at $vh_pattern"
	# Where one field refuses the query, the others are tried alone.
	[ "$code" != 200 ] || continue
	for vh_one in $(vh_fields query_value); do
		pg GET "$(view_at $vh_pattern)?$vh_one=$vh_raw"
		vh_clean "a hostile $vh_one at $vh_pattern"
		# No header has a line of ours.
		! grep -qi '^x-evil' "$head" && pass || fail "a hostile $vh_one splits the header of $vh_pattern" "$(cat "$head")"
	done
done
vh_form=$(for vh_one in $(vh_fields form_value) $(vh_fields form_has); do [ $vh_one = csrf ] || printf '%s=%s&' "$vh_one" "$vh_raw"; done)
for vh_pattern in $(views_of POST); do
	case $vh_pattern in /sign-out) continue ;; esac
	pg GET /app/account
	pg POST "$(view_at $vh_pattern)" "$vh_form"
	case $code in 5??) fail "a hostile form at $vh_pattern" "$code" ;; *) pass ;; esac
	vh_clean "a hostile form at $vh_pattern"
	case $(header location) in '' | "$below/app"*) pass ;; *) fail "a hostile form leads away at $vh_pattern" "$(header location)" ;; esac
	pg POST "$(view_at $vh_pattern)" "csrf=x&$vh_form"
	vh_clean "a hostile form of another page at $vh_pattern"
done
# An address that names nothing.
for vh_pattern in $(views_of GET | grep :); do
	pg GET "/app$(printf %s "$vh_pattern" | sed "s|:|zqx7%22%3E%3Cscript%3Ealert(7)|g")"
	case $code in 404) pass ;; *) fail "a hostile address of $vh_pattern" "$code" ;; esac
	vh_clean "a hostile address of $vh_pattern"
done
sql "DELETE FROM git_binding WHERE id = 'bindingOfTheViews'" \
	"UPDATE org SET title = 'Acme' WHERE id = '$ORG'" "UPDATE account SET name = 'admin' WHERE id = '$U_admin'" \
	"UPDATE collection SET title = 'Fixture' WHERE org = '$ORG'"
send DELETE /v1/orgs/$ORG/sites/$vh_site admin ''
view_world_end
