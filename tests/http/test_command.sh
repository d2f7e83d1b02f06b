#!/bin/sh
# The octavo command in careless use: impossible imports, jobs, people, data that is old, on a full
# disk, read-only or missing. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

sql() { "$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "$@"; }

finish() {
	umount "$tmp/small" 2>/dev/null
	rm -rf "$tmp"
	ended_early
}
at_exit finish

d=$tmp/data
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
org=$(jq -r .organization "$tmp/init")
mkdir "$tmp/repo" "$tmp/plain"
printf '# Home\n\nText.\n' >"$tmp/repo/README.md"
repository "$tmp/repo"
echo text >"$tmp/file"

# Names are printed without terminal control characters: C0, DEL, and C1 in UTF-8 or as a byte.
"$octavo" "$(printf 'x\033[1m\302\2331m\233y\177\303\251')" >"$tmp/said" 2>&1
same 'control characters are shown as ?' 'octavo: there is no command "x?[1m?1m?y?é"' "$(head -n 1 "$tmp/said" | cut -d ';' -f 1)"

# Impossible imports.
import() { "$octavo" import --dir "$d" --org "$org" "$@"; }
cannot() {
	c_name=$1 c_status=$2 c_pattern=$3
	shift 3
	expect "$c_name" "$c_status" "$c_pattern" "$octavo" import --dir "$d" --org "$org" --title T "$@"
}
cannot 'an import from nowhere is refused' 2 'nothing at /no/where on this machine' --url /no/where
cannot 'an import from a folder without git is refused' 1 'no git repository at that path; the new space was moved to the trash' --url "$tmp/plain"
cannot 'an import from a file is refused' 1 'is a file, not a git repository' --url "$tmp/file"
cannot 'an import by another scheme is refused' 2 'only http, https, ssh and git' --url ftp://example.com/x
cannot 'an import of an unknown branch names the branches' 1 'no branch or tag nope; its branches: main' --url "$tmp/repo" --ref nope
cannot 'an import of an unknown folder is refused' 1 'has no directory nope' --url "$tmp/repo" --project-dir nope
cannot 'an import of a folder outside is refused' 1 'leads out of the repository' --url "$tmp/repo" --project-dir ../x
cannot 'an import into a space and a title is refused' 2 'either --space .* or --title' --url "$tmp/repo" --space x
expect 'an import into an unknown space is refused' 1 'there is no space x' "$octavo" import --dir "$d" --org "$org" --space x --url "$tmp/repo"
expect 'an import into an unknown organization is refused' 1 'there is no organization x' "$octavo" import --dir "$d" --org x --title T --url "$tmp/repo"
same 'a refused import is an error in JSON' 2 "$(import --title T --url /no/where --json 2>/dev/null | jq .error.code)"
same 'refused imports leave no space' 0 "$(sql 'SELECT count(*) FROM space WHERE deleted_at IS NULL')"

# Lists, with names and ids.
expect 'organizations are listed' 0 "^$org +Docs +2.* 1 +0\$" "$octavo" org list --dir "$d"
same 'users are listed' a@example.com "$("$octavo" user list --dir "$d" --json | jq -r '.[].email')"
same 'numbers of organizations are numbers in JSON' '1 0 number' "$("$octavo" org list --dir "$d" --json | jq -r '.[] | "\(.members) \(.spaces) \(.members | type)"')"
same 'numbers of users are numbers in JSON' number "$("$octavo" user list --dir "$d" --json | jq -r '.[].tokens | type')"
expect 'members are listed by the title of the organization' 0 'a@example.com +A +admin' "$octavo" member list --dir "$d" --org Docs
expect 'an unknown organization is named' 1 'there is no organization Dogs; octavo org list shows them' "$octavo" member list --dir "$d" --org Dogs
expect 'an organization is called by its title in any letters' 0 'a@example.com +A +admin' "$octavo" member list --dir "$d" --org docs
same 'an empty list is [] in JSON' '[]' "$("$octavo" team list --dir "$d" --json)"
# Daily tasks need no curl: they call the API without a server and a token.
expect 'a space is created' 0 '^title +Handbook' "$octavo" space create --dir "$d" --org Docs --title Handbook
handbook=$("$octavo" space list --dir "$d" --json | jq -r '.[] | select(.title == "Handbook").id')
expect 'a site is created with its spaces' 0 '^title +Book' "$octavo" site create --dir "$d" --org Docs --title Book --spaces "$handbook" --visibility public
# Pictures and fonts of a site: uploaded, checked and named in its customization.
book=$("$octavo" site list --dir "$d" --org Docs --json | jq -r '.[0].id')
printf '<svg xmlns="http://www.w3.org/2000/svg"/>' >"$tmp/logo.svg"
printf 'wOF2\0\1\0\0\0\0\0\100\0\1\0\0%048d' 0 >"$tmp/house.woff2"
# picture NAME STATUS PATTERN OPTION...
picture() {
	p_name=$1 p_status=$2 p_pattern=$3
	shift 3
	expect "$p_name" "$p_status" "$p_pattern" "$octavo" site picture --dir "$d" --site "$book" "$@"
}
picture 'a logo is uploaded' 0 '^logo +http.*~stored/.*/logo[.]svg' --as logo "$tmp/logo.svg"
picture 'a picture for links has none for dark pages' 2 '--dark is for a logo' --as social "$tmp/logo.svg" --dark "$tmp/logo.svg"
picture 'a file that is no picture is refused' 1 'must end in .png' --as favicon "$tmp/house.woff2"
picture 'a file that is not there is named' 1 'nothing.png cannot be read' --as favicon "$tmp/nothing.png"
expect 'a font is uploaded' 0 '^family +House' "$octavo" font add --dir "$d" --org Docs --family House "$tmp/house.woff2" "700=$tmp/house.woff2"
expect 'a font needs a regular weight' 1 'weight 400' "$octavo" font add --dir "$d" --org Docs --family Bold "700=$tmp/house.woff2"
expect 'a site uses a font by its family' 0 '^headingFont +House' "$octavo" site font --dir "$d" --site "$book" --as headings House
same 'the theme still follows the reader' true "$("$octavo" call GET "/orgs/$org/sites/$book/customization" --user a@example.com --dir "$d" | jq .themes.unset)"
same 'the customization has both' 'House logo.svg' "$("$octavo" call GET "/orgs/$org/sites/$book/customization" --user a@example.com --dir "$d" |
	jq -r '.styling.headingFont.fontFamily + " " + (.header.logo.light | split("/") | last)')"
