# Organizations.
t 'a member lists the own organizations' GET /v1/orgs admin '' 200 '.count == 1 and [.items[].id] == ["'$ORG'"] and (has("next") | not)'
t 'a guest sees an organization without permissions' GET /v1/orgs guest '' 200 \
	'.count == 1 and .items[0].permissions == {view: true, access: true, admin: false, ownTeam: false,
	createContent: false, createOpenAPISpec: false, ingestConversations: false, viewBilling: false, listMembers: false,
	listTeams: false, listIntegrations: false, listInstallations: false, installIntegration: false}'
t 'a disabled member lists no organization' GET /v1/orgs disabled '' 200 '.count == 0 and .items == []'
t 'a user without an organization lists none' GET /v1/orgs stranger '' 200 '.count == 0 and .items == []'
t 'a member of another organization lists that one' GET /v1/orgs other '' 200 '[.items[].id] == ["'$ORG_B'"]'

t 'an admin reads an organization' GET /v1/orgs/$ORG admin '' 200 '.object == "organization" and .title == "Acme" and .plan == "community_2024"
	and .type == "business" and .emailDomains == [] and has("defaultRole") and .defaultRole == null and .inviteLinks and .mergeRules == {type: "none"}
	and .trial == {status: "notapplicable", count: 0} and .urls.location == "'$base'/v1/orgs/'$ORG'"
	and (.createdAt | test("^[0-9-]{10}T[0-9:]{8}[.][0-9]{3}Z$"))'
flags() { t "$1 has the permissions of the role in the organization" GET /v1/orgs/$ORG $1 '' 200 \
	'.permissions | [.view, .admin, .createContent, .createOpenAPISpec,
	.ingestConversations, .viewBilling, .listMembers, .listTeams] == '"$2"; }
flags admin '[true, true, true, true, true, true, true, true]'
flags create '[true, false, true, true, true, false, true, true]'
flags writeonly '[true, false, true, true, true, false, true, true]'
for who in review edit comment read readonly; do
	flags $who '[true, false, false, false, false, false, true, true]'
done
flags guest '[true, false, false, false, false, false, false, false]'
t 'an organization of others answers 404' GET /v1/orgs/$ORG_B admin '' 404 ''
hidden=$(sed "s/$ORG_B/ID/" "$out")
t 'an unknown organization answers 404' GET /v1/orgs/xxxxxxxxxxxxxxxxxxxxxx admin '' 404 ''
same 'unknown and hidden organizations look alike' "$hidden" "$(sed s/xxxxxxxxxxxxxxxxxxxxxx/ID/ "$out")"
t 'a disabled member gets 404 for the organization' GET /v1/orgs/$ORG disabled '' 404 ''
t 'a stranger gets 404 for the organization' GET /v1/orgs/$ORG stranger '' 404 ''

t 'any user creates an organization and administers it' POST /v1/orgs stranger \
	'{"title":"Mine","emailDomains":["example.net"],"type":"community","communityType":"openSource",
	"useCase":"docsSite","onboardingPreferences":{"a":[1]}}' 201 '.title == "Mine" and .permissions.admin and .type == "community"
	and .communityType == "openSource" and .useCase == "docsSite" and .emailDomains == ["example.net"]'
made=$(jq -r .id "$out")
same 'a created organization is named in Location' "$base/v1/orgs/$made" "$(header location)"
t 'a created organization is readable to its creator' GET /v1/orgs/$made stranger '' 200 '.title == "Mine"'
t 'a created organization is hidden from others' GET /v1/orgs/$made admin '' 404 ''
t 'a user creates a second organization' POST /v1/orgs stranger '{"title":"Newer"}' 201 '.type == "business"'
t 'organizations are listed newest first' GET /v1/orgs stranger '' 200 '[.items[].title] == ["Newer", "Mine"]'
# The name in addresses of its sites.
t 'an organization gets a name from its title' POST /v1/orgs stranger '{"title":"Ärzte & Söhne, Ltd."}' 201 '.hostname == "arzte-and-sohne-ltd"'
t 'another one with the same title gets another name' POST /v1/orgs stranger '{"title":"Ärzte & Söhne, Ltd!"}' 201 '.hostname == "arzte-and-sohne-ltd-2"'
t 'a long title is cut' POST /v1/orgs stranger '{"title":"The quite long name of a company with words"}' 201 '.hostname == "the-quite-long-name-of-a-com"'
t 'a title of which nothing is left gives no name' POST /v1/orgs stranger '{"title":"😀 😀"}' 201 'has("hostname") | not'
t 'an organization title of 255 characters is kept' POST /v1/orgs stranger "{\"title\":\"$(head -c 255 /dev/zero | sed 's/\x00/é/g')\"}" 201 \
	'.title | length == 255'
t 'an organization title of 256 characters is refused' POST /v1/orgs stranger "{\"title\":\"$(head -c 256 /dev/zero | sed 's/\x00/é/g')\"}" 400 \
	'.fields[0].path == "/title"'
t 'an organization title of one character is refused' POST /v1/orgs stranger '{"title":"é"}' 400 '.fields[0].path == "/title"'
t 'an organization title of two characters is kept' POST /v1/orgs stranger '{"title":"é😀"}' 201 ''
t 'an organization without a title is refused' POST /v1/orgs stranger '{}' 400 '.fields == [{"path":"/title","message":"is required"}]'
t 'an organization title of null is refused' POST /v1/orgs stranger '{"title":null}' 400 ''
t 'an organization of an unknown type is refused' POST /v1/orgs stranger '{"title":"xx","type":"personal"}' 400 '.fields[0].path == "/type"'
t 'email domains that are none are refused one by one' POST /v1/orgs stranger '{"title":"xx","emailDomains":["a b", 1, ""]}' 400 \
	'[.fields[].path] == ["/emailDomains/0", "/emailDomains/1", "/emailDomains/2"]'
for domain in - .example example. a..b -a.example a-.example 'a b' a_b 'a@b.example' '*.example'; do
	t "the email domain $domain is refused" POST /v1/orgs stranger '{"title":"xx","emailDomains":["'"$domain"'"]}' 400 '.fields[0].path == "/emailDomains/0"'
done
t 'an email domain may be one label and is kept in lower case' POST /v1/orgs stranger \
	'{"title":"xx","emailDomains":["localhost","xn--bcher-kva.Example"]}' 201 '.emailDomains == ["localhost", "xn--bcher-kva.example"]'
t 'a read token creates no organization' POST /v1/orgs readonly '{"title":"xx"}' 403 ''
t 'a caller without a token creates no organization' POST /v1/orgs - '{"title":"xx"}' 401 ''
