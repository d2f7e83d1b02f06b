# On the hostname of a site octavo-site serves all paths: a variant may be called v1.
if [ $TRANSPORT = http ] && [ -z "$below" ] && [ "${th_pools-1}" = 1 ]; then

SO=/v1/orgs/$ORG
first=$(space_empty Home) second=$(space_empty v1)
space_write $first '{"changes":[{"operation":"insert_page","title":"Main","document":{"markdown":"Main words."}}]}'
space_write $second \
	'{"changes":[{"operation":"insert_page","title":"First","document":{"markdown":"First words."}},{"operation":"insert_page","title":"Orgs",'\
'"document":{"markdown":"Orgs words."}}]}'
t 'hostname: a site is created' POST $SO/sites admin '{"title":"Hosted","spaces":["'$first'","'$second'"]}' 201 ''
W=$SO/sites/$(jq -r .id "$out")
t 'hostname: the site is published' POST $W/publish admin '' 200 ''
"$octavo" site hostname --dir "$dir" --site ${W##*/} v1.octavo.test >/dev/null 2>&1
t 'a site is found by its hostname' POST /v1/urls/published read '{"url":"https://v1.octavo.test/"}' 200 '.site == "'${W##*/}'"'
t 'a site is found by its hostname with a port' POST /v1/urls/published read '{"url":"https://V1.octavo.test:8443/"}' 200 '.site == "'${W##*/}'"'
for round in 1 2; do
	for host in v1.octavo.test V1.octavo.test:8080 v1.octavo.test. v1.octavo.test.:8080; do
		read_at /v1/ -H "Host: $host"
		same "the variant v1 is served, $host" 200 "$code"
		holds "the variant v1 shows its page, $host" 'First words.'
		case $(header content-type) in text/html*) pass ;; *) fail 'the variant v1 is HTML' "$(header content-type)" ;; esac
		same 'a page on a hostname has no header of the API' '' "$(header x-accel-redirect)"
		read_at /v1/orgs -H "Host: $host" -H "Authorization: Bearer $(cat "$tmp/tokens/admin")"
		same "a page called like an operation is served, $host" 200 "$code"
		holds "a page called like an operation shows its text, $host" 'Orgs words.'
		read_at /v1 -H "Host: $host"
		same "the variant v1 is served without the slash, $host" 200 "$code"
		read_at /app/sign-in -H "Host: $host"
		same "the pages for people are not on the hostname of a site, $host" 404 "$code"
		lacks "sign-in is not on the hostname of a site, $host" 'action="/app'
		read_at /v1/orgs/$ORG -H "Host: $host"
		same "the API is not on the hostname of a site, $host" 404 "$code"
		case $(header content-type) in text/html*) pass ;; *) fail 'a missing page on a hostname is HTML' "$(header content-type)" ;; esac
		read_at / -H "Host: $host"
		holds "the home page is served, $host" 'Main words.'
		read_at /sites/$ORG_NAME/ -H "Host: $host"
		same "other sites are not on the hostname, $host" 404 "$code"
	done
done
read_at /v1/orgs -H "Host: v1.octavo.test" -X POST -d x
case $code in 404 | 405 | 421) pass ;; *) fail 'POST on a hostname is refused' "$code" ;; esac
t 'the API is served at its own host' GET /v1/orgs admin '' 200 '.items | length > 0'
read_at /v1/ -H 'Host: v2.octavo.test'
same 'the API is served at unknown hosts'"'"'s' 200 "$code"
case $(header content-type) in application/json*) pass ;; *) fail 'the API at unknown hosts is JSON' "$(header content-type)" ;; esac
t 'hostname: the site is deleted' DELETE $W admin '' 204 ''
read_at /v1/ -H 'Host: v1.octavo.test'
case $(header content-type) in application/json*) pass ;; *) fail 'the API is served at the hostname of a deleted site' "$(header content-type)" ;; esac
for gone in $first $second; do send DELETE /v1/spaces/$gone admin ''; done
fi
