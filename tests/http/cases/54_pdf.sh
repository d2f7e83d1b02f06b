# PDFs: a URL from the API, the file from octavo-site, which checks the rights again.
P=/v1/spaces/$SPACE/pdf
t 'a reader gets the address of a PDF' GET $P read '' 200 '(.url | startswith("http") and contains("/~pdf/") and endswith("/manual.pdf"))'
t 'a read token gets the address of a PDF' GET $P readonly '' 200 ''
t 'a stranger gets 404 for a PDF' GET $P stranger '' 404 ''
t 'the parameter only needs a page' GET "$P?only=true" read '' 400 '.fields[0].path == "/only"'
t 'only=false needs no page' GET "$P?only=false" read '' 200 ''
t 'a PDF of an unknown page answers 404' GET "$P?page=nothing" read '' 404 ''
t 'a PDF of a page of another space answers 404' GET "$P?page=$PAGE_B" read '' 404 ''
t 'a PDF of a page with those below has an address' GET "$P?page=$PAGE" read '' 200 ''
t 'a PDF of a page alone has an address' GET "$P?page=$PAGE&only=true" read '' 200 ''
t 'a PDF of a change request has an address' GET /v1/spaces/$SPACE/change-requests/$REQUEST/pdf read '' 200 ''
t 'a PDF of an unknown change request answers 404' GET /v1/spaces/$SPACE/change-requests/999/pdf read '' 404 ''
t 'only needs a page in a change request' GET "/v1/spaces/$SPACE/change-requests/$REQUEST/pdf?only=1" read '' 400 ''
t 'a PDF of an empty space has an address' GET /v1/spaces/$EMPTY/pdf read '' 200 ''
t 'a PDF of a deleted space answers 404' GET /v1/spaces/$DELETED/pdf admin '' 404 ''
same 'equal PDFs share one job' 5 \
	"$(sql "SELECT count(*) FROM job WHERE kind = 'pdf'" | tail -n 1)"

if [ $TRANSPORT = http ]; then
pdf_get() { code=$(curl -sg -m 30 --path-as-is -o "$tmp/pdf" -D "$head" -w '%{http_code}' "$@"); }
pdf_ask() { get "$1" "$2"; jq -r .url "$out"; }
# pdf_wait URL: repeats until the status is no longer 503
pdf_wait() {
	pw_left=300
	while pdf_get "$1" && [ "$code" = 503 ]; do
		[ -n "$(header retry-after)" ] || fail 'a PDF that is being made has Retry-After' '503 without Retry-After'
		pw_left=$((pw_left - 1))
		[ $pw_left -gt 0 ] || give_up 'pdf' 'it is not made'
		sleep 0.1
	done
}
pdf_words() { pdftotext "$tmp/pdf" - | tr -s '\n\f ' ' '; }

url=$(pdf_ask $P read)
pdf_wait "$url"
same 'a PDF is served' 200 "$code"
same 'a PDF has its type' application/pdf "$(header content-type)"
yes 'a PDF is well-formed' qpdf --check "$tmp/pdf" >"$tmp/qpdf"
words=$(pdf_words)
for part in 'First words.' 'New text.' 'Take care.' 'int x;' 'Ünïcode & Ωmega' 'Fresh.'; do
	case $words in *"$part"*) pass ;; *) fail 'a PDF has the text of the space' "$part is missing" ;; esac
done
same 'a PDF has the title of the space' Manual "$(pdfinfo "$tmp/pdf" | sed -n 's/^Title: *//p')"
tag=$(header etag)
pdf_get "$url" -H "If-None-Match: $tag"
same 'a PDF with its ETag answers 304' 304 "$code"
pdf_get "$url" -r 0-4
same 'a PDF is served in ranges' '206 %PDF-' "$code $(cat "$tmp/pdf")"
pdf_wait "$(pdf_ask "$P?page=$PAGE&only=true" read)"
case $(pdf_words) in *Fresh.*) fail 'a PDF of a page alone has that page alone' 'has what is below it' ;; *'New text.'*) pass ;; *) fail \
	'a PDF of a page alone has that page' "$(pdf_words)" ;; esac
