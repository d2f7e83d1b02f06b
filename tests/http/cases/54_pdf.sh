# PDFs: an address from the API, the file from octavo-site, whose rights are looked at again.
P=/v1/spaces/$SPACE/pdf
t 'pdf by a reader' GET $P read '' 200 '(.url | startswith("http") and contains("/~pdf/") and endswith("/manual.pdf"))'
t 'pdf by a token of scope read' GET $P readonly '' 200 ''
t 'pdf by a stranger' GET $P stranger '' 404 ''
t 'only without page' GET "$P?only=true" read '' 400 '.fields[0].path == "/only"'
t 'only false' GET "$P?only=false" read '' 200 ''
t 'of an unknown page' GET "$P?page=nothing" read '' 404 ''
t 'of a page of another space' GET "$P?page=$PAGE_B" read '' 404 ''
t 'of a page and those below' GET "$P?page=$PAGE" read '' 200 ''
t 'of a page alone' GET "$P?page=$PAGE&only=true" read '' 200 ''
t 'of a change request' GET /v1/spaces/$SPACE/change-requests/$REQUEST/pdf read '' 200 ''
t 'of a change request that is none' GET /v1/spaces/$SPACE/change-requests/999/pdf read '' 404 ''
t 'of a request, only without page' GET "/v1/spaces/$SPACE/change-requests/$REQUEST/pdf?only=1" read '' 400 ''
t 'of an empty space' GET /v1/spaces/$EMPTY/pdf read '' 200 ''
t 'of a deleted space' GET /v1/spaces/$DELETED/pdf admin '' 404 ''
same 'one job for each, not one for each question' 5 \
	"$(sql "SELECT count(*) FROM job WHERE kind = 'pdf'" | tail -n 1)"

if [ $TRANSPORT = http ]; then
pdf_get() { code=$(curl -sg -m 30 --path-as-is -o "$tmp/pdf" -D "$head" -w '%{http_code}' "$@"); }
pdf_ask() { get "$1" "$2"; jq -r .url "$out"; }
# pdf_wait URL: until it is no longer 503
pdf_wait() {
	pw_left=300
	while pdf_get "$1" && [ "$code" = 503 ]; do
		[ -n "$(header retry-after)" ] || fail 'pdf' '503 without Retry-After'
		pw_left=$((pw_left - 1))
		[ $pw_left -gt 0 ] || give_up 'pdf' 'it is not made'
		sleep 0.1
	done
}
pdf_words() { pdftotext "$tmp/pdf" - | tr -s '\n\f ' ' '; }

url=$(pdf_ask $P read)
pdf_wait "$url"
same 'pdf: status' 200 "$code"
same 'pdf: type' application/pdf "$(header content-type)"
yes 'pdf: sound' qpdf --check "$tmp/pdf" >"$tmp/qpdf"
words=$(pdf_words)
for part in 'First words.' 'New text.' 'Take care.' 'int x;' 'Ünïcode & Ωmega' 'Fresh.'; do
	case $words in *"$part"*) pass ;; *) fail 'pdf: words' "$part is missing" ;; esac
done
same 'pdf: title' Manual "$(pdfinfo "$tmp/pdf" | sed -n 's/^Title: *//p')"
tag=$(header etag)
pdf_get "$url" -H "If-None-Match: $tag"
same 'pdf: not modified' 304 "$code"
pdf_get "$url" -r 0-4
same 'pdf: range' '206 %PDF-' "$code $(cat "$tmp/pdf")"
pdf_wait "$(pdf_ask "$P?page=$PAGE&only=true" read)"
case $(pdf_words) in *Fresh.*) fail 'a page alone' 'has what is below it' ;; *'New text.'*) pass ;; *) fail 'a page alone' "$(pdf_words)" ;; esac
pdf_wait "$(pdf_ask "$P?page=$PAGE" read)"
case $(pdf_words) in *'First words.'*) fail 'a page' 'has what is not below it' ;; *'New text.'*Fresh.*) pass ;; *) fail 'a page with those below' "$(pdf_words)" ;; esac
pdf_wait "$(pdf_ask /v1/spaces/$EMPTY/pdf read)"
same 'nothing to print' 500 "$code"

# Each part of the address is under the signature.
spoil() { pdf_get "$(printf %s "$url" | sed "$1")"; same "pdf: $2" 404 "$code"; }
spoil 's|/[^/]*/manual.pdf|/AAAAAAAAAAAAAAAAAAAAAA/manual.pdf|' 'another signature'
spoil 's|manual.pdf$|other.pdf|' 'another name'
spoil 's|/\([0-9]*\)/\([^/]*\)/manual|/9\1/\2/manual|' 'a later end'
spoil 's|~pdf/[^/]*|~pdf/AAAAAAAAAAAAAAAAAAAAAA|' 'another file'

