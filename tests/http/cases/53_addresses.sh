# Paths of pages in any spelling, and redirects of .gitbook.yaml.
mkdir -p "$tmp/addresses/docs/Ünder/指南"
cat >"$tmp/addresses/.gitbook.yaml" <<-'END'
	root: ./docs/
	redirects:
	  old/page: two.md
	  Old/ÜBER: ./Ünder/README.md#part
	  folder/README: /Ünder/
	  two: README.md
	  gone: nowhere.md
	  outside: https://example.com/
	  round: about
	  about: round
	  itself: itself
END
printf '# Table of contents\n\n* [One](README.md)\n* [Two](two.md)\n* [Under](Ünder/README.md)\n  * [Guide](Ünder/指南/Größe.md)\n' \
	>"$tmp/addresses/docs/SUMMARY.md"
printf '# One\n\n[old](old/page.md)\n' >"$tmp/addresses/docs/README.md"
printf '# Two\n' >"$tmp/addresses/docs/two.md"
printf '# Under\n' >"$tmp/addresses/docs/Ünder/README.md"
printf '# Guide\n' >"$tmp/addresses/docs/Ünder/指南/Größe.md"
git_in "$tmp/addresses" init -q -b main
git_in "$tmp/addresses" add -A
git_in "$tmp/addresses" commit -q -m one
ADDRESSES=$(octavo_json .result.space import --org "$ORG" --title Addresses --url "$tmp/addresses")
A=/v1/spaces/$ADDRESSES/content/path
# leads PATH TITLE, with the path as typed; misses PATH STATUS
leads() { t "the path $1 leads to $2" GET "$A/$1" admin '' 200 '.title == "'$2'"'; }
misses() { t "the path $1 leads nowhere" GET "$A/$1" admin '' "$2" ''; }
leads two Two
leads two/ Two
leads two%2F Two
leads %2Ftwo Two
leads TWO Two
leads README One
leads %C3%BCnder Under
leads %C3%9CNDER/ Under
leads %C3%BCnder/%E6%8C%87%E5%8D%97/gr%C3%B6%C3%9Fe Guide
leads %C3%9Cnder%2F%E6%8C%87%E5%8D%97%2FGr%C3%96%C3%9Fe Guide
misses two// 404
misses /two 404
misses '' 404
misses two%2Fx 404
misses $(head -c 700 /dev/zero | sed 's/\x00/%E6%8C%87/g') 404
leads old/page Two
leads OLD/Page/ Two
leads old/%C3%9Cber Under
leads folder Under
leads folder/readme Under
for path in gone outside round about itself old; do misses $path 404; done
get $A/readme
t 'a link does not follow redirects' GET "$A/readme?format=document" admin '' 200 \
	'[.. | objects | select(.type? == "link").data.ref] == [{kind: "url", url: "old/page.md"}]'
t 'a redirect is followed in a revision' GET /v1/spaces/$ADDRESSES/revisions/$(get /v1/spaces/$ADDRESSES; jq -r .revision "$out")/path/old%2Fpage \
	admin '' 200 '.title == "Two"'
t 'the space is deleted' DELETE /v1/spaces/$ADDRESSES admin '' 204 ''

# A URL of the published service's application: a link to a space that exists here, otherwise a plain URL.
printf '# One\n\n[near](https://app.gitbook.com/s/%s/x#y) [far](https://app.gitbook.com/s/elsewhere/x#y)\n' "$SPACE" >"$tmp/addresses/docs/README.md"
printf '# Two\n\n[here](two.md#A.b) [there](README.md#a.b)\n\n## A.b\n' >"$tmp/addresses/docs/two.md"
printf '* [One](README.md)\n* [Far](https://app.gitbook.com/s/elsewhere/x)\n* [Two](two.md)\n' >"$tmp/addresses/docs/SUMMARY.md"
git_in "$tmp/addresses" add -A
git_in "$tmp/addresses" commit -q -m two
ADDRESSES=$(octavo_json .result.space import --org "$ORG" --title Addresses --url "$tmp/addresses")
t 'a link of the tree to an unknown space of the application is a URL' GET /v1/spaces/$ADDRESSES/content/pages admin '' 200 \
	'.pages[1].target == {kind: "url", url: "https://app.gitbook.com/s/elsewhere/x"} and .pages[1].href == .pages[1].target.url'
t 'a link to an unknown space of the application is a URL' GET /v1/spaces/$ADDRESSES/content/path/readme admin '' 200 \
	'[.. | objects | select(.type? == "link").data.ref] | .[1] == {kind: "url", url: "https://app.gitbook.com/s/elsewhere/x#y"}'
t 'a link to a heading of its own page by the file is an anchor' GET /v1/spaces/$ADDRESSES/content/path/two admin '' 200 \
	'[.. | objects | select(.type? == "link").data.ref | [.kind, .anchor]] == [["anchor", "a-b"], ["anchor", "a.b"]]
	and ([.. | objects | select(.type? == "link").data.ref.page][0] == .id)'
t 'a link to a known space of the application is reported' GET "/v1/spaces/$ADDRESSES/links?status=in-app" admin '' 200 \
	'[.items[].targetReference.url] == ["https://app.gitbook.com/s/'$SPACE'/x#y"]'
t 'a link to an unknown space of the application is like others' GET "/v1/spaces/$ADDRESSES/links?status=ok" admin '' 200 \
	'[.items[].targetReference.url? // empty | ltrimstr("https://app.gitbook.com/s/")] | contains(["elsewhere/x#y"])'
t 'the second space is deleted' DELETE /v1/spaces/$ADDRESSES admin '' 204 ''
