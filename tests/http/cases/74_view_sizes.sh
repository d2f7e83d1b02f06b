# How large the first views below /app are, with real content: a repository of 700 pages, and a request with ten comments.
. tests/http/browse.sh
vz_bundle=${OCTAVO_CORPUS:-$PWD/../shared/corpus}/gl-sdk.bundle
# is_small NAME [BYTES]: the page that was read last has at most 12 kB, without BYTES, the text that it shows
is_small() {
	vz_size=$(($(wc -c <"$out") - ${2-0}))
	[ "$vz_size" -le 12000 ] && pass || fail "$1 has at most 12 kB" "$vz_size"
	[ -z "${OCTAVO_SIZES-}" ] || echo "$vz_size $1" >>"$OCTAVO_SIZES"
}
vz_sizes() {
	git_in "$tmp" clone -q "$1" "$tmp/vz_repo"
	vz_s=$(octavo_json .result.space import --org "$ORG" --title 'GL SDK' --url "$tmp/vz_repo" --project-dir gitbook)
	user_new vzada "$ORG" admin
	pg_join vzada
	pg GET /app
	is_small 'the first page'
	pg GET /app/spaces/$vz_s
	is_small 'a space of 700 pages'
	get "/v1/spaces/$vz_s/content/pages"
	vz_p=$(jq -r '[.. | objects | select(.title? == "Prerequisites")][0].id' "$out")
	get "/v1/spaces/$vz_s/content/page/$vz_p/html?blocks=true"
	vz_text=$(jq -j '.blocks[].html' "$out" | wc -c)
	pg GET /app/spaces/$vz_s/pages/$vz_p
	is_small 'a long page of it, besides its text' $vz_text
	send POST /v1/spaces/$vz_s/change-requests admin '{"subject":"Ten remarks"}'
	vz_r=$(jq -r .id "$out") vz_at=/app/spaces/$vz_s/requests/$vz_r
	send POST /v1/spaces/$vz_s/change-requests/$vz_r/content admin "$(jq -nc --arg p "$vz_p" '{changes: [{operation: "update_page", page: $p,
		document: {markdown: "One.\n\nTwo here,\nand there.\n\n- a\n- b"}}]}')"
	for vz_n in 1 2 3 4 5 6 7 8 9 10; do
		send POST /v1/spaces/$vz_s/change-requests/$vz_r/comments admin '{"body":{"markdown":"Remark '$vz_n': this sentence could be shorter, couldn’t it?"}}'
	done
	pg GET $vz_at
	is_small 'a request with ten comments'
	get "/v1/spaces/$vz_s/change-requests/$vz_r/content/page/$vz_p/html?blocks=true&since=base"
	vz_text=$(jq -j '.blocks[].html' "$out" | wc -c)
	pg GET $vz_at/pages/$vz_p
	is_small 'a long page of the request, besides its text' $vz_text
	pg GET /app/spaces/$vz_s/history
	is_small 'the history'
	pg GET "/app/spaces/$vz_s/search?q=data"
	is_small 'a search'
	holds 'of which there is more' '>Next</a>'
	pg GET "/app/orgs/$ORG/search?q=data"
	is_small 'a search in the organization'
	pg GET /app/spaces/$vz_s/files
	is_small 'the files'
	pg GET /app/spaces/$vz_s/links
	is_small 'the broken links'
	pg GET /app/spaces/$vz_s/pages/$vz_p/place
	is_small 'the properties of a page'
	pg GET $vz_at/pages/$vz_p/place
	is_small 'the properties of a page of the request'
}
if [ -r "$vz_bundle" ]; then vz_sizes "$vz_bundle"; else skip 'sizes of views' "no corpus at $vz_bundle"; fi
