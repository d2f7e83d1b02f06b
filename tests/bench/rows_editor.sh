# Rows of the editor below /app: previews, and an edit page in Chromium. Names: run.sh.
#
# The figures are milliseconds beside those that are promised.

# edit_page: makes a change request with a page of 38 kB: $e_request, $e_page
edit_page() {
	[ -z "${e_page:-}" ] || return 0
	e_api=$main_base/v1/spaces/$main_space/change-requests
	e_request=$(api POST "$e_api" "$main_admin" '{"subject":"Edited"}' | jq -r .id)
	awk -f "$here/words.awk" -f "$here/page_large.awk" -v size=38000 >"$tmp/large.md"
	e_page=$(api POST "$e_api/$e_request/content?compat=false" "$main_admin" \
		"$(jq -Rs '{changes: [{operation: "insert_page", title: "Large", document: {markdown: .}}]}' "$tmp/large.md")" | jq -r '.changes[0].page.id')
}

# Milliseconds of the processor of the API's workers so far.
worker_ms() {
	for w_pid in $(json "$main_dir" '.processes[] | select(.name == "api").workers[]' status); do
		sed 's/.*) //' "/proc/$w_pid/stat"
	done | awk -v ticks="$(getconf CLK_TCK)" '{ s += $12 + $13 } END { print s * 1000 / ticks }'
}

# A worker's time for a preview, of twenty different texts at a time.
row_preview() {
	edit_page
	: >"$tmp/measure"
	e_n=0
	while [ $e_n -lt "$rounds" ]; do
		e_n=$((e_n + 1))
		e_before=$(worker_ms)
		for e_i in $(seq 20); do
			{ cat "$tmp/large.md"; echo "$e_n $e_i"; } | jq -Rs '{markdown: .}' >"$tmp/preview"
			curl -sS --fail-with-body -o "$tmp/previewed" -H "Authorization: Bearer $main_admin" -H 'Content-Type: application/json' -d "@$tmp/preview" \
				"$e_api/$e_request/content/page/$e_page/html" || give_up "a preview: $(cat "$tmp/previewed")"
		done
		awk -v a="$e_before" -v b="$(worker_ms)" 'BEGIN { print (b - a) / 20, 60 }' >>"$tmp/measure"
	done
	row 'preview of 38 kB: processor of a worker : promised' ms le 1 "$tmp/measure"
}

# The main thread of an edit page with its first preview, and of a letter in 200 kB, in a browser.
row_editor() {
	e_tests=$top/tests/browser
	command -v chromium >/dev/null || { row_skip 'edit page in a browser' 'chromium is not installed'; return; }
	[ -d "$e_tests/node_modules/playwright-core" ] || (cd "$e_tests" && npm install --no-audit --no-fund --no-package-lock --loglevel=error >"$tmp/npm" 2>&1) ||
		{ row_skip 'edit page in a browser' 'npm cannot install playwright-core'; return; }
	begin_session
	edit_page
	node "$here/editor.mjs" "$main_base" "${n_cookie#Cookie: }" "/app/spaces/$main_space/requests/$e_request/pages/$e_page/edit" "$rounds" \
		>"$tmp/editor" 2>"$tmp/err" || give_up "editor.mjs: $(cat "$tmp/err")"
	sed -n 's/^page \(.*\)/\1 300/p' "$tmp/editor" >"$tmp/measure"
	row 'edit page of 38 kB: main thread : promised' ms le 1 "$tmp/measure"
	sed -n 's/^letter \(.*\)/\1 16/p' "$tmp/editor" >"$tmp/measure"
	row 'a letter in 200 kB of Markdown : promised' ms le 1 "$tmp/measure"
	sed -n 's/^bytes \(.*\)/\1 250/p' "$tmp/editor" >"$tmp/measure"
	row 'edit page with its scripts, compressed : promised' kB le 1 "$tmp/measure"
}
