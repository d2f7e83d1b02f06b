# Random sequences of changes that open and close a site, compared with a model: a token never reads
# what the model closes, whenever it was made, and always reads what the model opens.
SO=/v1/orgs/$ORG
vm_seed=${OCTAVO_SEED:-20261122}
one=$(space_empty One) two=$(space_empty Two)
for vm_space in $one $two; do
	space_write $vm_space '{"changes":[{"operation":"insert_page","title":"Start","document":{"markdown":"Text."}}]}'
done
t 'visibility: a site is created' POST $SO/sites admin '{"title":"Model","spaces":["'$one'","'$two'"],"visibility":"public"}' 201 ''
W=$SO/sites/$(jq -r .id "$out")
jobs_rest
t 'visibility: the site is published' POST $W/publish admin '' 200 ''
at=$(jq -r .urls.published "$out")
t 'visibility: a share link is created' POST $W/share-links admin '{"name":"Friends"}' 201 ''
link=$(jq -r .id "$out")
# The key is shown while the site is published; before that it opens nothing.
key_of() { get $W/share-links; key=$(jq -r '.items[] | select(.id == "'$link'").urls.published // "" | split("/")[-2] // "unknown"' "$out"); }
key_of
t 'visibility: redirects lead to both spaces' PUT $W/redirects admin '{"redirects":['"$(send GET $W/site-spaces admin ''
	jq -c '.items[] | { source: ("/to-" + .space.id), destination: { kind: "site-space", siteSpaceId: .id } }' "$out" | paste -sd ,)"']}' 200 \
		'[.results[].status] == ["created", "created"]'
get $W/site-spaces admin
second=$(jq -r '.items[] | select(.space.id == "'$two'").id' "$out")
get $W/publishing/auth admin
secret=$(jq -r .privateKey "$out")

# The model.
published=yes visibility=public active=yes gone=no granted=no generation=1 hidden=no taken=no links=1

# vm_opens WHO GENERATION SPACE: yes, no, or either if the site is open to everyone and they came in another way.
vm_opens() {
	[ $published = yes ] && { [ "$3" != $two ] || [ $gone$hidden$taken = nonono ]; } || { echo no; return; }
	case $visibility:$1 in
	public:anybody | unlisted:anybody) echo yes ;;
	public:* | unlisted:*) echo either ;;
	share-link:key) [ "$2" = $links ] && echo $active || echo no ;;
	visitor-auth:claims) [ "$2" = $generation ] && echo yes || echo no ;;
	visitor-auth:member) echo yes ;;
	visitor-auth:guest) [ "$3" = $one ] && echo $granted || echo no ;;
	*) echo no ;;
	esac
}

vm_act() {
	case $1 in
	publish) published=yes; send POST $W/publish admin '' ;;
	unpublish) published=no; send POST $W/unpublish admin '' ;;
	public | unlisted | share-link | visitor-auth) visibility=$1; send PATCH $W admin '{"visibility":"'"$1"'"}' ;;
	revoke) active=no; send PATCH $W/share-links/$link admin '{"active":false}' ;;
	restore) active=yes; send PATCH $W/share-links/$link admin '{"active":true}' ;;
	delete) gone=yes; send DELETE /v1/spaces/$two admin '' ;;
	undelete) gone=no; send POST /v1/spaces/$two/restore admin '' ;;
	# While the space is deleted, the site does not have that part: 404, and nothing changes.
	hide) [ $gone$taken != nono ] || { hidden=yes; send PATCH $W/site-spaces/$second admin '{"condition":"visitor.claims.nobody"}'; } ;;
	show) [ $gone$taken != nono ] || { hidden=no; send PATCH $W/site-spaces/$second admin '{"condition":null}'; } ;;
	take) [ $gone = yes ] || { taken=yes hidden=no; send DELETE $W/site-spaces/$second admin ''; } ;;
	put)
		[ $gone$taken != noyes ] || {
			taken=no
			send POST $W/site-spaces admin '{"spaceId":"'$two'"}'
			second=$(jq -r .id "$out")
			send PUT $W/redirects admin '{"redirects":[{"source":"/to-'$two'","destination":{"kind":"site-space","siteSpaceId":"'$second'"}}]}'
		} ;;
	relink)
		links=$((links + 1)) active=yes
		send DELETE $W/share-links/$link admin ''
		send POST $W/share-links admin '{"name":"Others"}'
		link=$(jq -r .id "$out") ;;
	look) send PUT $W/customization admin '{"title":"Look '$vm_step'"}' ;;
	grant) granted=yes; send POST /v1/spaces/$one/permissions admin '{"role":"read","users":["'$U_guest'"]}' ;;
	end) granted=no; send DELETE /v1/spaces/$one/permissions/users/$U_guest admin '' ;;
	key)
		generation=$((generation + 1))
		send POST $W/publishing/auth/regenerate admin ''
		secret=$(jq -r .privateKey "$out") ;;
	esac
}

