# Organizations.
t 'own organizations' GET /v1/orgs admin '' 200 '.count == 1 and [.items[].id] == ["'$ORG'"] and (has("next") | not)'
t 'of a guest' GET /v1/orgs guest '' 200 '.count == 1 and .items[0].permissions == {view: true, access: true, admin: false, ownTeam: false,
	createContent: false, createOpenAPISpec: false, ingestConversations: false, viewBilling: false, listMembers: false,
	listTeams: false, listIntegrations: false, listInstallations: false, installIntegration: false}'
t 'of a disabled member' GET /v1/orgs disabled '' 200 '.count == 0 and .items == []'
t 'of somebody without any' GET /v1/orgs stranger '' 200 '.count == 0 and .items == []'
t 'of another' GET /v1/orgs other '' 200 '[.items[].id] == ["'$ORG_B'"]'

t 'organization' GET /v1/orgs/$ORG admin '' 200 '.object == "organization" and .title == "Acme" and .plan == "community_2024"
	and .type == "business" and .emailDomains == [] and has("defaultRole") and .defaultRole == null and .inviteLinks and .mergeRules == {type: "none"}
	and .trial == {status: "notapplicable", count: 0} and .urls.location == "'$base'/v1/orgs/'$ORG'"
	and (.createdAt | test("^[0-9-]{10}T[0-9:]{8}[.][0-9]{3}Z$"))'
flags() { t "flags of $1" GET /v1/orgs/$ORG $1 '' 200 '.permissions | [.view, .admin, .createContent, .createOpenAPISpec,
	.ingestConversations, .viewBilling, .listMembers, .listTeams] == '"$2"; }
flags admin '[true, true, true, true, true, true, true, true]'
flags create '[true, false, true, true, true, false, true, true]'
flags writeonly '[true, false, true, true, true, false, true, true]'
for who in review edit comment read readonly; do
	flags $who '[true, false, false, false, false, false, true, true]'
done
flags guest '[true, false, false, false, false, false, false, false]'
t 'organization of others' GET /v1/orgs/$ORG_B admin '' 404 ''
hidden=$(sed "s/$ORG_B/ID/" "$out")
t 'unknown organization' GET /v1/orgs/xxxxxxxxxxxxxxxxxxxxxx admin '' 404 ''
same 'unknown and hidden look alike' "$hidden" "$(sed s/xxxxxxxxxxxxxxxxxxxxxx/ID/ "$out")"
t 'to a disabled member' GET /v1/orgs/$ORG disabled '' 404 ''
t 'to a stranger' GET /v1/orgs/$ORG stranger '' 404 ''

t 'create' POST /v1/orgs stranger '{"title":"Mine","emailDomains":["example.net"],"type":"community","communityType":"openSource",
	"useCase":"docsSite","onboardingPreferences":{"a":[1]}}' 201 '.title == "Mine" and .permissions.admin and .type == "community"
	and .communityType == "openSource" and .useCase == "docsSite" and .emailDomains == ["example.net"]'
made=$(jq -r .id "$out")
same 'create: Location' "$base/v1/orgs/$made" "$(header location)"
t 'created' GET /v1/orgs/$made stranger '' 200 '.title == "Mine"'
t 'created, to others' GET /v1/orgs/$made admin '' 404 ''
t 'newest first' POST /v1/orgs stranger '{"title":"Newer"}' 201 '.type == "business"'
t 'list after it' GET /v1/orgs stranger '' 200 '[.items[].title] == ["Newer", "Mine"]'
t 'title of 255' POST /v1/orgs stranger "{\"title\":\"$(head -c 255 /dev/zero | sed 's/\x00/é/g')\"}" 201 '.title | length == 255'
t 'title of 256' POST /v1/orgs stranger "{\"title\":\"$(head -c 256 /dev/zero | sed 's/\x00/é/g')\"}" 400 '.fields[0].path == "/title"'
t 'title of 1' POST /v1/orgs stranger '{"title":"é"}' 400 '.fields[0].path == "/title"'
t 'title of 2, one of them wide' POST /v1/orgs stranger '{"title":"é😀"}' 201 ''
t 'no title' POST /v1/orgs stranger '{}' 400 '.fields == [{"path":"/title","message":"is required"}]'
t 'title null' POST /v1/orgs stranger '{"title":null}' 400 ''
t 'wrong type' POST /v1/orgs stranger '{"title":"xx","type":"personal"}' 400 '.fields[0].path == "/type"'
t 'domains that are none' POST /v1/orgs stranger '{"title":"xx","emailDomains":["a b", 1, ""]}' 400 \
	'[.fields[].path] == ["/emailDomains/0", "/emailDomains/1", "/emailDomains/2"]'
for domain in - .example example. a..b -a.example a-.example 'a b' a_b 'a@b.example' '*.example'; do
	t "\"$domain\" is no domain" POST /v1/orgs stranger '{"title":"xx","emailDomains":["'"$domain"'"]}' 400 '.fields[0].path == "/emailDomains/0"'
done
t 'one label is a domain' POST /v1/orgs stranger '{"title":"xx","emailDomains":["localhost","xn--bcher-kva.Example"]}' 201 '.emailDomains == ["localhost", "xn--bcher-kva.example"]'
t 'read token creates nothing' POST /v1/orgs readonly '{"title":"xx"}' 403 ''
t 'nobody creates nothing' POST /v1/orgs - '{"title":"xx"}' 401 ''