expect 'a used font is not deleted' 1 'uses this font' "$octavo" font delete --dir "$d" --org Docs \
	--font "$("$octavo" font list --dir "$d" --org Docs --json | jq -r '.[0].id')"
picture 'a logo is taken away' 0 '^logo +none' --as logo --remove
expect 'a site is published at the address of the service' 0 '^published +https://docs.example.com/' env OCTAVO_URL=https://docs.example.com "$octavo" site publish --dir "$d" --site "$book"
expect 'a published site is listed' 0 "^$book +Book +public +true" "$octavo" site list --dir "$d" --org Docs
expect 'also of an organization in other letters' 0 "^$book +Book " "$octavo" site list --dir "$d" --org docs
"$octavo" call PATCH "/orgs/$org" --dir "$d" --user a@example.com --body '{"hostname":"acme-docs"}' >/dev/null
expect 'or by the name in its addresses' 0 "^$book +Book " "$octavo" site list --dir "$d" --org acme-docs
expect 'a site is unpublished' 0 '^published +false' "$octavo" site unpublish --dir "$d" --site "$book"
expect 'the fields at fault are named' 1 'title must have at least 2 characters' "$octavo" site create --dir "$d" --org Docs --title x
expect 'a site that is not there is named' 1 'no site nope; octavo site list' "$octavo" site publish --dir "$d" --site nope
expect 'a deleted space is restored' 0 '^title +Handbook' sh -c "'$octavo' space delete --dir '$d' --space '$handbook' >/dev/null && '$octavo' space restore --dir '$d' --space '$handbook'"
"$octavo" user create --dir "$d" --email r@example.com --name R >/dev/null
"$octavo" member add --dir "$d" --org Docs --user r@example.com --role read >/dev/null
expect 'a call has the rights of its user' 1 'create' "$octavo" space delete --dir "$d" --space "$handbook" --user r@example.com
expect 'a call takes a method in small letters and a path with /v1' 0 '"email":"r@example.com"' "$octavo" call get /v1/user --dir "$d" --user r@example.com
# Teams.
expect 'a team is made of members' 0 '^members +2' "$octavo" team create --dir "$d" --org docs --title Writers --members "a@example.com,r@example.com"
team=$("$octavo" team list --dir "$d" --org Docs --json | jq -r '.[0].id')
expect 'a team is listed' 0 "^$team +Writers +$org +2" "$octavo" team list --dir "$d"
expect 'its members are listed' 0 'r@example.com +R +member' "$octavo" team members --dir "$d" --team "$team"
expect 'a member leaves a team' 0 done "$octavo" team remove --dir "$d" --team "$team" --member r@example.com
same 'and is in it no more' a@example.com "$("$octavo" team members --dir "$d" --team "$team" --json | jq -r '.[].organization.user.email')"
expect 'a member comes into a team, as its owner' 0 done "$octavo" team add --dir "$d" --team "$team" --member r@example.com --role owner
same 'the members of a team are listed' 'a@example.com member r@example.com owner' "$("$octavo" team members --dir "$d" --team "$team" --json | jq -r 'map("\(.organization.user.email) \(.team.role)") | sort | join(" ")')"
expect 'an owner may manage it' 0 done "$octavo" team remove --dir "$d" --team "$team" --member a@example.com --user r@example.com
expect 'no owner makes one' 1 'admin' "$octavo" team create --dir "$d" --org Docs --title Others --user r@example.com
expect 'a role that is none' 1 'role must be one of' "$octavo" team add --dir "$d" --team "$team" --member r@example.com --role king
expect 'nobody of that address' 1 'there is no user nobody@example.com' "$octavo" team add --dir "$d" --team "$team" --member nobody@example.com
expect 'a title that is too long' 1 'title must have at most 64' "$octavo" team create --dir "$d" --org Docs --title "$(printf %065d 0)"
expect 'a team that is not there is named' 1 'no team nope; octavo team list' "$octavo" team delete --dir "$d" --team nope
expect 'a team goes' 0 done "$octavo" team delete --dir "$d" --team "$team"
same 'its members stay' 2 "$("$octavo" member list --dir "$d" --org Docs --json | jq length)"
same 'the team does not' '[]' "$("$octavo" team list --dir "$d" --json)"
expect 'a call names each field at fault' 1 'titel is not known here.*; /title is required' "$octavo" call POST /orgs --dir "$d" --user a@example.com --body '{"titel":"x"}'
expect 'a call makes any request' 0 '"email":"r@example.com"' "$octavo" call GET /user --dir "$d" --user r@example.com
number=$("$octavo" call POST "/spaces/$handbook/change-requests" --dir "$d" --user a@example.com --body '{"subject":"First"}' | jq .number)
expect 'change requests are listed' 0 "^$number +draft +First +A " "$octavo" request list --dir "$d" --space "$handbook"
expect 'a change request is opened' 0 '^status +open' "$octavo" request open --dir "$d" --space "$handbook" --request "$number"
expect 'a change request is merged' 0 '^result +merge' "$octavo" request merge --dir "$d" --space "$handbook" --request "$number"
expect 'a merged request cannot be merged again' 1 'merged already|already merged|is merged' "$octavo" request merge --dir "$d" --space "$handbook" --request "$number"
expect 'a request number is no query' 1 'no change request|no such' "$octavo" request open --dir "$d" --space "$handbook" --request "$number?x=1"
# Two requests that change the same page: the second is not merged, and the exit status tells a script.
called() { "$octavo" call "$1" "/spaces/$handbook/change-requests$2" --dir "$d" --user a@example.com --body "$3"; }
called POST "/$(called POST '' '{}' | jq .number)/content" '{"changes":[{"operation":"insert_page","title":"Page","document":{"markdown":"One.\n"}}]}' >"$tmp/written"
one=$(jq .number "$tmp/written")
"$octavo" request merge --dir "$d" --space "$handbook" --request "$one" >/dev/null
page=$("$octavo" call GET "/spaces/$handbook/content/path/page" --dir "$d" --user a@example.com | jq -r .id)
two=$(called POST '' '{}' | jq .number) three=$(called POST '' '{}' | jq .number)
for n in "$two" "$three"; do
	called POST "/$n/content" '{"changes":[{"operation":"update_page","page":"'"$page"'","document":{"markdown":"Of '"$n"'.\n"}}]}' >/dev/null
