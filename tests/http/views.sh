# What the cases that go through every view share: the rows of views.def, with ids in place of ":". A view that is
# added there is tested without a line here, unless its address has a new kind of segment.
. tests/http/browse.sh

# The rows of a method: "PATTERN", one a line.
views_of() { sed -n "s/^VIEW(M_$1, *\"\([^\"]*\)\".*/\1/p" src/views/views.def; }

# The address of a pattern, with the id of $vw_KIND for a ":" after the segment KIND; empty if there is no such id.
view_at() {
	va_left=${1#/} va_kind='' va_done=''
	while [ -n "$va_left" ]; do
		va_one=${va_left%%/*}
		case $va_left in */*) va_left=${va_left#*/} ;; *) va_left='' ;; esac
		if [ "$va_one" = : ]; then
			eval "va_one=\${vw_$va_kind-}"
			[ -n "$va_one" ] || return 0
		fi
		va_done=$va_done/$va_one va_kind=$va_one
	done
	echo "/app$va_done"
}

# The browser of a person of the fixture, who gets a password by a link.
view_enter() {
	pg_jar=$tmp/vw_$1
	[ ! -s "$pg_jar" ] || return 0
	: >"$pg_jar"
	ve_link=$(pg_link reset --user "$1@example.com")
	pg GET "/app/welcome?link=$ve_link"
	pg POST /app/welcome "link=$ve_link&password=$pg_password"
	pg_is "$1 signs in" 303
}

# Makes a space with this title and texts of this mark, and sets the ids of its things. All of it is an admin's.
view_world() {
	vw_orgs=$ORG
	vw_spaces=$(space_empty x)
	send PATCH /v1/spaces/$vw_spaces admin "$(jq -nc --arg m "$1" '{title: $m}')"
	[ "$code" = 200 ] || fail 'the space gets its title' "$code $(head -c 300 "$out")"
	space_write "$vw_spaces" "$(jq -nc --arg m "$1" --arg d "$2" '{changes: [
		{operation: "insert_page", ref: "a", title: $m, description: $m, document: {markdown: $d}},
		{operation: "insert_page", title: "\($m) below", document: {markdown: "Below."}},
		{operation: "insert_files", files: [{name: "\($m | gsub("/"; "-")).png", contentType: "image/png", base64: "iVBORw0KGgo="}]}]}')"
	[ "$code" = 200 ] || fail 'the space is filled' "$code $(head -c 300 "$tmp/written")"
	get /v1/spaces/$vw_spaces/content
	vw_revisions=$(jq -r .id "$out") vw_pages=$(jq -r '.pages[0].id' "$out") vw_files=$(jq -r '.files[0].id' "$out")
	send POST /v1/spaces/$vw_spaces/change-requests admin "$(jq -nc --arg m "$1" '{subject: ($m | .[0:100]), description: {markdown: $m}}')"
	vw_requests=$(jq -r .id "$out")
	send POST "/v1/spaces/$vw_spaces/change-requests/$vw_requests/content?compat=false" admin "$(jq -nc --arg m "$1" --arg d "$2" --arg p "$vw_pages" \
		'{changes: [{operation: "update_page", page: $p, title: "New \($m)", document: {markdown: "\($d)\n\nMine \($m)\n"}}]}')"
	[ "$code" = 200 ] || fail 'the request is written to' "$code $(head -c 300 "$out")"
	send POST /v1/spaces/$vw_spaces/change-requests/$vw_requests/comments admin "$(jq -nc --arg m "$1" --arg p "$vw_pages" '{page: $p, body: {markdown: $m}}')"
	vw_comment=$(jq -r .id "$out")
	send POST /v1/spaces/$vw_spaces/change-requests/$vw_requests/comments/$vw_comment/replies admin "$(jq -nc --arg m "$1" '{body: {markdown: $m}}')"
	send POST /v1/spaces/$vw_spaces/comments admin "$(jq -nc --arg m "$1" --arg p "$vw_pages" '{page: $p, body: {markdown: $m}}')"
	vw_remark=$(jq -r .id "$out")
	send POST /v1/spaces/$vw_spaces/change-requests/$vw_requests/reviews admin "$(jq -nc --arg m "$1" '{status: "approved", comment: {markdown: $m}}')"
	[ "$code" = 201 ] || fail 'the request is reviewed' "$code $(head -c 300 "$out")"
	send POST /v1/orgs/$ORG/link-invites admin '{"role":"read"}'
	vw_join=$(jq -r .id "$out")
	send POST /v1/orgs/$ORG/oidc admin "$(jq -nc --arg m "$1" '{label: ($m | .[0:30]), issuer: "https://id.invalid", clientID: "octavo"}')"
	vw_sso=$(jq -r .id "$out")
	vw_topics=clusterOfTheViews
	sql "INSERT INTO issues_cluster (id, org, label, summary, created_at, updated_at) VALUES
		('$vw_topics', '$ORG', 'A topic', 'A summary', 0, 0) ON CONFLICT DO NOTHING"
}

# Deletes what view_world() wrote into the database, which has no issues that belong to it.
view_world_end() { sql "DELETE FROM issues_cluster WHERE id = '$vw_topics'"; }