pdf_wait "$(pdf_ask "$P?page=$PAGE" read)"
case $(pdf_words) in *'First words.'*) fail 'a PDF of a page has nothing beside it' 'has what is not below it' ;; *'New text.'*Fresh.*) pass \
	;; *) fail 'a PDF of a page has those below' "$(pdf_words)" ;; esac
pdf_wait "$(pdf_ask /v1/spaces/$EMPTY/pdf read)"
same 'a PDF of nothing answers 500' 500 "$code"

# One HTML file, by the same way.
html_url=$(pdf_ask "$P?format=html" read)
case $html_url in */manual.html) pass ;; *) fail 'an HTML file has its name' "$html_url" ;; esac
pdf_wait "$html_url"
same 'an HTML file is served' 200 "$code"
yes 'it is no page of this address' grep -qi '^content-disposition: attachment' "$head"
for part in '<!doctype html>' 'First words.' 'New text.' 'Take care.' 'Ünïcode &amp; Ωmega' 'Fresh.' 'src="data:image/png;base64,iVBOR' '</html>'; do
	yes "an HTML file has $part" grep -qF "$part" "$tmp/pdf"
done
same 'it needs no other file' '' "$(grep -oE '(src|href)="[^"#][^"]*"' "$tmp/pdf" | grep -vE '"(https?:|mailto:|data:)' | head -n 3)"
same 'its links within lead to its ids' '' "$(grep -oE 'href="#[^"]*"' "$tmp/pdf" | cut -d '"' -f 2 | tr -d '#' | sort -u | while read -r h_id; do
	grep -qF "id=\"$h_id\"" "$tmp/pdf" || echo "$h_id"; done)"
same 'and each id is there once' '' "$(grep -oE ' id="[^"]*"' "$tmp/pdf" | sort | uniq -d)"
pdf_wait "$(pdf_ask "$P?format=html&page=$PAGE&only=true" read)"
same 'an HTML file of a page alone has one page' 1 "$(grep -c '<article' "$tmp/pdf")"
t 'there are no other formats' GET "$P?format=rtf" read '' 400 '.fields[0].path == "/format"'

# Markdown with its files, as an archive.
zip_url=$(pdf_ask "$P?format=markdown" read)
case $zip_url in */manual.zip) pass ;; *) fail 'an archive of Markdown has its name' "$zip_url" ;; esac
pdf_wait "$zip_url"
same 'an archive of Markdown is served' '200 application/zip' "$code $(header content-type)"
yes 'it is well-formed' unzip -q -o "$tmp/pdf" -d "$tmp/unpacked"
yes 'it has a table of contents' grep -qF '](README.md)' "$tmp/unpacked/SUMMARY.md"
yes 'it has the words of the pages' grep -rqF 'First words.' "$tmp/unpacked"
same 'each link in it leads to one of its files' '' "$(cd "$tmp/unpacked" && find . -name '*.md' | while read -r z_page; do
	grep -oE '\]\([^)# ]+' "$z_page" | sed 's/^](//' | grep -v '^[a-z]*:' | while read -r z_to; do
		[ -e "$(dirname "$z_page")/$z_to" ] || echo "$z_page: $z_to"; done; done)"