done
expect 'the first of two conflicting requests merges' 0 '^result +merge' "$octavo" request merge --dir "$d" --space "$handbook" --request "$two"
expect 'conflicts end with status 1' 1 '^result +conflicts' "$octavo" request merge --dir "$d" --space "$handbook" --request "$three"
# Acts as the longest-serving admin who is not disabled.
"$octavo" user create --dir "$d" --email z@example.com --name Z >/dev/null
"$octavo" member add --dir "$d" --org Docs --user z@example.com --role admin >/dev/null
"$octavo" member disable --dir "$d" --org Docs --user a@example.com >/dev/null
expect 'a command acts as an admin who is not disabled' 0 '^title +Later' "$octavo" space create --dir "$d" --org Docs --title Later
"$octavo" member add --dir "$d" --org Docs --user a@example.com --role admin >/dev/null
"$octavo" member remove --dir "$d" --org Docs --member z@example.com >/dev/null
# More than fit on one page of the API's list.
sql "WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 1001) INSERT INTO site (id, org, type, title, basename, visibility, created_at, updated_at) SELECT 'many' || n, '$org', 'basic', 'Many', 'many' || n, 'public', n, n FROM k"
same 'a list of 1,001 sites is whole' 1001 "$("$octavo" site list --dir "$d" --org Docs --json | jq '[.[] | select(.title == "Many")] | length')"
sql "DELETE FROM site WHERE title = 'Many'"
same 'a token ends after a year and shows its id' '365 22' "$("$octavo" token create --dir "$d" --user r@example.com --json | jq -r '"\(((.expires | sub("\\.[0-9]+Z"; "Z") | fromdate) - now) / 86400 | round) \(.id | length)"')"
same 'a token may be without an end' never "$("$octavo" token create --dir "$d" --user r@example.com --expires never --json | jq -r .expires)"
expect 'a user is disabled everywhere' 0 '^tokens +2' "$octavo" user disable --dir "$d" --user r@example.com
expect 'the last admin is not disabled' 1 'the last admin of' "$octavo" user disable --dir "$d" --user a@example.com
expect 'a member is removed' 0 done "$octavo" member remove --dir "$d" --org Docs --member r@example.com
expect 'a misspelled command is suggested' 2 'there is no command "usr"; the nearest is "user"' "$octavo" usr
expect 'a misspelled second word is suggested' 2 'there is no command "user lsit"; the nearest is "user list"' "$octavo" user lsit
expect 'a space is added to a site' 0 '^path +second' "$octavo" site add --dir "$d" --site "$book" --spaceId "$("$octavo" space create --dir "$d" --org Docs --title Second --json | jq -r .id)"
expect 'a share link is created' 0 '^name +Partners' "$octavo" site share --dir "$d" --site "$book" --name Partners
expect 'a collection is created' 0 '^title +Shelf' "$octavo" collection create --dir "$d" --org Docs --title Shelf
shelf=$("$octavo" collection list --dir "$d" --org Docs --json | jq -r '.[0].id')
"$octavo" collection create --dir "$d" --org Docs --title Inner --parent "$shelf" >/dev/null
same 'inner collections are listed' 'Inner Shelf' "$("$octavo" collection list --dir "$d" --org Docs --json | jq -r '[.[].title] | sort | join(" ")')"
expect 'a collection is deleted' 0 done "$octavo" collection delete --dir "$d" --collection "$shelf"
expect 'a space is locked' 0 '^editMode +locked' "$octavo" space lock --dir "$d" --space "$handbook"
expect 'a space is unlocked' 0 '^editMode +live' "$octavo" space unlock --dir "$d" --space "$handbook"
expect 'a change request is created' 0 '^status +draft' "$octavo" request create --dir "$d" --space "$handbook" --subject Next --user a@example.com