# Their credentials: a URL, and a separate token.
vm_ping() { send POST $SO/ping $1 ''; printf '{"jwtToken":"%s"}' "$(jq -r .serviceVisitorClaims "$out")"; }
vm_member=$(vm_ping read) vm_guest=$(vm_ping guest)
vm_ask() {
	case $1 in
	key)
		key_of
		site_resolve "$at$key/" ;;
	claims) site_resolve $at '{"jwtToken":"'$(jwt_make $secret '{"exp":'$(($(date +%s) + 600))'}')'"}' ;;
	member) site_resolve $at "$vm_member" ;;
	guest) site_resolve $at "$vm_guest" ;;
	*) site_resolve $at ;;
	esac
}

# vm_reads TOKEN WHO GENERATION
vm_reads() {
	for vr_space in $one $two; do
		vr_want=$(vm_opens $2 $3 $vr_space)
		send GET /v1/spaces/$vr_space "$1" ''
		case $vr_want:$code in
		yes:200 | no:401 | no:404 | either:*) pass ;;
		*) fail "visibility follows the model, seed $vm_seed, step $vm_step ($vm_did)" \
			"$2 of $3: $code instead of $vr_want; $published $visibility $active $gone $granted $generation $hidden $taken $links" ;;
		esac
		# A redirect into the space is as open as the space.
		send GET "$W/redirect?source=/to-$vr_space" "$1" ''
		case $vr_want:$code in
		yes:200 | no:401 | no:404 | either:*) pass ;;
		*) fail "visibility follows the model, seed $vm_seed, step $vm_step ($vm_did)" "redirect of $2 of $3: $code instead of $vr_want" ;;
		esac
	done
	# The profile and the search name no other space.
	for vr_way in "GET $W/published" "POST $W/search {\"query\":\"Text\"}"; do
		# The search takes longer than all other requests together: only every third time.
		[ "${vr_way%% *}" = GET ] || [ $((vm_step % 3)) -eq 0 ] || continue
		send ${vr_way%% *} "$(echo "$vr_way" | cut -d ' ' -f 2)" "$1" "$(echo "$vr_way" | cut -d ' ' -f 3-)"
		for vr_space in $one $two; do
			vr_want=$(vm_opens $2 $3 $vr_space)
			case $vr_want:$code:$(grep -c "$vr_space" "$out") in
			yes:200:1 | no:40[14]:* | no:200:0 | either:*) pass ;;
			*) fail "visibility follows the model, seed $vm_seed, step $vm_step ($vm_did)" "$vr_way of $2 of $3: $code instead of $vr_want" ;;
			esac
		done
	done
}

vm_step=0 vm_kept=''
for vm_did in $(awk -v seed=$vm_seed 'BEGIN { srand(seed)
	n = split("hide show show take put put relink look publish publish unpublish public unlisted share-link share-link share-link visitor-auth '\
'visitor-auth visitor-auth revoke restore restore delete undelete undelete grant grant end key", a)
	for (i = 0; i < 24; i++) print a[1 + int(rand() * n)] }'); do
	vm_step=$((vm_step + 1))
	vm_act $vm_did
	send POST $W/insights/events admin '{"events":[{"type":"page_view","location":{"url":"https://docs.example/"}}]}'
	case $published:$code in
	yes:204 | no:404) pass ;;
	*) fail "visibility follows the model, seed $vm_seed, step $vm_step ($vm_did)" "events: $code; $published" ;;
	esac
	for vm_who in anybody key claims member guest; do
		vm_ask $vm_who
		# A caller who gets no new token continues with the old one.
		if [ -s "$tmp/tokens/site" ] && [ "$(cat "$tmp/tokens/site")" != '' ]; then
			cp "$tmp/tokens/site" "$tmp/tokens/vm_$vm_who"
			# The generation of the key they used: that of a share link, or that of the site.
			case $vm_who in key) eval "vm_of_$vm_who=$links" ;; *) eval "vm_of_$vm_who=$generation" ;; esac
		else
			case $(vm_opens $vm_who $([ $vm_who = key ] && echo $links || echo $generation) $one) in
			yes) fail "visibility follows the model, seed $vm_seed, step $vm_step ($vm_did)" "$vm_who gets no token; $published $visibility $active $gone $granted" ;;
			*) pass ;;
			esac
		fi
		[ -f "$tmp/tokens/vm_$vm_who" ] || continue
		eval "vm_reads vm_$vm_who $vm_who \$vm_of_$vm_who"
	done
	# The first token with signed claims.
	[ -f "$tmp/tokens/vm_first" ] || { [ ! -f "$tmp/tokens/vm_claims" ] || { cp "$tmp/tokens/vm_claims" "$tmp/tokens/vm_first"; vm_of_first=$generation; }; }
	[ ! -f "$tmp/tokens/vm_first" ] || vm_reads vm_first claims $vm_of_first
done
send DELETE $W admin ''
for vm_space in $one $two; do send DELETE /v1/spaces/$vm_space admin ''; done
rm -f "$tmp/tokens/site" "$tmp"/tokens/vm_*