yes 'it has pictures in a folder' test -n "$(ls "$tmp/unpacked/.gitbook/assets")"
cp "$tmp/pdf" "$tmp/manual.zip"
z_space=$(octavo_json '.spaces[0].id // .space // .result.space' import "$tmp/manual.zip" --org "$ORG" --title Returned)
z_titles='[.. | objects | select(.type? == "document").title] | sort'
get /v1/spaces/$SPACE/content admin
z_want=$(jq -c "$z_titles" "$out")
get /v1/spaces/$z_space/content admin
same 'an import brings the pages back' "$z_want" "$(jq -c "$z_titles" "$out")"
pdf_wait "$(pdf_ask "$P?format=markdown&page=$PAGE&only=true" read)"
rm -r "$tmp/unpacked"
yes 'an archive of a page alone is well-formed' unzip -q -o "$tmp/pdf" -d "$tmp/unpacked"
same 'it has one page, and no table of contents' 1 "$(find "$tmp/unpacked" -name '*.md' -not -path '*/.gitbook/*' | wc -l)"
yes 'it is that page' grep -rqF 'New text.' "$tmp/unpacked"

# EPUB and DOCX, by pandoc.
t 'EPUB without pandoc is refused' GET "$P?format=epub" read '' 409 '.error.message | contains("OCTAVO_PANDOC")'
t 'so is DOCX of a change request' GET "/v1/spaces/$SPACE/change-requests/$REQUEST/pdf?format=docx" read '' 409 ''
if command -v pandoc >/dev/null; then
	ln -s "$(command -v pandoc)" "$tmp/pandoc"
	for format in epub docx; do
		pdf_wait "$(pdf_ask "$P?format=$format" read)"
		case $format,$(header content-type) in
		epub,application/epub+zip | docx,*wordprocessingml.document) same "$format: the file is served" 200 "$code" ;;
		*) fail "$format: its media type" "$(header content-type)" ;;
		esac
		yes "$format: it is well-formed" unzip -q -t "$tmp/pdf"
		cp "$tmp/pdf" "$tmp/book.$format"
		words=$(pandoc -t plain "$tmp/book.$format" | tr -s '\n ' ' ')
		for part in 'First words.' 'New text.' 'Ünïcode & Ωmega' 'int x;'; do
			case $words in *"$part"*) pass ;; *) fail "$format: it has the text of the space" "$part is missing" ;; esac
		done
		yes "$format: pictures are in it" sh -c "unzip -l '$tmp/pdf' | grep -q 'media/.*png'"
	done
else
	skip 'EPUB and DOCX' 'there is no pandoc'
fi

# The signature covers each part of the URL.
spoil() { pdf_get "$(printf %s "$url" | sed "$1")"; same "a forged address answers 404: $2" 404 "$code"; }
spoil 's|/[^/]*/manual.pdf|/AAAAAAAAAAAAAAAAAAAAAA/manual.pdf|' 'another signature'
spoil 's|manual.pdf$|other.pdf|' 'another name'
spoil 's|/\([0-9]*\)/\([^/]*\)/manual|/9\1/\2/manual|' 'a later end'
spoil 's|~pdf/[^/]*|~pdf/AAAAAAAAAAAAAAAAAAAAAA|' 'another file'

# A revoked grant or token, or a deleted space, ends access at once.
octavo_json .token token create --user "$U_guest" --label paper >"$tmp/tokens/guest2"
guest=$(pdf_ask /v1/spaces/$PRIVATE/pdf guest) token=$(pdf_ask /v1/spaces/$PRIVATE/pdf guest2)
admin=$(pdf_ask /v1/spaces/$PRIVATE/pdf admin)
pdf_wait "$guest"
same 'a guest with a grant gets the PDF' 200 "$code"
"$octavo" token list --dir "$dir" --user "$U_guest" --json >"$tmp/cli"
"$octavo" token revoke --dir "$dir" "$(jq -r '.[] | select(.label == "paper").id' "$tmp/cli")" >/dev/null
pdf_get "$token"
same 'a PDF of a revoked token answers 404' 404 "$code"
sql "DELETE FROM access_grant WHERE id = 'grant-guest'"
pdf_get "$guest"
same 'a PDF after the end of a grant answers 404' 404 "$code"
sql "INSERT INTO access_grant (id, space, account, role, created_at) VALUES ('grant-guest', '$PRIVATE', '$U_guest', 1, 0)"
pdf_get "$guest"
same 'a PDF of a renewed grant is served' 200 "$code"
sql "UPDATE space SET deleted_at = $(date +%s)000 WHERE id = '$PRIVATE'"
pdf_get "$admin"
same 'a PDF of a deleted space answers 404 to an admin' 404 "$code"
sql "UPDATE space SET deleted_at = NULL WHERE id = '$PRIVATE'"
pdf_get "$admin"
same 'a PDF of a restored space is served' 200 "$code"