# Deleting a person: their texts stay, their identity does not.
"$octavo" user create --dir "$d" --email gone@example.com --name '=Gone, "G"' >/dev/null
"$octavo" member add --dir "$d" --org Docs --user gone@example.com --role edit >/dev/null
gone_token=$("$octavo" token create --dir "$d" --user gone@example.com --label 'Laptop of G' --json | jq -r .token)
"$octavo" request create --dir "$d" --space "$handbook" --subject Kept --user gone@example.com >/dev/null
"$octavo" call POST "/spaces/$handbook/comments" --dir "$d" --user gone@example.com --body '{"body":{"markdown":"I was \"here\""}}' >/dev/null
"$octavo" member export --dir "$d" --org Docs >"$tmp/members.csv"
same 'members are exported as CSV' 'id,email,name,role,disabled,sso,joinedAt,lastSeenAt,teams,title,organization' "$(head -n 1 "$tmp/members.csv" | tr -d '\r')"
same 'names in CSV are quoted and no formulas' 1 "$(grep -c ",gone@example.com,\"'=Gone, \"\"G\"\"\",edit,," "$tmp/members.csv")"
same 'names in JSON are as they are' '=Gone, "G"' "$("$octavo" member export --dir "$d" --org Docs --json | jq -r '.[] | select(.email == "gone@example.com").name')"
same 'users are exported as CSV' 5 "$("$octavo" user export --dir "$d" | wc -l)"
gone=$(sql "SELECT id FROM account WHERE email = 'gone@example.com'")
sql "INSERT INTO password (account, hash, set_at) VALUES ('$gone', 'the hash', 1000)"
sql "INSERT INTO session (id, account, hash, way, device, created_at, used_at, ends_at) VALUES ('s', '$gone', x'01', 'link', 'Browser of G', 1000, 1000, 9999999999999)"
sql "INSERT INTO identity (issuer, subject, id, account, made_at) VALUES ('https://id.example.com', 'G at the provider', 'i', '$gone', 1000)"
sql "INSERT INTO last_look (request, account, at) SELECT min(id), '$gone', 2000 FROM change_request"
"$octavo" user export --dir "$d" --user gone@example.com >"$tmp/gone.json"
same 'what a user has read is exported' 1970-01-01T00:00:02.000Z "$(jq -r '.lastLooks[0].until' "$tmp/gone.json")"
same 'how a user signs in is exported' '1970-01-01T00:00:01.000Z Browser of G G at the provider true' \
	"$(jq -r '[.passwords[0].setAt, .sessions[0].device, .identities[0].subject, .identities[0].linked] | map(tostring) | join(" ")' "$tmp/gone.json")"
