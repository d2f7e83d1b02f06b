# Rows of printing. Each function prints its rows; names: run.sh.

# pdf_print OUT: prints the main space anew; its job's result is in $tmp/json
pdf_print() {
	rm -f "$main_dir"/pdf/*.pdf
	OCTAVO_URL=$main_base "$octavo" pdf --dir "$main_dir" --space "$pdf_space" --json "$1" >"$tmp/json" 2>"$tmp/err" ||
		give_up "octavo pdf: $(cat "$tmp/err" "$tmp/json")"
}

# Memory: at most 100 MB and 12 kB a printed page. Speed is told beside it.
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
