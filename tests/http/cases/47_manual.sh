# Chapters of the manual whose commands are run as written: story.sh.
. tests/http/story.sh

if [ "$TRANSPORT" = http ]; then
	t 'a space for stories is created' POST /v1/orgs/$ORG/spaces create '{"title":"Stories"}' 201 ''
	S=$(jq -r .id "$out")
	story docs/content/change-requests.md SPACE=$S REVIEWER=$U_review "REVIEWER_TOKEN=$(token_of review)"
	get /v1/spaces/$S/content/path/backup
	P=$(jq -r .id "$out")
	send POST /v1/spaces/$S/change-requests edit '{}'
	story docs/content/comments.md CR=/spaces/$S/change-requests/$(jq -r .number "$out") PAGE=$P
	story docs/content/audiences.md ORG=$ORG "TOKEN=$(token_of admin)"
	get /v1/orgs/$ORG/sites admin
	for id in $(jq -r '.items[].id' "$out"); do t 'the sites of the story are deleted' DELETE /v1/orgs/$ORG/sites/$id admin '' 204 ''; done
	user_new you '' ''
	story docs/people/organization.md "TOKEN=$(token_of you)"
fi