same 'all about one user is exported' 'gone@example.com Docs Laptop of G Kept I was "here" member.added' \
	"$(jq -r '[.account.email, .organizations[0].title, .tokens[0].label, .changeRequests[0].subject, .comments[0].body, (.record[] | select(.action == "member.added").action)] | join(" ")' "$tmp/gone.json")"
same 'an export holds no secret' 0 "$(grep -c -e "$gone_token" -e 'the hash' "$tmp/gone.json")"
expect 'the last admin is not deleted' 1 'the last admin of' "$octavo" user delete --dir "$d" --user a@example.com
same 'the last admin keeps their tokens' 1 "$("$octavo" user list --dir "$d" --json | jq '.[] | select(.email == "a@example.com").tokens')"
expect 'a user is deleted' 0 '^tokens +1' "$octavo" user delete --dir "$d" --user gone@example.com
same 'a deleted user is named in the audit log alone' 0 "$(sql "SELECT count(*) FROM account a LEFT JOIN token t ON t.account = a.id WHERE a.name || a.email || COALESCE(t.label, '') LIKE '%gone%' OR t.label LIKE '%Laptop%'")"
same 'a deleted user has no membership' 0 "$(sql "SELECT count(*) FROM member m JOIN account a ON a.id = m.account WHERE a.email = a.id")"
same 'nothing tells what a deleted user has read' 0 "$(sql 'SELECT count(*) FROM last_look')"
expect 'a deleted user is in no list' 1 'there is no user' "$octavo" member add --dir "$d" --org Docs --user "$(jq -r .id "$tmp/gone.json")"
expect 'what a deleted user wrote stays' 0 'Kept +Deleted user' "$octavo" request list --dir "$d" --space "$handbook"
same 'a deleted user has a name and no address' 'Deleted user null' "$("$octavo" call GET "/users/$(jq -r .id "$tmp/gone.json")" --dir "$d" --user a@example.com | jq -r '"\(.displayName) \(.email)"')"
expect 'the audit log names the deleted user' 0 'user.deleted .*gone@example.com' "$octavo" audit --dir "$d" --action user.deleted
expect 'the address of a deleted user is free' 0 '^user' "$octavo" user create --dir "$d" --email gone@example.com --name New
expect 'octavo check finds nothing' 0 'invariants hold' "$octavo" check --dir "$d"
"$octavo" site delete --dir "$d" --site "$book" >/dev/null
for s in $("$octavo" space list --dir "$d" --json | jq -r '.[] | select(.title == "Second").id'); do "$octavo" space delete --dir "$d" --space "$s" >/dev/null; done
"$octavo" space delete --dir "$d" --space "$handbook" >/dev/null

