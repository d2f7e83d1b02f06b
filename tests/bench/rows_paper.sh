# Rows of printing. Each function prints its rows; names: run.sh.

# pdf_print OUT: prints the main space again; the job's result is in $tmp/json
pdf_print() {
	rm -f "$main_dir"/pdf/*.pdf
	OCTAVO_URL=$main_base "$octavo" pdf --dir "$main_dir" --space "$pdf_space" --json "$1" >"$tmp/json" 2>"$tmp/err" ||
		give_up "octavo pdf: $(cat "$tmp/err" "$tmp/json")"
}

# Memory: at most 100 MB and 12 kB per printed page. The speed is shown next to it.
row_pdf() {
	pdf_space=${main_glsdk:-$main_space}
	: >"$tmp/measure"
	p_n=0
	while [ $p_n -lt 2 ]; do
		pdf_print "$tmp/out.pdf"
		jq -r '.result | "\(.memory / 1e6) \(100 + .sheets * 0.012)"' "$tmp/json" >>"$tmp/measure"
		p_n=$((p_n + 1))
	done
	row "PDF of $(jq .result.sheets "$tmp/json") sheets: memory : 100 MB + 12 kB each" MB le 1 "$tmp/measure"
	note 'sheets, and seconds of processor time for them' "$(jq .result.sheets "$tmp/json")" \
		"$(jq '.result.milliseconds / 1000' "$tmp/json")"
}

# An unchanged revision is not printed again.
row_pdf_asked() {
	pdf_space=$main_space
	pdf_print "$tmp/out.pdf"
	: >"$tmp/measure"
	p_n=0
	while [ $p_n -lt "$rounds" ]; do
		echo "$(load 16 "$main_base/v1/spaces/$main_space/pdf" "$main_admin") $(load 16 "$main_base/v1/spaces/$main_space" "$main_admin")" >>"$tmp/measure"
		p_n=$((p_n + 1))
	done
	row 'GET pdf of an unchanged revision : GET space' '/s' ge 0.83 "$tmp/measure"
}

# pdf_words TOP HEIGHT FILE: letters and digits of that part of the sheets (points), one word per line
pdf_words() { pdftotext -r 72 -x 0 -y "$1" -W 1000 -H "$2" "$3" - | tr -cs '[:alnum:]' '\n' | grep .; }

# manual_published: the manual as a space, $b_space, and on a site, $b_at; its pages are in $tmp/pages.json
manual_published() {
	mkdir "$tmp/manual" && cp -r docs/. "$tmp/manual" && git -C "$tmp/manual" init -q -b main &&
		git -C "$tmp/manual" add -A && git -C "$tmp/manual" -c user.name=b -c user.email=b@example.com commit -qm manual ||
		give_up 'the manual is no repository'
	b_space=$(json "$main_dir" .result.space import --org "$main_org" --title 'The manual' --url "$tmp/manual")
	b_site=$main_base/v1/orgs/$main_org/sites
	b_site=$b_site/$(api POST "$b_site" "$main_admin" '{"title":"The manual","spaces":["'"$b_space"'"]}' | jq -r .id)
	api POST "$b_site/publish" "$main_admin" >/dev/null
	b_at=$(api GET "$b_site" "$main_admin" | jq -r .urls.published)
	api GET "$main_base/v1/spaces/$b_space/content/pages" "$main_admin" >"$tmp/pages.json"
}

# print_both PATH: a page of the manual as $tmp/ours.pdf and, by Chromium, $tmp/theirs.pdf
print_both() {
	b_page=$(jq -r --arg path "$1" '.. | objects | select(.path? == $path).id' "$tmp/pages.json")
	timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update \
		--disable-sync --user-data-dir="$tmp/chromium" --no-pdf-header-footer --print-to-pdf="$tmp/theirs.pdf" \
		"$b_at$1" >"$tmp/err" 2>&1 || give_up "chromium: $(cat "$tmp/err")"
	OCTAVO_URL=$main_base "$octavo" pdf --dir "$main_dir" --space "$b_space" --page "$b_page" --only "$tmp/ours.pdf" \
		>"$tmp/out" 2>"$tmp/err" || give_up "octavo pdf: $(cat "$tmp/err" "$tmp/out")"
}

sheets_of() { pdfinfo "$1" | sed -n 's/^Pages: *//p'; }

# The manual compared with Chromium's print of its pages on a site: words in their order, sheets, bytes.
row_pdf_browser() {
	command -v chromium >/dev/null || { row_skip 'PDF : print of a browser' 'chromium is not installed'; return; }
	manual_published
	: >"$tmp/words" && : >"$tmp/order" && : >"$tmp/sheets" && : >"$tmp/bytes"
	for b_path in content/audiences content/api-descriptions content/search people/roles; do
		print_both "$b_path"
		pdf_words 0 1000 "$tmp/theirs.pdf" >"$tmp/theirs"
		pdf_words 60 720 "$tmp/ours.pdf" >"$tmp/ours"
		b_all=$(wc -l <"$tmp/theirs")
		[ "$b_all" -gt 100 ] || give_up "the browser prints $b_all words of $b_path"
		echo "$((b_all - $(diff "$tmp/theirs" "$tmp/ours" | grep -c '^<'))) $b_all" >>"$tmp/order"
		sort "$tmp/theirs" >"$tmp/theirs.sorted" && sort "$tmp/ours" | comm -12 - "$tmp/theirs.sorted" >"$tmp/both"
		echo "$(wc -l <"$tmp/both") $b_all" >>"$tmp/words"
		echo "$(sheets_of "$tmp/ours.pdf") $(sheets_of "$tmp/theirs.pdf")" >>"$tmp/sheets"
		echo "$(wc -c <"$tmp/ours.pdf") $(wc -c <"$tmp/theirs.pdf")" | awk '{ print $1 / 1024, $2 / 1024 }' >>"$tmp/bytes"
	done
	row 'words of a browser'"'"'s PDF that ours has' words ge 0.97 "$tmp/words"
	# pdftotext reads the columns of a table separately if the browser left more space between them.
	row 'words that come in the same order' words ge 0.93 "$tmp/order"
	row 'sheets of a PDF : of a browser'"'"'s' sheets le 1.1 "$tmp/sheets"
	row 'bytes of a PDF : of a browser'"'"'s' KiB le 1 "$tmp/bytes"
}