# Rights end at once: of a grant, a token, a space.
octavo_json .token token create --user "$U_guest" --label paper >"$tmp/tokens/guest2"
guest=$(pdf_ask /v1/spaces/$PRIVATE/pdf guest) token=$(pdf_ask /v1/spaces/$PRIVATE/pdf guest2)
admin=$(pdf_ask /v1/spaces/$PRIVATE/pdf admin)
pdf_wait "$guest"
same 'guest: status' 200 "$code"
"$octavo" token list --dir "$dir" --user "$U_guest" --json >"$tmp/cli"
"$octavo" token revoke --dir "$dir" "$(jq -r '.[] | select(.label == "paper").id' "$tmp/cli")" >/dev/null
pdf_get "$token"
same 'a revoked token' 404 "$code"
sql "DELETE FROM access_grant WHERE id = 'grant-guest'"
pdf_get "$guest"
same 'an ended grant' 404 "$code"
sql "INSERT INTO access_grant (id, space, account, role, created_at) VALUES ('grant-guest', '$PRIVATE', '$U_guest', 1, 0)"
pdf_get "$guest"
same 'given again' 200 "$code"
sql "UPDATE space SET deleted_at = CAST(strftime('%s') AS INTEGER) * 1000 WHERE id = '$PRIVATE'"
pdf_get "$admin"
same 'a deleted space' 404 "$code"
sql "UPDATE space SET deleted_at = NULL WHERE id = '$PRIVATE'"
pdf_get "$admin"
same 'restored' 200 "$code"

# A renamed space, and a file that was lost, are printed again; an unchanged one is not.
jobs=$(sql "SELECT count(*) FROM job WHERE kind = 'pdf'" | tail -n 1)
pdf_ask $P admin >"$tmp/url"
same 'unchanged: no job' "$jobs" "$(sql "SELECT count(*) FROM job WHERE kind = 'pdf'" | tail -n 1)"
rm "$dir"/pdf/*.pdf
pdf_wait "$(pdf_ask $P admin)"
same 'lost: made again' 200 "$code"

# A formula is on paper what it is on the screen: set by the same program, or its source where that cannot.
mkdir -p "$tmp/formulas"
printf '# Sums\n\n$$\n\\frac{\\text{dividend}}{\\text{divisor}}\n$$\n\nIn a line $$\\mathbb{R} \\ni \\text{scalar}$$ here.\n\n$$\n\\prescript{a}{b}{\\text{refused}}\n$$\n' >"$tmp/formulas/README.md"
git_in "$tmp/formulas" init -q -b main
git_in "$tmp/formulas" add -A
git_in "$tmp/formulas" commit -q -m first
sums=$(octavo_json '.result.space // .space' import --org "$ORG" --title Formulas --url "$tmp/formulas")
t 'formulas: a site' POST /v1/orgs/$ORG/sites admin '{"title":"Formulas","spaces":["'$sums'"]}' 201 ''
t 'formulas: published' POST /v1/orgs/$ORG/sites/$(jq -r .id "$out")/publish admin '' 200 ''
read_at /sites/$ORG/formulas
holds 'the screen has the fraction' '<mtext>dividend</mtext><mtext>divisor</mtext></mfrac>'
holds 'the screen has the letter of double stroke' '<mi>&#8477;</mi>'
holds 'the screen has the source of what cannot be set' '<code>\prescript{a}{b}{\text{refused}}</code>'
pdf_wait "$(pdf_ask /v1/spaces/$sums/pdf admin)"
same 'formulas: status' 200 "$code"
words=$(pdf_words)
for part in dividend divisor ℝ scalar '\prescript{a}{b}{\text{refused}}'; do
	case $words in *"$part"*) pass ;; *) fail 'print has what the screen has' "$part is missing in $words" ;; esac
done
case $words in *frac* | *'{dividend'*) fail 'a formula that can be set is no source' "$words" ;; *) pass ;; esac
same 'print tells of what cannot be set, and of nothing else' 'the formula \prescript{a}{b}{\text{refused}} is shown as its source, for it cannot be set' \
	"$(sql "SELECT w.message FROM job_warning w JOIN job j ON j.id = w.job WHERE j.kind = 'pdf' AND j.space = '$sums'" | tail -n +1)"
fi