expect 'an import takes the only organization' 0 '^pages +1' "$octavo" import --dir "$d" --title Only --url "$tmp/repo"
expect 'an organization of that title in other letters' 0 '^organization' "$octavo" org create --dir "$d" --title DOCS --user a@example.com
expect 'the one that is written so' 0 "a@example.com .* $org\$" "$octavo" member list --dir "$d" --org Docs
expect 'which one is not guessed' 1 "2 organizations are called docs; name one by its id: .*$org" "$octavo" site list --dir "$d" --org docs
expect 'a second organization of the title is created' 0 '^organization' "$octavo" org create --dir "$d" --title Docs --user a@example.com
expect 'an import into a new space names the organization of several' 1 'org ORG is missing: there are several' "$octavo" import --dir "$d" --title T --url "$tmp/repo"
expect 'an import into a space takes that of the space' 0 '^pages +1' "$octavo" import --dir "$d" --space "$("$octavo" space list --dir "$d" --json | jq -r '.[0].id')" --url "$tmp/repo" --force
expect 'which must be there' 1 'there is no space nowhere' "$octavo" import --dir "$d" --space nowhere --url "$tmp/repo"
expect 'a title of two organizations is ambiguous' 1 "2 organizations are called Docs; name one by its id: .*$org" "$octavo" import --dir "$d" --org Docs --title T --url "$tmp/repo"
expect 'an organization with a title of its own is created' 0 '^organization' "$octavo" org create --dir "$d" --title 'Team docs' --user a@example.com
expect 'an import names the organization by title' 0 '^pages +1' "$octavo" import --dir "$d" --org 'Team docs' --title Named --url "$tmp/repo"
same 'the space of the import is listed' 'Named' "$("$octavo" space list --dir "$d" --org 'Team docs' --json | jq -r '.[].title')"
expect 'a member is added by the title of the organization' 0 '^role +edit' "$octavo" member add --dir "$d" --org 'Team docs' --user "$("$octavo" user create --dir "$d" --email b@example.com --name B --json | jq -r .user)" --role edit
expect 'a disabled member is listed as such' 0 'b@example.com +B +edit +yes' sh -c "'$octavo' member disable --dir '$d' --org 'Team docs' --user b@example.com >/dev/null && '$octavo' member list --dir '$d' --org 'Team docs'"
same 'disabled is true in JSON' '[null,true]' "$("$octavo" member list --dir "$d" --org 'Team docs' --json | jq -c '[.[].disabled]')"
# Twelve responses in JSON, none of which is an error.
same 'no number is a text in JSON' '12 0 0' "$(for what in 'org list' 'user list' 'member list' 'space list' 'team list' 'jobs' 'audit' 'status' 'check' 'git list' 'translations list' 'token list --user a@example.com'; do
	"$octavo" $what --dir "$d" --json 2>/dev/null; done | jq -rs '[length, (map(select(type == "object" and has("error"))) | length), ([.. | strings | select(test("^-?[0-9]+$|^(yes|no|true|false)$"))] | length)] | join(" ")')"

# Mistakes that would be hard to undo.
expect 'a token that ends in the past is refused' 2 '2020-01-01T00:00:00Z is in the past' "$octavo" token create --dir "$d" --user a@example.com --expires 2020-01-01T00:00:00Z
expect 'a token that ends in the future is created' 0 '^token' "$octavo" token create --dir "$d" --user a@example.com --expires 2999-01-01T00:00:00Z
expect 'init where other files are is refused' 1 'plain holds something else \(letters\); name a folder that is new or empty' \
	sh -c "touch '$tmp/plain/letters'; '$octavo' init --dir '$tmp/plain' --email a@example.com --name A --org Docs"
same 'a refused init makes nothing' letters "$(ls "$tmp/plain")"
expect 'init beside a file with a similar name is refused' 1 'holds something else \(run\.sh\)' \
	sh -c "mkdir '$tmp/near'; touch '$tmp/near/run.sh'; '$octavo' init --dir '$tmp/near' --email a@example.com --name A --org Docs"