# A renamed space and a missing file are printed again; an unchanged space is not.
jobs=$(sql "SELECT count(*) FROM job WHERE kind = 'pdf'" | tail -n 1)
pdf_ask $P admin >"$tmp/url"
same 'an unchanged space makes no second PDF' "$jobs" "$(sql "SELECT count(*) FROM job WHERE kind = 'pdf'" | tail -n 1)"
rm "$dir"/pdf/*.pdf
pdf_wait "$(pdf_ask $P admin)"
same 'a PDF that was lost is made again' 200 "$code"

# One program sets formulas for print and screen; a formula that it cannot set is shown as its source.
mkdir -p "$tmp/formulas"
printf '# Sums\n\n$$\n\\frac{\\text{dividend}}{\\text{divisor}}\n$$\n\nIn a line $$\\mathbb{R} \\ni \\text{scalar}$$ here.\n\n$$\n'\
'\\prescript{a}{b}{\\text{refused}}\n$$\n' >"$tmp/formulas/README.md"
git_in "$tmp/formulas" init -q -b main
git_in "$tmp/formulas" add -A
git_in "$tmp/formulas" commit -q -m first
sums=$(octavo_json '.result.space // .space' import --org "$ORG" --title Formulas --url "$tmp/formulas")
t 'formulas: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Formulas","spaces":["'$sums'"]}' 201 ''
t 'formulas: the site is published' POST /v1/orgs/$ORG/sites/$(jq -r .id "$out")/publish admin '' 200 ''
# A formula that there was no time for is shown as its source, and set at the next reading.
fm_turn=0
until read_at /sites/$ORG_NAME/formulas && grep -q '&#8477;' "$out" || [ $((fm_turn += 1)) -gt 9 ]; do :; done
holds 'the screen has the fraction' '<mtext>dividend</mtext><mtext>divisor</mtext></mfrac>'
holds 'the screen has the letter of double stroke' '<mi>&#8477;</mi>'
holds 'the screen has the source of what cannot be set' '<code>\prescript{a}{b}{\text{refused}}</code>'
pdf_wait "$(pdf_ask /v1/spaces/$sums/pdf admin)"
same 'formulas: the PDF is served' 200 "$code"
words=$(pdf_words)
for part in dividend divisor ℝ scalar '\prescript{a}{b}{\text{refused}}'; do
	case $words in *"$part"*) pass ;; *) fail 'print has what the screen has' "$part is missing in $words" ;; esac
done
case $words in *frac* | *'{dividend'*) fail 'a formula that can be set is not printed as its source' "$words" ;; *) pass ;; esac
same 'the PDF warns about the formula that cannot be set alone' 'the formula \prescript{a}{b}{\text{refused}} is shown as its source, for it cannot be set' \
	"$(sql "SELECT w.message FROM job_warning w JOIN job j ON j.id = w.job WHERE j.kind = 'pdf' AND j.space = '$sums'" | tail -n +1)"

# For visitors, where the site has PDFs: a form asks for one, and its address sends it.
mkdir -p "$tmp/printed/part"
printf '# Front\n\nWords of the front.\n' >"$tmp/printed/README.md"
printf '# Part\n\nWords of the part.\n\n'\
'{%% if visitor.claims.beta === true %%}\nA secretpelican.\n{%% endif %%}\n' >"$tmp/printed/part/README.md"
printf '# Below\n\nWords that are below.\n' >"$tmp/printed/part/below.md"
printf -- '---\nif: visitor.claims.beta === true\n---\n\n# Secret\n\nA secretheron.\n' >"$tmp/printed/part/secret.md"
printf '# Table of contents\n\n* [Front](README.md)\n'\
'* [Part](part/README.md)\n  * [Below](part/below.md)\n  * [Secret](part/secret.md)\n' >"$tmp/printed/SUMMARY.md"
git_in "$tmp/printed" init -q -b main
git_in "$tmp/printed" add -A
git_in "$tmp/printed" commit -q -m first
printed=$(octavo_json '.result.space // .space' import --org "$ORG" --title Printed --url "$tmp/printed")
t 'visitors: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Printed","spaces":["'$printed'"]}' 201 ''
VP=/v1/orgs/$ORG/sites/$(jq -r .id "$out") vp=/sites/$ORG_NAME/printed
t 'visitors: the site is published' POST $VP/publish admin '' 200 ''
read_at $vp/part
holds 'a page offers its PDF' "<form method=\"post\" action=\"$below$vp/~print/part\">"
holds 'and one with the pages below it' "action=\"$below$vp/~print/part?all=1\""
read_at $vp/part/below
lacks 'a page without others below it has one PDF' '?all=1'
read_at $vp/~print/part
same 'a PDF that was not asked for leads to its page' "303 $below$vp/part" "$code $(header location)"
read_at $vp/~print/part -X POST
same 'a form leads to its PDF' "303 $below$vp/~print/part" "$code $(header location)"
for n in $(seq 300); do
	jobs_once
	read_at $vp/~print/part
	[ "$(header content-type)" = application/pdf ] && break
	holds 'until it is made, a page says so' 'The PDF is being made'
	same 'and browsers look again' 3 "$(header refresh)"
	sleep 0.2
done
cp "$out" "$tmp/pdf"
words=$(pdf_words)
case $words in *'Words of the part.'*) pass ;; *) fail 'the PDF has the page' "$words" ;; esac
case $words in *below*) fail 'the PDF of a page has no other' "$words" ;; *) pass ;; esac
case $words in *secretpelican*) fail 'the PDF has nothing that depends on the visitor' "$words" ;; *) pass ;; esac
same 'the PDF is named after the page' 'attachment; filename="part.pdf"; filename*=UTF-8'"''"'part.pdf' "$(header content-disposition)"
same 'caches ask again' 'public, no-cache' "$(header cache-control)"
sql "DELETE FROM job WHERE kind = 'pdf' AND space = '$printed'"
read_at $vp/~print/part -X POST
same 'what is made is not made again' 0 "$(sql "SELECT count(*) FROM job WHERE kind = 'pdf' AND space = '$printed'")"
read_at "$vp/~print/part?all=1" -X POST
same 'a section of which the visitor does not see all pages is printed without them' "303 $below$vp/~print/part" "$code $(header location)"
read_at $vp/~print/part/secret -X POST
same 'a page that the visitor does not see has no PDF' 405 "$code"
read_at $vp/~print/part/below -X POST -H 'Sec-Fetch-Site: cross-site'
same 'a form on another site is refused' 400 "$code"
# Visitors have a short queue of their own.
sql "INSERT INTO job (id, kind, space, queue, args, run_at, created_at) WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 10)
	SELECT 'vp' || n, 'pdf', '$printed', 'pdf-visitors:$ORG', '{}', 9000000000000000, 0 FROM k"
read_at $vp/~print/part/below -X POST
same 'when many wait, visitors try again' 503 "$code"
sql "DELETE FROM job WHERE id LIKE 'vp%' AND queue = 'pdf-visitors:$ORG'"
t 'visitors: the site has no PDFs' PUT $VP/customization admin '{"pdf":{"enabled":false}}' 200 ''
read_at $vp/part
lacks 'a site without PDFs offers none' '~print'
read_at $vp/~print/part
same 'nor does it send any' 404 "$code"
t 'visitors: the site is deleted' DELETE $VP admin '' 204 ''
fi
