# Users who are in no organization of the caller's, and are named by what the
# caller reads: nadm owns NORG, nred reads in it, nout is elsewhere; each of the
# others takes part in one way and leaves.
for who in nadm nred nout; do user_new $who '' ''; done
t 'an organization of the past' POST /v1/orgs nadm '{"title":"Past"}' 201 ''
NORG=$(jq -r .id "$out")
NO=/v1/orgs/$NORG
t 'with a reader' POST $NO/invites nadm '{"emails":["nred@example.com"],"role":"read"}' 200 ''
t 'and a space' POST $NO/spaces nadm '{"title":"Talk"}' 201 ''
NS=$(jq -r .id "$out")
former='ncom nrep nrea nreq nmer nrev nask nwri ndoc nset'
for who in $former; do user_new $who "$NORG" admin; done
t 'one comments' POST /v1/spaces/$NS/comments ncom '{"body":{"markdown":"x"}}' 200 ''
comment=$(jq -r .id "$out")
t 'one replies' POST /v1/spaces/$NS/comments/$comment/replies nrep '{"body":{"markdown":"y"}}' 200 ''
t 'one reacts' PUT /v1/spaces/$NS/comments/$comment nrea '{"addedReactions":["1f44d"]}' 200 ''
t 'one resolves' PUT /v1/spaces/$NS/comments/$comment nset '{"resolved":true}' 200 ''
t 'one proposes' POST /v1/spaces/$NS/change-requests nreq '{"subject":"x"}' 201 ''
request=/v1/spaces/$NS/change-requests/$(jq -r .id "$out")
t 'one asks for a review' POST $request/requested-reviewers nask '{"users":["'$U_nrev'"]}' 200 ''
t 'one writes' POST $request/content nwri '{"changes":[{"operation":"insert_page","title":"New","document":{"markdown":"Words."}}]}' 200 ''
t 'it opens' PATCH $request nreq '{"status":"open"}' 200 ''
t 'one reviews' POST $request/reviews nrev '{"status":"approved"}' 201 ''
t 'one merges' POST $request/merge nmer '' 200 '.result == "merge"'
t 'one instructs' PUT $NO/agent-instructions ndoc '{"instructions":{"object":"document","data":{"schemaVersion":1},"nodes":[]}}' 200 ''
for who in $former; do
	eval "id=\$U_$who"
	t "$who leaves" DELETE $NO/members/$id nadm '' 204 ''
	t "$who is known to readers" GET /v1/users/$id nred '' 200 '.displayName == "'$who'"'
	t "and not to others" GET /v1/users/$id nout '' 404 '.error.message == "no user '$id'"'
	t "and changed by nobody else" PATCH /v1/users/$id nred '{"displayName":"X"}' 403 ''
done
t 'who said nothing is known to nobody' GET /v1/users/$U_nout nred '' 404 ''
t 'nobody is named where one may not look' PATCH /v1/spaces/$NS nadm '{"defaultLevel":null}' 200 ''
for who in ncom nrep nrea nset nreq nask nwri nrev nmer; do
	eval "id=\$U_$who"
	t "$who is unknown without the space" GET /v1/users/$id nred '' 404 ''
	t "$who is known with it" GET /v1/users/$id nadm '' 200 ''
done
t 'gone with the space' DELETE /v1/spaces/$NS nadm '' 204 ''
t 'and unknown' GET /v1/users/$U_ncom nadm '' 404 ''
t 'what instructs stays' GET /v1/users/$U_ndoc nred '' 200 ''