expect 'init of existing data is refused' 1 'data is initialised already; make a token with' \
	sh -c "touch '$d/note'; '$octavo' init --dir '$d' --email a@example.com --name A --org Docs"
expect 'the audit log is listed by the title of the organization' 0 'space.created' "$octavo" audit --dir "$d" --org 'Team docs' --action space.created
expect 'conversations of an unknown organization are not deleted' 1 'there is no organization Dogs; octavo org list shows them' \
	"$octavo" conversations delete --dir "$d" --org Dogs 1

# While a runner is working: a second one started by cron prints nothing, and one on a terminal shows that it waits.
mkdir -p "$d/run"
flock "$d/run/jobs.lock" sleep 4 &
lock=$!
sleep 0.3
same 'octavo-jobs --once is silent beside a runner' '' "$(OCTAVO_DIR=$d "$OCTAVO_BUILD/octavo-jobs" --once 2>&1)"
script -qec "$octavo import --dir $d --org $org --title Shown --url $tmp/repo" "$tmp/typescript" >/dev/null 2>&1
wait $lock
grep -q 'waiting, 1 s' "$tmp/typescript" && pass || fail 'an import shows its progress on a terminal' "$(cat -v "$tmp/typescript" | head -c 2000)"

: >"$tmp/out"
# A server that is down: the command prints that at once, tries again, and ends in order.
"$octavo" import --dir "$d" --org "$org" --title T --url http://127.0.0.1:1/x.git >"$tmp/out" 2>&1 &
waiting=$!
n=300
until grep -q 'the next try is in' "$tmp/out" || [ $n -eq 0 ]; do sleep 0.1; n=$((n - 1)); done
grep -q 'no connection to 127.0.0.1.*the next try is in [0-9]* s, Ctrl-C gives up' "$tmp/out" && pass || fail 'an import from a server that is down says when it tries again' "$(cat "$tmp/out")"
expect 'an import from a server that is down stays queued' 0 'import .* queued' "$octavo" jobs --dir "$d"
sleep 0.5
children=''
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	children=$children$(cat "/proc/$waiting/task/$waiting/children" 2>/dev/null || echo none)
	sleep 0.02
done
same 'a waiting import starts no process' '' "$children"
kill -TERM "$waiting"
wait "$waiting"
grep -q 'ended as "cancelled"' "$tmp/out" && pass || fail 'an import that is given up is cancelled' "$(cat "$tmp/out")"
same 'a cancelled import leaves no waiting job' 0 "$(sql "SELECT count(*) FROM job WHERE state IN ('queued', 'running')")"

# Jobs.
id=$(sql 'SELECT id FROM job LIMIT 1')
expect 'a finished job cannot be cancelled' 1 "no job $id is queued or running" "$octavo" jobs --dir "$d" --cancel "$id"
expect 'an unknown job cannot be cancelled' 1 'no job x is queued or running' "$octavo" jobs --dir "$d" --cancel x
expect 'waiting without jobs ends at once' 0 '' "$octavo" jobs --dir "$d" --wait
expect 'an import works' 0 '^pages +1' "$octavo" import --dir "$d" --org "$org" --title T --url "$tmp/repo"
expect 'octavo check finds nothing after the imports' 0 '^ok' "$octavo" check --dir "$d"

# The command also finds the runner where `make install` puts the programs.
mkdir -p "$tmp/bin" "$tmp/lib/octavo"
cp "$octavo" "$tmp/bin/octavo"
space=$(sql "SELECT id FROM space WHERE deleted_at IS NULL AND title = 'T'")
expect 'an import without a runner says where it is looked for' 1 'octavo-jobs is neither beside this command nor in ../lib/octavo' \
	"$tmp/bin/octavo" import --dir "$d" --org "$org" --space "$space" --url "$tmp/repo"
cp "$OCTAVO_BUILD/octavo-jobs" "$tmp/lib/octavo/octavo-jobs"
expect 'the next runner does the waiting job' 0 ' done ' "$tmp/bin/octavo" jobs --dir "$d" --wait
same 'no job waits after the runner' 0 "$(sql "SELECT count(*) FROM job WHERE state IN ('queued', 'running')")"

