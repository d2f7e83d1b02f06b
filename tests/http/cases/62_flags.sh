# Makes the tables of flags by role in docs/people/flags.md from the responses that each role gets.

# flags_of OBJECT PATH ROLES: appends the permissions of each role to $tmp/flags
flags_of() {
	for who in $3; do
		get "$2" "$who"
		[ "$code" = 200 ] || fail "the permissions are read: $1" "$who: $code"
		command jq -c --arg object "$1" --arg role "$who" '{object: $object, role: $role, flags: .permissions}' "$out" >>"$tmp/flags"
	done
}
roles='read comment edit review create admin'
: >"$tmp/flags"
t 'a comment with permissions is posted' POST /v1/spaces/$SPACE/comments admin '{"body":{"markdown":"flags"}}' 200 ''
remark=$(jq -r .id "$out")
flags_of 'an organization' /v1/orgs/$ORG "guest $roles"
flags_of 'a team' /v1/orgs/$ORG/teams/$TEAM "$roles"
flags_of 'a collection' /v1/collections/$COLLECTION "$roles"
flags_of 'a space' /v1/spaces/$SPACE "$roles"
flags_of 'a locked space' /v1/spaces/$LOCKED "$roles"
flags_of 'a comment of somebody else' /v1/spaces/$SPACE/comments/$remark 'read comment edit review create'
t 'the comment is deleted' DELETE /v1/spaces/$SPACE/comments/$remark admin '' 204 ''
{
	cat <<-'END'
		---
		description: Made from the answers of the API; do not edit
		---

		# Flags by role

	END
	printf '%s\n' 'The `permissions` of an object say what you can do with it. These tables are made from the answers that each role gets. The '\
'role is your role in the organization or, for content, [the role that counts there](roles.md). If a flag is true, the '\
'operation succeeds; if it is false, the operation answers 403 (or this release does not have it). The owner of a team has the '\
'same flags for it as an admin, and `ownTeam`; the author of a comment can edit and delete it.'
	# gojq does not know the order of keys.
	command jq -rs '
		group_by(.object) | sort_by([.[0].object] | inside(["an organization"]) | not)[]
		| map(.role) as $roles | map(.flags) as $flags
		| "\n## On \(.[0].object)\n",
		  "| flag | \($roles | map("`\(.)`") | join(" | ")) |",
		  "| --- |\($roles | map(" --- |") | add)",
		  ($flags[0] | keys_unsorted[] as $f | "| `\($f)` | \($flags | map(if .[$f] then "yes" else "" end) | join(" | ")) |")
		' "$tmp/flags"
} | sed 's/  *|/ |/g' >"$tmp/flags.md"
cmp -s docs/people/flags.md "$tmp/flags.md" || [ -z "${OCTAVO_FLAGS:-}" ] || cp "$tmp/flags.md" docs/people/flags.md
yes 'docs/people/flags.md is what the API answers (OCTAVO_FLAGS=1 makes it anew)' cmp -s docs/people/flags.md "$tmp/flags.md"
