# Users outside of the caller's organizations who are named by content that the caller reads: nadm
# owns NORG, nred reads in it, nout is in another one; each of the other users takes part in one way
# and leaves.
for who in nadm nred nout; do user_new $who '' ''; done
t 'an organization is created' POST /v1/orgs nadm '{"title":"Past"}' 201 ''
NORG=$(jq -r .id "$out")
NO=/v1/orgs/$NORG
t 'a reader is invited' POST $NO/invites nadm '{"emails":["nred@example.com"],"role":"read"}' 200 ''
t 'a space is created' POST $NO/spaces nadm '{"title":"Talk"}' 201 ''
NS=$(jq -r .id "$out")
former='ncom nrep nrea nreq nmer nrev nask nwri ndoc nset'
for who in $former; do user_new $who "$NORG" admin; done
t 'a member comments' POST /v1/spaces/$NS/comments ncom '{"body":{"markdown":"x"}}' 200 ''
comment=$(jq -r .id "$out")
t 'a member replies' POST /v1/spaces/$NS/comments/$comment/replies nrep '{"body":{"markdown":"y"}}' 200 ''
t 'a member reacts' PUT /v1/spaces/$NS/comments/$comment nrea '{"addedReactions":["1f44d"]}' 200 ''
t 'a member resolves a comment' PUT /v1/spaces/$NS/comments/$comment nset '{"resolved":true}' 200 ''
t 'a member opens a change request' POST /v1/spaces/$NS/change-requests nreq '{"subject":"x"}' 201 ''
request=/v1/spaces/$NS/change-requests/$(jq -r .id "$out")
t 'a member requests a review' POST $request/requested-reviewers nask '{"users":["'$U_nrev'"]}' 200 ''
t 'a member writes in the request' POST $request/content nwri '{"changes":[{"operation":"insert_page","title":"New","document":{"markdown":"Words."}}]}' 200 ''
t 'the author opens the request to review' PATCH $request nreq '{"status":"open"}' 200 ''
t 'a member reviews' POST $request/reviews nrev '{"status":"approved"}' 201 ''
t 'a member merges' POST $request/merge nmer '' 200 '.result == "merge"'
t 'a member writes instructions' PUT $NO/agent-instructions ndoc '{"instructions":{"object":"document","data":{"schemaVersion":1},"nodes":[]}}' 200 ''
for who in $former; do
	eval "id=\$U_$who"
	t "$who leaves the organization" DELETE $NO/members/$id nadm '' 204 ''
	t "a former member is known to readers of what they did: $who" GET /v1/users/$id nred '' 200 '.displayName == "'$who'"'
	t "a former member is unknown to others: $who" GET /v1/users/$id nout '' 404 '.error.message == "no user '$id'"'
	t "a former member is changed by nobody else: $who" PATCH /v1/users/$id nred '{"displayName":"X"}' 403 ''
done
t 'a user who did nothing is unknown' GET /v1/users/$U_nout nred '' 404 ''
t 'the space is hidden from members' PATCH /v1/spaces/$NS nadm '{"defaultLevel":null}' 200 ''
for who in ncom nrep nrea nset nreq nask nwri nrev nmer; do
	eval "id=\$U_$who"
	t "a former member is unknown to who may not read the space: $who" GET /v1/users/$id nred '' 404 ''
	t "a former member is known to who may read the space: $who" GET /v1/users/$id nadm '' 200 ''
done
t 'the space is deleted' DELETE /v1/spaces/$NS nadm '' 204 ''
t 'a former member of a deleted space is unknown' GET /v1/users/$U_ncom nadm '' 404 ''
t 'who wrote instructions is still known' GET /v1/users/$U_ndoc nred '' 200 ''