# Data of another user.
chmod 700 "$d"
chmod 711 "$tmp"
if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups "$octavo" --version >/dev/null 2>&1; then
	chown 65534 "$d" "$d"/octavo.*
	chmod 700 "$tmp/repo"
	expect 'a repository that the owner may not read is refused' 2 'user of the data \(nobody\) may not look into' \
		"$octavo" import --dir "$d" --org "$org" --title T --url "$tmp/repo/.git"
	chown 0 "$d" "$d"/octavo.*
	for command in check status jobs up; do
		[ $command = status ] || expect "octavo $command by another user is refused" 1 'may not look into .*; run it as its owner' \
			setpriv --reuid 65534 --regid 65534 --clear-groups "$octavo" $command --dir "$d"
	done
	# root makes a PDF in a folder where the data's owner may not write, and leaves no file of root in the data.
	chown -R 65534 "$d"
	mkdir -m 700 "$tmp/root"
	expect 'root gets a PDF of data of another user' 0 '^sheets +[1-9]' "$octavo" pdf --dir "$d" --space "$space" "$tmp/root/t.pdf"
	expect 'an ending .html asks for one HTML file' 0 '^sheets +[1-9]' "$octavo" pdf --dir "$d" --space "$space" "$tmp/root/t.html"
	expect 'it is one' 0 '^<!doctype html>' head -n 1 "$tmp/root/t.html"
	rm "$tmp/root/t.html"
	same 'the PDF of root is a PDF' '%PDF-' "$(head -c 5 "$tmp/root/t.pdf")"
	same 'root leaves no file of its own in the data' '' "$(find "$d" -user 0)"
	expect 'a PDF of an unknown space is refused' 1 'there is no space x' "$octavo" pdf --dir "$d" --space x "$tmp/root/x.pdf"
	same 'a refused PDF leaves no file' t.pdf "$(ls "$tmp/root")"
	expect 'a PDF into a missing folder is refused' 1 'no/x.pdf: No such file' "$octavo" pdf --dir "$d" --space "$space" "$tmp/no/x.pdf"
	chown -R 0 "$d"
else
	skip 'commands of another user' 'only root can try it, with programs that others may run'
fi

# A full disk: a clear error, nothing half-written, and it works again afterwards.
mkdir "$tmp/small"
if mount -t tmpfs -o size=10m tmpfs "$tmp/small" 2>/dev/null; then
	s=$tmp/small/data
	expect 'init works on a small disk' 0 'is ready' "$octavo" init --dir "$s" --email a@example.com --name A --org Docs
	cat /dev/zero >"$tmp/small/fill" 2>/dev/null
	expect 'a full disk refuses a new user' 1 'the disk is full or may only be read|No space left on device' "$octavo" user create --dir "$s" --email b@example.com --name B
	expect 'a full disk refuses init' 1 'full|space' "$octavo" init --dir "$tmp/small/other" --email a@example.com --name A --org Docs
	rm "$tmp/small/fill"
	expect 'octavo check finds nothing after a full disk' 0 '^ok' "$octavo" check --dir "$s"
	expect 'a user is created when there is room' 0 '^user' "$octavo" user create --dir "$s" --email b@example.com --name B
	expect 'init goes on where it was' 0 'is ready' "$octavo" init --dir "$tmp/small/other" --email a@example.com --name A --org Docs
else
	skip 'commands on a full disk' 'no file system can be mounted here'
fi

# Data that is invalid, or of another version.
spoilt() { rm -rf "$tmp/spoilt"; cp -r "$d" "$tmp/spoilt"; }
spoilt
head -c 4096 /dev/urandom >"$tmp/spoilt/octavo.db"
rm -f "$tmp/spoilt"/octavo.db-*
expect 'a file that is no database is refused' 1 'octavo.db: file is not a database' "$octavo" check --dir "$tmp/spoilt"
spoilt
rm "$tmp/spoilt/octavo.key"
expect 'data without a key are refused' 1 'octavo.key: No such file' "$octavo" check --dir "$tmp/spoilt"
spoilt
echo x >"$tmp/spoilt/octavo.key"
expect 'a file that is no key is refused' 1 'not a key file' "$octavo" check --dir "$tmp/spoilt"
spoilt
rm -r "$tmp/spoilt/cache" "$tmp/spoilt/run" "$tmp/spoilt/log"
expect 'missing folders are made again' 0 '^changed +false' "$octavo" import --dir "$tmp/spoilt" --org "$org" \
	--space "$(sql "SELECT id FROM space WHERE deleted_at IS NULL AND title = 'T'")" --url "$tmp/repo"

summary
